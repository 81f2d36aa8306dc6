/* SPDX-License-Identifier: MIT */
/*
 * Many pairs at once. Oracle: the same pairs one by one, by jager_pair_move, jager_contact_move and jager_dashpot_damp.
 * Invariants: the same bits in contacts, loads and sums for all laws and all widths that the processor has; an error
 * names the pair, and changes neither it nor any later one.
 */
#include "histories.h"
#include "contact/lanes/lanes.h"
#include "jager/pairs.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 6, COUNT = SIDE * SIDE * SIDE, NEAR = 3 * COUNT, SHIFTS = 4 };

/* Spheres on a jittering lattice, periodic along x: pairs touch, slip, slide and separate. */
struct cloud {
  jager_law laws[2];
  jager_dashpot dashpots[2];
  jager_particle particles[COUNT];
  double velocity[COUNT][3], home[COUNT][3], shifts[SHIFTS][4], before[NEAR][3];
  jager_pair near[NEAR];
  size_t count;
};

static void add_near(struct cloud *c, int p, int q, int shift)
{
  c->near[c->count++] = (jager_pair){
      .p = (uint32_t)p, .q = (uint32_t)q, .contact = JAGER_NONE, .wrench = JAGER_NONE, .shift = (uint16_t)shift};
}

static int place(int x, int y, int z)
{
  return (z * SIDE + y) * SIDE + x;
}

static void cloud_create(struct cloud *c, int first_law, int second_law, uint64_t *seed)
{
  memset(c, 0, sizeof *c);
  const int kinds[2] = {first_law, second_law};
  for (int k = 0; k < 2; k++) {
    c->laws[k] = law_of_kind(kinds[k]);
    assert_ok(jager_dashpot_init(&c->dashpots[k], &c->laws[k], 0.1));
  }
  c->shifts[1][0] = 2.0 * SIDE;
  for (int i = 0; i < COUNT; i++) {
    int at[3] = {i % SIDE, i / SIDE % SIDE, i / (SIDE * SIDE)};
    c->particles[i].radius = random_in(seed, 1.0, 1.02);
    c->particles[i].mass = random_in(seed, 1.0, 2.0);
    for (int d = 0; d < 3; d++)
      c->particles[i].x[d] = c->home[i][d] = 2.0 * at[d];
  }
  for (int axis = 0; axis < 3; axis++)
    for (int i = 0; i < COUNT; i++) {
      int x = i % SIDE, y = i / SIDE % SIDE, z = i / (SIDE * SIDE);
      if (axis == 0)
        add_near(c, i, place((x + 1) % SIDE, y, z), x + 1 == SIDE);
      else if (axis == 1 && y + 1 < SIDE)
        add_near(c, i, place(x, y + 1, z), 0);
      else if (axis == 2 && z + 1 < SIDE)
        add_near(c, i, place(x, y, z + 1), 0);
    }
  for (size_t k = 0; k < c->count; k++) { /* one law in runs of odd length; some wrenches apart */
    c->near[k].law = k % 90 >= 53;
    c->near[k].wrench = k % 7 == 3 ? (uint32_t)k : JAGER_NONE;
  }
}

static void branch_of(const struct cloud *c, const jager_pair *pair, double branch[3])
{
  for (int d = 0; d < 3; d++)
    branch[d] = (c->particles[pair->q].x[d] - c->particles[pair->p].x[d]) + c->shifts[pair->shift][d];
}

/* A slow random walk about home, and rotations */
static void cloud_step(struct cloud *c, uint64_t *seed)
{
  const double strength = 2e-5;
  for (size_t k = 0; k < c->count; k++)
    branch_of(c, &c->near[k], c->before[k]);
  for (int i = 0; i < COUNT; i++)
    for (int d = 0; d < 3; d++) {
      double *v = &c->velocity[i][d];
      *v += strength * random_in(seed, -1.0, 1.0) - 0.02 * *v - 1e-4 * (c->particles[i].x[d] - c->home[i][d]);
      c->particles[i].x[d] += *v;
      c->particles[i].rotation[d] = 3e-4 * random_in(seed, -1.0, 1.0);
    }
}

/* ---- One by one -------------------------------------------------------------------------------------------------- */

struct twin {
  jager_contact contact;
  jager_vec3 branch, axis;
  jager_pair_account account;
  bool touches;
};

struct twins {
  jager_pool *pool;
  struct twin of[NEAR];
  jager_wrench loads[COUNT], wrenches[NEAR];
  double part[8][4]; /* virial, work, Fn: four interleaved sums in each run of one law */
  double viscous, account_work;
  size_t contacts;
};

static jager_vec3 vec(const double v[3])
{
  return (jager_vec3){v[0], v[1], v[2]};
}

static void twin_begin(struct twins *t, const struct cloud *c, size_t k, jager_vec3 branch)
{
  const jager_particle *p = &c->particles[c->near[k].p], *q = &c->particles[c->near[k].q];
  jager_vec3 from = vec(c->before[k]);
  double gap = jager_vec3_length(from) - (p->radius + q->radius);
  if (!(gap > 0.0))
    from = branch;
  struct twin *twin = &t->of[k];
  twin->branch = from;
  twin->axis = jager_vec3_across(jager_vec3_scale(1.0 / jager_vec3_length(from), from));
  assert_ok(jager_contact_init(&twin->contact, &c->laws[c->near[k].law], p->radius, q->radius));
  if (gap > 0.0)
    assert_ok(
        jager_contact_move(&twin->contact, &c->laws[c->near[k].law], t->pool, -0.5 * gap, (double[2]){0.0, 0.0}, NULL));
  twin->touches = true;
}

static void add_load(jager_wrench *to, const double force[3], const double torque[3])
{
  for (int d = 0; d < 3; d++) {
    to->force[d] += force[d];
    to->torque[d] += torque[d];
  }
}

/* Adds the force of a twin, in global axes, to its particles and to the sums */
static void twin_push(struct twins *t, const struct cloud *c, size_t k, const jager_pair_movement *m, double fn,
                      const double ft[2], size_t lane)
{
  const jager_pair *pair = &c->near[k];
  const double n[3] = {m->n.x, m->n.y, m->n.z}, e[3] = {m->e.x, m->e.y, m->e.z}, f[3] = {m->f.x, m->f.y, m->f.z};
  const jager_vec3 b = t->of[k].branch;
  double force[3], back[3], on_p[3], on_q[3], branch[3] = {b.x, b.y, b.z};
  for (int d = 0; d < 3; d++) {
    double moment = jager_pair_moment(ft[0], ft[1], e[d], f[d]);
    force[d] = jager_pair_force(fn, ft[0], ft[1], n[d], e[d], f[d]);
    back[d] = -force[d];
    on_p[d] = (m->zeta - c->particles[pair->p].radius) * moment;
    on_q[d] = (m->zeta - c->particles[pair->q].radius) * moment;
  }
  add_load(&t->loads[pair->p], back, on_p);
  if (pair->wrench == JAGER_NONE)
    add_load(&t->loads[pair->q], force, on_q);
  else {
    memcpy(t->wrenches[pair->wrench].force, force, sizeof force);
    memcpy(t->wrenches[pair->wrench].torque, on_q, sizeof on_q);
  }
  static const int of[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (int i = 0; i < 6; i++)
    t->part[i][lane] += force[of[i][0]] * branch[of[i][1]];
}

static void twin_move(struct twins *t, const struct cloud *c, size_t k, jager_vec3 branch, double dt, size_t lane)
{
  const jager_pair *pair = &c->near[k];
  const jager_particle *p = &c->particles[pair->p], *q = &c->particles[pair->q];
  struct twin *twin = &t->of[k];
  jager_pair_spheres of = {p->radius, q->radius, vec(p->rotation), vec(q->rotation)};
  jager_pair_movement m = jager_pair_move(&of, twin->branch, twin->axis, branch, jager_vec3_dot(branch, branch));
  jager_force before = jager_contact_force(&twin->contact), force;
  if (jager_contact_move(&twin->contact, &c->laws[pair->law], t->pool, m.zeta, m.dxi, &force) != JAGER_OK)
    ck_abort_msg("a twin cannot be moved");
  twin->branch = branch;
  twin->axis = jager_pair_unit(m.e);
  t->part[6][lane] += (before.ft[0] + force.ft[0]) * m.dxi[0] + (before.ft[1] + force.ft[1]) * m.dxi[1];
  t->part[7][lane] += force.fn;
  const double share = m.zeta0 < 0.0 ? m.zeta / (m.zeta - m.zeta0) : 1.0;
  const double work = share * ((before.ft[0] + force.ft[0]) * m.dxi[0] + (before.ft[1] + force.ft[1]) * m.dxi[1]);
  twin->account.work += work;
  t->account_work += work;
  jager_dashpot_force damping =
      jager_dashpot_damp(c->dashpots[pair->law], jager_pair_mass(p->mass, q->mass), 1.0 / dt, force.fn, m.zeta0, m.zeta,
                         m.dxi, jager_contact_state(&twin->contact) == JAGER_STATE_SLIDE);
  t->viscous += damping.dissipated;
  memcpy(twin->account.dashpot, (double[3]){damping.fn, damping.ft[0], damping.ft[1]}, sizeof twin->account.dashpot);
  double ft[2] = {force.ft[0] + damping.ft[0], force.ft[1] + damping.ft[1]};
  twin_push(t, c, k, &m, force.fn + damping.fn, ft, lane);
  t->contacts++;
}

static void twins_step(struct twins *t, const struct cloud *c, double dt)
{
  memset(t->loads, 0, sizeof t->loads);
  memset(t->part, 0, sizeof t->part);
  t->viscous = t->account_work = 0.0;
  t->contacts = 0;
  size_t lane = 0;
  for (size_t k = 0; k < c->count; k++) {
    const jager_pair *pair = &c->near[k];
    if (k > 0 && pair->law != c->near[k - 1].law)
      lane = 0;
    double branch[3], radii = c->particles[pair->p].radius + c->particles[pair->q].radius;
    branch_of(c, pair, branch);
    bool overlap = jager_vec3_dot(vec(branch), vec(branch)) < radii * radii;
    if (overlap && !t->of[k].touches)
      twin_begin(t, c, k, vec(branch));
    if (overlap)
      twin_move(t, c, k, vec(branch), dt, lane++ % 4);
    else if (t->of[k].touches) {
      jager_contact_release(&t->of[k].contact, t->pool);
      t->of[k] = (struct twin){.touches = false};
      if (pair->wrench != JAGER_NONE)
        t->wrenches[pair->wrench] = (jager_wrench){.force = {0.0}};
    }
  }
}

/* ---- The comparison ---------------------------------------------------------------------------------------------- */

static double total(const double part[4])
{
  return (part[0] + part[1]) + (part[2] + part[3]);
}

/* jager_pairs_stiffness agrees with the twin's stiffness. */
static bool stiffness_is_same(const jager_law *law, const struct twin *twin, const jager_pairs *pairs, uint32_t number)
{
  double zeta;
  jager_stiffness own, expected;
  return jager_pairs_stiffness(pairs, law, number, &zeta, &own) == JAGER_OK &&
         jager_contact_stiffness(&twin->contact, law, &expected) == JAGER_OK &&
         zeta == jager_contact_zeta(&twin->contact) && own.normal == expected.normal &&
         own.tangential == expected.tangential;
}

/* One assertion for all pairs: Check takes microseconds for each. */
static bool pair_is_same(const struct twin *twin, const jager_pair *pair, const jager_pairs *pairs,
                         const jager_pair_account *accounts)
{
  if (!twin->touches || pair->contact == JAGER_NONE)
    return !twin->touches && pair->contact == JAGER_NONE;
  jager_contact view;
  double branch[3], axis[3];
  return jager_pairs_view(pairs, pair->contact, &view) == JAGER_OK &&
         jager_pairs_frame(pairs, pair->contact, branch, axis) == JAGER_OK &&
         jager_contact_equal(&view, &twin->contact) && memcmp(branch, &twin->branch, sizeof branch) == 0 &&
         memcmp(&accounts[pair->contact], &twin->account, sizeof *accounts) == 0 &&
         memcmp(axis, &twin->axis, sizeof axis) == 0;
}

static void assert_same(const struct twins *t, const struct cloud *c, const jager_pairs *pairs,
                        const jager_pair_account *accounts, const jager_sums *sums)
{
  size_t different = 0;
  for (size_t k = 0; k < c->count; k++)
    different +=
        !pair_is_same(&t->of[k], &c->near[k], pairs, accounts) ||
        (t->of[k].touches && !stiffness_is_same(&c->laws[c->near[k].law], &t->of[k], pairs, c->near[k].contact));
  bool same_sums = sums->contacts == t->contacts && sums->viscous == t->viscous &&
                   sums->account_work == t->account_work && sums->tangential_work == total(t->part[6]) &&
                   sums->normal_force == total(t->part[7]);
  for (int i = 0; i < 6; i++)
    same_sums = same_sums && sums->virial[i] == total(t->part[i]);
  ck_assert_msg(different == 0 && same_sums, "%zu pairs differ; sums are %s", different, same_sums ? "equal" : "not");
}

/* Runs the cloud with pairs at one lane width, and with twins one by one */
struct trial {
  struct cloud c;
  struct twins t;
  jager_pairs *pairs;
  jager_wrench loads[COUNT], wrenches[NEAR];
  jager_pair_motion motions[NEAR];
  jager_pair_account accounts[NEAR];
};

static struct trial *trial_create(int first_law, int second_law, int width, uint64_t *seed)
{
  struct trial *run = calloc(1, sizeof *run);
  ck_assert_ptr_nonnull(run);
  cloud_create(&run->c, first_law, second_law, seed);
  run->pairs = jager_pairs_create(0);
  run->t.pool = jager_pool_create(0);
  ck_assert(run->pairs && run->t.pool);
  assert_ok(jager_pairs_set_width(run->pairs, width));
  return run;
}

static void trial_destroy(struct trial *run)
{
  jager_pairs_destroy(run->pairs);
  jager_pool_destroy(run->t.pool);
  free(run);
}

static jager_sweep sweep_of(struct trial *run)
{
  return (jager_sweep){.size = sizeof(jager_sweep),
                       .laws = run->c.laws,
                       .dashpots = run->c.dashpots,
                       .law_count = 2,
                       .dt = 1e-3,
                       .particles = run->c.particles,
                       .shifts = (const double(*)[4])run->c.shifts,
                       .before = (const double(*)[3])run->c.before,
                       .pairs = run->c.near,
                       .count = run->c.count,
                       .loads = run->loads,
                       .wrenches = run->wrenches,
                       .motions = run->motions,
                       .normalise = 1,
                       .accounts = run->accounts,
                       .account_count = NEAR};
}

/* Renumbers the contacts in the order of the list, or its reverse. */
static void rearrange(struct trial *run, bool reverse)
{
  uint32_t order[NEAR], count = 0;
  jager_pair_account accounts[NEAR];
  for (size_t k = 0; k < run->c.count; k++) {
    jager_pair *pair = &run->c.near[reverse ? run->c.count - 1 - k : k];
    if (pair->contact != JAGER_NONE) {
      accounts[count] = run->accounts[pair->contact];
      order[count] = pair->contact;
      pair->contact = count++;
    }
  }
  assert_ok(jager_pairs_arrange(run->pairs, order, count));
  memcpy(run->accounts, accounts, count * sizeof *accounts);
}

/* All contacts leave the pairs, packed or as clones, and come back. */
static void out_and_in(struct trial *run, bool packed)
{
  jager_pairs *others = jager_pairs_create(0);
  jager_pair_account accounts[NEAR];
  assert_ok(jager_pairs_set_width(others, run->pairs->kernel->width));
  memcpy(accounts, run->accounts, sizeof accounts);
  for (size_t k = 0; k < run->c.count; k++) {
    jager_pair *pair = &run->c.near[k];
    if (pair->contact == JAGER_NONE)
      continue;
    jager_contact view;
    double branch[3], axis[3];
    assert_ok(jager_pairs_view(run->pairs, pair->contact, &view));
    assert_ok(jager_pairs_frame(run->pairs, pair->contact, branch, axis));
    size_t size = jager_contact_pack_size(&view), used;
    void *bytes = malloc(size);
    const uint32_t before = pair->contact;
    assert_ok(jager_contact_pack(&view, bytes, size));
    if (packed)
      assert_ok(jager_pairs_unpack(others, &run->c.laws[pair->law], bytes, size, &used, branch, axis, &pair->contact));
    else
      assert_ok(jager_pairs_add(others, &view, branch, axis, &pair->contact));
    run->accounts[pair->contact] = accounts[before];
    free(bytes);
  }
  jager_pairs_destroy(run->pairs);
  run->pairs = others;
}

static void disturb(struct trial *run, int step)
{
  if (step == 150 || step == 450)
    rearrange(run, step == 150);
  if (step == 250 || step == 350)
    out_and_in(run, step == 250);
  if (step == 200 || step == 300)
    for (int k = 0; k < 2; k++)
      assert_ok(jager_law_set_friction(&run->c.laws[k], step == 200 ? 0.2 : 0.6));
}

static void run_trial(int first_law, int second_law, int width, int steps)
{
  uint64_t seed = (uint64_t)(100 * first_law + second_law);
  struct trial *run = trial_create(first_law, second_law, width, &seed);
  for (int step = 0; step < steps; step++) {
    disturb(run, step);
    cloud_step(&run->c, &seed);
    jager_sweep sweep = sweep_of(run);
    jager_sums sums;
    size_t failed;
    memset(run->loads, 0, sizeof run->loads);
    assert_ok(jager_pairs_move(run->pairs, &sweep, &sums, &failed));
    twins_step(&run->t, &run->c, sweep.dt);
    assert_same(&run->t, &run->c, run->pairs, run->accounts, &sums);
    ck_assert_mem_eq(run->loads, run->t.loads, sizeof run->loads);
    ck_assert_mem_eq(run->wrenches, run->t.wrenches, sizeof run->wrenches);
  }
  trial_destroy(run);
}

static const int widths[] = {0, 1, 2, 4, 8};

TEST_LOOP(pairs_move_as_one_by_one, 5)
{
  int width = widths[_i];
  if (!jager_lane_kernel(width)) {
    printf("width %d: not on this processor\n", width);
    return;
  }
  run_trial(0, LAW_WITH_TOLERANCE, width, 700);
  run_trial(LAW_WITH_TOLERANCE, 0, width, 700);
  run_trial(LAW_WITH_TOLERANCE + 1, LAW_WITH_TOLERANCE + 2, width, 700); /* cones and powers */
  for (int kind = 1; kind < LAW_KINDS; kind++)
    run_trial(kind, (kind + 4) % LAW_KINDS, width, 460);
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

TEST_LOOP(a_pair_that_cannot_be_moved_is_named, 5)
{
  uint64_t seed = 7;
  struct trial *run = trial_create(0, 6, widths[_i] && jager_lane_kernel(widths[_i]) ? widths[_i] : 0, &seed);
  jager_sums sums;
  size_t failed = 0;
  for (int step = 0; step < 20; step++) {
    cloud_step(&run->c, &seed);
    jager_sweep sweep = sweep_of(run);
    sweep.account_count = 3;
    assert_ok(jager_pairs_move(run->pairs, &sweep, &sums, &failed));
  }
  for (size_t k = 0; k < 4; k++) /* the contact with the number 3 has no account */
    ck_assert_int_eq(run->accounts[k].dashpot[0] != 0.0, k < 3);
  size_t victim = 0;
  for (size_t k = 77; !victim; k++)
    victim = run->c.near[k].contact != JAGER_NONE ? k : 0;
  jager_contact before, after;
  uint32_t number = run->c.near[victim].contact;
  assert_ok(jager_pairs_view(run->pairs, number, &before));
  run->c.particles[run->c.near[victim].q].rotation[0] = NAN;
  jager_sweep sweep = sweep_of(run);
  ck_assert_int_eq(jager_pairs_move(run->pairs, &sweep, &sums, &failed), JAGER_ERROR_NOT_FINITE);
  ck_assert(run->c.near[failed].p == run->c.near[victim].q || run->c.near[failed].q == run->c.near[victim].q);
  ck_assert_uint_le(failed, victim);
  assert_ok(jager_pairs_view(run->pairs, number, &after));
  if (failed == victim)
    ck_assert_int_eq(jager_contact_equal(&before, &after), 1);
  run->c.particles[run->c.near[victim].q].rotation[0] = 0.0;
  run->c.near[5].law = 2;
  ck_assert_int_eq(jager_pairs_move(run->pairs, &sweep, &sums, &failed), JAGER_ERROR_CAPACITY);
  ck_assert_uint_eq(failed, 5);
  trial_destroy(run);
}

TEST(bad_arguments_are_refused)
{
  jager_pairs *pairs = jager_pairs_create(0);
  jager_law law = example_law(), none = jager_law_default();
  jager_sweep sweep = jager_sweep_default();
  sweep.laws = &law;
  sweep.law_count = 1;
  jager_contact view = untouched_contact(), blank = {0};
  const double branch[3] = {0.0, 0.0, 1.9}, zero[3] = {0.0};
  double place[3];
  uint32_t number = 0, twice[2] = {0, 0};
  size_t failed;
  ck_assert_int_eq(jager_pairs_move(NULL, &sweep, NULL, NULL), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_pairs_move(pairs, NULL, NULL, NULL), JAGER_ERROR_NULL);
  assert_ok(jager_pairs_move(pairs, &sweep, NULL, NULL));
  sweep.count = 1;
  ck_assert_int_eq(jager_pairs_move(pairs, &sweep, NULL, &failed), JAGER_ERROR_NULL);
  sweep.count = 0;
  sweep.laws = &none;
  ck_assert_int_eq(jager_pairs_move(pairs, &sweep, NULL, NULL), JAGER_ERROR_NO_MATERIAL);
  sweep.laws = &law;
  assert_ok(jager_pairs_move(pairs, &sweep, NULL, NULL));
  sweep.size = offsetof(jager_sweep, accounts); /* as in 1.0 */
  assert_ok(jager_pairs_move(pairs, &sweep, NULL, NULL));
  for (size_t k = 0; k < 3; k++) { /* never set, or of another version */
    sweep.size = k == 0 ? 0 : k == 1 ? sizeof sweep - 8 : sizeof sweep + 8;
    ck_assert_int_eq(jager_pairs_move(pairs, &sweep, NULL, NULL), JAGER_ERROR_LAYOUT);
  }
  ck_assert_int_eq(jager_pairs_set_width(pairs, 3), JAGER_ERROR_UNSUPPORTED);
  ck_assert_int_eq(jager_pairs_view(pairs, 0, &view), JAGER_ERROR_UNINITIALISED);
  ck_assert_int_eq(jager_pairs_frame(pairs, 0, place, place), JAGER_ERROR_UNINITIALISED);
  ck_assert_int_eq(jager_pairs_add(pairs, &blank, branch, branch, &number), JAGER_ERROR_UNINITIALISED);
  ck_assert_int_eq(jager_pairs_begin(pairs, &law, 1.0, 1.0, zero, NULL, &number), JAGER_ERROR_DIRECTION);
  ck_assert_int_eq(jager_pairs_begin(pairs, &law, -1.0, 1.0, branch, NULL, &number), JAGER_ERROR_RADIUS);
  assert_ok(jager_pairs_begin(pairs, &law, 1.0, 1.0, branch, NULL, &number));
  ck_assert_int_eq(jager_pairs_arrange(pairs, twice, 2), JAGER_ERROR_CAPACITY);
  assert_ok(jager_pairs_view(pairs, number, &view));
  jager_stiffness stiffness;
  jager_law other = law;
  assert_ok(jager_law_set_model(&other, JAGER_MODEL_LINEAR));
  ck_assert_int_eq(jager_pairs_stiffness(pairs, &law, number, NULL, &stiffness), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_pairs_stiffness(pairs, &other, number, place, &stiffness), JAGER_ERROR_MODEL);
  ck_assert_int_eq(jager_pairs_stiffness(pairs, &law, number + 1, place, &stiffness), JAGER_ERROR_UNINITIALISED);
  jager_pairs_end(pairs, number);
  jager_pairs_end(pairs, number); /* does nothing */
  ck_assert_int_eq(jager_pairs_view(pairs, number, &view), JAGER_ERROR_UNINITIALISED);
  jager_pairs_destroy(pairs);
  jager_pairs_destroy(NULL);
}

/* Contacts at rest with more frictions than the table of frictions has room for at first */
TEST(many_frictions_are_remembered)
{
  jager_pairs *pairs = jager_pairs_create(0);
  jager_law law = example_law();
  const double branch[3] = {0.0, 0.0, 1.99};
  uint32_t numbers[300];
  for (int k = 0; k < 300; k++) {
    assert_ok(jager_law_set_friction(&law, 0.1 + 0.001 * k));
    assert_ok(jager_pairs_begin(pairs, &law, 1.0, 1.0, branch, NULL, &numbers[k]));
    if (k % 3 == 0)
      jager_pairs_end(pairs, numbers[k]);
  }
  for (int k = 0; k < 300; k++) {
    jager_contact view;
    if (k % 3 != 0 && jager_pairs_view(pairs, numbers[k], &view) == JAGER_OK)
      ck_assert_double_ge(jager_contact_friction(&view), 0.1);
  }
  ck_assert_uint_le(pairs->origin_count, 300);
  jager_pairs_destroy(pairs);
}
