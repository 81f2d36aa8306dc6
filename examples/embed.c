/* SPDX-License-Identifier: MIT */
/*
 * The Jäger contact in your own DEM code: the lines between the marks are all that is to be added. Compile with
 *     cc embed.c -ljager -lm
 * or, with the amalgamation (make amalgamation),
 *     cc -DJAGER_AMALGAMATED -ffp-contract=off embed.c jager.c -lm
 */
#ifdef JAGER_AMALGAMATED
#include "jager.h"
#else
#include <jager/jager.h>
#endif

#include <stdio.h>

/* ---- from here ---- */
struct pair { /* one for each pair of particles that is near; starts as zeroed memory */
  jager_contact contact;
  jager_frame frame;
};

/* When two particles come near: `branch` = x_q - x_p */
static jager_status pair_begin(struct pair *pair, const jager_law *law, double radius_p, double radius_q,
                               const double branch[3])
{
  jager_status status = jager_frame_init(&pair->frame, branch);
  return status == JAGER_OK ? jager_contact_init(&pair->contact, law, radius_p, radius_q) : status;
}

/* What a contact does to its particles. The force on p is the opposite of that on q. */
struct load {
  double force_on_q[3], torque_on_p[3], torque_on_q[3];
};

/* In each time step, after the particles have moved */
static jager_status pair_step(struct pair *pair, const jager_law *law, jager_pool *pool, const jager_step *step,
                              struct load *load)
{
  jager_frame frame = pair->frame; /* kept only if all goes well */
  jager_movement movement;
  jager_force force;
  jager_status status = jager_frame_step(&frame, step, &movement);
  if (status == JAGER_OK)
    status = jager_contact_move(law, pool, &pair->contact, movement.zeta, movement.dxi, &force);
  if (status == JAGER_OK) {
    pair->frame = frame;
    jager_frame_force(&frame, &force, load->force_on_q);
    jager_frame_torques(&frame, &force, movement.zeta, step->radius_p, step->radius_q, load->torque_on_p,
                        load->torque_on_q);
  }
  return status;
}

/* When they are far apart again */
static void pair_end(struct pair *pair, jager_pool *pool)
{
  jager_contact_release(pool, &pair->contact);
}
/* ---- to here ---- */

int main(void)
{
  jager_law law = jager_law_default();
  jager_pool *pool = jager_pool_create(0);
  struct pair pair = {0};
  struct load load = {.force_on_q = {0.0}};
  double branch[3] = {0.0, 0.0, 2e-3};
  if (!pool || jager_law_set_bodies(&law, 29e9, 0.15) != JAGER_OK ||
      pair_begin(&pair, &law, 1e-3, 1e-3, branch) != JAGER_OK)
    return 1;
  for (int i = 0; i < 100; i++) { /* q comes down on p, then slides along x */
    jager_step step = {.radius_p = 1e-3, .radius_q = 1e-3};
    step.shift[i < 50 ? 2 : 0] = i < 50 ? -4e-9 : 2e-9;
    for (int k = 0; k < 3; k++)
      step.branch[k] = branch[k] += step.shift[k];
    jager_status status = pair_step(&pair, &law, pool, &step, &load);
    if (status != JAGER_OK) {
      fprintf(stderr, "embed: %s\n", jager_status_text(status));
      return 1;
    }
  }
  printf("force on q: %.6g %.6g %.6g N, %s, %u points of history\n", load.force_on_q[0], load.force_on_q[1],
         load.force_on_q[2], jager_state_name(jager_contact_state(&pair.contact)),
         (unsigned)jager_contact_length(&pair.contact));
  printf("torque on both: %.6g %.6g %.6g N m\n", load.torque_on_q[0], load.torque_on_q[1], load.torque_on_q[2]);
  pair_end(&pair, pool);
  jager_pool_destroy(pool);
  return 0;
}
