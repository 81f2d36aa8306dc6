#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the site in BUILD/site: build.sh SOURCE BUILD PROGRAM [OUT]
# PROGRAM, jager, computes the loop of the landing page; the package in BUILD/python is asked for its docstrings. The
# explorer, BUILD/web/explorer.html, is taken if it is there.
# Warnings of Sphinx are errors, and so are links that lead nowhere. OUT, if given, is used instead of BUILD/site, for
# a build from nothing.
set -eu
source=$1
build=$2
program=$3
out=${4:-$build/site}
work=$out-work
python=/usr/bin/python3
explorer=$build/web/explorer.html
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$build/python

mkdir -p "$work/extra"
$python "$source/site/loop.py" "$program" > "$work/loop.svg"
with_explorer=
if [ -f "$explorer" ]; then
  cp -p "$explorer" "$work/extra/explorer.html"
  with_explorer=--explorer
else
  echo "site: without the explorer, as there is no $explorer"
  rm -f "$work/extra/explorer.html"
fi
$python "$source/site/stage.py" "$source" "$work/pages" --loop "$work/loop.svg" $with_explorer
if ! SITE_EXTRA=$work/extra $python -m sphinx -b html -W --keep-going -q -c "$source/site" -d "$work/doctrees" \
  "$work/pages" "$out"; then
  rm -rf "$work/doctrees" # or the next time pages that have not changed would not warn again
  exit 1
fi
$python "$source/site/links.py" "$out"
echo "site: open $out/index.html"
