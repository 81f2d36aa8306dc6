/* SPDX-License-Identifier: MIT */
/*
 * There is no system below the module: calls of wasi-libc to it end here and are refused, so that the module has no
 * imports. They come only from code that is never reached: messages to stderr before an abort, environment variables of
 * locales, files.
 */
#include <stdint.h>

#pragma clang diagnostic ignored "-Wunused-parameter"

enum { NOT_SUPPORTED = 52 }; /* __WASI_ERRNO_NOSYS */

#define REFUSE(name, ...)                                                                                              \
  int32_t __imported_wasi_snapshot_preview1_##name(__VA_ARGS__);                                                       \
  int32_t __imported_wasi_snapshot_preview1_##name(__VA_ARGS__)                                                        \
  {                                                                                                                    \
    return NOT_SUPPORTED;                                                                                              \
  }

REFUSE(environ_get, int32_t a, int32_t b)
REFUSE(environ_sizes_get, int32_t a, int32_t b)
REFUSE(fd_close, int32_t a)
REFUSE(fd_seek, int32_t a, int64_t b, int32_t c, int32_t d)
REFUSE(fd_write, int32_t a, int32_t b, int32_t c, int32_t d)

/* The clock stands still: it times the law and chooses the range of neighbour lists, which changes no result. */
int32_t __imported_wasi_snapshot_preview1_clock_time_get(int32_t id, int64_t precision, int32_t at);
int32_t __imported_wasi_snapshot_preview1_clock_time_get(int32_t id, int64_t precision, int32_t at)
{
  *(uint64_t *)(uintptr_t)at = 0;
  return 0;
}

_Noreturn void __imported_wasi_snapshot_preview1_proc_exit(int32_t code);
_Noreturn void __imported_wasi_snapshot_preview1_proc_exit(int32_t code)
{
  __builtin_trap();
}
