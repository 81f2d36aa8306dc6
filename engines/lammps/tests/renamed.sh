# SPDX-License-Identifier: MIT
# Atoms are deleted, renumbered and added on 1, 2 and 4 ranks. Contacts between the remaining atoms keep their
# histories bit by bit. Contacts of deleted atoms are removed, and no new contact takes over their histories, even if
# an atom ID is used again. Two assemblies: the packing of the example, and small spheres on a large one (1:8), where
# the branches of neighbouring contacts hardly differ.
# shellcheck source=engines/lammps/tests/lammps.inc
. "$2/engines/lammps/tests/lammps.inc"
data=$source_dir/engines/lammps/examples/packed.data

# Small spheres of random sizes on a large one, at nearly equal distances from each other
awk 'BEGIN { srand(22); count = 90; pi = atan2(0, -1)
  printf "90 small spheres on a large one\n\n%d atoms\n1 atom types\n\n", count + 1
  print "-0.02 0.02 xlo xhi\n-0.02 0.02 ylo yhi\n-0.02 0.02 zlo zhi\n\nAtoms # sphere\n"
  print count + 1, 1, 8e-3, 2650, 0, 0, 0
  for (i = 1; i <= count; i++) {
    d = 1e-3 * (1 + 0.3 * rand()); r = 4e-3 + 0.499 * d
    z = 1 - (2 * i - 1) / count; s = sqrt(1 - z * z); t = i * pi * (3 - sqrt(5))
    printf "%d 1 %.9g 2650 %.12g %.12g %.12g\n", i, d, r * s * cos(t), r * s * sin(t), r * z } }' > planet.data

dump_contacts='dump contacts all local 100 contacts-*.txt c_pairs[1] c_pairs[2] c_values[*]
dump_modify contacts format float %.17g'
dump_atoms='dump atoms all custom 100 atoms-*.txt id diameter x y z vx vy vz
dump_modify atoms format float %.17g'

# script DATA TIMESTEP CHANGE: prints an input script that loads the contacts for 100 steps and makes the change. Atoms
# and contacts are written before and after the change, and again after 100 more steps.
script() {
  printf 'units si\natom_style sphere\natom_modify map yes\nboundary p p p\nnewton ${newton}\ncomm_modify vel yes\n'
  printf 'read_data %s\npair_style gran/jager\npair_coeff * * 29e9 0.15 0.5\nneighbor 2e-4 bin\n' "$1"
  printf 'timestep %s\nfix motion all nve/sphere\n' "$2"
  printf 'velocity all create 1e14 4711 loop geom\nset group all omega 30 20 10\n'
  printf 'compute pairs all property/local patom1 patom2 cutoff radius\n'
  printf 'compute values all pair/local eng p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 cutoff radius\n'
  printf '%s\n%s\n' "$dump_contacts" "$dump_atoms"
  printf 'thermo_style custom step f_JAGER[1] f_JAGER[2]\nrun 100\n'
  printf 'shell mv contacts-100.txt contacts-before.txt\nshell mv atoms-100.txt atoms-before.txt\n'
  printf 'undump atoms\nundump contacts\n'
  printf "$3\n"
  printf '%s first yes\n%s\n' "$dump_contacts" "$dump_atoms"
  printf 'run 0\nreset_timestep 100\nrun 100\n'
}

# survivors: prints the contacts of the file `before` whose two atoms still exist after the change
survivors() {
  awk 'FILENAME == ARGV[1] { if (/^ITEM: ATOMS/) rows = 1; else if (rows) stays[$2] = 1; next }
    ($1 in stays) && ($2 in stays)' atoms-100.txt before
}

# as_before TOLERANCE: prints the contacts of `stay` that are missing in `after` or have other values there. Differences
# are relative; for components of the tangential force, relative to its magnitude. The file `new` gets the contacts of
# `after` that are not in `stay`. With newton off, two ranks may each have a contact of the same pair; the two differ by
# rounding errors, and either may be listed.
as_before() {
  awk -v tolerance="$1" '
    FILENAME == "stay" { line[$1, $2] = $0; next }
    !(($1, $2) in line) { print > "new"; next }
    { n = split(line[$1, $2], then); bad = n != NF
      for (i = 3; i <= NF; i++) { d = $i - then[i]; size = i >= 5 && i <= 8 ? then[5] : then[i]
        if (d * d > tolerance * tolerance * size * size) bad = 1 }
      if (!bad) delete line[$1, $2] }
    END { for (key in line) print line[key] }' stay after
}

# changed NAME DATA TIMESTEP CHANGE [all]: runs the script on 1, 2 and 4 ranks and compares the contacts before and
# after the change. With `all`, the change removes no contact.
changed() {
  expected=
  for setup in "on 1" "on 4" "off 2"; do
    rm -f contacts-*.txt atoms-*.txt
    : > new
    script "$2" "$3" "$4" > script
    lammps "${setup#* }" -in script -var newton "${setup% *}"
    expect_code 0 "$1, $setup"
    [ "$code" -eq 0 ] || continue
    awk -f "$tests/named.awk" atoms-before.txt contacts-before.txt | sort > before
    awk -f "$tests/named.awk" atoms-100.txt contacts-100.txt | sort > after
    survivors > stay
    [ "$(wc -l < stay)" -gt 50 ] || fail "$1, $setup: only $(wc -l < stay) contacts stay"
    [ "$(wc -l < stay)" -lt "$(wc -l < before)" ] || [ "${5:-}" = all ] || fail "$1, $setup: no contact is gone"
    # A new contact has no history: two points, and no tangential force.
    as_before "$(if [ "${setup% *}" = on ]; then echo 0; else echo 1e-8; fi)" > lost
    [ -s lost ] && fail "$1, $setup: of $(wc -l < stay) contacts $(wc -l < lost) are not as before: $(head -n 1 lost)"
    awk '$5 != 0 || $10 != 2 { exit 1 }' new || fail "$1, $setup: a new contact has a past: $(head -n 1 new)"
    # The run continues in the same way on any number of ranks.
    sums=$(last_thermo)
    expected=${expected:-$sums}
    [ -z "$(differ "$expected" "$sums" 1e-9)" ] || fail "$1, $setup: goes on otherwise: $expected, $sums"
  done
  echo "$1: $(wc -l < before) contacts, $(wc -l < stay) stay, $(wc -l < new) new"
}

for assembly in "$data 2e-7" "planet.data 1e-8"; do
  file=${assembly% *} step=${assembly#* }
  name=$(basename "$file")
  some='group some id 3 4 5 11:80:3'
  changed "$name, delete_atoms" "$file" "$step" "$some\ndelete_atoms group some"
  changed "$name, delete_atoms compress no" "$file" "$step" "$some\ndelete_atoms group some compress no"
  changed "$name, reset_atom_ids" "$file" "$step" "reset_atom_ids sort yes" all
  more='group more id 20:70:4'
  changed "$name, twice" "$file" "$step" \
    "$some\n$more\ndelete_atoms group some compress no\nreset_atom_ids sort yes\ndelete_atoms group more"
done

# A restart file is written right after the change, before any other step, and read
changed "restart file" "$data" 2e-7 'group some id 3 4 5 11:80:3
delete_atoms group some
write_restart state
clear
newton ${newton}
atom_modify map yes
comm_modify vel yes
read_restart state
neighbor 2e-4 bin
timestep 2e-7
fix motion all nve/sphere
compute pairs all property/local patom1 patom2 cutoff radius
compute values all pair/local eng p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 cutoff radius
thermo_style custom step f_JAGER[1] f_JAGER[2]'

# An atom ID is used again: the last atom is deleted, and a new atom gets its ID. The contact of the new atom has no
# history.
head='units si
atom_style sphere
boundary p p f
comm_modify vel yes
region box block 0 0.01 0 0.01 0 0.01
create_box 1 box
create_atoms 1 single 0.005 0.005 0.005
create_atoms 1 single 0.005 0.005 0.005999
set group all diameter 1e-3
set group all density 2650
pair_style gran/jager
pair_coeff * * 29e9 0.15 0.5
neighbor 1e-4 bin
timestep 1e-8
fix motion all nve/sphere
set group all omega 1000 0 0
compute value all pair/local p2 p7 cutoff radius
compute force all reduce max c_value[1] INPUTS
compute points all reduce max c_value[2] INPUTS
thermo_style custom step c_force c_points f_JAGER[1]
run 50'
head=$(echo "$head" | sed "s/INPUTS/$(local_inputs)/")
again='group last id 2
delete_atoms group last compress no
create_atoms 1 single 0.005 0.0050001 0.005999
set atom 2 diameter 1e-3
set group all density 2650
run 0'
printf '%s\n%s\n' "$head" "$again" > script
for ranks in 1 2; do
  lammps $ranks -in script
  expect_code 0 "tag used again"
  last_thermo | awk '{ exit !($2 == 0 && $3 == 2 && $4 == 1) }' || fail "tag used again, $ranks ranks: $(last_thermo)"
done

# Between read_restart and the first run, LAMMPS does not move the histories along with their atoms: deleting atoms
# there is an error.
printf '%s\nwrite_restart state\n' "$head" > script
lammps 1 -in script
expect_code 0 "two spheres"
change='group first id 1\ndelete_atoms group first compress no'
printf "read_restart state\ncomm_modify vel yes\nneighbor 1e-4 bin\n$change\nrun 0\n" > script
lammps 1 -in script
[ "$code" -ne 0 ] || fail "histories that LAMMPS has mixed up were taken"
grep -q "^ERROR.*: Pair gran/jager: atoms were deleted or renumbered between read_restart and the first run" out ||
  fail "mixed up: $(grep ERROR out)"
printf "read_restart state\ncomm_modify vel yes\nneighbor 1e-4 bin\nrun 0\n$change\nrun 0\n" > script
lammps 1 -in script
expect_code 0 "with run 0 in between"
finish
