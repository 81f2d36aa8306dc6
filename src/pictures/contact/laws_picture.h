/* SPDX-License-Identifier: MIT */
/*
 * The picture of one path of a contact under several laws. Left panel: tangential force over tangential displacement.
 * Right panel: the energy dissipated over the length of the shear path; its legend has the energies at the end.
 */
#ifndef JAGER_PICTURES_LAWS_PICTURE_H
#define JAGER_PICTURES_LAWS_PICTURE_H

#include "contact_path.h"
#include "pictures/picture.h"

#include <stdbool.h>

typedef struct laws_picture_curve {
  const char *law; /* its name */
  const contact_path *path;
} laws_picture_curve;

typedef struct laws_picture {
  const laws_picture_curve *curves;
  int count;
  double friction;
  bool is_whole;         /* show the shift 2ξ instead of ξ */
  const char *path_name; /* of the path's file, for the title */
} laws_picture;

/* The script of a laws_picture. The caller checks the stream for errors of writing. */
picture_script laws_picture_write;

#endif
