/* SPDX-License-Identifier: MIT */
/* The command `jager contact`: one contact along a path. */
#include "cli/command.h"
#include "options.h"
#include "run.h"

int contact_command(int argc, char *argv[])
{
  contact_options options = contact_options_parse(argc, argv);
  return contact_run(&options);
}
