# SPDX-License-Identifier: MIT
"""Movements of contacts from Python, timed on request: what bench/arrays.c does, with whole arrays.

    python_arrays.py FILE            answers as bench/arrays does
    python_arrays.py --make FILE     writes the movements
"""
import sys
import time

import numpy as np

import jager

STEPS, PATH, CONTACTS = 8, 10**6, 10**5


def make(path):
    rng = np.random.default_rng(1)
    zeta = 1e-7 * (0.05 + np.abs(1.0 + 0.3 * np.cumsum(rng.standard_normal(PATH)) / 1000.0))
    xi = 3e-10 * np.cumsum(rng.standard_normal((PATH, 2)), axis=0)
    heights, shifts = 1e-7 * rng.uniform(0.9, 1.1, STEPS * CONTACTS), 1e-9 * rng.standard_normal((2, STEPS * CONTACTS))
    parts = [[float(PATH)], zeta, xi.ravel(), [float(CONTACTS)], heights, shifts.ravel()]
    np.concatenate([np.asarray(part, dtype="f8") for part in parts]).tofile(path)


def main():
    if sys.argv[1] == "--make":
        return make(sys.argv[2])
    numbers = np.fromfile(sys.argv[1])
    zeta, xi = numbers[1:PATH + 1].copy(), numbers[PATH + 1:3 * PATH + 1].reshape(PATH, 2).copy()
    heights, *shifts = numbers[3 * PATH + 2:].reshape(3, STEPS, CONTACTS)
    shifts = np.stack(shifts, axis=-1)
    law = jager.Law(29e9, 0.15, 0.5)
    contacts, step, path, many = jager.Contacts(law, np.full(CONTACTS, 1e-3), 1e-3), 0, None, None
    print("ready", flush=True)
    for line in sys.stdin:
        rounds = int(line)
        start = time.perf_counter()
        for _ in range(rounds):
            if rounds % 2 == 1:
                path = jager.Contact(law, 1e-3, 1e-3).walk(zeta, xi).fn
            else:
                many, _ = contacts.move(heights[step % STEPS], shifts[step % STEPS])
                step += 1
        spent = 1e9 * (time.perf_counter() - start)
        if rounds == 0:
            total = sum(np.cumsum(forces)[-1] for forces in (path, many) if forces is not None)
            print(f"{total:.17g}", flush=True)
        else:
            print(f"{spent / rounds / (PATH if rounds % 2 else CONTACTS):.4f}", flush=True)


if __name__ == "__main__":
    main()
