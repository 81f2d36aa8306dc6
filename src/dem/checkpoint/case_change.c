/* SPDX-License-Identifier: MIT */
/* Which changes of a case a state, or a simulation under way, allows. */
#include "case_change.h"
#include "dem/simulation_state.h"
#include "dem/cycles.h"
#include "dem/drive.h"
#include "base/text.h"
#include "dem/case_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Keys and values --------------------------------------------------------------------------------------------- */

typedef struct case_key {
  const char *name;  /* "stages.0.until.steps" */
  const char *value; /* "3000" */
} case_key;

typedef struct case_keys {
  char *text; /* of dem_case_keys_print; holds the names and values; owned */
  size_t count;
  case_key *list; /* owned */
} case_keys;

/* Takes the text, also on failure. False: out of memory, or `text` is NULL. */
static bool keys_parse(case_keys *keys, char *text)
{
  *keys = (case_keys){.text = text};
  size_t lines = 0;
  for (const char *at = text; at && *at; at++)
    lines += *at == '\n';
  keys->list = text ? malloc((lines + 1) * sizeof *keys->list) : NULL;
  if (!keys->list)
    return false;
  char *rest = NULL;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    char *colon = strstr(line, ": ");
    if (!colon || keys->count > lines)
      continue;
    *colon = '\0';
    keys->list[keys->count++] = (case_key){.name = line, .value = colon + 2};
  }
  return true;
}

/* The value of a key; NULL: there is no such key. */
static const char *keys_find(const case_keys *keys, const char *name)
{
  for (size_t k = 0; k < keys->count; k++)
    if (strcmp(keys->list[k].name, name) == 0)
      return keys->list[k].value;
  return NULL;
}

/* The number of a value; NAN for a word, or if there is none. */
static double number_of(const char *value)
{
  double number;
  return value && number_parse(value, &number) ? number : NAN;
}

typedef struct change {
  case_keys before, now;
} change;

static void change_free(change *c)
{
  free(c->before.text);
  free(c->before.list);
  free(c->now.text);
  free(c->now.list);
}

/* Takes the text `before`, also on failure. */
static bool change_make(change *c, char *before, const dem_case *run, error_info *error)
{
  bool is_made = keys_parse(&c->before, before);
  is_made = keys_parse(&c->now, dem_case_keys_print(run)) && is_made;
  if (is_made)
    return true;
  change_free(c);
  error_set_memory(error, "out of memory");
  return false; /* for static checkers */
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
    const char *now = keys_find(&c->now, key->name);
    if ((!now || strcmp(now, key->value) != 0) && !is_allowed(context, key->name, key->value, now))
      add_difference(&d, key->name, key->value, now);
  }
  for (size_t k = 0; k < c->now.count; k++) {
    const case_key *key = &c->now.list[k];
    if (!keys_find(&c->before, key->name) && !is_allowed(context, key->name, NULL, key->value))
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
  (void)context, (void)before, (void)now;
  return dem_key_rule_of(name) != KEY_OF_CONTACTS;
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
  double old = number_of(before), new = number_of(now);
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

/* ---- Continuing -------------------------------------------------------------------------------------------------- */

/* The number of the stage, from 1, of a key "stages.NUMBER.REST"; 0: another key. */
static long stage_of_key(const char *name)
{
  static const char start[] = "stages.";
  return begins_with(name, start) ? strtol(name + strlen(start), NULL, 10) + 1 : 0;
}

/* What the end of the present stage is made of: "steps" of "stages.0.until.steps". */
static const char *last_word(const char *name)
{
  return strrchr(name, '.') + 1;
}

typedef struct continuation {
  const dem_simulation *simulation;
  bool *end_differs;
} continuation;

/* Limits at which packing or the run is given up: the run so far would be the same with a higher limit. */
static bool limit_may_change(const dem_simulation *s, dem_key_rule rule, double before, double now)
{
  switch (rule) {
  case KEY_PACKING_LIMIT:
    return now > before || (s->stage.number == 0 && now > (double)s->stage.steps);
  case KEY_PACKING_BALANCE:
    return s->stage.number == 0 && now < before && s->search.report.trials == 0; /* a search has used it */
  case KEY_OVERLAP_LIMIT:
    return now > before;
  default:
    return false;
  }
}

static bool may_change(void *context, const char *name, const char *before, const char *now)
{
  const continuation *g = context;
  const dem_simulation *s = g->simulation;
  long number = stage_of_key(name);
  bool is_allowed;
  if (number > 0) {
    bool is_end = number == s->stage.number && dem_key_rule_of(name) == KEY_OF_END;
    is_allowed = number > s->stage.number || (is_end && end_is_ahead(s, last_word(name), before, now));
    *g->end_differs = *g->end_differs || is_end;
  } else {
    is_allowed = limit_may_change(s, dem_key_rule_of(name), number_of(before), number_of(now));
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

/* Has the control that the key "stages.0.control.xx.stress" or "stages.0.mean_stress.ramp" belongs to a ramp? */
static bool has_ramp(const dem_stage *stage, const char *name)
{
  const char *component = strstr(name, ".control.");
  const dem_control *control = &stage->mean_stress;
  for (int k = 0; component && k < DEM_COMPONENTS; k++)
    if (begins_with(component + strlen(".control."), dem_component_name((dem_component)k)))
      control = &stage->control[k];
  return control->kind == DEM_CONTROL_STRESS && control->ramp > 0;
}

/* Strain rates of such a stage depend on its past: on reversals, on the phase, on the pace so far. */
static bool has_memory(const dem_stage *stage)
{
  return stage->cyclic.on || stage->inertial_number > 0.0;
}

/* The reason why a key of the present stage cannot change; NULL: it can. */
static const char *refusal_of(const live_change *c, const char *name, const char *before, const char *now)
{
  const dem_simulation *s = c->simulation;
  const dem_stage *stage = &c->now->stages[s->stage.number - 1];
  bool is_fixed = has_memory(current_stage(s)) || has_memory(stage);
  const char *end = last_word(name);
  switch (dem_key_rule_of(name)) {
  case KEY_OF_END:
    if (is_fixed)
      return end_is_ahead(s, end, before, now) ? NULL : "the new end of the stage may have come already";
    if ((strcmp(end, "steps") == 0 && number_of(now) <= (double)s->stage.steps) ||
        (strcmp(end, "time") == 0 && number_of(now) <= s->stage.time))
      return "the new end of the stage has passed already: take a later one";
    return NULL;
  case KEY_OF_CONTROL:
    if (is_fixed)
      return "the control of a stage with cycles, paths or an inertial number cannot change before its end: end the "
             "stage, and put the new control into the next one";
    if (has_ramp(stage, name))
      return "a ramp counts from the start of the stage, which has passed: set its 'ramp' to 0, or put the ramp into "
             "a new stage";
    return NULL;
  case KEY_OF_LOADING:
    return NULL;
  default:
    return "in a stage that has begun, only control, friction, damping and the end can change";
  }
}

static bool may_change_now(void *context, const char *name, const char *before, const char *now)
{
  live_change *c = context;
  const char *reason = NULL;
  long number = stage_of_key(name), present = c->simulation->stage.number;
  if (number > present)
    return true;
  if (number == present && number > 0) {
    bool is_end = dem_key_rule_of(name) == KEY_OF_END;
    reason = refusal_of(c, name, before, now);
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
