/* SPDX-License-Identifier: MIT */
/* What examples of the documentation take for granted: the data of the reader's code. They are compiled, not run. */
#ifdef JAGER_COMPACT_H
extern jager_compact contact[];
extern int pair;
extern jager_compact_vec3 branch0, branch, e0, turn_p, turn_q;
extern double shift_along_e, shift_along_f;
void report(int failed_pair);
#else
#include <jager/pairs.h>
#include <string.h>
extern jager_pairs *contacts;
extern jager_law law, laws[];
extern jager_particle particles[];
extern jager_pair list[];
extern jager_wrench loads[];
extern size_t count, particle_count;
extern jager_pool *pool;
extern jager_contact contact;
extern jager_frame frame;
extern jager_step step;
extern jager_force force;
extern double zeta, dxi[2], half_shift[2];
#endif
extern double radius_p, radius_q, overlap;
