/* SPDX-License-Identifier: MIT */
/* Values that the command line puts into a case: --set material.friction=0.3 */
#ifndef JAGER_CASE_SETTINGS_H
#define JAGER_CASE_SETTINGS_H

#include "yaml_tree.h"

/*
 * Does all problems->settings to the tree, in their order. A key is a path of keys, of numbers of list items from 0,
 * and of their names. Blocks that are not there are made. Reports what is wrong.
 */
void case_settings_apply(yaml_node *root, size_t count, case_problems *problems);

#endif
