/* SPDX-License-Identifier: MIT */
/* From a simulation to its elastic network, without rattlers. */
#include "network.h"
#include "dem/contacts.h"

#include <math.h>
#include <string.h>

static moduli_contact contact_of(const dem_simulation *s, const contact_walk *at)
{
  bool sticks = s->law.friction > 0.0; /* without friction no contact sticks, and shear forces end in the next step */
  double zeta = jager_contact_zeta(&at->contact), share = sticks ? 1.0 : 0.0;
  jager_stiffness stiffness = {0.0, 0.0};
  (void)jager_contact_stiffness(&at->contact, &s->law, &stiffness); /* the contact was made with this law */
  vec3 n = frame_normal(&at->frame), e = at->frame.axis, f = vec3_cross(n, e), none = {0.0, 0.0, 0.0};
  return (moduli_contact){
      .p = s->grains ? s->grain_of[at->p] : at->p,
      .q = s->grains ? s->grain_of[at->q] : at->q, /* not less: grains are in the order of spheres */
      .n = n,
      .shear = vec3_add(vec3_scale(share * at->frame.ft[0], e), vec3_scale(share * at->frame.ft[1], f)),
      .distance = vec3_length(at->frame.branch),
      .arm_p = s->bodies[at->p].radius - zeta,
      .arm_q = s->bodies[at->q].radius - zeta,
      .center_p = s->grains ? dem_clump_lever(s, at->p) : none,
      .center_q = s->grains ? dem_clump_lever(s, at->q) : none,
      .fn = jager_contact_fn(&at->contact),
      .kn = stiffness.normal,
      .kt = sticks ? stiffness.tangential : 0.0};
}

/* Σ g a ⊗ a over the principal axes a of a clump */
static void find_gyration(const clump *c, double gyration[DEM_COMPONENTS])
{
  memset(gyration, 0, DEM_COMPONENTS * sizeof *gyration);
  for (int k = 0; k < 3; k++) {
    vec3 a = quaternion_turn(c->turn, (vec3){k == 0, k == 1, k == 2});
    gyration[DEM_XX] += c->gyration[k] * a.x * a.x;
    gyration[DEM_YY] += c->gyration[k] * a.y * a.y;
    gyration[DEM_ZZ] += c->gyration[k] * a.z * a.z;
    gyration[DEM_XY] += c->gyration[k] * a.x * a.y;
    gyration[DEM_XZ] += c->gyration[k] * a.x * a.z;
    gyration[DEM_YZ] += c->gyration[k] * a.y * a.z;
  }
}

bool moduli_network_take(moduli_network *network, const dem_simulation *s, error_info *error)
{
  double volume = dem_cell_volume(s->cell);
  size_t count = s->grain_count;
  *network = (moduli_network){.grain_count = count,
                              .sphere_count = s->count,
                              .radius = malloc((count + 1) * sizeof *network->radius),
                              .gyration = s->grains ? malloc((count + 1) * sizeof *network->gyration) : NULL,
                              .contacts = malloc((s->contact_count + 1) * sizeof *network->contacts),
                              .volume = volume,
                              .density = s->run->material.density * s->solid_volume / volume,
                              .friction = s->law.friction};
  if (!network->radius || (s->grains && !network->gyration) || !network->contacts) {
    moduli_network_free(network);
    return error_out_of_memory(error);
  }
  for (size_t i = 0; i < count; i++) {
    network->radius[i] = s->grains ? s->grains[i].radius : s->bodies[i].radius;
    if (s->grains)
      find_gyration(&s->grains[i], network->gyration[i]);
  }
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);)
    if (jager_contact_zeta(&at.contact) > 0.0)
      network->contacts[network->contact_count++] = contact_of(s, &at);
  return true;
}

void moduli_network_free(moduli_network *network)
{
  free(network->radius);
  free(network->gyration);
  free(network->contacts);
  *network = (moduli_network){.grain_count = 0};
}

static vec3 force_of(const moduli_contact *c)
{
  return vec3_subtract(vec3_scale(c->fn, c->n), c->shear);
}

vec3 moduli_branch(const moduli_contact *c)
{
  return vec3_add(vec3_scale(c->distance, c->n), vec3_subtract(c->center_p, c->center_q));
}

void moduli_network_stress(const moduli_network *network, double stress[3][3])
{
  for (int i = 0; i < 9; i++)
    stress[i / 3][i % 3] = 0.0;
  for (size_t k = 0; k < network->contact_count; k++) {
    const moduli_contact *c = &network->contacts[k];
    vec3 f = force_of(c), l = moduli_branch(c);
    const double force[3] = {f.x, f.y, f.z}, branch[3] = {l.x, l.y, l.z};
    for (int i = 0; i < 9; i++)
      stress[i / 3][i % 3] += force[i / 3] * branch[i % 3] / network->volume;
  }
}

double moduli_network_unbalanced(const moduli_network *network)
{
  vec3 *resultant = calloc(network->grain_count + 1, sizeof *resultant);
  if (!resultant)
    return -1.0;
  double normal = 0.0, sum = 0.0;
  for (size_t k = 0; k < network->contact_count; k++) {
    const moduli_contact *c = &network->contacts[k];
    resultant[c->p] = vec3_subtract(resultant[c->p], force_of(c));
    resultant[c->q] = vec3_add(resultant[c->q], force_of(c));
    normal += c->fn;
  }
  for (size_t i = 0; i < network->grain_count; i++)
    sum += vec3_length(resultant[i]);
  free(resultant);
  return normal > 0.0 ? sum / (double)network->grain_count / (normal / (double)network->contact_count) : 0.0;
}

/* ---- Rattlers ---------------------------------------------------------------------------------------------------- */

/* Directions and friction are compared to this accuracy, so that lattices count as what they are. */
#define ROUNDING 1e-9

/* The contacts of each grain: grain i has list[start[i]] ... list[start[i + 1] - 1]. */
typedef struct contact_lists {
  size_t *start, *list;
  bool *is_rattler;
  uint32_t *queue; /* grains to be looked at again; each is in it at most once for each of its contacts */
} contact_lists;

enum { NORMALS_MAX = 64 }; /* more contacts than a grain of a realistic grading has: such a grain is no rattler */

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

/* Can a force along the line from one contact point to the other press on both within their friction cones? */
static bool can_be_strut(const moduli_network *network, const vec3 n[2], const vec3 point[2])
{
  vec3 line = vec3_subtract(point[0], point[1]);
  double along[2];
  for (int k = 0; k < 2; k++) {
    along[k] = vec3_dot(n[k], line);
    if (!(vec3_length(vec3_cross(n[k], line)) <= (network->friction + ROUNDING) * fabs(along[k])))
      return false;
  }
  return along[0] * along[1] < 0.0;
}

static bool can_carry(const moduli_network *network, const contact_lists *of, uint32_t grain)
{
  vec3 n[NORMALS_MAX]; /* the outward normals of the contacts with grains that are no rattlers */
  vec3 point[2];       /* the first two contact points, from the centroid */
  size_t count = 0;
  for (size_t k = of->start[grain]; k < of->start[grain + 1] && count < NORMALS_MAX; k++) {
    const moduli_contact *c = &network->contacts[of->list[k]];
    bool is_first = c->p == grain;
    if (of->is_rattler[is_first ? c->q : c->p])
      continue;
    n[count] = is_first ? c->n : vec3_scale(-1.0, c->n);
    if (count < 2)
      point[count] = vec3_add_scaled(is_first ? c->center_p : c->center_q, is_first ? c->arm_p : c->arm_q, n[count]);
    count++;
  }
  if (count < 2)
    return false;
  if (count == 2)
    return can_be_strut(network, n, point);
  return network->friction > 0.0 || count == NORMALS_MAX || !has_plane(n, count);
}

/* Makes the lists, and marks the rattlers: all grains are looked at, then again each neighbour of a rattler. */
static bool mark_rattlers(const moduli_network *network, contact_lists *of, size_t *rattlers)
{
  size_t grains = network->grain_count, contacts = network->contact_count, queued = 0;
  *of = (contact_lists){.start = calloc(grains + 2, sizeof *of->start),
                        .list = malloc((2 * contacts + 1) * sizeof *of->list),
                        .is_rattler = calloc(grains + 1, sizeof *of->is_rattler),
                        .queue = malloc((grains + 2 * contacts + 1) * sizeof *of->queue)};
  if (!of->start || !of->list || !of->is_rattler || !of->queue)
    return false;
  size_t *next = of->start + 1; /* where the next contact of each grain goes; ends as the start of the next grain */
  for (size_t k = 0; k < contacts; k++) {
    next[network->contacts[k].p + 1]++;
    next[network->contacts[k].q + 1]++;
  }
  for (size_t i = 0; i < grains; i++)
    next[i + 1] += next[i];
  for (size_t k = 0; k < contacts; k++) {
    of->list[next[network->contacts[k].p]++] = k;
    of->list[next[network->contacts[k].q]++] = k;
  }
  *rattlers = 0;
  for (size_t i = 0; i < grains; i++)
    of->queue[queued++] = (uint32_t)i;
  for (size_t at = 0; at < queued; at++) {
    uint32_t grain = of->queue[at];
    if (of->is_rattler[grain] || can_carry(network, of, grain))
      continue;
    of->is_rattler[grain] = true;
    ++*rattlers;
    for (size_t k = of->start[grain]; k < of->start[grain + 1]; k++) {
      const moduli_contact *c = &network->contacts[of->list[k]];
      of->queue[queued++] = c->p == grain ? c->q : c->p;
    }
  }
  return true;
}

bool moduli_rattlers_remove(moduli_network *network, size_t *count, error_info *error)
{
  contact_lists lists;
  bool done = mark_rattlers(network, &lists, count);
  if (done) { /* numbers the other grains anew */
    const bool *is_rattler = lists.is_rattler;
    uint32_t *number = lists.queue;
    size_t grains = 0, contacts = 0;
    for (size_t i = 0; i < network->grain_count; i++) {
      number[i] = (uint32_t)grains;
      network->radius[grains] = network->radius[i];
      if (network->gyration)
        memmove(network->gyration[grains], network->gyration[i], sizeof *network->gyration);
      grains += !is_rattler[i];
    }
    for (size_t k = 0; k < network->contact_count; k++) {
      moduli_contact c = network->contacts[k];
      if (is_rattler[c.p] || is_rattler[c.q])
        continue;
      c.p = number[c.p];
      c.q = number[c.q];
      network->contacts[contacts++] = c;
    }
    network->grain_count = grains;
    network->contact_count = contacts;
  }
  free(lists.start);
  free(lists.list);
  free(lists.is_rattler);
  free(lists.queue);
  return done || error_out_of_memory(error);
}
