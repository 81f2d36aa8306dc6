/* SPDX-License-Identifier: MIT */
/*
 * Frames of pairs that move as a rigid body, and refusals of frames. Movements within a pair: test_frame_movement.c.
 *
 * Oracle: a rigid body whose orientation is followed in extended precision, with sines and cosines; the library uses
 * none. Invariants: a glued pair sees no Δξ and a constant ζ, its force stays attached to it; local z is the normal;
 * the quaternion is unit.
 */
#include "rotation.h"

#include <stdio.h>

#define EPS 0x1p-52

/* ---- Helpers ---------------------------------------------------------------------------------------------------- */

static double unit_error(const jager_frame *f)
{
  return fabs(f->q[0] * f->q[0] + f->q[1] * f->q[1] + f->q[2] * f->q[2] + f->q[3] * f->q[3] - 1.0);
}

static void assert_frame_is_around(const jager_frame *frame, const double normal[3])
{
  double n[3], largest = fmax(fabs(normal[0]), fmax(fabs(normal[1]), fabs(normal[2])));
  xyz exact = {normal[0] / (long double)largest, normal[1] / (long double)largest, normal[2] / (long double)largest};
  long double length = length_of(exact);
  jager_frame_normal(frame, n);
  xyz off = sum_of(xyz_of(n), -1.0L / length, exact);
  ck_assert_double_le((double)length_of(off), 8.0 * EPS);
  xyz local = in_axes(frame, (xyz){exact.x / length, exact.y / length, exact.z / length});
  ck_assert_double_le((double)fabsl(local.x) + (double)fabsl(local.y), 8.0 * EPS);
  ck_assert_double_le(unit_error(frame), 4.0 * EPS);
}

/* ---- Axes around a normal --------------------------------------------------------------------------------------- */

TEST(axes_are_around_any_normal)
{
  uint64_t seed = 1;
  jager_frame frame;
  for (int i = 0; i < 20000; i++) {
    double n[3], length = exp2(random_in(&seed, -990.0, 990.0));
    random_direction(&seed, n);
    for (int k = 0; k < 3; k++)
      n[k] = i % 7 == k ? 0.0 : n[k] * length;
    assert_ok(jager_frame_init(&frame, n));
    assert_frame_is_around(&frame, n);
  }
  for (double tilt = 1.0; tilt > 1e-20; tilt *= 0.3) /* nearly -z: the shortest rotation is half a turn */
    for (int k = 0; k < 4; k++) {
      double n[3] = {k % 2 ? tilt : -tilt, k / 2 ? 0.7 * tilt : 0.0, -1.0};
      assert_ok(jager_frame_init(&frame, n));
      assert_frame_is_around(&frame, n);
    }
  static const double exact[][3] = {{0, 0, -1},       {0, 0, 1},          {0, 0, -1e-300}, {1, 0, 0},
                                    {0, -1, 0},       {5e-324, 0, 0},     {0, 0, -5e-324}, {1e308, -1e308, 1e308},
                                    {0, 1e-30, -1.0}, {-0.0, 0.0, -1e300}};
  for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++) {
    assert_ok(jager_frame_init(&frame, exact[i]));
    assert_frame_is_around(&frame, exact[i]);
  }
}

/* ---- A glued pair ----------------------------------------------------------------------------------------------- */

typedef struct glued {
  turned body;
  xyz centre, of_p, of_q; /* a point on the axis, and the places of the particles in the body */
  xyz x_p, x_q;
  jager_frame frame;
  jager_step step;
  jager_force force;
  xyz force_in_body;
  double zeta, sum[2];
  double worst_dxi, worst_sum, worst_zeta, worst_force, worst_unit; /* largest errors of the run */
} glued;

static void place(glued *g, xyz *x_p, xyz *x_q)
{
  *x_p = sum_of(g->centre, 1.0L, turn(g->body, g->of_p));
  *x_q = sum_of(g->centre, 1.0L, turn(g->body, g->of_q));
}

static glued glue(uint64_t *seed)
{
  double e[3], p[3];
  random_direction(seed, e);
  random_direction(seed, p);
  glued g = {.body = {1.0L, {0.0L, 0.0L, 0.0L}}, .force = {1.0, {0.3, -0.2}}, .zeta = 0.003};
  g.step.radius_p = 0.7;
  g.step.radius_q = 0.3;
  g.of_p = xyz_of(p);
  g.of_q = sum_of(g.of_p, 1.0L - 2.0L * (long double)g.zeta, xyz_of(e));
  place(&g, &g.x_p, &g.x_q);
  assert_ok(jager_frame_init(&g.frame, e));
  double on_q[3];
  jager_frame_force(&g.frame, &g.force, on_q);
  g.force_in_body = xyz_of(on_q);
  return g;
}

/* Both particles turn by θ about an axis that shifts. */
static jager_movement tumble(glued *g, const double theta[3], uint64_t *seed)
{
  double drift[3], on_q[3];
  xyz old_p = g->x_p, old_q = g->x_q;
  random_direction(seed, drift);
  g->centre = sum_of(g->centre, 0.01L, xyz_of(drift));
  g->body = after(turn_by(theta), g->body);
  place(g, &g->x_p, &g->x_q);
  store(g->step.branch, sum_of(g->x_q, -1.0L, g->x_p));
  store(g->step.shift, sum_of(sum_of(g->x_q, -1.0L, old_q), -1.0L, sum_of(g->x_p, -1.0L, old_p)));
  for (int i = 0; i < 3; i++)
    g->step.spin_p[i] = g->step.spin_q[i] = theta[i];
  jager_movement m = stepped(&g->frame, &g->step);
  g->sum[0] += m.dxi[0];
  g->sum[1] += m.dxi[1];
  g->worst_dxi = fmax(g->worst_dxi, hypot(m.dxi[0], m.dxi[1]));
  g->worst_sum = fmax(g->worst_sum, hypot(g->sum[0], g->sum[1]));
  g->worst_zeta = fmax(g->worst_zeta, fabs(m.zeta - g->zeta));
  g->worst_unit = fmax(g->worst_unit, unit_error(&g->frame));
  jager_frame_force(&g->frame, &g->force, on_q);
  g->worst_force =
      fmax(g->worst_force, (double)length_of(sum_of(xyz_of(on_q), -1.0L, turn(g->body, g->force_in_body))));
  return m;
}

/* Rotations of all sizes up to `most`: about any axis, along the normal (twirling) and across it (tumbling) */
static void random_spin(const glued *g, double most, uint64_t *seed, double theta[3])
{
  double n[3], size = most * exp2(-(double)(random_bits(seed) % 20));
  random_direction(seed, theta);
  jager_frame_normal(&g->frame, n);
  double along = theta[0] * n[0] + theta[1] * n[1] + theta[2] * n[2];
  unsigned kind = (unsigned)(random_bits(seed) % 4);
  for (int i = 0; i < 3; i++)
    theta[i] = size * (kind == 0 ? along * n[i] : kind == 1 ? theta[i] - along * n[i] : theta[i]);
}

static void report(const char *name, const glued *g)
{
  printf("%s: worst step %.1e, sum of steps %.1e, zeta %.1e, force %.1e, |q|^2 - 1 %.1e\n", name, g->worst_dxi,
         g->worst_sum, g->worst_zeta, g->worst_force, g->worst_unit);
}

/* The contact keeps its force, although rounding leaves small Δξ and Δζ in each step. */
TEST(a_glued_pair_tumbles_a_million_times)
{
  uint64_t seed = 2;
  glued g = glue(&seed);
  SCOPED_BENCH b = bench_create(example_law());
  (void)bench_move(&b, g.zeta, 0.0, 0.0);
  jager_force before = bench_move(&b, g.zeta, 3e-4, 4e-4), now = before;
  for (int i = 0; i < 1000000; i++) {
    double theta[3];
    random_spin(&g, 1.0, &seed, theta);
    jager_movement m = tumble(&g, theta, &seed);
    if (jager_contact_move(&b.contact, &b.law, b.pool, m.zeta, m.dxi, &now) != JAGER_OK)
      ck_abort_msg("the contact does not move");
  }
  report("million", &g);
  printf("force of the contact that goes along: %.1e\n", hypot(now.ft[0] - before.ft[0], now.ft[1] - before.ft[1]));
  ck_assert_double_le(g.worst_dxi, 1e-15);
  ck_assert_double_le(g.worst_sum, 1e-12);
  ck_assert_double_le(g.worst_zeta, 1e-15);
  ck_assert_double_le(g.worst_force, 1e-12);
  ck_assert_double_le(g.worst_unit, 4.0 * EPS);
  ck_assert_double_le(hypot(now.ft[0] - before.ft[0], now.ft[1] - before.ft[1]), 1e-9 * before.fn);
}

/* Up to nearly half a turn in a step, where Cayley's vector is long: rounding grows like tan(θ/2). */
TEST(a_glued_pair_turns_far)
{
  uint64_t seed = 3;
  double worst = 0.0;
  for (int i = 0; i < 20000; i++) {
    glued g = glue(&seed);
    double theta[3], angle = i % 2 ? random_in(&seed, 1.0, 3.0) : 3.1415 - exp2(random_in(&seed, -10.0, 0.0));
    random_spin(&g, 1.0, &seed, theta);
    double scale = angle / sqrt(theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]);
    for (int k = 0; k < 3; k++)
      theta[k] *= scale;
    (void)tumble(&g, theta, &seed);
    worst = fmax(worst, fmax(g.worst_dxi, g.worst_force) / tan(angle / 2.0));
    assert_within(g.zeta + g.worst_zeta, g.zeta, 1e-15);
  }
  printf("far: %.1e tan(theta/2)\n", worst);
  ck_assert_double_le(worst, 4e-15);
}

/* When the spheres only twirl, the axes turn by the mean of both spins. */
TEST(axes_twirl_with_the_mean_spin)
{
  for (double angle = 1e-6; angle < 0.2; angle *= 10.0)
    for (int kind = 0; kind < 3; kind++) {
      const double n[3] = {0.6, 0.0, 0.8}, share_p[3] = {1.0, 2.0, 0.0}, share_q[3] = {1.0, 0.0, -2.0};
      jager_step step = {.branch = {0.6, 0.0, 0.8}, .radius_p = 0.5, .radius_q = 0.5};
      jager_frame frame, old;
      assert_ok(jager_frame_init(&frame, n));
      old = frame;
      for (int i = 0; i < 3; i++) {
        step.spin_p[i] = share_p[kind] * angle * n[i];
        step.spin_q[i] = share_q[kind] * angle * n[i];
      }
      jager_movement m = stepped(&frame, &step);
      double mean = 0.5 * (share_p[kind] + share_q[kind]) * angle, twirl[3] = {mean * n[0], mean * n[1], mean * n[2]};
      xyz x = in_axes(&frame, turn(turn_by(twirl), turn((turned){old.q[0], {-old.q[1], -old.q[2], -old.q[3]}},
                                                        (xyz){1.0L, 0.0L, 0.0L})));
      assert_within((double)x.y, 0.0, 4.0 * EPS + (kind ? angle * angle * angle : 0.0)); /* means of tangents */
      assert_within((double)x.z, 0.0, 4.0 * EPS);
      ck_assert_double_le(hypot(m.dxi[0], m.dxi[1]), EPS * angle);
    }
}

/* ---- Refusals --------------------------------------------------------------------------------------------------- */

static void assert_refused(const jager_frame *start, const jager_step *step, jager_status expected)
{
  jager_frame frame = *start;
  jager_movement movement = {7.0, {8.0, 9.0}};
  ck_assert_int_eq(jager_frame_step(&frame, step, &movement), expected);
  ck_assert_mem_eq(&frame, start, sizeof frame);
  ck_assert(movement.zeta == 7.0 && movement.dxi[0] == 8.0 && movement.dxi[1] == 9.0);
}

static const jager_step good_step = {
    .branch = {0.0, 0.6, 0.8}, .shift = {0.01, 0.0, 0.0}, .spin_p = {0.1, 0.0, 0.0}, .radius_p = 0.5, .radius_q = 0.51};

TEST(numbers_that_are_none_are_refused)
{
  const double n[3] = {0.0, 0.6, 0.8};
  jager_frame frame;
  assert_ok(jager_frame_init(&frame, n));
  for (size_t i = 0; i < sizeof(jager_step) / sizeof(double); i++)
    for (int kind = 0; kind < 3; kind++) {
      jager_step step = good_step;
      ((double *)&step)[i] = kind == 0 ? NAN : kind == 1 ? INFINITY : -INFINITY;
      if (i < 12 || kind == 0)
        assert_refused(&frame, &step, JAGER_ERROR_NOT_FINITE);
      else if (kind == 2) /* a radius; INFINITY is a wall */
        assert_refused(&frame, &step, JAGER_ERROR_RADIUS);
    }
  for (size_t i = 0; i < sizeof(jager_step) / sizeof(double); i++) {
    jager_step step = good_step; /* lengths to 1e150, spins to half a turn */
    ((double *)&step)[i] = i >= 6 && i < 12 ? 3.1416 : 1e200;
    assert_refused(&frame, &step, JAGER_ERROR_TOO_LARGE);
    ((double *)&step)[i] = 1e308;
    assert_refused(&frame, &step, JAGER_ERROR_TOO_LARGE);
  }
}

TEST(impossible_steps_are_refused)
{
  const double n[3] = {0.0, 0.6, 0.8}, zero[3] = {0.0, -0.0, 0.0}, bad[3] = {0.0, NAN, 1.0},
               far[3] = {INFINITY, 0.0, 0.0};
  jager_frame good, frame;
  jager_movement movement;
  assert_ok(jager_frame_init(&good, n));
  jager_step step = good_step;
  step.radius_p = -0.5;
  assert_refused(&good, &step, JAGER_ERROR_RADIUS);
  step = good_step;
  step.radius_q = -1e-9;
  assert_refused(&good, &step, JAGER_ERROR_RADIUS);
  step.radius_p = step.radius_q = 0.0;
  assert_refused(&good, &step, JAGER_ERROR_RADIUS);
  step = good_step;
  step.radius_q = 0.0; /* not a wall */
  assert_refused(&good, &step, JAGER_ERROR_RADIUS);
  step.radius_p = step.radius_q = INFINITY;
  assert_refused(&good, &step, JAGER_ERROR_RADIUS);
  step = good_step;
  step.branch[1] = step.branch[2] = 0.0;
  assert_refused(&good, &step, JAGER_ERROR_DIRECTION);
  for (int i = 0; i < 4; i++) {
    frame = good;
    frame.q[i] += 0.01;
    assert_refused(&frame, &good_step, JAGER_ERROR_DIRECTION);
    frame.q[i] = NAN;
    assert_refused(&frame, &good_step, JAGER_ERROR_DIRECTION);
  }
  frame = good;
  ck_assert_int_eq(jager_frame_init(&frame, zero), JAGER_ERROR_DIRECTION);
  ck_assert_int_eq(jager_frame_init(&frame, bad), JAGER_ERROR_DIRECTION);
  ck_assert_int_eq(jager_frame_init(&frame, far), JAGER_ERROR_DIRECTION);
  ck_assert_int_eq(jager_frame_init(&frame, NULL), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_frame_init(NULL, n), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_frame_step(NULL, &good_step, &movement), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_frame_step(&frame, NULL, &movement), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_frame_step(&frame, &good_step, NULL), JAGER_ERROR_NULL);
  ck_assert_mem_eq(&frame, &good, sizeof frame);
  assert_ok(jager_frame_step(&frame, &good_step, &movement)); /* the step itself is fine */
}

/* ---- Forces and torques ----------------------------------------------------------------------------------------- */

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void random_vector(double v[3], double size, uint64_t *random)
{
  for (int i = 0; i < 3; i++)
    v[i] = random_in(random, -size, size);
}

/*
 * Virtual work: in a small step forces and torques do the work -2 Fn Δζ - 2 Ft·Δξ on the contact, up to terms of second
 * order. Pairs and walls, as p or q, are random; jager_frame_step gives the movements.
 */
TEST(forces_and_torques_do_the_work_of_the_contact)
{
  uint64_t random = 41;
  for (int i = 0; i < 3000; i++) {
    const double size = 1e-7;
    const int wall = i % 3; /* 0: none, 1: p, 2: q */
    double radii[2] = {random_in(&random, 0.5, 1.0), random_in(&random, 0.5, 1.0)}, n[3], start[3];
    double zeta = random_in(&random, 0.0, 0.05), move[3], torque[2][3], on_q[3];
    jager_frame frame;
    jager_step step = {.spin_p = {0.0}};
    jager_movement m;
    random_vector(n, 1.0, &random);
    double length = sqrt(dot(n, n)), distance = -2.0 * zeta;
    for (int k = 0; k < 2; k++)
      distance += wall == k + 1 ? 0.0 : radii[k];
    for (int k = 0; k < 3; k++)
      start[k] = distance * n[k] / length;
    assert_ok(jager_frame_init(&frame, n));
    random_vector(move, size, &random);
    random_vector(step.spin_p, size, &random);
    random_vector(step.spin_q, size, &random);
    for (int k = 0; k < 3; k++) { /* a wall is flat: only its normal movement changes the branch */
      step.shift[k] = move[k];
      step.branch[k] = start[k] + (wall ? dot(move, n) / length * n[k] / length : move[k]);
      step.spin_p[k] = wall == 1 ? 0.0 : step.spin_p[k];
      step.spin_q[k] = wall == 2 ? 0.0 : step.spin_q[k];
    }
    step.radius_p = radii[0] = wall == 1 ? INFINITY : radii[0];
    step.radius_q = radii[1] = wall == 2 ? INFINITY : radii[1];
    const jager_force force = {random_in(&random, 0.0, 1.0),
                               {random_in(&random, -1.0, 1.0), random_in(&random, -1.0, 1.0)}};
    jager_frame_force(&frame, &force, on_q);
    jager_frame_torques(&frame, &force, zeta, radii[0], radii[1], torque[0], torque[1]);
    assert_ok(jager_frame_step(&frame, &step, &m));
    double work = dot(on_q, step.shift) + dot(torque[0], step.spin_p) + dot(torque[1], step.spin_q);
    double taken = -2.0 * (force.fn * (m.zeta - zeta) + force.ft[0] * m.dxi[0] + force.ft[1] * m.dxi[1]);
    assert_within(work, taken, 1e-12);
    if (wall)
      ck_assert(dot(torque[wall - 1], torque[wall - 1]) == 0.0);
  }
}

/* The contact is internal: force times branch and both torques add up to zero moment. */
TEST(angular_momentum_is_conserved)
{
  uint64_t random = 42;
  for (int i = 0; i < 1000; i++) {
    const double radii[2] = {random_in(&random, 0.5, 1.0), random_in(&random, 0.5, 1.0)};
    const jager_force force = {random_in(&random, 0.0, 1.0),
                               {random_in(&random, -1.0, 1.0), random_in(&random, -1.0, 1.0)}};
    double zeta = random_in(&random, 0.0, 0.05), n[3], on_q[3], torque[2][3];
    jager_frame frame;
    random_vector(n, 1.0, &random);
    assert_ok(jager_frame_init(&frame, n));
    jager_frame_normal(&frame, n);
    jager_frame_force(&frame, &force, on_q);
    jager_frame_torques(&frame, &force, zeta, radii[0], radii[1], torque[0], torque[1]);
    double distance = radii[0] + radii[1] - 2.0 * zeta;
    for (int k = 0; k < 3; k++) {
      int l = (k + 1) % 3, m = (k + 2) % 3;
      double moment = distance * (n[l] * on_q[m] - n[m] * on_q[l]);
      assert_within(moment + torque[0][k] + torque[1][k], 0.0, 1e-15 * 4.0);
    }
  }
}
