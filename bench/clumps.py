#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cost of grains of seven spheres against grains of one sphere, in turns on one core.

    bench/clumps.py [--turns N] [--steps N] [--grains N] [--spheres N] [--core N] NAME=BUILD/bench/step ...

Each build packs examples/nevada.yaml, and spheres of the same sizes, as many as have about as many contacts, and makes
300 steps. Then all make further steps in turns, whose order rotates. Times are of the processor. The law is what
jager_pairs_move takes, by its share of the step; the rest is given for each grain. Numbers are medians over the turns,
ratios medians of the ratios to the first build's spheres in the same turn; name a copy of a program to see how much of
a ratio is chance. The hashes tell whether the builds have the same bits.
"""
import argparse
import os
import statistics
import time

from take_turns import Build

CASE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "nevada.yaml")
PACKING = "assembly.packing."


class Sample(Build):
    def __init__(self, text, core, kind, grains):
        settings = [f"{PACKING}grains={grains}"]
        if kind == "spheres":
            settings += [f"{PACKING}shapes=sphere", f"{PACKING}void_ratio=0.58"]
        super().__init__(text, CASE, core, ["1", *settings])
        self.kind, self.grains, self.turns, self.contacts = kind, grains, [], []
        for request in ("stage", "300", "law"):
            self.ask(request)

    def take_turn(self, warm, steps):
        """Appends us per step, ns of the law per contact, and ns of the rest per grain."""
        clock = (~self.process.pid << 3) | 2  # on Linux: what the processor has spent on this process
        self.ask(warm)
        start = time.clock_gettime(clock)
        _, share, contacts = map(float, self.ask(steps).split())
        step = (time.clock_gettime(clock) - start) / steps
        self.turns.append((1e6 * step, 1e9 * share * step / contacts, 1e9 * (1.0 - share) * step / self.grains,
                           1e9 * step / self.grains))
        self.contacts.append(contacts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--turns", type=int, default=120)
    parser.add_argument("--steps", type=int, default=15, help="in a turn, so few that most are not interrupted")
    parser.add_argument("--warm", type=int, default=5, help="steps before each turn that are not timed")
    parser.add_argument("--grains", type=int, default=400, help="of seven spheres")
    parser.add_argument("--spheres", type=int, default=470)
    parser.add_argument("--core", default="0")
    parser.add_argument("builds", nargs="+", metavar="NAME=PROGRAM")
    options = parser.parse_args()
    samples = [Sample(text, options.core, kind, count) for text in options.builds
               for kind, count in (("spheres", options.spheres), ("clumps", options.grains))]
    for turn in range(options.turns):
        for i in range(len(samples)):
            samples[(i + turn) % len(samples)].take_turn(options.warm, options.steps)
    print(f"{'build':10s} {'grains':8s} {'contacts':>8s} {'us/step':>8s} {'law, ns/contact':>18s} "
          f"{'rest, ns/grain':>18s} {'step, ns/grain':>18s}  hash")
    for sample in samples:
        line = f"{sample.name:10s} {sample.kind:8s} {statistics.median(sample.contacts):8.0f} "
        line += f"{statistics.median(turn[0] for turn in sample.turns):8.1f}"
        for column in range(1, 4):
            middle = statistics.median(turn[column] for turn in sample.turns)
            ratio = statistics.median(a[column] / b[column] for a, b in zip(sample.turns, samples[0].turns))
            line += f" {middle:8.1f} ({ratio:7.3f})"
        print(line, sample.ask(0), sep="  ")


if __name__ == "__main__":
    main()
