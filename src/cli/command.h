/* SPDX-License-Identifier: MIT */
/* The commands of the program, one function each in a file of its name, and what several of them share. */
#ifndef JAGER_CLI_COMMAND_H
#define JAGER_CLI_COMMAND_H

#include "base/error.h"
#include "base/file_system.h"
#include "case/reader.h"
#include "run/drawer.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

/* A command gets its own arguments, with argv[0] = "jager NAME", and returns the exit code. */
typedef int command_function(int argc, char *argv[]);

command_function check_command;
command_function contact_command;
command_function impact_command;
command_function info_command;
command_function moduli_command;
command_function run_command;
command_function shape_command;

/*
 * Reads the command line of a command (`command` is its name in messages, such as "jager run") with argp, which ends
 * the program with EXIT_BAD_INPUT if an option is wrong. Returns EXIT_DONE, or an exit code after an error message.
 */
int command_parse(const char *command, const struct argp *parser, int argc, char *argv[], void *input);

/* Prints the reason, an error number such as ENOMEM, and returns the exit code. */
int command_fail(const char *command, int reason);

/* The same for the standard output, by errno. Prints nothing if the reader has closed the pipe, as `head` does. */
int command_fail_output(const char *command);

/* The same for a file: "cannot VERB PATH: REASON". */
int command_fail_file(const char *command, const char *verb, const char *path);

/* Opens a file to write, unless `path` is NULL. False after an error message. */
bool command_open(const char *command, whole_file *file, const char *path);

/* ---- --threads --------------------------------------------------------------------------------------------------- */

#define THREADS_OPTION_HELP "Use N threads (default: as many as there are processors); results do not depend on N"

/* The number of threads. Ends the program by argp_error if the text is none. */
int threads_option_parse(const char *text, struct argp_state *state);

/* ---- CASE.yaml and --set, of `jager run` and `jager check` ------------------------------------------------------- */

enum { CASE_KEY_SET = 256, CASE_KEY_NEXT }; /* keys of argp: a command numbers its own from CASE_KEY_NEXT on */

#define CASE_OPTION_SET                                                                                                \
  {                                                                                                                    \
    "set", CASE_KEY_SET, "KEY=VALUE", 0,                                                                               \
        "Change a value of the case, such as material.friction=0.3; may be given several times", 0                     \
  }

typedef struct case_argument {
  case_source source;
  const char **settings; /* allocated, with room for all arguments of the command */
} case_argument;

/* False if there is no memory. */
bool case_argument_init(case_argument *of, int argc);
void case_argument_free(case_argument *of);

/* Takes its option and argument, in a parser of argp; ARGP_ERR_UNKNOWN for others. */
error_t case_argument_parse(case_argument *of, int key, char *argument, struct argp_state *state);

/* Reads the case and prints errors and warnings on stderr. Else as case_read. */
int case_argument_read(const case_argument *of, run_case *run, char **input);

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

/*
 * Who draws the pictures of the program: the interpreter that CMake has found, or the one in the variable JAGER_PYTHON,
 * with the package that lies with the program, in an installation or in a build directory. Both may be moved.
 */
const drawer *program_drawer(void);

/* Ends the program by argp_error if --plot has a file of an unknown format. `path` may be NULL. */
void plot_option_check(const char *path, struct argp_state *state);

/* False, after an error message, if --plot is given (`path` is not NULL) and nobody can draw. */
bool plot_can_be_drawn(const char *command, const char *path);

/*
 * Draws the picture of `what` into a file that was opened for `path`, and finishes it. `write` writes the numbers of
 * the picture as JSON. Returns the exit code; errors have been printed.
 */
int plot_draw(const char *command, const char *what, void (*write)(const void *of, FILE *out), const void *of,
              whole_file *file, const char *path);

#endif
