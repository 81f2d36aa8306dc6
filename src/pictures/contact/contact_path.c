/* SPDX-License-Identifier: MIT */
/* The path of a contact, kept for its picture. */
#include "contact_path.h"

void contact_path_start(contact_path *path)
{
  const contact_path_point origin = {.fn = 0.0};
  path->count = 0;
  path->stride = 1;
  path->seen = 0;
  path->steps = 0;
  contact_path_add(path, &origin);
}

static void drop_every_second(contact_path *path)
{
  for (size_t i = 0; 2 * i < path->count; i++)
    path->points[i] = path->points[2 * i];
  path->count = (path->count + 1) / 2;
  path->stride *= 2;
}

void contact_path_add(contact_path *path, const contact_path_point *point)
{
  path->last = *point;
  if (path->seen++ % path->stride != 0)
    return;
  path->points[path->count++] = *point;
  if (path->count == CONTACT_PATH_POINTS_MAX)
    drop_every_second(path);
}

void contact_path_end_step(contact_path *path, const contact_path_point *point)
{
  contact_path_add(path, point);
  if (path->steps < CONTACT_PATH_STEPS_MAX)
    path->ends[path->steps] = *point;
  path->steps++;
}

bool contact_path_wants_detail(const contact_path *path)
{
  return path->stride == 1;
}
