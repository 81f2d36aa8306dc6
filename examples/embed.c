/* SPDX-License-Identifier: MIT */
/*
 * The Jäger contact in your own DEM code: the lines between the marks are all that is to be added. Compile with
 *     cc embed.c -ljager -lm
 * or, in the folder that `make amalgamation` makes,
 *     cc -ffp-contract=off -I. embed.c jager.c -lm
 */
#include <jager/pairs.h>

#include <stdio.h>
#include <string.h>

enum { PARTICLES = 2, PAIRS = 1 };

/* ---- from here ---- */
static jager_pairs *contacts;               /* made once, with jager_pairs_create */
static jager_particle particles[PARTICLES]; /* your particles, copied here in each step: x, radius, rotation, mass */
static jager_pair near[PAIRS];              /* your neighbour list; new pairs have the contact JAGER_NONE */
static jager_wrench loads[PARTICLES];       /* forces and torques come out here */

/* In each time step, after the particles have moved */
static jager_status find_forces(const jager_law *law, jager_sums *sums, size_t *failed)
{
  jager_sweep sweep = jager_sweep_default();
  sweep.laws = law;
  sweep.law_count = 1;
  sweep.particles = particles;
  sweep.pairs = near;
  sweep.count = PAIRS;
  sweep.loads = loads;
  sweep.normalise = 1;
  memset(loads, 0, sizeof loads);
  return jager_pairs_move(contacts, &sweep, sums, failed);
}
/* ---- to here ---- */

int main(void)
{
  jager_law law = jager_law_default();
  jager_sums sums;
  size_t failed;
  contacts = jager_pairs_create(0);
  if (!contacts || jager_law_set_bodies(&law, 29e9, 0.15) != JAGER_OK)
    return 1;
  particles[0] = (jager_particle){.radius = 1e-3};
  particles[1] = (jager_particle){.x = {0.0, 0.0, 2e-3}, .radius = 1e-3};
  near[0] = (jager_pair){.p = 0, .q = 1, .contact = JAGER_NONE, .wrench = JAGER_NONE};
  for (int i = 0; i < 100; i++) { /* q comes down on p, then slides along x */
    particles[1].x[i < 50 ? 2 : 0] += i < 50 ? -4e-9 : 2e-9;
    jager_status status = find_forces(&law, &sums, &failed);
    if (status != JAGER_OK) {
      fprintf(stderr, "embed: pair %zu: %s\n", failed, jager_status_text(status));
      return 1;
    }
  }
  jager_contact contact;
  if (jager_pairs_view(contacts, near[0].contact, &contact) != JAGER_OK)
    return 1;
  printf("force on q: %.6g %.6g %.6g N, %s, %u points of history\n", loads[1].force[0], loads[1].force[1],
         loads[1].force[2], jager_state_name(jager_contact_state(&contact)), (unsigned)jager_contact_length(&contact));
  printf("torque on both: %.6g %.6g %.6g N m\n", loads[1].torque[0], loads[1].torque[1], loads[1].torque[2]);
  jager_pairs_destroy(contacts);
  return 0;
}
