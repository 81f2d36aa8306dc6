/* SPDX-License-Identifier: MIT */
/* Factors of groups of spheres: see factor.h. */
#include "factor.h"

#include <amd.h>
#include <ldl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = MODULI_UNKNOWNS, BLOCK_ENTRIES = MODULI_BLOCK_ENTRIES };

/* Every diagonal is increased by this share of the largest stiffness at least: some forces are very small. */
#define SHIFT_LEAST 1e-9

/* The factor of a group. */
typedef struct group {
  size_t first, count;            /* spheres */
  const moduli_contact *contacts; /* those between a sphere of the group and one of higher number, ... */
  size_t contact_count;           /* ... which may be of another group */
  int *order;                     /* the k-th sphere to be eliminated, counted from `first` ... */
  int *rank;                      /* ... and the reverse */
  int *columns, *rows;            /* of L: where each column begins, and the row of each entry */
  double *entries, *diagonal;     /* of L and D */
} group;

struct moduli_factor {
  size_t group_count;
  group *groups;
};

static bool is_inner(const group *g, const moduli_contact *c)
{
  return c->q - g->first < g->count;
}

static size_t count_inner(const group *g)
{
  size_t count = 0;
  for (size_t i = 0; i < g->contact_count; i++)
    count += is_inner(g, &g->contacts[i]);
  return count;
}

/* ---- Order of elimination ---------------------------------------------------------------------------------------- */

/* The neighbours of each sphere within the group: those of sphere k are start[k] ... start[k + 1] - 1. */
static void list_neighbours(const group *g, int *start, int *neighbours)
{
  for (size_t i = 0; i < g->contact_count; i++)
    if (is_inner(g, &g->contacts[i])) {
      start[g->contacts[i].p - g->first + 1]++;
      start[g->contacts[i].q - g->first + 1]++;
    }
  for (size_t k = 0; k < g->count; k++)
    start[k + 1] += start[k];
  for (size_t i = g->contact_count; i-- > 0;) /* filled from behind: start[k + 1] ends as the start of k */
    if (is_inner(g, &g->contacts[i])) {
      size_t p = g->contacts[i].p - g->first, q = g->contacts[i].q - g->first;
      neighbours[--start[p + 1]] = (int)q;
      neighbours[--start[q + 1]] = (int)p;
    }
}

/* AMD orders the spheres; the six unknowns of a sphere stay together. */
static bool find_order(group *g, error_info *error)
{
  size_t edges = 2 * count_inner(g);
  int *start = calloc(g->count + 2, sizeof *start), *neighbours = malloc((edges + 1) * sizeof *neighbours);
  bool done = start && neighbours && g->order && g->rank;
  if (done) {
    list_neighbours(g, start, neighbours);
    start[g->count + 1] = (int)edges;
    done = amd_order((int)g->count, start + 1, neighbours, g->order, NULL, NULL) >= AMD_OK;
  }
  for (size_t k = 0; done && k < g->count; k++)
    g->rank[g->order[k]] = (int)k;
  free(start);
  free(neighbours);
  return done || error_out_of_memory(error);
}

/* ---- The matrix of a group --------------------------------------------------------------------------------------- */

/* Columns of the upper half in the order of elimination; the blocks of a column of blocks follow each other. */
typedef struct matrix {
  int *columns, *rows;
  double *entries;
  int *filled; /* blocks that each column of blocks has so far */
} matrix;

static void matrix_free(matrix *a)
{
  free(a->columns);
  free(a->rows);
  free(a->entries);
  free(a->filled);
}

/* The later of the two spheres of an inner contact in the order of elimination: its column holds their block. */
static int column_of(const group *g, const moduli_contact *c)
{
  int p = g->rank[c->p - g->first], q = g->rank[c->q - g->first];
  return p > q ? p : q;
}

static void matrix_begin_columns(matrix *a, const group *g)
{
  for (size_t k = 0; k < g->count; k++)
    a->filled[k] = 1;
  for (size_t i = 0; i < g->contact_count; i++)
    if (is_inner(g, &g->contacts[i]))
      a->filled[column_of(g, &g->contacts[i])]++;
  for (size_t k = 0; k < g->count; k++)
    for (size_t j = 0; j < BLOCK; j++)
      a->columns[BLOCK * k + j + 1] = a->columns[BLOCK * k + j] + BLOCK * a->filled[k];
  memset(a->filled, 0, g->count * sizeof *a->filled);
}

/* Adds the block `values`, of `width` numbers in a row, in the given row and column of blocks. */
static void matrix_add_block(matrix *a, int row, int column, const double *values, size_t width, bool is_transposed)
{
  int place = BLOCK * a->filled[column]++;
  for (int j = 0; j < BLOCK; j++)
    for (int i = 0; i < BLOCK; i++) {
      int at = a->columns[BLOCK * column + j] + place + i;
      a->rows[at] = BLOCK * row + i;
      a->entries[at] = is_transposed ? values[(size_t)j * width + (size_t)i] : values[(size_t)i * width + (size_t)j];
    }
}

static void matrix_fill(matrix *a, const group *g, const moduli_operator *k, const double (*blocks)[BLOCK_ENTRIES])
{
  for (size_t i = 0; i < g->count; i++)
    matrix_add_block(a, g->rank[i], g->rank[i], blocks[g->first + i], BLOCK, false);
  for (size_t i = 0; i < g->contact_count; i++) {
    const moduli_contact *c = &g->contacts[i];
    if (!is_inner(g, c))
      continue;
    double pair[MODULI_PAIR_UNKNOWNS][MODULI_PAIR_UNKNOWNS];
    int p = g->rank[c->p - g->first], q = g->rank[c->q - g->first];
    moduli_operator_pair_matrix(k, c, pair);
    matrix_add_block(a, p < q ? p : q, p < q ? q : p, &pair[0][BLOCK], MODULI_PAIR_UNKNOWNS, p > q);
  }
}

static bool matrix_make(matrix *a, const group *g, const moduli_operator *k, const double (*blocks)[BLOCK_ENTRIES])
{
  size_t size = BLOCK * g->count, entries = BLOCK_ENTRIES * (g->count + count_inner(g));
  *a = (matrix){.columns = calloc(size + 1, sizeof *a->columns),
                .rows = malloc((entries + 1) * sizeof *a->rows),
                .entries = malloc((entries + 1) * sizeof *a->entries),
                .filled = malloc((g->count + 1) * sizeof *a->filled)};
  if (!a->columns || !a->rows || !a->entries || !a->filled)
    return false;
  matrix_begin_columns(a, g);
  matrix_fill(a, g, k, blocks);
  return true;
}

/* ---- The factor of a group --------------------------------------------------------------------------------------- */

/* Scratch of LDL. */
typedef struct ldl_scratch {
  int *parents, *counts, *flags, *pattern;
  double *row;
} ldl_scratch;

static bool ldl_scratch_make(ldl_scratch *s, size_t size)
{
  *s = (ldl_scratch){malloc((size + 1) * sizeof(int)), malloc((size + 1) * sizeof(int)),
                     malloc((size + 1) * sizeof(int)), malloc((size + 1) * sizeof(int)),
                     malloc((size + 1) * sizeof(double))};
  return s->parents && s->counts && s->flags && s->pattern && s->row;
}

static void ldl_scratch_free(ldl_scratch *s)
{
  free(s->parents);
  free(s->counts);
  free(s->flags);
  free(s->pattern);
  free(s->row);
}

static bool is_positive(const group *g)
{
  for (size_t i = 0; i < BLOCK * g->count; i++)
    if (!(g->diagonal[i] > 0.0 && isfinite(g->diagonal[i])))
      return false;
  return true;
}

/* NULL for the permutation: the matrix is in the order of elimination. */
static bool factorise(group *g, matrix *a, ldl_scratch *s, error_info *error)
{
  int size = (int)(BLOCK * g->count);
  ldl_symbolic(size, a->columns, a->rows, g->columns, s->parents, s->counts, s->flags, NULL, NULL);
  size_t entries = (size_t)g->columns[size];
  g->rows = malloc((entries + 1) * sizeof *g->rows);
  g->entries = malloc((entries + 1) * sizeof *g->entries);
  if (!g->rows || !g->entries)
    return error_out_of_memory(error);
  int done = ldl_numeric(size, a->columns, a->rows, a->entries, g->columns, s->parents, s->counts, g->rows, g->entries,
                         g->diagonal, s->row, s->pattern, s->flags, NULL, NULL);
  return (done == size && is_positive(g)) ||
         error_set(error, "the stiffnesses of the contacts differ too much to be factorised");
}

static bool group_make(group *g, const moduli_operator *k, const double (*blocks)[BLOCK_ENTRIES], error_info *error)
{
  size_t size = BLOCK * g->count;
  matrix a = {NULL, NULL, NULL, NULL};
  ldl_scratch scratch = {NULL, NULL, NULL, NULL, NULL};
  g->order = malloc((g->count + 1) * sizeof *g->order);
  g->rank = malloc((g->count + 1) * sizeof *g->rank);
  g->columns = malloc((size + 1) * sizeof *g->columns);
  g->diagonal = malloc((size + 1) * sizeof *g->diagonal);
  bool done = find_order(g, error);
  if (done && !(g->columns && g->diagonal && matrix_make(&a, g, k, blocks) && ldl_scratch_make(&scratch, size)))
    done = error_out_of_memory(error);
  done = done && factorise(g, &a, &scratch, error);
  ldl_scratch_free(&scratch);
  matrix_free(&a);
  return done;
}

/* ---- All groups -------------------------------------------------------------------------------------------------- */

/* Adds the size of the initial-stress term to the diagonal of each sphere's block. */
static void shift_blocks(const moduli_network *network, double (*blocks)[BLOCK_ENTRIES])
{
  double largest = 0.0;
  for (size_t i = 0; i < network->contact_count; i++) {
    const moduli_contact *c = &network->contacts[i];
    for (int j = 0; j < BLOCK; j++) {
      blocks[c->p][(BLOCK + 1) * j] += c->fn / c->distance;
      blocks[c->q][(BLOCK + 1) * j] += c->fn / c->distance;
    }
    largest = fmax(largest, c->kn + c->kt);
  }
  for (size_t i = 0; i < network->sphere_count; i++)
    for (int j = 0; j < BLOCK; j++)
      blocks[i][(BLOCK + 1) * j] += SHIFT_LEAST * largest;
}

/* Groups of equal size, but for one sphere. */
static void divide(moduli_factor *factor, const moduli_network *network)
{
  const moduli_contact *contact = network->contacts, *end = contact + network->contact_count;
  for (size_t k = 0; k < factor->group_count; k++) {
    group *g = &factor->groups[k];
    g->first = k * network->sphere_count / factor->group_count;
    g->count = (k + 1) * network->sphere_count / factor->group_count - g->first;
    g->contacts = contact;
    while (contact < end && contact->p < g->first + g->count)
      contact++;
    g->contact_count = (size_t)(contact - g->contacts);
  }
}

moduli_factor *moduli_factor_create(const moduli_operator *k, size_t group_spheres, error_info *error)
{
  size_t count = k->network->sphere_count, groups = (count + group_spheres - 1) / group_spheres;
  moduli_factor *factor = calloc(1, sizeof *factor);
  double(*blocks)[BLOCK_ENTRIES] = malloc((count + 1) * sizeof *blocks);
  bool done = factor && blocks && (factor->groups = calloc(groups + 1, sizeof *factor->groups));
  if (done) {
    factor->group_count = groups;
    divide(factor, k->network);
    moduli_operator_blocks(k, blocks);
    shift_blocks(k->network, blocks);
    for (size_t i = 0; done && i < groups; i++)
      done = group_make(&factor->groups[i], k, (const double(*)[BLOCK_ENTRIES])blocks, error);
  } else
    error_out_of_memory(error);
  free(blocks);
  if (done)
    return factor;
  moduli_factor_destroy(factor);
  return NULL;
}

void moduli_factor_destroy(moduli_factor *factor)
{
  if (!factor)
    return;
  for (size_t i = 0; i < factor->group_count; i++) {
    group *g = &factor->groups[i];
    free(g->order);
    free(g->rank);
    free(g->columns);
    free(g->rows);
    free(g->entries);
    free(g->diagonal);
  }
  free(factor->groups);
  free(factor);
}

void moduli_factor_solve(const moduli_factor *factor, const double *x, double *y, double *scratch)
{
  for (size_t k = 0; k < factor->group_count; k++) {
    const group *g = &factor->groups[k];
    size_t first = BLOCK * g->first;
    int size = (int)(BLOCK * g->count);
    for (size_t i = 0; i < g->count; i++)
      memcpy(scratch + BLOCK * i, x + first + BLOCK * (size_t)g->order[i], BLOCK * sizeof *x);
    ldl_lsolve(size, scratch, g->columns, g->rows, g->entries);
    ldl_dsolve(size, scratch, g->diagonal);
    ldl_ltsolve(size, scratch, g->columns, g->rows, g->entries);
    for (size_t i = 0; i < g->count; i++)
      memcpy(y + first + BLOCK * (size_t)g->order[i], scratch + BLOCK * i, BLOCK * sizeof *y);
  }
}

size_t moduli_factor_entries(const moduli_factor *factor)
{
  size_t entries = 0;
  for (size_t k = 0; k < factor->group_count; k++)
    entries += (size_t)factor->groups[k].columns[BLOCK * factor->groups[k].count];
  return entries;
}
