/* SPDX-License-Identifier: MIT */
/* The results of `jager moduli` as named numbers: one list for CSV and JSON. */
#ifndef JAGER_CLI_MODULI_TABLE_H
#define JAGER_CLI_MODULI_TABLE_H

#include "moduli/moduli.h"

/* Is called with the name of a number, such as "c44" or "bulk_affine", and its value. */
typedef void moduli_visitor(void *context, const char *name, double value);

/* Visits all numbers of a result, in the order of the columns. docs/files.md lists them. */
void moduli_table_visit(const moduli_result *result, moduli_visitor *visitor, void *context);

#endif
