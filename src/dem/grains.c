/* SPDX-License-Identifier: MIT */
/* Grains of several spheres: rigid clumps. */
#include "grains.h"
#include "step.h"
#include "vectorised.h"

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

bool dem_clumps_allocate(dem_simulation *s, const dem_layout *layout, error_info *error)
{
  s->grain_count = layout->grains > 0 ? layout->grains : s->count;
  if (layout->grains == 0)
    return true;
  s->grains = calloc(layout->grains, sizeof *s->grains);
  s->grain_of = calloc(s->count, sizeof *s->grain_of);
  s->arms = calloc(s->count, sizeof *s->arms);
  if (!s->grains || !s->grain_of || !s->arms)
    return error_set_memory(error, "out of memory for %zu grains", layout->grains);
  uint32_t first = 0;
  for (size_t i = 0; i < layout->grains; i++) {
    s->grains[i] = (clump){.first = first, .count = layout->counts[i], .turn = {.w = 1.0}};
    for (; first < s->grains[i].first + layout->counts[i]; first++)
      s->grain_of[first] = (uint32_t)i;
  }
  return true;
}

void dem_clumps_free(dem_simulation *s)
{
  free(s->grains);
  free(s->grain_of);
  free(s->arms);
}

/* ---- Rotation ---------------------------------------------------------------------------------------------------- */

static vec3 to_body(const clump *c, vec3 v)
{
  return quaternion_turn(quaternion_inverse(c->turn), v);
}

/* Angular velocity in body axes */
static vec3 spin_in_body(const clump *c, vec3 momentum_in_body)
{
  double inverse = 1.0 / c->mass;
  return (vec3){momentum_in_body.x * inverse / c->gyration[0], momentum_in_body.y * inverse / c->gyration[1],
                momentum_in_body.z * inverse / c->gyration[2]};
}

vec3 dem_clump_spin(const clump *c, vec3 momentum)
{
  return quaternion_turn(c->turn, spin_in_body(c, to_body(c, momentum)));
}

double dem_clump_kinetic_energy(const clump *c, vec3 v, vec3 momentum)
{
  vec3 in_body = to_body(c, momentum);
  return 0.5 * c->mass * vec3_dot(v, v) + 0.5 * vec3_dot(in_body, spin_in_body(c, in_body));
}

/* ---- Rotations in arrays ----------------------------------------------------------------------------------------- */

static size_t whole_lanes(size_t count)
{
  return (count + LANES - 1) / LANES * LANES;
}

void dem_rotations_load(clump_rotations *r, const clump *grains, size_t count)
{
  static const clump at_rest = {.turn = {.w = 1.0}, .mass = 1.0, .gyration = {1.0, 1.0, 1.0}};
  for (size_t k = 0; k < whole_lanes(count); k++) {
    const clump *c = k < count ? &grains[k] : &at_rest;
    quaternion_to_lane(&r->turn, k, c->turn);
    vec3_to_lane(&r->momentum, k, c->momentum);
    vec3_to_lane(&r->torque, k, c->torque);
    vec3_to_lane(&r->gyration, k, vec3_load(c->gyration));
    r->mass[k] = c->mass;
  }
}

/* The scheme of `accelerate` in motion.c along the principal axes. */
VECTORISED static void accelerate_lanes(clump_rotations *restrict r, size_t count, const dem_damping *damping,
                                        double dt, double dissipated[restrict 3][BLOCK_SPHERES])
{
  double local = damping->local, global = damping->global, half = 0.5 * global * dt;
  for (size_t k = 0; k < count; k++) {
    double momentum[3], torque[3], gyration[3], change[3];
    quaternion turn = quaternion_of_lane(&r->turn, k), back = quaternion_inverse(turn);
    vec3_store(momentum, quaternion_turn(back, vec3_of_lane(&r->momentum, k)));
    vec3_store(torque, quaternion_turn(back, vec3_of_lane(&r->torque, k)));
    vec3_store(gyration, vec3_of_lane(&r->gyration, k));
    for (int i = 0; i < 3; i++) {
      double inertia = r->mass[k] * gyration[i], before = momentum[i] / inertia, size = local * fabs(torque[i]);
      double damper = before > 0.0 ? -size : before < 0.0 ? size : 0.0;
      double after = ((1.0 - half) * before + dt / inertia * (torque[i] + damper)) / (1.0 + half);
      double mean = 0.5 * (before + after);
      change[i] = inertia * (after - before);
      dissipated[i][k] = (global * inertia * mean - damper) * mean;
    }
    vec3 more = quaternion_turn(turn, vec3_load(change));
    vec3_to_lane(&r->momentum, k, vec3_add(vec3_of_lane(&r->momentum, k), more));
  }
}

double dem_rotations_accelerate(clump_rotations *r, size_t count, const dem_damping *damping, double dt)
{
  double dissipated[3][BLOCK_SPHERES] = {{0.0}}, sum = 0.0;
  accelerate_lanes(r, whole_lanes(count), damping, dt, dissipated);
  for (size_t k = 0; k < count; k++)
    for (int i = 0; i < 3; i++)
      sum += dissipated[i][k];
  return sum;
}

/* v turned by Cayley's vector 2u: v + 2 u × (v + u × v)/(1 + u²) */
static inline vec3 cayley_turn(vec3 u, vec3 v)
{
  vec3 inner = vec3_add(v, vec3_cross(u, v));
  return vec3_add_scaled(v, 2.0 / (1.0 + vec3_dot(u, u)), vec3_cross(u, inner));
}

/* Where the iteration of dem_rotations_turn is. */
typedef struct turn_search {
  vec3_lanes before, spin, half; /* Π, ω, c/2 */
  double inverse[BLOCK_SPHERES]; /* of the mass */
  double goes_on[BLOCK_SPHERES]; /* 1 or 0 */
} turn_search;

/* ω = J⁻¹Π */
static inline vec3 lane_spin(const clump_rotations *r, const turn_search *t, size_t k, vec3 momentum)
{
  vec3 p = vec3_scale(t->inverse[k], momentum);
  return (vec3){p.x / r->gyration.x[k], p.y / r->gyration.y[k], p.z / r->gyration.z[k]};
}

VECTORISED static void begin_turns(const clump_rotations *restrict r, turn_search *restrict t, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    vec3 before = quaternion_turn(quaternion_inverse(quaternion_of_lane(&r->turn, k)), vec3_of_lane(&r->momentum, k));
    vec3_to_lane(&t->before, k, before);
    t->inverse[k] = 1.0 / r->mass[k];
    vec3_to_lane(&t->spin, k, lane_spin(r, t, k, before));
    vec3_to_lane(&t->half, k, (vec3){0.0, 0.0, 0.0});
    t->goes_on[k] = 1.0;
  }
}

static inline vec3 vec3_choose(double on, vec3 v, vec3 otherwise)
{
  return (vec3){on > 0.0 ? v.x : otherwise.x, on > 0.0 ? v.y : otherwise.y, on > 0.0 ? v.z : otherwise.z};
}

/* A further iteration of the grains whose ω still changes. Returns whether there will be any. */
VECTORISED static bool continue_turns(const clump_rotations *restrict r, turn_search *restrict t, size_t count,
                                      double dt)
{
  double any = 0.0;
  for (size_t k = 0; k < count; k++) {
    vec3 before = vec3_of_lane(&t->before, k), spin = vec3_of_lane(&t->spin, k), half = vec3_scale(0.5 * dt, spin);
    vec3 after = cayley_turn(vec3_scale(-1.0, half), before);
    vec3 next = lane_spin(r, t, k, vec3_scale(0.5, vec3_add(before, after))), change = vec3_subtract(next, spin);
    double on = t->goes_on[k];
    vec3_to_lane(&t->half, k, vec3_choose(on, half, vec3_of_lane(&t->half, k)));
    vec3_to_lane(&t->spin, k, vec3_choose(on, next, spin));
    t->goes_on[k] = vec3_dot(change, change) <= 1e-32 * vec3_dot(next, next) ? 0.0 : on;
  }
  for (size_t k = 0; k < count; k++)
    any = t->goes_on[k] > any ? t->goes_on[k] : any;
  return any > 0.0;
}

VECTORISED static void finish_turns(clump_rotations *restrict r, const turn_search *restrict t, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    vec3 half = vec3_of_lane(&t->half, k);
    quaternion turn = quaternion_normalise(
        quaternion_times(quaternion_of_lane(&r->turn, k), (quaternion){1.0, half.x, half.y, half.z}));
    quaternion_to_lane(&r->turn, k, turn);
    vec3_to_lane(&r->turned, k, quaternion_turn(turn, vec3_scale(2.0, half)));
  }
}

/*
 * Euler's equations by the implicit midpoint rule. Let Π = RᵀL be the angular momentum in body axes, R the rotation. A
 * turn by Cayley's vector c = ω Δt in body axes takes Π to Π' with
 *
 *     Π' - Π = -c × (Π + Π')/2,        ω = J⁻¹ (Π + Π')/2.
 *
 * The first keeps L and |Π|, both together the energy Π·J⁻¹Π/2; and with Δt of the other sign they lead back. ω is
 * found by iteration, which gains a factor of about ω Δt each time. The grains of a block are iterated side by side,
 * each as often as it needs: none depends on the others.
 */
void dem_rotations_turn(clump_rotations *r, size_t count, double dt)
{
  enum { ITERATIONS_MAX = 40 };
  size_t whole = whole_lanes(count);
  turn_search t;
  begin_turns(r, &t, whole);
  for (int k = 0; k < ITERATIONS_MAX && continue_turns(r, &t, whole, dt); k++)
    continue;
  finish_turns(r, &t, whole);
}

vec3 dem_clump_turn(clump *c, double dt)
{
  clump_rotations r;
  dem_rotations_load(&r, c, 1);
  dem_rotations_turn(&r, 1, dt);
  c->turn = quaternion_of_lane(&r.turn, 0);
  return vec3_of_lane(&r.turned, 0);
}

/* ---- Spheres and their grain ------------------------------------------------------------------------------------- */

void dem_clump_place_spheres(dem_simulation *s, size_t i)
{
  const clump *c = &s->grains[i];
  vec3 axes[3];
  quaternion_axes(c->turn, axes);
  for (uint32_t k = c->first; k < c->first + c->count; k++)
    vec3_store(s->bodies[k].x, vec3_add(c->x, vec3_in_axes(axes, s->arms[k])));
}

void dem_clump_set_mass(dem_simulation *s, size_t i, double mass)
{
  clump *c = &s->grains[i];
  if (c->mass > 0.0)
    c->momentum = vec3_scale(mass / c->mass, c->momentum);
  c->mass = mass;
  for (uint32_t k = c->first; k < c->first + c->count; k++)
    s->bodies[k].mass = mass; /* with which a contact's dashpot is critical */
}

enum { AHEAD = 8 }; /* spheres whose outer wrenches are fetched into the cache before they are gathered */

/* The spheres of a block that touch others: half of them or fewer. On the others act no forces. */
static void list_loaded(const dem_simulation *s, block *b)
{
  bool touches[BLOCK_SPHERES];
  for (uint32_t k = 0; k < b->count; k++)
    touches[k] = s->incoming_start[b->first + k] < s->incoming_end[b->first + k];
  for (uint32_t i = 0; i < b->start[b->count]; i++) {
    const candidate *pair = &b->candidates[i];
    if (pair->slot == NO_SLOT)
      continue;
    touches[b->owners[i]] = true;
    if (is_inner(b, pair))
      touches[pair->q - b->first] = true;
  }
  b->loaded_count = 0;
  for (uint32_t k = 0; k < b->count; k++) /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Branch): all were set */
    if (touches[k])
      b->loaded[b->loaded_count++] = (uint8_t)k;
  b->loaded_is_stale = false;
}

/* Fetches what acts on a sphere into the cache. */
static inline void prefetch_loads(const dem_simulation *s, uint32_t i)
{
  __builtin_prefetch(&s->loads[i]);
  __builtin_prefetch(&s->loads[i].torque[2]);
  for (uint32_t k = s->incoming_start[i]; k < s->incoming_end[i]; k++) {
    const jager_wrench *in = &s->outer_wrenches[s->incoming[k]];
    __builtin_prefetch(in);
    __builtin_prefetch(&in->torque[2]);
  }
}

static void gather_block(void *context, size_t index)
{
  const dem_simulation *s = *(dem_simulation **)context;
  block *b = &s->blocks[index];
  double virial[DEM_COMPONENTS] = {0.0};
  if (b->loaded_is_stale)
    list_loaded(s, b);
  uint32_t k = 0;
  for (uint32_t i = b->first_grain; i < b->first_grain + b->grain_count; i++) {
    clump *c = &s->grains[i];
    vec3 axes[3], force = {0.0, 0.0, 0.0}, torque = {0.0, 0.0, 0.0};
    quaternion_axes(c->turn, axes);
    for (uint32_t end = c->first + c->count - b->first; k < b->loaded_count && b->loaded[k] < end; k++) {
      uint32_t sphere = b->first + b->loaded[k];
      vec3 f, t, d = vec3_in_axes(axes, s->arms[sphere]);
      if (k + AHEAD < b->loaded_count)
        prefetch_loads(s, b->first + b->loaded[k + AHEAD]);
      forces_gather(s, sphere, &f, &t);
      force = vec3_add(force, f);
      torque = vec3_add(torque, vec3_add(t, vec3_cross(d, f)));
      virial[DEM_XX] += f.x * d.x;
      virial[DEM_YY] += f.y * d.y;
      virial[DEM_ZZ] += f.z * d.z;
      virial[DEM_XY] += f.x * d.y;
      virial[DEM_XZ] += f.x * d.z;
      virial[DEM_YZ] += f.y * d.z;
    }
    c->force = force;
    c->torque = torque;
  }
  for (int m = 0; m < DEM_COMPONENTS; m++)
    b->sums.virial[m] -= virial[m];
}

void dem_clumps_gather(dem_simulation *s)
{
  thread_pool_run(s->workers, gather_block, &s, s->block_count);
}

/* ---- Motion of the spheres --------------------------------------------------------------------------------------- */

void dem_clump_start_travel(const dem_simulation *s, size_t i)
{
  clump *c = &s->grains[i];
  double square = 0.0;
  for (uint32_t k = c->first; k < c->first + c->count; k++)
    square = fmax(square, vec3_dot(s->arms[k], s->arms[k]));
  c->reach = 1.001 * sqrt(square); /* more than rounding takes from bounds */
  c->turn_at_listing = c->turn;
}

/*
 * The mean flow moves the centroid: to a sphere, the flow at the end of its arm is a movement of its own. The cell's
 * movement is that of the same step.
 */
motion dem_clump_sphere_motion(const dem_simulation *s, size_t i)
{
  if (!s->clumps_have_moved)
    return s->motions[i];
  const clump *c = dem_grain_of_sphere(s, (uint32_t)i);
  vec3 axes[3];
  quaternion_axes(c->turn_before, axes);
  vec3 own = vec3_scale(s->clump_dt, c->v), before = vec3_in_axes(axes, s->arms[i]);
  vec3 swing =
      vec3_subtract(vec3_subtract(dem_clump_lever(s, (uint32_t)i), before), upper_matrix_times(s->movement, before));
  double rate = 1.0 / s->clump_dt;
  return (motion){.v = vec3_scale(rate, vec3_add(own, swing)), .w = vec3_scale(rate, c->turned)};
}

void dem_clumps_find_motions(const dem_simulation *s)
{
  for (size_t i = 0; s->grains && i < s->count; i++)
    s->motions[i] = dem_clump_sphere_motion(s, i);
}
