# SPDX-License-Identifier: MIT
# A path of two million lines, under a memory limit far below its size.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

limit=40000 # kB; a sanitizer needs terabytes of address space: then the test is skipped
echo "zeta,xi1" > in
(ulimit -v $limit && exec "$program" contact < in > out 2> err) || {
  echo "skipped: the program does not start under ulimit -v $limit: $(head -n 1 err)"
  exit 77
}

# Python would not start under the limit: a script only counts its input
python_that 'wc -l; printf "\njager: drawn 1\n"'

lines=2000000
awk -v n=$lines 'BEGIN { print "dzeta,dxi1"
  for (i = 0; i < n; i++) print (i % 20 < 10 ? "1e-4" : "-1e-4") "," (i % 7 < 3 ? "2.5e-4" : "-1.5e-4") }' |
  (ulimit -v $limit && exec "$program" contact --plot plot.svg 2> err) |
  awk -F, 'NR > 1 { if ($1 != NR - 1) exit 1; if ($6 * $6 > 0.25 * $5 * $5 * (1 + 1e-9)) exit 1 }
    END { print NR - 1; if ($11 <= 0) print "no dissipation" }' > out
expect_same "$(cat out)" "$lines" "rows: $(cat err)"
awk 'NR == 1 { exit !($1 > 9000 && $1 < 21000) }' plot.svg || fail "points in the picture: $(cat plot.svg)"
finish
