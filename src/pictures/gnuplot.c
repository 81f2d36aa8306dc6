/* SPDX-License-Identifier: MIT */
/*
 * gnuplot runs between two pipes: it reads the script and writes the picture, which is kept in memory. It does not
 * write files itself, because its exit code is 0 even if a write has failed: a full disk would pass unnoticed.
 */
#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char program[] = "gnuplot";

/* True if gnuplot is in the directory. An empty name is the working directory. */
static bool has_program(const char *directory, size_t length)
{
  char path[4096];
  struct stat status;
  if (length >= sizeof path)
    return false;
  int used = snprintf(path, sizeof path, "%.*s%s/%s", (int)length, directory, length ? "" : ".", program);
  return used > 0 && (size_t)used < sizeof path && stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
         access(path, X_OK) == 0;
}

bool gnuplot_is_installed(void)
{
  const char *at = getenv("PATH");
  while (at) {
    size_t length = strcspn(at, ":");
    if (has_program(at, length))
      return true;
    at = at[length] ? at + length + 1 : NULL;
  }
  return false;
}

#define PNG(size) "set terminal pngcairo size " size " font 'DejaVu Sans,12' enhanced background '#ffffff'"
#define SVG(size)                                                                                                      \
  "set terminal svg size " size " font 'DejaVu Sans,Helvetica,Arial,sans-serif,14' enhanced background '#ffffff'"
#define PDF(size)                                                                                                      \
  "set terminal pdfcairo size " size " font 'DejaVu Sans,11' pointscale 0.6 enhanced background '#ffffff'"

/* A format of pictures. The last bytes show that a picture is complete; white space may follow them. */
typedef struct format {
  const char *ending, *commands[GNUPLOT_SHAPES];
  const char *end;
  size_t end_size;
} format;

static const char png_end[] = "IEND\xAE\x42\x60\x82", svg_end[] = "</svg>", pdf_end[] = "%%EOF";

static const format formats[] = {
    {".png", {PNG("1300,650"), PNG("1300,1050")}, png_end, sizeof png_end - 1},
    {".svg", {SVG("1300,650"), SVG("1300,1050")}, svg_end, sizeof svg_end - 1},
    {".pdf", {PDF("26cm,13cm"), PDF("26cm,21cm")}, pdf_end, sizeof pdf_end - 1},
};

static const format *format_of(const char *path)
{
  const char *ending = strrchr(path, '.');
  for (size_t i = 0; ending && i < sizeof formats / sizeof *formats; i++)
    if (strcasecmp(ending, formats[i].ending) == 0)
      return &formats[i];
  return NULL;
}

const char *gnuplot_terminal(const char *path, gnuplot_shape shape)
{
  const format *of = format_of(path);
  return of ? of->commands[shape] : NULL;
}

bool gnuplot_picture_is_whole(const char *path, const char *bytes, size_t size)
{
  const format *of = format_of(path);
  while (size > 0 && strchr(" \n\r\t", bytes[size - 1]) && bytes[size - 1] != '\0')
    size--;
  return of && size >= of->end_size && memcmp(bytes + size - of->end_size, of->end, of->end_size) == 0;
}

/*
 * The environment with a locale of UTF-8, the encoding of the script, and decimal points. The caller frees the array,
 * not its strings. NULL if there is no memory.
 */
static char **environment_in_utf8(void)
{
  size_t count = 0, used = 0;
  while (environ[count])
    count++;
  char **list = malloc((count + 2) * sizeof *list);
  if (!list)
    return NULL;
  list[used++] = "LC_ALL=C.UTF-8";
  for (size_t i = 0; i < count; i++)
    if (strncmp(environ[i], "LC_ALL=", sizeof "LC_ALL=" - 1) != 0)
      list[used++] = environ[i];
  list[used] = NULL;
  return list;
}

/* Starts gnuplot with these descriptors as stdin and stdout. Returns an errno, or 0. */
static int spawn(pid_t *process, int input, int output)
{
  char *arguments[] = {"gnuplot", "-d", NULL}; /* -d: ignore ~/.gnuplot */
  char **environment = environment_in_utf8();
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
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  int reason = posix_spawnp(process, program, &actions, &attributes, arguments, environment);
  free(environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return reason;
}

/* ---- The exchange ------------------------------------------------------------------------------------------------ */

typedef struct exchange {
  int to, from;       /* gnuplot's stdin and stdout; -1: closed */
  const char *script; /* the rest that is not yet sent */
  size_t script_left;
  char *picture; /* the bytes received so far */
  size_t size, capacity;
} exchange;

static void close_end(int *end)
{
  if (*end >= 0)
    close(*end);
  *end = -1;
}

/*
 * write(), but a closed pipe is an error, not a signal that ends the program: the signal is blocked, and taken away
 * again unless it was there before.
 */
static ssize_t write_to_pipe(int end, const char *bytes, size_t size)
{
  sigset_t closed_pipe, before, pending;
  sigemptyset(&closed_pipe);
  sigaddset(&closed_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &closed_pipe, &before);
  bool was_pending = sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
  ssize_t written = write(end, bytes, size);
  int reason = errno;
  if (written < 0 && reason == EPIPE && !was_pending)
    (void)sigtimedwait(&closed_pipe, NULL, &(struct timespec){.tv_sec = 0});
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = reason;
  return written;
}

/* Writes as much as the pipe takes. If gnuplot has ended and reads no more, its exit code tells why. */
static void send_script(exchange *e)
{
  ssize_t written = write_to_pipe(e->to, e->script, e->script_left);
  if (written < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (written > 0) {
    e->script += written;
    e->script_left -= (size_t)written;
  }
  if (written < 0 || e->script_left == 0)
    close_end(&e->to);
}

/* Reads the available bytes. False, with errno, on failure. */
static bool receive_picture(exchange *e)
{
  enum { BLOCK_SIZE = 1 << 16 };
  if (e->capacity - e->size < BLOCK_SIZE) {
    size_t capacity = 2 * e->capacity + BLOCK_SIZE;
    char *larger = realloc(e->picture, capacity);
    if (!larger) {
      errno = ENOMEM;
      return false;
    }
    e->picture = larger;
    e->capacity = capacity;
  }
  ssize_t count = read(e->from, e->picture + e->size, e->capacity - e->size);
  if (count < 0)
    return errno == EINTR || errno == EAGAIN;
  e->size += (size_t)count;
  if (count == 0)
    close_end(&e->from);
  return true;
}

/* Sends and receives at the same time: pipes are small, and gnuplot may write before it has read everything. */
static bool exchange_all(exchange *e)
{
  while (e->from >= 0) {
    struct pollfd ends[] = {{.fd = e->from, .events = POLLIN}, {.fd = e->to, .events = POLLOUT}};
    int ready = poll(ends, 2, -1);
    if (ready < 0 && errno != EINTR)
      return false;
    if (ready > 0 && e->to >= 0 && ends[1].revents)
      send_script(e);
    if (ready > 0 && ends[0].revents && !receive_picture(e))
      return false;
  }
  return true;
}

/* Starts gnuplot between two new pipes. */
static bool start(exchange *e, pid_t *process)
{
  int in[2] = {-1, -1}, out[2] = {-1, -1};
  int reason = pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 || fcntl(in[1], F_SETFL, O_NONBLOCK) != 0
                   ? errno
                   : spawn(process, in[0], out[1]);
  close_end(&in[0]);
  close_end(&out[1]);
  e->to = in[1];
  e->from = out[0];
  if (reason == 0)
    return true;
  close_end(&e->to);
  close_end(&e->from);
  errno = reason;
  return false;
}

static bool is_whole_in_any_format(const exchange *e)
{
  for (size_t i = 0; e->picture && i < sizeof formats / sizeof *formats; i++)
    if (gnuplot_picture_is_whole(formats[i].ending, e->picture, e->size))
      return true;
  return false;
}

/*
 * Waits for the end of gnuplot, and tells whether it succeeded. Its exit status cannot be had if the program ignores
 * SIGCHLD, or if another thread waits for all children. Then a complete picture has to do, though gnuplot may complete
 * a picture after an error in the midst of the script.
 */
static bool has_succeeded(pid_t process, const exchange *e)
{
  int status;
  pid_t ended;
  while ((ended = waitpid(process, &status, 0)) < 0 && errno == EINTR)
    continue;
  return ended == process ? WIFEXITED(status) && WEXITSTATUS(status) == 0 : is_whole_in_any_format(e);
}

bool gnuplot_draw(const char *script, size_t length, char **picture, size_t *size)
{
  exchange e = {.script = script, .script_left = length};
  pid_t process = -1;
  if (!start(&e, &process))
    return false;
  bool is_whole = exchange_all(&e);
  int reason = errno;
  close_end(&e.to);
  close_end(&e.from);
  if (has_succeeded(process, &e) && is_whole) {
    *picture = e.picture;
    *size = e.size;
    return true;
  }
  free(e.picture);
  errno = is_whole ? 0 : reason;
  return false;
}
