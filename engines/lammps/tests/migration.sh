# SPDX-License-Identifier: MIT
# A dense assembly drifts and is sheared for 1,000 steps on 1, 2 and 4 ranks, with newton on and off. Contacts, points
# of histories, energies and stresses are the same. compute contact/atom of LAMMPS counts the same number of contacts.
# With newton on and without energies the library sums the stresses of a step: they equal the sum over single pairs,
# which the setup of a run makes.
# shellcheck source=engines/lammps/tests/lammps.inc
. "$2/engines/lammps/tests/lammps.inc"
steps=${STEPS:-1000}

{
  echo "include $tests/shear.lmp"
  echo "compute each all contact/atom"
  echo "compute twice all reduce sum c_each"
  echo "run $steps"
  echo "unfix cell" # fix cell moves the spheres once more after the forces are computed
  echo "thermo_style custom step c_stress[1] c_stress[2] c_stress[3] c_stress[4] c_stress[5] c_stress[6]"
  echo "thermo_modify format float %.12g"
  echo "run 1"
  echo "run 0"
  echo "thermo_style custom step c_twice f_JAGER[1]"
  echo "run 1"
} > script

expected=
for setup in "on 1" "on 2" "on 4" "off 1" "off 4"; do
  newton=${setup% *}
  ranks=${setup#* }
  lammps "$ranks" -in script -var tests "$tests" -var data "$source_dir/engines/lammps/examples/packed.data" \
    -var newton "$newton" -var steps "$steps"
  expect_code 0 "newton $newton, $ranks ranks"
  sums=$(awk -v steps="$steps" '/^ *Step/ { table = 1; next }
    /^Loop/ { table = 0 }
    table && $1 == steps { print; exit }' out)
  migrated=$(echo "$sums" | awk '{ print $NF }')
  sums=$(echo "$sums" | awk '{ NF--; print }')
  echo "newton $newton, $ranks ranks, $migrated migrations: $sums"
  expected=${expected:-$sums}
  difference=$(differ "$expected" "$sums" 1e-6)
  [ -z "$difference" ] || fail "newton $newton, $ranks ranks: $difference"
  # No contact is lost or duplicated: the numbers of contacts and points are exactly the same.
  expect_same "$(echo "$sums" | cut -d ' ' -f 1-3)" "$(echo "$expected" | cut -d ' ' -f 1-3)" \
    "newton $newton, $ranks ranks"
  stresses=$(awk -v step="$((steps + 1))" '$1 == step && NF == 7' out)
  difference=$(differ "$(echo "$stresses" | sed -n 1p)" "$(echo "$stresses" | sed -n 2p)" 1e-9)
  [ -z "$difference" ] || fail "newton $newton, $ranks ranks: stresses of a step and of the setup: $difference"
  [ "$ranks" -eq 1 ] || [ "$migrated" -ge "$((steps * 9 / 10))" ] || fail "only $migrated migrations"
  awk '{ exit !($2 == 2 * $3 && $3 > 1000) }' << END || fail "LAMMPS counts others: $(last_thermo)"
$(last_thermo)
END
done
finish
