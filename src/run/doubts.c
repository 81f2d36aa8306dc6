/* SPDX-License-Identifier: MIT */
/* Doubts about the result of a run. */
#include "doubts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct doubt_text {
  double limit;
  const char *what, *remedy;
} doubt_text;

#define DOUBT_TEXT(name, limit, what, remedy) {limit, what, remedy},
static const doubt_text doubt_texts[RUN_DOUBT_KINDS] = {RUN_DOUBT_LIST(DOUBT_TEXT)};
#undef DOUBT_TEXT

/* Stresses load the assembly if their work exceeds this share of the stored energy: otherwise it only comes to rest. */
#define WORK_LEAST 0.1

/* The energy balance is judged if this share of the stored energy has been transferred: below it is rounding error. */
#define MOVED_LEAST 1e-6

/* A target that is nearly zero is compared with this share of the largest one. */
#define TARGET_LEAST 0.1

double run_doubt_limit(run_doubt_kind kind)
{
  return doubt_texts[kind].limit;
}

const char *run_doubt_what(run_doubt_kind kind)
{
  return doubt_texts[kind].what;
}

const char *run_doubt_remedy(run_doubt_kind kind)
{
  return doubt_texts[kind].remedy;
}

const char *run_stage_name(const dem_case *run, int stage)
{
  return stage == 0 ? "packing" : run->stages[stage - 1].name;
}

stage_rows run_stage_rows(const series_table *table, int stage)
{
  stage_rows rows = {0};
  const double *stages = SERIES_COLUMN(table, stage);
  for (size_t row = 0; row < table->rows; row++)
    if ((int)stages[row] == stage) {
      rows.first = rows.count++ == 0 ? row : rows.first;
      rows.last = row;
    }
  return rows;
}

/* ---- Quantiles --------------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

/* The quantile of the values: the share `rank` of them does not exceed it; NAN of no values. Sorts the values. */
static double quantile(double values[], size_t count, double rank)
{
  for (size_t i = 0; i < count; i++)
    if (isnan(values[i]))
      values[i] = INFINITY;
  if (count > 1)
    qsort(values, count, sizeof *values, compare);
  size_t at = (size_t)ceil(rank * (double)count);
  return count == 0 ? NAN : values[at > 0 ? at - 1 : 0];
}

/* ---- Stress targets ---------------------------------------------------------------------------------------------- */

/* A stage of the series. */
typedef struct stage_view {
  const series_table *table;
  const dem_case *run;
  int stage;
  stage_rows rows;
} stage_view;

/* A stress target of a stage, and the stress. */
typedef struct target {
  dem_control control; /* of kind DEM_CONTROL_STRESS, otherwise there is no target */
  double stress, start;
} target;

static double stress_at(const stage_view *view, int k, size_t row)
{
  const size_t first = offsetof(dem_measures, stress_xx) / sizeof(double);
  return k == RUN_MEAN_STRESS ? SERIES_COLUMN(view->table, p)[row] : view->table->columns[first + (size_t)k][row];
}

static target target_of(const stage_view *view, int k, size_t row)
{
  const dem_control none = {.kind = DEM_CONTROL_STRAIN_RATE};
  const dem_stage *stage = view->stage > 0 ? &view->run->stages[view->stage - 1] : NULL;
  target t = {.stress = stress_at(view, k, row), .start = stress_at(view, k, view->rows.first)};
  if (!stage)
    t.control = k == RUN_MEAN_STRESS
                    ? (dem_control){.kind = DEM_CONTROL_STRESS, .value = view->run->assembly.packing.pressure}
                    : none;
  else if (k == RUN_MEAN_STRESS)
    t.control = stage->mean_stress_is_held ? stage->mean_stress : none;
  else
    t.control = stage->control[k];
  return t;
}

/* The largest relative deviation from a target, and `which` target it is. It is infinite if a stress is not finite. */
static double deviation_at(const stage_view *view, size_t row, int *which)
{
  const double *step = SERIES_COLUMN(view->table, step);
  double steps = step[row] - step[view->rows.first], largest = 0.0, most = 0.0;
  for (int k = 0; k <= RUN_MEAN_STRESS; k++) {
    target t = target_of(view, k, row);
    if (t.control.kind == DEM_CONTROL_STRESS)
      largest = fmax(largest, fabs(t.control.value));
  }
  double scale = TARGET_LEAST * (largest > 0.0 ? largest : fabs(SERIES_COLUMN(view->table, p)[row]));
  *which = RUN_MEAN_STRESS;
  for (int k = 0; k <= RUN_MEAN_STRESS; k++) {
    target t = target_of(view, k, row);
    if (t.control.kind != DEM_CONTROL_STRESS)
      continue;
    double ramp = (double)t.control.ramp; /* as in drive.c */
    double now = steps > ramp ? t.control.value : t.start + steps / (ramp + 1.0) * (t.control.value - t.start);
    double deviation = fabs(t.stress - now) / fmax(fabs(now), scale);
    if (!(deviation <= most)) {
      most = isnan(deviation) ? INFINITY : deviation;
      *which = k;
    }
  }
  return most;
}

static bool is_beyond(run_doubt_kind kind, double value)
{
  return !(value <= doubt_texts[kind].limit);
}

/*
 * The column servo_error compares with the present target of the servo, but divides by targets that may be nearly
 * zero; deviation_at does not. A stress deviates if both say so.
 */
static double servo_error_at(const stage_view *view, size_t row)
{
  int which;
  double column = SERIES_COLUMN(view->table, servo_error)[row], deviation = deviation_at(view, row, &which);
  return fmin(deviation, isnan(column) ? INFINITY : column);
}

static void judge_servo(const stage_view *view, stage_verdict *verdict, double scratch[])
{
  size_t first = view->stage > 0 ? view->rows.first + view->rows.count / 10 : view->rows.last, count = 0;
  first = first == view->rows.first && view->rows.count > 1 ? first + 1 : first;
  size_t reached = first; /* a distant target is not held before it has been reached */
  while (reached < view->rows.last && is_beyond(DOUBT_SERVO, servo_error_at(view, reached)))
    reached++;
  first = reached < view->rows.last ? reached : first;
  for (size_t row = first; row <= view->rows.last; row++) {
    scratch[count] = servo_error_at(view, row);
    verdict->servo_error_max = fmax(verdict->servo_error_max, scratch[count++]);
  }
  bool has_targets = false;
  for (int k = 0; k <= RUN_MEAN_STRESS; k++)
    has_targets = has_targets || target_of(view, k, view->rows.last).control.kind == DEM_CONTROL_STRESS;
  verdict->servo_error_max = has_targets ? verdict->servo_error_max : NAN;
  verdict->servo_error_end = servo_error_at(view, view->rows.last);
  verdict->servo_error = fmax(quantile(scratch, count, 0.9), deviation_at(view, view->rows.last, &verdict->servo));
}

/* ---- Other measures ---------------------------------------------------------------------------------------------- */

/* Medians over the rows in which the assembly has stress, and the largest loss of stress. */
static void judge_motion(const stage_view *view, stage_verdict *verdict, double scratch[])
{
  const double *p = SERIES_COLUMN(view->table, p);
  double wanted = INFINITY; /* the lowest mean stress that targets allow: a stress that is asked for is not lost */
  for (int k = 0; k <= RUN_MEAN_STRESS; k++) {
    target t = target_of(view, k, view->rows.last);
    if (t.control.kind == DEM_CONTROL_STRESS && (k <= DEM_ZZ || k == RUN_MEAN_STRESS))
      wanted = fmin(wanted, 0.3 * t.control.value); /* the other normal stresses may be zero */
  }
  const double *columns[] = {SERIES_COLUMN(view->table, inertial_number), SERIES_COLUMN(view->table, unbalanced)};
  double *results[] = {&verdict->inertial_number, &verdict->unbalanced};
  for (int c = 0; c < 2; c++) {
    double largest = fmax(0.0, p[view->rows.first]), least = 1.0;
    size_t count = 0;
    for (size_t row = view->rows.first + (view->rows.count > 1); row <= view->rows.last; row++) {
      largest = fmax(largest, p[row]);
      double left = largest > 0.0 && !(p[row] >= wanted) ? p[row] / largest : 1.0;
      least = fmin(least, left);
      if (left >= doubt_texts[DOUBT_STRESS_LOST].limit)
        scratch[count++] = columns[c][row];
    }
    *results[c] = quantile(scratch, count, 0.5);
    verdict->pressure_left = least;
  }
}

/* The share from the series; NAN if friction has not dissipated anything either. */
static double damping_share(const stage_view *view)
{
  const series_table *t = view->table;
  size_t first = view->rows.first, last = view->rows.last;
  double share = SERIES_COLUMN(t, damping_share)[last];
  double friction = SERIES_COLUMN(t, dissipated_friction)[last] - SERIES_COLUMN(t, dissipated_friction)[first];
  double stored = SERIES_COLUMN(t, stored_normal)[last] + SERIES_COLUMN(t, stored_tangential)[last];
  return share > 0.0 ? share : dem_damping_share(friction, 0.0, stored);
}

bool run_is_driven(const dem_control *control)
{
  bool is_strain = control->kind <= DEM_CONTROL_STRAIN || control->kind == DEM_CONTROL_STRAIN_PATH;
  return is_strain && control->value != 0.0;
}

/* Damping is for coming to rest: it is a doubt only in stages that load the assembly, by strains or by stresses. */
static bool is_loaded(const stage_view *view)
{
  const series_table *t = view->table;
  const dem_stage *stage = &view->run->stages[view->stage - 1];
  size_t first = view->rows.first, last = view->rows.last;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    if (run_is_driven(&stage->control[k]))
      return true;
  double work = SERIES_COLUMN(t, work)[last] - SERIES_COLUMN(t, work)[first];
  double before = SERIES_COLUMN(t, stored_normal)[first] + SERIES_COLUMN(t, stored_tangential)[first];
  double after = SERIES_COLUMN(t, stored_normal)[last] + SERIES_COLUMN(t, stored_tangential)[last];
  return stage->cyclic.on || fabs(work) > WORK_LEAST * fmax(before, after);
}

bool run_stage_judge(stage_verdict *verdict, const series_table *table, const dem_case *run, int stage, stage_rows rows)
{
  stage_view view = {table, run, stage, rows};
  size_t last = rows.last;
  double *scratch = malloc(rows.count * sizeof *scratch);
  *verdict = (stage_verdict){.pressure_left = 1.0, .damping_share = damping_share(&view)};
  if (!scratch)
    return false;
  judge_servo(&view, verdict, scratch);
  judge_motion(&view, verdict, scratch);
  free(scratch);
  double stored = SERIES_COLUMN(table, stored_normal)[last] + SERIES_COLUMN(table, stored_tangential)[last];
  double moved = fabs(SERIES_COLUMN(table, work)[last]) + fabs(SERIES_COLUMN(table, dissipated_friction)[last]) +
                 fabs(SERIES_COLUMN(table, dissipated_damping)[last]);
  verdict->energy_error = moved <= MOVED_LEAST * stored ? 0.0 : fabs(SERIES_COLUMN(table, energy_error)[last]);
  for (int k = DEM_XY; k <= DEM_YZ; k++)
    verdict->shear_left = fmax(verdict->shear_left, fabs(stress_at(&view, k, last)));
  return true;
}

/* ---- Doubts ------------------------------------------------------------------------------------------------------ */

/* Adds a doubt. The detail, by a format of printf, follows the value. False if there is no memory. */
__attribute__((format(printf, 6, 7))) static bool add(run_doubts *doubts, const stage_view *view, run_doubt_kind kind,
                                                      double value, double limit, const char *detail, ...)
{
  char note[160], bound[48] = "";
  va_list arguments;
  if (doubts->count == doubts->capacity) {
    size_t more = 2 * doubts->capacity + 16;
    run_doubt *grown = realloc(doubts->list, more * sizeof *grown);
    if (!grown)
      return false;
    doubts->list = grown;
    doubts->capacity = more;
  }
  run_doubt *doubt = &doubts->list[doubts->count++];
  va_start(arguments, detail);
  vsnprintf(note, sizeof note, detail, arguments);
  va_end(arguments);
  if (limit > 0.0)
    snprintf(bound, sizeof bound, ", limit %.3g", limit);
  *doubt = (run_doubt){.kind = kind, .stage = view->stage};
  snprintf(doubt->text, sizeof doubt->text, "stage '%s': %s %.3g%s%s: %s", run_stage_name(view->run, view->stage),
           doubt_texts[kind].what, value, note, bound, doubt_texts[kind].remedy);
  return true;
}

/* Adds the strain rate that would do, unless p misses its target: then the inertial number is not meaningful. */
static bool add_inertia(run_doubts *doubts, const stage_view *view, const stage_verdict *verdict)
{
  const dem_stage *stage = &view->run->stages[view->stage - 1];
  double limit = doubt_texts[DOUBT_INERTIA].limit, value = verdict->inertial_number;
  int k = -1; /* the fastest strain that the stage prescribes by step or rate */
  for (int i = 0; i < DEM_COMPONENTS; i++)
    if (stage->control[i].kind <= DEM_CONTROL_STRAIN_STEP && stage->control[i].value != 0.0 &&
        (k < 0 || fabs(stage->control[i].value) > fabs(stage->control[k].value)))
      k = i;
  if (k < 0 || is_beyond(DOUBT_SERVO, verdict->servo_error))
    return add(doubts, view, DOUBT_INERTIA, value, limit, "%s", "");
  const dem_control *control = &stage->control[k];
  return add(doubts, view, DOUBT_INERTIA, value, limit, " (at a %s of %.2g; about %.1g would do)",
             control->kind == DEM_CONTROL_STRAIN_RATE ? "strain_rate" : "strain_step", control->value,
             0.8 * limit / value * control->value);
}

/*
 * The stage was to be reversed, but has not come to a quarter of a cycle, nor to the end that it was given in cycles.
 * One that starts beyond the amplitude has half a cycle to its first reversal; at the centre it counts as reached.
 */
bool run_stage_has_not_reversed(const series_table *table, const dem_stage *stage, stage_rows rows)
{
  double cycles = SERIES_COLUMN(table, cycle)[rows.last];
  bool has_ended = stage->until.cycles > 0.0 && cycles >= stage->until.cycles;
  return stage->cyclic.on && !stage->cyclic.has_paths && cycles < 0.25 && !has_ended;
}

static bool find_in_stage(run_doubts *doubts, const stage_view *view, const stage_verdict *v)
{
  const dem_until *until = &view->run->stages[view->stage - 1].until;
  const double *step = SERIES_COLUMN(view->table, step), *time = SERIES_COLUMN(view->table, time);
  size_t first = view->rows.first, last = view->rows.last;
  double unbalanced = SERIES_COLUMN(view->table, unbalanced)[last];
  bool is_used_up = (until->steps > 0 && step[last] - step[first] >= (double)until->steps) ||
                    (until->time > 0.0 && time[last] - time[first] >= (1.0 - 1e-9) * until->time);
  bool done = !(v->inertial_number > doubt_texts[DOUBT_INERTIA].limit) || add_inertia(doubts, view, v);
  if (done && until->unbalanced == 0.0 && v->unbalanced > doubt_texts[DOUBT_UNBALANCED].limit)
    done = add(doubts, view, DOUBT_UNBALANCED, v->unbalanced, doubt_texts[DOUBT_UNBALANCED].limit, "%s", "");
  if (done && until->unbalanced > 0.0 && is_used_up && !(unbalanced < until->unbalanced))
    done = add(doubts, view, DOUBT_NO_REST, unbalanced, until->unbalanced, "%s", "");
  if (done && is_loaded(view) && v->damping_share > doubt_texts[DOUBT_DAMPING].limit)
    done = add(doubts, view, DOUBT_DAMPING, v->damping_share, doubt_texts[DOUBT_DAMPING].limit, "%s", "");
  if (done && is_beyond(DOUBT_ENERGY, v->energy_error))
    done = add(doubts, view, DOUBT_ENERGY, v->energy_error, doubt_texts[DOUBT_ENERGY].limit, "%s", "");
  if (done && !(v->pressure_left >= doubt_texts[DOUBT_STRESS_LOST].limit))
    done = add(doubts, view, DOUBT_STRESS_LOST, v->pressure_left, doubt_texts[DOUBT_STRESS_LOST].limit, "%s", "");
  if (done && run_stage_has_not_reversed(view->table, &view->run->stages[view->stage - 1], view->rows))
    done = add(doubts, view, DOUBT_NO_REVERSAL, SERIES_COLUMN(view->table, cycle)[last], 0.0, "%s", "");
  return done;
}

static bool find_in(run_doubts *doubts, const stage_view *view)
{
  stage_verdict v;
  const series_table *t = view->table;
  size_t last = view->rows.last;
  if (view->rows.count == 0)
    return add(doubts, view, DOUBT_NO_SERIES, 0.0, 0.0, "%s", "");
  if (!run_stage_judge(&v, t, view->run, view->stage, view->rows))
    return false;
  const double *essential[] = {SERIES_COLUMN(t, void_ratio),    SERIES_COLUMN(t, unbalanced),
                               SERIES_COLUMN(t, kinetic),       SERIES_COLUMN(t, work),
                               SERIES_COLUMN(t, stored_normal), SERIES_COLUMN(t, stored_tangential)};
  int not_finite = 0;
  for (size_t k = 0; k < sizeof essential / sizeof *essential; k++)
    not_finite += !isfinite(essential[k][last]);
  for (int k = 0; k <= RUN_MEAN_STRESS; k++)
    not_finite += !isfinite(stress_at(view, k, last));
  doubts->is_nonsense = doubts->is_nonsense || not_finite > 0 || v.servo_error_end > RUN_SERVO_NONSENSE ||
                        (view->stage > 0 && !(v.energy_error <= RUN_ENERGY_NONSENSE));
  bool done = not_finite == 0 || add(doubts, view, DOUBT_NOT_FINITE, not_finite, 0.0, "%s", "");
  if (done && is_beyond(DOUBT_SERVO, v.servo_error)) {
    target missed = target_of(view, v.servo, last);
    const char *name = dem_quantity_name((dem_quantity)(DEM_STRESS + v.servo)); /* p follows the components */
    done = add(doubts, view, DOUBT_SERVO, v.servo_error, doubt_texts[DOUBT_SERVO].limit,
               " (%s is %.4g Pa at the end, its target %.4g Pa)", name, missed.stress, missed.control.value);
  }
  double q = SERIES_COLUMN(t, q)[last], anisotropy = fmax(fabs(q), v.shear_left) / SERIES_COLUMN(t, p)[last];
  if (done && view->stage > 0)
    done = find_in_stage(doubts, view, &v);
  else if (done && is_beyond(DOUBT_ANISOTROPY, anisotropy))
    done = add(doubts, view, DOUBT_ANISOTROPY, anisotropy, doubt_texts[DOUBT_ANISOTROPY].limit,
               " (q %.3g Pa, shear stress %.3g Pa)", q, v.shear_left);
  double overlap = 0.0;
  for (size_t row = view->stage > 0 ? view->rows.first : last; row <= last; row++)
    overlap = fmax(overlap, SERIES_COLUMN(t, overlap_max)[row]);
  if (done && is_beyond(DOUBT_OVERLAP, overlap))
    done = add(doubts, view, DOUBT_OVERLAP, overlap, doubt_texts[DOUBT_OVERLAP].limit, "%s", "");
  return done;
}

bool run_doubts_find(run_doubts *doubts, const series_table *table, const dem_case *run)
{
  *doubts = (run_doubts){0};
  for (int stage = run->assembly.source == DEM_SOURCE_PACKING ? 0 : 1; stage <= run->stage_count; stage++) {
    stage_view view = {table, run, stage, run_stage_rows(table, stage)};
    if (!find_in(doubts, &view)) {
      run_doubts_free(doubts);
      return false;
    }
  }
  return true;
}

void run_doubts_free(run_doubts *doubts)
{
  free(doubts->list);
  *doubts = (run_doubts){0};
}
