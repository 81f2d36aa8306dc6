/* SPDX-License-Identifier: MIT */
/* The bytes of files of named fields, and members of structs as fields. */
#include "field_file.h"
#include "base/file_system.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char magic[8] = {'J', 'A', 'G', 'E', 'R', 'C', 'K', 'P'};

typedef struct file_header {
  char magic[8];
  uint32_t format, byte_order;
} file_header;

typedef struct field_header {
  uint64_t count;
  uint16_t type, value_size;
  uint32_t name_length;
} field_header;

typedef struct trailer {
  uint64_t length, sum;
} trailer;

_Static_assert(sizeof(file_header) == 16 && sizeof(field_header) == 16 && sizeof(trailer) == 16,
               "headers are written as bytes: they have no padding, and all fields stay on multiples of 8");
_Static_assert(FIELD_BUFFER % (CHECKSUM_LANES * sizeof(uint64_t)) == 0,
               "checksums of buffers add up to the checksum of the file: each begins with lane 0");

#define BYTE_ORDER_MARK 0x01020304u

static const size_t type_sizes[FIELD_TYPES] = {
    [FIELD_TEXT] = 1, [FIELD_U8] = 1, [FIELD_U32] = 4, [FIELD_U64] = 8, [FIELD_I64] = 8, [FIELD_F64] = 8};

size_t dem_field_type_size(field_type type)
{
  return type_sizes[type];
}

/* Number of zeros from this length to the next multiple of 8. */
static size_t padding_of(uint64_t length)
{
  return (size_t)(-length & 7u);
}

/* The same, at least one: names and texts end with NUL. */
static size_t text_padding_of(uint64_t length)
{
  return padding_of(length + 1) + 1;
}

/* ---- The checksum ------------------------------------------------------------------------------------------------ */

static checksum checksum_start(void)
{
  checksum sum;
  for (size_t k = 0; k < CHECKSUM_LANES; k++)
    sum.lanes[k] = hash_start();
  return sum;
}

/* Adds bytes that begin with lane 0. Only the last ones may end within a word. */
static void checksum_add(checksum *sum, const unsigned char *bytes, size_t size)
{
  enum { ROW = CHECKSUM_LANES * sizeof(uint64_t) };
  hash lanes[CHECKSUM_LANES];
  memcpy(lanes, sum->lanes, sizeof lanes);
  for (; size >= ROW; bytes += ROW, size -= ROW)
    for (size_t k = 0; k < CHECKSUM_LANES; k++)
      hash_add(&lanes[k], bytes + k * sizeof(uint64_t), sizeof(uint64_t));
  for (size_t k = 0; size > 0; k++) {
    size_t part = size < sizeof(uint64_t) ? size : sizeof(uint64_t);
    hash_add(&lanes[k], bytes, part);
    bytes += part;
    size -= part;
  }
  memcpy(sum->lanes, lanes, sizeof lanes);
}

static uint64_t checksum_value(const checksum *sum)
{
  hash all = hash_start();
  for (size_t k = 0; k < CHECKSUM_LANES; k++)
    hash_word(&all, hash_value(&sum->lanes[k]));
  return hash_value(&all);
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static void flush_buffer(field_writer *w)
{
  checksum_add(&w->sum, w->buffer, w->used);
  w->length += w->used;
  w->failed = w->failed || fwrite(w->buffer, 1, w->used, w->stream) != w->used;
  w->used = 0;
}

static void put_bytes(field_writer *w, const void *bytes, size_t size)
{
  const unsigned char *at = bytes;
  while (size > 0) {
    size_t room = sizeof w->buffer - w->used, part = size < room ? size : room;
    memcpy(w->buffer + w->used, at, part);
    w->used += part;
    at += part;
    size -= part;
    if (w->used == sizeof w->buffer)
      flush_buffer(w);
  }
}

static void put_zeros(field_writer *w, size_t count)
{
  static const char zeros[8] = {0};
  put_bytes(w, zeros, count);
}

void dem_field_writer_start(field_writer *w, FILE *stream)
{
  file_header head = {.format = CHECKPOINT_FORMAT, .byte_order = BYTE_ORDER_MARK};
  memcpy(head.magic, magic, sizeof magic);
  w->stream = stream;
  w->sum = checksum_start();
  w->length = w->expected = 0;
  w->used = 0;
  w->failed = false;
  put_bytes(w, &head, sizeof head);
}

void dem_field_begin(field_writer *w, const char *name, field_type type, uint64_t count)
{
  field_header head = {.count = count,
                       .type = (uint16_t)type,
                       .value_size = (uint16_t)type_sizes[type],
                       .name_length = (uint32_t)strlen(name)};
  assert(w->expected == 0 && head.name_length > 0 && head.name_length <= FIELD_NAME_MAX);
  w->expected = count * type_sizes[type];
  w->is_text = type == FIELD_TEXT;
  put_bytes(w, &head, sizeof head);
  put_bytes(w, name, head.name_length);
  put_zeros(w, text_padding_of(head.name_length));
}

void dem_field_put_across(field_writer *w, const void *bytes, size_t size)
{
  put_bytes(w, bytes, size);
}

void dem_field_end(field_writer *w)
{
  assert(w->expected == 0);
  put_zeros(w, w->is_text ? text_padding_of(w->length + w->used) : padding_of(w->length + w->used));
}

void dem_field_write(field_writer *w, const char *name, field_type type, uint64_t count, const void *values)
{
  dem_field_begin(w, name, type, count);
  dem_field_put(w, values, (size_t)count * type_sizes[type]);
  dem_field_end(w);
}

void dem_field_write_text(field_writer *w, const char *name, const char *text)
{
  dem_field_write(w, name, FIELD_TEXT, strlen(text), text);
}

bool dem_field_writer_finish(field_writer *w)
{
  if (w->used > 0)
    flush_buffer(w);
  trailer end = {.length = w->length, .sum = checksum_value(&w->sum)};
  return fwrite(&end, sizeof end, 1, w->stream) == 1 && !w->failed;
}

/* ---- Reading: the whole file ------------------------------------------------------------------------------------- */

bool dem_field_file_is(const char *path)
{
  char start[sizeof magic];
  const char *reason;
  FILE *stream = regular_file_open(path, &reason);
  if (!stream)
    return false;
  bool is = fread(start, sizeof start, 1, stream) == 1 && memcmp(start, magic, sizeof magic) == 0;
  fclose(stream);
  return is;
}

static bool check_header(FILE *stream, const char *path, error_info *error)
{
  file_header head;
  if (fread(&head, sizeof head, 1, stream) != 1 || memcmp(head.magic, magic, sizeof magic) != 0)
    return error_set(error, "%s: not a checkpoint of jager", path);
  if (head.byte_order != BYTE_ORDER_MARK)
    return error_set(error, "%s: a checkpoint from a machine with another byte order", path);
  if (head.format != CHECKPOINT_FORMAT)
    return error_set(error, "%s: a checkpoint of format %u, this program reads format %d", path, head.format,
                     CHECKPOINT_FORMAT);
  return true;
}

/* Reads everything into memory, the header again included; `length` is without the trailer. */
static bool read_bytes(field_file *file, FILE *stream, uint64_t *length, error_info *error)
{
  off_t size = fseeko(stream, 0, SEEK_END) == 0 ? ftello(stream) : -1;
  if (size < 0)
    return error_set(error, "%s: %s", file->path, strerror(errno));
  if ((uint64_t)size < sizeof(file_header) + sizeof(trailer))
    return error_set(error, "%s: the checkpoint is truncated", file->path);
  file->bytes = (uint64_t)size <= SIZE_MAX ? malloc((size_t)size) : NULL;
  if (!file->bytes)
    return error_set_memory(error, "%s: out of memory", file->path);
  rewind(stream);
  if (fread(file->bytes, 1, (size_t)size, stream) != (size_t)size)
    return error_set(error, "%s: cannot be read", file->path);
  *length = (uint64_t)size - sizeof(trailer);
  return true;
}

static bool check_sum(const field_file *file, uint64_t length, error_info *error)
{
  trailer end;
  memcpy(&end, file->bytes + length, sizeof end);
  if (end.length != length)
    return error_set(error, "%s: the checkpoint is truncated", file->path);
  checksum sum = checksum_start();
  checksum_add(&sum, file->bytes, (size_t)length);
  return checksum_value(&sum) == end.sum ||
         error_set(error, "%s: the checkpoint is damaged: its checksum is wrong", file->path);
}

/* ---- Reading: the fields ----------------------------------------------------------------------------------------- */

/* Takes one field from `at`, with `left` bytes before the end. Returns its length; 0: it is not well formed. */
static uint64_t parse_field(const unsigned char *at, uint64_t left, field *found)
{
  field_header head;
  if (left < sizeof head)
    return 0;
  memcpy(&head, at, sizeof head);
  uint64_t used = sizeof head, name_room = (uint64_t)head.name_length + text_padding_of(head.name_length);
  if (head.name_length == 0 || head.name_length > FIELD_NAME_MAX || head.value_size == 0 || name_room > left - used)
    return 0;
  const char *name = (const char *)at + used;
  if (memchr(name, '\0', head.name_length) || name[head.name_length] != '\0')
    return 0;
  used += name_room;
  if (head.count > (left - used) / head.value_size)
    return 0;
  uint64_t size = head.count * head.value_size;
  const unsigned char *values = at + used;
  size_t padding = head.type == FIELD_TEXT ? text_padding_of(size) : padding_of(size);
  if (padding > left - used - size)
    return 0;
  if (head.type == FIELD_TEXT && (memchr(values, '\0', (size_t)size) || values[size] != '\0'))
    return 0;
  *found =
      (field){.name = name, .type = head.type, .value_size = head.value_size, .count = head.count, .values = values};
  return used + size + padding;
}

static bool add_field(field_file *file, size_t *room, const field *found, error_info *error)
{
  if (file->count == *room) {
    size_t larger = 2 * *room + 128;
    field *fields = realloc(file->fields, larger * sizeof *fields);
    if (!fields)
      return error_set_memory(error, "%s: out of memory", file->path);
    file->fields = fields;
    *room = larger;
  }
  file->fields[file->count++] = *found;
  return true;
}

static bool parse_fields(field_file *file, uint64_t length, error_info *error)
{
  size_t room = 0;
  for (uint64_t at = sizeof(file_header), used; at < length; at += used) {
    field found;
    used = parse_field(file->bytes + at, length - at, &found);
    if (used == 0)
      return error_set(error, "%s: the checkpoint is not well formed: the field at byte %llu", file->path,
                       (unsigned long long)at);
    if (!add_field(file, &room, &found, error))
      return false;
  }
  return true;
}

/* Directories of runs are easily taken for their checkpoints. */
static const char is_directory_hint[] = ": give the checkpoint in it, such as DIR/checkpoint.jck";

static bool read_file(field_file *file, error_info *error)
{
  const char *reason;
  uint64_t length = 0;
  FILE *stream = regular_file_open(file->path, &reason);
  if (!stream)
    return (errno == ENOMEM ? error_set_memory : error_set)(error, "%s: %s%s", file->path, reason,
                                                            errno == EISDIR ? is_directory_hint : "");
  bool is_whole = check_header(stream, file->path, error) && read_bytes(file, stream, &length, error) &&
                  check_sum(file, length, error);
  fclose(stream);
  return is_whole && parse_fields(file, length, error);
}

bool dem_field_file_read(field_file *file, const char *path, error_info *error)
{
  *file = (field_file){.path = strdup(path)};
  if (file->path ? read_file(file, error) : error_set_memory(error, "%s: out of memory", path))
    return true;
  dem_field_file_free(file);
  return false;
}

bool dem_field_file_take(field_file *file, const char *name, char *bytes, size_t size, error_info *error)
{
  *file = (field_file){.path = strdup(name), .bytes = (unsigned char *)bytes};
  uint64_t length = size < sizeof(file_header) + sizeof(trailer) ? 0 : (uint64_t)size - sizeof(trailer);
  bool is_whole = file->path ? length > 0 || error_set(error, "%s: the checkpoint is truncated", name)
                             : error_set_memory(error, "%s: out of memory", name);
  if (is_whole && check_sum(file, length, error) && parse_fields(file, length, error))
    return true;
  dem_field_file_free(file);
  return false;
}

void dem_field_file_free(field_file *file)
{
  free(file->path);
  free(file->bytes);
  free(file->fields);
  *file = (field_file){.path = NULL};
}

bool dem_field_find(const field_file *file, const char *name, field_type type, uint64_t count, field_need need,
                    const field **found, error_info *error)
{
  *found = NULL;
  for (size_t k = 0; k < file->count; k++) {
    if (strcmp(file->fields[k].name, name) != 0)
      continue;
    if (*found)
      return dem_field_refuse(file, name, "occurs twice", error);
    *found = &file->fields[k];
  }
  if (!*found)
    return need == FIELD_OPTIONAL || dem_field_refuse(file, name, "is missing", error);
  if ((*found)->type != (uint32_t)type || (*found)->value_size != type_sizes[type])
    return dem_field_refuse(file, name, "has another type", error);
  if (count != FIELD_ANY_COUNT && (*found)->count != count)
    return dem_field_refuse(file, name, "has another number of values", error);
  return true;
}

/* ---- Members of structs ------------------------------------------------------------------------------------------ */

field_type dem_member_type(const member *m)
{
  switch (m->kind) {
  case MEMBER_BOOL:
    return FIELD_U8;
  case MEMBER_SIGNED:
    return FIELD_I64;
  case MEMBER_UNSIGNED:
    return m->size == sizeof(uint32_t) ? FIELD_U32 : FIELD_U64;
  default:
    return FIELD_F64;
  }
}

void dem_member_put(field_writer *w, const member *m, const void *of)
{
  for (size_t k = 0; k < m->count; k++) {
    const char *at = (const char *)of + m->offset + k * m->stride;
    int32_t narrow;
    if (m->kind == MEMBER_SIGNED && m->size == sizeof narrow) {
      memcpy(&narrow, at, sizeof narrow);
      dem_field_put(w, &(int64_t){narrow}, sizeof(int64_t));
    } else
      dem_field_put(w, at, m->size);
  }
}

void dem_members_write(field_writer *w, const member_table *table, const void *of)
{
  for (size_t k = 0; k < table->count; k++) {
    const member *m = &table->list[k];
    dem_field_begin(w, m->name, dem_member_type(m), m->count);
    dem_member_put(w, m, of);
    dem_field_end(w);
  }
}

/* False if the value does not fit into the type of the member. */
static bool get_value(const member *m, const unsigned char *from, char *to)
{
  int64_t wide;
  if (m->kind == MEMBER_BOOL) {
    *(bool *)(void *)to = *from != 0;
    return *from <= 1;
  }
  if (m->kind == MEMBER_SIGNED && m->size == sizeof(int32_t)) {
    memcpy(&wide, from, sizeof wide);
    memcpy(to, &(int32_t){(int32_t)wide}, sizeof(int32_t));
    return wide >= INT32_MIN && wide <= INT32_MAX;
  }
  memcpy(to, from, m->size);
  return true;
}

bool dem_member_get(const field_file *file, const field *from, size_t index, const member *m, void *to,
                    error_info *error)
{
  size_t size = dem_field_type_size(dem_member_type(m));
  const unsigned char *values = from->values + index * m->count * size;
  for (size_t k = 0; k < m->count; k++)
    if (!get_value(m, values + k * size, (char *)to + m->offset + k * m->stride))
      return dem_field_refuse(file, m->name, "has an impossible value", error);
  return true;
}

bool dem_members_read(const field_file *file, const member_table *table, void *to, error_info *error)
{
  for (size_t k = 0; k < table->count; k++) {
    const member *m = &table->list[k];
    const field *from;
    if (!dem_field_find(file, m->name, dem_member_type(m), m->count, m->need, &from, error) ||
        (from && !dem_member_get(file, from, 0, m, to, error)))
      return false;
  }
  return true;
}
