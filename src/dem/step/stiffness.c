/* SPDX-License-Identifier: MIT */
/*
 * The stable time step, and a modulus for the servo.
 *
 * Central differences for M x" + C x' + K x = 0 whose damping forces use the velocity of the half step before are
 * stable if
 *
 *     Δt² K + 2 Δt C <= 4 M
 *
 * (for one degree of freedom: Δt ω <= 2 (√(1 + ξ²) - ξ), ξ the fraction of critical damping). The energy of a contact
 * is the square of the difference between the displacements of its two spheres, and (u - v)² <= 2u² + 2v². So K and C
 * are bounded by twice their diagonal blocks, and it is sufficient that every sphere, with its neighbours fixed,
 * satisfies λ_K Δt² + 2 λ_C Δt <= 2, where λ_K and λ_C are the largest eigenvalues of its stiffness and its dashpots
 * for unit inertia.
 *
 * The stiffness of a sphere is Σ kₙ nn + kₜ (1 - nn) for translations u. For rotations, with w = √(2/5) R times the
 * angle, which has the same inertia, it is (5/2) Σ kₜ (1 - nn); the two are coupled by √(5/2) Σ kₜ n×. Here kₙ =
 * dFn/d(2ζ) and kₜ = kₙ/κ; slip only softens. For dashpots, cₙ = 2β√(m kₙ) with the reduced mass m, and cₜ = cₙ/√κ,
 * replace kₙ and kₜ. With a and c the largest eigenvalues of the two blocks and b the norm of the coupling, λ <= (a +
 * c)/2 + √((a - c)²/4 + b²).
 *
 * Cundall's damping of coefficient α enlarges the force by up to 1 + α, and with it both eigenvalues.
 */
#include "stiffness.h"
#include "dem/setup/allocate.h"
#include "dem/space/contact_walk.h"

#include <string.h>

/* The time step is at most that of the smallest sphere with six contacts of this ζ over its radius. */
#define ZETA_LEAST 5e-5

/* kₜ/kₙ: 1/κ, except for linear springs with two given stiffnesses. */
static double stiffness_ratio(const jager_law *law)
{
  bool is_given = law->model == JAGER_MODEL_LINEAR && law->linear_kt > 0.0 && law->linear_kn > 0.0;
  return is_given ? law->linear_kt / law->linear_kn : law->inverse_kappa;
}

/* kₙ = dFn/d(2ζ), N/m; 0 for spheres that just touch (ζ = 0) */
static double normal_stiffness(const jager_law *law, const jager_contact *contact)
{
  jager_stiffness stiffness = {0.0, 0.0};
  (void)jager_contact_stiffness(law, contact, &stiffness); /* the contact was made with this law */
  return stiffness.normal;
}

/* Coefficient of a contact's dashpot for the rate of 2ζ, without the factor 2β, N s/m. */
static double dashpot_unit(double mass_p, double mass_q, double stiffness)
{
  return sqrt(jager_pair_mass(mass_p, mass_q) * stiffness);
}

/* ---- Sums over the contacts of each sphere ----------------------------------------------------------------------- */

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

/* Upper bound of the largest eigenvalue of e 1 + g nn, where nn is a sum of dyads: mean + √(2/3) |deviator|. */
static double largest_eigenvalue(const surroundings *sums, double e, double g)
{
  const float *nn = sums->nn;
  double mean = ((double)nn[DEM_XX] + (double)nn[DEM_YY] + (double)nn[DEM_ZZ]) / 3.0, square = 0.0;
  for (int k = DEM_XX; k <= DEM_ZZ; k++)
    square += (nn[k] - mean) * (nn[k] - mean) + 2.0 * (double)nn[k + DEM_XY] * (double)nn[k + DEM_XY];
  return e + g * mean + fabs(g) * sqrt(2.0 / 3.0 * square);
}

/* The upper bound of λ above, times the mass; `ratio` is the tangential over the normal weight. */
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

/*
 * The largest eigenvalues of all spheres: of the stiffness (weights kₙ), or of the dashpots for 2β = 1 (weights √(m
 * kₙ)).
 */
static void find_eigenvalues(const dem_simulation *s, weight kind, double *eigenvalues)
{
  double ratio = kind == WEIGHT_STIFFNESS ? stiffness_ratio(&s->law) : sqrt(s->law.inverse_kappa);
  memset(s->surroundings, 0, s->count * sizeof *s->surroundings);
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);) {
    const body *p = &s->bodies[at.p], *q = &s->bodies[at.q];
    double stiffness = normal_stiffness(&s->law, &at.contact);
    float size = (float)(kind == WEIGHT_STIFFNESS ? stiffness : dashpot_unit(p->mass, q->mass, stiffness));
    vec3 normal = frame_normal(&at.frame);
    add_contact_of_sphere(&s->surroundings[at.p], size, normal);
    add_contact_of_sphere(&s->surroundings[at.q], size, vec3_scale(-1.0, normal));
  }
  for (size_t i = 0; i < s->count; i++)
    eigenvalues[i] = sphere_eigenvalue(&s->surroundings[i], ratio);
}

/*
 * Σ (kₙ + cₙ/Δt) l² over the volume: the change of stress by a strain in one step, with dashpots. These can be many
 * times as stiff as the springs: a servo that ignored them would make the stress oscillate.
 */
static double modulus_in_one_step(const dem_simulation *s)
{
  double sum = 0.0, rate = 2.0 * s->damping.viscous / s->dt;
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);) {
    const body *p = &s->bodies[at.p], *q = &s->bodies[at.q];
    double distance = p->radius + q->radius - 2.0 * jager_contact_zeta(&at.contact);
    double stiffness = normal_stiffness(&s->law, &at.contact);
    sum += (stiffness + rate * dashpot_unit(p->mass, q->mass, stiffness)) * distance * distance;
  }
  return sum / dem_cell_volume(s->cell);
}

/* ---- The time step ----------------------------------------------------------------------------------------------- */

/* The largest stable Δt of a sphere, from its two eigenvalues. */
static double sphere_step(const dem_simulation *s, double mass, double of_stiffness, double of_dashpots)
{
  double enlarged = (1.0 + s->damping.local) / mass;
  double a = enlarged * of_stiffness, b = enlarged * 2.0 * s->damping.viscous * of_dashpots;
  return 2.0 / (sqrt(b * b + 2.0 * a) + b);
}

/*
 * The stable Δt of the smallest sphere with three pairs of opposite contacts of ZETA_LEAST; infinite without such
 * contacts.
 */
static double longest_step(const dem_simulation *s)
{
  jager_pool *pool = s->probe;
  jager_contact contact = {0};
  double r = s->radius_min, mass = dem_simulation_mass(s, r), across = sqrt(s->law.inverse_kappa);
  if (jager_contact_init(&contact, &s->law, r, r) != JAGER_OK ||
      jager_contact_move(&s->law, pool, &contact, ZETA_LEAST * r, (double[2]){0.0, 0.0}, NULL) != JAGER_OK)
    return INFINITY;
  double stiffness = normal_stiffness(&s->law, &contact);
  jager_contact_release(pool, &contact);
  surroundings six = {.nn = {2.0F, 2.0F, 2.0F}};
  return sphere_step(s, mass, stiffness * sphere_eigenvalue(&six, stiffness_ratio(&s->law)),
                     dashpot_unit(mass, mass, stiffness) * sphere_eigenvalue(&six, across));
}

/* The largest time step that is known to be stable, s. */
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

/* The time step is updated after the overlap has grown by this factor; Hertz's stiffness then has grown by its root. */
#define OVERLAP_GROWTH 1.5

static bool is_regular_update(const dem_simulation *s)
{
  return s->step % s->run->time_step.interval == 0 || s->stage.steps == 0;
}

bool dem_stiffness_is_stale(const dem_simulation *s)
{
  return is_regular_update(s) || s->overlap > OVERLAP_GROWTH * s->overlap_known;
}

void dem_stiffness_update(dem_simulation *s)
{
  s->overlap_known = fmax(s->overlap, 2.0 * ZETA_LEAST);
  double fixed = s->run->time_step.fixed, stable = stable_step(s);
  if (is_regular_update(s))
    s->stable_step = stable; /* for messages: not of overlaps that grow out of bounds */
  s->dt = fixed > 0.0 ? fixed : s->run->time_step.safety * stable;
  s->modulus = modulus_in_one_step(s);
}
