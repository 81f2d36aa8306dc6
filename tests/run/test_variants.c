/* SPDX-License-Identifier: MIT */
/*
 * Lists of runs: which files of their members are kept, and which are replaced.
 *
 * Oracles: the files before, byte by byte.
 */
#include "run_support.h"

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
