/* SPDX-License-Identifier: MIT */
/* The runs of a case with lists. */
#include "family.h"
#include "base/file_system.h"
#include "base/json.h"
#include "base/number.h"
#include "directory.h"
#include "files/run_names.h"
#include "files/series.h"
#include "member.h"
#include "reduction.h"
#include "resistance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool run_is_family(const run_case *run)
{
  return run->output.variants.model_count > 1 || run->output.variants.csr_count > 0;
}

/* ---- Members ----------------------------------------------------------------------------------------------------- */

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

/* Keys of other models in the list are taken back: the reader refuses them beside this one. */
static bool add_model_settings(char **input, const dem_contact_law *law, jager_model model)
{
  bool has_histories = model == JAGER_MODEL_JAGER;
  return add_setting(input, "contact.model", jager_model_name(model)) &&
         (has_histories || !(law->tolerance > 0.0) || add_setting(input, "contact.tolerance", "0")) &&
         (has_histories || !(law->dp_max > 0.0) || add_setting(input, "contact.dp_max", "0")) &&
         (model == JAGER_MODEL_LINEAR || !(law->linear_kn > 0.0 || law->linear_kt > 0.0) ||
          add_setting(input, "contact.linear", "{}"));
}

/* The modulus reductions among the stages that are kept, with their new numbers */
static void keep_reductions(run_reductions *all, int first, int count)
{
  int kept = 0;
  for (int i = 0; i < all->count; i++) {
    run_reduction of = all->list[i];
    of.first_stage -= first;
    if (of.first_stage >= 1 && of.first_stage <= count)
      all->list[kept++] = of;
  }
  all->count = kept;
}

/* Leaves the stages from `first` on, `count` of them. */
static void keep_stages(run_case *run, int first, int count)
{
  dem_case *simulation = &run->simulation;
  memmove(simulation->stages, simulation->stages + first, (size_t)count * sizeof *simulation->stages);
  memmove(run->output.stages, run->output.stages + first, (size_t)count * sizeof *run->output.stages);
  keep_reductions(&run->output.reductions, first, count);
  simulation->stage_count = count;
  simulation->trace_count = 0; /* traces name stages; the reader has refused them beside lists */
}

/* The place of a stage in the list of the case, from 0: there a modulus reduction is one item. */
static int item_of_stage(const run_reductions *all, int stage)
{
  int item = stage;
  for (int i = 0; i < all->count; i++)
    if (all->list[i].first_stage <= stage)
      item -= 2 * all->list[i].count - 1;
  return item;
}

/* The run of one model: the whole case, or the stages before the list of ratios. */
static bool make_model(run_member *member, const run_case *run, int number, const run_settings *settings)
{
  const run_variants *variants = &run->output.variants;
  const char *name = jager_model_name(variants->models[number]);
  bool has_folder = variants->model_count > 1;
  dem_contact_law *law = &member->run.simulation.contact;
  member->run = *run;
  law->model = variants->models[number];
  if (law->model != JAGER_MODEL_JAGER)
    law->tolerance = law->dp_max = 0.0;
  if (variants->csr_count > 0)
    keep_stages(&member->run, 0, variants->csr_stage);
  member->after = member->csr = -1;
  member->dir = has_folder ? path_in(settings->dir, "%s", name) : strdup(settings->dir);
  member->label = strdup(name);
  member->input = strdup(settings->input);
  return member->dir && member->label && add_model_settings(&member->input, &run->simulation.contact, law->model);
}

/* The run of one ratio, from the last state of the member before, if there is one. */
static bool make_ratio(run_member *member, const run_case *run, const run_member *before, int number, int csr)
{
  char value[NUMBER_PRINT_SIZE], key[100];
  const run_variants *variants = &run->output.variants;
  int first = variants->csr_stage;
  member->run = before->run;
  member->run.simulation.stage_count = run->simulation.stage_count;
  member->run.output.reductions = run->output.reductions;
  memcpy(member->run.simulation.stages, run->simulation.stages, sizeof run->simulation.stages);
  memcpy(member->run.output.stages, run->output.stages, sizeof run->output.stages);
  keep_stages(&member->run, first, run->simulation.stage_count - first);
  member->run.simulation.stages[0].cyclic.stress_ratio = variants->csr[csr];
  number_print_shortest(variants->csr[csr], value);
  snprintf(key, sizeof key, "stages.%d.cyclic.csr", item_of_stage(&run->output.reductions, first));
  member->csr = csr;
  member->after = number;
  member->dir = path_in(before->dir, "csr-%s", value);
  member->label = strdup(before->label);
  member->input = strdup(before->input);
  member->start = path_in(before->dir, RUN_CHECKPOINT);
  member->run.simulation.assembly.source = DEM_SOURCE_CHECKPOINT;
  member->run.simulation.assembly.path = member->start;
  member->run.simulation.assembly.name = "../" RUN_CHECKPOINT; /* the same wherever the directory is moved to */
  return member->dir && member->label && member->start && add_setting(&member->input, key, value);
}

static bool make_members(run_members *members, const run_case *run, const run_settings *settings, error_info *error)
{
  const run_variants *variants = &run->output.variants;
  int models = variants->model_count > 0 ? variants->model_count : 1, next = models;
  if (!run_members_create(members, models * (1 + variants->csr_count), error))
    return false;
  bool has_memory = true;
  for (int m = 0; has_memory && m < models; m++)
    has_memory = make_model(&members->list[m], run, m, settings);
  for (int m = 0; m < models; m++)
    for (int c = 0; has_memory && c < variants->csr_count; c++, next++)
      has_memory = make_ratio(&members->list[next], run, &members->list[m], m, c);
  return has_memory || error_out_of_memory(error);
}

/* ---- Before and after -------------------------------------------------------------------------------------------- */

/* No run may replace files of an earlier one, unless by force: looked at before the first begins. */
static run_ending check_directories(const run_members *members, const run_settings *settings, error_info *error)
{
  for (int i = 0; i < members->count && !settings->force && !settings->resume; i++) {
    char *used;
    if (!run_directory_find_used(members->list[i].dir, &used, error))
      return RUN_IO_FAILED;
    if (!used)
      continue;
    error_set(error,
              "%s exists already: --resume continues it, --force replaces the runs in %s, -o takes another "
              "directory",
              used, settings->dir);
    free(used);
    return RUN_REFUSED;
  }
  return RUN_COMPLETED;
}

static bool collect(run_family_report *report, const run_members *members, const run_case *run, error_info *error)
{
  const run_variants *variants = &run->output.variants;
  const size_t room = (size_t)JAGER_MODEL_COUNT * RUN_CSR_MAX;
  report->resistances = variants->csr_count > 0 ? calloc(room, sizeof *report->resistances) : NULL;
  if (variants->csr_count > 0 && !report->resistances)
    return error_out_of_memory(error);
  for (int i = 0; i < members->count; i++) {
    const run_member *member = &members->list[i];
    report->doubts += member->state->doubts;
    report->is_nonsense = report->is_nonsense || member->state->is_nonsense;
    if (member->csr < 0 &&
        !run_reduction_collect(&report->reductions, &report->reduction_count, member->dir, &member->run, error))
      return false;
    if (member->csr >= 0 && !run_resistance_find(&report->resistances[report->resistance_count++], member->dir,
                                                 &member->run.simulation, error))
      return false;
  }
  return true;
}

static bool write_results(const run_family_report *report, const run_case *run, const char *dir, error_info *error)
{
  const char *title = run->simulation.title;
  bool is_drawn = run->output.pictures;
  return run_reduction_write(dir, title, report->reductions, report->reduction_count, is_drawn, error) &&
         run_resistance_write(dir, title, report->resistances, report->resistance_count, is_drawn, error);
}

void run_family_execute(run_family_report *report, const run_case *run, const run_settings *settings,
                        const run_watcher *watcher)
{
  run_members members = {0};
  error_info *error = &report->error;
  *report = (run_family_report){.error = {.text = ""}};
  report->ending = make_members(&members, run, settings, error) ? RUN_COMPLETED : RUN_IO_FAILED;
  if (report->ending == RUN_COMPLETED)
    report->ending = check_directories(&members, settings, error);
  if (report->ending == RUN_COMPLETED)
    report->ending = run_members_execute(&members, settings, watcher, error);
  report->count = members.count;
  for (int i = 0; i < members.count; i++) {
    const member_state *state = members.list[i].state;
    report->done += state->is_done && state->ending == RUN_COMPLETED;
    report->steps += state->step;
  }
  if (report->ending == RUN_COMPLETED &&
      !(collect(report, &members, run, error) && write_results(report, run, settings->dir, error)))
    report->ending = RUN_IO_FAILED;
  run_members_free(&members);
}

void run_family_report_free(run_family_report *report)
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

void run_family_print(const run_family_report *report, const char *dir, FILE *out)
{
  if (report->reduction_count > 0)
    fprintf(out, "%-17s %10s %10s %8s %8s %10s\n", "model", "gamma", "G (MPa)", "G/Gmax", "D (%)", "numerical");
  for (size_t i = 0; i < report->reduction_count; i++) {
    const reduction_row *row = &report->reductions[i];
    fprintf(out, "%-17s %10.3g %10.4g %8.4f %8.3g %10.2g\n", row->model, row->gamma, 1e-6 * row->shear_modulus,
            row->modulus_ratio, 100.0 * row->damping_ratio, 100.0 * row->damping_ratio_numerical);
  }
  if (report->resistance_count > 0)
    fprintf(out, "%-17s %8s %15s %15s %15s\n", "model", "CSR", "cycles to r_u", "to 3.75 %", "cycles done");
  for (size_t i = 0; i < report->resistance_count; i++) {
    const resistance_row *row = &report->resistances[i];
    fprintf(out, "%-17s %8.4g", row->model, row->csr);
    print_cycles(out, row->cycles_r_u);
    print_cycles(out, row->cycles_strain);
    fprintf(out, " %15.2f\n", row->cycles_done);
  }
  fprintf(out, "%d runs, results in %s:%s%s\n", report->count, dir,
          report->reduction_count > 0 ? " " RUN_REDUCTION : "", report->resistance_count > 0 ? " " RUN_RESISTANCE : "");
}

#define JSON_FIELD(field, unit, meaning)                                                                               \
  fprintf(out, ", \"%s\": ", #field);                                                                                  \
  json_print_number(row->field, out);

static void print_reduction_json(const reduction_row *row, FILE *out)
{
  fprintf(out, "{\"model\": \"%s\"", row->model);
  REDUCTION_LIST(JSON_FIELD)
  fputc('}', out);
}

static void print_resistance_json(const resistance_row *row, FILE *out)
{
  fprintf(out, "{\"model\": \"%s\"", row->model);
  RESISTANCE_LIST(JSON_FIELD)
  fputc('}', out);
}

void run_family_print_json(const run_family_report *report, const char *dir, FILE *out)
{
  fprintf(out, "{\"version\": \"%s\", \"directory\": ", jager_version());
  json_print_string(dir, out);
  fprintf(out, ", \"runs\": %d, \"warnings\": %zu, \"reduction\": [", report->count, report->doubts);
  for (size_t i = 0; i < report->reduction_count; i++) {
    fputs(i > 0 ? ", " : "", out);
    print_reduction_json(&report->reductions[i], out);
  }
  fputs("], \"resistance\": [", out);
  for (size_t i = 0; i < report->resistance_count; i++) {
    fputs(i > 0 ? ", " : "", out);
    print_resistance_json(&report->resistances[i], out);
  }
  fputs("]}\n", out);
}
