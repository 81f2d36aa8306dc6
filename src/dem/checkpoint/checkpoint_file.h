/* SPDX-License-Identifier: MIT */
/*
 * The bytes of checkpoints: records as they lie in the machine's memory, with a checksum at their end. Byte order and width of a
 * long are noted; a machine with others refuses the file.
 *
 *     8 bytes "JAGERCKP", u32 version, u32 0x01020304, u32 bits of a long, u32 0; the contents;
 *     u64 length of all before, u64 hash of all before
 *
 * A reader first goes through the whole file and compares the hash; so what it gives out is what was written.
 */
#ifndef JAGER_DEM_CHECKPOINT_CHECKPOINT_FILE_H
#define JAGER_DEM_CHECKPOINT_CHECKPOINT_FILE_H

#include "base/hash.h"
#include "dem/simulation.h"

#include <stdbool.h>
#include <stdio.h>

enum { CHECKPOINT_VERSION = 4, CHECKPOINT_BUFFER = 65536 };

typedef struct checkpoint_writer {
  FILE *stream;
  hash sum;
  uint64_t length;
  size_t used;
  bool failed;
  unsigned char buffer[CHECKPOINT_BUFFER];
} checkpoint_writer;

void checkpoint_writer_start(checkpoint_writer *w, FILE *stream);
void checkpoint_put(checkpoint_writer *w, const void *bytes, size_t size);
bool checkpoint_writer_finish(checkpoint_writer *w);

typedef struct checkpoint_reader {
  FILE *stream;
  uint64_t left;      /* bytes of contents */
  bool out_of_memory; /* of who reads: then it is not the file that is wrong */
} checkpoint_reader;

/* Opens the file and verifies it. */
bool checkpoint_reader_open(checkpoint_reader *r, const char *path, error_info *error);

/* False if there is not so much left. */
bool checkpoint_get(checkpoint_reader *r, void *bytes, size_t size);
void checkpoint_reader_close(checkpoint_reader *r);

#endif
