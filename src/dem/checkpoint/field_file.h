/* SPDX-License-Identifier: MIT */
/*
 * Files of named, typed fields, for checkpoints. A reader finds fields by name, in any order, and skips names that it
 * does not know. checkpoint_fields.h says which fields may be added without a new CHECKPOINT_FORMAT.
 *
 *     8 bytes "JAGERCKP", u32 format, u32 0x01020304 (byte order)
 *     for each field: u64 number of values, u16 type, u16 bytes of a value, u32 length of the name;
 *                     the name; zeros to the next multiple of 8, at least one;
 *                     the values; zeros to the next multiple of 8, at least one after a text
 *     u64 length of everything before, u64 checksum of everything before
 *
 * The checksum is the hash of four hashes: word k of the file, of 64 bits, belongs to hash k mod 4. A change of any
 * one word changes it, and four independent chains of operations are several times as fast as one.
 *
 * The values are in the machine's byte order. A machine with another one refuses the file.
 */
#ifndef JAGER_DEM_CHECKPOINT_FIELD_FILE_H
#define JAGER_DEM_CHECKPOINT_FIELD_FILE_H

#include "base/error.h"
#include "base/hash.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CHECKPOINT_FORMAT = 6, FIELD_BUFFER = 65536, FIELD_NAME_MAX = 255 };

typedef enum field_type {
  FIELD_TEXT = 1,
  FIELD_U8,
  FIELD_U32,
  FIELD_U64,
  FIELD_I64,
  FIELD_F64,
  FIELD_TYPES
} field_type;

/* Bytes of one value. */
size_t dem_field_type_size(field_type type);

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

enum { CHECKSUM_LANES = 4 };

typedef struct checksum {
  hash lanes[CHECKSUM_LANES];
} checksum;

typedef struct field_writer {
  FILE *stream;
  checksum sum;
  uint64_t length;   /* of all flushed buffers */
  uint64_t expected; /* bytes of values that the present field still lacks */
  bool is_text;
  bool failed;
  size_t used;
  unsigned char buffer[FIELD_BUFFER];
} field_writer;

void dem_field_writer_start(field_writer *w, FILE *stream);

/* A field in parts: begin, put its values, end. */
void dem_field_begin(field_writer *w, const char *name, field_type type, uint64_t count);
static inline void dem_field_put(field_writer *w, const void *bytes, size_t size);
void dem_field_end(field_writer *w);

/* A field as a whole. */
void dem_field_write(field_writer *w, const char *name, field_type type, uint64_t count, const void *values);
void dem_field_write_text(field_writer *w, const char *name, const char *text);

/* dem_field_put where the buffer overflows. */
void dem_field_put_across(field_writer *w, const void *bytes, size_t size);

/*
 * Inline, with copies of constant size for the common values: columns of large assemblies are written value by value.
 */
static inline void dem_field_put(field_writer *w, const void *bytes, size_t size)
{
  assert(size <= w->expected);
  w->expected -= size;
  unsigned char *to = w->buffer + w->used;
  if (size >= sizeof w->buffer - w->used)
    dem_field_put_across(w, bytes, size);
  else {
    w->used += size;
    if (size == 3 * sizeof(double))
      memcpy(to, bytes, 3 * sizeof(double));
    else if (size == sizeof(double))
      memcpy(to, bytes, sizeof(double));
    else if (size == sizeof(uint32_t))
      memcpy(to, bytes, sizeof(uint32_t));
    else if (size > 0)
      memcpy(to, bytes, size);
  }
}

/* Writes the length and the hash. False if anything could not be written. */
bool dem_field_writer_finish(field_writer *w);

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct field {
  const char *name;
  uint32_t type, value_size;
  uint64_t count;
  const unsigned char *values; /* on a multiple of 8; a text ends with NUL */
} field;

/* A whole file in memory. */
typedef struct field_file {
  char *path;
  unsigned char *bytes;
  field *fields;
  size_t count;
} field_file;

/* Is it a regular file that begins with the mark of these files? */
bool dem_field_file_is(const char *path);

/* Reads and verifies the file: length, hash, and that every field ends within it. */
bool dem_field_file_read(field_file *file, const char *path, error_info *error);

/* The same with bytes in memory, which it takes, also on failure; `name` stands for the path in messages. */
bool dem_field_file_take(field_file *file, const char *name, char *bytes, size_t size, error_info *error);

void dem_field_file_free(field_file *file);

#define FIELD_ANY_COUNT UINT64_MAX

/*
 * Finds a field with this type and number of values. False, with an error that names the field, if it has another
 * type or number, or occurs twice, or is missing and required. A missing optional field is NULL.
 */
typedef enum field_need { FIELD_REQUIRED, FIELD_OPTIONAL } field_need;
bool dem_field_find(const field_file *file, const char *name, field_type type, uint64_t count, field_need need,
                    const field **found, error_info *error);

/* "PATH: the checkpoint is not well formed: field 'NAME' PROBLEM"; returns false. */
static inline bool dem_field_refuse(const field_file *file, const char *name, const char *problem, error_info *error)
{
  error_set(error, "%s: the checkpoint is not well formed: field '%s' %s", file->path, name, problem);
  return false; /* inline, so that static checkers see it */
}

#endif
