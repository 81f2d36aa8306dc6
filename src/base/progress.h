/* SPDX-License-Identifier: MIT */
/*
 * The progress of a run on stderr: a bar on a terminal, otherwise a line every ten seconds and at the end of each
 * stage.
 *
 *     progress_start(&meter, stderr, quiet);
 *     each step: progress_update(&meter, &state); at the end of a stage: progress_stage_ended(&meter, &state);
 *     progress_end(&meter);
 */
#ifndef JAGER_BASE_PROGRESS_H
#define JAGER_BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum progress_style { PROGRESS_QUIET, PROGRESS_LINES, PROGRESS_BAR } progress_style;

/* The state of the run, from dem_simulation_stage(), _stage_name(), _stage_progress(), _steps() and _contacts(). */
typedef struct progress_state {
  int stage, stage_count; /* stage 0 is packing */
  const char *stage_name;
  double fraction; /* of the stage, 0 to 1; may decrease, but the display does not */
  long step;
  size_t contacts;
  int runs, runs_done; /* of several runs side by side; 0: one run */
} progress_state;

/* A moment between which speeds are measured. */
typedef struct progress_mark {
  double clock; /* s */
  double fraction;
  long step;
} progress_mark;

typedef struct progress {
  FILE *stream;
  progress_style style;
  int countdown;           /* calls until the clock is read again */
  int stage;               /* of the last update; -1: none */
  double fraction;         /* the largest of the stage so far */
  bool is_drawn;           /* a bar is on the terminal */
  double shown_at;         /* time of the last print */
  progress_mark start;     /* of the stage, or of this process within it */
  progress_mark last;      /* last reading of the clock */
  double steps_per_second; /* smoothed; 0: not known yet */
  double contact_steps_per_second;
} progress;

void progress_start(progress *meter, FILE *stream, bool is_quiet);

/* The part of progress_update that reads the clock and prints; for callers that do not call it every step. */
void progress_check_clock(progress *meter, const progress_state *state);

/* To be called after each step. It is cheap: most calls only count. */
static inline void progress_update(progress *meter, const progress_state *state)
{
  if (--meter->countdown <= 0)
    progress_check_clock(meter, state);
}

/* To be called instead of progress_update after the last step of a stage, with the state of this stage. */
void progress_stage_ended(progress *meter, const progress_state *state);

/* Removes the bar, so that a message can be printed; the next update draws it again. */
void progress_clear(progress *meter);

/* Removes the bar and ends all output. */
void progress_end(progress *meter);

#endif
