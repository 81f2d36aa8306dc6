/* SPDX-License-Identifier: MIT */
/* The command line of `jager impact`: read by argp, checked, turned into the bodies and speeds of impacts. */
#include "options.h"
#include "cli/command.h"
#include "cli/option_numbers.h"
#include "pictures/gnuplot.h"
#include "base/number.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- Options ----------------------------------------------------------------------------------------------------- */

/* The options that take a number. */
enum number_option {
  SHEAR_MODULUS,
  POISSON,
  DENSITY,
  RADIUS,
  SHEAR_MODULUS_B,
  POISSON_B,
  DENSITY_B,
  RADIUS_B,
  FRICTION,
  SPEED,
  DAMPING,
  STEPS,
  NUMBER_OPTIONS
};
_Static_assert((int)NUMBER_OPTIONS <= (int)OPTION_NUMBERS_MAX, "room for all");

/* Keys of argp. Those below 256 would be short options. */
enum { KEY_NUMBER = 256, KEY_MODEL = KEY_NUMBER + NUMBER_OPTIONS, KEY_SPRINGS, KEY_WALL, KEY_PSI, KEY_ANGLE, KEY_PLOT };

static const struct argp_option option_list[] = {
    {.doc = "The impact:"},
    {"psi", KEY_PSI, "LIST", 0,
     "Tangential over normal velocity before the impact in units of friction times kappa: numbers such as 0.5,1.5 or "
     "FROM:TO:STEP (default 0.25:7:0.25)",
     0},
    {"angle", KEY_ANGLE, "LIST", 0, "The same as angles from the normal, degrees, from 0 to less than 90", 0},
    {"speed", KEY_NUMBER + SPEED, "V", 0, "Normal speed of approach, m/s (default 1e-4)", 0},
    {"wall", KEY_WALL, NULL, 0, "The second body is a flat wall that cannot move", 0},
    {.doc = "The two bodies:"},
    {"shear-modulus", KEY_NUMBER + SHEAR_MODULUS, "G", 0, "Shear modulus of the first body, Pa (default 29e9)", 0},
    {"poisson", KEY_NUMBER + POISSON, "NU", 0, "Poisson's ratio of the first body (default 0.3)", 0},
    {"density", KEY_NUMBER + DENSITY, "RHO", 0, "Density of the first body, kg/m3 (default 2650)", 0},
    {"radius", KEY_NUMBER + RADIUS, "R", 0, "Radius of the first sphere, m (default 1e-3)", 0},
    {"shear-modulus-b", KEY_NUMBER + SHEAR_MODULUS_B, "G", 0,
     "Shear modulus of the second body (default: as the first); inf: rigid", 0},
    {"poisson-b", KEY_NUMBER + POISSON_B, "NU", 0, "Poisson's ratio of the second body (default: as the first)", 0},
    {"density-b", KEY_NUMBER + DENSITY_B, "RHO", 0, "Density of the second sphere (default: as the first)", 0},
    {"radius-b", KEY_NUMBER + RADIUS_B, "R", 0, "Radius of the second sphere (default: as the first)", 0},
    {"friction", KEY_NUMBER + FRICTION, "F", 0, "Friction coefficient, above 0 (default 0.5)", 0},
    {"damping", KEY_NUMBER + DAMPING, "BETA", 0, "Dashpots, as a share of critical damping from 0 (default) to 1", 0},
    {.doc = "The contact model:"},
    {"model", KEY_MODEL, "NAMES", 0,
     "jager (default: exact Cattaneo-Mindlin partial slip), or several laws to compare, separated by commas; others "
     "are",
     0},
    {"springs", KEY_SPRINGS, "N", 0, "Number of springs of the model springs (default 1000)", 0},
    {"steps", KEY_NUMBER + STEPS, "N", 0, "Time steps in the duration of Hertz's impact, from 10 to 1e6 (default 2000)",
     0},
    {.doc = "Output:"},
    {"plot", KEY_PLOT, "FILE", 0,
     "Draw psi2 and the energy lost over psi1; FILE ends with .png, .svg or .pdf (needs gnuplot)", 0},
    {0},
};

static const char summary[] =
    "Let two spheres, or a sphere and a wall, collide at a list of angles and print how they rebound.\v"
    "psi = v_t/(kappa f v_n) at the point of contact, as in Maw, Barber and Fawcett (1976); for one material psi = "
    "2(1-nu)/(f(2-nu)) v_t/v_n. Impacts with psi1 < 1 begin without slip; the whole impact slides from psi1 = 14 "
    "(1-nu)/(2-nu) - 1 on. The result is CSV on standard output: model, angle, psi1, psi2, e_normal, e_tangential, "
    "spin (rad/s), energy_lost (share of the kinetic energy), and more. See jager(1).";

typedef struct given_options {
  option_numbers numbers;
  bool wall, springs;
  const char *psi, *angle;
  impact_options *options;
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

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

/* The number, which must lie between `least` and `most`. */
static double number_within(const given_options *given, int index, double otherwise, double least, double most,
                            struct argp_state *state)
{
  double value = option_numbers_or(&given->numbers, index, otherwise);
  if (!(value >= least && value <= most))
    argp_error(state, "--%s: %g must lie between %g and %g", option_numbers_name(&given->numbers, index), value, least,
               most);
  return value;
}

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

/* A list that is being read. */
typedef struct list {
  const char *option, *unit; /* the unit with a space before it, for messages */
  double below;              /* all values are smaller */
  double *values;
  impact_options *options;
  struct argp_state *state;
} list;

static void add_value(list *to, double value)
{
  if (!(value >= 0.0 && value < to->below))
    argp_error(to->state, "--%s: %g must not be negative, and less than %g%s", to->option, value, to->below, to->unit);
  if (to->options->count == IMPACT_LIST_MAX)
    argp_error(to->state, "--%s: more than %d values", to->option, IMPACT_LIST_MAX);
  else
    to->values[to->options->count++] = value;
}

/* The number of 14 digits that is nearest: of 0.1 + 23 · 0.1 this is 2.4 */
static double without_rounding(double value)
{
  char text[32];
  snprintf(text, sizeof text, "%.14g", value);
  return number_parse(text, &value) ? value : NAN;
}

/* FROM:TO:STEP, with TO if a whole number of steps leads there but for rounding */
static void add_range(list *to, const char *text, const double range[3])
{
  double count = floor((range[1] - range[0]) / range[2] + 1e-6);
  if (!(range[2] > 0.0) || !(count >= 0.0))
    argp_error(to->state, "--%s: '%s' must be FROM:TO:STEP with FROM <= TO and STEP > 0", to->option, text);
  else if (!(count < IMPACT_LIST_MAX))
    argp_error(to->state, "--%s: '%s' has more than %d values", to->option, text, IMPACT_LIST_MAX);
  else
    for (int i = 0; i <= (int)count; i++)
      add_value(to, without_rounding(range[0] + i * range[2]));
}

/* A number, or FROM:TO:STEP */
static void add_item(list *to, char *text)
{
  double numbers[3];
  int count = 0;
  char *next = text, whole[64];
  snprintf(whole, sizeof whole, "%s", text);
  for (char *part; (part = strsep(&next, ":")) != NULL; count++)
    if (count == 3 || !number_parse(part, &numbers[count]) || !isfinite(numbers[count])) {
      argp_error(to->state, "--%s: '%s' is neither a number such as 1.5 nor a range FROM:TO:STEP", to->option, whole);
      return;
    }
  if (count == 1)
    add_value(to, numbers[0]);
  else if (count == 3)
    add_range(to, whole, numbers);
  else
    argp_error(to->state, "--%s: the range '%s' must be FROM:TO:STEP", to->option, whole);
}

static void read_list(list *to, const char *text)
{
  char *copy = strdup(text), *next = copy;
  if (!copy) {
    complain(IMPACT_COMMAND, "not enough memory");
    exit(EXIT_IO_FAILED);
  }
  for (char *item; (item = strsep(&next, ",")) != NULL;)
    add_item(to, item);
  free(copy);
}

static void take_psi(impact_options *options)
{
  const jager_law *law = &options->impact.bodies.parameters;
  for (size_t i = 0; i < options->count; i++) {
    options->shear[i] = options->psi[i] * law->kappa * law->friction;
    options->angle[i] = atan(options->shear[i]) * (180.0 / PI);
  }
}

static void take_angles(impact_options *options)
{
  const jager_law *law = &options->impact.bodies.parameters;
  for (size_t i = 0; i < options->count; i++) {
    options->shear[i] = tan(options->angle[i] * (PI / 180.0));
    options->psi[i] = options->shear[i] / (law->kappa * law->friction);
  }
}

/*
 * Spheres that graze each other part because they fly past: in the duration of Hertz's impact, about 3 δ/vn, the gap
 * opens by about (vt/vn)² δ²/(R_a + R_b), which must be small against δ.
 */
static void check_grazing(const impact_options *options, bool by_angle, struct argp_state *state)
{
  const impact *of = &options->impact;
  impact_hertz hertz = {0.0, 0.0};
  (void)impact_hertz_of(of, &hertz); /* set_speed has checked the bodies */
  for (size_t i = 0; i < options->count; i++)
    if (options->shear[i] * options->shear[i] * 2.0 * hertz.depth / (of->bodies.radius_a + of->bodies.radius_b) > 0.1)
      argp_error(state,
                 "--%s: at %g the spheres fly past each other before the contact ends: lower --speed from %g m/s",
                 by_angle ? "angle" : "psi", by_angle ? options->angle[i] : options->psi[i], of->approach);
}

/* ψ₁ or angles, and the tangential velocities that follow. */
static void take_list(given_options *given, struct argp_state *state)
{
  impact_options *options = given->options;
  if (given->psi && given->angle)
    argp_error(state, "--angle contradicts --psi: give one of them");
  list psi = {"psi", "", 1e6, options->psi, options, state};
  list angle = {"angle", " degrees", 90.0, options->angle, options, state};
  read_list(given->angle ? &angle : &psi, given->angle ? given->angle : given->psi ? given->psi : "0.25:7:0.25");
  (given->angle ? take_angles : take_psi)(options);
  check_grazing(options, given->angle != NULL, state);
}

/* ---- Bodies ------------------------------------------------------------------------------------------------------ */

static void set_law(given_options *given, struct argp_state *state)
{
  jager_law *law = &given->options->impact.bodies.parameters;
  jager_body a = {option_numbers_or(&given->numbers, SHEAR_MODULUS, 29e9),
                  option_numbers_or(&given->numbers, POISSON, 0.3)};
  jager_body b = {option_numbers_or(&given->numbers, SHEAR_MODULUS_B, a.shear_modulus),
                  option_numbers_or(&given->numbers, POISSON_B, a.poisson)};
  given->options->poisson[0] = a.poisson;
  given->options->poisson[1] = b.poisson;
  *law = jager_law_default();
  jager_status status = jager_law_set_dissimilar_bodies(law, a, b);
  option_numbers_require(
      status, status == JAGER_ERROR_POISSON ? "--poisson, --poisson-b" : "--shear-modulus, --shear-modulus-b", state);
  option_numbers_require(jager_law_set_friction(law, number_within(given, FRICTION, 0.5, 1e-6, 1e6, state)),
                         "--friction", state);
}

static double mass_of(double radius, double density)
{
  return 4.0 / 3.0 * PI * radius * radius * radius * density;
}

static void set_bodies(given_options *given, struct argp_state *state)
{
  impact *of = &given->options->impact;
  if (given->wall && (given->numbers.has[RADIUS_B] || given->numbers.has[DENSITY_B]))
    argp_error(state, "--%s contradicts --wall: a wall has neither radius nor density",
               given->numbers.has[RADIUS_B] ? "radius-b" : "density-b");
  double density = number_within(given, DENSITY, 2650.0, 1e-9, 1e9, state);
  of->bodies.radius_a = number_within(given, RADIUS, 1e-3, 1e-9, 1e9, state);
  of->bodies.radius_b = given->wall ? INFINITY : number_within(given, RADIUS_B, of->bodies.radius_a, 1e-9, 1e9, state);
  of->mass_a = mass_of(of->bodies.radius_a, density);
  of->mass_b =
      given->wall ? INFINITY : mass_of(of->bodies.radius_b, number_within(given, DENSITY_B, density, 1e-9, 1e9, state));
  of->damping = number_within(given, DAMPING, 0.0, 0.0, 1.0, state);
  of->steps = (int)number_within(given, STEPS, 2000.0, 10.0, 1e6, state);
  if (given->numbers.has[STEPS] && floor(given->numbers.value[STEPS]) != given->numbers.value[STEPS])
    argp_error(state, "--steps: %g is not a whole number", given->numbers.value[STEPS]);
}

/* Hertz's contact must be small against the bodies, and large enough to be seen in positions that are rounded. */
static void set_speed(given_options *given, struct argp_state *state)
{
  impact *of = &given->options->impact;
  of->approach = number_within(given, SPEED, 1e-4, 1e-30, 1e30, state);
  impact_hertz hertz;
  option_numbers_require(impact_hertz_of(of, &hertz), "--radius, --radius-b", state);
  double share = 2.0 * hertz.depth / fmin(of->bodies.radius_a, of->bodies.radius_b);
  if (!(share <= 0.1))
    argp_error(state,
               "--speed: at %g m/s the spheres would overlap by %.2g of a radius: Hertz's contact is small; lower "
               "the speed, or take stiffer bodies",
               of->approach, share);
  if (!(share >= 1e-9))
    argp_error(state,
               "--speed: at %g m/s the spheres would overlap by %.2g of a radius, which rounding would spoil: "
               "raise the speed",
               of->approach, share);
}

/* ---- The command line -------------------------------------------------------------------------------------------- */

static void complete(given_options *given, struct argp_state *state)
{
  impact_options *options = given->options;
  if (given->springs && !law_choice_has(&options->laws, LAW_SPRINGS))
    argp_error(state, "--springs needs --model springs");
  if (options->plot && !gnuplot_terminal(options->plot, GNUPLOT_WIDE))
    argp_error(state, "--plot: '%s' must end with .png, .svg or .pdf", options->plot);
  set_law(given, state);
  set_bodies(given, state);
  set_speed(given, state);
  take_list(given, state);
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  given_options *given = state->input;
  if (key >= KEY_NUMBER && key < KEY_NUMBER + NUMBER_OPTIONS) {
    option_numbers_take(&given->numbers, key - KEY_NUMBER, argument, state);
    return 0;
  }
  switch (key) {
  case KEY_MODEL:
    given->options->laws = law_choice_parse(argument, state);
    return 0;
  case KEY_SPRINGS:
    given->options->impact.bodies.grid.count = law_choice_parse_springs(argument, state);
    given->springs = true;
    return 0;
  case KEY_WALL:
    given->wall = true;
    return 0;
  case KEY_PSI:
    given->psi = argument;
    return 0;
  case KEY_ANGLE:
    given->angle = argument;
    return 0;
  case KEY_PLOT:
    given->options->plot = argument;
    return 0;
  case ARGP_KEY_ARG:
    argp_error(state, "'%s' is no option: this command reads no file", argument);
    return 0;
  case ARGP_KEY_SUCCESS:
    complete(given, state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

void impact_options_parse(impact_options *options, int argc, char *argv[])
{
  static const struct argp parser = {
      .options = option_list, .parser = parse_option, .doc = summary, .help_filter = complete_help};
  given_options given = {.numbers = {.list = option_list, .first_key = KEY_NUMBER}, .options = options};
  options->laws = law_choice_default();
  options->impact.bodies.grid = (springs_grid){SPRINGS_COUNT_DEFAULT, 0.0};
  int code = command_parse(IMPACT_COMMAND, &parser, argc, argv, &given);
  if (code != EXIT_DONE)
    exit(code);
}
