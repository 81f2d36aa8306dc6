# SPDX-License-Identifier: MIT
# fix wall/gran/jager. First a script moves one sphere on a plane: the forces equal `jager contact --wall`. Then planes
# shear a heap of spheres, on 1, 2 and 4 ranks and across a restart.
# shellcheck source=engines/lammps/tests/lammps.inc
. "$2/engines/lammps/tests/lammps.inc"

# ---- One sphere on path (f), with a rigid wall below or a wall above ------------------------------------------------

awk -v path=f -v steps=200 -f "$tests/paths.awk" > path.csv
for side in lo hi; do
  if [ $side = lo ]; then
    options="--shear-modulus-b inf" words="other rigid" planes="-1e-3 NULL" sign=1
  else
    options='' words='' planes="NULL 1e-3" sign=-1
  fi
  # shellcheck disable=SC2086 # options are words
  "$jager" contact --wall --radius-a 1e-3 --shear-modulus 29e9 --poisson 0.15 --friction 0.5 $options path.csv \
    > expected.csv
  awk -F, -v sign=$sign -v words="$words" -v planes="$planes" '
    NR == 1 { print "units si\natom_style sphere\nboundary p p f\ncomm_modify vel yes"
      print "region box block -0.01 0.01 -0.01 0.01 -0.01 0.01\ncreate_box 1 box\ncreate_atoms 1 single 0 0 0"
      print "set group all diameter 2e-3\nset group all density 2650"
      print "pair_style gran/jager\npair_coeff * * 29e9 0.15 0.5"
      print "neighbor 1e-4 bin\ntimestep 1\nfix walls all wall/gran/jager 29e9 0.15 0.5 " words " zplane " planes
      print "dump forces all custom 1 forces.txt id fx fy fz tqx tqy tqz\ndump_modify forces format float %.17g"
      print "set group all z " sign * 1e-6 "\nrun 0"; next }
    { printf "set group all x %.17g z %.17g\nrun 1 pre no post no\n", -2 * $2, -sign * 2 * $1 }' path.csv > script
  lammps 1 -screen none -in script
  expect_code 0 "a sphere, wall $side"
  awk -v sign=$sign '
    FILENAME == "expected.csv" && FNR == 1 { next }
    FILENAME == "expected.csv" { split($0, c, ","); zeta[c[1]] = c[2]; fn[c[1]] = c[5]; ft[c[1]] = c[6]; next }
    /^ITEM: TIMESTEP/ { getline; step = $1; row = 0; next }
    /^ITEM: ATOMS/ { row = 1; next }
    row && step > 0 { row = 0; want[2] = ft[step]; want[4] = sign * fn[step]; want[3] = want[5] = want[7] = 0
      want[6] = -sign * (1e-3 - 2 * zeta[step]) * ft[step]
      if (fn[step] > peak) peak = fn[step]
      for (i = 2; i <= 7; i++) {
        d = ($i - want[i]) / (i < 5 ? 1 : 1e-3)
        if (d < 0) d = -d
        if (d > worst) worst = d }
      compared++ }
    END { printf "wall %s: %d steps, largest error %.1e\n", (sign > 0 ? "below" : "above"), compared, worst / peak
          exit !(compared == length(fn) && worst <= 1e-10 * peak) }' expected.csv forces.txt ||
    fail "a sphere, wall $side"
done

# ---- A heap, sheared by the planes, on several ranks and across a restart -------------------------------------------

walls='fix walls all wall/gran/jager 29e9 0.15 0.4 damping 0.1 zplane 0 4.999e-3 shear x 9.99
fix motion all nve/sphere
thermo_style custom step f_JAGER[1] f_JAGER[2] f_JAGER[7] f_JAGER[8] &
  f_walls[1] f_walls[3] f_walls[4] f_walls[6] f_walls[7] f_walls[8]
thermo_modify format float %.12g
timestep 2e-7
thermo 1000'
{
  printf 'units si\natom_style sphere\nboundary p p f\ncomm_modify vel yes\nlattice sc 0.9998e-3 origin 0.5 0.5 0.5\n'
  printf 'region box block 0 6 0 6 -1 6\ncreate_box 1 box\n'
  printf 'region heap block 0 6 0 6 0 4.99\ncreate_atoms 1 region heap\n'
  printf 'set group all diameter 1e-3\nset group all density 2650\nvelocity all create 1e14 87287 loop geom\n'
  printf 'pair_style gran/jager\npair_coeff * * 29e9 0.15 0.3 damping 0.1\nneighbor 1e-4 bin\n%s\n' "$walls"
  printf 'velocity all set 10 0 0 sum yes units box\nrestart 500 heap.*\nrun 1000\n'
} > heap
{
  printf 'read_restart heap.500\n%s\nrun 500\n' "$walls"
} > goes_on

expected=
for ranks in 1 2 4; do
  lammps $ranks -in heap
  expect_code 0 "heap, $ranks ranks"
  echo "$ranks ranks: $(last_thermo)"
  expected=${expected:-$(last_thermo)}
  difference=$(differ "$expected" "$(last_thermo)" 1e-6)
  [ -z "$difference" ] || fail "heap, $ranks ranks: $difference"
done
for ranks in 1 2; do
  lammps $ranks -in goes_on
  expect_code 0 "heap that goes on, $ranks ranks"
  difference=$(differ "$expected" "$(last_thermo)" 1e-6)
  [ -z "$difference" ] || fail "heap that goes on, $ranks ranks: $difference"
done
echo "$expected" | awk '{ exit !($2 > 100 && $10 > 20 && $11 > 2 * $10) }' || fail "hardly anything touches: $expected"
finish
