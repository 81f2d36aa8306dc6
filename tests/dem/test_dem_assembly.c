/* SPDX-License-Identifier: MIT */
/*
 * Generated assemblies, assemblies from files, and snapshots of them.
 *
 * Oracles: moments and cumulative curves of the size distributions; counts of lattice points; messages about wrong
 * files, with the line of the mistake; for snapshots, the simulator's stresses from sums over the contacts.
 */
#include "dem_support.h"
#include "contact/pairs/records.h"

#include "dem/setup.h"

#include "base/portable_math.h"

#include "dem/snapshot.h"

#include <math.h>
#include <sys/stat.h>

/* ---- Sizes ------------------------------------------------------------------------------------------------------- */

enum { MANY = 40000 };

static grains draw(const dem_sizes *sizes, uint64_t seed)
{
  dem_case run = dem_case_default();
  error_info error = {.text = ""};
  grains g;
  run.seed = seed;
  run.assembly.packing.spheres = MANY;
  run.assembly.packing.sizes = *sizes;
  ck_assert_msg(dem_grains_generate(&g, &run, &error), "%s", error.text);
  ck_assert_uint_eq(g.count, MANY);
  return g;
}

/* Mean and standard deviation of the diameters, or of their logarithms. */
static void moments_of(const grains *g, bool of_logarithms, double *mean, double *deviation)
{
  double sum = 0.0, squares = 0.0;
  for (size_t i = 0; i < g->count; i++) {
    double d = 2.0 * g->list[i].radius, value = of_logarithms ? log(d) : d;
    sum += value;
    squares += value * value;
  }
  *mean = sum / (double)g->count;
  *deviation = sqrt(squares / (double)g->count - *mean * *mean);
}

TEST(uniform_sizes_are_uniform)
{
  const dem_sizes sizes = {.distribution = DEM_SIZES_UNIFORM, .min = 1e-3, .max = 3e-3};
  grains g = draw(&sizes, 1), same = draw(&sizes, 1), other = draw(&sizes, 2);
  double mean, deviation, below[4] = {0.0};
  for (size_t i = 0; i < g.count; i++) {
    double d = 2.0 * g.list[i].radius;
    ck_assert(d >= 1e-3 && d <= 3e-3);
    below[(int)fmin(3.0, (d - 1e-3) / 0.5e-3)] += 1.0 / MANY;
  }
  for (int k = 0; k < 4; k++)
    assert_within(below[k], 0.25, 0.01);
  moments_of(&g, false, &mean, &deviation);
  printf("uniform: mean %.5g mm, deviation %.5g mm (%.5g)\n", 1e3 * mean, 1e3 * deviation, 2.0 / sqrt(12.0));
  assert_within(mean, 2e-3, 0.01e-3);
  assert_within(deviation, 2e-3 / sqrt(12.0), 0.01e-3);
  ck_assert_mem_eq(&g.list[77].x, &same.list[77].x, sizeof g.list[77].x);
  ck_assert(g.list[77].radius != other.list[77].radius);
  dem_grains_free(&g);
  dem_grains_free(&same);
  dem_grains_free(&other);
}

TEST(lognormal_sizes_have_their_moments)
{
  dem_sizes sizes = {.distribution = DEM_SIZES_LOGNORMAL, .median = 2e-3, .deviation = 0.4};
  double mean, deviation;
  grains g = draw(&sizes, 1);
  moments_of(&g, true, &mean, &deviation);
  printf("log-normal: median %.5g mm, deviation of the logarithm %.5g\n", 1e3 * exp(mean), deviation);
  assert_within(mean, log(2e-3), 5.0 * 0.4 / sqrt(MANY));
  assert_within(deviation, 0.4, 5.0 * 0.4 / sqrt(2.0 * MANY));
  dem_grains_free(&g);
  sizes.min = 1.5e-3;
  sizes.max = 3e-3;
  g = draw(&sizes, 1);
  for (size_t i = 0; i < g.count; i++)
    ck_assert(2.0 * g.list[i].radius >= 1.5e-3 && 2.0 * g.list[i].radius <= 3e-3);
  dem_grains_free(&g);
}

/* Share of the mass finer than the diameter. */
static double passing(const grains *g, double diameter)
{
  double finer = 0.0, all = 0.0;
  for (size_t i = 0; i < g->count; i++) {
    double mass = pow(g->list[i].radius, 3.0);
    all += mass;
    finer += 2.0 * g->list[i].radius <= diameter ? mass : 0.0;
  }
  return finer / all;
}

TEST(a_table_is_by_mass)
{
  const dem_sizes sizes = {.distribution = DEM_SIZES_TABLE,
                           .count = 5,
                           .diameter = {0.5e-3, 1e-3, 1.4e-3, 2e-3, 4e-3},
                           .passing = {0.0, 0.2, 0.2, 0.7, 1.0}};
  grains g = draw(&sizes, 1);
  double worst = 0.0;
  for (int k = 0; k < 5; k++)
    worst = fmax(worst, fabs(passing(&g, sizes.diameter[k] * (1.0 + 1e-12)) - sizes.passing[k]));
  for (int k = 0; k < 4; k++) { /* half-way in the logarithm, too */
    double middle = sqrt(sizes.diameter[k] * sizes.diameter[k + 1]);
    worst = fmax(worst, fabs(passing(&g, middle) - 0.5 * (sizes.passing[k] + sizes.passing[k + 1])));
  }
  printf("table: shares of mass within %.4f\n", worst);
  ck_assert_double_le(worst, 0.02);
  for (size_t i = 0; i < g.count; i++)
    ck_assert(!(2.0 * g.list[i].radius > 1.01e-3 && 2.0 * g.list[i].radius < 1.39e-3)); /* none of these */
  dem_grains_free(&g);
}

/* ---- Places ------------------------------------------------------------------------------------------------------ */

TEST(random_places_fill_the_cell)
{
  dem_case run = dem_case_default();
  error_info error = {.text = ""};
  grains g;
  dem_take_packing(&run, MANY, 1e5);
  run.assembly.packing.initial_density = 0.4;
  run.assembly.packing.aspect[0] = 2.0;
  run.assembly.packing.aspect[2] = 0.5;
  ck_assert(dem_grains_generate(&g, &run, &error));
  double solid = 0.0, octants[8] = {0.0};
  for (size_t i = 0; i < g.count; i++) {
    vec3 x = g.list[i].x;
    solid += 4.0 / 3.0 * PI * pow(g.list[i].radius, 3.0);
    ck_assert(x.x > 0.0 && x.x < g.cell.xx && x.y > 0.0 && x.y < g.cell.yy && x.z > 0.0 && x.z < g.cell.zz);
    ck_assert_uint_eq(g.list[i].id, i);
    octants[(2.0 * x.x > g.cell.xx) + 2 * (2.0 * x.y > g.cell.yy) + 4 * (2.0 * x.z > g.cell.zz)] += 1.0 / MANY;
  }
  assert_within(solid / dem_cell_volume(g.cell), 0.4, 1e-12);
  assert_within(g.cell.xx / g.cell.yy, 2.0, 1e-12);
  assert_within(g.cell.zz / g.cell.yy, 0.5, 1e-12);
  for (int k = 0; k < 8; k++)
    assert_within(octants[k], 0.125, 0.01);
  dem_grains_free(&g);
}

/* Sorting is a permutation that gives neighbours close numbers. */
TEST(sorting_only_sorts)
{
  dem_case run = dem_case_default();
  error_info error = {.text = ""};
  grains g, sorted;
  dem_take_packing(&run, 1000, 1e5);
  ck_assert(dem_grains_generate(&g, &run, &error) && dem_grains_generate(&sorted, &run, &error));
  ck_assert(dem_grains_sort(&sorted, &error));
  bool seen[1000] = {false};
  double way = 0.0, way_sorted = 0.0;
  for (size_t i = 0; i < 1000; i++) {
    uint32_t id = sorted.list[i].id;
    ck_assert(id < 1000 && !seen[id]);
    seen[id] = true;
    ck_assert_mem_eq(&sorted.list[i].x, &g.list[id].x, sizeof(vec3));
    ck_assert_double_eq(sorted.list[i].radius, g.list[id].radius);
    way += i > 0 ? vec3_length(vec3_subtract(g.list[i].x, g.list[i - 1].x)) : 0.0;
    way_sorted += i > 0 ? vec3_length(vec3_subtract(sorted.list[i].x, sorted.list[i - 1].x)) : 0.0;
  }
  printf("sorted: the way through all spheres is %.3f of what it was\n", way_sorted / way);
  ck_assert_double_lt(way_sorted, 0.5 * way);
  dem_grains_free(&g);
  dem_grains_free(&sorted);
}

TEST(lattices_have_their_points)
{
  for (int kind = 0; kind < 2; kind++) {
    dem_case run = dem_still_case(1e-7);
    run.assembly.source = DEM_SOURCE_LATTICE;
    run.assembly.lattice = (dem_lattice){
        .kind = kind == 0 ? DEM_LATTICE_SC : DEM_LATTICE_FCC, .cells = {3, 4, 5}, .radius = 1e-3, .overlap = 1e-3};
    SCOPED_SIMULATION s = dem_create(&run, 1);
    double edge = 2e-3 * (1.0 - 1e-3) * (kind == 0 ? 1.0 : sqrt(2.0));
    ck_assert_uint_eq(dem_simulation_spheres(s), kind == 0 ? 60 : 240);
    ck_assert_uint_eq(dem_simulation_contacts(s), kind == 0 ? 180 : 1440);
    assert_within(s->cell.xx, 3.0 * edge, 1e-15);
    assert_within(s->cell.zz, 5.0 * edge, 1e-15);
  }
}

/* Random spheres are spread before they are compressed; too little room is reported. */
TEST(spheres_are_spread)
{
  dem_case run = dem_case_default();
  error_info error = {.text = ""};
  dem_take_packing(&run, 500, 1e5);
  dem_simulation *s = dem_create(&run, 1);
  dem_measures m = dem_measured(s);
  printf("spread: overlap %.2e of the radius\n", m.overlap_max);
  ck_assert_double_le(m.overlap_max, 2.0 * 1e-3 / 0.8);
  dem_simulation_destroy(s);
  dem_take_packing(&run, 60, 1e5);
  run.assembly.packing.initial_density = 0.9;
  ck_assert_ptr_null(dem_simulation_create(&run, 1, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "initial_density"));
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static const double good_cell[6] = {1e-2, 2e-2, 3e-2, 1e-3, -2e-3, 3e-3};
static const char good_file[] = "# spheres\n"
                                "cell 1.0e-2 0.02 3e-2\t1e-3 -2e-3 3e-3 # leans\r\n"
                                "\n"
                                "  1e-3 2e-3, 3e-3 5e-4\n"
                                "0,0,0,0.001 # the second\n"
                                ".004 +4e-3 -4e-3 2E-4";

TEST(files_are_read)
{
  error_info error = {.text = ""};
  grains g;
  scratch_write(directory, "good", good_file, strlen(good_file));
  ck_assert_msg(dem_grains_read(&g, scratch_path(directory, "good"), &error), "%s", error.text);
  ck_assert_uint_eq(g.count, 3);
  const double cell[6] = {g.cell.xx, g.cell.yy, g.cell.zz, g.cell.xy, g.cell.xz, g.cell.yz};
  for (int k = 0; k < 6; k++)
    ck_assert_double_eq(cell[k], good_cell[k]);
  ck_assert_double_eq(g.list[0].x.z, 3e-3);
  ck_assert_double_eq(g.list[1].radius, 1e-3);
  ck_assert_double_eq(g.list[2].x.z, -4e-3);
  ck_assert_uint_eq(g.list[2].id, 2);
  dem_grains_free(&g);
}

static void assert_file_refused(const char *text, size_t size, const char *where, const char *why)
{
  error_info error = {.text = ""};
  grains g;
  char expected[4200];
  scratch_write(directory, "bad", text, size);
  ck_assert(!dem_grains_read(&g, scratch_path(directory, "bad"), &error));
  snprintf(expected, sizeof expected, "%s%s", scratch_path(directory, "bad"), where);
  ck_assert_msg(strncmp(error.text, expected, strlen(expected)) == 0, "'%s' does not begin with '%s'", error.text,
                expected);
  ck_assert_msg(strstr(error.text, why) != NULL, "'%s' does not say '%s'", error.text, why);
  ck_assert(!error.out_of_memory);
  SCOPED_CASE run = dem_still_case(1e-7); /* and no simulation is made */
  dem_take_file(&run, directory, "bad");
  ck_assert_ptr_null(dem_simulation_create(&run, 1, &error));
}

TEST(wrong_files_are_refused_with_their_line)
{
  static const struct {
    const char *text, *where, *why;
  } wrong[] = {
      {"", ": ", "there is no cell"},
      {"cell 1 1 1\n", ": ", "there are no grains"},
      {"0 0 0 0.1\n", ": ", "there is no cell"},
      {"cell 1 1 1\n0 0 0\n", ":2: ", "four numbers"},
      {"cell 1 1 1\n0 0 0 0.1 7\n", ":2: ", "four numbers"},
      {"cell 1 1 1\n0 0 0 0.1 7 8 9 10\n", ":2: ", "four numbers"},
      {"cell 1 1 1\n\n0 0 0 -0.1\n", ":3: ", "radius must be positive"},
      {"cell 1 1 1\n0 0 0 0\n", ":2: ", "radius must be positive"},
      {"cell 1 1 1\n0 0 nan 0.1\n", ":2: ", "four numbers"},
      {"cell 1 1 1\n0 0 inf 0.1\n", ":2: ", "four numbers"},
      {"cell 1 1 1\n0 0 1e999 0.1\n", ":2: ", "four numbers"},
      {"cell 1 1 1\n0 0 0 0.1m\n", ":2: ", "four numbers"},
      {"cell 1 1 1\n0;0;0;0.1\n", ":2: ", "four numbers"},
      {"# first\ncell 1 1\n0 0 0 0.1\n", ":2: ", "a cell is"},
      {"cell 1 1 1 0\n0 0 0 0.1\n", ":1: ", "a cell is"},
      {"cell 1 1 1 0 0 0 0\n", ":1: ", "a cell is"},
      {"cell 1 -1 1\n", ":1: ", "edges of a cell must be positive"},
      {"cell 1 1 1\n0 0 0 0.1\ncell 1 1 1\n", ":3: ", "a second cell"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
    assert_file_refused(wrong[k].text, strlen(wrong[k].text), wrong[k].where, wrong[k].why);
  assert_file_refused("cell 1 1 1\n0 0\0 0 0.1\n", 23, ":2: ", "a NUL byte");
  error_info error = {.text = ""};
  grains g;
  ck_assert(!dem_grains_read(&g, scratch_path(directory, "none"), &error));
  ck_assert_ptr_nonnull(strstr(error.text, "none: No such file"));
  ck_assert(!error.out_of_memory);
  ck_assert(!dem_grains_read(&g, directory, &error));
  ck_assert_ptr_nonnull(strstr(error.text, ": it is a directory"));
  ck_assert(!error.out_of_memory);
}

/* Endless files and lines are not read into memory. */
TEST(endless_files_are_refused)
{
  enum { LONGEST = 32768 };
  static const char start[] = "cell 1 1 1\n0 0 0 0.1 #";
  error_info error = {.text = ""};
  grains g;
  ck_assert_int_eq(mkfifo(scratch_path(directory, "pipe"), 0666), 0);
  ck_assert(!dem_grains_read(&g, scratch_path(directory, "pipe"), &error));
  ck_assert_ptr_nonnull(strstr(error.text, "pipe: it is not a regular file"));
  ck_assert(!dem_grains_read(&g, "/dev/zero", &error));
  ck_assert_str_eq(error.text, "/dev/zero: it is not a regular file");
  char text[sizeof start + LONGEST + 2];
  size_t in_first = (size_t)(strchr(start, '\n') - start) + 1, whole = in_first + LONGEST;
  memset(text, ' ', sizeof text);
  memcpy(text, start, sizeof start - 1);
  text[whole] = '\n'; /* as long as a line may be; then one byte more, with and without an end */
  scratch_write(directory, "long", text, whole + 1);
  ck_assert_msg(dem_grains_read(&g, scratch_path(directory, "long"), &error), "%s", error.text);
  dem_grains_free(&g);
  text[whole] = ' ';
  assert_file_refused(text, whole + 1, ":2: ", "longer than 32768 bytes");
  text[whole + 1] = '\n';
  assert_file_refused(text, whole + 2, ":2: ", "longer than 32768 bytes");
}

/* A cell must be wider than two of the largest spheres. */
TEST(narrow_cells_are_refused)
{
  error_info error = {.text = ""};
  static const char narrow[] = "cell 1 1 1\n0 0 0 0.26\n0.5 0.5 0.5 0.1\n";
  scratch_write(directory, "narrow", narrow, strlen(narrow));
  SCOPED_CASE run = dem_still_case(1e-7);
  dem_take_file(&run, directory, "narrow");
  ck_assert_ptr_null(dem_simulation_create(&run, 1, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "the cell is 1 m wide"));
}

/* ---- Snapshots --------------------------------------------------------------------------------------------------- */

enum { PACKED = 200 };

FIXTURE_PACKED(ONCE, PACKED)

static dem_simulation *sheared(dem_case *run, double viscous)
{
  dem_write_spheres(directory, "packed", packed.cell, PACKED, packed.x, packed.radius, NULL);
  dem_take_file(run, directory, "packed");
  run->stages[0].control[DEM_XY] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = -3e-5};
  run->stages[0].control[DEM_XZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 2e-5};
  run->stages[0].damping = (dem_damping){.viscous = viscous, .local = 0.3};
  dem_simulation *s = dem_create(run, 1);
  dem_steps(s, 300);
  return s;
}

static void assert_spheres_in_order(const dem_snapshot *snap, const dem_simulation *s)
{
  for (size_t i = 0; i < snap->sphere_count; i++) {
    const dem_sphere_view *v = &snap->spheres[i];
    size_t at = dem_sphere(s, v->id);
    ck_assert(i == 0 || snap->spheres[i - 1].id < v->id);
    ck_assert_double_eq(v->radius, s->bodies[at].radius);
    ck_assert_double_eq(v->velocity[1], s->motions[at].v.y);
    vec3 share = upper_matrix_solve(s->cell, vec3_load(v->position));
    ck_assert(share.x > -1e-12 && share.x < 1.0 + 1e-12 && share.y > -1e-12 && share.y < 1.0 + 1e-12 &&
              share.z > -1e-12 && share.z < 1.0 + 1e-12);
    vec3 off = upper_matrix_solve(s->cell, vec3_subtract(vec3_load(s->bodies[at].x), vec3_load(v->position)));
    assert_within(off.x, nearbyint(off.x), 1e-12);
    assert_within(off.y, nearbyint(off.y), 1e-12);
    assert_within(off.z, nearbyint(off.z), 1e-12);
  }
}

/* Geometry of each contact: order, branch between images, overlap, forces. */
static double worst_contact(const dem_snapshot *snap, double friction)
{
  double worst = 0.0;
  for (size_t k = 0; k < snap->contact_count; k++) {
    const dem_contact_view *c = &snap->contacts[k];
    ck_assert_uint_lt(c->ids[0], c->ids[1]);
    ck_assert(k == 0 || snap->contacts[k - 1].ids[0] < c->ids[0] ||
              (snap->contacts[k - 1].ids[0] == c->ids[0] && snap->contacts[k - 1].ids[1] < c->ids[1]));
    const dem_sphere_view *a = &snap->spheres[c->ids[0]], *b = &snap->spheres[c->ids[1]]; /* ids have no gaps here */
    vec3 branch = {c->branch[0], c->branch[1], c->branch[2]}, n = {c->normal[0], c->normal[1], c->normal[2]};
    vec3 force = {c->force[0], c->force[1], c->force[2]};
    double distance = vec3_length(branch);
    worst = fmax(worst, fabs(a->radius + b->radius - distance - 2.0 * c->zeta) / a->radius);
    worst = fmax(worst, vec3_length(vec3_subtract(vec3_scale(1.0 / distance, branch), n)));
    worst = fmax(worst, fabs(vec3_dot(force, n) - c->fn) / c->fn);
    worst = fmax(worst, fabs(vec3_length(vec3_add_scaled(force, -c->fn, n)) - c->ft) / c->fn);
    ck_assert_double_le(c->ft, friction * c->fn * (1.0 + 1e-9));
    ck_assert(c->state != JAGER_STATE_APART && c->length >= 2);
  }
  return worst;
}

TEST(snapshots_agree_with_themselves)
{
  SCOPED_CASE run = dem_still_case(1e-7);
  SCOPED_SIMULATION s = sheared(&run, 0.0);
  dem_snapshot snap;
  assert_ok(dem_snapshot_take(s, &snap));
  ck_assert_uint_eq(snap.sphere_count, PACKED);
  ck_assert_uint_eq(snap.contact_count, dem_simulation_contacts(s));
  ck_assert_int_eq(snap.step, 300);
  assert_spheres_in_order(&snap, s);
  double worst = worst_contact(&snap, run.material.friction);
  printf("snapshot: contacts within %.1e of their geometry\n", worst);
  ck_assert_double_le(worst, 1e-12);
  dem_snapshot_free(&snap);
}

/* Sums over the contacts of a snapshot. */
typedef struct sums {
  double stress[3][3];
  double resultant[PACKED][3], touching[PACKED];
  double pressing; /* Σ Fn d / 3 */
} sums;

static void add_up(const dem_snapshot *snap, sums *sum)
{
  double volume = snap->cell[0][0] * snap->cell[1][1] * snap->cell[2][2];
  memset(sum, 0, sizeof *sum);
  for (size_t k = 0; k < snap->contact_count; k++) {
    const dem_contact_view *c = &snap->contacts[k];
    for (int i = 0; i < 3; i++) {
      sum->resultant[c->ids[0]][i] -= c->force[i];
      sum->resultant[c->ids[1]][i] += c->force[i];
      for (int j = 0; j < 3; j++)
        sum->stress[i][j] += c->force[i] * c->branch[j] / volume;
    }
    sum->touching[c->ids[0]] += 1.0;
    sum->touching[c->ids[1]] += 1.0;
    sum->pressing += c->fn * vec3_length(vec3_load(c->branch)) / 3.0;
  }
}

static double stress_error(const sums *sum, const dem_measures *m)
{
  const double of_measures[6] = {m->stress_xx, m->stress_yy, m->stress_zz, m->stress_xy, m->stress_xz, m->stress_yz};
  const double of_snapshot[6] = {sum->stress[0][0], sum->stress[1][1], sum->stress[2][2],
                                 sum->stress[0][1], sum->stress[0][2], sum->stress[1][2]};
  double worst = 0.0;
  for (int k = 0; k < 6; k++)
    worst = fmax(worst, fabs(of_measures[k] - of_snapshot[k]) / m->p);
  return worst;
}

/* The unbalanced force from the resultants over the mean force; contacts and mean stresses of the spheres. */
static double sphere_error(const sums *sum, const dem_snapshot *snap, double force)
{
  double worst = 0.0, spheres = 0.0;
  for (size_t i = 0; i < PACKED; i++) {
    for (int k = 0; k < 3; k++)
      worst = fmax(worst, fabs(sum->resultant[i][k] - snap->spheres[i].force[k]) / force);
    ck_assert_double_eq(sum->touching[i], snap->spheres[i].contacts);
    spheres += snap->spheres[i].pressure * 4.0 / 3.0 * PI * pow(snap->spheres[i].radius, 3.0);
  }
  assert_within(spheres, sum->pressing, 1e-12 * sum->pressing);
  return worst;
}

TEST(sums_over_a_snapshot_are_the_measures)
{
  for (int kind = 0; kind < 2; kind++) { /* without and with dashpots */
    SCOPED_CASE run = dem_still_case(1e-7);
    SCOPED_SIMULATION s = sheared(&run, kind * 0.1);
    dem_measures m = dem_measured(s);
    dem_snapshot snap;
    sums sum;
    assert_ok(dem_snapshot_take(s, &snap));
    add_up(&snap, &sum);
    double stress = stress_error(&sum, &m), sphere = sphere_error(&sum, &snap, m.normal_force_mean);
    double xy = sum.stress[0][1] / m.p, yx = sum.stress[1][0] / m.p;
    printf("snapshot: stresses within %.1e, resultants within %.1e; stress xy %.4g, yx %.4g of p\n", stress, sphere, xy,
           yx);
    if (kind == 0) {
      ck_assert_double_le(stress, 1e-12);
      ck_assert_double_le(sphere, 1e-12);
    } else { /* only the measures include dashpots */
      ck_assert_double_ge(stress, 1e-6);
      ck_assert_double_le(stress, 1e-2);
    }
    assert_within(xy, yx, 0.05); /* except for the part that rotates the spheres */
    dem_snapshot_free(&snap);
  }
}

/* The same mobilised friction at any coefficient: half of it, in contacts of all sizes */
static void mobilise_half(dem_simulation *s, double friction, double size)
{
  s->law.friction = friction;
  for (size_t k = 0; k < s->block_count; k++) {
    jager_pairs *contacts = s->blocks[k].contacts;
    for (size_t i = 0; i < contacts->origin_count; i++)
      contacts->origins[i].friction = friction;
    for (uint32_t number = 0; number < contacts->count; number++) {
      contact_data c;
      jager_record_view(contacts, &contacts->records[number], &c);
      c.fn = c.top.fn_base = c.second.fn_base = size * c.fn; /* so that the anchor is the whole force */
      c.anchor.ft_low[0] = c.anchor.ft_low[1] = 0;
      c.anchor.ft = (double2){0.3 * friction * c.fn, -0.4 * friction * c.fn};
      jager_record_set(&contacts->records[number], &c, contacts->records[number].origin);
    }
  }
}

TEST(mobilised_friction_is_a_number_at_any_friction)
{
  static const double frictions[] = {0.5, 1e6, 1e-150, 1e-300}, denormal[] = {1e-306, 1e-320, 5e-324, 0.0};
  for (size_t i = 0; i < sizeof frictions / sizeof *frictions + sizeof denormal / sizeof *denormal; i++) {
    SCOPED_CASE run = dem_still_case(1e-7);
    SCOPED_SIMULATION s = sheared(&run, 0.0);
    bool is_normal = i < sizeof frictions / sizeof *frictions;
    mobilise_half(s, is_normal ? frictions[i] : denormal[i - sizeof frictions / sizeof *frictions], 1.0);
    double mobilised = dem_measured(s).mobilised_friction;
    if (is_normal)
      assert_within(mobilised, 0.5, 1e-9);
    else
      ck_assert(mobilised >= 0.0 && mobilised <= 1.0); /* so small forces have few digits, or none */
    mobilise_half(s, s->law.friction, 1e-40);
    mobilised = dem_measured(s).mobilised_friction;
    ck_assert(mobilised >= 0.0 && mobilised <= 1.0);
  }
}

/* ---- The same bits with every C library -------------------------------------------------------------------------- */

TEST(portable_functions_are_right_and_have_fixed_bits)
{
  uint64_t seed = 17;
  double worst[5] = {0.0};
  for (int k = 0; k < 200000; k++) {
    double turns = random_in(&seed, -3.0, 3.0);
    worst[3] = fmax(worst[3], fabs(portable_sin_turns(turns) - (double)sinl(8.0L * atanl(1.0L) * (long double)turns)));
    double x = exp(random_in(&seed, -600.0, 600.0)), near = random_in(&seed, 0.5, 2.0),
           y = random_in(&seed, -600.0, 600.0);
    worst[0] = fmax(worst[0], fabs(portable_log(x) - log(x)) / fabs(log(x)));
    worst[0] = fmax(worst[0], fabs(portable_log(near) - log(near)) / fabs(log(near)));
    worst[1] = fmax(worst[1], fabs(portable_exp(y) / exp(y) - 1.0));
    worst[2] = fmax(worst[2], fabs(portable_cube_root(x) / cbrt(x) - 1.0));
    worst[4] = fmax(worst[4], fabs(portable_angle(turns, near - 1.0) / atan2(turns, near - 1.0) - 1.0));
  }
  printf("log within %.1e, exp %.1e, cube root %.1e, sine %.1e, angle %.1e of the C library's\n", worst[0], worst[1],
         worst[2], worst[3], worst[4]);
  for (int k = 0; k <= 12; k++) /* multiples of a quarter turn, exactly */
    ck_assert_double_eq(portable_sin_turns(0.25 * k), k % 2 == 0 ? 0.0 : k % 4 == 1 ? 1.0 : -1.0);
  static const double quarters[][3] = {
      {0.0, 0.0, 0.0}, {0.0, 2.0, 0.0}, {2.0, 0.0, 0.5 * PI}, {0.0, -2.0, PI}, {-2.0, 0.0, -0.5 * PI}};
  for (size_t k = 0; k < sizeof quarters / sizeof *quarters; k++)
    ck_assert_double_eq(portable_angle(quarters[k][0], quarters[k][1]), quarters[k][2]);
  ck_assert_double_le(worst[3], 3e-16);
  ck_assert_double_le(worst[4], 1e-15);
  for (int k = 0; k < 3; k++)
    ck_assert_double_le(worst[k], 1e-15);
  ck_assert_double_eq(portable_log(10.0), 0x1.26bb1bbb55516p+1);
  ck_assert_double_eq(portable_exp(1.5), 0x1.1ed3fe64fc541p+2);
  ck_assert_double_eq(portable_cube_root(10.0), 0x1.13c484138704fp+1);
  ck_assert_double_eq(portable_sin_turns(0.1), 0x1.2cf2304755a5ep-1);
  ck_assert_double_eq(portable_angle(0.3, -0.7), 0x1.5e4c36ca0118ap+1);
}

/* ---- The stiffness of "linear" ----------------------------------------------------------------------------------- */

/* As far compressed by the mean force as Hertz's contact, on average: their mean overlaps are near each other. */
TEST(linear_springs_are_as_soft_as_the_other_contacts)
{
  double overlap[2], force[2];
  for (int k = 0; k < 2; k++) {
    dem_case run = dem_case_default();
    run.contact.model = k == 0 ? JAGER_MODEL_JAGER : JAGER_MODEL_LINEAR;
    dem_take_packing(&run, 300, 1e6);
    run.assembly.packing.friction = 0.2;
    run.assembly.packing.max_steps = 500000;
    dem_add_stage(&run, "first", 10);
    SCOPED_SIMULATION s = dem_create(&run, 1);
    while (!s->stage_just_ended)
      dem_steps(s, 1);
    overlap[k] = 0.0;
    for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);)
      overlap[k] += 2.0 * jager_contact_zeta(&at.contact) / (double)s->contact_count;
    force[k] = dem_measured(s).normal_force_mean;
  }
  printf("mean overlaps %.3e and %.3e m, mean forces %.3g and %.3g N\n", overlap[0], overlap[1], force[0], force[1]);
  assert_within(overlap[1] / overlap[0], 1.15, 0.15); /* Hertz's grow with F^(2/3): their mean is lower */
  assert_within(force[1] / force[0], 1.0, 0.15);
}

TEST(linear_springs_need_a_stress_to_be_derived_from)
{
  SCOPED_CASE run = dem_still_case(1e-7);
  error_info error = {.text = ""};
  run.contact.model = JAGER_MODEL_LINEAR;
  dem_write_spheres(directory, "packed", packed.cell, PACKED, packed.x, packed.radius, NULL);
  dem_take_file(&run, directory, "packed");
  ck_assert_ptr_null(dem_simulation_create(&run, 1, &error));
  ck_assert_msg(strstr(error.text, "contact.linear.kn is needed") != NULL, "'%s'", error.text);
  run.contact.linear_kn = 1e7;
  dem_simulation_destroy(dem_create(&run, 1));
  run.contact.linear_kn = 0.0;
  run.stages[0].control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 10e6};
  dem_simulation_destroy(dem_create(&run, 1));
}
