/* SPDX-License-Identifier: MIT */
/*
 * Contradictions between the keys of a stage, each of which is valid by itself. Reports point at the key that is most
 * likely to be wrong.
 */
#include "parts.h"

#include <math.h>
#include <stdio.h>

static const yaml_node *control_node(const yaml_node *stage, dem_component component)
{
  return yaml_entry(yaml_entry(stage, "control"), case_component_names[component]);
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

/* Normal components must have a control. Shear components without one are held. */
static void check_completeness(case_reading *reading, const yaml_node *node, const dem_stage *stage)
{
  char missing[32] = "";
  size_t used = 0;
  for (int i = DEM_XX; i <= DEM_ZZ; i++)
    if (!control_node(node, (dem_component)i) && !is_path(&stage->control[i]))
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
      const yaml_node *wave = yaml_entry(yaml_entry(yaml_entry(node, "cyclic"), "paths"), case_component_names[i]);
      case_report(&reading->problems, yaml_place(control ? control->first : wave),
                  "with 'mean_stress', '%s' must have strain_rate or strain_step: the servo adds to it",
                  case_component_names[i]);
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
    const yaml_node *control = control_node(node, (dem_component)i), *strain = control->first;
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
                  "'%s' has the speed that its end asks for, and 'inertial_number' chooses the speed: give "
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

static void check_paths(case_reading *reading, const yaml_node *cyclic, const dem_stage *stage)
{
  bool has_steps = stage->cyclic.steps_per_cycle > 0, has_period = stage->cyclic.period > 0.0;
  bool has_number = stage->inertial_number > 0.0;
  if ((!has_steps && !has_period && !has_number) || (has_period && (has_steps || has_number)))
    case_report(&reading->problems, yaml_place(cyclic),
                "the duration of a cycle must be given by 'period', or by 'steps_per_cycle', 'inertial_number' (beside "
                "'cyclic') or both of these, of which the longer counts");
  else if (has_number && has_kind(stage, DEM_CONTROL_STRESS_PATH))
    case_report(&reading->problems, yaml_place(cyclic),
                "'inertial_number' cannot lead paths of stress, whose strains are not known before: give "
                "'steps_per_cycle'");
  for (int i = 0; i < DEM_COMPONENTS && stage->cyclic.run_in == 0.0; i++)
    if (is_path(&stage->control[i]) && floor(2.0 * stage->control[i].wave.phase) != 2.0 * stage->control[i].wave.phase)
      case_report(&reading->problems, yaml_place(yaml_entry(yaml_entry(cyclic, "paths"), case_component_names[i])),
                  "without 'run_in' a path must start in its centre: 'phase' must be 0 or 180");
}

static void check_end_of_cycles(case_reading *reading, const yaml_node *node, const dem_until *until)
{
  if (until->steps == 0 && until->time == 0.0 && until->cycles == 0.0)
    case_report(&reading->problems, yaml_place(yaml_entry(node, "until")),
                "cycles need an end: 'until' must have 'cycles', 'steps' or 'time'");
}

static void check_cycles(case_reading *reading, const yaml_node *node, const dem_stage *stage)
{
  const yaml_node *cyclic = yaml_entry(node, "cyclic"), *of = yaml_entry(cyclic, "of");
  const yaml_node *cycles = yaml_entry(yaml_entry(node, "until"), "cycles");
  if (stage->cyclic.has_paths)
    check_paths(reading, cyclic, stage);
  if (stage->cyclic.on)
    check_end_of_cycles(reading, node, &stage->until);
  else if (cycles)
    case_report(&reading->problems, yaml_place(cycles),
                "'cycles' needs the block 'cyclic', which says what a cycle is");
  if (!stage->cyclic.on || stage->cyclic.has_paths)
    return;
  if (stage->cyclic.of < DEM_STRESS)
    check_cycled_strain(reading, of, stage);
  else
    check_cycled_stress(reading, of, stage);
  if (stage->cyclic.of >= DEM_STRESS && !something_is_driven(stage))
    case_report(&reading->problems, yaml_place(cyclic),
                "nothing cycles: a component needs a strain_rate or strain_step that is not 0, to be reversed");
}

/* ---- Pace -------------------------------------------------------------------------------------------------------- */

static void check_inertial_number(case_reading *reading, const yaml_node *node, const dem_stage *stage)
{
  if (stage->inertial_number > 0.0 && !something_is_driven(stage) && !has_kind(stage, DEM_CONTROL_STRAIN_PATH) &&
      !has_kind(stage, DEM_CONTROL_STRAIN))
    case_report(&reading->problems, yaml_place(yaml_entry(node, "inertial_number")),
                "there is no strain whose speed could follow: a component needs a strain_rate or strain_step that is "
                "not 0, such as 'strain_rate: 1'");
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
  check_inertial_number(reading, node, stage);
  check_ends(reading, node, stage);
}
