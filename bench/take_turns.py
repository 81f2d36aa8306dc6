#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times a step of several builds, in turns on one core.

    bench/take_turns.py [--turns N] [--steps N] [--warm N] [--stages N] [--core N] CASE NAME=BUILD/bench/step ...

Each build makes STEPS steps of the case in its turn, and the order of the builds rotates, so that all see the same
noise. The ratio is the median over the turns of the time over the first build's; name a copy of a program twice
to see how much of a ratio is chance. With --cpu the time is that of the processor, in us a step, which other work on
the machine disturbs less. The hashes tell whether the builds have the same bits. Other programs that answer
as bench/step does may take turns, too; they may have arguments: NAME="python3 bench/python_step.py".
"""
import argparse
import shlex
import statistics
import subprocess
import time


class Build:
    def __init__(self, text, case, core, arguments=()):
        self.name, program = text.split("=", 1)
        self.times = []
        self.process = subprocess.Popen(["taskset", "-c", core, *shlex.split(program), case, *arguments],
                                        text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.read()

    def read(self):
        line = self.process.stdout.readline().strip()
        if not line:
            raise SystemExit(f"{self.name}: has ended")
        return line

    def ask(self, steps):
        self.process.stdin.write(f"{steps}\n")
        self.process.stdin.flush()
        return self.read()

    def time_steps(self, steps, cpu):
        clock = (~self.process.pid << 3) | 2  # on Linux: what the processor has spent on this process
        start = time.clock_gettime(clock) if cpu else 0.0
        answer = float(self.ask(steps))
        return 1e6 * (time.clock_gettime(clock) - start) / steps if cpu else answer


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--steps", type=int, default=100, help="in a turn, after those that warm the caches")
    parser.add_argument("--warm", type=int, default=5, help="steps before each turn that are not timed")
    parser.add_argument("--stages", type=int, default=0, help="stages to finish before the first turn")
    parser.add_argument("--core", default="0")
    parser.add_argument("--cpu", action="store_true", help="time of the processor")
    parser.add_argument("case")
    parser.add_argument("builds", nargs="+", metavar="NAME=PROGRAM")
    options = parser.parse_args()
    builds = [Build(text, options.case, options.core) for text in options.builds]
    for build in builds:
        for _ in range(options.stages):
            build.ask("stage")
    for turn in range(options.turns):
        for i in range(len(builds)):
            build = builds[(i + turn) % len(builds)]
            build.ask(options.warm)
            build.times.append(build.time_steps(options.steps, options.cpu))
    unit = "median, us" if options.cpu else "median, ns"
    print(f"{'build':14s} {unit:>11s} {'least':>8s} {'ratio':>7s} {'of least':>9s}  hash")
    first = builds[0].times
    for build in builds:
        ratio = statistics.median(a / b for a, b in zip(build.times, first))
        print(f"{build.name:14s} {statistics.median(build.times):11.1f} {min(build.times):8.1f} {ratio:7.3f} "
              f"{min(build.times) / min(first):9.3f}  {build.ask(0)}")


if __name__ == "__main__":
    main()
