/* SPDX-License-Identifier: MIT */
/*
 * Figure Compare: Jäger's contact and an incremental law on the path of oblique.h, in four big steps and in many
 * small ones, compared with the closed form.
 */
#include "oblique.h"
#include "moduli/fit.h"

#include <math.h>

enum { CURVE_ROWS = 200, BIG_STEPS = 4, FINE_STEPS = 400, REFINEMENTS = 7 };

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

typedef struct compare_tables {
  oblique_path of;
  paper_table curve, laws;
  double four[2], fine[2];                         /* errors of jager and zhang-vuquoc */
  double refined[REFINEMENTS], steps[REFINEMENTS]; /* errors of zhang-vuquoc and their numbers of steps */
  double order;                                    /* of convergence of zhang-vuquoc */
} compare_tables;

static bool fill_curve(compare_tables *tables, error_info *error)
{
  bool done = true;
  for (int i = 0; done && i <= CURVE_ROWS; i++) {
    oblique_point at;
    double way = 2.0 * i / CURVE_ROWS;
    done = oblique_point_at(&tables->of, way, &at, error);
    if (!done)
      break;
    fprintf(tables->curve.stream, "%.9g,%.9g,%.9g,%.9g\n", way, at.xi, at.fn / tables->of.path.fn_start,
            at.ft / tables->of.path.fn_start);
  }
  return done;
}

static bool fill_laws(compare_tables *tables, error_info *error)
{
  static const jager_model models[2] = {JAGER_MODEL_JAGER, JAGER_MODEL_ZHANG_VUQUOC};
  bool done = true;
  for (int k = 0; done && k < 2; k++)
    done = oblique_error(&tables->of, models[k], BIG_STEPS, &tables->four[k], &tables->laws, error) &&
           oblique_error(&tables->of, models[k], FINE_STEPS, &tables->fine[k], &tables->laws, error);
  for (int i = 0; done && i < REFINEMENTS; i++) {
    tables->steps[i] = BIG_STEPS << 2 * i;
    done =
        oblique_error(&tables->of, JAGER_MODEL_ZHANG_VUQUOC, (int)tables->steps[i], &tables->refined[i], NULL, error);
  }
  tables->order = -moduli_fit_power(tables->steps + 2, tables->refined + 2, REFINEMENTS - 2).exponent;
  return done;
}

static bool write_tables(compare_tables *tables, const paper *p, error_info *error)
{
  return paper_table_open(&tables->curve, "Compare-closed-form", "way,xi,fn_over_fn0,ft_over_fn0", error) &&
         paper_table_open(&tables->laws, "Compare-laws", "law,steps,step,xi,fn_over_fn0,ft_over_fn0,closed_ft_over_fn0",
                          error) &&
         fill_curve(tables, error) && fill_laws(tables, error) && paper_table_finish(&tables->curve, p, error) &&
         paper_table_finish(&tables->laws, p, error);
}

/* ---- Picture ----------------------------------------------------------------------------------------------------- */

/* The path in the plane of the forces, in the corner of panel (a). */
static void write_inset(const compare_tables *tables, FILE *script)
{
  const double peak = tables->of.path.fn_peak / tables->of.path.fn_start, friction = tables->of.law.friction,
               end = tables->of.fn_end / tables->of.path.fn_start;
  fprintf(script,
          "unset key\nunset title\nset origin 0.285,0.15\nset size 0.205,0.40\n"
          "set lmargin at screen 0.335\nset rmargin at screen 0.48\nset bmargin at screen 0.2\n"
          "set tmargin at screen 0.50\n"
          "set xrange [0.85:1.18]\nset yrange [-0.75:0.75]\nset xtics 0.85,0.15 font ',9'\nset ytics 0.5 font ',9'\n"
          "set xlabel '{/:Italic F}_n / {/:Italic F}_{n,0}' font ',10' offset 0,0.5\n"
          "set ylabel '{/:Italic F}_t / {/:Italic F}_{n,0}' font ',10' offset 1.5,0\n"
          "set label 1 '0' at 1,0 offset -1.2,0.5 font ',10'\nset label 2 'B' at %.9g,%.9g offset 0.6,0 font ',10'\n"
          "set label 3 'D' at %.9g,%.9g offset -1.6,0 font ',10'\nset label 4 '{/:Italic fF}_n' at 1.0,%.9g offset "
          "-1.2,0.8 font ',10'\n"
          "plot %.9g*x with lines " PAPER_LIMIT ", -%.9g*x with lines " PAPER_LIMIT ", "
          "'-' using 1:2 with linespoints pt 7 ps 0.5 lw 1.8 lc rgb '#15396b'\n1,0\n%.9g,%.9g\n%.9g,%.9g\ne\n"
          "unset label\n",
          peak, OBLIQUE_LIMIT * friction * peak, end, -OBLIQUE_LIMIT * friction * end, friction, friction, friction,
          peak, OBLIQUE_LIMIT * friction * peak, end, -OBLIQUE_LIMIT * friction * end);
}

static void write_panel(int panel, FILE *script)
{
  static const char *const names[2] = {"jager", "zhang-vuquoc"};
  static const char *const titles[2] = {"(a) Jäger", "(b) incremental stiffness (zhang-vuquoc)"};
  fprintf(
      script,
      "set lmargin at screen %g\nset rmargin at screen %g\nset bmargin at screen 0.12\nset tmargin at screen 0.84\n"
      "set title '%s' offset 0,2.6\nset xrange [-5.4:6]\nset yrange [-0.55:0.65]\n"
      "set xlabel '{/:Italic ξ} / {/:Italic R}  (10^{−3})'\n"
      "set ylabel '{/:Italic F}_t / {/:Italic F}_{n,0}' offset 0.5,0\n"
      "plot $curve using (1e3*$2):4 with lines " PAPER_LINE " title 'Mindlin–Deresiewicz § 17', "
      "$laws using (1e3*$4):(strcol(1) eq '%s'&&$2==%d&&int($3)%%10==0?$6:NaN) with points pt 1 ps 0.9 lw 1.6 lc rgb "
      "'#2c7a4b' title '%d steps', "
      "$laws using (strcol(1) eq '%s'&&$2==%d?1e3*$4:NaN):6 with points pt 6 ps 2.2 lw 2.4 lc rgb '#c8552b' title '%d "
      "steps'\n",
      panel == 0 ? 0.065 : 0.565, panel == 0 ? 0.49 : 0.985, titles[panel], names[panel], FINE_STEPS, FINE_STEPS,
      names[panel], BIG_STEPS, BIG_STEPS);
}

static void write_picture(const void *contents, const char *terminal, FILE *script)
{
  const compare_tables *tables = contents;
  (void)terminal;
  paper_table_write_block(&tables->curve, "curve", script);
  paper_table_write_block(&tables->laws, "laws", script);
  fprintf(script, "set key maxrows 2\nset multiplot\n");
  write_panel(0, script);
  write_panel(1, script);
  write_inset(tables, script);
  fprintf(script, "unset multiplot\n");
}

/* ---- Report ------------------------------------------------------------------------------------------------------ */

static void write_report(const compare_tables *tables, const paper *p)
{
  paper_compare_head(p);
  paper_compare_row(p, "Jäger in four big steps, largest error of Ft over its largest", "exact", "%.1e",
                    tables->four[0]);
  paper_compare_row(p, "Jäger in 400 steps", "exact", "%.1e", tables->fine[0]);
  paper_compare_row(p, "zhang-vuquoc in four big steps", "an approximation", "%.1f %%", 100.0 * tables->four[1]);
  paper_compare_row(p, "zhang-vuquoc in 400 steps", "faithful, if infinitesimal", "%.2f %%", 100.0 * tables->fine[1]);
  paper_compare_row(p, "order at which zhang-vuquoc converges", "greatly improved by sub-dividing", "%.2f",
                    tables->order);
  fprintf(p->report, "\nErrors of zhang-vuquoc by number of steps:");
  for (int i = 0; i < REFINEMENTS; i++)
    fprintf(p->report, "%s %.0f: %.2g %%", i > 0 ? ";" : "", tables->steps[i], 100.0 * tables->refined[i]);
  fprintf(
      p->report,
      ".\n\nPressed to Fn,0, then dFt/dFn = 4 to Ft = 0.9 f Fn at B and back to Ft = −0.9 f Fn at D; Fn,B = %.4f and "
      "Fn,D = %.4f Fn,0. The laws get the movements of the closed form (jager_mindlin_oblique), of which the big steps "
      "are halves between 0 and B and between B and D. The paper does not state Fn,0; it only scales the axes. "
      "zhang-vuquoc is this project's explicit incremental law, not Zhang and Vu-Quoc's own program: its big steps "
      "need not err as the paper's Figure (b) does.\n",
      tables->of.path.fn_peak / tables->of.path.fn_start, tables->of.fn_end / tables->of.path.fn_start);
}

bool paper_compare_make(const paper *p, error_info *error)
{
  compare_tables tables = {.of = oblique_path_of_paper()};
  bool done = write_tables(&tables, p, error);
  if (done) {
    paper_section(p, "Compare", "Jäger and an incremental law against Mindlin and Deresiewicz");
    done = paper_draw(p, "Compare", GNUPLOT_WIDE, write_picture, &tables, error);
  }
  if (done)
    write_report(&tables, p);
  paper_table_free(&tables.curve);
  paper_table_free(&tables.laws);
  return done;
}
