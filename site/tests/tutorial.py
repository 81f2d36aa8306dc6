#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the commands of docs/tutorial.md as a reader would: tutorial.py TUTORIAL PROGRAM [--all]

Each block of sh runs in one folder, in order; a block of text behind it must be what it prints. A block behind a
comment "not run by the test" runs only with --all, except that which builds the program.
"""
import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(?:^<!-- not run by the test: (?P<why>[^>]*) -->\n)?^```sh\n(?P<commands>.*?)^```\n"
                   r"(?:\n```text\n(?P<output>.*?)^```\n)?", re.M | re.S)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        blocks = list(BLOCK.finditer(file.read()))
    run_all = "--all" in sys.argv
    program = os.path.dirname(os.path.abspath(sys.argv[2]))
    environment = {**os.environ, "PATH": program + os.pathsep + os.environ["PATH"]}
    faults = ran = 0
    with tempfile.TemporaryDirectory() as folder:
        for block in blocks:
            why = block["why"] or ""
            if why and (not run_all or "builds" in why):
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
