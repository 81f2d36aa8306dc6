# SPDX-License-Identifier: MIT
# The ways to load the styles give the same results: lmp_jager, also after `clear`, and a stock lmp with one include
# line (plugin.sh tests the plugin). compute pair/local does not change a run, and its values add up to the sums of the
# fix JAGER.
# shellcheck source=engines/lammps/tests/lammps.inc
. "$2/engines/lammps/tests/lammps.inc"
include=$4
data=$source_dir/engines/lammps/examples/packed.data

{
  echo "include $tests/shear.lmp"
  echo "run 60"
} > plain
lammps 1 -in plain -var tests "$tests" -var data "$data" -var newton on -var steps 60
expect_code 0 "lmp_jager"
expected=$(last_thermo)
[ -n "$expected" ] || fail "no result"
grep -q "attributes: half, newton on, size" out || fail "the neighbour list knows no sizes"

# The styles still exist after clear
{ cat plain; echo "clear"; cat plain; } > twice
lammps 1 -in twice -var tests "$tests" -var data "$data" -var newton on -var steps 60
expect_code 0 "clear"
expect_same "$(last_thermo)" "$expected" "after clear"

# Options of lmp
lammps 1 -h
grep -q "List of individual style options" out || fail "-h"
printf 'print "$n and ${words}"\n' > script
lammps 2 -in script -var n 5 -var words "a b" -echo screen -partition 1 1 -screen part
expect_code 0 "-partition"
grep -q "^5 and a b$" part.1 || fail "-partition, -screen: $(cat part.1)"

# The stock program, if it is of the version that the styles were compiled for
version() {
  "$1" -h | sed -n 's/^Large-scale.* Simulator - //p'
}
if [ "$(version lmp)" = "$(version "$program")" ]; then
  { echo "include $include"; cat plain; } > stock
  lmp -log none -in stock -var tests "$tests" -var data "$data" -var newton on -var steps 60 > out 2> err ||
    fail "stock lmp: $(cat err)"
  expect_same "$(last_thermo)" "$expected" "stock lmp"
else
  echo "without the stock lmp, which is of version $(version lmp)"
fi

# The example runs, and docs/lammps.md shows the same text
cp "$source_dir/engines/lammps/examples/biaxial.lmp" "$source_dir/engines/lammps/examples/packed.data" .
lammps 1 -in biaxial.lmp -var steps 200
expect_code 0 "the example"
last_thermo | awk '{ exit !($1 == 200 && $3 > 1e5 && $4 > 3e4 && $6 > 2000) }' || fail "the example: $(last_thermo)"
awk '/^```$/ { inside = !inside; next } inside' "$source_dir/docs/lammps.md" | grep -v '^@' > shown
grep -v '^#.*SPDX' biaxial.lmp | cmp -s - shown || fail "docs/lammps.md shows another biaxial.lmp"

# Pair::single() does not change the contacts: the values of all pairs are read in every step
inputs=$(local_inputs)
{
  echo "include $tests/shear.lmp"
  echo "compute values all pair/local eng p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 cutoff radius"
  echo "compute sums all reduce sum c_values[1] c_values[8] c_values[9] c_values[10] c_values[11] $inputs"
  echo "compute pairs all reduce sum c_values[2] c_values[3] $inputs"
  echo "variable nothing equal c_sums[1]+c_pairs[1]"
  echo "fix each all ave/time 1 1 1 v_nothing"
  echo "run 60"
  echo "unfix cell"
  echo "thermo_style custom step pe c_sums[1] f_JAGER[2] c_sums[2] f_JAGER[6] c_sums[3] f_JAGER[7] c_sums[4] &"
  echo "  c_pairs[1] c_pairs[2]"
  echo "run 1"
} > curious
lammps 2 -in curious -var tests "$tests" -var data "$data" -var newton on -var steps 60
expect_code 0 "pair/local"
sums=$(awk '/^ *Step/ { table = 1; next } /^Loop/ { table = 0 } table && $1 == 60 { print; exit }' out)
difference=$(differ "$(echo "$expected" | awk '{ NF--; print }')" "$(echo "$sums" | awk '{ NF--; print }')" 1e-10)
[ -z "$difference" ] || fail "pair/local changes something: $difference"
last_thermo | awk '{ for (i = 2; i <= 8; i += 2) { d = $i - $(i + 1); if (d > 1e-9 * $i || -d > 1e-9 * $i) exit 1 }
  exit !($10 > 0 && $11 > 0 && $11 < 0.5 * $10) }' || fail "values of pairs do not add up: $(last_thermo)"
finish
