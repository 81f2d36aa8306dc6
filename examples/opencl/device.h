/* SPDX-License-Identifier: MIT */
/* As little of OpenCL's host side as a step of an assembly needs; the tests share it. Errors end the program. */
#ifndef EXAMPLES_OPENCL_DEVICE_H
#define EXAMPLES_OPENCL_DEVICE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct device {
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
} device;

static inline void device_check(cl_int status, const char *what)
{
  if (status != CL_SUCCESS) {
    fprintf(stderr, "OpenCL: %s: error %d\n", what, (int)status);
    exit(1);
  }
}

/* The first device of the first platform. 0: there is none. */
static inline int device_open(device *d)
{
  cl_platform_id platform;
  cl_uint count = 0;
  cl_int status;
  if (clGetPlatformIDs(1, &platform, &count) != CL_SUCCESS || count == 0 ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &d->id, &count) != CL_SUCCESS || count == 0)
    return 0;
  d->context = clCreateContext(NULL, 1, &d->id, NULL, NULL, &status);
  device_check(status, "context");
  d->queue = clCreateCommandQueue(d->context, d->id, 0, &status);
  device_check(status, "queue");
  return 1;
}

/* Builds a file with these options, as clBuildProgram takes them. */
static inline void device_build(device *d, const char *file, const char *options)
{
  char text[1024];
  const char *source = text;
  cl_int status;
  snprintf(text, sizeof text, "#include \"%s\"\n", file);
  d->program = clCreateProgramWithSource(d->context, 1, &source, NULL, &status);
  device_check(status, "program");
  if (clBuildProgram(d->program, 1, &d->id, options, NULL, NULL) != CL_SUCCESS) {
    static char log[65536];
    clGetProgramBuildInfo(d->program, d->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "OpenCL: %s\n%s\n", file, log);
    exit(1);
  }
}

/* Memory of the device with a copy of these bytes */
static inline cl_mem device_memory(const device *d, const void *bytes, size_t size)
{
  cl_int status;
  cl_mem memory =
      clCreateBuffer(d->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, (void *)(size_t)bytes, &status);
  device_check(status, "memory");
  return memory;
}

static inline void device_read(const device *d, cl_mem memory, void *bytes, size_t size)
{
  device_check(clEnqueueReadBuffer(d->queue, memory, CL_TRUE, 0, size, bytes, 0, NULL, NULL), "read");
}

/* A kernel with the given arguments, each a size and an address; a size of 0 ends them. */
static inline cl_kernel device_kernel(const device *d, const char *name, ...)
{
  cl_int status;
  cl_kernel kernel = clCreateKernel(d->program, name, &status);
  va_list arguments;
  device_check(status, name);
  va_start(arguments, name);
  for (cl_uint k = 0;; k++) {
    size_t size = va_arg(arguments, size_t);
    if (size == 0)
      break;
    device_check(clSetKernelArg(kernel, k, size, va_arg(arguments, const void *)), name);
  }
  va_end(arguments);
  return kernel;
}

static inline void device_run(const device *d, cl_kernel kernel, size_t count)
{
  device_check(clEnqueueNDRangeKernel(d->queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL), "kernel");
}

static inline void device_close(device *d)
{
  clReleaseProgram(d->program);
  clReleaseCommandQueue(d->queue);
  clReleaseContext(d->context);
}

#endif
