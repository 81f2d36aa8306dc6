/* SPDX-License-Identifier: MIT */
/*
 * How far a run is, on stderr: a bar on a terminal, else a line every ten seconds and at the end of each stage.
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

/* Where the run is; as dem_simulation_stage(), _stage_name(), _stage_progress(), _steps() and _contacts() tell. */
typedef struct progress_state {
  int stage, stage_count; /* stage 0 is packing */
  const char *stage_name;
  double fraction; /* of the stage, 0 to 1; may fall, what is shown does not */
  long step;
  size_t contacts;
} progress_state;

/* A moment to measure speed from. */
typedef struct progress_mark {
  double clock; /* s */
  double fraction;
  long step;
} progress_mark;

typedef struct progress {
  FILE *stream;
  progress_style style;
  int countdown;           /* calls until the clock is looked at again */
  int stage;               /* of the last update; -1: none */
  double fraction;         /* the largest of the stage so far */
  bool is_drawn;           /* a bar stands on the terminal */
  double shown_at;         /* when something was printed last */
  progress_mark start;     /* of the stage, or where this process came into it */
  progress_mark last;      /* when the clock was looked at last */
  double steps_per_second; /* smoothed; 0: not known yet */
  double contact_steps_per_second;
} progress;

void progress_start(progress *meter, FILE *stream, bool is_quiet);

/* Does the rest of progress_update; do not call it yourself. */
void progress_look(progress *meter, const progress_state *state);

/* To be called each step. Nearly always only counts, so it may be called with a state that was filled in each time. */
static inline void progress_update(progress *meter, const progress_state *state)
{
  if (--meter->countdown <= 0)
    progress_look(meter, state);
}

/* The last step of a stage has been done; the state is that of the stage which ended. */
void progress_stage_ended(progress *meter, const progress_state *state);

/* Takes the bar away, so that something else can be printed; the next update draws it again. */
void progress_clear(progress *meter);

/* Takes the bar away for good. */
void progress_end(progress *meter);

#endif
