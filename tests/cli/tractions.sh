# SPDX-License-Identifier: MIT
# The tractions, integrated over the contact area, give the forces within 1e-3.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

# integral COLUMN: of a traction over the area, by trapezes
integral() {
  awk -F, -v i="$1" '/^#/ || /^r/ { next } { y = 2 * 3.14159265358979 * $1 * $i
    if (n++) sum += 0.5 * (y + last) * ($1 - r); r = $1; last = y } END { print sum }' tractions.csv
}

# check NAME PATH OPTIONS...
check() {
  name=$1
  shift
  rm -f tractions.csv
  run contact --tractions tractions.csv "$@"
  expect_code 0 "$name"
  grep -q '^r,pressure,shear1,shear2$' tractions.csv || fail "$name: header"
  fn=$(column fn out | tail -n 1)
  tolerance=$(awk -v fn="$fn" 'BEGIN { print 1e-3 * fn }')
  expect_close "$(integral 2)" "$fn" "$tolerance" "$name: Fn"
  expect_close "$(integral 3)" "$(column ft1 out | tail -n 1)" "$tolerance" "$name: Ft1"
  expect_close "$(integral 4)" "$(column ft2 out | tail -n 1)" "$tolerance" "$name: Ft2"
  awk -F, '/^#/ || /^r/ { next } n++ && $1 <= r { exit 1 } { r = $1 } END { if (n < 300) exit 1 }' tractions.csv ||
    fail "$name: radii"
  radius=$(sed -n 's/^# contact radius \(.*\) m$/\1/p' tractions.csv)
  stick=$(sed -n 's/^# stick radius \(.*\) m$/\1/p' tractions.csv)
  expect_close "$(column r tractions.csv | tail -n 1)" "$radius" 0 "$name: last radius"
  awk -v a="$radius" -v c="$stick" 'BEGIN { exit !(a > 0 && c >= 0 && c <= a) }' || fail "$name: stick radius $stick"
}

nine=$source_dir/examples/nine-movements.csv
check "nine movements" "$nine"
expect_close "$radius" 0.18439088914585774 1e-15 "a = sqrt(zeta R)"

# Every radius of the history is among the rows, and the last history has no others
run contact --history history.csv --tractions tractions.csv "$nine"
awk -F, '/^#/ || /^r/ || /^step/ { next } FILENAME == "history.csv" { if ($1 == 9 && $2 > 0) cut[++n] = sqrt($3); next }
  { for (i = 1; i <= n; i++) { d = $1 / cut[i] - 1; if (d < 1e-14 && d > -1e-14) hit[i] = 1 } }
  END { if (n != 7) exit 1; for (i = 1; i <= n; i++) if (!hit[i]) exit 1 }' history.csv tractions.csv ||
  fail "a kink is not among the radii"
check "wall" --wall "$nine"
check "cone" --contour cone --slope 0.1 "$nine"
check "power" --contour power --slope 10 --exponent 3 "$nine"
printf 'zeta,xi1,xi2\n0.01,0.001,0.002\n0.01,0.006,0.001\n0.02,0.004,0.005\n0.015,0.0045,0.005\n' > two.csv
check "two directions" two.csv

# A history longer than there are rows
awk 'BEGIN { print "zeta,xi1"; for (i = 1; i <= 3000; i++) printf "%.17g,%.17g\n", 1e-5 * i, 2e-10 * i * i }' > long.csv
check "long history" long.csv

# Apart: nothing but the header
printf 'zeta,xi1\n0.01,0\n-0.01,0\n' > in
run contact --tractions apart.csv
expect_code 0 "apart"
expect_same "$(grep -v '^#' apart.csv)" "r,pressure,shear1,shear2" "apart"
finish
