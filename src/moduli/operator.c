/* SPDX-License-Identifier: MIT */
/* Forces, torques and stresses of small movements: see operator.h. */
#include "operator.h"

#include <math.h>
#include <string.h>

moduli_operator moduli_operator_of(const moduli_network *network, bool has_initial_stress)
{
  double sum = 0.0;
  for (size_t i = 0; i < network->sphere_count; i++)
    sum += network->radius[i];
  return (moduli_operator){network, has_initial_stress, sum / (double)network->sphere_count};
}

size_t moduli_operator_size(const moduli_operator *k)
{
  return MODULI_UNKNOWNS * k->network->sphere_count;
}

/* ---- One contact ------------------------------------------------------------------------------------------------- */

/* Movements at a contact: dl, θ_p and θ_q. */
typedef struct contact_movement {
  vec3 branch, turn_p, turn_q;
} contact_movement;

/* Changes of the force on q and of the two torques. */
typedef struct contact_change {
  vec3 force, torque_p, torque_q;
} contact_change;

static vec3 force_of_springs(const moduli_contact *c, const contact_movement *m)
{
  vec3 turned = vec3_add(vec3_scale(c->arm_p, m->turn_p), vec3_scale(c->arm_q, m->turn_q));
  vec3 shift = vec3_subtract(m->branch, vec3_cross(turned, c->n)); /* its part along n is that of the branch */
  double opening = vec3_dot(c->n, m->branch);
  vec3 across = vec3_add_scaled(shift, -opening, c->n);
  return vec3_add(vec3_scale(-c->kn * opening, c->n), vec3_scale(-c->kt, across));
}

/* Fn dn + n (T·dn) - ω n × T */
static vec3 force_of_turning(const moduli_contact *c, const contact_movement *m, vec3 dn)
{
  double twirl = 0.5 * vec3_dot(c->n, vec3_add(m->turn_p, m->turn_q));
  vec3 force = vec3_add(vec3_scale(c->fn, dn), vec3_scale(vec3_dot(c->shear, dn), c->n));
  return vec3_add_scaled(force, -twirl, vec3_cross(c->n, c->shear));
}

static contact_change change_of(const moduli_operator *k, const moduli_contact *c, const contact_movement *m)
{
  contact_change change = {.force = force_of_springs(c, m)};
  vec3 arm_change = {0.0, 0.0, 0.0}, normal_change = arm_change; /* (dh n) × F and dn × F */
  if (k->has_initial_stress) {
    vec3 force = vec3_subtract(vec3_scale(c->fn, c->n), c->shear);
    double opening = vec3_dot(c->n, m->branch);
    vec3 dn = vec3_scale(1.0 / c->distance, vec3_add_scaled(m->branch, -opening, c->n));
    change.force = vec3_add(change.force, force_of_turning(c, m, dn));
    arm_change = vec3_scale(0.5 * opening, vec3_cross(c->n, force));
    normal_change = vec3_cross(dn, force);
  }
  vec3 turning = vec3_add(vec3_cross(c->n, change.force), normal_change);
  change.torque_p = vec3_scale(-1.0, vec3_add_scaled(arm_change, c->arm_p, turning));
  change.torque_q = vec3_scale(-1.0, vec3_add_scaled(arm_change, c->arm_q, turning));
  return change;
}

/* ---- All contacts ------------------------------------------------------------------------------------------------ */

static vec3 vector_at(const double *x)
{
  return (vec3){x[0], x[1], x[2]};
}

static contact_movement movement_of(const moduli_operator *k, const moduli_contact *c, const double *x)
{
  const double *p = x + MODULI_UNKNOWNS * (size_t)c->p, *q = x + MODULI_UNKNOWNS * (size_t)c->q;
  double inverse = 1.0 / k->length;
  return (contact_movement){vec3_subtract(vector_at(q), vector_at(p)), vec3_scale(inverse, vector_at(p + 3)),
                            vec3_scale(inverse, vector_at(q + 3))};
}

static contact_movement movement_of_strain(const moduli_contact *c, const double strain[3][3])
{
  vec3 l = vec3_scale(-c->distance, c->n);
  vec3 dl = {strain[0][0] * l.x + strain[0][1] * l.y + strain[0][2] * l.z,
             strain[1][0] * l.x + strain[1][1] * l.y + strain[1][2] * l.z,
             strain[2][0] * l.x + strain[2][1] * l.y + strain[2][2] * l.z};
  return (contact_movement){.branch = dl};
}

static void add_vector(double *to, double factor, vec3 v)
{
  to[0] += factor * v.x;
  to[1] += factor * v.y;
  to[2] += factor * v.z;
}

/* Adds `sign` times the change to the forces and torques of the two spheres. */
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
      movement = (contact_movement){vec3_add(movement.branch, own.branch), own.turn_p, own.turn_q};
    }
    add_product(change, change_of(k, c, &movement).force, vec3_scale(c->distance, c->n));
    if (k->has_initial_stress)
      add_product(change, vec3_subtract(vec3_scale(c->fn, c->n), c->shear), movement.branch);
  }
  moduli_network_stress(k->network, stress);
  for (int i = 0; i < 9; i++)
    change[i / 3][i % 3] = change[i / 3][i % 3] / volume + (k->has_initial_stress ? trace * stress[i / 3][i % 3] : 0.0);
}

/* ---- Matrices ---------------------------------------------------------------------------------------------------- */

/* Column j: the forces against a unit movement, with the two spheres numbered 0 and 1. */
void moduli_operator_pair_matrix(const moduli_operator *k, const moduli_contact *contact,
                                 double matrix[MODULI_PAIR_UNKNOWNS][MODULI_PAIR_UNKNOWNS])
{
  moduli_operator springs = *k;
  moduli_contact c = *contact;
  springs.has_initial_stress = false;
  c.p = 0;
  c.q = 1;
  for (int j = 0; j < MODULI_PAIR_UNKNOWNS; j++) {
    double x[MODULI_PAIR_UNKNOWNS] = {0.0}, y[MODULI_PAIR_UNKNOWNS] = {0.0};
    x[j] = 1.0;
    contact_movement movement = movement_of(&springs, &c, x);
    contact_change change = change_of(&springs, &c, &movement);
    add_change(&springs, &c, &change, -1.0, y);
    for (int i = 0; i < MODULI_PAIR_UNKNOWNS; i++)
      matrix[i][j] = y[i];
  }
}

static void add_block(double *block, const double *values)
{
  for (int i = 0; i < MODULI_UNKNOWNS; i++)
    for (int j = 0; j < MODULI_UNKNOWNS; j++)
      block[MODULI_UNKNOWNS * i + j] += values[MODULI_PAIR_UNKNOWNS * i + j];
}

void moduli_operator_blocks(const moduli_operator *k, double (*blocks)[MODULI_BLOCK_ENTRIES])
{
  memset(blocks, 0, k->network->sphere_count * sizeof *blocks);
  for (size_t i = 0; i < k->network->contact_count; i++) {
    const moduli_contact *c = &k->network->contacts[i];
    double pair[MODULI_PAIR_UNKNOWNS][MODULI_PAIR_UNKNOWNS];
    moduli_operator_pair_matrix(k, c, pair);
    add_block(blocks[c->p], &pair[0][0]);
    add_block(blocks[c->q], &pair[MODULI_UNKNOWNS][MODULI_UNKNOWNS]);
  }
}
