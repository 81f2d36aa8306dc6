/* SPDX-License-Identifier: MIT */
/*
 * What the files of the simulator share: the state of a simulation.
 *
 * Spheres are numbered by their place in space, so that neighbours lie near each other in memory; ids are the user's.
 * They are cut into blocks of BLOCK_SPHERES. A block owns the contacts of its spheres with spheres of higher number, the
 * memory of their histories, and the sums over them: blocks are worked on by different threads at once, and no result
 * depends on which. A contact is inner if both spheres are of the block: then their loads are the block's own. Else it is
 * outer, and the other block has to gather what it does.
 *
 * A step has two phases: motion (blocks of spheres: forces are gathered, velocities and positions advance) and contact
 * (blocks: contacts move, forces come out). Between them stands what is serial: servo, cell, time step.
 */
#ifndef JAGER_DEM_INTERNAL_H
#define JAGER_DEM_INTERNAL_H

#include "case.h"
#include "dem/space/cell.h"
#include "simulation.h"
#include "base/thread_pool.h"
#include "contact/vec3.h"

#include "jager/jager.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BLOCK_SPHERES = 128, CACHE_LINE = 64 };

/*
 * Functions whose loops are worth compiling for wider vectors too; the processor decides when the program starts. The bits
 * are the same. (Sanitizers cannot run the code that decides so early.)
 */
#if defined(JAGER_CLONES) && defined(__x86_64__) && defined(__GNUC__) && defined(__GLIBC__)
#define VECTORISED __attribute__((target_clones("avx2", "default")))
#else
#define VECTORISED
#endif

#define PI 3.14159265358979323846

static inline double sphere_volume(double radius)
{
  return 4.0 / 3.0 * PI * radius * radius * radius;
}

/* What the contact phase reads of a sphere: one cache line. */
typedef struct body {
  vec3 x; /* not brought back into the cell: it goes where it goes */
  double radius;
  vec3 turn;   /* Cayley's vector of the last step's rotation: 2 tan(θ/2) along the axis */
  double mass; /* scaled */
} body;
_Static_assert(sizeof(body) == CACHE_LINE, "a body is a cache line");

/* Velocity without the mean flow, angular velocity; half a step behind x. */
typedef struct motion {
  vec3 v, w;
} motion;
_Static_assert(sizeof(vec3) == 3 * sizeof(double) && sizeof(motion) == 6 * sizeof(double),
               "vectors are hashed and written as bytes: they have no gaps");

/* What contacts do to a sphere. */
typedef struct push {
  vec3 force, torque;
} push;
_Static_assert(sizeof(push) == 6 * sizeof(double), "a push is written as bytes");

/* Sums over the contacts of a sphere, of a weight times nn and n. Need not be exact. */
typedef struct surroundings {
  float nn[DEM_COMPONENTS], n[3];
} surroundings;

/* How far a sphere has travelled since the neighbours were listed, without the mean flow. Need not be exact. */
typedef struct travel {
  float x, y, z;
} travel;

/* Adds a movement; the result is the square of the whole way. */
static inline double travel_on(travel *t, vec3 movement)
{
  t->x += (float)movement.x;
  t->y += (float)movement.y;
  t->z += (float)movement.z;
  return (double)(t->x * t->x + t->y * t->y + t->z * t->z);
}

/* A contact's place in space: one cache line, which is all of it that finding a movement needs. */
typedef struct contact_frame {
  vec3 branch; /* from p to q; its direction is the normal */
  vec3 axis;   /* first tangential axis; the second is normal × axis */
  double ft[2];
} contact_frame;
_Static_assert(sizeof(contact_frame) == CACHE_LINE, "a frame is a cache line");

/* A pair near enough to touch before the neighbours are listed again. */
typedef struct candidate {
  uint32_t q;
  uint16_t image; /* which image of q: an index of dem_simulation.images */
  uint16_t slot;  /* of its contact in the block; NO_SLOT: apart */
} candidate;
_Static_assert(sizeof(candidate) == 8, "eight candidates are a cache line");

#define NO_SLOT UINT16_MAX
#define NO_PUSH UINT16_MAX

/* Sums over the contacts of a block in the last step. */
typedef struct block_sums {
  double virial[DEM_COMPONENTS]; /* Σ force ⊗ branch: volume times stress; xy is force x times branch y */
  double tangential_work;        /* Σ Ft · d(2ξ) */
  double viscous;                /* energy that viscous damping took */
  double normal_force;           /* Σ Fn */
  double resultant;              /* of the spheres: Σ |force|, when gauged */
  double damped;                 /* energy that local and global damping took */
  double gravity_work;
  double farthest; /* that one of the spheres went, without the mean flow */
  double overlap;  /* largest 2ζ over the smaller radius */
  uint32_t contacts;
} block_sums;

typedef struct block {
  uint32_t first, count;             /* its spheres */
  uint32_t start[BLOCK_SPHERES + 1]; /* of each sphere's candidates in the block's list */
  candidate *candidates;
  size_t candidate_room;
  uint8_t *owners;           /* of the candidates: p, counted within the block */
  uint16_t *order;           /* numbers of the candidates in four groups: see contacts.c */
  uint32_t inner, touching;  /* where those that touch end: inner and outer, by rising number */
  uint32_t near;             /* where those apart end that are watched */
  double approach_sorted;    /* dem_simulation.approach when the order was made */
  bool order_is_stale;       /* the candidates are others */
  size_t push_base;          /* of its outer candidates in dem_simulation.pushes */
  uint16_t *push_number;     /* of the candidates, counted from there; NO_PUSH: inner */
  jager_contact *contacts;   /* on a cache line: then each, of 160 bytes, lies in three of them */
  contact_frame *frames;     /* of the same slots */
  uint32_t *traces;          /* numbers of their traces, from 1; 0: none */
  uint32_t slots, slot_room; /* used so far, some of them free again */
  uint16_t *free_slots;
  uint32_t free_count;
  jager_pool *pool;
  block_sums sums;
  bool must_list; /* a sphere has travelled so far that neighbours may be missed */
  jager_status status;
  uint32_t failed_p, failed_q; /* spheres of the contact that it is about */
  double law_seconds;          /* that its contacts have taken, while law_is_timed */
} block;

/* Are both spheres of the block? */
static inline bool is_inner(const block *b, const candidate *pair)
{
  return pair->q - b->first < b->count;
}

/* An image of the cell: whole edges to add, and the vector that they are. */
typedef struct image {
  int edges[3];
  vec3 shift, shift_before;
} image;

/* What is held by the servo: the six components, and the mean stress. */
enum { SERVO_MEAN = DEM_COMPONENTS, SERVOS };

typedef struct servo {
  double integral; /* strain per step */
  double start;    /* stress where the stage began, for ramps */
} servo;

/* Where the present stage is. */
typedef struct stage_state {
  int number; /* 0: packing */
  long steps;
  double time;
  double strain_start[DEM_COMPONENTS];
  double start[DEM_QUANTITIES]; /* values of all quantities at its start */
  int direction;                /* of a cyclic stage: 1 or -1 */
  int side;                     /* at which it turned round last: 1, -1, or 0 */
  long reversals;
  servo servos[SERVOS];
  double servo_error; /* largest deviation from a target over the target, now */
} stage_state;

/* Energies since the assembly was ready. */
typedef struct ledger {
  double work, gravity_work, tangential_work, damped;
  double kinetic_start, normal_start, tangential_start;
  bool open; /* has been started */
} ledger;

struct trace_book;
struct contact_sums;

struct dem_simulation {
  const dem_case *run;
  dem_stage packing_stage; /* stage 0 */
  jager_law law;
  dem_damping damping;
  thread_pool *workers;

  size_t count;
  body *bodies;
  motion *motions;
  push *loads; /* on the spheres, of the contacts that their blocks own */
  travel *travels;
  uint32_t *ids;
  double solid_volume, mean_diameter, radius_max, radius_min;

  upper cell, cell_before; /* now and a step ago */
  double strain[DEM_COMPONENTS];
  double increment[DEM_COMPONENTS]; /* of the last step */
  upper movement;                   /* A of the last step */

  size_t block_count;
  block *blocks;
  size_t image_count;
  image *images;
  push *pushes; /* of all outer candidates, on q: its block gathers them */
  size_t push_room;
  uint32_t *incoming; /* pushes on a sphere from other blocks, by rising number */
  uint32_t *incoming_start;
  size_t incoming_room;
  double skin;       /* m */
  upper cell_listed; /* when the neighbours were listed */
  bool must_list;    /* the list may miss a pair */
  double approach;   /* how much nearer two spheres can have come since the simulation was made, step by step */

  double dt, dt_before;
  double stable_step;         /* largest time step that was certain to be stable when last looked at; 0: not yet */
  double *stiffness;          /* of each sphere, an eigenvalue: scratch of stiffness.c, like the next two */
  double *dashpots;           /* the same of its dashpots */
  surroundings *surroundings; /* sums over its contacts */
  double overlap;             /* largest 2ζ over the smaller radius, after the last step */
  double overlap_known;       /* the same when the time step was found, or a lower bound of it */
  double modulus; /* Σ (kn + cn/Δt) l² / volume: how stiff the assembly could be in a step, for the servo */
  long step;
  double time;
  double virial[DEM_COMPONENTS]; /* Σ force ⊗ branch over all contacts */
  double unbalanced;
  size_t contact_count;
  bool failed;
  bool stage_just_ended;
  bool just_reversed; /* the last step ended at a reversal of a cyclic stage */
  stage_state stage;
  ledger energy;
  struct trace_book *traces;
  bool law_is_timed;
  struct contact_sums *block_sums; /* scratch of the measures: sums over the contacts of each block */
  uint32_t *touching;              /* and the number of contacts of each sphere */
};

/* The stage that runs. */
const dem_stage *stage_of(const dem_simulation *s);

/* ---- generate.c, assembly_file.c: spheres and cell --------------------------------------------------------------- */

/* Spheres as they are made or read. */
typedef struct grain {
  vec3 x;
  double radius;
  uint32_t id;
} grain;

typedef struct grains {
  size_t count;
  grain *list;
  upper cell;
} grains;

bool grains_allocate(grains *g, size_t count, error_info *error);
void grains_free(grains *g);
bool grains_generate(grains *g, const dem_case *run, error_info *error);
bool grains_read(grains *g, const char *path, error_info *error);

/* In the order of their place in space. */
bool grains_sort(grains *g, error_info *error);

/* Lists the neighbours of random spheres for packing_spread: false if the cell is too narrow for the largest. */
bool packing_list(dem_simulation *s, error_info *error);

/* Moves spheres apart that overlap, before the first step. */
bool packing_spread(dem_simulation *s, error_info *error);

/* ---- slots.c: memory of the contacts of a block ------------------------------------------------------------------- */

/* Room for so many contacts; what is there is kept. */
bool slots_reserve(block *b, uint32_t room);

/* Gives the memory back, but not the histories of the contacts. */
void slots_free(block *b);

/* A slot for a new contact, or NO_SLOT and block->status. */
uint16_t slot_take(block *b);

/* The contact in the slot has parted: its trace ends, its history is released, the slot is free. */
void slot_give_back(const dem_simulation *s, block *b, uint16_t slot);

/* ---- neighbours.c ------------------------------------------------------------------------------------------------ */

bool neighbours_allocate(dem_simulation *s, error_info *error);
void neighbours_free(dem_simulation *s);

/* Lists all pairs that are near; contacts keep their state. */
bool neighbours_list(dem_simulation *s, error_info *error);

/* ---- contacts.c, motion.c: the two phases ------------------------------------------------------------------------ */

bool contacts_move(dem_simulation *s, error_info *error);

/* Normal of a contact, from its frame. */
static inline vec3 frame_normal(const contact_frame *frame)
{
  return vec3_scale(1.0 / vec3_length(frame->branch), frame->branch);
}

void motion_advance(dem_simulation *s, bool is_gauged);

/* Sums of normal forces, as a step leaves them: after contacts have been read from a checkpoint. */
void contacts_sum_normal(dem_simulation *s);

/* Contact forces on a sphere, of all its contacts. Those of pairs that are apart are zero. */
static inline void forces_gather(const dem_simulation *s, size_t i, vec3 *force, vec3 *torque)
{
  vec3 f = s->loads[i].force, t = s->loads[i].torque;
  for (uint32_t k = s->incoming_start[i]; k < s->incoming_start[i + 1]; k++) {
    const push *in = &s->pushes[s->incoming[k]];
    f = vec3_add(f, in->force);
    t = vec3_add(t, in->torque);
  }
  *force = f;
  *torque = t;
}

/* The images' vectors, after the cell has changed. */
void images_update(dem_simulation *s);

/* ---- Going through all contacts ----------------------------------------------------------------------------------- */

/* One after the other, in the order of their spheres: contact_walk at = contact_walk_start(s); while (contact_next(&at)) */
typedef struct contact_walk {
  const dem_simulation *simulation;
  size_t block_number;
  uint32_t local, pair;
  /* the present one */
  uint32_t p, q;
  jager_contact *contact;
  contact_frame *frame;
  push *push; /* NULL: inner, a part of the loads */
  uint32_t *trace;
} contact_walk;

static inline contact_walk contact_walk_start(const dem_simulation *s)
{
  return (contact_walk){.simulation = s};
}

static inline bool contact_next(contact_walk *at)
{
  const dem_simulation *s = at->simulation;
  for (; at->block_number < s->block_count; at->block_number++, at->local = at->pair = 0) {
    const block *b = &s->blocks[at->block_number];
    for (; at->pair < b->start[b->count]; at->pair++) {
      const candidate *pair = &b->candidates[at->pair];
      if (pair->slot == NO_SLOT)
        continue;
      while (b->start[at->local + 1] <= at->pair)
        at->local++;
      at->p = b->first + at->local;
      at->q = pair->q;
      at->contact = &b->contacts[pair->slot];
      at->trace = &b->traces[pair->slot];
      at->frame = &b->frames[pair->slot];
      uint16_t number = b->push_number[at->pair++];
      at->push = number == NO_PUSH ? NULL : &s->pushes[b->push_base + number];
      return true;
    }
  }
  return false;
}

/* ---- stiffness.c: time step and modulus -------------------------------------------------------------------------- */

/* The time step and the modulus, of the contacts as they are. */
void stiffness_update(dem_simulation *s);

/* Are they out of date? After so many steps, when a stage begins, and when contacts have become much stiffer. */
bool stiffness_is_stale(const dem_simulation *s);

/* Exponent of Fn(ζ): 3/2 for Hertz. */
double law_exponent(const jager_law *law);

/* kₙ = dFn/d(2ζ), N/m. Spheres that just touch (ζ = 0) have none. */
static inline double contact_stiffness(const jager_contact *c, double exponent)
{
  return c->zeta > 0.0 ? 0.5 * exponent * c->fn / c->zeta : 0.0;
}

/* ---- linear.c ---------------------------------------------------------------------------------------------------- */

/* The stiffness of the model "linear", unless the case gives it. Sizes of spheres must be known. */
bool linear_derive(dem_simulation *s, error_info *error);

/* ---- drive.c: what the cell does in the next step ---------------------------------------------------------------- */

void drive(dem_simulation *s);
double quantity_value(const dem_simulation *s, dem_quantity quantity);
void stress_of(const dem_simulation *s, double stress[DEM_COMPONENTS]);

/* ---- stage.c ----------------------------------------------------------------------------------------------------- */

bool stage_begin(dem_simulation *s, int number, error_info *error);

/* After a step: turns cycles round, and tells whether the stage has ended. */
bool stage_has_ended(dem_simulation *s);

/* How much of the present stage is done, 0 to 1, as far as can be told. */
double stage_progress(const dem_simulation *s);

/* ---- measure.c --------------------------------------------------------------------------------------------------- */

/* The memory that measuring needs: taken beforehand, so that measuring cannot fail. */
bool measure_allocate(dem_simulation *s, error_info *error);
void measure_free(dem_simulation *s);

typedef struct energies {
  double kinetic, normal, tangential;
} energies;

energies energies_of(const dem_simulation *s);

/* From here on work and dissipation count. */
void ledger_open(dem_simulation *s);

/* ---- simulation.c ------------------------------------------------------------------------------------------------ */

void simulation_take_sizes(dem_simulation *s);

/* Inertia of a sphere: its mass, scaled. */
double simulation_mass(const dem_simulation *s, double radius);

/* Empty, with room for the spheres; used when created and when read from a checkpoint. */
dem_simulation *simulation_allocate(const dem_case *run, size_t count, int threads, error_info *error);

#endif
