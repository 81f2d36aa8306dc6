# SPDX-License-Identifier: MIT
# Packings to a void ratio or a relative density: messages, refusals, and the same bits with more threads and after
# `kill -9`.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

cat > case.yaml << 'END'
jager: 1
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
contact: {model: hertz-mindlin}
assembly:
  packing:
    spheres: 60
    sizes: {uniform: {min: 0.8 mm, max: 1.2 mm}}
    pressure: 10 MPa
output: {series: 50, plots: false}
stages:
  - name: rest
    control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}}
    until: {steps: 10}
END
key=assembly.packing

# ---- Output ----------------------------------------------------------------------------------------------------------

run check case.yaml --set $key.void_ratio=0.6
expect_code 0 "check of a void ratio"
grep -q "^packing     at 10 MPa to void ratio 0.6 with friction that falls from 0.5, until" out ||
  fail "check does not tell the target: $(grep ^packing out)"
run check case.yaml --set "$key.relative_density=60 %"
grep -q "to relative density 60 % with friction that falls from 0.5, until" out || fail "no relative density in check"

# refuse TEXT SETTINGS...: `check` and `run` refuse the case with this text
refuse() {
  text=$1
  shift
  for command in check "run -o refused"; do
    # shellcheck disable=SC2086
    run $command case.yaml "$@"
    expect_code 2 "$text"
    expect_told "$text" "$command"
  done
  [ -e refused/series.csv ] && fail "a refused run has left files"
}
refuse "'relative_density' must lie in [0, 1], not '60'" --set $key.relative_density=60
refuse "'void_ratio' and 'relative_density' exclude each other" --set $key.relative_density=0.6 \
  --set $key.void_ratio=0.6
refuse "'friction' must be above 0 with a target" --set $key.void_ratio=0.6 --set $key.friction=0
refuse "a packing to a void ratio or relative density needs friction above 0" --set $key.void_ratio=0.6 \
  --set material.friction=0
refuse "'void_ratio' must be below the void ratio before compression, 1:" --set $key.void_ratio=1
refuse "'void_ratio' must lie in (0, 99), not '0'" --set $key.void_ratio=0

# ---- The target ------------------------------------------------------------------------------------------------------

run run case.yaml -q --threads 1 -o one --set $key.void_ratio=0.6
expect_code 0 "a void ratio"
hash_told > one.hash
grep -Eq "^packing: void ratio 0\.(59[89]|60[012])[0-9]* for the target 0.6000, at friction 0\.[0-9]*, which fell from \
0.5; loosest 0\.[0-9]*; 1 trial$" out || fail "the summary does not tell the packing: $(cat out)"
grep -q "^grading: D10 0\.[0-9]* mm, D30 .*; Cu 1\.[0-9]*, Cc [0-9.]*$" one/summary.txt || fail "no grading: $(cat out)"
run run case.yaml -q --threads 3 -o three --set $key.void_ratio=0.6
expect_same "$(hash_told)" "$(cat one.hash)" "three threads"
cmp one/series.csv three/series.csv || fail "three threads: another series"

run run case.yaml -q --threads 1 -o loose --set $key.void_ratio=0.9
expect_code 3 "a void ratio that is too large"
expect_told "assembly.packing.void_ratio: 0.9 cannot be reached: these spheres have 0." "too large"
expect_told "raise assembly.packing.friction, or lower assembly.packing.initial_density, for looser ones" "too large"

# ---- A relative density, killed at random moments --------------------------------------------------------------------

go() {
  run run case.yaml -q --threads 1 --json --set "$key.relative_density=70 %" "$@"
}
go -o whole
expect_code 0 "a relative density"
grep -q '"packing": {"void_ratio": 0\.[0-9]*, .*"relative_density": 0\.\(69\|70\|71\)[0-9]*, "trials": 2}' out ||
  fail "JSON does not tell the packing: $(cat out)"
for delay in 0 0.05 0.1 0.02 0.2 0.1; do
  resume=$([ -e killed/checkpoint.jck ] && echo --resume)
  # shellcheck disable=SC2086
  "$program" run case.yaml -q --threads 1 --set "$key.relative_density=70 %" --set checkpoint.steps=200 -o killed \
    $resume > out 2> err &
  pid=$!
  while [ ! -e killed/checkpoint.jck ] && kill -s 0 $pid 2> /dev/null; do
    sleep 0.01
  done
  sleep $delay
  kill -s KILL $pid 2> /dev/null
  wait $pid 2> /dev/null
done
[ -e killed/summary.txt ] && fail "the run has ended before it was killed: the test is worth nothing"
go --resume -o killed
expect_code 0 "a relative density, resumed"
cmp whole/series.csv killed/series.csv || fail "resumed: another series"
cmp whole/summary.txt killed/summary.txt || fail "resumed: another summary"
finish
