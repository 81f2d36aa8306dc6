/* SPDX-License-Identifier: MIT */
/* The progress of a run: the output to a (pseudo-)terminal, and to other files. */
#define _GNU_SOURCE
#include "base/progress.h"
#include "support.h"

#include "unit_test.h"
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static const progress_state half = {
    .stage = 2, .stage_count = 3, .stage_name = "shear", .fraction = 0.5, .step = 1000, .contacts = 5000};

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Steps for some time; a step takes about 10 µs. Returns the state at the end. */
static progress_state run_for(progress *meter, double seconds, progress_state state)
{
  double start = now();
  while (now() - start < seconds) {
    state.step++;
    state.fraction += 1e-7;
    progress_update(meter, &state);
    usleep(10);
  }
  return state;
}

/* ---- Not a terminal ---------------------------------------------------------------------------------------------- */

TEST(a_stage_that_ends_gets_a_line)
{
  char *text;
  size_t size;
  progress meter;
  FILE *file = tmpfile(), *stream = open_memstream(&text, &size);
  progress_start(&meter, file, false);
  ck_assert_int_eq(meter.style, PROGRESS_LINES);
  meter.stream = stream;
  progress_state state = run_for(&meter, 0.3, half);
  fflush(stream);
  ck_assert_uint_eq(size, 0);
  progress_stage_ended(&meter, &state);
  progress_end(&meter);
  fclose(stream);
  static const char start[] = "stage 2/3 shear: done in 0:00, step ";
  ck_assert_msg(strncmp(text, start, sizeof start - 1) == 0, "%s", text);
  ck_assert_msg(strstr(text, " steps/s, ") && strstr(text, " ns/contact\n"), "%s", text);
  ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
  ck_assert_ptr_null(strchr(text, '\r'));
  free(text);
  fclose(file);
}

/* Sets the start back by ten seconds, as if they had passed. */
TEST(a_line_every_ten_seconds)
{
  char *text;
  size_t size;
  progress meter;
  FILE *file = tmpfile(), *stream = open_memstream(&text, &size);
  progress_start(&meter, file, false);
  meter.stream = stream;
  progress_state state = run_for(&meter, 0.1, half);
  meter.shown_at -= 10.0;
  run_for(&meter, 0.2, state);
  progress_end(&meter);
  fclose(stream);
  ck_assert_msg(strncmp(text, "stage 2/3 shear: 50 %, step ", 28) == 0, "%s", text);
  ck_assert_msg(strstr(text, " left\n") != NULL, "%s", text);
  ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
  free(text);
  fclose(file);
}

TEST(packing_has_no_number)
{
  char *text;
  size_t size;
  progress meter;
  progress_state state = {.stage = 0, .stage_count = 3, .stage_name = "packing", .step = 10};
  FILE *file = tmpfile(), *stream = open_memstream(&text, &size);
  progress_start(&meter, file, false);
  meter.stream = stream;
  progress_stage_ended(&meter, &state);
  fclose(stream);
  ck_assert_str_eq(text, "packing: done in 0:00, step 10\n");
  free(text);
  fclose(file);
}

TEST(quiet_is_quiet)
{
  progress meter;
  FILE *file = tmpfile();
  progress_start(&meter, file, true);
  meter.shown_at -= 100.0;
  progress_state state = run_for(&meter, 0.05, half);
  progress_stage_ended(&meter, &state);
  progress_end(&meter);
  ck_assert_int_eq(ftell(file), 0);
  fclose(file);
}

/* ---- A terminal -------------------------------------------------------------------------------------------------- */

typedef struct terminal {
  int master;
  FILE *stream;
} terminal;

static terminal open_terminal(unsigned short columns)
{
  terminal made = {.master = posix_openpt(O_RDWR | O_NOCTTY)};
  struct winsize size = {.ws_col = columns, .ws_row = 24};
  ck_assert(made.master >= 0 && grantpt(made.master) == 0 && unlockpt(made.master) == 0);
  made.stream = fopen(ptsname(made.master), "w");
  ck_assert_ptr_nonnull(made.stream);
  ck_assert_int_eq(ioctl(made.master, TIOCSWINSZ, &size), 0);
  fcntl(made.master, F_SETFL, O_NONBLOCK);
  return made;
}

/* What was printed since the last call. */
static void read_terminal(const terminal *from, char *text, size_t size)
{
  size_t used = 0;
  for (ssize_t count; used + 1 < size && (count = read(from->master, text + used, size - used - 1)) > 0;)
    used += (size_t)count;
  text[used] = '\0';
}

static int count_of(const char *text, const char *what)
{
  int count = 0;
  for (; (text = strstr(text, what)); text += strlen(what))
    count++;
  return count;
}

TEST(a_bar_is_drawn_five_times_a_second)
{
  static char text[20000];
  progress meter;
  terminal screen = open_terminal(120);
  progress_start(&meter, screen.stream, false);
  ck_assert_int_eq(meter.style, PROGRESS_BAR);
  progress_state state = run_for(&meter, 1.1, half);
  read_terminal(&screen, text, sizeof text);
  ck_assert_msg(strncmp(text, "\r[###############...............]  50% stage 2/3 shear, step ", 61) == 0, "%s", text);
  ck_assert_msg(strstr(text, " ns/contact, ") && strstr(text, " left\033[K"), "%s", text);
  ck_assert_int_ge(count_of(text, "\r"), 2);
  ck_assert_int_le(count_of(text, "\r"), 6);
  ck_assert_int_eq(count_of(text, "\n"), 0);
  progress_stage_ended(&meter, &state);
  read_terminal(&screen, text, sizeof text);
  ck_assert_msg(strncmp(text, "\r\033[Kstage 2/3 shear: done in 0:01, step ", 39) == 0, "%s", text);
  state.stage = 3;
  state.stage_name = "rest";
  run_for(&meter, 0.3, state);
  progress_end(&meter);
  progress_end(&meter);
  read_terminal(&screen, text, sizeof text);
  ck_assert_msg(strstr(text, "stage 3/3 rest") != NULL, "%s", text);
  ck_assert_str_eq(text + strlen(text) - 4, "\r\033[K");
  fclose(screen.stream);
  close(screen.master);
}

/* The printed percentages never fall. Returns the last one. */
static int assert_rising(const char *text)
{
  int before = 0;
  for (const char *at = text; (at = strchr(at, '%')); at++) {
    const char *number = at;
    while (number > text && number[-1] >= '0' && number[-1] <= '9')
      number--;
    int percent = atoi(number);
    ck_assert_msg(percent >= before, "%d %% after %d %%", percent, before);
    before = percent;
  }
  return before;
}

/* The fraction of a packing that comes to rest goes up and down: random fractions with a rising mean. */
TEST(what_is_shown_never_falls)
{
  static char text[200000];
  uint64_t random = 20261117;
  progress meter;
  terminal screen = open_terminal(100);
  progress_start(&meter, screen.stream, false);
  for (int stage = 0; stage < 3; stage++) {
    progress_state state = {.stage = stage, .stage_count = 2, .stage_name = "some", .contacts = 10};
    double largest = 0.0;
    size_t used = 0;
    for (int i = 0; i < 300; i++) {
      state.step++;
      state.fraction = 0.003 * i * random_in(&random, 0.3, 1.2) - 0.05;
      largest = fmax(largest, state.fraction);
      meter.shown_at -= 1.0;
      progress_check_clock(&meter, &state);
      read_terminal(&screen, text + used, sizeof text - used);
      used += strlen(text + used);
    }
    ck_assert_int_eq(assert_rising(text), (int)floor(100.0 * fmin(largest, 1.0)));
  }
  progress_end(&meter);
  fclose(screen.stream);
  close(screen.master);
}

/* A line that is too long would scroll the screen each time. */
TEST(a_bar_fits_into_the_terminal)
{
  static char text[20000];
  progress meter;
  for (unsigned short columns = 1; columns <= 130; columns += 3) {
    terminal screen = open_terminal(columns);
    progress_start(&meter, screen.stream, false);
    progress_state state = half;
    state.stage_name = "Schüttung"; /* ü has two bytes */
    progress_update(&meter, &state);
    meter.shown_at -= 1.0;
    state.step++;
    progress_update(&meter, &state);
    read_terminal(&screen, text, sizeof text);
    ck_assert_int_eq(text[0], '\r');
    char *end = strstr(text, "\033[K");
    ck_assert_ptr_nonnull(end);
    int width = 0;
    for (const char *at = text + 1; at < end; at++)
      width += (*at & 0xC0) != 0x80;
    ck_assert_int_lt(width, columns);
    fclose(screen.stream);
    close(screen.master);
  }
}

TEST(long_times_are_readable)
{
  static char text[20000];
  progress meter;
  terminal screen = open_terminal(120);
  progress_start(&meter, screen.stream, false);
  progress_update(&meter, &half);
  static const struct {
    double elapsed;
    const char *text;
  } cases[] = {{59.0, ", 0:59 left"}, {61.0, ", 1:01 left"}, {3661.0, ", 1:01:01 left"}, {90000.0, ", 1 d 1 h left"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    meter.start = (progress_mark){.clock = now() - cases[i].elapsed, .fraction = 0.0};
    meter.shown_at -= 1.0;
    meter.countdown = 1;
    progress_update(&meter, &half); /* half is done: as long again */
    read_terminal(&screen, text, sizeof text);
    ck_assert_msg(strstr(text, cases[i].text) != NULL, "'%s' is not in '%s'", cases[i].text, text);
  }
  fclose(screen.stream);
  close(screen.master);
}

/* ---- Cost -------------------------------------------------------------------------------------------------------- */

/* A call takes about 1 ns; the limit of 20 ns leaves room for slow machines and sanitizers. */
TEST(calls_cost_next_to_nothing)
{
  enum { CALLS = 20000000 };
  progress meter;
  FILE *file = tmpfile();
  progress_state state = half;
  progress_start(&meter, file, false);
  double start = now();
  for (int i = 0; i < CALLS; i++) {
    state.step++;
    progress_update(&meter, &state);
  }
  double elapsed = now() - start;
  ck_assert_msg(elapsed < 20e-9 * CALLS, "%g ns a call", 1e9 * elapsed / CALLS);
  fclose(file);
}
