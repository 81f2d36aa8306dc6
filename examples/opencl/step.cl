/* SPDX-License-Identifier: MIT */
/*
 * A time step of an assembly of spheres with Jäger contacts in OpenCL: three kernels, in this order.
 *
 *     drift         each sphere moves and turns
 *     move_contacts each candidate pair: does it touch, how has it moved (jager_compact_pair_move), its force
 *     kick          each sphere gathers forces and torques of its pairs, in the order of its list
 *
 * This is the leapfrog, with velocities half a step ahead. No two work items write to one place and all sums have a
 * fixed order: a run gives the same bits on every device, and as C on the host, which may include this file
 * (assembly.c does, for the types). The caller has the candidates: all pairs that may touch before it lists them anew.
 */
#ifndef __OPENCL_VERSION__
#define __kernel static
#define __global
static size_t get_global_id(unsigned dimension);
#endif

#include "jager/compact.h"

typedef jager_compact_real real;
typedef jager_compact_vec3 vec3;

typedef struct sphere {
  vec3 x, v, w;        /* position, m; velocity, m/s; angular velocity, 1/s */
  vec3 turn;           /* Cayley's vector of the rotation in the step */
  real radius, mass;   /* m, kg; a mass of 0: cannot be moved by forces */
  int first_end, ends; /* its part of the list of ends */
} sphere;

/* A sphere in a pair: the number of the pair, times 2, plus 1 if the sphere is its q */
typedef int pair_end;

typedef struct pair {
  vec3 branch, e;        /* x_q - x_p, and the first tangent, after the step */
  vec3 force;            /* on q, N */
  vec3 moment;           /* n × force, N: torques are that times ζ - R */
  real zeta;             /* m; 0: apart */
  int p, q;              /* numbers of the spheres */
  int status, touches;   /* jager_status of the last movement */
  jager_compact contact; /* all zero at the beginning */
} pair;

typedef struct material {
  jager_compact_law law;
  real shear_modulus, poisson; /* Pa */
  real dt;                     /* s */
} material;

__kernel void drift(__global sphere *spheres, material of)
{
  sphere s = spheres[get_global_id(0)];
  s.x = jager_compact_vec3_add_scaled(s.x, of.dt, s.v);
  s.turn = jager_compact_pair_cayley(jager_compact_vec3_scale(of.dt, s.w));
  spheres[get_global_id(0)] = s;
}

/* The spheres overlap now: their contact begins, with the gap that they had before the step. */
static void begin_contact(const material *of, pair *c, real radii, vec3 branch, real stiffness)
{
  const real nothing[2] = {0, 0};
  const jager_compact untouched = {0};
  real distance = jager_compact_vec3_length(c->branch), gap = distance - radii;
  c->contact = untouched;
  if (!(gap > 0)) {
    c->branch = branch;
    distance = jager_compact_vec3_length(branch);
  }
  c->e = jager_compact_vec3_across(jager_compact_vec3_scale((real)1.0 / distance, c->branch));
  if (gap > 0)
    (void)jager_compact_move(&c->contact, of->law, stiffness, (real)-0.5 * gap, nothing, 0);
  c->touches = 1;
}

/* The contact of a touching pair moves; its force, and the moment that goes with it, into global axes */
static void move_contact(const material *of, pair *c, const jager_compact_pair_spheres *spheres, vec3 branch,
                         real square)
{
  const real stiffness =
      jager_compact_stiffness_of_spheres(of->shear_modulus, of->poisson, spheres->radius_p, spheres->radius_q);
  jager_compact_pair_movement m;
  jager_compact_force f;
  if (!c->touches)
    begin_contact(of, c, spheres->radius_p + spheres->radius_q, branch, stiffness);
  m = jager_compact_pair_move(spheres, c->branch, c->e, branch, square);
  c->status = (int)jager_compact_move(&c->contact, of->law, stiffness, m.zeta, m.dxi, &f);
  if (c->status != JAGER_OK)
    return;
  c->e = jager_compact_pair_unit(m.e);
  c->zeta = m.zeta;
  c->force.x = jager_compact_pair_force(f.fn, f.ft[0], f.ft[1], m.n.x, m.e.x, m.f.x);
  c->force.y = jager_compact_pair_force(f.fn, f.ft[0], f.ft[1], m.n.y, m.e.y, m.f.y);
  c->force.z = jager_compact_pair_force(f.fn, f.ft[0], f.ft[1], m.n.z, m.e.z, m.f.z);
  c->moment.x = jager_compact_pair_moment(f.ft[0], f.ft[1], m.e.x, m.f.x);
  c->moment.y = jager_compact_pair_moment(f.ft[0], f.ft[1], m.e.y, m.f.y);
  c->moment.z = jager_compact_pair_moment(f.ft[0], f.ft[1], m.e.z, m.f.z);
}

__kernel void move_contacts(__global pair *pairs, __global const sphere *spheres, material of)
{
  pair c = pairs[get_global_id(0)];
  const sphere p = spheres[c.p], q = spheres[c.q];
  const jager_compact_pair_spheres two = {p.radius, q.radius, p.turn, q.turn};
  const vec3 branch = jager_compact_vec3_subtract(q.x, p.x), none = {0, 0, 0};
  const real square = jager_compact_vec3_dot(branch, branch), radii = p.radius + q.radius;
  if (square < radii * radii) {
    move_contact(&of, &c, &two, branch, square);
  } else {
    c.touches = 0;
    c.zeta = 0;
    c.force = c.moment = none;
  }
  c.branch = branch;
  pairs[get_global_id(0)] = c;
}

__kernel void kick(__global sphere *spheres, __global const pair *pairs, __global const pair_end *ends, material of)
{
  sphere s = spheres[get_global_id(0)];
  vec3 force = {0, 0, 0}, torque = {0, 0, 0};
  for (int k = s.first_end; k < s.first_end + s.ends; k++) {
    const real sign = ends[k] % 2 ? 1 : -1;
    const vec3 on_q = pairs[ends[k] / 2].force, moment = pairs[ends[k] / 2].moment;
    if (!pairs[ends[k] / 2].touches)
      continue;
    force = jager_compact_vec3_add_scaled(force, sign, on_q);
    torque = jager_compact_vec3_add_scaled(torque, pairs[ends[k] / 2].zeta - s.radius, moment);
  }
  if (s.mass > 0) {
    s.v = jager_compact_vec3_add_scaled(s.v, of.dt / s.mass, force);
    s.w = jager_compact_vec3_add_scaled(s.w, of.dt / ((real)0.4 * s.mass * s.radius * s.radius), torque);
  }
  spheres[get_global_id(0)] = s;
}
