/* SPDX-License-Identifier: MIT */
/*
 * The picture of elastic moduli over pressure, in logarithmic axes. Left panel: G and K of each state, their fits, and
 * the affine values. Right panel: wave velocities.
 */
#ifndef JAGER_PICTURES_MODULI_PICTURE_H
#define JAGER_PICTURES_MODULI_PICTURE_H

#include "picture.h"

#include <stddef.h>

/* One state: p and moduli in Pa, velocities in m/s. */
typedef struct moduli_picture_point {
  double p, shear, bulk, shear_affine, bulk_affine, vp, vs;
} moduli_picture_point;

/* y = factor p^exponent, in Pa */
typedef struct moduli_picture_fit {
  double factor, exponent;
} moduli_picture_fit;

typedef struct moduli_picture {
  const moduli_picture_point *points;
  size_t count;
  bool has_fits;
  moduli_picture_fit shear, bulk;
} moduli_picture;

/* The script of a moduli_picture. The caller checks the stream for errors of writing. */
picture_script moduli_picture_write;

#endif
