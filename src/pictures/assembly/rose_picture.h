/* SPDX-License-Identifier: MIT */
/*
 * The rose of contact directions at the end of a stage: a histogram of the normals in the plane of the picture. Left
 * panel: contacts. Right panel: contacts weighted by their normal forces.
 *
 * A contact with the normal n counts, in the direction of the part of n that lies in the plane and in the opposite one,
 * with the square of the length of that part (times Fn). So normals along the third axis, whose direction in the plane
 * means nothing, do not count, and the curve of second order that fits the histogram, 1 + a cos 2(θ - θa), is that of
 * the fabric tensor F = <n n>: a cos 2θa = 2 (Fxx - Fzz)/(Fxx + Fzz), a sin 2θa = 4 Fxz/(Fxx + Fzz). The radius 1 is
 * the isotropic distribution.
 */
#ifndef JAGER_PICTURES_ASSEMBLY_ROSE_PICTURE_H
#define JAGER_PICTURES_ASSEMBLY_ROSE_PICTURE_H

#include "dem/observe/snapshot.h"
#include "pictures/picture.h"
#include "plane.h"

#include <stdbool.h>

enum { ROSE_BINS = 36 };

typedef struct rose {
  double radius
      [ROSE_BINS];   /* of the sectors, anticlockwise; the first axis is in the middle of the first one; 1: isotropic */
  double anisotropy; /* a */
  double direction;  /* θa, degrees in [0, 180) */
  bool is_empty;     /* no contacts */
} rose;

/* The rose of contacts, or of their normal forces. */
rose rose_of(const dem_snapshot *snapshot, picture_plane plane, bool weighs_forces);

/* The script of a stage_contents. The caller checks the stream for errors of writing. */
picture_script rose_picture_write;

#endif
