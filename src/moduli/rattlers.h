/* SPDX-License-Identifier: MIT */
/*
 * Rattlers: spheres whose contacts cannot carry load. They are removed together with their contacts, which may make
 * rattlers of their neighbours, until none is left.
 *
 * A sphere without contacts or with one is a rattler. With two contacts, both forces lie on the line through the
 * contact points, in equilibrium; the line makes the same angle with both normals, and the sphere is a rattler unless
 * its tangent is at most the friction coefficient. Without friction, a sphere is also a rattler if all its contacts
 * are on one side of a plane through its centre, and not all in that plane. Weights are neglected.
 */
#ifndef JAGER_MODULI_RATTLERS_H
#define JAGER_MODULI_RATTLERS_H

#include "network.h"

/* The number of rattlers that were removed is in *count. False: not enough memory; the network is as it was. */
bool moduli_rattlers_remove(moduli_network *network, size_t *count, error_info *error);

#endif
