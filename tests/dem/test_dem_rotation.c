/* SPDX-License-Identifier: MIT */
/*
 * Contacts that rotate in space. The test sets positions and rotations of the spheres, and runs the contact phase
 * alone.
 *
 * Oracles: a pair that rotates as one rigid body keeps its forces, which rotate with it (Rodrigues' formula), however
 * far it rotates in a step. For smooth movements of all kinds at once, libjager's quaternion frames in the limit of
 * small steps; the simulator converges to it with the square of the step.
 */
#include "dem_support.h"

#include "dem/contacts.h"
#include "dem/step.h"

FIXTURE_ONCE(make_directory, remove_directory)

/* ---- A pair by itself -------------------------------------------------------------------------------------------- */

static const double radii[2] = {1.0e-3, 0.7e-3};

/* Two spheres that overlap by 2ζ along the unit vector. */
static dem_simulation *start_pair(dem_case *run, vec3 n, double zeta)
{
  vec3 x[2] = {{5e-3, 5e-3, 5e-3}};
  x[1] = vec3_add_scaled(x[0], radii[0] + radii[1] - 2.0 * zeta, n);
  dem_write_spheres(directory, "pair", (upper_matrix){.xx = 1e-2, .yy = 1e-2, .zz = 1e-2}, 2, x, radii, NULL);
  dem_take_file(run, directory, "pair");
  dem_simulation *s = dem_create(run, 1);
  ck_assert_uint_eq(dem_simulation_contacts(s), 1);
  return s;
}

/* Where they are now, and Cayley's vectors of how they have turned: by ids. */
static void put_pair(dem_simulation *s, const vec3 x[2], const vec3 spin[2])
{
  error_info error = {.text = ""};
  for (uint32_t id = 0; id < 2; id++) {
    double angle = vec3_length(spin[id]);
    jager_particle *b = &s->bodies[dem_sphere(s, id)];
    vec3_store(b->x, x[id]);
    vec3_store(b->rotation, angle > 0.0 ? vec3_scale(2.0 * tan(0.5 * angle) / angle, spin[id]) : spin[id]);
  }
  s->step++;
  ck_assert_msg(dem_contacts_move(s, &error), "%s", error.text);
}

/* Contact force on the sphere with id 1, and torques on both. */
typedef struct loads {
  vec3 force, torque[2];
} loads;

static loads loads_now(const dem_simulation *s)
{
  loads l;
  vec3 other;
  forces_gather(s, dem_sphere(s, 0), &other, &l.torque[0]);
  forces_gather(s, dem_sphere(s, 1), &l.force, &l.torque[1]);
  return l;
}

/* Rodrigues' formula. */
static vec3 turned(vec3 v, vec3 rotation)
{
  double angle = vec3_length(rotation);
  vec3 k = vec3_scale(1.0 / angle, rotation), across = vec3_cross(k, v);
  vec3 sum = vec3_add_scaled(vec3_scale(cos(angle), v), sin(angle), across);
  return vec3_add_scaled(sum, (1.0 - cos(angle)) * vec3_dot(k, v), k);
}

static vec3 random_vector(uint64_t *seed, double length)
{
  vec3 v = dem_unit(random_in(seed, -1.0, 1.0), random_in(seed, -1.0, 1.0), random_in(seed, -1.0, 1.0));
  return vec3_scale(length, v);
}

/* ---- As one rigid body ------------------------------------------------------------------------------------------- */

/* Pressed, then shifted and twisted: a tangential force below f Fn. */
static dem_simulation *loaded_pair(dem_case *run, vec3 x[2], uint64_t *seed)
{
  vec3 n = random_vector(seed, 1.0);
  dem_simulation *s = start_pair(run, n, 2e-7);
  for (uint32_t id = 0; id < 2; id++)
    x[id] = vec3_load(s->bodies[dem_sphere(s, id)].x);
  for (int k = 0; k < 5; k++) {
    vec3 spin[2] = {random_vector(seed, 1e-5), random_vector(seed, 1e-5)};
    x[1] = vec3_add(x[1], random_vector(seed, 1e-8));
    put_pair(s, x, spin);
  }
  return s;
}

/* Rotates the pair about an axis through a point nearby, step by step; the loads must rotate with it. */
static double rigid_error(double angle, int times, uint64_t *seed)
{
  SCOPED_CASE run = dem_still_case(1e-7);
  run.material.friction = 1.0;
  vec3 x[2], middle;
  SCOPED_SIMULATION s = loaded_pair(&run, x, seed);
  loads expected = loads_now(s), got;
  double worst = 0.0, fn = vec3_length(expected.force);
  for (int k = 0; k < times; k++) {
    vec3 rotation = random_vector(seed, angle), spin[2] = {rotation, rotation};
    middle = vec3_add(vec3_scale(0.5, vec3_add(x[0], x[1])), random_vector(seed, 1e-4));
    for (int i = 0; i < 2; i++)
      x[i] = vec3_add(middle, turned(vec3_subtract(x[i], middle), rotation));
    put_pair(s, x, spin);
    expected.force = turned(expected.force, rotation);
    got = loads_now(s);
    worst = fmax(worst, vec3_length(vec3_subtract(got.force, expected.force)) / fn);
    for (int i = 0; i < 2; i++) {
      expected.torque[i] = turned(expected.torque[i], rotation);
      worst = fmax(worst, vec3_length(vec3_subtract(got.torque[i], expected.torque[i])) / (fn * radii[i]));
    }
  }
  contact_walk at = contact_walk_start(s);
  ck_assert(contact_walk_next(&at));
  double ft = hypot(at.frame.ft[0], at.frame.ft[1]);
  ck_assert_msg(ft > 0.01 * jager_contact_fn(&at.contact) && ft < 0.99 * jager_contact_fn(&at.contact), "Ft is %g Fn",
                ft / jager_contact_fn(&at.contact));
  return worst;
}

/* Overlaps are 4e-7 m of places of 1e-2 m: rounding of 1e-18 m is 1e-11 of the force, and adds up. */
TEST(a_rigid_pair_keeps_its_forces)
{
  const double angles[] = {1e-6, 1e-4, 1e-2, 0.1};
  const int times[] = {3000, 3000, 1000, 300};
  uint64_t seed = 2;
  for (int k = 0; k < 4; k++) {
    double worst = 0.0;
    for (int pair = 0; pair < 5; pair++)
      worst = fmax(worst, rigid_error(angles[k], times[k], &seed));
    double twirl = 0.05 * sqrt(times[k]) * pow(angles[k], 3.0); /* its angle is exact to third order */
    printf("rigid, %g rad a step: loads within %.1e after %d steps\n", angles[k], worst, times[k]);
    ck_assert_double_le(worst, 2e-8 + twirl);
  }
}

/* ---- All kinds of movement at once ------------------------------------------------------------------------------- */

/* Where a smooth movement is at time t in [0, 1]. */
static vec3 branch_at(double t)
{
  vec3 n = dem_unit(cos(0.6 * t), sin(0.6 * t), 0.3 * sin(2.0 * t));
  return vec3_scale(radii[0] + radii[1] - 2.0 * (2e-6 + 1e-6 * sin(3.0 * t)), n);
}

/* Angular velocities: the rotation of the pair, which tumbles and twirls, and a small relative one. */
static void spins_at(double t, vec3 w[2])
{
  const double h = 1e-4;
  vec3 n = branch_at(t), change = vec3_scale(0.5 / h, vec3_subtract(branch_at(t + h), branch_at(t - h)));
  double square = vec3_dot(n, n);
  vec3 tumbling = vec3_scale(1.0 / square, vec3_cross(n, change)), twirling = vec3_scale(0.8 / sqrt(square), n);
  for (int k = 0; k < 2; k++) {
    double side = k == 0 ? 1.0 : 0.5;
    vec3 against = {2e-4 * side * cos(2.0 * t), 1e-4 * cos(t), 3e-4 * side * sin(t + 1.0)};
    w[k] = vec3_add(vec3_add(tumbling, twirling), against);
  }
}

/* Without spins the surfaces would shift far: the spins must compensate that. */
static vec3 on_q_by_simulation(int steps)
{
  SCOPED_CASE run = dem_still_case(1e-7);
  vec3 start = branch_at(0.0), w[2];
  SCOPED_SIMULATION s = start_pair(&run, vec3_scale(1.0 / vec3_length(start), start), 2e-6);
  vec3 x[2] = {vec3_load(s->bodies[dem_sphere(s, 0)].x), {0.0, 0.0, 0.0}};
  for (int k = 0; k < steps; k++) {
    spins_at((k + 0.5) / steps, w);
    vec3 spin[2] = {vec3_scale(1.0 / steps, w[0]), vec3_scale(1.0 / steps, w[1])};
    x[1] = vec3_add(x[0], branch_at((k + 1.0) / steps));
    put_pair(s, x, spin);
  }
  vec3 force = loads_now(s).force;
  return force;
}

static vec3 on_q_by_frames(int steps)
{
  dem_case run = dem_still_case(1e-7);
  jager_law law = example_law();
  assert_ok(jager_law_set_bodies(&law, run.material.shear_modulus, run.material.poisson));
  assert_ok(jager_law_set_friction(&law, run.material.friction));
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact contact = {0};
  jager_frame frame;
  jager_force force;
  vec3 before = branch_at(0.0), w[2];
  assert_ok(jager_contact_init(&contact, &law, radii[0], radii[1]));
  assert_ok(jager_frame_init(&frame, (double[3]){before.x, before.y, before.z}));
  assert_ok(jager_contact_move(&contact, &law, pool, 2e-6, (double[2]){0.0, 0.0}, &force));
  for (int k = 0; k < steps; k++) {
    spins_at((k + 0.5) / steps, w);
    vec3 now = branch_at((k + 1.0) / steps), shift = vec3_subtract(now, before);
    jager_step step = {.branch = {now.x, now.y, now.z},
                       .shift = {shift.x, shift.y, shift.z},
                       .spin_p = {w[0].x / steps, w[0].y / steps, w[0].z / steps},
                       .spin_q = {w[1].x / steps, w[1].y / steps, w[1].z / steps},
                       .radius_p = radii[0],
                       .radius_q = radii[1]};
    jager_movement movement;
    assert_ok(jager_frame_step(&frame, &step, &movement));
    assert_ok(jager_contact_move(&contact, &law, pool, movement.zeta, movement.dxi, &force));
    before = now;
  }
  double on_q[3];
  jager_frame_force(&frame, &force, on_q);
  jager_contact_release(&contact, pool);
  return (vec3){on_q[0], on_q[1], on_q[2]};
}

/* Frames use the arm at the end of a step: of first order if a pair tumbles while ζ changes, hence extrapolated. */
static vec3 on_q_in_the_limit(void)
{
  enum { FINE = 1 << 16 };
  return vec3_add_scaled(vec3_scale(2.0, on_q_by_frames(2 * FINE)), -1.0, on_q_by_frames(FINE));
}

TEST(smooth_movements_come_to_the_same_forces)
{
  vec3 exact = on_q_in_the_limit(), n = branch_at(1.0);
  double size = vec3_length(exact), fn = vec3_dot(exact, n) / vec3_length(n), ft = sqrt(size * size - fn * fn);
  double before = 0.0;
  for (int steps = 125; steps <= 1000; steps *= 2) {
    double error = vec3_length(vec3_subtract(on_q_by_simulation(steps), exact)) / fn;
    double order = before > 0.0 ? dem_order(before, error) : 2.0;
    printf("smooth movement in %d steps: force off by %.2e Fn, order %.2f; |Ft| is %.3f Fn\n", steps, error, order,
           ft / fn);
    ck_assert_double_ge(order, 1.7);
    before = error;
  }
  ck_assert(ft > 0.05 * fn && ft < 0.45 * fn);
  ck_assert_double_le(before, 1e-4);
}
