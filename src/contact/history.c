/* SPDX-License-Identifier: MIT */
/* Histories as a whole: the anchor, releasing, copying, and the invariants that assertions check. */
#include "step.h"

#include <float.h>

JAGER_COLD void jager_history_sum_anchor(const jager_law *law, contact_data *c)
{
  sum_anchor(law, c);
}

void jager_history_free_nodes(jager_pool *pool, history_node *node, const history_node *end)
{
  while (node != end) {
    history_node *below = node->below;
    pool_give(pool, node);
    node = below;
  }
}

void jager_contact_forget(jager_pool *pool, contact_data *c)
{
  jager_history_free_nodes(pool, c->node, NULL);
  *c = contact_untouched(c->stiffness, c->friction, c->model);
}

void jager_contact_separate(const jager_law *law, jager_pool *pool, contact_data *c, double zeta)
{
  jager_contact_forget(pool, c);
  c->zeta = zeta;
  c->friction = law->friction;
}

void jager_contact_release(jager_contact *contact, jager_pool *pool)
{
  if (pool && contact)
    jager_contact_forget(pool, data_of(contact));
}

/* ---- Copy and compare -------------------------------------------------------------------------------------------- */

jager_status jager_contact_copy(const contact_data *from, jager_pool *pool, contact_data *to)
{
  size_t nodes = 0;
  for (const history_node *node = from->node; node; node = node->below)
    nodes++;
  if (!jager_pool_reserve(pool, nodes))
    return JAGER_ERROR_MEMORY;
  *to = *from;
  jager_history_copy_nodes(pool, from->node, NULL, &to->node);
  return JAGER_OK;
}

void jager_history_copy_nodes(jager_pool *pool, const history_node *from, history_node *end, history_node **link)
{
  for (; from != end; from = from->below) {
    *link = pool_take(pool);
    memcpy((*link)->entry, from->entry, sizeof from->entry);
    memcpy((*link)->error_bound, from->error_bound, sizeof from->error_bound);
    (*link)->entries_below = from->entries_below;
    (*link)->sums_are_known = false;
    link = &(*link)->below;
  }
  *link = end;
}

jager_status jager_contact_clone(const jager_contact *contact, jager_pool *pool, jager_contact *copy)
{
  if (!contact || !pool || !copy)
    return JAGER_ERROR_NULL;
  if (contact_is_in_use(data_of(copy)))
    return JAGER_ERROR_IN_USE;
  return jager_contact_copy(data_of_const(contact), pool, data_of(copy));
}

static bool same_entries(const history_node *a, const history_node *b, unsigned fill)
{
  for (; a && b; a = a->below, b = b->below, fill = NODE_ENTRIES)
    if (memcmp(a->entry, b->entry, fill * sizeof a->entry[0]) != 0 ||
        memcmp(a->error_bound, b->error_bound, fill * sizeof a->error_bound[0]) != 0)
      return false;
  return a == b; /* both NULL: of one length */
}

int jager_contact_equal(const jager_contact *a, const jager_contact *b)
{
  if (!a || !b)
    return a == b;
  const size_t bytes = offsetof(contact_data, points_since_shortening) + 1; /* no gap at the end, if there is one */
  contact_data x = *data_of_const(a), y = *data_of_const(b);
  const history_node *x_node = x.node, *y_node = y.node;
  x.node = y.node = NULL;
  /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): the bits are meant */
  return memcmp(&x, &y, bytes) == 0 && same_entries(x_node, y_node, x.fill);
}

/* ---- Invariants -------------------------------------------------------------------------------------------------- */

enum { SEGMENTS_CHECKED = 16 };

/*
 * Below this friction, (f Δζ)², which decides whether a step is elastic, may be a subnormal number, and then slopes may
 * exceed f: Δζ may be as small as 2^-54 JAGER_ZETA_MIN.
 */
#define FRICTION_CHECKED 1e-60

static bool force_is_within_friction(const contact_data *c)
{
  jager_force force = force_of(c);
  return c->friction < FRICTION_CHECKED ||
         vec2_length(vec2_from(force.ft)) <= c->friction * force.fn * (1.0 + 1e-9) + DBL_MIN;
}

static bool slope_is_within_friction(const contact_data *c, vec2 p)
{
  return c->friction < FRICTION_CHECKED ||
         vec2_length(p) <= c->friction * (1.0 + 1e-9) + DBL_MIN; /* as pack_check.c accepts it */
}

/* Entries are stored as `length` says, as far as they are looked at. */
static bool nodes_fit_length(const contact_data *c)
{
  uint32_t entries = c->length > 3 ? c->length - 3 : 0, counted = 0;
  if ((c->node == NULL) != (entries == 0) || (c->node ? c->fill < 1 || c->fill > NODE_ENTRIES : c->fill != 0))
    return false;
  FOR_EACH_ENTRY(at, c)
  if (++counted == SEGMENTS_CHECKED)
    return entries >= counted;
  return counted == entries;
}

bool jager_history_is_valid(const contact_data *c)
{
  if (c->length < 2 || !(c->zeta >= JAGER_ZETA_MIN) || !nodes_fit_length(c) || !force_is_within_friction(c) ||
      c->error_bound.top < c->error_bound.second || c->error_bound.second < error_bound_below_second(c))
    return false;
  int count = 0;
  FOR_EACH_SEGMENT(at, c)
  {
    if (!(at.zeta_base < at.zeta) || !slope_is_within_friction(c, at.p))
      return false;
    if (++count == SEGMENTS_CHECKED)
      return true;
    if (at.segments_left == 1 && at.zeta_base != 0.0)
      return false;
  }
  return true;
}
