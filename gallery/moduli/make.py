# SPDX-License-Identifier: MIT
"""Small-strain moduli of random packings against effective-medium theory, and against the speed of real waves."""
import concurrent.futures
import json
import math
import pathlib
import struct
import tempfile
import warnings

import numpy as np
from scipy.optimize import curve_fit

from common import LAWS, REFERENCE, axes, band

import jager

TITLE = "Small-strain moduli and waves"
CLAIM = ("The bulk modulus of packings is near effective-medium theory and the shear modulus far below it, as others "
         "report; pulses travel at the speed that the moduli predict")
QUICK = False
SOURCES = {
    "W": "K. Walton, The effective elastic moduli of a random packing of spheres, *J. Mech. Phys. Solids* 35 (1987) "
         "213–226: equal spheres, isotropic contacts, affine movements; closed forms of K and G, infinitely rough "
         "(full stick) or smooth, written down in [make.py](../../gallery/moduli/make.py) (`walton`).",
    "M": "H. A. Makse, N. Gland, D. L. Johnson, L. M. Schwartz, Why effective medium theory fails in granular "
         "materials, *Phys. Rev. Lett.* 83 (1999) 5070–5073, "
         "[doi:10.1103/PhysRevLett.83.5070](https://doi.org/10.1103/PhysRevLett.83.5070); Granular packings: nonlinear "
         "elasticity, sound propagation, and collective relaxation dynamics, *Phys. Rev. E* 70 (2004) 061302. The "
         "abstracts were available, not the points of the figures.",
    "AR": "I. Agnolin, J.-N. Roux, Internal states of model isotropic granular packings, I to III, *Phys. Rev. E* 76 "
          "(2007) 061302, 061303, 061304, [doi:10.1103/PhysRevE.76.061302]"
          "(https://doi.org/10.1103/PhysRevE.76.061302). Φ and z\\* at low pressure and the statements on K and G "
          "are from the abstracts; the tables were not available.",
    "H": "Hertz's contacts, kn = dFn/dδ, and Sneddon's cones, kn = √(4G Fn/(π(1 − ν)A)), with the affine sums "
         "Σ kn d²/(9V) for K and Σ d²(2kn + 3kt)/(30V) for G ([make.py](../../gallery/moduli/make.py)).",
    "moduli": "`jager.moduli` of the same state ([theory](../theory.md#elastic-stiffness)).",
    "seeds": "the mean of the same packings under `jager`."}
GRAINS_G, GRAINS_NU, DENSITY, DIAMETER, FRICTION = 29e9, 0.2, 2500.0, 1e-3, 0.3
SPHERES, SEEDS = 600, (1, 2, 3)
PRESSURES = 1e4 * 10**(0.5 * np.arange(7))
TABLE = {"10k": 0, "100k": 2, "1M": 4, "10M": 6}  # pressures of the table: their numbers
STATES = {"dense": (0.02, LAWS["jager"][0], "o"), "loose": (FRICTION, LAWS["hertz-mindlin"][0], "s")}
HELD = {"xx": {"strain_rate": 0}, "yy": {"strain_rate": 0}, "zz": {"strain_rate": 0}}
CASE = {"jager": 1, "output": {"plots": False, "series": 1000, "snapshot": 10**9},
        "contact": {"tolerance": 1e-3},  # exact histories of elastic compression have a point for each step
        "material": {"shear_modulus": GRAINS_G, "poisson": GRAINS_NU, "friction": FRICTION, "density": DENSITY}}
CONE_SLOPE = 0.02


def packing(pressure, friction, spheres=SPHERES, **more):
    """Equal spheres, packed with this friction."""
    return {"packing": {"spheres": spheres, "sizes": {"uniform": {"min": DIAMETER, "max": DIAMETER}}, **more,
                        "pressure": pressure, "friction": friction, "unbalanced": 1e-3}}


def chain(folder, name, assembly, pressures, unbalanced=1e-6, **changes):
    """Packs at the first pressure, goes on to the others one after the other, and rests at each; the runs' folders."""
    folders = []
    for pressure in pressures:
        # the servo stays on: at constant volume a loose packing may yield on and lose its stress
        rest = {"name": "rest", "mean_stress": {"stress": pressure}, "damping": {"local": 0.7},
                "until": {"unbalanced": unbalanced, "steps": 20000}}
        compress = {"name": "compress", "mean_stress": {"stress": pressure, "ramp": 3000}, "until": {"steps": 4000}}
        if folders:
            assembly = {"checkpoint": str(folders[-1] / "checkpoint.jck")}
        stages = [compress, rest] if folders else [rest]
        folders.append(folder / f"{name}-{pressure / 1e3:.0f}")
        if not (folders[-1] / "summary.txt").exists():  # it is written last
            case = jager.Case({**CASE, **changes, "assembly": assembly, "stages": stages})
            case.run(folders[-1], threads=1, force=True, progress=False)
    return folders


def chains(folder, name, friction, pressures, seeds=SEEDS, **changes):
    """The chains of some seeds, two at a time: {quantity: values of seeds and pressures}."""
    spheres = changes.pop("spheres", SPHERES)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda seed: chain(folder, f"{name}-{seed}", packing(pressures[0], friction, spheres),
                                                pressures, seed=seed, **changes), seeds))
    rows = [[measure(run) for run in row] for row in runs]
    return {key: [[state[key] for state in row] for row in rows] for key in rows[0][0]}


def walton(p, contacts, volume_fraction):
    """K and G of equal spheres with affine movements and full stick; `contacts` of a sphere."""
    b, a = (1 - GRAINS_NU) / (2 * math.pi * GRAINS_G), GRAINS_NU / (2 * math.pi * GRAINS_G)
    bulk = np.cbrt(3 * (volume_fraction * contacts)**2 * p / (math.pi**4 * b * b)) / 6
    return bulk, 0.6 * bulk * (5 * b + a) / (2 * b + a)


def measure(folder):
    """What is known of a state at rest."""
    state = jager.moduli(folder, threads=1)
    contacts = jager.Simulation.restore(folder / "checkpoint.jck", threads=1).contacts()
    carrying = state.spheres - state.rattlers
    stiffness = np.mean(0.75 * contacts["fn"] / contacts["zeta"])  # of Hertz, dFn/d(2 zeta)
    hyperstatic = (3 * state.contacts - 6 * carrying) / state.spheres  # of sticking contacts, for a sphere
    phi, contacts_of_sphere = state.density / DENSITY, 2 * state.contacts / state.spheres
    bulk, shear = walton(state.p, contacts_of_sphere, phi)
    spheres_in_volume = 6 * phi / (math.pi * DIAMETER**3)
    return {"p": state.p, "K": state.bulk, "G": state.shear, "ratio": state.bulk / state.shear, "phi": phi,
            "z": 2 * state.contacts / carrying, "rattlers": 100 * state.rattlers / state.spheres,
            "contacts": contacts_of_sphere, "K_theory": state.bulk / bulk, "G_theory": state.shear / shear,
            "K_affine": state.affine["bulk"], "G_affine": state.affine["shear"], "K_walton": bulk, "G_walton": shear,
            "moment": np.mean(np.cbrt(contacts["fn"])) / np.cbrt(np.mean(contacts["fn"])),
            "G_stiffness": state.shear * DIAMETER / stiffness,
            "G_hyperstatic": state.shear / (hyperstatic * spheres_in_volume * stiffness * DIAMETER**2),
            "unbalanced": state.unbalanced}


# ---- Checks of the affine moduli ------------------------------------------------------------------------------------

def lattice(figures):
    """Walton's closed form holds for a lattice of equal contacts to the order of the overlap."""
    state = jager.moduli({**CASE, "assembly": {"lattice": {"kind": "fcc", "cells": [3, 3, 3], "radius": DIAMETER / 2,
                                                           "overlap": 1e-6}},
                          "stages": [{"name": "held", "control": HELD, "until": {"steps": 1}}]}, threads=1)
    bulk, shear = walton(state.p, 12, state.density / DENSITY)
    figures.add("lattice_K", state.affine["bulk"] / 1e6, "MPa", bulk / 1e6, "W")
    figures.add("lattice_G", state.affine["shear"] / 1e6, "MPa", shear / 1e6, "W")
    figures.add("lattice_relaxed_K", state.springs["bulk"] / 1e6, "MPa", bulk / 1e6, "W")


def small(figures):
    """A run that takes a second, and the same state under other laws, whose contacts all stick in the same way."""
    with tempfile.TemporaryDirectory() as scratch:
        run, = chain(pathlib.Path(scratch), "small", packing(1e6, FRICTION, 150), [1e6], seed=1)
        state, file = jager.moduli(run, threads=1), pathlib.Path(scratch) / "spheres.txt"
        jager.write_assembly(jager.Simulation.restore(run / "checkpoint.jck", threads=1).assembly(), file,
                             drop=("densities", "velocities"))
        case = {**CASE, "assembly": {"file": str(file)},
                "stages": [{"name": "held", "control": HELD, "until": {"steps": 1}}]}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", jager.JagerWarning)  # text has no tangential forces: not in equilibrium
            laws = [jager.moduli({**case, "contact": {"model": law}}, threads=1).stiffness
                    for law in ("jager", "hertz-mindlin", "zhang-vuquoc", "modified-mindlin")]
    figures.add("small_K", state.bulk / 1e6, "MPa")
    figures.add("small_G", state.shear / 1e6, "MPa")
    figures.add("same_state", max(np.abs(law - laws[0]).max() for law in laws) / np.abs(laws[0]).max(), "", 0.0,
                "moduli", exact=True)


# ---- Packings -------------------------------------------------------------------------------------------------------

def packings(folder):
    """The states of all chains; {name: {quantity: values of seeds and pressures}}."""
    states = {name: chains(folder, name, friction, PRESSURES) for name, (friction, _, _) in STATES.items()}
    states["capped"] = chains(folder, "capped", FRICTION, PRESSURES[:5], **CAPPED)
    contour = {"kind": "cone", "slope": CONE_SLOPE}
    states["cones"] = chains(folder, "cones", STATES["dense"][0], PRESSURES[::2], spheres=400,
                             contact={**CASE["contact"], "contour": contour})
    return states


# ---- Waves ----------------------------------------------------------------------------------------------------------

LONG = {"spheres": 2400, "aspect": [12, 1, 1]}
AMPLITUDE = 1e-7  # of the strain at 100 kPa
CAPPED = {"contact": {"model": "hertz-mindlin"}}
MASK = 2**64 - 1


def hash_of(words):
    """The hash of src/base/hash.h."""
    state = 0x6A09E667F3BCC908
    for word in words:
        state = ((state ^ word) * 0x9E3779B97F4A7C15) & MASK
        state ^= state >> 29
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    return state ^ (state >> 31)


def set_velocities(source, target, velocities):
    """Copies a checkpoint with other velocities, of a function of the positions (docs/files.md has the layout)."""
    data, at, found = bytearray(source.read_bytes()[:-16]), 16, {}
    while at < len(data):
        count, kind, size, length = struct.unpack_from("<QHHI", data, at)
        start = at + 16 + (length // 8 + 1) * 8
        found[data[at + 16:at + 16 + length].decode()] = (start, count)
        at = start + ((count * size) // 8 + 1 if kind == 1 else -(-count * size // 8)) * 8
    start, count = found["spheres.position"]
    values = velocities(np.frombuffer(data, "<f8", count, start).reshape(-1, 3)).astype("<f8").tobytes()
    start, count = found["spheres.velocity"]
    data[start:start + 8 * count] = values
    words = np.frombuffer(data, "<u8").tolist()
    target.write_bytes(data + struct.pack("<QQ", len(data), hash_of([hash_of(words[k::4]) for k in range(4)])))
    return target


def pulse(folder, axis, speed, pressure, periods=1.6, frames=240, **changes):
    """A pulse of the velocity along `axis` begins in the middle of a long cell: times, places, velocities there."""
    size = AMPLITUDE * (pressure / 1e5)**(2 / 3) * speed  # a constant part of the overlaps
    source = folder / "checkpoint.jck"
    across = np.linalg.inv(jager.Simulation.restore(source, threads=1).cell)[0]  # gradient of the place, 0 to 1
    length = 1 / np.linalg.norm(across)

    def gauss(positions):
        shape = np.exp(-0.5 * (((positions @ across) % 1.0 - 0.5) * length / (3 * DIAMETER))**2)
        return size * shape[:, None] * np.eye(3)[axis]
    with tempfile.TemporaryDirectory() as scratch:
        started = set_velocities(source, pathlib.Path(scratch) / "pulse.jck", gauss)
        stage = {"name": "wave", "control": HELD, "damping": {"local": 0}, "until": {"steps": 10**6}}
        simulation = jager.Simulation({**CASE, **changes, "assembly": {"checkpoint": str(started)}, "stages": [stage]},
                                      threads=1)
    start, now = simulation.time, simulation.spheres()
    carried = now["contacts"] > 1
    place = ((now["position"] @ across) % 1.0)[carried]
    times, values, every = [], [], 1
    while not times or times[-1] < periods * length / speed:
        values.append(simulation.spheres()["velocity"][carried, axis] / size)
        times.append(simulation.time - start)
        if len(times) == 2:
            every = max(1, round(periods * length / speed / frames / times[1]))
        simulation.step(every)
    return np.array(times), place, np.array(values), length


def speeds(times, place, values, length, guess):
    """By the periods of waves as long as the cell and a fourth of it, and by the time to the far side of the cell."""
    def damped(t, w, decay, size, offset):
        return size * np.exp(-decay * t) * np.cos(w * t) + offset
    periods = {}
    for name, wave_number in (("standing", 2 * math.pi / length), ("quarter", 8 * math.pi / length)):
        wave = (values * np.cos(wave_number * length * (place - 0.5))).mean(axis=1)
        (w, *_), _ = curve_fit(damped, times, wave / wave[0], p0=(wave_number * guess, 0, 1, 0))
        periods[name] = w / wave_number
    far = values[:, np.minimum(place, 1 - place) < 0.03].mean(axis=1)
    top = int(far.argmax())
    a, b, _ = np.polyfit(times[top - 4:top + 5], far[top - 4:top + 5], 2)
    return {**periods, "flight": length / 2 / (-b / (2 * a))}  # pulses from both sides meet there


def long_cell(folder):
    """Speeds of both waves in long cells, and the profiles of one pulse."""
    rows, profile = [], {}
    for name, friction, pressures, changes in (("dense", STATES["dense"][0], (1e5, 1e6, 1e7), {}),
                                               ("loose", FRICTION, (1e5,), {}), ("capped", FRICTION, (1e5,), CAPPED)):
        runs = chain(folder, f"long-{name}", packing(pressures[0], friction, **LONG), pressures, unbalanced=1e-7,
                     **changes)
        for run, pressure in zip(runs, pressures):
            state = jager.moduli(run, threads=1)
            contacts = jager.Simulation.restore(run / "checkpoint.jck", threads=1).contacts()
            for kind, axis, speed in (("P", 0, state.wave_p[0]), ("S", 1, state.wave_s[0, 1])):
                times, place, values, length = pulse(run, axis, speed, pressure, **changes)
                rows.append({"name": name, "p": pressure, "kind": kind, "moduli": speed,
                             "rattlers": state.rattlers / state.spheres,
                             "sliding": float(np.mean(contacts["ft"] > 0.999 * FRICTION * contacts["fn"])),
                             **speeds(times, place, values, length, speed)})
                if not profile:
                    bins = np.floor(place * 64).astype(int)
                    profile = {"times": times.tolist(), "length": length, "speed": speed, "velocities": [
                        (np.bincount(bins, row, 64) / np.bincount(bins, minlength=64)).tolist() for row in values]}
    return {"rows": rows, "profile": profile}


def kept(path, compute):
    """What `compute` gives, from the file of an earlier call if there is one (--keep)."""
    if not path.exists():
        path.write_text(json.dumps(compute()), encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))


# ---- Figures --------------------------------------------------------------------------------------------------------

REPORTED = {"dense": (0.639, 6.0), "loose": (0.593, 4.5)}  # AR: solid fraction, contacts of a sphere with load


def exponents(p, modulus):
    """Of each seed."""
    return [np.polyfit(np.log(x), np.log(y), 1)[0] for x, y in zip(p, modulus)]


def state_figures(figures, states):
    for name in STATES:
        state = states[name]
        for label, i in TABLE.items():
            for key, scale, unit in (("phi", 1, ""), ("z", 1, ""), ("rattlers", 1, "%"), ("K", 1e-6, "MPa"),
                                     ("G", 1e-6, "MPa"), ("ratio", 1, ""), ("K_theory", 1, ""), ("G_theory", 1, "")):
                reported = dict(zip(("phi", "z"), REPORTED[name])).get(key) if i == 0 else None
                figures.add(f"{name}_{key}_{label}", scale * state[key][:, i].mean(), unit, reported,
                            "AR" if reported else "")
        for key in ("K", "G", "K_walton"):
            found = exponents(state["p"], state[key])
            figures.add(f"{name}_n_{key}", np.mean(found), "", 1 / 3, "W")
            figures.add(f"{name}_n_{key}_scatter", np.std(found, ddof=1))
        for key in ("K_theory", "G_theory"):
            figures.add(f"{name}_{key}_least", state[key].mean(axis=0).min())
            figures.add(f"{name}_{key}_most", state[key].mean(axis=0).max())
        for key in ("K", "G"):
            figures.add(f"{name}_scatter_{key}", 100 * (state[key].std(axis=0, ddof=1) / state[key].mean(axis=0)).max(),
                        "%")
        rise = state["G_stiffness"].mean(axis=0)
        needed = (state["G_stiffness"] / state["G_hyperstatic"]).mean(axis=0)
        figures.add(f"{name}_G_stiffness_rise", rise[-1] / rise[0], "", needed[-1] / needed[0], "AR")
    figures.add("unbalanced_loose", states["loose"]["unbalanced"][:, 0].max())
    figures.add("unbalanced", max(states["dense"]["unbalanced"].max(), states["loose"]["unbalanced"][:, 1:].max()))
    rough = 5 / 3 * (2 - GRAINS_NU) / (5 - 4 * GRAINS_NU)
    every = {key: np.concatenate([states[name][key].ravel() for name in STATES]) for key in states["dense"]}
    figures.add("affine_ratio", np.abs(every["K_affine"] / every["G_affine"] - rough).max() + rough, "", rough, "W")
    figures.add("affine_moment", 100 * np.abs(every["K_affine"] / (every["K_walton"] * every["moment"]) - 1).max(),
                "%", 0.0, "H")
    figures.add("moment_least", every["moment"].min())
    figures.add("moment_most", every["moment"].max())


def law_figures(figures, states):
    """The same packings, made and loaded under the capped spring."""
    for label in ("10k", "100k", "1M"):
        i = TABLE[label]
        for key, scale, unit in (("K", 1e-6, "MPa"), ("G", 1e-6, "MPa"), ("z", 1, ""), ("phi", 1, "")):
            values = scale * states["capped"][key][:, i]
            figures.add(f"capped_{key}_{label}", values.mean(), unit, scale * states["loose"][key][:, i].mean(),
                        "seeds")
        both = [states[name]["G"][:, i] for name in ("capped", "loose")]
        figures.add(f"capped_scatter_G_{label}", 100 * np.hypot(*(np.std(v, ddof=1) for v in both))
                    / math.sqrt(len(SEEDS)) / both[1].mean(), "%")


def cone_theory(state):
    """K and G of affine movements, as `walton`, for contacts with kn = root of (C Fn), C = 4 G/(pi (1 - nu) A)."""
    factor = 4 * GRAINS_G / (math.pi * (1 - GRAINS_NU) * CONE_SLOPE)
    bulk = np.sqrt(state["contacts"] * state["phi"] * factor * state["p"] / math.pi) / 3
    return bulk, 0.6 * bulk * (5 - 4 * GRAINS_NU) / (2 - GRAINS_NU)


def cone_figures(figures, state):
    bulk, shear = cone_theory(state)
    figures.add("cone_slope", CONE_SLOPE)
    for key, theory in (("K", bulk), ("G", shear)):
        figures.add(f"cone_n_{key}", np.mean(exponents(state["p"], state[key])), "", 0.5, "H")
        figures.add(f"cone_n_{key}_scatter", np.std(exponents(state["p"], state[key]), ddof=1))
        figures.add(f"cone_{key}_theory_least", (state[key] / theory).mean(axis=0).min())
        figures.add(f"cone_{key}_theory_most", (state[key] / theory).mean(axis=0).max())
    fixed = state["K"] / np.sqrt(state["contacts"] * state["phi"])
    figures.add("cone_n_K_contacts", np.mean(exponents(state["p"], fixed)), "", 0.5, "H")
    figures.add("cone_affine", 100 * (state["K_affine"] / bulk).min(), "%", 100.0, "H")


def wave_figures(figures, waves):
    worst = {"standing": 0.0, "quarter": 0.0, "flight": 0.0}
    for row in waves["rows"]:
        label = next(label for label, i in TABLE.items() if math.isclose(PRESSURES[i], row["p"]))
        for how in worst:
            name = f"wave_{row['name']}_{row['kind']}_{label}_{how}"
            figures.add(name, row[how], "m/s", row["moduli"], "moduli")
            if row["name"] == "dense":
                worst[how] = max(worst[how], abs(figures[name].percent))
        if label == "100k" and row["kind"] == "P":
            figures.add(f"wave_{row['name']}_rattlers", 100 * row["rattlers"], "%")
            figures.add(f"wave_{row['name']}_sliding", 100 * row["sliding"], "%")
            figures.add(f"wave_{row['name']}_lighter", 100 * (1 / math.sqrt(1 - row["rattlers"]) - 1), "%")
    for how, value in worst.items():
        figures.add(f"wave_{how}_worst", value, "%", 0.0, "moduli")
    for kind in "PS":
        of_kind = [row for row in waves["rows"] if row["kind"] == kind and row["name"] == "dense"]
        figures.add(f"wave_n_{kind}", np.polyfit(np.log([row["p"] for row in of_kind]),
                                                 np.log([row["standing"] for row in of_kind]), 1)[0], "", 1 / 6, "W")
    figures.add("wave_length", 1e3 * waves["profile"]["length"], "mm")
    figures.add("wave_strain", AMPLITUDE)


# ---- Pictures -------------------------------------------------------------------------------------------------------

def picture_pressure(figures, states):
    figure, parts = axes(height=3.3)
    for ax, key, text in zip(parts, "KG", ("bulk modulus K", "shear modulus G")):
        for name, (_, colour, marker) in STATES.items():
            state = states[name]
            p = state["p"].mean(axis=0) / 1e3
            band(ax, p, state[key] / 1e6, color=colour, marker=marker, lw=0.8, mfc="white", label=f"{name}, jager")
            ax.plot(p, state[f"{key}_walton"].mean(axis=0) / 1e6, color=colour, lw=1,
                    ls="--" if name == "dense" else ":", label=f"{name}, theory (W) with its z and Φ")
        start = states["loose"][key].mean(axis=0)[0] / 1e6 * 0.55
        ax.plot(p[:4], start * (p[:4] / p[0])**(1 / 3), color="#888888", lw=1)
        ax.text(p[1], start * 0.95, r"$p^{1/3}$", color="#666666")
        ax.set(xscale="log", yscale="log", xlabel="pressure p (kPa)", ylabel=f"{text} (MPa)", ylim=(15, 6000))
    parts[0].legend(loc="upper left")
    figures.picture(figure, "pressure")


def picture_ratio(figures, states):
    figure, (left, right) = axes(height=3.1)
    for name, (_, colour, marker) in STATES.items():
        state = states[name]
        band(left, state["p"].mean(axis=0) / 1e3, state["ratio"], color=colour, marker=marker, mfc="white",
             label=f"{name}, jager")
        for key, fill in (("K", "white"), ("G", colour)):
            right.plot(state["z"].ravel(), state[f"{key}_theory"].ravel(), marker, color=colour, mfc=fill, ms=3.5,
                       label=f"{key}, {name}")
    left.axhline(5 / 3 * (2 - GRAINS_NU) / (5 - 4 * GRAINS_NU), color=REFERENCE, ls="--", lw=1.2,
                 label="theory, rough (W)")
    left.axhline(5 / 3, color=REFERENCE, ls=":", lw=1.2, label="theory, smooth (W)")
    left.set(xscale="log", xlabel="pressure p (kPa)", ylabel="K/G", ylim=(0.5, 2.7))
    left.legend(loc="upper right", ncol=2)
    right.axhline(1, color=REFERENCE, ls="--", lw=1.2, label="theory (W)")
    right.set(xlabel="contacts of a sphere that carries load, z*", ylabel="modulus over theory (W)", ylim=(0, 1.1))
    right.legend(loc="lower right")
    figures.picture(figure, "ratio")


def picture_exponent(figures, states):
    figure, (left, right) = axes(height=3.1)
    for name, (_, colour, marker) in STATES.items():
        p = states[name]["p"].mean(axis=0)
        for key, fill, dashes in (("K", "white", "--"), ("G", colour, "-"), ("K_walton", None, ":")):
            slope = np.diff(np.log(states[name][key].mean(axis=0))) / np.diff(np.log(p))
            how = {"marker": marker, "mfc": fill} if fill else {"lw": 2.2}
            left.plot(np.sqrt(p[1:] * p[:-1]) / 1e3, slope, color=colour, ls=dashes, **how,
                      label=f"{key}, {name}" if fill else f"theory with z(p), {name}")
    left.axhline(1 / 3, color=REFERENCE, lw=1.2, label="theory, constant z")
    left.set(xscale="log", xlabel="pressure p (kPa)", ylabel="exponent d ln modulus / d ln p",
             ylim=(0.325, 0.56))
    left.legend(loc="upper left", ncol=2, columnspacing=0.8, handlelength=1.8, fontsize=6.3)
    state = states["cones"]
    p, theory = state["p"].mean(axis=0) / 1e3, cone_theory(state)
    for key, fill, expected, dashes in (("K", "white", theory[0], "--"), ("G", "#000000", theory[1], ":")):
        band(right, p, state[key] / 1e6, color="#000000", marker="^", mfc=fill, ls="none", label=f"{key}, jager")
        right.plot(p, expected.mean(axis=0) / 1e6, color=REFERENCE, ls=dashes, label=f"{key}, affine theory (H)")
    low = state["G"].mean(axis=0)[0] / 1e6 * 0.6
    right.plot(p[:3], low * np.sqrt(p[:3] / p[0]), color="#888888", lw=1)
    right.text(p[1], low * 2.2, r"$p^{1/2}$", color="#666666")
    right.set(xscale="log", yscale="log", xlabel="pressure p (kPa)", ylabel="modulus of cones (MPa)")
    right.legend(loc="upper left")
    figures.picture(figure, "exponent")


def picture_waves(figures, waves):
    figure, (left, right) = axes(height=3.5)
    data = waves["profile"]
    times, length = np.array(data["times"]), data["length"]
    place = ((np.arange(64) + 0.5) / 64 - 0.5) * length / DIAMETER
    for moment in np.linspace(0, 0.62 * length / data["speed"], 12):
        i = int(np.argmin(np.abs(times - moment)))
        left.plot(place, times[i] * 1e6 + 9 * np.array(data["velocities"][i]), color="#000000", lw=0.9)
    way = length / 2 / data["speed"] * 1e6
    for side in (-1, 1):
        left.plot([0, side * length / 2 / DIAMETER], [0, way], color=REFERENCE, ls="--", lw=1.2,
                  label="speed of the moduli" if side > 0 else None)
    left.set(xlabel="place along the cell (diameters)", ylabel="time (µs), velocity upwards")
    left.legend(loc="upper right", bbox_to_anchor=(1.0, 1.12))
    for kind, marker, dashes in (("P", "o", "-"), ("S", "s", "--")):
        rows = [row for row in waves["rows"] if row["kind"] == kind and row["name"] == "dense"]
        loose = next(row for row in waves["rows"] if row["kind"] == kind and row["name"] == "loose")
        p = np.array([row["p"] for row in rows]) / 1e3
        right.plot(p, [row["moduli"] for row in rows], color=REFERENCE, ls=dashes, label=f"{kind}, moduli, dense")
        right.plot(p, [row["standing"] for row in rows], marker, color="#000000", mfc="none", label=f"{kind}, period")
        right.plot(p, [row["flight"] for row in rows], "x" if kind == "P" else "+", color="#0072B2",
                   label=f"{kind}, time of flight")
        right.plot(p[:1], [loose["moduli"]], "_", color=REFERENCE, ms=12, mew=2, label=f"{kind}, moduli, loose")
        right.plot(p[:1], [loose["standing"]], marker, color="#000000", mfc="#bbbbbb", label=f"{kind}, period, loose")
    right.plot(p, 0.72 * rows[0]["standing"] * (p / p[0])**(1 / 6), color="#888888", lw=1)
    right.text(p[1], 0.6 * rows[1]["standing"], r"$p^{1/6}$", color="#666666")
    right.set(xscale="log", yscale="log", xlabel="pressure p (kPa)", ylabel="speed of the wave (m/s)", ylim=(150, 3200))
    right.set_yticks([200, 400, 800, 1600], labels=["200", "400", "800", "1600"])
    right.set_yticks([], minor=True)
    right.legend(loc="upper left", ncol=2, fontsize=6.5)
    figures.picture(figure, "waves")


def part(figures):
    lattice(figures)
    small(figures)


def make(figures):
    figures.runs.mkdir(parents=True, exist_ok=True)
    part(figures)
    states = {name: {key: np.array(values) for key, values in state.items()}
              for name, state in kept(figures.runs / "packings.json", lambda: packings(figures.runs)).items()}
    waves = kept(figures.runs / "waves.json", lambda: long_cell(figures.runs))
    state_figures(figures, states)
    law_figures(figures, states)
    cone_figures(figures, states["cones"])
    wave_figures(figures, waves)
    picture_pressure(figures, states)
    picture_ratio(figures, states)
    picture_exponent(figures, states)
    picture_waves(figures, waves)
