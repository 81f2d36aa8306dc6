/* SPDX-License-Identifier: MIT */
/*
 * Files of named, typed fields, for checkpoints. A reader finds fields by name, in any order, and skips names that it
 * does not know. checkpoint.c says which fields may be added without a new CHECKPOINT_FORMAT.
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
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CHECKPOINT_FORMAT = 7, FIELD_BUFFER = 65536, FIELD_NAME_MAX = 255 };

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

/* ---- Members of structs as fields -------------------------------------------------------------------------------- */

/*
 * A table of `member` drives writing and reading of a struct: each member has a field of its own, so that neither
 * padding nor the widths of int and long of a machine get into the file. Integers are written as i64 or u64, bool as
 * u8, uint32_t as u32, double as f64.
 */
typedef enum member_kind { MEMBER_BOOL, MEMBER_SIGNED, MEMBER_UNSIGNED, MEMBER_DOUBLE } member_kind;
_Static_assert(sizeof(bool) == 1 && sizeof(int) == 4, "bytes of bool and int");

typedef struct member {
  const char *name;
  size_t offset;        /* in the struct */
  size_t size;          /* of a value: of integers 4 or 8 bytes */
  size_t count, stride; /* number of values, and bytes from one to the next */
  member_kind kind;
  field_need need; /* a missing optional field leaves the member as it was */
} member;

typedef struct member_table {
  const member *list;
  size_t count;
} member_table;

/* clang-format off */
#define MEMBER_KIND(value)                                                                                             \
  _Generic((value), bool: MEMBER_BOOL, double: MEMBER_DOUBLE,                                                          \
           int: MEMBER_SIGNED, long: MEMBER_SIGNED, long long: MEMBER_SIGNED,                                          \
           unsigned: MEMBER_UNSIGNED, unsigned long: MEMBER_UNSIGNED, unsigned long long: MEMBER_UNSIGNED)
/* clang-format on */

/* `count` values that begin with the member `first` and are `stride` bytes apart. */
#define MEMBER_VALUES(type, field_name, first, number, step, needed)                                                   \
  {                                                                                                                    \
    .name = (field_name), .kind = MEMBER_KIND(((type *)0)->first), .offset = offsetof(type, first),                    \
    .size = sizeof(((type *)0)->first), .count = (number), .stride = (step), .need = (needed)                          \
  }

/* One value. */
#define MEMBER(type, field_name, member, needed)                                                                       \
  MEMBER_VALUES(type, field_name, member, 1, sizeof(((type *)0)->member), needed)

/* An array. A designator of a member cannot have parentheses. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */
#define MEMBER_ARRAY(type, field_name, member, needed)                                                                 \
  MEMBER_VALUES(type, field_name, member[0], sizeof(((type *)0)->member) / sizeof(((type *)0)->member[0]),             \
                sizeof(((type *)0)->member[0]), needed)
/* NOLINTEND(bugprone-macro-parentheses) */

/* The type of a member in a file. */
field_type dem_member_type(const member *m);

/* Puts the values of one struct into a field that has begun. */
void dem_member_put(field_writer *w, const member *m, const void *of);

/* Writes all members of a struct, each as a field. */
void dem_members_write(field_writer *w, const member_table *table, const void *of);

/*
 * Copies the values of struct number `index` from a field. False, with an error, if one does not fit into the member.
 */
bool dem_member_get(const field_file *file, const field *from, size_t index, const member *m, void *to,
                    error_info *error);

/* Reads all members of a struct. */
bool dem_members_read(const field_file *file, const member_table *table, void *to, error_info *error);

#endif
