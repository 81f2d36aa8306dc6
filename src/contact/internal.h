/* SPDX-License-Identifier: MIT */
/*
 * What the files of libjager share and users never see: the pool's nodes, the law Fn(ζ), and the cursor that reads a
 * history from the top down.
 */
#ifndef JAGER_INTERNAL_H
#define JAGER_INTERNAL_H

#include "jager/jager.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#ifdef __FAST_MATH__
#error "libjager needs IEEE arithmetic: compile it without -ffast-math"
#endif

/* One movement is one function: only then do a walk's few numbers stay in registers. */
#if defined(__GNUC__)
#define JAGER_INLINE inline __attribute__((always_inline))
#define JAGER_COLD __attribute__((noinline, cold))
#else
#define JAGER_INLINE inline
#define JAGER_COLD
#endif

/*
 * A movement compiled a second time for processors with AVX2, which need fewer instructions for it: the bits are the
 * same. Only where the build asks for it, since sanitizers cannot run the code that chooses, so early in the program; and
 * not with clang, which (14) gives the function another name for callers elsewhere.
 */
#if defined(JAGER_CLONES) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__)
#define JAGER_CLONED __attribute__((target_clones("avx2", "default")))
#else
#define JAGER_CLONED
#endif

/* The same for a function within a file whose loops are worth wider vectors: there clang can do it too. */
#if defined(JAGER_CLONES) && defined(__x86_64__) && defined(__GNUC__) && defined(__GLIBC__)
#define JAGER_VECTORISED __attribute__((target_clones("avx2", "default")))
#else
#define JAGER_VECTORISED
#endif

#define JAGER_PI 3.14159265358979323846

/* fmin and fmax for numbers that are no NaN: calls to libm would cost more than the comparison. */
static JAGER_INLINE double jager_min(double a, double b)
{
  return a < b ? a : b;
}

static JAGER_INLINE double jager_max(double a, double b)
{
  return a > b ? a : b;
}

/* ---- Small vectors --------------------------------------------------------------------------------------------- */

typedef struct vec2 {
  double x, y;
} vec2;

static JAGER_INLINE double jager_dot(vec2 a, vec2 b)
{
  return a.x * b.x + a.y * b.y;
}

/* a + s b */
static JAGER_INLINE vec2 jager_along(vec2 a, double s, vec2 b)
{
  return (vec2){a.x + s * b.x, a.y + s * b.y};
}

static JAGER_INLINE vec2 jager_vec2(const double v[2])
{
  return (vec2){v[0], v[1]};
}

/* v scaled to this length; the zero vector stays zero. Squares of very long or short vectors would over- or underflow. */
static JAGER_INLINE vec2 jager_with_length(vec2 v, double length)
{
  double square = jager_dot(v, v);
  if (!(square > 1e-280 && square < 1e280)) {
    double largest = jager_max(fabs(v.x), fabs(v.y));
    if (!(largest > 0.0))
      return (vec2){0.0, 0.0};
    v = (vec2){v.x / largest, v.y / largest};
    square = jager_dot(v, v);
  }
  double scale = length / sqrt(square);
  return (vec2){v.x * scale, v.y * scale};
}

/* ---- Pool ------------------------------------------------------------------------------------------------------ */

/* One segment of a history: it ends at ζ* with slope p*. */
typedef struct jager_entry {
  double zeta;
  vec2 p;
} jager_entry;

enum { JAGER_NODE_ENTRIES = 4 };

/*
 * Entries, what of the tolerance has been spent up to the end of each (walk.h), and the way down. Fn* is not stored: a
 * square root costs less than the memory.
 */
typedef struct jager_node {
  jager_entry entry[JAGER_NODE_ENTRIES];
  uint32_t spent[JAGER_NODE_ENTRIES];
  struct jager_node *below;
} jager_node;

/* What documentation, measurements and callers that lay contacts out in cache lines rely on, where pointers have 64
   bits */
#define JAGER_SIZE_IS(type, bytes) _Static_assert(sizeof(void *) != 8 || sizeof(type) == (bytes), #type)
JAGER_SIZE_IS(jager_contact, 160);
JAGER_SIZE_IS(jager_node, 120);
JAGER_SIZE_IS(jager_frame, 32);
_Static_assert(sizeof(double) == 8 && sizeof(vec2) == 2 * sizeof(double), "a double is an IEEE 754 binary64");
/* Entries are compared and copied as bytes: they must have no gaps, and `below` must come last. */
_Static_assert(sizeof(jager_entry) == 3 * sizeof(double), "an entry has no gaps");
_Static_assert(offsetof(jager_node, spent) == JAGER_NODE_ENTRIES * sizeof(jager_entry) &&
                   offsetof(jager_node, below) == offsetof(jager_node, spent) + JAGER_NODE_ENTRIES * sizeof(uint32_t),
               "a node has no gaps, and ends with the way down");

struct jager_pool {
  jager_node *free;  /* unused nodes, linked by `below` */
  void *slabs;       /* the blocks the nodes came from, linked by their first word */
  size_t nodes;      /* nodes in all slabs */
  size_t nodes_free; /* nodes on the free list */
  size_t bytes;      /* taken from the system */
  size_t byte_limit;
};

/* Makes sure that `count` nodes are free. */
bool jager_pool_reserve(jager_pool *pool, size_t count);

static JAGER_INLINE jager_node *jager_pool_take(jager_pool *pool)
{
  jager_node *node = pool->free;
  pool->free = node->below;
  pool->nodes_free--;
  return node;
}

static JAGER_INLINE void jager_pool_give(jager_pool *pool, jager_node *node)
{
  node->below = pool->free;
  pool->free = node;
  pool->nodes_free++;
}

/* A contact's entries are a stack: takes the topmost off, and returns its p. There must be one. */
static JAGER_INLINE vec2 jager_pop(jager_pool *pool, jager_contact *c)
{
  jager_node *node = c->node;
  vec2 p = node->entry[c->fill - 1].p;
  if (--c->fill == 0) {
    c->node = node->below;
    c->fill = c->node ? JAGER_NODE_ENTRIES : 0;
    jager_pool_give(pool, node);
  }
  return p;
}

/* Puts one on top. False: no memory, and nothing has changed. */
static JAGER_INLINE bool jager_push(jager_pool *pool, jager_contact *c, jager_entry entry, uint32_t spent)
{
  if (!c->node || c->fill == JAGER_NODE_ENTRIES) {
    if (!jager_pool_reserve(pool, 1))
      return false;
    jager_node *node = jager_pool_take(pool);
    node->below = c->node;
    c->node = node;
    c->fill = 0;
  }
  c->node->entry[c->fill] = entry;
  c->node->spent[c->fill++] = spent;
  return true;
}

/* ---- Law ------------------------------------------------------------------------------------------------------- */

/* Beyond these, squares and products could overflow. */
#define JAGER_ZETA_MAX 1e60
#define JAGER_XI_MAX 1e150
#define JAGER_FN_MAX 1e130 /* of a load */
#define JAGER_STIFFNESS_MAX 1e100
#define JAGER_FRICTION_MAX 1e6

/* |p| = f up to rounding */
static JAGER_INLINE bool jager_slope_is_slip(vec2 p, double friction)
{
  return jager_dot(p, p) >= friction * friction * (1.0 - 1e-12);
}

/* Fn(ζ) = C ζ^(1+1/α), ζ >= 0 */
static JAGER_INLINE double jager_normal_force(const jager_law *law, double stiffness, double zeta)
{
  if (law->contour == JAGER_CONTOUR_SPHERE)
    return stiffness * zeta * sqrt(zeta);
  if (law->contour == JAGER_CONTOUR_CONE)
    return stiffness * zeta * zeta;
  return stiffness * pow(zeta, 1.0 + 1.0 / law->exponent);
}

/* dFn/dζ */
static JAGER_INLINE double jager_normal_slope(const jager_law *law, double stiffness, double zeta)
{
  if (law->contour == JAGER_CONTOUR_SPHERE)
    return 1.5 * stiffness * sqrt(zeta);
  if (law->contour == JAGER_CONTOUR_CONE)
    return 2.0 * stiffness * zeta;
  return (1.0 + 1.0 / law->exponent) * stiffness * pow(zeta, 1.0 / law->exponent);
}

/*
 * Cube root to seven digits, x > 0. A third of the number that the bits spell, exponent first, is nearly a third of the
 * logarithm: a root good to 4 %. The series of (1 + h)^(1/3) makes that 4e-7.
 */
static JAGER_INLINE double jager_cube_root_nearly(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits = bits / 3 + 0x2a9f7893782da1ce;
  double t;
  memcpy(&t, &bits, sizeof t);
  double h = x / (t * t * t) - 1.0;
  return t * (1.0 + h * ((1.0 / 3.0 - h * (1.0 / 9.0)) + h * h * (5.0 / 81.0 - h * (10.0 / 243.0))));
}

/*
 * Cube root to the last bit, 0 <= x < 1e307: one step of Halley's, t - t (t³ - x)/(2t³ + x), from the above. Not libm's,
 * so that every C library gives the same bits.
 */
static JAGER_INLINE double jager_cube_root(double x)
{
  double unscale = 1.0;
  if (x < 0x1p-1020) { /* zero, or a number whose bits are no logarithm */
    if (!(x > 0.0))
      return 0.0;
    x *= 0x1p60;
    unscale = 0x1p-20;
  }
  double t = jager_cube_root_nearly(x), cube = t * t * t;
  return unscale * (t - t * ((cube - x) / (2.0 * cube + x)));
}

/* The ζ at which Fn(ζ) = fn >= 0 */
double jager_zeta_at(const jager_law *law, double stiffness, double fn);

/* ∫ Fn d(2ζ) from 0 to ζ */
double jager_normal_energy(const jager_law *law, const jager_contact *contact);

/* Radius of contact at ζ */
double jager_radius_at(const jager_law *law, double stiffness, double zeta);

/* ---- Cursor: the segments of a history from the top down --------------------------------------------------------- */

/*
 * Where a history's segments are: the top one and the one under it lie in the contact, the others in nodes. The topmost
 * entry of the nodes ends where the segment under the top starts.
 */
typedef struct jager_cursor {
  vec2 p;                 /* slope of the segment */
  double zeta, zeta_base; /* its end and its start */
  const jager_node *node; /* the segment below is entry `fill - 1` of this node, but for the one under the top */
  unsigned fill;
  uint32_t below; /* segments below this one */
  vec2 p_under;   /* of the segment under the top, until the cursor has come there */
  double zeta_under;
  bool at_top;
} jager_cursor;

/* The top segment of a contact that touches */
static JAGER_INLINE jager_cursor jager_cursor_top(const jager_contact *contact)
{
  return (jager_cursor){.p = jager_vec2(contact->p),
                        .zeta = contact->zeta,
                        .zeta_base = contact->zeta_base,
                        .node = contact->node,
                        .fill = contact->fill,
                        .below = contact->length - 2,
                        .p_under = jager_vec2(contact->p_under),
                        .zeta_under = contact->zeta_under,
                        .at_top = true};
}

static JAGER_INLINE bool jager_cursor_at_bottom(const jager_cursor *cursor)
{
  return cursor->below == 0;
}

/* ζ* at which the topmost entry ends; 0 where there is none */
static JAGER_INLINE double jager_entry_end(const jager_node *node, unsigned fill)
{
  return node ? node->entry[fill - 1].zeta : 0.0;
}

/* To the segment below, which there must be */
static JAGER_INLINE void jager_cursor_descend(jager_cursor *cursor)
{
  cursor->zeta = cursor->zeta_base;
  cursor->below--;
  if (cursor->at_top) {
    cursor->at_top = false;
    cursor->p = cursor->p_under;
    cursor->zeta_base = cursor->zeta_under;
    return;
  }
  cursor->p = cursor->node->entry[cursor->fill - 1].p;
  if (--cursor->fill == 0) {
    cursor->node = cursor->node->below;
    cursor->fill = JAGER_NODE_ENTRIES;
  }
  cursor->zeta_base = jager_entry_end(cursor->node, cursor->fill);
}

/*
 * Dissipated by the movement to ζ >= 0 and by e = Δξ/κ of a contact that touches, in which the springs deeper than
 * zeta_slip hold; read before the movement is carried out.
 */
double jager_dissipation(const jager_law *law, const jager_contact *contact, double zeta, vec2 e, double zeta_slip);

/* Energy stored in shear. */
double jager_shear_energy(const jager_law *law, const jager_contact *contact);

/* By how much that of `after` exceeds that of `before`; their histories are the same up to `depth`, where both have
   a point. */
double jager_shear_energy_change(const jager_law *law, const jager_contact *before, const jager_contact *after,
                                 double depth);

/* The same where a contact of the exact law has climbed from zeta_before, with ft_before, straight and elastically. */
double jager_climb_energy(const jager_law *law, const jager_contact *after, double zeta_before,
                          const double ft_before[2]);

/* The comparison laws (baseline.c): sets zeta, fn, Ft and state. */
jager_status jager_baseline_move(const jager_law *law, jager_pool *pool, jager_contact *contact, double zeta,
                                 const double dxi[2]);
double jager_baseline_shear_energy(const jager_law *law, const jager_contact *contact);
double jager_baseline_normal_force(const jager_law *law, const jager_contact *contact, double zeta);

/* ---- What a contact's files need of each other ------------------------------------------------------------------ */

/* The history of a contact of any law given back: it is as new. */
void jager_contact_forget(jager_pool *pool, jager_contact *contact);

/* The bodies have parted, to ζ <= 0. */
void jager_contact_part(const jager_law *law, jager_pool *pool, jager_contact *contact, double zeta);

/* If the law's friction has become less than that of the history: makes the history obey it, and sees to it that a
   node is at hand for the movement that follows. */
jager_status jager_adopt_friction(const jager_law *law, jager_pool *pool, jager_contact *contact);

/* The same movement tried on a copy: so that energies can be worked out from both sides, and a failure leaves no
   trace. */
typedef struct jager_trial {
  jager_contact held; /* the contact as the law's friction lets it be; its nodes are the contact's own, or copies */
  jager_contact
      moved; /* the one to move: a copy of the upper part of its history; the rest it shares with the contact */
  jager_node *shared; /* the first node that both have; NULL: none */
  bool held_is_copy;
  double let_go; /* energy set free because friction has become less */
} jager_trial;

/* `segments`: how many of the topmost ones the movement may change. */
jager_status jager_trial_begin(const jager_law *law, jager_pool *pool, const jager_contact *contact, uint32_t segments,
                               jager_trial *trial);

/* Frees the copies; to keep the step, `moved` takes the contact's place. */
void jager_trial_end(jager_pool *pool, jager_contact *contact, jager_trial *trial, bool keep);

/* ζ* up to which the history of `moved` is that of the contact */
static inline double jager_trial_depth(const jager_trial *trial)
{
  return jager_entry_end(trial->shared, JAGER_NODE_ENTRIES);
}

/* What a movement or load does to the energies. */
typedef struct jager_energy_change {
  double dissipated;
  double tangential; /* stored: by how much it grows; only if `wants_tangential` */
  bool wants_tangential;
} jager_energy_change;

/* Moves or loads the contact; `change` may be NULL for a load. The numbers have been checked. */
jager_status jager_move_with_energy(const jager_law *law, jager_pool *pool, jager_contact *contact, double zeta,
                                    const double dxi[2], jager_energy_change *change);
jager_status jager_load_with_energy(const jager_law *law, jager_pool *pool, jager_contact *contact,
                                    const jager_force *force, jager_movement *movement, jager_energy_change *change);

#endif
