/* SPDX-License-Identifier: MIT */
/*
 * The simulator: an assembly of spheres in a periodic cell, taken through the stages of a case step by step.
 *
 *     dem_simulation *simulation = dem_simulation_create(&run, threads, &error);
 *     while (dem_simulation_step(simulation, &error) == DEM_GOES_ON) ...look at it...
 *
 * It opens no files but those that the assembly is read from, prints nothing and never ends the program. The same case
 * gives the same bits with any number of threads, and after dem_checkpoint_write and _read.
 */
#ifndef JAGER_DEM_SIMULATION_H
#define JAGER_DEM_SIMULATION_H

#include "base/error.h"
#include "case.h"
#include "dem/observe/measures.h"

#include <stdbool.h>

typedef struct dem_simulation dem_simulation;
struct dem_trace_book;

typedef enum dem_progress {
  DEM_GOES_ON,
  DEM_DONE,  /* the last stage has ended */
  DEM_FAILED /* see the error; the simulation cannot go on */
} dem_progress;

/*
 * A new simulation: its assembly is made or read, and the first stage begun. The case must live as long. NULL on failure.
 * `threads` of 0 takes as many as there are processors.
 */
dem_simulation *dem_simulation_create(const dem_case *run, int threads, error_info *error);

/*
 * The same in two parts. The first is quick and refuses all that can be told beforehand: whether files and
 * checkpoints are good and fit the case, whether the cell is wide enough. The second takes its time, to move random
 * spheres apart; it may fail, and nothing but _destroy may be called before it or after it has failed.
 */
dem_simulation *dem_simulation_prepare(const dem_case *run, int threads, error_info *error);
bool dem_simulation_begin(dem_simulation *simulation, error_info *error);

void dem_simulation_destroy(dem_simulation *simulation);

/* One time step. */
dem_progress dem_simulation_step(dem_simulation *simulation, error_info *error);

/*
 * Begins the next stage if one has just ended, and else does nothing. dem_simulation_step does so by itself; call this
 * before it to look at the start of the stage. DEM_DONE: the last stage has ended.
 */
dem_progress dem_simulation_begin_stage(dem_simulation *simulation, error_info *error);

/*
 * What is to be written now, by the output of the stage. After a step: what its interval says, a line of the series at
 * each reversal of a cyclic stage, and all of it at the stage's end. Before the first step of a stage: a line of the
 * series, and the snapshots unless the end of the stage before has given them already.
 */
typedef struct dem_due {
  bool series, snapshot, vtk;
  bool stage_ended;
} dem_due;

dem_due dem_simulation_due(const dem_simulation *simulation);

/* Where it is. */
long dem_simulation_steps(const dem_simulation *simulation);
int dem_simulation_stage(const dem_simulation *simulation); /* 0: packing, then 1 ... stage_count */
const char *dem_simulation_stage_name(const dem_simulation *simulation);
double dem_simulation_stage_progress(const dem_simulation *simulation); /* 0 to 1, as far as can be told */
size_t dem_simulation_spheres(const dem_simulation *simulation);
size_t dem_simulation_contacts(const dem_simulation *simulation);
int dem_simulation_threads(const dem_simulation *simulation);

const dem_case *dem_simulation_case(const dem_simulation *simulation);

/* The traced contacts, for trace.h; NULL if there are none. */
const struct dem_trace_book *dem_simulation_traces(const dem_simulation *simulation);

/* All measures, now. Costs as much as some time steps. */
void dem_simulation_measure(const dem_simulation *simulation, dem_measures *measures);

/* From now on the clock is looked at when contacts move, once for some dozens of them. Changes no result. */
void dem_simulation_time_law(dem_simulation *simulation);

/* Seconds that the law has taken since: moving contacts, and keeping their forces. Of all threads together. */
double dem_simulation_law_seconds(const dem_simulation *simulation);

struct dem_trace_follower;

/*
 * Lets someone follow contacts: see trace.h. Those that there are already are offered now. The simulation cannot be written
 * to a checkpoint any more. False if there is no memory.
 */
bool dem_simulation_follow(dem_simulation *simulation, const struct dem_trace_follower *follower);

/* Bytes that the simulation has taken from the system, as far as it knows. */
size_t dem_simulation_bytes(const dem_simulation *simulation);

/*
 * A hash of positions, velocities, forces and all points of all histories: equal for equal states. It depends neither
 * on the width of a word nor on the number of threads. 0: there is no memory to make it.
 */
uint64_t dem_simulation_hash(const dem_simulation *simulation);

#endif
