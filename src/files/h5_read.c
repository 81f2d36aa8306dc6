/* SPDX-License-Identifier: MIT */
/* Reading what h5_write.c wrote. Files may be damaged or foreign: everything is checked before it is used. */
#include "h5_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1 << 26, NAMES_MAX = 1 << 24 };

/* ---- Datasets ---------------------------------------------------------------------------------------------------- */

/* A link of that name leads to a dataset, to be closed; -1: not. */
static hid_t open_dataset(hid_t in, const char *name)
{
  return H5Lexists(in, name, H5P_DEFAULT) > 0 ? H5Dopen2(in, name, H5P_DEFAULT) : -1;
}

static bool is_number(hid_t type)
{
  H5T_class_t kind = H5Tget_class(type);
  return kind == H5T_INTEGER || kind == H5T_FLOAT;
}

/* Rank and size of a dataset of numbers; a list has one column. */
static bool measure(hid_t dataset, int *rank, hsize_t size[H5S_MAX_RANK])
{
  size[0] = 0;
  size[1] = 1;
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  *rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
  bool is_table = type >= 0 && is_number(type) && (*rank == 1 || *rank == 2) &&
                  H5Sget_simple_extent_dims(space, size, NULL) == *rank;
  if (space >= 0)
    H5Sclose(space);
  if (type >= 0)
    H5Tclose(type);
  return is_table;
}

long long h5_rows(hid_t in, const char *name)
{
  int rank;
  hsize_t size[H5S_MAX_RANK];
  hid_t dataset = open_dataset(in, name);
  if (dataset < 0)
    return -1;
  bool is_table = measure(dataset, &rank, size);
  H5Dclose(dataset);
  return is_table && size[0] <= INT64_MAX ? (long long)size[0] : -1;
}

static bool is_stored_as(hid_t dataset, h5_type type)
{
  hid_t stored = H5Dget_type(dataset);
  bool is_same = stored >= 0 && H5Tequal(stored, type == H5_REAL ? H5T_IEEE_F64LE : H5T_STD_U32LE) > 0;
  if (stored >= 0)
    H5Tclose(stored);
  return is_same;
}

bool h5_read_table(hid_t in, const char *name, h5_type type, size_t rows, int columns, void *values)
{
  int rank;
  hsize_t size[H5S_MAX_RANK];
  hid_t in_memory = type == H5_REAL ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT32, dataset = open_dataset(in, name);
  if (dataset < 0)
    return false;
  bool is_read = measure(dataset, &rank, size) && size[0] == rows && size[1] == (hsize_t)columns &&
                 is_stored_as(dataset, type) &&
                 (rows == 0 || H5Dread(dataset, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(dataset);
  return is_read;
}

static bool read_row(hid_t dataset, hsize_t row, double *value)
{
  const hsize_t one = 1;
  hid_t here = H5Screate_simple(1, &one, NULL), there = H5Dget_space(dataset);
  bool is_read = here >= 0 && there >= 0 && H5Sselect_hyperslab(there, H5S_SELECT_SET, &row, NULL, &one, NULL) >= 0 &&
                 H5Dread(dataset, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, value) >= 0;
  if (there >= 0)
    H5Sclose(there);
  if (here >= 0)
    H5Sclose(here);
  return is_read;
}

bool h5_read_value(hid_t in, const char *name, size_t row, double *value)
{
  int rank;
  hsize_t size[H5S_MAX_RANK];
  hid_t dataset = open_dataset(in, name);
  if (dataset < 0)
    return false;
  bool is_read = measure(dataset, &rank, size) && rank == 1 && row < size[0] && read_row(dataset, row, value);
  H5Dclose(dataset);
  return is_read;
}

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

/* Bytes of a text of a fixed length; 0: the type is another one. */
static size_t text_size(hid_t type)
{
  size_t size = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 ? H5Tget_size(type) : 0;
  return size <= TEXT_MAX ? size : 0;
}

/* How many elements a dataset or attribute has; 0 also if that can not be told. */
static size_t elements(hid_t space)
{
  hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  return count > 0 && count <= TEXT_MAX ? (size_t)count : 0;
}

static char *read_text_dataset(hid_t dataset, hid_t type, hid_t space)
{
  size_t size = text_size(type);
  char *text = size > 0 && elements(space) == 1 ? calloc(size + 1, 1) : NULL;
  if (text && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) {
    free(text);
    return NULL;
  }
  return text;
}

char *h5_read_text(hid_t in, const char *name)
{
  hid_t dataset = open_dataset(in, name);
  if (dataset < 0)
    return NULL;
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  char *text = read_text_dataset(dataset, type, space);
  if (space >= 0)
    H5Sclose(space);
  if (type >= 0)
    H5Tclose(type);
  H5Dclose(dataset);
  return text;
}

/* ---- Attributes -------------------------------------------------------------------------------------------------- */

static hid_t open_attribute(hid_t of, const char *name)
{
  return H5Aexists(of, name) > 0 ? H5Aopen(of, name, H5P_DEFAULT) : -1;
}

static char **split(const char *table, size_t size, size_t count)
{
  char **texts = calloc(count, sizeof *texts);
  for (size_t i = 0; texts && i < count; i++) {
    texts[i] = strndup(table + i * size, size);
    if (!texts[i]) {
      h5_free_texts(texts, i);
      return NULL;
    }
  }
  return texts;
}

static char **read_texts(hid_t attribute, hid_t type, hid_t space, size_t *count)
{
  size_t size = text_size(type);
  *count = elements(space);
  if (size == 0 || *count == 0 || *count > TEXT_MAX / size)
    return NULL;
  char *table = calloc(*count, size);
  char **texts = table && H5Aread(attribute, type, table) >= 0 ? split(table, size, *count) : NULL;
  free(table);
  return texts;
}

char **h5_read_texts_attribute(hid_t of, const char *name, size_t *count)
{
  hid_t attribute = open_attribute(of, name);
  if (attribute < 0)
    return NULL;
  hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  char **texts = read_texts(attribute, type, space, count);
  if (space >= 0)
    H5Sclose(space);
  if (type >= 0)
    H5Tclose(type);
  H5Aclose(attribute);
  return texts;
}

char *h5_read_text_attribute(hid_t of, const char *name)
{
  size_t count = 0;
  char **texts = h5_read_texts_attribute(of, name, &count);
  if (!texts)
    return NULL;
  char *first = texts[0];
  texts[0] = NULL;
  h5_free_texts(texts, count);
  return first;
}

/* So many numbers. */
static bool read_numbers_attribute(hid_t of, const char *name, hid_t in_memory, size_t count, void *values)
{
  hid_t attribute = open_attribute(of, name);
  if (attribute < 0)
    return false;
  hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  bool is_read = type >= 0 && is_number(type) && elements(space) == count && H5Aread(attribute, in_memory, values) >= 0;
  if (space >= 0)
    H5Sclose(space);
  if (type >= 0)
    H5Tclose(type);
  H5Aclose(attribute);
  return is_read;
}

bool h5_read_integer_attribute(hid_t of, const char *name, long long *value)
{
  return read_numbers_attribute(of, name, H5T_NATIVE_LLONG, 1, value);
}

bool h5_read_unsigned_attribute(hid_t of, const char *name, unsigned long long *value)
{
  return read_numbers_attribute(of, name, H5T_NATIVE_ULLONG, 1, value);
}

bool h5_read_real_attribute(hid_t of, const char *name, double *value)
{
  return read_numbers_attribute(of, name, H5T_NATIVE_DOUBLE, 1, value);
}

bool h5_read_matrix_attribute(hid_t of, const char *name, double values[3][3])
{
  return read_numbers_attribute(of, name, H5T_NATIVE_DOUBLE, 9, values);
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

typedef struct name_list {
  char **names;
  size_t count, capacity;
} name_list;

/* For H5Literate: a negative value ends it as an error. */
static herr_t take_name(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
  (void)group;
  (void)info;
  name_list *list = context;
  if (list->count == list->capacity) {
    size_t capacity = 2 * list->capacity + 16;
    char **more = capacity <= NAMES_MAX ? realloc(list->names, capacity * sizeof *more) : NULL;
    if (!more)
      return -1;
    list->names = more;
    list->capacity = capacity;
  }
  list->names[list->count] = strdup(name);
  return list->names[list->count] ? (list->count++, 0) : -1;
}

char **h5_read_names(hid_t in, const char *group, size_t *count)
{
  name_list list = {calloc(1, sizeof(char *)), 0, 1};
  hsize_t from = 0;
  hid_t id = H5Lexists(in, group, H5P_DEFAULT) > 0 ? H5Gopen2(in, group, H5P_DEFAULT) : -1;
  bool is_read = list.names && id >= 0 && H5Literate(id, H5_INDEX_NAME, H5_ITER_INC, &from, take_name, &list) >= 0;
  if (id >= 0)
    H5Gclose(id);
  if (!is_read) {
    h5_free_texts(list.names, list.count);
    return NULL;
  }
  *count = list.count;
  return list.names;
}

void h5_free_texts(char **texts, size_t count)
{
  for (size_t i = 0; texts && i < count; i++)
    free(texts[i]);
  free(texts);
}
