/* SPDX-License-Identifier: MIT */
/*
 * The arithmetic of the algorithm: vectors in the tangential plane, compensated sums, the cone of a step, and the cost
 * of simplified histories. Functions take values and have no branches, so that they serve one contact as well as
 * several side by side in lanes.
 *
 * This is the text that libjager (src/contact/numbers.h) and jager/compact.h share; only these include it. It has no
 * guard: a file may include it several times, under other names. The including file defines
 *
 *     JAGER_FUNCTION              what stands before the type of a function, such as static inline
 *     scalar                      a number: double or float; JAGER_NUMBER(0.5) is a constant of this type
 *     real, truth, vec2           one number, or one in each lane; the result of a comparison; struct { real x, y; }
 *     real_of, real_abs, real_sqrt, real_min, real_max, choose(condition, a, b)
 *     JAGER_SQUARE_MIN, JAGER_SQUARE_MAX      between these, squares of lengths have all their digits
 */

/* ==== Vectors ===================================================================================================== */

JAGER_FUNCTION vec2 vec2_of(real x, real y)
{
  vec2 v = {x, y};
  return v;
}

JAGER_FUNCTION real vec2_dot(vec2 a, vec2 b)
{
  return a.x * b.x + a.y * b.y;
}

JAGER_FUNCTION vec2 vec2_add(vec2 a, vec2 b)
{
  return vec2_of(a.x + b.x, a.y + b.y);
}

JAGER_FUNCTION vec2 vec2_subtract(vec2 a, vec2 b)
{
  return vec2_of(a.x - b.x, a.y - b.y);
}

/* a + s b */
JAGER_FUNCTION vec2 vec2_add_scaled(vec2 a, real s, vec2 b)
{
  return vec2_of(a.x + s * b.x, a.y + s * b.y);
}

JAGER_FUNCTION vec2 vec2_divide(vec2 a, real divisor)
{
  return vec2_of(a.x / divisor, a.y / divisor);
}

JAGER_FUNCTION vec2 vec2_choose(truth condition, vec2 a, vec2 b)
{
  return vec2_of(choose(condition, a.x, b.x), choose(condition, a.y, b.y));
}

/* Squares of very long or very short vectors overflow or underflow. */
JAGER_FUNCTION truth square_is_in_range(real square)
{
  return (square > JAGER_SQUARE_MIN) & (square < JAGER_SQUARE_MAX);
}

/* v scaled to this length; `square` is |v|² and in range. */
JAGER_FUNCTION vec2 vec2_scale_to(vec2 v, real square, scalar length)
{
  real scale = length / real_sqrt(square);
  return vec2_of(v.x * scale, v.y * scale);
}

/* ==== Compensated sums ============================================================================================ */

/*
 * A sum is kept together with its rounding error, so that adding a term and later subtracting the same term leaves
 * nothing behind.
 */

/* The rounding error of sum = a + b (Knuth's two-sum): a + b = sum + error exactly. */
JAGER_FUNCTION real two_sum_error(real a, real b, real sum)
{
  real b_rounded = sum - a;
  return (a - (sum - b_rounded)) + (b - b_rounded);
}

/* The rounding error of the additions in sum = a + s b, by component. */
JAGER_FUNCTION vec2 vec2_add_scaled_error(vec2 a, real s, vec2 b, vec2 sum)
{
  return vec2_of(two_sum_error(a.x, s * b.x, sum.x), two_sum_error(a.y, s * b.y, sum.y));
}

/* high + low += term */
JAGER_FUNCTION void compensated_add(real *high, real *low, real term)
{
  real sum = *high + term;
  real error = *low + two_sum_error(*high, term, sum);
  *high = sum + error;
  *low = error - (*high - sum);
}

typedef struct compensated_vec2 {
  vec2 high, low;
} compensated_vec2;

/* sum += scale v */
JAGER_FUNCTION void compensated_vec2_add(compensated_vec2 *sum, real scale, vec2 v)
{
  compensated_add(&sum->high.x, &sum->low.x, scale * v.x);
  compensated_add(&sum->high.y, &sum->low.y, scale * v.y);
}

/*
 * A component of Ft = Σ p* ΔFn*: the sum up to the base of the second segment, with its rounding error `low`, and the
 * two topmost segments
 */
JAGER_FUNCTION real force_component(real high, real low, real second_p, real second_rise, real top_p, real top_rise)
{
  return high + (low + (second_p * second_rise + top_p * top_rise));
}

/* ==== The cone ==================================================================================================== */

/*
 * From the target T of a step a cone of slope f opens downward: the points that lie x > 0 below T and less than f x
 * beside it. As no slope of the path exceeds f, a path that has entered the cone on its way down stays in it. So the
 * segment that enters is the first one, from the top down, whose base is inside.
 *
 * Where the segment enters. Prolong the segment of slope p to the height of T, and let v lead from there sideways to T
 * (Δe' in the paper). At the depth x below T the line is at v + p x from T, so that it enters where
 *
 *     |v + p x| = f x,   or   c x² - 2 (v·p) x - |v|² = 0,   c = f² - |p|² >= 0.
 *
 * The positive root, written without cancellation, with r = √((v·p)² + c|v|²), is
 *
 *     x = |v|² / (r - v·p)   if v·p <= 0,   else   x = (r + v·p) / c.          [lines 34, 37: ζ* = ζ - x]
 *
 * So the new segment from the cut to T has the slope f to rounding even where the cut is close to T. On a slip segment
 * (|p| = f) c vanishes, and the second form may give infinity or NaN; but the base is known to be inside the cone, and
 * then the cut is at the base. The paper's test |p| = f ± ε and its rule "the old cone simply expands" [lines 28-35]
 * are not needed: the test at the base decides, without any tolerance.
 */

/* Is a point inside the cone that lies `depth` below T, with v leading from it sideways to T? */
JAGER_FUNCTION truth cone_contains(scalar f, real depth, vec2 v)
{
  return (depth > 0) & (vec2_dot(v, v) < f * f * depth * depth);
}

/*
 * The same for the top of the path, from which an elastic step goes straight to T [line 15]. The squares are rounded
 * differently, which matters only on the edge of the cone; results of earlier versions depend on it.
 */
JAGER_FUNCTION truth cone_contains_top(scalar f, real depth, vec2 v)
{
  real reach = f * depth;
  return (depth > 0) & (vec2_dot(v, v) < reach * reach);
}

/* A segment as it is seen from T */
typedef struct seen_segment {
  vec2 p;         /* slope p*ᵢ */
  real end, base; /* heights of its two ends: ζ*ᵢ and ζ*ᵢ₋₁ (or Fn*) */
  vec2 v, v_base; /* from its end and from its base sideways to T */
  vec2 v_error;   /* rounding errors of the sums that v has been through, from the top of the path down */
} seen_segment;

/* The top segment; v leads from its end sideways to T. */
JAGER_FUNCTION seen_segment see_top(vec2 p, real end, real base, vec2 v)
{
  seen_segment top = {p, end, base, v, vec2_add_scaled(v, end - base, p), {real_of(0), real_of(0)}};
  return top;
}

/* The segment below `above`, of slope p, down to `base` */
JAGER_FUNCTION seen_segment see_below(seen_segment above, vec2 p, real base)
{
  vec2 error = vec2_add_scaled_error(above.v, above.end - above.base, above.p, above.v_base);
  vec2 v_base = vec2_add_scaled(above.v_base, above.base - base, p);
  seen_segment below = {p, above.base, base, above.v_base, v_base, vec2_add(above.v_error, error)};
  return below;
}

/* x of the derivation above; may be infinite or NaN. */
JAGER_FUNCTION real cone_entry_depth(scalar f, vec2 p, vec2 v)
{
  real v_square = vec2_dot(v, v), vp = vec2_dot(v, p), c = f * f - vec2_dot(p, p);
  real r = real_sqrt(real_max(real_of(0), vp * vp + c * v_square));
  real numerator = choose(vp <= 0, v_square, r + vp);
  real denominator = choose(vp <= 0, r - vp, c);
  return choose(v_square > 0, numerator / denominator, real_of(0));
}

/* One of two segments, in each lane */
JAGER_FUNCTION seen_segment choose_segment(truth condition, seen_segment a, seen_segment b)
{
  seen_segment chosen = {vec2_choose(condition, a.p, b.p),           choose(condition, a.end, b.end),
                         choose(condition, a.base, b.base),          vec2_choose(condition, a.v, b.v),
                         vec2_choose(condition, a.v_base, b.v_base), vec2_choose(condition, a.v_error, b.v_error)};
  return chosen;
}

/* The height at which the segment, whose base is inside the cone, enters it; between its base and its end. */
JAGER_FUNCTION real cone_entry(scalar f, real target, seen_segment s)
{
  vec2 v_level = vec2_add_scaled(s.v, s.end - target, s.p);
  real x = cone_entry_depth(f, s.p, v_level), deepest = target - s.base;
  real within = real_min(real_max(x, target - s.end), deepest);
  return target - choose(x >= 0, within, deepest);
}

/* From a point of a segment to T */
typedef struct cone_way {
  real rise;
  vec2 v;       /* sideways */
  vec2 v_error; /* rounding errors of the sums that v has been through */
} cone_way;

JAGER_FUNCTION cone_way way_from(seen_segment s, real height, real target)
{
  vec2 v = vec2_add_scaled(s.v, s.end - height, s.p);
  vec2 error = vec2_add_scaled_error(s.v, s.end - height, s.p, v);
  cone_way way = {target - height, v, vec2_add(s.v_error, error)};
  return way;
}

/* By what a straight segment of slope p misses T: rounding errors, which the next movement makes up for. */
JAGER_FUNCTION vec2 way_residual(cone_way way, vec2 p)
{
  return vec2_add(way.v_error, vec2_add_scaled(way.v, -way.rise, p));
}

/* ==== The account of the tolerance ================================================================================ */

/*
 * What it costs to join two segments, and what slip leaves of an error. algorithm.h says what the tolerance is.
 */

/* Fn"(ζ) = curvature_factor Fn/ζ², and Fn"/4f = slip_factor Fn/ζ², of a contour with the exponent alpha */
JAGER_FUNCTION scalar curvature_factor_of(scalar alpha)
{
  return (alpha + 1) / (alpha * alpha);
}

JAGER_FUNCTION scalar slip_factor_of(scalar alpha, scalar friction)
{
  return (alpha + 1) / (4 * alpha * alpha * friction);
}

/* The deviation δ when two segments that meet in a point, the cut, are replaced by one */
typedef struct tent {
  real cost;   /* upper bound of ∫ |δ| Fn" dz: a force */
  real weight; /* of the upper segment in the slope of the joint one */
} tent;

/*
 * `bend` is the upper slope less the lower one. δ is a tent over the cut, of the height |bend| rise run/(rise + run);
 * Fn" = factor Fn/ζ² does not rise with ζ.
 */
JAGER_FUNCTION tent tent_of(scalar factor, vec2 bend, real zeta_base, real fn_base, real zeta_cut, real fn_cut,
                            real zeta_end)
{
  real rise = zeta_cut - zeta_base, run = zeta_end - zeta_cut, weight = run / (zeta_end - zeta_base);
  real height = real_sqrt(vec2_dot(bend, bend)) * rise * weight;
  real at_base = factor * (fn_base / (zeta_base * zeta_base)), at_cut = factor * (fn_cut / (zeta_cut * zeta_cut));
  tent joined = {JAGER_NUMBER(0.5) * height * (at_base * rise + at_cut * run), weight};
  return joined;
}

/*
 * May the top, whose base has the error bound `below`, get the error bound `bound`? `budget` is τ f. A new top may use
 * 2 % of the tolerance that is left; the rest is kept for segments that stay longer.
 */
JAGER_FUNCTION truth tent_is_allowed(scalar budget, real fn_base, real below, real bound)
{
  return bound - below <= JAGER_NUMBER(0.02) * (budget * fn_base - below);
}

/*
 * Slip replaces the path above a point by the cone. Let `gap` be the distance of that point from the cone. No point of
 * the path above it is nearer to the cone, so that there |δ| falls by `gap` at least. Let a be an upper bound of ∫ |δ|
 * Fn" dz from the point to the end of the path, where δ is zero. As no slope exceeds f, |δ| changes by at most 2f per
 * unit of z; of all such δ with the same integral a, a narrow peak keeps most of it: (√a - gap √(Fn"/4f))². Fn" is
 * least at the end of the path, where Fn"/4f is slip_factor_of(α, f) Fn/ζ².
 *
 * This is what is left of a. The old path ends at (ζ, Fn); v leads from the point sideways to the target, `depth` above
 * it.
 */
JAGER_FUNCTION real bound_after_slip(scalar factor, scalar f, real a, real zeta, real fn, vec2 v, real depth)
{
  real zero = real_of(0), gap = real_sqrt(vec2_dot(v, v)) - f * depth;
  real root = real_sqrt(a) - real_max(gap, zero) * (real_sqrt(factor * fn) / zeta);
  real left = choose(root > 0, real_min(root * root, a), zero);
  return choose(a > 0, left, zero);
}
