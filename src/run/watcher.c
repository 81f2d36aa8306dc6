/* SPDX-License-Identifier: MIT */
/* Notices of a run, and its stop. */
#include "watcher.h"

#include <stdarg.h>
#include <stdio.h>

bool run_is_stopped(const run_watcher *watcher)
{
  return watcher->stop && atomic_load_explicit(watcher->stop, memory_order_relaxed) != 0;
}

void run_notify(const run_watcher *watcher, const char *format, ...)
{
  char text[1000];
  va_list arguments;
  if (!watcher->notice)
    return;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  watcher->notice(watcher->context, text);
}
