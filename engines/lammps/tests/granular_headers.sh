# SPDX-License-Identifier: MIT
# The sub-model of engines/lammps/granular compiles, without a warning, against the headers of each LAMMPS that has the
# package GRANULAR with sub-models, with small and with big atom IDs. JAGER_LAMMPS_SOURCES names their directories
# `src`, with colons between them. Nothing is linked, and LAMMPS' own stub stands for MPI. The arguments are the source
# directory and the compiler.
set -u
source_dir=$1 cxx=$2
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failures=0 compiled=0

# compiles SRC IDS STANDARD FILE: output goes to the file log. LAMMPS counts with int, hence one warning less.
compiles() {
  "$cxx" "-std=$3" -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror "-DLAMMPS_$2" \
    -isystem "$1" -isystem "$1/GRANULAR" -isystem "$1/STUBS" -I "$source_dir/include" -c "$4" -o "$scratch/object" \
    > "$scratch/log" 2>&1
}

# Prints the lowest standard that the headers alone are content with.
standard_of() {
  echo '#include "granular_model.h"' > "$scratch/headers.cpp"
  for standard in c++11 c++14 c++17 c++20; do
    compiles "$1" SMALLBIG "$standard" "$scratch/headers.cpp" && { echo "$standard"; return; }
  done
}

IFS=:
for src in ${JAGER_LAMMPS_SOURCES:-}; do
  version=$(sed -n 's/^#define LAMMPS_VERSION "\(.*\)"/\1/p' "$src/version.h" 2> /dev/null)
  [ -f "$src/GRANULAR/gran_sub_mod.h" ] || { echo "LAMMPS ${version:-$src}: has no sub-models"; continue; }
  lowest=$(standard_of "$src")
  for ids in SMALLBIG BIGBIG; do
    compiled=$((compiled + 1))
    if compiles "$src" "$ids" "${lowest:-c++17}" "$source_dir/engines/lammps/granular/gran_sub_mod_jager.cpp"; then
      echo "LAMMPS ${version:-of unknown version}, $ids, $lowest: compiles"
    else
      echo "FAIL: LAMMPS ${version:-of unknown version} in $src, $ids:" >&2
      grep -E -m 10 'error' "$scratch/log" >&2
      failures=$((failures + 1))
    fi
  done
done
if [ "$compiled" -eq 0 ]; then
  echo "skipped: JAGER_LAMMPS_SOURCES names no src directory of LAMMPS with sub-models"
  exit 77
fi
exit $((failures > 0))
