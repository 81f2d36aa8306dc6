/* SPDX-License-Identifier: MIT */
/*
 * libjager: the Jäger contact between two elastic bodies, exact for any movement.
 *
 * Two bodies touch. Their centres approach by 2ζ and shift sideways by the 2-vector 2ξ; ζ and ξ are half-movements,
 * as in M. R. Kuhn, "Implementation of the Jäger contact model for discrete element simulations". The normal force
 * Fn depends on ζ alone. The tangential force Ft depends on everything the contact has been through, which is kept as
 * a short "equivalent load history": points (ζ*, p*), from (0, 0) up to the present, where p* is the slope of the
 * straight segment that ends in the point, |p*| <= f, and
 *
 *     Ft = sum over segments of p* (Fn(ζ* of its end) - Fn(ζ* of its start)).
 *
 * How to use it:
 *   - one jager_law for each pair of materials, constant while the simulation runs;
 *   - one jager_pool for each thread: all histories live in it, nothing is allocated per contact;
 *   - one jager_contact for each pair of bodies that is near: 160 bytes, may lie in an array and be moved by memcpy;
 *   - in each time step one jager_contact_move for each contact.
 *
 * Units are SI (m, N, Pa, J, rad), or any other consistent set. Functions return a jager_status: JAGER_OK (0), or an
 * error, and then everything they were to change is as it was. Nothing is printed, nothing aborts, there is no global
 * state. Functions of different pools and contacts may run in different threads at once.
 */
#ifndef JAGER_JAGER_H
#define JAGER_JAGER_H

#include <stddef.h>
#include <stdint.h>

#define JAGER_VERSION_MAJOR 0
#define JAGER_VERSION_MINOR 1
#define JAGER_VERSION_PATCH 0
#define JAGER_VERSION "0.1.0"

#if defined(__GNUC__) && !defined(JAGER_API)
#define JAGER_API __attribute__((visibility("default")))
#elif !defined(JAGER_API)
#define JAGER_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors ---------------------------------------------------------------------------------------------------- */

/* Every error and its text, in one list. */
#define JAGER_STATUS_LIST(X)                                                                                           \
  X(JAGER_OK, "success")                                                                                               \
  X(JAGER_ERROR_NULL, "a required pointer is NULL")                                                                    \
  X(JAGER_ERROR_NOT_FINITE, "a number is NaN or infinite")                                                             \
  X(JAGER_ERROR_TOO_LARGE, "a movement or force is too large to compute with")                                         \
  X(JAGER_ERROR_SHEAR_MODULUS,                                                                                         \
    "the shear modulus must lie in [1e-60, 1e60]; one of two bodies may be rigid (infinite)")                          \
  X(JAGER_ERROR_POISSON, "Poisson's ratio must lie in (-1, 0.5]")                                                      \
  X(JAGER_ERROR_RADIUS, "a radius must be positive, and one of the two finite")                                        \
  X(JAGER_ERROR_FRICTION, "the friction coefficient must lie in [0, 1e6]")                                             \
  X(JAGER_ERROR_DP_MAX, "dp_max must be finite and not negative, and zero where there is a tolerance")                 \
  X(JAGER_ERROR_TOLERANCE, "the tolerance must lie in [0, 1], and be zero where there is a dp_max")                    \
  X(JAGER_ERROR_CONTOUR, "a cone needs a slope > 0; a power law a slope > 0 and an exponent in [1, 100]")              \
  X(JAGER_ERROR_STIFFNESS, "linear stiffnesses must be finite and not negative (0: derive them)")                      \
  X(JAGER_ERROR_MODEL, "unknown contact model, or not the one this contact was made with")                             \
  X(JAGER_ERROR_UNSUPPORTED, "this contact model cannot do that: only 'jager' can")                                    \
  X(JAGER_ERROR_BEYOND_FRICTION, "the tangential force asked for exceeds friction times the normal force")             \
  X(JAGER_ERROR_PULL, "the normal force must not be negative")                                                         \
  X(JAGER_ERROR_MEMORY, "out of memory, or the pool's limit is reached")                                               \
  X(JAGER_ERROR_CAPACITY, "the buffer is too small")                                                                   \
  X(JAGER_ERROR_NOT_PACKED, "these bytes are not a packed contact")                                                    \
  X(JAGER_ERROR_VERSION, "the contact was packed by another version of the format")                                    \
  X(JAGER_ERROR_TRUNCATED, "the packed contact ends too early")                                                        \
  X(JAGER_ERROR_CHECKSUM, "the packed contact is damaged: its checksum is wrong")                                      \
  X(JAGER_ERROR_CORRUPT, "the packed contact is not a possible state of this law")                                     \
  X(JAGER_ERROR_DIRECTION, "a branch vector or normal has no direction, or a quaternion is not of unit length")        \
  X(JAGER_ERROR_DOMAIN, "outside the range where the closed form holds")

#define JAGER_STATUS_ENUMERATOR(code, text) code,
typedef enum jager_status { JAGER_STATUS_LIST(JAGER_STATUS_ENUMERATOR) JAGER_STATUS_COUNT } jager_status;
#undef JAGER_STATUS_ENUMERATOR

/* The text of a status, never NULL. */
JAGER_API const char *jager_status_text(jager_status status);

/* "0.1.0" */
JAGER_API const char *jager_version(void);

/* ---- Law: what is constant for a pair of materials ------------------------------------------------------------- */

/* Contact models: the exact one, and those to compare it with. */
typedef enum jager_model {
  JAGER_MODEL_JAGER,            /* "jager": exact */
  JAGER_MODEL_LINEAR,           /* "linear": constant stiffnesses, shear capped at f Fn (Cundall and Strack) */
  JAGER_MODEL_HERTZ_MINDLIN,    /* "hertz-mindlin": capped shear spring, rescaled on unloading */
  JAGER_MODEL_MODIFIED_MINDLIN, /* "modified-mindlin": incremental Mindlin-Deresiewicz, one reversal remembered */
  JAGER_MODEL_ZHANG_VUQUOC,     /* "zhang-vuquoc": the same, all turning points remembered */
  JAGER_MODEL_COUNT
} jager_model;

/* Shape of each body near the contact. */
typedef enum jager_contour {
  JAGER_CONTOUR_SPHERE, /* "sphere": its radius is the contact's */
  JAGER_CONTOUR_CONE,   /* "cone": height = slope * r */
  JAGER_CONTOUR_POWER,  /* "power": height = slope * r^exponent; [slope] = m^(1 - exponent) */
  JAGER_CONTOUR_COUNT
} jager_contour;

/* An elastic body. An infinite shear modulus makes it rigid. */
typedef struct jager_body {
  double shear_modulus; /* G, Pa */
  double poisson;       /* ν */
} jager_body;

/*
 * Change it with the functions below; reading it is free. While contacts of the law live, only friction, tolerance and dp_max may
 * change: a contact keeps the stiffness that it was made with, until jager_contact_restiffen gives it another.
 */
typedef struct jager_law {
  jager_model model;
  jager_contour contour;
  double modulus; /* Ē = 8G/(3(1-ν)), Pa */
  double kappa;   /* κ = (2-ν)/(2(1-ν)): normal over tangential stiffness */
  double inverse_kappa;
  double friction;  /* f */
  double tolerance; /* τ: histories are kept short; along a line Ft is off by no more than τ f Fn; 0: exact */
  double dp_max;    /* the paper's way: merge elastic segments whose slopes differ by no more; 0: exact */
  double slope;     /* of a cone or power-law contour */
  double exponent;  /* α of the contour: 2 for spheres, 1 for cones */
  double linear_kn; /* "linear": dFn/d(2ζ), N/m; 0: the contour's at ζ = 1/100 of the smaller radius */
  double linear_kt; /* "linear": dFt/d(2ξ), N/m; 0: linear_kn/κ */
} jager_law;

/* The law of the paper's example: model "jager", spheres, G = 1, ν = 0.5, f = 0.5. */
JAGER_API jager_law jager_law_default(void);

/* Both bodies of the same material. */
JAGER_API jager_status jager_law_set_bodies(jager_law *law, double shear_modulus, double poisson);

/* Two materials; normal and tangential problems are taken as uncoupled. */
JAGER_API jager_status jager_law_set_dissimilar_bodies(jager_law *law, jager_body a, jager_body b);

JAGER_API jager_status jager_law_set_friction(jager_law *law, double friction);
JAGER_API jager_status jager_law_set_tolerance(jager_law *law, double tolerance);
JAGER_API jager_status jager_law_set_dp_max(jager_law *law, double dp_max);
JAGER_API jager_status jager_law_set_model(jager_law *law, jager_model model);

/* Slope and exponent are ignored where the contour has none. */
JAGER_API jager_status jager_law_set_contour(jager_law *law, jager_contour contour, double slope, double exponent);

/*
 * Stiffnesses of "linear" against the relative movements 2ζ and 2ξ, N/m; 0: derive. Derived is the contour's dFn/d(2ζ)
 * at ζ = 1/100 of the smaller radius, where real contacts hardly come: to compare laws, derive kn by one of the
 * functions below.
 */
JAGER_API jager_status jager_law_set_linear(jager_law *law, double kn, double kt);

/*
 * Sets linear_kn so that "linear" has the contour's Fn (Hertz's, for spheres) at this ζ, or at this Fn, between bodies
 * of these radii, as those of jager_contact_init. ζ and Fn must be positive, else JAGER_ERROR_STIFFNESS. linear_kt
 * stays.
 */
JAGER_API jager_status jager_law_set_linear_at_zeta(jager_law *law, double radius_a, double radius_b, double zeta);
JAGER_API jager_status jager_law_set_linear_at_force(jager_law *law, double radius_a, double radius_b, double fn);

/* JAGER_OK if every field holds a possible value. */
JAGER_API jager_status jager_law_check(const jager_law *law);

/* "jager", "linear", ... and back; an unknown name is JAGER_ERROR_MODEL or JAGER_ERROR_CONTOUR. */
JAGER_API const char *jager_model_name(jager_model model);
JAGER_API jager_status jager_model_from_name(const char *name, jager_model *model);
JAGER_API const char *jager_contour_name(jager_contour contour);
JAGER_API jager_status jager_contour_from_name(const char *name, jager_contour *contour);

/* ---- Pool: where histories live -------------------------------------------------------------------------------- */

/*
 * A contact always moves with the same pool. (Pools that are destroyed together may exchange contacts: then only the
 * sums of what they report mean something.)
 */
typedef struct jager_pool jager_pool;

/* A pool that grows on demand up to byte_limit (0: none). NULL if there is no memory. */
JAGER_API jager_pool *jager_pool_create(size_t byte_limit);

/* Frees all. Contacts whose histories were in it must not be used again. NULL is allowed. */
JAGER_API void jager_pool_destroy(jager_pool *pool);

/* Bytes taken from the system, all overhead counted. */
JAGER_API size_t jager_pool_bytes(const jager_pool *pool);

/* Bytes of the nodes that hold histories now. */
JAGER_API size_t jager_pool_bytes_in_use(const jager_pool *pool);

/* ---- Contact --------------------------------------------------------------------------------------------------- */

typedef enum jager_state {
  JAGER_APART,   /* not touching */
  JAGER_ELASTIC, /* the last movement was elastic: no slip anywhere */
  JAGER_SLIP,    /* it slipped in an outer annulus, or undid part of the history */
  JAGER_SLIDE,   /* it slid all over: |Ft| = f Fn; without friction, always */
  JAGER_STATE_COUNT
} jager_state;

/* "apart", "elastic", "slip" or "slide" */
JAGER_API const char *jager_state_name(jager_state state);

struct jager_node;

/*
 * One contact. Its fields are for reading; Ft is jager_contact_force's. It may be copied with memcpy when the copy
 * replaces the original: two copies in use would share one history (jager_contact_clone makes a second one).
 */
typedef struct jager_contact {
  double zeta;              /* ζ; negative: half the gap */
  double fn;                /* Fn(ζ) */
  double p[2];              /* slope p* of the history's top segment */
  double zeta_base;         /* ζ* where it starts */
  double fn_base;           /* Fn(ζ*) there */
  double p_under[2];        /* slope of the segment under it */
  double zeta_under;        /* ζ* where that one starts */
  double fn_under;          /* Fn(ζ*) there */
  double ft_under[2];       /* Ft there ... */
  uint32_t ft_under_low[2]; /* ... and what rounding took from it: the first half of a double's bits */
  uint32_t spent;           /* of the tolerance, up to the end of the top segment: a force, as half a double ... */
  uint32_t spent_under;     /* ... and up to its start */
  double rest[2];           /* of Δξ/κ: what rounding has left undone, and the next movement takes along */
  double friction;          /* f with which the history was made */
  double stiffness;         /* C of Fn = C ζ^(1 + 1/α) */
  struct jager_node *node;  /* the history further down */
  uint32_t length;          /* points of the history, the zeroth included */
  uint8_t fill;             /* entries in use in `node` */
  uint8_t state;            /* jager_state of the last movement */
  uint8_t model;            /* jager_model it was made with */
  uint8_t fresh;            /* points by which it has grown since it was last shortened */
} jager_contact;

typedef struct jager_force {
  double fn;
  double ft[2]; /* on the first body, in the direction in which the second has shifted; the opposite on the second */
} jager_force;

typedef struct jager_movement {
  double zeta;   /* new ζ */
  double dxi[2]; /* change of ξ */
} jager_movement;

typedef struct jager_energy {
  double normal;     /* stored by the normal force now */
  double tangential; /* stored by the tangential force now */
  double dissipated; /* in this movement */
} jager_energy;

/*
 * The energies of a contact since jager_balance_begin. Only jager_balance_move and jager_balance_load may move the
 * contact meanwhile: the balance adds up what they change.
 */
typedef struct jager_balance {
  double normal;                         /* stored by the normal force now */
  double tangential;                     /* stored by the tangential force now */
  double dissipated;                     /* in all movements */
  double tangential_low, dissipated_low; /* what rounding took from the sums */
  uint32_t movements;                    /* since `tangential` was last summed over the whole history */
} jager_balance;

/* A point of the equivalent history, with the slope of the segment that ends in it. */
typedef struct jager_point {
  double zeta;
  double fn;
  double p[2];
} jager_point;

/*
 * A contact that has just been touched (ζ = 0), between bodies of these radii; an old history is not released. A flat
 * wall has radius INFINITY. Cones and power laws have no radius: give any positive one, or INFINITY for a flat wall.
 */
JAGER_API jager_status jager_contact_init(jager_contact *contact, const jager_law *law, double radius_a,
                                          double radius_b);

/*
 * Moves the contact to ζ and by Δξ, straight. ζ <= 0 parts the bodies and forgets the history. When bodies that were
 * apart by a known gap touch, only the part of Δξ that happens in touch counts. law->friction may have changed since
 * the last call. `force` may be NULL.
 */
JAGER_API jager_status jager_contact_move(const jager_law *law, jager_pool *pool, jager_contact *contact, double zeta,
                                          const double dxi[2], jager_force *force);

/*
 * A hint for loops over many contacts: this one moves some calls from now (8 is a good number). Fetches the upper end of
 * its history, which lies anywhere in the pool, into the cache. Changes nothing.
 */
static inline void jager_contact_prefetch(const jager_contact *contact)
{
#if defined(__GNUC__)
  if (contact->node) {
    __builtin_prefetch(contact->node);
    __builtin_prefetch((const char *)contact->node +
                       64); /* of a node's 120 bytes, which lie in two or three cache lines */
  }
#else
  (void)contact;
#endif
}

/* What is to move, one array each: contacts, all different, their new ζ, and their Δξ; and where the forces go. */
typedef struct jager_moves {
  size_t count;
  jager_contact *const *contacts;
  const double *zeta;
  const double *dxi[2];
  double *fn;
  double *ft[2];
} jager_moves;

/*
 * Many contacts of one law at once: to the last bit what jager_contact_move makes of each, but faster
 * (docs/performance.md) with tens of contacts or more that lie near each other in memory. If one cannot be moved, the
 * first *moved contacts have moved, and all others, with their places in the arrays of forces, are as they were.
 * `moved` may be NULL.
 */
JAGER_API jager_status jager_contacts_move(const jager_law *law, jager_pool *pool, const jager_moves *moves,
                                           size_t *moved);

/*
 * jager_contact_move, and the energies. Slower: it walks the whole history, for the energy that is stored. Where each
 * of many movements is to have its energies, take a jager_balance.
 */
JAGER_API jager_status jager_contact_move_energy(const jager_law *law, jager_pool *pool, jager_contact *contact,
                                                 double zeta, const double dxi[2], jager_force *force,
                                                 jager_energy *energy);

/*
 * Loads the contact to the forces (Fn, Ft) and tells which movement that takes. Beyond Ft = f Fn there is none, and at
 * Ft = f Fn it is the smallest. Fn = 0 parts the bodies at ζ = 0. The forces reached are those asked for to rounding.
 * Slower than a move: it works on a copy of the part of the history that changes. `energy` may be NULL, and costs a
 * walk over the whole history if not. Only for "jager".
 */
JAGER_API jager_status jager_contact_load(const jager_law *law, jager_pool *pool, jager_contact *contact,
                                          const jager_force *force, jager_movement *movement, jager_energy *energy);

/* Begins a balance with what the contact stores now. */
JAGER_API jager_status jager_balance_begin(jager_balance *balance, const jager_law *law, const jager_contact *contact);

/* jager_contact_move and jager_contact_load, with the energies added to the balance: amortised constant time. */
JAGER_API jager_status jager_balance_move(jager_balance *balance, const jager_law *law, jager_pool *pool,
                                          jager_contact *contact, double zeta, const double dxi[2], jager_force *force);
JAGER_API jager_status jager_balance_load(jager_balance *balance, const jager_law *law, jager_pool *pool,
                                          jager_contact *contact, const jager_force *force, jager_movement *movement);

/*
 * The bodies have changed: the stiffness becomes that of this law and these radii, as in jager_contact_init. The points
 * (ζ*, p*) of the history stay. They depend on movements, κ and friction, not on the stiffness: with κ as before, the
 * forces are those of a contact that has had the new stiffness since the touch. The contour must be the one that the contact
 * was made with. Only for "jager".
 */
JAGER_API jager_status jager_contact_restiffen(const jager_law *law, jager_contact *contact, double radius_a,
                                               double radius_b);

/* The present forces. Changes nothing. */
JAGER_API jager_force jager_contact_force(const jager_contact *contact);

/* The present stored energies; dissipated = 0. Changes nothing. */
JAGER_API jager_status jager_contact_stored(const jager_law *law, const jager_contact *contact, jager_energy *energy);

/*
 * The history from the zeroth point to the present one: contact->length points. JAGER_ERROR_CAPACITY if there are more
 * than `capacity`. Only for "jager".
 */
JAGER_API jager_status jager_contact_history(const jager_law *law, const jager_contact *contact, jager_point *points,
                                             size_t capacity);

/* Forgets the history and gives its memory back; the contact is as new. */
JAGER_API void jager_contact_release(jager_pool *pool, jager_contact *contact);

/* A second contact in the same state, its history in `pool`. `copy` is overwritten, not released. */
JAGER_API jager_status jager_contact_clone(const jager_contact *contact, jager_pool *pool, jager_contact *copy);

/* 1 if both are the same to the bit, histories included, else 0. */
JAGER_API int jager_contact_equal(const jager_contact *a, const jager_contact *b);

/* ---- Bytes: for checkpoints and messages ----------------------------------------------------------------------- */

JAGER_API size_t jager_contact_pack_size(const jager_contact *contact);

/* Writes jager_contact_pack_size bytes: the whole state, little-endian, with version and checksum. */
JAGER_API jager_status jager_contact_pack(const jager_contact *contact, void *bytes, size_t capacity);

/* Reads one packed contact; `used` (may be NULL) tells how many bytes it took. `contact` is overwritten, not released. */
JAGER_API jager_status jager_contact_unpack(const jager_law *law, jager_pool *pool, jager_contact *contact,
                                            const void *bytes, size_t size, size_t *used);

/* ---- Tractions, only for "jager" ------------------------------------------------------------------------------- */

/* Radius of contact, and of the zone that did not slip in the last movement (inside the annulus of the top segment). */
JAGER_API jager_status jager_contact_radii(const jager_law *law, const jager_contact *contact, double *contact_radius,
                                           double *stick_radius);

/*
 * Normal pressure and shear traction, Pa, at this distance from the middle. Infinite in the middle of a cone: the pressure,
 * and the shear if the first segment of the history has any.
 */
JAGER_API jager_status jager_contact_traction(const jager_law *law, const jager_contact *contact, double radius,
                                              double *pressure, double shear[2]);

/* ---- Frames: from particles in space to ζ and ξ and back ------------------------------------------------------- */

/* Axes of a contact between particles p and q: the unit quaternion turns global vectors into local ones, as
   q v q*; local z is the normal n, which points from p to q. */
typedef struct jager_frame {
  double q[4]; /* scalar part first */
} jager_frame;

/* What happened to two round particles in one step. */
typedef struct jager_step {
  double branch[3];            /* x_q - x_p at the end of the step, the nearest image */
  double shift[3];             /* Δx_q - Δx_p of the material, without spins */
  double spin_p[3], spin_q[3]; /* rotation vectors of the step, global axes; less than half a turn */
  double radius_p, radius_q;   /* INFINITY is not allowed: give a wall the radius 0 and a branch that ends on it */
} jager_step;

/* Axes around this normal (any length but zero). */
JAGER_API jager_status jager_frame_init(jager_frame *frame, const double normal[3]);

/* Turns the axes with the pair, tumbling and twirling, and gives the movement in them: new ζ and Δξ. */
JAGER_API jager_status jager_frame_step(jager_frame *frame, const jager_step *step, jager_movement *movement);

/* Unit normal n, global. */
JAGER_API void jager_frame_normal(const jager_frame *frame, double normal[3]);

/*
 * Force of the contact on particle q, global; that on p is its opposite. Both act in the middle of the overlap, R - ζ from
 * a particle's centre (a wall has no overlap: on it): the torques are (R_p - ζ) n × F_p and -(R_q - ζ) n × F_q.
 */
JAGER_API void jager_frame_force(const jager_frame *frame, const jager_force *force, double on_q[3]);

/* ---- Closed forms of Mindlin and Deresiewicz, for spheres ------------------------------------------------------ */

/* ξ at constant Fn, first loading to Ft; |Ft| <= f Fn. */
JAGER_API jager_status jager_mindlin_loading(const jager_law *law, double radius, double fn, double ft, double *xi);

/* ξ at constant Fn after loading to ft_peak and unloading to Ft; |Ft| <= ft_peak. */
JAGER_API jager_status jager_mindlin_unloading(const jager_law *law, double radius, double fn, double ft_peak,
                                               double ft, double *xi);

/* Energy dissipated in one cycle at constant Fn between ±ft_peak. */
JAGER_API jager_status jager_mindlin_cycle_loss(const jager_law *law, double radius, double fn, double ft_peak,
                                                double *loss);

/* § 17: pressed to fn_start, then dFt/dFn = ratio > f up to fn_peak, then back with the same ratio. */
typedef struct jager_oblique {
  double fn_start, fn_peak, ratio;
} jager_oblique;

/* ξ and Ft when Fn has come to `fn`: on the way up, or (unloading != 0) on the way back. */
JAGER_API jager_status jager_mindlin_oblique(const jager_law *law, double radius, const jager_oblique *path, double fn,
                                             int unloading, double *ft, double *xi);

/* Shear traction there, at this distance from the middle. */
JAGER_API jager_status jager_mindlin_oblique_traction(const jager_law *law, double radius, const jager_oblique *path,
                                                      double fn, int unloading, double r, double *shear);

#ifdef __cplusplus
}
#endif

#endif
