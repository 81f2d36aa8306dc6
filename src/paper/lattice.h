/* SPDX-License-Identifier: MIT */
/*
 * A face-centred cubic lattice of equal spheres, to check what the paper says of assemblies. Every sphere is a centre of
 * symmetry, so that the lattice deforms as its cell does: what is measured is the law's doing alone. The springs of "linear"
 * are as stiff as Hertz's at the overlap of the cycles.
 */
#ifndef JAGER_PAPER_LATTICE_H
#define JAGER_PAPER_LATTICE_H

#include "paper.h"

enum { LATTICE_PRESSURES = 5 };

/* Stiffness against uniaxial strain, C11, at rising pressures, and the exponent n of C11 ∝ pⁿ. */
typedef struct lattice_stiffness {
  double pressure[LATTICE_PRESSURES], modulus[LATTICE_PRESSURES];
  double exponent;
} lattice_stiffness;

bool lattice_stiffness_measure(jager_model model, lattice_stiffness *measured, error_info *error);

/* A closed cycle of small strain at constant volume: ε_zz = ±amplitude, ε_xx = ε_yy = ∓amplitude/2. */
typedef struct lattice_cycle {
  double modulus; /* secant: q over ε_zz, Pa */
  double damping; /* ∮q dε / (4π · ½ q ε): the damping ratio */
  double sliding; /* largest share of the contacts that slid in a step */
} lattice_cycle;

/* `table`, if there is one, gets the loop. */
bool lattice_cycle_measure(jager_model model, double amplitude, lattice_cycle *measured, paper_table *table,
                           error_info *error);

#endif
