/* SPDX-License-Identifier: MIT */
/* How curves of several laws look in one picture: they differ by colour, by dashes and by marks. */
#ifndef JAGER_PICTURES_LAW_STYLE_H
#define JAGER_PICTURES_LAW_STYLE_H

/* The line of the k-th law, for gnuplot. */
const char *law_style(int k);

/* Its mark. */
int law_mark(int k);

#endif
