/* SPDX-License-Identifier: MIT */
/*
 * Drives one contact along a path, under one law or several side by side, and writes the results step by step: the
 * memory in use does not grow with the path.
 * All files are opened before the first step, so that a run of hours does not end with "permission denied".
 */
#include "run.h"
#include "cli/command.h"
#include "drive.h"
#include "tractions.h"
#include "pictures/contact/contact_picture.h"
#include "pictures/contact/laws_picture.h"
#include "pictures/gnuplot.h"
#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OUTPUT_BUFFER_SIZE = 1 << 16, PLOT_PARTS_OF_STEP = 32 };

/* The contact under one law. */
typedef struct law_run {
  law_contact contact, twin; /* the twin is for points within a step, in a picture */
  contact_path *trace;       /* NULL: no picture */
} law_run;

typedef struct contact_run_state {
  contact_options *options;
  int input;
  path_reader *reader;
  jager_pool *pool;
  law_run laws[LAW_COUNT];
  law_run *exact; /* that of "jager", for history and tractions; NULL: not among the laws */
  uint64_t step;
  compensated_sum xi[2]; /* tangential position: of a force-driven path, the sum of its movements */
  compensated_sum way;   /* length of the path of ξ */
  double zeta_max;       /* the largest so far */
  whole_file history, tractions, plot;
  jager_point *points; /* room for the history */
  size_t points_capacity;
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
  if (!law_choice_has(&options->laws, JAGER_MODEL_LINEAR) || options->law.linear_kn > 0.0)
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
  if (!run->reader || !run->pool)
    return exit_for_memory();
  for (int k = 0; k < run->options->laws.count && run->options->plot; k++) {
    run->laws[k].trace = malloc(sizeof *run->laws[k].trace);
    if (!run->laws[k].trace)
      return exit_for_memory();
    contact_path_start(run->laws[k].trace);
  }
  return EXIT_DONE;
}

static int make_contact(contact_run_state *run, int k)
{
  const contact_options *options = run->options;
  const law_bodies bodies = {.law = options->laws.laws[k],
                             .parameters = options->law,
                             .radius_a = options->radius_a,
                             .radius_b = options->radius_b,
                             .grid = options->grid};
  jager_status status = law_contact_init(&run->laws[k].contact, &bodies, run->pool);
  if (status == JAGER_OK && options->plot)
    status = law_contact_init(&run->laws[k].twin, &bodies, run->pool);
  if (bodies.law == JAGER_MODEL_JAGER)
    run->exact = &run->laws[k];
  if (status == JAGER_OK)
    return EXIT_DONE;
  complain(CONTACT_COMMAND, "%s", jager_status_text(status));
  return status == JAGER_ERROR_MEMORY ? EXIT_IO_FAILED : EXIT_BAD_INPUT;
}

static int make_contacts(contact_run_state *run)
{
  int code = EXIT_DONE;
  for (int k = 0; k < run->options->laws.count && code == EXIT_DONE; k++)
    code = make_contact(run, k);
  return code;
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

/* The words of the position are those of the path. */
static void write_header(const contact_run_state *run)
{
  const law_choice *laws = &run->options->laws;
  printf("%sstep,%s,fn,ft1,ft2,state,length,stored,dissipated%s\n", laws->count > 1 ? "model," : "",
         run->reader->is_whole ? "overlap,shift1,shift2" : "zeta,xi1,xi2",
         law_choice_has(laws, LAW_SPRINGS) ? ",ft_error" : "");
  if (run->history.stream)
    fprintf(run->history.stream, "step,k,zeta,fn,p1,p2\n");
}

static int start(contact_run_state *run)
{
  int code = take_memory(run);
  if (code == EXIT_DONE)
    code = open_input(run);
  if (code == EXIT_DONE)
    code = choose_stiffness(run);
  if (code == EXIT_DONE)
    code = make_contacts(run);
  if (code == EXIT_DONE)
    code = open_path(run);
  if (code == EXIT_DONE)
    code = open_outputs(run);
  if (code == EXIT_DONE)
    write_header(run);
  return code;
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

/* Adding 0 turns a negative zero into 0. */
static bool write_step(const contact_run_state *run, const law_contact *contact, const contact_outcome *outcome)
{
  const law_choice *laws = &run->options->laws;
  double whole = run->reader->is_whole ? 2.0 : 1.0;
  jager_energy energy = law_contact_energy(contact);
  if (laws->count > 1)
    printf("%s,", law_name(contact->law));
  printf("%" PRIu64 ",%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%s,%" PRIu32 ",%.17g,%.17g", run->step,
         whole * outcome->movement.zeta + 0.0, whole * run->xi[0].high + 0.0, whole * run->xi[1].high + 0.0,
         outcome->force.fn + 0.0, outcome->force.ft[0] + 0.0, outcome->force.ft[1] + 0.0,
         jager_state_name(law_contact_state(contact)), law_contact_length(contact),
         energy.normal + energy.tangential + 0.0, energy.dissipated + 0.0);
  if (law_choice_has(laws, LAW_SPRINGS))
    printf(",%.17g", law_contact_force_error(contact));
  return putchar('\n') != EOF;
}

/* Copies the history into run->points. */
static jager_status read_history(contact_run_state *run)
{
  size_t needed = law_contact_length(&run->exact->contact);
  if (needed > run->points_capacity) {
    jager_point *more = realloc(run->points, 2 * needed * sizeof *more);
    if (!more)
      return JAGER_ERROR_MEMORY;
    run->points = more;
    run->points_capacity = 2 * needed;
  }
  return jager_contact_history(&run->exact->contact.parameters, &run->exact->contact.contact, run->points,
                               run->points_capacity);
}

static int write_history(contact_run_state *run)
{
  jager_status status = read_history(run);
  if (status != JAGER_OK)
    return fail_in_step(run, status);
  for (size_t k = 0; k < law_contact_length(&run->exact->contact); k++) {
    const jager_point *point = &run->points[k];
    if (fprintf(run->history.stream, "%" PRIu64 ",%zu,%.17g,%.17g,%.17g,%.17g\n", run->step, k, point->zeta, point->fn,
                point->p[0] + 0.0, point->p[1] + 0.0) < 0)
      return fail_with_file("write", run->options->history);
  }
  return EXIT_DONE;
}

/* The point of the picture after a step or a part of it; `way` is the length of the path of ξ before the step. */
static contact_path_point point_after(const contact_run_state *run, const law_contact *contact,
                                      const contact_outcome *outcome)
{
  const double *dxi = outcome->movement.dxi;
  return (contact_path_point){.xi = {run->xi[0].high + dxi[0], run->xi[1].high + dxi[1]},
                              .fn = outcome->force.fn,
                              .ft = {outcome->force.ft[0], outcome->force.ft[1]},
                              .way = run->way.high + hypot(dxi[0], dxi[1]),
                              .dissipated = law_contact_energy(contact).dissipated};
}

/* The curve of a large step gets some points between its ends in the picture. */
static void trace_curve(const contact_run_state *run, law_run *law, const path_step *step)
{
  for (int i = 1; i < PLOT_PARTS_OF_STEP && contact_path_wants_detail(law->trace); i++) {
    contact_outcome outcome;
    if (contact_drive_partly(&law->twin, &law->contact, run->options->control, step, (double)i / PLOT_PARTS_OF_STEP,
                             &outcome) != JAGER_OK)
      return; /* the whole step reports the error */
    contact_path_point point = point_after(run, &law->twin, &outcome);
    contact_path_add(law->trace, &point);
  }
}

static int move_law(contact_run_state *run, law_run *law, const path_step *step, contact_outcome *outcome)
{
  if (law->trace)
    trace_curve(run, law, step);
  jager_status status = contact_drive(&law->contact, run->options->control, step, outcome);
  if (status != JAGER_OK)
    return fail_in_step(run, status);
  if (law->trace) {
    contact_path_point point = point_after(run, &law->contact, outcome);
    contact_path_end_step(law->trace, &point);
  }
  return EXIT_DONE;
}

/* The position after the step. Under force control there is one law. */
static void advance(contact_run_state *run, const path_step *step, const jager_movement *movement)
{
  run->step++;
  run->zeta_max = fmax(run->zeta_max, movement->zeta);
  compensated_sum_add(&run->way, hypot(movement->dxi[0], movement->dxi[1]));
  for (int i = 0; i < 2; i++)
    if (run->options->control == PATH_BY_FORCE)
      compensated_sum_add(&run->xi[i], movement->dxi[i]);
    else
      run->xi[i] = (compensated_sum){step->xi[i], 0.0};
}

static int do_step(contact_run_state *run, const path_step *step)
{
  contact_outcome outcomes[LAW_COUNT] = {{.force = {.fn = 0.0}}};
  int count = run->options->laws.count;
  for (int k = 0; k < count; k++) {
    int code = move_law(run, &run->laws[k], step, &outcomes[k]);
    if (code != EXIT_DONE)
      return code;
  }
  advance(run, step, &outcomes[0].movement);
  for (int k = 0; k < count; k++)
    if (!write_step(run, &run->laws[k].contact, &outcomes[k]))
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
  jager_status status =
      contact_tractions_write(&run->exact->contact.parameters, &run->exact->contact.contact, run->tractions.stream);
  if (status == JAGER_OK)
    return finish_output(&run->tractions, run->options->tractions);
  complain(CONTACT_COMMAND, "the tractions cannot be computed: %s", jager_status_text(status));
  return EXIT_IO_FAILED;
}

static int draw(contact_run_state *run, const picture *of)
{
  error_info error;
  if (picture_write(&run->plot, run->options->plot, of, &error))
    return EXIT_DONE;
  complain(CONTACT_COMMAND, "%s", error.text);
  return EXIT_IO_FAILED;
}

static int draw_one(contact_run_state *run)
{
  contact_picture contents = {.path = run->laws[0].trace,
                              .law = law_name(run->laws[0].contact.law),
                              .friction = run->options->law.friction,
                              .is_whole = run->reader->is_whole,
                              .path_name = input_name(run->options)};
  if (run->exact) {
    if (read_history(run) != JAGER_OK)
      return exit_for_memory();
    contents.history = run->points;
    contents.history_count = law_contact_length(&run->exact->contact);
  }
  return draw(run, &(picture){GNUPLOT_WIDE, contact_picture_write, &contents});
}

static int draw_several(contact_run_state *run)
{
  laws_picture_curve curves[LAW_COUNT];
  for (int k = 0; k < run->options->laws.count; k++)
    curves[k] = (laws_picture_curve){law_name(run->laws[k].contact.law), run->laws[k].trace};
  const laws_picture contents = {.curves = curves,
                                 .count = run->options->laws.count,
                                 .friction = run->options->law.friction,
                                 .is_whole = run->reader->is_whole,
                                 .path_name = input_name(run->options)};
  return draw(run, &(picture){GNUPLOT_WIDE, laws_picture_write, &contents});
}

static int write_plot(contact_run_state *run)
{
  if (run->step == 0) {
    complain(CONTACT_COMMAND, "--plot: the path has no step: there is nothing to draw");
    return EXIT_BAD_INPUT;
  }
  return run->options->laws.count > 1 ? draw_several(run) : draw_one(run);
}

/* Results beyond the theory are numbers all the same. Cones and power contours have no radius to compare with. */
static void warn_of_overlap(const contact_run_state *run)
{
  const contact_options *options = run->options;
  double radius = fmin(options->radius_a, options->radius_b), overlap = 2.0 * run->zeta_max;
  if (options->law.contour == JAGER_CONTOUR_SPHERE && overlap > 0.5 * radius)
    complain(CONTACT_COMMAND,
             "warning: the overlap reaches %.3g m, that is %.3g times the smaller radius: beyond half of it the theory "
             "of small contacts does not hold; check --radius, --shear-modulus and the units of the path",
             overlap, overlap / radius);
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
  warn_of_overlap(run);
  return code;
}

static void clean_up(contact_run_state *run)
{
  whole_file_discard(&run->history);
  whole_file_discard(&run->tractions);
  whole_file_discard(&run->plot);
  for (int k = 0; k < LAW_COUNT; k++) {
    law_contact_release(&run->laws[k].contact);
    law_contact_release(&run->laws[k].twin);
    free(run->laws[k].trace);
  }
  jager_pool_destroy(run->pool);
  free(run->points);
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
