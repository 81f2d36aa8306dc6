/* SPDX-License-Identifier: MIT */
/* Opening, finishing and failing of HDF5 files. */
#include "h5_file.h"
#include "base/error.h"
#include "h5_driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

/* The walk goes from the function that failed up to the one that was called: the first description tells most. */
static herr_t take_description(unsigned depth, const H5E_error2_t *level, void *context)
{
  h5_trouble *trouble = context;
  if (depth == 0 && level->desc)
    snprintf(trouble->reason, sizeof trouble->reason, "%s", level->desc);
  return 0;
}

/* HDF5 calls this instead of printing, when one of its functions fails. */
static herr_t note_failure(hid_t stack, void *context)
{
  h5_trouble *trouble = context;
  return trouble->reason[0] == '\0' ? H5Ewalk2(stack, H5E_WALK_UPWARD, take_description, trouble) : 0;
}

/*
 * HDF5 tidies up at the program's end, and may then trip over what a damaged file left in it. All of ours is closed by
 * then, so it need not. Only the first call, before any other of HDF5's, has an effect.
 */
static void silence(h5_file *file)
{
  H5dont_atexit();
  H5Eget_auto2(H5E_DEFAULT, &file->printer, &file->printer_context);
  H5Eset_auto2(H5E_DEFAULT, file->trouble ? note_failure : NULL, file->trouble);
}

static void forget(h5_file *file)
{
  if (file->place.stream)
    whole_file_discard(&file->place);
  H5Eset_auto2(H5E_DEFAULT, file->printer, file->printer_context);
  free(file->path);
  free(file->trouble);
  *file = (h5_file){.id = -1};
}

static bool begin(h5_file *file, const char *path, bool is_written, error_info *error)
{
  *file = (h5_file){.id = -1, .is_written = is_written, .path = strdup(path), .trouble = calloc(1, sizeof(h5_trouble))};
  silence(file);
  if (file->path && file->trouble)
    return true;
  forget(file);
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

/* HDF5 itself opens the file, at `where`. */
static bool open_with_driver(h5_file *file, const char *where)
{
  hid_t properties = h5_driver_properties(&file->trouble->failure);
  if (properties < 0)
    return false;
  file->id = file->is_written ? create_file(where, properties) : H5Fopen(where, H5F_ACC_RDONLY, properties);
  H5Pclose(properties);
  return file->id >= 0;
}

static bool refuse(h5_file *file)
{
  forget(file);
  return false;
}

bool h5_file_create(h5_file *file, const char *path, error_info *error)
{
  if (!begin(file, path, true, error))
    return false;
  if (!whole_file_open(&file->place, path)) {
    error_set_errno(error, "write", path);
    return refuse(file);
  }
  if (!file->place.temporary) {
    error_set(error, "cannot write %s: it is no regular file", path);
    return refuse(file);
  }
  if (!open_with_driver(file, file->place.temporary)) {
    h5_file_fail(file, error);
    return refuse(file);
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
    return refuse(file);
  }
  if (!S_ISREG(status.st_mode)) {
    error_set(error, "cannot read %s: it is no regular file", path);
    return refuse(file);
  }
  if (!open_with_driver(file, path)) {
    if (file->trouble->failure != 0)
      h5_file_fail(file, error);
    else
      error_set(error, "%s is no HDF5 file, or damaged: HDF5 says: %s", path, file->trouble->reason);
    return refuse(file);
  }
  return true;
}

/* ---- Closing ----------------------------------------------------------------------------------------------------- */

bool h5_file_finish(h5_file *file, error_info *error)
{
  herr_t closed = H5Fclose(file->id);
  file->id = -1;
  if (errno == ENOMEM) { /* HDF5 may have gone on without what it could not allocate */
    error_out_of_memory(error);
    return refuse(file);
  }
  if (closed < 0 || file->trouble->failure != 0) {
    h5_file_fail(file, error);
    return refuse(file);
  }
  bool is_finished = whole_file_finish_on_disk(&file->place);
  if (!is_finished)
    error_set_errno(error, "write", file->path);
  forget(file);
  return is_finished;
}

void h5_file_close(h5_file *file)
{
  if (!file->path)
    return;
  H5Fclose(file->id);
  forget(file);
}

/* ---- Failing ----------------------------------------------------------------------------------------------------- */

bool h5_file_fail(const h5_file *file, error_info *error)
{
  const char *verb = file->is_written ? "write" : "read";
  const h5_trouble *trouble = file->trouble;
  if (trouble->failure != 0)
    return error_set(error, "cannot %s %s: %s", verb, file->path, strerror(trouble->failure));
  return error_set(error, "cannot %s %s: HDF5 says: %s", verb, file->path,
                   trouble->reason[0] ? trouble->reason : "nothing");
}
