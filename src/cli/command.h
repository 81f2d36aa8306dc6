/* SPDX-License-Identifier: MIT */
/* The commands of the program: one function each, in a folder of its name. */
#ifndef JAGER_CLI_COMMAND_H
#define JAGER_CLI_COMMAND_H

#include "base/error.h"

#include <argp.h>

/* A command gets its own arguments, with argv[0] = "jager NAME", and returns the exit code. */
typedef int command_function(int argc, char *argv[]);

command_function check_command;
command_function contact_command;
command_function impact_command;
command_function info_command;
command_function moduli_command;
command_function paper_command;
command_function run_command;

/*
 * Reads the command line of a command (`command` is its name in messages, such as "jager run") with argp, which ends
 * the program with EXIT_BAD_INPUT if an option is wrong. Returns EXIT_DONE, or an exit code after an error message.
 */
int command_parse(const char *command, const struct argp *parser, int argc, char *argv[], void *input);

/* Prints the reason, an error number such as ENOMEM, and returns the exit code. */
int command_fail(const char *command, int reason);

#endif
