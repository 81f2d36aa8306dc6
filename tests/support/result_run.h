/* SPDX-License-Identifier: MIT */
/* Runs with made-up series and snapshots, for tests of result.h5. Define _GNU_SOURCE before any header. */
#ifndef JAGER_TESTS_RESULT_RUN_H
#define JAGER_TESTS_RESULT_RUN_H

#include "assert_ok.h"
#include "files/result.h"
#include "files/describe.h"
#include "files/tables.h"
#include "scratch.h"
#include "snapshots.h"
#include "support.h"

#include <hdf5.h>
#include <stdint.h>

static inline void assert_no_handles(void)
{
  ck_assert_int_eq(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

enum { ROWS = 600, SPHERES = 1000, CONTACTS = 3000 };

static const char input[] = "title: Test\nspheres: 1000 # UTF-8: é\n";

static inline void write_series(const char *dir, int rows)
{
  append_file output;
  ASSERT_OK(series_open(&output, dir, -1, &error));
  for (int i = 0; i < rows; i++) {
    dem_measures measures = {.step = i, .p = 0.25 * i, .q = 1.0 / (i + 1)};
    ASSERT_OK(series_add(&output, &measures, &error));
  }
  ASSERT_OK(append_file_close(&output, &error));
}

static inline bool add_snapshot(const char *dir, long step)
{
  dem_snapshot snapshot = sample_snapshot(step, step == 0 ? 0 : SPHERES, step == 0 ? 0 : CONTACTS);
  bool is_added = result_add_snapshot(dir, &snapshot, &error);
  sample_free(&snapshot);
  return is_added;
}

static inline bool finish(const char *dir)
{
  char title[] = "A run";
  dem_case run = dem_case_default();
  run.title = title;
  run.seed = UINT64_MAX;
  run.stage_count = 2;
  strcpy(run.stages[0].name, "compress");
  strcpy(run.stages[1].name, "shear it");
  result_facts facts = {.run = &run, .input = input, .command = "jager run test.yaml", .threads = 3};
  return result_finish(dir, &facts, &error);
}

/* A whole run with snapshots at steps 0, 100, 200. */
static inline void make_run(const char *dir)
{
  write_series(dir, ROWS);
  ASSERT_OK(result_begin(dir, -1, &error));
  for (long step = 0; step <= 200; step += 100)
    ASSERT_OK(add_snapshot(dir, step));
  ASSERT_OK(finish(dir));
}

enum { SMALL_RUN_SNAPSHOTS = 3 };

/* Snapshots with small tables, which are not compressed, and with large ones; the last one has grains. */
static inline void add_small_snapshots(const char *dir)
{
  for (int k = 1; k <= SMALL_RUN_SNAPSHOTS; k++) {
    dem_snapshot snapshot = sample_snapshot(100L * k, k == 1 ? 20 : 260, k == 1 ? 60 : 300);
    if (k == SMALL_RUN_SNAPSHOTS)
      sample_add_grains(&snapshot);
    ASSERT_OK(result_add_snapshot(dir, &snapshot, &error));
    sample_free(&snapshot);
  }
}

#endif
