/* SPDX-License-Identifier: MIT */
/*
 * A library to be preloaded (LD_PRELOAD, glibc) that makes allocations fail. They are counted from the start of main(),
 * forked children included; the environment chooses those that fail.
 *
 *     JAGER_FAIL_FROM=n      the n-th allocation fails, counted from 1; not set: none
 *     JAGER_FAIL_COUNT=k     and the k-1 after it; not set: 1
 *     JAGER_FAIL_REPORT=FILE when the process ends, the number of allocations is written there
 *
 * Clocks stand still, so that times in files are the same in every run, and nothing is synced to the disk, to save
 * time. Programs that the process starts get memory as usual.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { FROZEN_SECONDS = 1000000000 };

/* Other names of glibc's malloc. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_ullong *allocations; /* shared with forked children */
static atomic_bool is_counting;
static unsigned long long first_failure = ~0ull, failure_count = 1;
static const char *report;
static pid_t counted_process;

/* Also a place for a debugger to stop at. */
__attribute__((noinline)) bool failing_memory_fails(void)
{
  errno = ENOMEM;
  return true;
}

static bool fails(void)
{
  if (!atomic_load_explicit(&is_counting, memory_order_relaxed))
    return false;
  unsigned long long number = atomic_fetch_add_explicit(allocations, 1, memory_order_relaxed) + 1;
  return number >= first_failure && number - first_failure < failure_count && failing_memory_fails();
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

void *malloc(size_t size)
{
  return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
  return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
  return fails() ? NULL : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(old, bytes);
}

void *memalign(size_t alignment, size_t size)
{
  return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
  return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
  void *found = memalign(alignment, size);
  if (!found)
    return ENOMEM;
  *memory = found;
  return 0;
}

/* ---- Clocks ------------------------------------------------------------------------------------------------------ */

time_t time(time_t *now)
{
  if (now)
    *now = FROZEN_SECONDS;
  return FROZEN_SECONDS;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
  (void)clock;
  *now = (struct timespec){.tv_sec = FROZEN_SECONDS};
  return 0;
}

/* ---- Disks ------------------------------------------------------------------------------------------------------- */

int fsync(int file)
{
  (void)file;
  return 0;
}

int fdatasync(int file)
{
  (void)file;
  return 0;
}

/* ---- From main() to the end -------------------------------------------------------------------------------------- */

static void write_report(void)
{
  char text[32];
  int file = getpid() == counted_process && report ? open(report, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
  if (file < 0)
    return;
  int length = snprintf(text, sizeof text, "%llu\n", atomic_load(allocations));
  (void)!write(file, text, (size_t)length);
  close(file);
}

__attribute__((destructor)) static void stop(void)
{
  if (atomic_exchange(&is_counting, false))
    write_report();
}

typedef int main_function(int argc, char *argv[], char *environment[]);
static main_function *true_main;

static int counted_main(int argc, char *argv[], char *environment[])
{
  const char *from = getenv("JAGER_FAIL_FROM"), *count = getenv("JAGER_FAIL_COUNT");
  first_failure = from ? strtoull(from, NULL, 10) : ~0ull;
  failure_count = count ? strtoull(count, NULL, 10) : 1;
  report = getenv("JAGER_FAIL_REPORT");
  counted_process = getpid();
  allocations = mmap(NULL, sizeof *allocations, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (allocations == MAP_FAILED)
    abort();
  unsetenv("LD_PRELOAD");
  atomic_store(&is_counting, true);
  return true_main(argc, argv, environment);
}

typedef int start_function(main_function *, int, char *[], void (*)(void), void (*)(void), void (*)(void), void *);

int __libc_start_main(main_function *program, int argc, char *argv[], void (*begin)(void), void (*end)(void),
                      void (*unload)(void), void *stack);
int __libc_start_main(main_function *program, int argc, char *argv[], void (*begin)(void), void (*end)(void),
                      void (*unload)(void), void *stack)
{
  start_function *true_start;
  *(void **)&true_start = dlsym(RTLD_NEXT, "__libc_start_main");
  true_main = program;
  return true_start(counted_main, argc, argv, begin, end, unload, stack);
}
