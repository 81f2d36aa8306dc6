/* SPDX-License-Identifier: MIT */
/* A panel with labels beside its points, each on the side farthest from all lines. */
#ifndef JAGER_PAPER_LABELLED_PANEL_H
#define JAGER_PAPER_LABELLED_PANEL_H

#include <stdio.h>

enum { LABEL_LINES_MAX = 80, LABELS_MAX = 24, LABEL_TEXT_SIZE = 24 };

typedef struct panel_label {
  char text[LABEL_TEXT_SIZE];
  double at[2];       /* the point to which it belongs */
  const char *colour; /* as "#7a0c2e" */
} panel_label;

typedef struct labelled_panel {
  double low[2], high[2]; /* of its axes */
  int lines, labels;
  double line[LABEL_LINES_MAX][2][2]; /* both ends */
  panel_label label[LABELS_MAX];
} labelled_panel;

/* Lines and labels beyond the maximum are ignored. */
void labelled_panel_add_line(labelled_panel *panel, const double from[2], const double to[2]);
void labelled_panel_add_label(labelled_panel *panel, const char *text, const double at[2], const char *colour);

/* The label with this text; NULL if there is none. */
panel_label *labelled_panel_find(labelled_panel *panel, const char *text);

/* Computes the place of a label, in the units of the axes. */
void labelled_panel_place(const labelled_panel *panel, const panel_label *label, double place[2]);

/* Writes the ranges of both axes, and the labels. */
void labelled_panel_write(const labelled_panel *panel, FILE *script);

#endif
