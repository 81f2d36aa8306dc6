/* SPDX-License-Identifier: MIT */
/*
 * The law "springs". Oracles: the library, to which it must converge on collinear histories (seeds 11, 8, 5); closed
 * forms of the loss on circles and lines; on random movements in the plane (seed 21), springs that are clamped after
 * each of many small steps, and the work of the force in these steps. Invariants on random and extreme movements (seeds
 * 22, 23): |Ft| <= f Fn, and no energy comes back.
 */
#include "support.h"
#include "laws/springs.h"

#include <stdlib.h>

#define FULL_TURN 6.283185307179586

static springs *make(const jager_law *law, int count, double zeta_largest)
{
  springs *s;
  assert_ok(springs_create(&s, law, 1.0, 1.0, (springs_grid){count, zeta_largest}));
  return s;
}

static jager_force move(springs *s, double zeta, double dxi1, double dxi2)
{
  const double dxi[2] = {dxi1, dxi2};
  assert_ok(springs_move(s, zeta, dxi));
  return springs_force(s);
}

static double distance(jager_force a, jager_force b)
{
  return hypot(a.ft[0] - b.ft[0], a.ft[1] - b.ft[1]);
}

/* ---- One direction: the library ---------------------------------------------------------------------------------- */

/* Mean and estimated error of Ft over f Fn on a random history along a slanted line, with separations */
typedef struct mean_error {
  double true_one, estimate;
} mean_error;

static mean_error error_in_line(const jager_law *law, int count)
{
  enum { STEPS = 400 };
  uint64_t random = 11;
  SCOPED_BENCH b = bench_create(*law);
  springs *s = make(law, count, 0.0);
  mean_error sum = {0.0, 0.0};
  for (int step = 0; step < STEPS; step++) {
    double zeta = step % 20 == 7 ? -0.001 : random_in(&random, 0.004, 0.02), size = random_in(&random, -0.003, 0.003);
    jager_force exact = bench_move(&b, zeta, 0.6 * size, 0.8 * size), force = move(s, zeta, 0.6 * size, 0.8 * size);
    ck_assert_double_eq(force.fn, exact.fn);
    if (!(exact.fn > 0.0))
      continue;
    sum.true_one += distance(force, exact) / (law->friction * exact.fn) / STEPS;
    sum.estimate += springs_force_error(s) / (law->friction * exact.fn) / STEPS;
  }
  springs_destroy(s);
  return sum;
}

/* The error is of second order in the number of springs, and below its estimate. */
static void assert_converges(const jager_law *law)
{
  mean_error before = error_in_line(law, 250);
  for (int count = 1000; count <= 16000; count *= 4) {
    mean_error error = error_in_line(law, count);
    printf("%s, %d springs: mean error %.1e f Fn, estimated %.1e\n", jager_contour_name(law->contour), count,
           error.true_one, error.estimate);
    ck_assert_double_lt(error.true_one, before.true_one / 8.0);
    ck_assert_double_gt(error.estimate, error.true_one);
    ck_assert_double_lt(error.estimate, 10.0 * error.true_one);
    before = error;
  }
}

TEST(springs_converge_to_the_library_in_one_direction)
{
  jager_law law = example_law();
  assert_converges(&law);
  assert_ok(jager_law_set_contour(&law, JAGER_CONTOUR_CONE, 0.4, 0.0));
  assert_converges(&law);
  assert_ok(jager_law_set_contour(&law, JAGER_CONTOUR_POWER, 0.4, 3.0));
  assert_converges(&law);
}

/* The energies, too, in steps of any size, with touching and separating */
TEST(springs_dissipate_the_same_in_one_direction)
{
  uint64_t random = 8;
  jager_law law = example_law();
  SCOPED_BENCH b = bench_create(law);
  springs *s = make(&law, 4000, 0.025);
  jager_balance balance;
  assert_ok(jager_balance_begin(&balance, &b.contact, &b.law));
  for (int step = 0; step < 200; step++) {
    double zeta = random_in(&random, -0.002, 0.02), dxi[2] = {random_in(&random, -0.006, 0.006), 0.0};
    assert_ok(jager_balance_move(&balance, &b.contact, &b.law, b.pool, zeta, dxi, NULL));
    assert_ok(springs_move(s, zeta, dxi));
    jager_energy energy = springs_energy(s);
    const jager_energy exact = jager_balance_energy(&balance);
    assert_within(energy.dissipated, exact.dissipated, 2e-6 * exact.dissipated + 1e-12);
    assert_within(energy.tangential, exact.tangential, 1e-4 * exact.tangential + 1e-12);
    assert_within(energy.normal, exact.normal, 1e-14 * exact.normal);
  }
  springs_destroy(s);
}

TEST(states_are_those_of_the_library)
{
  jager_law law = example_law();
  springs *s = make(&law, 100, 0.0);
  ck_assert_int_eq(springs_state(s), JAGER_STATE_APART);
  (void)move(s, 0.01, 0.0, 0.0);
  ck_assert_int_eq(springs_state(s), JAGER_STATE_ELASTIC);
  ck_assert_int_eq(springs_engaged(s), 100);
  (void)move(s, 0.01, 0.002, 0.0);
  ck_assert_int_eq(springs_state(s), JAGER_STATE_SLIP);
  jager_force slid = move(s, 0.01, 0.0, 0.02);
  ck_assert_int_eq(springs_state(s), JAGER_STATE_SLIDE);
  ck_assert_double_le(hypot(slid.ft[0], slid.ft[1]), 0.5 * slid.fn);
  ck_assert_double_ge(hypot(slid.ft[0], slid.ft[1]), 0.5 * slid.fn * (1.0 - 2e-4));
  (void)move(s, 0.011, 0.0, 0.0);
  ck_assert_int_eq(springs_state(s), JAGER_STATE_ELASTIC);
  jager_force gone = move(s, -0.01, 0.0, 0.0);
  ck_assert_int_eq(springs_state(s), JAGER_STATE_APART);
  ck_assert(gone.fn == 0.0 && gone.ft[0] == 0.0 && gone.ft[1] == 0.0);
  springs_destroy(s);
}

/* ---- Two directions ---------------------------------------------------------------------------------------------- */

/* The springs of the law for spheres; instead of closed forms, w is clamped after each step. */
enum { CLAMPED = 200 };

typedef struct clamped_row {
  double reach, zeta, w[CLAMPED][2];
} clamped_row;

static jager_force clamped_move(clamped_row *row, const jager_law *law, double coefficient, double zeta, double dxi1,
                                double dxi2)
{
  jager_force force = {0.0, {0.0, 0.0}};
  double h = sqrt(row->reach) / CLAMPED;
  for (int i = 0; i < CLAMPED; i++) {
    double z = h * h * (i * (i + 1.0) + 1.0 / 3.0), *w = row->w[i];
    if (z >= zeta) {
      w[0] = w[1] = 0.0;
      continue;
    }
    double share = row->zeta > z ? 1.0 : (zeta - z) / (zeta - row->zeta);
    w[0] += share * dxi1 / law->kappa;
    w[1] += share * dxi2 / law->kappa;
    double size = hypot(w[0], w[1]), limit = law->friction * (zeta - z), keep = size > limit ? limit / size : 1.0;
    for (int k = 0; k < 2; k++) {
      w[k] *= keep;
      force.ft[k] += 1.5 * coefficient * h * w[k];
    }
  }
  row->zeta = zeta;
  return force;
}

/*
 * A random movement in the plane, in one step by the law and in many by the clamped row; the work of the law's own
 * force in as many steps must be stored or dissipated.
 */
static void check_plane(uint64_t *random, double *force_error, double *energy_error)
{
  enum { PARTS = 1000 };
  jager_law law = example_law();
  springs *once = make(&law, CLAMPED, 0.02), *parted = make(&law, CLAMPED, 0.02);
  SCOPED_BENCH b = bench_create(law);
  clamped_row row = {.reach = 0.02};
  double coefficient = jager_contact_coefficient(&b.contact), zeta = 0.0, work = 0.0;
  jager_force before = {0.0, {0.0, 0.0}};
  for (int leg = 0; leg < 6; leg++) {
    double to = random_in(random, 0.004, 0.02),
           dxi[2] = {random_in(random, -0.01, 0.01), random_in(random, -0.01, 0.01)};
    jager_force whole = move(once, to, dxi[0], dxi[1]), force = before, clamped = before;
    for (int k = 1; k <= PARTS; k++) {
      double at = zeta + (to - zeta) * k / PARTS, x = dxi[0] / PARTS, y = dxi[1] / PARTS;
      force = move(parted, at, x, y);
      clamped = clamped_move(&row, &law, coefficient, at, x, y);
      work += (before.ft[0] + force.ft[0]) * x + (before.ft[1] + force.ft[1]) * y;
      before = force;
    }
    double unit = law.friction * whole.fn;
    ck_assert_double_le(hypot(whole.ft[0], whole.ft[1]), unit * (1.0 + 1e-12));
    assert_within(distance(whole, force), 0.0, 1e-10 * unit); /* exact in straight movements */
    *force_error = fmax(*force_error, distance(clamped, force) / unit);
    jager_energy energy = springs_energy(parted), in_one = springs_energy(once);
    *energy_error = fmax(*energy_error, fabs(work - energy.tangential - energy.dissipated) / work);
    assert_within(in_one.dissipated, energy.dissipated, 2e-3 * energy.dissipated); /* quadrature of one large step */
    zeta = to;
  }
  springs_destroy(once);
  springs_destroy(parted);
}

TEST(each_spring_slides_in_its_own_direction)
{
  uint64_t random = 21;
  double force = 0.0, energy = 0.0;
  for (int trial = 0; trial < 12; trial++)
    check_plane(&random, &force, &energy);
  printf("in the plane: clamped in 1,000 steps off by %.1e f Fn; work against energies %.1e\n", force, energy);
  ck_assert_double_le(force, 5e-3); /* of first order in its steps */
  ck_assert_double_le(energy, 1e-4);
}

TEST(nothing_is_created)
{
  uint64_t random = 22;
  jager_law law = example_law();
  springs *s = make(&law, 64, 0.0);
  double before = 0.0;
  for (int step = 0; step < 20000; step++) {
    double scale = pow(10.0, random_in(&random, -9.0, 1.0));
    jager_force force = move(s, random_in(&random, -0.003, 0.02), scale * random_in(&random, -0.01, 0.01),
                             scale * random_in(&random, -0.01, 0.01));
    double dissipated = springs_energy(s).dissipated;
    ck_assert(isfinite(dissipated) && isfinite(force.ft[0]) && isfinite(force.ft[1]));
    ck_assert_double_ge(dissipated, before);
    ck_assert_double_le(hypot(force.ft[0], force.ft[1]), law.friction * force.fn * (1.0 + 1e-12));
    before = dissipated;
  }
  springs_destroy(s);
}

/* Numbers of any size, all contours, with and without friction */
TEST(extreme_numbers_stay_within_friction)
{
  uint64_t random = 23;
  for (int trial = 0; trial < 600; trial++) {
    jager_law law = example_law();
    double scale = pow(10.0, random_in(&random, -300.0, 50.0)), before = 0.0;
    assert_ok(jager_law_set_friction(&law, trial % 7 == 0 ? 0.0 : pow(10.0, random_in(&random, -8.0, 6.0))));
    assert_ok(jager_law_set_contour(&law, (jager_contour)(trial % 3), 0.3, random_in(&random, 1.0, 100.0)));
    springs *s = make(&law, 8 + (int)random_below(&random, 40), 0.0);
    for (int step = 0; step < 40; step++) {
      double way = scale * pow(10.0, random_in(&random, -18.0, 3.0));
      jager_force force = move(s, scale * random_in(&random, -0.2, 1.0) * (step % 9 == 0 ? 1e-14 : 1.0),
                               way * random_in(&random, -1.0, 1.0), way * random_in(&random, -1.0, 1.0));
      double ft = hypot(force.ft[0], force.ft[1]), dissipated = springs_energy(s).dissipated;
      if (!isfinite(force.fn) || !isfinite(dissipated))
        break; /* beyond the largest number */
      ck_assert_double_le(ft, law.friction * force.fn * (1.0 + 1e-9) + 1e-300);
      ck_assert_double_ge(dissipated, before);
      before = dissipated;
    }
    springs_destroy(s);
  }
}

/*
 * The last of some cycles on an ellipse with half axes 0.5 κfζ and `width` · 0.5 κfζ: its loss over 2κf²·Fn·ζ, and the
 * angle of the force ahead of the movement at the end of the long axis.
 */
typedef struct ellipse_result {
  double jager, springs, lead, estimate;
} ellipse_result;

static ellipse_result on_ellipse(double width, int steps, int count)
{
  enum { CYCLES = 6 }; /* sliders that are hardly dragged need some cycles to find their circle */
  const double zeta = 0.01;
  SCOPED_BENCH b = bench_create(example_law());
  springs *s = make(&b.law, count, 0.0);
  double reach = 0.5 * b.law.kappa * b.law.friction * zeta, at[2] = {0.0, 0.0}, jager = 0.0, before = 0.0;
  jager_force force = bench_move(&b, zeta, 0.0, 0.0);
  double unit = 2.0 * b.law.kappa * b.law.friction * b.law.friction * force.fn * zeta;
  (void)move(s, zeta, 0.0, 0.0);
  for (int i = -steps; i <= CYCLES * steps; i++) { /* first outward, then turns */
    double angle = i > 0 ? FULL_TURN * i / steps : 0.0, out = i < 0 ? (double)(steps + i) / steps : 1.0;
    double to[2] = {out * reach * cos(angle), width * reach * sin(angle)};
    const double dxi[2] = {to[0] - at[0], to[1] - at[1]};
    int is_last = i > (CYCLES - 1) * steps;
    jager_energy energy;
    assert_ok(move_with_energy(&b.contact, &b.law, b.pool, zeta, dxi, NULL, &energy));
    jager += is_last ? energy.dissipated : 0.0;
    force = move(s, zeta, dxi[0], dxi[1]);
    before = is_last ? before : springs_energy(s).dissipated;
    at[0] = to[0];
    at[1] = to[1];
  }
  ellipse_result result = {jager / unit, (springs_energy(s).dissipated - before) / unit,
                           360.0 / FULL_TURN * atan2(force.ft[1], force.ft[0]),
                           springs_force_error(s) / (b.law.friction * force.fn)};
  springs_destroy(s);
  return result;
}

/*
 * On a circle of radius r, the slider of a spring with the limit L < r is dragged along a circle of radius √(r² - L²):
 * a cycle takes the energy L·2π√(r² - L²). With s = L/fζ and Fn" dz = ¾ Fn (1 - s)^(-½) ds/ζ, over 2κf²·Fn·ζ, by the
 * midpoint rule.
 */
static double loss_on_circle(double radius)
{
  enum { PARTS = 100000 };
  double sum = 0.0;
  for (int i = 0; i < PARTS; i++) {
    double s = radius * (i + 0.5) / PARTS;
    sum += s * sqrt(radius * radius - s * s) / sqrt(1.0 - s);
  }
  return 0.75 * FULL_TURN * sum * radius / PARTS;
}

/* The table of docs/theory.md, "Two directions" */
TEST(round_shear_loses_most_with_springs)
{
  static const double documented[5][3] = {
      {0.0728, 0.0728, 0.0}, {0.0705, 0.0799, 1.5}, {0.0620, 0.106, 3.0}, {0.0419, 0.157, 4.8}, {0.0, 0.236, 7.0}};
  for (int quarters = 0; quarters <= 4; quarters++) {
    ellipse_result r = on_ellipse(0.25 * quarters, 400, 400);
    printf("ellipse, %d/4 as wide as long: jager %.4f, springs %.4f of 2 kappa f² Fn zeta a cycle, lead %.2f degrees, "
           "estimated error %.1e f Fn\n",
           quarters, r.jager, r.springs, r.lead, r.estimate);
    assert_within(r.jager, documented[quarters][0], 0.002);
    assert_within(r.springs, documented[quarters][1], 0.0005);
    assert_within(r.lead, documented[quarters][2], 0.06);
  }
  double q = sqrt(0.5), to_and_fro = 0.8 * pow(1.0 - q, 3.0) * (1.0 + 3.0 * q + q * q); /* Mindlin and Deresiewicz */
  assert_within(on_ellipse(0.0, 400, 400).springs, to_and_fro, 1e-4 * to_and_fro);
}

/*
 * The loss of a spring on a circle has a root at L = r, where its slider stops: the error is of order 1.5 in the number
 * of springs.
 */
TEST(the_loss_on_a_circle_converges)
{
  double exact = loss_on_circle(0.5), before = INFINITY;
  for (int count = 16; count <= 256; count *= 4) {
    double error = fabs(on_ellipse(1.0, 1000, count).springs / exact - 1.0);
    printf("circle, %d springs: loss off by %.1e\n", count, error);
    ck_assert_double_lt(error, before / 6.0);
    before = error;
  }
  ck_assert_double_lt(before, 3e-4);
  assert_within(exact, 0.236, 5e-4);
}

/* ---- The row ----------------------------------------------------------------------------------------------------- */

/*
 * A contact that grows from almost zero joins springs in pairs; its force is as if the springs were made for its final
 * size.
 */
TEST(a_growing_contact_keeps_its_force)
{
  uint64_t random = 5;
  jager_law law = example_law();
  springs *known = make(&law, 2000, 0.02), *grown = make(&law, 2000, 0.0);
  for (int step = 1; step <= 300; step++) {
    double zeta = 0.02 * step * step / 90000.0, x = random_in(&random, -2e-4, 2e-4),
           y = random_in(&random, -2e-4, 2e-4);
    jager_force a = move(known, zeta, x, y), b = move(grown, zeta, x, y);
    if (step >= 100)
      assert_within(distance(a, b), 0.0, 2e-4 * law.friction * a.fn);
  }
  ck_assert_int_ge(springs_engaged(grown), 1000);
  ck_assert_int_le(springs_engaged(grown), 2000);
  springs_destroy(known);
  springs_destroy(grown);
}

TEST(a_copy_goes_on_alike)
{
  jager_law law = example_law();
  springs *s = make(&law, 100, 0.0), *copy = make(&law, 100, 0.0);
  (void)move(s, 0.01, 0.001, 0.0);
  (void)move(s, 0.03, 0.001, 0.002);
  springs_copy(copy, s);
  jager_force a = move(s, 0.02, -0.003, 0.001), b = move(copy, 0.02, -0.003, 0.001);
  ck_assert_mem_eq(&a, &b, sizeof a);
  jager_energy first = springs_energy(s), second = springs_energy(copy);
  ck_assert_mem_eq(&first, &second, sizeof first);
  springs_destroy(s);
  springs_destroy(copy);
}

TEST(bad_arguments_are_refused)
{
  const double nan2[2] = {NAN, 0.0}, large[2] = {0.0, 1e61}, none[2] = {0.0, 0.0};
  jager_law law = example_law(), empty = jager_law_default();
  springs *s;
  ck_assert_int_eq(springs_create(&s, &empty, 1.0, 1.0, (springs_grid){100, 0.0}), JAGER_ERROR_NO_MATERIAL);
  ck_assert_int_eq(springs_create(&s, &law, -1.0, 1.0, (springs_grid){100, 0.0}), JAGER_ERROR_RADIUS);
  ck_assert_int_eq(springs_create(&s, &law, 1.0, 1.0, (springs_grid){7, 0.0}), JAGER_ERROR_CAPACITY);
  ck_assert_int_eq(springs_create(&s, &law, 1.0, 1.0, (springs_grid){1000001, 0.0}), JAGER_ERROR_CAPACITY);
  ck_assert_int_eq(springs_create(&s, &law, 1.0, 1.0, (springs_grid){100, NAN}), JAGER_ERROR_CAPACITY);
  ck_assert_ptr_null(s);
  s = make(&law, 100, 0.0);
  jager_force before = move(s, 0.01, 0.001, 0.002);
  ck_assert_int_eq(springs_move(s, 0.01, nan2), JAGER_ERROR_NOT_FINITE);
  ck_assert_int_eq(springs_move(s, 0.01, large), JAGER_ERROR_TOO_LARGE);
  ck_assert_int_eq(springs_move(s, 1e61, none), JAGER_ERROR_TOO_LARGE);
  ck_assert_int_eq(springs_move(s, NAN, none), JAGER_ERROR_NOT_FINITE);
  jager_force after = springs_force(s);
  ck_assert_mem_eq(&before, &after, sizeof before);
  springs_destroy(s);
  springs_destroy(NULL);
}
