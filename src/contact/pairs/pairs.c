/* SPDX-License-Identifier: MIT */
/* The contacts of many pairs: their memory, beginning and ending, sweeps over them. */
#include "contact/lanes/lanes.h"
#include "contact/step.h"

enum { ROOM_MIN = 8, ROOM_SHARE = 32 }; /* room for so many more contacts, or this share */

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* Everything is taken from the pool of the histories: one allocator, one limit, one count of bytes. */
static size_t array_bytes(size_t count, size_t size)
{
  return (count * size + POOL_LINE - 1) / POOL_LINE * POOL_LINE;
}

static void *take_array(jager_pairs *pairs, size_t count, size_t size)
{
  return jager_pool_take_memory(pairs->pool, array_bytes(count, size));
}

static void give_array(jager_pairs *pairs, void *array, size_t count, size_t size)
{
  if (array)
    jager_pool_give_memory(pairs->pool, array, array_bytes(count, size));
}

jager_pairs *jager_pairs_create(size_t byte_limit)
{
  return jager_pairs_create_with(byte_limit, NULL);
}

jager_pairs *jager_pairs_create_with(size_t byte_limit, const jager_allocator *allocator)
{
  jager_pool *pool = jager_pool_create_with(byte_limit, allocator);
  jager_pairs *pairs = pool ? jager_pool_take_memory(pool, array_bytes(1, sizeof *pairs)) : NULL;
  if (!pairs) {
    jager_pool_destroy(pool);
    return NULL;
  }
  *pairs = (jager_pairs){.pool = pool, .kernel = jager_lane_kernel(0), .free = JAGER_NONE};
  return pairs;
}

void jager_pairs_destroy(jager_pairs *pairs)
{
  if (!pairs)
    return;
  jager_pool *pool = pairs->pool;
  give_array(pairs, pairs->records, pairs->room, sizeof *pairs->records);
  give_array(pairs, pairs->origins, pairs->origin_room, sizeof *pairs->origins);
  jager_pool_give_memory(pool, pairs, array_bytes(1, sizeof *pairs));
  jager_pool_destroy(pool);
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
  return pairs ? jager_pool_bytes(pairs->pool) : 0;
}

size_t jager_pairs_bytes_in_use(const jager_pairs *pairs)
{
  return pairs ? jager_pool_bytes_in_use(pairs->pool) : 0;
}

/* Memory for `room` records, which begin on a cache line; NULL: there is none. */
static pair_record *take_records(jager_pairs *pairs, size_t room)
{
  return room < JAGER_NONE ? take_array(pairs, room, sizeof(pair_record)) : NULL;
}

/* Replaces the records by an array with room for so many. */
static void set_records(jager_pairs *pairs, pair_record *records, size_t room)
{
  give_array(pairs, pairs->records, pairs->room, sizeof *records);
  pairs->records = records;
  pairs->room = room;
}

/* Makes room for one more record. The records stay as they are if there is no memory. */
static bool reserve_record(jager_pairs *pairs)
{
  const size_t room = pairs->room + pairs->room / ROOM_SHARE + ROOM_MIN;
  if (pairs->count < pairs->room)
    return true;
  pair_record *records = take_records(pairs, room);
  if (!records)
    return false;
  if (pairs->count > 0)
    memcpy(records, pairs->records, pairs->count * sizeof *records);
  set_records(pairs, records, room);
  return true;
}

/* A number for a new contact; JAGER_NONE: there is no memory. */
static uint32_t take_number(jager_pairs *pairs)
{
  const uint32_t number = pairs->free;
  if (number != JAGER_NONE) {
    pairs->free = pairs->records[number].node;
    return number;
  }
  if (!reserve_record(pairs))
    return JAGER_NONE;
  pairs->records[pairs->count].shape = RECORD_FREE;
  return (uint32_t)pairs->count++;
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
    uint16_t *numbers = take_array(pairs, count, sizeof *numbers + sizeof(bool));
    if (!numbers)
      return false;
    clean_origins(pairs, numbers);
    give_array(pairs, numbers, count, sizeof *numbers + sizeof(bool));
    if (pairs->origin_count <= pairs->origin_room / 2)
      return true;
  }
  if (room > UINT16_MAX)
    return pairs->origin_count < pairs->origin_room;
  history_origin *larger = take_array(pairs, room, sizeof *larger);
  if (!larger)
    return false;
  if (pairs->origin_count > 0)
    memcpy(larger, pairs->origins, pairs->origin_count * sizeof *larger);
  give_array(pairs, pairs->origins, pairs->origin_room, sizeof *larger);
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

/* ---- Records as contacts ----------------------------------------------------------------------------------------- */

/* check_movement reads neither length nor node, beyond that there is a history. */
jager_status jager_record_check(const jager_pairs *pairs, const pair_record *record, const jager_law *law, double zeta,
                                const double dxi[2])
{
  contact_data c;
  c.length = 1;
  c.model = pairs->origins[record->origin].model;
  return check_movement(law, pairs->pool, &c, zeta, dxi);
}

/*
 * A record and a contact begin with the same core. So the record itself becomes the contact during the movement; only
 * the bytes behind the core are saved and restored. A copy of the whole would wait for the stores of the movement: 6 %
 * of a step was measured with the comparison law hertz-mindlin, which moves every contact this way.
 */
typedef struct contact_tail {
  double friction;
  history_node *node;
  uint32_t length;
  uint8_t fill, state, model, points_since_shortening;
} contact_tail;

enum { TAIL_AT = offsetof(contact_data, friction), TAIL_BYTES = sizeof(contact_data) - TAIL_AT };
_Static_assert(sizeof(contact_tail) == TAIL_BYTES &&
                   offsetof(contact_tail, node) == offsetof(contact_data, node) - TAIL_AT &&
                   offsetof(contact_tail, points_since_shortening) ==
                       offsetof(contact_data, points_since_shortening) - TAIL_AT,
               "a contact is a core and this");

static contact_tail tail_of(const jager_pairs *pairs, const pair_record *record)
{
  const history_origin *of = &pairs->origins[record->origin];
  unsigned segments = record->shape >> SHAPE_SEGMENTS & 3u, fill = record->shape >> SHAPE_FILL;
  history_node *node = record->node == NO_NODE ? NULL : pool_node(pairs->pool, record->node);
  return (contact_tail){.friction = of->friction,
                        .node = node,
                        .length = node ? node->entries_below + fill + 3 : segments + 1,
                        .fill = (uint8_t)fill,
                        .state = record->shape & 3u,
                        .model = of->model,
                        .points_since_shortening = record->points};
}

static void set_tail(pair_record *record, const contact_tail *tail, uint16_t origin)
{
  record->node = tail->node ? tail->node->number : NO_NODE;
  record->shape = shape_of(tail->state, tail->length > 2 ? 2 : tail->length - 1, tail->fill);
  record->points = tail->points_since_shortening;
  record->origin = origin;
}

void jager_record_view(const jager_pairs *pairs, const pair_record *record, contact_data *view)
{
  contact_tail tail = tail_of(pairs, record);
  memcpy(view, record->core, sizeof record->core);
  memcpy((char *)view + TAIL_AT, &tail, TAIL_BYTES);
}

void jager_record_set(pair_record *record, const contact_data *c, uint16_t origin)
{
  contact_tail tail;
  memcpy(&tail, (const char *)c + TAIL_AT, TAIL_BYTES);
  memcpy(record->core, c, sizeof record->core);
  set_tail(record, &tail, origin);
}

jager_status jager_record_move(jager_pairs *pairs, pair_record *record, const jager_law *law, uint16_t origin,
                               double zeta, const double dxi[2], jager_force *before, jager_force *force)
{
  jager_contact *contact = (jager_contact *)(void *)record;
  char aside[TAIL_BYTES], *behind = (char *)record + TAIL_AT;
  contact_tail tail = tail_of(pairs, record);
  memcpy(aside, behind, TAIL_BYTES);
  memcpy(behind, &tail, TAIL_BYTES);
  *before = force_of(data_of(contact));
  jager_status status = jager_contact_move(contact, law, pairs->pool, zeta, dxi, force);
  memcpy(&tail, behind, TAIL_BYTES);
  memcpy(behind, aside, TAIL_BYTES);
  if (status == JAGER_OK)
    set_tail(record, &tail, origin);
  return status;
}

bool jager_record_shorten(jager_pairs *pairs, pair_record *record, const jager_law *law, jager_force *force)
{
  if (record->points < GROWTH_MAX)
    return false;
  contact_data c;
  jager_record_view(pairs, record, &c);
  shorten_if_due(law, pairs->pool, &c);
  *force = force_of(&c);
  jager_record_set(record, &c, record->origin);
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
 * The gap before the step determines which part of its movement counts. If the particles already overlapped, or their
 * past is not known, only rotations count in the first step.
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
    status = jager_contact_move(&contact, law, pairs->pool, -0.5 * gap, (double[2]){0.0, 0.0}, NULL);
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
  pairs->records[number].shape = RECORD_FREE;
  pairs->records[number].node = pairs->free;
  pairs->free = number;
}

jager_status jager_pairs_arrange(jager_pairs *pairs, const uint32_t *order, size_t count)
{
  if (!pairs || (count > 0 && !order))
    return JAGER_ERROR_NULL;
  const size_t room = count + count / ROOM_SHARE + ROOM_MIN;
  pair_record *records = take_records(pairs, room);
  if (!records)
    return JAGER_ERROR_MEMORY;
  jager_status status = JAGER_OK;
  for (size_t k = 0; status == JAGER_OK && k < count; k++)
    if (pairs_has(pairs, order[k])) {
      records[k] = pairs->records[order[k]];
      pairs->records[order[k]].shape = RECORD_FREE; /* a pair that occurs twice is found again */
    } else {
      while (k-- > 0)
        pairs->records[order[k]].shape = records[k].shape;
      status = JAGER_ERROR_CAPACITY;
      break;
    }
  if (status != JAGER_OK) {
    give_array(pairs, records, room, sizeof *records);
    return status;
  }
  for (size_t i = 0; i < pairs->count; i++)
    jager_pairs_end(pairs, (uint32_t)i);
  set_records(pairs, records, room);
  pairs->free = JAGER_NONE;
  pairs->count = count;
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

jager_status jager_pairs_stored(const jager_pairs *pairs, const jager_law *law, uint32_t number, jager_energy *energy)
{
  jager_contact view;
  jager_status status = jager_pairs_view(pairs, number, &view);
  return status == JAGER_OK ? jager_contact_stored(&view, law, pairs->pool, energy) : status;
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
  jager_contact_release(contact, pairs->pool);
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
  jager_status status = jager_contact_unpack(&contact, law, pairs->pool, bytes, size, used);
  return status == JAGER_OK ? put_or_forget(pairs, &contact, branch, axis, number) : status;
}

jager_status jager_pairs_restiffen(jager_pairs *pairs, const jager_law *law, uint32_t number, double radius_p,
                                   double radius_q)
{
  jager_contact contact;
  jager_status status = jager_pairs_view(pairs, number, &contact);
  if (status == JAGER_OK)
    status = jager_contact_restiffen(&contact, law, radius_p, radius_q);
  if (status == JAGER_OK)
    jager_record_set(&pairs->records[number], data_of(&contact), pairs->records[number].origin);
  return status;
}

/* ---- Sweeps ------------------------------------------------------------------------------------------------------ */

/* Callers that were compiled with 1.0 have sweeps that end before the accounts. */
enum { SWEEP_KNOWN = offsetof(jager_sweep, accounts), SWEEP_ALIGN = _Alignof(jager_sweep) };
enum { SWEEP_SIZE_1_0 = (SWEEP_KNOWN + SWEEP_ALIGN - 1) / SWEEP_ALIGN * SWEEP_ALIGN };

static jager_status complete_sweep(const jager_sweep *given, jager_sweep *sweep)
{
  if (!given)
    return JAGER_ERROR_NULL;
  const bool is_old = given->size == SWEEP_SIZE_1_0;
  if (!is_old && given->size != sizeof *sweep)
    return JAGER_ERROR_LAYOUT;
  *sweep = jager_sweep_default();
  memcpy(sweep, given, is_old ? SWEEP_KNOWN : sizeof *sweep);
  return JAGER_OK;
}

static jager_status check_sweep(const jager_pairs *pairs, const jager_sweep *sweep)
{
  if (!pairs)
    return JAGER_ERROR_NULL;
  if (!sweep->laws || (sweep->count > 0 && (!sweep->particles || !sweep->pairs || !sweep->loads)))
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
  *sums =
      (jager_sums){.viscous = s->viscous, .account_work = s->account_work, .contacts = s->contacts, .ended = s->ended};
  for (int i = 0; i < 6; i++)
    sums->virial[i] = interleaved_total(s->virial[i]);
  sums->tangential_work = interleaved_total(s->tangential_work);
  sums->normal_force = interleaved_total(s->normal_force);
  for (int lane = 0; lane < 4; lane++)
    sums->overlap = fmax(sums->overlap, 2.0 * s->overlap[lane]);
}

/* The pairs from s->next on that have the same law: move_pairs finds where they end. */
static jager_status begin_group(pair_sweep *s)
{
  const jager_sweep *sweep = s->sweep;
  uint16_t number = sweep->pairs[s->next].law;
  if (number >= sweep->law_count)
    return JAGER_ERROR_CAPACITY;
  s->law = &sweep->laws[number];
  s->law_number = number;
  s->dashpot = sweep->dashpots ? &sweep->dashpots[number] : NULL;
  s->end = sweep->count;
  return find_origin(s->pairs, s->law->friction, (uint8_t)s->law->model, &s->origin) ? JAGER_OK : JAGER_ERROR_MEMORY;
}

jager_status jager_pairs_move(jager_pairs *pairs, const jager_sweep *sweep, jager_sums *sums, size_t *failed)
{
  jager_sweep complete;
  pair_sweep s = {.sweep = &complete, .pairs = pairs};
  jager_status status = complete_sweep(sweep, &complete);
  if (status == JAGER_OK)
    status = check_sweep(pairs, &complete);
  if (failed)
    *failed = 0;
  while (status == JAGER_OK && s.next < complete.count) {
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
