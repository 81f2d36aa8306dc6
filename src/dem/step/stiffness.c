/* SPDX-License-Identifier: MIT */
/*
 * How stiff the assembly is: the time step that is stable, and a modulus for the servo.
 *
 * With the velocity of the half step behind, as here, central differences for M x" + C x' + K x = 0 are stable if
 *
 *     Δt² K + 2 Δt C <= 4 M
 *
 * (for one degree of freedom: Δt ω <= 2 (√(1 + ξ²) - ξ), ξ the share of critical damping). A contact's energy is a square of
 * the difference of what its two spheres do, (u - v)² <= 2u² + 2v², so that K and C are not larger than twice their diagonal
 * blocks: it is enough that every sphere by itself, its neighbours held, has  λ_K Δt² + 2 λ_C Δt <= 2,  with the largest
 * eigenvalues of its stiffness and of its dashpots, for unit inertia.
 *
 * The stiffness of a sphere is Σ kₙ nn + kₜ (1 - nn) for movements u, and for rotations, as w = √(2/5) R times the angle,
 * which has the same inertia, (5/2) Σ kₜ (1 - nn); the two are coupled by √(5/2) Σ kₜ n×. Here kₙ = dFn/d(2ζ) and kₜ = kₙ/κ;
 * slip only softens. For dashpots cₙ = 2β√(m kₙ), m the reduced mass, and cₜ = cₙ/√κ take their places. With a, c the largest
 * eigenvalues of the two blocks and b the norm of the coupling, λ <= (a + c)/2 + √((a - c)²/4 + b²).
 *
 * Cundall's damping enlarges forces by up to 1 + α while spheres leave their places: it does so to both eigenvalues.
 */
#include "dem/internal.h"

#include <string.h>

double law_exponent(const jager_law *law)
{
  return law->model == JAGER_MODEL_LINEAR ? 1.0 : 1.0 + 1.0 / law->exponent;
}

/* The time step is never larger than if the smallest sphere had six contacts of this ζ over its radius. */
#define ZETA_LEAST 5e-5

/* kₜ/kₙ: 1/κ, but for linear springs whose two stiffnesses are given. */
static double stiffness_ratio(const jager_law *law)
{
  bool is_given = law->model == JAGER_MODEL_LINEAR && law->linear_kt > 0.0 && law->linear_kn > 0.0;
  return is_given ? law->linear_kt / law->linear_kn : law->inverse_kappa;
}

/* Coefficient of a contact's dashpot against the rate of 2ζ, N s/m; 2β comes later. */
static double dashpot_unit(double mass_p, double mass_q, double stiffness)
{
  return sqrt(mass_p * mass_q / (mass_p + mass_q) * stiffness);
}

/* ---- Sums over the contacts of each sphere ------------------------------------------------------------------------- */

static void add_contact_of_sphere(surroundings *sums, float weight, vec3 normal)
{
  float x = (float)normal.x, y = (float)normal.y, z = (float)normal.z;
  const float products[DEM_COMPONENTS] = {x * x, y * y, z * z, x * y, x * z, y * z};
  for (int k = 0; k < DEM_COMPONENTS; k++)
    sums->nn[k] += weight * products[k];
  sums->n[0] += weight * x;
  sums->n[1] += weight * y;
  sums->n[2] += weight * z;
}

/* Largest eigenvalue of  e 1 + g nn,  nn a sum of dyads: it is not more than mean + √(2/3) |deviator|. */
static double largest_eigenvalue(const surroundings *sums, double e, double g)
{
  const float *nn = sums->nn;
  double mean = ((double)nn[DEM_XX] + (double)nn[DEM_YY] + (double)nn[DEM_ZZ]) / 3.0, square = 0.0;
  for (int k = DEM_XX; k <= DEM_ZZ; k++)
    square += (nn[k] - mean) * (nn[k] - mean) + 2.0 * (double)nn[k + DEM_XY] * (double)nn[k + DEM_XY];
  return e + g * mean + fabs(g) * sqrt(2.0 / 3.0 * square);
}

/* The bound of λ above, times the mass; `ratio` is that of tangential to normal weights. */
static double sphere_eigenvalue(const surroundings *sums, double ratio)
{
  double total = (double)sums->nn[DEM_XX] + (double)sums->nn[DEM_YY] + (double)sums->nn[DEM_ZZ];
  vec3 n = {sums->n[0], sums->n[1], sums->n[2]};
  double a = largest_eigenvalue(sums, ratio * total, 1.0 - ratio);
  double c = 2.5 * largest_eigenvalue(sums, ratio * total, -ratio);
  double coupling = 2.5 * ratio * ratio * vec3_dot(n, n), half = 0.5 * (a - c);
  return 0.5 * (a + c) + sqrt(half * half + coupling);
}

typedef enum weight { WEIGHT_STIFFNESS, WEIGHT_DASHPOT } weight;

/* Sums with kₙ or √(m kₙ) as weights: then the largest eigenvalues of all spheres for kₙ, or for dashpots with 2β = 1. */
static void find_eigenvalues(const dem_simulation *s, weight kind, double *eigenvalues)
{
  double exponent = law_exponent(&s->law);
  double ratio = kind == WEIGHT_STIFFNESS ? stiffness_ratio(&s->law) : sqrt(s->law.inverse_kappa);
  memset(s->surroundings, 0, s->count * sizeof *s->surroundings);
  for (contact_walk at = contact_walk_start(s); contact_next(&at);) {
    const body *p = &s->bodies[at.p], *q = &s->bodies[at.q];
    double stiffness = contact_stiffness(at.contact, exponent);
    float size = (float)(kind == WEIGHT_STIFFNESS ? stiffness : dashpot_unit(p->mass, q->mass, stiffness));
    vec3 normal = frame_normal(at.frame);
    add_contact_of_sphere(&s->surroundings[at.p], size, normal);
    add_contact_of_sphere(&s->surroundings[at.q], size, vec3_scale(-1.0, normal));
  }
  for (size_t i = 0; i < s->count; i++)
    eigenvalues[i] = sphere_eigenvalue(&s->surroundings[i], ratio);
}

/*
 * Σ (kₙ + cₙ/Δt) l² over the volume: what a strain in one step does to the stress, dashpots included. They can be many times
 * as stiff as the springs; a servo that did not know of them would push the stress to and fro.
 */
static double modulus_in_a_step(const dem_simulation *s)
{
  double exponent = law_exponent(&s->law), sum = 0.0, rate = 2.0 * s->damping.viscous / s->dt;
  for (contact_walk at = contact_walk_start(s); contact_next(&at);) {
    const body *p = &s->bodies[at.p], *q = &s->bodies[at.q];
    double distance = p->radius + q->radius - 2.0 * at.contact->zeta;
    double stiffness = contact_stiffness(at.contact, exponent);
    sum += (stiffness + rate * dashpot_unit(p->mass, q->mass, stiffness)) * distance * distance;
  }
  return sum / cell_volume(s->cell);
}

/* ---- The time step ------------------------------------------------------------------------------------------------- */

/* The largest Δt of a sphere, from its two eigenvalues. */
static double sphere_step(const dem_simulation *s, double mass, double of_stiffness, double of_dashpots)
{
  double enlarged = (1.0 + s->damping.local) / mass;
  double a = enlarged * of_stiffness, b = enlarged * 2.0 * s->damping.viscous * of_dashpots;
  return 2.0 / (sqrt(b * b + 2.0 * a) + b);
}

/* That of the smallest sphere with three pairs of opposite contacts of ZETA_LEAST. Infinite if there is no such contact. */
static double longest_step(const dem_simulation *s)
{
  jager_pool *pool = s->blocks[0].pool;
  jager_contact contact;
  double r = s->radius_min, mass = simulation_mass(s, r), across = sqrt(s->law.inverse_kappa);
  if (jager_contact_init(&contact, &s->law, r, r) != JAGER_OK ||
      jager_contact_move(&s->law, pool, &contact, ZETA_LEAST * r, (double[2]){0.0, 0.0}, NULL) != JAGER_OK)
    return INFINITY;
  double stiffness = contact_stiffness(&contact, law_exponent(&s->law));
  jager_contact_release(pool, &contact);
  surroundings six = {.nn = {2.0F, 2.0F, 2.0F}};
  return sphere_step(s, mass, stiffness * sphere_eigenvalue(&six, stiffness_ratio(&s->law)),
                     dashpot_unit(mass, mass, stiffness) * sphere_eigenvalue(&six, across));
}

/* The largest time step that is certain to be stable, s. */
static double stable_step(const dem_simulation *s)
{
  double step = longest_step(s);
  bool damps = s->damping.viscous > 0.0;
  find_eigenvalues(s, WEIGHT_STIFFNESS, s->stiffness);
  if (damps)
    find_eigenvalues(s, WEIGHT_DASHPOT, s->dashpots);
  for (size_t i = 0; i < s->count; i++)
    if (s->stiffness[i] > 0.0)
      step = fmin(step, sphere_step(s, s->bodies[i].mass, s->stiffness[i], damps ? s->dashpots[i] : 0.0));
  return step;
}

/* Overlaps may grow by this factor before the time step is found anew: stiffnesses of spheres then grow by its root. */
#define OVERLAP_GROWTH 1.5

static bool is_regular_look(const dem_simulation *s)
{
  return s->step % s->run->time_step.interval == 0 || s->stage.steps == 0;
}

bool stiffness_is_stale(const dem_simulation *s)
{
  return is_regular_look(s) || s->overlap > OVERLAP_GROWTH * s->overlap_known;
}

void stiffness_update(dem_simulation *s)
{
  s->overlap_known = fmax(s->overlap, 2.0 * ZETA_LEAST);
  double fixed = s->run->time_step.fixed, stable = stable_step(s);
  if (is_regular_look(s))
    s->stable_step = stable; /* not while overlaps grow out of bounds: for messages */
  s->dt = fixed > 0.0 ? fixed : s->run->time_step.safety * stable;
  s->modulus = modulus_in_a_step(s);
}
