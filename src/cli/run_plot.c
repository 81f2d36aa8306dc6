/* SPDX-License-Identifier: MIT */
/* Pictures of a run: each has two panels, drawn by gnuplot from the series. */
#include "run_plot.h"
#include "failure.h"
#include "gnuplot.h"
#include "output_file.h"
#include "run_figure.h"
#include "step_files.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

static bool is_empty(FILE *stream)
{
  struct stat status;
  return fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
}

/* Lets gnuplot write into the file. */
static bool draw_into(output_file *file, const run_view *view, run_figure figure, const char *terminal)
{
  gnuplot plot;
  if (!gnuplot_start(&plot, fileno(file->stream)))
    return false;
  run_figure_write(view, figure, terminal, plot.script);
  return gnuplot_finish(&plot) && !is_empty(file->stream);
}

static bool draw_file(const char *path, const run_view *view, run_figure figure, dem_error *error)
{
  output_file file;
  if (!output_file_open(&file, path))
    return fail_with_errno(error, "write", path);
  if (!draw_into(&file, view, figure, gnuplot_terminal(path))) {
    output_file_discard(&file);
    return fail_with(error, "gnuplot could not draw %s", path);
  }
  return output_file_finish(&file) || fail_with_errno(error, "write", path);
}

static bool draw_figure(const char *dir, const run_view *view, run_figure figure, dem_error *error)
{
  static const char *const endings[] = {".png", ".svg"};
  bool is_drawn = true;
  for (size_t i = 0; is_drawn && i < sizeof endings / sizeof *endings; i++) {
    char *path = path_in(dir, "%s%s", run_figure_name(figure), endings[i]);
    is_drawn = path ? draw_file(path, view, figure, error) : fail_in_memory(error);
    free(path);
  }
  return is_drawn;
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

static bool draw_all(const char *dir, series_table *table, const dem_case *run, dem_error *error)
{
  count_from_ready(table);
  run_view view = run_view_of(table, run);
  bool is_drawn = true;
  for (int figure = 0; is_drawn && figure < RUN_FIGURES; figure++)
    is_drawn = draw_figure(dir, &view, (run_figure)figure, error);
  return is_drawn;
}

run_plot_result run_plot_draw(const char *dir, const dem_case *run, dem_error *error)
{
  series_table table;
  if (!gnuplot_is_installed()) {
    fail_with(error, "gnuplot is not installed (Debian, Ubuntu: apt install gnuplot-nox)");
    return RUN_PLOT_SKIPPED;
  }
  if (!series_load(&table, dir, error))
    return RUN_PLOT_FAILED;
  if (table.rows < 2) {
    series_table_free(&table);
    fail_with(error, "the series has fewer than two rows");
    return RUN_PLOT_SKIPPED;
  }
  bool is_drawn = draw_all(dir, &table, run, error);
  series_table_free(&table);
  return is_drawn ? RUN_PLOT_DRAWN : RUN_PLOT_FAILED;
}
