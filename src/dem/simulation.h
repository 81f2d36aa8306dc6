/* SPDX-License-Identifier: MIT */
/*
 * The simulator: an assembly of grains, spheres or rigid clumps of spheres, in a periodic cell that is loaded in the
 * stages of a case, step by step.
 *
 *     dem_simulation *simulation = dem_simulation_create(&run, threads, &error);
 *     while (dem_simulation_step(simulation, &error) == DEM_GOES_ON) ...look at it...
 *
 * The simulator opens only the files of its assembly, prints nothing and never ends the program.
 * The same case gives the same bits with any number of threads, and after dem_checkpoint_write and
 * dem_checkpoint_restore.
 */
#ifndef JAGER_DEM_SIMULATION_H
#define JAGER_DEM_SIMULATION_H

#include "base/error.h"
#include "case.h"
#include "measures.h"

#include <stdbool.h>

typedef struct dem_simulation dem_simulation;
struct dem_trace_book;

typedef enum dem_progress {
  DEM_GOES_ON,
  DEM_DONE,  /* the last stage has ended */
  DEM_FAILED /* see the error; the simulation cannot go on */
} dem_progress;

/*
 * A new simulation: makes or reads the assembly, and begins the first stage. The case must live as long as the
 * simulation. `threads` = 0 uses all processors. NULL on failure.
 */
dem_simulation *dem_simulation_create(const dem_case *run, int threads, error_info *error);

/*
 * The same in two parts. The first is quick, and checks everything that can be known beforehand: that files and
 * checkpoints are good and fit the case, that the cell is wide enough. The second removes the overlaps of random
 * spheres, which takes time, and may fail. Before it, and after its failure, only dem_simulation_destroy may be
 * called.
 */
dem_simulation *dem_simulation_prepare(const dem_case *run, int threads, error_info *error);
bool dem_simulation_begin(dem_simulation *simulation, error_info *error);

void dem_simulation_destroy(dem_simulation *simulation);

/* One time step. */
dem_progress dem_simulation_step(dem_simulation *simulation, error_info *error);

/*
 * Begins the next stage if one has just ended; otherwise it does nothing. dem_simulation_step does the same first;
 * call this before it to measure the start of the stage. DEM_DONE: the last stage has ended.
 */
dem_progress dem_simulation_begin_stage(dem_simulation *simulation, error_info *error);

/*
 * Goes on in another case, which must live as long as the simulation. It may differ from the present one in stages that
 * have not begun, and in control, friction, damping and end of the present stage, as far as checkpoint/case_change.h
 * allows it; the next step obeys it. Servos of stresses that were not held before start anew. A stage whose last step
 * is over goes on if it has a later end now. False, with an error that names the keys: nothing has changed.
 */
bool dem_simulation_change_case(dem_simulation *simulation, const dem_case *now, error_info *error);

/*
 * The events at which callers measure or write. Before the first step of a stage: stage_began alone. After a step:
 * whether it reversed the strain rates of a cyclic stage, finished one of its cycles (cycles.h), brought a pore
 * pressure ratio to DEM_LIQUEFIED_R_U for the first time in the stage, and whether it was the last step of its stage.
 */
typedef struct dem_events {
  bool stage_began, reversed, cycle_ended, liquefied, stage_ended;
} dem_events;

dem_events dem_simulation_events(const dem_simulation *simulation);

/* Progress and size. */
long dem_simulation_steps(const dem_simulation *simulation);
double dem_simulation_time(const dem_simulation *simulation);     /* s */
bool dem_simulation_has_failed(const dem_simulation *simulation); /* it can be read, but not go on */
int dem_simulation_stage(const dem_simulation *simulation);       /* 0: packing, then 1 ... stage_count */
const char *dem_simulation_stage_name(const dem_simulation *simulation);
double dem_simulation_stage_progress(const dem_simulation *simulation); /* 0 to 1, as far as it is known */
size_t dem_simulation_spheres(const dem_simulation *simulation);
size_t dem_simulation_grains(const dem_simulation *simulation); /* as many as spheres, or fewer: clumps of spheres */
size_t dem_simulation_contacts(const dem_simulation *simulation);
int dem_simulation_threads(const dem_simulation *simulation);

/* The search for the target of a packing, so far. */
typedef struct dem_packing_report {
  int trials;              /* packings that were begun; 0: the packing has no target, or there is none */
  double target;           /* void ratio; 0: not known yet, as below */
  double loosest, densest; /* void ratios at rest with the friction of the start, and without */
  double friction;         /* at which the target was reached; before, the present one */
  double void_ratio;       /* at the end of packing */
} dem_packing_report;

dem_packing_report dem_simulation_packing(const dem_simulation *simulation);

/* (e_max - e)/(e_max - e_min) at the end of packing; NAN if a part of it is not known. */
double dem_packing_relative_density(const dem_packing_report *packing);

double dem_simulation_void_ratio(const dem_simulation *simulation);

const dem_case *dem_simulation_case(const dem_simulation *simulation);

/* The contact law as it is now: with the friction of the stage. */
jager_law dem_simulation_law(const dem_simulation *simulation);

/* A view of the contact between two spheres, for reading before the next step. False: they do not touch. */
bool dem_simulation_find_contact(const dem_simulation *simulation, uint32_t id_a, uint32_t id_b, jager_contact *view);

/* The traces, for trace.h; NULL if there are none. */
const struct dem_trace_book *dem_simulation_traces(const dem_simulation *simulation);

/* Computes all measures, which takes as long as some time steps. */
void dem_simulation_measure(const dem_simulation *simulation, dem_measures *measures);

struct dem_trace_follower;

/*
 * Sets a follower of contacts; see trace.h. Existing contacts are offered to it now. The simulation cannot be written
 * to a checkpoint afterwards. False: out of memory.
 */
bool dem_simulation_follow(dem_simulation *simulation, const struct dem_trace_follower *follower);

/* Bytes of the arrays and pools of the simulation. */
size_t dem_simulation_bytes(const dem_simulation *simulation);

/*
 * A hash of positions, velocities, forces and all points of all histories: equal for equal states. It depends neither
 * on the width of a word nor on the number of threads. 0: out of memory.
 */
uint64_t dem_simulation_hash(const dem_simulation *simulation);

#endif
