/* SPDX-License-Identifier: MIT */
/*
 * The impact of two bodies. Body a is p of the frames and lies below, body b is q; the normal is z, and b moves along
 * x past a. A step is
 *
 *     x += v dt,   move the contact,   v += F dt/m,   w += T dt/J,
 *
 * where v before the first step is that at touch: the leapfrog with v half a step ahead, since the first half kick is
 * zero. The last is, too.
 */
#include "impact.h"
#include "jager/compare.h"
#include "jager/pair.h"
#include "base/portable_math.h"

#include <math.h>

/* 2 ∫ dx/√(1 - x^(5/2)) from 0 to 1 = (4√π Γ(2/5))/(5 Γ(9/10)) */
#define HERTZ_DURATION 2.943275182763987

typedef struct body {
  double radius;                        /* INFINITY: wall */
  double inverse_mass, inverse_inertia; /* 0: cannot move */
  impact_motion at;
} body;

typedef struct collision {
  const impact *of;
  body a, b;
  jager_pool *pool;
  law_contact contact;
  jager_dashpot dashpot;
  double mass; /* effective */
  jager_frame frame;
  double dt;
  impact_result *result;
} collision;

/* ---- Masses ------------------------------------------------------------------------------------------------------ */

static body make_body(double radius, double mass)
{
  double inverse = isfinite(radius) && mass < 1e300 ? 1.0 / mass : 0.0;
  return (body){.radius = radius,
                .inverse_mass = inverse,
                .inverse_inertia = isfinite(radius) ? inverse * 2.5 / (radius * radius) : 0.0};
}

/* 1/m and 1/m_t of the relative movement at the contact: a solid sphere has 1/m + R²/J = 3.5/m. */
static double inverse_mass(const impact *i)
{
  return make_body(i->bodies.radius_a, i->mass_a).inverse_mass + make_body(i->bodies.radius_b, i->mass_b).inverse_mass;
}

double impact_chi(const impact *i)
{
  return 3.5 / (2.0 * i->bodies.parameters.kappa);
}

/* δ = 2ζ: Fn = k δ^(3/2), k = C/2^(3/2), and ½ m vn² = (2/5) k δ^(5/2) at the largest approach. */
jager_status impact_hertz_of(const impact *i, impact_hertz *hertz)
{
  jager_contact contact = {0};
  jager_law law = i->bodies.parameters;
  law.model = JAGER_MODEL_JAGER;
  if (law.contour != JAGER_CONTOUR_SPHERE)
    return JAGER_ERROR_CONTOUR;
  jager_status status = jager_contact_init(&contact, &law, i->bodies.radius_a, i->bodies.radius_b);
  if (status != JAGER_OK)
    return status;
  double k = jager_contact_coefficient(&contact) / (2.0 * sqrt(2.0)), v = i->approach;
  double approach = portable_exp(0.4 * portable_log(1.25 * v * v / (inverse_mass(i) * k)));
  *hertz = (impact_hertz){0.5 * approach, HERTZ_DURATION * approach / v};
  return JAGER_OK;
}

/* ---- Start ------------------------------------------------------------------------------------------------------- */

static double dot3(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double kinetic_of(const body *b)
{
  if (!(b->inverse_mass > 0.0))
    return 0.0;
  return 0.5 * (dot3(b->at.v, b->at.v) / b->inverse_mass + dot3(b->at.w, b->at.w) / b->inverse_inertia);
}

static jager_status start(collision *c)
{
  const impact *of = c->of;
  const double normal[3] = {0.0, 0.0, 1.0};
  impact_hertz hertz;
  jager_status status = impact_hertz_of(of, &hertz);
  if (status != JAGER_OK)
    return status;
  c->a = make_body(of->bodies.radius_a, of->mass_a);
  c->b = make_body(of->bodies.radius_b, of->mass_b);
  c->mass = 1.0 / inverse_mass(of);
  c->dt = hertz.duration / of->steps;
  /* touching, in the frame of the centre of mass */
  double share_a = c->a.inverse_mass / (c->a.inverse_mass + c->b.inverse_mass), share_b = 1.0 - share_a;
  c->b.at.x[2] = c->a.radius + (isfinite(c->b.radius) ? c->b.radius : 0.0);
  c->a.at.v[0] = -share_a * of->shear;
  c->a.at.v[2] = share_a * of->approach;
  c->b.at.v[0] = share_b * of->shear;
  c->b.at.v[2] = -share_b * of->approach;

  law_bodies bodies = of->bodies;
  bodies.grid.zeta_largest = hertz.depth;
  if (bodies.law == JAGER_MODEL_LINEAR && bodies.parameters.linear_kn == 0.0) /* Hertz's Fn at the largest ζ */
    status = jager_law_set_linear_at_zeta(&bodies.parameters, bodies.radius_a, bodies.radius_b, hertz.depth);
  if (status == JAGER_OK)
    status = law_contact_init(&c->contact, &bodies, c->pool);
  if (status == JAGER_OK)
    status = jager_dashpot_init(&c->dashpot, &c->contact.parameters, of->damping);
  return status == JAGER_OK ? jager_frame_init(&c->frame, normal) : status;
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

static void drift(body *b, double dt)
{
  for (int k = 0; k < 3; k++)
    b->at.x[k] += dt * b->at.v[k];
}

static void kick(body *b, double sign, double dt, const double force[3], const double torque[3])
{
  for (int k = 0; k < 3; k++) {
    b->at.v[k] += sign * dt * b->inverse_mass * force[k];
    b->at.w[k] += dt * b->inverse_inertia * torque[k];
  }
}

static jager_status find_movement(collision *c, jager_movement *movement)
{
  const body *a = &c->a, *b = &c->b;
  jager_step step = {.radius_p = a->radius, .radius_q = b->radius};
  for (int k = 0; k < 3; k++) {
    step.branch[k] = b->at.x[k] - a->at.x[k];
    step.shift[k] = c->dt * (b->at.v[k] - a->at.v[k]);
    step.spin_p[k] = c->dt * a->at.w[k];
    step.spin_q[k] = c->dt * b->at.w[k];
  }
  if (isinf(b->radius))
    step.branch[0] = step.branch[1] = 0.0; /* to the nearest point of the wall */
  return jager_frame_step(&c->frame, &step, movement);
}

static jager_status collide(collision *c)
{
  const impact *of = c->of;
  impact_result *result = c->result;
  double fn = 0.0;
  for (; !result->separates && result->steps / IMPACT_LONGEST < of->steps; result->steps++) {
    jager_movement m;
    jager_force force;
    double zeta0 = law_contact_zeta(&c->contact);
    if (of->stop && atomic_load(of->stop) != 0)
      break;
    drift(&c->a, c->dt);
    drift(&c->b, c->dt);
    jager_status status = find_movement(c, &m);
    if (status == JAGER_OK)
      status = law_contact_move(&c->contact, m.zeta, m.dxi, &force);
    if (status != JAGER_OK)
      return status;
    result->depth = fmax(result->depth, m.zeta);
    result->force_error = fmax(result->force_error, law_contact_force_error(&c->contact));
    fn = fmax(fn, force.fn);
    result->separates = !(m.zeta > 0.0);
    if (result->separates)
      continue;
    if (of->damping > 0.0) {
      jager_dashpot_force d = jager_dashpot_damp(c->dashpot, c->mass, 1.0 / c->dt, force.fn, zeta0, m.zeta, m.dxi,
                                                 law_contact_state(&c->contact) == JAGER_STATE_SLIDE);
      result->viscous += d.dissipated;
      force = (jager_force){force.fn + d.fn, {force.ft[0] + d.ft[0], force.ft[1] + d.ft[1]}};
    }
    double on_b[3], torque_a[3], torque_b[3];
    jager_frame_force(&c->frame, &force, on_b);
    jager_frame_torques(&c->frame, &force, m.zeta, c->a.radius, c->b.radius, torque_a, torque_b);
    kick(&c->a, -1.0, c->dt, on_b, torque_a);
    kick(&c->b, 1.0, c->dt, on_b, torque_b);
  }
  if (fn > 0.0)
    result->force_error /= of->bodies.parameters.friction * fn;
  return JAGER_OK;
}

/* ---- Result ------------------------------------------------------------------------------------------------------ */

static void read_result(collision *c)
{
  impact_result *r = c->result;
  body *a = &c->a, *b = &c->b;
  double n[3], v[3], turn[3], gap = -2.0 * law_contact_zeta(&c->contact), receding = 0.0;
  jager_frame_normal(&c->frame, n);
  for (int k = 0; k < 3; k++)
    receding += n[k] * (b->at.v[k] - a->at.v[k]);
  if (receding > 0.0) { /* goes back to the moment of separation, within the last step */
    double late = fmin(gap / receding, c->dt);
    drift(a, -late);
    drift(b, -late);
  }
  for (int k = 0; k < 3; k++) /* from a to b */
    n[k] = k < 2 && isinf(b->radius) ? 0.0 : b->at.x[k] - a->at.x[k];
  double length = sqrt(dot3(n, n)), arm_b = isfinite(b->radius) ? b->radius : 0.0;
  for (int k = 0; k < 3; k++) {
    n[k] /= length;
    turn[k] = a->radius * a->at.w[k] + arm_b * b->at.w[k];
  }
  /* velocity of b relative to a at the point of contact, of the surfaces */
  v[0] = b->at.v[0] - a->at.v[0] - (turn[1] * n[2] - turn[2] * n[1]);
  v[1] = b->at.v[1] - a->at.v[1] - (turn[2] * n[0] - turn[0] * n[2]);
  v[2] = b->at.v[2] - a->at.v[2] - (turn[0] * n[1] - turn[1] * n[0]);
  r->rebound = dot3(v, n);
  r->shear = v[0] * n[2] - v[2] * n[0]; /* along y × n */
  r->spin[0] = a->at.w[1];
  r->spin[1] = b->at.w[1];
  r->energy[1] = kinetic_of(a) + kinetic_of(b);
  r->dissipated = law_contact_energy(&c->contact).dissipated;
  r->after[0] = a->at;
  r->after[1] = b->at;
}

jager_status impact_compute(const impact *i, impact_result *result)
{
  *result = (impact_result){0};
  collision c = {.of = i, .result = result, .pool = jager_pool_create(0)};
  if (!c.pool)
    return JAGER_ERROR_MEMORY;
  jager_status status = start(&c);
  if (status == JAGER_OK) {
    result->energy[0] = kinetic_of(&c.a) + kinetic_of(&c.b);
    result->before[0] = c.a.at;
    result->before[1] = c.b.at;
    status = collide(&c);
  }
  if (status == JAGER_OK)
    read_result(&c);
  law_contact_release(&c.contact);
  jager_pool_destroy(c.pool);
  return status;
}
