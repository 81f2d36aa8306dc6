/* SPDX-License-Identifier: MIT */
/* A file driver for HDF5, which hides errors of writing from it. */
#include "h5_driver.h"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct driver_file {
  H5FD_t base; /* used by HDF5; must be first */
  int descriptor;
  bool is_written;
  haddr_t end_of_addresses, end_of_file;
  dev_t device;
  ino_t inode;
  int *failure;
} driver_file;

/* The argument of driver_open, which comes with the properties. */
typedef struct driver_info {
  int *failure;
} driver_info;

static void keep_error(const driver_file *file)
{
  if (*file->failure == 0)
    *file->failure = errno ? errno : EIO;
}

/* ---- Opening and closing ----------------------------------------------------------------------------------------- */

static int system_flags(unsigned flags)
{
  return O_CLOEXEC | (flags & H5F_ACC_RDWR ? O_RDWR : O_RDONLY) | (flags & H5F_ACC_TRUNC ? O_TRUNC : 0) |
         (flags & H5F_ACC_CREAT ? O_CREAT : 0) | (flags & H5F_ACC_EXCL ? O_EXCL : 0);
}

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t properties, haddr_t max)
{
  (void)max;
  const driver_info *info = H5Pget_driver_info(properties);
  driver_file *file = calloc(1, sizeof *file);
  struct stat status;
  if (!file || !info) {
    free(file);
    return NULL;
  }
  file->failure = info->failure;
  file->is_written = (flags & H5F_ACC_RDWR) != 0;
  file->descriptor = open(name, system_flags(flags), 0666);
  if (file->descriptor < 0 || fstat(file->descriptor, &status) != 0) {
    if (file->descriptor >= 0)
      close(file->descriptor);
    free(file);
    return NULL;
  }
  file->end_of_file = (haddr_t)status.st_size;
  file->device = status.st_dev;
  file->inode = status.st_ino;
  return &file->base;
}

static herr_t driver_close(H5FD_t *base)
{
  driver_file *file = (driver_file *)base;
  if (close(file->descriptor) != 0 && file->is_written)
    keep_error(file);
  free(file);
  return 0;
}

/* Tells whether two open files are the same one. */
static int driver_cmp(const H5FD_t *a, const H5FD_t *b)
{
  const driver_file *left = (const driver_file *)a, *right = (const driver_file *)b;
  if (left->device != right->device)
    return left->device < right->device ? -1 : 1;
  return (left->inode > right->inode) - (left->inode < right->inode);
}

static herr_t driver_query(const H5FD_t *base, unsigned long *flags)
{
  (void)base;
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

/* ---- End of the file --------------------------------------------------------------------------------------------- */

static haddr_t driver_get_eoa(const H5FD_t *base, H5FD_mem_t type)
{
  (void)type;
  return ((const driver_file *)base)->end_of_addresses;
}

static herr_t driver_set_eoa(H5FD_t *base, H5FD_mem_t type, haddr_t address)
{
  (void)type;
  ((driver_file *)base)->end_of_addresses = address;
  return 0;
}

static haddr_t driver_get_eof(const H5FD_t *base, H5FD_mem_t type)
{
  (void)type;
  return ((const driver_file *)base)->end_of_file;
}

static herr_t driver_truncate(H5FD_t *base, hid_t properties, hbool_t is_closing)
{
  (void)properties;
  (void)is_closing;
  driver_file *file = (driver_file *)base;
  if (file->end_of_addresses == file->end_of_file)
    return 0;
  if (ftruncate(file->descriptor, (off_t)file->end_of_addresses) != 0)
    keep_error(file);
  file->end_of_file = file->end_of_addresses;
  return 0;
}

/* ---- Reading and writing ----------------------------------------------------------------------------------------- */

/* Bytes after the end of the file are zero. */
static herr_t driver_read(H5FD_t *base, H5FD_mem_t type, hid_t properties, haddr_t address, size_t size, void *buffer)
{
  (void)type;
  (void)properties;
  const driver_file *file = (const driver_file *)base;
  char *at = buffer;
  while (size > 0) {
    ssize_t count = pread(file->descriptor, at, size, (off_t)address);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0) {
      keep_error(file);
      return -1;
    }
    if (count == 0)
      break;
    at += count;
    address += (haddr_t)count;
    size -= (size_t)count;
  }
  memset(at, 0, size);
  return 0;
}

static void write_all(const driver_file *file, haddr_t address, size_t size, const char *at)
{
  while (size > 0 && *file->failure == 0) {
    ssize_t count = pwrite(file->descriptor, at, size, (off_t)address);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      keep_error(file);
      return;
    }
    at += count;
    address += (haddr_t)count;
    size -= (size_t)count;
  }
}

static herr_t driver_write(H5FD_t *base, H5FD_mem_t type, hid_t properties, haddr_t address, size_t size,
                           const void *buffer)
{
  (void)type;
  (void)properties;
  driver_file *file = (driver_file *)base;
  write_all(file, address, size, buffer);
  if (address + size > file->end_of_file)
    file->end_of_file = address + size;
  return 0;
}

/* ---- The driver -------------------------------------------------------------------------------------------------- */

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)600, /* not registered by others */
#endif
    .name = "jager",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(driver_info),
    .open = driver_open,
    .close = driver_close,
    .cmp = driver_cmp,
    .query = driver_query,
    .get_eoa = driver_get_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_get_eof,
    .read = driver_read,
    .write = driver_write,
    .truncate = driver_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t h5_driver_properties(int *failure)
{
  driver_info info = {failure};
  *failure = 0;
  hid_t id = H5FDregister(&driver);
  if (id < 0)
    return -1;
  hid_t properties = H5Pcreate(H5P_FILE_ACCESS);
  if (properties >= 0 && (H5Pset_driver(properties, id, &info) < 0 ||
                          H5Pset_libver_bounds(properties, H5F_LIBVER_V110, H5F_LIBVER_V110) < 0)) {
    H5Pclose(properties);
    properties = -1;
  }
  H5FDunregister(id); /* the properties, and later the file, hold references to it */
  return properties;
}
