# SPDX-License-Identifier: MIT
# All files compile, without a warning, against the headers of other versions of LAMMPS, with small and with big atom
# IDs. JAGER_LAMMPS_SOURCES names their directories `src`, with colons between them. Nothing is linked: no LAMMPS need
# be built. The arguments are the source directory, CMake and the two compilers.
set -u
source_dir=$1 cmake=$2 cc=$3 cxx=$4
if [ -z "${JAGER_LAMMPS_SOURCES:-}" ]; then
  echo "skipped: JAGER_LAMMPS_SOURCES names no src directory of LAMMPS"
  exit 77
fi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
: > "$scratch/liblammps.so" # never opened
failures=0

# compiles SRC IDS: configures and compiles as users do, apart from linking. Output goes to the file log.
compiles() {
  "$cmake" -S "$source_dir" -B "$scratch/build" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
    -DCMAKE_BUILD_TYPE=Debug -DJAGER_WERROR=ON -DJAGER_PROGRAM=OFF -DJAGER_TESTS=OFF -DJAGER_PYTHON=OFF \
    -DJAGER_LAMMPS_INCLUDE="$1" -DJAGER_LAMMPS_LIB="$scratch/liblammps.so" -DJAGER_LAMMPS_DEFINES="LAMMPS_$2" \
    > "$scratch/log" 2>&1 || return
  grep -q "MPI: not found" "$scratch/log" && { echo "skipped: there is no MPI"; exit 77; }
  "$cmake" --build "$scratch/build" --target jager_lammps_objects lmp_jager_objects >> "$scratch/log" 2>&1
}

IFS=:
for src in $JAGER_LAMMPS_SOURCES; do
  version=$(sed -n 's/^#define LAMMPS_VERSION "\(.*\)"/\1/p' "$src/version.h" 2> /dev/null)
  for ids in SMALLBIG BIGBIG; do
    if compiles "$src" "$ids"; then
      echo "LAMMPS ${version:-of unknown version}, $ids, $(grep -o 'c++[0-9]*$' "$scratch/log" | head -n 1): compiles"
    else
      echo "FAIL: LAMMPS ${version:-of unknown version} in $src, $ids:" >&2
      grep -E -m 10 'error|Error|LAMMPS:' "$scratch/log" >&2
      failures=$((failures + 1))
    fi
    rm -rf "$scratch/build"
  done
done
exit $((failures > 0))
