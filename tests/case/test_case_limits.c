/* SPDX-License-Identifier: MIT */
/*
 * The values that a case may have: a key with a range takes its limits and refuses the next double beyond them, and the
 * message names the range. Lists, choices and keys that depend on each other likewise; and the lines of `jager check`.
 *
 * Oracle: the tables below, written by hand. test_case_documented.c compares the range of each key with docs/case.md.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream, fmemopen */
#include "case_support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A case with a bit of everything, to be changed by settings. */
static const char base[] = //
    "jager: 1\n"
    "material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}\n"
    "assembly: {packing: {spheres: 500, sizes: {uniform: {min: 1 mm, max: 1 mm}}, pressure: 100 kPa}}\n"
    "stages:\n"
    "- name: first\n"
    "  control: {xx: {stress: 1 kPa}, yy: {stress: 1 kPa}, zz: {strain_rate: 1}, xy: {strain_step: 1e-6}}\n"
    "  until: {steps: 10}\n"
    "- name: second\n"
    "  mean_stress: {stress: 1 kPa}\n"
    "  control: {xy: {strain_rate: 1}}\n"
    "  cyclic: {of: strain_xy, amplitude: 0.1}\n"
    "  until: {cycles: 1}\n";

static int read_set(const char *setup, const char *setting)
{
  const char *settings[] = {setup ? setup : setting, setup ? setting : NULL, NULL};
  return read_with(base, settings);
}

/* ---- Ranges ------------------------------------------------------------------------------------------------------ */

#define LENGTH "[1e-9, 1e6] m"
#define PRESSURE "(0, 1e15] Pa"
#define STRESS "[-1e15, 1e15] Pa"
#define STRAIN "[-10, 10]"
#define WHOLE "whole "
#define STEPS "[0, 1e12]"
#define REDUCTION "stages.1={name: second, mean_stress: {stress: 1 kPa}, modulus_reduction: {amplitudes: [1e-6]}}"
#define DECADES                                                                                                        \
  "stages.1={name: second, mean_stress: {stress: 1 kPa}, modulus_reduction: {amplitudes: {from: 1e-6, to: 1e-5}}}"
#define PATHS "stages.first.cyclic={paths: {yz: {strain: 1}}, steps_per_cycle: 4}"

/* Keys of each kind, each form of range, and all keys with a reader of their own. */
static const struct {
  const char *setup; /* a setting before it, or NULL */
  const char *key, *range;
} ranges[] = {
    {NULL, "material.shear_modulus", "[1e-30, 1e30] Pa"},
    {NULL, "material.poisson", "(-1, 0.5]"},
    {"contact={contour: {kind: power, slope: 1}}", "contact.contour.exponent", "[1, 100]"},
    {"contact.model=linear", "contact.linear.kn", "[0, 1e30] N/m"},
    {NULL, "damping.local", "[0, 1)"},
    {NULL, "time_step.interval", WHOLE "[1, 1e6]"},
    {NULL, "time_step.fixed", "[1e-15, 1e6] s"},
    {NULL, "density_scaling", "[1, 1e12]"},
    {"gravity=[0, 0, 0]", "gravity.0", "[-1e9, 1e9] m/s2"},
    {"gravity=[0, 0, 0]", "gravity.2", "[-1e9, 1e9] m/s2"},
    {NULL, "assembly.packing.spheres", WHOLE "[8, 2e7]"},
    {"assembly.packing.initial_density=0.01", "assembly.packing.void_ratio", "(0, 99)"},
    {NULL, "assembly.packing.relative_density", "[0, 1]"},
    {"assembly.packing.aspect=[1, 1, 1]", "assembly.packing.aspect.1", "[0.01, 100]"},
    {"assembly.packing.sizes.uniform.max=1e-9", "assembly.packing.sizes.uniform.min", LENGTH},
    {"assembly.packing.sizes={lognormal: {median: 1e-9, deviation: 0}}", "assembly.packing.sizes.lognormal.max",
     LENGTH},
    {"assembly={lattice: {kind: sc, cells: [3, 3, 3]}}", "assembly.lattice.radius", LENGTH},
    {"assembly={lattice: {kind: sc, cells: [3, 1, 1], radius: 1}}", "assembly.lattice.cells.1", WHOLE "[1, 10000]"},
    {NULL, "output.series", WHOLE STEPS},
    {NULL, "checkpoint.minutes", "[0, 1e6]"},
    {"stages.first.control.yy.stress=1", "stages.first.control.yy.stress", STRESS},
    {NULL, "stages.first.control.yz.strain_rate", "[-1e9, 1e9] 1/s"},
    {NULL, "stages.first.control.yz.gamma_rate", "[-2e9, 2e9] 1/s"},
    {NULL, "stages.first.control.yz.gamma", "[-20, 20]"},
    {NULL, "stages.first.control.xx.ramp", WHOLE STEPS},
    {NULL, "stages.second.mean_stress.stress", PRESSURE},
    {NULL, "stages.second.cyclic.amplitude", "(0, 1]"},
    {"stages.second.cyclic.of=q", "stages.second.cyclic.amplitude", PRESSURE},
    {"stages.second.cyclic={of: q, amplitude: 1}", "stages.second.cyclic.center", STRESS},
    {"stages.second.cyclic.of=gamma_xy", "stages.second.cyclic.amplitude", "(0, 1]"},
    {"stages.second.cyclic={of: q, csr: 1}", "stages.second.cyclic.csr", "(0, 10]"},
    {PATHS, "stages.first.cyclic.steps_per_cycle", WHOLE "[4, 1e12]"},
    {PATHS, "stages.first.cyclic.paths.yz.phase", "[-360, 360]"},
    {"stages.first.cyclic={paths: {yz: {stress: 1}}, steps_per_cycle: 4}", "stages.first.cyclic.paths.yz.center",
     STRESS},
    {"stages.first.cyclic={paths: {yz: {gamma: 1}}, steps_per_cycle: 4}", "stages.first.cyclic.paths.yz.gamma",
     "(0, 1]"},
    {REDUCTION, "stages.1.modulus_reduction.amplitudes.0", "[1e-9, 0.1]"},
    {REDUCTION, "stages.1.modulus_reduction.cycles", WHOLE "[2, 1e6]"},
    {DECADES, "stages.1.modulus_reduction.amplitudes.per_decade", WHOLE "[1, 20]"},
    {NULL, "stages.first.until.steps", WHOLE "[1, 1e12]"},
    {NULL, "stages.first.until.strain_yz", STRAIN},
    {NULL, "stages.first.until.stress_yz", STRESS},
    {NULL, "stages.first.until.p", PRESSURE},
    {NULL, "stages.first.until.|gamma_xz|", "(0, 20]"},
    {"stages.first.control.zz={volume: constant}", "stages.first.until.r_u", "(0, 1]"},
    {NULL, "stages.first.friction", "[0, 1e6]"},
    {NULL, "stages.first.damping.local", "[0, 1)"},
    {NULL, "stages.first.output.vtk", WHOLE STEPS},
    {"trace=[{pair: [1, 2]}]", "trace.0.every", WHOLE "[1, 1e12]"},
    {"trace=[{pair: [1, 2]}]", "trace.0.pair.1", WHOLE "[0, 499]"},
    {"trace=[{born: {strain_xy: 1}}]", "trace.0.born.strain_xy", STRAIN},
};

static const char *last_word(const char *key)
{
  return strrchr(key, '.') ? strrchr(key, '.') + 1 : key;
}

static bool is_whole(const char *range)
{
  return strncmp(range, WHOLE, strlen(WHOLE)) == 0;
}

/* The next possible number towards plus or minus infinity. */
static double neighbour(int k, double value, double sign)
{
  return is_whole(ranges[k].range) ? value + sign : nextafter(value, sign * INFINITY);
}

/* The value is taken, or refused because of this range. */
static void assert_range(int k, double value, bool is_good)
{
  char setting[200], wanted[200];
  const char *range = strpbrk(ranges[k].range, "[(");
  const char *word = last_word(ranges[k].key);
  snprintf(setting, sizeof setting, "%s=%.17g", ranges[k].key, value);
  int code = read_set(ranges[k].setup, setting);
  if (is_good) {
    ck_assert_msg(code == 0 || !strstr(messages, range), "%s: %s", setting, messages);
    return;
  }
  snprintf(wanted, sizeof wanted, "%s %s, not '",
           is_whole(ranges[k].range) ? "must be a whole number in" : "must lie in", range);
  ck_assert_int_eq(code, 2);
  ck_assert_msg(strstr(messages, wanted) && (strchr("0123", word[0]) || strstr(messages, word)),
                "%s: not '%s' but '%s'", setting, wanted, messages);
}

TEST_EACH(limits_are_where_they_are_said_to_be, ranges)
{
  const char *range = strpbrk(ranges[_i].range, "[(");
  char *end;
  double low = strtod(range + 1, &end), high = strtod(end + 2, &end);
  bool low_is_open = *range == '(', high_is_open = *end == ')';
  assert_range(_i, low, !low_is_open);
  assert_range(_i, high, !high_is_open);
  assert_range(_i, neighbour(_i, low, -1.0), false);
  assert_range(_i, neighbour(_i, high, 1.0), false);
  assert_range(_i, neighbour(_i, low, 1.0), true);
  assert_range(_i, neighbour(_i, high, -1.0), true);
}

/* Settings that are good, each by itself. */
static const char *const good[] = {
    "assembly.packing.sizes={uniform: {min: 1 mm, max: 1 m}}",
    "assembly.packing.sizes={lognormal: {median: 1, deviation: 0.1, min: 1, max: 1000}}",
    "assembly.packing.sizes={lognormal: {median: 1, deviation: 0.1, min: 0.9, max: 1}}",
    "assembly.packing.sizes={lognormal: {median: 1, deviation: 0, min: 1, max: 1}}",
    "assembly.packing.sizes={lognormal: {median: 1000, deviation: 2, min: 1}}",
    "assembly.packing.sizes={table: {diameter: [1, 1000], passing: [0, 1]}}",
    "assembly.packing.sizes={table: {diameter: [1, 2, 3], passing: [0, 0, 1]}}",
    "title=~/a",
    "title='~'",
    "title=nullify",
    "contact={tolerance: 0, dp_max: 0.1}",
    "contact={tolerance: 0.1, dp_max: 0}",
    "contact={tolerance: 0.1}",
    "contact={model: linear, tolerance: 0, dp_max: 0}",
    "contact={contour: {kind: sphere}}",
    "stages.first.control.yy={strain_rate: 0}",
    "stages.first.control.xx={strain: 1}",
    "stages.first.until={strain_xy: 1}",
    "stages.first.until={strain_zz: 1}",
    "stages.second.cyclic={of: stress_xy, amplitude: 1}",
    "stages.second.cyclic={of: q, amplitude: 1, center: 0}",
    "trace=[{pair: [0, 499]}]",
    "trace=[{pair: [499, 0]}]",
};

TEST_EACH(what_is_good_is_taken, good)
{
  int code = read_set(NULL, good[_i]);
  ck_assert_msg(code == 0, "%s: %s", good[_i], messages);
}

/* Wrong settings just beyond what is right, and a part of the message. The forms of mistakes are in case_mistakes.h. */
static const struct {
  const char *setting, *message;
} wrong[] = {
    {"assembly.packing.sizes={uniform: {min: 1 mm, max: 1.001 m}}", "'max' must not be more than 1000 times 'min'"},
    {"assembly.packing.sizes={uniform: {min: 1 mm, max: 0.9 mm}}", "'max' must not be less than 'min'"},
    {"assembly.packing.sizes={lognormal: {median: 1, deviation: 0.1, min: 0.9, max: 901}}",
     "'max' must not be more than 1000 times 'min'"},
    {"assembly.packing.sizes={lognormal: {median: 0.9, deviation: 0.1, min: 1}}",
     "'median' must not be less than 'min'"},
    {"assembly.packing.sizes={lognormal: {median: 1.1, deviation: 0.1, max: 1}}",
     "'median' must not be more than 'max'"},
    {"assembly.packing.sizes={lognormal: {median: 1, deviation: 0.4, min: 0.999, max: 1.001}}",
     "less than 1 % of the sizes lie between 'min' and 'max'"},
    {"assembly.packing.sizes={table: {diameter: [1, 1, 2], passing: [0, 0.5, 1]}}", "diameters must increase"},
    {"assembly.packing.sizes={table: {diameter: [1, 1001], passing: [0, 1]}}",
     "not be more than 1000 times the smallest"},
    {"assembly.packing.sizes={table: {diameter: [1, 2, 3], passing: [0, 0.5, 0.4]}}",
     "the passing shares must not decrease"},
    {"assembly.packing.sizes={table: {diameter: [1, 2], passing: [0, 0.9]}}", "the last share must be 1"},
    {"assembly.packing.sizes={table: {diameter: [1, 2], passing: [0, 0.5, 1]}}",
     "'passing' must have as many items as 'diameter': 2, not 3"},
    {"assembly.packing.sizes={}", "must have one of the keys uniform, lognormal, table, not none"},
    {"assembly={fil: a}", "unknown key 'fil' in 'assembly': did you mean 'file'?"},
    {"a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a=1", "unknown key 'a'"}, /* as deep as a case may be */
    {"a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a=1", "the key must be words with dots between"},
    {"assembly={lattice: {kind: bcc, cells: [3, 3, 3], radius: 1}}",
     "'kind' cannot be 'bcc': did you mean 'fcc'? one of: sc, fcc\n"},
    {"title=~", "'title' has no value"},
    {"title=null", "'title' has no value"},
    {"gravity=[1, 2, 3, 4]", "'gravity' must be a list of 3 numbers: [..., ...]"},
    {"contact={contour: {kind: cone, slope: 1, exponent: 2}}", "a cone has no 'exponent'"},
    {"stages.first.control={xx: {stress: 1}, zz: {strain_rate: 0}}", "'control' does not say what is done to yy:"},
    {"stages.first.control.yy={stress: 0}", "a normal stress must be more than 0"},
    {"stages.second.control.zz={volume: constant}", "with 'mean_stress', 'zz' must have strain_rate or strain_step"},
    {"stages.second.cyclic={of: strain_xx, amplitude: 0.1}", "strain_xx cannot cycle: give xx a strain_rate"},
    {"stages.first.cyclic={of: stress_xx, amplitude: 1}", "stress_xx cannot cycle: it is held by 'control'"},
    {"stages.second.control={xy: {strain_rate: 0}}", "strain_xy cannot cycle"},
    {"stages.first.until={strain_xy: -1}", "strain_xy goes up at strain_step 1e-6 and never reaches -1"},
    {"stages.first.until={gamma_xy: -1}", "gamma_xy goes up at strain_step 1e-6 and never reaches -1"},
    {"stages.first.until={r_u: 0.95}",
     "r_u stays 0 in a drained stage: give a component 'volume: constant', or hold xx, yy and zz"},
    {"stages.first.until={strain_zz: -1}", "strain_zz goes up at strain_rate 1 and never reaches -1"},
    {"stages.second.cyclic={of: strain_xy, amplitude: 0.1, center: 1}", "'center' is for cycles of a stress, p or q"},
    {"stages.first.name=second", "second"},
    {"trace=[{pair: [3, 3]}]", "3"},
    {"trace=[{pair: [3, 500]}]", "500"},
};

TEST_EACH(what_is_wrong_is_refused, wrong)
{
  int code = read_set(NULL, wrong[_i].setting);
  ck_assert_int_eq(code, 2);
  ck_assert_msg(strstr(messages, wrong[_i].message) != NULL, "%s: '%s'", wrong[_i].setting, messages);
}

/* ---- Choices ----------------------------------------------------------------------------------------------------- */

/* A strain can cycle if it is driven; a stress, q or p if it is not held. */
TEST(all_that_can_cycle_can_be_chosen)
{
  static const char *const components[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
  for (int of = 0; of <= DEM_DEVIATOR; of++) {
    char control[200], cyclic[200], held[200] = "stages.first.friction=0.5";
    int component = of % DEM_COMPONENTS;
    snprintf(control, sizeof control, "stages.second.control={%s: {strain_rate: 1}}",
             of < DEM_MEAN_STRESS ? components[component] : "xy");
    snprintf(cyclic, sizeof cyclic, "stages.second.cyclic={of: %s, amplitude: 0.5}",
             dem_quantity_name((dem_quantity)of));
    const char *settings[] = {control, cyclic, held, NULL};
    int code = read_with(base, settings);
    if (of == DEM_MEAN_STRESS) { /* held */
      ck_assert_int_eq(code, 2);
      continue;
    }
    ck_assert_msg(code == 0, "%s: %s", cyclic, messages);
    ck_assert(run.stages[1].cyclic.on && run.stages[1].cyclic.of == (dem_quantity)of);
    ck_assert_double_eq(run.stages[1].cyclic.amplitude, 0.5);
  }
}

/* A second setting can choose the first of several choices again. */
TEST(the_first_of_many_can_be_chosen)
{
  static const struct {
    const char *first, *again;
  } twice[] = {
      {"contact.model=linear", "contact.model=jager"},
      {"contact.contour={kind: cone, slope: 1}", "contact.contour={kind: sphere}"},
      {"output.plots=true", "output.plots=false"},
      {"assembly={file: a}", "assembly={packing: {spheres: 8, sizes: {uniform: {min: 1, max: 1}}, pressure: 1}}"},
      {"assembly={lattice: {kind: fcc, cells: [3, 3, 3], radius: 1}}", "assembly.lattice.kind=sc"}};
  for (size_t k = 0; k < sizeof twice / sizeof *twice; k++) {
    ck_assert_msg(read_set(twice[k].first, twice[k].again) == 0, "%s: %s", twice[k].again, messages);
    ck_assert(run.contact.model == JAGER_MODEL_JAGER && run.contact.contour == JAGER_CONTOUR_SPHERE);
    ck_assert(k != 2 || !description.output.pictures);
    ck_assert(k == 4 || run.assembly.source == DEM_SOURCE_PACKING);
    ck_assert(k != 4 || (run.assembly.source == DEM_SOURCE_LATTICE && run.assembly.lattice.kind == DEM_LATTICE_SC));
  }
}

/* ---- Descriptions ------------------------------------------------------------------------------------------------ */

/* A setting, a text that `jager check` then prints, and one that it does not print (or NULL). */
static const struct {
  const char *setting, *line, *not_line;
} told[] = {
    {"contact={model: linear, linear: {kn: 2 kN/m}}", "\ncontact     linear, kn 2000 N/m\n", "kt"},
    {"contact={model: linear, linear: {kt: 2 kN/m}}", "\ncontact     linear, kt 2000 N/m\n", "kn"},
    {"contact={model: hertz-mindlin}", "\ncontact     hertz-mindlin\n", "exact"},
    {"contact={dp_max: 0.01}", "\ncontact     jager, slopes merged up to 0.01\n", "exact"},
    {"contact={tolerance: 0.001}", "\ncontact     jager, forces within 0.001 of friction\n", "exact"},
    {"contact={tolerance: 0}", "\ncontact     jager, exact\n", "within 0 of"},
    {"contact={contour: {kind: cone, slope: 2}}", ", cone of slope 2\n", "exponent"},
    {"contact={contour: {kind: power, slope: 2, exponent: 3}}", ", power of slope 2 and exponent 3\n", "cone"},
    {"time_step={fixed: 2 us}", "\ntime step   2 us\n", "stability"},
    {"time_step={safety: 0.5, interval: 3}", "\ntime step   0.5 of the stability limit, updated every 3 steps\n",
     "inertia"},
    {"density_scaling=100", "; inertia 100 times its true value\n", NULL},
    {"density_scaling=1", "\ntime step   ", "inertia"},
    {"density_scaling=each", "; each sphere has the inertia for the same limit\n", "times its true"},
    {"gravity=[0, 0, 0]", "\ntime step   ", "gravity"},
    {"gravity=[1, 0, 0]", "\ngravity     1, 0, 0 m/s2\n", NULL},
    {"gravity=[0, 1, 0]", "\ngravity     0, 1, 0 m/s2\n", NULL},
    {"gravity=[0, 0, -1]", "\ngravity     0, 0, -1 m/s2\n", NULL},
    {"assembly.packing.sizes={lognormal: {median: 1 mm, deviation: 0.2}}",
     "\nassembly    500 spheres, diameters log-normal, median 1 mm, deviation 0.2\n", "up to 0"},
    {"assembly.packing.sizes={lognormal: {median: 1 mm, deviation: 0.2, min: 0.5 mm}}",
     "median 1 mm, deviation 0.2, from 0.5 mm\n", NULL},
    {"assembly.packing.sizes={lognormal: {median: 1 mm, deviation: 0.2, max: 2 mm}}",
     "median 1 mm, deviation 0.2, up to 2 mm\n", NULL},
    {"assembly.packing.sizes={table: {diameter: [1 mm, 2 mm, 3 mm], passing: [0, 0.5, 1]}}",
     "500 spheres, diameters from 1 mm to 3 mm by a curve of 3 points\n", NULL},
    {"assembly={lattice: {kind: sc, cells: [3, 4, 5], radius: 1 mm, overlap: 0.01}}",
     "\nassembly    60 spheres, sc lattice of 3 x 4 x 5 cells, radius 1 mm, overlap 0.01\n", NULL},
    {"assembly={lattice: {kind: fcc, cells: [3, 4, 5], radius: 1 mm}}",
     "\nassembly    240 spheres, fcc lattice of 3 x 4 x 5 cells, radius 1 mm, overlap 0\n", NULL},
    {"assembly={file: a}", "\nassembly    grains of the file dir/a\n", "memory"},
    {"assembly={checkpoint: a}", "\nassembly    as in the checkpoint dir/a\n", "memory"},
    {"assembly.packing.spheres=8", "\nmemory      about 1 MB\n", NULL},
    {"assembly.packing.spheres=20000", "\nmemory      about 80 MB\n", NULL},
    {"checkpoint={steps: 10, minutes: 0}", "\ncheckpoint  every 10 steps\n", "min\n"},
    {"checkpoint={steps: 0, minutes: 3}", "\ncheckpoint  every 3 min\n", "and"},
    {"checkpoint={steps: 10, minutes: 3}", "\ncheckpoint  every 10 steps and every 3 min\n", NULL},
    {"checkpoint={steps: 0, minutes: 0}", "\ncheckpoint  none\n", "every 0"},
    {"output={plots: false}", "\nplots       no\n", NULL},
    {"trace=[{pair: [3, 5], every: 2}]", "\ntrace       contact of spheres 3 and 5, every 2 steps\n", NULL},
    {"trace=[{born: {strain_xz: 1 %}, window: 0.001, stage: first}]",
     "\ntrace       contact born at strain_xz = 0.01 +- 0.001 in stage 'first', every 1 step\n", NULL},
    {"stages.first.control.xx.ramp=1", "xx stress 1 kPa within 1 steps, yy stress 1 kPa, zz 1 1/s, xy 1e-6 a step;",
     NULL},
    {"stages.first.control.xx={strain: 0.02}", "xx strain to 0.02, yy", "held"},
    {"stages.first.control.xx={strain: 0}", "xx held, yy", NULL},
    {"stages.first.control.xx={volume: constant}", "xx for constant volume, yy", NULL},
    {"stages.second.control={xy: {strain_rate: 1}, zz: {strain_rate: 0}}", "'second': mean stress 1 kPa, xy 1 1/s;",
     "held"},
    {"stages.second.control={xy: {strain_rate: 1}, zz: {strain_rate: 2}}", "mean stress 1 kPa, zz 2 1/s, xy 1 1/s;",
     NULL},
    {"stages.second.cyclic={of: strain_xy, amplitude: 0.1}", "reversed when strain_xy is 0.1 from its start;", NULL},
    {"stages.second.cyclic={of: stress_xy, amplitude: 2 kPa}", "when stress_xy is 2 kPa from its start;", NULL},
    {"stages.second.cyclic={of: q, amplitude: 2 kPa, center: 1 Pa}", "when q is 2 kPa from 1 Pa;", NULL},
    {"stages.second.cyclic={of: stress_xy, csr: 0.1}", "when stress_xy is the stress ratio 0.1 from its start;",
     "ratios"},
    {"stages.1={name: second, control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}, "
     "xz: {strain_rate: 1}}, cyclic: {of: stress_xz, csr: [0.1, 0.25]}, until: {cycles: 2, r_u: 0.95}}",
     "\nratios      stage 2 has a run for each CSR of 0.1, 0.25\n", "models"},
    {"contact.model=[jager, hertz-mindlin, linear]", "\nmodels      a run for each of jager, hertz-mindlin, linear\n",
     "ratios"},
    {"stages.first.cyclic={paths: {yz: {gamma: 0.5}}, steps_per_cycle: 4}", "yz strain on a wave of 0.25 (", NULL},
    {PATHS, "yz strain on a wave of 1 (frequency 1, phase 0 degrees); cycles of 4 steps", NULL},
    {"stages.first.cyclic={paths: {yz: {stress: 2 kPa, center: 3 kPa, frequency: 2, phase: 90}}, steps_per_cycle: 40}",
     "yz stress on a wave of 2 kPa about 3 kPa (frequency 2, phase 90 degrees); cycles of 40 steps", NULL},
    {"stages.first.inertial_number=1e-4", "; at the inertial number 0.0001; until ", NULL},
    {"assembly.packing.void_ratio=0.7",
     "\npacking     at 100 kPa to void ratio 0.7 with friction that falls from 0.5, ", NULL},
    {"assembly.packing.relative_density=60 %",
     "\npacking     at 100 kPa to relative density 60 % with friction that falls from 0.5, ", NULL},
    {"assembly.packing.aspect=[1, 2, 0.5]", "; cell 1 : 2 : 0.5", NULL},
    {"stages.first.until={void_ratio: 0.5}", "; until void_ratio = 0.5\n", NULL},
    {"stages.first.until={volumetric_strain: 0.5}", "; until volumetric_strain = 0.5\n", NULL},
    {"stages.first.until={stress_xx: 1 kPa, p: 2 kPa, q: 3 kPa}", "until stress_xx = 1 kPa or p = 2 kPa or q = 3 kPa\n",
     NULL},
    {"stages.first.until={unbalanced: 0.1, time: 3 s, steps: 4}", "; until unbalanced < 0.1 or 3 s or 4 steps\n", NULL},
    {"stages.second.until={cycles: 2.5, steps: 1}", "; until 2.5 cycles or 1 steps\n", NULL},
    {"stages.first.output={series: 1, snapshot: 2, vtk: 0}",
     "\n            series every 1 step, snapshots every 2 steps, no vtk\n", NULL},
    {"stages.first.friction=0.3", "; friction 0.3", NULL},
    {"stages.first.friction=0", "; friction 0", NULL},
    {"stages.first.damping={viscous: 0.3}", "; damping viscous 0.3, local ", NULL},
    {"damping={viscous: 0.3, local: 0.4, global: 2}", "\ndamping     viscous 0.3, local 0.4, global 2 1/s\n",
     "; damping"},
};

TEST_EACH(what_is_set_is_told, told)
{
  char *text = NULL;
  size_t size;
  ck_assert_msg(read_set(NULL, told[_i].setting) == 0, "%s: %s", told[_i].setting, messages);
  FILE *stream = open_memstream(&text, &size);
  case_print(&description, stream);
  fclose(stream);
  ck_assert_msg(strstr(text, told[_i].line) != NULL, "%s: no '%s' in\n%s", told[_i].setting, told[_i].line, text);
  ck_assert_msg(!told[_i].not_line || !strstr(text, told[_i].not_line), "%s: '%s' in\n%s", told[_i].setting,
                told[_i].not_line, text);
  free(text);
}

TEST(a_text_has_at_most_so_many_bytes)
{
  char setting[510];
  snprintf(setting, sizeof setting, "title=%0500d", 0);
  ck_assert_msg(read_set(NULL, setting) == 0, "%s", messages);
  ck_assert_uint_eq(strlen(run.title), 500);
  snprintf(setting, sizeof setting, "title=%0501d", 0);
  ck_assert_int_eq(read_set(NULL, setting), 2);
  ck_assert_ptr_nonnull(strstr(messages, "'title' must not be longer than 500 bytes"));
}
