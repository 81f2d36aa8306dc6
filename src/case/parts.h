/* SPDX-License-Identifier: MIT */
/* Functions that read the blocks of a case. The comments name the type of the target. */
#ifndef JAGER_CASE_PARTS_H
#define JAGER_CASE_PARTS_H

#include "fields.h"

/* material.c */
field_function case_read_material;        /* dem_material */
field_function case_read_contact;         /* dem_contact_law */
field_function case_read_damping;         /* dem_damping: missing keys keep their values */
field_function case_read_time_step;       /* dem_time_step */
field_function case_read_density_scaling; /* dem_case */

/* Lets libjager check material and contact law; to be called when both have been read. */
void case_check_law(case_reading *reading);

/* assembly.c, sizes.c */
field_function case_read_assembly; /* dem_assembly */
field_function case_read_sizes;    /* dem_sizes */

/* Checks a target of the packing against the material; to be called when both have been read. */
void case_check_packing_target(case_reading *reading);

/* The number of spheres; 0: not known before the file or checkpoint is read. */
long case_sphere_count(const dem_case *run);

/* stages.c: the stages of the case; damping and output must have been read before. */
field_function case_read_stages; /* dem_case */

/* control.c */
field_function case_read_controls;    /* dem_stage */
field_function case_read_mean_stress; /* dem_stage */

/* stage/cycles.c */
field_function case_read_cyclic; /* dem_stage; `control` must have been read before */

/*
 * stage/reduction.c: reads a block `modulus_reduction` into stages, of which there is room for so many. `stage`: what
 * they have in common. Returns their number; 0 after a report.
 */
int case_read_reduction(case_reading *reading, const yaml_node *node, const dem_stage *stage, dem_stage stages[],
                        int room);

/* until.c */
field_function case_read_until; /* dem_until */

/* stage_check.c: reports contradictions between the keys of a stage, which was read from the node. */
void case_check_stage(case_reading *reading, const yaml_node *node, const dem_stage *stage);

/* trace.c */
field_function case_read_traces; /* dem_case; assembly and stages must have been read before */

/* plausible.c: warns of values that are valid but unusual; to be called when the whole case has been read. */
void case_check_plausible(case_reading *reading);

/* "xx" ... "yz" */
extern const char *const case_component_names[DEM_COMPONENTS];

/* "gamma_xy", "gamma_xz", "gamma_yz": shear angles, twice the strains of these components */
extern const char *const case_gamma_names[DEM_COMPONENTS - DEM_XY];

/* The component of "xx", "strain_xx" or "stress_xx", by its last two letters; DEM_COMPONENTS if there is none. */
dem_component case_component(const char *key);

#endif
