/* SPDX-License-Identifier: MIT */
/*
 * Foreign and damaged results and snapshots. Files are damaged at random, from fixed seeds: the damage is reported,
 * or the data are unchanged.
 */
#define _GNU_SOURCE
#include "result_run.h"

FIXTURE_EACH(make_directory, remove_directory)

/* ---- Foreign and damaged files ----------------------------------------------------------------------------------- */

/* Asserts that describing fails with a message that has `part` in it. */
static void assert_not_ours(const char *dir, const char *name, const char *part)
{
  FILE *out = fopen("/dev/null", "w");
  ck_assert(!result_describe(scratch_path(dir, name), false, out, &error));
  ck_assert_msg(strstr(error.text, part) != NULL, "%s", error.text);
  ck_assert_msg(strstr(error.text, name) != NULL, "%s", error.text);
  fclose(out);
  assert_no_handles();
}

TEST(files_that_are_not_results_are_refused)
{
  assert_not_ours(directory, "none", "cannot read ");
  assert_not_ours(directory, ".", "it is not a regular file");
  scratch_write(directory, "empty", "", 0);
  assert_not_ours(directory, "empty", "is not an HDF5 file, or damaged: HDF5 says: ");
  scratch_write(directory, "text", "step,time\n1,2\n", 14);
  assert_not_ours(directory, "text", "is not an HDF5 file, or damaged: HDF5 says: ");
  hid_t file = H5Fcreate(scratch_path(directory, "foreign.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  assert_not_ours(directory, "foreign.h5", "is an HDF5 file, but neither a result nor a snapshot of jager");
}

/* Opens a result, to be changed by plain HDF5. */
static hid_t change_result(const char *dir)
{
  hid_t file = H5Fopen(scratch_path(dir, "result.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
  ck_assert_int_ge(file, 0);
  return file;
}

TEST(missing_parts_of_a_result_are_reported)
{
  make_run(directory);
  hid_t file = change_result(directory);
  H5Adelete_by_name(file, "/snapshots/000000100", "step", H5P_DEFAULT);
  H5Fclose(file);
  assert_not_ours(directory, "result.h5", "is damaged: its snapshot's step and time cannot be read");
  file = change_result(directory);
  H5Ldelete(file, "snapshots", H5P_DEFAULT);
  H5Fclose(file);
  assert_not_ours(directory, "result.h5", "is damaged: its list of snapshots cannot be read");
  file = change_result(directory);
  H5Ldelete(file, "series/q", H5P_DEFAULT);
  H5Fclose(file);
  assert_not_ours(directory, "result.h5", "is damaged: its series/q cannot be read");
  file = change_result(directory);
  H5Ldelete(file, "series", H5P_DEFAULT);
  H5Fclose(file);
  assert_not_ours(directory, "result.h5", "is damaged: its series cannot be read");
  file = change_result(directory);
  long long version = 2;
  hid_t attribute = H5Aopen(file, "format_version", H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_LLONG, &version);
  H5Aclose(attribute);
  H5Fclose(file);
  assert_not_ours(directory, "result.h5", "is of another version of jager: its format is 2, this program reads 1");
}

static uint64_t random_number(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 24;
}

TEST(a_truncated_file_does_not_crash)
{
  size_t size;
  make_run(directory);
  char *bytes = scratch_read(directory, "result.h5", &size);
  for (size_t length = 0; length < size; length += 1 + length / 8) {
    scratch_write(directory, "damaged.h5", bytes, length);
    assert_not_ours(directory, "damaged.h5", "is not an HDF5 file, or damaged: HDF5 says: ");
  }
  free(bytes);
}

/* ---- Damage ------------------------------------------------------------------------------------------------------ */

enum { SMALL_RUN_END = 300, DAMAGES = 260 };

static void make_small_run(const char *dir)
{
  write_series(dir, 20);
  ASSERT_OK(result_begin(dir, -1, &error));
  add_small_snapshots(dir);
  ASSERT_OK(finish(dir));
}

/* One bit, some bytes, a block of zeros, or the end cut off. */
static size_t damage(char *bytes, size_t size, int kind, uint64_t *state)
{
  size_t place = random_number(state) % size;
  if (kind % 8 == 0)
    return place;
  if (kind % 8 == 1)
    memset(bytes + place, 0, size - place < 512 ? size - place : 512);
  else if (kind % 8 == 2)
    for (int k = 0; k < 8; k++)
      bytes[random_number(state) % size] = (char)random_number(state);
  else
    bytes[place] = (char)(bytes[place] ^ 1 << random_number(state) % 8);
  return size;
}

/* Writes the bytes with the damage, which changes at least one of them. */
static void put_damaged(const char *dir, const char *name, const char *bytes, size_t size, int kind, uint64_t *state)
{
  char *copy = malloc(size);
  size_t left;
  do {
    memcpy(copy, bytes, size);
    left = damage(copy, size, kind, state);
  } while (left == size && memcmp(copy, bytes, size) == 0);
  scratch_write(dir, name, copy, left);
  free(copy);
}

static const char *snapshot_name(int k)
{
  static char name[64];
  snprintf(name, sizeof name, "snapshots/%09d.h5", 100 * k);
  return name;
}

/* Asserts that the directory has these files of snapshots. */
static void assert_same_snapshots(const char *dir, char *const expected[], const size_t sizes[], int try)
{
  ck_assert_int_eq(scratch_count(dir, "snapshots"), SMALL_RUN_SNAPSHOTS);
  for (int k = 1; k <= SMALL_RUN_SNAPSHOTS; k++) {
    size_t size;
    char *found = scratch_read(dir, snapshot_name(k), &size);
    ck_assert_msg(size == sizes[k - 1] && memcmp(found, expected[k - 1], size) == 0,
                  "damage %d has passed unnoticed into %s", try, snapshot_name(k));
    free(found);
  }
}

/* Asserts that the error message reports the damage and names the file. */
static void assert_damage_reported(const char *name, int try)
{
  ck_assert_msg(strstr(error.text, name) != NULL, "damage %d: %s", try, error.text);
  ck_assert_msg(strstr(error.text, "damaged") != NULL, "%s", error.text);
}

/* Reads the files of snapshots of a small run. */
static void read_snapshots(const char *dir, char *bytes[], size_t sizes[])
{
  for (int k = 1; k <= SMALL_RUN_SNAPSHOTS; k++)
    bytes[k - 1] = scratch_read(dir, snapshot_name(k), &sizes[k - 1]);
}

static void write_snapshots(const char *dir, char *const bytes[], const size_t sizes[])
{
  (void)mkdir(scratch_path(dir, "snapshots"), 0777);
  for (int k = 1; k <= SMALL_RUN_SNAPSHOTS; k++)
    scratch_write(dir, snapshot_name(k), bytes[k - 1], sizes[k - 1]);
}

static void free_snapshots(char *bytes[])
{
  for (int k = 0; k < SMALL_RUN_SNAPSHOTS; k++)
    free(bytes[k]);
}

/*
 * A result is damaged at random. Resuming from it must fail with a message, or extract the snapshots unchanged, byte by
 * byte.
 */
TEST(damage_of_a_result_does_not_pass)
{
  char *dir = scratch_make(), *snapshots[SMALL_RUN_SNAPSHOTS];
  size_t size, sizes[SMALL_RUN_SNAPSHOTS];
  uint64_t state = 20260701;
  int noticed = 0;
  add_small_snapshots(dir);
  read_snapshots(dir, snapshots, sizes);
  make_small_run(dir);
  char *bytes = scratch_read(dir, "result.h5", &size);
  for (int i = 0; i < DAMAGES; i++) {
    char *copy = scratch_make();
    put_damaged(copy, "result.h5", bytes, size, i, &state);
    if (result_begin(copy, SMALL_RUN_END, &error))
      assert_same_snapshots(copy, snapshots, sizes, i);
    else {
      assert_damage_reported("result.h5", i);
      noticed++;
    }
    scratch_remove(copy);
  }
  printf("of %d damaged results %d were noticed; in the others no snapshot was hurt\n", DAMAGES, noticed);
  ck_assert_int_gt(noticed, DAMAGES / 2);
  free(bytes);
  free_snapshots(snapshots);
  scratch_remove(dir);
}

/* The same for the file of a snapshot: resuming must fail with a message, or the snapshot must be unchanged. */
TEST(damage_of_a_snapshot_does_not_pass)
{
  char *snapshots[SMALL_RUN_SNAPSHOTS];
  size_t sizes[SMALL_RUN_SNAPSHOTS];
  uint64_t state = 20260702;
  int noticed = 0;
  write_series(directory, 3);
  add_small_snapshots(directory);
  read_snapshots(directory, snapshots, sizes);
  for (int i = 0; i < DAMAGES; i++) {
    int k = i / 8 % SMALL_RUN_SNAPSHOTS;
    write_snapshots(directory, snapshots, sizes);
    put_damaged(directory, snapshot_name(k + 1), snapshots[k], sizes[k], i, &state);
    if (result_begin(directory, SMALL_RUN_END, &error)) {
      ASSERT_OK(finish(directory));
      ASSERT_OK(result_begin(directory, SMALL_RUN_END, &error));
      assert_same_snapshots(directory, snapshots, sizes, i);
    } else {
      assert_damage_reported(snapshot_name(k + 1), i);
      noticed++;
    }
  }
  printf("of %d damaged snapshots %d were noticed; in the others nothing was hurt\n", DAMAGES, noticed);
  ck_assert_int_gt(noticed, DAMAGES / 2);
  free_snapshots(snapshots);
}

/* A damaged file is described in part or not at all, without a crash. */
TEST(a_damaged_file_is_described_without_a_crash)
{
  size_t size;
  uint64_t state = 20260703;
  make_small_run(directory);
  char *bytes = scratch_read(directory, "result.h5", &size);
  FILE *out = fopen("/dev/null", "w");
  for (int i = 0; i < DAMAGES; i++) {
    put_damaged(directory, "damaged.h5", bytes, size, i, &state);
    (void)result_describe(scratch_path(directory, "damaged.h5"), i % 2 == 0, out, &error);
    (void)result_print_input(scratch_path(directory, "damaged.h5"), out, &error);
    assert_no_handles();
  }
  fclose(out);
  free(bytes);
}
