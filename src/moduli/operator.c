/* SPDX-License-Identifier: MIT */
/* Forces, torques and stresses of small movements, and movements that nothing resists: see operator.h. */
#include "operator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

moduli_operator moduli_operator_of(const moduli_network *network, bool has_initial_stress)
{
  double sum = 0.0;
  for (size_t i = 0; i < network->grain_count; i++)
    sum += network->radius[i];
  return (moduli_operator){network, has_initial_stress, sum / (double)network->grain_count};
}

size_t moduli_operator_size(const moduli_operator *k)
{
  return MODULI_UNKNOWNS * k->network->grain_count;
}

double moduli_dot(const double *a, const double *b, size_t size)
{
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  size_t whole = size / 4 * 4;
  for (size_t i = 0; i < whole; i += 4)
    for (size_t j = 0; j < 4; j++)
      sum[j] += a[i + j] * b[i + j];
  for (size_t i = whole; i < size; i++)
    sum[i - whole] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void moduli_add_scaled(double *to, double factor, const double *of, size_t size)
{
  for (size_t i = 0; i < size; i++)
    to[i] += factor * of[i];
}

/* ---- One contact ------------------------------------------------------------------------------------------------- */

/* Movements at a contact: dl, dL, θ_p and θ_q. */
typedef struct contact_movement {
  vec3 branch, centroids, turn_p, turn_q;
} contact_movement;

/* Changes of the force on q and of the two torques. */
typedef struct contact_change {
  vec3 force, torque_p, torque_q;
} contact_change;

static contact_change change_of(const moduli_operator *k, const moduli_contact *c, const contact_movement *m)
{
  vec3 turned = vec3_add(vec3_scale(c->arm_p, m->turn_p), vec3_scale(c->arm_q, m->turn_q));
  vec3 shift = vec3_subtract(m->branch, vec3_cross(turned, c->n)); /* along n equal to the branch */
  double opening = vec3_dot(c->n, m->branch);
  vec3 across = vec3_add_scaled(shift, -opening, c->n);
  contact_change change = {.force = vec3_add(vec3_scale(-c->kn * opening, c->n), vec3_scale(-c->kt, across))};
  vec3 arm_change = {0.0, 0.0, 0.0}, normal_change = arm_change; /* (dh n) × F and dn × F */
  vec3 moment_p = arm_change, moment_q = arm_change;             /* (θ × c) × F */
  if (k->has_initial_stress) {
    vec3 force = vec3_subtract(vec3_scale(c->fn, c->n), c->shear);
    vec3 dn = vec3_scale(1.0 / c->distance, vec3_add_scaled(m->branch, -opening, c->n));
    double twirl = 0.5 * vec3_dot(c->n, vec3_add(m->turn_p, m->turn_q));
    vec3 turning = vec3_add(vec3_scale(c->fn, dn), vec3_scale(vec3_dot(c->shear, dn), c->n));
    turning = vec3_add_scaled(turning, -twirl, vec3_cross(c->n, c->shear)); /* Fn dn + n (T·dn) - ω n × T */
    change.force = vec3_add(change.force, turning);
    arm_change = vec3_scale(0.5 * opening, vec3_cross(c->n, force));
    normal_change = vec3_cross(dn, force);
    moment_p = vec3_cross(vec3_cross(m->turn_p, c->center_p), force);
    moment_q = vec3_cross(vec3_cross(m->turn_q, c->center_q), force);
  }
  vec3 of_arms = vec3_add(vec3_cross(c->n, change.force), normal_change);
  moment_p = vec3_add(moment_p, vec3_cross(c->center_p, change.force));
  moment_q = vec3_add(moment_q, vec3_cross(c->center_q, change.force));
  change.torque_p = vec3_scale(-1.0, vec3_add(vec3_add_scaled(arm_change, c->arm_p, of_arms), moment_p));
  change.torque_q = vec3_subtract(moment_q, vec3_add_scaled(arm_change, c->arm_q, of_arms));
  return change;
}

/* ---- All contacts ------------------------------------------------------------------------------------------------ */

static contact_movement movement_of(const moduli_operator *k, const moduli_contact *c, const double *x)
{
  const double *p = x + MODULI_UNKNOWNS * (size_t)c->p, *q = x + MODULI_UNKNOWNS * (size_t)c->q;
  double inverse = 1.0 / k->length;
  contact_movement m = {.centroids = vec3_subtract(vec3_load(q), vec3_load(p)),
                        .turn_p = vec3_scale(inverse, vec3_load(p + 3)),
                        .turn_q = vec3_scale(inverse, vec3_load(q + 3))};
  m.branch = vec3_add(m.centroids, vec3_subtract(vec3_cross(m.turn_q, c->center_q), vec3_cross(m.turn_p, c->center_p)));
  return m;
}

static contact_movement movement_of_strain(const moduli_contact *c, const double strain[3][3])
{
  vec3 l = vec3_scale(-1.0, moduli_branch(c));
  vec3 dl = {strain[0][0] * l.x + strain[0][1] * l.y + strain[0][2] * l.z,
             strain[1][0] * l.x + strain[1][1] * l.y + strain[1][2] * l.z,
             strain[2][0] * l.x + strain[2][1] * l.y + strain[2][2] * l.z};
  return (contact_movement){.branch = dl, .centroids = dl};
}

static void add_vector(double *to, double factor, vec3 v)
{
  to[0] += factor * v.x;
  to[1] += factor * v.y;
  to[2] += factor * v.z;
}

/* Adds `sign` times the change to the forces and torques of the two grains. */
static void add_change(const moduli_operator *k, const moduli_contact *c, const contact_change *change, double sign,
                       double *y)
{
  double *p = y + MODULI_UNKNOWNS * (size_t)c->p, *q = y + MODULI_UNKNOWNS * (size_t)c->q;
  add_vector(p, -sign, change->force);
  add_vector(q, sign, change->force);
  add_vector(p + 3, sign / k->length, change->torque_p);
  add_vector(q + 3, sign / k->length, change->torque_q);
}

void moduli_operator_apply(const moduli_operator *k, const double *x, double *y)
{
  memset(y, 0, moduli_operator_size(k) * sizeof *y);
  for (size_t i = 0; i < k->network->contact_count; i++) {
    const moduli_contact *c = &k->network->contacts[i];
    contact_movement movement = movement_of(k, c, x);
    contact_change change = change_of(k, c, &movement);
    add_change(k, c, &change, -1.0, y);
  }
}

double moduli_operator_load(const moduli_operator *k, const double strain[3][3], double *f)
{
  double square = 0.0;
  memset(f, 0, moduli_operator_size(k) * sizeof *f);
  for (size_t i = 0; i < k->network->contact_count; i++) {
    const moduli_contact *c = &k->network->contacts[i];
    contact_movement movement = movement_of_strain(c, strain);
    contact_change change = change_of(k, c, &movement);
    add_change(k, c, &change, 1.0, f);
    square += c->kn * c->kn * vec3_dot(movement.branch, movement.branch);
  }
  return sqrt(square);
}

/* to += a ⊗ b */
static void add_product(double to[3][3], vec3 a, vec3 b)
{
  const double first[3] = {a.x, a.y, a.z}, second[3] = {b.x, b.y, b.z};
  for (int i = 0; i < 9; i++)
    to[i / 3][i % 3] += first[i / 3] * second[i % 3];
}

void moduli_operator_stress(const moduli_operator *k, const double strain[3][3], const double *x, double change[3][3])
{
  double stress[3][3], volume = k->network->volume, trace = strain[0][0] + strain[1][1] + strain[2][2];
  memset(change, 0, 9 * sizeof change[0][0]);
  for (size_t i = 0; i < k->network->contact_count; i++) {
    const moduli_contact *c = &k->network->contacts[i];
    contact_movement movement = movement_of_strain(c, strain);
    if (x) {
      contact_movement own = movement_of(k, c, x);
      movement = (contact_movement){vec3_add(movement.branch, own.branch), vec3_add(movement.centroids, own.centroids),
                                    own.turn_p, own.turn_q};
    }
    add_product(change, change_of(k, c, &movement).force, moduli_branch(c));
    if (k->has_initial_stress)
      add_product(change, vec3_subtract(vec3_scale(c->fn, c->n), c->shear), movement.centroids);
  }
  moduli_network_stress(k->network, stress);
  for (int i = 0; i < 9; i++)
    change[i / 3][i % 3] = change[i / 3][i % 3] / volume + (k->has_initial_stress ? trace * stress[i / 3][i % 3] : 0.0);
}

/* ---- Matrices ---------------------------------------------------------------------------------------------------- */

static moduli_operator springs_of(const moduli_operator *k)
{
  return (moduli_operator){k->network, false, k->length};
}

/* Column j: the forces against a unit movement, with the two grains numbered 0 and 1. */
static void find_pair_matrix(const moduli_operator *k, const moduli_contact *contact,
                             double matrix[MODULI_PAIR_UNKNOWNS][MODULI_PAIR_UNKNOWNS])
{
  moduli_contact c = *contact;
  c.p = 0;
  c.q = 1;
  for (int j = 0; j < MODULI_PAIR_UNKNOWNS; j++) {
    double x[MODULI_PAIR_UNKNOWNS] = {0.0}, y[MODULI_PAIR_UNKNOWNS] = {0.0};
    x[j] = 1.0;
    contact_movement movement = movement_of(k, &c, x);
    contact_change change = change_of(k, &c, &movement);
    add_change(k, &c, &change, -1.0, y);
    for (int i = 0; i < MODULI_PAIR_UNKNOWNS; i++)
      matrix[i][j] = y[i];
  }
}

void moduli_operator_pair_matrix(const moduli_operator *k, const moduli_contact *contact,
                                 double matrix[MODULI_PAIR_UNKNOWNS][MODULI_PAIR_UNKNOWNS])
{
  moduli_operator springs = springs_of(k);
  find_pair_matrix(&springs, contact, matrix);
}

static void add_block(double *block, const double *values)
{
  for (int i = 0; i < MODULI_UNKNOWNS; i++)
    for (int j = 0; j < MODULI_UNKNOWNS; j++)
      block[MODULI_UNKNOWNS * i + j] += values[MODULI_PAIR_UNKNOWNS * i + j];
}

static void find_blocks(const moduli_operator *k, double (*blocks)[MODULI_BLOCK_ENTRIES])
{
  memset(blocks, 0, k->network->grain_count * sizeof *blocks);
  for (size_t i = 0; i < k->network->contact_count; i++) {
    const moduli_contact *c = &k->network->contacts[i];
    double pair[MODULI_PAIR_UNKNOWNS][MODULI_PAIR_UNKNOWNS];
    find_pair_matrix(k, c, pair);
    add_block(blocks[c->p], &pair[0][0]);
    add_block(blocks[c->q], &pair[MODULI_UNKNOWNS][MODULI_UNKNOWNS]);
  }
}

void moduli_operator_blocks(const moduli_operator *k, double (*blocks)[MODULI_BLOCK_ENTRIES])
{
  moduli_operator springs = springs_of(k);
  find_blocks(&springs, blocks);
}

/* ---- Floppy movements: null vectors of the diagonal blocks of K0 ------------------------------------------------- */

enum { SIZE = MODULI_UNKNOWNS };

/* Pivots below this share of the largest diagonal entry are zero. */
#define PIVOT_LEAST 1e-9

/*
 * A basis of the null space of a block, which is symmetric and not negative; for spheres without friction of its
 * leading part, the translations.
 */
static int find_null_space(const moduli_operator *k, const double *block, double basis[SIZE][SIZE])
{
  int size = k->network->friction > 0.0 || k->network->gyration ? SIZE : 3;
  double a[SIZE][SIZE], least = 0.0;
  bool is_pivot[SIZE] = {false};
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      a[i][j] = block[SIZE * i + j];
  for (int i = 0; i < size; i++)
    least = fmax(least, PIVOT_LEAST * a[i][i]);
  for (;;) { /* Gauss and Jordan, with the largest diagonal entry that was not a pivot yet */
    int pivot = -1;
    for (int i = 0; i < size; i++)
      if (!is_pivot[i] && a[i][i] > least && (pivot < 0 || a[i][i] > a[pivot][pivot]))
        pivot = i;
    if (pivot < 0)
      break;
    is_pivot[pivot] = true;
    double inverse = 1.0 / a[pivot][pivot];
    for (int j = 0; j < size; j++)
      a[pivot][j] *= inverse;
    for (int i = 0; i < size; i++) {
      double factor = a[i][pivot];
      for (int j = 0; j < size && i != pivot; j++)
        a[i][j] -= factor * a[pivot][j];
    }
  }
  int count = 0;
  for (int j = 0; j < size; j++) {
    if (is_pivot[j])
      continue;
    for (int i = 0; i < SIZE; i++)
      basis[count][i] = i == j ? 1.0 : i < size && is_pivot[i] ? -a[i][j] : 0.0;
    count++;
  }
  return count;
}

/* M v for u and a θ of a grain, over the mass of a sphere with the radius a. */
static void find_momentum(const moduli_operator *k, size_t grain, const double *v, double *momentum)
{
  double r = k->network->radius[grain] / k->length, mass = r * r * r;
  for (int i = 0; i < SIZE; i++)
    momentum[i] = (i < 3 ? mass : 0.4 * mass * r * r) * v[i];
  if (!k->network->gyration)
    return;
  const double *g = k->network->gyration[grain], factor = mass / (k->length * k->length);
  momentum[3] = factor * (g[DEM_XX] * v[3] + g[DEM_XY] * v[4] + g[DEM_XZ] * v[5]);
  momentum[4] = factor * (g[DEM_XY] * v[3] + g[DEM_YY] * v[4] + g[DEM_YZ] * v[5]);
  momentum[5] = factor * (g[DEM_XZ] * v[3] + g[DEM_YZ] * v[4] + g[DEM_ZZ] * v[5]);
}

/* The floppy movements of a grain, orthogonal to each other and of unit length in the metric M. */
static void add_movements(moduli_floppy *floppy, const moduli_operator *k, size_t grain, const double *block)
{
  double basis[SIZE][SIZE];
  int count = find_null_space(k, block, basis);
  for (int n = 0; n < count; n++) {
    moduli_floppy_movement *movement = &floppy->list[floppy->count++];
    double *v = basis[n], *momentum = movement->momentum, square = 0.0;
    for (int before = 0; before < n; before++) {
      double along = 0.0;
      find_momentum(k, grain, v, momentum);
      for (int i = 0; i < SIZE; i++)
        along += momentum[i] * basis[before][i];
      for (int i = 0; i < SIZE; i++)
        v[i] -= along * basis[before][i];
    }
    find_momentum(k, grain, v, momentum);
    for (int i = 0; i < SIZE; i++)
      square += momentum[i] * v[i];
    movement->grain = (uint32_t)grain;
    for (int i = 0; i < SIZE; i++)
      movement->v[i] = v[i] /= sqrt(square);
    find_momentum(k, grain, v, momentum);
  }
}

void moduli_floppy_momentum(const moduli_operator *k, const double *x, double *momentum)
{
  for (size_t i = 0; i < k->network->grain_count; i++)
    find_momentum(k, i, x + SIZE * i, momentum + SIZE * i);
}

/* The three shifts, made orthogonal to the floppy movements and to each other in the metric M. */
static bool find_shifts(moduli_floppy *floppy, const moduli_operator *k)
{
  size_t size = floppy->size = moduli_operator_size(k);
  double *all = calloc(6 * size + 1, sizeof *all);
  if (!all)
    return false;
  for (int j = 0; j < 3; j++) {
    floppy->shift[j] = all + (size_t)j * size;
    floppy->shift_momentum[j] = all + (size_t)(j + 3) * size;
  }
  for (int j = 0; j < 3; j++) {
    double *shift = floppy->shift[j], *momentum = floppy->shift_momentum[j];
    for (size_t i = (size_t)j; i < size; i += SIZE)
      shift[i] = 1.0;
    moduli_floppy_momentum(k, shift, momentum);
    double before = moduli_dot(shift, momentum, size);
    moduli_floppy_hold(floppy, shift); /* later shifts are still zero, and change nothing */
    moduli_floppy_momentum(k, shift, momentum);
    double square = moduli_dot(shift, momentum, size);
    /* nothing is left if each grain alone can go that way, as layers without friction can */
    double inverse = square > 1e-12 * before ? 1.0 / sqrt(square) : 0.0;
    for (size_t i = 0; i < size; i++) {
      shift[i] *= inverse;
      momentum[i] *= inverse;
    }
  }
  return true;
}

/*
 * Without friction, the initial stress resists movements that the springs of a clump do not. With the part D of the
 * initial stress in a block, DᵀD is added to the block, so that only those remain in the null space that nothing
 * resists.
 */
static bool add_initial_stress(const moduli_operator *k, double (*blocks)[MODULI_BLOCK_ENTRIES])
{
  size_t count = k->network->grain_count;
  moduli_operator stressed = {k->network, true, k->length};
  double(*all)[MODULI_BLOCK_ENTRIES] = malloc((count + 1) * sizeof *all);
  if (!all)
    return false;
  find_blocks(&stressed, all);
  for (size_t n = 0; n < count; n++) {
    double *block = blocks[n], *d = all[n], largest = 0.0, of_stress = 0.0;
    for (int i = 0; i < MODULI_BLOCK_ENTRIES; i++) {
      d[i] -= block[i];
      largest = fmax(largest, fabs(block[i]));
      of_stress = fmax(of_stress, fabs(d[i]));
    }
    double factor = of_stress > 0.0 ? largest / (of_stress * of_stress) : 0.0; /* both are of one size then */
    for (int i = 0; i < MODULI_BLOCK_ENTRIES; i++)
      for (int j = 0; j < SIZE; j++)
        block[i] += factor * d[SIZE * j + i / SIZE] * d[SIZE * j + i % SIZE];
  }
  free(all);
  return true;
}

bool moduli_floppy_find(moduli_floppy *floppy, const moduli_operator *k, error_info *error)
{
  size_t grains = k->network->grain_count, room = 0;
  double(*blocks)[MODULI_BLOCK_ENTRIES] = malloc((grains + 1) * sizeof *blocks), basis[SIZE][SIZE];
  *floppy = (moduli_floppy){.count = 0};
  if (!blocks)
    return error_out_of_memory(error);
  moduli_operator_blocks(k, blocks);
  if (k->network->gyration && !(k->network->friction > 0.0) && !add_initial_stress(k, blocks)) {
    free(blocks);
    return error_out_of_memory(error);
  }
  for (size_t i = 0; i < grains; i++)
    room += (size_t)find_null_space(k, blocks[i], basis);
  floppy->list = calloc(room + 1, sizeof *floppy->list);
  for (size_t i = 0; floppy->list && i < grains; i++)
    add_movements(floppy, k, i, blocks[i]);
  free(blocks);
  bool has_memory = floppy->list && find_shifts(floppy, k);
  if (!has_memory)
    moduli_floppy_free(floppy);
  return has_memory || error_out_of_memory(error);
}

void moduli_floppy_free(moduli_floppy *floppy)
{
  free(floppy->list);
  free(floppy->shift[0]); /* all six vectors */
  *floppy = (moduli_floppy){.count = 0};
}

void moduli_floppy_hold(const moduli_floppy *floppy, double *x)
{
  for (size_t k = 0; k < floppy->count; k++) {
    const moduli_floppy_movement *m = &floppy->list[k];
    double *of = x + SIZE * (size_t)m->grain;
    moduli_add_scaled(of, -moduli_dot(m->momentum, of, SIZE), m->v, SIZE);
  }
  for (int j = 0; j < 3; j++)
    moduli_add_scaled(x, -moduli_dot(floppy->shift_momentum[j], x, floppy->size), floppy->shift[j], floppy->size);
}

void moduli_floppy_balance(const moduli_floppy *floppy, double *f)
{
  for (size_t k = 0; k < floppy->count; k++) {
    const moduli_floppy_movement *m = &floppy->list[k];
    double *of = f + SIZE * (size_t)m->grain;
    moduli_add_scaled(of, -moduli_dot(m->v, of, SIZE), m->momentum, SIZE);
  }
  for (int j = 0; j < 3; j++)
    moduli_add_scaled(f, -moduli_dot(floppy->shift[j], f, floppy->size), floppy->shift_momentum[j], floppy->size);
}
