/* SPDX-License-Identifier: MIT */
/* Runs side by side, each in a child process. */
#include "children.h"
#include "files/result.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAUSE = 20000000 }; /* ns between two looks at the children */

bool child_runs_create(child_runs *of, int count, error_info *error)
{
  *of = (child_runs){.shared_bytes = (size_t)count * sizeof(child_state) + sizeof(atomic_int), .lock = -1};
  of->list = calloc((size_t)count, sizeof *of->list);
  void *shared =
      of->list ? mmap(NULL, of->shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
  if (shared == MAP_FAILED) {
    free(of->list);
    return error_out_of_memory(error);
  }
  of->states = shared;
  of->stop = (atomic_int *)(void *)(of->states + count);
  of->count = count;
  for (int i = 0; i < count; i++)
    of->list[i].state = &of->states[i];
  return true;
}

void child_runs_free(child_runs *of)
{
  for (int i = 0; i < of->count; i++) {
    free(of->list[i].dir);
    free(of->list[i].input);
    free(of->list[i].label);
    free(of->list[i].start);
  }
  free(of->list);
  if (of->states)
    munmap(of->states, of->shared_bytes);
  *of = (child_runs){0};
}

/* ---- In the child ------------------------------------------------------------------------------------------------ */

static void note_progress(void *context, const progress_state *state, bool stage_ended)
{
  const child_run *child = context;
  const dem_case *run = &child->run.simulation;
  bool packs = run->assembly.source == DEM_SOURCE_PACKING;
  double done = (double)state->stage - (packs ? 0.0 : 1.0) + (stage_ended ? 1.0 : state->fraction);
  child->state->fraction = done / (double)(run->stage_count + packs);
  child->state->step = state->step;
}

static void note_notice(void *context, const char *text)
{
  const child_run *child = context;
  char *notices = child->state->notices;
  size_t length = strlen(notices);
  snprintf(notices + length, sizeof child->state->notices - length, "%s: %s\n", child->dir, text);
}

static void close_all_from(int first)
{
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
  if (close_range((unsigned)first, ~0U, 0) == 0)
    return;
#endif
#endif
  enum { LIKELY_MOST = 65536 };
  long most = sysconf(_SC_OPEN_MAX);
  for (int k = first; k < (most > 0 && most < LIKELY_MOST ? (int)most : LIKELY_MOST); k++)
    close(k);
}

/*
 * Executes the run, and ends the process. It keeps only the standard descriptors, so that it holds neither locks nor
 * pipes of others, and the descriptor of the list's lock: if the parent is killed, the directory stays locked until the
 * child is dead, too. Signals of the terminal go to the parent, which stops the children; a second one would kill them.
 */
static void work_as_child(child_run *child, const run_settings *of, int threads, const atomic_int *stop, int lock,
                          pid_t parent)
{
  int first_other = STDERR_FILENO + 1;
  if (lock >= 0 && dup2(lock, first_other) >= 0)
    (void)fcntl(first_other++, F_SETFD, FD_CLOEXEC);
  close_all_from(first_other);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  run_report report;
  run_settings settings = *of;
  settings.dir = child->dir;
  settings.input = child->input;
  settings.threads = threads;
  settings.simulation = NULL;
  settings.may_begin = true; /* a run of the list may have begun without a checkpoint yet, or not at all */
  settings.has_lock = strcmp(child->dir, of->dir) == 0;
  run_watcher watcher = {.context = child, .progress = note_progress, .notice = note_notice, .stop = stop};
  run_execute(&report, &child->run, &settings, &watcher);
  child->state->ending = report.ending;
  child->state->error = report.error;
  if (report.ending == RUN_COMPLETED) {
    child->state->doubts = report.summary.doubts.count;
    child->state->is_nonsense = report.summary.doubts.is_nonsense;
    child->state->fraction = 1.0;
  }
  run_report_free(&report);
  child->state->is_done = true;
  _exit(0);
}

/* ---- In the parent ----------------------------------------------------------------------------------------------- */

bool child_is_completed(const child_run *run)
{
  return run->state->is_done && run->state->ending == RUN_COMPLETED;
}

static bool may_begin(const child_runs *of, const child_run *run)
{
  return !run->has_begun && (run->after < 0 || child_is_completed(&of->list[run->after]));
}

/* Starts what may start. False if a process cannot be made. */
static bool begin_some(child_runs *of, const run_settings *settings, int *running, error_info *error)
{
  int jobs = settings->threads > 0 ? settings->threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
  for (int i = 0; i < of->count && *running < jobs; i++) {
    child_run *run = &of->list[i];
    if (!may_begin(of, run))
      continue;
    int waiting = 0;
    for (int k = 0; k < of->count; k++)
      waiting += may_begin(of, &of->list[k]);
    int side_by_side = *running + waiting < jobs ? *running + waiting : jobs;
    pid_t self = getpid();
    result_lock(); /* no other thread is within HDF5 when the process is copied */
    pid_t process = fork();
    result_unlock();
    if (process == 0)
      work_as_child(run, settings, jobs / side_by_side, of->stop, of->lock, self);
    if (process < 0)
      return error_set_errno(error, "start a process for", run->dir);
    run->process = (int)process;
    run->has_begun = true;
    (*running)++;
  }
  return true;
}

/* Takes leave of children that have ended. Returns the number of those that still run. */
static int look_after(child_runs *of, const run_watcher *watcher)
{
  int running = 0, status;
  for (int i = 0; i < of->count; i++) {
    child_run *run = &of->list[i];
    child_state *state = run->state;
    if (run->process > 0 && waitpid((pid_t)run->process, &status, WNOHANG) != 0) {
      run->process = 0;
      const char *notice = state->notices;
      for (size_t length; (length = strcspn(notice, "\n")) > 0; notice += length + (notice[length] == '\n'))
        run_notify(watcher, "%.*s", (int)length, notice);
      if (!state->is_done) { /* it ended without a word: it has crashed */
        state->is_done = true;
        state->ending = RUN_IO_FAILED;
        error_set_memory(&state->error, "the process of the run in %s was ended, perhaps because memory was short",
                         run->dir);
      }
    }
    running += run->process > 0;
  }
  return running;
}

static bool has_failed(const child_runs *of)
{
  for (int i = 0; i < of->count; i++)
    if (of->list[i].state->is_done && of->list[i].state->ending != RUN_COMPLETED)
      return true;
  return false;
}

static void show_progress(const child_runs *of, const run_watcher *watcher, bool is_end)
{
  char name[64];
  progress_state state = {.stage_name = name, .runs = of->count};
  for (int i = 0; i < of->count; i++) {
    const child_state *child = of->list[i].state;
    state.runs_done += child_is_completed(&of->list[i]);
    state.fraction += child->fraction / (double)of->count;
    state.step += child->step;
  }
  snprintf(name, sizeof name, "runs: %d of %d", state.runs_done, of->count);
  if (watcher->progress)
    watcher->progress(watcher->context, &state, is_end);
}

run_ending child_runs_execute(child_runs *of, const run_settings *settings, const run_watcher *watcher,
                              error_info *error)
{
  int running = 0;
  bool can_begin = true;
  do {
    if (run_is_stopped(watcher))
      atomic_store(of->stop, 1);
    if (can_begin && !*of->stop && !has_failed(of))
      can_begin = begin_some(of, settings, &running, error);
    (void)nanosleep(&(struct timespec){.tv_nsec = PAUSE}, NULL);
    running = look_after(of, watcher);
    show_progress(of, watcher, false);
    bool waits = false;
    for (int i = 0; i < of->count; i++)
      waits = waits || may_begin(of, &of->list[i]);
    if (running == 0 && (!waits || *of->stop || has_failed(of) || !can_begin))
      break;
  } while (true);
  run_ending ending = can_begin ? RUN_COMPLETED : RUN_IO_FAILED;
  for (int i = 0; i < of->count && ending == RUN_COMPLETED; i++) {
    const child_run *run = &of->list[i];
    const error_info *own = &run->state->error;
    if (!run->state->is_done || run->state->ending == RUN_COMPLETED)
      continue;
    ending = run->state->ending;
    if (ending == RUN_STOPPED)
      continue;
    if (strstr(own->text, run->dir)) /* errors of files have it already */
      *error = *own;
    else
      error_set(error, "%s: %s", run->dir, own->text);
    error->out_of_memory = own->out_of_memory;
  }
  if (*of->stop && ending == RUN_COMPLETED)
    ending = RUN_STOPPED;
  show_progress(of, watcher, ending == RUN_COMPLETED);
  return ending;
}
