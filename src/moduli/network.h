/* SPDX-License-Identifier: MIT */
/*
 * The elastic network of an assembly: its spheres and contacts at one moment, as plain data. Everything in this folder
 * is computed from it.
 *
 * Contacts are in full stick: dFn = kn d(2ζ), dFt = kt d(2ξ), with the tangent stiffnesses of jager_contact_stiffness.
 * Without friction no contact can stick: kt = 0 then.
 */
#ifndef JAGER_MODULI_NETWORK_H
#define JAGER_MODULI_NETWORK_H

#include "dem/cell.h"
#include "dem/simulation.h"

/* A contact of the spheres p and q, p < q; vectors point from p to q. */
typedef struct moduli_contact {
  uint32_t p, q;
  vec3 n;              /* unit normal */
  vec3 shear;          /* tangential force Ft1 e + Ft2 f, N: the force on q is Fn n - shear */
  double distance;     /* of the centres, m */
  double arm_p, arm_q; /* R - ζ, m */
  double fn;           /* N */
  double kn, kt;       /* N/m, against 2ζ and 2ξ */
} moduli_contact;

typedef struct moduli_network {
  size_t sphere_count, contact_count;
  double *radius;           /* of each sphere, m */
  moduli_contact *contacts; /* by rising p, then q */
  double volume;            /* of the cell, m³ */
  double density;           /* mass of all spheres over the volume, kg/m³: true masses, whatever the scaling */
  double friction;
} moduli_network;

/*
 * The spheres and contacts of a simulation, in its own order of spheres: neighbours in space have near numbers. To be
 * freed with moduli_network_free. False: not enough memory.
 */
bool moduli_network_take(moduli_network *network, const dem_simulation *simulation, error_info *error);

void moduli_network_free(moduli_network *network);

/* The stresses of the contacts, Pa, compression positive, as a tensor: Σ force ⊗ branch over the volume. */
void moduli_network_stress(const moduli_network *network, double stress[3][3]);

/*
 * The mean resultant force on a sphere over the mean normal force of a contact: how far the assembly is from
 * equilibrium. Needs memory for the resultants; negative if there is none.
 */
double moduli_network_unbalanced(const moduli_network *network);

/*
 * Rattlers: spheres whose contacts cannot carry load. They are removed together with their contacts, which may make
 * rattlers of their neighbours, until none is left.
 *
 * A sphere without contacts or with one is a rattler. With two contacts, both forces lie on the line through the
 * contact points, in equilibrium; the line makes the same angle with both normals, and the sphere is a rattler unless
 * its tangent is at most the friction coefficient. Without friction, a sphere is also a rattler if all its contacts
 * are on one side of a plane through its centre, and not all in that plane. Weights are neglected.
 *
 * The number of rattlers that were removed is in *count. False: not enough memory; the network is as it was.
 */
bool moduli_rattlers_remove(moduli_network *network, size_t *count, error_info *error);

#endif
