/* SPDX-License-Identifier: MIT */
/* The text of a case file: which characters it may have, and where in it something is. */
#ifndef JAGER_BASE_TEXT_H
#define JAGER_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Decodes one character of UTF-8, which begins before `end`, and returns its length; 0 if it is not well-formed. */
size_t text_decode(const char *at, const char *end, uint32_t *code);

/*
 * Where the first character is that a case must not have; `size` if there is none. Allowed is well-formed UTF-8 without
 * control characters but tab, LF and CR LF, and without the other characters that YAML or terminals take for commands.
 */
size_t text_find_bad(const char *text, size_t size);

/* Line and column, both from 1. Columns count characters. */
typedef struct text_place {
  size_t line, column;
  size_t start, end; /* of the line, without what ends it */
} text_place;

text_place text_find_place(const char *text, size_t size, size_t offset);

/* The reverse: the line's end if it is shorter, the text's end if it has fewer lines. */
size_t text_find_offset(const char *text, size_t size, size_t line, size_t column);

/* Prints a text in one line: what must not be in it becomes a question mark. */
void text_print(const char *text, FILE *stream);

/* Prints the line and, below, a caret at the place. Of long lines the part around it. */
void text_print_line(const char *text, size_t size, size_t offset, FILE *stream);

enum { TEXT_QUOTE_SIZE = 64 };

/* In quotation marks, shortened if it is long. Returns `quoted`. */
const char *text_quote(const char *text, char quoted[TEXT_QUOTE_SIZE]);

#endif
