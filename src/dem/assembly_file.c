/* SPDX-License-Identifier: MIT */
/*
 * Spheres from a text file:
 *
 *     # a comment
 *     cell LX LY LZ [XY XZ YZ]        edges (LX, 0, 0), (XY, LY, 0), (XZ, YZ, LZ)
 *     X Y Z R                         one line per sphere; ids are 0, 1, ... in this order
 *
 * Lengths are in m, with a decimal point in every locale. The file must be a regular file with lines of at most
 * LINE_MAX_BYTES: reading ends, and a file of another kind is refused before all of it is in memory.
 */
#include "setup.h"
#include "base/file_system.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

enum { NUMBERS_MAX = 6, LINE_MAX_BYTES = 4096 };

typedef struct sphere_file {
  const char *path;
  FILE *stream;
  char line[LINE_MAX_BYTES + 2]; /* with newline and NUL */
  long number;                   /* of the line */
  locale_t locale;               /* with a decimal point */
  grains *grains;
  size_t room;
  bool has_cell;
} sphere_file;

static bool refuse(const sphere_file *f, error_info *error, const char *why)
{
  return error_set(error, "%s:%ld: %s", f->path, f->number, why);
}

/* Reads up to NUMBERS_MAX finite numbers, and returns their count; -1 if the text holds anything else. */
static int read_numbers(const sphere_file *f, const char *text, double numbers[NUMBERS_MAX])
{
  int count = 0;
  for (;;) {
    text += strspn(text, " \t\r\n,");
    if (*text == '\0')
      return count;
    char *end;
    double value = strtod_l(text, &end, f->locale);
    if (end == text || count == NUMBERS_MAX || !isfinite(value) || strchr(" \t\r\n,", *end) == NULL)
      return -1;
    numbers[count++] = value;
    text = end;
  }
}

static bool read_cell(sphere_file *f, const char *text, error_info *error)
{
  double n[NUMBERS_MAX] = {0.0};
  int count = read_numbers(f, text, n);
  if (f->has_cell)
    return refuse(f, error, "a second cell");
  if (count != 3 && count != 6)
    return refuse(f, error, "a cell is 'cell LX LY LZ' or 'cell LX LY LZ XY XZ YZ', in m");
  if (!(n[0] > 0.0 && n[1] > 0.0 && n[2] > 0.0))
    return refuse(f, error, "the edges of a cell must be positive");
  f->grains->cell = (upper_matrix){.xx = n[0], .yy = n[1], .zz = n[2], .xy = n[3], .xz = n[4], .yz = n[5]};
  f->has_cell = true;
  return true;
}

static bool read_sphere(sphere_file *f, error_info *error)
{
  double n[NUMBERS_MAX];
  if (read_numbers(f, f->line, n) != 4)
    return refuse(f, error, "a sphere is four numbers, X Y Z R, in m");
  if (!(n[3] > 0.0))
    return refuse(f, error, "a radius must be positive");
  if (f->grains->count >= DEM_SPHERES_MAX)
    return refuse(f, error, "too many spheres");
  if (f->grains->count == f->room) {
    size_t room = 2 * f->room + 1024;
    grain *list = realloc(f->grains->list, room * sizeof *list);
    if (!list)
      return error_set_memory(error, "%s: out of memory", f->path);
    f->grains->list = list;
    f->room = room;
  }
  size_t k = f->grains->count++;
  f->grains->list[k] = (grain){.x = {n[0], n[1], n[2]}, .radius = n[3], .id = (uint32_t)k};
  return true;
}

/* Reads the next line, or the beginning of one that is too long; false at the end of the file. */
static bool next_line(sphere_file *f, size_t *length)
{
  *length = 0;
  for (int c; *length <= LINE_MAX_BYTES && (c = getc_unlocked(f->stream)) != EOF;) {
    f->line[(*length)++] = (char)c;
    if (c == '\n')
      break;
  }
  f->line[*length] = '\0';
  f->number++;
  return *length > 0 && !ferror(f->stream);
}

static bool read_lines(sphere_file *f, error_info *error)
{
  size_t length;
  while (next_line(f, &length)) {
    if (memchr(f->line, '\0', length))
      return refuse(f, error, "a NUL byte: this is no text file");
    if (length > LINE_MAX_BYTES && f->line[length - 1] != '\n')
      return error_set(error, "%s:%ld: longer than %d bytes: this is no file of spheres", f->path, f->number,
                       LINE_MAX_BYTES);
    char *comment = strchr(f->line, '#');
    if (comment)
      *comment = '\0';
    const char *text = f->line + strspn(f->line, " \t\r\n");
    if (*text == '\0')
      continue;
    if (!(strncmp(text, "cell", 4) == 0 ? read_cell(f, text + 4, error) : read_sphere(f, error)))
      return false;
  }
  if (ferror(f->stream))
    return error_set(error, "%s: cannot be read: %s", f->path, strerror(errno));
  if (!f->has_cell)
    return error_set(error, "%s: there is no cell: a line 'cell LX LY LZ', in m", f->path);
  if (f->grains->count == 0)
    return error_set(error, "%s: there are no spheres", f->path);
  return true;
}

bool dem_grains_read(grains *g, const char *path, error_info *error)
{
  *g = (grains){0};
  const char *reason;
  sphere_file f = {.path = path, .stream = regular_file_open(path, &reason), .grains = g};
  if (!f.stream)
    return (errno == ENOMEM ? error_set_memory : error_set)(error, "%s: %s", path, reason);
  f.locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  bool done = f.locale != (locale_t)0 ? read_lines(&f, error) : error_set_memory(error, "%s: out of memory", path);
  if (f.locale != (locale_t)0)
    freelocale(f.locale);
  fclose(f.stream);
  if (!done)
    dem_grains_free(g);
  return done;
}
