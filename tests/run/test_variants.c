/* SPDX-License-Identifier: MIT */
/*
 * Lists of runs: which files of their members are kept, and which are replaced; how their results are printed.
 *
 * Oracles: the files before, byte by byte; lines written by hand.
 */
#include "run_support.h"

#include <math.h>
#include <sys/stat.h>

FIXTURE_EACH(make_directory, remove_directory)

static const char *const members[] = {"jager", "hertz-mindlin"};

static const char *in_member(int member, const char *name)
{
  static char path[300];
  snprintf(path, sizeof path, "list/%s/%s", members[member], name);
  return path;
}

static run_variants_report execute(run_settings settings, const run_watcher *watcher)
{
  run_variants_report report = execute_list(settings, 3, watcher);
  run_variants_report_free(&report);
  return report;
}

static void assert_text(int member, const char *name, const char *expected)
{
  size_t size;
  char *text = scratch_read(directory, in_member(member, name), &size);
  ck_assert_msg(strcmp(text, expected) == 0, "%s of %s has changed", name, members[member]);
  free(text);
}

/* Writes a file of another run when the first member has begun. */
static void write_series(void *context, const progress_state *state, bool ended)
{
  bool *is_written = context;
  (void)state;
  (void)ended;
  if (*is_written)
    return;
  *is_written = true;
  mkdir(scratch_path(directory, "list"), 0777);
  mkdir(scratch_path(directory, "list/hertz-mindlin"), 0777);
  scratch_write(directory, "list/hertz-mindlin/series.csv", "precious", 8);
}

TEST(files_that_appear_meanwhile_stay)
{
  bool is_written = false;
  run_watcher watcher = {.context = &is_written, .progress = write_series};
  run_variants_report report = execute((run_settings){.dir = NULL}, &watcher);
  ck_assert_int_eq(report.ending, RUN_REFUSED);
  ck_assert_msg(strstr(report.error.text, "list/hertz-mindlin/series.csv exists already") != NULL, "%s",
                report.error.text);
  ck_assert_int_eq(report.done, 1);
  assert_text(1, "series.csv", "precious");
}

/*
 * Completed runs are replaced only by force. A file that this case does not write shows whether a member has been
 * cleared.
 */
TEST(members_are_replaced_by_force_only)
{
  const run_watcher nobody = {.context = NULL};
  run_variants_report report = execute((run_settings){.dir = NULL}, &nobody);
  ck_assert_msg(report.ending == RUN_COMPLETED && report.done == 2, "%s", report.error.text);
  for (int k = 0; k < 2; k++)
    scratch_write(directory, in_member(k, "cycles.csv"), "old", 3);
  report = execute((run_settings){.dir = NULL}, &nobody);
  ck_assert_int_eq(report.ending, RUN_REFUSED);
  ck_assert_ptr_nonnull(strstr(report.error.text, "list/jager/checkpoint.jck exists already"));
  ck_assert_int_eq(report.error.code, ERROR_RUN_RESUMABLE);
  for (int k = 0; k < 2; k++)
    assert_text(k, "cycles.csv", "old");
  report = execute((run_settings){.force = true}, &nobody);
  ck_assert_msg(report.ending == RUN_COMPLETED && report.done == 2, "%s", report.error.text);
  for (int k = 0; k < 2; k++)
    ck_assert(!scratch_has(directory, in_member(k, "cycles.csv")));
}

/* A member with either of its two checkpoints continues; the other member has none, and begins again. */
TEST(members_without_a_checkpoint_begin_again)
{
  const run_watcher nobody = {.context = NULL};
  for (int older = 0; older < 2; older++) {
    char place[300];
    size_t size;
    run_variants_report report = execute((run_settings){.force = older > 0}, &nobody);
    ck_assert_int_eq(report.ending, RUN_COMPLETED);
    char *kept = scratch_read(directory, in_member(1, "series.csv"), &size);
    for (int k = 0; k < 2; k++)
      scratch_write(directory, in_member(k, "cycles.csv"), "old", 3);
    scratch_write(directory, in_member(1, "series.csv"), "half", 4);
    remove(scratch_path(directory, in_member(1, "checkpoint.jck")));
    remove(scratch_path(directory, in_member(1, "checkpoint-before.jck")));
    snprintf(place, sizeof place, "%s", scratch_path(directory, in_member(0, "checkpoint-before.jck")));
    if (older > 0)
      ck_assert_int_eq(rename(scratch_path(directory, in_member(0, "checkpoint.jck")), place), 0);
    report = execute((run_settings){.resume = true}, &nobody);
    ck_assert_msg(report.ending == RUN_COMPLETED && report.done == 2, "%s", report.error.text);
    assert_text(0, "cycles.csv", "old");
    ck_assert(!scratch_has(directory, in_member(1, "cycles.csv")));
    assert_text(1, "series.csv", kept);
    free(kept);
  }
}

/* ---- Printing ---------------------------------------------------------------------------------------------------- */

static reduction_row reductions[] = {
    {"jager", 1, 1e-5, 1.5e8, 1.0, 0.012, 0.0034, 0.0154, 0.00056, 0.0002, 0.0, 1.5e3, 0.61},
    {"jager", 1, 2e-4, 6e7, 0.4, 0.1, 0.2, 0.3, NAN, 0.0, REDUCTION_DOUBT_NUMERICAL, 1.2e4, 0.62},
    {"jager", 1, 2e-4, 6e7, 0.4, 0.1, 0.0, 0.1, NAN, 0.0, REDUCTION_DOUBT_TOLERANCE, 1.2e4, 0.62},
    {"linear", 2, 2e-4, 6e7, 0.4, 0.1, 0.0, 0.1, 0.05, 0.0, REDUCTION_DOUBT_TOLERANCE, 1.2e4, 0.62},
};
static resistance_row resistances[] = {
    {"jager", 0.25, 0.1, 0.0, 3.25, 3.25, NAN, 3.5, 0.97, 0.02, 0.6},
    {"zhang-vuquoc", 0.6, 0.0, 1.0, NAN, NAN, NAN, 0.125, 0.4, 0.05, 0.6},
};

static const char reductions_text[] =
    "model                  gamma    G (MPa)   G/Gmax    D (%)  numerical  tolerance\n"
    "jager                  1e-05        150   1.0000      1.2       0.34      0.056\n"
    "jager                 0.0002         60   0.4000       10         20        nan D means nothing: more than a "
    "third of the loop is numerical\n"
    "jager                 0.0002         60   0.4000       10          0        nan the error of D by dp_max is "
    "unknown\n"
    "linear                0.0002         60   0.4000       10          0          5 D may be too small: the tolerance "
    "may cost more than a third\n";
static const char resistances_text[] =
    "model                  CSR   static   cycles to r_u       to 3.75 %     cycles done\n"
    "jager                 0.25    0.100            3.25               -            3.50\n"
    "zhang-vuquoc           0.6    0.000                    flow failure            0.12\n";
static const char second_reduction_json[] =
    ", {\"model\": \"jager\", \"test\": 1, \"gamma\": 0.00020000000000000001, \"shear_modulus\": 60000000, "
    "\"modulus_ratio\": 0.40000000000000002, \"damping_ratio\": 0.10000000000000001, \"damping_ratio_numerical\": "
    "0.20000000000000001, \"damping_ratio_loop\": 0.29999999999999999, \"damping_ratio_tolerance\": null, "
    "\"damping_ratio_residual\": 0, \"doubtful\": 1, \"stress_amplitude\": 12000, \"void_ratio\": "
    "0.62}";
static const char resistances_json[] =
    "\"resistance\": [{\"model\": \"jager\", \"csr\": 0.25, \"static_stress_ratio\": 0.10000000000000001, "
    "\"flow_failure\": 0, \"cycles\": 3.25, \"cycles_r_u\": 3.25, \"cycles_strain\": null, \"cycles_done\": 3.5, "
    "\"r_u_max\": 0.96999999999999997, \"strain_max\": 0.02, \"void_ratio\": "
    "0.59999999999999998}, {\"model\": \"zhang-vuquoc\", ";

/* The text, or JSON, of a report with so many rows. */
static char *printed(size_t reduction_count, size_t resistance_count, bool is_json)
{
  run_variants_report report = {.ending = RUN_COMPLETED,
                                .count = 7,
                                .doubts = 3,
                                .reduction_count = reduction_count,
                                .resistance_count = resistance_count,
                                .reductions = reductions,
                                .resistances = resistances};
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  ck_assert_ptr_nonnull(out);
  (is_json ? run_variants_print_json : run_variants_print)(&report, "here \"and there\"", out);
  ck_assert_int_eq(fclose(out), 0);
  return text;
}

TEST(results_are_printed)
{
  char expected[2000];
  for (int which = 0; which < 4; which++) {
    bool has_reductions = which % 2 != 0, has_resistances = which / 2 != 0;
    char *text = printed(has_reductions ? 4 : 0, has_resistances ? 2 : 0, false);
    snprintf(expected, sizeof expected, "%s%s7 runs, results in here \"and there\":%s%s\n",
             has_reductions ? reductions_text : "", has_resistances ? resistances_text : "",
             has_reductions ? " reduction.csv" : "", has_resistances ? " resistance.csv" : "");
    ck_assert_str_eq(text, expected);
    free(text);
  }
  char *json = printed(0, 0, true);
  snprintf(expected, sizeof expected,
           "{\"version\": \"%s\", \"directory\": \"here \\\"and there\\\"\", \"runs\": 7, \"warnings\": 3, "
           "\"reduction\": [], \"resistance\": []}\n",
           jager_version());
  ck_assert_str_eq(json, expected);
  free(json);
  json = printed(2, 2, true);
  ck_assert_msg(strstr(json, second_reduction_json) && strstr(json, resistances_json), "%s", json);
  free(json);
}
