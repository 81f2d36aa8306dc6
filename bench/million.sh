#!/bin/sh
# SPDX-License-Identifier: MIT
# A million spheres with short histories: memory and time a step.
#     million.sh [--build DIR] [--keep DIR] [--copies N] [--steps N] [--threads N]
# A cell of 8,000 spheres is packed at 100 kPa and sheared by 0.3 % in plane strain with a tolerance of 1e-3; N x N x N
# copies of it (5) lie side by side and are sheared on, first without histories.
set -eu
LC_ALL=C
export LC_ALL

build=build keep='' copies=5 steps=1000 threads=2
while [ $# -gt 0 ]; do
  case $1 in
  --build) build=$2 ;;
  --keep) keep=$2 ;;
  --copies) copies=$2 ;;
  --steps) steps=$2 ;;
  --threads) threads=$2 ;;
  *) echo "million.sh: unknown option $1" >&2 && exit 1 ;;
  esac
  shift 2
done
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$build" && pwd)
dir=${keep:-$(mktemp -d)}
[ -n "$keep" ] || trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir"
cd "$dir"

# shellcheck source=bench/sheared_cell.inc
. "$here/sheared_cell.inc"
make_sheared_cell 8000 "$threads"
awk -v copies="$copies" -f "$here/spheres.awk" sheared.txt sheared.txt > many.txt
biaxial 'file: many.txt' "$steps" > many.yaml
command time -f 'resident: %M KB' "$build/src/cli/jager" run many.yaml -q -o many --force --threads "$threads" 2>&1
echo "mean length of a history, longest; bytes a contact and its history:"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
         { mean = $c["history_mean"]; most = $c["history_max"]; bytes = $c["history_bytes"] / $c["contacts"] }
         END { printf "%.1f, %d; %.0f\n", mean, most, bytes }' many/series.csv
