/* SPDX-License-Identifier: MIT */
/* The pictures of the assembly. */
#include "assembly_picture.h"
#include "base/file_system.h"
#include "files/run_names.h"
#include "grading_picture.h"
#include "grains_picture.h"
#include "pictures/picture.h"
#include "plane.h"
#include "rose_picture.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Names ------------------------------------------------------------------------------------------------------- */

/* The pictures of a stage. */
static const struct {
  const char *format; /* of the name */
  picture_script *script;
} pictures[] = {{RUN_GRAINS_FORMAT, grains_picture_write}, {RUN_ROSE_FORMAT, rose_picture_write}};

enum { PICTURES = sizeof pictures / sizeof *pictures };

static void print_name(int which, int stage, char name[ASSEMBLY_PICTURE_NAME_SIZE])
{
  snprintf(name, ASSEMBLY_PICTURE_NAME_SIZE, pictures[which].format, stage);
}

bool assembly_picture_name(int number, char name[ASSEMBLY_PICTURE_NAME_SIZE])
{
  snprintf(name, ASSEMBLY_PICTURE_NAME_SIZE, "%s", RUN_GRADING);
  if (number == 0)
    return true;
  int stage = (number - 1) / PICTURES;
  if (stage > DEM_STAGES_MAX)
    return false;
  print_name((number - 1) % PICTURES, stage, name);
  return true;
}

/* ---- Drawing ----------------------------------------------------------------------------------------------------- */

bool assembly_picture_draw_grading(const char *dir, const dem_grading *grading, const dem_case *run, error_info *error)
{
  const grading_contents contents = {grading, run};
  const picture of = {GNUPLOT_WIDE, grading_picture_write, &contents};
  return picture_draw(dir, RUN_GRADING, &of, error);
}

bool assembly_picture_draw_stage(const char *dir, const dem_snapshot *snapshot, const dem_case *run, int stage,
                                 error_info *error)
{
  stage_contents contents;
  char name[ASSEMBLY_PICTURE_NAME_SIZE];
  if (!stage_contents_init(&contents, snapshot, run, stage))
    return error_out_of_memory(error);
  bool is_drawn = true;
  for (int k = 0; is_drawn && k < PICTURES; k++) {
    const picture of = {GNUPLOT_WIDE, pictures[k].script, &contents};
    print_name(k, stage, name);
    is_drawn = picture_draw(dir, name, &of, error);
  }
  stage_contents_free(&contents);
  return is_drawn;
}

/* ---- Removing ---------------------------------------------------------------------------------------------------- */

static bool remove_picture(const char *dir, int which, int stage, error_info *error)
{
  char name[ASSEMBLY_PICTURE_NAME_SIZE];
  bool is_removed = true;
  print_name(which, stage, name);
  for (int i = 0; is_removed && i < PICTURE_ENDINGS; i++) {
    char *path = path_in(dir, "%s%s", name, picture_endings[i]);
    is_removed = path ? file_remove(path, error) : error_out_of_memory(error);
    free(path);
  }
  return is_removed;
}

bool assembly_picture_remove(const char *dir, int first_stage, error_info *error)
{
  bool is_removed = true;
  for (int stage = first_stage; stage <= DEM_STAGES_MAX; stage++)
    for (int k = 0; is_removed && k < PICTURES; k++)
      is_removed = remove_picture(dir, k, stage, error);
  return is_removed;
}
