# SPDX-License-Identifier: MIT
# Files that cannot be read or written: exit code 1, a message, and nothing left behind.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

nine=$source_dir/examples/nine-movements.csv

run contact missing.csv
expect_error 1 "jager contact: cannot open missing.csv: No such file or directory" "missing file"
run contact .
expect_error 1 ".: cannot be read: Is a directory" "directory"
run contact --history nowhere/history.csv "$nine"
expect_error 1 "jager contact: cannot write nowhere/history.csv: No such file or directory" "no directory"
[ ! -s out ] || fail "no directory: the run started"
mkdir directory
run contact --tractions directory "$nine"
expect_error 1 "jager contact: cannot write directory: Is a directory" "a directory as output"

# A full disk. A faulty program could replace an output file that is a device, which root may do: so it never gets the
# name of one in /dev, but special files of this directory.
if [ -w /dev/full ]; then
  "$program" impact --psi 1,2 > /dev/full 2> err
  code=$?
  expect_error 1 "jager impact: cannot write the standard output: No space left on device" "impacts on a full disk"
  "$program" contact "$nine" > /dev/full 2> err
  code=$?
  expect_error 1 "jager contact: cannot write the standard output: No space left on device" "full disk"
  awk 'BEGIN { print "zeta,xi1"; for (i = 0; i < 100000; i++) print "0.001,0" }' | "$program" contact > /dev/full 2> err
  code=$?
  expect_error 1 "jager contact: cannot write the standard output: No space left on device" "full disk, long path"
  # The output of every command, also where argp ends the program, after --help
  small_case case.yaml 100 20
  run run case.yaml -q --threads 1 -o ran
  for words in --help -h --version -V "check case.yaml" "info ran/result.h5" "info ran/checkpoint.jck" \
    "info --json ran/result.h5" "info --json ran/checkpoint.jck" "info --input ran/result.h5" \
    "info --input ran/checkpoint.jck" "run case.yaml -q --threads 1 -o full" \
    "run case.yaml -q --threads 1 -o full --json --force"; do
    # shellcheck disable=SC2086
    "$program" $words > /dev/full 2> told
    code=$?
    grep -v '^jager run: warning: ' told > err
    expect_error 1 "jager: cannot write the standard output: No space left on device" "$words on a full disk"
    expect_same "$(wc -l < err | tr -d ' ')" 1 "lines told about $words on a full disk"
  done
  for command in run check info contact impact; do
    for option in --help -? --usage --version; do
      "$program" $command $option > /dev/full 2> err
      code=$?
      expect_error 1 "jager: cannot write the standard output: No space left on device" "$command $option, full disk"
      "$program" $command $option >&- 2> err
      code=$?
      expect_code 1 "$command $option with a closed stdout"
    done
  done
fi
if mknod full c 1 7 2> err && : > full; then # needs root, and a file system that allows devices
  run contact --history full "$nine"
  expect_error 1 "jager contact: cannot write full: No space left on device" "history on a full disk"
  run contact --tractions full "$nine"
  expect_error 1 "jager contact: cannot write full: No space left on device" "tractions on a full disk"
  [ -c full ] || fail "a device was replaced"
fi

# Outputs that are not regular files are written, not replaced
mkfifo pipe
cat pipe > copy &
reader=$!
run contact --history pipe "$nine"
expect_code 0 "history into a pipe"
[ -p pipe ] && wait $reader || { fail "a pipe was replaced"; kill $reader; }
expect_same "$(wc -l < copy | tr -d ' ')" 45 "rows in the pipe"

# A closed stdout, and a reader that goes away
"$program" contact "$nine" >&- 2> err
code=$?
expect_code 1 "closed stdout"
"$program" contact --history history.csv < "$nine" >&- 2> err
code=$?
expect_code 1 "closed stdout, and the history would take its place"
[ ! -e history.csv ] || fail "closed stdout: a history"
awk 'BEGIN { print "zeta,xi1"; for (i = 0; i < 200000; i++) print "0.001,0" }' > long.csv
small_case closed.yaml 100 20
run run closed.yaml -q --threads 1 -o closed
# A reader that stops early, like head, gets no message
mkfifo left
exec 4<> left 5> left 4>&- # 5 is a pipe without a reader
for words in "contact long.csv" "impact --psi 1,2" "check closed.yaml" "info closed/result.h5" "moduli closed" \
  "shape nevada" "run closed.yaml -q --threads 1 -o closed --force" --help --version "run --help"; do
  # shellcheck disable=SC2086
  "$program" $words >&5 2> told
  code=$?
  grep -v '^jager [a-z]*: warning: ' told > err
  expect_same "$(cat err)" "" "$words, whose reader has gone"
  expect_code 1 "$words, whose reader has gone"
done
exec 5>&-

# An output replaces what was there, through a link as well, with the permissions of a new file
echo old > target.csv
ln -s target.csv link.csv
(umask 027 && "$program" contact --tractions link.csv --history new.csv "$nine" > out 2> err) || fail "link: $(cat err)"
[ -L link.csv ] || fail "the link was replaced"
grep -q '^r,pressure' target.csv || fail "the link's target was not written"
expect_same "$(ls -l new.csv | cut -c1-10)" "-rw-r-----" "permissions"

# Ended by a signal, the program leaves no incomplete file
mkfifo fifo
"$program" contact --history killed.csv fifo > out 2> err &
pid=$!
exec 3> fifo
printf 'zeta,xi1\n0.001,0\n' >&3
tries=0
while ! ls | grep -q killed && [ $tries -lt 100 ]; do
  sleep 0.1
  tries=$((tries + 1))
done
ls | grep -q 'killed.csv.tmp' || fail "no temporary file to test with"
kill $pid
wait $pid
[ $? -eq 143 ] || fail "SIGTERM did not end it"
exec 3>&-
! ls | grep killed || fail "SIGTERM left a file"
finish
