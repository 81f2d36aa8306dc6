/* SPDX-License-Identifier: MIT */
/* Factors of groups of grains; GMRES with Arnoldi's basis, and the directions that a restart keeps. */
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

/* ---- GMRES with deflated restarts -------------------------------------------------------------------------------- */

/*
 * A cycle begins with the residual r, kept directions U and orthonormal C, where A U = C Σ, A = K M⁻¹, Σ diagonal.
 * Arnoldi's process for (1 - C Cᵀ) A adds V and V', which has one vector more, so that
 *
 *     A [U V] = [C V'] G,      G = [Σ B; 0 H],      B = Cᵀ A V.
 *
 * Of all corrections U q + V y, the one with the smallest residual has H y ≈ |r - C Cᵀ r| e1 and Σ q = Cᵀ r - B y.
 *
 * A restart keeps the directions that A shortens most. These are soft movements that M misses, since they reach across
 * the borders of groups; a restart that forgets them may never reach the tolerance. They are right singular vectors of
 * G with small singular values (as if U and V were orthogonal, which they nearly are): where G P = Q Σ', the next U is
 * [U V] P and the next C is [C V'] Q.
 */
enum { BASIS = 40, KEPT = 40, COLUMNS = BASIS + KEPT }; /* steps between restarts; directions that are kept */
enum { STEPS_MAX = 20000 };                             /* in all */

#define STUCK 0.9        /* a restart that leaves more than this share of the residual is in vain ... */
#define ENOUGH 1e-10     /* the residual over the scale that is accepted when more steps do not help */
enum { STUCK_MAX = 10 }; /* ... and so many in a row are the end */

/*
 * Directions whose singular values are between these shares of the largest are kept. Smaller ones are rounding, and
 * larger ones are found quickly in each cycle.
 */
#define SINGULAR_LEAST 1e-13
#define SINGULAR_MOST 0.02

typedef struct arnoldi {
  const moduli_equations *of;
  size_t size;
  double *basis;              /* V': BASIS + 1 vectors */
  double *kept_u, *kept_c;    /* U and C: KEPT vectors each */
  int kept;                   /* directions in U */
  double singular[KEPT];      /* Σ */
  double along[KEPT];         /* Cᵀ r at the begin of the cycle */
  double *scratch;            /* two vectors */
  double b[KEPT][BASIS];      /* B */
  double h[BASIS + 1][BASIS]; /* H, */
  double r[BASIS + 1][BASIS]; /* and H as Givens' rotations make it triangular */
  double cosine[BASIS], sine[BASIS], g[BASIS + 1];
  double q[COLUMNS][COLUMNS + 1], p[COLUMNS][COLUMNS]; /* columns of G P and of P, while singular values are sought */
} arnoldi;

static void scale_by(double *of, double factor, size_t size)
{
  for (size_t i = 0; i < size; i++)
    of[i] *= factor;
}

/* Takes the part along the vector `unit` out of `of`, and returns its length. */
static double take_out(double *of, const double *unit, size_t size)
{
  double along = moduli_dot(unit, of, size);
  moduli_add_scaled(of, -along, unit, size);
  return along;
}

/* The next vector of the basis, and column j of B and H. */
static void extend_basis(arnoldi *a, int j)
{
  double *next = a->basis + (size_t)(j + 1) * a->size, *solved = a->scratch;
  moduli_factor_solve(a->of->factor, a->basis + (size_t)j * a->size, solved, a->scratch + a->size);
  moduli_floppy_hold(a->of->floppy, solved);
  moduli_operator_apply(a->of->k, solved, next);
  moduli_floppy_balance(a->of->floppy, next);
  for (int i = 0; i < a->kept; i++)
    a->b[i][j] = take_out(next, a->kept_c + (size_t)i * a->size, a->size);
  for (int i = 0; i <= j; i++)
    a->h[i][j] = take_out(next, a->basis + (size_t)i * a->size, a->size);
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
  for (int i = 0; i <= j + 1; i++)
    a->r[i][j] = a->h[i][j];
  for (int i = 0; i < j; i++)
    rotate(a->cosine[i], a->sine[i], &a->r[i][j], &a->r[i + 1][j]);
  double length = hypot(a->r[j][j], a->r[j + 1][j]);
  a->cosine[j] = length > 0.0 ? a->r[j][j] / length : 1.0;
  a->sine[j] = length > 0.0 ? a->r[j + 1][j] / length : 0.0;
  rotate(a->cosine[j], a->sine[j], &a->r[j][j], &a->r[j + 1][j]);
  a->g[j + 1] = 0.0;
  rotate(a->cosine[j], a->sine[j], &a->g[j], &a->g[j + 1]);
  return fabs(a->g[j + 1]);
}

/* x += M⁻¹ (U q + V y), with the first `count` columns of V. */
static void add_correction(arnoldi *a, int count, double *x)
{
  double y[BASIS], *sum = a->scratch;
  for (int i = count - 1; i >= 0; i--) {
    y[i] = a->g[i];
    for (int j = i + 1; j < count; j++)
      y[i] -= a->r[i][j] * y[j];
    y[i] = a->r[i][i] != 0.0 ? y[i] / a->r[i][i] : 0.0;
  }
  memset(sum, 0, a->size * sizeof *sum);
  for (int i = 0; i < count; i++)
    moduli_add_scaled(sum, y[i], a->basis + (size_t)i * a->size, a->size);
  for (int i = 0; i < a->kept; i++) {
    double q = a->along[i];
    for (int j = 0; j < count; j++)
      q -= a->b[i][j] * y[j];
    moduli_add_scaled(sum, q / a->singular[i], a->kept_u + (size_t)i * a->size, a->size);
  }
  moduli_factor_solve(a->of->factor, sum, sum, a->scratch + a->size);
  moduli_floppy_hold(a->of->floppy, sum);
  moduli_add_scaled(x, 1.0, sum, a->size);
}

/* ---- What a restart keeps ---------------------------------------------------------------------------------------- */

enum { SWEEPS_MAX = 30 };
#define ORTHOGONAL 1e-15

/* Jacobi's rotations from one side make the columns of q = G P orthogonal. */
static void find_singular_vectors(arnoldi *a, int columns)
{
  size_t rows = (size_t)columns + 1;
  bool has_changed = true;
  for (int sweep = 0; has_changed && sweep < SWEEPS_MAX; sweep++) {
    has_changed = false;
    for (int i = 0; i < columns; i++)
      for (int j = i + 1; j < columns; j++) {
        double ii = moduli_dot(a->q[i], a->q[i], rows), jj = moduli_dot(a->q[j], a->q[j], rows);
        double ij = moduli_dot(a->q[i], a->q[j], rows);
        if (!(fabs(ij) > ORTHOGONAL * sqrt(ii * jj)))
          continue;
        has_changed = true;
        double ratio = 0.5 * (jj - ii) / ij, tangent = copysign(1.0, ratio) / (fabs(ratio) + sqrt(1.0 + ratio * ratio));
        double cosine = 1.0 / sqrt(1.0 + tangent * tangent), sine = -tangent * cosine;
        for (size_t k = 0; k < rows; k++)
          rotate(cosine, sine, &a->q[i][k], &a->q[j][k]);
        for (int k = 0; k < columns; k++)
          rotate(cosine, sine, &a->p[i][k], &a->p[j][k]);
      }
  }
}

/* The columns with the smallest singular values that are to be kept, and their number. */
static int choose_columns(const arnoldi *a, int columns, int chosen[KEPT], double singular[COLUMNS])
{
  double largest = 0.0;
  int count = 0;
  for (int j = 0; j < columns; j++) {
    singular[j] = sqrt(moduli_dot(a->q[j], a->q[j], (size_t)columns + 1));
    largest = fmax(largest, singular[j]);
  }
  for (double before = SINGULAR_LEAST * largest; count < KEPT; count++) {
    int next = -1;
    for (int j = 0; j < columns; j++)
      if (singular[j] > before && (next < 0 || singular[j] < singular[next]))
        next = j;
    if (next < 0 || singular[next] > SINGULAR_MOST * largest)
      break;
    chosen[count] = next;
    before = singular[next];
  }
  return count;
}

/* U and C for the next cycle, after one of `count` steps. */
static void keep_directions(arnoldi *a, int count)
{
  int columns = a->kept + count, kept = a->kept, chosen[KEPT];
  double singular[COLUMNS];
  memset(a->q, 0, sizeof a->q);
  memset(a->p, 0, sizeof a->p);
  for (int j = 0; j < columns; j++)
    a->p[j][j] = 1.0;
  for (int j = 0; j < kept; j++)
    a->q[j][j] = a->singular[j];
  for (int j = 0; j < count; j++) {
    for (int i = 0; i < kept; i++)
      a->q[kept + j][i] = a->b[i][j];
    for (int i = 0; i <= j + 1; i++)
      a->q[kept + j][kept + i] = a->h[i][j];
  }
  find_singular_vectors(a, columns);
  int chosen_count = choose_columns(a, columns, chosen, singular);
  for (int k = 0; k < chosen_count; k++)
    scale_by(a->q[chosen[k]], 1.0 / singular[chosen[k]], (size_t)columns + 1);
  for (size_t i = 0; i < a->size; i++) { /* row by row, in place */
    double u[COLUMNS], c[COLUMNS + 1];
    for (int j = 0; j < kept; j++) {
      u[j] = a->kept_u[(size_t)j * a->size + i];
      c[j] = a->kept_c[(size_t)j * a->size + i];
    }
    for (int j = 0; j <= count; j++)
      c[kept + j] = a->basis[(size_t)j * a->size + i];
    memcpy(u + kept, c + kept, (size_t)count * sizeof *u);
    for (int k = 0; k < chosen_count; k++) {
      a->kept_u[(size_t)k * a->size + i] = moduli_dot(a->p[chosen[k]], u, (size_t)columns);
      a->kept_c[(size_t)k * a->size + i] = moduli_dot(a->q[chosen[k]], c, (size_t)columns + 1);
    }
  }
  a->kept = chosen_count;
  for (int k = 0; k < chosen_count; k++)
    a->singular[k] = singular[chosen[k]];
}

/* ---- The iteration ----------------------------------------------------------------------------------------------- */

static bool is_stopped(const moduli_equations *of)
{
  return of->stop && atomic_load(of->stop) != 0;
}

/* Restarts until the tolerance is reached, or the residual no longer falls. */
static void iterate(arnoldi *a, double *x, moduli_solution *solution)
{
  const moduli_equations *of = a->of;
  double before = INFINITY;
  for (int stuck = 0;;) {
    moduli_operator_apply(of->k, x, a->basis); /* the first vector of the basis: f - K x */
    for (size_t i = 0; i < a->size; i++)
      a->basis[i] = of->f[i] - a->basis[i];
    moduli_floppy_balance(of->floppy, a->basis);
    double length = sqrt(moduli_dot(a->basis, a->basis, a->size));
    solution->residual = length > 0.0 ? length / of->scale : 0.0; /* both are 0 if the strain moves no contact */
    stuck = length < STUCK * before ? 0 : stuck + 1;
    if (solution->residual <= MODULI_TOLERANCE || stuck >= STUCK_MAX || solution->steps >= STEPS_MAX || is_stopped(of))
      return;
    before = fmin(length, before);
    for (int i = 0; i < a->kept; i++)
      a->along[i] = take_out(a->basis, a->kept_c + (size_t)i * a->size, a->size);
    double residual = sqrt(moduli_dot(a->basis, a->basis, a->size));
    int count = 0;
    if (residual > 0.0)
      scale_by(a->basis, 1.0 / residual, a->size);
    a->g[0] = residual;
    while (count < BASIS && residual > 0.5 * MODULI_TOLERANCE * of->scale && !is_stopped(of)) {
      extend_basis(a, count);
      residual = rotate_column(a, count++);
      if (of->watcher)
        of->watcher(of->context, residual / of->scale);
    }
    add_correction(a, count, x);
    solution->steps += count;
    if (count == BASIS)
      keep_directions(a, count);
  }
}

bool moduli_solve(const moduli_equations *of, double *x, moduli_solution *solution, error_info *error)
{
  size_t size = moduli_operator_size(of->k);
  arnoldi *a = calloc(1, sizeof *a);
  double *basis = malloc((BASIS + 1 + 2 * KEPT) * size * sizeof *basis), *scratch = malloc(2 * size * sizeof *scratch);
  bool has_memory = a && basis && scratch;
  *solution = (moduli_solution){.residual = INFINITY};
  if (has_memory) {
    a->of = of;
    a->size = size;
    a->basis = basis;
    a->kept_u = basis + (BASIS + 1) * size;
    a->kept_c = a->kept_u + KEPT * size;
    a->scratch = scratch;
    iterate(a, x, solution);
  }
  free(basis);
  free(scratch);
  free(a);
  if (!has_memory)
    return error_out_of_memory(error);
  return solution->residual <= ENOUGH ||
         error_set(
             error,
             "the equations of equilibrium could not be solved: after %d steps the residual is %.2g; this happens "
             "if groups of grains are nearly free to move together",
             solution->steps, solution->residual);
}
