/* SPDX-License-Identifier: MIT */
/*
 * Traces: recorded movements and forces of chosen contacts. A contact is chosen by the ids of its spheres, or because
 * it is born near a given strain. Of the contacts born near a strain, the result is the one with the longest life;
 * all are recorded until that one is known.
 */
#ifndef JAGER_DEM_TRACE_H
#define JAGER_DEM_TRACE_H

#include "base/error.h"
#include "case.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dem_simulation;
typedef struct dem_trace_book dem_trace_book;

/* X(field, unit, meaning): one sample of a traced contact. */
#define DEM_TRACE_LIST(X)                                                                                              \
  X(step, "1", "time step")                                                                                            \
  X(time, "s", "simulated time")                                                                                       \
  X(strain, "1", "the trace's component of strain, in the present stage")                                              \
  X(zeta, "m", "half the overlap")                                                                                     \
  X(xi1, "m", "tangential half-movement since it was born, along the contact's first axis")                            \
  X(xi2, "m", "and along its second axis")                                                                             \
  X(fn, "N", "normal force")                                                                                           \
  X(ft1, "N", "tangential force along the first axis")                                                                 \
  X(ft2, "N", "and along the second")                                                                                  \
  X(length, "1", "points of its history")

#define DEM_TRACE_FIELD(field, unit, meaning) double field;
typedef struct dem_trace_sample {
  DEM_TRACE_LIST(DEM_TRACE_FIELD)
} dem_trace_sample;
#undef DEM_TRACE_FIELD

/* One life of a contact, from touching to separating. */
typedef struct dem_trace_life {
  uint32_t request; /* index into the traces of the case; UINT32_MAX: only a follower wants it */
  uint32_t ids[2];  /* the smaller first */
  long birth;       /* step */
  long death;       /* step; -1: still alive */
  double strain;    /* at birth */
  double xi[2];     /* m, since birth */
  size_t count, room;
  dem_trace_sample *samples;
  void *followed; /* data of the follower; NULL: not followed */
} dem_trace_life;

/* Callbacks that follow chosen contacts while they move. Several threads call them at once, for different contacts. */
typedef struct dem_trace_follower {
  void *context;
  /*
   * Offers a contact: `present` is its state if it exists already, NULL if it is new. Returns data of the follower that
   * `move` and `end` get back; NULL: the contact is not followed.
   */
  void *(*begin)(void *context, const uint32_t ids[2], const double radii[2], const jager_contact *present);
  /* The contact has moved to ζ and by Δξ, and has this force. */
  void (*move)(void *context, void *own, double zeta, const double dxi[2], const jager_force *force, uint32_t length);
  /* The contact has separated, or the simulation is destroyed. */
  void (*end)(void *context, void *own);
} dem_trace_follower;

dem_trace_book *dem_trace_book_create(const dem_case *run);
void dem_trace_book_destroy(dem_trace_book *book);

/* The follower must live as long as the simulation. */
void dem_trace_book_set_follower(dem_trace_book *book, const dem_trace_follower *follower);
const dem_trace_follower *dem_trace_book_follower(const dem_trace_book *book);

/*
 * Begins the trace of a new contact between spheres p and q, or of an existing one, `present`. Returns its number; 0:
 * it is not traced. Any thread may call.
 */
uint32_t dem_trace_begin(dem_trace_book *book, const struct dem_simulation *s, uint32_t p, uint32_t q,
                         const jager_contact *present);

/* Records the movement in the step in progress. */
void dem_trace_record(dem_trace_book *book, uint32_t trace, const struct dem_simulation *s, double zeta,
                      const double dxi[2], const jager_force *force, uint32_t length);

/* The contact has separated. */
void dem_trace_end(dem_trace_book *book, uint32_t trace, const struct dem_simulation *s);

/* Are samples missing because memory has run out? */
bool dem_trace_book_is_incomplete(const dem_trace_book *book);

/* The same as an error: a run ends at the first missing sample, since incomplete traces are of no use. */
bool dem_traces_are_complete(const struct dem_simulation *s, error_info *error);

/*
 * The lives of a requested pair one after the other, or the longest life of a requested strain; NULL at the end.
 * `next` starts at 0.
 */
const dem_trace_life *dem_trace_book_life(const dem_trace_book *book, uint32_t request, size_t *next);

/* The case has been replaced by one with the same requests. */
void dem_trace_book_set_case(dem_trace_book *book, const dem_case *run);

/* For checkpoints: the number of slots, and their contents (NULL: free). */
size_t dem_trace_book_size(const dem_trace_book *book);
const dem_trace_life *dem_trace_book_slot(const dem_trace_book *book, size_t slot);
bool dem_trace_book_restore(dem_trace_book *book, size_t slot, const dem_trace_life *life);

#endif
