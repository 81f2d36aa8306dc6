/* SPDX-License-Identifier: MIT */
/*
 * What the cell does in the next step: increments of the six strains, prescribed or chosen by the servo.
 *
 * The servo is a PI controller in steps. With the deviation e from a target and a modulus M that is not less than the
 * assembly's (Voigt's, from the contacts' springs and dashpots), the increment of strain is  P e/M + I,  and I grows by  Q e/M.
 * A packed assembly approaches a target far away as if by a ramp: e is cut off at a share of the present mean stress, so that
 * the stress changes by a percent or so in a step, and I stands still meanwhile.
 */
#include "dem/internal.h"

#define SERVO_P 0.3
#define SERVO_Q 0.002

#define SERVO_REACH 0.05 /* of a packed assembly deviations count up to this share of the mean stress ... */
#define SERVO_FLOOR 0.01 /* ... or, while there is hardly any, of this share of the largest target */

/* The servo strains no faster than with this inertial number, and overlaps change no faster in a step than by this share. */
#define SERVO_INERTIAL_NUMBER 0.01
#define SERVO_OVERLAP_SHARE 0.5

void stress_of(const dem_simulation *s, double stress[DEM_COMPONENTS])
{
  double inverse = 1.0 / cell_volume(s->cell);
  for (int k = 0; k < DEM_COMPONENTS; k++)
    stress[k] = s->virial[k] * inverse;
}

double quantity_value(const dem_simulation *s, dem_quantity quantity)
{
  double stress[DEM_COMPONENTS];
  if (quantity < DEM_STRESS)
    return s->strain[quantity - DEM_STRAIN] - s->stage.strain_start[quantity - DEM_STRAIN];
  stress_of(s, stress);
  if (quantity < DEM_MEAN_STRESS)
    return stress[quantity - DEM_STRESS];
  switch (quantity) {
  case DEM_MEAN_STRESS:
    return (stress[DEM_XX] + stress[DEM_YY] + stress[DEM_ZZ]) / 3.0;
  case DEM_DEVIATOR:
    return stress[DEM_ZZ] - 0.5 * (stress[DEM_XX] + stress[DEM_YY]);
  case DEM_VOLUMETRIC_STRAIN:
    return quantity_value(s, (dem_quantity)(DEM_STRAIN + DEM_XX)) +
           quantity_value(s, (dem_quantity)(DEM_STRAIN + DEM_YY)) +
           quantity_value(s, (dem_quantity)(DEM_STRAIN + DEM_ZZ));
  default:
    return cell_volume(s->cell) / s->solid_volume - 1.0;
  }
}

/* ---- The servo --------------------------------------------------------------------------------------------------- */

static double target_now(const dem_simulation *s, const dem_control *control, const servo *state)
{
  if (s->stage.steps >= control->ramp)
    return control->value;
  double share = (double)(s->stage.steps + 1) / (double)(control->ramp + 1);
  return state->start + share * (control->value - state->start);
}

/* A stress to compare with: the largest of the targets and the present mean stress. */
static double reference_stress(const dem_simulation *s)
{
  const dem_stage *stage = stage_of(s);
  double largest = fabs(quantity_value(s, DEM_MEAN_STRESS));
  for (int k = 0; k < DEM_COMPONENTS; k++)
    if (stage->control[k].kind == DEM_CONTROL_STRESS)
      largest = fmax(largest, fabs(stage->control[k].value));
  return stage->mean_stress_is_held ? fmax(largest, fabs(stage->mean_stress.value)) : largest;
}

static double clamp(double value, double limit)
{
  return value > limit ? limit : value < -limit ? -limit : value;
}

/* What all servos of a step have in common. */
typedef struct servo_scale {
  double reference; /* stress: the largest of the targets and the present mean stress */
  double reach;     /* stress: larger deviations count no more */
  double modulus;
  double limit; /* strain in a step */
} servo_scale;

static servo_scale scale_of(const dem_simulation *s)
{
  double reference = reference_stress(s);
  double present = fmax(fabs(quantity_value(s, DEM_MEAN_STRESS)), SERVO_FLOOR * reference);
  bool is_packed = s->stage.number > 0 && s->contact_count >= 2 * s->count; /* four contacts a sphere */
  double density = s->run->material.density * s->run->density_scaling;
  double slow = SERVO_INERTIAL_NUMBER * s->dt / (s->mean_diameter * sqrt(density / reference));
  return (servo_scale){.reference = reference,
                       .reach = is_packed ? SERVO_REACH * present : INFINITY,
                       .modulus = fmax(s->modulus / 3.0, reference),
                       .limit = reference > 0.0 ? fmin(slow, SERVO_OVERLAP_SHARE * s->overlap_known) : 0.0};
}

/* Strain that brings the stress nearer to its target. `about` is the stress that the deviation is reported over. */
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

/* What is left to reach the strain at the stage's last step or time. */
static double increment_to_strain(const dem_simulation *s, int component, double strain)
{
  const dem_until *until = &stage_of(s)->until;
  double left = strain - quantity_value(s, (dem_quantity)(DEM_STRAIN + component));
  if (until->steps > s->stage.steps)
    return left / (double)(until->steps - s->stage.steps);
  double time_left = until->time - s->stage.time;
  return time_left > s->dt ? left * (s->dt / time_left) : left;
}

/* Deviations of normal stresses are told over their targets, of shear stresses, which may be zero, over the reference. */
static double increment_of(dem_simulation *s, int k, const double stress[DEM_COMPONENTS], const servo_scale *scale)
{
  const dem_control *control = &stage_of(s)->control[k];
  double about = k <= DEM_ZZ ? fabs(control->value) : scale->reference;
  switch (control->kind) {
  case DEM_CONTROL_STRAIN_RATE:
    return s->stage.direction * control->value * s->dt;
  case DEM_CONTROL_STRAIN_STEP:
    return s->stage.direction * control->value;
  case DEM_CONTROL_STRAIN:
    return increment_to_strain(s, k, control->value);
  case DEM_CONTROL_STRESS:
    return servo_increment(s, control, &s->stage.servos[k], stress[k], about, scale);
  default:
    return 0.0; /* volume: when the others are known */
  }
}

static void keep_volume(dem_simulation *s)
{
  const dem_stage *stage = stage_of(s);
  double others = 0.0;
  int count = 0;
  for (int k = DEM_XX; k <= DEM_ZZ; k++) {
    if (stage->control[k].kind == DEM_CONTROL_VOLUME)
      count++;
    else
      others += s->increment[k];
  }
  for (int k = DEM_XX; k <= DEM_ZZ; k++)
    if (stage->control[k].kind == DEM_CONTROL_VOLUME)
      s->increment[k] = -others / count;
}

/*
 * A packing keeps the shape of its cell until it is nearly at rest: while its spheres still flow, the cell would follow each
 * passing shear stress. Until then each normal stress counts as the mean stress, and each shear stress as zero.
 */
#define SHAPE_UNBALANCED 10.0 /* times the unbalanced force at which it is packed */

static void see_mean_stress_only(const dem_simulation *s, double stress[DEM_COMPONENTS])
{
  if (s->stage.number > 0 || s->unbalanced < SHAPE_UNBALANCED * stage_of(s)->until.unbalanced)
    return;
  double mean = (stress[DEM_XX] + stress[DEM_YY] + stress[DEM_ZZ]) / 3.0;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    stress[k] = k <= DEM_ZZ ? mean : 0.0;
}

void drive(dem_simulation *s)
{
  const dem_stage *stage = stage_of(s);
  servo_scale scale = scale_of(s);
  double stress[DEM_COMPONENTS];
  stress_of(s, stress);
  see_mean_stress_only(s, stress);
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
  keep_volume(s);
  s->movement = cell_movement(s->increment);
}
