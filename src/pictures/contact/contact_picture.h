/* SPDX-License-Identifier: MIT */
/*
 * The picture of a contact's path. Left panel: tangential force over tangential displacement. Right panel: the path
 * in the plane of the forces (Fn, Ft), the friction limit |Ft| = f Fn, and the equivalent history at the end of the
 * path.
 */
#ifndef JAGER_PICTURES_CONTACT_PICTURE_H
#define JAGER_PICTURES_CONTACT_PICTURE_H

#include "contact_path.h"
#include "jager/jager.h"
#include "pictures/picture.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct contact_picture {
  const contact_path *path;
  const char *law; /* its name */
  double friction;
  bool is_whole;              /* show the shift 2ξ instead of ξ */
  const jager_point *history; /* at the end of the path */
  size_t history_count;       /* 0: the model keeps no history */
  const char *path_name;      /* of the path's file, for the title */
} contact_picture;

/* The script of a contact_picture. The caller checks the stream for errors of writing. */
picture_script contact_picture_write;

#endif
