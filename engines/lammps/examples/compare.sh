#!/bin/sh
# SPDX-License-Identifier: MIT
# Shears the same packing with `jager run`, with LAMMPS and gran/jager, and with LAMMPS and its own law, granular
# mindlin_rescale. Time step, strain path and dashpots are the same. Prints the largest difference between the first
# two runs, and fails if their p or q differs by more than 1 %. Draws all three if PICTURE is given.
#     compare.sh JAGER LMP_JAGER DIR [DATA [PICTURE]]
# DATA is a LAMMPS data file with packed spheres; by default, packed.data of this folder. Trajectories of grains are
# chaotic: with 1,000 spheres, rounding errors alone (for example on two ranks instead of one) grow to differences of
# more than 1 %. docs/lammps.md shows a comparison with 16,384 spheres.
set -eu
jager=$1 lmp=$2 dir=$3
here=$(cd "$(dirname "$0")" && pwd)
data=${4:-$here/packed.data} picture=${5:-}
mkdir -p "$dir"
awk '/xlo xhi/ { x = $2 } /ylo yhi/ { y = $2 } /zlo zhi/ { printf "cell %s %s %s\n", x, y, $2 }
     /^Atoms/ { atoms = 1; next }
     atoms && NF { printf "%s %s %s %.17g\n", $5, $6, $7, $3 / 2 }' "$data" > "$dir/packed.txt"
cp "$here/compare.yaml" "$dir"
"$jager" run "$dir/compare.yaml" -o "$dir/run" --force --quiet > "$dir/run.txt"
for law in gran/jager granular; do
  name=$(echo "$law" | tr / -)
  "$lmp" -log none -in "$here/compare.lmp" -var data "$data" -var law $law > "$dir/$name.out"
  awk '/^ *Step +v_strain/ { table = 1; next }
       /^Loop/ { table = 0 }
       table { print $2, $3, $4, $5 }' "$dir/$name.out" > "$dir/$name.txt"
done
awk -F, '/^#/ { next } !at { for (i = 1; i <= NF; i++) name[$i] = i; at = 1; next }
  { print $name["strain_zz"], $name["stress_xx"], $name["stress_yy"], $name["stress_zz"] }' \
  "$dir/run/series.csv" > "$dir/jager-run.txt"

# Columns: strain, then the differences of q of gran/jager and of granular from q of jager run, all in per cent
awk 'function q() { return $4 - ($2 + $3) / 2 }
     { key = sprintf("%.4e", $1) }
     FILENAME ~ /jager-run/ { exact[key] = q(); next }
     FILENAME ~ /gran-jager/ { ours[key] = q(); next }
     key in exact && $1 > 0 { print 100 * $1, 100 * (ours[key] / exact[key] - 1), 100 * (q() / exact[key] - 1) }' \
  "$dir/jager-run.txt" "$dir/gran-jager.txt" "$dir/granular.txt" > "$dir/differences.txt"

if [ -n "$picture" ]; then
  python3 - "$dir" "$picture" << 'END'
import sys

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

folder, picture = sys.argv[1:]
figure, (above, below) = plt.subplots(2, 1, figsize=(9, 8), sharex=True, height_ratios=(2, 1), constrained_layout=True)
curves = (("jager-run", "jager run", "-", 5.0, ("#f4b183", "#9dc3e6")),
          ("gran-jager", "LAMMPS gran/jager", "-", 1.5, ("#b03a00", "#1f4e9c")),
          ("granular", "LAMMPS granular mindlin_rescale", "--", 1.5, ("#b03a00", "#1f4e9c")))
for file, name, dashes, width, colours in curves:
    strain, x, y, z = np.loadtxt(f"{folder}/{file}.txt", unpack=True)
    for letter, stress, colour in zip("pq", ((x + y + z) / 3, z - (x + y) / 2), colours):
        above.plot(100 * strain, 1e-6 * stress, dashes, linewidth=width, color=colour, label=f"{letter}, {name}")
strain, ours, theirs = np.loadtxt(f"{folder}/differences.txt", unpack=True)
below.plot(strain, ours, color="#1f4e9c", label="LAMMPS gran/jager")
below.plot(strain, theirs, "--", color="#1f4e9c", label="LAMMPS granular mindlin_rescale")
above.set_ylabel("stress, MPa")
above.set_ylim(bottom=0)
below.set_xlabel("axial strain, %")
below.set_ylabel("q minus q of\njager run, %")
for ax in (above, below):
    ax.grid(color="#dddddd")
    ax.legend()
figure.savefig(picture, dpi=100)
END
fi

# The largest relative differences of p and q over the strains at which both runs have a row
awk 'NR == FNR { row[sprintf("%.4e", $1)] = $0; next }
  (key = sprintf("%.4e", $1)) in row && $1 > 0 { split(row[key], a, " "); rows++
    p0 = (a[2] + a[3] + a[4]) / 3; p = ($2 + $3 + $4) / 3; q0 = a[4] - (a[2] + a[3]) / 2; q = $4 - ($2 + $3) / 2
    dp = p / p0 - 1; dq = q / q0 - 1; if (dp < 0) dp = -dp; if (dq < 0) dq = -dq
    if (dp > most_p) most_p = dp; if (dq > most_q) most_q = dq }
  END { printf "jager run and gran/jager, %d rows to %g strain: ", rows, $1
        printf "p differs by at most %.3f %%, q by %.3f %%\n", 100 * most_p, 100 * most_q
        exit !(rows >= 100 && most_p <= 0.01 && most_q <= 0.01) }' "$dir/jager-run.txt" "$dir/gran-jager.txt"
