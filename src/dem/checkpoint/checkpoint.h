/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints: the whole state of a simulation in a file. A simulation that is restored continues to the same bits. The
 * format is described in docs/files.md.
 */
#ifndef JAGER_DEM_CHECKPOINT_CHECKPOINT_H
#define JAGER_DEM_CHECKPOINT_CHECKPOINT_H

#include "dem/simulation.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Data that the program keeps beside the state. */
typedef struct dem_checkpoint_notes {
  const char *input;       /* text of the case; of a restored checkpoint it lives as long as the dem_checkpoint */
  int64_t series_bytes;    /* length of series.csv */
  int64_t cycles_bytes;    /* length of cycles.csv; 0: there is none */
  double seconds;          /* duration of the run so far */
  bool end_was_taken_back; /* set when restored: the stage had ended by the old case, and continues by the new one */
} dem_checkpoint_notes;

/*
 * Writes the state to a temporary file and syncs it. Then the file at PATH, if any, is renamed to `previous` (may be
 * NULL), and the new file to PATH. A power failure at any moment leaves at least one whole checkpoint.
 */
bool dem_checkpoint_write(const dem_simulation *simulation, const char *path, const char *previous,
                          const dem_checkpoint_notes *notes, error_info *error);

/* The bytes of dem_checkpoint_write, to any stream. False, with errno, on failure. */
bool dem_checkpoint_print(const dem_simulation *simulation, FILE *stream, const dem_checkpoint_notes *notes);

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* Is it a regular file that begins as checkpoints do? */
bool dem_checkpoint_is(const char *path);

/* A verified checkpoint in memory. */
typedef struct dem_checkpoint dem_checkpoint;

/* Reads and verifies the file. NULL, with an error, if it is no whole checkpoint of this format. */
dem_checkpoint *dem_checkpoint_open(const char *path, error_info *error);

/* The same without a file: the state as it is now. To be closed as well. NULL: not enough memory. */
dem_checkpoint *dem_checkpoint_take(const dem_simulation *simulation, const dem_checkpoint_notes *notes,
                                    error_info *error);

void dem_checkpoint_close(dem_checkpoint *checkpoint);

/* The text of the case, which lives as long as the checkpoint. NULL, with an error, if the file lacks it. */
const char *dem_checkpoint_input(const dem_checkpoint *checkpoint, error_info *error);

/* A summary. Its texts live as long as the checkpoint. */
typedef struct dem_checkpoint_facts {
  const char *version, *compiler, *flags; /* of the program that wrote it */
  const char *model;
  int64_t step;
  double time; /* s */
  int stage, stage_count;
  uint64_t grains; /* of several spheres; 0: the spheres are the grains */
  uint64_t spheres, contacts, seed;
  dem_material material;
  int threads;
  double seconds; /* duration of the run so far */
  int64_t series_bytes, cycles_bytes;
} dem_checkpoint_facts;

bool dem_checkpoint_describe(const dem_checkpoint *checkpoint, dem_checkpoint_facts *facts, error_info *error);

/*
 * A simulation that continues from the checkpoint. The case may differ from the checkpoint's as far as
 * case_change.h allows it. NULL, with an error that names the field or the key of the case, if that is not possible.
 */
dem_simulation *dem_checkpoint_restore(const dem_checkpoint *checkpoint, const dem_case *run, int threads,
                                       dem_checkpoint_notes *notes, error_info *error);

/*
 * A simulation at the start of the first stage of the case, with spheres, contacts and cell of the checkpoint. The
 * case may be any one whose contacts have the same law.
 */
dem_simulation *dem_checkpoint_as_assembly(const dem_checkpoint *checkpoint, const dem_case *run, int threads,
                                           error_info *error);

#endif
