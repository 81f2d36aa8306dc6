/* SPDX-License-Identifier: MIT */
/* The options of `jager run`. */
#include "options.h"
#include "cli/command.h"
#include "cli/threads_option.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_RESUME = CASE_KEY_NEXT, KEY_FORCE, KEY_JSON, KEY_THREADS };

static const struct argp_option option_list[] = {
    {"output", 'o', "DIR", 0, "Write all files to DIR (default: out/NAME for NAME.yaml)", 0},
    {"threads", KEY_THREADS, "N", 0, THREADS_OPTION_HELP, 0},
    {"resume", KEY_RESUME, NULL, 0,
     "Continue from the last checkpoint in DIR; the case may have a later end or more stages than before", 0},
    {"force", KEY_FORCE, NULL, 0, "Replace the files that an earlier run has left in DIR", 0},
    CASE_OPTION_SET,
    {"quiet", 'q', NULL, 0, "Print no progress on standard error", 0},
    {"json", KEY_JSON, NULL, 0, "Print the summary as JSON", 0},
    {0},
};

static const char summary[] =
    "Simulate a laboratory test of an assembly of spheres with the discrete element method (DEM): pack or read the "
    "assembly, load it stage by stage (triaxial, biaxial, simple shear, cyclic, undrained), and write time series, "
    "snapshots, checkpoints and pictures. Ready tests: modulus reduction, liquefaction resistance; lists of contact "
    "models and of stress ratios in a case have a run for each value, side by side.\v"
    "Ctrl-C (SIGINT) and SIGTERM stop the run after a checkpoint; --resume continues it, with the same results, bit "
    "for "
    "bit, as a run that was not interrupted. 'jager check' prints what a case would do. See jager(1) and "
    "docs/guide.md.";

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  run_options *options = state->input;
  switch (key) {
  case 'o':
    free(options->dir);
    options->dir = strdup(argument);
    return options->dir ? 0 : ENOMEM;
  case 'q':
    options->quiet = true;
    return 0;
  case KEY_THREADS:
    options->settings.threads = threads_option_parse(argument, state);
    return 0;
  case KEY_RESUME:
    options->settings.resume = true;
    return 0;
  case KEY_FORCE:
    options->settings.force = true;
    return 0;
  case KEY_JSON:
    options->json = true;
    return 0;
  case ARGP_KEY_END:
    if (options->settings.resume && options->settings.force)
      argp_error(state, "--resume continues a run and --force replaces it: give only one of them");
    return 0;
  default:
    return case_argument_parse(&options->of, key, argument, state);
  }
}

/*
 * "out/biaxial" for ".../biaxial.yaml". The ending stays where nothing but dots would be left: "out/..", of
 * "...yaml", is the present directory.
 */
static char *default_dir(const char *path)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  size_t length = dot ? (size_t)(dot - name) : strlen(name);
  if (strspn(name, ".") >= length)
    length = strlen(name);
  size_t size = length + sizeof "out/";
  char *dir = malloc(size);
  if (dir)
    snprintf(dir, size, "out/%.*s", (int)length, name);
  return dir;
}

static char *join_words(int argc, char *argv[])
{
  size_t size = 1;
  for (int i = 0; i < argc; i++)
    size += strlen(argv[i]) + 1;
  char *joined = calloc(size, 1), *at = joined;
  for (int i = 0; joined && i < argc; i++)
    at += sprintf(at, i > 0 ? " %s" : "%s", argv[i]);
  return joined;
}

void run_options_free(run_options *options)
{
  case_argument_free(&options->of);
  free(options->dir);
  free(options->command);
}

int run_options_parse(run_options *options, int argc, char *argv[])
{
  static const struct argp parser = {
      .options = option_list, .parser = parse_option, .args_doc = "CASE.yaml", .doc = summary};
  *options = (run_options){.command = join_words(argc, argv)};
  bool has_memory = case_argument_init(&options->of, argc) && options->command;
  int code = has_memory ? command_parse(RUN_COMMAND, &parser, argc, argv, options) : command_fail(RUN_COMMAND, ENOMEM);
  if (code == EXIT_DONE && !options->dir) {
    options->dir = default_dir(options->of.source.path);
    code = options->dir ? EXIT_DONE : command_fail(RUN_COMMAND, ENOMEM);
  }
  options->settings.dir = options->dir;
  options->settings.command = options->command;
  options->settings.case_file = options->of.source.path;
  if (code != EXIT_DONE)
    run_options_free(options);
  return code;
}
