# SPDX-License-Identifier: MIT
# Full disks: results are kept, and given room the run continues to the files of the uninterrupted one, byte by byte.
# Pictures that cannot be drawn, for any reason, are reported, and nothing else changes.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

small_case case.yaml 150 2000

go() {
  run run case.yaml -q --threads 1 "$@"
}

# files_of DIR: contents of all files that do not tell the time or the command
files_of() {
  (cd "$1" && find . -type f ! -name result.h5 ! -name 'checkpoint*' | sort | xargs cksum)
}

# expect_kept DIR LIKE NAME ARGS...: the run failed for lack of room; given room, it becomes equal to the run in LIKE
expect_kept() {
  dir=$1 like=$2 name=$3
  shift 3
  expect_code 1 "$name"
  expect_told "jager run: the last good state is kept in $dir/checkpoint.jck: --resume continues from there" "$name"
  [ -z "$(find "$dir" -name '*tmp*')" ] || fail "$name: half a file is left"
  run info "$dir/checkpoint.jck"
  expect_code 0 "$name: the last checkpoint"
  go -o "$dir" --resume "$@"
  expect_code 0 "$name: resumed"
  expect_same "$(hash_told)" "$(sed -n 's/^hash //p' "$like/summary.txt")" "$name: hash"
  files_of "$like" > expected
  files_of "$dir" > found
  diff expected found > differences || fail "$name: files differ: $(cat differences)"
}

# ---- Files that must not grow beyond a limit (in units of 512 or 1024 bytes) -----------------------------------------

rows="--set output.series=1 --set checkpoint.steps=20"
# shellcheck disable=SC2086
go -o enough $rows
expect_code 0 "enough room"
# shellcheck disable=SC2086
(ulimit -f 500 && go -o limited $rows && exit $code)
code=$?
expect_told "jager run: cannot write limited/series.csv: File too large" "files of limited size"
# shellcheck disable=SC2086
expect_kept limited enough "files of limited size" $rows

# ---- A file system that is full, if we may make one ------------------------------------------------------------------

cat > on_full_disk << 'END'
mount -t tmpfs -o "size=$1" tmpfs full || exit 77
shift
"$@" > out 2> err
code=$?
cp -r full/run run || exit 78
exit $code
END
mkdir full

# fill SIZE ARGS...: a run on such a disk, copied to `filled`; false if no such disk can be made
fill() {
  rm -rf run filled
  room=$1
  shift
  unshare -rm sh on_full_disk "$room" "$program" run case.yaml -q --threads 1 -o full/run "$@" 2> reason
  code=$?
  [ -d run ] || return 1
  sed 's#full/run#filled#' err > told && mv told err
  mv run filled
}

for size in 600k 900k; do
  # shellcheck disable=SC2086
  if ! fill $size $rows; then
    echo "no full file system to test with: $(head -n 1 reason)"
    break
  fi
  expect_told "No space left on device" "a disk of $size"
  # shellcheck disable=SC2086
  expect_kept filled enough "a disk of $size" $rows
done

# With everything that a run can write, and no checkpoint but those at the ends of stages. Once the checkpoint of the
# packing fits, the packing is kept, whatever else does not fit.
draw_quickly
all="--set output.series=3 --set output.snapshot=400 --set output.vtk=400 --set output.plots=true"
# shellcheck disable=SC2086
go -o everything $all
expect_code 0 "everything"
packed=$(column stage everything/series.csv | grep -c '^0$')
[ "$packed" -gt 100 ] || fail "rows of the packing: $packed"
needed=$(($(wc -c < everything/checkpoint.jck) + $(head -n "$packed" everything/series.csv | wc -c)))
whole=0 kept=0
for percent in 102 130 200 300 600 1000; do
  # shellcheck disable=SC2086
  fill $((needed * percent / 100 / 1024 + 16))k $all || break
  if [ "$code" -eq 0 ]; then # at most pictures are missing
    whole=$((whole + 1))
    expect_files filled/result.h5 filled/summary.txt
  else
    kept=$((kept + 1))
    # shellcheck disable=SC2086
    expect_kept filled everything "$percent % of what the packing needs" $all
  fi
done
echo "disks that were too small: $kept, large enough: $whole"
[ $((whole + kept)) -eq 0 ] || [ "$kept" -gt 3 ] || fail "no disk was too small"

# ---- Pictures that cannot be drawn -----------------------------------------------------------------------------------

python_that 'cat > script; exit 1'
# shellcheck disable=SC2086
go -o undrawn $all
expect_code 0 "Python fails"
expect_told "jager run: no pictures: Python ended with exit code 1, without a message" "Python fails"
grep -q '^results in undrawn: .*, summary\.txt$' out || fail "pictures that do not exist are listed: $(cat out)"
[ -e script ] || fail "the other Python was not called"
files_of undrawn > found
files_of everything | grep -v '\(png\|svg\)$' > expected
diff expected found || fail "Python fails, and other files differ"

# A run of a list reports all of it
go -o list --set output.plots=true --set "contact={model: [jager, hertz-mindlin]}"
expect_code 0 "Python fails in a list"
for name in jager hertz-mindlin; do
  expect_told "jager run: list/$name: no pictures: Python ended with exit code 1" "Python fails in a list"
done
finish
