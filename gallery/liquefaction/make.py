# SPDX-License-Identifier: MIT
"""Liquefaction: cycles to r_u = 0.95 over CSR, flow and cyclic mobility, densification in drained cycles; two laws.

Both laws start from the same positions: packings are made once, with jager, written as text, and come to rest anew
under either law. Packings with friction of either law would differ, and with them all that follows.
"""
import dataclasses
import pathlib
import tempfile

import numpy as np

from common import REFERENCE, axes, band, line

import jager

TITLE = "Liquefaction"
CLAIM = ("Below the threshold strain a Hertz–Mindlin spring densifies in every cycle, the exact contact not "
         "measurably; with the spring, loose assemblies liquefy in fewer cycles, dense ones not significantly so")
QUICK = False
SOURCES = {
    "IB": "I. M. Idriss, R. W. Boulanger, *Soil liquefaction during earthquakes*, Monograph MNO-12, Earthquake "
          "Engineering Research Institute, Oakland 2008: CSR = a·N^(−b) with b ≈ 0.34 for clean sand, as commonly "
          "quoted. The monograph was not available; the value could not be verified.",
    "SB": "H. B. Seed, P. P. Martin, J. Lysmer, Pore-water pressure changes during soil liquefaction, *J. Geotech. "
          "Eng. Div.* ASCE 102 (1976) 323–346, in the closed form of J. R. Booker, M. S. Rahman, H. B. Seed, GADFLEA, "
          "report EERC 76-24, Berkeley 1976, as commonly quoted; the papers were not available.",
    "MFS": "G. R. Martin, W. D. L. Finn, H. B. Seed, Fundamentals of liquefaction under cyclic loading, *J. Geotech. "
           "Eng. Div.* ASCE 101 (1975) 423–438: Δε = C₁(γ − C₂ε) + C₃ε²/(γ + C₄ε) in percent, with 0.80, 0.79, 0.45, "
           "0.73 for a silica sand of relative density 45 %, as commonly quoted; the paper was not available.",
    "HV": "C.-C. Hsu, M. Vucetic, Volumetric threshold shear strain for cyclic settlement, *J. Geotech. Geoenviron. "
          "Eng.* 130 (2004) 58, [doi:10.1061/(ASCE)1090-0241(2004)130:1(58)]"
          "(https://doi.org/10.1061/%28ASCE%291090-0241%282004%29130%3A1%2858%29). Its abstract: 0.01–0.02 % for "
          "sands; below it no settlement even after a large number of cycles.",
    "MGH": "S. McNamara, R. García-Rojo, H. J. Herrmann, Microscopic origin of granular ratcheting, *Phys. Rev. E* 77 "
           "(2008) 031304, [doi:10.1103/PhysRevE.77.031304](https://doi.org/10.1103/PhysRevE.77.031304). Its abstract: "
           "a small net deformation in each cycle, linear in the number of cycles, arises where the energy stored in "
           "contacts depends on the path; a tangential force without this dependence removes it.",
    "Steps": "the same test in 2,000 steps per cycle.",
    "Short": "the same tests with histories shortened to `tolerance: 1e-3`.",
    "Zero": "no difference."}
LAWS = ("jager", "hertz-mindlin")
SEEDS = (1, 2, 3, 4)
PACKING_FRICTION = {"loose": 0.2, "dense": 0.1}
CSR = {"loose": (0.18, 0.2, 0.225, 0.25), "dense": (0.4, 0.45, 0.5, 0.55)}
NULL = {"loose": (0.2, 0.225), "dense": (0.5,)}  # also from a shifted packing
MOST_CYCLES = {"loose": 60, "dense": 40}
AMPLITUDES = {"loose": (1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3), "dense": (1e-5, 1e-4)}
AT = {"loose": 15, "dense": 7}  # cycles at which resistances are compared
CYCLES = 8  # of drained tests, after the one in which the amplitude grows
STUDENT = 3.182  # two-sided test, 95 %, four seeds
HELD = {axis: {"strain_rate": 0} for axis in ("xx", "yy", "zz")}
REST = {"name": "rest", "control": {**{axis: {"stress": "100 kPa"} for axis in ("xx", "yy", "zz")},
                                    **{plane: {"stress": 0} for plane in ("xy", "xz", "yz")}},
        "until": {"unbalanced": 1e-6, "steps": 60000}}


# ---- Packings and cases ----------------------------------------------------------------------------------------------

def base(assembly, stages, laws=LAWS, seed=1, series=100):
    return jager.Case({
        "jager": 1, "seed": seed,
        "material": {"shear_modulus": "29 GPa", "poisson": 0.15, "friction": 0.5, "density": "2650 kg/m3"},
        "contact": {"model": list(laws) if len(laws) > 1 else laws[0],
                    **({"tolerance": 1e-3} if "jager" in laws else {})}, "assembly": assembly,
        "stages": [REST, *stages], "output": {"plots": False, "series": series}})


def packing(folder, friction, seed, spheres=600, shift=0.0):
    """The file of a packing, made by jager. A shift changes nothing but the rounding of all positions."""
    path = pathlib.Path(folder).resolve() / f"packing-{friction}-{seed}{'-shifted' if shift else ''}.txt"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    if shift:
        assembly = jager.read_assembly(packing(folder, friction, seed, spheres))
        assembly = dataclasses.replace(assembly, positions=assembly.positions + shift).wrapped()
    else:
        sizes = {"uniform": {"min": "0.8 mm", "max": "1.2 mm"}}
        case = base({"packing": {"spheres": spheres, "sizes": sizes, "pressure": "100 kPa", "friction": friction}}, [],
                    ("jager",), seed)
        simulation = jager.Simulation(case, threads=1)
        simulation.finish_stage()
        assembly = simulation.assembly()
    jager.write_assembly(assembly, path, drop=("densities", "velocities"))
    return path


def shaking(csr, until, **speed):
    """Undrained simple shear between -csr and csr times the vertical stress."""
    rate = {"inertial_number": speed["inertial_number"]} if "inertial_number" in speed else {}
    xz = {"strain_rate": 1} if rate else {"strain_step": speed["strain_step"]}
    return {"name": "shaking", "control": {**HELD, "xz": xz}, "cyclic": {"of": "stress_xz", "csr": csr, "center": 0},
            **rate, "until": until}


def drained(gamma, steps=2000, cycles=CYCLES):
    """Simple shear between -gamma and gamma at constant vertical stress, without strain sideways."""
    return {"name": "cycles", "stop_spheres": True,
            "control": {"xx": HELD["xx"], "yy": HELD["yy"], "zz": {"stress": "100 kPa"}},
            "cyclic": {"paths": {"xz": {"gamma": gamma}}, "steps_per_cycle": steps}, "inertial_number": 1e-3,
            "until": {"cycles": 1 + cycles}}


def last_stage(run):
    return run.series[run.series["stage"] == run.series["stage"].max()]


def volume(run):
    """Volumetric strain at the end of each full cycle, from the end of the first one on, in which the wave grows."""
    ratio = 1 + run.cycles["void_ratio"]
    return np.log(ratio[0] / ratio)


def slope(run):
    """Volumetric strain per cycle, in the second half of the cycles."""
    strain = volume(run)
    half = len(strain) // 2
    return (strain[-1] - strain[half]) / (len(strain) - 1 - half)


# ---- The runs --------------------------------------------------------------------------------------------------------

def files(figures, density, **how):
    return [str(packing(figures.runs / "packings", PACKING_FRICTION[density], seed, **how)) for seed in SEEDS]


def undrained_runs(figures, density, ratios, name, laws=LAWS, **how):
    """Runs until r_u = 0.95: {law: [[run of a CSR] of a seed]}."""
    until = {"cycles": MOST_CYCLES[density], "r_u": 0.95}
    paths = files(figures, density, **how)
    case = base({"file": paths[0]}, [shaking(ratios[0], until, inertial_number=5e-4)], laws)
    sweep = figures.sweep(f"{name}-{density}", case, {"assembly.file": paths, "stages.shaking.cyclic.csr": ratios})
    return by_law(sweep.runs, len(ratios), laws)


def by_law(runs, columns, laws):
    rows = [runs[i:i + columns] for i in range(0, len(runs), columns)]
    return {law: [[run.members[law] if len(laws) > 1 else run for run in row] for row in rows] for law in laws}


def drained_runs(figures, density, amplitudes, name, laws=LAWS):
    paths = files(figures, density)
    case = base({"file": paths[0]}, [drained(amplitudes[0])], laws)
    over = {"assembly.file": paths, "stages.cycles.cyclic.paths.xz.gamma": amplitudes}
    return by_law(figures.sweep(f"{name}-{density}", case, over).runs, len(amplitudes), laws)


# ---- Resistance ------------------------------------------------------------------------------------------------------

def cycles_to(run):
    """Cycles to r_u = 0.95; nan if it was not reached."""
    rows = last_stage(run)
    reached = rows["r_u"] >= 0.95
    return rows["cycle"][reached][0] if reached.any() else np.nan


def exponent(ratios, cycles):
    """b of CSR = a N^-b; N has the scatter, so it is fitted over CSR. nan is left out."""
    known = np.isfinite(cycles)
    return -1 / np.polyfit(np.log(ratios)[known], np.log(cycles)[known], 1)[0]


def resistance_at(cycles, ratios, at):
    """The CSR that liquefies in so many cycles, between two tests on straight lines in logarithms."""
    known = np.isfinite(cycles)
    order = np.argsort(cycles[known])
    return np.exp(np.interp(np.log(at), np.log(cycles[known])[order], np.log(ratios)[known][order]))


def paired(values):
    """Mean and Student's t of differences, one for each seed."""
    return values.mean(), values.mean() / (values.std(ddof=1) / np.sqrt(len(values)))


def means(table, law):
    """Geometric means over the seeds that liquefied under both laws."""
    both = np.isfinite(table["jager"]) & np.isfinite(table["hertz-mindlin"])
    return np.exp(np.nanmean(np.where(both, np.log(table[law]), np.nan), axis=0))


def compare_laws(figures, density, table):
    """How N and the resistance differ between laws, and how far a change of rounding alone changes N."""
    ratios, at = np.array(CSR[density]), AT[density]
    ratio = np.log(table["hertz-mindlin"] / table["jager"])
    for law in LAWS:
        name, mean = f"{density}_{law.replace('-', '_')}", means(table, law)
        each = [exponent(ratios, row) for row in table[law]]
        figures.add(f"b_{name}", np.mean(each), "", 0.34, "IB")
        figures.add(f"b_{name}_least", min(each))
        figures.add(f"b_{name}_largest", max(each))
        for csr, n in zip(ratios, mean):
            figures.add(f"cycles_{name}_{1000 * csr:.0f}", n, "cycles")
        strength = np.array([resistance_at(row, ratios, at) for row in table[law]])
        figures.add(f"resistance_{name}", strength.mean())
        figures.add(f"resistance_{name}_scatter", 100 * strength.std(ddof=1) / strength.mean(), "%")
    one, two = (np.nan_to_num(table[law], nan=np.inf) for law in LAWS)
    for number, csr in enumerate(ratios):
        figures.add(f"ratio_{density}_{1000 * csr:.0f}", np.exp(np.nanmean(ratio[:, number])), "", 1.0, "Zero")
        figures.add(f"fewer_{density}_{1000 * csr:.0f}", np.sum(two[:, number] < one[:, number]), "seeds")
    figures.add(f"fewer_{density}", np.sum(two < one), "pairs")
    mean, t = paired(np.nanmean(ratio, axis=1))
    figures.add(f"ratio_{density}", np.exp(mean), "", 1.0, "Zero")
    figures.add(f"ratio_{density}_t", t)
    mean, t = paired(np.array([np.log(resistance_at(two, ratios, at) / resistance_at(one, ratios, at))
                               for one, two in zip(table["jager"], table["hertz-mindlin"])]))
    figures.add(f"resistance_{density}_difference", 100 * np.expm1(mean), "%", 0.0, "Zero")
    figures.add(f"resistance_{density}_t", t)
    columns = [CSR[density].index(csr) for csr in NULL[density]]
    null = np.log(table["shifted"] / table["jager"][:, columns])
    figures.add(f"null_{density}", 100 * np.sqrt(np.nanmean(null**2)), "%")
    figures.add(f"null_{density}_t", paired(np.nanmean(null, axis=1))[1])
    figures.add(f"laws_{density}", 100 * np.sqrt(np.nanmean(ratio[:, columns]**2)), "%")
    figures.add(f"laws_{density}_null_t", paired(np.nanmean(ratio[:, columns], axis=1))[1])
    scatter = np.nanstd(np.log(table["jager"]), axis=0, ddof=1)
    figures.add(f"seeds_{density}", 100 * np.sqrt(np.mean(scatter**2)), "%")
    figures.add(f"unliquefied_{density}", sum(np.isnan(table[law]).sum() for law in LAWS), "runs")
    return ratio, null


def draw_resistance(left, right, density, table, ratio, null):
    ratios, filled = np.array(CSR[density]), density == "dense"
    for law, shift in zip(LAWS, (0.99, 1.01)):
        look = line(law, label=f"{density}, {line(law)['label'].split(' ')[0]}")
        mean = means(table, law)
        spread = np.array([mean - np.nanmin(table[law], axis=0), np.nanmax(table[law], axis=0) - mean])
        left.errorbar(mean, ratios * shift**0.3, xerr=spread, marker="s" if filled else "o", capsize=2, elinewidth=0.8,
                      mfc=look["color"] if filled else "white", **look)
        for row in table[law]:
            lost = np.isnan(row)
            left.plot(np.full(lost.sum(), MOST_CYCLES[density]), ratios[lost], ">", color=look["color"], ms=4)
    place = ratios / resistance_at(means(table, "jager"), ratios, AT[density])
    marker = {"marker": "s" if filled else "o", "ls": "none", "mfc": "#0072B2" if filled else "white"}
    for number, row in enumerate(ratio):
        right.plot(place * (1 - 0.006 + 0.004 * number), np.exp(row), color="#0072B2", **marker,
                   label=f"hertz-mindlin / jager, {density}" if not number else None)
    columns = [CSR[density].index(csr) for csr in NULL[density]]
    for number, row in enumerate(null):
        right.plot(place[columns] * (1.012 + 0.004 * number), np.exp(row), marker="x" if filled else "+", ls="none",
                   color="#888888", label=f"shifted jager / jager, {density}" if not number else None)


def plain_ticks(axis, values):
    """Numbers instead of powers of ten on a logarithmic axis."""
    axis.set_ticks(values, [f"{value:g}" for value in values])
    axis.set_ticks([], minor=True)


def third_law(figures, cycles):
    """A law that hardly drifts in small cycles, but densifies otherwise than jager in larger ones."""
    runs = undrained_runs(figures, "loose", (0.2,), "third", ("modified-mindlin",))["modified-mindlin"]
    ratio = np.log([cycles_to(row[0]) for row in runs]) - np.log(cycles[:, CSR["loose"].index(0.2)])
    mean, t = paired(ratio)
    figures.add("third_loose_200", np.exp(mean), "", 1.0, "Zero")
    figures.add("third_loose_200_t", t)


def resistance(figures):
    figure, (left, right) = axes(height=3.4)
    runs = {}
    for density, ratios in CSR.items():
        runs[density] = undrained_runs(figures, density, ratios, "undrained")
        table = {law: np.array([[cycles_to(run) for run in row] for row in rows])
                 for law, rows in runs[density].items()}
        shifted = undrained_runs(figures, density, NULL[density], "shifted", ("jager",), shift=1.234e-4)
        table["shifted"] = np.array([[cycles_to(run) for run in row] for row in shifted["jager"]])
        rows = [last_stage(row[0])[0] for row in runs[density]["jager"]]
        figures.add(f"void_ratio_{density}", np.mean([row["void_ratio"] for row in rows]))
        figures.add(f"coordination_{density}", np.mean([row["coordination"] for row in rows]))
        other = [last_stage(row[0])[0]["void_ratio"] for row in runs[density]["hertz-mindlin"]]
        figures.add(f"void_ratio_{density}_difference", max(abs(a["void_ratio"] - b) for a, b in zip(rows, other)))
        if density == "loose":
            third_law(figures, table["jager"])
            figures.add("amplitude_loose_200", 100 * np.mean([row[ratios.index(0.2)].cycles["strain_single"][0]
                                                              for row in runs[density]["jager"]]), "%")
        ratio, null = compare_laws(figures, density, table)
        draw_resistance(left, right, density, table, ratio, null)
    n = np.array([1.5, 60])
    start = figures["resistance_loose_jager"].value * 0.8
    left.plot(n, start * (n / AT["loose"])**-0.34, color=REFERENCE, ls=":", label="slope of sand, $N^{-0.34}$ (IB)")
    left.set(xscale="log", yscale="log", xlabel="cycles N to $r_u$ = 0.95", ylabel=r"CSR = $\tau/\sigma'_{v0}$",
             xlim=(1, 100), ylim=(0.11, 1.4))
    plain_ticks(left.xaxis, (1, 2, 5, 10, 20, 50, 100))
    plain_ticks(left.yaxis, (0.2, 0.3, 0.4, 0.5, 0.7, 1))
    left.legend(loc="upper right", fontsize=6.5)
    right.axhline(1, color="black", lw=0.8)
    right.set(xlabel="CSR over the resistance of jager", ylabel="N over N of jager", yscale="log", ylim=(0.6, 1.8))
    plain_ticks(right.yaxis, (0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.4))
    right.legend(loc="upper left", fontsize=6.5)
    figures.picture(figure, "resistance")
    return runs


# ---- Flow and cyclic mobility ----------------------------------------------------------------------------------------

LOOPS = {"loose": (0.2, "#0072B2", "-"), "dense": (0.5, "#D55E00", "-")}
THETA = 0.7


def seed_booker(part, theta=THETA):
    """Pore pressure ratio over the part N/N_l of the cycles to liquefaction."""
    return 2 / np.pi * np.arcsin(part**(1 / (2 * theta)))


def loops(figures, runs):
    figure, (path, strain, pressure) = axes(3, 2.9)
    for density, (csr, colour, dashes) in LOOPS.items():
        until = {"cycles": 30, "|gamma_xz|": 0.05, "steps": 110000}
        stage = shaking(csr, until, strain_step=1e-6)
        case = base({"file": files(figures, density)[0]}, [stage], ("jager",), series=20)
        run = figures.sweep(f"loops-{density}", case, {"seed": [1]}).runs[0]
        rows = last_stage(run)
        p, tau, gamma = rows["p"] / 1e3, rows["stress_xz"] / 1e3, 200 * rows["strain_xz"]
        label = f"{density}, CSR {csr}"
        path.plot(p, tau, color=colour, lw=0.6, label=label)
        strain.plot(gamma, tau, color=colour, lw=0.6)
        lost = rows["r_u"] >= 0.95
        first = np.argmax(lost)
        figures.add(f"loop_{density}_cycles", rows["cycle"][first], "cycles")
        figures.add(f"loop_{density}_strain_before", np.abs(gamma[:first]).max(), "%")
        figures.add(f"loop_{density}_strain", np.abs(gamma).max(), "%")
        figures.add(f"loop_{density}_p_after", p[first:].max(), "kPa")
        figures.add(f"loop_{density}_tau_after", np.abs(tau[first:]).max(), "kPa")
    path.set(xlabel="p (kPa)", ylabel=r"$\tau$ (kPa)", xlim=(0, 125), ylim=(-58, 85))
    path.legend(loc="upper left", fontsize=6.5)
    strain.set(xlabel=r"$\gamma$ (%)", ylabel=r"$\tau$ (kPa)", ylim=(-58, 85))
    for text, point, place in (("flow", (4.3, 1), (3.4, 25)), ("cyclic mobility", (2.25, 45), (1.2, 68))):
        strain.annotate(text, point, place, fontsize=7, arrowprops={"arrowstyle": "->", "lw": 0.6})
    pore_pressure(figures, pressure, runs)
    figures.picture(figure, "loops")


def pore_pressure(figures, ax, runs):
    """r_u at the ends of cycles over N/N_l, of all tests with five cycles or more, against the closed form."""
    part = np.linspace(0, 1, 41)
    for density, (_, colour, dashes) in LOOPS.items():
        curves = []
        for run in (run for row in runs[density]["jager"] for run in row):
            end = cycles_to(run)
            if end >= 5:
                table = run.cycles[run.cycles["cycle"] < end]
                curves.append(np.interp(part, np.append(0, np.append(table["cycle"], end)) / end,
                                        np.append(0, np.append(table["r_u_end"], 0.95))))
        band(ax, part, curves, color=colour, ls=dashes, label=f"{density}, {len(curves)} tests")
        half = np.array(curves)[:, 20]
        figures.add(f"half_{density}", half.mean(), "", seed_booker(0.5), "SB")
        figures.add(f"half_{density}_least", half.min())
        figures.add(f"half_{density}_largest", half.max())
        figures.add(f"theta_{density}", np.log(0.5) / (2 * np.log(np.sin(np.pi / 2 * half.mean()))), "", THETA, "SB")
        figures.add(f"tests_{density}", len(curves), "tests")
    ax.plot(part, seed_booker(part), "k--", label=r"sand, $\theta$ = 0.7 (SB)")
    ax.set(xlabel=r"$N/N_l$", ylabel="$r_u$ at the ends of cycles", xlim=(0, 1), ylim=(0, 1.45))
    ax.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1])
    ax.legend(loc="upper left", fontsize=6.5)


# ---- Drained cycles --------------------------------------------------------------------------------------------------

OTHERS = ("linear", "modified-mindlin", "zhang-vuquoc")
SAND = (0.80, 0.79, 0.45, 0.73)  # MFS


def martin_finn_seed(gamma, cycles):
    """Volumetric strains after each cycle of a sand (MFS)."""
    c1, c2, c3, c4 = SAND
    strain, gamma = [0.0], 100 * gamma
    for _ in range(cycles):
        e = strain[-1]
        strain.append(e + c1 * (gamma - c2 * e) + c3 * e * e / (gamma + c4 * e))
    return np.array(strain) / 100


def small(figures, folder):
    """200 spheres below the threshold: the part of this item that is computed anew by --check."""
    file = packing(folder, 0.2, 1, spheres=200)
    run = base({"file": str(file)}, [drained(1e-5, cycles=4)]).run(pathlib.Path(folder) / "small", progress=False,
                                                                   threads=1, force=True)
    for law in LAWS:
        figures.add(f"small_{law.replace('-', '_')}", 1e9 * slope(run.members[law]), "1e-9 per cycle", 0.0, "HV",
                    floor=1e-5)


def one_contact(figures):
    """The tangential force that is lost while the indentation falls by a tenth and rises again, ten times more."""
    for law in LAWS:
        contact = jager.Contact(jager.Law(29e9, 0.15, 0.5, model=law), 1e-3, 1e-3)
        contact.move(1e-7)
        start = contact.walk(1e-7, np.linspace(0, 2e-8, 20)).ft[-1, 0]
        left = [contact.walk(1e-7 * np.append(1 - 0.01 * np.arange(1, 11), 0.9 + 0.01 * np.arange(1, 11)),
                             np.full(20, 2e-8)).ft[-1, 0] for _ in range(11)]
        name = f"contact_{law.replace('-', '_')}"
        figures.add(name, 100 * (1 - left[10] / left[0]), "%", 0.0, "Zero", floor=1e-9)
        figures.add(f"{name}_first", 100 * (1 - left[0] / start), "%", floor=1e-9)


def densification(figures):
    figure, (left, right) = axes(height=3.4)
    runs = {density: drained_runs(figures, density, gammas, "drained") for density, gammas in AMPLITUDES.items()}
    slopes = {density: {law: np.array([[slope(run) for run in row] for row in rows]) for law, rows in laws.items()}
              for density, laws in runs.items()}
    for density, laws in slopes.items():
        compare_slopes(figures, density, laws)
    draw_slopes(left, slopes)
    gammas = AMPLITUDES["loose"]
    column = gammas.index(1e-4)
    for law in LAWS:
        strains = [1e6 * volume(row[column]) for row in runs["loose"][law]]
        band(right, np.arange(CYCLES + 1), strains, **line(law))
        mean, half = np.mean(strains, axis=0), CYCLES // 2
        figures.add(f"late_{law.replace('-', '_')}", (mean[-1] - mean[half]) / (mean[half] - mean[0]))
    right.set(xlabel=r"cycles after the first, $\gamma$ = 0.01 %", ylabel=r"volumetric strain ($10^{-6}$)")
    right.legend(loc="upper left")
    figures.picture(figure, "drained")
    for gamma in (1e-3, 3e-3):
        sand = martin_finn_seed(gamma, 1 + CYCLES)
        for law in LAWS:
            total = np.mean([volume(row[gammas.index(gamma)])[-1] for row in runs["loose"][law]])
            figures.add(f"total_{law.replace('-', '_')}_{1e4 * gamma:.0f}", 100 * total, "%",
                        100 * (sand[-1] - sand[1]), "MFS")
    rates = np.exp(np.mean(np.log(slopes["loose"]["jager"][:, -3:]), axis=0))
    figures.add("growth", np.polyfit(np.log(gammas[-3:]), np.log(rates), 1)[0])
    other_laws(figures)
    slow_cycles(figures, slopes["loose"]["hertz-mindlin"][0, column])
    exact_histories(figures, slopes["loose"]["jager"][:, gammas.index(1e-5)])
    usual = slopes["loose"]["jager"][:, gammas.index(3e-4)]
    third = drained_runs(figures, "loose", (3e-4,), "third-drained", ("modified-mindlin",))["modified-mindlin"]
    for law, values in (("hertz_mindlin", slopes["loose"]["hertz-mindlin"][:, gammas.index(3e-4)]),
                        ("modified_mindlin", np.array([slope(row[0]) for row in third]))):
        mean, t = paired(np.log(values / usual))
        figures.add(f"densification_300_{law}", np.exp(mean), "", 1.0, "Zero")
        figures.add(f"densification_300_{law}_t", t)


def compare_slopes(figures, density, slopes):
    """The strain per cycle of both laws at each amplitude, and whether the difference is one of the seeds."""
    for number, gamma in enumerate(AMPLITUDES[density]):
        name = f"{density}_{1e6 * gamma:.0f}"
        for law in LAWS:
            values = 1e9 * slopes[law][:, number]
            figures.add(f"slope_{name}_{law.replace('-', '_')}", values.mean(), "1e-9 per cycle")
            figures.add(f"slope_{name}_{law.replace('-', '_')}_scatter", values.std(ddof=1), "1e-9 per cycle")
        mean, t = paired(slopes["hertz-mindlin"][:, number] - slopes["jager"][:, number])
        figures.add(f"slope_{name}_difference", 1e9 * mean, "1e-9 per cycle", 0.0, "Zero")
        figures.add(f"slope_{name}_t", t)


def draw_slopes(ax, slopes):
    """Sizes of strains per cycle of each seed; open where the assembly dilates."""
    gammas = np.array(AMPLITUDES["loose"])
    for law, shift in zip(LAWS, (0.96, 1.04)):
        values = slopes["loose"][law]
        look = line(law)
        ax.plot(100 * gammas * shift, np.exp(np.mean(np.log(np.abs(values)), axis=0)), **look)
        for row in values:
            for gamma, value in zip(gammas * shift, row):
                ax.plot(100 * gamma, abs(value), "o", ms=3.5, color=look["color"],
                        mfc=look["color"] if value > 0 else "white", mew=0.8)
    fine = np.geomspace(1e-3, 3e-3, 20)
    sand = [(lambda e: (e[-1] - e[1 + CYCLES // 2]) / (CYCLES - CYCLES // 2))(martin_finn_seed(g, 1 + CYCLES))
            for g in fine]
    ax.plot(100 * fine, sand, color=REFERENCE, ls=":", label="sand, $D_r$ = 45 % (MFS)")
    ax.axvspan(0.01, 0.02, color="#888888", alpha=0.3, lw=0, label="threshold of sands (HV)")
    ax.plot([], [], "o", color="black", mfc="white", ms=3.5, mew=0.8, label="open: dilates")
    ax.set(xscale="log", yscale="log", xlabel=r"amplitude $\gamma$ (%)", ylabel="volumetric strain per cycle",
           ylim=(1e-13, 1e-1))
    ax.legend(loc="upper left", fontsize=6.5)


def other_laws(figures):
    """Which of the other laws ratchet, too."""
    runs = drained_runs(figures, "loose", (1e-5,), "other-laws", OTHERS)
    for law, rows in runs.items():
        values = 1e9 * np.array([slope(row[0]) for row in rows])
        figures.add(f"slope_loose_10_{law.replace('-', '_')}", values.mean(), "1e-9 per cycle")
        figures.add(f"slope_loose_10_{law.replace('-', '_')}_t", paired(values)[1])


def exact_histories(figures, usual):
    """jager without the tolerance of the other runs, in the smallest cycles."""
    case = base({"file": files(figures, "loose")[0]}, [drained(1e-5)], ("jager",))
    case = jager.Case(case, {"contact.tolerance": 0})
    values = [slope(run) for run in figures.sweep("exact", case, {"assembly.file": files(figures, "loose")}).runs]
    figures.add("slope_loose_10_exact", 1e9 * np.mean(values), "1e-9 per cycle", 1e9 * usual.mean(), "Short")
    figures.add("slope_loose_10_exact_scatter", 1e9 * np.std(values, ddof=1), "1e-9 per cycle")


def slow_cycles(figures, usual):
    """The same ratcheting in cycles of four times as many steps: it is not one of the time step."""
    case = base({"file": files(figures, "loose")[0]}, [drained(1e-4, steps=8000)], ("hertz-mindlin",))
    slow = slope(figures.sweep("slow", case, {"seed": [1]}).runs[0])
    figures.add("slow", 1e9 * slow, "1e-9 per cycle", 1e9 * usual, "Steps")


def part(figures):
    with tempfile.TemporaryDirectory() as folder:
        small(figures, folder)


def make(figures):
    part(figures)
    one_contact(figures)
    densification(figures)
    runs = resistance(figures)
    loops(figures, runs)
