#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the wheel with pip, without a network, and installs it into an empty environment: is it one for all versions of
# Python, is everything in it, does it export nothing, does it run as the program does? Where a library is missing, does
# it say which package brings it?
#     install.sh SOURCE_DIR BUILD_DIR PYTHON PROGRAM
set -eu
source=$1 build=$2 python=$3 program=$4
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp -r "$source/python" "$source/include" "$source/pyproject.toml" "$source/setup.py" "$source/README.md" "$dir"
cd "$dir"
JAGER_BUILD_DIR=$build "$python" -m pip wheel --no-build-isolation --no-index --no-deps -w wheels . > pip.log 2>&1 ||
  { cat pip.log; exit 1; }
ls wheels/jager-*-cp39-abi3-linux_*.whl > /dev/null || { ls wheels; exit 1; }
"$python" -m venv --system-site-packages env
env/bin/python -m pip install --no-index --no-deps wheels/*.whl > pip.log 2>&1 || { cat pip.log; exit 1; }

native=$(env/bin/python -c 'import jager._native; print(jager._native.__file__)')
case $native in "$dir"/env/*) ;; *) echo "not the installed package: $native" && exit 1 ;; esac
symbols=$(nm -D --defined-only "$native" | awk '{ print $3 }' | grep -v '^PyInit__native$' || true)
[ -z "$symbols" ] || { echo "exported symbols: $symbols"; exit 1; }

# The extension is made to need a library of another version, which is not there; dpkg knows the package of the real
# one. Libraries of the C library, among them the loader, are on each machine that has Python.
cp "$native" native.so
readelf -d native.so | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' > libraries
while read -r library; do
  package=$(dpkg -S "*/$library" | sed 's/:.*//' | sort -u)
  case $package in libc6*) continue ;; esac
  sed "s/$library/${library%?}x/g" native.so > "$native"
  env/bin/python -c 'import jager; jager.Law' 2> err && { echo "works without $library"; exit 1; }
  grep -q "^ImportError: jager needs ${library%?}x, .* Debian 12 it is in the package $package;" err ||
    { cat err; echo "it is $package"; exit 1; }
  echo "$library" >> tried
done < libraries
[ -s tried ]
cp native.so "$native"

mkdir work && cd work
set="--set assembly.packing.spheres=200 --set stages.biaxial.until.steps=200 --set output.plots=false"
# shellcheck disable=SC2086 # the settings are words
hash=$("$program" run "$source/examples/biaxial-small.yaml" -o program --quiet $set | sed -n 's/^hash //p')
../env/bin/python - "$source/examples/biaxial-small.yaml" "$hash" << 'END'
import importlib.resources, sys
import jager
case = jager.Case(sys.argv[1], {"assembly.packing.spheres": 200, "stages.biaxial.until.steps": 200,
                                "output.plots": False})
run = case.run("python")
assert f"hash {sys.argv[2]}\n" in run.summary, (sys.argv[2], run.summary)
assert jager.report(run).exists()
assert (importlib.resources.files("jager") / "py.typed").is_file()
END
cmp program/series.csv python/series.csv
echo "the wheel runs as the program does, to the bit: $hash"
