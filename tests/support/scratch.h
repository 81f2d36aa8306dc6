/* SPDX-License-Identifier: MIT */
/* A directory for the files of a test; reading and writing whole files. Define _GNU_SOURCE before any header. */
#ifndef JAGER_TESTS_SCRATCH_H
#define JAGER_TESTS_SCRATCH_H

#include "unit_test.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* A new directory, to be removed with scratch_remove. */
static inline char *scratch_make(void)
{
  const char *base = getenv("TMPDIR");
  char *path;
  ck_assert_int_gt(asprintf(&path, "%s/jager-test-XXXXXX", base ? base : "/tmp"), 0);
  ck_assert_ptr_nonnull(mkdtemp(path));
  return path;
}

static inline int scratch_remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
  (void)status;
  (void)type;
  (void)walk;
  return remove(path);
}

/* Frees the path as well. */
static inline void scratch_remove(char *path)
{
  ck_assert_int_eq(nftw(path, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
  free(path);
}

/* FIXTURE_EACH(make_directory, remove_directory), or FIXTURE_ONCE: `directory` is a scratch directory. */
static char *directory;

static inline void make_directory(void)
{
  directory = scratch_make();
}

static inline void remove_directory(void)
{
  scratch_remove(directory);
}

/* "DIR/name"; the fourth call after reuses the memory. */
static inline const char *scratch_path(const char *dir, const char *name)
{
  static char paths[4][4096];
  static int next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", dir, name);
  return path;
}

static inline int scratch_has(const char *dir, const char *name)
{
  return access(scratch_path(dir, name), F_OK) == 0;
}

/* The whole file with a NUL behind it, to be freed. */
static inline char *scratch_read(const char *dir, const char *name, size_t *size)
{
  FILE *stream = fopen(scratch_path(dir, name), "rb");
  ck_assert_msg(stream != NULL, "%s/%s: %s", dir, name, strerror(errno));
  ck_assert_int_eq(fseek(stream, 0, SEEK_END), 0);
  size_t length = (size_t)ftell(stream);
  rewind(stream);
  char *bytes = malloc(length + 1);
  ck_assert_uint_eq(fread(bytes, 1, length, stream), length);
  bytes[length] = '\0';
  fclose(stream);
  if (size)
    *size = length;
  return bytes;
}

static inline void scratch_write(const char *dir, const char *name, const void *bytes, size_t size)
{
  FILE *stream = fopen(scratch_path(dir, name), "wb");
  ck_assert_ptr_nonnull(stream);
  ck_assert_uint_eq(fwrite(bytes, 1, size, stream), size);
  ck_assert_int_eq(fclose(stream), 0);
}

/* How many names a directory has; 0 if there is none. */
static inline int scratch_count(const char *dir, const char *folder)
{
  int count = 0;
  DIR *stream = opendir(scratch_path(dir, folder));
  for (struct dirent *entry; stream && (entry = readdir(stream));)
    count += entry->d_name[0] != '.';
  if (stream)
    closedir(stream);
  return count;
}

/*
 * From now on no file can grow beyond `bytes`: like a full disk, but with EFBIG. RLIM_INFINITY ends the limit. Check
 * writes each assertion into a file, which is limited, too: assert nothing until the limit has ended.
 */
static inline void scratch_limit_files(rlim_t bytes)
{
  struct rlimit limit;
  signal(SIGXFSZ, SIG_IGN);
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0)
    ck_abort_msg("getrlimit: %s", strerror(errno));
  limit.rlim_cur = bytes;
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
    ck_abort_msg("setrlimit: %s", strerror(errno));
}

#endif
