/* SPDX-License-Identifier: MIT */
/* The command line of `jager moduli`. */
#include "options.h"
#include "base/error.h"
#include "base/file_system.h"
#include "cli/case_argument.h"
#include "cli/command.h"
#include "cli/threads_option.h"
#include "pictures/gnuplot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_JSON = CASE_KEY_NEXT, KEY_PLOT, KEY_THREADS };

static const struct argp_option option_list[] = {
    {"output", 'o', "FILE", 0, "Write all results as CSV to FILE, one row for each state", 0},
    {"plot", KEY_PLOT, "FILE", 0,
     "Draw moduli and wave velocities over the pressure of two or more states; FILE ends with .png, .svg or .pdf "
     "(needs "
     "gnuplot)",
     0},
    {"json", KEY_JSON, NULL, 0, "Print the results as JSON", 0},
    CASE_OPTION_SET,
    {"threads", KEY_THREADS, "N", 0, THREADS_OPTION_HELP, 0},
    {"quiet", 'q', NULL, 0, "Print no progress on standard error", 0},
    {0},
};

static const char summary[] =
    "Compute the small-strain elastic stiffness of assemblies: the 6 x 6 matrix, bulk and shear modulus (Gmax), "
    "Young's "
    "modulus, Poisson's ratio, anisotropy, and the velocities Vp and Vs. From two or more states, also the exponents n "
    "of G and K over pressure, p^n.\v"
    "STATE is a checkpoint, the directory of a run (its last checkpoint counts), or a case file: its assembly is then "
    "made as 'jager run' would make it, packing included, and the moduli are those at the start of the first stage. "
    "All contacts stick; spheres that carry no load are left out. See jager(1) and docs/guide.md.";

/* No file is read and written. */
static void check_files(const moduli_options *options, struct argp_state *state)
{
  if (file_is_same_regular(options->csv, options->plot))
    argp_error(state, "--output and --plot are the same file, '%s'", options->csv);
  for (size_t i = 0; i < options->state_count; i++)
    if (file_is_same_regular(options->states[i], options->csv) ||
        file_is_same_regular(options->states[i], options->plot))
      argp_error(state, "the state '%s' would be overwritten: give --output or --plot another name",
                 options->states[i]);
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  moduli_options *options = state->input;
  switch (key) {
  case 'o':
    options->csv = argument;
    return 0;
  case 'q':
    options->quiet = true;
    return 0;
  case KEY_PLOT:
    if (!gnuplot_terminal(argument, GNUPLOT_WIDE))
      argp_error(state, "--plot: '%s' must end with .png, .svg or .pdf", argument);
    options->plot = argument;
    return 0;
  case KEY_JSON:
    options->json = true;
    return 0;
  case KEY_THREADS:
    options->threads = threads_option_parse(argument, state);
    return 0;
  case CASE_KEY_SET:
    options->settings[options->setting_count++] = argument;
    return 0;
  case ARGP_KEY_ARG:
    options->states[options->state_count++] = argument;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "no state is given: name a checkpoint, the directory of a run, or a case file");
    return 0;
  case ARGP_KEY_END:
    if (options->plot && options->state_count < 2)
      argp_error(state, "--plot draws moduli over pressure: give two or more states");
    check_files(options, state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

void moduli_options_free(moduli_options *options)
{
  free(options->states);
  free(options->settings);
}

int moduli_options_parse(moduli_options *options, int argc, char *argv[])
{
  static const struct argp parser = {
      .options = option_list, .parser = parse_option, .args_doc = "STATE...", .doc = summary};
  *options = (moduli_options){.states = calloc((size_t)argc, sizeof *options->states),
                              .settings = calloc((size_t)argc, sizeof *options->settings)};
  bool has_memory = options->states && options->settings;
  int code =
      has_memory ? command_parse(MODULI_COMMAND, &parser, argc, argv, options) : command_fail(MODULI_COMMAND, ENOMEM);
  if (code != EXIT_DONE)
    moduli_options_free(options);
  return code;
}
