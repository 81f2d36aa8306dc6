/* SPDX-License-Identifier: MIT */
/* The command `jager info`: describes a file that a run wrote. */
#include "command.h"
#include "dem/checkpoint/checkpoint.h"
#include "files/describe.h"
#include "files/result.h"
#include "files/run_names.h"

#include <errno.h>
#include <stdlib.h>
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

static const char summary[] = "Describe a file that a run wrote: result.h5, a snapshot or a checkpoint. For the "
                              "directory of a run, describe its result.h5 or, if there is none, its checkpoint. The "
                              "description has the title, the stages, the number of spheres and contacts, and the "
                              "version that wrote the file.\v"
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

/* `path` is a file. */
static bool describe(const char *path, const info_options *options, error_info *error)
{
  errno = 0;
  if (!dem_checkpoint_is(path)) {
    if (errno == ENOMEM)
      return error_out_of_memory(error);
    result_end_without_cleanup();
    bool is_done = options->only_input ? result_print_input(path, stdout, error)
                                       : result_describe(path, options->json, stdout, error);
    return errno == ENOMEM ? error_out_of_memory(error) : is_done; /* HDF5 may go on without what it lacks memory for */
  }
  if (!options->only_input)
    return checkpoint_describe(path, options->json, stdout, error);
  dem_checkpoint *checkpoint = dem_checkpoint_open(path, error);
  const char *text = checkpoint ? dem_checkpoint_input(checkpoint, error) : NULL;
  if (text)
    fputs(text, stdout);
  dem_checkpoint_close(checkpoint);
  return text;
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

int info_command(int argc, char *argv[])
{
  static const struct argp parser = {
      .options = option_list, .parser = parse_option, .args_doc = "FILE", .doc = summary};
  info_options options = {0};
  struct stat status;
  error_info error = {.text = ""};
  int code = command_parse(INFO_COMMAND, &parser, argc, argv, &options);
  if (code != EXIT_DONE)
    return code;
  if (access(options.path, R_OK) != 0 || stat(options.path, &status) != 0)
    return command_fail_file(INFO_COMMAND, "read", options.path);
  bool is_directory = S_ISDIR(status.st_mode);
  char *found = is_directory ? file_in(options.path, &code) : NULL;
  if (code == EXIT_DONE && !describe(is_directory ? found : options.path, &options, &error)) {
    fflush(stdout);
    complain(INFO_COMMAND, "%s", error.text);
    code = error.out_of_memory ? EXIT_IO_FAILED : EXIT_BAD_INPUT;
  }
  free(found);
  return code;
}
