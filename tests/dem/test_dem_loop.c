/* SPDX-License-Identifier: MIT */
/*
 * Hysteresis loops: modulus, area and damping ratio of the account that cyclic stages keep.
 *
 * Oracles: an ellipse, whose area is π τ γ sin δ; Masing loops of a hyperbolic backbone, whose area
 * has a closed form; for random paths, the area by Green's theorem over the closed polygon.
 */
#define _GNU_SOURCE
#include "dem/cycles.h"

#include "random_numbers.h"
#include "support.h"

#include <math.h>

#define PI 3.14159265358979323846

static const energy_account none = {0.0, 0.0, 0.0};

/* ---- An ellipse -------------------------------------------------------------------------------------------------- */

/* strain a sin φ, stress b sin(φ + δ), by steps of 2π / steps: peaks are the peaks of strain. */
static loop_values ellipse(double a, double b, double delta, double mean_strain, double mean_stress, int steps)
{
  hysteresis_loop l;
  dem_loop_begin(&l, mean_strain, mean_stress + b * sin(delta), false, none);
  for (int k = 1; k <= 2 * steps; k++) {
    double phase = 2.0 * PI * k / steps;
    dem_loop_add(&l, mean_strain + a * sin(phase), mean_stress + b * sin(phase + delta));
    if (k % (steps / 2) == steps / 4)
      dem_loop_turn(&l, none, 1.0);
  }
  ck_assert(l.is_closed);
  return l.closed;
}

/* W = ½ τ γ with the amplitudes of both: D = π τ γ sin δ / (4 π W) = sin δ / 2. */
TEST(an_ellipse_has_half_the_sine_as_damping_ratio)
{
  double worst = 0.0, change = 0.0;
  for (double delta = 0.02; delta < 1.5; delta += 0.13) {
    loop_values of = ellipse(1e-4, 3e4, delta, 0.0, 0.0, 40000), off = ellipse(1e-4, 3e4, delta, 0.02, -7e4, 40000);
    worst = fmax(worst, fabs(dem_loop_damping_ratio(&of, of.area) / (0.5 * sin(delta)) - 1.0));
    worst = fmax(worst, fabs(dem_loop_modulus(&of) / 3e8 - 1.0));
    change = fmax(change, fabs(dem_loop_damping_ratio(&off, off.area) / dem_loop_damping_ratio(&of, of.area) - 1.0));
  }
  printf("ellipse: D and the modulus within %.1e; another origin changes them by %.1e\n", worst, change);
  ck_assert_double_lt(worst, 2e-8); /* the area of a polygon: of the order of (2π/steps)² */
  ck_assert_double_lt(change, 1e-9);
}

/* ---- Masing loops ------------------------------------------------------------------------------------------------ */

typedef double backbone(double strain);

static const double stiffness = 1e8, strength = 2e4; /* Pa */

static double hyperbola(double strain)
{
  return stiffness * strain / (1.0 + fabs(strain) * stiffness / strength);
}

/* Loading from 0 along the backbone; from each peak, twice the backbone. */
static loop_values masing(backbone *f, double amplitude, int cycles, int steps)
{
  hysteresis_loop l;
  dem_loop_begin(&l, 0.0, 0.0, false, none);
  double side = 1.0;
  for (int k = 1; k <= steps; k++)
    dem_loop_add(&l, amplitude * k / steps, f(amplitude * k / steps));
  dem_loop_turn(&l, none, 1.0);
  for (int half = 1; half < 2 * cycles; half++, side = -side) {
    for (int k = 1; k <= steps; k++) {
      double way = 2.0 * amplitude * k / steps;
      dem_loop_add(&l, side * (amplitude - way), side * (f(amplitude) - 2.0 * f(0.5 * way)));
    }
    dem_loop_turn(&l, none, 1.0);
  }
  return l.closed;
}

/* The loop area of a Masing material: 8 (∫ f dγ - ½ f(γ) γ). */
static double hyperbola_area(double amplitude)
{
  double reference = strength / stiffness, x = amplitude / reference;
  double integral = strength * reference * (x - log1p(x));
  return 8.0 * (integral - 0.5 * hyperbola(amplitude) * amplitude);
}

TEST(a_masing_loop_has_the_same_damping_in_the_first_cycle_as_in_all_others)
{
  double worst = 0.0;
  for (double amplitude = 1e-6; amplitude < 2e-2; amplitude *= 3.0) {
    double area = hyperbola_area(amplitude), secant = hyperbola(amplitude) / amplitude;
    double ratio = area / (2.0 * PI * hyperbola(amplitude) * amplitude);
    for (int cycles = 1; cycles <= 3; cycles++) {
      loop_values of = masing(hyperbola, amplitude, cycles, 20000);
      worst = fmax(worst, fabs(of.area / area - 1.0));
      worst = fmax(worst, fabs(dem_loop_damping_ratio(&of, of.area) / ratio - 1.0));
      worst = fmax(worst, fabs(dem_loop_modulus(&of) / secant - 1.0));
      ck_assert_double_le(dem_loop_damping_ratio(&of, of.area), 2.0 / PI); /* of a rigid-plastic body */
    }
  }
  printf("hyperbolic Masing loops: within %.1e\n", worst);
  ck_assert_double_lt(worst, 1e-4); /* the smallest loops are differences of nearly equal numbers, and thin polygons */
}

/* ---- Random paths ------------------------------------------------------------------------------------------------ */

enum { POINTS = 400 };

/* ½ Σ (y dx - x dy) over a polygon. The path is closed along its mean stress. */
static double polygon_area(const double x[], const double y[], int first, int last, double mean)
{
  double sum =
      y[last] * x[last] - x[last] * mean + mean * x[first] - x[last] * mean + mean * x[first] - x[first] * y[first];
  for (int k = first; k < last; k++)
    sum += y[k] * x[k + 1] - x[k] * y[k + 1];
  return 0.5 * sum;
}

typedef struct random_path {
  double x[POINTS], y[POINTS], volume;
  energy_account energies[POINTS];
} random_path;

static void draw_path(random_path *p, uint64_t *seed)
{
  p->volume = random_in(seed, 0.1, 3.0);
  for (int k = 0; k < POINTS; k++) {
    p->x[k] = random_in(seed, -1.0, 1.0);
    p->y[k] = random_in(seed, -1.0, 1.0);
    p->energies[k] = (energy_account){random_in(seed, 0.0, 1.0), random_in(seed, 0.0, 1.0), random_in(seed, 0.0, 1.0)};
  }
}

static void assert_loop(const loop_values *of, const random_path *p, int from, int to, double times)
{
  double low = p->y[from], high = low, x_low = p->x[from], x_high = x_low, share = times / p->volume;
  for (int i = from; i <= to; i++) {
    low = fmin(low, p->y[i]);
    high = fmax(high, p->y[i]);
    x_low = fmin(x_low, p->x[i]);
    x_high = fmax(x_high, p->x[i]);
  }
  const energy_account *first = &p->energies[from], *last = &p->energies[to];
  assert_within(of->area, times * polygon_area(p->x, p->y, from, to, 0.5 * (low + high)), 1e-11);
  assert_within(of->stress_amplitude, 0.5 * (high - low), 1e-15);
  assert_within(of->strain_amplitude, 0.5 * (x_high - x_low), 1e-15);
  double gap =
      fmax(2.0 * fabs(p->x[to] - p->x[from]) / (x_high - x_low), 2.0 * fabs(p->y[to] - p->y[from]) / (high - low));
  bool is_open = times < 2.0 && gap > 0.1; /* a half is closed by its mirror image */
  ck_assert_int_eq(isnan(dem_loop_damping_ratio(of, 1.0)), is_open);
  ck_assert_int_eq(dem_loop_is_open(of), is_open);
  assert_within(of->work, share * (last->work - first->work), 1e-12);
  assert_within(of->friction, share * (last->friction - first->friction), 1e-12);
  assert_within(of->damping, share * (last->damping - first->damping), 1e-12);
}

/* Peaks at random moments; the energies of cycles follow from the energies passed at these moments. */
TEST(random_paths_have_the_area_of_their_polygons)
{
  uint64_t seed = 5;
  int loops = 0;
  for (int run = 0; run < 2000; run++) {
    random_path p;
    int peaks[POINTS], count = 0;
    bool starts_at_peak = random_in(&seed, 0.0, 1.0) < 0.5;
    hysteresis_loop l;
    draw_path(&p, &seed);
    dem_loop_begin(&l, p.x[0], p.y[0], starts_at_peak, p.energies[0]);
    if (starts_at_peak)
      peaks[count++] = 0;
    for (int k = 1; k < POINTS; k++) {
      dem_loop_add(&l, p.x[k], p.y[k]);
      if (random_in(&seed, 0.0, 1.0) > 0.05)
        continue;
      dem_loop_turn(&l, p.energies[k], p.volume);
      peaks[count++] = k;
      if (count % 2 != (starts_at_peak ? 1 : 0))
        continue;
      bool is_half = count == 2;
      assert_loop(&l.closed, &p, peaks[is_half ? 0 : count - 3], k, is_half ? 2.0 : 1.0);
      loops++;
    }
  }
  printf("random paths: %d loops\n", loops);
  ck_assert_int_gt(loops, 5000);
}
