/* SPDX-License-Identifier: MIT */
/*
 * YAML as a tree of maps, lists and single values, each with its place. Only what a case needs is allowed: one
 * document, values of one line; no anchors, aliases, tags or directives. So the tree is never larger than the text.
 */
#ifndef JAGER_CASE_YAML_TREE_H
#define JAGER_CASE_YAML_TREE_H

#include "problems.h"

#include <stddef.h>

enum { YAML_DEPTH_MAX = 16, YAML_NODES_MAX = 20000 };

typedef enum yaml_kind { YAML_NOTHING, YAML_SCALAR, YAML_LIST, YAML_MAP } yaml_kind;

typedef struct yaml_node {
  yaml_kind kind;
  char *key;  /* in a map, else NULL */
  char *text; /* of a scalar, else NULL */
  case_origin key_at, at;
  struct yaml_node *parent, *next; /* the next in the same map or list */
  struct yaml_node *first, *last;  /* in this map or list */
  size_t count;
} yaml_node;

/* NULL if the text is wrong, which has then been reported. `setting` is the --set whose value it is, or CASE_FILE. */
yaml_node *yaml_parse(const char *text, size_t size, int setting, case_problems *problems);

void yaml_free(yaml_node *node);

/* An entry of a map; NULL if there is none, or `node` is NULL or no map. */
yaml_node *yaml_entry(const yaml_node *node, const char *key);

/* An item of a list, by its number from 0. */
yaml_node *yaml_item(const yaml_node *node, size_t number);

/* Adds an entry (or an item, if `key` is NULL) that has no value yet. NULL if memory is short. */
yaml_node *yaml_add(yaml_node *parent, const char *key, case_origin at);

/* Gives the node the value of another one, whose key is ignored and which is freed. */
void yaml_replace(yaml_node *node, yaml_node *by);

/* Where to point when all of a node is meant: at its key, or at the --set that its value comes from. */
case_origin yaml_place(const yaml_node *node);

/* Where to point when its value is wrong: at that, if there is one. */
case_origin yaml_value_place(const yaml_node *node);

enum { YAML_PATH_SIZE = 256 };

/* "stages.biaxial.until": the way to the node, with the names of list items that have one. Returns `path`. */
const char *yaml_path(const yaml_node *node, char path[YAML_PATH_SIZE]);

#endif
