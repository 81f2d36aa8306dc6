/* SPDX-License-Identifier: MIT */
/* Settings: values of a case that the command line changes, as --set material.friction=0.3 */
#ifndef JAGER_CASE_SETTINGS_H
#define JAGER_CASE_SETTINGS_H

#include "yaml_tree.h"

/*
 * Applies all problems->settings to the tree, in their order. A setting is PATH=VALUE; the path consists of keys,
 * names of list items, or numbers of list items counted from 0. Missing blocks are made. Reports errors.
 */
void case_settings_apply(yaml_node *root, size_t count, case_problems *problems);

/*
 * Adds a setting to a list in which there is room for it, and drops earlier ones that it makes superfluous: those of
 * the same key, or of keys within it. Returns the new number.
 */
size_t case_settings_add(const char **settings, size_t count, const char *setting);

#endif
