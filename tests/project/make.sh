#!/bin/sh
# SPDX-License-Identifier: MIT
# `make` and `make install`, with the Makefile and tools of the project and a small CMakeLists.txt in place of its own:
# a command fails if CMake, the compiler or a copied tree does, and installs into the given directory.
#     make.sh SOURCE_DIR
set -eu
source=$1
work=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL BUILD PREFIX DESTDIR

mkdir -p "$work/first/tools"
cd "$work/first"
cp "$source/Makefile" "$source/CMakePresets.json" .
cp "$source/tools/build.sh" "$source/tools/progress.sh" tools
: > tools/setup.sh # nothing is to be installed by apt
project() {
  printf '%s\n' 'cmake_minimum_required(VERSION 3.18)' 'project(small LANGUAGES C)' \
    "set(CMAKE_INSTALL_PREFIX $work/configured)" "$@" > CMakeLists.txt
}

# run CODE TEXT ARGS...: make ends with this code (0, or 2 for any failure) and prints the text; "done" if it succeeds
run() {
  wanted=$1 text=$2 code=0
  shift 2
  make "$@" > "$work/out" 2>&1 || code=$?
  done=$(grep -c '^build: \(done\|up to date\)' "$work/out" || true)
  if [ $code -ne "$wanted" ] || [ "$done" -ne $((wanted == 0)) ] || ! grep -qF -- "$text" "$work/out"; then
    cat "$work/out"
    echo "FAIL: make $* in $PWD: exit code $code instead of $wanted, \"done\" $done times, or no \"$text\""
    exit 1
  fi
}

project 'message(FATAL_ERROR "no libsmall")'
run 2 'no libsmall'
run 2 'no libsmall' # nor may the second attempt take the failed first one as configured
project 'add_executable(small small.c)' 'add_custom_target(jager_program)' 'add_custom_target(jager_python)' \
  'install(TARGETS small RUNTIME DESTINATION bin)'
echo 'int main(void) { return nothing; }' > small.c
run 2 nothing
echo 'int main(void) { return 0; }' > small.c
run 0 'done in'
run 0 'up to date'

rm build/configure.log
ln -s first ../link
(cd ../link && run 0 'up to date')
[ ! -e build/configure.log ] || { echo "FAIL: configured anew, under another name"; exit 1; }

cp -R . ../second
cd ../second
echo 'int main(void) { return 1; }' > small.c
run 2 'rm -r build'
../first/build/small # the program of the first tree has not been rebuilt
rm -r build
run 0 'done in'
if build/small; then echo "FAIL: the second tree has the program of the first"; exit 1; fi
cp -R build copied
run 2 'rm -r copied' BUILD=copied

run 0 "$work/prefix/bin/small" install PREFIX="$work/prefix"
run 0 "$work/stage/opt/bin/small" install PREFIX=/opt DESTDIR="$work/stage"
cmp build/small "$work/prefix/bin/small"
cmp build/small "$work/stage/opt/bin/small"
run 0 "$work/configured/bin/small" install

# The site does without the explorer where there is no compiler for it (77), but not where that fails
mkdir -p site web/wasm
echo 'exit "$CODE"' > web/wasm/build.sh
: > site/build.sh
run 0 'up to date' site CODE=77
if make site CODE=3 > "$work/out" 2>&1; then
  cat "$work/out"
  echo "FAIL: make site succeeds"
  exit 1
fi
if make test > "$work/out" 2>&1 || ! grep -q 'No tests were found' "$work/out"; then
  cat "$work/out"
  echo "FAIL: make test without tests succeeds, or does not say why it fails"
  exit 1
fi
echo "make: fails where it must, and installs to PREFIX"
