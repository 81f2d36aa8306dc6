# SPDX-License-Identifier: MIT
# jager moduli: states of all kinds, tables, CSV, JSON, pictures, and refusals. Oracle: closed forms of lattices;
# test_moduli_* test the physics.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

# lattice_case FILE OVERLAP [FRICTION]: an fcc lattice, ready in a moment
lattice_case() {
  cat > "$1" << END
jager: 1
title: A lattice
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: ${3:-0.5}, density: 2650 kg/m3}
assembly: {lattice: {kind: fcc, cells: [3, 3, 3], radius: 0.5 mm, overlap: $2}}
output: {plots: false}
stages:
  - name: rest
    control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}}
    until: {steps: 2}
END
}

# ---- What is refused -------------------------------------------------------------------------------------------------

run moduli
expect_error 2 "jager moduli: no state is given: name a checkpoint, the directory of a run, or a case file" "no state"
run moduli none.jck
expect_error 1 "jager moduli: cannot read none.jck: No such file or directory" "missing"
mkdir empty
run moduli empty
expect_error 2 "jager moduli: empty has no checkpoint.jck: give the directory of a run, a checkpoint or a case file" \
  "a directory without a run"
run moduli /dev/null
expect_error 2 "jager moduli: cannot read /dev/null: it is neither a regular file nor a directory" "a device"
lattice_case fcc.yaml 1e-3
run moduli fcc.yaml --plot picture.png
expect_error 2 "jager moduli: --plot draws moduli over pressure: give two or more states" "a picture of one state"
run moduli fcc.yaml fcc.yaml --plot picture.jpg
expect_error 2 "jager moduli: --plot: 'picture.jpg' must end with .png, .svg or .pdf" "a picture of another format"
run moduli fcc.yaml --threads 0
expect_error 2 "jager moduli: --threads needs a whole number from 1 to 256, not '0'" "no threads"
run moduli fcc.yaml --set material.friktion=0.3
expect_code 2 "a setting that does not exist"
expect_told "--set material.friktion=0.3: unknown key 'friktion' in 'material'" "a setting that does not exist"
printf 'jager: 1\nmaterial: 3\n' > wrong.yaml
run moduli wrong.yaml
expect_code 2 "a wrong case"
expect_told "wrong.yaml:2:11: " "a wrong case"
cp fcc.yaml same.yaml
run moduli same.yaml -o ./same.yaml
expect_error 2 "jager moduli: the state 'same.yaml' would be overwritten: give --output or --plot another name" \
  "a table in the place of its state"
cmp -s fcc.yaml same.yaml || fail "a state was overwritten"
run moduli fcc.yaml fcc.yaml -o a.svg --plot a.svg
expect_error 2 "jager moduli: --output and --plot are the same file, 'a.svg'" "one file twice"
sed 's/overlap: 1e-3/overlap: 0/' fcc.yaml > apart.yaml
run moduli apart.yaml
expect_error 3 "jager moduli: apart.yaml: no contact carries load: the assembly has no stiffness" "no contacts"
[ ! -s out ] || fail "no contacts: something is printed: $(cat out)"
run moduli apart.yaml -o apart.csv
expect_code 3 "no contacts, with a table"
[ -z "$(find . -name 'apart.csv*')" ] || fail "no contacts: half a table is left"

# ---- One state, in three forms ---------------------------------------------------------------------------------------

run run fcc.yaml -q -o run --threads 1
expect_code 0 "a run"
for state in run run/checkpoint.jck fcc.yaml; do
  run moduli "$state" -o table.csv
  expect_code 0 "moduli $state"
  cp table.csv "$(basename "$state").csv"
  expect_same "$(cat err)" "" "moduli $state: stderr"
  grep -q "with initial stress *springs alone *affine" out || fail "moduli $state: no table"
done
grep -q "^fcc.yaml: assembly of the case before its first stage, after 0 steps; model jager, sphere" out ||
  fail "the origin of the state: $(head -n 1 out)"
sed 's/^"[^"]*",[0-9]*,//' run.csv > a
sed 's/^"[^"]*",[0-9]*,//' checkpoint.jck.csv > b
cmp -s a b || fail "the directory and its checkpoint differ"

# C11 = √2 (kn + kt')/d, C12 = (kn - kt')/(√2 d) + p, C44 = (kn + kt')/(√2 d) - p/2 with kt' = kt - Fn/d
awk 'BEGIN {
  r = 0.5e-3; z = 1e-3 * r; e = 8 * 29e9 / (3 * 0.85); d = 2 * r - 2 * z; fn = e * sqrt(r) * z * sqrt(z)
  kn = 0.75 * e * sqrt(r * z); kt = kn * 2 * 0.85 / 1.85; w = sqrt(2); p = 2 * w * fn / (d * d); kg = kt - fn / d
  printf "p %.15g\nc11 %.15g\nc12 %.15g\nc55 %.15g\n", p, w * (kn + kg) / d, (kn - kg) / (w * d) + p,
    (kn + kg) / (w * d) - p / 2
  printf "c11_springs %.15g\nc12_springs %.15g\nc66_affine %.15g\n", w * (kn + kt) / d, (kn - kt) / (w * d),
    (kn + kt) / (w * d)
}' > expected
while read -r name value; do
  expect_close "$(awk -v a="$(column "$name" fcc.yaml.csv)" -v b="$value" 'BEGIN { print a / b }')" 1 1e-10 "$name"
done < expected
expect_same "$(column rattlers fcc.yaml.csv) $(column spheres fcc.yaml.csv) $(column contacts fcc.yaml.csv)" \
  "0 108 648" "spheres and contacts"

# The text, and that of a list, can be made of the JSON; lists have further lines on fits. The CSV has the same numbers.
cat > compare.py << 'END'
import csv, json, math, sys
K, M, AXES = 1e-3, 1e-6, ("xx", "yy", "zz", "yz", "xz", "xy")

def one(s):
    origin = (f"assembly of the case before its first stage, after {s['step']} steps" if s["source"] == "case" else
              f"step {s['step']}, stage {s['stage']} of 1, biaxial")
    stress = [K * s[name] for name in ("p", *("stress_" + axes for axes in AXES))]
    lines = [f"{s['state']}: {origin}; model {s['model']}, {s['contour']}",
             "  spheres     %d; rattlers left out: %d; contacts that carry load: %d; floppy movements: %d" %
             (s["grains"], s["rattlers"], s["contacts"], s["floppy"]),
             "  stress      p %.6g kPa; xx %.6g, yy %.6g, zz %.6g, yz %.3g, xz %.3g, xy %.3g kPa" % tuple(stress),
             "  density     %.6g kg/m3; unbalanced force %.2g" % (s["density"], s["unbalanced"]), "",
             "  %-28s %20s %20s %20s" % ("", "with initial stress", "springs alone", "affine")]
    for name, unit, key in (("K   bulk modulus, MPa", M, "bulk"), ("G   shear modulus, MPa", M, "shear"),
                            ("E   Young's modulus, MPa", M, "young"), ("nu  Poisson's ratio", 1, "poisson"),
                            ("anisotropy", 1, "anisotropy"), ("C44 shear yz, MPa", M, "c44"),
                            ("C55 shear xz, MPa", M, "c55"), ("C66 shear xy, MPa", M, "c66")):
        lines.append("  %-28s" % name +
                     "".join(" %20.6g" % (unit * s[key + kind]) for kind in ("", "_springs", "_affine")))
    lines += ["", "  stiffness with initial stress, MPa: d stress / d strain; xx, yy, zz, yz, xz, xy; gamma = 2 strain"]
    lines += ["   " + "".join(" %11.5g" % (M * s[f"c{i}{j}"]) for j in range(1, 7)) for i in range(1, 7)]
    lines += ["", "  Vp, m/s     " + ", ".join("%s %.5g" % (x, s["vp_" + x]) for x in "xyz"), "  Vs, m/s     " +
              ", ".join("%s %.5g" % (x + y, s[f"vs_{x}{y}"]) for x in "xyz" for y in "xyz" if x != y) +
              " (along, motion)"]
    return [line.rstrip() for line in lines]

def mean(s, name):
    values = [value for key, value in s.items() if key.startswith(name)]
    return sum(values) / len(values)

def all_of(told):
    lines = ["%12s %11s %11s %9s %10s %10s %10s %9s  %s" %
             ("p, kPa", "G, MPa", "K, MPa", "nu", "C55, MPa", "Vp, m/s", "Vs, m/s", "rattlers", "state")]
    for s in told["states"]:
        lines.append("%12.6g %11.5g %11.5g %9.4g %10.5g %10.5g %10.5g %9d  %s" %
                     (K * s["p"], M * s["shear"], M * s["bulk"], s["poisson"], M * s["c55"], mean(s, "vp_"),
                      mean(s, "vs_"), s["rattlers"], s["state"]))
    for name, key in (("G", "shear"), ("K", "bulk")):
        fit = told["fits"][key]
        error = " +- %.4f (standard error)" % fit["standard_error"] if len(told["states"]) > 2 else ""
        lines.append("%s over p: exponent n = %.4f%s; %.5g MPa at 100 kPa" %
                     (name, fit["exponent"], error, M * fit["factor"] * 1e5 ** fit["exponent"]))
    return lines

text, told, table = [line.rstrip() for line in open(sys.argv[1])], json.load(open(sys.argv[2])), sys.argv[3]
states = told["states"]
expected = one(states[0]) if len(states) == 1 else all_of(told)
assert [line for line in text if not line.startswith("  softest ")] == expected, "\n".join(expected)
rows = list(csv.DictReader(open(table)))
for row, state in zip(rows, states, strict=True):
    assert row["state"] == state["state"]
    for name in set(row) - {"state"}:
        assert (math.isnan(float(row[name])) if state[name] is None else float(row[name]) == state[name]), name
if len(sys.argv) > 4: # what a picture is made of
    drawn, _ = json.JSONDecoder().raw_decode(open(sys.argv[4]).read())
    for point, s in zip(drawn["points"], states, strict=True):
        keys = ("p", "shear", "bulk", "shear_affine", "bulk_affine")
        numbers = [*(s[key] for key in keys), mean(s, "vp_"), mean(s, "vs_")]
        assert all(abs(a - b) <= 1e-14 * b for a, b in zip(point, numbers, strict=True)), (point, numbers)
    assert drawn["fits"] == {axis: {name: told["fits"][key][name] for name in ("factor", "exponent")}
                             for axis, key in (("G", "shear"), ("K", "bulk"))}
END

# expect_one_result STATES...: the text, JSON, CSV and, of a list, the numbers of a picture are the same
expect_one_result() {
  command -v python3 > /dev/null || return
  if [ $# -gt 1 ]; then
    (python_that 'cat; printf "\njager: drawn 1\n"' && run moduli "$@" --plot compared.svg && exit "$code")
    expect_same $? 0 "a picture of $*"
  fi
  run moduli "$@" -o compared.csv
  cp out text
  run moduli "$@" --json
  expect_code 0 "JSON of $*"
  if [ $# -gt 1 ]; then set -- compared.svg; else set --; fi
  python3 compare.py text out compared.csv "$@" || fail "the forms of the result differ: $(cat text out)"
}
expect_one_result fcc.yaml
grep -q '"source": "case".*"softest": null.*"stable": true}], "fits": null}$' out || fail "JSON: $(cat out)"

# ---- The same bits ---------------------------------------------------------------------------------------------------

small_case packing.yaml 100 40
sed -i 's/unbalanced: 0.05/unbalanced: 0.005/' packing.yaml
for threads in 1 2 5; do
  run moduli packing.yaml --threads $threads -o "threads-$threads.csv" -q
  expect_code 0 "a packing with $threads threads"
  cmp -s threads-1.csv "threads-$threads.csv" || fail "$threads threads give other bits"
done
grep -q "assembly of the case before its first stage" out || fail "a packing: $(head -n 1 out)"

# The case of a run, with its settings, is in its checkpoint
run run packing.yaml -q -o changed --threads 1 --set material.poisson=0.3 --set stages.biaxial.until.steps=20
expect_code 0 "a run with settings"
expect_one_result changed # which is not isotropic
run moduli changed --set material.poisson=0.1
expect_error 2 "jager moduli: --set changes case files, but changed/checkpoint.jck is a checkpoint: leave --set out" \
  "settings for a checkpoint"
head -c 2000 changed/checkpoint.jck > cut.jck
run moduli cut.jck
expect_code 2 "a damaged checkpoint"

# ---- Several states --------------------------------------------------------------------------------------------------

for overlap in 1e-5 1e-4 1e-3; do
  lattice_case "fcc-$overlap.yaml" $overlap
done
run moduli fcc-1e-4.yaml fcc-1e-3.yaml fcc-1e-5.yaml -o list.csv
expect_code 0 "a list"
expect_same "$(sed -n 's/.* //; /^fcc/p' out | tr '\n' ' ')" "fcc-1e-5.yaml fcc-1e-4.yaml fcc-1e-3.yaml " \
  "the order of the pressures"
expect_same "$(wc -l < list.csv)" 4 "rows of the list"
expect_close "$(sed -n 's/^G over p: exponent n = \([0-9.]*\) .*/\1/p' out)" 0.3333 3e-4 "the exponent of G"
expect_close "$(sed -n 's/^K over p: exponent n = \([0-9.]*\) .*/\1/p' out)" 0.3333 1e-3 "the exponent of K"
grep -q "(standard error)" out || fail "no standard error"
expect_one_result fcc-1e-4.yaml changed
expect_one_result fcc-1e-4.yaml fcc-1e-3.yaml fcc-1e-5.yaml
command -v python3 > /dev/null && {
  python3 - out list.csv << 'END' || fail "the fits of a list are not lines through the logarithms"
import csv, json, math, sys
told = json.load(open(sys.argv[1]))
rows = list(csv.DictReader(open(sys.argv[2])))
for fit in ("shear", "bulk"):
    x, y = ([math.log(float(row[column])) for row in rows] for column in ("p", fit))
    mx, my = sum(x) / 3, sum(y) / 3
    sxx = sum((a - mx) ** 2 for a in x)
    n = sum((a - mx) * (b - my) for a, b in zip(x, y)) / sxx
    residual = sum((b - my - n * (a - mx)) ** 2 for a, b in zip(x, y))
    assert abs(told["fits"][fit]["exponent"] - n) < 1e-9, (fit, n, told["fits"])
    error = math.sqrt(residual / (3 - 2) / sxx)
    assert abs(told["fits"][fit]["standard_error"] - error) < 1e-6 * error, (fit, error, told["fits"])
    factor = math.exp(my - n * mx)
    assert abs(told["fits"][fit]["factor"] / factor - 1) < 1e-9, (fit, factor, told["fits"])
END
}
run moduli fcc.yaml fcc.yaml
expect_code 0 "two states of one pressure"
expect_same "$(sed -n '$p' out)" "no exponents over p: all states have the same pressure, within 0.1 %" "one pressure"
if can_draw; then
  run moduli fcc-*.yaml --plot list.png
  expect_code 0 "a picture"
  [ "$(head -c 8 list.png | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] || fail "list.png is no picture"
fi
run moduli fcc.yaml -o none/list.csv
expect_error 1 "jager moduli: cannot write none/list.csv: No such file or directory" "a directory that is not there"

# ---- Doubts ----------------------------------------------------------------------------------------------------------

sed 's/kind: fcc/kind: sc/; s/friction: 0.5/friction: 0/; s/cells: \[3, 3, 3\]/cells: [4, 4, 4]/' fcc.yaml > smooth.yaml
run moduli smooth.yaml -o smooth.csv
expect_code 0 "a lattice without friction"
expect_told "warning: smooth.yaml: the contacts resist only 3 of the 6 strains: the assembly is floppy" "floppy"
expect_told "warning: smooth.yaml: with the initial stress the stiffness is not positive" "unstable"
expect_same "$(column softest smooth.csv)" nan "a lattice without movements has no softest one"
expect_same "$(grep -io 'nan\|inf' smooth.csv)" nan "all other numbers"
run run packing.yaml -q -o fast --threads 1 --set stages.biaxial.control.zz.strain_step=1e-4 \
  --set stages.biaxial.until.steps=10
expect_code 0 "a fast run"
run moduli fast
expect_code 0 "a state that is not at rest"
expect_told "warning: fast is not in equilibrium: the unbalanced force is " "not at rest"

# A loose packing with a movement that the springs hardly resist
cat > soft.yaml << 'END'
jager: 1
seed: 93
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 5, density: 2650 kg/m3}
assembly:
  packing: {spheres: 40, sizes: {uniform: {min: 1 mm, max: 1.2 mm}}, pressure: 5 MPa, friction: 5, unbalanced: 1e-3}
stages:
- {name: rest, control: {xx: {stress: 5 MPa}, yy: {stress: 5 MPa}, zz: {stress: 5 MPa}}, until: {steps: 1}}
END
run moduli soft.yaml
expect_code 0 "a soft movement"
sed -n 's/^  softest     movement: springs \([^ ]*\), initial stress about \([^ ]*\) of the mean stiffness$/\1 \2/p' \
  out > softest
read -r springs stress < softest || fail "no softest movement: $(cat out)"
grep -q "^jager moduli: warning: soft.yaml: \"springs alone\" is unreliable: C66 depends by 2[0-9.]* % on one movement \
that is nearly free (stiffness $springs of the mean; the initial stress, left out, has about $stress): use the moduli \
with the initial stress$" err || fail "a soft movement is not told: $(cat err)"

# ---- Grains of several spheres: rods of a simple cubic lattice -------------------------------------------------------

awk 'BEGIN {
  d = 0.999e-3; print "cell", 6 * d, 6 * d, 12 * d; print "shape 0 0 0 1 0 0 1.998 1"
  for (i = 0; i < 216; i++)
    print "grain", (i % 6) * d, int(i / 6) % 6 * d, int(i / 36) * 2 * d, 0.5e-3, 1, 0, 0, 0
}' > rods.txt
cat > rods.yaml << 'END'
jager: 1
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
assembly: {file: rods.txt}
stages:
- {name: rest, control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}}, until: {steps: 1}}
END
run moduli rods.yaml -o rods.csv
expect_code 0 "rods"
grep -q "^  grains      216; rattlers left out: 0; contacts that carry load: 1080; floppy movements: 0$" out ||
  fail "rods: $(cat out)"
# Along z a contact in two has become rigid, so that C33 is twice kn/d.
awk 'BEGIN {
  r = 0.5e-3; z = 0.5e-6; e = 8 * 29e9 / (3 * 0.85); kn = 0.75 * e * sqrt(r * z); d = 2 * r - 2 * z
  printf "%.15g\n", kn / d
}' > expected
read -r value < expected
expect_same "$(column spheres rods.csv) $(column grains rods.csv)" "432 216" "spheres and grains"
for name in c11_springs:1 c22_springs:1 c33_springs:2 c12_springs:0; do
  expect_close "$(awk -v a="$(column "${name%:*}" rods.csv)" -v b="$value" 'BEGIN { print a / b }')" "${name#*:}" 1e-6 \
    "$name"
done

finish
