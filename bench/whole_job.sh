#!/bin/sh
# SPDX-License-Identifier: MIT
# The whole time to a result, against LAMMPS: 4,096 random spheres, packed to rest and consolidated at 100 kPa, then
# compressed by 4 % in plane strain with a row every 200 steps.
#     whole_job.sh [--build DIR] [--core N] [--spheres N] [--rounds N]
# All take turns on one core; the table has the least processor time of the rounds. `copy` is a copy of the same
# program, as a control. Both sides pack to a mean resultant force of 1 % of the mean contact force, consolidate in
# 5,000 steps and are strained by 1e-6 in a step. LAMMPS' side is whole_job.in; it writes stresses and edges, and no
# other measures; its lateral stress is held by fix press/berendsen.
set -eu
LC_ALL=C
export LC_ALL

fail() {
  echo "whole_job.sh: $*" >&2
  exit 1
}

build=build core=0 spheres=4096 rounds=3
while [ $# -gt 1 ]; do
  case $1 in
  --build) build=$2 ;;
  --core) core=$2 ;;
  --spheres) spheres=$2 ;;
  --rounds) rounds=$2 ;;
  *) fail "unknown option $1" ;;
  esac
  shift 2
done
[ $# -eq 0 ] || fail "$1 needs a value"
here=$(cd "$(dirname "$0")" && pwd)
program=$(cd "$build" && pwd)/src/cli/jager
[ -x "$program" ] || fail "there is no $program: make it first"
command -v lmp > /dev/null || fail "there is no LAMMPS: on Debian, the package lammps"
env time -f %U true 2> /dev/null || fail "there is no GNU time: on Debian, the package time"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
cd "$dir"
cp "$program" copy

# timed NAME COMMAND...: its output in NAME.out, and its processor time as another line of NAME.times
timed() {
  name=$1
  shift
  taskset -c "$core" time -o "$name.time" -f '%U %S' "$@" > "$name.out" 2>&1 || fail "$name: $(tail -n 3 "$name.out")"
  awk '{ print $1 + $2 }' "$name.time" >> "$name.times"
}

# jager NAME PROGRAM SETTING
jager() {
  timed "$1" "$2" run "$here/whole_job.yaml" -q --threads 1 -o "run-$1" --force --set "$3" \
    --set "assembly.packing.spheres=$spheres"
}

# lammps LAW
lammps() {
  timed "$1" lmp -in "$here/whole_job.in" -log "$1.log" -screen none -var spheres "$spheres" -var seed 12345 \
    -var law "$2" -var skin 1e-4 -var rest 1e-2
}

round=0
while [ $((round += 1)) -le "$rounds" ]; do
  jager exact "$program" contact.model=jager
  jager copy ./copy contact.model=jager
  jager tolerance-1e-3 "$program" contact.tolerance=1e-3
  jager hertz-mindlin "$program" contact.model=hertz-mindlin
  lammps granular granular
  lammps hertz-history gran/hertz/history
done

least() {
  sort -n "$1.times" | head -n 1
}

reference=$(least granular)
echo "$spheres spheres, $rounds rounds; CPU: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
printf '%-16s %9s %7s %14s %16s %9s\n' program 'CPU, s' ratio 'steps packing' 'peak szz/sxx' at
for name in exact copy tolerance-1e-3 hertz-mindlin; do
  awk -F, -v name=$name -v seconds="$(least $name)" -v reference="$reference" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["stage"] == 0 { packing = $at["step"] }
    $at["stage"] == 2 && $at["stress_zz"] / $at["stress_xx"] > peak {
      peak = $at["stress_zz"] / $at["stress_xx"]; strain = 100 * $at["strain_in_stage_zz"] }
    END { printf "%-16s %9.1f %7.2f %14d %16.2f %7.2f %%\n", name, seconds, seconds / reference, packing, peak, strain }
  ' "run-$name/series.csv"
done
for name in granular hertz-history; do
  awk -v name=$name -v seconds="$(least $name)" -v reference="$reference" '
    /^packed at step/ { packing = $4 + 0; next }
    packing && $1 == "Step" { columns = NF; rows = columns == 8; first = ""; next }
    /^Loop/ { rows = 0 }
    rows && NF == 8 { if (first == "") first = $1
      if ($4 / $2 > peak) { peak = $4 / $2; strain = 1e-4 * ($1 - first) } }
    END { printf "%-16s %9.1f %7.2f %14d %16.2f %7.2f %%\n", name, seconds, seconds / reference, packing, peak, strain }
  ' "$name.log"
done
