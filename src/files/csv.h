/* SPDX-License-Identifier: MIT */
/*
 * A reader for CSV files of numbers with a header. Files may have any length; the memory is constant.
 *
 * Fields are separated by commas; spaces and tabs around them are allowed. A `#` starts a comment. Empty lines are
 * skipped. Lines end with LF or CRLF; the last line need not. A UTF-8 byte-order mark at the start is skipped. Each
 * row must have as many fields as the header, and each field must be a number.
 */
#ifndef JAGER_FILES_CSV_H
#define JAGER_FILES_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  CSV_LINE_MAX = 4096, /* bytes of a line without its end */
  CSV_COLUMNS_MAX = 16,
  CSV_BUFFER_SIZE = 1 << 16,
  CSV_MESSAGE_SIZE = 1024
};

typedef enum csv_result {
  CSV_ROW,    /* a header or a row was read */
  CSV_END,    /* the file has ended */
  CSV_BAD,    /* the contents are wrong: see `message` */
  CSV_BROKEN, /* the file cannot be read: see `message` */
} csv_result;

/* Reads up to `capacity` bytes and returns their number; 0 at the end, -1 with errno on failure. */
typedef ptrdiff_t csv_source(void *context, char *bytes, size_t capacity);

typedef struct csv_name {
  const char *text; /* in the buffer of the reader, until a row is read; without a NUL at its end */
  size_t length;
  size_t at; /* position in the line, from 1 */
} csv_name;

typedef struct csv_header {
  csv_name names[CSV_COLUMNS_MAX];
  size_t count;
  size_t end; /* position after the last name */
} csv_header;

typedef struct csv_reader {
  csv_source *source;
  void *context;
  const char *file_name;      /* for messages */
  uint64_t line;              /* number of the last line, from 1 */
  size_t columns;             /* of the header */
  size_t at[CSV_COLUMNS_MAX]; /* positions in the last row at which its fields start, from 1 */
  size_t begin, end;          /* the unread part of the buffer */
  bool at_end;                /* the source has ended */
  char buffer[CSV_BUFFER_SIZE];
  char message[CSV_MESSAGE_SIZE]; /* "path.csv:17:9: reason" */
} csv_reader;

/* A csv_source that reads from the file descriptor to which `context` points. */
ptrdiff_t csv_read_descriptor(void *context, char *bytes, size_t capacity);

void csv_open(csv_reader *reader, csv_source *source, void *context, const char *file_name);

csv_result csv_read_header(csv_reader *reader, csv_header *header);

/*
 * Reads one row: as many values as the header has columns. After another result than CSV_ROW the reader must not be
 * used.
 */
csv_result csv_read_row(csv_reader *reader, double values[]);

/* Sets the message to "file:line:column: text", with the last line. Returns CSV_BAD. */
__attribute__((format(printf, 3, 4))) csv_result csv_fail(csv_reader *reader, size_t column, const char *format, ...);

enum { CSV_QUOTE_SIZE = 64 };

/*
 * Quotes a part of the file for a message: shortened, with control characters as hexadecimal codes. Returns `quoted`.
 */
const char *csv_quote(const char *text, size_t length, char quoted[CSV_QUOTE_SIZE]);

#endif
