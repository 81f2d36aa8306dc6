/* SPDX-License-Identifier: MIT */
/* Shared by the figures of the paper: tables, pictures, sections of the report, contacts. */
#include "paper.h"
#include "base/file_system.h"
#include "base/whole_file.h"
#include "pictures/plot.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- Data -------------------------------------------------------------------------------------------------------- */

bool paper_table_open(paper_table *table, const char *name, const char *header, error_info *error)
{
  *table = (paper_table){.name = name};
  if (!memory_stream_open(&table->memory))
    return error_out_of_memory(error);
  table->stream = table->memory.stream;
  fprintf(table->stream, "%s\n", header);
  return true;
}

static bool write_text(const char *path, const char *text, error_info *error)
{
  whole_file file;
  if (!whole_file_open(&file, path))
    return error_set_errno(error, "write", path);
  fputs(text, file.stream);
  return whole_file_finish(&file) || error_set_errno(error, "write", path);
}

bool paper_write_file(const char *dir, const char *name, const char *text, error_info *error)
{
  char *path = path_in(dir, "%s", name);
  bool done = path ? write_text(path, text, error) : error_out_of_memory(error);
  free(path);
  return done;
}

bool paper_table_finish(paper_table *table, const paper *p, error_info *error)
{
  char name[64];
  table->stream = NULL;
  if (!memory_stream_finish(&table->memory))
    return error_out_of_memory(error);
  snprintf(name, sizeof name, "%s.csv", table->name);
  return paper_write_file(p->dir, name, table->memory.text, error);
}

void paper_table_write_block(const paper_table *table, const char *name, FILE *script)
{
  fprintf(script, "$%s << EOD\n%sEOD\n", name, strchr(table->memory.text, '\n') + 1);
}

void paper_table_free(paper_table *table)
{
  memory_stream_free(&table->memory);
  *table = (paper_table){.name = NULL};
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

/* The script of a figure, to be written after the style of all pictures. */
typedef struct styled {
  picture_script *script;
  const void *contents;
} styled;

static void write_styled(const void *contents, const char *terminal, FILE *script)
{
  const styled *of = contents;
  plot_write_style(terminal, 2, 3.5, script);
  fprintf(script, "set datafile separator comma\nset key width -1 spacing 1.1\n");
  of->script(of->contents, terminal, script);
}

bool paper_draw(const paper *p, const char *name, gnuplot_shape shape, picture_script *script, const void *contents,
                error_info *error)
{
  const styled of = {script, contents};
  if (!p->draws)
    return true;
  fprintf(p->report, "![%s](%s.png)\n\n", name, name);
  const picture drawn = {shape, write_styled, &of};
  return picture_draw(p->dir, name, &drawn, error);
}

/* ---- Report ------------------------------------------------------------------------------------------------------ */

void paper_section(const paper *p, const char *name, const char *what)
{
  fprintf(p->report, "\n## %s: %s\n\n", name, what);
}

void paper_compare_head(const paper *p)
{
  fprintf(p->report, "| | the paper | here |\n|---|---|---|\n");
}

void paper_compare_row(const paper *p, const char *what, const char *stated, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fprintf(p->report, "| %s | %s | ", what, stated);
  vfprintf(p->report, format, arguments);
  fprintf(p->report, " |\n");
  va_end(arguments);
}

/* ---- Contacts ---------------------------------------------------------------------------------------------------- */

bool paper_check(jager_status status, error_info *error)
{
  if (status == JAGER_ERROR_MEMORY)
    return error_out_of_memory(error);
  return status == JAGER_OK || error_set(error, "a contact cannot be computed: %s", jager_status_text(status));
}

jager_law paper_law(void)
{
  jager_law law = jager_law_default();
  (void)jager_law_set_bodies(&law, 1.0, 0.5);
  return law;
}

bool paper_contact_open(paper_contact *of, const jager_law *law, error_info *error)
{
  *of = (paper_contact){.law = *law, .pool = jager_pool_create(0)};
  return of->pool ? paper_check(jager_contact_init(&of->contact, law, 1.0, 1.0), error) : error_out_of_memory(error);
}

void paper_contact_close(paper_contact *of)
{
  jager_pool_destroy(of->pool);
  of->pool = NULL;
}

bool paper_contact_move(paper_contact *of, double zeta, const double dxi[2], int steps, jager_force *force,
                        error_info *error)
{
  const double start = jager_contact_zeta(&of->contact), share = 1.0 / steps,
               part[2] = {share * dxi[0], share * dxi[1]};
  jager_status status = JAGER_OK;
  for (int i = 1; i <= steps && status == JAGER_OK; i++) {
    double to = i == steps ? zeta : start + (zeta - start) * i / steps;
    status = jager_contact_move(&of->law, of->pool, &of->contact, to, part, force);
  }
  return paper_check(status, error);
}
