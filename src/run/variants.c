/* SPDX-License-Identifier: MIT */
/* The runs of a case with lists. */
#include "variants.h"
#include "base/file_system.h"
#include "base/text.h"
#include "children.h"
#include "cyclic.h"
#include "directory.h"
#include "files/run_names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool run_has_variants(const run_case *run)
{
  return run->output.variants.model_count > 1 || run->output.variants.csr_count > 0;
}

/* ---- Making the runs --------------------------------------------------------------------------------------------- */

/* Adds a setting to the text of a case, which may move. False: out of memory. */
static bool add_setting(char **input, const char *key, const char *value)
{
  char *text;
  if (!*input || asprintf(&text, "%s# --set %s=%s\n", *input, key, value) < 0)
    return false;
  free(*input);
  *input = text;
  return true;
}

/* Leaves the stages from `first` on, `count` of them, and the modulus reductions among them. */
static void keep_stages(run_case *run, int first, int count)
{
  dem_case *simulation = &run->simulation;
  run_reductions *reductions = &run->output.reductions;
  int kept = 0;
  memmove(simulation->stages, simulation->stages + first, (size_t)count * sizeof *simulation->stages);
  memmove(run->output.stages, run->output.stages + first, (size_t)count * sizeof *run->output.stages);
  for (int i = 0; i < reductions->count; i++) {
    run_reduction of = reductions->list[i];
    of.first_stage -= first;
    if (of.first_stage >= 1 && of.first_stage <= count)
      reductions->list[kept++] = of;
  }
  reductions->count = kept;
  simulation->stage_count = count;
  simulation->trace_count = 0; /* traces name stages; the reader has refused them beside lists */
}

/* The run of one model: the whole case, or the stages before the list of ratios. */
static bool make_model(child_run *child, const run_case *run, int number, const run_settings *settings)
{
  const run_variants *variants = &run->output.variants;
  const char *name = jager_model_name(variants->models[number]);
  const dem_contact_law *given = &run->simulation.contact;
  dem_contact_law *law = &child->run.simulation.contact;
  child->run = *run;
  law->model = variants->models[number];
  bool has_histories = law->model == JAGER_MODEL_JAGER;
  if (!has_histories)
    law->tolerance = law->dp_max = 0.0;
  if (variants->csr_count > 0)
    keep_stages(&child->run, 0, variants->csr_stage);
  child->after = child->csr = -1;
  child->dir = variants->model_count > 1 ? path_in(settings->dir, "%s", name) : strdup(settings->dir);
  child->label = strdup(name);
  child->input = strdup(settings->input);
  /* Keys of other models in the list are taken back: the reader refuses them beside this one. */
  return child->dir && child->label && add_setting(&child->input, "contact.model", name) &&
         (has_histories || !(given->tolerance > 0.0) || add_setting(&child->input, "contact.tolerance", "0")) &&
         (has_histories || !(given->dp_max > 0.0) || add_setting(&child->input, "contact.dp_max", "0")) &&
         (law->model == JAGER_MODEL_LINEAR || !(given->linear_kn > 0.0 || given->linear_kt > 0.0) ||
          add_setting(&child->input, "contact.linear", "{}"));
}

/* The run of one ratio, from the last state of the run before, if there is one. */
static bool make_ratio(child_run *child, const run_case *run, const child_run *before, int number, int csr)
{
  char value[NUMBER_PRINT_SIZE], key[100];
  const run_variants *variants = &run->output.variants;
  const run_reductions *reductions = &run->output.reductions;
  int first = variants->csr_stage, item = first; /* in the list of the case a modulus reduction is one item */
  for (int i = 0; i < reductions->count; i++)
    if (reductions->list[i].first_stage <= first)
      item -= 2 * reductions->list[i].count - 1;
  child->run = before->run;
  child->run.simulation.stage_count = run->simulation.stage_count;
  child->run.output.reductions = *reductions;
  memcpy(child->run.simulation.stages, run->simulation.stages, sizeof run->simulation.stages);
  memcpy(child->run.output.stages, run->output.stages, sizeof run->output.stages);
  keep_stages(&child->run, first, run->simulation.stage_count - first);
  child->run.simulation.stages[0].cyclic.stress_ratio = variants->csr[csr];
  number_print_shortest(variants->csr[csr], value);
  snprintf(key, sizeof key, "stages.%d.cyclic.csr", item);
  child->csr = csr;
  child->after = number;
  child->dir = path_in(before->dir, "csr-%s", value);
  child->label = strdup(before->label);
  child->input = strdup(before->input);
  child->start = path_in(before->dir, RUN_CHECKPOINT);
  child->run.simulation.assembly.source = DEM_SOURCE_CHECKPOINT;
  child->run.simulation.assembly.path = child->start;
  child->run.simulation.assembly.name = "../" RUN_CHECKPOINT; /* the same wherever the directory is moved to */
  return child->dir && child->label && child->start && add_setting(&child->input, key, value);
}

static bool make_runs(child_runs *runs, const run_case *run, const run_settings *settings, error_info *error)
{
  const run_variants *variants = &run->output.variants;
  int models = variants->model_count > 0 ? variants->model_count : 1, next = models;
  if (!child_runs_create(runs, models * (1 + variants->csr_count), error))
    return false;
  bool has_memory = true;
  for (int m = 0; has_memory && m < models; m++)
    has_memory = make_model(&runs->list[m], run, m, settings);
  for (int m = 0; m < models; m++)
    for (int c = 0; has_memory && c < variants->csr_count; c++, next++)
      has_memory = make_ratio(&runs->list[next], run, &runs->list[m], m, c);
  return has_memory || error_out_of_memory(error);
}

/* ---- Executing them ---------------------------------------------------------------------------------------------- */

/*
 * One lock for all runs, taken before anything is looked at and held to the end. No run may replace files of an earlier
 * one, unless by force: looked at before the first begins.
 */
static run_ending take_directory(child_runs *runs, const run_settings *settings, error_info *error)
{
  if (!directory_make(settings->dir, error))
    return RUN_IO_FAILED;
  if (!run_directory_lock(settings->dir, &runs->lock, error))
    return RUN_REFUSED;
  for (int i = 0; i < runs->count && !settings->force && !settings->resume; i++) {
    char *used;
    if (!run_directory_find_used(runs->list[i].dir, &used, error))
      return RUN_IO_FAILED;
    if (!used)
      continue;
    error_set(error, "%s exists already", used);
    error->code = ERROR_RUN_RESUMABLE;
    free(used);
    return RUN_REFUSED;
  }
  return RUN_COMPLETED;
}

/* Collects the results of all runs, and writes them. */
static bool write_results(run_variants_report *report, const child_runs *runs, const run_case *run, const char *dir,
                          error_info *error)
{
  const run_variants *variants = &run->output.variants;
  const size_t room = (size_t)JAGER_MODEL_COUNT * RUN_CSR_MAX;
  report->resistances = variants->csr_count > 0 ? calloc(room, sizeof *report->resistances) : NULL;
  if (variants->csr_count > 0 && !report->resistances)
    return error_out_of_memory(error);
  for (int i = 0; i < runs->count; i++) {
    const child_run *child = &runs->list[i];
    report->doubts += child->state->doubts;
    report->is_nonsense = report->is_nonsense || child->state->is_nonsense;
    if (child->csr < 0 &&
        !run_reduction_collect(&report->reductions, &report->reduction_count, child->dir, &child->run, error))
      return false;
    if (child->csr >= 0 && !run_resistance_find(&report->resistances[report->resistance_count++], child->dir,
                                                &child->run.simulation, error))
      return false;
  }
  return (report->reduction_count == 0 || reduction_write(dir, report->reductions, report->reduction_count, error)) &&
         (report->resistance_count == 0 || resistance_write(dir, report->resistances, report->resistance_count, error));
}

void run_variants_execute(run_variants_report *report, const run_case *run, const run_settings *settings,
                          const run_watcher *watcher)
{
  static const char *const pictures[] = {"reduction", "resistance", NULL}; /* the runs have drawn their own */
  child_runs runs = {.lock = -1};
  error_info *error = &report->error;
  *report = (run_variants_report){.error = {.text = ""}};
  report->ending = make_runs(&runs, run, settings, error) ? RUN_COMPLETED : RUN_IO_FAILED;
  if (report->ending == RUN_COMPLETED)
    report->ending = take_directory(&runs, settings, error);
  if (report->ending == RUN_COMPLETED)
    report->ending = child_runs_execute(&runs, settings, watcher, error);
  report->count = runs.count;
  for (int i = 0; i < runs.count; i++) {
    report->done += child_is_completed(&runs.list[i]);
    report->steps += runs.list[i].state->step;
  }
  if (report->ending == RUN_COMPLETED && !write_results(report, &runs, run, settings->dir, error))
    report->ending = RUN_IO_FAILED;
  if (report->ending == RUN_COMPLETED && run->output.pictures && settings->drawer &&
      report->reduction_count + report->resistance_count > 0)
    (void)drawer_draw_run(settings->drawer, settings->dir, pictures, watcher);
  if (runs.lock >= 0)
    close(runs.lock);
  child_runs_free(&runs);
}

void run_variants_report_free(run_variants_report *report)
{
  free(report->reductions);
  free(report->resistances);
  report->reductions = NULL;
  report->resistances = NULL;
}

/* ---- Printing ---------------------------------------------------------------------------------------------------- */

static void print_cycles(FILE *out, double cycles)
{
  if (isnan(cycles))
    fprintf(out, " %15s", "-");
  else
    fprintf(out, " %15.2f", cycles);
}

void run_variants_print(const run_variants_report *report, const char *dir, FILE *out)
{
  if (report->reduction_count > 0)
    fprintf(out, "%-17s %10s %10s %8s %8s %10s %10s\n", "model", "gamma", "G (MPa)", "G/Gmax", "D (%)", "numerical",
            "tolerance");
  for (size_t i = 0; i < report->reduction_count; i++) {
    const reduction_row *row = &report->reductions[i];
    const char *doubt = "";
    if (row->doubtful == REDUCTION_DOUBT_NUMERICAL)
      doubt = " D means nothing: more than a third of the loop is numerical";
    else if (row->doubtful == REDUCTION_DOUBT_TOLERANCE)
      doubt = isnan(row->damping_ratio_tolerance) ? " the error of D by dp_max is unknown"
                                                  : " D may be too small: the tolerance may cost more than a third";
    fprintf(out, "%-17s %10.3g %10.4g %8.4f %8.3g %10.2g %10.2g%s\n", row->model, row->gamma, 1e-6 * row->shear_modulus,
            row->modulus_ratio, 100.0 * row->damping_ratio, 100.0 * row->damping_ratio_numerical,
            100.0 * row->damping_ratio_tolerance, doubt);
  }
  if (report->resistance_count > 0)
    fprintf(out, "%-17s %8s %8s %15s %15s %15s\n", "model", "CSR", "static", "cycles to r_u", "to 3.75 %",
            "cycles done");
  for (size_t i = 0; i < report->resistance_count; i++) {
    const resistance_row *row = &report->resistances[i];
    fprintf(out, "%-17s %8.4g %8.3f", row->model, row->csr, row->static_stress_ratio);
    if (row->flow_failure > 0.0) {
      fprintf(out, " %31s", "flow failure");
    } else {
      print_cycles(out, row->cycles_r_u);
      print_cycles(out, row->cycles_strain);
    }
    fprintf(out, " %15.2f\n", row->cycles_done);
  }
  fprintf(out, "%d runs, results in %s:%s%s\n", report->count, dir,
          report->reduction_count > 0 ? " " RUN_REDUCTION : "", report->resistance_count > 0 ? " " RUN_RESISTANCE : "");
}

#define JSON_FIELD(field, unit, meaning)                                                                               \
  fprintf(out, ", \"%s\": ", #field);                                                                                  \
  json_print_number(row->field, out);

void run_variants_print_json(const run_variants_report *report, const char *dir, FILE *out)
{
  fprintf(out, "{\"version\": \"%s\", \"directory\": ", jager_version());
  json_print_string(dir, out);
  fprintf(out, ", \"runs\": %d, \"warnings\": %zu, \"reduction\": [", report->count, report->doubts);
  for (size_t i = 0; i < report->reduction_count; i++) {
    const reduction_row *row = &report->reductions[i];
    fprintf(out, "%s{\"model\": \"%s\"", i > 0 ? ", " : "", row->model);
    REDUCTION_LIST(JSON_FIELD)
    fputc('}', out);
  }
  fputs("], \"resistance\": [", out);
  for (size_t i = 0; i < report->resistance_count; i++) {
    const resistance_row *row = &report->resistances[i];
    fprintf(out, "%s{\"model\": \"%s\"", i > 0 ? ", " : "", row->model);
    RESISTANCE_LIST(JSON_FIELD)
    fputc('}', out);
  }
  fputs("]}\n", out);
}
