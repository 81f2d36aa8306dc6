/* SPDX-License-Identifier: MIT */
/*
 * What the cell does in the next step: increments of the six strains, prescribed or chosen by the servo.
 *
 * The servo is a PI controller in steps. With the deviation e from a target and a modulus M that is not less than the
 * assembly's (Voigt's, from the contacts' stiffnesses), the increment of strain is  P e/M + I,  and I grows by  Q e/M.
 */
#include "internal.h"

#define SERVO_P 0.3
#define SERVO_Q 0.002

/* The servo strains no faster than with this inertial number. */
#define SERVO_INERTIAL_NUMBER 0.01

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

/* Strain that brings the stress nearer to its target. `weight` is the stress that deviations are compared with. */
static double servo_increment(dem_simulation *s, const dem_control *control, servo *state, double stress, double weight,
                              double limit)
{
  double target = target_now(s, control, state), deviation = target - stress;
  double modulus = fmax(s->modulus / 3.0, weight);
  s->stage.servo_error = fmax(s->stage.servo_error, fabs(deviation) / fmax(fabs(target), 1e-3 * weight));
  double increment = SERVO_P * deviation / modulus + state->integral;
  if (fabs(increment) < limit)
    state->integral = clamp(state->integral + SERVO_Q * deviation / modulus, limit);
  return clamp(increment, limit);
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

static double increment_of(dem_simulation *s, int k, const double stress[DEM_COMPONENTS], double weight, double limit)
{
  const dem_control *control = &stage_of(s)->control[k];
  switch (control->kind) {
  case DEM_CONTROL_STRAIN_RATE:
    return s->stage.direction * control->value * s->dt;
  case DEM_CONTROL_STRAIN_STEP:
    return s->stage.direction * control->value;
  case DEM_CONTROL_STRAIN:
    return increment_to_strain(s, k, control->value);
  case DEM_CONTROL_STRESS:
    return servo_increment(s, control, &s->stage.servos[k], stress[k], weight, limit);
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

static double increment_limit(const dem_simulation *s, double pressure)
{
  double density = s->run->material.density * s->run->density_scaling;
  return SERVO_INERTIAL_NUMBER * s->dt / (s->mean_diameter * sqrt(density / pressure));
}

void drive(dem_simulation *s)
{
  const dem_stage *stage = stage_of(s);
  double stress[DEM_COMPONENTS], weight = reference_stress(s);
  double limit = weight > 0.0 ? increment_limit(s, weight) : 0.0;
  stress_of(s, stress);
  s->stage.servo_error = 0.0;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    s->increment[k] = increment_of(s, k, stress, weight, limit);
  if (stage->mean_stress_is_held) {
    double mean = (stress[DEM_XX] + stress[DEM_YY] + stress[DEM_ZZ]) / 3.0;
    double step = servo_increment(s, &stage->mean_stress, &s->stage.servos[SERVO_MEAN], mean, weight, limit);
    for (int k = DEM_XX; k <= DEM_ZZ; k++)
      s->increment[k] += step;
  }
  keep_volume(s);
  s->movement = cell_movement(s->increment);
}
