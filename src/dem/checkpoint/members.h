/* SPDX-License-Identifier: MIT */
/*
 * Members of structs as fields of a file. A table of `member` drives writing and reading of a struct: each member has
 * a field of its own, so that neither padding nor the widths of int and long of a machine get into the file.
 *
 * Integers are written as i64 or u64, bool as u8, uint32_t as u32, double as f64.
 */
#ifndef JAGER_DEM_CHECKPOINT_MEMBERS_H
#define JAGER_DEM_CHECKPOINT_MEMBERS_H

#include "field_file.h"

#include <stddef.h>

typedef enum member_kind {
  MEMBER_BOOL,
  MEMBER_INT,
  MEMBER_LONG,
  MEMBER_LONG_LONG,
  MEMBER_UNSIGNED,
  MEMBER_UNSIGNED_LONG,
  MEMBER_UNSIGNED_LONG_LONG,
  MEMBER_DOUBLE
} member_kind;
_Static_assert(sizeof(unsigned) == sizeof(uint32_t), "MEMBER_UNSIGNED is uint32_t");

typedef struct member {
  const char *name;
  size_t offset;        /* in the struct */
  size_t count, stride; /* number of values, and bytes from one to the next */
  member_kind kind;
  field_need need; /* a missing optional field leaves the member as it was */
} member;

#define MEMBER_KIND(value)                                                                                             \
  _Generic((value), bool                                                                                               \
           : MEMBER_BOOL, int                                                                                          \
           : MEMBER_INT, long                                                                                          \
           : MEMBER_LONG, long long                                                                                    \
           : MEMBER_LONG_LONG, unsigned                                                                                \
           : MEMBER_UNSIGNED, unsigned long                                                                            \
           : MEMBER_UNSIGNED_LONG, unsigned long long                                                                  \
           : MEMBER_UNSIGNED_LONG_LONG, double                                                                         \
           : MEMBER_DOUBLE)

/* `count` values that begin with the member `first` and are `stride` bytes apart. */
#define MEMBER_VALUES(type, field_name, first, number, step, needed)                                                   \
  {                                                                                                                    \
    .name = (field_name), .kind = MEMBER_KIND(((type *)0)->first), .offset = offsetof(type, first), .count = (number), \
    .stride = (step), .need = (needed)                                                                                 \
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
void dem_members_write(field_writer *w, const member *table, size_t count, const void *of);

/*
 * Copies the values of struct number `index` from a field. False, with an error, if one does not fit into the member.
 */
bool dem_member_get(const field_file *file, const field *from, size_t index, const member *m, void *to,
                    error_info *error);

/* Reads all members of a struct. */
bool dem_members_read(const field_file *file, const member *table, size_t count, void *to, error_info *error);

#endif
