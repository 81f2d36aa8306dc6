/* SPDX-License-Identifier: MIT */
/* The parts of `jager contact`: its options, the points of its picture, its tractions. */
#ifndef JAGER_CLI_CONTACT_H
#define JAGER_CLI_CONTACT_H

#include "files/path_reader.h"
#include "law_options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CONTACT_COMMAND "jager contact"

/* ---- Options ----------------------------------------------------------------------------------------------------- */

typedef struct contact_options {
  law_options of_laws; /* its bodies serve all laws */
  path_control control;
  const char *input;               /* NULL: stdin */
  const char *history, *tractions; /* files to write, or NULL */
} contact_options;

/* Reads the command line. If it is wrong, prints an error on stderr and ends the program with code 2. */
contact_options contact_options_parse(int argc, char *argv[]);

/* ---- Picture ----------------------------------------------------------------------------------------------------- */

typedef struct picture_point {
  double xi[2];      /* m */
  double fn;         /* N */
  double ft[2];      /* N */
  double way;        /* length of the path of ξ so far, m */
  double dissipated; /* so far, J */
} picture_point;

enum {
  PICTURE_POINTS_MAX = 20000,
  PICTURE_STEPS_MAX = 20, /* paths of more steps have no numbers at the ends of their steps */
};

/*
 * The path of a contact, from ξ = 0 without forces, in constant memory: when all room is used, every second point is
 * dropped, and from then on half as many are kept.
 */
typedef struct picture_path {
  size_t count;
  uint64_t stride, seen; /* of `stride` points one is kept; 1: points within steps are useful */
  picture_point last;    /* always kept */
  uint64_t steps;
  picture_point ends[PICTURE_STEPS_MAX]; /* of the first steps */
  picture_point points[PICTURE_POINTS_MAX];
} picture_path;

void picture_path_start(picture_path *path);

/* Adds a point within a step, or the point at which a step ends. */
void picture_path_add(picture_path *path, const picture_point *point);
void picture_path_end_step(picture_path *path, const picture_point *point);

typedef struct contact_picture {
  const char *name; /* of the path's file, for the title */
  double friction;
  bool is_whole; /* show the shift 2ξ instead of ξ */
  int law_count;
  const int *laws;
  const picture_path *paths[LAW_COUNT]; /* of these laws */
  const jager_point *history;           /* of a single law, at the end of the path */
  size_t history_count;                 /* 0: the model keeps no history */
} contact_picture;

/* A contact_picture as JSON, for python/jager/_pictures/contact.py. The caller checks the stream for errors. */
void contact_picture_write(const void *picture, FILE *out);

/* ---- Tractions --------------------------------------------------------------------------------------------------- */

/*
 * The distribution of pressure and shear traction over a contact, as CSV. JAGER_OK, or an error of the library. Errors
 * of writing stay with the stream.
 */
jager_status contact_tractions_write(const jager_law *law, const jager_contact *contact, FILE *stream);

#endif
