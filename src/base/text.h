/* SPDX-License-Identifier: MIT */
/* Text in UTF-8 from users: allowed characters, lines and columns, and quoting it in messages. */
#ifndef JAGER_BASE_TEXT_H
#define JAGER_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Decodes the character of UTF-8 at `at`, which is before `end`. Returns its length; 0 if it is not well-formed. */
size_t text_decode(const char *at, const char *end, uint32_t *code);

/*
 * Offset of the first character that is not allowed; `size` if all are. Allowed are the characters of well-formed
 * UTF-8, without control characters other than tab, LF and CR LF, and without line separators and byte-order marks.
 */
size_t text_find_bad(const char *text, size_t size);

/* Line and column, both counted from 1. Columns count characters. */
typedef struct text_place {
  size_t line, column;
  size_t start, end; /* offsets of the line, without its line break */
} text_place;

text_place text_find_place(const char *text, size_t size, size_t offset);

/* The reverse: the offset of a line and column; the end of a shorter line, or of a text with fewer lines. */
size_t text_find_offset(const char *text, size_t size, size_t line, size_t column);

/* Prints a text in one line: characters that are not allowed, and line breaks, become question marks. */
void text_print(const char *text, FILE *stream);

/* Prints the line of an offset and below it a caret; of a long line, the part around the caret. */
void text_print_line(const char *text, size_t size, size_t offset, FILE *stream);

enum { TEXT_QUOTE_SIZE = 64 };

/* The text in single quotation marks, shortened if it is long. Returns `quoted`. */
const char *text_quote(const char *text, char quoted[TEXT_QUOTE_SIZE]);

#endif
