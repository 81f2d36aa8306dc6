#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes one jager.c of libjager, beside its public headers, for people who put the contact into their own code; and
# jager_lanes_W.c, which compute W pairs side by side, for those who want them.
#     tools/amalgamate.sh SOURCE_DIR OUTPUT_DIR SOURCES...
# Each internal header is put where it is first included. The public headers are copied to the folder jager, so that the
# same #include <jager/jager.h> finds them here and in an installed library.
set -eu
root=$1
output=$2
shift 2
mkdir -p "$output/jager"

licence() {
  printf '/* SPDX-License-Identifier: MIT */\n'
  sed -e 's/^/ * /' -e '1i /*' -e '$a \ */' "$root/LICENSE"
}

# join SOURCE...: their text, with their headers in it
join() {
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
    function put(path,   line, name, found) {
      if (path in done)
        return
      done[path] = 1
      name = substr(path, 1, length(root)) == root ? substr(path, length(root) + 1) : path
      printf "\n/* ==== %s ==== */\n\n", name
      while ((found = (getline line < path)) > 0) {
        if (line ~ /^#include "/ && line !~ /^#include "jager\//) {
          split(line, part, "\"")
          put(header_path(part[2], path))
        } else if (line !~ /SPDX-License-Identifier/)
          print line
      }
      close(path)
      if (found < 0) {
        print "amalgamate.sh: cannot read " path > "/dev/stderr"
        exit 1
      }
    }
    BEGIN { for (i = 1; i < ARGC; i++) put(ARGV[i]) }' "$@"
}

kernels=""
for source in "$@"; do # all but the kernels go into jager.c: they move to the end of the list
  shift
  case $source in
  */kernel_*.c) kernels="$kernels $source" ;;
  *) set -- "$@" "$source" ;;
  esac
done

{
  licence
  cat << 'END'
/*
 * libjager in one file, made by tools/amalgamate.sh. Compile it with -ffp-contract=off.
 *
 * By itself it moves pairs (jager/pairs.h) one after the other. To compute two, four or eight side by side, as many as
 * the processor has room for, compile jager_lanes_2.c, jager_lanes_4.c and jager_lanes_8.c too, all four files with
 * -DJAGER_LANES (gcc or clang). Results are the same to the bit. Each width needs a file of its own, because all of
 * them compile the same text, with another type of number.
 */
END
  join "$@"
} > "$output/jager.c.new"
for kernel in $kernels; do
  width=${kernel##*kernel_}
  {
    licence
    cat << 'END'
/* A part of libjager for wide vector units: see jager.c, which says when it is compiled. */
#if defined(__clang__) /* its headers have functions that only jager.c calls */
#pragma clang diagnostic ignored "-Wunused-function"
#endif
END
    join "$kernel"
  } > "$output/jager_lanes_$width"
done
cp -R "$root"/include/jager/. "$output/jager"
mv "$output/jager.c.new" "$output/jager.c"
