# SPDX-License-Identifier: MIT
# jager check: the description of a case, and errors with line and column.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

cat > case.yaml << 'END'
jager: 1
title: Biaxial compression
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
assembly:
  packing:
    spheres: 4096
    sizes: {uniform: {min: 0.8 mm, max: 1.2 mm}}
    pressure: 100 kPa
trace: [{born: {strain_zz: 3 %}, window: 0.002}]
stages:
  - name: biaxial
    control:
      xx: {stress: 100 kPa}
      yy: {strain_rate: 0}
      zz: {strain_step: 1e-6}
    until: {steps: 40000, strain_zz: 4 %}
  - name: cycles
    mean_stress: {stress: 100 kPa, ramp: 500}
    control: {xy: {strain_rate: 0.6 %/min}}
    cyclic: {of: q, amplitude: 20 kPa, center: 5 kPa}
    until: {cycles: 10}
    friction: 0.3
    output: {series: 10, vtk: 1}
END
run check case.yaml
expect_code 0 "a good case"
[ ! -s err ] || fail "a good case: told on stderr: $(cat err)"
cat > wanted << END
title       Biaxial compression
material    shear modulus 29 GPa, Poisson's ratio 0.15, friction 0.5, density 2650 kg/m3
contact     jager, exact
time step   0.8 of the stability limit, updated every 50 steps
stops       at an overlap of 0.1 of the smaller radius
assembly    4096 spheres, diameters uniform from 0.8 mm to 1.2 mm
packing     at 100 kPa with friction 0, until unbalanced < 0.01 or 1000000 steps; cell 1 : 1 : 1
stage 1 'biaxial': xx stress 100 kPa, yy held, zz 1e-6 a step; until strain_zz = 0.04 or 40000 steps
            series every 100 steps, no snapshots, no vtk
stage 2 'cycles': mean stress 100 kPa within 500 steps, xy 0.0001 1/s; reversed when q is 20 kPa from 5 kPa; \
until 10 cycles; friction 0.3
            series every 10 steps, no snapshots, vtk every 1 step
trace       contact born at strain_zz = 0.03 +- 0.002 in stage 'cycles', every 1 step
checkpoint  every 10 min
plots       yes
END
grep -v '^damping\|^memory' out > shown
cmp shown wanted || fail "a good case is told otherwise: $(diff shown wanted)"
grep -q '^memory      about 16 MB$' out || fail "the memory of 4096 spheres: $(grep '^memory' out)"

# Settings
run check case.yaml --set material.friction=0.3 --set stages.biaxial.until.steps=7 --set 'contact={model: linear}'
expect_code 0 "--set"
grep -q "^material .* friction 0.3," out || fail "--set material.friction"
grep -q "until strain_zz = 0.04 or 7 steps" out || fail "--set stages.biaxial.until.steps"
grep -q "^contact     linear" out || fail "--set contact"
run check --set material.friction=abc case.yaml
expect_error 2 "--set material.friction=abc: 'friction' needs a number, not 'abc'" "a wrong --set"
run check case.yaml --set material.frictoin=1
expect_error 2 "--set material.frictoin=1: unknown key 'frictoin' in 'material': did you mean 'friction'? one of: \
shear_modulus, poisson, friction, density" "a misspelt --set"

run check case.yaml --set stages.biaxal.until.steps=7
expect_error 2 "--set stages.biaxal.until.steps=7: 'stages' has no item 'biaxal': did you mean 'biaxial'? one of: \
biaxial, cycles, or its number, counted from 0" "a misspelt stage"

# For any misspelt key the right one is suggested. Random slips, from a seed: two letters swapped, one dropped, doubled
# or changed.
awk 'BEGIN { srand(20250118) }
  { count = split($0, words, ".")
    for (i = 1; i <= count; i++)
      for (try = 0; try < 4; try++) {
        word = words[i]; at = int(rand() * (length(word) - 1)) + 1; wrong = word
        first = substr(word, at, 1); second = substr(word, at + 1, 1)
        head = substr(word, 1, at - 1); rest = substr(word, at + 2)
        if (try == 0) wrong = head second first rest
        if (try == 1) wrong = head second rest
        if (try == 2) wrong = head first first second rest
        if (try == 3) wrong = head "q" second rest
        key = ""
        for (j = 1; j <= count; j++) key = key (j > 1 ? "." : "") (j == i ? wrong : words[j])
        if (wrong != word) print key, word, wrong
      } }' << 'END' > slips
material.friction
material.shear_modulus
contact.tolerance
damping.viscous
density_scaling
overlap_limit
assembly.packing.initial_density
assembly.packing.sizes.uniform
output.snapshot
checkpoint.minutes
stages.biaxial.until.steps
stages.cycles.cyclic.amplitude
stages.cycles.mean_stress.stress
END
[ "$(wc -l < slips)" -gt 100 ] || fail "too few slips"
while read -r key right wrong; do
  run check case.yaml --set "$key=1"
  expect_code 2 "--set $key"
  grep -q "^--set $key=1: .*'$wrong'.*: did you mean '$right'? one of: " err || fail "--set $key: $(head -n 1 err)"
done < slips

# Mistakes, with the line and a caret
sed 's/poisson: 0.15/poisson: 0.6/; s/until: {cycles/untill: {cycles/' case.yaml > wrong.yaml
run check wrong.yaml
expect_code 2 "wrong values"
cat > wanted << END
wrong.yaml:3:44: 'poisson' must lie in (-1, 0.5], not '0.6'
  material: {shear_modulus: 29 GPa, poisson: 0.6, friction: 0.5, density: 2650 kg/m3}
                                             ^
wrong.yaml:21:5: unknown key 'untill' in 'stages.cycles': did you mean 'until'? \
one of: name, control, mean_stress, inertial_number, cyclic, modulus_reduction, until, friction, stop_spheres, \
damping, output
      untill: {cycles: 10}
      ^
END
cmp err wanted || fail "wrong values are told otherwise: $(diff err wanted)"
[ ! -s out ] || fail "wrong values: wrote to stdout"

printf 'jager: 1\ngravity: [0, 0\n' > syntax.yaml
run check syntax.yaml
expect_error 2 "syntax.yaml:3:1: this is not YAML: flow sequence without a closing bracket" "wrong YAML"
expect_same "$(wc -l < err)" 3 "lines told about wrong YAML"

# Files
run check nowhere.yaml
expect_error 1 "nowhere.yaml: cannot be read: No such file or directory" "no file"
run check /dev/zero
expect_error 2 "/dev/zero: a case file must not be larger than 1000000 bytes" "an endless file"
yes "# endless" 2> /dev/null | "$program" check /dev/stdin > out 2> err
code=$?
expect_error 2 "/dev/stdin: a case file must not be larger than 1000000 bytes" "an endless pipe"
run check .
expect_error 1 ".: cannot be read: Is a directory" "a directory"
: > empty.yaml
run check empty.yaml
expect_error 2 "empty.yaml:1:1: this is not a case: it is empty" "an empty file"
mkdir sub
sed '/^assembly/,/pressure/d' case.yaml > sub/file.yaml
echo 'assembly: {file: spheres.txt}' >> sub/file.yaml
run check sub/file.yaml
expect_error 1 "jager check: cannot read sub/spheres.txt: No such file or directory" "a file of spheres that is not \
there"
printf 'cell 4 4 4\n1 1 1 0.5\n' > sub/spheres.txt
run check sub/file.yaml
expect_code 0 "a file of spheres"
grep -q '^assembly    grains of the file sub/spheres.txt$' out || fail "a file of spheres is not told"

# Keys for features that do not exist: the whole message, and the pages that it names exist
sed '/^jager/a walls: [{z: 0}]' case.yaml > walls.yaml
run check walls.yaml
expect_error 2 "walls.yaml:2:1: unknown key 'walls': the cell is periodic and has no walls; for walls take LAMMPS with \
'fix wall/gran/jager' (docs/lammps.md)" "a wall"
for page in $(grep -oh 'docs/[a-z/-]*\.md' "$source_dir"/src/case/*.c | sort -u); do
  [ -f "$source_dir/$page" ] || fail "messages name $page, which is not there"
done

# Command line
run check
expect_error 2 "jager check: no case file is given" "no case"
run check a.yaml b.yaml
expect_error 2 "jager check: more than one case: 'b.yaml'" "two cases"
finish
