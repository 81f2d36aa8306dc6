# SPDX-License-Identifier: MIT
# Doubts about the result of a run are on stderr, in the summary, in summary.txt and in result.h5. The exit code stays
# 0, unless the result makes no sense.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

# A packing at 1 MPa that is sheared slowly: nothing to doubt
cat > case.yaml << 'END'
jager: 1
seed: 3
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
assembly:
  packing:
    spheres: 400
    sizes: {uniform: {min: 0.8 mm, max: 1.2 mm}}
    pressure: 1 MPa
    friction: 0.2
    unbalanced: 5e-3
    initial_density: 0.58
output: {series: 20, plots: false}
stages:
  - name: rest
    control: {xx: {stress: 1 MPa}, yy: {stress: 1 MPa}, zz: {stress: 1 MPa}, xy: {stress: 0}, xz: {stress: 0}}
    until: {unbalanced: 2e-3, steps: 20000}
  - name: shear
    control: {xx: {stress: 1 MPa}, yy: {stress: 1 MPa}, zz: {strain_step: 5e-7}}
    until: {strain_zz: 0.1 %}
END

# expect_doubt TEXT NAME: the last run has this doubt, in all places
expect_doubt() {
  echo "$doubts" | grep -qF -- "jager run: warning: $1" || fail "$2: '$1' is not told on stderr, but: $doubts"
  grep -qF -- "warning: $1" out || fail "$2: '$1' is not in the summary: $(cat out)"
  grep -qF -- "warning: $1" "$dir/summary.txt" || fail "$2: '$1' is not in summary.txt"
}

dir=good
run run case.yaml -q --threads 1 -o good
expect_code 0 "a good run"
[ -z "$doubts$(cat err)" ] || fail "a good run: told $doubts $(cat err)"
grep -q 'residual q .* of p, shear stresses up to ' out || fail "no remains of packing in the summary: $(cat out)"
grep -Eq 'inertial number .*, unbalanced force .* \(medians\); dissipated: [0-9.]+ % by friction, [0-9.]+ % by' out ||
  fail "no medians told: $(cat out)"
sed 's/ in [0-9.]* s.*//' out | grep -v '^results in ' > alike
cmp -s alike good/summary.txt || fail "summary.txt differs: $(diff alike good/summary.txt)"

# Too fast, but held: doubtful
dir=fast
run run case.yaml -q --threads 1 -o fast --set stages.shear.control.zz.strain_step=4e-6 \
  --set stages.shear.until.strain_zz=0.004
expect_code 0 "a fast run"
expect_doubt "stage 'shear': not quasi-static: the median of inertial_number is 0.00" "a fast run"
echo "$doubts" | grep -q "at a strain_step of 4e-06; about 2e-06 would do), limit 0.001: strain more slowly" ||
  fail "a fast run: not told how fast it may be: $doubts"
if command -v h5dump > /dev/null; then
  h5dump -d /warnings fast/result.h5 | grep -q "not quasi-static" || fail "a fast run: no warning in result.h5"
fi

# As JSON
run run case.yaml -q --threads 1 -o json --json --set stages.shear.control.zz.strain_step=4e-6 \
  --set stages.shear.until.strain_zz=0.004
expect_code 0 "JSON"
grep -q '"warnings": \[".*stage .shear.: not quasi-static: .*"\]}$' out || fail "no warnings in JSON: $(cat out)"

# So fast that the servo cannot follow: the stress is many times its target
dir=wild
run run case.yaml -q --threads 1 -o wild --set stages.shear.control.zz.strain_step=3e-4 \
  --set stages.shear.until.strain_zz=0.03
expect_code 3 "a run that makes no sense"
expect_doubt "stage 'shear': stress targets not held: 90th percentile or final deviation is " "a wild run"
echo "$doubts" | grep -Eq "stress_(xx|yy) is [0-9.e+]+ Pa at the end, its target 1e\+06 Pa" ||
  fail "a wild run: which stress? $doubts"
expect_told "jager run: the result makes no sense: " "a wild run"
expect_files wild/series.csv wild/result.h5 wild/summary.txt

# A time step that is too large: the energy balance is off
run run case.yaml -q --threads 1 -o unstable --set 'stages.shear.damping={viscous: 1}' --set overlap_limit=1 \
  --set time_step.safety=1 --set stages.shear.until.strain_zz=0.002
[ $code -eq 0 ] && ! echo "$doubts" | grep -q "the energies do not balance" || [ $code -eq 3 ] ||
  fail "an unstable run: exit code $code, told $doubts $(cat err)"

# The doubt comes again when the run is resumed at its end
run run case.yaml -q --threads 1 -o wild --resume --set stages.shear.control.zz.strain_step=3e-4 \
  --set stages.shear.until.strain_zz=0.03
expect_code 3 "a run that makes no sense, resumed"
expect_doubt "stage 'shear': stress targets not held" "a wild run, resumed"

# Does not come to rest
dir=restless
run run case.yaml -q --threads 1 -o restless --set 'stages.rest.until={unbalanced: 1e-7, steps: 150}' \
  --set stages.shear.until.strain_zz=1e-5
expect_code 0 "no rest"
expect_doubt "stage 'rest': ended by steps or time before coming to rest: unbalanced is " "no rest"

# Without friction damping dissipates everything
dir=damped
run run case.yaml -q --threads 1 -o damped --set material.friction=0 --set assembly.packing.friction=0 \
  --set stages.shear.until.strain_zz=0.004 \
  --set stages.shear.control.zz.strain_step=2e-6
expect_code 0 "damping"
expect_doubt "stage 'shear': damping dissipated a large fraction of the energy: 1, limit 0.2" "damping"
grep -q 'dissipated: 0 % by friction, 100 % by damping$' damped/summary.txt || fail "damping: $(cat damped/summary.txt)"

# A small cycle that is too fast: almost no work, and most of the dissipation is numerical. The summary has the share of
# the series.
dir=cycle
run run case.yaml -q --threads 1 -o cycle --json \
  --set 'stages.shear.cyclic={paths: {xz: {gamma: 1e-6}}, steps_per_cycle: 300}' \
  --set 'stages.shear.control={xx: {stress: 1 MPa}, yy: {stress: 1 MPa}, zz: {stress: 1 MPa}}' \
  --set 'stages.shear.until={cycles: 2}'
expect_code 0 "a small cycle"
echo "$doubts" | grep -q "stage 'shear': damping dissipated a large fraction of the energy: 0\\." ||
  fail "a small cycle: damping is not told: $doubts"
share=$(column damping_share cycle/series.csv | tail -n 1)
grep -q "\"damping_share\": $share" out || fail "a small cycle: JSON has no damping_share of $share: $(cat out)"
awk -v s="$share" '
  BEGIN { printf "dissipated: %.3g %% by friction, %.3g %% by damping\n", 100 - 100 * s, 100 * s }' > share
grep -qFf share cycle/summary.txt || fail "a small cycle: not $(cat share), but: $(cat cycle/summary.txt)"

# Spheres that do not touch: nothing is dissipated
cat > apart.yaml << 'END'
jager: 1
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
assembly: {lattice: {kind: sc, cells: [3, 3, 3], radius: 1 mm, overlap: 0}}
output: {series: 20, plots: false}
stages:
  - name: rest
    control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}}
    until: {steps: 10}
END
run run apart.yaml -q --threads 1 -o apart
grep -q '(medians); nothing was dissipated$' apart/summary.txt || fail "nothing dissipated: $(cat out err)"
grep -q 'no stress targets; energy balance' apart/summary.txt || fail "no stress targets: $(cat out err)"

# Spheres that overlap much
dir=soft
run run case.yaml -q --threads 1 -o soft --set 'material.shear_modulus=1 GPa' --set overlap_limit=0.3
expect_code 0 "soft spheres"
expect_doubt "stage 'packing': overlaps are too large for Hertz contacts: overlap_max is 0." "soft spheres"

# Constant volume until no stress is left
dir=lost
run run case.yaml -q --threads 1 -o lost \
  --set 'stages.shear.control={xx: {strain_step: -1e-6}, yy: {strain_step: -1e-6}, zz: {strain_step: -1e-6}}' \
  --set 'stages.shear.until={steps: 4000}'
expect_code 0 "stress that is lost"
expect_doubt "stage 'shear': stress was lost: the smallest p over the largest is " "stress that is lost"

finish
