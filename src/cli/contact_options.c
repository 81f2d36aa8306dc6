/* SPDX-License-Identifier: MIT */
/* The command line of `jager contact`: read by argp, checked for contradictions, turned into a contact law. */
#include "command.h"
#include "contact.h"
#include "jager/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Options ----------------------------------------------------------------------------------------------------- */

/* The options that take a number, beside those of law_options.h. */
enum {
  RADIUS = LAW_NUMBERS,
  RADIUS_A,
  RADIUS_B,
  CONTOUR_SLOPE,
  CONTOUR_EXPONENT,
  TOLERANCE,
  DP_MAX,
  LINEAR_KN,
  LINEAR_KN_AT,
  LINEAR_KT,
  NUMBERS
};
_Static_assert((int)NUMBERS <= (int)LAW_NUMBERS_MAX, "room for all");

enum { OPTION_CONTROL = OPTION_NEXT, OPTION_CONTOUR, OPTION_HISTORY, OPTION_TRACTIONS };

static const struct argp_option option_list[] = {
    {.doc = "The two bodies:"},
    {"shear-modulus", OPTION_NUMBER + SHEAR_MODULUS, "G", 0,
     "Shear modulus of the first body, Pa (default 1); inf: rigid", 0},
    {"poisson", OPTION_NUMBER + POISSON, "NU", 0, "Poisson's ratio of the first body (default 0.5)", 0},
    {"shear-modulus-b", OPTION_NUMBER + SHEAR_MODULUS_B, "G", 0,
     "Shear modulus of the second body (default: as the first)", 0},
    {"poisson-b", OPTION_NUMBER + POISSON_B, "NU", 0, "Poisson's ratio of the second body (default: as the first)", 0},
    {"friction", OPTION_NUMBER + FRICTION, "F", 0, "Friction coefficient (default 0.5)", 0},
    {"radius", OPTION_NUMBER + RADIUS, "R", 0, "Radius of both spheres, m (default 1)", 0},
    {"radius-a", OPTION_NUMBER + RADIUS_A, "RA", 0, "Radius of the first sphere, m", 0},
    {"radius-b", OPTION_NUMBER + RADIUS_B, "RB", 0, "Radius of the second sphere, m", 0},
    {"wall", OPTION_WALL, NULL, 0, "The second body is a flat wall", 0},
    {"contour", OPTION_CONTOUR, "SHAPE", 0, "sphere (default); cone: height A r; power: height A r^ALPHA", 0},
    {"slope", OPTION_NUMBER + CONTOUR_SLOPE, "A", 0, "A of a cone or power contour", 0},
    {"exponent", OPTION_NUMBER + CONTOUR_EXPONENT, "ALPHA", 0, "ALPHA of a power contour, from 1 to 100", 0},
    {.doc = "The contact model:"},
    {"model", OPTION_MODEL, "NAMES", 0,
     "jager (default: Cattaneo-Mindlin partial slip, exact for any loading path along a line), or several laws to "
     "compare, separated by commas; springs are independent springs, the method of dimensionality reduction; others "
     "are",
     0},
    {"springs", OPTION_SPRINGS, "N", 0, "Number of springs of the model springs (default 1000)", 0},
    {"tolerance", OPTION_NUMBER + TOLERANCE, "TAU", 0,
     "Shorten the loading history: the tangential force may deviate by TAU times friction times normal force (default "
     "0: exact)",
     0},
    {"dp-max", OPTION_NUMBER + DP_MAX, "X", 0,
     "Merge elastic segments of the history whose slopes differ by X or less (default 0: exact)", 0},
    {"kn", OPTION_NUMBER + LINEAR_KN, "KN", 0, "Normal stiffness of the model linear, N/m", 0},
    {"kn-at", OPTION_NUMBER + LINEAR_KN_AT, "ZETA", 0,
     "Choose the normal stiffness of the model linear so that it has the normal force of the other models at this "
     "zeta, m (default: the largest of the path, which must then be a file)",
     0},
    {"kt", OPTION_NUMBER + LINEAR_KT, "KT", 0, "Tangential stiffness of the model linear, N/m (default: KN over kappa)",
     0},
    {.doc = "Input and output:"},
    {"control", OPTION_CONTROL, "WHAT", 0, "What the path prescribes: displacement (default) or force", 0},
    {"history", OPTION_HISTORY, "FILE", 0, "Write the equivalent load history after every step as CSV", 0},
    {"tractions", OPTION_TRACTIONS, "FILE", 0,
     "Write pressure and shear traction over the contact area at the end of the path as CSV", 0},
    {"plot", OPTION_PLOT, "FILE", 0, "Draw a picture; FILE ends with .png, .svg or .pdf (needs matplotlib)", 0},
    {0},
};

static const char summary[] =
    "Move one contact between two bodies along a path of displacements or forces and print its normal and tangential "
    "force, state and energies.\v"
    "The path is a CSV file with a header; it is read from standard input if PATH is missing or '-'. Columns: "
    "dzeta,dxi1[,dxi2] (increments) or zeta,xi1[,xi2] (positions), where zeta is half the overlap and xi half the "
    "tangential shift of the bodies; or whole movements, doverlap,dshift1[,dshift2] or overlap,shift1[,shift2]; with "
    "--control force dfn,dft1[,dft2] or fn,ft1[,ft2]. Units are SI. The result is CSV on standard output; with several "
    "models its first column is the model. See jager(1).";

/* ---- Contradictions ---------------------------------------------------------------------------------------------- */

/* Ends the program if this option was given, which has no meaning here. */
static void refuse(const law_options *of, int index, const char *why, struct argp_state *state)
{
  if (of->has[index])
    argp_error(state, "--%s %s", law_options_name(of, index), why);
}

/* Some options are for "jager": its name must be in the list, and for `alone` there must be no other. */
static void check_needs_jager(const law_options *of, bool alone, const char *option, const char *why,
                              struct argp_state *state)
{
  for (int i = 0; i < of->law_count; i++)
    if (of->laws[i] != JAGER_MODEL_JAGER && (alone || !law_options_have(of, JAGER_MODEL_JAGER)))
      argp_error(state, "%s needs --model jager: %s %s", option, law_name(of->laws[i]), why);
}

static void check(const contact_options *options, struct argp_state *state)
{
  const law_options *of = &options->of_laws;
  jager_contour contour = of->bodies.parameters.contour;
  bool has_a = of->has[RADIUS_A], has_b = of->has[RADIUS_B];
  if (contour != JAGER_CONTOUR_SPHERE)
    for (int i = RADIUS; i <= RADIUS_B; i++)
      refuse(of, i, "is for spheres: cones and power contours have no radius", state);
  if (of->has[RADIUS] && (has_a || has_b))
    argp_error(state, "--radius is the radius of both spheres: give it alone, or --radius-a and --radius-b");
  if (of->has_wall && has_b)
    argp_error(state, "--radius-b contradicts --wall: a flat wall has no radius");
  if (has_b && !has_a)
    argp_error(state, "--radius-b needs --radius-a");
  if (has_a && !has_b && !of->has_wall)
    argp_error(state, "--radius-a needs --radius-b, or --wall");

  if (contour == JAGER_CONTOUR_SPHERE)
    refuse(of, CONTOUR_SLOPE, "needs --contour cone or --contour power", state);
  else if (!of->has[CONTOUR_SLOPE])
    argp_error(state, "--contour %s needs --slope", jager_contour_name(contour));
  if (contour != JAGER_CONTOUR_POWER)
    refuse(of, CONTOUR_EXPONENT, "needs --contour power", state);
  else if (!of->has[CONTOUR_EXPONENT])
    argp_error(state, "--contour power needs --exponent");

  if (!law_options_have(of, JAGER_MODEL_LINEAR))
    for (int i = LINEAR_KN; i <= LINEAR_KT; i++)
      refuse(of, i, "needs --model linear", state);
  if (of->has[LINEAR_KN])
    refuse(of, LINEAR_KN_AT, "contradicts --kn: give one of them", state);
  if (of->has_springs && !law_options_have(of, LAW_SPRINGS))
    argp_error(state, "--springs needs --model springs");
  if (!law_options_have(of, JAGER_MODEL_JAGER)) {
    refuse(of, TOLERANCE, "needs --model jager: the others have no history to keep short", state);
    refuse(of, DP_MAX, "needs --model jager: the others have no history to merge", state);
  }
  if (options->control == PATH_BY_FORCE)
    check_needs_jager(of, true, "--control force", "cannot be driven by force", state);
  if (options->history)
    check_needs_jager(of, false, "--history", "has no equivalent history", state);
  if (options->tractions)
    check_needs_jager(of, false, "--tractions", "has no tractions", state);

  const char *files[] = {options->input, options->history, options->tractions, of->plot};
  const char *names[] = {"the path", "--history", "--tractions", "--plot"};
  for (int i = 0; i < 4; i++)
    for (int j = i + 1; j < 4; j++)
      if (file_is_same_regular(files[i], files[j]))
        argp_error(state, "%s and %s are the same file", names[i], names[j]);
  plot_option_check(of->plot, state);
}

/* ---- The command line -------------------------------------------------------------------------------------------- */

/* Completes the law, when all options are known: the contour, for example, may precede its slope. */
static void set_law(law_options *of, struct argp_state *state)
{
  law_bodies *bodies = &of->bodies;
  jager_law *law = &bodies->parameters;
  double modulus = law_options_number(of, SHEAR_MODULUS, 1.0), radius = law_options_number(of, RADIUS, 1.0);
  if (isinf(modulus) && isinf(law_options_number(of, SHEAR_MODULUS_B, modulus)))
    argp_error(state, "--shear-modulus, --shear-modulus-b: only one of the bodies can be rigid");
  law_options_set_bodies(of, (jager_body){1.0, 0.5}, state);
  bodies->radius_a = law_options_number(of, RADIUS_A, radius);
  bodies->radius_b = of->has_wall ? INFINITY : law_options_number(of, RADIUS_B, radius);
  law_options_require(jager_law_set_friction(law, law_options_number(of, FRICTION, law->friction)), "--friction",
                      state);
  law_options_require(jager_law_set_tolerance(law, law_options_number(of, TOLERANCE, law->tolerance)), "--tolerance",
                      state);
  law_options_require(jager_law_set_dp_max(law, law_options_number(of, DP_MAX, law->dp_max)), "--dp-max", state);
  law_options_require(jager_law_set_contour(law, law->contour, law_options_number(of, CONTOUR_SLOPE, 0.0),
                                            law_options_number(of, CONTOUR_EXPONENT, 0.0)),
                      "--contour", state);
  law_options_require(
      jager_law_set_linear(law, law_options_number(of, LINEAR_KN, 0.0), law_options_number(of, LINEAR_KT, 0.0)),
      "--kn, --kt", state);
  if (of->has[LINEAR_KN] && !(of->value[LINEAR_KN] > 0.0))
    argp_error(state, "--kn must be positive");
  if (of->has[LINEAR_KN_AT] && !(of->value[LINEAR_KN_AT] > 0.0))
    argp_error(state, "--kn-at must be positive");
  if (of->has[LINEAR_KN_AT])
    law_options_require(jager_law_set_linear_at_zeta(law, bodies->radius_a, bodies->radius_b, of->value[LINEAR_KN_AT]),
                        "--kn-at", state);
  jager_contact trial = {0};
  law_options_require(jager_contact_init(&trial, law, bodies->radius_a, bodies->radius_b),
                      "--radius, --radius-a, --radius-b", state);
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  contact_options *options = state->input;
  switch (key) {
  case OPTION_CONTROL:
    if (strcmp(argument, "displacement") == 0)
      options->control = PATH_BY_DISPLACEMENT;
    else if (strcmp(argument, "force") == 0)
      options->control = PATH_BY_FORCE;
    else
      argp_error(state, "--control: '%s' is not possible: take displacement or force", argument);
    return 0;
  case OPTION_CONTOUR:
    if (jager_contour_from_name(argument, &options->of_laws.bodies.parameters.contour) != JAGER_OK)
      argp_error(state, "--contour: there is no contour '%s': take sphere, cone or power", argument);
    return 0;
  case OPTION_HISTORY:
    options->history = argument;
    return 0;
  case OPTION_TRACTIONS:
    options->tractions = argument;
    return 0;
  case ARGP_KEY_ARG:
    if (state->arg_num > 0)
      argp_error(state, "more than one path: '%s'", argument);
    options->input = strcmp(argument, "-") == 0 ? NULL : argument;
    return 0;
  case ARGP_KEY_SUCCESS:
    check(options, state);
    set_law(&options->of_laws, state);
    return 0;
  default:
    return law_options_parse(&options->of_laws, key, argument, state);
  }
}

contact_options contact_options_parse(int argc, char *argv[])
{
  static const struct argp parser = {.options = option_list,
                                     .parser = parse_option,
                                     .args_doc = "[PATH.csv | -]",
                                     .doc = summary,
                                     .help_filter = law_options_help};
  contact_options options = {.of_laws = law_options_none(option_list)};
  int code = command_parse(CONTACT_COMMAND, &parser, argc, argv, &options);
  if (code != EXIT_DONE)
    exit(code);
  return options;
}
