/* SPDX-License-Identifier: MIT */
/* Settings: values of a case that the command line changes. */
#include "settings.h"
#include "fields.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static yaml_node *item_by_name(const yaml_node *list, path_step step)
{
  for (yaml_node *item = list->first; item; item = item->next) {
    const yaml_node *name = yaml_entry(item, "name");
    if (name && name->kind == YAML_SCALAR && is_step(step, name->text))
      return item;
  }
  return NULL;
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

static yaml_node *go_into_list(yaml_node *list, path_step step, int setting, case_problems *problems)
{
  yaml_node *item = is_number(step) ? yaml_item(list, strtoul(step.start, NULL, 10)) : item_by_name(list, step);
  if (!item)
    refuse_item(list, step, setting, problems);
  return item;
}

static yaml_node *go_into_map(yaml_node *map, path_step step, int setting, case_problems *problems)
{
  for (yaml_node *entry = map->first; entry; entry = entry->next)
    if (is_step(step, entry->key))
      return entry;
  char *key = strndup(step.start, step.length);
  yaml_node *entry = key ? yaml_add(map, key, origin_of(setting)) : NULL;
  free(key);
  if (!entry)
    problems->out_of_memory = true;
  return entry;
}

static yaml_node *go(yaml_node *from, path_step step, int setting, case_problems *problems)
{
  char path[YAML_PATH_SIZE];
  if (from->kind == YAML_LIST)
    return go_into_list(from, step, setting, problems);
  if (from->kind == YAML_SCALAR) {
    case_report(problems, origin_of(setting), "'%s' is a single value: there is no '%.*s' in it", yaml_path(from, path),
                (int)step.length, step.start);
    return NULL;
  }
  from->kind = YAML_MAP;
  return go_into_map(from, step, setting, problems);
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

static void apply(yaml_node *root, const char *setting, int number, case_problems *problems)
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

void case_settings_apply(yaml_node *root, size_t count, case_problems *problems)
{
  for (size_t i = 0; i < count; i++)
    apply(root, problems->settings[i], (int)i, problems);
}

/* Does the setting change the value of the key, or a value within it? */
static bool is_within(const char *setting, const char *key, size_t length)
{
  return strncmp(setting, key, length) == 0 && (setting[length] == '=' || setting[length] == '.');
}

size_t case_settings_add(const char **settings, size_t count, const char *setting)
{
  size_t kept = 0, length = strcspn(setting, "=");
  for (size_t i = 0; i < count; i++)
    if (!is_within(settings[i], setting, length))
      settings[kept++] = settings[i];
  settings[kept++] = setting;
  return kept;
}
