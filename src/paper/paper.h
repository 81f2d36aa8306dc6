/* SPDX-License-Identifier: MIT */
/*
 * Reproduces the figures and the table of the paper. Each figure has a file x.c with a function paper_x_make, which
 * computes it and writes its data (DIR/NAME.csv), its picture (DIR/NAME.png and .svg) and its section of
 * DIR/report.md. This header has the parts that all figures share.
 */
#ifndef JAGER_PAPER_PAPER_H
#define JAGER_PAPER_PAPER_H

#include "base/memory_stream.h"
#include "jager/jager.h"
#include "pictures/picture.h"

#include <stdbool.h>
#include <stdio.h>

#define PAPER_COMMAND "jager paper"

struct biaxial_results;

typedef struct paper {
  const char *dir;
  bool draws;                            /* gnuplot is installed; otherwise no pictures are made */
  FILE *report;                          /* the report, in memory */
  const struct biaxial_results *biaxial; /* of the long runs, for the figures that need them */
} paper;

/* Computes a figure, writes its data, draws it and writes its section of the report. */
typedef bool paper_figure_make(const paper *p, error_info *error);

paper_figure_make paper_dem_contact_make, paper_path_make, paper_approx_make, paper_compare_make, paper_traction_make,
    paper_performance_make, paper_claims_make;

/* ---- Data -------------------------------------------------------------------------------------------------------- */

/* Rows of numbers with a header, for a CSV file and for pictures. */
typedef struct paper_table {
  const char *name; /* of the file, without its ending */
  FILE *stream;     /* the caller writes rows to it, with commas between the fields */
  memory_stream memory;
} paper_table;

/* `header` has the names of the columns. Returns false if there is no memory. The table must not move. */
bool paper_table_open(paper_table *table, const char *name, const char *header, error_info *error);

/* Writes DIR/NAME.csv, after the last row. */
bool paper_table_finish(paper_table *table, const paper *p, error_info *error);

/* Writes the rows as data block $NAME of a script. */
void paper_table_write_block(const paper_table *table, const char *name, FILE *script);

void paper_table_free(paper_table *table);

/* Writes the text to DIR/NAME. */
bool paper_write_file(const char *dir, const char *name, const char *text, error_info *error);

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

/* Lines differ in dashes and brightness as well as in colour, so that they can be told apart in grey. */
#define PAPER_LINE "lw 2.8 lc rgb '#15396b'"
#define PAPER_DASHES "lw 2.4 dt (12,5) lc rgb '#c8552b'"
#define PAPER_DOTS "lw 2.6 dt (3,4) lc rgb '#2c7a4b'"
#define PAPER_THIN "lw 1.3 lc rgb '#6f7f8c'"
#define PAPER_LIMIT "lw 1.6 dt (2,4) lc rgb '#555555'"

/* Draws DIR/NAME.png and .svg, and puts the picture into the report. Without gnuplot it does nothing. */
bool paper_draw(const paper *p, const char *name, gnuplot_shape shape, picture_script *script, const void *contents,
                error_info *error);

/* ---- Report ------------------------------------------------------------------------------------------------------ */

/* Writes the heading of a section. */
void paper_section(const paper *p, const char *name, const char *what);

/* Begins a table that compares quantities: their names, the values in the paper, the values here. */
void paper_compare_head(const paper *p);

/* Adds a row to the table. */
__attribute__((format(printf, 4, 5))) void paper_compare_row(const paper *p, const char *what, const char *stated,
                                                             const char *format, ...);

/* ---- Contacts ---------------------------------------------------------------------------------------------------- */

/* Returns true for JAGER_OK. Otherwise sets the error. */
bool paper_check(jager_status status, error_info *error);

/* The law of the paper's example: spheres with G = 1 and ν = 0.5, f = 0.5. */
jager_law paper_law(void);

/* A contact of two spheres with a radius of 1 m, with its law and pool. */
typedef struct paper_contact {
  jager_law law;
  jager_pool *pool;
  jager_contact contact;
} paper_contact;

/* The caller closes the contact, also on failure. */
bool paper_contact_open(paper_contact *of, const jager_law *law, error_info *error);
void paper_contact_close(paper_contact *of);

/* Moves the contact to ζ and by Δξ, along a line, in `steps` equal steps. */
bool paper_contact_move(paper_contact *of, double zeta, const double dxi[2], int steps, jager_force *force,
                        error_info *error);

#endif
