/* SPDX-License-Identifier: MIT */
/* The command `jager impact`: two bodies collide at a list of angles. */
#include "cli/command.h"
#include "run.h"

#include <stdlib.h>

int impact_command(int argc, char *argv[])
{
  impact_options *options = calloc(1, sizeof *options);
  if (!options) {
    complain(IMPACT_COMMAND, "not enough memory");
    return EXIT_IO_FAILED;
  }
  impact_options_parse(options, argc, argv);
  int code = impact_run(options);
  free(options);
  return code;
}
