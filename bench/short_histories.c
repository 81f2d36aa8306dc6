/* SPDX-License-Identifier: MIT */
/*
 * bench/short_histories: what the ways to keep histories short save and cost in a case.
 *
 *     short_histories CASE.yaml [KEY=VALUE]...
 *
 * The case runs with exact histories. From the start of its last stage on, one contact in TWIN_SHARE has twins that
 * make the same movements with each of the ways. Told are the means over the contacts of the lengths: when that of the
 * exact ones is largest, its own largest at any time, and the mean over time; the longest of all; the bytes a contact
 * when the exact ones are longest; and the errors of Ft over all movements.
 */
#include "last_stage.h"
#include "paper/twins.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const twin_way ways[] = {{"tolerance 1e-6", 0.0, 1e-6}, {"tolerance 1e-5", 0.0, 1e-5},
                                {"tolerance 1e-4", 0.0, 1e-4}, {"tolerance 1e-3", 0.0, 1e-3},
                                {"tolerance 1e-2", 0.0, 1e-2}, {"tolerance 1e-1", 0.0, 1e-1},
                                {"dp_max 0.10 f", 0.10, 0.0},  {"dp_max 0.20 f", 0.20, 0.0}};

enum { WAYS = sizeof ways / sizeof ways[0], LOOK_STEPS = 100 };

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
  printf("# error: |Ft - exact| over f Fn of all movements; bytes: of the contact and its history\n");
  printf("%-16s %8s %8s %10s %8s %8s %12s %12s %12s\n", "way", "length", "most", "over time", "longest", "bytes",
         "mean error", "largest", "beyond 0.01");
  printf("%-16s %8.1f %8.1f %10.1f %8.0f %8.0f\n", "exact", top->exact, top->exact, top->exact_sum / top->looks,
         top->exact_longest, top->exact_bytes);
  for (int k = 0; k < WAYS; k++)
    printf("%-16s %8.1f %8.1f %10.1f %8.0f %8.0f %12.2e %12.2e %12.1e\n", ways[k].name, top->lengths[k], top->most[k],
           top->sums[k] / top->looks, t->longest[k], top->bytes[k], t->errors[k].sum / t->movements, t->errors[k].max,
           t->errors[k].above / t->movements);
}

/* The last stage, with twins */
static int follow(dem_simulation *s, twins *t, error_info *error)
{
  peak top = {.exact = 0.0};
  double first = (double)dem_simulation_steps(s);
  dem_progress outcome;
  for (long step = 0; (outcome = dem_simulation_step(s, error)) == DEM_GOES_ON; step++)
    if (step % LOOK_STEPS == 0)
      look(s, t, &top);
  if (outcome == DEM_FAILED)
    return fail_with_text(error->text);
  if (t->status != JAGER_OK)
    return fail_with_text(jager_status_text(t->status));
  report(t, &top, first);
  return EXIT_SUCCESS;
}

static int follow_case(const dem_case *run)
{
  error_info error;
  twins t;
  jager_law law;
  int code = EXIT_FAILURE;
  dem_simulation *s = last_stage_begin(run, &law);
  if (!s)
    return code;
  if (twins_init(&t, &law, ways, WAYS) && dem_simulation_follow(s, &t.follower))
    code = follow(s, &t, &error);
  dem_simulation_destroy(s);
  twins_free(&t);
  return code;
}

int main(int argc, char **argv)
{
  run_case run;
  if (argc < 2)
    return fail_with_text("a case is needed: short_histories CASE.yaml [KEY=VALUE]...");
  int code = last_stage_read(&run, argc - 1, argv + 1);
  if (code != EXIT_DONE)
    return code;
  code = follow_case(&run.simulation);
  run_case_free(&run);
  return code;
}
