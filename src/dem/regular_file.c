/* SPDX-License-Identifier: MIT */
/* Reading files that have an end. */
#include "regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* O_NONBLOCK keeps open from waiting for the writer of a pipe; in a regular file it has no effect. */
FILE *regular_file_open(const char *path, const char **reason)
{
  struct stat status;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor >= 0 && fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode)) {
    close(descriptor);
    *reason = "it is no regular file";
    return NULL;
  }
  FILE *stream = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
  if (!stream) {
    *reason = strerror(errno);
    if (descriptor >= 0)
      close(descriptor);
  }
  return stream;
}
