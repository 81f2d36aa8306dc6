/* SPDX-License-Identifier: MIT */
/*
 * HDF5 functions that fail: the n-th call of those that create, write, read or close, for many n. It is reported, a
 * file that was being written does not appear, no handle stays open, and what was there before is still there.
 *
 * Calls come here by the linker's --wrap. They fail without an error of HDF5's own, so that each must be looked at.
 */
#define _GNU_SOURCE
#include "result_run.h"

#include <hdf5_hl.h>

static long calls_left = -1; /* until one fails; negative: none */
static hid_t created = -1;   /* the dataset or attribute that is being written */

static bool call_fails(void)
{
  return calls_left >= 0 && calls_left-- == 0;
}

#define FAULTY(type, name, parameters, arguments)                                                                      \
  type __real_##name parameters;                                                                                       \
  type __wrap_##name parameters;                                                                                       \
  type __wrap_##name parameters                                                                                        \
  {                                                                                                                    \
    return call_fails() ? -1 : __real_##name arguments;                                                                \
  }
#define FAULTY_CREATION(name, parameters, arguments)                                                                   \
  hid_t __real_##name parameters;                                                                                      \
  hid_t __wrap_##name parameters;                                                                                      \
  hid_t __wrap_##name parameters                                                                                       \
  {                                                                                                                    \
    return created = call_fails() ? -1 : __real_##name arguments;                                                      \
  }

FAULTY_CREATION(H5Acreate2, (hid_t a, const char *b, hid_t c, hid_t d, hid_t e, hid_t f), (a, b, c, d, e, f))
FAULTY_CREATION(H5Dcreate2, (hid_t a, const char *b, hid_t c, hid_t d, hid_t e, hid_t f, hid_t g),
                (a, b, c, d, e, f, g))
FAULTY(hid_t, H5Gcreate2, (hid_t a, const char *b, hid_t c, hid_t d, hid_t e), (a, b, c, d, e))
FAULTY(hid_t, H5Fcreate, (const char *a, unsigned b, hid_t c, hid_t d), (a, b, c, d))
FAULTY(hid_t, H5Fopen, (const char *a, unsigned b, hid_t c), (a, b, c))
FAULTY(herr_t, H5Fflush, (hid_t a, H5F_scope_t b), (a, b))
FAULTY(herr_t, H5Awrite, (hid_t a, hid_t b, const void *c), (a, b, c))
FAULTY(herr_t, H5Aread, (hid_t a, hid_t b, void *c), (a, b, c))
FAULTY(herr_t, H5Dwrite, (hid_t a, hid_t b, hid_t c, hid_t d, hid_t e, const void *f), (a, b, c, d, e, f))
FAULTY(herr_t, H5Dread, (hid_t a, hid_t b, hid_t c, hid_t d, hid_t e, void *f), (a, b, c, d, e, f))
FAULTY(herr_t, H5DSattach_scale, (hid_t a, hid_t b, unsigned c), (a, b, c))
FAULTY(herr_t, H5DSset_scale, (hid_t a, const char *b), (a, b))
FAULTY(herr_t, H5LTread_dataset, (hid_t a, const char *b, hid_t c, void *d), (a, b, c, d))

/* Closes what has been written, and says that this has failed. Other closings do not count. */
int __real_H5Idec_ref(hid_t id);
int __wrap_H5Idec_ref(hid_t id);
int __wrap_H5Idec_ref(hid_t id)
{
  bool counts = id == created;
  if (counts)
    created = -1;
  int left = __real_H5Idec_ref(id);
  return counts && call_fails() ? -1 : left;
}

static char *dir;

/* Does `what` with its call number n failing, and asserts that it reports this; true if there are fewer calls. */
static bool succeeds_at_last(bool (*what)(void), long n)
{
  calls_left = n;
  created = -1;
  error = (error_info){.text = ""};
  bool is_done = what();
  bool has_failed = calls_left < 0;
  calls_left = -1;
  ck_assert_msg(is_done != has_failed, "call %ld has failed, and this is not told", n);
  ck_assert_msg(is_done || error.text[0], "call %ld has failed, and nothing is said", n);
  assert_no_handles();
  return is_done;
}

static bool add_small_snapshot(void)
{
  dem_snapshot snapshot = sample_snapshot(100, 20, 300);
  bool is_added = result_add_snapshot(dir, &snapshot, &error);
  sample_free(&snapshot);
  return is_added;
}

static bool finish_run(void)
{
  return finish(dir);
}

static bool begin_again(void)
{
  return result_begin(dir, 150, &error);
}

TEST(snapshots_appear_when_no_call_has_failed)
{
  long n = 0;
  dir = scratch_make();
  for (; !succeeds_at_last(add_small_snapshot, n); n++)
    ck_assert_int_eq(scratch_count(dir, "snapshots"), 0);
  ck_assert_int_gt(n, 100);
  ck_assert_int_eq(scratch_count(dir, "snapshots"), 1);
  scratch_remove(dir);
}

/* A slice of the calls: there are thousands. */
TEST(results_appear_when_no_call_has_failed)
{
  long n = 0;
  dir = scratch_make();
  write_series(dir, 3);
  add_small_snapshots(dir);
  for (; !succeeds_at_last(finish_run, n); n += 37) {
    ck_assert(!scratch_has(dir, "result.h5"));
    ck_assert_int_eq(scratch_count(dir, "snapshots"), SMALL_RUN_SNAPSHOTS);
  }
  ck_assert_int_gt(n, 1000);
  ck_assert(scratch_has(dir, "result.h5") && !scratch_has(dir, "snapshots"));
  scratch_remove(dir);
}

TEST(a_result_stays_until_its_snapshots_are_copied)
{
  long n = 0;
  dir = scratch_make();
  write_series(dir, 3);
  add_small_snapshots(dir);
  ASSERT_OK(finish(dir));
  for (; !succeeds_at_last(begin_again, n); n += 5) {
    ck_assert(scratch_has(dir, "result.h5"));
    remove(scratch_path(dir, "snapshots/000000100.h5"));
  }
  ck_assert_int_gt(n, 100);
  ck_assert(!scratch_has(dir, "result.h5") && scratch_has(dir, "snapshots/000000100.h5"));
  scratch_remove(dir);
}
