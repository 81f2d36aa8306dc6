/* SPDX-License-Identifier: MIT */
/*
 * YAML text to a tree, from the events of libfyaml. Its document tree is not used, because it expands anchors,
 * aliases and tags; events report them first.
 */
#include "yaml.h"
#include "base/text.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- Problems ---------------------------------------------------------------------------------------------------- */

void case_report(case_problems *problems, case_origin at, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  if (problems->count < CASE_PROBLEMS_MAX) {
    case_problem *problem = &problems->kept[problems->count];
    problem->at = at;
    vsnprintf(problem->text, sizeof problem->text, format, arguments);
  }
  va_end(arguments);
  problems->count++;
}

/* The file from top to bottom, then the settings. Problems at one place stay in the order in which they were found. */
static bool comes_before(const case_problem *a, const case_problem *b)
{
  if (a->at.setting != b->at.setting)
    return a->at.setting == CASE_FILE || (b->at.setting != CASE_FILE && a->at.setting < b->at.setting);
  return a->at.setting == CASE_FILE && a->at.offset < b->at.offset;
}

void case_problems_print(case_problems *problems, FILE *stream)
{
  size_t count = problems->count < CASE_PROBLEMS_MAX ? problems->count : CASE_PROBLEMS_MAX;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && comes_before(&problems->kept[j], &problems->kept[j - 1]); j--) {
      case_problem other = problems->kept[j];
      problems->kept[j] = problems->kept[j - 1];
      problems->kept[j - 1] = other;
    }
  for (size_t i = 0; i < count; i++) {
    const case_problem *problem = &problems->kept[i];
    const char *kind = problems->are_warnings ? "warning: " : "";
    if (problem->at.setting != CASE_FILE) {
      fputs(problems->has_plain_settings ? "" : "--set ", stream);
      text_print(problems->settings[problem->at.setting], stream);
      fprintf(stream, ": %s%s\n", kind, problem->text);
      continue;
    }
    text_place place = text_find_place(problems->text, problems->size, problem->at.offset);
    fprintf(stream, "%s:%zu:%zu: %s%s\n", problems->file_name, place.line, place.column, kind, problem->text);
    text_print_line(problems->text, problems->size, problem->at.offset, stream);
  }
  if (problems->count > count)
    fprintf(stream, "%s: %zu %s in all; the first %zu are shown\n", problems->file_name, problems->count,
            problems->are_warnings ? "warnings" : "errors", count);
}

/* ---- Nodes ------------------------------------------------------------------------------------------------------- */

static void free_children(yaml_node *node)
{
  for (yaml_node *child = node->first, *next; child; child = next) {
    next = child->next;
    yaml_free(child);
  }
  node->first = node->last = NULL;
  node->count = 0;
}

void yaml_free(yaml_node *node)
{
  if (!node)
    return;
  free_children(node);
  free(node->key);
  free(node->text);
  free(node);
}

yaml_node *yaml_entry(const yaml_node *node, const char *key)
{
  if (!node || node->kind != YAML_MAP)
    return NULL;
  yaml_node *child = node->first;
  while (child && strcmp(child->key, key) != 0)
    child = child->next;
  return child;
}

yaml_node *yaml_item(const yaml_node *node, size_t number)
{
  yaml_node *child = node->first;
  for (; child && number > 0; number--)
    child = child->next;
  return child;
}

yaml_node *yaml_add(yaml_node *parent, const char *key, case_origin at)
{
  yaml_node *node = calloc(1, sizeof *node);
  if (!node)
    return NULL;
  node->key_at = node->at = at;
  node->key = key ? strdup(key) : NULL;
  if (key && !node->key) {
    free(node);
    return NULL;
  }
  if (parent) {
    node->parent = parent;
    *(parent->last ? &parent->last->next : &parent->first) = node;
    parent->last = node;
    parent->count++;
  }
  return node;
}

void yaml_replace(yaml_node *node, yaml_node *by)
{
  free_children(node);
  free(node->text);
  node->kind = by->kind;
  node->text = by->text;
  node->at = by->at;
  node->first = by->first;
  node->last = by->last;
  node->count = by->count;
  for (yaml_node *child = node->first; child; child = child->next)
    child->parent = node;
  free(by->key);
  free(by);
}

case_origin yaml_place(const yaml_node *node)
{
  return node->at.setting == CASE_FILE ? node->key_at : node->at;
}

case_origin yaml_value_place(const yaml_node *node)
{
  return node->kind == YAML_NOTHING ? yaml_place(node) : node->at;
}

/* ---- Paths ------------------------------------------------------------------------------------------------------- */

/* Each step is a key, or the name or number of an item. */
const char *yaml_path(const yaml_node *node, char path[YAML_PATH_SIZE])
{
  const yaml_node *way[YAML_DEPTH_MAX + 1];
  int steps = 0;
  for (; node->parent && steps <= YAML_DEPTH_MAX; node = node->parent)
    way[steps++] = node;
  size_t used = 0;
  path[0] = '\0';
  while (steps-- > 0 && used < YAML_PATH_SIZE) {
    const yaml_node *step = way[steps], *name = yaml_entry(step, "name");
    bool has_name = name && name->kind == YAML_SCALAR;
    char number[24];
    size_t before = 0;
    for (const yaml_node *other = step->parent->first; other != step; other = other->next)
      before++;
    snprintf(number, sizeof number, "%zu", before);
    used += (size_t)snprintf(path + used, YAML_PATH_SIZE - used, "%s%.63s", used > 0 ? "." : "",
                             step->key  ? step->key
                             : has_name ? name->text
                                        : number);
  }
  return path;
}

/* ---- Building the tree ------------------------------------------------------------------------------------------- */

typedef struct builder {
  struct fy_parser *parser;
  struct fy_diag *diagnostics;
  const char *text;
  size_t size;
  case_problems *problems;
  case_origin last; /* place of the last event that has one */
  size_t nodes;
} builder;

/* The relevant parts of an event of libfyaml. */
typedef struct yaml_event {
  enum fy_event_type type;
  case_origin at;
  char *text; /* of a scalar; NULL: no value was written */
} yaml_event;

/* ---- Errors of YAML ---------------------------------------------------------------------------------------------- */

static void report_syntax(builder *build)
{
  void *iterator = NULL;
  struct fy_diag_error *error = fy_diag_errors_iterate(build->diagnostics, &iterator);
  case_origin at = build->last;
  if (error && error->line > 0 && error->column > 0 && at.setting == CASE_FILE)
    at.offset = text_find_offset(build->text, build->size, (size_t)error->line, (size_t)error->column);
  const char *message = error && error->msg ? error->msg : "it cannot be understood", *advice = "";
  /* The most common errors, which libfyaml describes in its own terms */
  if (strstr(message, "multiline plain key"))
    advice = ": is a ':' missing, or the next line indented too far?";
  else if (strstr(message, "nested block mapping"))
    advice = ": a text with ': ' needs quotation marks; a block begins in a line of its own";
  else if (strstr(message, "tab character"))
    advice = ": use spaces";
  else if (strstr(message, "cannot start with '|'") || strstr(message, "block scalar"))
    advice = ": a key such as \"|gamma_xz|\" needs quotation marks";
  case_report(build->problems, at, "this is not YAML: %s%s", message, advice);
}

static bool refuse(builder *build, case_origin at, const char *why)
{
  case_report(build->problems, at, "%s", why);
  return false;
}

static bool lack_memory(builder *build)
{
  build->problems->out_of_memory = true;
  return false;
}

/* ---- Events ------------------------------------------------------------------------------------------------------ */

static case_origin origin_of(builder *build, const struct fy_mark *mark)
{
  if (mark && mark->input_pos <= build->size)
    build->last.offset = mark->input_pos;
  return build->last;
}

/* libfyaml gives the place after a quotation mark, & or *; messages point at the character itself. */
static case_origin step_back(const builder *build, case_origin at, const char *characters)
{
  if (at.offset > 0 && at.offset <= build->size && strchr(characters, build->text[at.offset - 1]))
    at.offset--;
  return at;
}

static case_origin origin_of_event(builder *build, struct fy_event *event)
{
  case_origin at = origin_of(build, fy_event_start_mark(event));
  struct fy_token *scalar = event->type == FYET_SCALAR ? fy_event_get_token(event) : NULL;
  enum fy_scalar_style style = scalar ? fy_token_scalar_style(scalar) : FYSS_PLAIN;
  if (event->type == FYET_ALIAS)
    return step_back(build, at, "*");
  return style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED ? step_back(build, at, "'\"") : at;
}

static bool is_written_out(builder *build, struct fy_event *event)
{
  struct fy_token *anchor = fy_event_get_anchor_token(event), *tag = fy_event_get_tag_token(event);
  if (event->type == FYET_ALIAS)
    return refuse(build, origin_of_event(build, event), "aliases (*name) are not allowed: write the value out");
  if (anchor)
    return refuse(build, step_back(build, origin_of(build, fy_token_start_mark(anchor)), "&"),
                  "anchors (&name) are not allowed: write each value out where it is needed");
  if (tag)
    return refuse(build, origin_of(build, fy_token_start_mark(tag)),
                  "tags (!name) are not allowed: the key determines the type of its value");
  return true;
}

/*
 * In a single-quoted text, which begins here, two quotation marks stand for one. libfyaml 0.7.12 leaks memory on
 * several such pairs in a row.
 */
static bool has_pairs_in_a_row(const builder *build, case_origin at)
{
  const char *mark = build->text + at.offset + 1, *end = build->text + build->size;
  for (; mark < end; mark++) {
    size_t count = 0;
    while (mark + count < end && mark[count] == '\'')
      count++;
    if (count >= 4)
      return true;
    if (count % 2 == 1) /* the end */
      return false;
    mark += count;
  }
  return false;
}

static bool copy_scalar(builder *build, struct fy_event *event, yaml_event *taken)
{
  size_t length = 0;
  struct fy_token *token = fy_event_get_token(event);
  if (!token) /* the missing value in "key:" */
    return true;
  enum fy_scalar_style style = fy_token_scalar_style(token);
  if (style == FYSS_LITERAL || style == FYSS_FOLDED) {
    case_origin at = taken->at; /* of its first line; its | or > is before */
    if (at.offset == build->size && at.offset > 0)
      at.offset--;
    while (at.offset > 0 && build->text[at.offset] != '|' && build->text[at.offset] != '>')
      at.offset--;
    return refuse(build, at, "block texts (| and >) are not allowed: write the value in one line");
  }
  if (style == FYSS_SINGLE_QUOTED && has_pairs_in_a_row(build, taken->at))
    return refuse(build, taken->at, "there are too many quotation marks in a row: put the text between \" and \"");
  const char *text = fy_token_get_text(token, &length);
  if (!text)
    return lack_memory(build);
  if (text_find_bad(text, length) < length || memchr(text, '\n', length))
    return refuse(build, taken->at, "a value must be one line without control characters");
  bool is_nothing = style == FYSS_PLAIN && (length == 0 || (length == 1 && *text == '~') ||
                                            (length == 4 && memcmp(text, "null", length) == 0));
  if (is_nothing)
    return true;
  taken->text = strndup(text, length);
  return taken->text || lack_memory(build);
}

static bool take_event(builder *build, struct fy_event *event, yaml_event *taken)
{
  *taken = (yaml_event){.type = event->type, .at = origin_of_event(build, event)};
  if (!is_written_out(build, event))
    return false;
  if (event->type != FYET_DOCUMENT_START)
    return event->type != FYET_SCALAR || copy_scalar(build, event, taken);
  struct fy_document_state *state = fy_parser_get_document_state(build->parser);
  if (state && (fy_document_state_version_explicit(state) || fy_document_state_tags_explicit(state)))
    return refuse(build, build->last, "directives (%YAML, %TAG) are not allowed");
  return true;
}

/* The next event. False, without a text, after a report of an error, or if memory is short. */
static bool next_event(builder *build, yaml_event *taken)
{
  *taken = (yaml_event){.type = FYET_NONE};
  struct fy_event *event = fy_parser_parse(build->parser);
  if (!event) {
    report_syntax(build);
    return false;
  }
  bool is_good = take_event(build, event, taken);
  fy_parser_event_free(build->parser, event);
  return is_good;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

static bool build_value(builder *build, yaml_node *node, const yaml_event *start, int depth);

static yaml_node *add_node(builder *build, yaml_node *parent, const char *key, case_origin at)
{
  if (++build->nodes > YAML_NODES_MAX) {
    refuse(build, at, "there are too many values for a case");
    return NULL;
  }
  yaml_node *node = yaml_add(parent, key, at);
  if (!node)
    lack_memory(build);
  return node;
}

static bool build_list(builder *build, yaml_node *list, int depth)
{
  yaml_event event;
  while (next_event(build, &event)) {
    if (event.type == FYET_SEQUENCE_END)
      return true;
    yaml_node *item = add_node(build, list, NULL, event.at);
    bool is_good = item && build_value(build, item, &event, depth);
    free(event.text);
    if (!is_good)
      return false;
  }
  return false;
}

static bool build_map(builder *build, yaml_node *map, int depth)
{
  yaml_event key, value = {.text = NULL};
  while (next_event(build, &key)) {
    if (key.type == FYET_MAPPING_END)
      return true;
    bool is_word = key.type == FYET_SCALAR && key.text;
    yaml_node *entry = is_word ? add_node(build, map, key.text, key.at) : NULL;
    if (!is_word)
      refuse(build, key.at, "a key must be a word");
    bool is_good = entry && next_event(build, &value) && build_value(build, entry, &value, depth);
    free(key.text);
    free(value.text);
    value.text = NULL;
    if (!is_good)
      return false;
  }
  return false;
}

/* Reads the value that begins with the event into the node. */
static bool build_value(builder *build, yaml_node *node, const yaml_event *start, int depth)
{
  node->at = start->at;
  if (depth >= YAML_DEPTH_MAX)
    return refuse(build, start->at, "blocks are nested too deeply for a case");
  switch (start->type) {
  case FYET_SCALAR:
    node->kind = start->text ? YAML_SCALAR : YAML_NOTHING;
    node->text = start->text ? strdup(start->text) : NULL;
    return !start->text || node->text || lack_memory(build);
  case FYET_SEQUENCE_START:
    node->kind = YAML_LIST;
    return build_list(build, node, depth + 1);
  case FYET_MAPPING_START:
    node->kind = YAML_MAP;
    return build_map(build, node, depth + 1);
  default:
    return refuse(build, start->at, "this is not YAML: a value is missing");
  }
}

/* Skips the next event and returns its type; FYET_NONE after an error. */
static enum fy_event_type skip_event(builder *build)
{
  yaml_event event;
  bool is_good = next_event(build, &event);
  free(event.text);
  return is_good ? event.type : FYET_NONE;
}

/* Reads the one document, if there is one. */
static bool build_document(builder *build, yaml_node *root)
{
  yaml_event event;
  if (skip_event(build) != FYET_STREAM_START)
    return false;
  enum fy_event_type first = skip_event(build);
  if (first != FYET_DOCUMENT_START)
    return first == FYET_STREAM_END;
  bool is_good = next_event(build, &event) && build_value(build, root, &event, 0);
  free(event.text);
  if (!is_good || skip_event(build) != FYET_DOCUMENT_END)
    return false;
  enum fy_event_type last = skip_event(build);
  if (last == FYET_DOCUMENT_START)
    return refuse(build, build->last, "a case is one document: nothing may follow '---' or '...'");
  return last == FYET_STREAM_END;
}

/* ---- The parser -------------------------------------------------------------------------------------------------- */

/* libfyaml collects errors and must not print them. */
static void print_nothing(struct fy_diag *diagnostics, void *user, const char *text, size_t length)
{
  (void)diagnostics, (void)user, (void)text, (void)length;
}

yaml_node *yaml_parse(const char *text, size_t size, int setting, case_problems *problems)
{
  builder build = {.text = text, .size = size, .problems = problems, .last = {.setting = setting}};
  errno = 0;
  yaml_node *root = yaml_add(NULL, NULL, build.last);
  struct fy_diag_cfg quiet;
  fy_diag_cfg_default(&quiet);
  quiet.fp = NULL;
  quiet.output_fn = print_nothing;
  quiet.colorize = false;
  build.diagnostics = root ? fy_diag_create(&quiet) : NULL;
  if (build.diagnostics) {
    fy_diag_set_collect_errors(build.diagnostics, true);
    struct fy_parse_cfg settings = {.flags = FYPCF_QUIET | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE,
                                    .diag = build.diagnostics};
    build.parser = fy_parser_create(&settings);
  }
  bool is_started = build.parser && fy_parser_set_string(build.parser, text, size) == 0;
  bool is_good = is_started ? build_document(&build, root) : lack_memory(&build);
  if (build.parser)
    fy_parser_destroy(build.parser);
  if (build.diagnostics)
    fy_diag_destroy(build.diagnostics);
  if (errno == ENOMEM) /* libfyaml may continue after a failed allocation, with an empty value or none */
    is_good = lack_memory(&build);
  if (is_good)
    return root;
  if (problems->count == 0 && !problems->out_of_memory) /* no failure may look like success */
    refuse(&build, build.last, "this is not YAML: it cannot be understood");
  yaml_free(root);
  return NULL;
}
