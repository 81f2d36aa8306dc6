# SPDX-License-Identifier: MIT
# jager run --resume with an equivalent case, or one with a later end: the files are the same as if the run had this
# case from the start.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

small_case case.yaml 100 613
cat >> case.yaml << 'END'
trace: [{born: {strain_zz: 0.0004}, window: 0.0002, stage: biaxial}, {pair: [1, 2]}]
END
sed 's/until: {steps: 613}/until: {steps: 1450}/' case.yaml > longer.yaml
sed '/^trace/d' longer.yaml > stages.yaml
cat >> stages.yaml << 'END'
  - name: cycles
    control: {xx: {stress: 100 kPa}, yy: {strain_rate: 0}, zz: {strain_step: -2e-6}}
    cyclic: {of: strain_zz, amplitude: 0.0002}
    until: {cycles: 0.6}
trace: [{born: {strain_zz: 0.0004}, window: 0.0002, stage: biaxial}, {pair: [1, 2]}]
END

# go CASE DIR OPTIONS...
go() {
  file=$1
  dir=$2
  shift 2
  run run "$file" -q --threads 1 -o "$dir" --set output.snapshot=100 --set output.vtk=200 "$@"
}

# expect_as DIR WHOLE NAME: the hash and all files of the uninterrupted run in WHOLE
expect_as() {
  expect_code 0 "$3"
  expect_same "$(hash_told)" "$(cat "$2.hash")" "$3: hash"
  (cd "$2" && find . -type f | sort) > whole-files
  (cd "$1" && find . -type f | sort) > files
  cmp -s whole-files files || fail "$3: other files: $(diff whole-files files)"
  while read -r name; do
    case $name in
    *.jck) ;; # times
    *.h5) # paths, times and words; but the same snapshots, and the same numbers
      for of in "$2" "$1"; do
        "$program" info "$of/$name" | sed '1d; /^title/d; /^created/d; /^command/d' > "info-$of"
      done
      cmp -s "info-$2" "info-$1" || fail "$3: $name differs: $(diff "info-$2" "info-$1")"
      if command -v h5diff > /dev/null; then
        for group in series snapshots; do
          h5diff "$2/$name" "$1/$name" "/$group" > told || fail "$3: $group of $name differ: $(head -n 3 told)"
        done
      fi ;;
    *) cmp "$2/$name" "$1/$name" || fail "$3: $name differs" ;;
    esac
  done < whole-files
}

for whole in case longer stages; do
  go $whole.yaml $whole
  expect_code 0 "$whole.yaml from the start"
  hash_told > $whole.hash
done
[ "$(wc -l < longer/trace-1.csv)" -gt 100 ] || fail "the trace has only $(wc -l < longer/trace-1.csv) lines"
last_step=$(column step case/series.csv | tail -n 1)
[ $((last_step % 20)) -ne 0 ] || fail "the short run ends with a line of the long one: the test is worth nothing"

# The same case in other words
{
  echo '# A comment; the blocks in another order, other units'
  sed 's/100 kPa/0.1 MPa/g; s/29 GPa/29000 MPa/; s/0.8 mm/800 um/
    s/until: {steps: 613}/until: {steps: 6.13e2}  # as before/
    /^seed/d; s/^title.*/title: Otherwise/' case.yaml
  echo 'seed: 7'
} > words.yaml
cp -r case words
go words.yaml words --resume --set material.friction=50%
expect_as words case "the same case in other words"

# Further, to a later end or with more stages, from the end and from the middle
for whole in longer stages; do
  cp -r case "$whole-end"
  go $whole.yaml "$whole-end" --resume
  expect_as "$whole-end" $whole "$whole.yaml, from the end of case.yaml"
done
cp -r longer twice
go stages.yaml twice --resume
expect_as twice stages "stages.yaml, from the end of longer.yaml"

"$program" run case.yaml -q --threads 1 -o middle --set output.snapshot=100 --set output.vtk=200 \
  --set checkpoint.steps=50 > out 2> err &
pid=$!
wait_for_rows middle/series.csv 12 $pid
kill -s TERM $pid
wait $pid
go stages.yaml middle --resume
expect_as middle stages "stages.yaml, from the middle of case.yaml"

# Killed as soon as it continues, again and again: only the line of the old end is gone
cp -r case killed
for delay in 0 0.01 0.02 0.04 0.08; do
  "$program" run longer.yaml -q --threads 1 -o killed --set output.snapshot=100 --set output.vtk=200 \
    --resume > out 2> err &
  pid=$!
  sleep $delay
  kill -s KILL $pid 2> /dev/null
  wait $pid 2> /dev/null
done
go longer.yaml killed --resume
expect_as killed longer "longer.yaml, killed five times"

# Stages to come may be removed, stages that have begun may not
cp -r stages fewer
go case.yaml fewer --resume
expect_code 2 "a stage left out"
expect_told "checkpoint.jck: it is in stage 2, but the case has only 1: stages that have begun cannot be left out" \
  "a stage left out"

# A trace of "the last stage" changes its meaning if stages are added
sed 's/, stage: biaxial//' case.yaml > last.yaml
sed 's/, stage: biaxial//' stages.yaml > more.yaml
cp -r case last
go more.yaml last --resume
expect_code 2 "a trace of the last stage"
expect_told "trace.0.stage was 0 and is 1." "a trace of the last stage"
go last.yaml last --resume
expect_as last case "stage: the last one, in other words"

# A packing that ran out of steps continues with more
go case.yaml given-up --set assembly.packing.max_steps=300 --set checkpoint.steps=100
expect_code 3 "packing given up"
go case.yaml given-up --resume --set checkpoint.steps=100
expect_as given-up case "packing that was given up"

# Pictures at the ends of stages show the later end
if can_draw; then
  go longer.yaml drawn --set output.plots=true
  go case.yaml drawn-end --set output.plots=true
  cmp -s drawn/grains-1.png drawn-end/grains-1.png && fail "both ends have the same picture: the test is worth nothing"
  go longer.yaml drawn-end --resume --set output.plots=true
  for name in grains-0 grains-1 rose-0 rose-1 grading; do
    cmp drawn/$name.png drawn-end/$name.png || fail "$name.png differs"
  done
fi
finish
