/* SPDX-License-Identifier: MIT */
/*
 * The command `jager contact`: moves one contact along a path, under one law or several side by side, and writes the
 * results step by step, so that the memory in use does not grow with the path.
 * All files are opened before the first step, so that a run of hours does not end with "permission denied".
 */
#include "contact.h"
#include "command.h"
#include "jager/compare.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OUTPUT_BUFFER_SIZE = 1 << 16, PLOT_PARTS_OF_STEP = 32 };

/* The contact under one law. */
typedef struct law_run {
  law_contact contact, twin; /* the twin is for points within a step, in a picture */
  path_step step;            /* the present one: the path prescribes a part of it, the law completes it */
  picture_path *trace;       /* NULL: no picture */
} law_run;

typedef struct contact_run {
  contact_options options;
  int input;
  path_reader *reader;
  jager_pool *pool;
  law_run laws[LAW_COUNT];
  int law_count;
  law_contact *exact; /* the contact of "jager", for history and tractions; NULL: not among the laws */
  uint64_t step;
  compensated_sum xi[2]; /* tangential position: of a force-driven path, the sum of its movements */
  compensated_sum way;   /* length of the path of ξ */
  double zeta_max;       /* the largest so far */
  whole_file history, tractions, plot;
  jager_point *points; /* room for the history */
  size_t points_capacity;
} contact_run;

/* ---- Failures ---------------------------------------------------------------------------------------------------- */

static int fail_for(jager_status status)
{
  complain(CONTACT_COMMAND, "%s", jager_status_text(status));
  return status == JAGER_ERROR_MEMORY ? EXIT_IO_FAILED : EXIT_BAD_INPUT;
}

/* Prints the error of the reader, after the output of the steps before it. */
static int fail_in_path(const contact_run *run, csv_result result)
{
  if (fflush(stdout) != 0)
    return command_fail_output(CONTACT_COMMAND);
  fprintf(stderr, "%s\n", run->reader->csv.message);
  return result == CSV_BROKEN ? EXIT_IO_FAILED : EXIT_BAD_INPUT;
}

/* The library refuses a step: prints the field at fault, and the reason. */
static int fail_in_step(contact_run *run, jager_status status)
{
  int role = status == JAGER_ERROR_BEYOND_FRICTION ? PATH_SHEAR_1 : PATH_NORMAL;
  csv_fail(&run->reader->csv, path_reader_at(run->reader, role), "%s", jager_status_text(status));
  int code = fail_in_path(run, CSV_BAD);
  return status == JAGER_ERROR_MEMORY ? EXIT_IO_FAILED : code;
}

/* ---- Start ------------------------------------------------------------------------------------------------------- */

static const char *input_name(const contact_run *run)
{
  return run->options.input ? run->options.input : "<stdin>";
}

static csv_result begin_path(contact_run *run)
{
  return path_reader_open(run->reader, run->options.control, csv_read_descriptor, &run->input, input_name(run));
}

/*
 * The model "linear" gets the stiffness that gives the normal force of the other models at the largest overlap of the
 * path, so that the models can be compared. The path is read twice for that, the first time up to its first error,
 * which is reported when the contact gets there. A path without contact needs no stiffness.
 */
static int choose_stiffness(contact_run *run)
{
  law_bodies *bodies = &run->options.of_laws.bodies;
  if (!law_options_have(&run->options.of_laws, JAGER_MODEL_LINEAR) || bodies->parameters.linear_kn > 0.0)
    return EXIT_DONE;
  struct stat input;
  off_t start = lseek(run->input, 0, SEEK_CUR);
  if (start < 0 || fstat(run->input, &input) != 0 || !S_ISREG(input.st_mode)) {
    complain(
        CONTACT_COMMAND,
        "--model linear takes its stiffness at the largest zeta of the path, and %s can be read only once: give --kn, "
        "or --kn-at, or the path as a file",
        input_name(run));
    return EXIT_BAD_INPUT;
  }
  double largest = 0.0;
  path_step step;
  if (begin_path(run) == CSV_ROW)
    while (path_reader_next(run->reader, &step) == CSV_ROW)
      largest = step.movement.zeta > largest ? step.movement.zeta : largest;
  if (lseek(run->input, start, SEEK_SET) < 0)
    return command_fail_file(CONTACT_COMMAND, "read", input_name(run));
  if (!(largest > 0.0 && largest <= DBL_MAX))
    return EXIT_DONE;
  jager_status status = jager_law_set_linear_at_zeta(&bodies->parameters, bodies->radius_a, bodies->radius_b, largest);
  if (status == JAGER_OK)
    return EXIT_DONE;
  complain(CONTACT_COMMAND, "--model linear: at the largest zeta of the path, %g m: %s; give --kn, or --kn-at", largest,
           jager_status_text(status));
  return EXIT_BAD_INPUT;
}

static int start(contact_run *run)
{
  const contact_options *options = &run->options;
  const char *plot = options->of_laws.plot;
  run->law_count = options->of_laws.law_count;
  run->reader = malloc(sizeof *run->reader);
  run->pool = jager_pool_create(0);
  if (!run->reader || !run->pool)
    return fail_for(JAGER_ERROR_MEMORY);
  for (int k = 0; k < run->law_count && plot; k++) {
    run->laws[k].trace = malloc(sizeof *run->laws[k].trace);
    if (!run->laws[k].trace)
      return fail_for(JAGER_ERROR_MEMORY);
    picture_path_start(run->laws[k].trace);
  }
  run->input = options->input ? open(options->input, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
  if (run->input < 0)
    return command_fail_file(CONTACT_COMMAND, "open", options->input);
  int code = choose_stiffness(run);
  if (code != EXIT_DONE)
    return code;
  law_bodies bodies = options->of_laws.bodies;
  for (int k = 0; k < run->law_count; k++) {
    law_run *law = &run->laws[k];
    bodies.law = options->of_laws.laws[k];
    jager_status status = law_contact_init(&law->contact, &bodies, run->pool);
    if (status == JAGER_OK && plot)
      status = law_contact_init(&law->twin, &bodies, run->pool);
    if (status != JAGER_OK)
      return fail_for(status);
    if (bodies.law == JAGER_MODEL_JAGER)
      run->exact = &law->contact;
  }
  csv_result result = begin_path(run);
  if (result != CSV_ROW)
    return fail_in_path(run, result);
  if (!plot_can_be_drawn(CONTACT_COMMAND, plot) || !command_open(CONTACT_COMMAND, &run->history, options->history) ||
      !command_open(CONTACT_COMMAND, &run->tractions, options->tractions) ||
      !command_open(CONTACT_COMMAND, &run->plot, plot))
    return EXIT_IO_FAILED;
  printf("%sstep,%s,fn,ft1,ft2,state,length,stored,dissipated%s\n", run->law_count > 1 ? "model," : "",
         run->reader->is_whole ? "overlap,shift1,shift2" : "zeta,xi1,xi2", /* the words of the path */
         law_options_have(&options->of_laws, LAW_SPRINGS) ? ",ft_error" : "");
  if (run->history.stream)
    fprintf(run->history.stream, "step,k,zeta,fn,p1,p2\n");
  return EXIT_DONE;
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

/* Moves the contact by a step, and completes the step: the force after it, or, under force control, the movement. */
static jager_status drive(law_contact *contact, path_control control, path_step *step)
{
  if (control == PATH_BY_DISPLACEMENT)
    return law_contact_move(contact, step->movement.zeta, step->movement.dxi, &step->force);
  jager_status status = law_contact_load(contact, &step->force, &step->movement);
  step->force = law_contact_force(contact);
  return status;
}

/* The point of the picture after a step or a part of it. `run` is where it was before the step. */
static picture_point point_after(const contact_run *run, const law_contact *contact, const path_step *step)
{
  const double *dxi = step->movement.dxi;
  return (picture_point){.xi = {run->xi[0].high + dxi[0], run->xi[1].high + dxi[1]},
                         .fn = step->force.fn,
                         .ft = {step->force.ft[0], step->force.ft[1]},
                         .way = run->way.high + hypot(dxi[0], dxi[1]),
                         .dissipated = law_contact_energy(contact).dissipated};
}

static double part_way(double from, double to, double share)
{
  return from + share * (to - from);
}

/*
 * The curve of a large step gets some points between its ends in the picture: a twin goes the first part of the step.
 * Errors are left to the whole step.
 */
static void trace_curve(const contact_run *run, law_run *law)
{
  const path_step *step = &law->step;
  jager_force now = law_contact_force(&law->contact);
  double zeta = law_contact_zeta(&law->contact);
  for (int i = 1; i < PLOT_PARTS_OF_STEP && law->trace->stride == 1; i++) {
    double share = (double)i / PLOT_PARTS_OF_STEP;
    path_step part = {.movement = {.zeta = part_way(zeta, step->movement.zeta, share),
                                   .dxi = {share * step->movement.dxi[0], share * step->movement.dxi[1]}},
                      .force = {.fn = part_way(now.fn, step->force.fn, share),
                                .ft = {part_way(now.ft[0], step->force.ft[0], share),
                                       part_way(now.ft[1], step->force.ft[1], share)}}};
    if (law_contact_copy(&law->twin, &law->contact) != JAGER_OK ||
        drive(&law->twin, run->options.control, &part) != JAGER_OK)
      return;
    picture_point point = point_after(run, &law->twin, &part);
    picture_path_add(law->trace, &point);
  }
}

/* Adding 0 turns a negative zero into 0. */
static bool write_row(const contact_run *run, const law_run *law)
{
  double whole = run->reader->is_whole ? 2.0 : 1.0;
  const jager_force *force = &law->step.force;
  jager_energy energy = law_contact_energy(&law->contact);
  if (run->law_count > 1)
    printf("%s,", law_name(law->contact.law));
  printf("%" PRIu64 ",%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%s,%" PRIu32 ",%.17g,%.17g", run->step,
         whole * law->step.movement.zeta + 0.0, whole * run->xi[0].high + 0.0, whole * run->xi[1].high + 0.0,
         force->fn + 0.0, force->ft[0] + 0.0, force->ft[1] + 0.0, jager_state_name(law_contact_state(&law->contact)),
         law_contact_length(&law->contact), energy.normal + energy.tangential + 0.0, energy.dissipated + 0.0);
  if (law_options_have(&run->options.of_laws, LAW_SPRINGS))
    printf(",%.17g", law_contact_force_error(&law->contact));
  return putchar('\n') != EOF;
}

/* Copies the history into run->points. */
static jager_status read_history(contact_run *run)
{
  size_t needed = law_contact_length(run->exact);
  if (needed > run->points_capacity) {
    jager_point *more = realloc(run->points, 2 * needed * sizeof *more);
    if (!more)
      return JAGER_ERROR_MEMORY;
    run->points = more;
    run->points_capacity = 2 * needed;
  }
  return jager_contact_history(&run->exact->contact, &run->exact->parameters, run->points, run->points_capacity);
}

static int do_step(contact_run *run, const path_step *prescribed)
{
  bool by_force = run->options.control == PATH_BY_FORCE;
  for (int k = 0; k < run->law_count; k++) {
    law_run *law = &run->laws[k];
    law->step = *prescribed;
    if (law->trace)
      trace_curve(run, law);
    jager_status status = drive(&law->contact, run->options.control, &law->step);
    if (status != JAGER_OK)
      return fail_in_step(run, status);
    if (law->trace) {
      picture_point point = point_after(run, &law->contact, &law->step);
      picture_path_end_step(law->trace, &point);
    }
  }
  const jager_movement *movement = &run->laws[0].step.movement; /* the same for all laws; by force there is only one */
  run->step++;
  run->zeta_max = fmax(run->zeta_max, movement->zeta);
  compensated_sum_add(&run->way, hypot(movement->dxi[0], movement->dxi[1]));
  for (int i = 0; i < 2; i++)
    if (by_force)
      compensated_sum_add(&run->xi[i], movement->dxi[i]);
    else
      run->xi[i] = (compensated_sum){prescribed->xi[i], 0.0};
  for (int k = 0; k < run->law_count; k++)
    if (!write_row(run, &run->laws[k]))
      return command_fail_output(CONTACT_COMMAND);
  if (!run->history.stream)
    return EXIT_DONE;
  jager_status status = read_history(run);
  if (status != JAGER_OK)
    return fail_in_step(run, status);
  for (size_t k = 0; k < law_contact_length(run->exact); k++) {
    const jager_point *point = &run->points[k];
    if (fprintf(run->history.stream, "%" PRIu64 ",%zu,%.17g,%.17g,%.17g,%.17g\n", run->step, k, point->zeta, point->fn,
                point->p[0] + 0.0, point->p[1] + 0.0) < 0)
      return command_fail_file(CONTACT_COMMAND, "write", run->options.history);
  }
  return EXIT_DONE;
}

/* ---- End --------------------------------------------------------------------------------------------------------- */

static int draw(contact_run *run)
{
  const law_options *of_laws = &run->options.of_laws;
  contact_picture picture = {.name = input_name(run),
                             .friction = of_laws->bodies.parameters.friction,
                             .is_whole = run->reader->is_whole,
                             .law_count = run->law_count,
                             .laws = of_laws->laws};
  if (run->step == 0) {
    complain(CONTACT_COMMAND, "--plot: the path has no step: there is nothing to draw");
    return EXIT_BAD_INPUT;
  }
  for (int k = 0; k < run->law_count; k++)
    picture.paths[k] = run->laws[k].trace;
  if (run->exact && run->law_count == 1) {
    if (read_history(run) != JAGER_OK)
      return fail_for(JAGER_ERROR_MEMORY);
    picture.history = run->points;
    picture.history_count = law_contact_length(run->exact);
  }
  return plot_draw(CONTACT_COMMAND, "contact", contact_picture_write, &picture, &run->plot, of_laws->plot);
}

/* Finishes the files. Tractions and picture belong to the end of the path: without it they are not written. */
static int finish(contact_run *run, int code)
{
  const law_bodies *bodies = &run->options.of_laws.bodies;
  if (code != EXIT_IO_FAILED && fflush(stdout) != 0)
    code = command_fail_output(CONTACT_COMMAND);
  if (code != EXIT_IO_FAILED && run->history.stream && !whole_file_finish(&run->history))
    code = command_fail_file(CONTACT_COMMAND, "write", run->options.history);
  if (code == EXIT_DONE && run->tractions.stream) {
    jager_status status = contact_tractions_write(&run->exact->parameters, &run->exact->contact, run->tractions.stream);
    if (status != JAGER_OK) {
      complain(CONTACT_COMMAND, "the tractions cannot be computed: %s", jager_status_text(status));
      code = EXIT_IO_FAILED;
    } else if (!whole_file_finish(&run->tractions))
      code = command_fail_file(CONTACT_COMMAND, "write", run->options.tractions);
  }
  if (code == EXIT_DONE && run->plot.stream)
    code = draw(run);
  /* Results beyond the theory are numbers all the same. Cones and power contours have no radius to compare with. */
  double radius = fmin(bodies->radius_a, bodies->radius_b), overlap = 2.0 * run->zeta_max;
  if (bodies->parameters.contour == JAGER_CONTOUR_SPHERE && overlap > 0.5 * radius)
    complain(CONTACT_COMMAND,
             "warning: the overlap reaches %.3g m, that is %.3g times the smaller radius: beyond half of it the theory "
             "of small contacts does not hold; check --radius, --shear-modulus and the units of the path",
             overlap, overlap / radius);
  return code;
}

int contact_command(int argc, char *argv[])
{
  contact_run run = {.options = contact_options_parse(argc, argv), .input = -1};
  static char output_buffer[OUTPUT_BUFFER_SIZE];
  if (!isatty(STDOUT_FILENO))
    setvbuf(stdout, output_buffer, _IOFBF, sizeof output_buffer);
  int code = start(&run);
  if (code == EXIT_DONE) {
    path_step step;
    csv_result result = CSV_ROW;
    while (code == EXIT_DONE && (result = path_reader_next(run.reader, &step)) == CSV_ROW)
      code = do_step(&run, &step);
    if (code == EXIT_DONE && result != CSV_END)
      code = fail_in_path(&run, result);
    code = finish(&run, code);
  }
  whole_file_discard(&run.history);
  whole_file_discard(&run.tractions);
  whole_file_discard(&run.plot);
  for (int k = 0; k < LAW_COUNT; k++) {
    law_contact_release(&run.laws[k].contact);
    law_contact_release(&run.laws[k].twin);
    free(run.laws[k].trace);
  }
  jager_pool_destroy(run.pool);
  free(run.points);
  free(run.reader);
  if (run.input > STDIN_FILENO)
    close(run.input);
  return code;
}
