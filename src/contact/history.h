/* SPDX-License-Identifier: MIT */
/*
 * A contact and its equivalent load history as a whole.
 *
 * The history is a stack of straight segments. Segment i runs from ζ*ᵢ₋₁ (its base) to ζ*ᵢ (its end) with the slope
 * p*ᵢ; the lowest one starts at ζ* = 0. Storage is in entries.h, what changes it at the upper end in upper_end.h. Most
 * slips drop the top, cut the second segment and put a new top on it: they touch no entry.
 */
#ifndef JAGER_HISTORY_H
#define JAGER_HISTORY_H

#include "upper_end.h"

/* A contact without a history: ζ = 0, not touching */
static JAGER_INLINE contact_data contact_untouched(double stiffness, double friction, uint8_t model)
{
  return (contact_data){
      .stiffness = stiffness, .friction = friction, .length = 1, .state = JAGER_STATE_APART, .model = model};
}

/* True if the contact holds a history; overwriting it would leak the nodes. */
static inline bool contact_is_in_use(const contact_data *c)
{
  return c->length > 1;
}

/* Why the law and the contact cannot be used together, or JAGER_OK */
static JAGER_INLINE jager_status check_law_of(const jager_law *law, const contact_data *c)
{
  if (!(law->modulus > 0.0))
    return JAGER_ERROR_NO_MATERIAL;
  if (c->length == 0)
    return JAGER_ERROR_UNINITIALISED;
  return (int)law->model == (int)c->model ? JAGER_OK : JAGER_ERROR_MODEL;
}

/* Gives the nodes down to `end` (not included) back to the pool. */
void jager_history_free_nodes(jager_pool *pool, history_node *node, const history_node *end);

/* Copies the nodes from `from` down to `end`, which is shared, and links the copies to *link. They must be free. */
void jager_history_copy_nodes(jager_pool *pool, const history_node *from, history_node *end, history_node **link);

/* Gives the history of a contact of any law back to the pool. */
void jager_contact_forget(jager_pool *pool, contact_data *c);

/* The bodies separate: half the gap is -zeta, zeta <= 0. */
void jager_contact_separate(const jager_law *law, jager_pool *pool, contact_data *c, double zeta);

/* A copy with nodes of its own. */
jager_status jager_contact_copy(const contact_data *from, jager_pool *pool, contact_data *to);

/*
 * For assertions: the invariants of a touching contact of the exact law. ζ* rises strictly, |p*| <= f, the error bounds
 * do not fall, `fill` and `length` agree, and |Ft| <= f Fn. Looks at no more than the topmost segments, so that debug
 * builds can afford it after each movement.
 */
bool jager_history_is_valid(const contact_data *c);

#endif
