#!/bin/sh
# SPDX-License-Identifier: MIT
# The effect of short histories on an assembly: a case is run with each way, and its ratio of stresses zz/xx over the
# strain is compared with the exact run. The yardstick is a second packing of the same grains.
#     macroscopic.sh [--build DIR] [--keep DIR] [CASE.yaml]
# The case must be one of exact jager contacts; its last stage is compared, row by row of the series.
set -eu
LC_ALL=C
export LC_ALL

build=build keep='' case=examples/biaxial.yaml
while [ $# -gt 0 ]; do
  case $1 in
  --build) build=$2 && shift ;;
  --keep) keep=$2 && shift ;;
  *) case=$1 ;;
  esac
  shift
done
dir=${keep:-$(mktemp -d)}
[ -n "$keep" ] || trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir"

# run NAME SETTING...: the series of the run, in NAME/series.csv
run() {
  name=$1
  shift
  [ ! -f "$dir/$name.done" ] || return 0
  for setting in "$@"; do
    set -- "$@" --set "$setting"
    shift
  done
  "$build/src/cli/jager" run "$case" -q -o "$dir/$name" --force --set output.plots=false "$@" > "$dir/$name.txt"
  touch "$dir/$name.done"
}

# compare NAME TEXT: a line of the table
compare() {
  awk -F, -v text="$2" '
    FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    { stage = $column["stage"]; strain = $column["strain_zz"]
      if (stage != last[FILENAME]) { last[FILENAME] = stage; start = FNR; offset = strain } }
    { ratio = $column["stress_zz"] / $column["stress_xx"]; row = FNR - start }
    FILENAME == ARGV[1] { exact[stage, row] = ratio; top = stage; next }
    stage == top && strain > 2e-4 {
      d = ratio - exact[stage, row]; if (d < 0) d = -d; sum += d * d; n++; if (d > most) most = d
      h = $column["history_mean"]; if (h > longest) longest = h; total += h }
    END { printf "%-16s %16.1f %14.1f %16.3f %12.3f\n", text, longest, total / n, sqrt(sum / n), most }
  ' "$dir/exact/series.csv" "$dir/$1/series.csv"
}

run exact
for tolerance in 1e-4 1e-3 1e-2 1e-1; do
  run "tolerance-$tolerance" "contact.tolerance=$tolerance"
done
run dp_max-0.10 contact.dp_max=0.05 # of f = 0.5
run seed-2 seed=2

echo "# macroscopic.sh $case: stress ratio zz/xx of each run against the exact run"
printf '%-16s %16s %14s %16s %12s\n' run 'longest mean' 'over time' 'rms difference' largest
for tolerance in 1e-4 1e-3 1e-2 1e-1; do
  compare "tolerance-$tolerance" "tolerance $tolerance"
done
compare dp_max-0.10 'dp_max 0.10 f'
compare seed-2 'exact, seed 2'
