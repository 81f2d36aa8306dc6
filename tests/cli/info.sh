# SPDX-License-Identifier: MIT
# jager info: files that no run has written. test_result tests the descriptions of those that a run writes.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

run info
expect_error 2 "jager info: no file is given" "no file"
run info a.h5 b.h5
expect_error 2 "jager info: more than one file: 'b.h5'" "two files"
run info none.h5
expect_error 1 "jager info: cannot read none.h5: No such file or directory" "missing"
run info .
expect_error 2 "jager info: . has neither result.h5 nor checkpoint.jck: give the directory of a run, or a file that it \
wrote" "directory"
mkdir run-of-text
: > run-of-text/checkpoint.jck
run info run-of-text
grep -q "^jager info: run-of-text/checkpoint.jck is not an HDF5 file, or damaged" err || fail "a run: $(cat err)"
: > run-of-text/result.h5
run info run-of-text
grep -q "^jager info: run-of-text/result.h5 is not an HDF5 file, or damaged" err || fail "a run: $(cat err)"

: > empty.h5
run info empty.h5
expect_code 2 "empty"
grep -q "^jager info: empty.h5 is not an HDF5 file, or damaged: HDF5 says: " err || fail "empty: $(cat err)"
[ ! -s out ] || fail "empty: something is told"
printf 'material:\n  friction: 0.5\n' > case.yaml
run info case.yaml
expect_code 2 "text"
grep -q "^jager info: case.yaml is not an HDF5 file, or damaged: HDF5 says: " err || fail "text: $(cat err)"
run info --input case.yaml
expect_code 2 "input of a text"

# The beginning of an HDF5 file and nothing behind it
printf '\211HDF\r\n\032\n\003\010\010\000' > cut.h5
run info cut.h5
expect_code 2 "cut off"
grep -q "^jager info: cut.h5 is not an HDF5 file, or damaged: HDF5 says: " err || fail "cut off: $(cat err)"
[ "$(wc -l < err)" -eq 1 ] || fail "cut off: HDF5 prints errors of its own: $(cat err)"

# Files that are not regular are refused, not waited for
mkfifo pipe
for file in pipe /dev/zero; do
  for option in "" --input --json; do
    # shellcheck disable=SC2086
    timeout 600 "$program" info $option $file > out 2> err
    code=$?
    expect_error 2 "jager info: cannot read $file: it is not a regular file" "info $option $file"
  done
done

# ---- JSON: all facts, as a parser reads them -------------------------------------------------------------------------

run info --json --input case.yaml
expect_error 2 "jager info: --input prints the text of the case as it is: --json has no effect on it" "--input and \
--json"
small_case case.yaml 100 40
sed 's/^title: .*/title: "A \\"title\\", with \\\\ and 50 µm"/' case.yaml > "odd \"name\".yaml"
run run "odd \"name\".yaml" -q --threads 1 -o run --set output.snapshot=20 --set stages.biaxial.name=it-is
expect_code 0 "a run"
cp run/checkpoint.jck "odd $(printf '\377\001')\".jck"
sed 's/    spheres: .*/    grains: 40\n    shapes: nevada/; /initial_density/d' case.yaml > sand.yaml
run run sand.yaml -q --threads 1 -o sand --set output.snapshot=20 --set stages.biaxial.name=it-is
expect_code 0 "a run of grains of several spheres"
for file in run/result.h5 sand/result.h5 run/checkpoint.jck sand/checkpoint.jck "odd $(printf '\377\001')\".jck"; do
  run info "$file"
  expect_code 0 "info $file"
  cp out text
  run info --json "$file"
  expect_code 0 "info --json $file"
  [ "$(wc -l < out)" -eq 1 ] || fail "--json is not one line"
  command -v python3 > /dev/null || continue
  # The JSON has everything that the text has
  python3 - text out << 'END' || fail "info --json $file: $(cat out)"
import json, re, sys
text, told = open(sys.argv[1], errors="replace").read(), json.load(open(sys.argv[2], encoding="utf-8"))
if told["kind"] == "checkpoint":
    m = told["material"]
    assert told.get("grains") == (40 if "sand" in told["file"] else None)
    assert text == (
        f"checkpoint of jager {told['version']} ({told['compiler']}; {told['flags']})\n"
        f"step       {told['step']}, time {told['time']:.6g} s, stage {told['stage']} of {told['stage_count']}\n"
        + (f"grains     {told['grains']}\n" if "grains" in told else "") +
        f"spheres    {told['spheres']}\n"
        f"contacts   {told['contacts']}, model {told['model']}\n"
        f"material   G {m['shear_modulus']:.6g} Pa, nu {m['poisson']:g}, friction {m['friction']:g}, "
        f"density {m['density']:g} kg/m3\n"
        f"seed       {told['seed']}, threads {told['threads']}, {told['seconds']:.1f} s so far\n"), text
else:
    series, snapshots = told["series"], told["snapshots"]
    lines = [f"{told['file']}: the result of a run"]
    for key in ("title", "version", "compiler", "flags", "created", "command", "seed", "threads"):
        lines.append(f"{key:<10} {told[key]}")
    lines += ["", "stages:"] + [f"  {i} {name}" for i, name in enumerate(told["stages"])]
    lines += ["", f"series: {len(series['quantities'])} quantities, {series['rows']} rows", "", "last values:"]
    for name, of in series["quantities"].items():
        value = "nan" if of["last"] is None else f"{of['last']:.6g}"
        lines.append(f"  {name:<24} {value}" + ("" if of["unit"] == "1" else " " + of["unit"]))
    lines += ["", f"snapshots: {len(snapshots)}"]
    for s in snapshots:
        grains = f"{s['grains']} grains of " if "grains" in s else ""
        assert s.get("grains") == (40 if "sand" in told["file"] else None)
        lines.append(f"  step {s['step']}, time {s['time']:.6g} s: {grains}{s['spheres']} spheres, "
                     f"{s['contacts']} contacts")
    assert told["kind"] == "result" and len(snapshots) >= 2
    assert text == "\n".join(lines) + "\n", "\n".join(lines)
END
done
# A truncated or damaged result: only the error is printed
size=$(wc -c < run/result.h5)
for share in 10 50 90 99; do
  head -c $((size * share / 100)) run/result.h5 > part.h5
  run info --json part.h5
  expect_code 2 "--json of $share % of a file"
  [ ! -s out ] || fail "--json of $share % of a file: $(cat out)"
done
finish
