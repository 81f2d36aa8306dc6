/* SPDX-License-Identifier: MIT */
/*
 * Writing checkpoints. Spheres are written in the order of the simulation, and contacts in that of their spheres:
 * sums then run in the same order after reading.
 */
#include "base/build_info.h"
#include "base/whole_file.h"
#include "case_keys.h"
#include "checkpoint_fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- The run and the state --------------------------------------------------------------------------------------- */

static bool write_run(field_writer *w, const dem_simulation *s, const dem_checkpoint_notes *notes)
{
  member_table members = dem_checkpoint_run_members();
  dem_checkpoint_facts facts = {.stage_count = s->run->stage_count,
                                .seed = s->run->seed,
                                .material = s->run->material,
                                .threads = thread_pool_size(s->workers),
                                .seconds = notes->seconds,
                                .series_bytes = notes->series_bytes,
                                .cycles_bytes = notes->cycles_bytes};
  char *keys = dem_case_keys_print(s->run);
  if (!keys)
    return false;
  dem_field_write_text(w, FIELD_VERSION, build_version());
  dem_field_write_text(w, FIELD_COMPILER, build_compiler());
  dem_field_write_text(w, FIELD_FLAGS, build_flags());
  dem_field_write_text(w, FIELD_INPUT, notes->input ? notes->input : "");
  dem_field_write_text(w, FIELD_KEYS, keys);
  dem_field_write_text(w, FIELD_MODEL, jager_model_name(s->law.model));
  dem_members_write(w, members.list, members.count, &facts);
  free(keys);
  return true;
}

static void write_state(field_writer *w, const dem_simulation *s)
{
  member_table members = dem_checkpoint_state_members();
  dem_members_write(w, members.list, members.count, s);
}

/* ---- Spheres and contacts ---------------------------------------------------------------------------------------- */

static void write_sphere_column(field_writer *w, const dem_simulation *s, const column *c)
{
  size_t size = column_value_bytes(c);
  dem_field_begin(w, c->name, c->type, s->count * c->values);
  for (size_t i = 0; i < s->count; i++)
    dem_field_put(w, sphere_values(s, i, c), size);
  dem_field_end(w);
}

static void write_contact_column(field_writer *w, const dem_simulation *s, const column *c)
{
  static const wrench none;
  size_t size = column_value_bytes(c);
  dem_field_begin(w, c->name, c->type, s->contact_count * c->values);
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);) {
    const void *values = contact_values(&at, c);
    dem_field_put(w, values ? values : (const char *)&none + c->offset, size);
  }
  dem_field_end(w);
}

/* The sizes of the packed contacts. Returns their sum, and the largest. */
static uint64_t write_packed_sizes(field_writer *w, const dem_simulation *s, size_t *largest)
{
  uint64_t total = 0;
  *largest = 0;
  dem_field_begin(w, FIELD_PACKED_SIZE, FIELD_U32, s->contact_count);
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);) {
    uint32_t size = (uint32_t)jager_contact_pack_size(&at.contact);
    *largest = size > *largest ? size : *largest;
    total += size;
    dem_field_put(w, &size, sizeof size);
  }
  dem_field_end(w);
  return total;
}

static bool write_packed_contacts(field_writer *w, const dem_simulation *s)
{
  size_t largest;
  uint64_t total = write_packed_sizes(w, s, &largest);
  void *bytes = malloc(largest + 1);
  bool done = bytes;
  if (done)
    dem_field_begin(w, FIELD_PACKED, FIELD_U8, total);
  for (contact_walk at = contact_walk_start(s); done && contact_walk_next(&at);) {
    done = jager_contact_pack(&at.contact, bytes, largest) == JAGER_OK;
    if (done)
      dem_field_put(w, bytes, jager_contact_pack_size(&at.contact));
  }
  if (done)
    dem_field_end(w);
  free(bytes);
  return done;
}

static bool write_assembly(field_writer *w, const dem_simulation *s)
{
  for (size_t k = 0; k < SPHERE_COLUMNS; k++)
    write_sphere_column(w, s, &dem_sphere_columns[k]);
  for (size_t k = 0; k < CONTACT_COLUMNS; k++)
    write_contact_column(w, s, &dem_contact_columns[k]);
  return write_packed_contacts(w, s);
}

/* ---- Traces ------------------------------------------------------------------------------------------------------ */

/* Which slots hold a life. Returns the number of lives, and the number of their samples. */
static uint64_t write_present(field_writer *w, const dem_trace_book *book, uint64_t *samples)
{
  uint64_t lives = 0;
  *samples = 0;
  dem_field_begin(w, FIELD_TRACE_PRESENT, FIELD_U8, dem_trace_book_size(book));
  for (size_t k = 0; k < dem_trace_book_size(book); k++) {
    const dem_trace_life *life = dem_trace_book_slot(book, k);
    uint8_t present = life != NULL;
    lives += present;
    *samples += life ? life->count : 0;
    dem_field_put(w, &present, 1);
  }
  dem_field_end(w);
  return lives;
}

static void write_traces(field_writer *w, const dem_trace_book *book)
{
  member_table of_life = dem_checkpoint_life_members(), of_sample = dem_checkpoint_sample_members();
  uint64_t samples, lives = write_present(w, book, &samples);
  for (size_t m = 0; m < of_life.count; m++) {
    const member *each = &of_life.list[m];
    dem_field_begin(w, each->name, dem_member_type(each), lives * each->count);
    for (size_t k = 0; k < dem_trace_book_size(book); k++)
      if (dem_trace_book_slot(book, k))
        dem_member_put(w, each, dem_trace_book_slot(book, k));
    dem_field_end(w);
  }
  for (size_t m = 0; m < of_sample.count; m++) {
    const member *each = &of_sample.list[m];
    dem_field_begin(w, each->name, dem_member_type(each), samples);
    for (size_t k = 0; k < dem_trace_book_size(book); k++) {
      const dem_trace_life *life = dem_trace_book_slot(book, k);
      for (size_t i = 0; life && i < life->count; i++)
        dem_member_put(w, each, &life->samples[i]);
    }
    dem_field_end(w);
  }
}

/* ---- The file ---------------------------------------------------------------------------------------------------- */

static bool write_all(field_writer *w, const dem_simulation *s, const dem_checkpoint_notes *notes)
{
  if (!write_run(w, s, notes))
    return false;
  write_state(w, s);
  if (!write_assembly(w, s))
    return false;
  if (s->traces)
    write_traces(w, s->traces);
  return true;
}

bool dem_checkpoint_print(const dem_simulation *s, FILE *stream, const dem_checkpoint_notes *notes)
{
  field_writer *w = malloc(sizeof *w);
  if (!w)
    return false;
  dem_field_writer_start(w, stream);
  bool is_written = write_all(w, s, notes) && dem_field_writer_finish(w);
  free(w);
  return is_written;
}

/* On failure sets errno. */
static bool write_file(const dem_simulation *s, const char *path, const char *previous,
                       const dem_checkpoint_notes *notes)
{
  whole_file file = {0};
  bool done = whole_file_open(&file, path) && dem_checkpoint_print(s, file.stream, notes) &&
              whole_file_finish_keeping(&file, previous);
  int reason = errno;
  whole_file_discard(&file);
  errno = reason;
  return done;
}

bool dem_checkpoint_write(const dem_simulation *s, const char *path, const char *previous,
                          const dem_checkpoint_notes *notes, error_info *error)
{
  if (s->traces && dem_trace_book_follower(s->traces))
    return error_set(error, "%s: a simulation whose contacts are followed cannot be written", path);
  return write_file(s, path, previous, notes) ||
         (errno == ENOMEM ? error_set_memory : error_set)(error, "%s: cannot write the checkpoint: %s", path,
                                                          strerror(errno));
}
