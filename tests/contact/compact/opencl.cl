/* SPDX-License-Identifier: MIT */
/* The paths of path.h on a device, one contact in each work item */
#include "path.h"

__kernel void move_contacts(__global path_end *ends, __global int *statuses, __global uint *pairs, int movements)
{
  const uint k = (uint)get_global_id(0);
  path_end end = ends[k];
  statuses[k] = path_run(k, movements, &end);
  ends[k] = end;
  pairs[k] = path_pair(k, movements);
}
