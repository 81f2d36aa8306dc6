/* SPDX-License-Identifier: MIT */
/* What the library asks of the compiler: IEEE arithmetic, inlining, and code for AVX2 beside the general one. */
#ifndef JAGER_COMPILER_H
#define JAGER_COMPILER_H

#include <stdint.h> /* also defines __GLIBC__ with that C library */

#ifdef __FAST_MATH__
#error "libjager needs IEEE arithmetic: compile it without -ffast-math"
#endif

/* A movement is compiled as one function: only then do its numbers stay in registers. */
#if defined(__GNUC__)
#define JAGER_INLINE inline __attribute__((always_inline))
#define JAGER_COLD __attribute__((noinline, cold))
#else
#define JAGER_INLINE inline
#define JAGER_COLD
#endif

/*
 * JAGER_CLONED compiles an external function a second time for processors with AVX2, which need fewer instructions; the
 * results are the same to the bit. The build turns it on by JAGER_CLONES. Sanitizers cannot run the code that chooses
 * between the two, because it runs before they are initialised. clang 14 is excluded, because it renames the function
 * for callers in other files.
 */
#if defined(JAGER_CLONES) && defined(__x86_64__) && defined(__GNUC__) && defined(__GLIBC__) && !defined(__clang__)
#define JAGER_CLONED __attribute__((target_clones("avx2", "default")))
#else
#define JAGER_CLONED
#endif

/*
 * Fetches the cache line at an address into the second-level cache: for what a later chunk of contacts needs. In the
 * nearest cache it would push out the chunk that is being computed.
 */
#if defined(__GNUC__)
#define JAGER_PREFETCH(at) __builtin_prefetch((at), 0, 2)
#else
#define JAGER_PREFETCH(at) ((void)(at))
#endif

/* Lanes side by side (numbers.h), by the compiler's vectors; which the build turns on by JAGER_LANES. */
#if defined(JAGER_LANES) && defined(__GNUC__)
#if defined(__x86_64__) || defined(__aarch64__)
#define JAGER_LANES_2
#endif
#if defined(__x86_64__)
#define JAGER_LANES_4
#define JAGER_LANES_8
#endif
#endif

#endif
