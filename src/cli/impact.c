/* SPDX-License-Identifier: MIT */
/*
 * The command `jager impact`: two bodies collide at a list of angles, under one law after the other; a row for each
 * impact. Every impact is computed twice, with the steps asked for and with half as many: the difference is the
 * estimate of the error.
 */
#include "base/progress.h"
#include "base/text.h"
#include "command.h"
#include "law_options.h"
#include "laws/impact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IMPACT_COMMAND "jager impact"
#define PI 3.14159265358979323846

/* ---- Options ----------------------------------------------------------------------------------------------------- */

/* The options that take a number, beside those of law_options.h. */
enum { DENSITY = LAW_NUMBERS, RADIUS, DENSITY_B, RADIUS_B, SPEED, DAMPING, STEPS, NUMBERS };
_Static_assert((int)NUMBERS <= (int)LAW_NUMBERS_MAX, "room for all");

enum { OPTION_PSI = OPTION_NEXT, OPTION_ANGLE };

static const struct argp_option option_list[] = {
    {.doc = "The impact:"},
    {"psi", OPTION_PSI, "LIST", 0,
     "Tangential over normal velocity before the impact in units of friction times kappa: numbers such as 0.5,1.5 or "
     "FROM:TO:STEP (default 0.25:7:0.25)",
     0},
    {"angle", OPTION_ANGLE, "LIST", 0, "The same as angles from the normal, degrees, from 0 to less than 90", 0},
    {"speed", OPTION_NUMBER + SPEED, "V", 0, "Normal speed of approach, m/s (default 1e-4)", 0},
    {"wall", OPTION_WALL, NULL, 0, "The second body is a flat wall that cannot move", 0},
    {.doc = "The two bodies:"},
    {"shear-modulus", OPTION_NUMBER + SHEAR_MODULUS, "G", 0, "Shear modulus of the first body, Pa (default 29e9)", 0},
    {"poisson", OPTION_NUMBER + POISSON, "NU", 0, "Poisson's ratio of the first body (default 0.3)", 0},
    {"density", OPTION_NUMBER + DENSITY, "RHO", 0, "Density of the first body, kg/m3 (default 2650)", 0},
    {"radius", OPTION_NUMBER + RADIUS, "R", 0, "Radius of the first sphere, m (default 1e-3)", 0},
    {"shear-modulus-b", OPTION_NUMBER + SHEAR_MODULUS_B, "G", 0,
     "Shear modulus of the second body (default: as the first); inf: rigid", 0},
    {"poisson-b", OPTION_NUMBER + POISSON_B, "NU", 0, "Poisson's ratio of the second body (default: as the first)", 0},
    {"density-b", OPTION_NUMBER + DENSITY_B, "RHO", 0, "Density of the second sphere (default: as the first)", 0},
    {"radius-b", OPTION_NUMBER + RADIUS_B, "R", 0, "Radius of the second sphere (default: as the first)", 0},
    {"friction", OPTION_NUMBER + FRICTION, "F", 0, "Friction coefficient, above 0 (default 0.5)", 0},
    {"damping", OPTION_NUMBER + DAMPING, "BETA", 0, "Dashpots, as a share of critical damping from 0 (default) to 1",
     0},
    {.doc = "The contact model:"},
    {"model", OPTION_MODEL, "NAMES", 0,
     "jager (default: Cattaneo-Mindlin partial slip, exact along a line), or several laws to compare, separated by "
     "commas; others are",
     0},
    {"springs", OPTION_SPRINGS, "N", 0, "Number of springs of the model springs (default 1000)", 0},
    {"steps", OPTION_NUMBER + STEPS, "N", 0,
     "Time steps in the duration of Hertz's impact, from 10 to 1e6 (default 2000)", 0},
    {.doc = "Output:"},
    {"plot", OPTION_PLOT, "FILE", 0,
     "Draw psi2 and the energy lost over psi1; FILE ends with .png, .svg or .pdf (needs matplotlib)", 0},
    {0},
};

static const char summary[] =
    "Let two spheres, or a sphere and a wall, collide at a list of angles and print how they rebound.\v"
    "psi = v_t/(kappa f v_n) at the point of contact, as in Maw, Barber and Fawcett (1976); for one material psi = "
    "2(1-nu)/(f(2-nu)) v_t/v_n. Impacts with psi1 < 1 begin without slip; the whole impact slides from psi1 = 14 "
    "(1-nu)/(2-nu) - 1 on. The result is CSV on standard output: model, angle, psi1, psi2, e_normal, e_tangential, "
    "spin (rad/s), energy_lost (share of the kinetic energy), and more. See jager(1).";

enum { LIST_MAX = 10000 };

typedef struct impact_options {
  law_options of_laws;
  const char *psi_list, *angle_list; /* as they were given; NULL: not */
  impact impact;                     /* without law and shear */
  size_t count;
  double psi[LIST_MAX];   /* ψ₁ of each impact */
  double angle[LIST_MAX]; /* from the normal, degrees */
  double shear[LIST_MAX]; /* vt over vn */
} impact_options;

/* The number, which must lie between `least` and `most`. */
static double number_within(const law_options *of, int index, double otherwise, double least, double most,
                            struct argp_state *state)
{
  double value = law_options_number(of, index, otherwise);
  if (!(value >= least && value <= most))
    argp_error(state, "--%s: %g must lie between %g and %g", law_options_name(of, index), value, least, most);
  return value;
}

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

/* A list that is being read. */
typedef struct list {
  const char *option, *unit; /* the unit with a space before it, for messages */
  double below;              /* all values are smaller */
  double *values;
  size_t *count;
  struct argp_state *state;
} list;

static void add_value(list *to, double value)
{
  if (!(value >= 0.0 && value < to->below))
    argp_error(to->state, "--%s: %g must not be negative, and less than %g%s", to->option, value, to->below, to->unit);
  if (*to->count == LIST_MAX)
    argp_error(to->state, "--%s: more than %d values", to->option, LIST_MAX);
  else
    to->values[(*to->count)++] = value;
}

/* The number of 14 digits that is nearest: of 0.1 + 23 · 0.1 this is 2.4 */
static double without_rounding(double value)
{
  char text[32];
  snprintf(text, sizeof text, "%.14g", value);
  return number_parse(text, &value) ? value : NAN;
}

/* A number, or FROM:TO:STEP, with TO if a whole number of steps leads there but for rounding */
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
  if (count == 1) {
    add_value(to, numbers[0]);
    return;
  }
  if (count != 3) {
    argp_error(to->state, "--%s: the range '%s' must be FROM:TO:STEP", to->option, whole);
    return;
  }
  double steps = floor((numbers[1] - numbers[0]) / numbers[2] + 1e-6);
  if (!(numbers[2] > 0.0) || !(steps >= 0.0))
    argp_error(to->state, "--%s: '%s' must be FROM:TO:STEP with FROM <= TO and STEP > 0", to->option, whole);
  else if (!(steps < LIST_MAX))
    argp_error(to->state, "--%s: '%s' has more than %d values", to->option, whole, LIST_MAX);
  else
    for (int i = 0; i <= (int)steps; i++)
      add_value(to, without_rounding(numbers[0] + i * numbers[2]));
}

/* ψ₁ or angles, and the tangential velocities that follow. */
static void read_lists(impact_options *options, struct argp_state *state)
{
  const impact *of = &options->impact;
  const jager_law *law = &of->bodies.parameters;
  bool by_angle = options->angle_list;
  if (options->psi_list && by_angle)
    argp_error(state, "--angle contradicts --psi: give one of them");
  list psi = {"psi", "", 1e6, options->psi, &options->count, state};
  list angle = {"angle", " degrees", 90.0, options->angle, &options->count, state};
  const char *text = by_angle ? options->angle_list : options->psi_list ? options->psi_list : "0.25:7:0.25";
  char *copy = strdup(text), *next = copy;
  if (!copy) {
    complain(IMPACT_COMMAND, "not enough memory");
    exit(EXIT_IO_FAILED);
  }
  for (char *item; (item = strsep(&next, ",")) != NULL;)
    add_item(by_angle ? &angle : &psi, item);
  free(copy);
  for (size_t i = 0; i < options->count; i++)
    if (by_angle) {
      options->shear[i] = tan(options->angle[i] * (PI / 180.0));
      options->psi[i] = options->shear[i] / (law->kappa * law->friction);
    } else {
      options->shear[i] = options->psi[i] * law->kappa * law->friction;
      options->angle[i] = atan(options->shear[i]) * (180.0 / PI);
    }
  /*
   * Spheres that graze each other part because they fly past: in the duration of Hertz's impact, about 3 δ/vn, the gap
   * opens by about (vt/vn)² δ²/(R_a + R_b), which must be small against δ.
   */
  impact_hertz hertz = {0.0, 0.0};
  (void)impact_hertz_of(of, &hertz); /* complete() has checked the bodies */
  for (size_t i = 0; i < options->count; i++)
    if (options->shear[i] * options->shear[i] * 2.0 * hertz.depth / (of->bodies.radius_a + of->bodies.radius_b) > 0.1)
      argp_error(state,
                 "--%s: at %g the spheres fly past each other before the contact ends: lower --speed from %g m/s",
                 by_angle ? "angle" : "psi", by_angle ? options->angle[i] : options->psi[i], of->approach);
}

/* ---- The command line -------------------------------------------------------------------------------------------- */

static double mass_of(double radius, double density)
{
  return 4.0 / 3.0 * PI * radius * radius * radius * density;
}

/* Bodies and speeds, when all options are known. */
static void complete(impact_options *options, struct argp_state *state)
{
  law_options *of_laws = &options->of_laws;
  impact *of = &options->impact;
  if (of_laws->has_springs && !law_options_have(of_laws, LAW_SPRINGS))
    argp_error(state, "--springs needs --model springs");
  plot_option_check(of_laws->plot, state);
  law_options_set_bodies(of_laws, (jager_body){29e9, 0.3}, state);
  law_options_require(
      jager_law_set_friction(&of_laws->bodies.parameters, number_within(of_laws, FRICTION, 0.5, 1e-6, 1e6, state)),
      "--friction", state);
  of->bodies = of_laws->bodies;

  bool has_wall = of_laws->has_wall;
  if (has_wall && (of_laws->has[RADIUS_B] || of_laws->has[DENSITY_B]))
    argp_error(state, "--%s contradicts --wall: a wall has neither radius nor density",
               of_laws->has[RADIUS_B] ? "radius-b" : "density-b");
  double density = number_within(of_laws, DENSITY, 2650.0, 1e-9, 1e9, state);
  double radius = number_within(of_laws, RADIUS, 1e-3, 1e-9, 1e9, state);
  of->bodies.radius_a = radius;
  of->bodies.radius_b = has_wall ? INFINITY : number_within(of_laws, RADIUS_B, radius, 1e-9, 1e9, state);
  of->mass_a = mass_of(radius, density);
  of->mass_b =
      has_wall ? INFINITY : mass_of(of->bodies.radius_b, number_within(of_laws, DENSITY_B, density, 1e-9, 1e9, state));
  of->damping = number_within(of_laws, DAMPING, 0.0, 0.0, 1.0, state);
  of->steps = (int)number_within(of_laws, STEPS, 2000.0, 10.0, 1e6, state);
  if (of_laws->has[STEPS] && floor(of_laws->value[STEPS]) != of_laws->value[STEPS])
    argp_error(state, "--steps: %g is not a whole number", of_laws->value[STEPS]);

  /* Hertz's contact must be small against the bodies, and large enough to be seen in positions that are rounded. */
  impact_hertz hertz;
  of->approach = number_within(of_laws, SPEED, 1e-4, 1e-30, 1e30, state);
  law_options_require(impact_hertz_of(of, &hertz), "--radius, --radius-b", state);
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
  read_lists(options, state);
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  impact_options *options = state->input;
  switch (key) {
  case OPTION_PSI:
    options->psi_list = argument;
    return 0;
  case OPTION_ANGLE:
    options->angle_list = argument;
    return 0;
  case ARGP_KEY_ARG:
    argp_error(state, "'%s' is no option: this command reads no file", argument);
    return 0;
  case ARGP_KEY_SUCCESS:
    complete(options, state);
    return 0;
  default:
    return law_options_parse(&options->of_laws, key, argument, state);
  }
}

/* ---- Impacts ----------------------------------------------------------------------------------------------------- */

/* A point of the picture. */
typedef struct impact_point {
  double psi1, psi2;
  double lost; /* share of the kinetic energy */
} impact_point;

typedef struct impact_table {
  const impact_options *options;
  impact_point *points; /* of all laws, one after the other */
  size_t done;          /* impacts */
  long steps;           /* of them */
  progress meter;
} impact_table;

static int compute(impact_table *table, const impact *of, impact_result *result)
{
  jager_status status = impact_compute(of, result);
  if (status == JAGER_OK && result->separates)
    return EXIT_DONE;
  progress_clear(&table->meter);
  if (status != JAGER_OK)
    complain(IMPACT_COMMAND, "model %s, v_t/v_n = %g: %s", law_name(of->bodies.law), of->shear / of->approach,
             jager_status_text(status));
  else
    complain(IMPACT_COMMAND,
             "model %s, v_t/v_n = %g: the bodies have not come apart after %d times the duration of Hertz's impact: "
             "lower --damping",
             law_name(of->bodies.law), of->shear / of->approach, IMPACT_LONGEST);
  return status == JAGER_ERROR_MEMORY ? EXIT_IO_FAILED : EXIT_RUN_FAILED;
}

static const char header[] = "model,angle,psi1,psi2,e_normal,e_tangential,spin,energy_lost,rebound_angle,spin_b,"
                             "lost_in_dashpots,energy_error,psi2_error,force_error,steps";

/* Impact number i of a law: computes it and writes its row. */
static int do_impact(impact_table *table, const impact *of, size_t i)
{
  const impact_options *options = table->options;
  impact_result result, coarse;
  impact half = *of;
  half.steps = of->steps / 2;
  int code = compute(table, of, &result);
  if (code == EXIT_DONE)
    code = compute(table, &half, &coarse);
  if (code != EXIT_DONE)
    return code;
  double unit = of->bodies.parameters.kappa * of->bodies.parameters.friction * of->approach;
  double before = result.energy[0], lost = before - result.energy[1], psi2 = result.shear / unit;
  const double row[] = {
      /* in the order of the header */
      options->angle[i],
      options->psi[i],
      psi2,
      result.rebound / of->approach,
      of->shear > 0.0 ? result.shear / of->shear : NAN,
      result.spin[0],
      lost / before,
      atan2(result.shear, result.rebound) * (180.0 / PI),
      result.spin[1],
      result.viscous / before,
      (lost - result.dissipated - result.viscous) / before,
      fabs(result.shear - coarse.shear) / unit,
      result.force_error,
      result.steps,
  };
  table->points[table->done++] = (impact_point){options->psi[i], psi2, lost / before};
  table->steps += result.steps + coarse.steps;
  double all = (double)(options->count * (size_t)options->of_laws.law_count);
  progress_check_clock(&table->meter, &(progress_state){.stage_name = "impacts",
                                                        .fraction = (double)table->done / all,
                                                        .step = table->steps,
                                                        .contacts = 1});
  fputs(law_name(of->bodies.law), stdout);
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    char text[NUMBER_PRINT_SIZE];
    if (isfinite(row[k]))
      number_print_shortest(row[k], text);
    else
      number_print(row[k], text);
    printf(",%s", text);
  }
  return putchar('\n') != EOF ? EXIT_DONE : command_fail_output(IMPACT_COMMAND);
}

/* The impact_table as JSON, for python/jager/_pictures/impact.py. */
static void write_numbers(const void *of, FILE *out)
{
  const impact_table *table = of;
  const impact_options *options = table->options;
  const law_options *of_laws = &options->of_laws;
  const law_bodies *bodies = &options->impact.bodies;
  char title[256], other[64] = "";
  if (of_laws->poisson[1] != of_laws->poisson[0])
    snprintf(other, sizeof other, " and %g", of_laws->poisson[1]);
  snprintf(title, sizeof title, "Impact of %s: f = %g, ν = %g%s, κ = %.4g, %d steps",
           isinf(bodies->radius_b) ? "a sphere and a wall" : "two spheres", bodies->parameters.friction,
           of_laws->poisson[0], other, bodies->parameters.kappa, options->impact.steps);
  fputs("{\"title\": ", out);
  json_print_string(title, out);
  fputs(", \"chi\": ", out);
  json_print_number(impact_chi(&options->impact), out);
  for (int k = 0; k < of_laws->law_count; k++) {
    fprintf(out, k > 0 ? "]}, {\"law\": \"%s\", \"points\": [" : ", \"laws\": [{\"law\": \"%s\", \"points\": [",
            law_name(of_laws->laws[k]));
    for (size_t i = 0; i < options->count; i++) {
      const impact_point *point = &table->points[(size_t)k * options->count + i];
      fprintf(out, "%s[%.17g, %.17g, %.17g]", i > 0 ? ",\n" : "", point->psi1, point->psi2, point->lost);
    }
  }
  fputs("]}]}\n", out);
}

static int run(const impact_options *options)
{
  const law_options *of_laws = &options->of_laws;
  impact_table table = {.options = options};
  whole_file plot = {.stream = NULL};
  table.points = calloc((size_t)of_laws->law_count * options->count, sizeof *table.points);
  if (!table.points) {
    complain(IMPACT_COMMAND, "%s", jager_status_text(JAGER_ERROR_MEMORY));
    return EXIT_IO_FAILED;
  }
  progress_start(&table.meter, stderr, isatty(STDOUT_FILENO)); /* rows on a terminal show how far it is */
  bool can_write =
      plot_can_be_drawn(IMPACT_COMMAND, of_laws->plot) && command_open(IMPACT_COMMAND, &plot, of_laws->plot);
  int code = can_write ? EXIT_DONE : EXIT_IO_FAILED;
  if (code == EXIT_DONE)
    printf("%s\n", header);
  impact of = options->impact;
  for (int k = 0; k < of_laws->law_count; k++)
    for (size_t i = 0; i < options->count && code == EXIT_DONE; i++) {
      of.bodies.law = of_laws->laws[k];
      of.shear = options->shear[i] * of.approach;
      code = do_impact(&table, &of, i);
    }
  if (code == EXIT_DONE && fflush(stdout) != 0)
    code = command_fail_output(IMPACT_COMMAND);
  if (code == EXIT_DONE && of_laws->plot)
    code = plot_draw(IMPACT_COMMAND, "impact", write_numbers, &table, &plot, of_laws->plot);
  progress_end(&table.meter);
  whole_file_discard(&plot);
  free(table.points);
  return code;
}

int impact_command(int argc, char *argv[])
{
  static const struct argp parser = {
      .options = option_list, .parser = parse_option, .doc = summary, .help_filter = law_options_help};
  impact_options *options = calloc(1, sizeof *options);
  if (!options) {
    complain(IMPACT_COMMAND, "not enough memory");
    return EXIT_IO_FAILED;
  }
  options->of_laws = law_options_none(option_list);
  int code = command_parse(IMPACT_COMMAND, &parser, argc, argv, options);
  if (code == EXIT_DONE)
    code = run(options);
  free(options);
  return code;
}
