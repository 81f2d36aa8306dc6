# SPDX-License-Identifier: MIT
# Ready tests: modulus reduction, and lists of models and of stress ratios. Tables agree with the files of the single
# runs; threads, stops and resuming change no byte.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

cat > base.yaml << 'END'
jager: 1
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
contact: {model: [jager, hertz-mindlin], tolerance: 1e-3}
assembly:
  packing: {spheres: 60, sizes: {uniform: {min: 1 mm, max: 1.2 mm}}, pressure: 5 MPa, friction: 0.2, unbalanced: 0.05}
output: {series: 20, plots: false}
stages:
END
cp base.yaml reduction.yaml
cat >> reduction.yaml << 'END'
- name: shear
  control: {xx: {stress: 5 MPa}, yy: {stress: 5 MPa}, zz: {stress: 5 MPa}}
  modulus_reduction:
    {component: xz, amplitudes: {from: 1e-5, to: 1e-3, per_decade: 1}, steps_per_cycle: 200, inertial_number: 1e-2,
     unbalanced: 1e-2, rest_steps: 300}
END
cp base.yaml resistance.yaml
cat >> resistance.yaml << 'END'
- name: rest
  control: {xx: {stress: 5 MPa}, yy: {stress: 5 MPa}, zz: {stress: 5 MPa}}
  until: {unbalanced: 1e-2, steps: 300}
- name: shaking
  control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}, xz: {strain_rate: 1}}
  cyclic: {of: stress_xz, csr: [0.1, 0.2], center: 0}
  inertial_number: 1e-3
  until: {cycles: 2, steps: 2000, r_u: 0.95}
END

# Modulus reduction: one stage becomes a rest and cycles for each amplitude
run check reduction.yaml
expect_code 0 "check"
expect_same "$(grep -c "^stage " out)" 6 "stages of three amplitudes"
grep -q "^stage 6 'shear-3': .*xz strain on a wave of 0.0005 " out || fail "the third amplitude: $(cat out)"
run check reduction.yaml --set 'stages.shear.modulus_reduction={amplitudes: [1e-8, 1e-6, 1e-5, 1e-4]}'
sed -n 's/^stage .*cycles of \([0-9]* steps\);.*; until \([0-9]* cycles\);.*/\1, \2/p' out > paces
expect_same "$(tr '\n' ';' < paces)" \
  "60000 steps, 6 cycles;6000 steps, 6 cycles;2000 steps, 6 cycles;2000 steps, 3 cycles;" "small cycles are slow"
run run reduction.yaml -q -o reduction --threads 2 --set output.plots=true
expect_code 0 "modulus reduction"
cp out told
expect_files reduction/reduction.csv reduction/reduction.png reduction/reduction.svg reduction/jager/series.csv \
  reduction/jager/reduction.csv reduction/hertz-mindlin/reduction.csv
grep -q "largest stress_xz .* at strain_xz " reduction/jager/summary.txt || fail "the summary of cycles does not tell τ"
expect_same "$(wc -l < reduction/reduction.csv)" 7 "lines of reduction.csv"
{ cat reduction/jager/reduction.csv && sed 1d reduction/hertz-mindlin/reduction.csv; } > joined
expect_same "$(cd reduction/jager && echo grains-*.png)" "grains-0.png grains-6.png" "pictures of stages"
cmp joined reduction/reduction.csv ||
  fail "the table of all models differs from the tables of the single ones"

# The table has the last cycle of each amplitude, without the numerical part. These fast cycles are mostly numerical,
# and their lines are marked.
for model in jager hertz-mindlin; do
  awk -F, -v model=$model '
    FNR == 1 { delete at; for (i = 1; i <= NF; i++) at[$i] = i; for (i = 1; i <= NF; i++) if (NR == FNR) of[$i] = i }
    NR == FNR && FNR > 1 { g[$of["stage"]] = $of["shear_modulus"]; d[$of["stage"]] = $of["damping_ratio"]
                           n[$of["stage"]] = $of["dissipated_damping"] / $of["loop_area"]
                           m[$of["stage"]] = $of["stress_amplitude"] / (0.5 * $of["p_min"]) }
    NR != FNR && FNR > 1 { stage = 2 * (FNR - 1); lines++
      if ($at["model"] != model || $at["shear_modulus"] != g[stage] || $at["damping_ratio_loop"] != d[stage]) bad++
      off = $at["damping_ratio"] + $at["damping_ratio_numerical"] - d[stage]
      if (off * off > 1e-24) bad++
      off = $at["damping_ratio_numerical"] / d[stage] - n[stage]; if (off * off > 1e-18) bad++
      tolerance = model == "jager" ? 0.04 * 1e-3 / (m[stage] * m[stage]) : 0; tolerance = tolerance < 1 ? tolerance : 1
      off = $at["damping_ratio_tolerance"] - tolerance * $at["damping_ratio"]
      if (off * off > 1e-24) bad++
      is_numerical = n[stage] > 1 / 3; marked += is_numerical
      if ($at["doubtful"] != (is_numerical ? 1 : tolerance > 1 / 3 ? 2 : 0)) bad++
      if (FNR == 2 && $at["modulus_ratio"] != 1) bad++ }
    END { exit !(lines == 3 && bad == 0 && marked > 0 && marked < 3) }' \
    reduction/$model/cycles.csv reduction/$model/reduction.csv ||
    fail "$model: reduction.csv does not agree with cycles.csv"
done
expect_same "$(grep -c ' D means nothing: more than a third of the loop is numerical$' told)" \
  "$(sed 1d reduction/reduction.csv | awk -F, '$11 == 1' | wc -l)" "lines that mean nothing"
grep -q '; D means nothing: more than a third of it is numerical$' reduction/jager/summary.txt ||
  fail "the summary does not mark D: $(cat reduction/jager/summary.txt)"

# Slow cycles are not numerical, but shortened histories may falsify D: the table estimates the largest error, or says
# that it is unknown
while read -r key value share words; do
  run run reduction.yaml -q -o "$key" --threads 2 \
    --set contact="{model: [jager, hertz-mindlin], $key: $value}" \
    --set stages.shear.modulus_reduction.amplitudes='[1e-4]' --set stages.shear.modulus_reduction.steps_per_cycle=2000
  expect_code 0 "slow cycles, $key"
  grep -q "^jager .* $words\$" out || fail "$key: D is not doubted: $(cat out)"
  grep -q "^hertz-mindlin  *[^ ]*  *[^ ]*  *[^ ]*  *[^ ]*  *[^ ]*  *0\$" out || fail "$key: D is doubted: $(cat out)"
  awk -F, 'NR > 1 { print $1, $9 == "nan" ? "nan" : $9 / $6, $11 }' "$key/reduction.csv" > doubts
  expect_same "$(tr '\n' ';' < doubts)" "jager $share 2;hertz-mindlin 0 0;" "doubts, $key"
done << 'END'
tolerance 2e-2 1 D may be too small: the tolerance may cost more than a third
dp_max 0.1 nan the error of D by dp_max is unknown
END

# Liquefaction resistance: the same bytes with one thread, and side by side
run run resistance.yaml -q -o one --threads 1
expect_code 0 "one thread"
run run resistance.yaml -q -o two --threads 2 --set output.plots=true
expect_code 0 "two threads"
expect_files one/resistance.csv two/resistance.png one/jager/csr-0.1/series.csv one/hertz-mindlin/csr-0.2/cycles.csv
expect_same "$(wc -l < one/resistance.csv)" 5 "lines of resistance.csv"
(cd one && find . -name '*.csv' -o -name summary.txt | sort) > files
[ "$(wc -l < files)" -ge 15 ] || fail "too few files: $(cat files)"
while read -r file; do
  cmp "one/$file" "two/$file" || fail "threads change $file"
done < files

# Each ratio starts from the same state as a single run
sed -e 's/model: .*, tol/model: jager, tol/' -e '/^assembly:/,/^  packing/d' -e '/name: rest/,/until.*300/d' \
  -e 's/csr: .*, center/csr: 0.2, center/' resistance.yaml > hand.yaml
echo 'assembly: {checkpoint: one/jager/checkpoint.jck}' >> hand.yaml
run run hand.yaml -q -o hand --threads 1
expect_code 0 "by hand"
cmp hand/series.csv one/jager/csr-0.2/series.csv || fail "a run of the list is not the run by hand"

# The table has the cycle at which r_u reaches 0.95
awk -F, '
  FNR == 1 { file++; for (i = 1; i <= NF; i++) at[file, $i] = i; next }
  file == 1 { if ($at[1, "cycle"] > most) most = $at[1, "cycle"]
              if (!found && $at[1, "r_u"] >= 0.95) { found = 1; cycles = $at[1, "cycle"] } next }
  $1 == "jager" && $at[2, "csr"] < 0.15 { told = $at[2, "cycles_r_u"]; done = $at[2, "cycles_done"] }
  END { exit !(found ? told == cycles : told == "nan" && done == most) }' one/jager/csr-0.1/series.csv \
  one/resistance.csv || fail "resistance.csv does not agree with the series"

# Static shear: cycles about 0.1 of the vertical stress. By hand: the static ratio is stress_xz over stress_zz at the
# start, CSR the change of stress_xz over the same; the summary, the series, cycles.csv and resistance.csv agree. A list
# member beyond the undrained strength is a flow failure, and has no number of cycles.
sed -e 's/model: .*, tol/model: jager, tol/' -e 's/friction: 0.2,/friction: 0.4,/' base.yaml > static.yaml
cat >> static.yaml << 'END'
- name: static
  control: {xx: {stress: 5 MPa}, yy: {stress: 5 MPa}, zz: {stress: 5 MPa}, xz: {strain_rate: 1}}
  inertial_number: 1e-3
  until: {stress_xz: 500 kPa, steps: 20000}
- name: shaking
  control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}, xz: {strain_rate: 1}}
  cyclic: {of: stress_xz, csr: [0.05, 0.6]}
  inertial_number: 1e-3
  until: {cycles: 1.5, steps: 20000, r_u: 0.95, "|gamma_xz|": 4 %}
END
run run static.yaml -q -o static --threads 2
expect_code 0 "static shear"
grep -q "^jager  *0\.6  *0\.1[0-9]* *flow failure  *0\.[01][0-9]$" out || fail "no flow failure: $(cat out)"
for csr in 0.05 0.6; do
  awk -F, -v csr=$csr '
    FNR == 1 { file++; for (i = 1; i <= NF; i++) at[file, $i] = i; next }
    function of(name) { return $at[file, name] }
    function differs(a, b, by) { return a - b > by || b - a > by }
    file == 1 && FNR == 2 { xz = of("stress_xz"); zz = of("stress_zz"); still = xz / zz
                            if (still < 0.09 || still > 0.11) print "static " still }
    file == 1 { ratio = (of("stress_xz") - xz) / zz; most = ratio > most ? ratio : most
                if (differs(of("static_stress_ratio"), still, 1e-12)) print "static ratio " of("static_stress_ratio")
                if (differs(of("csr"), ratio, 1e-12)) print "csr " of("csr") " instead of " ratio }
    file == 2 && of("csr") != "nan" { if (differs(of("csr"), csr, 0.01)) print "csr of the loop " of("csr")
      if (differs(of("static_stress_ratio"), still, 1e-12)) print "static part of a loop " of("static_stress_ratio") }
    file == 3 && of("csr") == csr { lines++
      if (differs(of("static_stress_ratio"), still, 1e-12)) print "static part: " of("static_stress_ratio")
      if (of("flow_failure") != (csr > 0.5)) print "flow failure " of("flow_failure")
      if (of("cycles") != "nan" || of("cycles_r_u") != "nan" || of("cycles_strain") != "nan") print "cycles " $0
      if (csr > 0.5 && !(of("cycles_done") > 0.02 && of("cycles_done") < 0.25)) print "done " of("cycles_done") }
    END { if (lines != 1) print lines " lines"
          printf "%.3g %.3g\n", most, still > "parts" }' static/csr-$csr/series.csv static/csr-$csr/cycles.csv \
    static/resistance.csv > wrong
  [ ! -s wrong ] || fail "static shear, CSR $csr: $(cat wrong)"
  cp parts parts-$csr
done
read -r most still < parts-0.6
about="about a static stress ratio of $still"
grep -q "^    flow failure: r_u ≥ 0.95 or γ ≥ 3.75 % in the first quarter cycle at CSR $most $about, the largest \
reached: CSR 0.6 of the case was not reached$" static/csr-0.6/summary.txt ||
  fail "summary of a flow failure: $(cat static/csr-0.6/summary.txt)"
grep -q "^    not liquefied: .* at CSR 0\.05[0-9]* $about$" static/csr-0.05/summary.txt ||
  fail "summary with static shear: $(cat static/csr-0.05/summary.txt)"

# The case recorded by a run of the list can be run again, although keys belong to other models or stages
sed '/^stages:/,$d' resistance.yaml > both.yaml
{ sed -n '/^stages:/,$p' reduction.yaml && sed '1,/^stages:/d' resistance.yaml; } >> both.yaml
run run both.yaml -q -o both --threads 2 --set 'contact.model=[jager, linear, hertz-mindlin]' \
  --set 'contact.linear={kn: 1e6, kt: 8e5}' --set stages.shear.modulus_reduction.amplitudes='[1e-4]'
expect_code 0 "a list of ratios behind a modulus reduction"
for dir in jager linear hertz-mindlin hertz-mindlin/csr-0.2; do
  "$program" info --input both/$dir/result.h5 > again.yaml || fail "the input of $dir"
  run check again.yaml
  expect_code 0 "the input of $dir"
done
expect_same "$(find both -name reduction.csv | wc -l)" 4 "tables of modulus reductions"
run moduli both/hertz-mindlin
expect_code 0 "moduli of a run of the list"

# JSON
run run resistance.yaml -q -o one --threads 1 --resume --json
expect_code 0 "resumed at the end"
python3 -c 'import json, sys; d = json.load(open("out")); assert d["runs"] == 6 and len(d["resistance"]) == 4' ||
  fail "JSON: $(cat out)"
while read -r file; do
  cmp "one/$file" "two/$file" || fail "resuming at the end changes $file"
done < files

# Stopped at some moment, and resumed, perhaps several times
for pause in 0.2 0.7; do
  rm -rf stopped
  "$program" run resistance.yaml -o stopped --threads 2 > out 2> err &
  pid=$!
  sleep $pause
  kill -TERM $pid 2> /dev/null
  wait $pid
  code=$?
  if [ $code -ne 0 ]; then
    expect_code 143 "stopped after $pause s"
    grep -q "^jager run: stopped by SIGTERM with [0-6] of 6 runs done; 'jager run --resume'" err ||
      fail "stop: $(cat err)"
    grep "done in" err && fail "the progress of a stopped list says done"
    run run resistance.yaml -q -o ./stopped --threads 2 --resume
    expect_code 0 "resumed after $pause s"
  fi
  while read -r file; do
    cmp "one/$file" "stopped/$file" || fail "stopping after $pause s changes $file"
  done < files
done

# Refused
run check reduction.yaml --set stages.0.modulus_reduction.amplitudes=1e-5
expect_error 2 "--set stages.0.modulus_reduction.amplitudes=1e-5: 'amplitudes' must be a list of numbers, [1e-5, \
1e-4], or {from: 1e-6, to: 1e-3, per_decade: 3}" "one amplitude"
run check resistance.yaml --set 'stages.1.cyclic={paths: {xz: {gamma: 1e-3, phase: 90 deg}}, steps_per_cycle: 2000}'
grep -q "'phase' is a number of degrees without a unit, such as 'phase: 90'" err || fail "degrees: $(cat err)"
run check resistance.yaml --set 'assembly={checkpoint: one/jager/checkpoint.jck}'
grep -q "a checkpoint has the contacts of one model: for a list of models give 'packing', or positions" err ||
  fail "a list from a checkpoint: $(cat err)"
run run resistance.yaml -q -o one
expect_error 2 "jager run: one/jager/checkpoint-before.jck exists already: --resume continues it, --force replaces the \
runs in one, -o takes another directory" "used directory"
run run resistance.yaml -q -o one --force --threads 2
expect_code 0 "by force"
run run resistance.yaml -q -o failing --set overlap_limit=1e-6
expect_code 3 "a run that fails"
grep -q "^jager run: failing/[a-z-]*: step " err || fail "the run that failed is not named: $(cat err)"
finish
