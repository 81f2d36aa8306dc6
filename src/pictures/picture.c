/* SPDX-License-Identifier: MIT */
/* Pictures in files, drawn by gnuplot. */
#include "picture.h"
#include "base/file_system.h"
#include "base/memory_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const picture_endings[PICTURE_ENDINGS] = {".png", ".svg"};

/* Writes the script into memory. */
static bool make_script(memory_stream *script, const picture *of, const char *terminal, error_info *error)
{
  if (!memory_stream_open(script))
    return error_out_of_memory(error);
  of->script(of->contents, terminal, script->stream);
  return memory_stream_finish(script) || error_out_of_memory(error);
}

bool picture_write(whole_file *file, const char *path, const picture *of, error_info *error)
{
  size_t size = 0;
  char *bytes = NULL;
  memory_stream script;
  if (!make_script(&script, of, gnuplot_terminal(path, of->shape), error))
    return false;
  bool is_drawn = gnuplot_draw(script.text, script.size, &bytes, &size);
  int reason = is_drawn ? 0 : errno;
  memory_stream_free(&script);
  is_drawn = is_drawn && gnuplot_picture_is_whole(path, bytes, size);
  bool is_written = is_drawn && fwrite(bytes, 1, size, file->stream) == size;
  is_written = (is_written && whole_file_finish(file)) || error_set_errno(error, "write", path);
  free(bytes);
  if (!is_drawn)
    error_set(error, "gnuplot could not draw %s%s%s", path, reason ? ": " : "", reason ? strerror(reason) : "");
  return is_written;
}

static bool draw_file(const char *path, const picture *of, error_info *error)
{
  whole_file file;
  if (!whole_file_open(&file, path))
    return error_set_errno(error, "write", path);
  bool is_written = picture_write(&file, path, of, error);
  whole_file_discard(&file);
  return is_written;
}

bool picture_draw(const char *dir, const char *name, const picture *of, error_info *error)
{
  bool is_drawn = true;
  for (int i = 0; is_drawn && i < PICTURE_ENDINGS; i++) {
    char *path = path_in(dir, "%s%s", name, picture_endings[i]);
    is_drawn = path ? draw_file(path, of, error) : error_out_of_memory(error);
    free(path);
  }
  return is_drawn;
}
