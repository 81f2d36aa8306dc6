/* SPDX-License-Identifier: MIT */
/* The commands of the program: one function each, in a folder of its name. */
#ifndef JAGER_CLI_COMMAND_H
#define JAGER_CLI_COMMAND_H

#include "base/error.h"

/* A command gets its own arguments, with argv[0] = "jager NAME", and returns the exit code. */
typedef int command_function(int argc, char *argv[]);

command_function check_command;
command_function contact_command;
command_function info_command;
command_function paper_command;
command_function run_command;

#endif
