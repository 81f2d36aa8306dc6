/* SPDX-License-Identifier: MIT */
/*
 * The library compared with the oracle of oracle.h, on random collinear histories and on the paths (a)-(f) of the
 * comparison with other codes: R = 1 mm, G = 29 GPa, ν = 0.15, f = 0.5, overlap 2ζ = 1e-4 R.
 */
#include "oracle.h"
#include "support.h"

#include <stdio.h>

#define RADIUS 1e-3
#define ZETA (0.5e-4 * RADIUS)

static struct bench glass_beads(void)
{
  jager_law law = example_law();
  assert_ok(jager_law_set_bodies(&law, 29e9, 0.15));
  struct bench b = {.law = law, .pool = jager_pool_create(0)};
  assert_ok(jager_contact_init(&b.contact, &b.law, RADIUS, RADIUS));
  return b;
}

/* ---- Paths (a)-(f) --------------------------------------------------------------------------------------------- */

/* The end of a straight leg: ζ in units of ZETA, ξ in units of κfZETA, the shift at which the contact slides. */
struct leg {
  double zeta, xi;
};

/* ξ at which Ft = t f Fn, with constant Fn = Fn(ZETA): in first loading, and after a reversal at t0 */
static double loaded(double t)
{
  return 1.0 - cbrt((1.0 - t) * (1.0 - t));
}

static double unloaded(double t0, double t)
{
  double q = 1.0 - (t0 - t) / 2.0;
  return 2.0 * cbrt(q * q) - cbrt((1.0 - t0) * (1.0 - t0)) - 1.0;
}

enum { LEGS_MAX = 8 };

struct path {
  const char *name;
  int legs;
  struct leg leg[LEGS_MAX];
};

static int make_paths(struct path paths[6])
{
  struct path made[6] = {
      {"a", 4, {{1, 0}, {1, loaded(0.9)}, {1, unloaded(0.9, -0.9)}, {1, loaded(0.9)}}},
      {"b", 5, {{1, 0}, {1.5, 0.9}, {1.1, 0.2}, {1.6, 1.1}, {1.0, 0.1}}},
      {"c", 5, {{1, 0}, {1, loaded(0.6)}, {1.6, loaded(0.6)}, {1.6, 1.2}, {1.6, -0.6}}},
      {"d",
       6,
       {{1, 0}, {1, loaded(0.6)}, {1.5, loaded(0.6)}, {0.7, loaded(0.6)}, {1.5, loaded(0.6)}, {1, loaded(0.6)}}},
      {"e", 4, {{1, 0}, {1, loaded(0.5)}, {1, unloaded(0.5, -0.5)}, {1, loaded(0.5)}}},
      {"f", 8, {{1, 0}, {1, 0.8}, {1, -0.4}, {1, 0.5}, {1, -0.1}, {1, 0.3}, {1, 0.05}, {1, 0.9}}},
  };
  memcpy(paths, made, sizeof made);
  return 6;
}

/*
 * Largest |Ft - oracle's| over the path, in units of its largest |Ft|. The oracle goes to each state straight from the
 * start of its leg, so that its errors do not add up.
 */
static double path_error(const struct path *path, int steps)
{
  SCOPED_BENCH b = glass_beads();
  struct clamp_path start, *at = malloc(sizeof *at);
  ck_assert_ptr_nonnull(at);
  clamp_path_init(&start, &b.law, jager_contact_coefficient(&b.contact));
  double unit = b.law.kappa * b.law.friction * ZETA, zeta0 = 0.0, xi0 = 0.0, worst = 0.0, peak = 0.0, xi = 0.0;
  for (int l = 0; l < path->legs; l++) {
    double zeta1 = path->leg[l].zeta * ZETA, xi1 = path->leg[l].xi * unit;
    for (int k = 1; k <= steps; k++) {
      double zeta = k == steps ? zeta1 : zeta0 + (zeta1 - zeta0) * k / steps;
      double next = k == steps ? xi1 : xi0 + (xi1 - xi0) * k / steps;
      jager_force force = bench_move(&b, zeta, next - xi, 0.0);
      *at = start;
      clamp_path_move(at, zeta, (long double)next - xi0);
      double exact = (double)clamp_path_force(at);
      worst = fmax(worst, fabs(force.ft[0] - exact));
      peak = fmax(peak, fabs(exact));
      xi = next;
    }
    clamp_path_move(&start, zeta1, (long double)xi1 - xi0);
    zeta0 = zeta1;
    xi0 = xi1;
  }
  free(at);
  return worst / peak;
}

TEST(paths_a_to_f_are_exact)
{
  struct path paths[6];
  int count = make_paths(paths);
  for (int i = 0; i < count; i++) {
    double error = path_error(&paths[i], 10000);
    printf("path (%s), 10,000 steps a leg: largest error %.1e of the peak force\n", paths[i].name, error);
    ck_assert_msg(error <= 1e-14, "path (%s): %.3g", paths[i].name, error);
    ck_assert_double_le(path_error(&paths[i], 1), 2e-15);
  }
}

/* Path (d) continues: Fn unloads to separation, without shear and at constant shift. */
TEST(path_d_unloads_to_separation)
{
  SCOPED_BENCH b = glass_beads();
  bench_move(&b, ZETA, 0.0, 0.0);
  for (int k = 10000; k-- > 0;) {
    jager_force force = bench_move(&b, ZETA * k / 10000, 0.0, 0.0);
    ck_assert_double_eq(force.ft[0], 0.0);
    ck_assert_double_eq(force.ft[1], 0.0);
    ck_assert(isfinite(force.fn));
  }
  ck_assert_int_eq(jager_contact_state(&b.contact), JAGER_STATE_APART);

  bench_move(&b, ZETA, 0.0, 0.0);
  bench_move(&b, ZETA, 0.3 * b.law.kappa * b.law.friction * ZETA, 0.0);
  for (int k = 10000; k-- > 0;) {
    jager_force force = bench_move(&b, ZETA * k / 10000, 0.0, 0.0);
    ck_assert_double_le(fabs(force.ft[0]), b.law.friction * force.fn * (1.0 + 1e-15));
  }
  ck_assert_int_eq(jager_contact_state(&b.contact), JAGER_STATE_APART);
  ck_assert_double_eq(jager_contact_force(&b.contact).ft[0], 0.0);
}

/* ---- Random collinear histories -------------------------------------------------------------------------------- */

static double random_zeta(uint64_t *random, double zeta)
{
  double next = zeta + ZETA * random_in(random, -0.3, 0.3);
  return fmin(2.0 * ZETA, fmax(0.05 * ZETA, next));
}

TEST(random_collinear_histories_match_the_clamped_path)
{
  uint64_t random = 7;
  double worst = 0.0;
  struct clamp_path *path = malloc(sizeof *path);
  for (int trial = 0; trial < 300; trial++) {
    SCOPED_BENCH b = glass_beads();
    clamp_path_init(path, &b.law, jager_contact_coefficient(&b.contact));
    double zeta = ZETA, xi = 0.0, unit = b.law.kappa * b.law.friction * ZETA;
    for (int step = 0; step < 300; step++) {
      double next = xi + unit * random_in(&random, -0.3, 0.3), dxi = next - xi;
      zeta = random_zeta(&random, zeta);
      jager_force force = bench_move(&b, zeta, dxi, 0.0);
      clamp_path_move(path, zeta, dxi);
      worst = fmax(worst, fabs(force.ft[0] - (double)clamp_path_force(path)) / (b.law.friction * force.fn));
      xi = next;
    }
  }
  free(path);
  printf("random collinear histories, clamped path: largest error %.1e f Fn\n", worst);
  ck_assert_double_le(worst, 2e-14);
}

/* The nine movements of the paper, each in one part and in 10^5 parts: rounding errors do not add up. */
TEST(subdivision_changes_nothing)
{
  static const double movements[9][2] = {{6, -3.4}, {3, -1.6}, {5, -2.0}, {1, 4}, {1, 5},
                                         {4, -0.7}, {8, -4.4}, {4, 5},    {2, -3}};
  const int parts = 100000;
  SCOPED_BENCH whole = bench_create(example_law()), cut = bench_create(example_law());
  double from = 0.0, worst = 0.0;
  for (int i = 0; i < 9; i++) {
    double zeta = from + 1e-3 * movements[i][0], dxi = 1e-3 * movements[i][1], at = 0.0;
    jager_force force = bench_move(&whole, zeta, 0.6 * dxi, 0.8 * dxi), parted = force;
    for (int k = 1; k <= parts; k++) {
      double next = dxi * k / parts, z = k == parts ? zeta : from + (zeta - from) * k / parts;
      parted = bench_move(&cut, z, 0.6 * (next - at), 0.8 * (next - at));
      at = next;
    }
    double difference = hypot(parted.ft[0] - force.ft[0], parted.ft[1] - force.ft[1]);
    worst = fmax(worst, difference / (whole.law.friction * force.fn));
    from = zeta;
  }
  printf("nine movements in 100,000 parts each: off by %.1e f Fn\n", worst);
  ck_assert_double_le(worst, 1e-13); /* each part is rounded by itself */
}

/* Ft, in f Fn, after a straight start and three quarters of a circle in so many steps, while ζ grows by a fifth */
static void turning_force(int steps, double ft[2])
{
  SCOPED_BENCH b = glass_beads();
  const double unit = b.law.kappa * b.law.friction * ZETA, pi = acos(-1.0), size = 0.45 * unit;
  double before[2] = {size, 0.0};
  bench_move(&b, ZETA, 0.0, 0.0);
  jager_force force = bench_move(&b, ZETA, size, 0.0);
  for (int k = 1; k <= steps; k++) {
    double angle = 1.5 * pi * k / steps, xi[2] = {size * cos(angle), size * sin(angle)};
    force = bench_move(&b, ZETA * (1.0 + 0.2 * k / steps), xi[0] - before[0], xi[1] - before[1]);
    memcpy(before, xi, sizeof before);
  }
  ft[0] = force.ft[0] / (b.law.friction * force.fn);
  ft[1] = force.ft[1] / (b.law.friction * force.fn);
}

/* A curved path in chords: the result converges as the chords get shorter. */
TEST(two_directions_converge_with_the_step)
{
  double exact[2], ft[2], before = 1.0;
  turning_force(1 << 17, exact);
  for (int steps = 4; steps <= 1024; steps *= 4) {
    turning_force(steps, ft);
    double difference = hypot(ft[0] - exact[0], ft[1] - exact[1]);
    printf("three quarters of a circle in %d steps: off by %.1e f Fn\n", steps, difference);
    ck_assert_msg(difference < 0.4 * before, "%d steps: %.3g after %.3g", steps, difference, before);
    before = difference;
  }
}
