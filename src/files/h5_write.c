/* SPDX-License-Identifier: MIT */
/* What is put into HDF5 files: tables, texts, attributes. Texts have a fixed length and are UTF-8. */
#include "h5_file.h"

#include <hdf5_hl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  ROWS_OF_SMALL_TABLE = 256, /* smaller tables are not compressed */
  CHUNK_BYTES = 1 << 18,     /* of a large one */
  DEFLATE_LEVEL = 4,
  TEXT_IN_HEADER = 60000, /* the longest text that is kept there: HDF5 has room for 64 KB */
  ATTRIBUTES_IN_HEADER = 4096
};

hid_t h5_object_properties(hid_t kind)
{
  hid_t properties = H5Pcreate(kind);
  if (properties < 0 || (H5Pset_obj_track_times(properties, false) >= 0 &&
                         H5Pset_attr_phase_change(properties, ATTRIBUTES_IN_HEADER, 0) >= 0))
    return properties;
  H5Pclose(properties);
  return -1;
}

hid_t h5_make_group(hid_t in, const char *name)
{
  hid_t properties = h5_object_properties(H5P_GROUP_CREATE);
  if (properties < 0)
    return -1;
  hid_t group = H5Gcreate2(in, name, H5P_DEFAULT, properties, H5P_DEFAULT);
  H5Pclose(properties);
  return group;
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

static hid_t file_type(h5_type type)
{
  return type == H5_REAL ? H5T_IEEE_F64LE : H5T_STD_U32LE;
}

static hid_t memory_type(h5_type type)
{
  return type == H5_REAL ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT32;
}

/* Chunks with a checksum; those of large tables are shuffled and compressed where this HDF5 can. */
static bool protect(hid_t properties, const h5_table *table)
{
  size_t row_bytes = (table->type == H5_REAL ? sizeof(double) : sizeof(uint32_t)) * (size_t)table->columns;
  hsize_t rows = CHUNK_BYTES / row_bytes;
  hsize_t chunk[2] = {rows < table->rows ? rows : table->rows, (hsize_t)table->columns};
  bool is_compressed = table->rows >= ROWS_OF_SMALL_TABLE && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0;
  if (H5Pset_chunk(properties, table->columns > 1 ? 2 : 1, chunk) < 0)
    return false;
  if (is_compressed && (H5Pset_shuffle(properties) < 0 || H5Pset_deflate(properties, DEFLATE_LEVEL) < 0))
    return false;
  return H5Pset_fletcher32(properties) >= 0;
}

static hid_t table_properties(const h5_table *table)
{
  hid_t properties = h5_object_properties(H5P_DATASET_CREATE);
  if (properties < 0)
    return -1;
  if (table->rows == 0 || protect(properties, table))
    return properties;
  H5Pclose(properties);
  return -1;
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
  if (scale < 0)
    return false;
  bool is_attached = H5DSattach_scale(dataset, scale, dimension) >= 0;
  return H5Dclose(scale) >= 0 && is_attached;
}

static bool write_dataset(hid_t in, const h5_table *table, hid_t space, hid_t properties)
{
  hid_t dataset = H5Dcreate2(in, table->name, file_type(table->type), space, H5P_DEFAULT, properties, H5P_DEFAULT);
  if (dataset < 0)
    return false;
  bool is_written = (table->rows == 0 ||
                     H5Dwrite(dataset, memory_type(table->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, table->values) >= 0) &&
                    write_notes(dataset, table) && attach_scale(in, dataset, table, 0, table->row_scale) &&
                    (table->columns == 1 || attach_scale(in, dataset, table, 1, table->column_scale));
  return H5Dclose(dataset) >= 0 && is_written;
}

bool h5_write_table(hid_t in, const h5_table *table)
{
  hsize_t size[2] = {table->rows, (hsize_t)table->columns};
  hid_t space = H5Screate_simple(table->columns > 1 ? 2 : 1, size, NULL);
  hid_t properties = table_properties(table);
  bool is_written = space >= 0 && properties >= 0 && write_dataset(in, table, space, properties);
  if (properties >= 0)
    H5Pclose(properties);
  if (space >= 0)
    H5Sclose(space);
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

/* At least one byte: HDF5 knows no texts without. */
static hid_t text_type(size_t length)
{
  hid_t type = H5Tcopy(H5T_C_S1);
  if (type < 0)
    return -1;
  if (H5Tset_size(type, length > 0 ? length : 1) >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 &&
      H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
    return type;
  H5Tclose(type);
  return -1;
}

/* A text is in the header of its dataset, which has a checksum, or in a chunk that has one. */
static hid_t text_properties(bool is_in_header)
{
  const hsize_t one = 1;
  hid_t properties = h5_object_properties(H5P_DATASET_CREATE);
  if (properties < 0)
    return -1;
  if (is_in_header ? H5Pset_layout(properties, H5D_COMPACT) >= 0
                   : H5Pset_chunk(properties, 1, &one) >= 0 && H5Pset_fletcher32(properties) >= 0)
    return properties;
  H5Pclose(properties);
  return -1;
}

static bool write_text_dataset(hid_t in, const char *name, const char *text, hid_t type, hid_t space, bool is_in_header)
{
  hid_t properties = text_properties(is_in_header);
  if (properties < 0)
    return false;
  hid_t dataset = H5Dcreate2(in, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  H5Pclose(properties);
  if (dataset < 0)
    return false;
  bool is_written = H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0 &&
                    (is_in_header || H5DSset_scale(dataset, name) >= 0);
  return H5Dclose(dataset) >= 0 && is_written;
}

/* Chunks need a dimension: a long text is a list of one, which is its own scale. */
bool h5_write_text(hid_t in, const char *name, const char *text)
{
  const hsize_t one = 1;
  bool is_in_header = strlen(text) <= TEXT_IN_HEADER;
  hid_t type = text_type(strlen(text)), space = is_in_header ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &one, NULL);
  bool is_written = type >= 0 && space >= 0 && write_text_dataset(in, name, text, type, space, is_in_header);
  if (space >= 0)
    H5Sclose(space);
  if (type >= 0)
    H5Tclose(type);
  return is_written;
}

/* ---- Attributes -------------------------------------------------------------------------------------------------- */

static bool write_attribute(hid_t of, const char *name, hid_t in_file, hid_t in_memory, hid_t space, const void *values)
{
  hid_t attribute = H5Acreate2(of, name, in_file, space, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute < 0)
    return false;
  bool is_written = H5Awrite(attribute, in_memory, values) >= 0;
  return H5Aclose(attribute) >= 0 && is_written;
}

static bool write_scalar_attribute(hid_t of, const char *name, hid_t in_file, hid_t in_memory, const void *value)
{
  hid_t space = H5Screate(H5S_SCALAR);
  if (space < 0)
    return false;
  bool is_written = write_attribute(of, name, in_file, in_memory, space, value);
  H5Sclose(space);
  return is_written;
}

bool h5_write_text_attribute(hid_t of, const char *name, const char *text)
{
  hid_t type = text_type(strlen(text));
  if (type < 0)
    return false;
  bool is_written = write_scalar_attribute(of, name, type, type, text);
  H5Tclose(type);
  return is_written;
}

/* All texts take the room of the longest. */
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
  hid_t type = text_type(longest), space = H5Screate_simple(1, &size, NULL);
  bool is_written = type >= 0 && space >= 0 && write_attribute(of, name, type, type, space, table);
  if (space >= 0)
    H5Sclose(space);
  if (type >= 0)
    H5Tclose(type);
  free(table);
  return is_written;
}

bool h5_write_integer_attribute(hid_t of, const char *name, long long value)
{
  return write_scalar_attribute(of, name, H5T_STD_I64LE, H5T_NATIVE_LLONG, &value);
}

bool h5_write_unsigned_attribute(hid_t of, const char *name, unsigned long long value)
{
  return write_scalar_attribute(of, name, H5T_STD_U64LE, H5T_NATIVE_ULLONG, &value);
}

bool h5_write_real_attribute(hid_t of, const char *name, double value)
{
  return write_scalar_attribute(of, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

bool h5_write_matrix_attribute(hid_t of, const char *name, const double values[3][3])
{
  const hsize_t size[2] = {3, 3};
  hid_t space = H5Screate_simple(2, size, NULL);
  if (space < 0)
    return false;
  bool is_written = write_attribute(of, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, space, values);
  H5Sclose(space);
  return is_written;
}
