#!/bin/sh
# SPDX-License-Identifier: MIT
# The same packing sheared by `jager run`, by LAMMPS with gran/jager, and by LAMMPS with its own granular mindlin_rescale: same
# step, strain path and dashpots. Prints the largest difference of the first two and draws all three.
#     compare.sh JAGER LMP_JAGER DIR [DATA [PICTURE]]
# DATA is a data file of LAMMPS with packed spheres: packed.data, which is here. Trajectories of grains are chaotic: from
# differences of rounding, as between one rank and two, the stresses of 1,000 spheres come to differ by up to 1 % at 1 % strain.
# docs/lammps.md shows 4,096.
set -eu
jager=$1 lmp=$2 dir=$3
here=$(cd "$(dirname "$0")" && pwd)
data=${4:-$here/packed.data} picture=${5:-}
mkdir -p "$dir"
awk '/xlo xhi/ { x = $2 } /ylo yhi/ { y = $2 } /zlo zhi/ { printf "cell %s %s %s\n", x, y, $2 }
     /^Atoms/ { atoms = 1; next } atoms && NF { printf "%s %s %s %.17g\n", $5, $6, $7, $3 / 2 }' "$data" > "$dir/packed.txt"
cp "$here/compare.yaml" "$dir"
"$jager" run "$dir/compare.yaml" -o "$dir/run" --force --quiet > "$dir/run.txt"
for law in gran/jager granular; do
  name=$(echo "$law" | tr / -)
  "$lmp" -log none -in "$here/compare.lmp" -var data "$data" -var law $law > "$dir/$name.out"
  awk '/^Step v_strain/ { table = 1; next } /^Loop/ { table = 0 } table { print $2, $3, $4, $5 }' "$dir/$name.out" > "$dir/$name.txt"
done
awk -F, '/^#/ { next } !at { for (i = 1; i <= NF; i++) name[$i] = i; at = 1; next }
  { print $name["strain_zz"], $name["stress_xx"], $name["stress_yy"], $name["stress_zz"] }' "$dir/run/series.csv" > "$dir/jager-run.txt"

# Where both have a row: the largest difference of p and q, over their own size
awk 'NR == FNR { row[sprintf("%.4e", $1)] = $0; next }
  (key = sprintf("%.4e", $1)) in row && $1 > 0 { split(row[key], a, " "); rows++
    p0 = (a[2] + a[3] + a[4]) / 3; p = ($2 + $3 + $4) / 3; q0 = a[4] - (a[2] + a[3]) / 2; q = $4 - ($2 + $3) / 2
    dp = p / p0 - 1; dq = q / q0 - 1; if (dp < 0) dp = -dp; if (dq < 0) dq = -dq
    if (dp > most_p) most_p = dp; if (dq > most_q) most_q = dq }
  END { printf "jager run and gran/jager, %d rows to %g strain: p differs by at most %.3f %%, q by %.3f %%\n", rows, $1, 100 * most_p, 100 * most_q
        exit !(rows >= 100 && most_p <= 0.01 && most_q <= 0.01) }' "$dir/jager-run.txt" "$dir/gran-jager.txt"

[ -n "$picture" ] || exit 0
gnuplot << END
set terminal pngcairo size 900,600 font ",13" linewidth 1.5
set output "$picture"
set key left top
set grid lc rgb "#dddddd"
set xlabel "axial strain, %"
set ylabel "stress, MPa"
q(a, b, c) = (c - 0.5 * (a + b)) / 1e6
p(a, b, c) = (a + b + c) / 3e6
plot "$dir/jager-run.txt" using (100 * \$1):(p(\$2, \$3, \$4)) with lines lw 5 lc rgb "#f4b183" title "p, jager run", \
     "$dir/gran-jager.txt" using (100 * \$1):(p(\$2, \$3, \$4)) with lines lw 1.5 lc rgb "#b03a00" title "p, LAMMPS gran/jager", \
     "$dir/granular.txt" using (100 * \$1):(p(\$2, \$3, \$4)) with lines dt 2 lw 1.5 lc rgb "#b03a00" title "p, LAMMPS granular mindlin\\\\_rescale", \
     "$dir/jager-run.txt" using (100 * \$1):(q(\$2, \$3, \$4)) with lines lw 5 lc rgb "#9dc3e6" title "q, jager run", \
     "$dir/gran-jager.txt" using (100 * \$1):(q(\$2, \$3, \$4)) with lines lw 1.5 lc rgb "#1f4e9c" title "q, LAMMPS gran/jager", \
     "$dir/granular.txt" using (100 * \$1):(q(\$2, \$3, \$4)) with lines dt 2 lw 1.5 lc rgb "#1f4e9c" title "q, LAMMPS granular mindlin\\\\_rescale"
END
