#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the includes of the sources against src/layers.txt, so that arrows between folders point one way.

    tools/check_includes.py [SOURCE_DIR]

Prints each include that is not allowed, as file:line: text, and exits with 1 if there is one.
"""
import pathlib
import re
import sys


def read_layers(path):
    layers = {}
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            folder, allowed = line.split(":")
            layers[folder.strip()] = set(allowed.split())
    return layers


def check_layers(layers):
    """Each folder may use only folders that stand above it in the list: so there can be no circle."""
    seen = set()
    for folder, allowed in layers.items():
        for used in allowed - seen:
            yield f"src/layers.txt: {folder} uses {used}, which does not stand above it"
        seen.add(folder)


def problem_of(source, include, root, layers):
    """Why the file must not include this header; None if it may."""
    src = root / "src"
    used = include.split("/")[0]
    if include.startswith("jager/"):
        return None if (root / "include" / include).exists() else f"there is no include/{include}"
    if source.is_relative_to(root / "engines"):  # headers of the engine itself are included by their names
        is_internal = ".." in include or ("/" in include and used in layers)
        return "engines use the public headers only, include/jager" if is_internal else None
    if "/" not in include:
        is_here = (source.parent / include).exists()
        return None if is_here else f'"{include}" is not in this folder: write its path from src'
    if not (src / include).exists():
        return f"there is no src/{include}"
    if (src / include).parent == source.parent:
        return f'"{include}" is in this folder: write only its name'
    own = source.relative_to(src).parts[0]
    if used != own and used not in layers.get(own, ()):
        return f"src/{own} must not use src/{used} (src/layers.txt)"
    return None


def list_sources(root):
    return sorted(path for top in ("src", "engines") for path in (root / top).rglob("*")
                  if path.suffix in (".c", ".h", ".cpp"))


def find_problems(root):
    """All violations, as texts."""
    layers = read_layers(root / "src/layers.txt")
    problems = list(check_layers(layers))
    folders = {path.name for path in (root / "src").iterdir() if path.is_dir()}
    problems += [f"src/layers.txt: {name} is missing" for name in sorted(folders - set(layers))]
    problems += [f"src/layers.txt: there is no src/{name}" for name in sorted(set(layers) - folders)]
    for source in list_sources(root):
        for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
            match = re.match(r'\s*#\s*include "([^"]+)"', line)
            problem = problem_of(source, match.group(1), root, layers) if match else None
            if problem:
                problems.append(f"{source.relative_to(root)}:{number}: {problem}")
    return problems


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    problems = find_problems(root)
    print("\n".join(problems) if problems else "all includes are as src/layers.txt says")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
