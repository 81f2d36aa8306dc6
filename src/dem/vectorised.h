/* SPDX-License-Identifier: MIT */
/*
 * VECTORISED marks functions whose loops are compiled for wider vectors too; the processor decides when the program
 * starts. The bits are the same. (Sanitizers cannot run the code that decides so early.) No two files may have such
 * functions of one name: clang's names for what decides are visible to the linker, also of static functions.
 */
#ifndef JAGER_DEM_VECTORISED_H
#define JAGER_DEM_VECTORISED_H

#if defined(JAGER_CLONES) && defined(__x86_64__) && defined(__GNUC__) && defined(__GLIBC__)
#define VECTORISED __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VECTORISED
#endif

#endif
