/* SPDX-License-Identifier: MIT */
/* Pictures of a run: each has two panels, drawn by gnuplot from the series. */
#include "run_plot.h"
#include "base/error.h"
#include "gnuplot.h"
#include "picture.h"
#include "run_figure.h"

/* One of the pictures of a view. */
typedef struct view_figure {
  const run_view *view;
  run_figure figure;
} view_figure;

static void write_view(const void *contents, const char *terminal, FILE *script)
{
  const view_figure *of = contents;
  run_figure_write(of->view, of->figure, terminal, script);
}

static bool draw_figure(const char *dir, const run_view *view, run_figure figure, error_info *error)
{
  const view_figure of = {view, figure};
  const picture drawn = {GNUPLOT_WIDE, write_view, &of};
  return picture_draw(dir, run_figure_name(figure), &drawn, error);
}

/*
 * Strains and energies start anew when packing is done. So that its last row can be the first of what is drawn, those of
 * packing are made to end at zero.
 */
static void count_from_ready(series_table *table)
{
  double *const columns[] = {SERIES_COLUMN(table, strain_xx),
                             SERIES_COLUMN(table, strain_yy),
                             SERIES_COLUMN(table, strain_zz),
                             SERIES_COLUMN(table, strain_xy),
                             SERIES_COLUMN(table, strain_xz),
                             SERIES_COLUMN(table, strain_yz),
                             SERIES_COLUMN(table, work),
                             SERIES_COLUMN(table, dissipated_friction),
                             SERIES_COLUMN(table, dissipated_damping),
                             SERIES_COLUMN(table, volumetric_strain),
                             SERIES_COLUMN(table, energy_error)};
  size_t rows = 0;
  while (rows < table->rows && SERIES_COLUMN(table, stage)[rows] == 0.0)
    rows++;
  if (rows == 0 || rows == table->rows)
    return;
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
    double end = columns[k][rows - 1];
    for (size_t row = 0; row < rows; row++)
      columns[k][row] -= end;
  }
}

static bool draw_all(const char *dir, series_table *table, const dem_case *run, error_info *error)
{
  count_from_ready(table);
  run_view view = run_view_of(table, run);
  bool is_drawn = true;
  for (int figure = 0; is_drawn && figure < RUN_FIGURES; figure++)
    is_drawn = draw_figure(dir, &view, (run_figure)figure, error);
  return is_drawn;
}

run_plot_result run_plot_draw(const char *dir, const dem_case *run, error_info *error)
{
  series_table table;
  if (!gnuplot_is_installed()) {
    error_set(error, "gnuplot is not installed (Debian, Ubuntu: apt install gnuplot-nox)");
    return RUN_PLOT_SKIPPED;
  }
  if (!series_load(&table, dir, error))
    return RUN_PLOT_FAILED;
  if (table.rows < 2) {
    series_table_free(&table);
    error_set(error, "the series has fewer than two rows");
    return RUN_PLOT_SKIPPED;
  }
  bool is_drawn = draw_all(dir, &table, run, error);
  series_table_free(&table);
  return is_drawn ? RUN_PLOT_DRAWN : RUN_PLOT_FAILED;
}
