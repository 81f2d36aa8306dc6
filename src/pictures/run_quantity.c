/* SPDX-License-Identifier: MIT */
/* The quantities that the pictures of a run show. */
#include "run_quantity.h"
#include "plot.h"

#include <math.h>
#include <stdio.h>

static const char *const component_names[DEM_COMPONENTS] = {"xx", "yy", "zz", "xy", "xz", "yz"};

static const char *driven_name(const run_view *view)
{
  return component_names[view->loading.component];
}

/* ---- Strains ----------------------------------------------------------------------------------------------------- */

static double steps(const run_view *view, size_t row)
{
  return SERIES_COLUMN(view->table, step)[row] - view->loading.step;
}

static double cycles(const run_view *view, size_t row)
{
  return run_loading_cycles(&view->loading, view->table, row);
}

static double strain_of(const run_view *view, int component, size_t row)
{
  return run_loading_strain(view->table, component, row) - view->loading.strain[component];
}

static double volumetric_strain(const run_view *view, size_t row)
{
  return strain_of(view, DEM_XX, row) + strain_of(view, DEM_YY, row) + strain_of(view, DEM_ZZ, row);
}

static double driven_strain(const run_view *view, size_t row)
{
  switch (view->loading.kind) {
  case RUN_LOADING_ISOTROPIC:
    return volumetric_strain(view, row);
  case RUN_LOADING_SHEAR:
    return 2.0 * strain_of(view, (int)view->loading.component, row);
  default:
    return strain_of(view, (int)view->loading.component, row);
  }
}

/* Normal and volumetric strains are positive in compression. */
static void name_strain(const run_view *view, char text[RUN_LABEL_SIZE])
{
  const char *name = driven_name(view);
  switch (view->loading.kind) {
  case RUN_LOADING_ISOTROPIC:
    snprintf(text, RUN_LABEL_SIZE, "compressive volumetric strain {/:Italic ε}_{v}");
    break;
  case RUN_LOADING_SHEAR:
    snprintf(text, RUN_LABEL_SIZE, "shear strain {/:Italic γ}_{%s} = 2{/:Italic ε}_{%s}", name, name);
    break;
  default:
    snprintf(text, RUN_LABEL_SIZE, "compressive strain {/:Italic ε}_{%s}", name);
  }
}

/* ---- Stresses ---------------------------------------------------------------------------------------------------- */

/* The columns stress_xx ... stress_yz follow each other in the table. */
static double stress_of(const run_view *view, int component, size_t row)
{
  const size_t first = offsetof(dem_measures, stress_xx) / sizeof(double);
  return view->table->columns[first + (size_t)component][row];
}

static double driven_stress(const run_view *view, size_t row)
{
  return stress_of(view, (int)view->loading.component, row);
}

/* The stress along the driven axis minus the mean of the two others. */
static double deviator(const run_view *view, size_t row)
{
  const double driven = driven_stress(view, row);
  if (view->loading.kind == RUN_LOADING_SHEAR)
    return driven;
  double others = -driven;
  for (int i = DEM_XX; i <= DEM_ZZ; i++)
    others += stress_of(view, i, row);
  return driven - 0.5 * others;
}

static double mean_stress(const run_view *view, size_t row)
{
  return SERIES_COLUMN(view->table, p)[row];
}

static double stress_ratio(const run_view *view, size_t row)
{
  if (view->loading.lateral >= 0)
    return driven_stress(view, row) / stress_of(view, view->loading.lateral, row);
  return deviator(view, row) / mean_stress(view, row);
}

static double pore_pressure_ratio(const run_view *view, size_t row)
{
  return 1.0 - mean_stress(view, row) / mean_stress(view, view->loading.first);
}

static void name_stress(const run_view *view, char text[RUN_LABEL_SIZE])
{
  snprintf(text, RUN_LABEL_SIZE, "stress {/:Italic σ}_{%s}", driven_name(view));
}

/* Along z the deviator is the q of the series. Along other axes q has the name of the axis. */
static const char *deviator_symbol(const run_view *view, char text[RUN_LABEL_SIZE])
{
  if (view->loading.kind == RUN_LOADING_SHEAR)
    snprintf(text, RUN_LABEL_SIZE, "{/:Italic τ}_{%s}", driven_name(view));
  else if (view->loading.component == DEM_ZZ)
    snprintf(text, RUN_LABEL_SIZE, "{/:Italic q}");
  else
    snprintf(text, RUN_LABEL_SIZE, "{/:Italic q}_{%s}", driven_name(view));
  return text;
}

static void name_deviator(const run_view *view, char text[RUN_LABEL_SIZE])
{
  char symbol[RUN_LABEL_SIZE];
  snprintf(text, RUN_LABEL_SIZE, "%s %.100s", view->loading.kind == RUN_LOADING_SHEAR ? "shear stress" : "deviator",
           deviator_symbol(view, symbol));
}

static void name_stress_ratio(const run_view *view, char text[RUN_LABEL_SIZE])
{
  char symbol[RUN_LABEL_SIZE];
  if (view->loading.lateral >= 0)
    snprintf(text, RUN_LABEL_SIZE, "stress ratio {/:Italic σ}_{%s} / {/:Italic σ}_{%s}", driven_name(view),
             component_names[view->loading.lateral]);
  else
    snprintf(text, RUN_LABEL_SIZE, "stress ratio %.100s / {/:Italic p}", deviator_symbol(view, symbol));
}

/* ---- Energies ---------------------------------------------------------------------------------------------------- */

/* True in rows of packing, if stages follow: sums that start at the end of packing are zero there. */
static bool is_before_stages(const run_view *view, size_t row)
{
  return view->loading.first_stage > 0 && run_loading_is_packing(view->table, row);
}

/* The increase since the first row that is shown, of a column that starts again from zero when packing ends. */
static double added_since_start(const double *column, const run_view *view, size_t row)
{
  double start = is_before_stages(view, view->loading.first) ? 0.0 : column[view->loading.first];
  return is_before_stages(view, row) ? 0.0 : column[row] - start;
}

static double energy_error(const run_view *view, size_t row)
{
  return is_before_stages(view, row) ? 0.0 : fabs(SERIES_COLUMN(view->table, energy_error)[row]);
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

typedef enum unit_kind { NO_UNIT, STEP_COUNT, POINT_COUNT, STRAIN, PASCAL, JOULE } unit_kind;

/* How a value follows from a column of the series. */
typedef enum column_use { AS_IT_IS, CHANGE_SINCE_START, ADDED_SINCE_START } column_use;

/* The value is that of the function, or follows from the column if there is none. The same holds for the name. */
typedef struct definition {
  const char *name;
  void (*write_name)(const run_view *view, char text[RUN_LABEL_SIZE]);
  unit_kind unit;
  bool is_since_start;
  double (*value)(const run_view *view, size_t row);
  size_t column;
  column_use use;
} definition;

/* NOLINTNEXTLINE(bugprone-macro-parentheses): part of an initialiser */
#define COLUMN(field) .column = offsetof(dem_measures, field) / sizeof(double)
#define ENERGY(field, how) .unit = JOULE, .is_since_start = true, COLUMN(field), .use = how

static const definition definitions[RUN_QUANTITIES] = {
    [RUN_STEPS] = {"time steps", .unit = STEP_COUNT, .is_since_start = true, .value = steps},
    [RUN_CYCLES] = {"number of cycles {/:Italic N}", .is_since_start = true, .value = cycles},
    [RUN_STRAIN] = {.write_name = name_strain, .unit = STRAIN, .is_since_start = true, .value = driven_strain},
    [RUN_VOLUMETRIC_STRAIN] = {"compressive volumetric strain {/:Italic ε}_{v}", .unit = STRAIN, .is_since_start = true,
                               .value = volumetric_strain},
    [RUN_STRESS] = {.write_name = name_stress, .unit = PASCAL, .value = driven_stress},
    [RUN_DEVIATOR] = {.write_name = name_deviator, .unit = PASCAL, .value = deviator},
    [RUN_MEAN_STRESS] = {"mean stress {/:Italic p}", .unit = PASCAL, .value = mean_stress},
    [RUN_STRESS_RATIO] = {.write_name = name_stress_ratio, .value = stress_ratio},
    [RUN_PORE_PRESSURE] = {"pore pressure ratio {/:Italic r}_{u} = 1 − {/:Italic p} / {/:Italic p}_{0}",
                           .value = pore_pressure_ratio},
    [RUN_VOID_RATIO] = {"void ratio {/:Italic e}", COLUMN(void_ratio)},
    [RUN_HISTORY_MEAN] = {"mean length of the histories", .unit = POINT_COUNT, COLUMN(history_mean)},
    [RUN_HISTORY_MAX] = {"length of the longest history", .unit = POINT_COUNT, COLUMN(history_max)},
    [RUN_WORK] = {"work done on the assembly", ENERGY(work, ADDED_SINCE_START)},
    [RUN_KINETIC] = {"kinetic", ENERGY(kinetic, CHANGE_SINCE_START)},
    [RUN_STORED_NORMAL] = {"stored by normal forces", ENERGY(stored_normal, CHANGE_SINCE_START)},
    [RUN_STORED_TANGENTIAL] = {"stored by shear forces", ENERGY(stored_tangential, CHANGE_SINCE_START)},
    [RUN_FRICTION] = {"dissipated by friction", ENERGY(dissipated_friction, ADDED_SINCE_START)},
    [RUN_DAMPING] = {"dissipated by damping", ENERGY(dissipated_damping, ADDED_SINCE_START)},
    [RUN_ENERGY_ERROR] = {"relative error of the energy balance", .value = energy_error},
};

double run_quantity_value(const run_view *view, run_quantity of, size_t row)
{
  const definition *d = &definitions[of];
  if (d->value)
    return d->value(view, row);
  const double *column = view->table->columns[d->column];
  switch (d->use) {
  case CHANGE_SINCE_START:
    return column[row] - column[view->loading.first];
  case ADDED_SINCE_START:
    return added_since_start(column, view, row);
  default:
    return column[row];
  }
}

void run_quantity_name(const run_view *view, run_quantity of, char text[RUN_LABEL_SIZE])
{
  const definition *d = &definitions[of];
  if (d->write_name)
    d->write_name(view, text);
  else
    snprintf(text, RUN_LABEL_SIZE, "%s", d->name);
}

bool run_quantity_is_since_start(run_quantity of)
{
  return definitions[of].is_since_start;
}

static run_scale with_prefix(double size, const char *unit)
{
  plot_unit prefix = plot_unit_for(size);
  run_scale scale = {.factor = prefix.factor};
  snprintf(scale.unit, sizeof scale.unit, "%s%s", prefix.prefix, unit);
  return scale;
}

run_scale run_quantity_scale(run_quantity of, double size)
{
  switch (definitions[of].unit) {
  case STEP_COUNT:
    return size > 2e4 ? (run_scale){1e-3, "thousands"} : (run_scale){1.0, ""};
  case POINT_COUNT:
    return (run_scale){1.0, "points"};
  case STRAIN:
    return size < 1e-4 ? (run_scale){1e6, "10^{−6}"} : (run_scale){100.0, "%"};
  case PASCAL:
    return with_prefix(size, "Pa");
  case JOULE:
    return with_prefix(size, "J");
  default:
    return (run_scale){1.0, ""};
  }
}
