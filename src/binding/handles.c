/* SPDX-License-Identifier: MIT */
/* What all handles share: errors, texts, and watches, by which a thread looks at a run in another one and stops it. */
#include "handles.h"
#include "base/build_info.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Errors and texts -------------------------------------------------------------------------------------------- */

void binding_text_free(char *text)
{
  free(text);
}

void binding_error_clear(binding_error *error)
{
  *error = (binding_error){.fault = BINDING_DONE};
}

bool binding_error_set(binding_error *error, binding_fault fault, const char *format, ...)
{
  va_list arguments;
  *error = (binding_error){.fault = fault};
  va_start(arguments, format);
  if (vasprintf(&error->text, format, arguments) < 0)
    error->text = NULL;
  va_end(arguments);
  return false;
}

bool binding_error_memory(binding_error *error)
{
  return binding_error_set(error, BINDING_NO_MEMORY, "not enough memory");
}

bool binding_error_interrupted(binding_error *error)
{
  *error = (binding_error){.fault = BINDING_INTERRUPTED};
  return false;
}

bool binding_error_take(binding_error *error, binding_fault otherwise, const error_info *info)
{
  return binding_error_set(error,
                           info->out_of_memory                 ? BINDING_NO_MEMORY
                           : info->code == ERROR_RUN_EXISTS    ? BINDING_RUN_EXISTS
                           : info->code == ERROR_RUN_RESUMABLE ? BINDING_RUN_RESUMABLE
                                                               : otherwise,
                           "%s", info->text);
}

bool binding_error_take_text(binding_error *error, binding_fault fault, char *text)
{
  if (!text)
    return binding_error_memory(error);
  size_t length = strlen(text);
  if (length > 0 && text[length - 1] == '\n')
    text[length - 1] = '\0';
  *error = (binding_error){.fault = fault, .text = text};
  return false;
}

const char *binding_compiler(void)
{
  return build_compiler();
}

/* ---- Watches ----------------------------------------------------------------------------------------------------- */

typedef struct notice {
  struct notice *next;
  char *text;
} notice;

struct binding_watch {
  atomic_int stop;
  pthread_mutex_t lock; /* of everything below */
  binding_progress progress;
  notice *oldest, *newest;
};

binding_watch *binding_watch_create(void)
{
  binding_watch *watch = calloc(1, sizeof *watch);
  if (watch && pthread_mutex_init(&watch->lock, NULL) != 0) {
    free(watch);
    return NULL;
  }
  return watch;
}

void binding_watch_destroy(binding_watch *watch)
{
  if (!watch)
    return;
  for (char *text; (text = binding_watch_notice(watch));)
    free(text);
  pthread_mutex_destroy(&watch->lock);
  free(watch);
}

void binding_watch_stop(binding_watch *watch)
{
  atomic_store(&watch->stop, 1);
}

binding_progress binding_watch_progress(binding_watch *watch)
{
  pthread_mutex_lock(&watch->lock);
  binding_progress now = watch->progress;
  pthread_mutex_unlock(&watch->lock);
  return now;
}

char *binding_watch_notice(binding_watch *watch)
{
  pthread_mutex_lock(&watch->lock);
  notice *first = watch->oldest;
  watch->oldest = first ? first->next : NULL;
  if (!watch->oldest)
    watch->newest = NULL;
  pthread_mutex_unlock(&watch->lock);
  char *text = first ? first->text : NULL;
  free(first);
  return text;
}

/* A name that is too long is cut between two characters of UTF-8. */
static void copy_name(char *to, size_t size, const char *from)
{
  size_t length = strlen(from);
  if (length >= size) {
    length = size - 1;
    while (length > 0 && (from[length] & 0xC0) == 0x80)
      length--;
  }
  memcpy(to, from, length);
  to[length] = '\0';
}

static void keep_progress(void *context, const progress_state *state, bool stage_ended)
{
  binding_watch *watch = context;
  bool has_runs = state->runs > 0;
  pthread_mutex_lock(&watch->lock);
  binding_progress *now = &watch->progress;
  now->stage = has_runs ? state->runs_done : state->stage;
  now->stage_count = has_runs ? state->runs : state->stage_count;
  now->fraction = stage_ended ? 1.0 : state->fraction;
  now->step = state->step;
  now->contacts = state->contacts;
  copy_name(now->stage_name, sizeof now->stage_name, state->stage_name);
  pthread_mutex_unlock(&watch->lock);
}

/* Without memory the notice is lost. */
static void keep_notice(void *context, const char *text)
{
  binding_watch *watch = context;
  notice *newest = calloc(1, sizeof *newest);
  char *copy = strdup(text);
  if (!newest || !copy) {
    free(newest);
    free(copy);
    return;
  }
  newest->text = copy;
  pthread_mutex_lock(&watch->lock);
  if (watch->newest)
    watch->newest->next = newest;
  else
    watch->oldest = newest;
  watch->newest = newest;
  pthread_mutex_unlock(&watch->lock);
}

run_watcher binding_watch_watcher(binding_watch *watch)
{
  if (!watch)
    return (run_watcher){.context = NULL};
  return (run_watcher){.context = watch, .progress = keep_progress, .notice = keep_notice, .stop = &watch->stop};
}
