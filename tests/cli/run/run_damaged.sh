# SPDX-License-Identifier: MIT
# Damaged checkpoints: the run resumes from the one before. Without it, or for another case, nothing is changed.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

small_case case.yaml 100 600
go() {
  run run case.yaml -q --threads 1 --set checkpoint.steps=100 "$@"
}
go -o whole
expect_code 0 "whole"
whole_hash=$(hash_told)
expect_files whole/checkpoint.jck whole/checkpoint-before.jck
size=$(wc -c < whole/checkpoint.jck | tr -d ' ')

# flip FILE OFFSET: inverts the bits of a byte
flip() {
  byte=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
  # shellcheck disable=SC2059
  printf "\\$(printf '%03o' $((255 - byte)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2> /dev/null
}

# damage FILE HOW
damage() {
  case $2 in
  empty) : > "$1" ;;
  foreign) echo "This is the text of somebody else, who chose the same name for the file." > "$1" ;;
  longer) printf 'x' >> "$1" ;;
  truncated*) # by a share
    head -c "$((size * ${2#truncated-} / 100))" "$1" > part
    mv part "$1"
    ;;
  flipped*) flip "$1" "${2#flipped-}" ;;
  missing) rm "$1" ;;
  zeroed) dd if=/dev/zero of="$1" bs=512 seek=4 count=2 conv=notrunc 2> /dev/null ;;
  esac
}

# all_files DIR: names and contents
all_files() {
  (cd "$1" && find . -type f | sort | while read -r file; do
    echo "$file $(cksum < "$file")"
  done)
}

kinds="empty foreign longer truncated-1 truncated-50 truncated-99 missing zeroed flipped-0 flipped-9 flipped-13 \
flipped-$((size / 3)) flipped-$((size - 1)) flipped-$((size - 9))"
for kind in $kinds; do
  # The one before helps
  rm -rf hurt
  cp -r whole hurt
  damage hurt/checkpoint.jck "$kind"
  go -o hurt --resume
  expect_code 0 "$kind"
  expect_told "jager run: hurt/checkpoint.jck: " "$kind"
  expect_told "; continuing from the checkpoint before it" "$kind"
  expect_same "$(hash_told)" "$whole_hash" "$kind: hash"
  cmp whole/series.csv hurt/series.csv || fail "$kind: series.csv differs"

  # Both damaged: refused, and nothing is touched
  rm -rf hurt
  cp -r whole hurt
  damage hurt/checkpoint.jck "$kind"
  damage hurt/checkpoint-before.jck "$kind"
  all_files hurt > before
  go -o hurt --resume
  expect_code 2 "both $kind"
  [ -s err ] || fail "both $kind: nothing told"
  [ ! -s out ] || fail "both $kind: wrote to stdout"
  all_files hurt > after
  cmp -s before after || fail "both $kind: files were changed: $(diff before after)"
  if [ "$kind" = missing ]; then
    expect_told "jager run: hurt has no checkpoint: there is nothing to resume" "both $kind"
  else
    expect_told "hurt/checkpoint.jck: " "both $kind"
    expect_told "hurt/checkpoint-before.jck: " "both $kind"
  fi
done

# The messages
cp -r whole told
damage told/checkpoint.jck truncated-50
run info told/checkpoint.jck
expect_error 2 "jager info: told/checkpoint.jck: the checkpoint is truncated" "a truncated checkpoint"
cp whole/checkpoint.jck told
flip told/checkpoint.jck $((size / 2))
run info told/checkpoint.jck
expect_error 2 "jager info: told/checkpoint.jck: the checkpoint is damaged: its checksum is wrong" "a flipped bit"

# As the start of another case, too
cat > next.yaml << 'END'
jager: 1
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
assembly: {checkpoint: told/checkpoint.jck}
output: {plots: false}
stages:
  - name: back
    control: {xx: {stress: 100 kPa}, yy: {strain_rate: 0}, zz: {strain_step: -2e-6}}
    until: {steps: 100}
END
run run next.yaml -q -o next
expect_error 2 "jager run: told/checkpoint.jck: the checkpoint is damaged: its checksum is wrong" "start from a \
damaged one"
cp whole/checkpoint.jck told
run run next.yaml -q -o next
expect_code 0 "start from a good one"
expect_same "$(column step next/series.csv | tail -n 1)" 100 "steps of a case that starts from a checkpoint"

# Another case: refused, and nothing is touched
all_files whole > before
# expect_differs SETTING WORDS: refused, with the key that differs
expect_differs() {
  go -o whole --resume --set "$1"
  expect_code 2 "--resume with $1"
  expect_told "jager run: whole/checkpoint.jck: made with another case: $2" "--resume with $1"
}
expect_differs material.friction=0.4 "material.friction was 0.5 and is 0.4. A resumed run may have"
expect_differs material.poisson=0.3 "material.poisson was 0.15 and is 0.3."
expect_differs 'assembly={lattice: {kind: fcc, cells: [3, 3, 3], radius: 1 mm, overlap: 1e-4}}' \
  "seed was 7 and is not there, assembly.packing.spheres was 100 and is not there,"
expect_differs stages.biaxial.until.steps=500 "stages.0.until.steps was 600 and is 500."
expect_differs stages.biaxial.until.strain_zz=0.0001 "stages.0.until.strain_zz was not there and is 0.0001."
expect_differs stages.biaxial.control.zz.strain_step=1e-6 "stages.0.control.zz.strain_step was 2e-06 and is 1e-06."
expect_differs damping.local=0.1 "stages.0.damping.local was 0.2 and is 0.1."
expect_differs 'trace=[{pair: [1, 2]}]' "trace.0.pair.0 was not there and is 1, trace.0.pair.1 was not there and is 2,"
all_files whole > after
cmp -s before after || fail "refused, but files were changed: $(diff before after)"

# Nothing to resume
go -o nowhere --resume
expect_error 2 "jager run: nowhere has no checkpoint: there is nothing to resume" "no directory"
[ ! -e nowhere ] || fail "--resume made a directory"
mkdir empty
go -o empty --resume
expect_error 2 "jager run: empty has no checkpoint: there is nothing to resume" "an empty directory"

# A series that does not fit the checkpoint
cp -r whole short
head -n 5 whole/series.csv > short/series.csv
go -o short --resume
expect_code 1 "series.csv is too short"
expect_told "short/series.csv has " "series.csv is too short"
rm short/series.csv
go -o short --resume
expect_error 1 "jager run: cannot open short/series.csv: No such file or directory" "series.csv is missing"

# A result whose snapshots are needed: damage is reported before any file is shortened; without the result the run
# continues
go -o shots --set output.snapshot=100
expect_code 0 "a run with snapshots"
size=$(wc -c < shots/result.h5 | tr -d ' ')
mv shots/checkpoint-before.jck shots/checkpoint.jck
for kind in truncated-50 truncated-99 "flipped-$((size / 2))" "flipped-$((size / 3))" hole; do
  rm -rf hurt
  cp -r shots hurt
  if [ "$kind" = hole ]; then
    dd if=/dev/zero of=hurt/result.h5 bs=1 seek=$((size / 2)) count=$((size / 4)) conv=notrunc 2> /dev/null
  else
    damage hurt/result.h5 "$kind"
  fi
  all_files hurt > before
  go -o hurt --set output.snapshot=100 --resume
  all_files hurt > after
  if [ "$code" -ne 0 ] || [ "${kind#flipped}" = "$kind" ]; then # no reader may use the byte
    expect_code 1 "$kind"
    expect_told "jager run: hurt/result.h5 is" "$kind"
    missing=$(grep -vxFf after before) # whole snapshots may have come out of the result
    [ -z "$missing" ] || fail "$kind: refused, but files were changed: $missing"
  fi
done
expect_told "move the file away" "hole"
rm hurt/result.h5
go -o hurt --set output.snapshot=100 --resume
expect_code 0 "without the damaged result"
expect_same "$(hash_told)" "$whole_hash" "without the damaged result: hash"
finish
