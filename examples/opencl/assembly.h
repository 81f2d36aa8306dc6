/* SPDX-License-Identifier: MIT */
/* An assembly of spheres for step.cl: made, run on a device or on the host, and measured. */
#ifndef EXAMPLES_OPENCL_ASSEMBLY_H
#define EXAMPLES_OPENCL_ASSEMBLY_H

#include "device.h"
#include "step.cl"

enum { ASSEMBLY_SPHERES = 64, ASSEMBLY_PAIRS = 512 };

typedef struct assembly {
  material of;
  int spheres, pairs;
  sphere sphere[ASSEMBLY_SPHERES];
  pair pair[ASSEMBLY_PAIRS];
  pair_end end[2 * ASSEMBLY_PAIRS];
} assembly;

static size_t global_id;

static size_t get_global_id(unsigned dimension)
{
  (void)dimension;
  return global_id;
}

static inline void assembly_add(assembly *a, real radius, vec3 x, vec3 v, vec3 w)
{
  sphere s = {x, v, w, {0, 0, 0}, radius, 2650.0 * 4.18879020478639 * radius * radius * radius, 0, 0};
  a->sphere[a->spheres++] = s;
}

/* Lists all pairs with gaps up to `reach`. */
static inline void assembly_list(assembly *a, real reach)
{
  int ends = 0;
  for (int p = 0; p < a->spheres; p++)
    for (int q = p + 1; q < a->spheres; q++) {
      vec3 branch = jager_compact_vec3_subtract(a->sphere[q].x, a->sphere[p].x);
      if (jager_compact_vec3_length(branch) > a->sphere[p].radius + a->sphere[q].radius + reach)
        continue;
      if (a->pairs == ASSEMBLY_PAIRS)
        abort();
      pair *c = &a->pair[a->pairs++];
      c->branch = branch;
      c->p = p;
      c->q = q;
    }
  for (int k = 0; k < a->spheres; k++) {
    a->sphere[k].first_end = ends;
    for (int i = 0; i < a->pairs; i++)
      if (a->pair[i].p == k || a->pair[i].q == k)
        a->end[ends++] = 2 * i + (a->pair[i].q == k);
    a->sphere[k].ends = ends - a->sphere[k].first_end;
  }
}

/* `source` is the folder of the project. */
static inline void assembly_build(device *d, const char *source)
{
  char options[4096];
  snprintf(options, sizeof options, "-I%s/include -I%s/examples/opencl -DJAGER_COMPACT_POINTS=%d", source, source,
           JAGER_COMPACT_POINTS);
  device_build(d, "step.cl", options);
}

static inline void assembly_run(assembly *a, const device *d, int steps)
{
  cl_mem spheres = device_memory(d, a->sphere, sizeof a->sphere), pairs = device_memory(d, a->pair, sizeof a->pair),
         ends = device_memory(d, a->end, sizeof a->end);
  cl_kernel kernels[3] = {device_kernel(d, "drift", sizeof spheres, &spheres, sizeof a->of, &a->of, (size_t)0),
                          device_kernel(d, "move_contacts", sizeof pairs, &pairs, sizeof spheres, &spheres,
                                        sizeof a->of, &a->of, (size_t)0),
                          device_kernel(d, "kick", sizeof spheres, &spheres, sizeof pairs, &pairs, sizeof ends, &ends,
                                        sizeof a->of, &a->of, (size_t)0)};
  for (int k = 0; k < steps; k++)
    for (int i = 0; i < 3; i++)
      device_run(d, kernels[i], (size_t)(i == 1 ? a->pairs : a->spheres));
  device_read(d, spheres, a->sphere, sizeof a->sphere);
  device_read(d, pairs, a->pair, sizeof a->pair);
  for (int i = 0; i < 3; i++)
    clReleaseKernel(kernels[i]);
  clReleaseMemObject(spheres);
  clReleaseMemObject(pairs);
  clReleaseMemObject(ends);
}

/* The same kernels, compiled as C */
static inline void assembly_run_on_host(assembly *a, int steps)
{
  for (int k = 0; k < steps; k++) {
    for (global_id = 0; global_id < (size_t)a->spheres; global_id++)
      drift(a->sphere, a->of);
    for (global_id = 0; global_id < (size_t)a->pairs; global_id++)
      move_contacts(a->pair, a->sphere, a->of);
    for (global_id = 0; global_id < (size_t)a->spheres; global_id++)
      kick(a->sphere, a->pair, a->end, a->of);
  }
}

static inline vec3 assembly_momentum(const assembly *a)
{
  vec3 sum = {0, 0, 0};
  for (int k = 0; k < a->spheres; k++)
    sum = jager_compact_vec3_add_scaled(sum, a->sphere[k].mass, a->sphere[k].v);
  return sum;
}

static inline real assembly_kinetic(const assembly *a)
{
  real sum = 0;
  for (int k = 0; k < a->spheres; k++) {
    const sphere *s = &a->sphere[k];
    sum += 0.5 * s->mass * jager_compact_vec3_dot(s->v, s->v);
    sum += 0.2 * s->mass * s->radius * s->radius * jager_compact_vec3_dot(s->w, s->w);
  }
  return sum;
}

/* Pairs that touch; -1: one could not be moved */
static inline int assembly_contacts(const assembly *a)
{
  int touching = 0;
  for (int k = 0; k < a->pairs; k++) {
    if (a->pair[k].status != JAGER_OK)
      return -1;
    touching += a->pair[k].touches;
  }
  return touching;
}

#endif
