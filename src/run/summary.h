/* SPDX-License-Identifier: MIT */
/* The summary of a run: how each stage came out, what is doubtful, how fast it was, where its files are. */
#ifndef JAGER_RUN_SUMMARY_H
#define JAGER_RUN_SUMMARY_H

#include "doubts.h"
#include "files/tables.h"
#include "dem/measures.h"
#include "dem/simulation.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct run_speed {
  double seconds;       /* of the whole run */
  double part_seconds;  /* since it was started or resumed */
  double contact_steps; /* contacts times steps of this part */
  int threads;
} run_speed;

/* The results of a run, for people and for programs. */
typedef struct run_summary {
  const dem_case *run;
  const char *dir;                  /* of the run */
  size_t grains, spheres, contacts; /* as many grains as spheres: the spheres are the grains */
  long steps;
  size_t bytes;  /* of memory */
  uint64_t hash; /* of the last state */
  dem_packing_report packing;
  dem_grading grading;
  run_speed speed;
  bool wants_pictures, has_pictures;
  series_table table;
  cycles_table cycles;            /* without rows if no stage is cyclic */
  struct stage_outcome *outcomes; /* of packing, then of the stages */
  run_doubts doubts;
} run_summary;

/*
 * Reads the series and judges it. The caller fills in the speed and whether there are pictures. The simulation may be
 * destroyed afterwards; its case must outlive the summary. On failure there is nothing to free.
 */
bool run_summary_make(run_summary *summary, const dem_simulation *simulation, const char *dir, error_info *error);

void run_summary_free(run_summary *summary);

/* The doubts as lines of text, to be freed; NULL if there is no memory. */
char *run_summary_warnings(const run_summary *summary);

void run_summary_print(const run_summary *summary, FILE *out);
void run_summary_print_json(const run_summary *summary, FILE *out);

/* Writes DIR/summary.txt: the text without speed and memory, so that equal runs leave equal files. */
bool run_summary_write(const run_summary *summary, error_info *error);

#endif
