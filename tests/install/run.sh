#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the library into a fresh place and uses it from outside: by CMake, by pkg-config, from C++; moved elsewhere
# afterwards, so that no path is baked in.
#     run.sh SOURCE_DIR BUILD_DIR
set -eu
source=$1
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" > "$work/log" || { cat "$work/log"; exit 1; }
mv "$work/first" "$work/prefix"

echo "by find_package"
version=$(awk '/^#define JAGER_VERSION_(MAJOR|MINOR|PATCH) / { printf "%s%s", dot, $3; dot = "." }' \
  "$work/prefix/include/jager/jager.h")
cmake -S "$source/tests/install" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DJAGER_VERSION="$version" \
  > "$work/log" 2>&1 &&
  cmake --build "$work/build" >> "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$work/build/outside"
"$work/build/outside_cxx"

echo "by pkg-config"
pc=$(find "$work/prefix" -name jager.pc)
flags=$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --cflags --libs jager)
# shellcheck disable=SC2086 # the flags are words
cc "$source/tests/install/main.c" -o "$work/outside" $flags
"$work/outside"
test -x "$work/prefix/bin/jager" && "$work/prefix/bin/jager" --version
