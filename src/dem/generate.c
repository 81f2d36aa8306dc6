/* SPDX-License-Identifier: MIT */
/* Generated grains: random ones of a given size distribution, and lattices of spheres. */
#include "base/portable_math.h"
#include "setup.h"
#include "simulation_state.h"

static bool grains_allocate(grains *g, size_t count, error_info *error)
{
  *g = (grains){.count = count, .list = calloc(count, sizeof *g->list)};
  return g->list || error_set_memory(error, "out of memory for %zu spheres", count);
}

void dem_grains_free(grains *g)
{
  free(g->list);
  free(g->shapes);
  *g = (grains){0};
}

/* ---- Sizes ------------------------------------------------------------------------------------------------------- */

/* Marsaglia's polar method */
static double random_normal(uint64_t *state)
{
  for (;;) {
    double u = 2.0 * random_unit(state) - 1.0, v = 2.0 * random_unit(state) - 1.0, square = u * u + v * v;
    if (square > 0.0 && square < 1.0)
      return u * sqrt(-2.0 * portable_log(square) / square);
  }
}

/*
 * A size table is by mass, but spheres are drawn by number. Each interval of the table is divided into PARTS, equal
 * in the logarithm of the diameter; a part with the fraction Δm of the mass holds a number of spheres proportional to
 * Δm/d³.
 */
enum { PARTS = 64 };

typedef struct number_table {
  double upto[(DEM_SIZES_MAX - 1) * PARTS]; /* cumulative number */
  double diameter[(DEM_SIZES_MAX - 1) * PARTS + 1];
  int count;
} number_table;

static bool draw_sizes(grains *g, const dem_sizes *sizes, uint64_t *state, error_info *error)
{
  number_table *table = NULL;
  if (sizes->distribution == DEM_SIZES_TABLE) {
    table = calloc(1, sizeof *table);
    if (!table)
      return error_set_memory(error, "out of memory");
    double sum = 0.0;
    table->diameter[0] = sizes->diameter[0];
    for (int k = 0; k + 1 < sizes->count; k++)
      for (int part = 1; part <= PARTS; part++) {
        double ratio = sizes->diameter[k + 1] / sizes->diameter[k], low = table->diameter[table->count];
        double high = sizes->diameter[k] * portable_exp(portable_log(ratio) * part / PARTS), mean = sqrt(low * high);
        sum += (sizes->passing[k + 1] - sizes->passing[k]) / PARTS / (mean * mean * mean);
        table->upto[table->count++] = sum;
        table->diameter[table->count] = high;
      }
  }
  for (size_t i = 0; i < g->count; i++) {
    double u = random_unit(state);
    if (table) { /* the diameter that is larger than a fraction; stratified: small samples follow the curve too */
      double fraction = ((double)i + u) / (double)g->count;
      double wanted = table->count > 0 ? fraction * table->upto[table->count - 1] : 0.0;
      int k = 0;
      while (k + 1 < table->count && table->upto[k] < wanted)
        k++;
      double before = k > 0 ? table->upto[k - 1] : 0.0, width = table->upto[k] - before;
      double share = width > 0.0 ? (wanted - before) / width : 0.0;
      g->list[i].radius = 0.5 * (table->diameter[k] + share * (table->diameter[k + 1] - table->diameter[k]));
    } else if (sizes->distribution == DEM_SIZES_LOGNORMAL) {
      double diameter;
      do
        diameter = sizes->median * portable_exp(sizes->deviation * random_normal(state));
      while (!(diameter >= sizes->min && (sizes->max <= 0.0 || diameter <= sizes->max)));
      g->list[i].radius = 0.5 * diameter;
    } else
      g->list[i].radius = 0.5 * (sizes->min + u * (sizes->max - sizes->min));
  }
  free(table);
  return true;
}

/* ---- Shapes ------------------------------------------------------------------------------------------------------ */

/* A point in the unit disc but its centre, and the square of its radius */
static double random_in_disc(uint64_t *state, double *x, double *y)
{
  for (;;) {
    *x = 2.0 * random_unit(state) - 1.0;
    *y = 2.0 * random_unit(state) - 1.0;
    double square = *x * *x + *y * *y;
    if (square > 0.0 && square < 1.0)
      return square;
  }
}

/* Marsaglia's point on the sphere in four dimensions: a rotation, all equally likely */
static quaternion random_rotation(uint64_t *state)
{
  double a, b, c, d, first = random_in_disc(state, &a, &b), second = random_in_disc(state, &c, &d);
  double factor = sqrt((1.0 - first) / second);
  return quaternion_normalise((quaternion){a, b, c * factor, d * factor});
}

/* Gives each grain a shape and a rotation. Grains that are all spheres need neither. */
static bool draw_shapes(grains *g, const dem_packing *packing, uint64_t *state, error_info *error)
{
  bool has_clumps = false;
  double shares = 0.0;
  for (int k = 0; k < packing->shape_count; k++) {
    has_clumps = has_clumps || packing->shapes[k].shape.count > 1;
    shares += packing->shapes[k].share;
  }
  if (!has_clumps)
    return true;
  g->shapes = malloc((size_t)packing->shape_count * sizeof *g->shapes);
  if (!g->shapes)
    return error_set_memory(error, "out of memory");
  g->shape_count = (size_t)packing->shape_count;
  for (int k = 0; k < packing->shape_count; k++)
    g->shapes[k] = packing->shapes[k].shape;
  for (size_t i = 0; i < g->count; i++) {
    double wanted = shares * random_unit(state), sum = packing->shapes[0].share;
    uint32_t shape = 0;
    while (wanted >= sum && shape + 1 < g->shape_count)
      sum += packing->shapes[++shape].share;
    g->list[i].shape = shape;
    g->list[i].turn = random_rotation(state);
  }
  return true;
}

/* ---- Random positions -------------------------------------------------------------------------------------------- */

static bool generate_random(grains *g, const dem_case *run, error_info *error)
{
  const dem_packing *packing = &run->assembly.packing;
  uint64_t state = run->seed;
  if (!grains_allocate(g, (size_t)packing->spheres, error))
    return false;
  if (!draw_sizes(g, &packing->sizes, &state, error)) {
    dem_grains_free(g);
    return false;
  }
  double volume = 0.0;
  const double *aspect = packing->aspect;
  for (size_t i = 0; i < g->count; i++)
    volume += sphere_volume(g->list[i].radius);
  double edge = portable_cube_root(volume / packing->initial_density / (aspect[0] * aspect[1] * aspect[2]));
  g->cell = (upper_matrix){.xx = edge * aspect[0], .yy = edge * aspect[1], .zz = edge * aspect[2]};
  for (size_t i = 0; i < g->count; i++) {
    double x = random_unit(&state), y = random_unit(&state), z = random_unit(&state);
    g->list[i].x = (vec3){x * g->cell.xx, y * g->cell.yy, z * g->cell.zz};
    g->list[i].id = (uint32_t)i;
  }
  if (draw_shapes(g, packing, &state, error))
    return true;
  dem_grains_free(g);
  return false;
}

/* ---- Lattices ---------------------------------------------------------------------------------------------------- */

static bool generate_lattice(grains *g, const dem_lattice *lattice, error_info *error)
{
  static const vec3 basis[4] = {{0.0, 0.0, 0.0}, {0.5, 0.5, 0.0}, {0.5, 0.0, 0.5}, {0.0, 0.5, 0.5}};
  size_t per_cell = lattice->kind == DEM_LATTICE_FCC ? 4 : 1, at = 0;
  size_t count = per_cell * (size_t)lattice->cells[0] * (size_t)lattice->cells[1] * (size_t)lattice->cells[2];
  double distance = 2.0 * lattice->radius * (1.0 - lattice->overlap);
  double edge = lattice->kind == DEM_LATTICE_FCC ? distance * sqrt(2.0) : distance;
  if (!grains_allocate(g, count, error))
    return false;
  g->cell =
      (upper_matrix){.xx = edge * lattice->cells[0], .yy = edge * lattice->cells[1], .zz = edge * lattice->cells[2]};
  for (int z = 0; z < lattice->cells[2]; z++)
    for (int y = 0; y < lattice->cells[1]; y++)
      for (int x = 0; x < lattice->cells[0]; x++)
        for (size_t k = 0; k < per_cell; k++, at++) {
          vec3 place = vec3_add((vec3){(double)x, (double)y, (double)z}, basis[k]);
          g->list[at] = (grain){.x = vec3_scale(edge, place), .radius = lattice->radius, .id = (uint32_t)at};
        }
  return true;
}

bool dem_grains_generate(grains *g, const dem_case *run, error_info *error)
{
  return run->assembly.source == DEM_SOURCE_LATTICE ? generate_lattice(g, &run->assembly.lattice, error)
                                                    : generate_random(g, run, error);
}

/* ---- Order in space ---------------------------------------------------------------------------------------------- */

typedef struct sort_key {
  uint64_t code;
  uint32_t index;
} sort_key;

/* Spreads the bits of a number below 2^20 to every third bit. */
static uint64_t spread_bits(uint64_t x)
{
  uint64_t result = 0;
  for (int bit = 0; bit < 20; bit++)
    result |= (x >> bit & 1u) << (3 * bit);
  return result;
}

static int compare_keys(const void *left, const void *right)
{
  const sort_key *a = left, *b = right;
  if (a->code != b->code)
    return a->code < b->code ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

bool dem_grains_sort(grains *g, error_info *error)
{
  grains sorted;
  sort_key *keys = malloc(g->count * sizeof *keys);
  if (!keys)
    return error_set_memory(error, "out of memory for %zu grains", g->count);
  if (!grains_allocate(&sorted, g->count, error)) {
    free(keys);
    return false;
  }
  double steps = fmin(ceil(portable_cube_root((double)g->count)), 1e6);
  for (size_t i = 0; i < g->count; i++) { /* Morton's order, on a grid about as fine as the spheres */
    vec3 place = upper_matrix_solve(g->cell, dem_cell_wrap(g->cell, g->list[i].x));
    uint64_t x = (uint64_t)fmax(0.0, place.x * steps), y = (uint64_t)fmax(0.0, place.y * steps),
             z = (uint64_t)fmax(0.0, place.z * steps);
    keys[i] = (sort_key){spread_bits(x) | spread_bits(y) << 1 | spread_bits(z) << 2, (uint32_t)i};
  }
  qsort(keys, g->count, sizeof *keys, compare_keys);
  for (size_t i = 0; i < g->count; i++)
    sorted.list[i] = g->list[keys[i].index];
  free(keys);
  sorted.cell = g->cell;
  sorted.shape_count = g->shape_count;
  sorted.shapes = g->shapes;
  g->shapes = NULL;
  dem_grains_free(g);
  *g = sorted;
  return true;
}
