# SPDX-License-Identifier: MIT
"""Grains of seven spheres that stand for two sands, beside spheres of the same sizes: how densely they pack, their
stiffness, their strength, and their liquefaction."""
import concurrent.futures
import warnings

import numpy as np

from common import REFERENCE, axes, band, run_of

import jager

TITLE = "Grains of sand"
CLAIM = ("Rigid clumps pack from the least to the largest void ratio of the sand they stand for, and have its strength "
         "and dilatancy; spheres of the same sizes do not; stiffness is a quarter too small")
QUICK = False
SOURCES = {
    "Kuhn": "M. R. Kuhn, clumps for Nevada and Toyoura sand in his code DEMPLA: shapes, sizes, contour, friction, the "
            "friction of packing for each void ratio, G = 104 MPa at 80 kPa and e = 0.653 (γ = 2·10⁻⁶) with exponent "
            "0.50; for Toyoura sand, the formula G = 70 MPa (p/100 kPa)^0.47 (2.17 − e)²/(1 + e) at γ = 10⁻⁴, and "
            "q/p ≈ 1.22, e ≈ 0.86 in the critical state.",
    "IB": "I. M. Idriss, R. W. Boulanger, *Soil liquefaction during earthquakes*, Monograph MNO-12, Earthquake "
          "Engineering Research Institute (2008): CSR = a·N^(−b) with b ≈ 0.34 for clean sand, as commonly quoted; the "
          "monograph was not available."}

SEEDS = (1, 2, 3)
WORKERS = 2
PACKED, TESTED = 1000, 600  # grains of a packing, and of a test
D50_OF = {"passing": [0, "10 %", "30 %", "50 %", "60 %", "100 %"]}
SANDS = {  # mm; slope of the power contour r^1.5, friction, pressure of the tests
    "nevada": {"diameter": (0.074, 0.091, 0.127, 0.163, 0.181, 0.276), "slope": 100, "friction": 0.40,
               "pressure": 80e3, "limits": (0.511, 0.887)},
    "toyoura": {"diameter": (0.083, 0.101, 0.142, 0.183, 0.202, 0.309), "slope": 180, "friction": 0.45,
                "pressure": 100e3, "limits": (0.60, 0.98)}}
COLOURS = {"nevada": "#000000", "toyoura": "#0072B2", "sphere": "#E69F00"}
# Friction of packing and the void ratio that Kuhn's Nevada sand got with it
RECIPE = {0.02: 0.511, 0.06: 0.557, 0.11: 0.607, 0.16: 0.655, 0.21: 0.707, 0.33: 0.807, 0.39: 0.857, 0.45: 0.892}
ISOTROPIC = ("xx", "yy", "zz")
FIXED = {name: {"strain_rate": 0} for name in ISOTROPIC}

# ---- Cases and runs -------------------------------------------------------------------------------------------------


def held(pressure):
    return {name: {"stress": pressure} for name in ISOTROPIC}


def case_of(sand, packing, stages, shape=None, grains=TESTED, seed=1):
    about = SANDS[sand]
    sizes = {"table": {"diameter": [f"{d} mm" for d in about["diameter"]], **D50_OF}}
    return jager.Case({
        "jager": 1, "seed": seed, "density_scaling": "each",
        "material": {"shear_modulus": "29 GPa", "poisson": 0.15, "friction": about["friction"],
                     "density": "2650 kg/m3"},
        "contact": {"contour": {"kind": "power", "slope": about["slope"], "exponent": 1.5}, "tolerance": 1e-3},
        "assembly": {"packing": {"grains": grains, "shapes": shape or sand, "sizes": sizes,
                                 "pressure": about["pressure"], **packing}},
        "output": {"plots": False, "series": 100}, "stages": stages})


def run_all(figures, cases):
    """Runs of named cases, two at a time: {name: run}."""
    warnings.simplefilter("ignore", jager.JagerWarning)  # they stay in the summaries
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        runs = pool.map(lambda item: run_of(figures.runs / item[0], item[1]), cases.items())
        return dict(zip(cases, runs))


def add_seeds(figures, name, values, unit="", expected=None, source=""):
    """The mean of the seeds and their standard deviation."""
    figures.add(name, np.mean(values), unit, expected, source)
    figures.add(f"{name}_sd", np.std(values, ddof=1), unit)


# ---- Packings -------------------------------------------------------------------------------------------------------


def packings(figures):
    """Void ratio over the friction of packing; returns the limits of spheres, for their relative density."""
    kinds = {("nevada", "nevada"): (0.0, *RECIPE), ("toyoura", "toyoura"): (0.0, 0.11, 0.21, 0.45),
             ("nevada", "sphere"): (0.0, 0.11, 0.4)}
    still = [{"name": "held", "control": FIXED, "until": {"steps": 1}}]
    runs = run_all(figures, {
        f"packing-{shape}-{f}": case_of(sand, {"friction": f, "unbalanced": 1e-3}, still, shape, PACKED)
        for (sand, shape), frictions in kinds.items() for f in frictions})
    figure, (left, right) = axes()
    limits = {}
    for (_, shape), frictions in kinds.items():
        rows = [run.series[run.series["stage"] == 0][-1] for run in
                (runs[f"packing-{shape}-{f}"] for f in frictions)]
        ratios = [row["void_ratio"] for row in rows]
        contacts = [row["coordination_mechanical"] for row in rows]
        for f, ratio, row in zip(frictions, ratios, rows):
            expected = RECIPE.get(f) if shape == "nevada" else None
            figures.add(f"e_{shape}_{1000 * f:.0f}", ratio, "", expected, "Kuhn" if expected else "")
            figures.add(f"steps_{shape}_{1000 * f:.0f}", row["step"])
        limits[shape] = (min(ratios), max(ratios))
        figures.add(f"e_min_{shape}", min(ratios))
        figures.add(f"e_max_{shape}", max(ratios))
        left.plot(frictions, ratios, "o-", color=COLOURS[shape], label=shape)
        right.plot(ratios, contacts, "o-", color=COLOURS[shape], label=shape)
    figures.add("longest", max(run.series[run.series["stage"] == 0][-1]["step"] for run in runs.values()), "steps")
    left.plot(RECIPE.keys(), RECIPE.values(), "x", color=REFERENCE, label="Nevada (Kuhn)")
    left.set(xlabel="friction of packing", ylabel="void ratio e")
    right.set(xlabel="void ratio e", ylabel="contacts of a grain that carries load")
    left.legend()
    right.legend()
    figures.picture(figure, "packings")
    return limits["sphere"]


# ---- Stiffness ------------------------------------------------------------------------------------------------------

PRESSURES = (11.7e3, 23.2e3, 46.1e3, 91.7e3, 183e3)
STRAINED = 91.7e3  # small cycles at this pressure
LOOSE_OR_DENSE = {"nevada": 0.655, "toyoura": 0.70}


def compression(sand, seed):
    """The case, and the pressures of its stages; stages without one are cycles."""
    stages, order = [], []
    for pressure in PRESSURES:
        stages.append({"name": f"p{pressure / 1e3:.0f}", "damping": {"local": 0.3, "viscous": 0.05},
                       "control": {name: {"stress": pressure, "ramp": 500} for name in ISOTROPIC},
                       "until": {"unbalanced": 1e-3, "steps": 20000}})
        order.append(pressure)
        for gamma in (2e-6, 1e-4) if pressure == STRAINED else ():
            stages.append({"name": f"g{1e6 * gamma:.0f}", "control": held(pressure), "inertial_number": 1e-4,
                           "cyclic": {"paths": {"xz": {"gamma": gamma}}, "steps_per_cycle": 1000},
                           "until": {"cycles": 3}})
            order.append(gamma)
    packing = {"void_ratio": LOOSE_OR_DENSE[sand], "pressure": PRESSURES[0], "unbalanced": 1e-3}
    return case_of(sand, packing, stages, seed=seed), order


def stiffness_of(sand, seed):
    """{pressure: moduli}, {amplitude: G of the last cycle}"""
    case, order = compression(sand, seed)
    simulation, states, cycles = jager.Simulation(case, threads=1), {}, {}
    simulation.finish_stage()
    for at in order:
        simulation.finish_stage()
        if at < 1.0:
            cycles[at] = simulation.cycle["shear_modulus"]
        else:
            states[at] = jager.moduli(simulation, threads=1)
    return states, cycles


def published(sand, e, p):
    """G in MPa."""
    if sand == "nevada":
        return 104 * (p / 80e3)**0.5
    return 70 * (p / 100e3)**0.47 * (2.17 - e)**2 / (1 + e)


def stiffness(figures):
    jobs = [(sand, seed) for sand in SANDS for seed in SEEDS]
    warnings.simplefilter("ignore", jager.JagerWarning)
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        found = dict(zip(jobs, pool.map(lambda job: stiffness_of(*job), jobs)))
    figure, ax = axes(1)
    p = np.array(PRESSURES)
    for sand in SANDS:
        shear = np.array([[found[sand, seed][0][at].shear for at in PRESSURES] for seed in SEEDS]) / 1e6
        e = 2650 / found[sand, 1][0][PRESSURES[0]].density - 1
        for at, values in zip(PRESSURES, shear.T):
            add_seeds(figures, f"G_{sand}_{at / 1e3:.0f}", values, "MPa", published(sand, e, at), "Kuhn")
        add_seeds(figures, f"exponent_{sand}", [np.polyfit(np.log(p), np.log(row), 1)[0] for row in shear], "",
                  {"nevada": 0.50, "toyoura": 0.47}[sand], "Kuhn")
        for gamma in (2e-6, 1e-4):
            add_seeds(figures, f"G_{sand}_cycle_{1e6 * gamma:.0f}",
                      [found[sand, seed][1][gamma] / 1e6 for seed in SEEDS], "MPa")
        band(ax, p / 1e3, shear, color=COLOURS[sand], marker="o", label=f"{sand}, e = {e:.3f}")
        ax.plot(p / 1e3, [published(sand, e, at) for at in p], ":", color=COLOURS[sand],
                label=f"{sand} (Kuhn)")
    ax.set(xscale="log", yscale="log", xlabel="mean stress p, kPa", ylabel="shear modulus G, MPa")
    ax.legend()
    figures.picture(figure, "stiffness")


# ---- Strength -------------------------------------------------------------------------------------------------------

STATES = {"dense": {"void_ratio": 0.70}, "loose": {"void_ratio": 0.90}}
ROUND = {"dense": {"friction": 0.0}, "loose": {"friction": 0.45}}
PACE, CRITICAL = 9e-4, 0.22  # means from this strain on, of 30 %


def triaxial(shape, density, seed, drained):
    lateral = {"stress": SANDS["toyoura"]["pressure"]} if drained else {"volume": "constant"}
    until = {"strain_zz": 0.30} if drained else {"strain_zz": 0.25, "p": 1.2e6 if density == "dense" else 3e3}
    stage = {"name": "shear", "control": {"xx": lateral, "yy": lateral, "zz": {"strain_rate": 1}},
             "inertial_number": PACE, "until": until}
    rest = {"name": "rest", "control": held(SANDS["toyoura"]["pressure"]), "damping": {"local": 0.3},
            "until": {"unbalanced": 2e-3, "steps": 20000}}
    packing = (STATES if shape == "toyoura" else ROUND)[density]
    return case_of("toyoura", packing, [rest, stage], shape, seed=seed)


def angle(q_over_p):
    """Friction angle in degrees, in triaxial compression."""
    return np.degrees(np.arcsin(3 * q_over_p / (6 + q_over_p)))


class Test:
    """The shear stage of a triaxial test; q/p and e are means over 0.5 % of strain."""

    def __init__(self, run):
        rows = run.series[run.series["stage"] == 2]
        strain = rows["strain_in_stage_zz"]
        self.grid = np.arange(0, strain[-1], 0.0025)
        near = [np.abs(strain - s) <= (0.0025 if s > 0.005 else 0.0003) for s in self.grid]
        self.ratio = np.array([rows["q"][n].mean() / rows["p"][n].mean() if n.any() else np.nan for n in near])
        self.e = np.array([rows["void_ratio"][n].mean() if n.any() else np.nan for n in near])
        self.p, self.q = (np.array([rows[k][n].mean() if n.any() else np.nan for n in near]) for k in "pq")
        self.peak = np.nanmax(self.ratio)

    def late(self, values):
        return np.nanmean(values[self.grid >= CRITICAL])


def strength(figures):
    cases = {f"triaxial-{shape}-{density}-{'d' if drained else 'u'}-{seed}": triaxial(shape, density, seed, drained)
             for seed in SEEDS for drained in (True, False) for density in STATES
             for shape in (("toyoura", "sphere") if drained else ("toyoura",))}
    tests = {name: Test(run) for name, run in run_all(figures, cases).items()}

    def of(shape, density, way):
        return [tests[f"triaxial-{shape}-{density}-{way}-{seed}"] for seed in SEEDS]

    figure, (top, bottom, path, plane) = axes(2, 5.6, 2)
    for shape in ("toyoura", "sphere"):
        for density, dash in (("dense", "-"), ("loose", "--")):
            chosen = of(shape, density, "d")
            length = min(len(test.grid) for test in chosen)
            how = {"color": COLOURS[shape], "linestyle": dash, "label": f"{shape}, {density}"}
            band(top, 100 * chosen[0].grid[:length], [test.ratio[:length] for test in chosen], **how)
            band(bottom, 100 * chosen[0].grid[:length], [test.e[:length] for test in chosen], **how)
            add_seeds(figures, f"e0_{shape}_{density}", [test.e[0] for test in chosen])
            add_seeds(figures, f"phi_peak_{shape}_{density}", [angle(test.peak) for test in chosen], "degrees")
            for test in chosen:
                plane.plot(test.p / 1e3, test.e, **{**how, "label": None}, lw=0.7)
        both = of(shape, "dense", "d") + of(shape, "loose", "d")
        sand = {"expected": 1.22, "source": "Kuhn"} if shape == "toyoura" else {}
        add_seeds(figures, f"M_{shape}", [test.late(test.ratio) for test in both], "", **sand)
        add_seeds(figures, f"phi_crit_{shape}", [angle(test.late(test.ratio)) for test in both], "degrees")
        for density in STATES:
            known = {"expected": 0.86, "source": "Kuhn"} if shape == "toyoura" else {}
            add_seeds(figures, f"e_crit_{shape}_{density}", [test.late(test.e) for test in of(shape, density, "d")],
                      "", **known)
    for density, dash in (("dense", "-"), ("loose", "--")):
        chosen = of("toyoura", density, "u")
        add_seeds(figures, f"undrained_ratio_{density}", [test.ratio[-8:].mean() for test in chosen])
        add_seeds(figures, f"undrained_p_{density}", [test.p[-1] / 1e3 for test in chosen], "kPa")
        add_seeds(figures, f"undrained_strain_{density}", [100 * test.grid[-1] for test in chosen], "%")
        for number, test in enumerate(chosen):
            path.plot(test.p / 1e3, test.q / 1e3, color=COLOURS["toyoura"], linestyle=dash,
                      label=None if number else f"toyoura, {density}, undrained")
            plane.plot(test.p / 1e3, test.e, color=COLOURS["toyoura"], linestyle=dash, lw=0.7)
    largest = np.array([0, 1200])
    path.plot(largest, 1.22 * largest, ":", color=REFERENCE, label="q/p = 1.22 (Kuhn)")
    top.axhline(1.22, color=REFERENCE, ls=":", lw=0.9)
    bottom.axhline(0.86, color=REFERENCE, ls=":", lw=0.9)
    top.set(xlabel="axial strain, %", ylabel="q/p")
    bottom.set(xlabel="axial strain, %", ylabel="void ratio e")
    path.set(xlabel="p, kPa", ylabel="q, kPa", xlim=(0, 1250), ylim=(0, 1750))
    plane.set(xlabel="p, kPa", ylabel="void ratio e", xscale="log")
    top.legend(fontsize=6.5)
    path.legend(fontsize=6.5)
    figures.picture(figure, "strength")


# ---- Liquefaction ---------------------------------------------------------------------------------------------------

DENSITIES = (40, 70)  # relative density, %
CSR = {("nevada", 40): (0.13, 0.18), ("nevada", 70): (0.4, 0.55),
       ("sphere", 40): (0.3, 0.4), ("sphere", 70): (0.5, 0.7)}
MOST_CYCLES = 60


def shaken(shape, void_ratio, csr, seed):
    pressure = SANDS["nevada"]["pressure"]
    rest = {"name": "rest", "control": {**held(pressure), "xz": {"stress": 0}}, "damping": {"local": 0.3},
            "until": {"unbalanced": 1e-3, "steps": 20000}}
    cycles = {"name": "cycles", "control": {**FIXED, "xz": {"gamma_step": 1e-6}}, "output": {"series": 50},
              "cyclic": {"of": "stress_xz", "csr": csr, "center": 0},
              "until": {"cycles": MOST_CYCLES, "r_u": 0.95, "|gamma_xz|": 0.0375, "steps": 400000}}
    return case_of("nevada", {"void_ratio": void_ratio}, [rest, cycles], shape, seed=seed)


def liquefied_at(run):
    """Cycles to r_u = 0.95 or a single amplitude of 3.75 %, whichever is first; nan if neither was reached."""
    rows = run.series[run.series["stage"] == 2]
    reached = (rows["r_u"] >= 0.95) | (np.abs(rows["gamma_xz"]) >= 0.0375)
    return max(rows["cycle"][reached][0], 0.25) if reached.any() else np.nan


def liquefaction(figures, sphere_limits):
    limits = {"nevada": SANDS["nevada"]["limits"], "sphere": sphere_limits}
    ratios = {(shape, dr): at[1] - dr / 100 * (at[1] - at[0]) for shape, at in limits.items() for dr in DENSITIES}
    runs = run_all(figures, {f"shaken-{shape}-{dr}-{csr}-{seed}": shaken(shape, round(ratios[shape, dr], 3), csr, seed)
                             for (shape, dr), all_csr in CSR.items() for csr in all_csr for seed in SEEDS})
    figure, (left, right) = axes()
    for (shape, dr), all_csr in CSR.items():
        table = np.array([[liquefied_at(runs[f"shaken-{shape}-{dr}-{csr}-{seed}"]) for csr in all_csr]
                          for seed in SEEDS])
        mean = np.exp(np.nanmean(np.log(table), axis=0))
        figures.add(f"e_{shape}_{dr}", ratios[shape, dr])
        for csr, n, column in zip(all_csr, mean, table.T):
            figures.add(f"N_{shape}_{dr}_{1000 * csr:.0f}", n, "cycles")
            figures.add(f"lost_{shape}_{dr}_{1000 * csr:.0f}", np.isnan(column).sum(), "runs")
        known = np.isfinite(mean)
        figures.add(f"b_{shape}_{dr}", -1 / np.polyfit(np.log(all_csr)[known], np.log(mean)[known], 1)[0]
                    if known.sum() > 1 else np.nan, "", 0.34, "IB")
        how = {"color": COLOURS[shape], "marker": "s" if dr == 70 else "o", "mfc": "white" if dr == 40 else None}
        left.plot(mean, all_csr, label=f"{shape}, $D_r$ = {dr} %", **how)
        for row in table:
            left.plot(row, all_csr, ls="none", ms=2.5, **{**how, "mfc": how["color"]})
            lost = np.isnan(row)
            left.plot(np.full(lost.sum(), MOST_CYCLES), np.array(all_csr)[lost], ">", color=how["color"], ms=4)
        shown = runs[f"shaken-{shape}-{dr}-{all_csr[0]}-1"]
        rows = shown.series[shown.series["stage"] == 2]
        end = liquefied_at(shown)
        if np.isfinite(end):
            right.plot(rows["cycle"] / end, rows["r_u"], color=COLOURS[shape], ls="-" if dr == 40 else "--", lw=0.9,
                       label=f"{shape}, $D_r$ = {dr} %")
    n = np.array([1, 60])
    left.plot(n, 0.25 * n**-0.34, ":", color=REFERENCE, label="slope of sand, $N^{-0.34}$ (IB)")
    left.set(xscale="log", yscale="log", xlabel="cycles N to $r_u$ = 0.95 or γ = 3.75 %", ylabel="CSR",
             xlim=(1, 80), ylim=(0.04, 1))
    right.set(xlabel="cycles over N", ylabel="$r_u$", xlim=(0, 1.05))
    left.legend(fontsize=6.5, loc="lower left")
    right.legend(fontsize=6.5)
    figures.picture(figure, "liquefaction")


def make(figures):
    sphere_limits = packings(figures)
    stiffness(figures)
    strength(figures)
    liquefaction(figures, sphere_limits)
