/* SPDX-License-Identifier: MIT */
/* The command `jager paper`: reproduces the figures and the table of the paper. */
#include "base/clock.h"
#include "cli/command.h"
#include "base/error.h"
#include "pictures/gnuplot.h"
#include "paper/paper.h"
#include "paper/biaxial.h"
#include "base/file_system.h"
#include "run/directory.h"
#include "files/step_files.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define REPORT "report.md"
#define REPORT_TITLE "# The paper's figures, reproduced"

typedef struct paper_figure {
  const char *name, *summary;
  paper_figure_make *make;
  biaxial_needs needs;
} paper_figure;

/* In the paper's order. */
static const paper_figure figures[] = {
    {"DEMcontact", "movements of a contact in the biaxial test", paper_dem_contact_make, {.trace = true}},
    {"JagerPath", "nine movements, forces, histories, traction", paper_path_make, {.trace = false}},
    {"Jager_approx", "the memory-saving approximation", paper_approx_make, {.trace = false}},
    {"Compare", "Jager and an incremental law against a closed form", paper_compare_make, {.trace = false}},
    {"TractionCompare", "tractions against a closed form", paper_traction_make, {.trace = false}},
    {"performance",
     "the table: times, history lengths, errors",
     paper_performance_make,
     {.lengths = true, .times = true}},
    {"words", "what the paper asserts in words", paper_claims_make, {.trace = false}},
};

enum { FIGURES = sizeof figures / sizeof *figures, KEY_SET = 256 };

typedef struct paper_options {
  const char *dir;
  bool wanted[FIGURES];
  bool names_figures;
  bool is_quiet;
  const char **settings;
  size_t setting_count;
} paper_options;

/* ---- Options ----------------------------------------------------------------------------------------------------- */

static const struct argp_option option_list[] = {
    {"output", 'o', "DIR", 0, "Write all files to DIR (default: out/paper)", 0},
    {"set", KEY_SET, "KEY=VALUE", 0, "Change a value of the biaxial test; may be given several times", 0},
    {"quiet", 'q', NULL, 0, "Print no progress on standard error", 0},
    {0},
};

static void want(paper_options *options, const char *name, struct argp_state *state)
{
  for (int i = 0; i < FIGURES; i++)
    if (strcasecmp(name, figures[i].name) == 0) {
      options->wanted[i] = options->names_figures = true;
      return;
    }
  argp_error(state, "there is no figure '%s': one of %s, %s, %s, %s, %s, %s, %s", name, figures[0].name,
             figures[1].name, figures[2].name, figures[3].name, figures[4].name, figures[5].name, figures[6].name);
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  paper_options *options = state->input;
  switch (key) {
  case 'o':
    options->dir = argument;
    return 0;
  case 'q':
    options->is_quiet = true;
    return 0;
  case KEY_SET:
    options->settings[options->setting_count++] = argument;
    return 0;
  case ARGP_KEY_ARG:
    want(options, argument, state);
    return 0;
  case ARGP_KEY_END:
    for (int i = 0; i < FIGURES && !options->names_figures; i++)
      options->wanted[i] = true;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* Adds the list of figures to --help. */
static char *list_figures(int key, const char *text, void *input)
{
  (void)input;
  if (key != ARGP_KEY_HELP_POST_DOC)
    return (char *)text;
  char *list = NULL;
  size_t size;
  FILE *stream = open_memstream(&list, &size);
  if (!stream)
    return (char *)text;
  fprintf(stream, "Figures (default: all of them):\n");
  for (int i = 0; i < FIGURES; i++)
    fprintf(stream, "  %-16s %s%s\n", figures[i].name, figures[i].summary,
            figures[i].needs.trace || figures[i].needs.times ? " (minutes)" : "");
  fprintf(stream, "\n%s", text);
  fclose(stream);
  return list;
}

/* ---- Making ------------------------------------------------------------------------------------------------------ */

static biaxial_needs needs_of(const paper_options *options)
{
  biaxial_needs needs = {.trace = false};
  for (int i = 0; i < FIGURES; i++)
    if (options->wanted[i]) {
      needs.trace = needs.trace || figures[i].needs.trace;
      needs.lengths = needs.lengths || figures[i].needs.lengths;
      needs.times = needs.times || figures[i].needs.times;
    }
  return needs;
}

static int fail_with_text(const error_info *error)
{
  complain(PAPER_COMMAND, "%s", error->text);
  return EXIT_IO_FAILED;
}

static int write_report(const paper_options *options, const char *text)
{
  error_info error = {.text = ""};
  return paper_write_file(options->dir, REPORT, text, &error) ? EXIT_DONE : fail_with_text(&error);
}

/* A file of that name that this program has not written is not replaced. */
static bool may_replace_report(const char *dir, error_info *error)
{
  const char *reason;
  char line[sizeof REPORT_TITLE + 1] = "";
  char *path = path_in(dir, REPORT);
  if (!path)
    return error_out_of_memory(error);
  FILE *stream = regular_file_open(path, &reason);
  bool is_there = stream || access(path, F_OK) == 0;
  bool is_ours = stream && fgets(line, sizeof line, stream) && strcmp(line, REPORT_TITLE "\n") == 0;
  if (stream)
    fclose(stream);
  if (is_there && !is_ours)
    error_set(error, "%s is no report of this program: rename it, or take another directory with -o", path);
  free(path);
  return !is_there || is_ours;
}

static void begin_report(FILE *report)
{
  fprintf(report,
          REPORT_TITLE
          "\n\n"
          "M. R. Kuhn, *Implementation of the Jäger contact model for discrete element simulations*. Made by "
          "`jager paper`, version %s: every number below comes from that run.\n",
          jager_version());
}

static int make_figures(const paper_options *options, const paper *p, double start)
{
  error_info error = {.text = ""};
  begin_report(p->report);
  for (int i = 0; i < FIGURES; i++)
    if (options->wanted[i] && !figures[i].make(p, &error))
      return fail_with_text(&error);
  fprintf(p->report, "\n---\n\nAll of this took %.0f s.\n", clock_seconds() - start);
  return EXIT_DONE;
}

/* The report is kept in memory until it is complete. */
static int make_and_report(const paper_options *options, const biaxial_results *biaxial, double start)
{
  error_info error = {.text = ""};
  memory_stream report;
  if (!memory_stream_open(&report)) {
    error_out_of_memory(&error);
    return fail_with_text(&error);
  }
  paper p = {.dir = options->dir, .draws = gnuplot_is_installed(), .report = report.stream, .biaxial = biaxial};
  if (!p.draws)
    complain(PAPER_COMMAND, "no pictures: gnuplot is not installed (Debian, Ubuntu: apt install gnuplot-nox)");
  int code = make_figures(options, &p, start);
  if (!memory_stream_finish(&report) && code == EXIT_DONE) {
    error_out_of_memory(&error);
    code = fail_with_text(&error);
  }
  if (code == EXIT_DONE)
    code = write_report(options, report.text);
  memory_stream_free(&report);
  if (code == EXIT_DONE)
    printf("%s/" REPORT "\n", options->dir);
  return code;
}

static int make_paper(const paper_options *options)
{
  error_info error = {.text = ""};
  biaxial_results biaxial = {.spheres = 0};
  const biaxial_needs needs = needs_of(options);
  const double start = clock_seconds();
  if (!directory_make(options->dir, &error))
    return fail_with_text(&error);
  if (!may_replace_report(options->dir, &error)) {
    complain(PAPER_COMMAND, "%s", error.text);
    return EXIT_BAD_INPUT;
  }
  int code = needs.trace || needs.times
                 ? biaxial_run(&biaxial, needs, options->settings, options->setting_count, options->is_quiet)
                 : EXIT_DONE;
  if (code == EXIT_DONE)
    code = make_and_report(options, &biaxial, start);
  biaxial_free(&biaxial);
  return code;
}

int paper_command(int argc, char *argv[])
{
  static const struct argp parser = {
      .options = option_list,
      .parser = parse_option,
      .args_doc = "[FIGURE...]",
      .doc =
          "Reproduce the figures and the table of the paper (M. R. Kuhn, Implementation of the Jäger contact model for "
          "discrete element simulations): pictures, their data as CSV, and a report that compares them with the "
          "paper's "
          "statements.\v"
          "See jager(1) and docs/paper.",
      .help_filter = list_figures};
  paper_options options = {.dir = "out/paper", .settings = calloc((size_t)argc, sizeof *options.settings)};
  if (!options.settings)
    return command_fail(PAPER_COMMAND, ENOMEM);
  int code = command_parse(PAPER_COMMAND, &parser, argc, argv, &options);
  if (code == EXIT_DONE)
    code = make_paper(&options);
  free(options.settings);
  return code;
}
