/* SPDX-License-Identifier: MIT */
/* Series of made-up runs, for tests of the pictures: packing, then stages that strain the assembly in given ways. */
#ifndef JAGER_TESTS_MADE_SERIES_H
#define JAGER_TESTS_MADE_SERIES_H

#include "dem/case.h"
#include "files/tables.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The strains of a stage: of each component the value at its end, reached along a line or in cycles. */
typedef struct stage_shape {
  double strain[DEM_COMPONENTS];
  double cycles; /* 0: a straight line */
  int rows;
  unsigned driven; /* bits of the components whose strain the case prescribes; the others are held at the pressure */
  double pressure; /* Pa; 0: 100 kPa, as in packing */
} stage_shape;

/* A case and its series, to be freed with series_table_free. */
typedef struct maker {
  dem_case run;
  series_table table;
  size_t capacity;
} maker;

static inline void add_row(maker *made, const dem_measures *measures)
{
  if (made->table.rows == made->capacity) {
    made->capacity = 2 * made->capacity + 64;
    for (int k = 0; k < DEM_MEASURE_COUNT; k++)
      made->table.columns[k] = realloc(made->table.columns[k], made->capacity * sizeof(double));
  }
  for (int k = 0; k < DEM_MEASURE_COUNT; k++)
    made->table.columns[k][made->table.rows] = dem_measure_value(measures, k);
  made->table.rows++;
}

static inline void fill_in(dem_measures *m, double done)
{
  m->stress_xx = m->stress_yy = 1e5;
  m->stress_zz = 1e5 * (1.0 + tanh(4.0 * done));
  m->stress_xy = 3e4 * tanh(3.0 * done);
  m->p = (m->stress_xx + m->stress_yy + m->stress_zz) / 3.0;
  m->q = m->stress_zz - m->stress_xx;
  m->volumetric_strain = m->strain_xx + m->strain_yy + m->strain_zz;
  m->void_ratio = 0.7 - 1.7 * m->volumetric_strain;
  m->history_mean = 2.0 + 3.0 * done;
  m->history_max = floor(4.0 + 50.0 * done);
  m->work = 1e-3 * done;
  m->dissipated_friction = 8e-4 * done;
  m->energy_error = 1e-8 * (1.0 + done);
}

static inline void add_stage(maker *made, dem_measures *at, const stage_shape *shape)
{
  const dem_measures start = *at;
  const double from[DEM_COMPONENTS] = {start.strain_xx, start.strain_yy, start.strain_zz,
                                       start.strain_xy, start.strain_xz, start.strain_yz};
  double *const to[DEM_COMPONENTS] = {&at->strain_xx, &at->strain_yy, &at->strain_zz,
                                      &at->strain_xy, &at->strain_xz, &at->strain_yz};
  at->stage = start.stage + 1.0;
  for (int i = 1; i <= shape->rows; i++) {
    double done = (double)i / shape->rows;
    double way = shape->cycles > 0.0 ? sin(6.283185307179586 * shape->cycles * done) : done;
    at->step += 100.0;
    for (int k = 0; k < DEM_COMPONENTS; k++)
      *to[k] = from[k] + way * (shape->strain[k] - (shape->cycles > 0.0 ? 0.0 : from[k]));
    fill_in(at, way);
    add_row(made, at);
  }
}

static inline dem_stage make_stage(const stage_shape *shape)
{
  dem_stage stage = {.name = "some"};
  double pressure = shape->pressure > 0.0 ? shape->pressure : 1e5;
  for (int i = 0; i < DEM_COMPONENTS; i++) {
    bool is_driven = shape->driven >> i & 1u;
    stage.control[i] = is_driven ? (dem_control){.kind = DEM_CONTROL_STRAIN, .value = shape->strain[i]}
                                 : (dem_control){.kind = DEM_CONTROL_STRESS, .value = i <= DEM_ZZ ? pressure : 0.0};
  }
  return stage;
}

static inline dem_case make_case(const stage_shape shapes[], int count)
{
  dem_case run = dem_case_default();
  run.assembly.source = DEM_SOURCE_PACKING;
  run.assembly.packing.pressure = 1e5;
  run.stage_count = count;
  for (int i = 0; i < count; i++)
    run.stages[i] = make_stage(&shapes[i]);
  return run;
}

/* Ten rows of packing, whose strains do not count, then the stages. */
static inline maker make_series(const stage_shape shapes[], int count)
{
  maker made = {.run = make_case(shapes, count)};
  dem_measures at = {0};
  for (int i = 0; i < 10; i++) {
    at.step += 100.0;
    at.strain_xx = at.strain_yy = at.strain_zz = 0.3 * i;
    fill_in(&at, 0.1 * i);
    add_row(&made, &at);
  }
  at.strain_xx = at.strain_yy = at.strain_zz = 0.0; /* packing has ended */
  for (int i = 0; i < count; i++)
    add_stage(&made, &at, &shapes[i]);
  return made;
}

#define MAKE(...)                                                                                                      \
  make_series((const stage_shape[]){__VA_ARGS__}, sizeof((stage_shape[]){__VA_ARGS__}) / sizeof(stage_shape))

enum { XX = 1u << DEM_XX, YY = 1u << DEM_YY, ZZ = 1u << DEM_ZZ, XY = 1u << DEM_XY, YZ = 1u << DEM_YZ };

static const stage_shape consolidation = {.strain = {1e-4, 1e-4, 1e-4}, .rows = 20};
static const stage_shape triaxial = {.strain = {-0.04, -0.04, 0.1}, .rows = 300, .driven = ZZ};
static const stage_shape biaxial = {.strain = {-0.06, 1e-4, 0.05}, .rows = 300, .driven = XX | ZZ};
static const stage_shape shear = {.strain = {1e-4, 1e-4, -0.002, 0.05}, .rows = 300, .driven = XY};
static const stage_shape cyclic = {.strain = {[DEM_YZ] = 0.01}, .cycles = 5.0, .rows = 3000, .driven = YZ};
static const stage_shape isotropic = {.strain = {-0.002, -0.002, -0.0021}, .rows = 100, .pressure = 5e4};
static const stage_shape rest = {.strain = {-0.04, -0.04, 0.1}, .rows = 30};
static const stage_shape unloading = {.strain = {-0.035, -0.035, 0.08}, .rows = 100, .driven = ZZ};
static const stage_shape undrained = {.strain = {-0.05, -0.05, 0.1}, .rows = 300, .driven = XX | YY | ZZ};

#endif
