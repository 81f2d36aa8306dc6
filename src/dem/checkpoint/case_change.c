/* SPDX-License-Identifier: MIT */
/* Which changes of a case a state, or a simulation under way, allows. */
#include "case_change.h"
#include "case_keys.h"
#include "dem/state.h"
#include "dem/step/cycles.h"
#include "dem/step/drive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Two cases --------------------------------------------------------------------------------------------------- */

typedef struct change {
  case_keys before, now;
} change;

static void change_free(change *c)
{
  dem_case_keys_free(&c->before);
  dem_case_keys_free(&c->now);
}

/* Takes the text `before`, also on failure. */
static bool change_make(change *c, char *before, const dem_case *run, error_info *error)
{
  bool is_made = dem_case_keys_parse(&c->before, before);
  is_made = dem_case_keys_parse(&c->now, dem_case_keys_print(run)) && is_made;
  if (is_made)
    return true;
  change_free(c);
  return error_set_memory(error, "out of memory");
}

/* ---- Messages about differences ---------------------------------------------------------------------------------- */

enum { LISTED_MAX = 4 };

typedef struct differences {
  char text[300];
  size_t used;
  int count, listed;
} differences;

/* Adds a difference to the text. The first one is always added, truncated if necessary. */
static void add_difference(differences *d, const char *name, const char *before, const char *now)
{
  static const char none[] = "not there";
  char more[200];
  int length = snprintf(more, sizeof more, "%s%s was %s and is %s", d->count > 0 ? ", " : "", name,
                        before ? before : none, now ? now : none);
  bool fits = d->listed < LISTED_MAX && (size_t)length < sizeof more && d->used + (size_t)length < sizeof d->text;
  if (fits || d->count == 0) {
    snprintf(d->text + d->used, sizeof d->text - d->used, "%s", more);
    d->used = strlen(d->text);
    d->listed++;
  }
  d->count++;
}

/* Are there more differences than the text lists? */
static const char *dots(const differences *d)
{
  return d->count > d->listed ? " ..." : "";
}

/* Decides whether the change of one key is allowed. NULL: the key does not exist. */
typedef bool change_judge(void *context, const char *name, const char *before, const char *now);

/* Collects the changes that are not allowed. */
static differences find_differences(const change *c, change_judge *is_allowed, void *context)
{
  differences d = {.count = 0};
  for (size_t k = 0; k < c->before.count; k++) {
    const case_key *key = &c->before.list[k];
    const char *now = dem_case_keys_find(&c->now, key->name);
    if ((!now || strcmp(now, key->value) != 0) && !is_allowed(context, key->name, key->value, now))
      add_difference(&d, key->name, key->value, now);
  }
  for (size_t k = 0; k < c->now.count; k++) {
    const case_key *key = &c->now.list[k];
    if (!dem_case_keys_find(&c->before, key->name) && !is_allowed(context, key->name, NULL, key->value))
      add_difference(&d, key->name, NULL, key->value);
  }
  return d;
}

static bool begins_with(const char *text, const char *start)
{
  return strncmp(text, start, strlen(start)) == 0;
}

/* ---- Contacts in another case ------------------------------------------------------------------------------------ */

static bool is_free_of_contacts(void *context, const char *name, const char *before, const char *now)
{
  static const char *const starts[] = {"material.shear_modulus", "material.poisson", "contact.model",
                                       "contact.contour.", "contact.linear."};
  (void)context, (void)before, (void)now;
  for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
    if (begins_with(name, starts[k]))
      return false;
  return true;
}

bool dem_case_accepts_contacts(const dem_case *run, const char *before, const char *path, error_info *error)
{
  change c;
  if (!change_make(&c, strdup(before), run, error))
    return false;
  differences d = find_differences(&c, is_free_of_contacts, NULL);
  change_free(&c);
  return d.count == 0 ||
         error_set(error, "%s: its contacts were made with another law: %s%s; the case must have the same", path,
                   d.text, dots(&d));
}

/* ---- A later end ------------------------------------------------------------------------------------------------- */

/* The speed of such a stage depends on its end. */
static bool has_strain_target(const dem_stage *stage)
{
  for (int k = 0; k < DEM_COMPONENTS; k++)
    if (stage->control[k].kind == DEM_CONTROL_STRAIN)
      return true;
  return false;
}

/* A prescribed strain is monotonic, except in cycles. */
static bool is_monotonic(const dem_stage *stage, dem_quantity of)
{
  bool is_mixed = stage->mean_stress_is_held && of <= DEM_STRAIN + DEM_ZZ; /* the servo changes it too */
  return of < DEM_STRESS && stage->control[of - DEM_STRAIN].kind <= DEM_CONTROL_STRAIN && !stage->cyclic.on &&
         !is_mixed;
}

static dem_quantity quantity_named(const char *name)
{
  int k = 0;
  while (k < DEM_QUANTITIES && strcmp(name, dem_quantity_name((dem_quantity)k)) != 0)
    k++;
  return (dem_quantity)k;
}

/*
 * Can the quantity not have reached the new value since the start of the stage? `before` is the old value; NAN: none.
 */
static bool value_is_ahead(const dem_simulation *s, dem_quantity of, double before, double now)
{
  if (of >= DEM_QUANTITIES)
    return false;
  double start = s->stage.start[of], value = dem_quantity_value(s, of);
  if (dem_quantity_is_size(of)) /* they may have been larger before */
    return now > before;
  bool is_farther = now >= start ? before >= start && now > before : before < start && now < before;
  bool is_ahead = now >= start ? value < now : value > now;
  return is_farther || (is_ahead && is_monotonic(current_stage(s), of));
}

/* Can this end of the present stage not have come yet? `before` and `now` are NULL where the case has no such end. */
static bool end_is_ahead(const dem_simulation *s, const char *name, const char *before, const char *now)
{
  double old = before ? dem_case_key_number(before) : NAN, new = now ? dem_case_key_number(now) : NAN;
  bool is_moment = strcmp(name, "steps") == 0 || strcmp(name, "time") == 0;
  if (is_moment && has_strain_target(current_stage(s)))
    return false;
  if (!now)
    return true;
  if (strcmp(name, "steps") == 0)
    return new > (double)s->stage.steps;
  if (strcmp(name, "time") == 0)
    return new > s->stage.time;
  if (strcmp(name, "cycles") == 0)
    return new > old || new > dem_cycles_done(s);
  if (strcmp(name, "unbalanced") == 0)
    return new < old;
  return value_is_ahead(s, quantity_named(name), old, new);
}

/* ---- Keys of stages ---------------------------------------------------------------------------------------------- */

static const char end_start[] = "until.";

/* The number of the stage, from 1, and the rest of the key "stages.NUMBER.REST"; 0: another key. */
static long stage_of_key(const char *name, const char **rest)
{
  static const char start[] = "stages.";
  char *end;
  if (!begins_with(name, start))
    return 0;
  long number = strtol(name + strlen(start), &end, 10) + 1;
  *rest = *end == '.' ? end + 1 : end;
  return number;
}

/* ---- Continuing -------------------------------------------------------------------------------------------------- */

typedef struct continuation {
  const dem_simulation *simulation;
  bool *end_differs;
} continuation;

/* Limits at which packing or the run is given up: the run so far would be the same with a higher limit. */
static bool limit_may_change(const dem_simulation *s, const char *name, const char *before, const char *now)
{
  double old = before ? dem_case_key_number(before) : NAN, new = now ? dem_case_key_number(now) : NAN;
  if (strcmp(name, "assembly.packing.max_steps") == 0)
    return new > old || (s->stage.number == 0 && new > (double)s->stage.steps);
  if (strcmp(name, "assembly.packing.unbalanced") == 0)
    return s->stage.number == 0 && new < old && s->search.report.trials == 0; /* a search has used it */
  return strcmp(name, "overlap_limit") == 0 && new > old;
}

static bool may_change(void *context, const char *name, const char *before, const char *now)
{
  const continuation *g = context;
  const dem_simulation *s = g->simulation;
  const char *rest;
  long number = stage_of_key(name, &rest);
  bool is_allowed;
  if (number > 0) {
    bool is_end = number == s->stage.number && begins_with(rest, end_start);
    is_allowed = number > s->stage.number || (is_end && end_is_ahead(s, rest + strlen(end_start), before, now));
    *g->end_differs = *g->end_differs || is_end;
  } else {
    is_allowed = limit_may_change(s, name, before, now);
    *g->end_differs = *g->end_differs || (is_allowed && s->stage.number == 0);
  }
  return is_allowed;
}

bool dem_case_may_continue(const dem_simulation *s, const char *before, const char *path, bool *end_differs,
                           error_info *error)
{
  change c;
  continuation context = {.simulation = s, .end_differs = end_differs};
  *end_differs = false;
  if (s->stage.number > s->run->stage_count)
    return error_set(error,
                     "%s: it is in stage %d, but the case has only %d: stages that have begun cannot be left out", path,
                     s->stage.number, s->run->stage_count);
  if (!change_make(&c, strdup(before), s->run, error))
    return false;
  differences d = find_differences(&c, may_change, &context);
  change_free(&c);
  return d.count == 0 ||
         error_set(
             error,
             "%s: made with another case: %s%s. A resumed run may have a later end of its present stage, other "
             "later stages and other outputs; for other changes start a new case with 'assembly: {checkpoint: ...}'",
             path, d.text, dots(&d));
}

/* ---- A simulation under way -------------------------------------------------------------------------------------- */

typedef struct live_change {
  const dem_simulation *simulation;
  const dem_case *now;
  dem_case_difference *found;
  const char *reason; /* of the first refusal; NULL: the case differs where it must not */
} live_change;

/* The control that a key "control.xx.stress" or "mean_stress.ramp" belongs to; NULL: another key. */
static const dem_control *control_of_key(const dem_stage *stage, const char *rest)
{
  static const char of_control[] = "control.", of_mean[] = "mean_stress.";
  if (begins_with(rest, of_mean))
    return &stage->mean_stress;
  for (int k = 0; begins_with(rest, of_control) && k < DEM_COMPONENTS; k++) {
    const char *component = dem_quantity_name((dem_quantity)(DEM_STRAIN + k)) + strlen("strain_");
    if (begins_with(rest + strlen(of_control), component))
      return &stage->control[k];
  }
  return NULL;
}

/* Strain rates of such a stage depend on its past: on reversals, on the phase, on the pace so far. */
static bool has_memory(const dem_stage *stage)
{
  return stage->cyclic.on || stage->inertial_number > 0.0;
}

/* The reason why a key of the present stage cannot change; NULL: it can. */
static const char *refusal_of(const live_change *c, const char *rest, const char *before, const char *now)
{
  const dem_simulation *s = c->simulation;
  const dem_stage *stage = &c->now->stages[s->stage.number - 1];
  const dem_control *control = control_of_key(stage, rest);
  bool is_end = begins_with(rest, end_start), is_fixed = has_memory(current_stage(s)) || has_memory(stage);
  const char *end = rest + strlen(end_start);
  double moment = now ? dem_case_key_number(now) : NAN;
  if (is_end && is_fixed)
    return end_is_ahead(s, end, before, now) ? NULL : "the new end of the stage may have come already";
  if (is_end && ((strcmp(end, "steps") == 0 && moment <= (double)s->stage.steps) ||
                 (strcmp(end, "time") == 0 && moment <= s->stage.time)))
    return "the new end of the stage has passed already: take a later one";
  if (control && is_fixed)
    return "the control of a stage with cycles, paths or an inertial number cannot change before its end: end the "
           "stage, and put the new control into the next one";
  if (control && control->kind == DEM_CONTROL_STRESS && control->ramp > 0)
    return "a ramp counts from the start of the stage, which has passed: set its 'ramp' to 0, or put the ramp into "
           "a new stage";
  bool is_free = is_end || control || strcmp(rest, "friction") == 0 || begins_with(rest, "damping.");
  return is_free ? NULL : "of a stage that has begun only control, friction, damping and the end can change";
}

static bool may_change_now(void *context, const char *name, const char *before, const char *now)
{
  live_change *c = context;
  const char *rest, *reason = NULL;
  long number = stage_of_key(name, &rest), present = c->simulation->stage.number;
  if (number > present)
    return true;
  if (number == present && number > 0) {
    bool is_end = begins_with(rest, end_start);
    reason = refusal_of(c, rest, before, now);
    c->found->of_end = c->found->of_end || is_end;
    c->found->of_loading = c->found->of_loading || !is_end;
    if (!reason)
      return true;
  }
  if (number > 0 && number < present)
    reason = "a stage that has ended cannot change";
  c->reason = c->reason ? c->reason : reason;
  return false;
}

bool dem_case_may_change(const dem_simulation *s, const dem_case *now, dem_case_difference *found, error_info *error)
{
  change c;
  live_change context = {.simulation = s, .now = now, .found = found};
  *found = (dem_case_difference){.of_end = false};
  if (s->stage.number > now->stage_count)
    return error_set(error, "the simulation is in stage %d: stages that have begun cannot be left out",
                     s->stage.number);
  if (!change_make(&c, dem_case_keys_print(s->run), now, error))
    return false;
  differences d = find_differences(&c, may_change_now, &context);
  change_free(&c);
  const char *otherwise = "a simulation under way may get another control, friction, damping or end of its present "
                          "stage, and other later stages";
  return d.count == 0 || error_set(error, "%s%s: %s", d.text, dots(&d), context.reason ? context.reason : otherwise);
}
