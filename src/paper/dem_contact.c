/* SPDX-License-Identifier: MIT */
/*
 * Figure DEMcontact: the movements of a contact that was born after the peak of the biaxial test and lived to the
 * end.
 */
#include "biaxial.h"
#include "paper.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { ROWS_MAX = 4000 };

/* The number of reversals of a movement, and its range. */
typedef struct movement_range {
  int reversals;
  double low, high;
} movement_range;

static double field_of(const dem_trace_sample *sample, size_t offset)
{
  double value;
  memcpy(&value, (const char *)sample + offset, sizeof value);
  return value;
}

static movement_range range_of(const dem_trace_life *life, size_t offset)
{
  movement_range range = {0, INFINITY, -INFINITY};
  double direction = 0.0;
  for (size_t k = 0; k < life->count; k++) {
    double value = field_of(&life->samples[k], offset);
    double change = k > 0 ? value - field_of(&life->samples[k - 1], offset) : 0.0;
    range.reversals += change * direction < 0.0;
    direction = change != 0.0 ? change : direction;
    range.low = fmin(range.low, value);
    range.high = fmax(range.high, value);
  }
  return range;
}

static void fill_table(paper_table *table, const dem_trace_life *life)
{
  size_t stride = life->count / ROWS_MAX + 1;
  for (size_t k = 0; k < life->count; k += stride) {
    const dem_trace_sample *at = &life->samples[k];
    fprintf(table->stream, "%.6f,%.6g,%.6g,%.6g,%.5g,%.5g,%.5g,%.0f\n", at->strain, at->zeta, at->xi1, at->xi2, at->fn,
            at->ft1, at->ft2, at->length);
  }
}

typedef struct dem_contact_picture {
  const paper_table *table;
  double birth, near[2]; /* strains: at the birth; range of the close-up */
} dem_contact_picture;

static const char *const symbols[3] = {"{/:Italic ζ}", "{/:Italic ξ}_1", "{/:Italic ξ}_2"};

/* A movement over the strain, for the whole life. The range of the close-up is shaded. */
static void write_movement(const dem_contact_picture *of, int movement, FILE *script)
{
  fprintf(script, "set ylabel '%s  (µm)' offset -0.6,0\nset xrange [%.9g:*]\n", symbols[movement], 100.0 * of->birth);
  if (movement == 0)
    fprintf(script, "set title 'all its life' offset 0,-0.4\n");
  else
    fprintf(script, "unset title\n");
  fprintf(script,
          "set object 1 rectangle from first %.9g, graph 0 to first %.9g, graph 1 behind fillcolor rgb '#f3e3b8' "
          "fillstyle solid noborder\n",
          100.0 * of->near[0], 100.0 * of->near[1]);
  fprintf(script, "%s\nplot $trace using (100*$1):(1e6*$%d) with lines lw 1.2 lc rgb '#15396b'\nunset object 1\n",
          movement == 2 ? "set format x '%h'\nset xlabel 'strain {/:Italic ε}_{zz} of the assembly  (%)'"
                        : "set format x ''\nunset xlabel",
          movement + 2);
}

/* One movement over another, for the whole life or in the close-up. */
static void write_path(const dem_contact_picture *of, int across, int up, bool is_near, FILE *script)
{
  fprintf(script, "set xlabel '%s  (µm)' offset 0,0.5\nset ylabel '%s  (µm)' offset -0.6,0\nset format x '%%h'\n",
          symbols[across], symbols[up]);
  if (is_near)
    fprintf(script, "set title 'from near: strains of %.2f to %.2f %%' offset 0,-0.4\n", 100.0 * of->near[0],
            100.0 * of->near[1]);
  else
    fprintf(script, "set title 'its path, all its life' offset 0,-0.4\n");
  fprintf(script, "set xrange [*:*]\nplot $trace using ");
  if (is_near)
    fprintf(script, "($1>=%.9g&&$1<=%.9g?1e6*$%d:NaN)", of->near[0], of->near[1], across + 2);
  else
    fprintf(script, "(1e6*$%d)", across + 2);
  fprintf(script, ":(1e6*$%d) with lines lw 1.0 lc rgb '#7a0c2e'\n", up + 2);
}

static void write_picture(const void *contents, const char *terminal, FILE *script)
{
  const dem_contact_picture *of = contents;
  (void)terminal;
  paper_table_write_block(of->table, "trace", script);
  fprintf(script, "set multiplot\nset key off\nset lmargin at screen 0.085\nset rmargin at screen 0.495\n");
  for (int movement = 0; movement < 3; movement++) {
    fprintf(script, "set tmargin at screen %.3f\nset bmargin at screen %.3f\n", 0.955 - 0.3 * movement,
            0.69 - 0.3 * movement);
    write_movement(of, movement, script);
  }
  fprintf(script, "set lmargin at screen 0.585\nset rmargin at screen 0.97\n");
  for (int row = 0; row < 3; row++) {
    static const struct {
      int across, up;
      bool is_near;
    } paths[3] = {{1, 2, false}, {1, 2, true}, {1, 0, true}};
    fprintf(script, "set tmargin at screen %.3f\nset bmargin at screen %.3f\n", 0.955 - 0.315 * row,
            0.735 - 0.315 * row);
    write_path(of, paths[row].across, paths[row].up, paths[row].is_near, script);
  }
  fprintf(script, "unset multiplot\n");
}

static void write_report(const paper *p)
{
  const biaxial_followed *test = &p->biaxial->prediction;
  const dem_trace_life *life = &test->life;
  const dem_trace_sample *first = &life->samples[0], *last = &life->samples[life->count - 1];
  const size_t offsets[3] = {offsetof(dem_trace_sample, zeta), offsetof(dem_trace_sample, xi1),
                             offsetof(dem_trace_sample, xi2)};
  movement_range ranges[3], length = range_of(life, offsetof(dem_trace_sample, length));
  for (int k = 0; k < 3; k++)
    ranges[k] = range_of(life, offsets[k]);
  paper_compare_head(p);
  paper_compare_row(p, "peak stress at a strain of", "about 2.5 %", "%.2f %%", 100.0 * biaxial_peak(test)->strain);
  paper_compare_row(p, "the contact was born at", "after the peak", "%.2f %%", 100.0 * first->strain);
  paper_compare_row(p, "and was followed through a strain of", "about 5 %", "%.2f %%%s",
                    100.0 * (last->strain - first->strain), life->death < 0 ? ", when the run ended" : "");
  paper_compare_row(p, "reversals of ζ, ξ₁, ξ₂", "a bewildering sequence of loading and unloading in all directions",
                    "%d, %d, %d", ranges[0].reversals, ranges[1].reversals, ranges[2].reversals);
  paper_compare_row(p, "ranges of ζ, ξ₁, ξ₂", "(lost)", "%.2f, %.2f, %.2f µm", 1e6 * (ranges[0].high - ranges[0].low),
                    1e6 * (ranges[1].high - ranges[1].low), 1e6 * (ranges[2].high - ranges[2].low));
  paper_compare_row(p, "longest list of the contact", "often greater than 100", "%.0f points", length.high);
  fprintf(p->report,
          "\nSpheres %u and %u of %zu. The test is examples/biaxial.yaml; after %.0f %% the compression continues "
          "at twice the rate until %.0f %%. Of the contacts born within ± %.2f %% of %.1f %% that live to the "
          "end it is the one whose tangential movement has the smallest range: gross sliding would hide what goes on "
          "at the scale of ζ. Movements are looked at every ten steps, and reversals counted there. The peak is not "
          "where the paper has it: assembly, grain sizes and pressure are others.\n",
          life->ids[0], life->ids[1], p->biaxial->spheres, 100.0 * test->test_strain, 200.0 * test->test_strain,
          100.0 * test->test_strain / 80.0, 70.0 * test->test_strain);
}

bool paper_dem_contact_make(const paper *p, error_info *error)
{
  paper_table table;
  if (!paper_table_open(&table, "DEMcontact", "strain_zz,zeta,xi1,xi2,fn,ft1,ft2,length", error))
    return false;
  const biaxial_followed *test = &p->biaxial->prediction;
  fill_table(&table, &test->life);
  bool done = paper_table_finish(&table, p, error);
  if (done) {
    paper_section(p, "DEMcontact", "movements of a typical contact");
    const double birth = test->life.samples[0].strain, strain = test->test_strain;
    const dem_contact_picture of = {&table, birth, {birth + 0.3 * strain, birth + 0.4 * strain}};
    done = paper_draw(p, "DEMcontact", GNUPLOT_TALL, write_picture, &of, error);
  }
  if (done)
    write_report(p);
  paper_table_free(&table);
  return done;
}
