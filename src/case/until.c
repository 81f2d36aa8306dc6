/* SPDX-License-Identifier: MIT */
/* The block `until` of a stage: when it ends. */
#include "parts.h"

/* The block as it is written: a value for each quantity. */
typedef struct until_block {
  dem_until until;
  double value[DEM_QUANTITIES];
} until_block;

#define VALUE(quantity) offsetof(until_block, value) + (quantity) * sizeof(double)
#define STRAIN(component) VALUE(DEM_STRAIN + (component)), CASE_QUANTITY, .range = CASE_STRAIN_RANGE
#define STRESS(component) VALUE(DEM_STRESS + (component)), CASE_QUANTITY, DIMENSION_PRESSURE, .range = CASE_STRESS_RANGE
#define GAMMA(component) VALUE(DEM_GAMMA + (component)-DEM_XY), CASE_QUANTITY, .range = GAMMA_RANGE
#define GAMMA_SIZE(component) VALUE(DEM_GAMMA_SIZE + (component)-DEM_XY), CASE_QUANTITY, .range = SIZE_RANGE
#define DOUBLE_AMPLITUDE(component) VALUE(DEM_DOUBLE_AMPLITUDE + (component)), CASE_QUANTITY, .range = SIZE_RANGE

/* clang-format off */
#define GAMMA_RANGE {-20.0, 20.0, false, false} /* twice that of tensor strains */
#define SIZE_RANGE {0.0, 20.0, true, false}
/* clang-format on */

enum { LIMITS = 4 }; /* fields before the quantities, which come in the order of dem_quantity */

static const case_field fields[LIMITS + DEM_QUANTITIES] = {
    {"steps", offsetof(until_block, until.steps), CASE_INTEGER, .range = CASE_STEPS_FROM_1_RANGE},
    {"time", offsetof(until_block, until.time), CASE_QUANTITY, DIMENSION_TIME, .range = {1e-15, 1e15, false, false}},
    {"cycles", offsetof(until_block, until.cycles), CASE_QUANTITY, .range = {0.01, 1e9, false, false}},
    {"unbalanced", offsetof(until_block, until.unbalanced), CASE_QUANTITY, .range = CASE_SHARE_RANGE},
    {"strain_xx", STRAIN(DEM_XX)},
    {"strain_yy", STRAIN(DEM_YY)},
    {"strain_zz", STRAIN(DEM_ZZ)},
    {"strain_xy", STRAIN(DEM_XY)},
    {"strain_xz", STRAIN(DEM_XZ)},
    {"strain_yz", STRAIN(DEM_YZ)},
    {"stress_xx", STRESS(DEM_XX)},
    {"stress_yy", STRESS(DEM_YY)},
    {"stress_zz", STRESS(DEM_ZZ)},
    {"stress_xy", STRESS(DEM_XY)},
    {"stress_xz", STRESS(DEM_XZ)},
    {"stress_yz", STRESS(DEM_YZ)},
    {"p", VALUE(DEM_MEAN_STRESS), CASE_QUANTITY, DIMENSION_PRESSURE, .range = CASE_PRESSURE_RANGE},
    {"q", VALUE(DEM_DEVIATOR), CASE_QUANTITY, DIMENSION_PRESSURE, .range = CASE_STRESS_RANGE},
    {"volumetric_strain", VALUE(DEM_VOLUMETRIC_STRAIN), CASE_QUANTITY, .range = CASE_STRAIN_RANGE},
    {"void_ratio", VALUE(DEM_VOID_RATIO), CASE_QUANTITY, .range = {0.0, 1e6, true, false}},
    {"gamma_xy", GAMMA(DEM_XY)},
    {"gamma_xz", GAMMA(DEM_XZ)},
    {"gamma_yz", GAMMA(DEM_YZ)},
    {"|gamma_xy|", GAMMA_SIZE(DEM_XY)},
    {"|gamma_xz|", GAMMA_SIZE(DEM_XZ)},
    {"|gamma_yz|", GAMMA_SIZE(DEM_YZ)},
    {"double_amplitude_xx", DOUBLE_AMPLITUDE(DEM_XX)},
    {"double_amplitude_yy", DOUBLE_AMPLITUDE(DEM_YY)},
    {"double_amplitude_zz", DOUBLE_AMPLITUDE(DEM_ZZ)},
    {"double_amplitude_xy", DOUBLE_AMPLITUDE(DEM_XY)},
    {"double_amplitude_xz", DOUBLE_AMPLITUDE(DEM_XZ)},
    {"double_amplitude_yz", DOUBLE_AMPLITUDE(DEM_YZ)},
    {"r_u", VALUE(DEM_R_U), CASE_QUANTITY, .range = CASE_SHARE_RANGE},
    {"r_u_zz", VALUE(DEM_R_U_ZZ), CASE_QUANTITY, .range = CASE_SHARE_RANGE},
};

static bool counts_from_the_start(dem_quantity quantity)
{
  return quantity < DEM_STRESS || quantity == DEM_VOLUMETRIC_STRAIN ||
         (quantity >= DEM_GAMMA && quantity < DEM_GAMMA_SIZE);
}

static void add_criterion(case_reading *reading, const yaml_node *node, dem_quantity of, double value, dem_until *until)
{
  const yaml_node *entry = yaml_entry(node, dem_quantity_name(of));
  if (counts_from_the_start(of) && value == 0.0) {
    case_report(&reading->problems, entry->at, "'%s' must not be 0: strains count from the start of the stage",
                entry->key);
    return;
  }
  if (until->count == DEM_CRITERIA_MAX) {
    case_report(&reading->problems, yaml_place(entry), "a stage may end by at most %d strains, stresses and ratios",
                DEM_CRITERIA_MAX);
    return;
  }
  until->criteria[until->count++] = (dem_criterion){.of = of, .value = value};
}

void case_read_until(case_reading *reading, const yaml_node *node, void *target)
{
  until_block block = {.until = {0}};
  size_t problems_before = reading->problems.count;
  uint64_t found = case_read_map(reading, node, fields, CASE_FIELDS(fields), &block);
  if (reading->problems.count != problems_before)
    return;
  if (found == 0)
    case_report(&reading->problems, yaml_place(node), "'until' must say when the stage ends, such as 'steps: 40000'");
  for (int i = 0; i < DEM_QUANTITIES; i++)
    if (found >> (LIMITS + i) & 1)
      add_criterion(reading, node, (dem_quantity)i, block.value[i], &block.until);
  *(dem_until *)target = block.until;
}
