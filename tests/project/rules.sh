#!/bin/sh
# SPDX-License-Identifier: MIT
# The rules of CONTRIBUTING.md that a script can check: rules.sh SOURCE_DIR. First: the checker finds violations.
command -v python3 > /dev/null || { echo "skipped: python3 is not installed"; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export PYTHONDONTWRITEBYTECODE=1

# repeat COUNT TEXT: the text so many times, on one line
repeat() {
  awk -v count="$1" -v text="$2" 'BEGIN { for (i = 0; i < count; i++) printf "%s", text }'
}

# A tree that just follows the rules
good=$scratch/good
mkdir -p "$good/include/jager" "$good/src/base" "$good/src/contact" "$good/engines/code" "$good/docs/man"
cd "$good" || exit 1
printf 'base:\ncontact: base\n' > src/layers.txt
spdx='/* SPDX-License-Identifier: MIT */'
{
  echo "$spdx"
  printf '#define JAGER_VERSION_%s\n' 'MAJOR 1' 'MINOR 2' 'PATCH 3'
} > include/jager/jager.h
echo 'version: 1.2.3' > CITATION.cff
echo '{"version": "1.2.3"}' > codemeta.json
echo '.TH JAGER 1 2026-01-01 "jager 1.2.3" "User Commands"' > docs/man/jager.1
printf '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-01\n\n## [1.2.2]\n' > CHANGELOG.md
{
  echo "$spdx"
  echo "/* $(repeat 114 ü) */"
  echo '#include "base.h"'
} > src/base/base.c
echo "$spdx" | tee src/base/base.h > src/contact/contact.c
for number in $(seq 5); do echo "$spdx" > "src/base/$number.h"; done
{
  echo "| $(repeat 40 'wide ') |"
  echo "- https://example.org/$(repeat 120 x)"
} > docs/table.md
printf '%s\n#include "jager/jager.h"\n#include "pair.h"\n' "$spdx" > engines/code/pair.cpp
python3 "$1/tools/check_rules.py" "$good" > "$scratch/found" ||
  { echo "FAIL: a tree that follows the rules is refused"; cat "$scratch/found"; exit 1; }

# The same tree with one violation of each rule, and commits
bad=$scratch/bad
cp -R "$good" "$bad"
cd "$bad" || exit 1
echo "/* $(repeat 115 ü) */" >> src/base/base.c
echo "int x; " >> src/base/1.h
printf '\tint x;\n' >> src/base/2.h
echo 'int without_license;' > src/base/3.h
printf '#include "contact/contact.h"\n#include "contact.h"\n#include "base/5.h"\n' >> src/base/4.h
touch src/contact/contact.h
echo "$spdx" | tee src/contact/contact.h > src/contact/one.h
printf '%s\n#include "contact/one.h"\n' "$spdx" > engines/code/pair.cpp
echo "$(repeat 40 'wide ')end" > docs/table.md
echo "made in /$(printf 'home')/someone/jager" > docs/paths.md
sed -i 's/1\.2\.3/1.2.4/' CITATION.cff
sed -i '/1\.2\.3/d' CHANGELOG.md
sed -i 's/1\.2\.3/next/' codemeta.json
rm docs/man/jager.1
cat > "$scratch/expected" << 'EXPECTED'
CHANGELOG.md: version 1.2.2, but include/jager/jager.h has 1.2.3
CITATION.cff: version 1.2.4, but include/jager/jager.h has 1.2.3
codemeta.json: version next, but include/jager/jager.h has 1.2.3
docs/man/jager.1: states no version; 1.2.3 is expected
docs/paths.md:1: a path of the machine where this was written
docs/table.md:1: 203 characters, of at most 120
engines/code/pair.cpp:2: engines use the public headers only, include/jager
src/base/1.h:2: white space at the end of the line
src/base/2.h:2: a tab
src/base/3.h:1: no line 'SPDX-License-Identifier: MIT' at the top
src/base/4.h:2: src/base must not use src/contact (src/layers.txt)
src/base/4.h:3: "contact.h" is not in this folder: write its path from src
src/base/4.h:4: "base/5.h" is in this folder: write only its name
src/base/base.c:4: 121 characters, of at most 120
EXPECTED
if python3 "$1/tools/check_rules.py" "$bad" > "$scratch/found"; then
  echo "FAIL: violations pass"
  exit 1
fi
LC_ALL=C sort "$scratch/found" | diff "$scratch/expected" - || { echo "FAIL: the checker"; exit 1; }

python3 "$1/tools/check_rules.py" "$1"
