/* SPDX-License-Identifier: MIT */
/* Snapshots of the assembly. */
#include "snapshot.h"
#include "contacts.h"
#include "grains.h"
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

/* Where the views of spheres and grains are: by the numbers of these in the simulation. */
typedef struct view_places {
  uint32_t *spheres, *grains;
} view_places;

static bool allocate(dem_snapshot *snapshot, view_places *at)
{
  snapshot->spheres = calloc(snapshot->sphere_count, sizeof *snapshot->spheres);
  snapshot->contacts = calloc(snapshot->contact_count + 1, sizeof *snapshot->contacts);
  at->spheres = calloc(snapshot->sphere_count, sizeof *at->spheres);
  if (snapshot->grain_count > 0) {
    snapshot->grains = calloc(snapshot->grain_count, sizeof *snapshot->grains);
    at->grains = calloc(snapshot->grain_count, sizeof *at->grains);
  }
  return snapshot->spheres && snapshot->contacts && at->spheres &&
         (snapshot->grain_count == 0 || (snapshot->grains && at->grains));
}

static void take_sphere(dem_sphere_view *view, const dem_simulation *s, uint32_t i)
{
  vec3 force, torque;
  forces_gather(s, i, &force, &torque);
  view->id = s->ids[i];
  view->grain = s->grains ? dem_grain_of_sphere(s, i)->id : view->id;
  vec3_store(view->position, dem_cell_wrap(s->cell, vec3_load(s->bodies[i].x)));
  view->radius = s->bodies[i].radius;
  motion m = dem_clump_sphere_motion(s, i);
  vec3_store(view->velocity, m.v);
  vec3_store(view->angular_velocity, m.w);
  vec3_store(view->force, force);
}

static void take_grain(dem_grain_view *view, const dem_simulation *s, const clump *c)
{
  *view = (dem_grain_view){.id = c->id,
                           .shape = c->shape,
                           .quaternion = {c->turn.w, c->turn.x, c->turn.y, c->turn.z},
                           .mass = c->mass,
                           .diameter = 2.0 * c->radius,
                           .extent = c->extent,
                           .first_sphere = s->ids[c->first],
                           .spheres = c->count};
  vec3_store(view->position, dem_cell_wrap(s->cell, c->x));
  vec3_store(view->velocity, c->v);
  vec3_store(view->angular_velocity, dem_clump_spin(c, c->momentum));
  vec3_store(view->force, c->force);
  vec3_store(view->torque, c->torque);
}

/* Spheres by their ids. Grains come in the order of their first spheres, which is that of their own ids. */
static bool take_bodies(dem_snapshot *snapshot, const dem_simulation *s, view_places *at)
{
  order_entry *order = malloc(s->count * sizeof *order);
  uint32_t grains = 0;
  if (!order)
    return false;
  for (size_t i = 0; i < s->count; i++)
    order[i] = (order_entry){s->ids[i], (uint32_t)i};
  qsort(order, s->count, sizeof *order, compare_ids);
  for (size_t k = 0; k < s->count; k++) {
    uint32_t i = order[k].index;
    take_sphere(&snapshot->spheres[k], s, i);
    at->spheres[i] = (uint32_t)k;
    if (s->grains && dem_grain_of_sphere(s, i)->first == i) {
      at->grains[s->grain_of[i]] = grains;
      take_grain(&snapshot->grains[grains++], s, dem_grain_of_sphere(s, i));
    }
  }
  free(order);
  return true;
}

/*
 * Adds a contact to one of its spheres, and to its grain: their mean stress is a third of the trace of Σ force ⊗ arm
 * over their volume. `outwards` is the normal from the sphere, `force` the one on the other sphere.
 */
static void add_contact(dem_snapshot *snapshot, const dem_simulation *s, const view_places *at, uint32_t i,
                        const dem_contact_view *contact, vec3 outwards, vec3 force)
{
  dem_sphere_view *sphere = &snapshot->spheres[at->spheres[i]];
  double arm = sphere->radius - contact->zeta;
  sphere->pressure += contact->fn * arm / (3.0 * sphere_volume(sphere->radius));
  sphere->contacts++;
  if (!s->grains)
    return;
  dem_grain_view *grain = &snapshot->grains[at->grains[s->grain_of[i]]];
  vec3 from_centroid = vec3_add_scaled(dem_clump_lever(s, i), arm, outwards);
  grain->pressure += vec3_dot(force, from_centroid) / (3.0 * sphere_volume(0.5 * grain->diameter));
  grain->contacts++;
}

static void take_contacts(dem_snapshot *snapshot, const dem_simulation *s, const view_places *places)
{
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
    add_contact(snapshot, s, places, at.p, view, n, force);
    add_contact(snapshot, s, places, at.q, view, vec3_scale(-1.0, n), vec3_scale(-1.0, force));
  }
  qsort(snapshot->contacts, (size_t)(view - snapshot->contacts), sizeof *view, compare_contacts);
}

jager_status dem_snapshot_take(const dem_simulation *s, dem_snapshot *snapshot)
{
  upper_matrix h = s->cell;
  view_places at = {NULL, NULL};
  *snapshot = (dem_snapshot){.step = s->step,
                             .time = s->time,
                             .cell = {{h.xx, h.xy, h.xz}, {0.0, h.yy, h.yz}, {0.0, 0.0, h.zz}},
                             .sphere_count = s->count,
                             .contact_count = s->contact_count,
                             .grain_count = s->grains ? s->grain_count : 0};
  bool is_taken = allocate(snapshot, &at) && take_bodies(snapshot, s, &at);
  if (is_taken)
    take_contacts(snapshot, s, &at);
  else
    dem_snapshot_free(snapshot);
  free(at.spheres);
  free(at.grains);
  return is_taken ? JAGER_OK : JAGER_ERROR_MEMORY;
}

void dem_snapshot_free(dem_snapshot *snapshot)
{
  free(snapshot->spheres);
  free(snapshot->contacts);
  free(snapshot->grains);
  *snapshot = (dem_snapshot){.step = 0};
}
