/* SPDX-License-Identifier: MIT */
/*
 * Integrals over the union of spheres, by slices.
 *
 * A slice is the union of discs. Its area and moments are integrals along the arcs of its boundary (Green's theorem),
 * in closed form; the arcs also give the surface of the union, dS = r dφ dz. As a function of the height z these
 * integrals are analytic but where the slice changes its kind: at the ends of spheres, where two circles touch, where
 * three meet. Near such a height z₀ they are series in √|z - z₀|. Between two neighbours of these heights, substituted
 * by z = a + (b - a) t² (3 - 2 t), they are analytic up to the ends, and Gauss's rule converges exponentially.
 *
 * A height that is found in vain, or missed because rounding hides it, costs time or digits, but makes no gross error:
 * slices are right by themselves.
 */
#include "shape.h"
#include "base/portable_math.h"

#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- Slices ------------------------------------------------------------------------------------------------------ */

typedef struct disc {
  double x, y, radius;
  double sphere; /* radius of its sphere */
} disc;

/* A point of a circle: its angle, from -π to π, with cosine and sine. */
typedef struct corner {
  double angle, c, s;
} corner;

/* The part of a circle that another disc covers; it does not pass the angle π. */
typedef struct span {
  corner from, to;
} span;

typedef struct slice {
  double area, x, y, xx, yy, xy; /* moments about the axis z */
  double surface;                /* over the thickness */
} slice;

static corner corner_at(double c, double s)
{
  return (corner){portable_angle(s, c), c, s};
}

/* Green's theorem: for a homogeneous p of degree k, ∫∫ p dx dy = ∮ p (x dy - y dx) / (k + 2). */
static void add_arc(slice *to, const disc *d, const corner *from, const corner *end)
{
  double r = d->radius, u = d->x, v = d->y, angle = end->angle - from->angle;
  double c = end->c, s = end->s, c0 = from->c, s0 = from->s, turned = end->c * end->s - from->c * from->s;
  /* Integrals of products of cosines and sines */
  double i_c = s - s0, i_s = c0 - c, i_cc = 0.5 * (angle + turned), i_ss = 0.5 * (angle - turned);
  double i_cs = 0.5 * (s * s - s0 * s0), i_ccs = (c0 * c0 * c0 - c * c * c) / 3.0;
  double i_css = (s * s * s - s0 * s0 * s0) / 3.0, i_ccc = i_c - i_css, i_sss = i_s - i_ccs;
  /* Of these with the weight w = (x dy - y dx) / (r dφ) = r + u cos + v sin */
  double w = r * angle + u * i_c + v * i_s, w_c = r * i_c + u * i_cc + v * i_cs, w_s = r * i_s + u * i_cs + v * i_ss;
  double w_cc = r * i_cc + u * i_ccc + v * i_ccs, w_ss = r * i_ss + u * i_css + v * i_sss;
  double w_cs = r * i_cs + u * i_ccs + v * i_css;
  to->area += r * w / 2.0;
  to->x += r * (u * w + r * w_c) / 3.0;
  to->y += r * (v * w + r * w_s) / 3.0;
  to->xx += r * (u * u * w + 2.0 * u * r * w_c + r * r * w_cc) / 4.0;
  to->yy += r * (v * v * w + 2.0 * v * r * w_s + r * r * w_ss) / 4.0;
  to->xy += r * (u * v * w + u * r * w_s + v * r * w_c + r * r * w_cs) / 4.0;
  to->surface += d->sphere * angle;
}

/* Inserts in the order of their beginnings. */
static void add_span(span *spans, int *count, const corner *from, const corner *to)
{
  int at = (*count)++;
  for (; at > 0 && spans[at - 1].from.angle > from->angle; at--)
    spans[at] = spans[at - 1];
  spans[at] = (span){*from, *to};
}

/* The arcs of circle i that no other disc covers. Of equal discs the first has the arc. */
static void add_circle(slice *to, const disc *discs, int count, int i)
{
  static const corner first = {-PI, -1.0, 0.0}, last = {PI, -1.0, 0.0};
  span spans[2 * DEM_SHAPE_SPHERES_MAX];
  int span_count = 0;
  const disc *d = &discs[i];
  for (int j = 0; j < count; j++) {
    const disc *o = &discs[j];
    double dx = o->x - d->x, dy = o->y - d->y, distance = sqrt(dx * dx + dy * dy), more = o->radius - d->radius;
    if (j == i || distance >= d->radius + o->radius || (distance <= -more && (distance < -more || j > i)))
      continue;
    if (distance <= more)
      return;
    double k = (distance * distance - more * (o->radius + d->radius)) / (2.0 * distance * d->radius);
    k = fmax(-1.0, fmin(1.0, k)); /* rounding */
    double h = sqrt((1.0 - k) * (1.0 + k)), ex = dx / distance, ey = dy / distance;
    corner from = corner_at(ex * k + ey * h, ey * k - ex * h), end = corner_at(ex * k - ey * h, ey * k + ex * h);
    if (from.angle <= end.angle)
      add_span(spans, &span_count, &from, &end);
    else {
      add_span(spans, &span_count, &from, &last);
      add_span(spans, &span_count, &first, &end);
    }
  }
  corner reached = first;
  for (int k = 0; k < span_count; k++) {
    if (spans[k].from.angle > reached.angle)
      add_arc(to, d, &reached, &spans[k].from);
    if (spans[k].to.angle > reached.angle)
      reached = spans[k].to;
  }
  if (reached.angle < last.angle)
    add_arc(to, d, &reached, &last);
}

static void add_slice(dem_union *to, const dem_shape_sphere *spheres, int count, double z, double thickness)
{
  disc discs[DEM_SHAPE_SPHERES_MAX];
  int disc_count = 0;
  for (int i = 0; i < count; i++) {
    double r = spheres[i].radius, height = z - spheres[i].center.z, square = (r - height) * (r + height);
    if (square > 0.0)
      discs[disc_count++] = (disc){spheres[i].center.x, spheres[i].center.y, sqrt(square), r};
  }
  slice at = {0};
  for (int i = 0; i < disc_count; i++)
    add_circle(&at, discs, disc_count, i);
  to->volume += thickness * at.area;
  to->surface += thickness * at.surface;
  to->first = vec3_add_scaled(to->first, thickness, (vec3){at.x, at.y, z * at.area});
  const double second[DEM_COMPONENTS] = {at.xx, at.yy, z * z * at.area, at.xy, z * at.x, z * at.y};
  for (int k = 0; k < DEM_COMPONENTS; k++)
    to->second[k] += thickness * second[k];
}

/* ---- Heights at which slices change their kind ------------------------------------------------------------------- */

typedef struct height_list {
  const dem_shape_sphere *spheres;
  int sphere_count;
  double *heights;
  size_t count, room;
  bool is_short; /* of memory */
} height_list;

static void add_height(height_list *to, double z)
{
  if (to->count == to->room) {
    size_t room = 2 * to->room + 64;
    double *heights = realloc(to->heights, room * sizeof *heights);
    to->is_short = to->is_short || !heights;
    if (!heights)
      return;
    to->heights = heights;
    to->room = room;
  }
  to->heights[to->count++] = z;
}

/* Adds the height of a point unless it is inside a sphere, where the union does not change. */
static void add_point(height_list *to, vec3 x)
{
  for (int i = 0; i < to->sphere_count; i++) {
    vec3 from = vec3_subtract(x, to->spheres[i].center);
    double r = (1.0 - 1e-9) * to->spheres[i].radius;
    if (vec3_dot(from, from) < r * r)
      return;
  }
  add_height(to, x.z);
}

/* The points at a distance `reach` from `center`, in the direction `along` and opposite. */
static void add_points(height_list *to, vec3 center, double reach, vec3 along)
{
  add_point(to, vec3_add_scaled(center, reach, along));
  add_point(to, vec3_add_scaled(center, -reach, along));
}

/* The circle of spheres i and j: its highest and lowest point, and where it meets other spheres. */
static void add_circle_points(height_list *to, int i, int j)
{
  const dem_shape_sphere *a = &to->spheres[i], *b = &to->spheres[j];
  vec3 between = vec3_subtract(b->center, a->center);
  double distance = vec3_length(between);
  double k = (distance * distance + (a->radius - b->radius) * (a->radius + b->radius)) / (2.0 * distance);
  double square = (a->radius - k) * (a->radius + k);
  if (!(square > 0.0))
    return;
  double radius = sqrt(square);
  vec3 normal = vec3_scale(1.0 / distance, between), middle = vec3_add_scaled(a->center, k, normal);
  vec3 up = vec3_subtract((vec3){0.0, 0.0, 1.0}, vec3_scale(normal.z, normal));
  double steepness = vec3_length(up);
  if (steepness > 1e-9)
    add_points(to, middle, radius / steepness, up);
  else /* the whole circle has one height */
    add_height(to, middle.z);
  for (int l = j + 1; l < to->sphere_count; l++) {
    const dem_shape_sphere *c = &to->spheres[l];
    vec3 w = vec3_subtract(c->center, middle), inward = vec3_add_scaled(w, -vec3_dot(w, normal), normal);
    double length = vec3_length(inward), r = c->radius;
    double g = (square + vec3_dot(w, w) - r * r) / (2.0 * radius); /* of a point on both: its product with w */
    if (!(length > fabs(g)))
      continue;
    vec3 ahead = vec3_scale(1.0 / length, inward), sideways = vec3_cross(normal, ahead);
    double cosine = g / length, sine = sqrt((1.0 - cosine) * (1.0 + cosine));
    add_points(to, vec3_add_scaled(middle, radius * cosine, ahead), radius * sine, sideways);
  }
}

static int compare_heights(const void *left, const void *right)
{
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* ---- The union --------------------------------------------------------------------------------------------------- */

/* Gauss's rule of 20 points: half of its points in (-1, 1), and their weights */
static const double gauss[10][2] = {
    {0.07652652113349733831, 0.15275338713072583730}, {0.22778585114164506820, 0.14917298647260374134},
    {0.37370608871541954876, 0.14209610931838204118}, {0.51086700195082712650, 0.13168863844917663708},
    {0.63605368072651502498, 0.11819453196151841201}, {0.74633190646015079572, 0.10193011981724044157},
    {0.83911697182221878233, 0.08327674157670475474}, {0.91223442825132594614, 0.06267204833410906784},
    {0.96397192727791380928, 0.04060142980038693866}, {0.99312859918509488466, 0.01761400713915211788},
};

static dem_union measure_layer(const dem_shape_sphere *spheres, int count, double bottom, double top)
{
  dem_union layer = {0};
  double thickness = top - bottom;
  for (int k = 0; k < 20; k++) {
    double t = 0.5 + (k % 2 == 0 ? 0.5 : -0.5) * gauss[k / 2][0], weight = 0.5 * gauss[k / 2][1];
    add_slice(&layer, spheres, count, bottom + thickness * t * t * (3.0 - 2.0 * t),
              weight * thickness * 6.0 * t * (1.0 - t));
  }
  return layer;
}

static void add_union(dem_union *to, const dem_union *part)
{
  to->volume += part->volume;
  to->surface += part->surface;
  to->first = vec3_add(to->first, part->first);
  for (int k = 0; k < DEM_COMPONENTS; k++)
    to->second[k] += part->second[k];
}

/*
 * Adds a layer of which `whole` is a first measure: its halves, if their surface is the same, else theirs in turn. So
 * it goes where another critical height is just beyond an end. Of all integrals the surface converges last.
 */
static void add_layer(dem_union *to, const dem_shape_sphere *spheres, int count, double bottom, double top,
                      const dem_union *whole, double tolerance, int depth)
{
  double middle = 0.5 * (bottom + top);
  dem_union lower = measure_layer(spheres, count, bottom, middle);
  dem_union upper = measure_layer(spheres, count, middle, top);
  if (depth == 0 || fabs(lower.surface + upper.surface - whole->surface) <= tolerance) {
    add_union(to, &lower);
    add_union(to, &upper);
  } else {
    add_layer(to, spheres, count, bottom, middle, &lower, tolerance, depth - 1);
    add_layer(to, spheres, count, middle, top, &upper, tolerance, depth - 1);
  }
}

bool dem_union_measure(dem_union *result, const dem_shape_sphere *spheres, int count)
{
  height_list list = {.spheres = spheres, .sphere_count = count};
  *result = (dem_union){0};
  for (int i = 0; i < count; i++) {
    add_points(&list, spheres[i].center, spheres[i].radius, (vec3){0.0, 0.0, 1.0});
    for (int j = i + 1; j < count; j++)
      add_circle_points(&list, i, j);
  }
  if (!list.is_short && list.count > 0) {
    qsort(list.heights, list.count, sizeof *list.heights, compare_heights);
    double bottom = list.heights[0], extent = list.heights[list.count - 1] - bottom;
    for (size_t k = 1; k < list.count; k++)
      if (list.heights[k] - bottom > 1e-13 * extent) {
        dem_union layer = measure_layer(spheres, count, bottom, list.heights[k]);
        add_layer(result, spheres, count, bottom, list.heights[k], &layer, 1e-9 * extent * extent, 20);
        bottom = list.heights[k];
      }
  }
  free(list.heights);
  return !list.is_short;
}
