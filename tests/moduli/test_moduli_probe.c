/* SPDX-License-Identifier: MIT */
/*
 * The stiffness of random packings against the simulator.
 *
 * Oracle: the simulator strains the same state by ±h in each of the six components, lets it come to rest, and the
 * stresses are measured: (σ(+h) - σ(-h))/(2h) for Cauchy's stress, with everything that changes forces: springs,
 * turning normals, twirl, arms, volume. Friction is so large that all contacts stick. A shear of the cell, ∂u_x/∂z,
 * also rotates it by half the angle, which turns the stress: that part is added to the computed stiffness. Seeds: 1 and
 * 2. Agreement ends where rounding moves the spheres that have come to rest; the test of the operator, which needs no
 * rest, is sharper.
 *
 * States are anisotropic, with shear forces in the contacts: packed with friction, compressed along z, then at rest.
 */
#include "moduli_support.h"

#include "dem/drive.h"

static const double strain_step = 1e-7;

/* After the rest, one step of strain, and rest again */
static dem_case probe_case(jager_model model, jager_contour contour, uint64_t seed)
{
  dem_case run = sheared_case(model, contour, seed, 80, 1e4);
  dem_add_stage(&run, "probe", 1);
  dem_add_stage(&run, "hold", 1000000);
  return run;
}

static void stress_after(const char *path, const dem_case *model, int component, double strain,
                         double stress[DEM_COMPONENTS])
{
  dem_case run = *model;
  dem_checkpoint_notes notes;
  error_info error = {.text = ""};
  run.stages[2].control[component] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = strain};
  SCOPED_SIMULATION s = dem_restore(&run, path, 1, &notes, &error);
  ck_assert_msg(s != NULL, "%s", error.text);
  free((void *)notes.input);
  dem_steps(s, 8000);
  dem_stress(s, stress);
}

/* The place of a component of the simulator in Voigt's order. */
static const int voigt_of[DEM_COMPONENTS] = {0, 1, 2, 5, 4, 3};

/*
 * What the rotation of the cell adds to dσ/dγ. The gradient -γ e_i ⊗ e_j, i < j, is the strain γ, compression positive,
 * and the rotation W = -γ/2 (e_i ⊗ e_j - e_j ⊗ e_i), by which the stress changes by Wσ - σW.
 */
static void add_rotation(int component, const double v[VOIGT], double column[VOIGT])
{
  double stress[3][3], w[3][3] = {{0.0}};
  int i = voigt_pair[component][0], j = voigt_pair[component][1];
  for (int k = 0; k < VOIGT; k++)
    stress[voigt_pair[k][0]][voigt_pair[k][1]] = stress[voigt_pair[k][1]][voigt_pair[k][0]] = v[k];
  w[i][j] = -0.5;
  w[j][i] = 0.5;
  for (int k = 0; k < VOIGT; k++) {
    int a = voigt_pair[k][0], b = voigt_pair[k][1];
    for (int c = 0; c < 3; c++)
      column[k] += w[a][c] * stress[c][b] - stress[a][c] * w[c][b];
  }
}

static double probe_difference(const char *name, const dem_case *run)
{
  char *dir = scratch_make();
  char *path = strdup(scratch_path(dir, "state.jck"));
  error_info error = {.text = ""};
  dem_checkpoint_notes notes = {.input = ""};
  SCOPED_SIMULATION s = dem_create(run, 1);
  dem_run_to_stage(s, 2);
  while (!dem_simulation_events(s).stage_ended)
    dem_steps(s, 1);
  ck_assert_msg(dem_checkpoint_write(s, path, NULL, &notes, &error), "%s", error.text);
  moduli_result r = moduli_of(s);
  double measured[VOIGT][VOIGT], computed[VOIGT][VOIGT];
  for (int k = 0; k < DEM_COMPONENTS; k++) {
    double ends[2][DEM_COMPONENTS], factor = k <= DEM_ZZ ? 1.0 : 2.0, column[VOIGT];
    for (int side = 0; side < 2; side++)
      stress_after(path, run, k, side == 0 ? strain_step : -strain_step, ends[side]);
    for (int i = 0; i < VOIGT; i++)
      column[i] = r.stiffness[MODULI_STRESSED][i][voigt_of[k]];
    if (k > DEM_ZZ)
      add_rotation(voigt_of[k], r.stress, column);
    for (int i = 0; i < DEM_COMPONENTS; i++) {
      measured[voigt_of[i]][voigt_of[k]] = (ends[0][i] - ends[1][i]) / (2.0 * strain_step * factor);
      computed[voigt_of[i]][voigt_of[k]] = column[voigt_of[i]];
    }
  }
  double difference = stiffness_difference((const double(*)[VOIGT])computed, (const double(*)[VOIGT])measured);
  double without = stiffness_difference(matrix_of(r, MODULI_SPRINGS), (const double(*)[VOIGT])measured);
  dem_measures m = dem_measured(s);
  printf(
      "%s: C from probes within %.1e; without the initial stress within %.1e; p %.3g kPa, q %.3g kPa, G %.4g MPa, mean "
      "Ft/Fn %.2g, unbalanced %.1e\n",
      name, difference, without, 1e-3 * r.p, 1e-3 * m.q, 1e-6 * r.averages[MODULI_STRESSED].shear,
      m.shear_force_mean / m.normal_force_mean, r.unbalanced);
  ck_assert_double_ge(without, 1e-3); /* the initial stress matters here */
  free(path);
  scratch_remove(dir);
  return difference;
}

TEST(stiffness_is_that_of_probes)
{
  static const struct {
    const char *name;
    jager_model model;
    jager_contour contour;
    uint64_t seed;
    double limit;
  } states[] = {{"linear", JAGER_MODEL_LINEAR, JAGER_CONTOUR_SPHERE, 2, 5e-5},
                {"jager", JAGER_MODEL_JAGER, JAGER_CONTOUR_SPHERE, 2, 3e-4},
                {"jager, cones", JAGER_MODEL_JAGER, JAGER_CONTOUR_CONE, 1, 6e-4}};
  for (size_t k = 0; k < sizeof states / sizeof *states; k++) {
    dem_case run = probe_case(states[k].model, states[k].contour, states[k].seed);
    ck_assert_double_le(probe_difference(states[k].name, &run), states[k].limit);
  }
}
