/* SPDX-License-Identifier: MIT */
/* Prints a case: material, assembly, output. print_stage.c prints the stages. */
#include "print.h"
#include "parts.h"
#include "units.h"

#include <math.h>

/* ---- Grains ------------------------------------------------------------------------------------------------------ */

static void print_material(const dem_material *material, FILE *stream)
{
  char modulus[QUANTITY_TEXT_SIZE], poisson[QUANTITY_TEXT_SIZE], friction[QUANTITY_TEXT_SIZE],
      density[QUANTITY_TEXT_SIZE];
  fprintf(stream, "material    shear modulus %s, Poisson's ratio %s, friction %s, density %s\n",
          quantity_print(material->shear_modulus, DIMENSION_PRESSURE, modulus),
          number_print_shortest(material->poisson, poisson), number_print_shortest(material->friction, friction),
          quantity_print(material->density, DIMENSION_DENSITY, density));
}

static void print_contact(const dem_contact_law *law, FILE *stream)
{
  char first[QUANTITY_TEXT_SIZE], second[QUANTITY_TEXT_SIZE];
  fprintf(stream, "contact     %s", jager_model_name(law->model));
  if (law->model == JAGER_MODEL_JAGER && law->dp_max > 0.0)
    fprintf(stream, ", slopes merged up to %s", number_print_shortest(law->dp_max, first));
  else if (law->model == JAGER_MODEL_JAGER && law->tolerance > 0.0)
    fprintf(stream, ", forces within %s of friction", number_print_shortest(law->tolerance, first));
  else if (law->model == JAGER_MODEL_JAGER)
    fprintf(stream, ", exact");
  if (law->contour != JAGER_CONTOUR_SPHERE)
    fprintf(stream, ", %s of slope %s", jager_contour_name(law->contour), number_print_shortest(law->slope, first));
  if (law->contour == JAGER_CONTOUR_POWER)
    fprintf(stream, " and exponent %s", number_print_shortest(law->exponent, first));
  if (law->model == JAGER_MODEL_LINEAR && law->linear_kn > 0.0)
    fprintf(stream, ", kn %s", quantity_print(law->linear_kn, DIMENSION_STIFFNESS, first));
  if (law->model == JAGER_MODEL_LINEAR && law->linear_kt > 0.0)
    fprintf(stream, ", kt %s", quantity_print(law->linear_kt, DIMENSION_STIFFNESS, second));
  fputc('\n', stream);
}

static void print_each_sphere(const dem_time_step *step, FILE *stream)
{
  char safety[QUANTITY_TEXT_SIZE];
  if (step->fixed > 0.0)
    fprintf(stream,
            "; each sphere has the inertia for which this is %s of its stability limit, updated every %ld steps",
            number_print_shortest(step->safety, safety), step->interval);
  else
    fprintf(stream, "; each sphere has the inertia for the same limit");
}

static void print_time_step(const dem_case *run, FILE *stream)
{
  char step[QUANTITY_TEXT_SIZE], scaling[QUANTITY_TEXT_SIZE];
  if (run->time_step.fixed > 0.0)
    fprintf(stream, "time step   %s", quantity_print(run->time_step.fixed, DIMENSION_TIME, step));
  else
    fprintf(stream, "time step   %s of the stability limit, updated every %ld steps",
            number_print_shortest(run->time_step.safety, step), run->time_step.interval);
  if (run->scales_each_sphere)
    print_each_sphere(&run->time_step, stream);
  if (run->density_scaling > 1.0)
    fprintf(stream, "; inertia %s times its true value", number_print_shortest(run->density_scaling, scaling));
  fputc('\n', stream);
}

static void print_gravity(const double gravity[3], FILE *stream)
{
  char number[3][QUANTITY_TEXT_SIZE];
  if (gravity[0] != 0.0 || gravity[1] != 0.0 || gravity[2] != 0.0)
    fprintf(stream, "gravity     %s, %s, %s m/s2\n", number_print_shortest(gravity[0], number[0]),
            number_print_shortest(gravity[1], number[1]), number_print_shortest(gravity[2], number[2]));
}

/* ---- The assembly ------------------------------------------------------------------------------------------------ */

static void print_sizes(const dem_sizes *sizes, FILE *stream)
{
  char a[QUANTITY_TEXT_SIZE], b[QUANTITY_TEXT_SIZE];
  switch (sizes->distribution) {
  case DEM_SIZES_UNIFORM:
    fprintf(stream, "diameters uniform from %s to %s", quantity_print(sizes->min, DIMENSION_LENGTH, a),
            quantity_print(sizes->max, DIMENSION_LENGTH, b));
    break;
  case DEM_SIZES_LOGNORMAL:
    fprintf(stream, "diameters log-normal, median %s, deviation %s", quantity_print(sizes->median, DIMENSION_LENGTH, a),
            number_print_shortest(sizes->deviation, b));
    if (sizes->min > 0.0)
      fprintf(stream, ", from %s", quantity_print(sizes->min, DIMENSION_LENGTH, a));
    if (sizes->max > 0.0)
      fprintf(stream, ", up to %s", quantity_print(sizes->max, DIMENSION_LENGTH, a));
    break;
  case DEM_SIZES_TABLE:
    fprintf(stream, "diameters from %s to %s by a curve of %d points",
            quantity_print(sizes->diameter[0], DIMENSION_LENGTH, a),
            quantity_print(sizes->diameter[sizes->count - 1], DIMENSION_LENGTH, b), sizes->count);
    break;
  }
}

static void print_packing(const dem_case *run, FILE *stream)
{
  const dem_packing *packing = &run->assembly.packing;
  char target[QUANTITY_TEXT_SIZE], pressure[QUANTITY_TEXT_SIZE], friction[QUANTITY_TEXT_SIZE],
      unbalanced[QUANTITY_TEXT_SIZE], aspect[3][QUANTITY_TEXT_SIZE];
  fprintf(stream, "%ld spheres, ", packing->spheres);
  print_sizes(&packing->sizes, stream);
  fprintf(stream, "\npacking     at %s ", quantity_print(packing->pressure, DIMENSION_PRESSURE, pressure));
  if (packing->target == DEM_PACKING_VOID_RATIO)
    fprintf(stream, "to void ratio %s ", number_print_shortest(packing->target_value, target));
  else if (packing->target == DEM_PACKING_RELATIVE_DENSITY)
    fprintf(stream, "to relative density %s %% ", number_print_shortest(100.0 * packing->target_value, target));
  fprintf(stream, "with friction %s%s, until unbalanced < %s or %ld steps; cell %s : %s : %s\n",
          packing->target == DEM_PACKING_FREE ? "" : "that falls from ",
          number_print_shortest(dem_case_packing_friction(run), friction),
          number_print_shortest(packing->unbalanced, unbalanced), packing->max_steps,
          number_print_shortest(packing->aspect[0], aspect[0]), number_print_shortest(packing->aspect[1], aspect[1]),
          number_print_shortest(packing->aspect[2], aspect[2]));
}

/*
 * Measured: a sphere with its part of contacts, neighbours and forces takes 1.2 kB when packed, and 4.7 kB after
 * 60,000 steps of shear, when the contacts have long histories.
 */
static void print_memory(const dem_case *run, FILE *stream)
{
  const double bytes_per_sphere = 4000.0;
  double megabytes = (double)case_sphere_count(run) * bytes_per_sphere / 1e6;
  if (megabytes > 0.0)
    fprintf(stream, "memory      about %.0f MB\n", fmax(megabytes, 1.0));
}

static void print_assembly(const dem_case *run, FILE *stream)
{
  const dem_assembly *assembly = &run->assembly;
  char radius[QUANTITY_TEXT_SIZE], overlap[QUANTITY_TEXT_SIZE];
  fprintf(stream, "assembly    ");
  switch (assembly->source) {
  case DEM_SOURCE_PACKING:
    print_packing(run, stream);
    break;
  case DEM_SOURCE_LATTICE:
    fprintf(stream, "%ld spheres, %s lattice of %d x %d x %d cells, radius %s, overlap %s\n", case_sphere_count(run),
            assembly->lattice.kind == DEM_LATTICE_FCC ? "fcc" : "sc", assembly->lattice.cells[0],
            assembly->lattice.cells[1], assembly->lattice.cells[2],
            quantity_print(assembly->lattice.radius, DIMENSION_LENGTH, radius),
            number_print_shortest(assembly->lattice.overlap, overlap));
    break;
  case DEM_SOURCE_FILE:
    fprintf(stream, "spheres of the file %s\n", assembly->path);
    break;
  case DEM_SOURCE_CHECKPOINT:
    fprintf(stream, "as in the checkpoint %s\n", assembly->path);
    break;
  }
  print_memory(run, stream);
}

/* ---- Outputs ----------------------------------------------------------------------------------------------------- */

static void print_checkpoints(const run_output *output, FILE *stream)
{
  char minutes[QUANTITY_TEXT_SIZE];
  fprintf(stream, "checkpoint ");
  if (output->checkpoint_steps > 0)
    fprintf(stream, " every %ld steps", output->checkpoint_steps);
  if (output->checkpoint_minutes > 0.0)
    fprintf(stream, "%s every %s min", output->checkpoint_steps > 0 ? " and" : "",
            number_print_shortest(output->checkpoint_minutes, minutes));
  fprintf(stream, "%s\n", output->checkpoint_steps > 0 || output->checkpoint_minutes > 0.0 ? "" : " none");
}

static void print_trace(const dem_case *run, const dem_trace *trace, FILE *stream)
{
  char strain[QUANTITY_TEXT_SIZE], window[QUANTITY_TEXT_SIZE];
  const char *stage = *trace->stage ? trace->stage : run->stages[run->stage_count - 1].name;
  if (trace->kind == DEM_TRACE_PAIR)
    fprintf(stream, "trace       contact of spheres %u and %u", trace->ids[0], trace->ids[1]);
  else
    fprintf(stream, "trace       contact born at %s = %s +- %s in stage '%s'",
            dem_quantity_name(DEM_STRAIN + trace->component), number_print_shortest(trace->strain, strain),
            number_print_shortest(trace->window, window), stage);
  fprintf(stream, ", every %ld step%s\n", trace->every, trace->every == 1 ? "" : "s");
}

/* The lists of a case, each of whose values has a run of its own. */
static void print_lists(const run_case *run, FILE *stream)
{
  char value[QUANTITY_TEXT_SIZE];
  const run_variants *variants = &run->output.variants;
  if (variants->model_count > 1) {
    fprintf(stream, "models      a run for each of");
    for (int i = 0; i < variants->model_count; i++)
      fprintf(stream, "%s %s", i > 0 ? "," : "", jager_model_name(variants->models[i]));
    fputc('\n', stream);
  }
  if (variants->csr_count > 0) {
    fprintf(stream, "ratios      stage %d has a run for each CSR of", variants->csr_stage + 1);
    for (int i = 0; i < variants->csr_count; i++)
      fprintf(stream, "%s %s", i > 0 ? "," : "", number_print_shortest(variants->csr[i], value));
    fputc('\n', stream);
  }
}

void case_print(const run_case *run, FILE *stream)
{
  const dem_case *simulation = &run->simulation;
  char limit[QUANTITY_TEXT_SIZE];
  if (simulation->title)
    fprintf(stream, "title       %s\n", simulation->title);
  print_material(&simulation->material, stream);
  print_contact(&simulation->contact, stream);
  fprintf(stream, "damping     ");
  case_print_damping(&simulation->damping, stream);
  fputc('\n', stream);
  print_time_step(simulation, stream);
  print_gravity(simulation->gravity, stream);
  fprintf(stream, "stops       at an overlap of %s of the smaller radius\n",
          number_print_shortest(simulation->overlap_limit, limit));
  print_assembly(simulation, stream);
  for (int i = 0; i < simulation->stage_count; i++)
    case_print_stage(run, i, stream);
  for (int i = 0; i < simulation->trace_count; i++)
    print_trace(simulation, &simulation->traces[i], stream);
  print_lists(run, stream);
  print_checkpoints(&run->output, stream);
  fprintf(stream, "plots       %s\n", run->output.pictures ? "yes" : "no");
}
