# SPDX-License-Identifier: MIT
# Two spheres move along the paths (a)-(f). Forces and torques agree with `jager contact` to 1e-10 of the largest force.
# shellcheck source=engines/lammps/tests/lammps.inc
. "$2/engines/lammps/tests/lammps.inc"

for path in a b c d e f; do
  awk -v path=$path -v steps=1000 -f "$tests/paths.awk" > path.csv
  "$jager" contact --radius 1e-3 --shear-modulus 29e9 --poisson 0.15 --friction 0.5 path.csv > expected.csv
  for by in arc spin; do
    awk -F, -v by=$by -f "$tests/drive.awk" path.csv > script
    lammps 1 -screen none -in script
    expect_code 0 "($path), $by"
    awk -v path=$path -v by=$by -f "$tests/compare.awk" expected.csv angles.txt forces.txt ||
      fail "path ($path), $by"
  done
done
finish
