/* SPDX-License-Identifier: MIT */
/* The command `jager check`: reads a case, gets it ready as `jager run` would, and tells what would run. */
#include "case/print.h"
#include "case/reader.h"
#include "cli/command.h"
#include "run/prepare.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CHECK_COMMAND "jager check"

enum { KEY_SET = 256 };

typedef struct check_options {
  case_source source;
  const char **settings; /* has room for all arguments */
} check_options;

static const struct argp_option option_list[] = {
    {"set", KEY_SET, "KEY=VALUE", 0, "Change a value of the case, such as material.friction=0.3; may be given often",
     0},
    {0},
};

static const char summary[] = "Check a case file and tell what would run.\v"
                              "Mistakes are told with line and column. What jager run refuses before its first step is "
                              "refused here, with the same exit code. A KEY is a path of keys with dots between; "
                              "stages are taken by their number from 0 or by name: stages.biaxial.until.steps=100. "
                              "See jager(1).";

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  check_options *options = state->input;
  switch (key) {
  case KEY_SET:
    options->settings[options->source.setting_count++] = argument;
    return 0;
  case ARGP_KEY_ARG:
    if (options->source.path)
      argp_error(state, "more than one case: '%s'", argument);
    options->source.path = argument;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "which case?");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* The case must get as far as to its first step. */
static int check_start(const dem_case *run)
{
  error_info error = {.text = ""};
  dem_simulation *simulation = NULL;
  int code = run_prepare(run, 0, &simulation, &error);
  if (code != EXIT_DONE)
    complain(CHECK_COMMAND, "%s", error.text);
  dem_simulation_destroy(simulation);
  return code;
}

static int check(const case_source *source)
{
  dem_case run;
  int code = case_read(&run, source, NULL, stderr);
  if (code != EXIT_DONE)
    return code;
  case_print(&run, stdout);
  code = check_start(&run);
  dem_case_free(&run);
  return code;
}

int check_command(int argc, char *argv[])
{
  static const struct argp parser = {
      .options = option_list, .parser = parse_option, .args_doc = "CASE.yaml", .doc = summary};
  check_options options = {.settings = calloc((size_t)argc, sizeof *options.settings)};
  if (!options.settings) {
    complain(CHECK_COMMAND, "out of memory");
    return EXIT_IO_FAILED;
  }
  argp_err_exit_status = EXIT_BAD_INPUT;
  error_t failed = argp_parse(&parser, argc, argv, 0, NULL, &options);
  options.source.settings = options.settings;
  int code = failed == ENOMEM ? EXIT_IO_FAILED : EXIT_BAD_INPUT;
  if (failed)
    complain(CHECK_COMMAND, "%s", strerror(failed));
  else
    code = check(&options.source);
  free(options.settings);
  return code;
}
