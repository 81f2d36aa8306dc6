# SPDX-License-Identifier: MIT
"""A restart to the bit, and what a restart without histories loses."""
import tempfile

import numpy as np

from common import LAWS, axes, line

import jager

TITLE = "Exact restart"
CLAIM = ("A simulation that is stopped and restarted continues bit for bit; without the contact histories it would "
         "lose some of its stress")
QUICK = True
SOURCES = {
    "L2424": "[lammps#2424](https://github.com/lammps/lammps/pull/2424): restart files held the histories of granular "
             "contacts of the previous time step.",
    "L3022": "[lammps#3022](https://github.com/lammps/lammps/issues/3022): an overflow of histories when a restart "
             "file is written."}
MODELS = ("jager", "hertz-mindlin", "modified-mindlin", "linear")
STEPS = 2000
CASE = """jager: 1
title: a restart
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
assembly:
  packing: {spheres: 250, sizes: {uniform: {min: 0.8 mm, max: 1.2 mm}}, pressure: 100 kPa, friction: 0.1}
stages:
  - name: compression
    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {strain_step: 3e-7}}
    until: {steps: 1e6}
"""


def simulation(model):
    changes = {"contact.model": model, **({"contact.linear": {"kn": "1e6 N/m"}} if model == "linear" else {})}
    one = jager.Simulation(jager.Case(CASE, changes), threads=1)
    if one.stage == 0:
        one.finish_stage()
    return one


def stop_and_go(one, stops, rng):
    """The hash after STEPS more steps, with restarts from files, in one or two threads, after each of the steps."""
    with tempfile.TemporaryDirectory() as folder:
        for count in np.diff(np.concatenate([[0], stops, [STEPS]])):
            one.step(int(count))
            one.checkpoint(f"{folder}/state.jck")
            one = jager.Simulation.restore(f"{folder}/state.jck", threads=int(rng.integers(1, 3)))
    return one.hash


def restarts(figures):
    rng, differing, files = np.random.default_rng(18), 0, 0
    for model in MODELS:
        start = simulation(model)
        whole = start.copy()
        whole.step(STEPS)
        for _ in range(3):
            stops = np.unique(rng.integers(1, STEPS, 4))
            files += len(stops) + 1
            differing += stop_and_go(start.copy(), stops, rng) != whole.hash
    figures.add("differing", differing, "", 0.0, "L2424", exact=True)
    figures.add("files", files, "", exact=True)


def forgetful(one):
    """The simulation with the same spheres, at rest, and the same loading, but contacts that have no past."""
    with tempfile.TemporaryDirectory() as folder:
        jager.write_assembly(one.assembly(), f"{folder}/spheres.txt", drop=("velocities",))
        case = jager.Case(CASE, {"assembly": {"file": f"{folder}/spheres.txt"}})
        return jager.Simulation(case, threads=1)


def follow(one, steps, every=30):
    """The axial strain since now and q, Pa, from the first step on."""
    one.step(1)
    start, rows = one.measures.strain_zz, [(0.0, one.measures.q)]
    for _ in range(steps // every):
        one.step(every)
        rows.append((one.measures.strain_zz - start, one.measures.q))
    return np.array(rows).T


def loss(figures):
    one = simulation("jager")
    before = follow(one, 1500)
    other = forgetful(one)
    strain, q = follow(one, 3000)
    lost_strain, lost_q = follow(other, 3000)
    figures.add("q_before", q[0] / 1e3, "kPa")
    figures.add("q_without", lost_q[0] / 1e3, "kPa", q[0] / 1e3, "L2424")
    apart = np.abs(lost_q - q)
    figures.add("lost", 100 * apart[0] / q[0], "%")
    figures.add("apart_later", 100 * apart[-1] / q[-1], "%")
    figures.add("strain_later", 100 * strain[-1], "%")
    figure, ax = axes(1, 2.8)
    first = 100 * before[0][-1]
    ax.plot(100 * before[0], before[1] / 1e3, color="#888888", label="before the restart")
    ax.plot(first + 100 * strain, q / 1e3, **line("jager", label="restart with histories"))
    ax.plot(first + 100 * lost_strain, lost_q / 1e3, color=LAWS["springs"][0], ls="--",
            label="restart from positions alone")
    ax.axvline(first, color="#888888", ls=":", lw=0.8)
    ax.set(xlabel=r"axial strain $\varepsilon_{zz}$ (%)", ylabel="deviator stress q (kPa)")
    ax.legend(loc="lower right")
    figures.picture(figure, "loss")


def make(figures):
    restarts(figures)
    loss(figures)
