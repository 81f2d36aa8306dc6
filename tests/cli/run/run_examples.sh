# SPDX-License-Identifier: MIT
# The example cases: each is valid and, made small, runs; stress targets are held and energies balance.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

examples="isotropic-compression biaxial biaxial-small triaxial-drained triaxial-undrained constant-p simple-shear \
cyclic-strain cyclic-undrained relaxation lattice-fcc gmax relative-density \
nevada toyoura"

ready_tests="modulus-reduction liquefaction-resistance" # cases with lists, see the end

# All of them are tested, and stand in the table of their README
for file in "$source_dir"/examples/*.yaml; do
  name=$(basename "$file" .yaml)
  case " $examples $ready_tests " in
  *" $name "*) ;;
  *) fail "$name.yaml is not tested" ;;
  esac
  grep -q "^| \[$name.yaml\]($name.yaml) |" "$source_dir/examples/README.md" || fail "$name.yaml is not in \
examples/README.md"
done

columns="step stage time time_step strain_xx strain_yy strain_zz strain_xy strain_xz strain_yz volumetric_strain \
stress_xx stress_yy stress_zz stress_xy stress_xz stress_yz p q void_ratio contacts coordination rattlers fabric_zz \
sliding_fraction normal_force_mean mobilised_friction overlap_max history_mean history_max unbalanced inertial_number \
servo_error kinetic work stored_normal stored_tangential dissipated_friction dissipated_damping energy_error"
can_draw || run_pictures=
drawn=cyclic-undrained # matplotlib takes seconds; run_force.sh draws a biaxial run

# last COLUMN NAME: of the last row
last() {
  column "$1" "$2/series.csv" | tail -n 1
}

for name in $examples; do
  file=$source_dir/examples/$name.yaml
  run check "$file"
  expect_code 0 "check $name"
  grep -q "^title " out || fail "$name has no title"

  # 300 spheres, packed in a moment; 1000 steps of each stage
  set -- --set checkpoint.steps=0
  case " $drawn " in
  *" $name "*) pictures=$run_pictures ;;
  *) pictures='' && set -- "$@" --set output.plots=false ;;
  esac
  if grep -q "^    shapes:" "$file"; then
    set -- "$@" --set assembly.packing.grains=100 --set "assembly.packing.sizes={uniform: {min: 0.1 mm, max: 0.2 mm}}"
  elif grep -q "^  packing:" "$file"; then
    set -- "$@" --set assembly.packing.spheres=300 --set assembly.packing.initial_density=0.58 \
      --set assembly.packing.unbalanced=0.01
  fi
  stages=$(grep -c "^stage " out)
  stage=0
  while [ $stage -lt "$stages" ]; do
    set -- "$@" --set "stages.$stage.until={steps: 1000}"
    stage=$((stage + 1))
  done
  run run "$file" -q --threads 1 -o "$name" "$@"
  expect_code 0 "run $name"
  case $doubts in
  *inertial_number* | *"not held"* | *"do not balance"* | *overlap_max*) fail "$name is beyond limits of the guide: \
$doubts" ;;
  esac
  expect_files "$name/series.csv" "$name/result.h5" "$name/checkpoint.jck"
  for picture in $pictures; do
    expect_files "$name/$picture.png" "$name/$picture.svg"
  done
  [ -z "$(find "$name" -name '*tmp*')" ] || fail "$name: half a file is left"
  for wanted in $columns; do
    head -n 1 "$name/series.csv" | grep -q "\(^\|,\)$wanted\(,\|\$\)" || fail "$name: no column $wanted"
  done
  expect_same "$(last stage "$name")" "$stages" "$name: stages"
  for stage in $(seq 1 "$stages"); do
    awk -F, -v stage="$stage" '
      function size(x) { return x < 0 ? -x : x }
      NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
      $at["stage"] == stage { servo[rows++] = $at["servo_error"]
        energy = $at["energy_error"]; overlap = $at["overlap_max"] }
      END {
        for (i = int(rows / 2); i < rows; i++) sum += servo[i] / (rows - int(rows / 2))
        if (!rows || !(sum < 0.01)) print "stress targets are missed by " sum " on average"
        if (!(size(energy) < 0.002)) print "the energies lack " energy
        if (!(overlap < 0.05)) print "spheres overlap by " overlap
      }' "$name/series.csv" > wrong
    [ ! -s wrong ] || fail "$name, stage $stage: $(cat wrong)"
  done
done

# What each of them shows
expect_close "$(last p isotropic-compression)" \
  "$(awk 'BEGIN { s = 1000 / 1501; p = 5e4 + s * (4e5 - 5e4); print p + s * (5e4 - p) }')" 1e3 "isotropic: p on its \
ramps"
expect_close "$(last strain_yy biaxial-small)" "$(column strain_yy biaxial-small/series.csv | awk -v n="$(
  column stage biaxial-small/series.csv | grep -c '[01]')" 'NR == n')" 1e-15 "biaxial: y is held"
expect_close "$(last stress_xx biaxial-small)" 100e3 2e3 "biaxial: the stress on the side"
expect_close "$(last stress_yy triaxial-drained)" 100e3 2e3 "drained: the stress on the other side"
expect_close "$(last volumetric_strain triaxial-undrained)" 0 1e-12 "undrained: the volume"
expect_close "$(last volumetric_strain cyclic-undrained)" 0 1e-12 "undrained cycles: the volume"
expect_close "$(last volumetric_strain nevada)" "$(column volumetric_strain nevada/series.csv |
  awk -v n="$(column stage nevada/series.csv | grep -c '[01]')" 'NR == n')" 1e-6 "nevada: the volume"
expect_close "$(last stress_yy toyoura)" 100e3 2e3 "toyoura: the stress on the other side"
expect_close "$(last p constant-p)" 100e3 2e3 "constant p"
expect_close "$(last stress_zz simple-shear)" 100e3 2e3 "simple shear: the vertical stress"
expect_close "$(last strain_xz simple-shear)" "$(awk 'BEGIN { print 1000 * 7e-7 }')" 1e-12 "simple shear: the angle"
[ -e biaxial/trace-1.csv ] || fail "biaxial: no trace"

# The smallest one in full: Thornton's criterion for the lattice, 2 (1 + f) / (1 - f)
run run "$source_dir/examples/lattice-fcc.yaml" -q --threads 1 -o lattice --set output.plots=false
expect_code 0 "all of lattice-fcc"
ratio=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  { r = $at["stress_zz"] / $at["stress_xx"]; if (r > peak) peak = r } END { print peak }' lattice/series.csv)
expect_close "$ratio" 6 0.06 "lattice: largest stress ratio"
[ -z "$doubts$(cat err)" ] || fail "all of lattice-fcc: told $doubts $(cat err)"

# The first one that users run, in full: within all limits of the guide
run run "$source_dir/examples/biaxial-small.yaml" -q -o small --set output.plots=false
expect_code 0 "all of biaxial-small"
[ -z "$doubts$(cat err)" ] || fail "all of biaxial-small: told $doubts $(cat err)"
# Ready tests, with fewer spheres, amplitudes and ratios
small_packing="--set assembly.packing.spheres=100 --set assembly.packing.unbalanced=0.02"
shear=stages.shear.modulus_reduction
# shellcheck disable=SC2086 # words
run run "$source_dir/examples/modulus-reduction.yaml" -q -o reduction $small_packing --set output.plots=false \
  --set "$shear.amplitudes=[1e-5, 1e-4]" --set $shear.steps_per_cycle=500 --set $shear.rest_steps=500
expect_code 0 "modulus reduction"
expect_same "$(wc -l < reduction/reduction.csv)" 5 "modulus reduction: lines"
expect_same "$(column damping_ratio_tolerance reduction/reduction.csv | sort -u)" 0 "modulus reduction: exact histories"
# shellcheck disable=SC2086 # words
run run "$source_dir/examples/liquefaction-resistance.yaml" -q -o resistance $small_packing --set output.plots=false \
  --set "stages.shaking.cyclic.csr=[0.2, 0.3]" --set stages.shaking.until.cycles=1
expect_code 0 "liquefaction resistance"
expect_same "$(wc -l < resistance/resistance.csv)" 5 "liquefaction resistance: lines"

finish
