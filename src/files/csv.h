/* SPDX-License-Identifier: MIT */
/*
 * A reader for CSV files of numbers with a header, of any length, in constant memory.
 *
 * Fields are separated by commas, with spaces or tabs around them as one likes. What follows a `#` is a comment; lines
 * without anything are skipped. Lines end with LF or CRLF, the last one may lack it. A UTF-8 byte-order mark at the
 * start is skipped. Nothing else is forgiven: each row has as many fields as the header, and each is a number.
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
  CSV_END,    /* there is no more */
  CSV_BAD,    /* the file is wrong: see `message` */
  CSV_BROKEN, /* it could not be read: see `message` */
} csv_result;

/* Gives up to `capacity` bytes and returns how many; 0 at the end, -1 (with errno) on failure. */
typedef ptrdiff_t csv_source(void *context, char *bytes, size_t capacity);

typedef struct csv_name {
  const char *text; /* in the reader's buffer: valid until a row is read; not terminated */
  size_t length;
  size_t at; /* column in the line, from 1 */
} csv_name;

typedef struct csv_header {
  csv_name names[CSV_COLUMNS_MAX];
  size_t count;
  size_t end; /* column behind the last name */
} csv_header;

typedef struct csv_reader {
  csv_source *source;
  void *context;
  const char *file_name;      /* for messages */
  uint64_t line;              /* number of the line read last, from 1 */
  size_t columns;             /* of the header */
  size_t at[CSV_COLUMNS_MAX]; /* column in the line at which each field of the last row starts, from 1 */
  size_t begin, end;          /* what is left in the buffer */
  bool at_end;                /* the source has no more */
  char buffer[CSV_BUFFER_SIZE];
  char message[CSV_MESSAGE_SIZE]; /* "path.csv:17:9: what is wrong" */
} csv_reader;

/* A source's read(2) from the file descriptor that `context` points to. */
ptrdiff_t csv_read_descriptor(void *context, char *bytes, size_t capacity);

void csv_open(csv_reader *reader, csv_source *source, void *context, const char *file_name);

csv_result csv_read_header(csv_reader *reader, csv_header *header);

/* One row: as many values as the header has columns. After anything but CSV_ROW, do not read on. */
csv_result csv_read_row(csv_reader *reader, double values[]);

/* Makes the message "file:line:column: text", with the line read last. Returns CSV_BAD. */
__attribute__((format(printf, 3, 4))) csv_result csv_fail(csv_reader *reader, size_t column, const char *format, ...);

enum { CSV_QUOTE_SIZE = 64 };

/* A piece of the file, fit for a message: shortened, and without bytes that a terminal would obey. Returns `quoted`. */
const char *csv_quote(const char *text, size_t length, char quoted[CSV_QUOTE_SIZE]);

#endif
