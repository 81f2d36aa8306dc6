#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/python-api.md is what tools/make_python_api.py makes of the package; first, that the script sees what is wrong.
#     python_api.sh SOURCE_DIR
command -v python3 > /dev/null || exit 77
script=$1/tools/make_python_api.py
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

mkdir "$scratch/docs" "$scratch/python"
cp -r "$1/python/jager" "$scratch/python"
cp "$1/docs/python-api.md" "$scratch/docs"
fails() { # TEXT: the check fails and says this
  if python3 "$script" --check "$scratch" > "$scratch/found"; then
    echo "FAIL: passes, without '$1'" && exit 1
  fi
  grep -q -- "$1" "$scratch/found" || { cat "$scratch/found"; echo "FAIL: it does not say '$1'"; exit 1; }
}
contact=$scratch/python/jager/_contact.py
sed 's/def copy(self)/def twin(self)/' "$1/python/jager/_contact.py" > "$contact"
fails "out of date"
awk '/def reset/ { print; getline; next } { print }' "$1/python/jager/_contact.py" > "$contact"
fails "Contact.reset has no docstring"
cp "$1/python/jager/_contact.py" "$contact"
sed 's/"Assembly", "CONTOURS",/"Assembly", "NOVELTY", "CONTOURS",/' "$1/python/jager/__init__.py" \
  > "$scratch/python/jager/__init__.py"
fails "NOVELTY is in jager.__all__"

python3 "$script" --check "$1"
