/* SPDX-License-Identifier: MIT */
/*
 * The fields of a checkpoint: tables that drive both writing and reading.
 *
 * A new field goes into one of these tables. If it has an influence on results, CHECKPOINT_FORMAT must rise with it: a
 * program that does not know the field skips it, and would continue to other bits without a word. A field without such
 * influence may be added to the same format. It must then be FIELD_OPTIONAL, so that old files stay readable: the
 * member keeps the value that dem_simulation_allocate gives.
 */
#ifndef JAGER_DEM_CHECKPOINT_CHECKPOINT_FIELDS_H
#define JAGER_DEM_CHECKPOINT_CHECKPOINT_FIELDS_H

#include "checkpoint.h"
#include "dem/observe/trace.h"
#include "dem/space/contact_walk.h"
#include "dem/state.h"
#include "members.h"

/* A table and its number of entries. */
typedef struct member_table {
  const member *list;
  size_t count;
} member_table;

/* Of dem_simulation: the state beside spheres, contacts and traces. */
member_table dem_checkpoint_state_members(void);

/* Of dem_checkpoint_facts: the members that are no part of the state, and those that come from fields of the state. */
member_table dem_checkpoint_run_members(void);
member_table dem_checkpoint_shared_members(void);

/* Of dem_trace_life, and of dem_trace_sample. */
member_table dem_checkpoint_life_members(void);
member_table dem_checkpoint_sample_members(void);

/* The texts of a checkpoint. */
#define FIELD_VERSION "run.version"
#define FIELD_COMPILER "run.compiler"
#define FIELD_FLAGS "run.flags"
#define FIELD_INPUT "run.input"
#define FIELD_KEYS "case.keys"
#define FIELD_MODEL "contact.model"

/* ---- Columns: one field has a value of every sphere, or of every contact ----------------------------------------- */

/* The arrays of a simulation that hold the values of spheres, and the structs that hold those of a contact. */
typedef enum column_source {
  COLUMN_ID,
  COLUMN_BODY,
  COLUMN_MOTION,
  COLUMN_LOAD,
  COLUMN_CONTACT_WALK,
  COLUMN_TRACE,
  COLUMN_FRAME,
  COLUMN_WRENCH
} column_source;

typedef struct column {
  const char *name;
  column_source source;
  field_type type;
  size_t offset; /* in an element of the source */
  size_t values; /* of a sphere or a contact */
} column;

enum { SPHERE_COLUMNS = 9, CONTACT_COLUMNS = 4 };
extern const column dem_sphere_columns[SPHERE_COLUMNS];
extern const column dem_contact_columns[CONTACT_COLUMNS]; /* the first is the pair p, q */

/* Beside these, each contact has its packed history: the bytes of all contacts in one field, their sizes in another. */
#define FIELD_PACKED "contacts.packed"
#define FIELD_PACKED_SIZE "contacts.packed_size"

/* For each slot of the traces: is there a life? The other fields of traces have values of these lives only. */
#define FIELD_TRACE_PRESENT "traces.present"

static inline size_t column_value_bytes(const column *c)
{
  return c->values * dem_field_type_size(c->type);
}

/* Values of sphere i. */
static inline void *sphere_values(const dem_simulation *s, size_t i, const column *c)
{
  switch (c->source) {
  case COLUMN_ID:
    return (char *)&s->ids[i] + c->offset;
  case COLUMN_BODY:
    return (char *)&s->bodies[i] + c->offset;
  case COLUMN_MOTION:
    return (char *)&s->motions[i] + c->offset;
  default:
    return (char *)&s->loads[i] + c->offset;
  }
}

/* Values of the present contact; NULL: an inner contact has no outer wrench. */
static inline void *contact_values(contact_walk *at, const column *c)
{
  switch (c->source) {
  case COLUMN_CONTACT_WALK:
    return (char *)at + c->offset;
  case COLUMN_TRACE:
    return (char *)at->trace + c->offset;
  case COLUMN_FRAME:
    return (char *)&at->frame + c->offset;
  default:
    return at->outer_wrench ? (char *)at->outer_wrench + c->offset : NULL;
  }
}

#endif
