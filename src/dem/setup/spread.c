/* SPDX-License-Identifier: MIT */
/*
 * Random spheres overlap deeply: Hertz's forces would throw them about. Before the first step they are moved apart: each
 * pair that overlaps gives way by a share of its overlap, again and again, until little is left.
 */
#include "dem/internal.h"

#include <stdlib.h>
#include <string.h>

#define OVERLAP_LEFT 1e-3 /* of the mean diameter */
#define GIVE_WAY 0.6      /* share of its overlap that a pair makes good in a round */
#define SPREAD_SKIN 0.15
enum { ROUNDS_MAX = 5000 };

/* One round: where each sphere is pushed. The result is the largest overlap. */
static double push_apart(const dem_simulation *s, vec3 *shifts)
{
  double worst = 0.0;
  memset(shifts, 0, s->count * sizeof *shifts);
  for (size_t k = 0; k < s->block_count; k++) {
    const block *b = &s->blocks[k];
    for (uint32_t local = 0; local < b->count; local++)
      for (uint32_t i = b->start[local]; i < b->start[local + 1]; i++) {
        const candidate *pair = &b->candidates[i];
        const body *p = &s->bodies[b->first + local], *q = &s->bodies[pair->q];
        vec3 branch = vec3_add(vec3_subtract(q->x, p->x), s->images[pair->image].shift);
        double distance = vec3_length(branch), overlap = p->radius + q->radius - distance;
        if (overlap <= 0.0)
          continue;
        worst = fmax(worst, overlap);
        vec3 n = distance > 0.0 ? vec3_scale(1.0 / distance, branch) : (vec3){1.0, 0.0, 0.0};
        double share = q->radius / (p->radius + q->radius);
        shifts[b->first + local] = vec3_add_scaled(shifts[b->first + local], -GIVE_WAY * share * overlap, n);
        shifts[pair->q] = vec3_add_scaled(shifts[pair->q], GIVE_WAY * (1.0 - share) * overlap, n);
      }
  }
  return worst;
}

static bool apply_shifts(dem_simulation *s, const vec3 *shifts)
{
  bool far = false;
  double limit = 0.5 * s->skin;
  for (size_t i = 0; i < s->count; i++) {
    s->bodies[i].x = vec3_add(s->bodies[i].x, shifts[i]);
    far = travel_on(&s->travels[i], shifts[i]) > 0.8 * limit * limit || far;
  }
  return far;
}

bool packing_list(dem_simulation *s, error_info *error)
{
  double skin = s->skin;
  s->skin = SPREAD_SKIN * s->mean_diameter;
  bool done = neighbours_list(s, error);
  s->skin = skin;
  s->must_list = true;
  return done;
}

bool packing_spread(dem_simulation *s, error_info *error)
{
  vec3 *shifts = malloc(s->count * sizeof *shifts);
  if (!shifts)
    return error_set_memory(error, "out of memory for %zu spheres", s->count);
  double skin = s->skin, worst = INFINITY;
  s->skin = SPREAD_SKIN * s->mean_diameter;
  bool done = true;
  s->must_list = true;
  for (int round = 0; round < ROUNDS_MAX && worst > OVERLAP_LEFT * s->mean_diameter && done; round++) {
    if (s->must_list)
      done = neighbours_list(s, error);
    if (done) {
      worst = push_apart(s, shifts);
      s->must_list = apply_shifts(s, shifts);
    }
  }
  free(shifts);
  s->skin = skin;
  s->must_list = true;
  if (done && worst > 0.05 * s->mean_diameter)
    return error_set(error,
                     "cannot place %zu spheres without overlap at the solid fraction %g: lower assembly.packing."
                     "initial_density",
                     s->count, s->run->assembly.packing.initial_density);
  return done;
}
