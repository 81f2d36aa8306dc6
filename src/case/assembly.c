/* SPDX-License-Identifier: MIT */
/* The block `assembly` of a case: where the spheres come from. */
#include "parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Packing ----------------------------------------------------------------------------------------------------- */

static void read_aspect(case_reading *reading, const yaml_node *node, void *target)
{
  (void)case_read_quantities(reading, node, DIMENSION_NONE, (case_range){0.01, 100.0, false, false}, 3, 3, target);
}

/* Void ratio and relative density exclude each other; read_packing reports it. */
static void read_target(case_reading *reading, const yaml_node *node, void *target, dem_packing_target kind,
                        case_range range)
{
  dem_packing *packing = target;
  if (case_read_quantity(reading, node, DIMENSION_NONE, range, &packing->target_value))
    packing->target = kind;
}

static void read_void_ratio(case_reading *reading, const yaml_node *node, void *target)
{
  read_target(reading, node, target, DEM_PACKING_VOID_RATIO, (case_range){0.0, 99.0, true, true});
}

static void read_relative_density(case_reading *reading, const yaml_node *node, void *target)
{
  read_target(reading, node, target, DEM_PACKING_RELATIVE_DENSITY, (case_range){0.0, 1.0, false, false});
}

/* Friction must be able to fall. That of the material is checked when the whole case has been read. */
static void check_target(case_reading *reading, const yaml_node *node, dem_packing *packing)
{
  const yaml_node *void_ratio = yaml_entry(node, "void_ratio"), *density = yaml_entry(node, "relative_density"),
                  *friction = yaml_entry(node, "friction");
  if (void_ratio && density)
    case_report(&reading->problems, yaml_place(density),
                "'void_ratio' and 'relative_density' exclude each other: leave one of them out");
  if (packing->target == DEM_PACKING_FREE)
    return;
  double start = 1.0 / packing->initial_density - 1.0;
  if (packing->target == DEM_PACKING_VOID_RATIO && packing->target_value >= start)
    case_report(&reading->problems, yaml_place(void_ratio),
                "'void_ratio' must be below that of the random spheres before compression, %.4g: lower "
                "'initial_density'",
                start);
  if (!friction)
    packing->friction = NAN;
  else if (!(packing->friction > 0.0))
    case_report(&reading->problems, yaml_place(friction),
                "'friction' must be above 0 with a target: it is the friction from which it falls; leave it out to "
                "begin with that of the material");
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

static void read_packing(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"spheres", offsetof(dem_packing, spheres), CASE_INTEGER, .range = {8.0, DEM_SPHERES_MAX, false, false},
       .example = "4096"},
      {"sizes", offsetof(dem_packing, sizes), CASE_OTHER, .read = case_read_sizes,
       .example = "{uniform: {min: 0.8 mm, max: 1.2 mm}}"},
      {"pressure", offsetof(dem_packing, pressure), CASE_QUANTITY, DIMENSION_PRESSURE, .range = CASE_PRESSURE_RANGE,
       .example = "100 kPa"},
      {"friction", offsetof(dem_packing, friction), CASE_QUANTITY, .range = CASE_FRICTION_RANGE},
      {"void_ratio", 0, CASE_OTHER, .read = read_void_ratio},
      {"relative_density", 0, CASE_OTHER, .read = read_relative_density},
      {"unbalanced", offsetof(dem_packing, unbalanced), CASE_QUANTITY, .range = CASE_SHARE_RANGE},
      {"max_steps", offsetof(dem_packing, max_steps), CASE_INTEGER, .range = CASE_STEPS_FROM_1_RANGE},
      {"aspect", offsetof(dem_packing, aspect), CASE_OTHER, .read = read_aspect},
      {"initial_density", offsetof(dem_packing, initial_density), CASE_QUANTITY, .range = {0.01, 0.7, false, false}},
      {"damping", offsetof(dem_packing, damping), CASE_OTHER, .read = case_read_damping},
  };
  case_read_map(reading, node, fields, CASE_FIELDS(fields), target);
  check_target(reading, node, target);
  const dem_damping *damping = &((const dem_packing *)target)->damping;
  const yaml_node *given = yaml_entry(node, "damping");
  if (given && damping->viscous <= 0.0 && damping->local <= 0.0 && damping->global <= 0.0)
    case_report(&reading->problems, yaml_place(given),
                "'damping' of a packing must not be all zero: the spheres would never come to rest; as {viscous: 0.1, "
                "local: 0.5}");
}

/* ---- Lattice ----------------------------------------------------------------------------------------------------- */

static void read_lattice_kind(case_reading *reading, const yaml_node *node, void *target)
{
  static const char *const names[] = {"sc", "fcc"};
  int choice = case_read_choice(reading, node, names, 2);
  if (choice >= 0)
    *(dem_lattice_kind *)target = (dem_lattice_kind)choice;
}

static void read_cells(case_reading *reading, const yaml_node *node, void *target)
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
    if (case_read_integer(reading, yaml_item(node, i), 1.0, 10000.0, &count))
      cells[i] = (int)count;
  }
}

static void check_lattice_size(case_reading *reading, const yaml_node *node, const dem_lattice *lattice)
{
  double spheres = lattice->kind == DEM_LATTICE_FCC ? 4.0 : 1.0;
  for (int i = 0; i < 3; i++)
    spheres *= lattice->cells[i];
  if (spheres > DEM_SPHERES_MAX)
    case_report(&reading->problems, yaml_entry(node, "cells")->at,
                "%.0f spheres are more than the %d that are possible", spheres, DEM_SPHERES_MAX);
}

static void read_lattice(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"kind", offsetof(dem_lattice, kind), CASE_OTHER, .read = read_lattice_kind, .example = "fcc"},
      {"cells", offsetof(dem_lattice, cells), CASE_OTHER, .read = read_cells, .example = "[4, 4, 4]"},
      {"radius", offsetof(dem_lattice, radius), CASE_QUANTITY, DIMENSION_LENGTH, .range = CASE_LENGTH_RANGE,
       .example = "1 mm"},
      {"overlap", offsetof(dem_lattice, overlap), CASE_QUANTITY, .range = {0.0, 0.1, false, false}},
  };
  size_t problems_before = reading->problems.count;
  case_read_map(reading, node, fields, CASE_FIELDS(fields), target);
  if (reading->problems.count == problems_before)
    check_lattice_size(reading, node, target);
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

/* Reads the path of a file. Relative paths begin in the directory of the case file. */
static void read_path(case_reading *reading, const yaml_node *node, void *target)
{
  dem_assembly *assembly = target;
  if (!case_is_scalar(reading, node))
    return;
  const char *slash = strrchr(reading->file_name, '/');
  size_t directory = node->text[0] == '/' || !slash ? 0 : (size_t)(slash - reading->file_name) + 1;
  size_t size = directory + strlen(node->text) + 1;
  if (!*node->text) {
    case_report(&reading->problems, node->at, "'%s' needs the name of a file", node->key);
    return;
  }
  free(assembly->path); /* of a repeated key */
  free(assembly->name);
  assembly->path = malloc(size);
  assembly->name = strdup(node->text);
  if (assembly->path && assembly->name)
    snprintf(assembly->path, size, "%.*s%s", (int)directory, reading->file_name, node->text);
  else
    reading->problems.out_of_memory = true;
}

void case_read_assembly(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"packing", offsetof(dem_assembly, packing), CASE_OTHER, .read = read_packing},
      {"lattice", offsetof(dem_assembly, lattice), CASE_OTHER, .read = read_lattice},
      {"file", 0, CASE_OTHER, .read = read_path},
      {"checkpoint", 0, CASE_OTHER, .read = read_path},
  };
  static const dem_source sources[] = {DEM_SOURCE_PACKING, DEM_SOURCE_LATTICE, DEM_SOURCE_FILE, DEM_SOURCE_CHECKPOINT};
  dem_assembly *assembly = target;
  int choice = case_read_one_of(reading, node, fields, CASE_FIELDS(fields), assembly);
  if (choice >= 0)
    assembly->source = sources[choice];
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
