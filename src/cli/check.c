/* SPDX-License-Identifier: MIT */
/* The command `jager check`: reads a case, prepares it as `jager run` would, and prints what would run. */
#include "command.h"
#include "run/run.h"

#include <errno.h>

#define CHECK_COMMAND "jager check"

static const struct argp_option option_list[] = {
    CASE_OPTION_SET,
    {0},
};

static const char summary[] = "Check a case file and print what 'jager run' would do, without running it.\v"
                              "Errors and warnings have a line and a column. A case that 'jager run' would refuse "
                              "before its first step is refused here with the same exit code. KEY is a path of keys "
                              "with dots; a stage is given by its name, or by its number counted from 0: "
                              "stages.biaxial.until.steps=100. See jager(1).";

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  return case_argument_parse(state->input, key, argument, state);
}

int check_command(int argc, char *argv[])
{
  static const struct argp parser = {
      .options = option_list, .parser = parse_option, .args_doc = "CASE.yaml", .doc = summary};
  case_argument of;
  run_case run;
  if (!case_argument_init(&of, argc))
    return command_fail(CHECK_COMMAND, ENOMEM);
  int code = command_parse(CHECK_COMMAND, &parser, argc, argv, &of);
  if (code == EXIT_DONE)
    code = case_argument_read(&of, &run, NULL);
  if (code == EXIT_DONE) {
    error_info error = {.text = ""};
    dem_simulation *simulation = NULL;
    case_print(&run, stdout);
    run_ending ending = run_prepare(&run.simulation, 0, &simulation, &error); /* as far as to its first step */
    if (ending != RUN_COMPLETED) {
      complain(CHECK_COMMAND, "%s", error.text);
      code = ending == RUN_REFUSED ? EXIT_BAD_INPUT : EXIT_IO_FAILED;
    }
    dem_simulation_destroy(simulation);
    run_case_free(&run);
  }
  case_argument_free(&of);
  return code;
}
