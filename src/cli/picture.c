/* SPDX-License-Identifier: MIT */
/* Pictures that gnuplot draws into files. */
#include "picture.h"
#include "failure.h"
#include "output_file.h"
#include "step_files.h"

#include <stdlib.h>
#include <sys/stat.h>

bool picture_is_empty(FILE *stream)
{
  struct stat status;
  return fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
}

/* What is drawn, and how. */
typedef struct picture {
  gnuplot_shape shape;
  picture_script *script;
  const void *contents;
} picture;

/* Lets gnuplot write into the file. */
static bool draw_into(output_file *file, const picture *of, const char *terminal)
{
  gnuplot plot;
  if (!gnuplot_start(&plot, fileno(file->stream)))
    return false;
  of->script(of->contents, terminal, plot.script);
  return gnuplot_finish(&plot) && !picture_is_empty(file->stream);
}

static bool draw_file(const char *path, const picture *of, dem_error *error)
{
  output_file file;
  if (!output_file_open(&file, path))
    return fail_with_errno(error, "write", path);
  if (!draw_into(&file, of, gnuplot_terminal(path, of->shape))) {
    output_file_discard(&file);
    return fail_with(error, "gnuplot could not draw %s", path);
  }
  return output_file_finish(&file) || fail_with_errno(error, "write", path);
}

bool picture_draw(const char *dir, const char *name, gnuplot_shape shape, picture_script *script, const void *contents,
                  dem_error *error)
{
  static const char *const endings[] = {".png", ".svg"};
  const picture of = {shape, script, contents};
  bool is_drawn = true;
  for (size_t i = 0; is_drawn && i < sizeof endings / sizeof *endings; i++) {
    char *path = path_in(dir, "%s%s", name, endings[i]);
    is_drawn = path ? draw_file(path, &of, error) : fail_in_memory(error);
    free(path);
  }
  return is_drawn;
}

void picture_write_style(const char *terminal, int legend_rows, double sample_length, FILE *script)
{
  fprintf(script,
          "%s\n"
          "set encoding utf8\n"
          "set minussign\n"
          "set grid lt 1 lw 0.6 lc rgb '#dddddd'\n"
          "set border lw 1.0 lc rgb '#333333'\n"
          "set tics nomirror scale 0.6 textcolor rgb '#222222'\n"
          "set key at graph 0.5,1.025 bottom center vertical maxrows %d reverse Left samplen %g\n",
          terminal, legend_rows, sample_length);
}
