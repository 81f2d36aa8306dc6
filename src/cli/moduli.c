/* SPDX-License-Identifier: MIT */
/* The command `jager moduli`: the elastic stiffness of one or more states. */
#include "command.h"
#include "dem/checkpoint/checkpoint.h"
#include "dem/simulation_state.h"
#include "files/run_names.h"
#include "moduli_report.h"
#include "run/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Options ----------------------------------------------------------------------------------------------------- */

typedef struct moduli_options {
  const char **states; /* checkpoints, directories or case files; allocated */
  size_t state_count;
  const char **settings; /* "key=value", for case files; allocated */
  size_t setting_count;
  const char *csv, *plot; /* paths; NULL: not wanted */
  int threads;            /* 0: as many as there are processors */
  bool quiet, json;
} moduli_options;

enum { KEY_JSON = CASE_KEY_NEXT, KEY_PLOT, KEY_THREADS };

static const struct argp_option option_list[] = {
    {"output", 'o', "FILE", 0, "Write all results as CSV to FILE, one row for each state", 0},
    {"plot", KEY_PLOT, "FILE", 0,
     "Draw moduli and wave velocities over the pressure of two or more states; FILE ends with .png, .svg or .pdf "
     "(needs Python with matplotlib)",
     0},
    {"json", KEY_JSON, NULL, 0, "Print the results as JSON", 0},
    CASE_OPTION_SET,
    {"threads", KEY_THREADS, "N", 0, THREADS_OPTION_HELP, 0},
    {"quiet", 'q', NULL, 0, "Print no progress on standard error", 0},
    {0},
};

static const char summary[] =
    "Compute the small-strain elastic stiffness of assemblies: the 6 x 6 matrix, bulk and shear modulus (Gmax), "
    "Young's modulus, Poisson's ratio, anisotropy, and the velocities Vp and Vs. From two or more states, also the "
    "exponents n "
    "of G and K over pressure, p^n.\v"
    "STATE is a checkpoint, the directory of a run (its last checkpoint counts), or a case file: its assembly is then "
    "made as 'jager run' would make it, packing included, and the moduli belong to the start of the first stage. "
    "All contacts stick; spheres that carry no load are left out. See jager(1) and docs/guide.md.";

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  moduli_options *options = state->input;
  switch (key) {
  case 'o':
    options->csv = argument;
    return 0;
  case 'q':
    options->quiet = true;
    return 0;
  case KEY_PLOT:
    plot_option_check(argument, state);
    options->plot = argument;
    return 0;
  case KEY_JSON:
    options->json = true;
    return 0;
  case KEY_THREADS:
    options->threads = threads_option_parse(argument, state);
    return 0;
  case CASE_KEY_SET:
    options->settings[options->setting_count++] = argument;
    return 0;
  case ARGP_KEY_ARG:
    options->states[options->state_count++] = argument;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "no state is given: name a checkpoint, the directory of a run, or a case file");
    return 0;
  case ARGP_KEY_END:
    if (options->plot && options->state_count < 2)
      argp_error(state, "--plot draws moduli over pressure: give two or more states");
    if (file_is_same_regular(options->csv, options->plot))
      argp_error(state, "--output and --plot are the same file, '%s'", options->csv);
    for (size_t i = 0; i < options->state_count; i++)
      if (file_is_same_regular(options->states[i], options->csv) ||
          file_is_same_regular(options->states[i], options->plot))
        argp_error(state, "the state '%s' would be overwritten: give --output or --plot another name",
                   options->states[i]);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* ---- States: checkpoints, directories of runs, case files -------------------------------------------------------- */

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

/* The network of the assembly as it is now, and where it comes from. `path` is for messages. */
static int take_network(const char *path, const dem_simulation *s, moduli_network *network, moduli_origin *origin)
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
    dem_checkpoint_notes notes;
    dem_simulation *s = dem_checkpoint_restore(checkpoint, &run.simulation, options->threads, &notes, &error);
    /* After packing the friction of the material acts, as it would in the first step of the run. */
    bool is_packed = s && dem_simulation_stage(s) == 0 && dem_simulation_events(s).stage_ended;
    if (!s)
      code = fail(&error, EXIT_BAD_INPUT);
    else if (is_packed && dem_simulation_begin_stage(s, &error) == DEM_FAILED)
      code = fail(&error, EXIT_RUN_FAILED);
    else
      code = take_network(path, s, network, origin);
    dem_simulation_destroy(s);
    run_case_free(&run);
  }
  dem_checkpoint_close(checkpoint);
  return code;
}

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

static int take_case(const char *path, const moduli_options *options, progress *meter, moduli_network *network,
                     moduli_origin *origin)
{
  run_case run;
  error_info error = {.text = ""};
  char *messages = NULL;
  dem_simulation *s = NULL;
  case_source source = {.path = path, .settings = options->settings, .setting_count = options->setting_count};
  int code = case_read(&run, &source, NULL, &messages);
  code = tell_messages(code, path, messages, true);
  if (code != EXIT_DONE)
    return code;
  origin->is_case = true;
  run_ending ending = run_prepare(&run.simulation, options->threads, &s, &error);
  if (ending != RUN_COMPLETED)
    code = fail(&error, ending == RUN_REFUSED ? EXIT_BAD_INPUT : EXIT_IO_FAILED);
  else {
    bool is_made = dem_simulation_begin(s, &error) && pack(s, meter, &error);
    progress_clear(meter);
    code = is_made ? take_network(path, s, network, origin) : fail(&error, EXIT_RUN_FAILED);
  }
  dem_simulation_destroy(s);
  run_case_free(&run);
  return code;
}

/* From an argument to the elastic network of an assembly. Returns the exit code; errors are printed. */
static int take_state(const char *path, const moduli_options *options, progress *meter, moduli_network *network,
                      moduli_origin *origin)
{
  struct stat status;
  if (stat(path, &status) != 0)
    return command_fail_file(MODULI_COMMAND, "read", path);
  if (S_ISDIR(status.st_mode)) {
    char *checkpoint = path_in(path, RUN_CHECKPOINT);
    int code = EXIT_BAD_INPUT;
    if (!checkpoint)
      code = command_fail(MODULI_COMMAND, ENOMEM);
    else if (access(checkpoint, F_OK) == 0)
      code = take_checkpoint(checkpoint, options, network, origin);
    else
      complain(MODULI_COMMAND, "%s has no " RUN_CHECKPOINT ": give the directory of a run, a checkpoint or a case file",
               path);
    free(checkpoint);
    return code;
  }
  if (!S_ISREG(status.st_mode)) {
    complain(MODULI_COMMAND, "cannot read %s: it is neither a regular file nor a directory", path);
    return EXIT_BAD_INPUT;
  }
  errno = 0;
  if (dem_checkpoint_is(path))
    return take_checkpoint(path, options, network, origin);
  if (errno == ENOMEM)
    return command_fail(MODULI_COMMAND, ENOMEM);
  return take_case(path, options, meter, network, origin);
}

/* ---- Moduli ------------------------------------------------------------------------------------------------------ */

/* Which state is being solved, for the progress. */
typedef struct solving {
  progress *meter;
  char name[DEM_NAME_MAX];
} solving;

static void show_progress(void *context, double fraction, long steps)
{
  solving *s = context;
  progress_state state = {.stage_name = s->name, .fraction = fraction, .step = steps};
  progress_update(s->meter, &state);
}

static int compute(const moduli_options *options, size_t index, progress *meter, moduli_entry *entry)
{
  moduli_network network;
  error_info error = {.text = ""};
  *entry = (moduli_entry){.path = options->states[index]};
  progress_start(meter, stderr, options->quiet);
  int code = take_state(entry->path, options, meter, &network, &entry->origin);
  if (code != EXIT_DONE)
    return code;
  solving at = {.meter = meter};
  progress_start(meter, stderr, options->quiet); /* anew: packing has ended */
  snprintf(at.name, sizeof at.name, "solving, state %zu of %zu", index + 1, options->state_count);
  moduli_settings settings = {.threads = options->threads, .watcher = show_progress, .context = &at};
  bool is_done = moduli_compute(&entry->result, &network, &settings, &error);
  progress_clear(meter);
  moduli_network_free(&network);
  if (is_done) {
    moduli_report_warn(entry);
    return EXIT_DONE;
  }
  complain(MODULI_COMMAND, "%s: %s", entry->path, error.text);
  return error.out_of_memory ? EXIT_IO_FAILED : EXIT_RUN_FAILED;
}

/* The files are open already, so that a wrong name was found before the work. */
static int compute_all(const moduli_options *options, whole_file *csv, whole_file *plot)
{
  progress meter;
  error_info error = {.text = ""};
  moduli_report report = {.entries = calloc(options->state_count, sizeof *report.entries)};
  if (!report.entries)
    return command_fail(MODULI_COMMAND, ENOMEM);
  int code = EXIT_DONE;
  for (; code == EXIT_DONE && report.count < options->state_count; report.count += code == EXIT_DONE)
    code = compute(options, report.count, &meter, &report.entries[report.count]);
  progress_end(&meter);
  moduli_report_sort(&report);
  if (code == EXIT_DONE && !(moduli_report_fit(&report, &error) &&
                             (!options->csv || moduli_report_write_csv(&report, csv, options->csv, &error)))) {
    complain(MODULI_COMMAND, "%s", error.text);
    code = EXIT_IO_FAILED;
  }
  if (code == EXIT_DONE && options->plot)
    code = plot_draw(MODULI_COMMAND, "moduli", moduli_report_print_plot, &report, plot, options->plot);
  if (code == EXIT_DONE)
    (options->json ? moduli_report_print_json : moduli_report_print)(&report, stdout);
  free(report.entries);
  return code;
}

int moduli_command(int argc, char *argv[])
{
  static const struct argp parser = {
      .options = option_list, .parser = parse_option, .args_doc = "STATE...", .doc = summary};
  moduli_options options = {.states = calloc((size_t)argc, sizeof *options.states),
                            .settings = calloc((size_t)argc, sizeof *options.settings)};
  bool has_memory = options.states && options.settings;
  int code =
      has_memory ? command_parse(MODULI_COMMAND, &parser, argc, argv, &options) : command_fail(MODULI_COMMAND, ENOMEM);
  if (has_memory && code == EXIT_DONE) {
    whole_file csv = {.stream = NULL}, plot = {.stream = NULL};
    bool are_open = plot_can_be_drawn(MODULI_COMMAND, options.plot) &&
                    command_open(MODULI_COMMAND, &csv, options.csv) &&
                    command_open(MODULI_COMMAND, &plot, options.plot);
    code = are_open ? compute_all(&options, &csv, &plot) : EXIT_IO_FAILED;
    whole_file_discard(&csv);
    whole_file_discard(&plot);
  }
  free(options.states);
  free(options.settings);
  return code;
}
