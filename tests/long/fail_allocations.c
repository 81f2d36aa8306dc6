/* SPDX-License-Identifier: MIT */
/*
 * What the program does when memory ends. Each command is run many times, and each time another allocation fails
 * (failing_memory.c). The oracle is the undisturbed run: a disturbed one may end with exit code 0 only if everything
 * that it wrote is the same, byte by byte, or if it tells that a picture is missing. Otherwise it must end with exit
 * code 1 and a message; it must not hang.
 *
 * HDF5 and libfyaml may end the program in other ways. Then nothing may be lost: files are whole or absent, and a run
 * that is resumed, or begun again if it has no checkpoint yet, ends as the undisturbed one.
 *
 *     fail_allocations PROGRAM LIBRARY SOURCE_DIR [--every N] [--only SCENARIO] [--all-after]
 *
 * --every N tries each N-th allocation only; --only runs one scenario; with --all-after all allocations fail from the
 * chosen one on, otherwise just that one.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 16, SECONDS_MAX = 600, FAULTS_TOLD = 20, NOT_STARTED = 127 };

/* ---- What is run ------------------------------------------------------------------------------------------------- */

/* Whose memory ends: libraries may end the program; `A_RUN` can then be resumed. */
typedef enum kind { OURS, LIBRARIES, A_RUN } kind;

typedef struct scenario {
  const char *name;
  const char *prepare; /* for the shell: makes the directory `before`; NULL: it is not there */
  const char
      *arguments[ARGUMENTS_MAX]; /* of the program, which writes to the directory `out`, first a copy of `before` */
  unsigned stride;               /* each so-many-th allocation only, where there are many */
  kind kind;
} scenario;

#define RUN "run", "case.yaml", "--quiet", "-o", "out"
#define ONE_THREAD "--threads", "1"
#define EARLIER_RUN "\"$PROGRAM\" run case.yaml --quiet --threads 1 -o before > stdout"
#define STOPPED_RUN EARLIER_RUN " && cp before/checkpoint-before.jck before/checkpoint.jck"

static const scenario scenarios[] = {
    {"check", NULL, {"check", "case.yaml"}, 1, LIBRARIES},
    {"run", NULL, {RUN, ONE_THREAD}, 41, A_RUN},
    {"run-packing", NULL, {"run", "packing.yaml", "--quiet", "-o", "out", ONE_THREAD}, 41, A_RUN},
    {"run-target",
     NULL,
     {"run", "packing.yaml", "--quiet", "-o", "out", ONE_THREAD, "--set", "checkpoint.steps=0", "--set",
      "assembly.packing.relative_density=0.5", "--set", "assembly.packing.pressure=10 MPa", "--set",
      "stages.0.control.xx.stress=10 MPa"},
     97,
     A_RUN},
    {"run-threads", NULL, {RUN, "--threads", "2"}, 97, A_RUN},
    {"run-pictures", NULL, {RUN, ONE_THREAD, "--set", "output.plots=true"}, 97, A_RUN},
    {"run-lists", NULL, {"run", "lists.yaml", "--quiet", "-o", "out", ONE_THREAD}, 997, A_RUN},
    {"resume", STOPPED_RUN, {RUN, ONE_THREAD, "--resume"}, 41, A_RUN},
    {"from-checkpoint",
     EARLIER_RUN,
     {RUN "/new", ONE_THREAD, "--set", "assembly={checkpoint: out/checkpoint.jck}"},
     41,
     A_RUN},
    {"info-result", EARLIER_RUN, {"info", "out/result.h5"}, 41, LIBRARIES},
    {"info-input", EARLIER_RUN, {"info", "--input", "out/result.h5"}, 7, LIBRARIES},
    {"info-checkpoint", EARLIER_RUN, {"info", "out/checkpoint.jck"}, 1, OURS},
    {"moduli",
     EARLIER_RUN,
     {"moduli", "out", "case.yaml", "--quiet", ONE_THREAD, "-o", "out/moduli.csv"},
     1,
     LIBRARIES},
    {"moduli-plot",
     EARLIER_RUN,
     {"moduli", "out", "case.yaml", "--quiet", ONE_THREAD, "--plot", "out/moduli.svg"},
     5,
     LIBRARIES},
    {"shape", NULL, {"shape", "clump.csv"}, 1, OURS},
    {"contact",
     "mkdir before",
     {"contact", "path.csv", "--history", "out/history.csv", "--tractions", "out/t.csv"},
     1,
     OURS},
    {"contact-force", NULL, {"contact", "forces.csv", "--control", "force", "--friction", "0.5"}, 1, OURS},
    {"contact-plot", "mkdir before", {"contact", "path.csv", "--plot", "out/picture.svg"}, 1, OURS},
    {"contact-laws",
     "mkdir before",
     {"contact", "path.csv", "--model", "jager,springs,zhang-vuquoc", "--springs", "32", "--plot", "out/picture.svg"},
     1,
     OURS},
    {"impact",
     NULL,
     {"impact", "--psi", "0.5,2:6:2", "--model", "jager,springs", "--springs", "32", "--steps", "50"},
     1,
     OURS},
    {"impact-plot", "mkdir before", {"impact", "--psi", "1,2", "--steps", "50", "--plot", "out/picture.svg"}, 1, OURS},
};

enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static const char case_head[] = "jager: 1\n"
                                "title: Memory ends\n"
                                "seed: 7\n"
                                "material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}\n"
                                "damping: {local: 0.2}\n"
                                "checkpoint: {steps: 25}\n"
                                "output: {series: 20, snapshot: 50, vtk: 50, plots: false}\n";

static const char case_rest[] = "assembly: {lattice: {kind: fcc, cells: [2, 2, 2], radius: 0.5 mm, overlap: 1e-4}}\n"
                                "trace:\n"
                                "  - {pair: [1, 0]}\n"
                                "  - {pair: [0, 2], every: 10}\n"
                                "stages:\n"
                                "  - name: rest\n"
                                "    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {stress: 100 kPa}}\n"
                                "    until: {steps: 50}\n"
                                "  - name: triaxial\n"
                                "    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {strain_step: 5e-7}}\n"
                                "    cyclic: {of: strain_zz, amplitude: 4e-6}\n"
                                "    until: {steps: 50}\n";

static const char packing_rest[] =
    "assembly:\n"
    "  packing:\n"
    "    spheres: 40\n"
    "    sizes: {uniform: {min: 0.9 mm, max: 1.1 mm}}\n"
    "    pressure: 100 kPa\n"
    "    friction: 0.2\n"
    "    unbalanced: 0.2\n"
    "    initial_density: 0.58\n"
    "trace:\n"
    "  - {born: {strain_zz: 0.0002}, window: 0.0002}\n"
    "stages:\n"
    "  - name: biaxial\n"
    "    control: {xx: {stress: 100 kPa}, yy: {strain_rate: 0}, zz: {strain_step: 1e-5}}\n"
    "    until: {steps: 60}\n";

static const char lists_rest[] =
    "contact: {model: [hertz-mindlin, jager], tolerance: 1e-3}\n"
    "assembly: {lattice: {kind: fcc, cells: [2, 2, 2], radius: 0.5 mm, overlap: 1e-4}}\n"
    "stages:\n"
    "  - name: rest\n"
    "    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {stress: 100 kPa}}\n"
    "    until: {steps: 20}\n"
    "  - name: shaking\n"
    "    control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}, xz: {strain_step: 1e-6}}\n"
    "    cyclic: {of: stress_xz, csr: [0.01, 0.02], center: 0}\n"
    "    until: {steps: 40}\n";

/* ---- Helpers ----------------------------------------------------------------------------------------------------- */

static void give_up(const char *what)
{
  fprintf(stderr, "fail_allocations: %s: %s\n", what, strerror(errno));
  exit(2);
}

static void write_file(const char *path, const char *first, const char *second)
{
  FILE *file = fopen(path, "w");
  if (!file || fputs(first, file) < 0 || fputs(second, file) < 0 || fclose(file) != 0)
    give_up(path);
}

static bool shell_succeeds(const char *command)
{
  int status = system(command);
  if (status < 0)
    give_up(command);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void shell(const char *command)
{
  errno = 0;
  if (!shell_succeeds(command))
    give_up(command);
}

static unsigned long long read_number(const char *path)
{
  unsigned long long number = 0;
  FILE *file = fopen(path, "r");
  if (!file || fscanf(file, "%llu", &number) != 1)
    give_up(path);
  fclose(file);
  return number;
}

static bool is_empty(const char *path)
{
  FILE *file = fopen(path, "r");
  int first = file ? fgetc(file) : EOF;
  if (file)
    fclose(file);
  return first == EOF;
}

static void print_file(const char *path)
{
  FILE *file = fopen(path, "r");
  for (int letter; file && (letter = fgetc(file)) != EOF;)
    putchar(letter);
  if (file)
    fclose(file);
}

/* ---- One run ----------------------------------------------------------------------------------------------------- */

typedef struct options {
  const char *program, *library;
  unsigned long long every;
  const char *only;
  bool all_after;
} options;

static void send_to_file(int stream, const char *path)
{
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || dup2(file, stream) < 0)
    _exit(NOT_STARTED);
  close(file);
}

/* The program with the n-th allocation failing, 0: none; `more` is one more argument, NULL: none. Never returns. */
static void become_program(const options *o, const scenario *s, unsigned long long n, const char *more)
{
  char number[32];
  const char *arguments[ARGUMENTS_MAX + 3] = {o->program};
  int count = 1;
  for (int i = 0; i < ARGUMENTS_MAX && s->arguments[i]; i++)
    arguments[count++] = s->arguments[i];
  arguments[count] = more;
  snprintf(number, sizeof number, "%llu", n);
  if (n > 0)
    setenv("JAGER_FAIL_FROM", number, 1);
  if (o->all_after)
    setenv("JAGER_FAIL_COUNT", "18446744073709551615", 1);
  setenv("JAGER_FAIL_REPORT", "count", 1);
  setenv("LD_PRELOAD", o->library, 1);
  send_to_file(STDOUT_FILENO, "stdout");
  send_to_file(STDERR_FILENO, "stderr");
  alarm(SECONDS_MAX); /* its signal ends the program */
  execv(o->program, (char **)arguments);
  _exit(NOT_STARTED);
}

static int start(const options *o, const scenario *s, unsigned long long n, const char *more)
{
  int status = 0;
  pid_t child = fork();
  if (child == 0)
    become_program(o, s, n, more);
  if (child < 0 || waitpid(child, &status, 0) != child || (WIFEXITED(status) && WEXITSTATUS(status) == NOT_STARTED))
    give_up("starting the program");
  return status;
}

static int run(const options *o, const scenario *s, unsigned long long n)
{
  shell(s->prepare ? "rm -rf out && cp -r before out" : "rm -rf out");
  return start(o, s, n, NULL);
}

/* ---- Judging ----------------------------------------------------------------------------------------------------- */

typedef enum outcome { HARMLESS, TOLD, ENDED, SILENT, MUTE, WRONG_CODE, HUNG, CRASHED, LOST, OUTCOMES } outcome;

static const char *const outcome_names[OUTCOMES] = {"harmless",
                                                    "told",
                                                    "ended by a library, nothing lost",
                                                    "WRONG RESULT WITH EXIT CODE 0",
                                                    "NO MESSAGE",
                                                    "WRONG EXIT CODE",
                                                    "HUNG",
                                                    "CRASHED",
                                                    "LOST SOMETHING"};

/* The same files as of the undisturbed run, or but for pictures, which then must be told. */
#define ALL_IS_WELL                                                                                                    \
  "told() { sed -e 's/, [*].png, [*].svg$//' -e '/^its pictures can be drawn/d' \"$1\"; }; "                           \
  "[ \"$(told stdout)\" = \"$(told good-stdout)\" ] && { [ ! -e good ] || diff -r good out > /dev/null || { grep -q "  \
  "'no picture' stderr && "                                                                                            \
  "diff -r -x '*.png' -x '*.svg' good out > /dev/null; }; }"

/* Each file is one of the undisturbed run, or was there before, or is unfinished and has a name that says so. */
#define ALL_IS_WHOLE                                                                                                   \
  "[ ! -e out ] || (cd out && find . -type f ! -name '*.tmp-*') | "                                                    \
  "while read -r f; do cmp -s out/$f good/$f || cmp -s out/$f before/$f || exit 1; done"

/* result.h5 has the command in it, which is another one. */
#define ALL_IS_THERE                                                                                                   \
  "diff -r -x result.h5 -x '*.png' -x '*.svg' good out > /dev/null && "                                                \
  "find out -name result.h5 | while read -r f; do \"$PROGRAM\" info $f > /dev/null || exit 1; done"

/* After an end that a library has brought about. A list of runs begins what has no checkpoint. */
static bool is_lost(const options *o, const scenario *s)
{
  if (s->kind != A_RUN)
    return !shell_succeeds(ALL_IS_WHOLE);
  const char *dir = strstr(s->name, "from") ? "out/new/checkpoint.jck" : "out/checkpoint.jck";
  bool is_resumed = strstr(s->name, "lists") || access(dir, F_OK) == 0;
  int status = start(o, s, 0, is_resumed ? "--resume" : "--force");
  return !WIFEXITED(status) || WEXITSTATUS(status) != 0 || !shell_succeeds(ALL_IS_THERE);
}

static outcome judge(const options *o, const scenario *s, int status)
{
  bool is_of_memory = WIFEXITED(status) && WEXITSTATUS(status) <= 1;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    return HUNG;
  if (!is_of_memory && s->kind != OURS)
    return is_lost(o, s) ? LOST : ENDED;
  if (!is_of_memory)
    return WIFSIGNALED(status) ? CRASHED : WRONG_CODE;
  if (WEXITSTATUS(status) == 0)
    return shell_succeeds(ALL_IS_WELL) ? HARMLESS : SILENT;
  return is_empty("stderr") ? MUTE : TOLD;
}

static void tell_fault(const scenario *s, unsigned long long n, outcome how, int status)
{
  printf("%s, allocation %llu: %s (%s %d)\n", s->name, n, outcome_names[how], WIFSIGNALED(status) ? "signal" : "exit",
         WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  print_file("stderr");
  fflush(stdout);
  shell("diff good-stdout stdout; [ ! -e good ] || diff -rq good out; true");
}

/* The undisturbed run, which is the oracle. Returns the number of its allocations. */
static unsigned long long run_undisturbed(const options *o, const scenario *s)
{
  shell("rm -rf before good good-stdout");
  if (s->prepare)
    shell(s->prepare);
  int status = run(o, s, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    print_file("stderr");
    errno = 0;
    give_up("the undisturbed run failed");
  }
  shell("mv stdout good-stdout && { [ ! -e out ] || cp -r out good; }");
  return read_number("count");
}

/* Returns the number of faults. */
static unsigned long long run_scenario(const options *o, const scenario *s)
{
  unsigned long long counts[OUTCOMES] = {0}, faults = 0, total = run_undisturbed(o, s), tried = 0;
  for (unsigned long long n = 1; n <= total; n += o->every * s->stride, tried++) {
    int status = run(o, s, n);
    outcome how = judge(o, s, status);
    counts[how]++;
    if (how > ENDED && faults++ < FAULTS_TOLD)
      tell_fault(s, n, how, status);
  }
  printf("%-16s %6llu allocations, %6llu made fail:", s->name, total, tried);
  for (int k = 0; k < OUTCOMES; k++)
    if (counts[k] > 0 || k <= TOLD)
      printf(" %llu %s", counts[k], outcome_names[k]);
  putchar('\n');
  fflush(stdout);
  return faults;
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static options parse(int argc, char *argv[])
{
  if (argc < 4) {
    fprintf(stderr, "usage: fail_allocations PROGRAM LIBRARY SOURCE_DIR [--every N] [--only SCENARIO] [--all-after]\n");
    exit(2);
  }
  options o = {.program = argv[1], .library = argv[2], .every = 1};
  for (int i = 4; i < argc; i++)
    if (strcmp(argv[i], "--every") == 0 && i + 1 < argc)
      o.every = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
      o.only = argv[++i];
    else if (strcmp(argv[i], "--all-after") == 0)
      o.all_after = true;
  o.every += o.every == 0;
  return o;
}

/* A directory of its own, in memory where there is such a place, with the files that the scenarios need. */
static void make_place(const char *source_dir, char place[64])
{
  char command[4096];
  snprintf(place, 64, "%s/jager-memory-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
  if (!mkdtemp(place) || chdir(place) != 0)
    give_up(place);
  write_file("case.yaml", case_head, case_rest);
  write_file("packing.yaml", case_head, packing_rest);
  write_file("lists.yaml", case_head, lists_rest);
  write_file("clump.csv", "x,y,z,r\n", "0,0,0,1\n0.5,0.3,0,0.8\n0.9,0,0.1,0.7\n");
  write_file("forces.csv", "dfn,dft1\n", "1,0\n0,0.2\n0.5,0.1\n0,-0.5\n-0.2,0\n");
  setenv("MPLCONFIGDIR", place, 1); /* fonts are found once: other tests may build matplotlib's cache meanwhile */
  snprintf(command, sizeof command, "cp '%s/examples/nine-movements.csv' path.csv", source_dir);
  shell(command);
}

int main(int argc, char *argv[])
{
  char place[64], command[128];
  unsigned long long faults = 0;
  options o = parse(argc, argv);
  setenv("PROGRAM", o.program, 1);
  make_place(argv[3], place);
  for (int i = 0; i < SCENARIOS; i++)
    if (!o.only || strcmp(o.only, scenarios[i].name) == 0)
      faults += run_scenario(&o, &scenarios[i]);
  snprintf(command, sizeof command, "rm -rf '%s'", place);
  shell(command);
  printf("%llu faults\n", faults);
  return faults > 0;
}
