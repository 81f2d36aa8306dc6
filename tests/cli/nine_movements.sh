# SPDX-License-Identifier: MIT
# The nine movements of the paper: states and lengths, forces by the equation Ft = sum p dFn, histories as in its text.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

run contact "$source_dir/examples/nine-movements.csv" --history history.csv
expect_code 0 "nine movements"
expect_same "$(head -n 1 out)" "step,zeta,xi1,xi2,fn,ft1,ft2,state,length,stored,dissipated" "header"
expect_same "$(column step out | tr '\n' ' ')" "1 2 3 4 5 6 7 8 9 " "steps"
expect_same "$(column state out | tr '\n' ' ')" "elastic elastic elastic slip slip elastic elastic slip slip " "states"
expect_same "$(column length out | tr '\n' ' ')" "2 3 4 5 4 5 6 7 8 " "lengths"
expect_close "$(column zeta out | tail -n 1)" 0.034 1e-15 "zeta"
expect_close "$(column xi1 out | tail -n 1)" -0.0011 1e-15 "xi"
expect_close "$(column fn out | tail -n 1)" 0.033436214565115543 1e-15 "Fn = E sqrt(zeta^3 R), E = 16/3"

# Energies: stored and dissipated in all, and never less dissipated than before
awk -F, 'NR > 1 { if ($11 < last || $10 <= 0) exit 1; last = $11 } END { if (last <= 0) exit 1 }' out || fail "energies"

# The history: as many rows as `length` says, rising, within friction, and the forces follow from it
expect_same "$(head -n 1 history.csv)" "step,k,zeta,fn,p1,p2" "header of the history"
expect_same "$(awk -F, 'NR > 1 { rows[$1]++ } END { for (i = 1; i <= 9; i++) printf "%d ", rows[i] }' history.csv)" \
  "2 3 4 5 4 5 6 7 8 " "rows of the history"
awk -F, 'FNR == 1 { next }
  NR == FNR { ft[$1] = $6; fn[$1] = $5; next }
  $2 == 0 { if ($3 != 0 || $4 != 0 || $5 != 0) exit 1; sum = 0; zeta = 0; at = 0; next }
  { if ($3 <= zeta || $5 * $5 > 0.25 * (1 + 1e-12)) exit 1
    sum += $5 * ($4 - at); at = $4; zeta = $3; end[$1] = sum; top[$1] = $4 }
  END { for (i = 1; i <= 9; i++) { d = end[i] - ft[i]; if (d * d > 1e-32 || top[i] != fn[i]) exit 1 } }' out \
    history.csv ||
  fail "the history does not give the forces"
finish
