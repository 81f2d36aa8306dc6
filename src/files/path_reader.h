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
 *
 * Fields of the CSV file are separated by commas; spaces and tabs around them are allowed. A `#` starts a comment.
 * Empty lines are skipped. Lines end with LF or CRLF; the last line need not. A UTF-8 byte-order mark at the start is
 * skipped. Each row must have as many fields as the header, and each field must be a number. Files may have any length;
 * the memory is constant.
 */
#ifndef JAGER_FILES_PATH_READER_H
#define JAGER_FILES_PATH_READER_H

#include "jager/jager.h"
#include "base/portable_math.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

/* The fuzzer takes less of both. */
#ifndef CSV_LINE_MAX
#define CSV_LINE_MAX 4096 /* bytes of a line without its end */
#define CSV_BUFFER_SIZE (1 << 16)
#endif

enum { CSV_COLUMNS_MAX = 16, CSV_MESSAGE_SIZE = 1024 };

typedef enum csv_result {
  CSV_ROW,    /* a header or a row was read */
  CSV_END,    /* the file has ended */
  CSV_BAD,    /* the contents are wrong: see `message` */
  CSV_BROKEN, /* the file cannot be read: see `message` */
} csv_result;

/* Reads up to `capacity` bytes and returns their number; 0 at the end, -1 with errno on failure. */
typedef ptrdiff_t csv_source(void *context, char *bytes, size_t capacity);

typedef struct csv_reader {
  csv_source *source;
  void *context;
  const char *file_name;      /* for messages */
  uint64_t line;              /* number of the last line, from 1 */
  size_t columns;             /* of the header */
  size_t at[CSV_COLUMNS_MAX]; /* positions in the last row at which its fields start, from 1 */
  size_t begin, end;          /* the unread part of the buffer */
  bool at_end;                /* the source has ended */
  char buffer[CSV_BUFFER_SIZE];
  char message[CSV_MESSAGE_SIZE]; /* "path.csv:17:9: reason" */
} csv_reader;

/* A csv_source that reads from the file descriptor to which `context` points. */
ptrdiff_t csv_read_descriptor(void *context, char *bytes, size_t capacity);

/* Sets the message to "file:line:column: text", with the last line. Returns CSV_BAD. */
__attribute__((format(printf, 3, 4))) csv_result csv_fail(csv_reader *reader, size_t column, const char *format, ...);

/* ---- Paths ------------------------------------------------------------------------------------------------------- */

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
