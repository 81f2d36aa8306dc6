/* SPDX-License-Identifier: MIT */
/*
 * The reader of case files: YAML text, changed by settings (--set), becomes the description of a run. docs/case.md
 * specifies the format.
 *
 * The reader prints nothing. It collects up to ten errors in a text for people, each with its line and column,
 *
 *     case.yaml:12:5: unknown key 'frictoin' in 'material': did you mean 'friction'? one of: ...
 *
 * followed by the line and a caret below it. Errors in a setting begin with "--set key=value: ", or "key=value: ". A
 * case without errors may still have warnings, in the same form.
 */
#ifndef JAGER_CASE_READER_H
#define JAGER_CASE_READER_H

#include "run_case.h"

#include <stddef.h>
#include <stdio.h>

enum { CASE_SIZE_MAX = 1000000 }; /* bytes of a case file */

/* Where a case comes from. */
typedef struct case_source {
  const char *path;            /* of the file; relative paths in the case begin in its directory */
  const char *const *settings; /* "key=value", applied in this order */
  size_t setting_count;
  bool has_plain_settings; /* messages name a setting "key=value" and not as an option of the program */
} case_source;

/*
 * Reads the file source->path. Returns EXIT_DONE and a case to be freed with run_case_free, or else EXIT_BAD_INPUT or
 * EXIT_IO_FAILED and nothing to free but the messages.
 *
 * `messages` gets the errors or warnings, lines of text to be freed; NULL if there are none, or no memory for them.
 * `input`, unless it is NULL, gets the text of the file with the settings as comments at its end, to be freed.
 */
int case_read(run_case *run, const case_source *source, char **input, char **messages);

/* The same for a text in memory; source->path is its name in messages. */
int case_read_text(run_case *run, const case_source *source, const char *text, size_t size, char **input,
                   char **messages);

/*
 * The same for a text that case_read has given as `input`, and a run has recorded in its files: the settings at its end
 * are applied again. `path` is the file that holds it.
 */
int case_read_recorded(run_case *run, const char *path, const char *text, char **messages);

/*
 * The same with source->settings after those at the end of the text. Earlier settings of the same keys, or of keys
 * within them, are dropped: `input` does not grow when values change again and again.
 */
int case_read_changed(run_case *run, const case_source *source, const char *text, char **input, char **messages);

/* Prints a case as text for people: what `jager run` would do. */
void case_print(const run_case *run, FILE *stream);

#endif
