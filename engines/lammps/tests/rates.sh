# SPDX-License-Identifier: MIT
# The rates of dissipation by friction and by dashpots, f_JAGER[12] and f_JAGER[13]: times the time step and summed over
# a run they are the changes of the sums f_JAGER[8] and f_JAGER[9], on any number of ranks, while contacts migrate and
# radii change.
# shellcheck source=engines/lammps/tests/lammps.inc
. "$2/engines/lammps/tests/lammps.inc"
data=$source_dir/engines/lammps/examples/packed.data

output='thermo_style custom step f_JAGER[8] f_JAGER[9] f_JAGER[12] f_JAGER[13]
thermo_modify format float %.17g
thermo 1'
# first: prints the input script up to the first run
first() {
  printf 'include %s/shear.lmp\n%s\nvelocity all set 0.3 0.2 -0.1 sum yes units box\n' "$tests" "$output"
}
# sums: of the thermo output of the last run: prints the changes of 8 and 9, and the sums of the rates times dt
sums() {
  awk '/^ *Step/ { table = 1; n = f = v = 0; next } /^Loop/ { table = 0 }
    table { if (!n++) { f0 = $2; v0 = $3 } else { f += $4 * 2e-7; v += $5 * 2e-7 } f1 = $2; v1 = $3 }
    END { printf "%.17g %.17g %.17g %.17g\n", f1 - f0, v1 - v0, f, v }' out
}
{ first; echo "run 400"; echo "write_restart state"; } > script
expected=
for setup in "on 1" "on 2" "on 4" "off 2"; do
  lammps "${setup#* }" -in script -var tests "$tests" -var data "$data" -var newton "${setup% *}" -var steps 400
  expect_code 0 "$setup: $(grep ERROR out)"
  result=$(sums)
  echo "$setup: friction $(echo "$result" | awk '{ print $1, $3 / $1 - 1 }'), dashpots $(echo "$result" |
    awk '{ print $2, $4 / $2 - 1 }')"
  echo "$result" | awk '{ d = $3 / $1 - 1; e = $4 / $2 - 1
    exit !($1 > 1e-7 && $2 > 1e-7 && d * d < 1e-22 && e * e < 1e-22) }' ||
    fail "$setup: the rates do not add up: $result"
  last=$(last_thermo | awk '{ print $4, $5 }')
  expected=${expected:-$last}
  difference=$(differ "$expected" "$last" 1e-6)
  [ -z "$difference" ] || fail "$setup: other rates: $difference"
  echo "$last" | awk '{ exit !($1 > 0 && $2 > 0) }' || fail "$setup: rates are $last"
done

# A run of no steps, and one from a restart file, begin with the last rates
{
  printf 'read_restart state\n'
  sed 's/^thermo .*//' "$tests/shear_run.lmp"
  printf '%s\nrun 0\nrun 1\n' "$output"
} > next
for ranks in 1 2; do
  lammps $ranks -in next -var tests "$tests" -var steps 1
  expect_code 0 "restart: $(grep ERROR out)"
  now=$(awk '/^ *Step/ { getline; print $4, $5; exit }' out)
  difference=$(differ "$expected" "$now" 1e-6)
  [ -z "$difference" ] || fail "restart: other rates: $difference"
done

# The rate of friction is refused if nothing needs it at the beginning of a run, unless fix_modify asks for it
ask='thermo_style custom step
fix mean all ave/time 1 10 10 f_JAGER[12] f_JAGER[13]
thermo_style custom step f_JAGER[8] f_mean[1] f_mean[2]
thermo_modify format float %.17g
thermo 10'
{ first; echo "$ask"; echo "run 20"; } > late
lammps 2 -in late -var tests "$tests" -var data "$data" -var newton on -var steps 400
[ "$code" -ne 0 ] || fail "a rate that nobody knows was told"
grep -q "^ERROR: Pair gran/jager: the rate of friction is not known, since nothing has asked for it at the beginning \
of the run: give 'fix_modify JAGER rate yes' before" out || fail "late: $(grep ERROR out)"
{ first; echo "fix_modify JAGER rate yes"; echo "$ask"; echo "run 20"; } > early
lammps 2 -in early -var tests "$tests" -var data "$data" -var newton on -var steps 400
expect_code 0 "fix_modify: $(grep ERROR out)"
awk '/^ *Step/ { table = 1; next } /^Loop/ { table = 0 } table { sum[$1] = $2; mean[$1] = $3 }
  END { d = (sum[20] - sum[10]) / (10 * 2e-7 * mean[20]) - 1; exit !(mean[20] > 0 && d * d < 1e-18) }' out ||
  fail "fix_modify: other means: $(last_thermo)"
finish
