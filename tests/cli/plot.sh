# SPDX-License-Identifier: MIT
# Pictures: all formats, paths that are hard to draw, and messages if no picture can be drawn.
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

# One that ends well with half a picture, as the real one does when its disk is full: the old picture stays
echo old > picture.png
echo old > picture.svg
echo old > picture.pdf
for half in 'printf "\\211PNG\\r\\n\\032\\nIEN"' 'echo "<svg></sv"' 'echo "%PDF-1.5 %%EO"'; do
  printf '#!/bin/sh\ncat > /dev/null\n%s\n' "$half" > bin/gnuplot
  for ending in png svg pdf; do
    PATH=$scratch/bin:$PATH
    run contact --plot picture.$ending "$nine"
    PATH=$PATH_BEFORE
    expect_error 1 "jager contact: gnuplot could not draw picture.$ending" "half a $ending"
    expect_same "$(cat picture.$ending)" old "half a $ending: the old one"
  done
done
expect_same "$(ls | grep -c picture)" 3 "half a picture: files"
rm picture.*

# What gnuplot gets of a path of 100,000 steps: at most 20,000 points, spread over all of it
printf '#!/bin/sh\ncat\necho "</svg>"\n' > bin/gnuplot
PATH=$scratch/bin:$PATH
awk 'BEGIN { print "zeta,xi1"; for (i = 1; i <= 100000; i++) print "0.1," i * 1e-7 }' > in
run contact --plot script.svg
PATH=$PATH_BEFORE
expect_code 0 "long path"
awk '/^EOD/ { path = 0 } path { if (n++ && $1 - x > gap) gap = $1 - x; x = $1; if (n == 1) first = $1 }
  /^\$path/ { path = 1 }
  END { if (n < 5000 || n > 20001 || first != 0 || x != 10 || gap > 0.01) { print n, first, x, gap; exit 1 } }' \
    script.svg ||
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

# No entry of a legend lies on its neighbour: each text, at 6.5 px a character, ends before the next line begins
legend_is_readable() {
  awk '
    /<title>/ { title = $0; sub(/.*<title>/, "", title); sub(/<\/title>.*/, "", title)
      wanted = title !~ /^[Gg]nuplot/ }
    wanted && /translate\(/ && /text-anchor="start"/ { x = $0; sub(/.*translate\(/, "", x); y = x; sub(/.*,/, "", y)
      text = x + 0; row = y + 0 }
    wanted && / d=.M/ { x = $0; sub(/.* d=.M/, "", x); n++; from[n] = x + 0
      to[n] = text + 6.5 * length(title); line[n] = row; wanted = 0 }
    END {
      for (i = 1; i <= n; i++)
        for (j = 1; j <= n; j++)
          if (i != j && line[i] == line[j] && from[i] <= from[j] && to[i] > from[j]) {
            print "entries", i, j, to[i], from[j]; bad = 1 }
      if (n < 3 || bad) { print n + 0, "entries"; exit 1 }
    }' picture.svg || fail "$1: the legend is not readable"
}
awk 'BEGIN { print "zeta,xi1,xi2"; for (i = 0; i < 300; i++)
    print 0.01 + 0.002 * sin(i / 30) "," 0.003 * sin(i / 30) "," 0.004 * sin(i / 50) }' > plane.csv
for model in $(all_models); do
  for path in "$nine" plane.csv; do
    draw "model $model" --model $model --plot picture.svg "$path"
    legend_is_readable "model $model, $path"
  done
done
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
awk 'BEGIN { print "zeta,xi1"; for (i = 0; i < 30000; i++)
    print 0.01 + 0.001 * sin(i / 500) "," 0.003 * sin(i / 300) }' > in
draw "more points than are kept" --plot picture.svg
[ "$(wc -c < picture.svg)" -lt 3000000 ] || fail "more points than are kept: $(wc -c < picture.svg) bytes"

# ---- A full disk: a picture is whole, or the old one stays, and the exit code says so --------------------------------

small_case case.yaml 100 300

# is_whole FILE: as large as it was where there was room, and of the same bytes but for the time in a PDF
is_whole() {
  case $1 in
  *.pdf) [ "$(wc -c < "$1")" -eq "$(wc -c < "whole/${1##*/}")" ] && [ "$(tail -n 1 "$1")" = "%%EOF" ] ;;
  *) cmp -s "$1" "whole/${1##*/}" ;;
  esac
}

# expect_old_or_whole DIR NAME: of each picture
expect_old_or_whole() {
  for file in "$1"/*.png "$1"/*.svg "$1"/*.pdf; do
    [ -e "$file" ] || continue
    grep -qx old "$file" || is_whole "$file" || fail "$2: $file is neither old nor whole"
  done
  [ -z "$(find "$1" -name '*.tmp*')" ] || fail "$2: half a file is left"
}

mkdir whole
run paper JagerPath -o paper
expect_code 0 "the paper"
cp paper/*.png paper/*.svg whole
for ending in png svg pdf; do
  run contact --plot whole/contact.$ending "$nine"
done

# Files that must not grow beyond a limit (in units of 512 or 1024 bytes)
mkdir contact
for limit in 4 16; do
  for ending in png svg pdf; do
    echo old > contact/contact.$ending
    (ulimit -f $limit && run contact --plot contact/contact.$ending "$nine" && exit $code)
    code=$?
    [ "$(wc -c < whole/contact.$ending)" -le $((limit * 512)) ] ||
      expect_error 1 "jager contact: cannot write contact/contact.$ending: File too large" "$ending below a limit"
  done
  expect_old_or_whole contact "contact with files of at most $limit"
done
draw_run() {
  run run case.yaml -q --threads 1 --set output.plots=true --set output.series=1000 -o short "$@"
}
draw_run
expect_code 0 "a run with pictures"
for name in $run_pictures; do
  expect_files short/$name.png short/$name.svg
  cp short/$name.png short/$name.svg whole
  echo old > short/$name.png
  echo old > short/$name.svg
done
cp short/grains-* short/rose-* whole # drawn at the ends of stages
# All but the pictures is smaller than the limit
limit=$(($(cat short/result.h5 short/series.csv | wc -c) / 512 + 1))
(ulimit -f $limit && draw_run --resume && exit $code)
code=$?
expect_code 1 "a run with files of limited size"
grep -q "^jager run: cannot write short/[a-z-]*\.[a-z]*: File too large$" err ||
  fail "a run with files of limited size: $(cat err)"
expect_old_or_whole short "a run with files of limited size"

for name in paper/*.png paper/*.svg; do
  echo old > "$name"
done
(ulimit -f 16 && run paper JagerPath -o paper && exit $code)
code=$?
expect_code 1 "the paper with files of limited size"
expect_old_or_whole paper "the paper with files of limited size"

# A device that is always full. Not one of /dev: see io_failures.sh.
if mknod full.png c 1 7 2> err && : > full.png; then
  for ending in svg pdf; do
    mknod full.$ending c 1 7
  done
  for ending in png svg pdf; do
    run contact --plot full.$ending "$nine"
    expect_error 1 "jager contact: cannot write full.$ending: No space left on device" "a full device, $ending"
    [ -c full.$ending ] || fail "a device was replaced"
  done
fi

# A file system that is full, if we may make one
mkdir disk
cat > on_full_disk << 'END'
mount -t tmpfs -o "size=$1" tmpfs disk || exit 77
shift
for file in "$@"; do
  echo old > "disk/$file" || exit 78
done
sh commands > out 2> err
code=$?
mkdir copy && cp -r disk/. copy || exit 78
exit $code
END
# full_disk SIZE FILES...: `commands` on a disk of that size, with these old files on it; what is left is in `copy`
full_disk() {
  rm -rf copy
  unshare -rm sh on_full_disk "$@" 2> reason
  code=$?
  [ -d copy ]
}
for size in 12k 20k 32k 64k 96k; do
  for ending in png svg pdf; do
    echo "\"$program\" contact --plot disk/contact.$ending \"$nine\"" > commands
    if ! full_disk $size contact.$ending; then
      echo "no full file system to test with: $(head -n 1 reason)"
      break 2
    fi
    expect_old_or_whole copy "a disk of $size"
    if [ $code -eq 0 ]; then
      is_whole copy/contact.$ending || fail "$ending on a disk of $size: exit code 0 without a picture"
    else
      expect_error 1 "jager contact: cannot write disk/contact.$ending: No space left on device" "$ending, $size"
      expect_same "$(cat copy/contact.$ending)" old "$ending on a disk of $size: the old picture"
    fi
  done
  echo "\"$program\" paper JagerPath -o disk" > commands
  full_disk $size JagerPath.png JagerPath.svg
  expect_code 1 "the paper on a disk of $size"
  expect_old_or_whole copy "the paper on a disk of $size"
done

echo "zeta,xi1" > in
run contact --plot nothing.png
expect_error 2 "jager contact: --plot: the path has no step: there is nothing to draw" "nothing"
[ ! -e nothing.png ] || fail "a picture of nothing"
finish
