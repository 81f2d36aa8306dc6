/* SPDX-License-Identifier: MIT */
/*
 * Stored energies; energy.h has the springs.
 *
 * The energy stored in shear is κ ρ ∫ |w|² dv over the whole path, with Fn" dz = ρ dv. Where a path consists of an
 * upper part of shear W and a lower part, the springs of the lower part have the shear W + w with their own w, so that
 *
 *     ∫ |w|² = ∫upper |w|² + W² v + 2 W·∫lower w + ∫lower |w|²,      ∫ w = ∫upper w + W v + ∫lower w,
 *
 * v = v(z) at the depth z where the parts meet. Below a node the path stays as it is until the node is given back, and
 * the pool keeps its two integrals (path_sums): a sum over the history looks at the segments above, in the contact and
 * in its topmost node, and at nodes that are new since the last sum. That is constant time, amortised over movements.
 *
 * |w|² is quadratic in z on each segment: three points of Gauss are exact for spheres and cones. For power laws,
 * v = z^c, eight points do down to half the depth. Down to the axis, with w and z at the upper end,
 *
 *     ∫ |w|² dv = v (|w|² + 2 w·p z/(c + 1) + 2 |p|² z²/((c + 1)(c + 2))),      ∫ w dv = v (w + p z/(c + 1)),
 *
 * and a segment that ends between these is the difference of two such parts, which loses two digits for usual exponents
 * and four for the largest.
 */
#include "energy.h"

/* The sums of lower nodes are computed again each time: so few entries cost less than memory for their sums. */
enum { ENTRIES_WITHOUT_SUMS = 24 };

double jager_normal_energy(const jager_law *law, const contact_data *c)
{
  double power = c->model == JAGER_MODEL_LINEAR ? 1.0 : 1.0 + 1.0 / law->exponent;
  return c->zeta > 0.0 ? 2.0 * c->fn * c->zeta / (power + 1.0) : 0.0;
}

/* ---- Parts of the path ------------------------------------------------------------------------------------------- */

/* The upper part of a path, from its end down to a point of it */
typedef struct upper_path {
  vec2 w;      /* at the point */
  double z, v; /* of the point */
  path_sums sums;
} upper_path;

static JAGER_INLINE upper_path path_end(const jager_law *law, double z)
{
  return (upper_path){.z = z, .v = v_of_z(law, z)};
}

/* Adds ∫ |w|² dv and ∫ w dv of the segment with slope p from the point down to v = low. */
static JAGER_INLINE void add_panel(const jager_law *law, upper_path *part, vec2 p, double low, double high,
                                   const gauss_rule *rule)
{
  double middle = 0.5 * (high + low), half = 0.5 * (high - low);
  for (int i = 0; i < rule->points; i++) {
    vec2 w = vec2_add_scaled(part->w, part->z - z_of_v(law, middle + half * rule->at[i]), p);
    part->sums.square += half * rule->weight[i] * vec2_dot(w, w);
    part->sums.first = vec2_add_scaled(part->sums.first, half * rule->weight[i], w);
  }
}

/* Adds ∫ |w|² dv and ∫ w dv, times a sign, of a segment of a power law from z, with the shear w, to the axis. */
static JAGER_INLINE void add_to_axis(const jager_law *law, path_sums *sums, vec2 w, vec2 p, double z, double v,
                                     double sign)
{
  double c = 1.0 / law->exponent, x = z / (c + 1.0);
  vec2 first = vec2_add_scaled(w, x, p);
  sums->square += sign * v * (vec2_dot(w, vec2_add_scaled(first, x, p)) + vec2_dot(p, p) * (2.0 * x * z / (c + 2.0)));
  sums->first = vec2_add_scaled(sums->first, sign * v, first);
}

/* Adds the segment below, down to `base`. */
static JAGER_INLINE void add_segment(const jager_law *law, upper_path *part, vec2 p, double base)
{
  double v = v_of_z(law, base);
  vec2 w = vec2_add_scaled(part->w, part->z - base, p);
  if (law->contour != JAGER_CONTOUR_POWER)
    add_panel(law, part, p, v, part->v, &gauss3);
  else if (base < 0.5 * part->z) {
    add_to_axis(law, &part->sums, part->w, p, part->z, part->v, 1.0);
    add_to_axis(law, &part->sums, w, p, base, v, -1.0);
  } else
    add_panel(law, part, p, v, part->v, &gauss8);
  part->w = w;
  part->z = base;
  part->v = v;
}

/* The sums of the path that consists of an upper part and the lower one that begins at its point */
static path_sums join_parts(const upper_path *upper, const path_sums *lower)
{
  return (path_sums){upper->sums.square + vec2_dot(upper->w, upper->w) * upper->v +
                         2.0 * vec2_dot(upper->w, lower->first) + lower->square,
                     vec2_add(vec2_add_scaled(upper->sums.first, upper->v, upper->w), lower->first)};
}

/* ---- Below a node ------------------------------------------------------------------------------------------------ */

/* Adds a full node to the sums over all entries below it. */
static path_sums sums_with_node(const jager_law *law, const history_node *node, const path_sums *below)
{
  upper_path part = path_end(law, node->entry[NODE_ENTRIES - 1].zeta);
  for (int i = NODE_ENTRIES; i-- > 1;)
    add_segment(law, &part, node->entry[i].p, node->entry[i - 1].zeta);
  add_segment(law, &part, node->entry[0].p, entry_end((entry_cursor){node->below, NODE_ENTRIES}));
  return join_parts(&part, below);
}

/*
 * The sums below a node. Goes down to a node whose sums are known, or to the lowest one, and up again; on the way down
 * the links are turned round, so that it finds the way up. Without a pool nothing is kept.
 */
static path_sums sums_below(const jager_law *law, jager_pool *pool, history_node *node)
{
  history_node *above = NULL;
  while (node->below && !(pool && node->sums_are_known)) {
    history_node *below = node->below;
    node->below = above;
    above = node;
    node = below;
  }
  path_sums sums = {0.0, {0.0, 0.0}};
  if (node->below)
    sums = *jager_pool_sums(pool, node);
  while (above) {
    history_node *upper = above;
    above = upper->below;
    upper->below = node;
    sums = sums_with_node(law, node, &sums);
    node = upper;
    path_sums *kept = pool && node->entries_below > ENTRIES_WITHOUT_SUMS ? jager_pool_sums(pool, node) : NULL;
    if (kept) {
      *kept = sums;
      node->sums_are_known = true;
    }
  }
  return sums;
}

double jager_shear_energy(const jager_law *law, jager_pool *pool, const contact_data *c)
{
  if (c->length <= 1)
    return 0.0;
  upper_path part = path_end(law, c->zeta);
  uint32_t above = c->length - 1 - (c->node ? c->node->entries_below : 0); /* in the contact and its topmost node */
  for (segment_cursor at = segment_cursor_top(c); above > 0; above--, segment_cursor_descend(&at))
    add_segment(law, &part, at.p, at.zeta_base);
  if (c->node && c->node->below) {
    path_sums below = sums_below(law, pool, c->node);
    part.sums = join_parts(&part, &below);
  }
  return law->kappa * spring_density(law, c->stiffness) * part.sums.square;
}
