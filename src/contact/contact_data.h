/* SPDX-License-Identifier: MIT */
/* The content of a jager_contact, as it lies in memory. history.h explains the history. */
#ifndef JAGER_CONTACT_DATA_H
#define JAGER_CONTACT_DATA_H

#include "pool.h"

typedef struct history_segment {
  double2 p;        /* slope p* */
  double zeta_base; /* ζ* where the segment starts */
  double fn_base;   /* Fn(ζ*) there */
} history_segment;

/*
 * The data of a jager_contact. Where the history has no second segment, `second` and `anchor` are zero. The laws to
 * compare with use the fields differently; see compare/laws.h.
 */
typedef struct contact_data {
  double zeta;            /* ζ, the end of the top segment; negative: half the gap */
  double fn;              /* Fn(ζ) */
  history_segment top;    /* from ζ*ᵢ₋₁ to ζ */
  history_segment second; /* from ζ*ᵢ₋₂ to ζ*ᵢ₋₁ */
  struct {
    double2 ft;         /* Ft at the base of the second segment ... */
    uint32_t ft_low[2]; /* ... and its rounding error: the upper 32 bits of a double */
  } anchor;
  struct {
    uint32_t top,
        second; /* at the ends of the two segments, N: the upper 32 bits of a double; see jager/detail/algorithm.h */
  } error_bound;
  double2 xi_residual; /* rounding error between all movements and the history, as Δξ/κ; added to the next movement */
  double stiffness;    /* C of Fn = C ζ^(1+1/α) */
  double friction;     /* f with which the history was made */
  history_node *node;  /* the segments below the second; NULL: none */
  uint32_t length;     /* points of the history, the zeroth included: segments + 1 */
  uint8_t fill;        /* entries in use in `node`; the nodes below it are full */
  uint8_t state;       /* jager_state of the last movement */
  uint8_t model;       /* jager_model with which the contact was made */
  uint8_t
      points_since_shortening; /* by how many points the history has grown; 255: many; see jager/detail/algorithm.h */
} contact_data;

_Static_assert(sizeof(void *) != 8 || sizeof(jager_contact) == 160, "a contact has 160 bytes");
_Static_assert(sizeof(contact_data) <= sizeof(jager_contact), "a jager_contact has room for its content");
_Static_assert(_Alignof(contact_data) <= _Alignof(jager_contact), "a jager_contact is aligned as its content");
_Static_assert(sizeof(history_segment) == 4 * sizeof(double), "a segment has no gaps");
_Static_assert(offsetof(contact_data, top) == 16 && offsetof(contact_data, second) == 48 &&
                   offsetof(contact_data, anchor) == 80 && offsetof(contact_data, error_bound) == 104 &&
                   offsetof(contact_data, xi_residual) == 112 && offsetof(contact_data, stiffness) == 128 &&
                   offsetof(contact_data, node) == 144,
               "a contact has no gaps");

/*
 * A history is shortened when it has grown by GROWTH_MAX points and has more than LENGTH_SHORT points. SHORTEN_WINDOW
 * of the topmost segments are looked at. A history that is moved with a tolerance never grows by so many points between
 * two shortenings; one that has, by movements without a tolerance or by loads, is looked at as a whole.
 */
enum { GROWTH_MAX = 14, LENGTH_SHORT = 12, SHORTEN_WINDOW = 32 };

/* Points since the last shortening, when a history that has `grown` by so many loses one and has `length` left */
static JAGER_INLINE uint8_t points_after_drop(uint32_t grown, uint32_t length)
{
  grown -= grown > 0 && grown < UINT8_MAX;
  return (uint8_t)(grown < length - 2 ? grown : length - 2);
}

#endif
