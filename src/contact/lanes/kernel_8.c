/* SPDX-License-Identifier: MIT */
/* Eight lanes: AVX-512. */
#include "contact/compiler.h"
#ifdef JAGER_LANES_8
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
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl")
#endif
#define JAGER_WIDTH 8
#define KERNEL jager_lane_kernel_8
#include "sweep.inc"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#else
typedef int jager_no_lanes_8; /* an empty file is no C */
#endif
