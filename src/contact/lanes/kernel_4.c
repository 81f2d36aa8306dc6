/* SPDX-License-Identifier: MIT */
/* Four lanes: AVX2. */
#include "contact/compiler.h"
#ifdef JAGER_LANES_4
#include <immintrin.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
#include <float.h>
#include <stddef.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#define JAGER_WIDTH 4
#define KERNEL jager_lane_kernel_4
#include "sweep.inc"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#else
typedef int jager_no_lanes_4; /* an empty file is no C */
#endif
