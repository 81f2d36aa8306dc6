/* SPDX-License-Identifier: MIT */
/* The numbers of the picture of a contact. */
#include "contact.h"
#include "base/text.h"

#include <inttypes.h>

/* ---- The path ---------------------------------------------------------------------------------------------------- */

void picture_path_start(picture_path *path)
{
  const picture_point origin = {.fn = 0.0};
  path->count = 0;
  path->stride = 1;
  path->seen = 0;
  path->steps = 0;
  picture_path_add(path, &origin);
}

void picture_path_add(picture_path *path, const picture_point *point)
{
  path->last = *point;
  if (path->seen++ % path->stride != 0)
    return;
  path->points[path->count++] = *point;
  if (path->count < PICTURE_POINTS_MAX)
    return;
  for (size_t i = 0; 2 * i < path->count; i++)
    path->points[i] = path->points[2 * i];
  path->count = (path->count + 1) / 2;
  path->stride *= 2;
}

void picture_path_end_step(picture_path *path, const picture_point *point)
{
  picture_path_add(path, point);
  if (path->steps < PICTURE_STEPS_MAX)
    path->ends[path->steps] = *point;
  path->steps++;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

/* A list of numbers. */
static void write_numbers(const double *numbers, int count, FILE *out)
{
  for (int i = 0; i < count; i++) {
    fputc(i > 0 ? ',' : '[', out);
    json_print_number(numbers[i], out);
  }
  fputc(']', out);
}

static void write_point(const picture_point *p, FILE *out)
{
  write_numbers((const double[]){p->xi[0], p->xi[1], p->fn, p->ft[0], p->ft[1], p->way, p->dissipated}, 7, out);
}

void contact_picture_write(const void *picture, FILE *out)
{
  const contact_picture *of = picture;
  fputs("{\"name\": ", out);
  json_print_string(of->name, out);
  fputs(", \"friction\": ", out);
  json_print_number(of->friction, out);
  fprintf(out, ", \"is_whole\": %s, \"steps\": %" PRIu64 ", \"laws\": [", of->is_whole ? "true" : "false",
          of->paths[0]->steps);
  for (int k = 0; k < of->law_count; k++) {
    const picture_path *path = of->paths[k];
    fputs(k > 0 ? ",\n{\"law\": " : "{\"law\": ", out);
    json_print_string(law_name(of->laws[k]), out);
    fputs(", \"path\": [", out);
    for (size_t i = 0; i < path->count; i++) {
      write_point(&path->points[i], out);
      fputs(",\n", out);
    }
    write_point(&path->last, out);
    fputs("], \"ends\": [", out);
    for (uint64_t i = 0; i < path->steps && path->steps <= PICTURE_STEPS_MAX; i++) {
      fputs(i > 0 ? ",\n" : "", out);
      write_point(&path->ends[i], out);
    }
    fputs("]}", out);
  }
  fputs("], \"history\": [", out);
  for (size_t k = 0; k < of->history_count; k++) {
    const jager_point *point = &of->history[k];
    fputs(k > 0 ? ",\n" : "", out);
    write_numbers((const double[]){point->zeta, point->fn, point->p[0], point->p[1]}, 4, out);
  }
  fputs("]}\n", out);
}
