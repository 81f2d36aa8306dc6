/* SPDX-License-Identifier: MIT */
/* The blocks of a stage that control the cell: `control`, `mean_stress` and `cyclic`. */
#include "parts.h"

#include <string.h>

const char *const case_component_names[DEM_COMPONENTS] = {"xx", "yy", "zz", "xy", "xz", "yz"};

dem_component case_component(const char *key)
{
  size_t length = strlen(key);
  for (int i = 0; length >= 2 && i < DEM_COMPONENTS; i++)
    if (strcmp(key + length - 2, case_component_names[i]) == 0)
      return (dem_component)i;
  return DEM_COMPONENTS;
}

/* ---- Components -------------------------------------------------------------------------------------------------- */

/* The block of one component as it is written. */
typedef struct control_block {
  double value[DEM_CONTROL_VOLUME]; /* of each kind that has one */
  long ramp;
} control_block;

static void read_constant(case_reading *reading, const yaml_node *node, void *target)
{
  static const char *const words[] = {"constant"};
  (void)target;
  (void)case_read_choice(reading, node, words, 1);
}

#define VALUE(kind) offsetof(control_block, value) + (kind) * sizeof(double)

enum { RAMP = DEM_CONTROL_VOLUME + 1 };

/* In the order of dem_control_kind, then `ramp`. */
static const case_field control_fields[] = {
    {"strain_rate", VALUE(DEM_CONTROL_STRAIN_RATE), CASE_QUANTITY, DIMENSION_RATE, .range = {-1e9, 1e9, false, false}},
    {"strain_step", VALUE(DEM_CONTROL_STRAIN_STEP), CASE_QUANTITY, .range = {-0.01, 0.01, false, false}},
    {"strain", VALUE(DEM_CONTROL_STRAIN), CASE_QUANTITY, .range = CASE_STRAIN_RANGE},
    {"stress", VALUE(DEM_CONTROL_STRESS), CASE_QUANTITY, DIMENSION_PRESSURE, .range = CASE_STRESS_RANGE},
    {"volume", 0, CASE_OTHER, .read = read_constant},
    {"ramp", offsetof(control_block, ramp), CASE_INTEGER, .range = CASE_STEPS_RANGE},
};

/* The kind of the control, or -1 after a report. */
static int control_kind(case_reading *reading, const yaml_node *node, uint64_t found)
{
  uint64_t kinds = found & ((UINT64_C(1) << RAMP) - 1);
  const yaml_node *ramp = yaml_entry(node, "ramp");
  if (kinds == 0 || (kinds & (kinds - 1)) != 0) {
    case_report(&reading->problems, yaml_place(node),
                "'%s' must have one of the keys strain_rate, strain_step, strain, stress, volume, not %s", node->key,
                kinds ? "more" : "none");
    return -1;
  }
  if (ramp && kinds != UINT64_C(1) << DEM_CONTROL_STRESS) {
    case_report(&reading->problems, yaml_place(ramp), "'ramp' goes with 'stress' only");
    return -1;
  }
  int kind = 0;
  while (!(kinds >> kind & 1))
    kind++;
  return kind;
}

/* Checks what only normal, or only shear, components can do. */
static void check_direction(case_reading *reading, const yaml_node *node, const dem_control *control)
{
  bool is_normal = case_component(node->key) <= DEM_ZZ;
  if (is_normal && control->kind == DEM_CONTROL_STRESS && !(control->value > 0.0))
    case_report(&reading->problems, yaml_entry(node, "stress")->at,
                "a normal stress must be more than 0: compression is positive, and grains do not hold tension");
  if (!is_normal && control->kind == DEM_CONTROL_VOLUME)
    case_report(&reading->problems, yaml_place(yaml_entry(node, "volume")),
                "'volume' is for xx, yy and zz: shear does not change the volume");
}

static void read_control(case_reading *reading, const yaml_node *node, void *target)
{
  control_block block = {.ramp = 0};
  size_t problems_before = reading->problems.count;
  uint64_t found = case_read_map(reading, node, control_fields, CASE_FIELDS(control_fields), &block);
  if (reading->problems.count != problems_before)
    return;
  int kind = control_kind(reading, node, found);
  if (kind < 0)
    return;
  dem_control control = {.kind = (dem_control_kind)kind, .ramp = block.ramp};
  if (kind != DEM_CONTROL_VOLUME)
    control.value = block.value[kind];
  check_direction(reading, node, &control);
  *(dem_control *)target = control;
}

void case_read_controls(case_reading *reading, const yaml_node *node, void *target)
{
#define COMPONENT(name, component)                                                                                     \
  {                                                                                                                    \
    name, offsetof(dem_stage, control) + (component) * sizeof(dem_control), CASE_OTHER, .read = read_control           \
  }
  static const case_field fields[] = {COMPONENT("xx", DEM_XX), COMPONENT("yy", DEM_YY), COMPONENT("zz", DEM_ZZ),
                                      COMPONENT("xy", DEM_XY), COMPONENT("xz", DEM_XZ), COMPONENT("yz", DEM_YZ)};
#undef COMPONENT
  case_read_map(reading, node, fields, CASE_FIELDS(fields), target);
}

/* ---- Mean stress ------------------------------------------------------------------------------------------------- */

void case_read_mean_stress(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"stress", offsetof(dem_control, value), CASE_QUANTITY, DIMENSION_PRESSURE, .range = CASE_PRESSURE_RANGE,
       .example = "100 kPa"},
      {"ramp", offsetof(dem_control, ramp), CASE_INTEGER, .range = CASE_STEPS_RANGE},
  };
  dem_stage *stage = target;
  stage->mean_stress_is_held = true;
  stage->mean_stress.kind = DEM_CONTROL_STRESS;
  case_read_map(reading, node, fields, CASE_FIELDS(fields), &stage->mean_stress);
}

/* ---- Cycles ------------------------------------------------------------------------------------------------------ */

enum { CYCLIC_QUANTITIES = DEM_DEVIATOR + 1 }; /* strains, stresses, p and q */

static void read_of(case_reading *reading, const yaml_node *node, void *target)
{
  const char *names[CYCLIC_QUANTITIES];
  for (int i = 0; i < CYCLIC_QUANTITIES; i++)
    names[i] = dem_quantity_name((dem_quantity)i);
  int choice = case_read_choice(reading, node, names, CYCLIC_QUANTITIES);
  if (choice >= 0) {
    ((dem_cyclic *)target)->of = (dem_quantity)choice;
    ((dem_cyclic *)target)->on = true;
  }
}

/* The dimension depends on `of`, which has been read before. */
static void read_amplitude(case_reading *reading, const yaml_node *node, void *target)
{
  dem_cyclic *cyclic = target;
  if (!cyclic->on)
    return;
  if (cyclic->of < DEM_STRESS)
    (void)case_read_quantity(reading, node, DIMENSION_NONE, (case_range){0.0, 1.0, true, false}, &cyclic->amplitude);
  else
    (void)case_read_quantity(reading, node, DIMENSION_PRESSURE, (case_range)CASE_PRESSURE_RANGE, &cyclic->amplitude);
}

static void read_center(case_reading *reading, const yaml_node *node, void *target)
{
  dem_cyclic *cyclic = target;
  if (cyclic->on && cyclic->of < DEM_STRESS)
    case_report(&reading->problems, yaml_place(node),
                "'center' is for cycles of a stress, p or q: strains cycle around the start of the stage");
  else if (cyclic->on)
    (void)case_read_quantity(reading, node, DIMENSION_PRESSURE, (case_range)CASE_STRESS_RANGE, &cyclic->center);
}

void case_read_cyclic(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"of", 0, CASE_OTHER, .read = read_of, .example = "strain_zz"},
      {"amplitude", 0, CASE_OTHER, .read = read_amplitude, .example = "0.1 %"},
      {"center", 0, CASE_OTHER, .read = read_center},
  };
  case_read_map(reading, node, fields, CASE_FIELDS(fields), target);
}
