# SPDX-License-Identifier: MIT
# Every kind of bad path file: a message with line and column, exit code 2, and the results of the lines before.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

words="dzeta,dxi1[,dxi2] or zeta,xi1[,xi2], or for whole movements doverlap,dshift1[,dshift2] or \
overlap,shift1[,shift2]"
columns="the columns must be $words"

# bad NAME CONTENTS MESSAGE: as a file
bad() {
  printf "$2" > path.csv
  run contact path.csv
  expect_error 2 "path.csv:$3" "$1"
  expect_same "$(wc -l < err | tr -d ' ')" 1 "$1: lines of the message"
}

bad "empty file" "" "1:1: the file ends before a header: its first line must name the columns"
bad "no header" "0.001,0\n" "1:1: found '0.001' where the header must name the columns"
bad "unknown column" "dzeta,dxi1,time\n" "1:12: unknown column 'time': $columns"
bad "double column" "dzeta,dxi1,dzeta\n" "1:12: column 'dzeta' is there twice"
bad "mixed columns" "dzeta,xi1\n" "1:7: column 'xi1' cannot be mixed with the columns before it: they must be \
$words"
bad "missing column" "zeta\n" "1:5: column 'xi1' is missing: $columns"
bad "columns of the other control" "fn,ft1\n" \
  "1:1: column 'fn' needs --control force: with --control displacement $columns"
bad "too few" "zeta,xi1\n0.001\n" "2:6: too few fields: 1 instead of 2"
bad "too many" "zeta,xi1\n0.001,0,0\n" "2:8: too many fields: the header has 2 columns"
bad "empty field" "zeta,xi1\n0.001,\n" "2:7: an empty field: a number is needed"
bad "nan" "zeta,xi1\nnan,0\n" "2:1: 'nan' is not a number: write it like 0.0025 or 2.5e-3"
bad "inf" "zeta,xi1\n0,-inf\n" "2:3: '-inf' is not a number: write it like 0.0025 or 2.5e-3"
bad "hexadecimal" "zeta,xi1\n0x1p3,0\n" "2:2: unexpected 'x1p3' after a number: fields are separated by commas"
bad "garbage" "zeta,xi1\n0.5m,0\n" "2:4: unexpected 'm' after a number: fields are separated by commas"
bad "semicolon" "zeta,xi1\n0.5;0\n" "2:4: unexpected ';0' after a number: fields are separated by commas"
bad "overflow" "zeta,xi1\n1e400,0\n" "2:1: the number is too large: the largest is about 1.8e308"
bad "NUL" "zeta,xi1\n1,\0002\n" "2:3: a NUL byte: the file must be plain text (ASCII or UTF-8)"
bad "beyond the library" "zeta,xi1\n1e200,0\n" "2:1: a movement or force is too large to compute with"

{ echo "zeta,xi1"; awk 'BEGIN { for (i = 0; i < 5000; i++) printf "0" }'; } > path.csv
run contact path.csv
expect_error 2 "path.csv:2:4097: the line is too long: at most 4096 bytes are allowed" "long line"

# From stdin. Results before the mistake are written, and the history too, but neither tractions nor the picture.
printf '# path\nzeta,xi1\n0.001,0\n0.002,0.0001\n0.003,oops\n0.004,0\n' > in
run contact --history history.csv --tractions tractions.csv --plot plot.svg -
expect_error 2 "<stdin>:5:7: 'oops' is not a number: write it like 0.0025 or 2.5e-3" "stdin"
expect_same "$(column step out | tr '\n' ' ')" "1 2 " "rows before the bad line"
expect_same "$(column step history.csv | sort -u | tr '\n' ' ')" "1 2 " "history before the bad line"
expect_same "$(ls)" "$(printf 'err\nhistory.csv\nin\nout\npath.csv')" "files left"

# Impossible forces: the message names the field
printf 'ft1,fn\n0.1,1\n0.6,1\n' > path.csv
run contact --control force path.csv
expect_error 2 "path.csv:3:1: the tangential force asked for exceeds friction times the normal force" "beyond friction"
expect_same "$(column step out)" 1 "rows before the impossible force"
printf 'ft1,fn\n0,-1\n' > path.csv
run contact --control force path.csv
expect_error 2 "path.csv:2:3: the normal force must not be negative" "pull"
finish
