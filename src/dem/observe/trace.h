/* SPDX-License-Identifier: MIT */
/*
 * Traces: the movement histories of chosen contacts, as they happen. A contact is chosen by the ids of its spheres, or
 * because it is born near a strain; of those the one that lives longest is what is asked for, so all are followed
 * until it is known.
 */
#ifndef JAGER_DEM_OBSERVE_TRACE_H
#define JAGER_DEM_OBSERVE_TRACE_H

#include "dem/case.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dem_simulation;
typedef struct trace_book trace_book;

/* X(field, unit, meaning): a moment of a traced contact. */
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
typedef struct trace_sample {
  DEM_TRACE_LIST(DEM_TRACE_FIELD)
} trace_sample;
#undef DEM_TRACE_FIELD

/* One life of a contact. */
typedef struct trace_life {
  uint32_t request; /* which of the case's traces; UINT32_MAX: only followed */
  uint32_t ids[2];  /* the smaller first */
  long birth;       /* step */
  long death;       /* step, or -1 while it lives */
  double strain;    /* at its birth */
  double xi[2];
  size_t count, room;
  trace_sample *samples;
  void *followed; /* the follower's own; NULL: not followed */
} trace_life;

/* Someone who follows contacts of his choice while they move. Called by the threads of the simulation, for different ones at once. */
typedef struct trace_follower {
  void *context;
  /*
   * A contact is offered: `present` is its state if it is there already, NULL if it is being born. Returns something of the
   * follower's own to follow it by; NULL: this one is of no interest.
   */
  void *(*begin)(void *context, const uint32_t ids[2], const double radii[2], const jager_contact *present);
  /* It has moved to ζ and by Δξ, and come to this force. */
  void (*move)(void *context, void *own, double zeta, const double dxi[2], const jager_force *force, uint32_t length);
  /* It has parted, or the simulation ends. */
  void (*end)(void *context, void *own);
} trace_follower;

trace_book *trace_book_create(const dem_case *run);
void trace_book_destroy(trace_book *book);

/* The follower must live as long as the simulation. */
void trace_book_set_follower(trace_book *book, const trace_follower *follower);
bool trace_book_is_followed(const trace_book *book);

/*
 * A contact is born between spheres p and q, or is there already as `present`: the number of its trace, or 0 if nobody wants
 * one. Any thread may call.
 */
uint32_t trace_begin(trace_book *book, const struct dem_simulation *s, uint32_t p, uint32_t q,
                     const jager_contact *present);

/* It has moved, in the step that is under way. */
void trace_move(trace_book *book, uint32_t trace, const struct dem_simulation *s, double zeta, const double dxi[2],
                const jager_force *force, uint32_t length);

/* It has parted. */
void trace_end(trace_book *book, uint32_t trace, const struct dem_simulation *s);

/* Memory has run out at some time: samples are missing. */
bool trace_book_is_short(const trace_book *book);

/* The lives of a request, or of one born near a strain the longest: `next` counts them; NULL when there is no more. */
const trace_life *trace_book_life(const trace_book *book, uint32_t request, size_t *next);

/* For checkpoints: number of slots, and their contents (NULL: free). */
size_t trace_book_size(const trace_book *book);
const trace_life *trace_book_slot(const trace_book *book, size_t slot);
bool trace_book_restore(trace_book *book, size_t slot, const trace_life *life);

#endif
