/* SPDX-License-Identifier: MIT */
/* One contact after the other: for any processor. */
#define JAGER_WIDTH 1
#define KERNEL jager_lane_kernel_1
#include "kernel.inc"
