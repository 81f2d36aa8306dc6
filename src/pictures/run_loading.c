/* SPDX-License-Identifier: MIT */
/* Finds how a run loads its assembly. */
#include "run_loading.h"

#include <math.h>
#include <stddef.h>

/* Limits of ratios, by which the kinds of loading are told apart. */
static const double plane_strain_max = 1e-3;    /* plane strain: fixed over driven component */
static const double isotropic_min = 0.7;        /* isotropic: smallest over largest component */
static const double cyclic_path_min = 2.2;      /* cyclic: path length over range; loading and unloading has 2 */
static const double constant_volume_max = 1e-6; /* constant volume: volumetric over driven strain */

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

static int stage_of(const series_table *table, size_t row)
{
  double stage = SERIES_COLUMN(table, stage)[row];
  return stage >= 0.0 && stage <= DEM_STAGES_MAX ? (int)stage : 0;
}

bool run_loading_is_packing(const series_table *table, size_t row)
{
  return stage_of(table, row) == 0;
}

/* The columns strain_xx ... strain_yz follow each other in the table. */
double run_loading_strain(const series_table *table, int component, size_t row)
{
  const size_t first = offsetof(dem_measures, strain_xx) / sizeof(double);
  return run_loading_is_packing(table, row) ? 0.0 : table->columns[first + (size_t)component][row];
}

static double volumetric_strain(const series_table *table, size_t row)
{
  return run_loading_is_packing(table, row) ? 0.0 : SERIES_COLUMN(table, volumetric_strain)[row];
}

/* Shear strains ε are half the angle γ, so that 2ε compares with a normal strain. */
static double weight_of(int component)
{
  return component >= DEM_XY ? 2.0 : 1.0;
}

/* ---- Ranges ------------------------------------------------------------------------------------------------------ */

/* Strains in the rows [first, end): of each component, its range and the length of its path. */
typedef struct movement {
  size_t first, end;
  double range[DEM_COMPONENTS], path[DEM_COMPONENTS];
  int largest; /* the component with the largest range */
} movement;

static void measure_component(const series_table *table, movement *of, int component)
{
  double low = INFINITY, high = -INFINITY, path = 0.0, before = NAN;
  for (size_t row = of->first; row < of->end; row++) {
    double strain = run_loading_strain(table, component, row);
    low = fmin(low, strain);
    high = fmax(high, strain);
    path += row > of->first ? fabs(strain - before) : 0.0;
    before = strain;
  }
  of->range[component] = high > low ? weight_of(component) * (high - low) : 0.0;
  of->path[component] = isfinite(path) ? weight_of(component) * path : 0.0;
}

/*
 * The largest component is one of the driven ones, if there are any: a dense assembly may dilate laterally by more
 * than it is compressed. Of equal components the first in the order zz, yy, xx, xy, xz, yz counts: by custom the axis
 * is z.
 */
static movement measure(const series_table *table, size_t first, size_t end, unsigned driven)
{
  static const int order[DEM_COMPONENTS] = {DEM_ZZ, DEM_YY, DEM_XX, DEM_XY, DEM_XZ, DEM_YZ};
  movement of = {.first = first, .end = end, .largest = -1};
  for (int i = 0; i < DEM_COMPONENTS; i++)
    measure_component(table, &of, i);
  for (int i = 0; i < DEM_COMPONENTS; i++)
    if ((driven == 0 || (driven >> order[i] & 1u)) &&
        (of.largest < 0 || of.range[order[i]] > 1.0001 * of.range[of.largest]))
      of.largest = order[i];
  return of;
}

static double largest_range(const movement *of)
{
  return of->range[of->largest];
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
  return of->largest <= DEM_ZZ && least >= isotropic_min * largest_range(of) &&
         volumetric_range(of, table) >= isotropic_min * (of->range[DEM_XX] + of->range[DEM_YY] + of->range[DEM_ZZ]);
}

/* ---- Stages ------------------------------------------------------------------------------------------------------ */

/* All stages, by their numbers. A stage without rows does not load. */
typedef struct stages {
  movement of[DEM_STAGES_MAX + 1];
  bool loads[DEM_STAGES_MAX + 1], is_isotropic[DEM_STAGES_MAX + 1];
  int last;
} stages;

/* The components whose non-zero strains a stage prescribes, or that follow a wave, as bits. */
static unsigned driven_in(const dem_case *run, int stage)
{
  unsigned driven = 0;
  if (stage < 1 || stage > run->stage_count)
    return 0;
  for (int i = 0; i < DEM_COMPONENTS; i++) {
    const dem_control *control = &run->stages[stage - 1].control[i];
    bool is_strain = control->kind == DEM_CONTROL_STRAIN_RATE || control->kind == DEM_CONTROL_STRAIN_STEP ||
                     control->kind == DEM_CONTROL_STRAIN;
    bool is_wave = control->kind == DEM_CONTROL_STRAIN_PATH || control->kind == DEM_CONTROL_STRESS_PATH;
    driven |= (is_strain || is_wave) && control->value != 0.0 ? 1u << i : 0u;
  }
  return driven;
}

/* The stress at which a stage holds a component; NAN: none. Stage 0 is packing. */
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

/* The stage holds a stress that the stage before did not hold. */
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

/* The movement of a stage begins with the last row of the stage before. */
static stages measure_stages(const series_table *table, const dem_case *run)
{
  stages all = {0};
  for (size_t row = 0; row < table->rows;) {
    size_t end = row;
    int stage = stage_of(table, row);
    while (end < table->rows && stage_of(table, end) == stage)
      end++;
    all.of[stage] = measure(table, row > 0 ? row - 1 : 0, end, driven_in(run, stage));
    all.loads[stage] = stage_loads(run, stage) && largest_range(&all.of[stage]) > 0.0;
    all.is_isotropic[stage] = is_isotropic(&all.of[stage], table);
    all.last = stage;
    row = end;
  }
  return all;
}

/* The first stage with rows; 0: only packing has rows. */
static int first_with_rows(const stages *all)
{
  int stage = all->last > 0 ? 1 : 0;
  while (stage < all->last && all->of[stage].end == 0)
    stage++;
  return stage;
}

static bool load_alike(const stages *all, int one, int other)
{
  bool is_same_axis = all->of[one].largest == all->of[other].largest;
  return all->is_isotropic[one] == all->is_isotropic[other] && (all->is_isotropic[one] || is_same_axis);
}

/* Chooses the stages to show. Returns the last one that loads; 0: none does. */
static int choose_stages(const stages *all, run_loading *loading)
{
  int last = all->last;
  while (last > 0 && !all->loads[last])
    last--;
  loading->last_stage = all->last;
  loading->first_stage = last > 0 ? last : first_with_rows(all);
  for (int stage = last - 1; stage > 0; stage--) {
    if (all->loads[stage] && !load_alike(all, stage, last))
      break;
    if (all->loads[stage])
      loading->first_stage = stage;
  }
  return last;
}

/* ---- The kind of loading ----------------------------------------------------------------------------------------- */

/* In plane strain one of the two other directions has no strain. Returns the one that has; -1: not plane strain. */
static int lateral_of(const movement *of)
{
  int first = of->largest == DEM_XX ? DEM_YY : DEM_XX, second = of->largest == DEM_ZZ ? DEM_YY : DEM_ZZ;
  bool first_is_fixed = of->range[first] <= plane_strain_max * largest_range(of);
  bool second_is_fixed = of->range[second] <= plane_strain_max * largest_range(of);
  if (first_is_fixed == second_is_fixed)
    return -1;
  return first_is_fixed ? second : first;
}

static bool is_cyclic_in_case(const run_loading *loading, const dem_case *run)
{
  for (int stage = loading->first_stage; stage <= loading->last_stage; stage++)
    if (stage > 0 && stage <= run->stage_count && run->stages[stage - 1].cyclic.on)
      return true;
  return false;
}

static void choose_kind(const series_table *table, const dem_case *run, const movement *of, run_loading *loading)
{
  loading->component = (dem_component)of->largest;
  if (is_isotropic(of, table)) {
    loading->kind = RUN_LOADING_ISOTROPIC;
    loading->component = DEM_ZZ;
  } else if (of->largest <= DEM_ZZ) {
    loading->kind = RUN_LOADING_NORMAL;
    loading->lateral = lateral_of(of);
  } else {
    loading->kind = RUN_LOADING_SHEAR;
  }
  loading->is_at_constant_volume = volumetric_range(of, table) <= constant_volume_max * largest_range(of);
  loading->is_cyclic = of->path[of->largest] > cyclic_path_min * largest_range(of) || is_cyclic_in_case(loading, run);
}

/* Without a row before the first stage, strains count from the end of packing: from zero. */
static void set_start(const series_table *table, run_loading *loading)
{
  bool has_before = loading->first_stage > 0 && stage_of(table, loading->first) < loading->first_stage;
  for (int i = 0; has_before && i < DEM_COMPONENTS; i++)
    loading->strain[i] = run_loading_strain(table, i, loading->first);
  loading->step = has_before ? SERIES_COLUMN(table, step)[loading->first] : 0.0;
}

/* The cycles of each stage are those of its last row. */
static void count_cycles(const series_table *table, run_loading *loading)
{
  const double *cycle = SERIES_COLUMN(table, cycle);
  double before = 0.0;
  int stage = stage_of(table, loading->first);
  for (size_t row = loading->first; row < loading->end; row++) {
    if (stage_of(table, row) != stage)
      before += row > 0 && stage >= loading->first_stage && isfinite(cycle[row - 1]) ? cycle[row - 1] : 0.0;
    stage = stage_of(table, row);
    loading->cycles_before[stage] = before;
    loading->counts_cycles = loading->counts_cycles || (stage >= loading->first_stage && cycle[row] > 0.0);
  }
}

double run_loading_cycles(const run_loading *loading, const series_table *table, size_t row)
{
  int stage = stage_of(table, row);
  double cycle = SERIES_COLUMN(table, cycle)[row];
  return loading->cycles_before[stage] + (stage >= loading->first_stage ? cycle : 0.0);
}

run_loading run_loading_find(const series_table *table, const dem_case *run)
{
  stages all = measure_stages(table, run);
  run_loading loading = {.component = DEM_ZZ, .lateral = -1, .end = table->rows};
  int last = choose_stages(&all, &loading);
  loading.first = all.of[loading.first_stage].first;
  set_start(table, &loading);
  count_cycles(table, &loading);
  if (last > 0) {
    movement shown = measure(table, loading.first, loading.end, driven_in(run, last));
    choose_kind(table, run, &shown, &loading);
  }
  return loading;
}
