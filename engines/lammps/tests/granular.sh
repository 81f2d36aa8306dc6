# SPDX-License-Identifier: MIT
# The sub-model of engines/lammps/granular in a LAMMPS that has it: JAGER_LAMMPS_GRANULAR names it. Two spheres,
# and a sphere at a wall, move along the paths (a)-(f) and are compared with `jager contact`; a sheared assembly drifts
# through the box on 1 and 2 ranks, with newton on and off; a restart file continues as the whole run does; the example
# runs; wrong coefficients are refused. The arguments are the source directory and jager.
if [ -z "${JAGER_LAMMPS_GRANULAR:-}" ]; then
  echo "skipped: JAGER_LAMMPS_GRANULAR names no program lmp with the sub-model jager"
  exit 77
fi
set -- "$JAGER_LAMMPS_GRANULAR" "$@"
# shellcheck source=engines/lammps/tests/lammps.inc
. "$2/engines/lammps/tests/lammps.inc"
normal='hertz/material 66.7e9 0.3 0.15 damping tsuji'

for path in a b c d e f; do
  awk -v path=$path -v steps=1000 -f "$tests/paths.awk" > path.csv
  "$jager" contact --radius 1e-3 --shear-modulus 29e9 --poisson 0.15 --friction 0.5 path.csv > expected.csv
  for by in arc spin; do
    awk -F, -v by=$by -v style="pair_style granular\npair_coeff * * $normal tangential jager NULL 0 0.5 12" \
      -f "$tests/drive.awk" path.csv > script
    lammps 1 -screen none -in script
    expect_code 0 "($path), $by"
    awk -v path=$path -v by=$by -f "$tests/compare.awk" expected.csv angles.txt forces.txt ||
      fail "path ($path), $by"
  done
  awk -F, -v contact="hertz/material 66.7e9 0 0.15 damping velocity tangential jager NULL 0 0.5 12" \
    -f "$tests/granular_wall.awk" path.csv > script
  lammps 1 -screen none -in script
  expect_code 0 "($path), wall"
  awk -v path=$path '
    function far(d) { if (d < 0) d = -d; if (d > worst) worst = d }
    FILENAME == "expected.csv" { split($0, c, ","); fn[c[1]] = c[5]; ft[c[1]] = c[6]; next }
    /^ITEM: TIMESTEP/ { getline; step = $1; row = 0; next }
    /^ITEM: ATOMS/ { row = 1; next }
    row && step > 0 { far($2 + ft[step]); far($3 - fn[step]); far($4 / 0.5e-3 - ft[step]); compared++
      if (fn[step] > peak) peak = fn[step] }
    END { printf "path (%s), wall: %d steps, largest error %.1e of the largest force\n", path, compared, worst / peak
          exit !(compared > 3000 && peak > 0 && worst <= 1e-10 * peak) }' expected.csv forces.txt ||
    fail "path ($path), wall"
done

# ---- Histories follow their atoms ------------------------------------------------------------------------------------

cat > run.lmp << END
comm_modify vel yes
timestep 2e-7
fix motion all nve/sphere
fix cell all deform 1 z trate -5 x trate 5 remap x
compute stress all pressure NULL virial
thermo_style custom step c_stress[1] c_stress[2] c_stress[3] c_stress[4]
thermo_modify format float %.17g
thermo 300
END
cat > shear.lmp << END
units si
atom_style sphere
newton \${newton}
comm_modify vel yes
read_data $source_dir/engines/lammps/examples/packed.data extra/atom/types 1
set atom 1*400 type 2
velocity all set 20 15 10
pair_style granular
pair_coeff 1 1 $normal tangential jager NULL 1.0 0.5 12
pair_coeff 2 2 hertz/material 96e9 0.3 0.20 damping tsuji tangential jager NULL 1.0 0.3 12
neighbor 5e-5 bin
neigh_modify delay 0 every 1 check yes
include run.lmp
restart 300 state.*
run 600
END
expected=
for setup in "off 1" "off 2" "on 2" "on 1"; do
  newton=${setup% *} ranks=${setup#* }
  lammps "$ranks" -in shear.lmp -var newton "$newton"
  expect_code 0 "newton $newton, $ranks ranks"
  expected=${expected:-$(last_thermo)}
  echo "newton $newton, $ranks ranks: $(last_thermo)"
  difference=$(differ "$expected" "$(last_thermo)" 1e-7)
  [ -z "$difference" ] || fail "newton $newton, $ranks ranks: $difference"
done

# The setup of a run computes the dashpots of the package with velocities of another time, and normal forces after the
# last movement of fix deform: without both, a restarted run differs from the whole one only by the order of sums.
sed '/^fix cell/d' run.lmp > free.lmp
sed 's/damping tsuji/damping velocity/; s/66.7e9 0.3/66.7e9 0/; s/96e9 0.3/96e9 0/; s/run.lmp/free.lmp/
  s/^velocity.*/velocity all ramp vx 0 1 z 0 0.0095 units box/' shear.lmp > whole.lmp
printf 'read_restart state.300\ninclude free.lmp\nrun 300\n' > second.lmp
lammps 1 -in whole.lmp -var newton off
expect_code 0 "whole run"
whole=$(last_thermo)
for ranks in 1 2; do
  lammps "$ranks" -in second.lmp
  expect_code 0 "restart on $ranks ranks"
  difference=$(differ "$whole" "$(last_thermo)" 1e-9)
  [ -z "$difference" ] || fail "restart on $ranks ranks: $difference"
done

# ---- Other sub-models and walls --------------------------------------------------------------------------------------

lammps 2 -in "$source_dir/engines/lammps/granular/example.lmp" -var steps 6000
expect_code 0 "example.lmp"

# ---- Messages --------------------------------------------------------------------------------------------------------

# refuses COEFFICIENTS TEXT
refuses() {
  awk -F, -v by=arc -v style="pair_style granular\npair_coeff * * $1" -f "$tests/drive.awk" < /dev/null > script
  lammps 1 -in script
  [ "$code" -ne 0 ] || fail "not refused: $1"
  cat out err | grep -qF -- "$2" || fail "$1: '$2' is not told, but: $(cat out err | grep ERROR)"
}
for other in "hooke 1e6 0" "jkr 1e9 0 0.2 0.1" "dmt 1e9 0 0.2 0.1"; do
  refuses "$other tangential jager 0.2 0 0.5 12" "the normal model must be hertz or hertz/material, not ${other%% *}"
done
refuses "hertz 1e9 0 tangential jager NULL 0 0.5 12" "nu is NULL, but the normal model hertz has none"
refuses "hertz 1e9 0 tangential jager 0.6 0 0.5 12" "nu is 0.6, but must be above -1 and at most 0.5"
refuses "hertz 1e9 0 tangential jager 0.2 0 0.5 10" "K is 10, but must be 8, 12, 16 or 24"
refuses "hertz 1e9 0 tangential jager 0.2 -1 0.5 12" "x_gammat is -1, but must not be negative"
refuses "hertz 1e9 0 tangential jager 0.2 0 -1 12" "mu is -1, but must be from 0 to 1e6"
finish
