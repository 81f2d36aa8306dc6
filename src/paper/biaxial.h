/* SPDX-License-Identifier: MIT */
/*
 * The long runs of `jager paper`: the biaxial test of the paper, examples/biaxial.yaml, which is compiled in.
 *
 *   prediction  followed: exact Jäger histories. One in TWIN_SHARE contacts has twins with approximate histories. After
 *               the test the compression goes on, and a contact that was born after the peak is traced.
 *   timed       exact Jäger and modified-mindlin, each in one thread, in turns, with time measurement.
 *   calibrated  followed, with twins, to the end of the test: with settings that were fitted to the paper's lengths.
 *
 * On two processors two of them run at the same time; on one, one after the other.
 */
#ifndef JAGER_PAPER_BIAXIAL_H
#define JAGER_PAPER_BIAXIAL_H

#include "case/reader.h"
#include "dem/observe/trace.h"
#include "dem/simulation.h"
#include "twins.h"

#include <stdbool.h>

/* How the twins approximate: the paper's way with two values, and two tolerances. */
enum { BIAXIAL_WAYS = 4 };
extern const twin_way biaxial_ways[BIAXIAL_WAYS];

/* The runs that are needed. */
typedef struct biaxial_needs {
  bool trace;   /* prediction, beyond the end of the test */
  bool lengths; /* prediction and calibrated run, with twins */
  bool times;   /* timed runs */
} biaxial_needs;

/* The state of a followed run at one step. */
typedef struct biaxial_row {
  double strain; /* strain_zz since the start of the test */
  double ratio;  /* stress_zz over stress_xx */
  double void_ratio;
  double contacts, length_mean, length_max, bytes; /* number of contacts; their histories */
  double sample_exact, sample[BIAXIAL_WAYS];       /* mean lengths of the contacts with twins, and of the twins */
} biaxial_row;

/* Times of one law, summed over the test. */
typedef struct biaxial_time {
  double law_seconds, total_seconds;
  double contact_steps; /* the number of contacts, summed over the steps */
  double steps;
} biaxial_time;

/* What is kept of a followed run. */
typedef struct biaxial_followed {
  double test_strain; /* strain_zz at the end of the test */
  size_t row_count, row_capacity;
  biaxial_row *rows;
  twins twins;
  double twin_contacts; /* at the start of the test */
  dem_trace_life life;  /* of the traced contact, with strains since the start of the test; owns its samples */
  uint64_t hash;        /* at the end of the test */
} biaxial_followed;

typedef struct biaxial_results {
  biaxial_needs has;
  size_t spheres;
  biaxial_followed prediction, calibrated;
  biaxial_time jager, mindlin;
  uint64_t hash_timed; /* of the timed exact run at the end of the test: that of the prediction */
} biaxial_results;

/*
 * Makes the runs. `settings` change the cases, as --set does; they come after those of the calibration. Returns the
 * exit code of the program.
 */
int biaxial_run(biaxial_results *results, biaxial_needs needs, const char *const settings[], size_t setting_count,
                bool is_quiet);

void biaxial_free(biaxial_results *results);

/* The number of rows up to the end of the test. */
size_t biaxial_test_rows(const biaxial_followed *of);

/* The row with the largest stress ratio of the test. */
const biaxial_row *biaxial_peak(const biaxial_followed *of);

/*
 * Chooses a life of the first request: of the contacts that live to the end, the one with the smallest range of
 * tangential displacements, since gross sliding would hide all other movements; if none lives to the end, the one
 * that lived longest. NULL if no contact was born.
 */
const dem_trace_life *biaxial_choose_life(const dem_trace_book *book);

/* The text of examples/biaxial.yaml, and the settings of calibrated.settings, KEY=VALUE, with NULL at the end. */
extern const char paper_case_text[];
extern const char *const paper_calibration[];

#endif
