/* SPDX-License-Identifier: MIT */
/*
 * Shapes from text files. A # starts a comment; blank lines are skipped.
 *
 * CSV: a line `x,y,z,r` for each sphere, as the code CLUMP writes it. Blanks may stand for commas. A first line may
 * name the columns, in any order.
 *
 * A molecule file of LAMMPS: it has a line `Coords`, by which it is recognised. Its first line is a title. The header,
 * of which only `N atoms` counts, is followed by sections; read are Coords (ID x y z) and Diameters (ID d).
 */
#include "shape.h"
#include "base/file_system.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX_BYTES = 1 << 18, FIELDS = 4 };

typedef struct shape_text {
  const char *path, *text, *end;
  const char *at; /* the next line */
  error_info *error;
  dem_shape_sphere spheres[DEM_SHAPE_SPHERES_MAX];
  const char *places[DEM_SHAPE_SPHERES_MAX]; /* where the spheres are */
  size_t count;
} shape_text;

/* A word or number. */
typedef struct field {
  const char *start, *end;
} field;

static bool refuse(shape_text *t, const char *at, const char *why)
{
  text_place place = text_find_place(t->text, (size_t)(t->end - t->text), (size_t)(at - t->text));
  return error_set(t->error, "%s:%zu:%zu: %s", t->path, place.line, place.column, why);
}

/* ---- Lines and fields -------------------------------------------------------------------------------------------- */

/* Cuts the next line that is not empty, without its comment. False at the end. */
static bool next_line(shape_text *t, field *line)
{
  while (t->at < t->end) {
    const char *newline = memchr(t->at, '\n', (size_t)(t->end - t->at));
    line->start = t->at;
    line->end = newline ? newline : t->end;
    t->at = newline ? newline + 1 : t->end;
    const char *comment = memchr(line->start, '#', (size_t)(line->end - line->start));
    line->end = comment ? comment : line->end;
    while (line->start < line->end && strchr(" \t\r", *line->start))
      line->start++;
    while (line->end > line->start && strchr(" \t\r", line->end[-1]))
      line->end--;
    if (line->start < line->end)
      return true;
  }
  return false;
}

/* The next field of a line; its end is its start at the end of the line, and of an empty field between two commas. */
static field next_field(const char **at, const char *end)
{
  field found = {*at, *at};
  while (found.end < end && !strchr(" \t,", *found.end))
    found.end++;
  *at = found.end;
  bool has_comma = false;
  while (*at < end && (strchr(" \t", **at) || (**at == ',' && !has_comma)))
    has_comma = *(*at)++ == ',' || has_comma;
  return found;
}

static bool is_word(field f, const char *word)
{
  return (size_t)(f.end - f.start) == strlen(word) && memcmp(f.start, word, strlen(word)) == 0;
}

/* Reads exactly `count` numbers. */
static bool read_numbers(shape_text *t, field line, int count, const char *what, double *numbers, const char **places)
{
  const char *at = line.start;
  for (int k = 0; k < count; k++) {
    field f = next_field(&at, line.end);
    places[k] = f.start;
    if (f.start == line.end)
      return refuse(t, f.start, what);
    if (f.start == f.end || number_scan(f.start, f.end, &numbers[k]) != f.end || !isfinite(numbers[k]))
      return refuse(t, f.start, "a number is needed, such as 0.0025 or 2.5e-3");
  }
  return at == line.end || refuse(t, at, what);
}

static bool add_sphere(shape_text *t, const double n[FIELDS], const char *place)
{
  if (t->count == DEM_SHAPE_SPHERES_MAX)
    return refuse(t, place, "more than 100 spheres");
  t->places[t->count] = place;
  t->spheres[t->count++] = (dem_shape_sphere){{n[0], n[1], n[2]}, n[3]};
  return true;
}
_Static_assert(DEM_SHAPE_SPHERES_MAX == 100, "the message above has the number");

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

static bool read_header(shape_text *t, field line, int columns[FIELDS])
{
  static const char *const names[FIELDS] = {"x", "y", "z", "r"}, why[] = "a header names the columns x, y, z and r";
  const char *at = line.start;
  bool has[FIELDS] = {false};
  for (int k = 0; k < FIELDS; k++) {
    field f = next_field(&at, line.end);
    int role = 0;
    while (role < FIELDS && (has[role] || !is_word(f, names[role])))
      role++;
    if (role == FIELDS)
      return refuse(t, f.start, why);
    has[role] = true;
    columns[k] = role;
  }
  return at == line.end || refuse(t, at, why);
}

static bool read_csv(shape_text *t)
{
  int columns[FIELDS] = {0, 1, 2, 3};
  bool is_first = true;
  for (field line; next_line(t, &line); is_first = false) {
    double first, row[FIELDS] = {0.0}, n[FIELDS];
    const char *places[FIELDS];
    if (is_first && number_scan(line.start, line.end, &first) == line.start) {
      if (!read_header(t, line, columns))
        return false;
      continue;
    }
    if (!read_numbers(t, line, FIELDS, "a sphere is four numbers, x,y,z,r", row, places))
      return false;
    for (int k = 0; k < FIELDS; k++)
      n[columns[k]] = row[k];
    if (!add_sphere(t, n, line.start))
      return false;
  }
  return true;
}

/* ---- Molecule files of LAMMPS ------------------------------------------------------------------------------------ */

static bool is_molecule(shape_text *t)
{
  bool is = false;
  for (field line; !is && next_line(t, &line);)
    is = is_word(line, "Coords");
  t->at = t->text;
  return is;
}

/* A line of a section: the ID of an atom, which comes once, and so many numbers. */
static bool read_atom(shape_text *t, field line, int numbers, bool has[DEM_SHAPE_SPHERES_MAX], double n[FIELDS])
{
  const char *places[FIELDS];
  const char *what = numbers == 3 ? "a line of Coords is ID x y z" : "a line of Diameters is ID d";
  if (!read_numbers(t, line, numbers + 1, what, n, places))
    return false;
  if (!(n[0] >= 1.0 && n[0] <= (double)t->count && n[0] == floor(n[0])))
    return refuse(t, places[0], "IDs are whole numbers from 1 to the number of atoms");
  if (has[(size_t)n[0] - 1])
    return refuse(t, places[0], "this ID comes twice");
  has[(size_t)n[0] - 1] = true;
  return true;
}

static bool read_molecule(shape_text *t)
{
  bool has_center[DEM_SHAPE_SPHERES_MAX] = {false}, has_diameter[DEM_SHAPE_SPHERES_MAX] = {false};
  enum { HEADER, CENTERS, DIAMETERS, OTHER } section = HEADER;
  const char *newline = memchr(t->at, '\n', (size_t)(t->end - t->at));
  t->at = newline ? newline : t->end; /* the title */
  for (field line; next_line(t, &line);) {
    double n[FIELDS];
    const char *at = line.start;
    bool is_name = number_scan(line.start, line.end, n) == line.start;
    if (is_name)
      section = is_word(line, "Coords") ? CENTERS : is_word(line, "Diameters") ? DIAMETERS : OTHER;
    else if (section == HEADER) {
      (void)next_field(&at, line.end);
      if (!is_word(next_field(&at, line.end), "atoms"))
        continue;
      if (!(n[0] >= 1.0 && n[0] <= DEM_SHAPE_SPHERES_MAX && n[0] == floor(n[0])))
        return refuse(t, line.start, "a shape has from 1 to 100 atoms");
      t->count = (size_t)n[0];
    } else if (section == CENTERS) {
      if (!read_atom(t, line, 3, has_center, n))
        return false;
      size_t k = (size_t)n[0] - 1;
      t->spheres[k].center = (vec3){n[1], n[2], n[3]};
      t->places[k] = line.start;
    } else if (section == DIAMETERS) {
      if (!read_atom(t, line, 1, has_diameter, n))
        return false;
      t->spheres[(size_t)n[0] - 1].radius = 0.5 * n[1];
    }
  }
  for (size_t k = 0; k < t->count; k++)
    if (!has_center[k] || !has_diameter[k])
      return error_set(t->error, "%s: atom %zu has no %s", t->path, k + 1,
                       has_center[k] ? "diameter: a section Diameters gives it" : "coordinates");
  return true;
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static bool read_text(shape_text *t, dem_shape *shape)
{
  size_t culprit, size = (size_t)(t->end - t->text), bad;
  if (size >= 3 && memcmp(t->text, "\xEF\xBB\xBF", 3) == 0) { /* a byte-order mark */
    t->text += 3;
    size -= 3;
  }
  t->at = t->text;
  bad = text_find_bad(t->text, size);
  if (bad < size)
    return refuse(t, t->text + bad, "a character that is not allowed: the file must be plain text (ASCII or UTF-8)");
  if (!(is_molecule(t) ? read_molecule(t) : read_csv(t)))
    return false;
  if (dem_shape_make(shape, t->spheres, t->count, &culprit, t->error))
    return true;
  if (t->error->out_of_memory)
    return false;
  char why[sizeof t->error->text];
  memcpy(why, t->error->text, sizeof why);
  return culprit < t->count ? refuse(t, t->places[culprit], why) : error_set(t->error, "%s: %s", t->path, why);
}

bool dem_shape_read(dem_shape *shape, const char *path, error_info *error)
{
  const char *reason;
  FILE *stream = regular_file_open(path, &reason);
  if (!stream)
    return (errno == ENOMEM ? error_set_memory : error_set)(error, "cannot read %s: %s", path, reason);
  shape_text *t = malloc(sizeof *t + FILE_MAX_BYTES + 1);
  if (!t) {
    fclose(stream);
    return error_out_of_memory(error);
  }
  char *bytes = (char *)(t + 1);
  size_t size = fread(bytes, 1, FILE_MAX_BYTES + 1, stream);
  *t = (shape_text){.path = path, .text = bytes, .end = bytes + size, .error = error};
  bool is_done = ferror(stream)          ? error_set_errno(error, "read", path)
                 : size > FILE_MAX_BYTES ? error_set(error, "%s: longer than 256 kB: this is no shape", path)
                                         : read_text(t, shape);
  fclose(stream);
  free(t);
  return is_done;
}
