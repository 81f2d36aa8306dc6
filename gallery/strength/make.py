# SPDX-License-Identifier: MIT
"""Triaxial compression of spheres to a critical state: drained and undrained, dense and loose, two contact laws."""
import concurrent.futures
import dataclasses
import pathlib
import tempfile
import warnings

import numpy as np

from common import REFERENCE, axes, band, line, run_of

import jager

TITLE = "Strength and dilatancy"
CLAIM = ("Dense and loose spheres reach one critical state; peaks are near Bolton's rule, but not on Rowe's line; the "
         "strengths under two contact laws differ by no more than chance explains")
QUICK = False
SOURCES = {
    "T79": "C. Thornton, The conditions for failure of a face-centered cubic array of uniform rigid spheres, "
           "*Géotechnique* 29 (1979) 441–459, "
           "[doi:10.1680/geot.1979.29.4.441](https://doi.org/10.1680/geot.1979.29.4.441). The closed form "
           "σ₁/σ₃ = 2(1 + f)/(1 − f) is also quoted in a verification case of a public repository.",
    "Rowe": "P. W. Rowe, The stress-dilatancy relation for static equilibrium of an assembly of particles in contact, "
            "*Proc. R. Soc. Lond. A* 269 (1962) 500–527: σ₁/σ₃ = K (1 − dεᵥ/dε₁), K = tan²(45° + φ_f/2).",
    "Bolton": "M. D. Bolton, The strength and dilatancy of sands, *Géotechnique* 36 (1986) 65–78: in triaxial "
              "compression φ_max − φ_crit = 3° I_R and (−dεᵥ/dε₁)_max = 0.3 I_R, hence 10° times the latter.",
    "Skinner": "A. E. Skinner, A note on the influence of interparticle friction on the shearing strength of a random "
               "assembly of spherical particles, *Géotechnique* 19 (1969) 150–157. No number is taken from it.",
    "GL": "F. Göncü, S. Luding, Effect of particle friction and polydispersity on the macroscopic stress–strain "
          "relations of granular materials, *Acta Geotechnica* (2013). From its abstract: the stress ratio rises with "
          "friction from a value above zero, and saturates.",
    "AR": "I. Agnolin, J.-N. Roux, Internal states of model isotropic granular packings. I. Assembling process, "
          "geometry, and contact networks, *Phys. Rev. E* 76 (2007) 061302. From its abstract, for equal spheres: "
          "solid fraction 0.639 and 6 contacts without friction, 0.593 and 4.5 contacts if packed with f = 0.3.",
    "PR": "P.-E. Peyneau, J.-N. Roux, Frictionless bead packs have macroscopic friction, but no dilatancy, *Phys. Rev. "
          "E* 78 (2008) 011307. Its abstract gives 5.76° ± 0.22° in simple shear; the available copy lacks "
          "the numbers, so this value is quoted from memory."}

SEEDS = (1, 2, 3)
LAWS = ("jager", "hertz-mindlin")
PACKINGS = {"dense": {"friction": 0.0}, "loose": {"friction": 0.3},  # friction while packing
            "medium": {"void_ratio": 0.69}, "between": {"void_ratio": 0.685}, "denser": {"void_ratio": 0.68}}
PRESSURE, FRICTION = 100e3, 0.5
FRICTIONS = {0.0: "dense", 0.1: "medium", 0.3: "medium", 1.0: "medium"}  # of the grains: where seed 1 starts
SHIFT = 1.234e-4  # m
WORKERS = 2

# ---- Cases and runs -------------------------------------------------------------------------------------------------


def case_of(assembly, stages, law="jager", friction=FRICTION, seed=1, damping=0.2):
    return jager.Case({
        "jager": 1, "seed": seed, "density_scaling": "each", "damping": {"local": damping},
        "material": {"shear_modulus": "29 GPa", "poisson": 0.15, "friction": friction, "density": "2650 kg/m3"},
        "contact": {"model": law, **({"tolerance": 1e-3} if law == "jager" else {})},
        "assembly": assembly, "output": {"plots": False, "series": 200}, "stages": stages})


def packed(folder, density, seed):
    """Spheres at rest under 100 kPa as a text of positions, so that every law starts from the same ones."""
    path = folder / f"{density}-{seed}.txt"
    if not path.exists():
        held = {"name": "held", "control": {c: {"strain_rate": 0} for c in ("xx", "yy", "zz")}, "until": {"steps": 1}}
        packing = {"spheres": 500, "sizes": {"uniform": {"min": "0.8 mm", "max": "1.2 mm"}}, "pressure": PRESSURE,
                   "aspect": [1, 1, 1.5], **PACKINGS[density]}
        simulation = jager.Simulation(case_of({"packing": packing}, [held], seed=seed), threads=1)
        simulation.finish_stage()
        folder.mkdir(parents=True, exist_ok=True)
        jager.write_assembly(simulation.assembly(), path, drop=("densities", "velocities", "contacts"))
    return path


def shifted(folder, density, seed):
    """The same packing, all spheres shifted: only the rounding of their positions changes."""
    path = folder / f"{density}-{seed}-shifted.txt"
    if not path.exists():
        assembly = jager.read_assembly(packed(folder, density, seed))
        assembly = dataclasses.replace(assembly, positions=assembly.positions + SHIFT).wrapped()
        jager.write_assembly(assembly, path)
    return path


def triaxial(path, lateral, *parts, **how):
    """A test from positions: rest under 100 kPa, then parts (name, inertial number, end)."""
    held = {c: {"stress": PRESSURE} for c in ("xx", "yy", "zz")}
    stages = [{"name": "rest", "control": held, "damping": {"local": 0.5}, "until": {"unbalanced": 1e-3}}]
    for number, (name, pace, end) in enumerate(parts):
        stages.append({"name": name, "control": {"xx": lateral, "yy": lateral, "zz": {"strain_rate": 1}},
                       "inertial_number": pace, "until": end, "stop_spheres": number == 0,
                       "output": {"series": 20 if pace < 3e-4 else 200}})
    return case_of({"file": str(path)}, stages, **how)


DRAINED, UNDRAINED = {"stress": PRESSURE}, {"volume": "constant"}
START = ("start", 1e-4, {"strain_zz": 0.002})
PEAK = ("peak", 4e-4, {"strain_zz": 0.048})


def large(strain, pace=9e-4):
    return ("large", pace, {"strain_zz": strain})


def drained(path, **how):
    return triaxial(path, DRAINED, START, PEAK, large(0.35), **how)


def undrained(path, pace=2e-4, **how):
    """Ends when the stress is lost: after that the motion is not quasi-static."""
    return triaxial(path, UNDRAINED, ("shear", pace, {"strain_zz": 0.3, "p": 5e3}), **how)


def cases(folder):
    """All tests by name; the long ones first."""
    at = {(density, seed): folder / f"{density}-{seed}.txt" for density in PACKINGS for seed in SEEDS}
    tests = {}
    for seed in SEEDS:
        for law in LAWS:
            tests[f"drained-dense-{law}-{seed}"] = drained(at["dense", seed], law=law)
        tests[f"drained-loose-jager-{seed}"] = drained(at["loose", seed])
        tests[f"shifted-dense-jager-{seed}"] = drained(shifted(folder, "dense", seed))
    tests["slow"] = triaxial(at["medium", 1], DRAINED, large(0.3, 4.5e-4))
    for friction, density in FRICTIONS.items():
        tests[f"friction-{friction}"] = triaxial(at[density, 1], DRAINED, large(0.3), friction=friction)
    for seed in SEEDS:
        tests[f"damped-loose-jager-{seed}"] = triaxial(at["loose", seed], DRAINED, large(0.3), damping=0.7)
        for density in ("between", "denser"):
            tests[f"undrained-{density}-jager-{seed}"] = undrained(at[density, seed], 6e-4)
        tests[f"undrained-dense-jager-{seed}"] = triaxial(
            at["dense", seed], UNDRAINED, START, ("shear", 4e-4, {"strain_zz": 0.05, "p": 3e6}))
        for law in LAWS:
            tests[f"undrained-loose-{law}-{seed}"] = undrained(at["loose", seed], law=law)
    return tests


def all_runs(folder):
    warnings.simplefilter("ignore", jager.JagerWarning)  # they stay in the summaries, and the page counts them
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        needed = [(density, seed) for density in PACKINGS for seed in SEEDS if density != "medium" or seed == 1]
        list(pool.map(lambda job: packed(folder / "packings", *job), needed))
        tests = cases(folder / "packings")
        runs = pool.map(lambda item: run_of(folder / item[0], item[1]), tests.items())
        return dict(zip(tests, runs))


# ---- Measures -------------------------------------------------------------------------------------------------------


class Test:
    """The series of a test after its rest: axial strain, stresses, void ratio."""

    def __init__(self, run):
        rows = run.series[run.series["stage"] >= 2]
        self.strain = rows["strain_zz"] - rows["strain_zz"][0]
        self.volumetric = rows["volumetric_strain"] - rows["volumetric_strain"][0]
        self.ratio = rows["stress_zz"] / (0.5 * (rows["stress_xx"] + rows["stress_yy"]))
        self.q, self.p, self.e = rows["q"], rows["p"], rows["void_ratio"]
        self.contacts = rows["coordination_mechanical"]

    def at(self, values, strains):
        return np.interp(strains, self.strain, values)

    def smooth(self, values, width=0.002):
        """Means over a width of strain."""
        return np.array([values[np.abs(self.strain - s) <= width / 2].mean() for s in self.strain])

    def peak(self):
        """The largest friction angle, and its strain."""
        ratio = self.smooth(self.ratio)
        where = int(np.argmax(ratio))
        return angle(ratio[where]), self.strain[where]

    def late(self, values, first, last=1.0, blocks=5):
        """The mean from a strain on, and its standard error from blocks, which hardly depend on each other."""
        chosen = (self.strain >= first) & (self.strain <= last)
        grid = np.linspace(self.strain[chosen][0], self.strain[chosen][-1], 501)
        means = self.at(values, grid)[:500].reshape(blocks, -1).mean(axis=1)
        return means.mean(), means.std(ddof=1) / np.sqrt(blocks)

    def dilatancy(self, centres, width):
        """Mean stress ratio and 1 - d(volumetric)/d(axial) in windows of strain."""
        windows = [np.abs(self.strain - centre) <= width / 2 for centre in centres]
        slopes = [np.polyfit(self.strain[w], self.volumetric[w], 1)[0] for w in windows]
        return np.array([self.ratio[w].mean() for w in windows]), 1.0 - np.array(slopes)

    def secant(self, strain):
        return (self.at(self.q, strain) - self.q[0]) / strain


def angle(ratio):
    """Friction angle in degrees of a ratio of principal stresses."""
    return np.degrees(np.arcsin((ratio - 1) / (ratio + 1)))


def lattice_ratio(folder, law):
    """The largest stress ratio of a face-centred cubic array."""
    held = {c: {"stress": PRESSURE} for c in ("xx", "yy", "zz")}
    lattice = {"kind": "fcc", "cells": [2, 2, 2], "radius": "0.5 mm", "overlap": 1e-4}
    stages = [{"name": "rest", "control": held, "until": {"unbalanced": 1e-4, "steps": 5000}},
              {"name": "triaxial", "control": {"xx": DRAINED, "yy": DRAINED, "zz": {"strain_step": 1e-7}},
               "until": {"strain_zz": 0.001}, "output": {"series": 20}}]
    return Test(run_of(folder / f"lattice-{law}", case_of({"lattice": lattice}, stages, law))).ratio.max()


def spread(figures, name, values, unit="", scale=1.0):
    """Adds the mean of the seeds and their standard deviation."""
    values = scale * np.asarray(values)
    figures.add(name, values.mean(), unit)
    figures.add(f"{name}_sd", values.std(ddof=1), unit)
    return values


def paired(figures, name, values, unit="", scale=1.0, other="hertz-mindlin", base="jager"):
    """Adds the mean difference of `other` from `base` with the same seeds, and its standard error."""
    differences = scale * (np.asarray(values[other]) - np.asarray(values[base]))
    figures.add(f"{name}_difference", differences.mean(), unit)
    figures.add(f"{name}_difference_error", differences.std(ddof=1) / np.sqrt(len(differences)), unit)


# ---- The parts of the page ------------------------------------------------------------------------------------------

CRITICAL = 0.25  # of a test to 40 %: means from this strain on
COLOURS = {"dense": "#000000", "loose": "#0072B2", "between": "#009E73", "denser": "#E69F00", "damped": "#CC79A7"}
MARKERS = {"dense": "o", "loose": "s", "between": "D", "denser": "^"}


def of(tests, kind, density, law="jager"):
    return [tests[f"{kind}-{density}-{law}-{seed}"] for seed in SEEDS]


def packings(figures, tests):
    for density, solid, contacts in (("dense", 0.639, 6.0), ("loose", 0.593, 4.5)):
        chosen = of(tests, "drained", density)
        figures.add(f"solid_{density}", np.mean([1 / (1 + test.e[0]) for test in chosen]), "", solid, "AR")
        figures.add(f"contacts_{density}", np.mean([test.contacts[0] for test in chosen]), "", contacts, "AR")
        spread(figures, f"e_{density}", [test.e[0] for test in chosen])


def drained_tests(figures, tests):
    """Curves; peak, critical state and dilatancy of each density."""
    figure, (left, right) = axes()
    grid = np.concatenate([np.linspace(0, 0.002, 21), np.linspace(0.003, 0.398, 159)])
    for density, law in (("dense", "jager"), ("dense", "hertz-mindlin"), ("loose", "jager")):
        chosen = of(tests, "drained", density, law)
        how = line(law, label=f"{density}, {law}")
        if density == "loose":
            how.update(color=COLOURS["loose"], linestyle="-")
        elif law != "jager":
            how.update(color=REFERENCE)
        smooth = [np.where(t.strain < 0.004, t.q / t.p, t.smooth(t.q / t.p, 0.004)) for t in chosen]
        band(left, 100 * grid, [t.at(values, grid) for t, values in zip(chosen, smooth)], **how)
        band(right, 100 * grid, [t.at(t.e, grid) for t in chosen], **how)
    both = of(tests, "drained", "dense") + of(tests, "drained", "loose")
    spread(figures, "phi_peak", [t.peak()[0] for t in of(tests, "drained", "dense")], "degrees")
    spread(figures, "strain_peak", [t.peak()[1] for t in of(tests, "drained", "dense")], "%", 100)
    for density in ("dense", "loose"):
        chosen = of(tests, "drained", density)
        spread(figures, f"phi_crit_{density}", [angle(t.late(t.ratio, CRITICAL)[0]) for t in chosen], "degrees")
        spread(figures, f"e_crit_{density}", [t.late(t.e, CRITICAL)[0] for t in chosen])
        slopes = [np.polyfit(t.strain[t.strain > CRITICAL], t.volumetric[t.strain > CRITICAL], 1)[0] for t in chosen]
        spread(figures, f"rate_{density}", slopes)
    spread(figures, "phi_crit", [angle(t.late(t.ratio, CRITICAL)[0]) for t in both], "degrees")
    spread(figures, "M", [t.late(t.q / t.p, CRITICAL)[0] for t in both])
    spread(figures, "e_crit", [t.late(t.e, CRITICAL)[0] for t in both])
    spread(figures, "p_crit", [t.late(t.p, CRITICAL)[0] for t in both], "kPa", 1e-3)
    figures.add("e_gap_start", figures["e_loose"].value - figures["e_dense"].value)
    figures.add("e_gap", figures["e_crit_loose"].value - figures["e_crit_dense"].value)
    left.axhline(figures["M"].value, color="#555555", lw=1, ls=":", label="critical, mean of six tests")
    left.legend(handles=left.get_lines()[-1:], loc="lower right")
    left.set(xlabel=r"axial strain $\epsilon_1$ (%)", ylabel="$q/p$", ylim=(0, 1.25))
    right.set(xlabel=r"axial strain $\epsilon_1$ (%)", ylabel="void ratio $e$")
    right.legend(loc="lower right")
    figures.picture(figure, "drained")


def rowe(figures, tests, ax):
    centres, every = np.arange(0.01, 0.395, 0.01), {}
    for density in ("dense", "loose"):
        pairs = [t.dilatancy(centres, 0.01) for t in of(tests, "drained", density)]
        every[density] = np.concatenate([np.stack(pair) for pair in pairs], axis=1)
        ax.plot(every[density][1], every[density][0], MARKERS[density], color=COLOURS[density], ms=3, mfc="none",
                mew=0.7, label=f"{density}, windows of 1 %")
    ratio, d = np.concatenate(list(every.values()), axis=1)
    figures.add("rowe_phi", angle((ratio @ d) / (d @ d)), "degrees", figures["phi_crit"].value, "Rowe")
    k = np.tan(np.radians(45 + figures["phi_crit"].value / 2))**2
    figures.add("rowe_rms", 100 * np.sqrt(np.mean((ratio / (k * d) - 1)**2)), "%")
    figures.add("rowe_rms_constant", 100 * np.sqrt(np.mean((ratio / ratio.mean() - 1)**2)), "%")
    figures.add("rowe_slope", np.polyfit(d, ratio, 1)[0] / k, "", 1.0, "Rowe")
    for name, chosen in (("dilating", d > 1.3), ("steady", np.abs(d - 1) < 0.1)):
        figures.add(f"rowe_phi_{name}", angle(np.mean(ratio[chosen] / d[chosen])), "degrees")
    figures.add("rowe_correlation", np.corrcoef(d, ratio)[0, 1])
    figures.add("rowe_slope_most", figures["rowe_slope"].value / figures["rowe_correlation"].value**2)
    figures.add("phi_mu", np.degrees(np.arctan(FRICTION)), "degrees")
    x = np.array([min(d.min(), 0.6), d.max()])
    ax.plot(x, k * x, color="#000000", label=rf"Rowe, $\phi_f=\phi_{{crit}}={figures['phi_crit'].value:.1f}°$")
    ax.plot(x, np.tan(np.radians(45 + figures["phi_mu"].value / 2))**2 * x, color=REFERENCE, ls="--",
            label=rf"Rowe, $\phi_f=\phi_\mu={figures['phi_mu'].value:.1f}°$")
    ax.set(xlabel=r"$1-d\epsilon_v/d\epsilon_1$", ylabel=r"$\sigma_1/\sigma_3$", ylim=(1.2, 3.4))
    ax.legend(loc="upper left", fontsize=6.5)


def bolton(figures, tests):
    dense = of(tests, "drained", "dense")
    rates = [t.dilatancy(np.arange(0.005, 0.1, 0.001), 0.01)[1].max() - 1 for t in dense]
    gains = [t.peak()[0] - angle(t.late(t.ratio, CRITICAL)[0]) for t in dense]
    spread(figures, "rate_max", rates)
    spread(figures, "gain", gains, "degrees")
    figures.add("gain_bolton", np.mean(gains), "degrees", 10 * np.mean(rates), "Bolton")


def frictions(figures, tests, ax):
    """The critical state over the friction of the grains, one seed; f = 0.5 from the drained tests."""
    points = {f: tests[f"friction-{f}"] for f in FRICTIONS}
    for friction, test in sorted(points.items()):
        ratio, error = test.late(test.ratio, 0.15)
        name = f"{100 * friction:.0f}"
        figures.add(f"phi_f{name}", angle(ratio), "degrees", *((5.76, "PR") if friction == 0 else ()))
        figures.add(f"phi_f{name}_error", angle(ratio + error) - angle(ratio), "degrees")
        figures.add(f"e_f{name}", test.late(test.e, 0.15)[0])
        ax.errorbar(friction, figures[f"phi_f{name}"].value, figures[f"phi_f{name}_error"].value, color="#000000",
                    fmt="o", ms=4, capsize=2, lw=0.8, label="seed 1, damping 0.2" if friction == 0 else None)
    ax.errorbar(FRICTION, figures["phi_crit"].value, figures["phi_crit_sd"].value, fmt="D", color=COLOURS["loose"],
                ms=4, capsize=2, lw=0.8, label="six tests, damping 0.2")
    slow, found = tests["slow"], {"phi": {}, "e": {}}
    for name, kind in (("damped", "damped"), ("undamped", "drained")):  # the same seeds and the same range of strain
        chosen = of(tests, kind, "loose")
        found["phi"][name] = spread(figures, f"phi_{name}", [angle(t.late(t.ratio, 0.15, 0.3)[0]) for t in chosen],
                                    "degrees")
        found["e"][name] = spread(figures, f"e_{name}", [t.late(t.e, 0.15, 0.3)[0] for t in chosen])
    for name, unit in (("phi", "degrees"), ("e", "")):
        paired(figures, f"damping_{name}", found[name], unit, base="undamped", other="damped")
    figures.add("phi_last", figures["phi_f100"].value - figures["phi_crit"].value, "degrees")
    ax.errorbar(FRICTION + 0.04, figures["phi_damped"].value, figures["phi_damped_sd"].value, fmt="^", color="#CC79A7",
                ms=5, capsize=2, lw=0.8, label="three tests, damping 0.7")
    figures.add("phi_slow", angle(slow.late(slow.ratio, 0.15)[0]), "degrees")
    figures.add("e_slow", slow.late(slow.e, 0.15)[0])
    ax.plot(FRICTION - 0.04, figures["phi_slow"].value, "x", color="#009E73", label="seed 1, half the speed")
    ax.errorbar([0], [5.76], [0.22], fmt="s", color=REFERENCE, mfc="none", ms=6, label="Peyneau and Roux, simple shear")
    f = np.linspace(0, 1, 50)
    ax.plot(f, np.degrees(np.arctan(f)), color="#888888", ls="--", lw=1, label=r"$\phi_\mu=$ arctan $f$")
    ax.set(xlabel="friction $f$ of the grains", ylabel=r"critical friction angle (degrees)", ylim=(0, 30))
    ax.legend(loc="lower right", fontsize=6.5)


def dilatancy(figures, tests):
    figure, (left, right) = axes(height=3.3)
    rowe(figures, tests, left)
    bolton(figures, tests)
    frictions(figures, tests, right)
    figures.picture(figure, "dilatancy")


def undrained_tests(figures, tests):
    """Stress paths; the critical states in the plane of e and p."""
    figure, (left, right) = axes(height=3.3)
    for density in ("loose", "between", "denser", "dense"):
        for number, test in enumerate(of(tests, "undrained", density)):
            left.plot(test.p / 1e3, test.q / 1e3, color=COLOURS[density], lw=1, ls="-" if number == 0 else ":",
                      label=f"{density}, e = {test.e[0]:.3f}" if number == 0 else None)
    p = np.geomspace(5, 3e4, 20)
    left.plot(p, figures["M"].value * p, color=REFERENCE, ls="--", label="$q=Mp$ of the drained tests")
    left.set(xscale="log", yscale="log", xlim=(5, 3e4), ylim=(2, 3e4), xlabel="$p$ (kPa)", ylabel="$q$ (kPa)")
    left.legend(loc="upper left", fontsize=6.5)
    spread(figures, "q_loose", [t.q.max() for t in of(tests, "undrained", "loose")], "kPa", 1e-3)
    spread(figures, "strain_loose", [t.strain[np.argmax(t.q)] for t in of(tests, "undrained", "loose")], "%", 100)
    spread(figures, "strain_lost", [t.strain[-1] for t in of(tests, "undrained", "loose")], "%", 100)
    figures.add("lost", sum(t.p[-1] <= 5e3 for t in of(tests, "undrained", "loose")))
    spread(figures, "ratio_lost", [t.q[-1] / t.p[-1] for t in of(tests, "undrained", "loose")])
    dense = of(tests, "undrained", "dense")
    figures.add("p_least_dense", min(t.p.min() for t in dense) / 1e3, "kPa")
    spread(figures, "strain_dense", [t.strain[-1] for t in dense], "%", 100)
    spread(figures, "ratio_dense", [t.q[-1] / t.p[-1] for t in dense])
    points = [(t, CRITICAL, d, "drained") for d in ("dense", "loose") for t in of(tests, "drained", d)]
    points += [(t, 0.15, "loose", "damping 0.7") for t in of(tests, "damped", "loose")]
    for density in ("between", "denser"):
        kept = [t for t in of(tests, "undrained", density) if t.strain[-1] > 0.29]
        figures.add(f"kept_{density}", len(kept))
        ends = [t.late(t.p, 0.2)[0] / 1e6 for t in kept]
        figures.add(f"p_{density}_least", min(ends), "MPa")
        figures.add(f"p_{density}_largest", max(ends), "MPa")
        figures.add(f"M_{density}", np.mean([t.late(t.q / t.p, 0.2)[0] for t in kept]))
        points += [(t, 0.2, density, "undrained") for t in kept]
    critical_points(points, right)
    figures.picture(figure, "undrained")


def critical_points(points, ax):
    """Void ratio and pressure of the critical states; a bar is the range of p in blocks of strain."""
    shown = set()
    for test, first, name, kind in points:
        p, error = test.late(test.p, first)
        label = f"{name}, {kind}"
        ax.errorbar(p / 1e3, test.late(test.e, first)[0], xerr=2 * error / 1e3, fmt=MARKERS[name], ms=4, lw=0.7,
                    color=COLOURS[name if kind != "damping 0.7" else "damped"],
                    mfc="none" if kind != "damping 0.7" else None, label=None if label in shown else label)
        shown.add(label)
    ax.set(xscale="log", xlabel="$p$ (kPa)", ylabel="void ratio $e$", xlim=(70, 1e5), ylim=(0.67, 0.71))
    ax.legend(loc="upper right", fontsize=6.5)


def laws(figures, tests):
    """Both laws with the same positions: peaks, critical state, stiffness, undrained strength.

    Drained, jager also starts from shifted positions: what another rounding changes is chance.
    """
    figure, (left, right) = axes()
    found = {name: {} for name in ("peak", "crit", "e", "E_small", "E_medium", "q_loose", "strain_lost")}
    grid = np.geomspace(2e-5, 1.9e-3, 60)
    for law in (*LAWS, "shifted"):
        dense = of(tests, "shifted", "dense") if law == "shifted" else of(tests, "drained", "dense", law)
        found["peak"][law] = [t.peak()[0] for t in dense]
        found["crit"][law] = [angle(t.late(t.ratio, CRITICAL)[0]) for t in dense]
        found["e"][law] = [t.late(t.e, CRITICAL)[0] for t in dense]
        found["E_small"][law] = [t.secant(1e-4) for t in dense]
        found["E_medium"][law] = [t.secant(1e-3) for t in dense]
        if law == "shifted":
            continue
        loose = of(tests, "undrained", "loose", law)
        found["q_loose"][law] = [t.q.max() for t in loose]
        found["strain_lost"][law] = [t.strain[-1] for t in loose]
        band(left, 100 * grid, [t.secant(grid) / 1e6 for t in dense], **line(law))
        for number, test in enumerate(loose):
            right.plot(test.p / 1e3, test.q / 1e3, **line(law, lw=1, label=line(law)["label"] if number == 0 else None))
    units = {"peak": ("degrees", 1), "crit": ("degrees", 1), "e": ("", 1), "E_small": ("MPa", 1e-6),
             "E_medium": ("MPa", 1e-6), "q_loose": ("kPa", 1e-3), "strain_lost": ("%", 100)}
    for name, (unit, scale) in units.items():
        spread(figures, f"law_{name}_jager", found[name]["jager"], unit, scale)
        paired(figures, f"law_{name}", found[name], unit, scale)
        errors = [figures[f"law_{name}_difference_error"].value]
        if "shifted" in found[name]:
            paired(figures, f"null_{name}", found[name], unit, scale, other="shifted")
            errors.append(figures[f"null_{name}_difference_error"].value)
        # three pairs may agree by chance: a difference counts only if rounding alone does not scatter as much
        figures.add(f"law_{name}_uncertainty", max(errors), unit)
    for name in ("peak", "crit", "e"):
        ratio = figures[f"law_{name}_difference"].value / figures[f"null_{name}_difference_error"].value
        figures.add(f"{name}_over_null", abs(ratio))
    student = 4.303  # two-sided test, 95 %, three pairs
    figures.add("law_measures", len(units))
    for count, error in (("law_beyond", "difference_error"), ("law_certain", "uncertainty")):
        figures.add(count, sum(abs(figures[f"law_{name}_difference"].value)
                               > student * figures[f"law_{name}_{error}"].value for name in units))
    for name in ("E_small", "E_medium", "q_loose"):
        parts = np.array(found[name]["hertz-mindlin"]) / np.array(found[name]["jager"]) - 1
        figures.add(f"law_{name}_percent", 100 * parts.mean(), "%")
        figures.add(f"law_{name}_percent_error", 100 * parts.std(ddof=1) / np.sqrt(len(parts)), "%")
    left.set(xscale="log", xlabel="axial strain (%)", ylabel=r"secant modulus $q/\epsilon_1$, dense (MPa)",
             ylim=(0, None))
    right.set(xlabel="$p$ (kPa)", ylabel="$q$ (kPa)", xlim=(0, 105), ylim=(0, None))
    left.legend(loc="lower left")
    right.text(0.04, 0.9, "undrained, loose\nthree seeds", transform=right.transAxes, fontsize=7.5)
    figures.picture(figure, "laws")


def quick(figures, folder):
    """What is made anew for --check: the lattice with both laws, and an undrained test of seed 1."""
    for law in LAWS:
        figures.add(f"lattice_{law.replace('-', '_')}", lattice_ratio(folder, law), "",
                    2 * (1 + FRICTION) / (1 - FRICTION), "T79")
    test = Test(run_of(folder / "undrained-loose-jager-1", undrained(packed(folder / "packings", "loose", 1))))
    figures.add("q_loose_seed_1", test.q.max() / 1e3, "kPa")
    figures.add("strain_lost_seed_1", 100 * test.strain[-1], "%")


def part(figures):
    warnings.simplefilter("ignore", jager.JagerWarning)
    with tempfile.TemporaryDirectory() as folder:
        quick(figures, pathlib.Path(folder))


def make(figures):
    runs = all_runs(figures.runs)
    tests = {name: Test(run) for name, run in runs.items()}
    quick(figures, figures.runs)
    figures.add("runs", len(runs))
    for name, text in (("warned_overlap", "overlaps"), ("warned_rest", "not in equilibrium")):
        figures.add(name, sum(any(text in line for line in run.warnings) for run in runs.values()))
    packings(figures, tests)
    drained_tests(figures, tests)
    dilatancy(figures, tests)
    undrained_tests(figures, tests)
    laws(figures, tests)
