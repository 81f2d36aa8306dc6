/* SPDX-License-Identifier: MIT */
/* One contact after the other, for any processor; and which kernel a processor runs. */
#define JAGER_WIDTH 1
#define KERNEL jager_lane_kernel_1
#include "sweep.inc"

extern const lane_kernel jager_lane_kernel_2, jager_lane_kernel_4, jager_lane_kernel_8;

const lane_kernel *jager_lane_kernel(int width)
{
#ifdef JAGER_LANES_8
  if ((width == 0 || width == 8) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    return &jager_lane_kernel_8;
#endif
#ifdef JAGER_LANES_4
  if ((width == 0 || width == 4) && __builtin_cpu_supports("avx2"))
    return &jager_lane_kernel_4;
#endif
#if defined(JAGER_LANES_2) && defined(__x86_64__)
  if ((width == 0 || width == 2) && __builtin_cpu_supports("sse4.1"))
    return &jager_lane_kernel_2;
#elif defined(JAGER_LANES_2)
  if (width == 0 || width == 2)
    return &jager_lane_kernel_2;
#endif
  return width == 0 || width == 1 ? &jager_lane_kernel_1 : NULL;
}
