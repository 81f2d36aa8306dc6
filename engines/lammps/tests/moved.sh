# SPDX-License-Identifier: MIT
# Atoms are moved between runs, by change_box, displace_atoms and set. The setup of the next run has the forces of the
# present positions: normal forces from Hertz' closed form, tangential ones from the same movement made in a step.
# Dashpots and spins do not matter, and the next step changes forces by no more than a step before. Contacts that were
# not moved keep their bits.
# shellcheck source=engines/lammps/tests/lammps.inc
. "$2/engines/lammps/tests/lammps.inc"
data=$source_dir/engines/lammps/examples/packed.data
inputs=$(local_inputs)

# ---- Two spheres, and a sphere on a wall ----------------------------------------------------------------------------

# moves HOW: a sphere is moved four times. HOW is setup (a run of no steps after each movement) or step.
moves() {
  cat << END
units si
atom_style sphere
boundary p p f
comm_modify vel yes
region box block -0.01 0.01 -0.01 0.01 -0.01 0.01
create_box 1 box
create_atoms 1 single 0 0 0
create_atoms 1 single 0 0 1.999e-3
set group all diameter 2e-3
set group all density 2650
set group all omega 7e5 -3e5 2e5
pair_style gran/jager
pair_coeff * * 29e9 0.15 0.5
fix walls all wall/gran/jager 29e9 0.15 0.5 zplane -0.999e-3 NULL
neighbor 1e-4 bin
timestep 1e-9
group upper id 2
group lower id 1
compute value all pair/local p1 p2 p8 cutoff radius
compute sums all reduce sum c_value[1] c_value[2] c_value[3] $inputs
thermo_style custom step c_sums[1] c_sums[2] c_sums[3] f_walls[1] f_walls[2] f_walls[3] f_JAGER[8]
thermo_modify format float %.15g
run 0
END
  [ "$1" = setup ] || echo "set group all omega 0 0 0"
  for by in "0 0 -1e-6" "2e-7 0 -4e-7" "-5e-7 3e-7 5e-7" "0 -2e-7 1e-7"; do
    echo "displace_atoms upper move $by units box"
    echo "displace_atoms lower move 0 1e-7 -2e-7 units box"
    if [ "$1" = setup ]; then echo "run 0"; else echo "run 1 pre no post no"; fi
  done
}
# rows: the lines of thermo output after each movement, without the step
rows() {
  awk '/^ *Step/ { table = 1; next } /^Loop/ { table = 0 } table { $1 = ""; print }' out
}
moves setup > script
lammps 1 -in script
expect_code 0 "two spheres, in setups"
rows > in_setups
moves step > script
lammps 1 -in script
expect_code 0 "two spheres, in steps"
rows | awk 'NR == 1 || NR % 2 == 1' > in_steps # each step has a setup before it, which moves nothing
[ "$(wc -l < in_setups)" -eq 5 ] || fail "there are not five lines"
paste in_setups in_steps | awk '
  { for (i = 1; i <= 7; i++) { d = $i - $(i + 7); s = i < 4 ? $1 : $6; if (s < 0) s = -s
      if (i == 3) s = $3; if (i == 7) { s = 1e-3 * $3 }
      if (d * d > 1e-20 * s * s) { bad = 1; print "line " NR ", value " i ": " $i ", " $(i + 7) } } }
  # Hertz: 4/3 G/(1 - nu) sqrt(R/2) delta^1.5, and R for the wall; the stored energy is 2/5 F delta. The offsets of the
  # upper sphere from the lower one, after each movement:
  { split("0 0 2e-7 -3e-7 -3e-7", x, " "); split("0 -1e-7 -2e-7 0 -3e-7", y, " ")
    split("1e-6 1.8e-6 2e-6 1.3e-6 1e-6", z, " "); split("1e-6 1.2e-6 1.4e-6 1.6e-6 1.8e-6", wall, " ")
    # 2R - sqrt(x^2 + y^2 + (2R - z)^2), without cancellation
    delta = (4e-3 * z[NR] - z[NR]^2 - x[NR]^2 - y[NR]^2) / (2e-3 + sqrt(x[NR]^2 + y[NR]^2 + (2e-3 - z[NR])^2))
    f = 4 / 3 * 29e9 / 0.85; fn = f * sqrt(0.5e-3) * delta^1.5; fw = -f * sqrt(1e-3) * wall[NR]^1.5
    e = 0.4 * fn * delta
    if (($1 - fn)^2 > 1e-18 * fn^2 || ($6 - fw)^2 > 1e-18 * fw^2 || ($3 - e)^2 > 1e-18 * e^2) {
      bad = 1; print "line " NR ": " $1 ", " $6 ", " $3 " instead of " fn ", " fw ", " e }
    if (NR > 2 && !($2 > 0.01 * $1)) { bad = 1; print "no tangential force in line " NR } }
  END { exit bad || NR != 5 }' || fail "two spheres: setups and steps, or Hertz"

# ---- A packing ------------------------------------------------------------------------------------------------------

# The packing is in motion, with dashpots. contacts-NAME.txt are written in four steps: in the last two of the first
# run, in the setup after the change, in the first step after it.
dumps='dump contacts all local 1 contacts-*.txt c_pairs[1] c_pairs[2] c_values[*]
dump_modify contacts format float %.17g first yes
dump atoms all custom 1 atoms-*.txt id diameter
dump_modify atoms format float %.17g first yes'
packing='units si
atom_style sphere
atom_modify map yes
boundary p p p
newton ${newton}
comm_modify vel yes
read_data ${data}
pair_style gran/jager
pair_coeff * * 29e9 0.15 0.5 damping 0.05
neighbor 5e-5 bin
neigh_modify delay 0 every 1 check yes'
motion='timestep 2e-7
fix motion all nve/sphere
compute pairs all property/local patom1 patom2 cutoff radius
compute values all pair/local dist p1 p2 p3 p4 p5 p8 cutoff radius
thermo_style custom step f_JAGER[1] f_JAGER[6] f_JAGER[7] f_JAGER[8] f_JAGER[9] f_JAGER[13]
thermo_modify format float %.15g'
# script CHANGE: the input script
script() {
  printf '%s\n%s\n' "$packing" "$motion"
  printf 'velocity all create 1e14 4711 loop geom\nset group all omega 30 20 10\nrun 99\n%s\nrun 1\nundump atoms\n' \
    "$dumps"
  { printf '%b\n' "undump contacts\n$1"; printf '%s\nrun 0\nundump atoms\nundump contacts\n' "$dumps"; } |
    sed 's/contacts-\*/contacts-moved/; s/atoms-\*/atoms-moved/'
  printf 'reset_timestep 200\n%s\nrun 1\n' "$dumps"
}
# hertz NAME: prints the largest error of the stored normal energies of contacts-NAME.txt, 8/15 E sqrt(R) delta^2.5
hertz() {
  awk '/^ITEM: (ATOMS|ENTRIES)/ { rows = 1; next } /^ITEM/ { rows = 0 } !rows { next }
    FILENAME ~ /atoms/ { r[$1] = $2 / 2; next }
    { delta = r[$1] + r[$2] - $3
      if (delta < 1e-8) next # rounding of the distance
      e = 8 / 15 * 29e9 / 0.85 * sqrt(r[$1] * r[$2] / (r[$1] + r[$2])) * delta^2.5; d = $9 / e - 1
      n++; if (d * d > worst * worst) worst = d < 0 ? -d : d }
    END { print worst + (n < 2000) }' "atoms-$1.txt" "contacts-$1.txt"
}
# jump A B: prints the mean size of the changes of normal and of tangential forces between two files of contacts
jump() {
  awk '/^ITEM: ENTRIES/ { rows = 1; next } /^ITEM/ { rows = 0 } !rows { next }
    FILENAME == ARGV[1] { fn[$1, $2] = $4; for (i = 6; i <= 8; i++) ft[$1, $2, i] = $i; next }
    ($1, $2) in fn { n++; d = $4 - fn[$1, $2]; normal += d < 0 ? -d : d
      s = 0; for (i = 6; i <= 8; i++) s += ($i - ft[$1, $2, i])^2
      tangential += sqrt(s) }
    END { print normal / n, tangential / n }' "contacts-$1.txt" "contacts-$2.txt"
}
less() {
  awk -v a="$1" -v b="$2" 'BEGIN { exit !(a + 0 < b + 0) }'
}

change='change_box all x scale 1.00001 z scale 0.99997 remap units box'
expected=
for setup in "on 1" "on 2" "on 4" "off 2"; do
  rm -f contacts-*.txt atoms-*.txt
  script "$change" > moving
  lammps "${setup#* }" -in moving -var newton "${setup% *}" -var data "$data"
  expect_code 0 "$setup: $(grep ERROR out)"
  [ "$code" -eq 0 ] || continue
  error=$(hertz moved)
  less "$error" 1e-9 || fail "$setup: normal energies of the setup are off by $error"
  before=$(jump 99 100) by_change=$(jump 100 moved) after=$(jump moved 201)
  echo "$setup: off by $error; changes of forces, N: a step $before, the setup $by_change, the next step $after"
  less "${after% *}" "$(echo "${before% *}" | awk '{ print 2 * $1 }')" || fail "$setup: normal forces jump"
  less "${after#* }" "$(echo "${before#* }" | awk '{ print 2 * $1 }')" || fail "$setup: tangential forces jump"
  less "$(echo "${before% *}" | awk '{ print 10 * $1 }')" "${by_change% *}" || fail "$setup: hardly anything has moved"
  # Dashpots dissipate no more in a step than before, and nothing in the setup
  awk '/^ *Step/ { table = 1; next } /^Loop/ { table = 0 } table { viscous[++n] = $6; rate[n] = $7 }
    END { exit !(n == 7 && viscous[5] == viscous[4] && viscous[4] > 0 && rate[7] > 0 &&
                 rate[7] < 1.5 * rate[4]) }' out ||
    fail "$setup: the dashpots feel the change: $(rows | cut -d ' ' -f 6,7 | tr '\n' ';')"
  sums=$(last_thermo)
  expected=${expected:-$sums}
  difference=$(differ "$expected" "$sums" 1e-9)
  [ -z "$difference" ] || fail "$setup: another result: $difference"
done

# The same with new IDs, and after a restart file
rm -f contacts-*.txt atoms-*.txt
renumber='reset_atom_ids'
printf 'region box block 0 1 0 1 0 1\ncreate_box 1 box\nreset_atoms id\n' > probe
lammps 1 -in probe
[ "$code" -ne 0 ] || renumber='reset_atoms id' # since 2023
script "group some id 3 4 5\nset group some image 0 0 0\n$renumber sort yes\n$change" > moving
lammps 2 -in moving -var newton on -var data "$data"
expect_code 0 "new IDs: $(grep ERROR out)"
difference=$(differ "$expected" "$(last_thermo)" 1e-9)
[ -z "$difference" ] || fail "new IDs: $difference"
warning="WARNING: Pair gran/jager: the IDs of atoms have changed while spheres touch; contacts keep their histories"
[ "$(grep -c "^$warning" out)" -eq 1 ] || fail "new IDs: no warning, or more than one: $(grep WARNING out)"
# LAMMPS refuses change_box between read_restart and the first run
script "write_restart state\nclear\nnewton \${newton}\natom_modify map yes\ncomm_modify vel yes\nread_restart state
neighbor 5e-5 bin\nneigh_modify delay 0 every 1 check yes\n$motion\nrun 0\n$change" > moving
lammps 2 -in moving -var newton on -var data "$data"
expect_code 0 "restart: $(grep ERROR out)"
difference=$(differ "$expected" "$(last_thermo)" 1e-9)
[ -z "$difference" ] || fail "restart: $difference"
grep -q "$warning" out && fail "a restart file has no new IDs"

# Many small changes: normal energies are the same, tangential ones nearly so
small=''
for _ in 1 2 3 4 5 6 7 8 9 10; do
  small="$small\nchange_box all x scale $(awk 'BEGIN { printf "%.17g", exp(log(1.00001) / 10) }') \
z scale $(awk 'BEGIN { printf "%.17g", exp(log(0.99997) / 10) }') remap units box\nrun 0"
done
for change in "$change" "$small"; do
  script "$change" > moving
  lammps 1 -in moving -var newton on -var data "$data"
  expect_code 0 "in parts: $(grep ERROR out)"
  rows | tail -n 3 | head -n 1
done > parts
awk '{ contacts[NR] = $1; normal[NR] = $2; tangential[NR] = $3; friction[NR] = $4 }
  END { d = normal[2] / normal[1] - 1; e = tangential[2] / tangential[1] - 1; f = friction[2] / friction[1] - 1
    printf "at once and in parts: normal %.1e, tangential %.1e, friction %.1e\n", d, e, f
    exit !(contacts[1] == contacts[2] && d * d < 1e-18 && e * e < 0.05^2 && f * f < 0.1^2) }' parts ||
  fail "in parts: $(cat parts)"

# ---- Nothing has moved ----------------------------------------------------------------------------------------------

# With fix deform, which moves atoms after the forces; in a triclinic box, on 1 and 2 ranks. Every contact keeps its
# bits, and a run with setups in between equals one without.
still() {
  printf '%s\nchange_box all triclinic\n%s\nfix cell all deform 1 xz erate 20 z trate -5 remap x flip no\n' \
    "$packing" "$motion"
  printf 'velocity all create 1e14 4711 loop geom\n%s\nrun 100 start 0 stop 200\n' "$dumps"
  [ -z "$1" ] || printf 'undump contacts\nundump atoms\n%s\nrun 0 start 0 stop 200\n' "$dumps" |
    sed 's/contacts-\*/contacts-again/; s/atoms-\*/atoms-again/'
  printf 'run 100 start 0 stop 200\n'
}
for ranks in 1 2; do
  rm -f contacts-*.txt atoms-*.txt
  still "" > moving
  lammps $ranks -in moving -var newton on -var data "$data"
  expect_code 0 "without a setup: $(grep ERROR out)"
  expected=$(last_thermo)
  still again > moving
  lammps $ranks -in moving -var newton on -var data "$data"
  expect_code 0 "with a setup: $(grep ERROR out)"
  for file in 100 again; do # without the distances, which follow the moved atoms
    awk '/^ITEM: TIMESTEP/ && rows { exit }
      rows && $9 > 0 { print $1, $2, $4, $5, $6, $7, $8, $9 }
      /^ITEM: ENTRIES/ { rows = 1 }' contacts-$file.txt | sort > kept-$file
  done
  [ "$(wc -l < kept-100)" -gt 2000 ] || fail "only $(wc -l < kept-100) contacts"
  # Which pairs are listed depends on the distances of the moved atoms: a few are in one list only
  awk 'FILENAME == "kept-100" { line[$1, $2] = $0; next }
    ($1, $2) in line { n++; if (line[$1, $2] != $0) { print line[$1, $2]; print; bad = 1 } }
    END { exit bad || n < 2000 }' kept-100 kept-again > changed ||
    fail "$ranks ranks: contacts have changed: $(head -n 2 changed)"
  difference=$(differ "$expected" "$(last_thermo)" 1e-9)
  [ -z "$difference" ] || fail "$ranks ranks: goes on otherwise: $difference"
done
finish
