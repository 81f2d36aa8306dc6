# SPDX-License-Identifier: MIT
# All contact models run; they agree where they must, and stay within friction.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

nine=$source_dir/examples/nine-movements.csv
awk 'BEGIN { print "zeta,xi1,xi2"
  for (i = 1; i <= 400; i++) { t = i / 40
    printf "%.17g,%.17g,%.17g\n", 0.01 * (1 - cos(t)), 0.008 * sin(3 * t), 0.004 * cos(2 * t) } }' > wild.csv

models=$(all_models)
case $models in
"jager linear hertz-mindlin "*) ;;
*) fail "the program lists other models: '$models'" ;;
esac
for model in $models; do
  "$program" contact --help | tr -s ' \n' '  ' | grep -qF " $model" || fail "$model is not in the help"
  for path in "$nine" wild.csv; do
    run contact --model $model "$path"
    expect_code 0 "$model"
    expect_same "$(wc -l < out)" "$(grep -vc '^#' "$path")" "$model: rows"
    awk -F, 'NR > 1 { if ($6 * $6 + $7 * $7 > 0.25 * $5 * $5 * (1 + 1e-9) + 1e-300) exit 1
      if ($8 !~ /^(elastic|slip|slide|apart)$/) exit 1 }' out || fail "$model: beyond friction, or no state"
    [ "$model" = linear ] || column fn out > "fn-$model"
  done
done
for model in $models; do
  [ "$model" = linear ] || cmp -s fn-jager fn-$model || fail "$model: another normal force"
done

# linear: Fn = kn 2 zeta, Ft = kt 2 xi while it sticks
printf 'zeta,xi1\n0.01,0.001\n' > in
run contact --model linear --kn 100 --kt 50
expect_close "$(column fn out)" 2 1e-15 "linear: Fn"
expect_close "$(column ft1 out)" 0.1 1e-15 "linear: Ft"

# ... and without --kn it has the Fn of the other laws at the deepest point of the path, or at --kn-at
for shape in "" "--contour cone --slope 0.3" "--radius-a 2 --wall"; do
  # shellcheck disable=SC2086
  run contact $shape wild.csv
  deepest=$(awk -F, 'NR > 1 && $2 > z { z = $2; fn = $5 } END { print z "," fn }' out)
  # shellcheck disable=SC2086
  run contact $shape --model linear wild.csv
  expect_code 0 "linear, deepest: $shape"
  awk -F, -v zeta="${deepest%,*}" -v fn="${deepest#*,}" \
    'NR > 1 && $2 > 0 { d = $5 / $2 * zeta / fn - 1; n++; if (d * d > 1e-10) exit 1 }
    END { exit !n }' out || fail "linear $shape: another Fn than at the deepest point"
  cp out whole
  cp wild.csv in
  # shellcheck disable=SC2086
  run contact $shape --model linear
  cmp -s out whole || fail "linear: another result from a file as standard input"
  # shellcheck disable=SC2086
  "$program" contact $shape --model linear --kn-at "$(awk -F, 'NR > 1 && $1 > z { z = $1 } END { print z }' \
wild.csv)" - < wild.csv > out
  cmp -s out whole || fail "linear: another result with --kn-at"
done
message="jager contact: --model linear takes its stiffness at the largest zeta of the path, and <stdin> can be read \
only once: \
give --kn, or --kn-at, or the path as a file"
tail -n +1 wild.csv | "$program" contact --model linear > out 2> err
code=$?
expect_error 2 "$(printf %s "$message")" "linear from a pipe"
tail -n +1 wild.csv | "$program" contact --model linear --kn-at 0.01 > out 2> err || fail "linear from a pipe with \
--kn-at"
printf 'zeta,xi1\n0.01,0\n0.02,oops\n0.03,0\n' > path.csv
run contact --model linear path.csv
expect_error 2 "path.csv:3:6: 'oops' is not a number: write it like 0.0025 or 2.5e-3" "linear: a mistake in the path"
expect_close "$(column fn out)" 0.0053333333333333332 1e-15 "linear: what comes before the mistake"
printf 'zeta,xi1\n-0.01,0\n' > path.csv
run contact --model linear path.csv
expect_code 0 "linear: apart all along"

# Bodies: against a rigid wall a sphere's own radius is doubled, and so is its modulus: Fn = 2 E sqrt(2 R zeta^3)
printf 'zeta,xi1\n0.01,0\n' > in
run contact
fn=$(column fn out)
printf 'zeta,xi1\n0.01,0\n' > in
run contact --wall --shear-modulus-b inf
expect_close "$(column fn out)" "$(awk -v fn="$fn" 'BEGIN { printf "%.17g", 2 * sqrt(2) * fn }')" 1e-15 "rigid wall"
printf 'zeta,xi1\n0.01,0\n' > in
run contact --radius-a 1 --radius-b inf --shear-modulus-b inf
expect_close "$(column fn out)" "$(awk -v fn="$fn" 'BEGIN { printf "%.17g", 2 * sqrt(2) * fn }')" 1e-15 "infinite \
radius"

# Contours: a power law of exponent 2 is the sphere, of 1 the cone
for pair in "sphere::--contour power --slope 0.5 --exponent 2" "cone:--slope 0.3:--contour power --slope 0.3 \
--exponent 1"; do
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
