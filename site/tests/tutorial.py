#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the commands of docs/tutorial.md as a reader would: tutorial.py SOURCE BUILD PROGRAM [--all]

Each block of sh runs in one folder, in order; a block of text behind it must be what it prints. A block behind a
comment "not run by the test" runs only with --all, except that which builds the program. $sources is a copy of what pip
needs, which takes the extension of BUILD; without one, nothing of Python runs.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(?:^<!-- not run by the test: (?P<why>[^>]*) -->\n)?^```sh\n(?P<commands>.*?)^```\n"
                   r"(?:\n```text\n(?P<output>.*?)^```\n)?", re.M | re.S)


def main():
    source, build, program = map(os.path.abspath, sys.argv[1:4])
    with open(f"{source}/docs/tutorial.md", encoding="utf-8") as file:
        blocks = list(BLOCK.finditer(file.read()))
    run_all = "--all" in sys.argv
    has_python = os.path.exists(f"{build}/python/jager/_native.abi3.so")
    faults = ran = 0
    with tempfile.TemporaryDirectory() as top:
        sources, folder = f"{top}/sources", f"{top}/first"
        os.mkdir(folder)
        for name in ("include", "python", "tools"):
            shutil.copytree(f"{source}/{name}", f"{sources}/{name}")
        for name in ("README.md", "pyproject.toml", "setup.py"):
            shutil.copy(f"{source}/{name}", sources)
        environment = {**os.environ, "PATH": os.path.dirname(program) + os.pathsep + os.environ["PATH"],
                       "sources": sources, "JAGER_BUILD_DIR": build, "PIP_NO_INDEX": "1"}
        for block in blocks:
            why = block["why"] or ""
            if why and (not run_all or "builds" in why) or "python" in block["commands"] and not has_python:
                continue
            ran += 1
            result = subprocess.run(["sh", "-euc", block["commands"]], cwd=folder, env=environment, text=True,
                                    capture_output=True)
            if result.returncode != 0 or (block["output"] is not None and result.stdout != block["output"]):
                faults += 1
                print(f"FAIL (exit code {result.returncode}):\n{block['commands']}prints\n{result.stdout}"
                      f"{result.stderr}instead of\n{block['output']}")
    print(f"tutorial: {ran} of {len(blocks)} blocks ran, {faults} wrong")
    return 1 if faults or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
