/* SPDX-License-Identifier: MIT */
/* Paths, directories, files that appear complete, files that grow, files in memory. */
#include "file_system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *path_in(const char *dir, const char *format, ...)
{
  char *name, *path;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(&name, format, arguments);
  va_end(arguments);
  if (length < 0)
    return NULL;
  if (asprintf(&path, "%s/%s", dir, name) < 0)
    path = NULL;
  free(name);
  return path;
}

bool directory_make(const char *dir, error_info *error)
{
  struct stat status;
  if (*dir == '\0')
    return error_set(error, "the output directory has no name");
  char *path = strdup(dir);
  if (!path)
    return error_out_of_memory(error);
  bool is_made = true, is_whole = false;
  for (char *at = path + 1; is_made && !is_whole; at++) { /* each parent, then the directory itself */
    char end = *at;
    if (end != '/' && end != '\0')
      continue;
    *at = '\0';
    is_made = mkdir(path, 0777) == 0 || errno == EEXIST;
    *at = end;
    is_whole = end == '\0';
  }
  free(path);
  if (!is_made)
    return error_set_errno(error, "make the directory", dir);
  if (stat(dir, &status) != 0 || !S_ISDIR(status.st_mode))
    return error_set(error, "%s is not a directory", dir);
  return access(dir, W_OK | X_OK) == 0 || error_set_errno(error, "write to the directory", dir);
}

bool directory_add(const char *dir, const char *name, error_info *error)
{
  char *path = path_in(dir, "%s", name);
  if (!path)
    return error_out_of_memory(error);
  bool is_made = mkdir(path, 0777) == 0 || errno == EEXIST || error_set_errno(error, "create", path);
  free(path);
  return is_made;
}

void directory_sync_of(const char *path)
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

bool file_is_same(const char *a, const char *b)
{
  struct stat of_a, of_b;
  return a && b && stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
         of_a.st_ino == of_b.st_ino;
}

bool file_is_same_regular(const char *a, const char *b)
{
  struct stat status;
  if (!a || !b)
    return false;
  if (stat(a, &status) != 0)
    return strcmp(a, b) == 0;
  return S_ISREG(status.st_mode) && file_is_same(a, b);
}

bool file_remove(const char *path, error_info *error)
{
  return unlink(path) == 0 || errno == ENOENT || error_set_errno(error, "remove", path);
}

/* O_NONBLOCK keeps open from waiting for the writer of a pipe; in a regular file it has no effect. */
FILE *regular_file_open(const char *path, const char **reason)
{
  struct stat status;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool is_special = descriptor >= 0 && fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode);
  FILE *stream = descriptor >= 0 && !is_special ? fdopen(descriptor, "rb") : NULL;
  if (stream)
    return stream;
  bool is_directory = is_special && S_ISDIR(status.st_mode);
  int number = is_directory ? EISDIR : is_special ? EINVAL : errno;
  *reason = is_directory ? "it is a directory" : is_special ? "it is not a regular file" : strerror(number);
  if (descriptor >= 0)
    close(descriptor);
  errno = number;
  return NULL;
}

/* ---- Files that appear complete ---------------------------------------------------------------------------------- */

enum { LISTED_MAX = 256, NAME_TRIES = 1000 };

/*
 * A table holds the names of the files being written, for the signal handler that removes them. Who takes a name out of
 * the table owns it: the thread that wrote the file, which frees it, or the handler, which ends the program.
 */
static _Atomic(char *) unfinished[LISTED_MAX];
_Static_assert(ATOMIC_POINTER_LOCK_FREE == 2, "a handler of signals must not wait");

/* The process, a minus sign, and a number that makes the name a new one follow. */
#define TEMPORARY_ENDING ".tmp-"

static void remove_unfinished(int signal_number)
{
  for (int i = 0; i < LISTED_MAX; i++) {
    const char *name = atomic_exchange(&unfinished[i], NULL);
    if (name)
      unlink(name);
  }
  raise(signal_number); /* SA_RESETHAND: now it ends the program */
}

/* A signal that is ignored, as under nohup, stays ignored. */
void whole_file_remove_on_signals(void)
{
  static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction remove_and_end = {.sa_handler = remove_unfinished, .sa_flags = (int)SA_RESETHAND}, old;
  for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++)
    if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
      sigaction(ending_signals[i], &remove_and_end, NULL);
}

/* Puts `new` into the first place of the table that has `old`; false if there is none. NULL is a free place. */
static bool replace_unfinished(char *old, char *new)
{
  for (int i = 0; i < LISTED_MAX; i++) {
    char *expected = old;
    if (atomic_compare_exchange_strong(&unfinished[i], &expected, new))
      return true;
  }
  return false;
}

/* Forgets the file, and keeps errno. A name that the handler of a signal has taken must not be freed. */
static void whole_file_forget(whole_file *file)
{
  int reason = errno;
  if (file->is_listed && !replace_unfinished(file->temporary, NULL))
    file->temporary = NULL;
  free(file->path);
  free(file->temporary);
  *file = (whole_file){0};
  errno = reason;
}

/* Creates a file with a new name in the same directory, with the permissions of any new file (mkstemp has others). */
static int create_beside(const char *path, char **name)
{
  size_t size = strlen(path) + 64;
  *name = malloc(size);
  if (!*name)
    return -1;
  for (int i = 0; i < NAME_TRIES; i++) {
    snprintf(*name, size, "%s" TEMPORARY_ENDING "%ld-%d", path, (long)getpid(), i);
    int descriptor = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST)
      return descriptor;
  }
  return -1;
}

bool whole_file_open(whole_file *file, const char *path)
{
  struct stat status;
  char *resolved = realpath(path, NULL); /* of a symbolic link the file, or the link would be replaced */
  *file = (whole_file){.path = resolved || errno == ENOMEM ? resolved : strdup(path)};
  if (!file->path)
    return false;
  bool is_special = stat(file->path, &status) == 0 && !S_ISREG(status.st_mode);
  int descriptor = is_special ? open(file->path, O_WRONLY | O_CLOEXEC) : create_beside(file->path, &file->temporary);
  file->stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  if (!file->stream) {
    int reason = errno;
    if (descriptor >= 0) {
      close(descriptor);
      if (file->temporary)
        unlink(file->temporary);
    }
    errno = reason;
    whole_file_forget(file);
    return false;
  }
  /* A file for which the table has no room is written as well; only a signal does not remove it. */
  file->is_listed = file->temporary && replace_unfinished(NULL, file->temporary);
  return true;
}

/*
 * Closes the stream; with `on_disk`, what it wrote is then on the disk. Files that are not regular may refuse to be
 * synced. An error of an earlier buffered write counts as well, though its errno is lost.
 */
static bool close_stream(FILE *stream, bool on_disk)
{
  errno = 0;
  bool is_good = fflush(stream) == 0 && !ferror(stream) &&
                 (!on_disk || fsync(fileno(stream)) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS);
  int reason = errno;
  is_good = fclose(stream) == 0 && is_good;
  errno = reason ? reason : errno ? errno : EIO;
  return is_good;
}

static bool finish(whole_file *file, bool on_disk, const char *previous)
{
  bool is_done = close_stream(file->stream, on_disk);
  if (file->temporary && is_done) {
    if (previous)
      (void)rename(file->path, previous); /* there may be no file yet */
    is_done = rename(file->temporary, file->path) == 0;
  }
  int reason = errno;
  if (file->temporary && !is_done)
    unlink(file->temporary);
  if (is_done && on_disk)
    directory_sync_of(file->path);
  errno = reason;
  whole_file_forget(file);
  return is_done;
}

bool whole_file_finish(whole_file *file)
{
  return finish(file, false, NULL);
}

bool whole_file_finish_on_disk(whole_file *file)
{
  return finish(file, true, NULL);
}

bool whole_file_finish_keeping(whole_file *file, const char *previous)
{
  return finish(file, true, previous);
}

void whole_file_discard(whole_file *file)
{
  if (!file->stream)
    return;
  fclose(file->stream);
  if (file->temporary)
    unlink(file->temporary);
  whole_file_forget(file);
}

bool whole_file_is_temporary_ending(const char *ending)
{
  static const char digits[] = "0123456789";
  const size_t length = sizeof TEMPORARY_ENDING - 1;
  if (strncmp(ending, TEMPORARY_ENDING, length) != 0)
    return false;
  size_t process = strspn(ending + length, digits);
  const char *rest = ending + length + process;
  return process > 0 && rest[0] == '-' && rest[1] != '\0' && rest[1 + strspn(rest + 1, digits)] == '\0';
}

/* ---- Files that grow --------------------------------------------------------------------------------------------- */

/* They are written without a buffer: a line costs one system call. */

bool append_file_cut(append_file *file, long long position, error_info *error)
{
  file->position = position;
  return ftruncate(file->descriptor, (off_t)position) == 0 || error_set_errno(error, "shorten", file->path);
}

/* Cuts the file back, after a check that it is the file of the checkpoint. */
static bool cut_back(append_file *file, error_info *error)
{
  struct stat status;
  char last;
  if (fstat(file->descriptor, &status) != 0)
    return error_set_errno(error, "read", file->path);
  if ((long long)status.st_size < file->position)
    return error_set(error, "%s has %lld bytes, but had %lld when the checkpoint was written", file->path,
                     (long long)status.st_size, file->position);
  if (file->position > 0 && (pread(file->descriptor, &last, 1, (off_t)(file->position - 1)) != 1 || last != '\n'))
    return error_set(error, "%s was changed after the checkpoint: no line ends at its byte %lld", file->path,
                     file->position);
  return append_file_cut(file, file->position, error);
}

static void append_file_forget(append_file *file)
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
  append_file_forget(file);
  return false;
}

bool append_file_write(append_file *file, const char *text, size_t length, error_info *error)
{
  for (size_t done = 0; done < length;) {
    ssize_t written = write(file->descriptor, text + done, length - done);
    if (written >= 0) {
      done += (size_t)written;
    } else if (errno != EINTR) {
      error_set_errno(error, "write", file->path);
      /* Removes half a line; a file that is not regular keeps it. */
      (void)!ftruncate(file->descriptor, (off_t)file->position);
      return false;
    }
  }
  file->position += (long long)length;
  return true;
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
  append_file_forget(file);
  return is_closed;
}

/* ---- Files in memory --------------------------------------------------------------------------------------------- */

/* A write function of fopencookie: 0 is a failure. There is always room for a NUL after the text. */
static ssize_t add_text(void *cookie, const char *bytes, size_t count)
{
  memory_stream *memory = cookie;
  if (memory->room - memory->size <= count) {
    size_t room = 2 * memory->room + count + 1;
    char *larger = realloc(memory->text, room);
    if (!larger) {
      memory->is_short = true;
      return 0;
    }
    memory->text = larger;
    memory->room = room;
  }
  memcpy(memory->text + memory->size, bytes, count);
  memory->size += count;
  memory->text[memory->size] = '\0';
  return (ssize_t)count;
}

bool memory_stream_open(memory_stream *memory)
{
  *memory = (memory_stream){.text = calloc(1, 1), .room = 1};
  if (memory->text)
    memory->stream = fopencookie(memory, "w", (cookie_io_functions_t){.write = add_text});
  if (memory->stream)
    return true;
  memory_stream_free(memory);
  return false;
}

bool memory_stream_finish(memory_stream *memory)
{
  bool is_whole = fclose(memory->stream) == 0 && !memory->is_short;
  memory->stream = NULL;
  if (!is_whole)
    memory_stream_free(memory);
  return is_whole;
}

void memory_stream_free(memory_stream *memory)
{
  if (memory->stream)
    fclose(memory->stream);
  free(memory->text);
  *memory = (memory_stream){.stream = NULL};
}
