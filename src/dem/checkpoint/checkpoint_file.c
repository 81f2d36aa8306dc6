/* SPDX-License-Identifier: MIT */
/* The bytes of checkpoints. */
#include "checkpoint_file.h"
#include "dem/state.h"
#include "base/file_system.h"

#include <errno.h>
#include <string.h>

static const char magic[8] = {'J', 'A', 'G', 'E', 'R', 'C', 'K', 'P'};

typedef struct header {
  char magic[8];
  uint32_t version, order, long_bits, zero;
} header;

typedef struct trailer {
  uint64_t length, sum;
} trailer;

#define BYTE_ORDER_MARK 0x01020304u
#define LONG_BITS ((uint32_t)(8 * sizeof(long)))

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static void flush_buffer(checkpoint_writer *w)
{
  hash_add(&w->sum, w->buffer, w->used);
  w->length += w->used;
  w->failed = w->failed || fwrite(w->buffer, 1, w->used, w->stream) != w->used;
  w->used = 0;
}

void checkpoint_put(checkpoint_writer *w, const void *bytes, size_t size)
{
  const unsigned char *at = bytes;
  while (size > 0) {
    size_t room = sizeof w->buffer - w->used, part = size < room ? size : room;
    memcpy(w->buffer + w->used, at, part);
    w->used += part;
    at += part;
    size -= part;
    if (w->used == sizeof w->buffer)
      flush_buffer(w);
  }
}

void checkpoint_writer_start(checkpoint_writer *w, FILE *stream)
{
  header head = {.version = CHECKPOINT_VERSION, .order = BYTE_ORDER_MARK, .long_bits = LONG_BITS};
  memcpy(head.magic, magic, sizeof magic);
  w->stream = stream;
  w->sum = hash_start();
  w->length = 0;
  w->used = 0;
  w->failed = false;
  checkpoint_put(w, &head, sizeof head);
}

bool checkpoint_writer_finish(checkpoint_writer *w)
{
  if (w->used > 0)
    flush_buffer(w);
  trailer end = {.length = w->length, .sum = hash_value(&w->sum)};
  return fwrite(&end, sizeof end, 1, w->stream) == 1 && !w->failed;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static bool check_header(FILE *stream, const char *path, error_info *error)
{
  header head;
  if (fread(&head, sizeof head, 1, stream) != 1 || memcmp(head.magic, magic, sizeof magic) != 0)
    return error_set(error, "%s: not a checkpoint of jager", path);
  if (head.order != BYTE_ORDER_MARK)
    return error_set(error, "%s: a checkpoint from a machine with another byte order", path);
  if (head.version != CHECKPOINT_VERSION)
    return error_set(error, "%s: a checkpoint of format %u, this program reads %d", path, head.version,
                     CHECKPOINT_VERSION);
  if (head.long_bits != LONG_BITS)
    return error_set(error, "%s: a checkpoint from a machine of %u bits, this one has %u", path, head.long_bits,
                     LONG_BITS);
  return true;
}

/* Goes through all blocks as they were hashed when written. */
static bool hash_contents(FILE *stream, uint64_t length, uint64_t *sum)
{
  unsigned char buffer[CHECKPOINT_BUFFER];
  hash h = hash_start();
  while (length > 0) {
    size_t part = length < sizeof buffer ? (size_t)length : sizeof buffer;
    if (fread(buffer, 1, part, stream) != part)
      return false;
    hash_add(&h, buffer, part);
    length -= part;
  }
  *sum = hash_value(&h);
  return true;
}

static bool check_sum(FILE *stream, const char *path, uint64_t *length, error_info *error)
{
  trailer end;
  uint64_t sum;
  if (fseeko(stream, -(off_t)sizeof end, SEEK_END) != 0 || fread(&end, sizeof end, 1, stream) != 1 ||
      (uint64_t)ftello(stream) != end.length + sizeof end || end.length < sizeof(header))
    return error_set(error, "%s: the checkpoint is truncated", path);
  rewind(stream);
  if (!hash_contents(stream, end.length, &sum))
    return error_set(error, "%s: cannot be read", path);
  if (sum != end.sum)
    return error_set(error, "%s: the checkpoint is damaged: its checksum is wrong", path);
  *length = end.length;
  return true;
}

bool checkpoint_reader_open(checkpoint_reader *r, const char *path, error_info *error)
{
  uint64_t length = 0;
  const char *reason;
  *r = (checkpoint_reader){.stream = regular_file_open(path, &reason)};
  if (!r->stream)
    return error_set(error, "%s: %s", path, reason);
  bool is_whole = check_header(r->stream, path, error) && check_sum(r->stream, path, &length, error);
  if (is_whole && fseeko(r->stream, (off_t)sizeof(header), SEEK_SET) != 0)
    is_whole = error_set(error, "%s: %s", path, strerror(errno));
  if (!is_whole) {
    fclose(r->stream);
    return false;
  }
  r->left = length - sizeof(header);
  return true;
}

bool checkpoint_get(checkpoint_reader *r, void *bytes, size_t size)
{
  if (size > r->left || (size > 0 && fread(bytes, 1, size, r->stream) != size))
    return false;
  r->left -= size;
  return true;
}

void checkpoint_reader_close(checkpoint_reader *r)
{
  fclose(r->stream);
}
