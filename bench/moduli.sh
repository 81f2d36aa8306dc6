#!/bin/sh
# SPDX-License-Identifier: MIT
# Small-strain stiffness of packings of 1,000 spheres over pressure, for spheres and cones; then time and memory of
# jager moduli for copies of one of them.
#     moduli.sh [--build DIR] [--keep DIR] [--copies 'N ...'] [--threads N]
# The copies, N x N x N, lie side by side without the shear forces of the original: they are not quite in equilibrium.
set -eu
LC_ALL=C
export LC_ALL

build=build keep='' copies='2 5' threads=2
while [ $# -gt 0 ]; do
  case $1 in
  --build) build=$2 ;;
  --keep) keep=$2 ;;
  --copies) copies=$2 ;;
  --threads) threads=$2 ;;
  *) echo "moduli.sh: unknown option $1" >&2 && exit 1 ;;
  esac
  shift 2
done
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$build" && pwd)
dir=${keep:-$(mktemp -d)}
[ -n "$keep" ] || trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir"
cd "$dir"
jager=$build/src/cli/jager

# pack NAME CONTOUR: at each pressure, unless it is there
pressures="25 50 100 200 400 800"
pack() {
  for p in $pressures; do
    [ -s "$1-$p/summary.txt" ] ||
      "$jager" run "$here/../examples/gmax.yaml" -q --force --threads "$threads" --set output.plots=false \
        --set assembly.packing.pressure="$p kPa" --set contact.contour="$2" -o "$1-$p" > "$1-$p.out"
  done
}

# list NAME: its states by rising pressure
list() {
  for p in $pressures; do
    echo "$1-$p"
  done
}

pack spheres '{kind: sphere}'
pack cones '{kind: cone, slope: 0.02}'
for name in spheres cones; do
  echo "$name:"
  # shellcheck disable=SC2046 # names without blanks
  "$jager" moduli $(list $name) -q --threads "$threads" -o "$name.csv"
  echo
done

"$build/bench/checkpoint_spheres" spheres-100/checkpoint.jck > packing.txt
sh "$here/upright.sh" "$build" packing.txt > one.txt
for n in 1 $copies; do
  awk -v copies="$n" -f "$here/spheres.awk" one.txt one.txt > copies.txt
  sed "/^assembly:/,/^stages:/c\\
assembly: {file: copies.txt}\\
stages:" "$here/../examples/gmax.yaml" > copies.yaml
  command time -f '%e s, %U s of processor time, %M KB resident' "$jager" moduli copies.yaml -q --threads "$threads" \
    2> told | sed -n 's/^  spheres  */spheres: /p; s/^  K  /K/p; s/^  G  /G/p'
  tail -n 1 told
done
