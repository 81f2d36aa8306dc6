/* SPDX-License-Identifier: MIT */
/* Grains of several spheres: rigid clumps. */
#include "grains.h"
#include "step.h"

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

bool dem_clumps_allocate(dem_simulation *s, const dem_layout *layout, error_info *error)
{
  s->grain_count = layout->grains > 0 ? layout->grains : s->count;
  if (layout->grains == 0)
    return true;
  s->grains = calloc(layout->grains, sizeof *s->grains);
  s->grain_of = calloc(s->count, sizeof *s->grain_of);
  s->arms = calloc(s->count, sizeof *s->arms);
  s->levers = calloc(s->count, sizeof *s->levers);
  if (!s->grains || !s->grain_of || !s->arms || !s->levers)
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
  free(s->levers);
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

/* v turned by Cayley's vector 2u: v + 2 u × (v + u × v)/(1 + u²) */
static vec3 cayley_turn(vec3 u, vec3 v)
{
  vec3 inner = vec3_add(v, vec3_cross(u, v));
  return vec3_add_scaled(v, 2.0 / (1.0 + vec3_dot(u, u)), vec3_cross(u, inner));
}

/*
 * Euler's equations by the implicit midpoint rule. Let Π = RᵀL be the angular momentum in body axes, R the rotation. A
 * turn by Cayley's vector c = ω Δt in body axes takes Π to Π' with
 *
 *     Π' - Π = -c × (Π + Π')/2,        ω = J⁻¹ (Π + Π')/2.
 *
 * The first keeps L and |Π|, both together the energy Π·J⁻¹Π/2; and with Δt of the other sign they lead back. ω is
 * found by iteration, which gains a factor of about ω Δt each time.
 */
vec3 dem_clump_turn(clump *c, double dt)
{
  enum { ITERATIONS_MAX = 40 };
  vec3 before = to_body(c, c->momentum), spin = spin_in_body(c, before), half = {0.0, 0.0, 0.0};
  for (int k = 0; k < ITERATIONS_MAX; k++) {
    half = vec3_scale(0.5 * dt, spin);
    vec3 after = cayley_turn(vec3_scale(-1.0, half), before);
    vec3 next = spin_in_body(c, vec3_scale(0.5, vec3_add(before, after))), change = vec3_subtract(next, spin);
    spin = next;
    if (vec3_dot(change, change) <= 1e-32 * vec3_dot(next, next))
      break;
  }
  c->turn = quaternion_normalise(quaternion_times(c->turn, (quaternion){1.0, half.x, half.y, half.z}));
  return quaternion_turn(c->turn, vec3_scale(2.0, half));
}

/* ---- Spheres and their grain ------------------------------------------------------------------------------------- */

void dem_clump_place_spheres(dem_simulation *s, size_t i)
{
  const clump *c = &s->grains[i];
  vec3 axes[3];
  quaternion_axes(c->turn, axes);
  for (uint32_t k = c->first; k < c->first + c->count; k++) {
    s->levers[k] = vec3_in_axes(axes, s->arms[k]);
    vec3_store(s->bodies[k].x, vec3_add(c->x, s->levers[k]));
  }
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

static void gather_block(void *context, size_t index)
{
  const dem_simulation *s = *(dem_simulation **)context;
  block *b = &s->blocks[index];
  double virial[DEM_COMPONENTS] = {0.0};
  for (uint32_t i = b->first_grain; i < b->first_grain + b->grain_count; i++) {
    clump *c = &s->grains[i];
    c->force = c->torque = (vec3){0.0, 0.0, 0.0};
    for (uint32_t k = c->first; k < c->first + c->count; k++) {
      vec3 f, t, d = s->levers[k];
      forces_gather(s, k, &f, &t);
      c->force = vec3_add(c->force, f);
      c->torque = vec3_add(c->torque, vec3_add(t, vec3_cross(d, f)));
      virial[DEM_XX] += f.x * d.x;
      virial[DEM_YY] += f.y * d.y;
      virial[DEM_ZZ] += f.z * d.z;
      virial[DEM_XY] += f.x * d.y;
      virial[DEM_XZ] += f.x * d.z;
      virial[DEM_YZ] += f.y * d.z;
    }
  }
  for (int k = 0; k < DEM_COMPONENTS; k++)
    b->sums.virial[k] -= virial[k];
}

void dem_clumps_gather(dem_simulation *s)
{
  thread_pool_run(s->workers, gather_block, &s, s->block_count);
}
