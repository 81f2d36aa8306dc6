# SPDX-License-Identifier: MIT
# The examples of docs/lammps.md on 1 and 2 ranks: clumps of fix rigid/small, fix pour, flips of a triclinic box,
# balance and hybrid styles. Energy: what spheres lose in motion and height is stored or dissipated, and in shear the
# work done on the cell. A flip changes no force, and balancing no result.
# shellcheck source=engines/lammps/tests/lammps.inc
. "$2/engines/lammps/tests/lammps.inc"
for file in packed.data clumps.lmp pour.lmp flip.lmp balance.lmp hybrid.lmp; do
  cp "$source_dir/engines/lammps/examples/$file" . || fail "there is no $file"
done
table='/^ *Step/ { table = 1; for (i = 1; i <= NF; i++) at[$i] = i; next }
  /^Loop/ { table = 0 }
  !table || !/^ *[0-9]/ { next }'

# runs NAME RANKS OPTIONS...: runs an example
runs() {
  name=$1 count=$2
  shift 2
  lammps "$count" -in "$name.lmp" "$@"
  expect_code 0 "$name, $count ranks: $(grep ERROR out)"
}
# closed FROM TOLERANCE: from the step FROM on the energy is constant; its largest change is smaller than the tolerance
# times the energy that is dissipated meanwhile, and there are contacts in at least one line
closed() {
  awk -v from="$1" -v tolerance="$2" -v name="$name, $count ranks" "$table"'
    $1 < from { next }
    { lost = $at["f_JAGER[8]"] + $at["f_JAGER[9]"]; e = $at["v_energy"]; touch += $at["f_JAGER[1]"] }
    !n++ { e0 = e; lost0 = lost }
    { d = e - e0; if (d * d > worst * worst) worst = d < 0 ? -d : d }
    END { printf "%s: energy %.6g J, dissipated %.3g J, off by %.1e of that\n", name, e0, lost - lost0,
            worst / (lost - lost0)
          exit !(n > 3 && touch > 0 && lost > lost0 && worst < tolerance * (lost - lost0)) }' out ||
    fail "$name, $count ranks: energy is not kept"
}

for ranks in 1 2; do
  runs clumps $ranks -var steps 5000
  closed 0 0.005
  awk "$table"'{ d = $at["c_rotation"]; n++ } n == 1 { first = d } END { exit !(d > 1.05 * first) }' out ||
    fail "clumps, $ranks ranks: collisions do not turn them"
  runs pour $ranks -var steps 10000
  closed 2000 0.01
  last_thermo | awk '{ exit !($2 == 150) }' || fail "pour, $ranks ranks: $(last_thermo)"
  runs hybrid $ranks -var steps 4000
  closed 0 0.02
  last_thermo | awk '{ d = $5 + $6 - $7; exit !($6 < -1e-8 && d * d < 1e-20 * $6 * $6) }' ||
    fail "hybrid, $ranks ranks: energies of the styles: $(last_thermo)"

  # Shear: the energy rises by the work on the cell, the sum of (stress of this step and of the last one)/2 V strain
  for flip in no yes; do
    runs flip $ranks -var flip $flip
    awk "$table"'
      { xy = $at["Xy"]; lx = $at["Lx"]; s = $at["c_stress[4]"]; v = $at["v_work"]; e = $at["v_energy"]
        if ($1 in seen) next # the setup of the second run
        seen[$1] = 1 }
      n++ { work += (v0 + v) / 2 * strain; if ((s - s0)^2 > jump^2) jump = s - s0
            if (xy < xy0 - lx / 2) { flips++; xy0 -= lx }
            strain = (xy - xy0) / height } # after the forces: the movement of the next step
      { xy0 = xy; s0 = s; v0 = v; if (n == 1) { e0 = e; strain = 0 } }
      END { printf "%d flips, work %.4g J, energy %.4g J, largest change of the stress in a step %.3g Pa\n", flips,
              work, e - e0, jump }' height="$(awk '/ylo yhi/ { print $2 - $1 }' packed.data)" out > told
    echo "flip $flip, $ranks ranks: $(cat told)"
    awk "$table"'{ print $1, $at["f_JAGER[1]"], $at["f_JAGER[2]"], $at["c_stress[4]"], $at["PotEng"],
      $at["f_JAGER[8]"] }' out > flip-$flip
    read -r flips _ _ work _ _ energy _ < told
    awk -v flips="$flips" -v flip=$flip -v a="$work" -v b="$energy" 'BEGIN { d = a / b - 1
      exit !(flips == (flip == "yes") && b > 1e-6 && d * d < 0.01^2) }' || fail "flip $flip, $ranks ranks: $(cat told)"
  done
  # In every step as without flips: to 1e-7
  paste flip-no flip-yes | awk '{ for (i = 1; i <= 6; i++) { d = $i - $(i + 6)
      if (d * d > (i < 4 ? 0 : 1e-14) * $i * $i) { print "line " NR ": " $0; exit 1 } } }
    END { exit NR < 400 }' || fail "a flip changes something, $ranks ranks"
done

# Balancing: 2 ranks, the same results
runs balance 1 -var balance no
closed 0 0.01
expected=$(last_thermo | awk '{ $4 = ""; print }')
for setup in "2 no" "2 yes" "4 yes"; do
  runs balance "${setup% *}" -var balance "${setup#* }"
  difference=$(differ "$expected" "$(last_thermo | awk '{ $4 = ""; print }')" 1e-8)
  [ -z "$difference" ] || fail "balance, $setup: $difference"
  if [ "$setup" = "2 yes" ]; then
    last_thermo | awk '{ exit !($4 > 10) }' || fail "balance: no contact has changed its rank: $(last_thermo)"
    awk '/rescaling|initial\/final maximal load|max.*imbalance factor/ { print }' out | tail -n 2
  fi
done
finish
