/* SPDX-License-Identifier: MIT */
/* The picture of one path of a contact under several laws. */
#include "laws_picture.h"
#include "law_style.h"
#include "pictures/plot.h"

#include <math.h>
#include <string.h>

/* The picture with its units, and the tangential component that it shows: the one with the larger force. */
typedef struct figure {
  const laws_picture *of;
  int component;
  double whole; /* 2 if lengths are those of the shift 2ξ, else 1 */
  plot_unit length, force, energy, way;
  double least_energy; /* smaller ones are rounding */
} figure;

static void measure_path(const contact_path *path, plot_range xi[2], plot_range ft[2], plot_range *energy)
{
  for (size_t k = 0; k <= path->count; k++) {
    const contact_path_point *point = k < path->count ? &path->points[k] : &path->last;
    for (int i = 0; i < 2; i++) {
      plot_range_widen(&xi[i], point->xi[i]);
      plot_range_widen(&ft[i], point->ft[i]);
    }
    plot_range_widen(energy, point->dissipated);
  }
}

static figure measure(const laws_picture *of)
{
  plot_range xi[2] = {{0.0, 0.0}, {0.0, 0.0}}, ft[2] = {{0.0, 0.0}, {0.0, 0.0}}, energy = {0.0, 0.0};
  for (int k = 0; k < of->count; k++)
    measure_path(of->curves[k].path, xi, ft, &energy);
  const double whole = of->is_whole ? 2.0 : 1.0;
  int component = plot_range_size(ft[1]) > plot_range_size(ft[0]);
  return (figure){.of = of,
                  .component = component,
                  .whole = whole,
                  .length = plot_unit_for(whole * plot_range_size(xi[component])),
                  .force = plot_unit_for(plot_range_size(ft[component])),
                  .energy = plot_unit_for(plot_range_size(energy)),
                  .least_energy = 1e-12 * plot_range_size(xi[component]) * plot_range_size(ft[component]),
                  .way = plot_unit_for(whole * of->curves[0].path->last.way)};
}

static void write_point(const figure *f, const contact_path_point *point, FILE *script)
{
  fprintf(script, "%.9g %.9g %.9g %.9g\n", f->whole * f->length.factor * point->xi[f->component],
          f->force.factor * point->ft[f->component], f->whole * f->way.factor * point->way,
          f->energy.factor * point->dissipated);
}

static void write_data(const figure *f, FILE *script)
{
  for (int k = 0; k < f->of->count; k++) {
    const contact_path *path = f->of->curves[k].path;
    fprintf(script, "$law%d << EOD\n", k);
    for (size_t i = 0; i < path->count; i++)
      write_point(f, &path->points[i], script);
    write_point(f, &path->last, script);
    fprintf(script, "EOD\n");
  }
}

static void write_title(const figure *f, FILE *script)
{
  const char *slash = strrchr(f->of->path_name, '/');
  unsigned long long steps = f->of->curves[0].path->steps;
  fprintf(script, "set multiplot layout 1,2 margins 0.078,0.985,0.12,0.815 spacing 0.105 title \"");
  plot_write_text(slash ? slash + 1 : f->of->path_name, script);
  fprintf(script, ": f = %g, %llu step%s\" font ',14' noenhanced\n", f->of->friction, steps, steps == 1 ? "" : "s");
}

/* The legend of the left panel names the laws, that of the right panel the energies at the end. */
static void write_curves(const figure *f, int x, int y, FILE *script)
{
  fprintf(script, "plot ");
  for (int k = 0; k < f->of->count; k++) {
    const laws_picture_curve *curve = &f->of->curves[k];
    fprintf(script, "%s$law%d using %d:%d with lines %s title '", k > 0 ? ", " : "", k, x, y, law_style(k));
    double lost = curve->path->last.dissipated;
    if (y == 4)
      fprintf(script, "%s: %.4g %sJ'", curve->law, fabs(lost) < f->least_energy ? 0.0 : f->energy.factor * lost,
              f->energy.prefix);
    else
      fprintf(script, "%s'", curve->law);
  }
  fprintf(script, "\n");
}

void laws_picture_write(const void *contents, const char *terminal, FILE *script)
{
  const figure f = measure(contents);
  plot_write_style(terminal, 3, 2.5, script);
  write_data(&f, script);
  write_title(&f, script);
  fprintf(script, "set offsets graph 0.03, graph 0.03, graph 0.03, graph 0.03\nset key width -2\n");
  fprintf(script, "set xlabel '%s{/:Italic ξ}_%d  (%sm)'\nset ylabel '{/:Italic F}_{t%d}  (%sN)' offset 0.3,0\n",
          f.of->is_whole ? "shift 2" : "", f.component + 1, f.length.prefix, f.component + 1, f.force.prefix);
  write_curves(&f, 1, 2, script);
  fprintf(script, "set xzeroaxis lw 1 lc rgb '#555555'\nset xrange [0:*]\n");
  fprintf(script, "set xlabel 'length of the path of %s{/:Italic ξ}  (%sm)'\nset ylabel 'energy dissipated  (%sJ)'\n",
          f.of->is_whole ? "2" : "", f.way.prefix, f.energy.prefix);
  write_curves(&f, 3, 4, script);
  fprintf(script, "unset multiplot\n");
}
