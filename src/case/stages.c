/* SPDX-License-Identifier: MIT */
/* The block `stages` of a case, and `output`. */
#include "parts.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

void case_read_output(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"series", offsetof(dem_output, series), FIELD_WHOLE, .range = CASE_STEPS_RANGE},
      {"snapshot", offsetof(dem_output, snapshot), FIELD_WHOLE, .range = CASE_STEPS_RANGE},
      {"vtk", offsetof(dem_output, vtk), FIELD_WHOLE, .range = CASE_STEPS_RANGE},
  };
  case_read_map(reading, node, fields, CASE_FIELDS(fields), target);
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static const char name_characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/* What is wrong with a name; NULL: nothing. */
static const char *fault_of_name(const char *name)
{
  size_t length = strlen(name);
  if (length == 0 || length >= DEM_NAME_MAX)
    return "it must have 1 to 63 characters";
  if (strspn(name, name_characters) != length)
    return "only letters, digits, - and _ are allowed";
  if (strspn(name, "0123456789") == length)
    return "it needs a letter, since a mere number is the place in the list";
  if (strcmp(name, "packing") == 0)
    return "that is what the making of the assembly is called";
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

static void read_stage(case_reading *reading, const yaml_node *node, dem_stage *stage)
{
  static const case_field fields[] = {
      {"name", offsetof(dem_stage, name), FIELD_OTHER, .read = read_name, .example = "biaxial"},
      {"control", 0, FIELD_OTHER, .read = case_read_controls},
      {"mean_stress", 0, FIELD_OTHER, .read = case_read_mean_stress},
      {"cyclic", offsetof(dem_stage, cyclic), FIELD_OTHER, .read = case_read_cyclic},
      {"until", offsetof(dem_stage, until), FIELD_OTHER, .read = case_read_until, .example = "{steps: 40000}"},
      {"friction", offsetof(dem_stage, friction), FIELD_QUANTITY, .range = CASE_FRICTION_RANGE},
      {"damping", offsetof(dem_stage, damping), FIELD_OTHER, .read = case_read_damping},
      {"output", offsetof(dem_stage, output), FIELD_OTHER, .read = case_read_output},
  };
  size_t problems_before = reading->problems.count;
  case_read_map(reading, node, fields, CASE_FIELDS(fields), stage);
  check_name_is_new(reading, node, stage);
  if (reading->problems.count == problems_before)
    case_check_stage(reading, node, stage);
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
    dem_stage *stage = &run->stages[run->stage_count];
    *stage = dem_stage_default(run);
    stage->output = reading->output;
    read_stage(reading, item, stage);
    run->stage_count++;
  }
}
