#!/bin/sh
# SPDX-License-Identifier: MIT
# Every symbol that a library of ours exports begins with jager_, and the header's functions are all there.
#     symbols.sh LIBRARY HEADER
set -eu
library=$1
header=$2
exported=$(nm -g --defined-only "$library" | awk 'NF == 3 { print $3 }' | sort -u)
strangers=$(echo "$exported" | grep -v '^jager_' || true)
if [ -n "$strangers" ]; then
  echo "exported without the prefix:"
  echo "$strangers"
  exit 1
fi
missing=0
for name in $(sed -n 's/^JAGER_API .*[ *]\(jager_[a-z_0-9]*\)(.*/\1/p' "$header"); do
  echo "$exported" | grep -qx "$name" || { echo "declared but not exported: $name"; missing=1; }
done
count=$(echo "$exported" | wc -l)
echo "$count symbols, all prefixed"
exit $missing
