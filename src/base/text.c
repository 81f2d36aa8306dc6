/* SPDX-License-Identifier: MIT */
/* Text in UTF-8, decimal numbers, JSON. */
#include "text.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Characters -------------------------------------------------------------------------------------------------- */

static bool continues(unsigned char byte)
{
  return (byte & 0xC0) == 0x80;
}

/* Length of the character with this first byte; 0: no character has it. */
static size_t length_from_lead(unsigned char lead)
{
  if (lead < 0x80)
    return 1;
  if (lead >= 0xC2 && lead <= 0xDF)
    return 2;
  if (lead >= 0xE0 && lead <= 0xEF)
    return 3;
  return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

size_t text_decode(const char *at, const char *end, uint32_t *code)
{
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  static const unsigned char lead_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  size_t length = length_from_lead((unsigned char)*at);
  if (length == 0 || (size_t)(end - at) < length)
    return 0;
  *code = (unsigned char)*at & lead_bits[length];
  for (size_t i = 1; i < length; i++) {
    if (!continues((unsigned char)at[i]))
      return 0;
    *code = *code << 6 | ((unsigned char)at[i] & 0x3F);
  }
  bool is_surrogate = *code >= 0xD800 && *code <= 0xDFFF;
  return *code >= least[length] && *code <= 0x10FFFF && !is_surrogate ? length : 0;
}

/* Not allowed: control characters, line separators, byte-order marks and noncharacters. */
static bool is_allowed(uint32_t code)
{
  if (code < ' ')
    return code == '\t' || code == '\n';
  if (code >= 0x7F && code <= 0x9F)
    return false;
  return code != 0x2028 && code != 0x2029 && code != 0xFEFF && code != 0xFFFE && code != 0xFFFF;
}

/* Length of the character, or of CR LF; 0 if it is not allowed. */
static size_t allowed_length(const char *at, const char *end)
{
  uint32_t code;
  if (*at == '\r')
    return end - at > 1 && at[1] == '\n' ? 2 : 0;
  size_t length = text_decode(at, end, &code);
  return length > 0 && is_allowed(code) ? length : 0;
}

size_t text_find_bad(const char *text, size_t size)
{
  size_t at = 0;
  while (at < size) {
    size_t length = allowed_length(text + at, text + size);
    if (length == 0)
      return at;
    at += length;
  }
  return size;
}

/* Length of the next character; 1 if it is not allowed. */
static size_t step_over(const char *at, const char *end)
{
  size_t length = allowed_length(at, end);
  return length > 0 ? length : 1;
}

/* ---- Places ------------------------------------------------------------------------------------------------------ */

static size_t line_end(const char *text, size_t size, size_t start)
{
  const char *newline = start < size ? memchr(text + start, '\n', size - start) : NULL;
  size_t end = newline ? (size_t)(newline - text) : size;
  return newline && end > start && text[end - 1] == '\r' ? end - 1 : end;
}

text_place text_find_place(const char *text, size_t size, size_t offset)
{
  text_place place = {.line = 1, .column = 1};
  if (offset > size)
    offset = size;
  for (size_t i = 0; i < offset; i++)
    if (text[i] == '\n') {
      place.line++;
      place.start = i + 1;
    }
  place.end = line_end(text, size, place.start);
  for (size_t at = place.start; at < offset && at < place.end; place.column++)
    at += step_over(text + at, text + place.end);
  return place;
}

size_t text_find_offset(const char *text, size_t size, size_t line, size_t column)
{
  size_t at = 0;
  for (; line > 1; line--) {
    const char *newline = at < size ? memchr(text + at, '\n', size - at) : NULL;
    if (!newline)
      return size;
    at = (size_t)(newline - text) + 1;
  }
  size_t end = line_end(text, size, at);
  for (; column > 1 && at < end; column--)
    at += step_over(text + at, text + end);
  return at;
}

/* ---- Printing text ----------------------------------------------------------------------------------------------- */

/* Characters of a line that are shown, and how many of them are before the caret. */
enum { SHOWN = 120, SHOWN_BEFORE = 90 };

/* Prints a character and returns its length. Line breaks and control characters become question marks. */
static size_t print_character(const char *at, const char *end, FILE *stream)
{
  size_t length = allowed_length(at, end);
  if (length == 0 || *at == '\n' || *at == '\r') {
    fputc('?', stream);
    return 1;
  }
  fwrite(at, 1, length, stream);
  return length;
}

void text_print(const char *text, FILE *stream)
{
  const char *end = text + strlen(text);
  while (text < end)
    text += print_character(text, end, stream);
}

void text_print_line(const char *text, size_t size, size_t offset, FILE *stream)
{
  text_place place = text_find_place(text, size, offset);
  size_t column = 1, at = place.start;
  const char *end = text + place.end;
  for (; place.column > SHOWN && column + SHOWN_BEFORE < place.column; column++) /* the beginning of a long line */
    at += step_over(text + at, end);
  size_t first = at, first_column = column;
  fputs("  ", stream);
  for (; at < place.end && column < first_column + SHOWN; column++)
    at += print_character(text + at, end, stream);
  fputs("\n  ", stream);
  at = first;
  for (column = first_column; column < place.column; column++) {
    bool is_tab = at < place.end && text[at] == '\t'; /* keeps its width */
    fputc(is_tab ? '\t' : ' ', stream);
    at += at < place.end ? step_over(text + at, end) : 0;
  }
  fputs("^\n", stream);
}

const char *text_quote(const char *text, char quoted[TEXT_QUOTE_SIZE])
{
  enum { MARKS = sizeof "'...'" };
  size_t length = strlen(text), shown = length;
  if (length > TEXT_QUOTE_SIZE - MARKS) {
    shown = TEXT_QUOTE_SIZE - MARKS;
    while (shown > 0 && continues((unsigned char)text[shown])) /* cut between characters */
      shown--;
  }
  snprintf(quoted, TEXT_QUOTE_SIZE, "'%.*s%s'", (int)shown, text, shown < length ? "..." : "");
  return quoted;
}

/* ---- Numbers: reading -------------------------------------------------------------------------------------------- */

/*
 * Files have up to 10^8 lines, so reading short numbers must be fast: if the digits make an integer of at most 2^53 and
 * the power of ten is at most 10^22, both are exact doubles, and one multiplication or division rounds correctly
 * (W. D. Clinger, 1990). strtod reads all other numbers, in the C locale.
 */
enum {
  DIGITS_MAX = 19,        /* any 19 digits fit into 64 bits */
  EXPONENT_MAX = 1000000, /* far beyond any double; larger exponents count as this one */
  EXACT_POWER_MAX = 22
};

#define EXACT_MANTISSA_MAX (UINT64_C(1) << 53)

static const double power_of_ten[EXACT_POWER_MAX + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* mantissa × 10^exponent, with the first digits of the text */
typedef struct decimal {
  uint64_t mantissa;
  int exponent;
  int digits;     /* significant digits in the mantissa */
  bool truncated; /* the text has more digits */
} decimal;

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

/* Reads digits; each digit after the decimal point lowers the exponent by one. */
static const char *scan_digits(const char *at, const char *end, bool after_point, decimal *number)
{
  for (; at < end && is_digit(*at); at++) {
    if (number->digits < DIGITS_MAX) {
      number->mantissa = number->mantissa * 10 + (uint64_t)(*at - '0');
      number->digits += number->mantissa > 0;
      number->exponent -= after_point;
    } else {
      number->truncated = true;
      number->exponent += !after_point;
    }
  }
  return at;
}

/* Reads an exponent if it is complete. */
static const char *scan_exponent(const char *at, const char *end, decimal *number)
{
  if (at == end || (*at != 'e' && *at != 'E'))
    return at;
  const char *digits = at + 1;
  bool negative = digits < end && *digits == '-';
  if (digits < end && (*digits == '-' || *digits == '+'))
    digits++;
  if (digits == end || !is_digit(*digits))
    return at;
  int exponent = 0;
  for (; digits < end && is_digit(*digits); digits++)
    if (exponent < EXPONENT_MAX)
      exponent = exponent * 10 + (*digits - '0');
  number->exponent += negative ? -exponent : exponent;
  return digits;
}

/* The value by the C library. The text is a decimal number; strtod needs a NUL, so it gets a copy. */
static double slow_value(const char *text, size_t length)
{
  char copy[NUMBER_TEXT_MAX + 1];
  memcpy(copy, text, length);
  copy[length] = '\0';
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (c_locale == (locale_t)0)
    return strtod(copy, NULL);
  double value = strtod_l(copy, NULL, c_locale);
  freelocale(c_locale);
  return value;
}

const char *number_scan(const char *at, const char *end, double *value)
{
  const char *start = at;
  decimal number = {0};
  bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+'))
    at++;
  const char *whole = at;
  at = scan_digits(at, end, false, &number);
  bool has_digits = at > whole;
  if (at < end && *at == '.') {
    const char *fraction = at + 1;
    at = scan_digits(fraction, end, true, &number);
    has_digits = has_digits || at > fraction;
  }
  if (!has_digits)
    return start;
  at = scan_exponent(at, end, &number);
  if (at - start > NUMBER_TEXT_MAX)
    return start;
  bool is_exact = !number.truncated && number.mantissa <= EXACT_MANTISSA_MAX && number.exponent >= -EXACT_POWER_MAX &&
                  number.exponent <= EXACT_POWER_MAX;
  if (number.mantissa != 0 && !is_exact) {
    *value = slow_value(start, (size_t)(at - start));
    return at;
  }
  double size = (double)number.mantissa;
  if (number.mantissa != 0)
    size = number.exponent < 0 ? size / power_of_ten[-number.exponent] : size * power_of_ten[number.exponent];
  *value = negative ? -size : size;
  return at;
}

bool number_parse(const char *text, double *value)
{
  if (strcmp(text, "inf") == 0) {
    *value = INFINITY;
    return true;
  }
  const char *end = text + strlen(text);
  return text != end && number_scan(text, end, value) == end && isfinite(*value);
}

/* ---- Numbers: printing ------------------------------------------------------------------------------------------- */

/* printf writes the decimal separator of the locale, of any length: replaces it by a point. Returns the length. */
static int use_point(char *text)
{
  char *point = text + (*text == '-');
  while (is_digit(*point))
    point++;
  if (*point != '.' && *point != 'e' && *point != '\0') {
    char *fraction = point;
    while (*fraction && !is_digit(*fraction))
      fraction++;
    *point = '.';
    memmove(point + 1, fraction, strlen(fraction) + 1);
  }
  return (int)strlen(text);
}

int number_print(double value, char text[NUMBER_PRINT_SIZE])
{
  if (!isfinite(value))
    return snprintf(text, NUMBER_PRINT_SIZE, "%s", isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf");
  snprintf(text, NUMBER_PRINT_SIZE, "%.17g", value + 0.0);
  return use_point(text);
}

/* The least number of digits that give the same double, and the power of ten of the first. */
static int count_digits(double value, int *power)
{
  char text[NUMBER_PRINT_SIZE];
  double read = NAN;
  int digits = 0;
  do {
    digits++;
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    use_point(text);
  } while (digits < 17 && !(number_parse(text, &read) && read == value));
  *power = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
  return digits;
}

const char *number_print_shortest(double value, char text[NUMBER_PRINT_SIZE])
{
  int power, digits = count_digits(value, &power);
  bool has_few_zeros = power >= -4 && (power <= 5 || (power < 15 && digits + 2 > power));
  int decimals = digits - 1 - power;
  if (has_few_zeros) {
    snprintf(text, NUMBER_PRINT_SIZE, "%.*f", decimals > 0 ? decimals : 0, value);
    use_point(text);
    return text;
  }
  snprintf(text, NUMBER_PRINT_SIZE, "%.*e", digits - 1, value);
  use_point(text);
  char *exponent = strchr(text, 'e') + 1; /* C has a sign there, and at least two digits */
  snprintf(exponent, (size_t)(text + NUMBER_PRINT_SIZE - exponent), "%d", power);
  return text;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

void json_print_string(const char *text, FILE *out)
{
  const char *end = text + strlen(text);
  fputc('"', out);
  while (text < end) {
    uint32_t code = 0;
    size_t length = text_decode(text, end, &code);
    if (length == 0)
      fputs("\\ufffd", out);
    else if (code == '"' || code == '\\')
      fprintf(out, "\\%c", *text);
    else if (code < ' ' || code == 0x7F)
      fprintf(out, "\\u%04x", (unsigned)code);
    else
      fwrite(text, 1, length, out);
    text += length > 0 ? length : 1;
  }
  fputc('"', out);
}

void json_print_number(double value, FILE *out)
{
  if (isfinite(value))
    fprintf(out, "%.17g", value);
  else
    fputs("null", out);
}
