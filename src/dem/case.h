/* SPDX-License-Identifier: MIT */
/*
 * A case: everything that the results of a simulation depend on, as plain data in SI units. The program reads it from
 * YAML, together with the choice of output files (case/run_case.h); tests and other programs may fill it in
 * themselves, starting from dem_case_default().
 *
 * Stresses and strains are positive in compression. Strains are true (logarithmic) strains, the integral of the
 * strain rate. Shear strains are components of the tensor: γ = 2 strain_xy. The cell shears as ∂u_x/∂y, ∂u_x/∂z,
 * ∂u_y/∂z.
 */
#ifndef JAGER_DEM_CASE_H
#define JAGER_DEM_CASE_H

#include "jager/jager.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DEM_NAME_MAX = 64, DEM_STAGES_MAX = 64, DEM_TRACES_MAX = 16, DEM_SIZES_MAX = 64, DEM_SPHERES_MAX = 20000000 };

/* The components of stress and strain, in the order of all arrays. */
typedef enum dem_component { DEM_XX, DEM_YY, DEM_ZZ, DEM_XY, DEM_XZ, DEM_YZ, DEM_COMPONENTS } dem_component;

/* "xx" ... "yz" */
const char *dem_component_name(dem_component component);

/* ---- Grains and contacts ----------------------------------------------------------------------------------------- */

typedef struct dem_material {
  double shear_modulus; /* G, Pa */
  double poisson;       /* ν */
  double friction;      /* f */
  double density;       /* kg/m³ */
} dem_material;

typedef struct dem_contact_law {
  jager_model model;
  double tolerance; /* shortens histories: error of the tangential force as a fraction of f Fn; 0: exact */
  double dp_max;    /* the paper's approximation: merges elastic segments whose slopes differ by no more; 0: exact */
  jager_contour contour;
  double slope, exponent;      /* of cones and power laws */
  double linear_kn, linear_kt; /* model "linear", N/m; 0: kn from setup.c, kt = kn/κ */
} dem_contact_law;

typedef struct dem_damping {
  double viscous; /* of contacts, as a fraction of critical damping */
  double local;   /* Cundall's: this fraction of the unbalanced force, against the velocity */
  double global;  /* 1/s: force -global · mass · velocity */
} dem_damping;

typedef struct dem_time_step {
  double
      safety;   /* fraction of the stability limit; has no effect if `fixed` is given, except with scales_each_sphere */
  double fixed; /* s; 0: from the stiffnesses of the contacts, updated every `interval` steps */
  long interval;
} dem_time_step;

/* ---- The assembly ------------------------------------------------------------------------------------------------ */

typedef enum dem_source { DEM_SOURCE_PACKING, DEM_SOURCE_LATTICE, DEM_SOURCE_FILE, DEM_SOURCE_CHECKPOINT } dem_source;

typedef enum dem_distribution { DEM_SIZES_UNIFORM, DEM_SIZES_LOGNORMAL, DEM_SIZES_TABLE } dem_distribution;

/* Diameters of spheres, or of those with the volumes of the grains, m. */
typedef struct dem_sizes {
  dem_distribution distribution;
  double min, max;          /* range of a uniform distribution by number; truncation of a log-normal one (0: none) */
  double median, deviation; /* log-normal: median, and standard deviation of the logarithm */
  int count; /* table: the fraction passing[k] of the mass is finer than diameter[k]; log-linear between */
  double diameter[DEM_SIZES_MAX], passing[DEM_SIZES_MAX]; /* passing rises from 0 to 1 */
} dem_sizes;

/* What a packing is to reach beside its pressure; friction falls while packing until it has (packing.h). */
typedef enum dem_packing_target {
  DEM_PACKING_FREE,            /* nothing: the void ratio follows from the friction */
  DEM_PACKING_VOID_RATIO,      /* e */
  DEM_PACKING_RELATIVE_DENSITY /* (e_max - e) / (e_max - e_min) */
} dem_packing_target;

enum { DEM_SHAPES_MAX = 16 };

struct dem_shape_choice; /* shape.h */

/* Random grains, compressed isotropically. */
typedef struct dem_packing {
  long spheres;                    /* or grains of several spheres */
  struct dem_shape_choice *shapes; /* of the grains; owned by the case; NULL: all are spheres */
  int shape_count;
  dem_sizes sizes;
  double pressure; /* Pa */
  double friction; /* while packing: 0 gives dense assemblies, the material's friction loose ones; with a target, */
                   /* the friction from which it falls; NAN: the material's */
  dem_packing_target target;
  double target_value;
  double unbalanced;      /* packing ends below this unbalanced force, with the pressure within 1 % */
  long max_steps;         /* limit, at which the run fails */
  double aspect[3];       /* ratios of the edge lengths */
  double initial_density; /* solid fraction of the random grains at the start */
  dem_damping damping;    /* while packing */
} dem_packing;

typedef enum dem_lattice_kind { DEM_LATTICE_SC, DEM_LATTICE_FCC } dem_lattice_kind;

typedef struct dem_lattice {
  dem_lattice_kind kind;
  int cells[3]; /* cubic unit cells along each edge */
  double radius;
  double overlap; /* 2ζ of every contact over the diameter */
} dem_lattice;

typedef struct dem_assembly {
  dem_source source;
  dem_packing packing;
  dem_lattice lattice;
  char *path; /* of a file or checkpoint, as it is opened; owned by the case */
  char *name; /* as the case gives it; owned; NULL: same as the path */
} dem_assembly;

/* ---- Stages ------------------------------------------------------------------------------------------------------ */

typedef enum dem_control_kind {
  DEM_CONTROL_STRAIN_RATE, /* value: 1/s */
  DEM_CONTROL_STRAIN_STEP, /* value: strain per time step */
  DEM_CONTROL_STRAIN,      /* value: strain at the end of this stage, at constant speed to its last step or time */
  DEM_CONTROL_STRESS,      /* value: Pa, held by the servo; reached linearly within `ramp` steps */
  DEM_CONTROL_VOLUME,      /* keeps the volume: compensates the other normal components */
  DEM_CONTROL_STRAIN_PATH, /* value: amplitude of the wave that the strain follows */
  DEM_CONTROL_STRESS_PATH  /* value: amplitude, Pa, of the wave that the servo follows */
} dem_control_kind;

/*
 * A component on a path: value · sin(2π (frequency · c + phase)) about the centre, with c the cycles since the start
 * of the stage. During the first cycles, dem_cyclic.run_in, it grows smoothly out of the state at the start.
 */
typedef struct dem_wave {
  double frequency; /* per cycle of the stage */
  double phase;     /* turns */
  double center;    /* Pa, of a stress; NAN: the value at the start of the stage, as always for strains */
} dem_wave;

typedef struct dem_control {
  dem_control_kind kind;
  double value;
  long ramp;
  dem_wave wave; /* of paths only */
} dem_control;

/* The quantities of cycles and stopping criteria: six strains, six stresses, and those below. */
typedef enum dem_quantity {
  DEM_STRAIN,                                      /* + dem_component */
  DEM_STRESS = DEM_STRAIN + DEM_COMPONENTS,        /* + dem_component */
  DEM_MEAN_STRESS = DEM_STRESS + DEM_COMPONENTS,   /* "p" */
  DEM_DEVIATOR,                                    /* "q": stress_zz - (stress_xx + stress_yy) / 2 */
  DEM_VOLUMETRIC_STRAIN,                           /* "volumetric_strain" */
  DEM_VOID_RATIO,                                  /* "void_ratio" */
  DEM_GAMMA,                                       /* + component - DEM_XY: shear strain, 2 strain_xy */
  DEM_GAMMA_SIZE = DEM_GAMMA + 3,                  /* + component - DEM_XY: "|gamma_xy|" */
  DEM_DOUBLE_AMPLITUDE = DEM_GAMMA_SIZE + 3,       /* + component; of gamma for shear components */
  DEM_R_U = DEM_DOUBLE_AMPLITUDE + DEM_COMPONENTS, /* pore pressure ratio: loss of p at constant volume */
  DEM_R_U_ZZ,                                      /* the same of stress_zz */
  DEM_QUANTITIES
} dem_quantity;

/*
 * "strain_xx" ... "stress_yz", "p", "q", "volumetric_strain", "void_ratio", "gamma_xy" ..., "|gamma_xy|" ...,
 * "double_amplitude_xx" ..., "r_u", "r_u_zz"; NULL if there is none.
 */
const char *dem_quantity_name(dem_quantity quantity);

/* Sizes and amplitudes, which grow from 0: a criterion is met at or above its value, wherever the stage starts. */
bool dem_quantity_is_size(dem_quantity quantity);

/*
 * Cycles: reversals or paths.
 *
 * Reversals: the strain rates of the stage are reversed whenever the quantity deviates by `amplitude` from its value at
 * the start of the stage, or from the centre. A stage that starts at this limit or beyond it loads towards the centre
 * first: if its strain rates lead farther away, they are reversed from its first step on.
 * With a stress ratio the amplitude is this ratio times an effective stress at the start (dem_csr_reference): of shear
 * stresses the normal one on their plane (stress_zz for xz and yz, stress_yy for xy), of q twice the mean stress.
 *
 * `has_paths`: components follow waves, `of` is the strain or stress of the main one. The duration of a cycle is a
 * time, or a number of steps, or follows from the inertial number of the stage; the longer one if the stage has both of
 * these.
 */
typedef struct dem_cyclic {
  bool on, has_paths;
  dem_quantity of; /* a strain or stress, p or q */
  double amplitude;
  double stress_ratio; /* cyclic stress ratio; 0: `amplitude` is given */
  double center;       /* of a stress, p or q; NAN: the value at the start of the stage */
  long steps_per_cycle;
  double period; /* s */
  double run_in; /* cycles until paths have their full amplitude */
} dem_cyclic;

enum { DEM_CRITERIA_MAX = 8 };

/*
 * Met when the quantity reaches or passes the value, from the side of the stage's start. Strains count from that
 * start. See dem_quantity_is_size for sizes.
 */
typedef struct dem_criterion {
  dem_quantity of;
  double value;
} dem_criterion;

/* A stage ends when any one of these criteria is met. 0: not used. */
typedef struct dem_until {
  long steps;
  double time;       /* s, of the stage */
  double cycles;     /* number of cycles, also 0.25 or 1.5 */
  double unbalanced; /* equilibrium: unbalanced force below this, and all stress targets held within 1 % */
  int count;
  dem_criterion criteria[DEM_CRITERIA_MAX];
} dem_until;

typedef struct dem_stage {
  char name[DEM_NAME_MAX];
  dem_control control[DEM_COMPONENTS];
  bool mean_stress_is_held; /* by a servo that adds the same rate to the three normal strains */
  dem_control mean_stress;  /* kind DEM_CONTROL_STRESS */
  double inertial_number;   /* prescribed strain rates get the common factor that holds it; 0: they are as given */
  dem_cyclic cyclic;
  dem_until until;
  double friction;    /* from this stage on; NAN: unchanged */
  bool stops_spheres; /* all velocities are set to zero when the stage begins */
  dem_damping damping;
} dem_stage;

/* ---- Tracing ----------------------------------------------------------------------------------------------------- */

typedef enum dem_trace_kind {
  DEM_TRACE_PAIR, /* the contact between the spheres with these ids */
  DEM_TRACE_BORN  /* the contact with the longest life of those born near this strain */
} dem_trace_kind;

typedef struct dem_trace {
  dem_trace_kind kind;
  uint32_t ids[2];
  dem_component component;  /* of the strain, which counts from the start of the stage */
  char stage[DEM_NAME_MAX]; /* empty: the last one */
  double strain;
  double window; /* contacts born within ± this of the strain count */
  long every;    /* steps between samples */
} dem_trace;

/* ---- The case ---------------------------------------------------------------------------------------------------- */

typedef struct dem_case {
  char *title; /* owned */
  uint64_t seed;
  dem_material material;
  dem_contact_law contact;
  dem_damping damping;
  dem_time_step time_step;
  double density_scaling;  /* inertia over true inertia, 1 or more, for quasi-static tests */
  bool scales_each_sphere; /* each sphere has the inertia that gives it the time step; density_scaling is 1 */
  double gravity[3];       /* m/s² */
  double overlap_limit;    /* largest 2ζ over the smaller radius; a run fails beyond it */
  double skin;             /* range of neighbour lists in mean diameters; 0: by the clock; changes no result */
  dem_assembly assembly;
  int stage_count;
  dem_stage stages[DEM_STAGES_MAX];
  int trace_count;
  dem_trace traces[DEM_TRACES_MAX];
} dem_case;

/* Quartz-like spheres, no assembly, no stages. */
dem_case dem_case_default(void);

/* The contact law of the case; an error if it is impossible. */
jager_status dem_case_law(const dem_case *run, jager_law *law);

/* Does the stage keep the volume: by `volume: constant`, or by holding all three normal strains? */
bool dem_stage_keeps_volume(const dem_stage *stage);

/* The friction at the start of packing. */
double dem_case_packing_friction(const dem_case *run);

/* A stage without loading, to start from. */
dem_stage dem_stage_default(const dem_case *of);

/* A copy that shares nothing, to be freed as well. False: no memory, and nothing to free. */
bool dem_case_copy(dem_case *to, const dem_case *from);

void dem_case_free(dem_case *run);

#endif
