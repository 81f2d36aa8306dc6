/* SPDX-License-Identifier: MIT */
/*
 * Figure Jager_approx. The paper's six movements are lost; these have the structure that its text tells: five elastic ones,
 * of which the last four have similar slopes, then one that slips and cuts the history in the second segment.
 */
#include "approx.h"
#include "base/error.h"
#include "paper.h"
#include "labels.h"

#include <math.h>
#include <string.h>

static const double movements[APPROX_MOVEMENTS][2] = {/* Δζ, Δξ in 10⁻³ R */
                                                      {6.0, 3.2},  {3.0, 0.45}, {3.0, 0.63},
                                                      {3.0, 0.73}, {3.0, 0.82}, {-4.0, -6.0}};

static const double dp_max = 0.05;

/* ---- Computing --------------------------------------------------------------------------------------------------- */

static bool follow(paper_contact *of, approx_results *results, int way, error_info *error)
{
  named_history *histories = results->history[way];
  histories[0].count = 1;
  snprintf(histories[0].labels[0], PATH_LABEL_SIZE, "0");
  for (int i = 0; i < APPROX_MOVEMENTS; i++) {
    const double dxi[2] = {1e-3 * movements[i][1], 0.0};
    results->zeta[i + 1] = results->zeta[i] + 1e-3 * movements[i][0];
    results->xi[i + 1] = results->xi[i] + dxi[0];
    if (!paper_contact_move(of, results->zeta[i + 1], dxi, 1, &results->force[way][i + 1], error) ||
        !named_history_read(&of->law, &of->contact, &histories[i + 1], error))
      return false;
    results->state[i + 1] = (jager_state)of->contact.state;
    named_history_name(&histories[i + 1], &histories[i], i + 1);
  }
  return true;
}

bool paper_approx_compute(approx_results *results, error_info *error)
{
  bool done = true;
  memset(results, 0, sizeof *results);
  for (int way = 0; done && way < APPROX_WAYS; way++) {
    paper_contact of;
    jager_law law = jager_law_default();
    done =
        paper_check(jager_law_set_dp_max(&law, way == 0 ? 0.0 : dp_max), error) && paper_contact_open(&of, &law, error);
    if (!done)
      break;
    done = follow(&of, results, way, error);
    paper_contact_close(&of);
  }
  const double exact = results->force[0][APPROX_MOVEMENTS].ft[0];
  results->error = (results->force[1][APPROX_MOVEMENTS].ft[0] - exact) / exact;
  return done;
}

/* ---- Tables and picture ------------------------------------------------------------------------------------------ */

typedef struct approx_tables {
  const approx_results *results;
  paper_table movements, histories;
} approx_tables;

static void fill_tables(approx_tables *tables)
{
  const approx_results *r = tables->results;
  for (int i = 0; i <= APPROX_MOVEMENTS; i++)
    fprintf(tables->movements.stream, "%d,%.9g,%.9g,%.9g,%.9g,%.9g,%d,%d\n", i, r->zeta[i], r->xi[i], r->force[0][i].fn,
            r->force[0][i].ft[0], r->force[1][i].ft[0], r->history[0][i].count, r->history[1][i].count);
  for (int way = 0; way < APPROX_WAYS; way++)
    for (int i = APPROX_MOVEMENTS - 1; i <= APPROX_MOVEMENTS; i++)
      for (int k = 0; k < r->history[way][i].count; k++)
        fprintf(tables->histories.stream, "%d,%d,%s,%.9g,%.9g,%.9g\n", way, i, r->history[way][i].labels[k],
                r->history[way][i].points[k].zeta, r->history[way][i].points[k].fn, r->history[way][i].ft[k]);
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

static labelled_panel movements_panel(const approx_results *r)
{
  labelled_panel panel = {.low = {-0.9, -1.6}, .high = {19.5, 6.6}};
  double before[2] = {0.0, 0.0};
  for (int i = 0; i <= APPROX_MOVEMENTS; i++) {
    const double at[2] = {1e3 * r->zeta[i], 1e3 * r->xi[i]};
    char number[16];
    snprintf(number, sizeof number, "%d", i);
    labelled_panel_add_line(&panel, before, at);
    labelled_panel_add_label(&panel, number, at, "#000000");
    memcpy(before, at, sizeof before);
  }
  return panel;
}

/* The histories before and after the last movement, of both ways; each of their points has its name once. */
static labelled_panel forces_panel(const approx_results *r)
{
  labelled_panel panel = {.low = {-0.9, -1.5}, .high = {13.8, 2.9}};
  for (int i = 2 * APPROX_WAYS - 1; i >= 0; i--) { /* approximate ones first: 1a is theirs, and stands apart from 2 */
    const named_history *of = &r->history[i / 2][APPROX_MOVEMENTS - 1 + i % 2];
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
  const labelled_panel moves = movements_panel(tables->results), forces = forces_panel(tables->results);
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
  named_history_print(&r->history[0][APPROX_MOVEMENTS], exact, sizeof exact);
  named_history_print(&r->history[1][APPROX_MOVEMENTS - 1], merged, sizeof merged);
  named_history_print(&r->history[1][APPROX_MOVEMENTS], merged_last, sizeof merged_last);
  paper_compare_head(p);
  paper_compare_row(p, "length of the list after 5 elastic movements", "6", "%d", r->history[0][5].count);
  paper_compare_row(p, "length after the sixth, which slips", "4", "%d", r->history[0][6].count);
  paper_compare_row(p, "history after the sixth", "0-1-1a-6", "%s", exact);
  paper_compare_row(p, "with \\|Δp_max\\| = 0.05, after 5", "1-5 is one segment", "%s (length %d)", merged,
                    r->history[1][5].count);
  paper_compare_row(p, "with \\|Δp_max\\| = 0.05, after the sixth", "", "%s", merged_last);
  paper_compare_row(p, "error of Ft before the sixth", "none", "%.1e",
                    fabs(r->force[1][5].ft[0] / r->force[0][5].ft[0] - 1.0));
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
