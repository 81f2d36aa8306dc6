#!/bin/sh
# SPDX-License-Identifier: MIT
# Fuzzes with INPUTS inputs in all, shared among the fuzzers as written at the end, two at a time.
#     fuzz.sh INPUTS [FUZZER...]
# Inputs that reach new code are kept in build-fuzz/found/NAME, from where the next run goes on; an input that fails is
# left as build-fuzz/found/NAME-crash-*, and the script ends with 1. Times are processor times.
set -eu
cd "$(dirname "$0")/.."
inputs=$1
shift
for name; do
  [ -f "tests/fuzz/fuzz_$name.c" ] || { echo "fuzz.sh: there is no fuzzer '$name'" >&2; exit 2; }
done
selected=${*:-unpack compact csv case}
cmake --preset fuzz > build-fuzz.log 2>&1 || { cat build-fuzz.log; exit 1; }
cmake --build build-fuzz -j "${JOBS:-2}" --target fuzz_csv fuzz_unpack fuzz_compact fuzz_case >> build-fuzz.log 2>&1 ||
  { tail -20 build-fuzz.log; exit 1; }
mv build-fuzz.log build-fuzz/build.log

echo "commit $(git describe --always --dirty --abbrev=12), $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)"
echo "clang $(clang -dumpversion), libFuzzer with address and undefined behaviour sanitizers and assertions"

# A quarantine that fits into a cache, still larger than what one input frees, and short stacks of allocations: an input
# that fails is best run again without these options.
export ASAN_OPTIONS=quarantine_size_mb=1:thread_local_quarantine_size_kb=128:malloc_context_size=1

# fuzz NAME SHARE LONGEST [OPTION...]: its share of the inputs in %, the longest input; a shell of its own, for `times`
fuzz() (
  name=$1 share=$2 longest=$3
  shift 3
  case " $selected " in *" $name "*) ;; *) exit 0 ;; esac
  mkdir -p "build-fuzz/found/$name"
  runs=$(awk -v inputs="$inputs" -v share="$share" 'BEGIN { printf "%.0f", inputs * share / 100 }')
  log=build-fuzz/found/$name.log
  "build-fuzz/tests/fuzz_$name" -runs="$runs" -max_len="$longest" -seed="${SEED:-1}" "$@" \
    -artifact_prefix="build-fuzz/found/$name-" "build-fuzz/found/$name" "tests/corpus/$name" > "$log" 2>&1 ||
    { echo "$name: FAILED"; grep -a -A 20 -m 1 -E 'ERROR|Assertion|runtime error' "$log"; exit 1; }
  times > "$log.times"
  seconds=$(awk -F '[ms ]+' 'NR == 2 { printf "%.0f", 60 * $1 + $2 + 60 * $3 + $4 }' "$log.times")
  sed -n "s/^Done \([0-9]*\) runs in .*/$name: \1 inputs, $seconds s, no failure/p" "$log"
)

# compact: without the statistics of rare features, which took as long as the contacts
{ fuzz unpack 30 300; fuzz case 5 1000; } &
first=$!
{ fuzz compact 25 200 -entropic=0; fuzz csv 40 128; } &
second=$!
status=0
wait "$first" || status=1
wait "$second" || status=1
exit "$status"
