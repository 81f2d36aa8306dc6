# SPDX-License-Identifier: MIT
# A list of runs, and a second process in its directory: the second is refused, whatever its options, and changes
# nothing.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

# The second part of each run goes on until it is stopped
cat > list.yaml << 'END'
jager: 1
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
assembly: {lattice: {kind: fcc, cells: [2, 2, 2], radius: 0.5 mm, overlap: 1e-4}}
output: {series: 20, plots: false}
stages:
  - name: rest
    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {stress: 100 kPa}}
    until: {steps: 20}
  - name: shaking
    control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}, xz: {strain_step: 1e-8}}
    cyclic: {of: stress_xz, csr: [0.01, 0.02], center: 0}
    until: {steps: 2000000000}
END
small_case one.yaml 20 20

# begin SETTING RUN: starts a list in the background, and waits until its run RUN has begun
begin() {
  rm -rf dir
  "$program" run list.yaml -q --threads 1 -o dir --set "$1" > first.out 2> first.err &
  first=$!
  wait_for_rows "dir/$2/series.csv" 3 $first
  [ -s "dir/$2/series.csv" ] || fail "$1: the list has not begun: $(cat first.err)"
}

# finished: the files of completed runs
finished() {
  for summary in $(find dir -name summary.txt | sort); do
    cksum "${summary%/*}"/*.*
  done
}

# refused ARGS...: the second process
refused() {
  run run "$@" -q -o dir
  expect_error 2 "jager run: another run is working in dir" "$*"
}

# A list of models has directories for each, a list of ratios uses dir itself as well
for setting in "contact={model: [hertz-mindlin, jager]}:hertz-mindlin/csr-0.01" "contact.model=jager:csr-0.01"; do
  begin "${setting%:*}" "${setting##*:}"
  finished > before
  [ -s before ] || fail "$setting: no run of the list is done"
  # If the list is killed, the directory is locked until its runs are dead
  for child in $(cat "/proc/$first/task/$first/children"); do
    find "/proc/$child/fd" -lname "$PWD/dir" | grep -q . || fail "$setting: a run does not share the lock of the list"
  done
  for option in --force --resume --json; do
    refused list.yaml "$option" --set "${setting%:*}" --set stages.1.until.steps=20
  done
  refused one.yaml --force
  finished > after
  cmp before after || fail "$setting: the second process has changed the files of the first"
  kill -0 $first || fail "$setting: the first process has ended: $(cat first.err)"
  kill -TERM $first
  wait $first
  code=$?
  cp first.err err
  expect_code 143 "$setting: the first process"
done

# A single run, which rests until it is stopped, and a list in its directory
rm -rf dir
"$program" run one.yaml -q --threads 1 -o dir --set 'stages.0.control.zz={strain_rate: 0}' \
  --set stages.0.until.steps=2000000000 > first.out 2> first.err &
first=$!
wait_for_rows dir/series.csv 3 $first
refused list.yaml --force --set stages.1.until.steps=20
expect_same "$(find dir -mindepth 1 ! -name series.csv ! -name 'checkpoint*')" "" "files of the list"
kill -TERM $first
wait $first
code=$?
cp first.err err
expect_code 143 "the single run"
finish
