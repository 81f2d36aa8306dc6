# SPDX-License-Identifier: MIT
# Pictures: of each format, of paths that are hard to draw, and what is said when there is none.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

nine=$source_dir/examples/nine-movements.csv

# Without gnuplot
mkdir empty
PATH_BEFORE=$PATH
PATH=$scratch/empty
"$program" contact --plot picture.png "$nine" > out 2> err
code=$?
PATH=$PATH_BEFORE
expect_error 1 "jager contact: --plot needs gnuplot, which is not installed (Debian, Ubuntu: apt install gnuplot-nox)" \
  "no gnuplot"
[ ! -s out ] || fail "no gnuplot: the run started"

# A gnuplot that fails leaves nothing behind
mkdir bin
printf '#!/bin/sh\nexit 3\n' > bin/gnuplot
chmod +x bin/gnuplot
PATH=$scratch/bin:$PATH
run contact --plot picture.png "$nine"
PATH=$PATH_BEFORE
expect_error 1 "jager contact: gnuplot could not draw picture.png" "gnuplot fails"
! ls | grep picture || fail "gnuplot fails: a file is left"
expect_same "$(wc -l < out | tr -d ' ')" 10 "gnuplot fails: rows"

# One that draws nothing, too
printf '#!/bin/sh\nexec cat > /dev/null\n' > bin/gnuplot
PATH=$scratch/bin:$PATH
run contact --plot picture.png "$nine"
PATH=$PATH_BEFORE
expect_error 1 "jager contact: gnuplot could not draw picture.png" "gnuplot draws nothing"
! ls | grep picture || fail "gnuplot draws nothing: a file is left"

# What gnuplot gets of a path of 100,000 steps: at most 20,000 points, spread over all of it
printf '#!/bin/sh\nexec cat\n' > bin/gnuplot
PATH=$scratch/bin:$PATH
awk 'BEGIN { print "zeta,xi1"; for (i = 1; i <= 100000; i++) print "0.1," i * 1e-7 }' > in
run contact --plot script.svg
PATH=$PATH_BEFORE
expect_code 0 "long path"
awk '/^EOD/ { path = 0 } path { if (n++ && $1 - x > gap) gap = $1 - x; x = $1; if (n == 1) first = $1 } /^\$path/ { path = 1 }
  END { if (n < 5000 || n > 20001 || first != 0 || x != 10 || gap > 0.01) { print n, first, x, gap; exit 1 } }' script.svg ||
  fail "long path: points"
rm -r bin empty

command -v gnuplot > /dev/null || { echo "skipped: gnuplot is not installed"; exit 77; }

# draw NAME OPTIONS...
draw() {
  name=$1
  shift
  rm -f picture*
  run contact "$@"
  expect_code 0 "$name"
  [ ! -s err ] || fail "$name: gnuplot says: $(cat err)"
  [ "$(ls | grep -c picture)" -eq 1 ] || fail "$name: $(ls | grep picture | tr '\n' ' ')"
}

draw png --plot picture.png "$nine"
expect_same "$(head -c 4 picture.png | tail -c 3)" "PNG" "png"
cp picture.png first.png
draw "png again" --plot picture.png "$nine"
cmp -s first.png picture.png || fail "the same path gives another picture"
draw pdf --plot picture.pdf "$nine"
expect_same "$(head -c 5 picture.pdf)" "%PDF-" "pdf"
draw svg --plot picture.svg "$nine"
grep -q '</svg>' picture.svg || fail "svg: not whole"
draw "ending in capitals" --plot picture.SVG "$nine"
draw "comparison law" --model zhang-vuquoc --plot picture.svg "$nine"
cp "$nine" "it's \"odd\" \$name \`x\`.csv"
draw "odd name" --plot "picture of 'it'.svg" "it's \"odd\" \$name \`x\`.csv"

printf 'zeta,xi1\n0.001,0\n' > in
draw "no shear" --plot picture.svg
printf 'zeta,xi1\n-0.001,0\n' > in
draw "never touches" --plot picture.svg
printf 'zeta,xi1,xi2\n0.001,0,0.001\n0.002,0,-0.001\n' > in
draw "second direction only" --plot picture.svg
printf 'zeta,xi1,xi2\n0.001,0.001,0.001\n0.002,0,-0.001\n' > in
draw "two directions" --plot picture.svg
printf 'zeta,xi1\n0.001,0.001\n0.002,0\n' > in
draw "no friction" --friction 0 --plot picture.svg
printf 'zeta,xi1\n0.001,0.001\n0.002,0\n' > in
draw "no slip" --friction 1e6 --plot picture.svg
printf 'fn,ft1\n1e-9,0\n1e-9,1e-10\n' > in
draw "by force" --control force --plot picture.svg
awk 'BEGIN { print "zeta,xi1"; for (i = 0; i < 30000; i++) print 0.01 + 0.001 * sin(i / 500) "," 0.003 * sin(i / 300) }' > in
draw "more points than are kept" --plot picture.svg
[ "$(wc -c < picture.svg)" -lt 3000000 ] || fail "more points than are kept: $(wc -c < picture.svg) bytes"

echo "zeta,xi1" > in
run contact --plot nothing.png
expect_error 2 "jager contact: --plot: the path has no step: there is nothing to draw" "nothing"
[ ! -e nothing.png ] || fail "a picture of nothing"
finish
