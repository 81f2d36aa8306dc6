# SPDX-License-Identifier: MIT
# jager info: what is told of files that are none of ours. What is told of ours is tested by test_result.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

run info
expect_error 2 "jager info: which file?" "no file"
run info a.h5 b.h5
expect_error 2 "jager info: more than one file: 'b.h5'" "two files"
run info none.h5
expect_error 1 "jager info: cannot read none.h5: No such file or directory" "missing"
run info .
expect_error 2 "jager info: cannot read .: it is no regular file" "directory"

: > empty.h5
run info empty.h5
expect_code 2 "empty"
grep -q "^jager info: empty.h5 is no HDF5 file, or damaged: HDF5 says: " err || fail "empty: $(cat err)"
[ ! -s out ] || fail "empty: something is told"
printf 'material:\n  friction: 0.5\n' > case.yaml
run info case.yaml
expect_code 2 "text"
grep -q "^jager info: case.yaml is no HDF5 file, or damaged: HDF5 says: " err || fail "text: $(cat err)"
run info --input case.yaml
expect_code 2 "input of a text"

# The beginning of an HDF5 file and nothing behind it
printf '\211HDF\r\n\032\n\003\010\010\000' > cut.h5
run info cut.h5
expect_code 2 "cut off"
grep -q "^jager info: cut.h5 is no HDF5 file, or damaged: HDF5 says: " err || fail "cut off: $(cat err)"
[ "$(wc -l < err)" -eq 1 ] || fail "cut off: HDF5 prints errors of its own: $(cat err)"

run info --help
expect_code 0 "help"
grep -q -- "--input" out || fail "help: no --input"
finish
