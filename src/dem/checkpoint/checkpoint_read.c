/* SPDX-License-Identifier: MIT */
/* Reading checkpoints. Neighbours are listed anew, which changes no result. */
#include "base/memory_stream.h"
#include "case_change.h"
#include "checkpoint_fields.h"
#include "dem/observe/compute_measures.h"
#include "dem/setup/allocate.h"
#include "dem/space/neighbours.h"
#include "dem/space/slots.h"
#include "dem/step/contacts.h"
#include "dem/step/skin_tuning.h"
#include "dem/step/stage.h"
#include "dem/step/stiffness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct dem_checkpoint {
  field_file file;
};

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

bool dem_checkpoint_is(const char *path)
{
  return dem_field_file_is(path);
}

dem_checkpoint *dem_checkpoint_open(const char *path, error_info *error)
{
  dem_checkpoint *c = malloc(sizeof *c);
  if (!c) {
    error_set_memory(error, "%s: out of memory", path);
    return NULL;
  }
  if (dem_field_file_read(&c->file, path, error))
    return c;
  free(c);
  return NULL;
}

dem_checkpoint *dem_checkpoint_take(const dem_simulation *s, const dem_checkpoint_notes *notes, error_info *error)
{
  memory_stream bytes = {.stream = NULL};
  dem_checkpoint *c = malloc(sizeof *c);
  bool is_taken =
      c && memory_stream_open(&bytes) && dem_checkpoint_print(s, bytes.stream, notes) && memory_stream_finish(&bytes);
  if (is_taken && dem_field_file_take(&c->file, "state", bytes.text, bytes.size, error))
    return c;
  if (!is_taken) {
    memory_stream_free(&bytes);
    error_out_of_memory(error);
  }
  free(c);
  return NULL;
}

void dem_checkpoint_close(dem_checkpoint *c)
{
  if (c)
    dem_field_file_free(&c->file);
  free(c);
}

static bool refuse_value(const dem_checkpoint *c, const char *name, error_info *error)
{
  return dem_field_refuse(&c->file, name, "has an impossible value", error);
}

/* ---- Texts and the summary --------------------------------------------------------------------------------------- */

static bool read_text(const dem_checkpoint *c, const char *name, field_need need, const char **text, error_info *error)
{
  const field *found;
  if (!dem_field_find(&c->file, name, FIELD_TEXT, FIELD_ANY_COUNT, need, &found, error))
    return false;
  *text = found ? (const char *)found->values : "unknown";
  return true;
}

const char *dem_checkpoint_input(const dem_checkpoint *c, error_info *error)
{
  const char *text;
  return read_text(c, FIELD_INPUT, FIELD_REQUIRED, &text, error) ? text : NULL;
}

/* The number of spheres, which is that of their radii; 0, with an error, if that is impossible. */
static size_t count_spheres(const dem_checkpoint *c, error_info *error)
{
  const char *name = dem_sphere_columns[0].name;
  const field *radii;
  if (!dem_field_find(&c->file, name, FIELD_F64, FIELD_ANY_COUNT, FIELD_REQUIRED, &radii, error))
    return 0;
  if (radii->count > 0 && radii->count <= DEM_SPHERES_MAX)
    return (size_t)radii->count;
  dem_field_refuse(&c->file, name, "has an impossible number of values", error);
  return 0;
}

bool dem_checkpoint_describe(const dem_checkpoint *c, dem_checkpoint_facts *facts, error_info *error)
{
  member_table of_run = dem_checkpoint_run_members(), shared = dem_checkpoint_shared_members();
  *facts = (dem_checkpoint_facts){.version = NULL};
  if (!read_text(c, FIELD_VERSION, FIELD_OPTIONAL, &facts->version, error) ||
      !read_text(c, FIELD_COMPILER, FIELD_OPTIONAL, &facts->compiler, error) ||
      !read_text(c, FIELD_FLAGS, FIELD_OPTIONAL, &facts->flags, error) ||
      !read_text(c, FIELD_MODEL, FIELD_OPTIONAL, &facts->model, error) ||
      (facts->spheres = count_spheres(c, error)) == 0)
    return false;
  if (!dem_members_read(&c->file, of_run.list, of_run.count, facts, error) ||
      !dem_members_read(&c->file, shared.list, shared.count, facts, error))
    return false;
  return (facts->series_bytes >= 0 || refuse_value(c, "run.series_bytes", error)) &&
         (facts->cycles_bytes >= 0 || refuse_value(c, "run.cycles_bytes", error));
}

/* ---- State ------------------------------------------------------------------------------------------------------- */

static bool is_finite_field(const field *f)
{
  double value;
  for (uint64_t k = 0; k < f->count; k++) {
    memcpy(&value, f->values + k * sizeof value, sizeof value);
    if (!isfinite(value))
      return false;
  }
  return true;
}

/* Finds a field; its numbers must be finite. */
static bool find_values(const dem_checkpoint *c, const char *name, field_type type, uint64_t count, field_need need,
                        const field **found, error_info *error)
{
  if (!dem_field_find(&c->file, name, type, count, need, found, error))
    return false;
  return !*found || type != FIELD_F64 || is_finite_field(*found) || refuse_value(c, name, error);
}

/*
 * All numbers of the state are finite, but for the error of the servo: it is relative to the target, which may be zero.
 */
static bool check_finite(const dem_checkpoint *c, error_info *error)
{
  member_table members = dem_checkpoint_state_members();
  const field *found;
  for (size_t k = 0; k < members.count; k++) {
    const member *m = &members.list[k];
    if (m->offset != offsetof(dem_simulation, stage.servo_error) &&
        !find_values(c, m->name, dem_member_type(m), m->count, m->need, &found, error))
      return false;
  }
  return true;
}

/* The name of a field whose value, although finite, cannot be; NULL: there is none. */
static const char *find_impossible(const dem_simulation *s, int stage_count)
{
  const dem_damping *damping = &s->damping;
  jager_status status = jager_law_check(&s->law); /* the rest of the law is that of the case */
  return s->stage.number < 0 || s->stage.number > stage_count          ? "stage.number"
         : status == JAGER_ERROR_FRICTION                              ? "law.friction"
         : status != JAGER_OK                                          ? "law.linear_kn"
         : !(damping->viscous >= 0.0 && damping->viscous <= 1.0)       ? "damping.viscous"
         : !(damping->local >= 0.0 && damping->local < 1.0)            ? "damping.local"
         : !(damping->global >= 0.0)                                   ? "damping.global"
         : !(s->dt >= 0.0)                                             ? "dt"
         : !(s->dt_before >= 0.0)                                      ? "dt_before"
         : !(s->cell.xx > 0.0 && s->cell.yy > 0.0 && s->cell.zz > 0.0) ? "cell"
                                                                       : NULL;
}

static bool read_state(const dem_checkpoint *c, dem_simulation *s, int stage_count, error_info *error)
{
  member_table members = dem_checkpoint_state_members();
  if (!dem_members_read(&c->file, members.list, members.count, s, error) || !check_finite(c, error))
    return false;
  const char *name = find_impossible(s, stage_count);
  return !name || refuse_value(c, name, error);
}

/* A new simulation with the state beside spheres, contacts and traces. */
static dem_simulation *load_state(const dem_checkpoint *c, const dem_case *run, int threads, int stage_count,
                                  error_info *error)
{
  size_t count = count_spheres(c, error);
  dem_simulation *s = count > 0 ? dem_simulation_allocate(run, count, threads, error) : NULL;
  if (!s || read_state(c, s, stage_count, error))
    return s;
  dem_simulation_destroy(s);
  return NULL;
}

/* ---- Spheres ----------------------------------------------------------------------------------------------------- */

static bool read_sphere_column(const dem_checkpoint *c, dem_simulation *s, const column *each, error_info *error)
{
  const field *from;
  size_t size = column_value_bytes(each);
  if (!find_values(c, each->name, each->type, s->count * each->values, FIELD_REQUIRED, &from, error))
    return false;
  for (size_t i = 0; i < s->count; i++)
    memcpy(sphere_values(s, i, each), from->values + i * size, size);
  return true;
}

static bool read_spheres(const dem_checkpoint *c, dem_simulation *s, error_info *error)
{
  for (size_t k = 0; k < SPHERE_COLUMNS; k++)
    if (!read_sphere_column(c, s, &dem_sphere_columns[k], error))
      return false;
  for (size_t i = 0; i < s->count; i++) {
    if (!(s->bodies[i].radius > 0.0))
      return refuse_value(c, "spheres.radius", error);
    if (!(s->bodies[i].mass > 0.0))
      return refuse_value(c, "spheres.mass", error);
  }
  return true;
}

/* ---- Contacts ---------------------------------------------------------------------------------------------------- */

/* The fields of all contacts. */
typedef struct contact_fields {
  const field *columns[CONTACT_COLUMNS], *packed_size, *packed;
  uint64_t next; /* bytes of packed contacts that are taken */
} contact_fields;

static bool find_contact_fields(const dem_checkpoint *c, uint64_t count, contact_fields *f, error_info *error)
{
  f->next = 0;
  if (count > UINT32_MAX)
    return refuse_value(c, "contact_count", error);
  for (size_t k = 0; k < CONTACT_COLUMNS; k++) {
    const column *each = &dem_contact_columns[k];
    if (!find_values(c, each->name, each->type, count * each->values, FIELD_REQUIRED, &f->columns[k], error))
      return false;
  }
  return dem_field_find(&c->file, FIELD_PACKED_SIZE, FIELD_U32, count, FIELD_REQUIRED, &f->packed_size, error) &&
         dem_field_find(&c->file, FIELD_PACKED, FIELD_U8, FIELD_ANY_COUNT, FIELD_REQUIRED, &f->packed, error);
}

static uint32_t u32_at(const field *from, uint64_t k)
{
  uint32_t value;
  memcpy(&value, from->values + k * sizeof value, sizeof value);
  return value;
}

static candidate *find_pair(const block *b, uint32_t p, uint32_t q)
{
  uint32_t local = p - b->first;
  for (uint32_t i = b->start[local]; i < b->start[local + 1]; i++)
    if (b->candidates[i].q == q)
      return &b->candidates[i];
  return NULL;
}

/* The candidate of the contact between p and q. False, with an error, if there can be none. */
static bool place_contact(const dem_checkpoint *c, dem_simulation *s, uint32_t p, uint32_t q, candidate **pair,
                          contact_walk *at, error_info *error)
{
  if (p >= q || q >= s->count)
    return refuse_value(c, "contacts.pair", error);
  block *b = &s->blocks[p / BLOCK_SPHERES];
  *pair = find_pair(b, p, q);
  if (!*pair || (*pair)->slot != NO_SLOT)
    return dem_field_refuse(&c->file, "contacts.pair", "has a pair that is not near, or occurs twice", error);
  b->partition_is_stale = true;
  uint16_t number = b->wrench_number[*pair - b->candidates];
  *at = (contact_walk){
      .p = p, .q = q, .outer_wrench = number == NO_WRENCH ? NULL : &s->outer_wrenches[b->first_wrench + number]};
  return true;
}

static bool unpack_contact(const dem_checkpoint *c, dem_simulation *s, uint64_t k, contact_fields *f,
                           const contact_walk *at, uint32_t *contact, error_info *error)
{
  uint32_t size = u32_at(f->packed_size, k);
  size_t used;
  if (size > f->packed->count - f->next)
    return dem_field_refuse(&c->file, FIELD_PACKED, "has too few bytes", error);
  const vec3 l = at->frame.branch, e = at->frame.axis;
  jager_status status =
      jager_pairs_unpack(s->blocks[at->p / BLOCK_SPHERES].contacts, &s->law, f->packed->values + f->next, size, &used,
                         (double[3]){l.x, l.y, l.z}, (double[3]){e.x, e.y, e.z}, contact);
  f->next += size;
  if (status == JAGER_ERROR_MEMORY)
    return error_set_memory(error, "%s: out of memory", c->file.path);
  if (status != JAGER_OK)
    return dem_field_refuse(&c->file, FIELD_PACKED, jager_status_text(status), error);
  return used == size || dem_field_refuse(&c->file, FIELD_PACKED_SIZE, "does not fit the packed contacts", error);
}

/* Contact number k of the file */
static bool read_contact(const dem_checkpoint *c, dem_simulation *s, uint64_t k, contact_fields *f, error_info *error)
{
  candidate *pair;
  contact_walk at;
  uint32_t trace = 0, contact;
  if (!place_contact(c, s, u32_at(f->columns[0], 2 * k), u32_at(f->columns[0], 2 * k + 1), &pair, &at, error))
    return false;
  at.trace = &trace;
  for (size_t m = 1; m < CONTACT_COLUMNS; m++) {
    size_t size = column_value_bytes(&dem_contact_columns[m]);
    void *to = contact_values(&at, &dem_contact_columns[m]);
    if (to)
      memcpy(to, f->columns[m]->values + k * size, size);
  }
  return unpack_contact(c, s, k, f, &at, &contact, error) &&
         (dem_slot_set(&s->blocks[at.p / BLOCK_SPHERES], pair, contact, trace) ||
          error_set_memory(error, "%s: out of memory", c->file.path));
}

static bool read_contacts(const dem_checkpoint *c, dem_simulation *s, error_info *error)
{
  contact_fields f;
  if (!find_contact_fields(c, s->contact_count, &f, error))
    return false;
  for (uint64_t k = 0; k < s->contact_count; k++)
    if (!read_contact(c, s, k, &f, error))
      return false;
  if (f.next != f.packed->count)
    return dem_field_refuse(&c->file, FIELD_PACKED, "has too many bytes", error);
  dem_contacts_sum_normal_forces(s); /* the next step may need them for the unbalanced force */
  return true;
}

static bool read_assembly(const dem_checkpoint *c, dem_simulation *s, error_info *error)
{
  if (!read_spheres(c, s, error))
    return false;
  dem_simulation_update_sizes(s);
  dem_skin_tuning_fit(s);
  dem_simulation_update_density(s);
  return dem_neighbours_list(s, error) && read_contacts(c, s, error);
}

/* ---- Traces ------------------------------------------------------------------------------------------------------ */

/* Fields with a value of each of `count` lives, or of each of their samples. */
static bool check_fields(const dem_checkpoint *c, member_table table, uint64_t count, error_info *error)
{
  const field *found;
  for (size_t m = 0; m < table.count; m++) {
    const member *each = &table.list[m];
    if (!dem_field_find(&c->file, each->name, dem_member_type(each), count * each->count, FIELD_REQUIRED, &found,
                        error))
      return false;
  }
  return true;
}

/* Reads the struct number `index` of fields that have been checked. */
static bool read_indexed(const dem_checkpoint *c, member_table table, size_t index, void *to, error_info *error)
{
  const field *found;
  for (size_t m = 0; m < table.count; m++) {
    const member *each = &table.list[m];
    if (!dem_field_find(&c->file, each->name, dem_member_type(each), FIELD_ANY_COUNT, FIELD_REQUIRED, &found, error) ||
        !dem_member_get(&c->file, found, index, each, to, error))
      return false;
  }
  return true;
}

/* Reads the samples of a life, which begin with number `first` of all samples. */
static bool read_samples(const dem_checkpoint *c, dem_trace_life *life, size_t first, error_info *error)
{
  member_table members = dem_checkpoint_sample_members();
  life->samples = malloc(life->count * sizeof *life->samples + 1);
  if (!life->samples)
    return error_set_memory(error, "%s: out of memory", c->file.path);
  for (size_t m = 0; m < members.count; m++) {
    const member *each = &members.list[m];
    const field *from;
    if (!dem_field_find(&c->file, each->name, FIELD_F64, FIELD_ANY_COUNT, FIELD_REQUIRED, &from, error))
      return false;
    for (size_t i = 0; i < life->count; i++)
      if (!dem_member_get(&c->file, from, first + i, each, &life->samples[i], error))
        return false;
  }
  return true;
}

/*
 * Reads life number `index` into a slot of the traces; `taken` counts the samples of the lives before, of `samples`
 * in all.
 */
static bool read_life(const dem_checkpoint *c, dem_simulation *s, size_t slot, size_t index, uint64_t samples,
                      uint64_t *taken, error_info *error)
{
  dem_trace_life life = {.samples = NULL};
  if (!read_indexed(c, dem_checkpoint_life_members(), index, &life, error))
    return false;
  if (life.request >= (uint32_t)s->run->trace_count)
    return refuse_value(c, "traces.request", error);
  if (life.count > samples - *taken)
    return refuse_value(c, "traces.count", error);
  life.room = life.count;
  bool done = read_samples(c, &life, (size_t)*taken, error);
  if (done && !dem_trace_book_restore(s->traces, slot, &life))
    done = error_set_memory(error, "%s: out of memory", c->file.path);
  if (!done)
    free(life.samples);
  *taken += life.count;
  return done;
}

static uint64_t count_lives(const field *present)
{
  uint64_t lives = 0;
  for (uint64_t k = 0; k < present->count; k++)
    lives += present->values[k] != 0;
  return lives;
}

static bool read_traces(const dem_checkpoint *c, dem_simulation *s, error_info *error)
{
  const field *present, *first_sample;
  const char *sample_name = dem_checkpoint_sample_members().list[0].name;
  if (!dem_field_find(&c->file, FIELD_TRACE_PRESENT, FIELD_U8, FIELD_ANY_COUNT, FIELD_OPTIONAL, &present, error))
    return false;
  if (!present || present->count == 0)
    return true;
  if (!s->traces)
    return dem_field_refuse(&c->file, FIELD_TRACE_PRESENT, "has traces, but the case has none", error);
  if (!dem_field_find(&c->file, sample_name, FIELD_F64, FIELD_ANY_COUNT, FIELD_REQUIRED, &first_sample, error) ||
      !check_fields(c, dem_checkpoint_life_members(), count_lives(present), error) ||
      !check_fields(c, dem_checkpoint_sample_members(), first_sample->count, error))
    return false;
  uint64_t taken = 0;
  for (size_t slot = 0, index = 0; slot < present->count; slot++) {
    if (!present->values[slot] && !dem_trace_book_restore(s->traces, slot, NULL))
      return error_set_memory(error, "%s: out of memory", c->file.path);
    if (present->values[slot] && !read_life(c, s, slot, index++, first_sample->count, &taken, error))
      return false;
  }
  return true;
}

/* The trace of a contact is a life of the same spheres that has not ended. */
static bool check_traces(const dem_checkpoint *c, const dem_simulation *s, error_info *error)
{
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);) {
    uint32_t trace = *at.trace, p = s->ids[at.p], q = s->ids[at.q];
    if (trace == 0)
      continue;
    const dem_trace_life *life =
        s->traces && trace <= dem_trace_book_size(s->traces) ? dem_trace_book_slot(s->traces, trace - 1) : NULL;
    if (!life || life->death >= 0 || life->ids[0] != (p < q ? p : q) || life->ids[1] != (p < q ? q : p))
      return dem_field_refuse(&c->file, "contacts.trace", "does not fit the traces", error);
  }
  return true;
}

/* ---- Continuing a run -------------------------------------------------------------------------------------------- */

static bool restore_into(const dem_checkpoint *c, dem_simulation *s, dem_checkpoint_notes *notes, error_info *error)
{
  const char *keys;
  bool end_differs;
  if (!read_text(c, FIELD_KEYS, FIELD_REQUIRED, &keys, error) ||
      !dem_case_may_continue(s, keys, c->file.path, &end_differs, error) || !read_assembly(c, s, error) ||
      !read_traces(c, s, error) || !check_traces(c, s, error))
    return false;
  notes->end_was_taken_back = end_differs && dem_stage_take_back_end(s);
  return true;
}

dem_simulation *dem_checkpoint_restore(const dem_checkpoint *c, const dem_case *run, int threads,
                                       dem_checkpoint_notes *notes, error_info *error)
{
  dem_checkpoint_facts facts;
  const char *input = dem_checkpoint_input(c, error);
  if (!input || !dem_checkpoint_describe(c, &facts, error))
    return NULL;
  *notes = (dem_checkpoint_notes){
      .input = input, .series_bytes = facts.series_bytes, .cycles_bytes = facts.cycles_bytes, .seconds = facts.seconds};
  dem_simulation *s = load_state(c, run, threads, facts.stage_count, error);
  if (!s || restore_into(c, s, notes, error))
    return s;
  dem_simulation_destroy(s);
  return NULL;
}

/* ---- As the assembly of another case ----------------------------------------------------------------------------- */

static void forget_the_past(dem_simulation *s)
{
  s->step = 0;
  s->time = 0.0;
  s->stage_just_ended = false;
  s->search = (packing_search){0};
  memset(s->strain, 0, sizeof s->strain);
  for (size_t i = 0; i < s->count; i++)
    s->bodies[i].mass = dem_simulation_mass(s, s->bodies[i].radius);
  for (size_t k = 0; k < s->block_count; k++)
    for (uint32_t i = 0; i < s->blocks[k].trace_room; i++)
      s->blocks[k].traces[i] = 0;
}

/*
 * With density scaling of each sphere, time is what the case makes of it. What spheres move in a step is then kept, not
 * their velocities: these could be those of seconds or of microseconds.
 */
static void keep_movements(dem_simulation *s, double dt_before)
{
  double ratio = dt_before / s->dt;
  for (size_t i = 0; s->run->scales_each_sphere && i < s->count; i++) {
    s->motions[i].v = vec3_scale(ratio, s->motions[i].v);
    s->motions[i].w = vec3_scale(ratio, s->motions[i].w);
  }
}

static bool begin_first_stage(dem_simulation *s, error_info *error)
{
  double dt_before = s->dt;
  forget_the_past(s);
  jager_status status = jager_law_set_friction(&s->law, s->run->material.friction);
  if (status != JAGER_OK)
    return error_set(error, "material: %s", jager_status_text(status));
  dem_stiffness_update(s);
  keep_movements(s, dt_before);
  s->dt_before = s->dt;
  dem_ledger_open(s);
  return dem_stage_begin(s, 1, error);
}

dem_simulation *dem_checkpoint_as_assembly(const dem_checkpoint *c, const dem_case *run, int threads, error_info *error)
{
  dem_checkpoint_facts facts;
  const char *keys;
  if (!dem_checkpoint_describe(c, &facts, error) || !read_text(c, FIELD_KEYS, FIELD_REQUIRED, &keys, error) ||
      !dem_case_accepts_contacts(run, keys, c->file.path, error))
    return NULL;
  dem_simulation *s = load_state(c, run, threads, facts.stage_count, error);
  if (!s || (read_assembly(c, s, error) && begin_first_stage(s, error)))
    return s;
  dem_simulation_destroy(s);
  return NULL;
}
