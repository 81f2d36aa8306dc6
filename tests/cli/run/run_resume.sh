# SPDX-License-Identifier: MIT
# jager run --resume: a run that was stopped or killed in any way ends with the same bytes.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

small_case case.yaml 300 3000
outputs='trace=[{born: {strain_zz: 0.002}, window: 0.001}]'

# go DIR OPTIONS...
go() {
  dir=$1
  shift
  run run case.yaml -q --threads 1 -o "$dir" --set checkpoint.steps=50 --set output.snapshot=500 --set output.vtk=500 \
    --set "$outputs" "$@"
}

# start DIR OPTIONS...: the same in the background, with its process id in `pid`
start() {
  dir=$1
  shift
  "$program" run case.yaml -q --threads 1 -o "$dir" --set checkpoint.steps=50 --set output.snapshot=500 \
    --set output.vtk=500 --set "$outputs" "$@" > out 2> err &
  pid=$!
}

started=$(now)
go whole
took=$(awk -v from="$started" -v to="$(now)" 'BEGIN { print to - from }')
expect_code 0 "not interrupted"
[ ! -s err ] || fail "--quiet: told on stderr: $(cat err)"
whole_hash=$(hash_told)
expect_same "${#whole_hash}" 16 "digits of the hash"
expect_files whole/series.csv whole/result.h5 whole/checkpoint.jck whole/checkpoint-before.jck whole/trace-1.csv
[ "$(wc -l < whole/trace-1.csv)" -gt 100 ] || fail "the trace has only $(wc -l < whole/trace-1.csv) lines"

# expect_as_whole DIR NAME: hash and files of the run that has just ended
expect_as_whole() {
  expect_code 0 "$2"
  expect_same "$(hash_told)" "$whole_hash" "$2: hash"
  (cd whole && find . -type f | sort) > whole-files
  (cd "$1" && find . -type f | sort) > files
  cmp -s whole-files files || fail "$2: other files: $(diff whole-files files)"
  while read -r file; do
    case $file in
    *.jck | *.h5) ;; # times, and the number of threads
    *) cmp "whole/$file" "$1/$file" || fail "$2: $file differs" ;;
    esac
  done < whole-files
}

# A run that has ended can be resumed: nothing happens, but its summary is printed again
cp -r whole ended
go ended --resume
expect_as_whole ended "resumed at the end"

# Signals
for signal in TERM:15 HUP:1; do
  name=${signal%:*}
  number=${signal#*:}
  start "by-$name"
  wait_for_rows "by-$name/series.csv" 40 $pid
  kill -s "$name" $pid
  wait $pid
  code=$?
  expect_code $((128 + number)) "SIG$name"
  expect_told "jager run: stopped by SIG$name at step " "SIG$name"
  expect_told "--resume" "SIG$name"
  "$program" info "by-$name/checkpoint.jck" > out 2> err || fail "SIG$name: no good checkpoint: $(cat err)"
  step=$(sed -n 's/^step *\([0-9]*\),.*/\1/p' out)
  [ "$step" -ge 700 ] || fail "SIG$name: the checkpoint is of step $step"
  go "by-$name" --resume
  expect_as_whole "by-$name" "resumed after SIG$name"
done

# SIGINT: background jobs of a shell ignore it, so `timeout` sends it; --foreground: only once, not to the whole group
if timeout --foreground --preserve-status 5 true 2> /dev/null; then
  tries=0
  code=0
  until [ $code -ne 0 ] || [ $tries -eq 4 ]; do # 0: it was faster
    tries=$((tries + 1))
    rm -rf by-INT
    timeout --foreground --preserve-status -s INT "$(awk -v t="$took" -v n=$tries 'BEGIN { print t / (2 * n) }')" \
      "$program" run case.yaml -q --threads 1 -o by-INT --set checkpoint.steps=50 --set output.snapshot=500 \
      --set output.vtk=500 --set "$outputs" > out 2> err
    code=$?
  done
  expect_code 130 "SIGINT"
  expect_told "jager run: stopped by SIGINT at step " "SIGINT"
  go by-INT --resume
  expect_as_whole by-INT "resumed after SIGINT"
fi

# An ignored signal stays ignored, as nohup requires
(trap '' HUP && exec "$program" run case.yaml -q --threads 1 -o nohup --set checkpoint.steps=50 \
  --set output.snapshot=500 --set output.vtk=500 --set "$outputs" > out 2> err) &
pid=$!
wait_for_rows nohup/series.csv 40 $pid
kill -s HUP $pid
wait $pid
code=$?
expect_as_whole nohup "with SIGHUP ignored"

# One thread, then two: the work is shared from 512 spheres on
small_case many.yaml 700 400
run run many.yaml -q --threads 1 -o many
expect_code 0 "many spheres"
many_hash=$(hash_told)
"$program" run many.yaml -q --threads 1 -o shared > out 2> err &
pid=$!
wait_for_rows shared/series.csv 8 $pid
kill -s TERM $pid
wait $pid
code=$?
expect_code 143 "one thread"
run run many.yaml -q --threads 2 -o shared --resume
expect_code 0 "then two threads"
expect_same "$(hash_told)" "$many_hash" "one thread, then two: hash"
cmp many/series.csv shared/series.csv || fail "one thread, then two: series.csv differs"

# Killed at any moment, again and again
seed=$(date +%s)
kills=0
tries=0
mode=--force
code=137
while [ $code -eq 137 ] && [ $tries -lt 40 ]; do
  tries=$((tries + 1))
  [ -e killed/checkpoint.jck ] || [ -e killed/checkpoint-before.jck ] && mode=--resume
  if [ $tries -gt 15 ]; then
    go killed $mode
  else
    start killed $mode
    sleep "$(awk -v t="$took" -v seed="$((seed + tries))" 'BEGIN { srand(seed); rand(); print rand() * t / 10 }')"
    kill -s KILL $pid 2> /dev/null
    wait $pid 2> /dev/null
    code=$?
  fi
  [ $code -eq 137 ] && kills=$((kills + 1))
done
echo "killed $kills times, seed $seed"
[ $kills -ge 3 ] || fail "killed only $kills times: the test is worth nothing"
expect_as_whole killed "resumed after $kills kills, seed $seed"
finish
