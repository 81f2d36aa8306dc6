/* SPDX-License-Identifier: MIT */
/* The blocks of a stage that control the cell: `control` and `mean_stress`. */
#include "parts.h"

#include <string.h>

const char *const case_component_names[DEM_COMPONENTS] = {"xx", "yy", "zz", "xy", "xz", "yz"};
const char *const case_gamma_names[DEM_COMPONENTS - DEM_XY] = {"gamma_xy", "gamma_xz", "gamma_yz"};

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
  double value[DEM_CONTROL_VOLUME];     /* of each kind that has one */
  double gamma[DEM_CONTROL_STRAIN + 1]; /* the same of shear angles, γ = 2 strain */
  long ramp;
} control_block;

static void read_constant(case_reading *reading, const yaml_node *node, void *target)
{
  static const char *const words[] = {"constant"};
  (void)target;
  (void)case_read_choice(reading, node, words, 1);
}

#define VALUE(kind) offsetof(control_block, value) + (kind) * sizeof(double)
#define GAMMA(kind) offsetof(control_block, gamma) + (kind) * sizeof(double)

enum { RAMP = DEM_CONTROL_VOLUME + 1, FIRST_GAMMA };

/* In the order of dem_control_kind, then `ramp`, then shear angles in the order of dem_control_kind. */
static const case_field control_fields[] = {
    {"strain_rate", VALUE(DEM_CONTROL_STRAIN_RATE), CASE_QUANTITY, DIMENSION_RATE, .range = {-1e9, 1e9, false, false}},
    {"strain_step", VALUE(DEM_CONTROL_STRAIN_STEP), CASE_QUANTITY, .range = {-0.01, 0.01, false, false}},
    {"strain", VALUE(DEM_CONTROL_STRAIN), CASE_QUANTITY, .range = CASE_STRAIN_RANGE},
    {"stress", VALUE(DEM_CONTROL_STRESS), CASE_QUANTITY, DIMENSION_PRESSURE, .range = CASE_STRESS_RANGE},
    {"volume", 0, CASE_OTHER, .read = read_constant},
    {"ramp", offsetof(control_block, ramp), CASE_INTEGER, .range = CASE_STEPS_RANGE},
    {"gamma_rate", GAMMA(DEM_CONTROL_STRAIN_RATE), CASE_QUANTITY, DIMENSION_RATE, .range = {-2e9, 2e9, false, false}},
    {"gamma_step", GAMMA(DEM_CONTROL_STRAIN_STEP), CASE_QUANTITY, .range = {-0.02, 0.02, false, false}},
    {"gamma", GAMMA(DEM_CONTROL_STRAIN), CASE_QUANTITY, .range = {-20.0, 20.0, false, false}},
};

/* The kind of the control, or -1 after a report. */
static int control_kind(case_reading *reading, const yaml_node *node, uint64_t found)
{
  uint64_t gammas = found >> FIRST_GAMMA, kinds = (found & ((UINT64_C(1) << RAMP) - 1)) | gammas;
  bool is_double = (found & gammas) != 0;
  const yaml_node *ramp = yaml_entry(node, "ramp");
  if (kinds == 0 || (kinds & (kinds - 1)) != 0 || is_double) {
    case_report(&reading->problems, yaml_place(node),
                "'%s' must have one of the keys strain_rate, strain_step, strain, stress, volume%s, not %s", node->key,
                case_component(node->key) <= DEM_ZZ ? "" : ", gamma_rate, gamma_step, gamma", kinds ? "more" : "none");
    return -1;
  }
  if (gammas != 0 && case_component(node->key) <= DEM_ZZ) {
    case_report(&reading->problems, yaml_place(node->first),
                "'%s' is a shear angle, for xy, xz and yz: normal components have a strain", node->first->key);
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
  if (found >> FIRST_GAMMA)
    control.value = 0.5 * block.gamma[kind];
  else if (kind != DEM_CONTROL_VOLUME)
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
