/* SPDX-License-Identifier: MIT */
/*
 * The shapes of the grains of a packing: one shape, or a list of them with shares. A shape is a name, or a block with a
 * name and its numbers, with spheres, or with a file of spheres.
 */
#include "keys.h"
#include "base/text.h"
#include "dem/shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a block says of a shape. */
typedef struct shape_block {
  const yaml_node *name, *spheres, *file;
  dem_shape_form form; /* NAN: not given */
  double share;
} shape_block;

static const dem_key shape_keys[] = {
    {"name", offsetof(shape_block, name), .kind = KEY_OTHER},
    {"core", offsetof(shape_block, form.core), .range = IN(0.0, 1e9)},
    {"radius", offsetof(shape_block, form.radius), .range = ABOVE(0.0, 1e9)},
    {"offset", offsetof(shape_block, form.offset), .range = IN(0.0, 1e9)},
    {"spheres", offsetof(shape_block, spheres), .kind = KEY_OTHER},
    {"file", offsetof(shape_block, file), .kind = KEY_OTHER},
    {"share", offsetof(shape_block, share), .range = ABOVE(0.0, 1e9)},
};
static const dem_block shape_table = BLOCK(shape_keys);

/* Keeps the node: what it means depends on the others. */
static void keep_node(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  (void)reading;
  (void)key;
  *(const yaml_node **)target = node;
}

/* ---- One shape --------------------------------------------------------------------------------------------------- */

/* Returns true if there is a shape, and reports the error otherwise. */
static bool report_unless(bool is_made, case_reading *reading, case_origin at, const error_info *error)
{
  if (!is_made && error->out_of_memory)
    reading->problems.out_of_memory = true;
  else if (!is_made)
    case_report(&reading->problems, at, "%s", error->text);
  return is_made;
}

static bool read_name(case_reading *reading, const yaml_node *node, const dem_shape_form *form, dem_shape *shape)
{
  error_info error;
  return case_is_scalar(reading, node) &&
         report_unless(dem_shape_make_named(shape, node->text, form, &error), reading, node->at, &error);
}

static bool read_spheres(case_reading *reading, const yaml_node *node, dem_shape *shape)
{
  static const dem_key number = {.name = "spheres", .range = IN(-1e9, 1e9)};
  dem_shape_sphere spheres[DEM_SHAPE_SPHERES_MAX] = {{.radius = 0.0}};
  error_info error;
  size_t count = 0, culprit;
  if (node->kind != YAML_LIST || node->count == 0 || node->count > DEM_SHAPE_SPHERES_MAX) {
    case_report(&reading->problems, yaml_value_place(node),
                "'spheres' must be a list of 1 to %d spheres, four numbers x, y, z, r each: [[0, 0, 0, 1], [1, 0, 0, "
                "0.8]]",
                DEM_SHAPE_SPHERES_MAX);
    return false;
  }
  for (const yaml_node *item = node->first; item; item = item->next, count++) {
    double numbers[4];
    if (case_read_numbers(reading, item, &number, 4, 4, numbers) != 4)
      return false;
    spheres[count] = (dem_shape_sphere){.center = vec3_load(numbers), .radius = numbers[3]};
  }
  bool is_made = dem_shape_make(shape, spheres, count, &culprit, &error);
  const yaml_node *wrong = culprit < count ? yaml_item(node, culprit) : node;
  return report_unless(is_made, reading, yaml_value_place(wrong), &error);
}

static bool read_file(case_reading *reading, const yaml_node *node, dem_shape *shape)
{
  error_info error;
  char *path = case_read_path(reading, node);
  bool is_made = path && report_unless(dem_shape_read(shape, path, &error), reading, node->at, &error);
  free(path);
  return is_made;
}

static bool has_number(const shape_block *block)
{
  return !isnan(block->form.core) || !isnan(block->form.radius) || !isnan(block->form.offset);
}

static bool read_shape(case_reading *reading, const yaml_node *node, dem_shape_choice *choice)
{
  static const case_special specials[] = {{"", keep_node}, {NULL, NULL}};
  shape_block block = {.form = {NAN, NAN, NAN}, .share = 1.0};
  size_t problems_before = reading->problems.count;
  if (node->kind == YAML_MAP)
    case_read_block(reading, node, &shape_table, specials, &block);
  else
    block.name = node;
  if (reading->problems.count != problems_before)
    return false;
  const yaml_node *given = block.name ? block.name : block.spheres ? block.spheres : block.file;
  int ways = (block.name != NULL) + (block.spheres != NULL) + (block.file != NULL);
  if (ways != 1 || (!block.name && has_number(&block))) {
    case_report(&reading->problems, yaml_place(node),
                "a shape has one of 'name' (%s), 'spheres' and 'file'; core, radius and offset are for names",
                dem_shape_names);
    return false;
  }
  bool is_read = block.name      ? read_name(reading, given, &block.form, &choice->shape)
                 : block.spheres ? read_spheres(reading, given, &choice->shape)
                                 : read_file(reading, given, &choice->shape);
  if (!is_read)
    return false;
  snprintf(choice->name, sizeof choice->name, "%s", block.spheres ? "own" : given->text);
  choice->share = block.share;
  dem_shape_normalise(&choice->shape);
  return true;
}

/* ---- All shapes -------------------------------------------------------------------------------------------------- */

void case_read_shapes(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  dem_packing *packing = &reading->run->assembly.packing;
  bool is_list = node->kind == YAML_LIST;
  size_t count = is_list ? node->count : 1;
  (void)key;
  (void)target;
  if (node->kind == YAML_NOTHING || count == 0 || count > DEM_SHAPES_MAX) {
    case_report(&reading->problems, yaml_place(node),
                "'shapes' must be a shape, such as nevada, or a list of 1 to %d shapes", DEM_SHAPES_MAX);
    return;
  }
  free(packing->shapes); /* of a repeated key */
  packing->shape_count = 0;
  packing->shapes = calloc(count, sizeof *packing->shapes);
  if (!packing->shapes) {
    reading->problems.out_of_memory = true;
    return;
  }
  for (const yaml_node *item = is_list ? node->first : node; item; item = is_list ? item->next : NULL)
    if (!read_shape(reading, item, &packing->shapes[packing->shape_count++]))
      return;
}
