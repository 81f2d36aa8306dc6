/* SPDX-License-Identifier: MIT */
/* Neighbour lists: the blocks and their candidate pairs, and the skin of the lists. */
#ifndef JAGER_DEM_NEIGHBOURS_H
#define JAGER_DEM_NEIGHBOURS_H

#include "simulation_state.h"

/* Divides the spheres into blocks without candidates. */
bool dem_neighbours_allocate(dem_simulation *s, error_info *error);
void dem_neighbours_free(dem_simulation *s);

/* Lists all near pairs. Existing contacts keep their state. */
bool dem_neighbours_list(dem_simulation *s, error_info *error);

/* After outer contacts have begun or ended: the list of the wrenches that act on each sphere. */
void dem_incoming_update(dem_simulation *s);

/* Updates the vectors of the periodic images after the cell has changed. */
void dem_images_update(dem_simulation *s);

/* ---- The skin ---------------------------------------------------------------------------------------------------- */

/*
 * The skin of the neighbour list, chosen by the clock while a simulation runs. It changes no result, only speed: a
 * thick skin makes long lists, a thin one makes them often.
 *
 * Skins are rungs of a ladder. A window is the time between two listings, or some more of them; its cost is the time of
 * a step in it, with the listings. Now and then, windows of the next rung above or below alternate with windows of the
 * present one, and the cheaper of both stays.
 */

/* The skin at the start of a simulation, unless the case gives one; in mean diameters. */
#define SKIN_AT_START 0.02

/* The factor of a rung to SKIN_AT_START: 1/2 at rung 0, and √2 from one rung to the next. */
double dem_skin_factor(int rung);

/* The tuner alone, without a simulation. */
void dem_skin_tuner_init(skin_tuner *t, int rung);

/* Reports the time of a step, with or without a new list. */
void dem_skin_tuner_add_step(skin_tuner *t, double seconds, bool has_listed);

/* Before a listing: chooses the rung to list with. */
int dem_skin_tuner_choose(skin_tuner *t);

/* Around each step, and before each listing of a step. They do nothing if the case gives the skin. */
void dem_skin_tuning_begin_step(dem_simulation *s);
void dem_skin_tuning_end_step(dem_simulation *s);
void dem_skin_tuning_choose(dem_simulation *s);

/* Makes a skin that is not the user's fit the cell: two images of one sphere must not both be within reach. */
void dem_skin_tuning_fit(dem_simulation *s);

/*
 * After a listing has failed, perhaps for its length: takes the skin of the start, if this one is thicker, for the rest
 * of the simulation. Returns whether there is reason to list again.
 */
bool dem_skin_tuning_retreat(dem_simulation *s);

#endif
