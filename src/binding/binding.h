/* SPDX-License-Identifier: MIT */
/*
 * Cases, simulations and runs for other languages: a flat interface of opaque handles, plain numbers and texts, without
 * callbacks. A binding calls it with whole arrays, from any thread; it prints nothing, catches no signals and never
 * ends the program. A handle is used by one thread at a time, except a watch; different handles are independent.
 *
 * Functions that can fail fill a binding_error, also with BINDING_DONE. On failure every handle is as it was before the
 * call, unless its simulation itself has failed (BINDING_RUN_FAILED), or a run could not write its files: it keeps the
 * state that it has reached. Texts that are to be freed are freed by binding_text_free.
 *
 * This header and those that it includes are read by cffi as well: types, enumerators and prototypes only.
 */
#ifndef JAGER_BINDING_BINDING_H
#define JAGER_BINDING_BINDING_H

#include "dem/snapshot.h"
#include "jager/compare.h"
#include "jager/jager.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/* The exit codes of the program, and codes for what each language words itself. */
typedef enum binding_fault {
  BINDING_DONE = 0,
  BINDING_FILE_FAILED = 1, /* a file or another program failed */
  BINDING_BAD_INPUT = 2,   /* a wrong case, a wrong file, or something that cannot be done in this state */
  BINDING_RUN_FAILED = 3,  /* the simulation could not go on */
  BINDING_NO_MEMORY = 4,
  BINDING_INTERRUPTED = 5,  /* by binding_watch_stop */
  BINDING_RUN_EXISTS = 6,   /* the text names a file of an earlier run, which settings->force would replace */
  BINDING_RUN_RESUMABLE = 7 /* the same, and settings->resume would continue the earlier run */
} binding_fault;

typedef struct binding_error {
  binding_fault fault;
  char *text; /* for people: one or more lines, to be freed; NULL: no fault, no memory for it, or interrupted */
} binding_error;

void binding_text_free(char *text);

/* ---- Names ------------------------------------------------------------------------------------------------------- */

/* Name, unit and meaning of the k-th measure and of the k-th value of a cycle. */
int binding_measure_count(void);
const char *binding_measure_name(int k);
const char *binding_measure_unit(int k);
const char *binding_measure_meaning(int k);
int binding_cycle_count(void);
const char *binding_cycle_name(int k);
const char *binding_cycle_unit(int k);
const char *binding_cycle_meaning(int k);

/* ---- Contacts by arrays ------------------------------------------------------------------------------------------ */

/* A path of one contact. Vectors lie one after the other: x0 y0 x1 y1 ... */
typedef struct binding_walk {
  size_t count;
  const double *zeta; /* at the end of each movement */
  const double *xi;   /* at the end of each movement, or its change */
  int columns;        /* of xi: 2, or 1 along the first axis */
  bool is_change;     /* xi holds changes */
  double start[2];    /* xi at the start of the path; afterwards, at its end */
  double *reached;    /* out, three columns: zeta, and both components of xi, at the end of each movement */
  double *fn;         /* out */
  double *ft;         /* out, two columns */
  uint8_t *state;     /* out, jager_state */
  double *normal;     /* out, as in jager_path; NULL: no energies */
  double *tangential; /* out; not NULL if `normal` is not */
  double *dissipated; /* out; not NULL if `normal` is not */
} binding_walk;

/*
 * Moves a contact along a path, to the last bit as jager_contact_move_path does. On an error the contact and
 * walk->start are as before, and *failed is the movement that cannot be made. Errors: those of jager_contact_move.
 */
jager_status binding_contact_walk(const jager_law *law, jager_pool *pool, jager_contact *contact, binding_walk *walk,
                                  size_t *failed);

/* The movements of many contacts. */
typedef struct binding_moves {
  size_t count;
  jager_contact *contacts; /* one after the other */
  const double *zeta;
  const double *dxi;
  int columns;    /* of dxi: 2, or 1 along the first axis */
  double *fn;     /* out */
  double *ft;     /* out, two columns */
  uint8_t *state; /* out, jager_state */
} binding_moves;

/*
 * Moves many contacts, as jager_contacts_move does. All numbers are checked before any contact moves (NOT_FINITE,
 * TOO_LARGE with *moved as the index); on other errors *moved contacts have moved.
 */
jager_status binding_contacts_move(const jager_law *law, jager_pool *pool, const binding_moves *moves, size_t *moved);

/* ---- Cases ------------------------------------------------------------------------------------------------------- */

typedef struct binding_case binding_case;

/*
 * Reads a case and applies settings, "key=value" (docs/case.md#--set-change-values). `text` NULL: from the file at
 * `path`; otherwise `path` names the text in messages, and relative paths in the case begin in its directory.
 * *messages gets warnings, to be freed; NULL: none. The text of an error has line, column and caret.
 */
binding_case *binding_case_read(const char *path, const char *text, size_t size, const char *const *settings,
                                size_t setting_count, char **messages, binding_error *error);
void binding_case_destroy(binding_case *of); /* NULL is allowed */

/* The text of the case with its settings as comments at the end. It lives as long as the case. */
const char *binding_case_input(const binding_case *of);

/* What `jager check` prints of the case, to be freed; NULL: no memory. */
char *binding_case_describe(const binding_case *of);

/* Everything that results depend on, with defaults, in SI units: lines "key: value", to be freed; NULL: no memory. */
char *binding_case_keys(const binding_case *of);

const char *binding_case_title(const binding_case *of); /* "" if it has none */
int binding_case_stage_count(const binding_case *of);
const char *binding_case_stage_name(const binding_case *of, int number); /* from 1; 0 is packing */
bool binding_case_has_packing(const binding_case *of);
bool binding_case_has_lists(const binding_case *of); /* of models or stress ratios: a run for each value */
void binding_case_law(const binding_case *of, jager_law *law);

/* ---- Simulations ------------------------------------------------------------------------------------------------- */

typedef struct binding_simulation binding_simulation;

/* At the first step of the case; it keeps a copy of the case. `threads` 0: as many as there are processors. */
binding_simulation *binding_simulation_create(const binding_case *of, int threads, binding_error *error);

/* From a checkpoint, with the case that the checkpoint recorded. */
binding_simulation *binding_simulation_restore(const char *path, int threads, binding_error *error);

/* An independent copy, in the same state to the bit. */
binding_simulation *binding_simulation_copy(const binding_simulation *of, binding_error *error);

void binding_simulation_destroy(binding_simulation *s); /* NULL is allowed */

/*
 * Makes up to `count` steps, but stops after `seconds` (after one step at least; INFINITY: no limit), after the last
 * step of the last stage and, if `ends_with_stage`, after the last step of the present stage. *made is the number of
 * steps. False: the simulation has failed, and can be read but not go on, nor be copied.
 */
bool binding_simulation_step(binding_simulation *s, long count, double seconds, bool ends_with_stage, long *made,
                             binding_error *error);

/* Where it is. */
typedef struct binding_position {
  long step;
  int stage, stage_count;           /* stage 0: packing */
  double fraction;                  /* of the stage, 0 to 1, as far as it is known */
  double time;                      /* s */
  size_t grains, spheres, contacts; /* numbers; as many grains as spheres: the spheres are the grains */
  int threads;
  bool stage_has_ended; /* the last step was the last of its stage */
  bool is_done;         /* and the stage was the last one */
  bool has_failed;
  uint64_t bytes; /* of memory */
} binding_position;

binding_position binding_simulation_position(const binding_simulation *s);
const char *binding_simulation_stage_name(const binding_simulation *s);
uint64_t binding_simulation_hash(const binding_simulation *s); /* as in the summary of a run; 0: no memory */

/* binding_measure_count values. */
void binding_simulation_measure(const binding_simulation *s, double *values);

/* binding_cycle_count values of the cycle that ended with the last step. False: none has. */
bool binding_simulation_cycle(const binding_simulation *s, double *values);

/* Spheres, grains, contacts and cell, to be freed with binding_snapshot_free. */
bool binding_simulation_snapshot(const binding_simulation *s, dem_snapshot *snapshot, binding_error *error);
void binding_snapshot_free(dem_snapshot *snapshot);

/*
 * The contact between the spheres with these ids, packed (jager_contact_pack), to be freed with binding_text_free; the
 * law as it is now. NULL: the spheres do not touch (BINDING_BAD_INPUT), or no memory.
 */
char *binding_simulation_contact(const binding_simulation *s, uint32_t id_a, uint32_t id_b, size_t *size,
                                 jager_law *law, binding_error *error);

/*
 * Changes the case of a simulation under way by settings: control, friction, damping and end of the present stage and
 * everything of later stages. The text of the case keeps the settings; if a key is set twice, the last one. The next
 * step obeys them. dem/checkpoint/case_change.h has the rules: no ramps, no other control of cycles. A stage whose last
 * step is over can get a later end, together with other changes.
 */
bool binding_simulation_change(binding_simulation *s, const char *const *settings, size_t setting_count,
                               binding_error *error);

/* The text of its case as it is now, with settings; it lives until the next change. */
const char *binding_simulation_input(const binding_simulation *s);

/* Writes the whole state to a file, which appears when it is complete. */
bool binding_simulation_checkpoint(const binding_simulation *s, const char *path, binding_error *error);

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

/* The view of a run, or of another computation, from another thread, which may read and stop it at any time. */
typedef struct binding_watch binding_watch;

binding_watch *binding_watch_create(void); /* NULL: no memory */
void binding_watch_destroy(binding_watch *watch);
void binding_watch_stop(binding_watch *watch); /* the run ends after its present step, with a checkpoint */

typedef struct binding_progress {
  int stage, stage_count; /* of a case with lists: runs that are done, and all */
  char stage_name[64];
  double fraction; /* of the stage, 0 to 1 */
  long step;
  size_t contacts;
} binding_progress;

binding_progress binding_watch_progress(binding_watch *watch);

/* The oldest notice of the run that was not yet taken, one line, to be freed; NULL: none. */
char *binding_watch_notice(binding_watch *watch);

typedef enum binding_ending { BINDING_COMPLETED, BINDING_STOPPED, BINDING_NOT_COMPLETED } binding_ending;

typedef struct binding_outcome {
  binding_ending ending;
  long steps;
  bool is_nonsense; /* completed, but the result makes no sense */
  char *checkpoint; /* path of the last good state of a run that was stopped or failed; NULL: none */
  char *summary;    /* of a completed run, as `jager run` prints it */
  char *json;       /* the same as JSON */
} binding_outcome;

typedef struct binding_run_settings {
  const char *dir;
  int threads;
  bool resume, force;
  const char *case_file; /* the run does not overwrite it; NULL: none */
  const char *command;   /* for result.h5 */
  const char *python;    /* the interpreter that draws the pictures; NULL: nobody does */
  const char *package;   /* folder in which its package jager lies */
} binding_run_settings;

/*
 * A run of the case with all its files, as `jager run` makes it: the same files, the same bits. Returns when it has
 * ended; not BINDING_COMPLETED and not BINDING_STOPPED: see the error. Any number of runs may be under way in different
 * threads, each in its own directory. `watch` may be NULL. files/result.h has a remark for programs that use HDF5.
 */
binding_outcome binding_case_run(const binding_case *of, const binding_run_settings *settings, binding_watch *watch,
                                 binding_error *error);

/*
 * The same for a simulation that has made no step yet (BINDING_BAD_INPUT otherwise), or, with `resume`, in place of its
 * state. Afterwards the simulation is in the state that the run has reached. settings->threads is ignored.
 */
binding_outcome binding_simulation_run(binding_simulation *s, const binding_run_settings *settings,
                                       binding_watch *watch, binding_error *error);

void binding_outcome_free(binding_outcome *outcome);

/* ---- Elastic moduli ---------------------------------------------------------------------------------------------- */

/* moduli/moduli.h explains the values. First index of arrays by kind: with initial stress, springs alone, affine. */
typedef struct binding_moduli {
  uint64_t spheres, grains, rattlers, contacts, floppy;
  double stress[6], p, density, unbalanced;
  double stiffness[3][6][6]; /* Voigt: xx, yy, zz, yz, xz, xy; Pa */
  double bulk[3], shear[3], young[3], poisson[3], anisotropy[3];
  double wave_p[3], wave_s[3][3]; /* m/s */
  int resisted;
  bool is_stable, springs_are_doubtful;
  double softest, softest_share;
  int softest_strain;
  double residual;
} binding_moduli;

/* Of the present state of a simulation. `watch`, which may be NULL, stops the computation. */
bool binding_simulation_moduli(const binding_simulation *s, int threads, binding_moduli *result, binding_watch *watch,
                               binding_error *error);

/* ---- Shapes of grains -------------------------------------------------------------------------------------------- */

/* Of the union of the spheres of a grain, which counts overlaps once. Lengths have any unit. */
typedef struct binding_shape {
  double volume;
  double centroid[3];
  double inertia[6]; /* about the centroid, over the mass: xx, yy, zz, xy, xz, yz */
} binding_shape;

/* `spheres` holds x, y, z and the radius of each, up to 100 that hang together. False: refused, or no memory. */
bool binding_shape_measure(const double *spheres, size_t count, binding_shape *result, binding_error *error);

/* ---- Impacts ----------------------------------------------------------------------------------------------------- */

/* laws/impact.h explains the values. */
typedef struct binding_impact_bodies {
  jager_law law;             /* its model is replaced by `model` */
  const char *model;         /* "jager", ..., or "springs" */
  double radius_a, radius_b; /* m; radius_b INFINITY: a flat wall */
  double mass_a, mass_b;     /* kg; INFINITY: cannot move */
  double damping;            /* dashpots' share of critical damping */
  int steps;                 /* in the duration of Hertz's impact */
} binding_impact_bodies;

typedef struct binding_impact {
  double rebound, shear;              /* vn and vt after, m/s */
  double spin_a, spin_b;              /* rad/s */
  double energy_before, energy_after; /* J */
  double dissipated, viscous;         /* J */
  double depth, force_error;          /* m; over f times the largest Fn */
  double psi1, psi2;                  /* vt/(kappa f vn) before and after */
  int steps;
  bool separates;
} binding_impact;

/*
 * `count` impacts with these normal and tangential velocities. The text of an error names the impact that failed.
 * `watch`, which may be NULL, stops them.
 */
bool binding_impacts(const binding_impact_bodies *bodies, size_t count, const double *approach, const double *shear,
                     binding_impact *results, binding_watch *watch, binding_error *error);

/* ---- The build --------------------------------------------------------------------------------------------------- */

const char *binding_compiler(void);

#endif
