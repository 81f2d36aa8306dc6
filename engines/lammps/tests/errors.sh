# SPDX-License-Identifier: MIT
# Invalid commands and settings are refused, with a message that names the valid ones.
# shellcheck source=engines/lammps/tests/lammps.inc
. "$2/engines/lammps/tests/lammps.inc"
library=$6

box='units si
atom_style sphere
boundary p p f
comm_modify vel yes
region box block 0 0.01 0 0.01 0 0.01
create_box 2 box
create_atoms 1 single 0.005 0.005 0.005
set group all diameter 1e-3'

touching="create_atoms 1 single 0.005 0.005 0.0059\nset group all diameter 1e-3"
pair="$box\npair_style gran/jager"
coeff="pair_coeff * * 29e9 0.15 0.5"
run="neighbor 1e-4 bin\nrun 0"

# refused MESSAGE LINES: LAMMPS stops with the message when it runs the lines, a format of printf
refused() {
  printf "$2\n" > script
  lammps 1 -in script
  [ "$code" -eq 1 ] || fail "exit code $code instead of 1: $1"
  { grep -qF "ERROR: $1" out || grep -qF "ERROR on proc 0: $1" out; } || fail "'$1' is not told, but: $(grep ERROR out)"
}

# refused_by_lammps LINES GOOD BAD: LAMMPS runs LINES and GOOD, and stops at LINES and BAD. Its words differ between
# versions.
refused_by_lammps() {
  printf "$1\n$2\n" > script
  lammps 1 -in script
  expect_code 0 "$2: $(grep ERROR out)"
  printf "$1\n$3\n" > script
  lammps 1 -in script
  expect_code 1 "$3"
}

# refused_coeff MESSAGE LINES: the lines after pair_style contain an illegal pair_coeff
refused_coeff() {
  refused "Illegal pair_coeff command: $1" "$pair\n$2"
}

# refused_wall MESSAGE ARGUMENTS: these arguments of fix wall/gran/jager are illegal
refused_wall() {
  refused "Illegal fix wall/gran/jager command: $1" "$pair\n$coeff\nfix walls all wall/gran/jager $2"
}

# ---- pair_style and pair_coeff --------------------------------------------------------------------------------------

refused "Illegal pair_style command: gran/jager takes no arguments; its coefficients stand in \
pair_coeff I J G nu friction" "$pair 29e9"
refused_coeff "pair_style gran/jager needs: pair_coeff I J G nu friction" "pair_coeff * * 29e9 0.15"
refused_coeff "'stiff' is no number where the shear modulus G is needed" "pair_coeff * * stiff 0.15 0.5"
refused_coeff "'nan' is no number where the friction coefficient is needed" "pair_coeff * * 29e9 0.15 nan"
refused_coeff "the shear modulus must lie in [1e-60, 1e60]" "pair_coeff * * -1 0.15 0.5"
refused_coeff "Poisson's ratio must lie in (-1, 0.5]" "pair_coeff * * 29e9 0.6 0.5"
refused_coeff "the friction coefficient must lie in [0, 1e6]" "pair_coeff * * 29e9 0.15 -0.5"
refused_coeff "dp_max must be finite and not negative" "$coeff dp_max -1"
refused_coeff "the tolerance must lie in [0, 1]" "$coeff tolerance 2"
refused_coeff "dp_max must be finite and not negative, and zero where there is a tolerance" \
  "$coeff tolerance 0.1 dp_max 0.1"
refused_coeff "the value of dp_max is missing at the end" "$coeff dp_max"
refused_coeff "damping must be a share of critical damping, in [0, 1]" "$coeff damping 2"
refused_coeff "there is no contour 'cube': take sphere, cone SLOPE, or power SLOPE EXPONENT" "$coeff contour cube"
refused_coeff "a cone needs a slope > 0; a power law a slope > 0 and an exponent in [1, 100]" "$coeff contour cone 0"
refused_coeff "the exponent of the contour is missing at the end" "$coeff contour power 1"
refused_coeff "unknown keyword 'limit': gran/jager knows tolerance, dp_max, damping, contour and other" "$coeff limit 3"
refused_by_lammps "$pair\npair_coeff 1 1 29e9 0.15 0.5" "pair_coeff 2 2 29e9 0.15 0.5\n$run" "$run"
refused "Pair style gran/jager: types 1 and 2 cannot be mixed, since one of them has contour or other: \
give their pair_coeff" \
  "$pair\npair_coeff 1 1 29e9 0.15 0.5 contour cone 0.1\npair_coeff 2 2 29e9 0.15 0.5\n$run"

# ---- Settings of LAMMPS ---------------------------------------------------------------------------------------------

refused "Pair style gran/jager requires ghost atoms with velocity: use comm_modify vel yes" \
  "$pair\n$coeff\ncomm_modify vel no\n$run"
unit_box="comm_modify vel yes\nregion box block 0 1 0 1 0 1\ncreate_box 1 box"
refused "Pair style gran/jager requires atom attributes radius, rmass, omega, torque: use atom_style sphere" \
  "atom_style atomic\n$unit_box\nmass 1 1\npair_style gran/jager\n$coeff\n$run"
refused "Pair style gran/jager requires atoms with IDs: do not use atom_modify id no" \
  "atom_style sphere\natom_modify id no\n$unit_box\npair_style gran/jager\n$coeff\n$run"
refused "Pair style gran/jager cannot be used with minimize: its forces depend on the path" \
  "$pair\n$coeff\nneighbor 1e-4 bin\nminimize 1e-6 1e-6 10 10"
refused "Pair style gran/jager cannot be used with r-RESPA: use run_style verlet" \
  "$pair\n$coeff\nrun_style respa 2 2 pair 2\n$run"
refused "Pair style gran/jager: a periodic box must be wider than two of the largest diameters" \
  "$pair\n$coeff\nset group all diameter 6e-3\n$run"
refused "Pair style gran/jager: no other fix may have the ID JAGER" \
  "$box\nfix JAGER all nve/sphere\npair_style gran/jager"
refused "Pair style gran/jager: its fix JAGER, which has the histories, is gone: do not unfix it" \
  "$pair\n$coeff\n$run\nunfix JAGER\nrun 0"

# ---- Coefficients and types that change while spheres touch ---------------------------------------------------------

only="while spheres touch, only friction, tolerance, dp_max and damping can change"
refused_coeff "$only" "$coeff\n$touching\n$run\n$coeff damping 0.1\npair_coeff * * 30e9 0.15 0.5"
mixed="pair_coeff 1 1 29e9 0.15 0.5\npair_coeff 2 2 29e9 0.15 0.5
create_atoms 2 single 0.005 0.005 0.0059\nset group all diameter 1e-3\n$run"
refused_coeff "$only" "$mixed\npair_coeff 1 2 29e9 0.15 0.3 tolerance 1e-3\nrun 1\npair_coeff 1 2 40e9 0.15 0.3"
refused_coeff "$only" "$mixed\npair_coeff 1 2 40e9 0.15 0.5"
refused_coeff "$only" "$mixed\npair_coeff 2 1 40e9 0.15 0.5" # I may be larger than J
cone="pair_coeff 1 1 29e9 0.15 0.5\npair_coeff * 2 29e9 0.15 0.5 contour cone 0.1"
refused "Pair gran/jager: the history of atoms 1 and 2 cannot be used: their types have changed while they touch, \
and with them the contour of their contact" "$pair\n$cone\n$touching\n$run\nset atom 2 type 2\nrun 0"

# ---- fix wall/gran/jager --------------------------------------------------------------------------------------------

refused_wall "the shear modulus G is missing at the end" ""
refused_wall "Poisson's ratio must lie in (-1, 0.5]" "29e9 1 0.5 zplane 0 NULL"
refused_wall "xplane, yplane or zplane is missing at the end" "29e9 0.15 0.5"
refused_wall "'plane' where xplane, yplane or zplane is needed, or an unknown keyword" "29e9 0.15 0.5 plane 0 NULL"
refused_wall "one of the two walls must not be NULL" "29e9 0.15 0.5 zplane NULL NULL"
refused_wall "the lower wall must be below the upper one" "29e9 0.15 0.5 zplane 1 0"
refused_by_lammps "$pair\n$coeff" "reset_timestep 7" \
  "fix walls all wall/gran/jager 29e9 0.15 0.5 zplane -9 NULL shear x 0.1\nreset_timestep 7"
refused_wall "unknown keyword 'slide': only wiggle or shear may follow the walls" \
  "29e9 0.15 0.5 zplane 0 NULL slide x 1"
refused_wall "walls are sheared across their normal" "29e9 0.15 0.5 zplane 0 NULL shear z 1"
refused "Fix wall/gran/jager: the box is periodic across the wall" \
  "$pair\n$coeff\nfix walls all wall/gran/jager 29e9 0.15 0.5 xplane 0 NULL\n$run"
refused "Fix wall/gran/jager cannot be used with r-RESPA: use run_style verlet" \
  "$box\nfix walls all wall/gran/jager 29e9 0.15 0.5 zplane 0 NULL\nrun_style respa 2 2\n$run"

# ---- Versions of LAMMPS that throw ----------------------------------------------------------------------------------

printf '#!/bin/sh\nLD_PRELOAD=%s exec %s "$@"\n' "$library" "$program" > throwing
chmod +x throwing
program=$PWD/throwing
: > script
lammps 2 -in script
expect_code 0 "LAMMPS could throw, but does not"
for throws in all one memory; do
  export JAGER_THROWS=$throws
  for ranks in 2 1; do
    lammps $ranks -in script
    expect_code 1 "LAMMPS throws ($throws) on $ranks ranks"
  done
  told=$(sed -n 's/^lmp_jager: //p' err)
  expect_same "$told" "$(if [ $throws = memory ]; then echo std::bad_alloc; fi)" "LAMMPS throws ($throws)"
done
finish
