/* SPDX-License-Identifier: MIT */
/*
 * Figure JagerPath. The paper does not give the numbers of its nine movements. These have the structure that its text
 * describes: movements 1, 2, 3, 6 and 7 are elastic, 4, 5, 8 and 9 slip, and the histories are those of the text.
 */
#include "path.h"

#include <math.h>
#include <string.h>

static const named_movement movements[PATH_MOVEMENTS] = {{6.0, -3.4}, {3.0, -1.6}, {5.0, -2.0}, {1.0, 4.0}, {1.0, 5.0},
                                                         {4.0, -0.7}, {8.0, -4.4}, {4.0, 5.0},  {2.0, -3.0}};

enum { TRACTION_ROWS = 400 }; /* intervals of the contact radius */

/* ---- Computing --------------------------------------------------------------------------------------------------- */

/* Cattaneo and Mindlin's distribution for a contact of radius a, a² = ζR, R = 1 m. */
static double cattaneo_mindlin(const jager_law *law, double zeta, double rho)
{
  double square = zeta - rho * rho;
  return square > 0.0 ? 3.0 * law->modulus / (2.0 * acos(-1.0)) * sqrt(square) : 0.0;
}

/* The traction of segment k of the history. */
static double segment_traction(const jager_law *law, const named_history *history, int k, double rho)
{
  const jager_point *from = &history->points[k - 1], *to = &history->points[k];
  return to->p[0] * (cattaneo_mindlin(law, to->zeta, rho) - cattaneo_mindlin(law, from->zeta, rho));
}

static bool compare_tractions(const paper_contact *of, path_results *results, error_info *error)
{
  const named_history *history = &results->stages[PATH_MOVEMENTS].history;
  double stick, pressure, shear[2];
  if (!paper_check(jager_contact_radii(&of->law, &of->contact, &results->contact_radius, &stick), error))
    return false;
  for (int i = 0; i <= TRACTION_ROWS; i++) {
    double rho = results->contact_radius * i / TRACTION_ROWS, sum = 0.0;
    if (!paper_check(jager_contact_traction(&of->law, &of->contact, rho, &pressure, shear), error))
      return false;
    for (int k = 1; k < history->count; k++)
      sum += segment_traction(&of->law, history, k, rho);
    results->traction_difference = fmax(results->traction_difference, fabs(sum - shear[0]));
    results->traction_max = fmax(results->traction_max, fabs(shear[0]));
  }
  return true;
}

bool paper_path_compute(path_results *results, error_info *error)
{
  paper_contact of;
  const jager_law law = paper_law();
  memset(results, 0, sizeof *results);
  bool done = paper_contact_open(&of, &law, error) &&
              named_history_follow(&of, movements, PATH_MOVEMENTS, results->stages, error) &&
              compare_tractions(&of, results, error);
  paper_contact_close(&of);
  return done;
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

typedef struct path_tables {
  const path_results *results;
  paper_table movements, histories, tractions;
} path_tables;

static void fill_movements(path_tables *tables)
{
  for (int i = 0; i <= PATH_MOVEMENTS; i++) {
    const named_stage *at = &tables->results->stages[i];
    char list[128];
    named_history_print(&at->history, list, sizeof list);
    fprintf(tables->movements.stream, "%d,%.9g,%.9g,%.9g,%.9g,%s,%d,%s\n", i, at->zeta, at->xi, at->force.fn,
            at->force.ft[0], i == 0 ? "apart" : jager_state_name(at->state), at->history.count, list);
  }
}

static bool is_slip(const jager_point *point)
{
  return fabs(fabs(point->p[0]) - paper_law().friction) < 1e-9;
}

static void fill_histories(path_tables *tables)
{
  for (int i = 1; i <= PATH_MOVEMENTS; i++) {
    const named_history *history = &tables->results->stages[i].history;
    for (int k = 0; k < history->count; k++)
      fprintf(tables->histories.stream, "%d,%d,%s,%.9g,%.9g,%.9g,%.9g,%d\n", i, k, history->labels[k],
              history->points[k].zeta, history->points[k].fn, history->ft[k], history->points[k].p[0],
              is_slip(&history->points[k]));
  }
}

static void fill_tractions(path_tables *tables)
{
  const jager_law law = paper_law();
  const named_history *history = &tables->results->stages[PATH_MOVEMENTS].history;
  for (int i = 0; i <= TRACTION_ROWS; i++) {
    double rho = tables->results->contact_radius * i / TRACTION_ROWS, sum = 0.0;
    for (int k = 1; k < history->count; k++)
      sum += segment_traction(&law, history, k, rho);
    fprintf(tables->tractions.stream, "%.9g,%.9g,%.9g", rho / tables->results->contact_radius,
            law.friction * cattaneo_mindlin(&law, tables->results->stages[PATH_MOVEMENTS].zeta, rho), sum);
    for (int k = 1; k < history->count; k++)
      fprintf(tables->tractions.stream, ",%.9g", segment_traction(&law, history, k, rho));
    fputc('\n', tables->tractions.stream);
  }
}

static bool write_tables(path_tables *tables, const paper *p, error_info *error)
{
  bool open =
      paper_table_open(&tables->movements, "JagerPath-movements", "movement,zeta,xi,fn,ft,state,length,history",
                       error) &&
      paper_table_open(&tables->histories, "JagerPath-histories", "movement,k,label,zeta,fn,ft,p,slip", error) &&
      paper_table_open(&tables->tractions, "JagerPath-tractions",
                       "rho_over_a,f_sigma,tau,segment1,segment2,segment3,segment4,segment5,segment6,segment7", error);
  if (!open)
    return false;
  fill_movements(tables);
  fill_histories(tables);
  fill_tractions(tables);
  return paper_table_finish(&tables->movements, p, error) && paper_table_finish(&tables->histories, p, error) &&
         paper_table_finish(&tables->tractions, p, error);
}

/* ---- Panels with labels ------------------------------------------------------------------------------------------ */

#define FINAL_COLOUR "#7a0c2e"
#define PAST_COLOUR "#6f7f8c"

/* True for a point at which a segment was cut, as 2a; other points are ends of movements. */
static bool is_cut(const char *label)
{
  return strchr(label, 'a') != NULL;
}

/* The histories after all movements. Each point has its name once. */
static labelled_panel forces_panel(const path_results *results)
{
  labelled_panel panel = {.low = {-0.8, -3.4}, .high = {35.5, 3.7}};
  const double origin[2] = {0.0, 0.0};
  labelled_panel_add_label(&panel, "0", origin, "#000000");
  for (int i = 1; i <= PATH_MOVEMENTS; i++) {
    const named_history *of = &results->stages[i].history;
    double before[2] = {0.0, 0.0};
    for (int k = 1; k < of->count; k++) {
      const double at[2] = {1e3 * of->points[k].fn, 1e3 * of->ft[k]};
      labelled_panel_add_line(&panel, before, at);
      if (!labelled_panel_find(&panel, of->labels[k]))
        labelled_panel_add_label(&panel, of->labels[k], at, is_cut(of->labels[k]) ? PAST_COLOUR : "#000000");
      if (i == PATH_MOVEMENTS && is_cut(of->labels[k]))
        labelled_panel_find(&panel, of->labels[k])->colour = FINAL_COLOUR;
      memcpy(before, at, sizeof before);
    }
  }
  return panel;
}

/* ---- Picture ----------------------------------------------------------------------------------------------------- */

/* The movements. Those that slip are darker. */
static void write_movements_panel(const path_tables *tables, FILE *script)
{
  labelled_panel panel = {.low = {-1.0, -8.5}, .high = {36.0, 3.5}};
  named_history_add_movements(&panel, tables->results->stages, PATH_MOVEMENTS);
  fprintf(script, "set title '(a) nine movements' offset 0,2.6\n"
                  "set xlabel '{/:Italic ζ} / {/:Italic R}  (10^{−3})'\n"
                  "set ylabel '{/:Italic ξ} / {/:Italic R}  (10^{−3})' offset -0.5,0\nset key maxrows 2\n");
  labelled_panel_write(&panel, script);
  fprintf(script, "plot ");
  for (int i = 1; i <= PATH_MOVEMENTS; i++) {
    bool slips = tables->results->stages[i].state != JAGER_STATE_ELASTIC;
    fprintf(script, "$movements using (1e3*$2):(1e3*$3) every ::%d::%d with lines lw %s notitle, ", i - 1, i,
            slips ? "4.5 lc rgb '#15396b'" : "1.6 lc rgb '#2f87c9'");
  }
  fprintf(script, "$movements using (1e3*$2):(1e3*$3) with points pt 7 ps 0.6 lc rgb '#15396b' notitle, "
                  "keyentry with lines lw 4.5 lc rgb '#15396b' title 'slip', "
                  "keyentry with lines lw 1.6 lc rgb '#2f87c9' title 'elastic'\nunset label\n");
}

/* The points at which histories were cut, and whether they belong to the last history. */
static void write_cuts(const labelled_panel *panel, FILE *script)
{
  fprintf(script, "$cuts << EOD\n");
  for (int i = 0; i < panel->labels; i++)
    if (is_cut(panel->label[i].text))
      fprintf(script, "%.9g,%.9g,%d\n", panel->label[i].at[0], panel->label[i].at[1],
              strcmp(panel->label[i].colour, FINAL_COLOUR) == 0);
  fprintf(script, "EOD\n");
}

/* The histories after all movements: dashed lines; the last one: solid lines on top of them. */
static void write_forces_panel(const path_tables *tables, FILE *script)
{
  const named_history *last = &tables->results->stages[PATH_MOVEMENTS].history;
  const labelled_panel panel = forces_panel(tables->results);
  fprintf(script,
          "set title '(b) forces and equivalent load histories' offset 0,2.6\n"
          "set xlabel '{/:Italic F}_n / {/:Italic GR}^2  (10^{−3})'\n"
          "set ylabel '{/:Italic F}_t / {/:Italic GR}^2  (10^{−3})' offset -0.5,0\nset key maxrows 2 width -6\n");
  labelled_panel_write(&panel, script);
  write_cuts(&panel, script);
  fprintf(script, "plot ");
  for (int i = 1; i < PATH_MOVEMENTS; i++)
    fprintf(script,
            "$histories using (1e3*$5):($1==%d?1e3*$6:NaN) with lines lw 1.4 dt (6,4) lc rgb '#6f7f8c' notitle, ", i);
  for (int k = 1; k < last->count; k++)
    fprintf(script, "'-' using 1:2 with lines lw %s notitle, ",
            is_slip(&last->points[k]) ? "4.5 lc rgb '#7a0c2e'" : "1.8 lc rgb '#7a0c2e'");
  fprintf(script, "$movements using (1e3*$4):(1e3*$5) with points pt 7 ps 0.6 lc rgb '#333333' notitle, "
                  "$cuts using 1:($3==1?$2:NaN) with points pt 6 ps 0.9 lc rgb '#7a0c2e' notitle, "
                  "$cuts using 1:($3==0?$2:NaN) with points pt 6 ps 0.9 lc rgb '#6f7f8c' notitle, "
                  "keyentry with lines lw 4.5 lc rgb '#7a0c2e' title 'final history: slip', "
                  "keyentry with lines lw 1.8 lc rgb '#7a0c2e' title 'final history: elastic', "
                  "keyentry with lines lw 1.4 dt (6,4) lc rgb '#6f7f8c' title 'intermediate histories'\n");
  for (int k = 1; k < last->count; k++)
    fprintf(script, "%.9g,%.9g\n%.9g,%.9g\ne\n", 1e3 * last->points[k - 1].fn, 1e3 * last->ft[k - 1],
            1e3 * last->points[k].fn, 1e3 * last->ft[k]);
  fprintf(script, "unset label\n");
}

static void write_list_panel(const path_tables *tables, FILE *script)
{
  fprintf(script,
          "set title '(c) equivalent load histories' offset 0,2.6\n"
          "unset xlabel\nunset ylabel\nunset xtics\nunset ytics\nunset grid\nset xrange [0:1]\nset yrange [0:1]\n");
  for (int i = 1; i <= PATH_MOVEMENTS; i++) {
    const named_stage *at = &tables->results->stages[i];
    char list[128];
    named_history_print(&at->history, list, sizeof list);
    fprintf(script,
            "set label %d 'after %d' at graph 0.06,%.3f left\nset label %d '%s' at graph 0.26,%.3f left%s\n"
            "set label %d '%s' at graph 0.95,%.3f right textcolor rgb '#555555'\n",
            3 * i, i, 1.02 - 0.105 * i, 3 * i + 1, list, 1.02 - 0.105 * i,
            i == PATH_MOVEMENTS ? " textcolor rgb '#7a0c2e'" : "", 3 * i + 2, jager_state_name(at->state),
            1.02 - 0.105 * i);
  }
  fprintf(script, "plot 1e99 notitle\nunset label\nset xtics nomirror scale 0.6\nset ytics nomirror scale 0.6\n"
                  "set grid lt 1 lw 0.6 lc rgb '#dddddd'\n");
}

static void write_traction_panel(const path_tables *tables, FILE *script)
{
  int segments = tables->results->stages[PATH_MOVEMENTS].history.count - 1;
  fprintf(script, "set title '(d) final shearing traction' offset 0,2.6\n"
                  "set xlabel '{/:Italic ρ} / {/:Italic a}'\nset ylabel '{/:Italic τ} / {/:Italic G}' offset 0.5,0\n"
                  "set xrange [0:1.02]\nset yrange [*:*]\nplot "
                  "$tractions using 1:2 with lines " PAPER_LIMIT " title '±{/:Italic fσ}', "
                  "$tractions using 1:(-$2) with lines " PAPER_LIMIT " notitle, ");
  for (int k = 1; k <= segments; k++)
    fprintf(script, "$tractions using 1:%d with lines " PAPER_THIN " %s, ", 3 + k,
            k == 1 ? "title 'seven Cattaneo–Mindlin functions'" : "notitle");
  fprintf(script, "$tractions using 1:3 with lines lw 3.4 lc rgb '#15396b' title 'their sum, {/:Italic τ}'\n");
}

static void write_picture(const void *contents, const char *terminal, FILE *script)
{
  const path_tables *tables = contents;
  (void)terminal;
  paper_table_write_block(&tables->movements, "movements", script);
  paper_table_write_block(&tables->histories, "histories", script);
  paper_table_write_block(&tables->tractions, "tractions", script);
  fprintf(script, "set multiplot layout 2,2 margins 0.078,0.985,0.065,0.915 spacing 0.098,0.15\n");
  write_movements_panel(tables, script);
  write_forces_panel(tables, script);
  write_list_panel(tables, script);
  write_traction_panel(tables, script);
  fprintf(script, "unset multiplot\n");
}

/* ---- Report ------------------------------------------------------------------------------------------------------ */

static void write_states(const path_results *results, bool elastic, char *text)
{
  const char *start = text;
  for (int i = 1; i <= PATH_MOVEMENTS; i++)
    if ((results->stages[i].state == JAGER_STATE_ELASTIC) == elastic)
      text += sprintf(text, *start ? ", %d" : "%d", i);
}

static void write_report(const path_results *results, const paper *p)
{
  const named_history *last = &results->stages[PATH_MOVEMENTS].history;
  char elastic[64] = "", slip[64] = "", list[128], fourth[128], fifth[128];
  int slips = 0;
  for (int k = 1; k < last->count; k++)
    slips += is_slip(&last->points[k]);
  write_states(results, true, elastic);
  write_states(results, false, slip);
  named_history_print(last, list, sizeof list);
  named_history_print(&results->stages[4].history, fourth, sizeof fourth);
  named_history_print(&results->stages[5].history, fifth, sizeof fifth);
  paper_compare_head(p);
  paper_compare_row(p, "elastic movements", "1, 2, 3, 6, 7", "%s", elastic);
  paper_compare_row(p, "movements that slip", "4, 5, 8, 9", "%s", slip);
  paper_compare_row(p, "history after 4", "0-1-2-2a-4", "%s", fourth);
  paper_compare_row(p, "history after 5", "0-1-1a-5", "%s", fifth);
  paper_compare_row(p, "history after 9", "0-1-1a-…-7a-9", "%s", list);
  paper_compare_row(p, "segments of it, of these slip", "7, 3", "%d, %d", last->count - 1, slips);
  paper_compare_row(p, "final forces over GR²", "(lost)", "Fn = %.6f, Ft = %.6f",
                    results->stages[PATH_MOVEMENTS].force.fn, results->stages[PATH_MOVEMENTS].force.ft[0]);
  paper_compare_row(p, "traction: the seven functions added up, against the library's", "coincide",
                    "differ by at most %.1e of the largest", results->traction_difference / results->traction_max);
  fprintf(p->report, "\nThe numbers of the paper's movements are lost with its figure. Those used here (CSV) have the "
                     "structure that its text tells; so the values along the axes are not the paper's, the histories "
                     "are.\n");
}

bool paper_path_make(const paper *p, error_info *error)
{
  path_results results;
  path_tables tables = {.results = &results};
  bool done = paper_path_compute(&results, error) && write_tables(&tables, p, error);
  if (done) {
    paper_section(p, "JagerPath", "nine movements, forces, histories, traction");
    done = paper_draw(p, "JagerPath", GNUPLOT_TALL, write_picture, &tables, error);
  }
  if (done)
    write_report(&results, p);
  paper_table_free(&tables.movements);
  paper_table_free(&tables.histories);
  paper_table_free(&tables.tractions);
  return done;
}
