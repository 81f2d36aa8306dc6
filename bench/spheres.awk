# SPDX-License-Identifier: MIT
# Spheres as checkpoint_spheres prints them: `copies` of the cell one behind the other along each edge, again as such a
# file, or (as=lammps) as a data file of LAMMPS. Reads the file twice, since LAMMPS wants to know first how many there
# are.
#     awk -v copies=2 -v as=lammps -v density=2650 -f spheres.awk FILE FILE

/^#/ { next }

NR == FNR { # first reading
  if ($1 != "cell")
    count += copies ^ 3
  next
}

$1 == "cell" {
  for (k = 1; k <= 3; k++)
    edge[k] = $(k + 1)
  if ($5 + 0 != 0 || $6 + 0 != 0 || $7 + 0 != 0) {
    print "spheres.awk: the cell leans" > "/dev/stderr"
    exit 1
  }
  if (as == "lammps") {
    printf "spheres\n\n%d atoms\n1 atom types\n\n", count
    printf "0 %.17g xlo xhi\n0 %.17g ylo yhi\n0 %.17g zlo zhi\n", copies * edge[1], copies * edge[2], copies * edge[3]
    printf "\nAtoms # sphere\n\n"
  } else
    printf "cell %.17g %.17g %.17g\n", copies * edge[1], copies * edge[2], copies * edge[3]
  next
}

{
  for (i = 0; i < copies; i++)
    for (j = 0; j < copies; j++)
      for (k = 0; k < copies; k++) {
        x = sprintf("%.17g %.17g %.17g", $1 + i * edge[1], $2 + j * edge[2], $3 + k * edge[3])
        if (as == "lammps")
          printf "%d 1 %.17g %.17g %s\n", ++id, 2 * $4, density, x
        else
          printf "%s %.17g\n", x, $4
      }
}
