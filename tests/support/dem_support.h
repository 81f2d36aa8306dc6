/* SPDX-License-Identifier: MIT */
/* Shared by the tests of the simulator: cases, simulations, spheres in files. Include it before any other header. */
#ifndef TEST_DEM_SUPPORT_H
#define TEST_DEM_SUPPORT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "dem/checkpoint/checkpoint.h"
#include "dem/contacts.h"
#include "dem/simulation_state.h" /* before check.h, which has a macro fail */

#include "scratch.h"
#include "support.h"

#define PI 3.14159265358979323846

/* Nothing moves by itself: no damping, no driving, one stage without an end. */
static inline dem_case dem_still_case(double dt)
{
  dem_case run = dem_case_default();
  run.damping = (dem_damping){0.0, 0.0, 0.0};
  run.time_step.fixed = dt;
  run.stage_count = 1;
  run.stages[0] = dem_stage_default(&run);
  snprintf(run.stages[0].name, sizeof run.stages[0].name, "still");
  run.stages[0].until.steps = 1000000000;
  return run;
}

static inline dem_simulation *dem_create(const dem_case *run, int threads)
{
  error_info error = {.text = ""};
  dem_simulation *s = dem_simulation_create(run, threads, &error);
  ck_assert_msg(s != NULL, "not created: %s", error.text);
  return s;
}

static inline void simulation_destroy(dem_simulation **s)
{
  dem_simulation_destroy(*s);
}

/* Variables that are freed at the end of their scope; a case is declared before its simulation. */
#define SCOPED_CASE __attribute__((cleanup(dem_case_free))) dem_case
#define SCOPED_SIMULATION __attribute__((cleanup(simulation_destroy))) dem_simulation *

/* Makes `count` steps, none of which may fail or be the last one. */
static inline void dem_steps(dem_simulation *s, long count)
{
  error_info error = {.text = ""};
  for (long k = 0; k < count; k++) {
    dem_progress progress = dem_simulation_step(s, &error);
    ck_assert_msg(progress == DEM_GOES_ON, "step %ld: %s", s->step, progress == DEM_DONE ? "the end" : error.text);
  }
}

/* One step; false when the last stage has ended. */
static inline bool dem_goes_on(dem_simulation *s)
{
  error_info error = {.text = ""};
  dem_progress progress = dem_simulation_step(s, &error);
  ck_assert_msg(progress != DEM_FAILED, "step %ld: %s", s->step, error.text);
  return progress == DEM_GOES_ON;
}

static inline void dem_run_to_end(dem_simulation *s)
{
  while (dem_goes_on(s))
    ;
}

static inline void dem_run_to_stage(dem_simulation *s, int stage)
{
  while (dem_simulation_stage(s) < stage)
    ck_assert(dem_goes_on(s));
}

static inline dem_measures dem_measured(const dem_simulation *s)
{
  dem_measures m;
  dem_simulation_measure(s, &m);
  return m;
}

static inline size_t dem_sphere(const dem_simulation *s, uint32_t id)
{
  for (size_t i = 0; i < s->count; i++)
    if (s->ids[i] == id)
      return i;
  ck_abort_msg("there is no sphere %u", id);
  return 0;
}

/* Writes the spheres as a file for the reader of assemblies, in this order (NULL: their own). */
static inline void dem_write_spheres(const char *dir, const char *name, upper_matrix cell, size_t count, const vec3 *x,
                                     const double *radius, const size_t *order)
{
  FILE *stream = fopen(scratch_path(dir, name), "w");
  ck_assert_ptr_nonnull(stream);
  fprintf(stream, "cell %.17g %.17g %.17g %.17g %.17g %.17g\n", cell.xx, cell.yy, cell.zz, cell.xy, cell.xz, cell.yz);
  for (size_t k = 0; k < count; k++) {
    size_t i = order ? order[k] : k;
    fprintf(stream, "%.17g %.17g %.17g %.17g\n", x[i].x, x[i].y, x[i].z, radius[i]);
  }
  ck_assert_int_eq(fclose(stream), 0);
}

/* The case takes its spheres from this file. */
static inline void dem_take_file(dem_case *run, const char *dir, const char *name)
{
  free(run->assembly.path);
  run->assembly.source = DEM_SOURCE_FILE;
  run->assembly.path = strdup(scratch_path(dir, name));
}

/* A small packing of random spheres: dense, and quick since it is soft; the stages of the case follow. */
static inline void dem_take_packing(dem_case *run, long spheres, double pressure)
{
  dem_packing *packing = &run->assembly.packing;
  run->assembly.source = DEM_SOURCE_PACKING;
  packing->spheres = spheres;
  packing->sizes = (dem_sizes){.distribution = DEM_SIZES_UNIFORM, .min = 0.8e-3, .max = 1.2e-3};
  packing->pressure = pressure;
  packing->friction = 0.0;
  packing->unbalanced = 5e-3;
  packing->max_steps = 50000;
}

static inline dem_stage *dem_add_stage(dem_case *run, const char *name, long steps)
{
  dem_stage *stage = &run->stages[run->stage_count++];
  *stage = dem_stage_default(run);
  snprintf(stage->name, sizeof stage->name, "%s", name);
  stage->until.steps = steps;
  return stage;
}

/* Spheres on their own, in the order of their ids. */
typedef struct dem_spheres {
  size_t count;
  vec3 *x;
  double *radius;
  upper_matrix cell;
} dem_spheres;

static inline dem_spheres dem_spheres_of(const dem_simulation *s)
{
  dem_spheres g = {.count = s->count, .cell = s->cell};
  g.x = malloc(g.count * sizeof *g.x);
  g.radius = malloc(g.count * sizeof *g.radius);
  ck_assert(g.x && g.radius);
  for (size_t i = 0; i < s->count; i++) {
    g.x[s->ids[i]] = vec3_load(s->bodies[i].x);
    g.radius[s->ids[i]] = s->bodies[i].radius;
  }
  return g;
}

static inline void dem_spheres_free(dem_spheres *g)
{
  free(g->x);
  free(g->radius);
}

/* Packed at 10 MPa, since that takes the fewest steps. */
static inline dem_spheres dem_pack(long spheres)
{
  dem_case run = dem_still_case(0.0);
  dem_take_packing(&run, spheres, 10e6);
  dem_simulation *s = dem_create(&run, 1);
  dem_run_to_stage(s, 1);
  dem_spheres g = dem_spheres_of(s);
  dem_simulation_destroy(s);
  return g;
}

/*
 * FIXTURE_PACKED(ONCE or EACH, SPHERES): `packed` are the spheres of a packing, `directory` is a scratch directory, and
 * packed_case() is a case without stages that begins with these spheres.
 */
#define FIXTURE_PACKED(when, spheres)                                                                                  \
  static dem_spheres packed;                                                                                           \
  static void make_packed(void)                                                                                        \
  {                                                                                                                    \
    make_directory();                                                                                                  \
    packed = dem_pack(spheres);                                                                                        \
  }                                                                                                                    \
  static void free_packed(void)                                                                                        \
  {                                                                                                                    \
    dem_spheres_free(&packed);                                                                                         \
    remove_directory();                                                                                                \
  }                                                                                                                    \
  CK_ATTRIBUTE_UNUSED static dem_case packed_case(void)                                                                \
  {                                                                                                                    \
    dem_case run = dem_case_default();                                                                                 \
    dem_write_spheres(directory, "packed", packed.cell, spheres, packed.x, packed.radius, NULL);                       \
    dem_take_file(&run, directory, "packed");                                                                          \
    return run;                                                                                                        \
  }                                                                                                                    \
  FIXTURE_##when(make_packed, free_packed)

static inline dem_control rate(double value)
{
  return (dem_control){.kind = DEM_CONTROL_STRAIN_RATE, .value = value};
}

static inline dem_control per_step(double value)
{
  return (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = value};
}

static inline dem_cyclic around(dem_quantity of, double amplitude, double center)
{
  return (dem_cyclic){.on = true, .of = of, .amplitude = amplitude, .center = center};
}

/* Opens, restores and closes a checkpoint. notes->input is allocated, or NULL on failure. */
static inline dem_simulation *dem_restore(const dem_case *run, const char *path, int threads,
                                          dem_checkpoint_notes *notes, error_info *error)
{
  dem_checkpoint *checkpoint = dem_checkpoint_open(path, error);
  dem_simulation *s = checkpoint ? dem_checkpoint_restore(checkpoint, run, threads, notes, error) : NULL;
  notes->input = s ? strdup(notes->input) : NULL;
  dem_checkpoint_close(checkpoint);
  return s;
}

/* How fast an error falls when the step is halved. */
static inline double dem_order(double coarse, double fine)
{
  return log2(coarse / fine);
}

static inline vec3 dem_unit(double x, double y, double z)
{
  vec3 v = {x, y, z};
  return vec3_scale(1.0 / vec3_length(v), v);
}

#endif
