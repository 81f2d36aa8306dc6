/* SPDX-License-Identifier: MIT */
/* The liquefaction resistance. */
#include "resistance.h"
#include "dem/observe/cycle.h"
#include "files/series.h"
#include "pictures/gnuplot.h"
#include "pictures/ready_test_picture.h"

#include <math.h>

#define LIQUEFIED_STRAIN 0.0375 /* single amplitude of γ */

/* Shear strain since the start of the stage. In a triaxial test at constant volume it is 1.5 times the axial one. */
static double shear_strain(const series_table *t, dem_quantity cycled, size_t row)
{
  switch ((int)cycled) {
  case DEM_STRESS + DEM_XY:
    return fabs(SERIES_COLUMN(t, gamma_xy)[row]);
  case DEM_STRESS + DEM_XZ:
    return fabs(SERIES_COLUMN(t, gamma_xz)[row]);
  case DEM_STRESS + DEM_YZ:
    return fabs(SERIES_COLUMN(t, gamma_yz)[row]);
  default:
    return 1.5 * fabs(SERIES_COLUMN(t, strain_in_stage_zz)[row]);
  }
}

static void look_at(resistance_row *found, const series_table *t, dem_quantity cycled, size_t row)
{
  double r_u = SERIES_COLUMN(t, r_u)[row], strain = shear_strain(t, cycled, row);
  found->cycles_done = SERIES_COLUMN(t, cycle)[row];
  if (isnan(found->cycles_r_u) && r_u >= DEM_LIQUEFIED_R_U)
    found->cycles_r_u = found->cycles_done;
  if (isnan(found->cycles_strain) && strain >= LIQUEFIED_STRAIN)
    found->cycles_strain = found->cycles_done;
  found->r_u_max = fmax(found->r_u_max, r_u);
  found->strain_max = fmax(found->strain_max, strain);
  found->void_ratio = SERIES_COLUMN(t, void_ratio)[row];
}

bool run_resistance_find(resistance_row *row, const char *dir, const dem_case *run, error_info *error)
{
  series_table table;
  const dem_cyclic *cyclic = &run->stages[0].cyclic;
  *row = (resistance_row){.model = jager_model_name(run->contact.model),
                          .csr = cyclic->stress_ratio,
                          .cycles_r_u = NAN,
                          .cycles_strain = NAN};
  if (!series_load(&table, dir, error))
    return false;
  for (size_t i = 0; i < table.rows; i++)
    if (SERIES_COLUMN(&table, stage)[i] == 1.0)
      look_at(row, &table, cyclic->of, i);
  row->cycles = fmin(row->cycles_r_u, row->cycles_strain); /* the other one if one is NAN */
  series_table_free(&table);
  return true;
}

bool run_resistance_write(const char *dir, const char *title, const resistance_row rows[], size_t count, bool is_drawn,
                          error_info *error)
{
  const resistance_contents contents = {title, rows, count};
  if (count == 0)
    return true;
  return resistance_write(dir, rows, count, error) &&
         (!is_drawn || !gnuplot_is_installed() || resistance_picture_draw(dir, &contents, error));
}
