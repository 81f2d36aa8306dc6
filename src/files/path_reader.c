/* SPDX-License-Identifier: MIT */
/* Reads the path of a contact: the meaning of the columns of a CSV file, and sums of changes. */
#include "path_reader.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A kind of header: three columns, the last of which may be missing. */
typedef struct family {
  path_control control;
  bool is_change;
  bool is_whole; /* whole movements, of which ζ and ξ are the halves */
  const char *names[PATH_ROLES];
} family;

static const family families[] = {
    {PATH_BY_DISPLACEMENT, true, false, {"dzeta", "dxi1", "dxi2"}},
    {PATH_BY_DISPLACEMENT, false, false, {"zeta", "xi1", "xi2"}},
    {PATH_BY_DISPLACEMENT, true, true, {"doverlap", "dshift1", "dshift2"}},
    {PATH_BY_DISPLACEMENT, false, true, {"overlap", "shift1", "shift2"}},
    {PATH_BY_FORCE, true, false, {"dfn", "dft1", "dft2"}},
    {PATH_BY_FORCE, false, false, {"fn", "ft1", "ft2"}},
};

enum { FAMILIES = sizeof families / sizeof *families };

/* For messages. */
static const char *const allowed_columns[] = {
    [PATH_BY_DISPLACEMENT] = "dzeta,dxi1[,dxi2] or zeta,xi1[,xi2], or for whole movements "
                             "doverlap,dshift1[,dshift2] or overlap,shift1[,shift2]",
    [PATH_BY_FORCE] = "dfn,dft1[,dft2] or fn,ft1[,ft2]",
};

static const char *const control_names[] = {
    [PATH_BY_DISPLACEMENT] = "displacement",
    [PATH_BY_FORCE] = "force",
};

/* ---- Sums -------------------------------------------------------------------------------------------------------- */

/* Reading rounds a decimal fraction by up to half a unit in the last place; integers up to 2^53 are exact. */
static double reading_error(double number)
{
  bool is_whole = fabs(number) <= 1.0 / DBL_EPSILON && floor(number) == number;
  return is_whole ? 0.0 : fabs(number) * (DBL_EPSILON / 2.0);
}

/*
 * The sum of decimal fractions like 0.1 + 0.2 - 0.3 is not zero in binary. The contact would take the residual for an
 * overlap, a gap, or a shear force without a normal force. Therefore a sum that is not larger than its error bound
 * becomes zero.
 */
static void change_by(path_sum *sum, double change)
{
  compensated_sum_add(&sum->sum, change);
  sum->error_bound += reading_error(change);
  if (fabs(sum->sum.high) <= sum->error_bound)
    *sum = (path_sum){{0.0, 0.0}, 0.0};
}

static void set_to(path_sum *sum, double value)
{
  *sum = (path_sum){{value, 0.0}, 0.0};
}

/* ---- Header ------------------------------------------------------------------------------------------------------ */

static bool is_named(const csv_name *name, const char *text)
{
  return strlen(text) == name->length && memcmp(text, name->text, name->length) == 0;
}

/* The family and role of the column with this name; NULL if there is none. */
static const family *find_name(const csv_name *name, int *role)
{
  for (int i = 0; i < FAMILIES; i++)
    for (*role = 0; *role < PATH_ROLES; ++*role)
      if (is_named(name, families[i].names[*role]))
        return &families[i];
  return NULL;
}

/* Gives the column its role, or sets a message. `file` is the family of the columns before it. */
static csv_result assign_column(path_reader *reader, const csv_header *header, size_t index, const family **file)
{
  const csv_name *name = &header->names[index];
  const char *allowed = allowed_columns[reader->control];
  char quoted[CSV_QUOTE_SIZE];
  csv_quote(name->text, name->length, quoted);
  int role;
  const family *found = find_name(name, &role);
  if (!found)
    return csv_fail(&reader->csv, name->at, "unknown column %s: the columns must be %s", quoted, allowed);
  if (found->control != reader->control)
    return csv_fail(&reader->csv, name->at, "column %s needs --control %s: with --control %s the columns must be %s",
                    quoted, control_names[found->control], control_names[reader->control], allowed);
  if (*file && *file != found)
    return csv_fail(&reader->csv, name->at, "column %s cannot be mixed with the columns before it: they must be %s",
                    quoted, allowed);
  if (reader->column_of[role] != PATH_NO_COLUMN)
    return csv_fail(&reader->csv, name->at, "column %s is there twice", quoted);
  reader->column_of[role] = index;
  *file = found;
  return CSV_ROW;
}

static csv_result assign_columns(path_reader *reader, const csv_header *header)
{
  const family *file = NULL;
  for (size_t i = 0; i < header->count; i++) {
    csv_result result = assign_column(reader, header, i, &file);
    if (result != CSV_ROW)
      return result;
  }
  if (!file)
    return csv_fail(&reader->csv, header->end, "no columns: they must be %s", allowed_columns[reader->control]);
  for (int role = PATH_NORMAL; role <= PATH_SHEAR_1; role++)
    if (reader->column_of[role] == PATH_NO_COLUMN)
      return csv_fail(&reader->csv, header->end, "column '%s' is missing: the columns must be %s", file->names[role],
                      allowed_columns[reader->control]);
  reader->is_change = file->is_change;
  reader->is_whole = file->is_whole;
  return CSV_ROW;
}

csv_result path_reader_open(path_reader *reader, path_control control, csv_source *source, void *context,
                            const char *file_name)
{
  csv_open(&reader->csv, source, context, file_name);
  reader->control = control;
  set_to(&reader->zeta, 0.0);
  for (int i = 0; i < 2; i++)
    set_to(&reader->xi[i], 0.0);
  for (int role = 0; role < PATH_ROLES; role++)
    set_to(&reader->force[role], 0.0);
  for (int role = 0; role < PATH_ROLES; role++)
    reader->column_of[role] = PATH_NO_COLUMN;
  csv_header header;
  csv_result result = csv_read_header(&reader->csv, &header);
  return result == CSV_ROW ? assign_columns(reader, &header) : result;
}

size_t path_reader_at(const path_reader *reader, int role)
{
  size_t column = reader->column_of[role];
  return column == PATH_NO_COLUMN ? 1 : reader->csv.at[column];
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

static void move_by(path_reader *reader, const double change[PATH_ROLES], path_step *step)
{
  change_by(&reader->zeta, change[PATH_NORMAL]);
  for (int i = 0; i < 2; i++) {
    step->movement.dxi[i] = change[PATH_SHEAR_1 + i];
    change_by(&reader->xi[i], change[PATH_SHEAR_1 + i]);
  }
}

static void move_to(path_reader *reader, const double position[PATH_ROLES], path_step *step)
{
  set_to(&reader->zeta, position[PATH_NORMAL]);
  for (int i = 0; i < 2; i++) {
    step->movement.dxi[i] = position[PATH_SHEAR_1 + i] - reader->xi[i].sum.high;
    set_to(&reader->xi[i], position[PATH_SHEAR_1 + i]);
  }
}

static void load_by(path_reader *reader, const double change[PATH_ROLES])
{
  for (int role = 0; role < PATH_ROLES; role++)
    change_by(&reader->force[role], change[role]);
}

static void load_to(path_reader *reader, const double force[PATH_ROLES])
{
  for (int role = 0; role < PATH_ROLES; role++)
    set_to(&reader->force[role], force[role]);
}

/* Sums and differences of finite numbers may overflow. */
static csv_result check_step(path_reader *reader, const path_step *step)
{
  const bool is_finite[PATH_ROLES] = {
      isfinite(step->movement.zeta) && isfinite(step->force.fn),
      isfinite(step->xi[0]) && isfinite(step->movement.dxi[0]) && isfinite(step->force.ft[0]),
      isfinite(step->xi[1]) && isfinite(step->movement.dxi[1]) && isfinite(step->force.ft[1]),
  };
  for (int role = 0; role < PATH_ROLES; role++)
    if (!is_finite[role])
      return csv_fail(&reader->csv, path_reader_at(reader, role), "the path becomes too large to compute with here");
  return CSV_ROW;
}

csv_result path_reader_next(path_reader *reader, path_step *step)
{
  double row[CSV_COLUMNS_MAX], of_role[PATH_ROLES] = {0.0};
  csv_result result = csv_read_row(&reader->csv, row);
  if (result != CSV_ROW)
    return result;
  for (int role = 0; role < PATH_ROLES; role++)
    if (reader->column_of[role] != PATH_NO_COLUMN)
      of_role[role] = (reader->is_whole ? 0.5 : 1.0) * row[reader->column_of[role]];
  *step = (path_step){0};
  if (reader->control == PATH_BY_FORCE)
    (reader->is_change ? load_by : load_to)(reader, of_role);
  else
    (reader->is_change ? move_by : move_to)(reader, of_role, step);
  step->movement.zeta = reader->zeta.sum.high;
  for (int i = 0; i < 2; i++) {
    step->xi[i] = reader->xi[i].sum.high;
    step->force.ft[i] = reader->force[PATH_SHEAR_1 + i].sum.high;
  }
  step->force.fn = reader->force[PATH_NORMAL].sum.high;
  return check_step(reader, step);
}
