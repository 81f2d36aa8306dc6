/* SPDX-License-Identifier: MIT */
/* The fields of a checkpoint. */
#include "checkpoint_fields.h"

#define TABLE(list) ((member_table){(list), sizeof(list) / sizeof *(list)})

/* ---- State ------------------------------------------------------------------------------------------------------- */

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

member_table dem_checkpoint_state_members(void)
{
  return TABLE(state_members);
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

#define RUN(field_name, member, need) MEMBER(dem_checkpoint_facts, field_name, member, need)

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

member_table dem_checkpoint_run_members(void)
{
  return TABLE(run_members);
}

static const member shared_members[] = {
    RUN("step", step, FIELD_REQUIRED),
    RUN("time", time, FIELD_REQUIRED),
    RUN("stage.number", stage, FIELD_REQUIRED),
    RUN("contact_count", contacts, FIELD_REQUIRED),
};

member_table dem_checkpoint_shared_members(void)
{
  return TABLE(shared_members);
}

/* ---- Traces ------------------------------------------------------------------------------------------------------ */

#define LIFE(member) MEMBER(dem_trace_life, "traces." #member, member, FIELD_REQUIRED)
#define LIFE_ARRAY(member) MEMBER_ARRAY(dem_trace_life, "traces." #member, member, FIELD_REQUIRED)

static const member life_members[] = {
    LIFE(request), LIFE_ARRAY(ids), LIFE(birth), LIFE(death), LIFE(strain), LIFE_ARRAY(xi), LIFE(count),
};

member_table dem_checkpoint_life_members(void)
{
  return TABLE(life_members);
}

#define SAMPLE(field, unit, meaning) MEMBER(dem_trace_sample, "traces.sample." #field, field, FIELD_REQUIRED),
static const member sample_members[] = {DEM_TRACE_LIST(SAMPLE)};

member_table dem_checkpoint_sample_members(void)
{
  return TABLE(sample_members);
}

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

const column dem_sphere_columns[SPHERE_COLUMNS] = {
    {"spheres.radius", COLUMN_BODY, FIELD_F64, offsetof(body, radius), 1},
    {"spheres.id", COLUMN_ID, FIELD_U32, 0, 1},
    {"spheres.mass", COLUMN_BODY, FIELD_F64, offsetof(body, mass), 1},
    {"spheres.position", COLUMN_BODY, FIELD_F64, offsetof(body, x), 3},
    {"spheres.rotation", COLUMN_BODY, FIELD_F64, offsetof(body, rotation), 3},
    {"spheres.velocity", COLUMN_MOTION, FIELD_F64, offsetof(motion, v), 3},
    {"spheres.angular_velocity", COLUMN_MOTION, FIELD_F64, offsetof(motion, w), 3},
    {"spheres.force", COLUMN_LOAD, FIELD_F64, offsetof(wrench, force), 3},
    {"spheres.torque", COLUMN_LOAD, FIELD_F64, offsetof(wrench, torque), 3},
};

const column dem_contact_columns[CONTACT_COLUMNS] = {
    {"contacts.pair", COLUMN_CONTACT_WALK, FIELD_U32, offsetof(contact_walk, p), 2},
    {"contacts.trace", COLUMN_TRACE, FIELD_U32, 0, 1},
    {"contacts.frame", COLUMN_FRAME, FIELD_F64, 0, 8},
    {"contacts.outer_wrench", COLUMN_WRENCH, FIELD_F64, 0, 6},
};
_Static_assert(offsetof(contact_walk, q) == offsetof(contact_walk, p) + sizeof(uint32_t), "contacts.pair is p, q");
_Static_assert(offsetof(contact_frame, branch) == 0 && offsetof(contact_frame, axis) == 3 * sizeof(double) &&
                   offsetof(contact_frame, ft) == 6 * sizeof(double) && sizeof(contact_frame) == 8 * sizeof(double),
               "contacts.frame is branch, axis, Ft");
_Static_assert(offsetof(wrench, force) == 0 && offsetof(wrench, torque) == 3 * sizeof(double) &&
                   sizeof(wrench) == 6 * sizeof(double),
               "contacts.outer_wrench is force, torque");
