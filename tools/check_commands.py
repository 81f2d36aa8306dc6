#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the commands that README.md and `make help` name, as written.

    tools/check_commands.py [--all] [--build DIR]

Commands of README.md run one after the other in a new folder, beside its case.yaml and example.c, with the program and
the package of the build directory; lines below a command that begins with $ are what it must print. Targets of `make
help` run in the source tree; those that can take hours get a small share of their work. Without --all, commands that
take more than a minute are left to `.ci/release`. A target that is in neither list below is an error, so that no
command can be forgotten.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# `make test` runs itself and `make python`.
TARGETS = {
    "all": [], "help": [], "explorer": [], "site": [], "amalgamation": [], "install": ["PREFIX={scratch}/prefix"],
    "soak": ["CALLS=1e6", "SEEDS=1 2"],
}
RUN_BY_TEST = {"test", "python"}
LONG_TARGETS = {
    "run": [], "paper": [], "gallery": ["ITEM=restart"], "random-cases": ["CASES=2"], "soak-tolerance": ["TWINS=1e7"],
    "soak-compact": ["TWINS=1e7"], "soak-adversary": ["SEEDS=1"], "fail-allocations": [], "mutants": ["N=1"],
    "fuzz": ["INPUTS=1e5"], "bench": [], "bench-short": [], "bench-compact": [], "bench-macroscopic": [],
    "bench-lammps": [], "bench-lammps-pair": [], "bench-python": [], "coverage": [], "interface": [],
    "clean": ["BUILD={scratch}/build"],
}
LONG_COMMANDS = re.compile(r"examples/(modulus-reduction|liquefaction-resistance|nevada)|jager sweep")


def blocks_of_readme():
    """(language, lines) of each block of README.md; indented ones have no language."""
    found, language, fenced = [], "", False
    for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines():
        fence = re.match(r"```(\w*)$", line)
        if fence:
            fenced = not fenced
            language = fence.group(1)
            if fenced:
                found.append((language, []))
        elif fenced:
            found[-1][1].append(line)
        elif line.startswith("    "):
            if not found or found[-1][0] is not None or not found[-1][1]:
                found.append((None, []))
            found[-1][1].append(line[4:])
        elif found:
            found.append(("", []))
    return [(language, lines) for language, lines in found if lines]


def commands_of(lines):
    """(command, lines that it must print) of a block; None: anything."""
    prompted = any(line.startswith("$ ") for line in lines)
    found = []
    for line in lines:
        if not prompted or line.startswith("$ "):
            found.append((re.sub(r"\s+# .*", "", line.removeprefix("$ ")), [] if prompted else None))
        else:
            found[-1][1].append(line)
    return found


class Runner:
    def __init__(self, build):
        self.failures = self.count = 0
        python = ["/usr/bin", str(build / "src" / "cli")]
        self.environment = {**os.environ, "PATH": os.pathsep.join([*python, os.environ["PATH"]]),
                            "PYTHONPATH": str(build / "python"), "MPLBACKEND": "Agg"}
        self.environment.pop("MAKEFLAGS", None)

    def run(self, command, folder, expected=None):
        start = time.monotonic()
        done = subprocess.run(["sh", "-ec", command], cwd=folder, env=self.environment, text=True, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        problem = f"ended with {done.returncode}" if done.returncode else ""
        if not problem and expected and done.stdout.splitlines() != expected:
            problem = "printed something else than README.md says"
        print(f"{'FAIL' if problem else 'ok  '} {time.monotonic() - start:6.1f} s  {command}", flush=True)
        if problem:
            print(f"{done.stdout[-4000:]}\n{command}: {problem}")
            self.failures += 1
        self.count += 1


def check_readme(runner, scratch, build, everything):
    for name in ("examples", "bench", "docs"):
        (scratch / name).symlink_to(ROOT / name)
    (scratch / "build").symlink_to(build)
    for language, lines in blocks_of_readme():
        text = "\n".join(lines) + "\n"
        if language == "yaml":
            (scratch / "case.yaml").write_text(text, encoding="utf-8")
        elif language == "c":
            (scratch / "example.c").write_text(text, encoding="utf-8")
        elif language == "python":
            (scratch / "example.py").write_text(text, encoding="utf-8")
            runner.run("rm -rf out && python3 example.py", scratch)
        elif language is None:
            for command, expected in commands_of(lines):
                if command.startswith("make "):
                    assert command.split()[1] in known_targets(), f"{command}: no such target"  # they run below
                elif everything or not LONG_COMMANDS.search(command):
                    again = "rm -rf out/case && " if command == "jager run case.yaml" else ""
                    runner.run(again + command, scratch, expected)


def known_targets():
    return {*TARGETS, *LONG_TARGETS, *RUN_BY_TEST}


def check_targets(runner, scratch, everything):
    told = subprocess.run(["make", "help"], cwd=ROOT, text=True, check=True, stdout=subprocess.PIPE).stdout
    names = {line.split()[1] for line in told.splitlines() if line.startswith("make ")}
    for name in sorted(names ^ known_targets()):
        print(f"FAIL make {name}: {'runs in no list of check_commands.py' if name in names else 'is not in make help'}")
        runner.failures += 1
    for name, arguments in {**TARGETS, **(LONG_TARGETS if everything else {})}.items():
        words = " ".join(f"'{word.format(scratch=scratch)}'" for word in arguments)
        runner.run(f"make {name} {words}".strip(), ROOT)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="also commands that take minutes")
    parser.add_argument("--build", default="build", help="the build directory")
    options = parser.parse_args()
    build = (ROOT / options.build).resolve()
    runner = Runner(build)
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        check_targets(runner, scratch, options.all)
        check_readme(runner, scratch, build, options.all)
    print(f"{runner.count - runner.failures} passed, {runner.failures} failed")
    return 1 if runner.failures else 0


if __name__ == "__main__":
    sys.exit(main())
