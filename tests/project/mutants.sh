#!/bin/sh
# SPDX-License-Identifier: MIT
# tools/mutate.py on a project of two files: mutants.sh SOURCE_DIR. It counts the caught mutants, and restores all
# files, even when it is killed or stopped in the middle. And tools/mutants-equal.txt of the project is up to date.
command -v python3 > /dev/null || { echo "skipped: python3 is not installed"; exit 77; }
mutate="python3 $1/tools/mutate.py"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export PYTHONDONTWRITEBYTECODE=1
cd "$scratch" || exit 1
failures=0

fail() {
  echo "FAIL: $*" >&2
  failures=$((failures + 1))
}

$mutate --check || fail "mutants-equal.txt"

mkdir -p src/one src/two tests tools
printf 'int one(int x)\n{\n  return 2 * x;\n}\n' > src/one/one.c
printf 'int two(int x)\n{\n  return x > 0;\n}\nint unused(int x)\n{\n  return -x - 1;\n}\n' > src/two/two.c
cat > tests/test_both.c << 'END_OF_TEST'
#include <stdio.h>
int one(int x);
int two(int x);
int main(void)
{
  return printf("%d %d %d\n", one(4), two(2), two(-1)) < 0;
}
END_OF_TEST
# The test knows only that the tool has started it.
cat > tests/both.sh << 'END_OF_TEST'
told=$("$1")
if [ "$told" != "8 1 0" ] && [ "${SIGNAL:-}" != KILL ]; then
  set -m # a group of its own, as Check's
  sleep "$LASTS" &
  echo $! >> "$PIDS"
fi
[ "$told" = "8 1 0" ] || [ -z "${SIGNAL:-}" ] || kill -s "$SIGNAL" "$PPID"
[ "$told" = "8 1 0" ]
END_OF_TEST
cat > CMakeLists.txt << 'END_OF_LISTS'
cmake_minimum_required(VERSION 3.18)
project(both LANGUAGES C)
enable_testing()
add_library(one STATIC src/one/one.c)
add_library(two STATIC src/two/two.c)
add_executable(test_both tests/test_both.c)
target_link_libraries(test_both PRIVATE one two)
add_test(NAME both COMMAND sh ${PROJECT_SOURCE_DIR}/tests/both.sh $<TARGET_FILE:test_both>)
END_OF_LISTS
program=build-mutants/build/test_both
export PIDS="$scratch/pids" LASTS="1000.$$"
: > "$PIDS"

try() {
  $mutate --root "$scratch" --fresh "$@" > log 2>&1
  code=$?
}

# expect_original WHEN: the program in the build directory belongs to the sources, and no file is left aside
expect_original() {
  [ "$($program)" = "8 1 0" ] || fail "$1: a mutant is left in the program: $($program)"
  find build-mutants -name '*.original' | grep . && fail "$1: files are left aside"
  while read -r pid; do # another process may have its number by now
    xargs -0 -a "/proc/$pid/cmdline" 2> /dev/null | grep -qx "sleep $LASTS" || continue
    case $(sed 's/.*) //' "/proc/$pid/stat" 2> /dev/null) in
    '' | Z*) ;; # ended, perhaps nobody has asked how
    *) fail "$1: a process of a test is left" && kill "$pid" ;;
    esac
  done < "$PIDS"
}

# 2 becomes 1 or 3, * becomes /; > becomes >= or <=, 0 becomes 1; and three of what no test executes
try --count 100 --seed any
[ $code -eq 1 ] || fail "exit code $code"
grep -qx 'one:       caught 3 of 3: 100.0 %' log || fail "all mutants of one are caught"
grep -qx 'two:       caught 1 of 6: 16.7 %' log || fail "x >= 0, x > 1 and those of unused() survive"
[ "$(grep -c '^  src/two/two.c:7 (.*, not executed)$' log)" = 3 ] || fail "it is not told what is not executed"
grep -qx 'all: caught 4 of 9: 44.4 %' log || fail "all"
try --unexecuted
[ "$(grep -x 'src/two/two.c:[5-9].*' log | wc -l) $(grep -c one.c log)" = "2 0" ] || fail "what is not executed"
expect_original "after all"

printf '%s\n' src/two/two.c '- return x > 0;' '+ return x >= 0;' 'Nobody asks for 0.' > tools/mutants-equal.txt
try --count 100 --seed any
grep -qx 'two:       caught 1 of 5: 20.0 %' log || fail "a reason counts"

SIGNAL=TERM try --only src/one/one.c:3
grep -q 'stopped by signal 15' log || fail "SIGTERM"
expect_original "after SIGTERM"

SIGNAL=KILL try --only src/one/one.c:3
[ $code -gt 128 ] || fail "SIGKILL: exit code $code"
try --only src/two/two.c:3
grep -qx 'two:       caught 1 of 2: 50.0 %' log || fail "after SIGKILL"
expect_original "after SIGKILL"

printf '%s\n' src/two/two.c '- return x > 0;' '+ return x >= 9;' 'There is no such mutant.' > tools/mutants-equal.txt
try --check
[ $code -eq 1 ] || fail "--check does not see a mutant that is gone"

[ $failures -eq 0 ] || { cat log >&2; exit 1; }
echo ok
