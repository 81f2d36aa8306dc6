#!/bin/sh
# SPDX-License-Identifier: MIT
# What `make run` shows: the paper's nine movements, their forces, and the picture.
#     run.sh PROGRAM
set -eu
jager=$1
mkdir -p out
"$jager" contact --plot out/nine-movements.png --history out/nine-movements-history.csv \
  --tractions out/nine-movements-tractions.csv examples/nine-movements.csv > out/nine-movements.csv
awk -F, 'NR == 1 { printf "%5s %10s %10s %12s %12s %9s %7s\n", $1, $2, $3, $5, $6, $8, $9; next }
         { printf "%5d %10.4g %10.4g %12.6g %12.6g %9s %7d\n", $1, $2, $3, $5, $6, $8, $9 }' out/nine-movements.csv
echo
echo "picture:    out/nine-movements.png"
echo "numbers:    out/nine-movements.csv"
echo "histories:  out/nine-movements-history.csv"
echo "tractions:  out/nine-movements-tractions.csv"
