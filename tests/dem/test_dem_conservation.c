/* SPDX-License-Identifier: MIT */
/*
 * Conservation of momentum and angular momentum, and the balance of energy with all terms of the ledger.
 *
 * Oracle: the integrator itself. A step gives v+ = v- + F Δt/m at x and then moves x by v+ Δt, so that x × v before and
 * after the movement are the same, and Σ m x × v + I w changes by Δt (Σ x × F + T), which is zero for two forces that
 * act in one point. So with x and the velocity of the half step before it, momentum and angular momentum are constant
 * to rounding for any step; energy is to the order of the step.
 */
#include "dem_support.h"

#include "dem/measures.h"

enum { EDGE = 4, SPHERES = EDGE * EDGE * EDGE };

FIXTURE_ONCE(make_directory, remove_directory)

/* A block of spheres that press each other; the cell is `room` times as wide. */
static void write_block(double room, uint64_t seed)
{
  vec3 x[SPHERES];
  double radius[SPHERES], spacing = 2e-3 * (1.0 - 2e-3), width = EDGE * spacing * room;
  for (int k = 0; k < SPHERES; k++) {
    vec3 place = {k % EDGE, k / EDGE % EDGE, k / EDGE / EDGE};
    vec3 off = {random_in(&seed, -1e-6, 1e-6), random_in(&seed, -1e-6, 1e-6), random_in(&seed, -1e-6, 1e-6)};
    vec3 corner = vec3_scale(0.5 * (width - EDGE * spacing), (vec3){1.0, 1.0, 1.0});
    x[k] = vec3_add(vec3_add(corner, vec3_scale(spacing, place)), off);
    radius[k] = random_in(&seed, 0.998e-3, 1.002e-3);
  }
  dem_write_spheres(directory, "block", (upper_matrix){.xx = width, .yy = width, .zz = width}, SPHERES, x, radius,
                    NULL);
}

static vec3 random_vector(uint64_t *seed, double size)
{
  return (vec3){random_in(seed, -size, size), random_in(seed, -size, size), random_in(seed, -size, size)};
}

static dem_simulation *start_block(dem_case *run, double room)
{
  uint64_t seed = 7;
  write_block(room, 3);
  dem_take_file(run, directory, "block");
  dem_simulation *s = dem_create(run, 1);
  for (uint32_t id = 0; id < SPHERES; id++) {
    motion *m = &s->motions[dem_sphere(s, id)];
    m->v = random_vector(&seed, 0.5);
    m->w = random_vector(&seed, 500.0);
  }
  dem_ledger_open(s);
  return s;
}

/* ---- Momentum ---------------------------------------------------------------------------------------------------- */

typedef struct momenta {
  vec3 linear, angular;
  double linear_size, angular_size; /* sums of sizes */
} momenta;

static momenta momenta_of(const dem_simulation *s)
{
  momenta sum = {.linear_size = 0.0};
  for (size_t i = 0; i < s->count; i++) {
    const jager_particle *b = &s->bodies[i];
    const motion *m = &s->motions[i];
    double inertia = 0.4 * b->mass * b->radius * b->radius;
    vec3 orbital = vec3_scale(b->mass, vec3_cross(vec3_load(b->x), m->v)), spin = vec3_scale(inertia, m->w);
    sum.linear = vec3_add_scaled(sum.linear, b->mass, m->v);
    sum.angular = vec3_add(sum.angular, vec3_add(orbital, spin));
    sum.linear_size += b->mass * vec3_length(m->v);
    sum.angular_size += vec3_length(orbital) + vec3_length(spin);
  }
  return sum;
}

static double linear_error(momenta a, momenta b)
{
  return vec3_length(vec3_subtract(a.linear, b.linear)) / a.linear_size;
}

static double angular_error(momenta a, momenta b)
{
  return vec3_length(vec3_subtract(a.angular, b.angular)) / a.angular_size;
}

TEST(momentum_is_kept_in_a_full_cell)
{
  for (int model = 0; model < JAGER_MODEL_COUNT; model++) {
    SCOPED_CASE run = dem_still_case(1e-7);
    run.contact.model = (jager_model)model;
    run.contact.linear_kn = 1e7; /* nothing gives the contact force to derive it from */
    run.stages[0].damping.viscous = 0.05;
    SCOPED_SIMULATION s = start_block(&run, 1.0);
    momenta start = momenta_of(s);
    double worst = 0.0;
    for (int k = 0; k < 400; k++) {
      dem_steps(s, 1);
      worst = fmax(worst, linear_error(start, momenta_of(s)));
    }
    printf("%s: momentum within %.1e of the sum of sizes\n", jager_model_name((jager_model)model), worst);
    ck_assert_double_le(worst, 1e-14);
  }
}

/* All move towards the middle of the cell, and form a cluster for a while. */
static void implode(dem_simulation *s)
{
  vec3 middle = vec3_scale(0.5, (vec3){s->cell.xx, s->cell.yy, s->cell.zz});
  for (size_t i = 0; i < s->count; i++)
    s->motions[i].v = vec3_add_scaled(s->motions[i].v, -2000.0, vec3_subtract(vec3_load(s->bodies[i].x), middle));
}

TEST(angular_momentum_of_a_cluster_is_kept)
{
  for (int model = 0; model < JAGER_MODEL_COUNT; model++) {
    SCOPED_CASE run = dem_still_case(1e-7);
    run.contact.model = (jager_model)model;
    run.contact.linear_kn = 1e7; /* nothing gives the contact force to derive it from */
    run.stages[0].damping.viscous = model == 0 ? 0.05 : 0.0;
    SCOPED_SIMULATION s = start_block(&run, 2.0);
    implode(s);
    momenta start = momenta_of(s);
    double worst = 0.0;
    size_t contacts = dem_simulation_contacts(s), most = 0;
    for (int k = 0; k < 400; k++) {
      dem_steps(s, 1);
      worst = fmax(worst, angular_error(start, momenta_of(s)));
      most = dem_simulation_contacts(s) > most ? dem_simulation_contacts(s) : most;
    }
    printf("%s: angular momentum within %.1e of the sum of sizes, contacts %zu to %zu\n",
           jager_model_name((jager_model)model), worst, contacts, most);
    ck_assert_uint_gt(most, contacts);
    ck_assert_double_le(worst, 1e-12);
  }
}

/* ---- Energy ------------------------------------------------------------------------------------------------------ */

typedef struct balance {
  double worst;      /* largest error of the balance at any time, over the kinetic energy at the start */
  double friction;   /* energy dissipated by friction, over the same */
  double work;       /* of the cell, likewise */
  double last_error; /* as the measures tell */
} balance;

static balance energy_balance(dem_case *run, double time)
{
  SCOPED_SIMULATION s = start_block(run, 1.0);
  dem_measures start = dem_measured(s), now = start;
  balance b = {.worst = 0.0};
  while (s->time < time) {
    dem_steps(s, 1);
    now = dem_measured(s);
    double lacking = now.work + start.kinetic + start.stored_normal + start.stored_tangential - now.kinetic -
                     now.stored_normal - now.stored_tangential - now.dissipated_friction - now.dissipated_damping;
    b.worst = fmax(b.worst, fabs(lacking) / start.kinetic);
  }
  b.friction = now.dissipated_friction / start.kinetic;
  b.work = now.work / start.kinetic;
  b.last_error = now.energy_error;
  return b;
}

TEST(energy_is_kept_to_the_order_of_the_step)
{
  double before = 0.0;
  for (int k = 0; k < 4; k++) {
    SCOPED_CASE run = dem_still_case(2e-7 / (1 << k));
    balance b = energy_balance(&run, 4e-5);
    double order = before > 0.0 ? dem_order(before, b.worst) : 2.0;
    printf("energy, step %.3g s: lacks %.2e, order %.2f, energy_error %.1e, friction takes %.5f\n", run.time_step.fixed,
           b.worst, order, b.last_error, b.friction);
    ck_assert_double_ge(order, 1.7);
    ck_assert_double_gt(b.friction, 0.05);
    before = b.worst;
  }
  ck_assert_double_le(before, 1e-3);
}

/* Without friction nothing is dissipated; local and global damping are counted to rounding of the balance. */
TEST(dampers_are_counted)
{
  const dem_damping dampings[3] = {{0.0, 0.0, 0.0}, {0.0, 0.3, 0.0}, {0.0, 0.0, 2e4}};
  for (int kind = 0; kind < 3; kind++) {
    double before = 0.0;
    for (int k = 0; k < 3; k++) {
      SCOPED_CASE run = dem_still_case(1e-7 / (1 << k));
      run.material.friction = 0.0;
      run.stages[0].damping = dampings[kind];
      balance b = energy_balance(&run, 4e-5);
      double order = before > 0.0 ? dem_order(before, b.worst) : 2.0;
      printf("%s damping, step %.3g s: lacks %.2e, order %.2f, friction takes %.1e\n",
             kind == 0   ? "no"
             : kind == 1 ? "local"
                         : "global",
             run.time_step.fixed, b.worst, order, b.friction);
      ck_assert_double_ge(order, 1.7);
      ck_assert_double_eq(b.friction, 0.0);
      before = b.worst;
    }
    ck_assert_double_le(before, 1e-3);
  }
}

/* ---- Work -------------------------------------------------------------------------------------------------------- */

/* A compressed and sheared cell does work; the ledger must balance it. */
TEST(work_of_the_cell_is_counted)
{
  double before = 0.0;
  for (int k = 0; k < 3; k++) {
    SCOPED_CASE run = dem_still_case(1e-7 / (1 << k));
    for (int c = 0; c < DEM_COMPONENTS; c++)
      run.stages[0].control[c] = (dem_control){.kind = DEM_CONTROL_STRAIN_RATE, .value = 20.0 + 15.0 * c};
    balance b = energy_balance(&run, 2e-5);
    double order = before > 0.0 ? dem_order(before, b.worst) : 2.0;
    printf("work %.3f, step %.3g s: lacks %.2e, order %.2f\n", b.work, run.time_step.fixed, b.worst, order);
    ck_assert_double_gt(b.work, 1.0);
    ck_assert_double_ge(order, 1.7);
    before = b.worst;
  }
  ck_assert_double_le(before, 1e-3);
}

/* Spheres fall: kinetic energy, work of gravity and depth of the fall agree. */
TEST(gravity_does_work)
{
  SCOPED_CASE run = dem_still_case(1e-7);
  run.gravity[2] = -9.81;
  run.gravity[0] = 2.0;
  SCOPED_SIMULATION s = start_block(&run, 1.0);
  momenta start = momenta_of(s);
  double mass = 0.0;
  dem_steps(s, 100);
  for (size_t i = 0; i < s->count; i++)
    mass += s->bodies[i].mass;
  vec3 gained = vec3_scale(1.0 / mass, vec3_subtract(momenta_of(s).linear, start.linear));
  double fall = -gained.z / (9.81 * s->time);
  dem_measures last = dem_measured(s);
  vec3 v = vec3_scale(1.0 / mass, start.linear);
  double expected = mass * (vec3_dot(v, gained) + 0.5 * vec3_dot(gained, gained));
  printf("gravity: speed off by %.1e, work by %.1e of %.2e J, energy_error %.1e\n", fall - 1.0,
         last.work / expected - 1.0, expected, last.energy_error);
  assert_within(fall, 1.0, 1e-12);
  assert_within(gained.x, 2.0 * s->time, 1e-12);
  assert_within(last.work / expected, 1.0, 1e-10);
}

/* Spheres are moved four at a time: any number of them falls alike. */
TEST(all_spheres_fall_alike)
{
  static const int cells[][3] = {{3, 3, 3}, {4, 3, 3}, {5, 5, 5}, {3, 3, 2}};
  unsigned rests = 0;
  for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
    dem_case run = dem_still_case(1e-7);
    run.gravity[1] = 5.0;
    run.assembly.source = DEM_SOURCE_LATTICE;
    run.assembly.lattice = (dem_lattice){.kind = DEM_LATTICE_SC, .radius = 1e-3, .overlap = -0.5};
    memcpy(run.assembly.lattice.cells, cells[k], sizeof cells[k]);
    dem_simulation *s = dem_create(&run, 1);
    rests |= 1u << s->count % LANES;
    dem_steps(s, 10);
    for (size_t i = 0; i < s->count; i++) {
      assert_within(s->motions[i].v.y, 5.0 * s->time, 1e-12 * s->time);
      ck_assert(s->motions[i].v.x == 0.0 && s->motions[i].v.z == 0.0);
    }
    dem_simulation_destroy(s);
    dem_case_free(&run);
  }
  ck_assert_uint_eq(rests, (1u << LANES) - 1);
}

/* Steps of changing length: velocities stay in the middle of the steps that they are for. */
TEST(steps_may_change_their_length)
{
  dem_case run = dem_still_case(1e-7);
  run.time_step.interval = 1;
  run.gravity[1] = 5.0;
  run.assembly.source = DEM_SOURCE_LATTICE;
  run.assembly.lattice = (dem_lattice){.kind = DEM_LATTICE_SC, .cells = {3, 3, 3}, .radius = 1e-3, .overlap = -0.5};
  SCOPED_SIMULATION s = dem_create(&run, 1);
  uint64_t seed = 9;
  double first = s->dt, worst = 0.0, start = s->bodies[0].x[1];
  for (int k = 0; k < 200; k++) {
    run.time_step.fixed = random_in(&seed, 0.5e-7, 2e-7);
    dem_steps(s, 1);
    double middle = s->time - 0.5 * s->dt; /* there v is at half the first step before the start */
    worst = fmax(worst, fabs(s->motions[0].v.y / (5.0 * (middle + 0.5 * first)) - 1.0));
  }
  double fall = s->bodies[0].x[1] - start, expected = 2.5 * s->time * (s->time + first);
  printf("steps that change: velocity off by %.1e, way by %.1e\n", worst, fall / expected - 1.0);
  ck_assert_double_le(worst, 1e-12);
  assert_within(fall / expected, 1.0, 1e-12);
}
