/* SPDX-License-Identifier: MIT */
/* The blocks `material`, `contact`, `damping` and `time_step` of a case, and `density_scaling`. */
#include "parts.h"
#include "base/text.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* ---- Material ---------------------------------------------------------------------------------------------------- */

void case_read_material(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"shear_modulus", offsetof(dem_material, shear_modulus), CASE_QUANTITY, DIMENSION_PRESSURE,
       .range = {1e-30, 1e30, false, false}, .example = "29 GPa"},
      {"poisson", offsetof(dem_material, poisson), CASE_QUANTITY, .range = {-1.0, 0.5, true, false}, .example = "0.15"},
      {"friction", offsetof(dem_material, friction), CASE_QUANTITY, .range = CASE_FRICTION_RANGE, .example = "0.5"},
      {"density", offsetof(dem_material, density), CASE_QUANTITY, DIMENSION_DENSITY, .range = {1e-9, 1e9, false, false},
       .example = "2650 kg/m3"},
  };
  case_read_map(reading, node, fields, CASE_FIELDS(fields), target);
}

/* ---- Contact ----------------------------------------------------------------------------------------------------- */

static void read_model(case_reading *reading, const yaml_node *node, void *target)
{
  const char *names[JAGER_MODEL_COUNT];
  for (int i = 0; i < JAGER_MODEL_COUNT; i++)
    names[i] = jager_model_name((jager_model)i);
  run_variants *variants = &reading->output->variants;
  bool is_list = node->kind == YAML_LIST && node->count > 0;
  for (const yaml_node *item = is_list ? node->first : node; item; item = is_list ? item->next : NULL) {
    if (item->kind == YAML_SCALAR && strcmp(item->text, "springs") == 0) {
      case_report(&reading->problems, item->at,
                  "'model' cannot be 'springs' here: this law is for 'jager contact' and 'jager impact'; take jager, "
                  "or another law to compare with");
      return;
    }
    int choice = case_read_choice(reading, item, names, JAGER_MODEL_COUNT);
    if (choice < 0)
      return;
    for (int i = 0; i < variants->model_count; i++)
      if ((int)variants->models[i] == choice) {
        case_report(&reading->problems, item->at, "'%s' is in the list twice", names[choice]);
        return;
      }
    variants->models[variants->model_count++] = (jager_model)choice;
  }
  *(jager_model *)target = variants->models[0];
}

static bool has_model(const run_variants *variants, jager_model model)
{
  for (int i = 0; i < variants->model_count; i++)
    if (variants->models[i] == model)
      return true;
  return variants->model_count == 0 && model == JAGER_MODEL_JAGER;
}

static void read_contour_kind(case_reading *reading, const yaml_node *node, void *target)
{
  const char *names[JAGER_CONTOUR_COUNT];
  for (int i = 0; i < JAGER_CONTOUR_COUNT; i++)
    names[i] = jager_contour_name((jager_contour)i);
  int choice = case_read_choice(reading, node, names, JAGER_CONTOUR_COUNT);
  if (choice >= 0)
    *(jager_contour *)target = (jager_contour)choice;
}

/* A parameter must be given exactly if the contour has it. */
static void check_parameter(case_reading *reading, const yaml_node *node, const char *key, bool is_needed)
{
  const yaml_node *entry = yaml_entry(node, key), *kind = yaml_entry(node, "kind");
  if (entry && !is_needed)
    case_report(&reading->problems, yaml_place(entry), "a %s has no '%s'", kind->text, key);
  else if (!entry && is_needed)
    case_report(&reading->problems, yaml_place(node), "a %s needs '%s', a number", kind->text, key);
}

static void read_contour(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"kind", offsetof(dem_contact_law, contour), CASE_OTHER, .read = read_contour_kind, .example = "sphere"},
      {"slope", offsetof(dem_contact_law, slope), CASE_QUANTITY, .range = {1e-30, 1e30, false, false}},
      {"exponent", offsetof(dem_contact_law, exponent), CASE_QUANTITY, .range = {1.0, 100.0, false, false}},
  };
  dem_contact_law *law = target;
  law->contour = JAGER_CONTOUR_COUNT; /* marks an invalid kind */
  case_read_map(reading, node, fields, CASE_FIELDS(fields), law);
  if (law->contour != JAGER_CONTOUR_COUNT) {
    check_parameter(reading, node, "slope", law->contour != JAGER_CONTOUR_SPHERE);
    check_parameter(reading, node, "exponent", law->contour == JAGER_CONTOUR_POWER);
  }
}

static void read_linear(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"kn", offsetof(dem_contact_law, linear_kn), CASE_QUANTITY, DIMENSION_STIFFNESS,
       .range = {0.0, 1e30, false, false}},
      {"kt", offsetof(dem_contact_law, linear_kt), CASE_QUANTITY, DIMENSION_STIFFNESS,
       .range = {0.0, 1e30, false, false}},
  };
  case_read_map(reading, node, fields, CASE_FIELDS(fields), target);
}

static void check_model_keys(case_reading *reading, const yaml_node *node, const dem_contact_law *law)
{
  const yaml_node *linear = yaml_entry(node, "linear"), *dp_max = yaml_entry(node, "dp_max"),
                  *tolerance = yaml_entry(node, "tolerance");
  const run_variants *variants = &reading->output->variants;
  bool has_histories = has_model(variants, JAGER_MODEL_JAGER);
  if (linear && (law->linear_kn > 0.0 || law->linear_kt > 0.0) && !has_model(variants, JAGER_MODEL_LINEAR))
    case_report(&reading->problems, yaml_place(linear), "'linear' needs 'model: linear', not %s",
                jager_model_name(law->model));
  if (dp_max && law->dp_max > 0.0 && !has_histories)
    case_report(&reading->problems, yaml_place(dp_max), "'dp_max' needs 'model: jager': %s has no history to merge",
                jager_model_name(law->model));
  if (tolerance && law->tolerance > 0.0 && !has_histories)
    case_report(&reading->problems, yaml_place(tolerance),
                "'tolerance' needs 'model: jager': %s has no history to keep short", jager_model_name(law->model));
  if (tolerance && dp_max && law->tolerance > 0.0 && law->dp_max > 0.0)
    case_report(&reading->problems, yaml_place(dp_max), "either 'tolerance' or 'dp_max', not both");
}

void case_read_contact(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"model", offsetof(dem_contact_law, model), CASE_OTHER, .read = read_model},
      {"tolerance", offsetof(dem_contact_law, tolerance), CASE_QUANTITY, .range = {0.0, 1.0, false, false}},
      {"dp_max", offsetof(dem_contact_law, dp_max), CASE_QUANTITY, .range = {0.0, 1e6, false, false}},
      {"contour", 0, CASE_OTHER, .read = read_contour},
      {"linear", 0, CASE_OTHER, .read = read_linear},
  };
  size_t problems_before = reading->problems.count;
  case_read_map(reading, node, fields, CASE_FIELDS(fields), target);
  if (reading->problems.count == problems_before)
    check_model_keys(reading, node, target);
}

/* ---- The law ----------------------------------------------------------------------------------------------------- */

static jager_status try_law(const dem_case *run)
{
  jager_law law;
  jager_contact trial = {0};
  jager_status status = dem_case_law(run, &law);
  return status == JAGER_OK ? jager_contact_init(&trial, &law, 1.0, 1.0) : status;
}

void case_check_law(case_reading *reading)
{
  const yaml_node *material = yaml_entry(reading->root, "material"), *contact = yaml_entry(reading->root, "contact");
  jager_status status = try_law(reading->run);
  if (status != JAGER_OK)
    case_report(&reading->problems,
                contact    ? yaml_place(contact)
                : material ? yaml_place(material)
                           : reading->root->at,
                "%s", jager_status_text(status));
}

/* ---- Damping, time step and density scaling ---------------------------------------------------------------------- */

void case_read_damping(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"viscous", offsetof(dem_damping, viscous), CASE_QUANTITY, .range = {0.0, 1.0, false, false}},
      {"local", offsetof(dem_damping, local), CASE_QUANTITY, .range = {0.0, 1.0, false, true}},
      {"global", offsetof(dem_damping, global), CASE_QUANTITY, DIMENSION_RATE, .range = {0.0, 1e12, false, false}},
  };
  case_read_map(reading, node, fields, CASE_FIELDS(fields), target);
}

static bool scales_each_sphere(const yaml_node *density_scaling)
{
  return density_scaling && density_scaling->kind == YAML_SCALAR && strcmp(density_scaling->text, "each") == 0;
}

void case_read_time_step(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"safety", offsetof(dem_time_step, safety), CASE_QUANTITY, .range = CASE_SHARE_RANGE},
      {"interval", offsetof(dem_time_step, interval), CASE_INTEGER, .range = {1.0, 1e6, false, false}},
      {"fixed", offsetof(dem_time_step, fixed), CASE_QUANTITY, DIMENSION_TIME, .range = {1e-15, 1e6, false, false}},
  };
  uint64_t found = case_read_map(reading, node, fields, CASE_FIELDS(fields), target);
  const yaml_node *fixed = yaml_entry(node, "fixed");
  if (fixed && (found & 3) != 0 && !scales_each_sphere(yaml_entry(reading->root, "density_scaling")))
    case_report(&reading->problems, yaml_place(fixed),
                "'fixed' excludes 'safety' and 'interval', which are for time steps from the stability limit");
}

void case_read_density_scaling(case_reading *reading, const yaml_node *node, void *target)
{
  const case_range range = {1.0, 1e12, false, false};
  dem_case *run = target;
  char quoted[TEXT_QUOTE_SIZE];
  run->scales_each_sphere = scales_each_sphere(node);
  if (run->scales_each_sphere)
    return;
  if (node->kind == YAML_SCALAR && isalpha((unsigned char)node->text[0]))
    case_report(&reading->problems, node->at, "'density_scaling' must be a number in [1, 1e12], or 'each', not %s",
                text_quote(node->text, quoted));
  else
    (void)case_read_quantity(reading, node, DIMENSION_NONE, range, &run->density_scaling);
}
