# SPDX-License-Identifier: MIT
# Cycles of jager run: cycles.csv of runs that were killed, resumed or given a later end; its energies agree with the
# series; the summary of a test that liquefies and of one that does not.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

cat > case.yaml << 'END'
jager: 1
seed: 7
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
assembly:
  packing: {spheres: 150, sizes: {uniform: {min: 0.8 mm, max: 1.2 mm}}, pressure: 100 kPa, friction: 0.2,
            unbalanced: 0.05, initial_density: 0.58}
checkpoint: {steps: 83}
output: {series: 31, plots: false}
stages:
  - name: held
    control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}}
    until: {steps: 50}
  - name: undrained
    control: {xx: {volume: constant}, yy: {volume: constant}, zz: {strain_step: 1e-6}}
    cyclic: {of: q, amplitude: 20 kPa, center: 0}
    until: {cycles: 3}
  - name: sheared
    control: {xx: {stress: 95 kPa}, yy: {stress: 95 kPa}, zz: {stress: 95 kPa}, xz: {strain_step: 1e-6}}
    cyclic: {of: strain_xz, amplitude: 1.5e-4}
    until: {cycles: 2.4}
END

# go DIR OPTIONS...
go() {
  dir=$1
  shift
  run run case.yaml -q --threads 1 -o "$dir" "$@"
}

# expect_as WHOLE DIR NAME: the files of the run that has just ended
expect_as() {
  expect_code 0 "$3"
  (cd "$1" && find . -type f | sort) > whole-files
  (cd "$2" && find . -type f | sort) > files
  cmp -s whole-files files || fail "$3: other files: $(diff whole-files files)"
  while read -r file; do
    case $file in
    *.jck | *.h5) ;; # times
    *) cmp "$1/$file" "$2/$file" || fail "$3: $file differs" ;;
    esac
  done < whole-files
}

can_draw && go drawn --set output.plots=true && expect_files drawn/cycles.png drawn/cycles.svg
go whole
expect_code 0 "not interrupted"
expect_files whole/cycles.csv
expect_same "$(column stage whole/cycles.csv | tr '\n' ' ')" "2 2 2 3 3 3 " "stages of the cycles"
numbers=$(column cycle whole/cycles.csv | awk '{ printf "%.1f ", $1 }')
expect_same "$numbers" "1.0 2.0 3.0 1.0 2.0 2.4 " "numbers of the cycles"
expect_same "$(column damping_ratio whole/cycles.csv | tail -n 1)" nan "damping ratio of a cycle without a loop"
cat out > told
grep -q "^    cycle 1: E .* MPa, D .* % (friction .* %, numerical damping .* %) at a strain amplitude of" told ||
  fail "no modulus of q: $(cat told)"
grep -q "^    cycle 2: G .* MPa, D " told || fail "no shear modulus: $(cat told)"
grep -q "^    not liquefied: r_u at most 0\.[0-9]* in 3\.0 cycles at CSR 0\.1" told ||
  fail "no line about liquefaction: $(cat told)"

# The energies of a loop times the volume are the differences of the series between reversals; the volume is the same
# for all loops. The loop of cycle k >= 2 goes from reversal 2k - 2 to 2k, at k - 1.25 and k - 0.25 cycles.
awk -F, '
  FNR == 1 { for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; next }
  function of(name) { return $at[FILENAME, name] }
  FILENAME ~ /series/ { key = sprintf("%d %.6f", of("stage"), of("cycle"))
    work[key] = of("work"); friction[key] = of("dissipated_friction"); damped[key] = of("dissipated_damping") }
  FILENAME ~ /cycles/ && of("cycle") == int(of("cycle")) && of("cycle") > 1 {
    from = sprintf("%d %.6f", of("stage"), of("cycle") - 1.25); to = sprintf("%d %.6f", of("stage"), of("cycle") - 0.25)
    if (!(from in work) || !(to in work)) { print "no line at " from " or " to; next }
    volume = (work[to] - work[from]) / of("work")
    a = (friction[to] - friction[from]) / of("dissipated_friction") / volume - 1
    b = (damped[to] - damped[from]) / of("dissipated_damping") / volume - 1
    if (a * a > 1e-18 || b * b > 1e-18) print "cycle " of("cycle") ": off by " a ", " b
    count++ }
  END { if (count != 3) print count " loops" }' whole/series.csv whole/cycles.csv > wrong
[ ! -s wrong ] || fail "energies: $(cat wrong)"

# Killed at any moment, twice
for rows in 20 45 60 75; do
  rm -rf killed
  "$program" run case.yaml -q --threads 1 -o killed > out 2> err &
  pid=$!
  wait_for_rows killed/series.csv $rows $pid
  kill -s KILL $pid 2> /dev/null
  wait $pid 2> /dev/null
  [ -e killed/checkpoint.jck ] || continue # not that far
  go killed --resume
  expect_as whole killed "killed after $rows lines"
done

# A later end: the line of an incomplete cycle is removed, the line of a whole cycle stays
for end in 1.3 2; do
  rm -rf longer
  go longer --set "stages.sheared.until.cycles=$end"
  expect_code 0 "until $end cycles"
  go longer --resume
  expect_as whole longer "from $end to 2.4 cycles"
done

# No cyclic stage, no file
held='{xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}}'
go none --set "stages=[{name: rest, control: $held, until: {steps: 9}}]"
expect_code 0 "without cycles"
[ ! -e none/cycles.csv ] || fail "cycles.csv without cycles"

# Liquefaction, from the example made small
run run "$source_dir/examples/cyclic-undrained.yaml" -q --threads 1 -o liquid --set assembly.packing.spheres=200 \
  --set assembly.packing.unbalanced=0.05 --set stages.0.cyclic.amplitude='60 kPa' --set output.series=1000 \
  --set output.plots=false --set stages.0.control.zz='{strain_step: 1e-6}'
expect_code 0 "liquefaction"
cycle=$(column cycle liquid/series.csv | tail -n 1)
ratio=$(column r_u liquid/series.csv | tail -n 1)
awk -v r="$ratio" 'BEGIN { exit !(r >= 0.95 && r < 1.01) }' || fail "r_u is $ratio at the end"
grep -q "^    liquefied (r_u ≥ 0.95) in cycle $(printf %.1f "$cycle") at CSR 0.3" out || fail "not told: $(cat out)"
grep -q "^    liquefied" liquid/summary.txt || fail "not in summary.txt"

# An amplitude that is never reached is reported, with its consequence
run run "$source_dir/examples/cyclic-undrained.yaml" -q --threads 1 -o never --set assembly.packing.spheres=200 \
  --set assembly.packing.unbalanced=0.05 --set stages.0.cyclic='{of: q, csr: 9}' --set output.plots=false \
  --set stages.0.until='{cycles: 2, steps: 300}' --set stages.0.control.zz='{strain_step: 1e-6}'
expect_code 0 "an amplitude that is not reached"
grep -q "warning: stage 'cycles': the amplitude of its cycles was never reached" out || fail "no warning: $(cat out)"
grep -q "^    not liquefied: .*, the largest reached: CSR 9 of the case was not reached$" out ||
  fail "not told of the CSR: $(cat out)"

# Loops of a path whose amplitude still grows have no damping ratio, and are left out
held='{xx: {stress: 95 kPa}, yy: {stress: 95 kPa}, zz: {stress: 95 kPa}}'
wave='{paths: {xz: {gamma: 0.03 %}}, steps_per_cycle: 400}'
go path --set "stages.sheared.cyclic=$wave" --set "stages.sheared.control=$held" \
  --set 'stages.sheared.until={cycles: 4}' --set 'stages.undrained.until={cycles: 0.5}'
expect_code 0 "a path"
expect_same "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  $1 == 3 { printf "%s%s ", $at["damping_ratio"] == "nan" ? "-" : "D", $at["shear_modulus"] == "nan" ? "-" : "G" }' \
  path/cycles.csv)" "-G -G DG DG " "loops of a path"
grep -q "^    cycle 3: G" out || fail "the first loop that closes is not told: $(cat out)"
grep -q "^    cycle 1: G" out && fail "an open loop is told: $(cat out)"
finish
