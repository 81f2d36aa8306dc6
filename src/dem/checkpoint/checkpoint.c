/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints: tables of their fields, which drive both writing and reading.
 *
 * A new field goes into one of these tables. If it has an influence on results, CHECKPOINT_FORMAT must rise with it: a
 * program that does not know the field skips it, and would continue to other bits without a word. A field without such
 * influence may be added to the same format. It must then be FIELD_OPTIONAL, so that old files stay readable: the
 * member keeps the value that dem_simulation_allocate gives.
 *
 * Spheres are written in the order of the simulation, and contacts in the order of their spheres: sums then run in the
 * same order after reading. Neighbours are listed anew, which changes no result.
 */
#include "checkpoint.h"
#include "base/build_info.h"
#include "base/file_system.h"
#include "case_change.h"
#include "dem/case_keys.h"
#include "dem/measures.h"
#include "dem/trace.h"
#include "dem/setup.h"
#include "dem/contacts.h"
#include "dem/grains.h"
#include "dem/neighbours.h"
#include "dem/simulation_state.h"
#include "dem/step.h"
#include "field_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The texts of a checkpoint. */
#define FIELD_VERSION "run.version"
#define FIELD_COMPILER "run.compiler"
#define FIELD_FLAGS "run.flags"
#define FIELD_INPUT "run.input"
#define FIELD_KEYS "case.keys"
#define FIELD_MODEL "contact.model"

/* clang-format off */
#define TABLE(list) {(list), sizeof(list) / sizeof *(list)}
/* clang-format on */

/* ---- Fields: the state ------------------------------------------------------------------------------------------- */

#define STATE(member) MEMBER(dem_simulation, #member, member, FIELD_REQUIRED)
#define STATE_OPTIONAL(member) MEMBER(dem_simulation, #member, member, FIELD_OPTIONAL)
#define STATE_ARRAY(member) MEMBER_ARRAY(dem_simulation, #member, member, FIELD_REQUIRED)
/* NOLINTBEGIN(bugprone-macro-parentheses): a designator of a member cannot have parentheses */
#define STATE_MATRIX(member)                                                                                           \
  MEMBER_VALUES(dem_simulation, #member, member.xx, sizeof(upper_matrix) / sizeof(double), sizeof(double),             \
                FIELD_REQUIRED)
/* NOLINTEND(bugprone-macro-parentheses) */
#define STATE_SERVOS(field_name, member)                                                                               \
  MEMBER_VALUES(dem_simulation, field_name, stage.servos[0].member, SERVOS, sizeof(servo), FIELD_REQUIRED)

#define DOUBLES(type) (sizeof(type) / sizeof(double))
/* Structs of doubles, in the order of their members. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */
#define STATE_LOOP(name, first, number)                                                                                \
  MEMBER_VALUES(dem_simulation, "stage.cycles.loop." #name, stage.cycles.loop.first, number, sizeof(double),           \
                FIELD_REQUIRED)
/* NOLINTEND(bugprone-macro-parentheses) */

static const member state_members[] = {
    STATE(step),
    STATE(time),
    STATE(dt),
    STATE(dt_before),
    STATE_MATRIX(cell),
    STATE_MATRIX(cell_before),
    STATE_ARRAY(strain),
    STATE_ARRAY(increment),
    STATE_MATRIX(movement),
    STATE_ARRAY(virial),
    STATE(modulus),
    STATE(overlap),
    STATE(overlap_known),
    STATE(unbalanced),
    STATE(contact_count),
    STATE(stage_just_ended),
    STATE_OPTIONAL(just_reversed),
    STATE_OPTIONAL(just_finished_cycle),
    STATE_OPTIONAL(just_liquefied),
    STATE(damping.viscous),
    STATE(damping.local),
    STATE(damping.global),
    STATE(law.friction),
    STATE(law.linear_kn),
    STATE(stage.number),
    STATE(stage.steps),
    STATE(stage.time),
    STATE_ARRAY(stage.strain_start),
    STATE_ARRAY(stage.start),
    STATE(stage.direction),
    STATE(stage.side),
    STATE(stage.reversals),
    STATE(stage.phase),
    STATE(stage.pace.factor),
    STATE(stage.pace.mean_factor),
    STATE_ARRAY(stage.pace.mean_increment),
    STATE_ARRAY(stage.reference),
    STATE(stage.friction_start),
    STATE(stage.damping_start),
    STATE(stage.cycles.finished),
    STATE(stage.cycles.done),
    STATE_ARRAY(stage.cycles.low),
    STATE_ARRAY(stage.cycles.high),
    STATE_ARRAY(stage.cycles.low_before),
    STATE_ARRAY(stage.cycles.high_before),
    STATE(stage.cycles.p_min),
    STATE(stage.cycles.strain_low),
    STATE(stage.cycles.strain_high),
    STATE(stage.cycles.peaks_before),
    STATE(stage.cycles.has_liquefied),
    STATE(stage.cycles.loop.strain),
    STATE(stage.cycles.loop.stress),
    STATE_LOOP(now, now.area, DOUBLES(loop_half)),
    STATE_LOOP(before, before.area, DOUBLES(loop_half)),
    STATE_LOOP(peaks, peaks[0].strain, 3 * DOUBLES(loop_peak)),
    STATE(stage.cycles.loop.peak_count),
    STATE(stage.cycles.loop.starts_at_peak),
    STATE(stage.cycles.loop.is_closed),
    STATE_LOOP(closed, closed.strain_amplitude, DOUBLES(loop_values)),
    STATE_SERVOS("stage.servo_integral", integral),
    STATE_SERVOS("stage.servo_start", start),
    STATE_OPTIONAL(stage.servo_error),
    STATE(steering.weight),
    STATE(steering.pushes),
    STATE(search.phase),
    STATE(search.level),
    STATE(search.steps),
    STATE(search.report.trials),
    STATE(search.report.target),
    STATE(search.report.loosest),
    STATE(search.report.densest),
    STATE(search.report.friction),
    STATE(search.report.void_ratio),
    STATE(energy.work),
    STATE(energy.gravity_work),
    STATE(energy.damped),
    STATE(energy.tangential_work),
    STATE(energy.open),
    STATE(energy.kinetic_start),
    STATE(energy.normal_start),
    STATE(energy.tangential_start),
};

static const member_table state_table = TABLE(state_members);

/* ---- Fields: the run --------------------------------------------------------------------------------------------- */

#define RUN(field_name, member, need) MEMBER(dem_checkpoint_facts, field_name, member, need)

/* Of dem_checkpoint_facts: members that are no part of the state, */
static const member run_members[] = {
    RUN("run.stage_count", stage_count, FIELD_REQUIRED),
    RUN("run.series_bytes", series_bytes, FIELD_REQUIRED),
    RUN("run.cycles_bytes", cycles_bytes, FIELD_REQUIRED),
    RUN("run.seconds", seconds, FIELD_OPTIONAL),
    RUN("run.threads", threads, FIELD_OPTIONAL),
    RUN("run.seed", seed, FIELD_OPTIONAL),
    RUN("material.shear_modulus", material.shear_modulus, FIELD_OPTIONAL),
    RUN("material.poisson", material.poisson, FIELD_OPTIONAL),
    RUN("material.friction", material.friction, FIELD_OPTIONAL),
    RUN("material.density", material.density, FIELD_OPTIONAL),
};

static const member_table run_table = TABLE(run_members);

/* and those that come from fields of the state. */
static const member shared_members[] = {
    RUN("step", step, FIELD_REQUIRED),
    RUN("time", time, FIELD_REQUIRED),
    RUN("stage.number", stage, FIELD_REQUIRED),
    RUN("contact_count", contacts, FIELD_REQUIRED),
};

static const member_table shared_table = TABLE(shared_members);

/* ---- Fields: traces ---------------------------------------------------------------------------------------------- */

#define LIFE(member) MEMBER(dem_trace_life, "traces." #member, member, FIELD_REQUIRED)
#define LIFE_ARRAY(member) MEMBER_ARRAY(dem_trace_life, "traces." #member, member, FIELD_REQUIRED)

static const member life_members[] = {
    LIFE(request), LIFE_ARRAY(ids), LIFE(birth), LIFE(death), LIFE(strain), LIFE_ARRAY(xi), LIFE(count),
};

static const member_table life_table = TABLE(life_members);

#define SAMPLE(field, unit, meaning) MEMBER(dem_trace_sample, "traces.sample." #field, field, FIELD_REQUIRED),
static const member sample_members[] = {DEM_TRACE_LIST(SAMPLE)};

static const member_table sample_table = TABLE(sample_members);

/* ---- Fields: columns, with a value of every sphere or of every contact ------------------------------------------- */

/* The arrays of a simulation with a value for each sphere or grain, and the structs with the values of a contact. */
typedef enum column_source {
  COLUMN_ID,
  COLUMN_BODY,
  COLUMN_MOTION,
  COLUMN_LOAD,
  COLUMN_ARM,
  COLUMN_CLUMP,
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
  size_t values; /* of a sphere, a grain or a contact */
} column;

static const column sphere_columns[] = {
    {"spheres.radius", COLUMN_BODY, FIELD_F64, offsetof(jager_particle, radius), 1},
    {"spheres.id", COLUMN_ID, FIELD_U32, 0, 1},
    {"spheres.mass", COLUMN_BODY, FIELD_F64, offsetof(jager_particle, mass), 1},
    {"spheres.position", COLUMN_BODY, FIELD_F64, offsetof(jager_particle, x), 3},
    {"spheres.rotation", COLUMN_BODY, FIELD_F64, offsetof(jager_particle, rotation), 3},
    {"spheres.velocity", COLUMN_MOTION, FIELD_F64, offsetof(motion, v), 3},
    {"spheres.angular_velocity", COLUMN_MOTION, FIELD_F64, offsetof(motion, w), 3},
    {"spheres.force", COLUMN_LOAD, FIELD_F64, offsetof(jager_wrench, force), 3},
    {"spheres.torque", COLUMN_LOAD, FIELD_F64, offsetof(jager_wrench, torque), 3},
};
enum { SPHERE_COLUMNS = sizeof sphere_columns / sizeof *sphere_columns };

/*
 * Of grains of several spheres; the first is their number of spheres. Spheres then have arms, too. A program of the
 * same format that skips them takes the spheres of a grain for loose ones: they overlap beyond the limit, if they do
 * not just touch, and its run fails.
 */
static const column grain_columns[] = {
    {"grains.spheres", COLUMN_CLUMP, FIELD_U32, offsetof(clump, count), 1},
    {"grains.id", COLUMN_CLUMP, FIELD_U32, offsetof(clump, id), 1},
    {"grains.shape", COLUMN_CLUMP, FIELD_U32, offsetof(clump, shape), 1},
    {"grains.position", COLUMN_CLUMP, FIELD_F64, offsetof(clump, x), 3},
    {"grains.rotation", COLUMN_CLUMP, FIELD_F64, offsetof(clump, turn), 4},
    {"grains.velocity", COLUMN_CLUMP, FIELD_F64, offsetof(clump, v), 3},
    {"grains.angular_momentum", COLUMN_CLUMP, FIELD_F64, offsetof(clump, momentum), 3},
    {"grains.mass", COLUMN_CLUMP, FIELD_F64, offsetof(clump, mass), 1},
    {"grains.gyration", COLUMN_CLUMP, FIELD_F64, offsetof(clump, gyration), 3},
    {"grains.radius", COLUMN_CLUMP, FIELD_F64, offsetof(clump, radius), 1},
    {"grains.extent", COLUMN_CLUMP, FIELD_F64, offsetof(clump, extent), 1},
};
enum { GRAIN_COLUMNS = sizeof grain_columns / sizeof *grain_columns };

static const column arm_column = {"spheres.arm", COLUMN_ARM, FIELD_F64, 0, 3};

/* The first is the pair p, q. */
static const column contact_columns[] = {
    {"contacts.pair", COLUMN_CONTACT_WALK, FIELD_U32, offsetof(contact_walk, p), 2},
    {"contacts.trace", COLUMN_TRACE, FIELD_U32, 0, 1},
    {"contacts.frame", COLUMN_FRAME, FIELD_F64, 0, 8},
    {"contacts.outer_wrench", COLUMN_WRENCH, FIELD_F64, 0, 6},
};
enum { CONTACT_COLUMNS = sizeof contact_columns / sizeof *contact_columns };
_Static_assert(offsetof(contact_walk, q) == offsetof(contact_walk, p) + sizeof(uint32_t), "contacts.pair is p, q");
_Static_assert(offsetof(contact_frame, branch) == 0 && offsetof(contact_frame, axis) == 3 * sizeof(double) &&
                   offsetof(contact_frame, ft) == 6 * sizeof(double) && sizeof(contact_frame) == 8 * sizeof(double),
               "contacts.frame is branch, axis, Ft");
_Static_assert(offsetof(jager_wrench, force) == 0 && offsetof(jager_wrench, torque) == 3 * sizeof(double) &&
                   sizeof(jager_wrench) == 6 * sizeof(double),
               "contacts.outer_wrench is force, torque");

/* Beside these, each contact has its packed history: the bytes of all contacts in one field, their sizes in another. */
#define FIELD_PACKED "contacts.packed"
#define FIELD_PACKED_SIZE "contacts.packed_size"

/* For each slot of the traces: is there a life? The other fields of traces have values of these lives only. */
#define FIELD_TRACE_PRESENT "traces.present"

static size_t column_value_bytes(const column *c)
{
  return c->values * dem_field_type_size(c->type);
}

/* Values of sphere or grain i. */
static void *body_values(const dem_simulation *s, size_t i, const column *c)
{
  switch (c->source) {
  case COLUMN_ID:
    return (char *)&s->ids[i] + c->offset;
  case COLUMN_BODY:
    return (char *)&s->bodies[i] + c->offset;
  case COLUMN_MOTION:
    return (char *)&s->motions[i] + c->offset;
  case COLUMN_ARM:
    return (char *)&s->arms[i] + c->offset;
  case COLUMN_CLUMP:
    return (char *)&s->grains[i] + c->offset;
  default:
    return (char *)&s->loads[i] + c->offset;
  }
}

/* Values of the present contact; NULL: an inner contact has no outer wrench. */
static void *contact_values(contact_walk *at, const column *c)
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

struct dem_checkpoint {
  field_file file;
};

/* ---- Writing: the run and the state ------------------------------------------------------------------------------ */

static bool write_run(field_writer *w, const dem_simulation *s, const dem_checkpoint_notes *notes)
{
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
  dem_members_write(w, &run_table, &facts);
  free(keys);
  return true;
}

/* ---- Writing: spheres and contacts ------------------------------------------------------------------------------- */

/* A column of `count` spheres or grains */
static void write_column(field_writer *w, const dem_simulation *s, const column *c, size_t count)
{
  dem_field_begin(w, c->name, c->type, count * c->values);
  for (size_t i = 0; i < count; i++)
    dem_field_put(w, body_values(s, i, c), column_value_bytes(c));
  dem_field_end(w);
}

static void write_columns(field_writer *w, const dem_simulation *s)
{
  static const jager_wrench none;
  dem_clumps_find_motions(s);
  for (size_t k = 0; k < SPHERE_COLUMNS; k++)
    write_column(w, s, &sphere_columns[k], s->count);
  for (size_t k = 0; s->grains && k < GRAIN_COLUMNS; k++)
    write_column(w, s, &grain_columns[k], s->grain_count);
  if (s->grains)
    write_column(w, s, &arm_column, s->count);
  for (size_t k = 0; k < CONTACT_COLUMNS; k++) {
    const column *c = &contact_columns[k];
    dem_field_begin(w, c->name, c->type, s->contact_count * c->values);
    for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);) {
      const void *values = contact_values(&at, c);
      dem_field_put(w, values ? values : (const char *)&none + c->offset, column_value_bytes(c));
    }
    dem_field_end(w);
  }
}

/* The sizes of the packed contacts, then their bytes. */
static bool write_packed_contacts(field_writer *w, const dem_simulation *s)
{
  uint64_t total = 0;
  size_t largest = 0;
  dem_field_begin(w, FIELD_PACKED_SIZE, FIELD_U32, s->contact_count);
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);) {
    uint32_t size = (uint32_t)jager_contact_pack_size(&at.contact);
    largest = size > largest ? size : largest;
    total += size;
    dem_field_put(w, &size, sizeof size);
  }
  dem_field_end(w);
  void *bytes = malloc(largest + 1);
  if (!bytes)
    return false;
  bool done = true;
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

/* ---- Writing: traces --------------------------------------------------------------------------------------------- */

/* Which slots hold a life; then the lives, and their samples. */
static void write_traces(field_writer *w, const dem_trace_book *book)
{
  uint64_t lives = 0, samples = 0;
  dem_field_begin(w, FIELD_TRACE_PRESENT, FIELD_U8, dem_trace_book_size(book));
  for (size_t k = 0; k < dem_trace_book_size(book); k++) {
    const dem_trace_life *life = dem_trace_book_slot(book, k);
    uint8_t present = life != NULL;
    lives += present;
    samples += life ? life->count : 0;
    dem_field_put(w, &present, 1);
  }
  dem_field_end(w);
  for (size_t m = 0; m < life_table.count; m++) {
    const member *each = &life_table.list[m];
    dem_field_begin(w, each->name, dem_member_type(each), lives * each->count);
    for (size_t k = 0; k < dem_trace_book_size(book); k++)
      if (dem_trace_book_slot(book, k))
        dem_member_put(w, each, dem_trace_book_slot(book, k));
    dem_field_end(w);
  }
  for (size_t m = 0; m < sample_table.count; m++) {
    const member *each = &sample_table.list[m];
    dem_field_begin(w, each->name, dem_member_type(each), samples);
    for (size_t k = 0; k < dem_trace_book_size(book); k++) {
      const dem_trace_life *life = dem_trace_book_slot(book, k);
      for (size_t i = 0; life && i < life->count; i++)
        dem_member_put(w, each, &life->samples[i]);
    }
    dem_field_end(w);
  }
}

/* ---- Writing: the file ------------------------------------------------------------------------------------------- */

bool dem_checkpoint_print(const dem_simulation *s, FILE *stream, const dem_checkpoint_notes *notes)
{
  field_writer *w = malloc(sizeof *w);
  if (!w)
    return false;
  dem_field_writer_start(w, stream);
  bool is_written = write_run(w, s, notes);
  if (is_written) {
    dem_members_write(w, &state_table, s);
    write_columns(w, s);
    is_written = write_packed_contacts(w, s);
  }
  if (is_written && s->traces)
    write_traces(w, s->traces);
  is_written = is_written && dem_field_writer_finish(w);
  free(w);
  return is_written;
}

bool dem_checkpoint_write(const dem_simulation *s, const char *path, const char *previous,
                          const dem_checkpoint_notes *notes, error_info *error)
{
  if (s->traces && dem_trace_book_follower(s->traces))
    return error_set(error, "%s: a simulation whose contacts are followed cannot be written", path);
  whole_file file = {0};
  bool done = whole_file_open(&file, path) && dem_checkpoint_print(s, file.stream, notes) &&
              whole_file_finish_keeping(&file, previous);
  int reason = errno;
  whole_file_discard(&file);
  errno = reason;
  return done || (errno == ENOMEM ? error_set_memory : error_set)(error, "%s: cannot write the checkpoint: %s", path,
                                                                  strerror(errno));
}

/* ---- Reading: the file ------------------------------------------------------------------------------------------- */

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

/* ---- Reading: texts and the summary ------------------------------------------------------------------------------ */

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

/* The number of spheres, which is the number of radii; 0, with an error, if that is impossible. */
static size_t count_spheres(const dem_checkpoint *c, error_info *error)
{
  const char *name = sphere_columns[0].name;
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
  const field *of_grains;
  *facts = (dem_checkpoint_facts){.version = NULL};
  if (!read_text(c, FIELD_VERSION, FIELD_OPTIONAL, &facts->version, error) ||
      !read_text(c, FIELD_COMPILER, FIELD_OPTIONAL, &facts->compiler, error) ||
      !read_text(c, FIELD_FLAGS, FIELD_OPTIONAL, &facts->flags, error) ||
      !read_text(c, FIELD_MODEL, FIELD_OPTIONAL, &facts->model, error) ||
      (facts->spheres = count_spheres(c, error)) == 0)
    return false;
  if (!dem_field_find(&c->file, grain_columns[0].name, FIELD_U32, FIELD_ANY_COUNT, FIELD_OPTIONAL, &of_grains, error))
    return false;
  facts->grains = of_grains ? of_grains->count : 0;
  if (!dem_members_read(&c->file, &run_table, facts, error) || !dem_members_read(&c->file, &shared_table, facts, error))
    return false;
  return (facts->series_bytes >= 0 || refuse_value(c, "run.series_bytes", error)) &&
         (facts->cycles_bytes >= 0 || refuse_value(c, "run.cycles_bytes", error));
}

/* ---- Reading: the state ------------------------------------------------------------------------------------------ */

/* Finds a field; its numbers must be finite. */
static bool find_values(const dem_checkpoint *c, const char *name, field_type type, uint64_t count, field_need need,
                        const field **found, error_info *error)
{
  if (!dem_field_find(&c->file, name, type, count, need, found, error))
    return false;
  for (uint64_t k = 0; *found && type == FIELD_F64 && k < (*found)->count; k++) {
    double value;
    memcpy(&value, (*found)->values + k * sizeof value, sizeof value);
    if (!isfinite(value))
      return refuse_value(c, name, error);
  }
  return true;
}

/* The name of a field whose value, although finite, cannot be; NULL: there is none. */
static const char *find_impossible(const dem_simulation *s, int stage_count)
{
  const dem_damping *damping = &s->damping;
  jager_status status = jager_law_check(&s->law); /* the case gives the rest of the law */
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
  if (!dem_members_read(&c->file, &state_table, s, error))
    return false;
  for (size_t k = 0; k < state_table.count; k++) {
    const member *m = &state_table.list[k];
    const field *found;
    /* all numbers are finite, but for the error of the servo: it is relative to the target, which may be zero */
    if (m->offset != offsetof(dem_simulation, stage.servo_error) &&
        !find_values(c, m->name, dem_member_type(m), m->count, m->need, &found, error))
      return false;
  }
  const char *name = find_impossible(s, stage_count);
  return !name || refuse_value(c, name, error);
}

static uint32_t u32_at(const field *from, uint64_t k)
{
  uint32_t value;
  memcpy(&value, from->values + k * sizeof value, sizeof value);
  return value;
}

/* Numbers of spheres of the grains, to be freed; NULL with no grains: the spheres are the grains. False: an error. */
static bool read_layout(const dem_checkpoint *c, dem_layout *layout, uint32_t **counts, error_info *error)
{
  const char *name = grain_columns[0].name;
  const field *found;
  uint64_t sum = 0;
  *counts = NULL;
  *layout = (dem_layout){.spheres = count_spheres(c, error)};
  if (layout->spheres == 0 ||
      !dem_field_find(&c->file, name, FIELD_U32, FIELD_ANY_COUNT, FIELD_OPTIONAL, &found, error))
    return false;
  if (!found)
    return true;
  if (found->count == 0 || found->count > layout->spheres)
    return dem_field_refuse(&c->file, name, "has an impossible number of values", error);
  *counts = malloc((size_t)found->count * sizeof **counts);
  if (!*counts)
    return error_set_memory(error, "%s: out of memory", c->file.path);
  for (uint64_t k = 0; k < found->count; k++) {
    (*counts)[k] = u32_at(found, k);
    if ((*counts)[k] == 0 || (*counts)[k] > DEM_SHAPE_SPHERES_MAX)
      return refuse_value(c, name, error);
    sum += (*counts)[k];
  }
  *layout = (dem_layout){.spheres = layout->spheres, .grains = (size_t)found->count, .counts = *counts};
  return sum == layout->spheres || dem_field_refuse(&c->file, name, "does not fit the number of spheres", error);
}

/* A new simulation with the state beside spheres, contacts and traces. */
static dem_simulation *load_state(const dem_checkpoint *c, const dem_case *run, int threads, int stage_count,
                                  error_info *error)
{
  dem_layout layout;
  uint32_t *counts;
  bool has_layout = read_layout(c, &layout, &counts, error);
  dem_simulation *s = has_layout ? dem_simulation_allocate(run, &layout, threads, error) : NULL;
  free(counts);
  if (!s || read_state(c, s, stage_count, error))
    return s;
  dem_simulation_destroy(s);
  return NULL;
}

/* ---- Reading: spheres -------------------------------------------------------------------------------------------- */

static bool read_column(const dem_checkpoint *c, dem_simulation *s, const column *each, size_t count, error_info *error)
{
  const field *from;
  size_t size = column_value_bytes(each);
  if (!find_values(c, each->name, each->type, count * each->values, FIELD_REQUIRED, &from, error))
    return false;
  for (size_t i = 0; i < count; i++)
    memcpy(body_values(s, i, each), from->values + i * size, size);
  return true;
}

/* The values of grains that, although finite, cannot be. Rounding errors of a rotation are mended when it is next
 * changed. */
static bool check_grains(const dem_checkpoint *c, const dem_simulation *s, error_info *error)
{
  for (size_t i = 0; s->grains && i < s->grain_count; i++) {
    const clump *g = &s->grains[i];
    const quaternion q = g->turn;
    if (!(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-9))
      return refuse_value(c, "grains.rotation", error);
    if (!(g->mass > 0.0))
      return refuse_value(c, "grains.mass", error);
    if (!(g->radius > 0.0))
      return refuse_value(c, "grains.radius", error);
    if (!(g->extent > 0.0))
      return refuse_value(c, "grains.extent", error);
    if (!(g->gyration[0] > 0.0 && g->gyration[1] > 0.0 && g->gyration[2] > 0.0))
      return refuse_value(c, "grains.gyration", error);
  }
  return true;
}

static bool read_spheres(const dem_checkpoint *c, dem_simulation *s, error_info *error)
{
  for (size_t k = 0; k < SPHERE_COLUMNS; k++)
    if (!read_column(c, s, &sphere_columns[k], s->count, error))
      return false;
  for (size_t k = 0; s->grains && k < GRAIN_COLUMNS; k++)
    if (!read_column(c, s, &grain_columns[k], s->grain_count, error))
      return false;
  if ((s->grains && !read_column(c, s, &arm_column, s->count, error)) || !check_grains(c, s, error))
    return false;
  for (size_t i = 0; s->grains && i < s->grain_count; i++)
    dem_clump_place_spheres(s, i);
  for (size_t i = 0; i < s->count; i++) {
    if (!(s->bodies[i].radius > 0.0))
      return refuse_value(c, "spheres.radius", error);
    if (!(s->bodies[i].mass > 0.0))
      return refuse_value(c, "spheres.mass", error);
  }
  return true;
}

/* ---- Reading: contacts ------------------------------------------------------------------------------------------- */

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
    const column *each = &contact_columns[k];
    if (!find_values(c, each->name, each->type, count * each->values, FIELD_REQUIRED, &f->columns[k], error))
      return false;
  }
  return dem_field_find(&c->file, FIELD_PACKED_SIZE, FIELD_U32, count, FIELD_REQUIRED, &f->packed_size, error) &&
         dem_field_find(&c->file, FIELD_PACKED, FIELD_U8, FIELD_ANY_COUNT, FIELD_REQUIRED, &f->packed, error);
}

/* The candidate of the contact between p and q. False, with an error, if there can be none. */
static bool place_contact(const dem_checkpoint *c, dem_simulation *s, uint32_t p, uint32_t q, candidate **pair,
                          contact_walk *at, error_info *error)
{
  if (p >= q || q >= s->count)
    return refuse_value(c, "contacts.pair", error);
  block *b = dem_block_of(s, p);
  uint32_t i = b->start[p - b->first], end = b->start[p - b->first + 1];
  while (i < end && b->candidates[i].q != q)
    i++;
  if (i == end || b->candidates[i].slot != NO_SLOT)
    return dem_field_refuse(&c->file, "contacts.pair", "has a pair that is not near, or occurs twice", error);
  *pair = &b->candidates[i];
  b->partition_is_stale = b->incoming_is_stale = true;
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
  jager_status status = jager_pairs_unpack(dem_block_of(s, at->p)->contacts, &s->law, f->packed->values + f->next, size,
                                           &used, (double[3]){l.x, l.y, l.z}, (double[3]){e.x, e.y, e.z}, contact);
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
    size_t size = column_value_bytes(&contact_columns[m]);
    void *to = contact_values(&at, &contact_columns[m]);
    if (to)
      memcpy(to, f->columns[m]->values + k * size, size);
  }
  return unpack_contact(c, s, k, f, &at, &contact, error) &&
         (dem_slot_set(dem_block_of(s, at.p), pair, contact, trace) ||
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
  if (!dem_neighbours_list(s, error) || !read_contacts(c, s, error))
    return false;
  dem_incoming_update(s);
  if (s->grains)
    dem_clumps_gather(s);
  return true;
}

/* ---- Reading: traces --------------------------------------------------------------------------------------------- */

/* Fields with a value of each of `count` lives, or of each of their samples. */
static bool check_fields(const dem_checkpoint *c, const member_table *table, uint64_t count, error_info *error)
{
  const field *found;
  for (size_t m = 0; m < table->count; m++) {
    const member *each = &table->list[m];
    if (!dem_field_find(&c->file, each->name, dem_member_type(each), count * each->count, FIELD_REQUIRED, &found,
                        error))
      return false;
  }
  return true;
}

/* Reads the struct number `index` of fields that have been checked. */
static bool read_indexed(const dem_checkpoint *c, const member_table *table, size_t index, void *to, error_info *error)
{
  const field *found;
  for (size_t m = 0; m < table->count; m++) {
    const member *each = &table->list[m];
    if (!dem_field_find(&c->file, each->name, dem_member_type(each), FIELD_ANY_COUNT, FIELD_REQUIRED, &found, error) ||
        !dem_member_get(&c->file, found, index, each, to, error))
      return false;
  }
  return true;
}

/* Reads the samples of a life, which begin with number `first` of all samples. */
static bool read_samples(const dem_checkpoint *c, dem_trace_life *life, size_t first, error_info *error)
{
  life->samples = malloc(life->count * sizeof *life->samples + 1);
  if (!life->samples)
    return error_set_memory(error, "%s: out of memory", c->file.path);
  for (size_t m = 0; m < sample_table.count; m++) {
    const member *each = &sample_table.list[m];
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
  if (!read_indexed(c, &life_table, index, &life, error))
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

static bool read_traces(const dem_checkpoint *c, dem_simulation *s, error_info *error)
{
  const field *present, *first_sample;
  const char *sample_name = sample_table.list[0].name;
  if (!dem_field_find(&c->file, FIELD_TRACE_PRESENT, FIELD_U8, FIELD_ANY_COUNT, FIELD_OPTIONAL, &present, error))
    return false;
  if (!present || present->count == 0)
    return true;
  if (!s->traces)
    return dem_field_refuse(&c->file, FIELD_TRACE_PRESENT, "has traces, but the case has none", error);
  uint64_t lives = 0;
  for (uint64_t k = 0; k < present->count; k++)
    lives += present->values[k] != 0;
  if (!dem_field_find(&c->file, sample_name, FIELD_F64, FIELD_ANY_COUNT, FIELD_REQUIRED, &first_sample, error) ||
      !check_fields(c, &life_table, lives, error) || !check_fields(c, &sample_table, first_sample->count, error))
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

/* Forgets the past. */
static bool begin_first_stage(dem_simulation *s, error_info *error)
{
  double dt_before = s->dt;
  s->step = 0;
  s->time = 0.0;
  s->stage_just_ended = false;
  s->search = (packing_search){0};
  memset(s->strain, 0, sizeof s->strain);
  if (s->stage.number == 0) /* in the midst of packing, or at its end */
    dem_grains_stop(s);
  dem_simulation_set_masses(s);
  for (size_t k = 0; k < s->block_count; k++)
    for (uint32_t i = 0; i < s->blocks[k].trace_room; i++)
      s->blocks[k].traces[i] = 0;
  jager_status status = jager_law_set_friction(&s->law, s->run->material.friction);
  if (status != JAGER_OK)
    return error_set(error, "material: %s", jager_status_text(status));
  dem_stiffness_update(s);
  /* With density scaling of each sphere, time is what the case makes of it. What spheres move in a step is then kept,
   * not their velocities, whose unit of time may be anything. */
  for (size_t i = 0; s->run->scales_each_sphere && i < s->count; i++) {
    s->motions[i].v = vec3_scale(dt_before / s->dt, s->motions[i].v);
    s->motions[i].w = vec3_scale(dt_before / s->dt, s->motions[i].w);
  }
  for (size_t i = 0; s->grains && s->run->scales_each_sphere && i < s->grain_count; i++) {
    s->grains[i].v = vec3_scale(dt_before / s->dt, s->grains[i].v);
    s->grains[i].momentum = vec3_scale(dt_before / s->dt, s->grains[i].momentum);
  }
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
