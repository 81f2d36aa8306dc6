/* SPDX-License-Identifier: MIT */
/* The block `stages` of a case. */
#include "parts.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static const char name_characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/* The reason why a name is not allowed; NULL: it is. */
static const char *fault_of_name(const char *name)
{
  size_t length = strlen(name);
  if (length == 0 || length >= DEM_NAME_MAX)
    return "it must have 1 to 63 characters";
  if (strspn(name, name_characters) != length)
    return "only letters, digits, - and _ are allowed";
  if (strspn(name, "0123456789") == length)
    return "it needs a letter, since a number means the position in the list";
  if (strcmp(name, "packing") == 0)
    return "this is the name of the stage that makes the assembly";
  return NULL;
}

static void read_name(case_reading *reading, const yaml_node *node, void *target)
{
  char quoted[TEXT_QUOTE_SIZE], *name = target;
  if (!case_is_scalar(reading, node))
    return;
  const char *fault = fault_of_name(node->text);
  if (fault) {
    case_report(&reading->problems, node->at, "a stage cannot have the name %s: %s", text_quote(node->text, quoted),
                fault);
    return;
  }
  snprintf(name, DEM_NAME_MAX, "%s", node->text);
}

static void check_name_is_new(case_reading *reading, const yaml_node *node, const dem_stage *stage)
{
  const dem_case *run = reading->run;
  for (int i = 0; i < run->stage_count; i++)
    if (*stage->name && strcmp(run->stages[i].name, stage->name) == 0) {
      case_report(&reading->problems, yaml_entry(node, "name")->at, "there is another stage '%s': names must differ",
                  stage->name);
      return;
    }
}

/* ---- Stages ------------------------------------------------------------------------------------------------------ */

/* The block of one stage: what is done, and what is written. */
typedef struct stage_block {
  dem_stage stage;
  output_intervals output;
  const yaml_node *reduction; /* the block `modulus_reduction`; NULL: none */
} stage_block;

static void note_reduction(case_reading *reading, const yaml_node *node, void *target)
{
  (void)reading;
  *(const yaml_node **)target = node;
}

static void read_intervals(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"series", offsetof(output_intervals, series), CASE_INTEGER, .range = CASE_STEPS_RANGE},
      {"snapshot", offsetof(output_intervals, snapshot), CASE_INTEGER, .range = CASE_STEPS_RANGE},
      {"vtk", offsetof(output_intervals, vtk), CASE_INTEGER, .range = CASE_STEPS_RANGE},
  };
  case_read_map(reading, node, fields, CASE_FIELDS(fields), target);
}

static void read_stage(case_reading *reading, const yaml_node *node, stage_block *block)
{
  static const case_field fields[] = {
      {"name", offsetof(stage_block, stage.name), CASE_OTHER, .read = read_name, .example = "biaxial"},
      {"control", offsetof(stage_block, stage), CASE_OTHER, .read = case_read_controls},
      {"mean_stress", offsetof(stage_block, stage), CASE_OTHER, .read = case_read_mean_stress},
      {"cyclic", offsetof(stage_block, stage), CASE_OTHER, .read = case_read_cyclic},
      {"inertial_number", offsetof(stage_block, stage.inertial_number), CASE_QUANTITY,
       .range = {1e-9, 0.1, false, false}},
      {"modulus_reduction", offsetof(stage_block, reduction), CASE_OTHER, .read = note_reduction},
      {"until", offsetof(stage_block, stage.until), CASE_OTHER, .read = case_read_until},
      {"friction", offsetof(stage_block, stage.friction), CASE_QUANTITY, .range = CASE_FRICTION_RANGE},
      {"stop_spheres", offsetof(stage_block, stage.stops_spheres), .kind = CASE_FLAG},
      {"damping", offsetof(stage_block, stage.damping), CASE_OTHER, .read = case_read_damping},
      {"output", offsetof(stage_block, output), CASE_OTHER, .read = read_intervals},
  };
  char name[YAML_PATH_SIZE];
  size_t problems_before = reading->problems.count;
  case_read_map(reading, node, fields, CASE_FIELDS(fields), block);
  check_name_is_new(reading, node, &block->stage);
  if (reading->problems.count == problems_before && !block->reduction && !yaml_entry(node, "until"))
    case_report(&reading->problems, yaml_place(node),
                "'until' is missing in '%s': write it like 'until: {steps: 40000}'", case_name(node, name));
  if (reading->problems.count == problems_before)
    case_check_stage(reading, node, &block->stage);
}

/* Adds the stages that a block stands for. */
static void add_stages(case_reading *reading, const yaml_node *node, const stage_block *block)
{
  dem_case *run = reading->run;
  int room = DEM_STAGES_MAX - run->stage_count, count = room > 0;
  dem_stage *stages = &run->stages[run->stage_count];
  if (block->reduction)
    count = case_read_reduction(reading, block->reduction, &block->stage, stages, room);
  else if (room > 0)
    *stages = block->stage;
  else
    case_report(&reading->problems, yaml_place(node), "there may be at most %d stages", DEM_STAGES_MAX);
  for (int i = run->stage_count; i < run->stage_count + count; i++) {
    reading->output->stages[i] = block->output;
    reading->stage_nodes[i] = node;
  }
  run->stage_count += count;
}

static bool is_list_of_stages(case_reading *reading, const yaml_node *node)
{
  if (node->kind != YAML_LIST || node->count == 0)
    case_report(&reading->problems, node->kind == YAML_LIST ? yaml_place(node) : yaml_value_place(node),
                "'stages' must be a list of blocks, each beginning with '- name: ...'");
  else if (node->count > DEM_STAGES_MAX)
    case_report(&reading->problems, yaml_item(node, DEM_STAGES_MAX)->at, "there may be at most %d stages",
                DEM_STAGES_MAX);
  else
    return true;
  return false;
}

void case_read_stages(case_reading *reading, const yaml_node *node, void *target)
{
  dem_case *run = target;
  if (!is_list_of_stages(reading, node))
    return;
  for (const yaml_node *item = node->first; item; item = item->next) {
    stage_block block = {.stage = dem_stage_default(run), .output = reading->intervals};
    read_stage(reading, item, &block);
    add_stages(reading, item, &block);
  }
}
