/* SPDX-License-Identifier: MIT */
/* The command line of `jager contact`: read by argp, checked for contradictions, turned into a contact law. */
#include "options.h"
#include "cli/command.h"
#include "cli/option_numbers.h"
#include "pictures/gnuplot.h"
#include "base/file_system.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Options ----------------------------------------------------------------------------------------------------- */

/* The options that take a number. */
enum number_option {
  SHEAR_MODULUS,
  POISSON,
  SHEAR_MODULUS_B,
  POISSON_B,
  FRICTION,
  RADIUS,
  RADIUS_A,
  RADIUS_B,
  CONTOUR_SLOPE,
  CONTOUR_EXPONENT,
  TOLERANCE,
  DP_MAX,
  LINEAR_KN,
  LINEAR_KN_AT,
  LINEAR_KT,
  NUMBER_OPTIONS
};
_Static_assert((int)NUMBER_OPTIONS <= (int)OPTION_NUMBERS_MAX, "room for all");

/* Keys of argp. Those below 256 would be short options. */
enum {
  KEY_NUMBER = 256,
  KEY_MODEL = KEY_NUMBER + NUMBER_OPTIONS,
  KEY_SPRINGS,
  KEY_CONTROL,
  KEY_CONTOUR,
  KEY_WALL,
  KEY_HISTORY,
  KEY_TRACTIONS,
  KEY_PLOT
};

static const struct argp_option option_list[] = {
    {.doc = "The two bodies:"},
    {"shear-modulus", KEY_NUMBER + SHEAR_MODULUS, "G", 0, "Shear modulus of the first body, Pa (default 1); inf: rigid",
     0},
    {"poisson", KEY_NUMBER + POISSON, "NU", 0, "Poisson's ratio of the first body (default 0.5)", 0},
    {"shear-modulus-b", KEY_NUMBER + SHEAR_MODULUS_B, "G", 0,
     "Shear modulus of the second body (default: as the first)", 0},
    {"poisson-b", KEY_NUMBER + POISSON_B, "NU", 0, "Poisson's ratio of the second body (default: as the first)", 0},
    {"friction", KEY_NUMBER + FRICTION, "F", 0, "Friction coefficient (default 0.5)", 0},
    {"radius", KEY_NUMBER + RADIUS, "R", 0, "Radius of both spheres, m (default 1)", 0},
    {"radius-a", KEY_NUMBER + RADIUS_A, "RA", 0, "Radius of the first sphere, m", 0},
    {"radius-b", KEY_NUMBER + RADIUS_B, "RB", 0, "Radius of the second sphere, m", 0},
    {"wall", KEY_WALL, NULL, 0, "The second body is a flat wall", 0},
    {"contour", KEY_CONTOUR, "SHAPE", 0, "sphere (default); cone: height A r; power: height A r^ALPHA", 0},
    {"slope", KEY_NUMBER + CONTOUR_SLOPE, "A", 0, "A of a cone or power contour", 0},
    {"exponent", KEY_NUMBER + CONTOUR_EXPONENT, "ALPHA", 0, "ALPHA of a power contour, from 1 to 100", 0},
    {.doc = "The contact model:"},
    {"model", KEY_MODEL, "NAMES", 0,
     "jager (default: exact Cattaneo-Mindlin partial slip for any loading path), or several laws to compare, separated "
     "by commas; others are",
     0},
    {"springs", KEY_SPRINGS, "N", 0, "Number of springs of the model springs (default 1000)", 0},
    {"tolerance", KEY_NUMBER + TOLERANCE, "TAU", 0,
     "Shorten the loading history: the tangential force may deviate by TAU times friction times normal force (default "
     "0: exact)",
     0},
    {"dp-max", KEY_NUMBER + DP_MAX, "X", 0,
     "Merge elastic segments of the history whose slopes differ by X or less (default 0: exact)", 0},
    {"kn", KEY_NUMBER + LINEAR_KN, "KN", 0, "Normal stiffness of the model linear, N/m", 0},
    {"kn-at", KEY_NUMBER + LINEAR_KN_AT, "ZETA", 0,
     "Choose the normal stiffness of the model linear so that its normal force is that of the other models at this "
     "zeta, m (default: the largest of the path, which must then be a file)",
     0},
    {"kt", KEY_NUMBER + LINEAR_KT, "KT", 0, "Tangential stiffness of the model linear, N/m (default: KN over kappa)",
     0},
    {.doc = "Input and output:"},
    {"control", KEY_CONTROL, "WHAT", 0, "What the path prescribes: displacement (default) or force", 0},
    {"history", KEY_HISTORY, "FILE", 0, "Write the equivalent load history after every step as CSV", 0},
    {"tractions", KEY_TRACTIONS, "FILE", 0,
     "Write pressure and shear traction over the contact area at the end of the path as CSV", 0},
    {"plot", KEY_PLOT, "FILE", 0, "Draw a picture; FILE ends with .png, .svg or .pdf (needs gnuplot)", 0},
    {0},
};

static const char summary[] =
    "Move one contact between two bodies along a path of displacements or forces and print its normal and tangential "
    "force, state and energies.\v"
    "The path is a CSV file with a header; it is read from standard input if PATH is missing or '-'. Columns: "
    "dzeta,dxi1[,dxi2] (increments) or zeta,xi1[,xi2] (positions), where zeta is half the overlap and xi half the "
    "tangential shift of the bodies; or the whole of them, doverlap,dshift1[,dshift2] or overlap,shift1[,shift2]; with "
    "--control force dfn,dft1[,dft2] or fn,ft1[,ft2]. Units are SI. The result is CSV on standard output; with several "
    "models its first column is the model. See jager(1).";

/* ---- Arguments --------------------------------------------------------------------------------------------------- */

typedef struct given_options {
  option_numbers numbers;
  bool wall, springs;
  contact_options options;
} given_options;

/* Completes the help: argp frees the text that is returned. Without memory the help is the shorter one. */
static char *complete_help(int key, const char *text, void *input)
{
  char list[LAW_CHOICE_LIST_SIZE], *whole;
  (void)input;
  if (key != KEY_MODEL || asprintf(&whole, "%s %s", text, law_choice_list(JAGER_MODEL_JAGER + 1, list)) < 0)
    return (char *)text;
  return whole;
}

static void take_control(given_options *given, const char *name, struct argp_state *state)
{
  if (strcmp(name, "displacement") == 0)
    given->options.control = PATH_BY_DISPLACEMENT;
  else if (strcmp(name, "force") == 0)
    given->options.control = PATH_BY_FORCE;
  else
    argp_error(state, "--control: '%s' is not possible: take displacement or force", name);
}

/* Slope and exponent may come later on the command line: the law is completed at its end. */
static void take_contour(given_options *given, const char *name, struct argp_state *state)
{
  if (jager_contour_from_name(name, &given->options.law.contour) != JAGER_OK)
    argp_error(state, "--contour: there is no contour '%s': take sphere, cone or power", name);
}

static void take_path(given_options *given, const char *path, struct argp_state *state)
{
  if (state->arg_num > 0)
    argp_error(state, "more than one path: '%s'", path);
  given->options.input = strcmp(path, "-") == 0 ? NULL : path;
}

/* ---- Contradictions ---------------------------------------------------------------------------------------------- */

/* Ends the program if this option was given, which has no meaning here. */
static void refuse(const given_options *given, int index, const char *why, struct argp_state *state)
{
  if (given->numbers.has[index])
    argp_error(state, "--%s %s", option_numbers_name(&given->numbers, index), why);
}

static void check_radii(const given_options *given, struct argp_state *state)
{
  bool has_radius = given->numbers.has[RADIUS], has_a = given->numbers.has[RADIUS_A],
       has_b = given->numbers.has[RADIUS_B];
  if (given->options.law.contour != JAGER_CONTOUR_SPHERE)
    for (int i = RADIUS; i <= RADIUS_B; i++)
      refuse(given, i, "is for spheres: cones and power contours have no radius", state);
  if (has_radius && (has_a || has_b))
    argp_error(state, "--radius is the radius of both spheres: give it alone, or --radius-a and --radius-b");
  if (given->wall && has_b)
    argp_error(state, "--radius-b contradicts --wall: a flat wall has no radius");
  if (has_b && !has_a)
    argp_error(state, "--radius-b needs --radius-a");
  if (has_a && !has_b && !given->wall)
    argp_error(state, "--radius-a needs --radius-b, or --wall");
}

static void check_contour(const given_options *given, struct argp_state *state)
{
  jager_contour contour = given->options.law.contour;
  if (contour == JAGER_CONTOUR_SPHERE)
    refuse(given, CONTOUR_SLOPE, "needs --contour cone or --contour power", state);
  else if (!given->numbers.has[CONTOUR_SLOPE])
    argp_error(state, "--contour %s needs --slope", jager_contour_name(contour));
  if (contour != JAGER_CONTOUR_POWER)
    refuse(given, CONTOUR_EXPONENT, "needs --contour power", state);
  else if (!given->numbers.has[CONTOUR_EXPONENT])
    argp_error(state, "--contour power needs --exponent");
}

/* Some options are for "jager": its name must be in the list, and for `alone` there must be no other. */
static void check_needs_jager(const given_options *given, bool alone, const char *option, const char *why,
                              struct argp_state *state)
{
  const law_choice *laws = &given->options.laws;
  for (int i = 0; i < laws->count; i++)
    if (laws->laws[i] != JAGER_MODEL_JAGER && (alone || !law_choice_has(laws, JAGER_MODEL_JAGER)))
      argp_error(state, "%s needs --model jager: %s %s", option, law_name(laws->laws[i]), why);
}

static void check_model(const given_options *given, struct argp_state *state)
{
  const contact_options *options = &given->options;
  if (!law_choice_has(&options->laws, JAGER_MODEL_LINEAR))
    for (int i = LINEAR_KN; i <= LINEAR_KT; i++)
      refuse(given, i, "needs --model linear", state);
  if (given->numbers.has[LINEAR_KN])
    refuse(given, LINEAR_KN_AT, "contradicts --kn: give one of them", state);
  if (given->springs && !law_choice_has(&options->laws, LAW_SPRINGS))
    argp_error(state, "--springs needs --model springs");
  if (!law_choice_has(&options->laws, JAGER_MODEL_JAGER)) {
    refuse(given, TOLERANCE, "needs --model jager: the others have no history to keep short", state);
    refuse(given, DP_MAX, "needs --model jager: the others have no history to merge", state);
  }
  if (options->control == PATH_BY_FORCE)
    check_needs_jager(given, true, "--control force", "cannot be driven by force", state);
  if (options->history)
    check_needs_jager(given, false, "--history", "has no equivalent history", state);
  if (options->tractions)
    check_needs_jager(given, false, "--tractions", "has no tractions", state);
}

static void check_files(const contact_options *options, struct argp_state *state)
{
  const char *files[] = {options->input, options->history, options->tractions, options->plot};
  const char *names[] = {"the path", "--history", "--tractions", "--plot"};
  for (int i = 0; i < 4; i++)
    for (int j = i + 1; j < 4; j++)
      if (file_is_same_regular(files[i], files[j]))
        argp_error(state, "%s and %s are the same file", names[i], names[j]);
  if (options->plot && !gnuplot_terminal(options->plot, GNUPLOT_WIDE))
    argp_error(state, "--plot: '%s' must end with .png, .svg or .pdf", options->plot);
}

/* ---- The law ----------------------------------------------------------------------------------------------------- */

static void set_bodies(given_options *given, struct argp_state *state)
{
  jager_body a = {option_numbers_or(&given->numbers, SHEAR_MODULUS, 1.0),
                  option_numbers_or(&given->numbers, POISSON, 0.5)};
  jager_body b = {option_numbers_or(&given->numbers, SHEAR_MODULUS_B, a.shear_modulus),
                  option_numbers_or(&given->numbers, POISSON_B, a.poisson)};
  if (isinf(a.shear_modulus) && isinf(b.shear_modulus))
    argp_error(state, "--shear-modulus, --shear-modulus-b: only one of the bodies can be rigid");
  jager_status status = jager_law_set_dissimilar_bodies(&given->options.law, a, b);
  option_numbers_require(
      status, status == JAGER_ERROR_POISSON ? "--poisson, --poisson-b" : "--shear-modulus, --shear-modulus-b", state);
}

static void set_radii(given_options *given)
{
  double radius = option_numbers_or(&given->numbers, RADIUS, 1.0);
  given->options.radius_a = option_numbers_or(&given->numbers, RADIUS_A, radius);
  given->options.radius_b = given->wall ? INFINITY : option_numbers_or(&given->numbers, RADIUS_B, radius);
}

static void set_linear(given_options *given, struct argp_state *state)
{
  jager_law *law = &given->options.law;
  option_numbers_require(jager_law_set_linear(law, option_numbers_or(&given->numbers, LINEAR_KN, 0.0),
                                              option_numbers_or(&given->numbers, LINEAR_KT, 0.0)),
                         "--kn, --kt", state);
  if (given->numbers.has[LINEAR_KN] && !(given->numbers.value[LINEAR_KN] > 0.0))
    argp_error(state, "--kn must be positive");
  if (!given->numbers.has[LINEAR_KN_AT])
    return;
  if (!(given->numbers.value[LINEAR_KN_AT] > 0.0))
    argp_error(state, "--kn-at must be positive");
  option_numbers_require(jager_law_set_linear_at_zeta(law, given->options.radius_a, given->options.radius_b,
                                                      given->numbers.value[LINEAR_KN_AT]),
                         "--kn-at", state);
}

static void set_law(given_options *given, struct argp_state *state)
{
  jager_law *law = &given->options.law;
  set_bodies(given, state);
  set_radii(given);
  option_numbers_require(jager_law_set_friction(law, option_numbers_or(&given->numbers, FRICTION, law->friction)),
                         "--friction", state);
  option_numbers_require(jager_law_set_tolerance(law, option_numbers_or(&given->numbers, TOLERANCE, law->tolerance)),
                         "--tolerance", state);
  option_numbers_require(jager_law_set_dp_max(law, option_numbers_or(&given->numbers, DP_MAX, law->dp_max)), "--dp-max",
                         state);
  option_numbers_require(jager_law_set_contour(law, law->contour,
                                               option_numbers_or(&given->numbers, CONTOUR_SLOPE, 0.0),
                                               option_numbers_or(&given->numbers, CONTOUR_EXPONENT, 0.0)),
                         "--contour", state);
  set_linear(given, state);
  jager_contact trial = {0};
  option_numbers_require(jager_contact_init(&trial, law, given->options.radius_a, given->options.radius_b),
                         "--radius, --radius-a, --radius-b", state);
}

/* ---- The command line -------------------------------------------------------------------------------------------- */

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  given_options *given = state->input;
  if (key >= KEY_NUMBER && key < KEY_NUMBER + NUMBER_OPTIONS) {
    option_numbers_take(&given->numbers, key - KEY_NUMBER, argument, state);
    return 0;
  }
  switch (key) {
  case KEY_MODEL:
    given->options.laws = law_choice_parse(argument, state);
    return 0;
  case KEY_SPRINGS:
    given->options.grid.count = law_choice_parse_springs(argument, state);
    given->springs = true;
    return 0;
  case KEY_CONTROL:
    take_control(given, argument, state);
    return 0;
  case KEY_CONTOUR:
    take_contour(given, argument, state);
    return 0;
  case KEY_WALL:
    given->wall = true;
    return 0;
  case KEY_HISTORY:
    given->options.history = argument;
    return 0;
  case KEY_TRACTIONS:
    given->options.tractions = argument;
    return 0;
  case KEY_PLOT:
    given->options.plot = argument;
    return 0;
  case ARGP_KEY_ARG:
    take_path(given, argument, state);
    return 0;
  case ARGP_KEY_SUCCESS:
    check_radii(given, state);
    check_contour(given, state);
    check_model(given, state);
    check_files(&given->options, state);
    set_law(given, state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

contact_options contact_options_parse(int argc, char *argv[])
{
  static const struct argp parser = {.options = option_list,
                                     .parser = parse_option,
                                     .args_doc = "[PATH.csv | -]",
                                     .doc = summary,
                                     .help_filter = complete_help};
  given_options given = {
      .numbers = {.list = option_list, .first_key = KEY_NUMBER},
      .options = {.laws = law_choice_default(), .law = jager_law_default(), .grid = {SPRINGS_COUNT_DEFAULT, 0.0}}};
  int code = command_parse(CONTACT_COMMAND, &parser, argc, argv, &given);
  if (code != EXIT_DONE)
    exit(code);
  return given.options;
}
