/* SPDX-License-Identifier: MIT */
/*
 * The results of ready tests: reduction.csv, shear modulus and damping over the amplitude of shear strain, and
 * resistance.csv, cycles to liquefaction over the cyclic stress ratio. Each row has the name of its contact model.
 */
#ifndef JAGER_FILES_TABLES_READY_TESTS_H
#define JAGER_FILES_TABLES_READY_TESTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* X(field, unit, meaning) */
#define REDUCTION_LIST(X)                                                                                              \
  X(test, "1", "number of the modulus reduction in the case, from 1")                                                  \
  X(gamma, "1", "single amplitude of the shear strain gamma")                                                          \
  X(shear_modulus, "Pa", "secant modulus G of the last cycle")                                                         \
  X(modulus_ratio, "1", "G over that of the smallest amplitude of the test, Gmax")                                     \
  X(damping_ratio, "1", "D of the last cycle without the numerical part")                                              \
  X(damping_ratio_numerical, "1", "part of viscous, local and global damping, by its share in the dissipation")        \
  X(damping_ratio_loop, "1", "D by the area of the loop, with the numerical part")                                     \
  X(stress_amplitude, "Pa", "single amplitude of the shear stress")                                                    \
  X(void_ratio, "1", "at the end of the last cycle")

#define RESISTANCE_LIST(X)                                                                                             \
  X(csr, "1", "cyclic stress ratio")                                                                                   \
  X(cycles, "1", "cycles to liquefaction: the first of the next two; nan: not liquefied")                              \
  X(cycles_r_u, "1", "cycles until r_u has reached 0.95; nan: never")                                                  \
  X(cycles_strain, "1", "cycles until the single amplitude of gamma, or of strain_zz for q, has reached 3.75 %; nan")  \
  X(cycles_done, "1", "cycles that the test made")                                                                     \
  X(r_u_max, "1", "largest pore pressure ratio")                                                                       \
  X(strain_max, "1", "largest size of that strain")                                                                    \
  X(void_ratio, "1", "during the test, at constant volume")

#define READY_TEST_FIELD(field, unit, meaning) double field;
typedef struct reduction_row {
  const char *model;
  REDUCTION_LIST(READY_TEST_FIELD)
} reduction_row;

typedef struct resistance_row {
  const char *model;
  RESISTANCE_LIST(READY_TEST_FIELD)
} resistance_row;
#undef READY_TEST_FIELD

/* Write DIR/reduction.csv and DIR/resistance.csv. */
bool reduction_write(const char *dir, const reduction_row rows[], size_t count, error_info *error);
bool resistance_write(const char *dir, const resistance_row rows[], size_t count, error_info *error);

#endif
