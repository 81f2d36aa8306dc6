/* SPDX-License-Identifier: MIT */
/*
 * The long runs of `jager paper`. Times are wall-clock times, so a timed simulation needs a processor of its own: it
 * runs in one thread, beside at most one other run. The two laws take turns of some hundred steps, so that a slower
 * phase of the machine slows both.
 */
#include "biaxial.h"
#include "base/clock.h"
#include "base/progress.h"
#include "paper.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROW_STEPS = 200, TURN_STEPS = 500 };

/* Strains relative to that of the test. */
static const double birth_strain = 0.7;   /* after the peak: the traced contact is born there */
static const double further_strain = 1.0; /* after the test, at twice the rate */

enum { PARTS_MAX = 3, THREADS_MAX = 2 };

struct biaxial_job;

/* A followed run, or the timed runs. */
typedef struct biaxial_part {
  bool (*run)(struct biaxial_job *job, error_info *error);
  error_info error;
  bool is_done;
} biaxial_part;

/* Shared by all runs. */
typedef struct biaxial_job {
  biaxial_results *results;
  dem_case run, calibrated; /* the cases as they were read; parts use changed copies, which share their memory */
  biaxial_part parts[PARTS_MAX];
  int part_count;
  atomic_int next_part; /* the first that no thread has taken */
  atomic_long steps_done;
  atomic_size_t contacts;
  atomic_int threads; /* that are running */
} biaxial_job;

/* ---- Cases ------------------------------------------------------------------------------------------------------- */

/* The last stage is the test. */
static dem_stage *test_stage(dem_case *run)
{
  return &run->stages[run->stage_count - 1];
}

static double test_strain(const dem_case *run)
{
  const dem_stage *test = &run->stages[run->stage_count - 1];
  return test->control[DEM_ZZ].value * (double)test->until.steps;
}

/* Checks the properties of the case on which the figures rely; --set may have changed them. */
static bool is_biaxial(const dem_case *run, error_info *error)
{
  const dem_stage *test = &run->stages[run->stage_count - 1];
  if (run->stage_count < 2 || run->stage_count >= DEM_STAGES_MAX ||
      test->control[DEM_ZZ].kind != DEM_CONTROL_STRAIN_STEP || test->until.steps <= 0 || !(test_strain(run) > 0.0))
    return error_set(error, "--set: the case's last stage must be compressed along zz by a strain_step until so many "
                            "steps, and another stage must come before it");
  return true;
}

static void add_further_stage(dem_case *run)
{
  dem_stage *further = &run->stages[run->stage_count];
  *further = *test_stage(run);
  snprintf(further->name, sizeof further->name, "further");
  further->control[DEM_ZZ].value *= 2.0;
  further->until.steps = (long)ceil(further_strain * 0.5 * (double)further->until.steps);
  run->stage_count++;
}

/* Requests one trace, of a contact that is born after the peak. */
static void ask_for_trace(dem_case *run)
{
  const double strain = test_strain(run);
  dem_trace *trace = &run->traces[0];
  run->trace_count = 1;
  *trace = (dem_trace){.kind = DEM_TRACE_BORN,
                       .component = DEM_ZZ,
                       .strain = birth_strain * strain,
                       .window = strain / 80.0,
                       .every = 10};
  memcpy(trace->stage, test_stage(run)->name, sizeof trace->stage);
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

/* Makes steps until the stage before the test has ended. */
static bool reach_test(dem_simulation *s, int test, error_info *error)
{
  while (!(dem_simulation_events(s).stage_ended && dem_simulation_stage(s) == test - 1))
    if (dem_simulation_step(s, error) != DEM_GOES_ON)
      return false;
  return true;
}

static void count_step(biaxial_job *job, const dem_simulation *s)
{
  atomic_fetch_add_explicit(&job->steps_done, 1, memory_order_relaxed);
  atomic_store_explicit(&job->contacts, dem_simulation_contacts(s), memory_order_relaxed);
}

const twin_way biaxial_ways[BIAXIAL_WAYS] = {
    {"0.10 f", 0.10, 0.0}, {"0.20 f", 0.20, 0.0}, {"τ = 10⁻³", 0.0, 1e-3}, {"τ = 10⁻²", 0.0, 1e-2}};

/* ---- The followed runs ------------------------------------------------------------------------------------------- */

static bool add_row(biaxial_followed *r, const dem_simulation *s, double strain_start, error_info *error)
{
  if (r->row_count == r->row_capacity) {
    size_t capacity = 2 * r->row_capacity + 64;
    biaxial_row *rows = realloc(r->rows, capacity * sizeof *rows);
    if (!rows)
      return error_out_of_memory(error);
    r->rows = rows;
    r->row_capacity = capacity;
  }
  dem_measures m;
  dem_simulation_measure(s, &m);
  biaxial_row *row = &r->rows[r->row_count++];
  *row = (biaxial_row){.strain = m.strain_zz - strain_start,
                       .ratio = m.stress_zz / m.stress_xx,
                       .void_ratio = m.void_ratio,
                       .contacts = m.contacts,
                       .length_mean = m.history_mean,
                       .length_max = m.history_max,
                       .bytes = m.history_bytes};
  if (r->twins.way_count > 0 && !r->twins.is_closed) {
    row->sample_exact = r->twins.exact_length / r->twins.count;
    for (int k = 0; k < BIAXIAL_WAYS; k++)
      row->sample[k] = r->twins.lengths[k] / r->twins.count;
  }
  return true;
}

static bool follow_twins(biaxial_followed *r, dem_simulation *s, error_info *error)
{
  jager_law law;
  if (!paper_check(dem_case_law(dem_simulation_case(s), &law), error))
    return false;
  if (!twins_init(&r->twins, &law, biaxial_ways, BIAXIAL_WAYS) || !dem_simulation_follow(s, &r->twins.follower))
    return error_out_of_memory(error);
  r->twin_contacts = r->twins.count;
  return true;
}

static double shear_range(const dem_trace_life *life)
{
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (size_t k = 0; k < life->count; k++) {
    const double xi[2] = {life->samples[k].xi1, life->samples[k].xi2};
    for (int i = 0; i < 2; i++) {
      low[i] = fmin(low[i], xi[i]);
      high[i] = fmax(high[i], xi[i]);
    }
  }
  return hypot(high[0] - low[0], high[1] - low[1]);
}

const dem_trace_life *biaxial_choose_life(const dem_trace_book *book)
{
  const dem_trace_life *best = NULL;
  size_t next = 0;
  for (size_t k = 0; k < dem_trace_book_size(book); k++) {
    const dem_trace_life *life = dem_trace_book_slot(book, k);
    bool lasts = life && life->request == 0 && life->death < 0 && life->count > 1;
    if (lasts && (!best || shear_range(life) < shear_range(best)))
      best = life;
  }
  return best ? best : dem_trace_book_life(book, 0, &next);
}

/* Keeps the life of the traced contact, with strains since the start of the test. */
static bool keep_life(biaxial_followed *r, const dem_simulation *s, long test_end, error_info *error)
{
  const dem_trace_life *life = biaxial_choose_life(dem_simulation_traces(s));
  if (!life || dem_trace_book_is_incomplete(dem_simulation_traces(s)))
    return life ? error_out_of_memory(error)
                : error_set(error, "no contact was born after the peak, within %g of a strain of %g",
                            dem_simulation_case(s)->traces[0].window, dem_simulation_case(s)->traces[0].strain);
  r->life = *life;
  r->life.samples = malloc(life->count * sizeof *life->samples);
  if (!r->life.samples)
    return error_out_of_memory(error);
  memcpy(r->life.samples, life->samples, life->count * sizeof *life->samples);
  for (size_t k = 0; k < life->count; k++)
    if (r->life.samples[k].step > (double)test_end)
      r->life.samples[k].strain += r->test_strain;
  return true;
}

/* Makes the steps from the start of the test to the end of the case. */
static bool follow_test(biaxial_job *job, biaxial_followed *r, dem_simulation *s, int test, error_info *error)
{
  dem_measures start;
  dem_simulation_measure(s, &start);
  long steps = 0, test_end = 0;
  for (dem_progress outcome; (outcome = dem_simulation_step(s, error)) != DEM_DONE; steps++) {
    if (outcome == DEM_FAILED)
      return false;
    count_step(job, s);
    bool test_ended = dem_simulation_events(s).stage_ended && dem_simulation_stage(s) == test;
    if ((steps % ROW_STEPS == 0 || test_ended) && !add_row(r, s, start.strain_zz, error))
      return false;
    if (test_ended) {
      r->hash = dem_simulation_hash(s);
      test_end = dem_simulation_steps(s);
      twins_close(&r->twins);
    }
  }
  return paper_check(r->twins.status, error) &&
         (dem_simulation_case(s)->trace_count == 0 || keep_life(r, s, test_end, error));
}

static bool run_followed(biaxial_job *job, const dem_case *of, biaxial_needs needs, biaxial_followed *r,
                         error_info *error)
{
  dem_case run = *of;
  int test = run.stage_count;
  r->test_strain = test_strain(of);
  run.trace_count = 0;
  if (needs.trace) {
    ask_for_trace(&run);
    add_further_stage(&run);
  }
  dem_simulation *s = dem_simulation_create(&run, 1, error);
  bool done = s && reach_test(s, test, error) && (!needs.lengths || follow_twins(r, s, error)) &&
              follow_test(job, r, s, test, error);
  dem_simulation_destroy(s);
  twins_free(&r->twins);
  return done;
}

static bool run_prediction(biaxial_job *job, error_info *error)
{
  return run_followed(job, &job->run, job->results->has, &job->results->prediction, error);
}

static bool run_calibrated(biaxial_job *job, error_info *error)
{
  return run_followed(job, &job->calibrated, (biaxial_needs){.lengths = true}, &job->results->calibrated, error);
}

size_t biaxial_test_rows(const biaxial_followed *of)
{
  size_t rows = 0;
  while (rows < of->row_count && of->rows[rows].strain <= of->test_strain * (1.0 + 1e-6))
    rows++;
  return rows;
}

const biaxial_row *biaxial_peak(const biaxial_followed *of)
{
  const biaxial_row *peak = &of->rows[0];
  for (size_t k = 1; k < biaxial_test_rows(of); k++)
    if (of->rows[k].ratio > peak->ratio)
      peak = &of->rows[k];
  return peak;
}

/* ---- The timed runs ---------------------------------------------------------------------------------------------- */

typedef struct timed_run {
  dem_case run;
  dem_simulation *simulation;
  biaxial_time *time;
} timed_run;

static bool start_timed(biaxial_job *job, timed_run *of, jager_model model, error_info *error)
{
  of->run = job->run;
  of->run.contact.model = model;
  of->run.trace_count = 0;
  of->simulation = dem_simulation_create(&of->run, 1, error);
  if (!of->simulation || !reach_test(of->simulation, of->run.stage_count, error))
    return false;
  dem_simulation_time_law(of->simulation);
  return true;
}

static bool take_turn(biaxial_job *job, timed_run *of, long steps, error_info *error)
{
  double start = clock_seconds();
  for (long i = 0; i < steps; i++) {
    if (dem_simulation_step(of->simulation, error) != DEM_GOES_ON)
      return false;
    of->time->contact_steps += (double)dem_simulation_contacts(of->simulation);
    count_step(job, of->simulation);
  }
  of->time->total_seconds += clock_seconds() - start;
  of->time->law_seconds = dem_simulation_law_seconds(of->simulation);
  of->time->steps += (double)steps;
  return true;
}

static bool run_timed(biaxial_job *job, error_info *error)
{
  biaxial_results *r = job->results;
  timed_run runs[2] = {{.time = &r->jager}, {.time = &r->mindlin}};
  bool done = start_timed(job, &runs[0], JAGER_MODEL_JAGER, error) &&
              start_timed(job, &runs[1], JAGER_MODEL_MODIFIED_MINDLIN, error);
  long left = done ? test_stage(&runs[0].run)->until.steps : 0;
  for (; done && left > 0; left -= TURN_STEPS) {
    long steps = left < TURN_STEPS ? left : TURN_STEPS;
    done = take_turn(job, &runs[0], steps, error) && take_turn(job, &runs[1], steps, error);
  }
  if (done)
    r->hash_timed = dem_simulation_hash(runs[0].simulation);
  dem_simulation_destroy(runs[0].simulation);
  dem_simulation_destroy(runs[1].simulation);
  return done;
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

/* Takes parts until none is left. */
static void *work(void *context)
{
  biaxial_job *job = context;
  for (int taken; (taken = atomic_fetch_add(&job->next_part, 1)) < job->part_count;) {
    biaxial_part *part = &job->parts[taken];
    part->is_done = part->run(job, &part->error);
    if (!part->is_done)
      atomic_store(&job->next_part, job->part_count);
  }
  atomic_fetch_sub(&job->threads, 1);
  return NULL;
}

static int processors(void)
{
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

static void show_progress(biaxial_job *job, long steps, bool is_quiet)
{
  const struct timespec pause = {.tv_nsec = 100000000};
  progress meter;
  progress_start(&meter, stderr, is_quiet);
  while (atomic_load(&job->threads) > 0) {
    long done = atomic_load_explicit(&job->steps_done, memory_order_relaxed);
    progress_state state = {.stage = 1,
                            .stage_count = 1,
                            .stage_name = done > 0 ? "biaxial tests" : "packing",
                            .fraction = (double)done / (double)steps,
                            .step = done,
                            .contacts = atomic_load_explicit(&job->contacts, memory_order_relaxed)};
    progress_check_clock(&meter, &state);
    nanosleep(&pause, NULL);
  }
  progress_end(&meter);
}

/* Runs the parts in up to `count` threads. */
static void run_parts(biaxial_job *job, int count, long steps, bool is_quiet)
{
  pthread_t threads[THREADS_MAX];
  int started = 0;
  for (; started < count; started++) {
    atomic_fetch_add(&job->threads, 1);
    if (pthread_create(&threads[started], NULL, work, job) != 0) {
      atomic_fetch_sub(&job->threads, 1);
      break;
    }
  }
  if (started == 0) { /* without a thread */
    atomic_store(&job->threads, 1);
    work(job);
  }
  show_progress(job, steps, is_quiet);
  for (int i = 0; i < started; i++)
    pthread_join(threads[i], NULL);
}

static long steps_in_all(const dem_case *run, biaxial_needs needs)
{
  long test = run->stages[run->stage_count - 1].until.steps, steps = 0;
  if (needs.trace || needs.lengths)
    steps += test;
  if (needs.trace)
    steps += (test + 1) / 2;
  if (needs.lengths)
    steps += test;
  return needs.times ? steps + 2 * test : steps;
}

static int exit_code_of_parts(const biaxial_job *job)
{
  int code = EXIT_DONE;
  for (int i = 0; i < job->part_count; i++)
    if (!job->parts[i].is_done) {
      code = EXIT_RUN_FAILED;
      if (job->parts[i].error.text[0] != '\0')
        complain(PAPER_COMMAND, "%s", job->parts[i].error.text);
    }
  return code;
}

/* Makes all runs. The longest parts come first. */
static int run_job(biaxial_job *job, bool is_quiet)
{
  const biaxial_needs needs = job->results->has;
  if (needs.times)
    job->parts[job->part_count++].run = run_timed;
  if (needs.trace || needs.lengths)
    job->parts[job->part_count++].run = run_prediction;
  if (needs.lengths)
    job->parts[job->part_count++].run = run_calibrated;
  run_parts(job, processors() > 1 ? THREADS_MAX : 1, steps_in_all(&job->run, needs), is_quiet);
  return exit_code_of_parts(job);
}

/* Reads the case of the paper. Warnings are printed if `warns`, mistakes always. */
static int read_case(dem_case *run, const char *const settings[], size_t setting_count, bool warns)
{
  const case_source source = {"biaxial.yaml", settings, setting_count};
  run_case description;
  error_info error = {.text = ""};
  char *messages;
  int code = case_read_text(&description, &source, paper_case_text, strlen(paper_case_text), NULL, &messages);
  if (messages && (warns || code != EXIT_DONE))
    fputs(messages, stderr);
  else if (!messages && code != EXIT_DONE)
    complain(PAPER_COMMAND, "not enough memory");
  free(messages);
  if (code == EXIT_DONE && !is_biaxial(&description.simulation, &error)) {
    complain(PAPER_COMMAND, "%s", error.text);
    dem_case_free(&description.simulation);
    code = EXIT_BAD_INPUT;
  }
  if (code == EXIT_DONE)
    *run = description.simulation;
  return code;
}

/* Reads the case with the settings of the calibration before those of the user, who has seen his warnings already. */
static int read_calibrated(dem_case *run, const char *const settings[], size_t setting_count)
{
  size_t own = 0;
  while (paper_calibration[own])
    own++;
  const char **all = malloc((own + setting_count) * sizeof *all);
  if (!all) {
    complain(PAPER_COMMAND, "not enough memory");
    return EXIT_IO_FAILED;
  }
  for (size_t i = 0; i < own + setting_count; i++)
    all[i] = i < own ? paper_calibration[i] : settings[i - own];
  int code = read_case(run, all, own + setting_count, false);
  free(all);
  return code;
}

int biaxial_run(biaxial_results *results, biaxial_needs needs, const char *const settings[], size_t setting_count,
                bool is_quiet)
{
  biaxial_job *job = calloc(1, sizeof *job); /* a case is large */
  *results = (biaxial_results){.has = needs};
  if (!job) {
    complain(PAPER_COMMAND, "not enough memory");
    return EXIT_IO_FAILED;
  }
  job->results = results;
  int code = read_case(&job->run, settings, setting_count, true);
  if (code == EXIT_DONE) {
    results->spheres = (size_t)job->run.assembly.packing.spheres;
    code = read_calibrated(&job->calibrated, settings, setting_count);
    if (code == EXIT_DONE) {
      code = run_job(job, is_quiet);
      dem_case_free(&job->calibrated);
    }
    dem_case_free(&job->run);
  }
  free(job);
  return code;
}

static void followed_free(biaxial_followed *of)
{
  free(of->rows);
  free(of->life.samples);
}

void biaxial_free(biaxial_results *results)
{
  followed_free(&results->prediction);
  followed_free(&results->calibrated);
  *results = (biaxial_results){.spheres = 0};
}
