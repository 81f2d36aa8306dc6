#!/bin/sh
# SPDX-License-Identifier: MIT
# Configures a build directory, if need be, and builds targets in it.
#     build.sh [--tests] BUILD_DIR TARGET...
# --tests configures the tests, the pair style for LAMMPS and the Python package, too.
set -eu
tests=OFF
[ "$1" = --tests ] && tests=ON && shift
build=$1
shift

has() {
  grep -q "^$1" "$build/CMakeCache.txt" 2> /dev/null
}

# names VARIABLE FOLDER: the cache names this folder, by whatever path
names() {
  named=$(sed -n "s/^$1:INTERNAL=//p" "$build/CMakeCache.txt")
  [ "$(cd "$named" 2> /dev/null && pwd -P)" = "$(cd "$2" && pwd -P)" ]
}

# In a copy of a build directory `cmake --build` would build into the original, and succeed. CMake writes the Makefile
# after the cache: without it, the last configuration has failed.
is_of_this_tree() {
  [ -f "$build/Makefile" ] && names CMAKE_HOME_DIRECTORY . && names CMAKE_CACHEFILE_DIR "$build"
}

# The program alone is configured without tests, LAMMPS and Python: they take time and packages that it does not need. A
# LAMMPS or cffi that was not found may have been installed since.
is_configured() {
  is_of_this_tree || return 1
  [ $tests = OFF ] || { has JAGER_TESTS:BOOL=ON && has JAGER_PYTHON_IS_BUILT:INTERNAL=ON &&
    ! has JAGER_LAMMPS_LIB:FILEPATH=JAGER_LAMMPS_LIB-NOTFOUND; }
}

if ! is_configured; then
  mkdir -p "$build"
  cmake --preset release -B "$build" -DJAGER_TESTS=$tests -DJAGER_LAMMPS=$tests -DJAGER_PYTHON=$tests \
    > "$build/configure.log" 2>&1 || {
    cat "$build/configure.log"
    echo "build: CMake cannot configure $build; if it was copied or moved, remove it: rm -r $build" >&2
    exit 1
  }
fi
exec sh tools/progress.sh build cmake --build "$build" --parallel "${JOBS:-$(nproc)}" --target "$@" -- --silent
