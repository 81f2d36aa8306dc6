/* SPDX-License-Identifier: MIT */
/* Snapshots of the assembly. */
#include "snapshot.h"
#include "contacts.h"
#include "step.h"

/* Spheres are sorted by id, which may have gaps. */
typedef struct order_entry {
  uint32_t id, index;
} order_entry;

static int compare_ids(const void *left, const void *right)
{
  const order_entry *a = left, *b = right;
  return a->id < b->id ? -1 : a->id > b->id;
}

static int compare_contacts(const void *left, const void *right)
{
  const dem_contact_view *a = left, *b = right;
  if (a->ids[0] != b->ids[0])
    return a->ids[0] < b->ids[0] ? -1 : 1;
  return a->ids[1] < b->ids[1] ? -1 : a->ids[1] > b->ids[1];
}

jager_status dem_snapshot_take(const dem_simulation *s, dem_snapshot *snapshot)
{
  upper_matrix h = s->cell;
  *snapshot = (dem_snapshot){.step = s->step,
                             .time = s->time,
                             .cell = {{h.xx, h.xy, h.xz}, {0.0, h.yy, h.yz}, {0.0, 0.0, h.zz}},
                             .sphere_count = s->count,
                             .contact_count = s->contact_count,
                             .spheres = calloc(s->count, sizeof *snapshot->spheres),
                             .contacts = calloc(s->contact_count + 1, sizeof *snapshot->contacts)};
  order_entry *order = malloc(s->count * sizeof *order);
  uint32_t *rank = malloc(s->count * sizeof *rank); /* of each sphere, by its id */
  if (!order || !rank || !snapshot->spheres || !snapshot->contacts) {
    dem_snapshot_free(snapshot);
    free(order);
    free(rank);
    return JAGER_ERROR_MEMORY;
  }

  for (size_t i = 0; i < s->count; i++)
    order[i] = (order_entry){s->ids[i], (uint32_t)i};
  qsort(order, s->count, sizeof *order, compare_ids);
  for (size_t k = 0; k < s->count; k++) {
    size_t i = order[k].index;
    dem_sphere_view *view = &snapshot->spheres[k];
    vec3 force, torque;
    forces_gather(s, i, &force, &torque);
    rank[i] = (uint32_t)k;
    view->id = order[k].id;
    vec3_store(view->position, dem_cell_wrap(s->cell, vec3_load(s->bodies[i].x)));
    view->radius = s->bodies[i].radius;
    vec3_store(view->velocity, s->motions[i].v);
    vec3_store(view->angular_velocity, s->motions[i].w);
    vec3_store(view->force, force);
  }

  dem_contact_view *view = snapshot->contacts;
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at); view++) {
    const jager_contact *c = &at.contact;
    const contact_frame *frame = &at.frame;
    bool in_order = s->ids[at.p] < s->ids[at.q];
    double sign = in_order ? 1.0 : -1.0; /* vectors point from the sphere with the smaller id to the other */
    vec3 n = frame_normal(frame), e = frame->axis, f = vec3_cross(n, e);
    vec3 tangential = vec3_add(vec3_scale(frame->ft[0], e), vec3_scale(frame->ft[1], f));
    vec3 force = vec3_subtract(vec3_scale(jager_contact_fn(c), n), tangential); /* of the springs on q */
    view->ids[0] = s->ids[in_order ? at.p : at.q];
    view->ids[1] = s->ids[in_order ? at.q : at.p];
    vec3_store(view->branch, vec3_scale(sign, frame->branch));
    vec3_store(view->normal, vec3_scale(sign, n));
    vec3_store(view->force, vec3_scale(sign, force));
    view->zeta = jager_contact_zeta(c);
    view->fn = jager_contact_fn(c);
    view->ft = sqrt(frame->ft[0] * frame->ft[0] + frame->ft[1] * frame->ft[1]);
    view->state = jager_contact_state(c);
    view->length = jager_contact_length(c);
    const uint32_t both[2] = {at.p, at.q};
    for (int k = 0; k < 2; k++) { /* the contact's share of the mean stress: a third of the trace of force ⊗ arm */
      dem_sphere_view *sphere = &snapshot->spheres[rank[both[k]]];
      sphere->pressure += view->fn * (sphere->radius - view->zeta) / (3.0 * sphere_volume(sphere->radius));
      sphere->contacts++;
    }
  }
  qsort(snapshot->contacts, (size_t)(view - snapshot->contacts), sizeof *view, compare_contacts);
  free(order);
  free(rank);
  return JAGER_OK;
}

void dem_snapshot_free(dem_snapshot *snapshot)
{
  free(snapshot->spheres);
  free(snapshot->contacts);
  *snapshot = (dem_snapshot){.step = 0};
}
