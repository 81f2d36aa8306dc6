/* SPDX-License-Identifier: MIT */
/* What the commands share. */
#include "command.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int command_parse(const char *command, const struct argp *parser, int argc, char *argv[], void *input)
{
  argp_err_exit_status = EXIT_BAD_INPUT;
  error_t failed = argp_parse(parser, argc, argv, 0, NULL, input);
  return failed ? command_fail(command, failed) : EXIT_DONE;
}

int command_fail(const char *command, int reason)
{
  complain(command, "%s", reason == ENOMEM ? "out of memory" : strerror(reason));
  return reason == ENOMEM ? EXIT_IO_FAILED : EXIT_BAD_INPUT;
}

int command_fail_output(const char *command)
{
  if (errno != EPIPE)
    complain(command, "cannot write the standard output: %s", strerror(errno));
  return EXIT_IO_FAILED;
}

int command_fail_file(const char *command, const char *verb, const char *path)
{
  complain(command, "cannot %s %s: %s", verb, path, strerror(errno));
  return EXIT_IO_FAILED;
}

bool command_open(const char *command, whole_file *file, const char *path)
{
  if (!path || whole_file_open(file, path))
    return true;
  (void)command_fail_file(command, "write", path);
  return false;
}

int threads_option_parse(const char *text, struct argp_state *state)
{
  enum { THREADS_MAX = 256 };
  char *end;
  errno = 0;
  long threads = strtol(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || threads < 1 || threads > THREADS_MAX)
    argp_error(state, "--threads needs a whole number from 1 to %d, not '%s'", THREADS_MAX, text);
  return (int)threads;
}

/* ---- CASE.yaml and --set ----------------------------------------------------------------------------------------- */

bool case_argument_init(case_argument *of, int argc)
{
  *of = (case_argument){.settings = calloc((size_t)argc, sizeof *of->settings)};
  of->source.settings = of->settings;
  return of->settings;
}

void case_argument_free(case_argument *of)
{
  free(of->settings);
}

error_t case_argument_parse(case_argument *of, int key, char *argument, struct argp_state *state)
{
  switch (key) {
  case CASE_KEY_SET:
    of->settings[of->source.setting_count++] = argument;
    return 0;
  case ARGP_KEY_ARG:
    if (of->source.path)
      argp_error(state, "more than one case: '%s'", argument);
    of->source.path = argument;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "no case file is given");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

int case_argument_read(const case_argument *of, run_case *run, char **input)
{
  char *messages;
  int code = case_read(run, &of->source, input, &messages);
  if (messages)
    fputs(messages, stderr);
  else if (code != EXIT_DONE)
    complain(of->source.path, "out of memory");
  free(messages);
  return code;
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

const drawer *program_drawer(void)
{
  static char package[PATH_MAX];
  static drawer found;
  static const char *const folders[] = {JAGER_PACKAGE_FROM_PROGRAM, "../../python"}; /* the second in a build */
  char program[PATH_MAX], module[PATH_MAX + 8];
  const char *python = getenv("JAGER_PYTHON");
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  program[length > 0 ? length : 0] = '\0';
  char *slash = strrchr(program, '/');
  *(slash ? slash : program) = '\0';
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    if (snprintf(package, sizeof package, "%s/%s", program, folders[i]) >= PATH_MAX)
      continue;
    snprintf(module, sizeof module, "%s/jager", package);
    if (access(module, R_OK) == 0)
      break;
  }
  found = (drawer){.python = python && *python ? python : JAGER_PYTHON_PROGRAM, .package = package};
  return &found;
}

void plot_option_check(const char *path, struct argp_state *state)
{
  if (path && !drawer_knows_format(path))
    argp_error(state, "--plot: '%s' must end with .png, .svg or .pdf", path);
}

bool plot_can_be_drawn(const char *command, const char *path)
{
  error_info error;
  if (!path || drawer_is_there(program_drawer(), &error))
    return true;
  complain(command, "--plot: %s", error.text);
  return false;
}

int plot_draw(const char *command, const char *what, void (*write)(const void *of, FILE *out), const void *of,
              whole_file *file, const char *path)
{
  error_info error = {.text = ""};
  memory_stream numbers;
  bool is_drawn = memory_stream_open(&numbers) || error_out_of_memory(&error);
  if (is_drawn) {
    write(of, numbers.stream);
    is_drawn = memory_stream_finish(&numbers)
                   ? drawer_draw(program_drawer(), what, numbers.text, numbers.size, file, path, &error)
                   : error_out_of_memory(&error);
    memory_stream_free(&numbers);
  }
  if (!is_drawn)
    complain(command, "%s", error.text);
  return is_drawn ? EXIT_DONE : EXIT_IO_FAILED;
}
