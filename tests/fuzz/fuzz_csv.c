/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the reader of paths. For any bytes must hold:
 *   - results and messages do not depend on the size of the blocks that are read;
 *   - all numbers are finite, and ξ is the sum of Δξ;
 *   - an error has a message that starts with the file's name, a line and a column;
 *   - each number is the one that strtod, the oracle, reads.
 * The reader is compiled with a short buffer and a low limit of line length, so that short inputs reach them.
 */
#include "base/text.h"
#include "files/path_reader.h"
#include "fuzz_input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct memory {
  const uint8_t *bytes;
  size_t size, used, chunk;
} memory;

static ptrdiff_t read_memory(void *context, char *bytes, size_t capacity)
{
  memory *source = context;
  size_t count = source->size - source->used;
  count = count < source->chunk ? count : source->chunk;
  count = count < capacity ? count : capacity;
  if (count > 0)
    memcpy(bytes, source->bytes + source->used, count);
  source->used += count;
  return (ptrdiff_t)count;
}

/* FNV-1a over all results of a reading */
static void mix(uint64_t *hash, const void *bytes, size_t size)
{
  const uint8_t *byte = bytes;
  for (size_t i = 0; i < size; i++)
    *hash = (*hash ^ byte[i]) * UINT64_C(1099511628211);
}

static void check_step(const path_step *step)
{
  require(isfinite(step->movement.zeta) && isfinite(step->movement.dxi[0]) && isfinite(step->movement.dxi[1]));
  require(isfinite(step->xi[0]) && isfinite(step->xi[1]));
  require(isfinite(step->force.fn) && isfinite(step->force.ft[0]) && isfinite(step->force.ft[1]));
}

static void check_message(const csv_reader *csv)
{
  unsigned long long line, column;
  char after;
  require(sscanf(csv->message, "name:%llu:%llu: %c", &line, &column, &after) == 3);
  require(line >= 1 && column >= 1 && column <= CSV_LINE_MAX + 1);
}

/* Returns a hash of the steps and the message. The message stays in `reader`. */
static uint64_t read_all(path_reader *reader, memory source, path_control control)
{
  uint64_t all = UINT64_C(14695981039346656037);
  path_step step;
  csv_result result = path_reader_open(reader, control, read_memory, &source, "name");
  while (result == CSV_ROW) {
    result = path_reader_next(reader, &step);
    if (result == CSV_ROW) {
      check_step(&step);
      mix(&all, &step, sizeof step);
    }
  }
  require(result == CSV_END || result == CSV_BAD);
  require((result == CSV_BAD) == (*reader->csv.message != '\0'));
  mix(&all, reader->csv.message, strlen(reader->csv.message));
  mix(&all, &reader->csv.line, sizeof reader->csv.line);
  return all;
}

static void check_blocks(const uint8_t *data, size_t size, path_control control)
{
  static path_reader reader;
  uint64_t whole = read_all(&reader, (memory){data, size, 0, SIZE_MAX}, control);
  uint64_t bytewise = read_all(&reader, (memory){data, size, 0, 1}, control);
  uint64_t between = read_all(&reader, (memory){data, size, 0, 1 + size / 3}, control);
  require(whole == bytewise && whole == between);
  if (*reader.csv.message) /* the same three times */
    check_message(&reader.csv);
}

/* Reads the input as one number. What is accepted strtod must accept, too, with the same value. */
static void check_number(const uint8_t *data, size_t size)
{
  char text[256], *end;
  double value;
  if (size >= sizeof text)
    return;
  if (size > 0)
    memcpy(text, data, size);
  text[size] = '\0';
  size_t length = (size_t)(number_scan(text, text + size, &value) - text);
  if (length == 0)
    return;
  text[length] = '\0';
  double libc = strtod(text, &end);
  require(end == text + length && memcmp(&libc, &value, sizeof value) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  check_blocks(data, size, PATH_BY_DISPLACEMENT);
  check_blocks(data, size, PATH_BY_FORCE);
  check_number(data, size);
  return 0;
}
