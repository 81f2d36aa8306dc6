#!/bin/sh
# SPDX-License-Identifier: MIT
# What density scaling does to a quasi-static test: biaxial compression of two packings of 1,000 spheres at several
# speeds, with true inertia, with one factor for all spheres, and with density scaling of each sphere.
#     density_scaling.sh [--build DIR] [--keep DIR]
# Deviator stress and volumetric strain are compared with a slow run with true inertia, every 1e-4 of strain. The run
# 'slow, again', which is 25 % faster, shows how well a slow run can be repeated at all.
set -eu
LC_ALL=C
export LC_ALL

build=build keep=''
while [ $# -gt 0 ]; do
  case $1 in
  --build) build=$2 ;;
  --keep) keep=$2 ;;
  esac
  shift 2
done
dir=${keep:-$(mktemp -d)}
[ -n "$keep" ] || trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir"

cat > "$dir/case.yaml" << 'END'
jager: 1
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
contact: {tolerance: 1e-3}
assembly: {packing: {spheres: 1000, sizes: {uniform: {min: 0.5 mm, max: 1.5 mm}}, pressure: 100 kPa}}
output: {plots: false}
stages:
  - name: biaxial
    control: {xx: {stress: 100 kPa}, yy: {strain_rate: 0}, zz: {strain_step: 1e-6}}
    until: {strain_zz: 1 %}
END

# run NAME SETTING...: one thread; writes the CPU time, which other processes do not change, to NAME.cpu
run() {
  name=$1
  shift
  [ ! -f "$dir/$name.cpu" ] || return 0
  for setting in "$@"; do
    set -- "$@" --set "$setting"
    shift
  done
  times > "$dir/before"
  "$build/src/cli/jager" run "$dir/case.yaml" -q -o "$dir/$name" --force --threads 1 "$@" > "$dir/$name.txt"
  times > "$dir/after"
  awk 'FNR == 2 { split($1, t, /[ms]/); s = 60 * t[1] + t[2] - s } END { print s }' "$dir/before" "$dir/after" \
    > "$dir/$name.cpu"
}

# shear PACKING NAME STRAIN_STEP SETTING...: biaxial compression of a packing
shear() {
  packing=$1 name=$2 step=$3
  shift 3
  run "$packing-$name" "assembly={checkpoint: $dir/$packing/checkpoint.jck}" "stages.0.control.zz.strain_step=$step" \
    "output.series=$(awk -v step="$step" 'BEGIN { printf "%.0f", 1e-4 / step }')" "$@"
}

# compare REFERENCE NAME TEXT: a line of the table
compare() {
  awk -F, -v text="$3" -v cpu="$(cat "$dir/$2.cpu")" '
    function median(list, n,   i, j, t) {
      for (i = 2; i <= n; i++)
        for (j = i; j > 1 && list[j] < list[j - 1]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
      return list[int((n + 1) / 2)] }
    FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    { row = int($column["strain_zz"] / 1e-4 + 0.5) }
    FILENAME == ARGV[1] {
      q[row] = $column["q"]; v[row] = $column["volumetric_strain"]; if (q[row] > peak) peak = q[row] }
    FILENAME == ARGV[2] && row > 0 && row <= 100 {
      n++; d = ($column["q"] - q[row]) / peak; sum += d * d; e = $column["volumetric_strain"] - v[row]; vol += e * e
      number[n] = $column["inertial_number"]; unbalanced[n] = $column["unbalanced"]
      most = $column["q"] > most ? $column["q"] : most; steps = $column["step"]; dt = $column["time_step"]
      error = $column["energy_error"] }
    END { printf "%-30s %7d %7.1f %9.2e %8.1e %9.1e %8.2f %8.2f %8.3f %9.1e\n", text, steps, cpu, dt,
          median(number, n), median(unbalanced, n), most / 1e3, 100 * sqrt(sum / n), 100 * sqrt(vol / n), error }
  ' "$dir/$1/series.csv" "$dir/$2/series.csv"
}

for seed in 1 2; do
  run "middle-$seed-1" 'stages.0.until={steps: 1}' "seed=$seed"
done
echo '# biaxial compression by 1 %; medians of inertial number and unbalanced force, largest q in kPa;'
echo '# rms differences from the slow run: dq of q, in % of its largest value, dv of the volumetric strain, in %'
printf '%-30s %7s %7s %9s %8s %9s %8s %8s %8s %9s\n' run steps CPU dt inertial unbal. 'q' 'dq' dv energy
for packing in middle-1-1 middle-2-1; do
  echo "$packing"
  shear "$packing" slow 1e-7
  compare "$packing-slow" "$packing-slow" '  slow'
  shear "$packing" again 1.25e-7
  compare "$packing-slow" "$packing-again" '  slow, again'
  for step in 4e-7 1e-6 2e-6; do
    shear "$packing" "true-$step" "$step"
    compare "$packing-slow" "$packing-true-$step" "  true inertia, step $step"
    shear "$packing" "factor-$step" "$step" density_scaling=7.5
    compare "$packing-slow" "$packing-factor-$step" "  factor 7.5, step $step"
    shear "$packing" "each-$step" "$step" density_scaling=each
    compare "$packing-slow" "$packing-each-$step" "  each sphere, step $step"
  done
done
echo 'another packing of the same grains'
compare middle-1-1-slow middle-2-1-slow '  slow, seed 2 against seed 1'
