/* SPDX-License-Identifier: MIT */
/*
 * Reads the path of a contact, step by step, from a CSV file. The header names the columns, in any order:
 *
 *     dzeta,dxi1[,dxi2]            half-movements        dfn,dft1[,dft2]  changes of the forces
 *     zeta,xi1[,xi2]               half-positions        fn,ft1[,ft2]     forces
 *     doverlap,dshift1[,dshift2]   whole movements, 2Δζ and 2Δξ
 *     overlap,shift1[,shift2]      whole positions, 2ζ and 2ξ
 *
 * Every path starts at ζ = 0, ξ = 0 without forces.
 */
#ifndef JAGER_FILES_PATH_READER_H
#define JAGER_FILES_PATH_READER_H

#include "csv.h"
#include "jager/jager.h"
#include "base/compensated_sum.h"

typedef enum path_control { PATH_BY_DISPLACEMENT, PATH_BY_FORCE } path_control;

enum { PATH_NORMAL, PATH_SHEAR_1, PATH_SHEAR_2, PATH_ROLES };

/* One step of a path. By displacement: `movement`, which ends at `xi` (m). By force: `force`. */
typedef struct path_step {
  jager_movement movement;
  double xi[2];
  jager_force force;
} path_step;

/* A sum of changes, and an upper bound of its error from reading decimal fractions as binary numbers. */
typedef struct path_sum {
  compensated_sum sum;
  double error_bound;
} path_sum;

typedef struct path_reader {
  csv_reader csv;
  path_control control;
  bool is_change;               /* the columns hold changes, not states */
  bool is_whole;                /* ... of whole movements: ζ and ξ are half of them */
  size_t column_of[PATH_ROLES]; /* index of each role's column, or PATH_NO_COLUMN */
  path_sum zeta, xi[2];         /* the present position */
  path_sum force[PATH_ROLES];   /* Fn, Ft1, Ft2 */
} path_reader;

#define PATH_NO_COLUMN SIZE_MAX

/* Reads the header. Returns CSV_ROW, or CSV_BAD or CSV_BROKEN with the reason in reader->csv.message. */
csv_result path_reader_open(path_reader *reader, path_control control, csv_source *source, void *context,
                            const char *file_name);

csv_result path_reader_next(path_reader *reader, path_step *step);

/* The position in the last line, from 1, of the field with this role. */
size_t path_reader_at(const path_reader *reader, int role);

#endif
