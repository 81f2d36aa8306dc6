#!/bin/sh
# SPDX-License-Identifier: MIT
# What contacts of fixed size lose: against exact twins in the biaxial test and in 50 cycles of shear, and in modulus
# and damping of cycles of several amplitudes. Takes about 20 minutes.
#     study.sh BUILD_DIR SOURCE_DIR
set -eu
build=$(cd "$1" && pwd)
study=$build/bench/compact_study
cd "$2"
echo "## examples/biaxial.yaml: 4,096 spheres, plane strain to 4 %"
"$study" twins examples/biaxial.yaml
echo
echo "## bench/cyclic-50.yaml: 1,000 spheres, 50 cycles of simple shear"
"$study" twins bench/cyclic-50.yaml
for gamma in 1e-6 1e-5 1e-4 1e-3; do
  echo
  echo "## bench/cyclic-50.yaml with gamma = $gamma, second cycle"
  "$study" loops bench/cyclic-50.yaml stages.cycles.until.cycles=2 \
    "stages.cycles.cyclic.amplitude=$(echo "$gamma" | awk '{ print $1 / 2 }')" \
    "stages.cycles.control.xz.strain_step=$(echo "$gamma" | awk '{ print $1 / 1000 }')"
done
echo
"$build/bench/compact_memory"
