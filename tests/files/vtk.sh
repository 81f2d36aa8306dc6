# SPDX-License-Identifier: MIT
# Files for ParaView, read by Python: vtk.sh TEST_VTK SOURCE_DIR
command -v python3 > /dev/null || { echo "skipped: python3 is not installed"; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/spheres" "$scratch/grains"
"$1" --write "$scratch/spheres" && python3 "$2/tests/files/check_vtk.py" "$scratch/spheres" &&
  "$1" --write-grains "$scratch/grains" && python3 "$2/tests/files/check_vtk.py" "$scratch/grains" grains
