#!/bin/sh
# SPDX-License-Identifier: MIT
# Every symbol that a library exports begins with its prefix, and all functions that its headers declare are there. The
# soname of a shared library follows the version in its headers: libjager.so.0.1 before 1.0, then libjager.so.1.
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
case $library in
*.so*)
  expected=$(cat "$@" | awk '/^#define JAGER_VERSION_(MAJOR|MINOR) / { part[$2] = $3 }
    END { major = part["JAGER_VERSION_MAJOR"]
          print "libjager.so." (major > 0 ? major : major "." part["JAGER_VERSION_MINOR"]) }')
  soname=$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
  [ "$soname" = "$expected" ] || { echo "the soname is '$soname', not $expected"; missing=1; }
  ;;
esac
echo "$(echo "$exported" | wc -l) symbols, all with the prefix $prefix"
exit $missing
