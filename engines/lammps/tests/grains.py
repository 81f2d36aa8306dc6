# SPDX-License-Identifier: MIT
"""Rigid grains in jager's own simulator, for grains.sh: what LAMMPS reads, and what it must find.

    grains.py make STEPS     a disturbed packing: files of LAMMPS, the movement of its spheres, states before and after
    grains.py check STATE    forces in LAMMPS' dumps of a state, `start` or `end`: those of jager to TOLERANCE
    grains.py distance FILE  of the grains' displacements, in LAMMPS' dump FILE, from those in jager, over their size
"""
from __future__ import annotations

import sys

import numpy as np

import jager

TOLERANCE = 1e-10  # over the mean contact force, times the mean diameter for torques
STRIDE = 1e-8  # time step of the prescribed movement in LAMMPS, in which no force depends on time
CASE = """jager: 1
title: grains
seed: 3
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.4, density: 2650 kg/m3}
damping: {local: 0}
assembly:
  packing:
    grains: 150
    shapes: [nevada, {spheres: [[0, 0, 0, 1], [0.9, 0.1, 0, 0.7], [0.3, 0.8, 0.2, 0.5], [0.1, 0.2, -0.9, 0.6]]}]
    sizes: {uniform: {min: 0.8 mm, max: 1.2 mm}}
    pressure: 20 MPa
time_step: {interval: 1000}
output: {series: 0, plots: false}
stages:
  - name: free
    control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}}
    until: {steps: 1000}
"""


def disturbed() -> jager.Assembly:
    """A packing whose grains are displaced at random by parts of their overlaps: they fly apart."""
    packed = jager.Simulation(jager.Case(CASE))
    packed.finish_stage()
    a = packed.assembly()
    shifts = np.random.default_rng(5).normal(scale=5e-7, size=(len(a.grains), 3))
    return jager.Assembly(a.positions + shifts[a.grain], a.radii, a.cell, density=a.density, grain=a.grain)


def nearest(moves: np.ndarray, cell: np.ndarray) -> np.ndarray:
    """Movements without jumps across the periodic cell."""
    return moves - np.rint(np.linalg.solve(cell, moves.T)).T @ cell.T


def turns(q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The vectors of the rotations that lead from quaternions q to p, by less than half a turn."""
    w = np.einsum("ij,ij->i", q, p)
    u = (q[:, :1] * p[:, 1:] - p[:, :1] * q[:, 1:] + np.cross(q[:, 1:], p[:, 1:])) * np.sign(w)[:, None]
    size = np.linalg.norm(u, axis=1)
    return 2.0 * np.arctan2(size, np.abs(w))[:, None] * u / np.where(size > 0.0, size, 1.0)[:, None]


def save(name: str, s: jager.Simulation, start: np.ndarray) -> None:
    """The state for `check` and `distance`."""
    grains, contacts = s.grains(), s.contacts()
    np.savez(f"{name}.npz", spheres=s.spheres()["force"], force=grains["force"], torque=grains["torque"],
             mass=grains["mass"], diameter=grains["diameter"].mean(), fn=contacts["fn"].mean(), contacts=len(contacts),
             moved=nearest(grains["position"] - start, s.cell))
    states = np.bincount(contacts["state"], minlength=4)
    print(f"{name}: {len(contacts)} contacts, {states[1]} elastic, {states[2]} slip, {states[3]} slide; mean normal "
          f"force {contacts['fn'].mean():.6g} N, tangential {contacts['ft'].mean():.6g} N")
    if name == "end" and not (states[1:] > 10).all():
        sys.exit("there are too few contacts of a kind")


def make(steps: int) -> None:
    """Writes everything that LAMMPS reads."""
    a = disturbed()
    jager.write_assembly(a, "grains.txt", drop="densities", force=True)
    jager.write_assembly(a, "grains.data", force=True)
    jager.write_assembly(a, "grains.rigid", force=True)
    changes = {"assembly": {"file": "grains.txt"}, "time_step.safety": 0.2}
    s = jager.Simulation(jager.Case(CASE).changed(changes), threads=1)
    start = s.grains()["position"]
    save("start", s, start)
    files = {axis: open(f"movement.{axis}", "w", encoding="ascii") for axis in ("vx", "vy", "vz", "wx", "wy", "wz")}
    grains, time = s.grains(), s.time
    here = s.spheres()["position"]  # with the rounding errors of LAMMPS
    for _ in range(steps):
        s.step()
        last, grains, spheres = grains, s.grains(), s.spheres()
        spins = turns(last["quaternion"], grains["quaternion"])[np.searchsorted(grains["id"], spheres["grain"])]
        moves = np.hstack([nearest(spheres["position"] - here, s.cell), spins]) / STRIDE
        here = here + STRIDE * moves[:, :3]
        for file, column in zip(files.values(), moves.T):
            file.write(f"{len(column)}\n" + "".join(f"{k} {v!r}\n" for k, v in enumerate(column.tolist(), 1)))
    for file in files.values():
        file.close()
    save("end", s, start)
    with open("time_step", "w", encoding="ascii") as file:
        file.write(repr((s.time - time) / steps))


def dump(name: str, number: int = -1) -> np.ndarray:
    """A frame of a dump without its head, sorted by the first column."""
    with open(name, encoding="ascii") as file:
        frame = file.read().split("ITEM: TIMESTEP\n")[1:][number].split("\n")[8:]
    table = np.array([line.split() for line in frame if line], dtype=float)
    return table[np.argsort(table[:, 0])]


def check(state: str) -> None:
    """Compares forces and, at the start, where LAMMPS has bodies, their masses and torques."""
    expected = np.load(f"{state}.npz")
    unit = float(expected["fn"])
    spheres = dump(f"spheres.{state}")
    errors = {"spheres": np.abs(spheres[:, 1:4] - expected["spheres"]).max() / unit}
    if state == "start":
        bodies = dump("bodies.start")
        errors["grains"] = np.abs(bodies[:, 2:5] - expected["force"]).max() / unit
        errors["torques"] = np.abs(bodies[:, 5:8] - expected["torque"]).max() / (unit * expected["diameter"])
        errors["masses"] = np.abs(bodies[:, 1] / expected["mass"] - 1.0).max()
    print(f"{state}: largest differences " + ", ".join(f"{name} {value:.1e}" for name, value in errors.items()))
    if not max(errors.values()) <= TOLERANCE:
        sys.exit(f"they are larger than {TOLERANCE}")


def distance(name: str) -> None:
    """Prints the root mean square of the difference of displacements over that of the displacements."""
    moved = np.load("end.npz")["moved"]
    found = (dump(name) - dump(name, 0))[:, 8:11]
    print(np.sqrt(((found - moved)**2).sum() / (moved**2).sum()))


if __name__ == "__main__":
    {"make": lambda text: make(int(text)), "check": check, "distance": distance}[sys.argv[1]](sys.argv[2])
