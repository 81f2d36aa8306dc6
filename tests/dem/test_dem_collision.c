/* SPDX-License-Identifier: MIT */
/*
 * Two spheres collide, across the boundary of a leaning cell.
 *
 * Oracles: Hertz's impact in closed form (largest approach, duration, rebound); rigid-body impulses for an impact that
 * slides all the time; for one that sticks, an integrator of this file's own (drift-kick-drift, the simulator's is
 * kick-drift) on libjager's quaternion frames, with much smaller steps.
 *
 * With the approach δ = 2ζ, Fn = Ē √R ζ^(3/2) = k δ^(3/2), k = Ē √(R/8), R = 2 R1 R2/(R1 + R2), and the reduced mass m:
 * the approach ends at δmax = (5 m v²/(4k))^(2/5) and lasts 2 δmax/v ∫ dx/√(1 - x^(5/2)) = (4√π Γ(2/5)/(5 Γ(9/10)))
 * δmax/v.
 */
#include "dem_support.h"
#include "contact/pairs/records.h"

#include "dem/measures.h"

enum { PHASES = 16 };

FIXTURE_ONCE(make_directory, remove_directory)

/* ---- Pairs ------------------------------------------------------------------------------------------------------- */

typedef struct pair {
  double radius[2];
  vec3 normal; /* from the first to the second */
  vec3 v[2], w[2];
  double gap; /* at the start */
} pair;

static const upper_matrix big_cell = {.xx = 0.010, .yy = 0.011, .zz = 0.012, .xy = 0.002, .xz = -0.001, .yz = 0.0015};

/* The first sphere in a corner of the cell, the second beyond it: its image on the other side touches. */
static dem_simulation *place_pair(dem_case *run, const pair *p)
{
  vec3 x[2] = {{0.3e-3, 0.2e-3, 0.4e-3}};
  x[1] = vec3_add_scaled(x[0], p->radius[0] + p->radius[1] + p->gap, p->normal);
  x[1] = dem_cell_wrap(big_cell, x[1]);
  dem_write_spheres(directory, "pair", big_cell, 2, x, p->radius, NULL);
  dem_take_file(run, directory, "pair");
  dem_simulation *s = dem_create(run, 1);
  for (uint32_t k = 0; k < 2; k++) {
    s->motions[dem_sphere(s, k)].v = p->v[k];
    s->motions[dem_sphere(s, k)].w = p->w[k];
  }
  dem_ledger_open(s);
  return s;
}

static double mass_of(double radius)
{
  return dem_case_default().material.density * 4.0 / 3.0 * PI * radius * radius * radius;
}

static double reduced_mass(const pair *p)
{
  return 1.0 / (1.0 / mass_of(p->radius[0]) + 1.0 / mass_of(p->radius[1]));
}

/* Speed of approach at the start. */
static double approach_of(const pair *p)
{
  return vec3_dot(vec3_subtract(p->v[0], p->v[1]), p->normal);
}

typedef struct hertz {
  double depth, duration;
} hertz;

static hertz hertz_of(const pair *p)
{
  dem_material quartz = dem_case_default().material;
  double modulus = 8.0 * quartz.shear_modulus / (3.0 * (1.0 - quartz.poisson)), v = approach_of(p);
  double radius = 2.0 * p->radius[0] * p->radius[1] / (p->radius[0] + p->radius[1]), k = modulus * sqrt(radius / 8.0);
  hertz h = {.depth = pow(5.0 * reduced_mass(p) * v * v / (4.0 * k), 0.4)};
  h.duration = 0.8 * sqrt(PI) * tgamma(0.4) / tgamma(0.9) * h.depth / v;
  return h;
}

/* The result of a collision, after the spheres have separated. */
typedef struct outcome {
  vec3 v[2], w[2];
  double depth, duration;
  dem_measures measures;
} outcome;

static double gap_of(const dem_simulation *s, const pair *p)
{
  vec3 branch = vec3_subtract(vec3_load(s->bodies[dem_sphere(s, 1)].x), vec3_load(s->bodies[dem_sphere(s, 0)].x));
  vec3 least = branch;
  for (int k = 0; k < 27; k++) {
    vec3 edges = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    vec3 other = vec3_add(branch, upper_matrix_times(s->cell, edges));
    least = vec3_length(other) < vec3_length(least) ? other : least;
  }
  return vec3_length(least) - p->radius[0] - p->radius[1];
}

static double overlap_now(const dem_simulation *s)
{
  contact_walk at = contact_walk_start(s);
  return contact_walk_next(&at) ? 2.0 * jager_contact_zeta(&at.contact) : 0.0;
}

static outcome outcome_of(const dem_simulation *s, const pair *p)
{
  outcome o = {.measures = dem_measured(s)};
  for (uint32_t k = 0; k < 2; k++) {
    o.v[k] = s->motions[dem_sphere(s, k)].v;
    o.w[k] = s->motions[dem_sphere(s, k)].w;
  }
  /* the free flight before and after gives the times of touching and separating, between steps */
  double receding = vec3_dot(vec3_subtract(o.v[1], o.v[0]), p->normal);
  o.duration = s->time - gap_of(s, p) / receding - p->gap / approach_of(p);
  return o;
}

static outcome collide(dem_case *run, const pair *p)
{
  SCOPED_SIMULATION s = place_pair(run, p);
  double depth = 0.0;
  while (dem_simulation_contacts(s) == 0)
    dem_steps(s, 1);
  for (; dem_simulation_contacts(s) > 0; dem_steps(s, 1))
    depth = fmax(depth, overlap_now(s));
  outcome o = outcome_of(s, p);
  o.depth = depth;
  return o;
}

static double kinetic_of(const pair *p, const vec3 v[2], const vec3 w[2])
{
  double sum = 0.0;
  for (int k = 0; k < 2; k++)
    sum +=
        0.5 * mass_of(p->radius[k]) * (vec3_dot(v[k], v[k]) + 0.4 * p->radius[k] * p->radius[k] * vec3_dot(w[k], w[k]));
  return sum;
}

static double momentum_error(const pair *p, const outcome *o)
{
  vec3 change = {0.0, 0.0, 0.0};
  double size = 0.0;
  for (int k = 0; k < 2; k++) {
    change = vec3_add_scaled(change, mass_of(p->radius[k]), vec3_subtract(o->v[k], p->v[k]));
    size += mass_of(p->radius[k]) * vec3_length(vec3_subtract(o->v[k], p->v[k]));
  }
  return vec3_length(change) / size;
}

static pair head_on_pair(double speed)
{
  vec3 n = dem_unit(-2.0, -1.0, -2.0), drift = {0.3 * speed, -0.2 * speed, 0.1 * speed};
  return (pair){.radius = {1.0e-3, 0.7e-3},
                .normal = n,
                .v = {vec3_add_scaled(drift, 0.4 * speed, n), vec3_add_scaled(drift, -0.6 * speed, n)}};
}

/* ---- Head-on ----------------------------------------------------------------------------------------------------- */

typedef struct errors {
  double energy, momentum, depth, duration;
} errors;

/* Root mean squares over where in a step the spheres touch. */
static errors head_on_errors(int steps_in_touch)
{
  errors sum = {.energy = 0.0};
  for (int phase = 0; phase < PHASES; phase++) {
    pair p = head_on_pair(0.01);
    hertz h = hertz_of(&p);
    double dt = h.duration / steps_in_touch;
    p.gap = approach_of(&p) * dt * (1.0 + (phase + 0.5) / PHASES);
    SCOPED_CASE run = dem_still_case(dt);
    outcome o = collide(&run, &p);
    double relative = reduced_mass(&p) * 0.5 * approach_of(&p) * approach_of(&p);
    sum.energy += pow((kinetic_of(&p, o.v, o.w) - kinetic_of(&p, p.v, p.w)) / relative, 2.0);
    sum.momentum = fmax(sum.momentum, momentum_error(&p, &o));
    sum.depth += pow(o.depth / h.depth - 1.0, 2.0);
    sum.duration += pow(o.duration / h.duration - 1.0, 2.0);
    for (int k = 0; k < 2; k++)
      ck_assert_double_le(vec3_length(o.w[k]) * p.radius[k], 1e-9 * approach_of(&p)); /* rounding of places */
  }
  return (errors){sqrt(sum.energy / PHASES), sum.momentum, sqrt(sum.depth / PHASES), sqrt(sum.duration / PHASES)};
}

TEST(head_on_is_hertz)
{
  errors before = {.energy = 0.0};
  for (int steps = 25; steps <= 200; steps *= 2) {
    errors e = head_on_errors(steps);
    printf("head-on, %d steps in touch: energy %.2e, momentum %.1e, depth %.2e, duration %.2e\n", steps, e.energy,
           e.momentum, e.depth, e.duration);
    if (steps > 25) {
      double order = dem_order(before.energy, e.energy), slow = dem_order(before.duration, e.duration);
      printf("  orders: energy %.2f, depth %.2f, duration %.2f\n", order, dem_order(before.depth, e.depth), slow);
      ck_assert_double_ge(order, 1.8);
      ck_assert_double_ge(slow, 1.8);
    }
    ck_assert_double_le(e.momentum, 1e-14);
    before = e;
  }
  ck_assert_double_le(before.energy, 1e-5);
  ck_assert_double_le(before.depth, 1e-4);
  ck_assert_double_le(before.duration, 1e-4);
}

/* ---- Oblique, sliding all over ----------------------------------------------------------------------------------- */

/* The impact is so slow that the normal rotates by only about a millionth during contact. */
TEST(gross_sliding_has_the_impulses_of_friction)
{
  double worst_spin = 0.0, worst_velocity = 0.0, worst_ratio = 0.0, speed = 1e-5, f = 0.3;
  for (int kind = 0; kind < 2; kind++) { /* sideways by velocity, and by spin */
    pair p = head_on_pair(speed);
    vec3 t = vec3_across(p.normal), axis = vec3_cross(p.normal, t);
    double slide = 1.3 * 7.0 * f * speed; /* friction takes 7 f v of it */
    if (kind == 0)
      p.v[1] = vec3_add_scaled(p.v[1], slide, t);
    else /* the surface of the first sphere moves against t */
      p.w[0] = vec3_scale(-slide / p.radius[0], axis);
    hertz h = hertz_of(&p);
    SCOPED_CASE run = dem_still_case(h.duration / 400.0);
    run.material.friction = f;
    p.gap = 1.5 * speed * run.time_step.fixed;
    outcome o = collide(&run, &p);
    double impulse = 2.0 * reduced_mass(&p) * speed;
    for (int k = 0; k < 2; k++) {
      double sign = k == 0 ? 1.0 : -1.0, m = mass_of(p.radius[k]);
      vec3 dv = vec3_subtract(o.v[k], p.v[k]), dw = vec3_subtract(o.w[k], p.w[k]);
      vec3 expected = vec3_add_scaled(vec3_scale(-sign * impulse / m, p.normal), sign * f * impulse / m, t);
      double spin = f * impulse * p.radius[k] / (0.4 * m * p.radius[k] * p.radius[k]);
      worst_velocity = fmax(worst_velocity, vec3_length(vec3_subtract(dv, expected)) / vec3_length(expected));
      worst_spin = fmax(worst_spin, vec3_length(vec3_add_scaled(dw, -spin, axis)) / spin);
      worst_ratio = fmax(worst_ratio, fabs(-vec3_dot(dv, t) / vec3_dot(dv, p.normal) / f - 1.0));
    }
  }
  printf("gross sliding: velocity %.1e, spin %.1e, tangential over normal impulse %.1e\n", worst_velocity, worst_spin,
         worst_ratio);
  ck_assert_double_le(worst_ratio, 2e-5);
  ck_assert_double_le(worst_velocity, 2e-5);
  ck_assert_double_le(worst_spin, 2e-5);
}

/* ---- Oblique, sticking ------------------------------------------------------------------------------------------- */

/* The integrator of this file. Only the branch vector matters to a pair. */
typedef struct own_pair {
  const pair *p;
  jager_law law;
  jager_pool *pool;
  jager_contact contact;
  jager_frame frame;
  vec3 branch, v[2], w[2];
} own_pair;

static jager_law quartz_law(void)
{
  dem_material quartz = dem_case_default().material;
  jager_law law = example_law();
  assert_ok(jager_law_set_bodies(&law, quartz.shear_modulus, quartz.poisson));
  assert_ok(jager_law_set_friction(&law, quartz.friction));
  return law;
}

static own_pair own_start(const pair *p)
{
  own_pair o = {.p = p, .law = quartz_law(), .pool = jager_pool_create(0)};
  double n[3] = {p->normal.x, p->normal.y, p->normal.z};
  assert_ok(jager_contact_init(&o.contact, &o.law, p->radius[0], p->radius[1]));
  assert_ok(jager_contact_move(&o.contact, &o.law, o.pool, -0.5 * p->gap, (double[2]){0.0, 0.0}, NULL));
  assert_ok(jager_frame_init(&o.frame, n));
  o.branch = vec3_scale(p->radius[0] + p->radius[1] + p->gap, p->normal);
  for (int k = 0; k < 2; k++) {
    o.v[k] = p->v[k];
    o.w[k] = p->w[k];
  }
  return o;
}

/* The contact moves from the middle of one step to the middle of the next. */
static jager_force own_move(own_pair *o, vec3 shift, const vec3 spin[2])
{
  jager_step step = {.branch = {o->branch.x, o->branch.y, o->branch.z},
                     .shift = {shift.x, shift.y, shift.z},
                     .spin_p = {spin[0].x, spin[0].y, spin[0].z},
                     .spin_q = {spin[1].x, spin[1].y, spin[1].z},
                     .radius_p = o->p->radius[0],
                     .radius_q = o->p->radius[1]};
  jager_movement movement;
  jager_force force;
  assert_ok(jager_frame_step(&o->frame, &step, &movement));
  assert_ok(jager_contact_move(&o->contact, &o->law, o->pool, movement.zeta, movement.dxi, &force));
  return force;
}

static void own_kick(own_pair *o, const jager_force *force, double dt)
{
  double on_q[3], normal[3];
  jager_frame_force(&o->frame, force, on_q);
  jager_frame_normal(&o->frame, normal);
  vec3 f = {on_q[0], on_q[1], on_q[2]}, n = {normal[0], normal[1], normal[2]}, moment = vec3_cross(n, f);
  for (int k = 0; k < 2; k++) {
    double m = mass_of(o->p->radius[k]), r = o->p->radius[k], arm = r - jager_contact_zeta(&o->contact);
    o->v[k] = vec3_add_scaled(o->v[k], (k == 0 ? -dt : dt) / m, f);
    o->w[k] = vec3_add_scaled(o->w[k], -dt * arm / (0.4 * m * r * r), moment); /* (R - ζ) n × F_p, -(R - ζ) n × F_q */
  }
}

static outcome own_collision(const pair *p, double dt)
{
  own_pair o = own_start(p);
  vec3 left[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, drifted = {0.0, 0.0, 0.0}; /* since the last middle */
  bool has_touched = false;
  for (bool goes_on = true; goes_on;) {
    vec3 half = vec3_scale(0.5 * dt, vec3_subtract(o.v[1], o.v[0])), spin[2];
    for (int k = 0; k < 2; k++)
      spin[k] = vec3_add_scaled(left[k], 0.5 * dt, o.w[k]);
    o.branch = vec3_add(o.branch, half);
    jager_force force = own_move(&o, vec3_add(drifted, half), spin);
    own_kick(&o, &force, dt);
    drifted = vec3_scale(0.5 * dt, vec3_subtract(o.v[1], o.v[0]));
    o.branch = vec3_add(o.branch, drifted);
    for (int k = 0; k < 2; k++)
      left[k] = vec3_scale(0.5 * dt, o.w[k]);
    has_touched = has_touched || jager_contact_zeta(&o.contact) > 0.0;
    goes_on = !has_touched || jager_contact_zeta(&o.contact) > 0.0;
  }
  outcome result = {.v = {o.v[0], o.v[1]}, .w = {o.w[0], o.w[1]}};
  jager_contact_release(&o.contact, o.pool);
  jager_pool_destroy(o.pool);
  return result;
}

static pair oblique_pair(void)
{
  pair p = head_on_pair(0.01);
  vec3 t = vec3_across(p.normal), b = vec3_cross(p.normal, t);
  p.v[1] = vec3_add_scaled(p.v[1], 0.004, t);
  p.w[0] = vec3_add_scaled(vec3_scale(2.0, b), 1.5, t);
  p.w[1] = vec3_add_scaled(vec3_scale(-1.0, t), 3.0, p.normal);
  return p;
}

/* Largest difference of the surfaces' velocities. */
static double difference_of(const pair *p, const outcome *a, const outcome *b)
{
  double worst = 0.0;
  for (int k = 0; k < 2; k++) {
    worst = fmax(worst, vec3_length(vec3_subtract(a->v[k], b->v[k])));
    worst = fmax(worst, p->radius[k] * vec3_length(vec3_subtract(a->w[k], b->w[k])));
  }
  return worst / approach_of(p);
}

static double sticking_error(int steps_in_touch)
{
  double sum = 0.0;
  for (int phase = 0; phase < PHASES; phase++) {
    pair p = oblique_pair();
    double dt = hertz_of(&p).duration / steps_in_touch;
    p.gap = approach_of(&p) * dt * (1.0 + (phase + 0.5) / PHASES);
    SCOPED_CASE run = dem_still_case(dt);
    outcome simulated = collide(&run, &p), fine = own_collision(&p, dt / (steps_in_touch < 100 ? 64 : 32));
    sum += pow(difference_of(&p, &simulated, &fine), 2.0);
    ck_assert_double_le(momentum_error(&p, &simulated), 1e-14);
  }
  return sqrt(sum / PHASES);
}

TEST(a_sticking_impact_converges_to_the_own_integrators)
{
  double before = 0.0, order = 0.0;
  for (int steps = 40; steps <= 160; steps *= 2) {
    double error = sticking_error(steps);
    order = before > 0.0 ? dem_order(before, error) : 2.0;
    printf("sticking, %d steps in touch: off by %.2e of the approach, order %.2f\n", steps, error, order);
    ck_assert_double_ge(order, 1.8);
    before = error;
  }
  ck_assert_double_le(before, 1e-4);
}

/* ---- Dashpots ---------------------------------------------------------------------------------------------------- */

/* Energy dissipated by dashpots: the error of the ledger over the loss of energy. */
static double dashpot_error(int steps_in_touch, double *restitution)
{
  double sum = 0.0;
  for (int phase = 0; phase < PHASES; phase++) {
    pair p = head_on_pair(0.01);
    double dt = hertz_of(&p).duration / steps_in_touch;
    p.gap = approach_of(&p) * dt * (1.0 + (phase + 0.5) / PHASES);
    SCOPED_CASE run = dem_still_case(dt);
    run.stages[0].damping.viscous = 0.1;
    outcome o = collide(&run, &p);
    double lost = kinetic_of(&p, p.v, p.w) - kinetic_of(&p, o.v, o.w);
    ck_assert_double_gt(lost, 0.0);
    sum += pow(o.measures.dissipated_damping / lost - 1.0, 2.0);
    *restitution = vec3_dot(vec3_subtract(o.v[1], o.v[0]), p.normal) / approach_of(&p);
  }
  return sqrt(sum / PHASES);
}

/* Approach and its speed, with springs and dashpots of Hertz's stiffness, which together never pull. */
static void damped_rates(const double y[2], double k, double m, double share, double rates[2])
{
  double root = y[0] > 0.0 ? sqrt(y[0]) : 0.0, spring = k * root * y[0];
  double dashpot = 2.0 * share * sqrt(m * 1.5 * k * root) * y[1];
  rates[0] = y[1];
  rates[1] = -fmax(0.0, spring + dashpot) / m;
}

/* Runge and Kutta's method. In units with k = m = v = 1. */
static double restitution_of(double share)
{
  double y[2] = {0.0, 1.0}, dt = 2e-4;
  while (y[0] >= 0.0) {
    double r[4][2], z[2];
    damped_rates(y, 1.0, 1.0, share, r[0]);
    for (int stage = 1; stage < 4; stage++) {
      for (int i = 0; i < 2; i++)
        z[i] = y[i] + (stage < 3 ? 0.5 : 1.0) * dt * r[stage - 1][i];
      damped_rates(z, 1.0, 1.0, share, r[stage]);
    }
    for (int i = 0; i < 2; i++)
      y[i] += dt / 6.0 * (r[0][i] + 2.0 * r[1][i] + 2.0 * r[2][i] + r[3][i]);
  }
  return -y[1];
}

/* Dashpots use the velocity of the half step before: forces and dissipated energy are of first order. */
TEST(dashpots_take_what_the_ledger_says)
{
  double before = 0.0, restitution = 0.0, expected = restitution_of(0.1);
  for (int steps = 50; steps <= 200; steps *= 2) {
    double error = dashpot_error(steps, &restitution), order = before > 0.0 ? dem_order(before, error) : 1.0;
    printf("dashpots, %d steps in touch: ledger off by %.2e, order %.2f; restitution %.5f, by Runge and Kutta %.5f\n",
           steps, error, order, restitution, expected);
    ck_assert_double_ge(order, 0.9);
    before = error;
  }
  ck_assert_double_le(before, 2e-3);
  assert_within(restitution, expected, 1e-3);
}

/* ---- NaN and infinity -------------------------------------------------------------------------------------------- */

/* Two spheres that touch with zero overlap: by rounding, the square of their distance is less than (R1 + R2)². */
static bool just_touch(const vec3 x[2], const double radius[2])
{
  vec3 branch = vec3_subtract(x[1], x[0]);
  double square = vec3_dot(branch, branch), radii = radius[0] + radius[1];
  return square < radii * radii && sqrt(square) == radii;
}

TEST(spheres_that_just_touch_have_dashpots)
{
  const double radius[2] = {0.5e-3, 0.4e-3};
  const upper_matrix cell = {.xx = 0.01, .yy = 0.01, .zz = 0.01};
  uint64_t seed = 5;
  int found = 0;
  for (int trial = 0; trial < 100000 && found < 5; trial++) {
    vec3 x[2] = {{4e-3, 4e-3, 4e-3}};
    vec3 n = dem_unit(random_in(&seed, -1.0, 1.0), random_in(&seed, -1.0, 1.0), random_in(&seed, -1.0, 1.0));
    x[1] = vec3_add_scaled(x[0], radius[0] + radius[1], n);
    if (!just_touch(x, radius))
      continue;
    found++;
    SCOPED_CASE run = dem_still_case(1e-8);
    run.stages[0].damping.viscous = run.damping.viscous = 0.1;
    dem_write_spheres(directory, "touching", cell, 2, x, radius, NULL);
    dem_take_file(&run, directory, "touching");
    SCOPED_SIMULATION s = dem_create(&run, 1);
    ck_assert_uint_eq(dem_simulation_contacts(s), 1);
    dem_steps(s, 10);
    for (size_t i = 0; i < s->count; i++)
      ck_assert(isfinite(vec3_length(vec3_load(s->bodies[i].x)) + vec3_length(s->motions[i].v)));
  }
  ck_assert_int_eq(found, 5);
}

#ifdef NDEBUG /* with assertions the library itself stops at such a contact */
TEST(a_force_that_is_no_number_names_its_spheres)
{
  SCOPED_CASE run = dem_still_case(1e-8);
  run.stages[0].damping.viscous = 0.1;
  pair p = {.radius = {0.5e-3, 0.5e-3}, .normal = {0.0, 0.0, 1.0}, .gap = -1e-6};
  SCOPED_SIMULATION s = place_pair(&run, &p);
  error_info error = {.text = ""};
  dem_steps(s, 1);
  s->blocks[0].contacts->records[0].core[ROW_LAST] = NAN; /* the stiffness */
  ck_assert_int_eq(dem_simulation_step(s, &error), DEM_FAILED);
  ck_assert_msg(strstr(error.text, "step 2: the contact of the spheres") != NULL, "'%s'", error.text);
  ck_assert_ptr_nonnull(strstr(error.text, "a number is NaN or infinite"));
  ck_assert(isfinite(s->loads[0].force[2]));
}
#endif
