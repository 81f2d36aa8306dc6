# SPDX-License-Identifier: MIT
# The figures of the paper that need the biaxial test, with a small and short one.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

small="--set assembly.packing.spheres=150 --set assembly.packing.unbalanced=0.05 --set stages.rest.until.steps=50
  --set stages.biaxial.until.steps=1200 --set stages.biaxial.control.zz.strain_step=2e-5"

# shellcheck disable=SC2086
run paper DEMcontact performance $small -q -o report
expect_code 0 "small test"
grep -v "^--set stages.biaxial.control.zz.strain_step=2e-5: warning: 'strain_step' is too fast" err > others
[ ! -s others ] || fail "small test: $(cat err)"
expect_files report/DEMcontact.csv report/performance.csv report/performance-calibrated.csv report/report.md
grep -q "end in the same state, bit for bit" report/report.md || fail "following and timing disturb the run"

# The strain of the trace rises all the way, from where it was born to the end, twice as far as the test
awk -F, 'NR == 2 { if ($1 < 0.0159 || $1 > 0.0177) exit 1 } NR > 2 { if ($1 < last) exit 1 } NR > 1 { last = $1 }
  END { exit !(NR > 20 && last <= 0.0481) }' report/DEMcontact.csv || fail "trace"

# Lists are shortest with the largest slack, and the sample is like the whole
for name in performance performance-calibrated; do
  awk -F, 'NR > 2 { exact += $7; a += $8; b += $9; all += $4; n++ }
    END { exit !(n >= 5 && exact > a && a > b && b > 0 && exact / all > 0.5 && exact / all < 2) }' report/$name.csv ||
    fail "lengths of $name"
done

# The calibrated run: settings of its own under those of the command line, which both runs have; in the report, too
expect_same "$(wc -l < report/performance-calibrated.csv)" "$(wc -l < report/performance.csv)" "--set: steps of both"
for name in performance performance-calibrated; do
  awk -F, 'NR > 1 && ($3 < 150 || $3 > 600) { exit 1 }' report/$name.csv || fail "--set: spheres of $name"
done
! cmp -s report/performance-calibrated.csv report/performance.csv || fail "nothing is calibrated"
while read -r setting; do
  case $setting in
  \#* | "") ;;
  *) grep -qxF "    $setting" report/report.md || fail "$setting is not in the report" ;;
  esac
done < "$source_dir/src/paper/calibrated.settings"
grep -q '^| contacts then | 8,700 | [0-9]* | [0-9]* |$' report/report.md || fail "table of the calibration"
grep -q '^| their ratio | 2.4 | [0-9]*\.[0-9][0-9] |$' report/report.md || fail "ratio of force times"
grep -q '^| their ratio | 1.5 | [0-9]*\.[0-9][0-9] |$' report/report.md || fail "ratio of total times"

# Each alone
# shellcheck disable=SC2086
run paper DEMcontact $small -q -o alone
expect_code 0 "DEMcontact alone"
cmp -s alone/DEMcontact.csv report/DEMcontact.csv || fail "twins disturb the traced contact"
# shellcheck disable=SC2086
run paper performance $small -q -o alone
expect_code 0 "performance alone"
cmp -s alone/performance.csv report/performance.csv || fail "what lies behind the test disturbs it"
cmp -s alone/performance-calibrated.csv report/performance-calibrated.csv ||
  fail "the calibrated run differs the second time"
finish
