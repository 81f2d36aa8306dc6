/* SPDX-License-Identifier: MIT */
/* Opening and closing of HDF5 files, and their error messages. */
#include "h5_file.h"
#include "h5_driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

/* The walk goes from the innermost function that failed outwards: the first description is the most specific. */
static herr_t take_description(unsigned depth, const H5E_error2_t *level, void *context)
{
  h5_failure *failure = context;
  if (depth == 0 && level->desc)
    snprintf(failure->reason, sizeof failure->reason, "%s", level->desc);
  return 0;
}

/* HDF5 calls this function, instead of printing, when one of its functions fails. Only the first failure is kept. */
static herr_t note_failure(hid_t stack, void *context)
{
  h5_failure *failure = context;
  return failure->reason[0] == '\0' ? H5Ewalk2(stack, H5E_WALK_UPWARD, take_description, failure) : 0;
}

/*
 * Keeps HDF5 from printing. It must not clean up at the end of the program either, since it may crash there after a
 * damaged file; all our files are closed by then. H5dont_atexit() works only before any other call of HDF5.
 */
static void silence(h5_file *file)
{
  H5dont_atexit();
  H5Eget_auto2(H5E_DEFAULT, &file->printer, &file->printer_context);
  H5Eset_auto2(H5E_DEFAULT, file->failure ? note_failure : NULL, file->failure);
}

static void release(h5_file *file)
{
  if (file->whole.stream)
    whole_file_discard(&file->whole);
  H5Eset_auto2(H5E_DEFAULT, file->printer, file->printer_context);
  free(file->path);
  free(file->failure);
  *file = (h5_file){.id = -1};
}

static bool begin(h5_file *file, const char *path, bool is_written, error_info *error)
{
  *file = (h5_file){.id = -1, .is_written = is_written, .path = strdup(path), .failure = calloc(1, sizeof(h5_failure))};
  silence(file);
  if (file->path && file->failure)
    return true;
  release(file);
  return error_out_of_memory(error);
}

static hid_t create_file(const char *where, hid_t access)
{
  hid_t creation = h5_object_properties(H5P_FILE_CREATE);
  if (creation < 0)
    return -1;
  hid_t id = H5Fcreate(where, H5F_ACC_TRUNC, creation, access);
  H5Pclose(creation);
  return id;
}

/* Opens or creates the file at `where`. */
static bool open_with_driver(h5_file *file, const char *where)
{
  hid_t properties = h5_driver_properties(&file->failure->number);
  if (properties < 0)
    return false;
  file->id = file->is_written ? create_file(where, properties) : H5Fopen(where, H5F_ACC_RDONLY, properties);
  H5Pclose(properties);
  return file->id >= 0;
}

static bool give_up(h5_file *file)
{
  release(file);
  return false;
}

bool h5_file_create(h5_file *file, const char *path, error_info *error)
{
  if (!begin(file, path, true, error))
    return false;
  if (!whole_file_open(&file->whole, path)) {
    error_set_errno(error, "write", path);
    return give_up(file);
  }
  if (!file->whole.temporary) {
    error_set(error, "cannot write %s: it is not a regular file", path);
    return give_up(file);
  }
  if (!open_with_driver(file, file->whole.temporary)) {
    h5_file_fail(file, error);
    return give_up(file);
  }
  return true;
}

bool h5_file_open(h5_file *file, const char *path, error_info *error)
{
  if (!begin(file, path, false, error))
    return false;
  struct stat status;
  if (access(path, R_OK) != 0 || stat(path, &status) != 0) {
    error_set_errno(error, "read", path);
    return give_up(file);
  }
  if (!S_ISREG(status.st_mode)) {
    error_set(error, "cannot read %s: it is not a regular file", path);
    return give_up(file);
  }
  if (!open_with_driver(file, path)) {
    if (file->failure->number != 0)
      h5_file_fail(file, error);
    else
      error_set(error, "%s is not an HDF5 file, or damaged: HDF5 says: %s", path, file->failure->reason);
    return give_up(file);
  }
  return true;
}

/* ---- Closing ----------------------------------------------------------------------------------------------------- */

bool h5_file_finish(h5_file *file, error_info *error)
{
  herr_t closed = H5Fclose(file->id);
  file->id = -1;
  if (errno == ENOMEM) { /* HDF5 may have gone on although an allocation failed */
    error_out_of_memory(error);
    return give_up(file);
  }
  if (closed < 0 || file->failure->number != 0) {
    h5_file_fail(file, error);
    return give_up(file);
  }
  bool is_finished = whole_file_finish_on_disk(&file->whole);
  if (!is_finished)
    error_set_errno(error, "write", file->path);
  release(file);
  return is_finished;
}

void h5_file_close(h5_file *file)
{
  if (!file->path)
    return;
  H5Fclose(file->id);
  release(file);
}

/* ---- Error messages ---------------------------------------------------------------------------------------------- */

bool h5_file_fail(const h5_file *file, error_info *error)
{
  const char *verb = file->is_written ? "write" : "read", *reason = file->failure->reason;
  if (file->failure->number != 0)
    return error_set(error, "cannot %s %s: %s", verb, file->path, strerror(file->failure->number));
  return error_set(error, "cannot %s %s: HDF5 says: %s", verb, file->path, reason[0] ? reason : "nothing");
}

bool h5_file_fail_damaged(const h5_file *file, const char *what, const char *advice, error_info *error)
{
  const char *reason = file->failure->reason;
  return error_set(error, "%s is damaged: its %s cannot be read%s%s%s", file->path, what,
                   reason[0] ? ": HDF5 says: " : "", reason, advice);
}
