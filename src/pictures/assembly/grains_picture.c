/* SPDX-License-Identifier: MIT */
/* The picture of the grains and force chains at the end of a stage. */
#include "grains_picture.h"
#include "pictures/plot.h"
#include "plane.h"

#include <math.h>
#include <stdlib.h>

#define SLICE_DIAMETERS 1.5 /* thickness of the slice, in mean diameters */
#define WINDOW_MAX 20.0     /* widest window, in mean diameters */

/* ---- The slice --------------------------------------------------------------------------------------------------- */

/*
 * Positions as shares of the cell's edges: x = H f. An image of a sphere differs by whole numbers. `low` and `high` are
 * the shares between which the window lies; in the depth, the slice.
 */
typedef struct slice {
  const stage_contents *of;
  picture_plane plane;
  double diameter;        /* mean, m */
  double low[3], high[3]; /* shares, by axis */
  double spacing[3];      /* distance between opposite faces of the cell; in the plane, between its edges, m */
  double thickness;       /* m */
  bool is_whole;          /* the window shows the whole width of the cell */
  plot_unit unit, stress_unit;
  double mean_fn, mean_stress;
  double panel_width, panel_height; /* as shares of the picture */
  double pixels;                    /* of a unit of length */
} slice;

static double mean_diameter(const dem_snapshot *snapshot)
{
  double sum = 0.0;
  for (size_t i = 0; i < snapshot->sphere_count; i++)
    sum += 2.0 * snapshot->spheres[i].radius;
  return sum / (double)snapshot->sphere_count;
}

static double face_area(const double h[3][3], int i, int j)
{
  double x = h[1][i] * h[2][j] - h[2][i] * h[1][j], y = h[2][i] * h[0][j] - h[0][i] * h[2][j],
         z = h[0][i] * h[1][j] - h[1][i] * h[0][j];
  return sqrt(x * x + y * y + z * z);
}

/* Edges of the cell in the plane of the picture: the vector of edge `j`. */
static void edge_in_plane(const slice *s, int j, double edge[2])
{
  edge[0] = s->of->snapshot->cell[s->plane.across][j];
  edge[1] = s->of->snapshot->cell[s->plane.up][j];
}

static void find_spacing(slice *s)
{
  const double(*h)[3] = s->of->snapshot->cell;
  double a[2], b[2], volume = h[0][0] * h[1][1] * h[2][2];
  edge_in_plane(s, s->plane.across, a);
  edge_in_plane(s, s->plane.up, b);
  double area = fabs(a[0] * b[1] - a[1] * b[0]);
  s->spacing[s->plane.across] = area / hypot(b[0], b[1]);
  s->spacing[s->plane.up] = area / hypot(a[0], a[1]);
  s->spacing[s->plane.depth] = volume / face_area(h, s->plane.across, s->plane.up);
}

static void choose_window(slice *s)
{
  s->is_whole = true;
  for (int axis = 0; axis < 3; axis++) {
    double limit = axis == s->plane.depth ? SLICE_DIAMETERS : WINDOW_MAX;
    double share = fmin(limit * s->diameter / s->spacing[axis], 1.0);
    s->low[axis] = 0.5 - 0.5 * share;
    s->high[axis] = 0.5 + 0.5 * share;
    s->is_whole = s->is_whole && (axis == s->plane.depth || share >= 1.0);
  }
  s->thickness = (s->high[s->plane.depth] - s->low[s->plane.depth]) * s->spacing[s->plane.depth];
}

/* Means over all contacts, and over the stresses of all spheres. */
static void find_means(slice *s)
{
  const dem_snapshot *snapshot = s->of->snapshot;
  double force = 0.0, stress = 0.0;
  for (size_t k = 0; k < snapshot->contact_count; k++)
    force += snapshot->contacts[k].fn;
  for (size_t i = 0; i < snapshot->sphere_count; i++)
    stress += snapshot->spheres[i].pressure;
  s->mean_fn = snapshot->contact_count > 0 ? force / (double)snapshot->contact_count : 0.0;
  s->mean_stress = stress / (double)snapshot->sphere_count;
}

static slice make_slice(const stage_contents *of)
{
  slice s = {.of = of, .plane = of->plane, .diameter = mean_diameter(of->snapshot)};
  find_spacing(&s);
  choose_window(&s);
  find_means(&s);
  s.unit = plot_unit_for(fmin(WINDOW_MAX * s.diameter, fmax(s.spacing[s.plane.across], s.spacing[s.plane.up])));
  s.stress_unit = plot_unit_for(s.mean_stress);
  return s;
}

/* A sphere belongs to the slice if its centre does, or if it cuts the middle of the slice. */
static bool is_in_slice(const slice *s, const double f[3], double radius)
{
  double distance = fabs(f[s->plane.depth] - 0.5) * s->spacing[s->plane.depth];
  return distance <= fmax(0.5 * s->thickness, radius) || s->high[s->plane.depth] >= 1.0;
}

/* `margin` is a length, m. */
static bool is_in_window(const slice *s, const double f[3], double margin)
{
  const int axes[2] = {s->plane.across, s->plane.up};
  for (int k = 0; k < 2; k++) {
    double share = margin / s->spacing[axes[k]];
    if (f[axes[k]] < s->low[axes[k]] - share || f[axes[k]] >= s->high[axes[k]] + share)
      return false;
  }
  return true;
}

/* The place of shares in the picture, in its unit. */
static void find_place(const slice *s, const double f[3], double place[2])
{
  const double(*h)[3] = s->of->snapshot->cell;
  const int rows[2] = {s->plane.across, s->plane.up}, depth = s->plane.depth;
  for (int k = 0; k < 2; k++) {
    double sum = (f[depth] - 0.5) * h[rows[k]][depth];
    sum += f[s->plane.across] * h[rows[k]][s->plane.across] + f[s->plane.up] * h[rows[k]][s->plane.up];
    place[k] = s->unit.factor * sum;
  }
}

/* The image number 0 … 8 of shares: shifted by -1, 0 or 1 along each edge of the plane. */
enum { IMAGES = 9 };

static void find_image(const slice *s, const double f[3], int image, double shifted[3])
{
  for (int k = 0; k < 3; k++)
    shifted[k] = f[k];
  const int across = image % 3 - 1, up = image / 3 - 1;
  shifted[s->plane.across] += across;
  shifted[s->plane.up] += up;
}

/* ---- Grains ------------------------------------------------------------------------------------------------------ */

/*
 * Lines "x y radius stress" of the grains that touch the window: those whose centres lie inside, or those outside.
 * gnuplot wants one line at least.
 */
static void write_grains(const slice *s, const char *name, bool are_inside, FILE *script)
{
  const dem_snapshot *snapshot = s->of->snapshot;
  fprintf(script, "%s << EOD\nNaN NaN NaN NaN\n", name);
  for (size_t k = 0; k < snapshot->sphere_count; k++) {
    const dem_sphere_view *sphere = &snapshot->spheres[s->of->order[k]];
    double shares[3], f[3], place[2];
    cell_shares(snapshot->cell, sphere->position, shares);
    for (int image = 0; image < IMAGES && is_in_slice(s, shares, sphere->radius); image++) {
      find_image(s, shares, image, f);
      if (!is_in_window(s, f, sphere->radius) || is_in_window(s, f, 0.0) != are_inside)
        continue;
      find_place(s, f, place);
      fprintf(script, "%.5g %.5g %.5g %.4g\n", place[0], place[1], s->unit.factor * sphere->radius,
              s->stress_unit.factor * sphere->pressure);
    }
  }
  fprintf(script, "EOD\n");
}

/* ---- Force chains ------------------------------------------------------------------------------------------------ */

/* Lines of one width stand together: class k has normal forces around k CLASS_STEP times the mean. */
#define CLASS_STEP 0.25
enum { CLASSES = 17 };

static int class_of(const slice *s, double fn)
{
  double number = s->mean_fn > 0.0 ? floor(fn / (CLASS_STEP * s->mean_fn) + 0.5) : 0.0;
  return number < 0.0 ? 0 : number > CLASSES - 1 ? CLASSES - 1 : (int)number;
}

static int compare_ids(const void *key, const void *element)
{
  uint32_t id = *(const uint32_t *)key, other = ((const dem_sphere_view *)element)->id;
  return id < other ? -1 : id > other;
}

static const dem_sphere_view *find_sphere(const dem_snapshot *snapshot, uint32_t id)
{
  return bsearch(&id, snapshot->spheres, snapshot->sphere_count, sizeof *snapshot->spheres, compare_ids);
}

/* The shares of both ends of a contact; false if one of its spheres is not in the slice. */
static bool find_ends(const slice *s, const dem_contact_view *contact, double from[3], double to[3])
{
  const dem_snapshot *snapshot = s->of->snapshot;
  const dem_sphere_view *first = find_sphere(snapshot, contact->ids[0]),
                        *second = find_sphere(snapshot, contact->ids[1]);
  if (!first || !second)
    return false;
  double branch[3];
  cell_shares(snapshot->cell, first->position, from);
  cell_shares(snapshot->cell, contact->branch, branch);
  for (int k = 0; k < 3; k++)
    to[k] = from[k] + branch[k];
  return is_in_slice(s, from, first->radius) && is_in_slice(s, to, second->radius);
}

static void write_chain(const slice *s, const double from[3], const double to[3], FILE *script)
{
  double start[3], end[3], a[2], b[2];
  for (int image = 0; image < IMAGES; image++) {
    find_image(s, from, image, start);
    find_image(s, to, image, end);
    if (!is_in_window(s, start, 0.0) && !is_in_window(s, end, 0.0))
      continue;
    find_place(s, start, a);
    find_place(s, end, b);
    fprintf(script, "%.5g %.5g\n%.5g %.5g\n\n", a[0], a[1], b[0], b[1]);
  }
}

/* A block of data for each class: lines of two points. gnuplot wants one point at least. */
static void write_chains(const slice *s, FILE *script)
{
  const dem_snapshot *snapshot = s->of->snapshot;
  for (int k = 0; k < CLASSES; k++) {
    fprintf(script, "$chains%d << EOD\nNaN NaN\n\n", k);
    for (size_t i = 0; i < snapshot->contact_count; i++) {
      double from[3], to[3];
      if (class_of(s, snapshot->contacts[i].fn) == k && find_ends(s, &snapshot->contacts[i], from, to))
        write_chain(s, from, to, script);
    }
    fprintf(script, "EOD\n");
  }
}

/* Width of a line in pixels: a fraction of a mean grain, in proportion to the force. */
static double width_of(const slice *s, double over_mean)
{
  return fmax(0.065 * over_mean * s->pixels * s->diameter * s->unit.factor, 0.3);
}

/* ---- Panels ------------------------------------------------------------------------------------------------------ */

/* The corners of the window. */
static void write_outline(const slice *s, plot_range range[2], FILE *script)
{
  static const int corners[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
  fprintf(script, "$cell << EOD\n");
  for (int k = 0; k < 5; k++) {
    double f[3], place[2];
    f[s->plane.depth] = 0.5;
    f[s->plane.across] = corners[k][0] ? s->high[s->plane.across] : s->low[s->plane.across];
    f[s->plane.up] = corners[k][1] ? s->high[s->plane.up] : s->low[s->plane.up];
    find_place(s, f, place);
    for (int i = 0; i < 2; i++)
      plot_range_widen(&range[i], place[i]);
    fprintf(script, "%.6g %.6g\n", place[0], place[1]);
  }
  fprintf(script, "EOD\n");
}

/* Room for a panel with its legend, as shares of a picture that is twice as wide as it is high. */
#define PANEL_WIDTH 0.38
#define PANEL_HEIGHT 0.735
#define PICTURE_PIXELS 1300.0

/* The panels have the same scale across and up, as large as there is room. */
static void write_axes(slice *s, FILE *script)
{
  plot_range range[2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
  double margin = 0.55 * s->unit.factor * s->diameter;
  write_outline(s, range, script);
  double width = range[0].high - range[0].low + 2.0 * margin, height = range[1].high - range[1].low + 2.0 * margin;
  double scale = fmin(PANEL_WIDTH / width, 0.5 * PANEL_HEIGHT / height); /* of the picture's width, by a unit */
  s->pixels = scale * PICTURE_PIXELS;
  s->panel_width = scale * width;
  s->panel_height = 2.0 * scale * height;
  fprintf(script, "unset grid\nset xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\n", range[0].low - margin,
          range[0].high + margin, range[1].low - margin, range[1].high + margin);
  fprintf(script, "set xlabel '{/:Italic %c}  (%sm)'\nset ylabel '{/:Italic %c}  (%sm)' offset 0.3,0\n",
          picture_axis_name(s->plane.across), s->unit.prefix, picture_axis_name(s->plane.up), s->unit.prefix);
}

/* The panel stands in the middle of its half. */
static void write_place(const slice *s, double left, FILE *script)
{
  double middle = left + 0.5 * PANEL_WIDTH, height = 0.105 + 0.5 * PANEL_HEIGHT;
  fprintf(script, "set lmargin at screen %.5f\nset rmargin at screen %.5f\n", middle - 0.5 * s->panel_width,
          middle + 0.5 * s->panel_width);
  fprintf(script, "set bmargin at screen %.5f\nset tmargin at screen %.5f\n", height - 0.5 * s->panel_height,
          height + 0.5 * s->panel_height);
}

#define OUTLINE "$cell using 1:2 with lines lw 1.4 dt (8,5) lc rgb '#222222' notitle"

#define OUTSIDE "$outside using 1:2:3 with circles fs solid border lc rgb '#c8c8c8' fc rgb '#f2f2f2' lw 0.6 notitle"

/* The palette grows darker evenly, so that it survives grey. */
static void write_stress_panel(const slice *s, FILE *script)
{
  double most = s->mean_stress > 0.0 ? 3.0 * s->stress_unit.factor * s->mean_stress : 1.0;
  write_place(s, 0.065, script);
  fprintf(script,
          "set palette defined (0 '#f7f4ea', 1 '#c9c7a8', 2 '#7aa39a', 3 '#3b6d8c', 4 '#15305c')\n"
          "set cbrange [0:%.6g]\nset cblabel 'mean stress of a grain  (%sPa)'\n"
          "set colorbox user origin graph 1.03,graph 0 size 0.014,graph 1\n"
          "plot " OUTSIDE ", \\\n"
          "  $inside using 1:2:3:4 with circles fs solid border lc rgb '#444444' fc palette lw 0.6 notitle, \\\n"
          "  " OUTLINE "\n",
          most, s->stress_unit.prefix);
}

static void write_chain_panel(const slice *s, FILE *script)
{
  const plot_unit unit = plot_unit_for(s->mean_fn);
  write_place(s, 0.6, script);
  fprintf(script, "unset colorbox\nplot " OUTSIDE ", \\\n"
                  "  $inside using 1:2:3 with circles fs solid border lc rgb '#bbbbbb' fc rgb '#e9e9e9' lw 0.6 "
                  "notitle, \\\n");
  for (int k = 0; k < CLASSES; k++)
    fprintf(script, "  $chains%d using 1:2 with lines lw %.3g lc rgb '%s' notitle, \\\n", k,
            width_of(s, fmax((double)k, 0.5) * CLASS_STEP), k * CLASS_STEP < 1.0 ? "#8fa3b8" : "#7d1d1d");
  fprintf(script, "  NaN with lines lw %.3g lc rgb '#8fa3b8' title 'half the mean normal force  ', \\\n",
          width_of(s, 0.5));
  fprintf(script, "  NaN with lines lw %.3g lc rgb '#7d1d1d' title '3 times the mean, %.3g %sN  ', \\\n",
          width_of(s, 3.0), 3.0 * unit.factor * s->mean_fn, unit.prefix);
  fprintf(script, "  " OUTLINE "\n");
}

void grains_picture_write(const void *contents, const char *terminal, FILE *script)
{
  slice s = make_slice(contents);
  char more[160];
  snprintf(more, sizeof more, "slice of %.3g %sm thickness%s, step %ld", s.unit.factor * s.thickness, s.unit.prefix,
           s.is_whole ? "" : ", middle of the cell", s.of->snapshot->step);
  plot_write_style(terminal, 1, 3.0, script);
  stage_contents_begin(s.of, more, script);
  write_axes(&s, script);
  write_grains(&s, "$inside", true, script);
  write_grains(&s, "$outside", false, script);
  write_chains(&s, script);
  write_stress_panel(&s, script);
  write_chain_panel(&s, script);
  fprintf(script, "unset multiplot\n");
}
