/* SPDX-License-Identifier: MIT */
/*
 * Pictures of the assembly: grading, grains, rose.
 *
 * Oracles: closed forms of gradings; the fabric tensor, whose principal values and axes are computed here; a density of
 * normals that is prescribed; the grains of a slice, selected here in a cell without lean; in leaning cells, grains a
 * whole number of edges away from their spheres. gnuplot draws without a message, and the same bytes again.
 * Snapshots are random (seeds 2, 4, 5, 9, 11).
 */
#define _GNU_SOURCE
#include "assert_ok.h"
#include "dem/observe/grading.h"
#include "pictures/assembly/assembly_picture.h"
#include "pictures/assembly/grains_picture.h"
#include "pictures/assembly/rose_picture.h"
#include "pictures/gnuplot.h"
#include "random_numbers.h"
#include "scratch.h"
#include "snapshots.h"
#include "support.h"

#include <fcntl.h>

#define PI 3.14159265358979323846

/* ---- Grading ----------------------------------------------------------------------------------------------------- */

/* Diameters spread evenly over [a, b] by number: the mass finer than d is (d⁴ - a⁴)/(b⁴ - a⁴). */
START_TEST(even_diameters_have_the_grading_of_the_closed_form)
{
  enum { COUNT = 20000 };
  double *diameters = malloc(COUNT * sizeof *diameters), a = 0.5e-3, b = 2e-3;
  dem_grading g;
  for (int k = 0; k < COUNT; k++)
    diameters[(7919 * k) % COUNT] = a + (b - a) * (k + 0.5) / COUNT;
  ck_assert(dem_grading_make(&g, diameters, COUNT));
  const double fractions[] = {0.1, 0.3, 0.5, 0.6}, found[] = {g.d10, g.d30, g.d50, g.d60};
  double expected[4];
  for (int k = 0; k < 4; k++) {
    expected[k] = pow(pow(a, 4.0) + fractions[k] * (pow(b, 4.0) - pow(a, 4.0)), 0.25);
    ck_assert_double_eq_tol(found[k] / expected[k], 1.0, 1e-3);
  }
  ck_assert_double_eq_tol(g.uniformity, expected[3] / expected[0], 3e-3);
  ck_assert_double_eq_tol(g.curvature, expected[1] * expected[1] / (expected[0] * expected[3]), 3e-3);
  for (size_t k = 1; k < g.count; k++)
    ck_assert(g.diameters[k - 1] <= g.diameters[k] && g.passing[k - 1] < g.passing[k]);
  ck_assert_double_eq(g.passing[COUNT - 1], 1.0);
  dem_grading_free(&g);
  free(diameters);
}
END_TEST

/* Eight small spheres have the mass of one of twice their diameter. */
START_TEST(few_spheres_have_a_grading)
{
  const double two_sizes[] = {1e-3, 1e-3, 2e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3};
  dem_grading g;
  ck_assert(dem_grading_make(&g, two_sizes, 9));
  ck_assert_double_eq(g.d50, 1e-3);
  ck_assert_double_eq(g.d60, 2e-3);
  ck_assert_double_eq(g.uniformity, 2.0);
  ck_assert_double_eq(g.curvature, 0.5);
  dem_grading_free(&g);
  ck_assert(dem_grading_make(&g, two_sizes, 1));
  ck_assert(g.d10 == 1e-3 && g.d60 == 1e-3 && g.uniformity == 1.0 && g.curvature == 1.0);
  dem_grading_free(&g);
}
END_TEST

/* ---- Rose -------------------------------------------------------------------------------------------------------- */

static dem_snapshot random_contacts(uint64_t *random, size_t count)
{
  dem_snapshot snapshot = sample_snapshot(0, 4, count);
  for (size_t k = 0; k < count; k++) {
    double *n = snapshot.contacts[k].normal, length;
    do {
      for (int i = 0; i < 3; i++)
        n[i] = random_in(random, -1.0, 1.0) * (i == 2 ? 1.0 : 0.6);
      length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    } while (length < 0.1);
    for (int i = 0; i < 3; i++)
      n[i] /= length;
    snapshot.contacts[k].fn = random_in(random, 0.0, 1.0) + 2.0 * n[0] * n[0];
  }
  return snapshot;
}

/* The curve is that of the fabric tensor of the plane: a = 2 (F1 - F2)/(F1 + F2), along the axis of F1. */
START_TEST(the_curve_of_a_rose_is_the_fabric_tensor)
{
  static const picture_plane planes[] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};
  uint64_t random = 11;
  for (int k = 0; k < 60; k++) {
    dem_snapshot snapshot = random_contacts(&random, 30 + 7 * (size_t)k);
    picture_plane plane = planes[k % 3];
    bool is_force = k % 2;
    double xx = 0.0, yy = 0.0, xy = 0.0, sum = 0.0;
    for (size_t i = 0; i < snapshot.contact_count; i++) {
      const dem_contact_view *c = &snapshot.contacts[i];
      double weight = is_force ? c->fn : 1.0, x = c->normal[plane.across], y = c->normal[plane.up];
      xx += weight * x * x;
      yy += weight * y * y;
      xy += weight * x * y;
    }
    double root = sqrt(0.25 * (xx - yy) * (xx - yy) + xy * xy), first = 0.5 * (xx + yy) + root;
    rose made = rose_of(&snapshot, plane, is_force);
    double angle = made.direction * PI / 180.0, c = cos(angle), s = sin(angle);
    ck_assert_double_eq_tol(made.anisotropy, 2.0 * (2.0 * root) / (xx + yy), 1e-12);
    ck_assert_double_eq_tol(xx * c * c + 2.0 * xy * c * s + yy * s * s, first, 1e-9 * first);
    for (int bin = 0; bin < ROSE_BINS; bin++) {
      ck_assert_double_eq_tol(made.radius[bin], made.radius[(bin + ROSE_BINS / 2) % ROSE_BINS], 1e-12);
      sum += made.radius[bin] / ROSE_BINS;
    }
    ck_assert_double_eq_tol(sum, 1.0, 1e-12);
    dem_snapshot_free(&snapshot);
  }
}
END_TEST

/* Normals in the plane with the density 1 + a cos 2(θ - θa): the sectors follow it. */
START_TEST(sectors_follow_the_density)
{
  enum { COUNT = 100000 };
  const double a = 0.4, axis = 25.0 * PI / 180.0;
  dem_snapshot snapshot = sample_snapshot(0, 4, COUNT);
  for (int k = 0; k < COUNT; k++) { /* cumulative density at θ, by Newton's method */
    double u = 2.0 * PI * (k + 0.5) / COUNT, angle = u;
    for (int i = 0; i < 50; i++)
      angle -=
          (angle + 0.5 * a * (sin(2.0 * (angle - axis)) + sin(2.0 * axis)) - u) / (1.0 + a * cos(2.0 * (angle - axis)));
    snapshot.contacts[k].normal[0] = cos(angle);
    snapshot.contacts[k].normal[1] = 0.0;
    snapshot.contacts[k].normal[2] = sin(angle);
  }
  rose made = rose_of(&snapshot, (picture_plane){0, 2, 1}, false);
  ck_assert_double_eq_tol(made.anisotropy, a, 1e-3);
  ck_assert_double_eq_tol(made.direction, 25.0, 0.1);
  for (int bin = 0; bin < ROSE_BINS; bin++) {
    double low = 2.0 * PI * (bin - 0.5) / ROSE_BINS, high = 2.0 * PI * (bin + 0.5) / ROSE_BINS;
    double mean = 1.0 + 0.5 * a * (sin(2.0 * (high - axis)) - sin(2.0 * (low - axis))) / (high - low);
    ck_assert_double_eq_tol(made.radius[bin], mean, 2e-3);
  }
  dem_snapshot_free(&snapshot);
  snapshot = sample_snapshot(0, 4, 0);
  ck_assert(rose_of(&snapshot, (picture_plane){0, 2, 1}, true).is_empty);
  dem_snapshot_free(&snapshot);
}
END_TEST

/* ---- Grains ------------------------------------------------------------------------------------------------------ */

/* Spheres of about 1 mm, at random in a cell of the given size that leans by `lean`; each touches the next one. */
static dem_snapshot random_grains(uint64_t *random, size_t count, double width, double lean)
{
  dem_snapshot snapshot = sample_snapshot(4711, count, count > 1 ? count - 1 : 0);
  double h[3][3] = {
      {width, lean * width, -lean * width}, {0.0, 0.9 * width, 0.5 * lean * width}, {0.0, 0.0, 1.1 * width}};
  memcpy(snapshot.cell, h, sizeof h);
  for (size_t i = 0; i < count; i++) {
    double f[3] = {random_in(random, 0.0, 1.0), random_in(random, 0.0, 1.0), random_in(random, 0.0, 1.0)};
    for (int k = 0; k < 3; k++)
      snapshot.spheres[i].position[k] = h[k][0] * f[0] + h[k][1] * f[1] + h[k][2] * f[2];
    snapshot.spheres[i].radius = random_in(random, 0.4e-3, 0.6e-3);
    snapshot.spheres[i].pressure = random_in(random, 0.0, 2e5);
  }
  for (size_t k = 0; k < snapshot.contact_count; k++) {
    for (int i = 0; i < 3; i++)
      snapshot.contacts[k].branch[i] = random_in(random, -0.6e-3, 0.6e-3);
    snapshot.contacts[k].fn = random_in(random, 0.0, 1.0);
  }
  return snapshot;
}

static dem_case some_case(void)
{
  dem_case run = dem_case_default();
  run.stage_count = 1;
  run.stages[0] = dem_stage_default(&run);
  strcpy(run.stages[0].name, "some");
  return run;
}

static char *script_of(picture_script *script, const dem_snapshot *snapshot, const dem_case *run, int stage)
{
  char *text = NULL;
  size_t size;
  stage_contents contents;
  FILE *stream = open_memstream(&text, &size);
  ck_assert(stage_contents_init(&contents, snapshot, run, stage));
  script(&contents, "set terminal dumb", stream);
  ck_assert_int_eq(fclose(stream), 0);
  stage_contents_free(&contents);
  return text;
}

typedef struct disc {
  double x, y, radius, stress;
} disc;

/* The lines of a data block; the first is not a number. */
static size_t read_discs(const char *script, const char *name, disc *list, size_t room)
{
  size_t count = 0;
  const char *line = strstr(script, name);
  ck_assert_ptr_nonnull(line);
  line = strchr(strchr(line, '\n') + 1, '\n') + 1;
  for (; *line != 'E'; line = strchr(line, '\n') + 1) {
    ck_assert(count < room);
    ck_assert_int_eq(
        sscanf(line, "%lf %lf %lf %lf", &list[count].x, &list[count].y, &list[count].radius, &list[count].stress), 4);
    count++;
  }
  return count;
}

/* In an upright cell of 10 mm the slice holds the spheres within three quarters of a diameter of its middle. */
START_TEST(a_slice_shows_its_grains_once)
{
  enum { COUNT = 900 };
  uint64_t random = 5;
  dem_case run = some_case();
  dem_snapshot snapshot = random_grains(&random, COUNT, 10e-3, 0.0);
  disc discs[COUNT];
  double diameter = 0.0;
  size_t expected = 0;
  for (size_t i = 0; i < COUNT; i++)
    diameter += 2.0 * snapshot.spheres[i].radius / COUNT;
  char *script = script_of(grains_picture_write, &snapshot, &run, 1);
  size_t count = read_discs(script, "$inside << EOD", discs, COUNT);
  for (size_t i = 0; i < COUNT; i++) {
    const dem_sphere_view *sphere = &snapshot.spheres[i];
    bool is_there = fabs(sphere->position[1] - 4.5e-3) <= 0.75 * diameter;
    size_t found = 0;
    for (size_t k = 0; k < count; k++)
      found +=
          fabs(discs[k].x - 1e3 * sphere->position[0]) < 1e-3 && fabs(discs[k].y - 1e3 * sphere->position[2]) < 1e-3 &&
          fabs(discs[k].radius - 1e3 * sphere->radius) < 1e-5 && fabs(discs[k].stress - 1e-3 * sphere->pressure) < 0.1;
    ck_assert_uint_eq(found, is_there);
    expected += is_there;
  }
  ck_assert_uint_eq(count, expected);
  count = read_discs(script, "$outside << EOD", discs, COUNT);
  for (size_t k = 0; k < count; k++) {
    bool is_inside = discs[k].x >= 0.0 && discs[k].x < 10.0 && discs[k].y >= 0.0 && discs[k].y < 11.0;
    bool touches = discs[k].x > -discs[k].radius && discs[k].x < 10.0 + discs[k].radius &&
                   discs[k].y > -discs[k].radius && discs[k].y < 11.0 + discs[k].radius;
    ck_assert(!is_inside && touches);
  }
  ck_assert_uint_gt(count, 20);
  free(script);
  dem_snapshot_free(&snapshot);
}
END_TEST

/* The sphere of a disc, by its stress, which is random. */
static const dem_sphere_view *sphere_of(const dem_snapshot *snapshot, const disc *of)
{
  for (size_t i = 0; i < snapshot->sphere_count; i++)
    if (fabs(of->stress - 1e-3 * snapshot->spheres[i].pressure) < 6e-4 * of->stress &&
        fabs(of->radius - 1e3 * snapshot->spheres[i].radius) < 1e-5)
      return &snapshot->spheres[i];
  ck_abort_msg("there is no sphere of %g kPa", of->stress);
  return NULL;
}

/* How many edges a and b of the plane a disc is away from its sphere, seen from the middle of the third edge c. */
static void find_edges(const disc *of, const dem_sphere_view *sphere, double h[3][3], const int axes[3],
                       double edges[2])
{
  int a = axes[0], b = axes[1], c = axes[2];
  double x = 1e-3 * of->x - sphere->position[a] + 0.5 * h[a][c], y = 1e-3 * of->y - sphere->position[b] + 0.5 * h[b][c];
  double determinant = h[a][a] * h[b][b] - h[a][b] * h[b][a];
  edges[0] = (x * h[b][b] - y * h[a][b]) / determinant;
  edges[1] = (y * h[a][a] - x * h[b][a]) / determinant;
}

/* In a leaning cell each disc is a whole number of edges away from its sphere, and no sphere is drawn twice inside. */
START_TEST(leaning_cells_are_periodic)
{
  enum { COUNT = 400 };
  static const dem_component driven[] = {DEM_XZ, DEM_XY, DEM_YZ};
  static const int axes[3][3] = {{0, 2, 1}, {0, 1, 2}, {1, 2, 0}};
  static const char *const blocks[] = {"$inside << EOD", "$outside << EOD"};
  uint64_t random = 9;
  dem_case run = some_case();
  for (int plane = 0; plane < 3; plane++) {
    for (int k = DEM_XY; k < DEM_COMPONENTS; k++)
      run.stages[0].control[k] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP};
    run.stages[0].control[driven[plane]].value = 1e-6;
    dem_snapshot snapshot = random_grains(&random, COUNT, 8e-3, 0.35);
    disc discs[COUNT];
    size_t drawn[COUNT] = {0};
    char *script = script_of(grains_picture_write, &snapshot, &run, 1), label[64];
    snprintf(label, sizeof label, "xlabel '{/:Italic %c}", "xyz"[axes[plane][0]]);
    ck_assert_msg(strstr(script, label), "no %s", label);
    for (int block = 0; block < 2; block++) {
      size_t count = read_discs(script, blocks[block], discs, COUNT);
      ck_assert_uint_gt(count, 5);
      for (size_t k = 0; k < count; k++) {
        double edges[2];
        const dem_sphere_view *sphere = sphere_of(&snapshot, &discs[k]);
        find_edges(&discs[k], sphere, snapshot.cell, axes[plane], edges);
        for (int i = 0; i < 2; i++)
          ck_assert_msg(fabs(edges[i] - round(edges[i])) < 1e-3, "plane %d, %s: %g edges away", plane, blocks[block],
                        edges[i]);
        drawn[sphere - snapshot.spheres] += block == 0;
        ck_assert_uint_le(drawn[sphere - snapshot.spheres], 1);
      }
    }
    free(script);
    dem_snapshot_free(&snapshot);
  }
}
END_TEST

/* ---- Drawing ----------------------------------------------------------------------------------------------------- */

/* Draws with stderr in a file: gnuplot must not print any message. */
static void assert_drawn(const char *dir, const dem_snapshot *snapshot, const dem_case *run)
{
  size_t size;
  dem_grading grading;
  double *diameters = malloc(snapshot->sphere_count * sizeof *diameters);
  for (size_t i = 0; i < snapshot->sphere_count; i++)
    diameters[i] = 2.0 * snapshot->spheres[i].radius;
  ck_assert(dem_grading_make(&grading, diameters, snapshot->sphere_count));
  int before = dup(STDERR_FILENO), file = open(scratch_path(dir, "stderr"), O_CREAT | O_WRONLY | O_TRUNC, 0666);
  dup2(file, STDERR_FILENO);
  bool is_drawn = assembly_picture_draw_stage(dir, snapshot, run, 1, &error) &&
                  assembly_picture_draw_grading(dir, &grading, run, &error);
  dup2(before, STDERR_FILENO);
  close(before);
  close(file);
  char *said = scratch_read(dir, "stderr", &size);
  ck_assert_msg(is_drawn, "%s: %s", error.text, said);
  ck_assert_msg(size == 0, "gnuplot says: %s", said);
  free(said);
  free(diameters);
  dem_grading_free(&grading);
}

static const char *const names[] = {"grains-1.png", "grains-1.svg", "rose-1.png",
                                    "rose-1.svg",   "grading.png",  "grading.svg"};

START_TEST(assemblies_are_drawn_the_same_again)
{
  if (!gnuplot_is_installed())
    return;
  uint64_t random = 2;
  char *dirs[2] = {scratch_make(), scratch_make()};
  dem_case run = some_case();
  dem_snapshot snapshot = random_grains(&random, 3000, 14e-3, 0.2);
  for (int k = 0; k < 2; k++)
    assert_drawn(dirs[k], &snapshot, &run);
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    size_t sizes[2];
    char *bytes[2];
    for (int i = 0; i < 2; i++)
      bytes[i] = scratch_read(dirs[i], names[k], &sizes[i]);
    ck_assert_msg(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0, "%s differs", names[k]);
    ck_assert_uint_gt(sizes[0], 5000);
    free(bytes[0]);
    free(bytes[1]);
  }
  dem_snapshot_free(&snapshot);
  scratch_remove(dirs[0]);
  scratch_remove(dirs[1]);
}
END_TEST

/* One sphere, no contacts, no forces, a wide cell, sizes over two decades, texts with signs of gnuplot. */
START_TEST(odd_assemblies_are_drawn)
{
  if (!gnuplot_is_installed())
    return;
  uint64_t random = 4;
  char *dir = scratch_make(), title[] = "it's \"odd\" \\ `x` $y {a}_b^c @d %s";
  dem_case run = some_case();
  run.title = title;
  strcpy(run.stages[0].name, "a'b\"c_{d}`");
  dem_snapshot snapshot = random_grains(&random, 1, 3e-3, 0.0);
  assert_drawn(dir, &snapshot, &run);
  dem_snapshot_free(&snapshot);
  snapshot = random_grains(&random, 50, 3e-3, 0.5);
  for (size_t k = 0; k < snapshot.contact_count; k++)
    snapshot.contacts[k].fn = 0.0;
  for (size_t k = 0; k < snapshot.sphere_count; k++)
    snapshot.spheres[k].pressure = 0.0;
  assert_drawn(dir, &snapshot, &run);
  snapshot.contact_count = 0;
  snapshot.spheres[0].radius = 1e-5;
  assert_drawn(dir, &snapshot, &run);
  dem_snapshot_free(&snapshot);
  snapshot = random_grains(&random, 2000, 100e-3, 0.1);
  assert_drawn(dir, &snapshot, &run);
  dem_snapshot_free(&snapshot);
  scratch_remove(dir);
}
END_TEST

START_TEST(pictures_have_names)
{
  char name[ASSEMBLY_PICTURE_NAME_SIZE];
  int count = 0;
  bool has_last = false;
  for (; assembly_picture_name(count, name); count++)
    has_last = has_last || strcmp(name, "rose-64") == 0;
  ck_assert_int_eq(count, 1 + 2 * 65);
  ck_assert(has_last);
}
END_TEST

static void add_tests(TCase *tests)
{
  tcase_add_test(tests, even_diameters_have_the_grading_of_the_closed_form);
  tcase_add_test(tests, few_spheres_have_a_grading);
  tcase_add_test(tests, the_curve_of_a_rose_is_the_fabric_tensor);
  tcase_add_test(tests, sectors_follow_the_density);
  tcase_add_test(tests, a_slice_shows_its_grains_once);
  tcase_add_test(tests, leaning_cells_are_periodic);
  tcase_add_test(tests, assemblies_are_drawn_the_same_again);
  tcase_add_test(tests, odd_assemblies_are_drawn);
  tcase_add_test(tests, pictures_have_names);
}

int main(void)
{
  return run_tests("assembly_picture", add_tests);
}
