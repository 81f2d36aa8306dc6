/* SPDX-License-Identifier: MIT */
/*
 * One .vtp file, VTK's XML format for points, lines and polygons: a header in XML that tells the offset of each
 * array, then the arrays in binary ("raw appended"), little-endian, each after its size in bytes as UInt64.
 */
#ifndef JAGER_FILES_VTK_FILE_H
#define JAGER_FILES_VTK_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum vtk_type { VTK_FLOAT32, VTK_FLOAT64, VTK_UINT32, VTK_UINT8, VTK_INT64, VTK_TYPES } vtk_type;

/* The element of the header to which an array belongs. */
typedef enum vtk_place { VTK_POINT_DATA, VTK_CELL_DATA, VTK_POINTS, VTK_VERTS, VTK_LINES, VTK_PLACES } vtk_place;

typedef struct vtk_value {
  double real[3];   /* of arrays of floats */
  uint64_t integer; /* of the others */
} vtk_value;

/* Computes element i of an array. */
typedef vtk_value vtk_source(const void *context, size_t i);

/*
 * An array of `count` elements. Element i is a field of record i: of type double if the array has floats, else
 * uint32_t. An array with a source is computed instead.
 */
typedef struct vtk_array {
  vtk_place place;
  const char *name;
  vtk_type type;
  int components;
  size_t count;
  const void *records;
  size_t record_size, offset; /* bytes */
  vtk_source *source;
} vtk_array;

typedef struct vtk_file {
  long step;
  double time;
  const double (*cell)[3];
  size_t points, verts, lines;
  const vtk_array *arrays; /* in the order of their places */
  int array_count;
  const void *context; /* of the sources */
} vtk_file;

/* The caller checks the stream for errors of writing. */
void vtk_file_write(const vtk_file *file, FILE *stream);

#endif
