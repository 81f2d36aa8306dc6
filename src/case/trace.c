/* SPDX-License-Identifier: MIT */
/* The block `trace` of a case: contacts whose histories are written. */
#include "parts.h"
#include "base/text.h"

#include <stdio.h>

/* Ids count from 0. The number of spheres in a file is not known yet. */
static double largest_id(const dem_case *run)
{
  long spheres = case_sphere_count(run);
  return spheres > 0 ? (double)(spheres - 1) : UINT32_MAX;
}

static void read_pair(case_reading *reading, const yaml_node *node, void *target)
{
  dem_trace *trace = target;
  trace->kind = DEM_TRACE_PAIR;
  if (node->kind != YAML_LIST || node->count != 2) {
    case_report(&reading->problems, yaml_value_place(node), "'pair' must be a list of the ids of 2 spheres: [12, 345]");
    return;
  }
  for (size_t i = 0; i < 2; i++) {
    long id;
    if (!case_read_integer(reading, yaml_item(node, i), 0.0, largest_id(reading->run), &id))
      return;
    trace->ids[i] = (uint32_t)id;
  }
  trace->component = DEM_ZZ; /* the strain that is written with it */
  if (trace->ids[0] == trace->ids[1])
    case_report(&reading->problems, node->at, "'pair' must be two different spheres");
}

static void read_born(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"strain_xx", offsetof(dem_trace, strain), CASE_QUANTITY, .range = CASE_STRAIN_RANGE},
      {"strain_yy", offsetof(dem_trace, strain), CASE_QUANTITY, .range = CASE_STRAIN_RANGE},
      {"strain_zz", offsetof(dem_trace, strain), CASE_QUANTITY, .range = CASE_STRAIN_RANGE},
      {"strain_xy", offsetof(dem_trace, strain), CASE_QUANTITY, .range = CASE_STRAIN_RANGE},
      {"strain_xz", offsetof(dem_trace, strain), CASE_QUANTITY, .range = CASE_STRAIN_RANGE},
      {"strain_yz", offsetof(dem_trace, strain), CASE_QUANTITY, .range = CASE_STRAIN_RANGE},
  };
  dem_trace *trace = target;
  trace->kind = DEM_TRACE_BORN;
  int choice = case_read_one_of(reading, node, fields, CASE_FIELDS(fields), trace);
  if (choice >= 0)
    trace->component = (dem_component)choice;
}

static void read_stage_name(case_reading *reading, const yaml_node *node, void *target)
{
  const char *names[DEM_STAGES_MAX];
  const dem_case *run = reading->run;
  for (int i = 0; i < run->stage_count; i++)
    names[i] = run->stages[i].name;
  int choice = case_read_choice(reading, node, names, run->stage_count);
  if (choice >= 0)
    snprintf(target, DEM_NAME_MAX, "%s", names[choice]);
}

static void check_trace(case_reading *reading, const yaml_node *node)
{
  const yaml_node *pair = yaml_entry(node, "pair"), *born = yaml_entry(node, "born");
  const yaml_node *stage = yaml_entry(node, "stage"), *window = yaml_entry(node, "window");
  if (!pair == !born)
    case_report(&reading->problems, node->at, "a trace must have 'pair: [12, 345]' or 'born: {strain_zz: 0.03}'%s",
                pair ? ", not both" : "");
  else if (pair && (stage || window))
    case_report(&reading->problems, stage ? yaml_place(stage) : yaml_place(window),
                "'%s' goes with 'born', not with 'pair'", stage ? "stage" : "window");
  else if (born && !window)
    case_report(
        &reading->problems, yaml_place(born),
        "'born' needs 'window', the range of strain before and after it in which contacts are considered: 'window: "
        "0.002'");
}

static void read_trace(case_reading *reading, const yaml_node *node, dem_trace *trace)
{
  static const case_field fields[] = {
      {"pair", 0, CASE_OTHER, .read = read_pair},
      {"born", 0, CASE_OTHER, .read = read_born},
      {"stage", offsetof(dem_trace, stage), CASE_OTHER, .read = read_stage_name},
      {"window", offsetof(dem_trace, window), CASE_QUANTITY, .range = CASE_SHARE_RANGE},
      {"every", offsetof(dem_trace, every), CASE_INTEGER, .range = CASE_STEPS_FROM_1_RANGE},
  };
  size_t problems_before = reading->problems.count;
  case_read_map(reading, node, fields, CASE_FIELDS(fields), trace);
  if (reading->problems.count == problems_before)
    check_trace(reading, node);
}

void case_read_traces(case_reading *reading, const yaml_node *node, void *target)
{
  dem_case *run = target;
  if (node->kind != YAML_LIST) {
    case_report(&reading->problems, yaml_value_place(node),
                "'trace' must be a list of blocks, such as '- {pair: [12, 345]}'");
    return;
  }
  if (node->count > DEM_TRACES_MAX) {
    case_report(&reading->problems, yaml_item(node, DEM_TRACES_MAX)->at, "there may be at most %d traces",
                DEM_TRACES_MAX);
    return;
  }
  for (const yaml_node *item = node->first; item; item = item->next) {
    dem_trace *trace = &run->traces[run->trace_count++];
    *trace = (dem_trace){.every = 1};
    read_trace(reading, item, trace);
  }
}
