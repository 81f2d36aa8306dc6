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
 * A grain of several spheres has contacts at arms r from its centroid. With unit inertia its displacements are u√m and
 * the turns about its principal axes times √J; a force along a unit vector e then acts along the six-vector
 * g(e) = (e, r × e / ρ)/√m, ρ the radii of gyration, and its stiffness is the matrix of 6 × 6
 * Σ (kₙ - kₜ) g(n)g(n) + kₜ Σ g(e)g(e), the second sum over three orthogonal e. Its largest eigenvalue is at most
 * mean + √(5/6) |deviator|.
 *
 * Cundall's damping of coefficient α enlarges the force by up to 1 + α, and with it both eigenvalues.
 *
 * With density scaling for each sphere the time step is given, and the same inequality gives the masses.
 */
#include "contacts.h"
#include "grains.h"
#include "setup.h"
#include "step.h"

#include <string.h>

/* The time step is bounded by the smallest sphere with six contacts of this ζ over its radius. */
#define ZETA_LEAST 5e-5

/* kₜ/kₙ: 1/κ, except for linear springs with two given stiffnesses. */
static double stiffness_ratio(const jager_law *law)
{
  bool is_given = law->model == JAGER_MODEL_LINEAR && law->linear_kt > 0.0 && law->linear_kn > 0.0;
  return is_given ? law->linear_kt / law->linear_kn : law->inverse_kappa;
}

/* ζ, and kₙ = dFn/d(2ζ), N/m, of the contact that the walk has found; kₙ = 0 for spheres that just touch (ζ = 0) */
static double normal_stiffness(const contact_walk *at, double *zeta)
{
  jager_stiffness stiffness = {0.0, 0.0};
  /* the contact was made with this law */
  (void)jager_pairs_stiffness(at->contacts, &at->simulation->law, at->number, zeta, &stiffness);
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

/* Adds weight gg for a g whose entries i, j, k alone are not zero. */
static inline void add_dyad_of_three(clump_stiffness *to, double weight, const double g[3], int i, int j, int k)
{
  static const int row[SIX] = {0, 5, 9, 12, 14, 15}; /* upper[row[i] + j] is entry i, j with i <= j */
  to->upper[row[i] + i] += weight * g[0] * g[0];
  to->upper[row[i] + j] += weight * g[0] * g[1];
  to->upper[row[i] + k] += weight * g[0] * g[2];
  to->upper[row[j] + j] += weight * g[1] * g[1];
  to->upper[row[j] + k] += weight * g[1] * g[2];
  to->upper[row[k] + k] += weight * g[2] * g[2];
}

/*
 * Adds a contact of sphere i with the outward normal; `ratio` is the tangential over the normal weight. In body axes,
 * g(e)√m is (e, arm × e / ρ) of a force along e at the arm.
 */
static void add_contact_of_clump(const dem_simulation *s, uint32_t i, double zeta, vec3 normal, double weight,
                                 double ratio)
{
  const clump *c = dem_grain_of_sphere(s, i);
  clump_stiffness *to = &s->clump_stiffness[s->grain_of[i]];
  vec3 n = quaternion_turn(quaternion_inverse(c->turn), normal);
  vec3 arm = vec3_add_scaled(s->arms[i], s->bodies[i].radius - zeta, n), moment = vec3_cross(arm, n);
  const double rho[3] = {sqrt(c->gyration[0]), sqrt(c->gyration[1]), sqrt(c->gyration[2])};
  const double g[SIX] = {n.x, n.y, n.z, moment.x / rho[0], moment.y / rho[1], moment.z / rho[2]};
  double *entry = to->upper, of_normal = weight * (1.0 - ratio), of_all = weight * ratio;
  for (int k = 0; k < SIX; k++)
    for (int m = k; m < SIX; m++)
      *entry++ += of_normal * g[k] * g[m];
  add_dyad_of_three(to, of_all, (double[3]){1.0, arm.z / rho[1], -arm.y / rho[2]}, 0, 4, 5); /* e along x */
  add_dyad_of_three(to, of_all, (double[3]){1.0, -arm.z / rho[0], arm.x / rho[2]}, 1, 3, 5); /* y */
  add_dyad_of_three(to, of_all, (double[3]){1.0, arm.y / rho[0], -arm.x / rho[1]}, 2, 3, 4); /* z */
}

static double clump_eigenvalue(const clump_stiffness *of)
{
  double trace = 0.0, square = 0.0;
  const double *entry = of->upper;
  for (int i = 0; i < SIX; i++)
    for (int j = i; j < SIX; j++, entry++) {
      trace += i == j ? *entry : 0.0;
      square += (i == j ? 1.0 : 2.0) * *entry * *entry;
    }
  return trace / SIX + sqrt(5.0 / 6.0 * fmax(0.0, square - trace * trace / SIX));
}

typedef enum weight_kind { WEIGHT_STIFFNESS, WEIGHT_DASHPOT, WEIGHT_DASHPOT_OF_UNIT_MASS } weight_kind;

/*
 * The largest eigenvalues of all grains: of the stiffness (weights kₙ), or of the dashpots for 2β = 1 (weights √(m
 * kₙ), or √kₙ for reduced masses of 1).
 */
static void find_eigenvalues(const dem_simulation *s, weight_kind kind, double *eigenvalues)
{
  double ratio = kind == WEIGHT_STIFFNESS ? stiffness_ratio(&s->law) : sqrt(s->law.inverse_kappa);
  memset(s->surroundings, 0, s->count * sizeof *s->surroundings);
  if (s->grains)
    memset(s->clump_stiffness, 0, s->grain_count * sizeof *s->clump_stiffness);
  for (contact_walk at = contact_walk_start(s); contact_walk_find(&at);) {
    double zeta, stiffness = normal_stiffness(&at, &zeta);
    double weight = kind == WEIGHT_STIFFNESS ? stiffness
                    : kind == WEIGHT_DASHPOT ? dashpot_unit(s->bodies[at.p].mass, s->bodies[at.q].mass, stiffness)
                                             : sqrt(stiffness);
    double branch[3] = {0.0}, axis[3] = {0.0};
    (void)jager_pairs_frame(at.contacts, at.number, branch, axis);
    contact_frame frame = {.branch = vec3_load(branch)};
    vec3 normal = frame_normal(&frame);
    if (s->grains) {
      add_contact_of_clump(s, at.p, zeta, normal, weight, ratio);
      add_contact_of_clump(s, at.q, zeta, vec3_scale(-1.0, normal), weight, ratio);
      continue;
    }
    add_contact_of_sphere(&s->surroundings[at.p], (float)weight, normal);
    add_contact_of_sphere(&s->surroundings[at.q], (float)weight, vec3_scale(-1.0, normal));
  }
  for (size_t i = 0; i < s->grain_count; i++)
    eigenvalues[i] =
        s->grains ? clump_eigenvalue(&s->clump_stiffness[i]) : sphere_eigenvalue(&s->surroundings[i], ratio);
}

/* ---- The time step ----------------------------------------------------------------------------------------------- */

/* The largest stable Δt of a grain, from its two eigenvalues. 1 + local is a heuristic (docs/theory.md). */
static double grain_step(const dem_simulation *s, double mass, double of_stiffness, double of_dashpots)
{
  double enlarged = (1.0 + s->damping.local) / mass;
  double a = enlarged * of_stiffness, b = enlarged * 2.0 * s->damping.viscous * of_dashpots;
  return 2.0 / (sqrt(b * b + 2.0 * a) + b);
}

/* kₙ of two spheres of radius r with this ζ; NAN if there is no such contact. */
static double stiffness_at(const dem_simulation *s, double r, double zeta)
{
  jager_pool *pool = s->probe;
  jager_contact contact = {0};
  if (jager_contact_init(&contact, &s->law, r, r) != JAGER_OK ||
      jager_contact_move(&contact, &s->law, pool, zeta, (double[2]){0.0, 0.0}, NULL) != JAGER_OK)
    return NAN;
  jager_stiffness stiffness = {0.0, 0.0};
  (void)jager_contact_stiffness(&contact, &s->law, &stiffness);
  jager_contact_release(&contact, pool);
  return stiffness.normal;
}

/*
 * The eigenvalue, times the mass, of three pairs of opposite contacts of weight 1. A clump is given them at the ends of
 * its longest arm, in directions that turn it most.
 */
static double eigenvalue_of_six(const dem_simulation *s, size_t i, double ratio)
{
  static const surroundings six = {.nn = {2.0F, 2.0F, 2.0F}};
  if (!s->grains)
    return sphere_eigenvalue(&six, ratio);
  const clump *c = &s->grains[i];
  double least = fmin(c->gyration[0], fmin(c->gyration[1], c->gyration[2]));
  return (2.0 + 4.0 * ratio) * (1.0 + c->extent * c->extent / least);
}

static double grain_mass(const dem_simulation *s, size_t i)
{
  return s->grains ? s->grains[i].mass : s->bodies[i].mass;
}

static double grain_radius(const dem_simulation *s, size_t i)
{
  return s->grains ? s->grains[i].radius : s->bodies[i].radius;
}

/* The largest time step that is known to be stable, s. */
static double stable_step(const dem_simulation *s)
{
  double r = s->radius_min, stiffness = stiffness_at(s, r, ZETA_LEAST * r), step = INFINITY;
  for (size_t i = 0; !isnan(stiffness) && i < (s->grains ? s->grain_count : 1); i++) {
    double mass = s->grains ? s->grains[i].mass : dem_simulation_mass(s, r); /* of the smallest sphere */
    step = fmin(step,
                grain_step(s, mass, stiffness * eigenvalue_of_six(s, i, stiffness_ratio(&s->law)),
                           dashpot_unit(mass, mass, stiffness) * eigenvalue_of_six(s, i, sqrt(s->law.inverse_kappa))));
  }
  bool damps = s->damping.viscous > 0.0;
  find_eigenvalues(s, WEIGHT_STIFFNESS, s->stiffness);
  if (damps)
    find_eigenvalues(s, WEIGHT_DASHPOT, s->dashpots);
  for (size_t i = 0; i < s->grain_count; i++)
    if (s->stiffness[i] > 0.0)
      step = fmin(step, grain_step(s, grain_mass(s, i), s->stiffness[i], damps ? s->dashpots[i] : 0.0));
  return step;
}

/* ---- Inertia of each grain --------------------------------------------------------------------------------------- */

/*
 * A sphere whose stable Δt shall be t needs m >= (1 + α) (λ_K t²/2 + λ_C t), with eigenvalues times the mass. λ_C
 * depends on the masses of the neighbours, too; but a reduced mass is smaller than either mass, so that λ_C <= 2β λ √m
 * with λ of dashpots for reduced masses of 1. Equality gives √m = t (b + √(b² + a)), whatever the neighbours: masses
 * can be set one by one, and all of them are proportional to t².
 *
 * Rotations are part of both λ, with the inertia 2/5 m R²: they are stable with it, and need no scaling of their own.
 */

/* √m over t */
static double mass_root(const dem_simulation *s, double of_stiffness, double of_dashpots)
{
  double enlarged = 1.0 + s->damping.local;
  double a = 0.5 * enlarged * of_stiffness, b = enlarged * s->damping.viscous * of_dashpots;
  return b + sqrt(b * b + a);
}

/* A sphere has at least the mass for six contacts with this share of the largest overlap, about the mean overlap. */
#define OVERLAP_SHARE 0.25

/*
 * Sets all masses, and returns their common stable time step: from the fixed time step, or the one for which the
 * sum of the masses is the true one.
 *
 * The velocities stay: in a quasi-static test they follow the strain, not the inertia. The kinetic energy that changes
 * with the masses is supplied from outside: work. It is computed from the velocities of the half step, for which the
 * balance of motion.c holds to rounding.
 */
static double scale_each_sphere(dem_simulation *s)
{
  bool damps = s->damping.viscous > 0.0;
  double *roots = s->stiffness, sum = 0.0; /* √m over t of all spheres, and the sum of their squares */
  find_eigenvalues(s, WEIGHT_STIFFNESS, roots);
  if (damps)
    find_eigenvalues(s, WEIGHT_DASHPOT_OF_UNIT_MASS, s->dashpots);
  for (size_t i = 0; i < s->grain_count; i++) {
    /* Rattlers need some mass, and a grain may get contacts before the next update: its mass must not be much smaller
     * than those of grains of its size that carry load. */
    double radius = grain_radius(s, i), own = mass_root(s, roots[i], damps ? s->dashpots[i] : 0.0), least = 0.0;
    double six_of = stiffness_at(s, radius, fmax(ZETA_LEAST, 0.5 * OVERLAP_SHARE * s->overlap_known) * radius);
    if (!isnan(six_of))
      least = mass_root(s, six_of * eigenvalue_of_six(s, i, stiffness_ratio(&s->law)),
                        sqrt(six_of) * eigenvalue_of_six(s, i, sqrt(s->law.inverse_kappa)));
    roots[i] = fmax(own, least);
    sum += roots[i] * roots[i];
  }
  double fixed = s->run->time_step.fixed;
  double mass_of_all = s->run->material.density * s->run->density_scaling * s->solid_volume;
  double step = fixed > 0.0 ? fixed / s->run->time_step.safety : sqrt(mass_of_all / sum);
  for (size_t i = 0; i < s->grain_count; i++) {
    if (!(roots[i] > 0.0))
      continue;
    double mass = (roots[i] * step) * (roots[i] * step);
    if (s->grains) {
      clump *c = &s->grains[i];
      double before = dem_clump_kinetic_energy(c, c->v, c->momentum);
      dem_clump_set_mass(s, i, mass);
      s->energy.work += dem_clump_kinetic_energy(c, c->v, c->momentum) - before;
      continue;
    }
    jager_particle *sphere = &s->bodies[i];
    const motion *m = &s->motions[i];
    double change = mass - sphere->mass, square = vec3_dot(m->v, m->v);
    sphere->mass = mass;
    s->energy.work += 0.5 * change * (square + 0.4 * sphere->radius * sphere->radius * vec3_dot(m->w, m->w));
  }
  dem_simulation_update_density(s);
  return step;
}

/* ---- Updates ----------------------------------------------------------------------------------------------------- */

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

/* Between the centroids of the grains of a contact */
static double centroid_distance(const contact_walk *at)
{
  const dem_simulation *s = at->simulation;
  double branch[3] = {0.0}, axis[3] = {0.0};
  (void)jager_pairs_frame(at->contacts, at->number, branch, axis);
  return vec3_length(vec3_add(vec3_load(branch), vec3_subtract(dem_clump_lever(s, at->p), dem_clump_lever(s, at->q))));
}

void dem_stiffness_update(dem_simulation *s)
{
  s->overlap_known = fmax(s->overlap, 2.0 * ZETA_LEAST);
  double fixed = s->run->time_step.fixed, stable = scales_each_grain(s) ? scale_each_sphere(s) : stable_step(s);
  if (is_regular_update(s))
    s->stable_step = stable; /* for messages: not of overlaps that grow out of bounds */
  s->dt = fixed > 0.0 ? fixed : s->run->time_step.safety * stable;

  /* Σ (kₙ + cₙ/Δt) l² over the volume: the change of stress by a strain in one step, with dashpots. These can be many
   * times as stiff as the springs: a servo that ignored them would make the stress oscillate. */
  double sum = 0.0, rate = 2.0 * s->damping.viscous / s->dt;
  for (contact_walk at = contact_walk_start(s); contact_walk_find(&at);) {
    const jager_particle *p = &s->bodies[at.p], *q = &s->bodies[at.q];
    double zeta = 0.0, stiffness = normal_stiffness(&at, &zeta);
    double distance = s->grains ? centroid_distance(&at) : p->radius + q->radius - 2.0 * zeta;
    sum += (stiffness + rate * dashpot_unit(p->mass, q->mass, stiffness)) * distance * distance;
  }
  s->modulus = sum / dem_cell_volume(s->cell);
}
