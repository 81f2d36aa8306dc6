#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes one jager.c and one jager.h of libjager, for people who put the contact into their own code.
#     tools/amalgamate.sh SOURCE_DIR OUTPUT_DIR
set -eu
source=$1
output=$2
mkdir -p "$output"

# A file without the includes of libjager's own headers, after a line that says where it comes from
part() {
  printf '\n/* ==== %s ==== */\n\n' "$1"
  sed -e '/^#include "\(internal\|pair_kinematics\|vec3\|walk\|jager\/jager\)\.h"$/d' -e '/SPDX-License-Identifier/d' "$source/$1"
}

cp "$source/include/jager/jager.h" "$output/jager.h.new"
{
  printf '/* SPDX-License-Identifier: MIT */\n'
  printf '/* libjager in one file, made by tools/amalgamate.sh. Compile it with -ffp-contract=off. */\n'
  sed -e 's/^/ * /' -e '1i /*' -e '$a \ */' "$source/LICENSE"
  printf '#include "jager.h"\n'
  part src/contact/internal.h
  part src/contact/walk.h
  part src/contact/vec3.h
  part src/contact/pair_kinematics.h
  for name in status law pool contact shorten batch load energy balance traction frame pack baseline mindlin; do
    part "src/contact/$name.c"
  done
} > "$output/jager.c.new"
mv "$output/jager.h.new" "$output/jager.h"
mv "$output/jager.c.new" "$output/jager.c"
