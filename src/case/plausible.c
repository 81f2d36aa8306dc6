/* SPDX-License-Identifier: MIT */
/*
 * Plausibility of a case. A value that is valid but unusual is most often a forgotten unit, or would spoil the run.
 * It causes a warning, with its place and the usual range.
 *
 * Mean-field estimates: in an assembly of solid fraction φ with Z contacts a sphere, Love's formula gives p = Zφ
 * f/(πd²) for the mean normal force f; the contact law gives the overlap 2ζ and the stiffness kₙ = dFn/d(2ζ) from it,
 * and the time step follows as in stiffness.c from Σkₙ/m. Measured in the examples, the estimates are accurate within
 * a third.
 */
#include "dem/measures.h"
#include "keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- Usual ranges ------------------------------------------------------------------------------------------------ */

typedef struct usual_range {
  dem_dimension dimension;
  double min, max;
  bool zero_is_usual;
  const char *examples;
} usual_range;

/* All quantities that are judged by their size. */
static const usual_range usual_modulus = {DIMENSION_PRESSURE, 1e6, 1e12, false, "quartz has 29 GPa, rubber 1 MPa"};
static const usual_range usual_poisson = {DIMENSION_NONE, 0.0, 0.5, true, "quartz has 0.08, glass 0.22, rubber 0.5"};
static const usual_range usual_friction = {DIMENSION_NONE, 0.0, 2.0, true, "mineral grains have 0.1 to 1"};
static const usual_range usual_density = {DIMENSION_DENSITY, 100.0, 25e3, false, "quartz has 2650 kg/m3"};
static const usual_range usual_diameter = {DIMENSION_LENGTH, 1e-6, 0.1, false, "sand has 0.06 to 2 mm"};
static const usual_range usual_stress = {DIMENSION_PRESSURE, 1e3, 1e9, true, "tests on soils take 10 kPa to 10 MPa"};
static const usual_range usual_strain = {DIMENSION_NONE, -0.5, 0.5, true, "4 % is written '4 %' or 0.04"};
static const usual_range usual_shear = {DIMENSION_NONE, -2.0, 2.0, true, "4 % is written '4 %' or 0.04"};
static const usual_range usual_void_ratio = {DIMENSION_NONE, 0.2, 2.0, false,
                                             "spheres of about one size have 0.5 to 0.9"};
static const usual_range usual_tolerance = {DIMENSION_NONE, 0.0, 0.1, true, "1e-3 keeps histories short"};
static const usual_range usual_slope = {DIMENSION_NONE, 1e-3, 1.0, false, "contacts are nearly flat"};
static const usual_range usual_overlap = {DIMENSION_NONE, 0.0, 0.3, true, "contact theory holds up to some hundredths"};
static const usual_range usual_inertial_number = {DIMENSION_NONE, 1e-6, DEM_INERTIAL_NUMBER_MAX, false,
                                                  "1e-4 is quasi-static, and less takes longer"};

/* Limits of estimates. */
static const double overlap_largest_over_mean = 4.0; /* measured for Hertz contacts, overlap ∝ F^(2/3) */
static const double linear_largest_over_mean = 8.0;  /* for overlap ∝ F: 4^(3/2) */
static const double inertia_over_limit = 3.0;        /* a margin, since the number is an estimate */
static const double steps_most = 1e8;                /* of a stage: takes days */
static const double steps_per_cycle_least = 10.0;    /* from the center to a reversal */
static const double time_step_over_limit = 3.0, time_step_under_limit = 1e-3;

/* ---- Warnings ---------------------------------------------------------------------------------------------------- */

/* The node at a path such as "uniform.min"; NULL if it is missing. */
static const yaml_node *find(const yaml_node *node, const char *path)
{
  char key[64];
  while (node && *path) {
    size_t length = strcspn(path, ".");
    snprintf(key, sizeof key, "%.*s", (int)length, path);
    node = yaml_entry(node, key);
    path += length + (path[length] == '.');
  }
  return node;
}

/* A node of NULL stands for a default, which is plausible. */
static void judge(case_reading *reading, const yaml_node *node, double value, const usual_range *usual)
{
  char text[QUANTITY_TEXT_SIZE], min[QUANTITY_TEXT_SIZE], max[QUANTITY_TEXT_SIZE], name[YAML_PATH_SIZE];
  if (!node || (value >= usual->min && value <= usual->max) || (value == 0.0 && usual->zero_is_usual))
    return;
  case_report(&reading->warnings, yaml_value_place(node), "'%s' is %s; %s to %s are usual (%s)%s",
              case_name(node, name), quantity_print(value, usual->dimension, text),
              quantity_print(usual->min, usual->dimension, min), quantity_print(usual->max, usual->dimension, max),
              usual->examples, usual->dimension == DIMENSION_NONE ? "" : ": is the unit right?");
}

/* The same for the absolute value. */
static void judge_size(case_reading *reading, const yaml_node *node, double value, const usual_range *usual)
{
  judge(reading, node, fabs(value), usual);
}

/* ---- Estimates --------------------------------------------------------------------------------------------------- */

/* Z and φ of a packing of spheres under pressure. */
#define COORDINATION 5.5
#define SOLID_FRACTION 0.63

/* Σkₙ of the stiffest sphere over Σkₙ of a mean one, about. */
#define STIFFEST_OVER_MEAN 1.5

/* Estimates of an assembly; NAN: not known. */
typedef struct assembly_estimate {
  double diameter, diameter_least;
  double pressure;
  double stress_judged; /* the largest stress that has been judged */
} assembly_estimate;

/* The mean contact at a pressure. */
typedef struct contact_estimate {
  double overlap;   /* 2ζ over the radius */
  double stiffness; /* kₙ, N/m */
} contact_estimate;

/* False if there is no estimate. The relative overlap of spheres and cones does not depend on the diameter. */
static bool estimate_contact(const dem_case *run, double diameter, double pressure, contact_estimate *estimate)
{
  double d = diameter > 0.0 ? diameter : 1e-3;
  double fn = PI * d * d * pressure / (COORDINATION * SOLID_FRACTION), kn = run->contact.linear_kn;
  bool is_linear = run->contact.model == JAGER_MODEL_LINEAR && kn > 0.0;
  jager_law law;
  jager_contact of_spheres = {0};
  jager_movement movement = {.zeta = 0.0};
  jager_pool *pool = fn > 0.0 ? jager_pool_create(0) : NULL;
  bool is_known = pool && dem_case_law(run, &law) == JAGER_OK &&
                  jager_law_set_model(&law, JAGER_MODEL_JAGER) == JAGER_OK &&
                  jager_contact_init(&of_spheres, &law, 0.5 * d, 0.5 * d) == JAGER_OK &&
                  jager_contact_load(&of_spheres, &law, pool, &(jager_force){.fn = fn}, &movement) == JAGER_OK;
  jager_pool_destroy(pool);
  double zeta = movement.zeta;
  if (!is_known || !(zeta > 0.0))
    return false;
  double exponent = run->contact.contour == JAGER_CONTOUR_CONE    ? 2.0
                    : run->contact.contour == JAGER_CONTOUR_POWER ? 1.0 + 1.0 / run->contact.exponent
                                                                  : 1.5;
  *estimate = is_linear ? (contact_estimate){.overlap = fn / kn / (0.5 * d), .stiffness = kn}
                        : (contact_estimate){.overlap = 4.0 * zeta / d, .stiffness = exponent * fn / (2.0 * zeta)};
  return true;
}

/* The stability limit of the time step; NAN: not known. */
static double estimate_time_step_limit(const dem_case *run, const assembly_estimate *of)
{
  contact_estimate contact;
  jager_law law;
  if (!(of->diameter > 0.0) || !(of->pressure > 0.0) || dem_case_law(run, &law) != JAGER_OK ||
      !estimate_contact(run, of->diameter, of->pressure, &contact))
    return NAN;
  bool each = run->scales_each_sphere; /* then the mean sphere sets the limit */
  double d = each ? of->diameter : of->diameter_least;
  double mass = run->material.density * run->density_scaling * PI / 6.0 * d * d * d;
  double stiffness = (each ? 1.0 : STIFFEST_OVER_MEAN) * COORDINATION * contact.stiffness / mass;
  return 2.0 / sqrt(2.0 * fmax(1.0, 3.5 * law.inverse_kappa) * stiffness);
}

/* Total inertia over the volume of the spheres. With inertia of each sphere it grows as the time step squared. */
static double estimate_density(const dem_case *run, const assembly_estimate *of)
{
  double density = run->material.density * run->density_scaling;
  if (!run->scales_each_sphere || !(run->time_step.fixed > 0.0))
    return density;
  double ratio = run->time_step.fixed / (run->time_step.safety * estimate_time_step_limit(run, of));
  return density * ratio * ratio;
}

static assembly_estimate estimate_assembly(const dem_case *run)
{
  const dem_sizes *sizes = &run->assembly.packing.sizes;
  double radius = run->assembly.lattice.radius, pressure = run->assembly.packing.pressure;
  if (run->assembly.source == DEM_SOURCE_LATTICE)
    return (assembly_estimate){2.0 * radius, 2.0 * radius, NAN, 0.0};
  if (run->assembly.source != DEM_SOURCE_PACKING)
    return (assembly_estimate){NAN, NAN, NAN, 0.0};
  switch (sizes->distribution) {
  case DEM_SIZES_UNIFORM:
    return (assembly_estimate){0.5 * (sizes->min + sizes->max), sizes->min, pressure, 0.0};
  case DEM_SIZES_LOGNORMAL:
    return (assembly_estimate){sizes->median, fmax(sizes->min, sizes->median * exp(-2.0 * sizes->deviation)), pressure,
                               0.0};
  case DEM_SIZES_TABLE:
    break;
  }
  double finest = sizes->diameter[0], coarsest = sizes->diameter[sizes->count - 1];
  return (assembly_estimate){sqrt(finest * coarsest), finest, pressure, 0.0};
}

/* ---- The assembly ------------------------------------------------------------------------------------------------ */

/*
 * Judges a stress on the assembly, and the overlaps it causes, unless a larger one has been judged before: then only
 * whether it is too small. Unusual grains have an infinite stress_judged, and may have any stress.
 */
static void judge_stress(case_reading *reading, const yaml_node *node, double stress, assembly_estimate *assembly)
{
  const dem_case *run = reading->run;
  size_t warnings_before = reading->warnings.count;
  contact_estimate contact;
  char name[YAML_PATH_SIZE];
  if (!node || isinf(assembly->stress_judged))
    return;
  if (fabs(stress) <= assembly->stress_judged) {
    if (fabs(stress) < usual_stress.min)
      judge_size(reading, node, stress, &usual_stress);
    return;
  }
  assembly->stress_judged = fabs(stress);
  judge_size(reading, node, stress, &usual_stress);
  bool is_linear = run->contact.model == JAGER_MODEL_LINEAR;
  double largest_over_mean = is_linear ? linear_largest_over_mean : overlap_largest_over_mean;
  if (reading->warnings.count != warnings_before ||
      !estimate_contact(run, assembly->diameter, fabs(stress), &contact) ||
      largest_over_mean * contact.overlap <= run->overlap_limit)
    return;
  case_report(
      &reading->warnings, yaml_value_place(node),
      "'%s' would press spheres into each other by about %.1g of their radius, the strongest contacts by %.1g; the run "
      "stops at %.1g ('overlap_limit'): is the stress right, and the shear_modulus?",
      case_name(node, name), contact.overlap, largest_over_mean * contact.overlap, run->overlap_limit);
}

/* ---- Stages ------------------------------------------------------------------------------------------------------ */

/* A stage, and estimates at its start. */
typedef struct stage_estimate {
  const dem_stage *stage;
  const yaml_node *node;
  assembly_estimate *assembly;
  double time_step; /* NAN: not known */
} stage_estimate;

static const yaml_node *control_node(const stage_estimate *of, int component)
{
  return yaml_entry(yaml_entry(of->node, "control"), dem_component_name((dem_component)component));
}

/* Strain of a component per step; NAN: not prescribed, or not known. */
static double strain_per_step(const stage_estimate *of, int component)
{
  const dem_control *control = &of->stage->control[component];
  const dem_cyclic *cyclic = &of->stage->cyclic;
  if (of->stage->inertial_number > 0.0)
    return NAN; /* not faster than that */
  if (control->kind == DEM_CONTROL_STRAIN_PATH)
    return 2.0 * PI * control->wave.frequency * control->value *
           (cyclic->steps_per_cycle > 0 ? 1.0 / (double)cyclic->steps_per_cycle : of->time_step / cyclic->period);
  if (control->kind == DEM_CONTROL_STRAIN_STEP)
    return control->value;
  if (control->kind == DEM_CONTROL_STRAIN_RATE)
    return control->value * of->time_step;
  if (control->kind == DEM_CONTROL_STRAIN && of->stage->until.steps > 0)
    return control->value / (double)of->stage->until.steps;
  return control->kind == DEM_CONTROL_STRAIN ? control->value / of->stage->until.time * of->time_step : NAN;
}

static void judge_controls(case_reading *reading, const stage_estimate *of)
{
  const dem_stage *stage = of->stage;
  for (int k = 0; k < DEM_COMPONENTS; k++) {
    const yaml_node *node = control_node(of, k);
    const dem_control *control = &stage->control[k];
    if (control->kind == DEM_CONTROL_STRESS)
      judge_stress(reading, yaml_entry(node, "stress"), control->value, of->assembly);
    else if (control->kind == DEM_CONTROL_STRAIN)
      judge(reading, yaml_entry(node, "strain"), control->value, k <= DEM_ZZ ? &usual_strain : &usual_shear);
  }
  if (stage->mean_stress_is_held)
    judge_stress(reading, find(of->node, "mean_stress.stress"), stage->mean_stress.value, of->assembly);
  judge(reading, yaml_entry(of->node, "friction"), stage->friction, &usual_friction);
  judge(reading, yaml_entry(of->node, "inertial_number"), stage->inertial_number, &usual_inertial_number);
}

/* Of the components and of the mean stress. */
static void judge_ramps(case_reading *reading, const stage_estimate *of)
{
  long steps = of->stage->until.steps;
  for (int k = 0; k <= DEM_COMPONENTS; k++) {
    const dem_control *control = k < DEM_COMPONENTS ? &of->stage->control[k] : &of->stage->mean_stress;
    const yaml_node *ramp =
        yaml_entry(k < DEM_COMPONENTS ? control_node(of, k) : yaml_entry(of->node, "mean_stress"), "ramp");
    if (ramp && control->kind == DEM_CONTROL_STRESS && steps > 0 && control->ramp >= steps)
      case_report(&reading->warnings, yaml_value_place(ramp),
                  "the stage ends after %ld steps, before its 'ramp' of %ld reaches the stress", steps, control->ramp);
  }
}

/*
 * The inertial number by the strain of a component. Factors: measured in triaxial and biaxial tests, and simple
 * shear.
 */
static double inertial_number(const dem_case *run, const stage_estimate *of, int component)
{
  double deviatoric = component <= DEM_ZZ ? 1.7 : 2.0, density = estimate_density(run, of->assembly);
  return deviatoric * fabs(strain_per_step(of, component)) / of->time_step * of->assembly->diameter *
         sqrt(density / of->assembly->pressure);
}

static void judge_speeds(case_reading *reading, const stage_estimate *of)
{
  int fastest = -1;
  double most = inertia_over_limit * DEM_INERTIAL_NUMBER_MAX;
  for (int k = 0; k < DEM_COMPONENTS; k++) {
    double number = inertial_number(reading->run, of, k);
    if (number > most) {
      most = number;
      fastest = k;
    }
  }
  if (fastest < 0)
    return;
  const yaml_node *control = control_node(of, fastest), *value = control ? control->first : NULL;
  char name[YAML_PATH_SIZE];
  double limit = DEM_INERTIAL_NUMBER_MAX, slower = 0.7 * limit / most;
  if (!value) { /* a path */
    const char *key = of->stage->cyclic.steps_per_cycle > 0 ? "cyclic.steps_per_cycle" : "cyclic.period";
    case_report(&reading->warnings, yaml_value_place(find(of->node, key)),
                "the path of '%s' is too fast to be quasi-static: the inertial number would be about %.1g, and should "
                "be below %.1g; cycles that take %.1g times as long would do",
                dem_component_name((dem_component)fastest), most, limit, most / limit);
    return;
  }
  case_report(&reading->warnings, yaml_value_place(value),
              "'%s' is too fast to be quasi-static: the inertial number would be about %.1g, and should be below %.1g; "
              "about %.1g would do",
              case_name(value, name), most, limit, slower * of->stage->control[fastest].value);
}

/* Judges the number of steps until a criterion or the time of the stage. */
static void judge_duration(case_reading *reading, const stage_estimate *of)
{
  const dem_until *until = &of->stage->until;
  const yaml_node *node = yaml_entry(of->node, "until");
  double steps = until->time / of->time_step;
  if (until->time > 0.0)
    node = yaml_entry(node, "time");
  for (int i = 0; i < until->count && until->time == 0.0; i++)
    if (until->criteria[i].of < DEM_STRESS) {
      steps = fabs(until->criteria[i].value / strain_per_step(of, (int)until->criteria[i].of - DEM_STRAIN));
      node = yaml_entry(node, dem_quantity_name(until->criteria[i].of));
      break;
    }
  bool has_limit = until->steps > 0 && (double)until->steps <= steps_most;
  if (!has_limit && isfinite(steps) && steps > steps_most)
    case_report(
        &reading->warnings, yaml_value_place(node),
        "the stage would take about %.1g steps of %.1g s: strain faster, or give 'strain_step' instead of a rate",
        steps, of->time_step);
}

static void judge_ends(case_reading *reading, const stage_estimate *of)
{
  const dem_until *until = &of->stage->until;
  for (int i = 0; i < until->count; i++) {
    const dem_criterion *criterion = &until->criteria[i];
    dem_quantity end = criterion->of;
    const yaml_node *node = yaml_entry(yaml_entry(of->node, "until"), dem_quantity_name(end));
    bool is_strain = end < DEM_STRESS || end == DEM_VOLUMETRIC_STRAIN || (end >= DEM_GAMMA && end < DEM_R_U);
    bool is_shear = (end >= DEM_STRAIN + DEM_XY && end < DEM_STRESS) ||
                    (end >= DEM_GAMMA && end < DEM_DOUBLE_AMPLITUDE) ||
                    (end >= DEM_DOUBLE_AMPLITUDE + DEM_XY && end < DEM_R_U);
    if (end == DEM_VOID_RATIO)
      judge(reading, node, criterion->value, &usual_void_ratio);
    else if (is_strain)
      judge(reading, node, criterion->value, is_shear ? &usual_shear : &usual_strain);
    else if (fabs(criterion->value) > usual_stress.max)
      judge_size(reading, node, criterion->value, &usual_stress);
  }
}

/* Change of the cycled quantity per step; NAN: not known. Stresses by a third of Voigt's modulus. */
static double change_per_step(const dem_case *run, const stage_estimate *of)
{
  dem_quantity quantity = of->stage->cyclic.of;
  contact_estimate contact;
  double most = 0.0;
  if (quantity < DEM_STRESS)
    return fabs(strain_per_step(of, (int)quantity - DEM_STRAIN));
  for (int k = 0; k < DEM_COMPONENTS; k++)
    most = fmax(most, fabs(strain_per_step(of, k)));
  if (!(of->assembly->diameter > 0.0) ||
      !estimate_contact(run, of->assembly->diameter, of->assembly->pressure, &contact))
    return NAN;
  return most * COORDINATION * SOLID_FRACTION * contact.stiffness / (3.0 * PI * of->assembly->diameter);
}

/* Amplitudes of stresses: their sizes alone. */
static void judge_amplitudes(case_reading *reading, const stage_estimate *of)
{
  const dem_stage *stage = of->stage;
  const dem_cyclic *cyclic = &stage->cyclic;
  bool is_stress = cyclic->on && cyclic->of >= DEM_STRESS && !isinf(of->assembly->stress_judged);
  if (is_stress && !cyclic->has_paths && cyclic->stress_ratio <= 0.0)
    judge_size(reading, find(of->node, "cyclic.amplitude"), cyclic->amplitude, &usual_stress);
  const yaml_node *paths = find(of->node, "cyclic.paths");
  for (int k = 0; k < DEM_COMPONENTS && paths; k++)
    if (stage->control[k].kind == DEM_CONTROL_STRESS_PATH && !isinf(of->assembly->stress_judged))
      judge_size(reading, find(yaml_entry(paths, dem_component_name((dem_component)k)), "stress"),
                 stage->control[k].value, &usual_stress);
}

static void judge_cycles(case_reading *reading, const stage_estimate *of)
{
  const dem_cyclic *cyclic = &of->stage->cyclic;
  bool has_ratio = cyclic->stress_ratio > 0.0;
  double ratio_stress = (cyclic->of == DEM_DEVIATOR ? 2.0 : 1.0) * of->assembly->pressure;
  double amplitude = has_ratio ? cyclic->stress_ratio * ratio_stress : cyclic->amplitude;
  double steps = amplitude / change_per_step(reading->run, of);
  if (!cyclic->on || cyclic->has_paths || !(steps < steps_per_cycle_least))
    return;
  case_report(&reading->warnings, yaml_value_place(find(of->node, has_ratio ? "cyclic.csr" : "cyclic.amplitude")),
              "the amplitude is reached in %s%.1g steps, too few to resolve a cycle: take a larger amplitude, "
              "or strain more slowly",
              cyclic->of < DEM_STRESS ? "" : "about ", fmax(steps, 1e-9));
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

static void judge_grains(case_reading *reading)
{
  const dem_case *run = reading->run;
  const yaml_node *root = reading->root;
  judge(reading, find(root, "material.shear_modulus"), run->material.shear_modulus, &usual_modulus);
  judge(reading, find(root, "material.poisson"), run->material.poisson, &usual_poisson);
  judge(reading, find(root, "material.friction"), run->material.friction, &usual_friction);
  judge(reading, find(root, "material.density"), run->material.density, &usual_density);
  judge(reading, find(root, "contact.tolerance"), run->contact.tolerance, &usual_tolerance);
  if (run->contact.contour == JAGER_CONTOUR_CONE)
    judge(reading, find(root, "contact.contour.slope"), run->contact.slope, &usual_slope);
  judge(reading, find(root, "overlap_limit"), run->overlap_limit, &usual_overlap);
}

/* Gravity, assembly and time step */
static void judge_assembly(case_reading *reading, assembly_estimate *estimate)
{
  const dem_case *run = reading->run;
  const dem_assembly *assembly = &run->assembly;
  const dem_sizes *sizes = &assembly->packing.sizes;
  const double *gravity = run->gravity;
  const yaml_node *packing = find(reading->root, "assembly.packing"), *list = find(packing, "sizes.table.diameter");
  if (gravity[0] != 0.0 || gravity[1] != 0.0 || gravity[2] != 0.0)
    case_report(&reading->warnings, yaml_value_place(find(reading->root, "gravity")),
                "'gravity' lets all spheres of a periodic cell fall together: there are no walls to carry them; for "
                "grains under their own weight take LAMMPS with 'fix wall/gran/jager' (docs/lammps.md)");
  judge(reading, find(packing, "sizes.uniform.min"), sizes->min, &usual_diameter);
  judge(reading, find(packing, "sizes.uniform.max"), sizes->max, &usual_diameter);
  judge(reading, find(packing, "sizes.lognormal.median"), sizes->median, &usual_diameter);
  for (int i = 0; list && i < sizes->count; i++)
    judge(reading, yaml_item(list, (size_t)i), sizes->diameter[i], &usual_diameter);
  judge_stress(reading, find(packing, "pressure"), assembly->packing.pressure, estimate);
  judge(reading, find(packing, "friction"), assembly->packing.friction, &usual_friction);
  judge(reading, find(packing, "void_ratio"), assembly->packing.target_value, &usual_void_ratio);
  judge(reading, find(reading->root, "assembly.lattice.radius"), 2.0 * assembly->lattice.radius, &usual_diameter);

  const yaml_node *node = find(reading->root, "time_step.fixed");
  double limit = estimate_time_step_limit(run, estimate), fixed = run->time_step.fixed;
  if (node && !run->scales_each_sphere && !isnan(limit) &&
      (fixed > time_step_over_limit * limit || fixed < time_step_under_limit * limit))
    case_report(&reading->warnings, yaml_value_place(node),
                "'fixed' is %.2g times the stability limit, which is about %.1g s: %s", fixed / limit, limit,
                fixed > limit ? "the run would blow up; take less" : "the run would take very long; take more");
}

/* Functions that judge a stage. */
typedef void stage_judge(case_reading *reading, const stage_estimate *of);
static stage_judge *const stage_judges[] = {judge_controls, judge_ramps,  judge_speeds,    judge_ends,
                                            judge_duration, judge_cycles, judge_amplitudes};

void case_check_plausible(case_reading *reading)
{
  const dem_case *run = reading->run;
  assembly_estimate assembly = estimate_assembly(run);
  judge_grains(reading);
  if (reading->warnings.count > 0)
    assembly = (assembly_estimate){NAN, NAN, NAN, INFINITY}; /* unusual grains: the estimates do not apply */
  judge_assembly(reading, &assembly);
  for (int i = 0; i < run->stage_count; i++) {
    const dem_stage *stage = &run->stages[i];
    double sum = 0.0;
    int count = 0;
    for (int k = DEM_XX; k <= DEM_ZZ; k++)
      if (stage->control[k].kind == DEM_CONTROL_STRESS) {
        sum += stage->control[k].value;
        count++;
      }
    if (stage->mean_stress_is_held)
      assembly.pressure = stage->mean_stress.value;
    else if (count > 0) /* else as before */
      assembly.pressure = sum / count;
    double step = run->time_step.fixed > 0.0 ? run->time_step.fixed
                                             : run->time_step.safety * estimate_time_step_limit(run, &assembly);
    stage_estimate estimate = {stage, reading->stage_nodes[i], &assembly, step};
    for (size_t k = 0; k < sizeof stage_judges / sizeof *stage_judges; k++)
      stage_judges[k](reading, &estimate);
  }
}
