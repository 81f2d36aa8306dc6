/* SPDX-License-Identifier: MIT */
/* The kind of loading that is found for a run, and the stages that its pictures show. The series are made up. */
#define _GNU_SOURCE
#include "made_series.h"
#include "pictures/run_loading.h"
#include "support.h"

#include <check.h>

static void assert_loading(const run_loading *loading, run_loading_kind kind, dem_component component, int first_stage,
                           int last_stage)
{
  ck_assert_int_eq(loading->kind, kind);
  ck_assert_int_eq(loading->component, component);
  ck_assert_int_eq(loading->first_stage, first_stage);
  ck_assert_int_eq(loading->last_stage, last_stage);
}

START_TEST(shearing_after_consolidation_is_drawn_alone)
{
  maker made = MAKE(consolidation, triaxial);
  run_loading loading = run_loading_find(&made.table, &made.run);
  assert_loading(&loading, RUN_LOADING_NORMAL, DEM_ZZ, 2, 2);
  ck_assert(loading.strain[DEM_ZZ] == 1e-4 && loading.step == 3000.0 && loading.first == 29 && loading.end == 330);
  ck_assert(!loading.is_cyclic && loading.lateral == -1);
  series_table_free(&made.table);
}
END_TEST

START_TEST(loading_and_unloading_are_drawn_together)
{
  maker made = MAKE(consolidation, triaxial, rest, unloading, rest);
  made.table.rows -= 30;
  run_loading loading = run_loading_find(&made.table, &made.run);
  assert_loading(&loading, RUN_LOADING_NORMAL, DEM_ZZ, 2, 4);
  ck_assert(!loading.is_cyclic);
  series_table_free(&made.table);
}
END_TEST

START_TEST(a_rest_at_the_end_is_drawn_with_the_loading)
{
  maker made = MAKE(shear, triaxial, rest);
  run_loading loading = run_loading_find(&made.table, &made.run);
  assert_loading(&loading, RUN_LOADING_NORMAL, DEM_ZZ, 2, 3);
  series_table_free(&made.table);
}
END_TEST

/* The largest of the prescribed strains counts, not a larger one that follows from stresses. */
START_TEST(plane_strain_is_known_by_the_fixed_direction)
{
  maker made = MAKE(consolidation, biaxial);
  run_loading loading = run_loading_find(&made.table, &made.run);
  assert_loading(&loading, RUN_LOADING_NORMAL, DEM_XX, 2, 2);
  ck_assert_int_eq(loading.lateral, DEM_ZZ);
  made.run.stages[1].control[DEM_XX] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 1e5};
  loading = run_loading_find(&made.table, &made.run);
  assert_loading(&loading, RUN_LOADING_NORMAL, DEM_ZZ, 2, 2);
  ck_assert_int_eq(loading.lateral, DEM_XX);
  series_table_free(&made.table);
}
END_TEST

START_TEST(shear_is_known)
{
  maker made = MAKE(consolidation, shear);
  run_loading loading = run_loading_find(&made.table, &made.run);
  assert_loading(&loading, RUN_LOADING_SHEAR, DEM_XY, 2, 2);
  series_table_free(&made.table);
}
END_TEST

START_TEST(cycles_are_known_by_their_path_or_from_the_case)
{
  maker made = MAKE(consolidation, cyclic);
  run_loading loading = run_loading_find(&made.table, &made.run);
  assert_loading(&loading, RUN_LOADING_SHEAR, DEM_YZ, 2, 2);
  ck_assert(loading.is_cyclic);
  series_table_free(&made.table);
  made = MAKE(shear);
  ck_assert(!run_loading_find(&made.table, &made.run).is_cyclic);
  made.run.stages[0].cyclic.on = true;
  ck_assert(run_loading_find(&made.table, &made.run).is_cyclic);
  series_table_free(&made.table);
}
END_TEST

/* Components on waves of strain or stress are driven; rests between such stages are drawn with them. */
START_TEST(waves_load)
{
  static const stage_shape pause = {.strain = {0.0}, .rows = 20};
  const dem_control_kind kinds[] = {DEM_CONTROL_STRAIN_PATH, DEM_CONTROL_STRESS_PATH};
  for (int k = 0; k < 2; k++) {
    maker made = MAKE(consolidation, cyclic, pause, cyclic);
    made.run.stages[1].control[DEM_YZ] = made.run.stages[3].control[DEM_YZ] =
        (dem_control){.kind = kinds[k], .value = 0.01};
    made.run.stages[2].control[DEM_YZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_RATE};
    run_loading loading = run_loading_find(&made.table, &made.run);
    assert_loading(&loading, RUN_LOADING_SHEAR, DEM_YZ, 2, 4);
    ck_assert(loading.is_cyclic);
    series_table_free(&made.table);
  }
}
END_TEST

START_TEST(isotropic_compression_is_known)
{
  maker made = MAKE(isotropic);
  run_loading loading = run_loading_find(&made.table, &made.run);
  assert_loading(&loading, RUN_LOADING_ISOTROPIC, DEM_ZZ, 1, 1);
  ck_assert(loading.first == 9);
  series_table_free(&made.table);
}
END_TEST

/* A stage loads if its case prescribes a strain, however small. */
START_TEST(small_strains_after_large_ones_are_drawn)
{
  static const stage_shape probe = {.strain = {-0.04, -0.04, 0.1, 1e-6}, .rows = 50, .driven = XY};
  maker made = MAKE(triaxial, rest, probe);
  run_loading loading = run_loading_find(&made.table, &made.run);
  assert_loading(&loading, RUN_LOADING_SHEAR, DEM_XY, 3, 3);
  series_table_free(&made.table);
}
END_TEST

/* A stage at constant pressure does not load, however large its strains. At another pressure it does. */
START_TEST(consolidation_alone_is_still)
{
  static const stage_shape uneven = {.strain = {1e-6, 3e-2, -1e-3}, .rows = 20};
  maker made = MAKE(uneven, uneven);
  run_loading loading = run_loading_find(&made.table, &made.run);
  assert_loading(&loading, RUN_LOADING_STILL, DEM_ZZ, 1, 2);
  ck_assert(loading.first == 9 && loading.end == 50);
  made.run.stages[0].control[DEM_YY].value = made.run.stages[1].control[DEM_YY].value = 2e5;
  loading = run_loading_find(&made.table, &made.run);
  assert_loading(&loading, RUN_LOADING_NORMAL, DEM_YY, 1, 2);
  series_table_free(&made.table);
}
END_TEST

START_TEST(constant_volume_is_known)
{
  maker made = MAKE(undrained);
  run_loading loading = run_loading_find(&made.table, &made.run);
  assert_loading(&loading, RUN_LOADING_NORMAL, DEM_ZZ, 1, 1);
  ck_assert(loading.is_at_constant_volume);
  series_table_free(&made.table);
  made = MAKE(triaxial);
  ck_assert(!run_loading_find(&made.table, &made.run).is_at_constant_volume);
  series_table_free(&made.table);
}
END_TEST

/* Consolidation to another pressure loads, but not in the same way as shearing. */
START_TEST(consolidation_to_another_pressure_is_left_out)
{
  maker made = MAKE(isotropic, triaxial);
  run_loading loading = run_loading_find(&made.table, &made.run);
  assert_loading(&loading, RUN_LOADING_NORMAL, DEM_ZZ, 2, 2);
  series_table_free(&made.table);
}
END_TEST

START_TEST(packing_alone_is_still)
{
  maker made = make_series(NULL, 0);
  run_loading loading = run_loading_find(&made.table, &made.run);
  assert_loading(&loading, RUN_LOADING_STILL, DEM_ZZ, 0, 0);
  ck_assert(loading.first == 0 && loading.end == 10 && loading.step == 0.0);
  series_table_free(&made.table);
}
END_TEST

/* The assembly is read from a file: there is no row before the first stage, and strains count from zero. */
START_TEST(a_run_without_packing_starts_at_zero)
{
  maker made = {.run = make_case(&triaxial, 1)};
  made.run.assembly.source = DEM_SOURCE_FILE;
  dem_measures at = {0};
  add_stage(&made, &at, &triaxial);
  run_loading loading = run_loading_find(&made.table, &made.run);
  assert_loading(&loading, RUN_LOADING_NORMAL, DEM_ZZ, 1, 1);
  ck_assert(loading.first == 0 && loading.step == 0.0 && loading.strain[DEM_ZZ] == 0.0);
  series_table_free(&made.table);
}
END_TEST

static void add_tests(Suite *suite)
{
  TCase *tests = tcase_create("run_loading");
  tcase_add_test(tests, shearing_after_consolidation_is_drawn_alone);
  tcase_add_test(tests, loading_and_unloading_are_drawn_together);
  tcase_add_test(tests, a_rest_at_the_end_is_drawn_with_the_loading);
  tcase_add_test(tests, plane_strain_is_known_by_the_fixed_direction);
  tcase_add_test(tests, shear_is_known);
  tcase_add_test(tests, cycles_are_known_by_their_path_or_from_the_case);
  tcase_add_test(tests, waves_load);
  tcase_add_test(tests, isotropic_compression_is_known);
  tcase_add_test(tests, small_strains_after_large_ones_are_drawn);
  tcase_add_test(tests, consolidation_alone_is_still);
  tcase_add_test(tests, constant_volume_is_known);
  tcase_add_test(tests, consolidation_to_another_pressure_is_left_out);
  tcase_add_test(tests, packing_alone_is_still);
  tcase_add_test(tests, a_run_without_packing_starts_at_zero);
  suite_add_tcase(suite, tests);
}

int main(void)
{
  return run_suite("run_loading", add_tests);
}
