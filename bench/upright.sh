#!/bin/sh
# SPDX-License-Identifier: MIT
# Packed spheres in an upright cell, for LAMMPS and for copies of the cell: upright.sh BUILD PACKED > UPRIGHT Packing
# makes the stress isotropic, for which the cell shears a little. PACKED, as checkpoint_spheres prints it, is sheared
# back to a rectangular cell and comes to rest again at 100 kPa, with the friction of the packing and the ratio of its
# edges.
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^#/ { next }
  $1 == "cell" { ly = $3; lz = $4; xy = $5; xz = $6; yz = $7; print $1, $2, $3, $4; next }
  { w = $3 / lz
    v = ($2 - yz * w) / ly
    printf "%.17g %.17g %s %s\n", $1 - xy * v - xz * w, $2 - yz * w, $3, $4 }' "$2" > "$work/sheared_back.txt"
cat > "$work/rest.yaml" << END
jager: 1
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.02, density: 2650 kg/m3}
damping: {viscous: 0.1, local: 0.5}
assembly: {file: sheared_back.txt}
output: {series: 0, plots: false}
stages:
  - name: rest
    mean_stress: {stress: 100 kPa}
    until: {unbalanced: 2e-3, steps: 100000}
END
"$build/src/cli/jager" run "$work/rest.yaml" -q -o "$work/rest" --threads 1 > "$work/rest.out" 2>&1 ||
  { cat "$work/rest.out" >&2; exit 1; }
"$build/bench/checkpoint_spheres" "$work/rest/checkpoint.jck"
