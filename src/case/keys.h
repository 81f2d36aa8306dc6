/* SPDX-License-Identifier: MIT */
/*
 * Reads blocks of a case file (YAML maps) by their tables of keys (dem/case_keys.h).
 *
 * All functions report errors and continue, so that a user sees all errors at once. Keys are read in the order of the
 * table.
 */
#ifndef JAGER_CASE_KEYS_H
#define JAGER_CASE_KEYS_H

#include "dem/case_keys.h"
#include "run_case.h"
#include "units.h"
#include "yaml.h"

#include <stdbool.h>
#include <stddef.h>

/* A case that is being read. */
typedef struct case_reading {
  dem_case *run;
  run_output *output;
  output_intervals intervals;                   /* of the block `output`: the defaults of its stages */
  const char *file_name;                        /* relative paths begin in its directory */
  const yaml_node *root;                        /* the whole file */
  const yaml_node *stage_nodes[DEM_STAGES_MAX]; /* where each stage comes from: one block may give several */
  case_problems problems, warnings;
} case_reading;

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

/* Reads the value of a key into `target`, the member of the key. */
typedef void case_reader(case_reading *reading, const yaml_node *node, const dem_key *key, void *target);

/*
 * A key that has a reader of its own; lists of them end with {NULL, NULL}. The name "" stands for all keys of the block
 * that are blocks or KEY_OTHER.
 */
typedef struct case_special {
  const char *name;
  case_reader *read;
} case_special;

/* Reads the entries of a map into the members of `target`. `specials` may be NULL. */
void case_read_block(case_reading *reading, const yaml_node *node, const dem_block *block,
                     const case_special specials[], void *target);

/* For maps that have exactly one of their keys: this key, or NULL after a report. */
const dem_key *case_read_one_of(case_reading *reading, const yaml_node *node, const dem_block *block,
                                const case_special specials[], void *target);

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/* True for a single value. Other nodes are reported. */
bool case_is_scalar(case_reading *reading, const yaml_node *node);

/* A number with the unit and range of the key. False after a report. */
bool case_read_number(case_reading *reading, const yaml_node *node, const dem_key *key, double *value);
bool case_read_whole(case_reading *reading, const yaml_node *node, dem_range range, long *value);

/* Reads a list of numbers. Returns how many, or 0 after a report. */
int case_read_numbers(case_reading *reading, const yaml_node *node, const dem_key *key, int least, int most,
                      double values[]);

/* Reads one of several words. Returns its number, or -1 after a report. */
int case_read_word(case_reading *reading, const yaml_node *node, const char *const words[], int count);

/* ---- Words ------------------------------------------------------------------------------------------------------- */

/* The word of the list that is most similar to `word`, or begins with it; NULL if no word is similar. */
const char *case_most_like(const char *word, const char *const words[], size_t count);

enum { CASE_LIST_SIZE = 1200 };

/* A suggestion for a wrong word: "did you mean 'friction'? one of: ..." or "it must be one of: ..." */
void case_suggest(const char *word, const char *const words[], size_t count, char text[CASE_LIST_SIZE]);

/* The name of a node in messages: its key, or its path if it has no key. Returns `name`. */
const char *case_name(const yaml_node *node, char name[YAML_PATH_SIZE]);

/* ---- The parts of a case ----------------------------------------------------------------------------------------- */

/* grains.c: blocks with more than their tables say. */
case_reader case_read_contact, case_read_time_step, case_read_density_scaling, case_read_assembly;

/* grains.c: lets libjager check material and contact law; to be called when both have been read. */
void case_check_law(case_reading *reading);

/* grains.c: checks a target of the packing against the material; to be called when both have been read. */
void case_check_packing_target(case_reading *reading);

/* grains.c: the path that the text of a node names, to be freed; NULL after a report. */
char *case_read_path(case_reading *reading, const yaml_node *node);

/* shapes.c: the shapes of the grains of a packing. */
case_reader case_read_shapes;

/* grains.c: the number of grains; 0: not known before the file or checkpoint is read. */
long case_sphere_count(const dem_case *run);

/* stages.c: damping, output and assembly must have been read before. */
case_reader case_read_stages, case_read_traces;

/* The block `output` of the case: the intervals that stages start from, and pictures, which are of the run. */
typedef struct case_output {
  output_intervals intervals;
  bool pictures; /* the key `plots`, the last one in the table */
} case_output;

/* The tables of keys that change no result: for case_output, for run_output, and for structs of reduction.c. */
extern const dem_block case_output_block, case_checkpoint_block, case_reduction_block, case_decades_block;

/*
 * reduction.c: reads a block `modulus_reduction` into stages, at most `room`. `stage` has their common keys. Returns
 * their number; 0 after a report.
 */
int case_read_reduction(case_reading *reading, const yaml_node *node, const dem_stage *stage, dem_stage stages[],
                        int room);

/* stage_check.c: reports contradictions between the keys of a stage, which was read from the node. */
void case_check_stage(case_reading *reading, const yaml_node *node, const dem_stage *stage);

/* plausible.c: warns of values that are valid but unusual; to be called when the whole case has been read. */
void case_check_plausible(case_reading *reading);

#endif
