/* SPDX-License-Identifier: MIT */
/* Twins of contacts: they make the same movements with approximate histories. */
#include "twins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct twin {
  uint32_t exact_length; /* of the contact's own history */
  jager_contact contacts[TWIN_WAYS_MAX];
} twin;

/* Chooses one in TWIN_SHARE contacts by the ids, so that every run has the same ones. */
static bool is_chosen(const uint32_t ids[2])
{
  uint64_t mixed = ((uint64_t)ids[0] << 32 | ids[1]) * 0x9E3779B97F4A7C15u;
  return (mixed >> 40) % TWIN_SHARE == 0;
}

static void keep_failure(twins *of, jager_status status)
{
  if (of->status == JAGER_OK)
    of->status = status;
}

static void *begin(void *context, const uint32_t ids[2], const double radii[2], const jager_contact *present)
{
  twins *of = context;
  if (of->is_closed || !is_chosen(ids))
    return NULL;
  twin *made = calloc(1, sizeof *made);
  if (!made) {
    keep_failure(of, JAGER_ERROR_MEMORY);
    return NULL;
  }
  made->exact_length = present ? jager_contact_length(present) : 1;
  of->count++;
  of->exact_length += made->exact_length;
  for (int k = 0; k < of->way_count; k++) {
    keep_failure(of, present ? jager_contact_clone(present, of->pools[k], &made->contacts[k])
                             : jager_contact_init(&made->contacts[k], &of->laws[k], radii[0], radii[1]));
    of->lengths[k] += jager_contact_length(&made->contacts[k]);
  }
  return made;
}

static void add_error(twin_errors *to, double error, const jager_force *force, double friction)
{
  double share = error / (friction * force->fn), of_force = error / hypot(force->fn, hypot(force->ft[0], force->ft[1]));
  to->size_max = fmax(to->size_max, error);
  to->above += share > TWIN_NOTABLE;
  to->sum += share;
  to->max = fmax(to->max, share);
  to->force_sum += of_force;
  to->force_max = fmax(to->force_max, of_force);
}

static void move(void *context, void *own, double zeta, const double dxi[2], const jager_force *force, uint32_t length)
{
  twins *of = context;
  twin *t = own;
  if (of->is_closed || of->status != JAGER_OK)
    return;
  of->movements++;
  of->limit_sum += of->laws[0].friction * force->fn;
  of->exact_length += (double)length - (double)t->exact_length;
  t->exact_length = length;
  for (int k = 0; k < of->way_count; k++) {
    jager_force approximate;
    double before = jager_contact_length(&t->contacts[k]);
    keep_failure(of, jager_contact_move(&t->contacts[k], &of->laws[k], of->pools[k], zeta, dxi, &approximate));
    of->lengths[k] += jager_contact_length(&t->contacts[k]) - before;
    of->longest[k] = fmax(of->longest[k], jager_contact_length(&t->contacts[k]));
    add_error(&of->errors[k], hypot(approximate.ft[0] - force->ft[0], approximate.ft[1] - force->ft[1]), force,
              of->laws[k].friction);
  }
}

static void end(void *context, void *own)
{
  twins *of = context;
  twin *t = own;
  of->count--;
  of->exact_length -= t->exact_length;
  for (int k = 0; k < of->way_count; k++) {
    of->lengths[k] -= jager_contact_length(&t->contacts[k]);
    jager_contact_release(&t->contacts[k], of->pools[k]);
  }
  free(t);
}

bool twins_init(twins *of, const jager_law *law, const twin_way *ways, int way_count)
{
  *of = (twins){.ways = ways, .way_count = way_count};
  of->follower = (dem_trace_follower){.context = of, .begin = begin, .move = move, .end = end};
  for (int k = 0; k < way_count; k++) {
    of->laws[k] = *law;
    of->pools[k] = jager_pool_create(0);
    keep_failure(of, of->pools[k] ? JAGER_OK : JAGER_ERROR_MEMORY);
    keep_failure(of, jager_law_set_dp_max(&of->laws[k], ways[k].dp_max * law->friction));
    keep_failure(of, jager_law_set_tolerance(&of->laws[k], ways[k].tolerance));
  }
  return of->status == JAGER_OK;
}

void twins_close(twins *of)
{
  of->is_closed = true;
}

void twins_free(twins *of)
{
  for (int k = 0; k < of->way_count; k++) {
    jager_pool_destroy(of->pools[k]);
    of->pools[k] = NULL;
  }
}
