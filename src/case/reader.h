/* SPDX-License-Identifier: MIT */
/*
 * The reader of case files: YAML, with what --set changes, to a dem_case. The format is told in docs/case.md.
 *
 * All mistakes are told at once (up to ten), each as
 *
 *     case.yaml:12:5: unknown key 'frictoin' in 'material': did you mean 'friction'? one of: ...
 *
 * with the line and a caret below it; mistakes in a setting begin with "--set key=value: ".
 */
#ifndef JAGER_CASE_READER_H
#define JAGER_CASE_READER_H

#include "dem/case.h"

#include <stddef.h>
#include <stdio.h>

enum { CASE_SIZE_MAX = 1000000 }; /* bytes of a case file */

/* Where a case comes from. */
typedef struct case_source {
  const char *path;            /* of the file; relative paths in the case begin in its directory */
  const char *const *settings; /* "key=value", done in this order */
  size_t setting_count;
} case_source;

/*
 * Reads the file. Returns the program's exit code; unless that is EXIT_DONE, what went wrong has been told on `errors`
 * and there is nothing to free. Else free with dem_case_free. `text`, if it is not NULL, gets the whole input, with the
 * settings as comments at its end; to be freed as well.
 */
int case_read(dem_case *run, const case_source *source, char **text, FILE *errors);

/* The same for a text in memory; source->path is the name that messages have. */
int case_read_text(dem_case *run, const case_source *source, const char *text, size_t size, FILE *errors);

#endif
