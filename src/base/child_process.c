/* SPDX-License-Identifier: MIT */
/* Calling a function in a child process. */
#include "child_process.h"
#include "error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * What the child tells at its end; if it crashed, nothing. The exit status would not do: the parent cannot have it if
 * its program ignores SIGCHLD, or if another thread of it waits for all children.
 */
typedef struct record {
  bool is_done;
  error_info error;
} record;

_Static_assert(sizeof(record) <= PIPE_BUF, "a pipe takes a record at once");

/* HDF5 does not tell errors of files from lack of memory, but malloc sets errno. */
static bool do_work(child_process_work *work, const void *context, error_info *error)
{
  errno = 0;
  bool is_done = work(context, error);
  if (errno == ENOMEM)
    return error_out_of_memory(error);
  return is_done;
}

/* ---- Making a child ---------------------------------------------------------------------------------------------- */

/*
 * HDF5 works for one thread at a time. Where no child can be made, its work is done here, by one thread, and no other
 * makes a child meanwhile.
 */
static pthread_mutex_t work_here = PTHREAD_MUTEX_INITIALIZER;

static bool do_work_here(child_process_work *work, const void *context, error_info *error)
{
  pthread_mutex_lock(&work_here);
  bool is_done = do_work(work, context, error);
  pthread_mutex_unlock(&work_here);
  return is_done;
}

/* A child of a process with threads may wait for ever for a lock of the thread sanitizer itself: there is none then. */
static pid_t fork_unless_sanitized(void)
{
#ifdef __SANITIZE_THREAD__
  errno = EAGAIN;
  return -1;
#else
  return fork();
#endif
}

static pid_t make_child(void)
{
  pthread_mutex_lock(&work_here);
  pid_t child = fork_unless_sanitized();
  int reason = errno;
  pthread_mutex_unlock(&work_here); /* in both processes: the child has a copy of the thread that holds it */
  errno = reason;
  return child;
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

int child_process_start(void)
{
  pid_t child = make_child();
  if (child == 0)
    close_all_from(STDERR_FILENO + 1);
  return (int)child;
}

/* ---- In the child ------------------------------------------------------------------------------------------------ */

/* HDF5 may call exit(): the streams and open files of the parent must not be flushed by its copy. */
static void leave_at_once(void)
{
  _exit(EXIT_FAILURE);
}

/*
 * The child, which never returns. Its stderr is closed: HDF5 prints internal errors there. What the parent had not yet
 * written to stdout is forgotten: the parent writes it.
 */
static void work_as_child(child_process_work *work, const void *context, int output, int pipe_end, pid_t parent)
{
  record end = {.is_done = false};
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* a child must not outlive a run that is killed */
  if (getppid() != parent)
    _exit(EXIT_FAILURE);
  int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nothing >= 0)
    dup2(nothing, STDERR_FILENO);
  __fpurge(stdout);
  if (dup2(output >= 0 ? output : nothing, STDOUT_FILENO) < 0 || atexit(leave_at_once) != 0)
    _exit(EXIT_FAILURE);
  end.is_done = do_work(work, context, &end.error);
  fflush(stdout);
  (void)!write(pipe_end, &end, sizeof end);
  _exit(end.is_done ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* ---- In the parent ----------------------------------------------------------------------------------------------- */

/* Copies the output of the child to stdout. Write errors stay with stdout until it is closed. */
static void pass_output(int pipe_end)
{
  char bytes[4096];
  ssize_t size;
  while ((size = read(pipe_end, bytes, sizeof bytes)) > 0 || (size < 0 && errno == EINTR))
    if (size > 0)
      (void)!fwrite(bytes, 1, (size_t)size, stdout);
}

static bool read_record(int pipe_end, record *end)
{
  ssize_t size;
  while ((size = read(pipe_end, end, sizeof *end)) < 0 && errno == EINTR)
    continue;
  return size == (ssize_t)sizeof *end;
}

/* Where the exit status cannot be had, waitpid fails with ECHILD, but also after the end of the child only. */
static void wait_for(pid_t child)
{
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
    continue;
}

/*
 * The record is read after the end of the child, and without waiting: children of other threads may hold the other end
 * of the pipe for a while.
 */
static bool conclude(pid_t child, int pipe_end, const char *verb, const char *path, error_info *error)
{
  record end;
  wait_for(child);
  if (read_record(pipe_end, &end)) {
    if (!end.is_done)
      *error = end.error;
    return end.is_done;
  }
  return error_set_memory(error, "cannot %s %s: HDF5 failed, perhaps because memory was short", verb, path);
}

static void close_both(const int ends[2])
{
  close(ends[0]);
  close(ends[1]);
}

bool child_process_do(child_process_work *work, const void *context, const char *verb, const char *path,
                      error_info *error)
{
  int ends[2];
  pid_t self = getpid();
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
    return do_work_here(work, context, error);
  pid_t child = make_child();
  if (child == 0)
    work_as_child(work, context, -1, ends[1], self);
  bool is_done = child > 0 ? conclude(child, ends[0], verb, path, error) : do_work_here(work, context, error);
  close_both(ends);
  return is_done;
}

bool child_process_print(child_process_work *work, const void *context, const char *verb, const char *path,
                         error_info *error)
{
  int ends[2], output[2];
  pid_t self = getpid();
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
    return do_work_here(work, context, error);
  if (pipe2(output, O_CLOEXEC) != 0) {
    close_both(ends);
    return do_work_here(work, context, error);
  }
  pid_t child = make_child();
  if (child == 0)
    work_as_child(work, context, output[1], ends[1], self);
  close(output[1]);
  if (child > 0)
    pass_output(output[0]);
  close(output[0]);
  bool is_done = child > 0 ? conclude(child, ends[0], verb, path, error) : do_work_here(work, context, error);
  close_both(ends);
  return is_done;
}
