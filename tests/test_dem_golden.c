/* SPDX-License-Identifier: MIT */
/*
 * The bits of a short run: 100 spheres are packed and sheared. Whatever changes the arithmetic changes the hash; if
 * that was meant, put in the new one. On one and on two threads it is the same.
 */
#include "dem_support.h"

#define GOLDEN 0xa6b15f9b2062ab09u

static uint64_t hash_of_run(int threads)
{
  dem_case run = dem_case_default();
  run.seed = 20261116;
  dem_take_packing(&run, 100, 10e6);
  dem_stage *stage = dem_add_stage(&run, "shear", 200);
  stage->control[DEM_XZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 5e-5};
  stage->control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 10e6};
  dem_simulation *s = dem_create(&run, threads);
  dem_run_to_end(s);
  dem_measures m = dem_measured(s);
  printf("%d threads: step %ld, p %.17g Pa, stress_xz %.17g Pa, hash 0x%llxu\n", threads, s->step, m.p, m.stress_xz,
         (unsigned long long)dem_simulation_hash(s));
  uint64_t hash = dem_simulation_hash(s);
  dem_simulation_destroy(s);
  return hash;
}

START_TEST(a_short_run_has_the_same_bits_as_ever)
{
  uint64_t hash = hash_of_run(1);
  ck_assert_uint_eq(hash_of_run(2), hash);
  ck_assert_msg(hash == GOLDEN, "the hash is 0x%llxu", (unsigned long long)hash);
}
END_TEST

static void add_tests(TCase *tests)
{
  tcase_add_test(tests, a_short_run_has_the_same_bits_as_ever);
}

int main(void)
{
  return run_tests("dem_golden", add_tests);
}
