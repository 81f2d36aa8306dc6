# SPDX-License-Identifier: MIT
"""Energy in oblique impacts: closed forms where the contact slides, and a search for impacts that create energy."""
import numpy as np

from common import REFERENCE, axes, line

import jager

TITLE = "Energy in grazing impacts"
CLAIM = "None of the impacts tried under jager creates energy; grazing impacts lose the work of sliding friction"
QUICK = True
SOURCES = {
    "L5007": "[lammps#5007](https://github.com/lammps/lammps/pull/5007): `fix wall/gran hooke/history` gained up to "
             "34 % of the kinetic energy at an angle near 76° from the normal, with f = 0.5; fixed in 2026.",
    "Sliding": "impulses and moments of a solid sphere on a wall whose contact slides throughout: it loses the "
               "fraction 4f(t − 7f/2)/(1 + t²) of its energy, t = vt/vn; it certainly slides where t ≥ 7f. Written "
               "down in [make.py](../../gallery/grazing/make.py)."}
MODELS = ("jager", "hertz-mindlin", "linear", "zhang-vuquoc", "modified-mindlin")
COUNT = 400
SPEED = 0.01  # m/s: small overlaps


def law(friction, poisson, model="jager"):
    stiffness = {"kn": 1e5} if model == "linear" else {}
    return jager.Law(29e9, poisson, friction, model=model, **stiffness)


def sliding(friction, t):
    """The normal impulse is 2 m vn; f of it changes the sliding velocity vt to vt - 7 f vn; friction does the work."""
    return 4 * friction * (t - 3.5 * friction) / (1 + t * t)


def made(hit):
    """The part of the kinetic energy that is lost; below zero it is created."""
    return 1 - hit["energy_after"] / hit["energy_before"]


def search(figures):
    """Random impacts: materials, friction and angles."""
    rng = np.random.default_rng(5007)
    friction, poisson = rng.uniform(0.05, 1.0, COUNT), rng.uniform(0.0, 0.45, COUNT)
    angle = np.arccos(rng.uniform(0.0, 1.0, COUNT))  # from 0 to 90 degrees, more of them at large angles
    for model in MODELS:
        lost = np.array([made(jager.impact(law(f, nu, model), approach=SPEED * np.cos(a), shear=SPEED * np.sin(a)))[0]
                         for f, nu, a in zip(friction, poisson, angle)])
        name = model.replace("-", "_")
        figures.add(f"least_{name}", lost.min(), "", 0.0, "L5007", floor=1e-11)
        slides = np.tan(angle) > 7 * friction  # certainly, whatever the stiffness
        expected = sliding(friction[slides], np.tan(angle[slides]))
        figures.add(f"sliding_{name}", np.abs(lost[slides] - expected).max(), "", 0.0, "Sliding", floor=1e-9)
        if model == "jager":
            figures.add("sliding_count", slides.sum(), "", exact=True)
    figures.add("count", COUNT, "", exact=True)


def make(figures):
    search(figures)
    figure, ax = axes(1, 3.0)
    degrees = np.linspace(30, 89.5, 120)
    t = np.tan(np.radians(degrees))
    for friction, mark in ((0.2, "^"), (0.5, "o"), (0.8, "s")):
        for model, width in (("jager", 2.2), ("hertz-mindlin", 1.2)):
            hit = jager.impact(law(friction, 0.3, model), approach=SPEED * np.cos(np.radians(degrees)),
                               shear=SPEED * np.sin(np.radians(degrees)))
            ax.plot(degrees, 100 * made(hit), **line(model, lw=width, **({} if friction == 0.2 else {"label": None})))
            if model == "jager":
                ax.text(58, 100 * np.interp(58, degrees, made(hit)), f"f = {friction}", fontsize=6.5, ha="center",
                        va="center", zorder=5, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0})
        slides = t > 7 * friction
        ax.plot(degrees[slides][::6], 100 * sliding(friction, t[slides])[::6], mark, color=REFERENCE, mfc="none",
                label=f"closed form, sliding, f = {friction}")
    at = np.tan(np.radians(76.0))
    hit = jager.impact(law(0.5, 0.3), approach=SPEED, shear=SPEED * at)
    figures.add("lost_at_76", 100 * made(hit)[0], "%", 100 * sliding(0.5, at), "Sliding")
    ax.axvline(76, color="#888888", lw=0.8, ls=":")
    ax.text(75.5, 0.4, "LAMMPS' wall once\ngained 34 % here (L5007)", fontsize=7, ha="right", color="#555555")
    ax.set(xlabel="angle of incidence from the normal (degrees)", ylabel="kinetic energy lost (%)", ylim=(0, 40),
           xlim=(30, 90))
    ax.legend(loc="upper left", fontsize=7)
    figures.picture(figure, "energy")
