/* SPDX-License-Identifier: MIT */
/*
 * libjager: the Jäger contact between two elastic bodies, exact for any movement.
 *
 * Two bodies are in contact. Their centres approach by 2ζ and shift sideways by the 2-vector 2ξ; ζ and ξ are
 * half-movements, as in M. R. Kuhn, "Implementation of the Jäger contact model for discrete element simulations". The
 * normal force Fn depends on the overlap 2ζ alone. The tangential force Ft depends on the whole loading history, which
 * is kept as an "equivalent load history": points (ζ*, p*), from (0, 0) to the present, where p* is the slope of the
 * straight segment that ends in the point, |p*| <= f, and
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
 * For example, two spheres of radius 1 mm are pressed together and sheared:
 *
 *     jager_law law = jager_law_default();
 *     jager_pool *pool = jager_pool_create(0);
 *     jager_contact contact = {0};
 *     jager_force force;
 *     double press[2] = {0.0, 0.0}, shear[2] = {1e-8, 0.0};
 *     if (!pool || jager_law_set_bodies(&law, 29e9, 0.15) != JAGER_OK ||
 *         jager_contact_init(&contact, &law, 1e-3, 1e-3) != JAGER_OK ||
 *         jager_contact_move(&law, pool, &contact, 1e-7, press, &force) != JAGER_OK ||
 *         jager_contact_move(&law, pool, &contact, 1e-7, shear, &force) != JAGER_OK)
 *       return 1;
 *     jager_contact_release(pool, &contact);
 *     jager_pool_destroy(pool);
 *
 * Units are SI (m, N, Pa, J, kg, s, rad), or any other consistent set. A function that can fail returns a jager_status.
 * On an error all its arguments are as they were before the call. A pointer that is NULL gives JAGER_ERROR_NULL, unless
 * NULL is said to be allowed; functions that return no status must not be given NULL. The library prints nothing
 * and has no global state. A release build never aborts; debug builds have assertions. Calls with different pools and
 * different contacts may run in different threads at the same time; a law is only read and may be shared.
 *
 * The header compiles as C99 and later and as C++11 and later. Kinematics of pairs of spheres and dashpots, as inline
 * functions, are in jager/pair.h.
 */
#ifndef JAGER_JAGER_H
#define JAGER_JAGER_H

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

/*
 * Every status: its name, its number and its text, as X(name, number, text). Numbers are part of the binary interface:
 * a number is never changed, and never used again after its status has gone. New statuses take the next free number.
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
  X(JAGER_ERROR_CORRUPT, 22, "the packed contact is not a possible state of this law")                                 \
  X(JAGER_ERROR_DIRECTION, 23, "a branch vector or normal has no direction, or a quaternion is not of unit length")    \
  X(JAGER_ERROR_DOMAIN, 24, "outside the range where the closed form holds")                                           \
  X(JAGER_ERROR_NO_MATERIAL, 25, "the law has no material yet: call jager_law_set_bodies")                             \
  X(JAGER_ERROR_IN_USE, 26, "the contact still holds a history: release it first")                                     \
  X(JAGER_ERROR_DAMPING, 27, "the share of critical damping must lie in [0, 1]")                                       \
  X(JAGER_ERROR_UNINITIALISED, 28, "the contact was not initialised: call jager_contact_init")

#define JAGER_STATUS_ENUMERATOR(name, number, text) name = (number),
/* What a function returns: JAGER_OK (0) for success, a positive number for an error. */
typedef enum jager_status { JAGER_STATUS_LIST(JAGER_STATUS_ENUMERATOR) } jager_status;
#undef JAGER_STATUS_ENUMERATOR

/* The text of a status, never NULL. The text of an unknown number is "unknown error". */
JAGER_API const char *jager_status_text(jager_status status);

/* Version of the linked library, "0.1.0". */
JAGER_API const char *jager_version(void);

/* ---- Law ------------------------------------------------------------------------------------------------------- */

/* The contact models: the exact one, and four to compare it with. */
typedef enum jager_model {
  JAGER_MODEL_JAGER = 0,            /* "jager": exact */
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
 * The properties of a pair of materials. Start with jager_law_default, and change the law with the functions below,
 * which check their arguments; the fields are for reading. While contacts of the law exist, only friction, tolerance
 * and dp_max may change: a contact keeps the stiffness that it was made with until jager_contact_restiffen changes it.
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
 * Sets the stiffnesses of "linear" against the relative movements 2ζ and 2ξ, N/m; 0: derive. The derived kn is the
 * contour's dFn/d(2ζ) at ζ = 1/100 of the smaller radius, a large overlap: to compare laws, derive kn with one of the
 * two functions below. Errors: STIFFNESS.
 */
JAGER_API jager_status jager_law_set_linear(jager_law *law, double kn, double kt);

/*
 * Set linear_kn so that "linear" has the contour's Fn (Hertz's, for spheres) at this ζ, or at this Fn, between bodies
 * of these radii, which are those of jager_contact_init. linear_kt stays. Errors: those of jager_law_check, RADIUS,
 * STIFFNESS (ζ or Fn is not positive or out of range).
 */
JAGER_API jager_status jager_law_set_linear_at_zeta(jager_law *law, double radius_a, double radius_b, double zeta);
JAGER_API jager_status jager_law_set_linear_at_force(jager_law *law, double radius_a, double radius_b, double fn);

/* JAGER_OK if the law has a material and every field holds a possible value. Errors: all of the above, NO_MATERIAL. */
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
 * The memory of histories. A contact is always moved with the same pool. (Pools that are destroyed together may
 * exchange contacts; then only the sums of the bytes that they report have a meaning.)
 */
typedef struct jager_pool jager_pool;

/*
 * Where a pool gets its memory. `allocate` returns a block of at least `bytes` bytes whose address is a multiple of
 * `alignment`, a power of 2 of at most 64, or NULL; `bytes` is a multiple of `alignment`. `release` takes a block back,
 * with the same `bytes`. A pool calls both only from the calls that it is passed to.
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

/* The kind of the last movement of a contact. */
typedef enum jager_state {
  JAGER_STATE_APART = 0,   /* "apart": the bodies do not touch */
  JAGER_STATE_ELASTIC = 1, /* "elastic": no slip anywhere */
  JAGER_STATE_SLIP = 2,    /* "slip": partial slip, in an outer annulus, or part of the history was undone */
  JAGER_STATE_SLIDE = 3,   /* "slide": gross sliding, |Ft| = f Fn; without friction, always */
  JAGER_STATE_COUNT        /* the number of states */
} jager_state;

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
  double zeta;   /* new ζ, m */
  double dxi[2]; /* change of ξ, m */
} jager_movement;

/* The energies of a contact, J. */
typedef struct jager_energy {
  double normal;     /* stored by the normal force now */
  double tangential; /* stored by the tangential force now */
  double dissipated; /* in this movement */
} jager_energy;

/* A point of the equivalent load history, with the slope of the segment that ends in it. */
typedef struct jager_point {
  double zeta; /* ζ* */
  double fn;   /* Fn(ζ*) */
  double p[2]; /* p* */
} jager_point;

/* Tangent stiffnesses of a contact, N/m. */
typedef struct jager_stiffness {
  double normal;     /* dFn/d(2ζ) */
  double tangential; /* dFt/d(2ξ) in full stick, an upper bound: slip makes the contact softer */
} jager_stiffness;

/*
 * Makes a contact between bodies of these radii, with ζ = 0. A flat wall has radius INFINITY. Cones and power laws have
 * no radius: give any positive number, or INFINITY for a flat wall. Errors: those of jager_law_check; IN_USE; RADIUS or
 * CONTOUR if the stiffness is out of range.
 */
JAGER_API jager_status jager_contact_init(jager_contact *contact, const jager_law *law, double radius_a,
                                          double radius_b);

/* Forgets the history and gives its memory back: the contact is as new. NULL is allowed. */
JAGER_API void jager_contact_release(jager_pool *pool, jager_contact *contact);

/*
 * Makes `copy` a second contact in the same state, with a history of its own in `pool`. Errors: IN_USE, MEMORY.
 */
JAGER_API jager_status jager_contact_clone(const jager_contact *contact, jager_pool *pool, jager_contact *copy);

/* 1 if both contacts are the same to the bit, histories included, else 0. */
JAGER_API int jager_contact_equal(const jager_contact *a, const jager_contact *b);

/*
 * Changes the bodies of a contact: its stiffness becomes that of this law and these radii, as in jager_contact_init.
 * The points (ζ*, p*) of the history stay. They depend on movements, κ and friction, not on the stiffness: with κ as
 * before, the forces are those of a contact that has had the new stiffness from the beginning. The contour must be the
 * one that the contact was made with. Only for "jager". Errors: those of jager_contact_init but IN_USE; UNSUPPORTED.
 */
JAGER_API jager_status jager_contact_restiffen(const jager_law *law, jager_contact *contact, double radius_a,
                                               double radius_b);

/* ---- Movements ------------------------------------------------------------------------------------------------- */

/*
 * Moves the contact to ζ and by Δξ, straight. ζ <= 0 separates the bodies and forgets the history. When bodies come
 * into contact, or separate, within the movement, only the part of Δξ in contact counts: a negative ζ is half the gap.
 * law->friction may have changed since the last call. `force` may be NULL. The time is constant, amortised. Errors:
 * NO_MATERIAL, MODEL, FRICTION, NOT_FINITE, TOO_LARGE (|ζ| > 1e60 or |Δξ| > 1e150), MEMORY.
 */
JAGER_API jager_status jager_contact_move(const jager_law *law, jager_pool *pool, jager_contact *contact, double zeta,
                                          const double dxi[2], jager_force *force);

/* The movements of many contacts, one array for each quantity. */
typedef struct jager_moves {
  size_t count;                   /* of contacts */
  jager_contact *const *contacts; /* all different, none NULL */
  const double *zeta;             /* new ζ */
  const double *dxi[2];           /* changes of ξ */
  double *fn;                     /* out: Fn */
  double *ft[2];                  /* out: Ft */
  jager_state *state;             /* out: states; may be NULL */
} jager_moves;

/*
 * Moves many contacts of one law: to the last bit what calls of jager_contact_move give, one after the other, but
 * faster if there are tens of contacts or more. *moved is the number of contacts that have moved: `count`, or on an
 * error the index of the contact that cannot be moved. This and all later contacts, and their places in the arrays, are
 * then as they were. `moved` may be NULL. Errors: those of
 * jager_contact_move.
 */
JAGER_API jager_status jager_contacts_move(const jager_law *law, jager_pool *pool, const jager_moves *moves,
                                           size_t *moved);

/*
 * A hint for loops of jager_contact_move over many contacts: this contact moves some calls from now (8 is a good
 * number). Fetches the upper end of its history into the cache. Changes nothing.
 */
JAGER_API void jager_contact_prefetch(const jager_contact *contact);

/*
 * A path of one contact: straight movements one after the other, one array for each quantity. Arrays that are marked
 * so may be NULL. With an array of energies the path is slower.
 */
typedef struct jager_path {
  size_t count;         /* of movements */
  const double *zeta;   /* ζ at the end of each */
  const double *dxi[2]; /* changes of ξ */
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
JAGER_API jager_status jager_contact_move_path(const jager_law *law, jager_pool *pool, jager_contact *contact,
                                               const jager_path *path, size_t *moved);

/*
 * Loads the contact to the forces (Fn, Ft) and gives the movement that this takes; at |Ft| = f Fn, the smallest one. Fn
 * = 0 separates the bodies at ζ = 0. The forces reached are those asked for to rounding. A load is slower than a
 * movement: it works on a copy of the part of the history that changes. `energy` may be NULL, and costs time in
 * proportion to the history's length if not. Only for "jager". Errors: NO_MATERIAL, MODEL, UNSUPPORTED, FRICTION,
 * NOT_FINITE, PULL, TOO_LARGE, BEYOND_FRICTION, MEMORY.
 */
JAGER_API jager_status jager_contact_load(const jager_law *law, jager_pool *pool, jager_contact *contact,
                                          const jager_force *force, jager_movement *movement, jager_energy *energy);

/* ---- Reading a contact ----------------------------------------------------------------------------------------- */

/* ζ, m: half the overlap. Negative: half the gap. */
JAGER_API double jager_contact_zeta(const jager_contact *contact);

/* Fn, N: the same number as that of jager_contact_force. */
JAGER_API double jager_contact_fn(const jager_contact *contact);

/* The kind of the last movement. */
JAGER_API jager_state jager_contact_state(const jager_contact *contact);

/* Points of the history, the zeroth included; 1 if the bodies do not touch, 0 for zeroed memory. */
JAGER_API uint32_t jager_contact_length(const jager_contact *contact);

/* The model that the contact was made with. */
JAGER_API jager_model jager_contact_model(const jager_contact *contact);

/* f with which the history was made: that of the law in the last movement. */
JAGER_API double jager_contact_friction(const jager_contact *contact);

/* C of Fn = C ζ^(1 + 1/α); for "linear" of Fn = C ζ, which is 2 kn. */
JAGER_API double jager_contact_coefficient(const jager_contact *contact);

/* The present forces. */
JAGER_API jager_force jager_contact_force(const jager_contact *contact);

/*
 * The present tangent stiffnesses, for time steps, servos and dashpots; zero if the bodies do not touch. Errors: those
 * of jager_law_check; MODEL.
 */
JAGER_API jager_status jager_contact_stiffness(const jager_law *law, const jager_contact *contact,
                                               jager_stiffness *stiffness);

/* The present stored energies; dissipated = 0. Errors: MODEL. */
JAGER_API jager_status jager_contact_stored(const jager_law *law, const jager_contact *contact, jager_energy *energy);

/*
 * The history from the zeroth point to the present one: jager_contact_length points. Only for "jager". Errors:
 * UNSUPPORTED, CAPACITY (there are more points than `capacity`).
 */
JAGER_API jager_status jager_contact_history(const jager_law *law, const jager_contact *contact, jager_point *points,
                                             size_t capacity);

/* ---- Energies -------------------------------------------------------------------------------------------------- */

/*
 * jager_contact_move with the energies. The time is in proportion to the history's length, over which the stored energy
 * is summed: if every movement is to have its energies, take a jager_balance. Errors: those of jager_contact_move.
 */
JAGER_API jager_status jager_contact_move_energy(const jager_law *law, jager_pool *pool, jager_contact *contact,
                                                 double zeta, const double dxi[2], jager_force *force,
                                                 jager_energy *energy);

/*
 * The energies of a contact, J, since jager_balance_begin. In this time only jager_balance_move and jager_balance_load
 * may move the contact: the balance adds up the changes.
 */
typedef struct jager_balance {
  double normal;         /* stored by the normal force now */
  double tangential;     /* stored by the tangential force now */
  double dissipated;     /* in all movements */
  double tangential_low; /* residual of the compensated sum `tangential` */
  double dissipated_low; /* residual of the compensated sum `dissipated` */
  uint32_t movements;    /* since `tangential` was last summed over the whole history */
} jager_balance;

/* Begins a balance with the energies that the contact stores now. Errors: MODEL. */
JAGER_API jager_status jager_balance_begin(jager_balance *balance, const jager_law *law, const jager_contact *contact);

/*
 * jager_contact_move and jager_contact_load that also add the energies to the balance. The time is constant, amortised.
 * Errors: those of jager_contact_move and jager_contact_load.
 */
JAGER_API jager_status jager_balance_move(jager_balance *balance, const jager_law *law, jager_pool *pool,
                                          jager_contact *contact, double zeta, const double dxi[2], jager_force *force);
JAGER_API jager_status jager_balance_load(jager_balance *balance, const jager_law *law, jager_pool *pool,
                                          jager_contact *contact, const jager_force *force, jager_movement *movement);

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
JAGER_API jager_status jager_contact_unpack(const jager_law *law, jager_pool *pool, jager_contact *contact,
                                            const void *bytes, size_t size, size_t *used);

/* ---- Tractions ------------------------------------------------------------------------------------------------- */

/*
 * Radius of the contact area, and of the zone that did not slip in the last movement (inside the annulus of the top
 * segment), m. Either pointer may be NULL. Only for "jager". Errors: MODEL, UNSUPPORTED.
 */
JAGER_API jager_status jager_contact_radii(const jager_law *law, const jager_contact *contact, double *contact_radius,
                                           double *stick_radius);

/*
 * Normal pressure and shear traction, Pa, at this distance from the centre of the contact area. In the centre of a cone
 * the pressure is infinite, and so is the shear if the first segment of the history has any. `pressure` and `shear` may
 * be NULL. Only for "jager". Errors: MODEL, UNSUPPORTED, RADIUS (negative), NOT_FINITE (NaN).
 */
JAGER_API jager_status jager_contact_traction(const jager_law *law, const jager_contact *contact, double radius,
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
 * Turns the axes with the pair and gives the movement in them, for jager_contact_move: ζ = (R_p + R_q - |branch|)/2, in
 * which the radius of a wall counts as zero, and Δξ. The axes follow the normal (they tumble) and rotate about it by
 * the mean spin (they twirl). Errors: NOT_FINITE, RADIUS, TOO_LARGE (half a turn or more, lengths beyond 1e150),
 * DIRECTION.
 */
JAGER_API jager_status jager_frame_step(jager_frame *frame, const jager_step *step, jager_movement *movement);

/* The unit normal n, global. */
JAGER_API void jager_frame_normal(const jager_frame *frame, double normal[3]);

/* The force of the contact on particle q, global. The force on p is its opposite. */
JAGER_API void jager_frame_force(const jager_frame *frame, const jager_force *force, double on_q[3]);

/*
 * The torques of the contact on both particles about their centres, N m, global. The radii are those of the step, ζ is
 * that of the contact after the step. The force acts in the middle of the overlap, R - ζ from the centres. With a wall
 * (INFINITY) it acts on the wall's surface, R - 2ζ from the centre of the particle, and the torque on the wall is zero.
 */
JAGER_API void jager_frame_torques(const jager_frame *frame, const jager_force *force, double zeta, double radius_p,
                                   double radius_q, double on_p[3], double on_q[3]);

/* ---- Closed forms ---------------------------------------------------------------------------------------------- */

/*
 * The closed forms of Cattaneo, Mindlin and Deresiewicz for spheres, with R = 2 R_A R_B/(R_A + R_B), to compare with.
 * Errors of all: those of jager_law_check; CONTOUR (no spheres), RADIUS, NOT_FINITE, TOO_LARGE; DOMAIN outside the
 * stated range.
 */

/* ξ at constant Fn, first loading to Ft; |Ft| <= f Fn. */
JAGER_API jager_status jager_mindlin_loading(const jager_law *law, double radius, double fn, double ft, double *xi);

/* ξ at constant Fn after loading to ft_peak and unloading to Ft; |Ft| <= ft_peak <= f Fn. */
JAGER_API jager_status jager_mindlin_unloading(const jager_law *law, double radius, double fn, double ft_peak,
                                               double ft, double *xi);

/* Energy dissipated in one cycle at constant Fn between ±ft_peak; 0 <= ft_peak <= f Fn. */
JAGER_API jager_status jager_mindlin_cycle_loss(const jager_law *law, double radius, double fn, double ft_peak,
                                                double *loss);

/* A loading path of § 17 of Mindlin and Deresiewicz: normal, then oblique, then back; ratio > f > 0. */
typedef struct jager_oblique {
  double fn_start; /* the spheres are pressed together to this Fn */
  double fn_peak;  /* then dFt/dFn = ratio up to this Fn, then back with the same ratio */
  double ratio;    /* dFt/dFn */
} jager_oblique;

/* ξ and Ft of that path at Fn: during loading, or (unloading != 0) during unloading; |Ft| <= f Fn. */
JAGER_API jager_status jager_mindlin_oblique(const jager_law *law, double radius, const jager_oblique *path, double fn,
                                             int unloading, double *ft, double *xi);

/* The shear traction of that path, Pa, at the distance r >= 0 from the centre of the contact area. */
JAGER_API jager_status jager_mindlin_oblique_traction(const jager_law *law, double radius, const jager_oblique *path,
                                                      double fn, int unloading, double r, double *shear);

#ifdef __cplusplus
}
#endif

#endif
