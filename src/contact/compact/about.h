/* SPDX-License-Identifier: MIT */
/*
 * jager/compact.h: the Jäger contact in a fixed number of bytes, for engines that keep their contacts in plain arrays:
 * on GPUs, in neighbour lists, in messages.
 *
 * A jager_compact holds the points of the equivalent load history, at most K of them, without pointers. It is moved by
 * the same algorithm as a jager_contact, and as long as K points are enough, to the same bits. When they are full, the
 * two neighbouring segments whose chord costs least become one, and the contact's error bound grows by that cost:
 * jager_compact_error tells at any time by how much the tangential force may be off. Slip forgets the upper points and
 * gives part of the bound back; after gross sliding the contact is exact again.
 *
 *     #define JAGER_COMPACT_POINTS 12 // K: even, 4 to 1024; 12 if not defined
 *     #include "jager/compact.h"
 *
 *     jager_compact contact = {0};                                       // zero bytes: never touched (C++: {})
 *     jager_compact_law law = jager_compact_law_of(0.15, 0.5);           // Poisson's ratio, friction
 *     double stiffness = jager_compact_stiffness_of_spheres(29e9, 0.15, 1e-3, 1e-3);
 *     double shear[2] = {1e-9, 0.0};
 *     jager_compact_force force;
 *     if (jager_compact_move(law, &contact, stiffness, 1e-7, shear, &force) != JAGER_COMPACT_OK)
 *       return 1;
 *
 * The header is C99, C++11 and later, CUDA, HIP, SYCL and OpenCL C; functors of Kokkos define JAGER_COMPACT_FUNCTION as
 * KOKKOS_INLINE_FUNCTION before they include it. It needs no library, calls no function but √ and |x|, allocates
 * nothing and does not recurse. All files of a program have the same K and the same types.
 *
 * JAGER_COMPACT_SINGLE_STORED stores numbers in single precision and computes in double: 16 K + 40 bytes for 28 K + 64.
 * JAGER_COMPACT_SINGLE computes in single precision as well; choose units in which lengths and forces are neither very
 * small nor very large, such as mm and N.
 *
 * The same input gives the same bits on every processor with IEEE arithmetic, if the compiler does not contract a*b +
 * c: gcc and clang -ffp-contract=off, nvcc --fmad=false. OpenCL needs -cl-fp32-correctly-rounded-divide-sqrt for
 * JAGER_COMPACT_SINGLE, else nothing. Units are SI, or any consistent set.
 *
 * In OpenCL C the functions take private pointers: copy a contact from global memory, move it, and copy it back.
 *
 * Made by tools/make_compact.py of the sources of libjager that the headings name: change those.
 */
#ifndef JAGER_COMPACT_H
#define JAGER_COMPACT_H
