/* SPDX-License-Identifier: MIT */
/*
 * Frames: from particles in space to (ζ, Δξ) and back.
 *
 * The oracle is a rigid body whose orientation is followed in extended precision, with sines and cosines, which the
 * library does not use. Invariants: a glued pair sees no Δξ and a constant ζ, its force stays attached to it; local z
 * is the normal; the quaternion is unit; the force does the work that the contact takes up.
 */
#include "rotation.h"
#include "support.h"

#include <stdio.h>

#define EPS 0x1p-52

/* Global vector in a frame's axes, with the oracle's own formula */
static xyz in_axes(const jager_frame *frame, xyz v)
{
  return turn((turned){frame->q[0], {frame->q[1], frame->q[2], frame->q[3]}}, v);
}

/* ---- Helpers ---------------------------------------------------------------------------------------------------- */

static void random_direction(uint64_t *seed, double n[3])
{
  double square;
  do {
    for (int i = 0; i < 3; i++)
      n[i] = random_in(seed, -1.0, 1.0);
    square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
  } while (!(square > 0.01 && square < 1.0));
  for (int i = 0; i < 3; i++)
    n[i] /= sqrt(square);
}

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

/* Check writes a file at each of its assertions: where there are a million, only a failure may reach it. */
static jager_movement stepped(jager_frame *frame, const jager_step *step)
{
  jager_movement movement = {NAN, {NAN, NAN}};
  if (jager_frame_step(frame, step, &movement) != JAGER_OK)
    ck_abort_msg("the step fails");
  return movement;
}

/* ---- Axes around a normal --------------------------------------------------------------------------------------- */

START_TEST(axes_are_around_any_normal)
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
  for (double tilt = 1.0; tilt > 1e-20; tilt *= 0.3) /* nearly -z: where the shortest rotation is half a turn */
    for (int k = 0; k < 4; k++) {
      double n[3] = {k % 2 ? tilt : -tilt, k / 2 ? 0.7 * tilt : 0.0, -1.0};
      assert_ok(jager_frame_init(&frame, n));
      assert_frame_is_around(&frame, n);
    }
  static const double exact[][3] = {{0, 0, -1},      {0, 0, 1},        {0, 0, -1e-300}, {1, 0, 0},
                                    {0, -1, 0},      {5e-324, 0, 0},   {0, 0, -5e-324}, {1e308, -1e308, 1e308},
                                    {0, 1e-30, -1.0}, {-0.0, 0.0, -1e300}};
  for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++) {
    assert_ok(jager_frame_init(&frame, exact[i]));
    assert_frame_is_around(&frame, exact[i]);
  }
}
END_TEST

/* ---- A glued pair ----------------------------------------------------------------------------------------------- */

typedef struct glued {
  turned body;
  xyz centre, of_p, of_q; /* the axis' foot, and the particles' places in the body */
  xyz x_p, x_q;
  jager_frame frame;
  jager_step step;
  jager_force force;
  xyz force_in_body;
  double zeta, sum[2];
  double worst_dxi, worst_sum, worst_zeta, worst_force, worst_unit; /* what the run comes to */
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

/* Both particles turn by θ, about an axis that goes elsewhere. */
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
  g->worst_force = fmax(g->worst_force,
                        (double)length_of(sum_of(xyz_of(on_q), -1.0L, turn(g->body, g->force_in_body))));
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

/* A contact goes along: its force, too, must stay what it is, though what rounding leaves of Δξ and Δζ moves it. */
START_TEST(a_glued_pair_tumbles_a_million_times)
{
  uint64_t seed = 2;
  glued g = glue(&seed);
  struct bench b = bench_create(jager_law_default());
  (void)bench_move(&b, g.zeta, 0.0, 0.0);
  jager_force before = bench_move(&b, g.zeta, 3e-4, 4e-4), now = before;
  for (int i = 0; i < 1000000; i++) {
    double theta[3];
    random_spin(&g, 1.0, &seed, theta);
    jager_movement m = tumble(&g, theta, &seed);
    if (jager_contact_move(&b.law, b.pool, &b.contact, m.zeta, m.dxi, &now) != JAGER_OK)
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
  bench_destroy(&b);
}
END_TEST

/* Up to nearly half a turn in a step, where Cayley's vector is long: rounding grows like tan(θ/2). */
START_TEST(a_glued_pair_turns_far)
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
END_TEST

/* The axes of pure twirling turn by the mean of both spins. */
START_TEST(axes_twirl_with_the_mean_spin)
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
END_TEST

/* ---- Rolling and sliding ----------------------------------------------------------------------------------------- */

START_TEST(gears_roll_and_do_not_slide)
{
  uint64_t seed = 4;
  for (int i = 0; i < 1000; i++) {
    double n[3], spin[3];
    jager_frame frame;
    jager_step step = {.radius_p = 0.5, .radius_q = 0.5};
    random_direction(&seed, n);
    random_direction(&seed, spin);
    for (int k = 0; k < 3; k++) {
      step.branch[k] = 0.99 * n[k];
      step.spin_p[k] = 0.1 * spin[k];
      step.spin_q[k] = -0.1 * spin[k];
    }
    assert_ok(jager_frame_init(&frame, n));
    jager_movement rolled = stepped(&frame, &step);
    ck_assert_double_le(hypot(rolled.dxi[0], rolled.dxi[1]), 1e-16);
    assert_within(rolled.zeta, 0.005, 1e-15);
    for (int k = 0; k < 3; k++) /* both turn one way: their surfaces slide past each other */
      step.spin_q[k] = step.spin_p[k];
    assert_ok(jager_frame_init(&frame, n));
    jager_movement slid = stepped(&frame, &step);
    double factor = 2.0 * tan(0.05) * 0.99; /* of the branch */
    jager_frame around;
    assert_ok(jager_frame_init(&around, n));
    xyz way = outer(xyz_of(n), xyz_of(spin)); /* n × θ = -θ × n */
    way = in_axes(&around, way);
    double twirl = hypot(slid.dxi[0], slid.dxi[1]) - 0.5 * factor * (double)hypotl(way.x, way.y);
    ck_assert_double_le(fabs(twirl), 1e-16); /* the axes twirl half way, lengths do not care */
    ck_assert_double_gt((double)(way.x * (long double)slid.dxi[0] + way.y * (long double)slid.dxi[1]), 0.0);
  }
}
END_TEST

/* q rolls once around p, n turning by φ in all, in so many steps: the Δξ that is left */
static double left_by_rolling(int steps)
{
  const double n[3] = {1.0, 0.0, 0.0}, phi = 1.0;
  jager_step step = {.radius_p = 0.6, .radius_q = 0.4};
  double distance = 0.98, arm_q = 0.39, sum = 0.0;
  jager_frame frame;
  assert_ok(jager_frame_init(&frame, n));
  step.spin_q[2] = phi / steps * distance / arm_q;
  for (int i = 1; i <= steps; i++) {
    double angle = phi * i / steps, old = phi * (i - 1) / steps;
    step.branch[0] = distance * cos(angle);
    step.branch[1] = distance * sin(angle);
    step.shift[0] = distance * (cos(angle) - cos(old));
    step.shift[1] = distance * (sin(angle) - sin(old));
    jager_movement m = stepped(&frame, &step);
    sum += hypot(m.dxi[0], m.dxi[1]);
  }
  return sum;
}

/* In a step, the arc that rolls and the tangent that Cayley puts in its place differ in third order. */
START_TEST(rolling_does_not_slide_as_steps_get_small)
{
  double coarse = left_by_rolling(100), fine = left_by_rolling(200), finest = left_by_rolling(10000);
  ck_assert_double_le(coarse, 1e-4);
  ck_assert_double_le(finest, 1e-8);
  assert_within(coarse / fine, 4.0, 0.1);
}
END_TEST

/* A sphere on a floor that is q, of radius 0, under it */
START_TEST(a_sphere_slides_on_a_wall_as_far_as_it_goes)
{
  const double down[3] = {0.0, 0.0, -1.0}, forward[3] = {-0.003, 0.004, 0.0};
  jager_step step = {.branch = {0.0, 0.0, -0.49}, .radius_p = 0.5, .radius_q = 0.0};
  jager_frame frame;
  assert_ok(jager_frame_init(&frame, down));
  for (int i = 0; i < 3; i++)
    step.shift[i] = -forward[i]; /* the floor goes back */
  jager_movement m = stepped(&frame, &step);
  xyz way = in_axes(&frame, xyz_of(step.shift));
  assert_within(m.zeta, 0.005, 1e-17);
  assert_within(m.dxi[0], 0.5 * (double)way.x, 1e-17);
  assert_within(m.dxi[1], 0.5 * (double)way.y, 1e-17);
  double h = 0.01, left[2]; /* rolling forward by hd along x: spin about y */
  for (int k = 0; k < 2; k++, h *= 0.5) {
    jager_step roll = {.branch = {0.0, 0.0, -0.49}, .radius_p = 0.5, .shift = {-0.49 * h, 0.0, 0.0}};
    roll.spin_p[1] = h;
    jager_movement r = stepped(&frame, &roll);
    left[k] = hypot(r.dxi[0], r.dxi[1]);
    roll.shift[0] = 0.0; /* spinning on the spot: the floor moves forward against the sphere's lowest point */
    r = stepped(&frame, &roll);
    xyz slid = in_axes(&frame, (xyz){0.49L * 2.0L * tanl((long double)h / 2.0L), 0.0L, 0.0L});
    assert_within(r.dxi[0], 0.5 * (double)slid.x, 1e-17);
    assert_within(r.dxi[1], 0.5 * (double)slid.y, 1e-17);
  }
  assert_within(left[0] / left[1], 8.0, 0.1);
  assert_within(left[0], 0.49 * 1e-6 / 24.0, 1e-9);
}
END_TEST

/* ---- Relative movements while the pair turns --------------------------------------------------------------------- */

/* One step: q comes nearer, shifts, both spin in their own way; and `rigid` turns everything besides. */
static jager_movement relative_step(double size, double rigid, jager_frame *frame, jager_step *step)
{
  const double start[3] = {0.36, 0.48, 0.792}, turning[3] = {0.5 * rigid * size, -rigid * size, 0.8 * rigid * size};
  const double spin_p[3] = {0.3 * size, 0.5 * size, -0.4 * size}, spin_q[3] = {-0.2 * size, 0.6 * size, 0.1 * size};
  xyz old = xyz_of(start), end = sum_of(old, size, (xyz){-0.21L, 0.13L, -0.08L});
  turned whole = turn_by(turning);
  end = turn(whole, end);
  *step = (jager_step){.radius_p = 0.6, .radius_q = 0.405};
  store(step->branch, end);
  store(step->shift, sum_of(end, -1.0L, old));
  spin_of(after(whole, turn_by(spin_p)), step->spin_p);
  spin_of(after(whole, turn_by(spin_q)), step->spin_q);
  assert_ok(jager_frame_init(frame, start));
  return stepped(frame, step);
}

START_TEST(a_rigid_rotation_besides_changes_little)
{
  double left[3], size = 0.01;
  for (int k = 0; k < 3; k++, size *= 0.5) {
    jager_frame frame;
    jager_step step;
    jager_movement still = relative_step(size, 0.0, &frame, &step), turning = relative_step(size, 1.0, &frame, &step);
    assert_within(turning.zeta, still.zeta, 1e-16);
    left[k] = hypot(turning.dxi[0] - still.dxi[0], turning.dxi[1] - still.dxi[1]);
    ck_assert_double_gt(hypot(still.dxi[0], still.dxi[1]), 0.05 * size);
    ck_assert_double_le(left[k], size * size);
  }
  printf("objectivity: %.2e, %.2e, %.2e: ratios %.3f, %.3f\n", left[0], left[1], left[2], left[0] / left[1],
         left[1] / left[2]);
  ck_assert_double_ge(left[0] / left[1], 3.8);
  ck_assert_double_ge(left[1] / left[2], 3.8);
}
END_TEST

/* Work done on both particles by the forces ±F at their arms, F and arms being the means of before and after */
static double work_on_particles(const jager_step *step, xyz mean_force, xyz mean_normal, double mean_zeta)
{
  long double arm_p = step->radius_p - mean_zeta, arm_q = step->radius_q - mean_zeta;
  xyz on_p = {-mean_force.x, -mean_force.y, -mean_force.z};
  xyz to_p = {arm_p * mean_normal.x, arm_p * mean_normal.y, arm_p * mean_normal.z};
  xyz to_q = {-arm_q * mean_normal.x, -arm_q * mean_normal.y, -arm_q * mean_normal.z};
  return (double)(inner(mean_force, xyz_of(step->shift)) + inner(outer(to_p, on_p), xyz_of(step->spin_p)) +
                  inner(outer(to_q, mean_force), xyz_of(step->spin_q)));
}

START_TEST(forces_do_the_work_that_the_contact_takes_up)
{
  const jager_force force = {2.0, {0.7, -0.4}};
  double left[3], size = 0.01;
  for (int k = 0; k < 3; k++, size *= 0.5) {
    const double start[3] = {0.36, 0.48, 0.792};
    jager_frame old, frame;
    jager_step step;
    assert_ok(jager_frame_init(&old, start));
    double zeta_old = 0.5 * (0.6 + 0.405 - sqrt(0.36 * 0.36 + 0.48 * 0.48 + 0.792 * 0.792));
    jager_movement m = relative_step(size, 1.0, &frame, &step);
    double f_old[3], f_new[3], n_old[3], n_new[3];
    jager_frame_force(&old, &force, f_old);
    jager_frame_force(&frame, &force, f_new);
    jager_frame_normal(&old, n_old);
    jager_frame_normal(&frame, n_new);
    ck_assert_double_gt(f_new[0] * n_new[0] + f_new[1] * n_new[1] + f_new[2] * n_new[2], 1.99); /* pushes q away */
    xyz f = {(f_old[0] + f_new[0]) / 2.0L, (f_old[1] + f_new[1]) / 2.0L, (f_old[2] + f_new[2]) / 2.0L};
    xyz n = {(n_old[0] + n_new[0]) / 2.0L, (n_old[1] + n_new[1]) / 2.0L, (n_old[2] + n_new[2]) / 2.0L};
    double work = work_on_particles(&step, f, n, 0.5 * (zeta_old + m.zeta));
    double normal = 2.0 * force.fn * (m.zeta - zeta_old);
    double shear = 2.0 * (force.ft[0] * m.dxi[0] + force.ft[1] * m.dxi[1]);
    left[k] = fabs(work + normal + shear);
    ck_assert_double_gt(fabs(normal), 0.05 * size);
    ck_assert_double_gt(fabs(shear), 0.05 * size);
  }
  printf("work: %.2e, %.2e, %.2e\n", left[0], left[1], left[2]);
  ck_assert_double_le(left[0], 1e-4);
  ck_assert_double_ge(left[0] / left[1], 3.5);
  ck_assert_double_ge(left[1] / left[2], 3.5);
}
END_TEST

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

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

START_TEST(numbers_that_are_none_are_refused)
{
  const double n[3] = {0.0, 0.6, 0.8};
  jager_frame frame;
  assert_ok(jager_frame_init(&frame, n));
  for (size_t i = 0; i < sizeof(jager_step) / sizeof(double); i++)
    for (int kind = 0; kind < 3; kind++) {
      jager_step step = good_step;
      ((double *)&step)[i] = kind == 0 ? NAN : kind == 1 ? INFINITY : -INFINITY;
      assert_refused(&frame, &step, JAGER_ERROR_NOT_FINITE);
    }
  for (size_t i = 0; i < sizeof(jager_step) / sizeof(double); i++) {
    jager_step step = good_step; /* lengths to 1e150, spins to half a turn */
    ((double *)&step)[i] = i >= 6 && i < 12 ? 3.1416 : 1e200;
    assert_refused(&frame, &step, JAGER_ERROR_TOO_LARGE);
    ((double *)&step)[i] = 1e308;
    assert_refused(&frame, &step, JAGER_ERROR_TOO_LARGE);
  }
}
END_TEST

START_TEST(impossible_steps_are_refused)
{
  const double n[3] = {0.0, 0.6, 0.8}, zero[3] = {0.0, -0.0, 0.0}, bad[3] = {0.0, NAN, 1.0}, far[3] = {INFINITY, 0.0, 0.0};
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
END_TEST

static void add_tests(TCase *tests)
{
  tcase_add_test(tests, axes_are_around_any_normal);
  tcase_add_test(tests, a_glued_pair_tumbles_a_million_times);
  tcase_add_test(tests, a_glued_pair_turns_far);
  tcase_add_test(tests, axes_twirl_with_the_mean_spin);
  tcase_add_test(tests, gears_roll_and_do_not_slide);
  tcase_add_test(tests, rolling_does_not_slide_as_steps_get_small);
  tcase_add_test(tests, a_sphere_slides_on_a_wall_as_far_as_it_goes);
  tcase_add_test(tests, a_rigid_rotation_besides_changes_little);
  tcase_add_test(tests, forces_do_the_work_that_the_contact_takes_up);
  tcase_add_test(tests, numbers_that_are_none_are_refused);
  tcase_add_test(tests, impossible_steps_are_refused);
}

int main(void)
{
  return run_tests("frame", add_tests);
}
