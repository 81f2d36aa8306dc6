/* SPDX-License-Identifier: MIT */
/*
 * Contradictions between the keys of a stage, each of which is valid by itself. Reports point at the key that is most
 * likely to be wrong.
 */
#include "keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const yaml_node *control_node(const yaml_node *stage, dem_component component)
{
  return yaml_entry(yaml_entry(stage, "control"), dem_component_name(component));
}

static bool is_speed(const dem_control *control)
{
  return control->kind == DEM_CONTROL_STRAIN_RATE || control->kind == DEM_CONTROL_STRAIN_STEP;
}

static bool is_path(const dem_control *control)
{
  return control->kind == DEM_CONTROL_STRAIN_PATH || control->kind == DEM_CONTROL_STRESS_PATH;
}

static bool has_kind(const dem_stage *stage, dem_control_kind kind)
{
  for (int i = 0; i < DEM_COMPONENTS; i++)
    if (stage->control[i].kind == kind)
      return true;
  return false;
}

/* ---- Controls ---------------------------------------------------------------------------------------------------- */

static void check_controls(case_reading *reading, const yaml_node *node, const dem_stage *stage)
{
  const yaml_node *all = yaml_entry(node, "control");
  char missing[32] = ""; /* normal components must have a control; shear components without one are held */
  size_t used = 0;
  int keeping_volume = 0;
  for (int i = DEM_XX; i <= DEM_ZZ; i++) {
    if (!control_node(node, (dem_component)i) && !is_path(&stage->control[i]))
      used += (size_t)snprintf(missing + used, sizeof missing - used, "%s%s", used > 0 ? ", " : "",
                               dem_component_name((dem_component)i));
    keeping_volume += stage->control[i].kind == DEM_CONTROL_VOLUME;
  }
  if (used > 0 && !stage->mean_stress_is_held)
    case_report(&reading->problems, all ? yaml_place(all) : node->at,
                "'control' does not say what is done to %s: write it like '%.2s: {stress: 100 kPa}', or '%.2s: "
                "{strain_rate: 0}' to hold it still",
                missing, missing, missing);
  for (int i = DEM_XX; stage->mean_stress_is_held && i <= DEM_ZZ; i++)
    if (!is_speed(&stage->control[i])) {
      const yaml_node *control = control_node(node, (dem_component)i);
      const yaml_node *wave =
          yaml_entry(yaml_entry(yaml_entry(node, "cyclic"), "paths"), dem_component_name((dem_component)i));
      case_report(&reading->problems, yaml_place(control ? control->first : wave),
                  "with 'mean_stress', '%s' must have strain_rate or strain_step: the servo adds to it",
                  dem_component_name((dem_component)i));
    }
  if (keeping_volume == 3)
    case_report(&reading->problems, yaml_place(all),
                "xx, yy and zz cannot all have 'volume: constant': at least one must be driven or held");
  for (int i = 0; i < DEM_COMPONENTS; i++) { /* a strain target needs an end that is known beforehand */
    if (stage->control[i].kind != DEM_CONTROL_STRAIN)
      continue;
    const yaml_node *strain = control_node(node, (dem_component)i)->first;
    bool has_steps = stage->until.steps > 0, has_time = stage->until.time > 0.0;
    if (has_steps == has_time)
      case_report(&reading->problems, yaml_place(strain),
                  "'%s' is reached at the end of the stage: 'until' must have 'steps' or 'time'%s", strain->key,
                  has_steps ? ", not both" : "");
    if (stage->cyclic.on)
      case_report(&reading->problems, yaml_place(strain),
                  "'%s' and 'cyclic' contradict each other: give strain_rate or strain_step", strain->key);
    if (stage->inertial_number > 0.0)
      case_report(&reading->problems, yaml_place(strain),
                  "'%s' prescribes its speed, but 'inertial_number' chooses the speed: give "
                  "'strain_rate: 1', and the strain in 'until'",
                  strain->key);
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

static void check_paths(case_reading *reading, const yaml_node *cyclic, const dem_stage *stage)
{
  bool has_steps = stage->cyclic.steps_per_cycle > 0, has_period = stage->cyclic.period > 0.0;
  bool has_number = stage->inertial_number > 0.0;
  if ((!has_steps && !has_period && !has_number) || (has_period && (has_steps || has_number)))
    case_report(&reading->problems, yaml_place(cyclic),
                "the duration of a cycle must be given by 'period', or by 'steps_per_cycle', 'inertial_number' (beside "
                "'cyclic') or both of these; the longer duration counts");
  else if (has_number && has_kind(stage, DEM_CONTROL_STRESS_PATH))
    case_report(&reading->problems, yaml_place(cyclic),
                "'inertial_number' cannot set the pace of stresses, whose strains are not known: give "
                "'steps_per_cycle'");
  for (int i = 0; i < DEM_COMPONENTS && stage->cyclic.run_in == 0.0; i++)
    if (is_path(&stage->control[i]) && floor(2.0 * stage->control[i].wave.phase) != 2.0 * stage->control[i].wave.phase)
      case_report(&reading->problems,
                  yaml_place(yaml_entry(yaml_entry(cyclic, "paths"), dem_component_name((dem_component)i))),
                  "without 'run_in' a path must start in its centre: 'phase' must be 0 or 180");
}

static void check_cycles(case_reading *reading, const yaml_node *node, const dem_stage *stage)
{
  const yaml_node *cyclic = yaml_entry(node, "cyclic"), *of = yaml_entry(cyclic, "of");
  const yaml_node *cycles = yaml_entry(yaml_entry(node, "until"), "cycles");
  if (stage->cyclic.has_paths)
    check_paths(reading, cyclic, stage);
  if (stage->cyclic.on && stage->until.steps == 0 && stage->until.time == 0.0 && stage->until.cycles == 0.0)
    case_report(&reading->problems, yaml_place(yaml_entry(node, "until")),
                "cycles need an end: 'until' must have 'cycles', 'steps' or 'time'");
  if (!stage->cyclic.on && cycles)
    case_report(&reading->problems, yaml_place(cycles),
                "'cycles' needs the block 'cyclic', which says what a cycle is");
  if (!stage->cyclic.on || stage->cyclic.has_paths)
    return;
  dem_quantity quantity = stage->cyclic.of;
  if (quantity < DEM_STRESS) {
    const dem_control *control = &stage->control[quantity - DEM_STRAIN];
    bool is_driven = (is_speed(control) && control->value != 0.0) || control->kind == DEM_CONTROL_VOLUME;
    if (!is_driven)
      case_report(&reading->problems, of->at, "%s cannot cycle: give %s a strain_rate or strain_step that is not 0",
                  of->text, of->text + strlen(of->text) - strlen("xx"));
    return;
  }
  bool is_component = quantity < DEM_MEAN_STRESS; /* a stress that the servo holds cannot cycle */
  bool is_held = is_component ? stage->control[quantity - DEM_STRESS].kind == DEM_CONTROL_STRESS
                              : quantity == DEM_MEAN_STRESS && stage->mean_stress_is_held;
  if (is_held)
    case_report(&reading->problems, of->at, "%s cannot cycle: it is held by '%s'", of->text,
                is_component ? "control" : "mean_stress");
  if (!something_is_driven(stage))
    case_report(&reading->problems, yaml_place(cyclic),
                "nothing cycles: a component needs a strain_rate or strain_step that is not 0, to be reversed");
}

/* ---- Ends, which may never be reached ---------------------------------------------------------------------------- */

/* The end is a strain of this component: is it ever reached? */
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

void case_check_stage(case_reading *reading, const yaml_node *node, const dem_stage *stage)
{
  check_controls(reading, node, stage);
  check_cycles(reading, node, stage);
  if (stage->inertial_number > 0.0 && !something_is_driven(stage) && !has_kind(stage, DEM_CONTROL_STRAIN_PATH) &&
      !has_kind(stage, DEM_CONTROL_STRAIN))
    case_report(&reading->problems, yaml_place(yaml_entry(node, "inertial_number")),
                "no strain can follow the inertial number: a component needs a strain_rate or strain_step that is "
                "not 0, such as 'strain_rate: 1'");
  for (int i = 0; i < stage->until.count; i++) {
    const dem_criterion *end = &stage->until.criteria[i];
    if (end->of < DEM_STRESS)
      check_strain_end(reading, node, stage, end, (dem_component)(end->of - DEM_STRAIN));
    else if (end->of >= DEM_GAMMA && end->of < DEM_GAMMA_SIZE)
      check_strain_end(reading, node, stage, end, (dem_component)(DEM_XY + (end->of - DEM_GAMMA)));
    else if ((end->of == DEM_R_U || end->of == DEM_R_U_ZZ) && !dem_stage_keeps_volume(stage)) {
      const yaml_node *entry = yaml_entry(yaml_entry(node, "until"), dem_quantity_name(end->of));
      case_report(&reading->problems, entry->at,
                  "%s stays 0 in a drained stage: give a component 'volume: constant', or hold xx, yy and zz",
                  entry->key);
    }
  }
}
