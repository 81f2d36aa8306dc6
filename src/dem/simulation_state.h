/* SPDX-License-Identifier: MIT */
/*
 * The whole state of the simulator: struct dem_simulation and what it consists of. Every file of this folder works on
 * it; simulation.h is the interface for others, who do not see it.
 *
 * Spheres are numbered in the order of their positions along a space-filling curve, so that neighbours lie near each
 * other in memory; the ids are the user's numbers. Up to BLOCK_SPHERES consecutive spheres form a block. A block owns
 * the contacts between its spheres and spheres of higher number, the memory of their histories, and the sums over
 * them. Threads work on different blocks at the same time, and no result depends on which thread takes which block.
 *
 * A grain is a sphere, or, if `grains` is not NULL, a rigid clump of consecutive spheres of one block: the spheres then
 * have the contacts, and the grains the motion.
 *
 * A contact is inner if both spheres belong to the block: its forces are added to the loads of the block's spheres.
 * Otherwise it is outer: its force and torque on the sphere of the other block are stored, and that block gathers
 * them.
 *
 * A step has two parallel phases: motion (forces are gathered, velocities and positions advance) and contact (contacts
 * move, forces follow). The serial work stands between them: servo, cell, time step. See step.c.
 */
#ifndef JAGER_DEM_SIMULATION_STATE_H
#define JAGER_DEM_SIMULATION_STATE_H

#include "base/thread_pool.h"
#include "case.h"
#include "cell.h"
#include "cycles.h"
#include "simulation.h"
#include "jager/pairs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { BLOCK_SPHERES = 128, CACHE_LINE = 64 };
_Static_assert(BLOCK_SPHERES <= UINT8_MAX + 1, "block.owners counts the spheres of a block with 8 bits");

#define PI 3.14159265358979323846

static inline double sphere_volume(double radius)
{
  return 4.0 / 3.0 * PI * radius * radius * radius;
}

/* ---- Sums -------------------------------------------------------------------------------------------------------- */

/*
 * Sums whose loops may be vectorised run in LANES interleaved partial sums: term k goes to partial sum k % LANES. The
 * result has the same bits for every width of vectors that divides LANES.
 */
enum { LANES = 4 };

static inline double lane_total(const double part[LANES])
{
  return (part[0] + part[1]) + (part[2] + part[3]);
}

/* ---- Spheres ----------------------------------------------------------------------------------------------------- */

/* Velocity relative to the mean flow, and angular velocity; both are half a step behind x. */
typedef struct motion {
  vec3 v, w;
} motion;
_Static_assert(sizeof(vec3) == 3 * sizeof(double) && sizeof(motion) == 6 * sizeof(double),
               "motions are hashed as bytes: they have no padding");

/* Sums over the contacts of a sphere, of a weight times nn and n. Single precision is enough for the time step. */
typedef struct surroundings {
  float nn[DEM_COMPONENTS], n[3];
} surroundings;

/* The matrix of 6 × 6 of a grain of several spheres, see time_step.c: the upper triangle, row by row. */
enum { SIX = 6 };

typedef struct clump_stiffness {
  double upper[SIX * (SIX + 1) / 2];
} clump_stiffness;

/*
 * Displacement of a sphere, or of the centroid of a grain of several, relative to the mean flow since the neighbours
 * were listed, in single precision.
 */
typedef struct travel {
  float x, y, z;
} travel;

/* Adds a displacement, and returns the square of the total. */
static inline double travel_add(travel *t, vec3 displacement)
{
  t->x += (float)displacement.x;
  t->y += (float)displacement.y;
  t->z += (float)displacement.z;
  return (double)(t->x * t->x + t->y * t->y + t->z * t->z);
}

/* ---- Grains of several spheres ----------------------------------------------------------------------------------- */

/*
 * A rigid clump. The body axes are its principal axes about the centroid x. Velocity and angular momentum are half a
 * step behind x and turn, as those of spheres; the momentum is in the axes of space: without a torque it stays.
 */
typedef struct clump {
  vec3 x; /* not wrapped into the cell */
  quaternion turn;
  vec3 v;        /* relative to the mean flow */
  vec3 momentum; /* angular, about the centroid */
  double mass;
  double gyration[3];    /* principal moments of inertia over the mass, m² */
  double radius;         /* of the sphere of the same volume */
  double extent;         /* the farthest point from the centroid */
  uint32_t first, count; /* its spheres */
  uint32_t id;
  uint32_t shape;     /* number of its shape in the case or file; for reports */
  vec3 force, torque; /* by the contacts of its spheres, about the centroid */

  quaternion turn_before, turn_at_listing; /* a step ago, and when the neighbours were listed */
  vec3 turned;                             /* Cayley's vector of the rotation in the step */
  double reach;                            /* from the centroid to the farthest centre of a sphere, not less */
} clump;

/* ---- Pairs and contacts ------------------------------------------------------------------------------------------ */

/* Position and orientation of a contact in space, and its tangential force in these axes. */
typedef struct contact_frame {
  vec3 branch; /* from the centre of p to the centre of q; the normal is its direction */
  vec3 axis;   /* first tangential axis; the second is normal × axis */
  double ft[2];
} contact_frame;
_Static_assert(sizeof(contact_frame) == 8 * sizeof(double), "a frame has no padding: it is hashed as bytes");

static inline vec3 frame_normal(const contact_frame *frame)
{
  return vec3_scale(1.0 / vec3_length(frame->branch), frame->branch);
}

/* A pair of spheres near enough to touch before the neighbours are listed again. */
typedef struct candidate {
  uint32_t q;
  uint16_t image; /* index into dem_simulation.images: which periodic image of q */
  uint16_t slot;  /* number of the contact in block.contacts; NO_SLOT: the spheres are separate */
} candidate;
_Static_assert(CACHE_LINE % sizeof(candidate) == 0, "no candidate straddles two cache lines");

#define NO_SLOT UINT16_MAX
#define NO_WRENCH UINT16_MAX

/* An image of the cell: a number of edges, and their sum as a vector, now and a step ago. */
typedef struct image {
  int edges[3];
  vec3 shift, shift_before;
} image;

/* From the centre of p to the centre of the periodic image of q. */
static inline vec3 pair_branch(const jager_particle *p, const jager_particle *q, const image *of_q)
{
  return vec3_add(vec3_subtract(vec3_load(q->x), vec3_load(p->x)), of_q->shift);
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

/* Sums over the contacts and spheres of a block in the last step. */
typedef struct block_sums {
  double virial[DEM_COMPONENTS]; /* Σ force ⊗ branch: volume times stress; xy is force x times branch y */
  double tangential_work;        /* Σ Ft · d(2ξ) */
  double viscous;                /* energy dissipated by the dashpots of contacts */
  double normal_force;           /* Σ Fn */
  double resultant;              /* Σ |force| of the spheres, in steps that measure the unbalanced force */
  double damped;                 /* energy dissipated by local and global damping */
  double gravity_work;
  double power, twice_kinetic, push; /* while packing, see `steer` in motion.c */
  double displacement_max;           /* of a sphere, relative to the mean flow */
  double overlap;                    /* largest 2ζ over the smaller radius */
  uint32_t contacts;
} block_sums;

typedef struct block {
  uint32_t first, count; /* the spheres of the block are first ... first + count - 1 */
  uint32_t first_grain, grain_count;

  /* Candidates, by rising p, then rising q. All arrays have candidate_room elements. */
  uint32_t start[BLOCK_SPHERES + 1]; /* sphere first + k has the candidates start[k] ... start[k + 1] - 1 */
  candidate *candidates;
  size_t candidate_room;
  uint8_t *owners;         /* p - first */
  uint16_t *wrench_number; /* of outer candidates, within the block; NO_WRENCH: inner */
  size_t first_wrench;     /* the block's outer candidates use dem_simulation.outer_wrenches from here on */

  /* Candidates partitioned by kind; see contacts.h. */
  uint16_t *order;
  uint32_t inner_end, touching_end, watched_end;
  double approach_at_partition; /* dem_simulation.approach_bound when the partition was made */
  bool partition_is_stale;

  jager_pair *touching; /* the touching pairs, in the order of `order`, as the library takes them */
  size_t touching_room;
  bool touching_is_stale;
  uint8_t loaded[BLOCK_SPHERES]; /* the spheres that touch others, minus first, by rising number; for clumps only */
  uint32_t loaded_count;
  bool loaded_is_stale;
  bool incoming_is_stale; /* outer contacts have begun or ended: see dem_incoming_update */

  jager_pairs *contacts; /* with their histories */
  uint32_t *traces;      /* of contacts, by number: numbers of their traces, from 1; 0: not traced */
  uint32_t trace_room;
  jager_pair_motion *motions; /* of the touching pairs, for traces; NULL without traces */

  block_sums sums;
  bool neighbours_are_stale; /* one of its spheres has travelled so far that the list may miss a pair */
  jager_status status;
  uint32_t failed_p, failed_q; /* the spheres of the contact that the status is about */
} block;

/* Do both spheres belong to the block? */
static inline bool is_inner(const block *b, const candidate *pair)
{
  return pair->q - b->first < b->count;
}

/* ---- Loading ----------------------------------------------------------------------------------------------------- */

/* The quantities that a servo can hold: six stresses and the mean stress. */
enum { SERVO_MEAN = DEM_COMPONENTS, SERVOS };

typedef struct servo {
  double integral; /* strain per step */
  double start;    /* stress at the start of the stage, for ramps */
} servo;

/* The common factor of prescribed strains, in stages that hold an inertial number; see drive.c. */
typedef struct pace_state {
  double factor; /* 1 in other stages */
  double mean_factor, mean_increment[DEM_COMPONENTS];
} pace_state;

/* The account of the cycles of a stage, see cycles.h. */
typedef struct stage_cycles {
  hysteresis_loop loop;                             /* of a cyclic stage */
  long finished;                                    /* cycles */
  double done;                                      /* cycles with their fraction; never falls */
  double low[DEM_COMPONENTS], high[DEM_COMPONENTS]; /* extremes of the strains since the last reversal ... */
  double low_before[DEM_COMPONENTS], high_before[DEM_COMPONENTS]; /* ... and between the two reversals before */
  double p_min, strain_low, strain_high; /* in the present cycle, or in the one that has just ended */
  long peaks_before;                     /* peaks of the loop before this cycle */
  bool has_liquefied;
} stage_cycles;

/* Progress of the present stage. */
typedef struct stage_state {
  int number; /* 0: packing */
  long steps;
  double time;
  double strain_start[DEM_COMPONENTS];
  double start[DEM_QUANTITIES]; /* values of all quantities when the stage began */
  int direction;                /* of a cyclic stage: 1 or -1 */
  int side;                     /* of its last reversal: 1 or -1; 0: none yet */
  long reversals;
  double phase; /* cycles so far, of a stage with paths */
  pace_state pace;
  stage_cycles cycles;
  double reference[DEM_COMPONENTS];     /* stresses when the stage, or the first of stages at constant volume, began */
  double friction_start, damping_start; /* energies dissipated when the stage began, J */
  servo servos[SERVOS];
  double servo_error; /* largest relative deviation from a stress target, now */
} stage_state;

/* Energies since the start of the first stage, J. */
typedef struct ledger {
  double work, gravity_work, tangential_work, damped;
  double kinetic_start, normal_start, tangential_start;
  bool open;
} ledger;

/* How velocities are steered in the next step of packing, see `steer` in motion.c. */
typedef struct steering {
  double weight; /* of the direction of the forces; 1: the grains stop */
  double pushes; /* speed in units of what the forces add to it in a step */
} steering;

/* The search for the target of a packing, see packing.h. */
typedef struct packing_search {
  int phase;
  long level; /* of friction: how often it has fallen */
  long steps; /* since the last change of friction */
  dem_packing_report report;
} packing_search;

/* ---- The skin of the neighbour list, see neighbours.h ------------------------------------------------------ */

enum { SKIN_RUNGS = 9 };

typedef struct skin_tuner {
  int rung, other;    /* the present one, and the one on trial */
  int top, direction; /* the highest rung; of the next trial */
  int waited, pause;  /* windows since the last trial, and before the next one */
  bool is_trying, window_is_of_other;
  int ratios; /* number of comparisons of the trial so far */
  double ratio[3];
  double cost, cost_other; /* of a step in the last windows, s; 0: none yet */
  double seconds;          /* of the present window */
  long steps;
  double usual[2]; /* time of steps without and with a listing, s; 0: none yet */
  double start;    /* of the step */
  bool has_listed; /* the step */
} skin_tuner;

/* ---- The simulation ---------------------------------------------------------------------------------------------- */

struct dem_trace_book;
struct contact_sums;

struct dem_simulation {
  const dem_case *run;
  dem_stage packing_stage; /* stage 0 */
  jager_law law;
  dem_damping damping;
  thread_pool *workers;

  size_t count;
  jager_particle *bodies; /* x: not wrapped into the cell; mass: times the density scaling, or set by time_step.c */
  motion *motions;     /* of the spheres; those of clumps are made when they are needed, see dem_clumps_find_motions */
  jager_wrench *loads; /* on each sphere, by the contacts that its block owns */
  travel *travels;     /* of the spheres, or of a clump, in the place of its first sphere */
  uint32_t *ids;
  double solid_volume, mean_diameter; /* of grains; diameters of spheres with their volumes */
  double radius_max, radius_min;      /* of spheres */
  double density;                     /* total mass of the grains, as it is scaled, over solid_volume */

  size_t grain_count; /* that of the spheres, if these are the grains */
  clump *grains;      /* NULL: all grains are spheres, and the following is not there either */
  uint32_t *grain_of; /* number of each sphere's grain */
  vec3 *arms;         /* of each sphere, from the grain's centroid, in body axes */
  double extent_max;
  bool clumps_have_moved;           /* since motions were made */
  double clump_dt;                  /* of their last movement */
  clump_stiffness *clump_stiffness; /* scratch of time_step.c */

  upper_matrix cell, cell_before; /* now and a step ago */
  double strain[DEM_COMPONENTS];
  double increment[DEM_COMPONENTS]; /* of strain, in the last step */
  upper_matrix movement;            /* A of the last step: x becomes x + A x */

  size_t block_count;
  block *blocks;
  size_t image_count;
  image *images;
  double (*shifts)[4];          /* of the images, now, for the library */
  jager_wrench *outer_wrenches; /* of all outer candidates, on q; gathered by the block of q */
  size_t outer_wrench_room;
  uint32_t *incoming; /* sphere i gathers outer_wrenches[incoming[k]], incoming_start[i] <= k < incoming_end[i] */
  uint32_t *incoming_start, *incoming_end;
  size_t incoming_room;
  double skin; /* m; changed just before a listing only */
  skin_tuner tuner;
  upper_matrix cell_at_listing;
  bool neighbours_are_stale; /* the list may miss a pair */
  double approach_bound;     /* upper bound of how much nearer two spheres have come since the start, step by step */

  double dt, dt_before;
  double stable_step;         /* stability limit of the time step at the last regular update; 0: not known yet */
  jager_pool *probe;          /* for a contact that is made to know its stiffness */
  double *stiffness;          /* scratch of time_step.c: largest eigenvalue of each sphere's stiffness ... */
  double *dashpots;           /* ... of its dashpots ... */
  surroundings *surroundings; /* ... and the sums over its contacts */
  double overlap;             /* largest 2ζ over the smaller radius, after the last step */
  double overlap_known;       /* the same when the time step was computed, or a lower bound of it */
  double modulus; /* Σ (kn + cn/Δt) l² / volume: upper bound of the stiffness in one step, for the servo */
  long step;
  double time;
  double virial[DEM_COMPONENTS]; /* Σ force ⊗ branch over all contacts */
  double unbalanced;
  size_t contact_count;
  bool failed;
  bool stage_just_ended;
  bool just_reversed; /* the last step ended at a reversal of a cyclic stage, or a path has passed a peak in it */
  bool just_finished_cycle, just_liquefied;
  stage_state stage;
  packing_search search;
  steering steering;
  ledger energy;
  struct dem_trace_book *traces;
  struct contact_sums *block_sums; /* scratch of measures.c: sums over the contacts of each block */
  uint32_t *contacts_of_grain;     /* scratch of measures.c: number of contacts of each grain, and ... */
  uint32_t *last_neighbour;        /* ... the last grain before it that it was found to touch, counted from 1 */
};

static inline const clump *dem_grain_of_sphere(const dem_simulation *s, uint32_t sphere)
{
  return &s->grains[s->grain_of[sphere]];
}

/* From the centroid of its grain to a sphere, in the axes of space. */
static inline vec3 dem_clump_lever(const dem_simulation *s, uint32_t sphere)
{
  vec3 axes[3];
  quaternion_axes(dem_grain_of_sphere(s, sphere)->turn, axes);
  return vec3_in_axes(axes, s->arms[sphere]);
}

/* The block of a sphere. */
static inline block *dem_block_of(const dem_simulation *s, uint32_t sphere)
{
  size_t low = 0, high = s->block_count - 1;
  if (!s->grains)
    return &s->blocks[sphere / BLOCK_SPHERES];
  while (low < high) { /* the last block that does not begin behind the sphere */
    size_t middle = (low + high + 1) / 2;
    if (s->blocks[middle].first <= sphere)
      low = middle;
    else
      high = middle - 1;
  }
  return &s->blocks[low];
}

static inline bool is_held_by_servo(const dem_control *control)
{
  return control->kind == DEM_CONTROL_STRESS || control->kind == DEM_CONTROL_STRESS_PATH;
}

/* Are random grains still being compressed? */
static inline bool is_packing(const dem_simulation *s)
{
  return s->stage.number == 0 && s->run->assembly.source == DEM_SOURCE_PACKING;
}

/* Does each grain have the inertia that gives it the time step? While packing always. */
static inline bool scales_each_grain(const dem_simulation *s)
{
  return s->run->scales_each_sphere || is_packing(s);
}

static inline const dem_stage *current_stage(const dem_simulation *s)
{
  return s->stage.number > 0 ? &s->run->stages[s->stage.number - 1] : &s->packing_stage;
}

#endif
