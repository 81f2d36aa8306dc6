/* SPDX-License-Identifier: MIT */
/*
 * Figures Compare and TractionCompare: Mindlin and Deresiewicz' proportional loading and unloading (their § 17), in closed
 * form and by laws driven by the closed form's movements.
 */
#ifndef JAGER_PAPER_COMPARE_H
#define JAGER_PAPER_COMPARE_H

#include "paper.h"

/* Pressed to 0, loaded to B, unloaded to D. */
typedef struct oblique_path {
  jager_law law;
  jager_oblique path;
  double fn_end; /* at D */
} oblique_path;

/* dFt/dFn = 4 until Ft = 0.9 f Fn at B, back until Ft = -0.9 f Fn at D; Fn of 0 is 0.004 G R². */
oblique_path oblique_path_of_paper(void);

/* A moment: way from 0 to 2, 1 at B; evenly in Fn. */
typedef struct oblique_point {
  double zeta, xi, fn, ft;
} oblique_point;

bool oblique_point_at(const oblique_path *of, double way, oblique_point *point, error_info *error);

/* The contact from where it is to a moment of the path, by its movements. */
bool oblique_drive(const oblique_path *of, paper_contact *contact, oblique_point *at, double way, jager_force *force,
                   error_info *error);

/* Presses a new contact to the path's start; `at` becomes that moment. */
bool oblique_start(const oblique_path *of, jager_model model, paper_contact *contact, oblique_point *at,
                   error_info *error);

/*
 * The whole path in so many steps: the largest |Ft - closed form| after a step, over the largest |Ft|. A table, if there
 * is one, gets the steps.
 */
bool oblique_error(const oblique_path *of, jager_model model, int steps, double *largest, paper_table *table,
                   error_info *error);

/* Largest difference of the tractions of the contact and the closed form at three stages, over f times the pressure in the middle. */
bool oblique_traction_difference(double *largest, error_info *error);

#endif
