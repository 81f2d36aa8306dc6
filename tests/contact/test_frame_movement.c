/* SPDX-License-Identifier: MIT */
/*
 * Frames: movements within a pair, from particles in space to (ζ, Δξ) and back.
 *
 * Oracles: the geometry of rolling, sliding and spinning spheres, in extended precision; the same movement without an
 * added rigid rotation; the work of the forces on the particles. Invariants: a step and its reverse cancel; the error
 * falls with the order of the method.
 */
#include "jager/pair.h"
#include "rotation.h"

#include <stdio.h>

/* ---- Rolling and sliding ---------------------------------------------------------------------------------------- */

TEST(gears_roll_and_do_not_slide)
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
    ck_assert_double_le(fabs(twirl), 1e-16); /* the axes twirl half as far; the length is the same */
    ck_assert_double_gt((double)(way.x * (long double)slid.dxi[0] + way.y * (long double)slid.dxi[1]), 0.0);
  }
}

/* q rolls once around p in `steps` steps. Returns the Δξ that is left. */
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

/* Cayley's vector replaces the rolled arc of a step by its tangent: they differ in third order. */
TEST(rolling_does_not_slide_as_steps_get_small)
{
  double coarse = left_by_rolling(100), fine = left_by_rolling(200), finest = left_by_rolling(10000);
  ck_assert_double_le(coarse, 1e-4);
  ck_assert_double_le(finest, 1e-8);
  assert_within(coarse / fine, 4.0, 0.1);
}

/* A sphere on a floor: q is a wall below it. */
TEST(a_sphere_slides_on_a_wall_as_far_as_it_goes)
{
  const double down[3] = {0.0, 0.0, -1.0}, forward[3] = {-0.003, 0.004, 0.0};
  jager_step step = {.branch = {0.0, 0.0, -0.49}, .radius_p = 0.5, .radius_q = INFINITY};
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
    jager_step roll = {
        .branch = {0.0, 0.0, -0.49}, .radius_p = 0.5, .radius_q = INFINITY, .shift = {-0.49 * h, 0.0, 0.0}};
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

/* A sphere rolls by 1 rad over a floor that approaches. Returns the Δξ that is left. */
static double left_by_rolling_on_a_wall(int steps)
{
  const double down[3] = {0.0, 0.0, -1.0}, h = 1.0 / steps, closing = 0.02 / steps;
  double distance = 0.5, sum = 0.0;
  jager_frame frame;
  assert_ok(jager_frame_init(&frame, down));
  for (int i = 0; i < steps; i++, distance -= closing) {
    jager_step roll = {.branch = {0.0, 0.0, -(distance - closing)},
                       .shift = {-(distance - 0.5 * closing) * h, 0.0, closing},
                       .spin_p = {0.0, h, 0.0},
                       .radius_p = 0.5,
                       .radius_q = INFINITY};
    jager_movement m = stepped(&frame, &roll);
    sum += hypot(m.dxi[0], m.dxi[1]);
  }
  return sum;
}

TEST(rolling_on_a_wall_that_comes_nearer_is_of_second_order)
{
  double coarse = left_by_rolling_on_a_wall(100), fine = left_by_rolling_on_a_wall(200);
  ck_assert_double_le(coarse, 3e-6);
  assert_within(coarse / fine, 4.0, 0.1);
}

/* ---- Relative movements while the pair turns -------------------------------------------------------------------- */

/* One step: q approaches and shifts, each sphere has its own spin, and `rigid` rotates everything. */
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

TEST(a_rigid_rotation_besides_changes_little)
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
  ck_assert(left[0] / left[1] >= 3.8 && left[1] / left[2] >= 3.8);
}

/* ---- The order of the method, of both codes that have it --------------------------------------------------------- */

/* A motion that is smooth in t: the pair turns, closes and shears, and both spheres turn in their own way. */
typedef struct motion {
  double rate[3];            /* at which the pair turns */
  double closing;            /* how fast the distance falls */
  double shearing;           /* how fast the spheres shear past each other, in the axes of the pair */
  double own_p[3], own_q[3]; /* rates of spin relative to the pair */
} motion;

static xyz branch_at(const motion *of, double t)
{
  const double turning[3] = {of->rate[0] * t, of->rate[1] * t, of->rate[2] * t};
  xyz branch = {1.0L - (long double)(of->closing * t), (long double)(of->shearing * t), 0.0L};
  return turn(turn_by(turning), branch);
}

/* ξ after t = 1 in so many steps: by the library's frames, and by the code that the simulator and LAMMPS use */
static void xi_of(const motion *of, int steps, double by_frame[2], double by_pair[2])
{
  const double radius_p = 0.6, radius_q = 0.405;
  double start[3], spins[2][3];
  store(start, branch_at(of, 0.0));
  jager_frame frame;
  assert_ok(jager_frame_init(&frame, start));
  jager_frame axes = frame;
  xyz x = turn((turned){axes.q[0], {-axes.q[1], -axes.q[2], -axes.q[3]}}, (xyz){1.0L, 0.0L, 0.0L});
  jager_vec3 e = {(double)x.x, (double)x.y, (double)x.z}, old = {start[0], start[1], start[2]};
  for (int i = 0; i < 3; i++) {
    spins[0][i] = (of->rate[i] + of->own_p[i]) / steps;
    spins[1][i] = (of->rate[i] + of->own_q[i]) / steps;
  }
  jager_pair_spheres spheres = {radius_p, radius_q,
                                jager_pair_cayley((jager_vec3){spins[0][0], spins[0][1], spins[0][2]}),
                                jager_pair_cayley((jager_vec3){spins[1][0], spins[1][1], spins[1][2]})};
  by_frame[0] = by_frame[1] = by_pair[0] = by_pair[1] = 0.0;
  for (int k = 1; k <= steps; k++) {
    jager_step step = {.radius_p = radius_p, .radius_q = radius_q};
    store(step.branch, branch_at(of, (double)k / steps));
    store(step.shift, sum_of(xyz_of(step.branch), -1.0L, (xyz){old.x, old.y, old.z}));
    memcpy(step.spin_p, spins[0], sizeof step.spin_p);
    memcpy(step.spin_q, spins[1], sizeof step.spin_q);
    jager_movement by = stepped(&frame, &step);
    jager_vec3 now = {step.branch[0], step.branch[1], step.branch[2]};
    jager_pair_movement moved = jager_pair_move(&spheres, old, e, now, jager_vec3_dot(now, now));
    ck_assert_double_eq_tol(moved.zeta, by.zeta, 1e-15);
    for (int i = 0; i < 2; i++) {
      by_frame[i] += by.dxi[i];
      by_pair[i] += moved.dxi[i];
    }
    e = jager_pair_unit(moved.e);
    old = now;
  }
}

/* A pair that rotates by 1 rad as a rigid body while its distance falls sees no Δξ, in any number of steps. */
TEST(a_pair_that_turns_and_closes_does_not_shear)
{
  const motion closing = {.rate = {0.0, -0.6, 0.8}, .closing = 0.1};
  for (int steps = 2; steps <= 2000; steps *= 10) {
    double by_frame[2], by_pair[2];
    xi_of(&closing, steps, by_frame, by_pair);
    ck_assert_double_le(hypot(by_frame[0], by_frame[1]), 1e-14);
    /* the simulator's Cayley vector is of fourth order in the angle of a step */
    ck_assert_double_le(hypot(by_pair[0], by_pair[1]), 1e-14 + 0.01 * pow(steps, -4.0));
  }
}

/* For all other movements the error of a path falls with the square of the step, in both codes, to the same limit. */
TEST(movements_are_of_second_order)
{
  const motion general = {
      .rate = {0.3, -0.5, 0.8}, .closing = 0.1, .shearing = 0.2, .own_p = {0.4, 0.7, -0.2}, .own_q = {-0.3, 0.1, 0.6}};
  enum { LEVELS = 4 };
  double by_frame[LEVELS][2], by_pair[LEVELS][2];
  for (int level = 0; level < LEVELS; level++)
    xi_of(&general, 25 << level, by_frame[level], by_pair[level]);
  for (int level = 0; level + 2 < LEVELS; level++) {
    double frame_ratio =
        hypot(by_frame[level][0] - by_frame[level + 1][0], by_frame[level][1] - by_frame[level + 1][1]) /
        hypot(by_frame[level + 1][0] - by_frame[level + 2][0], by_frame[level + 1][1] - by_frame[level + 2][1]);
    double pair_ratio =
        hypot(by_pair[level][0] - by_pair[level + 1][0], by_pair[level][1] - by_pair[level + 1][1]) /
        hypot(by_pair[level + 1][0] - by_pair[level + 2][0], by_pair[level + 1][1] - by_pair[level + 2][1]);
    double apart = hypot(by_frame[level][0] - by_pair[level][0], by_frame[level][1] - by_pair[level][1]);
    printf("order: ratios %.3f (frame), %.3f (pair), codes differ by %.2e\n", frame_ratio, pair_ratio, apart);
    assert_within(frame_ratio, 4.0, 0.1);
    assert_within(pair_ratio, 4.0, 0.1);
    ck_assert_double_le(apart, 1.0 / (25.0 * 25.0 * (1 << (2 * level))));
  }
}

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

TEST(forces_do_the_work_that_the_contact_takes_up)
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
  ck_assert(left[0] / left[1] >= 3.5 && left[1] / left[2] >= 3.5);
}

/* ---- There and back ----------------------------------------------------------------------------------------- */

/* At constant distance a step and its reverse have the same mean axes: they cancel to rounding, whatever their size. */
TEST(a_step_and_its_reverse_cancel)
{
  uint64_t seed = 5;
  for (int i = 0; i < 2000; i++) {
    double old[3], turning[3], size = exp2(random_in(&seed, -20.0, -1.0));
    jager_frame start, frame;
    jager_step step = {.radius_p = 0.6, .radius_q = 0.405}, reverse = step;
    random_direction(&seed, old);
    random_direction(&seed, turning);
    for (int k = 0; k < 3; k++) {
      turning[k] *= size;
      step.spin_p[k] = size * random_in(&seed, -1.0, 1.0);
      step.spin_q[k] = size * random_in(&seed, -1.0, 1.0);
      reverse.spin_p[k] = -step.spin_p[k];
      reverse.spin_q[k] = -step.spin_q[k];
    }
    xyz n = xyz_of(old), end = turn(turn_by(turning), n);
    store(step.branch, end);
    store(step.shift, sum_of(end, -1.0L, n));
    store(reverse.branch, n);
    store(reverse.shift, sum_of(n, -1.0L, end));
    assert_ok(jager_frame_init(&start, old));
    frame = start;
    jager_movement there = stepped(&frame, &step), back = stepped(&frame, &reverse);
    ck_assert_double_gt(hypot(there.dxi[0], there.dxi[1]), 0.0);
    ck_assert_double_le(hypot(there.dxi[0] + back.dxi[0], there.dxi[1] + back.dxi[1]), 1e-15);
    double off = 0.0; /* the axes, too, are where they were */
    for (int k = 0; k < 4; k++)
      off = fmax(off, fabs(frame.q[k] - start.q[k]));
    ck_assert_double_le(off, 1e-15);
  }
}
