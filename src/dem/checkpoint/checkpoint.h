/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints: the whole state of a simulation in a file. What is read back goes on to the same bits. The layout is in
 * docs/formats.md.
 */
#ifndef JAGER_DEM_CHECKPOINT_CHECKPOINT_H
#define JAGER_DEM_CHECKPOINT_CHECKPOINT_H

#include "dem/simulation.h"

#include <stdbool.h>
#include <stdint.h>

/* What the program keeps beside the state. */
typedef struct dem_checkpoint_notes {
  const char *input;    /* text of the case */
  int64_t series_bytes; /* length of series.csv */
  double seconds;       /* that the run has taken so far */
  /* read only: its stage had ended by the case it was written with, but goes on by the one it was read with */
  bool end_was_taken_back;
} dem_checkpoint_notes;

#define DEM_CHECKPOINT_TEMPORARY_ENDING ".tmp"

/*
 * Writes the state: to PATH.tmp first, synced; then what was at PATH is kept as `previous` (may be NULL), and the new file
 * takes its place. A power failure at any moment leaves one whole checkpoint at least.
 */
bool dem_checkpoint_write(const dem_simulation *simulation, const char *path, const char *previous,
                          const dem_checkpoint_notes *notes, error_info *error);

/*
 * A simulation that goes on where the checkpoint was written. The case may be another one as far as case_change.h
 * allows it. notes->input is allocated, and to be freed by the caller. NULL, with an error that says which, if the
 * file is damaged or of another version, or if keys of the case are others.
 */
dem_simulation *dem_checkpoint_read(const dem_case *run, const char *path, int threads, dem_checkpoint_notes *notes,
                                    error_info *error);

/*
 * The spheres, contacts and cell of a checkpoint, at the start of the case's first stage. The case may be any one whose
 * contacts have the same stiffness.
 */
dem_simulation *dem_checkpoint_as_assembly(const dem_case *run, int threads, error_info *error);

/* It is a regular file that begins as checkpoints do. */
bool dem_checkpoint_is(const char *path);

/* The text of the case it was made with, allocated. NULL, with an error, if the file is no whole checkpoint. */
char *dem_checkpoint_input(const char *path, error_info *error);

/* What a checkpoint tells about itself. The first three texts are allocated. */
typedef struct dem_checkpoint_facts {
  char *version, *compiler, *flags; /* of the program that wrote it */
  const char *model;
  int64_t step;
  double time; /* s */
  int stage, stage_count;
  uint64_t spheres, contacts, seed;
  dem_material material;
  int threads;
  double seconds; /* that the run had taken */
} dem_checkpoint_facts;

/* False, with an error and nothing to free, if the file is no whole checkpoint. */
bool dem_checkpoint_look(const char *path, dem_checkpoint_facts *facts, error_info *error);
void dem_checkpoint_facts_free(dem_checkpoint_facts *facts);

#endif
