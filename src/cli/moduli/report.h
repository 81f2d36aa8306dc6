/* SPDX-License-Identifier: MIT */
/* The results of `jager moduli` for people, as CSV, as JSON and as a picture. */
#ifndef JAGER_CLI_MODULI_REPORT_H
#define JAGER_CLI_MODULI_REPORT_H

#include "base/whole_file.h"
#include "moduli/fit.h"
#include "moduli/moduli.h"
#include "state.h"

#include <stdio.h>

typedef struct moduli_entry {
  const char *path;
  moduli_origin origin;
  moduli_result result;
} moduli_entry;

typedef struct moduli_report {
  moduli_entry *entries;
  size_t count;
  bool has_fits;          /* two or more pressures, and all moduli positive */
  moduli_fit shear, bulk; /* G and K over p, with the initial stress */
} moduli_report;

/* Puts the entries into the order of their pressures. */
void moduli_report_sort(moduli_report *report);

/* Finds the fits, if there can be any. False: not enough memory. */
bool moduli_report_fit(moduli_report *report, error_info *error);

void moduli_report_print(const moduli_report *report, FILE *out);
void moduli_report_print_json(const moduli_report *report, FILE *out);

/* The doubts about a result, as warnings on stderr. */
void moduli_report_warn(const moduli_entry *entry);

/* Write into files that were opened for `path`, and put them in their places. The caller discards them on failure. */
bool moduli_report_write_csv(const moduli_report *report, whole_file *file, const char *path, error_info *error);
bool moduli_report_draw(const moduli_report *report, whole_file *file, const char *path, error_info *error);

#endif
