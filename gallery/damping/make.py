# SPDX-License-Identifier: MIT
"""G/Gmax and damping over the strain: four pressures, two densities, spheres and cones, three laws; against soils."""
import contextlib
import math
import pathlib
import tempfile
import warnings

import numpy as np

from common import axes, band, line, read_points

import jager

TITLE = "Modulus reduction and damping"
CLAIM = ("Below a strain of 10⁻⁵ damping by friction is proportional to the strain, as in Mindlin's theory, and far "
         "below the damping of soils; a capped spring damps too little in a dense packing")
QUICK = False
SOURCES = {
    "MD": "R. D. Mindlin, H. Deresiewicz, Elastic spheres in contact under varying oblique forces, *J. Appl. Mech.* 20 "
          "(1953) 327–344, [doi:10.1115/1.4010702](https://doi.org/10.1115/1.4010702): the loss per cycle of a small "
          "amplitude is proportional to its cube.",
    "Masing": "a loop that is the backbone twice as large, in closed form: G/Gmax = 1 − cγ gives "
              "D = (2/(3π))(Gmax/G − 1), at small strains (2/(3π))(1 − G/Gmax).",
    "Scale": "at the same fabric all strains are proportional to overlap over diameter: p^(2/3) for Hertz's contact, "
             "p^(1/2) for cones, whose force is proportional to the square of the overlap.",
    "DA": "M. B. Darendeli, *Development of a new family of normalized modulus reduction and material damping curves*, "
          "dissertation, The University of Texas at Austin, 2001. The closed form is in [make.py]"
          "(../../gallery/damping/make.py), for PI = 0, OCR = 1, 1 Hz and 10 cycles. The dissertation was not "
          "available: φ₁ to φ₁₂ agree in four public programs (except φ₁₂ = −0.0057, which is −0.00566 in pystrata), "
          "c₁ to c₃ in two, the standard deviations in three.",
    "SI": "H. B. Seed, I. M. Idriss, *Soil moduli and damping factors for dynamic response analyses*, Report EERC "
          "70-10, University of California, Berkeley, 1970: curves for sand, as tabulated by pystrata "
          "([seed-idriss.csv](../../gallery/damping/seed-idriss.csv)); the figures of the report were not available.",
    "ME": "F.-Y. Menq, *Dynamic properties of sandy and gravelly soils*, dissertation, The University of Texas at "
          "Austin, 2003: γr = 0.12 % Cu^(−0.6) (p/pa)^(0.5 Cu^(−0.15)), as in two public programs.",
    "Moduli": "`jager.moduli`, which solves for the stiffness of the contact network; no sphere moves.",
    "Same": "the same run under `jager`, from the same grains.",
    "Exact": "the same run with exact histories.",
    "Slow": "the same run, three times as slow."}
PRESSURES = (50, 100, 400, 1000)  # kPa
DENSITIES = {"dense": 0.0, "loose": 0.2}  # friction while packing
SEEDS = (1, 2, 3)
LAWS = ("jager", "hertz-mindlin", "modified-mindlin")
CONE = {"kind": "cone", "slope": 0.02}
PACE = {"cycles": 2, "steps_per_cycle": 3000, "inertial_number": 4e-4}
SPHERES = 400
UNIFORMITY = 1.25  # D60/D10 of these spheres, as `jager run` prints it
ATMOSPHERE = 101.325  # kPa
COLOURS = {50: ("#E69F00", "o"), 100: ("#000000", "s"), 400: ("#009E73", "^"), 1000: ("#0072B2", "D")}
SAND = read_points(pathlib.Path(__file__).with_name("seed-idriss.csv"))
MASING = 2 / (3 * math.pi)  # D over 1 - G/Gmax where G falls in proportion to the strain


def case(pressure=100, amplitudes=None, contour=None, pace=PACE, spheres=SPHERES):
    """Cycles of simple shear at constant normal stresses; all histories are exact (tolerance 0)."""
    last = 1e-3 if pressure < 200 else 10**-2.5
    stress = {"stress": f"{pressure} kPa"}
    return jager.Case({
        "jager": 1, "title": f"{spheres} spheres at {pressure} kPa",
        "material": {"shear_modulus": "29 GPa", "poisson": 0.15, "friction": 0.5, "density": "2650 kg/m3"},
        "contact": {"model": "jager", **({"contour": contour} if contour else {})},
        "assembly": {"packing": {"spheres": spheres, "sizes": {"uniform": {"min": "0.8 mm", "max": "1.2 mm"}},
                                 "pressure": f"{pressure} kPa", "friction": 0.0}},
        "stages": [{"name": "shear", "control": {"xx": stress, "yy": stress, "zz": stress}, "modulus_reduction": {
            "component": "xz", "amplitudes": amplitudes or {"from": 1e-6, "to": last, "per_decade": 2}, **pace}}],
        "output": {"series": 100000, "plots": False}})


class Curves:
    """G/Gmax and D of several seeds, a row for each seed, from the last cycle of each amplitude; nan: an open loop.

    D is the area of the loop without the energy that numerical damping has taken, as in the table `reduction`.
    `certain` has nan where that is above a third of the loop: such a D counts in no figure; pictures show it.
    """

    def __init__(self, runs):
        tables = []
        for run in runs:
            last = [np.flatnonzero(run.cycles["stage"] == number)[-1] for number, name in enumerate(run.stages)
                    if name in {f"shear-{k + 1}" for k in range(len(run.reduction))}]
            tables.append(run.cycles[last])
        self.gamma = tables[0]["strain_amplitude"]
        self.modulus, self.loop, self.friction, self.numerical, self.void_ratio = (
            np.array([table[key] for table in tables]) for key in
            ("shear_modulus", "damping_ratio", "damping_ratio_friction", "damping_ratio_numerical", "void_ratio"))
        self.ratio, self.damping = self.modulus / self.modulus[:, :1], self.loop - self.numerical
        self.certain = np.where(self.numerical > self.loop / 3, math.nan, self.damping)

    def at(self, gamma):
        """The column of an amplitude."""
        return int(np.argmin(np.abs(np.log(self.gamma / gamma))))


# ---- Runs ------------------------------------------------------------------------------------------------------------

def pressures(figures):
    """{(shape, density, pressure): Curves} under jager."""
    curves = {}
    for pressure in PRESSURES:
        over = {"assembly.packing.friction": list(DENSITIES.values()), "seed": list(SEEDS)}
        runs = figures.sweep(f"spheres-{pressure}", case(pressure), over).runs
        for number, density in enumerate(DENSITIES):
            curves["spheres", density, pressure] = Curves(runs[number * len(SEEDS):(number + 1) * len(SEEDS)])
        for density in DENSITIES if pressure == 100 else ("dense",):
            over["assembly.packing.friction"] = [DENSITIES[density]]
            runs = figures.sweep(f"cones-{pressure}-{density}", case(pressure, contour=CONE), over).runs
            curves["cones", density, pressure] = Curves(runs)
    return curves


def positions(figures):
    """Files with the grains of packings at 100 kPa, by density and seed, from which all laws start."""
    folder, files = figures.runs / "positions", []
    folder.mkdir(parents=True, exist_ok=True)
    for density, friction in DENSITIES.items():
        for seed in SEEDS:
            files.append(str(folder / f"{density}-{seed}.txt"))
            if not pathlib.Path(files[-1]).exists():
                simulation = jager.Simulation(case().changed({"assembly.packing.friction": friction, "seed": seed}))
                simulation.finish_stage()
                jager.write_assembly(simulation.assembly(), files[-1], drop=("densities", "velocities"))
    return files


@contextlib.contextmanager
def quiet():
    """No warnings of the energy balance: next to no energy enters while grains from a file settle."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "(?s).*energies do not balance", jager.JagerWarning)
        yield


def laws(figures):
    """{(law, density): Curves} from the same grains, and {density: Curves} of jager, three times as slowly."""
    files, count = positions(figures), len(SEEDS)
    slow = {**PACE, "steps_per_cycle": 3 * PACE["steps_per_cycle"], "inertial_number": PACE["inertial_number"] / 3}
    with quiet():
        start = case().changed({"assembly": {"file": files[0]}})
        runs = figures.sweep("laws", start, {"contact.model": list(LAWS), "assembly.file": files}).runs
        start = case(pace=slow).changed({"assembly": {"file": files[0]}})
        slower = figures.sweep("slow", start, {"assembly.file": files[::count]}).runs
    keys = [(law, density) for law in LAWS for density in DENSITIES]
    return ({key: Curves(runs[number * count:(number + 1) * count]) for number, key in enumerate(keys)},
            {density: Curves([run]) for density, run in zip(DENSITIES, slower)})


# ---- Soils -----------------------------------------------------------------------------------------------------------

def darendeli(gamma, pressure):
    """G/Gmax, D and their standard deviations for PI = 0, OCR = 1, 1 Hz, 10 cycles; pressure in kPa."""
    stress, curvature = pressure / ATMOSPHERE, 0.9190
    x = 100 * np.asarray(gamma) / (0.0352 * stress**0.3483)  # strain over reference strain
    ratio = 1 / (1 + x**curvature)
    masing = 100 / math.pi * (4 * (x - np.log1p(x)) * (1 + x) / x**2 - 2)  # % for a curvature of 1
    factors = (np.polyval(c, curvature) for c in
               ((-1.1143, 1.8618, 0.2523), (0.0805, -0.0710, -0.0095), (-0.0005, 0.0002, 0.0003)))
    masing = sum(factor * masing**(power + 1) for power, factor in enumerate(factors))
    damping = (0.6329 - 0.0057 * math.log(10)) * ratio**0.1 * masing + 0.8005 * stress**-0.2889
    ratio_deviation = math.exp(-4.23) + np.sqrt((0.25 - (ratio - 0.5)**2) / math.exp(3.62))
    damping_deviation = math.exp(-5) + math.exp(-0.25) * np.sqrt(damping)
    return ratio, damping / 100, ratio_deviation, damping_deviation / 100


def sand(what, gamma, which="mean"):
    """Seed and Idriss' curve of sand."""
    x, y = SAND[f"{what} {which}"]
    return np.interp(math.log(gamma), np.log(x), y)


def hyperbola(gamma, ratio):
    """Reference strain, where G/Gmax is 0.5, and curvature: log(Gmax/G - 1) is straight for Darendeli's curve."""
    known = (ratio < 0.99) & (ratio > 0)
    x, y = np.log(gamma[known]), np.log(1 / ratio[known] - 1)
    return math.exp(np.interp(0.0, y, x, right=math.nan)), np.polyfit(x, y, 1)[0]


def masing_damping(gamma, ratio):
    """D at the last strain if loops were the backbone, twice as large; Gmax/G - 1 is interpolated as in hyperbola."""
    known = ratio < 1
    strains = np.linspace(0, gamma[-1], 20001)[1:]
    x, y = np.log(gamma[known]), np.log(1 / ratio[known] - 1)
    at = np.log(strains)
    below = np.minimum(at - x[0], 0)  # G falls in proportion to the strain there
    stress = strains / (1 + np.exp(np.interp(at, x, y) + below))
    area = np.trapz(np.append(0, stress), np.append(0, strains))
    return (4 * area / (stress[-1] * strains[-1]) - 2) / math.pi


# ---- Figures ---------------------------------------------------------------------------------------------------------

def mean_and_deviation(figures, name, values, unit="", expected=None, source=""):
    figures.add(name, np.mean(values), unit, expected, source)
    figures.add(f"{name}_deviation", np.std(values, ddof=1), unit)


def label(gamma):
    """1e-5 as 1e5, for the names of figures."""
    return f"1e{-round(math.log10(gamma))}"


def soils(figures, curves):
    """How many means of seeds are within standard deviations of Darendeli's G/Gmax, or in Seed and Idriss' range of D.

    Darendeli's deviations of D are left out: at small strains they are as large as D itself.
    """
    for shape, density in dict.fromkeys(key[:2] for key in curves):
        known = [(p, curve) for (*which, p), curve in curves.items() if tuple(which) == (shape, density)]
        far, inside, curvature = [], [], []
        for pressure, curve in known:
            ratio, _, deviation, _ = darendeli(curve.gamma, pressure)
            far += list(np.abs(curve.ratio.mean(axis=0) - ratio)[1:] / deviation[1:])  # the first is always 1
            damping = curve.certain.mean(axis=0)
            inside += [sand("damping", g, "lower") <= d <= sand("damping", g) for g, d in zip(curve.gamma, damping)]
            curvature += [hyperbola(curve.gamma, row)[1] for row in curve.ratio]
        name = f"{shape}_{density}"
        for times in (1, 2):
            figures.add(f"{name}_G_within_{times}", np.sum(np.array(far) <= times), "points")
        figures.add(f"{name}_G_points", len(far), "points")
        figures.add(f"{name}_D_inside", sum(inside), "points")
        figures.add(f"{name}_D_points", len(inside), "points")
        mean_and_deviation(figures, f"{name}_curvature", curvature, "", 0.9190, "DA")
    values_at_100(figures, curves)


def values_at_100(figures, curves):
    """G/Gmax and D at 100 kPa, beside the soils'."""
    for density in DENSITIES:
        curve = curves["spheres", density, 100]
        for gamma in (1e-6, 1e-5, 1e-4, 1e-3):
            at, name = curve.at(gamma), f"{density}_{label(gamma)}"
            ratio, damping, *_ = darendeli(curve.gamma[at], 100)
            figures.add(f"G_{name}", curve.ratio[:, at].mean(), "", ratio, "DA")
            figures.add(f"D_{name}", 100 * curve.certain[:, at].mean(), "%", 100 * damping, "DA")
            figures.add(f"D_{name}_sand", 100 * curve.certain[:, at].mean(), "%", 100 * sand("damping", gamma), "SI")
            figures.add(f"G_{name}_sand", curve.ratio[:, at].mean(), "", sand("modulus", gamma), "SI")
        figures.add(f"D_{density}_smaller", figures[f"D_{density}_1e6"].expected / figures[f"D_{density}_1e6"].value)
        figures.add(f"void_ratio_{density}", curve.void_ratio[:, 0].mean())
        figures.add(f"Gmax_{density}", curve.modulus[:, 0].mean() / 1e6, "MPa")
        figures.add(f"Gmax_{density}_deviation", curve.modulus[:, 0].std(ddof=1) / 1e6, "MPa")


def references(figures, curves):
    """Reference strains, {(shape, density): (pressures, a row of strains for each seed)}, and their exponents."""
    found = {}
    for shape, density in dict.fromkeys(key[:2] for key in curves):
        known = [pressure for pressure in PRESSURES if (shape, density, pressure) in curves]
        strains = np.array([[hyperbola(curve.gamma, ratio)[0] for ratio in curve.ratio]
                            for curve in (curves[shape, density, pressure] for pressure in known)]).T
        found[shape, density] = np.array(known), strains
        if len(known) > 1:
            exponents = [np.polyfit(np.log(known), np.log(row), 1)[0] for row in strains]
            mean_and_deviation(figures, f"exponent_{shape}_{density}", exponents, "",
                               2 / 3 if shape == "spheres" else 1 / 2, "Scale")
        at = known.index(100)
        mean_and_deviation(figures, f"reference_{shape}_{density}", 100 * strains[:, at], "%",
                           0.0352 * (100 / ATMOSPHERE)**0.3483, "DA")
    figures.add("exponent_menq", 0.5 * UNIFORMITY**-0.15)
    figures.add("reference_menq", 0.12 * UNIFORMITY**-0.6 * (100 / ATMOSPHERE)**figures["exponent_menq"].value, "%")
    figures.add("exponent_times", figures["exponent_spheres_dense"].value / 0.3483)
    figures.add("reference_cones_over_menq", figures["reference_cones_dense"].value / figures["reference_menq"].value)
    return found


def small_strains(figures, curves, by_law):
    """Exponents of D over gamma up to 1e-5, and D over 1 - G/Gmax there."""
    def exponents(curve):
        few = curve.gamma < 1.1e-5
        return [np.polyfit(np.log(curve.gamma[few]), np.log(row[few]), 1)[0] for row in curve.certain
                if np.all(row[few] > 0)]
    for shape, density in dict.fromkeys(key[:2] for key in curves):
        values = [value for key, curve in curves.items() if key[:2] == (shape, density) for value in exponents(curve)]
        mean_and_deviation(figures, f"power_{shape}_{density}", values, "", 1.0, "MD")
    ratio = darendeli(1e-3, 100)[0]
    figures.add("masing_darendeli_large", (0.6329 - 0.0057 * math.log(10)) * ratio**0.1)
    for (law, density), curve in by_law.items():
        at, name = curve.at(1e-5), f"{law.replace('-', '_')}_{density}"
        softening = (1 - curve.ratio[:, at]) / (1 - curve.gamma[0] / curve.gamma[at])  # from gamma = 0 on
        figures.add(f"masing_{name}", curve.damping[:, at].mean() / softening.mean(), "", MASING, "Masing")
        figures.add(f"masing_{name}_deviation", np.std(curve.damping[:, at] / softening, ddof=1))
        for gamma in (1e-6, 1e-5):
            figures.add(f"friction_{name}_{label(gamma)}", 100 * curve.friction[:, curve.at(gamma)].mean(), "%")
        # of the area that Masing's rule makes of the curve of G/Gmax
        mean_and_deviation(figures, f"masing_{name}_large", [now[-1] / masing_damping(curve.gamma, row)
                                                             for now, row in zip(curve.damping, curve.ratio)],
                           "", 1.0, "Masing")
        if density == "dense":
            mean_and_deviation(figures, f"power_{name}", exponents(curve), "", 1.0, "MD")


def sliding(figures):
    """The largest fraction of contacts of hertz-mindlin that slide at a time, in the cycles that count."""
    files, count = positions(figures), len(SEEDS)
    start = case(amplitudes=[1e-6, 1e-5]).changed({"assembly": {"file": files[0]}, "contact.model": "hertz-mindlin",
                                                   "output.series": 5})
    with quiet():
        runs = figures.sweep("sliding", start, {"assembly.file": files}).runs
    for number, density in enumerate(DENSITIES):
        for stage, gamma in (("shear-1", "1e6"), ("shear-2", "1e5")):
            found = [run.series[(run.series["stage"] == run.stages.index(stage)) & (run.series["cycle"] > 1)]
                     for run in runs[number * count:(number + 1) * count]]
            largest = [rows["sliding_fraction"].max() for rows in found]
            figures.add(f"sliding_{density}_{gamma}", 100 * max(largest), "%")
            figures.add(f"sliding_{density}_{gamma}_none", largest.count(0.0), "seeds")


def tolerance(figures, by_law):
    """What shortened histories do to D at small strains, in percent of that of exact ones."""
    files, count = positions(figures), len(SEEDS)
    start = case(amplitudes={"from": 1e-6, "to": 1e-5, "per_decade": 2}).changed({"assembly": {"file": files[0]},
                                                                                  "contact.tolerance": 1e-3})
    with quiet():
        runs = figures.sweep("tolerance", start, {"assembly.file": files}).runs
    for number, density in enumerate(DENSITIES):
        short, exact = Curves(runs[number * count:(number + 1) * count]), by_law["jager", density]
        for gamma in (1e-6, 1e-5):
            at = exact.at(gamma)
            mean_and_deviation(figures, f"tolerance_{density}_{label(gamma)}",
                               100 * (short.certain[:, at] / exact.certain[:, at] - 1), "%", 0.0, "Exact")


def law_errors(figures, by_law):
    """Errors in percent of jager's value, seed by seed from the same grains, with their standard deviation."""
    for (law, density), curve in by_law.items():
        exact = by_law["jager", density]
        for gamma in (1e-6, 1e-5, 1e-4, 1e-3):
            at = exact.at(gamma)
            for what, values, right in (("G", curve.ratio, exact.ratio), ("D", curve.certain, exact.certain)):
                name = f"{density}_{law.replace('-', '_')}_{what}_{label(gamma)}"
                if law == "jager":
                    mean_and_deviation(figures, name, right[:, at] * (100 if what == "D" else 1),
                                       "%" if what == "D" else "")
                elif gamma > 1e-6 or what == "D":
                    mean_and_deviation(figures, name, 100 * (values[:, at] / right[:, at] - 1), "%", 0.0, "Same")
    wider = by_law["hertz-mindlin", "loose"].certain[:, 0] > by_law["jager", "loose"].certain[:, 0]
    figures.add("loose_hertz_mindlin_wider", wider.sum(), "seeds")
    figures.add("loose_hertz_mindlin_compared", np.isfinite(by_law["jager", "loose"].certain[:, 0]).sum(), "seeds")
    for law in ("hertz_mindlin", "modified_mindlin"):
        figures.add(f"{law}_large_D", max(abs(figures[f"{density}_{law}_D_{gamma}"].value) for density in DENSITIES
                                          for gamma in ("1e4", "1e3")), "%", 0.0, "Same")


def numerical_part(figures, curves, by_law, slow):
    """The share of numerical damping, which is subtracted, and what a third of the pace changes."""
    for density in DENSITIES:
        every = [c for key, c in curves.items() if key[1] == density] + [by_law["jager", density]]
        shares = [c.numerical / c.loop for c in every]
        own = curves["spheres", density, 100]
        figures.add(f"numerical_{density}_own", 100 * (own.numerical / own.loop)[:, 0].max(), "% of D")
        figures.add(f"doubtful_{density}", sum(np.sum(share > 1 / 3) for share in shares), "loops")
        figures.add(f"numerical_{density}", 100 * max(np.nanmax(share) for share in shares), "% of D")
        figures.add(f"numerical_{density}_small", 100 * max(share[:, 0].max() for share in shares), "% of D")
        figures.add(f"numerical_{density}_median", 100 * np.nanmedian(np.concatenate(shares, axis=None)), "% of D")
        fast, slower = by_law["jager", density], slow[density]
        for what, now, then in (("G", fast.ratio, slower.ratio), ("D", fast.damping, slower.damping)):
            change = 100 * np.abs(now[0] / then[0] - 1)
            figures.add(f"slow_{density}_{what}", np.nanmax(change), "%", 0.0, "Slow")
            figures.add(f"slow_{density}_{what}_median", np.nanmedian(change), "%", 0.0, "Slow")


def probe(figures):
    """A small run: Gmax against the stiffness of the network, and D."""
    with tempfile.TemporaryDirectory() as folder:
        run = case(amplitudes=[1e-6, 1e-5], spheres=200).run(pathlib.Path(folder) / "probe", progress=False)
        solved = 1 / np.linalg.inv(jager.moduli(run).stiffness)[4, 4]  # xz, at constant other stresses
        figures.add("probe_G", run.reduction["shear_modulus"][0] / 1e6, "MPa", solved / 1e6, "Moduli")
        figures.add("probe_D", 100 * run.reduction["damping_ratio"][1], "%")


# ---- Pictures --------------------------------------------------------------------------------------------------------

PANELS = (("spheres", "dense"), ("spheres", "loose"), ("cones", "dense"))


def closed(values):
    """The amplitudes at which the loops of all seeds are closed."""
    return np.all(np.isfinite(values), axis=0)


def by_pressure(figures, curves, what):
    """G/Gmax or D over gamma at all pressures, three panels."""
    figure, panels = axes(3, 2.8, sharey=True)
    smooth = np.logspace(-6, -2.5, 60)
    for ax, (shape, density) in zip(panels, PANELS):
        for pressure, (colour, marker) in COLOURS.items():
            curve = curves[shape, density, pressure]
            values = curve.ratio if what == "reduction" else curve.damping
            known = closed(values)
            band(ax, curve.gamma[known], values[:, known], color=colour, marker=marker, ms=3, label=f"{pressure} kPa")
            ax.plot(smooth, darendeli(smooth, pressure)[0 if what == "reduction" else 1], "--", color=colour, lw=0.9)
        names = ("modulus mean", "modulus upper") if what == "reduction" else ("damping lower", "damping mean")
        ax.fill_between(SAND[names[0]][0], SAND[names[0]][1], SAND[names[1]][1], color="#bbbbbb", alpha=0.5, lw=0)
        ax.set(xscale="log", xlabel=r"$\gamma$", xlim=(8e-7, 4e-3), xticks=[1e-6, 1e-5, 1e-4, 1e-3])
        ax.set_title(f"{shape}, {density}", fontsize=9)
        ax.minorticks_off()
    if what == "damping":
        panels[0].set(yscale="log", ylim=(1e-5, 0.4))
    panels[0].set_ylabel("G/Gmax" if what == "reduction" else "damping ratio D")
    panels[0].legend(loc="lower left" if what == "reduction" else "lower right")
    keys = (panels[1].plot([], [], "--", color="#555555", lw=0.9, label="Darendeli (DA)")[0],
            panels[1].fill_between([], [], color="#bbbbbb", alpha=0.5, lw=0, label="Seed and Idriss (SI)"))
    panels[1].legend(handles=keys, loc="lower left" if what == "reduction" else "lower right")
    figures.picture(figure, "curves" if what == "reduction" else "ratio")


def picture_laws(figures, by_law):
    figure, (dense, loose, modulus) = axes(3, 3.0)
    for ax, density in ((dense, "dense"), (loose, "loose")):
        for law in LAWS:
            curve = by_law[law, density]
            known = closed(curve.damping)
            band(ax, curve.gamma[known], np.maximum(curve.damping[:, known], 1e-9), marker="os^"[LAWS.index(law)],
                 **{**line(law), "label": law, "ms": 3})
        ax.plot(curve.gamma, darendeli(curve.gamma, 100)[1], "--", color="#777777", lw=0.9, label="Darendeli (DA)")
        ax.set(xscale="log", yscale="log", ylim=(2e-5, 0.4), xlabel=r"$\gamma$", xticks=[1e-6, 1e-5, 1e-4, 1e-3])
        ax.set_title(density, fontsize=9)
    for law in LAWS[1:]:
        for density in DENSITIES:
            curve, exact = by_law[law, density], by_law["jager", density]
            band(modulus, curve.gamma, 100 * (curve.ratio / exact.ratio - 1), **{
                **line(law), "label": f"{law}, {density}", "marker": "s" if density == "dense" else None, "ms": 3,
                "lw": 1.4 if density == "dense" else 0.8})
    modulus.axhline(0, **{**line("jager"), "lw": 0.8})
    modulus.set(xscale="log", xlabel=r"$\gamma$", ylabel="error of G/Gmax (%)", xticks=[1e-6, 1e-5, 1e-4, 1e-3],
                ylim=(-16, 17))
    modulus.legend(loc="upper left", fontsize=6.5)
    dense.set_ylabel("damping ratio D")
    dense.legend(loc="lower right", fontsize=6.5)
    figures.picture(figure, "laws")


def picture_reference(figures, found, by_law):
    figure, (left, right) = axes(2, 3.2)
    looks = {("spheres", "dense"): ("#000000", "-", "s"), ("spheres", "loose"): ("#0072B2", "-", "o"),
             ("cones", "dense"): ("#D55E00", "-", "^"), ("cones", "loose"): ("#E69F00", "-", "v")}
    for (shape, density), (known, strains) in found.items():
        colour, dashes, marker = looks[shape, density]
        band(left, known, strains, color=colour, linestyle=dashes, marker=marker, label=f"{shape}, {density}")
    pressure = np.array([50, 1000])
    left.plot(pressure, 3.52e-4 * (pressure / ATMOSPHERE)**0.3483, "k--", lw=1, label="Darendeli (DA)")
    left.plot(pressure, 1.2e-3 * UNIFORMITY**-0.6 * (pressure / ATMOSPHERE)**(0.5 * UNIFORMITY**-0.15), "k:", lw=1,
              label="Menq, Cu = 1.25 (ME)")
    left.set(xscale="log", yscale="log", xlabel="p (kPa)", ylabel=r"reference strain $\gamma_r$", ylim=(1.2e-4, 8e-3))
    left.set_xticks(PRESSURES, PRESSURES)
    left.set_yticks([2e-4, 5e-4, 1e-3, 2e-3, 5e-3], ["2·10⁻⁴", "5·10⁻⁴", "10⁻³", "2·10⁻³", "5·10⁻³"])
    left.minorticks_off()
    left.legend(loc="upper left", ncol=2, fontsize=6.5)
    for law in LAWS:
        curve = by_law[law, "dense"]
        softening = (1 - curve.ratio + (1 - curve.ratio[:, 2:3]) / 9)[:, 1:].mean(axis=0)  # from gamma = 0 on
        right.plot(softening, curve.damping[:, 1:].mean(axis=0), **{
            **line(law), "label": law, "marker": "os^"[LAWS.index(law)], "ms": 3.5})
    ratio, damping, *_ = darendeli(np.logspace(-6, -3, 50), 100)
    right.plot(1 - ratio, damping, "--", color="#777777", lw=0.9, label="Darendeli (DA)")
    softening = np.geomspace(5e-4, 0.5, 50)
    right.plot(softening, MASING * softening / (1 - softening), color="#D55E00", lw=0.9, label="Masing, G falls with γ")
    right.set(xscale="log", yscale="log", xlabel="1 − G/Gmax", ylabel="damping ratio D")
    right.legend(loc="lower right", fontsize=6.5)
    figures.picture(figure, "reference")


def make(figures):
    by_law, slow = laws(figures)
    curves = pressures(figures)
    probe(figures)
    soils(figures, curves)
    found = references(figures, curves)
    small_strains(figures, curves, by_law)
    sliding(figures)
    tolerance(figures, by_law)
    law_errors(figures, by_law)
    numerical_part(figures, curves, by_law, slow)
    by_pressure(figures, curves, "reduction")
    by_pressure(figures, curves, "damping")
    picture_laws(figures, by_law)
    picture_reference(figures, found, by_law)


def part(figures):
    probe(figures)
