/* SPDX-License-Identifier: MIT */
/* The quantities that the pictures of a run show: their values in each row of the series, names and units. */
#ifndef JAGER_PICTURES_RUN_QUANTITY_H
#define JAGER_PICTURES_RUN_QUANTITY_H

#include "dem/case.h"
#include "files/series.h"
#include "run_loading.h"

#include <stdbool.h>
#include <stddef.h>

/* Each has its row in the table of run_quantity.c. */
typedef enum run_quantity {
  RUN_NOTHING,
  RUN_STEPS,
  RUN_CYCLES,
  RUN_STRAIN, /* of the driven component; volumetric in an isotropic test; γ in a shear test */
  RUN_VOLUMETRIC_STRAIN,
  RUN_STRESS,   /* of the driven component */
  RUN_DEVIATOR, /* along the driven axis; the shear stress in a shear test */
  RUN_MEAN_STRESS,
  RUN_STRESS_RATIO,
  RUN_PORE_PRESSURE, /* r_u = 1 - p/p0, against the first row that is shown */
  RUN_VOID_RATIO,
  RUN_HISTORY_MEAN,
  RUN_HISTORY_MAX,
  RUN_WORK,
  RUN_KINETIC,
  RUN_STORED_NORMAL,
  RUN_STORED_TANGENTIAL,
  RUN_FRICTION,
  RUN_DAMPING,
  RUN_ENERGY_ERROR,
  RUN_QUANTITIES
} run_quantity;

/* A run, and the part of it that its pictures show. */
typedef struct run_view {
  const series_table *table;
  const dem_case *run;
  run_loading loading;
} run_view;

double run_quantity_value(const run_view *view, run_quantity of, size_t row);

enum { RUN_LABEL_SIZE = 160 };

/* The name with its symbol, in the markup of gnuplot's enhanced text. */
void run_quantity_name(const run_view *view, run_quantity of, char text[RUN_LABEL_SIZE]);

/* True if the quantity counts from the start of the first stage that is shown. */
bool run_quantity_is_since_start(run_quantity of);

/* The unit at an axis: numbers of the series are multiplied by the factor. */
typedef struct run_scale {
  double factor;
  char unit[16]; /* empty: none */
} run_scale;

/* The unit for numbers up to `size`. */
run_scale run_quantity_scale(run_quantity of, double size);

#endif
