/* SPDX-License-Identifier: MIT */
/*
 * The pace of prescribed strains in stages that hold an inertial number.
 *
 * The inertial number is that of the series: I = |d| · diameter · √(density / p), |d| = √(2 d:d) of the deviatoric
 * strain rate. The strains that a stage prescribes keep their proportions and get a common factor f per step. For the
 * target of f one needs |d| / f, to which servos contribute: a triaxial test strains its sides, too. Servos fluctuate
 * from step to step, and their strains take some steps to follow. So the strains of all components and f are averaged
 * over the last PACE_MEMORY steps, and |d| / f is that of the averages. It lies between the value of the prescribed
 * strains and PACE_SHARE_MAX times that, whatever servos do: the stage never stands still.
 *
 * f follows its target smoothly, from zero at the start of the stage, by at most one percent in a step. On paths f is
 * the part of a cycle that the step makes, and a number of steps per cycle is its upper bound.
 */
#include "pace.h"
#include "drive.h"

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

double dem_shear_size(const double e[DEM_COMPONENTS])
{
  double mean = (e[DEM_XX] + e[DEM_YY] + e[DEM_ZZ]) / 3.0, sum = 0.0;
  for (int k = DEM_XX; k <= DEM_ZZ; k++)
    sum += (e[k] - mean) * (e[k] - mean);
  for (int k = DEM_XY; k <= DEM_YZ; k++)
    sum += 2.0 * e[k] * e[k];
  return sqrt(2.0 * sum);
}

static double whole_size(const double e[DEM_COMPONENTS])
{
  double sum = 0.0;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    sum += (k <= DEM_ZZ ? 1.0 : 2.0) * e[k] * e[k];
  return sqrt(2.0 * sum);
}

/* |d| in a step with f = 1. */
static double shear_per_factor(const pace_state *pace, const double plan[DEM_COMPONENTS])
{
  double prescribed = fmax(dem_shear_size(plan), PACE_ISOTROPIC_SHARE * whole_size(plan));
  double observed = pace->mean_factor > 0.0 ? dem_shear_size(pace->mean_increment) / pace->mean_factor : 0.0;
  return fmin(fmax(observed, prescribed), PACE_SHARE_MAX * prescribed);
}

static double pressure_of(const dem_simulation *s)
{
  double least = fmax(PACE_PRESSURE_LEAST * dem_reference_stress(s, s->stage.start[DEM_MEAN_STRESS]),
                      PACE_MODULUS_SHARE * s->run->material.shear_modulus);
  return fmax(dem_quantity_value(s, DEM_MEAN_STRESS), least);
}

double dem_pace_advance(dem_simulation *s, const double plan[DEM_COMPONENTS])
{
  pace_state *pace = &s->stage.pace;
  double shear = current_stage(s)->inertial_number * s->dt / s->mean_diameter * sqrt(pressure_of(s) / s->density);
  double target = shear / shear_per_factor(pace, plan);
  double most = PACE_CHANGE_MAX * fmax(target, pace->factor);
  pace->factor += fmin(fmax(target - pace->factor, -most), most);
  long steps = current_stage(s)->cyclic.steps_per_cycle;
  if (steps > 0)
    pace->factor = fmin(pace->factor, 1.0 / (double)steps);
  return pace->factor;
}

void dem_pace_observe(dem_simulation *s)
{
  pace_state *pace = &s->stage.pace;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    pace->mean_increment[k] += (s->stage.direction * s->increment[k] - pace->mean_increment[k]) / PACE_MEMORY;
  pace->mean_factor += (pace->factor - pace->mean_factor) / PACE_MEMORY;
}
