/* SPDX-License-Identifier: MIT */
/*
 * The loading of the cell in the next step: increments of the six strains, prescribed or chosen by the servo.
 *
 * The servo is a PI controller in discrete steps. Let e be the deviation from a target, and M an upper bound of the
 * assembly's modulus (Voigt's, from springs and dashpots of the contacts). The increment of strain is  P e/M + I,
 * and I grows by  Q e/M. A packed assembly approaches a distant target as if by a ramp: e is limited to a fraction of
 * the present mean stress, so that the stress changes by about one percent in a step, and I stays constant meanwhile.
 * A packing goes without I: a strain that goes on when the stress is right, while grains still flow, overshoots.
 */
#include "drive.h"
#include "base/portable_math.h"
#include "cycles.h"

/* ---- Stresses and quantities ------------------------------------------------------------------------------------- */

void dem_stress(const dem_simulation *s, double stress[DEM_COMPONENTS])
{
  double inverse = 1.0 / dem_cell_volume(s->cell);
  for (int k = 0; k < DEM_COMPONENTS; k++)
    stress[k] = s->virial[k] * inverse;
}

static double strain_in_stage(const dem_simulation *s, int component)
{
  return s->strain[component] - s->stage.strain_start[component];
}

double dem_quantity_value(const dem_simulation *s, dem_quantity quantity)
{
  double stress[DEM_COMPONENTS];
  if (quantity < DEM_STRESS)
    return strain_in_stage(s, (int)(quantity - DEM_STRAIN));
  dem_stress(s, stress);
  if (quantity < DEM_MEAN_STRESS)
    return stress[quantity - DEM_STRESS];
  double mean = (stress[DEM_XX] + stress[DEM_YY] + stress[DEM_ZZ]) / 3.0;
  switch (quantity) {
  case DEM_MEAN_STRESS:
    return mean;
  case DEM_DEVIATOR:
    return stress[DEM_ZZ] - 0.5 * (stress[DEM_XX] + stress[DEM_YY]);
  case DEM_VOLUMETRIC_STRAIN:
    return strain_in_stage(s, DEM_XX) + strain_in_stage(s, DEM_YY) + strain_in_stage(s, DEM_ZZ);
  case DEM_VOID_RATIO:
    return dem_cell_volume(s->cell) / s->solid_volume - 1.0;
  case DEM_R_U:
    return dem_pore_pressure_ratio(s, mean);
  case DEM_R_U_ZZ:
    return dem_pore_pressure_ratio_zz(s, stress[DEM_ZZ]);
  default:
    if (quantity >= DEM_DOUBLE_AMPLITUDE)
      return dem_double_amplitude(s, (dem_component)(quantity - DEM_DOUBLE_AMPLITUDE));
    if (quantity >= DEM_GAMMA_SIZE)
      return fabs(2.0 * strain_in_stage(s, DEM_XY + (int)(quantity - DEM_GAMMA_SIZE)));
    return 2.0 * strain_in_stage(s, DEM_XY + (int)(quantity - DEM_GAMMA));
  }
}

double dem_shear_size(const double e[DEM_COMPONENTS])
{
  double mean = (e[DEM_XX] + e[DEM_YY] + e[DEM_ZZ]) / 3.0, sum = 0.0;
  for (int k = DEM_XX; k <= DEM_ZZ; k++)
    sum += (e[k] - mean) * (e[k] - mean);
  for (int k = DEM_XY; k <= DEM_YZ; k++)
    sum += 2.0 * e[k] * e[k];
  return sqrt(2.0 * sum);
}

/* The largest of this stress and the stress targets of the stage, Pa. */
static double reference_stress(const dem_simulation *s, double stress)
{
  const dem_stage *stage = current_stage(s);
  double largest = fabs(stress);
  for (int k = 0; k < DEM_COMPONENTS; k++)
    if (is_held_by_servo(&stage->control[k]))
      largest = fmax(largest, fabs(stage->control[k].value));
  return stage->mean_stress_is_held ? fmax(largest, fabs(stage->mean_stress.value)) : largest;
}

/* ---- Wave paths -------------------------------------------------------------------------------------------------- */

/*
 * The phase c counts cycles. A component is  start + w(c) (center - start + A sin 2π(n c + φ)).  The weight w rises as
 * 3x² - 2x³, x = c / run_in, within the first cycles, so that strain and strain rate start from zero whatever the
 * phases are: the path winds itself out of the state at the start of the stage.
 */
static double wave_weight(const dem_simulation *s)
{
  double run_in = current_stage(s)->cyclic.run_in;
  if (!(s->stage.phase < run_in))
    return 1.0;
  double x = s->stage.phase / run_in;
  return x * x * (3.0 - 2.0 * x);
}

static double wave_turns(const dem_control *control, double phase)
{
  return control->wave.frequency * phase + control->wave.phase;
}

/* A sin 2π(n c + φ) */
static double wave_deviation(const dem_simulation *s, const dem_control *control)
{
  return control->value * portable_sin_turns(wave_turns(control, s->stage.phase));
}

static bool is_on_wave(const dem_control *control)
{
  return control->kind == DEM_CONTROL_STRAIN_PATH || control->kind == DEM_CONTROL_STRESS_PATH;
}

int dem_wave_count(const dem_stage *stage)
{
  int count = 0;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    count += is_on_wave(&stage->control[k]);
  return count;
}

/* Peaks are at a quarter of a turn and every half turn from there: their number, up to a constant. */
static double wave_peaks(const dem_control *control, double phase)
{
  return floor(2.0 * wave_turns(control, phase) + 0.5);
}

int dem_wave_peak(const dem_simulation *s)
{
  const dem_stage *stage = current_stage(s);
  const dem_control *control = &stage->control[dem_cycle_component(stage->cyclic.of)];
  double number = wave_peaks(control, s->stage.phase);
  if (!(number - wave_peaks(control, 0.0) > (double)s->stage.reversals))
    return 0;
  return fmod(number, 2.0) != 0.0 ? 1 : -1; /* up to the first peak the number is 0, at phase 0 */
}

bool dem_wave_has_peaked(const dem_simulation *s, double phase_before)
{
  const dem_stage *stage = current_stage(s);
  for (int k = 0; stage->cyclic.has_paths && k < DEM_COMPONENTS; k++) {
    const dem_control *control = &stage->control[k];
    if (is_on_wave(control) && wave_peaks(control, s->stage.phase) > wave_peaks(control, phase_before))
      return true;
  }
  return false;
}

/* ---- The servo --------------------------------------------------------------------------------------------------- */

#define SERVO_P 0.3
#define SERVO_Q 0.002

#define SERVO_REACH 0.05 /* deviations of a packed assembly are limited to this fraction of the mean stress ... */
#define SERVO_FLOOR 0.01 /* ... or of this fraction of the largest target, if that is more */

/* Upper bounds of the servo's strain rate: by the inertial number, and by the relative change of overlaps in a step. */
#define SERVO_INERTIAL_NUMBER 0.01
#define SERVO_OVERLAP_SHARE 0.5

/* Values that all servos of a step share. */
typedef struct servo_scale {
  double reference; /* Pa: the largest of the targets and the present mean stress */
  double reach;     /* Pa: deviations are limited to it */
  double modulus;   /* Pa */
  double limit;     /* of the strain in a step */
} servo_scale;

static double clamp(double value, double limit)
{
  return value > limit ? limit : value < -limit ? -limit : value;
}

/* The strain that brings the stress nearer to its target. The deviation is reported relative to the stress `about`. */
static double servo_increment(dem_simulation *s, const dem_control *control, servo *state, double stress, double about,
                              const servo_scale *scale)
{
  double target = control->value;
  if (control->kind == DEM_CONTROL_STRESS_PATH) {
    double way = isnan(control->wave.center) ? 0.0 : control->wave.center - state->start;
    target = state->start + wave_weight(s) * (way + wave_deviation(s, control));
  } else if (s->stage.steps < control->ramp) { /* linear in the number of steps */
    double share = (double)(s->stage.steps + 1) / (double)(control->ramp + 1);
    target = state->start + share * (control->value - state->start);
  }
  double whole = target - stress, deviation = clamp(whole, scale->reach);
  s->stage.servo_error = fmax(s->stage.servo_error, fabs(whole) / about);
  double increment = SERVO_P * deviation / scale->modulus + state->integral;
  if (!is_packing(s) && fabs(increment) < scale->limit && deviation == whole)
    state->integral = clamp(state->integral + SERVO_Q * deviation / scale->modulus, scale->limit);
  return clamp(increment, scale->limit);
}

/* ---- Prescribed strains ------------------------------------------------------------------------------------------ */

/* The strain of a step that a stage prescribes by a rate or a strain per step, without the factor of its pace. */
static double planned_increment(const dem_simulation *s, const dem_control *control)
{
  return control->kind == DEM_CONTROL_STRAIN_RATE   ? s->stage.direction * control->value * s->dt
         : control->kind == DEM_CONTROL_STRAIN_STEP ? s->stage.direction * control->value
                                                    : 0.0;
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

int dem_drive_sign(const dem_simulation *s, dem_quantity quantity)
{
  const dem_stage *stage = current_stage(s);
  double plan[DEM_COMPONENTS];
  for (int k = 0; k < DEM_COMPONENTS; k++)
    plan[k] = planned_increment(s, &stage->control[k]);
  keep_volume(stage, plan);
  /* The elastic change over twice the shear modulus; Lame's constants are taken for equal. */
  double change, volumetric = plan[DEM_XX] + plan[DEM_YY] + plan[DEM_ZZ];
  if (quantity < DEM_STRESS)
    change = plan[quantity - DEM_STRAIN];
  else if (quantity == DEM_MEAN_STRESS)
    change = volumetric;
  else if (quantity == DEM_DEVIATOR)
    change = plan[DEM_ZZ] - 0.5 * (plan[DEM_XX] + plan[DEM_YY]);
  else {
    int component = (int)quantity - DEM_STRESS;
    change = component <= DEM_ZZ ? plan[component] + 0.5 * volumetric : plan[component];
  }
  return change > 0.0 ? 1 : change < 0.0 ? -1 : 0;
}

/*
 * The pace of prescribed strains in stages that hold an inertial number.
 *
 * The inertial number is the same as in the series: I = |d| · diameter · √(density / p), |d| = √(2 d:d) of the
 * deviatoric strain rate. The strains that a stage prescribes keep their proportions and get a common factor f.
 * For the target of f one needs |d| / f, to which servos contribute: a triaxial test strains its sides, too. Servos
 * fluctuate from step to step, and their strains take some steps to follow. So the strains of all components and f are
 * averaged over the last PACE_MEMORY steps, and |d| / f is computed from the averages. It lies between the value of the
 * prescribed strains and PACE_SHARE_MAX times that, whatever servos do: the stage never stands still.
 *
 * f follows its target smoothly, from zero at the start of the stage, by at most one percent in a step. On paths f is
 * the part of a cycle that the step makes, and a number of steps per cycle is its upper bound.
 */
#define PACE_MEMORY 1000.0
#define PACE_SHARE_MAX 3.0
#define PACE_CHANGE_MAX 0.01

/*
 * Lost stress does not stop the test: p counts as at least this fraction of the reference stress of the stage, and of
 * the grains' shear modulus if there is no such stress.
 */
#define PACE_PRESSURE_LEAST 0.01
#define PACE_MODULUS_SHARE 1e-9

/* Nearly isotropic strains, which have next to no deviatoric part, count by this fraction of √(2 d:d) of all of it. */
#define PACE_ISOTROPIC_SHARE 0.5

/* Chooses the factor f of the next step. */
static void advance_pace(dem_simulation *s)
{
  const dem_stage *stage = current_stage(s);
  pace_state *pace = &s->stage.pace;
  double plan[DEM_COMPONENTS]; /* the increments with f = 1; on a wave of strain at its fastest */
  for (int k = 0; k < DEM_COMPONENTS; k++) {
    const dem_control *control = &stage->control[k];
    plan[k] = planned_increment(s, control);
    if (control->kind == DEM_CONTROL_STRAIN_PATH)
      plan[k] += 2.0 * PI * control->wave.frequency * control->value;
  }
  keep_volume(stage, plan);

  double sum = 0.0; /* |d| with f = 1 */
  for (int k = 0; k < DEM_COMPONENTS; k++)
    sum += (k <= DEM_ZZ ? 1.0 : 2.0) * plan[k] * plan[k];
  double prescribed = fmax(dem_shear_size(plan), PACE_ISOTROPIC_SHARE * sqrt(2.0 * sum));
  double observed = pace->mean_factor > 0.0 ? dem_shear_size(pace->mean_increment) / pace->mean_factor : 0.0;
  double per_factor = fmin(fmax(observed, prescribed), PACE_SHARE_MAX * prescribed);

  double least = fmax(PACE_PRESSURE_LEAST * reference_stress(s, s->stage.start[DEM_MEAN_STRESS]),
                      PACE_MODULUS_SHARE * s->run->material.shear_modulus);
  double pressure = fmax(dem_quantity_value(s, DEM_MEAN_STRESS), least);
  double shear = stage->inertial_number * s->dt / s->mean_diameter * sqrt(pressure / s->density);
  double target = shear / per_factor;
  double most = PACE_CHANGE_MAX * fmax(target, pace->factor);
  pace->factor += fmin(fmax(target - pace->factor, -most), most);
  if (stage->cyclic.steps_per_cycle > 0)
    pace->factor = fmin(pace->factor, 1.0 / (double)stage->cyclic.steps_per_cycle);
}

/* ---- The increments of a step ------------------------------------------------------------------------------------ */

static double increment_of(dem_simulation *s, int k, const double stress[DEM_COMPONENTS], const servo_scale *scale)
{
  const dem_control *control = &current_stage(s)->control[k];
  const dem_until *until = &current_stage(s)->until;
  switch (control->kind) {
  case DEM_CONTROL_STRAIN_RATE:
  case DEM_CONTROL_STRAIN_STEP:
    return s->stage.pace.factor * planned_increment(s, control);
  case DEM_CONTROL_STRAIN: { /* divides the remaining strain evenly over the remaining steps or time of the stage */
    double left = control->value - strain_in_stage(s, k), time_left = until->time - s->stage.time;
    if (until->steps > s->stage.steps)
      return left / (double)(until->steps - s->stage.steps);
    return time_left > s->dt ? left * (s->dt / time_left) : left;
  }
  case DEM_CONTROL_STRAIN_PATH:
    return wave_weight(s) * wave_deviation(s, control) - strain_in_stage(s, k);
  case DEM_CONTROL_STRESS:
  case DEM_CONTROL_STRESS_PATH: {
    /* Deviations of normal stresses are relative to their targets. Targets of shear stresses may be zero: their
     * deviations, and deviations on paths, are relative to the reference. */
    bool is_normal_target = k <= DEM_ZZ && control->kind == DEM_CONTROL_STRESS;
    double about = is_normal_target ? fabs(control->value) : scale->reference;
    return servo_increment(s, control, &s->stage.servos[k], stress[k], about, scale);
  }
  default:
    return 0.0; /* DEM_CONTROL_VOLUME: keep_volume sets it once the others are known */
  }
}

/*
 * A packing keeps the shape of its cell while its grains flow; otherwise the cell would follow each fluctuation of the
 * shear stresses. The servo then gets the mean stress in place of each normal stress, and zero in place of each shear
 * stress. It begins with the shape early: a late change of shape would set grains in motion again that were at rest.
 */
#define SHAPE_UNBALANCED 0.2

void dem_drive(dem_simulation *s)
{
  const dem_stage *stage = current_stage(s);
  double stress[DEM_COMPONENTS];
  dem_stress(s, stress);
  double mean = (stress[DEM_XX] + stress[DEM_YY] + stress[DEM_ZZ]) / 3.0, reference = reference_stress(s, mean);
  bool is_packed = s->stage.number > 0 && s->contact_count >= 2 * s->grain_count; /* four contacts a grain */
  double slow = SERVO_INERTIAL_NUMBER * s->dt / (s->mean_diameter * sqrt(s->density / reference));
  servo_scale scale = {.reference = reference,
                       .reach = is_packed ? SERVO_REACH * fmax(fabs(mean), SERVO_FLOOR * reference) : INFINITY,
                       .modulus = fmax(s->modulus / 3.0, reference),
                       .limit = reference > 0.0 ? fmin(slow, SERVO_OVERLAP_SHARE * s->overlap_known) : 0.0};

  if (is_packing(s) && !(s->unbalanced < SHAPE_UNBALANCED))
    for (int k = 0; k < DEM_COMPONENTS; k++)
      stress[k] = k <= DEM_ZZ ? mean : 0.0;
  if (stage->inertial_number > 0.0)
    advance_pace(s);
  if (stage->cyclic.has_paths) { /* the phase at the end of the step */
    if (stage->inertial_number > 0.0)
      s->stage.phase += s->stage.pace.factor;
    else if (stage->cyclic.steps_per_cycle > 0)
      s->stage.phase = (double)(s->stage.steps + 1) / (double)stage->cyclic.steps_per_cycle;
    else
      s->stage.phase = (s->stage.time + s->dt) / stage->cyclic.period;
  }

  s->stage.servo_error = 0.0;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    s->increment[k] = increment_of(s, k, stress, &scale);
  if (stage->mean_stress_is_held) {
    const dem_control *control = &stage->mean_stress;
    double step = servo_increment(s, control, &s->stage.servos[SERVO_MEAN], mean, fabs(control->value), &scale);
    for (int k = DEM_XX; k <= DEM_ZZ; k++)
      s->increment[k] += step;
  }
  keep_volume(stage, s->increment);
  if (stage->inertial_number > 0.0) {
    pace_state *pace = &s->stage.pace;
    for (int k = 0; k < DEM_COMPONENTS; k++)
      pace->mean_increment[k] += (s->stage.direction * s->increment[k] - pace->mean_increment[k]) / PACE_MEMORY;
    pace->mean_factor += (pace->factor - pace->mean_factor) / PACE_MEMORY;
  }
  s->movement = dem_cell_movement(s->increment);
}
