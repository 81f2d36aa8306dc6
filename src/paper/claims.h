/* SPDX-License-Identifier: MIT */
/* Figure "words": claims in the text of the paper, each checked by a small measurement. */
#ifndef JAGER_PAPER_CLAIMS_H
#define JAGER_PAPER_CLAIMS_H

#include "paper.h"

/* Movements of contacts with random histories. */
typedef struct claims_slip {
  int inside, inside_elastic; /* movements with Δζ > 0 and |Δξ/κΔζ| < f, and the number without slip */
  int outside, outside_slip;  /* other movements, and the number with slip */
  double inside_dissipated;   /* largest dissipated over stored energy */
  double outside_dissipated;  /* smallest dissipated over stored energy */
} claims_slip;

bool paper_claims_check_slip(claims_slip *check, error_info *error);

enum { CLAIMS_DIVISIONS = 8 };

/* The difference |ΔFt|/(f Fn) of random movements that are made in one piece and in several. */
typedef struct claims_division {
  double pieces[CLAIMS_DIVISIONS], difference[CLAIMS_DIVISIONS];
} claims_division;

/* Collinear movements: the largest difference from movements in one piece. */
bool paper_claims_check_collinear(claims_division *check, error_info *error);

/*
 * Movements in two directions: the average difference from movements in very many pieces, and its order of
 * convergence.
 */
bool paper_claims_check_turning(claims_division *check, double *order, error_info *error);

/*
 * The loss in a cycle of ξ at constant ζ over that of Mindlin and Deresiewicz' closed form, for |Ft| up to share · f
 * Fn.
 */
bool paper_claims_check_cycle(jager_model model, double share, double *loss, error_info *error);

#endif
