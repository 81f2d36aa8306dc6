# SPDX-License-Identifier: MIT
# Writes a LAMMPS input script that moves two spheres along a path for `jager contact`, read from FILE (zeta,xi1). The
# second sphere moves on an arc about the first (by=arc), or both spheres rotate in place (by=spin).
#     awk -F, -v by=arc -f drive.awk FILE
# The variable `style` may hold the commands of another pair style.
# Arc: if the branch rotates by t in a step, and d0 and d are the distances of the centres before and after the step,
# then 2 dxi = (d0 + d)/2 sin(t).
# Spin: if both spheres rotate about y by t, then 2 dxi = -2 a t, with the lever arm a = R - (zeta0 + zeta)/2.

function asin(x) { return atan2(x, sqrt(1 - x * x)) }

BEGIN {
  radius = 1e-3
  print "units si\natom_style sphere\natom_modify map yes\nboundary f f f\ncomm_modify vel yes"
  print "region box block -0.01 0.01 -0.01 0.01 -0.01 0.01\ncreate_box 1 box"
  printf "create_atoms 1 single 0 0 0\ncreate_atoms 1 single 0 0 %.17g\n", 2.0001 * radius
  printf "set group all diameter %.17g\nset group all density 2650\n", 2 * radius
  print style ? style : "pair_style gran/jager\npair_coeff * * 29e9 0.15 0.5"
  print "neighbor 1e-4 bin\ntimestep 1"
  print "thermo_modify lost ignore\ndump forces all custom 1 forces.txt id fx fy fz tqx tqy tqz"
  print "dump_modify forces sort id format float %.17g\nrun 0 post no"
  distance = 2.0001 * radius
}

NR == 1 { next }

{
  before = distance
  distance = 2 * radius - 2 * $1
  shift = 2 * ($2 - xi)
  if (by == "arc") {
    angle += asin(shift / ((before + distance) / 2))
    printf "set atom 2 x %.17g z %.17g\n", distance * sin(angle), distance * cos(angle)
    printf "%.17g\n", angle > "angles.txt"
  } else {
    printf "set atom 2 z %.17g\n", distance
    printf "set atom * omega 0 %.17g 0\n", -shift / (before + distance) * 2
    print 0 > "angles.txt"
  }
  print "run 1 pre no post no"
  xi = $2
}
