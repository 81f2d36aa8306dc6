/* SPDX-License-Identifier: MIT */
/* jager/compact.h, last part: a contact is moved and read. */

/* ---- From bytes to numbers and back ------------------------------------------------------------------------------ */

/* A contact without a history, half the gap is -zeta */
static JAGER_INLINE contact_data contact_apart(jager_compact *entries, double zeta, double stiffness, double friction)
{
  const history_segment none = {{0.0, 0.0}, 0.0, 0.0};
  contact_data c;
  c.zeta = zeta;
  c.fn = 0.0;
  c.top = c.second = none;
  c.anchor.ft = c.xi_residual = vec2_of(0.0, 0.0);
  c.anchor.ft_low[0] = c.anchor.ft_low[1] = 0;
  c.error_bound.top = c.error_bound.second = 0;
  c.stiffness = stiffness;
  c.friction = friction;
  c.length = 1;
  c.fill = 0;
  c.state = JAGER_COMPACT_APART;
  c.entries = entries;
  return c;
}

static JAGER_INLINE contact_data load_contact(const jager_law *law, jager_compact *from, double stiffness)
{
  const uint32_t n = from->points;
  const bool same_stiffness = from->stiffness == (jager_compact_stored)stiffness;
  const bool same_friction = from->friction == (jager_compact_stored)law->friction;
  contact_data c = contact_apart(from, from->zeta[n > 0 ? n - 1 : 0], same_stiffness ? stiffness : from->stiffness,
                                 same_friction ? law->friction : from->friction);
  c.length = n + 1;
  c.fill = n > 2 ? n - 2 : 0;
  c.state = from->state;
  c.xi_residual = vec2_of(from->residual[0], from->residual[1]);
  if (n > 0) {
    c.fn = normal_force(law, c.stiffness, c.zeta);
    c.top.p = vec2_of(from->slope[n - 1][0], from->slope[n - 1][1]);
    c.error_bound.top = from->bound[n - 1];
  }
  if (n > 1) {
    c.top.zeta_base = from->zeta[n - 2];
    c.top.fn_base = normal_force(law, c.stiffness, c.top.zeta_base);
    c.second.p = vec2_of(from->slope[n - 2][0], from->slope[n - 2][1]);
    c.error_bound.second = from->bound[n - 2];
  }
  if (n > 2) {
    c.second.zeta_base = from->zeta[n - 3];
    c.second.fn_base = normal_force(law, c.stiffness, c.second.zeta_base);
    c.anchor.ft = vec2_of(from->anchor[0], from->anchor[1]);
    c.anchor.ft_low[0] = from->anchor_low[0];
    c.anchor.ft_low[1] = from->anchor_low[1];
  }
  return c;
}

#if defined(JAGER_COMPACT_SINGLE_STORED) && !defined(JAGER_COMPACT_SINGLE)
/*
 * Rounds what the step has changed to the numbers that are stored. A segment that has no height then is dropped. By
 * what this moves the end of the path goes to the residual, so that rounding does not accumulate.
 */
static JAGER_INLINE void round_contact(const jager_law *law, jager_pool *pool, contact_data *c)
{
  const double from = c->second.zeta_base, base = stored(c->top.zeta_base);
  vec2 end = vec2_add_scaled(vec2_of(0.0, 0.0), c->top.zeta_base - from, c->second.p);
  end = vec2_add_scaled(end, c->zeta - c->top.zeta_base, c->top.p);
  c->top.p = vec2_of(stored(c->top.p.x), stored(c->top.p.y));
  if (c->length > 2 && base >= c->zeta) {
    c->top.p = c->second.p;
    history_drop_second(law, pool, c);
  } else if (c->length > 2 && base <= from) {
    history_drop_second(law, pool, c);
  } else {
    set_top_base(c, base, normal_force(law, c->stiffness, base));
    end = vec2_add_scaled(end, from - base, c->second.p);
  }
  end = vec2_add_scaled(end, c->top.zeta_base - c->zeta, c->top.p);
  c->xi_residual = vec2_add(c->xi_residual, end);
  /* the anchor, high and low, as two floats each: 48 bits */
  const compensated_vec2 ft = anchor_of(c);
  const vec2 high = vec2_of(stored(ft.high.x), stored(ft.high.y));
  const compensated_vec2 split = {high, vec2_add(vec2_subtract(ft.high, high), ft.low)};
  set_anchor(c, split);
}
#endif

/* The entries are in place. Unused points are zero, so that equal contacts have equal bytes. */
static JAGER_INLINE void store_contact(const contact_data *c, jager_compact *to)
{
  const uint32_t n = c->length - 1, used = n > to->points ? n : to->points;
  for (uint32_t k = c->fill; k < used; k++) {
    const bool second = k + 2 == n, top = k + 1 == n;
    const vec2 p = top ? c->top.p : second ? c->second.p : vec2_of(0.0, 0.0);
    to->zeta[k] = (jager_compact_stored)(top ? c->zeta : second ? c->top.zeta_base : 0.0);
    to->slope[k][0] = (jager_compact_stored)p.x;
    to->slope[k][1] = (jager_compact_stored)p.y;
    to->bound[k] = top ? c->error_bound.top : second ? c->error_bound.second : 0;
  }
  if (n == 0)
    to->zeta[0] = (jager_compact_stored)c->zeta;
  to->residual[0] = (jager_compact_stored)c->xi_residual.x;
  to->residual[1] = (jager_compact_stored)c->xi_residual.y;
  to->anchor[0] = (jager_compact_stored)c->anchor.ft.x;
  to->anchor[1] = (jager_compact_stored)c->anchor.ft.y;
  to->anchor_low[0] = c->anchor.ft_low[0];
  to->anchor_low[1] = c->anchor.ft_low[1];
  to->stiffness = (jager_compact_stored)c->stiffness;
  to->friction = (jager_compact_stored)c->friction;
  to->points = n;
  to->state = c->state;
}

/* ---- Movements --------------------------------------------------------------------------------------------------- */

static JAGER_INLINE int check_compact(const jager_law *law, double stiffness, double zeta, const double dxi[2])
{
  if (!(law->friction >= 0.0 && law->friction <= FRICTION_MAX && law->inverse_kappa > 0.0 &&
        law->inverse_kappa <= 4.0 && law->tolerance >= 0.0 && law->tolerance <= 1.0))
    return JAGER_COMPACT_FRICTION;
  if (law->exponent != 2.0 && law->exponent != 1.0)
    return JAGER_COMPACT_CONTOUR;
  if (!(stiffness > 0.0 && stiffness <= STIFFNESS_MAX))
    return JAGER_COMPACT_STIFFNESS;
  if (real_abs(zeta) <= ZETA_MAX && real_abs(dxi[0]) <= XI_MAX && real_abs(dxi[1]) <= XI_MAX)
    return JAGER_COMPACT_OK;
  return zeta - zeta == 0.0 && dxi[0] - dxi[0] == 0.0 && dxi[1] - dxi[1] == 0.0 ? JAGER_COMPACT_TOO_LARGE
                                                                                : JAGER_COMPACT_NOT_FINITE;
}

static JAGER_INLINE void move_compact(const jager_law *law, contact_data *c, double zeta, const double dxi[2])
{
  const vec2 e = shift_while_touching(law, c, zeta, dxi);
  double zeta_slip;
  if (!(zeta > 0.0)) {
    *c = contact_apart(c->entries, zeta, c->stiffness, law->friction);
    return;
  }
  if (law->friction < c->friction && c->zeta > 0.0)
    (void)lower_friction(law, c->entries, c);
  if (c->zeta > 0.0) {
    if (zeta != c->zeta || !vec2_is_zero(e))
      (void)step(law, c->entries, c, movement_target(law, c, zeta, e), &zeta_slip);
  } else {
    step_target t = {zeta, normal_force(law, c->stiffness, zeta), e, SPACE_MOVEMENT};
    step_first(law, c, t, &zeta_slip);
  }
  c->friction = law->friction;
}

/*
 * Moves the bodies to the half-overlap zeta, m (zeta <= 0: half the gap is -zeta), and sideways by dxi, the change of
 * the half-shift, m. `stiffness` is C of Fn = C ζ^(1+1/α) (jager_compact_stiffness_of_spheres); it may change while the
 * bodies touch, and so may the friction of the law. Returns JAGER_COMPACT_OK, or why nothing was done: then contact and
 * force are as before. `force` may be NULL.
 */
static JAGER_INLINE int jager_compact_move(jager_compact_law law, jager_compact *contact, double stiffness, double zeta,
                                           const double dxi[2], jager_compact_force *force)
{
  const int status = check_compact(&law, stiffness, zeta, dxi);
  if (status != JAGER_COMPACT_OK)
    return status;
  if (contact->points > JAGER_COMPACT_POINTS)
    return JAGER_COMPACT_CORRUPT;
  contact_data c = load_contact(&law, contact, stiffness);
  if (c.stiffness != stiffness && c.length > 1)
    set_stiffness(&law, &c, stiffness);
  c.stiffness = stiffness;
  move_compact(&law, &c, stored(zeta), dxi);
#if defined(JAGER_COMPACT_SINGLE_STORED) && !defined(JAGER_COMPACT_SINGLE)
  if (c.length > 1)
    round_contact(&law, contact, &c);
#endif
  if (force)
    *force = force_of(&c);
  store_contact(&c, contact);
  return JAGER_COMPACT_OK;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* The force after the last movement, N, with the friction that it had; of the law only the exponent counts. */
static JAGER_INLINE jager_compact_force jager_compact_force_of(jager_compact_law law, const jager_compact *contact)
{
  jager_compact copy = *contact;
  const contact_data c = load_contact(&law, &copy, copy.stiffness);
  return force_of(&c);
}

/*
 * By how much the tangential force may differ from that of an exact contact that has made the same movements, N; never
 * more than 2 f Fn. Proven for movements along a line and friction that does not fall; docs/theory.md says what holds
 * in the plane. It does not contain rounding, which matters in single precision only.
 */
static JAGER_INLINE double jager_compact_error(jager_compact_law law, const jager_compact *contact)
{
  if (contact->points == 0)
    return 0.0;
  const double fn = normal_force(&law, contact->stiffness, contact->zeta[contact->points - 1]);
  return real_min(double_from_high32(contact->bound[contact->points - 1]), 2.0 * contact->friction * fn);
}

/* ---- Materials --------------------------------------------------------------------------------------------------- */

/* The law of spheres of one material: Poisson's ratio in (-1, 0.5], friction. No tolerance. */
static JAGER_INLINE jager_compact_law jager_compact_law_of(double poisson, double friction)
{
  jager_compact_law law = {friction, 2.0 * (1.0 - poisson) / (2.0 - poisson), 2.0, 0.0};
  return law;
}

/*
 * Dashpots with the share β of critical damping beside the springs of a contact, for jager_compact_dashpot_damp.
 */
static JAGER_INLINE jager_dashpot jager_dashpot_of(jager_compact_law law, double share)
{
  jager_dashpot dashpot = {2.0 * share, 0.5 * (1.0 + 1.0 / law.exponent), real_sqrt(law.inverse_kappa)};
  return dashpot;
}

/*
 * C of Fn = C ζ^1.5 between two spheres of one material (shear modulus, Pa; radii, m). With a wall, radius_b is a very
 * large number or infinite.
 */
static JAGER_INLINE double jager_compact_stiffness_of_spheres(double shear_modulus, double poisson, double radius_a,
                                                              double radius_b)
{
  const double smaller = real_min(radius_a, radius_b), larger = real_max(radius_a, radius_b);
  const double modulus = 8.0 / 3.0 * shear_modulus / (1.0 - poisson);
  return modulus * real_sqrt(2.0 * smaller / (1.0 + smaller / larger));
}
