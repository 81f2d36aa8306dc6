/* SPDX-License-Identifier: MIT */
/*
 * Invariance: results do not depend on the origin of the cell, the order of the spheres, the skin of the neighbour
 * lists, the number of threads, and the choice among equivalent cells of the same periodic lattice.
 *
 * Oracle: the same packing, described in another way. Skin and threads must not change a bit; the others change the
 * rounding errors, and their growth in 300 steps.
 */
#include "dem_support.h"

#include "dem/drive.h"

enum { SPHERES = 200, STEPS = 300 };

static dem_spheres packed;

/* ---- Shearing ---------------------------------------------------------------------------------------------------- */

static dem_case shear_case(double strain_step)
{
  dem_case run = dem_still_case(1e-7);
  run.stages[0].damping.local = 0.2;
  run.stages[0].control[DEM_XY] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = strain_step};
  return run;
}

static dem_simulation *start_from(dem_case *run, const char *name, int threads)
{
  dem_take_file(run, directory, name);
  return dem_create(run, threads);
}

/* Largest difference of a stress, over the mean stress. */
static double stress_difference(const dem_simulation *a, const dem_simulation *b)
{
  double of_a[DEM_COMPONENTS], of_b[DEM_COMPONENTS], worst = 0.0;
  dem_stress(a, of_a);
  dem_stress(b, of_b);
  for (int k = 0; k < DEM_COMPONENTS; k++)
    worst = fmax(worst, fabs(of_a[k] - of_b[k]));
  return worst / dem_quantity_value(a, DEM_MEAN_STRESS);
}

/* The largest difference of stresses between the packing and the same packing described in another file. */
static double worst_against(const char *name, const char *other)
{
  SCOPED_CASE run = shear_case(2e-5), other_run = shear_case(2e-5);
  SCOPED_SIMULATION a = start_from(&run, name, 1);
  SCOPED_SIMULATION b = start_from(&other_run, other, 1);
  double worst = stress_difference(a, b);
  for (int k = 0; k < STEPS; k++) {
    dem_steps(a, 1);
    dem_steps(b, 1);
    worst = fmax(worst, stress_difference(a, b));
  }
  ck_assert_uint_eq(dem_simulation_contacts(a), dem_simulation_contacts(b));
  ck_assert_double_gt(fabs(dem_measured(a).stress_xy), 1e-2 * dem_measured(a).p); /* something has happened */
  return worst;
}

static void write_packed(const char *name, const vec3 *x, const size_t *order)
{
  dem_write_spheres(directory, name, packed.cell, SPHERES, x, packed.radius, order);
}

/* ---- Other descriptions of the same ------------------------------------------------------------------------------ */

TEST(the_corner_makes_no_difference)
{
  const vec3 shares[3] = {{0.37, 0.0, 0.0}, {0.11, 0.52, 0.93}, {-3.3, 2.6, 0.5}};
  double worst = 0.0;
  write_packed("packed", packed.x, NULL);
  for (int k = 0; k < 3; k++) {
    vec3 x[SPHERES], shift = upper_matrix_times(packed.cell, shares[k]);
    for (size_t i = 0; i < SPHERES; i++) {
      x[i] = vec3_add(packed.x[i], shift);
      x[i] = k < 2 ? dem_cell_wrap(packed.cell, x[i]) : x[i]; /* the last ones lie outside */
    }
    write_packed("shifted", x, NULL);
    worst = fmax(worst, worst_against("packed", "shifted"));
  }
  printf("another corner: stresses within %.1e\n", worst);
  ck_assert_double_gt(worst, 0.0);
  ck_assert_double_le(worst, 1e-9);
}

TEST(the_order_makes_no_difference)
{
  size_t order[SPHERES];
  uint64_t seed = 5;
  for (size_t i = 0; i < SPHERES; i++)
    order[i] = i;
  for (size_t i = SPHERES - 1; i > 0; i--) {
    size_t k = random_bits(&seed) % (i + 1), other = order[k];
    order[k] = order[i];
    order[i] = other;
  }
  write_packed("packed", packed.x, NULL);
  write_packed("shuffled", packed.x, order);
  double worst = worst_against("packed", "shuffled");
  printf("another order: stresses within %.1e\n", worst);
  ck_assert_double_le(worst, 1e-9);
}

/* A permutation of the axes of the cell permutes the stresses. */
TEST(the_axes_make_no_difference)
{
  vec3 x[SPHERES];
  upper_matrix turned = {.xx = packed.cell.yy, .yy = packed.cell.zz, .zz = packed.cell.xx};
  for (size_t i = 0; i < SPHERES; i++)
    x[i] = (vec3){packed.x[i].y, packed.x[i].z, packed.x[i].x};
  write_packed("packed", packed.x, NULL);
  dem_write_spheres(directory, "turned", turned, SPHERES, x, packed.radius, NULL);
  SCOPED_CASE run = shear_case(0.0), other = shear_case(0.0);
  run.stages[0].control[DEM_YZ] = other.stages[0].control[DEM_XY] =
      (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 2e-5};
  run.stages[0].control[DEM_XX] = other.stages[0].control[DEM_ZZ] =
      (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 1e-5};
  SCOPED_SIMULATION a = start_from(&run, "packed", 1);
  SCOPED_SIMULATION b = start_from(&other, "turned", 1);
  dem_steps(a, STEPS);
  dem_steps(b, STEPS);
  dem_measures m = dem_measured(a), n = dem_measured(b);
  double worst = fmax(fmax(fabs(m.stress_xx - n.stress_zz), fabs(m.stress_yy - n.stress_xx)),
                      fmax(fabs(m.stress_zz - n.stress_yy), fabs(m.stress_yz - n.stress_xy))) /
                 m.p;
  printf("other axes: stresses within %.1e\n", worst);
  ck_assert_double_gt(fabs(m.stress_yz), 1e-2 * m.p);
  ck_assert_double_le(worst, 1e-9);
}

/* ---- The same bits ----------------------------------------------------------------------------------------------- */

/* Hash after the steps; counts how often neighbours were listed and the tilt of the cell was reduced. */
static uint64_t hash_after(dem_case *run, const char *name, int threads, long steps, int *lists, int *flips)
{
  SCOPED_SIMULATION s = start_from(run, name, threads);
  upper_matrix listed = s->cell_at_listing;
  *lists = *flips = 0;
  for (long k = 0; k < steps; k++) {
    upper_matrix before = s->cell;
    dem_steps(s, 1);
    *lists += memcmp(&listed, &s->cell_at_listing, sizeof listed) != 0;
    *flips += fabs(s->cell.xy - before.xy) > 0.5 * before.xx || fabs(s->cell.xz - before.xz) > 0.3 * before.xx ||
              fabs(s->cell.yz - before.yz) > 0.5 * before.yy;
    listed = s->cell_at_listing;
  }
  uint64_t hash = dem_simulation_hash(s);
  ck_assert_int_eq(dem_simulation_threads(s), threads);
  return hash;
}

TEST(the_skin_changes_no_bit)
{
  const double skins[] = {0.03, 0.01, 0.1, 0.001};
  uint64_t first = 0;
  write_packed("packed", packed.x, NULL);
  for (int k = 0; k < 4; k++) {
    int lists, flips;
    SCOPED_CASE run = shear_case(5e-5);
    run.skin = skins[k];
    uint64_t hash = hash_after(&run, "packed", 1, 2 * STEPS, &lists, &flips);
    printf("skin %g: neighbours listed %d times\n", skins[k], lists);
    first = k == 0 ? hash : first;
    ck_assert_uint_eq(hash, first);
    ck_assert_int_ge(lists, 1);
  }
}

TEST(threads_change_no_bit)
{
  uint64_t first = 0;
  write_packed("packed", packed.x, NULL);
  for (int model = 0; model < JAGER_MODEL_COUNT; model++)
    for (int threads = 1; threads <= 3; threads++) {
      int lists, flips;
      SCOPED_CASE run = shear_case(2e-5);
      run.contact.model = (jager_model)model;
      run.contact.linear_kn = 2e6;
      run.stages[0].damping.viscous = 0.1;
      uint64_t hash = hash_after(&run, "packed", threads, STEPS, &lists, &flips);
      first = threads == 1 ? hash : first;
      ck_assert_uint_eq(hash, first);
    }
}

/* ---- Reduction of the tilt of cells ------------------------------------------------------------------------------ */

/* Large shear at constant mean stress: the state of flow. */
static dem_case flow_case(void)
{
  dem_case run = shear_case(-2.5e-4);
  run.stages[0].mean_stress_is_held = true;
  run.stages[0].mean_stress.value = 10e6;
  return run;
}

/*
 * The same lattice with edges (½, 1) and (-½, 1): the tilt of the first is reduced on the way, the tilt of the second
 * is not.
 */
TEST(equivalent_cells_make_no_difference)
{
  SCOPED_CASE run = flow_case();
  write_packed("packed", packed.x, NULL);
  dem_simulation *s = start_from(&run, "packed", 1);
  while (s->cell.xy < 0.5 * s->cell.xx)
    dem_steps(s, 1);
  dem_spheres flowing = dem_spheres_of(s);
  dem_simulation_destroy(s);
  dem_write_spheres(directory, "right", flowing.cell, SPHERES, flowing.x, flowing.radius, NULL);
  flowing.cell.xy -= flowing.cell.xx;
  dem_write_spheres(directory, "left", flowing.cell, SPHERES, flowing.x, flowing.radius, NULL);
  dem_spheres_free(&flowing);

  SCOPED_CASE slow = shear_case(-1e-4), other = slow;
  SCOPED_SIMULATION a = start_from(&slow, "right", 1);
  SCOPED_SIMULATION b = start_from(&other, "left", 2);
  double worst = 0.0;
  bool is_turned = false;
  for (int k = 0; k < 2 * STEPS; k++) {
    dem_steps(a, 1);
    dem_steps(b, 1);
    worst = fmax(worst, stress_difference(a, b));
    is_turned = is_turned || a->cell.xy < 0.0;
    if (k == 20)
      ck_assert(a->cell.xy > 0.5 * a->cell.xx && b->cell.xy < 0.0);
  }
  printf("an equivalent cell: stresses within %.1e\n", worst);
  ck_assert(is_turned);
  assert_within(a->cell.xy / a->cell.xx, b->cell.xy / b->cell.xx, 1e-12);
  ck_assert_double_le(worst, 1e-9);
}

/* One step; by how much a stress changes at most, over the mean stress. */
static double change_in_step(dem_simulation *s)
{
  double before[DEM_COMPONENTS], after[DEM_COMPONENTS], change = 0.0;
  dem_stress(s, before);
  dem_steps(s, 1);
  dem_stress(s, after);
  for (int k = 0; k < DEM_COMPONENTS; k++)
    change = fmax(change, fabs(after[k] - before[k]));
  return change / dem_quantity_value(s, DEM_MEAN_STRESS);
}

/* Simple shear to γ = 1.6: where the tilt is reduced, stresses change as in the steps before and after. */
TEST(stress_is_continuous_when_a_cell_is_set_upright)
{
  enum { SHEARING = 3200, BESIDE = 10 };
  SCOPED_CASE run = flow_case();
  write_packed("packed", packed.x, NULL);
  SCOPED_SIMULATION s = start_from(&run, "packed", 1);
  double changes[SHEARING];
  int flips = 0, flip[8];
  for (int k = 0; k < SHEARING; k++) {
    upper_matrix before = s->cell;
    changes[k] = change_in_step(s);
    if (fabs(s->cell.xy - before.xy) > 0.5 * before.xx)
      flip[flips++] = k;
  }
  ck_assert_int_eq(flips, 2);
  for (int i = 0; i < flips; i++) {
    double beside = 0.0;
    for (int k = 1; k <= BESIDE; k++)
      beside = fmax(beside, fmax(changes[flip[i] - k], changes[flip[i] + k]));
    printf("set upright at shear %.3f: stresses change by %.1e of p, by up to %.1e in the steps beside\n",
           5e-4 * flip[i], changes[flip[i]], beside);
    ck_assert_double_le(changes[flip[i]], 3.0 * beside);
    ck_assert_double_le(beside, 0.05);
  }
}

TEST(threads_change_no_bit_of_cells_that_are_set_upright)
{
  uint64_t first = 0;
  write_packed("packed", packed.x, NULL);
  for (int threads = 1; threads <= 3; threads++) {
    int lists, flips;
    SCOPED_CASE run = flow_case();
    run.stages[0].control[DEM_XZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 1.1e-4};
    run.stages[0].control[DEM_YZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = -1.5e-4};
    uint64_t hash = hash_after(&run, "packed", threads, 2600, &lists, &flips);
    if (threads == 1)
      printf("three shears: %d lists, %d flips\n", lists, flips);
    first = threads == 1 ? hash : first;
    ck_assert_uint_eq(hash, first);
    ck_assert_int_ge(flips, 2);
  }
}

static void prepare(void)
{
  directory = scratch_make();
  packed = dem_pack(SPHERES);
  /* the cell of a packing is slightly tilted, since its shear stresses are zero: it is made rectangular here, so that
     the axes can be permuted, and comes to rest again */
  upper_matrix upright = {.xx = packed.cell.xx, .yy = packed.cell.yy, .zz = packed.cell.zz};
  for (size_t i = 0; i < SPHERES; i++)
    packed.x[i] = upper_matrix_times(upright, upper_matrix_solve(packed.cell, packed.x[i]));
  packed.cell = upright;
  write_packed("upright", packed.x, NULL);
  SCOPED_CASE run = dem_still_case(1e-7);
  run.stages[0].damping.local = 0.7;
  SCOPED_SIMULATION s = start_from(&run, "upright", 1);
  dem_steps(s, 5000);
  dem_spheres_free(&packed);
  packed = dem_spheres_of(s);
}

static void clean_up(void)
{
  dem_spheres_free(&packed);
  scratch_remove(directory);
}

FIXTURE_ONCE(prepare, clean_up)
