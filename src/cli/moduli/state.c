/* SPDX-License-Identifier: MIT */
/* States: checkpoints, directories of runs, and case files. */
#include "state.h"
#include "base/error.h"
#include "base/file_system.h"
#include "case/reader.h"
#include "dem/checkpoint/checkpoint.h"
#include "dem/state.h"
#include "files/run_names.h"
#include "run/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(const error_info *error, int otherwise)
{
  complain(MODULI_COMMAND, "%s", error->text);
  return error->out_of_memory ? EXIT_IO_FAILED : otherwise;
}

/* Errors of a case, and, unless it has run before, its warnings. */
static int tell_messages(int code, const char *path, char *messages, bool tells_warnings)
{
  if (messages && (code != EXIT_DONE || tells_warnings))
    fputs(messages, stderr);
  else if (code != EXIT_DONE)
    complain(path, "out of memory");
  free(messages);
  return code;
}

/* ---- Simulations that are ready to be looked at ------------------------------------------------------------------ */

static int look(const char *path, dem_simulation *s, moduli_network *network, moduli_origin *origin)
{
  error_info error = {.text = ""};
  const dem_case *run = dem_simulation_case(s);
  origin->step = dem_simulation_steps(s);
  origin->stage = dem_simulation_stage(s);
  origin->stage_count = run->stage_count;
  snprintf(origin->stage_name, sizeof origin->stage_name, "%s", dem_simulation_stage_name(s));
  origin->model = run->contact.model;
  origin->contour = run->contact.contour;
  if (moduli_network_take(network, s, &error))
    return EXIT_DONE;
  complain(path, "%s", error.text);
  return EXIT_IO_FAILED;
}

/* After packing the friction of the material acts, as it would in the first step of the run. */
static bool leave_packing(dem_simulation *s, error_info *error)
{
  bool is_packed = dem_simulation_stage(s) == 0 && dem_simulation_events(s).stage_ended;
  return !is_packed || dem_simulation_begin_stage(s, error) != DEM_FAILED;
}

/* ---- Checkpoints ------------------------------------------------------------------------------------------------- */

static int restore(const char *path, const dem_checkpoint *checkpoint, const dem_case *run,
                   const moduli_options *options, moduli_network *network, moduli_origin *origin)
{
  error_info error = {.text = ""};
  dem_checkpoint_notes notes;
  dem_simulation *s = dem_checkpoint_restore(checkpoint, run, options->threads, &notes, &error);
  if (!s)
    return fail(&error, EXIT_BAD_INPUT);
  int code = leave_packing(s, &error) ? look(path, s, network, origin) : fail(&error, EXIT_RUN_FAILED);
  dem_simulation_destroy(s);
  return code;
}

static int take_checkpoint(const char *path, const moduli_options *options, moduli_network *network,
                           moduli_origin *origin)
{
  error_info error = {.text = ""};
  run_case run;
  char *messages = NULL;
  if (options->setting_count > 0) {
    complain(MODULI_COMMAND, "--set changes case files, but %s is a checkpoint: leave --set out", path);
    return EXIT_BAD_INPUT;
  }
  dem_checkpoint *checkpoint = dem_checkpoint_open(path, &error);
  const char *input = checkpoint ? dem_checkpoint_input(checkpoint, &error) : NULL;
  int code = input ? case_read_recorded(&run, path, input, &messages) : fail(&error, EXIT_BAD_INPUT);
  if (input)
    code = tell_messages(code, path, messages, false);
  if (code == EXIT_DONE) {
    code = restore(path, checkpoint, &run.simulation, options, network, origin);
    run_case_free(&run);
  }
  dem_checkpoint_close(checkpoint);
  return code;
}

/* ---- Cases ------------------------------------------------------------------------------------------------------- */

/* Steps until the first stage begins. */
static bool pack(dem_simulation *s, progress *meter, error_info *error)
{
  while (dem_simulation_stage(s) == 0) {
    bool has_ended = dem_simulation_events(s).stage_ended;
    dem_progress outcome = has_ended ? dem_simulation_begin_stage(s, error) : dem_simulation_step(s, error);
    if (outcome != DEM_GOES_ON)
      return outcome == DEM_DONE;
    progress_state state = {.stage = dem_simulation_stage(s),
                            .stage_count = dem_simulation_case(s)->stage_count,
                            .stage_name = dem_simulation_stage_name(s),
                            .fraction = dem_simulation_stage_progress(s),
                            .step = dem_simulation_steps(s),
                            .contacts = dem_simulation_contacts(s)};
    if (!has_ended)
      progress_update(meter, &state);
  }
  return true;
}

static int make_assembly(const char *path, const dem_case *run, const moduli_options *options, progress *meter,
                         moduli_network *network, moduli_origin *origin)
{
  error_info error = {.text = ""};
  dem_simulation *s = NULL;
  run_ending ending = run_prepare(run, options->threads, &s, &error);
  if (ending != RUN_COMPLETED)
    return fail(&error, ending == RUN_REFUSED ? EXIT_BAD_INPUT : EXIT_IO_FAILED);
  bool is_made = dem_simulation_begin(s, &error) && pack(s, meter, &error);
  progress_clear(meter);
  int code = is_made ? look(path, s, network, origin) : fail(&error, EXIT_RUN_FAILED);
  dem_simulation_destroy(s);
  return code;
}

static int take_case(const char *path, const moduli_options *options, progress *meter, moduli_network *network,
                     moduli_origin *origin)
{
  run_case run;
  char *messages = NULL;
  case_source source = {.path = path, .settings = options->settings, .setting_count = options->setting_count};
  int code = case_read(&run, &source, NULL, &messages);
  code = tell_messages(code, path, messages, true);
  if (code != EXIT_DONE)
    return code;
  origin->is_case = true;
  code = make_assembly(path, &run.simulation, options, meter, network, origin);
  run_case_free(&run);
  return code;
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static int take_directory(const char *dir, const moduli_options *options, moduli_network *network,
                          moduli_origin *origin)
{
  char *path = path_in(dir, RUN_CHECKPOINT);
  int code = EXIT_BAD_INPUT;
  if (!path) {
    complain(MODULI_COMMAND, "out of memory");
    code = EXIT_IO_FAILED;
  } else if (access(path, F_OK) != 0)
    complain(MODULI_COMMAND, "%s has no " RUN_CHECKPOINT ": give the directory of a run, a checkpoint or a case file",
             dir);
  else
    code = take_checkpoint(path, options, network, origin);
  free(path);
  return code;
}

int moduli_state_take(const char *path, const moduli_options *options, progress *meter, moduli_network *network,
                      moduli_origin *origin)
{
  struct stat status;
  *origin = (moduli_origin){.is_case = false};
  if (stat(path, &status) != 0) {
    complain(MODULI_COMMAND, "cannot read %s: %s", path, strerror(errno));
    return EXIT_IO_FAILED;
  }
  if (S_ISDIR(status.st_mode))
    return take_directory(path, options, network, origin);
  if (!S_ISREG(status.st_mode)) {
    complain(MODULI_COMMAND, "cannot read %s: it is neither a regular file nor a directory", path);
    return EXIT_BAD_INPUT;
  }
  errno = 0;
  if (dem_checkpoint_is(path))
    return take_checkpoint(path, options, network, origin);
  if (errno == ENOMEM) {
    complain(MODULI_COMMAND, "out of memory");
    return EXIT_IO_FAILED;
  }
  return take_case(path, options, meter, network, origin);
}
