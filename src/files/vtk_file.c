/* SPDX-License-Identifier: MIT */
/* Writing one .vtp file. */
#include "vtk_file.h"
#include "base/number.h"

#include <string.h>

static const struct {
  const char *name;
  int bytes;
} types[VTK_TYPES] = {[VTK_FLOAT32] = {"Float32", 4},
                      [VTK_FLOAT64] = {"Float64", 8},
                      [VTK_UINT32] = {"UInt32", 4},
                      [VTK_UINT8] = {"UInt8", 1},
                      [VTK_INT64] = {"Int64", 8}};

static uint64_t size_of(const vtk_array *array)
{
  return (uint64_t)array->count * (uint64_t)array->components * (uint64_t)types[array->type].bytes;
}

/* ---- Header ------------------------------------------------------------------------------------------------------ */

static void write_number(double value, FILE *stream)
{
  char text[NUMBER_PRINT_SIZE];
  number_print(value, text);
  fputs(text, stream);
}

/* ParaView takes the time from the field TimeValue. Step, time and cell are written as text, to be read easily. */
static void write_fields(const vtk_file *file, FILE *stream)
{
  fprintf(stream, "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">");
  write_number(file->time, stream);
  fprintf(
      stream,
      "</DataArray>\n<DataArray type=\"Int64\" Name=\"step\" NumberOfTuples=\"1\" format=\"ascii\">%ld</DataArray>\n",
      file->step);
  fprintf(stream, "<DataArray type=\"Float64\" Name=\"cell\" NumberOfComponents=\"9\" NumberOfTuples=\"1\" "
                  "format=\"ascii\">");
  for (int i = 0; i < 9; i++) {
    write_number(file->cell[i / 3][i % 3], stream);
    fputs(i < 8 ? " " : "</DataArray>\n</FieldData>\n", stream);
  }
}

/* Writes one element of the header, with its arrays. `offset` is that of the next array. */
static void write_place(const vtk_file *file, vtk_place place, uint64_t *offset, FILE *stream)
{
  static const char *const names[VTK_PLACES] = {[VTK_POINT_DATA] = "PointData",
                                                [VTK_CELL_DATA] = "CellData",
                                                [VTK_POINTS] = "Points",
                                                [VTK_VERTS] = "Verts",
                                                [VTK_LINES] = "Lines"};
  fprintf(stream, "<%s>\n", names[place]);
  for (int i = 0; i < file->array_count; i++) {
    const vtk_array *array = &file->arrays[i];
    if (array->place != place)
      continue;
    fprintf(stream,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n",
            types[array->type].name, array->name, array->components, (unsigned long long)*offset);
    *offset += sizeof(uint64_t) + size_of(array);
  }
  fprintf(stream, "</%s>\n", names[place]);
}

static void write_header(const vtk_file *file, FILE *stream)
{
  uint64_t offset = 0;
  fprintf(stream, "<?xml version=\"1.0\"?>\n"
                  "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
                  "<PolyData>\n");
  write_fields(file, stream);
  fprintf(stream,
          "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"%zu\" NumberOfStrips=\"0\" "
          "NumberOfPolys=\"0\">\n",
          file->points, file->verts, file->lines);
  for (int place = 0; place < VTK_PLACES; place++)
    write_place(file, (vtk_place)place, &offset, stream);
  fprintf(stream, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
}

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

static void write_little_endian(uint64_t bits, int bytes, FILE *stream)
{
  unsigned char text[8] = {0};
  for (int i = 0; i < bytes; i++)
    text[i] = (unsigned char)(bits >> (8 * i));
  fwrite(text, 1, (size_t)bytes, stream);
}

static uint64_t bits_of(vtk_type type, const vtk_value *value, int component)
{
  uint64_t wide;
  uint32_t narrow;
  float single = (float)value->real[component];
  switch (type) {
  case VTK_FLOAT64:
    memcpy(&wide, &value->real[component], sizeof wide);
    return wide;
  case VTK_FLOAT32:
    memcpy(&narrow, &single, sizeof narrow);
    return narrow;
  default:
    return value->integer;
  }
}

/* A field of record i. */
static vtk_value field_of_record(const vtk_array *array, size_t i)
{
  const char *field = (const char *)array->records + i * array->record_size + array->offset;
  vtk_value value = {.integer = 0};
  uint32_t integer;
  if (array->type == VTK_FLOAT32 || array->type == VTK_FLOAT64) {
    memcpy(value.real, field, (size_t)array->components * sizeof(double));
  } else {
    memcpy(&integer, field, sizeof integer);
    value.integer = integer;
  }
  return value;
}

static void write_array(const vtk_array *array, const void *context, FILE *stream)
{
  write_little_endian(size_of(array), sizeof(uint64_t), stream);
  for (size_t i = 0; i < array->count && !ferror(stream); i++) {
    vtk_value value = array->source ? array->source(context, i) : field_of_record(array, i);
    for (int component = 0; component < array->components; component++)
      write_little_endian(bits_of(array->type, &value, component), types[array->type].bytes, stream);
  }
}

void vtk_file_write(const vtk_file *file, FILE *stream)
{
  write_header(file, stream);
  for (int i = 0; i < file->array_count; i++)
    write_array(&file->arrays[i], file->context, stream);
  fprintf(stream, "\n</AppendedData>\n</VTKFile>\n");
}
