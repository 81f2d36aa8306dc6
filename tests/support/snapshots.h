/* SPDX-License-Identifier: MIT */
/* Snapshots for tests of files: every number follows from its place, so that other tests can compute it. */
#ifndef JAGER_TESTS_SNAPSHOTS_H
#define JAGER_TESTS_SNAPSHOTS_H

#include "dem/snapshot.h"

#include <stdlib.h>

/* tests/files/check_vtk.py knows these formulas. */
static inline uint32_t sample_id(size_t i)
{
  return (uint32_t)(2 * i + 5);
}

static inline dem_sphere_view sample_sphere(size_t i)
{
  double x = (double)i;
  return (dem_sphere_view){.id = sample_id(i),
                           .position = {0.25 * x, 0.5 * x + 1.0, 1.0 / (x + 1.0)},
                           .radius = 0.001 * (x + 1.0),
                           .velocity = {x, -x, 0.5},
                           .angular_velocity = {1.5 * x, 0.0, -2.0},
                           .force = {0.125 * x, 0.0625, x},
                           .pressure = 1000.0 * x,
                           .contacts = (uint32_t)(i % 13),
                           .grain = sample_id(i)};
}

enum { SAMPLE_GRAIN_SPHERES = 4 };

static inline dem_grain_view sample_grain(size_t i)
{
  double x = (double)i;
  return (dem_grain_view){.id = (uint32_t)(3 * i + 1),
                          .shape = (uint32_t)(i % 2),
                          .position = {0.5 * x, -x, 2.0},
                          .quaternion = {0.5, -0.5, 0.1 * x, 0.25},
                          .velocity = {-x, 0.5, x},
                          .angular_velocity = {0.0, 2.5 * x, 1.0},
                          .force = {0.0625, x, 0.25 * x},
                          .torque = {x, 0.0, -0.5 * x},
                          .mass = 0.25 + x,
                          .diameter = 0.002 * (x + 1.0),
                          .extent = 0.003 * (x + 1.0),
                          .pressure = 500.0 * x,
                          .contacts = (uint32_t)(i % 7),
                          .first_sphere = sample_id(SAMPLE_GRAIN_SPHERES * i),
                          .spheres = SAMPLE_GRAIN_SPHERES};
}

static inline dem_contact_view sample_contact(size_t i, size_t spheres)
{
  double x = (double)i;
  return (dem_contact_view){.ids = {sample_id(i % (spheres - 1)), sample_id(i % (spheres - 1) + 1)},
                            .branch = {-0.75 * x, 0.5, 0.25 * x},
                            .zeta = 0.0625 * x,
                            .normal = {0.0, 0.6, -0.8},
                            .fn = 2.0 * x,
                            .force = {x, x + 1.0, x + 2.0},
                            .ft = 0.5 * x,
                            .state = (uint32_t)(1 + i % 3),
                            .length = (uint32_t)(i + 2)};
}

/* To be freed with sample_free. Contacts need two spheres. */
static inline dem_snapshot sample_snapshot(long step, size_t spheres, size_t contacts)
{
  dem_snapshot snapshot = {.step = step,
                           .time = 0.001 * (double)step,
                           .cell = {{3.0, 0.5, 0.25}, {0.0, 4.0, 0.125}, {0.0, 0.0, 5.0}},
                           .sphere_count = spheres,
                           .contact_count = contacts,
                           .spheres = malloc(spheres * sizeof(dem_sphere_view) + 1),
                           .contacts = malloc(contacts * sizeof(dem_contact_view) + 1)};
  if (!snapshot.spheres || !snapshot.contacts)
    abort();
  for (size_t i = 0; i < spheres; i++)
    snapshot.spheres[i] = sample_sphere(i);
  for (size_t i = 0; i < contacts; i++)
    snapshot.contacts[i] = sample_contact(i, spheres);
  return snapshot;
}

/* Four spheres become a grain each; the last ones may be fewer. */
static inline void sample_add_grains(dem_snapshot *snapshot)
{
  snapshot->grain_count = (snapshot->sphere_count + SAMPLE_GRAIN_SPHERES - 1) / SAMPLE_GRAIN_SPHERES;
  snapshot->grains = malloc(snapshot->grain_count * sizeof *snapshot->grains + 1);
  if (!snapshot->grains)
    abort();
  for (size_t i = 0; i < snapshot->grain_count; i++)
    snapshot->grains[i] = sample_grain(i);
  for (size_t i = 0; i < snapshot->sphere_count; i++)
    snapshot->spheres[i].grain = snapshot->grains[i / SAMPLE_GRAIN_SPHERES].id;
}

static inline void sample_free(dem_snapshot *snapshot)
{
  free(snapshot->grains);
  free(snapshot->spheres);
  free(snapshot->contacts);
}

#endif
