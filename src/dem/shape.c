/* SPDX-License-Identifier: MIT */
/* Shapes of grains: checked spheres, measures of their union, principal axes, names. */
#include "shape.h"
#include "base/portable_math.h"

#include <string.h>

#define PI 3.14159265358979323846
#define CONNECTING_GAP 1e-6  /* over the sum of the radii */
#define SYMMETRY_ERROR 1e-12 /* of integrals over a shape of size 1: less than this is zero */
#define LENGTH_MIN 1e-30
#define LENGTH_MAX 1e30

/* ---- Spheres ----------------------------------------------------------------------------------------------------- */

static double distance_of(const dem_shape_sphere *a, const dem_shape_sphere *b)
{
  return vec3_length(vec3_subtract(a->center, b->center));
}

static bool lies_within(const dem_shape_sphere *a, const dem_shape_sphere *other)
{
  return distance_of(a, other) + a->radius <= (1.0 + 1e-12) * other->radius;
}

static bool check_sphere(const dem_shape_sphere *s, error_info *error)
{
  double farthest = fmax(fabs(s->center.x), fmax(fabs(s->center.y), fabs(s->center.z)));
  if (!(farthest <= LENGTH_MAX) || isnan(s->center.x + s->center.y + s->center.z))
    return error_set(error, "a coordinate must lie between -1e30 and 1e30");
  if (!(s->radius > 0.0))
    return error_set(error, "a radius must be positive");
  if (!(s->radius >= LENGTH_MIN && s->radius <= LENGTH_MAX))
    return error_set(error, "a radius must lie between 1e-30 and 1e30");
  return true;
}

/* Takes the spheres but those that lie within others; of equal ones the first stays. */
static void take_spheres(dem_shape *shape, const dem_shape_sphere *spheres, int count, int taken[DEM_SHAPE_SPHERES_MAX])
{
  for (int i = 0; i < count; i++) {
    bool is_inside = false;
    for (int j = 0; j < count && !is_inside; j++)
      is_inside = j != i && lies_within(&spheres[i], &spheres[j]) && (j < i || !lies_within(&spheres[j], &spheres[i]));
    if (is_inside) {
      shape->left_out++;
      continue;
    }
    taken[shape->count] = i;
    shape->spheres[shape->count++] = spheres[i];
  }
}

/* The index of a sphere that hangs on none of those that hang together with the first; -1: all do. */
static int find_loose(const dem_shape *shape)
{
  bool hangs[DEM_SHAPE_SPHERES_MAX] = {true};
  int reached[DEM_SHAPE_SPHERES_MAX] = {0}, reached_count = 1;
  for (int k = 0; k < reached_count; k++)
    for (int i = 0; i < shape->count; i++) {
      const dem_shape_sphere *a = &shape->spheres[reached[k]], *b = &shape->spheres[i];
      if (!hangs[i] && distance_of(a, b) <= (1.0 + CONNECTING_GAP) * (a->radius + b->radius)) {
        hangs[i] = true;
        reached[reached_count++] = i;
      }
    }
  for (int i = 0; i < shape->count; i++)
    if (!hangs[i])
      return i;
  return -1;
}

/* ---- Principal axes ---------------------------------------------------------------------------------------------- */

/* Jacobi's rotation of rows p and q of a symmetric matrix, which makes a[p][q] zero; the columns of v turn with it. */
static void rotate_pair(double a[3][3], double v[3][3], int p, int q)
{
  double half = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
  double t = (half < 0.0 ? -1.0 : 1.0) / (fabs(half) + sqrt(half * half + 1.0));
  double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
  for (int k = 0; k < 3; k++) {
    double x = a[k][p], y = a[k][q];
    a[k][p] = c * x - s * y;
    a[k][q] = s * x + c * y;
  }
  for (int k = 0; k < 3; k++) {
    double x = a[p][k], y = a[q][k], vx = v[k][p], vy = v[k][q];
    a[p][k] = c * x - s * y;
    a[q][k] = s * x + c * y;
    v[k][p] = c * vx - s * vy;
    v[k][q] = s * vx + c * vy;
  }
}

/* Moments whose difference is an error of the integrals count as equal, so that symmetric shapes keep their axes. */
static void find_axes(dem_shape *shape)
{
  const double *i = shape->inertia;
  double a[3][3] = {
      {i[DEM_XX], i[DEM_XY], i[DEM_XZ]}, {i[DEM_XY], i[DEM_YY], i[DEM_YZ]}, {i[DEM_XZ], i[DEM_YZ], i[DEM_ZZ]}};
  double v[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  double zero = 10.0 * SYMMETRY_ERROR * (a[0][0] + a[1][1] + a[2][2]);
  static const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int sweep = 0; sweep < 20; sweep++)
    for (int k = 0; k < 3; k++) {
      int p = pairs[k][0], q = pairs[k][1];
      if (fabs(a[p][q]) > zero)
        rotate_pair(a, v, p, q);
    }
  int order[3] = {0, 1, 2};
  for (int k = 0; k < 3; k++) { /* of three pairs: sorts */
    int p = k == 1 ? 1 : 0, *low = &order[p], *high = &order[p + 1];
    if (a[*low][*low] > a[*high][*high] + zero) {
      int other = *low;
      *low = *high;
      *high = other;
    }
  }
  for (int k = 0; k < 3; k++) {
    int column = order[k];
    shape->principal[k] = a[column][column];
    shape->axes[k] = (vec3){v[0][column], v[1][column], v[2][column]};
  }
  if (vec3_dot(vec3_cross(shape->axes[0], shape->axes[1]), shape->axes[2]) < 0.0)
    shape->axes[2] = vec3_scale(-1.0, shape->axes[2]);
}

/* ---- Shapes ------------------------------------------------------------------------------------------------------ */

static double without_error(double x)
{
  return fabs(x) < SYMMETRY_ERROR ? 0.0 : x;
}

/* Measures in a frame about the middle of the shape, in which it has the size 1. */
static bool measure(dem_shape *shape)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0.0;
  for (int i = 0; i < shape->count; i++) {
    double x[3];
    vec3_store(x, shape->spheres[i].center);
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], x[k] - shape->spheres[i].radius);
      high[k] = fmax(high[k], x[k] + shape->spheres[i].radius);
    }
  }
  for (int k = 0; k < 3; k++)
    size = fmax(size, 0.5 * (high[k] - low[k]));
  vec3 middle = {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2])};
  dem_shape_sphere spheres[DEM_SHAPE_SPHERES_MAX];
  for (int i = 0; i < shape->count; i++)
    spheres[i] = (dem_shape_sphere){vec3_scale(1.0 / size, vec3_subtract(shape->spheres[i].center, middle)),
                                    shape->spheres[i].radius / size};
  dem_union all;
  if (!dem_union_measure(&all, spheres, shape->count))
    return false;
  vec3 c = vec3_scale(1.0 / all.volume, all.first);
  c = (vec3){without_error(c.x), without_error(c.y), without_error(c.z)};
  const double of_centroid[DEM_COMPONENTS] = {c.x * c.x, c.y * c.y, c.z * c.z, c.x * c.y, c.x * c.z, c.y * c.z};
  double second[DEM_COMPONENTS];
  for (int k = 0; k < DEM_COMPONENTS; k++)
    second[k] = without_error(all.second[k] / all.volume - of_centroid[k]);
  double trace = second[DEM_XX] + second[DEM_YY] + second[DEM_ZZ];
  for (int k = 0; k < DEM_COMPONENTS; k++)
    shape->inertia[k] = size * size * (k <= DEM_ZZ ? trace - second[k] : 0.0 - second[k]);
  shape->volume = size * size * size * all.volume;
  shape->surface = size * size * all.surface;
  shape->equal_radius = size * portable_cube_root(all.volume * (3.0 / (4.0 * PI)));
  shape->centroid = vec3_add_scaled(middle, size, c);
  for (int i = 0; i < shape->count; i++)
    shape->bounding_radius =
        fmax(shape->bounding_radius, size * (vec3_length(vec3_subtract(spheres[i].center, c)) + spheres[i].radius));
  find_axes(shape);
  return true;
}

bool dem_shape_make(dem_shape *shape, const dem_shape_sphere *spheres, size_t count, size_t *culprit, error_info *error)
{
  size_t nobody = 0, *wrong = culprit ? culprit : &nobody;
  int taken[DEM_SHAPE_SPHERES_MAX] = {0};
  *shape = (dem_shape){0};
  *wrong = count;
  if (count == 0)
    return error_set(error, "a shape needs a sphere");
  for (size_t i = 0; i < count; i++) {
    *wrong = i;
    if (i == DEM_SHAPE_SPHERES_MAX)
      return error_set(error, "a shape has at most %d spheres", DEM_SHAPE_SPHERES_MAX);
    if (!check_sphere(&spheres[i], error))
      return false;
  }
  take_spheres(shape, spheres, (int)count, taken);
  int loose = find_loose(shape);
  if (loose >= 0) {
    *wrong = (size_t)taken[loose];
    return error_set(error, "the spheres do not hang together: no chain of spheres that touch or overlap leads from "
                            "this one to the first");
  }
  *wrong = count;
  return measure(shape) || error_out_of_memory(error);
}

void dem_shape_scale(dem_shape *shape, double factor)
{
  double square = factor * factor;
  for (int i = 0; i < shape->count; i++) {
    shape->spheres[i].center = vec3_scale(factor, shape->spheres[i].center);
    shape->spheres[i].radius *= factor;
  }
  shape->volume *= square * factor;
  shape->surface *= square;
  shape->equal_radius *= factor;
  shape->bounding_radius *= factor;
  shape->centroid = vec3_scale(factor, shape->centroid);
  for (int k = 0; k < DEM_COMPONENTS; k++)
    shape->inertia[k] *= square;
  for (int k = 0; k < 3; k++)
    shape->principal[k] *= square;
}

void dem_shape_align(dem_shape *shape)
{
  for (int i = 0; i < shape->count; i++) {
    vec3 x = vec3_subtract(shape->spheres[i].center, shape->centroid);
    shape->spheres[i].center =
        (vec3){vec3_dot(shape->axes[0], x), vec3_dot(shape->axes[1], x), vec3_dot(shape->axes[2], x)};
  }
  shape->centroid = (vec3){0.0, 0.0, 0.0};
  for (int k = 0; k < DEM_COMPONENTS; k++)
    shape->inertia[k] = k <= DEM_ZZ ? shape->principal[k] : 0.0;
  for (int k = 0; k < 3; k++)
    shape->axes[k] = (vec3){k == 0, k == 1, k == 2};
}

void dem_shape_normalise(dem_shape *shape)
{
  dem_shape_align(shape);
  dem_shape_scale(shape, 1.0 / shape->equal_radius);
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

enum { SATELLITES_MAX = 6 };

typedef struct named_shape {
  const char *name;
  dem_shape_form form;
  int satellites;
  signed char directions[SATELLITES_MAX][3];
  bool is_free; /* its numbers may be chosen */
} named_shape;

#define OCTAHEDRON                                                                                                     \
  6,                                                                                                                   \
  {                                                                                                                    \
    {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1},                                                           \
    {                                                                                                                  \
      0, 0, -1                                                                                                         \
    }                                                                                                                  \
  }

/* The sands are Kuhn's clumps, in units of his r. */
static const named_shape named_shapes[] = {
    {"sphere", {1.0, 0.0, 0.0}, 0, {{0}}, false},
    {"nevada", {0.8, 0.6, 0.64}, OCTAHEDRON, false},
    {"toyoura", {0.8, 0.6, 0.74}, OCTAHEDRON, false},
    {"pair", {0.0, 1.0, 0.5}, 2, {{1, 0, 0}, {-1, 0, 0}}, true},
    {"tetrahedron", {0.0, 1.0, 0.75}, 4, {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, true},
    {"octahedron", {0.0, 1.0, 0.75}, OCTAHEDRON, true},
};

const char dem_shape_names[] = "sphere, nevada, toyoura, pair, tetrahedron and octahedron";

static const named_shape *find_named(const char *name)
{
  for (size_t k = 0; k < sizeof named_shapes / sizeof *named_shapes; k++)
    if (strcmp(name, named_shapes[k].name) == 0)
      return &named_shapes[k];
  return NULL;
}

bool dem_shape_is_name(const char *name)
{
  return find_named(name);
}

bool dem_shape_make_named(dem_shape *shape, const char *name, const dem_shape_form *form, error_info *error)
{
  const named_shape *named = find_named(name);
  dem_shape_sphere spheres[SATELLITES_MAX + 1];
  size_t count = 0;
  if (!named)
    return error_set(error, "there is no shape '%s': take %s", name, dem_shape_names);
  if (!named->is_free && !(isnan(form->core) && isnan(form->radius) && isnan(form->offset)))
    return error_set(error, "%s is one shape: core, radius and offset are for pair, tetrahedron and octahedron", name);
  double core = isnan(form->core) ? named->form.core : form->core;
  double radius = isnan(form->radius) ? named->form.radius : form->radius;
  double offset = isnan(form->offset) ? named->form.offset : form->offset;
  if (core != 0.0)
    spheres[count++] = (dem_shape_sphere){{0.0, 0.0, 0.0}, core};
  for (int k = 0; k < named->satellites; k++) {
    const signed char *d = named->directions[k];
    vec3 direction = {d[0], d[1], d[2]};
    spheres[count++] = (dem_shape_sphere){vec3_scale(offset / vec3_length(direction), direction), radius};
  }
  return dem_shape_make(shape, spheres, count, NULL, error);
}
