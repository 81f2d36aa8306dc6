/* SPDX-License-Identifier: MIT */
/*
 * The path of a contact, kept for its picture in constant memory: when all room is used, every second point is dropped,
 * and from then on half as many are kept.
 */
#ifndef JAGER_PICTURES_CONTACT_PATH_H
#define JAGER_PICTURES_CONTACT_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct contact_path_point {
  double xi[2];      /* m */
  double fn;         /* N */
  double ft[2];      /* N */
  double way;        /* length of the path of ξ so far, m */
  double dissipated; /* so far, J */
} contact_path_point;

enum {
  CONTACT_PATH_POINTS_MAX = 20000,
  CONTACT_PATH_STEPS_MAX = 20, /* paths of more steps have no numbers at the ends of their steps */
};

/* The path starts at ξ = 0 without forces. */
typedef struct contact_path {
  size_t count;
  uint64_t stride, seen;   /* of `stride` points one is kept */
  contact_path_point last; /* always kept */
  uint64_t steps;
  contact_path_point ends[CONTACT_PATH_STEPS_MAX]; /* of the first steps */
  contact_path_point points[CONTACT_PATH_POINTS_MAX];
} contact_path;

void contact_path_start(contact_path *path);

/* Adds a point within a step. */
void contact_path_add(contact_path *path, const contact_path_point *point);

/* Adds the point at which a step ends. */
void contact_path_end_step(contact_path *path, const contact_path_point *point);

/* True while every point is kept, so that points within steps are useful. */
bool contact_path_wants_detail(const contact_path *path);

#endif
