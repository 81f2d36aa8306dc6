/* SPDX-License-Identifier: MIT */
/* The execution of runs side by side. */
#include "member.h"
#include "base/child_process.h"
#include "base/file_system.h"
#include "directory.h"
#include "files/run_names.h"

#include <errno.h>
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

/* ---- Members ----------------------------------------------------------------------------------------------------- */

bool run_members_create(run_members *of, int count, error_info *error)
{
  *of = (run_members){.shared_bytes = (size_t)count * sizeof(member_state) + sizeof(atomic_int)};
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

void run_members_free(run_members *of)
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
  *of = (run_members){0};
}

/* ---- In the child ------------------------------------------------------------------------------------------------ */

static void note_progress(void *context, const progress_state *state, bool stage_ended)
{
  const run_member *member = context;
  const dem_case *run = &member->run.simulation;
  bool packs = run->assembly.source == DEM_SOURCE_PACKING;
  double done = (double)state->stage - (packs ? 0.0 : 1.0) + (stage_ended ? 1.0 : state->fraction);
  member->state->fraction = done / (double)(run->stage_count + packs);
  member->state->step = state->step;
}

static void note_notice(void *context, const char *text)
{
  const run_member *member = context;
  snprintf(member->state->notice, sizeof member->state->notice, "%s: %s", member->dir, text);
}

/* A run that has written no checkpoint yet starts again. */
static void choose_start(run_settings *settings, const char *dir)
{
  char *last = path_in(dir, RUN_CHECKPOINT), *before = path_in(dir, RUN_CHECKPOINT_BEFORE);
  bool can_resume = last && before && (access(last, F_OK) == 0 || access(before, F_OK) == 0);
  settings->force = settings->force || (settings->resume && !can_resume);
  settings->resume = settings->resume && can_resume;
  free(last);
  free(before);
}

static void execute(run_member *member, const run_settings *of, int threads, const atomic_int *stop)
{
  run_report report;
  run_settings settings = *of;
  settings.dir = member->dir;
  settings.input = member->input;
  settings.threads = threads;
  settings.simulation = NULL;
  choose_start(&settings, member->dir);
  run_watcher watcher = {.context = member, .progress = note_progress, .notice = note_notice, .stop = stop};
  run_execute(&report, &member->run, &settings, &watcher);
  member->state->ending = report.ending;
  member->state->error = report.error;
  if (report.ending == RUN_COMPLETED) {
    member->state->doubts = report.summary.doubts.count;
    member->state->is_nonsense = report.summary.doubts.is_nonsense;
    member->state->fraction = 1.0;
  }
  run_report_free(&report);
  member->state->is_done = true;
}

/* Signals of the terminal go to the parent, which tells the children to stop; a second one would kill them. */
static void work_as_child(run_member *member, const run_settings *settings, int threads, const atomic_int *stop,
                          pid_t parent)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  execute(member, settings, threads, stop);
  _exit(0);
}

/* ---- In the parent ----------------------------------------------------------------------------------------------- */

static bool is_completed(const run_member *member)
{
  return member->state->is_done && member->state->ending == RUN_COMPLETED;
}

static bool may_begin(const run_members *of, const run_member *member)
{
  return !member->has_begun && (member->after < 0 || is_completed(&of->list[member->after]));
}

static bool begin(run_members *of, run_member *member, const run_settings *settings, int threads, error_info *error)
{
  pid_t self = getpid();
  pid_t child = (pid_t)child_process_start();
  if (child == 0)
    work_as_child(member, settings, threads, of->stop, self);
  if (child < 0)
    return error_set_errno(error, "start a process for", member->dir);
  member->process = (int)child;
  member->has_begun = true;
  return true;
}

/* A child that ended without a word has crashed. */
static void note_end(run_member *member, const run_watcher *watcher)
{
  member->process = 0;
  if (*member->state->notice)
    run_notify(watcher, "%s", member->state->notice);
  if (member->state->is_done)
    return;
  member->state->is_done = true;
  member->state->ending = RUN_IO_FAILED;
  error_set_memory(&member->state->error, "the process of the run in %s was ended, perhaps because memory was short",
                   member->dir);
}

/* The number of children that still run. */
static int look_after(run_members *of, const run_watcher *watcher)
{
  int running = 0, status;
  for (int i = 0; i < of->count; i++) {
    run_member *member = &of->list[i];
    if (member->process > 0 && waitpid((pid_t)member->process, &status, WNOHANG) != 0)
      note_end(member, watcher);
    running += member->process > 0;
  }
  return running;
}

static bool has_failed(const run_members *of)
{
  for (int i = 0; i < of->count; i++)
    if (of->list[i].state->is_done && of->list[i].state->ending != RUN_COMPLETED)
      return true;
  return false;
}

static void show_progress(const run_members *of, const run_watcher *watcher, bool is_end)
{
  char name[64];
  int done = 0;
  progress_state state = {.stage_name = name, .runs = of->count};
  for (int i = 0; i < of->count; i++) {
    const member_state *member = of->list[i].state;
    done += is_completed(&of->list[i]);
    state.fraction += member->fraction / (double)of->count;
    state.step += member->step;
  }
  state.runs_done = done;
  snprintf(name, sizeof name, "runs: %d of %d", done, of->count);
  if (watcher->progress)
    watcher->progress(watcher->context, &state, is_end);
}

/* Starts what may start. False if nothing can go on. */
static bool begin_some(run_members *of, const run_settings *settings, int *running, error_info *error)
{
  int jobs = settings->threads > 0 ? settings->threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
  for (int i = 0; i < of->count && *running < jobs; i++)
    if (may_begin(of, &of->list[i])) {
      int waiting = 0;
      for (int k = 0; k < of->count; k++)
        waiting += may_begin(of, &of->list[k]);
      int side_by_side = *running + waiting < jobs ? *running + waiting : jobs;
      if (!begin(of, &of->list[i], settings, jobs / side_by_side, error))
        return false;
      (*running)++;
    }
  return true;
}

/* The error of a member, with its directory, which errors of files have already. */
static void tell_error(const run_member *member, error_info *error)
{
  const error_info *own = &member->state->error;
  if (strstr(own->text, member->dir))
    *error = *own;
  else
    error_set(error, "%s: %s", member->dir, own->text);
  error->out_of_memory = own->out_of_memory;
}

static run_ending ending_of(const run_members *of, error_info *error)
{
  run_ending ending = RUN_COMPLETED;
  for (int i = 0; i < of->count && ending == RUN_COMPLETED; i++) {
    const member_state *member = of->list[i].state;
    if (!member->is_done || member->ending == RUN_COMPLETED)
      continue;
    ending = member->ending;
    if (ending != RUN_STOPPED)
      tell_error(&of->list[i], error);
  }
  return *of->stop && ending == RUN_COMPLETED ? RUN_STOPPED : ending;
}

run_ending run_members_execute(run_members *of, const run_settings *settings, const run_watcher *watcher,
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
  run_ending ending = can_begin ? ending_of(of, error) : RUN_IO_FAILED;
  show_progress(of, watcher, ending == RUN_COMPLETED);
  return ending;
}
