/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the reader of cases. The input is a case file, then settings, each after a byte 0xFF, which no text contains.
 * For any bytes must hold:
 *   - a case that is accepted keeps the ranges of docs/case.md, written here a second time;
 *   - a refusal has lines that begin with the file, a line and a column, or with the setting;
 *   - a second reading gives the same, and so does reading an accepted case with a comment at its end, or with its
 *     settings as comments there, as a run records it.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "case/reader.h"
#include "fuzz_input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int within(double value, double min, double max)
{
  return value >= min && value <= max;
}

/* ---- What is accepted -------------------------------------------------------------------------------------------- */

static void check_damping(const dem_damping *damping)
{
  require(within(damping->viscous, 0, 1) && within(damping->local, 0, 1) && damping->local < 1);
  require(within(damping->global, 0, 1e12));
}

static void check_sizes(const dem_sizes *sizes)
{
  switch (sizes->distribution) {
  case DEM_SIZES_UNIFORM:
    require(within(sizes->min, 1e-9, 1e6) && within(sizes->max, sizes->min, 1e6));
    break;
  case DEM_SIZES_LOGNORMAL:
    require(within(sizes->median, 1e-9, 1e6) && within(sizes->deviation, 0, 2));
    require(sizes->min >= 0 && sizes->min <= sizes->median && (sizes->max == 0 || sizes->max >= sizes->median));
    break;
  case DEM_SIZES_TABLE:
    require(within(sizes->count, 2, DEM_SIZES_MAX));
    require(sizes->passing[0] == 0.0 && sizes->passing[sizes->count - 1] == 1.0 && sizes->diameter[0] >= 1e-9);
    for (int i = 1; i < sizes->count; i++)
      require(sizes->diameter[i] > sizes->diameter[i - 1] && sizes->passing[i] >= sizes->passing[i - 1]);
    break;
  }
}

static void check_packing(const dem_packing *packing)
{
  require(within((double)packing->spheres, 8, DEM_SPHERES_MAX) && packing->max_steps >= 1);
  require(packing->pressure > 0 && packing->pressure <= 1e15 && within(packing->friction, 0, 1e6));
  require(packing->unbalanced > 0 && packing->unbalanced <= 1 && within(packing->initial_density, 0.01, 0.7));
  for (int i = 0; i < 3; i++)
    require(within(packing->aspect[i], 0.01, 100));
  check_sizes(&packing->sizes);
  check_damping(&packing->damping);
}

static void check_assembly(const dem_assembly *assembly)
{
  const dem_lattice *lattice = &assembly->lattice;
  double spheres = lattice->kind == DEM_LATTICE_FCC ? 4 : 1;
  switch (assembly->source) {
  case DEM_SOURCE_PACKING:
    check_packing(&assembly->packing);
    break;
  case DEM_SOURCE_LATTICE:
    for (int i = 0; i < 3; spheres *= lattice->cells[i++])
      require(lattice->cells[i] >= 1);
    require(spheres <= DEM_SPHERES_MAX && within(lattice->radius, 1e-9, 1e6) && within(lattice->overlap, 0, 0.1));
    break;
  case DEM_SOURCE_FILE:
  case DEM_SOURCE_CHECKPOINT:
    require(assembly->path && *assembly->path);
    break;
  }
}

static void check_control(const dem_control *control, int component)
{
  int is_normal = component <= DEM_ZZ;
  require(isfinite(control->value) && control->ramp >= 0);
  if (control->kind >= DEM_CONTROL_STRAIN_PATH)
    require(control->value > 0 && control->wave.frequency > 0 && within(control->wave.phase, -1, 1));
  if (control->kind == DEM_CONTROL_STRESS && is_normal)
    require(control->value > 0);
  if (control->kind == DEM_CONTROL_VOLUME)
    require(is_normal);
  if (control->kind != DEM_CONTROL_STRESS)
    require(control->ramp == 0);
}

static void check_until(const dem_stage *stage)
{
  const dem_until *until = &stage->until;
  require(until->steps >= 0 && until->time >= 0 && until->cycles >= 0 && within(until->unbalanced, 0, 1));
  require(until->steps > 0 || until->time > 0 || until->cycles > 0 || until->unbalanced > 0 || until->count > 0);
  require(until->count <= DEM_CRITERIA_MAX && (until->cycles == 0 || stage->cyclic.on));
  for (int i = 0; i < until->count; i++)
    require(isfinite(until->criteria[i].value) && (unsigned)until->criteria[i].of < DEM_QUANTITIES);
}

static void check_stage(const dem_stage *stage)
{
  int volumes = 0;
  require(*stage->name && strlen(stage->name) < DEM_NAME_MAX);
  for (int i = 0; i < DEM_COMPONENTS; i++) {
    check_control(&stage->control[i], i);
    volumes += stage->control[i].kind == DEM_CONTROL_VOLUME;
    if (stage->control[i].kind == DEM_CONTROL_STRAIN)
      require((stage->until.steps > 0) != (stage->until.time > 0) && !stage->cyclic.on);
    if (stage->mean_stress_is_held && i <= DEM_ZZ)
      require(stage->control[i].kind <= DEM_CONTROL_STRAIN_STEP);
  }
  require(volumes < 3 && (!stage->mean_stress_is_held || stage->mean_stress.value > 0));
  const dem_cyclic *cyclic = &stage->cyclic;
  if (cyclic->on && !cyclic->has_paths)
    require((cyclic->amplitude > 0) != (cyclic->stress_ratio > 0) && cyclic->of <= DEM_DEVIATOR);
  if (cyclic->has_paths)
    require(cyclic->on && (cyclic->period > 0) != (cyclic->steps_per_cycle > 0 || stage->inertial_number > 0));
  require(within(stage->inertial_number, 0, 0.1));
  require(isnan(stage->friction) || within(stage->friction, 0, 1e6));
  check_until(stage);
  check_damping(&stage->damping);
}

static void check_trace(const dem_trace *trace)
{
  require(trace->every >= 1);
  if (trace->kind == DEM_TRACE_PAIR)
    require(trace->ids[0] != trace->ids[1]);
  else
    require(trace->window > 0 && isfinite(trace->strain) && trace->component < DEM_COMPONENTS);
}

static void check_output(const run_output *output, int stage_count)
{
  require(output->checkpoint_steps >= 0 && within(output->checkpoint_minutes, 0, 1e6));
  for (int i = 0; i < stage_count; i++)
    require(output->stages[i].series >= 0 && output->stages[i].snapshot >= 0 && output->stages[i].vtk >= 0);
}

static void check_case(const dem_case *run)
{
  const dem_material *material = &run->material;
  require(within(material->shear_modulus, 1e-30, 1e30) && material->poisson > -1 && material->poisson <= 0.5);
  require(within(material->friction, 0, 1e6) && within(material->density, 1e-9, 1e9));
  require(run->contact.model < JAGER_MODEL_COUNT && run->contact.contour < JAGER_CONTOUR_COUNT);
  require(run->time_step.fixed >= 0 && run->time_step.safety > 0 && run->time_step.safety <= 1);
  require(run->time_step.interval >= 1 && within(run->density_scaling, 1, 1e12));
  require(run->overlap_limit > 0 && run->overlap_limit <= 1 && run->skin >= 0 && run->skin <= 1);
  require(run->seed <= INT64_MAX);
  require(within(run->stage_count, 1, DEM_STAGES_MAX) && within(run->trace_count, 0, DEM_TRACES_MAX));
  for (int i = 0; i < 3; i++)
    require(fabs(run->gravity[i]) <= 1e9);
  check_damping(&run->damping);
  check_assembly(&run->assembly);
  for (int i = 0; i < run->stage_count; i++)
    check_stage(&run->stages[i]);
  for (int i = 0; i < run->trace_count; i++)
    check_trace(&run->traces[i]);
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

static int is_message(const char *line)
{
  size_t place_line, place_column;
  char after;
  if (strncmp(line, "--set ", 6) == 0 || strncmp(line, "dir/name: ", 10) == 0)
    return 1;
  return sscanf(line, "dir/name:%zu:%zu: %c", &place_line, &place_column, &after) == 3 && place_line >= 1 &&
         place_column >= 1;
}

/* Messages, and only they, begin in the first column; quoted lines of the file are indented. Warnings say so. */
static void check_messages(const char *messages, int are_warnings)
{
  for (const char *line = messages; *line; line = strchr(line, '\n') + 1) {
    require(strchr(line, '\n') != NULL);
    require(strncmp(line, "  ", 2) == 0 || is_message(line));
    const char *warning = strstr(line, "warning");
    require(!are_warnings || strncmp(line, "  ", 2) == 0 || (warning && warning < strchr(line, '\n')));
  }
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

enum { SETTINGS_MAX = 8 };

/* The result of reading: the case in words, or the messages. One stream for all, since opening takes long. */
typedef struct result {
  FILE *stream;
  char *text;
  size_t length;
} result;

static int is_same(const result *a, const result *b)
{
  return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* Checks and frees the result of a reader. Returns whether the case is accepted. */
static int take_result(result *to, int code, run_case *run, char *messages)
{
  require(code == 0 || code == 2);
  require(code == 0 || (messages && *messages));
  if (!to->stream)
    to->stream = open_memstream(&to->text, &to->length);
  require(to->stream && fseek(to->stream, 0, SEEK_SET) == 0);
  if (messages) {
    check_messages(messages, code == 0);
    fputs(messages, to->stream);
  }
  free(messages);
  if (code == 0) {
    check_case(&run->simulation);
    check_output(&run->output, run->simulation.stage_count);
    case_print(run, to->stream);
    run_case_free(run);
  }
  require(fflush(to->stream) == 0);
  return code == 0;
}

/* The text and an end, in a block of just their size, so that a sanitizer sees any access beyond */
static int read_text(const case_source *source, const char *text, size_t size, const char *end, char **input,
                     result *to)
{
  size_t whole = size + strlen(end);
  char *exact = malloc(whole ? whole : 1), *messages;
  run_case run;
  require(exact != NULL);
  memcpy(exact, text, size);
  memcpy(exact + size, end, whole - size);
  int code = case_read_text(&run, source, exact, whole, input, &messages);
  free(exact);
  return take_result(to, code, &run, messages);
}

static int read_recorded(const char *input, result *to)
{
  char *messages;
  run_case run;
  int code = case_read_recorded(&run, "dir/name", input, &messages);
  return take_result(to, code, &run, messages);
}

static void check_text(const case_source *source, const char *text, size_t size)
{
  static result first, again;
  char *input = NULL;
  if (!read_text(source, text, size, "", &input, &first)) {
    require(!read_text(source, text, size, "", NULL, &again) && is_same(&first, &again));
    return;
  }
  require(read_text(source, text, size, "\n# comment: [\n", NULL, &again) && is_same(&first, &again));
  require(read_recorded(input, &again) && is_same(&first, &again));
  free(input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const char *settings[SETTINGS_MAX];
  char *copy = malloc(size + 1);
  require(copy != NULL);
  if (size > 0)
    memcpy(copy, data, size);
  copy[size] = '\0';
  case_source source = {.path = "dir/name", .settings = settings};
  size_t text_size = size;
  for (size_t i = size; i-- > 0;)
    if (data[i] == 0xFF && source.setting_count < SETTINGS_MAX) {
      settings[source.setting_count++] = copy + i + 1;
      copy[i] = '\0';
      text_size = i;
    }
  check_text(&source, copy, text_size);
  free(copy);
  return 0;
}
