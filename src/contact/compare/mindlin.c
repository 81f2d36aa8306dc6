/* SPDX-License-Identifier: MIT */
/*
 * Closed forms of Cattaneo, Mindlin and Deresiewicz for spheres, for tests and figures. They use neither the history
 * nor the algorithm, so that they can check both.
 *
 * First loading: slip has come inward to the depth at which the normal force was M < N. Then Ft = f (N - M) and ξ = κf
 * (ζ(N) - ζ(M)). After a peak with M_B, reverse slip has come to M', N > M' > M_B. Then Ft = f [(M' - M_B) - (N - M')],
 * and ξ is the same expression in ζ(N), ζ(M'), ζ(M_B). When M' has come to M_B, nothing of the first slip is left: Ft =
 * -f (N - M), ξ = -κf (ζ(N) - ζ(M)). Constant N and § 17 (eqs. 80, 83 and 84) differ only in how N changes meanwhile.
 * The shear traction is the same expression in σ(N), σ(M), ..., with the pressure σ = 3Ē/(2πR) √(a² - r²), a² = Rζ,
 * whose integral is Ēa³/R = N.
 *
 * All formulas consist of differences ζ(N) - ζ(M), which follow from N - M without cancellation. With
 * q³ = M/N = 1 - x, x = (N - M)/N, and ζ ~ N^(2/3),
 *
 *     ζ(N) - ζ(M) = ζ(N) (1 - q²) = ζ(N) x (1 + q)/(1 + q + q²).
 */
#include "contact/contour.h"
#include "jager/compare.h"

#include <float.h>

/* Forces read from a sliding contact exceed f N by rounding. */
#define ROUNDING 1e-14

/* A zone of slip with the force sign f (N - M): `top` is N and `height` is N - M. */
typedef struct slip_zone {
  double sign, top, height;
} slip_zone;

/* At most two zones: the first slip, as far as it is left, and the reverse slip. */
typedef struct slip_state {
  double stiffness; /* C of N = C ζ^(3/2) */
  slip_zone zone[2];
} slip_state;

/* ---- Checks ------------------------------------------------------------------------------------------------------ */

static jager_status check_spheres(const jager_law *law, double radius, double *stiffness)
{
  jager_status status = jager_law_check(law);
  if (status != JAGER_OK)
    return status;
  if (law->contour != JAGER_CONTOUR_SPHERE)
    return JAGER_ERROR_CONTOUR;
  if (!(radius > 0.0 && radius <= DBL_MAX))
    return JAGER_ERROR_RADIUS;
  *stiffness = law->modulus * sqrt(radius);
  return *stiffness >= JAGER_STIFFNESS_MIN && *stiffness <= JAGER_STIFFNESS_MAX ? JAGER_OK : JAGER_ERROR_RADIUS;
}

static jager_status check_all_finite(const double *numbers, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(numbers[i]))
      return JAGER_ERROR_NOT_FINITE;
    if (fabs(numbers[i]) > JAGER_FN_MAX)
      return JAGER_ERROR_TOO_LARGE;
  }
  return JAGER_OK;
}

/* The law and the radius give the stiffness; all other numbers are finite and in range. */
static jager_status check_input(const jager_law *law, double radius, double *stiffness, const double *numbers,
                                size_t count)
{
  jager_status status = check_spheres(law, radius, stiffness);
  return status == JAGER_OK ? check_all_finite(numbers, count) : status;
}

#define CHECK_INPUT(...)                                                                                               \
  check_input(law, radius, &stiffness, (const double[]){__VA_ARGS__},                                                  \
              sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

/* N >= 0, |Ft| <= f N */
static bool is_within_friction(const jager_law *law, double fn, double ft)
{
  return fn >= 0.0 && fabs(ft) <= law->friction * fn * (1.0 + ROUNDING);
}

static jager_status store_if_finite(double value, double *result)
{
  if (!isfinite(value))
    return JAGER_ERROR_TOO_LARGE;
  *result = value;
  return JAGER_OK;
}

/* ---- Zones ------------------------------------------------------------------------------------------------------- */

/* (M/N)^(1/3); M may be negative by rounding. */
static double zone_ratio(const slip_zone *z)
{
  return cube_root(fmax(0.0, (z->top - z->height) / z->top));
}

/* ζ(N) - ζ(M) */
static double zeta_of_zone(const jager_law *law, double stiffness, const slip_zone *z)
{
  if (!(z->top > 0.0))
    return 0.0;
  double q = zone_ratio(z), x = fmin(1.0, z->height / z->top);
  return jager_zeta_at_force(law, stiffness, z->top) * x * (1.0 + q) / (1.0 + q + q * q);
}

static double shift_of(const jager_law *law, const slip_state *state)
{
  double sum = 0.0;
  for (int i = 0; i < 2; i++)
    sum += state->zone[i].sign * zeta_of_zone(law, state->stiffness, &state->zone[i]);
  return law->kappa * law->friction * sum;
}

/* √(a² - r²) at N less that at M. Where r is less than both radii, the squares differ by R (ζ(N) - ζ(M)). */
static double root_of_zone(const jager_law *law, double stiffness, double radius, const slip_zone *z, double r)
{
  double zeta = jager_zeta_at_force(law, stiffness, z->top), difference = zeta_of_zone(law, stiffness, z);
  double outer = radius * zeta - r * r, inner = radius * (zeta - difference) - r * r;
  if (!(outer > 0.0))
    return 0.0;
  return inner > 0.0 ? radius * difference / (sqrt(outer) + sqrt(inner)) : sqrt(outer);
}

static double traction_of(const jager_law *law, double radius, const slip_state *state, double r)
{
  double sum = 0.0;
  for (int i = 0; i < 2; i++)
    sum += state->zone[i].sign * root_of_zone(law, state->stiffness, radius, &state->zone[i], r);
  return law->friction * 1.5 * law->modulus / (JAGER_PI * radius) * sum;
}

/* First loading to Ft of either sign */
static slip_state loaded(const jager_law *law, double stiffness, double fn, double ft)
{
  double height = law->friction > 0.0 ? fabs(ft) / law->friction : 0.0;
  return (slip_state){stiffness, {{ft < 0.0 ? -1.0 : 1.0, fn, height}}};
}

/*
 * At (fn, ft), after a peak at which slip had come to M_B; `back` is twice the height N - M' of the reverse slip. The
 * first slip is left from M' down to M_B, M' - M_B = ft/f + N - M', if that is not negative.
 */
static slip_state unloaded(const jager_law *law, double stiffness, double fn, double ft, double back)
{
  double height = 0.5 * back, left = ft / law->friction + height;
  if (!(left > 0.0))
    return loaded(law, stiffness, fn, ft);
  return (slip_state){stiffness, {{1.0, fn - height, left}, {-1.0, fn, height}}};
}

/* ---- Constant normal force --------------------------------------------------------------------------------------- */

jager_status jager_mindlin_loading(const jager_law *law, double radius, double fn, double ft, double *xi)
{
  if (!law || !xi)
    return JAGER_ERROR_NULL;
  double stiffness = 0.0;
  jager_status status = CHECK_INPUT(fn, ft);
  if (status != JAGER_OK)
    return status;
  if (!is_within_friction(law, fn, ft))
    return JAGER_ERROR_DOMAIN;
  slip_state state = loaded(law, stiffness, fn, ft);
  return store_if_finite(shift_of(law, &state), xi);
}

jager_status jager_mindlin_unloading(const jager_law *law, double radius, double fn, double ft_peak, double ft,
                                     double *xi)
{
  if (!law || !xi)
    return JAGER_ERROR_NULL;
  double stiffness = 0.0;
  jager_status status = CHECK_INPUT(fn, ft_peak, ft);
  if (status != JAGER_OK)
    return status;
  if (!is_within_friction(law, fn, ft_peak) || !(fabs(ft) <= ft_peak))
    return JAGER_ERROR_DOMAIN;
  if (!(ft_peak > 0.0))
    return store_if_finite(0.0, xi);
  slip_state state = unloaded(law, stiffness, fn, ft, (ft_peak - ft) / law->friction);
  return store_if_finite(shift_of(law, &state), xi);
}

/*
 * Mindlin and Deresiewicz, for both spheres, with 4Ga/(2 - ν) = Fn'/(2κ) = 3N/(4κζ) and x = T/(fN) = 1 - q³:
 *
 *     9 (2 - ν) f²N²/(5Ga) {1 - q⁵ - (5/6) x (1 + q²)} = (8/5) κ f² N ζ (1 - 5q² + 5q³ - q⁵).
 *
 * For small x the four terms cancel down to x³; they are (1 - q)³ (1 + 3q + q²), and 1 - q = x/(1 + q + q²).
 */
jager_status jager_mindlin_cycle_loss(const jager_law *law, double radius, double fn, double ft_peak, double *loss)
{
  if (!law || !loss)
    return JAGER_ERROR_NULL;
  double stiffness = 0.0;
  jager_status status = CHECK_INPUT(fn, ft_peak);
  if (status != JAGER_OK)
    return status;
  if (!is_within_friction(law, fn, ft_peak) || !(ft_peak >= 0.0))
    return JAGER_ERROR_DOMAIN;
  if (!(ft_peak > 0.0))
    return store_if_finite(0.0, loss);
  slip_zone z = loaded(law, stiffness, fn, ft_peak).zone[0];
  double q = zone_ratio(&z), rest = fmin(1.0, z.height / fn) / (1.0 + q + q * q);
  double scale = 1.6 * law->kappa * law->friction * law->friction * fn * jager_zeta_at_force(law, stiffness, fn);
  return store_if_finite(scale * rest * rest * rest * (1.0 + 3.0 * q + q * q), loss);
}

/* ---- § 17: oblique forces ---------------------------------------------------------------------------------------- */

static jager_status check_oblique(const jager_law *law, const jager_oblique *path, double fn, int unloading)
{
  if (!(path->ratio > law->friction && law->friction > 0.0 && path->fn_start >= 0.0 &&
        path->fn_peak >= path->fn_start && fn <= path->fn_peak))
    return JAGER_ERROR_DOMAIN;
  double farthest = unloading ? path->fn_peak : fn; /* unloading stays within friction if both its ends do */
  if (!is_within_friction(law, fn, path->ratio * (fn - path->fn_start)) ||
      !is_within_friction(law, farthest, path->ratio * (farthest - path->fn_start)) ||
      (!unloading && fn < path->fn_start))
    return JAGER_ERROR_DOMAIN;
  return JAGER_OK;
}

/* Ft = ratio (N - fn_start) all the time. In unloading, N - M' grows by (ratio/f - 1)/2 times the fall of N. */
static slip_state oblique_state(const jager_law *law, double stiffness, const jager_oblique *path, double fn,
                                int unloading)
{
  double ft = path->ratio * (fn - path->fn_start);
  if (!unloading)
    return loaded(law, stiffness, fn, ft);
  return unloaded(law, stiffness, fn, ft, (path->fn_peak - fn) * (path->ratio / law->friction - 1.0));
}

jager_status jager_mindlin_oblique(const jager_law *law, double radius, const jager_oblique *path, double fn,
                                   int unloading, double *ft, double *xi)
{
  if (!law || !path || !ft || !xi)
    return JAGER_ERROR_NULL;
  double stiffness = 0.0;
  jager_status status = CHECK_INPUT(path->fn_start, path->fn_peak, path->ratio, fn);
  if (status == JAGER_OK)
    status = check_oblique(law, path, fn, unloading);
  if (status != JAGER_OK)
    return status;
  slip_state state = oblique_state(law, stiffness, path, fn, unloading);
  status = store_if_finite(shift_of(law, &state), xi);
  if (status == JAGER_OK)
    *ft = path->ratio * (fn - path->fn_start);
  return status;
}

jager_status jager_mindlin_oblique_traction(const jager_law *law, double radius, const jager_oblique *path, double fn,
                                            int unloading, double r, double *shear)
{
  if (!law || !path || !shear)
    return JAGER_ERROR_NULL;
  double stiffness = 0.0;
  jager_status status = CHECK_INPUT(path->fn_start, path->fn_peak, path->ratio, fn);
  if (status == JAGER_OK)
    status = check_oblique(law, path, fn, unloading);
  if (status == JAGER_OK)
    status = check_all_finite(&r, 1);
  if (status == JAGER_OK && r < 0.0)
    status = JAGER_ERROR_RADIUS;
  if (status != JAGER_OK)
    return status;
  slip_state state = oblique_state(law, stiffness, path, fn, unloading);
  return store_if_finite(traction_of(law, radius, &state, r), shear);
}
