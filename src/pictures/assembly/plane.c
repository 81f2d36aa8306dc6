/* SPDX-License-Identifier: MIT */
/* The plane in which an assembly is drawn, and the title of its pictures. */
#include "plane.h"
#include "pictures/plot.h"

#include <stdlib.h>

static bool is_driven(const dem_stage *stage, dem_component component)
{
  const dem_control *control = &stage->control[component];
  bool is_moved = control->kind == DEM_CONTROL_STRESS || control->kind <= DEM_CONTROL_STRAIN;
  return is_moved && (control->value < 0.0 || control->value > 0.0);
}

picture_plane picture_plane_of(const dem_case *run, int stage)
{
  const picture_plane xy = {0, 1, 2}, xz = {0, 2, 1}, yz = {1, 2, 0};
  if (stage < 1 || stage > run->stage_count)
    return xz;
  const dem_stage *of = &run->stages[stage - 1];
  return is_driven(of, DEM_XZ) ? xz : is_driven(of, DEM_XY) ? xy : is_driven(of, DEM_YZ) ? yz : xz;
}

char picture_axis_name(int axis)
{
  return "xyz"[axis];
}

void cell_shares(const double h[3][3], const double x[3], double f[3])
{
  f[2] = x[2] / h[2][2];
  f[1] = (x[1] - h[1][2] * f[2]) / h[1][1];
  f[0] = (x[0] - h[0][1] * f[1] - h[0][2] * f[2]) / h[0][0];
}

/* ---- Order ------------------------------------------------------------------------------------------------------- */

typedef struct order_entry {
  double depth;
  uint32_t number;
} order_entry;

static int compare_depths(const void *left, const void *right)
{
  const order_entry *a = left, *b = right;
  if (a->depth < b->depth || a->depth > b->depth)
    return a->depth < b->depth ? -1 : 1;
  return a->number < b->number ? -1 : a->number > b->number;
}

/* With x to the right and z upwards, the nearest are those of the smallest y. */
static void sort_spheres(const stage_contents *of, order_entry *entries)
{
  const double sign = of->plane.depth == 1 ? -1.0 : 1.0;
  for (size_t i = 0; i < of->snapshot->sphere_count; i++) {
    double f[3];
    cell_shares(of->snapshot->cell, of->snapshot->spheres[i].position, f);
    entries[i] = (order_entry){sign * f[of->plane.depth], (uint32_t)i};
  }
  qsort(entries, of->snapshot->sphere_count, sizeof *entries, compare_depths);
  for (size_t i = 0; i < of->snapshot->sphere_count; i++)
    of->order[i] = entries[i].number;
}

bool stage_contents_init(stage_contents *of, const dem_snapshot *snapshot, const dem_case *run, int stage)
{
  *of = (stage_contents){.snapshot = snapshot, .run = run, .stage = stage, .plane = picture_plane_of(run, stage)};
  of->order = malloc((snapshot->sphere_count + 1) * sizeof *of->order);
  order_entry *entries = malloc((snapshot->sphere_count + 1) * sizeof *entries);
  bool has_memory = of->order && entries;
  if (has_memory)
    sort_spheres(of, entries);
  else
    stage_contents_free(of);
  free(entries);
  return has_memory;
}

void stage_contents_free(stage_contents *of)
{
  free(of->order);
  of->order = NULL;
}

/* ---- Title ------------------------------------------------------------------------------------------------------- */

void stage_contents_begin(const stage_contents *of, const char *more, FILE *script)
{
  const dem_case *run = of->run;
  fprintf(script, "set multiplot layout 1,2 title \"");
  if (run->title) {
    plot_write_text(run->title, script);
    fprintf(script, ": ");
  }
  fprintf(script, "end of stage %d (", of->stage);
  plot_write_text(of->stage == 0 ? "packing" : run->stages[of->stage - 1].name, script);
  fprintf(script, "), %s\" font ',14' noenhanced\n", more);
}
