/* SPDX-License-Identifier: MIT */
/*
 * The numbers in the paper's figures. Oracles: the text of the paper; closed forms of Mindlin and Deresiewicz; for
 * twins, exact contacts that make the same movements; for runs that are followed or timed, the undisturbed run.
 */
#include "dem_support.h"
#include "assert_ok.h"

#include "dem/checkpoint/checkpoint.h"
#include "paper/approx.h"
#include "paper/biaxial.h"
#include "paper/claims.h"
#include "paper/labelled_panel.h"
#include "paper/lattice.h"
#include "paper/oblique.h"
#include "paper/path.h"
#include "paper/traction.h"
#include "paper/twins.h"

#include <string.h>

/* ---- Single contacts --------------------------------------------------------------------------------------------- */

START_TEST(nine_movements_have_the_papers_histories)
{
  static const char *const expected[PATH_MOVEMENTS + 1] = {
      "0",        "0-1",        "0-1-2",        "0-1-2-3",         "0-1-2-2a-4",
      "0-1-1a-5", "0-1-1a-5-6", "0-1-1a-5-6-7", "0-1-1a-5-6-6a-8", "0-1-1a-5-6-6a-7a-9"};
  static const char states[] = "-eeessees" /* apart, then each movement */ "s";
  path_results results;
  char list[128];
  ASSERT_OK(paper_path_compute(&results, &error));
  for (int i = 0; i <= PATH_MOVEMENTS; i++) {
    named_history_print(&results.stages[i].history, list, sizeof list);
    ck_assert_str_eq(list, expected[i]);
    if (i > 0)
      ck_assert_int_eq(results.stages[i].state, states[i] == 'e' ? JAGER_STATE_ELASTIC : JAGER_STATE_SLIP);
  }
  const named_stage *last = &results.stages[PATH_MOVEMENTS];
  assert_within(last->history.ft[last->history.count - 1], last->force.ft[0], 1e-16);
  ck_assert_double_le(results.traction_difference, 1e-13 * results.traction_max);
}
END_TEST

START_TEST(six_movements_are_merged_and_cut)
{
  approx_results r;
  char list[128];
  ASSERT_OK(paper_approx_compute(&r, &error));
  ck_assert_int_eq(r.stages[0][5].history.count, 6);
  ck_assert_int_eq(r.stages[0][6].history.count, 4);
  ck_assert_int_eq(r.stages[1][5].history.count, 3);
  named_history_print(&r.stages[0][6].history, list, sizeof list);
  ck_assert_str_eq(list, "0-1-1a-6");
  named_history_print(&r.stages[1][5].history, list, sizeof list);
  ck_assert_str_eq(list, "0-1-5");
  assert_within(r.stages[1][5].force.ft[0], r.stages[0][5].force.ft[0], 1e-17); /* merging keeps Σ p ΔFn */
  ck_assert_double_gt(fabs(r.error), 0.02);
  ck_assert_double_lt(fabs(r.error), 0.04);
}
END_TEST

/* Exact in four steps and in many; the incremental law only in many. */
START_TEST(the_oblique_path_is_that_of_the_closed_form)
{
  const oblique_path of = oblique_path_of_paper();
  oblique_point at;
  double four, many, traction;
  ASSERT_OK(oblique_point_at(&of, 1.0, &at, &error));
  assert_within(at.ft, 0.9 * of.law.friction * at.fn, 1e-16);
  ASSERT_OK(oblique_point_at(&of, 2.0, &at, &error));
  assert_within(at.ft, -0.9 * of.law.friction * at.fn, 1e-16);
  ASSERT_OK(oblique_error(&of, JAGER_MODEL_JAGER, 4, &four, NULL, &error));
  ASSERT_OK(oblique_error(&of, JAGER_MODEL_JAGER, 1000, &many, NULL, &error));
  ck_assert_double_le(four, 1e-13);
  ck_assert_double_le(many, 1e-13);
  ASSERT_OK(oblique_error(&of, JAGER_MODEL_ZHANG_VUQUOC, 4, &four, NULL, &error));
  ASSERT_OK(oblique_error(&of, JAGER_MODEL_ZHANG_VUQUOC, 4000, &many, NULL, &error));
  ck_assert_double_gt(four, 0.05);
  ck_assert_double_lt(many, 0.001);
  ASSERT_OK(paper_traction_difference(&traction, &error));
  ck_assert_double_le(traction, 1e-12);
}
END_TEST

/* ---- What the paper says in words -------------------------------------------------------------------------------- */

START_TEST(no_slip_in_the_cone_and_slip_outside)
{
  claims_slip check;
  ASSERT_OK(paper_claims_check_slip(&check, &error));
  ck_assert_int_gt(check.inside, 1000);
  ck_assert_int_eq(check.inside_elastic, check.inside);
  ck_assert_int_gt(check.outside, 1000);
  ck_assert_int_eq(check.outside_slip, check.outside);
  ck_assert_double_le(check.inside_dissipated, 1e-14);
  ck_assert_double_gt(check.outside_dissipated, 0.0);
}
END_TEST

START_TEST(subdivision_matters_only_where_movements_turn)
{
  claims_division check;
  double order;
  ASSERT_OK(paper_claims_check_collinear(&check, &error));
  for (int k = 0; k < CLAIMS_DIVISIONS; k++)
    ck_assert_double_le(check.difference[k], 1e-13);
  ASSERT_OK(paper_claims_check_turning(&check, &order, &error));
  ck_assert_double_gt(check.difference[0], 1e-3);
  assert_within(order, 1.0, 0.1);
}
END_TEST

START_TEST(only_jager_dissipates_in_small_cycles)
{
  double loss;
  for (double share = 0.1; share < 0.6; share += 0.4) {
    ASSERT_OK(paper_claims_check_cycle(JAGER_MODEL_LINEAR, share, &loss, &error));
    assert_within(loss, 0.0, 1e-12);
    ASSERT_OK(paper_claims_check_cycle(JAGER_MODEL_HERTZ_MINDLIN, share, &loss, &error));
    assert_within(loss, 0.0, 1e-12);
    ASSERT_OK(paper_claims_check_cycle(JAGER_MODEL_JAGER, share, &loss, &error));
    assert_within(loss, 1.0, 1e-5);
  }
}
END_TEST

START_TEST(lattices_stiffen_and_damp_as_the_paper_says)
{
  lattice_stiffness stiffness;
  lattice_cycle small, large;
  ASSERT_OK(lattice_measure_stiffness(JAGER_MODEL_JAGER, &stiffness, &error));
  assert_within(stiffness.exponent, 1.0 / 3.0, 1e-3);
  ASSERT_OK(lattice_measure_stiffness(JAGER_MODEL_LINEAR, &stiffness, &error));
  assert_within(stiffness.exponent, 0.0, 1e-3);
  ASSERT_OK(lattice_measure_cycle(JAGER_MODEL_LINEAR, 4e-5, &large, NULL, &error));
  assert_within(large.damping, 0.0, 1e-9);
  ASSERT_OK(lattice_measure_cycle(JAGER_MODEL_JAGER, 1e-5, &small, NULL, &error));
  ASSERT_OK(lattice_measure_cycle(JAGER_MODEL_JAGER, 4e-5, &large, NULL, &error));
  ck_assert_double_gt(small.damping, 1e-3);
  ck_assert_double_gt(large.damping, 3.0 * small.damping);
  ck_assert_double_lt(large.modulus, 0.95 * small.modulus);
}
END_TEST

/* ---- Twins ------------------------------------------------------------------------------------------------------- */

static dem_case sheared_case(void)
{
  dem_case run = dem_still_case(0.0);
  dem_take_packing(&run, 120, 1e6);
  run.stages[0].control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 2e-6};
  run.stages[0].until.steps = 300;
  return run;
}

/* To the end of packing. */
static dem_simulation *packed(const dem_case *run)
{
  dem_simulation *s = dem_create(run, 1);
  while (!(dem_simulation_stage(s) == 0 && dem_simulation_events(s).stage_ended))
    ck_assert_int_eq(dem_simulation_step(s, &error), DEM_GOES_ON);
  return s;
}

static void finish(dem_simulation *s)
{
  dem_progress outcome;
  while ((outcome = dem_simulation_step(s, &error)) == DEM_GOES_ON)
    continue;
  ck_assert_int_eq(outcome, DEM_DONE);
}

static jager_law law_of(const dem_case *run)
{
  jager_law law = example_law();
  ck_assert_int_eq(jager_law_set_bodies(&law, run->material.shear_modulus, run->material.poisson), JAGER_OK);
  ck_assert_int_eq(jager_law_set_friction(&law, run->material.friction), JAGER_OK);
  return law;
}

static const twin_way ways[] = {{"exact", 0.0, 0.0}, {"0.20 f", 0.20, 0.0}, {"tolerance", 0.0, 5e-3}};

/* Following and timing do not change the run. */
START_TEST(followers_and_clocks_change_no_bit)
{
  dem_case run = sheared_case();
  jager_law law = law_of(&run);
  twins of;
  dem_simulation *plain = packed(&run), *watched = packed(&run);
  ck_assert(twins_init(&of, &law, ways, 3));
  ck_assert(dem_simulation_follow(watched, &of.follower));
  dem_simulation_time_law(watched);
  finish(plain);
  finish(watched);
  ck_assert_uint_eq(dem_simulation_hash(plain), dem_simulation_hash(watched));
  ck_assert_double_eq(dem_simulation_law_seconds(plain), 0.0);
  ck_assert_double_gt(dem_simulation_law_seconds(watched), 0.0);
  ck_assert_double_gt(of.movements, 1000.0);
  dem_checkpoint_notes notes = {.input = ""};
  ck_assert(!dem_checkpoint_write(watched, "followed.jck", NULL, &notes, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "followed"));
  dem_simulation_destroy(plain);
  dem_simulation_destroy(watched);
  twins_free(&of);
}
END_TEST

/* With Δp_max = 0 a twin equals its contact. With larger values histories are shorter and have errors. */
START_TEST(twins_without_approximation_are_exact)
{
  dem_case run = sheared_case();
  jager_law law = law_of(&run);
  twins of;
  dem_simulation *s = packed(&run);
  ck_assert(twins_init(&of, &law, ways, 3));
  ck_assert(dem_simulation_follow(s, &of.follower));
  double share = of.count / (double)dem_simulation_contacts(s);
  finish(s);
  ck_assert_int_eq(of.status, JAGER_OK);
  ck_assert_double_le(of.errors[0].max, 1e-12);
  ck_assert_double_eq(of.lengths[0], of.exact_length);
  ck_assert_double_lt(of.lengths[1], of.exact_length);
  ck_assert_double_gt(of.errors[1].max, 1e-9);
  ck_assert_double_le(of.errors[1].sum / of.movements, of.errors[1].max);
  ck_assert_double_lt(of.lengths[2], of.exact_length);
  ck_assert_double_gt(of.errors[2].max, 1e-9);
  ck_assert_double_le(of.errors[2].max, 0.1); /* the bound for one movement in the plane is 0.24 */
  assert_within(share, 1.0 / TWIN_SHARE, 0.12);
  dem_simulation_destroy(s);
  twins_free(&of);
}
END_TEST

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

/* Distance in pixels of a place from a line, by sampling. */
static double sampled_distance(const labelled_panel *panel, const double place[2], const double from[2],
                               const double to[2])
{
  double nearest = INFINITY;
  for (int i = 0; i <= 1000; i++) {
    double x = from[0] + i * 1e-3 * (to[0] - from[0]), y = from[1] + i * 1e-3 * (to[1] - from[1]);
    nearest = fmin(nearest, hypot(530.0 * (x - place[0]) / (panel->high[0] - panel->low[0]),
                                  365.0 * (y - place[1]) / (panel->high[1] - panel->low[1])));
  }
  return nearest;
}

/* Random corners, seed 1: two lines from a point leave half of the plane free for the label. */
START_TEST(labels_keep_clear_of_lines)
{
  uint64_t random = 1;
  for (int trial = 0; trial < 50; trial++) {
    labelled_panel panel = {.low = {-2.0, 0.0}, .high = {6.0, 0.1}};
    double at[2] = {random_in(&random, -2.0, 6.0), random_in(&random, 0.0, 0.1)};
    for (int i = 0; i < 2; i++) {
      const double end[2] = {random_in(&random, -2.0, 6.0), random_in(&random, 0.0, 0.1)};
      labelled_panel_add_line(&panel, at, end);
    }
    labelled_panel_add_label(&panel, "1a", at, "#000000");
    ck_assert_ptr_eq(labelled_panel_find(&panel, "1a"), &panel.label[0]);
    ck_assert_ptr_null(labelled_panel_find(&panel, "1"));
    double place[2] = {0.0, 0.0};
    labelled_panel_place(&panel, &panel.label[0], place);
    assert_within(sampled_distance(&panel, place, at, at), 15.0, 1e-9);
    for (int i = 0; i < panel.lines; i++)
      ck_assert_double_ge(sampled_distance(&panel, place, panel.line[i][0], panel.line[i][1]), 14.0);
  }
}
END_TEST

/* ---- The traced contact ------------------------------------------------------------------------------------------ */

/* A life of two samples with this shift between them. The book owns the samples. */
static dem_trace_life life_with(uint32_t id, long death, double shift)
{
  dem_trace_life life = {.ids = {id, id + 1}, .birth = 10, .death = death, .count = 2, .room = 2};
  life.samples = calloc(2, sizeof *life.samples);
  life.samples[1].xi2 = shift;
  return life;
}

START_TEST(the_contact_that_slides_least_is_chosen)
{
  static dem_case run;
  run = dem_case_default();
  run.trace_count = 1;
  run.traces[0] = (dem_trace){.kind = DEM_TRACE_BORN, .component = DEM_ZZ};
  dem_trace_book *book = dem_trace_book_create(&run);
  ck_assert_ptr_null(biaxial_choose_life(book));
  const dem_trace_life lives[] = {life_with(1, 500, 1e-9), life_with(3, -1, 3e-6), life_with(5, -1, -2e-6),
                                  life_with(7, -1, 9e-6)};
  ck_assert(dem_trace_book_restore(book, 0, &lives[0]));
  ck_assert_uint_eq(biaxial_choose_life(book)->ids[0], 1);
  for (size_t i = 1; i < 4; i++)
    ck_assert(dem_trace_book_restore(book, i + 2, &lives[i]));
  ck_assert_uint_eq(biaxial_choose_life(book)->ids[0], 5);
  dem_trace_book_destroy(book);
}
END_TEST

START_TEST(the_peak_is_that_of_the_test_not_of_what_follows)
{
  biaxial_row rows[] = {{.strain = 0.0, .ratio = 1.0},
                        {.strain = 0.01, .ratio = 3.0},
                        {.strain = 0.02, .ratio = 3.4},
                        {.strain = 0.04, .ratio = 3.0},
                        {.strain = 0.05, .ratio = 4.0}};
  const biaxial_followed of = {.test_strain = 0.04, .row_count = 5, .rows = rows};
  ck_assert_uint_eq(biaxial_test_rows(&of), 4);
  ck_assert_ptr_eq(biaxial_peak(&of), &rows[2]);
}
END_TEST

static void add_tests(TCase *tests)
{
  tcase_add_test(tests, nine_movements_have_the_papers_histories);
  tcase_add_test(tests, six_movements_are_merged_and_cut);
  tcase_add_test(tests, the_oblique_path_is_that_of_the_closed_form);
  tcase_add_test(tests, no_slip_in_the_cone_and_slip_outside);
  tcase_add_test(tests, subdivision_matters_only_where_movements_turn);
  tcase_add_test(tests, only_jager_dissipates_in_small_cycles);
  tcase_add_test(tests, lattices_stiffen_and_damp_as_the_paper_says);
  tcase_add_test(tests, followers_and_clocks_change_no_bit);
  tcase_add_test(tests, labels_keep_clear_of_lines);
  tcase_add_test(tests, the_contact_that_slides_least_is_chosen);
  tcase_add_test(tests, the_peak_is_that_of_the_test_not_of_what_follows);
  tcase_add_test(tests, twins_without_approximation_are_exact);
}

int main(void)
{
  return run_tests("paper", add_tests);
}
