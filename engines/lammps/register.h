// SPDX-License-Identifier: MIT
#ifndef JAGER_LAMMPS_REGISTER_H
#define JAGER_LAMMPS_REGISTER_H

// Makes the styles of libjager known to a LAMMPS; again after each `clear`, which makes LAMMPS forget them.
extern "C" void jager_lammps_register(void *lmp);

#endif
