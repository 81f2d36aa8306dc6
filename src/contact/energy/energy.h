/* SPDX-License-Identifier: MIT */
/* Energies of a contact, J, and of its movements. */
#ifndef JAGER_ENERGY_H
#define JAGER_ENERGY_H

#include "contact/step.h"

/* Energy stored by the normal force: ∫ Fn d(2ζ) from 0 to ζ */
double jager_normal_energy(const jager_law *law, const contact_data *c);

/*
 * Energy stored in shear by a contact of the exact law. The pool keeps sums over the history for the next call; NULL:
 * the whole history is summed, to the same bits.
 */
double jager_shear_energy(const jager_law *law, jager_pool *pool, const contact_data *c);

/* Energy dissipated by a movement of the contact `before` to ζ >= 0 and by e = Δξ/κ that slips above zeta_slip */
double jager_dissipation(const jager_law *law, const contact_data *before, double zeta, vec2 e, double zeta_slip);

/* The content of a jager_balance, J */
typedef struct balance_data {
  jager_energy now;      /* stored now; dissipated in all movements */
  double dissipated_low; /* residual of the compensated sum of what was dissipated */
} balance_data;

_Static_assert(sizeof(jager_balance) == 128, "a balance has 128 bytes, in all versions until 2.0");
_Static_assert(sizeof(balance_data) <= sizeof(jager_balance), "a jager_balance has room for its content");
_Static_assert(_Alignof(balance_data) <= _Alignof(jager_balance), "a jager_balance is aligned as its content");

/* Moves the contact, or loads it to a force, with the energy that this dissipates; NULL, for a load: not computed. */
jager_status jager_move_dissipating(const jager_law *law, jager_pool *pool, contact_data *c, double zeta,
                                    const double dxi[2], double *dissipated);
jager_status jager_load_dissipating(const jager_law *law, jager_pool *pool, contact_data *c, const jager_force *force,
                                    jager_movement *movement, double *dissipated);

/* ---- The contact as a continuum of springs ----------------------------------------------------------------------- */

/*
 * The springs that engage at depth z have the density Fn"(z) and the shear w(z) = E_top - E(z), so that
 * Ft = ∫ Fn" w dz; a spring slides when |w| reaches f (ζ - z). On a segment w is linear in z. With the relative
 * movements 2ζ and 2ξ = 2κE, the energies are
 *
 *     stored      Ut = κ ∫ Fn" |w|² dz,
 *     dissipated  D = 2κ ∫∫ Fn" w · dE(z) dz        (E(z) changes only where the spring slides).
 */

/* A segment, with the shear w of the springs that engage at its end */
typedef struct shear_segment {
  vec2 p, w_end;
  double z_end;
} shear_segment;

static JAGER_INLINE vec2 shear_at(const shear_segment *segment, double z)
{
  return vec2_add_scaled(segment->w_end, segment->z_end - z, segment->p);
}

/* Fn" dz = spring_density dv */
static JAGER_INLINE double spring_density(const jager_law *law, double stiffness)
{
  return (1.0 + 1.0 / law->exponent) * stiffness;
}

/* ---- Integrals over the depth ------------------------------------------------------------------------------------ */

/*
 * Integrals over the depth z of a contact, with weights of Gauss.
 *
 * They are taken over v = z^(1/α): with Fn = C z^(1+1/α), Fn" dz = (1 + 1/α) C dv. What is linear or quadratic in z is
 * then a polynomial in v, of degree 2 or 4 for spheres and 1 or 2 for cones.
 */

typedef struct gauss_rule {
  int points;
  double at[8], weight[8]; /* on [-1, 1] */
} gauss_rule;

static const gauss_rule gauss3 = {
    3, {-0.7745966692414833770, 0.0, 0.7745966692414833770}, {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0}};

static const gauss_rule gauss8 = {
    8,
    {-0.9602898564975362317, -0.7966664774136267396, -0.5255324099163289858, -0.1834346424956498049,
     0.1834346424956498049, 0.5255324099163289858, 0.7966664774136267396, 0.9602898564975362317},
    {0.1012285362903762591, 0.2223810344533744705, 0.3137066458778872873, 0.3626837833783619830, 0.3626837833783619830,
     0.3137066458778872873, 0.2223810344533744705, 0.1012285362903762591}};

typedef double density_of_z(const jager_law *law, double z, const void *context);

static JAGER_INLINE double v_of_z(const jager_law *law, double z)
{
  if (law->contour == JAGER_CONTOUR_SPHERE)
    return sqrt(z);
  return law->contour == JAGER_CONTOUR_CONE ? z : jager_power(z, radius_exponent(law->exponent));
}

static JAGER_INLINE double z_of_v(const jager_law *law, double v)
{
  if (law->contour == JAGER_CONTOUR_SPHERE)
    return v * v;
  return law->contour == JAGER_CONTOUR_CONE ? v : jager_power(v, exponent_of(law->exponent));
}

/* ∫ density dv over z in [from, to], by one rule. Inline, so that a known density takes a few operations only. */
static JAGER_INLINE double integrate_panel(const jager_law *law, double from, double to, const gauss_rule *rule,
                                           density_of_z *density, const void *context)
{
  double low = v_of_z(law, from), high = v_of_z(law, to), middle = 0.5 * (high + low), half = 0.5 * (high - low);
  double sum = 0.0;
  for (int i = 0; i < rule->points; i++)
    sum += rule->weight[i] * density(law, z_of_v(law, middle + half * rule->at[i]), context);
  return half * sum;
}

/*
 * ∫ density dv over z in [from, to], by three points, which are exact for polynomials in v up to degree 5. For
 * power-law contours z^(1/α) is no polynomial, and steep near 0: panels of eight points that shrink towards 0.
 */
static JAGER_INLINE double integrate(const jager_law *law, double from, double to, density_of_z *density,
                                     const void *context)
{
  if (!(from < to))
    return 0.0;
  if (law->contour != JAGER_CONTOUR_POWER)
    return integrate_panel(law, from, to, &gauss3, density, context);
  double sum = 0.0;
  for (int panel = 0; panel < 60 && from < 0.5 * to; panel++) {
    sum += integrate_panel(law, 0.5 * to, to, &gauss8, density, context);
    to *= 0.5;
  }
  return sum + integrate_panel(law, from, to, &gauss8, density, context);
}

/* ---- Trials (move_energy.c) -------------------------------------------------------------------------------------- */

/*
 * A step tried on a copy, so that its energies can be found from the history before and after it, and a failure leaves
 * the contact as it was. Only the part of the history that the step may change is copied; the rest is shared.
 */
typedef struct step_trial {
  contact_data before;         /* the contact, after it has adopted a lower friction if there is one */
  contact_data after;          /* the copy to move */
  history_node *shared;        /* the first node that `after` shares with the contact; NULL: none */
  bool before_is_copy;         /* its nodes are copies, too, as friction has fallen */
  double friction_drop_energy; /* dissipated because friction has fallen */
} step_trial;

/* `target` is where the step goes; ζ <= 0: the bodies separate. */
jager_status jager_trial_begin(const jager_law *law, jager_pool *pool, const contact_data *c, step_target target,
                               step_trial *trial);

/* Gives the copies back; to keep the step, `after` takes the place of the contact. */
void jager_trial_end(jager_pool *pool, contact_data *c, step_trial *trial, bool keep);

#endif
