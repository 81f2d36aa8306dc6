/* SPDX-License-Identifier: MIT */
/* The program jager: finds the command and calls it. */
#include "command.h"
#include "jager/jager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* argp, in the C library, finds it by its name and prints it for --version: it must not be hidden. */
__attribute__((visibility("default"))) const char *argp_program_version = "jager " JAGER_VERSION;

typedef struct command {
  const char *name;
  const char *full_name; /* as messages begin */
  command_function *run;
  const char *summary;
} command;

static const command commands[] = {
    {"run", "jager run", run_command, "simulate an assembly of spheres through the stages of a case"},
    {"check", "jager check", check_command, "check a case file and print what would run"},
    {"info", "jager info", info_command, "describe a result, snapshot or checkpoint"},
    {"moduli", "jager moduli", moduli_command, "compute the small-strain stiffness (Gmax, K, Vs) of assemblies"},
    {"shape", "jager shape", shape_command, "compute volume and inertia of a grain of overlapping spheres"},
    {"contact", "jager contact", contact_command, "move one contact along a path and print its forces"},
    {"impact", "jager impact", impact_command, "let two spheres, or a sphere and a wall, collide at a list of angles"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_commands(FILE *stream)
{
  fprintf(stream, "Commands:\n");
  for (int i = 0; i < COMMANDS; i++)
    fprintf(stream, "  %-10s %s\n", commands[i].name, commands[i].summary);
}

static int find_and_run(int argc, char *argv[])
{
  const char *word = argc > 1 ? argv[1] : NULL;
  if (word && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "-?") == 0)) {
    printf("Usage: jager COMMAND [OPTION...]\n"
           "The Jäger contact (exact Cattaneo-Mindlin contact of spheres) for the discrete element method.\n\n");
    print_commands(stdout);
    printf("\n"
           "  jager COMMAND --help   describe a command and its options\n"
           "  jager --help           print this text\n"
           "  jager --version        print the version\n\n"
           "See jager(1).\n");
    return EXIT_DONE;
  }
  if (word && (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)) {
    printf("%s\n", argp_program_version);
    return EXIT_DONE;
  }
  for (int i = 0; word && i < COMMANDS; i++)
    if (strcmp(word, commands[i].name) == 0) {
      argv[1] = (char *)commands[i].full_name; /* argp takes it for the program's name, and only reads it */
      return commands[i].run(argc - 1, argv + 1);
    }
  if (!word)
    complain("jager", "no command is given");
  else if (word[0] == '-')
    complain("jager", "unknown option '%s': options follow the command", word);
  else
    complain("jager", "there is no command '%s'", word);
  print_commands(stderr);
  fprintf(stderr, "Try 'jager --help'.\n");
  return EXIT_BAD_INPUT;
}

/* Buffered output may meet a full disk. Returns whether all was written; prints the reason unless `is_known`. */
static bool close_output(bool is_known)
{
  bool failed = ferror(stdout) != 0;
  failed = fclose(stdout) != 0 || failed;
  if (failed && !is_known)
    (void)command_fail_output("jager");
  return !failed;
}

static bool has_returned;

/* argp ends the program by itself after --help, --usage and --version. */
static void close_output_at_exit(void)
{
  if (!has_returned && !close_output(false))
    _exit(EXIT_IO_FAILED);
}

int main(int argc, char *argv[])
{
  /*
   * If the program is started with a standard stream closed, the next file opened would take its number, and messages
   * would go into that file. /dev/null, opened for the opposite direction, makes using the stream an error instead.
   */
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of writing, ... */
  signal(SIGXFSZ, SIG_IGN); /* ... and so is a file beyond its size limit */
  whole_file_remove_on_signals();
  if (atexit(close_output_at_exit) != 0)
    return EXIT_IO_FAILED;
  int code = find_and_run(argc, argv);
  has_returned = true;
  return close_output(code == EXIT_IO_FAILED) ? code : EXIT_IO_FAILED;
}
