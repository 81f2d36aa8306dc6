/* SPDX-License-Identifier: MIT */
/*
 * A contact as bytes, for checkpoints and messages, and as a copy. The format, all little-endian:
 *
 *     offset  bytes
 *          0      4  "JGRC"
 *          4      2  version of the format (3)
 *          6      1  model
 *          7      1  state
 *          8      4  length
 *         12      1  fresh
 *         13      3  zero
 *         16    144  the fields of FIELDS, in that order, IEEE 754
 *        160   28 n  entries, bottom first: ζ*, p*1, p*2, spent; n = length - 3, or 0
 *   160+28 n      4  CRC-32 (IEEE 802.3) of all bytes before it
 *
 * One list of fields serves pack, unpack and compare.
 */
#include "walk.h"

#include <float.h>
#include <string.h>

enum { VERSION = 3, HEADER = 16, CRC = 4, ENTRY = 28, DOUBLE = 8, HALF = 4 };

/* D: a double, H: the first half of one */
#define FIELDS(D, H)                                                                                                   \
  D(zeta)                                                                                                              \
  D(fn)                                                                                                                \
  D(p[0])                                                                                                              \
  D(p[1])                                                                                                              \
  D(zeta_base)                                                                                                         \
  D(fn_base)                                                                                                           \
  D(p_under[0])                                                                                                        \
  D(p_under[1])                                                                                                        \
  D(zeta_under)                                                                                                        \
  D(fn_under)                                                                                                          \
  D(ft_under[0])                                                                                                       \
  D(ft_under[1])                                                                                                       \
  H(ft_under_low[0])                                                                                                   \
  H(ft_under_low[1])                                                                                                   \
  H(spent)                                                                                                             \
  H(spent_under)                                                                                                       \
  D(rest[0])                                                                                                           \
  D(rest[1])                                                                                                           \
  D(friction)                                                                                                          \
  D(stiffness)

#define DOUBLE_SIZE(field) +8 /* NOLINT(bugprone-macro-parentheses): a sum */
#define HALF_SIZE(field) +4   /* NOLINT(bugprone-macro-parentheses) */
enum { FIXED = HEADER FIELDS(DOUBLE_SIZE, HALF_SIZE) };
_Static_assert(FIXED == 160, "the format as described above");

static const unsigned char magic[4] = {'J', 'G', 'R', 'C'};

/* ---- Bytes ----------------------------------------------------------------------------------------------------- */

static unsigned char *put(unsigned char *to, uint64_t value, int bytes)
{
  for (int i = 0; i < bytes; i++)
    *to++ = (unsigned char)(value >> (8 * i));
  return to;
}

static uint64_t get(const unsigned char *from, int bytes)
{
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++)
    value |= (uint64_t)from[i] << (8 * i);
  return value;
}

static unsigned char *put_double(unsigned char *to, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return put(to, bits, DOUBLE);
}

static double get_double(const unsigned char *from)
{
  uint64_t bits = get(from, DOUBLE);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/*
 * CRC-32, a byte at a time. What a byte does to the remainder is a sum without carries of what its bits do, and those
 * are powers of x modulo the polynomial 0xEDB88320 (bits reversed): so the compiler makes the table of eight numbers.
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

/* ---- Entries --------------------------------------------------------------------------------------------------- */

/* The zeroth point is not stored, the two topmost are the contact's. */
static size_t entries_for(uint32_t length)
{
  return length > 3 ? length - 3 : 0;
}

/* Nodes for `count` entries, empty, linked; NULL if count is 0. They must be at hand. */
static jager_node *take_chain(jager_pool *pool, size_t count)
{
  jager_node *top = NULL;
  for (size_t i = 0; i < count; i += JAGER_NODE_ENTRIES) {
    jager_node *node = jager_pool_take(pool);
    node->below = top;
    top = node;
  }
  return top;
}

static size_t nodes_for(size_t entries)
{
  return (entries + JAGER_NODE_ENTRIES - 1) / JAGER_NODE_ENTRIES;
}

static uint8_t fill_for(size_t entries)
{
  return (uint8_t)(entries - JAGER_NODE_ENTRIES * (nodes_for(entries) - (entries > 0)));
}

/* ---- Pack ------------------------------------------------------------------------------------------------------ */

size_t jager_contact_pack_size(const jager_contact *contact)
{
  return contact ? FIXED + ENTRY * entries_for(contact->length) + CRC : 0;
}

static void put_entries(unsigned char *end, const jager_contact *contact)
{
  unsigned fill = contact->fill;
  for (const jager_node *node = contact->node; node; node = node->below, fill = JAGER_NODE_ENTRIES)
    while (fill-- > 0) {
      end -= ENTRY;
      unsigned char *to = put_double(end, node->entry[fill].zeta);
      to = put_double(put_double(to, node->entry[fill].p.x), node->entry[fill].p.y);
      put(to, node->spent[fill], HALF);
    }
}

jager_status jager_contact_pack(const jager_contact *contact, void *bytes, size_t capacity)
{
  if (!contact || !bytes)
    return JAGER_ERROR_NULL;
  size_t size = jager_contact_pack_size(contact);
  if (capacity < size)
    return JAGER_ERROR_CAPACITY;
  unsigned char *start = bytes, *to = start;
  memcpy(to, magic, sizeof magic);
  to = put(to + sizeof magic, VERSION, 2);
  to = put(to, contact->model, 1);
  to = put(to, contact->state, 1);
  to = put(to, contact->length, 4);
  to = put(to, contact->fresh, 4);
#define PUT_DOUBLE(field) to = put_double(to, contact->field);
#define PUT_HALF(field) to = put(to, contact->field, HALF);
  FIELDS(PUT_DOUBLE, PUT_HALF)
  put_entries(start + size - CRC, contact);
  put(start + size - CRC, crc32_of(start, size - CRC), CRC);
  return JAGER_OK;
}

/* ---- Unpack ---------------------------------------------------------------------------------------------------- */

/* Length, version and checksum; then `entries` and `size` are those of the packed contact. */
static jager_status check_bytes(const unsigned char *from, size_t available, size_t *entries, size_t *size)
{
  if (available < sizeof magic)
    return JAGER_ERROR_TRUNCATED;
  if (memcmp(from, magic, sizeof magic) != 0)
    return JAGER_ERROR_NOT_PACKED;
  if (available < FIXED + CRC)
    return JAGER_ERROR_TRUNCATED;
  if (get(from + 4, 2) != VERSION)
    return JAGER_ERROR_VERSION;
  *entries = entries_for((uint32_t)get(from + 8, 4));
  if (*entries > (available - FIXED - CRC) / ENTRY)
    return JAGER_ERROR_TRUNCATED;
  *size = FIXED + ENTRY * *entries + CRC;
  if (get(from + *size - CRC, CRC) != crc32_of(from, *size - CRC))
    return JAGER_ERROR_CHECKSUM;
  return JAGER_OK;
}

static bool near(double a, double b, double scale)
{
  return fabs(a - b) <= 1e-9 * scale;
}

#define FIELD_IS_FINITE(field) &&isfinite(c->field)
#define HALF_IS_FINITE(field) &&isfinite(jager_whole(c->field))
static bool fields_are_possible(const jager_contact *c)
{
  const double positive[] = {c->fn, c->zeta_base, c->fn_base, c->zeta_under, c->fn_under};
  for (size_t i = 0; i < sizeof positive / sizeof positive[0]; i++)
    if (signbit(positive[i])) /* not even -0, whose exponent is not that of 0 */
      return false;
  if (c->spent >> 31 != 0 || c->spent < c->spent_under) /* halves of numbers that are not negative: in their order */
    return false;
  return fabs(c->zeta) <= JAGER_ZETA_MAX && c->friction >= 0.0 && c->friction <= JAGER_FRICTION_MAX &&
         c->stiffness > 0.0 && c->stiffness <= JAGER_STIFFNESS_MAX FIELDS(FIELD_IS_FINITE, HALF_IS_FINITE);
}

/* Nothing under the top segment */
static bool under_is_empty(const jager_contact *c)
{
  return c->p_under[0] == 0.0 && c->p_under[1] == 0.0 && c->zeta_under == 0.0 && c->fn_under == 0.0 &&
         c->ft_under[0] == 0.0 && c->ft_under[1] == 0.0 && c->ft_under_low[0] == 0 && c->ft_under_low[1] == 0 &&
         c->spent_under == 0;
}

static bool is_forgotten(const jager_contact *c)
{
  return c->zeta <= 0.0 && c->state == JAGER_APART && c->length == 1 && c->fn == 0.0 && c->p[0] == 0.0 &&
         c->p[1] == 0.0 && c->zeta_base == 0.0 && c->fn_base == 0.0 && c->rest[0] == 0.0 && c->rest[1] == 0.0 &&
         c->spent == 0 && c->fresh == 0 && under_is_empty(c);
}

static bool slope_is_possible(double friction, vec2 p)
{
  return hypot(p.x, p.y) <= friction * (1.0 + 1e-9) + DBL_MIN;
}

/* What may be left of forces that were once added to the anchor and taken away again: each time a share of 2^-74 of the
   largest of them, which its lost part has no digits for. Thousands of times, for the way up and down may be long. */
static double anchor_rounding(const jager_contact *c)
{
  uint64_t bits = (uint64_t)(jager_scale_of(c->fn_under) + 1u) << 56; /* above all forces of this scale */
  double largest;
  memcpy(&largest, &bits, sizeof largest);
  return 1e-18 * c->friction * largest + DBL_MIN;
}

/* Of a packed entry */
static uint32_t spent_of(const unsigned char *entry)
{
  return (uint32_t)get(entry + 3 * DOUBLE, HALF);
}

/* The entries of a touching Jäger contact: ζ* rise to zeta_under, no slope exceeds f, and Ft is what they make it. */
static bool entries_are_possible(const jager_law *law, const jager_contact *c, const unsigned char *from,
                                 size_t entries)
{
  double zeta = 0.0, fn = 0.0, size = 0.0;
  uint32_t spent = 0;
  jager_sum ft = {{-c->ft_under[0], -c->ft_under[1]},
                  {-jager_whole(c->ft_under_low[0]), -jager_whole(c->ft_under_low[1])}};
  for (size_t i = 0; i < entries; i++, from += ENTRY) {
    double next = get_double(from);
    vec2 p = {get_double(from + DOUBLE), get_double(from + 2 * DOUBLE)};
    if (!(next > zeta && next < c->zeta) || !slope_is_possible(c->friction, p) || spent_of(from) < spent)
      return false;
    spent = spent_of(from);
    double fn_next = jager_normal_force(law, c->stiffness, next);
    jager_sum_add(&ft, fn_next - fn, p);
    size += (fn_next - fn) * (fabs(p.x) + fabs(p.y));
    zeta = next;
    fn = fn_next;
  }
  double slack = 1e-12 * size + anchor_rounding(c);
  return zeta == c->zeta_under && spent <= c->spent_under && fabs(ft.high.x + ft.low.x) <= slack &&
         fabs(ft.high.y + ft.low.y) <= slack;
}

static bool history_is_possible(const jager_law *law, const jager_contact *c, const unsigned char *from, size_t entries)
{
  if (c->length < 2 || c->fresh > c->length - 2)
    return false;
  if (c->length == 2 ? c->zeta_base != 0.0 || !under_is_empty(c) : !(c->zeta_under < c->zeta_base))
    return false;
  /* `rest` may be large against ζ, where the contact has unloaded by many decades; it only has to be a movement */
  return c->zeta_base < c->zeta && fabs(c->rest[0]) <= JAGER_XI_MAX && fabs(c->rest[1]) <= JAGER_XI_MAX &&
         slope_is_possible(c->friction, jager_vec2(c->p)) && slope_is_possible(c->friction, jager_vec2(c->p_under)) &&
         near(jager_normal_force(law, c->stiffness, c->zeta), c->fn, c->fn) &&
         near(jager_normal_force(law, c->stiffness, c->zeta_base), c->fn_base, c->fn_base) &&
         near(jager_normal_force(law, c->stiffness, c->zeta_under), c->fn_under, c->fn_under) &&
         entries_are_possible(law, c, from, entries);
}

/* How many turning points a comparison law remembers */
static uint32_t most_turning_points(uint8_t model)
{
  return model == JAGER_MODEL_ZHANG_VUQUOC ? UINT32_MAX - 2 : model == JAGER_MODEL_MODIFIED_MINDLIN ? 1 : 0;
}

/* What a comparison law has no use for is zero. */
static bool unused_is_empty(const jager_contact *c)
{
  return c->zeta_base == 0.0 && c->p_under[0] == 0.0 && c->p_under[1] == 0.0 && c->zeta_under == 0.0 &&
         c->fn_under == 0.0 && c->ft_under_low[0] == 0 && c->ft_under_low[1] == 0 && c->spent == 0 && c->fresh == 0 &&
         c->spent_under == 0 && c->rest[0] == 0.0 && c->rest[1] == 0.0 &&
         (c->length > 2 || (c->p[0] == 0.0 && c->p[1] == 0.0));
}

/* A touching contact of a comparison law: the force lies within friction, the entries are turning points. */
static bool baseline_is_possible(const jager_law *law, const jager_contact *c, const unsigned char *from,
                                 size_t entries)
{
  for (size_t i = 0; i < entries; i++, from += ENTRY)
    if (get_double(from) != 0.0 || spent_of(from) != 0 || !isfinite(get_double(from + DOUBLE)) ||
        !isfinite(get_double(from + 2 * DOUBLE)))
      return false;
  double limit = c->friction * c->fn * (1.0 + 1e-9) + DBL_MIN;
  return c->length >= 2 && c->length - 2 <= most_turning_points(c->model) && unused_is_empty(c) &&
         c->fn_base == c->fn && near(jager_baseline_normal_force(law, c, c->zeta), c->fn, c->fn) &&
         hypot(c->ft_under[0], c->ft_under[1]) <= limit;
}

static bool contact_is_possible(const jager_law *law, const jager_contact *c, const unsigned char *from, size_t entries)
{
  if (!fields_are_possible(c) || c->state >= JAGER_STATE_COUNT)
    return false;
  if (!(c->zeta > 0.0))
    return is_forgotten(c);
  if (c->state == JAGER_APART)
    return false;
  return c->model == JAGER_MODEL_JAGER ? history_is_possible(law, c, from, entries)
                                       : baseline_is_possible(law, c, from, entries);
}

static void get_entries(const unsigned char *end, jager_contact *contact)
{
  unsigned fill = contact->fill;
  for (jager_node *node = contact->node; node; node = node->below, fill = JAGER_NODE_ENTRIES)
    while (fill-- > 0) {
      end -= ENTRY;
      node->entry[fill] = (jager_entry){get_double(end), {get_double(end + DOUBLE), get_double(end + 2 * DOUBLE)}};
      node->spent[fill] = spent_of(end);
    }
}

jager_status jager_contact_unpack(const jager_law *law, jager_pool *pool, jager_contact *contact, const void *bytes,
                                  size_t size, size_t *used)
{
  if (!law || !pool || !contact || !bytes)
    return JAGER_ERROR_NULL;
  const unsigned char *from = bytes, *field = from + HEADER;
  size_t entries, packed_size;
  jager_status status = check_bytes(from, size, &entries, &packed_size);
  if (status != JAGER_OK)
    return status;
  jager_contact c = {.model = from[6], .state = from[7], .length = (uint32_t)get(from + 8, 4), .fresh = from[12]};
  if (c.model != (uint8_t)law->model)
    return JAGER_ERROR_MODEL;
#define GET_DOUBLE(name)                                                                                               \
  c.name = get_double(field);                                                                                          \
  field += DOUBLE;
#define GET_HALF(name)                                                                                                 \
  c.name = (uint32_t)get(field, HALF);                                                                                 \
  field += HALF;
  FIELDS(GET_DOUBLE, GET_HALF)
  if (get(from + 13, 3) != 0 || !contact_is_possible(law, &c, field, entries))
    return JAGER_ERROR_CORRUPT;
  if (!jager_pool_reserve(pool, nodes_for(entries)))
    return JAGER_ERROR_MEMORY;
  c.node = take_chain(pool, entries);
  c.fill = fill_for(entries);
  get_entries(from + packed_size - CRC, &c);
  *contact = c;
  if (used)
    *used = packed_size;
  return JAGER_OK;
}

/* ---- Clone, compare -------------------------------------------------------------------------------------------- */

jager_status jager_contact_clone(const jager_contact *contact, jager_pool *pool, jager_contact *copy)
{
  if (!contact || !pool || !copy)
    return JAGER_ERROR_NULL;
  size_t entries = entries_for(contact->length);
  if (!jager_pool_reserve(pool, nodes_for(entries)))
    return JAGER_ERROR_MEMORY;
  jager_contact c = *contact;
  c.node = take_chain(pool, entries);
  jager_node *to = c.node;
  for (const jager_node *from = contact->node; from && to; from = from->below, to = to->below)
    memcpy(to, from, offsetof(jager_node, below));
  *copy = c;
  return JAGER_OK;
}

static bool same_bits(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0; /* NOLINT(bugprone-suspicious-memory-comparison): the bits are meant */
}

static bool same_entries(const jager_node *a, const jager_node *b, unsigned fill)
{
  for (; a && b; a = a->below, b = b->below, fill = JAGER_NODE_ENTRIES)
    if (memcmp(a->entry, b->entry, fill * sizeof a->entry[0]) != 0 ||
        memcmp(a->spent, b->spent, fill * sizeof a->spent[0]) != 0)
      return false;
  return a == b; /* both NULL: of one length */
}

int jager_contact_equal(const jager_contact *a, const jager_contact *b)
{
  if (!a || !b)
    return a == b;
  bool same = a->model == b->model && a->state == b->state && a->length == b->length && a->fill == b->fill &&
              a->fresh == b->fresh;
#define SAME_FIELD(field) same = same && same_bits(a->field, b->field);
  FIELDS(SAME_FIELD, SAME_FIELD)
  return same && same_entries(a->node, b->node, a->fill);
}
