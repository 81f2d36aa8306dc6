/* SPDX-License-Identifier: MIT */
/* What kind of test a run was. */
#include "run_axis.h"

#include <math.h>
#include <stddef.h>

/* Shares that decide. */
static const double plane_at_most = 1e-3;      /* in plane strain, the third direction */
static const double even_at_least = 0.7;       /* in isotropic compression, the least of the most */
static const double cyclic_way_at_least = 2.2; /* way over range; a loading and unloading has 2 */
static const double volume_at_most = 1e-6;     /* change of volume over the strain, at constant volume */

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

static double volumetric_range(const movement *of, const series_table *table)
{
  double low = INFINITY, high = -INFINITY;
  for (size_t row = of->first; row < of->end; row++) {
    low = fmin(low, volumetric_strain(table, row));
    high = fmax(high, volumetric_strain(table, row));
  }
  return high - low;
}

static bool is_isotropic(const movement *of, const series_table *table)
{
  double least = fmin(of->range[DEM_XX], fmin(of->range[DEM_YY], of->range[DEM_ZZ]));
  return of->most <= DEM_ZZ && least >= even_at_least * most_range(of) &&
         volumetric_range(of, table) >= even_at_least * (of->range[DEM_XX] + of->range[DEM_YY] + of->range[DEM_ZZ]);
}

/* ---- Stages ------------------------------------------------------------------------------------------------------ */

/* Each stage's movement, by its number; a stage without rows does not load. */
typedef struct stages {
  movement of[DEM_STAGES_MAX + 1];
  bool loads[DEM_STAGES_MAX + 1], is_isotropic[DEM_STAGES_MAX + 1];
  int last;
} stages;

/* The components whose strains a stage prescribes, as bits; 0: none. */
static unsigned driven_in(const dem_case *run, int stage)
{
  unsigned driven = 0;
  if (stage < 1 || stage > run->stage_count)
    return 0;
  for (int i = 0; i < DEM_COMPONENTS; i++) {
    const dem_control *control = &run->stages[stage - 1].control[i];
    bool is_strain = control->kind == DEM_CONTROL_STRAIN_RATE || control->kind == DEM_CONTROL_STRAIN_STEP ||
                     control->kind == DEM_CONTROL_STRAIN;
    driven |= is_strain && control->value != 0.0 ? 1u << i : 0u;
  }
  return driven;
}

/* The stress that a stage holds in a direction; NAN: none. Stage 0 is packing. */
static double stress_held(const dem_case *run, int stage, int component)
{
  if (stage == 0)
    return run->assembly.source != DEM_SOURCE_PACKING ? NAN
           : component <= DEM_ZZ                      ? run->assembly.packing.pressure
                                                      : 0.0;
  const dem_stage *of = &run->stages[stage - 1];
  if (of->control[component].kind == DEM_CONTROL_STRESS)
    return of->control[component].value;
  return of->mean_stress_is_held && component <= DEM_ZZ ? of->mean_stress.value : NAN;
}

/* It holds a stress other than that of the stage before, or one that was not held before. */
static bool changes_stress(const dem_case *run, int stage)
{
  for (int i = 0; i < DEM_COMPONENTS; i++) {
    double held = stress_held(run, stage, i), before = stress_held(run, stage - 1, i);
    if (!isnan(held) && !(fabs(held - before) <= 1e-6 * fabs(held)))
      return true;
  }
  return false;
}

static bool stage_loads(const dem_case *run, int stage)
{
  return stage > 0 && stage <= run->stage_count && (driven_in(run, stage) != 0 || changes_stress(run, stage));
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
    all.loads[stage] = stage_loads(run, stage) && most_range(&all.of[stage]) > 0.0;
    all.is_isotropic[stage] = is_isotropic(&all.of[stage], table);
    all.last = stage;
    row = end;
  }
  return all;
}

/* The first stage that has rows; 0: only packing has. */
static int first_with_rows(const stages *all)
{
  int stage = all->last > 0 ? 1 : 0;
  while (stage < all->last && all->of[stage].end == 0)
    stage++;
  return stage;
}

static bool load_alike(const stages *all, int one, int other)
{
  bool is_same_axis = all->of[one].most == all->of[other].most;
  return all->is_isotropic[one] == all->is_isotropic[other] && (all->is_isotropic[one] || is_same_axis);
}

/* Returns the last stage that loads; 0: none does. */
static int choose_stages(const stages *all, run_axis *axis)
{
  int last = all->last;
  while (last > 0 && !all->loads[last])
    last--;
  axis->last_stage = all->last;
  axis->first_stage = last > 0 ? last : first_with_rows(all);
  for (int stage = last - 1; stage > 0; stage--) {
    if (all->loads[stage] && !load_alike(all, stage, last))
      break;
    if (all->loads[stage])
      axis->first_stage = stage;
  }
  return last;
}

/* ---- The kind of test -------------------------------------------------------------------------------------------- */

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
  for (int stage = axis->first_stage; stage <= axis->last_stage; stage++)
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
  axis->is_at_constant_volume = volumetric_range(of, table) <= volume_at_most * most_range(of);
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
  stages all = measure_stages(table, run);
  run_axis axis = {.component = DEM_ZZ, .lateral = -1, .end = table->rows};
  int loading = choose_stages(&all, &axis);
  axis.first = all.of[axis.first_stage].first;
  set_start(table, &axis);
  if (loading > 0) {
    movement drawn = measure(table, axis.first, axis.end, driven_in(run, loading));
    choose_test(table, run, &drawn, &axis);
  }
  return axis;
}
