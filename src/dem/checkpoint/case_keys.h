/* SPDX-License-Identifier: MIT */
/*
 * A case as keys and values, independent of how its file is written: the names are those of the case file, the values
 * are in SI units, and defaults are written out. Two cases with the same keys give the same run. Settings that change
 * no result have no key: title, names of stages, outputs, skin, checkpoints.
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
  char *text; /* holds the names and values; owned */
  size_t count;
  case_key *list; /* owned */
} case_keys;

/* One line "name: value" per key; to be freed. NULL: out of memory. */
char *dem_case_keys_print(const dem_case *run);

/* Parses such a text, and takes ownership of it even on failure. False: out of memory, or `text` is NULL. */
bool dem_case_keys_parse(case_keys *keys, char *text);

void dem_case_keys_free(case_keys *keys);

/* The value of a key; NULL: there is no such key. */
const char *dem_case_keys_find(const case_keys *keys, const char *name);

/* The number of a value; NAN for a word. */
double dem_case_key_number(const char *value);

#endif
