/* SPDX-License-Identifier: MIT */
/* Bringing names to the disk. */
#include "sync.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void sync_directory_of(const char *path)
{
  char *copy = strdup(path);
  if (!copy)
    return;
  char *slash = strrchr(copy, '/');
  if (slash)
    slash[slash == copy ? 1 : 0] = '\0';
  int directory = open(slash ? copy : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    (void)fsync(directory);
    close(directory);
  }
  free(copy);
}
