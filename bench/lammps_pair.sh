#!/bin/sh
# SPDX-License-Identifier: MIT
# What the pair style gran/jager costs inside LAMMPS, per contact, against LAMMPS' own granular (mindlin_rescale/force
# and mindlin_rescale) and gran/hertz/history, on the same spheres; and how that grows with spheres and ranks.
#     lammps_pair.sh [OPTION]...
#       --build DIR     where lmp_jager and jager were built: build
#       --core N        for one rank: 0; two ranks get all cores
#       --steps N       timed in a run of 4,096 spheres: 2000
#       --rounds N      in which all take turns: 5
#       --falls N       steps of the pour of 800 grains: 60000
#       --growth        also 1, 8 and 64 times as many spheres
#       --ranks LIST    for that: "1 2"
#       --keep DIR      work in DIR and leave everything there; packed.data and sheared.*, if there, are used again
#
# 4,096 spheres are packed at 100 kPa by jager and compressed by 1 % in plane strain by gran/jager, with the lateral
# stress held: histories come to their length. From there both go on with a prescribed lateral strain, as it has been on
# average; gran/jager with its histories, the others without, since they cannot have them. All have dashpots; none sums
# up stresses. Pair times are LAMMPS' own; a copy of the program runs gran/jager once more, to see how much is chance.
# The ratio is the median over the rounds of the pair time over that of granular in the same round. Then 800 grains fall
# between four walls onto a floor; ratios are those over gran/hertz/history with its walls. All spheres of a run are
# copies of the same cell, without histories at first, in the part on growth.
set -eu

fail() {
  echo "lammps_pair.sh: $*" >&2
  exit 1
}

program='' build=build core=0 steps=2000 rounds=5 falls=60000 growth='' all_ranks='1 2' keep=''
while [ $# -gt 0 ]; do
  case $1 in
  --growth) growth=yes ;;
  --build | --core | --steps | --rounds | --falls | --ranks | --keep)
    [ $# -ge 2 ] || fail "$1 needs a value"
    case $1 in
    --build) build=$2 ;;
    --core) core=$2 ;;
    --steps) steps=$2 ;;
    --rounds) rounds=$2 ;;
    --falls) falls=$2 ;;
    --ranks) all_ranks=$2 ;;
    --keep) keep=$2 ;;
    esac
    shift
    ;;
  *) fail "unknown option $1" ;;
  esac
  shift
done
shear_steps=10000
warm_up=500

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$build" && pwd) || fail "no build in $build"
lmp=$build/engines/lammps/lmp_jager
[ -x "$lmp" ] || fail "there is no lmp_jager in $build: is liblammps-dev installed?"
command -v taskset > /dev/null || fail "there is no taskset"
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_btl_vader_single_copy_mechanism OMP_NUM_THREADS

if [ -n "$keep" ]; then
  mkdir -p "$keep"
  work=$(cd "$keep" && pwd)
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' INT TERM HUP
fi
cd "$work"

# lammps RANKS LAW FROM FILE COPIES WARM_UP STEPS [VAR VALUE]...: to `out`
lammps() {
  ranks=$1 law=$2 from=$3 file=$4 copies=$5 before=$6 after=$7
  shift 7
  if [ "$ranks" -eq 1 ]; then
    set -- taskset -c "$core" "${program:-$lmp}" "$@"
  else
    set -- mpirun --oversubscribe --bind-to core -np "$ranks" "$lmp" "$@"
  fi
  "$@" -log none -in "$here/lammps_pair.in" -var law "$law" -var from "$from" -var file "$file" -var copies "$copies" \
    -var warm_up "$before" -var steps "$after" < /dev/null > out 2> err ||
    { tail -n 5 out err >&2; fail "LAMMPS failed"; }
}

# read_run NAME STEPS RANKS: a line
#     NAME, ns of pairs, ns of a whole step, share of the cores got, contacts, points of a history, bytes a contact
# times are those that all ranks together had the processor for, per contact and step: on a quiet machine, those by the
# clock
read_run() {
  awk -v name="$1" -v steps="$2" -v ranks="$3" '
    /^timed/ { timed = 1 }
    !timed { next }
    /^ *Step/ { table = 1; next }
    /^Loop/ { table = 0; seconds = $4 }
    table { contacts += $2; rows++; points = $3; bytes = $4 }
    /CPU use/ { share = $1 / 100 }
    /^Pair/ { pair = $5 }
    END { contacts /= rows; unit = 1e9 * ranks * share / (steps * contacts)
          print name, pair * unit, seconds * unit, share, contacts, points, bytes / contacts }' out
}

# ---- The spheres -----------------------------------------------------------------------------------------------------

echo "# lammps_pair.sh: ns of CPU per contact and step; best of $rounds rounds in which all took turns"
echo "# $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
echo "# LAMMPS $("$lmp" -h | sed -n 's/.*Simulator - //p')"
if ! [ -s packed.data ]; then
  # not by --set: checkpoint_spheres reads the case as it is written
  sed -e 's/spheres: 1000/spheres: 4096/' -e 's/unbalanced: 1e-3/unbalanced: 1e-2/' \
    "$here/../engines/lammps/examples/packing.yaml" > packing.yaml
  taskset -c "$core" "$build/src/cli/jager" run packing.yaml --quiet -o packing --force --threads 1 > /dev/null ||
    fail "no packing"
  "$build/bench/checkpoint_spheres" packing/checkpoint.jck > packing.txt
  sh "$here/upright.sh" "$build" packing.txt > packed.txt
  awk -v copies=1 -v as=lammps -v density=2650 -f "$here/spheres.awk" packed.txt packed.txt > packed.tmp
  mv packed.tmp packed.data
fi
if ! [ -s sheared.rate ]; then
  lammps 1 gran/jager data packed.data 1 "$((shear_steps - 1000))" 1000 \
    -var skin 2e-5 -var flow yes -var lateral servo -var save sheared
  awk '/^timed/ { timed = 1 } timed && /^ *Step/ { table = 1; next } /^Loop/ { table = 0 }
    table { if (!rows++) first = $NF; last = $NF }
    END { print log(last / first) / (1000 * 2e-7) }' out > sheared.tmp
  mv sheared.tmp sheared.rate
fi
rate=$(cat sheared.rate)

# run_law RANKS LAW COPIES WARM_UP STEPS SKIN
run_law() {
  if [ "$2" = gran/jager ] && [ "$3" -eq 1 ]; then
    lammps "$1" "$2" restart sheared.restart 1 "$4" "$5" -var skin "$6" -var flow no \
      -var lateral rate -var rate_x "$rate" -var save none
  else
    lammps "$1" "$2" data sheared.data "$3" "$4" "$5" -var skin "$6" \
      -var flow "$([ "$3" -gt 1 ] && echo yes || echo no)" -var lateral rate -var rate_x "$rate" -var save none
  fi
}

# Of the runs with the same name, keeps the one with the best pair time
best_runs() {
  awk '!($1 in pair) { order[++count] = $1 } !($1 in pair) || $2 < pair[$1] { pair[$1] = $2; line[$1] = $0 }
    END { for (i = 1; i <= count; i++) print line[order[i]] }' runs
}

# ---- 4,096 spheres ---------------------------------------------------------------------------------------------------

: > runs
cp "$lmp" lmp_copy
for _ in $(seq "$rounds"); do
  for law in granular granular_overlap gran/hertz/history gran/jager; do
    run_law 1 $law 1 "$warm_up" "$steps" 2e-5
    read_run $law "$steps" 1 >> runs
  done
  program=$work/lmp_copy
  run_law 1 gran/jager 1 "$warm_up" "$steps" 2e-5
  program=''
  read_run gran/jager,copy "$steps" 1 >> runs
done
# medians COLUMN BASE: for each name in `runs`, the median over the rounds of the column over that of BASE in its round
medians() {
  awk -v column="$1" -v base_name="$2" '{ if (!($1 in n)) order[++count] = $1; value[$1, ++n[$1]] = $column }
    END { for (k = 1; k <= count; k++) { name = order[k]; m = n[name]
        for (i = 1; i <= m; i++) { # sorted as they come
          ratio[i] = value[name, i] / value[base_name, i]
          for (j = i; j > 1 && ratio[j] < ratio[j - 1]; j--) {
            t = ratio[j]; ratio[j] = ratio[j - 1]; ratio[j - 1] = t } }
        print name, m % 2 ? ratio[(m + 1) / 2] : (ratio[m / 2] + ratio[m / 2 + 1]) / 2 } }' runs
}

medians 2 granular > ratios
printf '%-38s %8s %11s %8s %9s %8s %12s\n' "pair style" "pair" "x granular" "step" "contacts" "history" "B a contact"
best_runs > best
awk '
  FILENAME == "ratios" { ratio[$1] = $2; next }
  { name = $1; if ($4 < 0.95) busy = 1
    if (name == "granular") name = "granular mindlin_rescale/force"
    if (name == "granular_overlap") name = "granular mindlin_rescale"
    if (name == "gran/jager,copy") name = "gran/jager, by a copy of the program"
    printf "%-38s %8.1f %11.2f %8.1f %9.0f %8s %12s\n", name, $2, ratio[$1], $3, $5,
      ($6 ? sprintf("%.1f", $6) : "-"), ($7 ? sprintf("%.0f", $7) : "-") }
  END { if (busy) print "# the machine was BUSY: not all runs had their core to themselves" }' ratios best

# ---- A pour between walls --------------------------------------------------------------------------------------------

# pour NAME PROGRAM LAW: a line of `runs`
#     NAME, us a step of pairs, of fixes (walls, motion), of all, share of the core got
pour() {
  taskset -c "$core" "$2" -log none -in "$here/lammps_pour.in" -var law "$3" -var steps "$falls" \
    < /dev/null > out 2> err || { tail -n 5 out err >&2; fail "LAMMPS failed"; }
  awk -v name="$1" -v steps="$falls" '
    /^Loop/ { seconds = $4 }
    /CPU use/ { share = $1 / 100 }
    /^Pair/ { pair = $5 }
    /^Modify/ { modify = $5 }
    END { unit = 1e6 * share / steps; print name, pair * unit, modify * unit, seconds * unit, share }' out >> runs
}

: > runs
for _ in $(seq "$rounds"); do
  for law in granular gran/hertz/history gran/jager; do
    pour $law "$lmp" $law
  done
  pour gran/jager,copy "$work/lmp_copy" gran/jager
done
echo
echo "# a pour of 800 grains between walls, $falls steps; us of CPU a step (best), over gran/hertz/history (median)"
printf '%-38s %8s %8s %8s %8s %8s %8s\n' "pair style and walls" "pair" "x" "fixes" "x" "step" "x"
for column in 2 3 4; do
  medians $column gran/hertz/history > "ratios_$column"
done
best_runs > best
awk '
  FILENAME != "best" { ratio[$1, FILENAME] = $2; next }
  { if ($5 < 0.95) busy = 1
    printf "%-38s %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f\n", $1, $2, ratio[$1, "ratios_2"], $3, ratio[$1, "ratios_3"], $4,
      ratio[$1, "ratios_4"] }
  END { if (busy) print "# the machine was BUSY" }' ratios_2 ratios_3 ratios_4 best

# ---- Growth ----------------------------------------------------------------------------------------------------------

[ -n "$growth" ] || exit 0
echo
echo "# growth: copies of the same cell, without histories at first; ns of all ranks together"
printf '%-9s %-6s %-14s %8s %11s %8s %10s %9s %8s %12s\n' \
  spheres ranks "pair style" pair "x granular" step "steps/s" contacts history "B a contact"
for copies in 1 2 4; do
  case $copies in
  1) warm=300 timed=1000 tries=2 ;;
  2) warm=300 timed=300 tries=2 ;;
  4) warm=100 timed=100 tries=1 ;;
  esac
  for ranks in $all_ranks; do
    : > runs
    for _ in $(seq $tries); do
      for law in granular gran/jager; do
        if [ $copies -eq 1 ]; then # as the others: without histories at first
          lammps "$ranks" $law data sheared.data 1 $warm $timed -var skin 2e-5 -var flow no \
            -var lateral rate -var rate_x "$rate" -var save none
        else
          run_law "$ranks" $law $copies $warm $timed 2e-5
        fi
        read_run $law $timed "$ranks" >> runs
      done
    done
    best_runs | awk -v copies=$copies -v ranks="$ranks" '
      $1 == "granular" { base = $2 }
      { if ($4 < 0.95) busy = 1
        printf "%-9d %-6d %-14s %8.1f %11.2f %8.1f %10.1f %9.0f %8s %12s\n", 4096 * copies ^ 3, ranks, $1, $2,
          $2 / base, $3, 1e9 * ranks / ($3 * $5), $5, ($6 ? sprintf("%.1f", $6) : "-"),
          ($7 ? sprintf("%.0f", $7) : "-") }
      END { if (busy) print "# the machine was BUSY" }'
  done
done
