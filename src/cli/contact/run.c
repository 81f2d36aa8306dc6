/* SPDX-License-Identifier: MIT */
/*
 * Drives one contact along a path and writes the results step by step: the memory in use does not grow with the path.
 * All files are opened before the first step, so that a run of hours does not end with "permission denied".
 */
#include "run.h"
#include "cli/command.h"
#include "drive.h"
#include "pictures/contact_picture.h"
#include "tractions.h"
#include "pictures/gnuplot.h"
#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OUTPUT_BUFFER_SIZE = 1 << 16, PLOT_PARTS_OF_STEP = 32 };

typedef struct contact_run_state {
  contact_options *options;
  int input;
  path_reader *reader;
  jager_pool *pool;
  jager_contact contact;
  uint64_t step;
  compensated_sum xi[2]; /* tangential position: of a force-driven path, the sum of its movements */
  jager_balance balance;
  whole_file history, tractions, plot;
  jager_point *points; /* room for the history */
  size_t points_capacity;
  contact_path *trace; /* NULL: no picture */
} contact_run_state;

/* ---- Failures ---------------------------------------------------------------------------------------------------- */

static int fail_with_file(const char *what, const char *path)
{
  complain(CONTACT_COMMAND, "cannot %s %s: %s", what, path, strerror(errno));
  return EXIT_IO_FAILED;
}

static int exit_for_memory(void)
{
  complain(CONTACT_COMMAND, "%s", jager_status_text(JAGER_ERROR_MEMORY));
  return EXIT_IO_FAILED;
}

/* Prints the error of the reader, after the output of the steps before it. */
static int fail_in_path(const contact_run_state *run, csv_result result)
{
  if (fflush(stdout) != 0)
    return fail_with_file("write", "the standard output");
  fprintf(stderr, "%s\n", run->reader->csv.message);
  return result == CSV_BROKEN ? EXIT_IO_FAILED : EXIT_BAD_INPUT;
}

/* The library refuses a step: prints the field at fault, and the reason. */
static int fail_in_step(contact_run_state *run, jager_status status)
{
  int role = status == JAGER_ERROR_BEYOND_FRICTION ? PATH_SHEAR_1 : PATH_NORMAL;
  csv_fail(&run->reader->csv, path_reader_at(run->reader, role), "%s", jager_status_text(status));
  int code = fail_in_path(run, CSV_BAD);
  return status == JAGER_ERROR_MEMORY ? EXIT_IO_FAILED : code;
}

/* ---- Start ------------------------------------------------------------------------------------------------------- */

static const char *input_name(const contact_options *options)
{
  return options->input ? options->input : "<stdin>";
}

static int open_input(contact_run_state *run)
{
  run->input = STDIN_FILENO;
  if (run->options->input)
    run->input = open(run->options->input, O_RDONLY | O_CLOEXEC);
  return run->input >= 0 ? EXIT_DONE : fail_with_file("open", run->options->input);
}

static csv_result begin_path(contact_run_state *run)
{
  return path_reader_open(run->reader, run->options->control, csv_read_descriptor, &run->input,
                          input_name(run->options));
}

static int open_path(contact_run_state *run)
{
  csv_result result = begin_path(run);
  return result == CSV_ROW ? EXIT_DONE : fail_in_path(run, result);
}

/* The largest ζ of the path up to its first error, which is reported when the contact gets there. */
static double largest_zeta(contact_run_state *run)
{
  double largest = 0.0;
  path_step step;
  if (begin_path(run) == CSV_ROW)
    while (path_reader_next(run->reader, &step) == CSV_ROW)
      largest = step.movement.zeta > largest ? step.movement.zeta : largest;
  return largest;
}

/*
 * The model "linear" gets the stiffness that gives the normal force of the other models at the largest overlap of the
 * path, so that the models can be compared. The path is read twice for that. A path without contact needs no
 * stiffness.
 */
static int choose_stiffness(contact_run_state *run)
{
  contact_options *options = run->options;
  if (options->law.model != JAGER_MODEL_LINEAR || options->law.linear_kn > 0.0)
    return EXIT_DONE;
  struct stat input;
  off_t start = lseek(run->input, 0, SEEK_CUR);
  if (start < 0 || fstat(run->input, &input) != 0 || !S_ISREG(input.st_mode)) {
    complain(
        CONTACT_COMMAND,
        "--model linear takes its stiffness at the largest zeta of the path, and %s can be read only once: give --kn, "
        "or --kn-at, or the path as a file",
        input_name(options));
    return EXIT_BAD_INPUT;
  }
  double largest = largest_zeta(run);
  if (lseek(run->input, start, SEEK_SET) < 0)
    return fail_with_file("read", input_name(options));
  if (!(largest > 0.0 && largest <= DBL_MAX))
    return EXIT_DONE;
  jager_status status = jager_law_set_linear_at_zeta(&options->law, options->radius_a, options->radius_b, largest);
  if (status == JAGER_OK)
    return EXIT_DONE;
  complain(CONTACT_COMMAND, "--model linear: at the largest zeta of the path, %g m: %s; give --kn, or --kn-at", largest,
           jager_status_text(status));
  return EXIT_BAD_INPUT;
}

static int take_memory(contact_run_state *run)
{
  run->reader = malloc(sizeof *run->reader);
  run->pool = jager_pool_create(0);
  if (run->options->plot)
    run->trace = malloc(sizeof *run->trace);
  if (!run->reader || !run->pool || (run->options->plot && !run->trace))
    return exit_for_memory();
  if (run->trace)
    contact_path_start(run->trace);
  return EXIT_DONE;
}

static int make_contact(contact_run_state *run)
{
  jager_status status =
      jager_contact_init(&run->contact, &run->options->law, run->options->radius_a, run->options->radius_b);
  if (status == JAGER_OK)
    status = jager_balance_begin(&run->balance, &run->options->law, &run->contact);
  if (status == JAGER_OK)
    return EXIT_DONE;
  complain(CONTACT_COMMAND, "%s", jager_status_text(status));
  return EXIT_BAD_INPUT;
}

static int open_output(whole_file *file, const char *path)
{
  return !path || whole_file_open(file, path) ? EXIT_DONE : fail_with_file("write", path);
}

static int open_outputs(contact_run_state *run)
{
  if (run->options->plot && !gnuplot_is_installed()) {
    complain(CONTACT_COMMAND, "--plot needs gnuplot, which is not installed (Debian, Ubuntu: apt install gnuplot-nox)");
    return EXIT_IO_FAILED;
  }
  int code = open_output(&run->history, run->options->history);
  if (code == EXIT_DONE)
    code = open_output(&run->tractions, run->options->tractions);
  if (code == EXIT_DONE)
    code = open_output(&run->plot, run->options->plot);
  return code;
}

static int start(contact_run_state *run)
{
  int code = take_memory(run);
  if (code == EXIT_DONE)
    code = open_input(run);
  if (code == EXIT_DONE)
    code = choose_stiffness(run);
  if (code == EXIT_DONE)
    code = make_contact(run);
  if (code == EXIT_DONE)
    code = open_path(run);
  if (code == EXIT_DONE)
    code = open_outputs(run);
  if (code != EXIT_DONE)
    return code;
  printf("step,zeta,xi1,xi2,fn,ft1,ft2,state,length,stored,dissipated\n");
  if (run->history.stream)
    fprintf(run->history.stream, "step,k,zeta,fn,p1,p2\n");
  return EXIT_DONE;
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

/* Adding 0 turns a negative zero into 0. */
static bool write_step(const contact_run_state *run, const contact_outcome *outcome)
{
  double stored = run->balance.normal + run->balance.tangential;
  return printf("%" PRIu64 ",%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%s,%" PRIu32 ",%.17g,%.17g\n", run->step,
                outcome->movement.zeta + 0.0, run->xi[0].high + 0.0, run->xi[1].high + 0.0, outcome->force.fn + 0.0,
                outcome->force.ft[0] + 0.0, outcome->force.ft[1] + 0.0,
                jager_state_name(jager_contact_state(&run->contact)), jager_contact_length(&run->contact), stored + 0.0,
                run->balance.dissipated + 0.0) > 0;
}

/* Copies the history into run->points. */
static jager_status read_history(contact_run_state *run)
{
  size_t needed = jager_contact_length(&run->contact);
  if (needed > run->points_capacity) {
    jager_point *more = realloc(run->points, 2 * needed * sizeof *more);
    if (!more)
      return JAGER_ERROR_MEMORY;
    run->points = more;
    run->points_capacity = 2 * needed;
  }
  return jager_contact_history(&run->options->law, &run->contact, run->points, run->points_capacity);
}

static int write_history(contact_run_state *run)
{
  jager_status status = read_history(run);
  if (status != JAGER_OK)
    return fail_in_step(run, status);
  for (size_t k = 0; k < jager_contact_length(&run->contact); k++) {
    const jager_point *point = &run->points[k];
    if (fprintf(run->history.stream, "%" PRIu64 ",%zu,%.17g,%.17g,%.17g,%.17g\n", run->step, k, point->zeta, point->fn,
                point->p[0] + 0.0, point->p[1] + 0.0) < 0)
      return fail_with_file("write", run->options->history);
  }
  return EXIT_DONE;
}

static contact_path_point point_after(const contact_run_state *run, const contact_outcome *outcome)
{
  return (contact_path_point){
      .xi = {run->xi[0].high + outcome->movement.dxi[0], run->xi[1].high + outcome->movement.dxi[1]},
      .fn = outcome->force.fn,
      .ft = {outcome->force.ft[0], outcome->force.ft[1]}};
}

/* The curve of a large step gets some points between its ends in the picture. */
static void trace_curve(contact_run_state *run, const path_step *step)
{
  for (int i = 1; i < PLOT_PARTS_OF_STEP && contact_path_wants_detail(run->trace); i++) {
    contact_outcome outcome;
    if (contact_drive_partly(&run->options->law, run->pool, &run->contact, run->options->control, step,
                             (double)i / PLOT_PARTS_OF_STEP, &outcome) != JAGER_OK)
      return; /* the whole step reports the error */
    contact_path_point point = point_after(run, &outcome);
    contact_path_add(run->trace, &point);
  }
}

static int do_step(contact_run_state *run, const path_step *step)
{
  contact_outcome outcome;
  if (run->trace)
    trace_curve(run, step);
  jager_status status =
      contact_drive(&run->options->law, run->pool, &run->contact, run->options->control, step, &run->balance, &outcome);
  if (status != JAGER_OK)
    return fail_in_step(run, status);
  run->step++;
  if (run->trace) {
    contact_path_point point = point_after(run, &outcome);
    contact_path_end_step(run->trace, &point);
  }
  for (int i = 0; i < 2; i++)
    if (run->options->control == PATH_BY_FORCE)
      compensated_sum_add(&run->xi[i], outcome.movement.dxi[i]);
    else
      run->xi[i] = (compensated_sum){step->xi[i], 0.0};
  if (!write_step(run, &outcome))
    return fail_with_file("write", "the standard output");
  return run->history.stream ? write_history(run) : EXIT_DONE;
}

static int do_steps(contact_run_state *run)
{
  path_step step;
  csv_result result;
  while ((result = path_reader_next(run->reader, &step)) == CSV_ROW) {
    int code = do_step(run, &step);
    if (code != EXIT_DONE)
      return code;
  }
  return result == CSV_END ? EXIT_DONE : fail_in_path(run, result);
}

/* ---- End --------------------------------------------------------------------------------------------------------- */

static int finish_output(whole_file *file, const char *path)
{
  return whole_file_finish(file) ? EXIT_DONE : fail_with_file("write", path);
}

static int write_tractions(contact_run_state *run)
{
  jager_status status = contact_tractions_write(&run->options->law, &run->contact, run->tractions.stream);
  if (status == JAGER_OK)
    return finish_output(&run->tractions, run->options->tractions);
  complain(CONTACT_COMMAND, "the tractions cannot be computed: %s", jager_status_text(status));
  return EXIT_IO_FAILED;
}

static int write_plot(contact_run_state *run)
{
  error_info error;
  contact_picture contents = {.path = run->trace, .law = &run->options->law, .path_name = input_name(run->options)};
  const picture of = {GNUPLOT_WIDE, contact_picture_write, &contents};
  if (run->step == 0) {
    complain(CONTACT_COMMAND, "--plot: the path has no step: there is nothing to draw");
    return EXIT_BAD_INPUT;
  }
  if (run->options->law.model == JAGER_MODEL_JAGER) {
    if (read_history(run) != JAGER_OK)
      return exit_for_memory();
    contents.history = run->points;
    contents.history_count = jager_contact_length(&run->contact);
  }
  if (picture_write(&run->plot, run->options->plot, &of, &error))
    return EXIT_DONE;
  complain(CONTACT_COMMAND, "%s", error.text);
  return EXIT_IO_FAILED;
}

/* Finishes the files. Tractions and picture belong to the end of the path: without it they are not written. */
static int finish(contact_run_state *run, int code)
{
  if (code != EXIT_IO_FAILED && fflush(stdout) != 0)
    code = fail_with_file("write", "the standard output");
  if (code != EXIT_IO_FAILED && run->history.stream && finish_output(&run->history, run->options->history) != EXIT_DONE)
    code = EXIT_IO_FAILED;
  if (code == EXIT_DONE && run->tractions.stream)
    code = write_tractions(run);
  if (code == EXIT_DONE && run->plot.stream)
    code = write_plot(run);
  return code;
}

static void clean_up(contact_run_state *run)
{
  whole_file_discard(&run->history);
  whole_file_discard(&run->tractions);
  whole_file_discard(&run->plot);
  jager_pool_destroy(run->pool);
  free(run->points);
  free(run->trace);
  free(run->reader);
  if (run->input > STDIN_FILENO)
    close(run->input);
}

int contact_run(const contact_options *options)
{
  contact_options chosen = *options;
  contact_run_state run = {.options = &chosen, .input = -1};
  static char output_buffer[OUTPUT_BUFFER_SIZE];
  if (!isatty(STDOUT_FILENO))
    setvbuf(stdout, output_buffer, _IOFBF, sizeof output_buffer);
  int code = start(&run);
  if (code == EXIT_DONE)
    code = finish(&run, do_steps(&run));
  clean_up(&run);
  return code;
}
