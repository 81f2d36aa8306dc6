/* SPDX-License-Identifier: MIT */
/* The picture of cycles: its quantities, the stages that it shows, and drawing by gnuplot without a message. */
#define _GNU_SOURCE
#include "assert_ok.h"
#include "pictures/cycles_picture.h"
#include "pictures/gnuplot.h"
#include "scratch.h"
#include "support.h"

#include <fcntl.h>
#include <unistd.h>

/* A case with three cyclic stages: two of shear at constant volume, and a last one. */
static dem_case made_case(dem_quantity last)
{
  dem_case run = dem_case_default();
  run.stage_count = 3;
  for (int k = 0; k < 3; k++) {
    run.stages[k] = dem_stage_default(&run);
    snprintf(run.stages[k].name, sizeof run.stages[k].name, "part%d", k + 1);
    run.stages[k].cyclic = (dem_cyclic){.on = true, .of = k < 2 ? (dem_quantity)(DEM_STRAIN + DEM_XZ) : last};
  }
  return run;
}

static dem_cycle made_cycle(int stage, double number)
{
  dem_cycle c;
  for (int k = 0; k < DEM_CYCLE_VALUES; k++)
    dem_cycle_set_value(&c, k, 0.01 * k + 0.1 * number);
  c.stage = stage;
  c.cycle = number;
  c.shear_modulus = 1e8;
  c.young_modulus = c.bulk_modulus = NAN;
  return c;
}

/* Writes a table of these cycles into the directory and reads it. */
static cycles_table made_table(const char *dir, const dem_cycle *cycles, int count)
{
  append_file file;
  cycles_table table;
  ASSERT_OK(cycles_open(&file, dir, -1, &error));
  for (int k = 0; k < count; k++)
    ASSERT_OK(cycles_add(&file, &cycles[k], &error));
  ASSERT_OK(append_file_close(&file, &error));
  ASSERT_OK(cycles_load(&table, dir, &error));
  ck_assert_uint_eq(table.rows, (size_t)count);
  return table;
}

static char *script_of(const cycles_table *table, const dem_case *run)
{
  char *text;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  cycles_picture_write(table, run, "set terminal dumb", stream);
  fclose(stream);
  return text;
}

static void assert_has(const char *script, const char *label)
{
  ck_assert_msg(strstr(script, label) != NULL, "'%s' is not in the script:\n%.3000s", label, script);
}

START_TEST(values_survive_the_file)
{
  char *dir = scratch_make();
  dem_cycle cycles[] = {made_cycle(1, 1.0), made_cycle(1, 1.7)};
  cycles[1].damping_ratio = NAN;
  cycles_table table = made_table(dir, cycles, 2);
  for (int row = 0; row < 2; row++)
    for (int k = 0; k < DEM_CYCLE_VALUES; k++) {
      double expected = dem_cycle_value(&cycles[row], k), got = table.columns[k][row];
      ck_assert(got == expected || (isnan(got) && isnan(expected)));
    }
  cycles_table_free(&table);
  scratch_remove(dir);
}
END_TEST

/* Stages of the same loop are shown together, with their cycles counted on; others are left out. */
START_TEST(the_last_group_of_like_stages_is_shown)
{
  char *dir = scratch_make();
  dem_case run = made_case(DEM_STRAIN + DEM_XZ);
  dem_cycle cycles[] = {made_cycle(1, 1.0), made_cycle(1, 2.0), made_cycle(2, 1.0), made_cycle(3, 1.0),
                        made_cycle(3, 1.5)};
  cycles_table table = made_table(dir, cycles, 5);
  char *script = script_of(&table, &run);
  assert_has(script, "cycles of stages 1 to 3");
  assert_has(script, "\n\n3 ");
  assert_has(script, "\n\n4 ");
  assert_has(script, "\n4.5 "); /* 2 + 1 + 1.5 */
  assert_has(script, "shear strain {/:Italic γ}_{xz}");
  assert_has(script, "secant modulus {/:Italic G}  (MPa)");
  assert_has(script, "pore pressure ratio");
  free(script);
  run = made_case(DEM_DEVIATOR);
  script = script_of(&table, &run);
  assert_has(script, "cycles of stage 3 (part3)");
  assert_has(script, "strain {/:Italic ε}_{zz}");
  assert_has(script, "secant modulus {/:Italic E}");
  assert_has(script, "nothing to show"); /* the table has no Young's modulus */
  free(script);
  run.stages[2].control[DEM_XX] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 1e5};
  script = script_of(&table, &run);
  assert_has(script, "void ratio");
  free(script);
  cycles_table_free(&table);
  scratch_remove(dir);
}
END_TEST

/* Draws with stderr in a file: gnuplot must not print any message. */
static void assert_drawn(const dem_cycle *cycles, int count, const dem_case *run)
{
  char *dir = scratch_make();
  size_t size;
  cycles_table table = made_table(dir, cycles, count);
  cycles_table_free(&table);
  int before = dup(STDERR_FILENO), file = open(scratch_path(dir, "stderr"), O_CREAT | O_WRONLY, 0666);
  dup2(file, STDERR_FILENO);
  bool is_drawn = cycles_picture_draw(dir, run, &error);
  dup2(before, STDERR_FILENO);
  close(before);
  close(file);
  ck_assert_msg(is_drawn, "%s", error.text);
  char *said = scratch_read(dir, "stderr", &size);
  ck_assert_msg(size == 0, "gnuplot says: %s", said);
  free(said);
  ck_assert_int_eq(scratch_count(dir, "."), count > 0 ? 4 : 2); /* with cycles.csv and stderr */
  scratch_remove(dir);
}

START_TEST(every_table_is_drawn)
{
  if (!gnuplot_is_installed())
    return;
  dem_case run = made_case(DEM_MEAN_STRESS);
  char title[] = "it's \"odd\" \\ `x` {a}_b";
  run.title = title;
  dem_cycle cycles[100];
  for (int k = 0; k < 100; k++)
    cycles[k] = made_cycle(1 + k / 40, k % 40 + 1.0);
  for (int count = 0; count <= 100; count += 20)
    assert_drawn(cycles, count, &run);
  for (int k = 0; k < 100; k++)
    for (int value = 4; value < DEM_CYCLE_VALUES; value++)
      dem_cycle_set_value(&cycles[k], value, k % 3 == 0 ? NAN : k % 3 == 1 ? INFINITY : 0.0);
  assert_drawn(cycles, 1, &run);
  assert_drawn(cycles, 3, &run);
  assert_drawn(cycles, 100, &run);
}
END_TEST

static void add_tests(TCase *tests)
{
  tcase_add_test(tests, values_survive_the_file);
  tcase_add_test(tests, the_last_group_of_like_stages_is_shown);
  tcase_add_test(tests, every_table_is_drawn);
}

int main(void)
{
  return run_tests("cycles_picture", add_tests);
}
