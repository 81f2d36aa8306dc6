/* SPDX-License-Identifier: MIT */
/* The reader of case files: the file, its outermost block, and the messages. */
#include "reader.h"
#include "keys.h"
#include "base/error.h"
#include "base/file_system.h"
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Settings: values that the command line changes, as --set material.friction=0.3 ------------------------------ */

/* A part of a path between dots. */
typedef struct path_step {
  const char *start;
  size_t length;
} path_step;

static case_origin origin_of(int setting)
{
  return (case_origin){.setting = setting};
}

static bool is_number(path_step step)
{
  size_t digits = 0;
  while (digits < step.length && step.start[digits] >= '0' && step.start[digits] <= '9')
    digits++;
  return digits == step.length && digits <= 9;
}

static bool is_step(path_step step, const char *text)
{
  return strlen(text) == step.length && memcmp(step.start, text, step.length) == 0;
}

/* Reports that the list has no such item, and which items it has. */
static void refuse_item(const yaml_node *list, path_step step, int setting, case_problems *problems)
{
  enum { NAMES_MAX = 64 };
  const char *names[NAMES_MAX];
  char path[YAML_PATH_SIZE], word[YAML_PATH_SIZE], quoted[TEXT_QUOTE_SIZE], text[CASE_LIST_SIZE];
  size_t count = 0;
  for (const yaml_node *item = list->first; item && count < NAMES_MAX; item = item->next) {
    const yaml_node *name = yaml_entry(item, "name");
    if (name && name->kind == YAML_SCALAR)
      names[count++] = name->text;
  }
  snprintf(word, sizeof word, "%.*s", (int)step.length, step.start);
  bool has_names = count > 0 && !is_number(step);
  if (has_names)
    case_suggest(word, names, count, text);
  else
    snprintf(text, sizeof text, "it has %zu, counted from 0", list->count);
  case_report(problems, origin_of(setting), "'%s' has no item %s: %s%s", yaml_path(list, path),
              text_quote(word, quoted), text, has_names ? ", or its number, counted from 0" : "");
}

/* The item or entry of the node; an entry is made if it is missing. NULL after a report. */
static yaml_node *go(yaml_node *from, path_step step, int setting, case_problems *problems)
{
  char path[YAML_PATH_SIZE];
  if (from->kind == YAML_LIST) {
    yaml_node *item = is_number(step) ? yaml_item(from, strtoul(step.start, NULL, 10)) : from->first;
    while (item && !is_number(step)) {
      const yaml_node *name = yaml_entry(item, "name");
      if (name && name->kind == YAML_SCALAR && is_step(step, name->text))
        break;
      item = item->next;
    }
    if (!item)
      refuse_item(from, step, setting, problems);
    return item;
  }
  if (from->kind == YAML_SCALAR) {
    case_report(problems, origin_of(setting), "'%s' is a single value: there is no '%.*s' in it", yaml_path(from, path),
                (int)step.length, step.start);
    return NULL;
  }
  from->kind = YAML_MAP;
  for (yaml_node *entry = from->first; entry; entry = entry->next)
    if (is_step(step, entry->key))
      return entry;
  char *key = strndup(step.start, step.length);
  yaml_node *entry = key ? yaml_add(from, key, origin_of(setting)) : NULL;
  free(key);
  if (!entry)
    problems->out_of_memory = true;
  return entry;
}

/* The node at the end of the path; it is made if it is missing. */
static yaml_node *find_target(yaml_node *root, const char *path, size_t length, int setting, case_problems *problems)
{
  yaml_node *node = root;
  const char *end = path + length;
  int depth = 0;
  for (const char *at = path; node && at <= end; depth++) {
    const char *dot = at < end ? memchr(at, '.', (size_t)(end - at)) : NULL;
    path_step step = {at, (size_t)((dot ? dot : end) - at)};
    if (step.length == 0 || depth == YAML_DEPTH_MAX) {
      case_report(problems, origin_of(setting), "the key must be words with dots between, such as material.friction");
      return NULL;
    }
    node = go(node, step, setting, problems);
    at += step.length + 1;
  }
  return node;
}

/* Applies "PATH=VALUE" to the tree. The path consists of keys, and names or numbers (from 0) of list items. */
static void apply_setting(yaml_node *root, const char *setting, int number, case_problems *problems)
{
  const char *equals = strchr(setting, '=');
  if (!equals) {
    case_report(problems, origin_of(number), "write it as key=value, such as material.friction=0.3");
    return;
  }
  if (text_find_bad(setting, strlen(setting)) < strlen(setting) || strchr(setting, '\n')) {
    case_report(problems, origin_of(number), "it must be one line without control characters");
    return;
  }
  yaml_node *value = yaml_parse(equals + 1, strlen(equals + 1), number, problems);
  yaml_node *target = value ? find_target(root, setting, (size_t)(equals - setting), number, problems) : NULL;
  if (target)
    yaml_replace(target, value);
  else
    yaml_free(value);
}

/* ---- The outermost block ----------------------------------------------------------------------------------------- */

static void read_version(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  char quoted[TEXT_QUOTE_SIZE];
  (void)key, (void)target;
  if (case_is_scalar(reading, node) && strcmp(node->text, "1") != 0)
    case_report(&reading->problems, node->at, "this program reads version 1 of the format, not %s",
                text_quote(node->text, quoted));
}

static void read_seed(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  int64_t seed;
  (void)key;
  if (!case_is_scalar(reading, node))
    return;
  if (integer_parse(node->text, &seed) && seed >= 0)
    *(uint64_t *)target = (uint64_t)seed;
  else
    case_report(&reading->problems, node->at, "'seed' must be a whole number in [0, 9223372036854775807]");
}

static const dem_key output_keys[] = {
    {"series", offsetof(case_output, intervals.series), KEY_WHOLE, .range = STEPS_RANGE, .standard = 100.0},
    {"snapshot", offsetof(case_output, intervals.snapshot), KEY_WHOLE, .range = STEPS_RANGE},
    {"vtk", offsetof(case_output, intervals.vtk), KEY_WHOLE, .range = STEPS_RANGE},
    {"plots", offsetof(case_output, pictures), KEY_FLAG, .standard = true},
};
const dem_block case_output_block = BLOCK(output_keys);

static void read_output(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  (void)key, (void)target;
  case_output block = {reading->intervals, reading->output->pictures};
  case_read_block(reading, node, &case_output_block, NULL, &block);
  reading->intervals = block.intervals;
  reading->output->pictures = block.pictures;
}

static const dem_key checkpoint_keys[] = {
    {"steps", offsetof(run_output, checkpoint_steps), KEY_WHOLE, .range = STEPS_RANGE},
    {"minutes", offsetof(run_output, checkpoint_minutes), .range = IN(0.0, 1e6), .standard = 10.0},
};
const dem_block case_checkpoint_block = BLOCK(checkpoint_keys);

static void read_checkpoint(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  (void)key, (void)target;
  case_read_block(reading, node, &case_checkpoint_block, NULL, reading->output);
}

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
  static const case_special specials[] = {{"jager", read_version},
                                          {"seed", read_seed},
                                          {"contact", case_read_contact},
                                          {"time_step", case_read_time_step},
                                          {"density_scaling", case_read_density_scaling},
                                          {"assembly", case_read_assembly},
                                          {"output", read_output},
                                          {"checkpoint", read_checkpoint},
                                          {"stages", case_read_stages},
                                          {"trace", case_read_traces},
                                          {NULL, NULL}};
  const yaml_node *root = reading->root;
  if (root->kind != YAML_MAP) {
    case_report(&reading->problems, root->at, "this is not a case: %s",
                root->kind == YAML_NOTHING ? "it is empty" : "it must begin with keys, such as 'jager: 1'");
    return;
  }
  case_read_block(reading, root, &dem_case_block, specials, reading->run);
  if (reading->problems.count == 0)
    check_lists(reading);
  if (reading->problems.count == 0)
    case_check_law(reading);
  case_check_packing_target(reading);
  if (reading->problems.count == 0 && !reading->problems.out_of_memory)
    case_check_plausible(reading);
}

/* ---- The text ---------------------------------------------------------------------------------------------------- */

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

/* Reads the tree of the text, and the case from the tree. */
static void read_tree(case_reading *reading, size_t setting_count)
{
  case_problems *problems = &reading->problems;
  size_t bad = text_find_bad(problems->text, problems->size);
  if (bad < problems->size) {
    case_report(problems, (case_origin){.setting = CASE_FILE, .offset = bad},
                "the byte 0x%02X is not allowed here: a case is text in UTF-8 without control characters",
                (unsigned)(unsigned char)problems->text[bad]);
    return;
  }
  yaml_node *root = yaml_parse(problems->text, problems->size, CASE_FILE, problems);
  if (!root)
    return;
  for (size_t i = 0; i < setting_count; i++)
    apply_setting(root, problems->settings[i], (int)i, problems);
  reading->root = root;
  if (problems->count == 0)
    read_case(reading);
  yaml_free(root);
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
      .file_name = source->path,
      .problems = {.file_name = source->path,
                   .text = text,
                   .size = size,
                   .settings = source->settings,
                   .has_plain_settings = source->has_plain_settings},
  };
  case_output standard;
  dem_block_set_standards(&case_output_block, &standard);
  reading.intervals = standard.intervals;
  reading.warnings = reading.problems;
  reading.warnings.are_warnings = true;
  read_tree(&reading, source->setting_count);
  case_problems *found = reading.problems.count > 0 ? &reading.problems : &reading.warnings;
  bool has_memory = !reading.problems.out_of_memory;
  memory_stream lines;
  *messages = NULL;
  if (has_memory && found->count > 0) {
    has_memory = memory_stream_open(&lines);
    if (has_memory)
      case_problems_print(found, lines.stream);
    has_memory = has_memory && memory_stream_finish(&lines);
    *messages = has_memory ? lines.text : NULL;
  }
  if (has_memory && reading.problems.count == 0)
    return EXIT_DONE;
  run_case_free(run);
  if (has_memory)
    return EXIT_BAD_INPUT;
  *messages = make_message(source->path, "out of memory");
  return EXIT_IO_FAILED;
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

int case_read_changed(run_case *run, const case_source *source, const char *text, char **input, char **messages)
{
  size_t size = strlen(text), before = 1;
  for (const char *at = text; *at; at++) /* room for as many settings as there are lines */
    before += *at == '\n';
  size_t first = before;
  char *copy = strdup(text);
  const char **settings = malloc((before + source->setting_count) * sizeof *settings);
  *messages = NULL;
  int code = EXIT_IO_FAILED;
  if (copy && settings) {
    for (const char *setting; (setting = cut_setting(copy, &size));) /* the last one comes first */
      settings[--first] = setting;
    case_source whole = *source;
    whole.settings = settings + first;
    whole.setting_count = before - first;
    for (size_t i = 0; i < source->setting_count; i++) {
      const char *added = source->settings[i];
      size_t kept = first, length = strcspn(added, "=");
      for (size_t k = first; k < first + whole.setting_count; k++) /* without settings of this key, or within it */
        if (strncmp(settings[k], added, length) != 0 || !strchr("=.", settings[k][length]))
          settings[kept++] = settings[k];
      settings[kept++] = added;
      whole.setting_count = kept - first;
    }
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

int case_read(run_case *run, const case_source *source, char **input, char **messages)
{
  FILE *file = fopen(source->path, "rbe");
  char *bytes = file ? malloc(CASE_SIZE_MAX + 1) : NULL; /* one more than a case may have */
  int failure = bytes ? 0 : file ? ENOMEM : errno;
  errno = 0;
  size_t size = bytes ? fread(bytes, 1, CASE_SIZE_MAX + 1, file) : 0;
  if (bytes && ferror(file))
    failure = errno;
  if (file)
    fclose(file);
  if (!bytes || failure != 0) {
    free(bytes);
    *messages = make_message(source->path, "cannot be read: %s", strerror(failure));
    return EXIT_IO_FAILED;
  }
  int code = case_read_text(run, source, bytes, size, input, messages);
  free(bytes);
  return code;
}

/* ---- The description of a run ------------------------------------------------------------------------------------ */

run_case run_case_default(void)
{
  run_case run = {.simulation = dem_case_default()};
  case_output standard;
  dem_block_set_standards(&case_checkpoint_block, &run.output);
  dem_block_set_standards(&case_output_block, &standard);
  run.output.pictures = standard.pictures;
  return run;
}

bool run_case_copy(run_case *to, const run_case *from)
{
  to->output = from->output;
  return dem_case_copy(&to->simulation, &from->simulation);
}

void run_case_free(run_case *run)
{
  dem_case_free(&run->simulation);
}
