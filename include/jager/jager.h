/* SPDX-License-Identifier: MIT */
/*
 * libjager: the Jäger contact between two elastic bodies, exact for any movements along a line.
 *
 * Two bodies are in contact. Their centres approach by 2ζ and shift sideways by the 2-vector 2ξ. ζ and ξ are
 * half-movements, as in M. R. Kuhn, "Implementation of the Jäger contact model for discrete element simulations": the
 * half-overlap ζ is half of what the bodies overlap, the half-shift Δξ half of what they shift. Functions take and give
 * half-movements, and arguments are named so: half_overlap, half_shift. Stiffnesses and energies are those of the whole
 * movements 2ζ and 2ξ.
 *
 * The normal force Fn depends on the overlap 2ζ alone. The tangential force Ft depends on the whole loading history,
 * which is kept as an "equivalent load history": points (ζ*, p*), from (0, 0) to the present, where p* is the slope of
 * the straight segment that ends in the point, |p*| <= f, and
 *
 *     Ft = sum over segments of p* (Fn(ζ* of its end) - Fn(ζ* of its start)).
 *
 * A program that embeds the contact has
 *
 * - one jager_law for each pair of materials, constant while the simulation runs;
 * - one jager_pool for each thread: all histories lie in it, and no contact allocates memory of its own;
 * - one jager_contact for each pair of bodies that is near, 160 bytes, which starts as zeroed memory (`= {0}`), may lie
 *   in an array and may be moved by memcpy;
 * - one call of jager_contact_move for each contact in each time step, or one of jager_contacts_move for all.
 *
 * For example, two spheres of radius 1 mm are pressed together by 0.2 µm and sheared by 0.02 µm:
 *
 *     jager_law law = jager_law_default();
 *     jager_pool *pool = jager_pool_create(0);
 *     jager_contact contact = {0};
 *     jager_force force;
 *     double press[2] = {0.0, 0.0}, shear[2] = {1e-8, 0.0};
 *     if (!pool || jager_law_set_bodies(&law, 29e9, 0.15) != JAGER_OK ||
 *         jager_contact_init(&contact, &law, 1e-3, 1e-3) != JAGER_OK ||
 *         jager_contact_move(&contact, &law, pool, 1e-7, press, &force) != JAGER_OK ||
 *         jager_contact_move(&contact, &law, pool, 1e-7, shear, &force) != JAGER_OK)
 *       return 1;
 *     jager_contact_release(&contact, pool);
 *     jager_pool_destroy(pool);
 *
 * Units are SI (m, N, Pa, J, kg, s, rad), or any other consistent set. A function that can fail returns a jager_status.
 * On an error all its arguments are as they were before the call. A pointer that is NULL gives JAGER_ERROR_NULL, unless
 * NULL is said to be allowed; functions that return no status must not be given NULL. The library prints nothing
 * and has no global state. A release build never aborts; debug builds have assertions. Calls with different pools and
 * different contacts may run in different threads at the same time; a law is only read and may be shared.
 *
 * A function takes first what it works on (a contact, a balance, a law), then the law, then the pool.
 *
 * The header compiles as C99 and later and as C++11 and later. The other headers: jager/status.h, statuses and states;
 * jager/pair.h, kinematics of two spheres and dashpots, as inline functions; jager/pairs.h, many pairs in one call;
 * jager/compact.h, a contact of fixed size; jager/compare.h, closed forms and the comparison law "linear".
 */
#ifndef JAGER_JAGER_H
#define JAGER_JAGER_H

#include "jager/status.h"

#include <stddef.h>
#include <stdint.h>

#define JAGER_VERSION_MAJOR 0
#define JAGER_VERSION_MINOR 1
#define JAGER_VERSION_PATCH 0
#define JAGER_VERSION "0.1.0"

/* Marks exported functions. Define it before including the header to change the linkage. */
#if defined(__GNUC__) && !defined(JAGER_API)
#define JAGER_API __attribute__((visibility("default")))
#elif !defined(JAGER_API)
#define JAGER_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors ---------------------------------------------------------------------------------------------------- */

/* The text of a status, never NULL. The text of an unknown number is "unknown error". */
JAGER_API const char *jager_status_text(jager_status status);

/* Version of the linked library, such as "0.1.0". */
JAGER_API const char *jager_version(void);

/* ---- Law ------------------------------------------------------------------------------------------------------- */

/* The contact models: the exact one, and four to compare it with. */
typedef enum jager_model {
  JAGER_MODEL_JAGER = 0,            /* "jager": exact along a line */
  JAGER_MODEL_LINEAR = 1,           /* "linear": constant stiffnesses, shear capped at f Fn (Cundall and Strack) */
  JAGER_MODEL_HERTZ_MINDLIN = 2,    /* "hertz-mindlin": capped shear spring, rescaled on unloading */
  JAGER_MODEL_MODIFIED_MINDLIN = 3, /* "modified-mindlin": incremental Mindlin-Deresiewicz, remembers one reversal */
  JAGER_MODEL_ZHANG_VUQUOC = 4,     /* "zhang-vuquoc": the same, remembers all reversals */
  JAGER_MODEL_COUNT                 /* the number of models */
} jager_model;

/* The shape of each body near the contact. */
typedef enum jager_contour {
  JAGER_CONTOUR_SPHERE = 0, /* "sphere": of the radius that jager_contact_init is given */
  JAGER_CONTOUR_CONE = 1,   /* "cone": height = slope * r */
  JAGER_CONTOUR_POWER = 2,  /* "power": height = slope * r^exponent; the unit of slope is m^(1 - exponent) */
  JAGER_CONTOUR_COUNT       /* the number of contours */
} jager_contour;

/* An elastic body. */
typedef struct jager_body {
  double shear_modulus; /* G, Pa; INFINITY: rigid */
  double poisson;       /* ν */
} jager_body;

/*
 * The properties of a pair of materials. Begin with jager_law_default, and change the law with the functions below,
 * which check their arguments; the fields are for reading. Later versions turn reserved members into new fields, whose
 * zero means what there is now: the size of a law does not change. While contacts of the law exist, only friction,
 * tolerance and dp_max may change: a contact keeps the stiffness that it was made with until jager_contact_restiffen
 * changes it.
 */
typedef struct jager_law {
  jager_model model;     /* contact model */
  jager_contour contour; /* shape of the bodies */
  double modulus;        /* Ē = 8G/(3(1-ν)), Pa; 0: no material yet */
  double kappa;          /* κ = (2-ν)/(2(1-ν)): normal over tangential stiffness */
  double inverse_kappa;  /* 1/κ */
  double friction;       /* f */
  double tolerance;      /* τ: histories are kept short, with errors of Ft of about τ f Fn; 0: exact */
  double dp_max;         /* elastic segments whose slopes differ by no more are merged, as in the paper; 0: exact */
  double slope;          /* of a cone or power-law contour */
  double exponent;       /* α of the contour: 2 for spheres, 1 for cones */
  double linear_kn;      /* "linear": dFn/d(2ζ), N/m; 0: the contour's at ζ = 1/100 of the smaller radius */
  double linear_kt;      /* "linear": dFt/d(2ξ), N/m; 0: linear_kn/κ */
  double reserved[8];    /* zero; anything else is refused */
} jager_law;

/*
 * A law with model "jager", spheres, f = 0.5, exact histories and no material. Until jager_law_set_bodies or
 * jager_law_set_dissimilar_bodies has given it one, every use of the law is refused with JAGER_ERROR_NO_MATERIAL.
 */
JAGER_API jager_law jager_law_default(void);

/* Gives both bodies the same material. Errors: SHEAR_MODULUS, POISSON. */
JAGER_API jager_status jager_law_set_bodies(jager_law *law, double shear_modulus, double poisson);

/*
 * Gives the bodies two materials; one of them may be rigid. Normal and tangential problems are taken as uncoupled.
 * Errors: SHEAR_MODULUS, POISSON.
 */
JAGER_API jager_status jager_law_set_dissimilar_bodies(jager_law *law, jager_body a, jager_body b);

/* Sets the friction coefficient f, in [0, 1e6]. Errors: FRICTION. */
JAGER_API jager_status jager_law_set_friction(jager_law *law, double friction);

/* Sets the tolerance τ of short histories, in [0, 1], 0: exact. Not together with dp_max. Errors: TOLERANCE. */
JAGER_API jager_status jager_law_set_tolerance(jager_law *law, double tolerance);

/* Sets dp_max, the paper's way to short histories, 0: exact. Not together with a tolerance. Errors: DP_MAX. */
JAGER_API jager_status jager_law_set_dp_max(jager_law *law, double dp_max);

/* Sets the contact model. Errors: MODEL. */
JAGER_API jager_status jager_law_set_model(jager_law *law, jager_model model);

/* Sets the shape of the bodies. A slope or exponent that the contour does not have is ignored. Errors: CONTOUR. */
JAGER_API jager_status jager_law_set_contour(jager_law *law, jager_contour contour, double slope, double exponent);

/*
 * JAGER_OK if the law has a material and every field holds a possible value. Errors: all of the above, NO_MATERIAL,
 * STIFFNESS, LAYOUT (a reserved member is not zero).
 */
JAGER_API jager_status jager_law_check(const jager_law *law);

/*
 * Names, "jager", "linear", ... and "sphere", "cone", "power", and back. The name of an unknown number is "unknown"; an
 * unknown name is an error. Errors: MODEL, CONTOUR.
 */
JAGER_API const char *jager_model_name(jager_model model);
JAGER_API jager_status jager_model_from_name(const char *name, jager_model *model);
JAGER_API const char *jager_contour_name(jager_contour contour);
JAGER_API jager_status jager_contour_from_name(const char *name, jager_contour *contour);

/* ---- Pool ------------------------------------------------------------------------------------------------------ */

/*
 * The memory of histories. A contact is always moved with the same pool; jager_contact_clone gives a copy to another.
 */
typedef struct jager_pool jager_pool;

/*
 * Where a pool, or a jager_pairs (jager/pairs.h), gets its memory. `allocate` returns a block of at least `bytes` bytes
 * whose address is a multiple of `alignment`, a power of 2 of at most 64, or NULL; `bytes` is a multiple of
 * `alignment`. `release` takes a block back,  with the same `bytes`. Both are called only from functions that the pool
 * or the pairs are passed to.
 */
typedef struct jager_allocator {
  void *(*allocate)(void *context, size_t bytes, size_t alignment); /* must not be NULL */
  void (*release)(void *context, void *block, size_t bytes);        /* must not be NULL */
  void *context;                                                    /* passed on to both; may be NULL */
} jager_allocator;

/* Makes a pool that grows on demand up to byte_limit bytes (0: no limit). NULL: there is no memory. */
JAGER_API jager_pool *jager_pool_create(size_t byte_limit);

/*
 * The same with an allocator of the caller, which must exist as long as the pool; NULL: the C library's. Returns NULL
 * if there is no memory, or if a function of the allocator is NULL.
 */
JAGER_API jager_pool *jager_pool_create_with(size_t byte_limit, const jager_allocator *allocator);

/* Frees all memory of the pool. Contacts with a history in it must not be used again. NULL is allowed. */
JAGER_API void jager_pool_destroy(jager_pool *pool);

/* Bytes taken from the allocator, all overhead counted. 0 for NULL. */
JAGER_API size_t jager_pool_bytes(const jager_pool *pool);

/* Bytes that hold histories now. 0 for NULL. */
JAGER_API size_t jager_pool_bytes_in_use(const jager_pool *pool);

/* ---- Contact --------------------------------------------------------------------------------------------------- */

/* "apart", "elastic", "slip" or "slide". The name of an unknown number is "unknown". */
JAGER_API const char *jager_state_name(jager_state state);

/*
 * One contact: 160 bytes that the caller owns and the library fills. Read a contact with the functions
 * jager_contact_zeta, jager_contact_state, ... below.
 *
 * A contact starts as zeroed memory, `jager_contact contact = {0}` (C++: `{}`) or calloc, and ends with
 * jager_contact_release. Until jager_contact_init it is refused with JAGER_ERROR_UNINITIALISED.
 * jager_contact_init, jager_contact_clone and jager_contact_unpack refuse a target that still holds a history, with
 * JAGER_ERROR_IN_USE: release it first. So no history can be lost by accident.
 *
 * A contact may be copied with memcpy if the copy replaces the original: two copies in use would share one history.
 * jager_contact_clone makes an independent copy.
 */
typedef union jager_contact {
  unsigned char private_bytes[160]; /* not for users: the layout may change in any version */
  double private_alignment;
  void *private_pointer;
} jager_contact;

/* The forces of a contact, N. */
typedef struct jager_force {
  double fn;    /* Fn, compression positive */
  double ft[2]; /* Ft on the first body, in the direction in which the second has shifted; the opposite on the second */
} jager_force;

/* A straight movement of a contact. */
typedef struct jager_movement {
  double zeta;   /* new half-overlap ζ, m */
  double dxi[2]; /* half-shift Δξ, m */
} jager_movement;

/* The energies of a contact, J: of the whole movements 2ζ and 2ξ. */
typedef struct jager_energy {
  double normal;     /* stored by the normal force now */
  double tangential; /* stored by the tangential force now */
  double dissipated; /* since jager_balance_begin */
} jager_energy;

/* A point of the equivalent load history, with the slope of the segment that ends in it. */
typedef struct jager_point {
  double zeta; /* ζ*, a half-overlap, m */
  double fn;   /* Fn(ζ*) */
  double p[2]; /* p* */
} jager_point;

/* Tangent stiffnesses of a contact, N/m, against the whole movements 2ζ and 2ξ. */
typedef struct jager_stiffness {
  double normal;     /* dFn/d(2ζ) */
  double tangential; /* dFt/d(2ξ) in full stick, an upper bound: slip makes the contact softer */
} jager_stiffness;

/*
 * Makes a contact between bodies of these radii, with ζ = 0. A flat wall has radius INFINITY. Cones and power laws have
 * no radius: give any positive number, or INFINITY for a flat wall. Errors: those of jager_law_check; IN_USE; RADIUS or
 * CONTOUR if the stiffness C of Fn = C ζ^(1+1/α) is not in [1e-100, 1e100].
 */
JAGER_API jager_status jager_contact_init(jager_contact *contact, const jager_law *law, double radius_a,
                                          double radius_b);

/* Forgets the history and gives its memory back: the contact is as new. NULL is allowed. */
JAGER_API void jager_contact_release(jager_contact *contact, jager_pool *pool);

/*
 * Makes `copy` a second contact in the same state, with a history of its own in `pool`. Errors: IN_USE, MEMORY.
 */
JAGER_API jager_status jager_contact_clone(const jager_contact *contact, jager_pool *pool, jager_contact *copy);

/* 1 if both contacts are the same to the bit, histories included, else 0. */
JAGER_API int jager_contact_equal(const jager_contact *a, const jager_contact *b);

/*
 * Changes the bodies of a contact: it takes its stiffness from this law and these radii, as jager_contact_init does.
 * The points (ζ*, p*) of the history stay. They depend on movements, κ and friction, not on the stiffness: with κ as
 * before, the forces are those of a contact that has had the new stiffness from the beginning. The contour must be the
 * one that the contact was made with. Only for "jager". Errors: those of jager_contact_init but IN_USE; UNSUPPORTED.
 */
JAGER_API jager_status jager_contact_restiffen(jager_contact *contact, const jager_law *law, double radius_a,
                                               double radius_b);

/* ---- Movements ------------------------------------------------------------------------------------------------- */

/*
 * Moves the contact to the half-overlap ζ and by the half-shift Δξ, straight. ζ <= 0 separates the bodies and forgets
 * the history. When bodies come into contact, or separate, within the movement, only the part of Δξ in contact counts:
 * a negative ζ is half the gap. A positive ζ below 1e-60 is too small to compute with and counts as 0. law->friction
 * may have changed since the last call. `force` may be NULL. The time is constant, amortised. Errors: NO_MATERIAL,
 * MODEL, FRICTION, NOT_FINITE, TOO_LARGE (|ζ| > 1e60 or |Δξ| > 1e150), MEMORY.
 */
JAGER_API jager_status jager_contact_move(jager_contact *contact, const jager_law *law, jager_pool *pool,
                                          double half_overlap, const double half_shift[2], jager_force *force);

/* The movements of many contacts, one array for each quantity. */
typedef struct jager_moves {
  size_t count;                   /* of contacts */
  jager_contact *const *contacts; /* all different, none NULL */
  const double *zeta;             /* new half-overlaps ζ */
  const double *dxi[2];           /* half-shifts Δξ */
  double *fn;                     /* out: Fn */
  double *ft[2];                  /* out: Ft */
  jager_state *state;             /* out: states; may be NULL */
} jager_moves;

/*
 * Moves many contacts of one law: to the last bit what calls of jager_contact_move give, one after the other, with the
 * histories of later contacts fetched ahead. jager/pairs.h is faster: it computes contacts side by side. *moved is the
 * number of contacts that have moved: `count`, or on an error the index of the contact that cannot be moved. This and
 * all later contacts, and their places in the arrays, are then as they were. `moved` may be NULL. Errors: those of
 * jager_contact_move.
 */
JAGER_API jager_status jager_contacts_move(const jager_moves *moves, const jager_law *law, jager_pool *pool,
                                           size_t *moved);

/*
 * A path of one contact: straight movements one after the other, one array for each quantity. Arrays that are marked
 * so may be NULL. With an array of energies the path is slower.
 */
typedef struct jager_path {
  size_t count;         /* of movements */
  const double *zeta;   /* half-overlap ζ at the end of each */
  const double *dxi[2]; /* half-shifts Δξ */
  double *fn;           /* out: Fn after each; may be NULL */
  double *ft[2];        /* out: Ft after each; may be NULL, each */
  jager_state *state;   /* out: may be NULL */
  double *normal;       /* out: energy stored by the normal force after each; may be NULL */
  double *tangential;   /* out: energy stored by the tangential force after each; may be NULL */
  double *dissipated;   /* out: energy dissipated since the start of the path; may be NULL */
} jager_path;

/*
 * Moves one contact along a path: to the last bit what calls of jager_contact_move, or, with energies, of
 * jager_balance_move, give. If a movement cannot be made, *moved is its index: the contact stands where the movement
 * before has taken it. `moved` may be NULL. Errors: those of jager_contact_move.
 */
JAGER_API jager_status jager_contact_move_path(jager_contact *contact, const jager_law *law, jager_pool *pool,
                                               const jager_path *path, size_t *moved);

/*
 * Loads the contact to the forces (Fn, Ft) and gives the movement that this takes; at |Ft| = f Fn, the smallest one. Fn
 * = 0 separates the bodies at ζ = 0, and so does an Fn that is too small to compute with: below 1e-130, or with ζ below
 * 1e-60. Otherwise the forces asked for are reached, to rounding. A load is slower than a movement: it works on a
 * copy of the part of the history that changes. For its energies take jager_balance_load. Only for "jager". Errors:
 * NO_MATERIAL, MODEL, UNSUPPORTED, FRICTION, NOT_FINITE, PULL, TOO_LARGE, BEYOND_FRICTION, MEMORY.
 */
JAGER_API jager_status jager_contact_load(jager_contact *contact, const jager_law *law, jager_pool *pool,
                                          const jager_force *force, jager_movement *movement);

/* ---- Reading a contact ----------------------------------------------------------------------------------------- */

/* The half-overlap ζ, m. Negative: half the gap. */
JAGER_API double jager_contact_zeta(const jager_contact *contact);

/* Fn, N: the same number as jager_contact_force gives. */
JAGER_API double jager_contact_fn(const jager_contact *contact);

/* The kind of the last movement. */
JAGER_API jager_state jager_contact_state(const jager_contact *contact);

/* Points of the history, the zeroth included; 1 if the bodies do not touch, 0 for zeroed memory. */
JAGER_API uint32_t jager_contact_length(const jager_contact *contact);

/* The model that the contact was made with. */
JAGER_API jager_model jager_contact_model(const jager_contact *contact);

/* f with which the history was made: the friction of the law in the last movement. */
JAGER_API double jager_contact_friction(const jager_contact *contact);

/* C of Fn = C ζ^(1 + 1/α), as jager/compact.h takes it; for "linear" of Fn = C ζ, which is 2 kn. */
JAGER_API double jager_contact_coefficient(const jager_contact *contact);

/* The present forces. */
JAGER_API jager_force jager_contact_force(const jager_contact *contact);

/*
 * The present tangent stiffnesses, for time steps, servos and dashpots; zero if the bodies do not touch. Errors: those
 * of jager_law_check; MODEL.
 */
JAGER_API jager_status jager_contact_stiffness(const jager_contact *contact, const jager_law *law,
                                               jager_stiffness *stiffness);

/*
 * The energies stored now; dissipated = 0. The time is constant, amortised over movements: the pool of the contact
 * keeps sums over its history. For a view of a contact (jager/pairs.h), whose pool is not known, `pool` is NULL: the
 * result has the same bits, but the time is proportional to the length of the history. Errors: MODEL.
 */
JAGER_API jager_status jager_contact_stored(const jager_contact *contact, const jager_law *law, jager_pool *pool,
                                            jager_energy *energy);

/*
 * The history from the zeroth point to the present one: jager_contact_length points. Only for "jager". Errors:
 * UNSUPPORTED, CAPACITY (there are more points than `capacity`).
 */
JAGER_API jager_status jager_contact_history(const jager_contact *contact, const jager_law *law, jager_point *points,
                                             size_t capacity);

/* ---- Energies -------------------------------------------------------------------------------------------------- */

/*
 * The energies of a contact since jager_balance_begin: 128 bytes that the caller owns and the library fills. Read them
 * with jager_balance_energy. In this time only jager_balance_move and jager_balance_load may move the contact: the
 * balance adds up the changes. It has no memory of its own, and may be copied and forgotten.
 */
typedef union jager_balance {
  unsigned char private_bytes[128]; /* not for users: the layout may change in any version */
  double private_alignment;
} jager_balance;

/* Begins a balance with the energies that the contact stores now. Errors: MODEL. */
JAGER_API jager_status jager_balance_begin(jager_balance *balance, const jager_contact *contact, const jager_law *law);

/*
 * jager_contact_move and jager_contact_load that also add the energies to the balance. The time is constant, amortised.
 * Errors: those of jager_contact_move and jager_contact_load.
 */
JAGER_API jager_status jager_balance_move(jager_balance *balance, jager_contact *contact, const jager_law *law,
                                          jager_pool *pool, double half_overlap, const double half_shift[2],
                                          jager_force *force);
JAGER_API jager_status jager_balance_load(jager_balance *balance, jager_contact *contact, const jager_law *law,
                                          jager_pool *pool, const jager_force *force, jager_movement *movement);

/* The energies stored now, and dissipated since jager_balance_begin. */
JAGER_API jager_energy jager_balance_energy(const jager_balance *balance);

/* ---- Packed contacts ------------------------------------------------------------------------------------------- */

/* Bytes that the packed contact takes, for checkpoints and messages. 0 for NULL. */
JAGER_API size_t jager_contact_pack_size(const jager_contact *contact);

/*
 * Writes jager_contact_pack_size bytes: the whole state, little-endian, with version and checksum. Errors: CAPACITY.
 */
JAGER_API jager_status jager_contact_pack(const jager_contact *contact, void *bytes, size_t capacity);

/*
 * Reads one packed contact. *used is the number of its bytes; `used` may be NULL. Errors: IN_USE, NOT_PACKED, VERSION,
 * TRUNCATED, CHECKSUM, MODEL, CORRUPT, MEMORY.
 */
JAGER_API jager_status jager_contact_unpack(jager_contact *contact, const jager_law *law, jager_pool *pool,
                                            const void *bytes, size_t size, size_t *used);

/* ---- Tractions ------------------------------------------------------------------------------------------------- */

/*
 * Radius of the contact area, and of the zone that did not slip in the last movement (inside the annulus of the top
 * segment), m. Either pointer may be NULL. Only for "jager". Errors: MODEL, UNSUPPORTED.
 */
JAGER_API jager_status jager_contact_radii(const jager_contact *contact, const jager_law *law, double *contact_radius,
                                           double *stick_radius);

/*
 * Normal pressure and shear traction, Pa, at this distance from the centre of the contact area. In the centre of a cone
 * the pressure is infinite, and so is the shear if the first segment of the history has any. `pressure` and `shear` may
 * be NULL. Only for "jager". Errors: MODEL, UNSUPPORTED, RADIUS (negative), NOT_FINITE (NaN).
 */
JAGER_API jager_status jager_contact_traction(const jager_contact *contact, const jager_law *law, double radius,
                                              double *pressure, double shear[2]);

/* ---- Frames ---------------------------------------------------------------------------------------------------- */

/*
 * The local axes of a contact between particles p and q: the unit quaternion turns global vectors into local ones, as
 * q v q*; local z is the normal n, which points from p to q.
 */
typedef struct jager_frame {
  double q[4]; /* scalar part first */
} jager_frame;

/* The movement of two round particles in one step. A flat wall has radius INFINITY, as in jager_contact_init. */
typedef struct jager_step {
  double branch[3]; /* x_q - x_p at the end of the step, the nearest image; it ends on the surface of a wall */
  double shift[3];  /* Δx_q - Δx_p of the material, without rotations */
  double spin_p[3]; /* rotation vector of p in the step, rad, global axes; less than half a turn */
  double spin_q[3]; /* rotation vector of q */
  double radius_p;  /* m; INFINITY: p is a flat wall */
  double radius_q;  /* m; INFINITY: q is a flat wall */
} jager_step;

/* Axes around this normal, which may have any length but zero. Errors: DIRECTION. */
JAGER_API jager_status jager_frame_init(jager_frame *frame, const double normal[3]);

/*
 * Turns the axes with the pair and gives the movement in them, for jager_contact_move: the half-overlap
 * ζ = (R_p + R_q - |branch|)/2, in which the radius of a wall counts as zero, and the half-shift Δξ. The axes follow
 * the normal (they tumble) and rotate about it by the mean spin (they twirl). The formulas are those of jager/pair.h;
 * the axes turn exactly, for rotations up to half a turn. Errors: NOT_FINITE, RADIUS, TOO_LARGE (half a turn or more,
 * lengths beyond 1e150), DIRECTION.
 */
JAGER_API jager_status jager_frame_step(jager_frame *frame, const jager_step *step, jager_movement *movement);

/* The unit normal n, global. */
JAGER_API void jager_frame_normal(const jager_frame *frame, double normal[3]);

/* The force of the contact on particle q, global. The force on p is its opposite. */
JAGER_API void jager_frame_force(const jager_frame *frame, const jager_force *force, double on_q[3]);

/*
 * The torques of the contact on both particles about their centres, N m, global. The radii are those of the step, the
 * half-overlap ζ is that of the contact after the step. The force acts in the middle of the overlap, R - ζ from the
 * centres. With a wall (INFINITY) it acts on the wall's surface, R - 2ζ from the centre of the particle, and the torque
 * on the wall is zero.
 */
JAGER_API void jager_frame_torques(const jager_frame *frame, const jager_force *force, double half_overlap,
                                   double radius_p, double radius_q, double on_p[3], double on_q[3]);

#ifdef __cplusplus
}
#endif

#endif
