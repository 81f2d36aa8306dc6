#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs everything into an empty prefix and uses it: by CMake, by pkg-config, from C++, by a stock LAMMPS. Then moves
# the prefix, since no path may be fixed in it, and uses it again. The examples of the documentation compile.
#     run.sh SOURCE_DIR BUILD_DIR
set -eu
source=$1
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# quiet COMMAND...: shows its output only if it fails
quiet() {
  "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; echo "FAIL: $*" >&2; exit 1; }
}

by_cmake() {
  version=$(awk '/^#define JAGER_VERSION_(MAJOR|MINOR|PATCH) / { printf "%s%s", dot, $3; dot = "." }' \
    "$prefix/include/jager/jager.h")
  quiet cmake -S "$source/tests/install" -B "$prefix-build" -DCMAKE_PREFIX_PATH="$prefix" -DJAGER_VERSION="$version"
  quiet cmake --build "$prefix-build"
  "$prefix-build/outside"
  "$prefix-build/outside_cxx"
}

# compile SOURCE... OPTIONS...: with what pkg-config says about this prefix
compile() {
  flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name jager.pc)") pkg-config --cflags --libs jager)
  # shellcheck disable=SC2086 # the flags are words
  quiet cc -std=c17 -Wall -Werror -Wno-unused "$@" $flags
}

# Every C example in README.md and docs. The page shows the output of whole programs.
examples() {
  mkdir "$work/examples"
  for page in "$source/README.md" "$source"/docs/*.md "$source"/docs/*/*.md; do
    rm -f "$work/examples"/*
    awk -v out="$work/examples" -f "$source/tests/install/examples.awk" "$page"
    for file in "$work/examples"/*; do
      case $file in
      */program-*)
        compile "$file" -o "$work/program"
        shown=$("$work/program")
        grep -qF "$shown" "$page" || { echo "FAIL: $page does not show: $shown" >&2; exit 1; }
        ;;
      */part-*) compile "$file" -I "$source/tests/install" -c -o "$work/object" ;;
      *) continue ;;
      esac
      echo "${page##*/}: ${file##*/}"
    done
  done > "$work/compiled"
  cat "$work/compiled"
  grep -q '^README.md: program-1.c$' "$work/compiled" || { echo "FAIL: no example in README.md"; exit 1; }
  compile "$source/examples/embed.c" -o "$work/program"
  "$work/program"
}

# Where the loader looks for libraries: LAMMPS and MPI may be anywhere
library_folders() {
  readelf -d "$1" | sed -n 's/.*R[UN]*PATH.*\[\([^:].*[^:]\):*\]/\1/p'
}

# The styles in lmp_jager, and in a stock lmp of the version they were compiled for
by_lammps() {
  [ -f "$prefix/share/jager/jager.lmp" ] || return 0
  lmp_jager=$prefix/bin/lmp_jager
  [ "$(library_folders "$lmp_jager")" = "$(library_folders "$build/engines/lammps/lmp_jager")" ] ||
    { echo "FAIL: the installed lmp_jager looks for libraries in '$(library_folders "$lmp_jager")'"; exit 1; }
  version=$("$lmp_jager" -h | sed -n 's/^Large-scale.* Simulator - //p')
  style='units si\natom_style sphere\nregion all block 0 1 0 1 0 1\ncreate_box 1 all\npair_style gran/jager'
  printf "$style\n" > "$work/script"
  quiet "$lmp_jager" -log none -in "$work/script"
  lmp -h 2> "$work/log" | grep -qF "Simulator - $version" || { echo "without stock lmp $version" && return 0; }
  printf "include $prefix/share/jager/jager.lmp\n$style\n" > "$work/script"
  quiet lmp -log none -in "$work/script"
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  quiet mpirun --oversubscribe --bind-to none -np 2 lmp -log none -in "$work/script"
}

use() {
  echo "in $prefix"
  "$prefix/bin/jager" --version
  by_cmake
  compile "$source/tests/install/main.c" -o "$work/outside"
  "$work/outside"
  by_lammps
}

prefix=$work/first
quiet cmake --install "$build" --prefix "$prefix"
use
mv "$prefix" "$work/second"
prefix=$work/second
use
examples
