/* SPDX-License-Identifier: MIT */
/* What kind of test a run was. */
#include "run_axis.h"

#include <math.h>
#include <stddef.h>

/* Shares that decide. */
static const double moves_at_least = 0.02;     /* a stage moves if it strains so much of the most that any does */
static const double plane_at_most = 1e-3;      /* in plane strain, the third direction */
static const double even_at_least = 0.7;       /* in isotropic compression, the least of the most */
static const double cyclic_way_at_least = 2.2; /* way over range; a loading and unloading has 2 */

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

static int stage_of(const series_table *table, size_t row)
{
  double stage = SERIES_COLUMN(table, stage)[row];
  return stage >= 0.0 && stage <= DEM_STAGES_MAX ? (int)stage : 0;
}

bool run_axis_is_packing(const series_table *table, size_t row)
{
  return stage_of(table, row) == 0;
}

/* strain_xx ... strain_yz follow each other. */
double run_axis_strain(const series_table *table, int component, size_t row)
{
  const size_t first = offsetof(dem_measures, strain_xx) / sizeof(double);
  return run_axis_is_packing(table, row) ? 0.0 : table->columns[first + (size_t)component][row];
}

static double volumetric_strain(const series_table *table, size_t row)
{
  return run_axis_is_packing(table, row) ? 0.0 : SERIES_COLUMN(table, volumetric_strain)[row];
}

/* Shear strains are half the angles: twice as much is as much movement. */
static double weight_of(int component)
{
  return component >= DEM_XY ? 2.0 : 1.0;
}

/* ---- Ranges ------------------------------------------------------------------------------------------------------ */

/* How far a stage, or several, strained each component; rows [first, end). */
typedef struct movement {
  size_t first, end;
  double range[DEM_COMPONENTS], way[DEM_COMPONENTS];
  int most; /* the component that moved most */
} movement;

static void measure_component(const series_table *table, movement *of, int component)
{
  double low = INFINITY, high = -INFINITY, way = 0.0, before = NAN;
  for (size_t row = of->first; row < of->end; row++) {
    double strain = run_axis_strain(table, component, row);
    low = fmin(low, strain);
    high = fmax(high, strain);
    way += row > of->first ? fabs(strain - before) : 0.0;
    before = strain;
  }
  of->range[component] = high > low ? weight_of(component) * (high - low) : 0.0;
  of->way[component] = isfinite(way) ? weight_of(component) * way : 0.0;
}

/*
 * Only the driven components can be the one that moved most; all, if none is: a dense assembly widens more than it is
 * compressed. Where two move alike, the later in the order zz, yy, xx, xy, xz, yz loses: an axis is by custom z.
 */
static movement measure(const series_table *table, size_t first, size_t end, unsigned driven)
{
  static const int order[DEM_COMPONENTS] = {DEM_ZZ, DEM_YY, DEM_XX, DEM_XY, DEM_XZ, DEM_YZ};
  movement of = {.first = first, .end = end, .most = -1};
  for (int i = 0; i < DEM_COMPONENTS; i++)
    measure_component(table, &of, i);
  for (int i = 0; i < DEM_COMPONENTS; i++)
    if ((driven == 0 || (driven >> order[i] & 1u)) && (of.most < 0 || of.range[order[i]] > 1.0001 * of.range[of.most]))
      of.most = order[i];
  return of;
}

static double most_range(const movement *of)
{
  return of->range[of->most];
}

/* ---- Stages ------------------------------------------------------------------------------------------------------ */

/* Each stage's movement, by its number; a stage without rows does not move. */
typedef struct stages {
  movement of[DEM_STAGES_MAX + 1];
  int last;
  double most; /* that any of them moved */
} stages;

/* The components whose strains a stage prescribes, as bits; 0: none, or not known. */
static unsigned driven_in(const dem_case *run, int stage)
{
  unsigned driven = 0;
  if (!run || stage < 1 || stage > run->stage_count)
    return 0;
  for (int i = 0; i < DEM_COMPONENTS; i++) {
    const dem_control *control = &run->stages[stage - 1].control[i];
    bool is_strain = control->kind == DEM_CONTROL_STRAIN_RATE || control->kind == DEM_CONTROL_STRAIN_STEP ||
                     control->kind == DEM_CONTROL_STRAIN;
    driven |= is_strain && control->value != 0.0 ? 1u << i : 0u;
  }
  return driven;
}

/* A stage's movement begins with the last row of the one before. */
static stages measure_stages(const series_table *table, const dem_case *run)
{
  stages all = {0};
  for (size_t row = 0; row < table->rows;) {
    size_t end = row;
    int stage = stage_of(table, row);
    while (end < table->rows && stage_of(table, end) == stage)
      end++;
    all.of[stage] = measure(table, row > 0 ? row - 1 : 0, end, driven_in(run, stage));
    all.last = stage;
    all.most = stage > 0 ? fmax(all.most, most_range(&all.of[stage])) : all.most;
    row = end;
  }
  return all;
}

static bool moves(const stages *all, int stage)
{
  return all->most > 0.0 && most_range(&all->of[stage]) >= moves_at_least * all->most;
}

/* The stages that strain as the last one that strains at all does, with those between and behind that rest. */
static void choose_stages(const stages *all, run_axis *axis, int *moving)
{
  int last_moving = all->last;
  while (last_moving > 0 && !moves(all, last_moving))
    last_moving--;
  *moving = last_moving;
  axis->last_stage = all->last;
  axis->first_stage = last_moving > 0 ? last_moving : all->last;
  for (int stage = last_moving - 1; last_moving > 0 && stage > 0; stage--) {
    if (moves(all, stage) && all->of[stage].most != all->of[last_moving].most)
      break;
    if (moves(all, stage))
      axis->first_stage = stage;
  }
}

/* ---- The kind of test -------------------------------------------------------------------------------------------- */

static bool is_isotropic(const movement *of, const series_table *table)
{
  double least = fmin(of->range[DEM_XX], fmin(of->range[DEM_YY], of->range[DEM_ZZ]));
  double low = INFINITY, high = -INFINITY;
  for (size_t row = of->first; row < of->end; row++) {
    low = fmin(low, volumetric_strain(table, row));
    high = fmax(high, volumetric_strain(table, row));
  }
  return of->most <= DEM_ZZ && least >= even_at_least * most_range(of) &&
         high - low >= even_at_least * (of->range[DEM_XX] + of->range[DEM_YY] + of->range[DEM_ZZ]);
}

/* Along an axis with one other direction that does not move, that direction is the thickness of the plane. */
static int lateral_of(const movement *of)
{
  int first = of->most == DEM_XX ? DEM_YY : DEM_XX, second = of->most == DEM_ZZ ? DEM_YY : DEM_ZZ;
  bool first_rests = of->range[first] <= plane_at_most * most_range(of);
  bool second_rests = of->range[second] <= plane_at_most * most_range(of);
  if (first_rests == second_rests)
    return -1;
  return first_rests ? second : first;
}

static bool is_cyclic_in_case(const run_axis *axis, const dem_case *run)
{
  for (int stage = axis->first_stage; run && stage <= axis->last_stage; stage++)
    if (stage > 0 && stage <= run->stage_count && run->stages[stage - 1].cyclic.on)
      return true;
  return false;
}

static void choose_test(const series_table *table, const dem_case *run, const movement *of, run_axis *axis)
{
  axis->component = (dem_component)of->most;
  if (is_isotropic(of, table)) {
    axis->test = RUN_TEST_ISOTROPIC;
    axis->component = DEM_ZZ;
  } else if (of->most <= DEM_ZZ) {
    axis->test = RUN_TEST_NORMAL;
    axis->lateral = lateral_of(of);
  } else {
    axis->test = RUN_TEST_SHEAR;
  }
  axis->is_cyclic = of->way[of->most] > cyclic_way_at_least * most_range(of) || is_cyclic_in_case(axis, run);
}

/* Without a row before the first stage, strains count from where the assembly was ready: from zero. */
static void set_start(const series_table *table, run_axis *axis)
{
  bool has_before = axis->first_stage > 0 && stage_of(table, axis->first) < axis->first_stage;
  for (int i = 0; has_before && i < DEM_COMPONENTS; i++)
    axis->strain[i] = run_axis_strain(table, i, axis->first);
  axis->step = has_before ? SERIES_COLUMN(table, step)[axis->first] : 0.0;
}

run_axis run_axis_choose(const series_table *table, const dem_case *run)
{
  int moving;
  stages all = measure_stages(table, run);
  run_axis axis = {.component = DEM_ZZ, .lateral = -1, .end = table->rows};
  choose_stages(&all, &axis, &moving);
  axis.first = all.of[axis.first_stage].first;
  set_start(table, &axis);
  if (all.most > 0.0) {
    movement drawn = measure(table, axis.first, axis.end, driven_in(run, moving));
    choose_test(table, run, &drawn, &axis);
  }
  return axis;
}
