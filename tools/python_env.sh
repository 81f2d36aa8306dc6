#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the virtual environment BUILD/python-env, which sees Debian's packages, and installs the Python package in it
# from the extension that is in BUILD already. Does nothing if nothing has changed.
#     python_env.sh BUILD
set -eu
build=$(cd "$1" && pwd)
environment=$build/python-env
python=/usr/bin/python3 # not the first one on PATH, which may not see Debian's packages
[ -x $python ] || python=python3

[ -x "$environment/bin/python" ] || $python -m venv --system-site-packages "$environment"
stamp=$environment/installed
newer=$([ -f "$stamp" ] && find python/jager pyproject.toml setup.py "$build/python/jager/_native.abi3.so" -type f \
  -newer "$stamp" || echo all)
if [ -n "$newer" ]; then
  log=$build/python-env.log
  JAGER_BUILD_DIR=$build "$environment/bin/python" -m pip install --no-build-isolation --no-index --no-deps \
    --force-reinstall . > "$log" 2>&1 || { cat "$log"; exit 1; }
  touch "$stamp"
fi
echo "python: $environment/bin/python has the package jager; its kernel for Jupyter:"
echo "    $environment/bin/python -m ipykernel install --user --name jager"
