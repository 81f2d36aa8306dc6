/* SPDX-License-Identifier: MIT */
/*
 * HDF5 files with tables of numbers, texts and attributes. A file appears only when it is complete: it is written under
 * a temporary name, closed, read to check it, and renamed. Error messages name the file and the reason. HDF5 prints no
 * errors while a file is open.
 */
#ifndef JAGER_FILES_H5_FILE_H
#define JAGER_FILES_H5_FILE_H

#include "base/error.h"
#include "base/file_system.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct h5_file {
  hid_t id;
  const char *path;      /* the caller's, for messages; NULL: not open */
  whole_file whole;      /* of a file that is written */
  H5E_auto2_t printer;   /* HDF5's function that prints errors, to be restored */
  void *printer_context; /* its argument */
} h5_file;

/*
 * HDF5 works for one thread at a time. A thread has this lock as long as it has a file open, and may take it several
 * times. A thread that forks takes it, too, so that the child finds HDF5 in a consistent state.
 */
void h5_lock(void);
void h5_unlock(void);

/* Both return false on failure, and there is nothing to close. The path must stay until the file is closed. */
bool h5_file_create(h5_file *file, const char *path, error_info *error);
bool h5_file_open(h5_file *file, const char *path, error_info *error);

/* Ends writing, reads the file to check it, and puts it in its place, safely on the disk. On failure it is removed. */
bool h5_file_finish(h5_file *file, error_info *error);

/* Ends reading, or gives up writing. A file that is not open is allowed. */
void h5_file_close(h5_file *file);

/* Sets "cannot write PATH: " and the reason from the system or else from HDF5. Returns false. */
bool h5_file_fail(const h5_file *file, error_info *error);

/* Sets "PATH is damaged: its WHAT cannot be read", the reason from HDF5, and the advice. Returns false. */
bool h5_file_fail_damaged(const h5_file *file, const char *what, const char *advice, error_info *error);

/* Closes a group, dataset, attribute, type, dataspace or property list; -1 is allowed. Returns false on failure. */
static inline bool h5_close(hid_t id)
{
  return id < 0 || H5Idec_ref(id) >= 0;
}

/* ---- Writing: on failure false or -1, with the reason from h5_file_fail ------------------------------------------ */

/* Makes a group, to be closed. */
hid_t h5_make_group(hid_t in, const char *name);

typedef enum h5_type { H5_REAL, H5_UINT32 } h5_type;

static inline size_t h5_type_bytes(h5_type type)
{
  return type == H5_REAL ? sizeof(double) : sizeof(uint32_t);
}

/*
 * rows × columns of double or uint32_t. With one column the dataset has one dimension. Unit and meaning may be NULL.
 * The scales name one table for each dimension, in the same group and written before; a table may be its own scale.
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

/* Writes the table 0, 1, 2 ..., which is its own scale. */
bool h5_write_scale(hid_t in, const char *name, const char *meaning, size_t rows);

/* Writes a dataset of one text, with a checksum. */
bool h5_write_text(hid_t in, const char *name, const char *text);

bool h5_write_text_attribute(hid_t of, const char *name, const char *text);
bool h5_write_texts_attribute(hid_t of, const char *name, const char *const texts[], size_t count);
bool h5_write_integer_attribute(hid_t of, const char *name, long long value);
bool h5_write_unsigned_attribute(hid_t of, const char *name, unsigned long long value);
bool h5_write_real_attribute(hid_t of, const char *name, double value);
bool h5_write_matrix_attribute(hid_t of, const char *name, const double values[3][3]);

/* ---- Reading: false, NULL or -1 if the object is missing or of another kind -------------------------------------- */

/* Opens a group, to be closed. Every part of a path may be missing. */
hid_t h5_open_group(hid_t in, const char *path);

/* The number of rows of a dataset of numbers. */
long long h5_rows(hid_t in, const char *path);

/* Reads a whole dataset, which must have this type and size. */
bool h5_read_table(hid_t in, const char *path, h5_type type, size_t rows, int columns, void *values);

/* Reads one row of a one-dimensional dataset. */
bool h5_read_value(hid_t in, const char *path, size_t row, double *value);

/* The caller frees the text. */
char *h5_read_text(hid_t in, const char *path);
char *h5_read_text_attribute(hid_t of, const char *name);

bool h5_read_integer_attribute(hid_t of, const char *name, long long *value);
bool h5_read_unsigned_attribute(hid_t of, const char *name, unsigned long long *value);
bool h5_read_real_attribute(hid_t of, const char *name, double *value);
bool h5_read_matrix_attribute(hid_t of, const char *name, double values[3][3]);

/* A list of texts, to be freed with h5_free_texts. */
char **h5_read_texts_attribute(hid_t of, const char *name, size_t *count);

/* The names in a group in alphabetical order, to be freed with h5_free_texts. */
char **h5_read_names(hid_t in, const char *path, size_t *count);

void h5_free_texts(char **texts, size_t count);

#endif
