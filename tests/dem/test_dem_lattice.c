/* SPDX-License-Identifier: MIT */
/*
 * Simple cubic and face-centred cubic lattices of equal spheres under pressure.
 *
 * Oracle: every sphere is a centre of symmetry, so that the lattice deforms as its cell does, and stress and moduli are
 * sums over one sphere's contacts: lattice_forms.h.
 *
 * Overlaps are so small (1e-5) that the contribution of the stress itself to the moduli, a fraction Fn/(kn d), is as
 * small. In simple shear the spheres rotate by half the angle until no torque is left. Before they rotate, the stress
 * σ_xy = Σ F_x l_y/V is not symmetric: it is kt γ/d for the simple cubic lattice.
 */
#include "dem_support.h"
#include "lattice_forms.h"

#include "dem/drive.h"
#include "dem/measures.h"

static const double radius = 1e-3;

static dem_case lattice_case(dem_lattice_kind kind, double overlap)
{
  dem_case run = dem_still_case(1e-8);
  run.assembly.source = DEM_SOURCE_LATTICE;
  run.assembly.lattice =
      (dem_lattice){.kind = kind, .cells = {4, 3, 5}, .radius = radius, .overlap = overlap}; /* no two alike */
  if (kind == DEM_LATTICE_SC)
    run.assembly.lattice.cells[1] = 6;
  return run;
}

/* ---- Pressure ---------------------------------------------------------------------------------------------------- */

TEST(pressure_is_that_of_the_contacts)
{
  double worst = 0.0;
  for (int kind = 0; kind < 2; kind++)
    for (double overlap = 1e-6; overlap < 0.04; overlap *= 10.0) {
      dem_case run = lattice_case(kind == 0 ? DEM_LATTICE_SC : DEM_LATTICE_FCC, overlap);
      SCOPED_SIMULATION s = dem_create(&run, 1);
      dem_measures m = dem_measured(s);
      stiff c = stiff_of(&run);
      double expected = kind == 0 ? lattice_pressure_sc(c) : lattice_pressure_fcc(c);
      double normal = fmax(fabs(m.stress_xx / expected - 1.0),
                           fmax(fabs(m.stress_yy / expected - 1.0), fabs(m.stress_zz / expected - 1.0)));
      double shear = (fabs(m.stress_xy) + fabs(m.stress_xz) + fabs(m.stress_yz)) / expected;
      double rounding = 1e-15 / overlap; /* of places against the overlap */
      worst = fmax(worst, fmax(normal, shear) / rounding);
      ck_assert_double_le(normal, 20.0 * rounding);
      ck_assert_double_le(shear, 20.0 * rounding);
      ck_assert_double_eq(m.coordination, kind == 0 ? 6.0 : 12.0);
      ck_assert_double_eq(m.rattlers, 0.0);
      assert_within(m.fabric_xx, 1.0 / 3.0, 1e-12);
      double solid = 4.0 / 3.0 * PI * pow(radius, 3.0), volume = pow(c.d, 3.0) / (kind == 0 ? 1.0 : sqrt(2.0));
      assert_within(m.void_ratio, volume / solid - 1.0, 1e-12);
      /* what a servo takes for the stiffness: kn l² of 3 or 6 contacts in the volume of a sphere */
      assert_within(s->modulus, (kind == 0 ? 3.0 : 6.0) * c.kn * c.d * c.d / volume, 20.0 * rounding * s->modulus);
    }
  printf("pressure: within %.2g of the rounding 1e-15/overlap\n", worst);
}

/* ---- Small strains ----------------------------------------------------------------------------------------------- */

/* Change of the six stresses by one small strain, from both sides: curvature cancels. Spheres have no time to turn. */
static void stress_change(const dem_case *model, dem_component component, double strain, double change[DEM_COMPONENTS])
{
  double ends[2][DEM_COMPONENTS];
  for (int side = 0; side < 2; side++) {
    dem_case run = *model;
    run.stages[0].control[component] =
        (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = side == 0 ? strain : -strain};
    SCOPED_SIMULATION s = dem_create(&run, 1);
    dem_steps(s, 1);
    dem_stress(s, ends[side]);
  }
  for (int k = 0; k < DEM_COMPONENTS; k++)
    change[k] = (ends[0][k] - ends[1][k]) / (2.0 * strain);
}

/* Stress xy after a small shear, when the spheres have turned as they will. Their angle comes back as a share of γ. */
static double shear_modulus_at_rest(const dem_case *model, double gamma, double *angle)
{
  dem_case run = *model;
  run.stages[0].control[DEM_XY] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = -0.5 * gamma};
  run.stages[0].until.steps = 1;
  dem_stage *hold = dem_add_stage(&run, "hold", 1000000);
  stiff c = stiff_of(&run);
  double mass = run.material.density * 4.0 / 3.0 * PI * pow(radius, 3.0), frequency = sqrt(10.0 * c.kt / mass);
  hold->damping.global = 2.0 * frequency;
  run.time_step.fixed = 0.05 / frequency;
  dem_simulation *s = dem_create(&run, 1);
  double turned = 0.0, stress[DEM_COMPONENTS];
  for (int k = 0; k < 800; k++) {
    dem_steps(s, 1);
    turned += s->bodies[0].rotation[2];
  }
  dem_stress(s, stress);
  dem_simulation_destroy(s);
  *angle = -turned / gamma; /* y over x shears clockwise */
  return -stress[DEM_XY] / gamma;
}

static lattice_moduli expected_moduli(dem_lattice_kind kind, stiff c)
{
  return kind == DEM_LATTICE_SC ? lattice_form_sc(c) : lattice_form_fcc(c);
}

static lattice_moduli measured_moduli(const dem_case *run, double strain)
{
  double change[DEM_COMPONENTS], angle, sum11 = 0.0, sum12 = 0.0;
  for (int k = DEM_XX; k <= DEM_ZZ; k++) {
    stress_change(run, (dem_component)k, strain, change);
    sum11 += change[k];
    sum12 += 0.5 * (change[(k + 1) % 3] + change[(k + 2) % 3]);
  }
  lattice_moduli m = {sum11 / 3.0, sum12 / 3.0, shear_modulus_at_rest(run, strain, &angle)};
  assert_within(angle, 0.5, 1e-3);
  return m;
}

static double moduli_error(const dem_case *run, double strain)
{
  lattice_moduli m = measured_moduli(run, strain), e = expected_moduli(run->assembly.lattice.kind, stiff_of(run));
  double error = fmax(fabs(m.c11 - e.c11), fmax(fabs(m.c12 - e.c12), fabs(m.c44 - e.c44))) / e.c44;
  printf("%s, %s: C11 %.5e (%.5e), C12 %.5e (%.5e), C44 %.5e (%.5e): off by %.1e\n",
         run->assembly.lattice.kind == DEM_LATTICE_SC ? "sc" : "fcc", jager_model_name(run->contact.model), m.c11,
         e.c11, m.c12, e.c12, m.c44, e.c44, error);
  return error;
}

TEST(moduli_are_sums_over_contacts)
{
  const jager_model models[] = {JAGER_MODEL_JAGER, JAGER_MODEL_HERTZ_MINDLIN, JAGER_MODEL_LINEAR};
  for (int kind = 0; kind < 2; kind++)
    for (int k = 0; k < 3; k++) {
      dem_case run = lattice_case(kind == 0 ? DEM_LATTICE_SC : DEM_LATTICE_FCC, 1e-5);
      run.contact.model = models[k];
      run.contact.linear_kn = 2e6;
      run.contact.linear_kt = 1.3e6;
      run.material.friction = 10.0; /* no slip to speak of */
      ck_assert_double_le(moduli_error(&run, 1e-9), 1e-3);
    }
}

/* Before the spheres can rotate: kt γ/d, twice the value at rest. */
TEST(spheres_that_do_not_turn_shear_twice_as_stiffly)
{
  dem_case run = lattice_case(DEM_LATTICE_SC, 1e-5);
  double change[DEM_COMPONENTS], worst = 0.0;
  stiff c = stiff_of(&run);
  for (int k = DEM_XY; k <= DEM_YZ; k++) {
    stress_change(&run, (dem_component)k, 1e-9, change); /* per strain: γ = 2 strain */
    worst = fmax(worst, fabs(change[k] / (2.0 * c.kt / c.d) - 1.0));
  }
  printf("sc, spheres that do not turn: off by %.1e\n", worst);
  ck_assert_double_le(worst, 1e-3);
}

/*
 * Slip in the annulus softens by Ft/(6 f Fn) of the modulus to first order, and Ft grows with γ: halving the strain
 * halves the loss, and the limit at γ = 0 is kt.
 */
TEST(the_tangent_without_slip_is_the_limit_of_small_strains)
{
  dem_case run = lattice_case(DEM_LATTICE_SC, 1e-5);
  run.material.friction = 0.1;
  stiff c = stiff_of(&run);
  double change[2][DEM_COMPONENTS], strain = 8e-8;
  for (int k = 0; k < 2; k++)
    stress_change(&run, DEM_XY, strain / (1 + k), change[k]);
  double coarse = change[0][DEM_XY] / (2.0 * c.kt / c.d), fine = change[1][DEM_XY] / (2.0 * c.kt / c.d);
  double share = 2.0 * strain * c.d * c.kt / (run.material.friction * c.fn); /* of f Fn, without slip */
  double mindlin = (1.0 - pow(1.0 - 2.0 / 3.0 * share, 1.5)) / share;        /* secant */
  printf("slip: %.6f and %.6f of kt, extrapolated %.6f; Mindlin's %.6f\n", coarse, fine, 2.0 * fine - coarse, mindlin);
  assert_within(coarse, mindlin, 1e-4);
  assert_within(2.0 * fine - coarse, 1.0, 1e-3);
}

/* ---- Growth with pressure ---------------------------------------------------------------------------------------- */

/* d log C44 / d log p over two decades of p. */
static double exponent_of(dem_lattice_kind kind, jager_model model, double *curvature)
{
  double log_p[3], log_c[3];
  for (int k = 0; k < 3; k++) { /* Hertz: p as overlap^(3/2); linear: as overlap */
    dem_case run = lattice_case(kind, 1e-6 * pow(10.0, model == JAGER_MODEL_LINEAR ? k : 2.0 / 3.0 * k));
    run.contact.model = model;
    run.contact.linear_kn = 2e6;
    run.contact.linear_kt = 1.3e6;
    run.material.friction = 10.0;
    double change[DEM_COMPONENTS], angle;
    stress_change(&run, DEM_XX, 1e-10, change);
    SCOPED_SIMULATION s = dem_create(&run, 1);
    log_p[k] = log(dem_measured(s).p);
    log_c[k] = log(0.5 * (change[DEM_XX] + shear_modulus_at_rest(&run, 1e-10, &angle)));
  }
  *curvature = (log_c[2] - log_c[1]) / (log_p[2] - log_p[1]) - (log_c[1] - log_c[0]) / (log_p[1] - log_p[0]);
  return (log_c[2] - log_c[0]) / (log_p[2] - log_p[0]);
}

TEST(moduli_grow_with_the_cube_root_of_pressure)
{
  for (int kind = 0; kind < 2; kind++) {
    dem_lattice_kind lattice = kind == 0 ? DEM_LATTICE_SC : DEM_LATTICE_FCC;
    double curvature[2], hertz = exponent_of(lattice, JAGER_MODEL_JAGER, &curvature[0]);
    double linear = exponent_of(lattice, JAGER_MODEL_LINEAR, &curvature[1]);
    printf("%s: exponent %.5f (changes by %.1e in a decade), linear springs %.5f (%.1e)\n", kind == 0 ? "sc" : "fcc",
           hertz, curvature[0], linear, curvature[1]);
    assert_within(hertz, 1.0 / 3.0, 0.002);
    assert_within(curvature[0], 0.0, 0.002);
    assert_within(linear, 0.0, 0.002);
  }
}

/* ---- Time step --------------------------------------------------------------------------------------------------- */

/*
 * The bound in closed form, for contacts in directions that are spread evenly: Σ nn = z/3, and nothing couples
 * movements and rotations. Movements have z (kn + 2kt)/3, rotations (5/2) z 2kt/3; dashpots the same with cn and ct.
 */
static double bound_of(const dem_case *run, dem_lattice_kind kind, const dem_damping *damping)
{
  stiff c = stiff_of(run);
  double mass = run->material.density * 4.0 / 3.0 * PI * pow(radius, 3.0), z = kind == DEM_LATTICE_SC ? 6.0 : 12.0;
  double cn = 2.0 * damping->viscous * sqrt(0.5 * mass * c.kn), ct = 2.0 * damping->viscous * sqrt(0.5 * mass * c.kt);
  double a = z * fmax((c.kn + 2.0 * c.kt) / 3.0, 5.0 / 3.0 * c.kt) * (1.0 + damping->local) / mass;
  double b = z * fmax((cn + 2.0 * ct) / 3.0, 5.0 / 3.0 * ct) * (1.0 + damping->local) / mass;
  return (sqrt(b * b + 2.0 * a) - b) / a;
}

/* The energy of a lattice after many steps over its energy at the start; all spheres have small random velocities. */
static double growth(dem_lattice_kind kind, dem_damping damping, double safety, double times, double *share)
{
  dem_case run = lattice_case(kind, 1e-4);
  run.material.friction = 10.0;
  run.damping = run.stages[0].damping = damping;
  run.time_step = (dem_time_step){.safety = safety, .interval = 1};
  SCOPED_SIMULATION s = dem_create(&run, 1);
  *share = s->dt / (safety * bound_of(&run, kind, &damping));
  run.time_step.fixed = times * s->dt;
  uint64_t seed = 3;
  for (size_t i = 0; i < s->count; i++) {
    s->motions[i].v =
        (vec3){random_in(&seed, -1e-5, 1e-5), random_in(&seed, -1e-5, 1e-5), random_in(&seed, -1e-5, 1e-5)};
    s->motions[i].w =
        (vec3){random_in(&seed, -0.02, 0.02), random_in(&seed, -0.02, 0.02), random_in(&seed, -0.02, 0.02)};
  }
  dem_ledger_open(s);
  dem_measures before = dem_measured(s), after;
  error_info error;
  double largest = 0.0;
  for (int k = 0; k < 3000 && largest < 100.0 && dem_simulation_step(s, &error) == DEM_GOES_ON; k++)
    if (k % 50 == 0) {
      after = dem_measured(s);
      largest = fmax(largest, after.kinetic / before.kinetic);
    }
  return largest;
}

/* Below the bound the energy does not grow, whatever the damping; well above it, it does. */
TEST(the_time_step_is_stable)
{
  static const dem_damping dampings[] = {
      {0}, {.viscous = 0.1}, {.viscous = 1.0}, {.local = 0.7}, {.viscous = 0.5, .local = 0.7}};
  for (int kind = 0; kind < 2; kind++)
    for (size_t k = 0; k < sizeof dampings / sizeof dampings[0]; k++) {
      dem_lattice_kind lattice = kind == 0 ? DEM_LATTICE_SC : DEM_LATTICE_FCC;
      double share, stable = growth(lattice, dampings[k], 0.99, 1.0, &share);
      double unstable = growth(lattice, dampings[k], 0.99, 3.0, &share);
      printf("%s, viscous %g, local %g: time step %.7f of the bound in closed form; energy grows %.3f times, with 3 "
             "times the "
             "step %.3g times\n",
             kind == 0 ? "sc" : "fcc", dampings[k].viscous, dampings[k].local, share, stable, unstable);
      assert_within(share, 1.0, 1e-6); /* sums of the simulator are floats */
      ck_assert_double_le(stable, 1.5);
      if (dampings[k].local == 0.0 && dampings[k].viscous < 0.5) /* more takes so much energy that little else shows */
        ck_assert_double_ge(unstable, 3.0);
    }
}

/* The time step takes into account that linear springs may be stiffer in shear than in compression. */
TEST(the_time_step_knows_stiff_shear_springs)
{
  double steps[2];
  for (int k = 0; k < 2; k++) {
    dem_case run = lattice_case(DEM_LATTICE_SC, 1e-4);
    run.contact.model = JAGER_MODEL_LINEAR;
    run.contact.linear_kn = 1e6;
    run.contact.linear_kt = k == 0 ? 1e6 : 16e6;
    run.time_step = (dem_time_step){.safety = 0.8, .interval = 50};
    SCOPED_SIMULATION s = dem_create(&run, 1);
    steps[k] = s->dt;
  }
  assert_within(steps[0] / steps[1], 4.0, 1e-6); /* rotations govern both: (5/2) 6 · 2kt/3 */
}
