# SPDX-License-Identifier: MIT
# Refusals and failures of jager run: a message, the right exit code, and the last good state is kept.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

small_case case.yaml 100 300

# ---- Command line ----------------------------------------------------------------------------------------------------

run run
expect_error 2 "jager run: no case file is given" "no case"
run run case.yaml other.yaml
expect_error 2 "jager run: more than one case: 'other.yaml'" "two cases"
for threads in 0 -1 x 2x 1e3 257 99999999999999999999 ''; do
  run run case.yaml "--threads=$threads" -o never
  expect_error 2 "jager run: --threads needs a whole number from 1 to 256, not '$threads'" "--threads '$threads'"
done
run run case.yaml --resume --force -o never
expect_error 2 "jager run: --resume continues a run and --force replaces it: give only one of them" "--resume and \
--force"
run run case.yaml --colour
expect_code 2 "an unknown option"

# ---- Cases -----------------------------------------------------------------------------------------------------------

run run nowhere.yaml
expect_error 1 "nowhere.yaml: cannot be read: No such file or directory" "a missing case"
run run case.yaml --set material.colour=red -o never
expect_code 2 "an unknown key"
expect_told "unknown key 'colour' in 'material'" "an unknown key"
for value in poisson=0.6 friction=-1 density=0 shear_modulus=abc 'shear_modulus=29 mm'; do
  run run case.yaml --set "material.$value" -o never
  expect_code 2 "material.$value"
  expect_told "--set material.$value: " "material.$value"
done
run run case.yaml --set stages.biaxial.control.zz.stress=1kPa -o never
expect_code 2 "two controls of one component"
run run case.yaml --set stages.nothing.until.steps=1 -o never
expect_code 2 "a stage that is not there"
run run case.yaml --set 'assembly={file: spheres.txt}' -o never
expect_error 1 "jager run: cannot read spheres.txt: No such file or directory" "a missing file of spheres"
run run case.yaml --set 'assembly={checkpoint: nothing.jck}' -o never
expect_error 1 "jager run: cannot read nothing.jck: No such file or directory" "a missing checkpoint"
echo "1 2 3" > spheres.txt
run run case.yaml --set 'assembly={file: spheres.txt}' -o never
expect_code 2 "a wrong file of spheres"
expect_told "jager run: spheres.txt:1: " "a wrong file of spheres"
# Endless files, in limited time and memory; sanitizers need more memory than the limit
memory=unlimited
(ulimit -v 4000000 && "$program" --version) > out 2>&1 && memory=4000000
mkfifo pipe
for source in file checkpoint; do
  for path in /dev/zero pipe; do
    (ulimit -v $memory && timeout 600 "$program" run case.yaml -o never --set "assembly={$source: $path}" > out 2> err)
    code=$?
    expect_error 2 "jager run: $path: it is not a regular file" "$source: $path"
  done
done
run run case.yaml -o never --set "assembly={file: .}"
expect_error 2 "jager run: .: it is a directory" "a directory of spheres"
run run case.yaml -o never --set "assembly={checkpoint: .}"
expect_error 2 "jager run: .: it is a directory: give the checkpoint in it, such as DIR/checkpoint.jck" \
  "a directory as a checkpoint"
truncate -s 100G sparse 2> /dev/null && for source in file checkpoint; do
  (ulimit -v $memory && timeout 600 "$program" run case.yaml -o never --set "assembly={$source: sparse}" > out 2> err)
  code=$?
  expect_code 2 "$source: 100 GB of zeros"
done
rm -f sparse
[ ! -e never/series.csv ] || fail "a refused run has written"

# ---- Directories -----------------------------------------------------------------------------------------------------

: > file
run run case.yaml -o file
expect_error 1 "jager run: file is not a directory" "a file as directory"
run run case.yaml -o file/below
expect_error 1 "jager run: cannot make the directory file/below: Not a directory" "a directory below a file"
run run case.yaml -o ''
expect_code 1 "a directory without a name"
[ -f file ] && [ ! -s file ] || fail "the file was changed"
mkdir locked
chmod a-w locked
if ! touch locked/try 2> /dev/null; then # root may write everywhere
  run run case.yaml -o locked
  expect_error 1 "jager run: cannot write to the directory locked: Permission denied" "a directory without permission"
  run run case.yaml -o locked/below
  expect_error 1 "jager run: cannot make the directory locked/below: Permission denied" "below one without permission"
fi
chmod u+w locked

# Without -o, the directory is named after the case
mkdir place
(cd place && "$program" run ../case.yaml -q --threads 1) > out 2> err
code=$?
expect_code 0 "no -o"
expect_files place/out/case/series.csv place/out/case/result.h5 place/out/case/checkpoint.jck

# Names of cases that would be reduced to dots: the directory is still below out
mkdir odd
for name in ...yaml ..yaml .yaml ... a..yaml .hidden.yaml "new
line.yaml"; do
  rm -rf odd/* odd/...* odd/.y* odd/..y* odd/.h*
  cp case.yaml "odd/$name"
  (cd odd && "$program" run "$name" -q --threads 1 --set stages.biaxial.until.steps=20) > out 2> err
  code=$?
  expect_code 0 "a case called '$name'"
  case $name in
  ...yaml | ..yaml | .yaml | ...) directory=$name ;;
  *) directory=${name%.yaml} ;;
  esac
  expect_files "odd/out/$directory/series.csv"
  expect_same "$(ls -A odd)" "$(printf '%s\n' "$name" out)" "files beside '$name'"
  expect_same "$(ls -A odd/out)" "$directory" "directories of '$name'"
done

# A directory that has a run already
mv place/out/case old
cksum old/* > before
run run case.yaml -q --threads 1 -o old
expect_error 2 "jager run: old/checkpoint-before.jck exists already: --resume continues it, --force replaces the \
run in old, -o takes another directory" \
  "a run is there"
cksum old/* > after
cmp -s before after || fail "a refused run has changed files"
rm old/*.jck
run run case.yaml -q --threads 1 -o old
expect_error 2 "jager run: old/result.h5 exists already: --force replaces the run in old, -o takes another \
directory" "without checkpoints"
touch old/trace-1.csv old/energy.png old/mine.txt
run run case.yaml -q --threads 1 -o old --force --set stages.biaxial.until.steps=50
expect_code 0 "--force"
expect_files old/series.csv old/checkpoint.jck
[ -e old/mine.txt ] || fail "--force removed a file that is not a run's"
[ ! -e old/trace-1.csv ] && [ ! -e old/energy.png ] || fail "--force left files of the run before"

# A run that is under way: a second one is refused, whatever its options, and the first one continues
"$program" run case.yaml -q --threads 1 -o busy --set 'stages.biaxial.control.zz={strain_rate: 0}' \
  --set stages.biaxial.until.steps=100000000 > first-out 2> first-err &
pid=$!
wait_for_rows busy/series.csv 10 $pid
for mode in --force --resume; do
  run run case.yaml -q --threads 1 -o busy $mode
  expect_error 2 "jager run: another run is working in busy" "$mode while a run is under way"
done
kill -s KILL $pid
wait $pid 2> /dev/null
run run case.yaml -q --threads 1 -o busy --force
expect_code 0 "--force after the other run was killed"

# ---- Output ----------------------------------------------------------------------------------------------------------

run run case.yaml --quiet --threads 1 -o quiet
expect_code 0 "--quiet"
[ ! -s err ] || fail "--quiet: told on stderr: $(cat err)"
run run case.yaml --threads 1 -o loud
expect_code 0 "not quiet"
grep -Eq '^stage 1/1 biaxial: done in [0-9]+:[0-9][0-9], step [0-9]+' err || fail "no progress told: $(cat err)"
grep -Eq '^stage 1 biaxial +steps to [0-9]+: p [0-9.]+ kPa, q [0-9.]+ kPa, void ratio 0\.[0-9]+, coordination' out ||
  fail "no summary: $(cat out)"
run run case.yaml --quiet --json --threads 1 -o json
expect_code 0 "--json"
grep -Eq '^\{"version": .*"hash": "[0-9a-f]{16}".*"stages": \[.*"peak_of": "q".*\]\}$' out || fail "--json: $(cat out)"
if command -v python3 > /dev/null; then
  python3 -m json.tool < out > pretty || fail "--json is no JSON: $(cat out)"
fi
if [ -w /dev/full ]; then
  "$program" run case.yaml -q --threads 1 -o nowhere > /dev/full 2> err
  code=$?
  without_doubts
  expect_error 1 "jager: cannot write the standard output: No space left on device" "the summary on a full disk"
fi

# ---- Runs that fail --------------------------------------------------------------------------------------------------

# A time step that is far too large: packing has inertias that fit it, the first stage fails, and its start is kept
for step in 3e-6 1e-3; do
  run run case.yaml -q --threads 1 -o "step-$step" --set "time_step={fixed: $step s}"
  expect_code 3 "time step $step"
  expect_same "$(grep -c '^jager run: ' err)" 2 "lines told about the time step $step"
  expect_told "the last good state is kept in step-$step/checkpoint.jck" "time step $step"
  grep -q '^--set time_step=.*: warning: .* the stability limit' err || fail "time step $step: no warning beforehand"
done
run run case.yaml -q --threads 1 -o overlap --set 'time_step={fixed: 3e-6 s}'
expect_told "more than overlap_limit, 0.1: time_step.fixed is 3e-06 s, but not stable beyond" "time step 3e-6"

# Loaded far too fast, in a second stage: the state before is kept, and another case can start from it
cat > fast.yaml << 'END'
  - name: fast
    control: {xx: {stress: 100 kPa}, yy: {strain_rate: 0}, zz: {strain_step: 0.01}}
    until: {steps: 1000}
END
cat case.yaml fast.yaml > fails.yaml
run run fails.yaml -q --threads 1 -o fails
expect_code 3 "loaded too fast"
expect_told "jager run: step " "loaded too fast"
expect_told "jager run: the last good state is kept in fails/checkpoint.jck: another case can start from there" \
  "loaded too fast"
run info fails/checkpoint.jck
expect_code 0 "the last good state"
grep -q "stage 1 of 2" out || fail "the last good state is told as: $(cat out)"
run run case.yaml -q --threads 1 -o from --set 'assembly={checkpoint: fails/checkpoint.jck}'
expect_code 0 "another case from the last good state"

# A packing that does not come to rest
run run case.yaml -q --threads 1 -o restless --set assembly.packing.unbalanced=1e-9 --set assembly.packing.max_steps=500
expect_code 3 "packing does not come to rest"
expect_told "jager run: packing has not come to rest within 500 steps" "packing does not come to rest"
finish
