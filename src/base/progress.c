/* SPDX-License-Identifier: MIT */
/*
 * The progress of a run. Speeds are moving averages over seconds. The remaining time of a stage is extrapolated from
 * its start, since the completed fraction does not grow evenly.
 */
#include "progress.h"
#include "clock.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
  CALLS_MAX = 256, /* between two readings of the clock */
  TEXT_SIZE = 512,
  COLUMNS_DEFAULT = 80,
  BAR_MAX = 30 /* columns of the bar itself */
};

static const double bar_interval = 0.2, line_interval = 10.0; /* s between two prints */
static const double look_interval = 0.02;                     /* s between two readings of the clock, about */
static const double smoothing_time = 3.0;                     /* s over which speeds are averaged */

/* ---- Measuring --------------------------------------------------------------------------------------------------- */

static progress_mark mark_of(const progress_state *state, double clock)
{
  return (progress_mark){clock, state->fraction, state->step};
}

static void begin_stage(progress *meter, const progress_state *state, double clock)
{
  meter->stage = state->stage;
  meter->start = meter->last = mark_of(state, clock);
  meter->fraction = 0.0;
}

static void smooth(double *average, double value, double weight)
{
  *average = *average > 0.0 ? *average + weight * (value - *average) : value;
}

static void measure_speed(progress *meter, const progress_state *state, double clock)
{
  double elapsed = clock - meter->last.clock;
  double steps = (double)(state->step - meter->last.step);
  if (elapsed <= 0.0 || steps <= 0.0)
    return;
  double weight = 1.0 - exp(-elapsed / smoothing_time);
  smooth(&meter->steps_per_second, steps / elapsed, weight);
  smooth(&meter->contact_steps_per_second, steps * (double)state->contacts / elapsed, weight);
  meter->last = mark_of(state, clock);
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

static void print_time(double seconds, char *text, size_t size)
{
  long whole = lround(fmin(seconds, 1e8));
  if (whole >= 86400)
    snprintf(text, size, "%ld d %ld h", whole / 86400, whole % 86400 / 3600);
  else if (whole >= 3600)
    snprintf(text, size, "%ld:%02ld:%02ld", whole / 3600, whole % 3600 / 60, whole % 60);
  else
    snprintf(text, size, "%ld:%02ld", whole / 60, whole % 60);
}

static int percent_done(const progress *meter)
{
  return (int)floor(100.0 * meter->fraction);
}

static void print_stage(const progress_state *state, char *text, size_t size)
{
  if (state->stage == 0)
    snprintf(text, size, "%s", state->stage_name);
  else
    snprintf(text, size, "stage %d/%d %s", state->stage, state->stage_count, state->stage_name);
}

/* Three significant digits, but no power of ten. */
static int print_amount(double amount, const char *unit, char *text, size_t size)
{
  return snprintf(text, size, amount >= 100.0 ? ", %.0f %s" : ", %.3g %s", amount, unit);
}

/* "step 12345, 678 steps/s, 91 ns/contact", without the speeds that are not known yet. */
static void print_speed(const progress *meter, const progress_state *state, char *text, size_t size)
{
  int length = snprintf(text, size, "step %ld", state->step);
  if (meter->steps_per_second > 0.0)
    length += print_amount(meter->steps_per_second, "steps/s", text + length, size - (size_t)length);
  if (meter->contact_steps_per_second > 0.0)
    print_amount(1e9 / meter->contact_steps_per_second, "ns/contact", text + length, size - (size_t)length);
}

/* ", 1:23 left", until the stage ends; nothing if that is not known yet. */
static void print_remaining(const progress *meter, double clock, char *text, size_t size)
{
  char time[64];
  double done = meter->fraction - meter->start.fraction;
  text[0] = '\0';
  if (done <= 0.0)
    return;
  print_time((1.0 - meter->fraction) * (clock - meter->start.clock) / done, time, sizeof time);
  snprintf(text, size, ", %s left", time);
}

/* ---- Showing ----------------------------------------------------------------------------------------------------- */

/* The bar is written by one call, so that it is not mixed with other output. */
static void draw_bar(progress *meter, const progress_state *state, double clock)
{
  char stage[TEXT_SIZE / 2], speed[TEXT_SIZE / 4], time[TEXT_SIZE / 4], bar[BAR_MAX + 8];
  char rest[TEXT_SIZE + 32], text[2 * TEXT_SIZE];
  struct winsize size;
  bool is_known = ioctl(fileno(meter->stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  int columns = (is_known ? size.ws_col : COLUMNS_DEFAULT) - 1;
  print_stage(state, stage, sizeof stage);
  print_speed(meter, state, speed, sizeof speed);
  print_remaining(meter, clock, time, sizeof time);
  snprintf(rest, sizeof rest, "%3d%% %s, %s%s", percent_done(meter), stage, speed, time);
  enum { FRAME = 3, BAR_MIN = 5 };
  int room = columns - (int)strlen(rest) - FRAME, width = room < BAR_MAX ? room : BAR_MAX;
  char *at = bar;
  if (width >= BAR_MIN) { /* "[######......] " */
    *at++ = '[';
    for (int i = 0; i < width; i++)
      *at++ = i < width * percent_done(meter) / 100 ? '#' : '.';
    *at++ = ']';
    *at++ = ' ';
  }
  *at = '\0';
  snprintf(text, sizeof text, "%s%s", bar, rest);
  for (at = text; *at; at++) /* UTF-8; each character counts as one column */
    if ((*at & 0xC0) != 0x80 && columns-- <= 0) {
      *at = '\0';
      break;
    }
  fprintf(meter->stream, "\r%s\033[K", text);
  fflush(meter->stream);
  meter->is_drawn = true;
}

static void print_line(const progress *meter, const progress_state *state, const char *how_far, const char *time)
{
  char stage[TEXT_SIZE / 2], speed[TEXT_SIZE / 4];
  print_stage(state, stage, sizeof stage);
  print_speed(meter, state, speed, sizeof speed);
  fprintf(meter->stream, "%s: %s, %s%s\n", stage, how_far, speed, time);
  fflush(meter->stream);
}

/* ---- What is called ---------------------------------------------------------------------------------------------- */

void progress_start(progress *meter, FILE *stream, bool is_quiet)
{
  memset(meter, 0, sizeof *meter);
  meter->stream = stream;
  meter->style = is_quiet ? PROGRESS_QUIET : isatty(fileno(stream)) ? PROGRESS_BAR : PROGRESS_LINES;
  meter->stage = -1;
  meter->countdown = 1;
  meter->shown_at = clock_seconds();
}

void progress_check_clock(progress *meter, const progress_state *state)
{
  if (meter->style == PROGRESS_QUIET) {
    meter->countdown = CALLS_MAX;
    return;
  }
  double clock = clock_seconds();
  if (state->stage != meter->stage)
    begin_stage(meter, state, clock);
  else if (clock - meter->last.clock >= look_interval)
    measure_speed(meter, state, clock);
  /* The fraction may go up and down, as a stress on its way to a target does; the display only grows. */
  meter->fraction = fmin(fmax(meter->fraction, state->fraction), 1.0);
  double calls = look_interval * meter->steps_per_second; /* few at first and when steps are slow */
  meter->countdown = calls < 1.0 ? 1 : calls > CALLS_MAX ? CALLS_MAX : (int)calls;
  if (clock - meter->shown_at < (meter->style == PROGRESS_BAR ? bar_interval : line_interval))
    return;
  meter->shown_at = clock;
  if (meter->style == PROGRESS_BAR) {
    draw_bar(meter, state, clock);
  } else {
    char how_far[16], time[TEXT_SIZE / 4];
    snprintf(how_far, sizeof how_far, "%d %%", percent_done(meter));
    print_remaining(meter, clock, time, sizeof time);
    print_line(meter, state, how_far, time);
  }
}

/* On a terminal the line stays above the bar of the next stage. Its speed is the mean of the stage. */
void progress_stage_ended(progress *meter, const progress_state *state)
{
  char time[64], how_far[80];
  if (meter->style == PROGRESS_QUIET)
    return;
  double clock = clock_seconds();
  if (state->stage == meter->stage)
    measure_speed(meter, state, clock);
  else
    begin_stage(meter, state, clock);
  progress_clear(meter);
  double elapsed = clock - meter->start.clock;
  if (elapsed > 0.0 && state->step > meter->start.step)
    meter->steps_per_second = (double)(state->step - meter->start.step) / elapsed;
  print_time(elapsed, time, sizeof time);
  snprintf(how_far, sizeof how_far, "done in %s", time);
  print_line(meter, state, how_far, "");
  meter->shown_at = clock;
  meter->countdown = 1;
}

void progress_clear(progress *meter)
{
  if (!meter->is_drawn)
    return;
  fprintf(meter->stream, "\r\033[K");
  fflush(meter->stream);
  meter->is_drawn = false;
}

void progress_end(progress *meter)
{
  progress_clear(meter);
  meter->style = PROGRESS_QUIET;
}
