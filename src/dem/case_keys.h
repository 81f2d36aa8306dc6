/* SPDX-License-Identifier: MIT */
/*
 * The keys of a case. Each block of the case file has a table here, with a line for each key: the member that it sets,
 * its unit, range and default, how `jager check` says it, when the case has it, and what a run may change of it. The
 * reader (src/case) reads, checks and prints by these tables; checkpoints store and compare the same keys. A new key is
 * a member and a line, and a row in docs/case.md.
 *
 * Keys of the program that change no result (output, checkpoint, modulus_reduction) are named here too, but have their
 * tables in src/case.
 */
#ifndef JAGER_DEM_CASE_KEYS_H
#define JAGER_DEM_CASE_KEYS_H

#include "case.h"

#include <math.h>
#include <stdio.h>

typedef enum dem_dimension {
  DIMENSION_NONE, /* a number without a unit, or in % */
  DIMENSION_PRESSURE,
  DIMENSION_LENGTH,
  DIMENSION_DENSITY,
  DIMENSION_TIME,
  DIMENSION_RATE,
  DIMENSION_ACCELERATION,
  DIMENSION_STIFFNESS,
  DIMENSIONS
} dem_dimension;

/* The interval [min, max], with open ends where the flags say so. */
typedef struct dem_range {
  double min, max;
  bool min_is_open, max_is_open;
} dem_range;

/* To initialise a dem_range with: [min, max], (min, max], [min, max) and (min, max); and ranges that keys share. */
/* clang-format off */
#define IN(min, max) {(min), (max), false, false}
#define ABOVE(min, max) {(min), (max), true, false}
#define BELOW(min, max) {(min), (max), false, true}
#define BETWEEN(min, max) {(min), (max), true, true}
#define FRICTION_RANGE IN(0.0, 1e6) /* as in libjager */
#define LENGTH_RANGE IN(1e-9, 1e6)
#define PRESSURE_RANGE ABOVE(0.0, 1e15)
#define STRESS_RANGE IN(-1e15, 1e15)
#define STRAIN_RANGE IN(-10.0, 10.0)
#define SHARE_RANGE ABOVE(0.0, 1.0)
#define STEPS_RANGE IN(0.0, 1e12) /* 0: never */
#define STEPS_FROM_1_RANGE IN(1.0, 1e12)
/* clang-format on */

typedef enum dem_key_kind {
  KEY_NUMBER, /* double, or an array of `count` */
  KEY_WHOLE,  /* long */
  KEY_FLAG,   /* bool */
  KEY_TEXT,   /* char *, owned; range.max is its largest length in bytes */
  KEY_WORD,   /* an enum with the names `words` */
  KEY_BLOCK,  /* the keys of `block` */
  KEY_OTHER   /* a function of src/case reads it; it is stored by `store`, or with its block */
} dem_key_kind;

/* What a continued run, or a simulation under way, may change: case_change.c. Keys in a block have the block's rule. */
typedef enum dem_key_rule {
  KEY_IS_FIXED,
  KEY_OF_CONTACTS,     /* fixed, also for a checkpoint that is the assembly of another case */
  KEY_OVERLAP_LIMIT,   /* at which a run fails */
  KEY_PACKING_LIMIT,   /* of steps, at which a packing fails */
  KEY_PACKING_BALANCE, /* at which a packing ends */
  KEY_OF_CONTROL,      /* of a stage, as the following: what moves the cell */
  KEY_OF_END,
  KEY_OF_LOADING /* other values that a stage under way may change */
} dem_key_rule;

enum { KEY_NO_CHOICE = -1 };

typedef struct dem_key dem_key;

/* A table of keys. */
typedef struct dem_block {
  const dem_key *keys;
  size_t count;
} dem_block;

/* clang-format off */
#define BLOCK(table) {(table), sizeof(table) / sizeof *(table)}
/* clang-format on */

/* The case has the key only if this enum has this value. */
#define ONLY_IF(type, member, value) .is_decided = true, .decider = offsetof(type, member), .decision = (value)

struct dem_key {
  const char *name;
  size_t offset; /* of the member in the struct of the block */
  dem_key_kind kind;
  dem_dimension dimension;
  dem_range range;          /* of what is written */
  double standard;          /* default */
  double divide;            /* what is written is divided by it; 0: by nothing */
  const char *const *words; /* ends with NULL */
  const dem_block *block;
  const char *example; /* not NULL: the key is mandatory, and this is shown if it is missing */
  const char *say;     /* for `jager check`, with {} for the value; NULL: sentences of case/print.c have it, or none */
  bool (*applies)(const void *block); /* a condition beside the following ones; NULL: none */
  void (*store)(FILE *out, const char *name, const dem_case *run, const void *member); /* NULL: by its kind */
  size_t decider; /* if is_decided: the enum at this offset of the block must have the value `decision` */
  int decision;
  int count;  /* of the numbers in a list; 0: a single one */
  int choice; /* the kind of control, quantity or component that the key stands for; or KEY_NO_CHOICE */
  dem_key_rule rule;
  bool is_decided;
  bool if_set;          /* with its default the case has no such key */
  bool changes_nothing; /* no result depends on it, and it is not stored */
};

/* The outermost block, for a dem_case. */
extern const dem_block dem_case_block;

/* The key with a path such as "stages.0.until.steps", in which numbers of items count for nothing; NULL: none. */
const dem_key *dem_key_find(const char *path);

/* The rule of such a path, whose last words need be no key. */
dem_key_rule dem_key_rule_of(const char *path);

/* Sets all members of the block, and of the blocks in it, that have a default. */
void dem_block_set_standards(const dem_block *block, void *of);

/* Has the struct `of`, which the block describes, this key? */
bool dem_key_applies(const dem_key *key, const void *of);

/* The member of a key. */
static inline const void *dem_key_member(const dem_key *key, const void *of)
{
  return (const char *)of + key->offset;
}

/*
 * The case as text, one line "name: value" per key; to be freed. NULL: out of memory. Names are as in the case
 * file, the values are in SI units, defaults are written out. Two cases with the same text give the same run.
 */
char *dem_case_keys_print(const dem_case *run);

#endif
