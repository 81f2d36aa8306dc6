/* SPDX-License-Identifier: MIT */
/*
 * Random but ordinary cases, from a seed: each is written as YAML, read, run to its end, and looked at.
 *
 *     random_cases [--cases N] [--seed S] [--jobs J] [--seconds T] [--only K] [--print]
 *
 * Cases combine grains (G, ν, friction, density scaling), a third of them clumps of several spheres, all laws and
 * contours, gradings, dampings, packings from 10 kPa to 10 MPa, some of them to a relative density, and one of ten
 * kinds of stages. Case K of seed S depends on S and K alone: `--only K` replays it, `--print` shows its text and runs
 * nothing. A case passes if
 *
 *     it comes to its end,                           every measure is finite,
 *     the energies balance (ENERGY_ERROR_MAX …),     the packing is isotropic (ANISOTROPY_MAX),
 *     the packing has its target (VOID_RATIO_ERROR_MAX),
 *     and the momentum is zero (MOMENTUM_MAX of what it would be if all spheres moved at the speed that they have).
 *
 * It also passes if its overlaps come to overlap_limit, and the reader has warned of that. Each case runs in a process
 * of its own, so that a crash or a run without end is counted like any other failure. The last line is "N passed, M
 * failed"; the exit code is 1 if M > 0.
 */
#define _GNU_SOURCE

#include "dem/simulation_state.h"
#include "case/reader.h"
#include "base/error.h"
#include "random_numbers.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENERGY_ERROR_MAX 1e-2
#define ENERGY_ERROR_MAX_ROUGH 1e-1 /* dashpots are known to first order in the step; incremental laws create energy */
#define ANISOTROPY_MAX 0.01
#define MOMENTUM_MAX 1e-9
#define VOID_RATIO_ERROR_MAX 0.002

enum { TEXT_MAX = 4000, REASON_MAX = 700, JOBS_MAX = 16 };

/* ---- A case's text ----------------------------------------------------------------------------------------------- */

typedef struct text {
  char bytes[TEXT_MAX];
  size_t length;
} text;

__attribute__((format(printf, 2, 3))) static void add(text *t, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  int written = vsnprintf(t->bytes + t->length, TEXT_MAX - t->length, format, arguments);
  va_end(arguments);
  t->length += written > 0 ? (size_t)written : 0;
  if (t->length >= TEXT_MAX)
    abort(); /* TEXT_MAX is too small: a mistake of this file */
}

#define PICK(random, ...)                                                                                              \
  ((const double[]){__VA_ARGS__}[random_below(random, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))])

static bool chance(uint64_t *random, double share)
{
  return random_in(random, 0.0, 1.0) < share;
}

/* Uniform in the logarithm. */
static double random_scale(uint64_t *random, double low, double high)
{
  return low * pow(high / low, random_in(random, 0.0, 1.0));
}

static void add_contact(text *t, uint64_t *random)
{
  static const char *const models[] = {"jager",       "jager", "jager", "linear", "hertz-mindlin", "modified-mindlin",
                                       "zhang-vuquoc"};
  unsigned model = random_below(random, sizeof models / sizeof models[0]);
  add(t, "contact:\n  model: %s\n", models[model]);
  unsigned shape = random_below(random, 5);
  if (shape == 0)
    add(t, "  contour: {kind: cone, slope: %g}\n", PICK(random, 0.02, 0.05, 0.1, 0.2));
  else if (shape == 1) /* as high as a sphere of 0.5 mm at a twentieth of the radius */
    add(t, "  contour: {kind: power, slope: %g, exponent: 1.5}\n",
        2.5e-5 / pow(2.5e-5, 1.5) * PICK(random, 0.02, 0.05));
  if (model < 3 && chance(random, 0.4))
    add(t, chance(random, 0.7) ? "  tolerance: 1e-3\n" : "  dp_max: 0.1\n");
}

static void add_damping(text *t, uint64_t *random)
{
  add(t, "{local: %.3g, viscous: %.3g", PICK(random, 0.0, 0.05, 0.2, 0.7),
      PICK(random, 0.0, 0.0, 0.025, 0.1, 0.5, 1.0));
  if (chance(random, 0.15))
    add(t, ", global: %.3g 1/s", random_scale(random, 10.0, 1e4));
  add(t, "}");
}

static void add_sizes(text *t, uint64_t *random)
{
  switch (random_below(random, 4)) {
  case 0:
    add(t, "{lognormal: {median: 1 mm, deviation: %.3g, min: 0.4 mm, max: 2 mm}}", random_in(random, 0.05, 0.4));
    return;
  case 1:
    add(t, "{table: {diameter: [0.6 mm, 0.9 mm, 1.2 mm], passing: [0, %.3g, 1]}}", random_in(random, 0.2, 0.8));
    return;
  default:
    add(t, "{uniform: {min: %.3g mm, max: 1.2 mm}}", PICK(random, 1.2, 1.0, 0.8, 0.6));
  }
}

/* Grains of several spheres: names, and random chains of spheres that overlap */
static void add_shapes(text *t, uint64_t *random)
{
  static const char *const names[] = {"nevada", "toyoura", "pair", "tetrahedron", "octahedron"};
  add(t, "    shapes: [%s, {spheres: [", names[random_below(random, sizeof names / sizeof *names)]);
  double x = 0.0, radius = 1.0;
  for (unsigned k = 0, count = 1 + random_below(random, 3); k < count; k++) {
    add(t, "%s[%.3g, %.3g, 0, %.3g]", k > 0 ? ", " : "", x, k > 0 ? random_in(random, -0.2, 0.2) : 0.0, radius);
    double next = random_in(random, 0.5, 1.0);
    x += random_in(random, 0.5, 0.9) * (radius + next);
    radius = next;
  }
  add(t, "], share: %.2g}]\n", random_in(random, 0.1, 1.0));
}

static double add_assembly(text *t, uint64_t *random, uint64_t *of_shapes, double friction)
{
  bool has_shapes = chance(of_shapes, 0.3);
  double pressure = random_scale(random, 10.0, 10000.0);
  if (has_shapes) /* small spheres of a grain overlap more than `check` foresees */
    pressure = fmin(pressure, 1000.0);
  double spheres = floor(random_scale(random, 300.0, 800.0));
  add(t, "assembly:\n  packing:\n    spheres: %.0f\n", has_shapes ? floor(0.75 * spheres) : spheres);
  if (has_shapes)
    add_shapes(t, of_shapes);
  add(t, "    sizes: ");
  add_sizes(t, random);
  double while_packing = PICK(random, 0.0, 0.02, 0.1, friction);
  if (has_shapes) /* without friction they may not come to rest: docs/theory.md, Limits */
    while_packing = fmax(while_packing, 0.02);
  add(t, "\n    pressure: %.4g kPa\n", pressure);
  if (friction > 0.0 && pressure > 500.0 && chance(random, 0.2)) /* at low pressure the search takes many steps */
    add(t, "    relative_density: %.2g\n", random_in(random, 0.0, 1.0));
  else
    add(t, "    friction: %.3g\n", while_packing);
  if (chance(random, 0.2)) {
    double density = random_in(random, 0.3, 0.55);
    if (!has_shapes)
      add(t, "    initial_density: %.2g\n", density);
  }
  if (chance(random, 0.2))
    add(t, "    aspect: [1, %.2g, %.2g]\n", random_in(random, 0.7, 1.5), random_in(random, 0.7, 1.5));
  return pressure;
}

/* One of ten tests from the pressure p, kPa, at this strain rate, 1/s. */
static void add_stage(text *t, uint64_t *random, double p, double rate)
{
  const char *still = "yy: {strain_rate: 0}";
  add(t, "  - name: test\n");
  switch (random_below(random, 10)) {
  case 0: /* drained triaxial compression or extension */
    add(t, "    control: {xx: {stress: %.4g kPa}, yy: {stress: %.4g kPa}, zz: {strain_rate: %.3g 1/s}}\n", p, p,
        chance(random, 0.7) ? rate : -rate);
    break;
  case 1: /* biaxial */
    add(t, "    control: {xx: {stress: %.4g kPa}, %s, zz: {strain_rate: %.3g 1/s}}\n", p, still, rate);
    break;
  case 2: /* at constant volume, as undrained */
    add(t, "    control: {xx: {volume: constant}, yy: {volume: constant}, zz: {strain_rate: %.3g 1/s}}\n", rate);
    break;
  case 3: /* simple shear */
    add(t, "    control: {xx: {strain_rate: 0}, %s, zz: {stress: %.4g kPa}, xz: {strain_rate: %.3g 1/s}}\n", still, p,
        rate);
    break;
  case 4: /* simple shear at constant volume, cyclic */
    add(t, "    control: {xx: {strain_rate: 0}, %s, zz: {strain_rate: 0}, xy: {strain_rate: %.3g 1/s}}\n", still, rate);
    add(t, "    cyclic: {of: strain_xy, amplitude: %g}\n", random_scale(random, 1e-5, 1e-3));
    break;
  case 5: /* cyclic undrained triaxial */
    add(t, "    control: {xx: {volume: constant}, yy: {volume: constant}, zz: {strain_rate: %.3g 1/s}}\n", rate);
    add(t, "    cyclic: {of: q, amplitude: %.4g kPa, center: 0}\n", p * random_in(random, 0.02, 0.3));
    break;
  case 6: /* isotropic, to a pressure that may be far away */
    add(t, "    mean_stress: {stress: %.4g kPa}\n", fmin(1e4, fmax(10.0, p * PICK(random, 0.01, 0.1, 0.5, 2.0, 10.0))));
    break;
  case 7: /* all six stresses */
    add(t,
        "    control: {xx: {stress: %.4g kPa}, yy: {stress: %.4g kPa}, zz: {stress: %.4g kPa}, xy: {stress: 0}, xz: "
        "{stress: %.4g kPa}, yz: {stress: 0}}\n",
        p, p, p * PICK(random, 0.6, 1.0, 1.5), p * PICK(random, 0.0, 0.1));
    break;
  case 8: /* constant mean stress */
    add(t,
        "    mean_stress: {stress: %.4g kPa}\n    control: {xx: {strain_rate: %.3g 1/s}, yy: {strain_rate: %.3g 1/s}, "
        "zz: "
        "{strain_rate: %.3g 1/s}}\n",
        p, -0.5 * rate, -0.5 * rate, rate);
    break;
  default: /* one-dimensional compression */
    add(t, "    control: {xx: {strain_rate: 0}, %s, zz: {strain_rate: %.3g 1/s}}\n", still,
        random_in(random, -0.1, 0.5));
  }
  add(t, "    until: {steps: 1500}\n");
}

static void write_case(text *t, uint64_t seed, long number)
{
  uint64_t random = seed * 1000003u + (uint64_t)number, of_shapes = ~random;
  t->length = 0;
  double friction = PICK(&random, 0.0, 0.1, 0.3, 0.5, 0.5, 1.0);
  add(t, "jager: 1\nseed: %u\n", random_below(&random, 1000000));
  add(t, "material: {shear_modulus: %g GPa, poisson: %g, friction: %g, density: 2650 kg/m3}\n",
      PICK(&random, 5.0, 29.0, 70.0), PICK(&random, 0.0, 0.15, 0.3, 0.45), friction);
  add_contact(t, &random);
  add(t, "damping: ");
  add_damping(t, &random);
  add(t, "\n");
  double scaling = PICK(&random, 1.0, 1.0, 1.0, 10.0, 1000.0);
  bool each = scaling <= 1.0 && chance(&random, 0.3);
  if (each)
    add(t, "density_scaling: each\n");
  else
    add(t, "density_scaling: %g\n", scaling);
  double pressure = add_assembly(t, &random, &of_shapes, friction);
  add(t, "output: {plots: false}\nstages:\n");
  if (chance(&random, 0.3))
    add(t,
        "  - {name: rest, control: {xx: {stress: %.4g kPa}, yy: {stress: %.4g kPa}, zz: {stress: %.4g kPa}}, until: "
        "{unbalanced: 5e-3, steps: 1000}}\n",
        pressure, pressure, pressure);
  double inertial_number = random_scale(&random, 1e-5, 1e-3), scaled_density = 2650.0 * scaling;
  add_stage(t, &random, pressure, inertial_number * sqrt(1e3 * pressure / scaled_density) / 1e-3);
}

/* ---- Running it -------------------------------------------------------------------------------------------------- */

/* How a case ended; the numbers are the exit codes of its process. */
typedef enum ending { PASSED, TOLD, REFUSED, NOT_PLACED, FAILED, WRONG, CRASHED, TOO_LONG, ENDINGS } ending;

static const char *const ending_names[ENDINGS] = {"passed",
                                                  "too soft for the stress, as 'check' had warned",
                                                  "refused by the reader",
                                                  "not set up",
                                                  "failed while it ran",
                                                  "wrong results",
                                                  "crashed",
                                                  "took too long"};

static bool all_finite(const dem_measures *m, char *reason)
{
  for (int k = 0; k < DEM_MEASURE_COUNT; k++)
    if (!isfinite(dem_measure_value(m, k))) {
      snprintf(reason, REASON_MAX, "%s is %g", dem_measure_name(k), dem_measure_value(m, k));
      return false;
    }
  return true;
}

/* The largest of the stresses' deviations from p, over p. */
static double anisotropy(const dem_measures *m)
{
  double normal = fmax(fabs(m->stress_xx - m->p), fmax(fabs(m->stress_yy - m->p), fabs(m->stress_zz - m->p)));
  double shear = fmax(fabs(m->stress_xy), fmax(fabs(m->stress_xz), fabs(m->stress_yz)));
  return fmax(normal, shear) / m->p;
}

/* |Σ m v| over Σ m |v|. */
static double momentum(const dem_simulation *s)
{
  vec3 sum = {0.0, 0.0, 0.0};
  double sizes = 0.0;
  for (size_t i = 0; i < s->grain_count; i++) {
    double mass = s->grains ? s->grains[i].mass : s->bodies[i].mass;
    vec3 v = s->grains ? s->grains[i].v : s->motions[i].v;
    sum = vec3_add_scaled(sum, mass, v);
    sizes += mass * vec3_length(v);
  }
  return sizes > 0.0 ? vec3_length(sum) / sizes : 0.0;
}

static ending judge_end(const dem_simulation *s, double packed_anisotropy, char *reason)
{
  dem_measures m;
  dem_simulation_measure(s, &m);
  if (!all_finite(&m, reason))
    return WRONG;
  if (packed_anisotropy > ANISOTROPY_MAX) {
    snprintf(reason, REASON_MAX, "the packing is not isotropic: %.3g of p", packed_anisotropy);
    return WRONG;
  }
  dem_packing_report packing = dem_simulation_packing(s);
  if (packing.trials > 0 && !(fabs(packing.void_ratio - packing.target) <= VOID_RATIO_ERROR_MAX)) {
    snprintf(reason, REASON_MAX, "the packing has the void ratio %.4f instead of %.4f", packing.void_ratio,
             packing.target);
    return WRONG;
  }
  jager_model model = s->run->contact.model;
  bool is_rough = s->run->damping.viscous > 0.0 || (model != JAGER_MODEL_JAGER && model != JAGER_MODEL_LINEAR);
  double energy_error_max = is_rough ? ENERGY_ERROR_MAX_ROUGH : ENERGY_ERROR_MAX;
  if (fabs(m.energy_error) > energy_error_max) {
    snprintf(reason, REASON_MAX, "the balance of energies lacks %.3g", m.energy_error);
    return WRONG;
  }
  bool keeps_momentum = s->run->damping.local == 0.0; /* local damping acts against each sphere by itself */
  if (keeps_momentum && s->run->assembly.packing.damping.local == 0.0 && momentum(s) > MOMENTUM_MAX) {
    snprintf(reason, REASON_MAX, "the momentum is %.3g of the sum of its parts", momentum(s));
    return WRONG;
  }
  snprintf(reason, REASON_MAX, "%.0f steps, p %.4g kPa, q/p %.3g, unbalanced %.2g, servo %.2g, energy %.1g", m.step,
           1e-3 * m.p, m.q / m.p, m.unbalanced, m.servo_error, m.energy_error);
  return PASSED;
}

static ending run_text(const text *t, char *reason)
{
  run_case description;
  error_info error;
  char *messages;
  case_source source = {.path = "random.yaml"};
  int code = case_read_text(&description, &source, t->bytes, t->length, NULL, &messages);
  snprintf(reason, REASON_MAX, "%s", messages ? messages : "");
  free(messages);
  if (code != EXIT_DONE)
    return REFUSED;
  bool is_told = strstr(reason, "('overlap_limit')") != NULL;
  dem_simulation *s = dem_simulation_create(&description.simulation, 1, &error);
  if (!s) {
    snprintf(reason, REASON_MAX, "%s", error.text);
    return NOT_PLACED;
  }
  double packed = 0.0;
  dem_progress progress;
  while ((progress = dem_simulation_step(s, &error)) == DEM_GOES_ON)
    if (dem_simulation_stage(s) == 0 && dem_simulation_events(s).stage_ended) {
      dem_measures m;
      dem_simulation_measure(s, &m);
      packed = anisotropy(&m);
    }
  ending end = FAILED;
  if (progress == DEM_DONE)
    end = judge_end(s, packed, reason);
  else
    snprintf(reason, REASON_MAX, "stage %d: %s", dem_simulation_stage(s), error.text);
  if (end == FAILED && is_told && strstr(error.text, "overlap_limit"))
    end = TOLD;
  dem_simulation_destroy(s);
  run_case_free(&description);
  return end;
}

/* ---- Many, each in a process of its own -------------------------------------------------------------------------- */

typedef struct options {
  long cases, only;
  uint64_t seed;
  int jobs, seconds;
  bool print;
} options;

typedef struct child {
  pid_t process;
  long number;
  int pipe;
} child;

static child start(const options *o, long number)
{
  int ends[2];
  if (pipe(ends) != 0) {
    perror("random_cases");
    exit(1);
  }
  fflush(NULL);
  child c = {.process = fork(), .number = number, .pipe = ends[0]};
  if (c.process != 0) {
    close(ends[1]);
    return c;
  }
  static text t;
  char reason[REASON_MAX] = "";
  alarm((unsigned)o->seconds);
  write_case(&t, o->seed, number);
  ending end = run_text(&t, reason);
  if (write(ends[1], reason, REASON_MAX) != REASON_MAX)
    _exit(CRASHED);
  _exit((int)end);
}

static ending finish(child *c, int status, char *reason)
{
  memset(reason, 0, REASON_MAX);
  if (read(c->pipe, reason, REASON_MAX) < 0)
    reason[0] = '\0';
  close(c->pipe);
  c->process = 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) < ENDINGS)
    return (ending)WEXITSTATUS(status);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? TOO_LONG : CRASHED;
}

static long run_all(const options *o, long first, long beyond)
{
  child children[JOBS_MAX] = {{0}};
  long counts[ENDINGS] = {0}, next = first, running = 0;
  while (next < beyond || running > 0) {
    for (int k = 0; k < o->jobs && next < beyond; k++)
      if (children[k].process == 0) {
        children[k] = start(o, next++);
        running++;
      }
    int status;
    pid_t ended = wait(&status);
    for (int k = 0; k < o->jobs; k++)
      if (children[k].process == ended) {
        char reason[REASON_MAX];
        ending end = finish(&children[k], status, reason);
        reason[REASON_MAX - 1] = '\0';
        counts[end]++;
        running--;
        if (end > TOLD || o->only >= 0)
          printf("case %ld: %s: %s\n", children[k].number, ending_names[end], reason);
      }
  }
  for (int k = 1; k < ENDINGS; k++)
    if (counts[k] > 0)
      printf("%5ld %s\n", counts[k], ending_names[k]);
  long failed = beyond - first - counts[PASSED] - counts[TOLD];
  printf("%ld passed, %ld failed\n", beyond - first - failed, failed);
  return failed;
}

static options read_options(int argc, char *argv[])
{
  options o = {.cases = 40, .only = -1, .seed = 1, .jobs = 2, .seconds = 600};
  for (int k = 1; k < argc; k++) {
    const char *value = k + 1 < argc ? argv[k + 1] : "";
    if (strcmp(argv[k], "--print") == 0) {
      o.print = true;
      continue;
    }
    if (strcmp(argv[k], "--cases") == 0)
      o.cases = atol(value);
    else if (strcmp(argv[k], "--seed") == 0)
      o.seed = strtoull(value, NULL, 10);
    else if (strcmp(argv[k], "--jobs") == 0)
      o.jobs = atoi(value);
    else if (strcmp(argv[k], "--seconds") == 0)
      o.seconds = atoi(value);
    else if (strcmp(argv[k], "--only") == 0)
      o.only = atol(value);
    else
      o.jobs = 0;
    k++;
  }
  if (o.jobs < 1 || o.jobs > JOBS_MAX || o.cases < 1 || o.seconds < 1) {
    fprintf(stderr, "usage: random_cases [--cases N] [--seed S] [--jobs 1..%d] [--seconds T] [--only K] [--print]\n",
            JOBS_MAX);
    exit(2);
  }
  return o;
}

int main(int argc, char *argv[])
{
  options o = read_options(argc, argv);
  long first = o.only >= 0 ? o.only : 0, beyond = o.only >= 0 ? o.only + 1 : o.cases;
  if (!o.print)
    return run_all(&o, first, beyond) > 0;
  static text t;
  for (long number = first; number < beyond; number++) {
    write_case(&t, o.seed, number);
    printf("# case %ld\n%s", number, t.bytes);
  }
  return 0;
}
