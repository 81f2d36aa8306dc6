# SPDX-License-Identifier: MIT
# The same path, written in different forms, gives the same bytes.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

path=$source_dir/examples/nine-movements.csv
run contact "$path"
expect_code 0 "the path as it is"
mv out expected

# same NAME ARGS...: the same output
same() {
  name=$1
  shift
  run contact "$@"
  expect_code 0 "$name"
  cmp -s out expected || fail "$name: another result"
}

cp "$path" in
same "stdin"
cp "$path" in
same "stdin, by name" -
grep -v '^#' "$path" | awk -F, '{ print $2 ",\t" $1 " " }' > path.csv
same "columns the other way round" path.csv
sed 's/$/\r/' "$path" > path.csv
same "CRLF" path.csv
printf '\357\273\277%s' "$(cat "$path")" > path.csv
same "byte-order mark, no last newline" path.csv
awk -F, '/^#/ { print; next } /dzeta/ { print $0 ",dxi2"; next } { print $0 ",0 # third\n" }' "$path" > path.csv
same "third column, comments, blank lines" path.csv
same "defaults, said aloud" --model jager --shear-modulus 1 --poisson 0.5 --friction 0.5 --radius 1 --control \
  displacement \
  --contour sphere --dp-max 0 "$path"
same "two radii" --radius-a 1 --radius-b 1 "$path"
same "two bodies" --shear-modulus-b 1 --poisson-b 0.5 "$path"
tail -n +1 "$path" | "$program" contact > out || fail "a pipe"
cmp -s out expected || fail "a pipe: another result"

# Positions instead of movements: the same up to rounding
awk -F, 'NR == 1 { print "zeta,xi1,xi2"; next } { print $2 "," $3 "," $4 }' expected > path.csv
run contact path.csv
expect_code 0 "positions"
awk -F, 'FNR == 1 { next } NR == FNR { for (i = 2; i <= 11; i++) x[$1, i] = $i; next }
  { for (i = 2; i <= 11; i++) if (i != 8) { d = $i - x[$1, i]; if (d > 1e-15 || d < -1e-15) exit 1 }
    if ($8 != x[$1, 8] || $9 != x[$1, 9]) exit 1 }' expected out || fail "positions: another result"

# No steps: the header alone
echo "zeta,xi1" > in
run contact
expect_code 0 "no steps"
expect_same "$(cat out)" "$(head -n 1 expected)" "no steps"
finish

# An overlap beyond the theory gives a warning; the results still follow the formulas
printf 'overlap,shift1\n0.51e-3,0\n' > deep.csv
run contact --radius 1e-3 --shear-modulus 29e9 deep.csv
expect_code 0 "a deep overlap"
expect_same "$(cat err)" "jager contact: warning: the overlap reaches 0.00051 m, that is 0.51 times the smaller \
radius: beyond half of it the theory of small contacts does not hold; check --radius, --shear-modulus and the units of \
the path" "the warning"
run contact --radius 1.1e-3 --shear-modulus 29e9 deep.csv
expect_same "$(cat err)" "" "an overlap within the theory"
