/* SPDX-License-Identifier: MIT */
/*
 * Dissipation by friction: the simulator counts the work of the tangential forces, step by step with the mean force,
 * minus the change of the stored energy.
 *
 * Oracle: every contact of a sheared packing is cloned before each step, and the clone moves with its spheres, by
 * libjager's quaternion frames and with exact energies. The forces of the clones are compared with the simulator's,
 * too.
 */
#include "dem_support.h"

enum { SPHERES = 120, STEPS = 300 };

FIXTURE_PACKED(ONCE, SPHERES)

/* ---- Axes -------------------------------------------------------------------------------------------------------- */

/* The quaternion that turns global vectors to the axes (e, n × e, n). */
static jager_frame frame_of(vec3 n, vec3 e)
{
  vec3 f = vec3_cross(n, e);
  double r[3][3] = {{e.x, e.y, e.z}, {f.x, f.y, f.z}, {n.x, n.y, n.z}};
  double q[4], squares[4] = {1.0 + r[0][0] + r[1][1] + r[2][2], 1.0 + r[0][0] - r[1][1] - r[2][2],
                             1.0 - r[0][0] + r[1][1] - r[2][2], 1.0 - r[0][0] - r[1][1] + r[2][2]};
  int largest = 0;
  for (int k = 1; k < 4; k++)
    largest = squares[k] > squares[largest] ? k : largest;
  double twice = sqrt(squares[largest]), s = 0.5 / twice;
  const double products[4][4] = {
      {twice / (2.0 * s), r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]},
      {r[2][1] - r[1][2], twice / (2.0 * s), r[1][0] + r[0][1], r[2][0] + r[0][2]},
      {r[0][2] - r[2][0], r[1][0] + r[0][1], twice / (2.0 * s), r[2][1] + r[1][2]},
      {r[1][0] - r[0][1], r[2][0] + r[0][2], r[2][1] + r[1][2], twice / (2.0 * s)},
  };
  double square = 0.0;
  for (int k = 0; k < 4; k++) {
    q[k] = s * products[largest][k];
    square += q[k] * q[k];
  }
  jager_frame frame;
  for (int k = 0; k < 4; k++)
    frame.q[k] = q[k] / sqrt(square);
  return frame;
}

/* Rotation vector of Cayley's. */
static vec3 rotation_of(vec3 turn)
{
  double length = vec3_length(turn);
  return length > 0.0 ? vec3_scale(2.0 * atan(0.5 * length) / length, turn) : turn;
}

/* ---- A step of the clones ---------------------------------------------------------------------------------------- */

typedef struct clone {
  bool touches;
  jager_contact contact;
  vec3 branch, axis;
} clone;

typedef struct twin {
  jager_pool *pool;
  clone clones[SPHERES][SPHERES]; /* by numbers of the spheres, p < q */
  vec3 x[SPHERES];                /* before the step */
  double dissipated, worst_force;
  size_t births, deaths;
} twin;

static void remember(twin *t, const dem_simulation *s)
{
  for (size_t i = 0; i < s->count; i++)
    t->x[i] = vec3_load(s->bodies[i].x);
  contact_walk at = contact_walk_start(s);
  while (contact_walk_next(&at)) {
    clone *c = &t->clones[at.p][at.q];
    c->touches = true;
    c->branch = at.frame.branch;
    c->axis = at.frame.axis;
    assert_ok(jager_contact_clone(&at.contact, t->pool, &c->contact));
  }
}

/* x = (1 + A) x0 of vectors between images, and its inverse. */
static vec3 carried(const dem_simulation *s, vec3 whole)
{
  return vec3_add(whole, upper_matrix_times(s->movement, whole));
}

static vec3 carried_back(const dem_simulation *s, vec3 whole)
{
  upper_matrix a = s->movement;
  return upper_matrix_solve((upper_matrix){1.0 + a.xx, 1.0 + a.yy, 1.0 + a.zz, a.xy, a.xz, a.yz}, whole);
}

static vec3 between(const twin *t, const dem_simulation *s, uint32_t p, uint32_t q, bool is_before)
{
  return is_before ? vec3_subtract(t->x[q], t->x[p])
                   : vec3_subtract(vec3_load(s->bodies[q].x), vec3_load(s->bodies[p].x));
}

/* Moves the clone to the new branch, and adds the energy that it dissipates. */
static jager_force move_clone(twin *t, const dem_simulation *s, uint32_t p, uint32_t q, clone *c, vec3 branch)
{
  jager_frame frame = frame_of(vec3_scale(1.0 / vec3_length(c->branch), c->branch), c->axis);
  vec3 shift = vec3_subtract(branch, c->branch), spin_p = rotation_of(vec3_load(s->bodies[p].rotation)),
       spin_q = rotation_of(vec3_load(s->bodies[q].rotation));
  jager_step step = {.branch = {branch.x, branch.y, branch.z},
                     .shift = {shift.x, shift.y, shift.z},
                     .spin_p = {spin_p.x, spin_p.y, spin_p.z},
                     .spin_q = {spin_q.x, spin_q.y, spin_q.z},
                     .radius_p = s->bodies[p].radius,
                     .radius_q = s->bodies[q].radius};
  jager_movement movement;
  jager_force force;
  jager_energy energy;
  assert_ok(jager_frame_step(&frame, &step, &movement));
  assert_ok(move_with_energy(&c->contact, &s->law, t->pool, movement.zeta, movement.dxi, &force, &energy));
  t->dissipated += energy.dissipated;
  jager_contact_release(&c->contact, t->pool);
  return force;
}

/* The place, before the step, of a pair that was apart. */
static void begin_clone(twin *t, const dem_simulation *s, uint32_t p, uint32_t q, clone *c, vec3 branch)
{
  vec3 whole = vec3_subtract(branch, between(t, s, p, q, false));
  c->branch = vec3_add(between(t, s, p, q, true), carried_back(s, whole));
  c->axis = vec3_across(vec3_scale(1.0 / vec3_length(c->branch), c->branch));
  double gap = vec3_length(c->branch) - s->bodies[p].radius - s->bodies[q].radius;
  ck_assert_double_ge(gap, 0.0);
  assert_ok(jager_contact_init(&c->contact, &s->law, s->bodies[p].radius, s->bodies[q].radius));
  assert_ok(jager_contact_move(&c->contact, &s->law, t->pool, -0.5 * gap, (double[2]){0.0, 0.0}, NULL));
  t->births++;
}

static void follow_contacts(twin *t, const dem_simulation *s)
{
  contact_walk at = contact_walk_start(s);
  while (contact_walk_next(&at)) {
    clone *c = &t->clones[at.p][at.q];
    if (!c->touches)
      begin_clone(t, s, at.p, at.q, c, at.frame.branch);
    jager_force force = move_clone(t, s, at.p, at.q, c, at.frame.branch);
    double off = hypot(force.ft[0] - at.frame.ft[0], force.ft[1] - at.frame.ft[1]) / force.fn;
    t->worst_force = fmax(t->worst_force, off);
    c->touches = false;
  }
}

/* The remaining clones have separated. */
static void follow_partings(twin *t, const dem_simulation *s)
{
  for (uint32_t p = 0; p < SPHERES; p++)
    for (uint32_t q = p + 1; q < SPHERES; q++) {
      clone *c = &t->clones[p][q];
      if (!c->touches)
        continue;
      vec3 whole = vec3_subtract(c->branch, between(t, s, p, q, true));
      jager_force force = move_clone(t, s, p, q, c, vec3_add(between(t, s, p, q, false), carried(s, whole)));
      ck_assert_double_eq(force.fn, 0.0);
      c->touches = false;
      t->deaths++;
    }
}

/* ---- The balance ------------------------------------------------------------------------------------------------- */

TEST(friction_takes_what_exact_contacts_dissipate)
{
  SCOPED_CASE run = dem_still_case(1e-7);
  dem_write_spheres(directory, "packed", packed.cell, SPHERES, packed.x, packed.radius, NULL);
  dem_take_file(&run, directory, "packed");
  run.stages[0].control[DEM_XY] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 3e-5};
  run.stages[0].control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 1e-5};
  run.stages[0].damping.local = 0.2;
  SCOPED_SIMULATION s = dem_create(&run, 2);
  twin *t = calloc(1, sizeof *t);
  t->pool = jager_pool_create(0);
  for (int k = 0; k < STEPS; k++) {
    remember(t, s);
    dem_steps(s, 1);
    follow_contacts(t, s);
    follow_partings(t, s);
  }
  dem_measures m = dem_measured(s);
  printf("friction took %.5e J by the ledger, %.5e J exactly: %.2e off; %zu births, %zu partings, Ft within %.1e Fn\n",
         m.dissipated_friction, t->dissipated, m.dissipated_friction / t->dissipated - 1.0, t->births, t->deaths,
         t->worst_force);
  printf("of the work of %.4e J; energy_error %.1e\n", m.work, m.energy_error);
  ck_assert_double_gt(t->dissipated, 0.01 * m.work);
  assert_within(m.dissipated_friction / t->dissipated, 1.0, 0.01);
  ck_assert_double_le(t->worst_force, 1e-4); /* frames use the arm at the end of the step, the simulator the mean arm */
  ck_assert_uint_gt(t->births, 0);
  ck_assert_uint_gt(t->deaths, 0);
  ck_assert_uint_eq(jager_pool_bytes_in_use(t->pool), 0);
  jager_pool_destroy(t->pool);
  free(t);
}
