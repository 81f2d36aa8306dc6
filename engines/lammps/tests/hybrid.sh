# SPDX-License-Identifier: MIT
# gran/jager as a sub-style of pair_style hybrid and hybrid/overlay, in any order of styles and of pair_coeff commands:
# trajectories, restart files and the values of each contact are the same as of gran/jager alone. Plain hybrid of LAMMPS
# up to 10 Dec 2025 reads past the end of the array of values: there compute pair/local is refused.
# shellcheck source=engines/lammps/tests/lammps.inc
. "$2/engines/lammps/tests/lammps.inc"
data=$source_dir/engines/lammps/examples/packed.data

values='compute pairs all property/local patom1 patom2 cutoff radius
compute values all pair/local eng p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 cutoff radius
dump contacts all local 100 contacts-*.txt c_pairs[1] c_pairs[2] c_values[*]
dump_modify contacts format float %.17g'

output='dump atoms all custom 100 atoms-*.txt id diameter fx fy fz tqx tqy tqz
dump_modify atoms sort id format float %.17g
thermo_style custom step pe f_JAGER[1] f_JAGER[2] f_JAGER[8]
thermo_modify norm no format float %.12g'

# script STYLES VALUES: prints an input script of 200 steps. STYLES are the lines pair_style and pair_coeff; VALUES
# writes the values of contacts. After 100 steps a restart file is written and read, and atoms are deleted.
script() {
  printf 'units si\natom_style sphere\nboundary p p p\ncomm_modify vel yes\nread_data %s extra/atom/types 1\n' "$data"
  printf 'set atom 1*100 type 2\n%s\nneighbor 5e-5 bin\ntimestep 2e-7\nfix motion all nve/sphere\n' "$1"
  printf 'velocity all create 1e12 4711 loop geom\n%s\n%s\n' "$2" "$output"
  printf 'run 100\nwrite_restart state\nclear\nread_restart state\n'
  printf 'comm_modify vel yes\nneighbor 5e-5 bin\ntimestep 2e-7\n'
  echo "$1" | sed 1d # restart files of LAMMPS do not contain the coefficients of the sub-styles of hybrid
  printf 'fix motion all nve/sphere\nrun 0\ngroup some id 5:990:7\ndelete_atoms group some compress no\n%s\n' "$2"
  printf '%s\nrun 100\n' "$output"
}

# contacts_of DIRECTORY: prints all contacts at the end, with the diameters of their atoms
contacts_of() {
  awk -f "$tests/named.awk" "$1/atoms-200.txt" "$1/contacts-200.txt" | sort
}

# compare NAME RANKS STYLES: runs the script and compares the results with those in the directory `alone`
compare() {
  rm -f contacts-*.txt atoms-*.txt
  script "$3" "$values" > script
  lammps "$2" -in script
  expect_code 0 "$1, $2 ranks: $(grep ERROR out)"
  difference=$(differ "$(cat alone/thermo)" "$(last_thermo)" 1e-9)
  [ -z "$difference" ] || fail "$1, $2 ranks: $difference"
  if [ "$2" -eq 1 ]; then
    cmp -s atoms-200.txt alone/atoms-200.txt || fail "$1: other forces"
    contacts_of . | cmp -s - alone/contacts || fail "$1: other values of contacts: $(contacts_of . | head -n 2)"
  fi
}

jager_coeff='pair_coeff * * gran/jager 29e9 0.15 0.5 damping 0.05'
script 'pair_style gran/jager
pair_coeff * * 29e9 0.15 0.5 damping 0.05' "$values" > script
lammps 1 -in script
expect_code 0 "alone"
mkdir alone
mv atoms-200.txt contacts-200.txt alone
last_thermo > alone/thermo
contacts_of alone > alone/contacts
awk '$5 > 0 && $10 > 2 { n++ } END { exit !(n > 500) }' alone/contacts || fail "hardly any contact has a history"
for style in "gran/jager zero 1e-3" "zero 1e-3 gran/jager"; do
  compare "overlay, zero last" 1 "pair_style hybrid/overlay $style
$jager_coeff
pair_coeff * * zero"
  compare "overlay, zero first" 1 "pair_style hybrid/overlay $style
pair_coeff * * zero
$jager_coeff"
done
compare "overlay with a force of zero" 1 "pair_style hybrid/overlay gran/jager lj/cut 1e-3
$jager_coeff
pair_coeff * * lj/cut 0 1e-4"
for ranks in 2 4; do
  compare "overlay" $ranks "pair_style hybrid/overlay gran/jager zero 1e-3
$jager_coeff
pair_coeff * * zero"
done

# Two styles gran/jager, each for some pairs of types: their sums together equal the sums of one style for all. The
# values of the second style are p11 to p20.
alone_output=$output
values_of_two=$(echo "$values" | sed 's/p10/p10 p11 p12 p13 p14 p15 p16 p17 p18 p19 p20/')
output='variable contacts equal f_JAGER[1]+f_JAGER2[1]
variable points equal f_JAGER[2]+f_JAGER2[2]
variable friction equal f_JAGER[8]+f_JAGER2[8]
dump atoms all custom 100 atoms-*.txt id diameter fx fy fz tqx tqy tqz
dump_modify atoms sort id format float %.17g
thermo_style custom step pe v_contacts v_points v_friction f_JAGER[1] f_JAGER2[1]
thermo_modify norm no format float %.12g'
for ranks in 1 2 4; do
  rm -f contacts-*.txt
  script 'pair_style hybrid/overlay gran/jager gran/jager
pair_coeff 1 1 gran/jager 1 29e9 0.15 0.5 damping 0.05
pair_coeff * 2 gran/jager 2 29e9 0.15 0.5 damping 0.05' "$values_of_two" > script
  lammps $ranks -in script
  expect_code 0 "two styles, $ranks ranks: $(grep ERROR out)"
  difference=$(differ "$(cat alone/thermo)" "$(last_thermo | awk '{ NF -= 2; print }')" 1e-9)
  [ -z "$difference" ] || fail "two styles, $ranks ranks: $difference"
  last_thermo | awk '{ exit !($6 > 100 && $7 > 100) }' || fail "two styles: one has all contacts: $(last_thermo)"
  awk '/^ITEM: ENTRIES/ { print; rows = 1; next }
    rows { for (i = 4; i <= 13; i++) $i = sprintf("%.17g", $i + $(i + 10)); NF = 13 }
    { print }' contacts-200.txt > both
  mv both contacts-200.txt
  contacts_of . > now
  awk '{ n[FILENAME]++; points[FILENAME] += $10; force[FILENAME] += $5 }
    END { d = force["now"] - force["alone/contacts"]; s = 1e-9 * force["now"]
      exit !(n["now"] > 500 && n["now"] == n["alone/contacts"] && points["now"] == points["alone/contacts"] &&
        d <= s && -d <= s) }' now alone/contacts || fail "two styles, $ranks ranks: other values of contacts"
done
output=$alone_output

# gran/jager for some pairs of types only, with hybrid/overlay and with hybrid. Only hybrid/overlay can list the values.
some='pair_coeff 1 * gran/jager 29e9 0.15 0.5 damping 0.05
pair_coeff 2 2 lj/cut 0 1e-4'
for style in hybrid/overlay hybrid; do
  rm -f contacts-*.txt atoms-*.txt
  script "pair_style $style gran/jager lj/cut 1e-3
$some" "$(if [ $style = hybrid ]; then echo ''; else echo "$values"; fi)" > script
  lammps 1 -in script
  expect_code 0 "$style, some types"
  mkdir -p some
  if [ $style = hybrid ]; then
    cmp -s atoms-200.txt some/atoms-200.txt || fail "hybrid and hybrid/overlay differ"
  else
    mv atoms-200.txt contacts-200.txt some
    awk '/^ITEM: ENTRIES/ { rows = 1; next }
      rows && $1 <= 100 && $2 <= 100 { for (i = 3; i <= NF; i++) if ($i != 0) bad++; n++ }
      rows && ($1 > 100 || $2 > 100) { if ($10 >= 2 && $11 > 0) good++; else bad++ }
      END { exit !(n > 5 && good > 1000 && bad == 0) }' some/contacts-200.txt || fail "values of pairs of other types"
  fi
done
script "pair_style hybrid gran/jager lj/cut 1e-3
$some" "$values" > script
lammps 1 -in script
if [ "$code" -eq 0 ]; then # a later version
  cmp -s contacts-200.txt some/contacts-200.txt || fail "hybrid lists other values than hybrid/overlay"
else
  grep -q "^ERROR: Pair style does not have extra field requested by compute pair/local" out ||
    fail "hybrid: $(grep ERROR out)"
fi
finish
