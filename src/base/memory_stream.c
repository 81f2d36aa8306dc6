/* SPDX-License-Identifier: MIT */
/* A stream that writes into memory. */
#include "memory_stream.h"

#include <stdlib.h>
#include <string.h>

/* A write function of fopencookie: 0 is a failure. There is always room for a NUL after the text. */
static ssize_t add_text(void *cookie, const char *bytes, size_t count)
{
  memory_stream *memory = cookie;
  if (memory->room - memory->size <= count) {
    size_t room = 2 * memory->room + count + 1;
    char *larger = realloc(memory->text, room);
    if (!larger) {
      memory->is_short = true;
      return 0;
    }
    memory->text = larger;
    memory->room = room;
  }
  memcpy(memory->text + memory->size, bytes, count);
  memory->size += count;
  memory->text[memory->size] = '\0';
  return (ssize_t)count;
}

bool memory_stream_open(memory_stream *memory)
{
  *memory = (memory_stream){.text = calloc(1, 1), .room = 1};
  if (memory->text)
    memory->stream = fopencookie(memory, "w", (cookie_io_functions_t){.write = add_text});
  if (memory->stream)
    return true;
  memory_stream_free(memory);
  return false;
}

bool memory_stream_finish(memory_stream *memory)
{
  bool is_whole = fclose(memory->stream) == 0 && !memory->is_short;
  memory->stream = NULL;
  if (!is_whole)
    memory_stream_free(memory);
  return is_whole;
}

void memory_stream_free(memory_stream *memory)
{
  if (memory->stream)
    fclose(memory->stream);
  free(memory->text);
  *memory = (memory_stream){.stream = NULL};
}
