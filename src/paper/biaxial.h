/* SPDX-License-Identifier: MIT */
/*
 * The long runs of `jager paper`: the biaxial test of the paper, from examples/biaxial.yaml, which is compiled in.
 *
 *   followed  exact Jäger histories; of one in TWIN_SHARE contacts twins with approximate histories follow; behind the test
 *             the compression goes on, and a contact born after the peak is traced
 *   timed     exact Jäger and modified-mindlin, each in one thread, in turns, under the clock
 *
 * On two processors both go at once; on one, one after the other.
 */
#ifndef JAGER_PAPER_BIAXIAL_H
#define JAGER_PAPER_BIAXIAL_H

#include "case/reader.h"
#include "twins.h"
#include "dem/simulation.h"
#include "dem/observe/trace.h"

#include <stdbool.h>

/* Ways of the twins: the paper's two, and two tolerances. */
enum { BIAXIAL_WAYS = 4 };
extern const twin_way biaxial_ways[BIAXIAL_WAYS];

/* Which parts are wanted. */
typedef struct biaxial_needs {
  bool trace;   /* followed run, with what lies behind the test */
  bool lengths; /* followed run, with twins */
  bool times;   /* timed runs */
} biaxial_needs;

/* A moment of the followed run. */
typedef struct biaxial_row {
  double strain; /* of zz, since the test began */
  double ratio;  /* stress_zz over stress_xx */
  double contacts, length_mean, length_max, bytes;
  double sample_exact, sample[BIAXIAL_WAYS]; /* mean lengths of the contacts that have twins */
} biaxial_row;

/* Times of one law over the whole test. */
typedef struct biaxial_time {
  double law_seconds, total_seconds;
  double contact_steps; /* sum of contacts over the steps */
  double steps;
} biaxial_time;

typedef struct biaxial_results {
  biaxial_needs has;
  size_t spheres;
  double test_strain; /* at the end of the test */
  size_t row_count, row_room;
  biaxial_row *rows;
  twins twins;
  double twin_contacts; /* at the start of the test */
  dem_trace_life life;      /* of the traced contact; its samples are owned here, their strain since the test began */
  biaxial_time jager, mindlin;
  uint64_t hash_followed, hash_timed; /* of the exact runs at the end of the test: the same, if nothing disturbs it */
} biaxial_results;

/* Progress on stderr unless is_quiet. `settings` change the case, as --set does. Returns the program's exit code. */
int biaxial_run(biaxial_results *results, biaxial_needs needs, const char *const settings[], size_t setting_count,
                bool is_quiet);

void biaxial_free(biaxial_results *results);

/*
 * Of the lives of the first request. Gross sliding would dwarf all other movements: so of the contacts that live to the end
 * the one whose tangential movement has the smallest range; if none does, the one that lived longest. NULL: none was born.
 */
const dem_trace_life *biaxial_choose_life(const dem_trace_book *book);

/* The text of examples/biaxial.yaml. */
extern const char paper_case_text[];

#endif
