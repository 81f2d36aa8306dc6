/* SPDX-License-Identifier: MIT */
/*
 * How long `jager run` takes from exec to the end of its first step, for a few spheres: a new run, one from a
 * checkpoint, one from the checkpoint in its own directory, and one that is resumed. Each start is tried until it is
 * quick enough, or TRIES times: a busy machine does not slow down all of them.
 *     start_time PROGRAM [--measure]
 * --measure makes all tries and prints their medians, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LIMIT 0.050   /* s; documented in docs/performance.md */
#define PATIENCE 20.0 /* s, after which a run counts as stuck */
enum { TRIES = 40, MEASURED = 21, ARGUMENTS = 10 };

static const char case_text[] = "jager: 1\n"
                                "material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}\n"
                                "damping: {local: 0.2}\n"
                                "assembly: {%s}\n"
                                "output: {series: 1, plots: false}\n"
                                "stages:\n"
                                "  - name: rest\n"
                                "    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {stress: 100 kPa}}\n"
                                "    until: {steps: 1000000000}\n";

static const char lattice[] = "lattice: {kind: fcc, cells: [2, 2, 2], radius: 0.5 mm, overlap: 1e-4}";

static double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fail(const char *what)
{
  fprintf(stderr, "start_time: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void write_case(const char *name, const char *assembly)
{
  FILE *stream = fopen(name, "w");
  if (!stream || fprintf(stream, case_text, assembly) < 0 || fclose(stream) != 0)
    fail(name);
}

static long long size_of(const char *path)
{
  struct stat status;
  return stat(path, &status) == 0 ? (long long)status.st_size : 0;
}

/* Starts the program with the words of a command line that ends with NULL. */
static pid_t start_program(const char *const words[])
{
  char *copies[ARGUMENTS] = {NULL};
  for (int i = 0; words[i] && i < ARGUMENTS - 1; i++)
    copies[i] = strdup(words[i]);
  pid_t child = fork();
  if (child < 0)
    fail("fork");
  if (child == 0) {
    int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO);
    execv(copies[0], copies);
    _exit(127);
  }
  for (int i = 0; copies[i]; i++)
    free(copies[i]);
  return child;
}

/* Waits until the file has more than `bytes`; returns the time, or gives up if the program has ended. */
static double wait_for_growth(const char *path, long long bytes, pid_t child)
{
  double start = seconds_now();
  int status;
  while (size_of(path) <= bytes) {
    if (waitpid(child, &status, WNOHANG) == child || seconds_now() - start > PATIENCE) {
      fprintf(stderr, "start_time: no step in %s\n", path);
      exit(1);
    }
    nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
  }
  return seconds_now();
}

static void end_program(pid_t child, int signal_number)
{
  int status;
  kill(child, signal_number);
  if (waitpid(child, &status, 0) != child)
    fail("waitpid");
}

/* ---- The kinds of start ------------------------------------------------------------------------------------------ */

typedef struct start_kind {
  const char *name, *case_file, *dir, *option;
  bool keeps_dir; /* as prepare() has left it */
} start_kind;

static const start_kind kinds[] = {
    {"new run", "new.yaml", "new", "--force", false},
    {"from a checkpoint", "from.yaml", "from", "--force", false},
    {"from the checkpoint in its directory", "own.yaml", "own", "--force", true},
    {"--resume", "new.yaml", "stopped", "--resume", true},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static void series_path(const start_kind *kind, char path[64])
{
  snprintf(path, 64, "%s/series.csv", kind->dir);
}

static void run_shell(const char *command)
{
  if (system(command) != 0)
    fail(command);
}

/* Makes the cases, and a directory `stopped` with the files of a run that was stopped. */
static void prepare(const char *program)
{
  write_case("new.yaml", lattice);
  write_case("from.yaml", "checkpoint: stopped/checkpoint.jck");
  write_case("own.yaml", "checkpoint: own/checkpoint.jck");
  const char *words[] = {program, "run", "new.yaml", "-q", "-o", "stopped", NULL};
  pid_t child = start_program(words);
  (void)wait_for_growth("stopped/series.csv", 5000, child);
  end_program(child, SIGTERM);
  run_shell("cp -r stopped saved && cp -r stopped saved-own && rm -f saved-own/series.csv");
}

static void restore(const start_kind *kind)
{
  char command[128];
  const char *from = kind->keeps_dir ? (strcmp(kind->dir, "own") == 0 ? "saved-own" : "saved") : NULL;
  snprintf(command, sizeof command, from ? "rm -rf %s && cp -r %s %s" : "rm -rf %s", kind->dir, from, kind->dir);
  run_shell(command);
}

/* Seconds from before the exec to the end of the first step. */
static double time_start(const char *program, const start_kind *kind)
{
  char series[64];
  const char *words[] = {program, "run", kind->case_file, "-q", "-o", kind->dir, kind->option, NULL};
  restore(kind);
  series_path(kind, series);
  /* A new series has a line of names and one of the start, together less than 1,500 bytes and more than the names. */
  long long before = strcmp(kind->option, "--resume") == 0 ? size_of(series) : 1500;
  double start = seconds_now();
  pid_t child = start_program(words);
  double end = wait_for_growth(series, before, child);
  end_program(child, SIGKILL);
  return end - start;
}

static int compare(const void *left, const void *right)
{
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

static bool try_kind(const char *program, const start_kind *kind, bool measures)
{
  double times[TRIES], best = PATIENCE;
  int count = 0, most = measures ? MEASURED : TRIES;
  while (count < most && (measures || best > LIMIT)) {
    times[count] = time_start(program, kind);
    best = times[count] < best ? times[count] : best;
    count++;
  }
  qsort(times, (size_t)count, sizeof *times, compare);
  printf("%-40s best %6.1f ms, median %6.1f ms of %d\n", kind->name, 1e3 * best, 1e3 * times[count / 2], count);
  return best <= LIMIT;
}

int main(int argc, char *argv[])
{
  char dir[] = "/tmp/jager-start-XXXXXX", command[64];
  bool measures = argc > 2 && strcmp(argv[2], "--measure") == 0, is_quick = true;
  char *program = argc > 1 ? realpath(argv[1], NULL) : NULL;
  if (!program || !mkdtemp(dir) || chdir(dir) != 0)
    fail("cannot begin");
  prepare(program);
  for (int i = 0; i < KINDS; i++)
    is_quick = try_kind(program, &kinds[i], measures) && is_quick;
  snprintf(command, sizeof command, "rm -rf %s", dir);
  run_shell(command);
  free(program);
  if (!is_quick)
    fprintf(stderr, "start_time: a start took more than %.0f ms in each try\n", 1e3 * LIMIT);
  return is_quick ? 0 : 1;
}
