# SPDX-License-Identifier: MIT
# Several laws side by side, the law springs, and paths in whole movements.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

nine=$source_dir/examples/nine-movements.csv
circle=$source_dir/examples/circle.csv
quartz="--shear-modulus 29e9 --poisson 0.15 --radius 1e-3"

# Each law of a list gives the same results as alone; rows are in the order of the steps, then of the list
run contact --model zhang-vuquoc,jager,linear "$nine"
expect_code 0 "three laws"
cp out all
expect_same "$(head -n 1 all)" "model,step,zeta,xi1,xi2,fn,ft1,ft2,state,length,stored,dissipated" "header"
expect_same "$(column model all | head -n 4 | tr '\n' ' ')" "zhang-vuquoc jager linear zhang-vuquoc " "order of rows"
expect_same "$(column step all | head -n 4 | tr '\n' ' ')" "1 1 1 2 " "order of steps"
for law in jager linear zhang-vuquoc; do
  run contact --model $law "$nine"
  expect_same "$(awk -F, -v law=$law '$1 == law || NR == 1' all | cut -d, -f2-)" "$(cat out)" "$law in a list"
done

# History and tractions are jager's
run contact "$nine" --history alone.csv --tractions alone-tractions.csv
run contact --model linear,jager "$nine" --history history.csv --tractions tractions.csv
expect_code 0 "history of a list"
cmp -s alone.csv history.csv || fail "another history beside another law"
cmp -s alone-tractions.csv tractions.csv || fail "other tractions beside another law"
run contact --model linear,springs "$nine" --history history.csv
expect_error 2 "jager contact: --history needs --model jager: linear has no equivalent history" "a list without jager"

# Springs: in one direction they are jager's contact, and the estimate of the error is above the error
for count in 200 2000; do
  run contact --model jager,springs --springs $count "$nine"
  expect_code 0 "$count springs"
  awk -F, -v count=$count 'NR == 1 { exit $13 != "ft_error" }
    $1 == "jager" { ft = $7; fn = $6; if ($13 != 0) exit 1 }
    $1 == "springs" { d = $7 - ft; if (d < 0) d = -d
      if (d > $13 + 1e-15 || d > 0.5 * fn * 20 / count / count) exit 1 }' out || fail "$count springs differ from jager"
done
expect_same "$(run contact --model springs --springs 200 "$nine"; cat out)" \
  "$(run contact --model springs --springs 200 "$nine"; cat out)" "the same twice"

# Round shear: jager loses little, springs much; the numbers of the examples' comments and of docs/theory.md
# shellcheck disable=SC2086
run contact $quartz --model jager,springs --springs 400 "$circle"
expect_code 0 "circle"
expect_same "$(head -n 1 out)" "model,step,overlap,shift1,shift2,fn,ft1,ft2,state,length,stored,dissipated,ft_error" \
  "header of whole movements"
awk -F, '$1 == "jager" { jager = $12 } $1 == "springs" { springs = $12 }
  END { exit !(springs > 20 * jager && jager > 0) }' out || fail "losses on a circle"

# Whole movements are twice the half-movements
awk -F, '/^#/ { next } /dzeta/ { print "doverlap,dshift1"; next } { print 2 * $1 "," 2 * $2 }' "$nine" > whole.csv
run contact "$nine"
cut -d, -f1,5- out > halves
awk -F, 'NR > 1 { printf "%d %.12g %.12g %.12g\n", $1, 2 * $2, 2 * $3, 2 * $4 }' out > positions
run contact whole.csv
expect_code 0 "whole movements"
expect_same "$(head -n 1 out)" "step,overlap,shift1,shift2,fn,ft1,ft2,state,length,stored,dissipated" "header"
awk -F, 'NR > 1 { printf "%d %.12g %.12g %.12g\n", $1, $2, $3, $4 }' out > doubled
cmp -s positions doubled || fail "positions are not doubled"
cut -d, -f1,5- out | cmp -s - halves || fail "whole movements give another result"
printf 'overlap,xi1\n0.02,0\n' > in
run contact
expect_code 2 "words that do not go together"
grep -q "<stdin>:1:9: column 'xi1' cannot be mixed" err || fail "words that do not go together: $(cat err)"

# From a pipe, with separation: springs read the path only once
printf 'zeta,xi1,xi2\n0.01,0,0\n0.02,0.012,0.001\n-0.01,0,0\n0.02,0.04,0\n' > in
run contact --model springs --springs 100
expect_code 0 "springs from a pipe"
expect_same "$(column state out | tr '\n' ' ')" "elastic slip apart slide " "states of springs"

# Pictures: of springs alone, of several laws
if can_draw; then
  for list in springs jager,springs jager,linear,hertz-mindlin,modified-mindlin,zhang-vuquoc,springs; do
    for ending in png svg pdf; do
      # shellcheck disable=SC2086
      run contact $quartz --model $list --springs 50 "$circle" --plot picture.$ending
      expect_code 0 "picture of $list"
      [ -s picture.$ending ] || fail "no picture of $list"
    done
  done
  grep -q 'springs: ' picture.svg || fail "the picture does not name the energies"
fi

# The simulator does not take springs
printf 'jager: 1\ncontact: {model: springs}\n' > case.yaml
run check case.yaml
expect_code 2 "a case with springs"
grep -q "case.yaml:2:18: 'model' cannot be 'springs' here: this law is for 'jager contact' and 'jager impact'" err ||
  fail "a case with springs: $(cat err)"
finish
