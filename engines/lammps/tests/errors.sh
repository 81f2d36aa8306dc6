# SPDX-License-Identifier: MIT
# What cannot be is refused, with a message that says what would be right.
# shellcheck source=engines/lammps/tests/lammps.inc
. "$2/engines/lammps/tests/lammps.inc"

box='units si
atom_style sphere
boundary p p f
comm_modify vel yes
region box block 0 0.01 0 0.01 0 0.01
create_box 2 box
create_atoms 1 single 0.005 0.005 0.005
set group all diameter 1e-3'

# refused MESSAGE LINES: an input script that ends with the lines
refused() {
  printf "$2\n" > script
  lammps 1 -in script
  [ "$code" -ne 0 ] || fail "not refused: $1"
  { grep -qF "ERROR: $1" out || grep -qF "ERROR on proc 0: $1" out; } || fail "'$1' is not told, but: $(grep ERROR out)"
}

pair="$box\npair_style gran/jager"
coeff="pair_coeff * * 29e9 0.15 0.5"
run="neighbor 1e-4 bin\nrun 0"

refused "Illegal pair_style command: gran/jager takes no arguments; its coefficients stand in pair_coeff I J G nu friction" \
  "$pair 29e9"
refused "Illegal pair_coeff command: pair_style gran/jager needs: pair_coeff I J G nu friction" "$pair\npair_coeff * * 29e9 0.15"
refused "Illegal pair_coeff command: 'stiff' is no number where the shear modulus G is needed" "$pair\npair_coeff * * stiff 0.15 0.5"
refused "Illegal pair_coeff command: 'nan' is no number where the friction coefficient is needed" "$pair\npair_coeff * * 29e9 0.15 nan"
refused "Illegal pair_coeff command: the shear modulus must lie in [1e-60, 1e60]" "$pair\npair_coeff * * -1 0.15 0.5"
refused "Illegal pair_coeff command: Poisson's ratio must lie in (-1, 0.5]" "$pair\npair_coeff * * 29e9 0.6 0.5"
refused "Illegal pair_coeff command: the friction coefficient must lie in [0, 1e6]" "$pair\npair_coeff * * 29e9 0.15 -0.5"
refused "Illegal pair_coeff command: dp_max must be finite and not negative" "$pair\n$coeff dp_max -1"
refused "Illegal pair_coeff command: the tolerance must lie in [0, 1]" "$pair\n$coeff tolerance 2"
refused "Illegal pair_coeff command: dp_max must be finite and not negative, and zero where there is a tolerance" \
  "$pair\n$coeff tolerance 0.1 dp_max 0.1"
refused "Illegal pair_coeff command: the value of dp_max is missing at the end" "$pair\n$coeff dp_max"
refused "Illegal pair_coeff command: damping must be a share of critical damping, in [0, 1]" "$pair\n$coeff damping 2"
refused "Illegal pair_coeff command: there is no contour 'cube': take sphere, cone SLOPE, or power SLOPE EXPONENT" "$pair\n$coeff contour cube"
refused "Illegal pair_coeff command: a cone needs a slope > 0; a power law a slope > 0 and an exponent in [1, 100]" "$pair\n$coeff contour cone 0"
refused "Illegal pair_coeff command: the exponent of the contour is missing at the end" "$pair\n$coeff contour power 1"
refused "Illegal pair_coeff command: unknown keyword 'limit': gran/jager knows tolerance, dp_max, damping, contour and other" "$pair\n$coeff limit 3"
refused "Incorrect args for pair coefficients: in pair_coeff I J, I must not be larger than J" "$pair\npair_coeff 2 1 29e9 0.15 0.5"
refused "All pair coeffs are not set" "$pair\npair_coeff 1 1 29e9 0.15 0.5\n$run"
refused "Pair style gran/jager: types 1 and 2 cannot be mixed, since one of them has contour or other: give their pair_coeff" \
  "$pair\npair_coeff 1 1 29e9 0.15 0.5 contour cone 0.1\npair_coeff 2 2 29e9 0.15 0.5\n$run"
refused "Pair style gran/jager requires ghost atoms with velocity: use comm_modify vel yes" \
  "$pair\n$coeff\ncomm_modify vel no\n$run"
refused "Pair style gran/jager requires atom attributes radius, rmass, omega, torque: use atom_style sphere" \
  "atom_style atomic\ncomm_modify vel yes\nregion box block 0 1 0 1 0 1\ncreate_box 1 box\nmass 1 1\npair_style gran/jager\n$coeff\n$run"
refused "Pair style gran/jager requires atoms with IDs: do not use atom_modify id no" \
  "atom_style sphere\natom_modify id no\ncomm_modify vel yes\nregion box block 0 1 0 1 0 1\ncreate_box 1 box\npair_style gran/jager\n$coeff\n$run"
refused "Pair style gran/jager cannot be used with minimize: its forces depend on the path" \
  "$pair\n$coeff\nneighbor 1e-4 bin\nminimize 1e-6 1e-6 10 10"
refused "Pair style gran/jager: a periodic box must be wider than two of the largest diameters" "$pair\n$coeff\nset group all diameter 6e-3\n$run"
refused "Pair style gran/jager: only one of it can be used, and no other fix may have the ID JAGER" \
  "$box\nfix JAGER all nve/sphere\npair_style gran/jager"
refused "Pair style gran/jager: its fix JAGER, which has the histories, is gone: do not unfix it" "$pair\n$coeff\n$run\nunfix JAGER\nrun 0"
refused "Illegal pair_coeff command: while spheres touch, only friction, tolerance, dp_max and damping can change" \
  "$pair\n$coeff\ncreate_atoms 1 single 0.005 0.005 0.0059\nset group all diameter 1e-3\n$run\n$coeff damping 0.1\npair_coeff * * 30e9 0.15 0.5"
mixed="$pair\npair_coeff 1 1 29e9 0.15 0.5\npair_coeff 2 2 29e9 0.15 0.5\ncreate_atoms 2 single 0.005 0.005 0.0059\nset group all diameter 1e-3\n$run"
refused "Illegal pair_coeff command: while spheres touch, only friction, tolerance, dp_max and damping can change" \
  "$mixed\npair_coeff 1 2 29e9 0.15 0.3 tolerance 1e-3\nrun 1\npair_coeff 1 2 40e9 0.15 0.3"
refused "Illegal pair_coeff command: while spheres touch, only friction, tolerance, dp_max and damping can change" \
  "$mixed\npair_coeff 1 2 40e9 0.15 0.5"
refused "Pair gran/jager: the history of atoms 1 and 2 cannot be used: their types have changed while they touch, and the contour of their contact with them" \
  "$pair\npair_coeff 1 1 29e9 0.15 0.5\npair_coeff * 2 29e9 0.15 0.5 contour cone 0.1\ncreate_atoms 1 single 0.005 0.005 0.0059\nset group all diameter 1e-3\n$run\nset atom 2 type 2\nrun 0"

wall="$pair\n$coeff\nfix walls all wall/gran/jager"
refused "Illegal fix wall/gran/jager command: the shear modulus G is missing at the end" "$wall"
refused "Illegal fix wall/gran/jager command: Poisson's ratio must lie in (-1, 0.5]" "$wall 29e9 1 0.5 zplane 0 NULL"
refused "Illegal fix wall/gran/jager command: xplane, yplane or zplane is missing at the end" "$wall 29e9 0.15 0.5"
refused "Illegal fix wall/gran/jager command: 'plane' where xplane, yplane or zplane is needed, or an unknown keyword" \
  "$wall 29e9 0.15 0.5 plane 0 NULL"
refused "Illegal fix wall/gran/jager command: one of the two walls must not be NULL" "$wall 29e9 0.15 0.5 zplane NULL NULL"
refused "Illegal fix wall/gran/jager command: the lower wall must be below the upper one" "$wall 29e9 0.15 0.5 zplane 1 0"
refused "Illegal fix wall/gran/jager command: unknown keyword 'slide': behind the walls, wiggle or shear" \
  "$wall 29e9 0.15 0.5 zplane 0 NULL slide x 1"
refused "Illegal fix wall/gran/jager command: walls are sheared across their normal" "$wall 29e9 0.15 0.5 zplane 0 NULL shear z 1"
refused "Fix wall/gran/jager: the box is periodic across the wall" "$wall 29e9 0.15 0.5 xplane 0 NULL\n$run"
finish
