#!/bin/sh
# SPDX-License-Identifier: MIT
# The binary interface of the shared library (functions, types, members and enumerators) equals libjager.abi, by abidiff
# of libabigail.
#     interface.sh SOURCE_DIR LIBRARY [--make]
# --make (`make interface`) writes libjager.abi anew, after the interface was changed on purpose. CONTRIBUTING.md says
# when it may be.
set -eu
headers=$1/include/jager
dump=$1/tests/project/libjager.abi
library=$2
command -v abidiff > /dev/null || { echo "skipped: abidiff is not installed (package abigail-tools)"; exit 77; }

if [ "${3:-}" = --make ]; then
  # no paths, and nothing that is not public
  abidw --headers-dir "$headers" --drop-private-types --drop-undefined-syms --no-show-locs --no-comp-dir-path \
    --no-corpus-path --no-elf-needed --no-write-default-sizes --type-id-style hash "$library" > "$dump.new"
  mv "$dump.new" "$dump"
  echo "$dump: $(grep -c '<function-decl name=.jager_' "$dump") functions"
  exit 0
fi

case $(readelf -h "$library") in
*X86-64*) ;;
*) echo "skipped: libjager.abi is for x86-64" && exit 77 ;;
esac
abidiff --harmless --no-unreferenced-symbols --headers-dir2 "$headers" --drop-private-types "$dump" "$library" || {
  echo "The binary interface has changed. If it was meant to: make interface"
  exit 1
}
# abidiff detects changes: a member less is one
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sed "/<var-decl name='dp_max'/d" "$dump" > "$scratch/changed.abi"
! abidiff --no-unreferenced-symbols "$scratch/changed.abi" "$dump" > "$scratch/log" || {
  echo "abidiff sees no change where there is one"
  exit 1
}
