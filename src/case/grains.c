/* SPDX-License-Identifier: MIT */
/* The blocks of a case about grains, as far as they need more than their tables: `contact`, `time_step`, `assembly`. */
#include "keys.h"
#include "base/text.h"
#include "dem/shape.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Contact ----------------------------------------------------------------------------------------------------- */

/* One model, or a list: each model then has its own run. */
static void read_model(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  const char *names[JAGER_MODEL_COUNT];
  (void)key;
  for (int i = 0; i < JAGER_MODEL_COUNT; i++)
    names[i] = jager_model_name((jager_model)i);
  run_variants *variants = &reading->output->variants;
  bool is_list = node->kind == YAML_LIST && node->count > 0;
  for (const yaml_node *item = is_list ? node->first : node; item; item = is_list ? item->next : NULL) {
    if (item->kind == YAML_SCALAR && strcmp(item->text, "springs") == 0) {
      case_report(&reading->problems, item->at,
                  "'model' cannot be 'springs' here: this law is for 'jager contact' and 'jager impact'; take jager, "
                  "or another law to compare with");
      return;
    }
    int choice = case_read_word(reading, item, names, JAGER_MODEL_COUNT);
    if (choice < 0)
      return;
    for (int i = 0; i < variants->model_count; i++)
      if ((int)variants->models[i] == choice) {
        case_report(&reading->problems, item->at, "'%s' is in the list twice", names[choice]);
        return;
      }
    variants->models[variants->model_count++] = (jager_model)choice;
  }
  *(jager_model *)target = variants->models[0];
}

static bool has_model(const run_variants *variants, jager_model model)
{
  for (int i = 0; i < variants->model_count; i++)
    if (variants->models[i] == model)
      return true;
  return variants->model_count == 0 && model == JAGER_MODEL_JAGER;
}

/* A parameter must be given exactly if the contour has it. */
static void check_parameter(case_reading *reading, const yaml_node *node, const char *key, bool is_needed)
{
  const yaml_node *entry = yaml_entry(node, key), *kind = yaml_entry(node, "kind");
  if (entry && !is_needed)
    case_report(&reading->problems, yaml_place(entry), "a %s has no '%s'", kind->text, key);
  else if (!entry && is_needed)
    case_report(&reading->problems, yaml_place(node), "a %s needs '%s', a number", kind->text, key);
}

static void read_contour(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  dem_contact_law *law = target;
  law->contour = JAGER_CONTOUR_COUNT; /* marks an invalid kind */
  case_read_block(reading, node, key->block, NULL, law);
  if (law->contour != JAGER_CONTOUR_COUNT) {
    check_parameter(reading, node, "slope", law->contour != JAGER_CONTOUR_SPHERE);
    check_parameter(reading, node, "exponent", law->contour == JAGER_CONTOUR_POWER);
  }
}

void case_read_contact(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  static const case_special specials[] = {{"model", read_model}, {"contour", read_contour}, {NULL, NULL}};
  size_t problems_before = reading->problems.count;
  case_read_block(reading, node, key->block, specials, target);
  if (reading->problems.count != problems_before)
    return;
  const dem_contact_law *law = target;
  const yaml_node *linear = yaml_entry(node, "linear"), *dp_max = yaml_entry(node, "dp_max"),
                  *tolerance = yaml_entry(node, "tolerance");
  const run_variants *variants = &reading->output->variants;
  bool has_histories = has_model(variants, JAGER_MODEL_JAGER);
  if (linear && (law->linear_kn > 0.0 || law->linear_kt > 0.0) && !has_model(variants, JAGER_MODEL_LINEAR))
    case_report(&reading->problems, yaml_place(linear), "'linear' needs 'model: linear', not %s",
                jager_model_name(law->model));
  if (dp_max && law->dp_max > 0.0 && !has_histories)
    case_report(&reading->problems, yaml_place(dp_max), "'dp_max' needs 'model: jager': %s has no history to merge",
                jager_model_name(law->model));
  if (tolerance && law->tolerance > 0.0 && !has_histories)
    case_report(&reading->problems, yaml_place(tolerance),
                "'tolerance' needs 'model: jager': %s has no history to keep short", jager_model_name(law->model));
  if (tolerance && dp_max && law->tolerance > 0.0 && law->dp_max > 0.0)
    case_report(&reading->problems, yaml_place(dp_max), "either 'tolerance' or 'dp_max', not both");
}

void case_check_law(case_reading *reading)
{
  const yaml_node *material = yaml_entry(reading->root, "material"), *contact = yaml_entry(reading->root, "contact");
  jager_law law;
  jager_contact trial = {0};
  jager_status status = dem_case_law(reading->run, &law);
  if (status == JAGER_OK)
    status = jager_contact_init(&trial, &law, 1.0, 1.0);
  if (status != JAGER_OK)
    case_report(&reading->problems,
                contact    ? yaml_place(contact)
                : material ? yaml_place(material)
                           : reading->root->at,
                "%s", jager_status_text(status));
}

/* ---- Time step and density scaling ------------------------------------------------------------------------------- */

static bool scales_each_sphere(const yaml_node *density_scaling)
{
  return density_scaling && density_scaling->kind == YAML_SCALAR && strcmp(density_scaling->text, "each") == 0;
}

void case_read_time_step(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  case_read_block(reading, node, key->block, NULL, target);
  const yaml_node *fixed = yaml_entry(node, "fixed");
  if (fixed && (yaml_entry(node, "safety") || yaml_entry(node, "interval")) &&
      !scales_each_sphere(yaml_entry(reading->root, "density_scaling")))
    case_report(&reading->problems, yaml_place(fixed),
                "'fixed' excludes 'safety' and 'interval', which are for time steps from the stability limit");
}

void case_read_density_scaling(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  char quoted[TEXT_QUOTE_SIZE];
  reading->run->scales_each_sphere = scales_each_sphere(node);
  if (reading->run->scales_each_sphere)
    return;
  if (node->kind == YAML_SCALAR && isalpha((unsigned char)node->text[0]))
    case_report(&reading->problems, node->at, "'density_scaling' must be a number in [1, 1e12], or 'each', not %s",
                text_quote(node->text, quoted));
  else
    (void)case_read_number(reading, node, key, target);
}

/* ---- Sizes ------------------------------------------------------------------------------------------------------- */

/* The search for neighbours is slow if sizes differ by more, and such a range is most likely an error. */
static const double ratio_max = 1000.0;

static void check_limits(case_reading *reading, const yaml_node *node, double min, double max)
{
  const yaml_node *entry = yaml_entry(node, "max");
  if (!entry)
    return;
  if (max < min)
    case_report(&reading->problems, entry->at, "'max' must not be less than 'min'");
  else if (max > ratio_max * min && min > 0.0)
    case_report(&reading->problems, entry->at, "'max' must not be more than 1000 times 'min'");
}

static void read_uniform(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  dem_sizes *sizes = target;
  size_t problems_before = reading->problems.count;
  sizes->distribution = DEM_SIZES_UNIFORM;
  case_read_block(reading, node, key->block, NULL, sizes);
  if (reading->problems.count == problems_before)
    check_limits(reading, node, sizes->min, sizes->max);
}

/* The cumulative log-normal distribution at a diameter. */
static double share_below(const dem_sizes *sizes, double diameter)
{
  return 0.5 * erfc(-log(diameter / sizes->median) / (sizes->deviation * sqrt(2.0)));
}

static void read_lognormal(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  dem_sizes *sizes = target;
  size_t problems_before = reading->problems.count;
  sizes->distribution = DEM_SIZES_LOGNORMAL;
  case_read_block(reading, node, key->block, NULL, sizes);
  if (reading->problems.count != problems_before)
    return;
  check_limits(reading, node, sizes->min, sizes->max);
  const yaml_node *median = yaml_entry(node, "median");
  bool is_cut_off = sizes->min > 0.0 && sizes->max > 0.0;
  if (sizes->min > sizes->median)
    case_report(&reading->problems, median->at, "'median' must not be less than 'min'");
  else if (sizes->max > 0.0 && sizes->max < sizes->median)
    case_report(&reading->problems, median->at, "'median' must not be more than 'max'");
  else if (is_cut_off && sizes->deviation > 0.0 && /* sizes are drawn until one lies within the limits */
           share_below(sizes, sizes->max) - share_below(sizes, sizes->min) < 0.01)
    case_report(&reading->problems, yaml_entry(node, "deviation")->at,
                "less than 1 %% of the sizes lie between 'min' and 'max': lower 'deviation', or take 'uniform'");
}

static void read_diameters(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  dem_sizes *sizes = target;
  sizes->count = case_read_numbers(reading, node, key, 2, DEM_SIZES_MAX, sizes->diameter);
  for (int i = 1; i < sizes->count; i++)
    if (!(sizes->diameter[i] > sizes->diameter[i - 1])) {
      case_report(&reading->problems, yaml_item(node, (size_t)i)->at, "diameters must increase");
      return;
    }
  if (sizes->count > 0 && sizes->diameter[sizes->count - 1] > ratio_max * sizes->diameter[0])
    case_report(&reading->problems, node->last->at,
                "the largest diameter must not be more than 1000 times the smallest");
}

static void read_passing(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  dem_sizes *sizes = target;
  int count = case_read_numbers(reading, node, key, 2, DEM_SIZES_MAX, sizes->passing);
  if (count == 0 || sizes->count == 0)
    return;
  if (count != sizes->count) {
    case_report(&reading->problems, node->at, "'passing' must have as many items as 'diameter': %d, not %d",
                sizes->count, count);
    return;
  }
  for (int i = 1; i < count; i++)
    if (!(sizes->passing[i] >= sizes->passing[i - 1])) {
      case_report(&reading->problems, yaml_item(node, (size_t)i)->at, "the passing shares must not decrease");
      return;
    }
  if (sizes->passing[0] != 0.0)
    case_report(&reading->problems, node->first->at,
                "the first share must be 0: no grain is finer than the smallest diameter");
  if (sizes->passing[count - 1] != 1.0)
    case_report(&reading->problems, node->last->at,
                "the last share must be 1 or 100 %%: all grains are finer than the largest diameter");
}

static void read_table(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  static const case_special specials[] = {{"diameter", read_diameters}, {"passing", read_passing}, {NULL, NULL}};
  ((dem_sizes *)target)->distribution = DEM_SIZES_TABLE;
  case_read_block(reading, node, key->block, specials, target);
}

static void read_sizes(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  static const case_special specials[] = {
      {"uniform", read_uniform}, {"lognormal", read_lognormal}, {"table", read_table}, {NULL, NULL}};
  (void)case_read_one_of(reading, node, key->block, specials, target);
}

/* ---- Packing ----------------------------------------------------------------------------------------------------- */

/* Friction must be able to fall. The material's friction is checked when the whole case has been read. */
static void check_target(case_reading *reading, const yaml_node *node, dem_packing *packing)
{
  const yaml_node *void_ratio = yaml_entry(node, "void_ratio"), *density = yaml_entry(node, "relative_density"),
                  *friction = yaml_entry(node, "friction");
  if (void_ratio && density)
    case_report(&reading->problems, yaml_place(density),
                "'void_ratio' and 'relative_density' exclude each other: leave one of them out");
  packing->target = void_ratio ? DEM_PACKING_VOID_RATIO : density ? DEM_PACKING_RELATIVE_DENSITY : DEM_PACKING_FREE;
  if (packing->target == DEM_PACKING_FREE)
    return;
  double start = 1.0 / packing->initial_density - 1.0;
  if (packing->target == DEM_PACKING_VOID_RATIO && packing->target_value >= start)
    case_report(&reading->problems, yaml_place(void_ratio),
                "'void_ratio' must be below the void ratio before compression, %.4g: lower 'initial_density'", start);
  if (!friction)
    packing->friction = NAN;
  else if (!(packing->friction > 0.0))
    case_report(&reading->problems, yaml_place(friction),
                "'friction' must be above 0 with a target: packing begins with it and lowers it; leave it out to "
                "begin with material.friction");
}

void case_check_packing_target(case_reading *reading)
{
  const dem_case *run = reading->run;
  const yaml_node *material = yaml_entry(reading->root, "material");
  const yaml_node *friction = material ? yaml_entry(material, "friction") : NULL;
  if (friction && isnan(run->assembly.packing.friction) && !(run->material.friction > 0.0))
    case_report(&reading->problems, yaml_place(friction),
                "a packing to a void ratio or relative density needs friction above 0 to fall from: give "
                "'assembly.packing.friction'");
}

/* Grains of several spheres begin as far apart as the spheres around them would. */
static double initial_density_of_shapes(const dem_packing *packing)
{
  double shares = 0.0, volume = 0.0; /* mean volume of the spheres around grains, over those of the grains */
  for (int k = 0; k < packing->shape_count; k++) {
    double extent = packing->shapes[k].shape.bounding_radius;
    shares += packing->shapes[k].share;
    volume += packing->shapes[k].share * extent * extent * extent;
  }
  return packing->initial_density * shares / volume;
}

static void read_packing(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  static const case_special specials[] = {{"shapes", case_read_shapes}, {"sizes", read_sizes}, {NULL, NULL}};
  dem_packing *packing = target;
  const dem_damping *damping = &packing->damping;
  const yaml_node *given = yaml_entry(node, "damping"), *grains = yaml_entry(node, "grains");
  case_read_block(reading, node, key->block, specials, target);
  if (grains && yaml_entry(node, "spheres"))
    case_report(&reading->problems, yaml_place(grains), "either 'grains' or 'spheres', not both: they are the same");
  else if (!grains && !yaml_entry(node, "spheres"))
    case_report(&reading->problems, yaml_place(node),
                "'spheres' is missing in 'assembly.packing': write it like 'spheres: 4096', or 'grains: 1000' with "
                "'shapes'");
  if (packing->shapes && !yaml_entry(node, "initial_density"))
    packing->initial_density = initial_density_of_shapes(packing);
  check_target(reading, node, target);
  if (given && damping->viscous <= 0.0 && damping->local <= 0.0 && damping->global <= 0.0)
    case_report(&reading->problems, yaml_place(given),
                "'damping' of a packing must not be all zero: the spheres would never come to rest; write it "
                "like {viscous: 0.02, local: 0.05}");
}

/* ---- Lattice ----------------------------------------------------------------------------------------------------- */

static void read_cells(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  int *cells = target;
  char name[YAML_PATH_SIZE];
  if (node->kind != YAML_LIST || node->count != 3) {
    case_report(&reading->problems, yaml_value_place(node), "'%s' must be a list of 3 whole numbers: [4, 4, 4]",
                case_name(node, name));
    return;
  }
  for (size_t i = 0; i < 3; i++) {
    long count;
    if (case_read_whole(reading, yaml_item(node, i), key->range, &count))
      cells[i] = (int)count;
  }
}

static void read_lattice(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  static const case_special specials[] = {{"cells", read_cells}, {NULL, NULL}};
  const dem_lattice *lattice = target;
  size_t problems_before = reading->problems.count;
  case_read_block(reading, node, key->block, specials, target);
  double spheres = lattice->kind == DEM_LATTICE_FCC ? 4.0 : 1.0;
  for (int i = 0; i < 3; i++)
    spheres *= lattice->cells[i];
  if (reading->problems.count == problems_before && spheres > DEM_SPHERES_MAX)
    case_report(&reading->problems, yaml_entry(node, "cells")->at, "%.0f spheres are too many: at most %d are possible",
                spheres, DEM_SPHERES_MAX);
}

/* ---- The assembly ------------------------------------------------------------------------------------------------ */

/* Relative paths begin in the directory of the case file. */
char *case_read_path(case_reading *reading, const yaml_node *node)
{
  if (!case_is_scalar(reading, node))
    return NULL;
  const char *slash = strrchr(reading->file_name, '/');
  size_t directory = node->text[0] == '/' || !slash ? 0 : (size_t)(slash - reading->file_name) + 1;
  size_t size = directory + strlen(node->text) + 1;
  if (!*node->text) {
    case_report(&reading->problems, node->at, "'%s' needs the name of a file", node->key);
    return NULL;
  }
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%.*s%s", (int)directory, reading->file_name, node->text);
  else
    reading->problems.out_of_memory = true;
  return path;
}

static void read_file(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  dem_assembly *assembly = target;
  (void)key;
  char *path = case_read_path(reading, node);
  if (!path)
    return;
  free(assembly->path); /* of a repeated key */
  free(assembly->name);
  assembly->path = path;
  assembly->name = strdup(node->text);
  reading->problems.out_of_memory = reading->problems.out_of_memory || !assembly->name;
}

void case_read_assembly(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  static const case_special specials[] = {{"packing", read_packing},
                                          {"lattice", read_lattice},
                                          {"file", read_file},
                                          {"checkpoint", read_file},
                                          {NULL, NULL}};
  const dem_key *found = case_read_one_of(reading, node, key->block, specials, target);
  if (found)
    ((dem_assembly *)target)->source = (dem_source)found->decision;
}

long case_sphere_count(const dem_case *run)
{
  const dem_lattice *lattice = &run->assembly.lattice;
  switch (run->assembly.source) {
  case DEM_SOURCE_PACKING:
    return run->assembly.packing.spheres;
  case DEM_SOURCE_LATTICE:
    return (lattice->kind == DEM_LATTICE_FCC ? 4L : 1L) * lattice->cells[0] * lattice->cells[1] * lattice->cells[2];
  case DEM_SOURCE_FILE:
  case DEM_SOURCE_CHECKPOINT:
    break;
  }
  return 0;
}
