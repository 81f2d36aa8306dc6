# SPDX-License-Identifier: MIT
# Links of the documentation: links.sh SOURCE_DIR. First: the checker finds wrong links.
command -v python3 > /dev/null || { echo "skipped: python3 is not installed"; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

mkdir "$scratch/docs"
cat > "$scratch/docs/a.md" << 'EOF'
# The `first` heading: *one*, two …

[here](#the-first-heading-one-two-) [there](b.md#größe-2) [again](b.md#again-1) [![picture](b.md)](b.md)
[web](https://example.org/none#x) `[code](none.md)`

    [code](none.md)

- an item whose text
    [goes on](none-1.md)
[no anchor](#first) [no file](c.md) [other case](B.md)
[no anchor there](b.md#none) <img src="none.png">
EOF
printf '## Größe 2\n## again\n```\n# none\n[code](none.md)\n```\n## Again\n' > "$scratch/docs/b.md"
cat > "$scratch/expected" << 'EOF'
11 links in 2 files, 6 wrong
docs/a.md:10: no heading is named #first
docs/a.md:10: there is no B.md
docs/a.md:10: there is no c.md
docs/a.md:11: no heading is named #none
docs/a.md:11: there is no none.png
docs/a.md:9: there is no none-1.md
EOF
if python3 "$1/tools/check_links.py" "$scratch" > "$scratch/found"; then
  echo "FAIL: wrong links pass"
  exit 1
fi
LC_ALL=C sort "$scratch/found" | diff "$scratch/expected" - || { echo "FAIL: the checker"; exit 1; }

python3 "$1/tools/check_links.py" "$1"
