#!/bin/sh
# SPDX-License-Identifier: MIT
# Errors of other contact laws on the six collinear paths (a)-(f) of engines/lammps/tests/paths.awk: the largest |Ft -
# exact| over the largest exact |Ft|, with 1,000 steps a leg. The exact force comes from the model jager, which
# test_oracle compares with an independent reference on the same paths. If LAMMPS is installed, its own laws follow the
# same paths.
#     six_paths.sh [--build DIR]
set -eu
cd "$(dirname "$0")/.."
build=build
[ "${1:-}" = --build ] && build=$2
jager=$PWD/$build/src/cli/jager
paths=$PWD/engines/lammps/tests
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

bodies="--radius 1e-3 --shear-modulus 29e9 --poisson 0.15 --friction 0.5"
for path in a b c d e f; do
  awk -v path=$path -v steps=1000 -f "$paths/paths.awk" > "$path.csv"
  # shellcheck disable=SC2086 # the options are words
  "$jager" contact $bodies "$path.csv" | cut -d, -f1,6 > "$path.exact"
done

# The error on path $path, whose tangential forces are on standard input as step,ft
error() {
  awk -F, '
    function size(x) { return x < 0 ? -x : x }
    $1 == "step" { next }
    NR == FNR { exact[$1] = $2; if (size($2) > peak) peak = size($2); next }
    size($2 - exact[$1]) > worst { worst = size($2 - exact[$1]) }
    END { printf "%10.2g", worst / peak }' "$path.exact" -
}

printf '%-40s' law
for path in a b c d e f; do
  printf '%10s' "$path"
done
echo
for model in zhang-vuquoc modified-mindlin hertz-mindlin linear; do
  printf '%-40s' "$model"
  for path in a b c d e f; do
    # shellcheck disable=SC2086 # the options are words
    "$jager" contact --model $model $bodies "$path.csv" | cut -d, -f1,6 | error
  done
  echo
done

command -v lmp > /dev/null || exit 0
# The same bodies for LAMMPS, without damping: E = 2 G (1 + nu), Kn = 4 G / (3 (1 - nu)), Kt = 4 G / (2 - nu)
kn=$(awk 'BEGIN { printf "%.17g", 4 * 29e9 / (3 * (1 - 0.15)) }')
kt=$(awk 'BEGIN { printf "%.17g", 4 * 29e9 / (2 - 0.15) }')

# lammps NAME STYLE COEFFICIENTS: the errors of a pair style
lammps() {
  printf '%-40s' "LAMMPS $1"
  for path in a b c d e f; do
    awk -F, -v by=spin -f "$paths/drive.awk" "$path.csv" |
      sed "s|^pair_style .*|pair_style $2|; s|^pair_coeff .*|pair_coeff * * $3|" > script
    lmp -screen none -log none -in script
    awk '/^ITEM: TIMESTEP/ { getline; step = $1 }
      /^ITEM: ATOMS/ { getline; getline; if (step > 0) printf "%d,%.17g\n", step, -$2 }' forces.txt | error
  done
  echo
}

lammps gran/hertz/history "gran/hertz/history $kn $kt 0 0 0.5 0" ""
for law in mindlin mindlin/force mindlin_rescale mindlin_rescale/force; do
  lammps "granular, $law" granular "hertz/material 66.7e9 0 0.15 tangential $law NULL 0 0.5 damping velocity"
done
