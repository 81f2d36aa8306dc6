// SPDX-License-Identifier: MIT
// The Jäger contact as a tangential sub-model of LAMMPS' package GRANULAR:
//     pair_coeff I J hertz/material E damping nu tangential jager nu|NULL x_gammat mu K ...
// docs/lammps.md says how to add these two files to LAMMPS, and what the coefficients mean.
#ifdef GRAN_SUB_MOD_CLASS
// clang-format off
GranSubModStyle(jager,GranSubModTangentialJager,TANGENTIAL);
// clang-format on
#else

#ifndef JAGER_LAMMPS_GRAN_SUB_MOD_JAGER_H
#define JAGER_LAMMPS_GRAN_SUB_MOD_JAGER_H

#include "gran_sub_mod_tangential.h"

namespace LAMMPS_NS
{
namespace Granular_NS
{

class GranSubModTangentialJager : public GranSubModTangential
{
public:
  GranSubModTangentialJager(class GranularModel *, class LAMMPS *);
  void coeffs_to_local() override;
  void mix_coeffs(double *, double *) override;
  void init() override;
  void calculate_forces() override;

private:
  enum Coefficient { POISSON, DAMPING_RATIO, FRICTION, POINTS, COEFFICIENT_COUNT };

  int points;           // K
  double x_gammat;      // dashpot across over that along the normal
  double inverse_kappa; // tangential over normal stiffness, without slip
  bool is_mixed;        // whether the coefficients are mixed from two types

  double poisson() const;
  double normal_stiffness();
  void check_order();
  void add_dashpot(bool slides);
};

} // namespace Granular_NS
} // namespace LAMMPS_NS

#endif
#endif
