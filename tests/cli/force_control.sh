# SPDX-License-Identifier: MIT
# A contact is driven by displacements, then by the resulting forces: the movements agree to 1e-12.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

# round_trip NAME PATH OPTIONS...
round_trip() {
  name=$1
  path=$2
  shift 2
  run contact "$@" "$path"
  expect_code 0 "$name: forward"
  cp out forward
  awk -F, 'NR == 1 { print "fn,ft1,ft2"; next } { print $5 "," $6 "," $7 }' forward > forces.csv
  run contact "$@" --control force forces.csv
  expect_code 0 "$name: back"
  expect_same "$(wc -l < out)" "$(wc -l < forward)" "$name: rows"
  awk -F, -v size="$(awk -F, 'NR > 1 { for (i = 2; i <= 4; i++) { a = $i < 0 ? -$i : $i; if (a > m) m = a } } END { \
print m }' forward)" '
    FNR == 1 { next } NR == FNR { for (i = 2; i <= 7; i++) x[$1, i] = $i; next }
    { for (i = 2; i <= 4; i++) { d = ($i - x[$1, i]) / size; if (d < 0) d = -d; if (d > worst) worst = d } }
    END { if (!(worst <= 1e-12)) { print "worst", worst; exit 1 } }' forward out || fail "$name: other movements"
}

round_trip "nine movements" "$source_dir/examples/nine-movements.csv"

# A spiral in two directions under a changing normal force, without gross sliding
awk 'BEGIN { print "zeta,xi1,xi2"
  for (i = 1; i <= 300; i++) { t = i / 20
    printf "%.17g,%.17g,%.17g\n", 1e-6 * (1 + 0.3 * sin(t)), 2e-7 * t / 15 * cos(2 * t),
      2e-7 * t / 15 * sin(2 * t) } }' > spiral.csv
round_trip "spiral" spiral.csv --shear-modulus 29e9 --poisson 0.2 --radius 0.01
round_trip "spiral of cones" spiral.csv --contour cone --slope 0.1
round_trip "spiral of a power law" spiral.csv --contour power --slope 10 --exponent 3
round_trip "spiral on a wall" spiral.csv --wall --radius-a 0.02 --shear-modulus-b inf

# Changes of force as in the example: cycles at constant Fn close
run contact --control force "$source_dir/examples/constant-force-cycle.csv"
expect_code 0 "cycle"
expect_close "$(column ft1 out | tail -n 1)" 0.3 1e-15 "cycle: force at its end"
expect_close "$(awk -F, 'NR > 1 && $6 > 0.2999999 { x = $3; if (!n++) first = x } END { if (n == 3) print x - first \
}' out)" 0 1e-14 \
  "cycle: it closes"

# Changes add up without loss, in any order; what decimal fractions leave of a sum counts as zero
for path in '1e9,0\n-1e9,0\n1e-8,0' '1e9,0\n1e-8,0\n-1e9,0' '0.1,0\n0.2,0\n-0.3,0\n1e-8,0'; do
  # shellcheck disable=SC2059
  printf "dfn,dft1\n$path\n" > in
  run contact --control force
  expect_code 0 "sum of changes"
  expect_close "$(column fn out | tail -n 1)" 1e-8 1e-23 "sum of $path"
done
printf 'dfn,dft1\n1,0.1\n0,0.2\n0,-0.3\n-1,0\n' > in
run contact --control force
expect_same "$(column state out | tail -n 1)" apart "no shear is left of 0.1 + 0.2 - 0.3"
for path in '1e3,0\n1e-12,0\n-1e3,0' '0.1,0\n0.2,0\n-0.3,0\n1e-12,0'; do
  # shellcheck disable=SC2059
  printf "dzeta,dxi1\n$path\n" > in
  run contact
  expect_close "$(column zeta out | tail -n 1)" 1e-12 1e-27 "sum of movements $path"
done
awk 'BEGIN { print "dzeta,dxi1"; for (i = 0; i < 100000; i++) print "1e-7,0" }' > in
run contact
expect_same "$(column zeta out | tail -n 1)" 0.01 "a hundred thousand movements"
finish
