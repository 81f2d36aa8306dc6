/* SPDX-License-Identifier: MIT */
/*
 * What a case means, whatever its file looks like: keys and values, by the names of the case file, in SI units and
 * with the defaults written out. Two cases with the same keys give the same run. What changes no result is left out:
 * title, names of stages, outputs, skin, checkpoints.
 */
#ifndef JAGER_DEM_CHECKPOINT_CASE_KEYS_H
#define JAGER_DEM_CHECKPOINT_CASE_KEYS_H

#include "dem/case.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct case_key {
  const char *name;  /* "stages.0.until.steps" */
  const char *value; /* "3000" */
} case_key;

typedef struct case_keys {
  char *text; /* that names and values lie in; owned */
  size_t count;
  case_key *list; /* owned */
} case_keys;

/* One "name: value" a line; to be freed. NULL: out of memory. */
char *dem_case_keys_print(const dem_case *run);

/* Takes such a text apart; takes it over, also if it fails. False: out of memory, or `text` is NULL. */
bool dem_case_keys_parse(case_keys *keys, char *text);

void dem_case_keys_free(case_keys *keys);

/* NULL: there is no such key. */
const char *dem_case_keys_find(const case_keys *keys, const char *name);

/* The number that a value is; NAN for a word. */
double dem_case_key_number(const char *value);

#endif
