/* SPDX-License-Identifier: MIT */
/* The pictures of a run. A new picture is a function that chooses its two panels, and a row in the table below. */
#include "run_picture.h"
#include "gnuplot.h"
#include "picture.h"
#include "plot.h"
#include "run_panel.h"

#include <stdbool.h>

/* ---- Which quantities a picture shows ---------------------------------------------------------------------------- */

/*
 * The horizontal axis of panels without stresses: the strain; if it reverses the number of cycles, or time steps where
 * the stages are not cyclic; time steps if no strain is driven.
 */
static run_quantity usual_across(const run_view *view)
{
  if (view->loading.counts_cycles)
    return RUN_CYCLES;
  bool has_strain = view->loading.kind == RUN_LOADING_NORMAL || view->loading.kind == RUN_LOADING_SHEAR;
  return has_strain && !view->loading.is_cyclic ? RUN_STRAIN : RUN_STEPS;
}

static void choose_stress_strain(const run_view *view, run_panel panels[2])
{
  if (view->loading.kind == RUN_LOADING_STILL) {
    panels[0] = (run_panel){.across = RUN_STEPS, .up = {RUN_MEAN_STRESS, RUN_DEVIATOR}, .up_label = "stress"};
    panels[1] = (run_panel){.across = RUN_STEPS, .up = {RUN_VOID_RATIO}};
  } else if (view->loading.kind == RUN_LOADING_ISOTROPIC) {
    panels[0] = (run_panel){.across = RUN_STRAIN, .up = {RUN_MEAN_STRESS}};
    panels[1] = (run_panel){.across = RUN_MEAN_STRESS, .up = {RUN_VOID_RATIO}};
  } else if (view->loading.is_cyclic) {
    panels[0] = (run_panel){.across = RUN_STRAIN, .up = {RUN_DEVIATOR}};
    panels[1] = (run_panel){.across = RUN_MEAN_STRESS, .up = {RUN_DEVIATOR}};
  } else {
    panels[0] = (run_panel){
        .across = RUN_STRAIN,
        .up = {RUN_DEVIATOR, RUN_MEAN_STRESS, view->loading.kind == RUN_LOADING_SHEAR ? RUN_NOTHING : RUN_STRESS},
        .up_label = "stress"};
    panels[1] = (run_panel){.across = RUN_STRAIN, .up = {RUN_STRESS_RATIO}};
  }
}

/*
 * At constant volume the volumetric strain is zero. Instead the panels show the stress path, unless the picture
 * stress-strain does, and the pore pressure ratio of an undrained test.
 */
static void choose_volumetric_strain(const run_view *view, run_panel panels[2])
{
  run_quantity across = usual_across(view);
  if (!view->loading.is_at_constant_volume) {
    panels[0] = (run_panel){.across = across, .up = {RUN_VOLUMETRIC_STRAIN}};
    panels[1] = (run_panel){.across = across, .up = {RUN_VOID_RATIO}};
    return;
  }
  panels[0] = view->loading.is_cyclic ? (run_panel){.across = across, .up = {RUN_MEAN_STRESS}}
                                      : (run_panel){.across = RUN_MEAN_STRESS, .up = {RUN_DEVIATOR}};
  panels[1] = (run_panel){.across = across, .up = {RUN_PORE_PRESSURE}};
}

static void choose_history_length(const run_view *view, run_panel panels[2])
{
  panels[0] = (run_panel){.across = usual_across(view), .up = {RUN_HISTORY_MEAN}};
  panels[1] = (run_panel){.across = usual_across(view), .up = {RUN_HISTORY_MAX}};
}

static void choose_energy(const run_view *view, run_panel panels[2])
{
  panels[0] =
      (run_panel){.across = usual_across(view),
                  .up = {RUN_WORK, RUN_FRICTION, RUN_DAMPING, RUN_STORED_NORMAL, RUN_STORED_TANGENTIAL, RUN_KINETIC},
                  .up_label = "energy"};
  panels[1] = (run_panel){.across = usual_across(view), .up = {RUN_ENERGY_ERROR}, .is_log = true};
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

static const struct {
  const char *name; /* of the files, without their endings */
  void (*choose)(const run_view *view, run_panel panels[2]);
} pictures[] = {
    {"stress-strain", choose_stress_strain},
    {"volumetric-strain", choose_volumetric_strain},
    {"history-length", choose_history_length},
    {"energy", choose_energy},
};

enum { PICTURES = sizeof pictures / sizeof *pictures };

const char *run_picture_name(int number)
{
  return number < PICTURES ? pictures[number].name : NULL;
}

/* ---- Scripts ----------------------------------------------------------------------------------------------------- */

static const char *stage_name(const dem_case *run, int stage)
{
  if (stage == 0)
    return "packing";
  return stage <= run->stage_count ? run->stages[stage - 1].name : "";
}

static void write_stage(const run_view *view, int stage, FILE *script)
{
  const char *name = stage_name(view->run, stage);
  fprintf(script, " %d", stage);
  if (*name) {
    fprintf(script, " (");
    plot_write_text(name, script);
    fprintf(script, ")");
  }
}

/* "Title: stage 2 (shear) of 2" or "Title: stages 2 (load) to 3 (unload) of 3", so that omitted stages are noticed. */
static void write_title(const run_view *view, int legend_rows, double right, FILE *script)
{
  const run_loading *loading = &view->loading;
  const bool has_more = loading->last_stage > loading->first_stage;
  fprintf(script, "set multiplot layout 1,2 margins 0.088,%.3f,0.12,%.3f spacing 0.105 title \"", right,
          0.905 - 0.033 * legend_rows);
  if (view->run->title) {
    plot_write_text(view->run->title, script);
    fprintf(script, ": ");
  }
  fprintf(script, has_more ? "stages" : "stage");
  write_stage(view, loading->first_stage, script);
  if (has_more) {
    fprintf(script, " to");
    write_stage(view, loading->last_stage, script);
  }
  if (loading->last_stage > 0)
    fprintf(script, " of %d", view->run->stage_count);
  fprintf(script, "\" font ',14' noenhanced\n");
}

/* Rows of the legend above a panel; a single curve has none. */
static int legend_rows_of(int curves)
{
  enum { ROWS_MAX = 3 };
  return curves < 2 ? 0 : curves <= ROWS_MAX ? 1 : ROWS_MAX;
}

void run_picture_write(int number, const series_table *table, const dem_case *run, const char *terminal, FILE *script)
{
  const run_view view = {table, run, run_loading_find(table, run)};
  run_panel panels[2];
  pictures[number].choose(&view, panels);
  int rows = legend_rows_of(run_panel_curves(&panels[0]));
  plot_write_style(terminal, rows > 0 ? rows : 1, 4.0, script);
  bool has_colours = run_panel_has_colours(&panels[0], &view);
  write_title(&view, rows, has_colours ? 0.915 : 0.985, script);
  if (has_colours)
    plot_write_palette(run_quantity_value(&view, RUN_CYCLES, view.loading.end - 1), script);
  for (int i = 0; i < 2; i++)
    run_panel_write(&panels[i], &view, script);
  fprintf(script, "unset multiplot\n");
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

/* The contents of a picture, as picture.h wants them. */
typedef struct run_contents {
  int number;
  const series_table *table;
  const dem_case *run;
} run_contents;

static void write_contents(const void *contents, const char *terminal, FILE *script)
{
  const run_contents *of = contents;
  run_picture_write(of->number, of->table, of->run, terminal, script);
}

static bool draw_table(const char *dir, const series_table *table, const dem_case *run, error_info *error)
{
  bool is_drawn = true;
  for (int i = 0; is_drawn && i < PICTURES; i++) {
    const run_contents contents = {i, table, run};
    const picture of = {GNUPLOT_WIDE, write_contents, &contents};
    is_drawn = picture_draw(dir, pictures[i].name, &of, error);
  }
  return is_drawn;
}

run_picture_result run_picture_draw_all(const char *dir, const dem_case *run, error_info *error)
{
  series_table table;
  if (!gnuplot_is_installed()) {
    error_set(error, "gnuplot is not installed (Debian, Ubuntu: apt install gnuplot-nox)");
    return RUN_PICTURE_SKIPPED;
  }
  if (!series_load(&table, dir, error))
    return RUN_PICTURE_FAILED;
  if (table.rows < 2) {
    series_table_free(&table);
    error_set(error, "the series has fewer than two rows");
    return RUN_PICTURE_SKIPPED;
  }
  bool is_drawn = draw_table(dir, &table, run, error);
  series_table_free(&table);
  return is_drawn ? RUN_PICTURE_DRAWN : RUN_PICTURE_FAILED;
}
