/* SPDX-License-Identifier: MIT */
/* Finding and removing rattlers: see rattlers.h. */
#include "rattlers.h"

#include <math.h>
#include <stdlib.h>

/* Directions and friction are compared to this accuracy, so that lattices count as what they are. */
#define ROUNDING 1e-9

/* The contacts of each sphere: those of sphere i are list[start[i]] ... list[start[i + 1] - 1]. */
typedef struct contact_lists {
  size_t *start, *list;
  bool *is_rattler;
  uint32_t *queue; /* spheres to be looked at again; each is in it at most once for each of its contacts */
  size_t queued;
} contact_lists;

static void lists_free(contact_lists *of)
{
  free(of->start);
  free(of->list);
  free(of->is_rattler);
  free(of->queue);
}

static bool lists_make(contact_lists *of, const moduli_network *network)
{
  size_t spheres = network->sphere_count, contacts = network->contact_count;
  *of = (contact_lists){.start = calloc(spheres + 2, sizeof *of->start),
                        .list = malloc((2 * contacts + 1) * sizeof *of->list),
                        .is_rattler = calloc(spheres + 1, sizeof *of->is_rattler),
                        .queue = malloc((spheres + 2 * contacts + 1) * sizeof *of->queue)};
  if (!of->start || !of->list || !of->is_rattler || !of->queue)
    return false;
  size_t *next = of->start + 1; /* where the next contact of each sphere goes; ends as the start of the next sphere */
  for (size_t k = 0; k < contacts; k++) {
    next[network->contacts[k].p + 1]++;
    next[network->contacts[k].q + 1]++;
  }
  for (size_t i = 0; i < spheres; i++)
    next[i + 1] += next[i];
  for (size_t k = 0; k < contacts; k++) {
    of->list[next[network->contacts[k].p]++] = k;
    of->list[next[network->contacts[k].q]++] = k;
  }
  return true;
}

enum { NORMALS_MAX = 64 }; /* more contacts than a sphere of a realistic grading has: such a sphere is no rattler */

/* The outward normals of the contacts with spheres that are no rattlers. Returns their number. */
static size_t normals_of(const moduli_network *network, const contact_lists *of, uint32_t sphere,
                         vec3 normals[NORMALS_MAX])
{
  size_t count = 0;
  for (size_t k = of->start[sphere]; k < of->start[sphere + 1] && count < NORMALS_MAX; k++) {
    const moduli_contact *c = &network->contacts[of->list[k]];
    bool is_first = c->p == sphere;
    if (!of->is_rattler[is_first ? c->q : c->p])
      normals[count++] = is_first ? c->n : vec3_scale(-1.0, c->n);
  }
  return count;
}

/*
 * The contact points are at R n and R m: the line through them is along n - m. Its angle α with n has cos α = |n - m|/2
 * and sin α = |n + m|/2.
 */
static bool is_strut(vec3 n, vec3 m, double friction)
{
  return vec3_length(vec3_add(n, m)) <= (friction + ROUNDING) * vec3_length(vec3_subtract(n, m));
}

/* Is no normal on the other side of the plane across v, and at least one not in it? */
static bool is_on_one_side(vec3 v, const vec3 *normals, size_t count)
{
  bool has_one = false;
  for (size_t k = 0; k < count; k++) {
    double height = vec3_dot(v, normals[k]);
    if (height < -ROUNDING)
      return false;
    has_one = has_one || height > ROUNDING;
  }
  return has_one;
}

/* If there is such a plane, there is one through two of the contacts. */
static bool has_plane(const vec3 *normals, size_t count)
{
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 1; j < count; j++) {
      vec3 v = vec3_cross(normals[i], normals[j]);
      double length = vec3_length(v);
      if (length < ROUNDING)
        continue;
      v = vec3_scale(1.0 / length, v);
      if (is_on_one_side(v, normals, count) || is_on_one_side(vec3_scale(-1.0, v), normals, count))
        return true;
    }
  return false;
}

static bool can_carry(const moduli_network *network, const contact_lists *of, uint32_t sphere)
{
  vec3 normals[NORMALS_MAX];
  size_t count = normals_of(network, of, sphere, normals);
  if (count < 2)
    return false;
  if (count == 2)
    return is_strut(normals[0], normals[1], network->friction);
  return network->friction > 0.0 || count == NORMALS_MAX || !has_plane(normals, count);
}

/* Marks the rattlers: all spheres are looked at, then again each neighbour of a rattler. */
static size_t mark(const moduli_network *network, contact_lists *of)
{
  size_t rattlers = 0;
  for (size_t i = 0; i < network->sphere_count; i++)
    of->queue[of->queued++] = (uint32_t)i;
  for (size_t at = 0; at < of->queued; at++) {
    uint32_t sphere = of->queue[at];
    if (of->is_rattler[sphere] || can_carry(network, of, sphere))
      continue;
    of->is_rattler[sphere] = true;
    rattlers++;
    for (size_t k = of->start[sphere]; k < of->start[sphere + 1]; k++) {
      const moduli_contact *c = &network->contacts[of->list[k]];
      of->queue[of->queued++] = c->p == sphere ? c->q : c->p;
    }
  }
  return rattlers;
}

/* Numbers the other spheres anew; `number` gets the new numbers. */
static void remove_marked(moduli_network *network, const bool *is_rattler, uint32_t *number)
{
  size_t spheres = 0, contacts = 0;
  for (size_t i = 0; i < network->sphere_count; i++) {
    number[i] = (uint32_t)spheres;
    network->radius[spheres] = network->radius[i];
    spheres += !is_rattler[i];
  }
  for (size_t k = 0; k < network->contact_count; k++) {
    moduli_contact c = network->contacts[k];
    if (is_rattler[c.p] || is_rattler[c.q])
      continue;
    c.p = number[c.p];
    c.q = number[c.q];
    network->contacts[contacts++] = c;
  }
  network->sphere_count = spheres;
  network->contact_count = contacts;
}

bool moduli_rattlers_remove(moduli_network *network, size_t *count, error_info *error)
{
  contact_lists lists;
  bool done = lists_make(&lists, network);
  if (done) {
    *count = mark(network, &lists);
    remove_marked(network, lists.is_rattler, lists.queue);
  }
  lists_free(&lists);
  return done || error_out_of_memory(error);
}
