/* SPDX-License-Identifier: MIT */
/* A panel with labels beside its points. */
#include "labelled_panel.h"

#include <math.h>
#include <string.h>

/* The approximate size of a panel in a tall picture. Only its ratio to the size of letters matters. */
static const double pixels[2] = {530.0, 365.0};
static const double distance = 15.0; /* pixels from a point to the centre of its label */

void labelled_panel_add_line(labelled_panel *panel, const double from[2], const double to[2])
{
  if (panel->lines == LABEL_LINES_MAX)
    return;
  memcpy(panel->line[panel->lines][0], from, sizeof panel->line[0][0]);
  memcpy(panel->line[panel->lines++][1], to, sizeof panel->line[0][1]);
}

void labelled_panel_add_label(labelled_panel *panel, const char *text, const double at[2], const char *colour)
{
  if (panel->labels == LABELS_MAX)
    return;
  panel_label *label = &panel->label[panel->labels++];
  *label = (panel_label){.at = {at[0], at[1]}, .colour = colour};
  snprintf(label->text, sizeof label->text, "%s", text);
}

panel_label *labelled_panel_find(labelled_panel *panel, const char *text)
{
  for (int i = 0; i < panel->labels; i++)
    if (strcmp(panel->label[i].text, text) == 0)
      return &panel->label[i];
  return NULL;
}

static double distance_from_line(const labelled_panel *panel, const double place[2], const double from[2],
                                 const double to[2])
{
  double way[2], off[2], square = 0.0, product = 0.0;
  for (int i = 0; i < 2; i++) {
    double unit = pixels[i] / (panel->high[i] - panel->low[i]);
    way[i] = unit * (to[i] - from[i]);
    off[i] = unit * (place[i] - from[i]);
    square += way[i] * way[i];
    product += way[i] * off[i];
  }
  double along = square > 0.0 ? fmin(fmax(product / square, 0.0), 1.0) : 0.0;
  return hypot(off[0] - along * way[0], off[1] - along * way[1]);
}

static double clearance(const labelled_panel *panel, const double place[2])
{
  double nearest = INFINITY;
  for (int i = 0; i < panel->lines; i++)
    nearest = fmin(nearest, distance_from_line(panel, place, panel->line[i][0], panel->line[i][1]));
  return nearest;
}

void labelled_panel_place(const labelled_panel *panel, const panel_label *label, double place[2])
{
  enum { SIDES = 24 };
  const double turn = 2.0 * acos(-1.0) / SIDES;
  double most_room = -1.0;
  for (int i = 0; i < SIDES; i++) {
    const double side[2] = {cos(turn * i), sin(turn * i)};
    double at[2] = {label->at[0], label->at[1]};
    for (int k = 0; k < 2; k++)
      at[k] += distance * side[k] * (panel->high[k] - panel->low[k]) / pixels[k];
    double room = clearance(panel, at);
    if (room > most_room) {
      most_room = room;
      memcpy(place, at, sizeof at);
    }
  }
}

void labelled_panel_write(const labelled_panel *panel, FILE *script)
{
  fprintf(script, "set xrange [%g:%g]\nset yrange [%g:%g]\n", panel->low[0], panel->high[0], panel->low[1],
          panel->high[1]);
  for (int i = 0; i < panel->labels; i++) {
    double place[2] = {panel->label[i].at[0], panel->label[i].at[1]};
    labelled_panel_place(panel, &panel->label[i], place);
    fprintf(script, "set label %d '%s' at first %.9g,%.9g center font ',11' textcolor rgb '%s'\n", i + 1,
            panel->label[i].text, place[0], place[1], panel->label[i].colour);
  }
}
