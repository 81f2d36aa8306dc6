# SPDX-License-Identifier: MIT
# Writes a LAMMPS input script that moves a sphere at a wall of fix wall/gran along a path for `jager contact`, read
# from FILE (zeta,xi1). A quarter of each shift is a translation, the rest a rotation. The sphere has half the radius of
# the spheres of the path, so that it is as stiff at the wall as they are at each other.
#     awk -F, -v contact='hertz/material ...' -f granular_wall.awk FILE
BEGIN {
  radius = 0.5e-3
  print "units si\natom_style sphere\natom_modify map yes\nboundary f f f\ncomm_modify vel yes"
  print "region box block -0.01 0.01 -0.01 0.01 -0.01 0.01\ncreate_box 1 box\ncreate_atoms 1 single 0 0 0.0006"
  printf "set group all diameter %.17g\nset group all density 2650\n", 2 * radius
  print "pair_style zero 1e-3\npair_coeff * *\ntimestep 1"
  print "fix wall all wall/gran granular " contact " zplane 0 NULL"
  print "thermo_modify lost ignore\ndump forces all custom 1 forces.txt id fx fz tqy"
  print "dump_modify forces format float %.17g\nrun 0 post no"
}

NR == 1 { next }

{
  shift = 2 * ($2 - xi)
  printf "set atom 1 z %.17g vx %.17g\n", radius - 2 * $1, 0.25 * shift
  printf "set atom 1 omega 0 %.17g 0\nrun 1 pre no post no\n", -0.75 * shift / radius
  xi = $2
}
