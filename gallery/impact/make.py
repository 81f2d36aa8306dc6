# SPDX-License-Identifier: MIT
"""Oblique impacts: the curve of Maw, Barber and Fawcett, the energy of all laws, and tests of Chung and Ooi."""
import math
import pathlib

import numpy as np

from common import REFERENCE, SpringRow, axes, line, read_points

import jager

TITLE = "Oblique impacts of elastic spheres"
CLAIM = ("Oblique impacts follow Maw, Barber and Fawcett's curve in sliding and a row of springs below; they are "
         "closer to finite elements and to an experiment than with a capped spring, and create no energy")
QUICK = True
SOURCES = {
    "MBF": "N. Maw, J. R. Barber, J. N. Fawcett, The oblique impact of elastic spheres, *Wear* 38 (1976) 101–114: ψ, "
           "χ and the sliding end of the curve.",
    "Row": "an oracle without code of the library: a row of springs in numpy, each clamped to its friction limit "
           "(`SpringRow` in [common.py](../../gallery/common.py)).",
    "Hertz": "Hertz's impact in closed form; K. L. Johnson, *Contact Mechanics*, Cambridge University Press, 1985.",
    "CO": "Y. C. Chung, J. Y. Ooi, Benchmark tests for verifying discrete element modelling codes at particle impact "
          "level, *Granular Matter* 13 (2011) 643–656, [doi:10.1007/s10035-011-0277-0]"
          "(https://doi.org/10.1007/s10035-011-0277-0). The paper was not available. YADE's and Kratos "
          "Multiphysics' tests agree on the parameters of glass, aluminium and aluminium oxide; limestone and "
          "magnesium are from YADE, test 5 from PySPH.",
    "KR": "points that Kratos Multiphysics read off the figures of Chung and Ooi ([chung-ooi.csv]"
          "(../../gallery/impact/chung-ooi.csv)): Kharaz' experiment, finite elements, and their own DEM code.",
    "KGS": "A. H. Kharaz, D. A. Gorham, A. D. Salman, An experimental study of the elastic rebound of spheres, *Powder "
           "Technology* 120 (2001) 281–291: 5 mm spheres of aluminium oxide on a thick anvil of soda-lime glass; the "
           "points are from KR.",
    "L5007": "[lammps#5007](https://github.com/lammps/lammps/pull/5007): `fix wall/gran hooke/history` gained up to "
             "34 % of the energy at f = 0.5, about 76° from the normal, until it was fixed.",
    "Order": "the leapfrog is of second order; the limit is the result with 64,000 steps.",
    "Energy": "a passive contact cannot return more energy than it received."}
MODELS = ("jager", "hertz-mindlin", "linear", "zhang-vuquoc", "modified-mindlin")
NU, FRICTION, SPEED = 0.3, 0.5, 1e-4
LAW = jager.Law(29e9, NU, FRICTION)
CHI = 7 * (1 - NU) / (2 * (2 - NU))
DURATION = 2 * math.sqrt(math.pi) * math.gamma(1.4) / math.gamma(0.9)  # of Hertz's impact, in depth over speed
FEW = np.array([0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 4.5, 5.5])


def impacts(psi, model="jager", steps=2000):
    return jager.impact(LAW, 1e-3, 1e-3, approach=SPEED, psi=psi, model=model, steps=steps)


def lost(hit):
    return 1 - hit["energy_after"] / hit["energy_before"]


def row_of_springs(psi, steps, springs, slips=True):
    """psi after impacts, by a leapfrog in units of Hertz's impact: largest approach and speed are 1."""
    psi = np.asarray(psi, dtype=float)
    row, velocity, depth, speed = SpringRow(springs, len(psi), slips), psi.copy(), 0.0, 1.0
    step = DURATION / steps
    while True:
        depth += step * speed
        if depth <= 0.0:
            return velocity
        force = row.move(depth, step * velocity)
        velocity = velocity - step * 2.5 * CHI * force
        speed -= step * 1.25 * depth**1.5


def extrapolated(psi, steps, springs, slips=True):
    """The limit of the row for steps of second order, with twice as many springs."""
    coarse, fine = (row_of_springs(psi, k * steps, k * springs, slips) for k in (1, 2))
    return (4 * fine - coarse) / 3


def curve(figures, points):
    psi = np.linspace(0.05, 7.0, 140)
    figure, (left, right) = axes()
    for model in MODELS[:4]:
        left.plot(psi, impacts(psi, model)["psi2"], **line(model, lw=2.2 if model == "jager" else 1.2))
    oracle = extrapolated(FEW, 1000, 1000)
    left.plot(FEW, oracle, "o", color=REFERENCE, mfc="none", label="row of springs (oracle)")
    left.plot([4 * CHI - 1, 7], [-1, 7 - 4 * CHI], color="#888888", lw=4, alpha=0.5, zorder=0,
              label=r"sliding, $\psi_1-4\chi$ (MBF 1976)")
    stick = float(extrapolated([1.0], 4000, 500, slips=False)[0])
    left.plot([0, 1.4], [0, 1.4 * stick], color="#888888", lw=0.9, zorder=0, label=rf"no slip, {stick:.3f} $\psi_1$")
    left.set(xlabel=r"$\psi_1 = v_t/(\kappa f v_n)$ before", ylabel=r"$\psi_2$ after", xlim=(0, 7), ylim=(-1.7, 3.3))
    left.legend(loc="upper left")

    exact = impacts(FEW)["psi2"]
    figures.add("curve", np.abs(exact - oracle).max(), "", 0.0, "Row", floor=1e-9)
    figures.add("curve_springs", np.abs(impacts(FEW, "springs", 1000)["psi2"] - impacts(FEW, steps=1000)["psi2"]).max(),
                "", 0.0, "Row", floor=1e-9)
    figures.add("stick", impacts(1e-4)["psi2"][0] / 1e-4, "", stick, "Row")
    figures.add("sliding", impacts(6.0)["psi2"][0], "", 6 - 4 * CHI, "MBF", exact=True)
    figures.add("chi", CHI, "")
    figures.add("onset", 4 * CHI - 1, "")
    for model in MODELS[1:]:
        off = np.abs(impacts(psi, model)["psi2"] - impacts(psi)["psi2"]).max()
        figures.add(f"off_{model.replace('-', '_')}", off, "", 0.0, "Row", exact=True)
    finite_elements(figures, right, points)
    figures.picture(figure, "curve")


def finite_elements(figures, ax, points):
    """Test 5 of Chung and Ooi: steel, f = 0.3, on a rigid plane; slow, with small overlaps, and as in the test."""
    x, y = points["fem"]
    many = np.linspace(0.02, 9.2, 120)

    def after(ratio, model="jager", speed=1e-3, young=2.08e11, nu=0.3, density=7850.0):
        law = jager.Law(young / (2 + 2 * nu), nu, 0.3, other=(math.inf, nu))
        hit = jager.impact(law, 1e-5, approach=speed, shear=np.asarray(ratio) * 0.3 * speed, density=density,
                           model=model)
        return hit["shear"] / (0.3 * speed)

    kappa = jager.Law(1.0, 0.3).kappa
    partial = x < (4 * CHI - 1) * kappa  # sliding throughout beyond, where all laws agree
    figures.add("fem_points", partial.sum(), "")
    for name, how in (("jager", {}), ("hertz_mindlin", {"model": "hertz-mindlin"}), ("jager_fast", {"speed": 5.0}),
                      ("jager_nu40", {"young": 1e9, "nu": 0.4, "density": 1400.0})):
        off = (after(x, **how) - y)[partial]
        figures.add(f"fem_{name}", math.sqrt(np.mean(off**2)), "", 0.0, "KR")
        figures.add(f"fem_{name}_largest", np.abs(off).max(), "", 0.0, "KR", exact=True)
    for model in ("jager", "hertz-mindlin"):
        ax.plot(many, after(many, model), **line(model, lw=2.2 if model == "jager" else 1.2))
    ax.plot(x, y, "o", color=REFERENCE, mfc="none", label="finite elements (KR)")
    ax.plot(*points["dem"], "x", color="#888888", label="Chung and Ooi's DEM (KR)")
    ax.set(xlabel=r"$v_t/(f v_n)$ before", ylabel=r"$v_t/(f v_n)$ after", xlim=(0, 9.2), ylim=(-3, 4))
    ax.legend(loc="upper left")


def hit_normal(model):
    """The part of the energy that the integration gains in a normal impact."""
    return float(jager.impact(LAW, 1e-3, approach=SPEED, shear=0.0, model=model)["rebound"][0] / SPEED)**2 - 1


def energy(figures):
    figure, (left, right) = axes()
    degrees = np.linspace(0.5, 89.5, 179)
    near = np.geomspace(1e-4, 1.0, 60)
    for model in MODELS:
        name, angle = model.replace("-", "_"), np.radians(degrees)
        hit = jager.impact(LAW, 1e-3, approach=SPEED * np.cos(angle), shear=SPEED * np.sin(angle), model=model)
        if model != "modified-mindlin":
            left.plot(degrees, 100 * lost(hit), **line(model, lw=2.2 if model == "jager" else 1.2))
        figures.add(f"dissipated_{name}", (hit["dissipated"] / hit["energy_before"]).min(), "", source="Energy",
                    floor=1e-12)
        grazing = lost(hit)[degrees >= 60.0]
        figures.add(f"normal_{name}", hit_normal(model), "", 0.0, "Energy", floor=1e-12)
        figures.add(f"grazing_{name}", 100 * grazing.min(), "%", source="Energy")
        small = impacts(near, model)
        part = 2 / 7 * (1 - (small["psi2"] / near)**2)  # of the tangential energy
        whole = part / (1 + (LAW.kappa * FRICTION * near)**-2)
        if model != "modified-mindlin":
            right.plot(near, 100 * part, **line(model, lw=2.2 if model == "jager" else 1.2))
        figures.add(f"times_{name}", max(0.0, -part.min()), "", 0.0, "Energy", floor=1e-8)
        figures.add(f"created_{name}_of_all", max(0.0, -whole.min()), "", 0.0, "Energy", floor=1e-12)
        figures.add(f"created_{name}_below", near[part < -1e-4].max() if (part < -1e-4).any() else 0.0, "")
    figures.add("sliding_from", math.degrees(math.atan((4 * CHI - 1) * LAW.kappa * FRICTION)), "degrees")
    figures.add("created_count", len(degrees) + len(near), "")
    at = np.radians(76.0)
    hit = jager.impact(LAW, 1e-3, approach=SPEED * math.cos(at), shear=SPEED * math.sin(at))
    figures.add("lost_at_76", 100 * lost(hit)[0], "%")
    shares = [lost(jager.impact(LAW, 1e-3, approach=SPEED * np.cos(np.radians(degrees)), model=model,
                                shear=SPEED * np.sin(np.radians(degrees)))) for model in ("jager", "hertz-mindlin")]
    figures.add("off_energy", 100 * np.abs(shares[1] - shares[0]).max(), "%")
    figures.add("off_energy_at", degrees[np.abs(shares[1] - shares[0]).argmax()], "degrees")
    left.set(xlabel="angle of incidence from the normal (degrees)", ylabel="kinetic energy lost (%)", xlim=(0, 90),
             ylim=(0, 30))
    left.axvline(76, color="#888888", lw=0.8, ls=":")
    left.text(75, 0.6, "LAMMPS' wall once\ngained 34 % here (L5007)", fontsize=7, ha="right", color="#555555")
    left.legend(loc="upper left")
    right.axhline(0, color="k", lw=0.6)
    right.set_xscale("log")
    right.set_yscale("symlog", linthresh=100)
    right.set(xlabel=r"$\psi_1$", ylabel="lost of the tangential energy (%)", ylim=(-4e5, 200))
    right.set_yticks([-1e5, -1e4, -1e3, -100, 0, 100])
    right.set_yticklabels(["−100,000", "−10,000", "−1,000", "−100", "0", "100"])
    right.text(0.97, 0.60, "below 0: energy is created", transform=right.transAxes, fontsize=7.5, ha="right")
    right.legend(loc="lower right")
    figures.picture(figure, "energy")


def steps(figures):
    counts = np.array([125, 250, 500, 1000, 2000, 4000])
    figure, ax = axes(1, 2.7)
    for psi, mark, grey in ((0.5, "s", "#888888"), (1.0, "o", "#000000"), (3.0, "^", "#0072B2")):
        limit = impacts(psi, steps=64000)["psi2"][0]
        errors = [abs(impacts(psi, steps=int(n))["psi2"][0] - limit) for n in counts]
        ax.loglog(counts, errors, marker=mark, color=grey, label=rf"jager, $\psi_1$ = {psi:g}")
        slope = np.polyfit(np.log(counts[2:]), np.log(errors[2:]), 1)[0]
        figures.add(f"order_{10 * psi:.0f}", -slope, "", 2.0, "Order")
        if psi == 1.0:
            figures.add("steps_error", errors[4], "", 0.0, "Order", exact=True)
    ax.loglog(counts, 4e-5 * (counts / 125.0)**-2, color="#D55E00", ls=":", label="slope of order 2")
    ax.set(xlabel="steps in an impact", ylabel=r"error of $\psi_2$")
    ax.set_xticks(counts)
    ax.set_xticklabels([f"{n:,}" for n in counts])
    ax.minorticks_off()
    ax.legend()
    figures.picture(figure, "steps")


def normal_impact(figures, name, young, nu, density, radius, speed, wall):
    """Tests 1 and 2: peak force, largest approach and duration against Hertz."""
    law = jager.Law(young / (2 + 2 * nu), nu, 0.35, other=(math.inf, nu) if wall else None)
    other = math.inf if wall else radius
    hit = jager.impact(law, radius, other, approach=speed, shear=0.0, density=density)[0]
    contact = jager.Contact(law, radius, other)
    stiffness = young / (1 - nu**2) / (1 if wall else 2)  # E*
    reduced, mass = (radius, 4 / 3 * math.pi * density * radius**3) if wall else (
        radius / 2, 2 / 3 * math.pi * density * radius**3)
    depth = (15 * mass * speed**2 / (16 * stiffness * math.sqrt(reduced)))**0.4
    figures.add(f"{name}_force", contact.move(hit["depth"]).fn / 1e3, "kN",
                4 / 3 * stiffness * math.sqrt(reduced * depth**3) / 1e3, "Hertz")
    figures.add(f"{name}_depth", 2e6 * hit["depth"], "µm", 1e6 * depth, "Hertz")
    duration = DURATION * depth / speed
    figures.add(f"{name}_duration", 1e6 * hit["steps"] / 2000 * duration, "µs", 1e6 * duration, "Hertz")
    figures.add(f"{name}_rebound", hit["rebound"] / speed, "", 1.0, "Hertz")


def oblique(figures, points):
    """Test 4: a sphere of aluminium oxide on a rigid plane, 3.9 m/s, without spin before."""
    young, nu, radius, speed = 3.8e11, 0.23, 2.5e-3, 3.9
    law = jager.Law(young / (2 + 2 * nu), nu, 0.092, other=(math.inf, nu))
    figure, (left, right) = axes()

    def hits(degrees, model):
        angle = np.radians(degrees)
        hit = jager.impact(law, radius, approach=speed * np.cos(angle), shear=speed * np.sin(angle), density=4000,
                           model=model)
        return {"spin": hit["spin_a"], "rebound": np.degrees(np.arctan2(hit["shear"], hit["rebound"]))}

    many = np.linspace(0.5, 89.5, 179)
    for what in ("spin", "rebound"):
        figures.add(f"{what}_points", (points[f"{what}-experiment"][0] < 28.0).sum(), "")
    figures.add("restitution_effect", 100 * (1 - (1 + 0.98) / 2), "%")  # e of the test: CO
    for ax, what, unit in ((left, "spin", "rad/s"), (right, "rebound", "degrees")):
        for model in ("jager", "hertz-mindlin"):
            ax.plot(many, hits(many, model)[what], **line(model, lw=2.2 if model == "jager" else 1.2))
            for source in ("experiment", "dem"):
                x, y = points[f"{what}-{source}"]
                off = (hits(x, model)[what] - y)[x < 28.0]  # sliding throughout beyond
                figures.add(f"{what}_{model.replace('-', '_')}_{source}", math.sqrt(np.mean(off**2)), unit, 0.0,
                            "KGS" if source == "experiment" else "KR")
        ax.plot(*points[f"{what}-experiment"], "o", color=REFERENCE, mfc="none", label="Kharaz et al. 2001 (KR)")
        ax.plot(*points[f"{what}-dem"], "x", color="#888888", label="Chung and Ooi's DEM (KR)")
        ax.set(xlabel="angle of incidence (degrees)", xlim=(0, 90))
    law_chi = 7 * (1 - nu) / (2 * (2 - nu))
    figures.add("sliding_angle", math.degrees(math.atan((4 * law_chi - 1) * law.kappa * law.friction)), "degrees")
    left.set(ylabel="spin after (rad/s)", ylim=(0, 700))
    left.legend(loc="lower center")
    right.set(ylabel="rebound of the contact patch (degrees)", xlim=(0, 45), ylim=(-11, 21))
    right.legend(loc="upper left")
    figures.picture(figure, "oblique")


def make(figures):
    points = read_points(pathlib.Path(__file__).with_name("chung-ooi.csv"))
    curve(figures, points)
    energy(figures)
    steps(figures)
    normal_impact(figures, "glass", 4.8e10, 0.20, 2800, 0.010, 20.0, wall=False)
    normal_impact(figures, "limestone", 2.0e10, 0.25, 2500, 0.010, 20.0, wall=False)
    normal_impact(figures, "aluminium", 7.0e10, 0.30, 2699, 0.10, 0.2, wall=True)
    normal_impact(figures, "magnesium", 4.0e10, 0.35, 1800, 0.10, 0.2, wall=True)
    oblique(figures, points)
