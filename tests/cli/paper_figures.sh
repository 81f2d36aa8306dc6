# SPDX-License-Identifier: MIT
# The quick figures of the paper: their numbers, their files, with and without gnuplot.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

quick="JagerPath Jager_approx Compare TractionCompare words"

# report_of TEXT: the last column of the report's row that begins with the text
report_of() {
  grep -F -- "| $1" report/report.md | head -n 1 | awk -F ' [|] ' '{ sub(/ [|]$/, "", $NF); print $NF }'
}

# shellcheck disable=SC2086
run paper $quick -o report
expect_code 0 "quick figures"
expect_same "$(cat out)" "report/report.md" "what is told"
for name in JagerPath-movements JagerPath-histories JagerPath-tractions Jager_approx-movements Jager_approx-histories \
  Compare-closed-form Compare-laws TractionCompare words-stiffness words-hysteresis words-convergence; do
  expect_files report/$name.csv
done

# Nine movements: the histories by the paper's names, and forces that another command gives as well
expect_same "$(column history report/JagerPath-movements.csv | tr '\n' ' ')" \
  "0 0-1 0-1-2 0-1-2-3 0-1-2-2a-4 0-1-1a-5 0-1-1a-5-6 0-1-1a-5-6-7 0-1-1a-5-6-6a-8 0-1-1a-5-6-6a-7a-9 " "histories"
expect_same "$(column state report/JagerPath-movements.csv | tr '\n' ' ')" \
  "apart elastic elastic elastic slip slip elastic elastic slip slip " "states"
run contact "$source_dir/examples/nine-movements.csv"
expect_close "$(column ft report/JagerPath-movements.csv | tail -n 1)" "$(column ft1 out | tail -n 1)" 1e-11 "Ft"

# The traction integrates to Ft over the contact: a = sqrt(0.034), by the trapezium rule
awk -F, 'NR > 2 { ft += 3.14159265358979 * 0.034 * ($1 * $3 + r * tau) * ($1 - r) } { r = $1; tau = $3 }
  END { d = ft + 0.000177; exit !(d < 4e-6 && d > -4e-6) }' report/JagerPath-tractions.csv || fail "traction and force"

expect_same "$(column length_exact report/Jager_approx-movements.csv | tr '\n' ' ')" "1 2 3 4 5 6 4 " "lengths, exact"
expect_same "$(column length_approximate report/Jager_approx-movements.csv | tr '\n' ' ')" "1 2 3 3 3 3 4 " "lengths, \
merged"

# Jäger lies on the closed form in every row, the incremental law does not
awk -F, 'NR > 1 { d = $6 - $7; d = d < 0 ? -d : d; if (d > worst[$1 $2]) worst[$1 $2] = d }
  END { exit !(worst["jager4"] < 1e-9 && worst["jager400"] < 1e-9 && worst["zhang-vuquoc4"] > 0.02 &&
               worst["zhang-vuquoc400"] < 0.005) }' report/Compare-laws.csv || fail "Compare"
awk -F, 'NR > 1 { d = $3 - $4; if (d > 1e-8 || d < -1e-8) exit 1; rows[$1]++ }
  END { exit !(rows["B"] > 100 && rows["C"] > 100 && rows["D"] > 100) }' report/TractionCompare.csv || fail \
    "TractionCompare"

expect_close "$(report_of "Hertz contacts" | sed 's/ .*//')" 0.3333 0.001 "exponent of Hertz contacts"
expect_close "$(report_of "linear contacts")" 0 0.001 "exponent of linear contacts"
expect_close "$(report_of "incremental law against" | sed 's/ .*//')" 1 0.1 "order of the incremental law"
expect_close "$(report_of "movements that turn" | sed 's/ .*//')" 1 0.1 "order of turning movements"
for name in $quick; do
  grep -q "^## $name: " report/report.md || fail "$name is not in the report"
done

# The same again gives the same data
cp -r report before
# shellcheck disable=SC2086
run paper $quick -o report
for file in before/*.csv; do
  cmp -s "$file" "report/$(basename "$file")" || fail "$file differs the second time"
done

# One figure, named in any case, in a directory that is made; nothing half-written is left
run paper tractioncompare -o deep/in/here
expect_code 0 "one figure"
expect_same "$(grep -c '^## ' deep/in/here/report.md)" 1 "one figure: sections"
! ls deep/in/here | grep tmp || fail "something half-written is left"

# Pictures, where gnuplot is; they are shown in the report
if command -v gnuplot > /dev/null; then
  for name in $quick; do
    expect_same "$(head -c 4 report/"$name".png | tail -c 3)" "PNG" "$name.png"
    grep -q '</svg>' report/"$name".svg || fail "$name.svg is not whole"
    grep -q "($name.png)" report/report.md || fail "$name.png is not in the report"
  done
  [ ! -s err ] || fail "gnuplot says: $(cat err)"
  for label in 0 1 1a 2 2a 3 4 5 6 6a 7 7a 8 9; do # of JagerPath (b): every point of every history
    grep -q ">$label</tspan></text>" report/JagerPath.svg || fail "JagerPath: no label $label"
  done
fi

# Without gnuplot: data and report
mkdir empty
PATH_BEFORE=$PATH
PATH=$scratch/empty
"$program" paper JagerPath -o plain > out 2> err
code=$?
PATH=$PATH_BEFORE
expect_error 0 "jager paper: no pictures: gnuplot is not installed (Debian, Ubuntu: apt install gnuplot-nox)" "no \
gnuplot"
expect_files plain/report.md plain/JagerPath-movements.csv
! grep -q png plain/report.md || fail "no gnuplot: the report shows a picture"

# A gnuplot that fails: no picture, no report, nothing half-written
mkdir bin
printf '#!/bin/sh\nexit 3\n' > bin/gnuplot
chmod +x bin/gnuplot
PATH=$scratch/bin:$PATH
run paper Compare -o broken
PATH=$PATH_BEFORE
expect_error 1 "jager paper: gnuplot could not draw broken/Compare.png" "gnuplot fails"
! ls broken | grep -v csv || fail "gnuplot fails: a file is left"

# A report of somebody else's is not replaced
mkdir theirs
echo "# My own report" > theirs/report.md
run paper TractionCompare -o theirs
expect_error 2 "jager paper: theirs/report.md is no report of this program: rename it, or take another directory \
with -o" "another report"
expect_same "$(ls theirs) $(cat theirs/report.md)" "report.md # My own report" "another report"

# Mistakes
run paper JagerPat
expect_error 2 "jager paper: there is no figure 'JagerPat': one of DEMcontact, JagerPath, Jager_approx, Compare, \
TractionCompare, performance, words" "unknown figure"
: > file
run paper Compare -o file/dir
expect_error 1 "jager paper: cannot make the directory file/dir: Not a directory" "no directory"
run paper Compare -o file
expect_error 1 "jager paper: file is not a directory: give another one with -o" "a file"
run paper performance --set frictoin=1 -o nowhere
expect_code 2 "bad setting"
expect_told "--set frictoin=1" "bad setting"
run paper performance --set stages.biaxial.until.steps=0 -o nowhere
expect_code 2 "no test"
finish
