/* SPDX-License-Identifier: MIT */
/*
 * The statuses and states of libjager (jager/jager.h) and of the contact of fixed size (jager/compact.h), which both
 * headers include: one list for both. The text is C, C++ and OpenCL C.
 */
#ifndef JAGER_STATUS_H
#define JAGER_STATUS_H

/* ---- Statuses -------------------------------------------------------------------------------------------------- */

/*
 * Every status: its name, its number and its text, as X(name, number, text). Numbers are part of the binary interface:
 * a number is never changed, and never used again after its status has gone. New statuses take the next free number
 * below 100. From 100 on are those of the arithmetic, which jager_compact_check_arithmetic finds.
 */
#define JAGER_STATUS_LIST(X)                                                                                           \
  X(JAGER_OK, 0, "success")                                                                                            \
  X(JAGER_ERROR_NULL, 1, "a required pointer is NULL")                                                                 \
  X(JAGER_ERROR_NOT_FINITE, 2, "a number is NaN or infinite")                                                          \
  X(JAGER_ERROR_TOO_LARGE, 3, "a movement or force is too large to compute with")                                      \
  X(JAGER_ERROR_SHEAR_MODULUS, 4,                                                                                      \
    "the shear modulus must lie in [1e-60, 1e60]; one of two bodies may be rigid (infinite)")                          \
  X(JAGER_ERROR_POISSON, 5, "Poisson's ratio must lie in (-1, 0.5]")                                                   \
  X(JAGER_ERROR_RADIUS, 6, "a radius must be positive, and one of the two finite")                                     \
  X(JAGER_ERROR_FRICTION, 7, "the friction coefficient must lie in [0, 1e6]")                                          \
  X(JAGER_ERROR_DP_MAX, 8, "dp_max must be finite and not negative, and zero where there is a tolerance")              \
  X(JAGER_ERROR_TOLERANCE, 9, "the tolerance must lie in [0, 1], and be zero where there is a dp_max")                 \
  X(JAGER_ERROR_CONTOUR, 10, "a cone needs a slope > 0; a power law a slope > 0 and an exponent in [1, 100]")          \
  X(JAGER_ERROR_STIFFNESS, 11, "linear stiffnesses must be finite and not negative (0: derive them)")                  \
  X(JAGER_ERROR_MODEL, 12, "unknown contact model, or not the one this contact was made with")                         \
  X(JAGER_ERROR_UNSUPPORTED, 13, "this contact model cannot do that: only 'jager' can")                                \
  X(JAGER_ERROR_BEYOND_FRICTION, 14, "the tangential force asked for exceeds friction times the normal force")         \
  X(JAGER_ERROR_PULL, 15, "the normal force must not be negative")                                                     \
  X(JAGER_ERROR_MEMORY, 16, "out of memory, or the pool's limit is reached")                                           \
  X(JAGER_ERROR_CAPACITY, 17, "the buffer is too small")                                                               \
  X(JAGER_ERROR_NOT_PACKED, 18, "these bytes are not a packed contact")                                                \
  X(JAGER_ERROR_VERSION, 19, "the contact was packed by another version of the format")                                \
  X(JAGER_ERROR_TRUNCATED, 20, "the packed contact ends too early")                                                    \
  X(JAGER_ERROR_CHECKSUM, 21, "the packed contact is damaged: its checksum is wrong")                                  \
  X(JAGER_ERROR_CORRUPT, 22, "these bytes are not a possible state of a contact of this law")                          \
  X(JAGER_ERROR_DIRECTION, 23, "a branch vector or normal has no direction, or a quaternion is not of unit length")    \
  X(JAGER_ERROR_DOMAIN, 24, "outside the range where the closed form holds")                                           \
  X(JAGER_ERROR_NO_MATERIAL, 25, "the law has no material yet: call jager_law_set_bodies")                             \
  X(JAGER_ERROR_IN_USE, 26, "the contact still holds a history: release it first")                                     \
  X(JAGER_ERROR_DAMPING, 27, "the share of critical damping must lie in [0, 1]")                                       \
  X(JAGER_ERROR_UNINITIALISED, 28, "the contact was not initialised: call jager_contact_init")                         \
  X(JAGER_ERROR_LAYOUT, 29,                                                                                            \
    "a law or sweep of another version of the header: begin with jager_law_default or jager_sweep_default")            \
  X(JAGER_ERROR_FAST_MATH, 100, "sums, quotients or roots are not those of IEEE 754: results may be wrong")            \
  X(JAGER_ERROR_CONTRACTED, 101, "a*b + c is rounded once: results are right, but other machines have other bits")

#define JAGER_STATUS_ENUMERATOR(name, number, text) name = (number),
/* What a function returns: JAGER_OK (0) for success, a positive number for an error. */
typedef enum jager_status { JAGER_STATUS_LIST(JAGER_STATUS_ENUMERATOR) } jager_status;
#undef JAGER_STATUS_ENUMERATOR

/* ---- States ---------------------------------------------------------------------------------------------------- */

/* The kind of the last movement of a contact. */
typedef enum jager_state {
  JAGER_STATE_APART = 0,   /* "apart": the bodies do not touch */
  JAGER_STATE_ELASTIC = 1, /* "elastic": no slip anywhere */
  JAGER_STATE_SLIP = 2,    /* "slip": partial slip, in an outer annulus, or part of the history was undone */
  JAGER_STATE_SLIDE = 3,   /* "slide": gross sliding, |Ft| = f Fn; without friction, always */
  JAGER_STATE_COUNT        /* the number of states */
} jager_state;

#endif
