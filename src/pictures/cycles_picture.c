/* SPDX-License-Identifier: MIT */
/* The picture of a run's cycles. */
#include "cycles_picture.h"
#include "picture.h"
#include "plot.h"
#include "run_quantity.h"

#include <math.h>

/* ---- What is shown ----------------------------------------------------------------------------------------------- */

/* The rows that are shown, and what their stages have in common. */
typedef struct view {
  const cycles_table *table;
  const dem_case *run;
  size_t first;          /* row; all later ones are shown, too */
  const dem_stage *last; /* stage */
  dem_modulus modulus;
  dem_component component;
} view;

static const dem_stage *stage_of(const cycles_table *table, const dem_case *run, size_t row)
{
  double number = CYCLES_COLUMN(table, stage)[row];
  return number >= 1.0 && number <= run->stage_count ? &run->stages[(int)number - 1] : NULL;
}

static bool is_alike(const dem_stage *a, const dem_stage *b)
{
  return a && b && dem_cycle_modulus(a->cyclic.of) == dem_cycle_modulus(b->cyclic.of) &&
         dem_cycle_component(a->cyclic.of) == dem_cycle_component(b->cyclic.of) &&
         dem_stage_keeps_volume(a) == dem_stage_keeps_volume(b);
}

static view choose_rows(const cycles_table *table, const dem_case *run)
{
  view v = {.table = table, .run = run, .first = table->rows - 1};
  v.last = stage_of(table, run, v.first);
  while (v.first > 0 && is_alike(stage_of(table, run, v.first - 1), v.last))
    v.first--;
  v.modulus = v.last ? dem_cycle_modulus(v.last->cyclic.of) : DEM_MODULUS_G;
  v.component = v.last ? dem_cycle_component(v.last->cyclic.of) : DEM_ZZ;
  return v;
}

/* A curve: a column of the table. */
typedef struct curve {
  size_t column;
  const char *name; /* in the legend; NULL: the panel has one curve */
} curve;

enum { CURVES_MAX = 3 };

typedef enum panel_unit { RATIO, PERCENT, STRAIN, PASCAL } panel_unit;

typedef struct panel {
  char label[RUN_LABEL_SIZE]; /* of the vertical axis */
  panel_unit unit;
  bool has_zero; /* the vertical axis contains 0 */
  int count;
  curve curves[CURVES_MAX];
} panel;

#define COLUMN(field) (offsetof(dem_cycle, field) / sizeof(double))

static panel choose_state(const view *v)
{
  if (v->last && !dem_stage_keeps_volume(v->last))
    return (panel){"void ratio {/:Italic e}", RATIO, false, 1, {{COLUMN(void_ratio), NULL}}};
  return (panel){"pore pressure ratio {/:Italic r}_{u}",
                 RATIO,
                 true,
                 2,
                 {{COLUMN(r_u_max), "largest in the cycle"}, {COLUMN(r_u_end), "at its end"}}};
}

static const char *const component_names[DEM_COMPONENTS] = {"xx", "yy", "zz", "xy", "xz", "yz"};

static panel choose_strain(const view *v)
{
  panel p = {
      "", STRAIN, true, 2, {{COLUMN(strain_double), "double amplitude"}, {COLUMN(strain_single), "single amplitude"}}};
  if (v->modulus == DEM_MODULUS_K)
    snprintf(p.label, sizeof p.label, "volumetric strain {/:Italic ε}_{v}");
  else
    snprintf(p.label, sizeof p.label,
             v->modulus == DEM_MODULUS_G ? "shear strain {/:Italic γ}_{%s}" : "strain {/:Italic ε}_{%s}",
             component_names[v->component]);
  return p;
}

static panel choose_modulus(const view *v)
{
  static const size_t columns[DEM_MODULI] = {COLUMN(shear_modulus), COLUMN(young_modulus), COLUMN(bulk_modulus)};
  panel p = {"", PASCAL, true, 1, {{columns[v->modulus], NULL}}};
  snprintf(p.label, sizeof p.label, "secant modulus {/:Italic %s}", dem_modulus_name(v->modulus));
  return p;
}

static panel choose_damping(void)
{
  return (panel){"damping ratio {/:Italic D}",
                 PERCENT,
                 true,
                 3,
                 {{COLUMN(damping_ratio), "of the loop"},
                  {COLUMN(damping_ratio_friction), "friction"},
                  {COLUMN(damping_ratio_numerical), "numerical"}}};
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static plot_range values_of(const view *v, const panel *p)
{
  plot_range range = {INFINITY, -INFINITY};
  for (int k = 0; k < p->count; k++)
    for (size_t row = v->first; row < v->table->rows; row++)
      plot_range_widen(&range, v->table->columns[p->curves[k].column][row]);
  return range;
}

/* The range of the vertical axis. Pore pressure ratios are shown up to 1. */
static plot_range axis_of(plot_range values, const panel *p)
{
  if (values.low > values.high)
    return (plot_range){0.0, 1.0};
  if (p->has_zero)
    plot_range_widen(&values, 0.0);
  if (p->has_zero && p->unit == RATIO)
    plot_range_widen(&values, 1.0);
  double margin = fmax(0.06 * (values.high - values.low), 1e-3 * plot_range_size(values));
  bool is_from_zero = p->has_zero && values.low == 0.0;
  return (plot_range){is_from_zero ? 0.0 : values.low - margin, values.high + (margin > 0.0 ? margin : 1.0)};
}

static run_scale scale_of(plot_range values, const panel *p)
{
  switch (p->unit) {
  case PERCENT:
    return (run_scale){100.0, "%"};
  case STRAIN:
    return run_quantity_scale(RUN_STRAIN, plot_range_size(values));
  case PASCAL:
    return run_quantity_scale(RUN_MEAN_STRESS, plot_range_size(values));
  default:
    return (run_scale){1.0, ""};
  }
}

/* A cycle that was cut off may not have had its strains: they are drawn if they exceed those of the cycle before. */
static bool is_drawn(const view *v, const panel *p, size_t row)
{
  const double *cycle = CYCLES_COLUMN(v->table, cycle), *strain = CYCLES_COLUMN(v->table, strain_double);
  bool is_whole = cycle[row] == floor(cycle[row]);
  return p->unit != STRAIN || is_whole || row == v->first || strain[row] > strain[row - 1];
}

/*
 * Rows of the panel: the number of cycles since the first row that is shown, and the curves. Returns the number of rows
 * that have a number; an empty line separates stages.
 */
static size_t write_rows(const view *v, const panel *p, double factor, FILE *script)
{
  const double *stage = CYCLES_COLUMN(v->table, stage), *cycle = CYCLES_COLUMN(v->table, cycle);
  double before = 0.0;
  size_t count = 0;
  fprintf(script, "$data << EOD\n");
  for (size_t row = v->first; row < v->table->rows; row++) {
    bool has_number = false;
    if (!is_drawn(v, p, row))
      continue;
    if (row > v->first && stage[row] > stage[row - 1]) {
      before += cycle[row - 1];
      fprintf(script, "\n");
    }
    fprintf(script, "%.9g", before + cycle[row]);
    for (int k = 0; k < p->count; k++) {
      double value = v->table->columns[p->curves[k].column][row];
      has_number = has_number || isfinite(value);
      fprintf(script, " %.9g", factor * value);
    }
    fprintf(script, "\n");
    count += has_number;
  }
  fprintf(script, "EOD\n");
  return count;
}

/* Points show single cycles, as long as they can be told apart. */
static void write_curves(const view *v, const panel *p, FILE *script)
{
  static const int point_types[CURVES_MAX] = {7, 5, 9};
  bool has_points = v->table->rows - v->first <= 60;
  fprintf(script, "plot ");
  for (int k = 0; k < p->count && k < CURVES_MAX; k++) {
    fprintf(script, "%s$data using 1:%d with lines%s %s ", k > 0 ? ", " : "", k + 2, has_points ? "points" : "",
            plot_curve_style(k));
    if (has_points)
      fprintf(script, "pt %d ps 0.7 ", point_types[k]);
    if (p->curves[k].name)
      fprintf(script, "title '%s  '", p->curves[k].name);
    else
      fprintf(script, "notitle");
  }
  fprintf(script, "\n");
}

static double cycles_shown(const view *v)
{
  const double *stage = CYCLES_COLUMN(v->table, stage), *cycle = CYCLES_COLUMN(v->table, cycle);
  double sum = 0.0;
  for (size_t row = v->first; row < v->table->rows; row++)
    if (row + 1 == v->table->rows || stage[row + 1] > stage[row])
      sum += cycle[row];
  return sum > 0.0 ? sum : 1.0;
}

static void write_panel(const view *v, const panel *p, FILE *script)
{
  plot_range values = values_of(v, p), axis = axis_of(values, p);
  run_scale scale = scale_of(values, p);
  size_t count = write_rows(v, p, scale.factor, script);
  fprintf(script, "set xlabel 'number of cycles {/:Italic N}  '\nset ylabel '%s", p->label);
  fprintf(script, *scale.unit ? "  (%s)' offset 0.3,0\n" : "  ' offset 0.3,0\n", scale.unit);
  fprintf(script, "set xrange [0:%.9g]\nset yrange [%.9g:%.9g]\n", 1.03 * cycles_shown(v), scale.factor * axis.low,
          scale.factor * axis.high);
  if (count > 0)
    write_curves(v, p, script);
  else
    plot_write_nothing(script);
}

static void write_title(const view *v, FILE *script)
{
  fprintf(script, "set multiplot layout 2,2 margins 0.085,0.985,0.07,0.9 spacing 0.1,0.125 title \"");
  if (v->run->title) {
    plot_write_text(v->run->title, script);
    fprintf(script, ": ");
  }
  double first = CYCLES_COLUMN(v->table, stage)[v->first], last = CYCLES_COLUMN(v->table, stage)[v->table->rows - 1];
  fprintf(script, first < last ? "cycles of stages %.0f to %.0f" : "cycles of stage %.0f", first, last);
  if (v->last && first >= last) {
    fprintf(script, " (");
    plot_write_text(v->last->name, script);
    fprintf(script, ")");
  }
  fprintf(script, "\" font ',14' noenhanced\n");
}

void cycles_picture_write(const cycles_table *table, const dem_case *run, const char *terminal, FILE *script)
{
  const view v = choose_rows(table, run);
  const panel panels[] = {choose_state(&v), choose_strain(&v), choose_modulus(&v), choose_damping()};
  plot_write_style(terminal, 1, 3.0, script);
  write_title(&v, script);
  for (size_t k = 0; k < sizeof panels / sizeof *panels; k++)
    write_panel(&v, &panels[k], script);
  fprintf(script, "unset multiplot\n");
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

typedef struct contents {
  const cycles_table *table;
  const dem_case *run;
} contents;

static void write_contents(const void *of, const char *terminal, FILE *script)
{
  const contents *c = of;
  cycles_picture_write(c->table, c->run, terminal, script);
}

bool cycles_picture_draw(const char *dir, const dem_case *run, error_info *error)
{
  cycles_table table;
  if (!cycles_load(&table, dir, error))
    return false;
  const contents c = {&table, run};
  const picture of = {GNUPLOT_TALL, write_contents, &c};
  bool is_drawn = table.rows == 0 || picture_draw(dir, CYCLES_PICTURE, &of, error);
  cycles_table_free(&table);
  return is_drawn;
}
