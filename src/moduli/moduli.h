/* SPDX-License-Identifier: MIT */
/*
 * The elastic stiffness of an assembly: C = dσ/dε, Pa, in Voigt's notation, xx, yy, zz, yz, xz, xy, with engineering
 * shear strains γ = 2ε. Compression is positive. The cell deforms without rotation, and all grains move and rotate to
 * equilibrium. Contacts are in full stick (network.h).
 *
 * With the initial stress (operator.h), C is the change of Cauchy's stress. The stress itself makes it unsymmetric:
 * C_ij - C_ji = σ_i δ_j - σ_j δ_i, where δ is 1 for normal components and 0 for shear, plus a small part from shear
 * forces of contacts. Under isotropic stress C is symmetric but for the latter.
 */
#ifndef JAGER_MODULI_MODULI_H
#define JAGER_MODULI_MODULI_H

#include "network.h"

#include <stdatomic.h>

enum { MODULI_VOIGT = 6 };

typedef enum moduli_kind {
  MODULI_STRESSED, /* with the initial stress */
  MODULI_SPRINGS,  /* without it: the springs of the contacts alone */
  MODULI_AFFINE,   /* the same, but all grains move with the cell and do not rotate: Voigt's bound, effective medium */
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

/*
 * The softest movement x of the springs that the strains cause: the strain whose solution K0 x = f has the smallest
 * stiffness f·x / x·x, and one step of inverse iteration from there. There is none if all grains move with the cell,
 * or if several grains together are floppy, so that the iteration has no solution.
 */
typedef struct moduli_soft_movement {
  double stiffness;        /* x·K0 x / x·x over the mean of the diagonal of K0; NaN: there is none (see below) */
  double stress_stiffness; /* Fn/d, mean over the contacts, over the same */
  int strain;              /* which of the six strains, in Voigt's order */
  double share;            /* if the movement were held, this diagonal entry of C would be larger by this share */
} moduli_soft_movement;

typedef struct moduli_result {
  size_t spheres, grains;         /* all */
  size_t rattlers;                /* grains that carry no load and are left out */
  bool has_clumps;                /* are there grains of several spheres? */
  size_t contacts;                /* between the others */
  size_t floppy;                  /* movements of single grains that no contact resists, with their neighbours held */
  double stress[MODULI_VOIGT], p; /* of all contacts, Pa */
  double density;                 /* kg/m³ */
  double unbalanced;              /* as moduli_network_unbalanced */
  double stiffness[MODULI_KINDS][MODULI_VOIGT][MODULI_VOIGT];
  moduli_averages averages[MODULI_KINDS];
  moduli_waves waves; /* with the initial stress */
  int resisted;       /* strains that the springs resist: 6, unless the assembly is floppy */
  bool is_stable;     /* is C with the initial stress positive definite? */
  moduli_soft_movement softest;
  int steps;       /* of all solutions */
  double residual; /* the largest of them */
} moduli_result;

/*
 * "Springs alone" means little where it hangs on one soft movement: the initial stress, which it leaves out, decides
 * there. Is that so: does a movement with less than a tenth of the mean of Fn/d take more than 1/1000 of an entry?
 */
bool moduli_springs_are_doubtful(const moduli_result *result);

/* Progress of the computation, from 0 to 1, and its steps so far. Called by the thread that called moduli_compute. */
typedef void moduli_watcher(void *context, double fraction, long steps);

typedef struct moduli_settings {
  int threads;             /* 0: as many as there are processors; results do not depend on it */
  moduli_watcher *watcher; /* may be NULL */
  void *context;
  const atomic_int *stop; /* another thread sets it, and moduli_compute fails soon; NULL: none */
} moduli_settings;

/*
 * Computes everything. The network loses its rattlers. False: no contact carries load, not enough memory, stopped, or
 * no solution.
 */
bool moduli_compute(moduli_result *result, moduli_network *network, const moduli_settings *settings, error_info *error);

/* ---- Numbers that follow from stiffnesses ------------------------------------------------------------------------ */

moduli_averages moduli_averages_of(const double stiffness[MODULI_VOIGT][MODULI_VOIGT]);

/*
 * Velocities of plane waves along the axes: ρV² is the change of the stress on the plane across the axis per unit of
 * displacement gradient. The gradient of a shear wave, ∂u_j/∂i, is a strain and a rotation by half of it each; the
 * latter turns the stress, which adds (σ_jj - σ_ii)/2 to C.
 */
moduli_waves moduli_waves_of(const double stiffness[MODULI_VOIGT][MODULI_VOIGT], const double stress[MODULI_VOIGT],
                             double density);

/*
 * The number of pivots of the symmetric part of a stiffness that are positive: 6 if it is positive definite. Pivots
 * below 1e-9 of the largest entry of the diagonal count as zero.
 */
int moduli_positive_pivots(const double stiffness[MODULI_VOIGT][MODULI_VOIGT]);

/* The straight line through points in logarithmic axes, y = factor x^exponent, by least squares. */
typedef struct moduli_fit {
  double exponent, factor;
  double standard_error; /* of the exponent, from the scatter of the points; 0 for two points, which have none */
} moduli_fit;

/* All values are positive, `count` is at least 2, and not all x are equal. */
moduli_fit moduli_fit_power(const double x[], const double y[], int count);

#endif
