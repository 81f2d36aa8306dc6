/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes jager_contact_unpack. An input is either the bytes of a packed contact, with or without a corrected checksum,
 * or a recipe: movements that make a contact, and changes to its bytes, small enough to be overlooked. Must hold:
 *   - a refusal changes neither contact nor pool;
 *   - an accepted contact is a possible state: numbers finite, ζ* rising, |p*| <= f, Ft = Σ p* ΔFn*, |Ft| <= f Fn,
 * energies not negative; and it stays one under movements, small, large and back to zero;
 *   - packed and unpacked again, it is equal to the bit;
 *   - all its memory is freed.
 */
#include "jager/jager.h"
#include "fuzz_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIXED = 160, ENTRY = 28, CRC = 4, MOST_POINTS = 200, MOST_BYTES = FIXED + ENTRY * MOST_POINTS + CRC };

/* ---- Input ------------------------------------------------------------------------------------------------------ */

/* With a table: bit by bit, checksums took a tenth of the time. */
static uint32_t crc_of(const unsigned char *bytes, size_t count)
{
  static uint32_t table[256];
  for (uint32_t i = 0; table[255] == 0 && i < 256; i++) {
    table[i] = i;
    for (int bit = 0; bit < 8; bit++)
      table[i] = table[i] & 1 ? 0xEDB88320u ^ (table[i] >> 1) : table[i] >> 1;
  }
  uint32_t crc = 0xFFFFFFFFu;
  for (size_t i = 0; i < count; i++)
    crc = table[(crc ^ bytes[i]) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

/* Corrects the checksum at the place that the length in the header gives, if the bytes reach that far. */
static void fix_checksum(unsigned char *bytes, size_t size)
{
  if (size < FIXED + CRC)
    return;
  uint32_t length = bytes[8] | (uint32_t)bytes[9] << 8 | (uint32_t)bytes[10] << 16 | (uint32_t)bytes[11] << 24;
  size_t entries = length > 3 ? length - 3 : 0;
  if (entries > (size - FIXED - CRC) / ENTRY)
    return;
  size_t end = FIXED + ENTRY * entries;
  uint32_t crc = crc_of(bytes, end);
  for (int i = 0; i < CRC; i++)
    bytes[end + (size_t)i] = (unsigned char)(crc >> (8 * i));
}

static jager_law take_law(fuzz_input *in)
{
  static const double frictions[] = {0.5, 0.3, 0.0, 1.0, 1e-3, 50.0, 1e6, 0.7};
  unsigned kind = take(in), friction = take(in);
  jager_law law = jager_law_default();
  require(jager_law_set_bodies(&law, 1.0, 0.5) == JAGER_OK);
  require(jager_law_set_model(&law, (jager_model)(kind % JAGER_MODEL_COUNT)) == JAGER_OK);
  require(jager_law_set_friction(&law, frictions[friction % 8]) == JAGER_OK);
  require(jager_law_set_dp_max(&law, friction & 64 ? 0.05 : 0.0) == JAGER_OK);
  if (friction & 32 && !(friction & 64))
    require(jager_law_set_tolerance(&law, 0.02) == JAGER_OK);
  if (kind & 64)
    require(jager_law_set_contour(&law, JAGER_CONTOUR_CONE, 0.3, 0.0) == JAGER_OK);
  else if (kind & 128)
    require(jager_law_set_contour(&law, JAGER_CONTOUR_POWER, 0.3, 1.5) == JAGER_OK);
  return law;
}

/* ---- Invariants ------------------------------------------------------------------------------------------------- */

static void check_history(const jager_law *law, const jager_contact *contact, double peak)
{
  static jager_point points[MOST_POINTS + 100];
  double f = jager_contact_friction(contact), ft[2] = {0.0, 0.0};
  require(jager_contact_history(contact, law, points, MOST_POINTS + 100) == JAGER_OK);
  for (uint32_t k = 1; k < jager_contact_length(contact); k++) {
    require(points[k].zeta > points[k - 1].zeta);
    require(hypot(points[k].p[0], points[k].p[1]) <= f * (1.0 + 1e-9) + 1e-300);
    for (int i = 0; i < 2; i++)
      ft[i] += points[k].p[i] * (points[k].fn - points[k - 1].fn);
  }
  jager_force force = jager_contact_force(contact);
  double slack = 1e-8 * (f > 1.0 ? f : 1.0) * peak;
  require(fabs(ft[0] - force.ft[0]) <= slack && fabs(ft[1] - force.ft[1]) <= slack);
}

/* `peak` is the largest Fn so far; an accepted lie may be a billionth of it. */
static void check_contact(const jager_law *law, const jager_contact *contact, double peak)
{
  jager_force force = jager_contact_force(contact);
  jager_energy energy;
  double limit = jager_contact_friction(contact) * force.fn;
  require(isfinite(jager_contact_zeta(contact)) && isfinite(force.fn) && force.fn >= 0.0);
  require(hypot(force.ft[0], force.ft[1]) <= limit + 1e-8 * (jager_contact_friction(contact) + 1.0) * peak + 1e-300);
  require(jager_contact_stored(contact, law, NULL, &energy) == JAGER_OK);
  require(energy.normal >= 0.0 && energy.tangential >= 0.0);
  if (!(jager_contact_zeta(contact) > 0.0))
    require(jager_contact_length(contact) == 1 && force.fn == 0.0 && force.ft[0] == 0.0 && force.ft[1] == 0.0);
  else if (law->model == JAGER_MODEL_JAGER)
    check_history(law, contact, peak);
}

/* A lie as small as rounding is accepted; it may be refused when the contact has nearly unloaded. */
static void check_round_trip(const jager_law *law, jager_pool *pool, const jager_contact *contact, int may_be_refused)
{
  jager_contact copy = {0};
  size_t used = 0, size = jager_contact_pack_size(contact);
  unsigned char *bytes = malloc(size);
  require(bytes && jager_contact_pack(contact, bytes, size) == JAGER_OK);
  jager_status status = jager_contact_unpack(&copy, law, pool, bytes, size, &used);
  free(bytes);
  require(status == JAGER_OK || (may_be_refused && status == JAGER_ERROR_CORRUPT));
  if (status != JAGER_OK)
    return;
  require(used == size && jager_contact_equal(contact, &copy));
  jager_contact_release(&copy, pool);
}

/* ---- Movements -------------------------------------------------------------------------------------------------- */

/* Relative to where the contact is, so that they mean something whatever its size */
static void move(const jager_law *law, jager_pool *pool, jager_contact *contact, fuzz_input *in)
{
  double size = jager_contact_zeta(contact) > 0.0 ? jager_contact_zeta(contact) : 1e-3;
  unsigned kind = take(in);
  double zeta = size * (kind & 1 ? 1.0 : 1.0 + 0.5 * take_share(in)), shift = size * law->kappa;
  if (kind & 2)
    zeta *= kind & 4 ? 1e-6 : 1e-3; /* unloads to nearly nothing */
  double limit = law->friction > 1.0 ? 1.0 : law->friction;
  double dxi[2] = {shift * limit * take_share(in), kind & 8 ? 0.0 : shift * limit * take_share(in)};
  jager_force force;
  if (fabs(zeta) > 1e59 || fabs(shift) > 1e140)
    return;
  jager_status status = jager_contact_move(contact, law, pool, zeta, dxi, &force);
  require(status == JAGER_OK || (status == JAGER_ERROR_TOO_LARGE && law->model != JAGER_MODEL_JAGER));
}

static void check_accepted(const jager_law *law, jager_pool *pool, jager_contact *contact, int was_changed,
                           fuzz_input *in)
{
  double peak = jager_contact_fn(contact);
  if (jager_contact_length(contact) > MOST_POINTS)
    return;
  check_contact(law, contact, peak);
  check_round_trip(law, pool, contact, 0);
  for (int i = 0; i < 8; i++) {
    move(law, pool, contact, in);
    peak = fmax(peak, jager_contact_fn(contact));
    check_contact(law, contact, peak);
  }
  check_round_trip(law, pool, contact, was_changed);
}

/* ---- One input -------------------------------------------------------------------------------------------------- */

/* One pool for all inputs, each of which leaves it empty: creating a pool takes longer than the rest */
static jager_pool *shared_pool(void)
{
  static jager_pool *pool;
  if (!pool)
    pool = jager_pool_create(1 << 20);
  require(pool != NULL && jager_pool_bytes_in_use(pool) == 0);
  return pool;
}

static void unpack(const jager_law *law, const unsigned char *bytes, size_t size, int was_changed, fuzz_input *in)
{
  jager_pool *pool = shared_pool();
  jager_contact contact = {0}; /* not zero, but without a history */
  require(jager_contact_init(&contact, law, 2.0, 3.0) == JAGER_OK);
  const jager_contact before = contact;
  if (jager_contact_unpack(&contact, law, pool, bytes, size, NULL) == JAGER_OK) {
    check_accepted(law, pool, &contact, was_changed, in);
    jager_contact_release(&contact, pool);
  } else {
    require(was_changed);
    require(memcmp(&contact, &before, sizeof before) == 0);
  }
  require(jager_pool_bytes_in_use(pool) == 0);
}

/* Changes that may be overlooked: a bit, a byte, a neighbouring number, one copied from elsewhere */
static void change(unsigned char *bytes, size_t size, fuzz_input *in)
{
  unsigned kind = take(in), place = take(in) | take(in) << 8, value = take(in);
  size_t places = (size - CRC - 16) / 4 - 1, at = 16 + 4 * (place % places), from = 16 + 4 * (value % places);
  double number;
  memcpy(&number, bytes + at, sizeof number);
  switch (kind % 6) {
  case 0:
    bytes[place % size] ^= (unsigned char)(1u << (value % 8));
    return;
  case 1:
    bytes[place % 16] = (unsigned char)value;
    return;
  case 2:
    memmove(bytes + at, bytes + from, sizeof number);
    return;
  case 3:
    number *= 1.0 + ((double)value - 128.0) * 1e-11;
    break;
  case 4:
    number = value & 1 ? -number : number * (double)value / 64.0;
    break;
  default:
    number = value & 1 ? NAN : value & 2 ? INFINITY : value & 4 ? 0.0 : 5e-324;
    break;
  }
  memcpy(bytes + at, &number, sizeof number);
}

/* Movements make a contact; its bytes are packed and changed. */
static size_t follow_recipe(const jager_law *law, unsigned char *bytes, int *was_changed, fuzz_input *in)
{
  jager_pool *pool = shared_pool();
  jager_contact contact = {0};
  require(jager_contact_init(&contact, law, 1.0, 1.0) == JAGER_OK);
  for (unsigned count = take(in) % 100; count > 0 && in->size > 0 && jager_contact_length(&contact) < MOST_POINTS;
       count--)
    move(law, pool, &contact, in);
  size_t size = jager_contact_pack_size(&contact);
  require(jager_contact_pack(&contact, bytes, MOST_BYTES) == JAGER_OK);
  jager_contact_release(&contact, pool);
  *was_changed = 0;
  for (unsigned count = take(in) % 8; count > 0 && in->size > 0; count--, *was_changed = 1)
    change(bytes, size, in);
  return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_input in = {data, size};
  unsigned mode = take(&in);
  jager_law law = take_law(&in);
  static unsigned char bytes[MOST_BYTES];
  int was_changed = 1;
  size_t count = in.size < MOST_BYTES ? in.size : MOST_BYTES;
  if (mode % 4 > 1)
    count = follow_recipe(&law, bytes, &was_changed, &in);
  else if (count > 0)
    memcpy(bytes, in.bytes, count);
  if (mode % 4 != 0)
    fix_checksum(bytes, count);
  unsigned char *exact = malloc(count ? count : 1); /* of just its size, so that a sanitizer sees any access beyond */
  require(exact != NULL);
  memcpy(exact, bytes, count);
  unpack(&law, exact, count, was_changed, &in);
  free(exact);
  return 0;
}
