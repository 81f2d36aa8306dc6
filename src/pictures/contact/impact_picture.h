/* SPDX-License-Identifier: MIT */
/*
 * The picture of impacts under one law or several. Left panel: ψ₂ over ψ₁, with the line of impacts that slide all the
 * time. Right panel: the energy lost over ψ₁.
 */
#ifndef JAGER_PICTURES_IMPACT_PICTURE_H
#define JAGER_PICTURES_IMPACT_PICTURE_H

#include "pictures/picture.h"

#include <stddef.h>

typedef struct impact_picture_point {
  double psi1, psi2;
  double lost; /* share of the kinetic energy */
} impact_picture_point;

/* The impacts under one law, in the order of ψ₁ as given. */
typedef struct impact_picture_curve {
  const char *law;
  const impact_picture_point *points;
} impact_picture_curve;

typedef struct impact_picture {
  const impact_picture_curve *curves;
  int curve_count;
  size_t count; /* of the points of each curve */
  double chi;   /* sliding all the time: ψ₂ = ψ₁ - 4χ from ψ₁ = 4χ - 1 on */
  const char *title;
} impact_picture;

/* The script of an impact_picture. The caller checks the stream for errors of writing. */
picture_script impact_picture_write;

#endif
