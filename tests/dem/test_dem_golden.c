/* SPDX-License-Identifier: MIT */
/*
 * The bits of a short run: 100 spheres are packed and sheared. Any change of the arithmetic changes the hash; if it was
 * meant, put in the new one. The hash is the same on one and two threads, and covers every point of every history.
 */
#include "dem_support.h"
#include "contact/pairs/records.h"

#define GOLDEN 0x293fcb5e6da756b2u

static uint64_t hash_of_run(int threads)
{
  dem_case run = dem_case_default();
  run.seed = 20261116;
  dem_take_packing(&run, 100, 10e6);
  dem_stage *stage = dem_add_stage(&run, "shear", 200);
  stage->control[DEM_XZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 5e-5};
  stage->control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 10e6};
  SCOPED_SIMULATION s = dem_create(&run, threads);
  dem_run_to_end(s);
  dem_measures m = dem_measured(s);
  printf("%d threads: step %ld, p %.17g Pa, stress_xz %.17g Pa, hash 0x%llxu\n", threads, s->step, m.p, m.stress_xz,
         (unsigned long long)dem_simulation_hash(s));
  uint64_t hash = dem_simulation_hash(s);
  return hash;
}

TEST(a_short_run_has_the_same_bits_as_ever)
{
  uint64_t hash = hash_of_run(1);
  ck_assert_uint_eq(hash_of_run(2), hash);
  ck_assert_msg(hash == GOLDEN, "the hash is 0x%llxu", (unsigned long long)hash);
}

/* A contact of five elastic segments; `low` is the slope of the second one. */
static void grow_history(const dem_simulation *s, jager_pool *pool, jager_contact *contact, double low)
{
  static const double slopes[] = {0.05, 0.0, 0.1, 0.15, 0.2};
  ck_assert_int_eq(jager_contact_init(contact, &s->law, 1e-3, 1e-3), JAGER_OK);
  for (int k = 0; k < 5; k++) {
    double slope = k == 1 ? low : slopes[k];
    double dxi[2] = {s->law.kappa * slope * 1e-7, 0.0};
    ck_assert_int_eq(jager_contact_move(contact, &s->law, pool, 1e-7 * (k + 1), dxi, NULL), JAGER_OK);
  }
}

/* Two contacts that differ only in a point deep in their histories. */
TEST(every_point_of_a_history_counts)
{
  dem_case run = dem_still_case(1e-7);
  run.assembly.source = DEM_SOURCE_LATTICE;
  run.assembly.lattice = (dem_lattice){.kind = DEM_LATTICE_SC, .cells = {3, 3, 3}, .radius = 1e-3, .overlap = 1e-3};
  SCOPED_SIMULATION s = dem_create(&run, 1);
  contact_walk at = contact_walk_start(s);
  for (int k = 0; k < 40; k++)
    ck_assert(contact_walk_next(&at));
  jager_pairs *contacts = s->blocks[0].contacts;
  pair_record *record = &contacts->records[at.trace - s->blocks[0].traces];
  uint64_t hashes[3];
  jager_contact kept[3] = {0};
  jager_point points[2][6];
  const double lows[3] = {0.01, 0.02, 0.01};
  for (int k = 0; k < 3; k++) {
    grow_history(s, contacts->pool, &kept[k], lows[k]);
    jager_record_set(record, (const contact_data *)(const void *)&kept[k], record->origin);
    hashes[k] = dem_simulation_hash(s);
  }
  ck_assert_uint_eq(jager_contact_length(&kept[0]), 6);
  ck_assert_uint_eq(jager_contact_length(&kept[0]), jager_contact_length(&kept[1]));
  for (int k = 0; k < 2; k++)
    ck_assert_int_eq(jager_contact_history(&kept[k], &s->law, points[k], 6), JAGER_OK);
  ck_assert_mem_eq(points[0][5].p, points[1][5].p, sizeof points[0][5].p); /* the top segment is the same */
  ck_assert_double_eq(points[0][4].zeta, points[1][4].zeta);
  ck_assert_uint_ne(hashes[0], hashes[1]);
  ck_assert_uint_eq(hashes[0], hashes[2]);
}
