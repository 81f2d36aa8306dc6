#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the rules of CONTRIBUTING.md that a script can check.

    tools/check_rules.py [SOURCE_DIR]

Prints each violation as FILE:LINE: TEXT and exits with 1 if there is one. tests/project/rules.sh tests this script.
"""
import os
import pathlib
import re
import subprocess
import sys

import check_includes

MAX_LINE = 120  # characters
C_SUFFIXES = {".c", ".h", ".cpp"}
SCRIPT_SUFFIXES = {".sh", ".py", ".awk", ".inc", ".cmake"}
SCRIPT_NAMES = {"CMakeLists.txt", "Makefile", ".ci/run"}
FUZZER_INPUTS = "tests/corpus/"  # the format of libFuzzer: one input a file, any bytes
# Absolute paths of the machine where a file was made. The brackets keep this line from matching itself.
MACHINE_PATH = re.compile(r"(?<![\w.$}\])/-])/(?:[h]ome|[w]ork|[U]sers|[r]oot)/")


def list_files(root):
    """All files of the project, as paths relative to the root: those that git knows or would add, if git is there."""
    if (root / ".git").exists():
        try:
            command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
            git = subprocess.run(command, capture_output=True, check=True)
            return sorted({name for name in git.stdout.decode().split("\0") if name and (root / name).is_file()})
        except (OSError, subprocess.CalledProcessError):
            pass  # git is not installed, or does not trust the folder
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in (".git", "out") and not name.startswith("build")]
        found += [str((pathlib.Path(folder) / name).relative_to(root)) for name in names]
    return sorted(found)


def read_text(path):
    """The text of a file; None if it is not text."""
    data = path.read_bytes()
    try:
        return None if b"\0" in data else data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def is_source(name):
    path = pathlib.PurePosixPath(name)
    return path.suffix in C_SUFFIXES | SCRIPT_SUFFIXES or name in SCRIPT_NAMES or path.name in SCRIPT_NAMES


def check_license(name, lines):
    if is_source(name) and not any("SPDX-License-Identifier: MIT" in line for line in lines[:3]):
        yield 1, "no line 'SPDX-License-Identifier: MIT' at the top"


def check_line_length(name, lines):
    is_markdown = name.endswith(".md")
    if not is_markdown and not is_source(name):
        return
    for number, line in enumerate(lines, 1):
        is_table = is_markdown and line.lstrip().startswith("|")
        has_words = " " in line.strip(" -*>")  # one long address cannot be broken
        if len(line) > MAX_LINE and has_words and not is_table:
            yield number, f"{len(line)} characters, of at most {MAX_LINE}"


def check_white_space(name, lines):
    # Files of results and pictures are as the programs wrote them.
    if not is_source(name) and not name.endswith((".md", ".yaml", ".yml", ".json", ".cff", ".in", ".1")):
        return
    for number, line in enumerate(lines, 1):
        if line != line.rstrip():
            yield number, "white space at the end of the line"
        if "\t" in line and not (name.endswith("Makefile") and line.startswith("\t") and "\t" not in line[1:]):
            yield number, "a tab"


def check_machine_paths(name, lines):
    for number, line in enumerate(lines, 1):
        if MACHINE_PATH.search(line):
            yield number, "a path of the machine where this was written"


def header_version(root):
    """The version that include/jager/jager.h defines, as "1.2.3"; None if it does not."""
    text = (root / "include/jager/jager.h").read_text(encoding="utf-8")
    parts = [re.search(rf"#define JAGER_VERSION_{part} (\d+)", text) for part in ("MAJOR", "MINOR", "PATCH")]
    return ".".join(part.group(1) for part in parts) if all(parts) else None


def check_version(root):
    """The files that state the version agree with the header."""
    version = header_version(root)
    if not version:
        return ["include/jager/jager.h: JAGER_VERSION_MAJOR, _MINOR and _PATCH are not all there"]
    stated = [("include/jager/jager.h", r'#define JAGER_VERSION "([^"]*)"', True),
              ("CITATION.cff", r"^version: (\S+)", False),
              ("codemeta.json", r'"version": "([^"]*)"', False),
              ("docs/man/jager.1", r'^\.TH .*"jager ([^"]*)"', False),
              ("CHANGELOG.md", r"^## \[?(\d+\.\d+\.\d+)", False)]
    problems = []
    for name, pattern, may_lack in stated:
        text = (root / name).read_text(encoding="utf-8") if (root / name).exists() else ""
        found = re.search(pattern, text, re.M)
        if not found and not may_lack:
            problems.append(f"{name}: states no version; {version} is expected")
        elif found and found.group(1) != version:
            problems.append(f"{name}: version {found.group(1)}, but include/jager/jager.h has {version}")
    return problems


FILE_CHECKS = (check_license, check_line_length, check_white_space, check_machine_paths)


def find_problems(root, names):
    problems = []
    for name in names:
        text = None if name.startswith(FUZZER_INPUTS) else read_text(root / name)
        lines = text.split("\n") if text is not None else []
        for check in FILE_CHECKS if lines else ():
            problems += [f"{name}:{line}: {problem}" for line, problem in check(name, lines)]
    return problems + check_version(root) + check_includes.find_problems(root)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    names = list_files(root)
    problems = find_problems(root, names)
    print("\n".join(problems) if problems else f"{len(names)} files follow the rules")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
