/* SPDX-License-Identifier: MIT */
/* What the paper asserts in words, each as a small measured check. */
#ifndef JAGER_PAPER_CLAIMS_H
#define JAGER_PAPER_CLAIMS_H

#include "paper.h"

/* Movements from random histories, inside the cone of no slip and outside. */
typedef struct slip_check {
  int inside, inside_elastic; /* movements with Δζ > 0 and |Δξ/κΔζ| < f, and how many did not slip */
  int outside, outside_slip;  /* others, and how many slipped */
  double inside_dissipated;   /* largest, over the stored energy */
  double outside_dissipated;  /* smallest */
} slip_check;

bool words_check_slip(slip_check *check, error_info *error);

enum { WORDS_DIVISIONS = 8 };

/* Largest |ΔFt|/(f Fn) between random collinear movements done in one piece each and cut into so many. */
typedef struct division_check {
  double pieces[WORDS_DIVISIONS], difference[WORDS_DIVISIONS];
} division_check;

bool words_check_collinear(division_check *check, error_info *error);

/* The same for movements that turn, against very many pieces; on average. */
bool words_check_turning(division_check *check, double *order, error_info *error);

/* Loss of one cycle of ξ at constant ζ over that of Mindlin and Deresiewicz' closed form, when Ft goes to share · f Fn. */
bool words_check_cycle(jager_model model, double share, double *loss, error_info *error);

#endif
