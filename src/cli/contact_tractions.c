/* SPDX-License-Identifier: MIT */
/*
 * The distribution of pressure and shear traction over a contact, as CSV.
 *
 * The shear traction is a sum of terms √(a_k² - r²), one for each point of the history: it has a kink at each contact
 * radius a_k of the history, with a vertical tangent on the inside. So each a_k is one of the radii in the table, and
 * between two of them the radii are denser towards the outer one, as a_k - r ∝ (1 - t)²: the traction is smooth as a
 * function of t, and linear interpolation between the rows is of second order.
 */
#include "contact.h"
#include "base/portable_math.h"

#include <math.h>
#include <stdlib.h>

enum {
  ROWS = 400,          /* of the table, about */
  KINKS_MAX = 200,     /* radii a_k in the table: each row costs a pass over the history */
  ROWS_BETWEEN_MIN = 4 /* between two a_k */
};

typedef struct distribution {
  const jager_law *law;
  const jager_contact *contact;
  FILE *stream;
  double contact_radius;
} distribution;

static jager_status write_row(const distribution *all, double radius)
{
  double pressure, shear[2];
  jager_status status = jager_contact_traction(all->contact, all->law, radius, &pressure, shear);
  if (status == JAGER_OK && isfinite(pressure)) /* a cone has infinite pressure at its tip */
    fprintf(all->stream, "%.17g,%.17g,%.17g,%.17g\n", radius, pressure, shear[0] + 0.0, shear[1] + 0.0);
  return status;
}

/* The rows of inner < r <= outer. */
static jager_status write_ring(const distribution *all, double inner, double outer)
{
  double share = (outer - inner) / all->contact_radius;
  int rows = (int)fmax(ROWS_BETWEEN_MIN, ceil(ROWS * share));
  for (int i = 1; i < rows; i++) {
    double rest = 1.0 - (double)i / rows;
    double radius = outer - (outer - inner) * rest * rest;
    jager_status status = radius > inner && radius < outer ? write_row(all, radius) : JAGER_OK;
    if (status != JAGER_OK)
      return status;
  }
  return write_row(all, outer);
}

jager_status contact_tractions_write(const jager_law *law, const jager_contact *contact, FILE *stream)
{
  distribution all = {.law = law, .contact = contact, .stream = stream};
  double stick_radius;
  jager_status status = jager_contact_radii(contact, law, &all.contact_radius, &stick_radius);
  if (status != JAGER_OK)
    return status;
  fprintf(stream, "# contact radius %.17g m\n# stick radius %.17g m\nr,pressure,shear1,shear2\n", all.contact_radius,
          stick_radius);
  if (!(all.contact_radius > 0.0))
    return JAGER_OK; /* no contact, no tractions */
  size_t count = jager_contact_length(contact), stride = (count + KINKS_MAX - 1) / KINKS_MAX;
  jager_point *points = malloc(count * sizeof *points);
  if (!points)
    return JAGER_ERROR_MEMORY;
  status = jager_contact_history(contact, law, points, count);
  if (status == JAGER_OK)
    status = write_row(&all, 0.0);
  double inner = 0.0;
  for (size_t k = stride; k < count - 1 && status == JAGER_OK; k += stride) {
    /* The contact radius at a point of the history: a ∝ ζ^(1/α). */
    double outer =
        all.contact_radius * portable_power(points[k].zeta / jager_contact_zeta(contact), 1.0 / law->exponent);
    if (!(outer > inner && outer < all.contact_radius))
      continue;
    status = write_ring(&all, inner, outer);
    inner = outer;
  }
  if (status == JAGER_OK)
    status = write_ring(&all, inner, all.contact_radius);
  free(points);
  return status;
}
