#!/bin/sh
# SPDX-License-Identifier: MIT
# Line coverage of src/contact by its own tests, in a build with assertions. Fails below 95 %.
#     coverage.sh [BUILD_DIR]
set -eu
build=${1:-build-coverage}
mkdir -p "$build"
cmake --preset coverage -B "$build" > "$build/configure.log" 2>&1 || { cat "$build/configure.log"; exit 1; }
sh tools/progress.sh build cmake --build "$build" --parallel "$(nproc)" -- --silent
find "$build" -name '*.gcda' -delete
# Left out: the simulator and the program, which are slow without optimisation; sanitizers run them with assertions
export CK_TIMEOUT_MULTIPLIER=10
sh tools/progress.sh tests ctest --test-dir "$build" --output-on-failure --parallel "$(nproc)" \
  -E '^(cli_|links|project|api|install|vtk|adversary|random_cases)|'\
'test_(case|csv|dem_|series|vtk|result|run|progress|number|thread|whole)'
# gcov may print branch counts below zero, which gcovr would refuse; lines are counted all the same.
gcovr --root . --object-directory "$build" --filter src/contact/ --filter include/jager/ --fail-under-line 95 \
  --gcov-ignore-parse-errors "$build/src/contact" 2> "$build/gcovr.log" || { tail -5 "$build/gcovr.log"; exit 1; }
