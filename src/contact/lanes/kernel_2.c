/* SPDX-License-Identifier: MIT */
/* Two lanes: SSE4.1, or NEON. */
#include "contact/compiler.h"
#ifdef JAGER_LANES_2
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("sse4.1")
#endif
#else
#include <arm_neon.h>
#endif
#define JAGER_WIDTH 2
#define KERNEL jager_lane_kernel_2
#include "sweep.inc"
#ifdef __x86_64__
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#else
typedef int jager_no_lanes_2; /* an empty file is no C */
#endif
