/* SPDX-License-Identifier: MIT */
/* Two lanes: SSE2, which every x86-64 has, or NEON. */
#include "contact/compiler.h"
#ifdef JAGER_LANES_2
#ifdef __x86_64__
#include <immintrin.h>
#else
#include <arm_neon.h>
#endif
#define JAGER_WIDTH 2
#define KERNEL jager_lane_kernel_2
#include "kernel.inc"
#else
typedef int jager_no_two_lanes; /* an empty file is no C */
#endif
