/* SPDX-License-Identifier: MIT */
/* The summary of a run, from its series: so that a run that was resumed tells of all its parts. */
#include "run_summary.h"
#include "failure.h"
#include "series.h"

#include <math.h>
#include <string.h>

/* How a stage came out. */
typedef struct stage_outcome {
  size_t rows, first, last; /* in the series */
  int strain;               /* component that it is about */
  double peak, peak_strain; /* largest q or shear stress, and where */
  double servo_error;       /* largest after the first tenth; of packing, at its end */
  double history_mean, history_max;
} stage_outcome;

/* Strain k of the stage that begins in row `first`: since the row before, or since zero after packing. */
static double strain_since(const series_table *t, int k, size_t first, size_t row)
{
  const double *columns[] = {SERIES_COLUMN(t, strain_xx), SERIES_COLUMN(t, strain_yy), SERIES_COLUMN(t, strain_zz),
                             SERIES_COLUMN(t, strain_xy), SERIES_COLUMN(t, strain_xz), SERIES_COLUMN(t, strain_yz)};
  bool has_before = first > 0 && SERIES_COLUMN(t, stage)[first - 1] > 0.0;
  return columns[k][row] - (has_before ? columns[k][first - 1] : 0.0);
}

static bool is_driven(const dem_control *control)
{
  return control->kind <= DEM_CONTROL_STRAIN && control->value != 0.0;
}

/* The strain that has become largest in the end, of those that the stage prescribes if there are any. */
static int main_strain(const series_table *t, const dem_stage *stage, size_t first, size_t last)
{
  static const int order[DEM_COMPONENTS] = {DEM_ZZ, DEM_YY, DEM_XX, DEM_XY, DEM_XZ, DEM_YZ};
  int largest = -1;
  bool drives = false;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    drives = drives || is_driven(&stage->control[k]);
  for (int i = 0; i < DEM_COMPONENTS; i++) {
    int k = order[i];
    bool counts = !drives || is_driven(&stage->control[k]);
    double most = largest >= 0 ? 1.0001 * fabs(strain_since(t, largest, first, last)) : -1.0;
    if (counts && fabs(strain_since(t, k, first, last)) > most)
      largest = k;
  }
  return largest >= 0 ? largest : DEM_ZZ;
}

/* What a stage with this main strain is about: q, or the shear stress. */
static const double *main_stress(const series_table *t, int strain)
{
  const double *shear[] = {SERIES_COLUMN(t, stress_xy), SERIES_COLUMN(t, stress_xz), SERIES_COLUMN(t, stress_yz)};
  return strain >= DEM_XY ? shear[strain - DEM_XY] : SERIES_COLUMN(t, q);
}

static void find_peak(stage_outcome *o, const series_table *t, const dem_stage *stage)
{
  o->strain = main_strain(t, stage, o->first, o->last);
  const double *stress = main_stress(t, o->strain);
  for (size_t row = o->first; row <= o->last; row++)
    if (fabs(stress[row]) > fabs(o->peak)) {
      o->peak = stress[row];
      o->peak_strain = strain_since(t, o->strain, o->first, row);
    }
}

static stage_outcome outcome_of(const series_table *t, const dem_case *run, int stage)
{
  stage_outcome o = {.rows = 0};
  const double *stages = SERIES_COLUMN(t, stage);
  for (size_t row = 0; row < t->rows; row++)
    if ((int)stages[row] == stage) {
      o.first = o.rows++ == 0 ? row : o.first;
      o.last = row;
    }
  for (size_t row = o.first; o.rows > 0 && row <= o.last; row++) {
    if (stage > 0 ? row - o.first >= o.rows / 10 : row == o.last)
      o.servo_error = fmax(o.servo_error, SERIES_COLUMN(t, servo_error)[row]);
    o.history_mean = fmax(o.history_mean, SERIES_COLUMN(t, history_mean)[row]);
    o.history_max = fmax(o.history_max, SERIES_COLUMN(t, history_max)[row]);
  }
  if (o.rows > 0 && stage > 0)
    find_peak(&o, t, &run->stages[stage - 1]);
  return o;
}

static const char *peak_name(const stage_outcome *o)
{
  return o->strain >= DEM_XY ? dem_quantity_name((dem_quantity)(DEM_STRESS + o->strain)) : "q";
}

static const char *stage_name(const dem_case *run, int stage)
{
  return stage == 0 ? "packing" : run->stages[stage - 1].name;
}

/* ---- Text --------------------------------------------------------------------------------------------------------- */

static void print_stage(FILE *out, const dem_case *run, const series_table *t, int stage, const stage_outcome *o)
{
  size_t row = o->last;
  fprintf(out, "stage %d %-12s steps to %.0f: p %.4g kPa, q %.4g kPa, void ratio %.4f, coordination %.3f\n", stage,
          stage_name(run, stage), SERIES_COLUMN(t, step)[row], 1e-3 * SERIES_COLUMN(t, p)[row],
          1e-3 * SERIES_COLUMN(t, q)[row], SERIES_COLUMN(t, void_ratio)[row], SERIES_COLUMN(t, coordination)[row]);
  if (stage > 0)
    fprintf(out, "    largest %s %.4g kPa at %s %.3g %%; histories at most %.1f long on average, %.0f the longest\n",
            peak_name(o), 1e-3 * o->peak, dem_quantity_name((dem_quantity)(DEM_STRAIN + o->strain)),
            100.0 * o->peak_strain, o->history_mean, o->history_max);
  fprintf(out, "    stress targets held within %.2g %%; energy balance closes within %.2g %%\n", 100.0 * o->servo_error,
          100.0 * fabs(SERIES_COLUMN(t, energy_error)[row]));
}

static void print_text(FILE *out, const dem_simulation *s, const run_options *options, const run_speed *speed,
                       const series_table *t, uint64_t hash)
{
  const dem_case *run = dem_simulation_case(s);
  for (int stage = 0; stage <= run->stage_count; stage++) {
    stage_outcome o = outcome_of(t, run, stage);
    if (o.rows > 0)
      print_stage(out, run, t, stage, &o);
  }
  fprintf(out, "%zu spheres, %zu contacts, %ld steps in %.1f s", dem_simulation_spheres(s), dem_simulation_contacts(s),
          dem_simulation_steps(s), speed->seconds);
  if (speed->contact_steps > 0.0)
    fprintf(out, ": %.1f ns a contact and step with %d thread%s", 1e9 * speed->part_seconds / speed->contact_steps,
            speed->threads, speed->threads == 1 ? "" : "s");
  fprintf(out, "; %.1f MB\n", 1e-6 * (double)dem_simulation_bytes(s));
  fprintf(out, "hash %016llx\n", (unsigned long long)hash);
  fprintf(out, "results in %s: series.csv, result.h5, checkpoint.jck%s%s\n", options->dir,
          run->trace_count > 0 ? ", trace-*.csv" : "", run->plots ? ", *.png, *.svg" : "");
}

/* ---- JSON --------------------------------------------------------------------------------------------------------- */

static void print_string(FILE *out, const char *text)
{
  fputc('"', out);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      fprintf(out, "\\%c", c);
    else if (c < 0x20)
      fprintf(out, "\\u%04x", c);
    else
      fputc(c, out);
  }
  fputc('"', out);
}

/* JSON knows no infinity, and no number that is none. */
static void print_number(FILE *out, const char *key, double value)
{
  if (isfinite(value))
    fprintf(out, ", \"%s\": %.17g", key, value);
  else
    fprintf(out, ", \"%s\": null", key);
}

static void print_stage_json(FILE *out, const dem_case *run, const series_table *t, int stage, const stage_outcome *o)
{
  fprintf(out, "{\"stage\": %d, \"name\": ", stage);
  print_string(out, stage_name(run, stage));
  for (int k = 0; k < DEM_MEASURE_COUNT; k++)
    if (strcmp(dem_measure_name(k), "stage") != 0)
      print_number(out, dem_measure_name(k), t->columns[k][o->last]);
  if (stage > 0) {
    fprintf(out, ", \"peak_of\": \"%s\"", peak_name(o));
    print_number(out, "peak", o->peak);
    print_number(out, "peak_strain", o->peak_strain);
  }
  print_number(out, "servo_error_max", o->servo_error);
  fputc('}', out);
}

static void print_json(FILE *out, const dem_simulation *s, const run_options *options, const run_speed *speed,
                       const series_table *t, uint64_t hash)
{
  const dem_case *run = dem_simulation_case(s);
  const char *separator = "";
  fprintf(out, "{\"version\": \"%s\", \"directory\": ", jager_version());
  print_string(out, options->dir);
  fprintf(out, ", \"spheres\": %zu, \"contacts\": %zu, \"steps\": %ld, \"seconds\": %.3f, \"threads\": %d",
          dem_simulation_spheres(s), dem_simulation_contacts(s), dem_simulation_steps(s), speed->seconds,
          speed->threads);
  if (speed->contact_steps > 0.0)
    fprintf(out, ", \"ns_per_contact_step\": %.3f", 1e9 * speed->part_seconds / speed->contact_steps);
  fprintf(out, ", \"bytes\": %zu, \"hash\": \"%016llx\", \"stages\": [", dem_simulation_bytes(s),
          (unsigned long long)hash);
  for (int stage = 0; stage <= run->stage_count; stage++) {
    stage_outcome o = outcome_of(t, run, stage);
    if (o.rows == 0)
      continue;
    fputs(separator, out);
    print_stage_json(out, run, t, stage, &o);
    separator = ", ";
  }
  fprintf(out, "]}\n");
}

bool run_summary_print(const dem_simulation *simulation, const run_options *options, const run_speed *speed, FILE *out,
                       dem_error *error)
{
  series_table table;
  uint64_t hash = dem_simulation_hash(simulation);
  if (hash == 0)
    return fail_in_memory(error);
  if (!series_load(&table, options->dir, error))
    return false;
  if (options->json)
    print_json(out, simulation, options, speed, &table, hash);
  else
    print_text(out, simulation, options, speed, &table, hash);
  series_table_free(&table);
  return true;
}
