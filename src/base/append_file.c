/* SPDX-License-Identifier: MIT */
/* Text files that grow line by line. They are written without a buffer: a line costs one system call. */
#include "append_file.h"
#include "error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

static bool ends_a_line(int descriptor, long long position)
{
  char last;
  return position == 0 || (pread(descriptor, &last, 1, (off_t)(position - 1)) == 1 && last == '\n');
}

bool append_file_cut(append_file *file, long long position, error_info *error)
{
  file->position = position;
  return ftruncate(file->descriptor, (off_t)position) == 0 || error_set_errno(error, "shorten", file->path);
}

/* Cuts the file back, after a check that it is the file of the checkpoint. */
static bool cut_back(append_file *file, error_info *error)
{
  struct stat status;
  if (fstat(file->descriptor, &status) != 0)
    return error_set_errno(error, "read", file->path);
  if ((long long)status.st_size < file->position)
    return error_set(error, "%s has %lld bytes, but had %lld when the checkpoint was written", file->path,
                     (long long)status.st_size, file->position);
  if (!ends_a_line(file->descriptor, file->position))
    return error_set(error, "%s was changed after the checkpoint: no line ends at its byte %lld", file->path,
                     file->position);
  return append_file_cut(file, file->position, error);
}

static void forget(append_file *file)
{
  if (file->descriptor >= 0)
    close(file->descriptor);
  free(file->path);
  *file = (append_file){.descriptor = -1};
}

bool append_file_open(append_file *file, const char *path, long long keep, error_info *error)
{
  int flags = O_RDWR | O_APPEND | O_CLOEXEC | (keep < 0 ? O_CREAT | O_TRUNC : 0);
  *file = (append_file){.descriptor = -1, .path = strdup(path), .position = keep < 0 ? 0 : keep};
  if (!file->path)
    return error_out_of_memory(error);
  file->descriptor = open(path, flags, 0666);
  bool is_open = file->descriptor >= 0 || error_set_errno(error, keep < 0 ? "create" : "open", path);
  if (is_open && (keep < 0 || cut_back(file, error)))
    return true;
  forget(file);
  return false;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static bool write_all(int descriptor, const char *text, size_t length)
{
  while (length > 0) {
    ssize_t written = write(descriptor, text, length);
    if (written < 0 && errno != EINTR)
      return false;
    if (written > 0) {
      text += written;
      length -= (size_t)written;
    }
  }
  return true;
}

bool append_file_write(append_file *file, const char *text, size_t length, error_info *error)
{
  if (write_all(file->descriptor, text, length)) {
    file->position += (long long)length;
    return true;
  }
  error_set_errno(error, "write", file->path);
  /* Removes half a line; a file that is not regular keeps it. */
  (void)!ftruncate(file->descriptor, (off_t)file->position);
  return false;
}

/* Files that cannot be synced, such as pipes, need not be. */
bool append_file_sync(append_file *file, error_info *error)
{
  if (fdatasync(file->descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS)
    return true;
  return error_set_errno(error, "write", file->path);
}

long long append_file_position(const append_file *file)
{
  return file->position;
}

bool append_file_close(append_file *file, error_info *error)
{
  if (!file->path)
    return true;
  int failed = close(file->descriptor);
  file->descriptor = -1;
  bool is_closed = failed == 0 || error_set_errno(error, "write", file->path);
  forget(file);
  return is_closed;
}
