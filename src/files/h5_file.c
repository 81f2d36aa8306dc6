/* SPDX-License-Identifier: MIT */
/*
 * HDF5 files: opening and closing, writing, reading.
 *
 * HDF5's high-level interface serves for dimension scales (H5DS), and for paths and tables that are read (H5LT). Its
 * functions for writing datasets take no properties, so that checksums, compression and the absence of time stamps
 * would be lost; its functions for attributes write lists of one element instead of scalars, and texts as ASCII. It
 * treats texts of fixed and of variable length alike, and reads an attribute without checking its size.
 *
 * HDF5 refuses an id of -1: only the last one of a chain of calls has to be looked at. A file in whose writing any call
 * has failed does not appear.
 */
#include "h5_file.h"

#include <errno.h>
#include <hdf5_hl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  ROWS_OF_SMALL_TABLE = 256, /* smaller tables are not compressed */
  CHUNK_BYTES = 1 << 18,     /* of a large table */
  DEFLATE_LEVEL = 4,
  TEXT_IN_HEADER = 60000, /* longer texts are kept outside of the header, which has room for 64 KB */
  ATTRIBUTES_IN_HEADER = 4096,
  TEXT_MAX = 1 << 26,
  NAMES_MAX = 1 << 24
};

/* ---- One thread at a time, and its first failure ----------------------------------------------------------------- */

static pthread_mutex_t hdf5 = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int holds; /* a thread may have several files open */
static char failure[256];       /* the first since a thread has the lock; empty: none */

void h5_lock(void)
{
  if (holds++ == 0)
    pthread_mutex_lock(&hdf5);
}

void h5_unlock(void)
{
  if (--holds == 0)
    pthread_mutex_unlock(&hdf5);
}

/*
 * The walk goes from the innermost function that failed outwards: the first description is the most specific. Of a
 * system call that failed it is a long line, which has the system's words in it.
 */
static herr_t take_description(unsigned depth, const H5E_error2_t *level, void *context)
{
  static const char before[] = "error message = '";
  (void)context;
  if (depth > 0 || !level->desc)
    return 0;
  const char *words = strstr(level->desc, before);
  if (words)
    snprintf(failure, sizeof failure, "%.*s", (int)strcspn(words + sizeof before - 1, "'"), words + sizeof before - 1);
  else
    snprintf(failure, sizeof failure, "HDF5 says: %s", level->desc);
  return 0;
}

/* HDF5 calls this function, instead of printing, when one of its functions fails. Only the first failure is kept. */
static herr_t note_failure(hid_t stack, void *context)
{
  if (failure[0] == '\0') {
    snprintf(failure, sizeof failure, "HDF5 says: nothing");
    H5Ewalk2(stack, H5E_WALK_UPWARD, take_description, context);
  }
  return 0;
}

bool h5_file_fail(const h5_file *file, error_info *error)
{
  return failure[0] ? error_set(error, "cannot write %s: %s", file->path, failure) : error_out_of_memory(error);
}

bool h5_file_fail_damaged(const h5_file *file, const char *what, const char *advice, error_info *error)
{
  return error_set(error, "%s is damaged: its %s cannot be read%s%s%s", file->path, what, failure[0] ? ": " : "",
                   failure, advice);
}

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

/*
 * Properties for creating files, groups or datasets, to be closed. They keep no time stamps, so that equal runs give
 * equal files, and keep all attributes in the header of their object, which has a checksum.
 */
static hid_t object_properties(hid_t kind)
{
  hid_t properties = H5Pcreate(kind);
  H5Pset_obj_track_times(properties, false);
  H5Pset_attr_phase_change(properties, ATTRIBUTES_IN_HEADER, 0);
  return properties;
}

static void begin(h5_file *file, const char *path)
{
  *file = (h5_file){.id = -1, .path = path};
  h5_lock();
  if (holds == 1)
    failure[0] = '\0';
  H5Eget_auto2(H5E_DEFAULT, &file->printer, &file->printer_context);
  H5Eset_auto2(H5E_DEFAULT, note_failure, NULL);
}

/*
 * Forgets the file, and removes it if it is not finished. HDF5 keeps a file open that it could not write, as on a full
 * disk: emptying the file frees its room.
 */
static void end(h5_file *file)
{
  if (file->whole.temporary)
    (void)!truncate(file->whole.temporary, 0);
  whole_file_discard(&file->whole);
  H5Eset_auto2(H5E_DEFAULT, file->printer, file->printer_context);
  h5_unlock();
  *file = (h5_file){.id = -1};
}

/*
 * Opens or creates a file in the format of HDF5 1.10, whose metadata have checksums. It is not locked: no file is
 * written in place.
 */
static hid_t open_at(const char *path, bool is_new)
{
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = object_properties(H5P_FILE_CREATE);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
#if H5_VERSION_GE(1, 10, 7)
  H5Pset_file_locking(access, false, true);
#endif
  hid_t id = is_new ? H5Fcreate(path, H5F_ACC_TRUNC, creation, access) : H5Fopen(path, H5F_ACC_RDONLY, access);
  h5_close(creation);
  h5_close(access);
  return id;
}

bool h5_file_create(h5_file *file, const char *path, error_info *error)
{
  begin(file, path);
  if (!whole_file_open(&file->whole, path))
    error_set_errno(error, "write", path);
  else if (!file->whole.temporary)
    error_set(error, "cannot write %s: it is not a regular file", path);
  else if ((file->id = open_at(file->whole.temporary, true)) < 0)
    h5_file_fail(file, error);
  if (file->id >= 0)
    return true;
  end(file);
  return false;
}

bool h5_file_open(h5_file *file, const char *path, error_info *error)
{
  struct stat status;
  begin(file, path);
  if (access(path, R_OK) != 0 || stat(path, &status) != 0)
    error_set_errno(error, "read", path);
  else if (!S_ISREG(status.st_mode))
    error_set(error, "cannot read %s: it is not a regular file", path);
  else if ((file->id = open_at(path, false)) < 0)
    error_set(error, "%s is not an HDF5 file, or damaged: %s", path, failure);
  if (file->id >= 0)
    return true;
  end(file);
  return false;
}

/* ---- Closing ----------------------------------------------------------------------------------------------------- */

/* Called by H5Literate for each object in a group: reads all datasets, whose chunks have checksums. */
static herr_t check_object(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
  (void)info;
  hid_t object = H5Oopen(group, name, H5P_DEFAULT);
  bool is_good;
  if (H5Iget_type(object) == H5I_GROUP) {
    is_good = H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, NULL, check_object, context) >= 0;
  } else {
    hid_t type = H5Dget_type(object), space = H5Dget_space(object);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    void *values = count >= 0 ? malloc(((size_t)count + 1) * H5Tget_size(type)) : NULL;
    is_good = values && H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    free(values);
    h5_close(space);
    h5_close(type);
  }
  h5_close(object);
  return is_good ? 0 : -1;
}

bool h5_file_finish(h5_file *file, error_info *error)
{
  bool is_good = H5Fflush(file->id, H5F_SCOPE_LOCAL) >= 0;
  is_good = H5Fclose(file->id) >= 0 && is_good;
  if (is_good) {
    hid_t id = open_at(file->whole.temporary, false);
    is_good = H5Literate(id, H5_INDEX_NAME, H5_ITER_INC, NULL, check_object, NULL) >= 0;
    is_good = h5_close(id) && is_good && failure[0] == '\0';
  }
  if (!is_good)
    h5_file_fail(file, error);
  else if (!whole_file_finish_on_disk(&file->whole))
    is_good = error_set_errno(error, "write", file->path);
  end(file);
  return is_good;
}

void h5_file_close(h5_file *file)
{
  if (!file->path)
    return;
  H5Fclose(file->id);
  end(file);
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

hid_t h5_make_group(hid_t in, const char *name)
{
  hid_t properties = object_properties(H5P_GROUP_CREATE);
  hid_t group = H5Gcreate2(in, name, H5P_DEFAULT, properties, H5P_DEFAULT);
  h5_close(properties);
  return group;
}

static hid_t type_in_memory(h5_type type)
{
  return type == H5_REAL ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT32;
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

/*
 * Writes values with their notes and scales. All chunks have a checksum. Those of large tables are shuffled and
 * compressed, if this HDF5 can do so.
 */
bool h5_write_table(hid_t in, const h5_table *table)
{
  const int dimensions = table->columns > 1 ? 2 : 1;
  const hsize_t size[2] = {table->rows, (hsize_t)table->columns};
  hid_t space = H5Screate_simple(dimensions, size, NULL), properties = object_properties(H5P_DATASET_CREATE);
  if (table->rows > 0) {
    hsize_t rows = CHUNK_BYTES / (h5_type_bytes(table->type) * (size_t)table->columns);
    hsize_t chunk[2] = {rows < table->rows ? rows : table->rows, (hsize_t)table->columns};
    H5Pset_chunk(properties, dimensions, chunk);
    if (table->rows >= ROWS_OF_SMALL_TABLE && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
      H5Pset_shuffle(properties);
      H5Pset_deflate(properties, DEFLATE_LEVEL);
    }
    H5Pset_fletcher32(properties);
  }
  hid_t dataset = H5Dcreate2(in, table->name, table->type == H5_REAL ? H5T_IEEE_F64LE : H5T_STD_U32LE, space,
                             H5P_DEFAULT, properties, H5P_DEFAULT);
  bool is_written = dataset >= 0 &&
                    (table->rows == 0 || H5Dwrite(dataset, type_in_memory(table->type), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                                  table->values) >= 0) &&
                    (!table->unit || h5_write_text_attribute(dataset, "unit", table->unit)) &&
                    (!table->meaning || h5_write_text_attribute(dataset, "meaning", table->meaning)) &&
                    attach_scale(in, dataset, table, 0, table->row_scale) &&
                    (table->columns == 1 || attach_scale(in, dataset, table, 1, table->column_scale));
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

/* Texts are UTF-8 and have a fixed length, of at least one byte. */
static hid_t text_type(size_t length)
{
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, length > 0 ? length : 1);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

/*
 * A text is kept in the header of its dataset, which has a checksum; a long one in a chunk with a checksum. A chunk
 * needs a dimension: a long text is a list of one text, which is its own scale.
 */
bool h5_write_text(hid_t in, const char *name, const char *text)
{
  const hsize_t one = 1;
  bool is_in_header = strlen(text) <= TEXT_IN_HEADER;
  hid_t type = text_type(strlen(text)), properties = object_properties(H5P_DATASET_CREATE);
  hid_t space = is_in_header ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &one, NULL);
  if (is_in_header) {
    H5Pset_layout(properties, H5D_COMPACT);
  } else {
    H5Pset_chunk(properties, 1, &one);
    H5Pset_fletcher32(properties);
  }
  hid_t dataset = H5Dcreate2(in, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  bool is_written = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0 &&
                    (is_in_header || H5DSset_scale(dataset, name) >= 0);
  is_written = h5_close(dataset) && is_written;
  h5_close(space);
  h5_close(properties);
  h5_close(type);
  return is_written;
}

/* Closes the dataspace. */
static bool write_attribute(hid_t of, const char *name, hid_t in_file, hid_t in_memory, hid_t space, const void *values)
{
  hid_t attribute = H5Acreate2(of, name, in_file, space, H5P_DEFAULT, H5P_DEFAULT);
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

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* Files may be damaged or foreign: types and sizes are checked before anything is read. */

static bool is_number(H5T_class_t kind)
{
  return kind == H5T_INTEGER || kind == H5T_FLOAT;
}

hid_t h5_open_group(hid_t in, const char *path)
{
  return H5LTpath_valid(in, path, true) > 0 ? H5Gopen2(in, path, H5P_DEFAULT) : -1;
}

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
         (rows == 0 || H5LTread_dataset(in, path, type_in_memory(type), values) >= 0);
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

char **h5_read_texts_attribute(hid_t of, const char *name, size_t *count)
{
  const open_attribute attribute = attribute_open(of, name);
  size_t size = text_size(attribute.type);
  *count = element_count(attribute.space);
  char *table = size > 0 && *count > 0 && *count <= TEXT_MAX / size ? calloc(*count, size) : NULL;
  char **texts = table && H5Aread(attribute.id, attribute.type, table) >= 0 ? calloc(*count, sizeof *texts) : NULL;
  for (size_t i = 0; texts && i < *count; i++) {
    texts[i] = strndup(table + i * size, size);
    if (!texts[i]) {
      h5_free_texts(texts, i);
      texts = NULL;
    }
  }
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
