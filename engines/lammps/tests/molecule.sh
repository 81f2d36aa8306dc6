# SPDX-License-Identifier: MIT
# The molecule file of `jager shape` in fix rigid/small: the body has the mass and the principal moments of the union,
# and its atoms have the same mass in sum.
# shellcheck source=engines/lammps/tests/lammps.inc
. "$2/engines/lammps/tests/lammps.inc"
lammps 1 -h
grep -q "rigid/small" out || { echo "skipped: this LAMMPS has no package RIGID"; exit 77; }

printf '0,0,0,1\n1,1,0.25,0.8\n0.5,1.5,0,0.3\n' > grain.csv
"$jager" shape grain.csv --diameter 2e-3 --molecule > grain.mol || fail "no molecule: $(cat grain.mol)"
cat > script << 'END'
units si
atom_style sphere
atom_modify map array
boundary f f f
region box block -1 1 -1 1 -1 1
create_box 1 box
molecule grain grain.mol
pair_style zero 0.01 nocoeff
pair_coeff * *
comm_modify cutoff 0.05
timestep 1e-9
fix names all property/atom mol
fix body all rigid/small molecule mol grain
region drop block -0.1 0.1 -0.1 0.1 -0.1 0.1
fix drop all deposit 1 0 1 4711 region drop mol grain rigid body
compute bodies all rigid/local body mass inertiax inertiay inertiaz
dump bodies all local 1 bodies c_bodies[1] c_bodies[2] c_bodies[3] c_bodies[4]
dump_modify bodies format float %.17g
variable mass equal mass(all)
run 1
print "atoms $(v_mass:%.17g)"
END
lammps 1 -in script
expect_code 0 "LAMMPS"
# Moments in falling order, as LAMMPS has them
awk '$2 == "mass" { mass = $1 } $7 == "inertia" { print mass, $3, $2, $1 }' grain.mol > expected
differences=$(differ "$(cat expected)" "$(tail -n 1 bodies)" 1e-9)
expect_same "$differences" "" "mass and moments of the body"
expect_same "$(differ "$(cut -d' ' -f1 expected)" "$(sed -n 's/^atoms //p' out)" 1e-12)" "" "the mass of the atoms"

# Without the line of moments LAMMPS takes sums over the spheres, which are more
sed '/inertia$/d' grain.mol > sums
mv sums grain.mol
lammps 1 -in script
expect_code 0 "LAMMPS, without the moments"
[ -n "$(differ "$(cat expected)" "$(tail -n 1 bodies)" 0.01)" ] || fail "the moments make no difference"

finish
