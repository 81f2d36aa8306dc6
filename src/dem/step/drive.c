/* SPDX-License-Identifier: MIT */
/*
 * The loading of the cell in the next step: increments of the six strains, prescribed or chosen by the servo.
 *
 * The servo is a PI controller in discrete steps. Let e be the deviation from a target, and M an upper bound of the
 * assembly's modulus (Voigt's, from springs and dashpots of the contacts). The increment of strain is  P e/M + I,
 * and I grows by  Q e/M. A packed assembly approaches a distant target as if by a ramp: e is limited to a fraction of
 * the present mean stress, so that the stress changes by about one percent in a step, and I stays constant meanwhile.
 */
#include "drive.h"
#include "cycles.h"
#include "pace.h"
#include "path.h"

#define SERVO_P 0.3
#define SERVO_Q 0.002

#define SERVO_REACH 0.05 /* deviations of a packed assembly are limited to this fraction of the mean stress ... */
#define SERVO_FLOOR 0.01 /* ... or of this fraction of the largest target, if that is more */

/* Upper bounds of the servo's strain rate: by the inertial number, and by the relative change of overlaps in a step. */
#define SERVO_INERTIAL_NUMBER 0.01
#define SERVO_OVERLAP_SHARE 0.5

void dem_stress(const dem_simulation *s, double stress[DEM_COMPONENTS])
{
  double inverse = 1.0 / dem_cell_volume(s->cell);
  for (int k = 0; k < DEM_COMPONENTS; k++)
    stress[k] = s->virial[k] * inverse;
}

/* The shear strain of the stage, or its size. */
static double gamma_value(const dem_simulation *s, dem_quantity quantity)
{
  bool is_size = quantity >= DEM_GAMMA_SIZE;
  int component = DEM_XY + (int)(quantity - (is_size ? DEM_GAMMA_SIZE : DEM_GAMMA));
  double gamma = 2.0 * (s->strain[component] - s->stage.strain_start[component]);
  return is_size ? fabs(gamma) : gamma;
}

double dem_quantity_value(const dem_simulation *s, dem_quantity quantity)
{
  double stress[DEM_COMPONENTS];
  if (quantity < DEM_STRESS)
    return s->strain[quantity - DEM_STRAIN] - s->stage.strain_start[quantity - DEM_STRAIN];
  dem_stress(s, stress);
  if (quantity < DEM_MEAN_STRESS)
    return stress[quantity - DEM_STRESS];
  switch (quantity) {
  case DEM_MEAN_STRESS:
    return (stress[DEM_XX] + stress[DEM_YY] + stress[DEM_ZZ]) / 3.0;
  case DEM_DEVIATOR:
    return stress[DEM_ZZ] - 0.5 * (stress[DEM_XX] + stress[DEM_YY]);
  case DEM_VOLUMETRIC_STRAIN:
    return dem_quantity_value(s, (dem_quantity)(DEM_STRAIN + DEM_XX)) +
           dem_quantity_value(s, (dem_quantity)(DEM_STRAIN + DEM_YY)) +
           dem_quantity_value(s, (dem_quantity)(DEM_STRAIN + DEM_ZZ));
  case DEM_VOID_RATIO:
    return dem_cell_volume(s->cell) / s->solid_volume - 1.0;
  case DEM_R_U:
    return dem_pore_pressure_ratio(s, dem_quantity_value(s, DEM_MEAN_STRESS));
  case DEM_R_U_ZZ:
    return dem_pore_pressure_ratio_zz(s, stress[DEM_ZZ]);
  default:
    return quantity < DEM_DOUBLE_AMPLITUDE ? gamma_value(s, quantity)
                                           : dem_double_amplitude(s, (dem_component)(quantity - DEM_DOUBLE_AMPLITUDE));
  }
}

/* ---- The servo --------------------------------------------------------------------------------------------------- */

/* The target of the present step: on a ramp, linear in the number of steps; on a path, by the phase. */
static double target_now(const dem_simulation *s, const dem_control *control, const servo *state)
{
  if (control->kind == DEM_CONTROL_STRESS_PATH)
    return dem_path_stress(s, control, state->start);
  if (s->stage.steps >= control->ramp)
    return control->value;
  double share = (double)(s->stage.steps + 1) / (double)(control->ramp + 1);
  return state->start + share * (control->value - state->start);
}

double dem_reference_stress(const dem_simulation *s, double stress)
{
  const dem_stage *stage = current_stage(s);
  double largest = fabs(stress);
  for (int k = 0; k < DEM_COMPONENTS; k++)
    if (is_held_by_servo(&stage->control[k]))
      largest = fmax(largest, fabs(stage->control[k].value));
  return stage->mean_stress_is_held ? fmax(largest, fabs(stage->mean_stress.value)) : largest;
}

static double clamp(double value, double limit)
{
  return value > limit ? limit : value < -limit ? -limit : value;
}

/* Values that all servos of a step share. */
typedef struct servo_scale {
  double reference; /* Pa: the largest of the targets and the present mean stress */
  double reach;     /* Pa: deviations are limited to it */
  double modulus;   /* Pa */
  double limit;     /* of the strain in a step */
} servo_scale;

static servo_scale scale_of(const dem_simulation *s)
{
  double mean = fabs(dem_quantity_value(s, DEM_MEAN_STRESS)), reference = dem_reference_stress(s, mean);
  double present = fmax(mean, SERVO_FLOOR * reference);
  bool is_packed = s->stage.number > 0 && s->contact_count >= 2 * s->count; /* four contacts a sphere */
  double slow = SERVO_INERTIAL_NUMBER * s->dt / (s->mean_diameter * sqrt(s->density / reference));
  return (servo_scale){.reference = reference,
                       .reach = is_packed ? SERVO_REACH * present : INFINITY,
                       .modulus = fmax(s->modulus / 3.0, reference),
                       .limit = reference > 0.0 ? fmin(slow, SERVO_OVERLAP_SHARE * s->overlap_known) : 0.0};
}

/* The strain that brings the stress nearer to its target. The deviation is reported relative to the stress `about`. */
static double servo_increment(dem_simulation *s, const dem_control *control, servo *state, double stress, double about,
                              const servo_scale *scale)
{
  double whole = target_now(s, control, state) - stress, deviation = clamp(whole, scale->reach);
  s->stage.servo_error = fmax(s->stage.servo_error, fabs(whole) / about);
  double increment = SERVO_P * deviation / scale->modulus + state->integral;
  if (fabs(increment) < scale->limit && deviation == whole)
    state->integral = clamp(state->integral + SERVO_Q * deviation / scale->modulus, scale->limit);
  return clamp(increment, scale->limit);
}

/* ---- Increments -------------------------------------------------------------------------------------------------- */

/* Divides the remaining strain evenly over the remaining steps or time of the stage. */
static double increment_to_strain(const dem_simulation *s, int component, double strain)
{
  const dem_until *until = &current_stage(s)->until;
  double left = strain - dem_quantity_value(s, (dem_quantity)(DEM_STRAIN + component));
  if (until->steps > s->stage.steps)
    return left / (double)(until->steps - s->stage.steps);
  double time_left = until->time - s->stage.time;
  return time_left > s->dt ? left * (s->dt / time_left) : left;
}

/* The strain of a step that a stage prescribes by a rate or a strain per step, without the factor of its pace. */
static double planned_increment(const dem_simulation *s, const dem_control *control)
{
  return control->kind == DEM_CONTROL_STRAIN_RATE   ? s->stage.direction * control->value * s->dt
         : control->kind == DEM_CONTROL_STRAIN_STEP ? s->stage.direction * control->value
                                                    : 0.0;
}

/*
 * Deviations of normal stresses are relative to their targets; those of shear stresses, which may be zero, and of
 * paths to the reference.
 */
static double increment_of(dem_simulation *s, int k, const double stress[DEM_COMPONENTS], const servo_scale *scale)
{
  const dem_control *control = &current_stage(s)->control[k];
  bool is_normal_target = k <= DEM_ZZ && control->kind == DEM_CONTROL_STRESS;
  double about = is_normal_target ? fabs(control->value) : scale->reference;
  switch (control->kind) {
  case DEM_CONTROL_STRAIN_RATE:
  case DEM_CONTROL_STRAIN_STEP:
    return s->stage.pace.factor * planned_increment(s, control);
  case DEM_CONTROL_STRAIN:
    return increment_to_strain(s, k, control->value);
  case DEM_CONTROL_STRAIN_PATH:
    return dem_path_strain(s, control) - dem_quantity_value(s, (dem_quantity)(DEM_STRAIN + k));
  case DEM_CONTROL_STRESS:
  case DEM_CONTROL_STRESS_PATH:
    return servo_increment(s, control, &s->stage.servos[k], stress[k], about, scale);
  default:
    return 0.0; /* DEM_CONTROL_VOLUME: keep_volume sets it when the others are known */
  }
}

/* Distributes the negative sum of the other normal strains over the components that keep the volume. */
static void keep_volume(const dem_stage *stage, double increment[DEM_COMPONENTS])
{
  double others = 0.0;
  int count = 0;
  for (int k = DEM_XX; k <= DEM_ZZ; k++) {
    if (stage->control[k].kind == DEM_CONTROL_VOLUME)
      count++;
    else
      others += increment[k];
  }
  for (int k = DEM_XX; k <= DEM_ZZ; k++)
    if (stage->control[k].kind == DEM_CONTROL_VOLUME)
      increment[k] = -others / count;
}

/* ---- Pace -------------------------------------------------------------------------------------------------------- */

/* The elastic change of a quantity, over twice the shear modulus; Lame's constants are taken for equal. */
static double elastic_change(const double strain[DEM_COMPONENTS], dem_quantity quantity)
{
  double volumetric = strain[DEM_XX] + strain[DEM_YY] + strain[DEM_ZZ];
  if (quantity < DEM_STRESS)
    return strain[quantity - DEM_STRAIN];
  if (quantity == DEM_MEAN_STRESS)
    return volumetric;
  if (quantity == DEM_DEVIATOR)
    return strain[DEM_ZZ] - 0.5 * (strain[DEM_XX] + strain[DEM_YY]);
  int component = (int)quantity - DEM_STRESS;
  return component <= DEM_ZZ ? strain[component] + 0.5 * volumetric : strain[component];
}

int dem_drive_sign(const dem_simulation *s, dem_quantity quantity)
{
  const dem_stage *stage = current_stage(s);
  double plan[DEM_COMPONENTS];
  for (int k = 0; k < DEM_COMPONENTS; k++)
    plan[k] = planned_increment(s, &stage->control[k]);
  keep_volume(stage, plan);
  double change = elastic_change(plan, quantity);
  return change > 0.0 ? 1 : change < 0.0 ? -1 : 0;
}

/* Chooses the factor of prescribed strains, and the phase of paths at the end of the step. */
static void advance_pace(dem_simulation *s)
{
  const dem_stage *stage = current_stage(s);
  double plan[DEM_COMPONENTS], factor = 1.0;
  if (stage->inertial_number > 0.0) {
    for (int k = 0; k < DEM_COMPONENTS; k++)
      plan[k] = planned_increment(s, &stage->control[k]) + dem_path_fastest(&stage->control[k]);
    keep_volume(stage, plan);
    factor = dem_pace_advance(s, plan);
  }
  if (stage->cyclic.has_paths)
    dem_path_advance(s, factor);
}

/*
 * A packing keeps the shape of its cell until it is nearly at rest; otherwise the cell would follow each fluctuation
 * of the shear stresses while the spheres flow. Until then the servo gets the mean stress in place of each normal
 * stress, and zero in place of each shear stress.
 */
#define SHAPE_UNBALANCED 10.0 /* times the unbalanced force that ends the packing */

static void replace_by_mean_stress(const dem_simulation *s, double stress[DEM_COMPONENTS])
{
  if (s->stage.number > 0 || s->unbalanced < SHAPE_UNBALANCED * current_stage(s)->until.unbalanced)
    return;
  double mean = (stress[DEM_XX] + stress[DEM_YY] + stress[DEM_ZZ]) / 3.0;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    stress[k] = k <= DEM_ZZ ? mean : 0.0;
}

void dem_drive(dem_simulation *s)
{
  const dem_stage *stage = current_stage(s);
  servo_scale scale = scale_of(s);
  double stress[DEM_COMPONENTS];
  dem_stress(s, stress);
  replace_by_mean_stress(s, stress);
  advance_pace(s);
  s->stage.servo_error = 0.0;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    s->increment[k] = increment_of(s, k, stress, &scale);
  if (stage->mean_stress_is_held) {
    const dem_control *control = &stage->mean_stress;
    double mean = (stress[DEM_XX] + stress[DEM_YY] + stress[DEM_ZZ]) / 3.0;
    double step = servo_increment(s, control, &s->stage.servos[SERVO_MEAN], mean, fabs(control->value), &scale);
    for (int k = DEM_XX; k <= DEM_ZZ; k++)
      s->increment[k] += step;
  }
  keep_volume(stage, s->increment);
  if (stage->inertial_number > 0.0)
    dem_pace_observe(s);
  s->movement = dem_cell_movement(s->increment);
}
