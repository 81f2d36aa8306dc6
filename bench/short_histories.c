/* SPDX-License-Identifier: MIT */
/*
 * bench/short_histories: what the ways to keep histories short save and cost in a case.
 *
 *     short_histories [--rows FILE.csv] CASE.yaml [KEY=VALUE]...
 *
 * The case runs with exact histories. From the start of its last stage on, one contact in TWIN_SHARE has twins that
 * make the same movements with each of the ways. Printed are, for each way: the mean length over the contacts when
 * the exact ones are longest, its maximum, and its mean over time; the longest history; the bytes a contact when the
 * exact ones are longest; and the errors of Ft over all movements. --rows writes the state of the assembly and
 * the mean lengths every ROW_STEPS steps, for gallery/paper.
 */
#include "last_stage.h"
#include "twins.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const twin_way ways[] = {{"tolerance 1e-6", 0.0, 1e-6}, {"tolerance 1e-5", 0.0, 1e-5},
                                {"tolerance 1e-4", 0.0, 1e-4}, {"tolerance 1e-3", 0.0, 1e-3},
                                {"tolerance 1e-2", 0.0, 1e-2}, {"tolerance 1e-1", 0.0, 1e-1},
                                {"dp_max 0.10 f", 0.10, 0.0},  {"dp_max 0.20 f", 0.20, 0.0}};

enum { WAYS = sizeof ways / sizeof ways[0], LOOK_STEPS = 100, ROW_STEPS = 200 };

/* When the exact histories were longest; and means of the lengths at other times */
typedef struct peak {
  double exact, lengths[WAYS], bytes[WAYS], exact_bytes, exact_longest, steps;
  double looks, sums[WAYS], most[WAYS], exact_sum;
} peak;

static int fail_with_text(const char *text)
{
  fprintf(stderr, "short_histories: %s\n", text);
  return EXIT_FAILURE;
}

static void look(const dem_simulation *s, const twins *t, peak *top)
{
  top->looks++;
  top->exact_sum += t->exact_length / t->count;
  for (int k = 0; k < WAYS; k++) {
    top->sums[k] += t->lengths[k] / t->count;
    top->most[k] = fmax(top->most[k], t->lengths[k] / t->count);
  }
  if (!(t->exact_length > top->exact * t->count))
    return;
  dem_measures m;
  dem_simulation_measure(s, &m);
  top->exact = t->exact_length / t->count;
  top->exact_bytes = m.history_bytes / m.contacts;
  top->exact_longest = m.history_max;
  top->steps = (double)dem_simulation_steps(s);
  for (int k = 0; k < WAYS; k++) {
    top->lengths[k] = t->lengths[k] / t->count;
    top->bytes[k] = (double)sizeof(jager_contact) + (double)jager_pool_bytes_in_use(t->pools[k]) / t->count;
  }
}

static void report(const twins *t, const peak *top, double first)
{
  printf(
      "# mean lengths when the exact ones were longest, %.0f steps into the stage, then when they themselves were, and "
      "over time; %.3g movements with twins\n",
      top->steps - first, t->movements);
  printf("# error: |Ft - exact| over f Fn of all movements; bytes: of the contact and its history\n"
         "# over mean: largest |Ft - exact| over the mean of f Fn; of F: |Ft - exact| over |F|, mean and largest\n");
  printf("%-16s %8s %8s %10s %8s %8s %12s %12s %12s %10s %10s %10s\n", "way", "length", "most", "over time", "longest",
         "bytes", "mean error", "largest", "beyond 0.01", "over mean", "of F", "largest");
  printf("%-16s %8.1f %8.1f %10.1f %8.0f %8.0f\n", "exact", top->exact, top->exact, top->exact_sum / top->looks,
         top->exact_longest, top->exact_bytes);
  for (int k = 0; k < WAYS; k++)
    printf("%-16s %8.1f %8.1f %10.1f %8.0f %8.0f %12.2e %12.2e %12.1e %10.2e %10.2e %10.2e\n", ways[k].name,
           top->lengths[k], top->most[k], top->sums[k] / top->looks, t->longest[k], top->bytes[k],
           t->errors[k].sum / t->movements, t->errors[k].max, t->errors[k].above / t->movements,
           t->errors[k].size_max * t->movements / t->limit_sum, t->errors[k].force_sum / t->movements,
           t->errors[k].force_max);
}

static void write_head(FILE *rows)
{
  fputs("strain_zz,stress_ratio,contacts,length_mean,length_max,bytes_a_contact,void_ratio,exact with twins", rows);
  for (int k = 0; k < WAYS; k++)
    fprintf(rows, ",%s", ways[k].name);
  fputc('\n', rows);
}

static void write_row(const dem_simulation *s, const twins *t, double strain_start, FILE *rows)
{
  dem_measures m;
  dem_simulation_measure(s, &m);
  fprintf(rows, "%.6f,%.6g,%.0f,%.6g,%.0f,%.6g,%.6g,%.6g", m.strain_zz - strain_start, m.stress_zz / m.stress_xx,
          m.contacts, m.history_mean, m.history_max, m.history_bytes / m.contacts, m.void_ratio,
          t->exact_length / t->count);
  for (int k = 0; k < WAYS; k++)
    fprintf(rows, ",%.6g", t->lengths[k] / t->count);
  fputc('\n', rows);
}

/* The last stage, with twins; rows: NULL for none */
static int follow(dem_simulation *s, twins *t, FILE *rows, error_info *error)
{
  peak top = {.exact = 0.0};
  dem_measures start;
  dem_simulation_measure(s, &start);
  double first = (double)dem_simulation_steps(s);
  dem_progress outcome;
  if (rows)
    write_head(rows);
  for (long step = 0; (outcome = dem_simulation_step(s, error)) == DEM_GOES_ON; step++) {
    if (step % LOOK_STEPS == 0)
      look(s, t, &top);
    if (rows && step % ROW_STEPS == 0)
      write_row(s, t, start.strain_zz, rows);
  }
  if (outcome == DEM_FAILED)
    return fail_with_text(error->text);
  if (t->status != JAGER_OK)
    return fail_with_text(jager_status_text(t->status));
  if (rows)
    write_row(s, t, start.strain_zz, rows);
  report(t, &top, first);
  return EXIT_SUCCESS;
}

static int follow_case(const dem_case *run, FILE *rows)
{
  error_info error;
  twins t;
  jager_law law;
  int code = EXIT_FAILURE;
  dem_simulation *s = last_stage_begin(run, &law);
  if (!s)
    return code;
  if (twins_init(&t, &law, ways, WAYS) && dem_simulation_follow(s, &t.follower))
    code = follow(s, &t, rows, &error);
  dem_simulation_destroy(s);
  twins_free(&t);
  return code;
}

int main(int argc, char **argv)
{
  run_case run;
  FILE *rows = NULL;
  const bool has_rows = argc > 2 && strcmp(argv[1], "--rows") == 0;
  const int before = has_rows ? 3 : 1;
  if (argc <= before)
    return fail_with_text("a case is needed: short_histories [--rows FILE.csv] CASE.yaml [KEY=VALUE]...");
  int code = last_stage_read(&run, argc - before, argv + before);
  if (code != EXIT_DONE)
    return code;
  if (has_rows && !(rows = fopen(argv[2], "w")))
    code = fail_with_text("the file of the rows cannot be written");
  else
    code = follow_case(&run.simulation, rows);
  if (rows && fclose(rows) != 0)
    code = fail_with_text("the file of the rows cannot be written");
  run_case_free(&run);
  return code;
}
