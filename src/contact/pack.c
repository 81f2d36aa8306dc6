/* SPDX-License-Identifier: MIT */
/*
 * A contact as bytes, for checkpoints and messages. The format, all little-endian:
 *
 *     offset  bytes
 *          0      4  "JGRC"
 *          4      2  version of the format (3)
 *          6      1  model
 *          7      1  state
 *          8      4  length
 *         12      1  points_since_shortening
 *         13      3  zero
 *         16    144  the fields of FIELDS, in that order, IEEE 754
 *        160   28 n  entries, the lowest first: ζ*, p*1, p*2, error bound; n = length - 3, or 0
 *   160+28 n      4  CRC-32 (IEEE 802.3) of all bytes before it
 *
 * One list of fields serves packing and unpacking.
 */
#include "contact/compare/laws.h"
#include "step.h"

#include <float.h>

enum { VERSION = 3, HEADER = 16, CRC = 4 };
enum { DOUBLE_BYTES = 8, HIGH32_BYTES = 4, ENTRY_BYTES = 28 };

/* D: a double; H: the upper 32 bits of a double */
#define FIELDS(D, H)                                                                                                   \
  D(zeta)                                                                                                              \
  D(fn)                                                                                                                \
  D(top.p.x)                                                                                                           \
  D(top.p.y)                                                                                                           \
  D(top.zeta_base)                                                                                                     \
  D(top.fn_base)                                                                                                       \
  D(second.p.x)                                                                                                        \
  D(second.p.y)                                                                                                        \
  D(second.zeta_base)                                                                                                  \
  D(second.fn_base)                                                                                                    \
  D(anchor.ft.x)                                                                                                       \
  D(anchor.ft.y)                                                                                                       \
  H(anchor.ft_low[0])                                                                                                  \
  H(anchor.ft_low[1])                                                                                                  \
  H(error_bound.top)                                                                                                   \
  H(error_bound.second)                                                                                                \
  D(xi_residual.x)                                                                                                     \
  D(xi_residual.y)                                                                                                     \
  D(friction)                                                                                                          \
  D(stiffness)

#define DOUBLE_SIZE(field) +8 /* NOLINT(bugprone-macro-parentheses): a sum */
#define HIGH32_SIZE(field) +4 /* NOLINT(bugprone-macro-parentheses) */
enum { FIXED = HEADER FIELDS(DOUBLE_SIZE, HIGH32_SIZE) };
_Static_assert(FIXED == 160, "the format as described above");

static const unsigned char magic[4] = {'J', 'G', 'R', 'C'};

/* ---- Bytes ------------------------------------------------------------------------------------------------------- */

/* A little-endian number */
static inline uint64_t get_bytes(const unsigned char *from, int bytes)
{
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++)
    value |= (uint64_t)from[i] << (8 * i);
  return value;
}

static inline double get_double(const unsigned char *from)
{
  return double_from_bits(get_bytes(from, DOUBLE_BYTES));
}

typedef struct packed_entry {
  history_entry entry;
  uint32_t error_bound;
} packed_entry;

static inline packed_entry get_entry(const unsigned char *from)
{
  vec2 p = {get_double(from + DOUBLE_BYTES), get_double(from + 2 * DOUBLE_BYTES)};
  return (packed_entry){{get_double(from), p}, (uint32_t)get_bytes(from + 3 * DOUBLE_BYTES, HIGH32_BYTES)};
}

static unsigned char *put_bytes(unsigned char *to, uint64_t value, int bytes)
{
  for (int i = 0; i < bytes; i++)
    *to++ = (unsigned char)(value >> (8 * i));
  return to;
}

static unsigned char *put_double(unsigned char *to, double value)
{
  return put_bytes(to, double_bits(value), DOUBLE_BYTES);
}

/*
 * CRC-32, a byte at a time. The effect of a byte on the remainder is the sum, without carries, of the effects of its
 * bits, and these are powers of x modulo the polynomial 0xEDB88320 (bits reversed). So the compiler makes the table
 * from eight numbers.
 */
#define CRC_BIT(byte, bit, power) (((byte) >> (bit)&1u) * (power))
#define CRC_OF(byte)                                                                                                   \
  (CRC_BIT(byte, 0, 0x77073096u) ^ CRC_BIT(byte, 1, 0xEE0E612Cu) ^ CRC_BIT(byte, 2, 0x076DC419u) ^                     \
   CRC_BIT(byte, 3, 0x0EDB8832u) ^ CRC_BIT(byte, 4, 0x1DB71064u) ^ CRC_BIT(byte, 5, 0x3B6E20C8u) ^                     \
   CRC_BIT(byte, 6, 0x76DC4190u) ^ CRC_BIT(byte, 7, 0xEDB88320u))
#define CRC_4(byte) CRC_OF(byte), CRC_OF((byte) + 1u), CRC_OF((byte) + 2u), CRC_OF((byte) + 3u)
#define CRC_16(byte) CRC_4(byte), CRC_4((byte) + 4u), CRC_4((byte) + 8u), CRC_4((byte) + 12u)
#define CRC_64(byte) CRC_16(byte), CRC_16((byte) + 16u), CRC_16((byte) + 32u), CRC_16((byte) + 48u)

static const uint32_t crc_table[256] = {CRC_64(0u), CRC_64(64u), CRC_64(128u), CRC_64(192u)};

static uint32_t crc32_of(const unsigned char *bytes, size_t count)
{
  uint32_t crc = 0xFFFFFFFFu;
  for (size_t i = 0; i < count; i++)
    crc = (crc >> 8) ^ crc_table[(crc ^ bytes[i]) & 0xFFu];
  return ~crc;
}

/* ---- Pack -------------------------------------------------------------------------------------------------------- */

/* The zeroth point is not stored, and the two topmost segments lie in the contact. */
static size_t entries_for(uint32_t length)
{
  return length > 3 ? length - 3 : 0;
}

size_t jager_contact_pack_size(const jager_contact *contact)
{
  return contact ? FIXED + ENTRY_BYTES * entries_for(data_of_const(contact)->length) + CRC : 0;
}

static void put_entries(unsigned char *end, const contact_data *c)
{
  FOR_EACH_ENTRY(at, c)
  {
    end -= ENTRY_BYTES;
    unsigned char *to = put_double(end, entry_at(at)->zeta);
    to = put_double(put_double(to, entry_at(at)->p.x), entry_at(at)->p.y);
    put_bytes(to, *entry_error_bound(at), HIGH32_BYTES);
  }
}

jager_status jager_contact_pack(const jager_contact *contact, void *bytes, size_t capacity)
{
  if (!contact || !bytes)
    return JAGER_ERROR_NULL;
  size_t size = jager_contact_pack_size(contact);
  if (capacity < size)
    return JAGER_ERROR_CAPACITY;
  const contact_data *c = data_of_const(contact);
  unsigned char *start = bytes, *to = start;
  memcpy(to, magic, sizeof magic);
  to = put_bytes(to + sizeof magic, VERSION, 2);
  to = put_bytes(to, c->model, 1);
  to = put_bytes(to, c->state, 1);
  to = put_bytes(to, c->length, 4);
  to = put_bytes(to, c->points_since_shortening, 4);
#define PUT_DOUBLE(field) to = put_double(to, c->field);
#define PUT_HIGH32(field) to = put_bytes(to, c->field, HIGH32_BYTES);
  FIELDS(PUT_DOUBLE, PUT_HIGH32)
  put_entries(start + size - CRC, c);
  put_bytes(start + size - CRC, crc32_of(start, size - CRC), CRC);
  return JAGER_OK;
}

/* ---- Which contacts are possible --------------------------------------------------------------------------------- */

/* All contacts that are no possible state of their law are refused: a movement relies on them. */

static bool is_near(double a, double b)
{
  return fabs(a - b) <= 1e-9 * b;
}

static bool fields_are_possible(const contact_data *c)
{
  const double positive[] = {c->fn, c->top.zeta_base, c->top.fn_base, c->second.zeta_base, c->second.fn_base};
  for (size_t i = 0; i < sizeof positive / sizeof positive[0]; i++)
    if (signbit(positive[i])) /* not even -0: force_magnitude reads the exponent of Fn with its sign */
      return false;
  if (c->error_bound.top >> 31 != 0 || c->error_bound.top < c->error_bound.second) /* bits have the order of numbers */
    return false;
  return fabs(c->zeta) <= JAGER_ZETA_MAX && c->friction >= 0.0 && c->friction <= JAGER_FRICTION_MAX &&
         c->stiffness >= JAGER_STIFFNESS_MIN && c->stiffness <= JAGER_STIFFNESS_MAX;
}

static bool second_is_empty(const contact_data *c)
{
  return vec2_is_zero(c->second.p) && c->second.zeta_base == 0.0 && c->second.fn_base == 0.0 &&
         vec2_is_zero(c->anchor.ft) && c->anchor.ft_low[0] == 0 && c->anchor.ft_low[1] == 0 &&
         c->error_bound.second == 0;
}

/* Not touching */
static bool history_is_empty(const contact_data *c)
{
  return c->zeta <= 0.0 && c->state == JAGER_STATE_APART && c->length == 1 && c->fn == 0.0 && vec2_is_zero(c->top.p) &&
         c->top.zeta_base == 0.0 && c->top.fn_base == 0.0 && vec2_is_zero(c->xi_residual) && c->error_bound.top == 0 &&
         c->points_since_shortening == 0 && second_is_empty(c);
}

/* The exact law */

static bool slope_is_possible(double friction, vec2 p)
{
  return hypot(p.x, p.y) <= friction * (1.0 + 1e-9) + DBL_MIN;
}

/*
 * Upper bound of the rounding errors of the anchor. Each force that was added and taken away again leaves at most 2^-74
 * of the largest force, the part below the precision of the stored error; it may have happened thousands of times.
 */
static double anchor_rounding(const contact_data *c)
{
  double largest = double_from_bits((uint64_t)(force_magnitude(c->second.fn_base) + 1u) << 56); /* of this magnitude */
  return 1e-18 * c->friction * largest + DBL_MIN;
}

/* ζ* rises to the base of the second segment, no slope exceeds f, and the anchor is the sum of the entries. */
static bool entries_are_possible(const jager_law *law, const contact_data *c, const unsigned char *from, size_t entries)
{
  double zeta = 0.0, fn = 0.0, size = 0.0;
  uint32_t bound = 0;
  compensated_vec2 anchor = anchor_of(c);
  compensated_vec2 ft = {{-anchor.high.x, -anchor.high.y}, {-anchor.low.x, -anchor.low.y}};
  for (size_t i = 0; i < entries; i++, from += ENTRY_BYTES) {
    packed_entry next = get_entry(from);
    vec2 p = next.entry.p;
    if (!(next.entry.zeta > zeta && next.entry.zeta < c->zeta) || !slope_is_possible(c->friction, p) ||
        next.error_bound < bound)
      return false;
    double fn_end = normal_force(law, c->stiffness, next.entry.zeta);
    compensated_vec2_add(&ft, fn_end - fn, p);
    size += (fn_end - fn) * (fabs(p.x) + fabs(p.y));
    zeta = next.entry.zeta;
    fn = fn_end;
    bound = next.error_bound;
  }
  double slack = 1e-12 * size + anchor_rounding(c);
  return zeta == c->second.zeta_base && bound <= c->error_bound.second && fabs(ft.high.x + ft.low.x) <= slack &&
         fabs(ft.high.y + ft.low.y) <= slack;
}

static bool history_is_possible(const jager_law *law, const contact_data *c, const unsigned char *from, size_t entries)
{
  if (c->length < 2 || c->points_since_shortening > c->length - 2)
    return false;
  if (c->length == 2 ? c->top.zeta_base != 0.0 || !second_is_empty(c) : !(c->second.zeta_base < c->top.zeta_base))
    return false;
  /* the residual may be large against ζ, where the contact has unloaded by many decades */
  return c->top.zeta_base < c->zeta && fabs(c->xi_residual.x) <= JAGER_XI_MAX &&
         fabs(c->xi_residual.y) <= JAGER_XI_MAX && slope_is_possible(c->friction, c->top.p) &&
         slope_is_possible(c->friction, c->second.p) && is_near(normal_force(law, c->stiffness, c->zeta), c->fn) &&
         is_near(normal_force(law, c->stiffness, c->top.zeta_base), c->top.fn_base) &&
         is_near(normal_force(law, c->stiffness, c->second.zeta_base), c->second.fn_base) &&
         entries_are_possible(law, c, from, entries);
}

/* ---- Laws to compare with ---------------------------------------------------------------------------------------- */

/* Fields that such a law does not use are zero. */
static bool unused_fields_are_empty(const contact_data *c)
{
  return c->top.zeta_base == 0.0 && vec2_is_zero(c->second.p) && c->second.zeta_base == 0.0 &&
         c->second.fn_base == 0.0 && c->anchor.ft_low[0] == 0 && c->anchor.ft_low[1] == 0 && c->error_bound.top == 0 &&
         c->points_since_shortening == 0 && c->error_bound.second == 0 && vec2_is_zero(c->xi_residual) &&
         (c->length > 2 || vec2_is_zero(c->top.p));
}

/* The force lies within friction, and the entries are turning points. */
static bool compared_is_possible(const jager_law *law, const contact_data *c, const unsigned char *from, size_t entries)
{
  for (size_t i = 0; i < entries; i++, from += ENTRY_BYTES) {
    packed_entry next = get_entry(from);
    if (next.entry.zeta != 0.0 || next.error_bound != 0 || !isfinite(next.entry.p.x) || !isfinite(next.entry.p.y))
      return false;
  }
  double limit = c->friction * c->fn * (1.0 + 1e-9) + DBL_MIN;
  return c->length >= 2 && c->length - 2 <= jager_compare_turning_points_max(law->model) &&
         unused_fields_are_empty(c) && c->top.fn_base == c->fn &&
         is_near(jager_compare_normal_force(law, c, c->zeta), c->fn) && hypot(c->anchor.ft.x, c->anchor.ft.y) <= limit;
}

static bool packed_is_possible(const jager_law *law, const contact_data *c, const unsigned char *from, size_t entries)
{
  if (!fields_are_possible(c) || c->state >= JAGER_STATE_COUNT)
    return false;
  if (!(c->zeta > 0.0))
    return history_is_empty(c);
  if (c->state == JAGER_STATE_APART || c->zeta < JAGER_ZETA_MIN)
    return false;
  return c->model == JAGER_MODEL_JAGER ? history_is_possible(law, c, from, entries)
                                       : compared_is_possible(law, c, from, entries);
}

/* ---- Unpack ------------------------------------------------------------------------------------------------------ */

/* Length, version and checksum; sets `entries` and `size` of the packed contact. */
static jager_status check_bytes(const unsigned char *from, size_t available, size_t *entries, size_t *size)
{
  if (available < sizeof magic)
    return JAGER_ERROR_TRUNCATED;
  if (memcmp(from, magic, sizeof magic) != 0)
    return JAGER_ERROR_NOT_PACKED;
  if (available < FIXED + CRC)
    return JAGER_ERROR_TRUNCATED;
  if (get_bytes(from + 4, 2) != VERSION)
    return JAGER_ERROR_VERSION;
  *entries = entries_for((uint32_t)get_bytes(from + 8, 4));
  if (*entries > (available - FIXED - CRC) / ENTRY_BYTES)
    return JAGER_ERROR_TRUNCATED;
  *size = FIXED + ENTRY_BYTES * *entries + CRC;
  if (get_bytes(from + *size - CRC, CRC) != crc32_of(from, *size - CRC))
    return JAGER_ERROR_CHECKSUM;
  return JAGER_OK;
}

/* All but the entries. False: a field is not finite, or bytes that must be zero are not. */
static bool get_fields(const unsigned char *bytes, contact_data *c)
{
  const unsigned char *from = bytes + HEADER;
  bool valid = get_bytes(bytes + 13, 3) == 0;
  *c = (contact_data){.model = bytes[6],
                      .state = bytes[7],
                      .length = (uint32_t)get_bytes(bytes + 8, 4),
                      .points_since_shortening = bytes[12]};
#define GET_DOUBLE(field)                                                                                              \
  c->field = get_double(from);                                                                                         \
  from += DOUBLE_BYTES;                                                                                                \
  valid = valid && isfinite(c->field);
#define GET_HIGH32(field)                                                                                              \
  c->field = (uint32_t)get_bytes(from, HIGH32_BYTES);                                                                  \
  from += HIGH32_BYTES;                                                                                                \
  valid = valid && isfinite(number_from_high32(c->field));
  FIELDS(GET_DOUBLE, GET_HIGH32)
  return valid && from == bytes + FIXED;
}

jager_status jager_contact_unpack(jager_contact *contact, const jager_law *law, jager_pool *pool, const void *bytes,
                                  size_t size, size_t *used)
{
  if (!law || !pool || !contact || !bytes)
    return JAGER_ERROR_NULL;
  if (!(law->modulus > 0.0))
    return JAGER_ERROR_NO_MATERIAL;
  if (contact_is_in_use(data_of(contact)))
    return JAGER_ERROR_IN_USE;
  const unsigned char *from = bytes;
  size_t entries, packed_size;
  jager_status status = check_bytes(from, size, &entries, &packed_size);
  if (status != JAGER_OK)
    return status;
  contact_data c;
  bool valid = get_fields(from, &c);
  if (c.model != (uint8_t)law->model)
    return JAGER_ERROR_MODEL;
  from += FIXED;
  if (!valid || !packed_is_possible(law, &c, from, entries))
    return JAGER_ERROR_CORRUPT;
  if (!jager_pool_reserve(pool, (entries + NODE_ENTRIES - 1) / NODE_ENTRIES))
    return JAGER_ERROR_MEMORY;
  for (; entries > 0; entries--, from += ENTRY_BYTES) {
    packed_entry next = get_entry(from);
    (void)entry_push(pool, &c, next.entry.zeta, next.entry.p, next.error_bound);
  }
  *data_of(contact) = c;
  if (used)
    *used = packed_size;
  return JAGER_OK;
}
