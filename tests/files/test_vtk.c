/* SPDX-License-Identifier: MIT */
/*
 * Files for ParaView: their names, the collections after resuming from a checkpoint, and failures. Their format and
 * values are checked by check_vtk.py, an independent reader, in the files that `test_vtk --write DIR` and
 * `--write-grains DIR` write.
 */
#define _GNU_SOURCE
#include "assert_ok.h"
#include "scratch.h"
#include "snapshots.h"
#include "files/vtk.h"

FIXTURE_EACH(make_directory, remove_directory)

static bool try_steps(vtk_output *output, long first, long last, bool has_grains)
{
  bool is_written = true;
  for (long step = first; is_written && step <= last; step += 100) {
    dem_snapshot snapshot = sample_snapshot(step, step == 0 ? 0 : 17, step == 0 ? 0 : 40);
    if (has_grains)
      sample_add_grains(&snapshot);
    is_written = vtk_write(output, &snapshot, &error);
    sample_free(&snapshot);
  }
  return is_written;
}

static void write_steps(vtk_output *output, long first, long last)
{
  ASSERT_OK(try_steps(output, first, last, false));
}

/* Asserts that a collection has these times. */
static void assert_times(const char *dir, const char *collection, const char *expected)
{
  char found[400] = "", *text = scratch_read(dir, collection, NULL);
  for (const char *at = text; (at = strstr(at, "timestep=\""));) {
    at += strlen("timestep=\"");
    strncat(found, at, strcspn(at, "\""));
    strcat(found, " ");
  }
  ck_assert_str_eq(found, expected);
  free(text);
}

TEST(two_files_for_each_snapshot)
{
  vtk_output output;
  ASSERT_OK(vtk_open(&output, directory, -1, &error));
  ck_assert_int_eq(scratch_count(directory, "."), 0);
  write_steps(&output, 0, 300);
  vtk_close(&output);
  ck_assert(scratch_has(directory, "vtk/spheres-000000100.vtp") &&
            scratch_has(directory, "vtk/contacts-000000300.vtp"));
  ck_assert_int_eq(scratch_count(directory, "vtk"), 8);
  assert_times(directory, "spheres.pvd", "0 0.10000000000000001 0.20000000000000001 0.29999999999999999 ");
  assert_times(directory, "contacts.pvd", "0 0.10000000000000001 0.20000000000000001 0.29999999999999999 ");
}

TEST(grains_of_several_spheres_have_files)
{
  vtk_output output;
  ASSERT_OK(vtk_open(&output, directory, -1, &error));
  ASSERT_OK(try_steps(&output, 0, 300, true));
  vtk_close(&output);
  ck_assert_int_eq(scratch_count(directory, "vtk"), 12);
  assert_times(directory, "grains.pvd", "0 0.10000000000000001 0.20000000000000001 0.29999999999999999 ");
  ASSERT_OK(vtk_open(&output, directory, 100, &error));
  vtk_close(&output);
  ck_assert_int_eq(scratch_count(directory, "vtk"), 6);
  assert_times(directory, "grains.pvd", "0 0.10000000000000001 ");
  ASSERT_OK(vtk_open(&output, directory, -1, &error));
  write_steps(&output, 100, 100);
  vtk_close(&output);
  ck_assert_int_eq(scratch_count(directory, "vtk"), 2);
  ck_assert(!scratch_has(directory, "grains.pvd") && scratch_has(directory, "spheres.pvd"));
}

/* A stage that ends without a step writes its snapshot again. */
TEST(a_step_that_is_written_twice_stays_one)
{
  vtk_output output;
  ASSERT_OK(vtk_open(&output, directory, -1, &error));
  write_steps(&output, 500, 500);
  write_steps(&output, 500, 500);
  vtk_close(&output);
  assert_times(directory, "spheres.pvd", "0.5 ");
}

TEST(resuming_drops_later_files)
{
  vtk_output output;
  ASSERT_OK(vtk_open(&output, directory, -1, &error));
  write_steps(&output, 500, 900);
  vtk_close(&output);
  scratch_write(directory, "vtk/spheres-000001000.vtp.tmp-123-0", "half", 4);
  scratch_write(directory, "vtk/mine.vtp", "mine", 4);
  scratch_write(directory, "vtk/spheres-mine.vtp", "mine", 4);
  ck_assert_int_eq(unlink(scratch_path(directory, "contacts.pvd")), 0);
  ASSERT_OK(vtk_open(&output, directory, 750, &error));
  assert_times(directory, "spheres.pvd", "0.5 0.59999999999999998 0.70000000000000007 ");
  assert_times(directory, "contacts.pvd", "0.5 0.59999999999999998 0.70000000000000007 ");
  ck_assert_int_eq(scratch_count(directory, "vtk"), 8);
  ck_assert(scratch_has(directory, "vtk/mine.vtp") && scratch_has(directory, "vtk/spheres-mine.vtp"));
  write_steps(&output, 800, 800);
  vtk_close(&output);
  assert_times(directory, "spheres.pvd", "0.5 0.59999999999999998 0.70000000000000007 0.80000000000000004 ");
}

TEST(resuming_before_the_first_snapshot_leaves_none)
{
  vtk_output output;
  ASSERT_OK(vtk_open(&output, directory, -1, &error));
  write_steps(&output, 100, 200);
  vtk_close(&output);
  ASSERT_OK(vtk_open(&output, directory, 50, &error));
  vtk_close(&output);
  ck_assert(!scratch_has(directory, "spheres.pvd") && !scratch_has(directory, "contacts.pvd"));
  ck_assert_int_eq(scratch_count(directory, "vtk"), 0);
}

TEST(a_new_run_removes_the_old_one)
{
  vtk_output output;
  ASSERT_OK(vtk_open(&output, directory, -1, &error));
  write_steps(&output, 0, 200);
  vtk_close(&output);
  ASSERT_OK(vtk_open(&output, directory, -1, &error));
  write_steps(&output, 100, 100);
  vtk_close(&output);
  ck_assert_int_eq(scratch_count(directory, "vtk"), 2);
  assert_times(directory, "contacts.pvd", "0.10000000000000001 ");
}

TEST(steps_beyond_a_billion_are_kept_in_order)
{
  vtk_output output;
  ASSERT_OK(vtk_open(&output, directory, -1, &error));
  write_steps(&output, 999999900, 1000000000);
  vtk_close(&output);
  ASSERT_OK(vtk_open(&output, directory, 1000000000, &error));
  vtk_close(&output);
  assert_times(directory, "spheres.pvd", "999999.90000000002 1000000 ");
}

/* ---- Failures ---------------------------------------------------------------------------------------------------- */

/* A snapshot cannot be written while no file can be larger than the limit. */
static void assert_fails(vtk_output *output, rlim_t limit, const char *format, const char *dir)
{
  char expected[300];
  dem_snapshot snapshot = sample_snapshot(100, 17, 40);
  scratch_limit_files(limit);
  bool is_written = vtk_write(output, &snapshot, &error);
  scratch_limit_files(RLIM_INFINITY);
  ck_assert(!is_written);
  snprintf(expected, sizeof expected, format, dir);
  ck_assert_str_eq(error.text, expected);
  sample_free(&snapshot);
}

TEST(failures_of_writing_are_reported)
{
  vtk_output output;
  ASSERT_OK(vtk_open(&output, scratch_path(directory, "none"), -1, &error));
  assert_fails(&output, RLIM_INFINITY, "cannot create %s/none/vtk: No such file or directory", directory);
  vtk_close(&output);
  scratch_write(directory, "vtk", "", 0);
  ck_assert(!vtk_open(&output, directory, -1, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "/vtk: Not a directory"));
}

TEST(a_full_disk_is_reported_and_leaves_no_file)
{
  vtk_output output;
  ASSERT_OK(vtk_open(&output, directory, -1, &error));
  assert_fails(&output, 1000, "cannot write %s/vtk/contacts-000000100.vtp: File too large", directory);
  ck_assert_int_eq(scratch_count(directory, "vtk"), 0);
  ck_assert_int_eq(symlink("/dev/full", scratch_path(directory, "vtk/spheres-000000100.vtp")), 0);
  assert_fails(&output, RLIM_INFINITY, "cannot write %s/vtk/spheres-000000100.vtp: No space left on device", directory);
  ck_assert(!scratch_has(directory, "spheres.pvd"));
  vtk_close(&output);
}

TEST(a_contact_without_a_sphere_is_refused)
{
  vtk_output output;
  dem_snapshot snapshot = sample_snapshot(100, 17, 40);
  snapshot.contacts[3].ids[0] = 6;
  ASSERT_OK(vtk_open(&output, directory, -1, &error));
  ck_assert(!vtk_write(&output, &snapshot, &error));
  ck_assert_str_eq(error.text, "contact 3 of the snapshot has no sphere 6");
  sample_free(&snapshot);
  vtk_close(&output);
}

TEST(a_damaged_file_is_reported_when_resuming)
{
  char expected[300];
  vtk_output output;
  static const char *const texts[] = {"", "<VTKFile>", "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">x"};
  ck_assert_int_eq(mkdir(scratch_path(directory, "vtk"), 0777), 0);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    scratch_write(directory, "vtk/spheres-000000007.vtp", texts[i], strlen(texts[i]));
    ck_assert(!vtk_open(&output, directory, 10, &error));
    snprintf(expected, sizeof expected, "%s/vtk/spheres-000000007.vtp is damaged: it has no time", directory);
    ck_assert_str_eq(error.text, expected);
  }
}

/* Writes files for check_vtk.py, of a run that was stopped and resumed. */
static int write_sample(const char *dir, bool has_grains)
{
  vtk_output output = {0};
  bool is_written = vtk_open(&output, dir, -1, &error) && try_steps(&output, 0, 300, has_grains);
  vtk_close(&output);
  is_written = is_written && vtk_open(&output, dir, 100, &error) && try_steps(&output, 200, 200, has_grains);
  vtk_close(&output);
  if (!is_written)
    fprintf(stderr, "test_vtk: %s\n", error.text);
  return is_written ? 0 : 1;
}

int main(int argc, char *argv[])
{
  if (argc == 3 && (strcmp(argv[1], "--write") == 0 || strcmp(argv[1], "--write-grains") == 0))
    return write_sample(argv[2], strcmp(argv[1], "--write") != 0);
  return unit_tests_run();
}
