/* SPDX-License-Identifier: MIT */
/*
 * Prints a case: a line for each block or single value, in the order of the table of keys. Keys with a text `say` are
 * printed by it, after the sentences about their block. The sentences here are about values that belong together.
 */
#include "reader.h"
#include "keys.h"
#include "dem/shape.h"

#include <math.h>
#include <string.h>

/* ---- Values in sentences ----------------------------------------------------------------------------------------- */

static void print_number(double value, dem_dimension dimension, FILE *stream)
{
  char text[QUANTITY_TEXT_SIZE];
  fputs(quantity_print(value, dimension, text), stream);
}

/* The value of a key as it would be written in a case; `of` is the struct of its block. */
static void print_value(const dem_key *key, const void *of, FILE *stream)
{
  const void *member = dem_key_member(key, of);
  switch (key->kind) {
  case KEY_NUMBER:
    for (int k = 0; k < key->count; k++)
      fprintf(stream, k > 0 ? ", " : ""), print_number(((const double *)member)[k], DIMENSION_NONE, stream);
    if (key->count == 0)
      print_number(*(const double *)member * (key->divide > 0.0 ? key->divide : 1.0), key->dimension, stream);
    else
      fprintf(stream, " %s", dimension_unit(key->dimension));
    break;
  case KEY_WHOLE:
    fprintf(stream, "%ld", *(const long *)member);
    break;
  case KEY_FLAG:
    fputs(*(const bool *)member ? "yes" : "no", stream);
    break;
  case KEY_TEXT:
    fputs(*(char *const *)member, stream);
    break;
  case KEY_WORD:
    fputs(key->words[*(const int *)member], stream);
    break;
  case KEY_BLOCK:
  case KEY_OTHER:
    break;
  }
}

/* Prints a sentence about the block with this path, with values of `of` in the place of {key}. */
static void say(FILE *stream, const char *block, const void *of, const char *sentence)
{
  for (const char *at = sentence; *at; at++) {
    char path[YAML_PATH_SIZE];
    size_t length = *at == '{' ? strcspn(at, "}") : 0;
    if (length == 0) {
      fputc(*at, stream);
      continue;
    }
    snprintf(path, sizeof path, "%s.%.*s", block, (int)length - 1, at + 1);
    print_value(dem_key_find(path), of, stream);
    at += length;
  }
}

/* Prints the text `say` of a key. */
static void say_key(FILE *stream, const dem_key *key, const void *of)
{
  const char *value = strstr(key->say, "{}");
  fprintf(stream, "%.*s", (int)(value ? (size_t)(value - key->say) : strlen(key->say)), key->say);
  if (value) {
    print_value(key, of, stream);
    fputs(value + strlen("{}"), stream);
  }
}

/* Prints all keys of a block that have a text for it, with `first` before the first one and `next` before others. */
static void say_keys(FILE *stream, const char *block, const void *of, const char *first, const char *next)
{
  const dem_block *table = dem_key_find(block)->block;
  for (size_t i = 0; i < table->count; i++)
    if (table->keys[i].say && dem_key_applies(&table->keys[i], of)) {
      fputs(first, stream);
      say_key(stream, &table->keys[i], of);
      first = next;
    }
}

/* ---- Grains ------------------------------------------------------------------------------------------------------ */

typedef void case_printer(const run_case *run, FILE *stream);

static void print_material(const run_case *run, FILE *stream)
{
  say_keys(stream, "material", &run->simulation.material, "material    ", ", ");
  fputc('\n', stream);
}

static void print_contact(const run_case *run, FILE *stream)
{
  const dem_contact_law *law = &run->simulation.contact;
  bool is_linear = law->model == JAGER_MODEL_LINEAR;
  fprintf(stream, "contact     %s", jager_model_name(law->model));
  if (law->model == JAGER_MODEL_JAGER)
    say(stream, "contact", law,
        law->dp_max > 0.0      ? ", slopes merged up to {dp_max}"
        : law->tolerance > 0.0 ? ", forces within {tolerance} of friction"
                               : ", exact");
  if (law->contour != JAGER_CONTOUR_SPHERE)
    say(stream, "contact.contour", law, ", {kind} of slope {slope}");
  if (law->contour == JAGER_CONTOUR_POWER)
    say(stream, "contact.contour", law, " and exponent {exponent}");
  if (is_linear && law->linear_kn > 0.0)
    say(stream, "contact.linear", law, ", kn {kn}");
  if (is_linear && law->linear_kt > 0.0)
    say(stream, "contact.linear", law, ", kt {kt}");
  say_keys(stream, "contact", law, ", ", ", ");
  fputc('\n', stream);
}

static void print_damping(const run_case *run, FILE *stream)
{
  say_keys(stream, "damping", &run->simulation.damping, "damping     ", ", ");
  fputc('\n', stream);
}

static void print_time_step(const run_case *run, FILE *stream)
{
  const dem_case *simulation = &run->simulation;
  bool is_fixed = simulation->time_step.fixed > 0.0;
  say(stream, "time_step", simulation,
      is_fixed ? "time step   {fixed}" : "time step   {safety} of the stability limit, updated every {interval} steps");
  if (simulation->scales_each_sphere)
    say(stream, "time_step", simulation,
        is_fixed ? "; each sphere has the inertia for which this is {safety} of its stability limit, updated every "
                   "{interval} steps"
                 : "; each sphere has the inertia for the same limit");
  if (simulation->density_scaling > 1.0) {
    fprintf(stream, "; inertia ");
    print_number(simulation->density_scaling, DIMENSION_NONE, stream);
    fprintf(stream, " times its true value");
  }
  say_keys(stream, "time_step", simulation, "; ", "; ");
  fputc('\n', stream);
}

static void print_gravity(const run_case *run, FILE *stream)
{
  const double *g = run->simulation.gravity;
  if (g[0] == 0.0 && g[1] == 0.0 && g[2] == 0.0)
    return;
  fprintf(stream, "gravity     ");
  print_value(dem_key_find("gravity"), &run->simulation, stream);
  fputc('\n', stream);
}

/* ---- The assembly ------------------------------------------------------------------------------------------------ */

static void print_sizes(const dem_sizes *sizes, FILE *stream)
{
  static const char lognormal[] = "assembly.packing.sizes.lognormal";
  char a[QUANTITY_TEXT_SIZE], b[QUANTITY_TEXT_SIZE];
  switch (sizes->distribution) {
  case DEM_SIZES_UNIFORM:
    say(stream, "assembly.packing.sizes.uniform", sizes, "diameters uniform from {min} to {max}");
    break;
  case DEM_SIZES_LOGNORMAL:
    say(stream, lognormal, sizes, "diameters log-normal, median {median}, deviation {deviation}");
    if (sizes->min > 0.0)
      say(stream, lognormal, sizes, ", from {min}");
    if (sizes->max > 0.0)
      say(stream, lognormal, sizes, ", up to {max}");
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
  static const char block[] = "assembly.packing";
  const dem_packing *packing = &run->assembly.packing;
  if (!packing->shapes)
    say(stream, block, packing, "{spheres} spheres, ");
  else
    say(stream, block, packing, "{grains} grains, ");
  for (int k = 0; packing->shapes && k < packing->shape_count; k++) {
    const dem_shape_choice *choice = &packing->shapes[k];
    fprintf(stream, "%s", choice->name);
    if (choice->shape.count > 1)
      fprintf(stream, " (%d spheres)", choice->shape.count);
    fputs(", ", stream);
  }
  print_sizes(&packing->sizes, stream);
  say(stream, block, packing, "\npacking     at {pressure} ");
  if (packing->target == DEM_PACKING_VOID_RATIO)
    say(stream, block, packing, "to void ratio {void_ratio} ");
  else if (packing->target == DEM_PACKING_RELATIVE_DENSITY) {
    fprintf(stream, "to relative density ");
    print_number(100.0 * packing->target_value, DIMENSION_NONE, stream);
    fprintf(stream, " %% ");
  }
  fprintf(stream, "with friction %s", packing->target == DEM_PACKING_FREE ? "" : "that falls from ");
  print_number(dem_case_packing_friction(run), DIMENSION_NONE, stream);
  say(stream, block, packing, ", until unbalanced < {unbalanced} or {max_steps} steps; cell ");
  for (int k = 0; k < 3; k++)
    fputs(k > 0 ? " : " : "", stream), print_number(packing->aspect[k], DIMENSION_NONE, stream);
  say_keys(stream, block, packing, "; ", ", ");
  fputc('\n', stream);
}

static void print_assembly(const run_case *run, FILE *stream)
{
  const dem_case *simulation = &run->simulation;
  const dem_assembly *assembly = &simulation->assembly;
  const dem_lattice *lattice = &assembly->lattice;
  fprintf(stream, "assembly    ");
  switch (assembly->source) {
  case DEM_SOURCE_PACKING:
    print_packing(simulation, stream);
    break;
  case DEM_SOURCE_LATTICE:
    fprintf(stream, "%ld spheres", case_sphere_count(simulation));
    say(stream, "assembly.lattice", lattice, ", {kind} lattice of ");
    fprintf(stream, "%d x %d x %d cells", lattice->cells[0], lattice->cells[1], lattice->cells[2]);
    say(stream, "assembly.lattice", lattice, ", radius {radius}, overlap {overlap}\n");
    break;
  case DEM_SOURCE_FILE:
    fprintf(stream, "grains of the file %s\n", assembly->path);
    break;
  case DEM_SOURCE_CHECKPOINT:
    fprintf(stream, "as in the checkpoint %s\n", assembly->path);
    break;
  }
  /* Measured: a sphere with its part of contacts, neighbours and forces takes 1.2 kB when packed, and 4.7 kB after
   * 60,000 steps of shear, when the contacts have long histories. */
  const double bytes_per_sphere = 4000.0, bytes_per_clump = 8000.0; /* measured: 7 to 10 kB of seven spheres */
  double bytes = assembly->packing.shapes ? bytes_per_clump : bytes_per_sphere;
  double megabytes = (double)case_sphere_count(simulation) * bytes / 1e6;
  if (megabytes > 0.0)
    fprintf(stream, "memory      about %.0f MB\n", fmax(megabytes, 1.0));
}

/* ---- Stages: "xx stress 100 kPa, yy held, zz 1e-6 a step; until strain_zz = 0.04" -------------------------------- */

static bool is_held(const dem_control *control)
{
  return control->kind <= DEM_CONTROL_STRAIN && control->value == 0.0;
}

/* By the key that stands for this kind of control. */
static void print_control(const dem_control *control, FILE *stream)
{
  bool is_path = control->kind >= DEM_CONTROL_STRAIN_PATH;
  const char *path = is_path ? "stages.cyclic.paths.xx" : "stages.control.xx";
  const dem_key *key = dem_key_find(path)->block->keys;
  if (is_held(control)) {
    fprintf(stream, "held");
    return;
  }
  while (key->choice != (int)control->kind)
    key++;
  say_key(stream, key, control);
  if (control->kind == DEM_CONTROL_STRESS && control->ramp > 0)
    say(stream, path, control, " within {ramp} steps");
  if (is_path && !isnan(control->wave.center))
    say(stream, path, control, " about {center}");
  if (is_path)
    say(stream, path, control, " (frequency {frequency}, phase {phase} degrees)");
}

/* A component that is held is printed only if it is a normal one, and not if the mean stress moves it. */
static void print_controls(const dem_stage *stage, FILE *stream)
{
  bool is_first = !stage->mean_stress_is_held;
  if (stage->mean_stress_is_held) {
    fprintf(stream, "mean ");
    print_control(&stage->mean_stress, stream);
  }
  for (int i = 0; i < DEM_COMPONENTS; i++)
    if (!is_held(&stage->control[i]) || (i <= DEM_ZZ && !stage->mean_stress_is_held)) {
      fprintf(stream, "%s%s ", is_first ? "" : ", ", dem_component_name((dem_component)i));
      print_control(&stage->control[i], stream);
      is_first = false;
    }
}

static dem_dimension dimension_of(dem_quantity quantity)
{
  return quantity >= DEM_STRESS && quantity <= DEM_DEVIATOR ? DIMENSION_PRESSURE : DIMENSION_NONE;
}

static void print_cyclic(const dem_stage *stage, FILE *stream)
{
  static const char block[] = "stages.cyclic";
  const dem_cyclic *cyclic = &stage->cyclic;
  if (cyclic->on && !cyclic->has_paths) {
    fprintf(stream, "; reversed when %s is ", dem_quantity_name(cyclic->of));
    if (cyclic->stress_ratio > 0.0)
      say(stream, block, stage, "the stress ratio {csr} from ");
    else {
      print_number(cyclic->amplitude, dimension_of(cyclic->of), stream);
      fprintf(stream, " from ");
    }
    say(stream, block, stage, isnan(cyclic->center) ? "its start" : "{center}");
  }
  say_keys(stream, block, stage, "; ", "; ");
}

static void print_until(const dem_until *until, FILE *stream)
{
  const char *before = "; until ", *const next = " or ";
  for (int i = 0; i < until->count; i++, before = next) {
    fprintf(stream, "%s%s = ", before, dem_quantity_name(until->criteria[i].of));
    print_number(until->criteria[i].value, dimension_of(until->criteria[i].of), stream);
  }
  const dem_block *table = dem_key_find("stages.until")->block;
  for (size_t i = table->count; i-- > 0;) /* steps, which are most often a limit, come last */
    if (table->keys[i].say && dem_key_applies(&table->keys[i], until)) {
      fputs(before, stream);
      say_key(stream, &table->keys[i], until);
      before = next;
    }
}

static void print_every(const char *what, long steps, FILE *stream)
{
  if (steps > 0)
    fprintf(stream, "%s every %ld step%s", what, steps, steps == 1 ? "" : "s");
  else
    fprintf(stream, "no %s", what);
}

static void print_stages(const run_case *run, FILE *stream)
{
  const dem_damping *usual = &run->simulation.damping;
  for (int i = 0; i < run->simulation.stage_count; i++) {
    const dem_stage *stage = &run->simulation.stages[i];
    const dem_damping *damping = &stage->damping;
    const output_intervals *output = &run->output.stages[i];
    fprintf(stream, "stage %d '%s': ", i + 1, stage->name);
    print_controls(stage, stream);
    print_cyclic(stage, stream);
    if (stage->inertial_number > 0.0)
      say(stream, "stages", stage, "; at the inertial number {inertial_number}");
    print_until(&stage->until, stream);
    say_keys(stream, "stages", stage, "; ", "; ");
    if (damping->viscous != usual->viscous || damping->local != usual->local || damping->global != usual->global)
      say_keys(stream, "stages.damping", damping, "; damping ", ", ");
    fprintf(stream, "\n            ");
    print_every("series", output->series, stream);
    fprintf(stream, ", ");
    print_every("snapshots", output->snapshot, stream);
    fprintf(stream, ", ");
    print_every("vtk", output->vtk, stream);
    fputc('\n', stream);
  }
}

/* ---- Traces and the whole ---------------------------------------------------------------------------------------- */

static void print_traces(const run_case *run, FILE *stream)
{
  const dem_case *simulation = &run->simulation;
  for (int i = 0; i < simulation->trace_count; i++) {
    const dem_trace *trace = &simulation->traces[i];
    if (trace->kind == DEM_TRACE_PAIR)
      fprintf(stream, "trace       contact of spheres %u and %u", trace->ids[0], trace->ids[1]);
    else {
      fprintf(stream, "trace       contact born at strain_%s = ", dem_component_name(trace->component));
      print_number(trace->strain, DIMENSION_NONE, stream);
      say(stream, "trace", trace, " +- {window}");
      fprintf(stream, " in stage '%s'",
              *trace->stage ? trace->stage : simulation->stages[simulation->stage_count - 1].name);
    }
    say(stream, "trace", trace, trace->every == 1 ? ", every {every} step\n" : ", every {every} steps\n");
  }
}

void case_print(const run_case *run, FILE *stream)
{
  static const struct {
    const char *key;
    case_printer *print;
  } printers[] = {{"material", print_material},   {"contact", print_contact}, {"damping", print_damping},
                  {"time_step", print_time_step}, {"gravity", print_gravity}, {"assembly", print_assembly},
                  {"stages", print_stages},       {"trace", print_traces}};
  for (size_t i = 0; i < dem_case_block.count; i++) {
    const dem_key *key = &dem_case_block.keys[i];
    if (key->say && dem_key_applies(key, &run->simulation)) {
      say_key(stream, key, &run->simulation);
      fputc('\n', stream);
    }
    for (size_t k = 0; k < sizeof printers / sizeof *printers; k++)
      if (strcmp(printers[k].key, key->name) == 0)
        printers[k].print(run, stream);
  }
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
      fputs(i > 0 ? ", " : " ", stream), print_number(variants->csr[i], DIMENSION_NONE, stream);
    fputc('\n', stream);
  }
  bool by_steps = run->output.checkpoint_steps > 0, by_time = run->output.checkpoint_minutes > 0.0;
  fprintf(stream, "checkpoint ");
  if (by_steps)
    fprintf(stream, " every %ld steps", run->output.checkpoint_steps);
  if (by_time) {
    fprintf(stream, "%s every ", by_steps ? " and" : "");
    print_number(run->output.checkpoint_minutes, DIMENSION_NONE, stream);
    fprintf(stream, " min");
  }
  fprintf(stream, "%s\n", by_steps || by_time ? "" : " none");
  fprintf(stream, "plots       %s\n", run->output.pictures ? "yes" : "no");
}
