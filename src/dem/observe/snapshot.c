/* SPDX-License-Identifier: MIT */
/* Snapshots of the assembly. */
#include "snapshot.h"
#include "dem/space/contact_walk.h"
#include "dem/step/motion.h"

#include <stdlib.h>

static void put_vector(double to[3], vec3 v)
{
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

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

static void view_sphere(const dem_simulation *s, size_t i, dem_sphere_view *view)
{
  vec3 force, torque;
  forces_gather(s, i, &force, &torque);
  put_vector(view->position, dem_cell_wrap(s->cell, s->bodies[i].x));
  view->radius = s->bodies[i].radius;
  put_vector(view->velocity, s->motions[i].v);
  put_vector(view->angular_velocity, s->motions[i].w);
  put_vector(view->force, force);
}

/* The force of the springs on q, without dashpots. */
static vec3 spring_force(const contact_walk *at)
{
  vec3 n = frame_normal(&at->frame), e = at->frame.axis, f = vec3_cross(n, e);
  vec3 tangential = vec3_add(vec3_scale(at->frame.ft[0], e), vec3_scale(at->frame.ft[1], f));
  return vec3_subtract(vec3_scale(jager_contact_fn(&at->contact), n), tangential);
}

/* Vectors point from the sphere with the smaller id to the other. */
static void view_contact(const dem_simulation *s, const contact_walk *at, dem_contact_view *view)
{
  const jager_contact *c = &at->contact;
  bool in_order = s->ids[at->p] < s->ids[at->q];
  double sign = in_order ? 1.0 : -1.0;
  view->ids[0] = s->ids[in_order ? at->p : at->q];
  view->ids[1] = s->ids[in_order ? at->q : at->p];
  put_vector(view->branch, vec3_scale(sign, at->frame.branch));
  put_vector(view->normal, vec3_scale(sign, frame_normal(&at->frame)));
  put_vector(view->force, vec3_scale(sign, spring_force(at)));
  view->zeta = jager_contact_zeta(c);
  view->fn = jager_contact_fn(c);
  view->ft = sqrt(at->frame.ft[0] * at->frame.ft[0] + at->frame.ft[1] * at->frame.ft[1]);
  view->state = jager_contact_state(c);
  view->length = jager_contact_length(c);
}

/* The contact's share of the mean stress of its two spheres: a third of the trace of force ⊗ arm, over the volume. */
static void add_pressure(const dem_simulation *s, dem_sphere_view *spheres, const uint32_t *rank, uint32_t p,
                         uint32_t q, double fn, double zeta)
{
  uint32_t both[2] = {p, q};
  for (int k = 0; k < 2; k++) {
    double r = s->bodies[both[k]].radius;
    spheres[rank[both[k]]].pressure += fn * (r - zeta) / (3.0 * sphere_volume(r));
    spheres[rank[both[k]]].contacts++;
  }
}

static void view_contacts(const dem_simulation *s, dem_snapshot *snapshot, const uint32_t *rank)
{
  size_t count = 0;
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);) {
    dem_contact_view *view = &snapshot->contacts[count++];
    view_contact(s, &at, view);
    add_pressure(s, snapshot->spheres, rank, at.p, at.q, view->fn, view->zeta);
  }
  qsort(snapshot->contacts, count, sizeof *snapshot->contacts, compare_contacts);
}

static void take_cell(const dem_simulation *s, dem_snapshot *snapshot)
{
  upper_matrix h = s->cell;
  double cell[3][3] = {{h.xx, h.xy, h.xz}, {0.0, h.yy, h.yz}, {0.0, 0.0, h.zz}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      snapshot->cell[i][j] = cell[i][j];
}

/* Fills in the spheres by rising id, and the rank of each sphere in that order. */
static void view_spheres(const dem_simulation *s, dem_snapshot *snapshot, order_entry *order, uint32_t *rank)
{
  for (size_t i = 0; i < s->count; i++)
    order[i] = (order_entry){s->ids[i], (uint32_t)i};
  qsort(order, s->count, sizeof *order, compare_ids);
  for (size_t k = 0; k < s->count; k++) {
    rank[order[k].index] = (uint32_t)k;
    snapshot->spheres[k].id = order[k].id;
    view_sphere(s, order[k].index, &snapshot->spheres[k]);
  }
}

jager_status dem_snapshot_take(const dem_simulation *s, dem_snapshot *snapshot)
{
  *snapshot =
      (dem_snapshot){.step = s->step, .time = s->time, .sphere_count = s->count, .contact_count = s->contact_count};
  order_entry *order = malloc(s->count * sizeof *order);
  uint32_t *rank = malloc(s->count * sizeof *rank);
  snapshot->spheres = calloc(s->count, sizeof *snapshot->spheres);
  snapshot->contacts = calloc(s->contact_count + 1, sizeof *snapshot->contacts);
  bool done = order && rank && snapshot->spheres && snapshot->contacts;
  if (done) {
    view_spheres(s, snapshot, order, rank);
    view_contacts(s, snapshot, rank);
    take_cell(s, snapshot);
  } else
    dem_snapshot_free(snapshot);
  free(order);
  free(rank);
  return done ? JAGER_OK : JAGER_ERROR_MEMORY;
}

void dem_snapshot_free(dem_snapshot *snapshot)
{
  free(snapshot->spheres);
  free(snapshot->contacts);
  *snapshot = (dem_snapshot){.step = 0};
}
