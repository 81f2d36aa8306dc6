/* SPDX-License-Identifier: MIT */
/*
 * Stages: stresses and volumes are held, targets are reached, and each stage ends by its criteria.
 *
 * Oracles: the targets themselves; the cell, whose edges are L exp(-strain) and whose volume is their product; counts
 * of steps that follow from strain per step and amplitude; kinetic energy computed here from the velocities.
 */
#include "dem_support.h"

#include "dem/drive.h"
#include "dem/step.h"

enum { SPHERES = 200 };

FIXTURE_PACKED(ONCE, SPHERES)

/* ---- Cases ------------------------------------------------------------------------------------------------------- */

static dem_control stress(double value, long ramp)
{
  return (dem_control){.kind = DEM_CONTROL_STRESS, .value = value, .ramp = ramp};
}

/* Spheres that do not touch: quick, and enough for strains. */
static dem_case loose_case(void)
{
  dem_case run = dem_still_case(1e-7);
  run.stage_count = 0;
  run.assembly.source = DEM_SOURCE_LATTICE;
  run.assembly.lattice = (dem_lattice){.kind = DEM_LATTICE_SC, .cells = {3, 3, 3}, .radius = 1e-3, .overlap = -0.5};
  return run;
}

/* ---- Stresses and volumes that are held -------------------------------------------------------------------------- */

TEST(the_servo_holds_lateral_stress)
{
  SCOPED_CASE run = packed_case();
  dem_stage *stage = dem_add_stage(&run, "triaxial", 4000);
  stage->control[DEM_XX] = stage->control[DEM_YY] = stress(10e6, 0);
  stage->control[DEM_ZZ] = rate(30.0);
  SCOPED_SIMULATION s = dem_create(&run, 1);
  double worst = 0.0;
  dem_steps(s, 500);
  while (dem_goes_on(s)) {
    double now[DEM_COMPONENTS];
    dem_stress(s, now);
    worst = fmax(worst, fmax(fabs(now[DEM_XX] / 10e6 - 1.0), fabs(now[DEM_YY] / 10e6 - 1.0)));
  }
  dem_measures m = dem_measured(s);
  printf("triaxial to strain %.4f: lateral stress within %.2e, q %.3g MPa, volumetric strain %.4f\n", m.strain_zz,
         worst, 1e-6 * m.q, m.volumetric_strain);
  ck_assert_double_le(worst, 0.01);
  ck_assert_double_gt(m.q, 3e6); /* it is being sheared */
  ck_assert_double_lt(m.strain_xx, 0.0);
}

TEST(the_servo_holds_mean_stress)
{
  SCOPED_CASE run = packed_case();
  dem_stage *stage = dem_add_stage(&run, "constant p", 4000);
  stage->mean_stress_is_held = true;
  stage->mean_stress = stress(10e6, 0);
  stage->control[DEM_ZZ] = rate(20.0);
  stage->control[DEM_XX] = stage->control[DEM_YY] = rate(-10.0);
  SCOPED_SIMULATION s = dem_create(&run, 1);
  double worst = 0.0;
  dem_steps(s, 500);
  while (dem_goes_on(s))
    worst = fmax(worst, fabs(dem_quantity_value(s, DEM_MEAN_STRESS) / 10e6 - 1.0));
  dem_measures m = dem_measured(s);
  printf("constant p: within %.2e, q %.3g MPa, volumetric strain %.4f\n", worst, 1e-6 * m.q, m.volumetric_strain);
  ck_assert_double_le(worst, 0.01);
  ck_assert_double_gt(m.q, 3e6);
  assert_within(m.strain_zz - m.strain_xx, 30.0 * m.time, 1e-12); /* the servo adds the same to all */
  assert_within(m.strain_xx, m.strain_yy, 1e-14);
  ck_assert_double_gt(fabs(m.volumetric_strain), 1e-5);
}

/* The stress follows a ramp from its present value to the target. */
TEST(ramps_are_followed)
{
  SCOPED_CASE run = packed_case();
  dem_stage *stage = dem_add_stage(&run, "ramp", 3000);
  const int ramp = 2000;
  stage->control[DEM_XX] = stress(12e6, ramp);
  stage->control[DEM_YY] = stress(8e6, ramp);
  stage->control[DEM_ZZ] = stress(10e6, 0);
  SCOPED_SIMULATION s = dem_create(&run, 1);
  double start[DEM_COMPONENTS], now[DEM_COMPONENTS], worst = 0.0, half = 0.0;
  dem_stress(s, start);
  for (int k = 1; dem_goes_on(s); k++) {
    double share = fmin(1.0, (double)k / ramp);
    dem_stress(s, now);
    double off = fmax(fabs(now[DEM_XX] - start[DEM_XX] - share * (12e6 - start[DEM_XX])),
                      fabs(now[DEM_YY] - start[DEM_YY] - share * (8e6 - start[DEM_YY])));
    worst = k > 100 ? fmax(worst, off / 10e6) : 0.0;
    half = k == ramp / 2 ? (now[DEM_XX] - start[DEM_XX]) / (12e6 - start[DEM_XX]) : half;
  }
  dem_stress(s, now);
  printf("ramp: followed within %.2e of 10 MPa; half-way %.3f; at the end %.4g, %.4g, %.4g MPa\n", worst, half,
         1e-6 * now[DEM_XX], 1e-6 * now[DEM_YY], 1e-6 * now[DEM_ZZ]);
  ck_assert_double_le(worst, 0.01);
  assert_within(half, 0.5, 0.05);
  assert_within(now[DEM_XX], 12e6, 0.01 * 12e6);
  assert_within(now[DEM_YY], 8e6, 0.01 * 8e6);
}

TEST(constant_volume_is_constant)
{
  double worst = 0.0;
  for (int kind = 0; kind < 3; kind++) {
    dem_case run = loose_case();
    dem_stage *stage = dem_add_stage(&run, "undrained", 2000);
    stage->control[DEM_ZZ] = per_step(1e-5);
    stage->control[DEM_XX] = kind == 0 ? per_step(-0.3e-5) : (dem_control){.kind = DEM_CONTROL_VOLUME};
    stage->control[DEM_YY] = (dem_control){.kind = DEM_CONTROL_VOLUME};
    stage->control[DEM_XY] = kind == 2 ? per_step(-2e-5) : rate(0.0);
    SCOPED_SIMULATION s = dem_create(&run, 1);
    double volume = dem_cell_volume(s->cell);
    while (dem_goes_on(s))
      worst = fmax(worst, fabs(dem_cell_volume(s->cell) / volume - 1.0));
    assert_within(s->strain[DEM_ZZ], 0.02, 1e-15);
    assert_within(s->strain[DEM_XX], kind == 0 ? -0.006 : -0.01, 1e-15);
    assert_within(s->strain[DEM_YY], kind == 0 ? -0.014 : -0.01, 1e-15);
  }
  printf("constant volume: within %.1e\n", worst);
  ck_assert_double_le(worst, 1e-12);
}

/* ---- Strains that are reached ------------------------------------------------------------------------------------ */

/* Edges follow true strains, and the tilt follows the shear of the changing edges. */
TEST(edges_follow_true_strains)
{
  dem_case run = loose_case();
  dem_stage *stage = dem_add_stage(&run, "squeeze", 1000);
  const double strain[3] = {0.1, -0.05, 0.02};
  for (int k = 0; k < 3; k++)
    stage->control[k] = per_step(strain[k] / 1000.0);
  SCOPED_SIMULATION s = dem_create(&run, 1);
  upper_matrix before = s->cell;
  dem_run_to_end(s);
  double worst =
      fmax(fabs(log(s->cell.xx / before.xx) + strain[0]),
           fmax(fabs(log(s->cell.yy / before.yy) + strain[1]), fabs(log(s->cell.zz / before.zz) + strain[2])));
  dem_simulation_destroy(s);

  /* du/dt = L x, L constant: b = (xy, yy) obeys xy' = Lxx xy + Lxy yy */
  run.stage_count = 0;
  stage = dem_add_stage(&run, "squeeze and shear", 1000);
  stage->control[DEM_XX] = per_step(1e-4);
  stage->control[DEM_YY] = per_step(-2e-4);
  stage->control[DEM_XY] = per_step(-1e-4);
  s = dem_create(&run, 1);
  dem_run_to_end(s);
  double lxx = -0.1, lyy = 0.2, lxy = 0.2;
  double lean = before.yy * lxy * (exp(lyy) - exp(lxx)) / (lyy - lxx);
  printf("edges: logarithms within %.1e, lean within %.1e\n", worst, s->cell.xy / lean - 1.0);
  ck_assert_double_le(worst, 1e-9);
  assert_within(s->cell.xy / lean, 1.0, 1e-7);
}

TEST(strains_are_reached_at_the_last_step)
{
  double worst = 0.0, straight = 0.0;
  for (int kind = 0; kind < 4; kind++) {
    dem_case run = loose_case();
    dem_stage *stage = dem_add_stage(&run, "by steps", kind < 2 ? 777 : 0);
    if (kind >= 2)
      stage->until.time = 777.3e-7;
    if (kind == 3)
      run.time_step = (dem_time_step){.safety = 0.8, .interval = 50};
    stage->control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRAIN, .value = 0.0123};
    stage->control[DEM_XY] = (dem_control){.kind = DEM_CONTROL_STRAIN, .value = -0.2};
    dem_stage *again = dem_add_stage(&run, "again", 100); /* strains of a stage count from its start */
    again->control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRAIN, .value = -0.0023};
    SCOPED_SIMULATION s = dem_create(&run, 1);
    dem_steps(s, 1);
    double first = s->increment[DEM_ZZ];
    while (!s->stage_just_ended) {
      dem_steps(s, 1);
      if (kind < 2) /* at constant speed */
        straight = fmax(straight, fabs(s->increment[DEM_ZZ] / first - 1.0));
    }
    ck_assert(kind >= 2 || s->stage.steps == 777);
    ck_assert(kind < 2 || fabs(s->stage.time - stage->until.time) <= s->dt);
    worst = fmax(worst, fmax(fabs(s->strain[DEM_ZZ] - 0.0123), fabs(s->strain[DEM_XY] + 0.2)));
    dem_run_to_end(s);
    worst = fmax(worst, fabs(s->strain[DEM_ZZ] - 0.01));
  }
  printf("strains: reached within %.1e, increments equal within %.1e\n", worst, straight);
  ck_assert_double_le(worst, 1e-15);
  ck_assert_double_le(straight, 1e-10);
}

/* ---- Cycles ------------------------------------------------------------------------------------------------------ */

TEST(cycles_of_strain_turn_round_and_end)
{
  const double cycles[] = {0.25, 0.5, 0.75, 1.0, 1.5, 2.25, 3.0}, ends[] = {1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0};
  const double amplitude = 1e-3, step = 0.997e-5; /* not a divisor */
  for (int k = 0; k < 7; k++)
    for (int sign = -1; sign <= 1; sign += 2) {
      dem_case run = loose_case();
      dem_stage *stage = dem_add_stage(&run, "cycles", 0);
      stage->control[DEM_XY] = per_step(sign * step);
      stage->control[DEM_ZZ] = per_step(0.5 * step); /* all strain rates reverse */
      stage->cyclic = around((dem_quantity)(DEM_STRAIN + DEM_XY), amplitude, NAN);
      stage->until.cycles = cycles[k];
      SCOPED_SIMULATION s = dem_create(&run, 1);
      double largest = 0.0, smallest = 0.0;
      while (dem_goes_on(s)) {
        largest = fmax(largest, s->strain[DEM_XY]);
        smallest = fmin(smallest, s->strain[DEM_XY]);
      }
      /* an overshoot of less than a step at each turn */
      ck_assert_double_le(fmax(largest, -smallest), amplitude + step);
      if (cycles[k] >= 0.75)
        ck_assert_double_ge(fmin(largest, -smallest), amplitude);
      assert_within(s->strain[DEM_XY], sign * ends[k] * amplitude, step * (1.0 + 1e-9));
      assert_within((double)s->step, cycles[k] * 4.0 * amplitude / step, 4.0 * cycles[k] + 1.0);
      assert_within(s->strain[DEM_ZZ], 0.5 * sign * s->strain[DEM_XY], 1e-15);
      ck_assert_int_eq(s->stage.reversals, (long)floor(2.0 * (cycles[k] - 1e-9) + 0.5));
      assert_within(dem_simulation_stage_progress(s), 1.0, 1e-12);
    }
}

/* Range of q in the steps of a cyclic stage, and where it ended. */
typedef struct range {
  double start, low, high, end;
  long reversals;
} range;

static range cycle_q(double center, double amplitude, double cycles, double rate_zz)
{
  SCOPED_CASE run = packed_case();
  dem_stage *stage = dem_add_stage(&run, "cycles of q", 6000);
  stage->control[DEM_XX] = stage->control[DEM_YY] = stress(10e6, 0);
  stage->control[DEM_ZZ] = rate(rate_zz);
  stage->cyclic = around(DEM_DEVIATOR, amplitude, center);
  stage->until.cycles = cycles;
  stage->damping.local = 0.5;
  SCOPED_SIMULATION s = dem_create(&run, 1);
  range r = {.start = dem_quantity_value(s, DEM_DEVIATOR), .low = INFINITY, .high = -INFINITY};
  while (dem_goes_on(s)) {
    double q = dem_quantity_value(s, DEM_DEVIATOR);
    r.low = fmin(r.low, q);
    r.high = fmax(r.high, q);
  }
  r.end = dem_quantity_value(s, DEM_DEVIATOR);
  r.reversals = s->stage.reversals;
  ck_assert_int_lt(s->stage.steps, 6000); /* not by steps */
  return r;
}

TEST(cycles_of_stress_stay_in_their_range)
{
  range two_way = cycle_q(0.0, 1e6, 1.5, 20.0), one_way = cycle_q(1.5e6, 1e6, 1.5, 20.0);
  printf("cycles of q: between %.3g and %.3g MPa; around 1.5 MPa between %.3g and %.3g MPa\n", 1e-6 * two_way.low,
         1e-6 * two_way.high, 1e-6 * one_way.low, 1e-6 * one_way.high);
  assert_within(two_way.high, 1e6, 0.5e6);
  assert_within(two_way.low, -1e6, 0.5e6);
  assert_within(two_way.end, 0.0, 0.5e6);
  assert_within(one_way.high, 2.5e6, 0.5e6);             /* it started below the range */
  ck_assert_double_gt(one_way.low, one_way.start - 1e6); /* it went the right way */
  ck_assert_double_lt(one_way.start, 0.5e6);
}

/* A stage that starts beyond either limit loads towards the centre, whatever the sign of its strain rate. */
TEST(cycles_that_start_beyond_their_limit_turn_back)
{
  for (int side = -1; side <= 1; side += 2)
    for (int sign = -1; sign <= 1; sign += 2) {
      double center = -side * 3e6, amplitude = 1e6; /* q is about 0 at the start: 3 amplitudes away */
      range r = cycle_q(center, amplitude, 1.5, sign * 20.0);
      ck_assert_int_eq(r.reversals, 2); /* at 0.5 and 1 cycles */
      ck_assert_double_gt(r.low, fmin(center - amplitude, r.start) - 0.5e6);
      ck_assert_double_lt(r.high, fmax(center + amplitude, r.start) + 0.5e6);
      assert_within(r.end, center - side * amplitude, 0.5e6);
    }
}

/* ---- Ends -------------------------------------------------------------------------------------------------------- */

/* The quantity from the measures at the start of the stage and now, if strains only grow or only fall; NAN: r_u. */
static double by_definition(int of, const dem_measures *start, const dem_measures *now)
{
  const double strain[DEM_COMPONENTS] = {now->strain_xx - start->strain_xx, now->strain_yy - start->strain_yy,
                                         now->strain_zz - start->strain_zz, now->strain_xy - start->strain_xy,
                                         now->strain_xz - start->strain_xz, now->strain_yz - start->strain_yz};
  const double stress[DEM_COMPONENTS] = {now->stress_xx, now->stress_yy, now->stress_zz,
                                         now->stress_xy, now->stress_xz, now->stress_yz};
  if (of < DEM_STRAIN + DEM_COMPONENTS)
    return strain[of - DEM_STRAIN];
  if (of >= DEM_STRESS && of < DEM_STRESS + DEM_COMPONENTS)
    return stress[of - DEM_STRESS];
  if (of >= DEM_GAMMA && of < DEM_GAMMA_SIZE)
    return 2.0 * strain[DEM_XY + of - DEM_GAMMA];
  if (of >= DEM_GAMMA_SIZE && of < DEM_DOUBLE_AMPLITUDE)
    return fabs(2.0 * strain[DEM_XY + of - DEM_GAMMA_SIZE]);
  if (of >= DEM_DOUBLE_AMPLITUDE && of < DEM_R_U)
    return fabs(strain[of - DEM_DOUBLE_AMPLITUDE]) * (of - DEM_DOUBLE_AMPLITUDE >= DEM_XY ? 2.0 : 1.0);
  return of == DEM_MEAN_STRESS         ? (stress[DEM_XX] + stress[DEM_YY] + stress[DEM_ZZ]) / 3.0
         : of == DEM_DEVIATOR          ? stress[DEM_ZZ] - 0.5 * (stress[DEM_XX] + stress[DEM_YY])
         : of == DEM_VOLUMETRIC_STRAIN ? strain[DEM_XX] + strain[DEM_YY] + strain[DEM_ZZ]
         : of == DEM_VOID_RATIO        ? now->void_ratio
                                       : NAN;
}

/* Runs the stage with this criterion alone; the quantity has passed the value in the last step, not before. */
static void assert_ends_at(dem_stage *stage, dem_case *run, dem_quantity of, double value)
{
  stage->until = (dem_until){.count = 1, .criteria = {{of, value}}};
  SCOPED_SIMULATION s = dem_create(run, 1);
  dem_measures measures = dem_measured(s);
  double start = dem_quantity_value(s, of), sign = value >= start ? 1.0 : -1.0;
  while (!dem_simulation_events(s).stage_ended) {
    ck_assert_double_lt(sign * dem_quantity_value(s, of), sign * value);
    ck_assert_double_lt(dem_simulation_stage_progress(s), 1.0);
    ck_assert(dem_goes_on(s));
    ck_assert_msg(s->step < 20000, "%s: %g of %g", dem_quantity_name(of), dem_quantity_value(s, of), value);
  }
  ck_assert_double_ge(sign * dem_quantity_value(s, of), sign * value);
  ck_assert_double_eq(dem_simulation_stage_progress(s), 1.0);
  dem_measures now = dem_measured(s);
  double defined = by_definition((int)of, &measures, &now);
  ck_assert_msg(isnan(defined) || fabs(dem_quantity_value(s, of) - defined) <= 1e-12 * fabs(defined),
                "%s: %.17g instead of %.17g", dem_quantity_name(of), dem_quantity_value(s, of), defined);
  ck_assert(!dem_goes_on(s));
  ck_assert(!dem_goes_on(s)); /* and again */
}

/* Whether it is a quantity of this shear component */
static bool is_of(int quantity, int component)
{
  return quantity == DEM_STRAIN + component || quantity == DEM_STRESS + component ||
         quantity == DEM_GAMMA + component - DEM_XY || quantity == DEM_GAMMA_SIZE + component - DEM_XY ||
         quantity == DEM_DOUBLE_AMPLITUDE + component;
}

TEST(every_quantity_can_end_a_stage)
{
  static const double values[DEM_QUANTITIES] = {[DEM_STRAIN + DEM_XX] = 1e-3,
                                                [DEM_STRAIN + DEM_YY] = 1e-3,
                                                [DEM_STRAIN + DEM_ZZ] = 2e-3,
                                                [DEM_STRAIN + DEM_XY] = 5e-4,
                                                [DEM_STRAIN + DEM_XZ] = -5e-4,
                                                [DEM_STRAIN + DEM_YZ] = 5e-4,
                                                [DEM_STRESS + DEM_XX] = 12e6,
                                                [DEM_STRESS + DEM_YY] = 12e6,
                                                [DEM_STRESS + DEM_ZZ] = 13e6,
                                                [DEM_STRESS + DEM_XY] = 2e6,
                                                [DEM_STRESS + DEM_XZ] = -2e6,
                                                [DEM_STRESS + DEM_YZ] = 2e6,
                                                [DEM_MEAN_STRESS] = 12e6,
                                                [DEM_DEVIATOR] = 1e6,
                                                [DEM_VOLUMETRIC_STRAIN] = 3e-3,
                                                [DEM_GAMMA] = 5e-4,
                                                [DEM_GAMMA + 1] = -5e-4,
                                                [DEM_GAMMA + 2] = 5e-4,
                                                [DEM_GAMMA_SIZE] = 5e-4,
                                                [DEM_GAMMA_SIZE + 1] = 4e-4,
                                                [DEM_GAMMA_SIZE + 2] = 3e-4,
                                                [DEM_DOUBLE_AMPLITUDE + DEM_XX] = 1e-3,
                                                [DEM_DOUBLE_AMPLITUDE + DEM_YY] = 1e-3,
                                                [DEM_DOUBLE_AMPLITUDE + DEM_ZZ] = 2e-3,
                                                [DEM_DOUBLE_AMPLITUDE + DEM_XY] = 5e-4,
                                                [DEM_DOUBLE_AMPLITUDE + DEM_XZ] = 5e-4,
                                                [DEM_DOUBLE_AMPLITUDE + DEM_YZ] = 5e-4,
                                                [DEM_R_U] = 1e-5,
                                                [DEM_R_U_ZZ] = 0.05};
  for (int of = 0; of < DEM_QUANTITIES; of++) {
    SCOPED_CASE run = packed_case();
    dem_stage *stage = dem_add_stage(&run, "until", 0);
    for (int k = DEM_XY; k <= DEM_YZ; k++) /* each by itself */
      if (is_of(of, k))
        stage->control[k] = rate(values[of] > 0.0 && of != DEM_GAMMA_SIZE + 1 ? 15.0 : -15.0);
    stage->control[DEM_XX] = stage->control[DEM_YY] = rate(10.0);
    stage->control[DEM_ZZ] = rate(30.0);
    if (of >= DEM_R_U) { /* constant volume, extended along z */
      stage->control[DEM_XX].kind = stage->control[DEM_YY].kind = DEM_CONTROL_VOLUME;
      stage->control[DEM_ZZ] = rate(-30.0);
    }
    dem_simulation *s = dem_create(&run, 1);
    double void_ratio = dem_quantity_value(s, DEM_VOID_RATIO);
    dem_simulation_destroy(s);
    assert_ends_at(stage, &run, (dem_quantity)of, of == DEM_VOID_RATIO ? void_ratio - 5e-3 : values[of]);
  }
}

TEST(steps_and_time_end_a_stage)
{
  dem_case run = loose_case();
  dem_add_stage(&run, "steps", 17);
  dem_stage *stage = dem_add_stage(&run, "time", 0);
  stage->until.time = 25.5e-7;
  stage->friction = 0.2;
  dem_add_stage(&run, "both", 1000)->until.time = 3.5e-7;
  SCOPED_SIMULATION s = dem_create(&run, 1);
  ck_assert_str_eq(dem_simulation_stage_name(s), "steps");
  long last[4] = {0};
  double friction[4] = {0.0};
  while (dem_goes_on(s)) {
    last[dem_simulation_stage(s)] = dem_simulation_steps(s);
    friction[dem_simulation_stage(s)] = s->law.friction;
  }
  ck_assert_int_eq(last[1], 17);
  ck_assert_int_eq(last[2], 17 + 26);
  ck_assert_int_eq(last[3], 17 + 26 + 4);
  ck_assert_double_eq(friction[1], run.material.friction);
  ck_assert_double_eq(friction[2], 0.2);
  ck_assert_double_eq(friction[3], 0.2); /* as before */
}

/*
 * Packing has its own friction and ends at rest at its pressure; then the friction of the material acts, and strains
 * count.
 */
TEST(packing_ends_at_rest)
{
  dem_case run = dem_case_default();
  dem_take_packing(&run, 100, 10e6);
  run.assembly.packing.aspect[2] = 1.5;
  dem_add_stage(&run, "first", 10);
  SCOPED_SIMULATION s = dem_create(&run, 1);
  ck_assert_str_eq(dem_simulation_stage_name(s), "packing");
  ck_assert_double_eq(s->law.friction, 0.0);
  while (!s->stage_just_ended)
    dem_steps(s, 1);
  dem_measures m = dem_measured(s);
  printf("packed in %ld steps: p %.4g MPa, unbalanced %.2e, void ratio %.3f, coordination %.2f\n", s->step, 1e-6 * m.p,
         m.unbalanced, m.void_ratio, m.coordination);
  const double normal[3] = {m.stress_xx, m.stress_yy, m.stress_zz}, shear[3] = {m.stress_xy, m.stress_xz, m.stress_yz};
  for (int k = 0; k < 3; k++) {
    assert_within(normal[k], 10e6, 0.01 * 10e6);
    assert_within(shear[k], 0.0, 0.01 * 10e6);
  }
  ck_assert_double_lt(m.unbalanced, 5e-3);
  assert_within(s->cell.zz / s->cell.xx, 1.5, 0.05);
  dem_steps(s, 1);
  ck_assert_int_eq(dem_simulation_stage(s), 1);
  ck_assert_double_eq(s->law.friction, run.material.friction);
  ck_assert_double_eq(dem_measured(s).strain_zz, 0.0);
  ck_assert_double_eq(dem_measured(s).work, 0.0);
  dem_simulation_destroy(s);
  run.assembly.packing.max_steps = 500;
  s = dem_create(&run, 1);
  error_info error = {.text = ""};
  dem_progress progress;
  while ((progress = dem_simulation_step(s, &error)) == DEM_GOES_ON)
    ;
  ck_assert_int_eq(progress, DEM_FAILED);
  ck_assert_ptr_nonnull(strstr(error.text, "packing has not come to rest within 500 steps"));
  ck_assert_int_eq(dem_simulation_step(s, &error), DEM_FAILED);
}

/* From 10 MPa to a hundredth of it, without undershoot of the stress, and without loss of the contacts. */
TEST(far_targets_are_approached_by_a_ramp)
{
  static const double viscous[] = {0.0, 0.3};
  for (int k = 0; k < 2; k++) {
    SCOPED_CASE run = packed_case();
    run.damping.viscous = viscous[k];
    dem_stage *stage = dem_add_stage(&run, "unload", 4000);
    stage->mean_stress_is_held = true;
    stage->mean_stress.value = 100e3;
    SCOPED_SIMULATION s = dem_create(&run, 1);
    double least = INFINITY, change = 0.0, before = dem_quantity_value(s, DEM_MEAN_STRESS);
    while (dem_goes_on(s)) {
      double p = dem_quantity_value(s, DEM_MEAN_STRESS);
      least = fmin(least, p);
      change = fmax(change, fabs(p - before) / before);
      before = p;
    }
    printf("10 MPa to 100 kPa: p ends at %.4g kPa, least %.4g, changes by %.3g in a step at most\n", 1e-3 * before,
           1e-3 * least, change);
    assert_within(before, 100e3, 1e3);
    ck_assert_double_gt(least, 50e3);
    ck_assert_double_lt(change, 0.2);
  }
}

/* Dashpots respond to a step more stiffly than springs: a servo that ignored them would make the stress oscillate. */
TEST(servos_hold_stresses_with_any_dashpots)
{
  static const double shares[] = {0.0, 0.1, 0.5, 1.0}, safeties[] = {0.8, 0.1};
  for (int k = 0; k < 8; k++) {
    SCOPED_CASE run = packed_case();
    run.damping = (dem_damping){.viscous = shares[k % 4], .local = 0.2};
    run.time_step.safety = safeties[k / 4];
    dem_stage *stage = dem_add_stage(&run, "hold", 1500);
    for (int i = 0; i < DEM_COMPONENTS; i++)
      stage->control[i] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = i <= DEM_ZZ ? 10e6 : 0.0};
    SCOPED_SIMULATION s = dem_create(&run, 1);
    dem_run_to_end(s);
    dem_measures m = dem_measured(s);
    printf("viscous %g, safety %g: servo error %.2e, energy error %.1e\n", shares[k % 4], safeties[k / 4],
           m.servo_error, m.energy_error);
    ck_assert_double_lt(m.servo_error, 0.01);
    ck_assert_double_lt(m.unbalanced, 0.05);
  }
}

/* A stage of rest: it ends when the forces balance and the stresses are held. */
TEST(rest_ends_a_stage)
{
  SCOPED_CASE run = packed_case();
  dem_stage *stage = dem_add_stage(&run, "rest", 0);
  stage->until.unbalanced = 2e-3;
  stage->damping = (dem_damping){.viscous = 0.1, .local = 0.7};
  for (int k = DEM_XX; k <= DEM_ZZ; k++)
    stage->control[k] = stress(11e6, 300);
  SCOPED_SIMULATION s = dem_create(&run, 1);
  dem_run_to_end(s);
  dem_measures m = dem_measured(s);
  printf("rest after %ld steps: unbalanced %.2e, servo error %.2e\n", s->step, m.unbalanced, m.servo_error);
  ck_assert_double_lt(m.unbalanced, 2e-3);
  ck_assert_double_lt(m.servo_error, 0.01);
  assert_within(m.stress_xx, 11e6, 0.011 * 11e6);
  assert_within(m.stress_zz, 11e6, 0.011 * 11e6);
}

/* A stage of rest ends below its limits, not at them; never before the ramps end, nor without contacts. */
TEST(rest_has_sharp_limits)
{
  SCOPED_CASE run = packed_case();
  dem_stage *stage = dem_add_stage(&run, "rest", 0);
  stage->until.unbalanced = 2e-3;
  stage->control[DEM_YY] = stress(10e6, 250);
  SCOPED_SIMULATION s = dem_create(&run, 1);
  const stage_state rest = {.number = 1, .direction = 1, .steps = 251, .servo_error = nextafter(0.01, 0.0)};
  const double below = nextafter(2e-3, 0.0);
  s->stage = rest;
  s->unbalanced = below;
  ck_assert(dem_stage_finish_step(s));
  s->unbalanced = 2e-3;
  ck_assert(!dem_stage_finish_step(s));
  s->unbalanced = below;
  s->stage.servo_error = 0.01;
  ck_assert(!dem_stage_finish_step(s));
  s->stage = rest;
  s->stage.steps = 250; /* the last of the ramp */
  ck_assert(!dem_stage_finish_step(s));
  stage->control[DEM_YY].ramp = 0;
  stage->mean_stress_is_held = true;
  stage->mean_stress = stress(10e6, 250);
  ck_assert(!dem_stage_finish_step(s));
  stage->mean_stress.ramp = 249;
  ck_assert(dem_stage_finish_step(s));
  stage->mean_stress.ramp = 0;
  s->stage.steps = 100; /* no force has had time to act before */
  ck_assert(dem_stage_finish_step(s));
  s->stage.steps = 99;
  ck_assert(!dem_stage_finish_step(s));
  s->stage = rest;
  s->contact_count = 0;
  ck_assert(!dem_stage_finish_step(s));
  s->contact_count = 1;
  ck_assert(dem_stage_finish_step(s));
}

/* ---- Events ------------------------------------------------------------------------------------------------------ */

/* Starts and ends of stages, and reversals, by the sign of the strain increments in the next step. */
TEST(starts_reversals_and_ends_are_told)
{
  dem_case run = loose_case();
  dem_add_stage(&run, "first", 9);
  dem_stage *stage = dem_add_stage(&run, "cycles", 60);
  stage->control[DEM_XY] = per_step(1e-5);
  stage->cyclic = around((dem_quantity)(DEM_STRAIN + DEM_XY), 9.5e-5, NAN);
  dem_add_stage(&run, "last", 5);
  SCOPED_SIMULATION s = dem_create(&run, 1);
  error_info error;
  int reversals = 0;
  dem_events events = dem_simulation_events(s);
  ck_assert(events.stage_began && !events.reversed && !events.stage_ended);
  ck_assert_int_eq(dem_simulation_begin_stage(s, &error), DEM_GOES_ON); /* has begun already */
  for (int k = 1; k <= 9; k++) {
    dem_steps(s, 1);
    events = dem_simulation_events(s);
    ck_assert(!events.stage_began && !events.reversed && events.stage_ended == (k == 9));
  }
  ck_assert_int_eq(dem_simulation_begin_stage(s, &error), DEM_GOES_ON);
  ck_assert_int_eq(dem_simulation_stage(s), 2);
  ck_assert_int_eq(dem_simulation_steps(s), 9);
  events = dem_simulation_events(s);
  ck_assert(events.stage_began && !events.reversed && !events.stage_ended);
  dem_steps(s, 1);
  for (int k = 1; k < 60; k++) {
    double increment = s->increment[DEM_XY];
    events = dem_simulation_events(s);
    ck_assert(!events.stage_began && !events.stage_ended);
    dem_steps(s, 1);
    bool turned = increment * s->increment[DEM_XY] < 0.0;
    ck_assert_int_eq(events.reversed, turned);
    reversals += turned;
  }
  ck_assert_int_eq(reversals, 3);
  ck_assert_int_eq(dem_simulation_begin_stage(s, &error), DEM_GOES_ON);
  dem_steps(s, 5);
  ck_assert_int_eq(dem_simulation_begin_stage(s, &error), DEM_DONE);
  ck_assert_int_eq(dem_simulation_begin_stage(s, &error), DEM_DONE);
}

/* ---- Stages that stop all spheres first -------------------------------------------------------------------------- */

static double speed_squares(const dem_simulation *s)
{
  double sum = 0.0;
  for (size_t i = 0; i < s->count; i++)
    sum += vec3_dot(s->motions[i].v, s->motions[i].v) + vec3_dot(s->motions[i].w, s->motions[i].w);
  return sum;
}

/* Packed while still moving: the unbalanced force that ends the packing is large. */
static dem_case moving_case(bool stops)
{
  dem_case run = dem_case_default();
  dem_take_packing(&run, 100, 10e6);
  run.assembly.packing.unbalanced = 0.2;
  run.time_step.safety = 0.4; /* grains far from rest collide: dashpots are known to first order in the step */
  dem_add_stage(&run, "free", 400);
  dem_add_stage(&run, "stopped", 500)->stops_spheres = stops;
  return run;
}

TEST(spheres_stop_and_their_energy_is_accounted_for)
{
  for (int stops = 0; stops <= 1; stops++) {
    error_info error = {.text = ""};
    SCOPED_CASE run = moving_case(stops);
    SCOPED_SIMULATION s = dem_create(&run, 1);
    dem_run_to_stage(s, 1);
    while (!dem_simulation_events(s).stage_ended)
      ck_assert(dem_goes_on(s));
    ck_assert_double_gt(speed_squares(s), 0.0);
    dem_measures before = dem_measured(s);
    ck_assert_int_eq(dem_simulation_begin_stage(s, &error), DEM_GOES_ON);
    dem_measures after = dem_measured(s);
    if (stops) {
      ck_assert_double_eq(speed_squares(s), 0.0);
      ck_assert_double_lt(after.kinetic, 0.5 * before.kinetic);
      assert_within(after.dissipated_damping - before.dissipated_damping, before.kinetic - after.kinetic,
                    1e-9 * before.kinetic);
    } else
      ck_assert_double_eq(after.kinetic, before.kinetic);
    assert_within(after.energy_error, before.energy_error, 1e-3); /* relative to the energies, which have grown */
    ck_assert_double_eq(after.p, before.p);                       /* nothing else has changed */
    dem_run_to_end(s);
    assert_within(dem_measured(s).energy_error, 0.0, 0.02);
  }
}
