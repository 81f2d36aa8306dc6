/* SPDX-License-Identifier: MIT */
/* Labels beside the points of a panel, each on the side that is farthest from all lines. */
#ifndef JAGER_PAPER_LABELS_H
#define JAGER_PAPER_LABELS_H

#include <stdio.h>

enum { LABEL_LINES_MAX = 80, LABELS_MAX = 24, LABEL_TEXT_SIZE = 24 };

typedef struct panel_label {
  char text[LABEL_TEXT_SIZE];
  double at[2];       /* the point that it belongs to */
  const char *colour; /* as "#7a0c2e" */
} panel_label;

typedef struct labelled_panel {
  double low[2], high[2]; /* of its axes */
  int lines, labels;
  double line[LABEL_LINES_MAX][2][2]; /* both ends */
  panel_label label[LABELS_MAX];
} labelled_panel;

/* What does not fit any more is left out. */
void labelled_panel_add_line(labelled_panel *panel, const double from[2], const double to[2]);
void labelled_panel_add_label(labelled_panel *panel, const char *text, const double at[2], const char *colour);

/* NULL: there is none of this text. */
panel_label *labelled_panel_find(labelled_panel *panel, const char *text);

/* Where a label stands, in the units of the axes. */
void labelled_panel_place(const labelled_panel *panel, const panel_label *label, double place[2]);

/* The ranges of both axes, and the labels. */
void labelled_panel_write(const labelled_panel *panel, FILE *script);

#endif
