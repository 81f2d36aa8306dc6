# SPDX-License-Identifier: MIT
# Compares forces and torques of two spheres that drive.awk has moved along a path with `jager contact`. expected.csv:
# step,zeta,xi1,xi2,fn,ft1,...; angles.txt: angle of the branch; forces.txt: forces and torques of the two atoms in each
# step.
#     awk -v path=a -v by=arc -f compare.awk expected.csv angles.txt forces.txt
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
      exit !(compared == 2 * (length(fn)) && peak > 0 && worst <= 1e-10 * peak) }
