# SPDX-License-Identifier: MIT
# Pictures by a child process: all formats, paths that are hard to draw, and messages if no picture can be drawn.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

nine=$source_dir/examples/nine-movements.csv

# ---- Children that fail ----------------------------------------------------------------------------------------------

# Without Python nothing begins
JAGER_PYTHON=$scratch/none "$program" contact --plot picture.png "$nine" > out 2> err
code=$?
expect_error 1 "jager contact: --plot: cannot start $scratch/none: No such file or directory" "no Python"
[ ! -s out ] || fail "no Python: the run started"

# A program that cannot find its package says so
mkdir away && cp "$program" away/jager
away/jager contact --plot picture.png "$nine" > out 2> err
code=$?
expect_error 1 "jager contact: --plot: the Python package jager is not installed with this program" "no package"
small_case case.yaml 100 100
away/jager run case.yaml -q --threads 1 --set output.plots=true -o away/run > out 2> err
code=$?
without_doubts
expect_error 0 "jager run: no pictures: the Python package jager is not installed with this program" "run, no package"
expect_same "$(tail -n 1 out)" "its pictures can be drawn later: python3 -m jager draw away/run" "the command"

# expect_undrawn REASON NAME: of contact, which keeps an old picture, and of run, which succeeds
expect_undrawn() {
  echo old > picture.svg
  run contact --plot picture.svg "$nine"
  expect_error 1 "jager contact: cannot draw picture.svg: $1" "$2"
  expect_same "$(wc -l < out | tr -d ' ')" 10 "$2: rows"
  expect_same "$(cat picture.svg) $(ls | grep -c picture)" "old 1" "$2: files"
  run run case.yaml -q --threads 1 --set output.plots=true -o undrawn --force
  expect_error 0 "jager run: no pictures: $1" "$2, run"
  expect_same "$(ls undrawn | grep -c 'png\|svg')" 0 "$2: pictures"
}
python_that 'exit 3'
expect_undrawn "Python ended with exit code 3, without a message" "a child that fails"
python_that 'kill -9 $$'
expect_undrawn "Python was ended by signal 9 (Killed)" "a child that crashes"
python_that 'echo a >&2; echo "  b: c" >&2; echo >&2; exit 1'
expect_undrawn "  b: c" "a child that says why"
python_that 'cat > /dev/null; echo "<svg></sv"'
expect_undrawn "Python ended with exit code 0, without a message" "half a picture"
python_that 'head -c 3000000 /dev/zero; exec sleep 0.1'
expect_undrawn "Python ended with exit code 0, without a message" "much output, nothing read"

# Pictures of a run that cannot be drawn are named one by one
python_that 'printf "no picture of a\nno picture of b\njager: drawn 1\n"'
run run case.yaml -q --threads 1 --set output.plots=true -o some
expect_code 0 "some pictures"
expect_same "$(cat err)" "jager run: no picture of a
jager run: no picture of b" "some pictures"
grep -q '^results in some: .*, \*\.png, \*\.svg$' out || fail "some pictures: $(cat out)"

# Of a path of 100,000 steps the child gets at most 20,000 points, spread over the whole path
python_that 'cat; printf "\njager: drawn 1\n"'
awk 'BEGIN { print "zeta,xi1"; for (i = 1; i <= 100000; i++) print "0.1," i * 1e-7 }' > in
run contact --plot numbers.svg
expect_code 0 "long path"
tr '[]' '\n\n' < numbers.svg | awk -F, 'NF == 7 {
    if (n++ && $1 - x > gap) gap = $1 - x; x = $1; if (n == 1) first = $1 }
  END { if (n < 5000 || n > 20001 || first != 0 || x != 0.01 || gap > 1e-5) { print n, first, x, gap; exit 1 } }' ||
  fail "long path: points"

# The ends of the steps are numbered in a picture of up to 20 steps
for steps in 1 19 20 21; do
  awk -v steps=$steps 'BEGIN { print "zeta,xi1"; for (i = 1; i <= steps; i++) print "0.1," i * 1e-3 }' > in
  run contact --plot numbers.svg
  expect_code 0 "$steps steps"
  ends=$(tr -d '\n' < numbers.svg | sed 's/.*"ends": \[\(.*\)\]}\], "history.*/\1/')
  expect_same "$(echo "$ends" | tr -cd '[' | wc -c)" "$((steps > 20 ? 0 : steps))" "$steps steps: ends"
done
unset JAGER_PYTHON
rm -f numbers.svg picture.svg

can_draw || { echo "skipped: Python has no matplotlib"; exit 77; }

# ---- Pictures of contacts --------------------------------------------------------------------------------------------

# draw NAME OPTIONS...
draw() {
  name=$1
  shift
  rm -f picture*
  run contact "$@"
  expect_code 0 "$name"
  [ ! -s err ] || fail "$name: said: $(cat err)"
  [ "$(ls | grep -c picture)" -eq 1 ] || fail "$name: $(ls | grep picture | tr '\n' ' ')"
}

draw png --plot picture.png "$nine"
expect_same "$(head -c 4 picture.png | tail -c 3)" "PNG" "png"
cp picture.png first.png
LC_ALL=de_DE.UTF-8 MPLBACKEND=nonsense PYTHONINSPECT=1 PYTHONWARNINGS=error "$program" contact --plot picture.png \
  "$nine" > out 2> err || fail "variables: $(cat err)"
cmp -s first.png picture.png || fail "variables change the picture"
draw pdf --plot picture.pdf "$nine"
expect_same "$(head -c 5 picture.pdf)" "%PDF-" "pdf"
draw svg --plot picture.svg "$nine"
grep -q '</svg>' picture.svg || fail "svg: not whole"
grep -q 'nine-movements.csv: model jager, f = 0.5, 9 steps' picture.svg || fail "svg: no title"
draw "ending in capitals" --plot picture.SVG "$nine"
cp "$nine" "it's \"odd\" \$name\$ \`x\`.csv"
draw "odd name" --plot "picture of 'it'.svg" "it's \"odd\" \$name\$ \`x\`.csv"
printf 'zeta,xi1\n-0.001,0\n' > in
draw "never touches" --plot picture.svg
printf 'zeta,xi1,xi2\n0.001,0,0.001\n0.002,0,-0.001\n' > in
draw "second direction only" --plot picture.svg
printf 'zeta,xi1,xi2\n0.001,0.001,0.001\n0.002,0,-0.001\n' > in
draw "two directions, no friction" --friction 0 --plot picture.svg
printf 'fn,ft1\n1e-9,0\n1e-9,1e-10\n' > in
draw "by force" --control force --plot picture.svg
awk 'BEGIN { print "zeta,xi1"; for (i = 0; i < 30000; i++)
    print 0.01 + 0.001 * sin(i / 500) "," 0.003 * sin(i / 300) }' > in
draw "more points than are kept" --model modified-mindlin --plot picture.svg
[ "$(wc -c < picture.svg)" -lt 3000000 ] || fail "more points than are kept: $(wc -c < picture.svg) bytes"

echo "zeta,xi1" > in
run contact --plot nothing.png
expect_error 2 "jager contact: --plot: the path has no step: there is nothing to draw" "nothing"
[ ! -e nothing.png ] || fail "a picture of nothing"

# ---- A full disk: a picture is whole, or the old one stays, and the exit code says so --------------------------------

# Files that must not grow beyond a limit (in units of 512 or 1024 bytes)
for ending in png svg pdf; do
  echo old > small.$ending
  (ulimit -f 8 && run contact --plot small.$ending "$nine" && exit $code)
  code=$?
  expect_error 1 "jager contact: cannot write small.$ending: File too large" "$ending below a limit"
  expect_same "$(cat small.$ending) $(ls | grep -c small)" "old 1" "$ending below a limit: files"
  rm small.$ending
done
draw_run() {
  run run case.yaml -q --threads 1 --set output.plots=true --set output.series=1000 -o short "$@"
}
draw_run
expect_code 0 "a run with pictures"
for name in $run_pictures grains-0 rose-1; do
  expect_files short/$name.png short/$name.svg
done
cp -r short whole
echo old > short/grading.svg
limit=$(($(cat short/result.h5 short/checkpoint.jck | wc -c) / 512 + 1)) # all but some pictures is smaller
[ "$limit" -gt 60 ] && limit=60
if [ "$(wc -c < short/result.h5)" -lt $((limit * 512)) ]; then
  (ulimit -f $limit && draw_run --resume && exit $code)
  code=$?
  expect_code 0 "a run with files of limited size"
  for file in short/*.png short/*.svg; do
    cmp -s "$file" "whole/${file#short/}" || grep -qx old "$file" || fail "limited size: $file is neither old nor whole"
  done
fi
[ -z "$(find short -name '*.tmp*')" ] || fail "limited size: half a file is left"

# A device that is always full. Not one of /dev: see io_failures.sh.
if mknod full.png c 1 7 2> err && : > full.png; then
  run contact --plot full.png "$nine"
  expect_error 1 "jager contact: cannot write full.png: No space left on device" "a full device"
  [ -c full.png ] || fail "a device was replaced"
fi
finish
