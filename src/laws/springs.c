/* SPDX-License-Identifier: MIT */
/*
 * The law "springs". The straight movement of one spring, with e = Δξ/κ and the limit L = f (ζ - z), which changes
 * linearly while t goes from 0 to 1:
 *
 * - It sticks, w = w₀ + t e, as long as |w| <= L. The cone |w| <= L is convex: a straight line leaves it once.
 * - From there, with the index s, it slides. Its slider moves along w with the speed v, dw/dt = e - v w/L, such that
 *   |w| = L. With the angle θ between w and e that is v = |e| cos θ - L' and dθ/dt = -(|e|/L) sin θ, hence
 *
 *       cot(θ/2) = cot(θₛ/2) exp(|e| ∫ dt/L).
 *
 *   θ only falls and v only rises: a spring that slides goes on to the end of the movement.
 * - It dissipates ∫ L v dt. With cos θ = 1 - 2 sin²(θ/2), k = L'/|e| and y = tan²(θ/2), so that y/yₛ = (L/Lₛ)^(-2/k),
 *
 *       ∫ L v dt = (|e| - L') ∫ L dt - R,   R = ∫ L²/(1 + y) dy = Lₛ²/(1 - k) ∫ dq/(1/yₛ + q^(1/(1-k)))
 *
 *   over q = (y/yₛ)^(1-k) from its value at the end to 1. The integrand is bounded and monotonic: Gauss's rule. In one
 *   direction yₛ = 0, and R vanishes.
 */
#include "springs.h"
#include "base/portable_math.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct vector {
  double x, y;
} vector;

/* A row of springs: one in each of `count` cells of equal width in v = z^(1/α). */
typedef struct spring_row {
  int count;
  double reach;   /* z at the end of the row; 0: not known before the bodies touch */
  double density; /* ∫ Fn" dz over a cell */
  double *at;     /* mean z of each cell over z at the end of the row */
  vector *w;
  double energy;     /* Σ density |w|²/2 */
  double dissipated; /* Σ density ∫ L v dt */
  vector force;      /* Σ density w */
  int engaged, sliding;
} spring_row;

struct springs {
  jager_law law;        /* without friction, for Fn */
  jager_pool *pool;     /* for the contact below, which has no history */
  jager_contact normal; /* without friction */
  double coefficient, friction, zeta_largest;
  double zeta;
  spring_row row, half;
};

/* ---- One spring -------------------------------------------------------------------------------------------------- */

static double dot(vector a, vector b)
{
  return a.x * b.x + a.y * b.y;
}

static vector add_scaled(vector a, double s, vector b)
{
  return (vector){a.x + s * b.x, a.y + s * b.y};
}

static vector scaled(double s, vector a)
{
  return (vector){s * a.x, s * a.y};
}

/* The part of a movement in which a spring is engaged. */
typedef struct spring_step {
  vector e;
  double limit0, limit1; /* L */
} spring_step;

/* t at which w0 + t e leaves the cone; the end of the step is known to be outside. */
static double leaving_time(const spring_step *s, vector w)
{
  double rise = s->limit1 - s->limit0, b = dot(w, s->e) - s->limit0 * rise;
  double a = dot(s->e, s->e) - rise * rise, c = dot(w, w) - s->limit0 * s->limit0;
  double root = sqrt(fmax(b * b - a * c, 0.0));
  double t = b >= 0.0 ? (b + root > 0.0 ? -c / (b + root) : 0.0) : (a > 0.0 ? (root - b) / a : 0.0);
  return t > 0.0 ? fmin(t, 1.0) : 0.0;
}

/* ∫ dt/L from L0 to L1, both > 0: ln(L1/L0)/(L1 - L0) */
static double integrate_inverse(double limit0, double limit1)
{
  double x = (limit1 - limit0) / limit0;
  if (fabs(x) < 1e-3) /* ln(1 + x)/x */
    return (1.0 - x * (1.0 / 2.0 - x * (1.0 / 3.0 - x * (1.0 / 4.0 - x * (1.0 / 5.0 - x * (1.0 / 6.0)))))) / limit0;
  return portable_log(limit1 / limit0) / (limit1 - limit0);
}

/* exp(-x), x >= 0 */
static double decay(double x)
{
  return x < 600.0 ? portable_exp(-x) : 0.0;
}

/* ∫ dq/(c + q^m) from q0 to q1: three points of Gauss's rule */
static double integrate_part(double c, double m, double q0, double q1)
{
  static const double nodes[3] = {0.1127016653792583, 0.5, 0.8872983346207417};
  static const double weights[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
  double sum = 0.0;
  for (int i = 0; i < 3; i++)
    sum += weights[i] / (c + portable_exp(m * portable_log(q0 + nodes[i] * (q1 - q0))));
  return (q1 - q0) * sum;
}

/*
 * The same from q1 to 1. At constant ζ, where m = 1, in closed form. Otherwise in parts, each half as long as the one
 * above: the integrand is a smooth function of ln q.
 */
static double integrate_turn(double c, double m, double q1)
{
  enum { PARTS_MAX = 20 };
  if (m == 1.0 && c + q1 > 0.0)
    return portable_log((c + 1.0) / (c + q1));
  double top = 1.0, sum = 0.0;
  for (int part = 0; part < PARTS_MAX && 0.5 * top > q1; part++, top *= 0.5)
    sum += integrate_part(c, m, 0.5 * top, top);
  return sum + integrate_part(c, m, q1, top);
}

/*
 * Slides from the limit at which |w| = s->limit0 to the end, while w turns towards e. `along` and `across` are the
 * components of w; across > 0. Adds to the energy dissipated.
 */
static vector turn_and_slide(const spring_step *s, double length, double along, double across, vector unit_across,
                             double *dissipated)
{
  double rise = s->limit1 - s->limit0, mean = 0.5 * (s->limit0 + s->limit1), k = rise / length;
  double cot = along < 0.0 ? across / (s->limit0 - along) : (s->limit0 + along) / across; /* of θ/2 */
  double turned = INFINITY;                                                               /* |e| ∫ dt/L */
  if (s->limit1 > 0.0)
    turned = length * integrate_inverse(s->limit0, s->limit1);
  double lost = (length - rise) * mean;
  if (k < 1.0) /* always so while a spring slides, up to rounding */
    lost -=
        s->limit0 * s->limit0 / (1.0 - k) * integrate_turn(cot * cot, 1.0 / (1.0 - k), decay(2.0 * turned * (1.0 - k)));
  *dissipated += fmax(lost, 0.0);
  double inverse = decay(turned), c2 = cot * cot, i2 = inverse * inverse; /* cot(θ/2) = cot/inverse */
  double cosine = (c2 - i2) / (c2 + i2), sine = 2.0 * cot * inverse / (c2 + i2);
  return add_scaled(scaled(s->limit1 * cosine / length, s->e), s->limit1 * sine, unit_across);
}

/* Slides from the limit to the end. */
static vector slide(const spring_step *s, vector w, double *dissipated)
{
  double length = sqrt(dot(s->e, s->e)), size = sqrt(dot(w, w)), mean = 0.5 * (s->limit0 + s->limit1);
  double rise = s->limit1 - s->limit0;
  if (!(length > 0.0)) { /* the limit falls */
    *dissipated += fmax(-rise * mean, 0.0);
    return size > 0.0 ? scaled(s->limit1 / size, w) : (vector){0.0, 0.0};
  }
  vector e = scaled(1.0 / length, s->e);
  if (!(size > 0.0)) {
    *dissipated += fmax((length - rise) * mean, 0.0);
    return scaled(s->limit1, e);
  }
  double along = dot(w, e) * (s->limit0 / size), cross = (e.x * w.y - e.y * w.x) * (s->limit0 / size);
  if (!(fabs(cross) > 1e-12 * s->limit0)) { /* in one direction */
    double sign = along < 0.0 ? -1.0 : 1.0;
    *dissipated += fmax((sign * length - rise) * mean, 0.0);
    return scaled(sign * s->limit1, e);
  }
  double side = cross < 0.0 ? -1.0 : 1.0;
  return turn_and_slide(s, length, along, fabs(cross), (vector){-side * e.y, side * e.x}, dissipated);
}

/* Moves w; returns whether it has slid. */
static bool move_spring(const spring_step *s, vector *w, double *dissipated)
{
  vector end = add_scaled(*w, 1.0, s->e);
  if (dot(end, end) <= s->limit1 * s->limit1) {
    *w = end;
    return false;
  }
  double t = leaving_time(s, *w), left = 1.0 - t;
  const spring_step rest = {scaled(left, s->e), s->limit0 + t * (s->limit1 - s->limit0), s->limit1};
  *w = slide(&rest, add_scaled(*w, t, s->e), dissipated);
  return true;
}

/* ---- A row ------------------------------------------------------------------------------------------------------- */

/* Mean of v^α over each cell, where v = 1 at the end of the row: N ((i+1)^(α+1) - i^(α+1))/((α+1) N^(α+1)) */
static void fill_table(spring_row *row, double exponent)
{
  double count = row->count, below = 0.0;
  for (int i = 0; i < row->count; i++) {
    double above = portable_power((i + 1.0) / count, exponent + 1.0);
    row->at[i] = exponent == 2.0 ? ((double)i * i + i + 1.0 / 3.0) / (count * count)
                                 : count * (above - below) / (exponent + 1.0);
    below = above;
  }
}

/* Fn = C ζ^(1+1/α) has Fn" dz = C (1 + 1/α) dv. */
static void set_reach(spring_row *row, const springs *s, double reach)
{
  row->reach = reach;
  row->density = s->coefficient * (1.0 + 1.0 / s->law.exponent) * portable_power(reach, 1.0 / s->law.exponent) /
                 (double)row->count;
}

static void empty_row(spring_row *row, const springs *s)
{
  memset(row->w, 0, (size_t)row->count * sizeof *row->w);
  row->energy = 0.0;
  row->force = (vector){0.0, 0.0};
  row->engaged = row->sliding = 0;
  set_reach(row, s, s->zeta_largest);
}

/*
 * Joins springs in pairs. The mean z of two cells is the z of the joined cell, whose limit holds the mean w.
 */
static void grow_row(spring_row *row, const springs *s)
{
  int pairs = (row->count + 1) / 2;
  for (int i = 0; i < pairs; i++) {
    vector second = 2 * i + 1 < row->count ? row->w[2 * i + 1] : (vector){0.0, 0.0};
    row->w[i] = scaled(0.5, add_scaled(row->w[2 * i], 1.0, second));
  }
  memset(row->w + pairs, 0, (size_t)(row->count - pairs) * sizeof *row->w);
  set_reach(row, s, row->reach * portable_power(2.0, s->law.exponent));
}

/* Moves all springs and sums up. Both sums are in the order of the springs: the same bits every time. */
static void move_row(spring_row *row, const springs *s, double zeta0, double zeta, vector e)
{
  double lost = 0.0, energy = 0.0;
  vector sum = {0.0, 0.0};
  row->engaged = row->sliding = 0;
  for (int i = 0; i < row->count && row->at[i] * row->reach < fmax(zeta0, zeta); i++) {
    double z = row->at[i] * row->reach, from = fmax(zeta0 - z, 0.0), to = fmax(zeta - z, 0.0);
    double share = from > 0.0 && to > 0.0 ? 1.0 : fmax(from, to) / fabs(zeta - zeta0); /* in which it is engaged */
    const spring_step step = {scaled(share, e), s->friction * from, s->friction * to};
    bool slides = move_spring(&step, &row->w[i], &lost);
    if (!(to > 0.0)) {
      row->w[i] = (vector){0.0, 0.0};
      continue;
    }
    row->engaged++;
    row->sliding += slides;
    sum = add_scaled(sum, 1.0, row->w[i]);
    energy += 0.5 * dot(row->w[i], row->w[i]);
  }
  row->force = scaled(row->density, sum);
  row->energy = row->density * energy;
  row->dissipated += row->density * lost;
}

/* ---- The contact ------------------------------------------------------------------------------------------------- */

static bool take_row(spring_row *row)
{
  row->at = malloc((size_t)row->count * sizeof *row->at);
  row->w = calloc((size_t)row->count, sizeof *row->w);
  return row->at && row->w;
}

jager_status springs_create(springs **made, const jager_law *law, double radius_a, double radius_b, springs_grid grid)
{
  *made = NULL;
  jager_status status = jager_law_check(law);
  if (status != JAGER_OK)
    return status;
  if (grid.count < SPRINGS_COUNT_MIN || grid.count > SPRINGS_COUNT_MAX || !(grid.zeta_largest >= 0.0) ||
      !isfinite(grid.zeta_largest))
    return JAGER_ERROR_CAPACITY;
  springs *s = calloc(1, sizeof *s);
  if (!s)
    return JAGER_ERROR_MEMORY;
  s->row.count = grid.count;
  s->half.count = grid.count / 2;
  s->pool = jager_pool_create(0);
  s->law = *law;
  s->law.model = JAGER_MODEL_JAGER;
  s->law.tolerance = s->law.dp_max = 0.0;
  s->law.friction = 0.0;
  s->friction = law->friction;
  s->zeta_largest = grid.zeta_largest;
  status = take_row(&s->row) && take_row(&s->half) && s->pool ? JAGER_OK : JAGER_ERROR_MEMORY;
  if (status == JAGER_OK)
    status = jager_contact_init(&s->normal, &s->law, radius_a, radius_b);
  if (status != JAGER_OK) {
    springs_destroy(s);
    return status;
  }
  s->coefficient = jager_contact_coefficient(&s->normal);
  fill_table(&s->row, s->law.exponent);
  fill_table(&s->half, s->law.exponent);
  empty_row(&s->row, s);
  empty_row(&s->half, s);
  *made = s;
  return JAGER_OK;
}

void springs_destroy(springs *s)
{
  if (!s)
    return;
  if (s->pool)
    jager_contact_release(&s->normal, s->pool);
  jager_pool_destroy(s->pool);
  free(s->row.at);
  free(s->row.w);
  free(s->half.at);
  free(s->half.w);
  free(s);
}

static void copy_row(spring_row *to, const spring_row *from)
{
  vector *w = to->w;
  double *at = to->at;
  memcpy(w, from->w, (size_t)from->count * sizeof *w);
  *to = *from;
  to->w = w;
  to->at = at;
}

void springs_copy(springs *to, const springs *from)
{
  const double none[2] = {0.0, 0.0};
  copy_row(&to->row, &from->row);
  copy_row(&to->half, &from->half);
  to->zeta = from->zeta;
  (void)jager_contact_move(&to->normal, &to->law, to->pool, from->zeta, none, NULL); /* which `from` has made */
}

jager_status springs_move(springs *s, double zeta, const double dxi[2])
{
  const double none[2] = {0.0, 0.0}, large = 1e60;
  if (!isfinite(dxi[0]) || !isfinite(dxi[1]))
    return JAGER_ERROR_NOT_FINITE;
  if (fabs(dxi[0]) > large || fabs(dxi[1]) > large)
    return JAGER_ERROR_TOO_LARGE;
  jager_status status = jager_contact_move(&s->normal, &s->law, s->pool, zeta, none, NULL);
  if (status != JAGER_OK)
    return status;
  spring_row *rows[] = {&s->row, &s->half};
  if (zeta > 0.0 && !(jager_contact_zeta(&s->normal) > 0.0))
    zeta = 0.0; /* too small to compute with */
  double from = fmax(s->zeta, 0.0), to = zeta;
  double share = s->zeta < 0.0 ? zeta / (zeta - s->zeta) : 1.0; /* of the movement in which the bodies touch */
  const vector e = {share * dxi[0] * s->law.inverse_kappa, share * dxi[1] * s->law.inverse_kappa}; /* Δξ/κ */
  for (int i = 0; i < 2 && (from > 0.0 || to > 0.0); i++) {
    if (!(rows[i]->reach > 0.0))
      set_reach(rows[i], s, to);
    while (rows[i]->reach < to)
      grow_row(rows[i], s);
    move_row(rows[i], s, from, to, e);
    if (!(to > 0.0))
      empty_row(rows[i], s);
  }
  s->zeta = zeta;
  return JAGER_OK;
}

jager_force springs_force(const springs *s)
{
  jager_force force = jager_contact_force(&s->normal);
  force.ft[0] = s->row.force.x;
  force.ft[1] = s->row.force.y;
  return force;
}

double springs_force_error(const springs *s)
{
  vector off = add_scaled(s->row.force, -1.0, s->half.force);
  return sqrt(dot(off, off));
}

/* A spring with w stores κ density |w|² and dissipates 2κ density ∫ L v dt: movements that do work are 2κ w. */
jager_energy springs_energy(const springs *s)
{
  jager_energy energy = {0.0, 0.0, 0.0};
  (void)jager_contact_stored(&s->normal, &s->law, NULL, &energy); /* a contact of this law */
  energy.tangential = 2.0 * s->law.kappa * s->row.energy;
  energy.dissipated = 2.0 * s->law.kappa * s->row.dissipated;
  return energy;
}

jager_state springs_state(const springs *s)
{
  if (!(s->zeta > 0.0))
    return JAGER_STATE_APART;
  if (s->row.sliding == s->row.engaged)
    return JAGER_STATE_SLIDE;
  return s->row.sliding > 0 ? JAGER_STATE_SLIP : JAGER_STATE_ELASTIC;
}

int springs_engaged(const springs *s)
{
  return s->row.engaged;
}

double springs_zeta(const springs *s)
{
  return s->zeta;
}
