/* SPDX-License-Identifier: MIT */
/* The modulus reductions of a run, from its cycles. */
#include "reduction.h"
#include "files/tables/cycles.h"
#include "pictures/gnuplot.h"
#include "pictures/ready_test_picture.h"

#include <math.h>
#include <stdlib.h>

/* The last row of a stage; table->rows if there is none. The cycles before it still remember their beginning. */
static size_t last_row_of(const cycles_table *table, int stage)
{
  size_t last = table->rows;
  for (size_t row = 0; row < table->rows; row++)
    if ((int)CYCLES_COLUMN(table, stage)[row] == stage)
      last = row;
  return last;
}

/*
 * The numerical part of D is that fraction of the loop's area. The energies themselves would be wrong where a loose
 * assembly settles: the stresses that are held then do work, too, and damping takes a part of that.
 */
static double numerical_share(const cycles_table *table, size_t row)
{
  double numerical = fmax(CYCLES_COLUMN(table, dissipated_damping)[row], 0.0);
  double friction = fmax(CYCLES_COLUMN(table, dissipated_friction)[row], 0.0);
  return friction + numerical > 0.0 ? numerical / (friction + numerical) : 0.0;
}

static reduction_row row_of(const cycles_table *table, size_t row, const run_case *run, int test)
{
  double loop = CYCLES_COLUMN(table, damping_ratio)[row], numerical = numerical_share(table, row) * loop;
  return (reduction_row){.model = jager_model_name(run->simulation.contact.model),
                         .test = test,
                         .gamma = CYCLES_COLUMN(table, strain_amplitude)[row],
                         .shear_modulus = CYCLES_COLUMN(table, shear_modulus)[row],
                         .damping_ratio = loop - numerical,
                         .damping_ratio_numerical = numerical,
                         .damping_ratio_loop = loop,
                         .stress_amplitude = CYCLES_COLUMN(table, stress_amplitude)[row],
                         .void_ratio = CYCLES_COLUMN(table, void_ratio)[row]};
}

/* Returns the number of rows, which are those of the amplitudes that the run has cycled with. */
static size_t add_test(reduction_row rows[], const cycles_table *table, const run_case *run, int test)
{
  const run_reduction *of = &run->output.reductions.list[test];
  size_t count = 0;
  for (int i = 0; i < of->count; i++) {
    size_t row = last_row_of(table, of->first_stage + 2 * i + 1);
    if (row == table->rows)
      continue;
    rows[count] = row_of(table, row, run, test + 1);
    rows[count].modulus_ratio = rows[count].shear_modulus / rows[0].shear_modulus;
    count++;
  }
  return count;
}

bool run_reduction_collect(reduction_row **rows, size_t *count, const char *dir, const run_case *run, error_info *error)
{
  cycles_table table;
  const run_reductions *all = &run->output.reductions;
  if (all->count == 0)
    return true;
  reduction_row *longer = realloc(*rows, (*count + DEM_STAGES_MAX) * sizeof *longer);
  if (!longer)
    return error_out_of_memory(error);
  *rows = longer;
  if (!cycles_load(&table, dir, error))
    return false;
  for (int test = 0; test < all->count; test++)
    *count += add_test(*rows + *count, &table, run, test);
  cycles_table_free(&table);
  return true;
}

bool run_reduction_write(const char *dir, const char *title, const reduction_row rows[], size_t count, bool is_drawn,
                         error_info *error)
{
  const reduction_contents contents = {title, rows, count};
  if (count == 0)
    return true;
  return reduction_write(dir, rows, count, error) &&
         (!is_drawn || !gnuplot_is_installed() || reduction_picture_draw(dir, &contents, error));
}
