#!/bin/sh
# SPDX-License-Identifier: MIT
# Times the Python package against C, in turns on one core: a path of 1,000,000 movements of one contact, movements of
# 100,000 contacts at once, and steps of 4,096 spheres against the program's own loop.
#     python_speed.sh [--build DIR] [--core N]
set -eu
build=build core=0
while [ $# -gt 0 ]; do
  case $1 in
  --build) build=$2 && shift 2 ;;
  --core) core=$2 && shift 2 ;;
  *) echo "python_speed.sh: unknown option $1" >&2 && exit 2 ;;
  esac
done
python=/usr/bin/python3
[ -x $python ] || python=python3
export PYTHONPATH="$build/python"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
turns() {
  $python bench/take_turns.py --core "$core" "$@"
}

$python bench/python_arrays.py --make "$dir/moves"
echo "one contact, 1,000,000 movements: ns a movement, loop of jager_contact_move in C and Contact.walk"
turns --turns 15 --steps 1 --warm 1 "$dir/moves" c="$build/bench/arrays" copy="$build/bench/arrays" \
  python="$python bench/python_arrays.py"
echo "100,000 contacts at once: ns a movement, jager_contacts_move in C and Contacts.move"
turns --turns 15 --steps 16 --warm 2 "$dir/moves" c="$build/bench/arrays" copy="$build/bench/arrays" \
  python="$python bench/python_arrays.py"

"$build/src/cli/jager" run examples/biaxial.yaml -o "$dir/run" --quiet --set output.plots=false --set trace=[] \
  --set stages.biaxial.until.steps=3000 > "$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
cat > "$dir/case.yaml" << 'END'
jager: 1
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
assembly: {checkpoint: run/checkpoint.jck}
stages:
  - name: biaxial
    control: {xx: {stress: 4 MPa}, yy: {strain_rate: 0}, zz: {strain_step: 1e-6}}
    until: {steps: 1000000}
END
echo "4,096 spheres: ns a contact and step, the program's loop and Simulation.step(200)"
turns --turns 12 --steps 200 "$dir/case.yaml" program="$build/bench/step" copy="$build/bench/step" \
  python="$python bench/python_step.py"
