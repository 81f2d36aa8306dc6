#!/bin/sh
# SPDX-License-Identifier: MIT
# What `make run` shows: the paper's biaxial test of 4,096 spheres, and its pictures. A run that was interrupted goes
# on; one that is done, with this program and case, is shown again.
#     run.sh PROGRAM
set -eu
jager=$1
case=examples/biaxial.yaml
dir=out/biaxial

# FILE is there, and newer than the program and the case
is_current() {
  [ -n "$(find "$1" -newer "$jager" -newer "$case" 2> /dev/null)" ]
}

if is_current "$dir/summary.txt"; then
  echo "nothing has changed since:"
  cat "$dir/summary.txt"
  [ -e "$dir/stress-strain.png" ] || PYTHONPATH=python /usr/bin/python3 -m jager draw "$dir" > /dev/null || :
else
  how=--force
  is_current "$dir/checkpoint.jck" && how=--resume
  "$jager" run "$case" -o "$dir" "$how"
fi
echo
echo "pictures:"
for picture in "$dir"/*.png; do
  echo "  $picture"
done
echo "numbers:    $dir/series.csv, $dir/result.h5; the movements of one contact: $dir/trace-1.csv"
