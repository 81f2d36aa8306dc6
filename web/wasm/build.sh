#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles libjager and the simulator to WebAssembly:
#     build.sh OUTDIR            makes OUTDIR/jager.wasm
#     build.sh OUTDIR --tests    also test_golden.wasm and test_dem_golden.wasm, the tests of golden hashes, of the same
#                                objects, for web/tests/node
# It needs clang, lld, wasi-libc and libclang-rt-14-dev-wasm32 (tools/setup.sh web); without them it exits with 77. It
# does nothing if no source is newer than the module.
#
# The sources are the same as in the native build; web/wasm has the functions that engine.js calls, and what stands for
# threads, files and system. The module has no imports: it opens no files, reads no clock, prints nothing.
set -eu
case ${2-} in '' | --tests) ;; *) set -- ;; esac
[ $# -ge 1 ] || { echo "usage: build.sh OUTDIR [--tests]" >&2; exit 2; }
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1/objects"
out=$(cd "$1" && pwd)
cd "$root"
jobs=${JOBS:-$(nproc 2> /dev/null || echo 2)}

is_current() {
  for file in jager ${2:+test_golden test_dem_golden}; do
    [ -f "$out/$file.wasm" ] || return 1
    newer=$(find include src/base src/contact src/dem src/files src/laws web/wasm web/tests/node/check tests/support \
      tests/contact/test_golden.c tests/dem/test_dem_golden.c -name '*.[chs]*' -newer "$out/$file.wasm")
    [ -z "$newer" ] || return 1
  done
}

has_compiler() {
  echo '#include <stdlib.h>' | clang --target=wasm32-wasi -nostartfiles -Wl,--no-entry -Wl,--export=malloc -x c - \
    -o "$out/objects/probe.wasm" -lm 2> "$out/objects/probe.log"
}

if is_current "$@"; then
  exit 0
fi
if ! has_compiler; then
  echo "there is no compiler for WebAssembly: sh tools/setup.sh web installs it" >&2
  exit 77
fi

# No contraction: the bits of every other compiler
export CFLAGS="--target=wasm32-wasi -std=c17 -O2 -ffp-contract=off -fno-math-errno -fno-trapping-math -DNDEBUG
  -D_GNU_SOURCE -fvisibility=hidden -ffunction-sections -fdata-sections -Wall -Wextra
  -Iweb/wasm/one_thread -Iinclude -Isrc -Iweb/wasm"
link="clang --target=wasm32-wasi -Wl,--gc-sections -Wl,--strip-all -Wl,--stack-first -Wl,-z,stack-size=524288"

# compile SOURCE...: each into objects/
compile() {
  # shellcheck disable=SC2016 # the inner shell expands
  printf '%s\n' "$@" | OUT=$out xargs -P "$jobs" -n 1 sh -c \
    'exec clang $CFLAGS -c "$0" -o "$OUT/objects/$(echo "$0" | tr / -).o"'
}

# objects_of SOURCE...: their names
objects_of() {
  for source in "$@"; do
    echo "$out/objects/$(echo "$source" | tr / -).o"
  done
}

# The simulator without its files
library="$(find src/contact src/dem -name '*.c' ! -path 'src/dem/checkpoint/*' ! -name '*_file.c' \
    ! -name change_case.c | sort)
  src/laws/law_contact.c src/laws/springs.c src/files/path_reader.c src/base/text.c src/base/error.c
  web/wasm/no_files.c web/wasm/one_thread.c"
glue="web/wasm/contact.c web/wasm/assembly.c web/wasm/no_system.c"
exports="malloc free $(sed -n 's/^WEB_EXPORT.*\(web_[a-z_]*\)(.*/\1/p' web/wasm/*.c)"

# shellcheck disable=SC2086 # lists of words, here and below
compile $library $glue
flags=""
for name in $exports; do
  flags="$flags -Wl,--export=$name"
done
# shellcheck disable=SC2086,SC2046
$link -nostartfiles -Wl,--no-entry $flags $(objects_of $library $glue) -o "$out/jager.wasm.new" -lm
mv "$out/jager.wasm.new" "$out/jager.wasm"

if [ "${2-}" = --tests ]; then
  CFLAGS="$CFLAGS -Iweb/tests/node/check -Itests/support -DJAGER_TESTS_SCRATCH_H" # tests/support/scratch.h is of files
  tests="tests/contact/test_golden.c tests/dem/test_dem_golden.c"
  harness="tests/support/unit_test.c tests/support/unit_test_main.c"
  # shellcheck disable=SC2086
  compile $tests $harness
  for test in $tests; do
    # shellcheck disable=SC2086,SC2046
    $link $(objects_of "$test" $harness $library) -o "$out/$(basename "$test" .c).wasm" -lm
  done
fi
