/* SPDX-License-Identifier: MIT */
/*
 * A random path of a jager_compact, and one of two spheres, in the common part of C99, C++11, CUDA and OpenCL C: the
 * same text runs everywhere, and its hashes are compared. It calls every public function of jager/compact.h. Lengths
 * are in mm, so that single precision has room.
 */
#ifndef TESTS_COMPACT_PATH_H
#define TESTS_COMPACT_PATH_H

#include "jager/compact.h"

#define PATH_NUMBER(value) ((jager_compact_real)(value))
#define PATH_LENGTH PATH_NUMBER(1e-4) /* a usual half-overlap */

/* The results of a path; without padding, so that bytes can be compared. */
typedef struct path_end {
  jager_compact contact;
  jager_compact_word forces; /* hash of all forces, as moved and as read, and of all error bounds */
  jager_compact_word seed;
  jager_compact_word slips, slides; /* movements that slipped or slid, ... */
  jager_compact_word parted;        /* ... that left the bodies apart, ... */
  jager_compact_word bounded;       /* ... and after which there was an error bound: points had been joined */
} path_end;

/* Random bits: PCG, 32 bits */
JAGER_COMPACT_FUNCTION jager_compact_word path_random(jager_compact_word *seed)
{
  jager_compact_word word;
  *seed = *seed * 747796405u + 2891336453u;
  word = ((*seed >> ((*seed >> 28) + 4u)) ^ *seed) * 277803737u;
  return (word >> 22) ^ word;
}

/* in [low, high); 24 bits, which a float holds */
JAGER_COMPACT_FUNCTION jager_compact_real path_in(jager_compact_word *seed, jager_compact_real low,
                                                  jager_compact_real high)
{
  return low + (high - low) * ((jager_compact_real)(path_random(seed) >> 8) / PATH_NUMBER(16777216.0));
}

/* FNV-1a */
JAGER_COMPACT_FUNCTION jager_compact_word path_hash(jager_compact_word hash, const void *data, unsigned int size)
{
  const unsigned char *bytes = (const unsigned char *)data;
  unsigned int k;
  for (k = 0; k < size; k++)
    hash = (hash ^ bytes[k]) * 16777619u;
  return hash;
}

/* ---- A contact --------------------------------------------------------------------------------------------------- */

/* Mostly a climb, which fills the history; with slip, sliding and separation */
JAGER_COMPACT_FUNCTION void path_movement(jager_compact_word *seed, jager_compact_real *zeta, jager_compact_real dxi[2])
{
  const jager_compact_word kind = path_random(seed) & 255u;
  const jager_compact_real before = *zeta;
  jager_compact_real reach = PATH_LENGTH;
  if (kind == 0)
    *zeta = path_in(seed, PATH_NUMBER(-0.5), PATH_NUMBER(0.0)) * PATH_LENGTH;
  else if (kind < 10 || !(*zeta > PATH_NUMBER(0.0)) || *zeta > PATH_NUMBER(10.0) * PATH_LENGTH)
    *zeta = path_in(seed, PATH_NUMBER(0.05), PATH_NUMBER(1.5)) * PATH_LENGTH;
  else if (kind < 230)
    *zeta *= path_in(seed, PATH_NUMBER(0.999), PATH_NUMBER(1.02));
  if (kind < 200)
    reach = PATH_NUMBER(0.5) * (*zeta > before ? *zeta - before : before - *zeta);
  else
    for (jager_compact_word k = path_random(seed) % 6u; k > 0; k--)
      reach *= PATH_NUMBER(0.1);
  dxi[0] = path_in(seed, PATH_NUMBER(-1.0), PATH_NUMBER(1.0)) * reach;
  dxi[1] = kind % 4u == 3u ? PATH_NUMBER(0.0) : path_in(seed, PATH_NUMBER(-1.0), PATH_NUMBER(1.0)) * reach;
}

/* Spheres and cones, with and without a tolerance */
JAGER_COMPACT_FUNCTION jager_compact_law path_law(jager_compact_word *seed, jager_compact_word number)
{
  jager_compact_law law = jager_compact_law_of(PATH_NUMBER(0.15), path_in(seed, PATH_NUMBER(0.05), PATH_NUMBER(1.2)));
  if (number % 5u == 4u)
    law.exponent = PATH_NUMBER(1.0);
  if (number % 7u == 3u)
    law.tolerance = PATH_NUMBER(0.01);
  return law;
}

JAGER_COMPACT_FUNCTION void path_count(jager_compact_law law, path_end *end)
{
  const jager_compact_real error = jager_compact_error(&end->contact, law);
  end->forces = path_hash(end->forces, &error, sizeof error);
  end->slips += end->contact.state == JAGER_STATE_SLIP;
  end->slides += end->contact.state == JAGER_STATE_SLIDE;
  end->parted += end->contact.state == JAGER_STATE_APART;
  end->bounded += error > PATH_NUMBER(0.0);
}

/* Makes the movements with a new contact, number `number` of many. Returns the first status that is not OK. */
JAGER_COMPACT_FUNCTION int path_run(jager_compact_word number, int movements, path_end *end)
{
  jager_compact_word seed = 20261117u + 977u * number;
  jager_compact_law law = path_law(&seed, number);
  jager_compact_real stiffness =
      jager_compact_stiffness_of_spheres(PATH_NUMBER(29e3), PATH_NUMBER(0.15), PATH_NUMBER(1.0), PATH_NUMBER(2.0));
  jager_compact_real zeta = PATH_NUMBER(0.0), dxi[2];
  jager_compact_force force;
  for (int k = 0; k < movements; k++) {
    int status;
    path_movement(&seed, &zeta, dxi);
    if (k % 97 == 96)
      law.friction = path_in(&seed, PATH_NUMBER(0.05), PATH_NUMBER(1.2));
    if (k % 151 == 150)
      stiffness *= path_in(&seed, PATH_NUMBER(0.9), PATH_NUMBER(1.1));
    status = (int)jager_compact_move(&end->contact, law, stiffness, zeta, dxi, &force);
    if (status != JAGER_OK)
      return status;
    end->forces = path_hash(end->forces, &force, sizeof force);
    if (jager_compact_check(&end->contact, law) != JAGER_OK)
      return -2;
    force = jager_compact_force_of(&end->contact, law);
    end->forces = path_hash(end->forces, &force, sizeof force);
    path_count(law, end);
  }
  end->seed = seed;
  if (jager_compact_check_arithmetic() != JAGER_OK)
    return -3;
  return jager_compact_move(&end->contact, law, -stiffness, zeta, dxi, &force) == JAGER_ERROR_STIFFNESS ? 0 : -1;
}

/* ---- Two spheres ------------------------------------------------------------------------------------------------- */

JAGER_COMPACT_FUNCTION jager_compact_vec3 path_vector(jager_compact_word *seed, jager_compact_real reach)
{
  jager_compact_vec3 v;
  v.x = path_in(seed, -reach, reach);
  v.y = path_in(seed, -reach, reach);
  v.z = path_in(seed, -reach, reach);
  return v;
}

/* q moves about p and both turn; the movements are hashed, and forces and dashpots of made-up spring forces. */
JAGER_COMPACT_FUNCTION jager_compact_word path_pair(jager_compact_word seed, int movements)
{
  jager_compact_pair_spheres of = {PATH_NUMBER(1.0), PATH_NUMBER(2.0), {0, 0, 0}, {0, 0, 0}};
  jager_compact_dashpot dashpot = {PATH_NUMBER(0.1), PATH_NUMBER(0.75), PATH_NUMBER(0.9)};
  jager_compact_vec3 branch = {PATH_NUMBER(0.0), PATH_NUMBER(0.6), PATH_NUMBER(-2.93)}, e;
  jager_compact_word hash = 2166136261u;
  e = jager_compact_vec3_across(jager_compact_vec3_scale(PATH_NUMBER(1.0) / jager_compact_vec3_length(branch), branch));
  for (int k = 0; k < movements; k++) {
    jager_compact_vec3 next = jager_compact_vec3_add(branch, path_vector(&seed, PATH_NUMBER(1e-3)));
    jager_compact_pair_movement m;
    jager_compact_dashpot_force damping;
    jager_compact_real load[4];
    of.turn_p = jager_compact_pair_cayley(path_vector(&seed, PATH_NUMBER(1e-3)));
    of.turn_q = jager_compact_pair_cayley(path_vector(&seed, PATH_NUMBER(1e-3)));
    m = jager_compact_pair_move(&of, branch, e, next, jager_compact_vec3_dot(next, next));
    damping = jager_compact_dashpot_damp(dashpot, jager_compact_pair_mass(PATH_NUMBER(2.0), PATH_NUMBER(3.0)),
                                         PATH_NUMBER(1e3), PATH_NUMBER(4.0), m.zeta0, m.zeta, m.dxi, k % 3 == 0);
    load[0] = jager_compact_pair_force(damping.fn, damping.ft[0], damping.ft[1], m.n.x, m.e.x, m.f.x);
    load[1] = jager_compact_pair_moment(damping.ft[0], damping.ft[1], m.e.y, m.f.y);
    load[2] = jager_compact_pair_arm(of.radius_p, m.zeta0, m.zeta);
    load[3] = jager_compact_pair_twirl(of.turn_p, of.turn_q, m.n);
    hash = path_hash(hash, &m, sizeof m);
    hash = path_hash(hash, &damping, sizeof damping);
    hash = path_hash(hash, load, sizeof load);
    e = jager_compact_pair_unit(m.e);
    branch = next;
  }
  return hash;
}

#endif
