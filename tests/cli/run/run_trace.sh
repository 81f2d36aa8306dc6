# SPDX-License-Identifier: MIT
# Traces: the history of a contact that is chosen by its spheres, or by the strain at which it forms.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

header=life,id1,id2,step,time,strain,zeta,xi1,xi2,fn,ft1,ft2,length

# ---- Pairs of a lattice, whose forces are known ----------------------------------------------------------------------

cat > lattice.yaml << 'END'
jager: 1
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
damping: {local: 0.2}
assembly: {lattice: {kind: fcc, cells: [2, 2, 2], radius: 0.5 mm, overlap: 1e-4}}
output: {series: 20, plots: false}
stages:
  - name: rest
    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {stress: 100 kPa}}
    until: {steps: 200}
  - name: triaxial
    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {strain_step: 5e-7}}
    until: {strain_zz: 0.056 %} # before the lattice buckles in a direction that rounding decides
trace:
  - {pair: [1, 0]}              # neighbours in a horizontal layer: they separate when the lattice widens
  - {pair: [0, 2], every: 100}  # above each other: slide
  - {pair: [0, 31]}             # far from each other
END
run run lattice.yaml -q --threads 1 -o lattice
expect_code 0 "lattice"
grep -q "trace-\*.csv" out || fail "the summary does not tell of the traces"
expect_error 0 "jager run: lattice/trace-3.csv is empty: there was no such contact" "a pair that never touches"
for number in 1 2 3; do
  expect_same "$(head -n 1 lattice/trace-$number.csv)" "$header" "columns of trace $number"
done
expect_same "$(wc -l < lattice/trace-3.csv | tr -d ' ')" 1 "lines of a pair that never touches"
expect_same "$(column life lattice/trace-1.csv | sort -u)" 1 "lives of the first pair"
expect_same "$(column id1 lattice/trace-1.csv | sort -u) $(column id2 lattice/trace-1.csv | sort -u)" "0 1" "ids, in \
order"
expect_same "$(column step lattice/trace-1.csv | head -n 3 | tr '\n' ' ')" "0 1 2 " "steps of the first pair"
expect_same "$(column step lattice/trace-2.csv | head -n 3 | tr '\n' ' ')" "0 100 200 " "steps of the second pair"
steps=$(column step lattice/series.csv | tail -n 1)
last=$(column step lattice/trace-1.csv | tail -n 1)
[ "$last" -lt "$steps" ] || fail "the first pair has not parted: $last of $steps steps"

# Hertz: Fn = 4/3 E* sqrt(R*) (2 zeta)^1.5, E* = G / (1 - nu), R* = R / 2; and Coulomb: |Ft| <= f Fn, reached at the end
for number in 1 2; do
  awk -F, 'NR > 1 {
      fn = 4 / 3 * 29e9 / 0.85 * sqrt(0.25e-3) * (2 * $7) ^ 1.5
      ft = sqrt($11 ^ 2 + $12 ^ 2)
      if ($10 < fn * 0.999999 || $10 > fn * 1.000001) { print "line " NR ": " $10 " N instead of " fn; exit 1 }
      if (ft > 0.5 * $10 * 1.000001) { print "line " NR ": friction " ft / $10; exit 1 }
    }' lattice/trace-$number.csv > wrong || fail "trace $number: $(cat wrong)"
done
expect_close "$(awk -F, '{ m = sqrt($11 ^ 2 + $12 ^ 2) / $10 } END { print m }' lattice/trace-2.csv)" 0.5 1e-9 "it \
slides"

# ---- Births ----------------------------------------------------------------------------------------------------------

small_case case.yaml 600 1500
run run case.yaml -q --threads 1 -o born \
  --set 'trace=[{born: {strain_zz: 0.002}, window: 0.0002}, '\
'{born: {strain_xx: -0.0005}, stage: biaxial, window: 0.0004, every: 7}]'
expect_code 0 "births"
[ ! -s err ] || fail "births: told on stderr: $(cat err)"
for number in 1 2; do
  file=born/trace-$number.csv
  expect_same "$(head -n 1 $file)" "$header" "columns of birth $number"
  expect_same "$(column life $file | sort -u)" 1 "lives of birth $number"
  [ "$(wc -l < $file)" -gt 20 ] || fail "birth $number: only $(wc -l < $file) lines"
done
expect_close "$(column strain born/trace-1.csv | head -n 1)" 0.002 0.0002000001 "strain at the first birth"
expect_close "$(column strain born/trace-2.csv | head -n 1)" -0.0005 0.0004000001 "strain at the second birth"
expect_same "$(column step born/trace-2.csv | sed 1d | awk '$1 % 7 { n++ } END { print n + 0 }')" 0 "every 7 steps"

# With two threads: the same contact
run run case.yaml -q --threads 2 -o two \
  --set 'trace=[{born: {strain_zz: 0.002}, window: 0.0002}, '\
'{born: {strain_xx: -0.0005}, stage: biaxial, window: 0.0004, every: 7}]'
expect_code 0 "births, two threads"
cmp born/trace-1.csv two/trace-1.csv || fail "another trace with two threads"

# Nobody is born there
run run case.yaml -q --threads 1 -o nobody --set 'trace=[{born: {strain_zz: 0.5}, window: 0.01}]'
expect_error 0 "jager run: nobody/trace-1.csv is empty: there was no such contact" "nobody is born"

# Mistakes
run run case.yaml -q -o never --set 'trace=[{pair: [1, 600]}]'
expect_code 2 "an id that there is not"
run run case.yaml -q -o never --set 'trace=[{pair: [3, 3]}]'
expect_code 2 "a pair of one"
run run case.yaml -q -o never --set 'trace=[{born: {strain_zz: 0.001}, window: 0.0001, stage: nothing}]'
expect_code 2 "a stage that there is not"
[ ! -e never ] || fail "a refused run made its directory"
finish
