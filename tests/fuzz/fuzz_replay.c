/* SPDX-License-Identifier: MIT */
/*
 * Replays a corpus through LLVMFuzzerTestOneInput without libFuzzer, so that any compiler can. Arguments are files and
 * directories of files. No file at all is a failure: a lost corpus must not pass.
 */
#define _DEFAULT_SOURCE /* scandir */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void give_up(const char *path)
{
  perror(path);
  exit(1);
}

/* Bytes in a block of just their size, so that a sanitizer sees any access beyond. */
static void replay_file(const char *path)
{
  struct stat status;
  FILE *file = fopen(path, "rb");
  if (!file || stat(path, &status) != 0)
    give_up(path);
  size_t size = (size_t)status.st_size;
  uint8_t *data = malloc(size ? size : 1);
  if (!data || fread(data, 1, size, file) != size)
    give_up(path);
  fclose(file);
  LLVMFuzzerTestOneInput(data, size);
  free(data);
}

static int is_visible(const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

static int replay_directory(const char *path)
{
  struct dirent **entries;
  int count = scandir(path, &entries, is_visible, alphasort);
  if (count < 0)
    give_up(path);
  for (int i = 0; i < count; i++) {
    char file[4096];
    snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
    replay_file(file);
    free(entries[i]);
  }
  free(entries);
  return count;
}

int main(int argc, char *argv[])
{
  int count = 0;
  for (int i = 1; i < argc; i++) {
    struct stat status;
    if (stat(argv[i], &status) != 0)
      give_up(argv[i]);
    if (S_ISDIR(status.st_mode)) {
      count += replay_directory(argv[i]);
    } else {
      replay_file(argv[i]);
      count++;
    }
  }
  printf("%d inputs replayed\n", count);
  return count > 0 ? 0 : 1;
}
