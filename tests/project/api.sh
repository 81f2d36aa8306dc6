#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/api.md is what tools/make_api.py makes of the headers, and jager/compact.h what tools/make_compact.py makes.
#     api.sh SOURCE_DIR
set -eu
command -v python3 > /dev/null || exit 77
python3 "$1/tools/make_api.py" --check "$1"
python3 "$1/tools/make_compact.py" --check
