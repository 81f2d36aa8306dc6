/* SPDX-License-Identifier: MIT */
/* The skin of the neighbour list, chosen by the clock. */
#include "skin_tuning.h"
#include "base/clock.h"

enum {
  RUNG_AT_START = 2,
  RUNG_OF_PACKING = 6, /* spheres travel far */
  WINDOW_STEPS = 24,   /* at least, so that one step that was interrupted does not matter */
  PAUSE_MIN = 4,       /* windows between trials: doubled after each trial in vain, up to ... */
  PAUSE_MAX = 64
};

#define SPIKE 3.0        /* a step that takes so many times the usual time was interrupted: it counts only so much */
#define USUAL_SHARE 0.05 /* of the last step in the usual time of steps */
#define BETTER 0.985     /* costs of the trial over those of the present rung: below this it is taken */
#define MUCH_BETTER 0.85 /* ... after the first comparison already */
#define MUCH_WORSE 1.1   /* ... refused after the first comparison already */

double dem_skin_factor(int rung)
{
  static const double factors[SKIN_RUNGS] = {0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0};
  return factors[rung];
}

/* ---- The tuner --------------------------------------------------------------------------------------------------- */

void dem_skin_tuner_init(skin_tuner *t, int rung)
{
  *t = (skin_tuner){.rung = rung, .top = SKIN_RUNGS - 1, .direction = 1, .pause = PAUSE_MIN};
}

void dem_skin_tuner_add_step(skin_tuner *t, double seconds, bool has_listed)
{
  double *usual = &t->usual[has_listed];
  if (*usual > 0.0)
    seconds = fmin(seconds, SPIKE * *usual);
  *usual = *usual > 0.0 ? *usual + USUAL_SHARE * (seconds - *usual) : seconds;
  t->seconds += seconds;
  t->steps++;
}

static double median_of_three(const double v[3])
{
  return fmax(fmin(v[0], v[1]), fmin(fmax(v[0], v[1]), v[2]));
}

/* The first trial goes on in the direction of the last success; after a failure it is the turn of the other one. */
static void begin_trial(skin_tuner *t)
{
  int other = t->rung + t->direction;
  if (other < 0 || other > t->top) {
    t->direction = -t->direction;
    other = t->rung + t->direction;
  }
  t->waited = 0;
  t->ratios = 0;
  t->other = other;
  t->is_trying = other >= 0 && other <= t->top;
}

static void end_trial(skin_tuner *t, bool is_better)
{
  t->is_trying = false;
  if (is_better) {
    t->rung = t->other;
    t->pause = 1; /* the next one may be better still; one window measures the new rung before */
    return;
  }
  t->direction = -t->direction;
  t->pause = t->pause < PAUSE_MIN ? PAUSE_MIN : t->pause < PAUSE_MAX ? 2 * t->pause : PAUSE_MAX;
}

/*
 * Costs of windows come in the order present, other, present, other, ... Each window of the other rung is compared with
 * the mean of those around it, so that costs that rise or fall do not count.
 */
static void judge(skin_tuner *t, double before, double other, double after)
{
  double ratio = 2.0 * other / (before + after);
  t->ratio[t->ratios++] = ratio;
  if (t->ratios == 1 && (ratio < MUCH_BETTER || ratio > MUCH_WORSE))
    end_trial(t, ratio < 1.0);
  else if (t->ratios == 3)
    end_trial(t, median_of_three(t->ratio) < BETTER);
}

static void close_window(skin_tuner *t)
{
  double cost = t->seconds / (double)t->steps;
  t->seconds = 0.0;
  t->steps = 0;
  if (t->window_is_of_other) {
    t->cost_other = cost;
    return;
  }
  if (t->is_trying && t->cost_other > 0.0)
    judge(t, t->cost, t->cost_other, cost);
  t->cost = cost;
  t->cost_other = 0.0;
  if (!t->is_trying && ++t->waited > t->pause)
    begin_trial(t);
}

int dem_skin_tuner_choose(skin_tuner *t)
{
  if (t->steps >= WINDOW_STEPS) {
    close_window(t);
    t->window_is_of_other = t->is_trying && !t->window_is_of_other;
  }
  return t->window_is_of_other ? t->other : t->rung;
}

/* ---- In a simulation --------------------------------------------------------------------------------------------- */

static bool is_tuned(const dem_simulation *s)
{
  return !(s->run->skin > 0.0);
}

void dem_skin_tuning_begin_step(dem_simulation *s)
{
  if (!is_tuned(s))
    return;
  if (s->tuner.top == 0)
    dem_skin_tuner_init(&s->tuner, s->stage.number == 0 ? RUNG_OF_PACKING : RUNG_AT_START);
  s->tuner.has_listed = false;
  s->tuner.start = clock_seconds();
}

void dem_skin_tuning_end_step(dem_simulation *s)
{
  if (is_tuned(s))
    dem_skin_tuner_add_step(&s->tuner, clock_seconds() - s->tuner.start, s->tuner.has_listed);
}

void dem_skin_tuning_fit(dem_simulation *s)
{
  if (is_tuned(s))
    s->skin = fmax(0.0, fmin(s->skin, 0.999 * (0.5 * dem_cell_width(s->cell) - 2.0 * s->radius_max)));
}

void dem_skin_tuning_choose(dem_simulation *s)
{
  if (!is_tuned(s))
    return;
  s->skin = dem_skin_factor(dem_skin_tuner_choose(&s->tuner)) * SKIN_AT_START * s->mean_diameter;
  s->tuner.has_listed = true;
  dem_skin_tuning_fit(s);
}

bool dem_skin_tuning_retreat(dem_simulation *s)
{
  double at_start = SKIN_AT_START * s->mean_diameter;
  if (!is_tuned(s) || s->skin <= at_start)
    return false;
  dem_skin_tuner_init(&s->tuner, RUNG_AT_START);
  s->tuner.top = RUNG_AT_START;
  s->skin = at_start;
  for (size_t k = 0; k < s->block_count; k++)
    s->blocks[k].status = JAGER_OK;
  return true;
}
