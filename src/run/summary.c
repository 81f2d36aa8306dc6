/* SPDX-License-Identifier: MIT */
/* The summary of a run, from its series, so that it covers all parts of a run that was resumed. */
#include "summary.h"
#include "base/file_system.h"
#include "base/text.h"
#include "cyclic.h"
#include "files/run_names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The outcome of a stage. */
typedef struct stage_outcome {
  stage_rows rows;
  stage_verdict verdict;
  int strain;               /* component of the main strain */
  double peak, peak_strain; /* largest q or shear stress after the start, and its strain */
  double history_mean, history_max;
  double inertial_mean, inertial_max; /* inertial number after the start */
  cyclic_outcome cyclic;
} stage_outcome;

/* Strain k of the stage that begins in row `first`. */
static double strain_since(const series_table *t, int k, size_t first, size_t row)
{
  const double *columns[] = {SERIES_COLUMN(t, strain_xx), SERIES_COLUMN(t, strain_yy), SERIES_COLUMN(t, strain_zz),
                             SERIES_COLUMN(t, strain_xy), SERIES_COLUMN(t, strain_xz), SERIES_COLUMN(t, strain_yz)};
  return columns[k][row] - columns[k][first];
}

/* The main strain of a stage: the largest at its end, of those that the stage prescribes if there are any. */
static int main_strain(const series_table *t, const dem_stage *stage, size_t first, size_t last)
{
  static const int order[DEM_COMPONENTS] = {DEM_ZZ, DEM_YY, DEM_XX, DEM_XY, DEM_XZ, DEM_YZ};
  int largest = -1;
  bool drives = false;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    drives = drives || run_is_driven(&stage->control[k]);
  for (int i = 0; i < DEM_COMPONENTS; i++) {
    int k = order[i];
    bool counts = !drives || run_is_driven(&stage->control[k]);
    double most = largest >= 0 ? 1.0001 * fabs(strain_since(t, largest, first, last)) : -1.0;
    if (counts && fabs(strain_since(t, k, first, last)) > most)
      largest = k;
  }
  return largest >= 0 ? largest : DEM_ZZ;
}

/* False if there is no memory. */
static bool find_outcome(stage_outcome *o, const run_summary *summary, int stage)
{
  const series_table *t = &summary->table;
  const dem_case *run = summary->run;
  *o = (stage_outcome){.rows = run_stage_rows(t, stage)};
  stage_rows rows = o->rows;
  if (rows.count == 0)
    return true;
  for (size_t row = rows.first; row <= rows.last; row++) {
    o->history_mean = fmax(o->history_mean, SERIES_COLUMN(t, history_mean)[row]);
    o->history_max = fmax(o->history_max, SERIES_COLUMN(t, history_max)[row]);
  }
  const double *inertial = SERIES_COLUMN(t, inertial_number);
  double sum = 0.0;
  for (size_t row = rows.first + 1; row <= rows.last; row++) {
    sum += inertial[row];
    o->inertial_max = fmax(o->inertial_max, inertial[row]);
  }
  o->inertial_mean = rows.count > 1 ? sum / (double)(rows.count - 1) : 0.0;
  if (stage > 0) {
    const double *shear[] = {SERIES_COLUMN(t, stress_xy), SERIES_COLUMN(t, stress_xz), SERIES_COLUMN(t, stress_yz)};
    o->strain = main_strain(t, &run->stages[stage - 1], rows.first, rows.last);
    const double *stress = o->strain >= DEM_XY ? shear[o->strain - DEM_XY] : SERIES_COLUMN(t, q);
    for (size_t row = rows.first + 1; row <= rows.last; row++)
      if (fabs(stress[row]) > fabs(o->peak)) {
        o->peak = stress[row];
        o->peak_strain = strain_since(t, o->strain, rows.first, row);
      }
  }
  o->cyclic = run_cyclic_find(t, &summary->cycles, run, stage, rows);
  return run_stage_judge(&o->verdict, t, run, stage, rows);
}

static const char *peak_name(const stage_outcome *o)
{
  return o->strain >= DEM_XY ? dem_quantity_name((dem_quantity)(DEM_STRESS + o->strain)) : "q";
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

static void print_stage(FILE *out, const run_summary *summary, int stage)
{
  const dem_case *run = summary->run;
  const series_table *t = &summary->table;
  const stage_outcome *o = &summary->outcomes[stage];
  size_t row = o->rows.last;
  const stage_verdict *v = &o->verdict;
  fprintf(out, "stage %d %-12s steps to %.0f: p %.4g kPa, q %.4g kPa, void ratio %.4f, coordination %.3f\n", stage,
          run_stage_name(run, stage), SERIES_COLUMN(t, step)[row], 1e-3 * SERIES_COLUMN(t, p)[row],
          1e-3 * SERIES_COLUMN(t, q)[row], SERIES_COLUMN(t, void_ratio)[row], SERIES_COLUMN(t, coordination)[row]);
  if (stage == 0)
    fprintf(out, "    residual q %.3g %% of p, shear stresses up to %.3g %%; unbalanced force %.2g\n",
            100.0 * SERIES_COLUMN(t, q)[row] / SERIES_COLUMN(t, p)[row],
            100.0 * v->shear_left / SERIES_COLUMN(t, p)[row], SERIES_COLUMN(t, unbalanced)[row]);
  else {
    double held = run->stages[stage - 1].inertial_number;
    fprintf(out, "    largest %s %.4g kPa at %s %.3g %%; mean history at most %.1f points, longest %.0f\n",
            peak_name(o), 1e-3 * o->peak, dem_quantity_name((dem_quantity)(DEM_STRAIN + o->strain)),
            100.0 * o->peak_strain, o->history_mean, o->history_max);
    if (isnan(v->inertial_number))
      fprintf(out, "    inertial number and unbalanced force not judged, since stress was lost; ");
    else
      fprintf(out, "    inertial number %.2g, unbalanced force %.2g (medians); ", v->inertial_number, v->unbalanced);
    if (isnan(v->damping_share))
      fprintf(out, "nothing was dissipated\n");
    else
      fprintf(out, "dissipated: %.3g %% by friction, %.3g %% by damping\n", 100.0 * (1.0 - v->damping_share),
              100.0 * v->damping_share);
    if (held > 0.0)
      fprintf(out, "    inertial number, target %.2g: mean %.3g, largest %.3g\n", held, o->inertial_mean,
              o->inertial_max);
  }
  run_cyclic_print(&o->cyclic, &summary->cycles, out);
  if (isnan(v->servo_error_max))
    fprintf(out, "    no stress targets");
  else
    fprintf(out, "    stress targets held within %.2g %%", 100.0 * v->servo_error_max);
  if (stage > 0) /* steering takes energy from a packing */
    fprintf(out, "; energy balance closes within %.2g %%", 100.0 * fabs(SERIES_COLUMN(t, energy_error)[row]));
  fprintf(out, "\n");
}

/* The part of the summary that does not depend on the computer. */
static void print_stages(FILE *out, const run_summary *summary)
{
  const dem_case *run = summary->run;
  const dem_grading *g = &summary->grading;
  const dem_packing_report *packing = &summary->packing;
  fprintf(out, "grading: D10 %.4g mm, D30 %.4g mm, D50 %.4g mm, D60 %.4g mm; Cu %.3g, Cc %.3g\n", 1e3 * g->d10,
          1e3 * g->d30, 1e3 * g->d50, 1e3 * g->d60, g->uniformity, g->curvature);
  if (packing->trials > 0) {
    fprintf(out, "packing: void ratio %.4f for the target %.4f, at friction %.3g, which fell from %.3g; loosest %.4f",
            packing->void_ratio, packing->target, packing->friction, dem_case_packing_friction(run), packing->loosest);
    if (packing->densest > 0.0)
      fprintf(out, ", densest %.4f: relative density %.1f %%", packing->densest,
              100.0 * dem_packing_relative_density(packing));
    fprintf(out, "; %d trial%s\n", packing->trials, packing->trials == 1 ? "" : "s");
  }
  for (int stage = 0; stage <= run->stage_count; stage++)
    if (summary->outcomes[stage].rows.count > 0)
      print_stage(out, summary, stage);
  for (size_t i = 0; i < summary->doubts.count; i++)
    fprintf(out, "warning: %s\n", summary->doubts.list[i].text);
}

static void print_hash(FILE *out, const run_summary *summary)
{
  fprintf(out, "hash %016llx\n", (unsigned long long)summary->hash);
}

static void print_counts(FILE *out, const run_summary *summary)
{
  if (summary->grains != summary->spheres)
    fprintf(out, "%zu grains of ", summary->grains);
  fprintf(out, "%zu spheres, %zu contacts, %ld steps", summary->spheres, summary->contacts, summary->steps);
}

void run_summary_print(const run_summary *summary, FILE *out)
{
  const run_speed *speed = &summary->speed;
  print_stages(out, summary);
  print_counts(out, summary);
  fprintf(out, " in %.1f s", speed->seconds);
  if (speed->contact_steps > 0.0)
    fprintf(out, ": %.1f ns a contact and step with %d thread%s", 1e9 * speed->part_seconds / speed->contact_steps,
            speed->threads, speed->threads == 1 ? "" : "s");
  fprintf(out, "; %.1f MB\n", 1e-6 * (double)summary->bytes);
  print_hash(out, summary);
  fprintf(out, "results in %s: " RUN_SERIES ", %sresult.h5, checkpoint.jck, " RUN_SUMMARY "%s%s\n", summary->dir,
          run_has_cycles(summary->run) ? RUN_CYCLES ", " : "", summary->run->trace_count > 0 ? ", trace-*.csv" : "",
          summary->has_pictures ? ", *.png, *.svg" : "");
  if (summary->wants_pictures && !summary->has_pictures)
    fprintf(out, "its pictures can be drawn later: python3 -m jager draw %s\n", summary->dir);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void print_number(FILE *out, const char *key, double value)
{
  fprintf(out, ", \"%s\": ", key);
  json_print_number(value, out);
}

static void print_stage_json(FILE *out, const run_summary *summary, int stage)
{
  const dem_case *run = summary->run;
  const series_table *t = &summary->table;
  const stage_outcome *o = &summary->outcomes[stage];
  const stage_verdict *v = &o->verdict;
  fprintf(out, "{\"stage\": %d, \"name\": ", stage);
  json_print_string(run_stage_name(run, stage), out);
  for (int k = 0; k < DEM_MEASURE_COUNT; k++)
    if (strcmp(dem_measure_name(k), "stage") != 0)
      print_number(out, dem_measure_name(k), t->columns[k][o->rows.last]);
  if (stage > 0) {
    fprintf(out, ", \"peak_of\": \"%s\"", peak_name(o));
    print_number(out, "peak", o->peak);
    print_number(out, "peak_strain", o->peak_strain);
    print_number(out, "inertial_number_median", v->inertial_number);
    print_number(out, "inertial_number_mean", o->inertial_mean);
    print_number(out, "inertial_number_max", o->inertial_max);
    print_number(out, "unbalanced_median", v->unbalanced);
  }
  run_cyclic_print_json(&o->cyclic, &summary->cycles, out);
  print_number(out, "shear_stress_max", v->shear_left);
  print_number(out, "servo_error_max", v->servo_error_max);
  fputc('}', out);
}

/* An object without its end. */
static void print_numbers(FILE *out, const char *const keys[], const double values[], size_t count)
{
  for (size_t i = 0; i < count; i++) {
    fprintf(out, "%s\"%s\": ", i > 0 ? ", " : "{", keys[i]);
    json_print_number(values[i], out);
  }
}

void run_summary_print_json(const run_summary *summary, FILE *out)
{
  static const char *const grading_keys[] = {"d10", "d30", "d50", "d60", "cu", "cc"};
  static const char *const packing_keys[] = {"void_ratio", "target",  "friction",
                                             "loosest",    "densest", "relative_density"};
  const dem_grading *g = &summary->grading;
  const dem_packing_report *packing = &summary->packing;
  const run_speed *speed = &summary->speed;
  const double sizes[] = {g->d10, g->d30, g->d50, g->d60, g->uniformity, g->curvature};
  const double found[] = {packing->void_ratio,
                          packing->target,
                          packing->friction,
                          packing->loosest,
                          packing->densest > 0.0 ? packing->densest : NAN,
                          dem_packing_relative_density(packing)};
  fprintf(out, "{\"version\": \"%s\", \"directory\": ", jager_version());
  json_print_string(summary->dir, out);
  if (summary->grains != summary->spheres)
    fprintf(out, ", \"grains\": %zu", summary->grains);
  fprintf(out, ", \"spheres\": %zu, \"contacts\": %zu, \"steps\": %ld, \"seconds\": %.3f, \"threads\": %d",
          summary->spheres, summary->contacts, summary->steps, speed->seconds, speed->threads);
  if (speed->contact_steps > 0.0)
    fprintf(out, ", \"ns_per_contact_step\": %.3f", 1e9 * speed->part_seconds / speed->contact_steps);
  fprintf(out, ", \"bytes\": %zu, \"hash\": \"%016llx\"", summary->bytes, (unsigned long long)summary->hash);
  fprintf(out, ", \"grading\": ");
  print_numbers(out, grading_keys, sizes, sizeof sizes / sizeof *sizes);
  if (packing->trials > 0) {
    fprintf(out, "}, \"packing\": ");
    print_numbers(out, packing_keys, found, sizeof found / sizeof *found);
    fprintf(out, ", \"trials\": %d", packing->trials);
  }
  fprintf(out, "}, \"stages\": [");
  const char *separator = "";
  for (int stage = 0; stage <= summary->run->stage_count; stage++) {
    if (summary->outcomes[stage].rows.count == 0)
      continue;
    fputs(separator, out);
    print_stage_json(out, summary, stage);
    separator = ", ";
  }
  fprintf(out, "], \"warnings\": [");
  for (size_t i = 0; i < summary->doubts.count; i++) {
    fputs(i > 0 ? ", " : "", out);
    json_print_string(summary->doubts.list[i].text, out);
  }
  fprintf(out, "]}\n");
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

bool run_summary_make(run_summary *summary, const dem_simulation *simulation, const char *dir, error_info *error)
{
  *summary = (run_summary){.run = dem_simulation_case(simulation),
                           .dir = dir,
                           .grains = dem_simulation_grains(simulation),
                           .spheres = dem_simulation_spheres(simulation),
                           .contacts = dem_simulation_contacts(simulation),
                           .steps = dem_simulation_steps(simulation),
                           .bytes = dem_simulation_bytes(simulation),
                           .packing = dem_simulation_packing(simulation),
                           .hash = dem_simulation_hash(simulation)};
  if (summary->hash == 0)
    return error_out_of_memory(error);
  const dem_case *run = summary->run;
  bool is_loaded =
      series_load(&summary->table, dir, error) && (!run_has_cycles(run) || cycles_load(&summary->cycles, dir, error));
  if (is_loaded) {
    summary->outcomes = calloc((size_t)run->stage_count + 1, sizeof *summary->outcomes);
    bool has_memory = summary->outcomes && dem_grading_take(&summary->grading, simulation);
    for (int stage = 0; has_memory && stage <= run->stage_count; stage++)
      has_memory = find_outcome(&summary->outcomes[stage], summary, stage);
    if (has_memory && run_doubts_find(&summary->doubts, &summary->table, run))
      return true;
    error_out_of_memory(error);
  }
  run_summary_free(summary);
  return false;
}

void run_summary_free(run_summary *summary)
{
  series_table_free(&summary->table);
  cycles_table_free(&summary->cycles);
  run_doubts_free(&summary->doubts);
  dem_grading_free(&summary->grading);
  free(summary->outcomes);
  summary->outcomes = NULL;
}

char *run_summary_warnings(const run_summary *summary)
{
  char *text = calloc(summary->doubts.count + 1, RUN_DOUBT_SIZE), *at = text;
  for (size_t i = 0; text && i < summary->doubts.count; i++)
    at += sprintf(at, "%s\n", summary->doubts.list[i].text);
  return text;
}

bool run_summary_write(const run_summary *summary, error_info *error)
{
  whole_file file;
  char *path = path_in(summary->dir, RUN_SUMMARY);
  if (!path)
    return error_out_of_memory(error);
  bool is_written = whole_file_open(&file, path);
  if (is_written) {
    print_stages(file.stream, summary);
    print_counts(file.stream, summary);
    fputc('\n', file.stream);
    print_hash(file.stream, summary);
    is_written = whole_file_finish(&file);
  }
  if (!is_written)
    error_set_errno(error, "write", path);
  free(path);
  return is_written;
}
