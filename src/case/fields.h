/* SPDX-License-Identifier: MIT */
/*
 * Blocks of a case file (YAML maps), each described by a table of its keys: kind, unit and range of the value, and
 * the member of a structure that gets it.
 *
 * All functions report errors and continue, so that a user sees all errors at once. Fields are read in the order of
 * the table.
 */
#ifndef JAGER_CASE_FIELDS_H
#define JAGER_CASE_FIELDS_H

#include "problems.h"
#include "run_case.h"
#include "units.h"
#include "yaml_tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* The interval [min, max], with open ends where the flags say so. */
typedef struct case_range {
  double min, max;
  bool min_is_open, max_is_open;
} case_range;

/* Ranges that several keys share, to initialise a case_range with. */
#define CASE_FRICTION_RANGE                                                                                            \
  {                                                                                                                    \
    0.0, 1e6, false, false                                                                                             \
  } /* as in libjager */
#define CASE_LENGTH_RANGE                                                                                              \
  {                                                                                                                    \
    1e-9, 1e6, false, false                                                                                            \
  }
#define CASE_PRESSURE_RANGE                                                                                            \
  {                                                                                                                    \
    0.0, 1e15, true, false                                                                                             \
  }
#define CASE_STRESS_RANGE                                                                                              \
  {                                                                                                                    \
    -1e15, 1e15, false, false                                                                                          \
  }
#define CASE_STRAIN_RANGE                                                                                              \
  {                                                                                                                    \
    -10.0, 10.0, false, false                                                                                          \
  }
#define CASE_SHARE_RANGE                                                                                               \
  {                                                                                                                    \
    0.0, 1.0, true, false                                                                                              \
  }
#define CASE_STEPS_RANGE                                                                                               \
  {                                                                                                                    \
    0.0, 1e12, false, false                                                                                            \
  } /* 0: never */
#define CASE_STEPS_FROM_1_RANGE                                                                                        \
  {                                                                                                                    \
    1.0, 1e12, false, false                                                                                            \
  }

/* Reads one value into `target`. */
typedef void field_function(case_reading *reading, const yaml_node *node, void *target);

typedef enum case_field_kind {
  CASE_QUANTITY, /* double */
  CASE_INTEGER,  /* long, an integer */
  CASE_FLAG,     /* bool */
  CASE_TEXT,     /* char *, to be freed; range.max is its largest length in bytes */
  CASE_OTHER     /* read by the function `read` */
} case_field_kind;

typedef struct case_field {
  const char *key;
  size_t offset; /* of the value in the target */
  case_field_kind kind;
  case_dimension dimension;
  case_range range;
  field_function *read;
  const char *example; /* not NULL: the key is mandatory, and this is shown if it is missing */
} case_field;

/* How many fields a table has. */
#define CASE_FIELDS(table) (sizeof(table) / sizeof *(table))

/*
 * Reads the entries of a map into the members of `target`. Returns the keys that are present, valid or not, as bits
 * by their number in the table; 0 for a node that is no map. At most 64 fields.
 */
uint64_t case_read_map(case_reading *reading, const yaml_node *node, const case_field fields[], size_t count,
                       void *target);

/* For maps that have exactly one of their keys: its number in the table, or -1 after a report. */
int case_read_one_of(case_reading *reading, const yaml_node *node, const case_field fields[], size_t count,
                     void *target);

/* True for a single value. Other nodes are reported. */
bool case_is_scalar(case_reading *reading, const yaml_node *node);

bool case_read_quantity(case_reading *reading, const yaml_node *node, case_dimension dimension, case_range range,
                        double *value);
bool case_read_integer(case_reading *reading, const yaml_node *node, double min, double max, long *value);

/* Reads a list of quantities. Returns their number, or 0 after a report. */
int case_read_quantities(case_reading *reading, const yaml_node *node, case_dimension dimension, case_range range,
                         int least, int most, double values[]);

/* Reads one of several words. Returns its number, or -1 after a report. */
int case_read_choice(case_reading *reading, const yaml_node *node, const char *const words[], int count);

/* The word of the list that is most similar to `word`, or begins with it; NULL if no word is similar. */
const char *case_most_like(const char *word, const char *const words[], size_t count);

enum { CASE_LIST_SIZE = 1200 };

/* A suggestion for a wrong word: "did you mean 'friction'? one of: ..." or "it must be one of: ..." */
void case_suggest(const char *word, const char *const words[], size_t count, char text[CASE_LIST_SIZE]);

/* The name of a node in messages: its key, or its path if it has no key. Returns `name`. */
const char *case_name(const yaml_node *node, char name[YAML_PATH_SIZE]);

#endif
