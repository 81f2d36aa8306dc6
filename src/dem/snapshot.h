/* SPDX-License-Identifier: MIT */
/*
 * A snapshot of the assembly for writing to files: plain arrays that share nothing with the simulation.
 * Spheres and grains are in the order of their ids, contacts in the order of the ids of their spheres. There are grains
 * only if they have several spheres.
 */
#ifndef JAGER_DEM_SNAPSHOT_H
#define JAGER_DEM_SNAPSHOT_H

#include "jager/jager.h"

#include <stddef.h>
#include <stdint.h>

typedef struct dem_sphere_view {
  uint32_t id;
  double position[3]; /* within the cell */
  double radius;
  double velocity[3];         /* relative to the mean flow */
  double angular_velocity[3]; /* rad/s */
  double force[3];            /* resultant */
  double pressure;            /* mean stress of the sphere, from its contacts, Pa */
  uint32_t contacts;
  uint32_t grain; /* id of its grain; its own, if the spheres are the grains */
} dem_sphere_view;

typedef struct dem_grain_view {
  uint32_t id;
  uint32_t shape;             /* number of its shape in the case or file */
  double position[3];         /* centroid, within the cell; its spheres may be near other images */
  double quaternion[4];       /* w, x, y, z: turns its principal axes from x, y and z to where they are */
  double velocity[3];         /* relative to the mean flow */
  double angular_velocity[3]; /* rad/s */
  double force[3], torque[3]; /* resultants, about the centroid */
  double mass;                /* as it is scaled */
  double diameter;            /* of the sphere of equal volume */
  double extent;              /* the farthest point from the centroid */
  double pressure;            /* mean stress, from its contacts, Pa */
  uint32_t contacts;
  uint32_t first_sphere, spheres; /* the smallest id of its spheres, and their number; their ids are consecutive */
} dem_grain_view;

typedef struct dem_contact_view {
  uint32_t ids[2];  /* of the spheres, the smaller first */
  double branch[3]; /* m, from the first sphere to the nearest image of the second */
  double zeta;      /* m, half the overlap */
  double normal[3];
  double fn;
  double force[3]; /* on the second sphere, global: Fn n and the tangential force, without dashpots */
  double ft;       /* |Ft| */
  uint32_t state;  /* jager_state */
  uint32_t length; /* of the history */
} dem_contact_view;

typedef struct dem_snapshot {
  long step;
  double time;
  double cell[3][3]; /* columns: the cell's edges; upper triangular */
  size_t sphere_count, contact_count, grain_count;
  dem_sphere_view *spheres;
  dem_contact_view *contacts;
  dem_grain_view *grains; /* NULL, and no count: the spheres are the grains */
} dem_snapshot;

struct dem_simulation;

/* JAGER_OK or JAGER_ERROR_MEMORY; the snapshot is empty then. */
jager_status dem_snapshot_take(const struct dem_simulation *simulation, dem_snapshot *snapshot);

void dem_snapshot_free(dem_snapshot *snapshot);

#endif
