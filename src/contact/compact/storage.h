/* SPDX-License-Identifier: MIT */
/*
 * jager/compact.h, second part: the law, the contact as bytes, and its history while it moves.
 *
 * During a movement the two topmost segments and the sums are in a contact_data, as in the library; the other segments,
 * the entries, stay in the arrays of the jager_compact. A movement may add a segment, so that there are K - 1 entries
 * for a moment, one more than a stored contact has.
 */

/* A pair of materials. Make it with jager_compact_law_of, or fill it in. */
typedef struct jager_compact_law {
  double friction;      /* f >= 0 */
  double inverse_kappa; /* 1/κ: 2(1-ν)/(2-ν) for two equal materials */
  double exponent;      /* α: 2 for spheres (Fn = C ζ^1.5), 1 for cones (Fn = C ζ²) */
  double tolerance;     /* τ >= 0: a new segment is joined with the top where that costs next to nothing; 0: never */
} jager_compact_law;

/* A force of a contact, N. */
typedef struct jager_compact_force {
  double fn;    /* normal force, >= 0 */
  double ft[2]; /* tangential force; it resists positive movements dxi */
} jager_compact_force;

/* What a movement did. */
enum jager_compact_state {
  JAGER_COMPACT_APART = 0,   /* the bodies do not touch */
  JAGER_COMPACT_ELASTIC = 1, /* no slip */
  JAGER_COMPACT_SLIP = 2,    /* slip in an annulus */
  JAGER_COMPACT_SLIDE = 3    /* gross sliding */
};

/* Why a movement was not made, with the numbers of jager_status. */
enum jager_compact_status {
  JAGER_COMPACT_OK = 0,         /* it was made */
  JAGER_COMPACT_NOT_FINITE = 2, /* a number is NaN or infinite */
  JAGER_COMPACT_TOO_LARGE = 3,  /* a movement is too large to compute with */
  JAGER_COMPACT_FRICTION = 7,   /* friction, 1/κ or tolerance are impossible */
  JAGER_COMPACT_CONTOUR = 10,   /* the exponent is neither 1 nor 2 */
  JAGER_COMPACT_STIFFNESS = 11, /* the stiffness is not positive, or too large */
  JAGER_COMPACT_CORRUPT = 22    /* these bytes are no contact with so many points: were they set to zero? */
};

/*
 * A contact: plain bytes without gaps. All zero is a contact that was never touched. Bytes of contacts in one array may
 * be compared, copied, sent and stored, between programs that have the same K and the same types.
 */
typedef struct jager_compact {
  jager_compact_stored zeta[JAGER_COMPACT_POINTS]; /* ζ* of the points, upward; zeta[0] <= 0 while apart: half gap */
  jager_compact_stored slope[JAGER_COMPACT_POINTS][2]; /* p* of the segment that ends in the point */
  jager_compact_stored residual[2];                    /* rounding error that the next movement makes up for */
  jager_compact_stored anchor[2];                      /* Ft at the base of the second segment from the top */
  jager_compact_stored stiffness, friction;            /* of the last movement */
  jager_compact_word bound[JAGER_COMPACT_POINTS];      /* error bounds at the points */
  jager_compact_word anchor_low[2];                    /* rounding error of the anchor */
  jager_compact_word points;                           /* in use; 0: apart */
  jager_compact_word state;                            /* jager_compact_state */
} jager_compact;

/* ---- The contour ------------------------------------------------------------------------------------------------- */

/* Fn(ζ), ζ >= 0 */
static JAGER_INLINE double normal_force(const jager_law *law, double stiffness, double zeta)
{
  return law->exponent == 2.0 ? normal_force_of_spheres(stiffness, zeta) : stiffness * zeta * zeta;
}

static JAGER_INLINE double curvature_factor(const jager_law *law)
{
  return curvature_factor_of(law->exponent);
}

/* ---- A contact that moves ---------------------------------------------------------------------------------------- */

/* A segment of the history, as one of the two topmost */
typedef struct history_segment {
  double2 p;        /* slope p* */
  double zeta_base; /* ζ* where the segment starts */
  double fn_base;   /* Fn(ζ*) there */
} history_segment;

/* A segment as an entry: it ends at ζ* */
typedef struct history_entry {
  double zeta;
  double2 p;
} history_entry;

typedef struct contact_data {
  double zeta;            /* ζ, the end of the top segment; negative: half the gap */
  double fn;              /* Fn(ζ) */
  history_segment top;    /* from ζ*ᵢ₋₁ to ζ */
  history_segment second; /* from ζ*ᵢ₋₂ to ζ*ᵢ₋₁ */
  struct {
    double2 ft;         /* Ft at the base of the second segment ... */
    uint32_t ft_low[2]; /* ... and its rounding error */
  } anchor;
  struct {
    uint32_t top, second;
  } error_bound;       /* at the ends of the two segments, N */
  double2 xi_residual; /* rounding error between all movements and the history, as Δξ/κ */
  double stiffness;    /* C of Fn = C ζ^(1+1/α) */
  double friction;     /* f with which the history was made */
  uint32_t length;     /* points of the history, the zeroth included: segments + 1 */
  uint32_t fill;       /* entries: segments - 2 */
  uint32_t state;
  jager_compact *entries; /* the arrays that hold them */
} contact_data;

/* ---- Entries ----------------------------------------------------------------------------------------------------- */

/* The entry number `fill - 1`; 0: below the lowest one */
typedef struct entry_cursor {
  jager_compact *entries;
  uint32_t fill;
} entry_cursor;

static JAGER_INLINE entry_cursor entry_cursor_top(const contact_data *c)
{
  entry_cursor at = {c->entries, c->fill};
  return at;
}

static JAGER_INLINE void entry_cursor_descend(entry_cursor *at)
{
  at->fill--;
}

static JAGER_INLINE bool entry_exists(entry_cursor at)
{
  return at.fill > 0;
}

static JAGER_INLINE vec2 entry_slope(entry_cursor at)
{
  return vec2_of(at.entries->slope[at.fill - 1][0], at.entries->slope[at.fill - 1][1]);
}

static JAGER_INLINE void set_entry_slope(entry_cursor at, vec2 p)
{
  at.entries->slope[at.fill - 1][0] = (jager_compact_stored)p.x;
  at.entries->slope[at.fill - 1][1] = (jager_compact_stored)p.y;
}

static JAGER_INLINE uint32_t *entry_error_bound(entry_cursor at)
{
  return &at.entries->bound[at.fill - 1];
}

/* ζ* at which the entry ends: the base of the segment above it; 0 below the lowest one */
static JAGER_INLINE double entry_end(entry_cursor at)
{
  return entry_exists(at) ? at.entries->zeta[at.fill - 1] : 0.0;
}

/* Error bound at the base of the second segment */
static JAGER_INLINE uint32_t error_bound_below_second(const contact_data *c)
{
  return c->fill > 0 ? c->entries->bound[c->fill - 1] : 0;
}

static JAGER_INLINE bool has_entries(const contact_data *c)
{
  return c->fill > 0;
}

/* Takes the topmost entry off and returns its slope. There must be one. */
static JAGER_INLINE vec2 entry_pop(jager_pool *pool, contact_data *c)
{
  (void)pool;
  vec2 p = entry_slope(entry_cursor_top(c));
  c->fill--;
  return p;
}

/* Puts one on top. There is room. */
static JAGER_INLINE bool entry_push(jager_pool *pool, contact_data *c, double zeta, vec2 p, uint32_t error_bound)
{
  assert(c->fill < JAGER_COMPACT_POINTS);
  pool->zeta[c->fill] = (jager_compact_stored)zeta;
  pool->bound[c->fill++] = error_bound;
  set_entry_slope(entry_cursor_top(c), p);
  return true;
}

/* Histories are shortened, and slip gives error bounds back, also without a tolerance. */
#define SIZE_IS_FIXED true

/* ---- Points counted ---------------------------------------------------------------------------------------------- */

static JAGER_INLINE void count_first_point(contact_data *c)
{
  c->length = 2;
}

static JAGER_INLINE void count_new_point(contact_data *c)
{
  c->length++;
}

static JAGER_INLINE void count_dropped_point(contact_data *c)
{
  c->length--;
}
