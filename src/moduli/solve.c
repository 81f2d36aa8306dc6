/* SPDX-License-Identifier: MIT */
/* Factors of groups of grains; GMRES with Arnoldi's basis by modified Gram-Schmidt, and Givens' rotations. */
#include "solve.h"

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
  size_t first, count;            /* grains */
  const moduli_contact *contacts; /* those between a grain of the group and one of higher number, ... */
  size_t contact_count;           /* ... which may be of another group */
  int *order;                     /* the k-th grain to be eliminated, counted from `first` ... */
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

/* AMD orders the grains; the six unknowns of a grain stay together. */
static bool find_order(group *g, error_info *error)
{
  size_t edges = 2 * count_inner(g);
  int *start = calloc(g->count + 2, sizeof *start), *neighbours = malloc((edges + 1) * sizeof *neighbours);
  bool done = start && neighbours && g->order && g->rank;
  if (done) {
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

static bool matrix_make(matrix *a, const group *g, const moduli_operator *k, const double (*blocks)[BLOCK_ENTRIES])
{
  size_t size = BLOCK * g->count, entries = BLOCK_ENTRIES * (g->count + count_inner(g));
  *a = (matrix){.columns = calloc(size + 1, sizeof *a->columns),
                .rows = malloc((entries + 1) * sizeof *a->rows),
                .entries = malloc((entries + 1) * sizeof *a->entries),
                .filled = malloc((g->count + 1) * sizeof *a->filled)};
  if (!a->columns || !a->rows || !a->entries || !a->filled)
    return false;
  for (size_t i = 0; i < g->count; i++)
    a->filled[i] = 1;
  for (size_t i = 0; i < g->contact_count; i++) { /* the column of the later grain holds the block of both */
    const moduli_contact *c = &g->contacts[i];
    if (is_inner(g, c)) {
      int p = g->rank[c->p - g->first], q = g->rank[c->q - g->first];
      a->filled[p > q ? p : q]++;
    }
  }
  for (size_t i = 0; i < g->count; i++)
    for (size_t j = 0; j < BLOCK; j++)
      a->columns[BLOCK * i + j + 1] = a->columns[BLOCK * i + j] + BLOCK * a->filled[i];
  memset(a->filled, 0, g->count * sizeof *a->filled);
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
  return true;
}

/* ---- The factor of a group --------------------------------------------------------------------------------------- */

/* Scratch of LDL. */
typedef struct ldl_scratch {
  int *parents, *counts, *flags, *pattern;
  double *row;
} ldl_scratch;

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
  bool is_positive = ldl_numeric(size, a->columns, a->rows, a->entries, g->columns, s->parents, s->counts, g->rows,
                                 g->entries, g->diagonal, s->row, s->pattern, s->flags, NULL, NULL) == size;
  for (int i = 0; is_positive && i < size; i++)
    is_positive = g->diagonal[i] > 0.0 && isfinite(g->diagonal[i]);
  return is_positive || error_set(error, "the stiffnesses of the contacts differ too much to be factorised");
}

static bool group_make(group *g, const moduli_operator *k, const double (*blocks)[BLOCK_ENTRIES], error_info *error)
{
  size_t size = BLOCK * g->count;
  matrix a = {NULL, NULL, NULL, NULL};
  ldl_scratch s = {malloc((size + 1) * sizeof(int)), malloc((size + 1) * sizeof(int)), malloc((size + 1) * sizeof(int)),
                   malloc((size + 1) * sizeof(int)), malloc((size + 1) * sizeof(double))};
  g->order = malloc((g->count + 1) * sizeof *g->order);
  g->rank = malloc((g->count + 1) * sizeof *g->rank);
  g->columns = malloc((size + 1) * sizeof *g->columns);
  g->diagonal = malloc((size + 1) * sizeof *g->diagonal);
  bool done = g->columns && g->diagonal && s.parents && s.counts && s.flags && s.pattern && s.row;
  if (!done)
    error_out_of_memory(error);
  done = done && find_order(g, error) && (matrix_make(&a, g, k, blocks) || error_out_of_memory(error)) &&
         factorise(g, &a, &s, error);
  free(s.parents);
  free(s.counts);
  free(s.flags);
  free(s.pattern);
  free(s.row);
  free(a.columns);
  free(a.rows);
  free(a.entries);
  free(a.filled);
  return done;
}

/* ---- All groups -------------------------------------------------------------------------------------------------- */

moduli_factor *moduli_factor_create(const moduli_operator *k, size_t group_grains, error_info *error)
{
  size_t count = k->network->grain_count, groups = (count + group_grains - 1) / group_grains;
  moduli_factor *factor = calloc(1, sizeof *factor);
  double(*blocks)[BLOCK_ENTRIES] = malloc((count + 1) * sizeof *blocks);
  bool done = factor && blocks && (factor->groups = calloc(groups + 1, sizeof *factor->groups));
  if (done) {
    const moduli_contact *contact = k->network->contacts, *end = contact + k->network->contact_count;
    double largest = 0.0;
    moduli_operator_blocks(k, blocks);
    for (const moduli_contact *c = contact; c < end; c++) { /* adds the size of the initial-stress term */
      for (int j = 0; j < BLOCK; j++) {
        blocks[c->p][(BLOCK + 1) * j] += c->fn / c->distance;
        blocks[c->q][(BLOCK + 1) * j] += c->fn / c->distance;
      }
      largest = fmax(largest, c->kn + c->kt);
    }
    for (size_t i = 0; i < count; i++)
      for (int j = 0; j < BLOCK; j++)
        blocks[i][(BLOCK + 1) * j] += SHIFT_LEAST * largest;
    factor->group_count = groups;
    for (size_t i = 0; done && i < groups; i++) { /* of equal size, but for one grain */
      group *g = &factor->groups[i];
      g->first = i * count / groups;
      g->count = (i + 1) * count / groups - g->first;
      g->contacts = contact;
      while (contact < end && contact->p < g->first + g->count)
        contact++;
      g->contact_count = (size_t)(contact - g->contacts);
      done = group_make(g, k, (const double(*)[BLOCK_ENTRIES])blocks, error);
    }
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

/* ---- GMRES ------------------------------------------------------------------------------------------------------- */

enum { BASIS = 60, STEPS_MAX = 20000 }; /* steps between restarts, and in all */

#define STUCK 0.9    /* a restart that leaves more than this share of the residual is the last one */
#define ENOUGH 1e-10 /* the residual over the scale that is accepted when more steps do not help */

typedef struct arnoldi {
  const moduli_equations *of;
  size_t size;
  double *basis;   /* BASIS + 1 vectors */
  double *scratch; /* two vectors */
  double h[BASIS + 1][BASIS];
  double cosine[BASIS], sine[BASIS], g[BASIS + 1];
} arnoldi;

static void scale_by(double *of, double factor, size_t size)
{
  for (size_t i = 0; i < size; i++)
    of[i] *= factor;
}

/* The next vector of the basis, and column j of H. */
static void extend_basis(arnoldi *a, int j)
{
  double *next = a->basis + (size_t)(j + 1) * a->size, *solved = a->scratch;
  moduli_factor_solve(a->of->factor, a->basis + (size_t)j * a->size, solved, a->scratch + a->size);
  moduli_floppy_hold(a->of->floppy, solved);
  moduli_operator_apply(a->of->k, solved, next);
  moduli_floppy_balance(a->of->floppy, next);
  for (int i = 0; i <= j; i++) {
    const double *before = a->basis + (size_t)i * a->size;
    a->h[i][j] = moduli_dot(before, next, a->size);
    moduli_add_scaled(next, -a->h[i][j], before, a->size);
  }
  a->h[j + 1][j] = sqrt(moduli_dot(next, next, a->size));
  if (a->h[j + 1][j] > 0.0)
    scale_by(next, 1.0 / a->h[j + 1][j], a->size);
}

static void rotate(double cosine, double sine, double *upper, double *lower)
{
  double rotated = cosine * *upper + sine * *lower;
  *lower = cosine * *lower - sine * *upper;
  *upper = rotated;
}

/* Makes column j of H upper triangular. Returns the norm of the residual. */
static double rotate_column(arnoldi *a, int j)
{
  for (int i = 0; i < j; i++)
    rotate(a->cosine[i], a->sine[i], &a->h[i][j], &a->h[i + 1][j]);
  double length = hypot(a->h[j][j], a->h[j + 1][j]);
  a->cosine[j] = length > 0.0 ? a->h[j][j] / length : 1.0;
  a->sine[j] = length > 0.0 ? a->h[j + 1][j] / length : 0.0;
  rotate(a->cosine[j], a->sine[j], &a->h[j][j], &a->h[j + 1][j]);
  a->g[j + 1] = 0.0;
  rotate(a->cosine[j], a->sine[j], &a->g[j], &a->g[j + 1]);
  return fabs(a->g[j + 1]);
}

/* x += M⁻¹ Σ y_i v_i, where H y = g for the first `count` columns. */
static void add_correction(arnoldi *a, int count, double *x)
{
  double y[BASIS], *sum = a->scratch;
  for (int i = count - 1; i >= 0; i--) {
    y[i] = a->g[i];
    for (int j = i + 1; j < count; j++)
      y[i] -= a->h[i][j] * y[j];
    y[i] = a->h[i][i] != 0.0 ? y[i] / a->h[i][i] : 0.0;
  }
  memset(sum, 0, a->size * sizeof *sum);
  for (int i = 0; i < count; i++)
    moduli_add_scaled(sum, y[i], a->basis + (size_t)i * a->size, a->size);
  moduli_factor_solve(a->of->factor, sum, sum, a->scratch + a->size);
  moduli_floppy_hold(a->of->floppy, sum);
  moduli_add_scaled(x, 1.0, sum, a->size);
}

static bool is_stopped(const moduli_equations *of)
{
  return of->stop && atomic_load(of->stop) != 0;
}

/* Restarts until the tolerance is reached, or the residual no longer falls. */
static void iterate(arnoldi *a, double *x, moduli_solution *solution)
{
  const moduli_equations *of = a->of;
  for (double before = INFINITY;;) {
    moduli_operator_apply(of->k, x, a->basis); /* the first vector of the basis: f - K x */
    for (size_t i = 0; i < a->size; i++)
      a->basis[i] = of->f[i] - a->basis[i];
    moduli_floppy_balance(of->floppy, a->basis);
    double length = sqrt(moduli_dot(a->basis, a->basis, a->size)), residual = length;
    solution->residual = length > 0.0 ? length / of->scale : 0.0; /* both are 0 if the strain moves no contact */
    bool is_stuck = !(length < STUCK * before);
    if (solution->residual <= MODULI_TOLERANCE || is_stuck || solution->steps >= STEPS_MAX || is_stopped(of))
      return;
    before = length;
    int count = 0;
    scale_by(a->basis, 1.0 / length, a->size);
    a->g[0] = length;
    while (count < BASIS && residual > 0.5 * MODULI_TOLERANCE * of->scale && !is_stopped(of)) {
      extend_basis(a, count);
      residual = rotate_column(a, count++);
      if (of->watcher)
        of->watcher(of->context, residual / of->scale);
    }
    add_correction(a, count, x);
    solution->steps += count;
  }
}

bool moduli_solve(const moduli_equations *of, double *x, moduli_solution *solution, error_info *error)
{
  size_t size = moduli_operator_size(of->k);
  arnoldi *a = calloc(1, sizeof *a);
  double *basis = malloc((BASIS + 1) * size * sizeof *basis), *scratch = malloc(2 * size * sizeof *scratch);
  bool has_memory = a && basis && scratch;
  *solution = (moduli_solution){.residual = INFINITY};
  if (has_memory) {
    *a = (arnoldi){.of = of, .size = size, .basis = basis, .scratch = scratch};
    iterate(a, x, solution);
  }
  free(basis);
  free(scratch);
  free(a);
  if (!has_memory)
    return error_out_of_memory(error);
  return solution->residual <= ENOUGH ||
         error_set(error, "the equations of equilibrium could not be solved: after %d steps the residual is %.2g",
                   solution->steps, solution->residual);
}
