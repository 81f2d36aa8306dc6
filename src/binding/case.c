/* SPDX-License-Identifier: MIT */
/* Cases. */
#include "handles.h"
#include "base/file_system.h"
#include "case/reader.h"
#include "dem/case_keys.h"
#include "run/variants.h"

#include <stdlib.h>
#include <string.h>

/* ---- Making ------------------------------------------------------------------------------------------------------ */

static binding_case *case_allocate(const char *path, binding_error *error)
{
  binding_case *of = calloc(1, sizeof *of);
  char *name = strdup(path);
  if (of && name) {
    of->path = name;
    return of;
  }
  free(of);
  free(name);
  (void)binding_error_memory(error);
  return NULL;
}

/*
 * What the reader has returned: the case, and with `warnings` its messages; or NULL, with an error that has them.
 * The reader has one code for files and memory, but different messages.
 */
static binding_case *conclude(binding_case *of, int code, char *messages, char **warnings, binding_error *error)
{
  static const char no_memory[] = ": out of memory\n";
  size_t length = messages ? strlen(messages) : 0, end = sizeof no_memory - 1;
  if (code == EXIT_DONE) {
    if (warnings)
      *warnings = messages;
    else
      free(messages);
    return of;
  }
  bool lacks_memory = length >= end && strcmp(messages + length - end, no_memory) == 0;
  free(of->path);
  free(of);
  (void)binding_error_take_text(error,
                                code == EXIT_BAD_INPUT ? BINDING_BAD_INPUT
                                : lacks_memory         ? BINDING_NO_MEMORY
                                                       : BINDING_FILE_FAILED,
                                messages);
  return NULL;
}

binding_case *binding_case_read(const char *path, const char *text, size_t size, const char *const *settings,
                                size_t setting_count, char **messages, binding_error *error)
{
  binding_error_clear(error);
  *messages = NULL;
  binding_case *of = case_allocate(path, error);
  if (!of)
    return NULL;
  char *told = NULL;
  case_source source = {
      .path = of->path, .settings = settings, .setting_count = setting_count, .has_plain_settings = true};
  int code = text ? case_read_text(&of->run, &source, text, size, &of->input, &told)
                  : case_read(&of->run, &source, &of->input, &told);
  return conclude(of, code, told, messages, error);
}

binding_case *binding_case_read_changed(const char *path, const char *recorded, const char *const *settings,
                                        size_t setting_count, binding_error *error)
{
  binding_case *of = case_allocate(path, error);
  if (!of)
    return NULL;
  char *told = NULL;
  case_source source = {
      .path = of->path, .settings = settings, .setting_count = setting_count, .has_plain_settings = true};
  int code = case_read_changed(&of->run, &source, recorded, &of->input, &told);
  return conclude(of, code, told, NULL, error);
}

binding_case *binding_case_copy(const binding_case *from, binding_error *error)
{
  binding_case *to = case_allocate(from->path, error);
  if (!to)
    return NULL;
  char *input = strdup(from->input);
  if (input && run_case_copy(&to->run, &from->run)) {
    to->input = input;
    return to;
  }
  free(input);
  free(to->path);
  free(to);
  (void)binding_error_memory(error);
  return NULL;
}

void binding_case_destroy(binding_case *of)
{
  if (!of)
    return;
  run_case_free(&of->run);
  free(of->path);
  free(of->input);
  free(of);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

const char *binding_case_input(const binding_case *of)
{
  return of->input;
}

char *binding_case_describe(const binding_case *of)
{
  memory_stream text;
  if (!memory_stream_open(&text))
    return NULL;
  case_print(&of->run, text.stream);
  return memory_stream_finish(&text) ? text.text : NULL;
}

char *binding_case_keys(const binding_case *of)
{
  return dem_case_keys_print(&of->run.simulation);
}

const char *binding_case_title(const binding_case *of)
{
  const char *title = of->run.simulation.title;
  return title ? title : "";
}

int binding_case_stage_count(const binding_case *of)
{
  return of->run.simulation.stage_count;
}

const char *binding_case_stage_name(const binding_case *of, int number)
{
  const dem_case *run = &of->run.simulation;
  return number >= 1 && number <= run->stage_count ? run->stages[number - 1].name : number == 0 ? "packing" : NULL;
}

bool binding_case_has_packing(const binding_case *of)
{
  return of->run.simulation.assembly.source == DEM_SOURCE_PACKING;
}

bool binding_case_has_lists(const binding_case *of)
{
  return run_has_variants(&of->run);
}

bool binding_case_refuse_lists(const binding_case *of, binding_error *error)
{
  return !binding_case_has_lists(of) ||
         binding_error_set(error, BINDING_BAD_INPUT,
                           "%s: its list of %s stands for several runs, but a simulation is one: set one value, or run "
                           "the case",
                           of->path, of->run.output.variants.model_count > 1 ? "models" : "stress ratios, csr");
}

/* The reader has checked that there is such a law. */
void binding_case_law(const binding_case *of, jager_law *law)
{
  (void)dem_case_law(&of->run.simulation, law);
}
