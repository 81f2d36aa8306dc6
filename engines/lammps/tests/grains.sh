# SPDX-License-Identifier: MIT
# Clumps of Nevada sand and lopsided ones, as bodies of fix rigid/small with the infile of `python3 -m jager convert`,
# against `jager run` in the same states: forces of spheres, forces and torques of grains, masses, where no contact has
# a history; forces of spheres after they have made the same movements, with friction; and the displacements of the
# grains when each program moves them by itself. These depend on mass and inertia: with LAMMPS' own sums over the
# spheres they differ. At last the example nevada.lmp. The last argument is a Python that finds the package.
# shellcheck source=engines/lammps/tests/lammps.inc
. "$2/engines/lammps/tests/lammps.inc"
python=$7
lammps 1 -h
grep -q "rigid/small" out || { echo "skipped: this LAMMPS has no package RIGID"; exit 77; }
"$python" -c "import h5py, jager._native" 2> err || { echo "skipped: no Python package: $(tail -n 1 err)"; exit 77; }

steps=60
"$python" "$tests/grains.py" make $steps || { fail "there are no grains"; finish; }

# python_check ARGS...: runs grains.py
python_check() {
  "$python" "$tests/grains.py" "$@" || fail "grains.py $*"
}

bodies='fix motion all rigid/small molecule'
output='compute bodies all rigid/local motion mol mass fx fy fz tqx tqy tqz xu yu zu
dump bodies all local 1 bodies c_bodies[*]
dump_modify bodies format float %.17g'
follow='fix follow all nve/noforce
timestep 1e-8
run 0
variable vx atomfile movement.vx
variable vy atomfile movement.vy
variable vz atomfile movement.vz
variable wx atomfile movement.wx
variable wy atomfile movement.wy
variable wz atomfile movement.wz
label again
velocity all set v_vx v_vy v_vz units box
set group all omega v_wx v_wy v_wz
run 1
next vx vy vz wx wy wz
jump SELF again'
for setup in "on 1" "on 2" "off 2"; do
  newton=${setup% *} ranks=${setup#* }
  printf 'include %s/grains.lmp\n%s infile grains.rigid\n%s\nrun 0\n' "$tests" "$bodies" "$output" > script
  lammps "$ranks" -in script -var newton "$newton"
  expect_code 0 "bodies, newton $setup: $(grep ERROR out)"
  mv spheres spheres.start
  mv bodies bodies.start
  python_check check start
  printf 'include %s/grains.lmp\n%s\n' "$tests" "$follow" > script
  lammps "$ranks" -in script -var newton "$newton"
  expect_code 0 "the movement, newton $setup: $(grep ERROR out)"
  mv spheres spheres.end
  python_check check end
done

# Both integrators are of second order, but start half a step apart
for file in "infile grains.rigid" ""; do
  printf 'include %s/grains.lmp\n%s %s\n%s\ntimestep %s\nrun %d\n' "$tests" "$bodies" "$file" "$output" \
    "$(cat time_step)" $steps > script
  lammps 1 -in script -var newton on
  expect_code 0 "$steps steps $file: $(grep ERROR out)"
  apart=$(python_check distance bodies)
  echo "displacements, ${file:-sums over the spheres}: $apart apart"
  case $file in
  "") awk -v d="$apart" 'BEGIN { exit !(d > 0.1) }' || fail "mass and inertia make no difference: $apart" ;;
  *) awk -v d="$apart" 'BEGIN { exit !(d < 0.05) }' || fail "grains move differently: $apart" ;;
  esac
done

# The example, as its comments say
cp "$source_dir/engines/lammps/examples/nevada.yaml" "$source_dir/engines/lammps/examples/nevada.lmp" .
"$jager" run nevada.yaml -o nevada --quiet > out 2> err || fail "nevada.yaml: $(cat err)"
for command in "nevada.data --drop contacts" nevada.rigid; do
  # shellcheck disable=SC2086 # options are words
  "$python" -m jager convert nevada $command --density 2650 > out 2> err || fail "$command: $(cat err)"
done
for ranks in 1 2; do
  lammps $ranks -in nevada.lmp -var steps 2000
  expect_code 0 "nevada.lmp, $ranks ranks: $(grep ERROR out)"
  echo "nevada.lmp, $ranks ranks: $(last_thermo)"
  last_thermo | awk '{ exit !($2 == 4e-5 && $3 > 9e4 && $3 < 1.1e5 && $4 > 5e3 && $5 > 500) }' ||
    fail "nevada.lmp, $ranks ranks: $(last_thermo)"
done
finish
