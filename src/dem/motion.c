/* SPDX-License-Identifier: MIT */
/*
 * The motion phase: central differences. Velocities are half a step behind positions. With the force F at step n,
 *
 *     v(n+½) = v(n-½) + F/m Δt,      x(n+1) = x(n) + v(n+½) Δt + A x(n),
 *
 * where v is the velocity relative to the mean flow and A the movement of the cell. Rotations follow the same scheme.
 * The energy dissipated by damping is the work of the damping force along the mean of the two velocities: the balance
 * of kinetic energy then holds to rounding.
 */
#include "grains.h"
#include "setup.h"
#include "step.h"
#include "vectorised.h"

#include <string.h>

/* Values that all spheres of a step share. */
typedef struct motion_phase {
  dem_simulation *simulation;
  double dt;                            /* to the next position */
  double dt_force;                      /* between the two velocities */
  double travel_max, travel_square_max; /* of a sphere */
  double strain, step_strain; /* of the cell, since the listing and in the step: the sum of the components' sizes */
  vec3 gravity;
  bool measures_unbalanced;
} motion_phase;

/* ---- The spheres of a block in arrays, so that the arithmetic is vectorised -------------------------------------- */

/* Translation or rotation of all spheres of a block. Vectors are (x, y, z) in three arrays. */
typedef struct block_motion {
  double velocity[3][BLOCK_SPHERES];
  double force[3][BLOCK_SPHERES];
  double inertia[BLOCK_SPHERES], inverse[BLOCK_SPHERES]; /* mass or moment of inertia, and Δt over it */
  double dissipated[3][BLOCK_SPHERES];                   /* energies over Δt, by component */
  double step[3][BLOCK_SPHERES];                         /* displacement, or Cayley's vector of the rotation */
} block_motion;

enum { AHEAD = 16 }; /* spheres whose outer wrenches are fetched into the cache before they are gathered */

VECTORISED static void load_block(const motion_phase *phase, const block *b, block_motion *translation,
                                  block_motion *rotation)
{
  const dem_simulation *s = phase->simulation;
  for (uint32_t k = 0; k < b->count; k++) {
    const motion *m = &s->motions[b->first + k];
    vec3 force, torque;
    if (k + AHEAD < b->count) {
      uint32_t later = b->first + k + AHEAD;
      for (uint32_t i = s->incoming_start[later]; i < s->incoming_end[later]; i++) {
        const jager_wrench *in = &s->outer_wrenches[s->incoming[i]];
        __builtin_prefetch(in); /* most lie far apart, half of them in two cache lines */
        __builtin_prefetch(&in->torque[2]);
      }
    }
    forces_gather(s, b->first + k, &force, &torque);
    double velocities[2][3] = {{m->v.x, m->v.y, m->v.z}, {m->w.x, m->w.y, m->w.z}};
    double forces[2][3] = {{force.x, force.y, force.z}, {torque.x, torque.y, torque.z}};
    for (int i = 0; i < 3; i++) {
      translation->velocity[i][k] = velocities[0][i];
      translation->force[i][k] = forces[0][i];
      rotation->velocity[i][k] = velocities[1][i];
      rotation->force[i][k] = forces[1][i];
    }
    translation->inertia[k] = s->bodies[b->first + k].mass;
    rotation->inertia[k] = s->bodies[b->first + k].radius; /* find_inertia replaces it */
  }
  for (uint32_t k = b->count; k % LANES != 0; k++) { /* fills the last lanes with spheres at rest */
    for (int i = 0; i < 3; i++)
      translation->velocity[i][k] = translation->force[i][k] = rotation->velocity[i][k] = rotation->force[i][k] = 0.0;
    translation->inertia[k] = rotation->inertia[k] = 1.0;
  }
}

/* Replaces the radii by moments of inertia, and computes Δt over both inertias with one division. */
VECTORISED static void find_inertia(block_motion *restrict translation, block_motion *restrict rotation, size_t count,
                                    double dt)
{
  for (size_t k = 0; k < count; k++) {
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): load_block has filled them all */
    double square = rotation->inertia[k] * rotation->inertia[k], inertia = 0.4 * translation->inertia[k] * square,
           ratio = dt / inertia;
    rotation->inertia[k] = inertia;
    rotation->inverse[k] = ratio;
    translation->inverse[k] = 0.4 * square * ratio;
  }
}

/* ---- Coming to rest, while packing ------------------------------------------------------------------------------- */

/*
 * A packing shall come to rest in few steps, whatever its way; so its motion is steered downhill, as in the method FIRE
 * for finding minima of energy (E. Bitzek et al., Phys. Rev. Lett. 97, 170201, 2006). As long as the forces do positive
 * work on all grains together, velocities are turned towards the forces, v becomes (1 - w) v + w |v| F/|F|, with a
 * weight w that begins at 0.1 and falls, so that movements of many grains gain speed. When the power turns negative,
 * all grains stop. Lengths are in the norm of the inertias, |v|² = Σ m v² and |F|² = Σ F²/m, over translations and
 * rotations. Of each grain the momentum changes by a share and by a common factor times its force: the total stays
 * zero. The sums are known at the end of a step, and used in the next. Energies are not accounted for while packing.
 *
 * If nearly all contacts have been lost, |F| may grow a thousandfold in one step. So velocities are limited: in a step
 * a grain moves by a share of the smallest radius at most, in each direction, and turns by a small angle. Packings that
 * go on as they should stay far below.
 */
#define STEER_AT_FIRST 0.1
#define STEER_FADE 0.99
#define STEER_MOVE 0.03
#define STEER_TURN 0.05

/* The steering of the next step, from the sums of this one */
static steering steer_on(steering now, const block_sums *sums)
{
  if (sums->power < 0.0)
    return (steering){.weight = 1.0, .pushes = 0.0};
  return (steering){.weight = now.weight < 1.0 ? STEER_FADE * now.weight : STEER_AT_FIRST,
                    .pushes = sums->push > 0.0 ? sqrt(sums->twice_kinetic / sums->push) : 0.0};
}

/* Steers the velocities, up to a limit, and adds to the sums of the block. */
VECTORISED static void steer(block_motion *restrict m, size_t count, steering how, double dt, double limit,
                             block_sums *sums)
{
  double keep = 1.0 - how.weight, towards = how.weight * how.pushes, moves = how.weight < 1.0 ? 1.0 : 0.0;
  double power[LANES] = {0.0}, twice_kinetic[LANES] = {0.0}, push[LANES] = {0.0};
  for (size_t k = 0; k < count; k += LANES)
    for (int i = 0; i < 3; i++)
      for (size_t lane = 0; lane < LANES; lane++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): load_block or load_clumps has filled whole lanes */
        double force = m->force[i][k + lane], added = m->inverse[k + lane] * force;
        double before = m->velocity[i][k + lane], v = moves * before;
        power[lane] += force * v;
        twice_kinetic[lane] += m->inertia[k + lane] * v * v;
        push[lane] += force * added;
        double after = keep * before + towards * added;
        m->velocity[i][k + lane] = after > limit ? limit : after < -limit ? -limit : after;
      }
  sums->power += lane_total(power);
  sums->twice_kinetic += lane_total(twice_kinetic);
  sums->push += dt * lane_total(push);
}

/* The same for the rotations of grains of several spheres */
static void steer_rotations(const motion_phase *phase, block *b)
{
  const dem_simulation *s = phase->simulation;
  steering how = s->steering;
  double dt = phase->dt_force, keep = 1.0 - how.weight, moves = how.weight < 1.0 ? 1.0 : 0.0;
  for (uint32_t k = 0; k < b->grain_count; k++) {
    clump *c = &s->grains[b->first_grain + k];
    double momentum[3], torque[3];
    vec3_store(momentum, quaternion_turn(quaternion_inverse(c->turn), c->momentum));
    vec3_store(torque, quaternion_turn(quaternion_inverse(c->turn), c->torque));
    double towards = how.weight * how.pushes * dt, largest = 0.0;
    for (int i = 0; i < 3; i++) {
      double inertia = c->mass * c->gyration[i], spin = moves * momentum[i] / inertia;
      b->sums.power += torque[i] * spin;
      b->sums.twice_kinetic += inertia * spin * spin;
      b->sums.push += dt * torque[i] * (dt / inertia * torque[i]);
      largest = fmax(largest, fabs(keep * momentum[i] + towards * torque[i]) / inertia);
    }
    c->momentum = vec3_add_scaled(vec3_scale(keep, c->momentum), towards, c->torque);
    if (largest * phase->dt > STEER_TURN)
      c->momentum = vec3_scale(STEER_TURN / (largest * phase->dt), c->momentum);
  }
}

/* ---- Forces change velocities, and these positions --------------------------------------------------------------- */

/*
 * New velocities. Returns the energy over Δt that damping dissipates. Cundall's damping is a fraction of each force
 * component, against the velocity. Global damping acts on the mean velocity: v+ (1 + g/2) = v- (1 - g/2) + F/m Δt, with
 * g = rate times Δt.
 */
VECTORISED static double accelerate(block_motion *restrict m, size_t count, const dem_damping *damping, double dt)
{
  double local = damping->local, global = damping->global, half = 0.5 * global * dt, shrink = 1.0 / (1.0 + half);
  for (int i = 0; i < 3; i++)
    for (size_t k = 0; k < count; k++) {
      /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): load_block or load_clumps has filled whole lanes */
      double before = m->velocity[i][k], force = m->force[i][k], size = local * fabs(force);
      double damper = before > 0.0 ? -size : before < 0.0 ? size : 0.0;
      double after = ((1.0 - half) * before + m->inverse[k] * (force + damper)) * shrink;
      double mean = 0.5 * (before + after);
      m->velocity[i][k] = after;
      m->dissipated[i][k] = (global * m->inertia[k] * mean - damper) * mean;
    }
  double damped[LANES] = {0.0};
  for (size_t k = 0; k < count; k += LANES)
    for (size_t lane = 0; lane < LANES; lane++)
      for (int i = 0; i < 3; i++)
        damped[lane] += m->dissipated[i][k + lane];
  return lane_total(damped);
}

/* Displacements relative to the mean flow, and rotations */
VECTORISED static void find_steps(block_motion *restrict translation, block_motion *restrict rotation, size_t count,
                                  double dt)
{
  for (size_t k = 0; k < count; k++) {
    vec3 w = {rotation->velocity[0][k], rotation->velocity[1][k], rotation->velocity[2][k]};
    vec3 turn = jager_pair_cayley(vec3_scale(dt, w));
    rotation->step[0][k] = turn.x;
    rotation->step[1][k] = turn.y;
    rotation->step[2][k] = turn.z;
    for (int i = 0; i < 3; i++)
      translation->step[i][k] = dt * translation->velocity[i][k];
  }
}

/* Stores the new velocities, and advances positions and rotations. */
VECTORISED static void move_spheres(const motion_phase *phase, block *b, const block_motion *translation,
                                    const block_motion *rotation)
{
  const dem_simulation *s = phase->simulation;
  const upper_matrix movement = s->movement;
  double square_max = 0.0;
  for (uint32_t k = 0; k < b->count; k++) {
    jager_particle *here = &s->bodies[b->first + k];
    vec3 v = {translation->velocity[0][k], translation->velocity[1][k], translation->velocity[2][k]};
    vec3 w = {rotation->velocity[0][k], rotation->velocity[1][k], rotation->velocity[2][k]};
    vec3 own = {translation->step[0][k], translation->step[1][k], translation->step[2][k]}, x = vec3_load(here->x);
    s->motions[b->first + k] = (motion){v, w};
    vec3_store(here->x, vec3_add(x, vec3_add(own, upper_matrix_times(movement, x))));
    vec3_store(here->rotation, (vec3){rotation->step[0][k], rotation->step[1][k], rotation->step[2][k]});
    if (!(travel_add(&s->travels[b->first + k], own) < phase->travel_square_max))
      b->neighbours_are_stale = true;
    double square = vec3_dot(own, own);
    square_max = square > square_max ? square : square_max; /* fmax would be a call */
  }
  b->sums.displacement_max = sqrt(square_max);
}

/* ---- Grains of several spheres ----------------------------------------------------------------------------------- */

static void load_clumps(const motion_phase *phase, const block *b, block_motion *translation)
{
  const dem_simulation *s = phase->simulation;
  for (uint32_t k = 0; k < (b->grain_count + LANES - 1) / LANES * LANES; k++) {
    static const clump at_rest = {.mass = 1.0}; /* fills the last lanes */
    const clump *c = k < b->grain_count ? &s->grains[b->first_grain + k] : &at_rest;
    double velocity[3], force[3];
    vec3_store(velocity, c->v);
    vec3_store(force, c->force);
    for (int i = 0; i < 3; i++) {
      translation->velocity[i][k] = velocity[i];
      translation->force[i][k] = force[i];
    }
    translation->inertia[k] = c->mass;
    translation->inverse[k] = phase->dt_force / c->mass;
  }
}

/* How far spheres can move in a step, and have moved since the listing: by the centroid, the rotation and the flow. */
typedef struct clump_bounds {
  quaternion_lanes turn_at_listing;
  double travel_square[BLOCK_SPHERES]; /* of the centroid */
  double reach[BLOCK_SPHERES];
  double displacement[BLOCK_SPHERES], travel[BLOCK_SPHERES]; /* of a sphere of the grain, not less */
} clump_bounds;

/* |v - w| <= |v| 2 |sin(θ/2)| for a vector v that a rotation by θ takes to w, and |Cayley's vector| = 2 |tan(θ/2)|. */
VECTORISED static void find_bounds(const motion_phase *phase, const block_motion *restrict translation,
                                   const clump_rotations *restrict rotation, clump_bounds *restrict bounds,
                                   size_t count)
{
  double dt = phase->dt, step_strain = phase->step_strain, strain = phase->strain;
  for (size_t k = 0; k < count; k++) {
    vec3 v = {translation->velocity[0][k], translation->velocity[1][k], translation->velocity[2][k]};
    vec3 turned = vec3_of_lane(&rotation->turned, k);
    quaternion then = quaternion_of_lane(&bounds->turn_at_listing, k);
    quaternion since = quaternion_times(quaternion_of_lane(&rotation->turn, k), quaternion_inverse(then));
    double chord = 2.0 * sqrt(since.x * since.x + since.y * since.y + since.z * since.z), reach = bounds->reach[k];
    bounds->displacement[k] = dt * sqrt(vec3_dot(v, v)) + reach * (sqrt(vec3_dot(turned, turned)) + step_strain);
    bounds->travel[k] = sqrt(bounds->travel_square[k]) + reach * (chord + strain);
  }
}

/* Stores the new velocities and rotations, and advances the centroids. */
static void move_clumps(const motion_phase *phase, block *b, const block_motion *translation,
                        const clump_rotations *rotation)
{
  const dem_simulation *s = phase->simulation;
  const upper_matrix movement = s->movement;
  size_t whole = (b->grain_count + LANES - 1) / LANES * LANES;
  clump_bounds bounds;
  for (uint32_t k = 0; k < whole; k++) {
    clump *c = &s->grains[b->first_grain + (k < b->grain_count ? k : 0)];
    quaternion_to_lane(&bounds.turn_at_listing, k, c->turn_at_listing);
    bounds.reach[k] = c->reach;
    bounds.travel_square[k] = 0.0;
    if (k >= b->grain_count)
      continue;
    c->v = (vec3){translation->velocity[0][k], translation->velocity[1][k], translation->velocity[2][k]};
    vec3 own = vec3_scale(phase->dt, c->v);
    bounds.travel_square[k] = travel_add(&s->travels[c->first], own);
    c->momentum = vec3_of_lane(&rotation->momentum, k);
    c->x = vec3_add(c->x, vec3_add(own, upper_matrix_times(movement, c->x)));
    c->turn_before = c->turn;
    c->turn = quaternion_of_lane(&rotation->turn, k);
    c->turned = vec3_of_lane(&rotation->turned, k);
  }
  find_bounds(phase, translation, rotation, &bounds, whole);
  double displacement = 0.0, travelled = 0.0;
  for (uint32_t k = 0; k < b->grain_count; k++) {
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): find_bounds has filled whole lanes */
    displacement = bounds.displacement[k] > displacement ? bounds.displacement[k] : displacement;
    travelled = bounds.travel[k] <= travelled ? travelled : bounds.travel[k]; /* NAN stays until the last */
  }
  b->neighbours_are_stale = !(travelled < phase->travel_max);
  b->sums.displacement_max = displacement;
}

/* Puts the spheres where their grains are. */
VECTORISED static void move_spheres_of_clumps(const dem_simulation *s, const block *b)
{
  for (uint32_t k = b->first_grain; k < b->first_grain + b->grain_count; k++) {
    const clump *c = &s->grains[k];
    const vec3 x = c->x, turned = c->turned;
    vec3 axes[3];
    quaternion_axes(c->turn, axes);
    for (uint32_t i = c->first; i < c->first + c->count; i++) {
      vec3 arm = vec3_in_axes(axes, s->arms[i]);
      vec3_store(s->bodies[i].x, vec3_add(x, arm));
      vec3_store(s->bodies[i].rotation, turned);
    }
  }
}

/* ---- All blocks -------------------------------------------------------------------------------------------------- */

/* The mass that gravity acts on: the inertia, but for grains with inertias of their own, whose weights are true. */
static double weighed_mass(const dem_simulation *s, size_t i)
{
  double radius = s->grains ? s->grains[i].radius : s->bodies[i].radius;
  double inertia = s->grains ? s->grains[i].mass : s->bodies[i].mass;
  return scales_each_grain(s) ? dem_simulation_mass(s, radius) : inertia;
}

static void advance_block(void *context, size_t index)
{
  const motion_phase *phase = context;
  const dem_simulation *s = phase->simulation;
  block *b = &s->blocks[index];
  uint32_t count = s->grains ? b->grain_count : b->count, first = s->grains ? b->first_grain : b->first;
  size_t whole = (count + LANES - 1) / LANES * LANES; /* grains in whole lanes */
  const double gravity[3] = {phase->gravity.x, phase->gravity.y, phase->gravity.z};
  bool has_weight = vec3_dot(phase->gravity, phase->gravity) > 0.0;
  block_motion translation, rotation;
  clump_rotations turning;
  b->sums.resultant = b->sums.gravity_work = 0.0;
  b->neighbours_are_stale = false;
  if (s->grains)
    load_clumps(phase, b, &translation);
  else
    load_block(phase, b, &translation, &rotation);
  for (uint32_t k = 0; phase->measures_unbalanced && k < count; k++)
    b->sums.resultant += vec3_length((vec3){translation.force[0][k], translation.force[1][k], translation.force[2][k]});
  for (uint32_t k = 0; has_weight && k < count; k++)
    for (int i = 0; i < 3; i++)
      /* NOLINTNEXTLINE(clang-analyzer-core.*): load_block has filled them */
      translation.force[i][k] += weighed_mass(s, first + k) * gravity[i];
  if (!s->grains)
    find_inertia(&translation, &rotation, whole, phase->dt_force);
  if (is_packing(s)) {
    b->sums.power = b->sums.twice_kinetic = b->sums.push = 0.0;
    steer(&translation, whole, s->steering, phase->dt_force, STEER_MOVE * s->radius_min / phase->dt, &b->sums);
    if (s->grains)
      steer_rotations(phase, b);
    else
      steer(&rotation, whole, s->steering, phase->dt_force, STEER_TURN / phase->dt, &b->sums);
  }
  double damped = accelerate(&translation, whole, &s->damping, phase->dt_force);
  if (s->grains) {
    dem_rotations_load(&turning, s->grains + first, count);
    damped += dem_rotations_accelerate(&turning, count, &s->damping, phase->dt_force);
  } else
    damped += accelerate(&rotation, whole, &s->damping, phase->dt_force);
  /* Work of gravity along the mean of the velocities before the step, which are still stored, and after it. */
  for (uint32_t k = 0; has_weight && k < count; k++) {
    vec3 after = {translation.velocity[0][k], translation.velocity[1][k], translation.velocity[2][k]};
    vec3 mean = vec3_scale(0.5, vec3_add(s->grains ? s->grains[first + k].v : s->motions[first + k].v, after));
    b->sums.gravity_work += phase->dt_force * weighed_mass(s, first + k) * vec3_dot(phase->gravity, mean);
  }
  b->sums.damped = phase->dt_force * damped;
  if (s->grains) {
    dem_rotations_turn(&turning, count, phase->dt);
    move_clumps(phase, b, &translation, &turning);
    move_spheres_of_clumps(s, b);
  } else {
    find_steps(&translation, &rotation, whole, phase->dt);
    move_spheres(phase, b, &translation, &rotation);
  }
}

void dem_motion_advance(dem_simulation *s, bool measures_unbalanced)
{
  /* How far a sphere may travel relative to the mean flow before the list may miss a pair: two spheres come nearer by
   * twice that distance, and by the strain of the cell since the listing. */
  upper_matrix h = s->cell, h0 = s->cell_at_listing, a = s->movement;
  double xx = h.xx / h0.xx, yy = h.yy / h0.yy, zz = h.zz / h0.zz; /* h h0⁻¹, diagonal first */
  double xy = (h.xy - xx * h0.xy) / h0.yy, yz = (h.yz - yy * h0.yz) / h0.zz;
  double xz = (h.xz - xx * h0.xz - xy * h0.yz) / h0.zz, reach = 2.0 * s->radius_max + s->skin;
  double strain = fabs(xx - 1.0) + fabs(yy - 1.0) + fabs(zz - 1.0) + fabs(xy) + fabs(yz) + fabs(xz);
  double step_strain = fabs(a.xx) + fabs(a.yy) + fabs(a.zz) + fabs(a.xy) + fabs(a.xz) + fabs(a.yz);
  double travel_max = fmax(0.0, 0.4999 * (s->skin - strain * reach));
  motion_phase phase = {.simulation = s,
                        .dt = s->dt,
                        .dt_force = 0.5 * (s->dt + s->dt_before),
                        .travel_max = travel_max,
                        .strain = strain,
                        .step_strain = step_strain,
                        .travel_square_max = travel_max * travel_max,
                        .gravity = vec3_scale(1.0 / s->run->density_scaling, /* masses are scaled, weights are not */
                                              vec3_load(s->run->gravity)),
                        .measures_unbalanced = measures_unbalanced};
  thread_pool_run(s->workers, advance_block, &phase, s->block_count);
  s->clumps_have_moved = s->grains;
  s->clump_dt = s->dt;

  double displacement_max = 0.0, resultant = 0.0, normal = 0.0;
  block_sums all = {.power = 0.0};
  for (size_t k = 0; k < s->block_count; k++) {
    const block_sums *sums = &s->blocks[k].sums;
    displacement_max = fmax(displacement_max, sums->displacement_max);
    s->energy.damped += sums->damped;
    s->energy.gravity_work += sums->gravity_work;
    s->neighbours_are_stale = s->neighbours_are_stale || s->blocks[k].neighbours_are_stale;
    resultant += sums->resultant;
    normal += sums->normal_force;
    all.power += sums->power;
    all.twice_kinetic += sums->twice_kinetic;
    all.push += sums->push;
  }
  if (is_packing(s))
    s->steering = steer_on(s->steering, &all);
  /* Upper bound of how much nearer two neighbours have come in the step: by both displacements and by its strain. */
  s->approach_bound += 1.001 * (2.0 * displacement_max + step_strain * reach);
  if (measures_unbalanced) { /* mean resultant force on a grain over the mean normal force of a contact */
    double mean = s->contact_count > 0 ? normal / (double)s->contact_count : 0.0;
    s->unbalanced = mean > 0.0 ? resultant / (double)s->grain_count / mean : 0.0;
  }
}
