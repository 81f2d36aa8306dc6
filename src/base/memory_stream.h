/* SPDX-License-Identifier: MIT */
/*
 * A stream that writes into memory. Unlike glibc's open_memstream, which drops text silently when memory is short, it
 * reports that text is missing.
 */
#ifndef JAGER_BASE_MEMORY_STREAM_H
#define JAGER_BASE_MEMORY_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The structure must not move while it is open. */
typedef struct memory_stream {
  FILE *stream; /* NULL: closed */
  char *text;   /* after memory_stream_finish: the text and a NUL; to be freed */
  size_t size, room;
  bool is_short;
} memory_stream;

/* False if there is no memory. */
bool memory_stream_open(memory_stream *memory);

/* Closes the stream. False if memory was short: there is then no text. */
bool memory_stream_finish(memory_stream *memory);

/* Closes the stream if it is open, and frees the text. */
void memory_stream_free(memory_stream *memory);

#endif
