# SPDX-License-Identifier: MIT
# The conversions of docs/coming-from.md, G = 29 GPa, nu = 0.15, f = 0.5: two spheres under LAMMPS' own styles on the
# paths (a)-(f) against `jager contact --model hertz-mindlin`; and restitutions.
# shellcheck source=engines/lammps/tests/lammps.inc
. "$2/engines/lammps/tests/lammps.inc"

kn=$(awk 'BEGIN { printf "%.17g", 4 * 29e9 / (3 * (1 - 0.15)) }')
kt=$(awk 'BEGIN { printf "%.17g", 4 * 29e9 / (2 - 0.15) }')
young=$(awk 'BEGIN { printf "%.17g", 2 * 29e9 * (1 + 0.15) }')

# compare PATH STYLE COEFFICIENTS: Fn and Ft differ by at most 1e-11 and 3e-4 of the largest ones (lever arms are R in
# LAMMPS, R - zeta here: 5e-5).
compare() {
  awk -F, -v by=spin -v style="pair_style $2
pair_coeff * * $3" -f "$tests/drive.awk" path.csv > script
  lammps 1 -screen none -in script
  expect_code 0 "$2 on ($1)"
  awk -F, -v what="($1) $2" '
    function size(x) { return x < 0 ? -x : x }
    FILENAME == "expected.csv" { if ($1 != "step") { fn[$1] = $5; ft[$1] = $6 } next }
    /^ITEM: TIMESTEP/ { getline; step = $1 }
    /^ITEM: ATOMS/ && step in fn {
      getline; split($0, f, " ")
      n = size(-f[4] - fn[step]); t = size(f[2] - ft[step]); steps++
      if (n > worst_n) worst_n = n
      if (t > worst_t) worst_t = t
      if (fn[step] > most_n) most_n = fn[step]
      if (size(ft[step]) > most_t) most_t = size(ft[step])
    }
    END {
      printf "%s: Fn differs by %.1e, Ft by %.1e\n", what, worst_n / most_n, worst_t / most_t
      exit !(steps > 100 && worst_n <= 1e-11 * most_n && worst_t <= 3e-4 * most_t)
    }' expected.csv forces.txt || fail "$2 on path ($1)"
}

for path in a b c d e f; do
  awk -v path=$path -v steps=200 -f "$tests/paths.awk" > path.csv
  "$jager" contact --radius 1e-3 --shear-modulus 29e9 --poisson 0.15 --friction 0.5 --model hertz-mindlin path.csv \
    > expected.csv
  compare $path granular \
    "hertz/material $young 0 0.15 tangential mindlin_rescale/force NULL 0 0.5 damping velocity"
  case $path in
  a | e | f) compare $path "gran/hertz/history $kn $kt 0 0 0.5 0" "" ;; # it keeps the shift: Fn must be constant
  esac
done

# collide RESTITUTION STYLE COEFFICIENTS: two spheres rebound with RESTITUTION of their velocity, to 0.001
collide() {
  cat > script << END
units si
atom_style sphere
atom_modify map yes
boundary f f f
comm_modify vel yes
region box block -0.01 0.01 -0.01 0.01 -0.01 0.01
create_box 1 box
create_atoms 1 single 0 0 0
create_atoms 1 single 0 0 0.0020001
set group all diameter 2e-3
set group all density 2650
group upper id 2
velocity upper set 0 0 -0.2
pair_style $2
pair_coeff * * $3
neighbor 1e-4 bin
timestep 1e-8
fix 1 all nve/sphere
run 140000
variable restitution equal (vz[2]-vz[1])/0.2
print "restitution \${restitution}"
END
  lammps 1 -in script
  expect_code 0 "a collision with $2 $3"
  awk -v expected="$1" -v what="$2 $3" '
    /^restitution/ { found = 1; print what ": " $0; if ($2 < expected - 0.001 || $2 > expected + 0.001) wrong = 1 }
    END { exit wrong || !found }' out || fail "$2 $3: the restitution is not $1"
}

# B = sqrt(5/6) (-ln e) / sqrt(pi^2 + ln^2 e) for e = 0.95, 0.8, 0.5, 0.3
collide 0.951 gran/jager "29e9 0.15 0.5 damping 0.0149026"
collide 0.808 gran/jager "29e9 0.15 0.5 damping 0.0646772"
collide 0.550 gran/jager "29e9 0.15 0.5 damping 0.196681"
collide 0.397 gran/jager "29e9 0.15 0.5 damping 0.326677"
# B of e = 0.8, 0.5, 0.3 for contacts that never pull, by the fit of Thornton et al. (2013)
collide 0.8 gran/jager "29e9 0.15 0.5 damping 0.0679029"
collide 0.5 gran/jager "29e9 0.15 0.5 damping 0.233025"
collide 0.3 gran/jager "29e9 0.15 0.5 damping 0.453619"
# LAMMPS' own damping for e = 0.5, which may pull
collide 0.616 granular "hertz/material $young 0.5 0.15 tangential mindlin NULL 0 0.5 damping tsuji"
finish
