/* SPDX-License-Identifier: MIT */
/* The reader of case files: the file, its outermost block, and the messages. */
#include "reader.h"
#include "parts.h"
#include "settings.h"
#include "base/error.h"
#include "base/memory_stream.h"
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The outermost block ----------------------------------------------------------------------------------------- */

static void read_version(case_reading *reading, const yaml_node *node, void *target)
{
  char quoted[TEXT_QUOTE_SIZE];
  (void)target;
  if (case_is_scalar(reading, node) && strcmp(node->text, "1") != 0)
    case_report(&reading->problems, node->at, "this program reads version 1 of the format, not %s",
                text_quote(node->text, quoted));
}

static void read_seed(case_reading *reading, const yaml_node *node, void *target)
{
  int64_t seed;
  if (!case_is_scalar(reading, node))
    return;
  if (integer_parse(node->text, &seed) && seed >= 0)
    *(uint64_t *)target = (uint64_t)seed;
  else
    case_report(&reading->problems, node->at, "'seed' must be a whole number in [0, 9223372036854775807]");
}

static void read_gravity(case_reading *reading, const yaml_node *node, void *target)
{
  (void)case_read_quantities(reading, node, DIMENSION_ACCELERATION, (case_range){-1e9, 1e9, false, false}, 3, 3,
                             target);
}

/* The intervals that stages start from, and pictures (the key `plots`), which are of the run. */
static void read_output(case_reading *reading, const yaml_node *node, void *target)
{
  typedef struct output_block {
    output_intervals intervals;
    bool pictures;
  } output_block;
  static const case_field fields[] = {
      {"series", offsetof(output_block, intervals.series), CASE_INTEGER, .range = CASE_STEPS_RANGE},
      {"snapshot", offsetof(output_block, intervals.snapshot), CASE_INTEGER, .range = CASE_STEPS_RANGE},
      {"vtk", offsetof(output_block, intervals.vtk), CASE_INTEGER, .range = CASE_STEPS_RANGE},
      {"plots", offsetof(output_block, pictures), .kind = CASE_FLAG},
  };
  (void)target;
  output_block block = {reading->intervals, reading->output->pictures};
  case_read_map(reading, node, fields, CASE_FIELDS(fields), &block);
  reading->intervals = block.intervals;
  reading->output->pictures = block.pictures;
}

static void read_checkpoint(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"steps", offsetof(run_output, checkpoint_steps), CASE_INTEGER, .range = CASE_STEPS_RANGE},
      {"minutes", offsetof(run_output, checkpoint_minutes), CASE_QUANTITY, .range = {0.0, 1e6, false, false}},
  };
  (void)target;
  case_read_map(reading, node, fields, CASE_FIELDS(fields), reading->output);
}

/* Each block is read after those that it needs: stages start from damping and output, traces name stages. */
static const case_field case_fields[] = {
    {"jager", 0, CASE_OTHER, .read = read_version, .example = "1"},
    {"title", offsetof(dem_case, title), CASE_TEXT, .range = {0.0, 500.0, false, false}},
    {"seed", offsetof(dem_case, seed), CASE_OTHER, .read = read_seed},
    {"material", offsetof(dem_case, material), CASE_OTHER, .read = case_read_material,
     .example = "{shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}"},
    {"contact", offsetof(dem_case, contact), CASE_OTHER, .read = case_read_contact},
    {"damping", offsetof(dem_case, damping), CASE_OTHER, .read = case_read_damping},
    {"time_step", offsetof(dem_case, time_step), CASE_OTHER, .read = case_read_time_step},
    {"density_scaling", 0, CASE_OTHER, .read = case_read_density_scaling},
    {"gravity", offsetof(dem_case, gravity), CASE_OTHER, .read = read_gravity},
    {"overlap_limit", offsetof(dem_case, overlap_limit), CASE_QUANTITY, .range = CASE_SHARE_RANGE},
    {"skin", offsetof(dem_case, skin), CASE_QUANTITY, .range = CASE_SHARE_RANGE},
    {"assembly", offsetof(dem_case, assembly), CASE_OTHER, .read = case_read_assembly,
     .example = "{packing: {spheres: 4096, sizes: {uniform: {min: 0.8 mm, max: 1.2 mm}}, pressure: 100 kPa}}"},
    {"output", 0, CASE_OTHER, .read = read_output},
    {"checkpoint", 0, CASE_OTHER, .read = read_checkpoint},
    {"stages", 0, CASE_OTHER, .read = case_read_stages,
     .example = "[{name: rest, control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {stress: 100 kPa}}, until: "
                "{unbalanced: 1e-4}}]"},
    {"trace", 0, CASE_OTHER, .read = case_read_traces},
};

/* Lists of models and ratios, each of whose values has a run of its own. */
static void check_lists(case_reading *reading)
{
  const run_variants *variants = &reading->output->variants;
  const yaml_node *trace = yaml_entry(reading->root, "trace");
  if (variants->model_count > 1 && reading->run->assembly.source == DEM_SOURCE_CHECKPOINT)
    case_report(
        &reading->problems, yaml_place(yaml_entry(yaml_entry(reading->root, "contact"), "model")),
        "a checkpoint has the contacts of one model: for a list of models give 'packing', or positions in a text "
        "file, 'assembly: {file: ...}', from which every model makes its own contacts");
  if (variants->csr_count == 0 && variants->model_count < 2)
    return;
  if (trace)
    case_report(&reading->problems, yaml_place(trace), "'trace' cannot be beside a list of models or of 'csr'");
  if (variants->csr_count == 0)
    return;
  const yaml_node *stage = reading->stage_nodes[variants->csr_stage];
  const yaml_node *csr = yaml_entry(yaml_entry(stage, "cyclic"), "csr");
  if (variants->csr_stage == 0)
    case_report(
        &reading->problems, yaml_place(csr),
        "a list of 'csr' needs a stage before it, whose last state all ratios start from: let the assembly come "
        "to rest");
  if (!dem_stage_keeps_volume(&reading->run->stages[variants->csr_stage]))
    case_report(
        &reading->problems, yaml_place(csr),
        "a list of 'csr' asks for cycles to liquefaction: the stage must keep the volume, by 'volume: constant' "
        "or by holding xx, yy and zz");
}

static void read_case(case_reading *reading)
{
  const yaml_node *root = reading->root;
  if (root->kind != YAML_MAP) {
    case_report(&reading->problems, root->at, "this is not a case: %s",
                root->kind == YAML_NOTHING ? "it is empty" : "it must begin with keys, such as 'jager: 1'");
    return;
  }
  case_read_map(reading, root, case_fields, CASE_FIELDS(case_fields), reading->run);
  if (reading->problems.count == 0)
    check_lists(reading);
  if (reading->problems.count == 0)
    case_check_law(reading);
  case_check_packing_target(reading);
  if (reading->problems.count == 0 && !reading->problems.out_of_memory)
    case_check_plausible(reading);
}

/* ---- The text ---------------------------------------------------------------------------------------------------- */

static void read_tree(case_reading *reading, size_t setting_count)
{
  case_problems *problems = &reading->problems;
  yaml_node *root = yaml_parse(problems->text, problems->size, CASE_FILE, problems);
  if (!root)
    return;
  case_settings_apply(root, setting_count, problems);
  reading->root = root;
  if (problems->count == 0)
    read_case(reading);
  yaml_free(root);
}

static bool is_clean(case_problems *problems)
{
  size_t bad = text_find_bad(problems->text, problems->size);
  if (bad < problems->size)
    case_report(problems, (case_origin){.setting = CASE_FILE, .offset = bad},
                "the byte 0x%02X is not allowed here: a case is text in UTF-8 without control characters",
                (unsigned)(unsigned char)problems->text[bad]);
  return bad == problems->size;
}

/* Errors, or warnings if there are none. False if there is no memory for the text. */
static bool print_messages(case_reading *reading, char **messages)
{
  case_problems *told = reading->problems.count > 0 ? &reading->problems : &reading->warnings;
  memory_stream text;
  *messages = NULL;
  if (told->count == 0)
    return true;
  if (!memory_stream_open(&text))
    return false;
  case_problems_print(told, text.stream);
  if (!memory_stream_finish(&text))
    return false;
  *messages = text.text;
  return true;
}

__attribute__((format(printf, 2, 3))) static char *make_message(const char *path, const char *format, ...)
{
  char *text, *message;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  if (length < 0)
    return NULL;
  if (asprintf(&message, "%s: %s\n", path, text) < 0)
    message = NULL;
  free(text);
  return message;
}

static int conclude(case_reading *reading, run_case *run, char **messages)
{
  bool has_memory = !reading->problems.out_of_memory && print_messages(reading, messages);
  if (has_memory && reading->problems.count == 0)
    return EXIT_DONE;
  run_case_free(run);
  if (has_memory)
    return EXIT_BAD_INPUT;
  *messages = make_message(reading->file_name, "out of memory");
  return EXIT_IO_FAILED;
}

/* The case of a text. */
static int read_text(run_case *run, const case_source *source, const char *text, size_t size, char **messages)
{
  static const char byte_order_mark[] = "\xEF\xBB\xBF";
  if (size > CASE_SIZE_MAX) {
    *messages = make_message(source->path, "a case file must not be larger than %d bytes", CASE_SIZE_MAX);
    return EXIT_BAD_INPUT;
  }
  if (size >= 3 && memcmp(text, byte_order_mark, 3) == 0)
    text += 3, size -= 3;
  *run = run_case_default();
  case_reading reading = {
      .run = &run->simulation,
      .output = &run->output,
      .intervals = output_intervals_default(),
      .file_name = source->path,
      .problems = {.file_name = source->path, .text = text, .size = size, .settings = source->settings},
  };
  reading.warnings = reading.problems;
  reading.warnings.are_warnings = true;
  if (is_clean(&reading.problems))
    read_tree(&reading, source->setting_count);
  return conclude(&reading, run, messages);
}

/* ---- The text with its settings ---------------------------------------------------------------------------------- */

static const char setting_comment[] = "# --set ";

/* The last line, without its end, if the text ends with the end of a line; otherwise the end of the text. */
static size_t start_of_last_line(const char *text, size_t size)
{
  size_t start = size > 0 ? size - 1 : 0;
  if (size == 0 || text[start] != '\n')
    return size;
  while (start > 0 && text[start - 1] != '\n')
    start--;
  return start;
}

static bool is_setting_comment(const char *line, size_t length)
{
  const size_t mark = strlen(setting_comment);
  return length > mark && strncmp(line, setting_comment, mark) == 0;
}

/*
 * The text with the settings as comments at its end; NULL: no memory. A text whose own last line looks like a setting
 * gets an empty comment after it, so that the line is not taken for one.
 */
static char *text_with_settings(const char *text, size_t size, const case_source *source)
{
  static const char separator[] = "#\n";
  size_t room = size + 2 + sizeof separator;
  for (size_t i = 0; i < source->setting_count; i++)
    room += strlen(source->settings[i]) + sizeof setting_comment;
  char *whole = malloc(room);
  if (!whole)
    return NULL;
  memcpy(whole, text, size);
  size_t used = size;
  if (size > 0 && text[size - 1] != '\n')
    whole[used++] = '\n';
  size_t last = start_of_last_line(whole, used);
  whole[used] = '\0';
  if (is_setting_comment(whole + last, used - last))
    used += (size_t)snprintf(whole + used, room - used, "%s", separator);
  for (size_t i = 0; i < source->setting_count; i++)
    used += (size_t)snprintf(whole + used, room - used, "%s%s\n", setting_comment, source->settings[i]);
  return whole;
}

int case_read_text(run_case *run, const case_source *source, const char *text, size_t size, char **input,
                   char **messages)
{
  int code = read_text(run, source, text, size, messages);
  if (code != EXIT_DONE || !input)
    return code;
  *input = text_with_settings(text, size, source);
  if (*input)
    return EXIT_DONE;
  free(*messages);
  *messages = make_message(source->path, "out of memory");
  run_case_free(run);
  return EXIT_IO_FAILED;
}

/* ---- Recorded cases ---------------------------------------------------------------------------------------------- */

/* Cuts the last line off the text if it is a setting. Returns the setting, or NULL. */
static const char *cut_setting(char *text, size_t *size)
{
  size_t start = start_of_last_line(text, *size);
  if (!is_setting_comment(text + start, *size - start))
    return NULL;
  text[*size - 1] = '\0';
  *size = start;
  return text + start + strlen(setting_comment);
}

static size_t count_lines(const char *text)
{
  size_t lines = 0;
  for (; *text; text++)
    lines += *text == '\n';
  return lines;
}

int case_read_changed(run_case *run, const case_source *source, const char *text, char **input, char **messages)
{
  size_t size = strlen(text), before = count_lines(text) + 1, first = before;
  char *copy = strdup(text);
  const char **settings = malloc((before + source->setting_count) * sizeof *settings);
  *messages = NULL;
  int code = EXIT_IO_FAILED;
  if (copy && settings) {
    for (const char *setting; (setting = cut_setting(copy, &size));) /* the last one comes first */
      settings[--first] = setting;
    case_source whole = {.path = source->path, .settings = settings + first, .setting_count = before - first};
    for (size_t i = 0; i < source->setting_count; i++)
      whole.setting_count = case_settings_add(settings + first, whole.setting_count, source->settings[i]);
    code = case_read_text(run, &whole, copy, size, input, messages);
  }
  free(settings);
  free(copy);
  return code;
}

int case_read_recorded(run_case *run, const char *path, const char *text, char **messages)
{
  return case_read_changed(run, &(case_source){.path = path}, text, NULL, messages);
}

/* ---- The file ---------------------------------------------------------------------------------------------------- */

/* The bytes of a file, at most one more than a case may have; NULL with errno on failure. */
static char *read_file(const char *path, size_t *size)
{
  FILE *file = fopen(path, "rbe");
  if (!file)
    return NULL;
  char *bytes = malloc(CASE_SIZE_MAX + 1);
  errno = bytes ? 0 : ENOMEM;
  *size = bytes ? fread(bytes, 1, CASE_SIZE_MAX + 1, file) : 0;
  int failure = !bytes || ferror(file) ? errno : 0;
  fclose(file);
  if (failure != 0) {
    free(bytes);
    bytes = NULL;
  }
  errno = failure;
  return bytes;
}

int case_read(run_case *run, const case_source *source, char **input, char **messages)
{
  size_t size;
  char *bytes = read_file(source->path, &size);
  if (!bytes) {
    *messages = make_message(source->path, "cannot be read: %s", strerror(errno));
    return EXIT_IO_FAILED;
  }
  int code = case_read_text(run, source, bytes, size, input, messages);
  free(bytes);
  return code;
}
