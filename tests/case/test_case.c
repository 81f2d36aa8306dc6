/* SPDX-License-Identifier: MIT */
/* The reader of cases: values compared with values written by hand, mistakes by the whole text of their messages. */
#define _POSIX_C_SOURCE 200809L /* open_memstream, mkdtemp */
#include "dem/case_keys.h"
#include "case_mistakes.h"
#include "case_support.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* Removes the quoted lines of the file from the messages. */
static void drop_quotations(void)
{
  char *to = messages;
  for (char *line = messages, *end; *line; line = end) {
    end = strchr(line, '\n') + 1;
    if (line[0] == ' ')
      continue;
    memmove(to, line, (size_t)(end - line));
    to += end - line;
  }
  *to = '\0';
}

/* Warnings only, one in each line: the cases here are small, and some are odd. */
static bool are_warnings(const char *told)
{
  for (const char *line = told; *line; line = strchr(line, '\n') + 1) {
    const char *warning = strstr(line, ": warning: ");
    if (!warning || warning > strchr(line, '\n'))
      return false;
  }
  return true;
}

static void read_good(const char *text, const char *const settings[])
{
  int code = read_with(text, settings);
  drop_quotations();
  ck_assert_msg(code == 0 && are_warnings(messages), "exit code %d, %s", code, messages);
}

static int lines_of(const char *text)
{
  int count = 0;
  for (; *text; text++)
    count += *text == '\n';
  return count;
}

/* ---- A small case, and changes of it ----------------------------------------------------------------------------- */

enum { LINES = 7 };

static const char *const small_lines[LINES] = {
    "jager: 1",
    "material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}",
    "assembly: {lattice: {kind: sc, cells: [4, 4, 4], radius: 1 mm}}",
    "stages:",
    "- name: rest",
    "  control: {xx: {stress: 1 kPa}, yy: {stress: 1 kPa}, zz: {stress: 1 kPa}}",
    "  until: {steps: 10}",
};

/* The small case with line `line`, from 1, replaced, or with a line added at the end; 0: unchanged. */
static const char *small_case(int line, const char *by)
{
  static char text[3000];
  size_t used = 0;
  for (int i = 1; i <= LINES + 1; i++) {
    const char *now = i == line ? by : i <= LINES ? small_lines[i - 1] : "";
    used += (size_t)snprintf(text + used, sizeof text - used, "%s\n", now);
  }
  return text;
}

/* ---- What is right ----------------------------------------------------------------------------------------------- */

static const char whole_case[] = //
    "jager: 1\n"
    "title: 'All that there is: a case'\n"
    "seed: 9223372036854775807\n"
    "material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2.65 g/cm3}\n"
    "contact:\n"
    "  model: jager\n"
    "  dp_max: 0.01\n"
    "  contour: {kind: power, slope: 3, exponent: 2.5}\n"
    "damping: {viscous: 0.1, local: 0.25, global: 3 1/s}\n"
    "time_step: {safety: 0.7, interval: 20}\n"
    "density_scaling: 1e6\n"
    "gravity: [0, 1, -9.81 m/s2]\n"
    "overlap_limit: 20 %\n"
    "skin: 0.05\n"
    "assembly:\n"
    "  packing:\n"
    "    spheres: 4096\n"
    "    sizes:\n"
    "      uniform: {min: 0.8 mm, max: 1.2 mm}\n"
    "    pressure: 200 kPa\n"
    "    friction: 0.1\n"
    "    unbalanced: 1e-4\n"
    "    max_steps: 2e6\n"
    "    aspect: [1, 2, 3]\n"
    "    initial_density: 0.4\n"
    "    damping: {viscous: 0.5}\n"
    "output: {series: 50, snapshot: 1000, vtk: 2000, plots: false}\n"
    "checkpoint: {steps: 500, minutes: 5}\n"
    "trace:\n"
    "  - {pair: [12, 345]}\n"
    "  - {born: {strain_zz: 3 %}, stage: biaxial, window: 0.002, every: 10}\n"
    "stages:\n"
    "  - name: biaxial\n"
    "    control:\n"
    "      xx: {stress: 100 kPa, ramp: 1000}\n"
    "      yy: {strain_rate: 0}\n"
    "      zz: {strain_step: 1e-6}\n"
    "      xy: {stress: -2 kPa}\n"
    "    until: {steps: 40000, time: 2 h, unbalanced: 1e-5, strain_zz: 4 %, stress_zz: 300 kPa, p: 1 MPa, q: -3,\n"
    "            volumetric_strain: -0.01, void_ratio: 0.7}\n"
    "    friction: 0.3\n"
    "    damping: {local: 0.1}\n"
    "    output: {series: 10}\n"
    "  - name: cycles\n"
    "    mean_stress: {stress: 150 kPa, ramp: 7}\n"
    "    control: {xy: {strain_rate: 6 %/min}}\n"
    "    cyclic: {of: stress_xy, amplitude: 20 kPa, center: -1 kPa}\n"
    "    until: {cycles: 2.5}\n"
    "  - name: shear\n"
    "    control: {xx: {volume: constant}, yy: {volume: constant}, zz: {strain: 0.04}}\n"
    "    until: {time: 1 s}\n";

TEST(every_value_gets_where_it_belongs)
{
  read_good(whole_case, NULL);
  ck_assert_str_eq(run.title, "All that there is: a case");
  ck_assert_uint_eq(run.seed, INT64_MAX);
  ck_assert(run.material.shear_modulus == 29e9 && run.material.poisson == 0.15 && run.material.friction == 0.5);
  ck_assert(run.material.density == 2650.0);
  ck_assert(run.contact.model == JAGER_MODEL_JAGER && run.contact.dp_max == 0.01);
  ck_assert(run.contact.contour == JAGER_CONTOUR_POWER && run.contact.slope == 3 && run.contact.exponent == 2.5);
  ck_assert(run.damping.viscous == 0.1 && run.damping.local == 0.25 && run.damping.global == 3);
  ck_assert(run.time_step.safety == 0.7 && run.time_step.interval == 20 && run.time_step.fixed == 0);
  ck_assert(run.density_scaling == 1e6 && run.overlap_limit == 0.2 && run.skin == 0.05);
  ck_assert(run.gravity[0] == 0 && run.gravity[1] == 1 && run.gravity[2] == -9.81);
  ck_assert(description.output.checkpoint_steps == 500 && description.output.checkpoint_minutes == 5 &&
            !description.output.pictures);
}

TEST(a_packing_is_read)
{
  const dem_packing *packing = &run.assembly.packing;
  read_good(whole_case, NULL);
  ck_assert(run.assembly.source == DEM_SOURCE_PACKING && packing->spheres == 4096 && packing->pressure == 200e3);
  ck_assert(packing->sizes.distribution == DEM_SIZES_UNIFORM);
  ck_assert(packing->sizes.min == 0.8e-3 && packing->sizes.max == 1.2e-3);
  ck_assert(packing->friction == 0.1 && packing->unbalanced == 1e-4 && packing->max_steps == 2000000);
  ck_assert(packing->aspect[0] == 1 && packing->aspect[1] == 2 && packing->aspect[2] == 3);
  ck_assert(packing->initial_density == 0.4);
  ck_assert(packing->damping.viscous == 0.5 &&
            packing->damping.local == dem_case_default().assembly.packing.damping.local); /* the default is kept */
}

TEST(stages_are_read)
{
  const dem_stage *stage = run.stages;
  const output_intervals *output = description.output.stages;
  read_good(whole_case, NULL);
  ck_assert_int_eq(run.stage_count, 3);
  ck_assert_str_eq(stage->name, "biaxial");
  ck_assert(stage->control[DEM_XX].kind == DEM_CONTROL_STRESS && stage->control[DEM_XX].value == 100e3);
  ck_assert(stage->control[DEM_XX].ramp == 1000);
  ck_assert(stage->control[DEM_YY].kind == DEM_CONTROL_STRAIN_RATE && stage->control[DEM_YY].value == 0);
  ck_assert(stage->control[DEM_ZZ].kind == DEM_CONTROL_STRAIN_STEP && stage->control[DEM_ZZ].value == 1e-6);
  ck_assert(stage->control[DEM_XY].kind == DEM_CONTROL_STRESS && stage->control[DEM_XY].value == -2000);
  ck_assert(stage->control[DEM_YZ].kind == DEM_CONTROL_STRAIN_RATE && stage->control[DEM_YZ].value == 0);
  ck_assert(!stage->mean_stress_is_held && !stage->cyclic.on && stage->friction == 0.3);
  ck_assert(stage->damping.viscous == 0.1 && stage->damping.local == 0.1 && stage->damping.global == 3);
  ck_assert(output->series == 10 && output->snapshot == 1000 && output->vtk == 2000);
  stage++;
  ck_assert(stage->mean_stress_is_held && stage->mean_stress.kind == DEM_CONTROL_STRESS);
  ck_assert(stage->mean_stress.value == 150e3 && stage->mean_stress.ramp == 7);
  ck_assert(stage->control[DEM_ZZ].kind == DEM_CONTROL_STRAIN_RATE && stage->control[DEM_ZZ].value == 0);
  ck_assert(stage->control[DEM_XY].value == 0.06 / 60 && isnan(stage->friction));
  ck_assert(stage->cyclic.on && stage->cyclic.of == DEM_STRESS + DEM_XY && stage->cyclic.amplitude == 20e3);
  ck_assert(stage->cyclic.center == -1000 && stage->until.cycles == 2.5 && stage->until.count == 0);
  stage++;
  ck_assert(stage->control[DEM_XX].kind == DEM_CONTROL_VOLUME && stage->control[DEM_YY].kind == DEM_CONTROL_VOLUME);
  ck_assert(stage->control[DEM_ZZ].kind == DEM_CONTROL_STRAIN && stage->control[DEM_ZZ].value == 0.04);
}

/* The stages by hand: numbers from the keys, the defaults and the two rules for small amplitudes. */
static void expect_reduction(int first, const char *name, dem_component component, int count, const double amplitudes[],
                             const long steps[], const double cycles[], double unbalanced, long rest_steps,
                             double inertial_number)
{
  char expected[100];
  ck_assert_int_eq(run.stage_count, first + 2 * count);
  for (int i = 0; i < count; i++) {
    const dem_stage *rest = &run.stages[first + 2 * i], *cycle = rest + 1;
    snprintf(expected, sizeof expected, "%s-rest-%d", name, i + 1);
    ck_assert_str_eq(rest->name, expected);
    ck_assert(rest->control[component].kind == DEM_CONTROL_STRAIN_RATE && rest->control[component].value == 0.0);
    ck_assert(rest->control[DEM_XX].kind == DEM_CONTROL_STRESS && rest->control[DEM_XX].value == 1e3);
    ck_assert(rest->until.unbalanced == unbalanced && rest->until.steps == rest_steps && rest->until.cycles == 0.0);
    ck_assert(rest->stops_spheres && !rest->cyclic.on && rest->inertial_number == 0.0);
    snprintf(expected, sizeof expected, "%s-%d", name, i + 1);
    ck_assert_str_eq(cycle->name, expected);
    const dem_control *path = &cycle->control[component];
    ck_assert_int_eq(path->kind, DEM_CONTROL_STRAIN_PATH);
    ck_assert_double_eq_tol(path->value, 0.5 * amplitudes[i], 1e-15 * amplitudes[i]);
    ck_assert(path->wave.frequency == 1.0 && path->wave.phase == 0.0 && isnan(path->wave.center));
    ck_assert(cycle->control[DEM_XX].kind == DEM_CONTROL_STRESS && cycle->control[DEM_XX].value == 1e3);
    ck_assert(cycle->cyclic.on && cycle->cyclic.has_paths && isnan(cycle->cyclic.center));
    ck_assert_int_eq(cycle->cyclic.of, DEM_STRAIN + component);
    ck_assert_int_eq(cycle->cyclic.steps_per_cycle, steps[i]);
    ck_assert(cycle->cyclic.run_in == 1.0 && cycle->stops_spheres && cycle->inertial_number == inertial_number);
    ck_assert(cycle->until.cycles == 1.0 + cycles[i] && cycle->until.steps == 0 && cycle->until.unbalanced == 0.0);
  }
  const run_reduction *reduction = &description.output.reductions.list[0];
  ck_assert_int_eq(description.output.reductions.count, 1);
  ck_assert(reduction->first_stage == first + 1 && reduction->count == count && reduction->component == component);
}

TEST(a_modulus_reduction_becomes_stages)
{
#define SHEAR                                                                                                          \
  "- {name: shear, control: {xx: {stress: 1 kPa}, yy: {stress: 1 kPa}, zz: {strain_rate: 0}}, "                        \
  "modulus_reduction: "
  read_good(small_case(LINES + 1, SHEAR "{amplitudes: [1e-6, 1e-5, 2e-5, 1e-4]}}"), NULL);
  expect_reduction(1, "shear", DEM_XZ, 4, (const double[]){1e-6, 1e-5, 2e-5, 1e-4},
                   (const long[]){6000, 2000, 2000, 2000}, (const double[]){5.0, 5.0, 2.0, 2.0}, 1e-6, 100000, 1e-4);
  read_good(small_case(LINES + 1, SHEAR "{component: xy, amplitudes: {from: 1e-8, to: 1e-6, per_decade: 2}, cycles: 7, "
                                        "steps_per_cycle: 300, unbalanced: 1e-3, rest_steps: 50, inertial_number: "
                                        "1e-3}}"),
            NULL);
  expect_reduction(1, "shear", DEM_XY, 5,
                   (const double[]){1e-8, 3.1622776601683793e-8, 1e-7, 3.1622776601683793e-7, 1e-6},
                   (const long[]){300, 300, 300, 300, 300}, (const double[]){7.0, 7.0, 7.0, 7.0, 7.0}, 1e-3, 50, 1e-3);
#undef SHEAR
}

TEST(ends_of_stages_are_read)
{
  static const dem_criterion wanted[] = {{DEM_STRAIN + DEM_ZZ, 0.04},    {DEM_STRESS + DEM_ZZ, 300e3},
                                         {DEM_MEAN_STRESS, 1e6},         {DEM_DEVIATOR, -3},
                                         {DEM_VOLUMETRIC_STRAIN, -0.01}, {DEM_VOID_RATIO, 0.7}};
  const dem_until *until = &run.stages[0].until;
  read_good(whole_case, NULL);
  ck_assert(until->steps == 40000 && until->time == 7200 && until->unbalanced == 1e-5 && until->cycles == 0);
  ck_assert_int_eq(until->count, 6);
  for (int i = 0; i < 6; i++)
    ck_assert(until->criteria[i].of == wanted[i].of && until->criteria[i].value == wanted[i].value);
}

/* Each quantity by its name in the library. */
TEST(every_quantity_can_end_a_stage)
{
  static const char *const undrained[] = {"stages.0.control.zz={volume: constant}", NULL};
  for (int i = 0; i < DEM_QUANTITIES; i++) {
    char line[100];
    snprintf(line, sizeof line, "  until: {'%s': 0.5}", dem_quantity_name((dem_quantity)i));
    read_good(small_case(UNTIL, line), i >= DEM_R_U ? undrained : NULL);
    ck_assert(run.stages[0].until.count == 1 && run.stages[0].until.criteria[0].of == (dem_quantity)i);
    ck_assert(run.stages[0].until.criteria[0].value == 0.5);
  }
}

TEST(traces_are_read)
{
  const dem_trace *trace = run.traces;
  read_good(whole_case, NULL);
  ck_assert_int_eq(run.trace_count, 2);
  ck_assert(trace[0].kind == DEM_TRACE_PAIR && trace[0].ids[0] == 12 && trace[0].ids[1] == 345 && trace[0].every == 1);
  ck_assert(trace[1].kind == DEM_TRACE_BORN && trace[1].component == DEM_ZZ && trace[1].strain == 0.03);
  ck_assert(trace[1].window == 0.002 && trace[1].every == 10);
  ck_assert_str_eq(trace[1].stage, "biaxial");
}

/* Keys that are left out have the values of dem_case_default. */
TEST(defaults_are_those_of_the_simulator)
{
  dem_case defaults = dem_case_default();
  read_good(small_case(0, NULL), NULL);
  ck_assert(!run.title && run.seed == defaults.seed && run.contact.model == defaults.contact.model);
  ck_assert(run.damping.local == defaults.damping.local && run.time_step.safety == defaults.time_step.safety);
  ck_assert(run.time_step.interval == defaults.time_step.interval && run.skin == defaults.skin);
  ck_assert(run.density_scaling == 1 && run.overlap_limit == defaults.overlap_limit && description.output.pictures);
  ck_assert(description.output.checkpoint_minutes == 10 && run.trace_count == 0);
  ck_assert(description.output.stages[0].series == 100 && description.output.stages[0].vtk == 0);
  ck_assert(run.stages[0].damping.local == run.damping.local);
  ck_assert(isnan(run.stages[0].friction) && run.assembly.lattice.overlap == 0);
}

TEST(all_assemblies_are_read)
{
  const dem_sizes *sizes = &run.assembly.packing.sizes;
  read_good(small_case(ASSEMBLY, "assembly: {lattice: {kind: fcc, cells: [2, 3, 4], radius: 1 mm, overlap: 1e-4}}"),
            NULL);
  ck_assert(run.assembly.source == DEM_SOURCE_LATTICE && run.assembly.lattice.kind == DEM_LATTICE_FCC);
  ck_assert(run.assembly.lattice.cells[0] == 2 && run.assembly.lattice.cells[2] == 4);
  ck_assert(run.assembly.lattice.radius == 1e-3 && run.assembly.lattice.overlap == 1e-4);
  read_good(small_case(ASSEMBLY, "assembly: {packing: {spheres: 9, pressure: 1, sizes: {lognormal: {median: 1 mm, "
                                 "deviation: 0.2, max: 2 mm}}}}"),
            NULL);
  ck_assert(sizes->distribution == DEM_SIZES_LOGNORMAL && sizes->median == 1e-3 && sizes->deviation == 0.2);
  ck_assert(sizes->min == 0 && sizes->max == 2e-3 && run.assembly.packing.friction == 0);
  read_good(small_case(ASSEMBLY,
                       "assembly: {packing: {spheres: 9, pressure: 1, sizes: {table: {diameter: [0.5 mm, 1 mm, "
                       "2 mm], passing: [0, 40 %, 1]}}}}"),
            NULL);
  ck_assert(sizes->distribution == DEM_SIZES_TABLE && sizes->count == 3 && sizes->diameter[0] == 0.5e-3);
  ck_assert(sizes->passing[1] == 0.4 && sizes->passing[2] == 1 && sizes->diameter[2] == 2e-3);
}

TEST(files_lie_beside_the_case)
{
  read_good(small_case(ASSEMBLY, "assembly: {file: spheres.txt}"), NULL);
  ck_assert_int_eq(run.assembly.source, DEM_SOURCE_FILE);
  ck_assert_str_eq(run.assembly.path, "dir/spheres.txt");
  read_good(small_case(ASSEMBLY, "assembly: {checkpoint: /out/checkpoint.jck}"), NULL);
  ck_assert_int_eq(run.assembly.source, DEM_SOURCE_CHECKPOINT);
  ck_assert_str_eq(run.assembly.path, "/out/checkpoint.jck");
}

TEST(every_model_is_read)
{
  for (int i = 0; i < JAGER_MODEL_COUNT; i++) {
    char line[100];
    snprintf(line, sizeof line, "contact: {model: %s}", jager_model_name((jager_model)i));
    read_good(small_case(END, line), NULL);
    ck_assert_int_eq(run.contact.model, i);
  }
  read_good(
      small_case(END, "contact: {model: linear, linear: {kn: 2 N/mm, kt: 1 kN/m}, contour: {kind: cone, slope: 2}}"),
      NULL);
  ck_assert(run.contact.linear_kn == 2000 && run.contact.linear_kt == 1000);
  ck_assert(run.contact.contour == JAGER_CONTOUR_CONE && run.contact.slope == 2);
  read_good(small_case(END, "time_step: {fixed: 2 us}"), NULL);
  ck_assert(run.time_step.fixed == 2e-6 && !run.scales_each_sphere);
  read_good(small_case(END, "time_step: {fixed: 1 s, safety: 0.5, interval: 7}\ndensity_scaling: each"), NULL);
  ck_assert(run.time_step.fixed == 1 && run.time_step.safety == 0.5 && run.time_step.interval == 7);
  ck_assert(run.density_scaling == 1 && run.scales_each_sphere);
}

/* Block or flow, quotation marks, comments, order, ends of lines, byte-order mark. */
TEST(forms_do_not_matter)
{
  static const char other[] =
      "\xEF\xBB\xBF---\r\n"
      "stages: # comes first\r\n"
      "  - until:\r\n"
      "      steps: '10'\r\n"
      "    'name': rest\r\n"
      "    control: {xx: {stress: 1kPa}, yy: {stress: \"1000\"},\r\n"
      "      zz: {stress: 1e3 Pa}}\r\n"
      "assembly:\r\n"
      "  lattice:\r\n"
      "    kind: sc\r\n"
      "    cells:\r\n"
      "    - 4\r\n"
      "    - 4.0\r\n"
      "    - 4e0\r\n"
      "    radius: 0.001\r\n"
      "material: {shear_modulus: 29000 MPa, poisson: 15 %, friction: .5, density: 2.65 t/m3}\r\n"
      "jager: 1\r\n"
      "...\r\n"
      "# the end";
  char *texts[2];
  for (int i = 0; i < 2; i++) {
    size_t size;
    FILE *stream = open_memstream(&texts[i], &size);
    read_good(i == 0 ? small_case(0, NULL) : other, NULL);
    case_print(&description, stream);
    fclose(stream);
  }
  ck_assert_str_eq(texts[0], texts[1]);
  free(texts[0]);
  free(texts[1]);
}

/* ---- Settings ---------------------------------------------------------------------------------------------------- */

TEST(settings_change_values)
{
  static const char *const settings[] = {"material.friction=0.3",
                                         "stages.0.until.steps=100",
                                         "stages.biaxial.until.time=3 min",
                                         "stages.cycles.friction=0.2", /* not there before */
                                         "contact={model: hertz-mindlin}",
                                         "gravity.2=-1",
                                         "trace.1.every=1e2",
                                         "material.friction=0.4", /* the last one counts */
                                         "title=a = b",
                                         NULL};
  read_good(whole_case, settings);
  ck_assert(run.material.friction == 0.4 && run.stages[0].until.steps == 100 && run.stages[0].until.time == 180);
  ck_assert(run.stages[1].friction == 0.2 && run.contact.model == JAGER_MODEL_HERTZ_MINDLIN);
  ck_assert(run.contact.dp_max == 0 && run.gravity[2] == -1 && run.gravity[1] == 1 && run.traces[1].every == 100);
  ck_assert_str_eq(run.title, "a = b");
}

TEST(settings_make_blocks)
{
  static const char *const settings[] = {"output.series=7",
                                         "damping.local=0",
                                         "stages.rest.damping.viscous=0.5",
                                         "assembly={packing: {spheres: 8, pressure: 1 Pa}}",
                                         "assembly.packing.sizes.uniform.min=1",
                                         "assembly.packing.sizes.uniform.max=2",
                                         NULL};
  read_good(small_case(0, NULL), settings);
  ck_assert(description.output.stages[0].series == 7 && run.damping.local == 0 && run.stages[0].damping.viscous == 0.5);
  ck_assert(run.assembly.packing.spheres == 8 && run.assembly.packing.sizes.max == 2);
}

static const struct {
  const char *setting, *message;
} wrong_settings[] = {
    {"material.friction", "write it as key=value, such as material.friction=0.3"},
    {"=3", "the key must be words with dots between, such as material.friction"},
    {"material..friction=3", "the key must be words with dots between, such as material.friction"},
    {"material.=3", "the key must be words with dots between, such as material.friction"},
    {"material.friction=abc", "'friction' needs a number, not 'abc'"},
    {"material.friction=", "'friction' has no value"},
    {"material.friction=2 mm", "'mm' is a length; 'friction' is a number without a unit, or in %"},
    {"material.frictoin=0.3", "unknown key 'frictoin' in 'material': did you mean 'friction'? one of: shear_modulus, "
                              "poisson, friction, density"},
    {"stages.1.friction=0", "'stages' has no item '1': it has 1, counted from 0"},
    {"stages.shear.friction=0", "'stages' has no item 'shear': it must be one of: rest, or its number, counted from 0"},
    {"stages.rset.friction=0",
     "'stages' has no item 'rset': did you mean 'rest'? one of: rest, or its number, counted from 0"},
    {"jager.x=1", "'jager' is a single value: there is no 'x' in it"},
    {"title=[", "this is not YAML: flow sequence without a closing bracket"},
    {"title=&a b", "anchors (&name) are not allowed: write each value out where it is needed"},
    {"title=\x1b[31m", "it must be one line without control characters"},
    {"stages.rest.until.steps=0", "'steps' must be a whole number in [1, 1e12], not '0'"},
    {"stages.rest.until.strain_xx=0", "'strain_xx' must not be 0: strains count from the start of the stage"},
    {"stages=[]", "'stages' must be a list of blocks, each beginning with '- name: ...'"},
};

TEST_EACH(wrong_settings_are_told, wrong_settings)
{
  const char *setting = wrong_settings[_i].setting, *settings[] = {setting, NULL};
  char wanted[1000], shown[200];
  snprintf(shown, sizeof shown, "%s", setting);
  for (char *c = shown; *c; c++)
    *c = *c == '\x1b' ? '?' : *c;
  snprintf(wanted, sizeof wanted, "--set %s: %s\n", shown, wrong_settings[_i].message);
  ck_assert_int_eq(read_with(small_case(0, NULL), settings), 2);
  ck_assert_str_eq(messages, wanted);
}

/* ---- What is wrong ----------------------------------------------------------------------------------------------- */

TEST_EACH(what_is_wrong_is_told_with_its_place, mistakes)
{
  char wanted[2000];
  snprintf(wanted, sizeof wanted, "dir/case.yaml:%s\n", mistakes[_i].message);
  ck_assert_int_eq(read_with(small_case(mistakes[_i].line, mistakes[_i].text), NULL), 2);
  drop_quotations();
  ck_assert_str_eq(messages, wanted);
}

TEST(the_line_is_shown_with_a_caret)
{
  ck_assert_int_eq(read_with(small_case(END, "skin:\t\"\u00E4\" # \u00B5m"), NULL), 2);
  ck_assert_str_eq(messages, "dir/case.yaml:8:7: 'skin' needs a number, not '\u00E4'\n"
                             "  skin:\t\"\u00E4\" # \u00B5m\n"
                             "       \t^\n");
}

TEST(of_long_lines_a_part_is_shown)
{
  char line[1000], wanted[1000], blanks[500];
  memset(blanks, ' ', sizeof blanks);
  snprintf(line, sizeof line, "{%.*sa: b,%.*sc}", 300, blanks, 300, blanks);
  ck_assert_int_eq(read_with(line, NULL), 2);
  char *first = strstr(messages, "unknown key 'a'");
  ck_assert_ptr_nonnull(first);
  snprintf(wanted, sizeof wanted, "\n  %.*sa: b,%.*s\n  %.*s^\n", 90, blanks, 25, blanks, 90, blanks);
  ck_assert_ptr_nonnull(strstr(first, wanted));
}

TEST(all_mistakes_are_told_in_their_order)
{
  static const char text[] = "jager: 1\n"
                             "seed: -1\n"
                             "material: {shear_modulus: 1, poisson: 1, friction: 0.5}\n"
                             "assembly: {lattice: {kind: sc, cells: [4, 4, 4], radius: 1 mm}}\n"
                             "skin: 2\n";
  ck_assert_int_eq(read_with(text, NULL), 2);
  drop_quotations();
  ck_assert_str_eq(
      messages,
      "dir/case.yaml:1:1: 'stages' is missing: write it like 'stages: [{name: rest, control: {xx: {stress: 100 "
      "kPa}, yy: {stress: 100 kPa}, zz: {stress: 100 kPa}}, until: {unbalanced: 1e-4}}]'\n"
      "dir/case.yaml:2:7: 'seed' must be a whole number in [0, 9223372036854775807]\n"
      "dir/case.yaml:3:1: 'density' is missing in 'material': write it like 'density: 2650 kg/m3'\n"
      "dir/case.yaml:3:39: 'poisson' must lie in (-1, 0.5], not '1'\n"
      "dir/case.yaml:5:7: 'skin' must lie in (0, 1], not '2'\n");
}

TEST(at_most_ten_mistakes_are_told)
{
  ck_assert_int_eq(read_with("{a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1, k: 1}", NULL), 2);
  drop_quotations();
  ck_assert_int_eq(lines_of(messages), 11);
  ck_assert_ptr_nonnull(strstr(messages, "\ndir/case.yaml: 15 errors in all; the first 10 are shown\n"));
}

/* The small case with a list of many items added, or with many more stages (`key` empty). */
static const char *case_with_items(const char *key, const char *item, int count)
{
  static char text[20000];
  size_t used = (size_t)snprintf(text, sizeof text, "%s%s", small_case(0, NULL), key);
  for (int i = 0; i < count; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%d%s", item, i, strchr(item, '\0') + 1);
  return text;
}

TEST(lists_have_limits)
{
  static const char stage[] = "- {name: s\0, mean_stress: {stress: 1 kPa}, until: {steps: 1}}\n";
  static const char trace[] = "- {every: 1, pair: [63, \0]}\n";
  read_good(case_with_items("", stage, DEM_STAGES_MAX - 1), NULL);
  ck_assert_int_eq(run.stage_count, DEM_STAGES_MAX);
  ck_assert_str_eq(run.stages[DEM_STAGES_MAX - 1].name, "s62");
  ck_assert_int_eq(read_with(case_with_items("", stage, DEM_STAGES_MAX), NULL), 2);
  drop_quotations();
  ck_assert_str_eq(messages, "dir/case.yaml:72:3: there may be at most 64 stages\n");
  read_good(case_with_items("trace:\n", trace, DEM_TRACES_MAX), NULL);
  ck_assert_int_eq(run.trace_count, DEM_TRACES_MAX);
  ck_assert_int_eq(read_with(case_with_items("trace:\n", trace, DEM_TRACES_MAX + 1), NULL), 2);
  drop_quotations();
  ck_assert_str_eq(messages, "dir/case.yaml:26:3: there may be at most 16 traces\n");
}

TEST(a_nul_byte_is_refused)
{
  static const char text[] = "jager: 1\nti\0tle: x\n";
  case_source source = {.path = "case.yaml"};
  char *told;
  int code = case_read_text(&description, &source, text, sizeof text - 1, NULL, &told);
  keep(code, told);
  ck_assert_int_eq(code, 2);
  ck_assert_str_eq(messages,
                   "case.yaml:2:3: the byte 0x00 is not allowed here: a case is text in UTF-8 without control "
                   "characters\n"
                   "  ti?tle: x\n"
                   "    ^\n");
}

static const char *const bad_characters[] = {
    "\x07",         "\x7F", "\xC2\x85", "\xC0\x80", "\xED\xA0\x80", "\xEF\xBB\xBF", "\xF4\x90\x80\x80",
    "\xE2\x80\xA8", "\xC3", "a\rb",     "\xFF",     "\xE2\x82"};

TEST_EACH(characters_that_are_none_are_refused, bad_characters)
{
  char text[100];
  snprintf(text, sizeof text, "jager: 1 # %s", bad_characters[_i]);
  ck_assert_int_eq(read_with(text, NULL), 2);
  ck_assert_ptr_nonnull(strstr(messages, "is not allowed here: a case is text in UTF-8 without control characters\n"));
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static char directory[] = "/tmp/test_case_XXXXXX";

static void write_file(const char *path, const char *text, size_t times)
{
  FILE *file = fopen(path, "w");
  for (size_t i = 0; i < times; i++)
    fputs(text, file);
  fclose(file);
}

/* Writes a file, reads it as a case and removes it. */
static int read_file(const char *text, size_t times, const char *const settings[], size_t setting_count, char **whole)
{
  char path[100];
  ck_assert_ptr_nonnull(mkdtemp(directory));
  snprintf(path, sizeof path, "%s/case.yaml", directory);
  write_file(path, text, times);
  case_source source = {.path = path, .settings = settings, .setting_count = setting_count};
  char *told;
  int code = case_read(&description, &source, whole, &told);
  keep(code, told);
  unlink(path);
  rmdir(directory);
  return code;
}

TEST(the_whole_input_is_handed_back)
{
  static const char *const settings[] = {"seed=3", "title=x"};
  char *whole = NULL, wanted[4000];
  const char *text = small_case(0, NULL);
  ck_assert_int_eq(read_file(text, 1, settings, 2, &whole), 0);
  snprintf(wanted, sizeof wanted, "%s# --set seed=3\n# --set title=x\n", text);
  ck_assert_str_eq(whole, wanted);
  ck_assert_uint_eq(run.seed, 3);
  free(whole);
}

TEST(a_last_line_without_end_gets_one)
{
  static const char *const settings[] = {"seed=3"};
  char *whole = NULL, text[4000];
  snprintf(text, sizeof text, "%s# no end", small_case(0, NULL));
  ck_assert_int_eq(read_file(text, 1, settings, 1, &whole), 0);
  ck_assert_str_eq(strstr(whole, "# no end"), "# no end\n# --set seed=3\n");
  free(whole);
}

/* Reads a recorded text with more settings. Returns the new record, to be freed; NULL: it was refused. */
static char *change_record(const char *record, const char *const settings[], size_t count)
{
  case_source source = {.path = "case.yaml", .settings = settings, .setting_count = count};
  char *told, *whole = NULL;
  int code = case_read_changed(&description, &source, record, &whole, &told);
  keep(code, told);
  return whole;
}

TEST(of_equal_keys_the_last_setting_is_recorded)
{
  static const char *const first[] = {"seed=3", "material.friction=0.2", "title=x"};
  static const char material[] = "material={friction: 0.4, shear_modulus: 1 GPa, poisson: 0, density: 1 kg/m3}";
  static const char *const second[] = {"seed=4", "seed=5", material};
  static const char *const third[] = {"titl=y"};
  const char *text = small_case(0, NULL);
  char wanted[4000], *one = change_record(text, first, 3);
  ck_assert(run.seed == 3 && run.material.friction == 0.2);
  snprintf(wanted, sizeof wanted, "%s# --set seed=3\n# --set material.friction=0.2\n# --set title=x\n", text);
  ck_assert_str_eq(one, wanted);
  char *two = change_record(one, second, 3);
  ck_assert(run.seed == 5 && run.material.friction == 0.4 && strcmp(run.title, "x") == 0);
  snprintf(wanted, sizeof wanted, "%s# --set title=x\n# --set seed=5\n# --set %s\n", text, second[2]);
  ck_assert_str_eq(two, wanted);
  ck_assert_ptr_null(change_record(two, third, 1)); /* a key that begins like another */
  ck_assert_ptr_nonnull(strstr(messages, "--set titl=y: unknown key"));
  free(one);
  free(two);
}

/* The last line of a file looks like a setting: it is a comment, and stays one. */
TEST(comments_of_a_file_are_not_taken_for_settings)
{
  static const char *const settings[] = {"title=x"};
  char text[4000];
  snprintf(text, sizeof text, "%s# --set seed=77", small_case(0, NULL));
  for (size_t count = 0; count < 2; count++) {
    case_source source = {.path = "case.yaml", .settings = settings, .setting_count = count};
    char *told, *whole;
    int code = case_read_text(&description, &source, text, strlen(text), &whole, &told);
    ck_assert_int_eq(keep(code, told), 0);
    uint64_t seed = run.seed;
    ck_assert_uint_ne(seed, 77);
    ck_assert_str_eq(strstr(whole, "# --set"),
                     count ? "# --set seed=77\n#\n# --set title=x\n" : "# --set seed=77\n#\n");
    char *again = change_record(whole, NULL, 0);
    ck_assert_uint_eq(run.seed, seed);
    ck_assert_str_eq(again, whole);
    free(whole);
    free(again);
  }
}

TEST(huge_files_are_refused)
{
  char wanted[200];
  ck_assert_int_eq(read_file("# 3456789\n", 100000, NULL, 0, NULL), 2); /* just small enough, but empty */
  ck_assert_ptr_nonnull(strstr(messages, "case.yaml:1:1: this is not a case: it is empty"));
  memcpy(directory + strlen(directory) - 6, "XXXXXX", 6);
  ck_assert_int_eq(read_file("# 3456789\n", 100001, NULL, 0, NULL), 2);
  snprintf(wanted, sizeof wanted, "%s/case.yaml: a case file must not be larger than 1000000 bytes\n", directory);
  ck_assert_str_eq(messages, wanted);
}

TEST(a_file_that_is_not_there_is_told)
{
  case_source source = {.path = "/nowhere/case.yaml"};
  char *told;
  int code = case_read(&description, &source, NULL, &told);
  keep(code, told);
  ck_assert_int_eq(code, 1);
  ck_assert_str_eq(messages, "/nowhere/case.yaml: cannot be read: No such file or directory\n");
}

TEST(numbers_do_not_depend_on_the_locale)
{
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (setlocale(LC_ALL, names[i]))
      break;
  read_good(whole_case, NULL);
  ck_assert(run.material.poisson == 0.15 && run.gravity[2] == -9.81);
  setlocale(LC_ALL, "C");
}

/* ---- What a case means ------------------------------------------------------------------------------------------- */

/* Every kind of key is in it, or comes by a setting. */
static const char all_keys[] =
    "jager: 1\n"
    "material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}\n"
    "contact: {model: linear, linear: {kn: 1 MN/m, kt: 1 MN/m}, contour: {kind: power, slope: 2, exponent: 1.5}}\n"
    "assembly: {packing: {spheres: 100, sizes: {lognormal: {median: 1 mm, deviation: 0.2}}, pressure: 1 kPa}}\n"
    "stages:\n"
    "- name: first\n"
    "  control: {xx: {stress: 1 kPa, ramp: 3}, yy: {strain_rate: 0}, zz: {strain_rate: 1}}\n"
    "  cyclic: {of: q, amplitude: 1 kPa}\n"
    "  until: {steps: 10}\n"
    "- name: second\n"
    "  mean_stress: {stress: 1 kPa}\n"
    "  until: {unbalanced: 1e-3}\n"
    "trace: [{born: {strain_zz: 0.1}, window: 0.01}, {pair: [1, 2]}]\n";

/* The "name: value" of the one key that a setting changes; NULL: the meaning is the same. */
static const struct {
  const char *setting, *line;
} meanings[] = {
    {"title=another", NULL},
    {"output={series: 3, snapshot: 1, vtk: 2, plots: false}", NULL},
    {"checkpoint={steps: 3, minutes: 1}", NULL},
    {"skin=0.5", NULL},
    {"stages.first.name=third", NULL},
    {"stages.first.output.series=5", NULL},
    {"stages.first.control.yy={strain_step: 0}", NULL},
    {"stages.first.control.xy={strain_rate: 0}", NULL},
    {"stages.first.control.xx.stress=0.001 MPa", NULL},
    {"trace.0.stage=second", NULL},
    {"damping={local: 0.2}", NULL},
    {"seed=8", "seed: 8"},
    {"material.shear_modulus=1 Pa", "material.shear_modulus: 1"},
    {"contact.linear.kn=2", "contact.linear.kn: 2"},
    {"contact.contour.slope=3", "contact.contour.slope: 3"},
    {"contact.contour.exponent=1.6", "contact.contour.exponent: 1.6"},
    {"time_step.interval=5", "time_step.interval: 5"},
    {"density_scaling=2", "density_scaling: 2"},
    {"gravity=[0, 0, -9.81]", "gravity.2: -9.81"},
    {"assembly.packing.sizes.lognormal.deviation=0.1", "assembly.packing.sizes.lognormal.deviation: 0.1"},
    {"assembly.packing.friction=2", "assembly.packing.friction: 2"},
    {"assembly.packing.aspect=[1, 2, 1]", "assembly.packing.aspect.1: 2"},
    {"assembly.packing.damping.global=1", "assembly.packing.damping.global: 1"},
    {"stages.first.control.xx.stress=2", "stages.0.control.xx.stress: 2"},
    {"stages.first.control.xx.ramp=2", "stages.0.control.xx.ramp: 2"},
    {"stages.first.control.yz={strain_step: 1e-6}", "stages.0.control.yz.strain_step: 1e-06"},
    {"stages.first.cyclic.of=p", "stages.0.cyclic.of: p"},
    {"stages.first.cyclic.center=1", "stages.0.cyclic.center: 1"},
    {"stages.first.until.cycles=1", "stages.0.until.cycles: 1"},
    {"stages.first.until.void_ratio=1", "stages.0.until.void_ratio: 1"},
    {"stages.first.friction=0.1", "stages.0.friction: 0.1"},
    {"stages.first.damping.local=0.1", "stages.0.damping.local: 0.1"},
    {"stages.second.mean_stress.stress=2", "stages.1.mean_stress.stress: 2"},
    {"stages.second.mean_stress.ramp=2", "stages.1.mean_stress.ramp: 2"},
    {"trace.0.born={strain_zz: 0.2}", "trace.0.born.strain_zz: 0.2"},
    {"trace.0.stage=first", "trace.0.stage: 0"},
    {"trace.0.every=2", "trace.0.every: 2"},
    {"trace.1.pair=[1, 3]", "trace.1.pair.1: 3"},
};

/* The keys of the case with a setting; NULL: without one. */
static char *keys_with(const char *setting)
{
  const char *settings[] = {setting, NULL};
  read_good(all_keys, setting ? settings : NULL);
  char *keys = dem_case_keys_print(&run);
  ck_assert_ptr_nonnull(keys);
  return keys;
}

/* The number of lines of `text` that `than` does not have; `last` is the last of them. */
static int other_lines(const char *text, const char *than, char last[200])
{
  int count = 0;
  for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
    char line[200];
    snprintf(line, sizeof line, "\n%.*s\n", (int)(end - text), text);
    bool is_first = strncmp(than, line + 1, strlen(line + 1)) == 0;
    if (is_first || strstr(than, line))
      continue;
    count++;
    snprintf(last, sizeof line, "%.*s", (int)(end - text), text);
  }
  return count;
}

TEST(keys_are_what_a_case_means)
{
  char *before = keys_with(NULL);
  for (size_t k = 0; k < sizeof meanings / sizeof *meanings; k++) {
    char *now = keys_with(meanings[k].setting), last[200] = "";
    int count = other_lines(now, before, last);
    ck_assert_msg(count == (meanings[k].line != NULL), "%s: %d keys are others", meanings[k].setting, count);
    if (meanings[k].line)
      ck_assert_str_eq(last, meanings[k].line);
    else
      ck_assert_str_eq(now, before);
    free(now);
  }
  ck_assert_ptr_nonnull(strstr(before, "\nstages.1.until.unbalanced: 0.001\n"));
  ck_assert_ptr_null(strstr(before, "stages.2."));
  free(before);
}

/* Whole cases and all their keys, in the order of docs/case.md. */
static const struct {
  const char *text, *keys;
} whole_meanings[] = {
    {"jager: 1\n"
     "material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}\n"
     "density_scaling: each\n"
     "time_step: {fixed: 1 us}\n"
     "assembly: {lattice: {kind: fcc, cells: [2, 3, 4], radius: 1 mm, overlap: 0.001}}\n"
     "stages:\n"
     "- name: loop\n"
     "  control: {xx: {stress: 1 kPa}, yy: {volume: constant}, zz: {volume: constant}}\n"
     "  cyclic:\n"
     "    paths: {xy: {strain: 1e-3, phase: 90}, xz: {stress: 2 kPa, center: 1 kPa, frequency: 2}}\n"
     "    steps_per_cycle: 400\n"
     "  until: {cycles: 3, r_u: 0.9}\n",
     "material.shear_modulus: 29000000000\nmaterial.poisson: 0.15\nmaterial.friction: 0.5\nmaterial.density: 2650\n"
     "contact.model: jager\ncontact.tolerance: 0\ncontact.dp_max: 0\ncontact.contour.kind: sphere\n"
     "time_step.fixed: 1e-06\ntime_step.safety: 0.8\ntime_step.interval: 50\ndensity_scaling: each\ngravity.0: 0\n"
     "gravity.1: 0\ngravity.2: 0\noverlap_limit: 0.1\nassembly.lattice.kind: fcc\nassembly.lattice.cells.0: 2\n"
     "assembly.lattice.cells.1: 3\nassembly.lattice.cells.2: 4\nassembly.lattice.radius: 0.001\n"
     "assembly.lattice.overlap: 0.001\nstages.0.control.xx.stress: 1000\nstages.0.control.xx.ramp: 0\n"
     "stages.0.control.yy.volume: constant\nstages.0.control.zz.volume: constant\n"
     "stages.0.control.xy.path_strain: 0.001\nstages.0.control.xy.frequency: 1\nstages.0.control.xy.phase: 0.25\n"
     "stages.0.control.xz.path_stress: 2000\nstages.0.control.xz.frequency: 2\nstages.0.control.xz.phase: 0\n"
     "stages.0.control.xz.center: 1000\nstages.0.cyclic.steps_per_cycle: 400\nstages.0.cyclic.run_in: 1\n"
     "stages.0.until.cycles: 3\nstages.0.until.r_u: 0.9\nstages.0.damping.viscous: 0\nstages.0.damping.local: 0.2\n"
     "stages.0.damping.global: 0\n"},
    {"jager: 1\n"
     "material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}\n"
     "contact: {model: hertz-mindlin}\n"
     "assembly:\n"
     "  packing:\n"
     "    {spheres: 100, sizes: {table: {diameter: [1 mm, 2 mm, 4 mm], passing: [0, 0.5, 1]}}, pressure: 2 kPa,\n"
     "     void_ratio: 0.7}\n"
     "stages:\n"
     "- name: shear\n"
     "  control: {xx: {stress: 1 kPa}, yy: {strain_step: 1e-7}, zz: {strain_rate: 1}}\n"
     "  inertial_number: 1e-3\n"
     "  cyclic: {of: stress_xz, csr: 0.2}\n"
     "  until: {time: 2 s}\n",
     "material.shear_modulus: 29000000000\nmaterial.poisson: 0.15\nmaterial.friction: 0.5\nmaterial.density: 2650\n"
     "contact.model: hertz-mindlin\ncontact.tolerance: 0\ncontact.dp_max: 0\ncontact.contour.kind: sphere\n"
     "time_step.safety: 0.8\ntime_step.interval: 50\ndensity_scaling: 1\ngravity.0: 0\ngravity.1: 0\ngravity.2: 0\n"
     "overlap_limit: 0.1\nseed: 1\nassembly.packing.spheres: 100\nassembly.packing.sizes.table.diameter.0: 0.001\n"
     "assembly.packing.sizes.table.passing.0: 0\nassembly.packing.sizes.table.diameter.1: 0.002\n"
     "assembly.packing.sizes.table.passing.1: 0.5\nassembly.packing.sizes.table.diameter.2: 0.004\n"
     "assembly.packing.sizes.table.passing.2: 1\nassembly.packing.pressure: 2000\nassembly.packing.friction: 0.5\n"
     "assembly.packing.void_ratio: 0.7\nassembly.packing.unbalanced: 0.01\nassembly.packing.max_steps: 1000000\n"
     "assembly.packing.aspect.0: 1\nassembly.packing.aspect.1: 1\nassembly.packing.aspect.2: 1\n"
     "assembly.packing.initial_density: 0.5\nassembly.packing.damping.viscous: 0.02\n"
     "assembly.packing.damping.local: 0.05\nassembly.packing.damping.global: 0\nstages.0.control.xx.stress: 1000\n"
     "stages.0.control.xx.ramp: 0\nstages.0.control.yy.strain_step: 1e-07\nstages.0.control.zz.strain_rate: 1\n"
     "stages.0.inertial_number: 0.001\nstages.0.cyclic.of: stress_xz\nstages.0.cyclic.csr: 0.2\n"
     "stages.0.until.time: 2\nstages.0.damping.viscous: 0\nstages.0.damping.local: 0.2\nstages.0.damping.global: 0\n"},
};

TEST_EACH(a_whole_case_means_all_its_keys, whole_meanings)
{
  read_good(whole_meanings[_i].text, NULL);
  char *keys = dem_case_keys_print(&run);
  ck_assert_str_eq(keys, whole_meanings[_i].keys);
  free(keys);
}
