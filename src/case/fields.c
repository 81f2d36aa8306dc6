/* SPDX-License-Identifier: MIT */
/* Blocks of a case file, each described by a table of its keys. */
#include "fields.h"
#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { FIELDS_MAX = 64, LIST_SIZE = CASE_LIST_SIZE }; /* keys of a block */

const char *case_name(const yaml_node *node, char name[YAML_PATH_SIZE])
{
  if (!node->key)
    return yaml_path(node, name);
  snprintf(name, YAML_PATH_SIZE, "%s", node->key);
  return name;
}

/* ---- Similar words ----------------------------------------------------------------------------------------------- */

static size_t least_of(size_t a, size_t b)
{
  return a < b ? a : b;
}

enum { WORD_MAX = 32 };

/* The Damerau-Levenshtein distance of two words; large if a word is too long. */
static size_t distance(const char *a, const char *b)
{
  size_t row[3][WORD_MAX + 1];
  size_t length_a = strlen(a), length_b = strlen(b);
  if (length_a > WORD_MAX || length_b > WORD_MAX)
    return WORD_MAX;
  size_t *two_above = row[0], *above = row[1], *now = row[2];
  for (size_t j = 0; j <= length_b; j++)
    above[j] = j;
  for (size_t i = 1; i <= length_a; i++) {
    now[0] = i;
    for (size_t j = 1; j <= length_b; j++) {
      now[j] = least_of(least_of(above[j], now[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = least_of(now[j], two_above[j - 2] + 1);
    }
    size_t *last = two_above;
    two_above = above, above = now, now = last;
  }
  return above[length_b];
}

/* The first word of the list that begins with `word`, which must have three letters. */
static const char *begins_with(const char *word, const char *const words[], size_t count)
{
  enum { LEAST = 3 };
  for (size_t i = 0; i < count && strlen(word) >= LEAST; i++)
    if (strncmp(words[i], word, strlen(word)) == 0)
      return words[i];
  return NULL;
}

const char *case_most_like(const char *word, const char *const words[], size_t count)
{
  const char *best = NULL;
  size_t tolerated = strlen(word) <= 3 ? 1 : 2, best_distance = tolerated + 1;
  for (size_t i = 0; i < count; i++) {
    size_t away = distance(word, words[i]);
    if (away < best_distance && away < strlen(words[i])) {
      best = words[i];
      best_distance = away;
    }
  }
  return best ? best : begins_with(word, words, count);
}

void case_suggest(const char *word, const char *const words[], size_t count, char text[CASE_LIST_SIZE])
{
  const char *like = case_most_like(word, words, count);
  size_t used;
  if (like)
    used = (size_t)snprintf(text, LIST_SIZE, "did you mean '%s'? one of: ", like);
  else
    used = (size_t)snprintf(text, LIST_SIZE, "it must be one of: ");
  for (size_t i = 0; i < count && used < LIST_SIZE; i++)
    used += (size_t)snprintf(text + used, LIST_SIZE - used, "%s%s", i > 0 ? ", " : "", words[i]);
}

/* ---- Single values ----------------------------------------------------------------------------------------------- */

bool case_is_scalar(case_reading *reading, const yaml_node *node)
{
  char name[YAML_PATH_SIZE];
  if (node->kind == YAML_SCALAR)
    return true;
  if (node->kind == YAML_NOTHING)
    case_report(&reading->problems, yaml_place(node), "'%s' has no value", case_name(node, name));
  else
    case_report(&reading->problems, node->at, "'%s' must be a single value, not a %s", case_name(node, name),
                node->kind == YAML_LIST ? "list" : "block");
  return false;
}

static bool is_within(double value, case_range range)
{
  return (range.min_is_open ? value > range.min : value >= range.min) &&
         (range.max_is_open ? value < range.max : value <= range.max);
}

static void refuse_range(case_reading *reading, const yaml_node *node, const char *what, case_range range,
                         const char *unit)
{
  char name[YAML_PATH_SIZE], min[QUANTITY_TEXT_SIZE], max[QUANTITY_TEXT_SIZE], quoted[TEXT_QUOTE_SIZE];
  case_report(&reading->problems, node->at, "'%s' must %s %c%s, %s%c%s%s, not %s", case_name(node, name), what,
              range.min_is_open ? '(' : '[', number_print_shortest(range.min, min),
              number_print_shortest(range.max, max), range.max_is_open ? ')' : ']', *unit ? " " : "", unit,
              text_quote(node->text, quoted));
}

bool case_read_quantity(case_reading *reading, const yaml_node *node, case_dimension dimension, case_range range,
                        double *value)
{
  char message[QUANTITY_MESSAGE_SIZE], name[YAML_PATH_SIZE];
  double read;
  if (!case_is_scalar(reading, node))
    return false;
  if (!quantity_parse(node->text, case_name(node, name), dimension, &read, message)) {
    case_report(&reading->problems, node->at, "%s", message);
    return false;
  }
  if (!is_within(read, range)) {
    refuse_range(reading, node, "lie in", range, dimension_unit(dimension));
    return false;
  }
  *value = read + 0.0; /* no -0 */
  return true;
}

bool case_read_integer(case_reading *reading, const yaml_node *node, double min, double max, long *value)
{
  case_range range = {min, max, false, false};
  int64_t read;
  if (!case_is_scalar(reading, node))
    return false;
  if (!integer_parse(node->text, &read) || !is_within((double)read, range)) {
    refuse_range(reading, node, "be a whole number in", range, "");
    return false;
  }
  *value = (long)read;
  return true;
}

static void read_flag(case_reading *reading, const yaml_node *node, bool *value)
{
  static const char *const words[] = {"false", "true"};
  int choice = case_read_choice(reading, node, words, 2);
  if (choice >= 0)
    *value = choice == 1;
}

/* A text of at most `bytes_max` bytes, to be freed */
static void read_text(case_reading *reading, const yaml_node *node, double bytes_max, char **text)
{
  char name[YAML_PATH_SIZE];
  if (!case_is_scalar(reading, node))
    return;
  if ((double)strlen(node->text) > bytes_max) {
    case_report(&reading->problems, node->at, "'%s' must not be longer than %.0f bytes", case_name(node, name),
                bytes_max);
    return;
  }
  *text = strdup(node->text);
  if (!*text)
    reading->problems.out_of_memory = true;
}

int case_read_choice(case_reading *reading, const yaml_node *node, const char *const words[], int count)
{
  char text[LIST_SIZE], quoted[TEXT_QUOTE_SIZE], name[YAML_PATH_SIZE];
  if (!case_is_scalar(reading, node))
    return -1;
  for (int i = 0; i < count; i++)
    if (strcmp(node->text, words[i]) == 0)
      return i;
  case_suggest(node->text, words, (size_t)count, text);
  case_report(&reading->problems, node->at, "'%s' cannot be %s: %s", case_name(node, name),
              text_quote(node->text, quoted), text);
  return -1;
}

int case_read_quantities(case_reading *reading, const yaml_node *node, case_dimension dimension, case_range range,
                         int least, int most, double values[])
{
  char name[YAML_PATH_SIZE], limits[64];
  if (least == most)
    snprintf(limits, sizeof limits, "%d", least);
  else
    snprintf(limits, sizeof limits, "%d to %d", least, most);
  if (node->kind != YAML_LIST || node->count < (size_t)least || node->count > (size_t)most) {
    case_report(&reading->problems, yaml_value_place(node), "'%s' must be a list of %s numbers: [..., ...]",
                case_name(node, name), limits);
    return 0;
  }
  int count = 0;
  bool all_good = true;
  for (const yaml_node *item = node->first; item; item = item->next)
    all_good = case_read_quantity(reading, item, dimension, range, &values[count++]) && all_good;
  return all_good ? count : 0;
}

/* ---- Maps -------------------------------------------------------------------------------------------------------- */

static void refuse_key(case_reading *reading, const yaml_node *entry, const case_field fields[], size_t count)
{
  const char *keys[FIELDS_MAX];
  char text[LIST_SIZE], quoted[TEXT_QUOTE_SIZE], path[YAML_PATH_SIZE];
  assert(count <= FIELDS_MAX);
  for (size_t i = 0; i < count; i++)
    keys[i] = fields[i].key;
  case_suggest(entry->key, keys, count, text);
  yaml_path(entry->parent, path);
  if (strcmp(entry->key, "<<") == 0)
    snprintf(text, sizeof text, "maps cannot be merged: write the values out");
  else if (strchr(entry->key, ':'))
    snprintf(text, sizeof text, "a space must follow ':'");
  case_report(&reading->problems, entry->key_at, "unknown key %s%s%s%s: %s", text_quote(entry->key, quoted),
              *path ? " in '" : "", path, *path ? "'" : "", text);
}

/* The first entry with the key of this one. */
static const yaml_node *first_of_key(const yaml_node *entry)
{
  return yaml_entry(entry->parent, entry->key);
}

static void refuse_repetition(case_reading *reading, const yaml_node *entry)
{
  const case_problems *problems = &reading->problems;
  text_place first = text_find_place(problems->text, problems->size, first_of_key(entry)->key_at.offset);
  if (first_of_key(entry)->key_at.setting == CASE_FILE)
    case_report(&reading->problems, entry->key_at, "'%s' is given twice, first in line %zu", entry->key, first.line);
  else
    case_report(&reading->problems, entry->key_at, "'%s' is given twice", entry->key);
}

static bool is_known(const char *key, const case_field fields[], size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (strcmp(key, fields[i].key) == 0)
      return true;
  return false;
}

static void check_keys(case_reading *reading, const yaml_node *map, const case_field fields[], size_t count)
{
  for (const yaml_node *entry = map->first; entry; entry = entry->next)
    if (!is_known(entry->key, fields, count))
      refuse_key(reading, entry, fields, count);
    else if (first_of_key(entry) != entry)
      refuse_repetition(reading, entry);
}

static void read_field(case_reading *reading, const yaml_node *node, const case_field *field, void *target)
{
  void *place = (char *)target + field->offset;
  switch (field->kind) {
  case CASE_QUANTITY:
    (void)case_read_quantity(reading, node, field->dimension, field->range, place);
    break;
  case CASE_INTEGER:
    (void)case_read_integer(reading, node, field->range.min, field->range.max, place);
    break;
  case CASE_FLAG:
    read_flag(reading, node, place);
    break;
  case CASE_TEXT:
    read_text(reading, node, field->range.max, place);
    break;
  case CASE_OTHER:
    field->read(reading, node, place);
    break;
  }
}

/* The map has an unknown key that is similar to this one: it has been reported, with this key as a suggestion. */
static bool is_misspelt(const yaml_node *map, const case_field fields[], size_t count, const char *key)
{
  for (const yaml_node *entry = map->first; entry; entry = entry->next)
    if (!is_known(entry->key, fields, count) && case_most_like(entry->key, &key, 1))
      return true;
  return false;
}

static void report_missing(case_reading *reading, const yaml_node *map, const case_field *field)
{
  char path[YAML_PATH_SIZE];
  yaml_path(map, path);
  case_report(&reading->problems, yaml_place(map), "'%s' is missing%s%s%s: write it like '%s: %s'", field->key,
              *path ? " in '" : "", path, *path ? "'" : "", field->key, field->example);
}

/* Reports a node that is no map. */
static bool is_map(case_reading *reading, const yaml_node *node, const case_field fields[])
{
  char name[YAML_PATH_SIZE];
  if (node->kind == YAML_MAP)
    return true;
  case_report(&reading->problems, yaml_value_place(node), "'%s' must be a block with keys, such as '%s'",
              case_name(node, name), fields[0].key);
  return false;
}

uint64_t case_read_map(case_reading *reading, const yaml_node *node, const case_field fields[], size_t count,
                       void *target)
{
  uint64_t found = 0;
  if (!is_map(reading, node, fields))
    return 0;
  check_keys(reading, node, fields, count);
  for (size_t i = 0; i < count; i++) {
    const yaml_node *entry = yaml_entry(node, fields[i].key);
    if (entry) {
      found |= UINT64_C(1) << i;
      read_field(reading, entry, &fields[i], target);
    } else if (fields[i].example && !is_misspelt(node, fields, count, fields[i].key)) {
      report_missing(reading, node, &fields[i]);
    }
  }
  return found;
}

int case_read_one_of(case_reading *reading, const yaml_node *node, const case_field fields[], size_t count,
                     void *target)
{
  char name[YAML_PATH_SIZE], list[LIST_SIZE];
  uint64_t found = case_read_map(reading, node, fields, count, target);
  if (node->kind != YAML_MAP)
    return -1;
  if (found != 0 && (found & (found - 1)) == 0) {
    int number = 0;
    while (!(found >> number & 1))
      number++;
    return number;
  }
  if (found == 0 && node->count > 0) /* the keys are unknown, which has been reported */
    return -1;
  size_t used = 0;
  for (size_t i = 0; i < count && used < sizeof list; i++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", fields[i].key);
  case_report(&reading->problems, yaml_place(node), "'%s' must have one of the keys %s, not %s", case_name(node, name),
              list, found ? "more" : "none");
  return -1;
}
