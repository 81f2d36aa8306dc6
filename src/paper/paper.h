/* SPDX-License-Identifier: MIT */
/*
 * The figures and the table of the paper, made anew: what they have in common. Each figure is computed by a module of its
 * own, which writes its data as DIR/NAME.csv, its pictures as DIR/NAME.png and .svg, and a section of DIR/report.md.
 */
#ifndef JAGER_PAPER_PAPER_H
#define JAGER_PAPER_PAPER_H

#include "base/memory_stream.h"
#include "pictures/picture.h"
#include "dem/simulation.h"

#include "jager/jager.h"

#include <stdbool.h>
#include <stdio.h>

#define PAPER_COMMAND "jager paper"

struct biaxial_results;

/* What is being made. */
typedef struct paper {
  const char *dir;
  bool draws;                            /* gnuplot is there; else only data and report */
  FILE *report;                          /* the report so far, in memory */
  const struct biaxial_results *biaxial; /* of the long runs; NULL if no figure needs them */
} paper;

/* A figure: computes, writes and draws. */
typedef bool paper_figure_make(const paper *p, error_info *error);

paper_figure_make paper_dem_contact_make, paper_path_make, paper_approx_make, paper_compare_make, paper_traction_make,
    paper_performance_make, paper_words_make;

/* ---- Data -------------------------------------------------------------------------------------------------------- */

/* Rows of numbers with a header: a CSV file, and data of a picture. */
typedef struct paper_table {
  const char *name; /* of the file, without its ending */
  FILE *stream;     /* write rows here; fields are separated by commas */
  memory_stream memory;
} paper_table;

/* `header` names the columns. False if there is no memory. The table must not move. */
bool paper_table_open(paper_table *table, const char *name, const char *header, error_info *error);

/* All rows are there: writes DIR/NAME.csv. */
bool paper_table_finish(paper_table *table, const paper *p, error_info *error);

/* The rows as the data block $NAME of a script. */
void paper_table_write_block(const paper_table *table, const char *name, FILE *script);

void paper_table_free(paper_table *table);

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

/* Lines that differ in dashes and brightness as well as in colour, so that they can be told apart in grey. */
#define PAPER_LINE "lw 2.8 lc rgb '#15396b'"
#define PAPER_DASHES "lw 2.4 dt (12,5) lc rgb '#c8552b'"
#define PAPER_DOTS "lw 2.6 dt (3,4) lc rgb '#2c7a4b'"
#define PAPER_THIN "lw 1.3 lc rgb '#6f7f8c'"
#define PAPER_LIMIT "lw 1.6 dt (2,4) lc rgb '#555555'"

/* Draws DIR/NAME.png and .svg, and shows the picture in the report; without gnuplot does nothing. */
bool paper_draw(const paper *p, const char *name, gnuplot_shape shape, picture_script *script, const void *contents,
                error_info *error);

/* ---- Report ------------------------------------------------------------------------------------------------------ */

/* Heading of a figure's section. */
void paper_section(const paper *p, const char *name, const char *what);

/* Head of a table with the columns: quantity, the paper, here. */
void paper_compare_head(const paper *p);

/* A row of it. */
__attribute__((format(printf, 4, 5))) void paper_compare_row(const paper *p, const char *what, const char *stated,
                                                             const char *format, ...);

/* ---- Contacts ---------------------------------------------------------------------------------------------------- */

/* JAGER_OK gives true; else the error tells. */
bool paper_check(jager_status status, error_info *error);

/* A contact of the law between spheres of radius 1, and a pool for it; paper_contact_close gives both back. */
typedef struct paper_contact {
  jager_law law;
  jager_pool *pool;
  jager_contact contact;
} paper_contact;

bool paper_contact_open(paper_contact *of, const jager_law *law, error_info *error);
void paper_contact_close(paper_contact *of);

/* Moves it to ζ and by Δξ, straight, in so many equal steps. */
bool paper_contact_move(paper_contact *of, double zeta, const double dxi[2], int steps, jager_force *force,
                        error_info *error);

/* Slope of a straight line through the logarithms, by least squares: the order of a convergence. */
double paper_log_slope(const double x[], const double y[], int count);

#endif
