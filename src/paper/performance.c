/* SPDX-License-Identifier: MIT */
/*
 * Table performance: time and memory of Jäger's contact in the biaxial test, errors of shortened histories, and lengths
 * with settings that were fitted to the paper's.
 */
#include "biaxial.h"
#include "paper.h"

#include <math.h>

/* Minutes in the paper: modified-Mindlin and Jäger. */
static const double stated_force[2] = {3.4, 8.2}, stated_total[2] = {17.6, 26.2};

static const biaxial_row *longest(const biaxial_followed *b)
{
  const biaxial_row *best = &b->rows[0];
  for (size_t k = 1; k < biaxial_test_rows(b); k++)
    if (b->rows[k].length_mean > best->length_mean)
      best = &b->rows[k];
  return best;
}

static double largest_sample(const biaxial_followed *b, int way)
{
  double largest = 0.0;
  for (size_t k = 0; k < biaxial_test_rows(b); k++)
    largest = fmax(largest, b->rows[k].sample[way]);
  return largest;
}

static void fill_table(paper_table *table, const biaxial_followed *b)
{
  for (size_t k = 0; k < biaxial_test_rows(b); k++) {
    const biaxial_row *row = &b->rows[k];
    fprintf(table->stream, "%.6f,%.6g,%.0f,%.6g,%.0f,%.6g,%.6g", row->strain, row->ratio, row->contacts,
            row->length_mean, row->length_max, row->bytes / row->contacts, row->sample_exact);
    for (int way = 0; way < BIAXIAL_WAYS; way++)
      fprintf(table->stream, ",%.6g", row->sample[way]);
    fprintf(table->stream, ",%.6g\n", row->void_ratio);
  }
}

/* ---- Picture ----------------------------------------------------------------------------------------------------- */

typedef struct performance_picture {
  const biaxial_results *biaxial;
  const paper_table *prediction, *calibrated;
} performance_picture;

static void write_bars(const biaxial_results *b, FILE *script)
{
  const double unit = b->mindlin.total_seconds;
  fprintf(script,
          "$times << EOD\n0.8,%.4f,1\n2.1,%.4f,%.4f\n4.2,%.4f,1\n5.5,%.4f,%.4f\nEOD\n"
          "unset grid\nset xrange [0:6.3]\nset yrange [0:%.4f]\nset boxwidth 0.8\nset xlabel ''\n"
          "set ylabel 'time over the total of modified-mindlin' offset 0.5,0\n"
          "set xtics (\"modified-Mindlin\\nthe paper\" 0.8, \"Jäger\\nthe paper\" 2.1, "
          "\"modified-mindlin\\nhere\" 4.2, \"Jäger\\nhere\" 5.5)\n"
          "plot $times using 1:3 with boxes lc rgb '#c9d6e6' fs solid 1.0 border lc rgb '#15396b' title 'total', "
          "$times using 1:2 with boxes lc rgb '#4a6fa5' fs solid 1.0 border lc rgb '#15396b' title 'contact forces', "
          "$times using 1:2:(sprintf('%%.2f', $2)) with labels offset 0,0.6 notitle, "
          "$times using 1:3:(sprintf('%%.2f', $3)) with labels offset 0,0.6 notitle\n",
          stated_force[0] / stated_total[0], stated_force[1] / stated_total[0], stated_total[1] / stated_total[0],
          b->mindlin.law_seconds / unit, b->jager.law_seconds / unit, b->jager.total_seconds / unit,
          fmax(1.7, 1.15 * b->jager.total_seconds / unit));
}

static void write_picture(const void *contents, const char *terminal, FILE *script)
{
  const performance_picture *of = contents;
  (void)terminal;
  paper_table_write_block(of->prediction, "lengths", script);
  paper_table_write_block(of->calibrated, "calibrated", script);
  fprintf(script,
          "set multiplot layout 1,2 margins 0.075,0.985,0.14,0.86 spacing 0.1\n"
          "set xlabel 'strain {/:Italic ε}_{zz}  (%%)'\nset ylabel 'average length of the equivalent histories' offset "
          "0.5,0\nset yrange [0:*]\n"
          "plot $lengths using (100*$1):4 with lines " PAPER_LINE " title 'exact', "
          "$lengths using (100*$1):8 with lines " PAPER_DASHES " title '|Δ{/:Bold p}_{max}| = 0.10 {/:Italic f}', "
          "$lengths using (100*$1):9 with lines " PAPER_DOTS " title '|Δ{/:Bold p}_{max}| = 0.20 {/:Italic f}', "
          "$lengths using (100*$1):10 with lines lw 1.6 dt 4 lc rgb '#7a0a2f' title 'tolerance 10^{-3}', "
          "$calibrated using (100*$1):4 with lines lw 1.1 lc rgb '#15396b' title 'thin: calibrated', "
          "$calibrated using (100*$1):8 with lines lw 1.1 dt (12,5) lc rgb '#c8552b' notitle, "
          "$calibrated using (100*$1):9 with lines lw 1.1 dt (3,4) lc rgb '#2c7a4b' notitle, "
          "'-' using 1:2 with points pt 2 ps 1.6 lw 2.4 lc rgb '#111111' title 'the paper, maxima'\n"
          "0.5,260\n0.5,171\n0.5,107\ne\n");
  write_bars(of->biaxial, script);
  fprintf(script, "unset multiplot\n");
}

/* ---- Report ------------------------------------------------------------------------------------------------------ */

static void write_times(const paper *p)
{
  const biaxial_time *j = &p->biaxial->jager, *m = &p->biaxial->mindlin;
  paper_compare_row(p, "force time, modified-mindlin", "3.4 min", "%.2f min", m->law_seconds / 60.0);
  paper_compare_row(p, "force time, Jäger", "8.2 min", "%.2f min", j->law_seconds / 60.0);
  paper_compare_row(p, "their ratio", "2.4", "%.2f", j->law_seconds / m->law_seconds);
  paper_compare_row(p, "total time, modified-mindlin", "17.6 min", "%.2f min", m->total_seconds / 60.0);
  paper_compare_row(p, "total time, Jäger", "26.2 min", "%.2f min", j->total_seconds / 60.0);
  paper_compare_row(p, "their ratio", "1.5", "%.2f", j->total_seconds / m->total_seconds);
  paper_compare_row(p, "time steps", "40,000", "%.0f", j->steps);
  paper_compare_row(p, "average number of contacts, modified-mindlin and Jäger", "about 8,600", "%.0f and %.0f",
                    m->contact_steps / m->steps, j->contact_steps / j->steps);
  paper_compare_row(p, "ns a contact and step in all, modified-mindlin and Jäger", "", "%.0f and %.0f",
                    1e9 * m->total_seconds / m->contact_steps, 1e9 * j->total_seconds / j->contact_steps);
}

static void write_lengths(const paper *p)
{
  const biaxial_followed *b = &p->biaxial->prediction;
  const biaxial_row *top = longest(b);
  paper_compare_row(p, "average length at its maximum, exact", "260", "%.0f (of the contacts with twins: %.0f)",
                    top->length_mean, top->sample_exact);
  paper_compare_row(p, "with \\|Δp_max\\| = 0.10 f", "171 (66 %)", "%.0f (%.0f %%); at most %.0f", top->sample[0],
                    100.0 * top->sample[0] / top->sample_exact, largest_sample(b, 0));
  paper_compare_row(p, "with \\|Δp_max\\| = 0.20 f", "107 (41 %)", "%.0f (%.0f %%); at most %.0f", top->sample[1],
                    100.0 * top->sample[1] / top->sample_exact, largest_sample(b, 1));
  for (int way = 2; way < BIAXIAL_WAYS; way++) {
    char name[64];
    (void)snprintf(name, sizeof name, "with a tolerance, %s", biaxial_ways[way].name);
    paper_compare_row(p, name, "", "%.0f (%.0f %%); at most %.0f", top->sample[way],
                      100.0 * top->sample[way] / top->sample_exact, largest_sample(b, way));
  }
  paper_compare_row(p, "strain at which the maximum falls", "0.5 %", "%.2f %%", 100.0 * top->strain);
  paper_compare_row(p, "contacts then", "8,700", "%.0f", top->contacts);
  paper_compare_row(p, "bytes a contact then", "9,360 (printed: 9,630)", "%.0f: %.1f an entry, all included",
                    top->bytes / top->contacts, top->bytes / top->contacts / top->length_mean);
  paper_compare_row(p, "all of them then", "about 83 MB", "%.0f MB", 1e-6 * top->bytes);
  paper_compare_row(p, "the longest list then", "", "%.0f", top->length_max);
}

/* Writes a row of the table of errors, with one value for each way of shortening. */
static void write_error_row(const paper *p, const char *name, const char *format,
                            double (*value)(const twins *, const twin_errors *))
{
  const twins *t = &p->biaxial->prediction.twins;
  fprintf(p->report, "| %s |", name);
  for (int way = 0; way < BIAXIAL_WAYS; way++) {
    fputc(' ', p->report);
    fprintf(p->report, format, value(t, &t->errors[way])); /* NOLINT(clang-diagnostic-format-nonliteral) */
    fputs(" |", p->report);
  }
  fputc('\n', p->report);
}

static double mean_share(const twins *t, const twin_errors *e)
{
  return e->sum / t->movements;
}

static double largest_share(const twins *t, const twin_errors *e)
{
  (void)t;
  return e->max;
}

static double largest_size(const twins *t, const twin_errors *e)
{
  return e->size_max * t->movements / t->limit_sum;
}

static double share_above(const twins *t, const twin_errors *e)
{
  return e->above / t->movements;
}

static double mean_of_force(const twins *t, const twin_errors *e)
{
  return e->force_sum / t->movements;
}

static double largest_of_force(const twins *t, const twin_errors *e)
{
  (void)t;
  return e->force_max;
}

static void write_errors(const paper *p)
{
  fprintf(p->report,
          "\nWhat the approximation costs: %.2g movements of %.0f contacts (at first; those born later, too), each "
          "made by an exact history and by approximate ones side by side; the paper's way with two values of "
          "\\|Δp_max\\|, and this project's with two tolerances (docs/theory.md):\n\n"
          "| error of the contact force |",
          p->biaxial->prediction.twins.movements, p->biaxial->prediction.twin_contacts);
  for (int way = 0; way < BIAXIAL_WAYS; way++)
    fprintf(p->report, " %s |", biaxial_ways[way].name);
  fputs("\n|---|---|---|---|---|\n", p->report);
  write_error_row(p, "\\|ΔFt\\| over f Fn, average", "%.2e", mean_share);
  write_error_row(p, "\\|ΔFt\\| over f Fn, largest", "%.4f", largest_share);
  write_error_row(p, "\\|ΔFt\\|, largest, over the average of f Fn", "%.4f", largest_size);
  write_error_row(p, "movements after which \\|ΔFt\\| is more than 0.01 f Fn", "%.1e", share_above);
  write_error_row(p, "\\|ΔF\\| over \\|F\\|, average", "%.2e", mean_of_force);
  write_error_row(p, "\\|ΔF\\| over \\|F\\|, largest", "%.4f", largest_of_force);
}

/* ---- Calibration ------------------------------------------------------------------------------------------------- */

/* A quantity of the table that compares a prediction and a calibrated run, as text. */
typedef void calibration_print(const biaxial_followed *of, FILE *report);

static void print_length(const biaxial_followed *of, FILE *report)
{
  const biaxial_row *top = longest(of);
  fprintf(report, "%.0f (with twins: %.0f)", top->length_mean, top->sample_exact);
}

static void print_sample(const biaxial_followed *of, int way, FILE *report)
{
  const biaxial_row *top = longest(of);
  fprintf(report, "%.0f (%.0f %%)", top->sample[way], 100.0 * top->sample[way] / top->sample_exact);
}

static void print_first_sample(const biaxial_followed *of, FILE *report)
{
  print_sample(of, 0, report);
}

static void print_second_sample(const biaxial_followed *of, FILE *report)
{
  print_sample(of, 1, report);
}

static void print_longest_strain(const biaxial_followed *of, FILE *report)
{
  fprintf(report, "%.2f %%", 100.0 * longest(of)->strain);
}

static void print_longest_contacts(const biaxial_followed *of, FILE *report)
{
  fprintf(report, "%.0f", longest(of)->contacts);
}

static void print_mean_contacts(const biaxial_followed *of, FILE *report)
{
  const size_t rows = biaxial_test_rows(of);
  double sum = 0.0;
  for (size_t k = 0; k < rows; k++)
    sum += of->rows[k].contacts;
  fprintf(report, "%.0f", sum / (double)rows);
}

static void print_peak(const biaxial_followed *of, FILE *report)
{
  const biaxial_row *peak = biaxial_peak(of);
  fprintf(report, "%.2f %% (σzz/σxx = %.2f)", 100.0 * peak->strain, peak->ratio);
}

static void print_peak_width(const biaxial_followed *of, FILE *report)
{
  const double limit = 0.98 * biaxial_peak(of)->ratio;
  size_t first = 0, last = biaxial_test_rows(of) - 1;
  while (first < last && of->rows[first].ratio < limit)
    first++;
  while (last > first && of->rows[last].ratio < limit)
    last--;
  fprintf(report, "%.2f to %.2f %%", 100.0 * of->rows[first].strain, 100.0 * of->rows[last].strain);
}

static void print_dilation(const biaxial_followed *of, FILE *report)
{
  const biaxial_row *last = &of->rows[biaxial_test_rows(of) - 1];
  fprintf(report, "%.2f %%", 100.0 * log((1.0 + last->void_ratio) / (1.0 + of->rows[0].void_ratio)));
}

static void print_void_ratio(const biaxial_followed *of, FILE *report)
{
  fprintf(report, "%.3f", of->rows[0].void_ratio);
}

static void write_calibrated(const paper *p)
{
  static const struct {
    const char *what, *stated;
    calibration_print *print;
  } rows[] = {{"average length at its maximum, exact", "260", print_length},
              {"with \\|Δp_max\\| = 0.10 f", "171 (66 %)", print_first_sample},
              {"with \\|Δp_max\\| = 0.20 f", "107 (41 %)", print_second_sample},
              {"strain at which the maximum falls", "0.5 %", print_longest_strain},
              {"contacts then", "8,700", print_longest_contacts},
              {"contacts on average over the test", "about 8,600", print_mean_contacts},
              {"strain at the peak of the stress", "about 2.5 %", print_peak},
              {"strains between which it is within 2 % of the peak", "", print_peak_width},
              {"increase of volume at the end of the test", "\"intense dilation\"", print_dilation},
              {"void ratio before the test", "\"densely packed\"", print_void_ratio}};
  fputs(
      "\nThe lengths once more, calibrated. The paper does not tell grain sizes, pressure, damping and packing of its "
      "assembly. The prediction above has those of examples/biaxial.yaml: its pressure was chosen for a peak near "
      "the paper's strain, nothing for the lengths. These settings over it\n",
      p->report);
  for (size_t k = 0; paper_calibration[k]; k++)
    fprintf(p->report, "\n    %s", paper_calibration[k]);
  fputs(
      "\n\nwere fitted to the paper's lengths, their strain and the number of contacts (docs/gallery/paper.md has the "
      "scan), so that the column \"calibrated\" is no prediction: it says that settings exist with which the paper's "
      "lengths come out, not that they are the paper's.\n\n"
      "| | the paper | prediction | calibrated |\n|---|---|---|---|\n",
      p->report);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    fprintf(p->report, "| %s | %s | ", rows[k].what, rows[k].stated);
    rows[k].print(&p->biaxial->prediction, p->report);
    fputs(" | ", p->report);
    rows[k].print(&p->biaxial->calibrated, p->report);
    fputs(" |\n", p->report);
  }
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static void write_report(const paper *p)
{
  const biaxial_results *b = p->biaxial;
  paper_compare_head(p);
  write_times(p);
  write_lengths(p);
  write_errors(p);
  fprintf(
      p->report,
      "\nBoth laws run examples/biaxial.yaml (%zu spheres, from the same random positions, each packed with its "
      "own law) in one thread, in turns of 500 steps; times count from the start of the compression. Force time "
      "is the loop that moves the contacts and keeps their forces, by a clock around each batch of them; the "
      "paper took it from gprof. The forces are a larger share of a step here (%.0f and %.0f %%) than in the "
      "paper (%.0f and %.0f %%), so that the two ratios lie nearer to each other; and Jäger's contacts move side by "
      "side in vectors here, those of modified-mindlin one by one. Histories are longer than the "
      "paper's: every step without slip adds a point, so that their length tells how many steps contacts move "
      "without slip, which depends on packing, damping, time step and the smoothness of the motion, and these "
      "are not the paper's; the last table has others. The largest errors over f Fn are those of contacts with hardly "
      "any force, as after "
      "their birth, when one step is much of their history. The followed run and the timed one end in %s.\n",
      b->spheres, 100.0 * b->mindlin.law_seconds / b->mindlin.total_seconds,
      100.0 * b->jager.law_seconds / b->jager.total_seconds, 100.0 * stated_force[0] / stated_total[0],
      100.0 * stated_force[1] / stated_total[1],
      b->prediction.hash == b->hash_timed ? "the same state, bit for bit" : "different states, which is a mistake");
}

static bool make_table(paper_table *table, const char *name, const biaxial_followed *of, const paper *p,
                       error_info *error)
{
  if (!paper_table_open(
          table, name,
          "strain_zz,stress_ratio,contacts,length_mean,length_max,bytes_a_contact,sample_exact,sample_010f,"
          "sample_020f,sample_tolerance_1e_3,sample_tolerance_1e_2,void_ratio",
          error))
    return false;
  fill_table(table, of);
  return paper_table_finish(table, p, error);
}

bool paper_performance_make(const paper *p, error_info *error)
{
  paper_table prediction = {.name = NULL}, calibrated = {.name = NULL};
  bool done = make_table(&prediction, "performance", &p->biaxial->prediction, p, error) &&
              make_table(&calibrated, "performance-calibrated", &p->biaxial->calibrated, p, error);
  if (done) {
    const performance_picture of = {p->biaxial, &prediction, &calibrated};
    paper_section(p, "performance", "the table of computation times and history lengths");
    done = paper_draw(p, "performance", GNUPLOT_WIDE, write_picture, &of, error);
  }
  if (done) {
    write_report(p);
    write_calibrated(p);
  }
  paper_table_free(&calibrated);
  paper_table_free(&prediction);
  return done;
}
