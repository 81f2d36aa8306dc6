/* SPDX-License-Identifier: MIT */
/* Figure TractionCompare: shear tractions of Jäger's contact and in closed form. */
#ifndef JAGER_PAPER_TRACTION_H
#define JAGER_PAPER_TRACTION_H

#include "base/error.h"

#include <stdbool.h>

/* The largest difference of the two tractions at three points of the path of oblique.h, relative to fσ(0). */
bool paper_traction_difference(double *largest, error_info *error);

#endif
