/* SPDX-License-Identifier: MIT */
/* Cases for other languages. Oracles: the output of the program; the tests of the reader for docs/case.md. */
#include "binding_support.h"

#include "base/build_info.h"
#include "dem/cycles.h"
#include "dem/measures.h"

FIXTURE_EACH(make_directory, remove_directory)

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

TEST(a_case_is_read_from_a_file_or_a_text)
{
  binding_error error;
  char *messages;
  scratch_write(directory, "small.yaml", small_text, strlen(small_text));
  SCOPED_BINDING_CASE of =
      binding_case_read(scratch_path(directory, "small.yaml"), NULL, 0, NULL, 0, &messages, &error);
  assert_done(error);
  ck_assert_ptr_null(messages);
  ck_assert_str_eq(binding_case_input(of), small_text);
  ck_assert_str_eq(binding_case_title(of), "a small packing");
  ck_assert_int_eq(binding_case_stage_count(of), 2);
  ck_assert_str_eq(binding_case_stage_name(of, 0), "packing");
  ck_assert_str_eq(binding_case_stage_name(of, 1), "rest");
  ck_assert_str_eq(binding_case_stage_name(of, 2), "shear");
  ck_assert_ptr_null(binding_case_stage_name(of, 3));
  ck_assert_ptr_null(binding_case_stage_name(of, -1));
  ck_assert(binding_case_has_packing(of) && !binding_case_has_lists(of));
  jager_law law, expected = jager_law_default();
  binding_case_law(of, &law);
  assert_ok(jager_law_set_bodies(&expected, 29e9, 0.15));
  assert_ok(jager_law_set_friction(&expected, 0.5));
  ck_assert_double_eq(law.kappa, expected.kappa);
  ck_assert_double_eq(law.friction, 0.5);
  binding_case_destroy(of);

  of = case_of(lattice_text);
  ck_assert_str_eq(binding_case_title(of), "");
  ck_assert(!binding_case_has_packing(of));
  binding_case_destroy(NULL);
}

TEST(settings_are_applied_and_recorded)
{
  const char *settings[] = {"material.friction=0.25", "stages.rest.until.steps=7"};
  SCOPED_BINDING_CASE of = case_of_with(small_text, settings, 2);
  jager_law law;
  binding_case_law(of, &law);
  ck_assert_double_eq(law.friction, 0.25);
  const char *input = binding_case_input(of), *end = input + strlen(small_text);
  ck_assert_mem_eq(input, small_text, strlen(small_text));
  ck_assert_str_eq(end, "# --set material.friction=0.25\n# --set stages.rest.until.steps=7\n");
}

/* A text whose last comments look like settings: they stay comments, also in copies and checkpoints. */
TEST(comments_are_no_settings)
{
  binding_error error;
  char *text;
  ck_assert_int_gt(asprintf(&text, "%s# --set material.friction=0.1\n", lattice_text), 0);
  for (int k = 0; k < 2; k++) {
    const char *settings[] = {"stages.load.until.steps=5"};
    SCOPED_BINDING_CASE of = case_of_with(text, settings, (size_t)k);
    SCOPED_BINDING s = simulation_of_case(of);
    ck_assert_int_eq(steps_of(s, 3, false), 3);
    ck_assert(binding_simulation_checkpoint(s, scratch_path(directory, "state"), &error));
    ck_assert(change_by(s, "stages.load.damping.local=0.1", &error)); /* the case is read from its record */
    SCOPED_BINDING restored = binding_simulation_restore(scratch_path(directory, "state"), 1, &error);
    assert_done(error);
    ck_assert_str_eq(binding_simulation_input(restored), binding_case_input(of));
  }
  free(text);
}

TEST(mistakes_are_told_with_a_caret)
{
  static const char wrong[] = "jager: 1\nmaterial: {frictoin: 0.5}\n";
  binding_error error;
  char *messages = "";
  ck_assert_ptr_null(binding_case_read("dir/wrong.yaml", wrong, strlen(wrong), NULL, 0, &messages, &error));
  ck_assert_ptr_null(messages);
  ck_assert_ptr_nonnull(strstr(error.text, "dir/wrong.yaml:2:12: unknown key 'frictoin'"));
  ck_assert_ptr_nonnull(strstr(error.text, "\n  material: {frictoin: 0.5}\n             ^"));
  ck_assert_int_ne(error.text[strlen(error.text) - 1], '\n');
  assert_fault(&error, BINDING_BAD_INPUT, "did you mean 'friction'?");

  const char *settings[] = {"material.frictoin=1"};
  ck_assert_ptr_null(binding_case_read("c", small_text, strlen(small_text), settings, 1, &messages, &error));
  assert_fault(&error, BINDING_BAD_INPUT, "material.frictoin=1: unknown key");
  settings[0] = "material";
  ck_assert_ptr_null(binding_case_read("c", small_text, strlen(small_text), settings, 1, &messages, &error));
  assert_fault(&error, BINDING_BAD_INPUT, "key=value");
  ck_assert_ptr_null(binding_case_read("c", "", 0, NULL, 0, &messages, &error));
  assert_fault(&error, BINDING_BAD_INPUT, "it is empty");
}

TEST(a_file_that_cannot_be_read_is_told)
{
  binding_error error;
  char *messages;
  ck_assert_ptr_null(binding_case_read(scratch_path(directory, "none"), NULL, 0, NULL, 0, &messages, &error));
  assert_fault(&error, BINDING_FILE_FAILED, "No such file");
}

TEST(warnings_do_not_make_a_case_fail)
{
  const char *settings[] = {"material.friction=5"};
  binding_error error;
  char *messages;
  SCOPED_BINDING_CASE of = binding_case_read("c", small_text, strlen(small_text), settings, 1, &messages, &error);
  assert_done(error);
  ck_assert_ptr_nonnull(of);
  ck_assert_ptr_nonnull(messages);
  ck_assert_ptr_nonnull(strstr(messages, "warning"));
  binding_text_free(messages);
}

/* ---- Descriptions ------------------------------------------------------------------------------------------------ */

static char *output_of(const char *command)
{
  size_t size;
  char *whole;
  ck_assert_int_gt(asprintf(&whole, "%s > %s/out 2> %s/err", command, directory, directory), 0);
  ck_assert_msg(system(whole) == 0, "%s", whole);
  free(whole);
  return scratch_read(directory, "out", &size);
}

TEST(a_case_is_described_as_the_program_does)
{
  char *command;
  scratch_write(directory, "small.yaml", small_text, strlen(small_text));
  ck_assert_int_gt(asprintf(&command, "%s check %s/small.yaml", JAGER_PROGRAM, directory), 0);
  char *expected = output_of(command);
  SCOPED_BINDING_CASE of = case_of(small_text);
  char *text = binding_case_describe(of);
  ck_assert_str_eq(text, expected);
  binding_text_free(text);
  free(expected);
  free(command);
}

TEST(lists_are_recognised)
{
  const char *settings[] = {"contact.model=[jager, linear]"};
  binding_error error;
  SCOPED_BINDING_CASE of = case_of_with(small_text, settings, 1);
  ck_assert(binding_case_has_lists(of));
  ck_assert_ptr_null(binding_simulation_create(of, 1, &error));
  assert_fault(&error, BINDING_BAD_INPUT, "list of models");
}

TEST(names_are_those_of_the_columns)
{
  ck_assert_int_eq(binding_measure_count(), DEM_MEASURE_COUNT);
  for (int k = 0; k < DEM_MEASURE_COUNT; k++) {
    ck_assert_str_eq(binding_measure_name(k), dem_measure_name(k));
    ck_assert_str_eq(binding_measure_unit(k), dem_measure_unit(k));
    ck_assert_str_eq(binding_measure_meaning(k), dem_measure_meaning(k));
  }
  ck_assert_int_eq(binding_cycle_count(), DEM_CYCLE_VALUES);
  for (int k = 0; k < DEM_CYCLE_VALUES; k++) {
    ck_assert_str_eq(binding_cycle_name(k), dem_cycle_name(k));
    ck_assert_str_eq(binding_cycle_unit(k), dem_cycle_unit(k));
    ck_assert_str_eq(binding_cycle_meaning(k), dem_cycle_meaning(k));
  }
  ck_assert_str_eq(binding_compiler(), build_compiler());
}
