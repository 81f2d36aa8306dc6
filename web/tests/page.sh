#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests the explorer in Chromium.
#
#   web/tests/page.sh TEST.js EXPLORER.html JAGER [FOLDER]
#
# TEST.js is explorer.test.js, or frame.test.js, which measures the time of frames and wants a quiet machine. FOLDER
# holds what npm installs (default: page-tests beside the HTML file); it is made if needed.
set -eu
if [ $# -lt 3 ]; then
  echo "usage: page.sh TEST.js EXPLORER.html JAGER [FOLDER]" >&2
  exit 2
fi
test=$1
shift
tests=$(cd "$(dirname "$0")/page" && pwd)
[ -f "$1" ] || { echo "skipped: there is no $1"; exit 77; }
html=$(realpath "$1")
program=$(realpath "$2")
folder=${3:-$(dirname "$html")/page-tests}
for tool in node npm chromium; do # 77: skipped
  command -v "$tool" > /dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
mkdir -p "$folder"
if ! cmp -s "$tests/package-lock.json" "$folder/node_modules/.installed-lock"; then
  cp "$tests/package.json" "$tests/package-lock.json" "$folder"
  (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
  cp "$tests/package-lock.json" "$folder/node_modules/.installed-lock"
fi
cp "$tests"/*.js "$folder"
cd "$folder"
JAGER_EXPLORER="$html" JAGER_PROGRAM="$program" node --test "$test"
