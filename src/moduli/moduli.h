/* SPDX-License-Identifier: MIT */
/*
 * The elastic stiffness of an assembly: C = dσ/dε, Pa, in Voigt's notation, xx, yy, zz, yz, xz, xy, with engineering
 * shear strains γ = 2ε. Compression is positive. The cell deforms without rotation, and all spheres move and rotate to
 * equilibrium. Contacts are in full stick (network.h).
 *
 * With the initial stress (operator.h), C is that of Cauchy's stress. The stress itself makes it unsymmetric: C_ij -
 * C_ji = σ_i δ_j - σ_j δ_i, where δ is 1 for normal components and 0 for shear, plus a small part from shear forces of
 * contacts. Under isotropic stress C is symmetric but for the latter.
 */
#ifndef JAGER_MODULI_MODULI_H
#define JAGER_MODULI_MODULI_H

#include "network.h"

enum { MODULI_VOIGT = 6 };

typedef enum moduli_kind {
  MODULI_STRESSED, /* with the initial stress */
  MODULI_SPRINGS,  /* without it: the springs of the contacts alone */
  MODULI_AFFINE,   /* the same, but all spheres move with the cell and do not rotate: Voigt's bound, effective medium */
  MODULI_KINDS
} moduli_kind;

/* The nearest isotropic stiffness, and the distance from it. */
typedef struct moduli_averages {
  double bulk;       /* K = Σ C_ij / 9 over the normal components */
  double shear;      /* G = (C11 + C22 + C33 - C12 - C13 - C23 + 3 (C44 + C55 + C66)) / 15 */
  double young;      /* E = 9KG / (3K + G) */
  double poisson;    /* ν = (3K - 2G) / (6K + 2G) */
  double anisotropy; /* |C - C_iso| / |C_iso|, norms of tensors of fourth rank; 0: isotropic */
} moduli_averages;

/* Velocities, m/s; 0: the modulus is not positive, and there is no such wave. */
typedef struct moduli_waves {
  double p[3];    /* along x, y, z */
  double s[3][3]; /* s[i][j]: along axis i, motion along axis j */
} moduli_waves;

typedef struct moduli_result {
  size_t spheres, rattlers;       /* all spheres, and those of them that carry no load and are left out */
  size_t contacts;                /* between the others */
  size_t floppy;                  /* movements of single spheres that no contact resists, with their neighbours held */
  double stress[MODULI_VOIGT], p; /* of all contacts, Pa */
  double density;                 /* kg/m³ */
  double unbalanced;              /* as moduli_network_unbalanced */
  double stiffness[MODULI_KINDS][MODULI_VOIGT][MODULI_VOIGT];
  moduli_averages averages[MODULI_KINDS];
  moduli_waves waves; /* with the initial stress */
  int resisted;       /* strains that the springs resist: 6, unless the assembly is floppy */
  bool is_stable;     /* is C with the initial stress positive definite? */
  int steps;          /* of all solutions */
  double residual;    /* the largest of them */
} moduli_result;

/* How far the computation is, from 0 to 1, and its steps so far. Called by the thread that called moduli_compute. */
typedef void moduli_watcher(void *context, double fraction, long steps);

typedef struct moduli_settings {
  int threads;             /* 0: as many as there are processors; results do not depend on it */
  moduli_watcher *watcher; /* may be NULL */
  void *context;
} moduli_settings;

/*
 * Computes everything. The network loses its rattlers. False: no contact carries load, not enough memory, or no
 * solution.
 */
bool moduli_compute(moduli_result *result, moduli_network *network, const moduli_settings *settings, error_info *error);

#endif
