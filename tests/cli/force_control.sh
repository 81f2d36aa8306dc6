# SPDX-License-Identifier: MIT
# Driven by displacement, and then by the forces that came of it: the movements come back, to 1e-12.
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
  awk -F, -v size="$(awk -F, 'NR > 1 { for (i = 2; i <= 4; i++) { a = $i < 0 ? -$i : $i; if (a > m) m = a } } END { print m }' forward)" '
    FNR == 1 { next } NR == FNR { for (i = 2; i <= 7; i++) x[$1, i] = $i; next }
    { for (i = 2; i <= 4; i++) { d = ($i - x[$1, i]) / size; if (d < 0) d = -d; if (d > worst) worst = d } }
    END { if (!(worst <= 1e-12)) { print "worst", worst; exit 1 } }' forward out || fail "$name: other movements"
}

round_trip "nine movements" "$source_dir/examples/nine-movements.csv"

# A spiral in two directions under a changing normal force, without gross sliding
awk 'BEGIN { print "zeta,xi1,xi2"
  for (i = 1; i <= 300; i++) { t = i / 20
    printf "%.17g,%.17g,%.17g\n", 1e-6 * (1 + 0.3 * sin(t)), 2e-7 * t / 15 * cos(2 * t), 2e-7 * t / 15 * sin(2 * t) } }' > spiral.csv
round_trip "spiral" spiral.csv --shear-modulus 29e9 --poisson 0.2 --radius 0.01
round_trip "spiral of cones" spiral.csv --contour cone --slope 0.1
round_trip "spiral of a power law" spiral.csv --contour power --slope 10 --exponent 3
round_trip "spiral on a wall" spiral.csv --wall --radius-a 0.02 --shear-modulus-b inf

# Changes of force as in the example: cycles at constant Fn close
run contact --control force "$source_dir/examples/constant-force-cycle.csv"
expect_code 0 "cycle"
expect_close "$(column ft1 out | tail -n 1)" 0.3 1e-15 "cycle: force at its end"
expect_close "$(awk -F, 'NR > 1 && $6 > 0.2999999 { x = $3; if (!n++) first = x } END { if (n == 3) print x - first }' out)" 0 1e-14 \
  "cycle: it closes"
finish
