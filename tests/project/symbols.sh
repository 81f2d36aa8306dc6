#!/bin/sh
# SPDX-License-Identifier: MIT
# Every symbol that a library exports begins with its prefix, and all functions that its headers declare are there.
#     symbols.sh PREFIX LIBRARY [HEADER...]
set -eu
prefix=$1
library=$2
shift 2
exported=$(nm -g --defined-only "$library" | awk 'NF == 3 { print $3 }' | sort -u)
strangers=$(echo "$exported" | grep -v "^$prefix" || true)
if [ -n "$strangers" ]; then
  echo "exported without the prefix $prefix:"
  echo "$strangers"
  exit 1
fi
missing=0
for name in $([ $# = 0 ] || sed -n "s/^JAGER_API .*[ *]\(${prefix}[a-z_0-9]*\)(.*/\1/p" "$@"); do
  echo "$exported" | grep -qx "$name" || { echo "declared but not exported: $name"; missing=1; }
done
echo "$(echo "$exported" | wc -l) symbols, all with the prefix $prefix"
exit $missing
