/* SPDX-License-Identifier: MIT */
/*
 * How stiff the assembly is: the time step that is stable, and a modulus for the servo.
 *
 * Central differences are stable for Δt < 2/ω, ω the highest frequency. A bound (element by element): give each contact
 * of a sphere the share kₙ/Σkₙ of its mass. The contact alone then has, for normal movements, ω² = Σ_p/m_p + Σ_q/m_q with
 * Σ = Σkₙ over a sphere's contacts; for tangential ones, where rotations add 1/(2/5) = 5/2 to each inverse mass, 7/2 times
 * that with kₜ = kₙ/κ. The assembly has no higher frequency than the highest of its elements:
 *
 *     ω² <= 2 c max(Σkₙ/m),      c = max(1, 7/(2κ)).
 *
 * kₙ = dFn/d(2ζ) is Hertz's; slip only softens. Dashpots of the share β of critical damping take √(1 + β²) - β.
 */
#include "internal.h"

#include <string.h>

double law_exponent(const jager_law *law)
{
  return law->model == JAGER_MODEL_LINEAR ? 1.0 : 1.0 + 1.0 / law->exponent;
}

/* The time step is never larger than if the smallest sphere had six contacts of this ζ over its radius. */
#define ZETA_LEAST 5e-5

/* Σkₙ/m of such a sphere. */
static double least_stiffness(const dem_simulation *s)
{
  jager_pool *pool = s->blocks[0].pool;
  jager_contact contact;
  jager_force force;
  double r = s->radius_min, zeta = ZETA_LEAST * r;
  if (jager_contact_init(&contact, &s->law, r, r) != JAGER_OK ||
      jager_contact_move(&s->law, pool, &contact, zeta, (double[2]){0.0, 0.0}, &force) != JAGER_OK)
    return 0.0;
  jager_contact_release(pool, &contact);
  return 6.0 * 0.5 * law_exponent(&s->law) * force.fn / zeta / simulation_mass(s, r);
}

static void add_stiffnesses(dem_simulation *s)
{
  double exponent = law_exponent(&s->law), sum = 0.0;
  memset(s->stiffness, 0, s->count * sizeof *s->stiffness);
  for (contact_walk at = contact_walk_start(s); contact_next(&at);) {
    const jager_contact *c = at.contact;
    double stiffness = 0.5 * exponent * c->fn / c->zeta;
    double distance = s->bodies[at.p].radius + s->bodies[at.q].radius - 2.0 * c->zeta;
    s->stiffness[at.p] += stiffness;
    s->stiffness[at.q] += stiffness;
    sum += stiffness * distance * distance;
  }
  s->modulus = sum / cell_volume(s->cell);
}

void stiffness_update(dem_simulation *s)
{
  add_stiffnesses(s);
  if (s->run->time_step.fixed > 0.0) {
    s->dt = s->run->time_step.fixed;
    return;
  }
  double largest = least_stiffness(s);
  for (size_t i = 0; i < s->count; i++)
    largest = fmax(largest, s->stiffness[i] / s->bodies[i].mass);
  double c = fmax(1.0, 3.5 * s->law.inverse_kappa), beta = s->damping.viscous;
  s->dt = s->run->time_step.safety * (sqrt(1.0 + beta * beta) - beta) * 2.0 / sqrt(2.0 * c * largest);
}
