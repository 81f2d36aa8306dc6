/* SPDX-License-Identifier: MIT */
/* Energies of a contact, J, and of its movements. */
#ifndef JAGER_ENERGY_H
#define JAGER_ENERGY_H

#include "contact/history.h"

/* Energy stored by the normal force: ∫ Fn d(2ζ) from 0 to ζ */
double jager_normal_energy(const jager_law *law, const contact_data *c);

/* Energy stored in shear by a contact of the exact law */
double jager_shear_energy(const jager_law *law, const contact_data *c);

/* By how much the shear energy of `after` exceeds that of `before`; both histories have a point at `depth` and are the
   same below it. */
double jager_shear_energy_change(const jager_law *law, const contact_data *before, const contact_data *after,
                                 double depth);

/* The same after an elastic step from zeta_before, where the force was ft_before */
double jager_shear_energy_change_elastic(const jager_law *law, const contact_data *after, double zeta_before,
                                         const double ft_before[2]);

/* Energy dissipated by a movement of the contact `before` to ζ >= 0 and by e = Δξ/κ that slips above zeta_slip */
double jager_dissipation(const jager_law *law, const contact_data *before, double zeta, vec2 e, double zeta_slip);

/* What a movement or load does to the energies */
typedef struct energy_change {
  double dissipated;
  double tangential; /* growth of the energy stored in shear; only if wants_tangential */
  bool wants_tangential;
} energy_change;

/* Moves the contact, or loads it to a force, with the change of its energies. `change` may be NULL for a load. */
jager_status jager_move_with_energy(const jager_law *law, jager_pool *pool, contact_data *c, double zeta,
                                    const double dxi[2], energy_change *change);
jager_status jager_load_with_energy(const jager_law *law, jager_pool *pool, contact_data *c, const jager_force *force,
                                    jager_movement *movement, energy_change *change);

#endif
