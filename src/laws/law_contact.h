/* SPDX-License-Identifier: MIT */
/*
 * A contact of any law, a jager_model of the library or "springs", behind one interface. For `jager contact` and
 * `jager impact`, which compare laws.
 */
#ifndef JAGER_LAWS_LAW_CONTACT_H
#define JAGER_LAWS_LAW_CONTACT_H

#include "springs.h"

/* The laws: the numbers of jager_model, and one more. */
enum { LAW_SPRINGS = JAGER_MODEL_COUNT, LAW_COUNT };

/* "jager", "linear", ..., "springs". */
const char *law_name(int law);

/* How a contact is made. */
typedef struct law_bodies {
  int law;                   /* jager_model or LAW_SPRINGS */
  jager_law parameters;      /* `model` is set by law_contact_init; tolerance and dp_max are for "jager" only */
  double radius_a, radius_b; /* m; INFINITY: a flat wall */
  springs_grid grid;         /* of "springs" */
} law_bodies;

/* Starts as zeroed memory. The fields are for reading. */
typedef struct law_contact {
  int law;
  jager_law parameters;
  jager_pool *pool;
  jager_contact contact; /* not of "springs" */
  jager_balance balance; /* of `contact` */
  springs *springs;      /* NULL: another law */
} law_contact;

/* `pool` must exist as long as the contact. Errors: those of jager_contact_init, springs_create. */
jager_status law_contact_init(law_contact *c, const law_bodies *bodies, jager_pool *pool);

/* Zeroed memory is allowed. */
void law_contact_release(law_contact *c);

/* Takes over the state of another contact that was made in the same way. Errors: MEMORY; then `to` is at ζ = 0. */
jager_status law_contact_copy(law_contact *to, const law_contact *from);

/* Errors: those of jager_contact_move. `force` may be NULL. */
jager_status law_contact_move(law_contact *c, double zeta, const double dxi[2], jager_force *force);

/* By forces: only "jager". Errors: those of jager_contact_load. */
jager_status law_contact_load(law_contact *c, const jager_force *force, jager_movement *movement);

jager_force law_contact_force(const law_contact *c);

/* Estimated error of Ft, N, from the number of springs; 0 for other laws. */
double law_contact_force_error(const law_contact *c);

/* Energies stored now, and dissipated since the contact was made. */
jager_energy law_contact_energy(const law_contact *c);

jager_state law_contact_state(const law_contact *c);

double law_contact_zeta(const law_contact *c);

/* Points of the history (jager_contact_length), or springs that are engaged. */
uint32_t law_contact_length(const law_contact *c);

#endif
