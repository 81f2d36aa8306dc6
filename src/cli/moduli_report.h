/* SPDX-License-Identifier: MIT */
/* The results of `jager moduli` and how they are written. */
#ifndef JAGER_CLI_MODULI_REPORT_H
#define JAGER_CLI_MODULI_REPORT_H

#include "base/file_system.h"
#include "dem/case.h"
#include "moduli/moduli.h"

#include <stdio.h>

#define MODULI_COMMAND "jager moduli"

/* Which moment of which run it is. */
typedef struct moduli_origin {
  bool is_case; /* made from a case file, not read from a checkpoint */
  long step;
  int stage, stage_count;
  char stage_name[DEM_NAME_MAX];
  jager_model model;
  jager_contour contour;
} moduli_origin;

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

/* Writes into a file that was opened for `path`, and puts it in its place. The caller discards it on failure. */
bool moduli_report_write_csv(const moduli_report *report, whole_file *file, const char *path, error_info *error);

/* The numbers of the picture of a moduli_report as JSON, for python/jager/_pictures/moduli.py. */
void moduli_report_print_plot(const void *report, FILE *out);

#endif
