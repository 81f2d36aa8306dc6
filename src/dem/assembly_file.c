/* SPDX-License-Identifier: MIT */
/*
 * Grains from a text file:
 *
 *     # a comment
 *     cell LX LY LZ [XY XZ YZ]        edges (LX, 0, 0), (XY, LY, 0), (XZ, YZ, LZ)
 *     X Y Z R                         one line per sphere
 *     shape X Y Z R [X Y Z R ...]     spheres of a shape, in any unit; shapes are numbered 0, 1, ...
 *     grain X Y Z SCALE W QX QY QZ [SHAPE]
 *
 * A grain has the point p of its shape, by default number 0, at (X, Y, Z) + SCALE R p, with the rotation R of the
 * quaternion, which need not have the length 1. A shape stands before its grains. Ids of grains are 0, 1, ... in the
 * order of their lines; those of spheres follow the order of the grains and, in a grain, of its shape.
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

enum { NUMBERS_MAX = 4 * DEM_SHAPE_SPHERES_MAX, LINE_MAX_BYTES = 32768, SHAPES_MAX = 10000 };

typedef struct grain_file {
  const char *path;
  FILE *stream;
  char line[LINE_MAX_BYTES + 2]; /* with newline and NUL */
  long number;                   /* of the line */
  locale_t locale;               /* with a decimal point */
  grains *grains;
  size_t room, shape_room;
  dem_shape *shapes; /* as they are written; those of the grains are normalised */
  bool has_cell, has_spheres;
} grain_file;

static bool refuse(const grain_file *f, error_info *error, const char *why)
{
  return error_set(error, "%s:%ld: %s", f->path, f->number, why);
}

/* Reads up to NUMBERS_MAX finite numbers, and returns their count; -1 if the text holds anything else. */
static int read_numbers(const grain_file *f, const char *text, double numbers[NUMBERS_MAX])
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

static bool read_cell(grain_file *f, const char *text, error_info *error)
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

static bool add_grain(grain_file *f, const grain *g, error_info *error)
{
  if (f->grains->count >= DEM_SPHERES_MAX)
    return refuse(f, error, "too many grains");
  if (f->grains->count == f->room) {
    size_t room = 2 * f->room + 1024;
    grain *list = realloc(f->grains->list, room * sizeof *list);
    if (!list)
      return error_set_memory(error, "%s: out of memory", f->path);
    f->grains->list = list;
    f->room = room;
  }
  size_t k = f->grains->count++;
  f->grains->list[k] = *g;
  f->grains->list[k].id = (uint32_t)k;
  return true;
}

/* Spheres among clumps have the shape of this number, which lines of the file do not have. */
#define SHAPE_OF_SPHERES UINT32_MAX

static bool read_sphere(grain_file *f, error_info *error)
{
  double n[NUMBERS_MAX];
  if (read_numbers(f, f->line, n) != 4)
    return refuse(f, error, "a sphere is four numbers, X Y Z R, in m; other lines begin with cell, shape or grain");
  if (!(n[3] > 0.0))
    return refuse(f, error, "a radius must be positive");
  f->has_spheres = true;
  return add_grain(f, &(grain){.x = {n[0], n[1], n[2]}, .radius = n[3], .shape = SHAPE_OF_SPHERES, .turn = {.w = 1.0}},
                   error);
}

static bool read_shape(grain_file *f, const char *text, error_info *error)
{
  double n[NUMBERS_MAX];
  dem_shape_sphere spheres[DEM_SHAPE_SPHERES_MAX];
  int count = read_numbers(f, text, n);
  error_info reason;
  if (count < 4 || count % 4 != 0)
    return refuse(f, error, "a shape is 'shape X Y Z R', with up to 100 spheres of four numbers each");
  for (int k = 0; k < count / 4; k++)
    spheres[k] = (dem_shape_sphere){.center = vec3_load(n + 4 * k), .radius = n[4 * k + 3]};
  if (!f->shapes || f->grains->shape_count == f->shape_room) {
    f->shape_room = 2 * f->shape_room + 4;
    dem_shape *shapes = realloc(f->shapes, f->shape_room * sizeof *shapes);
    dem_shape *normalised = realloc(f->grains->shapes, f->shape_room * sizeof *normalised);
    f->shapes = shapes ? shapes : f->shapes;
    f->grains->shapes = normalised ? normalised : f->grains->shapes;
    if (!shapes || !normalised)
      return error_set_memory(error, "%s: out of memory", f->path);
  }
  if (f->grains->shape_count == SHAPES_MAX)
    return refuse(f, error, "too many shapes");
  size_t k = f->grains->shape_count;
  if (!dem_shape_make(&f->shapes[k], spheres, (size_t)count / 4, NULL, &reason))
    return refuse(f, error, reason.text);
  f->grains->shapes[k] = f->shapes[k];
  dem_shape_normalise(&f->grains->shapes[k]);
  f->grains->shape_count++;
  return true;
}

static bool read_grain(grain_file *f, const char *text, error_info *error)
{
  double n[NUMBERS_MAX];
  int count = read_numbers(f, text, n);
  if (count != 8 && count != 9)
    return refuse(f, error, "a grain is 'grain X Y Z SCALE W QX QY QZ' and, if there are several, its shape's number");
  double number = count == 9 ? n[8] : 0.0;
  if (!(number >= 0.0 && number < (double)f->grains->shape_count && floor(number) >= number))
    return refuse(f, error, "there is no such shape: shapes stand before their grains, and count from 0");
  if (!(n[3] > 0.0))
    return refuse(f, error, "the scale must be positive");
  double square = n[4] * n[4] + n[5] * n[5] + n[6] * n[6] + n[7] * n[7];
  if (!(square > 1e-200 && square < 1e200))
    return refuse(f, error, "the quaternion W QX QY QZ must have a length that is not 0");
  const dem_shape *shape = &f->shapes[(size_t)number];
  quaternion turn = quaternion_normalise((quaternion){n[4], n[5], n[6], n[7]});
  vec3 x = vec3_add_scaled(vec3_load(n), n[3], quaternion_turn(turn, shape->centroid));
  return add_grain(
      f,
      &(grain){.x = x,
               .radius = n[3] * shape->equal_radius,
               .shape = (uint32_t)number,
               .turn = quaternion_normalise(quaternion_times(turn, dem_quaternion_from_axes(shape->axes)))},
      error);
}

/* The grains of files that have both kinds share a list of shapes: spheres get one of their own behind the others. */
static bool give_spheres_a_shape(grain_file *f, error_info *error)
{
  grains *g = f->grains;
  static const dem_shape_sphere sphere = {.radius = 1.0};
  if (!f->has_spheres || g->shape_count == 0)
    return true;
  dem_shape *shapes = realloc(g->shapes, (g->shape_count + 1) * sizeof *shapes);
  if (!shapes)
    return error_set_memory(error, "%s: out of memory", f->path);
  g->shapes = shapes;
  if (!dem_shape_make(&shapes[g->shape_count], &sphere, 1, NULL, error))
    return false;
  for (size_t i = 0; i < g->count; i++)
    if (g->list[i].shape == SHAPE_OF_SPHERES)
      g->list[i].shape = (uint32_t)g->shape_count;
  g->shape_count++;
  return true;
}

static bool read_line(grain_file *f, const char *text, error_info *error)
{
  return strncmp(text, "cell", 4) == 0    ? read_cell(f, text + 4, error)
         : strncmp(text, "shape", 5) == 0 ? read_shape(f, text + 5, error)
         : strncmp(text, "grain", 5) == 0 ? read_grain(f, text + 5, error)
                                          : read_sphere(f, error);
}

/* Reads the next line, or the beginning of one that is too long; false at the end of the file. */
static bool next_line(grain_file *f, size_t *length)
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

static bool read_lines(grain_file *f, error_info *error)
{
  size_t length;
  while (next_line(f, &length)) {
    if (memchr(f->line, '\0', length))
      return refuse(f, error, "a NUL byte: this is no text file");
    if (length > LINE_MAX_BYTES && f->line[length - 1] != '\n')
      return error_set(error, "%s:%ld: longer than %d bytes: this is no file of grains", f->path, f->number,
                       LINE_MAX_BYTES);
    char *comment = strchr(f->line, '#');
    if (comment)
      *comment = '\0';
    const char *text = f->line + strspn(f->line, " \t\r\n");
    if (*text == '\0')
      continue;
    if (!read_line(f, text, error))
      return false;
  }
  if (ferror(f->stream))
    return error_set(error, "%s: cannot be read: %s", f->path, strerror(errno));
  if (!f->has_cell)
    return error_set(error, "%s: there is no cell: a line 'cell LX LY LZ', in m", f->path);
  if (f->grains->count == 0)
    return error_set(error, "%s: there are no grains", f->path);
  return give_spheres_a_shape(f, error);
}

bool dem_grains_read(grains *g, const char *path, error_info *error)
{
  *g = (grains){0};
  const char *reason;
  grain_file f = {.path = path, .stream = regular_file_open(path, &reason), .grains = g};
  if (!f.stream)
    return (errno == ENOMEM ? error_set_memory : error_set)(error, "%s: %s", path, reason);
  f.locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  bool done = f.locale != (locale_t)0 ? read_lines(&f, error) : error_set_memory(error, "%s: out of memory", path);
  if (f.locale != (locale_t)0)
    freelocale(f.locale);
  fclose(f.stream);
  free(f.shapes);
  if (!done)
    dem_grains_free(g);
  return done;
}
