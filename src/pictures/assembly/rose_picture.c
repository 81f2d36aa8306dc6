/* SPDX-License-Identifier: MIT */
/* The rose of contact directions at the end of a stage. */
#include "rose_picture.h"
#include "pictures/plot.h"

#include <math.h>

#define PI 3.14159265358979323846
#define ANISOTROPY_LEAST 1e-6 /* below, the direction is that of rounding errors */

/* ---- The histogram ----------------------------------------------------------------------------------------------- */

/* Sectors have the axes in their middles: normals along an axis are in one sector, whatever their rounding. */
static int bin_of(double across, double up)
{
  int bin = (int)floor(atan2(up, across) * (ROSE_BINS / (2.0 * PI)) + 0.5);
  return (bin + ROSE_BINS) % ROSE_BINS;
}

rose rose_of(const dem_snapshot *snapshot, picture_plane plane, bool weighs_forces)
{
  rose made = {.is_empty = true};
  double sum = 0.0, cosine = 0.0, sine = 0.0;
  for (size_t k = 0; k < snapshot->contact_count; k++) {
    const dem_contact_view *contact = &snapshot->contacts[k];
    double x = contact->normal[plane.across], y = contact->normal[plane.up];
    double weight = weighs_forces ? contact->fn : 1.0, share = weight * (x * x + y * y);
    int bin = bin_of(x, y);
    made.radius[bin] += share;
    made.radius[(bin + ROSE_BINS / 2) % ROSE_BINS] += share;
    sum += share;
    cosine += weight * (x * x - y * y);
    sine += weight * 2.0 * x * y;
  }
  if (!(sum > 0.0))
    return made;
  made.is_empty = false;
  for (int k = 0; k < ROSE_BINS; k++)
    made.radius[k] *= 0.5 * ROSE_BINS / sum;
  made.anisotropy = 2.0 * hypot(cosine, sine) / sum;
  double direction = 0.5 * atan2(sine, cosine) * (180.0 / PI);
  made.direction = made.anisotropy < ANISOTROPY_LEAST ? 0.0 : direction < 0.0 ? direction + 180.0 : direction;
  return made;
}

/* ---- Drawing ----------------------------------------------------------------------------------------------------- */

static double largest_radius(const rose *of)
{
  double largest = 1.0 + of->anisotropy;
  for (int k = 0; k < ROSE_BINS; k++)
    largest = fmax(largest, of->radius[k]);
  return largest;
}

/* A closed outline of all sectors: an arc each, from the radius of one to that of the next. */
static void write_sectors(const rose *of, FILE *script)
{
  enum { ARC = 10 };
  fprintf(script, "$sectors << EOD\n");
  for (int k = 0; k < ROSE_BINS; k++) {
    fprintf(script, "0 0\n");
    for (int i = 0; i <= ARC; i++) {
      double angle = 2.0 * PI * (k - 0.5 + (double)i / ARC) / ROSE_BINS;
      fprintf(script, "%.5f %.5f\n", of->radius[k] * cos(angle), of->radius[k] * sin(angle));
    }
    fprintf(script, "0 0\n\n");
  }
  fprintf(script, "EOD\n");
}

/* The distance between circles of the web: at most five of them. */
static double web_step(double largest)
{
  return largest <= 2.5 ? 0.5 : largest <= 5.0 ? 1.0 : ceil(0.2 * largest);
}

/* Circles with their numbers, and spokes every 30 degrees. */
static void write_web(double largest, FILE *script)
{
  double step = web_step(largest);
  for (int k = 1; k <= (int)lround(largest / step); k++) {
    double r = step * k;
    fprintf(script, "set object circle at 0,0 size %g fs empty border lc rgb '#cccccc' lw 0.8\n", r);
    fprintf(script, "set label '%g' at %g,%g left offset 0.2,0.5 front font ',10' textcolor rgb '#555555'\n", r,
            r * cos(PI / 12.0), r * sin(PI / 12.0));
  }
  for (int k = 0; k < 12; k++)
    fprintf(script, "set arrow from 0,0 to %.5f,%.5f nohead lw 0.6 lc rgb '#dddddd'\n", largest * cos(k * PI / 6.0),
            largest * sin(k * PI / 6.0));
}

static void write_directions(picture_plane plane, double largest, FILE *script)
{
  double at = 1.07 * largest;
  fprintf(script,
          "set label '{/:Italic %c}' at %g,0 center front\nset label '{/:Italic %c}' at 0,%g center front\n"
          "set label '−{/:Italic %c}' at %g,0 center front\nset label '−{/:Italic %c}' at 0,%g center front\n",
          picture_axis_name(plane.across), at, picture_axis_name(plane.up), at, picture_axis_name(plane.across), -at,
          picture_axis_name(plane.up), -at);
}

static void write_curves(const rose *of, const char *what, FILE *script)
{
  if (of->is_empty) {
    fprintf(script, "set label 'no contacts' at 0,0 center textcolor rgb '#666666'\nplot NaN notitle\n");
    return;
  }
  write_sectors(of, script);
  fprintf(
      script,
      "r(t) = 1 + %.8g*cos(2*(t - %.8g))\n"
      "plot $sectors using 1:2 with filledcurves closed fs solid 0.45 border lc rgb '#15396b' lw 0.6 fc rgb '#5b84b1' "
      "title '%s  ', \\\n"
      "  [t=0:2*pi] '+' using (cos(t)):(sin(t)) with lines lw 1.6 dt (6,5) lc rgb '#444444' title 'isotropic  ', \\\n"
      "  [t=0:2*pi] '+' using (r(t)*cos(t)):(r(t)*sin(t)) with lines lw 3 lc rgb '#c8552b' "
      "title '1 + %.3f cos 2(θ − %.1f°)  '\n",
      of->anisotropy, of->direction * (PI / 180.0), what, of->anisotropy, of->direction);
}

static void write_panel(const rose *of, picture_plane plane, double largest, const char *what, FILE *script)
{
  fprintf(script, "unset object\nunset arrow\nunset label\n");
  write_web(largest, script);
  write_directions(plane, largest, script);
  write_curves(of, what, script);
}

void rose_picture_write(const void *contents, const char *terminal, FILE *script)
{
  const stage_contents *of = contents;
  const rose number = rose_of(of->snapshot, of->plane, false), force = rose_of(of->snapshot, of->plane, true);
  double most = fmax(largest_radius(&number), largest_radius(&force));
  double largest = web_step(most) * ceil(most / web_step(most) - 1e-9);
  char more[160];
  snprintf(more, sizeof more, "directions of %zu contacts in the %c–%c plane, step %ld", of->snapshot->contact_count,
           picture_axis_name(of->plane.across), picture_axis_name(of->plane.up), of->snapshot->step);
  plot_write_style(terminal, 3, 3.0, script);
  stage_contents_begin(of, more, script);
  fprintf(script,
          "unset border\nunset tics\nunset grid\nset size ratio -1\nset samples 361\nset xrange [%g:%g]\n"
          "set yrange [%g:%g]\nset bmargin at screen 0.04\nset tmargin at screen 0.8\n",
          -1.15 * largest, 1.15 * largest, -1.15 * largest, 1.15 * largest);
  fprintf(script, "set lmargin at screen 0.03\nset rmargin at screen 0.47\n");
  write_panel(&number, of->plane, largest, "contacts", script);
  fprintf(script, "set lmargin at screen 0.53\nset rmargin at screen 0.97\n");
  write_panel(&force, of->plane, largest, "normal forces", script);
  fprintf(script, "unset multiplot\n");
}
