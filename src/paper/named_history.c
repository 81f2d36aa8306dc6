/* SPDX-License-Identifier: MIT */
/* Equivalent load histories with the names that the paper gives to their points. */
#include "named_history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static bool is_same_zeta(double a, double b)
{
  return fabs(a - b) <= 1e-12 * fabs(b);
}

/* The point of the history at this ζ; -1 if there is none. */
static int find_point(const named_history *in, double zeta)
{
  for (int k = 0; k < in->count; k++)
    if (is_same_zeta(in->points[k].zeta, zeta))
      return k;
  return -1;
}

/*
 * Names the points of a history after a movement, given the history before it. The top has the number of the
 * movement. Points that existed before keep their names. A point at which a segment was cut is named after the number
 * of the point at which the segment starts, as 1a; if that point was made by a cut itself, after the next number: 7a,
 * where 6a-8 was cut.
 */
static void name_points(named_history *now, const named_history *before, int movement)
{
  for (int k = 0; k < now->count; k++) {
    int old = find_point(before, now->points[k].zeta);
    if (k + 1 == now->count && movement > 0)
      snprintf(now->labels[k], NAMED_HISTORY_LABEL_SIZE, "%d", movement);
    else if (old >= 0)
      memcpy(now->labels[k], before->labels[old], NAMED_HISTORY_LABEL_SIZE);
    else {
      char *end;
      long number = strtol(now->labels[k - 1], &end, 10);
      snprintf(now->labels[k], NAMED_HISTORY_LABEL_SIZE, "%lda", *end == 'a' ? number + 1 : number);
    }
  }
}

void named_history_print(const named_history *history, char *text, size_t size)
{
  size_t used = 0;
  for (int k = 0; k < history->count && used < size; k++)
    used += (size_t)snprintf(text + used, size - used, k > 0 ? "-%s" : "%s", history->labels[k]);
}

/* ---- Movements --------------------------------------------------------------------------------------------------- */

static bool read_history(const paper_contact *of, named_history *history, error_info *error)
{
  history->count = (int)jager_contact_length(&of->contact);
  if (!paper_check(jager_contact_history(&of->law, &of->contact, history->points, NAMED_HISTORY_MAX), error))
    return false;
  history->ft[0] = 0.0;
  for (int k = 1; k < history->count; k++)
    history->ft[k] = history->ft[k - 1] + history->points[k].p[0] * (history->points[k].fn - history->points[k - 1].fn);
  return true;
}

bool named_history_follow(paper_contact *of, const named_movement movements[], int count, named_stage stages[],
                          error_info *error)
{
  stages[0] = (named_stage){.history = {.count = 1, .labels = {"0"}}};
  for (int i = 0; i < count; i++) {
    const named_stage *before = &stages[i];
    named_stage *now = &stages[i + 1];
    const double dxi[2] = {1e-3 * movements[i][1], 0.0};
    now->zeta = before->zeta + 1e-3 * movements[i][0];
    now->xi = before->xi + dxi[0];
    if (!paper_contact_move(of, now->zeta, dxi, 1, &now->force, error) || !read_history(of, &now->history, error))
      return false;
    now->state = (jager_state)jager_contact_state(&of->contact);
    name_points(&now->history, &before->history, i + 1);
  }
  return true;
}

void named_history_add_movements(labelled_panel *panel, const named_stage stages[], int count)
{
  double before[2] = {0.0, 0.0};
  for (int i = 0; i <= count; i++) {
    const double at[2] = {1e3 * stages[i].zeta, 1e3 * stages[i].xi};
    char number[16];
    snprintf(number, sizeof number, "%d", i);
    labelled_panel_add_line(panel, before, at);
    labelled_panel_add_label(panel, number, at, "#000000");
    memcpy(before, at, sizeof before);
  }
}
