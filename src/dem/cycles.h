/* SPDX-License-Identifier: MIT */
/*
 * The cycles of a cyclic stage: their values, their hysteresis loops, and the account kept of them step by step.
 *
 * One list names the values of a cycle: the columns of cycles.csv and the table of docs/files.md come from it.
 *
 * Cycle k lasts while the number of cycles (the measure `cycle`) goes from k - 1 to k: a stage that starts at the
 * centre ends each cycle at the centre, with the residual pore pressure. Modulus and damping belong to the closed
 * loop from peak to peak that ends in the cycle (below): from the last reversal before the cycle to its last one.
 *
 * Stress and strain of the loop depend on the quantity that is cycled:
 *
 *     strain_xz or stress_xz, and other shear components    stress_xz over gamma_xz        G
 *     strain_zz or stress_zz, and other normal components   stress_zz less the mean of the two others, over strain_zz
 *     q                                                     q over strain_zz               E
 *     p                                                     p over volumetric_strain       K
 */
#ifndef JAGER_DEM_CYCLES_H
#define JAGER_DEM_CYCLES_H

#include "case.h"
#include "simulation.h"

#include <stdbool.h>

struct stage_state;

/* ---- The values of a cycle --------------------------------------------------------------------------------------- */

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
  X(csr, "1", "cyclic stress ratio: stress_amplitude over the reference stress of the measure csr")                    \
  X(static_stress_ratio, "1", "static stress ratio of the stage, as in the series; csr does not contain it")           \
  X(shear_modulus, "Pa", "secant modulus stress_amplitude / strain_amplitude of a loop of shear; otherwise nan")       \
  X(young_modulus, "Pa", "the same for a loop of q or of a normal component, over its strain; otherwise nan")          \
  X(bulk_modulus, "Pa", "the same for a loop of p over volumetric strain; otherwise nan")                              \
  X(damping_ratio, "1", "loop_area / (4 pi W), W = stress_amplitude strain_amplitude / 2; nan for an open loop")       \
  X(damping_ratio_friction, "1", "part due to friction: dissipated_friction / (4 pi W)")                               \
  X(damping_ratio_numerical, "1", "part due to viscous, local and global damping: dissipated_damping / (4 pi W)")      \
  X(loop_area, "J/m3", "area of the closed loop")                                                                      \
  X(work, "J/m3", "work done on the assembly in the loop, over its volume")                                            \
  X(dissipated, "J/m3", "dissipated in the loop: the sum of the next two columns")                                     \
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

/* The component of the loop's strain: the cycled component; zz for q and p. */
dem_component dem_cycle_component(dem_quantity cycled);

/* The modulus of the loops of a stage that cycles this quantity. */
dem_modulus dem_cycle_modulus(dem_quantity cycled);

/* Does the stage cycle a stress? Otherwise a strain. */
bool dem_cycles_stress(const dem_cyclic *cyclic);

/*
 * Flow failure: under cycles of stress, the assembly liquefied within this number of cycles, in the first quarter. The
 * static strength was passed before the amplitude was reached, and no cycle was withstood.
 */
bool dem_is_flow_failure(const dem_cyclic *cyclic, double liquefied_in);

/*
 * The cycle that ended with the last step. At the end of a stage also the cycle that it cut off: `cycle` is then the
 * number of cycles with its fraction, and if no loop has closed in this cycle, the values from strain_amplitude on are
 * NAN. False: no cycle has ended.
 */
bool dem_simulation_cycle(const dem_simulation *simulation, dem_cycle *cycle);

/* ---- The hysteresis loop ----------------------------------------------------------------------------------------- */

/*
 * The hysteresis loop of a cyclic stage: a path of stress over strain, its peaks, and the energies between them.
 *
 * A peak is a point at which the loading reverses. A closed loop goes from one peak to the next but one, as is usual
 * in soil dynamics: from peak to peak it contains no virgin loading, and a Masing material has the same loop in the
 * first cycle as in all others. Strain that accumulates between its ends leaves it open. It is closed at its mean
 * stress, as if the strain had accumulated there, so that the origins of stress and strain do not matter:
 *
 *     area = ∫ stress d(strain) - (smallest + largest stress)/2 · (strain₁ - strain₀).
 *
 * The first cycle of a stage that starts between the peaks has half a loop, from its first peak to the second one. The
 * other half is its mirror image about the midpoint of the two peaks: area and energies count twice.
 *
 * The integral is accumulated in every step by the trapezoidal rule, as is the work of the simulator.
 */

/* The path since a peak. Structs of doubles only: checkpoints hold them as arrays. */
typedef struct loop_half {
  double area; /* ∫ stress d(strain), J/m³ */
  double strain_low, strain_high, stress_low, stress_high;
} loop_half;

typedef struct loop_peak {
  double strain, stress;
  energy_account energies;
} loop_peak;

/* A closed loop. Amplitudes are half of the difference between the largest and the smallest value. */
typedef struct loop_values {
  double strain_amplitude, stress_amplitude;
  double area;                    /* J/m³ */
  double work, friction, damping; /* energies of the loop over the volume, J/m³ */
  double gap; /* between its ends: of strain or stress over the amplitude, the larger one; 0 of a half, see above */
} loop_values;

typedef struct hysteresis_loop {
  double strain, stress; /* now */
  loop_half now, before; /* since the last peak, and from the last but one to the last */
  loop_peak peaks[3];    /* the last ones, the latest first */
  long peak_count;       /* without a start that is a peak */
  bool starts_at_peak;
  bool is_closed;     /* there has been a closed loop */
  loop_values closed; /* the last one */
} hysteresis_loop;

/*
 * A loop with a larger gap is open: its area is not a dissipated energy, and it has no damping ratio. Loops of a
 * growing amplitude get a gap of 1 by their owner.
 */
#define DEM_LOOP_GAP_MAX 0.1

bool dem_loop_is_open(const loop_values *of);

/* Starts at a point. `is_peak`: the first half of the first loop begins there. */
void dem_loop_begin(hysteresis_loop *l, double strain, double stress, bool is_peak, energy_account energies);

/* Goes on to the next point. */
void dem_loop_add(hysteresis_loop *l, double strain, double stress);

/* The last point is a peak. Every second peak closes a loop. `volume`: of the cell, m³. */
void dem_loop_turn(hysteresis_loop *l, energy_account energies, double volume);

/* Secant modulus, Pa. */
double dem_loop_modulus(const loop_values *of);

/*
 * Damping ratio of an energy per volume: over 4π times the energy ½ stress · strain of an elastic body with the same
 * amplitudes. NAN of an open loop.
 */
double dem_loop_damping_ratio(const loop_values *of, double energy);

/* ---- The account of a stage's cycles ----------------------------------------------------------------------------- */

/*
 * Cycles of the stage so far: a quarter to the first reversal, a half between reversals, and between these the share of
 * the way to the next one, by the value of the quantity. It never falls: where the quantity goes back before it has
 * reached the amplitude, as a stress does that is lost, the farthest point counts. A stage that starts at the
 * amplitude, or beyond it, counts a half to the first reversal. On paths, the phase. 0 in stages that are not cyclic.
 *
 * This is the only definition: `until`, all files and the summary have it.
 */
double dem_cycles_done(const dem_simulation *s);

/* The amplitude of a stage with reversals: of a strain, or of a stress, Pa. */
double dem_cycle_amplitude(const dem_simulation *s);

/* Reverses the strain rates when the quantity reaches the other side. On paths, only notes the peak. */
void dem_cycles_reverse(dem_simulation *s);

/*
 * Begins the account of a stage; its start values are known. A stage that starts at the amplitude, or beyond it, and
 * would load farther away from the centre, is reversed at once. `before`: the stage before it; NULL: none.
 */
void dem_cycles_begin(dem_simulation *s, const dem_stage *before, const struct stage_state *state_before);

/* Adds a step, before a reversal at its end. */
void dem_cycles_add_step(dem_simulation *s);

/* ---- Ratios ------------------------------------------------------------------------------------------------------ */

/* 1 - p / p₀, with p₀ at the start of the stages at constant volume. 0 in other stages, which are drained. */
double dem_pore_pressure_ratio(const dem_simulation *s, double p);

/* The same of the normal stress zz. */
double dem_pore_pressure_ratio_zz(const dem_simulation *s, double stress_zz);

/*
 * The stress under the cyclic stress ratio: the initial effective stress normal to the sheared plane (zz for xz and yz,
 * yy for xy), or 2 p₀ for q and normal components. 0: not a cyclic stage, or one that cycles p.
 */
double dem_csr_reference(const dem_simulation *s);

/*
 * The static stress ratio: the stress about which the loop is cycled, over the reference. That is the centre of the
 * case, or the stress at the start of the stage. (A normal stress with a centre: the two others are as at the start.)
 */
double dem_static_stress_ratio(const dem_simulation *s);

/* The cyclic stress ratio, now: stress of the loop less the static stress, over the reference. */
double dem_csr(const dem_simulation *s);

/* Largest minus smallest strain since the last reversal but one, or since the stage's start; shear strains as gamma. */
double dem_double_amplitude(const dem_simulation *s, dem_component component);

#endif
