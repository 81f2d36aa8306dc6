/* SPDX-License-Identifier: MIT */
/*
 * Computes the impacts, one law after the other, and writes a row for each. Every impact is computed twice, with the
 * steps asked for and with half as many: the difference is the estimate of the error.
 */
#include "run.h"
#include "cli/command.h"
#include "pictures/gnuplot.h"
#include "pictures/contact/impact_picture.h"
#include "base/number.h"
#include "base/progress.h"
#include "base/whole_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct impact_table {
  const impact_options *options;
  impact_picture_point *points; /* of all laws, one after the other */
  size_t done;                  /* impacts */
  long steps;                   /* of them */
  progress meter;
  whole_file plot;
} impact_table;

/* ---- One impact -------------------------------------------------------------------------------------------------- */

static int fail(const impact *of, jager_status status)
{
  complain(IMPACT_COMMAND, "model %s, v_t/v_n = %g: %s", law_name(of->bodies.law), of->shear / of->approach,
           jager_status_text(status));
  return status == JAGER_ERROR_MEMORY ? EXIT_IO_FAILED : EXIT_RUN_FAILED;
}

static int compute(impact_table *table, const impact *of, impact_result *result)
{
  jager_status status = impact_compute(of, result);
  if (status == JAGER_OK && result->separates)
    return EXIT_DONE;
  progress_clear(&table->meter);
  if (status != JAGER_OK)
    return fail(of, status);
  complain(IMPACT_COMMAND,
           "model %s, v_t/v_n = %g: the bodies have not come apart after %d times the duration of Hertz's impact: "
           "lower --damping",
           law_name(of->bodies.law), of->shear / of->approach, IMPACT_LONGEST);
  return EXIT_RUN_FAILED;
}

/* A row; names and order are those of the header. */
typedef struct impact_row {
  double angle, psi1, psi2, e_normal, e_tangential, spin, energy_lost, rebound_angle, spin_b, viscous, energy_error,
      psi2_error, force_error, steps;
} impact_row;

static const char header[] = "model,angle,psi1,psi2,e_normal,e_tangential,spin,energy_lost,rebound_angle,spin_b,"
                             "lost_in_dashpots,energy_error,psi2_error,force_error,steps";

enum { ROW_NUMBERS = sizeof(impact_row) / sizeof(double) };

static double degrees(double radians)
{
  return radians * (180.0 / 3.14159265358979323846);
}

static impact_row row_of(const impact *of, const impact_result *result, const impact_result *coarse)
{
  double unit = of->bodies.parameters.kappa * of->bodies.parameters.friction * of->approach, before = result->energy[0];
  return (impact_row){
      .psi2 = result->shear / unit,
      .e_normal = result->rebound / of->approach,
      .e_tangential = of->shear > 0.0 ? result->shear / of->shear : NAN,
      .spin = result->spin[0],
      .energy_lost = (before - result->energy[1]) / before,
      .rebound_angle = degrees(atan2(result->shear, result->rebound)),
      .spin_b = result->spin[1],
      .viscous = result->viscous / before,
      .energy_error = (before - result->energy[1] - result->dissipated - result->viscous) / before,
      .psi2_error = fabs(result->shear - coarse->shear) / unit,
      .force_error = result->force_error,
      .steps = result->steps,
  };
}

static bool write_row(const char *law, const impact_row *row)
{
  double numbers[ROW_NUMBERS];
  memcpy(numbers, row, sizeof numbers);
  fputs(law, stdout);
  for (int i = 0; i < ROW_NUMBERS; i++) {
    char text[NUMBER_PRINT_SIZE];
    if (isfinite(numbers[i]))
      number_print_shortest(numbers[i], text);
    else
      number_print(numbers[i], text);
    printf(",%s", text);
  }
  return putchar('\n') != EOF;
}

static void show_progress(impact_table *table, int steps)
{
  size_t all = table->options->count * (size_t)table->options->laws.count;
  table->steps += steps;
  table->done++;
  progress_check_clock(&table->meter, &(progress_state){.stage_name = "impacts",
                                                        .fraction = (double)table->done / (double)all,
                                                        .step = table->steps,
                                                        .contacts = 1});
}

/* Impact number i of a law */
static int do_impact(impact_table *table, const impact *of, size_t i)
{
  impact_result result, coarse;
  impact half = *of;
  half.steps = of->steps / 2;
  int code = compute(table, of, &result);
  if (code == EXIT_DONE)
    code = compute(table, &half, &coarse);
  if (code != EXIT_DONE)
    return code;
  impact_row row = row_of(of, &result, &coarse);
  row.psi1 = table->options->psi[i];
  row.angle = table->options->angle[i];
  table->points[table->done] = (impact_picture_point){row.psi1, row.psi2, row.energy_lost};
  show_progress(table, result.steps + coarse.steps);
  if (write_row(law_name(of->bodies.law), &row))
    return EXIT_DONE;
  complain(IMPACT_COMMAND, "cannot write the standard output: %s", strerror(errno));
  return EXIT_IO_FAILED;
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static int do_impacts(impact_table *table)
{
  const impact_options *options = table->options;
  impact of = options->impact;
  printf("%s\n", header);
  for (int k = 0; k < options->laws.count; k++)
    for (size_t i = 0; i < options->count; i++) {
      of.bodies.law = options->laws.laws[k];
      of.shear = options->shear[i] * of.approach;
      int code = do_impact(table, &of, i);
      if (code != EXIT_DONE)
        return code;
    }
  return EXIT_DONE;
}

static int draw(impact_table *table)
{
  const impact_options *options = table->options;
  const law_bodies *bodies = &options->impact.bodies;
  impact_picture_curve curves[LAW_COUNT];
  char title[256], other[64] = "";
  error_info error;
  for (int k = 0; k < options->laws.count; k++)
    curves[k] = (impact_picture_curve){law_name(options->laws.laws[k]), table->points + (size_t)k * options->count};
  if (options->poisson[1] != options->poisson[0])
    snprintf(other, sizeof other, " and %g", options->poisson[1]);
  snprintf(title, sizeof title, "Impact of %s: f = %g, ν = %g%s, κ = %.4g, %d steps",
           isinf(bodies->radius_b) ? "a sphere and a wall" : "two spheres", bodies->parameters.friction,
           options->poisson[0], other, bodies->parameters.kappa, options->impact.steps);
  const impact_picture contents = {.curves = curves,
                                   .curve_count = options->laws.count,
                                   .count = options->count,
                                   .chi = impact_chi(&options->impact),
                                   .title = title};
  const picture of = {GNUPLOT_WIDE, impact_picture_write, &contents};
  if (picture_write(&table->plot, options->plot, &of, &error))
    return EXIT_DONE;
  complain(IMPACT_COMMAND, "%s", error.text);
  return EXIT_IO_FAILED;
}

static int open_plot(impact_table *table)
{
  const char *path = table->options->plot;
  if (!path)
    return EXIT_DONE;
  if (!gnuplot_is_installed()) {
    complain(IMPACT_COMMAND, "--plot needs gnuplot, which is not installed (Debian, Ubuntu: apt install gnuplot-nox)");
    return EXIT_IO_FAILED;
  }
  if (whole_file_open(&table->plot, path))
    return EXIT_DONE;
  complain(IMPACT_COMMAND, "cannot write %s: %s", path, strerror(errno));
  return EXIT_IO_FAILED;
}

static int run(impact_table *table)
{
  int code = open_plot(table);
  if (code == EXIT_DONE)
    code = do_impacts(table);
  if (code == EXIT_DONE && fflush(stdout) != 0) {
    complain(IMPACT_COMMAND, "cannot write the standard output: %s", strerror(errno));
    code = EXIT_IO_FAILED;
  }
  return code == EXIT_DONE && table->options->plot ? draw(table) : code;
}

int impact_run(const impact_options *options)
{
  impact_table table = {.options = options};
  table.points = calloc((size_t)options->laws.count * options->count, sizeof *table.points);
  if (!table.points) {
    complain(IMPACT_COMMAND, "%s", jager_status_text(JAGER_ERROR_MEMORY));
    return EXIT_IO_FAILED;
  }
  progress_start(&table.meter, stderr, isatty(STDOUT_FILENO)); /* rows on a terminal show how far it is */
  int code = run(&table);
  progress_end(&table.meter);
  whole_file_discard(&table.plot);
  free(table.points);
  return code;
}
