/* SPDX-License-Identifier: MIT */
/*
 * Moduli, shapes and impacts for other languages. Oracles: `jager moduli --json` and `jager impact`; of spheres that
 * touch without overlap, sums over the spheres.
 */
#include "binding_support.h"

FIXTURE_EACH(make_directory, remove_directory)

/* The output of the program, to be freed. */
static char *output_of(const char *arguments)
{
  char *command;
  ck_assert_int_gt(asprintf(&command, "cd %s && %s %s > out 2> err", directory, JAGER_PROGRAM, arguments), 0);
  ck_assert_msg(system(command) == 0, "%s", command);
  free(command);
  return scratch_read(directory, "out", NULL);
}

/* ---- Moduli ------------------------------------------------------------------------------------------------------ */

static double member_of(const char *json, const char *name)
{
  char key[120];
  snprintf(key, sizeof key, "\"%s\": ", name);
  const char *at = strstr(json, key);
  ck_assert_msg(at != NULL, "no %s in %s", name, json);
  return strtod(at + strlen(key), NULL);
}

static void assert_member(const char *json, double value, const char *format, const char *a, const char *b)
{
  char name[100];
  snprintf(name, sizeof name, format, a, b);
  double expected = member_of(json, name);
  ck_assert_msg(!(value < expected) && !(value > expected), "%s is %.17g instead of %.17g", name, value, expected);
}

static void assert_moduli(const binding_simulation *s)
{
  static const char *const kinds[] = {"", "_springs", "_affine"}, *const components[] = {"xx", "yy", "zz",
                                                                                         "yz", "xz", "xy"};
  static const char *const digits[] = {"1", "2", "3", "4", "5", "6"}, *const axes[] = {"x", "y", "z"};
  binding_error error;
  binding_moduli m;
  ck_assert(binding_simulation_checkpoint(s, scratch_path(directory, "state.jck"), &error));
  uint64_t before = binding_simulation_hash(s);
  ck_assert(binding_simulation_moduli(s, 1, &m, NULL, &error));
  assert_done(error);
  ck_assert_uint_eq(binding_simulation_hash(s), before);
  char *json = output_of("moduli --json state.jck");
  assert_member(json, (double)m.spheres, "spheres", NULL, NULL);
  assert_member(json, (double)m.grains, "grains", NULL, NULL);
  assert_member(json, (double)m.rattlers, "rattlers", NULL, NULL);
  assert_member(json, (double)m.contacts, "contacts", NULL, NULL);
  assert_member(json, (double)m.floppy, "floppy", NULL, NULL);
  assert_member(json, m.p, "p", NULL, NULL);
  assert_member(json, m.density, "density", NULL, NULL);
  assert_member(json, m.unbalanced, "unbalanced", NULL, NULL);
  assert_member(json, m.residual, "residual", NULL, NULL);
  for (int k = 0; k < 3; k++) {
    assert_member(json, m.bulk[k], "bulk%s", kinds[k], NULL);
    assert_member(json, m.shear[k], "shear%s", kinds[k], NULL);
    assert_member(json, m.young[k], "young%s", kinds[k], NULL);
    assert_member(json, m.poisson[k], "poisson%s", kinds[k], NULL);
    assert_member(json, m.anisotropy[k], "anisotropy%s", kinds[k], NULL);
    assert_member(json, m.wave_p[k], "vp_%s", axes[k], NULL);
    for (int i = 0; i < 3; i++)
      if (i != k)
        assert_member(json, m.wave_s[k][i], "vs_%s%s", axes[k], axes[i]);
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++) {
        char first[8];
        snprintf(first, sizeof first, "%s%s", digits[i], digits[j]);
        assert_member(json, m.stiffness[k][i][j], "c%s%s", first, kinds[k]);
      }
  }
  for (int k = 0; k < 6; k++)
    assert_member(json, m.stress[k], "stress_%s", components[k], NULL);
  ck_assert(m.is_stable && m.resisted == 6);
  free(json);
}

/* At the end of packing, whose friction is 0, the program takes the material's friction; later the stage's. */
TEST(moduli_are_those_of_the_program)
{
  SCOPED_BINDING s = simulation_of(small_text);
  (void)steps_of(s, 1000000, true);
  assert_moduli(s);
  (void)steps_of(s, 150, false);
  assert_moduli(s);
  (void)steps_of(s, 1000, false);
  assert_moduli(s);
}

/* A lattice that is torn apart */
TEST(moduli_need_contacts)
{
  const char *settings[] = {
      "stages.load.control={xx: {strain_step: -1e-3}, yy: {strain_step: -1e-3}, zz: {strain_step: -1e-3}}"};
  binding_error error;
  binding_moduli m;
  SCOPED_BINDING_CASE of = case_of_with(lattice_text, settings, 1);
  SCOPED_BINDING s = simulation_of_case(of);
  (void)steps_of(s, 10, false);
  ck_assert_uint_eq(binding_simulation_position(s).contacts, 0);
  ck_assert(!binding_simulation_moduli(s, 1, &m, NULL, &error));
  assert_fault(&error, BINDING_RUN_FAILED, "contact");
}

/* ---- Shapes ------------------------------------------------------------------------------------------------------ */

TEST(shapes_of_spheres_that_touch_are_sums)
{
  /* Unit mass density: masses 8 and 1 in units of 4/3 π, at (1, 2, 3) and 3 further along (2, 1, -2)/3 */
  const double spheres[] = {1.0, 2.0, 3.0, 2.0, 3.0, 3.0, 1.0, 1.0}, arm[] = {2.0, 1.0, -2.0};
  static const int rows[] = {0, 1, 2, 0, 0, 1}, columns[] = {0, 1, 2, 1, 2, 2};
  binding_error error;
  binding_shape shape;
  ck_assert(binding_shape_measure(spheres, 2, &shape, &error));
  assert_done(error);
  assert_within(shape.volume, 9.0 * 4.0 / 3.0 * 3.14159265358979323846, 1e-8);
  for (int k = 0; k < 3; k++)
    assert_within(shape.centroid[k], spheres[k] + arm[k] / 9.0, 1e-9);
  for (int k = 0; k < 6; k++) {
    int i = rows[k], j = columns[k];
    double own = (8.0 * 0.4 * 4.0 + 0.4) / 9.0, reduced = 8.0 / 81.0;
    assert_within(shape.inertia[k], (i == j ? own + reduced * 9.0 : 0.0) - reduced * arm[i] * arm[j], 1e-8);
  }
}

TEST(shapes_are_refused)
{
  double spheres[4 * 101] = {0.0, 0.0, 0.0, 1.0, 2.1, 0.0, 0.0, 1.0};
  binding_error error;
  binding_shape shape;
  ck_assert(!binding_shape_measure(spheres, 0, &shape, &error));
  assert_fault(&error, BINDING_BAD_INPUT, "a shape needs a sphere");
  ck_assert(!binding_shape_measure(spheres, 2, &shape, &error));
  assert_fault(&error, BINDING_BAD_INPUT, "do not hang together");
  ck_assert(!binding_shape_measure(spheres, 3, &shape, &error));
  assert_fault(&error, BINDING_BAD_INPUT, "a radius must be positive");
  ck_assert(!binding_shape_measure(spheres, 101, &shape, &error));
  assert_fault(&error, BINDING_BAD_INPUT, "at most 100 spheres, not 101");
}

/* ---- Impacts ----------------------------------------------------------------------------------------------------- */

enum { IMPACTS = 5 };

static const double psi[IMPACTS] = {0.0, 0.5, 1.5, 3.0, 6.5};

static binding_impact_bodies default_bodies(const char *model)
{
  const double mass = 4.0 / 3.0 * 3.14159265358979323846 * 1e-9 * 2650.0;
  binding_impact_bodies bodies = {.law = jager_law_default(),
                                  .model = model,
                                  .radius_a = 1e-3,
                                  .radius_b = 1e-3,
                                  .mass_a = mass,
                                  .mass_b = mass,
                                  .steps = 2000};
  assert_ok(jager_law_set_bodies(&bodies.law, 29e9, 0.3));
  assert_ok(jager_law_set_friction(&bodies.law, 0.5));
  return bodies;
}

/* Column `number` of line `line`, both from 0; the first line is the header. */
static double cell_of(const char *csv, int line, int number)
{
  while (line-- > 0)
    csv = strchr(csv, '\n') + 1;
  while (number-- > 0)
    csv = strchr(csv, ',') + 1;
  return strtod(csv, NULL);
}

static void assert_impacts(const char *options, const binding_impact_bodies *bodies)
{
  enum { PSI1 = 2, PSI2, E_NORMAL, SPIN = 6, ENERGY_LOST, SPIN_B = 9, VISCOUS, ENERGY_ERROR, FORCE_ERROR = 13, STEPS };
  char arguments[300];
  double approach[IMPACTS], shear[IMPACTS];
  binding_impact results[IMPACTS];
  binding_error error;
  for (int i = 0; i < IMPACTS; i++) {
    approach[i] = 1e-4;
    shear[i] = psi[i] * bodies->law.kappa * bodies->law.friction * approach[i];
  }
  ck_assert(binding_impacts(bodies, IMPACTS, approach, shear, results, NULL, &error));
  assert_done(error);
  snprintf(arguments, sizeof arguments, "impact --model %s --psi 0,0.5,1.5,3,6.5 %s", bodies->model, options);
  char *csv = output_of(arguments);
  for (int i = 0; i < IMPACTS; i++) {
    const binding_impact *r = &results[i];
    int line = i + 1;
    double lost = (r->energy_before - r->energy_after) / r->energy_before;
    ck_assert(r->separates);
    assert_within(r->psi1, cell_of(csv, line, PSI1), 1e-12);
    assert_within(r->psi2, cell_of(csv, line, PSI2), 1e-9);
    assert_within(r->psi2, r->shear / (bodies->law.kappa * bodies->law.friction * approach[i]), 1e-12);
    assert_within(r->rebound / approach[i], cell_of(csv, line, E_NORMAL), 1e-12);
    assert_within(r->spin_a, cell_of(csv, line, SPIN), 1e-9);
    assert_within(r->spin_b, cell_of(csv, line, SPIN_B), 1e-9);
    assert_within(lost, cell_of(csv, line, ENERGY_LOST), 1e-9);
    assert_within(r->viscous / r->energy_before, cell_of(csv, line, VISCOUS), 1e-9);
    assert_within(lost - (r->dissipated + r->viscous) / r->energy_before, cell_of(csv, line, ENERGY_ERROR), 1e-9);
    assert_within(r->force_error, cell_of(csv, line, FORCE_ERROR), 1e-9);
    assert_within(r->steps, cell_of(csv, line, STEPS), 0.0);
    ck_assert_double_gt(r->depth, 0.0);
  }
  free(csv);
}

TEST(impacts_are_those_of_the_program)
{
  static const char *const models[] = {"jager",        "linear", "hertz-mindlin", "modified-mindlin",
                                       "zhang-vuquoc", "springs"};
  for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
    binding_impact_bodies bodies = default_bodies(models[k]);
    assert_impacts("", &bodies);
  }
  binding_impact_bodies wall = default_bodies("jager");
  wall.radius_b = wall.mass_b = INFINITY;
  assert_impacts("--wall", &wall);
  binding_impact_bodies damped = default_bodies("jager");
  damped.damping = 0.2;
  damped.steps = 500;
  assert_impacts("--damping 0.2 --steps 500", &damped);
}

static void assert_impact_refused(const binding_impact_bodies *bodies, double approach, double shear,
                                  binding_fault fault, const char *part)
{
  const double both[2][2] = {{1e-4, approach}, {0.0, shear}};
  binding_impact results[2];
  binding_error error;
  ck_assert(!binding_impacts(bodies, 2, both[0], both[1], results, NULL, &error));
  assert_fault(&error, fault, part);
}

TEST(impossible_impacts_are_refused)
{
  binding_impact_bodies good = default_bodies("jager"), b;
  assert_impact_refused(&good, 0.0, 0.0, BINDING_BAD_INPUT, "impact 1: the normal velocity");
  assert_impact_refused(&good, NAN, 0.0, BINDING_BAD_INPUT, "impact 1");
  assert_impact_refused(&good, 1.0, INFINITY, BINDING_BAD_INPUT, "impact 1");
  b = good, b.model = "none";
  assert_impact_refused(&b, 1e-4, 0.0, BINDING_BAD_INPUT, "no model 'none'");
  b = good, b.mass_a = 0.0;
  assert_impact_refused(&b, 1e-4, 0.0, BINDING_BAD_INPUT, "mass");
  b = good, b.mass_a = b.mass_b = INFINITY;
  assert_impact_refused(&b, 1e-4, 0.0, BINDING_BAD_INPUT, "able to move");
  b = good, b.radius_b = INFINITY;
  assert_impact_refused(&b, 1e-4, 0.0, BINDING_BAD_INPUT, "a wall must have");
  b = good, b.radius_a = -1.0;
  assert_impact_refused(&b, 1e-4, 0.0, BINDING_RUN_FAILED, "impact 0");
  b = good, b.damping = NAN;
  assert_impact_refused(&b, 1e-4, 0.0, BINDING_BAD_INPUT, "damping");
  b = good, b.steps = 5;
  assert_impact_refused(&b, 1e-4, 0.0, BINDING_BAD_INPUT, "steps, 5,");
  b = good, assert_ok(jager_law_set_contour(&b.law, JAGER_CONTOUR_CONE, 0.1, 0.0));
  assert_impact_refused(&b, 1e-4, 0.0, BINDING_RUN_FAILED, "impact 0, model jager");
}

/* ---- Interrupted ------------------------------------------------------------------------------------------------- */

/* A watch that was stopped before the call stops it in its first step. */
TEST(a_stopped_watch_ends_computations)
{
  const double approach = 1e-4, shear = 1e-5;
  binding_impact_bodies bodies = default_bodies("springs");
  bodies.steps = 1000000;
  binding_impact result;
  binding_moduli m;
  binding_error error;
  SCOPED_BINDING s = simulation_of(lattice_text);
  binding_watch *watch = binding_watch_create();
  ck_assert_ptr_nonnull(watch);
  binding_watch_stop(watch);
  ck_assert(!binding_impacts(&bodies, 1, &approach, &shear, &result, watch, &error));
  ck_assert(error.fault == BINDING_INTERRUPTED && !error.text);
  ck_assert(!binding_simulation_moduli(s, 1, &m, watch, &error));
  ck_assert(error.fault == BINDING_INTERRUPTED && !error.text);
  ck_assert(binding_simulation_moduli(s, 1, &m, NULL, &error));
  binding_watch_destroy(watch);
}
