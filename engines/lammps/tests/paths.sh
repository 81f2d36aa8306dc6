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
    # expected.csv: step,zeta,xi1,xi2,fn,ft1,...; angles.txt: angle of the branch; forces.txt: forces and torques of the
    # two atoms in each step
    awk -v path=$path -v by=$by '
      FILENAME == "expected.csv" && FNR == 1 { next }
      FILENAME == "expected.csv" { split($0, c, ","); zeta[c[1]] = c[2]; fn[c[1]] = c[5]; ft[c[1]] = c[6]; next }
      FILENAME == "angles.txt" { angle[FNR] = $1; next }
      /^ITEM: TIMESTEP/ { getline; step = $1; rows = 0; next }
      /^ITEM: ATOMS/ { rows = 2; next }
      rows > 0 && step > 0 { rows--
        sign = $1 == 2 ? 1 : -1
        s = sin(angle[step]); c0 = cos(angle[step])
        want[2] = sign * (fn[step] * s - ft[step] * c0)
        want[4] = sign * (fn[step] * c0 + ft[step] * s)
        want[6] = (1e-3 - zeta[step]) * ft[step]
        want[3] = want[5] = want[7] = 0
        if (fn[step] > peak) peak = fn[step]
        for (i = 2; i <= 7; i++) {
          d = ($i - want[i]) / (i < 5 ? 1 : 1e-3)
          if (d < 0) d = -d
          if (d > worst) worst = d }
        compared++ }
      END { printf "path (%s), %s: %d steps, ", path, by, compared / 2
            printf "largest error %.1e of the largest force\n", worst / peak
            exit !(compared == 2 * (length(fn)) && peak > 0 && worst <= 1e-10 * peak) }' \
      expected.csv angles.txt forces.txt ||
      fail "path ($path), $by"
  done
done
finish
