/* SPDX-License-Identifier: MIT */
/* gnuplot at the end of a pipe. It writes to its stdout, which is the picture's file: no name has to be quoted. */
#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char program[] = "gnuplot";

/* The directory has gnuplot in it; one of no length is the present one. */
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

const char *gnuplot_terminal(const char *path, gnuplot_shape shape)
{
  static const struct {
    const char *ending, *commands[GNUPLOT_SHAPES];
  } terminals[] = {
      {".png", {PNG("1300,650"), PNG("1300,1050")}},
      {".svg", {SVG("1300,650"), SVG("1300,1050")}},
      {".pdf", {PDF("26cm,13cm"), PDF("26cm,21cm")}},
  };
  const char *ending = strrchr(path, '.');
  for (size_t i = 0; ending && i < sizeof terminals / sizeof *terminals; i++)
    if (strcasecmp(ending, terminals[i].ending) == 0)
      return terminals[i].commands[shape];
  return NULL;
}

/*
 * The environment with a locale of UTF-8, in which the script is, and decimal points. Only the array is new, to be
 * freed; NULL if there is no memory.
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

/* Starts the program between two descriptors. Returns an errno, or 0. */
static int spawn(pid_t *process, int input, int output)
{
  char *arguments[] = {"gnuplot", "-d", NULL}; /* -d: whatever the user has in ~/.gnuplot */
  char **environment = environment_in_utf8();
  if (!environment)
    return ENOMEM;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
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

bool gnuplot_start(gnuplot *plot, int picture)
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return false;
  int reason = spawn(&plot->process, ends[0], picture);
  close(ends[0]);
  plot->script = reason == 0 ? fdopen(ends[1], "w") : NULL;
  if (plot->script)
    return true;
  close(ends[1]);
  errno = reason ? reason : errno;
  return false;
}

bool gnuplot_finish(gnuplot *plot)
{
  int status = -1;
  bool written = fflush(plot->script) == 0 && !ferror(plot->script);
  written = fclose(plot->script) == 0 && written;
  while (waitpid(plot->process, &status, 0) < 0 && errno == EINTR)
    continue;
  return written && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
