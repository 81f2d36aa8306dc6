/* SPDX-License-Identifier: MIT */
/* The contacts of many pairs: their memory, beginning and ending, sweeps over them. */
#include "pairs.h"
#include "contact/history.h"

#include <stdlib.h>

enum { ROOM_MIN = 8, ROOM_SHARE = 32, RECORD_LINE = 64 }; /* room for so many more contacts, or this share */

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

jager_pairs *jager_pairs_create(void)
{
  jager_pairs *pairs = calloc(1, sizeof *pairs);
  if (!pairs)
    return NULL;
  pairs->pool = jager_pool_create(0);
  pairs->kernel = jager_lane_kernel(0);
  if (!pairs->pool) {
    free(pairs);
    return NULL;
  }
  return pairs;
}

void jager_pairs_destroy(jager_pairs *pairs)
{
  if (!pairs)
    return;
  jager_pool_destroy(pairs->pool);
  free(pairs->records);
  free(pairs->free);
  free(pairs->origins);
  free(pairs);
}

jager_status jager_pairs_set_width(jager_pairs *pairs, int width)
{
  if (!pairs)
    return JAGER_ERROR_NULL;
  const lane_kernel *kernel = jager_lane_kernel(width);
  if (!kernel)
    return JAGER_ERROR_UNSUPPORTED;
  pairs->kernel = kernel;
  return JAGER_OK;
}

size_t jager_pairs_bytes(const jager_pairs *pairs)
{
  return pairs ? sizeof *pairs + pairs->room * (sizeof *pairs->records + sizeof *pairs->free) +
                     pairs->origin_room * sizeof *pairs->origins + jager_pool_bytes(pairs->pool)
               : 0;
}

size_t jager_pairs_history_bytes(const jager_pairs *pairs)
{
  return pairs ? jager_pool_bytes_in_use(pairs->pool) : 0;
}

/* Records begin on a cache line. The old ones stay as they are if there is no memory. */
static bool reserve_records(jager_pairs *pairs, size_t room)
{
  if (room <= pairs->room)
    return true;
  if (room >= JAGER_NONE)
    return false;
  pair_record *records = aligned_alloc(RECORD_LINE, room * sizeof *records);
  uint32_t *numbers = records ? realloc(pairs->free, room * sizeof *numbers) : NULL;
  if (!numbers) {
    free(records);
    return false;
  }
  if (pairs->count > 0)
    memcpy(records, pairs->records, pairs->count * sizeof *records);
  free(pairs->records);
  pairs->records = records;
  pairs->free = numbers;
  pairs->room = room;
  return true;
}

/* A number for a new contact; JAGER_NONE: there is no memory. */
static uint32_t take_number(jager_pairs *pairs)
{
  if (pairs->free_count > 0)
    return pairs->free[--pairs->free_count];
  if (pairs->count == pairs->room && !reserve_records(pairs, pairs->room + pairs->room / ROOM_SHARE + ROOM_MIN))
    return JAGER_NONE;
  pairs->records[pairs->count].shape = RECORD_FREE;
  return (uint32_t)pairs->count++;
}

static void give_number(jager_pairs *pairs, uint32_t number)
{
  pairs->records[number].shape = RECORD_FREE;
  pairs->free[pairs->free_count++] = number;
}

/* ---- What histories were made with ------------------------------------------------------------------------------- */

/* Removes the entries that no contact uses; numbers of contacts change. */
static void clean_origins(jager_pairs *pairs, uint16_t *new_number)
{
  bool *used = (bool *)(void *)(new_number + pairs->origin_count);
  memset(used, 0, pairs->origin_count * sizeof *used);
  for (size_t i = 0; i < pairs->count; i++)
    if (pairs_has(pairs, (uint32_t)i))
      used[pairs->records[i].origin] = true;
  uint16_t count = 0;
  for (size_t i = 0; i < pairs->origin_count; i++)
    if (used[i]) {
      pairs->origins[count] = pairs->origins[i];
      new_number[i] = count++;
    }
  for (size_t i = 0; i < pairs->count; i++)
    if (pairs_has(pairs, (uint32_t)i))
      pairs->records[i].origin = new_number[pairs->records[i].origin];
  pairs->origin_count = count;
}

/* Makes room for one more entry: first by removing those that are not used. */
static bool reserve_origin(jager_pairs *pairs)
{
  if (pairs->origin_count < pairs->origin_room)
    return true;
  size_t count = pairs->origin_count, room = 2 * pairs->origin_room + 2;
  if (count > 0) {
    uint16_t *numbers = malloc(count * (sizeof *numbers + sizeof(bool)));
    if (!numbers)
      return false;
    clean_origins(pairs, numbers);
    free(numbers);
    if (pairs->origin_count <= pairs->origin_room / 2)
      return true;
  }
  if (room > UINT16_MAX)
    return pairs->origin_count < pairs->origin_room;
  history_origin *larger = realloc(pairs->origins, room * sizeof *larger);
  if (!larger)
    return false;
  pairs->origins = larger;
  pairs->origin_room = room;
  return true;
}

/* The number of a friction and a model, from the newest to the oldest */
static bool find_origin(jager_pairs *pairs, double friction, uint8_t model, uint16_t *number)
{
  for (size_t i = pairs->origin_count; i-- > 0;)
    if (double_bits(pairs->origins[i].friction) == double_bits(friction) && pairs->origins[i].model == model) {
      *number = (uint16_t)i;
      return true;
    }
  if (!reserve_origin(pairs))
    return false;
  *number = (uint16_t)pairs->origin_count;
  pairs->origins[pairs->origin_count++] = (history_origin){friction, model};
  return true;
}

/* ---- Contacts begin and end -------------------------------------------------------------------------------------- */

/* Gives a contact, whose history lies in the pool of the pairs, a number. False: no memory. */
static bool put_contact(jager_pairs *pairs, const contact_data *c, const double branch[3], const double axis[3],
                        uint32_t *number)
{
  uint16_t with;
  if (!find_origin(pairs, c->friction, c->model, &with))
    return false;
  uint32_t taken = take_number(pairs);
  if (taken == JAGER_NONE)
    return false;
  pair_record *record = &pairs->records[taken];
  jager_record_set(record, c, with);
  memcpy(record->branch, branch, sizeof record->branch);
  memcpy(record->axis, axis, sizeof record->axis);
  *number = taken;
  return true;
}

static jager_vec3 pairs_vec3(const double v[3])
{
  return (jager_vec3){v[0], v[1], v[2]};
}

/*
 * The gap before the step tells which part of its movement counts. Of particles that overlapped already, or whose past
 * is not known, only rotations count in the first step.
 */
jager_status jager_pairs_begin(jager_pairs *pairs, const jager_law *law, double radius_p, double radius_q,
                               const double branch[3], const double before[3], uint32_t *number)
{
  if (!pairs || !law || !branch || !number)
    return JAGER_ERROR_NULL;
  jager_vec3 from = pairs_vec3(before ? before : branch);
  double distance = jager_vec3_length(from), gap = distance - (radius_p + radius_q);
  if (!(gap > 0.0)) {
    from = pairs_vec3(branch);
    distance = jager_vec3_length(from);
  }
  if (!(distance > 0.0 && distance <= JAGER_XI_MAX))
    return JAGER_ERROR_DIRECTION;
  jager_vec3 across = jager_vec3_across(jager_vec3_scale(1.0 / distance, from));
  jager_contact contact = {0};
  jager_status status = jager_contact_init(&contact, law, radius_p, radius_q);
  if (status == JAGER_OK && gap > 0.0)
    status = jager_contact_move(law, pairs->pool, &contact, -0.5 * gap, (double[2]){0.0, 0.0}, NULL);
  if (status != JAGER_OK)
    return status;
  const double place[3] = {from.x, from.y, from.z}, axis[3] = {across.x, across.y, across.z};
  return put_contact(pairs, data_of(&contact), place, axis, number) ? JAGER_OK : JAGER_ERROR_MEMORY;
}

void jager_pairs_end(jager_pairs *pairs, uint32_t number)
{
  if (!pairs || !pairs_has(pairs, number))
    return;
  contact_data c;
  jager_record_view(pairs, &pairs->records[number], &c);
  jager_history_free_nodes(pairs->pool, c.node, NULL);
  give_number(pairs, number);
}

jager_status jager_pairs_arrange(jager_pairs *pairs, const uint32_t *order, size_t count)
{
  if (!pairs || (count > 0 && !order))
    return JAGER_ERROR_NULL;
  size_t room = count + count / ROOM_SHARE + ROOM_MIN;
  if (room >= JAGER_NONE)
    return JAGER_ERROR_MEMORY;
  pair_record *records = aligned_alloc(RECORD_LINE, room * sizeof *records);
  uint32_t *numbers = malloc(room * sizeof *numbers);
  jager_status status = records && numbers ? JAGER_OK : JAGER_ERROR_MEMORY;
  for (size_t k = 0; status == JAGER_OK && k < count; k++)
    if (pairs_has(pairs, order[k])) {
      records[k] = pairs->records[order[k]];
      pairs->records[order[k]].shape = RECORD_FREE; /* found again if it occurs twice */
    } else {
      while (k-- > 0)
        pairs->records[order[k]].shape = records[k].shape;
      status = JAGER_ERROR_CAPACITY;
      break;
    }
  if (status != JAGER_OK) {
    free(records);
    free(numbers);
    return status;
  }
  for (size_t i = 0; i < pairs->count; i++)
    jager_pairs_end(pairs, (uint32_t)i);
  free(pairs->records);
  free(pairs->free);
  pairs->records = records;
  pairs->free = numbers;
  pairs->free_count = 0;
  pairs->count = count;
  pairs->room = room;
  return JAGER_OK;
}

/* ---- Single contacts --------------------------------------------------------------------------------------------- */

jager_status jager_pairs_view(const jager_pairs *pairs, uint32_t number, jager_contact *view)
{
  if (!pairs || !view)
    return JAGER_ERROR_NULL;
  if (!pairs_has(pairs, number))
    return JAGER_ERROR_UNINITIALISED;
  *view = (jager_contact){0};
  jager_record_view(pairs, &pairs->records[number], data_of(view));
  return JAGER_OK;
}

jager_status jager_pairs_frame(const jager_pairs *pairs, uint32_t number, double branch[3], double axis[3])
{
  if (!pairs || !branch || !axis)
    return JAGER_ERROR_NULL;
  if (!pairs_has(pairs, number))
    return JAGER_ERROR_UNINITIALISED;
  memcpy(branch, pairs->records[number].branch, 3 * sizeof *branch);
  memcpy(axis, pairs->records[number].axis, 3 * sizeof *axis);
  return JAGER_OK;
}

/* The contact holds nodes of the pairs' pool, which go back if there is no memory for its record. */
static jager_status put_or_forget(jager_pairs *pairs, jager_contact *contact, const double branch[3],
                                  const double axis[3], uint32_t *number)
{
  if (put_contact(pairs, data_of(contact), branch, axis, number))
    return JAGER_OK;
  jager_contact_release(pairs->pool, contact);
  return JAGER_ERROR_MEMORY;
}

jager_status jager_pairs_add(jager_pairs *pairs, const jager_contact *contact, const double branch[3],
                             const double axis[3], uint32_t *number)
{
  if (!pairs || !contact || !branch || !axis || !number)
    return JAGER_ERROR_NULL;
  if (data_of_const(contact)->length == 0)
    return JAGER_ERROR_UNINITIALISED;
  jager_contact copy = {0};
  jager_status status = jager_contact_clone(contact, pairs->pool, &copy);
  return status == JAGER_OK ? put_or_forget(pairs, &copy, branch, axis, number) : status;
}

jager_status jager_pairs_unpack(jager_pairs *pairs, const jager_law *law, const void *bytes, size_t size, size_t *used,
                                const double branch[3], const double axis[3], uint32_t *number)
{
  if (!pairs || !branch || !axis || !number)
    return JAGER_ERROR_NULL;
  jager_contact contact = {0};
  jager_status status = jager_contact_unpack(law, pairs->pool, &contact, bytes, size, used);
  return status == JAGER_OK ? put_or_forget(pairs, &contact, branch, axis, number) : status;
}

jager_status jager_pairs_restiffen(jager_pairs *pairs, const jager_law *law, uint32_t number, double radius_p,
                                   double radius_q)
{
  jager_contact contact;
  jager_status status = jager_pairs_view(pairs, number, &contact);
  if (status == JAGER_OK)
    status = jager_contact_restiffen(law, &contact, radius_p, radius_q);
  if (status == JAGER_OK)
    jager_record_set(&pairs->records[number], data_of(&contact), pairs->records[number].origin);
  return status;
}

/* ---- Sweeps ------------------------------------------------------------------------------------------------------ */

static jager_status check_sweep(const jager_pairs *pairs, const jager_sweep *sweep)
{
  if (!pairs || !sweep || !sweep->laws || (sweep->count > 0 && (!sweep->particles || !sweep->pairs || !sweep->loads)))
    return JAGER_ERROR_NULL;
  for (size_t i = 0; i < sweep->law_count; i++) {
    jager_status status = jager_law_check(&sweep->laws[i]);
    if (status != JAGER_OK)
      return status;
  }
  return JAGER_OK;
}

static double interleaved_total(const double part[4])
{
  return (part[0] + part[1]) + (part[2] + part[3]);
}

static void set_sums(jager_sums *sums, const pair_sweep *s)
{
  *sums = (jager_sums){.viscous = s->viscous, .seconds = s->seconds, .contacts = s->contacts, .ended = s->ended};
  for (int i = 0; i < 6; i++)
    sums->virial[i] = interleaved_total(s->virial[i]);
  sums->tangential_work = interleaved_total(s->tangential_work);
  sums->normal_force = interleaved_total(s->normal_force);
  for (int lane = 0; lane < 4; lane++)
    sums->overlap = fmax(sums->overlap, 2.0 * s->overlap[lane]);
}

/* The pairs from s->next on that have the same law */
static jager_status begin_group(pair_sweep *s)
{
  const jager_sweep *sweep = s->sweep;
  uint16_t number = sweep->pairs[s->next].law;
  if (number >= sweep->law_count)
    return JAGER_ERROR_CAPACITY;
  s->law = &sweep->laws[number];
  s->dashpot = sweep->dashpots ? &sweep->dashpots[number] : NULL;
  for (s->end = s->next + 1; s->end < sweep->count && sweep->pairs[s->end].law == number;)
    s->end++;
  return find_origin(s->pairs, s->law->friction, (uint8_t)s->law->model, &s->origin) ? JAGER_OK : JAGER_ERROR_MEMORY;
}

jager_status jager_pairs_move(jager_pairs *pairs, const jager_sweep *sweep, jager_sums *sums, size_t *failed)
{
  pair_sweep s = {.sweep = sweep, .pairs = pairs};
  jager_status status = check_sweep(pairs, sweep);
  if (failed)
    *failed = 0;
  while (status == JAGER_OK && s.next < sweep->count) {
    s.failed = s.next;
    status = begin_group(&s);
    if (status == JAGER_OK)
      status = pairs->kernel->move_pairs(&s);
  }
  if (status != JAGER_OK) {
    if (failed)
      *failed = s.failed;
    return status;
  }
  if (sums)
    set_sums(sums, &s);
  return JAGER_OK;
}
