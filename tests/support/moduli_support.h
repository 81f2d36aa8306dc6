/* SPDX-License-Identifier: MIT */
/* Shared by the tests of moduli. Include it before any other header. */
#ifndef TEST_MODULI_SUPPORT_H
#define TEST_MODULI_SUPPORT_H

#include "dem_support.h"

#include "moduli/moduli.h"

enum { VOIGT = MODULI_VOIGT };

static const int voigt_pair[VOIGT][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};

static inline moduli_network network_of(const dem_simulation *s)
{
  moduli_network network;
  error_info error = {.text = ""};
  ck_assert_msg(moduli_network_take(&network, s, &error), "%s", error.text);
  return network;
}

/* Frees the network. */
static inline moduli_result moduli_of_network(moduli_network network, int threads)
{
  moduli_result result;
  moduli_settings settings = {.threads = threads};
  error_info error = {.text = ""};
  ck_assert_msg(moduli_compute(&result, &network, &settings, &error), "%s", error.text);
  moduli_network_free(&network);
  return result;
}

static inline moduli_result moduli_of(const dem_simulation *s)
{
  return moduli_of_network(network_of(s), 1);
}

static inline moduli_network network_copy(const moduli_network *of)
{
  moduli_network copy = *of;
  copy.radius = malloc(of->grain_count * sizeof *copy.radius);
  copy.contacts = malloc((of->contact_count + 1) * sizeof *copy.contacts);
  ck_assert(copy.radius && copy.contacts);
  memcpy(copy.radius, of->radius, of->grain_count * sizeof *copy.radius);
  memcpy(copy.contacts, of->contacts, of->contact_count * sizeof *copy.contacts);
  if (of->gyration) {
    copy.gyration = malloc(of->grain_count * sizeof *copy.gyration);
    ck_assert_ptr_nonnull(copy.gyration);
    memcpy(copy.gyration, of->gyration, of->grain_count * sizeof *copy.gyration);
  }
  return copy;
}

/* A packing that is sheared, so that contacts have shear forces, and then comes to rest with this friction. */
static inline dem_case sheared_case(jager_model model, jager_contour contour, uint64_t seed, long spheres,
                                    double friction)
{
  dem_case run = dem_still_case(0.0);
  run.seed = seed;
  run.stage_count = 0;
  run.damping = (dem_damping){.local = 0.3};
  run.contact.model = model;
  run.contact.contour = contour;
  run.contact.slope = 0.02;
  run.contact.linear_kn = 2e6;
  run.contact.linear_kt = 1.4e6;
  run.material.friction = 0.4;
  dem_take_packing(&run, spheres, 2e6);
  run.assembly.packing.initial_density = 0.58;
  run.assembly.packing.friction = 0.3;
  dem_stage *load = dem_add_stage(&run, "load", 400);
  load->control[DEM_ZZ] = per_step(1e-6);
  load->control[DEM_XZ] = per_step(5e-7);
  dem_add_stage(&run, "rest", 12000)->friction = friction;
  return run;
}

/* The largest difference of two stiffnesses over the largest entry. */
static inline double stiffness_difference(const double a[VOIGT][VOIGT], const double b[VOIGT][VOIGT])
{
  double difference = 0.0, size = 0.0;
  for (int i = 0; i < VOIGT; i++)
    for (int j = 0; j < VOIGT; j++) {
      difference = fmax(difference, fabs(a[i][j] - b[i][j]));
      size = fmax(size, fabs(b[i][j]));
    }
  return difference / size;
}

#define matrix_of(result, kind) ((const double(*)[VOIGT])(result).stiffness[kind])

static inline double length_of(const double *a, size_t size)
{
  double sum = 0.0;
  for (size_t i = 0; i < size; i++)
    sum += a[i] * a[i];
  return sqrt(sum);
}

#endif
