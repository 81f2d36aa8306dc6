/* SPDX-License-Identifier: MIT */
/* The traces of a run, as CSV. */
#include "traces.h"
#include "base/file_system.h"
#include "base/whole_file.h"
#include "dem/observe/trace.h"
#include "files/run_names.h"

#include <stdio.h>
#include <stdlib.h>

#define COLUMN_NAME(field, unit, meaning) "," #field
static const char header[] = "life,id1,id2" DEM_TRACE_LIST(COLUMN_NAME) "\n";
#undef COLUMN_NAME

static void write_life(FILE *stream, const dem_trace_life *life, size_t number)
{
  for (size_t k = 0; k < life->count; k++) {
    const dem_trace_sample *at = &life->samples[k];
    fprintf(stream, "%zu,%u,%u", number, life->ids[0], life->ids[1]);
#define COLUMN_VALUE(field, unit, meaning) fprintf(stream, ",%.17g", at->field);
    DEM_TRACE_LIST(COLUMN_VALUE)
#undef COLUMN_VALUE
    fputc('\n', stream);
  }
}

/* Tells how many lives it has written. */
static bool write_request(const dem_trace_book *book, uint32_t request, const char *path, size_t *lives,
                          error_info *error)
{
  whole_file file;
  size_t next = 0;
  if (!whole_file_open(&file, path))
    return error_set_errno(error, "write", path);
  fputs(header, file.stream);
  *lives = 0;
  for (const dem_trace_life *life; (life = dem_trace_book_life(book, request, &next)); ++*lives)
    write_life(file.stream, life, next);
  return whole_file_finish(&file) || error_set_errno(error, "write", path);
}

bool run_traces_write(const dem_simulation *simulation, const char *dir, const run_watcher *watcher, error_info *error)
{
  const dem_trace_book *book = dem_simulation_traces(simulation);
  const dem_case *run = dem_simulation_case(simulation);
  bool done = true;
  for (uint32_t k = 0; book && (int)k < run->trace_count && done; k++) {
    size_t lives = 0;
    char *path = path_in(dir, RUN_TRACE_FORMAT, (int)k + 1);
    done = path ? write_request(book, k, path, &lives, error) : error_out_of_memory(error);
    if (done && lives == 0)
      run_notify(watcher, "%s is empty: there was no such contact", path);
    free(path);
  }
  return done;
}
