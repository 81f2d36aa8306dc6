/* SPDX-License-Identifier: MIT */
/*
 * Figure TractionCompare: shear tractions at three points of the path of oblique.h, of Jäger's contact and in closed
 * form.
 */
#include "traction.h"
#include "oblique.h"

#include <math.h>

enum { ROWS = 400, STAGES = 3 };

static const double ways[STAGES] = {1.0, 1.5, 2.0};
static const char *const names[STAGES] = {"B", "C", "D"};

/* Compares the tractions at one stage. Rows of the table: ρ/a, then both tractions and fσ relative to fσ(0). */
static bool compare_stage(const oblique_path *of, const paper_contact *contact, int stage, double fn, double *largest,
                          paper_table *table, error_info *error)
{
  double radius, stick, pressure, middle, shear[2], closed;
  bool done = paper_check(jager_contact_radii(&of->law, &contact->contact, &radius, &stick), error) &&
              paper_check(jager_contact_traction(&of->law, &contact->contact, 0.0, &middle, shear), error);
  for (int i = 0; done && i <= ROWS; i++) {
    double rho = radius * i / ROWS, unit = of->law.friction * middle;
    done = paper_check(jager_contact_traction(&of->law, &contact->contact, rho, &pressure, shear), error) &&
           paper_check(jager_mindlin_oblique_traction(&of->law, 1.0, &of->path, fn, ways[stage] > 1.0, rho, &closed),
                       error);
    if (!done)
      break;
    *largest = fmax(*largest, fabs(shear[0] - closed) / unit);
    if (table)
      fprintf(table->stream, "%s,%.9g,%.9g,%.9g,%.9g\n", names[stage], (double)i / ROWS, shear[0] / unit, closed / unit,
              pressure / middle);
  }
  return done;
}

static bool compare_all(double *largest, paper_table *table, error_info *error)
{
  const oblique_path of = oblique_path_of_paper();
  paper_contact contact;
  oblique_point at;
  jager_force force;
  bool done = oblique_start(&of, JAGER_MODEL_JAGER, &contact, &at, error);
  *largest = 0.0;
  for (int stage = 0; done && stage < STAGES; stage++)
    done = oblique_drive(&of, &contact, &at, ways[stage], &force, error) &&
           compare_stage(&of, &contact, stage, at.fn, largest, table, error);
  paper_contact_close(&contact);
  return done;
}

bool paper_traction_difference(double *largest, error_info *error)
{
  return compare_all(largest, NULL, error);
}

static void write_picture(const void *contents, const char *terminal, FILE *script)
{
  (void)terminal;
  paper_table_write_block(contents, "tractions", script);
  fprintf(script, "set key maxrows 2 width -2\n"
                  "set multiplot layout 1,3 margins 0.06,0.985,0.13,0.83 spacing 0.045\n"
                  "set xlabel '{/:Italic ρ} / {/:Italic a}'\nset xrange [0:1.02]\nset yrange [-1.05:1.05]\n");
  static const char *const titles[STAGES] = {"B: loaded to {/:Italic F}_t = 0.9 {/:Italic fF}_n", "C: half way back",
                                             "D: unloaded to {/:Italic F}_t = −0.9 {/:Italic fF}_n"};
  for (int k = 0; k < STAGES; k++)
    fprintf(script,
            "set title '%s' offset 0,2.6\n%s\n"
            "plot $tractions using 2:(strcol(1) eq '%s'?$5:NaN) with lines " PAPER_LIMIT " title '±{/:Italic fσ}', "
            "$tractions using 2:(strcol(1) eq '%s'?-$5:NaN) with lines " PAPER_LIMIT " notitle, "
            "$tractions using 2:(strcol(1) eq '%s'?$4:NaN) with lines lw 6 lc rgb '#f0b95a' title "
            "'Mindlin–Deresiewicz', "
            "$tractions using 2:(strcol(1) eq '%s'?$3:NaN) with lines lw 2 dt (9,5) lc rgb '#15396b' title 'Jäger'\n",
            titles[k], k == 0 ? "set ylabel '{/:Italic τ} / {/:Italic fσ}(0)' offset 0.5,0" : "unset ylabel", names[k],
            names[k], names[k], names[k]);
  fprintf(script, "unset multiplot\n");
}

bool paper_traction_make(const paper *p, error_info *error)
{
  paper_table table;
  double largest;
  if (!paper_table_open(&table, "TractionCompare", "stage,rho_over_a,tau_jager,tau_closed_form,pressure", error))
    return false;
  bool done = compare_all(&largest, &table, error) && paper_table_finish(&table, p, error);
  if (done) {
    paper_section(p, "TractionCompare", "shear tractions at three stages of Compare");
    done = paper_draw(p, "TractionCompare", GNUPLOT_WIDE, write_picture, &table, error);
  }
  if (done) {
    paper_compare_head(p);
    paper_compare_row(p, "Jäger and Mindlin–Deresiewicz", "coincide exactly", "differ by at most %.1e of fσ(0)",
                      largest);
    fprintf(p->report, "\nStages: B and D of Figure Compare, and C half way between them. Which three stages the paper "
                       "shows is lost. The difference is the rounding of double precision.\n");
  }
  paper_table_free(&table);
  return done;
}
