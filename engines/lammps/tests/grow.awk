# SPDX-License-Identifier: MIT
# Writes a LAMMPS input script that moves two spheres, or a sphere and a plane, along a random path while the radii, and
# in some ways the types, change. The file path.csv gets the same path for `jager contact`; the file last gets the final
# radii and the final shear modulus.
#     awk -v by=WAY -v seed=N -v steps=N -v inputs=WORDS -f grow.awk
# `inputs` is what compute reduce wants for values of pairs.
# by=set      The command set changes radii and types between runs.
# by=restart  As by=set; in every tenth step a restart file is written and read after set.
# by=adapt    fix adapt changes the radii in each step.
# by=wall     A sphere touches a plane; set changes its radius between runs.
# The second sphere moves on an arc about the first: if the branch rotates by t in a step, and d0 and d are the
# distances of the centres before and after the step, then 2 dxi = (d0 + d)/2 sin(t).

function asin(x) { return atan2(x, sqrt(1 - x * x)) }
function radius(i, step) { return (i == 1 ? 1e-3 : 3e-4) * (1 + 0.1 * sin(0.05 * i * step)) }
function settings() {
  if (by == "wall") print "fix walls all wall/gran/jager 29e9 0.15 0.5 zplane 0 NULL"
  print "compute value all pair/local p1 p2 cutoff radius\ncompute normal all reduce max c_value[1]", inputs
  print "compute across all reduce max c_value[2]", inputs
  print "thermo_style custom step c_normal c_across" (by == "wall" ? " f_walls[3] f_walls[1]" : "")
  print "thermo_modify format float %.17g lost ignore"
}
function make() {
  print "units si\natom_style sphere 1\natom_modify map yes\nboundary f f f\ncomm_modify vel yes"
  print "region box block -0.01 0.01 -0.01 0.01 -0.01 0.01\ncreate_box 2 box\ncreate_atoms 1 single 0 0 0.001001"
  if (by != "wall") print "create_atoms 1 single 0 0 0.0025"
  print "set group all density 2650\npair_style gran/jager\npair_coeff 1 1 29e9 0.15 0.5\npair_coeff 2 2 70e9 0.15 0.5"
  print "pair_coeff 1 2 50e9 0.15 0.5\nneighbor 1e-4 bin\ntimestep 1"
}
function place(step, i) {
  if (by != "adapt")
    for (i = 1; i <= (by == "wall" ? 1 : 2); i++)
      printf "set atom %d diameter %.17g\n", i, 2 * radius(i, step)
  if (by == "set" || by == "restart") {
    type = step % 3 == 0 ? 1 + int(2 * rand()) : type
    print "set atom 2 type", type
  }
}

BEGIN {
  srand(seed)
  type = 1
  make()
  place(0)
  settings()
  if (by == "adapt") for (i = 1; i <= 2; i++) {
    printf "group g%d id %d\nvariable d%d equal %.17g*(1+0.1*sin(%.17g*step))\n", i, i, i, 2 * radius(i, 0), 0.05 * i
    printf "fix a%d g%d adapt 1 atom diameter v_d%d\n", i, i, i
  }
  print "run 0 post no"
  print "zeta,xi1" > "path.csv"
  for (k = 1; k <= steps; k++) {
    zeta = zeta > 0 && rand() < 0.6 ? zeta + 2e-7 * rand() : 1e-6 * (0.2 + rand())
    shift = k == 1 ? 0 : 3e-7 * (2 * rand() - 1) # the first contact is made in the normal direction
    xi += shift
    printf "%.17g,%.17g\n", zeta, xi > "path.csv"
    place(k)
    if (by == "wall") {
      x -= 2 * shift
      printf "set atom 1 x %.17g z %.17g\nrun 1 post no\n", x, radius(1, k) - 2 * zeta
      continue
    }
    before = distance ? distance : radius(1, k) + radius(2, k) - 2 * zeta
    distance = radius(1, k) + radius(2, k) - 2 * zeta
    angle += asin(2 * shift / ((before + distance) / 2))
    if (by == "restart" && k % 10 == 0) {
      printf "write_restart state\nclear\nread_restart state\ncomm_modify vel yes\nneighbor 1e-4 bin\ntimestep 1\n"
      settings()
    }
    printf "set atom 2 x %.17g z %.17g\n", distance * sin(angle), 0.001001 + distance * cos(angle)
    print "run 1 " (by == "adapt" ? "pre no " : "") "post no"
  }
  printf "%.17g %.17g %s\n", radius(1, steps), radius(2, steps), type == 1 ? 29e9 : 50e9 > "last"
}
