/* SPDX-License-Identifier: MIT */
/*
 * YAML as a tree of maps, lists and single values, each with its place in the text, and the errors and warnings that
 * are reported at such places. Only the YAML that a case needs is allowed: one document, values of one line; no
 * anchors, aliases, tags or directives. So the tree is never larger than the text.
 */
#ifndef JAGER_CASE_YAML_H
#define JAGER_CASE_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- Problems: collected while a case is read, then printed in the order of the file ----------------------------- */

/* The origin of a key or value. */
typedef struct case_origin {
  int setting;   /* number of the --set, counted from 0; CASE_FILE: the file */
  size_t offset; /* in the file */
} case_origin;

enum { CASE_FILE = -1, CASE_PROBLEMS_MAX = 10, CASE_PROBLEM_SIZE = 1024 };

typedef struct case_problem {
  case_origin at;
  char text[CASE_PROBLEM_SIZE];
} case_problem;

typedef struct case_problems {
  const char *file_name, *text;
  size_t size;
  const char *const *settings;
  bool has_plain_settings; /* printed without "--set " */
  bool are_warnings;
  size_t count; /* may exceed CASE_PROBLEMS_MAX */
  bool out_of_memory;
  case_problem kept[CASE_PROBLEMS_MAX];
} case_problems;

__attribute__((format(printf, 3, 4))) void case_report(case_problems *problems, case_origin at, const char *format,
                                                       ...);

/*
 * Prints "file:line:column: text" with the line and a caret, or "--set key=value: text"; for warnings "warning:
 * text".
 */
void case_problems_print(case_problems *problems, FILE *stream);

/* ---- The tree ---------------------------------------------------------------------------------------------------- */

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

/* NULL after a report of errors. `setting` is the number of the --set whose value the text is, or CASE_FILE. */
yaml_node *yaml_parse(const char *text, size_t size, int setting, case_problems *problems);

void yaml_free(yaml_node *node);

/* The entry of a map; NULL if the key is missing, or `node` is NULL or no map. */
yaml_node *yaml_entry(const yaml_node *node, const char *key);

/* The item of a list with this number, counted from 0; NULL if there are fewer. */
yaml_node *yaml_item(const yaml_node *node, size_t number);

/* Adds an entry (an item if `key` is NULL) without a value. NULL if memory is short. */
yaml_node *yaml_add(yaml_node *parent, const char *key, case_origin at);

/* Moves the value of node `by` to the node and frees `by`. */
void yaml_replace(yaml_node *node, yaml_node *by);

/* The place of the whole node in messages: its key, or the --set of its value. */
case_origin yaml_place(const yaml_node *node);

/* The place of the value in messages, or of the node if it has no value. */
case_origin yaml_value_place(const yaml_node *node);

enum { YAML_PATH_SIZE = 256 };

/* The path of a node, as "stages.biaxial.until". Items of lists are given by name or number. Returns `path`. */
const char *yaml_path(const yaml_node *node, char path[YAML_PATH_SIZE]);

#endif
