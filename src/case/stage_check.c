/* SPDX-License-Identifier: MIT */
/*
 * Contradictions between the keys of a stage, each of which is valid by itself. Reports point at the key that is most
 * likely to be wrong.
 */
#include "parts.h"

#include <stdio.h>

static const yaml_node *control_node(const yaml_node *stage, dem_component component)
{
  return yaml_entry(yaml_entry(stage, "control"), case_component_names[component]);
}

static bool is_speed(const dem_control *control)
{
  return control->kind == DEM_CONTROL_STRAIN_RATE || control->kind == DEM_CONTROL_STRAIN_STEP;
}

/* ---- Controls ---------------------------------------------------------------------------------------------------- */

/* Normal components must have a control. Shear components without one are held. */
static void check_completeness(case_reading *reading, const yaml_node *node, const dem_stage *stage)
{
  char missing[32] = "";
  size_t used = 0;
  for (int i = DEM_XX; i <= DEM_ZZ; i++)
    if (!control_node(node, (dem_component)i))
      used += (size_t)snprintf(missing + used, sizeof missing - used, "%s%s", used > 0 ? ", " : "",
                               case_component_names[i]);
  const yaml_node *control = yaml_entry(node, "control");
  if (used == 0 || stage->mean_stress_is_held)
    return;
  case_report(
      &reading->problems, control ? yaml_place(control) : node->at,
      "'control' does not say what is done to %s: write it like '%.2s: {stress: 100 kPa}', or '%.2s: {strain_rate: 0}' "
      "to hold it still",
      missing, missing, missing);
}

static void check_mean_stress(case_reading *reading, const yaml_node *node, const dem_stage *stage)
{
  for (int i = DEM_XX; stage->mean_stress_is_held && i <= DEM_ZZ; i++)
    if (!is_speed(&stage->control[i])) {
      const yaml_node *control = control_node(node, (dem_component)i);
      case_report(&reading->problems, yaml_place(control->first),
                  "with 'mean_stress', '%s' must have strain_rate or strain_step: the servo adds to it", control->key);
    }
}

static void check_volume(case_reading *reading, const yaml_node *node, const dem_stage *stage)
{
  int count = 0;
  for (int i = DEM_XX; i <= DEM_ZZ; i++)
    count += stage->control[i].kind == DEM_CONTROL_VOLUME;
  if (count == 3)
    case_report(&reading->problems, yaml_place(yaml_entry(node, "control")),
                "xx, yy and zz cannot all have 'volume: constant': at least one must be driven or held");
}

/* A strain target needs an end that is known beforehand. */
static void check_strain_targets(case_reading *reading, const yaml_node *node, const dem_stage *stage)
{
  for (int i = 0; i < DEM_COMPONENTS; i++) {
    if (stage->control[i].kind != DEM_CONTROL_STRAIN)
      continue;
    const yaml_node *strain = yaml_entry(control_node(node, (dem_component)i), "strain");
    bool has_steps = stage->until.steps > 0, has_time = stage->until.time > 0.0;
    if (has_steps == has_time)
      case_report(&reading->problems, yaml_place(strain),
                  "'strain' is reached at the end of the stage: 'until' must have 'steps' or 'time'%s",
                  has_steps ? ", not both" : "");
    if (stage->cyclic.on)
      case_report(&reading->problems, yaml_place(strain),
                  "'strain' and 'cyclic' contradict each other: give strain_rate or strain_step");
  }
}

/* ---- Cycles ------------------------------------------------------------------------------------------------------ */

static bool something_is_driven(const dem_stage *stage)
{
  for (int i = 0; i < DEM_COMPONENTS; i++)
    if (is_speed(&stage->control[i]) && stage->control[i].value != 0.0)
      return true;
  return false;
}

static void check_cycled_strain(case_reading *reading, const yaml_node *of, const dem_stage *stage)
{
  const dem_control *control = &stage->control[stage->cyclic.of - DEM_STRAIN];
  bool is_driven = (is_speed(control) && control->value != 0.0) || control->kind == DEM_CONTROL_VOLUME;
  if (!is_driven)
    case_report(&reading->problems, of->at, "%s cannot cycle: give %s a strain_rate or strain_step that is not 0",
                of->text, case_component_names[case_component(of->text)]);
}

/* A stress that the servo holds cannot cycle. */
static void check_cycled_stress(case_reading *reading, const yaml_node *of, const dem_stage *stage)
{
  dem_quantity quantity = stage->cyclic.of;
  bool is_component = quantity < DEM_MEAN_STRESS;
  bool is_held = is_component ? stage->control[quantity - DEM_STRESS].kind == DEM_CONTROL_STRESS
                              : quantity == DEM_MEAN_STRESS && stage->mean_stress_is_held;
  if (is_held)
    case_report(&reading->problems, of->at, "%s cannot cycle: it is held by '%s'", of->text,
                is_component ? "control" : "mean_stress");
}

static void check_cycles(case_reading *reading, const yaml_node *node, const dem_stage *stage)
{
  const yaml_node *cyclic = yaml_entry(node, "cyclic"), *of = yaml_entry(cyclic, "of");
  const yaml_node *cycles = yaml_entry(yaml_entry(node, "until"), "cycles");
  const dem_until *until = &stage->until;
  if (!stage->cyclic.on) {
    if (cycles)
      case_report(&reading->problems, yaml_place(cycles),
                  "'cycles' needs the block 'cyclic', which says what a cycle is");
    return;
  }
  if (stage->cyclic.of < DEM_STRESS)
    check_cycled_strain(reading, of, stage);
  else
    check_cycled_stress(reading, of, stage);
  if (stage->cyclic.of >= DEM_STRESS && !something_is_driven(stage))
    case_report(&reading->problems, yaml_place(cyclic),
                "nothing cycles: a component needs a strain_rate or strain_step that is not 0, to be reversed");
  if (until->steps == 0 && until->time == 0.0 && until->cycles == 0.0)
    case_report(&reading->problems, yaml_place(yaml_entry(node, "until")),
                "cycles need an end: 'until' must have 'cycles', 'steps' or 'time'");
}

/* ---- Ends that are never reached --------------------------------------------------------------------------------- */

/* The end is a strain of this component. */
static void check_strain_end(case_reading *reading, const yaml_node *node, const dem_stage *stage,
                             const dem_criterion *end, dem_component component)
{
  static const char *const kinds[] = {"strain_rate", "strain_step", "strain"};
  char speed[QUANTITY_TEXT_SIZE];
  const dem_control *control = &stage->control[component];
  bool is_mixed = stage->mean_stress_is_held && component <= DEM_ZZ; /* the servo adds to the strain */
  if (control->kind > DEM_CONTROL_STRAIN || control->value == 0.0 || stage->cyclic.on || is_mixed)
    return;
  const yaml_node *entry = yaml_entry(yaml_entry(node, "until"), dem_quantity_name(end->of));
  if ((control->value > 0.0) != (end->value > 0.0))
    case_report(&reading->problems, entry->at, "%s goes %s at %s %s and never reaches %s", entry->key,
                control->value > 0.0 ? "up" : "down", kinds[control->kind],
                number_print_shortest(control->value, speed), entry->text);
}

/* There is pore pressure at constant volume only. */
static void check_pore_pressure_end(case_reading *reading, const yaml_node *node, const dem_stage *stage,
                                    const dem_criterion *end)
{
  const yaml_node *entry = yaml_entry(yaml_entry(node, "until"), dem_quantity_name(end->of));
  if (!dem_stage_keeps_volume(stage))
    case_report(&reading->problems, entry->at,
                "%s stays 0 in a drained stage: give a component 'volume: constant', or hold xx, yy and zz",
                entry->key);
}

static void check_ends(case_reading *reading, const yaml_node *node, const dem_stage *stage)
{
  for (int i = 0; i < stage->until.count; i++) {
    const dem_criterion *end = &stage->until.criteria[i];
    if (end->of < DEM_STRESS)
      check_strain_end(reading, node, stage, end, (dem_component)(end->of - DEM_STRAIN));
    else if (end->of >= DEM_GAMMA && end->of < DEM_GAMMA_SIZE)
      check_strain_end(reading, node, stage, end, (dem_component)(DEM_XY + (end->of - DEM_GAMMA)));
    else if (end->of == DEM_R_U || end->of == DEM_R_U_ZZ)
      check_pore_pressure_end(reading, node, stage, end);
  }
}

void case_check_stage(case_reading *reading, const yaml_node *node, const dem_stage *stage)
{
  check_completeness(reading, node, stage);
  check_mean_stress(reading, node, stage);
  check_volume(reading, node, stage);
  check_strain_targets(reading, node, stage);
  check_cycles(reading, node, stage);
  check_ends(reading, node, stage);
}
