/* SPDX-License-Identifier: MIT */
/* Members of structs as fields of a file. */
#include "members.h"

#include <limits.h>
#include <string.h>

field_type dem_member_type(const member *m)
{
  switch (m->kind) {
  case MEMBER_BOOL:
    return FIELD_U8;
  case MEMBER_INT:
  case MEMBER_LONG:
  case MEMBER_LONG_LONG:
    return FIELD_I64;
  case MEMBER_UNSIGNED:
    return FIELD_U32;
  case MEMBER_UNSIGNED_LONG:
  case MEMBER_UNSIGNED_LONG_LONG:
    return FIELD_U64;
  default:
    return FIELD_F64;
  }
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static void put_signed(field_writer *w, int64_t value)
{
  dem_field_put(w, &value, sizeof value);
}

static void put_unsigned(field_writer *w, uint64_t value)
{
  dem_field_put(w, &value, sizeof value);
}

static void put_value(field_writer *w, member_kind kind, const void *at)
{
  switch (kind) {
  case MEMBER_BOOL:
    dem_field_put(w, &(uint8_t){*(const bool *)at}, 1);
    break;
  case MEMBER_INT:
    put_signed(w, *(const int *)at);
    break;
  case MEMBER_LONG:
    put_signed(w, *(const long *)at);
    break;
  case MEMBER_LONG_LONG:
    put_signed(w, *(const long long *)at);
    break;
  case MEMBER_UNSIGNED_LONG:
    put_unsigned(w, *(const unsigned long *)at);
    break;
  case MEMBER_UNSIGNED_LONG_LONG:
    put_unsigned(w, *(const unsigned long long *)at);
    break;
  case MEMBER_UNSIGNED:
    dem_field_put(w, at, sizeof(uint32_t));
    break;
  case MEMBER_DOUBLE:
    dem_field_put(w, at, sizeof(double));
    break;
  }
}

void dem_member_put(field_writer *w, const member *m, const void *of)
{
  for (size_t k = 0; k < m->count; k++)
    put_value(w, m->kind, (const char *)of + m->offset + k * m->stride);
}

void dem_members_write(field_writer *w, const member *table, size_t count, const void *of)
{
  for (size_t k = 0; k < count; k++) {
    dem_field_begin(w, table[k].name, dem_member_type(&table[k]), table[k].count);
    dem_member_put(w, &table[k], of);
    dem_field_end(w);
  }
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* False if the value does not fit into the type of the member. */
static bool get_signed(const unsigned char *from, int64_t least, int64_t largest, int64_t *value)
{
  memcpy(value, from, sizeof *value);
  return *value >= least && *value <= largest;
}

static bool get_unsigned(const unsigned char *from, uint64_t largest, uint64_t *value)
{
  memcpy(value, from, sizeof *value);
  return *value <= largest;
}

static bool get_value(member_kind kind, const unsigned char *from, void *to)
{
  int64_t s;
  uint64_t u;
  switch (kind) {
  case MEMBER_BOOL:
    *(bool *)to = *from != 0;
    return *from <= 1;
  case MEMBER_INT:
    return get_signed(from, INT_MIN, INT_MAX, &s) && (*(int *)to = (int)s, true);
  case MEMBER_LONG:
    return get_signed(from, LONG_MIN, LONG_MAX, &s) && (*(long *)to = (long)s, true);
  case MEMBER_LONG_LONG:
    return get_signed(from, LLONG_MIN, LLONG_MAX, &s) && (*(long long *)to = s, true);
  case MEMBER_UNSIGNED_LONG:
    return get_unsigned(from, ULONG_MAX, &u) && (*(unsigned long *)to = (unsigned long)u, true);
  case MEMBER_UNSIGNED_LONG_LONG:
    return get_unsigned(from, ULLONG_MAX, &u) && (*(unsigned long long *)to = u, true);
  case MEMBER_UNSIGNED:
    memcpy(to, from, sizeof(uint32_t));
    return true;
  default:
    memcpy(to, from, sizeof(double));
    return true;
  }
}

bool dem_member_get(const field_file *file, const field *from, size_t index, const member *m, void *to,
                    error_info *error)
{
  size_t size = dem_field_type_size(dem_member_type(m));
  const unsigned char *values = from->values + index * m->count * size;
  for (size_t k = 0; k < m->count; k++)
    if (!get_value(m->kind, values + k * size, (char *)to + m->offset + k * m->stride))
      return dem_field_refuse(file, m->name, "has an impossible value", error);
  return true;
}

bool dem_members_read(const field_file *file, const member *table, size_t count, void *to, error_info *error)
{
  for (size_t k = 0; k < count; k++) {
    const member *m = &table[k];
    const field *from;
    if (!dem_field_find(file, m->name, dem_member_type(m), m->count, m->need, &from, error) ||
        (from && !dem_member_get(file, from, 0, m, to, error)))
      return false;
  }
  return true;
}
