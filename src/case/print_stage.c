/* SPDX-License-Identifier: MIT */
/* Prints a stage of a case: "xx stress 100 kPa, yy held, zz 1e-6 a step; until strain_zz = 0.04". */
#include "print.h"
#include "parts.h"
#include "units.h"

#include <math.h>

void case_print_damping(const dem_damping *damping, FILE *stream)
{
  char viscous[QUANTITY_TEXT_SIZE], local[QUANTITY_TEXT_SIZE], global[QUANTITY_TEXT_SIZE];
  fprintf(stream, "viscous %s, local %s, global %s", number_print_shortest(damping->viscous, viscous),
          number_print_shortest(damping->local, local), quantity_print(damping->global, DIMENSION_RATE, global));
}

/* ---- Loading ----------------------------------------------------------------------------------------------------- */

static bool is_held(const dem_control *control)
{
  return control->kind <= DEM_CONTROL_STRAIN && control->value == 0.0;
}

static void print_wave(const dem_control *control, FILE *stream)
{
  char value[QUANTITY_TEXT_SIZE], frequency[QUANTITY_TEXT_SIZE], phase[QUANTITY_TEXT_SIZE], center[QUANTITY_TEXT_SIZE];
  bool is_strain = control->kind == DEM_CONTROL_STRAIN_PATH;
  fprintf(stream, "%s on a wave of %s", is_strain ? "strain" : "stress",
          quantity_print(control->value, is_strain ? DIMENSION_NONE : DIMENSION_PRESSURE, value));
  if (!isnan(control->wave.center))
    fprintf(stream, " about %s", quantity_print(control->wave.center, DIMENSION_PRESSURE, center));
  fprintf(stream, " (frequency %s, phase %s degrees)", number_print_shortest(control->wave.frequency, frequency),
          number_print_shortest(360.0 * control->wave.phase, phase));
}

static void print_control(const dem_control *control, FILE *stream)
{
  char value[QUANTITY_TEXT_SIZE];
  if (is_held(control)) {
    fprintf(stream, "held");
    return;
  }
  switch (control->kind) {
  case DEM_CONTROL_STRAIN_RATE:
    fprintf(stream, "%s", quantity_print(control->value, DIMENSION_RATE, value));
    break;
  case DEM_CONTROL_STRAIN_STEP:
    fprintf(stream, "%s a step", number_print_shortest(control->value, value));
    break;
  case DEM_CONTROL_STRAIN:
    fprintf(stream, "strain to %s", number_print_shortest(control->value, value));
    break;
  case DEM_CONTROL_STRESS:
    fprintf(stream, "stress %s", quantity_print(control->value, DIMENSION_PRESSURE, value));
    if (control->ramp > 0)
      fprintf(stream, " within %ld steps", control->ramp);
    break;
  case DEM_CONTROL_VOLUME:
    fprintf(stream, "for constant volume");
    break;
  case DEM_CONTROL_STRAIN_PATH:
  case DEM_CONTROL_STRESS_PATH:
    print_wave(control, stream);
    break;
  }
}

/* A component that is held is printed only if it is a normal one, and not if the mean stress moves it. */
static bool is_printed(const dem_stage *stage, int component)
{
  bool is_normal = component <= DEM_ZZ;
  return !is_held(&stage->control[component]) || (is_normal && !stage->mean_stress_is_held);
}

static void print_controls(const dem_stage *stage, FILE *stream)
{
  bool is_first = !stage->mean_stress_is_held;
  if (stage->mean_stress_is_held) {
    fprintf(stream, "mean ");
    print_control(&stage->mean_stress, stream);
  }
  for (int i = 0; i < DEM_COMPONENTS; i++)
    if (is_printed(stage, i)) {
      fprintf(stream, "%s%s ", is_first ? "" : ", ", case_component_names[i]);
      print_control(&stage->control[i], stream);
      is_first = false;
    }
}

static case_dimension dimension_of(dem_quantity quantity)
{
  return quantity >= DEM_STRESS && quantity <= DEM_DEVIATOR ? DIMENSION_PRESSURE : DIMENSION_NONE;
}

static void print_paths(const dem_cyclic *cyclic, FILE *stream)
{
  char value[QUANTITY_TEXT_SIZE];
  if (cyclic->steps_per_cycle > 0)
    fprintf(stream, "; cycles of %ld steps", cyclic->steps_per_cycle);
  if (cyclic->period > 0.0)
    fprintf(stream, "; cycles of %s", quantity_print(cyclic->period, DIMENSION_TIME, value));
  fprintf(stream, "; run-in of %s cycles", number_print_shortest(cyclic->run_in, value));
}

static void print_cyclic(const dem_cyclic *cyclic, FILE *stream)
{
  char amplitude[QUANTITY_TEXT_SIZE], center[QUANTITY_TEXT_SIZE];
  if (cyclic->has_paths)
    print_paths(cyclic, stream);
  if (!cyclic->on || cyclic->has_paths)
    return;
  fprintf(stream, "; reversed when %s is ", dem_quantity_name(cyclic->of));
  if (cyclic->stress_ratio > 0.0)
    fprintf(stream, "the stress ratio %s from ", number_print_shortest(cyclic->stress_ratio, amplitude));
  else
    fprintf(stream, "%s from ", quantity_print(cyclic->amplitude, dimension_of(cyclic->of), amplitude));
  if (isnan(cyclic->center))
    fprintf(stream, "its start");
  else
    fprintf(stream, "%s", quantity_print(cyclic->center, DIMENSION_PRESSURE, center));
}

/* ---- End of the stage -------------------------------------------------------------------------------------------- */

static const char *next_word(int *count)
{
  return (*count)++ == 0 ? "; until " : " or ";
}

static void print_until(const dem_until *until, FILE *stream)
{
  char value[QUANTITY_TEXT_SIZE];
  int count = 0;
  for (int i = 0; i < until->count; i++) {
    dem_quantity of = until->criteria[i].of;
    fprintf(stream, "%s%s = %s", next_word(&count), dem_quantity_name(of),
            quantity_print(until->criteria[i].value, dimension_of(of), value));
  }
  if (until->unbalanced > 0.0)
    fprintf(stream, "%sunbalanced < %s", next_word(&count), number_print_shortest(until->unbalanced, value));
  if (until->cycles > 0.0)
    fprintf(stream, "%s%s cycles", next_word(&count), number_print_shortest(until->cycles, value));
  if (until->time > 0.0)
    fprintf(stream, "%s%s", next_word(&count), quantity_print(until->time, DIMENSION_TIME, value));
  if (until->steps > 0)
    fprintf(stream, "%s%ld steps", next_word(&count), until->steps);
}

/* ---- Output ------------------------------------------------------------------------------------------------------ */

static void print_every(const char *what, long steps, FILE *stream)
{
  if (steps > 0)
    fprintf(stream, "%s every %ld step%s", what, steps, steps == 1 ? "" : "s");
  else
    fprintf(stream, "no %s", what);
}

static void print_intervals(const output_intervals *output, FILE *stream)
{
  fprintf(stream, "            ");
  print_every("series", output->series, stream);
  fprintf(stream, ", ");
  print_every("snapshots", output->snapshot, stream);
  fprintf(stream, ", ");
  print_every("vtk", output->vtk, stream);
  fputc('\n', stream);
}

static bool is_same_damping(const dem_damping *a, const dem_damping *b)
{
  return a->viscous == b->viscous && a->local == b->local && a->global == b->global;
}

void case_print_stage(const run_case *run, int number, FILE *stream)
{
  char friction[QUANTITY_TEXT_SIZE], number_text[QUANTITY_TEXT_SIZE];
  const dem_stage *stage = &run->simulation.stages[number];
  fprintf(stream, "stage %d '%s': ", number + 1, stage->name);
  print_controls(stage, stream);
  print_cyclic(&stage->cyclic, stream);
  if (stage->inertial_number > 0.0)
    fprintf(stream, "; at the inertial number %s", number_print_shortest(stage->inertial_number, number_text));
  print_until(&stage->until, stream);
  if (!isnan(stage->friction))
    fprintf(stream, "; friction %s", number_print_shortest(stage->friction, friction));
  if (stage->stops_spheres)
    fprintf(stream, "; spheres are stopped first");
  if (!is_same_damping(&stage->damping, &run->simulation.damping)) {
    fprintf(stream, "; damping ");
    case_print_damping(&stage->damping, stream);
  }
  fputc('\n', stream);
  print_intervals(&run->output.stages[number], stream);
}
