#!/bin/sh
# SPDX-License-Identifier: MIT
# Line coverage of src/contact by the tests of the contact and the simulator, in a build with assertions. Fails below
# 95 %.
#     coverage.sh [BUILD_DIR]
set -eu
build=${1:-build-coverage}
mkdir -p "$build"
cmake --preset coverage -B "$build" > "$build/configure.log" 2>&1 || { cat "$build/configure.log"; exit 1; }
sh tools/progress.sh build cmake --build "$build" --parallel "$(nproc)" -- --silent
find "$build" -name '*.gcda' -delete
# Left out: the program and the readers and writers of files, which use little of the contact
export CK_TIMEOUT_MULTIPLIER=10
sh tools/progress.sh tests ctest --test-dir "$build" --output-on-failure --parallel "$(nproc)" \
  -E '^(cli_|links|project|vtk|test_(case|series|vtk|result|run_|progress))'
# gcov may print branch counts below zero, which gcovr would refuse; lines are counted all the same.
gcovr --root . --object-directory "$build" --filter src/contact/ --fail-under-line 95 --gcov-ignore-parse-errors \
  "$build/src/contact" 2> "$build/gcovr.log" || { tail -5 "$build/gcovr.log"; exit 1; }
