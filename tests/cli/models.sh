# SPDX-License-Identifier: MIT
# All contact models run; they agree where they must, and stay within friction.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

nine=$source_dir/examples/nine-movements.csv
awk 'BEGIN { print "zeta,xi1,xi2"
  for (i = 1; i <= 400; i++) { t = i / 40
    printf "%.17g,%.17g,%.17g\n", 0.01 * (1 - cos(t)), 0.008 * sin(3 * t), 0.004 * cos(2 * t) } }' > wild.csv

for model in jager modified-mindlin zhang-vuquoc hertz-mindlin linear; do
  for path in "$nine" wild.csv; do
    run contact --model $model "$path"
    expect_code 0 "$model"
    expect_same "$(wc -l < out)" "$(grep -vc '^#' "$path")" "$model: rows"
    awk -F, 'NR > 1 { if ($6 * $6 + $7 * $7 > 0.25 * $5 * $5 * (1 + 1e-9) + 1e-300) exit 1
      if ($8 !~ /^(elastic|slip|slide|apart)$/) exit 1 }' out || fail "$model: beyond friction, or no state"
    [ "$model" = linear ] || column fn out > "fn-$model"
  done
done
for model in modified-mindlin zhang-vuquoc hertz-mindlin; do
  cmp -s fn-jager fn-$model || fail "$model: another normal force"
done

# linear: Fn = kn 2 zeta, Ft = kt 2 xi while it sticks
printf 'zeta,xi1\n0.01,0.001\n' > in
run contact --model linear --kn 100 --kt 50
expect_close "$(column fn out)" 2 1e-15 "linear: Fn"
expect_close "$(column ft1 out)" 0.1 1e-15 "linear: Ft"

# Bodies: against a rigid wall a sphere's own radius is doubled, and so is its modulus: Fn = 2 E sqrt(2 R zeta^3)
printf 'zeta,xi1\n0.01,0\n' > in
run contact
fn=$(column fn out)
printf 'zeta,xi1\n0.01,0\n' > in
run contact --wall --shear-modulus-b inf
expect_close "$(column fn out)" "$(awk -v fn="$fn" 'BEGIN { printf "%.17g", 2 * sqrt(2) * fn }')" 1e-15 "rigid wall"
printf 'zeta,xi1\n0.01,0\n' > in
run contact --radius-a 1 --radius-b inf --shear-modulus-b inf
expect_close "$(column fn out)" "$(awk -v fn="$fn" 'BEGIN { printf "%.17g", 2 * sqrt(2) * fn }')" 1e-15 "infinite radius"

# Contours: a power law of exponent 2 is the sphere, of 1 the cone
for pair in "sphere::--contour power --slope 0.5 --exponent 2" "cone:--slope 0.3:--contour power --slope 0.3 --exponent 1"; do
  shape=${pair%%:*}
  rest=${pair#*:}
  # shellcheck disable=SC2086
  run contact --contour "$shape" ${rest%%:*} "$nine"
  expect_code 0 "$shape"
  cp out first
  # shellcheck disable=SC2086
  run contact ${rest#*:} "$nine"
  awk -F, 'FNR == 1 { next } NR == FNR { fn[$1] = $5; ft[$1] = $6; next }
    { d = $5 / fn[$1] - 1; e = ($6 - ft[$1]) / fn[$1]; if (d * d > 1e-24 || e * e > 1e-24) exit 1 }' first out ||
    fail "$shape as a power law"
done

# Merging makes the history shorter
awk 'BEGIN { print "dzeta,dxi1"; for (i = 0; i < 100; i++) print "1e-4," 3e-5 + 1e-7 * i }' > climb.csv
run contact climb.csv
expect_same "$(column length out | tail -n 1)" 101 "exact length"
run contact --dp-max 0.01 climb.csv
awk -v n="$(column length out | tail -n 1)" 'BEGIN { exit !(n > 1 && n < 101) }' || fail "nothing merged"
finish
