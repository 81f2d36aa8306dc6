# SPDX-License-Identifier: MIT
# jager check and jager run agree: they refuse the same cases, run before its first step, with the same message and exit
# code. Known mistakes, and good cases with a random change.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

# ---- Good cases ------------------------------------------------------------------------------------------------------

small_case packing.yaml 60 10
cat > lattice.yaml << 'END'
jager: 1
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
contact: {model: jager, contour: {kind: cone, slope: 0.1}}
assembly: {lattice: {kind: sc, cells: [4, 4, 4], radius: 1 mm, overlap: 1e-4}}
output: {series: 1, plots: false}
stages:
  - {name: a, control: {xx: {strain_step: 1e-7}, yy: {strain_rate: 0}, zz: {strain_rate: 0}}, until: {steps: 3}}
  - {name: b, mean_stress: {stress: 1 kPa, ramp: 2}, control: {xy: {strain_step: 1e-8}}, until: {steps: 2}}
trace: [{pair: [0, 1]}]
END
cat > spheres.txt << 'END'
cell 0.004 0.004 0.004
0.001 0.001 0.001 0.0005
0.00199 0.001 0.001 0.0005
0.003 0.003 0.003 0.0004
END
sed 's/^assembly.*/assembly: {file: spheres.txt}/' lattice.yaml > file.yaml
sed 's/^assembly.*/assembly: {checkpoint: state.jck}/' lattice.yaml > checkpoint.yaml
run run lattice.yaml -q --threads 1 -o state
expect_code 0 "a state to start from"
cp state/checkpoint.jck state.jck

# Either both refuse, with the same message, or neither does. Sets `refused`; $1 names the case, the rest are arguments.
agreed=0
agree() {
  name=$1
  shift
  rm -rf dir
  run check "$@"
  refused=$code
  sed '/warning: /d; s/^jager check: //' err > check-err
  if [ "$refused" -eq 0 ]; then
    timeout -s TERM 1 "$program" run "$@" -q --threads 1 -o dir > out 2> err
    code=$?
    case $code in
    1 | 2) fail "$name: passes check, but run refuses it: $(cat err)" ;;
    esac
  else
    timeout -s KILL 60 "$program" run "$@" -q --threads 1 -o dir > out 2> err
    code=$?
    expect_same "$code" "$refused" "$name: exit code of run after check ($(head -n 1 check-err))"
    sed '/warning: /d; s/^jager run: //' err > run-err
    cmp -s check-err run-err || fail "$name: check says '$(cat check-err)', run says '$(cat run-err)'"
    [ ! -e dir/series.csv ] || fail "$name: run has begun"
  fi
  agreed=$((agreed + 1))
}

# expect_refused CODE TEXT ARGUMENTS...
expect_refused() {
  wanted=$1
  text=$2
  shift 2
  agree "$*" "$@"
  expect_same "$refused" "$wanted" "$*: exit code of check"
  grep -qF -- "$text" check-err || fail "$*: no '$text' in '$(cat check-err)'"
}

for good in packing lattice file checkpoint; do
  agree "$good.yaml" $good.yaml
  expect_same "$refused" 0 "$good.yaml"
done

# ---- Known mistakes --------------------------------------------------------------------------------------------------

# Too few spheres for the cell, too wide a grading
expect_refused 2 "take more spheres or a wider cell" packing.yaml --set assembly.packing.spheres=8
expect_refused 2 "take more spheres or a wider cell" packing.yaml --set \
  'assembly.packing.sizes={lognormal: {median: 1 mm, deviation: 1.5}}'
expect_refused 2 "take more spheres or a wider cell" packing.yaml --set 'assembly.packing.aspect=[1, 1, 0.05]'
expect_refused 2 "take more spheres or a wider cell" lattice.yaml --set 'assembly.lattice.cells=[1, 4, 4]'
awk 'BEGIN { print "cell 9 9 9"; for (i = 0; i < 1000; i++) print i * 1e-6, 0, 0, 0.001 }' > heap.txt
expect_refused 2 "128 spheres have more than 65534 near pairs" file.yaml --set assembly.file=heap.txt

# Files of spheres
expect_refused 1 "cannot read nothing.txt: No such file or directory" file.yaml --set assembly.file=nothing.txt
mkdir directory
expect_refused 2 "directory" file.yaml --set assembly.file=directory
sed 1d spheres.txt > no-cell.txt
expect_refused 2 "there is no cell" file.yaml --set assembly.file=no-cell.txt
sed 's/0\.0004$/-0.0004/' spheres.txt > negative.txt
expect_refused 2 "negative.txt:4: a radius must be positive" file.yaml --set assembly.file=negative.txt
printf '{"x": 1}\n' > other.json
expect_refused 2 "other.json:1: " file.yaml --set assembly.file=other.json
expect_refused 2 "state.jck:1: " file.yaml --set assembly.file=state.jck
head -n 1 spheres.txt > none.txt
expect_refused 2 "there are no grains" file.yaml --set assembly.file=none.txt
{ cat spheres.txt; echo '0.0013 0.001 0.001 0.0005'; } > overlap.txt
expect_refused 2 "more than overlap_limit" file.yaml --set assembly.file=overlap.txt

# Checkpoints: missing, none, damaged, of another law
expect_refused 1 "cannot read nothing.jck: No such file or directory" \
  checkpoint.yaml --set assembly.checkpoint=nothing.jck
expect_refused 2 "spheres.txt: not a checkpoint of jager" checkpoint.yaml --set assembly.checkpoint=spheres.txt
head -c 5000 state.jck > cut.jck
expect_refused 2 "cut.jck: the checkpoint is truncated" checkpoint.yaml --set assembly.checkpoint=cut.jck
for change in material.poisson=0.2:material.poisson material.shear_modulus=28e9:material.shear_modulus \
  contact.model=hertz-mindlin:contact.model contact.contour.slope=0.2:contact.contour.slope \
  'contact={model: jager}:contact.contour.kind'; do
  expect_refused 2 "state.jck: its contacts were made with another law: ${change##*:} was " \
    checkpoint.yaml --set "${change%:*}"
done

# ---- Anything --------------------------------------------------------------------------------------------------------

# mutate SEED FILE: changes one or two numbers or words of the case, or removes a line
mutate() {
  awk -v seed="$1" '
    function any(n) { return int(n * rand()) }
    BEGIN {
      srand(seed); rand()
      values = split("0 -1 1 2 8 27 300 0.5 1e-12 1e-3 1e12 1e30 nan abc 10% 3mm 5kPa true {} []", value, " ")
      factors = split("0.1 0.5 0.9 1.1 2 10 -1", factor, " ")
      changes = 1 + any(2)
    }
    { line[NR] = $0 }
    END {
      for (c = 0; c < changes; c++) {
        at = 2 + any(NR - 1)
        count = split(line[at], part, /[^A-Za-z0-9_.%-]+/)
        word = part[1 + any(count)]
        if (any(8) == 0)
          line[at] = ""
        else if (word != "" && (place = index(line[at], word))) {
          new = word + 0 != 0 && any(4) > 0 ? word * factor[1 + any(factors)] : value[1 + any(values)]
          line[at] = substr(line[at], 1, place - 1) new substr(line[at], place + length(word))
        }
      }
      for (i = 1; i <= NR; i++)
        print line[i]
    }' "$2"
}

passed=0
for seed in $(awk 'BEGIN { for (i = 1; i <= 100; i++) print i }'); do
  case $((seed % 4)) in
  0) from=packing ;;
  1) from=lattice ;;
  2) from='file' ;;
  3) from=checkpoint ;;
  esac
  mutate "$seed" $from.yaml > mutant.yaml
  if [ $from = file ] && [ $((seed % 3)) -eq 0 ]; then # the spheres, too
    mutate "$seed" spheres.txt > mutant.txt
    agree "$from.yaml with spheres of seed $seed" file.yaml --set assembly.file=mutant.txt
  else
    agree "$from.yaml, seed $seed" mutant.yaml
  fi
  [ "$refused" -ne 0 ] || passed=$((passed + 1))
done
echo "check and run agreed $agreed times; of 100 mutants $passed passed"
[ $passed -ge 10 ] && [ $passed -le 90 ] || fail "the mutants are worth nothing: $passed of 100 passed"
finish
