# SPDX-License-Identifier: MIT
# jager check and run warn of values that are valid but implausible; the example cases have no warnings.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

for file in "$source_dir"/examples/*.yaml; do
  run check "$file"
  expect_code 0 "$file"
  [ ! -s err ] || fail "$file is told to be implausible: $(cat err)"
done

cat > case.yaml << 'END'
jager: 1
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
assembly:
  packing:
    spheres: 1000
    sizes: {uniform: {min: 0.8 mm, max: 1.2 mm}}
    pressure: 100 kPa
output: {plots: false}
stages:
  - name: shear
    control:
      xx: {stress: 100 kPa}
      yy: {stress: 100 kPa}
      zz: {strain_step: 5e-7}
    until: {strain_zz: 4 %}
END
run check case.yaml
expect_code 0 "a plausible case"
[ ! -s err ] || fail "a plausible case: told $(cat err)"

# The whole warning: place, value, usual range
sed 's/29 GPa/29/' case.yaml > wrong.yaml
cat > wanted << END
wrong.yaml:2:27: warning: 'shear_modulus' is 29 Pa; 1 MPa to 1000 GPa are usual \
(quartz has 29 GPa, rubber 1 MPa): is the unit right?
  material: {shear_modulus: 29, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
                            ^
END
run check wrong.yaml
expect_code 0 "a modulus without its unit"
cmp -s err wanted || fail "a modulus without its unit is told otherwise: $(diff err wanted)"
[ -s out ] || fail "a modulus without its unit: the case is not told"

# expect_warning FROM TO WARNING: the case with FROM replaced gives this warning alone, at the place of TO
expect_warning() {
  sed "s|$1|$2|" case.yaml > changed.yaml
  cmp -s case.yaml changed.yaml && fail "'$1' is not in the case"
  place=$(awk -v text="$2" '{ at = index($0, text) } at { print NR ":" at + index(text, ": ") + 1; exit }' changed.yaml)
  run check changed.yaml
  expect_code 0 "$2"
  expect_same "$(grep -c ': warning: ' err)" 1 "warnings of '$2': $(cat err)"
  head -n 1 err | grep -qF "changed.yaml:$place: warning: " || fail "$2: not at $place: $(cat err)"
  head -n 1 err | grep -q -- "$3" || fail "$2: '$3' is not told, but: $(cat err)"
}
expect_warning 'density: 2650 kg/m3' 'density: 2.65' "'density' is 2.65 kg/m3; 100 kg/m3 to 25000 kg/m3 are usual"
expect_warning 'friction: 0.5' 'friction: 30' "'friction' is 30; 0 to 2 are usual"
expect_warning 'poisson: 0.15' 'poisson: -0.3' "'poisson' is -0.3; 0 to 0.5 are usual"
expect_warning 'pressure: 100 kPa' 'pressure: 100 GPa' "'pressure' is 100 GPa; 1 kPa to 1 GPa are usual"
expect_warning 'pressure: 100 kPa' 'pressure: 100' "'pressure' is 100 Pa; 1 kPa to 1 GPa are usual"
expect_warning 'pressure: 100 kPa' 'pressure: 60 MPa' "'pressure' would press spheres into each other by about 0.04 \
of their radius"
expect_warning 'strain_zz: 4 %' 'strain_zz: 400 %' "'strain_zz' is 4; -0.5 to 0.5 are usual"
expect_warning 'strain_step: 5e-7' 'strain_step: 1e-4' "'strain_step' is too fast to be quasi-static: the inertial \
number would be about 0.1, and should be below 0.001; about [5-9]e-07 would do"
expect_warning 'strain_step: 5e-7' 'strain_rate: 1000 1/s' "'strain_rate' is too fast"

# A periodic cell has no floor
expect_warning 'output: {plots: false}' 'gravity: [0, 0, -9.81]' "'gravity' lets all spheres of a periodic cell fall \
together: there are no walls to carry them; for grains under their own weight take LAMMPS with 'fix wall/gran/jager' \
(docs/lammps.md)"
run check case.yaml --set 'gravity=[0, 0, 0]'
expect_code 0 "no gravity"
[ ! -s err ] || fail "no gravity: told $(cat err)"

# From --set; several at once; and in a run
run check case.yaml --set 'assembly.packing.sizes={uniform: {min: 0.8, max: 1.2}}'
expect_code 0 "metres"
usual='^--set assembly.packing.sizes=.*: warning: .* are usual (sand has 0.06 to 2 mm): is the unit right?$'
expect_same "$(grep -c "$usual" err)" 2 "metres: warnings"
run check case.yaml --set 'stages.shear.cyclic={of: strain_zz, amplitude: 2e-7}' --set 'stages.shear.until={cycles: 5}'
expect_error 0 "--set stages.shear.cyclic={of: strain_zz, amplitude: 2e-7}: warning: the amplitude is reached in 0.4 \
steps, too few to resolve a cycle: take a larger amplitude, or strain more slowly" "cycles below a step"
run check case.yaml --set 'stages.shear.cyclic={of: q, amplitude: 20 Pa}' --set 'stages.shear.until={cycles: 5}'
expect_told "warning: the amplitude is reached in about 0.2 steps, too few" "cycles of q below a step"
run check case.yaml --set 'stages.shear.cyclic={of: q, amplitude: 30}' --set 'stages.shear.until={cycles: 5}' \
  --set 'stages.shear.control.zz={strain_step: 1e-9}'
expect_told "warning: 'amplitude' is 30 Pa; 1 kPa to 1 GPa are usual" "an amplitude without its unit"
run check case.yaml --set 'stages.shear.control.xx.stress=100'
expect_told "warning: 'stress' is 100 Pa; 1 kPa to 1 GPa are usual" "a stress target without its unit"

# A stress is judged where it exceeds all before; one that is too small, each time
run check case.yaml --set 'stages.shear.control.xx.stress=60 MPa' --set 'stages.shear.control.yy.stress=60 MPa'
expect_same "$(grep -c ': warning: ' err)" 1 "two equal stresses: $(cat err)"
run check case.yaml --set 'stages.shear.control.xx.stress=60 MPa' --set 'stages.shear.control.yy.stress=70 MPa'
expect_same "$(grep -c ': warning: ' err)" 2 "two rising stresses: $(cat err)"
run check case.yaml --set 'stages.shear.control.xx.stress=70 MPa' --set 'stages.shear.control.yy.stress=60 MPa'
expect_same "$(grep -c ': warning: ' err)" 1 "two falling stresses: $(cat err)"
run check case.yaml --set 'stages.shear.control.xx.stress=100' --set 'stages.shear.control.yy.stress=100'
expect_same "$(grep -c ': warning: .* are usual ' err)" 2 "two stresses without their units: $(cat err)"

run check case.yaml --set 'stages.shear.cyclic={paths: {xz: {stress: 30}}, steps_per_cycle: 20000}' \
  --set 'stages.shear.until={cycles: 5}' --set 'stages.shear.control.zz={stress: 100 kPa}'
expect_told "warning: 'stress' is 30 Pa; 1 kPa to 1 GPa are usual" "a wave of stress without its unit"
run check case.yaml --set 'stages.shear.control.zz={strain_rate: 1 %/h}'
expect_told "warning: the stage would take about 6e+10 steps of 3e-07 s: strain faster, or give 'strain_step'" \
  "a slow rate"
run check case.yaml --set 'time_step={fixed: 1 s}'
expect_told "warning: 'fixed' is 3.2e+06 times the stability limit, which is about 3e-07 s: the run would blow up" \
  "a fixed time step"
run check case.yaml --set 'time_step={fixed: 1 s, interval: 20}' --set density_scaling=each
expect_code 0 "a fixed time step with density scaling of each sphere"
expect_same "$(cat err)" "" "a fixed time step with density scaling of each sphere: warnings"
run check case.yaml --set 'time_step={fixed: 1 s}' --set density_scaling=each \
  --set 'stages.shear.control.zz={strain_rate: 1e-4}'
expect_told "warning: 'strain_rate' is too fast to be quasi-static" "a rate for steps of a second"
run check case.yaml --set 'stages.shear.control.xx={stress: 200 kPa, ramp: 5000}' --set stages.shear.until.steps=5000
expect_told "warning: the stage ends after 5000 steps, before its 'ramp' of 5000 reaches the stress" "a long ramp"
run check case.yaml --set 'contact={contour: {kind: cone, slope: 3}}'
expect_told "warning: 'slope' is 3; 0.001 to 1 are usual" "a steep cone"
run run case.yaml -q --threads 1 -o run --set material.density=5 --set assembly.packing.spheres=100 \
  --set assembly.packing.max_steps=50
expect_code 3 "a run that is given up"
expect_told "--set material.density=5: warning: 'density' is 5 kg/m3" "a warning of jager run"
finish
