/* SPDX-License-Identifier: MIT */
/* Calling a function in a child process. */
#include "child_process.h"
#include "error.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Exit codes of the child. HDF5 exits with other codes. */
enum { DONE = 0, FAILED = 3 };

/* HDF5 does not tell errors of files from lack of memory, but malloc sets errno. */
static bool do_work(child_process_work *work, const void *context, error_info *error)
{
  errno = 0;
  bool is_done = work(context, error);
  if (errno == ENOMEM)
    return error_out_of_memory(error);
  return is_done;
}

/* The child, which never returns. Its stderr is closed: HDF5 prints internal errors there. */
static void work_as_child(child_process_work *work, const void *context, int output, int pipe_end, pid_t parent)
{
  error_info error = {.text = ""};
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* a child must not outlive a run that is killed */
  if (getppid() != parent)
    _exit(FAILED);
  int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nothing >= 0)
    dup2(nothing, STDERR_FILENO);
  if (dup2(output, STDOUT_FILENO) < 0)
    _exit(FAILED);
  bool is_done = do_work(work, context, &error);
  fflush(stdout);
  if (!is_done)
    (void)!write(pipe_end, &error, sizeof error); /* a pipe takes that much at once */
  _exit(is_done ? DONE : FAILED);
}

/* Copies the output of the child to stdout. Write errors stay with stdout until it is closed. */
static void pass_output(int pipe_end)
{
  char bytes[4096];
  ssize_t size;
  while ((size = read(pipe_end, bytes, sizeof bytes)) > 0 || (size < 0 && errno == EINTR))
    if (size > 0)
      (void)!fwrite(bytes, 1, (size_t)size, stdout);
}

static bool read_error(int pipe_end, error_info *error)
{
  ssize_t size;
  while ((size = read(pipe_end, error, sizeof *error)) < 0 && errno == EINTR)
    continue;
  return size == (ssize_t)sizeof *error;
}

static int wait_for(pid_t child)
{
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  return status;
}

bool child_process_do(child_process_work *work, const void *context, const char *verb, const char *path,
                      error_info *error)
{
  int ends[2], output[2];
  pid_t self = getpid();
  if (pipe2(ends, O_CLOEXEC) != 0)
    return do_work(work, context, error);
  if (pipe2(output, O_CLOEXEC) != 0) {
    close(ends[0]);
    close(ends[1]);
    return do_work(work, context, error);
  }
  fflush(NULL); /* else the child would write it again */
  pid_t child = fork();
  if (child == 0)
    work_as_child(work, context, output[1], ends[1], self);
  close(ends[1]);
  close(output[1]);
  pass_output(output[0]);
  close(output[0]);
  bool is_told = child > 0 && read_error(ends[0], error);
  close(ends[0]);
  if (child < 0)
    return do_work(work, context, error);
  int status = wait_for(child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == DONE)
    return true;
  if (is_told && WIFEXITED(status) && WEXITSTATUS(status) == FAILED)
    return false;
  error_set(error, "cannot %s %s: HDF5 failed, perhaps because memory was short", verb, path);
  error->out_of_memory = true;
  return false;
}
