/* SPDX-License-Identifier: MIT */
/* Simulations: making, stepping, changing and reading them; measures; checkpoints and copies; elastic moduli. */
#include "handles.h"
#include "base/clock.h"
#include "dem/snapshot.h"
#include "dem/checkpoint/checkpoint.h"
#include "dem/cycles.h"
#include "dem/measures.h"
#include "moduli/moduli.h"
#include "run/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Making ------------------------------------------------------------------------------------------------------ */

/* Takes both, also on failure; NULL, with an error, if there is no memory. */
static binding_simulation *make(binding_case *of, dem_simulation *dem, binding_error *error)
{
  binding_simulation *s = calloc(1, sizeof *s);
  if (s) {
    *s = (binding_simulation){.of = of, .dem = dem};
    return s;
  }
  dem_simulation_destroy(dem);
  binding_case_destroy(of);
  (void)binding_error_memory(error);
  return NULL;
}

binding_simulation *binding_simulation_create(const binding_case *of, int threads, binding_error *error)
{
  binding_error_clear(error);
  if (!binding_case_refuse_lists(of, error))
    return NULL;
  binding_case *copy = binding_case_copy(of, error);
  if (!copy)
    return NULL;
  error_info info = {.text = ""};
  dem_simulation *dem = NULL;
  run_ending ending = run_prepare(&copy->run.simulation, threads, &dem, &info);
  if (ending == RUN_COMPLETED && dem_simulation_begin(dem, &info))
    return make(copy, dem, error);
  dem_simulation_destroy(dem);
  binding_case_destroy(copy);
  (void)binding_error_take(error,
                           ending == RUN_REFUSED     ? BINDING_BAD_INPUT
                           : ending == RUN_IO_FAILED ? BINDING_FILE_FAILED
                                                     : BINDING_RUN_FAILED,
                           &info);
  return NULL;
}

void binding_simulation_destroy(binding_simulation *s)
{
  if (!s)
    return;
  dem_simulation_destroy(s->dem);
  binding_case_destroy(s->of);
  free(s);
}

/* ---- Stepping ---------------------------------------------------------------------------------------------------- */

static bool is_done(const dem_simulation *dem)
{
  return dem_simulation_events(dem).stage_ended && dem_simulation_stage(dem) == dem_simulation_case(dem)->stage_count;
}

bool binding_simulation_step(binding_simulation *s, long count, double seconds, bool ends_with_stage, long *made,
                             binding_error *error)
{
  error_info info = {.text = ""};
  double start = clock_seconds();
  dem_progress outcome = DEM_GOES_ON;
  bool stops_here = false;
  binding_error_clear(error);
  for (*made = 0; *made < count && outcome == DEM_GOES_ON && !stops_here;) {
    outcome = dem_simulation_step(s->dem, &info);
    *made += outcome == DEM_GOES_ON;
    stops_here = (ends_with_stage && dem_simulation_events(s->dem).stage_ended) || is_done(s->dem) ||
                 clock_seconds() >= start + seconds;
  }
  s->seconds += clock_seconds() - start;
  return outcome != DEM_FAILED || binding_error_take(error, BINDING_RUN_FAILED, &info);
}

/* ---- Changing ---------------------------------------------------------------------------------------------------- */

bool binding_simulation_change(binding_simulation *s, const char *const *settings, size_t setting_count,
                               binding_error *error)
{
  error_info info = {.text = ""};
  binding_error_clear(error);
  binding_case *now = binding_case_read_changed(s->of->path, s->of->input, settings, setting_count, error);
  if (!now)
    return false;
  bool is_changed =
      binding_case_refuse_lists(now, error) && (dem_simulation_change_case(s->dem, &now->run.simulation, &info) ||
                                                binding_error_take(error, BINDING_BAD_INPUT, &info));
  binding_case *left_over = is_changed ? s->of : now;
  if (is_changed)
    s->of = now;
  binding_case_destroy(left_over);
  return is_changed;
}

const char *binding_simulation_input(const binding_simulation *s)
{
  return s->of->input;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

binding_position binding_simulation_position(const binding_simulation *s)
{
  const dem_simulation *dem = s->dem;
  return (binding_position){.step = dem_simulation_steps(dem),
                            .stage = dem_simulation_stage(dem),
                            .stage_count = dem_simulation_case(dem)->stage_count,
                            .fraction = dem_simulation_stage_progress(dem),
                            .time = dem_simulation_time(dem),
                            .grains = dem_simulation_grains(dem),
                            .spheres = dem_simulation_spheres(dem),
                            .contacts = dem_simulation_contacts(dem),
                            .threads = dem_simulation_threads(dem),
                            .stage_has_ended = dem_simulation_events(dem).stage_ended,
                            .is_done = is_done(dem),
                            .has_failed = dem_simulation_has_failed(dem),
                            .bytes = dem_simulation_bytes(dem)};
}

const char *binding_simulation_stage_name(const binding_simulation *s)
{
  return dem_simulation_stage_name(s->dem);
}

uint64_t binding_simulation_hash(const binding_simulation *s)
{
  return dem_simulation_hash(s->dem);
}

bool binding_simulation_snapshot(const binding_simulation *s, dem_snapshot *snapshot, binding_error *error)
{
  binding_error_clear(error);
  return dem_snapshot_take(s->dem, snapshot) == JAGER_OK || binding_error_memory(error);
}

void binding_snapshot_free(dem_snapshot *snapshot)
{
  dem_snapshot_free(snapshot);
}

char *binding_simulation_contact(const binding_simulation *s, uint32_t id_a, uint32_t id_b, size_t *size,
                                 jager_law *law, binding_error *error)
{
  jager_contact contact = {0};
  binding_error_clear(error);
  *law = dem_simulation_law(s->dem);
  *size = 0;
  if (!dem_simulation_find_contact(s->dem, id_a, id_b, &contact)) {
    (void)binding_error_set(error, BINDING_BAD_INPUT, "the spheres %u and %u do not touch", id_a, id_b);
    return NULL;
  }
  size_t room = jager_contact_pack_size(&contact);
  char *bytes = malloc(room);
  if (!bytes) {
    (void)binding_error_memory(error);
    return NULL;
  }
  (void)jager_contact_pack(&contact, bytes, room); /* cannot fail: there is room */
  *size = room;
  return bytes;
}

/* ---- Measures and cycles ----------------------------------------------------------------------------------------- */

int binding_measure_count(void)
{
  return DEM_MEASURE_COUNT;
}

const char *binding_measure_name(int k)
{
  return dem_measure_name(k);
}

const char *binding_measure_unit(int k)
{
  return dem_measure_unit(k);
}

const char *binding_measure_meaning(int k)
{
  return dem_measure_meaning(k);
}

int binding_cycle_count(void)
{
  return DEM_CYCLE_VALUES;
}

const char *binding_cycle_name(int k)
{
  return dem_cycle_name(k);
}

const char *binding_cycle_unit(int k)
{
  return dem_cycle_unit(k);
}

const char *binding_cycle_meaning(int k)
{
  return dem_cycle_meaning(k);
}

void binding_simulation_measure(const binding_simulation *s, double *values)
{
  dem_measures measures;
  dem_simulation_measure(s->dem, &measures);
  for (int k = 0; k < DEM_MEASURE_COUNT; k++)
    values[k] = dem_measure_value(&measures, k);
}

bool binding_simulation_cycle(const binding_simulation *s, double *values)
{
  dem_cycle cycle;
  if (!dem_simulation_cycle(s->dem, &cycle))
    return false;
  for (int k = 0; k < DEM_CYCLE_VALUES; k++)
    values[k] = dem_cycle_value(&cycle, k);
  return true;
}

/* ---- Checkpoints and copies -------------------------------------------------------------------------------------- */

/* A simulation in the state of the checkpoint. Takes the case. */
static binding_simulation *restore(const dem_checkpoint *checkpoint, binding_case *of, int threads,
                                   binding_error *error)
{
  error_info info = {.text = ""};
  dem_checkpoint_notes notes;
  dem_simulation *dem = dem_checkpoint_restore(checkpoint, &of->run.simulation, threads, &notes, &info);
  if (!dem) {
    binding_case_destroy(of);
    (void)binding_error_take(error, BINDING_BAD_INPUT, &info);
    return NULL;
  }
  binding_simulation *s = make(of, dem, error);
  if (s)
    s->seconds = notes.seconds;
  return s;
}

binding_simulation *binding_simulation_restore(const char *path, int threads, binding_error *error)
{
  error_info info = {.text = ""};
  binding_error_clear(error);
  if (access(path, R_OK) != 0) {
    binding_fault fault = errno == ENOMEM ? BINDING_NO_MEMORY : BINDING_FILE_FAILED;
    error_print_errno(&info, "read", path);
    (void)binding_error_take(error, fault, &info);
    return NULL;
  }
  dem_checkpoint *checkpoint = dem_checkpoint_open(path, &info);
  const char *input = checkpoint ? dem_checkpoint_input(checkpoint, &info) : NULL;
  if (!input)
    (void)binding_error_take(error, BINDING_BAD_INPUT, &info);
  binding_case *of = input ? binding_case_read_changed(path, input, NULL, 0, error) : NULL;
  binding_simulation *s = of ? restore(checkpoint, of, threads, error) : NULL;
  dem_checkpoint_close(checkpoint);
  return s;
}

/* A simulation that failed may have stopped in the midst of a step. */
static bool refuse_failed(const binding_simulation *s, binding_error *error)
{
  return !dem_simulation_has_failed(s->dem) ||
         binding_error_set(error, BINDING_BAD_INPUT, "the simulation has failed: its state cannot be used");
}

static dem_checkpoint_notes notes_of(const binding_simulation *s)
{
  return (dem_checkpoint_notes){.input = s->of->input, .seconds = s->seconds};
}

binding_simulation *binding_simulation_copy(const binding_simulation *of, binding_error *error)
{
  error_info info = {.text = ""};
  dem_checkpoint_notes notes = notes_of(of);
  binding_error_clear(error);
  if (!refuse_failed(of, error))
    return NULL;
  dem_checkpoint *checkpoint = dem_checkpoint_take(of->dem, &notes, &info);
  if (!checkpoint)
    (void)binding_error_memory(error);
  binding_case *copy = checkpoint ? binding_case_copy(of->of, error) : NULL;
  binding_simulation *s = copy ? restore(checkpoint, copy, dem_simulation_threads(of->dem), error) : NULL;
  dem_checkpoint_close(checkpoint);
  return s;
}

bool binding_simulation_checkpoint(const binding_simulation *s, const char *path, binding_error *error)
{
  error_info info = {.text = ""};
  dem_checkpoint_notes notes = notes_of(s);
  binding_error_clear(error);
  return refuse_failed(s, error) && (dem_checkpoint_write(s->dem, path, NULL, &notes, &info) ||
                                     binding_error_take(error, BINDING_FILE_FAILED, &info));
}

/* ---- Elastic moduli ---------------------------------------------------------------------------------------------- */

_Static_assert(MODULI_KINDS == 3 && MODULI_VOIGT == 6, "the arrays of binding_moduli");

static void take_moduli(binding_moduli *to, const moduli_result *from)
{
  *to = (binding_moduli){.spheres = from->spheres,
                         .grains = from->grains,
                         .rattlers = from->rattlers,
                         .contacts = from->contacts,
                         .floppy = from->floppy,
                         .p = from->p,
                         .density = from->density,
                         .unbalanced = from->unbalanced,
                         .resisted = from->resisted,
                         .is_stable = from->is_stable,
                         .softest = from->softest.stiffness,
                         .softest_share = from->softest.share,
                         .softest_strain = from->softest.strain,
                         .springs_are_doubtful = moduli_springs_are_doubtful(from),
                         .residual = from->residual};
  memcpy(to->stress, from->stress, sizeof to->stress);
  memcpy(to->stiffness, from->stiffness, sizeof to->stiffness);
  memcpy(to->wave_p, from->waves.p, sizeof to->wave_p);
  memcpy(to->wave_s, from->waves.s, sizeof to->wave_s);
  for (int k = 0; k < MODULI_KINDS; k++) {
    to->bulk[k] = from->averages[k].bulk;
    to->shear[k] = from->averages[k].shear;
    to->young[k] = from->averages[k].young;
    to->poisson[k] = from->averages[k].poisson;
    to->anisotropy[k] = from->averages[k].anisotropy;
  }
}

static bool compute_moduli(const dem_simulation *dem, int threads, binding_moduli *result, binding_watch *watch,
                           binding_error *error)
{
  error_info info = {.text = ""};
  moduli_network network;
  moduli_result of;
  moduli_settings settings = {.threads = threads, .stop = binding_watch_watcher(watch).stop};
  if (!moduli_network_take(&network, dem, &info))
    return binding_error_take(error, BINDING_RUN_FAILED, &info);
  bool is_done = moduli_compute(&of, &network, &settings, &info);
  moduli_network_free(&network);
  if (settings.stop && atomic_load(settings.stop) != 0)
    return binding_error_interrupted(error);
  if (!is_done)
    return binding_error_take(error, BINDING_RUN_FAILED, &info);
  take_moduli(result, &of);
  return true;
}

/* After packing the friction of the material acts, as it would in the next step: on a copy, since this is no step. */
bool binding_simulation_moduli(const binding_simulation *s, int threads, binding_moduli *result, binding_watch *watch,
                               binding_error *error)
{
  error_info info = {.text = ""};
  bool is_packed = dem_simulation_stage(s->dem) == 0 && dem_simulation_events(s->dem).stage_ended;
  binding_error_clear(error);
  if (!is_packed || dem_simulation_has_failed(s->dem))
    return compute_moduli(s->dem, threads, result, watch, error);
  binding_simulation *copy = binding_simulation_copy(s, error);
  if (!copy)
    return false;
  bool is_done = dem_simulation_begin_stage(copy->dem, &info) != DEM_FAILED
                     ? compute_moduli(copy->dem, threads, result, watch, error)
                     : binding_error_take(error, BINDING_RUN_FAILED, &info);
  binding_simulation_destroy(copy);
  return is_done;
}
