#!/bin/sh
# SPDX-License-Identifier: MIT
# The numbers behind docs/scale.md: what a step costs as assemblies grow, and what ranks send each other.
#     scaling.sh [OPTION]...
#       --build DIR     where jager, bench/step, bench/checkpoint_spheres and lmp_jager were built: build
#       --parts LIST    "sizes huge ranks list-time traffic lists migration cache", or some of them
#       --keep DIR      work in DIR and leave everything there; packed.txt and sheared.txt, if there, are used again
#     sizes      ns per contact and step of 4,096 to 884,736 spheres, 1 and 2 threads, in turns; bytes
#     huge       the same of 8,998,912 spheres: 12 GB
#     ranks      LAMMPS with gran/jager, 1 and 2 ranks: its own times, in turns
#     list-time  LAMMPS: what a new neighbour list costs
#     traffic    up to 27 ranks on any number of cores: ghosts, messages, bytes, balance. Counts, no times
#     lists      steps between neighbour lists of LAMMPS, over the width of the box
#     migration  a biaxial test to 1 % on 8 ranks: contacts that change ranks, bytes of restart files
#     cache      bytes that a contact and step fetch from memory, by the simulated cache of cachegrind
#
# All assemblies are copies of one cell of 4,096 spheres, packed at 100 kPa. Those for jager were sheared by 0.3 % in
# plane strain first, with a tolerance of 1e-3; they begin without histories.
set -eu
LC_ALL=C
export LC_ALL

fail() {
  echo "scaling.sh: $*" >&2
  exit 1
}

build=build parts='sizes huge ranks list-time traffic lists migration cache' keep=''
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || fail "$1 needs a value"
  case $1 in
  --build) build=$2 ;;
  --parts) parts=$2 ;;
  --keep) keep=$2 ;;
  *) fail "unknown option $1" ;;
  esac
  shift 2
done
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$build" && pwd) || fail "no build in $build"
lmp=$build/engines/lammps/lmp_jager
for program in src/cli/jager bench/step bench/checkpoint_spheres engines/lammps/lmp_jager; do
  [ -x "$build/$program" ] || fail "there is no $program in $build: make it first"
done
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_btl_vader_single_copy_mechanism OMP_NUM_THREADS
dir=${keep:-$(mktemp -d)}
[ -n "$keep" ] || trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir"
cd "$dir"

has_part() {
  case " $parts " in *" $1 "*) ;; *) return 1 ;; esac
}

# ---- The cell --------------------------------------------------------------------------------------------------------

# shellcheck source=bench/sheared_cell.inc
. "$here/sheared_cell.inc"
make_sheared_cell 4096 2
awk -v copies=1 -v as=lammps -v density=2650 -f "$here/spheres.awk" packed.txt packed.txt > packed.data

# copy_cell X Y Z: a case of X x Y x Z copies of the sheared cell, size-SPHERES.yaml; prints SPHERES
copy_cell() {
  count=$((4096 * $1 * $2 * $3))
  awk -v nx="$1" -v ny="$2" -v nz="$3" '/^#/ { next }
    $1 == "cell" { x = $2; y = $3; z = $4; printf "cell %.17g %.17g %.17g\n", nx * x, ny * y, nz * z; next }
    { for (i = 0; i < nx; i++) for (j = 0; j < ny; j++) for (k = 0; k < nz; k++)
        printf "%.17g %.17g %.17g %s\n", $1 + i * x, $2 + j * y, $3 + k * z, $4 }' sheared.txt > "size-$count.txt"
  biaxial "file: size-$count.txt" 1000000 > "size-$count.yaml"
  echo "$count"
}

# For take_turns.py: steps of size-SPHERES.yaml, after BURN steps in which histories come back
cat > one.sh << 'END'
# one.sh STEP_PROGRAM SPHERES THREADS BURN CASE
{ echo "$4"; cat; } | "$1" "size-$2.yaml" "$3" | sed -u 2d
END

# turns TURNS STEPS BURN SPHERES-THREADS...
turns() {
  turns=$1 steps=$2 burn=$3
  shift 3
  for each in "$@"; do
    set -- "$@" "$each=sh one.sh $build/bench/step ${each%-*} ${each#*-} $burn"
    shift
  done
  python3 "$here/take_turns.py" --core 0,1 --turns "$turns" --steps "$steps" --warm 2 none "$@" | cut -c 1-53
}

echo "# scaling.sh: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)," \
  "$(getconf _NPROCESSORS_ONLN) cores; jager $("$build/src/cli/jager" --version | sed -n '1s/^jager //p')"

# ---- Sizes -----------------------------------------------------------------------------------------------------------

if has_part sizes; then
  echo
  echo "# sizes: SPHERES-THREADS, ns per contact and step; median of 9 turns of 40 steps, after 200 steps"
  names=
  for copies in '1 1 1' '2 1 1' '2 2 1' '2 2 2' '4 4 4' '6 6 6'; do
    # shellcheck disable=SC2086 # three words
    size=$(copy_cell $copies)
    names="$names $size-1 $size-2"
  done
  # shellcheck disable=SC2086
  turns 9 40 200 $names
  echo "# spheres, contacts, bytes of the program, bytes of contacts and histories, points of a history, bytes of the" \
    "checkpoint; after 100 steps"
  for size in 4096 32768 262144 884736; do
    biaxial "file: size-$size.txt" 100 > bytes.yaml
    "$build/src/cli/jager" run bytes.yaml -q -o bytes --force --json > bytes.json 2> /dev/null
    for key in spheres contacts bytes history_bytes history_mean; do
      sed -n "s/.*\"$key\": \([0-9.]*\).*/\1/p" bytes.json
    done | tr '\n' ' '
    wc -c < bytes/checkpoint.jck
  done
fi

if has_part huge; then
  echo
  echo "# huge: median of 3 turns of 5 steps, after 15 steps, in which histories hardly come back; 4,096 spheres beside"
  huge=$(copy_cell 13 13 13)
  [ -s size-4096.yaml ] || copy_cell 1 1 1 > /dev/null
  for threads in 1 2; do
    turns 3 5 15 4096-1 "$huge-$threads"
  done
  rm "size-$huge.txt"
fi

# ---- LAMMPS ----------------------------------------------------------------------------------------------------------

# lammps GRID COPIES TOLERANCE LIST WARM_UP STEPS SAVE: to `out` and `err`; GRID and COPIES are three numbers each
lammps() {
  ranks=$(echo "$1" | awk '{ print $1 * $2 * $3 }')
  # shellcheck disable=SC2046,SC2086 # numbers
  mpirun --oversubscribe --bind-to none -np "$ranks" -x LD_PRELOAD="$counter" "$lmp" -log none -in "$here/scaling.in" \
    -var file packed.data $(echo $1 | awk '{ print "-var grid_x", $1, "-var grid_y", $2, "-var grid_z", $3 }') \
    $(echo $2 | awk '{ print "-var copies_x", $1, "-var copies_y", $2, "-var copies_z", $3 }') -var tolerance "$3" \
    -var list "$4" -var warm_up "$5" -var steps "$6" -var save "$7" < /dev/null > out 2> err ||
    { tail -n 5 out err >&2; fail "LAMMPS failed"; }
}

# The timed run: name, contacts, points of a history; ns per contact and step for which all ranks together had the
# processor: whole step, Pair, Neigh, Comm, Modify, the rest; lists; ghosts a rank
read_times() {
  awk -v name="$1" '/^timed/ { timed = 1 }
    !timed { next }
    /^ *Step/ { table = 1; next }
    /^Loop/ { table = 0; seconds = $4; ranks = $6; steps = $9 }
    table { contacts = $2; points = $3 }
    /^(Pair|Neigh|Comm|Modify|Output) / { time[$1] = $5 }
    /CPU use/ { share = $1 / 100 }
    /^Nghost/ { ghosts = $2 }
    /list builds/ { lists = $NF }
    END { u = 1e9 * ranks * share / (steps * contacts)
          rest = seconds - time["Pair"] - time["Neigh"] - time["Comm"] - time["Modify"]
          print name, contacts, points, u * seconds, u * time["Pair"], u * time["Neigh"], u * time["Comm"],
            u * time["Modify"], u * rest, lists, ghosts }' out
}

counter=
if has_part ranks; then
  echo
  echo "# ranks: SPHERES-RANKS, contacts, points; ns per contact and step, times the ranks: step, Pair, Neigh, Comm," \
    "Modify, the rest; lists; ghosts a rank; medians of 3 runs in turns"
  : > runs
  for _ in 1 2 3; do
    for size in '1 1 1 500 4096' '2 2 2 100 32768' '4 4 4 20 262144' '6 6 6 10 884736'; do
      # shellcheck disable=SC2086
      set -- $size
      for ranks in 1 2; do
        lammps "$ranks 1 1" "$1 $2 $3" 1e-3 natural "$4" "$((2 * $4))" no
        read_times "$5-$ranks" >> runs
      done
    done
  done
  python3 - << 'END'
import statistics
runs = {}
for line in open("runs"):
    name, *values = line.split()
    runs.setdefault(name, []).append([float(v) for v in values])
for name, rows in runs.items():
    print(name, *(f"{statistics.median(column):.5g}" for column in zip(*rows)))
END
fi

# ---- Counts ----------------------------------------------------------------------------------------------------------

if has_part traffic || has_part migration; then
  mpicc -shared -fPIC -O2 -o mpi_count.so "$here/mpi_count.c"
  counter=$PWD/mpi_count.so
fi

# sent GRID COPIES LIST: messages, bytes, collectives and their bytes, of all ranks, between steps 20 and 120
sent() {
  lammps "$1" "$2" 1e-3 "$3" 10 10 no
  sed -n 's/^mpi_count: sums \(.*\) largest.*/\1/p' err > short
  lammps "$1" "$2" 1e-3 "$3" 10 110 no
  sed -n 's/^mpi_count: sums \(.*\) largest.*/\1/p' err | paste -d ' ' - short |
    awk '{ print $1 - $5, $2 - $6, $3 - $7, $4 - $8 }'
}

# on_ranks NAME: average and largest number over the ranks, as LAMMPS prints it at the end
on_ranks() {
  awk -v name="$1:" '$1 == name { average = $2; most = $4 } END { print average, most }' out
}

if has_part traffic; then
  echo
  echo "# traffic: grid of ranks; copies; per rank: spheres, largest; ghosts, largest; their number by the formula;"
  echo "#   pairs of the list, largest; a rank and step: messages, bytes, collectives, bytes of these; a rank and" \
    "list: messages, bytes; of these, bytes of histories (the rest: 40 more a ghost than in a step); contacts; points"
  for setup in '1 1 1:1 1 1' '2 1 1:2 1 1' '2 2 1:2 2 1' '2 2 2:2 2 2' '4 2 2:4 2 2' '3 3 3:3 3 3' \
    '2 2 2:1 1 1' '3 3 3:1 1 1' '3 3 3:2 2 2' '2 2 2:4 4 4' '3 3 3:4 4 4'; do
    grid=${setup%:*} copies=${setup#*:}
    each=$(sent "$grid" "$copies" never)
    lists=$(sent "$grid" "$copies" ten)
    { echo "$grid $copies"; on_ranks Nlocal; on_ranks Nghost; on_ranks Neighs; echo "$each"; echo "$lists"
      awk '/^ *Step/ { getline; getline; contacts = $2; points = $3; x = $6; y = $7; z = $8 }
        /ghost atom cutoff/ { cut = $NF } END { print contacts, points, x, y, z, cut }' out; } | tr '\n' ' ' |
      awk '{ ranks = $1 * $2 * $3; x = $23 / $1; y = $24 / $2; z = $25 / $3; c = 2 * $26
             formula = $7 * ((x + c) * (y + c) * (z + c) / (x * y * z) - 1)
             printf "%dx%dx%d %dx%dx%d  %.0f %d  %.0f %d  %.0f  %.0f %d  ",
               $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, formula, $11, $12
             printf "%.2f %.0f %.2f %.1f  %.1f %.0f %.0f  %d %.2f\n", $13 / ranks / 100, $14 / ranks / 100,
               $15 / ranks / 100, $16 / ranks / 100, ($17 - $13) / ranks / 10, ($18 - $14) / ranks / 10,
               ($18 - $14) / ranks / 10 - $14 / ranks / 300, $21, $22 }'
  done
fi

if has_part lists; then
  echo
  echo "# lists: copies; width of the box, m; steps; lists; steps a list; skin / (2e-6 a step x width)"
  for copies in 1 2 3 4 6; do
    steps=$((12000 / (copies * copies)))
    [ "$copies" -lt 6 ] || steps=400
    lammps '1 1 1' "$copies $copies $copies" 1e-3 natural 1 "$steps" no
    awk -v copies="$copies" -v steps="$steps" '/^ *Step/ { getline; getline; x = $6 } /list builds/ { lists = $NF }
      END { print copies, x, steps, lists, lists ? steps / lists : "-", 2e-5 / (2e-6 * x) }' out
  done
fi

if has_part list-time; then
  echo
  echo "# list-time: ns per contact of a new list, of all that is done for it; 32,768 spheres, median of 5"
  for _ in 1 2 3 4 5; do
    for list in never ten; do
      lammps '1 1 1' '2 2 2' 1e-3 $list 50 100 no
      awk '/^Loop/ { seconds = $4 } /CPU use/ { share = $1 / 100 } /^ *Step/ { getline; getline; contacts = $2 }
        END { printf "%s ", 1e9 * share * seconds / contacts }' out
    done
    echo
  done | awk '{ print ($2 - $1) / 10 }' | sort -g | sed -n 3p
fi

if has_part migration; then
  echo
  echo "# migration: 8 ranks, 1 cell each, 10,000 steps of 1e-6; tolerance; contacts; points; bytes of contacts on" \
    "all ranks; contacts that changed ranks; lists; messages, bytes sent; bytes of the restart file"
  for tolerance in 1e-3 0; do
    lammps '2 2 2' '2 2 2' $tolerance natural 1 10000 yes
    { awk '/^ *Step/ { getline; getline; print $2, $3, $4, $5 } ' out | tail -n 1
      awk '/list builds/ { lists = $NF } END { print lists }' out
      sed -n 's/^mpi_count: sums \([0-9]* [0-9]*\) .*/\1/p' err
      wc -c < saved; } | tr '\n' ' ' | sed "s/^/$tolerance /"
    echo
  done
fi

if has_part cache; then
  echo
  echo "# cache: 4,096 spheres with 1 MiB of last-level cache, by cachegrind: lines of 64 bytes that were not there," \
    "read and written first; instructions; per contact and step, 20 steps after 60"
  [ -s size-4096.yaml ] || copy_cell 1 1 1 > /dev/null
  for steps in 60 80; do
    echo "$steps" | valgrind --tool=cachegrind --cache-sim=yes --LL=1048576,16,64 --cachegrind-out-file=grind-$steps \
      "$build/bench/step" size-4096.yaml 1 > /dev/null 2>&1
  done
  contacts=$(sed -n 's/.* \([0-9]*\) contacts/\1/p' sheared.txt)
  for steps in 60 80; do
    awk -v steps=$steps '/^events:/ { for (i = 2; i <= NF; i++) name[i] = $i }
      /^summary:/ { for (i = 2; i <= NF; i++) n[name[i]] = $i }
      END { print n["DLmr"], n["DLmw"], n["Ir"] }' grind-$steps
  done | tr '\n' ' ' | awk -v n="$((20 * contacts))" '{ print ($4 - $1) / n, ($5 - $2) / n, ($6 - $3) / n }'
fi
