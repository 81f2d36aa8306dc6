/* SPDX-License-Identifier: MIT */
/*
 * The readers of CSV files and of paths. Streaming is checked by sources that give one byte at a time, errors by the
 * whole text of their messages.
 */
#include "files/path_reader.h"
#include "support.h"

#include "unit_test.h"
#include <errno.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

/* ---- A source in memory ------------------------------------------------------------------------------------------ */

typedef struct memory {
  const char *bytes;
  size_t size, used;
  size_t chunk;      /* the largest number of bytes in one call */
  size_t fails_from; /* reading fails from this byte on; SIZE_MAX: never */
} memory;

static ptrdiff_t read_memory(void *context, char *bytes, size_t capacity)
{
  memory *source = context;
  size_t count = source->size - source->used;
  if (source->used >= source->fails_from) {
    errno = EIO;
    return -1;
  }
  count = count < source->chunk ? count : source->chunk;
  count = count < capacity ? count : capacity;
  memcpy(bytes, source->bytes + source->used, count);
  source->used += count;
  return (ptrdiff_t)count;
}

static memory memory_of(const char *text)
{
  return (memory){text, strlen(text), 0, SIZE_MAX, SIZE_MAX};
}

enum { STEPS_MAX = 16 };

/* A whole path. */
typedef struct whole {
  path_step steps[STEPS_MAX];
  size_t count;
  csv_result result;
  char message[CSV_MESSAGE_SIZE];
} whole;

static path_reader reader; /* large: not on the stack */

static whole read_all(memory source, path_control control)
{
  whole all = {.count = 0};
  all.result = path_reader_open(&reader, control, read_memory, &source, "path.csv");
  while (all.result == CSV_ROW && all.count < STEPS_MAX) {
    all.result = path_reader_next(&reader, &all.steps[all.count]);
    all.count += all.result == CSV_ROW;
  }
  strcpy(all.message, reader.csv.message);
  return all;
}

static whole read_text(const char *text)
{
  return read_all(memory_of(text), PATH_BY_DISPLACEMENT);
}

/* ---- Form -------------------------------------------------------------------------------------------------------- */

TEST(all_forms_that_are_allowed)
{
  static const char *const texts[] = {
      "dzeta,dxi1\n0.5,0.25\n1,-2\n",
      "dxi1,dzeta\n0.25,0.5\n-2,1\n",
      "dzeta,dxi1\r\n0.5,0.25\r\n1,-2\r\n",
      "dzeta,dxi1\n0.5,0.25\n1,-2",
      (BYTE_ORDER_MARK "dzeta,dxi1\n0.5,0.25\n1,-2"),
      "# comment\n\n  \t\n dzeta ,\tdxi1 # names\n#\n 0.5 , 0.25 \n\n1,-2 # last\n\n#end",
      "dxi2,dzeta,dxi1\n0,0.5,0.25\n0,1,-2\n",
      "dzeta,dxi1\n5e-1,2.5E-1\n+1.,-2.0\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    whole all = read_text(texts[i]);
    ck_assert_msg(all.result == CSV_END, "%zu: %s", i, all.message);
    ck_assert_uint_eq(all.count, 2);
    ck_assert(all.steps[0].movement.zeta == 0.5 && all.steps[0].movement.dxi[0] == 0.25);
    ck_assert(all.steps[1].movement.zeta == 1.5 && all.steps[1].movement.dxi[0] == -2.0);
    ck_assert(all.steps[1].xi[0] == -1.75 && all.steps[1].xi[1] == 0.0 && all.steps[1].movement.dxi[1] == 0.0);
  }
}

TEST(a_file_without_rows_is_allowed)
{
  whole all = read_text("zeta,xi1");
  ck_assert_int_eq(all.result, CSV_END);
  ck_assert_uint_eq(all.count, 0);
}

#define COLUMNS                                                                                                        \
  "dzeta,dxi1[,dxi2] or zeta,xi1[,xi2], or for whole movements doverlap,dshift1[,dshift2] or overlap,shift1[,shift2]"

/* Mistakes in paths by displacement, and their messages. */
static const struct {
  const char *text, *message;
} wrong_texts[] = {
    {"", "path.csv:1:1: the file ends before a header: its first line must name the columns"},
    {"# only\n\n", "path.csv:3:1: the file ends before a header: its first line must name the columns"},
    {"1,2\n", "path.csv:1:1: found '1' where the header must name the columns"},
    {"zeta,,xi1\n", "path.csv:1:6: a column without a name"},
    {"zeta,xi1,\n", "path.csv:1:10: a column without a name"},
    {"zeta, xi3\n", "path.csv:1:7: unknown column 'xi3': the columns must be " COLUMNS},
    {"\"zeta\",xi1\n", "path.csv:1:1: unknown column '\"zeta\"': the columns must be " COLUMNS},
    {"zeta,\x1b[2Jxi1\n", "path.csv:1:6: unknown column '\\x1B[2Jxi1': the columns must be " COLUMNS},
    {"zeta,xi1,zeta\n", "path.csv:1:10: column 'zeta' is there twice"},
    {"zeta,dxi1\n", "path.csv:1:6: column 'dxi1' cannot be mixed with the columns before it: they must be " COLUMNS},
    {"zeta,xi2\n", "path.csv:1:9: column 'xi1' is missing: the columns must be " COLUMNS},
    {"dxi1 \n", "path.csv:1:5: column 'dzeta' is missing: the columns must be " COLUMNS},
    {"zeta,shift1\n",
     "path.csv:1:6: column 'shift1' cannot be mixed with the columns before it: they must be " COLUMNS},
    {"overlap,shift2\n", "path.csv:1:15: column 'shift1' is missing: the columns must be " COLUMNS},
    {"fn,ft1\n",
     "path.csv:1:1: column 'fn' needs --control force: with --control displacement the columns must be " COLUMNS},
    {"a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q\n", "path.csv:1:33: too many columns: at most 16 are allowed"},
    {"zeta,xi1\n1\n", "path.csv:2:2: too few fields: 1 instead of 2"},
    {"zeta,xi1\n1,2,3\n", "path.csv:2:4: too many fields: the header has 2 columns"},
    {"zeta,xi1\n1,2,\n", "path.csv:2:4: too many fields: the header has 2 columns"},
    {"zeta,xi1\n1,\n", "path.csv:2:3: an empty field: a number is needed"},
    {"zeta,xi1\n , 2\n", "path.csv:2:2: an empty field: a number is needed"},
    {"zeta,xi1\n1,nan\n", "path.csv:2:3: 'nan' is not a number: write it like 0.0025 or 2.5e-3"},
    {"zeta,xi1\n-inf,0\n", "path.csv:2:1: '-inf' is not a number: write it like 0.0025 or 2.5e-3"},
    {"zeta,xi1\n1,0x10\n", "path.csv:2:4: unexpected 'x10' after a number: fields are separated by commas"},
    {"zeta,xi1\n1, 2 3\n", "path.csv:2:6: unexpected '3' after a number: fields are separated by commas"},
    {"zeta,xi1\n1;2\n", "path.csv:2:2: unexpected ';2' after a number: fields are separated by commas"},
    {"zeta,xi1\n1,2e\n", "path.csv:2:4: unexpected 'e' after a number: fields are separated by commas"},
    {"zeta,xi1\n1,\xE2\x88\x92"
     "2\n",
     "path.csv:2:3: '\\xE2\\x88\\x922' is not a number: write it like 0.0025 or 2.5e-3"},
    {"zeta,xi1\n1,1e309\n", "path.csv:2:3: the number is too large: the largest is about 1.8e308"},
    {"zeta,xi1\n1,2\r3\n", "path.csv:2:4: unexpected '\\x0D3' after a number: fields are separated by commas"},
    {BYTE_ORDER_MARK "zeta,xi3\n", "path.csv:1:6: unknown column 'xi3': the columns must be " COLUMNS},
    {"dzeta,dxi1\n0,0\n# why\n1e308,0\n1e308,0\n", "path.csv:5:1: the path becomes too large to compute with here"},
    {"zeta,xi1\n0,-1e308\n0,1e308\n", "path.csv:3:3: the path becomes too large to compute with here"},
    {"dzeta,dxi1\n0,1e308\n0,1e308\n", "path.csv:3:3: the path becomes too large to compute with here"},
};

TEST_EACH(mistakes_are_reported_with_their_place, wrong_texts)
{
  whole all = read_text(wrong_texts[_i].text);
  ck_assert_int_eq(all.result, CSV_BAD);
  ck_assert_str_eq(all.message, wrong_texts[_i].message);
}

/* One byte at a time: the result must not depend on the ends of blocks. */
TEST_EACH(blocks_do_not_matter, wrong_texts)
{
  memory source = memory_of(wrong_texts[_i].text);
  source.chunk = 1;
  whole all = read_all(source, PATH_BY_DISPLACEMENT);
  ck_assert_int_eq(all.result, CSV_BAD);
  ck_assert_str_eq(all.message, wrong_texts[_i].message);
}

TEST(rows_before_an_error_are_read)
{
  whole all = read_text("zeta,xi1\n1,2\n3,4\n5,six\n7,8\n");
  ck_assert_int_eq(all.result, CSV_BAD);
  ck_assert_uint_eq(all.count, 2);
  ck_assert_str_eq(all.message, "path.csv:4:3: 'six' is not a number: write it like 0.0025 or 2.5e-3");
}

TEST(a_nul_byte_is_refused)
{
  memory source = {"zeta,xi1\n1,\0002\n", 13, 0, SIZE_MAX, SIZE_MAX};
  whole all = read_all(source, PATH_BY_DISPLACEMENT);
  ck_assert_int_eq(all.result, CSV_BAD);
  ck_assert_str_eq(all.message, "path.csv:2:3: a NUL byte: the file must be plain text (ASCII or UTF-8)");
}

/* A comment of `length` bytes, then a row; with every combination of byte-order mark and CRLF. */
static whole read_long_line(size_t length, bool mark, bool crlf, size_t chunk)
{
  static char text[3 * CSV_LINE_MAX];
  char *end = text + sprintf(text, "%s#", mark ? BYTE_ORDER_MARK : "");
  memset(end, '-', length - 1);
  end += length - 1;
  end += sprintf(end, "%szeta,xi1\n1,2\n", crlf ? "\r\n" : "\n");
  memory source = {text, (size_t)(end - text), 0, chunk, SIZE_MAX};
  return read_all(source, PATH_BY_DISPLACEMENT);
}

TEST(the_longest_line)
{
  for (int i = 0; i < 8; i++) {
    size_t chunk = i & 4 ? 1 : SIZE_MAX;
    whole fits = read_long_line(CSV_LINE_MAX, i & 1, i & 2, chunk);
    ck_assert_msg(fits.result == CSV_END, "%d: %s", i, fits.message);
    ck_assert_uint_eq(fits.count, 1);
    whole too_long = read_long_line(CSV_LINE_MAX + 1, i & 1, i & 2, chunk);
    ck_assert_int_eq(too_long.result, CSV_BAD);
    ck_assert_str_eq(too_long.message, "path.csv:1:4097: the line is too long: at most 4096 bytes are allowed");
  }
}

TEST(a_line_without_end_stops_early)
{
  static char text[4 * CSV_BUFFER_SIZE];
  memset(text, '#', sizeof text);
  memory source = {text, sizeof text, 0, SIZE_MAX, SIZE_MAX};
  ck_assert_int_eq(path_reader_open(&reader, PATH_BY_DISPLACEMENT, read_memory, &source, "x"), CSV_BAD);
  ck_assert_uint_le(source.used, CSV_BUFFER_SIZE);
}

TEST(a_failing_source_is_not_a_wrong_file)
{
  memory source = memory_of("zeta,xi1\n1,2\n3,4\n");
  source.chunk = 1;
  source.fails_from = 15;
  whole all = read_all(source, PATH_BY_DISPLACEMENT);
  ck_assert_int_eq(all.result, CSV_BROKEN);
  ck_assert_uint_eq(all.count, 1);
  ck_assert_str_eq(all.message, "path.csv: cannot be read: Input/output error");
}

TEST(many_blocks_are_read_to_the_end)
{
  enum { ROWS = 50000 };
  char *text = malloc(ROWS * 24 + 64), *end = text;
  end += sprintf(end, "zeta,xi1\n");
  for (int i = 0; i < ROWS; i++)
    end += sprintf(end, "%d,%d.25\n", i, 2 * i);
  for (size_t chunk = 1; chunk < 200000; chunk = chunk * 7 + 3) {
    memory source = {text, (size_t)(end - text), 0, chunk, SIZE_MAX};
    path_step step;
    ck_assert_int_eq(path_reader_open(&reader, PATH_BY_DISPLACEMENT, read_memory, &source, "x"), CSV_ROW);
    for (int i = 0; i < ROWS; i++) {
      ck_assert_int_eq(path_reader_next(&reader, &step), CSV_ROW);
      ck_assert(step.movement.zeta == i && step.xi[0] == 2 * i + 0.25);
    }
    ck_assert_int_eq(path_reader_next(&reader, &step), CSV_END);
    ck_assert_uint_eq(reader.csv.line, ROWS + 1);
  }
  free(text);
}

/* ---- Meaning ----------------------------------------------------------------------------------------------------- */

TEST(positions_are_taken_as_they_are)
{
  whole all = read_text("zeta,xi1,xi2\n0.1,0.3,1\n-0.2,0.1,1\n");
  ck_assert_int_eq(all.result, CSV_END);
  ck_assert(all.steps[0].movement.zeta == 0.1 && all.steps[0].movement.dxi[0] == 0.3);
  ck_assert(all.steps[1].movement.zeta == -0.2 && all.steps[1].movement.dxi[0] == 0.1 - 0.3);
  ck_assert(all.steps[1].movement.dxi[1] == 0.0 && all.steps[1].xi[0] == 0.1 && all.steps[1].xi[1] == 1.0);
}

TEST(forces_are_taken_as_they_are)
{
  whole all = read_all(memory_of("ft2,fn,ft1\n-1,10,2\n0,5,1\n"), PATH_BY_FORCE);
  ck_assert_int_eq(all.result, CSV_END);
  ck_assert(all.steps[0].force.fn == 10.0 && all.steps[0].force.ft[0] == 2.0 && all.steps[0].force.ft[1] == -1.0);
  ck_assert(all.steps[1].force.fn == 5.0 && all.steps[1].force.ft[0] == 1.0 && all.steps[1].force.ft[1] == 0.0);
}

/* 0.1 + 0.2 - 0.3 is 2.8e-17 in binary, which must not become a force. */
TEST(changes_of_force_sum_up_to_zero)
{
  whole all = read_all(memory_of("dfn,dft1\n0.1,0.01\n0.2,0.02\n-0.3,-0.03\n"), PATH_BY_FORCE);
  ck_assert_int_eq(all.result, CSV_END);
  ck_assert(fabs(all.steps[1].force.fn - 0.3) <= DBL_EPSILON);
  ck_assert(all.steps[2].force.fn == 0.0 && all.steps[2].force.ft[0] == 0.0);
}

/* 2ζ and 2ξ: positions and changes */
TEST(whole_movements_are_halved)
{
  whole all = read_text("overlap,shift1,shift2\n0.25,0.5,1\n0.125,-0.5,4\n");
  ck_assert_int_eq(all.result, CSV_END);
  ck_assert(all.steps[0].movement.zeta == 0.125 && all.steps[0].xi[0] == 0.25 && all.steps[0].xi[1] == 0.5);
  ck_assert(all.steps[1].movement.zeta == 0.0625 && all.steps[1].movement.dxi[0] == -0.5 && all.steps[1].xi[1] == 2.0);
  all = read_text("dshift1,doverlap\n0.5,0.25\n-0.25,0.25\n");
  ck_assert(all.steps[1].movement.zeta == 0.25 && all.steps[1].movement.dxi[0] == -0.125 &&
            all.steps[1].xi[0] == 0.125);
  all = read_text("doverlap,dshift1\n0.1,0.01\n0.2,0.02\n-0.3,-0.03\n");
  ck_assert(all.steps[2].movement.zeta == 0.0 && all.steps[2].xi[0] == 0.0);
}

TEST(displacements_are_no_forces)
{
  whole all = read_all(memory_of("dzeta,dxi1\n"), PATH_BY_FORCE);
  ck_assert_str_eq(all.message, "path.csv:1:1: column 'dzeta' needs --control displacement: with --control force the "
                                "columns must be dfn,dft1[,dft2] or fn,ft1[,ft2]");
}

TEST(the_place_of_a_field_is_known)
{
  memory source = memory_of("xi1,zeta\n 1,  2\n");
  path_step step;
  ck_assert_int_eq(path_reader_open(&reader, PATH_BY_DISPLACEMENT, read_memory, &source, "x"), CSV_ROW);
  ck_assert_int_eq(path_reader_next(&reader, &step), CSV_ROW);
  ck_assert_uint_eq(path_reader_at(&reader, PATH_NORMAL), 6);
  ck_assert_uint_eq(path_reader_at(&reader, PATH_SHEAR_1), 2);
  ck_assert_uint_eq(path_reader_at(&reader, PATH_SHEAR_2), 1);
}

TEST(quotes_are_short_and_harmless)
{
  char text[300] = "";
  memset(text, '\x01', sizeof text - 2);
  text[sizeof text - 2] = '\n';
  whole all = read_text(text);
  ck_assert_int_eq(all.result, CSV_BAD);
  ck_assert_ptr_nonnull(strstr(all.message, "unknown column '\\x01\\x01"));
  ck_assert_ptr_nonnull(strstr(all.message, "\\x01...': the columns must be "));
  ck_assert_uint_lt(strlen(all.message), 300);
}

/* The longest text that is quoted as a whole, and one character more. */
TEST(quotes_are_cut_at_55_characters)
{
  enum { WHOLE = 55 };
  char text[WHOLE + 3] = "", expected[WHOLE + 40];
  for (int length = WHOLE; length <= WHOLE + 1; length++) {
    memset(text, 'a', (size_t)length);
    strcpy(text + length, "\n");
    whole all = read_text(text);
    snprintf(expected, sizeof expected, "unknown column '%.*s%s': ", WHOLE, text, length > WHOLE ? "..." : "");
    ck_assert_msg(strstr(all.message, expected) != NULL, "'%s' has no '%s'", all.message, expected);
  }
}
