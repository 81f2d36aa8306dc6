/* SPDX-License-Identifier: MIT */
/* A case as keys and values. */
#include "case_keys.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A new member of one of these structs needs a key below if results depend on it; then adapt the size here. */
#define KEYS_ARE_COMPLETE(type, size) _Static_assert(sizeof(void *) != 8 || sizeof(type) == (size), "a key is missing")
KEYS_ARE_COMPLETE(dem_material, 32);
KEYS_ARE_COMPLETE(dem_contact_law, 64);
KEYS_ARE_COMPLETE(dem_damping, 24);
KEYS_ARE_COMPLETE(dem_time_step, 24);
KEYS_ARE_COMPLETE(dem_sizes, 1072);
KEYS_ARE_COMPLETE(dem_packing, 1184);
KEYS_ARE_COMPLETE(dem_lattice, 32);
KEYS_ARE_COMPLETE(dem_assembly, 1240);
KEYS_ARE_COMPLETE(dem_wave, 24);
KEYS_ARE_COMPLETE(dem_control, 48);
KEYS_ARE_COMPLETE(dem_cyclic, 56);
KEYS_ARE_COMPLETE(dem_until, 168);
KEYS_ARE_COMPLETE(dem_stage, 680);
KEYS_ARE_COMPLETE(dem_trace, 104);
KEYS_ARE_COMPLETE(dem_case, 46656);

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void put_number(FILE *out, double value, const char *name, ...)
{
  char text[32];
  va_list arguments;
  va_start(arguments, name);
  vfprintf(out, name, arguments);
  va_end(arguments);
  for (int digits = 15; digits <= 17; digits++) { /* the fewest digits that give the same number */
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (!(strtod(text, NULL) < value) && !(strtod(text, NULL) > value))
      break;
  }
  fprintf(out, ": %s\n", text);
}

__attribute__((format(printf, 3, 4))) static void put_whole(FILE *out, long long value, const char *name, ...)
{
  va_list arguments;
  va_start(arguments, name);
  vfprintf(out, name, arguments);
  va_end(arguments);
  fprintf(out, ": %lld\n", value);
}

static void put_word(FILE *out, const char *value, const char *name)
{
  fprintf(out, "%s: ", name);
  for (; *value; value++)
    fputc(*value == '\n' ? '?' : *value, out); /* a key is one line */
  fputc('\n', out);
}

/* ---- Grains ------------------------------------------------------------------------------------------------------ */

static void print_contact(FILE *out, const dem_contact_law *law)
{
  put_word(out, jager_model_name(law->model), "contact.model");
  put_number(out, law->tolerance, "contact.tolerance");
  put_number(out, law->dp_max, "contact.dp_max");
  put_word(out, jager_contour_name(law->contour), "contact.contour.kind");
  if (law->contour != JAGER_CONTOUR_SPHERE)
    put_number(out, law->slope, "contact.contour.slope");
  if (law->contour == JAGER_CONTOUR_POWER)
    put_number(out, law->exponent, "contact.contour.exponent");
  if (law->model == JAGER_MODEL_LINEAR) {
    put_number(out, law->linear_kn, "contact.linear.kn");
    put_number(out, law->linear_kt, "contact.linear.kt");
  }
}

static void print_damping(FILE *out, const dem_damping *damping, const char *of)
{
  put_number(out, damping->viscous, "%s.viscous", of);
  put_number(out, damping->local, "%s.local", of);
  put_number(out, damping->global, "%s.global", of);
}

static void print_time_step(FILE *out, const dem_case *run)
{
  const dem_time_step *step = &run->time_step;
  if (step->fixed > 0.0)
    put_number(out, step->fixed, "time_step.fixed");
  if (!(step->fixed > 0.0) || run->scales_each_sphere)
    put_number(out, step->safety, "time_step.safety");
  put_whole(out, step->interval, "time_step.interval"); /* the modulus of the servo is updated with a fixed step, too */
}

/* ---- The assembly ------------------------------------------------------------------------------------------------ */

static void print_sizes(FILE *out, const dem_sizes *sizes)
{
  static const char *const names[] = {
      [DEM_SIZES_UNIFORM] = "uniform", [DEM_SIZES_LOGNORMAL] = "lognormal", [DEM_SIZES_TABLE] = "table"};
  const char *name = names[sizes->distribution];
  for (int k = 0; sizes->distribution == DEM_SIZES_TABLE && k < sizes->count; k++) {
    put_number(out, sizes->diameter[k], "assembly.packing.sizes.%s.diameter.%d", name, k);
    put_number(out, sizes->passing[k], "assembly.packing.sizes.%s.passing.%d", name, k);
  }
  if (sizes->distribution == DEM_SIZES_LOGNORMAL) {
    put_number(out, sizes->median, "assembly.packing.sizes.%s.median", name);
    put_number(out, sizes->deviation, "assembly.packing.sizes.%s.deviation", name);
  }
  if (sizes->distribution != DEM_SIZES_TABLE) {
    put_number(out, sizes->min, "assembly.packing.sizes.%s.min", name);
    put_number(out, sizes->max, "assembly.packing.sizes.%s.max", name);
  }
}

static void print_packing(FILE *out, const dem_case *run)
{
  const dem_packing *packing = &run->assembly.packing;
  put_whole(out, (long long)run->seed, "seed");
  put_whole(out, packing->spheres, "assembly.packing.spheres");
  print_sizes(out, &packing->sizes);
  put_number(out, packing->pressure, "assembly.packing.pressure");
  put_number(out, dem_case_packing_friction(run), "assembly.packing.friction");
  if (packing->target == DEM_PACKING_VOID_RATIO)
    put_number(out, packing->target_value, "assembly.packing.void_ratio");
  if (packing->target == DEM_PACKING_RELATIVE_DENSITY)
    put_number(out, packing->target_value, "assembly.packing.relative_density");
  put_number(out, packing->unbalanced, "assembly.packing.unbalanced");
  put_whole(out, packing->max_steps, "assembly.packing.max_steps");
  for (int k = 0; k < 3; k++)
    put_number(out, packing->aspect[k], "assembly.packing.aspect.%d", k);
  put_number(out, packing->initial_density, "assembly.packing.initial_density");
  print_damping(out, &packing->damping, "assembly.packing.damping");
}

static void print_lattice(FILE *out, const dem_lattice *lattice)
{
  put_word(out, lattice->kind == DEM_LATTICE_FCC ? "fcc" : "sc", "assembly.lattice.kind");
  for (int k = 0; k < 3; k++)
    put_whole(out, lattice->cells[k], "assembly.lattice.cells.%d", k);
  put_number(out, lattice->radius, "assembly.lattice.radius");
  put_number(out, lattice->overlap, "assembly.lattice.overlap");
}

static void print_assembly(FILE *out, const dem_case *run)
{
  const dem_assembly *assembly = &run->assembly;
  const char *file = assembly->name ? assembly->name : assembly->path;
  switch (assembly->source) {
  case DEM_SOURCE_PACKING:
    print_packing(out, run);
    break;
  case DEM_SOURCE_LATTICE:
    print_lattice(out, &assembly->lattice);
    break;
  case DEM_SOURCE_FILE:
    put_word(out, file ? file : "", "assembly.file");
    break;
  case DEM_SOURCE_CHECKPOINT:
    put_word(out, file ? file : "", "assembly.checkpoint");
    break;
  }
}

/* ---- Stages ------------------------------------------------------------------------------------------------------ */

/* A component with zero strain rate has no key, whichever way the case says it. */
static void print_control(FILE *out, const dem_control *control, const char *of)
{
  static const char *const kinds[] = {
      [DEM_CONTROL_STRAIN_RATE] = "strain_rate", [DEM_CONTROL_STRAIN_STEP] = "strain_step",
      [DEM_CONTROL_STRAIN] = "strain",           [DEM_CONTROL_STRESS] = "stress",
      [DEM_CONTROL_VOLUME] = "volume",           [DEM_CONTROL_STRAIN_PATH] = "path_strain",
      [DEM_CONTROL_STRESS_PATH] = "path_stress"};
  bool is_speed = control->kind == DEM_CONTROL_STRAIN_RATE || control->kind == DEM_CONTROL_STRAIN_STEP;
  if (control->kind == DEM_CONTROL_VOLUME)
    fprintf(out, "%s.volume: constant\n", of);
  else if (!is_speed || control->value < 0.0 || control->value > 0.0)
    put_number(out, control->value, "%s.%s", of, kinds[control->kind]);
  if (control->kind == DEM_CONTROL_STRESS)
    put_whole(out, control->ramp, "%s.ramp", of);
  if (control->kind < DEM_CONTROL_STRAIN_PATH)
    return;
  put_number(out, control->wave.frequency, "%s.frequency", of);
  put_number(out, control->wave.phase, "%s.phase", of);
  if (!isnan(control->wave.center))
    put_number(out, control->wave.center, "%s.center", of);
}

static void print_controls(FILE *out, const dem_stage *stage, int number)
{
  char of[64];
  for (int k = 0; k < DEM_COMPONENTS; k++) {
    const char *component = dem_quantity_name((dem_quantity)(DEM_STRAIN + k)) + strlen("strain_");
    snprintf(of, sizeof of, "stages.%d.control.%s", number, component);
    print_control(out, &stage->control[k], of);
  }
  snprintf(of, sizeof of, "stages.%d.mean_stress", number);
  if (stage->mean_stress_is_held)
    print_control(out, &stage->mean_stress, of);
}

static void print_until(FILE *out, const dem_until *until, int number)
{
  if (until->steps > 0)
    put_whole(out, until->steps, "stages.%d.until.steps", number);
  if (until->time > 0.0)
    put_number(out, until->time, "stages.%d.until.time", number);
  if (until->cycles > 0.0)
    put_number(out, until->cycles, "stages.%d.until.cycles", number);
  if (until->unbalanced > 0.0)
    put_number(out, until->unbalanced, "stages.%d.until.unbalanced", number);
  for (int k = 0; k < until->count; k++)
    put_number(out, until->criteria[k].value, "stages.%d.until.%s", number, dem_quantity_name(until->criteria[k].of));
}

static void print_cyclic(FILE *out, const dem_cyclic *cyclic, int number)
{
  if (cyclic->on && !cyclic->has_paths) {
    fprintf(out, "stages.%d.cyclic.of: %s\n", number, dem_quantity_name(cyclic->of));
    if (cyclic->stress_ratio > 0.0)
      put_number(out, cyclic->stress_ratio, "stages.%d.cyclic.csr", number);
    else
      put_number(out, cyclic->amplitude, "stages.%d.cyclic.amplitude", number);
    if (!isnan(cyclic->center))
      put_number(out, cyclic->center, "stages.%d.cyclic.center", number);
  }
  if (cyclic->steps_per_cycle > 0)
    put_whole(out, cyclic->steps_per_cycle, "stages.%d.cyclic.steps_per_cycle", number);
  if (cyclic->period > 0.0)
    put_number(out, cyclic->period, "stages.%d.cyclic.period", number);
  if (cyclic->has_paths)
    put_number(out, cyclic->run_in, "stages.%d.cyclic.run_in", number);
}

static void print_stage(FILE *out, const dem_stage *stage, int number)
{
  char of[64];
  print_controls(out, stage, number);
  if (stage->inertial_number > 0.0)
    put_number(out, stage->inertial_number, "stages.%d.inertial_number", number);
  print_cyclic(out, &stage->cyclic, number);
  print_until(out, &stage->until, number);
  if (!isnan(stage->friction))
    put_number(out, stage->friction, "stages.%d.friction", number);
  if (stage->stops_spheres)
    fprintf(out, "stages.%d.stop_spheres: true\n", number);
  snprintf(of, sizeof of, "stages.%d.damping", number);
  print_damping(out, &stage->damping, of);
}

/* ---- Traces ------------------------------------------------------------------------------------------------------ */

/* The key has the number of the stage, from 0, since names of stages change no result. */
static int stage_of_trace(const dem_case *run, const dem_trace *trace)
{
  for (int k = 0; trace->stage[0] != '\0' && k < run->stage_count; k++)
    if (strcmp(run->stages[k].name, trace->stage) == 0)
      return k;
  return run->stage_count - 1;
}

static void print_trace(FILE *out, const dem_case *run, int number)
{
  const dem_trace *trace = &run->traces[number];
  if (trace->kind == DEM_TRACE_PAIR) {
    put_whole(out, trace->ids[0], "trace.%d.pair.0", number);
    put_whole(out, trace->ids[1], "trace.%d.pair.1", number);
  } else {
    put_number(out, trace->strain, "trace.%d.born.%s", number,
               dem_quantity_name((dem_quantity)(DEM_STRAIN + trace->component)));
    put_whole(out, stage_of_trace(run, trace), "trace.%d.stage", number);
    put_number(out, trace->window, "trace.%d.window", number);
  }
  put_whole(out, trace->every, "trace.%d.every", number);
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static void print_case(FILE *out, const dem_case *run)
{
  put_number(out, run->material.shear_modulus, "material.shear_modulus");
  put_number(out, run->material.poisson, "material.poisson");
  put_number(out, run->material.friction, "material.friction");
  put_number(out, run->material.density, "material.density");
  print_contact(out, &run->contact);
  print_time_step(out, run);
  if (run->scales_each_sphere)
    put_word(out, "each", "density_scaling");
  else
    put_number(out, run->density_scaling, "density_scaling");
  for (int k = 0; k < 3; k++)
    put_number(out, run->gravity[k], "gravity.%d", k);
  put_number(out, run->overlap_limit, "overlap_limit");
  print_assembly(out, run);
  for (int k = 0; k < run->stage_count; k++)
    print_stage(out, &run->stages[k], k);
  for (int k = 0; k < run->trace_count; k++)
    print_trace(out, run, k);
}

/* Numbers have a decimal point in every locale. */
static locale_t point_locale(void)
{
  return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

char *dem_case_keys_print(const dem_case *run)
{
  char *text = NULL;
  size_t size;
  locale_t point = point_locale();
  FILE *out = point ? open_memstream(&text, &size) : NULL;
  if (out) {
    locale_t before = uselocale(point);
    print_case(out, run);
    uselocale(before);
    bool failed = ferror(out);
    if (fclose(out) != 0 || failed) {
      free(text);
      text = NULL;
    }
  }
  if (point)
    freelocale(point);
  return text;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

bool dem_case_keys_parse(case_keys *keys, char *text)
{
  *keys = (case_keys){.text = text};
  size_t lines = 0;
  for (const char *at = text; at && *at; at++)
    lines += *at == '\n';
  keys->list = text ? malloc((lines + 1) * sizeof *keys->list) : NULL;
  if (!keys->list) {
    dem_case_keys_free(keys);
    return false;
  }
  char *rest = NULL;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    char *colon = strstr(line, ": ");
    if (!colon || keys->count > lines)
      continue;
    *colon = '\0';
    keys->list[keys->count++] = (case_key){.name = line, .value = colon + 2};
  }
  return true;
}

void dem_case_keys_free(case_keys *keys)
{
  free(keys->text);
  free(keys->list);
  *keys = (case_keys){.text = NULL};
}

const char *dem_case_keys_find(const case_keys *keys, const char *name)
{
  for (size_t k = 0; k < keys->count; k++)
    if (strcmp(keys->list[k].name, name) == 0)
      return keys->list[k].value;
  return NULL;
}

double dem_case_key_number(const char *value)
{
  locale_t point = point_locale();
  char *end = NULL;
  double number = point ? strtod_l(value, &end, point) : NAN;
  if (point)
    freelocale(point);
  return end && end != value && *end == '\0' ? number : NAN;
}
