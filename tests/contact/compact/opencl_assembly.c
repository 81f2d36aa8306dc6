/* SPDX-License-Identifier: MIT */
/*
 * The step of examples/opencl on a device. Oracles: the same kernels compiled as C, to the bit; an integrator of this
 * file on jager_pairs_move, to the bit, since every history fits its contact; conserved momentum; energy that only
 * falls. Seed 20261117.
 *     opencl_assembly SOURCE_DIR
 */
#include "assembly.h"

#include "jager/pairs.h"

enum { SKIPPED = 77, STEPS = 1500 };

static assembly on_device, on_host, before;

#define hold(condition)                                                                                                \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      printf("line %d: %s\n", __LINE__, #condition);                                                                   \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

/* in [-1, 1) */
static real random_number(uint32_t *seed)
{
  *seed = *seed * 747796405u + 2891336453u;
  return (real)(*seed >> 8) / 8388608.0 - 1.0;
}

static vec3 random_vector(uint32_t *seed, real reach)
{
  const real x = random_number(seed), y = random_number(seed), z = random_number(seed);
  const vec3 v = {reach * x, reach * y, reach * z};
  return v;
}

static void make_empty(assembly *a)
{
  const assembly empty = {.pairs = 0};
  *a = empty;
  a->of.law = jager_compact_law_of(0.15, 0.4);
  a->of.shear_modulus = 29e9;
  a->of.poisson = 0.15;
  a->of.dt = 4e-8;
}

/* Two spheres that hit each other obliquely, of unequal sizes and spinning */
static void make_impact(assembly *a)
{
  const vec3 x = {0, 0, 0}, y = {0.1e-3, 0.2e-3, 2.6e-3}, v = {0.3, 0.1, 1}, w = {-0.2, 0.3, -1.5},
             spin = {200, -300, 50}, rest = {0, 0, 0};
  make_empty(a);
  assembly_add(a, 1e-3, x, v, spin);
  assembly_add(a, 1.6e-3, y, w, rest);
  assembly_list(a, 1e-3);
}

/* A box of spheres of several sizes, with random velocities towards its middle */
static void make_box(assembly *a)
{
  uint32_t seed = 20261117;
  make_empty(a);
  for (int k = 0; k < ASSEMBLY_SPHERES; k++) {
    const vec3 grid = {1.01e-3 * (2 * (k % 4) - 3), 1.01e-3 * (2 * (k / 4 % 4) - 3), 1.01e-3 * (2 * (k / 16) - 3)};
    const vec3 v = jager_compact_vec3_add_scaled(random_vector(&seed, 0.5), -300.0, grid);
    assembly_add(a, 1e-3 + 0.01e-3 * random_number(&seed), grid, v, random_vector(&seed, 300.0));
  }
  assembly_list(a, 3e-4);
}

/* ---- The library ----------------------------------------------------------------------------------------------- */

typedef struct library {
  jager_law law;
  jager_pairs *pairs;
  jager_particle particles[ASSEMBLY_SPHERES];
  double v[ASSEMBLY_SPHERES][3], w[ASSEMBLY_SPHERES][3], before[ASSEMBLY_PAIRS][3];
  jager_pair list[ASSEMBLY_PAIRS];
  jager_wrench loads[ASSEMBLY_SPHERES];
} library;

static void library_take(library *l, const assembly *a)
{
  l->law = jager_law_default();
  hold(jager_law_set_bodies(&l->law, a->of.shear_modulus, a->of.poisson) == JAGER_OK);
  hold(jager_law_set_friction(&l->law, a->of.law.friction) == JAGER_OK);
  l->pairs = jager_pairs_create(0);
  hold(l->pairs);
  for (int k = 0; k < a->spheres; k++) {
    const sphere *s = &a->sphere[k];
    l->particles[k] = (jager_particle){{s->x.x, s->x.y, s->x.z}, s->radius, {0.0}, s->mass};
    memcpy(l->v[k], &s->v, sizeof l->v[k]);
    memcpy(l->w[k], &s->w, sizeof l->w[k]);
  }
  for (int k = 0; k < a->pairs; k++)
    l->list[k] = (jager_pair){(uint32_t)a->pair[k].p, (uint32_t)a->pair[k].q, JAGER_NONE, JAGER_NONE, 0, 0};
}

static void library_drift(library *l, const assembly *a)
{
  for (int k = 0; k < a->pairs; k++)
    for (int i = 0; i < 3; i++)
      l->before[k][i] = l->particles[l->list[k].q].x[i] - l->particles[l->list[k].p].x[i];
  for (int k = 0; k < a->spheres; k++) {
    const jager_vec3 turn = {a->of.dt * l->w[k][0], a->of.dt * l->w[k][1], a->of.dt * l->w[k][2]};
    const jager_vec3 cayley = jager_pair_cayley(turn);
    memcpy(l->particles[k].rotation, &cayley, sizeof cayley);
    for (int i = 0; i < 3; i++)
      l->particles[k].x[i] += a->of.dt * l->v[k][i];
  }
}

static void library_step(library *l, const assembly *a)
{
  library_drift(l, a);
  memset(l->loads, 0, sizeof l->loads);
  const jager_sweep sweep = {.size = sizeof(jager_sweep),
                             .laws = &l->law,
                             .law_count = 1,
                             .particles = l->particles,
                             .before = (const double(*)[3])l->before,
                             .pairs = l->list,
                             .count = (size_t)a->pairs,
                             .loads = l->loads,
                             .normalise = 1};
  hold(jager_pairs_move(l->pairs, &sweep, NULL, NULL) == JAGER_OK);
  for (int k = 0; k < a->spheres; k++) {
    const double mass = l->particles[k].mass, radius = l->particles[k].radius, inertia = 0.4 * mass * radius * radius;
    for (int i = 0; i < 3; i++) {
      l->v[k][i] += a->of.dt / mass * l->loads[k].force[i];
      l->w[k][i] += a->of.dt / inertia * l->loads[k].torque[i];
    }
  }
}

/* The largest difference between the assembly and the library, of velocities and of positions in units of radii */
static double library_difference(const library *l, const assembly *a)
{
  double largest = 0.0;
  for (int k = 0; k < a->spheres; k++)
    for (int i = 0; i < 3; i++) {
      largest = fmax(largest, fabs((&a->sphere[k].v.x)[i] - l->v[k][i]));
      largest = fmax(largest, fabs((&a->sphere[k].w.x)[i] - l->w[k][i]) * a->sphere[k].radius);
      largest = fmax(largest, fabs((&a->sphere[k].x.x)[i] - l->particles[k].x[i]) / a->sphere[k].radius);
    }
  return largest;
}

/* ---- Comparisons ----------------------------------------------------------------------------------------------- */

/* The longest history */
static int longest_history(const assembly *a)
{
  int longest = 0;
  for (int k = 0; k < a->pairs; k++)
    longest = (int)a->pair[k].contact.points > longest ? (int)a->pair[k].contact.points : longest;
  return longest;
}

static void compare_with_library(int steps)
{
  static library l;
  library_take(&l, &before);
  for (int k = 0; k < steps; k++)
    library_step(&l, &before);
  const double difference = library_difference(&l, &on_device);
  printf("  the library: difference %g\n", difference);
  hold(difference == 0.0);
  jager_pairs_destroy(l.pairs);
}

static void run(device *d, const char *name, void (*make)(assembly *), int steps)
{
  make(&before);
  on_device = on_host = before;
  assembly_run(&on_device, d, steps / 2);
  const int touching = assembly_contacts(&on_device), longest = longest_history(&on_device);
  assembly_run(&on_device, d, steps - steps / 2);
  assembly_run_on_host(&on_host, steps);
  hold(memcmp(on_device.sphere, on_host.sphere, sizeof on_host.sphere) == 0);
  hold(memcmp(on_device.pair, on_host.pair, sizeof on_host.pair) == 0);
  hold(assembly_contacts(&on_device) >= 0 && touching > 0);
  const vec3 p0 = assembly_momentum(&before), p = assembly_momentum(&on_device);
  const double error = jager_compact_vec3_length(jager_compact_vec3_subtract(p, p0));
  const double kinetic0 = assembly_kinetic(&before), kinetic = assembly_kinetic(&on_device);
  const double scale = sqrt(2.0 * kinetic0 * before.sphere[0].mass * before.spheres);
  printf("%s: %d spheres, %d pairs, %d touch half-way, at most %d points; as C on the host: the same bits\n", name,
         before.spheres, before.pairs, touching, longest);
  printf("  momentum: error %.1e of %.3g kg m/s; kinetic energy %.6g J, then %.6g J\n", error, scale, kinetic0,
         kinetic);
  hold(error <= 1e-13 * scale);
  hold(kinetic < kinetic0);
  compare_with_library(steps);
}

int main(int count, char **arguments)
{
  device d;
  if (count != 2)
    return 2;
  if (!device_open(&d)) {
    printf("skipped: there is no OpenCL device\n");
    return SKIPPED;
  }
  assembly_build(&d, arguments[1]);
  run(&d, "impact", make_impact, 400);
  run(&d, "box", make_box, STEPS);
  device_close(&d);
  return 0;
}
