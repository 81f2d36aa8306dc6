/* SPDX-License-Identifier: MIT */
/*
 * A hash over the forces and energies of a fixed random path: every compiler, optimisation and build type gives the
 * same bits. If a change is meant to change results, take the new hash from the message of the failure.
 */
#include "contact/energy/energy.h"
#include "support.h"

#include <inttypes.h>
#include <string.h>

/* FNV-1a over the bits of a number */
static uint64_t hash_double(uint64_t hash, double value)
{
  unsigned char bytes[sizeof value];
  memcpy(bytes, &value, sizeof value);
  for (size_t i = 0; i < sizeof bytes; i++)
    hash = (hash ^ bytes[i]) * 0x100000001B3u;
  return hash;
}

static uint64_t hash_of_path(jager_model model, jager_contour contour, double exponent)
{
  jager_law law = example_law();
  assert_ok(jager_law_set_bodies(&law, 29e9, 0.15));
  assert_ok(jager_law_set_contour(&law, contour, 0.3, exponent));
  assert_ok(jager_law_set_model(&law, model));
  SCOPED_BENCH b = bench_create(law);
  uint64_t random = 20261115, hash = 0xCBF29CE484222325u;
  double zeta = 1e-4, velocity[3] = {0.0, 0.0, 0.0};
  for (int i = 0; i < 20000; i++) {
    for (int k = 0; k < 3; k++)
      velocity[k] += 1e-7 * random_in(&random, -1.0, 1.0) - 0.02 * velocity[k];
    zeta += velocity[0] - 1e-3 * (zeta - 1e-4);
    jager_force force;
    jager_energy energy;
    if (i % 16) {
      assert_ok(jager_contact_move(&b.contact, &b.law, b.pool, zeta, &velocity[1], &force));
    } else {
      double dissipated; /* as it is before a balance adds it up: -0 stays -0 */
      assert_ok(jager_move_dissipating(&b.law, b.pool, data_of(&b.contact), zeta, &velocity[1], &dissipated));
      assert_ok(jager_contact_stored(&b.contact, &b.law, b.pool, &energy));
      force = jager_contact_force(&b.contact);
      hash = hash_double(hash_double(hash, energy.tangential), dissipated);
    }
    hash = hash_double(hash_double(hash_double(hash, force.fn), force.ft[0]), force.ft[1]);
  }
  return hash;
}

static const struct golden {
  jager_model model;
  jager_contour contour;
  double exponent;
  uint64_t hash;
} golden[] = {
    {JAGER_MODEL_JAGER, JAGER_CONTOUR_SPHERE, 0.0, 0x3255087E0C1F82B4},
    {JAGER_MODEL_JAGER, JAGER_CONTOUR_CONE, 0.0, 0xA2CC4E1CCD563777},
    {JAGER_MODEL_JAGER, JAGER_CONTOUR_POWER, 1.5, 0xFBECA05D39094B5C},
    {JAGER_MODEL_JAGER, JAGER_CONTOUR_POWER, 4.7, 0xE778FCBCB6D4B6F6},
    {JAGER_MODEL_LINEAR, JAGER_CONTOUR_SPHERE, 0.0, 0x2733F4FD12AC51B4},
    {JAGER_MODEL_HERTZ_MINDLIN, JAGER_CONTOUR_SPHERE, 0.0, 0x333C92EAB40EE244},
    {JAGER_MODEL_MODIFIED_MINDLIN, JAGER_CONTOUR_SPHERE, 0.0, 0x4C0221DAECC1FFD6},
    {JAGER_MODEL_ZHANG_VUQUOC, JAGER_CONTOUR_SPHERE, 0.0, 0xB789875E54113DC3},
    {JAGER_MODEL_ZHANG_VUQUOC, JAGER_CONTOUR_POWER, 1.5, 0x454A741A4215C62F},
};

enum { GOLDEN = sizeof golden / sizeof golden[0] };

TEST_LOOP(bits_are_the_same_everywhere, GOLDEN)
{
  const struct golden *g = &golden[_i];
  uint64_t hash = hash_of_path(g->model, g->contour, g->exponent);
  ck_assert_msg(hash == g->hash, "%s, %s %g: 0x%016" PRIX64 " instead of 0x%016" PRIX64, jager_model_name(g->model),
                jager_contour_name(g->contour), g->exponent, hash, g->hash);
}
