#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a test of the engine in node:
#     run.sh FILE.test.mjs
# JAGER_WEB is the directory with jager.wasm. Exits with 77 if there is no node, or no module because there is no
# compiler for WebAssembly (web/wasm/build.sh).
command -v node > /dev/null || { echo "skipped: there is no node"; exit 77; }
[ -f "$JAGER_WEB/jager.wasm" ] || { echo "skipped: there is no compiler for WebAssembly"; exit 77; }
exec node --test "$1"
