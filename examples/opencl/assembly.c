/* SPDX-License-Identifier: MIT */
/*
 * A cube of spheres is hit by another sphere, on the first device that OpenCL finds. The step is in step.cl.
 *     cc -ffp-contract=off -IINCLUDE assembly.c -lOpenCL -lm && ./a.out SOURCE_DIR
 */
#include "assembly.h"

int main(int count, char **arguments)
{
  static assembly a;
  const vec3 rest = {0, 0, 0}, start = {0.25e-3, 0.4e-3, -2.05e-3}, hit = {0, 0, 5};
  device d;
  if (count != 2)
    return 2;
  if (!device_open(&d)) {
    printf("there is no OpenCL device\n");
    return 77;
  }
  a.of.law = jager_compact_law_of(0.15, 0.5);
  a.of.shear_modulus = 29e9;
  a.of.poisson = 0.15;
  a.of.dt = 2e-8;
  for (int k = 0; k < 27; k++) {
    const vec3 x = {2e-3 * (k % 3), 2e-3 * (k / 3 % 3), 2e-3 * (k / 9)};
    assembly_add(&a, 1e-3, x, rest, rest);
  }
  assembly_add(&a, 1e-3, start, hit, rest);
  assembly_list(&a, 2e-4);
  assembly_build(&d, arguments[1]);
  for (int k = 0; k <= 5; k++) {
    const vec3 momentum = assembly_momentum(&a);
    printf("%3.0f us: momentum along z %.15g kg m/s, kinetic energy %.6g J, %d of %d pairs touch\n",
           1e6 * a.of.dt * 500 * k, momentum.z, assembly_kinetic(&a), assembly_contacts(&a), a.pairs);
    assembly_run(&a, &d, 500);
  }
  device_close(&d);
  return assembly_contacts(&a) < 0;
}
