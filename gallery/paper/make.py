# SPDX-License-Identifier: MIT
"""The lengths of histories in the paper's biaxial test: predicted with default settings, and with fitted ones."""
import pathlib
import tempfile

import numpy as np

from common import REFERENCE, ROOT, axes, band

import jager

TITLE = "The paper's table, calibrated"
CLAIM = ("The paper's lengths of histories come out with settings that were fitted to them; with default settings they "
         "are longer")
QUICK = False
SOURCES = {
    "Kuhn": "M. R. Kuhn, Implementation of the Jäger contact model for discrete element simulations: the table of "
            "computation times and history lengths, and the text beside it."}
CASE = ROOT / "examples" / "biaxial.yaml"
FITTED = ROOT / "src" / "paper" / "calibrated.settings"  # compiled into `jager paper`, too
# The paper's numbers: lengths exact, with |dp_max| = 0.10 f and 0.20 f; strain of their maximum, contacts then;
# contacts on average; strain at the peak of the stress. Strains in %.
LENGTHS, LONGEST, CONTACTS, AVERAGE, PEAK = (260, 171, 107), 0.5, 8700, 8600, 2.5
SHARES = (66, 41)  # of the exact length with 0.10 f and 0.20 f, %
SPHERES, SCAN_SPHERES, PART_SPHERES = 4096, 1000, 400
SEEDS = (1, 2, 3)
# The search behind calibrated.settings, which make() repeats only in part: settings and runs that were tried by hand,
# and an abandoned calibration with local damping 0.04 (3 seeds, 3 approximations). Counted, not computed.
TRIED_SETTINGS, TRIED_RUNS, ABANDONED_RUNS = 34, 41, 6
FRICTION = 0.5  # of the case: dp_max is a slope, 0.10 f is 0.05
WAYS = {"010f": {"dp_max": 0.10 * FRICTION}, "020f": {"dp_max": 0.20 * FRICTION}, "tolerance": {"tolerance": 1e-3}}


def fitted():
    """The settings of calibrated.settings, {key: value}."""
    lines = [line for line in FITTED.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    return dict(line.split("=", 1) for line in lines)


NARROW, WIDE = "{uniform: {min: 0.8 mm, max: 1.2 mm}}", fitted()["assembly.packing.sizes"]
HIGH_PRESSURE, FITTED_PRESSURE = "4 MPa", fitted()["assembly.packing.pressure"]
FITTED_FRICTION = float(fitted()["assembly.packing.friction"])
STRONG, WEAK, BOTH, DASHPOTS = "local 0.2", "local 0.04", "local 0.08, viscous 0.025", "viscous 0.007"
DAMPINGS = {STRONG: {"local": 0.2}, WEAK: {"local": 0.04}, BOTH: {"local": 0.08, "viscous": 0.025},
            DASHPOTS: fitted()["damping"]}
# Fitted to the lengths alone, in an earlier scan: a loose assembly.
LOOSE = {"assembly.packing.friction": 0.25, "damping": DAMPINGS[BOTH]}
COLOURS = {"default": ("#0072B2", "--"), "calibrated": ("#000000", "-"), "loose": ("#009E73", "-.")}


# ---- Cases ----------------------------------------------------------------------------------------------------------

def pressure_settings(pressure):
    held = {name: {"stress": pressure} for name in ("xx", "yy", "zz")}
    return {"assembly.packing.pressure": pressure, "stages.rest.control": held,
            "stages.biaxial.control.xx": {"stress": pressure}}


def case_of(settings, spheres, strain, **more):
    """The biaxial test with other settings, up to a strain in %."""
    plain = {"output.plots": False, "trace": [], "assembly.packing.spheres": spheres,
             "stages.biaxial.until.steps": round(strain * 10_000)}
    return jager.Case(CASE, {**plain, **settings, **more})


# ---- Measures -------------------------------------------------------------------------------------------------------

class Test:
    """What the page needs of a run; strains in %, contacts as of 4096 spheres."""

    def __init__(self, run):
        rows = run.series[run.series["stage"] == len(run.stages) - 1]
        spheres = 2 * rows["contacts"][0] / rows["coordination"][0]
        self.strain, self.length = 100 * rows["strain_in_stage_zz"], rows["history_mean"]
        self.contacts = rows["contacts"] * SPHERES / round(spheres)
        self.ratio, self.void_ratio = rows["stress_zz"] / rows["stress_xx"], rows["void_ratio"]
        self.volume = 100 * np.log((1 + self.void_ratio) / (1 + self.void_ratio[0]))  # increase
        top, peak = self.length.argmax(), self.ratio.argmax()
        near = np.flatnonzero(self.ratio >= 0.98 * self.ratio[peak])
        self.figures = {
            "length": (self.length[top], "points", LENGTHS[0]), "at": (self.strain[top], "%", LONGEST),
            "contacts": (self.contacts[top], "", CONTACTS), "average": (self.contacts.mean(), "", AVERAGE),
            "peak": (self.strain[peak], "%", PEAK), "ratio": (self.ratio[peak], "", None),
            "near_from": (self.strain[near[0]], "%", None), "near_to": (self.strain[near[-1]], "%", None),
            "dilation": (self.volume[-1], "%", None), "void_ratio": (self.void_ratio[0], "", None),
            "overlap": (100 * rows["overlap_max"].max(), "%", None),
            "rattlers": (100 * rows["rattlers"][top] / round(spheres), "%", None)}

    def __getitem__(self, name):
        return self.figures[name][0]

    def add_to(self, figures, of):
        for name, (value, unit, expected) in self.figures.items():
            figures.add(f"{of}_{name}", value, unit, expected, "Kuhn" if expected else "")


def add_seeds(figures, of, tests):
    """The mean, the least and the largest over the seeds."""
    for name, (_, unit, expected) in tests[0].figures.items():
        values = [test[name] for test in tests]
        figures.add(f"{of}_{name}", np.mean(values), unit, expected, "Kuhn" if expected else "")
        figures.add(f"{of}_{name}_low", min(values), unit)
        figures.add(f"{of}_{name}_high", max(values), unit)


def small_test(folder):
    """A run of few spheres to 0.6 %, for the quick part."""
    return Test(case_of(fitted(), PART_SPHERES, 0.6).run(pathlib.Path(folder) / "small", threads=1, progress=False))


def part(figures):
    with tempfile.TemporaryDirectory() as folder:
        figures.add("small_length", small_test(folder)["length"], "points", LENGTHS[0], "Kuhn")


# ---- Runs -----------------------------------------------------------------------------------------------------------

def scan(figures):
    """{(sizes, pressure, damping, packing friction): test}, each to 1 %."""
    blocks = [(NARROW, HIGH_PRESSURE, damping, (0.05, 0.25)) for damping in (STRONG, WEAK, BOTH)]
    blocks += [(NARROW, FITTED_PRESSURE, STRONG, (0.05, 0.25)), (WIDE, HIGH_PRESSURE, STRONG, (0.06,))]
    blocks += [(WIDE, FITTED_PRESSURE, damping, (0.03, 0.06, 0.1)) for damping in (STRONG, WEAK)]
    blocks += [(WIDE, FITTED_PRESSURE, BOTH, (0.06,)), (WIDE, FITTED_PRESSURE, DASHPOTS, (0.03, FITTED_FRICTION, 0.1))]
    tests = {}
    for number, (sizes, pressure, damping, frictions) in enumerate(blocks):
        settings = {"assembly.packing.sizes": sizes, "damping": DAMPINGS[damping], **pressure_settings(pressure)}
        swept = figures.sweep(f"scan-{number}", case_of(settings, SCAN_SPHERES, 1.0),
                              {"assembly.packing.friction": frictions})
        tests.update({(sizes, pressure, damping, friction): Test(run) for friction, run in zip(frictions, swept.runs)})
    return tests


def shortened(figures, of, settings, strain):
    """Runs with approximate histories, {way: test}."""
    swept = figures.sweep(f"{of}-ways", case_of(settings, SPHERES, strain), {"contact": list(WAYS.values())})
    tests = {way: Test(run) for way, run in zip(WAYS, swept.runs)}
    for way, expected in zip(WAYS, (*LENGTHS[1:], None)):
        figures.add(f"{of}_{way}", tests[way]["length"], "points", expected, "Kuhn" if expected else "")
        share = 100 * tests[way]["length"] / figures[f"{of}_length" if of == "default" else f"{of}_first_length"].value
        stated = dict(zip(WAYS, SHARES)).get(way)
        figures.add(f"{of}_{way}_share", share, "%", stated, "Kuhn" if stated else "")
    return tests


def followed(figures):
    """{name: tests} of 4096 spheres to 4 %: the default, the fitted settings with all seeds, the loose assembly."""
    runs = {"calibrated": figures.sweep("calibrated", case_of(fitted(), SPHERES, 4.0), {"seed": SEEDS}).runs}
    for name, settings in (("default", {}), ("loose", LOOSE)):
        runs[name] = figures.sweep(name, case_of(settings, SPHERES, 4.0), {"seed": SEEDS[:1]}).runs
    return {name: [Test(run) for run in those] for name, those in runs.items()}


# ---- Pictures -------------------------------------------------------------------------------------------------------

LABELS = {"default": "default settings (prediction)", "calibrated": f"calibrated, {len(SEEDS)} seeds",
          "loose": "fitted to the lengths alone (loose)"}


def on_grid(strain, tests, name):
    """A quantity of several tests at the same strains."""
    return [np.interp(strain, test.strain, getattr(test, name)) for test in tests]


def draw_followed(ax, tests, name):
    strain = np.linspace(0, 4, 201)
    for of, those in tests.items():
        colour, dashes = COLOURS[of]
        band(ax, strain, on_grid(strain, those, name), color=colour, linestyle=dashes, label=LABELS[of])
    ax.set(xlabel=r"strain $\varepsilon_{zz}$ (%)", xlim=(0, 4))


def draw_lengths(figures, tests, ways):
    figure, (left, right) = axes(height=3.3)
    draw_followed(left, tests, "length")
    left.plot(LONGEST, LENGTHS[0], "x", color=REFERENCE, ms=8, mew=2, label="Kuhn, maximum")
    left.set(ylabel="mean length of histories (points)", ylim=(0, 1150))
    left.legend(loc="upper right")
    first = tests["calibrated"][0]
    lines = (("exact", first, "#000000", "-"), (r"$|\Delta p_{max}| = 0.10\,f$", ways["010f"], "#0072B2", "--"),
             (r"$|\Delta p_{max}| = 0.20\,f$", ways["020f"], "#009E73", "-."),
             (r"tolerance $10^{-3}$", ways["tolerance"], "#CC79A7", (0, (1, 1))))
    for label, test, colour, dashes in lines:
        shown = test.strain <= 1.001
        right.plot(test.strain[shown], test.length[shown], color=colour, linestyle=dashes, label=label)
    right.plot([LONGEST] * 3, LENGTHS, "x", color=REFERENCE, ms=8, mew=2, label="Kuhn, maxima")
    right.set(xlabel=r"strain $\varepsilon_{zz}$ (%)", xlim=(0, 1), ylim=(0, 420), ylabel="calibrated, seed 1 (points)")
    right.legend(loc="upper left", ncol=2, columnspacing=1.0)
    figures.picture(figure, "lengths")


def draw_stress(figures, tests):
    figure, (left, right) = axes(height=3.1)
    draw_followed(left, tests, "ratio")
    draw_followed(right, tests, "volume")
    left.plot([PEAK, PEAK], [1, 3.7], color=REFERENCE, lw=1.4, ls=":", label="Kuhn, strain of the peak")
    left.set(ylabel=r"stress ratio $\sigma_{zz}/\sigma_{xx}$", ylim=(1, 5))
    left.legend(loc="upper left", ncol=1)
    right.axhline(0, color="#888888", lw=0.7)
    right.set(ylabel="increase of volume (%)")
    figures.picture(figure, "stress")


def draw_scan(figures, tests):
    figure, (left, right) = axes(height=3.3)
    colours = dict(zip(DAMPINGS, ("#0072B2", "#E69F00", "#CC79A7", "#000000")))
    for (sizes, pressure, damping, _), test in tests.items():
        marker = {NARROW: "o", WIDE: "s"}[sizes]
        face = colours[damping] if pressure == FITTED_PRESSURE else "none"
        for ax, x in ((left, test["contacts"]), (right, test["at"])):
            ax.plot(x, test["length"], marker, color=colours[damping], mfc=face)
    for ax, x in ((left, CONTACTS), (right, LONGEST)):
        ax.plot(x, LENGTHS[0], "x", color=REFERENCE, ms=9, mew=2)
        ax.set(ylabel="largest mean length (points)", ylim=(0, 1150))
    left.set(xlabel="contacts then, of 4096 spheres")
    right.set(xlabel=r"strain of the maximum (%)", xlim=(0, None))
    for label, how in [(damping, {"marker": "o", "color": colour}) for damping, colour in colours.items()]:
        left.plot([], [], ls="", label=label, **how)
    for label, marker, face in (("0.8–1.2 mm", "o", "#999999"), ("0.4–1.5 mm", "s", "#999999"),
                                ("4 MPa", "D", "none"), (FITTED_PRESSURE, "D", "#999999")):
        right.plot([], [], ls="", marker=marker, color="#999999", mfc=face, label=label)
    right.plot([], [], "x", color=REFERENCE, ms=7, mew=2, label="Kuhn")
    left.legend(loc="upper left")
    right.legend(loc="upper left", ncol=2)
    figures.picture(figure, "scan")


# ---- All ------------------------------------------------------------------------------------------------------------

def add_scan(figures, tests):
    for number, test in enumerate(tests.values(), 1):
        for name in ("length", "at", "contacts", "void_ratio"):
            value, unit, expected = test.figures[name]
            figures.add(f"scan{number}_{name}", value, unit, expected, "Kuhn" if expected else "")
    figures.add("scan_settings", len(tests))
    figures.add("tried_settings", TRIED_SETTINGS)
    figures.add("tried_runs", TRIED_RUNS + ABANDONED_RUNS)
    good = [abs(test["length"] / LENGTHS[0] - 1) < 0.15 for test in tests.values()]
    also = [is_good and abs(test["at"] - LONGEST) <= 0.1 and abs(test["contacts"] / CONTACTS - 1) < 0.1
            for is_good, test in zip(good, tests.values())]
    figures.add("scan_good", sum(good))
    figures.add("scan_all_good", sum(also))

    def effect(name, one, other, quantity="length"):
        figures.add(f"effect_{name}", 100 * (tests[one][quantity] / tests[other][quantity] - 1), "%")
    base, weak, both = [(WIDE, FITTED_PRESSURE, damping, 0.06) for damping in (STRONG, WEAK, BOTH)]
    default, lower, rough = [(NARROW, pressure, STRONG, friction) for pressure, friction in
                             ((HIGH_PRESSURE, 0.05), (FITTED_PRESSURE, 0.05), (HIGH_PRESSURE, 0.25))]
    effect("damping", weak, base)
    effect("both", both, weak)
    for quantity in ("length", "at"):
        effect(f"pressure_{quantity}", lower, default, quantity)
    for quantity in ("length", "contacts"):
        effect(f"friction_{quantity}", rough, default, quantity)
        effect(f"sizes_{quantity}", base, lower, quantity)


def damping_shares(figures):
    """What the approximation leaves with three kinds of damping, all from the same state of rest."""
    start = case_of(fitted(), SCAN_SPHERES, 1.0)
    rest = {"name": "rest", "control": fitted()["stages.rest.control"], "until": {"steps": 5000}}
    packed = figures.sweep("shares-start", start.changed({"stages": [rest]}), {"seed": SEEDS[:1]}).runs[0]
    dampings = {"strong": STRONG, "weak": WEAK, "dashpots": DASHPOTS}
    over = {"damping": [DAMPINGS[damping] for damping in dampings.values()],
            "contact": [{"dp_max": 0}, WAYS["010f"], WAYS["020f"]]}
    begun = start.changed({"assembly": {"checkpoint": packed.path / "checkpoint.jck"}})
    runs = figures.sweep("shares", begun, over).runs
    for number, name in enumerate(dampings):
        exact, *short = [Test(run)["length"] for run in runs[3 * number:3 * number + 3]]
        for way, length, stated in zip(WAYS, short, SHARES):
            figures.add(f"shares_{name}_{way}", 100 * length / exact, "%", stated, "Kuhn")


def make(figures):
    part(figures)
    tests, scanned = followed(figures), scan(figures)
    add_seeds(figures, "calibrated", tests["calibrated"])
    figures.add("calibrated_first_length", tests["calibrated"][0]["length"], "points")
    for name in ("default", "loose"):
        tests[name][0].add_to(figures, name)
    ways = shortened(figures, "calibrated", fitted(), 1.0)
    shortened(figures, "default", {}, 1.2)
    add_scan(figures, scanned)
    damping_shares(figures)
    figures.add("calibrated_scatter", np.std([test["length"] for test in tests["calibrated"]], ddof=1), "points")
    draw_lengths(figures, tests, ways)
    draw_stress(figures, tests)
    draw_scan(figures, scanned)
