/* SPDX-License-Identifier: MIT */
/*
 * A stream that writes into memory. Unlike glibc's open_memstream, which loses what it has no memory for without a
 * word, it remembers that something is missing.
 */
#ifndef JAGER_BASE_MEMORY_STREAM_H
#define JAGER_BASE_MEMORY_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Must not move while it is open. */
typedef struct memory_stream {
  FILE *stream; /* NULL: closed */
  char *text;   /* when it has been finished: all that was written, and a NUL; to be freed */
  size_t size, room;
  bool is_short;
} memory_stream;

/* False if there is no memory. */
bool memory_stream_open(memory_stream *memory);

/* Closes it. False if something of what was written is missing; there is no text then. */
bool memory_stream_finish(memory_stream *memory);

/* Closes it if it is open, and frees the text. */
void memory_stream_free(memory_stream *memory);

#endif
