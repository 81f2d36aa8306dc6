# SPDX-License-Identifier: MIT
# Files for ParaView, read by Python: vtk.sh TEST_VTK SOURCE_DIR
command -v python3 > /dev/null || { echo "skipped: python3 is not installed"; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
"$1" --write "$scratch" && python3 "$2/tests/files/check_vtk.py" "$scratch"
