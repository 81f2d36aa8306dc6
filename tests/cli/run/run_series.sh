# SPDX-License-Identifier: MIT
# When lines of series.csv and snapshots are written: at the start of the case, at both ends of each stage, at each
# reversal and at the interval of the case; none of them twice. Intervals are random; the steps of ends and reversals
# come from a run that writes every step.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

cat > case.yaml << 'END'
jager: 1
seed: 7
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
assembly:
  packing:
    spheres: 200
    sizes: {uniform: {min: 0.8 mm, max: 1.2 mm}}
    pressure: 100 kPa
    friction: 0.2
    unbalanced: 0.05
    initial_density: 0.58
output: {series: 1, plots: false}
stages:
  - name: shear
    control: {xx: {stress: 100 kPa}, yy: {strain_rate: 0}, zz: {strain_step: 1e-6}}
    until: {steps: 137}
  - name: cycles
    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {strain_step: 1e-6}}
    cyclic: {of: strain_zz, amplitude: 5e-5}
    until: {cycles: 2.6}
  - name: hold
    control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}}
    until: {steps: 61}
END

# values NAME...: these columns of the series in the directory `dir`, with blanks between
values() {
  awk -F, -v names="$*" 'NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
    { for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? " " : "\n" }' "$dir/series.csv"
}

run run case.yaml -q --threads 1 -o all
expect_code 0 "every step"
dir=all
values step stage > rows
expect_same "$(head -n 1 rows)" "0 0" "first line"
expect_same "$(sort rows | uniq -d)" "" "lines that are there twice"
awk 'NR > 1 && $1 != step + ($2 == stage) {
    print "line " NR ": step " $1 " of stage " $2 " follows " step " of " stage }
  { step = $1; stage = $2 }' rows > wrong
[ ! -s wrong ] || fail "steps are missing: $(head -n 3 wrong)"

# The summary can be made of the series and of its JSON: the last line of each stage, and what is judged
cp out text
run run case.yaml -q --threads 1 -o all --resume --json
expect_code 0 "the summary as JSON"
command -v python3 > /dev/null && {
  python3 - text out all/series.csv << 'END' || fail "the summary is not that of the series: $(cat text out)"
import csv, json, re, sys
text, told = open(sys.argv[1]).read().splitlines(), json.load(open(sys.argv[2]))
rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(open(sys.argv[3]))]
g, names = told["grading"], ("packing", "shear", "cycles", "hold")
expected = ["grading: D10 %.4g mm, D30 %.4g mm, D50 %.4g mm, D60 %.4g mm; Cu %.3g, Cc %.3g" %
            (*(1e3 * g[key] for key in ("d10", "d30", "d50", "d60")), g["cu"], g["cc"])]
assert abs(g["cu"] - g["d60"] / g["d10"]) < 1e-9 and abs(g["cc"] - g["d30"] ** 2 / g["d10"] / g["d60"]) < 1e-9, g
assert [s["name"] for s in told["stages"]] == list(names)
for number, s in enumerate(told["stages"]):
    here = [row for row in rows if row["stage"] == number]
    last = here[-1]
    assert s["stage"] == number and all(s[key] == last[key] for key in last), s
    expected.append("stage %d %-12s steps to %.0f: p %.4g kPa, q %.4g kPa, void ratio %.4f, coordination %.3f" %
                    (number, s["name"], last["step"], last["p"] / 1e3, last["q"] / 1e3, last["void_ratio"],
                     last["coordination"]))
    if number == 0:
        expected.append("    residual q %.3g %% of p, shear stresses up to %.3g %%; unbalanced force %.2g" %
                        (100 * last["q"] / last["p"], 100 * s["shear_stress_max"] / last["p"], last["unbalanced"]))
    else:
        assert s["peak"] in [row["q"] for row in here] and s["peak_of"] == "q"
        means, longest = ([row[key] for row in here] for key in ("history_mean", "history_max"))
        inertial = [row["inertial_number"] for row in here[1:]]
        assert s["inertial_number_max"] == max(inertial)
        assert abs(s["inertial_number_mean"] - sum(inertial) / len(inertial)) <= 1e-12 * max(inertial)
        expected.append("    largest q %.4g kPa at strain_zz %.3g %%; mean history at most %.1f points, longest %.0f" %
                        (s["peak"] / 1e3, 100 * s["peak_strain"], max(means), max(longest)))
        expected.append("    inertial number %.2g, unbalanced force %.2g (medians); dissipated: %.3g %% by friction, "
                        "%.3g %% by damping" % (s["inertial_number_median"], s["unbalanced_median"],
                                                100 * (1 - last["damping_share"]), 100 * last["damping_share"]))
    servo = s["servo_error_max"]
    expected.append(("    no stress targets" if servo is None else
                     "    stress targets held within %.2g %%" % (100 * servo)) +
                    ("" if number == 0 else
                     "; energy balance closes within %.2g %%" % (100 * abs(last["energy_error"]))))
counts = f"{told['spheres']} spheres, {told['contacts']} contacts, {told['steps']} steps"
expected += ["warning: " + warning for warning in told["warnings"]]
expected += [counts + " in # s: # ns a contact and step with 1 thread; # MB", "hash " + told["hash"],
             "results in all: series.csv, cycles.csv, result.h5, checkpoint.jck, summary.txt"]
found = [re.sub(r"( in |: |; )[\d.]+(?= (s:|ns|MB))", r"\1#", line) for line in text
         if not line.startswith("    cycle ")]
assert found == expected, "\n".join(found + expected)
END
}

# Ends of the stages, and reversals: where the strain of the cycles turns
awk 'BEGIN { stage = -1 } $2 != stage { if (NR > 1) print step, stage; print $1, $2 } { step = $1; stage = $2 }
  END { print step, stage }' rows > ends
values step stage strain_zz | awk '$2 != 2 { n = 0; next }
  { if (n > 1 && ($3 - now) * (now - before) < 0) print step, 2; before = now; now = $3; step = $1; n++ }' > reversals
expect_same "$(wc -l < ends | tr -d ' ')" 8 "ends of four stages"
expect_same "$(wc -l < reversals | tr -d ' ')" 5 "reversals of 2.6 cycles"
expect_same "$(awk '$2 == 0 { end = $1 } $2 == 1 { print $1 - end; exit }' rows)" 0 "steps from packing to the first \
stage"
expect_same "$(values stage strain_zz work | awk '$1 == 1 { print $2, $3; exit }')" "0 0" "strain and work at the start"

# The lines that are due are written, with any interval
seed=$(date +%s)
for every in $(awk -v seed="$seed" 'BEGIN { srand(seed); rand()
  print 1 + int(40 * rand()), 50 + int(200 * rand()), 1e9 }'); do
  dir=every-$every
  run run case.yaml -q --threads 1 -o "$dir" --set "output.series=$every"
  expect_code 0 "every $every steps"
  awk -v every="$every" 'FILENAME != "rows" { due[$0] = 1; next } $1 % every == 0 || $0 in due' \
    ends reversals rows > wanted
  values step stage > rows-here
  cmp -s wanted rows-here || fail "every $every steps, seed $seed: $(diff wanted rows-here | head -n 5)"
done
grep -Fxf reversals rows-here > /dev/null || fail "no reversals among the lines"

# A stress reverses where it reaches the amplitude: the peaks are in the series, whatever its interval
dir=peaks
run run case.yaml -q --threads 1 -o peaks --set output.series=97 --set stages.shear.until.steps=5 \
  --set 'stages.cycles.cyclic={of: q, amplitude: 15 kPa, center: 0}' --set stages.cycles.until.steps=5000
expect_code 0 "cycles of q"
values stage q | awk '$1 == 2 && ($2 >= 15000 || $2 <= -15000) { n++; side = side ($2 > 0 ? "+" : "-") }
  END { print n, substr(side, 1, 20) }' > told
expect_same "$(cat told)" "5 +-+-+" "peaks of q"

# Snapshots: the initial state, both ends of each stage that has them, and none twice
dir=snapshots
run run case.yaml -q --threads 1 -o snapshots --set output.series=1000 --set output.snapshot=100 --set output.vtk=70 \
  --set stages.shear.output.vtk=0
expect_code 0 "snapshots"
shots() {
  awk -v every="$1" -v from="$2" 'FILENAME == "ends" { if ($2 >= from) due[$1] = 1; next }
    $2 >= from && ($1 % every == 0 || $1 in due) { print $1 }' ends rows | sort -nu
}
"$program" info snapshots/result.h5 | sed -n 's/^  step \([0-9]*\), time .*/\1/p' > steps
expect_same "$(cat steps)" "$(shots 100 1)" "snapshots in result.h5"
find snapshots/vtk -name 'spheres-*.vtp' | sed 's/.*spheres-0*\([0-9]*\).vtp/\1/' | sort -n > steps
expect_same "$(cat steps)" "$(shots 70 2)" "files for ParaView"
expect_same "$(grep -c '<DataSet' snapshots/spheres.pvd)" "$(wc -l < steps | tr -d ' ')" "entries of spheres.pvd"

# From a checkpoint at the end of a stage the same bytes follow: the start of the next one is written again
cp -r snapshots resumed
mv resumed/checkpoint-before.jck resumed/checkpoint.jck
run run case.yaml -q --threads 1 -o resumed --resume --set output.series=1000 --set output.snapshot=100 \
  --set output.vtk=70 \
  --set stages.shear.output.vtk=0
expect_code 0 "resumed at the end of a stage"
# and whenever it is killed
options='--set output.series=11 --set output.snapshot=100 --set output.vtk=70 --set stages.shear.output.vtk=0
  --set checkpoint.steps=13'
# shellcheck disable=SC2086
run run case.yaml -q --threads 1 -o whole $options
expect_code 0 "not killed"
mode=
for try in 1 2 3 4 5 6; do
  # shellcheck disable=SC2086
  "$program" run case.yaml -q --threads 1 -o killed $options $mode > out 2> err &
  sleep "$(awk -v seed="$seed$try" 'BEGIN { srand(seed); rand(); print 0.05 + 0.25 * rand() }')"
  kill -s KILL $! 2> /dev/null
  wait $! 2> /dev/null
  mode=--force
  [ -e killed/checkpoint.jck ] || [ -e killed/checkpoint-before.jck ] && mode=--resume
done
# shellcheck disable=SC2086
run run case.yaml -q --threads 1 -o killed $options $mode
expect_code 0 "killed, seed $seed"
for pair in snapshots:resumed whole:killed; do
  one=${pair%:*}
  other=${pair#*:}
  (cd "$one" && find . -type f | sort) > files
  (cd "$other" && find . -type f | sort) > files-there
  cmp -s files files-there || fail "$other, seed $seed: other files: $(diff files files-there)"
  while read -r file; do
    case $file in
    *.jck | *.h5) ;; # times
    *) cmp "$one/$file" "$other/$file" || fail "$other, seed $seed: $file differs" ;;
    esac
  done < files
done
"$program" info resumed/result.h5 | sed -n 's/^  step \([0-9]*\), time .*/\1/p' > steps
expect_same "$(cat steps)" "$(shots 100 1)" "snapshots, resumed"

# Without packing, the initial state is at step 0
dir=lattice
run run "$source_dir/examples/lattice-fcc.yaml" -q --threads 1 -o lattice --set output.plots=false \
  --set output.snapshot=1000 \
  --set 'stages.rest.until={steps: 150}' --set 'stages.triaxial.until={steps: 150}'
expect_code 0 "lattice"
"$program" info lattice/result.h5 | sed -n 's/^  step \([0-9]*\), time .*/\1/p' > steps
expect_same "$(tr '\n' ' ' < steps)" "0 150 300 " "snapshots of a lattice"
expect_same "$(values step stage | head -n 1)" "0 1" "first line of a lattice"

# No snapshots where the case has none
run run "$source_dir/examples/lattice-fcc.yaml" -q --threads 1 -o none --set output.plots=false --set output.series=0 \
  --set 'stages.rest.until={steps: 150}' --set 'stages.triaxial.until={steps: 150}'
expect_code 0 "no series"
expect_same "$(wc -l < none/series.csv | tr -d ' ')" 1 "lines of no series"
case $doubts in
*"stage 'rest': not judged"*"stage 'triaxial': not judged"*) ;;
*) fail "no series: no doubt says that nothing is judged: $doubts" ;;
esac
finish
