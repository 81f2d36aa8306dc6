/* SPDX-License-Identifier: MIT */
/* The liquefaction resistance, from the series of tests at constant volume with cycles of stress. */
#ifndef JAGER_RUN_RESISTANCE_H
#define JAGER_RUN_RESISTANCE_H

#include "dem/case.h"
#include "files/tables/ready_tests.h"

#include <stdbool.h>

/* Reads DIR/series.csv of a finished run whose first stage has the cycles. */
bool run_resistance_find(resistance_row *row, const char *dir, const dem_case *run, error_info *error);

/* Writes DIR/resistance.csv and, if it is to be drawn, the picture. Does nothing without rows. */
bool run_resistance_write(const char *dir, const char *title, const resistance_row rows[], size_t count, bool is_drawn,
                          error_info *error);

#endif
