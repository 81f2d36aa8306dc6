/* SPDX-License-Identifier: MIT */
/*
 * Writing tables, texts and attributes to HDF5 files. Texts are UTF-8 and have a fixed length.
 *
 * Of HDF5's high-level interface only dimension scales (H5DS) are used. Its functions for datasets (H5LTmake_dataset)
 * take no properties, so that checksums, compression and the absence of time stamps would be lost; the functions for
 * attributes (H5LTset_attribute_...) write lists of one element instead of scalars, and texts as ASCII.
 */
#include "h5_file.h"

#include <hdf5_hl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  ROWS_OF_SMALL_TABLE = 256, /* smaller tables are not compressed */
  CHUNK_BYTES = 1 << 18,     /* of a large table */
  DEFLATE_LEVEL = 4,
  TEXT_IN_HEADER = 60000, /* longer texts are kept outside of the header, which has room for 64 KB */
  ATTRIBUTES_IN_HEADER = 4096
};

/* Returns the id, or closes it and returns -1 if it was not set up. */
static hid_t if_set_up(hid_t id, bool is_set_up)
{
  if (is_set_up)
    return id;
  h5_close(id);
  return -1;
}

hid_t h5_object_properties(hid_t kind)
{
  hid_t properties = H5Pcreate(kind);
  return if_set_up(properties, H5Pset_obj_track_times(properties, false) >= 0 &&
                                   H5Pset_attr_phase_change(properties, ATTRIBUTES_IN_HEADER, 0) >= 0);
}

hid_t h5_make_group(hid_t in, const char *name)
{
  hid_t properties = h5_object_properties(H5P_GROUP_CREATE);
  hid_t group = properties >= 0 ? H5Gcreate2(in, name, H5P_DEFAULT, properties, H5P_DEFAULT) : -1;
  h5_close(properties);
  return group;
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

/* All chunks have a checksum. Those of large tables are shuffled and compressed, if this HDF5 can do so. */
static bool set_chunks(hid_t properties, const h5_table *table)
{
  hsize_t rows = CHUNK_BYTES / (h5_type_bytes(table->type) * (size_t)table->columns);
  hsize_t chunk[2] = {rows < table->rows ? rows : table->rows, (hsize_t)table->columns};
  bool is_compressed = table->rows >= ROWS_OF_SMALL_TABLE && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0;
  return H5Pset_chunk(properties, table->columns > 1 ? 2 : 1, chunk) >= 0 &&
         (!is_compressed || (H5Pset_shuffle(properties) >= 0 && H5Pset_deflate(properties, DEFLATE_LEVEL) >= 0)) &&
         H5Pset_fletcher32(properties) >= 0;
}

static hid_t table_properties(const h5_table *table)
{
  hid_t properties = h5_object_properties(H5P_DATASET_CREATE);
  return if_set_up(properties, properties >= 0 && (table->rows == 0 || set_chunks(properties, table)));
}

static bool write_notes(hid_t dataset, const h5_table *table)
{
  return (!table->unit || h5_write_text_attribute(dataset, "unit", table->unit)) &&
         (!table->meaning || h5_write_text_attribute(dataset, "meaning", table->meaning));
}

static bool attach_scale(hid_t in, hid_t dataset, const h5_table *table, unsigned dimension, const char *name)
{
  if (!name)
    return true;
  if (strcmp(name, table->name) == 0)
    return H5DSset_scale(dataset, name) >= 0;
  hid_t scale = H5Dopen2(in, name, H5P_DEFAULT);
  bool is_attached = scale >= 0 && H5DSattach_scale(dataset, scale, dimension) >= 0;
  return h5_close(scale) && is_attached;
}

static bool fill_table(hid_t in, hid_t dataset, const h5_table *table)
{
  return (table->rows == 0 ||
          H5Dwrite(dataset, h5_type_in_memory(table->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, table->values) >= 0) &&
         write_notes(dataset, table) && attach_scale(in, dataset, table, 0, table->row_scale) &&
         (table->columns == 1 || attach_scale(in, dataset, table, 1, table->column_scale));
}

bool h5_write_table(hid_t in, const h5_table *table)
{
  hsize_t size[2] = {table->rows, (hsize_t)table->columns};
  hid_t space = H5Screate_simple(table->columns > 1 ? 2 : 1, size, NULL), properties = table_properties(table);
  hid_t dataset = space >= 0 && properties >= 0 ? H5Dcreate2(in, table->name, h5_type_in_file(table->type), space,
                                                             H5P_DEFAULT, properties, H5P_DEFAULT)
                                                : -1;
  bool is_written = dataset >= 0 && fill_table(in, dataset, table);
  is_written = h5_close(dataset) && is_written;
  h5_close(properties);
  h5_close(space);
  return is_written;
}

bool h5_write_scale(hid_t in, const char *name, const char *meaning, size_t rows)
{
  uint32_t *numbers = malloc((rows + 1) * sizeof *numbers);
  for (size_t i = 0; numbers && i < rows; i++)
    numbers[i] = (uint32_t)i;
  h5_table table = {.name = name,
                    .unit = "1",
                    .meaning = meaning,
                    .row_scale = name,
                    .type = H5_UINT32,
                    .rows = rows,
                    .columns = 1,
                    .values = numbers};
  bool is_written = numbers && h5_write_table(in, &table);
  free(numbers);
  return is_written;
}

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

/* Types of texts have at least one byte. */
static hid_t text_type(size_t length)
{
  hid_t type = H5Tcopy(H5T_C_S1);
  return if_set_up(type, H5Tset_size(type, length > 0 ? length : 1) >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 &&
                             H5Tset_cset(type, H5T_CSET_UTF8) >= 0);
}

/* A text is kept in the header of its dataset, which has a checksum, or in a chunk with a checksum. */
static hid_t text_properties(bool is_in_header)
{
  const hsize_t one = 1;
  hid_t properties = h5_object_properties(H5P_DATASET_CREATE);
  return if_set_up(properties, is_in_header
                                   ? H5Pset_layout(properties, H5D_COMPACT) >= 0
                                   : H5Pset_chunk(properties, 1, &one) >= 0 && H5Pset_fletcher32(properties) >= 0);
}

/* A chunk needs a dimension: a long text is a list of one text, which is its own scale. */
bool h5_write_text(hid_t in, const char *name, const char *text)
{
  const hsize_t one = 1;
  bool is_in_header = strlen(text) <= TEXT_IN_HEADER;
  hid_t type = text_type(strlen(text)), properties = text_properties(is_in_header);
  hid_t space = is_in_header ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &one, NULL);
  hid_t dataset = type >= 0 && space >= 0 && properties >= 0
                      ? H5Dcreate2(in, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT)
                      : -1;
  bool is_written = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0 &&
                    (is_in_header || H5DSset_scale(dataset, name) >= 0);
  is_written = h5_close(dataset) && is_written;
  h5_close(space);
  h5_close(properties);
  h5_close(type);
  return is_written;
}

/* ---- Attributes -------------------------------------------------------------------------------------------------- */

/* Closes the dataspace. */
static bool write_attribute(hid_t of, const char *name, hid_t in_file, hid_t in_memory, hid_t space, const void *values)
{
  hid_t attribute = in_file >= 0 && space >= 0 ? H5Acreate2(of, name, in_file, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
  bool is_written = attribute >= 0 && H5Awrite(attribute, in_memory, values) >= 0;
  is_written = h5_close(attribute) && is_written;
  h5_close(space);
  return is_written;
}

bool h5_write_text_attribute(hid_t of, const char *name, const char *text)
{
  hid_t type = text_type(strlen(text));
  bool is_written = write_attribute(of, name, type, type, H5Screate(H5S_SCALAR), text);
  h5_close(type);
  return is_written;
}

/* All texts have the length of the longest one. */
bool h5_write_texts_attribute(hid_t of, const char *name, const char *const texts[], size_t count)
{
  size_t longest = 1;
  for (size_t i = 0; i < count; i++)
    longest = strlen(texts[i]) > longest ? strlen(texts[i]) : longest;
  char *table = calloc(count > 0 ? count : 1, longest);
  if (!table)
    return false;
  for (size_t i = 0; i < count; i++)
    memcpy(table + i * longest, texts[i], strlen(texts[i]));
  hsize_t size = count;
  hid_t type = text_type(longest);
  bool is_written = write_attribute(of, name, type, type, H5Screate_simple(1, &size, NULL), table);
  h5_close(type);
  free(table);
  return is_written;
}

bool h5_write_integer_attribute(hid_t of, const char *name, long long value)
{
  return write_attribute(of, name, H5T_STD_I64LE, H5T_NATIVE_LLONG, H5Screate(H5S_SCALAR), &value);
}

bool h5_write_unsigned_attribute(hid_t of, const char *name, unsigned long long value)
{
  return write_attribute(of, name, H5T_STD_U64LE, H5T_NATIVE_ULLONG, H5Screate(H5S_SCALAR), &value);
}

bool h5_write_real_attribute(hid_t of, const char *name, double value)
{
  return write_attribute(of, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, H5Screate(H5S_SCALAR), &value);
}

bool h5_write_matrix_attribute(hid_t of, const char *name, const double values[3][3])
{
  const hsize_t size[2] = {3, 3};
  return write_attribute(of, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, H5Screate_simple(2, size, NULL), values);
}
