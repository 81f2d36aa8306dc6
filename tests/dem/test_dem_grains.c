/* SPDX-License-Identifier: MIT */
/*
 * Grains of several spheres.
 *
 * Oracles: Euler's free top in elliptic functions; the rebound of rigid bodies by one impulse; spheres, as which clumps
 * of one sphere must move; the laws of conservation for colliding random shapes; the virial summed over branches
 * between centroids, in all nine components; runs that were not interrupted, and runs on other numbers of threads.
 */
#include "dem_support.h"

#include "dem/grains.h"
#include "dem/setup.h"
#include "random_numbers.h"

FIXTURE_ONCE(make_directory, remove_directory)

/* ---- The free top ------------------------------------------------------------------------------------------------ */

/* Jacobi's elliptic functions by the arithmetic-geometric mean */
static void elliptic(double u, double k_square, double *sn, double *cn, double *dn)
{
  enum { STEPS = 8 };
  double a[STEPS + 1] = {1.0}, c[STEPS + 1] = {sqrt(k_square)}, b = sqrt(1.0 - k_square);
  for (int i = 0; i < STEPS; i++) {
    a[i + 1] = 0.5 * (a[i] + b);
    c[i + 1] = 0.5 * (a[i] - b);
    b = sqrt(a[i] * b);
  }
  double phi = ldexp(a[STEPS] * u, STEPS);
  for (int i = STEPS; i > 0; i--)
    phi = 0.5 * (phi + asin(c[i] / a[i] * sin(phi)));
  *sn = sin(phi);
  *cn = cos(phi);
  *dn = sqrt(1.0 - k_square * *sn * *sn);
}

static const double moments[3] = {1.0, 2.0, 3.5};

static clump top_with_spin(vec3 spin)
{
  return (clump){.turn = {.w = 1.0},
                 .mass = 1.0,
                 .gyration = {moments[0], moments[1], moments[2]},
                 .momentum = {moments[0] * spin.x, moments[1] * spin.y, moments[2] * spin.z}};
}

/* Landau and Lifshitz, Mechanics, § 37: the spin in body axes at a time after it was (x, 0, z), for L² > 2 E I2 */
static vec3 exact_spin(vec3 start, double time)
{
  const double *i = moments;
  double energy = i[0] * start.x * start.x + i[2] * start.z * start.z; /* twice the energy */
  double square = i[0] * i[0] * start.x * start.x + i[2] * i[2] * start.z * start.z;
  double rate = sqrt((i[2] - i[1]) * (square - energy * i[0]) / (i[0] * i[1] * i[2]));
  double k_square = (i[1] - i[0]) * (energy * i[2] - square) / ((i[2] - i[1]) * (square - energy * i[0]));
  double sn, cn, dn;
  elliptic(rate * time, k_square, &sn, &cn, &dn);
  return (vec3){sqrt((energy * i[2] - square) / (i[0] * (i[2] - i[0]))) * cn,
                sqrt((energy * i[2] - square) / (i[1] * (i[2] - i[1]))) * sn,
                sqrt((square - energy * i[0]) / (i[2] * (i[2] - i[0]))) * dn};
}

static double error_after(double dt, long steps)
{
  const vec3 start = {0.7, 0.0, 1.0};
  clump c = top_with_spin(start);
  for (long k = 0; k < steps; k++)
    dem_clump_turn(&c, dt);
  vec3 spin = quaternion_turn(quaternion_inverse(c.turn), dem_clump_spin(&c, c.momentum));
  return vec3_length(vec3_subtract(spin, exact_spin(start, dt * (double)steps)));
}

TEST(a_free_top_follows_eulers_solution)
{
  double coarse = error_after(0.02, 1000), fine = error_after(0.01, 2000), finer = error_after(0.005, 4000);
  printf("free top: errors of the spin %.2e, %.2e, %.2e after 20 s; ratios %.3f, %.3f\n", coarse, fine, finer,
         coarse / fine, fine / finer);
  ck_assert_double_le(finer, 1e-4);
  ck_assert_double_le(fabs(coarse / fine - 4.0), 0.05);
  ck_assert_double_le(fabs(fine / finer - 4.0), 0.05);
}

TEST(a_free_top_keeps_energy_and_momentum_for_a_million_steps)
{
  enum { STEPS = 1000000 };
  clump c = top_with_spin((vec3){1.0, 0.01, 0.02}), middle = top_with_spin((vec3){0.01, 1.0, 0.0});
  clump *both[] = {&c, &middle};
  for (int k = 0; k < 2; k++) { /* near the smallest axis, and tumbling about the unstable middle one */
    double energy = dem_clump_kinetic_energy(both[k], (vec3){0}, both[k]->momentum), worst = 0.0, turned = 0.0;
    double size = vec3_length(both[k]->momentum);
    for (long i = 0; i < STEPS; i++) {
      dem_clump_turn(both[k], 0.05);
      worst = fmax(worst, fabs(dem_clump_kinetic_energy(both[k], (vec3){0}, both[k]->momentum) / energy - 1.0));
      vec3 in_body = quaternion_turn(quaternion_inverse(both[k]->turn), both[k]->momentum);
      turned = fmax(turned, fabs(vec3_length(in_body) / size - 1.0));
    }
    printf("free top: energy within %.1e, angular momentum within %.1e over 1e6 steps\n", worst, turned);
    ck_assert_double_le(worst, 1e-11);
    ck_assert_double_le(turned, 1e-12);
  }
}

TEST(a_free_top_turns_back)
{
  enum { STEPS = 10000 };
  clump c = top_with_spin((vec3){0.3, 0.4, -0.9});
  quaternion start = c.turn;
  for (int k = 0; k < STEPS; k++)
    dem_clump_turn(&c, 0.03);
  c.momentum = vec3_scale(-1.0, c.momentum);
  for (int k = 0; k < STEPS; k++)
    dem_clump_turn(&c, 0.03);
  quaternion left = quaternion_times(quaternion_inverse(start), c.turn);
  double error = sqrt(left.x * left.x + left.y * left.y + left.z * left.z);
  printf("free top: 10,000 steps there and back leave a rotation of %.1e\n", error);
  ck_assert_double_le(error, 1e-10);
}

/* ---- Grains from files ------------------------------------------------------------------------------------------- */

static void take_text(dem_case *run, const char *text)
{
  scratch_write(directory, "grains", text, strlen(text));
  dem_take_file(run, directory, "grains");
}

/* A rod of two touching spheres is hit at one end by a sphere: one impulse J = 2 v / (1/m + 1/M + b²/I). */
TEST(a_rod_rebounds_as_a_rigid_body)
{
  const double r = 1e-3, v = 0.01;
  SCOPED_CASE run = dem_still_case(2e-9);
  run.material.friction = 0.0;
  take_text(&run, "cell 0.05 0.05 0.05\n"
                  "shape -1 0 0 1  1 0 0 1\n"
                  "0.011 0.02 0.00799 0.001\n"
                  "grain 0.01 0.02 0.01 0.001  1 0 0 0\n");
  SCOPED_SIMULATION s = dem_create(&run, 1);
  ck_assert_uint_eq(dem_simulation_grains(s), 2);
  ck_assert_uint_eq(dem_simulation_spheres(s), 3);
  clump *sphere = &s->grains[s->grains[0].id == 0 ? 0 : 1], *rod = &s->grains[s->grains[0].id == 0 ? 1 : 0];
  double m = sphere->mass, along = 2.0 * 0.4 * m * r * r, across = 2.0 * (0.4 + 1.0) * m * r * r;
  ck_assert_double_le(fabs(rod->mass / (2.0 * m) - 1.0), 1e-9);
  ck_assert_double_le(fabs(rod->mass * rod->gyration[0] / along - 1.0), 1e-9);
  ck_assert_double_le(fabs(rod->mass * rod->gyration[2] / across - 1.0), 1e-9);
  sphere->v.z = v;
  dem_steps(s, 1);
  while (s->time < 1e-3 || dem_simulation_contacts(s) > 0)
    dem_steps(s, 1000);
  double impulse = 2.0 * v / (1.0 / m + 1.0 / (2.0 * m) + r * r / across);
  vec3 spin = dem_clump_spin(rod, rod->momentum);
  printf("rod: sphere %.8f, rod %.8f, spin %.8f of those of an impulse\n", sphere->v.z / (v - impulse / m),
         rod->v.z / (impulse / (2.0 * m)), -spin.y / (impulse * r / across));
  ck_assert_double_le(fabs(sphere->v.z - (v - impulse / m)), 1e-4 * v);
  ck_assert_double_le(fabs(rod->v.z / (impulse / (2.0 * m)) - 1.0), 1e-4);
  ck_assert_double_le(fabs(-spin.y / (impulse * r / across) - 1.0), 1e-4);
}

/* The point of a grain that the file names is the origin of its shape, not the centroid. */
TEST(a_grain_lies_where_its_file_says)
{
  SCOPED_CASE run = dem_still_case(1e-8);
  take_text(&run, "cell 0.05 0.05 0.05\n"
                  "shape 0 0 0 1  1.5 0 0 0.8  1.5 1 0 0.7\n"
                  "shape 0 0 0 2\n"
                  "grain 0.01 0.02 0.01 0.001  0 0 0 3\n"     /* half a turn about z */
                  "grain 0.03 0.02 0.01 0.001  2 2 0 0  0\n"  /* a quarter about x: y becomes z */
                  "grain 0.04 0.04 0.04 0.0015  1 0 0 0  1\n" /* a sphere */
                  "0.02 0.04 0.04 0.001\n");
  SCOPED_SIMULATION s = dem_create(&run, 1);
  static const double expected[8][4] = {{0.01, 0.02, 0.01, 0.001},     {0.0085, 0.02, 0.01, 0.0008},
                                        {0.0085, 0.019, 0.01, 0.0007}, {0.03, 0.02, 0.01, 0.001},
                                        {0.0315, 0.02, 0.01, 0.0008},  {0.0315, 0.02, 0.011, 0.0007},
                                        {0.04, 0.04, 0.04, 0.003},     {0.02, 0.04, 0.04, 0.001}};
  ck_assert_uint_eq(dem_simulation_spheres(s), 8);
  ck_assert_uint_eq(dem_simulation_grains(s), 4);
  for (uint32_t id = 0; id < 8; id++) {
    const jager_particle *p = &s->bodies[dem_sphere(s, id)];
    for (int k = 0; k < 3; k++)
      ck_assert_msg(fabs(p->x[k] - expected[id][k]) < 1e-9, "sphere %u: x[%d] is %.12g", id, k, p->x[k]);
    ck_assert_msg(fabs(p->radius - expected[id][3]) < 1e-12, "sphere %u: radius %.12g", id, p->radius);
  }
}

static void assert_refused(const char *text, const char *expected)
{
  SCOPED_CASE run = dem_still_case(1e-8);
  error_info error = {.text = ""};
  take_text(&run, text);
  ck_assert_ptr_null(dem_simulation_create(&run, 1, &error));
  ck_assert_msg(strstr(error.text, expected) != NULL, "'%s' is not in '%s'", expected, error.text);
}

TEST(wrong_grains_are_refused_with_their_line)
{
  assert_refused("cell 1 1 1\nshape 0 0 0\n", ":2: a shape is");
  assert_refused("cell 1 1 1\nshape\n", ":2: a shape is");
  assert_refused("cell 1 1 1\nshape 0 0 0 -1\n", ":2: a radius must be positive");
  assert_refused("cell 1 1 1\nshape 0 0 0 1 3 0 0 1\n", ":2: the spheres do not hang together");
  assert_refused("cell 1 1 1\ngrain 0 0 0 1 1 0 0 0\n", ":2: there is no such shape");
  assert_refused("cell 1 1 1\nshape 0 0 0 1\ngrain 0 0 0 1 1 0 0 0 1\n", ":3: there is no such shape");
  assert_refused("cell 1 1 1\nshape 0 0 0 1\ngrain 0 0 0 1 1 0 0 0 0.5\n", ":3: there is no such shape");
  assert_refused("cell 1 1 1\nshape 0 0 0 1\ngrain 0 0 0 1 0 0 0 0\n", ":3: the quaternion");
  assert_refused("cell 1 1 1\nshape 0 0 0 1\ngrain 0 0 0 0 1 0 0 0\n", ":3: the scale must be positive");
  assert_refused("cell 1 1 1\nshape 0 0 0 1\ngrain 0 0 0 1 1 0 0\n", ":3: a grain is");
  assert_refused("cell 10 10 10\nshape 0 0 0 1  1.5 0 0 1  3 0 0 1  4.5 0 0 1\ngrain 5 5 5 1 1 0 0 0\n",
                 "take more grains or a wider cell");
}

/* ---- Random assemblies ------------------------------------------------------------------------------------------- */

static const char *const shape_names[] = {"nevada", "toyoura", "pair", "tetrahedron", "octahedron"};
enum { SHAPES = sizeof shape_names / sizeof *shape_names };

/* A packing of these shapes, in equal shares, for a case of its own. */
static void take_shapes(dem_case *run, long number, double pressure, const char *const names[], int count)
{
  static const dem_shape_form form = {NAN, NAN, NAN};
  dem_packing *packing = &run->assembly.packing;
  error_info error;
  dem_take_packing(run, number, pressure);
  packing->initial_density = 0.25;
  packing->shapes = calloc((size_t)count, sizeof *packing->shapes);
  packing->shape_count = count;
  for (int k = 0; k < count; k++) {
    ck_assert(dem_shape_make_named(&packing->shapes[k].shape, names[k], &form, &error));
    dem_shape_normalise(&packing->shapes[k].shape);
    packing->shapes[k].share = 1.0;
  }
}

static uint64_t packed_hash(const char *const names[], int count)
{
  SCOPED_CASE run = dem_case_default();
  dem_add_stage(&run, "rest", 100);
  if (count > 0)
    take_shapes(&run, 60, 10e6, names, count);
  else
    dem_take_packing(&run, 60, 10e6);
  run.assembly.packing.initial_density = 0.5;
  SCOPED_SIMULATION s = dem_create(&run, 1);
  dem_steps(s, 500);
  return dem_simulation_hash(s);
}

TEST(a_clump_of_one_sphere_is_a_sphere)
{
  static const char *const sphere[] = {"sphere", "sphere"};
  uint64_t plain = packed_hash(NULL, 0);
  ck_assert_uint_eq(packed_hash(sphere, 1), plain);
  ck_assert_uint_eq(packed_hash(sphere, 2), plain);
}

/* The same spheres as grains with a quaternion: by another way of motion, but to the same places. */
TEST(clumps_of_one_sphere_move_as_spheres)
{
  SCOPED_CASE packed = dem_case_default();
  dem_take_packing(&packed, 60, 10e6);
  dem_add_stage(&packed, "rest", 10);
  SCOPED_SIMULATION from = dem_create(&packed, 1);
  dem_run_to_stage(from, 1);

  SCOPED_CASE run = dem_still_case(2e-8);
  run.damping = (dem_damping){.viscous = 0.1}; /* local damping depends on the body axes */
  run.stages[0].damping = run.damping;
  run.stages[0].control[DEM_XZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 1e-6};
  SCOPED_CASE other = run;
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  const upper_matrix cell = from->cell;
  fprintf(stream, "cell %.17g %.17g %.17g %.17g %.17g %.17g\nshape 0 0 0 1\n", cell.xx, cell.yy, cell.zz, cell.xy,
          cell.xz, cell.yz);
  for (uint32_t id = 0; id < from->count; id++) {
    const jager_particle *p = &from->bodies[dem_sphere(from, id)];
    fprintf(stream, "grain %.17g %.17g %.17g %.17g 0.1 0.5 -0.3 0.2\n", p->x[0], p->x[1], p->x[2], p->radius);
  }
  fclose(stream);
  take_text(&run, text);
  SCOPED_SIMULATION clumps = dem_create(&run, 1);
  ck_assert_ptr_nonnull(clumps->grains);
  vec3 x[60];
  double radius[60];
  for (uint32_t id = 0; id < from->count; id++) {
    x[id] = vec3_load(from->bodies[dem_sphere(from, id)].x);
    radius[id] = from->bodies[dem_sphere(from, id)].radius;
  }
  dem_write_spheres(directory, "spheres", from->cell, from->count, x, radius, NULL);
  dem_take_file(&other, directory, "spheres");
  SCOPED_SIMULATION spheres = dem_create(&other, 1);
  ck_assert_ptr_null(spheres->grains);
  dem_steps(clumps, 1000);
  dem_steps(spheres, 1000);
  double worst = 0.0;
  for (uint32_t id = 0; id < from->count; id++) {
    const jager_particle *a = &clumps->bodies[dem_sphere(clumps, id)], *b = &spheres->bodies[dem_sphere(spheres, id)];
    worst = fmax(worst, vec3_length(vec3_subtract(vec3_load(a->x), vec3_load(b->x))) / b->radius);
  }
  dem_measures of_clumps = dem_measured(clumps), of_spheres = dem_measured(spheres);
  printf("one sphere: places within %.1e of the radius, stress_xz within %.1e, friction within %.1e\n", worst,
         fabs(of_clumps.stress_xz / of_spheres.stress_xz - 1.0),
         fabs(of_clumps.dissipated_friction / of_spheres.dissipated_friction - 1.0));
  ck_assert_double_le(worst, 1e-9);
  ck_assert_double_le(fabs(of_clumps.stress_xz / of_spheres.stress_xz - 1.0), 1e-7);
  ck_assert_double_le(fabs(of_clumps.dissipated_friction / of_spheres.dissipated_friction - 1.0), 1e-6);
  ck_assert_double_le(fabs(of_clumps.kinetic / of_spheres.kinetic - 1.0), 1e-6);
  ck_assert_double_le(fabs(of_clumps.coordination_mechanical - of_spheres.coordination_mechanical), 1e-12);
  free(text);
}

/* Linear momentum, and angular momentum about the origin, of all grains */
static void total_momentum(const dem_simulation *s, vec3 *linear, vec3 *angular)
{
  *linear = *angular = (vec3){0.0, 0.0, 0.0};
  for (size_t i = 0; i < s->grain_count; i++) {
    const clump *c = &s->grains[i];
    vec3 p = vec3_scale(c->mass, c->v);
    *linear = vec3_add(*linear, p);
    *angular = vec3_add(*angular, vec3_add(c->momentum, vec3_cross(c->x, p)));
  }
}

/* Clumps of all shapes fly towards each other in the middle of a large cell, and collide with friction. */
TEST(collisions_keep_momenta_and_energy)
{
  enum { GRAINS = 40 };
  uint64_t state = 71;
  SCOPED_CASE run = dem_still_case(2e-8);
  run.material.friction = 0.3;
  char *text = NULL;
  size_t size = 0, touched = 0;
  FILE *stream = open_memstream(&text, &size);
  fprintf(stream,
          "cell 0.1 0.1 0.1\nshape 0 0 0 1 1 0 0 0.7\nshape 0 0 0 1 0.9 0 0 0.6 0 0.8 0 0.5 0 0 -1 0.4\nshape 0 0 0 1 "
          "1.2 0 0 1 2.4 0 0 1\n");
  for (int k = 0; k < GRAINS; k++) {
    vec3 x = {0.041 + 0.006 * (k % 4), 0.041 + 0.006 * (k / 4 % 4), 0.044 + 0.006 * (k / 16)};
    fprintf(stream, "grain %.17g %.17g %.17g 0.0009 %.17g %.17g %.17g %.17g %d\n", x.x, x.y, x.z,
            random_in(&state, 0.0, 1.0), random_in(&state, 0.0, 1.0), random_in(&state, 0.0, 1.0),
            random_in(&state, 0.0, 1.0), k % 3);
  }
  fclose(stream);
  take_text(&run, text);
  free(text);
  SCOPED_SIMULATION s = dem_create(&run, 2);
  vec3 middle = {0.05, 0.05, 0.05}, linear, angular, linear_after, angular_after;
  for (size_t i = 0; i < s->grain_count; i++) {
    clump *c = &s->grains[i];
    c->v = vec3_scale(100.0, vec3_subtract(middle, c->x));
    c->momentum =
        vec3_scale(c->mass * c->gyration[0] * 200.0,
                   (vec3){random_in(&state, -0.5, 0.5), random_in(&state, -0.5, 0.5), random_in(&state, -0.5, 0.5)});
  }
  dem_ledger_open(s);
  total_momentum(s, &linear, &angular);
  double speed = 0.0, moment = 0.0; /* sums of sizes, to which errors are relative */
  for (size_t i = 0; i < s->grain_count; i++) {
    speed += s->grains[i].mass * vec3_length(s->grains[i].v);
    moment += vec3_length(s->grains[i].momentum) + s->grains[i].mass * vec3_length(s->grains[i].v);
  }
  for (int k = 0; k < 400; k++) {
    dem_steps(s, 1000);
    touched += dem_simulation_contacts(s);
  }
  total_momentum(s, &linear_after, &angular_after);
  dem_measures m = dem_measured(s);
  double of_linear = vec3_length(vec3_subtract(linear_after, linear)) / speed;
  double of_angular = vec3_length(vec3_subtract(angular_after, angular)) / moment;
  printf(
      "collisions: momentum within %.1e, angular momentum %.1e, energy %.1e; %zu contacts seen, %.1f %% dissipated\n",
      of_linear, of_angular, m.energy_error, touched,
      100.0 * m.dissipated_friction / (m.kinetic + m.dissipated_friction));
  ck_assert_uint_gt(touched, 10);
  ck_assert_double_gt(m.dissipated_friction, 1e-3 * m.kinetic);
  ck_assert_double_le(of_linear, 1e-12);
  ck_assert_double_le(of_angular, 1e-12);
  ck_assert_double_le(fabs(m.energy_error), 1e-3);
}

/* ---- Packings ---------------------------------------------------------------------------------------------------- */

static const char *const sands[] = {"nevada", "pair"};

static dem_case sand_case(void)
{
  dem_case run = dem_case_default();
  dem_stage *stage = dem_add_stage(&run, "shear", 1500);
  stage->control[DEM_XZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 2e-6};
  stage->control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 10e6};
  take_shapes(&run, 60, 10e6, sands, 2);
  run.assembly.packing.friction = 0.2;
  return run;
}

/* The stress is the sum of force ⊗ branch between centroids, and symmetric at rest. */
TEST(the_virial_is_that_of_centroids)
{
  SCOPED_CASE run = sand_case();
  run.assembly.packing.unbalanced = 1e-3;
  run.assembly.packing.damping = (dem_damping){.local = 0.5};
  SCOPED_SIMULATION s = dem_create(&run, 2);
  while (!s->stage_just_ended)
    dem_steps(s, 1);
  double sum[3][3] = {{0.0}}, scale = 0.0;
  size_t shared = 0;
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);) {
    const clump *p = dem_grain_of_sphere(s, at.p), *q = dem_grain_of_sphere(s, at.q);
    ck_assert_ptr_ne(p, q);
    shared += s->count > s->grain_count;
    vec3 arm_p = vec3_subtract(vec3_load(s->bodies[at.p].x), p->x),
         arm_q = vec3_subtract(vec3_load(s->bodies[at.q].x), q->x);
    vec3 n = frame_normal(&at.frame), e = at.frame.axis, f = vec3_cross(n, e);
    vec3 force = vec3_subtract(vec3_scale(jager_contact_fn(&at.contact), n),
                               vec3_add(vec3_scale(at.frame.ft[0], e), vec3_scale(at.frame.ft[1], f)));
    vec3 branch = vec3_add(at.frame.branch, vec3_subtract(arm_p, arm_q));
    const double on[3] = {force.x, force.y, force.z}, along[3] = {branch.x, branch.y, branch.z};
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        sum[i][j] += on[i] * along[j];
  }
  scale = (sum[0][0] + sum[1][1] + sum[2][2]) / 3.0;
  const double expected[DEM_COMPONENTS] = {sum[0][0], sum[1][1], sum[2][2], sum[0][1], sum[0][2], sum[1][2]};
  double worst = 0.0, asymmetry = 0.0;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    worst = fmax(worst, fabs(s->virial[k] - expected[k]) / scale);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < i; j++)
      asymmetry = fmax(asymmetry, fabs(sum[i][j] - sum[j][i]) / scale);
  printf("virial within %.1e of the sum over centroids, symmetric within %.1e\n", worst, asymmetry);
  ck_assert_uint_gt(shared, 100);
  ck_assert_double_le(worst, 1e-12);
  ck_assert_double_le(asymmetry, 1e-3);
}

TEST(energies_balance)
{
  SCOPED_CASE run = sand_case();
  SCOPED_SIMULATION s = dem_create(&run, 2);
  dem_run_to_end(s);
  dem_measures m = dem_measured(s);
  printf(
      "sand: p %.3g MPa, stress_xz %.3g MPa, coordination %.2f, energy error %.1e, friction dissipated %.2g of work\n",
      1e-6 * m.p, 1e-6 * m.stress_xz, m.coordination, m.energy_error, m.dissipated_friction / m.work);
  ck_assert_double_gt(m.stress_xz, 1e5);
  ck_assert_double_gt(m.coordination, 4.0);
  ck_assert_double_le(fabs(m.energy_error), 1e-4);
}

/* With the inertia that the time step needs, and the full stable step: nothing blows up, weights are true. */
TEST(each_grain_can_have_its_own_inertia)
{
  SCOPED_CASE run = sand_case();
  run.scales_each_sphere = true;
  run.time_step.safety = 1.0;
  run.damping = run.stages[0].damping = (dem_damping){.viscous = 0.1};
  SCOPED_SIMULATION s = dem_create(&run, 1);
  dem_run_to_end(s);
  dem_measures m = dem_measured(s);
  double mass = 0.0, least = INFINITY, most = 0.0;
  for (size_t i = 0; i < s->grain_count; i++) {
    double scale = s->grains[i].mass / dem_simulation_mass(s, s->grains[i].radius);
    mass += s->grains[i].mass;
    least = fmin(least, scale);
    most = fmax(most, scale);
    for (uint32_t k = 0; k < s->grains[i].count; k++)
      ck_assert_double_eq(s->bodies[s->grains[i].first + k].mass, s->grains[i].mass);
  }
  printf("each: inertia of %.3g to %.3g times the true one, energy error %.1e\n", least, most, m.energy_error);
  ck_assert_double_le(fabs(mass / (run.material.density * s->solid_volume) - 1.0), 1e-9);
  ck_assert_double_gt(most, 1.1 * least);
  ck_assert_double_le(fabs(m.energy_error), 1e-4);
}

/* Of the grains' weights, half a step back, where the velocities are */
static double potential_energy(const dem_simulation *s)
{
  double sum = 0.0;
  for (size_t i = 0; i < s->grain_count; i++) {
    const clump *c = &s->grains[i];
    sum += 9.81 * dem_simulation_mass(s, c->radius) * (c->x.z - 0.5 * s->dt * c->v.z);
  }
  return sum;
}

TEST(gravity_pulls_at_the_mass_of_a_grain)
{
  for (int each = 0; each < 2; each++) {
    SCOPED_CASE run = sand_case();
    run.gravity[2] = -9.81;
    run.scales_each_sphere = each == 1;
    run.damping = run.stages[0].damping = (dem_damping){0};
    run.assembly.packing.damping = (dem_damping){.viscous = 0.5}; /* local damping would hold falling grains back */
    run.stages[0].control[DEM_XZ] = run.stages[0].control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP};
    SCOPED_SIMULATION s = dem_create(&run, 1);
    dem_run_to_stage(s, 1);
    dem_steps(s, 1);
    double work = s->energy.gravity_work, high = potential_energy(s);
    dem_steps(s, 200);
    double ratio = (s->energy.gravity_work - work) / (high - potential_energy(s));
    printf("gravity: its work is %.9f of the energy lost\n", ratio);
    ck_assert_double_gt(s->energy.gravity_work, work);
    ck_assert_double_le(fabs(ratio - 1.0), 1e-3);
  }
}

TEST(threads_and_checkpoints_change_nothing)
{
  SCOPED_CASE run = sand_case();
  error_info error = {.text = ""};
  const dem_checkpoint_notes notes = {.input = "case"};
  uint64_t hash = 0;
  for (int threads = 1; threads <= 3; threads++) {
    SCOPED_SIMULATION s = dem_create(&run, threads);
    dem_steps(s, 777);
    if (threads == 1)
      ck_assert_msg(dem_checkpoint_write(s, scratch_path(directory, "packing"), NULL, &notes, &error), "%s",
                    error.text);
    dem_run_to_stage(s, 1);
    dem_steps(s, 333);
    if (threads == 1)
      ck_assert_msg(dem_checkpoint_write(s, scratch_path(directory, "shear"), NULL, &notes, &error), "%s", error.text);
    dem_run_to_end(s);
    if (threads == 1)
      hash = dem_simulation_hash(s);
    ck_assert_uint_eq(dem_simulation_hash(s), hash);
  }
  static const char *const names[] = {"packing", "shear"};
  for (int k = 0; k < 2; k++) {
    dem_checkpoint_notes read = {.input = NULL};
    SCOPED_SIMULATION s = dem_restore(&run, scratch_path(directory, names[k]), 2, &read, &error);
    ck_assert_msg(s != NULL, "%s", error.text);
    free((void *)(uintptr_t)read.input);
    dem_run_to_end(s);
    ck_assert_uint_eq(dem_simulation_hash(s), hash);
  }
  /* and as the assembly of another case */
  SCOPED_CASE next = dem_case_default();
  dem_add_stage(&next, "next", 200)->control[DEM_XZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 1e-6};
  next.assembly.source = DEM_SOURCE_CHECKPOINT;
  next.assembly.path = strdup(scratch_path(directory, "shear"));
  SCOPED_SIMULATION s = dem_create(&next, 1);
  ck_assert_uint_eq(dem_simulation_grains(s), 60);
  dem_run_to_end(s);
  ck_assert_double_le(fabs(dem_measured(s).energy_error), 1e-4);
}

TEST(all_shapes_pack)
{
  SCOPED_CASE run = dem_case_default();
  dem_add_stage(&run, "rest", 10);
  take_shapes(&run, 80, 10e6, shape_names, SHAPES);
  SCOPED_SIMULATION s = dem_create(&run, 2);
  dem_run_to_stage(s, 1);
  dem_measures m = dem_measured(s);
  size_t of_shape[SHAPES] = {0};
  for (size_t i = 0; i < s->grain_count; i++)
    of_shape[s->grains[i].shape]++;
  for (int k = 0; k < SHAPES; k++)
    ck_assert_uint_gt(of_shape[k], 5);
  ck_assert_double_lt(m.neighbours, m.coordination - 1.0);
  ck_assert_double_gt(m.neighbours, 5.0);
  ck_assert_double_le(fabs(m.axis_xx + m.axis_yy + m.axis_zz - 1.0), 1e-12);
  for (int k = 0; k < 3; k++) /* 80 random axes: 1/3 within 4 standard deviations of 0.033 */
    ck_assert_double_le(fabs((&m.axis_xx)[k] - 1.0 / 3.0), 0.13);
  printf("all shapes: void ratio %.3f, coordination %.2f, %g rattlers\n", m.void_ratio, m.coordination, m.rattlers);
  ck_assert_double_gt(m.coordination, 6.5); /* frictionless grains of no symmetry: near 12 */
  ck_assert_double_le(m.overlap_max, 0.1);
}
