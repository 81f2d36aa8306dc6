/* SPDX-License-Identifier: MIT */
/*
 * Text in UTF-8 and decimal numbers in it: characters that are allowed, lines and columns, quoting in messages; numbers
 * read and printed the same in every locale; values in JSON.
 */
#ifndef JAGER_BASE_TEXT_H
#define JAGER_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- Characters, lines and quotes -------------------------------------------------------------------------------- */

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

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

/* Reading is strict: no hexadecimal, no "inf", no "nan". */

/* Largest length of the text of one number. */
enum { NUMBER_TEXT_MAX = 4096 };

/*
 * Reads the number that starts at `at` and returns its end, or `at` if no number starts there. The value is rounded
 * correctly, and is infinite if it is too large for a double.
 */
const char *number_scan(const char *at, const char *end, double *value);

/* Reads a text that is one finite number, or "inf". False for any other text. */
bool number_parse(const char *text, double *value);

enum { NUMBER_PRINT_SIZE = 40 };

/*
 * Prints a number so that reading it gives the same double: 17 significant digits, integers without a decimal point,
 * "nan", "inf" or "-inf". A negative zero becomes 0. Returns the length.
 */
int number_print(double value, char text[NUMBER_PRINT_SIZE]);

/*
 * Prints a finite number with the fewest digits that give the same double: "0.15", "100000", "1e6". Returns `text`.
 */
const char *number_print_shortest(double value, char text[NUMBER_PRINT_SIZE]);

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

/* Write errors stay with the stream. */

/* Prints a string with its quotation marks. Bytes that are not UTF-8 become U+FFFD. */
void json_print_string(const char *text, FILE *out);

/* Prints a number with 17 significant digits; null if it is infinite or NaN, which JSON lacks. */
void json_print_number(double value, FILE *out);

#endif
