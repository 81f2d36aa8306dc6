/* SPDX-License-Identifier: MIT */
/*
 * Reading from HDF5 files the contents that h5_write.c wrote. Files may be damaged or foreign: types and sizes are
 * checked before anything is read.
 *
 * HDF5's high-level interface (H5LT) serves for paths and tables. Texts and attributes are read by the basic
 * interface: H5LT does not tell texts of fixed from texts of variable length, and reads an attribute without checking
 * its size.
 */
#include "h5_file.h"

#include <hdf5_hl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1 << 26, NAMES_MAX = 1 << 24 };

static bool is_number(H5T_class_t kind)
{
  return kind == H5T_INTEGER || kind == H5T_FLOAT;
}

hid_t h5_open_group(hid_t in, const char *path)
{
  return H5LTpath_valid(in, path, true) > 0 ? H5Gopen2(in, path, H5P_DEFAULT) : -1;
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

/* The type and size of a table. */
typedef struct shape {
  int rank;
  hsize_t size[2]; /* rows and columns; of a list, one column */
  H5T_class_t kind;
  size_t bytes; /* of an element */
} shape;

/* False if the path leads to no dataset of numbers with one or two dimensions. */
static bool read_shape(hid_t in, const char *path, shape *of)
{
  *of = (shape){.size = {0, 1}};
  return H5LTpath_valid(in, path, true) > 0 && H5LTget_dataset_ndims(in, path, &of->rank) >= 0 &&
         (of->rank == 1 || of->rank == 2) && H5LTget_dataset_info(in, path, of->size, &of->kind, &of->bytes) >= 0 &&
         is_number(of->kind);
}

long long h5_rows(hid_t in, const char *path)
{
  shape of;
  return read_shape(in, path, &of) && of.size[0] <= INT64_MAX ? (long long)of.size[0] : -1;
}

bool h5_read_table(hid_t in, const char *path, h5_type type, size_t rows, int columns, void *values)
{
  shape of;
  return read_shape(in, path, &of) && of.size[0] == rows && of.size[1] == (hsize_t)columns &&
         of.kind == (type == H5_REAL ? H5T_FLOAT : H5T_INTEGER) && of.bytes == h5_type_bytes(type) &&
         (rows == 0 || H5LTread_dataset(in, path, h5_type_in_memory(type), values) >= 0);
}

bool h5_read_value(hid_t in, const char *path, size_t row, double *value)
{
  const hsize_t first = row, one = 1;
  shape of;
  if (!read_shape(in, path, &of) || of.rank != 1 || row >= of.size[0])
    return false;
  hid_t dataset = H5Dopen2(in, path, H5P_DEFAULT), here = H5Screate_simple(1, &one, NULL);
  hid_t there = dataset >= 0 ? H5Dget_space(dataset) : -1;
  bool is_read = here >= 0 && there >= 0 && H5Sselect_hyperslab(there, H5S_SELECT_SET, &first, NULL, &one, NULL) >= 0 &&
                 H5Dread(dataset, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, value) >= 0;
  h5_close(there);
  h5_close(here);
  h5_close(dataset);
  return is_read;
}

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

/* The bytes of a text of fixed length; 0: the type is another one. */
static size_t text_size(hid_t type)
{
  size_t size = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 ? H5Tget_size(type) : 0;
  return size <= TEXT_MAX ? size : 0;
}

/* The number of elements; 0 if it cannot be read. */
static size_t element_count(hid_t space)
{
  hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  return count > 0 && count <= TEXT_MAX ? (size_t)count : 0;
}

char *h5_read_text(hid_t in, const char *path)
{
  hid_t dataset = H5LTpath_valid(in, path, true) > 0 ? H5Dopen2(in, path, H5P_DEFAULT) : -1;
  if (dataset < 0)
    return NULL;
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  size_t size = text_size(type);
  char *text = size > 0 && element_count(space) == 1 ? calloc(size + 1, 1) : NULL;
  if (text && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) {
    free(text);
    text = NULL;
  }
  h5_close(space);
  h5_close(type);
  h5_close(dataset);
  return text;
}

/* ---- Attributes -------------------------------------------------------------------------------------------------- */

/* An open attribute; all ids are -1 if there is none. */
typedef struct open_attribute {
  hid_t id, type, space;
} open_attribute;

static open_attribute attribute_open(hid_t of, const char *name)
{
  hid_t id = H5Aexists(of, name) > 0 ? H5Aopen(of, name, H5P_DEFAULT) : -1;
  return id >= 0 ? (open_attribute){id, H5Aget_type(id), H5Aget_space(id)} : (open_attribute){-1, -1, -1};
}

static void attribute_close(const open_attribute *attribute)
{
  h5_close(attribute->space);
  h5_close(attribute->type);
  h5_close(attribute->id);
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

char **h5_read_texts_attribute(hid_t of, const char *name, size_t *count)
{
  const open_attribute attribute = attribute_open(of, name);
  size_t size = text_size(attribute.type);
  *count = element_count(attribute.space);
  char *table = size > 0 && *count > 0 && *count <= TEXT_MAX / size ? calloc(*count, size) : NULL;
  char **texts = table && H5Aread(attribute.id, attribute.type, table) >= 0 ? split(table, size, *count) : NULL;
  free(table);
  attribute_close(&attribute);
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

/* False unless the attribute has exactly `count` numbers. */
static bool read_numbers(hid_t of, const char *name, hid_t in_memory, size_t count, void *values)
{
  const open_attribute attribute = attribute_open(of, name);
  bool is_read = attribute.type >= 0 && is_number(H5Tget_class(attribute.type)) &&
                 element_count(attribute.space) == count && H5Aread(attribute.id, in_memory, values) >= 0;
  attribute_close(&attribute);
  return is_read;
}

bool h5_read_integer_attribute(hid_t of, const char *name, long long *value)
{
  return read_numbers(of, name, H5T_NATIVE_LLONG, 1, value);
}

bool h5_read_unsigned_attribute(hid_t of, const char *name, unsigned long long *value)
{
  return read_numbers(of, name, H5T_NATIVE_ULLONG, 1, value);
}

bool h5_read_real_attribute(hid_t of, const char *name, double *value)
{
  return read_numbers(of, name, H5T_NATIVE_DOUBLE, 1, value);
}

bool h5_read_matrix_attribute(hid_t of, const char *name, double values[3][3])
{
  return read_numbers(of, name, H5T_NATIVE_DOUBLE, 9, values);
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

typedef struct name_list {
  char **names;
  size_t count, capacity;
} name_list;

/* Called by H5Literate, which ends with an error if this returns a negative value. */
static herr_t add_name(hid_t group, const char *name, const H5L_info_t *info, void *context)
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

char **h5_read_names(hid_t in, const char *path, size_t *count)
{
  name_list list = {calloc(1, sizeof(char *)), 0, 1};
  hsize_t from = 0;
  hid_t group = h5_open_group(in, path);
  bool is_read = list.names && group >= 0 && H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &from, add_name, &list) >= 0;
  h5_close(group);
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
