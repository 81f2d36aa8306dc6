/* SPDX-License-Identifier: MIT */
/*
 * The motion phase: central differences. Velocities are half a step behind positions; with the force at step n,
 *
 *     v(n+½) = v(n-½) + F/m Δt,      x(n+1) = x(n) + v(n+½) Δt + A x(n),
 *
 * where v is the velocity without the mean flow and A the movement of the cell. Rotations likewise. What damping forces
 * take is their work along the mean of the two velocities: then the balance of kinetic energy holds to rounding.
 */
#include "dem/internal.h"
#include "pair_geometry.h"

typedef struct advance {
  dem_simulation *simulation;
  double dt;       /* to the next position */
  double dt_force; /* between the two velocities */
  double travel_square_max;
  vec3 gravity;
  bool gauge;
} advance;

void images_update(dem_simulation *s)
{
  for (size_t k = 0; k < s->image_count; k++) {
    image *im = &s->images[k];
    vec3 edges = {(double)im->edges[0], (double)im->edges[1], (double)im->edges[2]};
    im->shift_before = upper_times(s->cell_before, edges);
    im->shift = upper_times(s->cell, edges);
  }
}

/* ---- A block: its spheres side by side, so that the arithmetic is vectorised --------------------------------------- */

enum { LANES = 4 };

/* Sums in LANES parts that take turns: the same bits with any width of vectors. */
typedef struct lane_sum {
  double part[LANES];
} lane_sum;

static double lane_total(const lane_sum *sum)
{
  return (sum->part[0] + sum->part[1]) + (sum->part[2] + sum->part[3]);
}

/* Translation or rotation of all spheres of a block. */
typedef struct side_by_side {
  double velocity[3][BLOCK_SPHERES];
  double force[3][BLOCK_SPHERES];
  double inertia[BLOCK_SPHERES], kick[BLOCK_SPHERES]; /* and Δt over it */
  lane_sum damped;
} side_by_side;

static void load(const advance *step, const block *b, side_by_side *way, side_by_side *turn)
{
  const dem_simulation *s = step->simulation;
  for (uint32_t k = 0; k < b->count; k++) {
    const motion *m = &s->motions[b->first + k];
    vec3 force, torque;
    forces_gather(s, b->first + k, &force, &torque);
    double velocities[2][3] = {{m->v.x, m->v.y, m->v.z}, {m->w.x, m->w.y, m->w.z}};
    double forces[2][3] = {{force.x, force.y, force.z}, {torque.x, torque.y, torque.z}};
    for (int i = 0; i < 3; i++) {
      way->velocity[i][k] = velocities[0][i];
      way->force[i][k] = forces[0][i];
      turn->velocity[i][k] = velocities[1][i];
      turn->force[i][k] = forces[1][i];
    }
    way->inertia[k] = s->bodies[b->first + k].mass;
    turn->inertia[k] = s->bodies[b->first + k].radius; /* for now */
  }
  for (uint32_t k = b->count; k % LANES != 0; k++) { /* whole lanes: spheres that nothing moves */
    for (int i = 0; i < 3; i++)
      way->velocity[i][k] = way->force[i][k] = turn->velocity[i][k] = turn->force[i][k] = 0.0;
    way->inertia[k] = turn->inertia[k] = 1.0;
  }
}

/* Inertia of rotation, and Δt over both inertias with one division. */
VECTORISED static void find_inertia(side_by_side *restrict way, side_by_side *restrict turn, size_t count, double dt)
{
  for (size_t k = 0; k < count; k++) {
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): load() has filled them all */
    double square = turn->inertia[k] * turn->inertia[k], inertia = 0.4 * way->inertia[k] * square, ratio = dt / inertia;
    turn->inertia[k] = inertia;
    turn->kick[k] = ratio;
    way->kick[k] = 0.4 * square * ratio;
  }
}

/*
 * New velocities, and the energy that damping takes. Cundall's damping is a share of each component of the force, against
 * the velocity. Global damping acts on the mean velocity: v+ (1 + g/2) = v- (1 - g/2) + F/m Δt, with g = rate times Δt.
 */
VECTORISED static void accelerate(side_by_side *restrict m, size_t count, const dem_damping *damping, double dt)
{
  double local = damping->local, global = damping->global, half = 0.5 * global * dt, inverse = 1.0 / (1.0 + half);
  for (size_t k = 0; k < count; k += LANES)
    for (size_t lane = 0; lane < LANES; lane++)
      for (int i = 0; i < 3; i++) {
        double before = m->velocity[i][k + lane], force = m->force[i][k + lane], size = local * fabs(force);
        double damper = before > 0.0 ? -size : before < 0.0 ? size : 0.0;
        double after = ((1.0 - half) * before + m->kick[k + lane] * (force + damper)) * inverse;
        double mean = 0.5 * (before + after);
        m->velocity[i][k + lane] = after;
        m->damped.part[lane] += (global * m->inertia[k + lane] * mean - damper) * mean;
      }
}

/* Spheres go where their velocities take them. */
static void move_spheres(const advance *step, block *b, side_by_side *way, side_by_side *turn)
{
  dem_simulation *s = step->simulation;
  double farthest = 0.0;
  for (uint32_t k = 0; k < b->count; k++) {
    body *here = &s->bodies[b->first + k];
    motion *m = &s->motions[b->first + k];
    m->v = (vec3){way->velocity[0][k], way->velocity[1][k], way->velocity[2][k]};
    m->w = (vec3){turn->velocity[0][k], turn->velocity[1][k], turn->velocity[2][k]};
    vec3 own = vec3_scale(step->dt, m->v);
    here->x = vec3_add(here->x, vec3_add(own, upper_times(s->movement, here->x)));
    here->turn = pair_cayley(vec3_scale(step->dt, m->w));
    if (!(travel_on(&s->travels[b->first + k], own) < step->travel_square_max))
      b->must_list = true;
    farthest = fmax(farthest, vec3_dot(own, own));
  }
  b->sums.farthest = sqrt(farthest);
}

/* ---- What only some runs need ------------------------------------------------------------------------------------- */

static void gauge(block *b, const side_by_side *way)
{
  for (uint32_t k = 0; k < b->count; k++)
    b->sums.resultant += vec3_length((vec3){way->force[0][k], way->force[1][k], way->force[2][k]});
}

static void add_weight(const advance *step, const block *b, side_by_side *way)
{
  double gravity[3] = {step->gravity.x, step->gravity.y, step->gravity.z};
  for (uint32_t k = 0; k < b->count; k++)
    for (int i = 0; i < 3; i++)
      way->force[i][k] += way->inertia[k] * gravity[i]; /* NOLINT(clang-analyzer-core.*): load() has filled them */
}

/* Work of the weights along the mean of the velocities before, which are still in the motions, and after. */
static double work_of_weight(const advance *step, const block *b, side_by_side *way)
{
  double work = 0.0;
  for (uint32_t k = 0; k < b->count; k++) {
    vec3 after = {way->velocity[0][k], way->velocity[1][k], way->velocity[2][k]};
    vec3 mean = vec3_scale(0.5, vec3_add(step->simulation->motions[b->first + k].v, after));
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): load() has filled them */
    work += step->dt_force * way->inertia[k] * vec3_dot(step->gravity, mean);
  }
  return work;
}

/* ---- All ---------------------------------------------------------------------------------------------------------- */

static void advance_block(void *context, size_t index)
{
  const advance *step = context;
  const dem_damping *damping = &step->simulation->damping;
  block *b = &step->simulation->blocks[index];
  size_t whole = (b->count + LANES - 1) / LANES * LANES;
  bool has_weight = vec3_dot(step->gravity, step->gravity) > 0.0;
  side_by_side way, turn;
  way.damped = turn.damped = (lane_sum){{0.0}};
  b->sums.resultant = b->sums.gravity_work = 0.0;
  b->must_list = false;
  load(step, b, &way, &turn);
  if (step->gauge)
    gauge(b, &way);
  if (has_weight)
    add_weight(step, b, &way);
  find_inertia(&way, &turn, whole, step->dt_force);
  accelerate(&way, whole, damping, step->dt_force);
  accelerate(&turn, whole, damping, step->dt_force);
  if (has_weight)
    b->sums.gravity_work = work_of_weight(step, b, &way);
  b->sums.damped = step->dt_force * (lane_total(&way.damped) + lane_total(&turn.damped));
  move_spheres(step, b, &way, &turn);
}

/* Mean resultant force on a sphere over the mean normal force of a contact. */
static void gauge_unbalanced(dem_simulation *s)
{
  double resultant = 0.0, normal = 0.0;
  for (size_t k = 0; k < s->block_count; k++) {
    resultant += s->blocks[k].sums.resultant;
    normal += s->blocks[k].sums.normal_force;
  }
  double mean = s->contact_count > 0 ? normal / (double)s->contact_count : 0.0;
  s->unbalanced = mean > 0.0 ? resultant / (double)s->count / mean : 0.0;
}

/*
 * How far a sphere may travel by itself before neighbours may be missed: two spheres come nearer by twice this, and by
 * what the cell has been strained since.
 */
static double travel_left(const dem_simulation *s)
{
  upper h = s->cell, h0 = s->cell_listed;
  double xx = h.xx / h0.xx, yy = h.yy / h0.yy, zz = h.zz / h0.zz; /* h h0⁻¹, from the diagonal out */
  double xy = (h.xy - xx * h0.xy) / h0.yy, yz = (h.yz - yy * h0.yz) / h0.zz;
  double xz = (h.xz - xx * h0.xz - xy * h0.yz) / h0.zz;
  double strain = fabs(xx - 1.0) + fabs(yy - 1.0) + fabs(zz - 1.0) + fabs(xy) + fabs(yz) + fabs(xz);
  return fmax(0.0, 0.4999 * (s->skin - strain * (2.0 * s->radius_max + s->skin)));
}

/* How much nearer two neighbours can have come in this step: what both went, and the strain of the cell. */
static double approach_of_step(const dem_simulation *s, double farthest)
{
  upper a = s->movement;
  double strain = fabs(a.xx) + fabs(a.yy) + fabs(a.zz) + fabs(a.xy) + fabs(a.xz) + fabs(a.yz);
  return 1.001 * (2.0 * farthest + strain * (2.0 * s->radius_max + s->skin));
}

void motion_advance(dem_simulation *s, bool is_gauged)
{
  double left = travel_left(s);
  vec3 gravity = {s->run->gravity[0], s->run->gravity[1], s->run->gravity[2]};
  advance step = {.simulation = s,
                  .dt = s->dt,
                  .dt_force = 0.5 * (s->dt + s->dt_before),
                  .travel_square_max = left * left,
                  .gravity = vec3_scale(1.0 / s->run->density_scaling, gravity), /* masses are scaled, weights not */
                  .gauge = is_gauged};
  thread_pool_run(s->workers, advance_block, &step, s->block_count);
  double farthest = 0.0;
  for (size_t k = 0; k < s->block_count; k++) {
    farthest = fmax(farthest, s->blocks[k].sums.farthest);
    s->energy.damped += s->blocks[k].sums.damped;
    s->energy.gravity_work += s->blocks[k].sums.gravity_work;
    s->must_list = s->must_list || s->blocks[k].must_list;
  }
  s->approach += approach_of_step(s, farthest);
  if (is_gauged)
    gauge_unbalanced(s);
}
