/* SPDX-License-Identifier: MIT */
/*
 * The pictures of ready tests. DIR/reduction: G/Gmax and damping ratio over the amplitude of shear strain.
 * DIR/resistance: cyclic stress ratio over the number of cycles to liquefaction. Each as .png and .svg.
 */
#ifndef JAGER_PICTURES_READY_TEST_PICTURE_H
#define JAGER_PICTURES_READY_TEST_PICTURE_H

#include "base/error.h"
#include "files/tables/ready_tests.h"

#include <stdio.h>

#define REDUCTION_PICTURE "reduction"
#define RESISTANCE_PICTURE "resistance"

typedef struct reduction_contents {
  const char *title; /* NULL: none */
  const reduction_row *rows;
  size_t count;
} reduction_contents;

typedef struct resistance_contents {
  const char *title;
  const resistance_row *rows;
  size_t count;
} resistance_contents;

/* Rows of one curve follow each other. gnuplot must be installed. */
bool reduction_picture_draw(const char *dir, const reduction_contents *of, error_info *error);
bool resistance_picture_draw(const char *dir, const resistance_contents *of, error_info *error);

/* Scripts, as picture.h wants them. */
void reduction_picture_write(const void *contents, const char *terminal, FILE *script);
void resistance_picture_write(const void *contents, const char *terminal, FILE *script);

#endif
