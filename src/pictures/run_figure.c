/* SPDX-License-Identifier: MIT */
/*
 * The pictures of a run. A panel is a list of quantities over another one; which ones, follows from the kind of test.
 * Curves differ in dashes and brightness as well as in colour, so that they can be told apart in grey.
 */
#include "run_figure.h"
#include "picture.h"
#include "plot_unit.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { POINTS_MAX = 4000, CURVES_MAX = 6, LABEL_SIZE = 160 };

/* ---- Quantities -------------------------------------------------------------------------------------------------- */

typedef enum quantity {
  NOTHING,
  STEPS,
  STRAIN, /* of the driven component; volumetric for isotropic tests; γ for shear */
  VOLUMETRIC_STRAIN,
  STRESS,   /* of the driven component */
  DEVIATOR, /* along the driven axis; of a shear test, the shear stress */
  MEAN_STRESS,
  RATIO,
  MEAN_STRESS_LOST, /* 1 - p/p0, p0 at the start */
  VOID_RATIO,
  HISTORY_MEAN,
  HISTORY_MAX,
  WORK, /* this and the following since the start */
  KINETIC,
  STORED_NORMAL,
  STORED_TANGENTIAL,
  FRICTION,
  DAMPING,
  ENERGY_ERROR
} quantity;

static const char *const component_names[DEM_COMPONENTS] = {"xx", "yy", "zz", "xy", "xz", "yz"};

/* stress_xx ... stress_yz follow each other. */
static double stress_at(const run_view *view, int component, size_t row)
{
  const size_t first = offsetof(dem_measures, stress_xx) / sizeof(double);
  return view->table->columns[first + (size_t)component][row];
}

/* Strain since the start of what is drawn. */
static double strain_at(const run_view *view, int component, size_t row)
{
  return run_axis_strain(view->table, component, row) - view->axis.strain[component];
}

static double volumetric_strain_at(const run_view *view, size_t row)
{
  return strain_at(view, DEM_XX, row) + strain_at(view, DEM_YY, row) + strain_at(view, DEM_ZZ, row);
}

static double driven_strain_at(const run_view *view, size_t row)
{
  switch (view->axis.test) {
  case RUN_TEST_ISOTROPIC:
    return volumetric_strain_at(view, row);
  case RUN_TEST_SHEAR:
    return 2.0 * strain_at(view, (int)view->axis.component, row);
  default:
    return strain_at(view, (int)view->axis.component, row);
  }
}

static double deviator_at(const run_view *view, size_t row)
{
  int driven = (int)view->axis.component;
  if (view->axis.test == RUN_TEST_SHEAR)
    return stress_at(view, driven, row);
  double others = -stress_at(view, driven, row);
  for (int i = DEM_XX; i <= DEM_ZZ; i++)
    others += stress_at(view, i, row);
  return stress_at(view, driven, row) - 0.5 * others;
}

static double ratio_at(const run_view *view, size_t row)
{
  if (view->axis.lateral >= 0)
    return stress_at(view, (int)view->axis.component, row) / stress_at(view, view->axis.lateral, row);
  return deviator_at(view, row) / SERIES_COLUMN(view->table, p)[row];
}

/* Energies count from the start of what is drawn, as strains do. */
static double change_of(const double *column, const run_view *view, size_t row)
{
  return column[row] - column[view->axis.first];
}

/* Of what adds up since the assembly was ready, nothing has been added in rows of packing before a stage. */
static double added_to(const double *column, const run_view *view, size_t row)
{
  bool is_before = view->axis.first_stage > 0 && run_axis_is_packing(view->table, view->axis.first);
  double start = is_before ? 0.0 : column[view->axis.first];
  return is_before && run_axis_is_packing(view->table, row) ? 0.0 : column[row] - start;
}

static double energy_at(const run_view *view, quantity of, size_t row)
{
  const series_table *table = view->table;
  switch (of) {
  case WORK:
    return added_to(SERIES_COLUMN(table, work), view, row);
  case KINETIC:
    return change_of(SERIES_COLUMN(table, kinetic), view, row);
  case STORED_NORMAL:
    return change_of(SERIES_COLUMN(table, stored_normal), view, row);
  case STORED_TANGENTIAL:
    return change_of(SERIES_COLUMN(table, stored_tangential), view, row);
  case FRICTION:
    return added_to(SERIES_COLUMN(table, dissipated_friction), view, row);
  case DAMPING:
    return added_to(SERIES_COLUMN(table, dissipated_damping), view, row);
  default:
    return NAN;
  }
}

static double value_at(const run_view *view, quantity of, size_t row)
{
  const series_table *table = view->table;
  switch (of) {
  case STEPS:
    return SERIES_COLUMN(table, step)[row] - view->axis.step;
  case STRAIN:
    return driven_strain_at(view, row);
  case VOLUMETRIC_STRAIN:
    return volumetric_strain_at(view, row);
  case STRESS:
    return stress_at(view, (int)view->axis.component, row);
  case DEVIATOR:
    return deviator_at(view, row);
  case MEAN_STRESS:
    return SERIES_COLUMN(table, p)[row];
  case RATIO:
    return ratio_at(view, row);
  case MEAN_STRESS_LOST:
    return 1.0 - SERIES_COLUMN(table, p)[row] / SERIES_COLUMN(table, p)[view->axis.first];
  case VOID_RATIO:
    return SERIES_COLUMN(table, void_ratio)[row];
  case HISTORY_MEAN:
    return SERIES_COLUMN(table, history_mean)[row];
  case HISTORY_MAX:
    return SERIES_COLUMN(table, history_max)[row];
  case ENERGY_ERROR:
    return fabs(SERIES_COLUMN(table, energy_error)[row]);
  default:
    return energy_at(view, of, row);
  }
}

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

/* "since the start of stage 2"; packing alone starts with the run. */
static const char *since(const run_view *view, char text[LABEL_SIZE])
{
  if (view->axis.first_stage == 0)
    snprintf(text, LABEL_SIZE, "since the start of the run");
  else
    snprintf(text, LABEL_SIZE, "since the start of stage %d", view->axis.first_stage);
  return text;
}

/* Strains of single components and of the volume are positive in compression: so is their name. */
static void name_strain(const run_view *view, char text[LABEL_SIZE])
{
  const char *name = component_names[view->axis.component];
  switch (view->axis.test) {
  case RUN_TEST_ISOTROPIC:
    snprintf(text, LABEL_SIZE, "compressive volumetric strain {/:Italic ε}_{v}");
    break;
  case RUN_TEST_SHEAR:
    snprintf(text, LABEL_SIZE, "shear strain {/:Italic γ}_{%s} = 2{/:Italic ε}_{%s}", name, name);
    break;
  default:
    snprintf(text, LABEL_SIZE, "compressive strain {/:Italic ε}_{%s}", name);
  }
}

/* Along z the deviator is the q of the series; along another axis it is made alike, and called so. */
static const char *deviator_symbol(const run_view *view, char text[LABEL_SIZE])
{
  const char *name = component_names[view->axis.component];
  if (view->axis.test == RUN_TEST_SHEAR)
    snprintf(text, LABEL_SIZE, "{/:Italic τ}_{%s}", name);
  else if (view->axis.component == DEM_ZZ)
    snprintf(text, LABEL_SIZE, "{/:Italic q}");
  else
    snprintf(text, LABEL_SIZE, "{/:Italic q}_{%s}", name);
  return text;
}

static void name_deviator(const run_view *view, char text[LABEL_SIZE])
{
  char symbol[LABEL_SIZE];
  snprintf(text, LABEL_SIZE, "%s %.100s", view->axis.test == RUN_TEST_SHEAR ? "shear stress" : "deviator",
           deviator_symbol(view, symbol));
}

static void name_ratio(const run_view *view, char text[LABEL_SIZE])
{
  char symbol[LABEL_SIZE];
  if (view->axis.lateral >= 0)
    snprintf(text, LABEL_SIZE, "stress ratio {/:Italic σ}_{%s} / {/:Italic σ}_{%s}",
             component_names[view->axis.component], component_names[view->axis.lateral]);
  else
    snprintf(text, LABEL_SIZE, "stress ratio %.100s / {/:Italic p}", deviator_symbol(view, symbol));
}

static void name_quantity(const run_view *view, quantity of, char text[LABEL_SIZE])
{
  static const char *const names[] = {
      [STEPS] = "time steps",
      [VOLUMETRIC_STRAIN] = "compressive volumetric strain {/:Italic ε}_{v}",
      [MEAN_STRESS] = "mean stress {/:Italic p}",
      [MEAN_STRESS_LOST] = "mean stress lost, 1 − {/:Italic p} / {/:Italic p}_{0}",
      [VOID_RATIO] = "void ratio {/:Italic e}",
      [HISTORY_MEAN] = "mean length of the histories",
      [HISTORY_MAX] = "length of the longest history",
      [WORK] = "work done on the assembly",
      [KINETIC] = "kinetic",
      [STORED_NORMAL] = "stored by normal forces",
      [STORED_TANGENTIAL] = "stored by shear forces",
      [FRICTION] = "dissipated by friction",
      [DAMPING] = "dissipated by damping",
      [ENERGY_ERROR] = "relative error of the energy balance",
  };
  if (of == STRAIN)
    name_strain(view, text);
  else if (of == STRESS)
    snprintf(text, LABEL_SIZE, "stress {/:Italic σ}_{%s}", component_names[view->axis.component]);
  else if (of == DEVIATOR)
    name_deviator(view, text);
  else if (of == RATIO)
    name_ratio(view, text);
  else
    snprintf(text, LABEL_SIZE, "%s", names[of]);
}

/* ---- Panels ------------------------------------------------------------------------------------------------------ */

typedef struct panel {
  quantity across;
  quantity up[CURVES_MAX]; /* the last ones may be NOTHING */
  const char *up_label;    /* NULL: the name of the only curve */
  bool is_log;
} panel;

/* Over what the panels that do not show stresses are drawn: a strain that goes to and fro tells no order. */
static quantity usual_across(const run_view *view)
{
  bool has_strain = view->axis.test == RUN_TEST_NORMAL || view->axis.test == RUN_TEST_SHEAR;
  return has_strain && !view->axis.is_cyclic ? STRAIN : STEPS;
}

static void stress_panels(const run_view *view, panel panels[2])
{
  bool is_shear = view->axis.test == RUN_TEST_SHEAR;
  if (view->axis.test == RUN_TEST_STILL) {
    panels[0] = (panel){.across = STEPS, .up = {MEAN_STRESS, DEVIATOR}, .up_label = "stress"};
    panels[1] = (panel){.across = STEPS, .up = {VOID_RATIO}};
  } else if (view->axis.test == RUN_TEST_ISOTROPIC) {
    panels[0] = (panel){.across = STRAIN, .up = {MEAN_STRESS}};
    panels[1] = (panel){.across = MEAN_STRESS, .up = {VOID_RATIO}};
  } else if (view->axis.is_cyclic) {
    panels[0] = (panel){.across = STRAIN, .up = {DEVIATOR}};
    panels[1] = (panel){.across = MEAN_STRESS, .up = {DEVIATOR}};
  } else {
    panels[0] =
        (panel){.across = STRAIN, .up = {DEVIATOR, MEAN_STRESS, is_shear ? NOTHING : STRESS}, .up_label = "stress"};
    panels[1] = (panel){.across = STRAIN, .up = {RATIO}};
  }
}

/* At constant volume strains of the volume tell nothing: the stress path, if it is not drawn elsewhere, and what stands
   for the pressure of the water in the pores. */
static void volume_panels(const run_view *view, panel panels[2])
{
  quantity across = usual_across(view);
  if (!view->axis.is_at_constant_volume) {
    panels[0] = (panel){.across = across, .up = {VOLUMETRIC_STRAIN}};
    panels[1] = (panel){.across = across, .up = {VOID_RATIO}};
    return;
  }
  panels[0] = view->axis.is_cyclic ? (panel){.across = across, .up = {MEAN_STRESS}}
                                   : (panel){.across = MEAN_STRESS, .up = {DEVIATOR}};
  panels[1] = (panel){.across = across, .up = {MEAN_STRESS_LOST}};
}

static void choose_panels(const run_view *view, run_figure figure, panel panels[2])
{
  quantity across = usual_across(view);
  switch (figure) {
  case RUN_FIGURE_STRESS:
    stress_panels(view, panels);
    return;
  case RUN_FIGURE_VOLUME:
    volume_panels(view, panels);
    return;
  case RUN_FIGURE_HISTORY:
    panels[0] = (panel){.across = across, .up = {HISTORY_MEAN}};
    panels[1] = (panel){.across = across, .up = {HISTORY_MAX}};
    return;
  default:
    panels[0] = (panel){.across = across,
                        .up = {WORK, FRICTION, DAMPING, STORED_NORMAL, STORED_TANGENTIAL, KINETIC},
                        .up_label = "energy"};
    panels[1] = (panel){.across = across, .up = {ENERGY_ERROR}, .is_log = true};
  }
}

/* ---- Ranges and units -------------------------------------------------------------------------------------------- */

typedef struct range {
  double low, high;
} range;

static void widen(range *of, double value)
{
  if (isfinite(value)) {
    of->low = fmin(of->low, value);
    of->high = fmax(of->high, value);
  }
}

/* Of a logarithmic axis only what is above zero counts. */
static void widen_by(range *of, const run_view *view, quantity which, bool is_log)
{
  for (size_t row = view->axis.first; row < view->axis.end; row++) {
    double value = value_at(view, which, row);
    if (!is_log || value > 0.0)
      widen(of, value);
  }
}

static bool has_data(range of)
{
  return of.low <= of.high;
}

static double size_of(range of)
{
  return has_data(of) ? fmax(fabs(of.low), fabs(of.high)) : 0.0;
}

/*
 * Room around the data: a share of their range. The range is at least 0.2 % of their size, so that numbers at the axis need
 * few digits; where they are all zero it is `unit`.
 */
static range with_margin(range of, double share, double unit)
{
  const double least = 2e-3 * size_of(of);
  double width = of.high - of.low;
  double margin = size_of(of) > 0.0 ? fmax(share * width, 0.5 * (least - width)) : unit;
  return has_data(of) ? (range){of.low - margin, of.high + margin} : (range){0.0, unit};
}

/* Whole decades. */
static range decades(range of)
{
  if (!has_data(of))
    return (range){1e-1, 1.0};
  double low = floor(log10(of.low)), high = ceil(log10(of.high));
  return (range){pow(10.0, low), pow(10.0, high > low ? high : low + 1.0)};
}

/* How numbers of a quantity up to a size are printed: times the factor, with the unit. */
typedef struct scale {
  double factor;
  char unit[16];
} scale;

static scale scale_of(quantity of, double size)
{
  scale plain = {.factor = 1.0}, scaled;
  plot_unit prefix = plot_unit_for(size);
  switch (of) {
  case STEPS:
    return size > 2e4 ? (scale){1e-3, "thousands"} : plain;
  case STRAIN:
  case VOLUMETRIC_STRAIN:
    return size < 1e-4 ? (scale){1e6, "10^{−6}"} : (scale){100.0, "%"};
  case STRESS:
  case DEVIATOR:
  case MEAN_STRESS:
    scaled.factor = prefix.factor;
    snprintf(scaled.unit, sizeof scaled.unit, "%sPa", prefix.prefix);
    return scaled;
  case WORK:
    scaled.factor = prefix.factor;
    snprintf(scaled.unit, sizeof scaled.unit, "%sJ", prefix.prefix);
    return scaled;
  default:
    return plain;
  }
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static const char *const styles[CURVES_MAX] = {
    "lw 3.2 lc rgb '#15396b'",               /* dark, whole */
    "lw 2.6 dt (14,5) lc rgb '#c8552b'",     /* middle, long dashes */
    "lw 3.0 dt (3,4) lc rgb '#2c7a4b'",      /* middle, dots */
    "lw 3.4 lc rgb '#e0a526'",               /* light, whole */
    "lw 2.6 dt (14,4,3,4) lc rgb '#7a4fa3'", /* dark, dashes and dots */
    "lw 2.6 dt (6,4) lc rgb '#6f7f8c'",      /* grey, short dashes */
};

/* Loops lie close to each other. */
static const char thin_style[] = "lw 1.5 lc rgb '#15396b'";

static int curve_count(const panel *of)
{
  int count = 0;
  while (count < CURVES_MAX && of->up[count] != NOTHING)
    count++;
  return count;
}

/* At the end of a text. gnuplot then keeps all of its spaces in SVG, else some programs lose them next to a symbol. */
#define TWO_SPACES "  "

static void write_label(const run_view *view, const char *axis, const char *name, const char *unit, bool is_since,
                        FILE *script)
{
  char start[LABEL_SIZE];
  fprintf(script, "set %slabel '%s", axis, name);
  if (is_since)
    fprintf(script, " %s", since(view, start));
  fprintf(script, *unit ? "  (%s)'" : TWO_SPACES "'", unit);
  fprintf(script, *axis == 'y' ? " offset 0.3,0\n" : "\n");
}

/* What counts from the start of a stage rather than of the run. */
static bool counts_from_start(quantity of)
{
  return of == STEPS || of == STRAIN || of == VOLUMETRIC_STRAIN || of == WORK;
}

/* A panel, ready to be written. */
typedef struct drawing {
  const run_view *view;
  const panel *of;
  int curves;
  range across, up;
  scale across_scale, up_scale;
  bool is_empty;     /* there are no numbers to draw */
  const char *style; /* of the only curve; NULL: as usual */
} drawing;

static drawing prepare(const run_view *view, const panel *of)
{
  const range none = {INFINITY, -INFINITY};
  drawing made = {.view = view, .of = of, .curves = curve_count(of), .across = none, .up = none};
  widen_by(&made.across, view, of->across, false);
  for (int i = 0; i < made.curves; i++)
    widen_by(&made.up, view, of->up[i], of->is_log);
  made.is_empty = !has_data(made.across) || !has_data(made.up);
  if (of->across == MEAN_STRESS)
    widen(&made.across, 0.0); /* stress paths are seen from the origin, lengths from zero */
  if (of->up[0] == HISTORY_MEAN || of->up[0] == HISTORY_MAX)
    widen(&made.up, 0.0);
  made.across_scale = scale_of(of->across, size_of(made.across));
  made.up_scale = scale_of(of->up[0], size_of(made.up));
  made.across = with_margin(made.across, 0.03, 1.0 / made.across_scale.factor);
  made.up = of->is_log ? decades(made.up) : with_margin(made.up, 0.06, 1.0 / made.up_scale.factor);
  return made;
}

/* At most POINTS_MAX rows, evenly, and the last one in any case. */
static void write_data(const drawing *of, FILE *script)
{
  const run_axis *axis = &of->view->axis;
  size_t stride = (axis->end - axis->first) / POINTS_MAX + 1;
  fprintf(script, "$data << EOD\n");
  for (size_t row = axis->first; row < axis->end; row++) {
    if ((row - axis->first) % stride != 0 && row + 1 != axis->end)
      continue;
    fprintf(script, "%.9g", of->across_scale.factor * value_at(of->view, of->of->across, row));
    for (int i = 0; i < of->curves; i++)
      fprintf(script, " %.9g", of->up_scale.factor * value_at(of->view, of->of->up[i], row));
    fprintf(script, "\n");
  }
  fprintf(script, "EOD\n");
}

static void write_axes(const drawing *of, FILE *script)
{
  char across[LABEL_SIZE], up[LABEL_SIZE];
  double across_factor = of->across_scale.factor, up_factor = of->up_scale.factor;
  name_quantity(of->view, of->of->across, across);
  name_quantity(of->view, of->of->up[0], up);
  fprintf(script, "%s logscale y\nset format y '%s'\n", of->of->is_log ? "set" : "unset",
          of->of->is_log ? "10^{%L}" : "%h");
  fprintf(script, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", across_factor * of->across.low,
          across_factor * of->across.high, up_factor * of->up.low, up_factor * of->up.high);
  write_label(of->view, "x", across, of->across_scale.unit, counts_from_start(of->of->across), script);
  write_label(of->view, "y", of->of->up_label ? of->of->up_label : up, of->up_scale.unit,
              counts_from_start(of->of->up[0]), script);
}

/* Behind the data: the axis of zero, where it is within. The legend stands above; one curve needs none. */
static void write_curves(const drawing *of, FILE *script)
{
  char name[LABEL_SIZE];
  fprintf(script,
          of->up.low < 0.0 && of->up.high > 0.0 ? "set xzeroaxis lt 1 lw 1.2 lc rgb '#888888'\n" : "unset xzeroaxis\n");
  fprintf(script, "plot ");
  for (int i = 0; i < of->curves; i++) {
    name_quantity(of->view, of->of->up[i], name);
    fprintf(script, "%s$data using 1:%d with lines %s ", i > 0 ? ", " : "", i + 2, of->style ? of->style : styles[i]);
    if (of->curves > 1)
      fprintf(script, "title '%s" TWO_SPACES "'", name);
    else
      fprintf(script, "notitle");
  }
  fprintf(script, "\n");
}

/* gnuplot takes a picture without a curve for an error, so it gets one that lies outside. */
static void write_emptiness(FILE *script)
{
  fprintf(script, "set label 1 'nothing to show' at graph 0.5,0.5 center textcolor rgb '#666666'\n"
                  "plot 1e99 notitle\nunset label 1\n");
}

static void write_panel(const run_view *view, const panel *of, FILE *script)
{
  drawing made = prepare(view, of);
  if (view->axis.is_cyclic && of->across != STEPS)
    made.style = thin_style;
  write_axes(&made, script);
  if (made.is_empty) {
    write_emptiness(script);
    return;
  }
  write_data(&made, script);
  write_curves(&made, script);
}

/* Text of the user's without what would end the quotes; it is not enhanced. */
static void write_plainly(const char *text, FILE *script)
{
  for (; *text; text++)
    fputc(*text == '"' || *text == '\\' || *text == '`' || (unsigned char)*text < ' ' ? '_' : *text, script);
}

static const char *stage_name(const run_view *view, int stage)
{
  if (stage == 0)
    return "packing";
  return stage <= view->run->stage_count ? view->run->stages[stage - 1].name : "";
}

static int legend_rows(int curves)
{
  enum { ROWS_MAX = 3 };
  return curves < 2 ? 0 : curves <= ROWS_MAX ? 1 : ROWS_MAX;
}

/* "Title: stage 2 (shear) of 2", or the stages from and to: whoever looks is told what is left out. */
static void write_title(const run_view *view, int rows, FILE *script)
{
  const run_axis *axis = &view->axis;
  fprintf(script, "set multiplot layout 1,2 margins 0.088,0.985,0.12,%.3f spacing 0.105 title \"",
          0.905 - 0.033 * rows);
  if (view->run->title) {
    write_plainly(view->run->title, script);
    fprintf(script, ": ");
  }
  for (int i = 0; i < 2 && (i == 0 || axis->last_stage > axis->first_stage); i++) {
    int stage = i == 0 ? axis->first_stage : axis->last_stage;
    const char *name = stage_name(view, stage);
    fprintf(script, "%s %d", i > 0 ? " to" : axis->last_stage > stage ? "stages" : "stage", stage);
    if (!*name)
      continue;
    fprintf(script, " (");
    write_plainly(name, script);
    fprintf(script, ")");
  }
  if (axis->last_stage > 0)
    fprintf(script, " of %d", view->run->stage_count);
  fprintf(script, "\" font ',14' noenhanced\n");
}

run_view run_view_of(const series_table *table, const dem_case *run)
{
  return (run_view){table, run, run_axis_choose(table, run)};
}

const char *run_figure_name(run_figure figure)
{
  static const char *const names[RUN_FIGURES] = {[RUN_FIGURE_STRESS] = "stress-strain",
                                                 [RUN_FIGURE_VOLUME] = "volumetric-strain",
                                                 [RUN_FIGURE_HISTORY] = "history-length",
                                                 [RUN_FIGURE_ENERGY] = "energy"};
  return names[figure];
}

void run_figure_write(const run_view *view, run_figure figure, const char *terminal, FILE *script)
{
  panel panels[2];
  choose_panels(view, figure, panels);
  int rows = legend_rows(curve_count(&panels[0]));
  picture_write_style(terminal, rows > 0 ? rows : 1, 4.0, script);
  write_title(view, rows, script);
  for (int i = 0; i < 2; i++)
    write_panel(view, &panels[i], script);
  fprintf(script, "unset multiplot\n");
}
