/* SPDX-License-Identifier: MIT */
/* What the commands of the program have in common. */
#ifndef JAGER_CLI_COMMAND_H
#define JAGER_CLI_COMMAND_H

enum {
  EXIT_DONE = 0,
  EXIT_IO_FAILED = 1, /* a file, a pipe, another program or memory failed */
  EXIT_BAD_INPUT = 2, /* wrong options or a wrong file */
  EXIT_RUN_FAILED = 3 /* a simulation could not go on */
};

/* A command gets its own arguments, with argv[0] = "jager NAME", and returns the exit code. */
typedef int command_function(int argc, char *argv[]);

command_function check_command;
command_function contact_command;
command_function info_command;
command_function paper_command;
command_function run_command;

/* Prints "who: text" and a newline on stderr. */
__attribute__((format(printf, 2, 3))) void complain(const char *who, const char *format, ...);

#endif
