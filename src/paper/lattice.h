/* SPDX-License-Identifier: MIT */
/*
 * A face-centred cubic lattice of equal spheres, to check claims of the paper about assemblies. Every sphere is a
 * centre of symmetry, so that the lattice deforms as its cell: the measured stiffness and damping depend on the
 * contact law alone. The springs of the model "linear" are as stiff as Hertz's contact at the overlap of the cycles.
 */
#ifndef JAGER_PAPER_LATTICE_H
#define JAGER_PAPER_LATTICE_H

#include "paper.h"

enum { LATTICE_PRESSURES = 5 };

/* The stiffness C11 against uniaxial strain at rising pressures (Pa), and the exponent n of C11 ∝ pⁿ. */
typedef struct lattice_stiffness {
  double pressure[LATTICE_PRESSURES], modulus[LATTICE_PRESSURES];
  double exponent;
} lattice_stiffness;

bool lattice_measure_stiffness(jager_model model, lattice_stiffness *measured, error_info *error);

/* A closed cycle of small strain at constant volume: ε_zz = ±amplitude, ε_xx = ε_yy = ∓amplitude/2. */
typedef struct lattice_cycle {
  double modulus; /* secant: q over ε_zz, Pa */
  double damping; /* ∮q dε / (4π · ½ q ε): the damping ratio */
  double sliding; /* the largest fraction of contacts that slid in a step */
} lattice_cycle;

/* A table, if not NULL, gets the loop. */
bool lattice_measure_cycle(jager_model model, double amplitude, lattice_cycle *measured, paper_table *table,
                           error_info *error);

#endif
