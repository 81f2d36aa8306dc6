/* SPDX-License-Identifier: MIT */
/* The command `jager info`: describes a file that a run wrote. */
#include "base/child_process.h"
#include "dem/checkpoint/checkpoint.h"
#include "files/checkpoint_describe.h"
#include "cli/command.h"
#include "base/error.h"
#include "base/file_system.h"
#include "files/run_names.h"
#include "files/result_describe.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INFO_COMMAND "jager info"

enum { KEY_INPUT = 256, KEY_JSON };

typedef struct info_options {
  const char *path;
  bool only_input, json;
} info_options;

static const struct argp_option option_list[] = {
    {"input", KEY_INPUT, NULL, 0, "Print only the text of the case file of that run", 0},
    {"json", KEY_JSON, NULL, 0, "Print the description as JSON", 0},
    {0},
};

static const char summary[] = "Describe a file that a run wrote: result.h5, a snapshot or a checkpoint; of the "
                              "directory of a run, its result.h5, "
                              "else its checkpoint. The description has the title, the "
                              "stages, the number of spheres and contacts, and the version that wrote the file.\v"
                              "See jager(1).";

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  info_options *options = state->input;
  switch (key) {
  case KEY_INPUT:
    options->only_input = true;
    return 0;
  case KEY_JSON:
    options->json = true;
    return 0;
  case ARGP_KEY_ARG:
    if (options->path)
      argp_error(state, "more than one file: '%s'", argument);
    options->path = argument;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "no file is given");
    return 0;
  case ARGP_KEY_END:
    if (options->only_input && options->json)
      argp_error(state, "--input prints the text of the case as it is: --json has no effect on it");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static bool print_checkpoint_input(const char *path, error_info *error)
{
  dem_checkpoint *checkpoint = dem_checkpoint_open(path, error);
  const char *text = checkpoint ? dem_checkpoint_input(checkpoint, error) : NULL;
  if (text)
    fputs(text, stdout);
  dem_checkpoint_close(checkpoint);
  return text;
}

/* A result or a snapshot, which HDF5 reads. */
static bool describe_result(const void *context, error_info *error)
{
  const info_options *options = context;
  return options->only_input ? result_print_input(options->path, stdout, error)
                             : result_describe(options->path, options->json, stdout, error);
}

static bool describe(const info_options *options, error_info *error)
{
  errno = 0;
  bool is_checkpoint = dem_checkpoint_is(options->path);
  if (!is_checkpoint && errno == ENOMEM)
    return error_out_of_memory(error);
  if (is_checkpoint)
    return options->only_input ? print_checkpoint_input(options->path, error)
                               : checkpoint_describe(options->path, options->json, stdout, error);
  return child_process_print(describe_result, options, "read", options->path, error);
}

/* Looks into the directory of a run. NULL, with a message, if there is nothing to describe; the caller frees it. */
static char *file_in(const char *dir, int *code)
{
  static const char *const names[] = {RUN_RESULT, RUN_CHECKPOINT};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char *path = path_in(dir, "%s", names[i]);
    if (!path) {
      *code = command_fail(INFO_COMMAND, ENOMEM);
      return NULL;
    }
    if (access(path, R_OK) == 0)
      return path;
    free(path);
  }
  complain(INFO_COMMAND, "%s has neither %s nor %s: give the directory of a run, or a file that it wrote", dir,
           names[0], names[1]);
  *code = EXIT_BAD_INPUT;
  return NULL;
}

static int tell(const info_options *options)
{
  error_info error = {.text = ""};
  if (describe(options, &error))
    return EXIT_DONE;
  fflush(stdout);
  complain(INFO_COMMAND, "%s", error.text);
  return error.out_of_memory ? EXIT_IO_FAILED : EXIT_BAD_INPUT;
}

int info_command(int argc, char *argv[])
{
  static const struct argp parser = {
      .options = option_list, .parser = parse_option, .args_doc = "FILE", .doc = summary};
  info_options options = {0};
  struct stat status;
  int code = command_parse(INFO_COMMAND, &parser, argc, argv, &options);
  if (code != EXIT_DONE)
    return code;
  if (access(options.path, R_OK) != 0 || stat(options.path, &status) != 0) {
    complain(INFO_COMMAND, "cannot read %s: %s", options.path, strerror(errno));
    return EXIT_IO_FAILED;
  }
  char *found = NULL;
  if (S_ISDIR(status.st_mode)) {
    options.path = found = file_in(options.path, &code);
    if (!found)
      return code;
  }
  code = tell(&options);
  free(found);
  return code;
}
