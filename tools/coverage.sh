#!/bin/sh
# SPDX-License-Identifier: MIT
# Line coverage of src/contact by the tests, from gcc's own figures. Fails below 95 %.
#     coverage.sh [BUILD_DIR]
set -eu
build=${1:-build-coverage}
cmake -S . -B "$build" -DJAGER_COVERAGE=ON -DJAGER_LAMMPS=OFF -DCMAKE_BUILD_TYPE=Debug > /dev/null
cmake --build "$build" --parallel "$(nproc)" > "$build/log" 2>&1 || { cat "$build/log"; exit 1; }
find "$build" -name '*.gcda' -delete
(cd "$build" && ctest --output-on-failure --parallel "$(nproc)" -E '^(cli_|install|symbols|vtk|test_(dem|case|series|vtk|result|run_plot|progress))' > ctest.log) ||
  { tail -40 "$build/ctest.log"; exit 1; }
objects=$(cd "$build/src/contact/CMakeFiles/jager.dir" && pwd)
mkdir -p "$build/gcov"
status=0
(cd "$build/gcov" && for file in "$objects"/*.gcda; do gcov -o "$objects" "$file" 2> /dev/null; done) |
  awk '/^File .*src\/contact\// { name = $2; gsub(/.*\/|\x27/, "", name); wanted = 1; next }
       /^File / { wanted = 0 }
       /^Lines executed:/ && wanted { split($0, part, /[:% ]+/); lines = $NF; share = part[3];
         if (lines > total[name]) total[name] = lines;
         hit = share * lines / 100; if (hit > covered[name]) covered[name] = hit }
       END { for (name in total) { printf "%-14s %6.2f %% of %d lines\n", name, 100 * covered[name] / total[name], total[name];
               all += total[name]; sum += covered[name] }
             printf "%-14s %6.2f %% of %d lines\n", "src/contact", 100 * sum / all, all
             exit !(sum / all >= 0.95) }' > "$build/coverage.txt" || status=1 # no lines at all fail as well
sort "$build/coverage.txt"
exit $status
