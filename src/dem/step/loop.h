/* SPDX-License-Identifier: MIT */
/*
 * The hysteresis loop of a cyclic stage: a path of stress over strain, its peaks, and the energies between them.
 *
 * A peak is a point at which the loading reverses. A closed loop goes from one peak to the next but one, as is usual
 * in soil dynamics: from peak to peak it contains no virgin loading, and a Masing material has the same loop in the
 * first cycle as in all others. Strain that accumulates between its ends leaves it open. It is closed at its mean
 * stress, as if the strain had accumulated there, so that neither the origin of stress nor that of strain matters:
 *
 *     area = ∫ stress d(strain) - (smallest + largest stress)/2 · (strain₁ - strain₀).
 *
 * The first cycle of a stage that starts between the peaks has half a loop, from its first peak to the second one. The
 * other half is its mirror image about the midpoint of the two peaks: area and energies count twice.
 *
 * The integral is accumulated in every step by the trapezoidal rule, as is the work of the simulator.
 */
#ifndef JAGER_DEM_STEP_LOOP_H
#define JAGER_DEM_STEP_LOOP_H

#include <stdbool.h>

/* Energies since some moment, J. */
typedef struct loop_energies {
  double work, friction, damping;
} loop_energies;

/* The path since a peak. Structs of doubles only: checkpoints hold them as arrays. */
typedef struct loop_half {
  double area; /* ∫ stress d(strain), J/m³ */
  double strain_low, strain_high, stress_low, stress_high;
} loop_half;

typedef struct loop_peak {
  double strain, stress;
  loop_energies energies;
} loop_peak;

/* A closed loop. Amplitudes are half of the difference between the largest and the smallest value. */
typedef struct loop_values {
  double strain_amplitude, stress_amplitude;
  double area;                    /* J/m³ */
  double work, friction, damping; /* energies of the loop over the volume, J/m³ */
  double gap; /* between its ends: of strain or stress over the amplitude, the larger one; 0 of a half, see above */
} loop_values;

typedef struct loop {
  double strain, stress; /* now */
  loop_half now, before; /* since the last peak, and from the last but one to the last */
  loop_peak peaks[3];    /* the last ones, the latest first */
  long peak_count;       /* without a start that is a peak */
  bool starts_at_peak;
  bool is_closed;     /* there has been a closed loop */
  loop_values closed; /* the last one */
} loop;

/*
 * A loop with a larger gap is open: its area is not a dissipated energy, and it has no damping ratio. Loops of a
 * growing amplitude get a gap of 1 by their owner.
 */
#define DEM_LOOP_GAP_MAX 0.1

bool dem_loop_is_open(const loop_values *of);

/* Starts at a point. `is_peak`: the first half of the first loop begins there. */
void dem_loop_begin(loop *l, double strain, double stress, bool is_peak, loop_energies energies);

/* Goes on to the next point. */
void dem_loop_add(loop *l, double strain, double stress);

/* The last point is a peak. Every second peak closes a loop. The volume is that of the cell, m³. */
void dem_loop_turn(loop *l, loop_energies energies, double volume);

/* Secant modulus, Pa. */
double dem_loop_modulus(const loop_values *of);

/*
 * Damping ratio of an energy per volume: over 4π times the energy ½ stress · strain of an elastic body with the same
 * amplitudes. NAN of an open loop.
 */
double dem_loop_damping_ratio(const loop_values *of, double energy);

#endif
