/* SPDX-License-Identifier: MIT */
/*
 * Density scaling of each sphere: masses, stability, weights, energies, and results that do not depend on it.
 *
 * Oracles: the stiffness and dashpot matrices of each sphere, summed in double precision, whose largest eigenvalues a
 * power iteration finds; closed forms for lattices and single spheres; the same run with another time step, or with
 * true inertia. Seed of all random numbers: 7.
 */
#include "dem_support.h"

#include "dem/measures.h"
#include "dem/setup.h"
#include "dem/step.h"

enum { SPHERES = 150 };

/* ---- Cases ------------------------------------------------------------------------------------------------------- */

/* From a packing of very different spheres: true masses differ by a factor of 27. */
static dem_case packed_case(void)
{
  dem_case run = dem_still_case(0.0);
  run.assembly.source = DEM_SOURCE_CHECKPOINT;
  run.assembly.path = strdup(scratch_path(directory, "packed"));
  run.scales_each_sphere = true;
  run.stages[0].damping.local = 0.2;
  return run;
}

static dem_case sheared_case(double strain_step)
{
  dem_case run = packed_case();
  run.stages[0].control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = strain_step};
  run.stages[0].control[DEM_XX] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 10e6};
  return run;
}

static void write_checkpoint(const dem_simulation *s, const char *name)
{
  error_info error = {.text = ""};
  dem_checkpoint_notes notes = {.input = ""};
  ck_assert_msg(dem_checkpoint_write(s, scratch_path(directory, name), NULL, &notes, &error), "%s", error.text);
}

static double true_mass(const dem_simulation *s, size_t i)
{
  return s->run->material.density * 4.0 / 3.0 * PI * pow(s->bodies[i].radius, 3.0);
}

static void jump_about(dem_simulation *s, double speed)
{
  uint64_t seed = 7;
  for (size_t i = 0; i < s->count; i++) {
    double spin = speed / s->bodies[i].radius;
    s->motions[i].v =
        (vec3){random_in(&seed, -speed, speed), random_in(&seed, -speed, speed), random_in(&seed, -speed, speed)};
    s->motions[i].w =
        (vec3){random_in(&seed, -spin, spin), random_in(&seed, -spin, spin), random_in(&seed, -spin, spin)};
  }
}

/* ---- The matrices of a sphere ------------------------------------------------------------------------------------ */

/* Of movements and rotations: row-major, rotations times √(2/5) R. */
typedef struct matrix {
  double a[6][6];
} matrix;

/* Adds Σ w_n gg + w_t hh, where g and h are the rates of approach and of both shifts by the six movements. */
static void add_contact(matrix *m, vec3 n, double along, double across)
{
  vec3 e = fabs(n.x) < 0.8 ? dem_unit(0.0, n.z, -n.y) : dem_unit(-n.z, 0.0, n.x), f = vec3_cross(n, e);
  const vec3 axes[3] = {n, e, f};
  for (int k = 0; k < 3; k++) {
    vec3 turn = k == 0 ? (vec3){0.0, 0.0, 0.0} : vec3_scale(sqrt(2.5), vec3_cross(n, axes[k]));
    double rate[6] = {axes[k].x, axes[k].y, axes[k].z, turn.x, turn.y, turn.z};
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        m->a[i][j] += (k == 0 ? along : across) * rate[i] * rate[j];
  }
}

static double largest_eigenvalue(const matrix *m)
{
  double x[6] = {1.0, 0.9, -0.8, 0.7, -0.6, 0.5}, value = 0.0;
  for (int step = 0; step < 400; step++) {
    double y[6] = {0.0}, square = 0.0;
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        y[i] += m->a[i][j] * x[j];
    for (int i = 0; i < 6; i++)
      square += y[i] * y[i];
    value = sqrt(square);
    for (int i = 0; i < 6 && value > 0.0; i++)
      x[i] = y[i] / value;
  }
  return value;
}

/* (λ_K t² + 2 λ_C t)/2 of the spheres, which must not exceed 1: the largest, and the mean of those with contacts */
static double worst_of(const dem_simulation *s, double t, double *mean)
{
  matrix *k = calloc(s->count, sizeof *k), *c = calloc(s->count, sizeof *c);
  double kappa = 1.0 / s->law.inverse_kappa, worst = 0.0, sum = 0.0, count = 0.0;
  ck_assert(k && c);
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);) {
    double kn = 0.75 * jager_contact_fn(&at.contact) / jager_contact_zeta(&at.contact);
    double m = s->bodies[at.p].mass * s->bodies[at.q].mass / (s->bodies[at.p].mass + s->bodies[at.q].mass);
    double cn = 2.0 * s->damping.viscous * sqrt(m * kn);
    vec3 n = frame_normal(&at.frame), back = vec3_scale(-1.0, n);
    add_contact(&k[at.p], n, kn, kn / kappa);
    add_contact(&k[at.q], back, kn, kn / kappa);
    add_contact(&c[at.p], n, cn, cn / sqrt(kappa));
    add_contact(&c[at.q], back, cn, cn / sqrt(kappa));
  }
  for (size_t i = 0; i < s->count; i++) {
    double stiffness = largest_eigenvalue(&k[i]), enlarged = (1.0 + s->damping.local) / s->bodies[i].mass;
    double size = enlarged * (0.5 * stiffness * t * t + largest_eigenvalue(&c[i]) * t);
    worst = fmax(worst, size);
    sum += size;
    count += stiffness > 0.0;
  }
  free(k);
  free(c);
  *mean = sum / count;
  return worst;
}

static const dem_damping dampings[] = {{0},
                                       {.viscous = 0.1},
                                       {.viscous = 1.0},
                                       {.local = 0.7},
                                       {.viscous = 0.5, .local = 0.7},
                                       {.viscous = 0.1, .local = 0.2}};
enum { DAMPINGS = sizeof dampings / sizeof *dampings };

TEST(no_sphere_is_beyond_its_limit)
{
  for (int k = 0; k < 2 * DAMPINGS; k++) {
    SCOPED_CASE run = packed_case();
    run.stages[0].damping = dampings[k / 2];
    run.time_step.fixed = k % 2 ? 1.0 : 0.0;
    SCOPED_SIMULATION s = dem_create(&run, 1);
    dem_stiffness_update(s); /* with the damping of the stage */
    double mean, worst = worst_of(s, s->dt / run.time_step.safety, &mean);
    printf("viscous %g, local %g: worst %.3f, mean %.3f of the limit\n", s->damping.viscous, s->damping.local, worst,
           mean);
    ck_assert_double_le(worst, 1.0 + 1e-5); /* sums of the simulator are floats */
    ck_assert_double_ge(worst, 0.6);        /* its eigenvalues are upper bounds */
    ck_assert_double_ge(mean, 0.4);         /* true inertia would need a few percent of the smallest spheres' step */
  }
}

/* Kinetic and stored energy, as the mean of some steps: velocities are half a step behind, so that near the limit the
 * sum varies within each oscillation. */
static double mean_energy(dem_simulation *s)
{
  enum { STEPS = 8 };
  double sum = 0.0;
  for (int step = 0; step < STEPS; step++) {
    dem_steps(s, 1);
    dem_measures m = dem_measured(s);
    sum += m.kinetic + m.stored_normal + m.stored_tangential;
  }
  return sum / STEPS;
}

/* The energy does not grow in many steps, whatever the damping: its ratio to the start. */
TEST(assemblies_are_stable)
{
  for (int k = 0; k < DAMPINGS; k++) {
    SCOPED_CASE run = packed_case();
    run.stages[0].damping = dampings[k];
    run.time_step.safety = 0.99;
    run.time_step.fixed = k % 3 ? 0.0 : 1e-3;
    SCOPED_SIMULATION s = dem_create(&run, 1);
    dem_steps(s, 1);
    dem_measures m = dem_measured(s);
    double stored = m.stored_normal + m.stored_tangential, total = 0.0, size = 1e-3, largest = 0.0;
    for (size_t i = 0; i < s->count; i++)
      total += s->bodies[i].mass;
    jump_about(s, size * sqrt(stored / total));
    dem_ledger_open(s);
    double kinetic = dem_measured(s).kinetic, start = mean_energy(s);
    for (int window = 0; window < 30; window++) {
      dem_steps(s, 100);
      largest = fmax(largest, (mean_energy(s) - start) / kinetic);
    }
    printf("viscous %g, local %g: energy grows by %.3g of the kinetic energy\n", dampings[k].viscous, dampings[k].local,
           largest);
    ck_assert_double_le(largest, 0.1);
  }
}

/* ---- Masses in closed form --------------------------------------------------------------------------------------- */

/* The spheres of a lattice are equal: masses grow as the square of the time step over its value for true inertia. */
TEST(a_lattice_has_its_true_inertia)
{
  double steps[2];
  for (int k = 0; k < 2; k++) {
    dem_case run = dem_still_case(0.0);
    run.assembly.source = DEM_SOURCE_LATTICE;
    run.assembly.lattice = (dem_lattice){.kind = DEM_LATTICE_SC, .cells = {4, 4, 4}, .radius = 1e-3, .overlap = 1e-3};
    run.scales_each_sphere = k == 1;
    SCOPED_SIMULATION s = dem_create(&run, 1);
    steps[k] = s->dt;
    assert_within(s->bodies[5].mass / true_mass(s, 5), 1.0, 1e-12);
    assert_within(s->density / 2650.0, 1.0, 1e-12);
    run.time_step.fixed = k == 1 ? 10.0 * s->dt : 0.0;
    dem_stiffness_update(s);
    assert_within(s->bodies[5].mass / true_mass(s, 5), k == 1 ? 100.0 : 1.0, 1e-9);
  }
  assert_within(steps[1] / steps[0], 1.0, 1e-6);
}

/* Spheres without contacts: Hertz's stiffness at a given ζ/R is proportional to R, and with it their inertia. */
static dem_simulation *lonely_spheres(dem_case *run)
{
  static const double radius[3] = {0.5e-3, 1e-3, 2e-3};
  const vec3 x[3] = {{0.0, 0.0, 0.0}, {5e-3, 0.0, 0.0}, {0.0, 10e-3, 0.0}};
  dem_write_spheres(directory, "lonely", (upper_matrix){.xx = 0.02, .yy = 0.02, .zz = 0.02}, 3, x, radius, NULL);
  *run = dem_still_case(1e-6);
  run->scales_each_sphere = true;
  dem_take_file(run, directory, "lonely");
  return dem_create(run, 1);
}

TEST(rattlers_have_inertia)
{
  dem_case run;
  SCOPED_SIMULATION s = lonely_spheres(&run);
  for (size_t i = 0; i < 3; i++) {
    ck_assert_double_gt(s->bodies[i].mass, 0.0);
    assert_within(s->bodies[i].mass / s->bodies[0].mass, s->bodies[i].radius / s->bodies[0].radius, 1e-9);
  }
  dem_case_free(&run);
}

TEST(weights_are_true)
{
  dem_case run;
  SCOPED_SIMULATION s = lonely_spheres(&run);
  run.gravity[2] = -9.81;
  dem_steps(s, 10);
  double work = 0.0;
  for (size_t i = 0; i < 3; i++) {
    double weight = -9.81 * true_mass(s, i);
    assert_within(s->bodies[i].mass * s->motions[i].v.z / (10.0 * s->dt * weight), 1.0, 1e-12);
    work += 0.5 * s->bodies[i].mass * s->motions[i].v.z * s->motions[i].v.z;
  }
  assert_within(dem_measured(s).work / work, 1.0, 1e-12);
  dem_case_free(&run);
}

/* ---- Energies ---------------------------------------------------------------------------------------------------- */

/* Inertia that is suddenly four times as large: velocities stay, and the ledger has their energy as work. */
TEST(the_ledger_has_the_energy_of_changing_inertia)
{
  SCOPED_CASE run = packed_case();
  run.time_step = (dem_time_step){.safety = 0.4, .fixed = 1.0, .interval = 1000};
  run.stages[0].damping.local = 0.0;
  SCOPED_SIMULATION s = dem_create(&run, 1);
  jump_about(s, 1e-8);
  dem_steps(s, 1000);
  dem_ledger_open(s);
  double kinetic = 0.0, masses[SPHERES];
  for (size_t i = 0; i < s->count; i++) {
    const motion *m = &s->motions[i];
    masses[i] = s->bodies[i].mass;
    kinetic += 0.5 * masses[i] * (vec3_dot(m->v, m->v) + 0.4 * pow(s->bodies[i].radius, 2.0) * vec3_dot(m->w, m->w));
  }
  run.time_step.safety = 0.2;
  dem_steps(s, 1);
  for (size_t i = 0; i < s->count; i++)
    assert_within(s->bodies[i].mass / masses[i], 4.0, 0.5); /* contacts have changed a little, too */
  assert_within(dem_measured(s).work / kinetic, 3.0, 0.2);
  ck_assert_double_eq(dem_measured(s).dissipated_damping, 0.0);
  dem_steps(s, 999);
  assert_within(dem_measured(s).energy_error, 0.0, 0.03); /* it would be 1.5 */
}

TEST(energies_balance)
{
  for (int k = 0; k < 2; k++) {
    SCOPED_CASE run = sheared_case(1e-6);
    run.time_step.fixed = k == 0 ? 0.0 : 1.0;
    SCOPED_SIMULATION s = dem_create(&run, 1);
    dem_steps(s, 3000);
    dem_measures m = dem_measured(s);
    printf("energy error %.1e of %.3g J\n", m.energy_error, m.work);
    assert_within(m.energy_error, 0.0, 1e-4);
  }
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

/* Time has no meaning here: a step multiplied by a power of 2 gives the same positions and forces to the last bit. */
TEST(the_chosen_step_changes_no_bit)
{
  dem_simulation *s[2];
  dem_case run[2];
  for (int k = 0; k < 2; k++) {
    run[k] = sheared_case(2e-6);
    run[k].stages[0].damping.viscous = 0.1;
    run[k].time_step.fixed = k == 0 ? 1.0 : 0x1p-20;
    s[k] = dem_create(&run[k], 1);
    dem_steps(s[k], 500);
  }
  ck_assert_int_eq(s[0]->step, s[1]->step);
  for (size_t i = 0; i < s[0]->count; i++) {
    ck_assert_mem_eq(s[0]->bodies[i].x, s[1]->bodies[i].x, sizeof s[0]->bodies[i].x);
    ck_assert_double_eq(s[0]->bodies[i].mass, 0x1p40 * s[1]->bodies[i].mass);
  }
  ck_assert_double_eq(dem_measured(s[0]).q, dem_measured(s[1]).q);
  ck_assert_double_eq(dem_measured(s[0]).inertial_number, dem_measured(s[1]).inertial_number);
  for (int k = 0; k < 2; k++) {
    dem_simulation_destroy(s[k]);
    dem_case_free(&run[k]);
  }
}

/* q and p of a slow compression from the same packing, with and without scaling. */
TEST(quasi_static_results_are_those_of_true_inertia)
{
  dem_measures m[2];
  for (int k = 0; k < 2; k++) {
    SCOPED_CASE run = sheared_case(k == 0 ? 1e-7 : 4e-7);
    run.stages[0].until.steps = k == 0 ? 20000 : 5000;
    run.scales_each_sphere = k == 1;
    SCOPED_SIMULATION s = dem_create(&run, 1);
    dem_run_to_end(s);
    m[k] = dem_measured(s);
    printf("%s: q %.2f kPa, p %.2f kPa, inertial number %.2e\n", k == 0 ? "true inertia" : "each sphere", m[k].q / 1e3,
           m[k].p / 1e3, m[k].inertial_number);
  }
  assert_within(m[1].q / m[0].q, 1.0, 5e-3);
  assert_within(m[1].p / m[0].p, 1.0, 5e-3);
  assert_within(m[1].strain_xx / m[0].strain_xx, 1.0, 2e-2);
}

/* ---- Bits -------------------------------------------------------------------------------------------------------- */

TEST(threads_and_resuming_change_no_bit)
{
  SCOPED_CASE run = sheared_case(2e-6);
  dem_simulation *whole = dem_create(&run, 1), *other = dem_create(&run, 3);
  dem_steps(whole, 130);
  dem_steps(other, 130);
  error_info error = {.text = ""};
  dem_checkpoint_notes notes;
  write_checkpoint(whole, "middle");
  dem_simulation *resumed = dem_restore(&run, scratch_path(directory, "middle"), 2, &notes, &error);
  ck_assert_msg(resumed != NULL, "%s", error.text);
  free((void *)notes.input);
  dem_simulation *all[3] = {whole, other, resumed};
  dem_measures m[3];
  ck_assert_double_eq(resumed->density, whole->density);
  for (int k = 0; k < 3; k++) {
    dem_steps(all[k], 300);
    m[k] = dem_measured(all[k]);
    ck_assert_uint_eq(dem_simulation_hash(all[k]), dem_simulation_hash(whole));
    ck_assert_mem_eq(&m[k], &m[0], sizeof m[0]);
  }
  for (int k = 0; k < 3; k++)
    dem_simulation_destroy(all[k]);

  run.scales_each_sphere = false;
  ck_assert_ptr_null(dem_restore(&run, scratch_path(directory, "middle"), 1, &notes, &error));
  ck_assert_msg(strstr(error.text, "density_scaling was each and is 1") != NULL, "%s", error.text);
}

static void prepare(void)
{
  directory = scratch_make();
  dem_case run = dem_still_case(0.0);
  dem_take_packing(&run, SPHERES, 10e6);
  run.assembly.packing.sizes.min = 0.5e-3;
  run.assembly.packing.sizes.max = 1.5e-3;
  run.scales_each_sphere = true;
  SCOPED_SIMULATION s = dem_create(&run, 1);
  dem_run_to_stage(s, 1);
  write_checkpoint(s, "packed");
}

FIXTURE_ONCE(prepare, remove_directory)
