/* SPDX-License-Identifier: MIT */
/* Getting ready. */
#include "prepare.h"
#include "base/error.h"
#include "base/error.h"

#include <unistd.h>

int run_prepare(const dem_case *run, int threads, dem_simulation **simulation, error_info *error)
{
  const char *source = run->assembly.path;
  if (source && access(source, R_OK) != 0) {
    error_set_errno(error, "read", source);
    return EXIT_IO_FAILED;
  }
  *simulation = dem_simulation_prepare(run, threads, error);
  return *simulation ? EXIT_DONE : error->out_of_memory ? EXIT_IO_FAILED : EXIT_BAD_INPUT;
}
