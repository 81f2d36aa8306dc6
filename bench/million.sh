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

# biaxial ASSEMBLY STEPS
biaxial() {
  cat << END
jager: 1
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
contact: {model: jager, tolerance: 1e-3}
damping: {local: 0.2}
assembly: {$1}
output: {series: 100, plots: false}
checkpoint: {minutes: 0}
stages:
  - name: biaxial
    control: {xx: {stress: 100 kPa}, yy: {strain_rate: 0}, zz: {strain_step: 1e-6}}
    until: {steps: $2}
END
}

if ! [ -s sheared.txt ]; then
  packing='packing: {spheres: 8000, sizes: {uniform: {min: 0.8 mm, max: 1.2 mm}}, pressure: 100 kPa'
  packing="$packing, friction: 0.02, unbalanced: 1e-2}"
  biaxial "$packing" 1 > packing.yaml
  "$build/src/cli/jager" run packing.yaml -q -o packing --force --threads "$threads" > packing.out
  "$build/bench/checkpoint_spheres" packing/checkpoint.jck > packing.txt
  sh "$here/upright.sh" "$build" packing.txt > packed.txt
  biaxial 'file: packed.txt' 3000 > sheared.yaml
  "$build/src/cli/jager" run sheared.yaml -q -o sheared --force --threads "$threads" > sheared.out
  "$build/bench/checkpoint_spheres" sheared/checkpoint.jck > sheared.tmp
  mv sheared.tmp sheared.txt
fi
awk -v copies="$copies" -f "$here/spheres.awk" sheared.txt sheared.txt > many.txt
biaxial 'file: many.txt' "$steps" > many.yaml
command time -f 'resident: %M KB' "$build/src/cli/jager" run many.yaml -q -o many --force --threads "$threads" 2>&1
echo "mean length of a history, longest; bytes a contact and its history:"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
         { mean = $c["history_mean"]; most = $c["history_max"]; bytes = $c["history_bytes"] / $c["contacts"] }
         END { printf "%.1f, %d; %.0f\n", mean, most, bytes }' many/series.csv
