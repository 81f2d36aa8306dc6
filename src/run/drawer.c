/* SPDX-License-Identifier: MIT */
/* Pictures, drawn by the Python package in a child process. */
#include "drawer.h"
#include "run.h"
#include "base/clock.h"
#include "base/file_system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The child's last words on stdout, with the number of pictures. Its exit code alone may get lost: see run_child. */
static const char last_words[] = "\njager: drawn ";

#define MODULE "jager/_pictures/__main__.py"

bool drawer_is_there(const drawer *of, error_info *error)
{
  char *module = path_in(of->package, MODULE);
  if (!module)
    return error_out_of_memory(error);
  bool has_module = access(module, R_OK) == 0;
  free(module);
  if (!has_module)
    return error_set(error, "the Python package jager is not installed with this program");
  return access(of->python, X_OK) == 0 || error_set_errno(error, "start", of->python);
}

/* ---- Starting the child ------------------------------------------------------------------------------------------ */

/*
 * The environment without variables that could spoil a picture or the child: a locale in which text is not UTF-8, and
 * Python's own settings (PYTHONINSPECT would keep it waiting), but with those that say where packages are. The caller
 * frees the array, not its strings. NULL if there is no memory.
 */
static char **make_environment(void)
{
  static const char *const places[] = {"PYTHONPATH=", "PYTHONHOME=", "PYTHONUSERBASE="};
  size_t count = 0, used = 0;
  while (environ[count])
    count++;
  char **list = malloc((count + 2) * sizeof *list);
  if (!list)
    return NULL;
  list[used++] = "LC_ALL=C.UTF-8";
  for (size_t i = 0; i < count; i++) {
    char *variable = environ[i];
    bool is_kept =
        strncmp(variable, "LC_ALL=", strlen("LC_ALL=")) != 0 && strncmp(variable, "PYTHON", strlen("PYTHON")) != 0;
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
      is_kept = is_kept || strncmp(variable, places[k], strlen(places[k])) == 0;
    if (is_kept)
      list[used++] = variable;
  }
  list[used] = NULL;
  return list;
}

/* Starts the child with these descriptors as stdin, stdout and stderr. Returns an errno, or 0. */
static int spawn(const drawer *of, char *const arguments[], const int ends[3], pid_t *process)
{
  char **environment = make_environment();
  if (!environment)
    return ENOMEM;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigaddset(&defaults, SIGXFSZ);
  sigaddset(&defaults, SIGCHLD);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_init(&actions);
  int reason = 0;
  for (int i = 0; i < 3 && reason == 0; i++)
    reason = posix_spawn_file_actions_adddup2(&actions, ends[i], i);
  if (reason == 0)
    reason = posix_spawn(process, of->python, &actions, &attributes, arguments, environment);
  free(environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return reason;
}

/* ---- The exchange ------------------------------------------------------------------------------------------------ */

typedef struct bytes {
  char *at;
  size_t size, capacity;
} bytes;

/* The pipes to the child, and what came from it. Descriptors are -1 when they are closed. */
typedef struct exchange {
  pid_t process;
  int to, from[2];   /* its stdin; stdout and stderr */
  const char *input; /* the rest that is not yet sent */
  size_t input_left;
  bytes output[2]; /* of stdout and stderr */
  bool is_late;    /* it was ended, because it took too long */
} exchange;

static void close_end(int *end)
{
  if (*end >= 0)
    close(*end);
  *end = -1;
}

/*
 * Writes as much as the pipe takes. If the child has ended and reads no more, its words say why. A closed pipe is an
 * error, not a signal that ends the program: the signal is blocked, and taken away again unless it was there before.
 */
static void send_input(exchange *e)
{
  sigset_t closed_pipe, before, pending;
  sigemptyset(&closed_pipe);
  sigaddset(&closed_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &closed_pipe, &before);
  bool was_pending = sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
  ssize_t written = e->input_left > 0 ? write(e->to, e->input, e->input_left) : 0;
  int reason = errno;
  if (written < 0 && reason == EPIPE && !was_pending)
    (void)sigtimedwait(&closed_pipe, NULL, &(struct timespec){.tv_sec = 0});
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (written < 0 && (reason == EAGAIN || reason == EINTR))
    return;
  if (written > 0) {
    e->input += written;
    e->input_left -= (size_t)written;
  }
  if (written < 0 || e->input_left == 0)
    close_end(&e->to);
}

/* Reads the available bytes, and keeps a NUL behind them. False, with errno, on failure. */
static bool receive(int *end, bytes *to)
{
  enum { BLOCK_SIZE = 1 << 16 };
  if (to->capacity - to->size <= BLOCK_SIZE) {
    size_t capacity = 2 * to->capacity + BLOCK_SIZE + 1;
    char *larger = realloc(to->at, capacity);
    if (!larger) {
      errno = ENOMEM;
      return false;
    }
    to->at = larger;
    to->capacity = capacity;
  }
  ssize_t count = read(*end, to->at + to->size, to->capacity - to->size - 1);
  if (count < 0)
    return errno == EINTR || errno == EAGAIN;
  to->size += (size_t)count;
  to->at[to->size] = '\0';
  if (count == 0)
    close_end(end);
  return true;
}

/* Sends and receives at the same time: pipes are small, and the child may write before it has read everything. */
static bool exchange_all(exchange *e, int seconds_max)
{
  double end = clock_seconds() + seconds_max;
  while (e->from[0] >= 0 || e->from[1] >= 0) {
    struct pollfd ends[] = {
        {.fd = e->from[0], .events = POLLIN}, {.fd = e->from[1], .events = POLLIN}, {.fd = e->to, .events = POLLOUT}};
    double left = end - clock_seconds();
    int ready = poll(ends, 3, left > 0.0 ? (int)(1e3 * left) + 1 : 0);
    if (ready < 0 && errno != EINTR)
      return false;
    if (ready == 0 && clock_seconds() >= end && !e->is_late) {
      e->is_late = true;
      kill(e->process, SIGKILL);
      return true;
    }
    if (ready > 0 && e->to >= 0 && ends[2].revents)
      send_input(e);
    for (int i = 0; ready > 0 && i < 2; i++)
      if (ends[i].revents && !receive(&e->from[i], &e->output[i]))
        return false;
  }
  return true;
}

/* Starts the child between three new pipes. */
static bool start(exchange *e, const drawer *of, char *const arguments[])
{
  int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
  int reason = 0;
  for (int i = 0; i < 3 && reason == 0; i++)
    reason = pipe2(pipes[i], O_CLOEXEC) != 0 ? errno : 0;
  if (reason == 0 && fcntl(pipes[0][1], F_SETFL, O_NONBLOCK) != 0)
    reason = errno;
  if (reason == 0)
    reason = spawn(of, arguments, (const int[3]){pipes[0][0], pipes[1][1], pipes[2][1]}, &e->process);
  close_end(&pipes[0][0]);
  close_end(&pipes[1][1]);
  close_end(&pipes[2][1]);
  e->to = pipes[0][1];
  e->from[0] = pipes[1][0];
  e->from[1] = pipes[2][0];
  errno = reason;
  return reason == 0;
}

/* ---- The end ----------------------------------------------------------------------------------------------------- */

static bool tell_failure(exchange *e, const drawer *of, int status, error_info *error)
{
  bytes *said = &e->output[1];
  if (e->is_late)
    return error_set(error, "Python had not drawn it within %d s",
                     of->seconds_max ? of->seconds_max : DRAWER_SECONDS_MAX);
  while (said->size > 0 && strchr(" \n\r\t", said->at[said->size - 1]))
    said->at[--said->size] = '\0';
  if (said->size > 0) { /* its last line says something */
    const char *end = strrchr(said->at, '\n');
    return error_set(error, "%.300s", end ? end + 1 : said->at);
  }
  if (status >= 0 && WIFSIGNALED(status))
    return error_set(error, "Python was ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return error_set(error, "Python ended with exit code %d, without a message", status >= 0 ? WEXITSTATUS(status) : -1);
}

/*
 * Finds the last words in the output, which then ends before them. Returns the number of pictures; -1: the child has
 * not come to its end.
 */
static long take_last_words(bytes *of)
{
  size_t length = strlen(last_words);
  for (size_t at = of->size >= length ? of->size - length + 1 : 0; at-- > 0;)
    if (memcmp(of->at + at, last_words, length) == 0) {
      long count = strtol(of->at + at + length, NULL, 10);
      of->at[of->size = at] = '\0';
      return count;
    }
  return -1;
}

/*
 * Runs the child with these words, which end with NULL. On success the caller frees the output. Returns the number of
 * pictures; -1: it has failed.
 */
static long run_child(const drawer *of, const char *const words[], const char *input, size_t length, bytes *output,
                      error_info *error)
{
  enum { WORDS_MAX = 16 };
  exchange e = {.process = -1, .to = -1, .from = {-1, -1}, .input = input, .input_left = length};
  char *module = path_in(of->package, MODULE), *arguments[WORDS_MAX] = {"python3", "-W", "ignore", module};
  if (!module) {
    (void)error_out_of_memory(error);
    return -1;
  }
  for (int i = 0; words[i] && i + 5 < WORDS_MAX; i++)
    arguments[i + 4] = (char *)words[i];
  long count = -1;
  if (!start(&e, of, arguments)) {
    (void)error_set_errno(error, "start", of->python);
  } else {
    bool is_whole = exchange_all(&e, of->seconds_max ? of->seconds_max : DRAWER_SECONDS_MAX);
    int reason = errno;
    close_end(&e.to); /* a child that still writes ends by SIGPIPE */
    close_end(&e.from[0]);
    close_end(&e.from[1]);
    int status;
    pid_t ended;
    while ((ended = waitpid(e.process, &status, 0)) < 0 && errno == EINTR)
      continue;
    if (ended != e.process)
      status = -1; /* unknown: the program ignores SIGCHLD, or another thread waits */
    count = is_whole && !e.is_late && e.output[0].at ? take_last_words(&e.output[0]) : -1;
    if (count < 0) {
      errno = reason;
      (void)(is_whole ? tell_failure(&e, of, status, error) : error_set_errno(error, "read from", of->python));
    }
  }
  free(module);
  free(e.output[1].at);
  if (count < 0)
    free(e.output[0].at);
  else
    *output = e.output[0];
  return count;
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

bool drawer_draw_run(const drawer *of, const char *dir, const char *const names[], const run_watcher *watcher)
{
  enum { NAMES_MAX = 8 };
  const char *words[NAMES_MAX + 3] = {"run", dir};
  error_info error = {.text = ""};
  bytes output = {0};
  for (int i = 0; i < NAMES_MAX && names && names[i]; i++)
    words[i + 2] = names[i];
  long count = drawer_is_there(of, &error) ? run_child(of, words, NULL, 0, &output, &error) : -1;
  if (count < 0)
    run_notify(watcher, "no pictures: %s", error.text);
  char *rest = NULL;
  for (char *line = output.at ? strtok_r(output.at, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest))
    run_notify(watcher, "%s", line);
  free(output.at);
  return count > 0;
}

static const char *format_of(const char *path)
{
  static const char *const formats[] = {"png", "svg", "pdf"};
  const char *ending = strrchr(path, '.');
  for (size_t i = 0; ending && i < sizeof formats / sizeof *formats; i++)
    if (strcasecmp(ending + 1, formats[i]) == 0)
      return formats[i];
  return NULL;
}

bool drawer_knows_format(const char *path)
{
  return format_of(path);
}

bool drawer_draw(const drawer *of, const char *what, const char *json, size_t length, whole_file *file,
                 const char *path, error_info *error)
{
  bytes picture = {0};
  error_info reason = {.text = ""};
  if (run_child(of, (const char *const[]){what, format_of(path), NULL}, json, length, &picture, &reason) < 0) {
    error->out_of_memory = reason.out_of_memory;
    return error_set(error, "cannot draw %s: %s", path, reason.text);
  }
  bool is_written = fwrite(picture.at, 1, picture.size, file->stream) == picture.size && whole_file_finish(file);
  is_written = is_written || error_set_errno(error, "write", path);
  free(picture.at);
  return is_written;
}
