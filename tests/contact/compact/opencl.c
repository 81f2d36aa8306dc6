/* SPDX-License-Identifier: MIT */
/*
 * jager/compact.h in OpenCL C against the same header in C: contacts make random movements on a device and on the host.
 * Forces and all bytes of the contacts must have the same bits.
 *     opencl OPTIONS_OF_THE_PROGRAM
 * Exits with 77 where there is no device, or where it cannot compute as IEEE 754 asks.
 */
#include "device.h"
#include "path.h"

#include <stddef.h>

enum { CONTACTS = 1000, MOVEMENTS = 500, SKIPPED = 77 };

static path_end host[CONTACTS], moved[CONTACTS];

/* The device has these numbers, correctly rounded √ and ÷, and subnormal numbers. */
static int is_exact(const device *d, int *must_ask)
{
  cl_device_fp_config has = 0;
#if defined(JAGER_COMPACT_SINGLE)
  const cl_device_fp_config needed = CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT | CL_FP_DENORM | CL_FP_ROUND_TO_NEAREST;
  clGetDeviceInfo(d->id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof has, &has, NULL);
  *must_ask = 1;
#else
  const cl_device_fp_config needed = CL_FP_DENORM | CL_FP_ROUND_TO_NEAREST;
  clGetDeviceInfo(d->id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof has, &has, NULL);
  *must_ask = 0;
#endif
  return (has & needed) == needed;
}

static void run_on_device(device *d, cl_uint *pairs, cl_int *statuses)
{
  const cl_int movements = MOVEMENTS;
  cl_mem ends = device_memory(d, moved, sizeof moved), status = device_memory(d, statuses, CONTACTS * sizeof *statuses),
         pair = device_memory(d, pairs, CONTACTS * sizeof *pairs);
  cl_kernel kernel = device_kernel(d, "move_contacts", sizeof ends, &ends, sizeof status, &status, sizeof pair, &pair,
                                   sizeof movements, &movements, (size_t)0);
  device_run(d, kernel, CONTACTS);
  device_read(d, ends, moved, sizeof moved);
  device_read(d, status, statuses, CONTACTS * sizeof *statuses);
  device_read(d, pair, pairs, CONTACTS * sizeof *pairs);
  clReleaseKernel(kernel);
  clReleaseMemObject(ends);
  clReleaseMemObject(status);
  clReleaseMemObject(pair);
}

static int compare(const cl_uint *pairs, const cl_int *statuses)
{
  unsigned slips = 0, slides = 0, bounded = 0;
  for (int k = 0; k < CONTACTS; k++) {
    const int status = path_run((jager_compact_word)k, MOVEMENTS, &host[k]);
    const int same_forces = host[k].forces == moved[k].forces;
    const int same_bytes = memcmp(&host[k], &moved[k], sizeof host[k]) == 0;
    if (status != 0 || statuses[k] != 0 || !same_forces || !same_bytes ||
        pairs[k] != path_pair((jager_compact_word)k, MOVEMENTS)) {
      printf("contact %d: status %d and %d, %s forces, %s bytes\n", k, status, statuses[k],
             same_forces ? "the same" : "other", same_bytes ? "the same" : "other");
      return 1;
    }
    slips += moved[k].slips;
    slides += moved[k].slides;
    bounded += moved[k].bounded;
  }
  printf("%d contacts of %d points, %u bytes, moved %d times each: the same bits; %u slips, %u slides, %u with points "
         "joined\n",
         CONTACTS, JAGER_COMPACT_POINTS, (unsigned)sizeof(jager_compact), MOVEMENTS, slips, slides, bounded);
  return bounded == 0 || slips == 0 || slides == 0;
}

int main(int count, char **arguments)
{
  static cl_uint pairs[CONTACTS];
  static cl_int statuses[CONTACTS];
  char options[4096], name[256];
  int must_ask;
  device d;
  if (count != 2)
    return 2;
  if (!device_open(&d)) {
    printf("skipped: there is no OpenCL device\n");
    return SKIPPED;
  }
  clGetDeviceInfo(d.id, CL_DEVICE_NAME, sizeof name, name, NULL);
  if (!is_exact(&d, &must_ask)) {
    printf("skipped: %s does not compute as IEEE 754 asks\n", name);
    return SKIPPED;
  }
  snprintf(options, sizeof options, "%s%s", arguments[1], must_ask ? " -cl-fp32-correctly-rounded-divide-sqrt" : "");
  device_build(&d, "opencl.cl", options);
  run_on_device(&d, pairs, statuses);
  device_close(&d);
  return compare(pairs, statuses);
}
