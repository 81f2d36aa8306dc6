/* SPDX-License-Identifier: MIT */
/*
 * The cycles of a stage: modulus, damping ratio, energies, pore pressure and extremes.
 *
 * Oracles: Mindlin's loss of a contact in a cycle at constant normal force, for a lattice; measures taken after every
 * step, whose differences and extremes the cycles must have; the same simulation, stopped and continued.
 */
#include "dem_support.h"

#include "dem/cycles.h"
#include "dem/drive.h"

enum { SPHERES = 120, CYCLES_MAX = 64, STEPS_MAX = 2000, RUNS = 14 };

FIXTURE_PACKED(ONCE, SPHERES)

/* ---- Mindlin's cycle in a lattice -------------------------------------------------------------------------------- */

/* A contact of two equal spheres at constant normal force. */
typedef struct mindlin {
  double limit;   /* f Fn, N */
  double sliding; /* shift of the centres at which it slides, m */
} mindlin;

static mindlin contact_of(const dem_case *run)
{
  const dem_material *m = &run->material;
  const dem_lattice *lattice = &run->assembly.lattice;
  double overlap = lattice->overlap * 2.0 * lattice->radius, radius = 0.5 * lattice->radius;
  double a = sqrt(radius * overlap), modulus = m->shear_modulus / (1.0 - m->poisson); /* E* of two equal bodies */
  double limit = m->friction * 4.0 / 3.0 * modulus * sqrt(radius) * pow(overlap, 1.5);
  double stiffness = 4.0 * m->shear_modulus * a / (2.0 - m->poisson);
  return (mindlin){limit, 1.5 * limit / stiffness};
}

/* Force after a shift x sliding distances from no shear, 0 ... 1. */
static double mindlin_force(mindlin c, double x)
{
  return c.limit * (1.0 - pow(1.0 - x, 1.5));
}

/* Loss in a cycle between ±x: eight times the area between the curve of first loading and its chord. */
static double mindlin_loss(mindlin c, double x)
{
  double integral = c.limit * c.sliding * (x - 0.4 * (1.0 - pow(1.0 - x, 2.5)));
  return 8.0 * (integral - 0.5 * mindlin_force(c, x) * x * c.sliding);
}

/* Pure shear of a simple cubic lattice: the spheres rotate so that contacts along x and along z shift by γ l / 2. */
static dem_case lattice_case(double x, double local, int steps_per_quarter, mindlin *contact, double *edge)
{
  dem_case run = dem_case_default();
  run.assembly.source = DEM_SOURCE_LATTICE;
  run.assembly.lattice = (dem_lattice){.kind = DEM_LATTICE_SC, .cells = {3, 3, 3}, .radius = 1e-3, .overlap = 1e-6};
  *contact = contact_of(&run);
  *edge = 2e-3 * (1.0 - 1e-6);
  double amplitude = x * contact->sliding / *edge; /* of strain_xz: γ = 2 strain = 2 shift / l */
  dem_stage *stage = dem_add_stage(&run, "shear", 0);
  stage->control[DEM_XZ] = per_step(amplitude / (steps_per_quarter - 0.5));
  stage->cyclic = around((dem_quantity)(DEM_STRAIN + DEM_XZ), amplitude, NAN);
  stage->until.cycles = 3.0;
  stage->damping = (dem_damping){.local = local};
  return run;
}

/* Secant modulus, damping ratio and energy of each cycle. */
TEST(a_lattice_has_the_damping_ratio_of_its_contacts)
{
  double worst_g = 0.0, worst_d = 0.0, numerical = 0.0;
  for (int k = 1; k <= 9; k += 2) {
    mindlin contact;
    double edge, x = 0.1 * k;
    dem_case run = lattice_case(x, 0.2, 4000, &contact, &edge);
    SCOPED_SIMULATION s = dem_create(&run, 1);
    dem_cycle c;
    int count = 0;
    while (dem_goes_on(s)) {
      if (!dem_simulation_cycle(s, &c))
        continue;
      count++;
      ck_assert_double_eq(c.cycle, count);
      double reached = 0.5 * edge * c.strain_amplitude / contact.sliding; /* with the overshoot of a step */
      double force = mindlin_force(contact, reached), shift = reached * contact.sliding;
      double loss = mindlin_loss(contact, reached), volume = edge * edge * edge;
      worst_g = fmax(worst_g, fabs(c.shear_modulus / (force / (2.0 * shift * edge)) - 1.0));
      worst_d = fmax(worst_d, fabs(c.damping_ratio_friction / (loss / (2.0 * PI * force * shift)) - 1.0));
      worst_d = fmax(worst_d, fabs(c.dissipated_friction * volume / (2.0 * loss) - 1.0)); /* two contacts a sphere */
      numerical = fmax(numerical, fabs(c.damping_ratio_numerical / c.damping_ratio_friction));
      if (count > 1) /* the first cycle begins at rest */
        assert_within(c.damping_ratio, c.damping_ratio_friction + c.damping_ratio_numerical, 1e-3 * c.damping_ratio);
      ck_assert(isnan(c.young_modulus) && isnan(c.bulk_modulus));
    }
    ck_assert_int_eq(count, 3);
  }
  printf("lattice: modulus within %.1e, damping ratio of friction within %.1e, numerical part at most %.1e of it\n",
         worst_g, worst_d, numerical);
  ck_assert_double_lt(worst_g, 1e-3);
  ck_assert_double_lt(worst_d, 2e-3);
}

/* ---- Random cycles ----------------------------------------------------------------------------------------------- */

/* A random cyclic stage, after a held one: strains or stresses, drained or at constant volume. */
static dem_case random_case(uint64_t *seed)
{
  static const dem_quantity cycled[] = {DEM_STRAIN + DEM_XY, DEM_STRAIN + DEM_XZ, DEM_STRAIN + DEM_ZZ,
                                        DEM_STRESS + DEM_XY, DEM_STRESS + DEM_YZ, DEM_STRESS + DEM_YY,
                                        DEM_DEVIATOR,        DEM_MEAN_STRESS};
  dem_case run = packed_case();
  dem_stage *rest = dem_add_stage(&run, "rest", 20);
  if (random_below(seed, 2) == 0)
    rest->control[DEM_XX] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 10e6};
  dem_stage *stage = dem_add_stage(&run, "cycles", 600 + random_below(seed, 600));
  dem_quantity of = cycled[random_below(seed, sizeof cycled / sizeof *cycled)];
  int component = (int)dem_cycle_component(of);
  stage->control[component] = per_step(random_in(seed, 2e-6, 1e-5) * (random_below(seed, 2) == 0 ? 1.0 : -1.0));
  bool is_normal = component <= DEM_ZZ, keeps_volume = of != DEM_MEAN_STRESS && random_below(seed, 2) == 0;
  for (int k = DEM_XX; k <= DEM_ZZ; k++)
    if (k != component && keeps_volume && is_normal)
      stage->control[k].kind = DEM_CONTROL_VOLUME;
    else if (k != component && !keeps_volume && of != DEM_MEAN_STRESS)
      stage->control[k] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 10e6};
  bool is_stress = of >= DEM_STRESS;
  stage->cyclic = around(of, is_stress ? random_in(seed, 2e5, 1e6) : random_in(seed, 1e-4, 5e-4), NAN);
  stage->until.cycles = random_below(seed, 2) == 0 ? 0.0 : 0.25 * (1 + random_below(seed, 20));
  stage->damping.local = random_in(seed, 0.0, 0.5);
  return run;
}

/* Measures after every step of the cyclic stage; the first is its start. */
typedef struct record {
  int count;
  dem_measures at[STEPS_MAX];
  double stress[STEPS_MAX]; /* of the loop */
  double strain[STEPS_MAX];
  double volume[STEPS_MAX];
  int peaks[STEPS_MAX], peak_count; /* steps of reversals, including one that the end of the stage prevents */
  int cycle_ends[CYCLES_MAX], cycle_count;
  dem_cycle cycles[CYCLES_MAX];
} record;

static void set_loop(record *r, const dem_simulation *s, dem_quantity of)
{
  const dem_measures *m = &r->at[r->count];
  const double strains[] = {m->strain_in_stage_xx, m->strain_in_stage_yy, m->strain_in_stage_zz,
                            m->gamma_xy,           m->gamma_xz,           m->gamma_yz};
  const double stresses[] = {m->stress_xx - 0.5 * (m->stress_yy + m->stress_zz),
                             m->stress_yy - 0.5 * (m->stress_xx + m->stress_zz),
                             m->q,
                             m->stress_xy,
                             m->stress_xz,
                             m->stress_yz};
  int component = of == DEM_DEVIATOR ? DEM_ZZ : of >= DEM_STRESS ? (int)of - DEM_STRESS : (int)of;
  r->strain[r->count] = of == DEM_MEAN_STRESS ? m->strain_in_stage_xx + m->strain_in_stage_yy + m->strain_in_stage_zz
                                              : strains[component];
  r->stress[r->count] = of == DEM_MEAN_STRESS ? m->p : stresses[component];
  r->volume[r->count] = dem_cell_volume(s->cell);
}

/* From the reversal counter alone, independently of the account of cycles. */
static void record_run(record *r, dem_simulation *s, dem_quantity of)
{
  long reversals = 0;
  r->count = r->peak_count = r->cycle_count = 0;
  while (dem_simulation_stage(s) < 2 || s->stage.steps == 0) {
    error_info error;
    if (dem_simulation_events(s).stage_ended)
      ck_assert(dem_simulation_begin_stage(s, &error) == DEM_GOES_ON);
    else
      ck_assert(dem_goes_on(s));
    if (dem_simulation_stage(s) == 2)
      break;
  }
  r->at[0] = dem_measured(s);
  set_loop(r, s, of);
  r->count = 1;
  while (dem_goes_on(s)) {
    ck_assert_int_lt(r->count, STEPS_MAX);
    r->at[r->count] = dem_measured(s);
    set_loop(r, s, of);
    if (s->stage.reversals != reversals)
      r->peaks[r->peak_count++] = r->count;
    reversals = s->stage.reversals;
    if (dem_simulation_cycle(s, &r->cycles[r->cycle_count]) && ++r->cycle_count < CYCLES_MAX)
      r->cycle_ends[r->cycle_count - 1] = r->count;
    r->count++;
  }
  double deviation = (dem_quantity_value(s, of) - s->stage.start[of]) / current_stage(s)->cyclic.amplitude;
  int side = deviation >= 1.0 ? 1 : deviation <= -1.0 ? -1 : 0;
  if (side != 0 && side != s->stage.side)
    r->peaks[r->peak_count++] = r->count - 1;
}

static double least(const double *values, int from, int to)
{
  double low = values[from];
  for (int k = from; k <= to; k++)
    low = fmin(low, values[k]);
  return low;
}

static double largest(const double *values, int from, int to)
{
  double high = values[from];
  for (int k = from; k <= to; k++)
    high = fmax(high, values[k]);
  return high;
}

/* CSR of a loop: half the range of the measure csr. Its static part equals the static part of the measures. */
static void check_ratios(const record *r, const dem_cycle *c, int from, int to)
{
  double low = INFINITY, high = -INFINITY;
  for (int k = from; k <= to; k++) {
    low = fmin(low, r->at[k].csr);
    high = fmax(high, r->at[k].csr);
  }
  assert_within(c->csr, 0.5 * (high - low), 1e-12);
  ck_assert_double_eq(c->static_stress_ratio, r->at[to].static_stress_ratio);
}

/* The loop of the cycle: from the last peak before the cycle to the last peak in it. */
static void check_loop(const record *r, const dem_cycle *c, int from, int to, double times)
{
  double low = least(r->stress, from, to), high = largest(r->stress, from, to), area = 0.0;
  double wide = largest(r->strain, from, to) - least(r->strain, from, to), volume = r->volume[to];
  for (int k = from; k < to; k++)
    area += 0.5 * (r->stress[k] + r->stress[k + 1]) * (r->strain[k + 1] - r->strain[k]);
  area = times * (area - 0.5 * (low + high) * (r->strain[to] - r->strain[from]));
  double scale = 0.25 * (high - low) * wide;
  assert_within(c->loop_area, area, 1e-9 * scale);
  assert_within(c->stress_amplitude, 0.5 * (high - low), 1e-12 * high);
  assert_within(c->strain_amplitude, 0.5 * wide, 1e-12);
  check_ratios(r, c, from, to);
  assert_within(c->work * volume, times * (r->at[to].work - r->at[from].work), 1e-9 * scale * volume);
  assert_within(c->dissipated_friction * volume,
                times * (r->at[to].dissipated_friction - r->at[from].dissipated_friction), 1e-12 * scale * volume);
  assert_within(c->dissipated_damping * volume, times * (r->at[to].dissipated_damping - r->at[from].dissipated_damping),
                1e-12 * scale * volume);
  double gap = fmax(2.0 * fabs(r->strain[to] - r->strain[from]) / wide,
                    2.0 * fabs(r->stress[to] - r->stress[from]) / (high - low));
  if (times < 2.0 && gap > 0.1)
    ck_assert(isnan(c->damping_ratio) && isnan(c->damping_ratio_friction) && isnan(c->damping_ratio_numerical));
  else
    assert_within(c->damping_ratio, area / (2.0 * PI * 0.25 * (high - low) * wide), 1e-9);
}

static void check_cycle(const record *r, int number)
{
  const dem_cycle *c = &r->cycles[number];
  int from = number > 0 ? r->cycle_ends[number - 1] : 0, to = r->cycle_ends[number], before = -1, last = -1, peaks = 0;
  double p_min = INFINITY, r_u_max = -INFINITY, single = 0.0;
  for (int k = number > 0 ? from + 1 : from; k <= to; k++) {
    p_min = fmin(p_min, r->at[k].p);
    r_u_max = fmax(r_u_max, r->at[k].r_u);
  }
  for (int k = from; k <= to; k++)
    single = fmax(single, fabs(r->strain[k]));
  assert_within(c->p_min, p_min, 0.0);
  assert_within(c->r_u_max, r_u_max, 1e-14);
  ck_assert_double_eq(c->r_u_end, r->at[to].r_u);
  ck_assert_double_eq(c->void_ratio, r->at[to].void_ratio);
  assert_within(c->strain_end, r->strain[to], 0.0);
  assert_within(c->strain_single, single, 0.0);
  assert_within(c->strain_double, largest(r->strain, from, to) - least(r->strain, from, to), 1e-18);
  for (int k = 0; k < r->peak_count; k++) {
    before = r->peaks[k] <= from ? r->peaks[k] : before;
    last = r->peaks[k] <= to ? r->peaks[k] : last;
    peaks += r->peaks[k] > from && r->peaks[k] <= to;
  }
  if (peaks == 2)
    check_loop(r, c, number == 0 ? r->peaks[0] : before, last, number == 0 ? 2.0 : 1.0);
  else
    ck_assert(isnan(c->damping_ratio) && isnan(c->stress_amplitude) && c->cycle < floor(c->cycle) + 0.75);
}

/* The extremes, areas and energies of cycles follow from the measures taken after every step. */
TEST(cycles_are_what_the_measures_say)
{
  uint64_t seed = 7;
  static record r;
  int cycles = 0, cut_off = 0, whole_volume = 0;
  for (int k = 0; k < RUNS; k++) {
    SCOPED_CASE run = random_case(&seed);
    SCOPED_SIMULATION s = dem_create(&run, 1);
    record_run(&r, s, run.stages[1].cyclic.of);
    for (int number = 0; number < r.cycle_count; number++) {
      const dem_cycle *c = &r.cycles[number];
      bool is_whole = c->cycle == floor(c->cycle);
      ck_assert(is_whole ? c->cycle == number + 1 : number + 1 == r.cycle_count);
      ck_assert_double_eq(c->step, r.at[r.cycle_ends[number]].step);
      check_cycle(&r, number);
      cycles += is_whole;
      cut_off += !is_whole;
    }
    ck_assert_double_eq(r.cycles[r.cycle_count - 1].step, r.at[r.count - 1].step); /* nothing is lost at the end */
    whole_volume += dem_stage_keeps_volume(&run.stages[1]);
  }
  printf("random cycles: %d whole, %d cut off; %d of %d stages at constant volume\n", cycles, cut_off, whole_volume,
         RUNS);
  ck_assert(cycles > 25 && cut_off > 3 && whole_volume > 3);
}

/* Shear at constant volume: the loop's stress does all the work, and its area is the work to rounding. */
TEST(the_area_of_a_shear_loop_is_the_work)
{
  SCOPED_CASE run = packed_case();
  dem_stage *stage = dem_add_stage(&run, "cycles", 0);
  stage->control[DEM_XZ] = per_step(5e-6);
  stage->cyclic = around((dem_quantity)(DEM_STRAIN + DEM_XZ), 5e-4, NAN);
  stage->until.cycles = 4.0;
  SCOPED_SIMULATION s = dem_create(&run, 1);
  dem_cycle c;
  double worst = 0.0;
  while (dem_goes_on(s))
    if (dem_simulation_cycle(s, &c)) {
      const hysteresis_loop *l = &s->stage.cycles.loop;
      double drift = l->peaks[0].strain - l->peaks[c.cycle > 1.0 ? 2 : 1].strain; /* counted at the mean stress */
      double mean = c.work - c.loop_area;
      worst = c.cycle > 1.0 ? fmax(worst, fabs(mean) / c.loop_area) : worst;
      ck_assert_double_le(fabs(mean), fabs(drift) * c.stress_amplitude + 1e-11 * c.work);
    }
  printf("shear at constant volume: loop area and work differ by %.1e\n", worst);
}

/* ---- Pore pressure ----------------------------------------------------------------------------------------------- */

/* Two stages at constant volume have one reference; a drained stage between them begins another. */
TEST(pore_pressure_counts_from_the_first_stage_at_constant_volume)
{
  SCOPED_CASE run = packed_case();
  dem_add_stage(&run, "held", 50)->control[DEM_XZ] = per_step(5e-6);
  dem_stage *volume = dem_add_stage(&run, "volume", 50);
  volume->control[DEM_XX].kind = DEM_CONTROL_VOLUME;
  volume->control[DEM_ZZ] = per_step(5e-6);
  dem_add_stage(&run, "drained", 50)->control[DEM_ZZ] = per_step(5e-6);
  dem_add_stage(&run, "held again", 50)->control[DEM_XZ] = per_step(-5e-6);
  SCOPED_SIMULATION s = dem_create(&run, 1);
  double p0 = dem_measured(s).p, zz0 = dem_measured(s).stress_zz, largest_ratio = 0.0;
  while (dem_goes_on(s)) {
    dem_measures m = dem_measured(s);
    if (m.stage == 3.0 && s->stage.steps == 50) {
      p0 = m.p;
      zz0 = m.stress_zz;
    }
    bool is_drained = m.stage == 3.0;
    assert_within(m.r_u, is_drained ? 0.0 : 1.0 - m.p / p0, 1e-14);
    assert_within(m.r_u_zz, is_drained ? 0.0 : 1.0 - m.stress_zz / zz0, 1e-14);
    ck_assert_double_eq(m.csr, 0.0);
    ck_assert_double_eq(m.cycle, 0.0);
    largest_ratio = fmax(largest_ratio, fabs(m.r_u));
  }
  ck_assert_double_gt(largest_ratio, 1e-4);
}

/* ---- Static and cyclic stress ------------------------------------------------------------------------------------ */

/* A way to cycle, and the stress that it moves, by hand: shear stress, or axial stress minus the mean of the others. */
typedef struct cycled_stress {
  dem_quantity of;
  dem_component component;
  double center; /* share of p at the start; NAN: where the stage starts */
  bool is_path;
} cycled_stress;

static double stress_by_hand(const dem_measures *m, dem_component component)
{
  switch (component) {
  case DEM_XX:
    return m->stress_xx - (m->stress_yy + m->stress_zz) / 2.0;
  case DEM_ZZ:
    return m->stress_zz - (m->stress_xx + m->stress_yy) / 2.0;
  case DEM_XY:
    return m->stress_xy;
  case DEM_XZ:
    return m->stress_xz;
  default:
    return m->stress_yz;
  }
}

/*
 * The static stress by hand: the stress at the start, or the centre of the case. For a centre of stress_xx, subtract
 * the mean of the other two stresses at the start.
 */
static double static_by_hand(const cycled_stress *way, const dem_measures *start)
{
  if (isnan(way->center))
    return stress_by_hand(start, way->component);
  double others = way->of == DEM_STRESS + DEM_XX ? (start->stress_yy + start->stress_zz) / 2.0 : 0.0;
  return way->center * start->p - others;
}

static dem_stage *add_cycles(dem_case *run, const cycled_stress *way, double p)
{
  dem_stage *stage = dem_add_stage(run, "cycles", 150);
  if (way->is_path) {
    stage->control[way->component] = (dem_control){
        .kind = DEM_CONTROL_STRESS_PATH, .value = 0.03 * p, .wave = {.frequency = 1.0, .center = way->center * p}};
    stage->cyclic = (dem_cyclic){
        .on = true, .has_paths = true, .of = way->of, .center = NAN, .steps_per_cycle = 100, .run_in = 0.5};
  } else {
    stage->control[way->component] = per_step(5e-6);
    stage->cyclic = around(way->of, way->of < DEM_STRESS ? 1e-4 : 0.03 * p, way->center * p);
  }
  return stage;
}

/*
 * After shear in xz and compression in zz, cycles of all kinds: the measure csr is the change of the stress from the
 * static one, over the normal stress of the sheared plane or 2 p0; both parts together are the whole stress.
 */
TEST(static_and_cyclic_stress_are_apart)
{
  const cycled_stress ways[] = {
      {DEM_STRESS + DEM_XZ, DEM_XZ, NAN, false},  {DEM_STRESS + DEM_XZ, DEM_XZ, 0.0, false},
      {DEM_STRESS + DEM_XZ, DEM_XZ, 0.05, false}, {DEM_STRAIN + DEM_XY, DEM_XY, NAN, false},
      {DEM_STRAIN + DEM_XZ, DEM_XZ, NAN, false},  {DEM_DEVIATOR, DEM_ZZ, NAN, false},
      {DEM_DEVIATOR, DEM_ZZ, 0.0, false},         {DEM_STRESS + DEM_XX, DEM_XX, NAN, false},
      {DEM_STRESS + DEM_XX, DEM_XX, 1.02, false}, {DEM_STRESS + DEM_XZ, DEM_XZ, NAN, true},
      {DEM_STRESS + DEM_XZ, DEM_XZ, -0.01, true},
  };
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
    SCOPED_CASE run = packed_case();
    dem_stage *before = dem_add_stage(&run, "static", 60);
    before->control[DEM_XZ] = before->control[DEM_ZZ] = per_step(1e-5);
    before->control[DEM_XX].kind = before->control[DEM_YY].kind = DEM_CONTROL_STRESS;
    before->control[DEM_XX].value = before->control[DEM_YY].value = 10e6;
    add_cycles(&run, &ways[k], 10e6);
    SCOPED_SIMULATION s = dem_create(&run, 1);
    dem_steps(s, 60);
    dem_measures start = dem_measured(s);
    cycled_stress way = ways[k];
    way.center *= 10e6 / start.p;
    double reference = way.component < DEM_XY    ? 2.0 * start.p
                       : way.component == DEM_XY ? start.stress_yy
                                                 : start.stress_zz;
    double still = static_by_hand(&way, &start), largest = 0.0;
    for (int step = 0; step < 140; step++) {
      dem_steps(s, 1);
      dem_measures m = dem_measured(s);
      double stress = stress_by_hand(&m, way.component);
      assert_within(m.static_stress_ratio, still / reference, 1e-13);
      assert_within(m.csr, (stress - still) / reference, 1e-13);
      largest = fmax(largest, fabs(m.csr));
    }
    ck_assert_msg(largest > 0.005, "way %zu: CSR is at most %g", k, largest);
  }
}

/* Under cycles of stress the first quarter is not counted. Under cycles of strain, and on paths, it is. */
TEST(flow_failure_is_in_the_first_quarter)
{
  dem_cyclic cyclic = around((dem_quantity)(DEM_STRESS + DEM_XZ), 1e5, NAN);
  ck_assert(dem_is_flow_failure(&cyclic, 0.0) && dem_is_flow_failure(&cyclic, 0.2499));
  ck_assert(!dem_is_flow_failure(&cyclic, 0.25) && !dem_is_flow_failure(&cyclic, 3.0));
  ck_assert(!dem_is_flow_failure(&cyclic, NAN));
  cyclic.of = DEM_DEVIATOR;
  ck_assert(dem_is_flow_failure(&cyclic, 0.1));
  cyclic.has_paths = true;
  ck_assert(!dem_is_flow_failure(&cyclic, 0.1));
  const dem_quantity strains[] = {DEM_STRAIN + DEM_ZZ, DEM_STRAIN + DEM_XZ, DEM_GAMMA};
  for (int k = 0; k < 3; k++) {
    cyclic = around(strains[k], 1e-3, NAN);
    ck_assert(!dem_is_flow_failure(&cyclic, 0.1));
  }
}

/* ---- Waves ------------------------------------------------------------------------------------------------------- */

/* Loops of one wave have damping ratios. With a second wave they only have amplitudes and energies. */
TEST(two_waves_have_no_damping_ratio)
{
  for (int waves = 1; waves <= 2; waves++) {
    SCOPED_CASE run = packed_case();
    dem_stage *stage = dem_add_stage(&run, "waves", 0);
    for (int k = 0; k < waves; k++)
      stage->control[DEM_XZ + k] =
          (dem_control){.kind = DEM_CONTROL_STRAIN_PATH, .value = 2e-4, .wave = {.frequency = 1.0, .center = NAN}};
    stage->cyclic = (dem_cyclic){.on = true,
                                 .has_paths = true,
                                 .of = (dem_quantity)(DEM_STRAIN + DEM_XZ),
                                 .center = NAN,
                                 .steps_per_cycle = 400};
    stage->until.cycles = 3.0;
    SCOPED_SIMULATION s = dem_create(&run, 1);
    dem_cycle c = {0};
    while (dem_goes_on(s))
      (void)dem_simulation_cycle(s, &c);
    ck_assert_double_eq(c.cycle, 3.0);
    ck_assert_int_eq(isnan(c.damping_ratio), waves == 2);
    ck_assert_int_eq(isnan(c.damping_ratio_friction), waves == 2);
    ck_assert_int_eq(isnan(c.damping_ratio_numerical), waves == 2);
    assert_within(c.strain_amplitude, 4e-4, 1e-6);
    ck_assert(c.shear_modulus > 0.0 && c.loop_area > 0.0 && c.dissipated_friction > 0.0);
  }
}

/* ---- The number of cycles ---------------------------------------------------------------------------------------- */

/*
 * Waves run through an undamped assembly under fast shear, so that its stress falls back now and then. The number of
 * cycles does not fall, and ends the stage.
 */
TEST(the_number_of_cycles_never_falls)
{
  SCOPED_CASE run = packed_case();
  dem_stage *stage = dem_add_stage(&run, "cycles", 4000);
  stage->control[DEM_XZ] = per_step(1e-5);
  stage->cyclic = around((dem_quantity)(DEM_STRESS + DEM_XZ), 1e6, NAN);
  stage->until.cycles = 2.6;
  stage->damping = (dem_damping){0};
  SCOPED_SIMULATION s = dem_create(&run, 1);
  double before = 0.0, stress_before = dem_measured(s).stress_xz;
  int backward = 0, direction = 1;
  while (dem_goes_on(s)) {
    dem_measures m = dem_measured(s);
    ck_assert_double_ge(m.cycle, before);
    ck_assert(before < 2.6);
    backward += direction * (m.stress_xz - stress_before) < 0.0;
    before = m.cycle;
    stress_before = m.stress_xz;
    direction = s->stage.direction;
  }
  printf("number of cycles: the stress went back in %d of %ld steps\n", backward, s->stage.steps);
  ck_assert_int_gt(backward, 3);
  ck_assert_double_ge(before, 2.6);
}

/* ---- Stopping and going on --------------------------------------------------------------------------------------- */

/* Restored at a random moment: the cycles that follow, and the state at the end, have the same bits. */
TEST(cycles_survive_checkpoints)
{
  uint64_t seed = 99;
  static record whole, part;
  for (int k = 0; k < 8; k++) {
    SCOPED_CASE run = random_case(&seed);
    dem_quantity of = run.stages[1].cyclic.of;
    SCOPED_SIMULATION s = dem_create(&run, 1);
    record_run(&whole, s, of);
    dem_simulation_destroy(s);
    long stop = 21 + (long)random_below(&seed, (unsigned)whole.count - 2); /* in the second stage */
    error_info error = {.text = ""};
    dem_checkpoint_notes notes = {.input = "", .cycles_bytes = 11}, read;
    s = dem_create(&run, 1);
    dem_steps(s, stop);
    ck_assert(dem_checkpoint_write(s, scratch_path(directory, "stopped"), NULL, &notes, &error));
    dem_simulation_destroy(s);
    s = dem_restore(&run, scratch_path(directory, "stopped"), 1, &read, &error);
    ck_assert_msg(s != NULL, "%s", error.text);
    ck_assert_int_eq(read.cycles_bytes, 11);
    free((char *)read.input);
    dem_measures m = dem_measured(s);
    ck_assert_int_eq(memcmp(&m, &whole.at[stop - 20], sizeof m), 0);
    part.cycle_count = 0;
    dem_cycle now;
    if (dem_simulation_cycle(s, &now)) /* ended with the last step before the checkpoint */
      part.cycles[part.cycle_count++] = now;
    while (dem_goes_on(s))
      if (dem_simulation_cycle(s, &now))
        part.cycles[part.cycle_count++] = now;
    ck_assert_int_le(part.cycle_count, whole.cycle_count);
    const dem_cycle *expected = &whole.cycles[whole.cycle_count - part.cycle_count];
    ck_assert_int_eq(memcmp(part.cycles, expected, (size_t)part.cycle_count * sizeof now), 0);
  }
}
