/* SPDX-License-Identifier: MIT */
/* The nodes of a YAML tree. */
#include "yaml_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void append(yaml_node *parent, yaml_node *child)
{
  child->parent = parent;
  if (parent->last)
    parent->last->next = child;
  else
    parent->first = child;
  parent->last = child;
  parent->count++;
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
  if (parent)
    append(parent, node);
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

static size_t number_in_list(const yaml_node *node)
{
  size_t number = 0;
  for (const yaml_node *other = node->parent->first; other != node; other = other->next)
    number++;
  return number;
}

/* Key, name or number of a node; a number is written into `digits`. */
static const char *step_name(const yaml_node *node, char digits[24])
{
  const yaml_node *name = yaml_entry(node, "name");
  if (node->key)
    return node->key;
  if (name && name->kind == YAML_SCALAR)
    return name->text;
  snprintf(digits, 24, "%zu", number_in_list(node));
  return digits;
}

const char *yaml_path(const yaml_node *node, char path[YAML_PATH_SIZE])
{
  const yaml_node *way[YAML_DEPTH_MAX + 1];
  int steps = 0;
  for (; node->parent && steps <= YAML_DEPTH_MAX; node = node->parent)
    way[steps++] = node;
  size_t used = 0;
  path[0] = '\0';
  while (steps-- > 0 && used < YAML_PATH_SIZE) {
    char digits[24];
    used += (size_t)snprintf(path + used, YAML_PATH_SIZE - used, "%s%.63s", used > 0 ? "." : "",
                             step_name(way[steps], digits));
  }
  return path;
}
