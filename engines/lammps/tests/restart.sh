# SPDX-License-Identifier: MIT
# A restart file is written in the middle of a run on 2 ranks, and read on 1, 2 and 4 ranks. The forces of the
# contacts are the same bit by bit, and the run continues like the uninterrupted one. read_restart alone restores
# coefficients and histories.
# shellcheck source=engines/lammps/tests/lammps.inc
. "$2/engines/lammps/tests/lammps.inc"
data=$source_dir/engines/lammps/examples/packed.data

# Writes the pairs that touch, and the values of their contacts
contacts='compute pairs all property/local patom1 patom2 cutoff radius
compute values all pair/local eng p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 cutoff radius
dump contacts all local 300 contacts-*.txt c_pairs[1] c_pairs[2] c_values[*]
dump_modify contacts format float %.17g'

# contact_list FILE: prints the pairs that touch, sorted, the smaller atom ID first; the tangential force acts on the
# first atom
contact_list() {
  awk '/^ITEM: ENTRIES/ { rows = 1; next } rows && $10 > 0 {
    if ($1 > $2) { t = $1; $1 = $2; $2 = t; for (i = 6; i <= 8; i++) $i = sprintf("%.17g", -$i) }
    $1 = $1
    print }' "$1" | sort -n -k 1,1 -k 2,2
}

{
  echo "include $tests/shear.lmp"
  echo "thermo 300"
  echo "$contacts"
  echo "restart 300 state.*"
  echo "run 600"
} > whole
lammps 2 -in whole -var tests "$tests" -var data "$data" -var newton on -var steps 300
expect_code 0 "the whole run"
contact_list contacts-300.txt > expected-300
contact_list contacts-600.txt > expected-600
[ "$(wc -l < expected-300)" -gt 2000 ] || fail "only $(wc -l < expected-300) contacts"
expected=$(last_thermo)

{
  echo "read_restart state.300"
  echo "include $tests/shear_run.lmp"
  echo "$contacts"
  echo "run 300"
} > second
for ranks in 1 2 4; do
  rm -f contacts-*.txt
  lammps "$ranks" -in second -var tests "$tests" -var steps 300
  expect_code 0 "$ranks ranks"
  contact_list contacts-300.txt > now
  cmp -s now expected-300 ||
    fail "$ranks ranks: other contacts than when the file was written: $(diff now expected-300 | head -n 4)"
  difference=$(differ "$(echo "$expected" | awk '{ NF--; print }')" "$(last_thermo | awk '{ NF--; print }')" 1e-9)
  [ -z "$difference" ] || fail "$ranks ranks: goes on otherwise: $difference"
  contact_list contacts-600.txt | cut -d ' ' -f 1,2,10 > now
  cut -d ' ' -f 1,2,10 expected-600 | cmp -s - now ||
    fail "$ranks ranks: other contacts or lengths of histories at the end"
done

# A restart file that is read and written again without a step in between has the same contacts
printf 'read_restart state.300\nwrite_restart again\n' > copy
lammps 2 -in copy
expect_code 0 "copy"
sed 's/state.300/again/' second > third
rm -f contacts-*.txt
lammps 1 -in third -var tests "$tests" -var steps 300
expect_code 0 "from the copy"
contact_list contacts-300.txt > now
cmp -s now expected-300 || fail "the copy has other contacts"
difference=$(differ "$(echo "$expected" | awk '{ NF--; print }')" "$(last_thermo | awk '{ NF--; print }')" 1e-9)
[ -z "$difference" ] || fail "the copy goes on otherwise: $difference"

# A run divided into three, with and without a setup in between, has the results of the undivided run
{
  echo "include $tests/shear.lmp"
  echo "$contacts"
  echo "run 100 start 0 stop 600 post no"
  echo "run 100 start 0 stop 600 pre no post no"
  echo "run 400 start 0 stop 600"
} > pieces
lammps 2 -in pieces -var tests "$tests" -var data "$data" -var newton on -var steps 300
expect_code 0 "pieces"
difference=$(differ "$(echo "$expected" | awk '{ NF--; print }')" "$(last_thermo | awk '{ NF--; print }')" 1e-9)
[ -z "$difference" ] || fail "in pieces: $difference"

# Refused: a file of another format, and coefficients with another stiffness than the histories
LC_ALL=C sed 's/JAGER  1/JAGER  7/' state.300 > other
sed 's/state.300/other/' second > fourth
lammps 1 -in fourth -var tests "$tests" -var steps 300
[ "$code" -ne 0 ] || fail "a file of another version was read"
grep -q "^ERROR: Pair gran/jager: the restart file has format 7, this version reads format 1: \
read it with the version that wrote it" out ||
  fail "another version: $(grep ERROR out)"
sed 's/^include/pair_coeff 1 1 30e9 0.15 0.5\ninclude/' second > fifth
lammps 1 -in fifth -var tests "$tests" -var steps 300
[ "$code" -ne 0 ] || fail "other coefficients were taken"
grep -q "^ERROR on proc 0: Pair gran/jager: the history of atoms .* cannot be used: \
the stiffness of their contact differs from pair_coeff; has it changed since the restart file" out ||
  fail "other coefficients: $(grep ERROR out)"
finish
