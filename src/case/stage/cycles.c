/* SPDX-License-Identifier: MIT */
/* The block `cyclic` of a stage: reversals of a quantity, or paths of components. */
#include "case/parts.h"

#include <math.h>
#include <string.h>

/* ---- Reversals --------------------------------------------------------------------------------------------------- */

enum { CYCLIC_QUANTITIES = DEM_DEVIATOR + 1, GAMMAS = 3 }; /* strains, stresses, p and q; then shear angles */

static void read_of(case_reading *reading, const yaml_node *node, void *target)
{
  dem_cyclic *cyclic = &((dem_stage *)target)->cyclic;
  const char *names[CYCLIC_QUANTITIES + GAMMAS];
  for (int i = 0; i < CYCLIC_QUANTITIES; i++)
    names[i] = dem_quantity_name((dem_quantity)i);
  for (int i = 0; i < GAMMAS; i++)
    names[CYCLIC_QUANTITIES + i] = case_gamma_names[i];
  int choice = case_read_choice(reading, node, names, CYCLIC_QUANTITIES + GAMMAS);
  if (choice < 0)
    return;
  cyclic->of = choice < CYCLIC_QUANTITIES ? (dem_quantity)choice
                                          : (dem_quantity)(DEM_STRAIN + DEM_XY + choice - CYCLIC_QUANTITIES);
  cyclic->on = true;
}

static bool is_gamma(const yaml_node *of)
{
  return strncmp(of->text, "gamma", strlen("gamma")) == 0;
}

/* Unit and meaning depend on `of`, which has been read before. */
static void read_amplitude(case_reading *reading, const yaml_node *node, void *target)
{
  dem_cyclic *cyclic = &((dem_stage *)target)->cyclic;
  if (!cyclic->on)
    return;
  if (cyclic->of >= DEM_STRESS)
    (void)case_read_quantity(reading, node, DIMENSION_PRESSURE, (case_range)CASE_PRESSURE_RANGE, &cyclic->amplitude);
  else if (case_read_quantity(reading, node, DIMENSION_NONE, (case_range){0.0, 1.0, true, false}, &cyclic->amplitude))
    cyclic->amplitude *= is_gamma(yaml_entry(node->parent, "of")) ? 0.5 : 1.0;
}

static void read_center(case_reading *reading, const yaml_node *node, void *target)
{
  dem_cyclic *cyclic = &((dem_stage *)target)->cyclic;
  if (cyclic->on && cyclic->of < DEM_STRESS)
    case_report(&reading->problems, yaml_place(node),
                "'center' is for cycles of a stress, p or q: strains cycle around the start of the stage");
  else if (cyclic->on)
    (void)case_read_quantity(reading, node, DIMENSION_PRESSURE, (case_range)CASE_STRESS_RANGE, &cyclic->center);
}

static const case_range ratio_range = {0.0, 10.0, true, false};

/* A list: each ratio has a run of its own. */
static void read_stress_ratios(case_reading *reading, const yaml_node *node, dem_cyclic *cyclic)
{
  run_variants *variants = &reading->output->variants;
  if (variants->csr_count > 0) {
    case_report(&reading->problems, yaml_place(node), "only one stage may have a list of 'csr'");
    return;
  }
  variants->csr_stage = reading->run->stage_count;
  variants->csr_count = case_read_quantities(reading, node, DIMENSION_NONE, ratio_range, 1, RUN_CSR_MAX, variants->csr);
  cyclic->stress_ratio = variants->csr[0];
  for (int i = 1; i < variants->csr_count; i++)
    if (!(variants->csr[i] > variants->csr[i - 1])) {
      case_report(&reading->problems, yaml_item(node, (size_t)i)->at, "the ratios must rise");
      return;
    }
}

static void read_stress_ratio(case_reading *reading, const yaml_node *node, void *target)
{
  dem_cyclic *cyclic = &((dem_stage *)target)->cyclic;
  bool is_shear = cyclic->of >= DEM_STRESS + DEM_XY && cyclic->of <= DEM_STRESS + DEM_YZ;
  if (cyclic->on && !is_shear && cyclic->of != DEM_DEVIATOR)
    case_report(&reading->problems, yaml_place(node),
                "'csr' is for cycles of stress_xy, stress_xz, stress_yz or q: give 'amplitude'");
  else if (cyclic->on && node->kind == YAML_LIST)
    read_stress_ratios(reading, node, cyclic);
  else if (cyclic->on)
    (void)case_read_quantity(reading, node, DIMENSION_NONE, ratio_range, &cyclic->stress_ratio);
}

/* ---- Paths ------------------------------------------------------------------------------------------------------- */

/* The block of one component as it is written. */
typedef struct wave_block {
  double strain, gamma, stress;
  double degrees;
  dem_wave wave;
} wave_block;

/* Angles have no units in cases. */
static void read_phase(case_reading *reading, const yaml_node *node, void *target)
{
  if (!case_is_scalar(reading, node))
    return;
  if (strstr(node->text, "deg") || strstr(node->text, "rad") || strstr(node->text, "°"))
    case_report(&reading->problems, yaml_value_place(node),
                "'phase' is a number of degrees without a unit, such as 'phase: 90'");
  else
    (void)case_read_quantity(reading, node, DIMENSION_NONE, (case_range){-360.0, 360.0, false, false}, target);
}

static const case_field wave_fields[] = {
    {"strain", offsetof(wave_block, strain), CASE_QUANTITY, .range = {0.0, 1.0, true, false}},
    {"gamma", offsetof(wave_block, gamma), CASE_QUANTITY, .range = {0.0, 1.0, true, false}},
    {"stress", offsetof(wave_block, stress), CASE_QUANTITY, DIMENSION_PRESSURE, .range = CASE_PRESSURE_RANGE},
    {"frequency", offsetof(wave_block, wave.frequency), CASE_QUANTITY, .range = {1e-3, 1e3, false, false}},
    {"phase", offsetof(wave_block, degrees), CASE_OTHER, .read = read_phase},
    {"center", offsetof(wave_block, wave.center), CASE_QUANTITY, DIMENSION_PRESSURE, .range = CASE_STRESS_RANGE},
};

static void read_wave(case_reading *reading, const yaml_node *node, void *target)
{
  wave_block block = {.wave = {.frequency = 1.0, .center = NAN}};
  size_t problems_before = reading->problems.count;
  (void)case_read_map(reading, node, wave_fields, CASE_FIELDS(wave_fields), &block);
  if (reading->problems.count != problems_before)
    return;
  bool has_strain = block.strain > 0.0, has_gamma = block.gamma > 0.0, has_stress = block.stress > 0.0;
  if (has_strain + has_gamma + has_stress != 1)
    case_report(&reading->problems, yaml_place(node),
                "'%s' must have one of the keys strain, gamma, stress: the amplitude of its wave", node->key);
  else if (has_gamma && case_component(node->key) <= DEM_ZZ)
    case_report(&reading->problems, yaml_place(yaml_entry(node, "gamma")),
                "'gamma' is a shear angle, for xy, xz and yz: give 'strain'");
  else if (!has_stress && !isnan(block.wave.center))
    case_report(&reading->problems, yaml_place(yaml_entry(node, "center")),
                "'center' is for paths of a stress: strains start in their centre");
  block.wave.phase = block.degrees / 360.0;
  *(dem_control *)target = (dem_control){
      .kind = has_stress ? DEM_CONTROL_STRESS_PATH : DEM_CONTROL_STRAIN_PATH,
      .value = has_stress  ? block.stress
               : has_gamma ? 0.5 * block.gamma
                           : block.strain,
      .wave = block.wave,
  };
}

/* The main component, whose loops are accounted for: the largest strain; if there is none, the largest stress. */
static dem_quantity main_quantity(const dem_stage *stage)
{
  int main = -1;
  for (int k = 0; k < DEM_COMPONENTS; k++) {
    const dem_control *control = &stage->control[k], *best = main < 0 ? NULL : &stage->control[main];
    if (control->kind < DEM_CONTROL_STRAIN_PATH || (best && control->kind > best->kind))
      continue;
    if (!best || control->kind < best->kind || control->value > best->value)
      main = k;
  }
  bool is_stress = main >= 0 && stage->control[main].kind == DEM_CONTROL_STRESS_PATH;
  return (dem_quantity)((is_stress ? DEM_STRESS : DEM_STRAIN) + (main < 0 ? 0 : main));
}

static void check_component_is_free(case_reading *reading, const yaml_node *node, const yaml_node *stage)
{
  const yaml_node *control = yaml_entry(stage, "control");
  for (const yaml_node *entry = node->first; entry; entry = entry->next)
    if (yaml_entry(control, entry->key))
      case_report(&reading->problems, yaml_place(entry), "'%s' is given in 'control', too: it can only do one thing",
                  entry->key);
}

/* In the order of dem_component. */
#define COMPONENT(name, component)                                                                                     \
  {                                                                                                                    \
    name, offsetof(dem_stage, control) + (component) * sizeof(dem_control), CASE_OTHER, .read = read_wave              \
  }

static void read_paths(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {COMPONENT("xx", DEM_XX), COMPONENT("yy", DEM_YY), COMPONENT("zz", DEM_ZZ),
                                      COMPONENT("xy", DEM_XY), COMPONENT("xz", DEM_XZ), COMPONENT("yz", DEM_YZ)};
  dem_stage *stage = target;
  if (node->kind == YAML_MAP)
    check_component_is_free(reading, node, node->parent->parent);
  size_t problems_before = reading->problems.count;
  uint64_t found = case_read_map(reading, node, fields, CASE_FIELDS(fields), stage);
  if (found == 0 && reading->problems.count == problems_before)
    case_report(&reading->problems, yaml_place(node),
                "'paths' must name the components that follow a wave, such as 'xz: {gamma: 0.1 %%}'");
  stage->cyclic.on = stage->cyclic.has_paths = true;
  stage->cyclic.of = main_quantity(stage);
}

/* ---- Both -------------------------------------------------------------------------------------------------------- */

/* In the order of the table in case_read_cyclic. */
enum { OF, AMPLITUDE, CENTER, CSR, PATHS, STEPS_PER_CYCLE, PERIOD, RUN_IN };

#define REVERSAL_KEYS (1u << OF | 1u << AMPLITUDE | 1u << CENTER | 1u << CSR)
#define PATH_KEYS (1u << PATHS | 1u << STEPS_PER_CYCLE | 1u << PERIOD | 1u << RUN_IN)

static bool keys_agree(case_reading *reading, const yaml_node *node, uint64_t found)
{
  const char *fault = NULL;
  uint64_t amplitude = found & (1u << AMPLITUDE | 1u << CSR);
  if ((found & REVERSAL_KEYS) && (found & PATH_KEYS))
    fault = "reversals and paths exclude each other: give 'of' and 'amplitude', or 'paths'";
  else if ((found & PATH_KEYS) && !(found >> PATHS & 1))
    fault = "'paths' is missing: it says which components follow waves, such as 'paths: {xz: {gamma: 0.1 %}}'";
  else if (!(found & PATH_KEYS) && !(found >> OF & 1))
    fault = "'of' is missing in 'cyclic': write it like 'of: strain_zz', or give 'paths'";
  else if ((found >> OF & 1) && amplitude == 0)
    fault = "'amplitude' is missing in 'cyclic': write it like 'amplitude: 0.1 %'";
  else if (amplitude == (1u << AMPLITUDE | 1u << CSR))
    fault = "either 'amplitude' or 'csr', not both";
  if (fault)
    case_report(&reading->problems, yaml_place(node), "%s", fault);
  return !fault;
}

void case_read_cyclic(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      [OF] = {"of", 0, CASE_OTHER, .read = read_of},
      [AMPLITUDE] = {"amplitude", 0, CASE_OTHER, .read = read_amplitude},
      [CENTER] = {"center", 0, CASE_OTHER, .read = read_center},
      [CSR] = {"csr", 0, CASE_OTHER, .read = read_stress_ratio},
      [PATHS] = {"paths", 0, CASE_OTHER, .read = read_paths},
      [STEPS_PER_CYCLE] = {"steps_per_cycle", offsetof(dem_stage, cyclic.steps_per_cycle), CASE_INTEGER,
                           .range = {4.0, 1e12, false, false}},
      [PERIOD] = {"period", offsetof(dem_stage, cyclic.period), CASE_QUANTITY, DIMENSION_TIME,
                  .range = {1e-15, 1e15, false, false}},
      [RUN_IN] = {"run_in", offsetof(dem_stage, cyclic.run_in), CASE_QUANTITY, .range = {0.0, 1e6, false, false}},
  };
  size_t problems_before = reading->problems.count;
  ((dem_stage *)target)->cyclic.run_in = 1.0;
  uint64_t found = case_read_map(reading, node, fields, CASE_FIELDS(fields), target);
  if (reading->problems.count == problems_before)
    (void)keys_agree(reading, node, found);
}
