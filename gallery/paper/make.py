# SPDX-License-Identifier: MIT
"""The paper's seven figures and its table. quick.py has the figures of single contacts; the others, and the lengths of
histories with default and with fitted settings, come from runs of the paper's biaxial test."""
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from common import PROGRAM, REFERENCE, ROOT, axes, band

import jager

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import quick  # noqa: E402

TITLE = "The paper's figures and its table"
CLAIM = ("The paper's figures are reproduced, and contacts agree with the closed forms; the lengths of histories in "
         "its table are reproduced only with settings that were fitted to them")
QUICK = False
SOURCES = {
    "Kuhn": "M. R. Kuhn, Implementation of the Jäger contact model for discrete element simulations: figures, table "
            "of computation times and history lengths, and text.",
    "MD": "R. D. Mindlin, H. Deresiewicz, Elastic spheres in contact under varying oblique forces, *J. Appl. Mech.* "
          "20, 327–344 (1953), in closed form."}
CASE = ROOT / "examples" / "biaxial.yaml"
FITTED = HERE / "calibrated.settings"
BENCH = pathlib.Path(PROGRAM).parents[2] / "bench"  # bench/short_histories.c and bench/step.c, built beside the program
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


# Contacts that make the same movements with approximate histories: {figure: way of short_histories}.
TWINS = {"exact": "exact with twins", "010f": "dp_max 0.10 f", "020f": "dp_max 0.20 f", "1e_3": "tolerance 1e-3",
         "1e_2": "tolerance 1e-2"}
ERRORS = ("mean", "largest", "above", "over_mean", "force_mean", "force_largest")  # the last columns of its table
TIMED = {"mindlin": "modified-mindlin", "jager": "jager"}
STEPS, TURN = 40_000, 500  # of the test; of a turn of the timed runs
# Minutes in the paper: force and total time.
STATED = {"mindlin": (3.4, 17.6), "jager": (8.2, 26.2)}
# Of the contacts born within 0.05 % of 2.8 % that live to 8 %, this one has the smallest range of tangential movements:
# gross sliding would hide what goes on at the scale of zeta. Their lives were compared once, to choose it.
PAIR = (2963, 3642)


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
    quick.make(figures)
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


# ---- DEMcontact -----------------------------------------------------------------------------------------------------

def traced(figures, pair=PAIR, steps=STEPS, **more):
    """The last life of a contact, born after the peak: the test, then the same compression at twice the rate."""
    def compressed(name, step, count):
        return {"name": name, "control": {"xx": {"stress": "4 MPa"}, "yy": {"strain_rate": 0},
                                          "zz": {"strain_step": step}}, "until": {"steps": count}}
    held = {name: {"stress": "4 MPa"} for name in ("xx", "yy", "zz")}
    rest = {"name": "rest", "control": held, "until": {"unbalanced": 2e-3, "steps": 5000}}
    case = jager.Case(CASE, {"output.plots": False, "trace": [{"pair": pair, "every": 10}], "stages": [
        rest, compressed("biaxial", 1e-6, steps), compressed("further", 2e-6, steps // 2)], **more})
    run = figures.sweep("traced", case, {"seed": SEEDS[:1]}).runs[0]
    rows = np.genfromtxt(run.path / "trace-1.csv", delimiter=",", names=True)
    rows = rows[rows["life"] == rows["life"].max()]
    end = run.series["step"][run.series["stage"] == 2].max()  # strains of the trace begin anew in each stage
    rows["strain"] += np.where(rows["step"] > end, 1e-6 * steps, 0.0)
    return rows


def reversals(values):
    change = np.diff(values)
    change = change[change != 0.0]
    return int((change[1:] * change[:-1] < 0.0).sum())


def contact_life(figures):
    rows = traced(figures)
    strain = 100 * rows["strain"]
    figures.add("life_born", strain[0], "%")
    figures.add("life_strain", strain[-1] - strain[0], "%", 5, "Kuhn")
    for name in ("zeta", "xi1", "xi2"):
        figures.add(f"life_reversals_{name}", reversals(rows[name]))
        figures.add(f"life_range_{name}", 1e6 * np.ptp(rows[name]), "um")
    figures.add("life_longest", rows["length"].max(), "points")
    columns = ("strain", "zeta", "xi1", "xi2", "fn", "ft1", "ft2", "length")
    shown = rows[::len(rows) // 4000 + 1]
    figures.table("DEMcontact", "strain_zz," + ",".join(columns[1:]),
                  (tuple(float(f"{row[name]:.6g}") for name in columns) for row in shown))
    draw_life(figures, shown)


def draw_life(figures, rows):
    figure, parts = axes(2, 6.6, rows=3)
    strain, symbols = 100 * rows["strain"], {"zeta": r"$\zeta$", "xi1": r"$\xi_1$", "xi2": r"$\xi_2$"}
    near = (strain >= strain[0] + 1.2) & (strain <= strain[0] + 1.6)
    for ax, (name, symbol) in zip(parts[::2], symbols.items()):
        ax.axvspan(strain[near][0], strain[near][-1], color="#f3e3b8", lw=0)
        ax.plot(strain, 1e6 * rows[name], color=quick.BLUE, lw=0.9)
        ax.set(ylabel=f"{symbol} (µm)", xlim=(strain[0], strain[-1]))
    parts[0].set_title("all its life", fontsize=9)
    parts[4].set_xlabel(r"strain $\varepsilon_{zz}$ of the assembly (%)")
    for ax, x, y, those in ((parts[1], "xi1", "xi2", near | True), (parts[3], "xi1", "xi2", near),
                            (parts[5], "xi1", "zeta", near)):
        ax.plot(1e6 * rows[x][those], 1e6 * rows[y][those], color=quick.RED, lw=0.8)
        ax.set(xlabel=f"{symbols[x]} (µm)", ylabel=f"{symbols[y]} (µm)")
        ax.set_title("its path, all its life" if those.all() else
                     f"from near: {strain[near][0]:.2f} to {strain[near][-1]:.2f} % (shaded)", fontsize=9)
    figures.picture(figure, "DEMcontact")


# ---- Performance ----------------------------------------------------------------------------------------------------

def with_twins(figures, name, settings):
    """The test, one in four of whose contacts has twins: its rows, and {way: errors}. Made by bench/short_histories."""
    rows, errors = figures.runs / f"twins-{name}.csv", figures.runs / f"twins-{name}.txt"
    if not errors.exists():
        rows.parent.mkdir(parents=True, exist_ok=True)
        changes = [f"{key}={value}" for key, value in settings.items()]
        done = subprocess.run([BENCH / "short_histories", "--rows", rows, CASE, *changes], stdout=subprocess.PIPE,
                              text=True, check=True)
        errors.write_text(done.stdout, encoding="utf-8")
    lines = errors.read_text(encoding="utf-8").splitlines()
    table = {line[:16].strip(): dict(zip(ERRORS, map(float, line[16:].split()[5:]))) for line in lines[-8:]}
    table["movements"] = float(lines[0].split(";")[1].split()[0])
    return np.genfromtxt(rows, delimiter=",", names=True, deletechars="", replace_space=" "), table


def add_twins(figures, name, rows):
    """What the table needs of the rows, when the exact histories are longest."""
    figures.table("performance" if name == "default" else f"performance-{name}",
                  "strain_zz,stress_ratio,contacts,length_mean,length_max,bytes_a_contact,sample_exact,sample_010f,"
                  "sample_020f,sample_tolerance_1e_3,sample_tolerance_1e_2,void_ratio",
                  ([float(row[key]) for key in ("strain_zz", "stress_ratio", "contacts", "length_mean", "length_max",
                                                "bytes_a_contact", *TWINS.values(), "void_ratio")] for row in rows))
    top = rows[rows["length_mean"].argmax()]
    figures.add(f"twins_{name}_length", top["length_mean"], "points", LENGTHS[0], "Kuhn")
    figures.add(f"twins_{name}_at", 100 * top["strain_zz"], "%", LONGEST, "Kuhn")
    figures.add(f"twins_{name}_contacts", top["contacts"], "", CONTACTS, "Kuhn")
    figures.add(f"twins_{name}_longest", top["length_max"], "points")
    figures.add(f"twins_{name}_bytes", top["bytes_a_contact"], "bytes", 9360, "Kuhn")
    figures.add(f"twins_{name}_entry", top["bytes_a_contact"] / top["length_mean"], "bytes")
    figures.add(f"twins_{name}_memory", 1e-6 * top["bytes_a_contact"] * top["contacts"], "MB", 83, "Kuhn")
    for figure, way in TWINS.items():
        stated = dict(zip(("exact", *WAYS), LENGTHS)).get(figure)
        figures.add(f"twins_{name}_{figure}", top[way], "points", stated, "Kuhn" if stated else "")
        figures.add(f"twins_{name}_{figure}_share", 100 * top[way] / top[TWINS["exact"]], "%")
        figures.add(f"twins_{name}_{figure}_most", rows[way].max(), "points")


def times(figures, *settings, steps=STEPS):
    """Minutes of both laws in the test, in one thread, in turns, so that a slower phase of the machine slows both."""
    runs = {name: subprocess.Popen([BENCH / "step", CASE, "1", f"contact.model={model}", "trace=[]", *settings],
                                   text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            for name, model in TIMED.items()}

    def ask(name, text):
        runs[name].stdin.write(f"{text}\n")
        runs[name].stdin.flush()
        return runs[name].stdout.readline().split()
    taken = {}
    for name, run in runs.items():
        run.stdout.readline()
        for request in ("stage", "stage", "law"):  # packing, rest
            ask(name, request)
        taken[name] = []
    for _ in range(steps // TURN):
        for name in runs:
            taken[name].append([float(word) for word in ask(name, TURN)])
    for name, run in runs.items():
        run.communicate()
        each, law, contacts = np.array(taken[name]).T
        seconds = 1e-9 * each * contacts * TURN
        figures.add(f"times_{name}_force", (law * seconds).sum() / 60, "min", STATED[name][0], "Kuhn")
        figures.add(f"times_{name}_total", seconds.sum() / 60, "min", STATED[name][1], "Kuhn")
        figures.add(f"times_{name}_contacts", contacts.mean(), "", AVERAGE, "Kuhn")
        figures.add(f"times_{name}_each", 1e9 * seconds.sum() / (contacts.sum() * TURN), "ns")
    add_ratios(figures)


def add_ratios(figures):
    for k, what in enumerate(("force", "total")):
        ratio = figures[f"times_jager_{what}"].value / figures[f"times_mindlin_{what}"].value
        figures.add(f"times_{what}_ratio", ratio, "", STATED["jager"][k] / STATED["mindlin"][k], "Kuhn")


def performance(figures):
    times(figures)  # alone on the machine
    with ThreadPoolExecutor(2) as pool:
        twins = dict(zip(("default", "calibrated"), pool.map(
            lambda of: with_twins(figures, *of), (("default", {}), ("calibrated", fitted())))))
    add_performance(figures, twins)


def add_performance(figures, twins):
    for name, (rows, _) in twins.items():
        add_twins(figures, name, rows)
    errors = twins["default"][1]
    figures.add("twins_movements", errors["movements"])
    for figure, way in list(TWINS.items())[1:]:
        for error in ERRORS:
            figures.add(f"twins_{figure}_{error}", errors[way][error])
    draw_performance(figures, {name: rows for name, (rows, _) in twins.items()})


def draw_performance(figures, twins):
    figure, (left, right) = axes(height=3.7)
    lines = (("length_mean", "exact", "#000000", "-"),
             (TWINS["010f"], r"$|\Delta p_{max}| = 0.10\,f$", "#0072B2", "--"),
             (TWINS["020f"], r"$|\Delta p_{max}| = 0.20\,f$", "#009E73", "-."),
             (TWINS["1e_3"], r"tolerance $10^{-3}$", "#CC79A7", (0, (1, 1))))
    for way, label, colour, dashes in lines:
        how = {"color": colour, "ls": dashes}
        left.plot(100 * twins["default"]["strain_zz"], twins["default"][way], lw=1.8, label=label, **how)
        if way != TWINS["1e_3"]:
            left.plot(100 * twins["calibrated"]["strain_zz"], twins["calibrated"][way], lw=0.8,
                      label="thin: calibrated" if way == "length_mean" else None, **how)
    left.plot([LONGEST] * 3, LENGTHS, "x", color=REFERENCE, ms=7, mew=2, label="Kuhn, maxima")
    left.set(xlabel=r"strain $\varepsilon_{zz}$ (%)", ylabel="mean length of histories (points)", xlim=(0, 4),
             ylim=(0, 1060))
    left.legend(loc="upper right", ncol=2, columnspacing=1.0)
    here = {name: [figures[f"times_{name}_{what}"].value for what in ("force", "total")] for name in TIMED}
    bars = [(minutes[name], name, unit["mindlin"][1]) for minutes, unit in ((STATED, STATED), (here, here))
            for name in ("mindlin", "jager")]
    for x, ((force, total), _, unit) in zip((0, 1, 2.4, 3.4), bars):
        for value, colour, what in ((total, "#c9d6e6", "total"), (force, "#4a6fa5", "contact forces")):
            right.bar(x, value / unit, 0.7, color=colour, edgecolor="#15396b", lw=0.6, label="" if x else what)
            right.text(x, value / unit + 0.02, f"{value / unit:.2f}", ha="center", fontsize=8)
    right.set(ylabel="time over the total of modified-mindlin", ylim=(0, 1.85), xticks=(0, 1, 2.4, 3.4))
    laws = ("modified-\nMindlin", "Jäger")
    right.set_xticklabels([f"{law}\n({where})" for where in ("Kuhn", "here") for law in laws])
    right.grid(False)
    right.legend(loc="upper right")
    figures.picture(figure, "performance")


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
    performance(figures)
    contact_life(figures)
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
