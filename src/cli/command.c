/* SPDX-License-Identifier: MIT */
/* What the commands share. */
#include "command.h"

#include <errno.h>
#include <string.h>

int command_parse(const char *command, const struct argp *parser, int argc, char *argv[], void *input)
{
  argp_err_exit_status = EXIT_BAD_INPUT;
  error_t failed = argp_parse(parser, argc, argv, 0, NULL, input);
  return failed ? command_fail(command, failed) : EXIT_DONE;
}

int command_fail(const char *command, int reason)
{
  complain(command, "%s", reason == ENOMEM ? "out of memory" : strerror(reason));
  return reason == ENOMEM ? EXIT_IO_FAILED : EXIT_BAD_INPUT;
}
