/* SPDX-License-Identifier: MIT */
/*
 * Grains of several spheres in snapshots.
 *
 * Oracles: a rigid body's spheres keep their places in its axes; sums over the views of spheres and contacts; the
 * stress of the simulator, of which the mean stresses of all grains are the parts.
 */
#include "dem_support.h"

#include "dem/shape.h"
#include "dem/snapshot.h"

FIXTURE_ONCE(make_directory, remove_directory)

enum { GRAINS = 70, SHAPES = 2 };
static const char *const shape_names[SHAPES] = {"nevada", "tetrahedron"};

/* Random grains of both shapes, packed and then sheared, in equal shares; no damping, which would add to the stress. */
static dem_case sand_case(void)
{
  static const dem_shape_form form = {NAN, NAN, NAN};
  dem_case run = dem_case_default();
  dem_packing *packing = &run.assembly.packing;
  error_info error;
  dem_stage *stage = dem_add_stage(&run, "shear", 2000);
  stage->control[DEM_XZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 1e-5};
  run.damping = stage->damping = (dem_damping){0.0, 0.0, 0.0};
  dem_take_packing(&run, GRAINS, 10e6);
  packing->initial_density = 0.25;
  packing->shapes = calloc(SHAPES, sizeof *packing->shapes);
  packing->shape_count = SHAPES;
  for (int k = 0; k < SHAPES; k++) {
    ck_assert(dem_shape_make_named(&packing->shapes[k].shape, shape_names[k], &form, &error));
    dem_shape_normalise(&packing->shapes[k].shape);
    packing->shapes[k].share = 1.0;
  }
  return run;
}

/* The nearest image of a vector */
static vec3 nearest(const dem_snapshot *snap, vec3 v)
{
  const double(*h)[3] = snap->cell;
  double c = round(v.z / h[2][2]);
  v = vec3_subtract(v, (vec3){c * h[0][2], c * h[1][2], c * h[2][2]});
  double b = round(v.y / h[1][1]);
  v = vec3_subtract(v, (vec3){b * h[0][1], b * h[1][1], 0.0});
  return vec3_subtract(v, (vec3){round(v.x / h[0][0]) * h[0][0], 0.0, 0.0});
}

static vec3 arm_of(const dem_snapshot *snap, const dem_grain_view *grain, const dem_sphere_view *sphere)
{
  return nearest(snap, vec3_subtract(vec3_load(sphere->position), vec3_load(grain->position)));
}

static quaternion turn_of(const dem_grain_view *grain)
{
  const double *q = grain->quaternion;
  return (quaternion){q[0], q[1], q[2], q[3]};
}

TEST(spheres_are_where_their_grain_has_them)
{
  SCOPED_CASE run = sand_case();
  SCOPED_SIMULATION s = dem_create(&run, 2);
  dem_snapshot snap;
  dem_run_to_stage(s, 1);
  dem_steps(s, 1500);
  assert_ok(dem_snapshot_take(s, &snap));
  ck_assert_uint_eq(snap.grain_count, GRAINS);
  uint32_t next = 0;
  double worst = 0.0, extent_error = 0.0, volume_error = 0.0, spin_error = 0.0;
  const dem_grain_view *first_of[SHAPES] = {NULL};
  for (uint32_t i = 0; i < GRAINS; i++) {
    const dem_grain_view *g = &snap.grains[i], *like = first_of[g->shape];
    const double *q = g->quaternion;
    ck_assert_uint_eq(g->id, i);
    ck_assert_uint_eq(g->first_sphere, next);
    ck_assert_double_le(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0), 1e-12);
    like = first_of[g->shape] = like ? like : g;
    ck_assert_uint_eq(g->spheres, like->spheres);
    double extent = 0.0;
    for (uint32_t k = 0; k < g->spheres; k++) {
      const dem_sphere_view *sphere = &snap.spheres[g->first_sphere + k], *same = &snap.spheres[like->first_sphere + k];
      ck_assert_uint_eq(sphere->id, g->first_sphere + k);
      ck_assert_uint_eq(sphere->grain, i);
      vec3 arm = arm_of(&snap, g, sphere), in_body = quaternion_turn(quaternion_inverse(turn_of(g)), arm);
      vec3 expected = quaternion_turn(quaternion_inverse(turn_of(like)), arm_of(&snap, like, same));
      vec3 error = vec3_subtract(vec3_scale(1.0 / g->diameter, in_body), vec3_scale(1.0 / like->diameter, expected));
      worst = fmax(worst, vec3_length(error));
      extent = fmax(extent, vec3_length(arm) + sphere->radius);
      vec3 spin = vec3_subtract(vec3_load(sphere->angular_velocity), vec3_load(g->angular_velocity));
      spin_error = fmax(spin_error, vec3_length(spin) / vec3_length(vec3_load(g->angular_velocity)));
    }
    extent_error = fmax(extent_error, fabs(extent / g->extent - 1.0));
    volume_error = fmax(volume_error, fabs(g->mass / (run.material.density * sphere_volume(0.5 * g->diameter)) - 1.0));
    next += g->spheres;
  }
  ck_assert_uint_eq(next, snap.sphere_count);
  for (int k = 0; k < SHAPES; k++)
    ck_assert(first_of[k] != NULL);
  printf("places in the axes of the grain within %.1e diameters, extent %.1e, mass %.1e, spin of spheres %.1e\n", worst,
         extent_error, volume_error, spin_error);
  ck_assert_double_le(worst, 1e-12);
  ck_assert_double_le(extent_error, 1e-9);
  ck_assert_double_le(volume_error, 1e-9);
  ck_assert_double_le(spin_error, 1e-3);
  dem_snapshot_free(&snap);
}

TEST(loads_of_grains_are_sums_over_contacts)
{
  SCOPED_CASE run = sand_case();
  SCOPED_SIMULATION s = dem_create(&run, 1);
  dem_snapshot snap;
  vec3 force[GRAINS] = {{0.0, 0.0, 0.0}}, torque[GRAINS] = {{0.0, 0.0, 0.0}};
  uint32_t touching[GRAINS] = {0};
  double mean_force = 0.0, worst_force = 0.0, worst_torque = 0.0, trace = 0.0;
  dem_run_to_stage(s, 1);
  dem_steps(s, 1500);
  assert_ok(dem_snapshot_take(s, &snap));
  for (size_t i = 0; i < snap.contact_count; i++) {
    const dem_contact_view *c = &snap.contacts[i];
    mean_force += c->fn / (double)snap.contact_count;
    for (int k = 0; k < 2; k++) {
      const dem_sphere_view *sphere = &snap.spheres[c->ids[k]];
      double sign = k == 0 ? 1.0 : -1.0;
      vec3 on = vec3_scale(-sign, vec3_load(c->force)), n = vec3_scale(sign, vec3_load(c->normal));
      vec3 arm = vec3_add_scaled(arm_of(&snap, &snap.grains[sphere->grain], sphere), sphere->radius - c->zeta, n);
      force[sphere->grain] = vec3_add(force[sphere->grain], on);
      torque[sphere->grain] = vec3_add(torque[sphere->grain], vec3_cross(arm, on));
      touching[sphere->grain]++;
    }
  }
  for (size_t i = 0; i < GRAINS; i++) {
    const dem_grain_view *g = &snap.grains[i];
    ck_assert_uint_eq(g->contacts, touching[i]);
    worst_force = fmax(worst_force, vec3_length(vec3_subtract(vec3_load(g->force), force[i])));
    worst_torque = fmax(worst_torque, vec3_length(vec3_subtract(vec3_load(g->torque), torque[i])) / g->diameter);
    trace += 3.0 * g->pressure * sphere_volume(0.5 * g->diameter);
  }
  double expected = s->virial[DEM_XX] + s->virial[DEM_YY] + s->virial[DEM_ZZ];
  printf("force %.1e, torque %.1e of the mean contact force; stresses of grains sum to the virial within %.1e\n",
         worst_force / mean_force, worst_torque / mean_force, fabs(trace / expected - 1.0));
  ck_assert_uint_gt(snap.contact_count, 100);
  ck_assert_double_le(worst_force, 1e-12 * mean_force);
  ck_assert_double_le(worst_torque, 1e-10 * mean_force);
  ck_assert_double_le(fabs(trace / expected - 1.0), 1e-12);
  dem_snapshot_free(&snap);
}

TEST(spheres_are_their_own_grains)
{
  SCOPED_CASE run = dem_still_case(1e-8);
  dem_snapshot snap;
  static const char text[] = "cell 1 1 1\n0.5 0.5 0.5 0.1\n0.1 0.1 0.1 0.05\n0.9 0.5 0.1 0.05\n";
  scratch_write(directory, "spheres", text, sizeof text - 1);
  dem_take_file(&run, directory, "spheres");
  SCOPED_SIMULATION s = dem_create(&run, 1);
  assert_ok(dem_snapshot_take(s, &snap));
  ck_assert(snap.grain_count == 0 && snap.grains == NULL && snap.sphere_count == 3);
  for (uint32_t i = 0; i < 3; i++)
    ck_assert_uint_eq(snap.spheres[i].grain, i);
  dem_snapshot_free(&snap);
}
