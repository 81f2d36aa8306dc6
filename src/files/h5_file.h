/* SPDX-License-Identifier: MIT */
/*
 * HDF5 files as this program needs them: whole or not there, tables of numbers, texts; and errors as texts that name
 * the file and the reason. HDF5's own printing of errors is off while a file is open.
 */
#ifndef JAGER_FILES_H5_FILE_H
#define JAGER_FILES_H5_FILE_H

#include "base/whole_file.h"
#include "dem/simulation.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

/* What went wrong first. */
typedef struct h5_trouble {
  int failure;      /* errno of reading or writing; 0: none */
  char reason[256]; /* what HDF5 said; empty: nothing */
} h5_trouble;

typedef struct h5_file {
  hid_t id;
  char *path;          /* for messages; NULL: not open */
  bool is_written;     /* else read */
  whole_file place;    /* of a file that is written */
  h5_trouble *trouble; /* in memory of its own, so that this struct may move */
  H5E_auto2_t printer; /* HDF5's printing of errors, to be turned on again */
  void *printer_context;
} h5_file;

/* On failure these two return false, and there is nothing to close. */
bool h5_file_create(h5_file *file, const char *path, error_info *error);
bool h5_file_open(h5_file *file, const char *path, error_info *error);

/* Ends writing and puts the file in its place, safely on the disk. On failure nothing is left of it. */
bool h5_file_finish(h5_file *file, error_info *error);

/* Ends reading, or gives up writing. A file that is not open is allowed. */
void h5_file_close(h5_file *file);

/* "cannot write PATH: " or "cannot read PATH: " and what the system or else HDF5 says. Returns false. */
bool h5_file_fail(const h5_file *file, error_info *error);

/* ---- Writing: false on failure, with h5_file_fail to tell -------------------------------------------------------- */

/*
 * Properties for creating files, groups or datasets. They do not keep the time: those of equal runs are equal.
 * Attributes of up to 64 KB are in the object's header, which has a checksum.
 */
hid_t h5_object_properties(hid_t kind);

/* A group, to be closed; -1 on failure. */
hid_t h5_make_group(hid_t in, const char *name);

typedef enum h5_type { H5_REAL, H5_UINT32 } h5_type;

/*
 * rows × columns of doubles or uint32_t; with one column the dataset has one dimension. Texts may be NULL. The scales
 * are names of tables in the same group, written before: one for each dimension. A table may be its own scale.
 */
typedef struct h5_table {
  const char *name, *unit, *meaning;
  const char *row_scale, *column_scale;
  h5_type type;
  size_t rows;
  int columns;
  const void *values;
} h5_table;

/* All tables have checksums; large ones are compressed. */
bool h5_write_table(hid_t in, const h5_table *table);

/* A table of 0, 1, 2 ... that is its own scale. */
bool h5_write_scale(hid_t in, const char *name, const char *meaning, size_t rows);

/* A dataset of one text, with a checksum. */
bool h5_write_text(hid_t in, const char *name, const char *text);

bool h5_write_text_attribute(hid_t of, const char *name, const char *text);
bool h5_write_texts_attribute(hid_t of, const char *name, const char *const texts[], size_t count);
bool h5_write_integer_attribute(hid_t of, const char *name, long long value);
bool h5_write_unsigned_attribute(hid_t of, const char *name, unsigned long long value);
bool h5_write_real_attribute(hid_t of, const char *name, double value);
bool h5_write_matrix_attribute(hid_t of, const char *name, const double values[3][3]);

/* ---- Reading: what is not there, or is something else, is false or NULL ------------------------------------------ */

/* Rows of a dataset of numbers; -1: there is none. */
long long h5_rows(hid_t in, const char *name);

/* The whole of a dataset that has this size and is stored as this type. */
bool h5_read_table(hid_t in, const char *name, h5_type type, size_t rows, int columns, void *values);

/* One row of a one-dimensional dataset. */
bool h5_read_value(hid_t in, const char *name, size_t row, double *value);

/* To be freed. */
char *h5_read_text(hid_t in, const char *name);
char *h5_read_text_attribute(hid_t of, const char *name);

bool h5_read_integer_attribute(hid_t of, const char *name, long long *value);
bool h5_read_unsigned_attribute(hid_t of, const char *name, unsigned long long *value);
bool h5_read_real_attribute(hid_t of, const char *name, double *value);
bool h5_read_matrix_attribute(hid_t of, const char *name, double values[3][3]);

/* A list of texts, each to be freed, and the list; NULL: there is none. */
char **h5_read_texts_attribute(hid_t of, const char *name, size_t *count);

/* The names in a group, in the order of the alphabet; each to be freed, and the list. */
char **h5_read_names(hid_t in, const char *group, size_t *count);

void h5_free_texts(char **texts, size_t count);

#endif
