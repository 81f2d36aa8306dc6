#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the site: run.sh build|pages|tutorial SOURCE BUILD PROGRAM
#   build     makes it from nothing, in BUILD/site-test/site; warnings and links that lead nowhere are errors
#   pages     looks at every page of that in Chromium, with axe-core
#   tutorial  runs the quick commands of docs/tutorial.md
# Skipped, with exit code 77, where a program is missing: `make setup-tests` installs all.
set -eu
part=$1
source=$2
build=$3
program=$4
folder=$build/site-test

need() {
  for name in "$@"; do
    command -v "$name" > /dev/null || { echo "skipped: $name is not installed"; exit 77; }
  done
}

case $part in
build)
  need node mandoc
  /usr/bin/python3 -c 'import furo, myst_parser, nbconvert, sphinx' ||
    { echo "skipped: no Sphinx, MyST, furo or nbconvert"; exit 77; }
  [ -f "$build/python/jager/_native.abi3.so" ] || { echo "skipped: the Python package is not built"; exit 77; }
  rm -rf "$folder/site" "$folder/site-work" "$folder/wrong"
  mkdir -p "$folder/wrong"
  # first, that the checker of links sees what is wrong
  echo '<a href="none.html"></a><a href="#none"></a><a href="a.html#b" id="b"></a><img src="a.html" alt="">' \
    '<script src="https://example.org/x.js"></script><a href="https://example.org/"></a>' > "$folder/wrong/a.html"
  if /usr/bin/python3 "$source/site/links.py" "$folder/wrong" > "$folder/wrong.txt" ||
    ! grep -q '4 links within them, 2 to other sites, 4 wrong' "$folder/wrong.txt"; then
    cat "$folder/wrong.txt"
    echo "FAIL: the checker of links"
    exit 1
  fi
  sh "$source/site/build.sh" "$source" "$build" "$program" "$folder/site"
  for name in $(sed -n 's/^JAGER_API .*[ *]\(jager_[a-z_0-9]*\)(.*/\1/p' "$source"/include/jager/*.h); do
    grep -q "\b$name\b" "$folder/site/docs/api.html" || { echo "FAIL: $name is not in docs/api.html"; exit 1; }
  done
  ;;
pages)
  need node npm
  command -v chromium > /dev/null || need chromium-browser
  [ -f "$folder/site/index.html" ] || { echo "skipped: the site was not built"; exit 77; }
  if ! cmp -s "$source/site/tests/package-lock.json" "$folder/node_modules/.installed-lock"; then
    cp "$source/site/tests/package.json" "$source/site/tests/package-lock.json" "$folder"
    (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
    cp "$source/site/tests/package-lock.json" "$folder/node_modules/.installed-lock"
  fi
  node "$source/site/tests/pages.mjs" "$folder/site" "$folder"
  ;;
tutorial) /usr/bin/python3 "$source/site/tests/tutorial.py" "$source" "$build" "$program" ;;
*) echo "run.sh: there is no part '$part'" >&2 && exit 2 ;;
esac
