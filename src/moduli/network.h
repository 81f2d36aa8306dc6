/* SPDX-License-Identifier: MIT */
/*
 * The elastic network of an assembly: its grains and contacts at one moment, as plain data. Everything in this folder
 * is computed from it.
 *
 * Contacts are in full stick: dFn = kn d(2ζ), dFt = kt d(2ξ), with the tangent stiffnesses of jager_contact_stiffness.
 * Without friction no contact can stick: kt = 0 then.
 */
#ifndef JAGER_MODULI_NETWORK_H
#define JAGER_MODULI_NETWORK_H

#include "dem/cell.h"
#include "dem/simulation.h"

/*
 * A contact of the grains p and q, p < q; vectors point from p to q. The spheres that touch are the grains, or belong
 * to rigid clumps: then their centres are `center_p` and `center_q` away from the centroids of the grains.
 */
typedef struct moduli_contact {
  uint32_t p, q;
  vec3 n;                  /* unit normal */
  vec3 shear;              /* tangential force Ft1 e + Ft2 f, N: the force on q is Fn n - shear */
  double distance;         /* of the centres of the two spheres, m */
  double arm_p, arm_q;     /* R - ζ of these, m */
  vec3 center_p, center_q; /* m; zero: the sphere is the grain */
  double fn;               /* N */
  double kn, kt;           /* N/m, against 2ζ and 2ξ */
} moduli_contact;

typedef struct moduli_network {
  size_t grain_count, contact_count;
  size_t sphere_count;                /* of all grains, rattlers included */
  double *radius;                     /* of each grain, m: of the sphere of its volume */
  double (*gyration)[DEM_COMPONENTS]; /* moments of inertia over the mass, m²; NULL: all grains are spheres */
  moduli_contact *contacts;           /* by rising p; any number between two grains */
  double volume;                      /* of the cell, m³ */
  double density; /* mass of all grains over the volume, kg/m³: true masses, whatever the scaling */
  double friction;
} moduli_network;

/*
 * The grains and contacts of a simulation, in its own order of grains: neighbours in space have near numbers. To be
 * freed with moduli_network_free. False: not enough memory.
 */
bool moduli_network_take(moduli_network *network, const dem_simulation *simulation, error_info *error);

void moduli_network_free(moduli_network *network);

/* From the centroid of p to that of q. */
vec3 moduli_branch(const moduli_contact *contact);

/* The stresses of the contacts, Pa, compression positive, as a tensor: Σ force ⊗ branch over the volume. */
void moduli_network_stress(const moduli_network *network, double stress[3][3]);

/*
 * The mean resultant force on a grain over the mean normal force of a contact: how far the assembly is from
 * equilibrium. Needs memory for the resultants; negative if there is none.
 */
double moduli_network_unbalanced(const moduli_network *network);

/*
 * Rattlers: grains whose contacts cannot carry load. They are removed together with their contacts, which may make
 * rattlers of their neighbours, until none is left.
 *
 * A grain without contacts or with one is a rattler. With two contacts, both forces lie on the line through the
 * contact points, in equilibrium, and are opposite. The grain is a rattler unless the tangents of the angles between
 * the line and both normals are at most the friction coefficient (for a sphere they are equal), and a force along the
 * line can press on both contacts. Without friction, a grain is also a rattler if its contact forces cannot balance:
 * all normals are on one side of a plane, and not all in that plane. Weights are neglected.
 *
 * These are all grains that forces in balance show to be rattlers. A grain with more contacts stays, even if they are
 * too few, or lie too near to each other, to hold it against every rotation: what the springs do not resist is floppy
 * (operator.h), or for the initial stress to decide. So does a grain that leans on one other grain only: it moves with
 * it, and adds nothing to the stress.
 *
 * The number of rattlers that were removed is in *count. False: not enough memory; the network is as it was.
 */
bool moduli_rattlers_remove(moduli_network *network, size_t *count, error_info *error);

#endif
