/* SPDX-License-Identifier: MIT */
/*
 * The cycles of a cyclic stage. One list names their values: the columns of cycles.csv and the table of docs/files.md
 * come from it.
 *
 * Cycle k lasts while the number of cycles (the measure `cycle`) goes from k - 1 to k: a stage that starts at the
 * centre ends each cycle at the centre, with the residual pore pressure. Modulus and damping are those of the closed
 * loop from peak to peak that ends in the cycle (step/loop.h): from the last reversal before the cycle to its last one.
 *
 * Stress and strain of the loop depend on the quantity that is cycled:
 *
 *     strain_xz or stress_xz, and other shear components    stress_xz over gamma_xz        G
 *     strain_zz or stress_zz, and other normal components   stress_zz less the mean of the two others, over strain_zz
 *     q                                                     q over strain_zz               E
 *     p                                                     p over volumetric_strain       K
 */
#ifndef JAGER_DEM_OBSERVE_CYCLE_H
#define JAGER_DEM_OBSERVE_CYCLE_H

#include "dem/case.h"
#include "dem/simulation.h"

#include <stdbool.h>

/* A soil counts as liquefied when its pore pressure ratio r_u has reached this value. */
#define DEM_LIQUEFIED_R_U 0.95

/* X(field, unit, meaning) */
#define DEM_CYCLE_LIST(X)                                                                                              \
  X(stage, "1", "number of the stage")                                                                                 \
  X(cycle, "1", "number of the cycle, from 1; with a fraction: the cycle in which the stage ended, cut off there")     \
  X(step, "1", "time steps since the start of the run, at the end of the cycle")                                       \
  X(time, "s", "simulated time, at the end of the cycle")                                                              \
  X(strain_single, "1", "single amplitude: largest size of the strain in the cycle, counted from the stage's start")   \
  X(strain_double, "1", "double amplitude: largest minus smallest strain in the cycle")                                \
  X(strain_end, "1", "strain at the end of the cycle: accumulated since the stage's start")                            \
  X(void_ratio, "1", "at the end of the cycle")                                                                        \
  X(p_min, "Pa", "smallest mean stress in the cycle")                                                                  \
  X(r_u_max, "1", "largest pore pressure ratio in the cycle")                                                          \
  X(r_u_end, "1", "pore pressure ratio at the end of the cycle")                                                       \
  X(strain_amplitude, "1", "half of the peak-to-peak strain of the closed loop")                                       \
  X(stress_amplitude, "Pa", "half of the peak-to-peak stress of the closed loop")                                      \
  X(csr, "1", "cyclic stress ratio: stress_amplitude over the stress that the measure csr has")                        \
  X(shear_modulus, "Pa", "secant modulus stress_amplitude / strain_amplitude of a loop of shear; of others nan")       \
  X(young_modulus, "Pa", "the same of a loop of q or of a normal component, over its strain; of others nan")           \
  X(bulk_modulus, "Pa", "the same of a loop of p over volumetric strain; of others nan")                               \
  X(damping_ratio, "1", "loop_area / (4 pi W), W = stress_amplitude strain_amplitude / 2; nan of an open loop")        \
  X(damping_ratio_friction, "1", "the part of friction: dissipated_friction / (4 pi W)")                               \
  X(damping_ratio_numerical, "1", "the part of viscous, local and global damping: dissipated_damping / (4 pi W)")      \
  X(loop_area, "J/m3", "area of the closed loop")                                                                      \
  X(work, "J/m3", "work done on the assembly in the loop, over its volume")                                            \
  X(dissipated, "J/m3", "dissipated in the loop: the sum of the two columns that follow")                              \
  X(dissipated_friction, "J/m3", "by friction")                                                                        \
  X(dissipated_damping, "J/m3", "by viscous, local and global damping")

typedef enum dem_modulus { DEM_MODULUS_G, DEM_MODULUS_E, DEM_MODULUS_K, DEM_MODULI } dem_modulus;

#define DEM_CYCLE_FIELD(field, unit, meaning) double field;
typedef struct dem_cycle {
  DEM_CYCLE_LIST(DEM_CYCLE_FIELD)
} dem_cycle;
#undef DEM_CYCLE_FIELD

enum { DEM_CYCLE_VALUES = sizeof(dem_cycle) / sizeof(double) };

/* Name, unit and meaning of the k-th value. */
const char *dem_cycle_name(int k);
const char *dem_cycle_unit(int k);
const char *dem_cycle_meaning(int k);

double dem_cycle_value(const dem_cycle *cycle, int k);
void dem_cycle_set_value(dem_cycle *cycle, int k, double value);

/* "G", "E" or "K". */
const char *dem_modulus_name(dem_modulus modulus);

/* The component of the loop's strain: that of the cycled strain or stress; zz for q and p. */
dem_component dem_cycle_component(dem_quantity cycled);

/* The modulus of the loops of a stage that cycles this quantity. */
dem_modulus dem_cycle_modulus(dem_quantity cycled);

/*
 * The cycle that ended with the last step. At the end of a stage also the cycle that it cut off: `cycle` is then the
 * number of cycles with its fraction, and if no loop has closed in this cycle, the values from strain_amplitude on are
 * NAN. False: no cycle has ended.
 */
bool dem_simulation_cycle(const dem_simulation *simulation, dem_cycle *cycle);

#endif
