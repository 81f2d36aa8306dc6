/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints. Spheres are written in the order of the simulation, and contacts in that of their spheres: sums then run in
 * the same order as before. Neighbours are listed anew when read, which changes no result.
 */
#include "checkpoint.h"
#include "base/build_info.h"
#include "case_change.h"
#include "case_keys.h"
#include "checkpoint_file.h"
#include "dem/state.h"
#include "base/file_system.h"
#include "base/file_system.h"
#include "dem/observe/trace.h"
#include "dem/step/contacts.h"
#include "dem/step/stage.h"
#include "dem/step/stiffness.h"
#include "dem/space/neighbours.h"
#include "dem/space/slots.h"
#include "dem/setup/allocate.h"
#include "dem/observe/compute_measures.h"
#include "dem/space/contact_walk.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- What a simulation consists of, beside spheres and contacts --------------------------------------------------- */

typedef struct field {
  const char *name;
  size_t offset, size;
} field;

#define FIELD(member)                                                                                                  \
  {                                                                                                                    \
#member, offsetof(dem_simulation, member), sizeof(((dem_simulation *)0)->member)                                   \
  }

/* One table drives writing, reading and comparing. All are numbers without gaps between them. */
static const field fields[] = {
    FIELD(step),
    FIELD(time),
    FIELD(dt),
    FIELD(dt_before),
    FIELD(cell),
    FIELD(cell_before),
    FIELD(strain),
    FIELD(increment),
    FIELD(movement),
    FIELD(virial),
    FIELD(modulus),
    FIELD(overlap),
    FIELD(overlap_known),
    FIELD(unbalanced),
    FIELD(contact_count),
    FIELD(stage_just_ended),
    FIELD(just_reversed),
    FIELD(damping),
    FIELD(law.friction),
    FIELD(law.linear_kn),
    FIELD(stage.number),
    FIELD(stage.steps),
    FIELD(stage.time),
    FIELD(stage.strain_start),
    FIELD(stage.start),
    FIELD(stage.direction),
    FIELD(stage.side),
    FIELD(stage.reversals),
    FIELD(stage.servos),
    FIELD(stage.servo_error),
    FIELD(energy.work),
    FIELD(energy.gravity_work),
    FIELD(energy.damped),
    FIELD(energy.tangential_work),
    FIELD(energy.open),
    FIELD(energy.kinetic_start),
    FIELD(energy.normal_start),
    FIELD(energy.tangential_start),
};

enum { FIELDS = sizeof fields / sizeof *fields };

/* What leads a checkpoint: who made it, and how large it is. */
typedef struct summary {
  uint64_t spheres, contacts, traces;
  dem_material material;
  double density_scaling;
  uint64_t seed;
  int32_t model, stage, stage_count, threads;
  int64_t step;
  double time;
  int64_t series_bytes;
  double seconds;
} summary;

/* A contact, as written; its packed history follows. */
typedef struct stored_contact {
  uint32_t p, q, trace, bytes;
  contact_frame frame;
  wrench outer_wrench;
} stored_contact;

/* A traced life, as written; its samples follow. */
typedef struct stored_life {
  uint64_t present, request;
  uint32_t ids[2];
  int64_t birth, death;
  double strain, xi[2];
  uint64_t count;
} stored_life;

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static void put_text(checkpoint_writer *w, const char *text)
{
  uint64_t length = strlen(text);
  checkpoint_put(w, &length, sizeof length);
  checkpoint_put(w, text, length);
}

static summary summary_of(const dem_simulation *s, const dem_checkpoint_notes *notes)
{
  summary head;
  memset(&head, 0, sizeof head); /* gaps too: files of equal states are equal */
  head.spheres = s->count;
  head.contacts = s->contact_count;
  head.traces = s->traces ? dem_trace_book_size(s->traces) : 0;
  head.material = s->run->material;
  head.density_scaling = s->run->density_scaling;
  head.seed = s->run->seed;
  head.model = (int32_t)s->law.model;
  head.stage = s->stage.number;
  head.stage_count = s->run->stage_count;
  head.threads = thread_pool_size(s->workers);
  head.step = s->step;
  head.time = s->time;
  head.series_bytes = notes->series_bytes;
  head.seconds = notes->seconds;
  return head;
}

static void put_spheres(checkpoint_writer *w, const dem_simulation *s)
{
  for (size_t i = 0; i < s->count; i++) {
    checkpoint_put(w, &s->ids[i], sizeof s->ids[i]);
    checkpoint_put(w, &s->bodies[i], sizeof s->bodies[i]);
    checkpoint_put(w, &s->motions[i], sizeof s->motions[i]);
    checkpoint_put(w, &s->loads[i], sizeof s->loads[i]);
  }
}

static bool put_contact(checkpoint_writer *w, const contact_walk *at, void **bytes, size_t *room)
{
  const jager_contact *c = at->contact;
  size_t size = jager_contact_pack_size(c);
  if (size > *room) {
    void *larger = realloc(*bytes, 2 * size);
    if (!larger)
      return false;
    *bytes = larger;
    *room = 2 * size;
  }
  stored_contact stored;
  memset(&stored, 0, sizeof stored);
  stored.p = at->p;
  stored.q = at->q;
  stored.trace = *at->trace;
  stored.bytes = (uint32_t)size;
  stored.frame = *at->frame;
  if (at->outer_wrench)
    stored.outer_wrench = *at->outer_wrench;
  if (jager_contact_pack(c, *bytes, *room) != JAGER_OK)
    return false;
  checkpoint_put(w, &stored, sizeof stored);
  checkpoint_put(w, *bytes, size);
  return true;
}

static bool put_contacts(checkpoint_writer *w, const dem_simulation *s)
{
  void *bytes = NULL;
  size_t room = 0;
  bool done = true;
  for (contact_walk at = contact_walk_start(s); done && contact_walk_next(&at);)
    done = put_contact(w, &at, &bytes, &room);
  free(bytes);
  return done;
}

static void put_traces(checkpoint_writer *w, const dem_trace_book *book)
{
  for (size_t k = 0; k < dem_trace_book_size(book); k++) {
    const dem_trace_life *life = dem_trace_book_slot(book, k);
    stored_life stored;
    memset(&stored, 0, sizeof stored);
    if (life)
      stored = (stored_life){.present = 1,
                             .request = life->request,
                             .ids = {life->ids[0], life->ids[1]},
                             .birth = life->birth,
                             .death = life->death,
                             .strain = life->strain,
                             .xi = {life->xi[0], life->xi[1]},
                             .count = life->count};
    checkpoint_put(w, &stored, sizeof stored);
    if (life)
      checkpoint_put(w, life->samples, life->count * sizeof *life->samples);
  }
}

static bool put_all(checkpoint_writer *w, const dem_simulation *s, const dem_checkpoint_notes *notes)
{
  summary head = summary_of(s, notes);
  char *keys = dem_case_keys_print(s->run);
  if (!keys)
    return false;
  checkpoint_put(w, &head, sizeof head);
  put_text(w, dem_build_version());
  put_text(w, dem_build_compiler());
  put_text(w, dem_build_flags());
  put_text(w, notes->input ? notes->input : "");
  put_text(w, keys);
  free(keys);
  for (int k = 0; k < FIELDS; k++)
    checkpoint_put(w, (const char *)s + fields[k].offset, fields[k].size);
  put_spheres(w, s);
  if (!put_contacts(w, s))
    return false;
  if (s->traces)
    put_traces(w, s->traces);
  return true;
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static bool write_file(const dem_simulation *s, const char *path, const dem_checkpoint_notes *notes)
{
  checkpoint_writer *w = malloc(sizeof *w);
  FILE *stream = w ? fopen(path, "wb") : NULL;
  if (!stream) {
    free(w);
    return false;
  }
  checkpoint_writer_start(w, stream);
  bool done = put_all(w, s, notes);
  done = checkpoint_writer_finish(w) && done;
  done = fflush(stream) == 0 && fsync(fileno(stream)) == 0 && done;
  int reason = errno;
  done = fclose(stream) == 0 && done;
  free(w);
  errno = reason;
  return done;
}

bool dem_checkpoint_write(const dem_simulation *s, const char *path, const char *previous,
                          const dem_checkpoint_notes *notes, error_info *error)
{
  size_t size = strlen(path) + sizeof DEM_CHECKPOINT_TEMPORARY_ENDING;
  if (s->traces && dem_trace_book_is_followed(s->traces))
    return error_set(error, "%s: a simulation whose contacts are followed cannot be written", path);
  char *temporary = malloc(size);
  if (!temporary)
    return error_set_memory(error, "%s: out of memory", path);
  snprintf(temporary, size, "%s" DEM_CHECKPOINT_TEMPORARY_ENDING, path);
  bool done = write_file(s, temporary, notes);
  if (done && previous)
    (void)rename(path, previous); /* there may be none yet */
  done = done && rename(temporary, path) == 0;
  if (done)
    directory_sync_of(path);
  else {
    error_set(error, "%s: cannot write the checkpoint: %s", path, strerror(errno));
    unlink(temporary);
  }
  free(temporary);
  return done;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* Memory for what is read; the reader keeps in mind if there was none. */
static void *get_room(checkpoint_reader *r, void *old, size_t size)
{
  void *memory = realloc(old, size);
  r->out_of_memory = r->out_of_memory || !memory;
  return memory;
}

/* What was written is whole; so who wrote it was wrong, if it was not memory that failed. */
static bool refuse(const checkpoint_reader *r, const char *path, const char *what, error_info *error)
{
  return r->out_of_memory ? error_set_memory(error, "%s: out of memory", path)
                          : error_set(error, "%s: the checkpoint is not well formed: %s", path, what);
}

static char *get_text(checkpoint_reader *r)
{
  uint64_t length = 0;
  if (!checkpoint_get(r, &length, sizeof length) || length > r->left)
    return NULL;
  char *text = get_room(r, NULL, (size_t)length + 1);
  if (text && checkpoint_get(r, text, (size_t)length)) {
    text[length] = '\0';
    return text;
  }
  free(text);
  return NULL;
}

/* What leads a checkpoint. Texts are allocated. */
typedef struct leader {
  summary head;
  char *version, *compiler, *flags, *input;
  char *keys; /* of the case */
} leader;

static void leader_free(leader *l)
{
  free(l->version);
  free(l->compiler);
  free(l->flags);
  free(l->input);
  free(l->keys);
  *l = (leader){.version = NULL};
}

static bool get_leader(checkpoint_reader *r, leader *l, const char *path, error_info *error)
{
  *l = (leader){.version = NULL};
  if (checkpoint_get(r, &l->head, sizeof l->head) && (l->version = get_text(r)) && (l->compiler = get_text(r)) &&
      (l->flags = get_text(r)) && (l->input = get_text(r)) && (l->keys = get_text(r)) && l->head.spheres > 0 &&
      l->head.spheres <= DEM_SPHERES_MAX)
    return true;
  leader_free(l);
  return refuse(r, path, "its head", error);
}

static bool get_spheres(checkpoint_reader *r, dem_simulation *s)
{
  for (size_t i = 0; i < s->count; i++) {
    if (!checkpoint_get(r, &s->ids[i], sizeof s->ids[i]) || !checkpoint_get(r, &s->bodies[i], sizeof s->bodies[i]) ||
        !checkpoint_get(r, &s->motions[i], sizeof s->motions[i]) ||
        !checkpoint_get(r, &s->loads[i], sizeof s->loads[i]))
      return false;
    if (!(s->bodies[i].radius > 0.0 && s->bodies[i].mass > 0.0))
      return false;
  }
  return true;
}

static candidate *find_pair(block *b, uint32_t p, uint32_t q)
{
  uint32_t local = p - b->first;
  for (uint32_t i = b->start[local]; i < b->start[local + 1]; i++)
    if (b->candidates[i].q == q)
      return &b->candidates[i];
  return NULL;
}

static bool place_contact(checkpoint_reader *r, dem_simulation *s, const stored_contact *stored, const void *bytes)
{
  if (stored->p >= stored->q || stored->q >= s->count)
    return false;
  block *b = &s->blocks[stored->p / BLOCK_SPHERES];
  candidate *pair = find_pair(b, stored->p, stored->q);
  if (!pair || pair->slot != NO_SLOT)
    return false;
  pair->slot = dem_slot_take(b);
  if (pair->slot == NO_SLOT) {
    r->out_of_memory = true;
    return false;
  }
  jager_contact *c = &b->contacts[pair->slot];
  b->partition_is_stale = true;
  b->traces[pair->slot] = stored->trace;
  b->frames[pair->slot] = stored->frame;
  uint16_t number = b->wrench_number[pair - b->candidates];
  if (number != NO_WRENCH)
    s->outer_wrenches[b->first_wrench + number] = stored->outer_wrench;
  jager_status status = jager_contact_unpack(&s->law, b->pool, c, bytes, stored->bytes, NULL);
  if (status == JAGER_OK)
    return true;
  jager_contact_init(c, &s->law, 1.0, 1.0); /* nothing to release */
  r->out_of_memory = status == JAGER_ERROR_MEMORY;
  return false;
}

static bool get_contacts(checkpoint_reader *r, dem_simulation *s, uint64_t count)
{
  void *bytes = NULL;
  size_t room = 0;
  bool done = true;
  for (uint64_t k = 0; k < count && done; k++) {
    stored_contact stored;
    done = checkpoint_get(r, &stored, sizeof stored) && stored.bytes <= r->left;
    if (done && stored.bytes > room) {
      void *larger = get_room(r, bytes, 2 * (size_t)stored.bytes);
      done = larger != NULL;
      bytes = larger ? larger : bytes;
      room = done ? 2 * (size_t)stored.bytes : room;
    }
    done = done && checkpoint_get(r, bytes, stored.bytes) && place_contact(r, s, &stored, bytes);
  }
  free(bytes);
  if (done)
    dem_contacts_sum_normal_forces(s); /* the next step may gauge the unbalanced force by it */
  return done;
}

static bool restore_life(checkpoint_reader *r, dem_simulation *s, size_t slot, const dem_trace_life *life)
{
  bool is_restored = dem_trace_book_restore(s->traces, slot, life);
  r->out_of_memory = !is_restored; /* nothing else can fail */
  return is_restored;
}

static bool get_life(checkpoint_reader *r, dem_simulation *s, size_t slot)
{
  stored_life stored;
  if (!checkpoint_get(r, &stored, sizeof stored))
    return false;
  if (!stored.present)
    return restore_life(r, s, slot, NULL);
  if (stored.request >= (uint64_t)s->run->trace_count || stored.count > r->left / sizeof(dem_trace_sample))
    return false;
  dem_trace_life life = {.request = (uint32_t)stored.request,
                         .ids = {stored.ids[0], stored.ids[1]},
                         .birth = (long)stored.birth,
                         .death = (long)stored.death,
                         .strain = stored.strain,
                         .xi = {stored.xi[0], stored.xi[1]},
                         .count = (size_t)stored.count,
                         .room = (size_t)stored.count};
  life.samples = get_room(r, NULL, life.count * sizeof *life.samples + 1);
  if (life.samples && checkpoint_get(r, life.samples, life.count * sizeof *life.samples) &&
      restore_life(r, s, slot, &life))
    return true;
  free(life.samples);
  return false;
}

static bool get_traces(checkpoint_reader *r, dem_simulation *s, uint64_t count)
{
  bool done = count == 0 || s->traces != NULL;
  for (uint64_t k = 0; k < count && done; k++)
    done = get_life(r, s, (size_t)k);
  return done;
}

/* A contact that is traced has a life of its own that goes on. */
static bool traces_fit(const dem_simulation *s)
{
  contact_walk at = contact_walk_start(s);
  while (contact_walk_next(&at)) {
    uint32_t trace = *at.trace, p = s->ids[at.p], q = s->ids[at.q];
    if (trace == 0)
      continue;
    const dem_trace_life *life =
        s->traces && trace <= dem_trace_book_size(s->traces) ? dem_trace_book_slot(s->traces, trace - 1) : NULL;
    if (!life || life->death >= 0 || life->ids[0] != (p < q ? p : q) || life->ids[1] != (p < q ? q : p))
      return false;
  }
  return true;
}

/* A byte that can be looked at as a bool. */
static bool is_truth(const bool *value)
{
  return *(const unsigned char *)value <= 1;
}

static bool get_fields(checkpoint_reader *r, dem_simulation *s, const summary *head, const char *path,
                       error_info *error)
{
  bool done = true;
  for (int k = 0; k < FIELDS && done; k++)
    done = checkpoint_get(r, (char *)s + fields[k].offset, fields[k].size);
  return (done && is_truth(&s->stage_just_ended) && is_truth(&s->just_reversed) && is_truth(&s->energy.open) &&
          s->stage.number >= 0 && s->stage.number <= head->stage_count &&
          jager_law_set_friction(&s->law, s->law.friction) == JAGER_OK) ||
         refuse(r, path, "its state", error);
}

static bool get_assembly(checkpoint_reader *r, dem_simulation *s, const summary *head, const char *path,
                         error_info *error)
{
  if (!get_spheres(r, s))
    return refuse(r, path, "a sphere", error);
  dem_simulation_update_sizes(s);
  if (!dem_neighbours_list(s, error))
    return false;
  return (s->contact_count == head->contacts && get_contacts(r, s, head->contacts)) ||
         refuse(r, path, "a contact", error);
}

/* ---- Going on in a case ------------------------------------------------------------------------------------------ */

/* A new simulation with the state beside spheres and contacts, which the reader comes to next. */
static dem_simulation *load_fields(checkpoint_reader *r, const dem_case *run, int threads, const summary *head,
                                   const char *path, error_info *error)
{
  dem_simulation *s = dem_simulation_allocate(run, (size_t)head->spheres, threads, error);
  if (!s || get_fields(r, s, head, path, error))
    return s;
  dem_simulation_destroy(s);
  return NULL;
}

/* A stage that had ended, but has a later end in this case, goes on. */
static void end_anew(dem_simulation *s, dem_checkpoint_notes *notes)
{
  long reversals = s->stage.reversals;
  notes->end_was_taken_back = s->stage_just_ended && !dem_stage_finish_step(s);
  if (!notes->end_was_taken_back)
    return;
  s->stage_just_ended = false;
  s->just_reversed = s->just_reversed || s->stage.reversals != reversals;
}

static bool go_on(checkpoint_reader *r, dem_simulation *s, const leader *l, const char *path,
                  dem_checkpoint_notes *notes, error_info *error)
{
  bool end_differs;
  if (!dem_case_may_continue(s, l->keys, path, &end_differs, error) || !get_assembly(r, s, &l->head, path, error))
    return false;
  if (!get_traces(r, s, l->head.traces) || !traces_fit(s))
    return refuse(r, path, "a trace", error);
  if (end_differs)
    end_anew(s, notes);
  return true;
}

/* What looks like a wrong file may be want of memory: what could not be allocated has left its errno. */
static void blame_memory(const char *path, error_info *error)
{
  if (errno == ENOMEM)
    error_set_memory(error, "%s: out of memory", path);
}

static dem_simulation *read_on(checkpoint_reader *r, const dem_case *run, const char *path, int threads,
                               dem_checkpoint_notes *notes, error_info *error)
{
  leader l;
  if (!get_leader(r, &l, path, error))
    return NULL;
  *notes = (dem_checkpoint_notes){.series_bytes = l.head.series_bytes, .seconds = l.head.seconds};
  dem_simulation *s = load_fields(r, run, threads, &l.head, path, error);
  if (s && !go_on(r, s, &l, path, notes, error)) {
    dem_simulation_destroy(s);
    s = NULL;
  }
  if (s) {
    notes->input = l.input;
    l.input = NULL;
  }
  leader_free(&l);
  return s;
}

dem_simulation *dem_checkpoint_read(const dem_case *run, const char *path, int threads, dem_checkpoint_notes *notes,
                                    error_info *error)
{
  checkpoint_reader r;
  errno = 0;
  bool is_open = checkpoint_reader_open(&r, path, error);
  dem_simulation *s = is_open ? read_on(&r, run, path, threads, notes, error) : NULL;
  if (!s)
    blame_memory(path, error);
  if (is_open)
    checkpoint_reader_close(&r);
  return s;
}

/* ---- As the start of another case -------------------------------------------------------------------------------- */

static void forget_the_past(dem_simulation *s)
{
  s->step = 0;
  s->time = 0.0;
  s->stage_just_ended = false;
  memset(s->strain, 0, sizeof s->strain);
  for (size_t i = 0; i < s->count; i++)
    s->bodies[i].mass = dem_simulation_mass(s, s->bodies[i].radius);
  for (size_t k = 0; k < s->block_count; k++)
    for (uint32_t i = 0; i < s->blocks[k].slots; i++)
      s->blocks[k].traces[i] = 0;
}

/* The first stage of the case begins. */
static bool start_anew(dem_simulation *s, error_info *error)
{
  forget_the_past(s);
  jager_status status = jager_law_set_friction(&s->law, s->run->material.friction);
  if (status != JAGER_OK)
    return error_set(error, "material: %s", jager_status_text(status));
  dem_stiffness_update(s);
  s->dt_before = s->dt;
  if (!dem_stage_begin(s, 1, error))
    return false;
  dem_ledger_open(s);
  return true;
}

static dem_simulation *load_assembly(checkpoint_reader *r, const dem_case *run, int threads, error_info *error)
{
  leader l;
  const char *path = run->assembly.path;
  if (!get_leader(r, &l, path, error))
    return NULL;
  dem_simulation *s =
      dem_case_accepts_contacts(run, l.keys, path, error) ? load_fields(r, run, threads, &l.head, path, error) : NULL;
  if (s && !(get_assembly(r, s, &l.head, path, error) && start_anew(s, error))) {
    dem_simulation_destroy(s);
    s = NULL;
  }
  leader_free(&l);
  return s;
}

dem_simulation *dem_checkpoint_as_assembly(const dem_case *run, int threads, error_info *error)
{
  checkpoint_reader r;
  errno = 0;
  bool is_open = checkpoint_reader_open(&r, run->assembly.path, error);
  dem_simulation *s = is_open ? load_assembly(&r, run, threads, error) : NULL;
  if (!s)
    blame_memory(run->assembly.path, error);
  if (is_open)
    checkpoint_reader_close(&r);
  return s;
}

/* ---- Looking into one -------------------------------------------------------------------------------------------- */

bool dem_checkpoint_is(const char *path)
{
  char start[8] = "";
  const char *reason;
  FILE *stream = regular_file_open(path, &reason);
  if (!stream)
    return false;
  bool is = fread(start, sizeof start, 1, stream) == 1 && memcmp(start, "JAGERCKP", sizeof start) == 0;
  fclose(stream);
  return is;
}

static bool read_leader(const char *path, leader *l, error_info *error)
{
  checkpoint_reader r;
  errno = 0;
  bool is_open = checkpoint_reader_open(&r, path, error), done = is_open && get_leader(&r, l, path, error);
  if (!done)
    blame_memory(path, error);
  if (is_open)
    checkpoint_reader_close(&r);
  return done;
}

char *dem_checkpoint_input(const char *path, error_info *error)
{
  leader l;
  if (!read_leader(path, &l, error))
    return NULL;
  char *input = l.input;
  l.input = NULL;
  leader_free(&l);
  return input;
}

bool dem_checkpoint_look(const char *path, dem_checkpoint_facts *facts, error_info *error)
{
  leader l;
  if (!read_leader(path, &l, error))
    return false;
  const summary *h = &l.head;
  *facts = (dem_checkpoint_facts){.version = l.version,
                                  .compiler = l.compiler,
                                  .flags = l.flags,
                                  .step = h->step,
                                  .time = h->time,
                                  .stage = h->stage,
                                  .stage_count = h->stage_count,
                                  .spheres = h->spheres,
                                  .contacts = h->contacts,
                                  .model = jager_model_name((jager_model)h->model),
                                  .material = h->material,
                                  .seed = h->seed,
                                  .threads = h->threads,
                                  .seconds = h->seconds};
  l.version = l.compiler = l.flags = NULL; /* the facts own them now */
  leader_free(&l);
  return true;
}

void dem_checkpoint_facts_free(dem_checkpoint_facts *facts)
{
  free(facts->version);
  free(facts->compiler);
  free(facts->flags);
  *facts = (dem_checkpoint_facts){.version = NULL};
}
