/* SPDX-License-Identifier: MIT */
/*
 * Random spheres overlap deeply, and Hertz's forces would accelerate them violently. So overlaps are removed before the
 * first step by relaxation: in each round, each pair that overlaps is separated by a fraction of its overlap.
 */
#include "remove_overlaps.h"
#include "dem/space/neighbours.h"

#include <stdlib.h>
#include <string.h>

#define OVERLAP_LEFT 1e-3    /* largest overlap at the end, in mean diameters */
#define RELAXATION 0.6       /* fraction of its overlap by which a pair is separated in a round */
#define RELAXATION_SKIN 0.15 /* in mean diameters */
enum { ROUNDS_MAX = 5000 };

/* One round: computes the shift of each sphere, and returns the largest overlap. */
static double separate_pairs(const dem_simulation *s, vec3 *shifts)
{
  double worst = 0.0;
  memset(shifts, 0, s->count * sizeof *shifts);
  for (size_t k = 0; k < s->block_count; k++) {
    const block *b = &s->blocks[k];
    for (uint32_t local = 0; local < b->count; local++)
      for (uint32_t i = b->start[local]; i < b->start[local + 1]; i++) {
        const candidate *pair = &b->candidates[i];
        const body *p = &s->bodies[b->first + local], *q = &s->bodies[pair->q];
        vec3 branch = pair_branch(p, q, &s->images[pair->image]);
        double distance = vec3_length(branch), overlap = p->radius + q->radius - distance;
        if (overlap <= 0.0)
          continue;
        worst = fmax(worst, overlap);
        vec3 n = distance > 0.0 ? vec3_scale(1.0 / distance, branch) : (vec3){1.0, 0.0, 0.0};
        double share = q->radius / (p->radius + q->radius);
        shifts[b->first + local] = vec3_add_scaled(shifts[b->first + local], -RELAXATION * share * overlap, n);
        shifts[pair->q] = vec3_add_scaled(shifts[pair->q], RELAXATION * (1.0 - share) * overlap, n);
      }
  }
  return worst;
}

/* Moves the spheres. Returns whether the neighbours must be listed again. */
static bool apply_shifts(dem_simulation *s, const vec3 *shifts)
{
  bool far = false;
  double limit = 0.5 * s->skin;
  for (size_t i = 0; i < s->count; i++) {
    s->bodies[i].x = vec3_add(s->bodies[i].x, shifts[i]);
    far = travel_add(&s->travels[i], shifts[i]) > 0.8 * limit * limit || far;
  }
  return far;
}

bool dem_packing_list_neighbours(dem_simulation *s, error_info *error)
{
  double skin = s->skin;
  s->skin = RELAXATION_SKIN * s->mean_diameter;
  bool done = dem_neighbours_list(s, error);
  s->skin = skin;
  s->neighbours_are_stale = true;
  return done;
}

bool dem_packing_remove_overlaps(dem_simulation *s, error_info *error)
{
  vec3 *shifts = malloc(s->count * sizeof *shifts);
  if (!shifts)
    return error_set_memory(error, "out of memory for %zu spheres", s->count);
  double skin = s->skin, worst = INFINITY;
  s->skin = RELAXATION_SKIN * s->mean_diameter;
  bool done = true;
  s->neighbours_are_stale = true;
  for (int round = 0; round < ROUNDS_MAX && worst > OVERLAP_LEFT * s->mean_diameter && done; round++) {
    if (s->neighbours_are_stale)
      done = dem_neighbours_list(s, error);
    if (done) {
      worst = separate_pairs(s, shifts);
      s->neighbours_are_stale = apply_shifts(s, shifts);
    }
  }
  free(shifts);
  s->skin = skin;
  s->neighbours_are_stale = true;
  if (done && worst > 0.05 * s->mean_diameter)
    return error_set(error,
                     "cannot place %zu spheres without overlap at the solid fraction %g: lower assembly.packing."
                     "initial_density",
                     s->count, s->run->assembly.packing.initial_density);
  return done;
}
