#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes one jager.c and one jager.h of libjager, for people who put the contact into their own code.
#     tools/amalgamate.sh SOURCE_DIR OUTPUT_DIR SOURCES...
# Each internal header is put where it is first included; the public headers become one.
set -eu
root=$1
output=$2
shift 2
mkdir -p "$output"

{
  printf '/* SPDX-License-Identifier: MIT */\n'
  printf '/* libjager in one file, made by tools/amalgamate.sh. Compile it with -ffp-contract=off. */\n'
  sed -e 's/^/ * /' -e '1i /*' -e '$a \ */' "$root/LICENSE"
  printf '#undef JAGER_LANES /* lanes of several widths need several files */\n'
  printf '#include "jager.h"\n'
  awk -v root="$root/" '
    function exists(path,   line, found) {
      found = (getline line < path) >= 0
      close(path)
      return found
    }
    # The path of the header that a file includes by this name
    function header_path(name, from) {
      sub(/[^\/]*$/, "", from)
      return exists(from name) ? from name : root "src/" name
    }
    function put(path,   line, name) {
      if (path in done)
        return
      done[path] = 1
      name = substr(path, 1, length(root)) == root ? substr(path, length(root) + 1) : path
      printf "\n/* ==== %s ==== */\n\n", name
      while ((getline line < path) > 0) {
        if (line ~ /^#include "/) {
          split(line, part, "\"")
          if (part[2] !~ /^jager\//)
            put(header_path(part[2], path))
        } else if (line !~ /SPDX-License-Identifier/)
          print line
      }
      close(path)
    }
    BEGIN { for (i = 1; i < ARGC; i++) put(ARGV[i]) }' "$@"
} > "$output/jager.c.new"
{
  cat "$root/include/jager/jager.h"
  for header in "$root"/include/jager/*.h; do # the other public headers
    case ${header##*/} in jager.h | compact.h) continue ;; esac # compact.h stands alone
    sed -e '/^#include "jager\//d' -e '/SPDX-License-Identifier/d' "$header"
  done
} > "$output/jager.h.new"
mv "$output/jager.h.new" "$output/jager.h"
mv "$output/jager.c.new" "$output/jager.c"
