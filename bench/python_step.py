# SPDX-License-Identifier: MIT
"""Steps of a case from Python, timed on request: what bench/step.c does.

    python_step.py CASE
"""
import sys
import time

import jager


def main():
    simulation = jager.Simulation(sys.argv[1], threads=1)
    print("ready", flush=True)
    for line in sys.stdin:
        steps = int(line)
        if steps == 0:
            print(simulation.hash, flush=True)
            continue
        before, start = len(simulation.contacts()), time.perf_counter()
        simulation.step(steps)
        spent = 1e9 * (time.perf_counter() - start)
        mean = 0.5 * (before + len(simulation.contacts()))
        print(f"{spent / steps / mean:.4f}", flush=True)


if __name__ == "__main__":
    main()
