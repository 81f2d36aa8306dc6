/* SPDX-License-Identifier: MIT */
/*
 * What is measured of an assembly: the measures of its state, its energies, its grading. One list names all measures:
 * the columns of series.csv, the datasets of result.h5 and the table of docs/files.md come from it.
 */
#ifndef JAGER_DEM_MEASURES_H
#define JAGER_DEM_MEASURES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct dem_simulation;

/* A flow with an inertial number up to this one counts as quasi-static. */
#define DEM_INERTIAL_NUMBER_MAX 1e-3

/* X(field, unit, meaning) */
#define DEM_MEASURE_LIST(X)                                                                                            \
  X(step, "1", "time steps since the start of the run, packing included")                                              \
  X(stage, "1", "number of the stage; 0 is packing")                                                                   \
  X(time, "s", "simulated time")                                                                                       \
  X(time_step, "s", "present time step")                                                                               \
  X(strain_xx, "1", "true strain since the start of the first stage, compression positive")                            \
  X(strain_yy, "1", "")                                                                                                \
  X(strain_zz, "1", "")                                                                                                \
  X(strain_xy, "1", "tensor shear strain, half the shear angle")                                                       \
  X(strain_xz, "1", "")                                                                                                \
  X(strain_yz, "1", "")                                                                                                \
  X(volumetric_strain, "1", "strain_xx + strain_yy + strain_zz")                                                       \
  X(stress_xx, "Pa", "mean stress of the cell, compression positive")                                                  \
  X(stress_yy, "Pa", "")                                                                                               \
  X(stress_zz, "Pa", "")                                                                                               \
  X(stress_xy, "Pa", "")                                                                                               \
  X(stress_xz, "Pa", "")                                                                                               \
  X(stress_yz, "Pa", "")                                                                                               \
  X(p, "Pa", "(stress_xx + stress_yy + stress_zz) / 3")                                                                \
  X(q, "Pa", "stress_zz - (stress_xx + stress_yy) / 2")                                                                \
  X(void_ratio, "1", "volume of voids over volume of grains")                                                          \
  X(contacts, "1", "pairs that touch")                                                                                 \
  X(coordination, "1", "contacts per grain: 2 contacts / grains")                                                      \
  X(coordination_mechanical, "1", "the same without rattlers, which have no or one contact")                           \
  X(rattlers, "1", "grains with no or one contact")                                                                    \
  X(fabric_xx, "1", "mean of n n over the contacts")                                                                   \
  X(fabric_yy, "1", "")                                                                                                \
  X(fabric_zz, "1", "")                                                                                                \
  X(fabric_xy, "1", "")                                                                                                \
  X(fabric_xz, "1", "")                                                                                                \
  X(fabric_yz, "1", "")                                                                                                \
  X(sliding_fraction, "1", "fraction of the contacts in gross sliding in the last step")                               \
  X(slipping_fraction, "1", "fraction of the contacts in partial slip in the last step")                               \
  X(normal_force_mean, "N", "mean normal force of the contacts")                                                       \
  X(normal_force_max, "N", "largest normal force")                                                                     \
  X(normal_force_deviation, "N", "standard deviation of the normal forces")                                            \
  X(shear_force_mean, "N", "mean size of the tangential forces")                                                       \
  X(shear_force_max, "N", "largest tangential force")                                                                  \
  X(mobilised_friction, "1", "mean of |Ft| / (f Fn), with the f of the last step")                                     \
  X(overlap_max, "1", "largest overlap 2 zeta over the smaller radius")                                                \
  X(history_mean, "1", "points of the equivalent histories, on average")                                               \
  X(history_max, "1", "points of the longest history")                                                                 \
  X(history_bytes, "B", "bytes of all contacts and their histories in use")                                            \
  X(unbalanced, "1", "mean resultant force on a grain over mean contact force")                                        \
  X(inertial_number, "1", "shear rate times d sqrt(density / p), with the scaled density")                             \
  X(servo_error, "1", "largest deviation from a stress target, over the target")                                       \
  X(kinetic, "J", "kinetic energy, of translation and rotation, without the mean flow")                                \
  X(work, "J", "work of the cell's walls, of gravity and of changes of inertia, since the start of the first stage")   \
  X(stored_normal, "J", "elastic energy of the normal forces")                                                         \
  X(stored_tangential, "J", "elastic energy of the tangential forces")                                                 \
  X(dissipated_friction, "J", "since the start of the first stage")                                                    \
  X(dissipated_damping, "J", "by viscous, local and global damping")                                                   \
  X(energy_error, "1", "residual of the energy balance over the energy supplied")                                      \
  X(cycle, "1", "cycles of the stage so far: 0.25 at the first reversal, a half between reversals; 0 if not cyclic")   \
  X(strain_in_stage_xx, "1", "strain since the start of the stage")                                                    \
  X(strain_in_stage_yy, "1", "")                                                                                       \
  X(strain_in_stage_zz, "1", "")                                                                                       \
  X(strain_in_stage_xy, "1", "")                                                                                       \
  X(strain_in_stage_xz, "1", "")                                                                                       \
  X(strain_in_stage_yz, "1", "")                                                                                       \
  X(gamma_xy, "1", "shear strain since the start of the stage: twice the strain_in_stage")                             \
  X(gamma_xz, "1", "")                                                                                                 \
  X(gamma_yz, "1", "")                                                                                                 \
  X(r_u, "1", "pore pressure ratio 1 - p / p0, against the start of the stages at constant volume; 0 if drained")      \
  X(r_u_zz, "1", "1 - stress_zz / stress_zz0, likewise")                                                               \
  X(csr, "1", "cyclic stress ratio: shear stress less the static one, over initial normal stress or 2 p0")             \
  X(static_stress_ratio, "1", "static shear stress, about which the stage cycles, over the same stress")               \
  X(damping_share, "1", "energy dissipated by damping over all energy dissipated in the stage; 0 if there is none")    \
  X(neighbours, "1", "grains that touch a grain, mean: of spheres the coordination, of clumps less")                   \
  X(axis_xx, "1", "mean of a a over the grains, a the axis of the smallest moment of inertia; spheres: 1/3, 0")        \
  X(axis_yy, "1", "")                                                                                                  \
  X(axis_zz, "1", "")                                                                                                  \
  X(axis_xy, "1", "")                                                                                                  \
  X(axis_xz, "1", "")                                                                                                  \
  X(axis_yz, "1", "")

#define DEM_MEASURE_FIELD(field, unit, meaning) double field;
typedef struct dem_measures {
  DEM_MEASURE_LIST(DEM_MEASURE_FIELD)
} dem_measures;
#undef DEM_MEASURE_FIELD

enum { DEM_MEASURE_COUNT = sizeof(dem_measures) / sizeof(double) };

/* Name, unit and meaning of the k-th measure. An empty meaning in the list repeats the one before. */
const char *dem_measure_name(int k);
const char *dem_measure_unit(int k);
const char *dem_measure_meaning(int k);

/* Value of the k-th measure. */
double dem_measure_value(const dem_measures *measures, int k);

/*
 * The fraction of damping in what friction and damping dissipated; NAN if they dissipated nothing, but for rounding
 * errors of energies of the size of `stored`. A law that creates energy has a negative `friction`, which dissipated
 * nothing.
 */
double dem_damping_share(double friction, double damping, double stored);

/* The memory that measuring needs is allocated with the simulation, so that measuring cannot fail. */
bool dem_measures_allocate(struct dem_simulation *s, error_info *error);
void dem_measures_free(struct dem_simulation *s);

/* ---- Energies ---------------------------------------------------------------------------------------------------- */

/* Energies since some moment, J. */
typedef struct energy_account {
  double work, friction, damping;
} energy_account;

/* Starts the energy ledger: work and dissipation count from here. */
void dem_ledger_open(struct dem_simulation *s);

/* Work and dissipation since the start of the ledger: the same numbers as the measures. */
energy_account dem_energies(const struct dem_simulation *s);

/* Kinetic energy at the time of the positions, J; the stored velocities are half a step behind. */
double dem_kinetic_energy(const struct dem_simulation *s);

/* ---- Grading ----------------------------------------------------------------------------------------------------- */

/*
 * The grading of an assembly by mass, as sieves give it: which fraction of the mass is finer than a diameter. All
 * grains have the same density; the diameter of a clump is that of the sphere of its volume.
 *
 * D10 is the smallest diameter of the assembly that passes with the sphere that has it, and all finer ones, at least
 * 10 % of the mass; D30, D50 and D60 likewise.
 */
typedef struct dem_grading {
  double d10, d30, d50, d60; /* m */
  double uniformity;         /* Cu = D60/D10 */
  double curvature;          /* Cc = D30²/(D10 D60) */
  size_t count;
  double *diameters; /* m, rising; owned */
  double *passing;   /* fraction of the mass of spheres up to this diameter; owned */
} dem_grading;

/* From diameters in any order, at least one. False if there is no memory; there is nothing to free then. */
bool dem_grading_make(dem_grading *grading, const double *diameters, size_t count);

/* The same for the grains of a simulation. */
bool dem_grading_take(dem_grading *grading, const struct dem_simulation *simulation);

void dem_grading_free(dem_grading *grading);

#endif
