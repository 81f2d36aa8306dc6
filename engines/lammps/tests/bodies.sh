# SPDX-License-Identifier: MIT
# Radii and types of spheres change while the spheres touch, between runs (set) and during runs (fix adapt). The contact
# keeps its history and takes the new stiffness: the forces equal `jager contact` on the same path with the final radii
# and moduli. LAMMPS warns. Restart files that are written after such a change can be read.
# shellcheck source=engines/lammps/tests/lammps.inc
. "$2/engines/lammps/tests/lammps.inc"
data=$source_dir/engines/lammps/examples/packed.data
warning="radii or types of spheres that touch have changed"

# ---- One contact on random paths ------------------------------------------------------------------------------------

inputs=$(local_inputs)
for by in set restart adapt wall; do
  for seed in 1 2 3 4; do
    awk -v by=$by -v seed=$seed -v steps=$((20 * seed)) -v inputs="$inputs" -f "$tests/grow.awk" > script
    lammps 1 -in script
    expect_code 0 "$by, seed $seed"
    if [ $by = wall ]; then
      options="--wall --radius-a $(cut -d ' ' -f 1 last) --shear-modulus 29e9"
      got=$(last_thermo | awk '{ printf "%.17g %s", -$4, $5 }')
      told="radii of spheres that touch a wall have changed"
    else
      options=$(awk '{ print "--radius-a", $1, "--radius-b", $2, "--shear-modulus", $3 }' last)
      got=$(last_thermo | awk '{ print $2, $3 }')
      told=$warning
    fi
    grep -q "^WARNING: .*$told" out || fail "$by, seed $seed: no warning"
    # shellcheck disable=SC2086 # options are words
    "$jager" contact $options --poisson 0.15 --friction 0.5 path.csv > expected.csv
    { echo "$got"; tail -n 1 expected.csv | cut -d , -f 5,6 | tr , ' '; } |
      awk '{ fn[NR] = $1; ft[NR] = $2 < 0 ? -$2 : $2 }
        END { d = fn[1] - fn[2]; e = ft[1] - ft[2]; t = 1e-9 * fn[2]
          exit !(fn[2] > 0 && d <= t && -d <= t && e <= t && -e <= t) }' ||
      fail "$by, seed $seed: forces are $got, not $(tail -n 1 expected.csv | cut -d , -f 5,6)"
  done
done

# ---- An assembly over ranks and restart files -----------------------------------------------------------------------

# Spheres grow, some types change, then both. The energy dissipated by friction does not change by growth, since
# contacts do not slip when they are only pressed, nor by a new stiffness. It does by growth with the lower friction of
# type 2.
size='variable d atom (6*mass/2650/PI)^(1/3)*(1+1e-5*v_times*(1+sin(id)))
set group all diameter v_d'
{
  echo "include $tests/shear.lmp"
  echo "thermo_style custom step f_JAGER[1] f_JAGER[2] f_JAGER[6] f_JAGER[7] f_JAGER[8] f_JAGER[9] f_JAGER[11]"
  echo "thermo_modify format float %.12g"
  echo "run 100"
  echo "variable times equal 1"
  echo "$size"
  echo "run 0"
  echo "set atom 300*450 type 2"
  echo "run 0"
  echo "variable times equal 2"
  echo "$size"
  echo "set atom 300*500 type 2"
  echo "write_restart changed"
  echo "restart 50 changed.*"
  echo "run 100"
} > first
expected=
for setup in "on 1" "on 2" "on 4" "off 4"; do
  lammps "${setup#* }" -in first -var tests "$tests" -var data "$data" -var newton "${setup% *}" -var steps 100
  expect_code 0 "newton ${setup% *}, ${setup#* } ranks"
  grep -q "^WARNING: .*$warning" out || fail "$setup: no warning"
  sums=$(last_thermo)
  expected=${expected:-$sums}
  echo "newton ${setup% *}, ${setup#* } ranks: $sums"
  difference=$(differ "$expected" "$sums" 1e-6)
  [ -z "$difference" ] || fail "$setup: $difference"
  [ "$code" -eq 0 ] || continue
  awk '/^ *Step/ { table = 1; next }
    /^Loop/ { table = 0 }
    table && $1 == 100 { loss[++n] = $6; stored[n] = $5; normal[n] = $4; count[n] = $8 }
    END { for (i = 2; i <= 3; i++) { d = loss[i] - loss[1]; if (d * d > (stored[1] * 1e-9)^2) exit 1 }
      exit !(n == 4 && loss[1] > 0 && loss[4] > 1.001 * loss[1] && normal[2] > 1.01 * normal[1] &&
             count[1] == 0 && count[2] > 2000) }' out ||
    fail "$setup: friction is lost by the change: $(grep '^ *100 ' out)"
done
for ranks in 1 2 4; do
  for file in changed changed.150; do
    {
      echo "read_restart $file"
      echo "include $tests/shear_run.lmp"
      echo "thermo_style custom step f_JAGER[1] f_JAGER[2] f_JAGER[6] f_JAGER[7] f_JAGER[8] f_JAGER[9] f_JAGER[11]"
      echo "thermo_modify format float %.12g"
      echo "run 200 upto"
    } > second
    lammps $ranks -in second -var tests "$tests" -var steps 100
    expect_code 0 "$file, $ranks ranks: $(grep ERROR out)"
    difference=$(differ "$expected" "$(last_thermo)" 1e-6)
    [ -z "$difference" ] || fail "$file, $ranks ranks: goes on otherwise: $difference"
  done
done

# ---- Growth during a run --------------------------------------------------------------------------------------------

# The spheres of a lattice grow until they touch. No contact is missed: compute contact/atom of LAMMPS counts as many.
lattice='units si
atom_style sphere 1
boundary p p p
comm_modify vel yes
lattice sc 1e-3
region box block 0 6 0 6 0 6
create_box 1 box
create_atoms 1 box
set group all diameter 0.95e-3
set group all density 2650
pair_style gran/jager
pair_coeff * * 29e9 0.15 0.5 tolerance 1e-3
neighbor 1e-6 bin
timestep 1e-8
velocity all create 1e15 4711 loop geom
fix motion all nve/sphere
compute each all contact/atom
compute twice all reduce sum c_each
thermo_style custom step c_twice f_JAGER[1] f_JAGER[6] f_JAGER[7] f_JAGER[8]
thermo_modify format float %.12g'
printf '%s\nvariable d equal 0.95e-3+2e-7*step\nfix grow all adapt 2 atom diameter v_d\nrun 300\n' "$lattice" > script
expected=
for ranks in 1 2 4; do
  lammps $ranks -in script
  expect_code 0 "growth, $ranks ranks"
  sums=$(last_thermo)
  echo "growth, $ranks ranks: $sums"
  expected=${expected:-$sums}
  difference=$(differ "$expected" "$sums" 1e-6)
  [ -z "$difference" ] || fail "growth, $ranks ranks: $difference"
  echo "$sums" | awk '{ exit !($2 == 2 * $3 && $3 == 648) }' || fail "growth, $ranks ranks: contacts are missed: $sums"
done

# refused MESSAGE LINES: the lattice grows beyond the margin of the neighbour lists, and LAMMPS stops with the message
refused() {
  printf '%s\n%s\n' "$lattice" "$2" > script
  lammps 1 -in script
  [ "$code" -ne 0 ] || fail "not refused: $1"
  grep -q "^ERROR.*: Pair gran/jager: atom [0-9]* $1" out ||
    fail "'$1' is not told, but: $(grep ERROR out)"
}
refused "is larger than the neighbour lists of this run allow for, which is 1.25 times the largest sphere of its type" \
  'variable d equal 0.95e-3+2e-6*step
fix grow all adapt 1 atom diameter v_d
run 200'
refused "has grown in a run without fix adapt, so that neighbours may be missed" \
  'set atom 1 diameter 0.97e-3
run 0
set atom 2 diameter 0.96e-3
run 1 pre no'
finish
