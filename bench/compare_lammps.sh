#!/bin/sh
# SPDX-License-Identifier: MIT
# What a whole time step costs, per contact: `jager run` against LAMMPS with its pair style `granular`, on the same
# spheres.
#     compare_lammps.sh [OPTION]...
#       --build DIR      where jager was built: build
#       --core N         for one thread: 0; two threads get the cores 0 and 1
#       --spheres N      in the assembly: 4096
#       --packed FILE    packed spheres, as `assembly: {file: ...}` takes them, instead of packing some
#       --steps N        timed in a run: 2000
#       --rounds N       in which all codes take turns; the best of all counts: 5
#       --growth         also 1, 8 and 64 times as many spheres, with their memory
#       --keep DIR       work in DIR and leave everything there; packed.txt and sheared.jck, if there, are used again
# Needs lmp (or what $LMP names), GNU time and taskset; one core to itself, and a second one for two threads.
#
# The spheres are packed at 100 kPa and sheared by 1 % in plane strain with the law `jager`. All codes get them as they
# are then and shear on, 1e-6 a step: first some steps untimed, in which the tangential forces come back, then the timed
# ones. Only `jager` goes on from the checkpoint, with the histories that 1 % has made, since its time depends on them;
# once exact, once with a tolerance (jager-1e-3). LAMMPS is spared what it need not do: it has no servo, but follows the
# lateral strain that jager's hertz-mindlin had; it sums up no stresses and no energies, and damps in the contacts only.
# Its skin and `newton` are the best of those tried. `copy` is a copy of the same program, as a control.
set -eu
LC_ALL=C
export LC_ALL

fail() {
  echo "compare_lammps.sh: $*" >&2
  exit 1
}

build=build core=0 spheres=4096 packed='' steps=2000 rounds=5 growth='' keep=''
lmp=${LMP:-lmp}
while [ $# -gt 0 ]; do
  case $1 in
  --growth) growth=yes ;;
  --build | --core | --spheres | --packed | --steps | --rounds | --keep)
    [ $# -ge 2 ] || fail "$1 needs a value"
    case $1 in
    --build) build=$2 ;;
    --core) core=$2 ;;
    --spheres) spheres=$2 ;;
    --packed) packed=$2 ;;
    --steps) steps=$2 ;;
    --rounds) rounds=$2 ;;
    --keep) keep=$2 ;;
    esac
    shift
    ;;
  *) fail "unknown option $1" ;;
  esac
  shift
done
shear_steps=10000
warm_up=1000
growth_warm_up=500
growth_steps=200
growth_rounds=3

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$build" && pwd) || fail "no build in $build"
for program in src/cli/jager bench/checkpoint_spheres; do
  [ -x "$build/$program" ] || fail "there is no $program in $build: make it first"
done
command -v "$lmp" > /dev/null || fail "there is no LAMMPS: on Debian, the package lammps"
env time -f %e true 2> /dev/null || fail "there is no GNU time: on Debian, the package time"
command -v taskset > /dev/null || fail "there is no taskset"

if [ -n "$packed" ]; then
  packed=$(cd "$(dirname "$packed")" && pwd)/$(basename "$packed")
fi
if [ -n "$keep" ]; then
  mkdir -p "$keep"
  work=$(cd "$keep" && pwd)
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' INT TERM HUP
fi
cd "$work"

# ---- jager -----------------------------------------------------------------------------------------------------------

# material MODEL
material() {
  cat << END
jager: 1
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
contact: {model: $1}
damping: {local: 0.2}
END
}

packing_case() {
  material jager
  cat << END
assembly:
  packing:
    spheres: $spheres
    sizes: {uniform: {min: 0.8 mm, max: 1.2 mm}}
    pressure: 100 kPa
    friction: 0.02
    unbalanced: 1e-2
output: {series: 0, plots: false}
stages:
  - name: rest
    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {stress: 100 kPa}}
    until: {steps: 1}
END
}

# biaxial_case MODEL ASSEMBLY STEPS; the two lines of the series, start and end, are for the summary
biaxial_case() {
  material "$1"
  cat << END
assembly: {$2}
output: {series: $3, plots: false}
checkpoint: {minutes: 0}
stages:
  - name: biaxial
    control: {xx: {stress: 100 kPa}, yy: {strain_rate: 0}, zz: {strain_step: 1e-6}}
    until: {steps: $3}
END
}

cores() {
  if [ "$1" = 1 ]; then echo "$core"; else echo 0,1; fi
}

# run_jager NAME [THREADS]: NAME.yaml, to the directory NAME, NAME.json and NAME.time
run_jager() {
  taskset -c "$(cores "${2:-1}")" time -o "$1.time" -f '%e %U %S %M' \
    "$program" run "$1.yaml" -q -o "$1" --force --threads "${2:-1}" --json > "$1.json" ||
    fail "jager failed"
}

# value KEY FILE.json: of the last stage, if it has it
value() {
  sed -n "s/.*\"$1\": \"*\([-+.0-9e]*\).*/\1/p" "$2"
}

# prepare MODEL ASSEMBLY WARM_UP STEPS NAME: warm-NAME, from which time-NAME begins. A run of one step, end-NAME, shows
# what the end of a run costs, measures and a checkpoint: seconds in NAME.end, the least of three.
prepare() {
  biaxial_case "$1" "$2" "$3" > "warm-$5.yaml"
  run_jager "warm-$5"
  biaxial_case "$1" "checkpoint: warm-$5/checkpoint.jck" "$(($4 + 1))" > "time-$5.yaml"
  biaxial_case "$1" "checkpoint: warm-$5/checkpoint.jck" 1 > "end-$5.yaml"
  for _ in 1 2 3; do
    run_jager "end-$5"
    value seconds "end-$5.json"
  done | sort -g | head -n 1 > "$5.end"
  [ -s "$5.end" ] || fail "no run of one step"
}

# time_jager NAME THREADS [AS]: a line of the file `runs`
#     AS or NAME-THREADS, ns, share of the cores got, ns of the pairs, contacts, points of a history, bytes, KB resident
time_jager() {
  run_jager "time-$1" "$2"
  awk -v name="${3:-$1-$2}" -v threads="$2" -v ns="$(value ns_per_contact_step "time-$1.json")" \
    -v seconds="$(value seconds "time-$1.json")" -v end="$(cat "$1.end")" \
    -v steps="$(value steps "time-$1.json")" -v contacts="$(value contacts "time-$1.json")" \
    -v history="$(value history_mean "time-$1.json")" -v bytes="$(value bytes "time-$1.json")" '
    { share = ($2 + $3) / ($1 * threads)
      print name, ns * (seconds - end) / seconds * steps / (steps - 1), share, "-", contacts, history, bytes, $4 }
    ' "time-$1.time" >> runs
}

# ---- LAMMPS ----------------------------------------------------------------------------------------------------------

# run_lammps LAW DATA NEWTON SKIN WARM_UP STEPS: to lammps.out and lammps.time
run_lammps() {
  taskset -c "$core" time -o lammps.time -f '%e %U %S %M' \
    "$lmp" -in "$here/lammps.in" -log none -var law "$1" -var data "$2" -var newton "$3" -var skin "$4" \
    -var warm_up "$5" -var steps "$6" -var dt "$time_step" -var rate_x "$rate_x" -var rate_z "$rate_z" \
    > lammps.out 2>&1 || { tail -5 lammps.out >&2; fail "LAMMPS failed"; }
}

# The timed run: seconds, share of the core got, seconds of the pairs, contacts, Pxx, Pyy, Pzz at the end, MB
read_lammps() {
  awk '/^timed/ { timed = 1 }
       !timed { next }
       /^ *Step/ { table = 1; next }
       /^Loop/ { table = 0; seconds = $4 }
       table { contacts += $2; lines++; stress = $3 " " $4 " " $5 }
       /CPU use/ { share = $1 / 100 }
       /^Pair/ { pair = $3 }
       /memory allocation/ { memory = $(NF - 1) }
       END { print seconds, share, pair, contacts / lines, stress, memory }' lammps.out
}

# time_lammps LAW DATA NEWTON SKIN WARM_UP STEPS NAME: a line of `runs`, as above
time_lammps() {
  run_lammps "$1" "$2" "$3" "$4" "$5" "$6"
  read_lammps | awk -v name="$7" -v steps="$6" -v rss="$(awk '{ print $4 }' lammps.time)" '
    { unit = 1e9 / (steps * $4); print name, $1 * unit, $2, $3 * unit, $4, 0, $8 * 1048576, rss }' >> runs
}

# tune LAW DATA STEPS TRIES NEWTONS: the fastest "newton skin", by the time that the processor took; all go to `tried`
tune() {
  : > tried
  for try in $(seq "$4"); do
    for newton in $5; do
      for skin in 5e-6 1e-5 2e-5 4e-5 8e-5; do
        run_lammps "$1" "$2" "$newton" "$skin" 0 "$3"
        read_lammps |
          awk -v newton="$newton" -v skin="$skin" -v try="$try" '{ print newton, skin, $1 * $2, try }' >> tried
      done
    done
  done
  sort -g -k 3 tried | awk 'NR == 1 { print $1, $2 }'
}

# ---- Preparing -------------------------------------------------------------------------------------------------------

program=$build/src/cli/jager
cp "$program" jager-copy
echo "# compare_lammps.sh: a whole time step, in ns per contact; best of $rounds rounds in which the codes took turns"
echo "# $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), one core"

if [ -n "$packed" ]; then
  cp "$packed" packed.txt
elif ! [ -s packed.txt ]; then
  packing_case > packing.yaml
  run_jager packing
  "$build/bench/checkpoint_spheres" packing/checkpoint.jck > packing.txt
  sh "$here/upright.sh" "$build" packing.txt > packed.tmp
  mv packed.tmp packed.txt
fi
if [ -n "$packed" ] || ! [ -s sheared.jck ]; then
  biaxial_case jager "file: packed.txt" "$shear_steps" > shear.yaml
  run_jager shear
  mv shear/checkpoint.jck sheared.jck
fi
"$build/bench/checkpoint_spheres" sheared.jck > sheared.txt
awk -v copies=1 -v as=lammps -v density=2650 -f "$here/spheres.awk" sheared.txt sheared.txt > sheared.data
echo "# jager: $("$build/src/cli/jager" info sheared.jck | sed -n 's/^checkpoint of jager //p')"
echo "# LAMMPS: $("$lmp" -h | sed -n -e 's/.*Simulator - \(.*\)/\1/p' -e 's/^Compiler: \(.*\)/\1/p' |
  paste -s -d ';' -)"

prepare jager "checkpoint: sheared.jck" "$warm_up" "$steps" jager
prepare "jager, tolerance: 1e-3" "checkpoint: sheared.jck" "$warm_up" "$steps" jager-1e-3
prepare modified-mindlin "file: sheared.txt" "$warm_up" "$steps" modified-mindlin
prepare hertz-mindlin "file: sheared.txt" "$warm_up" "$steps" hertz-mindlin

run_jager time-hertz-mindlin
time_step=$(value time_step time-hertz-mindlin.json)
rate_z=$(awk -v dt="$time_step" 'BEGIN { print -1e-6 / dt }')
rate_x=$(awk -v dt="$time_step" -v warm="$(value strain_xx warm-hertz-mindlin.json)" \
  -v steps="$((warm_up + steps + 1))" -v timed="$(value strain_xx time-hertz-mindlin.json)" \
  'BEGIN { print -(warm + timed) / (steps * dt) }')

# The same spheres: as many contacts
run_lammps granular sheared.data on 2e-5 0 1
seen=$(awk '/^timed/ { timed = 1 } timed && /^ *Step/ { getline; print $2; exit }' lammps.out)
awk -v seen="$seen" -v dt="$time_step" 'NR == 1 {
  printf "# %d spheres, %d contacts; LAMMPS counts %d; its time step is %.4g s\n", $2, $4, seen, dt
  exit (seen > $4 + 2 || seen < $4 - 2) }' sheared.txt || fail "these are not the same contacts"

best_granular=$(tune granular sheared.data "$steps" 2 "on off")
best_history=$(tune gran/hertz/history sheared.data "$steps" 2 "on off")
echo "# LAMMPS is fastest with newton and skin (m): granular $best_granular, gran/hertz/history $best_history"

# ---- Timing ----------------------------------------------------------------------------------------------------------

: > runs
processors=$(getconf _NPROCESSORS_ONLN)
for _ in $(seq "$rounds"); do
  # shellcheck disable=SC2086 # newton and skin are two words
  time_lammps granular sheared.data $best_granular "$warm_up" "$steps" granular
  stress_lammps=$(read_lammps | awk '{ printf "%.0f, %.0f, %.0f", $5 / 1e3, $6 / 1e3, $7 / 1e3 }')
  # shellcheck disable=SC2086
  time_lammps gran/hertz/history sheared.data $best_history "$warm_up" "$steps" gran/hertz/history
  for model in jager jager-1e-3 modified-mindlin hertz-mindlin; do
    time_jager "$model" 1
  done
  program=$work/jager-copy
  time_jager jager 1 copy-1
  program=$build/src/cli/jager
  [ "$processors" -lt 2 ] || time_jager jager 2
done
echo "# stresses xx, yy, zz at the end, kPa: LAMMPS granular $stress_lammps; jager" "$(for k in xx yy zz; do
  value stress_$k time-hertz-mindlin.json; done | awk '{ printf "%s%.0f", sep, $1 / 1e3; sep = ", " }') (hertz-mindlin)"
echo "# $steps steps, after $warm_up untimed; the end of a run (measures, checkpoint) is not counted: of jager's last" \
  "$(value seconds time-jager.json) s, $(cat jager.end) s"

# The best of the lines of `runs` with the same name, in their order
best_runs() {
  awk '!($1 in ns) { order[++count] = $1 }
       !($1 in ns) || $2 < ns[$1] { ns[$1] = $2; line[$1] = $0 }
       !($1 in cpu) || $2 * $3 < cpu[$1] { cpu[$1] = $2 * $3 }
       END { for (i = 1; i <= count; i++) print line[order[i]], cpu[order[i]] }' runs
}

# "ns": by the clock; "of CPU": processor time, also the best. Both are equal on a quiet machine.
printf '%-38s %8s %8s %8s %9s %9s %8s\n' "code, law" "ns" "of CPU" "pair" "x LAMMPS" "contacts" "history"
best_runs | awk '
  $1 == "granular" { base = $2 }
  { name = $1 ~ /^gran/ ? "LAMMPS " $1 : "jager " $1
    if ($1 == "granular") name = name " mindlin_rescale/force"
    two = $1 ~ /-2$/
    sub(/-1$/, "", name); sub(/-2$/, ", 2 threads", name)
    if ($1 == "jager-1") { one = $2 }
    if ($1 == "jager-2") { both = $2 }
    if (!two && $3 < 0.95) busy = 1
    cpu = two ? "-" : sprintf("%.1f", $9)
    pair = $4 == "-" ? "-" : sprintf("%.1f", $4)
    history = $6 == 0 ? "-" : sprintf("%.1f", $6)
    printf "%-38s %8.1f %8s %8s %9.2f %9.0f %8s\n", name, $2, cpu, pair, $2 / base, $5, history }
  END { if (both > 0) printf "# jager, 2 threads: %.2f times as fast as 1\n", one / both
        if (busy) print "# the machine was BUSY: not all codes had their core to themselves; not for the record" }'

# ---- Growth ----------------------------------------------------------------------------------------------------------

[ -n "$growth" ] || exit 0
echo
echo "# growth: copies of the same cell, at first without histories;" \
  "$growth_steps steps, after $growth_warm_up untimed, best of $growth_rounds rounds"
printf '%-9s %-22s %8s %8s %10s %8s %12s %9s\n' spheres code ns "of CPU" contacts MB "B a contact" "RSS, MB"
for copies in 1 2 4; do
  awk -v copies="$copies" -f "$here/spheres.awk" sheared.txt sheared.txt > "grown-$copies.txt"
  awk -v copies="$copies" -v as=lammps -v density=2650 -f "$here/spheres.awk" sheared.txt sheared.txt \
    > "grown-$copies.data"
  for model in jager hertz-mindlin; do
    prepare "$model" "file: grown-$copies.txt" "$growth_warm_up" "$growth_steps" "$model"
  done
  best=$(tune granular "grown-$copies.data" "$growth_steps" 1 on)
  : > runs
  for _ in $(seq "$growth_rounds"); do
    # shellcheck disable=SC2086
    time_lammps granular "grown-$copies.data" $best "$growth_warm_up" "$growth_steps" granular
    time_jager hertz-mindlin 1
    time_jager jager 1
    [ "$processors" -lt 2 ] || time_jager jager 2
  done
  best_runs | awk -v spheres="$(grep -c -v -e '^#' -e cell "grown-$copies.txt")" '
    { name = $1 ~ /^gran/ ? "LAMMPS " $1 : "jager " $1
      two = $1 ~ /-2$/
      sub(/-1$/, "", name); sub(/-2$/, ", 2 threads", name)
      printf "%-9d %-22s %8.1f %8s %10.0f %8.1f %12.0f %9.1f\n", spheres, name, $2,
             two ? "-" : sprintf("%.1f", $9), $5, $7 / 1e6, $7 / $5, $8 / 1e3 }'
done
echo "# MB: what a code itself says that it has taken; RSS: the most that was resident"
