/* SPDX-License-Identifier: MIT */
/* The command `jager moduli`: the elastic stiffness of one or more states. */
#include "cli/command.h"
#include "options.h"
#include "pictures/gnuplot.h"
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
  int code = moduli_state_take(entry->path, options, meter, &network, &entry->origin);
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

/* The files of the results; they are opened first, so that a wrong name is found before the work. */
typedef struct result_files {
  whole_file csv, plot;
} result_files;

static bool open_file(whole_file *file, const char *path)
{
  if (!path || whole_file_open(file, path))
    return true;
  complain(MODULI_COMMAND, "cannot write %s: %s", path, strerror(errno));
  return false;
}

static int tell(const moduli_options *options, moduli_report *report, result_files *files)
{
  error_info error = {.text = ""};
  bool is_written = moduli_report_fit(report, &error) &&
                    (!options->csv || moduli_report_write_csv(report, &files->csv, options->csv, &error)) &&
                    (!options->plot || moduli_report_draw(report, &files->plot, options->plot, &error));
  if (is_written) {
    (options->json ? moduli_report_print_json : moduli_report_print)(report, stdout);
    return EXIT_DONE;
  }
  complain(MODULI_COMMAND, "%s", error.text);
  return EXIT_IO_FAILED;
}

static int compute_all(const moduli_options *options, result_files *files)
{
  progress meter;
  moduli_report report = {.entries = calloc(options->state_count, sizeof *report.entries)};
  if (!report.entries)
    return command_fail(MODULI_COMMAND, ENOMEM);
  int code = EXIT_DONE;
  for (; code == EXIT_DONE && report.count < options->state_count; report.count += code == EXIT_DONE)
    code = compute(options, report.count, &meter, &report.entries[report.count]);
  progress_end(&meter);
  moduli_report_sort(&report);
  if (code == EXIT_DONE)
    code = tell(options, &report, files);
  free(report.entries);
  return code;
}

int moduli_command(int argc, char *argv[])
{
  moduli_options options;
  int code = moduli_options_parse(&options, argc, argv);
  if (code != EXIT_DONE)
    return code;
  if (options.plot && !gnuplot_is_installed()) {
    complain(MODULI_COMMAND, "--plot needs gnuplot, which is not installed (Debian, Ubuntu: apt install gnuplot-nox)");
    code = EXIT_IO_FAILED;
  } else {
    result_files files = {.csv = {.stream = NULL}, .plot = {.stream = NULL}};
    bool are_open = open_file(&files.csv, options.csv) && open_file(&files.plot, options.plot);
    code = are_open ? compute_all(&options, &files) : EXIT_IO_FAILED;
    whole_file_discard(&files.csv);
    whole_file_discard(&files.plot);
  }
  moduli_options_free(&options);
  return code;
}
