/* SPDX-License-Identifier: MIT */
/*
 * One .vtp file (VTK's XML format for points, lines and polygons): a head in XML that tells where each array is, and
 * the arrays behind it as they are ("raw appended"), little-endian, each behind its size in bytes as UInt64.
 */
#ifndef JAGER_FILES_VTK_FILE_H
#define JAGER_FILES_VTK_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum vtk_type { VTK_FLOAT32, VTK_FLOAT64, VTK_UINT32, VTK_UINT8, VTK_INT64, VTK_TYPES } vtk_type;

/* Where an array belongs in the head. */
typedef enum vtk_place { VTK_POINT_DATA, VTK_CELL_DATA, VTK_POINTS, VTK_VERTS, VTK_LINES, VTK_PLACES } vtk_place;

typedef struct vtk_value {
  double real[3];   /* of arrays of floats */
  uint64_t integer; /* of the others */
} vtk_value;

/* What is in an array: the value of its i-th point, cell or number. */
typedef vtk_value vtk_source(const void *context, size_t i);

typedef struct vtk_array {
  vtk_place place;
  const char *name;
  vtk_type type;
  int components;
  size_t count;
  vtk_source *source;
} vtk_array;

typedef struct vtk_picture {
  long step;
  double time;
  const double (*cell)[3];
  size_t points, verts, lines;
  const vtk_array *arrays; /* by place */
  int array_count;
  const void *context; /* of the sources */
} vtk_picture;

/* Errors of writing stay with the stream. */
void vtk_picture_write(const vtk_picture *picture, FILE *stream);

#endif
