/* SPDX-License-Identifier: MIT */
/*
 * Three contacts of different size and type in one file, beside the library's headers: jager/compact.h under its own
 * name and under two others. languages.sh compiles it as C and as C++. Under the same movements contacts of the same
 * size and type have the same bytes; the one in single precision has nearly the same force.
 */
#include "jager/pair.h"

#define JAGER_COMPACT_NAME same_contact
#define JAGER_COMPACT_POINTS 8
#include "jager/compact.h"

#define JAGER_COMPACT_NAME single_contact
#define JAGER_COMPACT_POINTS 24
#define JAGER_COMPACT_SINGLE
#include "jager/compact.h"

#define JAGER_COMPACT_POINTS 8
#include "jager/compact.h"
#include "jager/compact.h" /* a second time, as other headers may: nothing happens */
#include "jager/pairs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* In mm and N, so that single precision has room */
static int compare(void)
{
  jager_compact contact;
  same_contact same;
  single_contact single;
  memset(&contact, 0, sizeof contact);
  memset(&same, 0, sizeof same);
  memset(&single, 0, sizeof single);
  const jager_compact_law law = jager_compact_law_of(0.15, 0.5);
  const same_contact_law same_law = same_contact_law_of(0.15, 0.5);
  const single_contact_law single_law = single_contact_law_of(0.15f, 0.5f);
  const double stiffness = jager_compact_stiffness_of_spheres(29e3, 0.15, 1.0, 1.0);
  jager_compact_force force = {0.0, {0.0, 0.0}};
  single_contact_force single_force = {0.0f, {0.0f, 0.0f}};
  for (int k = 0; k < 400; k++) {
    const double zeta = 1e-3 * (1.0 + 0.5 * sin(0.3 * k)), dxi[2] = {2e-4 * cos(0.17 * k), 1e-4 * sin(0.29 * k)};
    const float single_dxi[2] = {(float)dxi[0], (float)dxi[1]};
    if (jager_compact_move(&contact, law, stiffness, zeta, dxi, &force) != JAGER_OK ||
        same_contact_move(&same, same_law, stiffness, zeta, dxi, NULL) != JAGER_OK ||
        single_contact_move(&single, single_law, (float)stiffness, (float)zeta, single_dxi, &single_force) != JAGER_OK)
      return 1;
    const double off = hypot(force.ft[0] - (double)single_force.ft[0], force.ft[1] - (double)single_force.ft[1]);
    if (sizeof contact != sizeof same || memcmp(&contact, &same, sizeof contact) != 0 ||
        !(off <= 1e-3 * 0.5 * force.fn + 2.0 * jager_compact_error(&contact, law))) {
      printf("movement %d: forces differ by %g of %g\n", k, off, force.fn);
      return 1;
    }
  }
  return 0;
}

int main(void)
{
  const jager_vec3 of_pair = {1.0, 0.0, 0.0};
  const single_contact_vec3 of_contact = {1.0f, 0.0f, 0.0f};
  if (jager_vec3_length(of_pair) != 1.0 || single_contact_vec3_length(of_contact) != 1.0f)
    return 1;
  if (sizeof(single_contact) != 16 * 24 + 40 || sizeof(same_contact) != 28 * 8 + 64)
    return 1;
  return compare();
}
