/* SPDX-License-Identifier: MIT */
/*
 * Mindlin and Deresiewicz' proportional loading and unloading (their § 17), in closed form and by contact laws that
 * make the movements of the closed form. The path: Fn to point 0, then dFt/dFn = 4 until Ft = 0.9 f Fn at B, and back
 * along the same slope until Ft = -0.9 f Fn at D. The radius of the spheres is 1 m; Fn at 0 is 0.004 G R².
 */
#ifndef JAGER_PAPER_OBLIQUE_H
#define JAGER_PAPER_OBLIQUE_H

#include "paper.h"

/* Ft over f Fn at B and D, in absolute value. */
#define OBLIQUE_LIMIT 0.9

typedef struct oblique_path {
  jager_law law;
  jager_oblique path;
  double fn_end; /* at D, N */
} oblique_path;

oblique_path oblique_path_of_paper(void);

typedef struct oblique_point {
  double zeta, xi; /* m */
  double fn, ft;   /* N */
} oblique_point;

/* The closed form at a place of the path: `way` is 0 at the start, 1 at B, 2 at D; Fn is linear between them. */
bool oblique_point_at(const oblique_path *of, double way, oblique_point *point, error_info *error);

/*
 * Opens a contact with this model and presses it to the start of the path; `at` becomes the start. The caller closes
 * the contact, also on failure.
 */
bool oblique_start(const oblique_path *of, jager_model model, paper_contact *contact, oblique_point *at,
                   error_info *error);

/* Moves the contact from `at` to a later place of the path; `at` becomes that place. */
bool oblique_drive(const oblique_path *of, paper_contact *contact, oblique_point *at, double way, jager_force *force,
                   error_info *error);

/*
 * Moves a contact along the whole path in equal steps. `largest` becomes the largest |Ft - closed form| after a step,
 * over the largest |Ft|. A table, if not NULL, gets a row for each step.
 */
bool oblique_error(const oblique_path *of, jager_model model, int steps, double *largest, paper_table *table,
                   error_info *error);

#endif
