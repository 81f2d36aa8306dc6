/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes jager/compact.h. An input is a variant, a law, and either the bytes of a contact or a recipe: movements that
 * make a contact, and changes to its bytes. Must hold:
 *   - nothing beyond the bytes is touched, and JAGER_OK comes with finite forces;
 *   - a contact made by movements of zero bytes moves on without error, |Ft| <= f Fn, and jager_compact_check agrees;
 *   - all results are finite, or all are NaN; if jager_compact_check accepts the contact, they are finite.
 */
#include "variant.h"
#include "fuzz_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OK = 0, CORRUPT = 22 }; /* of jager_status */

#define SLACK 1e-3 /* of |Ft| <= f Fn: rounding in single precision */

/* ---- Input ------------------------------------------------------------------------------------------------------- */

/* Looked up once: libFuzzer would see the comparisons and put the names into its inputs. */
static const compact_variant *take_variant(fuzz_input *in)
{
  static const char *const names[] = {"4", "12", "4 stored single", "12 stored single", "4 single", "12 single"};
  static const compact_variant *variants[6];
  for (int i = 0; !variants[5] && i < 6; i++)
    variants[i] = compact_variant_named(names[i]);
  return variants[take(in) % 6];
}

static jager_law take_law(fuzz_input *in)
{
  static const double frictions[] = {0.5, 0.3, 0.0, 1.0, 0.05, 50.0, 0.1, 0.7};
  unsigned kind = take(in);
  jager_law law = jager_law_default();
  require(jager_law_set_bodies(&law, 1.0, 0.15) == JAGER_OK);
  require(jager_law_set_friction(&law, frictions[kind % 8]) == JAGER_OK);
  if (kind & 8)
    require(jager_law_set_tolerance(&law, 0.02) == JAGER_OK);
  if (kind & 16)
    require(jager_law_set_contour(&law, JAGER_CONTOUR_CONE, 0.3, 1.0) == JAGER_OK);
  return law;
}

/* ---- One contact ------------------------------------------------------------------------------------------------- */

typedef struct subject {
  const compact_variant *of;
  jager_law law;
  void *bytes; /* of just their size, so that a sanitizer sees any access beyond */
  double stiffness, zeta;
  int is_sound; /* zero bytes, or made from them by movements */
} subject;

/* Relative to where the contact is. At times the friction or the stiffness changes. */
static int move(subject *s, fuzz_input *in)
{
  unsigned kind = take(in);
  double size = s->zeta > 0.0 && s->zeta < 1e3 ? s->zeta : 1e-3;
  double zeta = size * (kind & 1 ? 1.0 : 1.0 + 0.5 * take_share(in));
  if (kind & 2)
    zeta *= kind & 4 ? 1e-6 : kind & 8 ? -1.0 : 1e-3; /* unloads to nearly nothing, or parts */
  double shift = 2.0 * size * fmin(s->law.friction, 1.0) * (kind & 16 ? 0.01 : 1.0);
  const double dxi[2] = {shift * take_share(in), kind & 32 ? 0.0 : shift * take_share(in)};
  if (kind >= 192)
    s->law.friction = 0.05 * (double)(1 + take(in) % 16);
  if ((kind & 0xC0) == 64)
    s->stiffness = 1.0 + (double)(take(in) % 16);
  jager_force force = {NAN, {NAN, NAN}};
  int status = (int)s->of->move(&s->law, s->bytes, s->stiffness, zeta, dxi, &force);
  require(status == OK || (status == CORRUPT && !s->is_sound));
  if (status != OK)
    return status;
  require(isfinite(force.fn) && isfinite(force.ft[0]) && isfinite(force.ft[1]));
  if (s->is_sound && zeta > 1e-8) /* below, squares of floats lose digits */
    require(hypot(force.ft[0], force.ft[1]) <= s->law.friction * force.fn * (1.0 + SLACK));
  s->zeta = zeta;
  return OK;
}

static void read_contact(const subject *s)
{
  int status = (int)s->of->check(&s->law, s->bytes);
  jager_force force = s->of->force(&s->law, s->bytes);
  double error = s->of->error(&s->law, s->bytes);
  require(status == OK || (status == CORRUPT && !s->is_sound));
  if (status == OK || !isnan(force.fn) || !isnan(force.ft[0]) || !isnan(force.ft[1]) || !isnan(error))
    require(isfinite(force.fn) && isfinite(force.ft[0]) && isfinite(force.ft[1]) && error >= 0.0);
}

/* Changes that may be overlooked: a bit, a byte, a whole number, one copied from elsewhere */
static void change(subject *s, fuzz_input *in)
{
  unsigned char *bytes = s->bytes;
  unsigned kind = take(in), place = take(in) | take(in) << 8, value = take(in);
  size_t at = place % s->of->bytes & ~(size_t)3, from = value * 4 % (s->of->bytes - 3);
  static const uint32_t words[] = {0, 0x7fc00000, 0x7ff80000, 0x7f800000, 0x7ff00000, 0xffffffff, 0x3f800000, 1};
  s->is_sound = 0;
  switch (kind % 4) {
  case 0:
    bytes[place % s->of->bytes] ^= (unsigned char)(1u << value % 8);
    break;
  case 1:
    bytes[place % s->of->bytes] = (unsigned char)value;
    break;
  case 2:
    memmove(bytes + at, bytes + from, 4);
    break;
  default:
    memcpy(bytes + at, &words[value % 8], 4);
    break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_input in = {data, size};
  unsigned mode = take(&in);
  subject s = {.of = take_variant(&in), .law = take_law(&in), .stiffness = 4.0, .is_sound = mode % 4 != 0};
  s.bytes = calloc(1, s.of->bytes);
  require(s.bytes != NULL);
  if (mode % 4 == 0) { /* bytes */
    size_t count = in.size < s.of->bytes ? in.size : s.of->bytes;
    memcpy(s.bytes, in.bytes, count);
    in.bytes += count;
    in.size -= count;
  }
  for (unsigned count = mode / 4; count > 0 && in.size > 8; count--)
    (void)move(&s, &in);
  if (s.is_sound)
    read_contact(&s);
  for (unsigned count = mode % 4 == 3 ? 0 : take(&in) % 4; count > 0 && in.size > 0; count--)
    change(&s, &in);
  read_contact(&s);
  for (int k = 0; k < 4 && move(&s, &in) == OK; k++)
    read_contact(&s);
  free(s.bytes);
  return 0;
}
