/* SPDX-License-Identifier: MIT */
/*
 * Shapes of grains: measures of unions of spheres.
 *
 * Oracles: two truncated spheres as integrals of polynomials; sums of spheres that do not overlap; random lines through
 * random spheres, with their statistical error; the same shape turned, moved and scaled; known numbers of Kuhn's
 * clumps. Fixed bits for the sands, from every compiler.
 */
#include "dem_support.h"

#include "dem/shape.h"

#include "base/portable_math.h"

#include <math.h>
#include <string.h>

static dem_shape make(const dem_shape_sphere *spheres, size_t count)
{
  dem_shape shape;
  error_info error = {.text = ""};
  ck_assert_msg(dem_shape_make(&shape, spheres, count, NULL, &error), "%s", error.text);
  return shape;
}

static const dem_shape_form standard = {NAN, NAN, NAN};

static dem_shape make_named(const char *name)
{
  dem_shape shape;
  error_info error = {.text = ""};
  ck_assert_msg(dem_shape_make_named(&shape, name, &standard, &error), "%s", error.text);
  return shape;
}

static double volume_of(double radius)
{
  return 4.0 / 3.0 * PI * radius * radius * radius;
}

static void assert_near(double got, double expected, double share)
{
  assert_within(got, expected, share * fabs(expected));
}

/* A random rotation. */
static void random_axes(uint64_t *seed, vec3 axes[3])
{
  vec3 a = {random_in(seed, -1.0, 1.0), random_in(seed, -1.0, 1.0), random_in(seed, -1.0, 1.0)};
  vec3 b = {random_in(seed, -1.0, 1.0), random_in(seed, -1.0, 1.0), random_in(seed, -1.0, 1.0)};
  axes[0] = vec3_scale(1.0 / vec3_length(a), a);
  b = vec3_cross(axes[0], b);
  axes[1] = vec3_scale(1.0 / vec3_length(b), b);
  axes[2] = vec3_cross(axes[0], axes[1]);
}

static vec3 turn(const vec3 axes[3], vec3 x)
{
  return vec3_add(vec3_scale(x.x, axes[0]), vec3_add(vec3_scale(x.y, axes[1]), vec3_scale(x.z, axes[2])));
}

/* ---- Closed forms ------------------------------------------------------------------------------------------------ */

/* Along the axis x of a body of revolution: volume, ∫x, ∫x², and ∫y² across it. */
typedef struct segments {
  double volume, x, xx, yy, surface;
} segments;

/* Adds the part from x = c - r to x = cut of a sphere about c, or with `mirror` -1 from cut to c + r. */
static void add_segment(segments *to, double c, double r, double cut, double mirror)
{
  double h = mirror * (cut - c), u[6] = {1.0}, low[6] = {1.0}; /* powers of the ends, from the centre */
  for (int k = 1; k < 6; k++) {
    u[k] = u[k - 1] * h;
    low[k] = low[k - 1] * -r;
  }
  double one = u[1] - low[1], u1 = (u[2] - low[2]) / 2.0, u2 = (u[3] - low[3]) / 3.0, u3 = (u[4] - low[4]) / 4.0;
  double u4 = (u[5] - low[5]) / 5.0, v = PI * (r * r * one - u2), first = PI * mirror * (r * r * u1 - u3);
  to->volume += v;
  to->x += c * v + first;
  to->xx += c * c * v + 2.0 * c * first + PI * (r * r * u2 - u4);
  to->yy += 0.25 * PI * (r * r * r * r * one - 2.0 * r * r * u2 + u4);
  to->surface += 2.0 * PI * r * (h + r);
}

TEST(two_spheres_have_their_closed_form)
{
  static const double pairs[][3] = {/* radii, distance */
                                    {1.0, 1.0, 1.0},  {1.0, 0.5, 1.2},    {0.3, 1.0, 0.71},  {1.0, 1.0, 1e-3},
                                    {1.0, 0.7, 1.69}, {2.0, 1.9, 0.1001}, {1.0, 1.0, 1.999}, {1.0, 0.01, 1.0}};
  double worst = 0.0, worst_surface = 0.0;
  uint64_t seed = 3;
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
    for (int t = 0; t < 12; t++) {
      double a = pairs[k][0], b = pairs[k][1], d = pairs[k][2], cut = (d * d + a * a - b * b) / (2.0 * d);
      segments s = {0};
      add_segment(&s, 0.0, a, cut, 1.0);
      add_segment(&s, d, b, cut, -1.0);
      double x = s.x / s.volume, along = 2.0 * s.yy / s.volume, across = (s.xx + s.yy) / s.volume - x * x;

      vec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
      if (t >= 3)
        random_axes(&seed, axes);
      vec3 axis = t < 3 ? axes[t] : axes[0], middle = {0.3, -2.0, 5.0};
      dem_shape shape = make((dem_shape_sphere[]){{middle, a}, {vec3_add_scaled(middle, d, axis), b}}, 2);
      worst = fmax(worst, fabs(shape.volume / s.volume - 1.0));
      worst = fmax(worst, vec3_length(vec3_subtract(shape.centroid, vec3_add_scaled(middle, x, axis))));
      worst = fmax(worst, fabs(shape.principal[0] / along - 1.0));
      worst = fmax(worst, fmax(fabs(shape.principal[1] / across - 1.0), fabs(shape.principal[2] / across - 1.0)));
      worst_surface = fmax(worst_surface, fabs(shape.surface / s.surface - 1.0));
      assert_near(shape.equal_radius, cbrt(s.volume * 3.0 / (4.0 * PI)), 1e-9);
      assert_near(shape.bounding_radius, fmax(x + a, d - x + b), 1e-9);
      if (across - along > 0.01 * along)
        assert_within(fabs(vec3_dot(shape.axes[0], axis)), 1.0, 1e-9);
    }
  printf("two spheres: volume, centroid and inertia within %.1e, surface %.1e\n", worst, worst_surface);
  ck_assert_double_le(worst, 1e-9);
  ck_assert_double_le(worst_surface, 1e-6);
}

/* Sums over spheres, and their parallel axes */
TEST(spheres_that_only_touch_are_sums)
{
  const dem_shape_sphere chain[] = {
      {{0.0, 0.0, 0.0}, 1.0}, {{1.5, 0.0, 0.0}, 0.5}, {{1.5, 1.3, 0.0}, 0.8}, {{1.5, 1.3, -2.0}, 1.2}};
  dem_shape shape = make(chain, 4);
  double volume = 0.0, surface = 0.0, inertia[DEM_COMPONENTS] = {0.0};
  vec3 centroid = {0.0, 0.0, 0.0};
  for (int i = 0; i < 4; i++) {
    volume += volume_of(chain[i].radius);
    surface += 3.0 * volume_of(chain[i].radius) / chain[i].radius;
    centroid = vec3_add_scaled(centroid, volume_of(chain[i].radius), chain[i].center);
  }
  centroid = vec3_scale(1.0 / volume, centroid);
  for (int i = 0; i < 4; i++) {
    vec3 x = vec3_subtract(chain[i].center, centroid);
    double share = volume_of(chain[i].radius) / volume, own = 0.4 * chain[i].radius * chain[i].radius;
    const double of[DEM_COMPONENTS] = {own + x.y * x.y + x.z * x.z,
                                       own + x.x * x.x + x.z * x.z,
                                       own + x.x * x.x + x.y * x.y,
                                       -x.x * x.y,
                                       -x.x * x.z,
                                       -x.y * x.z};
    for (int k = 0; k < DEM_COMPONENTS; k++)
      inertia[k] += share * of[k];
  }
  assert_near(shape.volume, volume, 1e-11);
  assert_near(shape.surface, surface, 1e-11);
  assert_within(vec3_length(vec3_subtract(shape.centroid, centroid)), 0.0, 1e-11);
  for (int k = 0; k < DEM_COMPONENTS; k++)
    assert_within(shape.inertia[k], inertia[k], 1e-11);

  dem_union apart; /* far apart */
  const dem_shape_sphere two[] = {{{-40.0, 3.0, 7.0}, 1.0}, {{40.0, 3.0, 1.0}, 0.25}};
  ck_assert(dem_union_measure(&apart, two, 2));
  assert_near(apart.volume, volume_of(1.0) + volume_of(0.25), 1e-13);
  assert_near(apart.first.x, -40.0 * volume_of(1.0) + 40.0 * volume_of(0.25), 1e-13);
}

/* Three circles, or all, are one: rounding decides which sphere is outside there. */
TEST(spheres_may_share_a_circle)
{
  uint64_t seed = 11;
  double worst = 0.0;
  for (int t = 0; t < 60; t++) {
    double height[5], low = INFINITY, high = -INFINITY;
    vec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    dem_shape_sphere spheres[5];
    if (t >= 3)
      random_axes(&seed, axes);
    for (int i = 0; i < 5; i++) {
      height[i] = random_in(&seed, -1.0, 1.0);
      low = fmin(low, height[i]);
      high = fmax(high, height[i]);
      spheres[i] = (dem_shape_sphere){vec3_scale(height[i], axes[t % 3]), sqrt(height[i] * height[i] + 0.5)};
    }
    segments s = {0}; /* the outermost spheres are the union */
    add_segment(&s, low, sqrt(low * low + 0.5), 0.0, 1.0);
    add_segment(&s, high, sqrt(high * high + 0.5), 0.0, -1.0);
    dem_shape shape = make(spheres, 5);
    worst = fmax(worst, fabs(shape.volume / s.volume - 1.0));
    worst = fmax(worst, vec3_length(vec3_subtract(shape.centroid, vec3_scale(s.x / s.volume, axes[t % 3]))));
  }
  printf("one circle: within %.1e\n", worst);
  ck_assert_double_le(worst, 1e-9);

  for (int k = 1; k < 16; k++) { /* almost the same */
    double d = pow(10.0, -k);
    dem_shape shape = make((dem_shape_sphere[]){{{0.0, 0.0, 0.0}, 1.0}, {{0.6 * d, 0.0, 0.8 * d}, 1.0}}, 2);
    assert_near(shape.volume, volume_of(1.0) + PI * (d - d * d * d / 12.0), 1e-11);
  }
}

TEST(spheres_within_others_are_left_out)
{
  const dem_shape_sphere spheres[] = {{{0.1, 0.2, 0.3}, 1.0}, {{0.1, 0.5, 0.3}, 0.7}, {{0.1, 0.2, 0.3}, 1.0},
                                      {{1.0, 0.2, 0.3}, 0.6}, {{1.0, 0.2, 0.3}, 0.6}, {{0.0, 0.2, 0.3}, 0.2}};
  dem_shape all = make(spheres, 6), few = make((dem_shape_sphere[]){spheres[0], spheres[3]}, 2);
  ck_assert_int_eq(all.count, 2);
  ck_assert_int_eq(all.left_out, 4);
  all.left_out = 0;
  ck_assert_mem_eq(&all, &few, sizeof all);
  dem_shape one = make(spheres, 1);
  assert_near(one.volume, volume_of(1.0), 1e-13);
  assert_near(one.surface, 4.0 * PI, 1e-13);
  for (int k = 0; k < 3; k++)
    assert_near(one.principal[k], 0.4, 1e-12);
}

/* ---- Random spheres ---------------------------------------------------------------------------------------------- */

static size_t random_spheres(uint64_t *seed, dem_shape_sphere *spheres, size_t count)
{
  for (size_t i = 0; i < count; i++) { /* each hangs on an earlier one */
    vec3 axes[3], from = i > 0 ? spheres[random_below(seed, (unsigned)i)].center : (vec3){0.0, 0.0, 0.0};
    random_axes(seed, axes);
    spheres[i] =
        (dem_shape_sphere){vec3_add_scaled(from, random_in(seed, 0.0, 0.9), axes[0]), random_in(seed, 0.5, 1.0)};
  }
  return count;
}

enum { INTEGRALS = 7, LINES = 100000 };

/* Along a line in the direction x: ∫ of 1, x, y, xx, yy, xy, zz over its parts in the spheres. */
static void integrate_line(const dem_shape_sphere *spheres, size_t count, double y, double z, double sums[INTEGRALS])
{
  double ends[DEM_SHAPE_SPHERES_MAX][2];
  size_t parts = 0;
  memset(sums, 0, INTEGRALS * sizeof *sums);
  for (size_t i = 0; i < count; i++) {
    double dy = y - spheres[i].center.y, dz = z - spheres[i].center.z;
    double square = spheres[i].radius * spheres[i].radius - dy * dy - dz * dz;
    if (square <= 0.0)
      continue;
    size_t at = parts++;
    for (; at > 0 && ends[at - 1][0] > spheres[i].center.x - sqrt(square); at--)
      memcpy(ends[at], ends[at - 1], sizeof *ends);
    ends[at][0] = spheres[i].center.x - sqrt(square);
    ends[at][1] = spheres[i].center.x + sqrt(square);
  }
  double reached = -INFINITY;
  for (size_t k = 0; k < parts; k++) {
    double a = fmax(reached, ends[k][0]), b = ends[k][1];
    if (b <= a)
      continue;
    double one = b - a, x = 0.5 * (b * b - a * a);
    const double more[INTEGRALS] = {one, x, y * one, (b * b * b - a * a * a) / 3.0, y * y * one, y * x, z * z * one};
    for (int i = 0; i < INTEGRALS; i++)
      sums[i] += more[i];
    reached = b;
  }
}

static void compare_with_lines(const dem_shape_sphere *spheres, size_t count, uint64_t *seed)
{
  enum { SIDE = 8 };
  double mean[INTEGRALS] = {0.0}, square[INTEGRALS] = {0.0}, farthest = 0.0;
  for (size_t i = 0; i < count; i++)
    farthest = fmax(farthest, vec3_length(spheres[i].center) + spheres[i].radius);
  for (int k = 0; k < LINES; k++) {
    double sums[INTEGRALS];
    integrate_line(spheres, count, random_in(seed, -farthest, farthest), random_in(seed, -farthest, farthest), sums);
    for (int i = 0; i < INTEGRALS; i++) {
      double value = 4.0 * farthest * farthest * sums[i];
      mean[i] += value / LINES;
      square[i] += value * value / LINES;
    }
  }
  dem_shape shape = make(spheres, count);
  double v = shape.volume, trace = 0.5 * (shape.inertia[DEM_XX] + shape.inertia[DEM_YY] + shape.inertia[DEM_ZZ]);
  vec3 c = shape.centroid;
  const double exact[INTEGRALS] = {v,
                                   v * c.x,
                                   v * c.y,
                                   v * (trace - shape.inertia[DEM_XX] + c.x * c.x),
                                   v * (trace - shape.inertia[DEM_YY] + c.y * c.y),
                                   v * (c.x * c.y - shape.inertia[DEM_XY]),
                                   v * (trace - shape.inertia[DEM_ZZ] + c.z * c.z)};
  for (int i = 0; i < INTEGRALS; i++)
    assert_within(mean[i], exact[i], 4.5 * sqrt((square[i] - mean[i] * mean[i]) / LINES));
}

TEST(random_spheres_have_the_integrals_of_random_lines)
{
  uint64_t seed = 20261119;
  dem_shape_sphere spheres[DEM_SHAPE_SPHERES_MAX];
  for (size_t count = 1; count <= 20; count += count < 6 ? 1 : 7)
    compare_with_lines(spheres, random_spheres(&seed, spheres, count), &seed);
}

TEST(shapes_may_be_turned_moved_and_scaled)
{
  uint64_t seed = 7;
  double worst = 0.0, worst_surface = 0.0;
  for (int t = 0; t < 40; t++) {
    dem_shape_sphere spheres[10], turned[10];
    vec3 axes[3], shift = {3.0, -1.0, 0.5};
    random_spheres(&seed, spheres, 10);
    random_axes(&seed, axes);
    for (int i = 0; i < 10; i++)
      turned[i] = (dem_shape_sphere){vec3_scale(1e-4, vec3_add(shift, turn(axes, spheres[i].center))),
                                     1e-4 * spheres[i].radius};
    dem_shape a = make(spheres, 10), b = make(turned, 10);
    dem_shape_scale(&a, 1e-4);
    vec3 centroid = vec3_add(vec3_scale(1e-4, shift), turn(axes, a.centroid));
    worst = fmax(worst, fabs(b.volume / a.volume - 1.0));
    worst = fmax(worst, 1e4 * vec3_length(vec3_subtract(b.centroid, centroid)));
    worst = fmax(worst, fabs(b.bounding_radius / a.bounding_radius - 1.0));
    worst = fmax(worst, fabs(b.equal_radius / a.equal_radius - 1.0));
    worst_surface = fmax(worst_surface, fabs(b.surface / a.surface - 1.0));
    for (int k = 0; k < 3; k++) {
      worst = fmax(worst, fabs(b.principal[k] / a.principal[k] - 1.0));
      assert_within(fabs(vec3_dot(b.axes[k], turn(axes, a.axes[k]))), 1.0, 1e-6); /* moments are not too near */
    }

    /* Aligned, it is its own frame; made anew from there, the same */
    dem_shape_align(&b);
    dem_shape again = make(b.spheres, (size_t)b.count);
    ck_assert_int_eq(again.count, b.count);
    worst = fmax(worst, 1e4 * vec3_length(again.centroid));
    for (int k = 0; k < DEM_COMPONENTS; k++)
      worst = fmax(worst, fabs(again.inertia[k] - b.inertia[k]) / b.principal[2]);
    worst = fmax(worst, fabs(again.bounding_radius / b.bounding_radius - 1.0));
  }
  printf("turned: within %.1e, surface %.1e\n", worst, worst_surface);
  ck_assert_double_le(worst, 1e-9);
  ck_assert_double_le(worst_surface, 1e-6);
}

/* ---- Names and refusals ------------------------------------------------------------------------------------------ */

TEST(sands_have_their_numbers)
{
  static const struct {
    const char *name;
    double volume, inertia, radius;   /* known, in units of r; partly from samples */
    double volume_bits, inertia_bits; /* of this method */
  } sands[] = {{"nevada", 4.6168, 0.4595, 1.0330, 0x1.2776ef08a994dp+2, 0x1.d67a1a156940dp-2},
               {"toyoura", 5.2623, 0.5195, 1.0792, 0x1.50c201e764719p+2, 0x1.09fadc2456221p-1}};
  uint64_t seed = 5;
  for (int k = 0; k < 2; k++) {
    dem_shape shape = make_named(sands[k].name);
    compare_with_lines(shape.spheres, 7, &seed);
    ck_assert_int_eq(shape.count, 7);
    assert_near(shape.volume, sands[k].volume, 2e-4);
    assert_near(shape.equal_radius, sands[k].radius, 2e-4);
    for (int i = 0; i < 3; i++) {
      assert_near(shape.principal[i], sands[k].inertia, 2e-4);
      assert_near(shape.principal[i], shape.principal[0], 1e-12);
      ck_assert_double_eq(shape.inertia[DEM_XY + i], 0.0);
      ck_assert(vec3_dot(shape.axes[i], (vec3){i == 0, i == 1, i == 2}) == 1.0);
    }
    ck_assert(vec3_length(shape.centroid) == 0.0);
    ck_assert_double_eq(shape.volume, sands[k].volume_bits);
    ck_assert_double_eq(shape.inertia[DEM_XX], sands[k].inertia_bits);
  }
}

TEST(names_make_their_shapes)
{
  static const struct {
    const char *name;
    int count;
    bool is_free;
  } known[] = {{"sphere", 1, false}, {"nevada", 7, false},     {"toyoura", 7, false},
               {"pair", 2, true},    {"tetrahedron", 4, true}, {"octahedron", 6, true}};
  dem_shape shape;
  error_info error;
  dem_shape_form wide = {.core = 1.0, .radius = NAN, .offset = NAN}, all = {0.5, 0.4, 0.6};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    ck_assert(dem_shape_is_name(known[k].name));
    ck_assert_ptr_nonnull(strstr(dem_shape_names, known[k].name));
    ck_assert_int_eq(make_named(known[k].name).count, known[k].count);
    ck_assert(dem_shape_make_named(&shape, known[k].name, &wide, &error) == known[k].is_free);
    if (known[k].is_free)
      ck_assert_int_eq(shape.count, known[k].count + 1);
  }
  ck_assert(dem_shape_make_named(&shape, "tetrahedron", &all, &error));
  ck_assert_int_eq(shape.count, 5);
  for (int i = 1; i < 5; i++)
    assert_near(vec3_length(shape.spheres[i].center), 0.6, 1e-15);
  assert_near(vec3_dot(shape.spheres[1].center, shape.spheres[4].center), -0.12, 1e-14); /* cosine -1/3 */
  ck_assert(!dem_shape_is_name("cube"));
  ck_assert(!dem_shape_make_named(&shape, "cube", &standard, &error));
  ck_assert_str_eq(error.text, "there is no shape 'cube': take sphere, nevada, toyoura, pair, tetrahedron and "
                               "octahedron");
}

static void refused(const dem_shape_sphere *spheres, size_t count, size_t wrong, const char *text)
{
  dem_shape shape;
  size_t culprit = 999;
  error_info error = {.text = ""};
  ck_assert(!dem_shape_make(&shape, spheres, count, &culprit, &error));
  ck_assert_str_eq(error.text, text);
  ck_assert_uint_eq(culprit, wrong);
  ck_assert(!error.out_of_memory);
}

TEST(wrong_spheres_are_refused)
{
  static const char coordinate[] = "a coordinate must lie between -1e30 and 1e30";
  dem_shape_sphere many[DEM_SHAPE_SPHERES_MAX + 1];
  for (int i = 0; i <= DEM_SHAPE_SPHERES_MAX; i++)
    many[i] = (dem_shape_sphere){{0.1 * i, 0.0, 0.0}, 1.0};
  refused(many, 0, 0, "a shape needs a sphere");
  refused(many, DEM_SHAPE_SPHERES_MAX + 1, DEM_SHAPE_SPHERES_MAX, "a shape has at most 100 spheres");
  dem_shape most = make(many, DEM_SHAPE_SPHERES_MAX);
  ck_assert_int_eq(most.count, DEM_SHAPE_SPHERES_MAX);
  many[1].radius = 0.0;
  refused(many, 3, 1, "a radius must be positive");
  many[1].radius = NAN;
  refused(many, 3, 1, "a radius must be positive");
  many[1].radius = INFINITY;
  refused(many, 3, 1, "a radius must lie between 1e-30 and 1e30");
  many[1].radius = 1.0;
  many[2].center.y = NAN;
  refused(many, 3, 2, coordinate);
  many[2].center.y = -2e30;
  refused(many, 3, 2, coordinate);
  /* The third hangs on the first by the fourth; the second, on nothing */
  const dem_shape_sphere loose[] = {
      {{0.0, 0.0, 0.0}, 1.0}, {{0.0, 2.0 + 4e-6, 0.0}, 1.0}, {{0.0, 0.0, 3.0}, 1.0}, {{0.0, 0.0, 1.5}, 1.0}};
  refused(loose, 4, 1,
          "the spheres do not hang together: no chain of spheres that touch or overlap leads from this one to the "
          "first");
  make((dem_shape_sphere[]){{{0.0, 0.0, 0.0}, 1.0}, {{0.0, 2.0 + 1e-6, 0.0}, 1.0}}, 2);
}
