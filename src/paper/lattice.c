/* SPDX-License-Identifier: MIT */
/* A face-centred cubic lattice under pressure, strained a little: stiffness and hysteresis. */
#include "lattice.h"
#include "dem/simulation.h"
#include "moduli/fit.h"

#include <math.h>

static const double radius = 0.5e-3, cycle_overlap = 1e-4;

enum { QUARTER_STEPS = 100 };

/* Linear springs as stiff as Hertz's contact at the overlap of the cycles: kn = (3/4) Ē √(Rζ), kt = kn/κ. */
static void set_springs(dem_case *run)
{
  const double g = run->material.shear_modulus, nu = run->material.poisson;
  run->contact.linear_kn = 0.75 * 8.0 * g / (3.0 * (1.0 - nu)) * radius * sqrt(cycle_overlap);
  run->contact.linear_kt = run->contact.linear_kn * 2.0 * (1.0 - nu) / (2.0 - nu);
}

static dem_case lattice_case(jager_model model, double overlap)
{
  dem_case run = dem_case_default();
  run.damping = (dem_damping){0.0, 0.0, 0.0};
  run.contact.model = model;
  set_springs(&run);
  run.time_step.fixed = 1e-9;
  run.assembly.source = DEM_SOURCE_LATTICE;
  run.assembly.lattice =
      (dem_lattice){.kind = DEM_LATTICE_FCC, .cells = {2, 2, 2}, .radius = radius, .overlap = overlap};
  run.stage_count = 1;
  run.stages[0] = dem_stage_default(&run);
  snprintf(run.stages[0].name, sizeof run.stages[0].name, "strain");
  run.stages[0].until.steps = 1000000;
  return run;
}

static void strain_by(dem_case *run, dem_component component, double step)
{
  run->stages[0].control[component] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = step};
}

static bool step(dem_simulation *s, dem_measures *measures, error_info *error)
{
  if (dem_simulation_step(s, error) == DEM_FAILED)
    return false;
  dem_simulation_measure(s, measures);
  return true;
}

/* ---- Stiffness --------------------------------------------------------------------------------------------------- */

/* The central difference of two small strains. */
static bool measure_modulus(const dem_case *model, double strain, double *pressure, double *modulus, error_info *error)
{
  double ends[2];
  for (int side = 0; side < 2; side++) {
    dem_case run = *model;
    dem_measures measures;
    strain_by(&run, DEM_ZZ, side == 0 ? strain : -strain);
    dem_simulation *s = dem_simulation_create(&run, 1, error);
    if (!s)
      return false;
    dem_simulation_measure(s, &measures);
    *pressure = measures.p;
    bool done = step(s, &measures, error);
    ends[side] = measures.stress_zz;
    dem_simulation_destroy(s);
    if (!done)
      return false;
  }
  *modulus = (ends[0] - ends[1]) / (2.0 * strain);
  return true;
}

bool lattice_measure_stiffness(jager_model model, lattice_stiffness *measured, error_info *error)
{
  bool done = true;
  for (int k = 0; done && k < LATTICE_PRESSURES; k++) {
    double overlap = 1e-6 * pow(10.0, 0.5 * k);
    dem_case run = lattice_case(model, overlap);
    done = measure_modulus(&run, 1e-4 * overlap, &measured->pressure[k], &measured->modulus[k], error);
  }
  measured->exponent = moduli_fit_power(measured->pressure, measured->modulus, LATTICE_PRESSURES).exponent;
  return done;
}

/* ---- Hysteresis -------------------------------------------------------------------------------------------------- */

/* Loads, unloads and reloads. The loop is from the first peak to the second. */
bool lattice_measure_cycle(jager_model model, double amplitude, lattice_cycle *measured, paper_table *table,
                           error_info *error)
{
  dem_case run = lattice_case(model, cycle_overlap);
  const double strain = amplitude / QUARTER_STEPS;
  strain_by(&run, DEM_XX, -0.5 * strain);
  strain_by(&run, DEM_YY, -0.5 * strain);
  strain_by(&run, DEM_ZZ, strain);
  run.stages[0].cyclic = (dem_cyclic){
      .on = true, .of = (dem_quantity)(DEM_STRAIN + DEM_ZZ), .amplitude = amplitude * (1.0 - 1e-9), .center = NAN};
  dem_simulation *s = dem_simulation_create(&run, 1, error);
  if (!s)
    return false;
  dem_measures now, before = {.q = 0.0};
  measured->sliding = 0.0;
  double area = 0.0, top = 0.0, bottom = 0.0;
  bool done = true;
  for (int i = 1; done && i <= 5 * QUARTER_STEPS; i++) {
    done = step(s, &now, error);
    if (!done)
      break;
    if (i > QUARTER_STEPS)
      area += 0.5 * (now.q + before.q) * (now.strain_zz - before.strain_zz);
    measured->sliding = fmax(measured->sliding, now.sliding_fraction);
    top = fmax(top, now.q);
    bottom = fmin(bottom, now.q);
    before = now;
    if (table && i >= QUARTER_STEPS && i % 4 == 0)
      fprintf(table->stream, "%s,%.9g,%.9g,%.9g\n", jager_model_name(model), amplitude, now.strain_zz, now.q);
  }
  measured->modulus = 0.5 * (top - bottom) / amplitude;
  measured->damping = area / (4.0 * acos(-1.0) * 0.5 * measured->modulus * amplitude * amplitude);
  dem_simulation_destroy(s);
  return done;
}
