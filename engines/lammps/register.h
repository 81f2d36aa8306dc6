// SPDX-License-Identifier: MIT
#ifndef JAGER_LAMMPS_REGISTER_H
#define JAGER_LAMMPS_REGISTER_H

// Registers the styles of libjager with a LAMMPS object. Must be called again after each `clear`, which removes them.
extern "C" void jager_lammps_register(void *lmp);

#endif
