/* SPDX-License-Identifier: MIT */
/*
 * The stiffness of lattices.
 *
 * Oracle: the closed forms of lattice_forms.h, with and without the initial stress. The spheres of the diamond lattice
 * are no centres of symmetry: its C44 requires the solution of the equations.
 */
#include "moduli_support.h"

#include "lattice_forms.h"
#include "moduli/moduli.h"

static const double radius = 1e-3;

/* ---- Lattices ---------------------------------------------------------------------------------------------------- */

typedef struct lattice {
  const char *name;
  lattice_form *form;
  double (*pressure)(stiff c);
} lattice;

static const lattice lattices[] = {{"sc", lattice_form_sc, lattice_pressure_sc},
                                   {"fcc", lattice_form_fcc, lattice_pressure_fcc},
                                   {"diamond", lattice_form_diamond, lattice_pressure_diamond}};

enum { LATTICES = sizeof lattices / sizeof *lattices, DIAMOND = 2 };

/* Diamond: two face-centred lattices, a quarter of the diagonal apart. */
static void write_diamond(const char *dir, const int cells[3], double overlap)
{
  static const double sites[8][3] = {{0, 0, 0}, {0, 2, 2}, {2, 0, 2}, {2, 2, 0},
                                     {1, 1, 1}, {1, 3, 3}, {3, 1, 3}, {3, 3, 1}};
  double quarter = 2.0 * radius * (1.0 - overlap) / sqrt(3.0);
  size_t count = 0, all = (size_t)(8 * cells[0] * cells[1] * cells[2]);
  vec3 *x = malloc(all * sizeof *x);
  double *radii = malloc(all * sizeof *radii);
  ck_assert(x && radii);
  for (int i = 0; i < cells[0]; i++)
    for (int j = 0; j < cells[1]; j++)
      for (int k = 0; k < cells[2]; k++)
        for (int site = 0; site < 8; site++) {
          x[count] = vec3_scale(quarter, (vec3){4.0 * i + sites[site][0] + 0.3, 4.0 * j + sites[site][1] + 0.3,
                                                4.0 * k + sites[site][2] + 0.3});
          radii[count++] = radius;
        }
  upper_matrix cell = {4.0 * quarter * cells[0], 4.0 * quarter * cells[1], 4.0 * quarter * cells[2], 0.0, 0.0, 0.0};
  dem_write_spheres(dir, "diamond.txt", cell, count, x, radii, NULL);
  free(x);
  free(radii);
}

static dem_case case_of(int kind, const char *dir, const int cells[3], double overlap, jager_model model)
{
  dem_case run = dem_still_case(1e-8);
  run.contact.model = model;
  run.contact.linear_kn = 2e6;
  run.contact.linear_kt = 1.3e6;
  run.assembly.lattice = (dem_lattice){.kind = kind == 0 ? DEM_LATTICE_SC : DEM_LATTICE_FCC,
                                       .cells = {cells[0], cells[1], cells[2]},
                                       .radius = radius,
                                       .overlap = overlap};
  run.assembly.source = DEM_SOURCE_LATTICE;
  if (kind == DIAMOND) {
    write_diamond(dir, cells, overlap);
    dem_take_file(&run, dir, "diamond.txt");
  }
  return run;
}

/* ---- Comparison -------------------------------------------------------------------------------------------------- */

/* The largest error over the largest entry. */
static double cubic_error(const double c[VOIGT][VOIGT], lattice_moduli m)
{
  double expected[VOIGT][VOIGT] = {{0.0}};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      expected[i][j] = i == j ? m.c11 : m.c12;
    expected[i + 3][i + 3] = m.c44;
  }
  return stiffness_difference(c, (const double(*)[VOIGT])expected);
}

static double lattice_error(int kind, jager_model model, double overlap, const int cells[3], const char *dir)
{
  SCOPED_CASE run = case_of(kind, dir, cells, overlap, model);
  SCOPED_SIMULATION s = dem_create(&run, 1);
  moduli_result r = moduli_of(s);
  stiff c = stiff_of_spheres(&run, radius, overlap);
  double p = lattices[kind].pressure(c);
  double springs = cubic_error(matrix_of(r, MODULI_SPRINGS), lattices[kind].form(c));
  double stressed = cubic_error(matrix_of(r, MODULI_STRESSED), lattice_with_stress(lattices[kind].form, c, p));
  assert_within(r.p / p, 1.0, 1e-10);
  ck_assert_uint_eq(r.rattlers, 0);
  ck_assert_uint_eq(r.floppy, 0);
  ck_assert_int_eq(r.resisted, 6);
  ck_assert(r.is_stable);
  return fmax(springs, stressed);
}

TEST(moduli_are_those_of_the_closed_forms)
{
  static const int cells[][3] = {{4, 3, 5}, {3, 3, 3}, {6, 4, 4}};
  const jager_model models[] = {JAGER_MODEL_JAGER, JAGER_MODEL_LINEAR, JAGER_MODEL_HERTZ_MINDLIN,
                                JAGER_MODEL_MODIFIED_MINDLIN, JAGER_MODEL_ZHANG_VUQUOC};
  char *dir = scratch_make();
  for (int kind = 0; kind < LATTICES; kind++) {
    double worst = 0.0;
    for (int k = 0; k < 5; k++)
      for (double overlap = 1e-4; overlap < 2e-2; overlap *= 10.0)
        worst = fmax(worst, lattice_error(kind, models[k], overlap, cells[k % 3], dir));
    printf("%s: stiffness off by %.1e of its largest entry\n", lattices[kind].name, worst);
    ck_assert_double_le(worst, 1e-10);
  }
  scratch_remove(dir);
}

/* Springs without relaxation: C44 of the diamond is 9a ((kn - kt)/9 + kt/6). */
TEST(affine_moduli_are_sums)
{
  char *dir = scratch_make();
  static const int cells[3] = {3, 3, 3};
  SCOPED_CASE run = case_of(DIAMOND, dir, cells, 1e-3, JAGER_MODEL_JAGER);
  SCOPED_SIMULATION s = dem_create(&run, 1);
  moduli_result r = moduli_of(s);
  stiff c = stiff_of_spheres(&run, radius, 1e-3);
  lattice_moduli m = lattice_form_diamond(c);
  double a = sqrt(3.0) / (12.0 * c.d);
  m.c44 = 9.0 * a * ((c.kn - c.kt) / 9.0 + c.kt / 6.0);
  ck_assert_double_le(cubic_error(matrix_of(r, MODULI_AFFINE), m), 1e-11);
  scratch_remove(dir);
}

/* ---- Friction ---------------------------------------------------------------------------------------------------- */

/* Without friction kt = 0: the simple cubic lattice resists no shear, and under pressure it is not stable. */
TEST(without_friction_nothing_sticks)
{
  static const int cells[3] = {4, 4, 4};
  for (int kind = 0; kind < 2; kind++) {
    dem_case run = case_of(kind, "", cells, 1e-3, JAGER_MODEL_JAGER);
    run.material.friction = 0.0;
    SCOPED_SIMULATION s = dem_create(&run, 1);
    moduli_result r = moduli_of(s);
    stiff c = stiff_of(&run);
    c.kt = 0.0;
    ck_assert_double_le(cubic_error(matrix_of(r, MODULI_SPRINGS), lattices[kind].form(c)), 1e-10);
    ck_assert_double_le(cubic_error(matrix_of(r, MODULI_STRESSED),
                                    lattice_with_stress(lattices[kind].form, c, lattices[kind].pressure(c))),
                        1e-10);
    ck_assert_int_eq(r.resisted, kind == 0 ? 3 : 6);
    ck_assert_int_eq(r.is_stable, kind != 0);
    for (int i = 0; i < 3; i++)
      ck_assert(isfinite(r.waves.p[i]) && isfinite(r.waves.s[i][(i + 1) % 3]));
  }
}

/* ---- Averages, waves, exponents ---------------------------------------------------------------------------------- */

/* Cubic: K = (C11 + 2 C12)/3, and Voigt's G = (C11 - C12 + 3 C44)/5; waves have C11 and C44. */
TEST(averages_and_waves_are_those_of_cubic_crystals)
{
  static const int cells[3] = {4, 3, 5};
  dem_case run = case_of(1, "", cells, 1e-3, JAGER_MODEL_JAGER);
  SCOPED_SIMULATION s = dem_create(&run, 1);
  moduli_result r = moduli_of(s);
  stiff c = stiff_of(&run);
  double p = lattice_pressure_fcc(c),
         density = run.material.density * PI / (3.0 * sqrt(2.0)) * pow(2.0 * radius / c.d, 3.0);
  lattice_moduli m = lattice_with_stress(lattice_form_fcc, c, p);
  double bulk = (m.c11 + 2.0 * m.c12) / 3.0, shear = (m.c11 - m.c12 + 3.0 * m.c44) / 5.0;
  const moduli_averages *a = &r.averages[MODULI_STRESSED];
  assert_within(a->bulk / bulk, 1.0, 1e-11);
  assert_within(a->shear / shear, 1.0, 1e-11);
  assert_within(a->young / (9.0 * bulk * shear / (3.0 * bulk + shear)), 1.0, 1e-11);
  assert_within(a->poisson, a->young / (2.0 * shear) - 1.0, 1e-11);
  assert_within(r.density / density, 1.0, 1e-11);
  for (int i = 0; i < 3; i++) {
    assert_within(r.waves.p[i] / sqrt(m.c11 / density), 1.0, 1e-11);
    assert_within(r.waves.s[i][(i + 1) % 3] / sqrt(m.c44 / density), 1.0, 1e-11);
    assert_within(r.waves.s[i][(i + 2) % 3] / sqrt(m.c44 / density), 1.0, 1e-11);
  }
}

/* The distance of a cubic stiffness from isotropy, by its eigenvalues 2 C44 (three times) and C11 - C12 (twice). */
TEST(anisotropy_is_a_distance_of_tensors)
{
  double c11 = 7.0, c12 = 2.0, c44 = 4.0, c[VOIGT][VOIGT] = {{0.0}};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      c[i][j] = i == j ? c11 : c12;
    c[i + 3][i + 3] = c44;
  }
  double mean = (2.0 * (c11 - c12) + 3.0 * 2.0 * c44) / 5.0, bulk = (c11 + 2.0 * c12) / 3.0;
  double off = 2.0 * pow(c11 - c12 - mean, 2.0) + 3.0 * pow(2.0 * c44 - mean, 2.0);
  moduli_averages a = moduli_averages_of((const double(*)[VOIGT])c);
  assert_within(a.anisotropy, sqrt(off / (9.0 * bulk * bulk + 5.0 * mean * mean)), 1e-15);
}

static moduli_fit exponent_of(jager_contour contour, jager_model model)
{
  static const int cells[3] = {3, 3, 3};
  double p[5], g[5];
  for (int k = 0; k < 5; k++) {
    dem_case run = case_of(1, "", cells, 1e-6 * pow(10.0, 0.5 * k), model);
    run.contact.contour = contour;
    run.contact.slope = 0.1;
    SCOPED_SIMULATION s = dem_create(&run, 1);
    moduli_result r = moduli_of(s);
    p[k] = r.p;
    g[k] = r.averages[MODULI_SPRINGS].shear;
  }
  return moduli_fit_power(p, g, 5);
}

/* kn ∝ Fn/ζ, and Fn ∝ ζ^(3/2) for spheres, ζ² for cones, ζ for linear springs. d changes by 1e-4: so does p. */
TEST(moduli_grow_with_a_power_of_pressure)
{
  moduli_fit sphere = exponent_of(JAGER_CONTOUR_SPHERE, JAGER_MODEL_JAGER);
  moduli_fit cone = exponent_of(JAGER_CONTOUR_CONE, JAGER_MODEL_JAGER);
  moduli_fit linear = exponent_of(JAGER_CONTOUR_SPHERE, JAGER_MODEL_LINEAR);
  printf("exponents: spheres %.6f, cones %.6f, linear springs %.6f\n", sphere.exponent, cone.exponent, linear.exponent);
  assert_within(sphere.exponent, 1.0 / 3.0, 1e-4);
  assert_within(cone.exponent, 0.5, 1e-4);
  assert_within(linear.exponent, 0.0, 1e-4);
  ck_assert_double_le(sphere.standard_error, 1e-4);
}

/* Scatter with a known result: residuals ±e in the pattern + - - + do not change the slope, and have Σ e² = 4e². */
TEST(the_standard_error_is_that_of_the_scatter)
{
  double x[4], y[4];
  static const double off[4] = {1.0, -1.0, -1.0, 1.0};
  for (int i = 0; i < 4; i++) {
    x[i] = exp(i);
    y[i] = 2.0 * exp(0.4 * i + 0.01 * off[i]);
  }
  moduli_fit fit = moduli_fit_power(x, y, 4);
  assert_within(fit.exponent, 0.4, 1e-14);
  assert_within(fit.factor, 2.0, 1e-13);
  assert_within(fit.standard_error, sqrt(4e-4 / 2.0 / 5.0), 1e-14); /* Σ (x - mean)² = 5 */
}
