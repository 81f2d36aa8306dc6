/* SPDX-License-Identifier: MIT */
/*
 * Figure Jager_approx. The paper does not give the numbers of its six movements. These have the structure that its
 * text describes: five elastic movements, of which the last four have similar slopes, then one that slips and cuts
 * the history in the second segment.
 */
#include "approx.h"

#include <math.h>
#include <string.h>

static const named_movement movements[APPROX_MOVEMENTS] = {{6.0, 3.2},  {3.0, 0.45}, {3.0, 0.63},
                                                           {3.0, 0.73}, {3.0, 0.82}, {-4.0, -6.0}};

static const double dp_max = 0.05;

/* ---- Computing --------------------------------------------------------------------------------------------------- */

bool paper_approx_compute(approx_results *results, error_info *error)
{
  bool done = true;
  memset(results, 0, sizeof *results);
  for (int way = 0; done && way < APPROX_WAYS; way++) {
    paper_contact of = {.pool = NULL};
    jager_law law = paper_law();
    done = paper_check(jager_law_set_dp_max(&law, way == 0 ? 0.0 : dp_max), error) &&
           paper_contact_open(&of, &law, error) &&
           named_history_follow(&of, movements, APPROX_MOVEMENTS, results->stages[way], error);
    paper_contact_close(&of);
  }
  const double exact = results->stages[0][APPROX_MOVEMENTS].force.ft[0];
  results->error = (results->stages[1][APPROX_MOVEMENTS].force.ft[0] - exact) / exact;
  return done;
}

/* ---- Tables and picture ------------------------------------------------------------------------------------------ */

typedef struct approx_tables {
  const approx_results *results;
  paper_table movements, histories;
} approx_tables;

static void fill_tables(approx_tables *tables)
{
  const named_stage(*stages)[APPROX_MOVEMENTS + 1] = tables->results->stages;
  for (int i = 0; i <= APPROX_MOVEMENTS; i++) {
    const named_stage *exact = &stages[0][i], *approximate = &stages[1][i];
    fprintf(tables->movements.stream, "%d,%.9g,%.9g,%.9g,%.9g,%.9g,%d,%d\n", i, exact->zeta, exact->xi, exact->force.fn,
            exact->force.ft[0], approximate->force.ft[0], exact->history.count, approximate->history.count);
  }
  for (int way = 0; way < APPROX_WAYS; way++)
    for (int i = APPROX_MOVEMENTS - 1; i <= APPROX_MOVEMENTS; i++) {
      const named_history *of = &stages[way][i].history;
      for (int k = 0; k < of->count; k++)
        fprintf(tables->histories.stream, "%d,%d,%s,%.9g,%.9g,%.9g\n", way, i, of->labels[k], of->points[k].zeta,
                of->points[k].fn, of->ft[k]);
    }
}

static bool write_tables(approx_tables *tables, const paper *p, error_info *error)
{
  if (!paper_table_open(&tables->movements, "Jager_approx-movements",
                        "movement,zeta,xi,fn,ft_exact,ft_approximate,length_exact,length_approximate", error) ||
      !paper_table_open(&tables->histories, "Jager_approx-histories", "approximate,movement,label,zeta,fn,ft", error))
    return false;
  fill_tables(tables);
  return paper_table_finish(&tables->movements, p, error) && paper_table_finish(&tables->histories, p, error);
}

/* The histories before and after the last movement, exact and approximate. Each point has its name once. */
static labelled_panel forces_panel(const approx_results *r)
{
  labelled_panel panel = {.low = {-0.9, -1.5}, .high = {13.8, 2.9}};
  for (int i = 2 * APPROX_WAYS - 1; i >= 0; i--) { /* the approximate ones first: their 1a lies farther from 2 */
    const named_history *of = &r->stages[i / 2][APPROX_MOVEMENTS - 1 + i % 2].history;
    double before[2] = {0.0, 0.0};
    for (int k = 0; k < of->count; k++) {
      const double at[2] = {1e3 * of->points[k].fn, 1e3 * of->ft[k]};
      labelled_panel_add_line(&panel, before, at);
      if (!labelled_panel_find(&panel, of->labels[k]))
        labelled_panel_add_label(&panel, of->labels[k], at, "#000000");
      memcpy(before, at, sizeof before);
    }
  }
  return panel;
}

static void write_picture(const void *contents, const char *terminal, FILE *script)
{
  const approx_tables *tables = contents;
  (void)terminal;
  paper_table_write_block(&tables->movements, "movements", script);
  paper_table_write_block(&tables->histories, "histories", script);
  const labelled_panel forces = forces_panel(tables->results);
  labelled_panel moves = {.low = {-0.9, -1.6}, .high = {19.5, 6.6}};
  named_history_add_movements(&moves, tables->results->stages[0], APPROX_MOVEMENTS);
  fprintf(script, "set multiplot layout 1,2 margins 0.07,0.985,0.12,0.86 spacing 0.09\n"
                  "set xlabel '{/:Italic ζ} / {/:Italic R}  (10^{−3})'\n"
                  "set ylabel '{/:Italic ξ} / {/:Italic R}  (10^{−3})' offset 0.5,0\n");
  labelled_panel_write(&moves, script);
  fprintf(script,
          "plot $movements using (1e3*$2):($1<6?1e3*$3:NaN) with linespoints pt 7 ps 0.6 lw 1.8 lc rgb '#2f87c9' "
          "title 'elastic movements', "
          "$movements using (1e3*$2):($1>4?1e3*$3:NaN) with linespoints pt 7 ps 0.6 lw 4.5 lc rgb '#15396b' "
          "title 'slip'\nunset label\n"
          "set xlabel '{/:Italic F}_n / {/:Italic GR}^2  (10^{−3})'\n"
          "set ylabel '{/:Italic F}_t / {/:Italic GR}^2  (10^{−3})' offset 0.5,0\n");
  labelled_panel_write(&forces, script);
  fprintf(script, "plot $histories using (1e3*$5):($1==0&&$2==5?1e3*$6:NaN) with linespoints pt 7 ps 0.6 " PAPER_THIN
                  " title '0-1-2-3-4-5, exact', "
                  "$histories using (1e3*$5):($1==1&&$2==5?1e3*$6:NaN) with lines lw 2.6 dt (2,3) lc rgb '#c8552b' "
                  "title '1-5 as one segment', "
                  "$histories using (1e3*$5):($1==0&&$2==6?1e3*$6:NaN) with linespoints pt 7 ps 0.7 " PAPER_LINE
                  " title '0-1-1a-6, exact', "
                  "$histories using (1e3*$5):($1==1&&$2==6?1e3*$6:NaN) with linespoints pt 6 ps 1.3 " PAPER_DASHES
                  " title '0-1-1a-6, approximate'\nunset multiplot\n");
}

/* ---- Report ------------------------------------------------------------------------------------------------------ */

static void write_report(const approx_results *r, const paper *p)
{
  char exact[128], merged[128], merged_last[128];
  named_history_print(&r->stages[0][APPROX_MOVEMENTS].history, exact, sizeof exact);
  named_history_print(&r->stages[1][APPROX_MOVEMENTS - 1].history, merged, sizeof merged);
  named_history_print(&r->stages[1][APPROX_MOVEMENTS].history, merged_last, sizeof merged_last);
  paper_compare_head(p);
  paper_compare_row(p, "length of the list after 5 elastic movements", "6", "%d", r->stages[0][5].history.count);
  paper_compare_row(p, "length after the sixth, which slips", "4", "%d", r->stages[0][6].history.count);
  paper_compare_row(p, "history after the sixth", "0-1-1a-6", "%s", exact);
  paper_compare_row(p, "with \\|Δp_max\\| = 0.05, after 5", "1-5 is one segment", "%s (length %d)", merged,
                    r->stages[1][5].history.count);
  paper_compare_row(p, "with \\|Δp_max\\| = 0.05, after the sixth", "", "%s", merged_last);
  paper_compare_row(p, "error of Ft before the sixth", "none", "%.1e",
                    fabs(r->stages[1][5].force.ft[0] / r->stages[0][5].force.ft[0] - 1.0));
  paper_compare_row(p, "error of Ft after the sixth", "about 3 %", "%.2f %%", 100.0 * fabs(r->error));
  fprintf(p->report, "\nf = 0.5, κf = 0.75, G = 1, ν = 0.5, R = 1, as in the paper. Its six movements are lost; those "
                     "used here (CSV) have the structure that its text tells. The error depends on where in the merged "
                     "segment the sixth movement cuts, and on how far Ft is from zero then, so that it is of the "
                     "paper's size, not equal to it.\n");
}

bool paper_approx_make(const paper *p, error_info *error)
{
  approx_results results;
  approx_tables tables = {.results = &results};
  bool done = paper_approx_compute(&results, error) && write_tables(&tables, p, error);
  if (done) {
    paper_section(p, "Jager_approx", "the memory-saving approximation");
    done = paper_draw(p, "Jager_approx", GNUPLOT_WIDE, write_picture, &tables, error);
  }
  if (done)
    write_report(&results, p);
  paper_table_free(&tables.movements);
  paper_table_free(&tables.histories);
  return done;
}
