/* SPDX-License-Identifier: MIT */
/* Mindlin and Deresiewicz' proportional loading and unloading. */
#include "oblique.h"

#include <math.h>

oblique_path oblique_path_of_paper(void)
{
  oblique_path of = {.law = paper_law(), .path = {.fn_start = 0.004, .ratio = 4.0}};
  const double share = OBLIQUE_LIMIT * of.law.friction / of.path.ratio;
  of.path.fn_peak = of.path.fn_start / (1.0 - share);
  of.fn_end = of.path.fn_peak * (1.0 - share) / (1.0 + share);
  return of;
}

bool oblique_point_at(const oblique_path *of, double way, oblique_point *point, error_info *error)
{
  const bool is_back = way > 1.0;
  const double from = is_back ? of->path.fn_peak : of->path.fn_start, to = is_back ? of->fn_end : of->path.fn_peak;
  point->fn = from + (to - from) * (is_back ? way - 1.0 : way);
  point->zeta = pow(point->fn / of->law.modulus, 2.0 / 3.0); /* Hertz, R = 1 */
  return paper_check(jager_mindlin_oblique(&of->law, 1.0, &of->path, point->fn, is_back, &point->ft, &point->xi),
                     error);
}

bool oblique_drive(const oblique_path *of, paper_contact *contact, oblique_point *at, double way, jager_force *force,
                   error_info *error)
{
  oblique_point next;
  if (!oblique_point_at(of, way, &next, error))
    return false;
  const double dxi[2] = {next.xi - at->xi, 0.0};
  *at = next;
  return paper_contact_move(contact, next.zeta, dxi, 1, force, error);
}

bool oblique_start(const oblique_path *of, jager_model model, paper_contact *contact, oblique_point *at,
                   error_info *error)
{
  jager_law law = of->law;
  const double none[2] = {0.0, 0.0};
  *contact = (paper_contact){.pool = NULL};
  return paper_check(jager_law_set_model(&law, model), error) && paper_contact_open(contact, &law, error) &&
         oblique_point_at(of, 0.0, at, error) && paper_contact_move(contact, at->zeta, none, 1, NULL, error);
}

bool oblique_error(const oblique_path *of, jager_model model, int steps, double *largest, paper_table *table,
                   error_info *error)
{
  paper_contact contact;
  oblique_point at;
  jager_force force = {.ft = {0.0, 0.0}};
  double worst = 0.0, peak = 0.0;
  bool done = oblique_start(of, model, &contact, &at, error);
  for (int i = 0; done && i <= steps; i++) {
    if (i > 0)
      done = oblique_drive(of, &contact, &at, 2.0 * i / steps, &force, error);
    worst = fmax(worst, fabs(force.ft[0] - at.ft));
    peak = fmax(peak, fabs(at.ft));
    if (table)
      fprintf(table->stream, "%s,%d,%d,%.9g,%.9g,%.9g,%.9g\n", jager_model_name(model), steps, i, at.xi,
              at.fn / of->path.fn_start, force.ft[0] / of->path.fn_start, at.ft / of->path.fn_start);
  }
  paper_contact_close(&contact);
  *largest = worst / peak;
  return done;
}
