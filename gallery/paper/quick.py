# SPDX-License-Identifier: MIT
"""The figures of the paper that take seconds: single contacts, and small lattices.

The law is that of the paper's examples: spheres with G = 1 Pa, nu = 0.5, f = 0.5, R = 1 m. The numbers of the paper's
movements are lost with its figures; those used here have the structure that its text describes. Random paths have fixed
seeds.
"""
import math
from typing import NamedTuple

import numpy as np

from common import ROOT, axes

import jager
from jager import mindlin

LAW = jager.Law(1.0, 0.5, 0.5)
F = LAW.friction
BLUE, LIGHT, ORANGE, GREEN, RED, GREY = "#0072B2", "#56B4E9", "#D55E00", "#009E73", "#7a0c2e", "#6f7f8c"
LIMIT = {"color": "#555555", "linestyle": (0, (1, 2)), "linewidth": 1.0}


def power(x, y):
    """The exponent of y ~ x^n, by least squares."""
    return np.polyfit(np.log(x), np.log(y), 1)[0]


def contact_of(law=LAW):
    return jager.Contact(law, 1.0, 1.0)


# ---- Histories by the paper's names ---------------------------------------------------------------------------------

class Stage(NamedTuple):
    """A contact after a movement; the points of its history have a name, zeta, fn, ft and p."""

    zeta: float
    xi: float
    fn: float
    ft: float
    state: str
    points: list

    @property
    def history(self):
        return "-".join(name for name, *_ in self.points)


def name_points(history, before, movement):
    """The top is named by its movement, and points that were there before keep their names.

    A point at which a segment was cut is named after the number of the point below, as 1a; if that was made by a cut
    itself, after the next number: 7a, where 6a-8 was cut.
    """
    points, ft = [], 0.0
    for k, (zeta, fn, (p, _)) in enumerate(history.tolist()):
        ft += p * (fn - points[-1][2]) if points else 0.0
        old = [name for name, at, *_ in before if abs(at - zeta) <= 1e-12 * abs(zeta)]
        if k == len(history) - 1:
            name = str(movement)
        elif old:
            name = old[0]
        else:
            below = points[-1][0]
            name = f"{int(below.rstrip('a')) + below.endswith('a')}a"
        points.append((name, zeta, fn, ft, p))
    return points


def follow(law, movements):
    """The stages of movements (dzeta, dxi) in 10^-3 m, the first one before them; and the contact."""
    contact, stages = contact_of(law), [Stage(0.0, 0.0, 0.0, 0.0, "apart", [("0", 0.0, 0.0, 0.0, 0.0)])]
    for number, (dzeta, dxi) in enumerate(movements, 1):
        before = stages[-1]
        zeta, change = before.zeta + 1e-3 * dzeta, 1e-3 * dxi
        force = contact.move(zeta, change)
        stages.append(Stage(zeta, before.xi + change, force.fn, float(force.ft[0]), contact.state.name.lower(),
                            name_points(contact.history, before.points, number)))
    return stages, contact


def label(ax, names, lines, reach=8.5):
    """Writes {name: (point, colour)} beside the points, each where there is most room between the lines."""
    ends = np.array([ax.transData.transform(line) for line in lines]) * 72 / ax.figure.dpi  # in points of print
    start, way = ends[:, 0], ends[:, 1] - ends[:, 0]
    square = np.maximum((way**2).sum(axis=1), 1e-30)
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    for name, (point, colour) in names.items():
        places = reach * np.column_stack((np.cos(angles), np.sin(angles)))
        off = ax.transData.transform(point) * 72 / ax.figure.dpi + places[:, None] - start
        along = np.clip((off * way).sum(axis=2) / square, 0.0, 1.0)
        room = np.hypot(*np.moveaxis(off - along[..., None] * way, 2, 0)).min(axis=1)
        ax.annotate(name, point, places[room.argmax()], textcoords="offset points", ha="center", va="center",
                    color=colour, fontsize=8)


def draw_movements(ax, stages, low, high):
    """The movements with their numbers; those that slip are thicker."""
    at = np.array([(1e3 * stage.zeta, 1e3 * stage.xi) for stage in stages])
    ax.set(xlabel=r"$\zeta / R$  ($10^{-3}$)", ylabel=r"$\xi / R$  ($10^{-3}$)", xlim=(low[0], high[0]),
           ylim=(low[1], high[1]))
    for k, stage in enumerate(stages[1:]):
        slips = stage.state != "elastic"
        ax.plot(*at[k:k + 2].T, color=BLUE if slips else LIGHT, lw=3.2 if slips else 1.3, solid_capstyle="butt")
    ax.plot(*at.T, "o", color=BLUE, ms=2.5)
    for name, colour, width in (("slip", BLUE, 3.2), ("elastic", LIGHT, 1.3)):
        ax.plot([], [], color=colour, lw=width, label=name)
    label(ax, {str(k): (point, "#000000") for k, point in enumerate(at)}, list(zip(at[:-1], at[1:])))


def forces_of(stage):
    return np.array([(1e3 * fn, 1e3 * ft) for _, _, fn, ft, _ in stage.points])


def set_forces(ax, low, high):
    ax.set(xlabel=r"$F_n / GR^2$  ($10^{-3}$)", ylabel=r"$F_t / GR^2$  ($10^{-3}$)", xlim=(low[0], high[0]),
           ylim=(low[1], high[1]))


# ---- JagerPath ------------------------------------------------------------------------------------------------------

NINE = ((6.0, -3.4), (3.0, -1.6), (5.0, -2.0), (1.0, 4.0), (1.0, 5.0), (4.0, -0.7), (8.0, -4.4), (4.0, 5.0),
        (2.0, -3.0))
SLIPS = (4, 5, 8, 9)
TOLD = {4: "0-1-2-2a-4", 5: "0-1-1a-5", 9: "0-1-1a-5-6-6a-7a-9"}  # of the last one the paper writes 0-1-1a-...-7a-9
ROWS = 400  # intervals of the radius


def is_slip(p):
    return abs(abs(p) - F) < 1e-9


def cattaneo_mindlin(zeta, rho):
    """The traction of a contact of radius a, a^2 = zeta R, that slides, over f; R = 1 m."""
    return 3.0 * LAW.modulus / (2.0 * math.pi) * np.sqrt(np.maximum(zeta - rho * rho, 0.0))


def path(figures):
    stages, contact = follow(LAW, NINE)
    last, edge = stages[-1], contact.radii.contact
    rho = edge * np.arange(ROWS + 1) / ROWS
    segments = [to[4] * (cattaneo_mindlin(to[1], rho) - cattaneo_mindlin(below[1], rho))
                for below, to in zip(last.points, last.points[1:])]
    tau, limit = sum(segments, np.zeros_like(rho)), F * cattaneo_mindlin(last.zeta, rho)
    figures.table("JagerPath-movements", "movement,zeta,xi,fn,ft,state,length,history",
                  ((k, *stage[:5], len(stage.points), stage.history) for k, stage in enumerate(stages)))
    figures.table("JagerPath-histories", "movement,k,label,zeta,fn,ft,p,slip",
                  ((i, k, *point, int(is_slip(point[4]))) for i, stage in enumerate(stages[1:], 1)
                   for k, point in enumerate(stage.points)))
    figures.table("JagerPath-tractions", "rho_over_a,f_sigma,tau,segment1,segment2,segment3,segment4,segment5,"
                  "segment6,segment7", np.column_stack((rho / edge, limit, tau, *segments)).tolist())
    as_told = [(stage.state == "slip") == (k in SLIPS) for k, stage in enumerate(stages[1:], 1)]
    own = contact.tractions(rho).shear[:, 0]
    figures.add("path_states", sum(as_told), "", 9, "Kuhn", exact=True)
    figures.add("path_histories", sum(stages[k].history == told for k, told in TOLD.items()), "", 3, "Kuhn", exact=True)
    figures.add("path_segments", len(segments), "", 7, "Kuhn", exact=True)
    figures.add("path_slip_segments", sum(is_slip(point[4]) for point in last.points), "", 3, "Kuhn", exact=True)
    figures.add("path_fn", last.fn, "G R^2")
    figures.add("path_ft", last.ft, "G R^2")
    figures.add("path_traction", abs(tau - own).max() / abs(own).max(), "", 0, "Kuhn", floor=1e-13)
    draw_path(figures, stages, rho / edge, segments, tau, limit)


def draw_path(figures, stages, at, segments, tau, limit):
    figure, (moves, forces, texts, shear) = axes(2, 6.4, rows=2)
    draw_movements(moves, stages, (-1.5, -8.5), (36.5, 3.5))
    for ax, title in zip((moves, forces, texts, shear), ("nine movements", "forces and equivalent load histories",
                                                         "equivalent load histories", "final shearing traction")):
        ax.set_title(title, fontsize=9)
    moves.legend(loc="lower right")
    set_forces(forces, (-1.5, -5.0), (36, 3.6))
    lines, names = [], {"0": ((0.0, 0.0), "#000000")}
    for stage in stages[1:]:
        points = forces_of(stage)
        lines += list(zip(points[:-1], points[1:]))
        if stage is not stages[-1]:
            forces.plot(*points.T, color=GREY, lw=1.0, ls="--")
        for (name, *_), point in zip(stage.points, points):
            cut = RED if stage is stages[-1] else GREY
            names[name] = (point, cut if name.endswith("a") else "#000000")
    final = forces_of(stages[-1])
    for (*_, p), start, end in zip(stages[-1].points[1:], final, final[1:]):
        forces.plot(*zip(start, end), color=RED, lw=3.2 if is_slip(p) else 1.3, solid_capstyle="butt")
    for name, (point, colour) in names.items():
        is_cut = name.endswith("a")
        forces.plot(*point, "o", ms=4 if is_cut else 2.5, color=colour, mfc="none" if is_cut else colour)
    for name, how in (("final history: slip", {"color": RED, "lw": 3.2}), ("elastic", {"color": RED, "lw": 1.3}),
                      ("histories before", {"color": GREY, "lw": 1.0, "ls": "--"})):
        forces.plot([], [], label=name, **how)
    forces.legend(loc="lower right")
    label(forces, names, lines)
    texts.set(xticks=[], yticks=[])
    for side in ("left", "bottom"):
        texts.spines[side].set_visible(False)
    for k, stage in enumerate(stages[1:], 1):
        place = {"y": 1.05 - 0.105 * k, "transform": texts.transAxes, "va": "center"}
        texts.text(0.02, s=f"after {k}", **place)
        texts.text(0.22, s=stage.history, color=RED if k == len(NINE) else "#000000", **place)
        texts.text(0.98, s=stage.state, color="#555555", ha="right", **place)
    for sign in (1, -1):
        shear.plot(at, sign * limit, label=r"$\pm f\sigma$" if sign > 0 else None, **LIMIT)
    for k, segment in enumerate(segments):
        shear.plot(at, segment, color=GREY, lw=0.9, label="" if k else "seven Cattaneo–Mindlin functions")
    shear.plot(at, tau, color=BLUE, lw=2.2, label=r"their sum, $\tau$")
    shear.set(xlabel=r"$\rho / a$", ylabel=r"$\tau / G$", xlim=(0, 1.02), ylim=(-0.27, 0.4))
    shear.legend(loc="upper right")
    figures.picture(figure, "JagerPath")


# ---- Jager_approx ---------------------------------------------------------------------------------------------------

SIX = ((6.0, 3.2), (3.0, 0.45), (3.0, 0.63), (3.0, 0.73), (3.0, 0.82), (-4.0, -6.0))


def approx(figures):
    exact, _ = follow(LAW, SIX)
    merged, _ = follow(LAW.replace(dp_max=0.05), SIX)
    figures.table("Jager_approx-movements",
                  "movement,zeta,xi,fn,ft_exact,ft_approximate,length_exact,length_approximate",
                  ((k, *a[:4], b.ft, len(a.points), len(b.points)) for k, (a, b) in enumerate(zip(exact, merged))))
    figures.table("Jager_approx-histories", "approximate,movement,label,zeta,fn,ft",
                  ((way, k, *point[:4]) for way, stages in enumerate((exact, merged)) for k in (5, 6)
                   for point in stages[k].points))
    figures.add("approx_length_5", len(exact[5].points), "points", 6, "Kuhn", exact=True)
    figures.add("approx_length_6", len(exact[6].points), "points", 4, "Kuhn", exact=True)
    figures.add("approx_merged_5", len(merged[5].points), "points", 3, "Kuhn", exact=True)
    figures.add("approx_error_before", abs(merged[5].ft / exact[5].ft - 1), "", 0, "Kuhn", floor=1e-15)
    figures.add("approx_error", 100 * abs(merged[6].ft / exact[6].ft - 1), "%", 3, "Kuhn")
    figure, (moves, forces) = axes(height=3.4)
    draw_movements(moves, exact, (-1.2, -1.6), (20, 6.8))
    moves.legend(loc="upper left")
    set_forces(forces, (-0.9, -1.5), (14, 3.9))
    for stage, how in ((exact[5], {"color": GREY, "lw": 1.0, "marker": "o", "ms": 2.5}),
                       (merged[5], {"color": ORANGE, "lw": 1.2, "ls": (0, (1, 1))}),
                       (exact[6], {"color": BLUE, "lw": 1.6, "marker": "o", "ms": 3.5}),
                       (merged[6], {"color": ORANGE, "lw": 1.4, "ls": "--", "marker": "o", "ms": 6, "mfc": "none"})):
        kind = "exact" if stage in (exact[5], exact[6]) else "approximate"
        forces.plot(*forces_of(stage).T, label=f"{stage.history}, {kind}", **how)
    forces.legend(loc="upper left", ncol=2, columnspacing=1.0)
    lines, names = [], {}
    for stage in (exact[5], exact[6], merged[5], merged[6]):  # 1a of the merged history lies farther from 2
        points = forces_of(stage)
        lines += list(zip(points[:-1], points[1:]))
        names.update({name: (point, "#000000") for (name, *_), point in zip(stage.points, points)})
    label(forces, names, lines, reach=10)
    figures.picture(figure, "Jager_approx")


# ---- Compare and TractionCompare ------------------------------------------------------------------------------------

class Oblique:
    """Mindlin and Deresiewicz' § 17: Fn to point 0, dFt/dFn = 4 to Ft = 0.9 f Fn at B, and back to -0.9 f Fn at D."""

    start, ratio, share = 0.004, 4.0, 0.9  # Fn at 0 over G R^2, which only scales the axes
    peak = start / (1.0 - share * F / ratio)
    end = peak * (1.0 - share * F / ratio) / (1.0 + share * F / ratio)

    def __init__(self, ways):
        """zeta, xi, fn and ft of the closed form at places of the path: 0 at the start, 1 at B, 2 at D."""
        self.ways = ways
        self.fn = [self.peak + (self.end - self.peak) * (way - 1.0) if way > 1.0 else
                   self.start + (self.peak - self.start) * way for way in ways]
        self.zeta = [(fn / LAW.modulus) ** (2.0 / 3.0) for fn in self.fn]  # Hertz, R = 1
        self.ft, self.xi = np.array([self.closed(mindlin.oblique, fn, way) for fn, way in zip(self.fn, ways)]).T

    def closed(self, form, fn, way, *more):
        return form(LAW, 1.0, self.start, self.peak, self.ratio, fn, *more, way > 1.0)

    def walk(self, model):
        """Ft of a contact that makes the movements of the closed form; and the contact."""
        contact = contact_of(LAW.replace(model=model))
        contact.move(self.zeta[0])
        ft = contact.walk(self.zeta[1:], dxi=np.diff(self.xi)).ft[:, 0]
        return np.concatenate(([0.0], ft)), contact


def oblique_error(model, steps, rows=None):
    """The largest error of Ft over its largest value, on the path in equal steps."""
    at = Oblique([2.0 * i / steps for i in range(steps + 1)])
    ft, _ = at.walk(model)
    if rows is not None:
        rows += [(model, steps, i, *map(float, (xi, fn / at.start, own / at.start, closed / at.start)))
                 for i, (xi, fn, own, closed) in enumerate(zip(at.xi, at.fn, ft, at.ft))]
    return abs(ft - at.ft).max() / abs(at.ft).max()


def compare(figures):
    curve, rows = Oblique([2.0 * i / 200 for i in range(201)]), []
    for model in ("jager", "zhang-vuquoc"):
        for steps in (4, 400):
            error = oblique_error(model, steps, rows)
            if model == "jager":
                figures.add(f"compare_jager_{steps}", error, "", 0, "MD", floor=1e-13)
            else:
                figures.add(f"compare_incremental_{steps}", 100 * error, "%")
    steps = [4 << 2 * i for i in range(7)]
    errors = [oblique_error("zhang-vuquoc", n) for n in steps]
    for n, error in zip(steps, errors):
        figures.add(f"compare_refined_{n}", 100 * error, "%")
    figures.add("compare_order", -power(steps[2:], errors[2:]))
    figures.add("compare_fn_peak", Oblique.peak / Oblique.start)
    figures.add("compare_fn_end", Oblique.end / Oblique.start)
    figures.table("Compare-closed-form", "way,xi,fn_over_fn0,ft_over_fn0", np.column_stack(
        (curve.ways, curve.xi, np.array(curve.fn) / curve.start, curve.ft / curve.start)).tolist())
    figures.table("Compare-laws", "law,steps,step,xi,fn_over_fn0,ft_over_fn0,closed_ft_over_fn0", rows)
    draw_compare(figures, curve, rows)


def draw_compare(figures, curve, rows):
    figure, parts = axes(height=3.6)
    for ax, model, title in zip(parts, ("jager", "zhang-vuquoc"), ("Jäger", "incremental stiffness (zhang-vuquoc)")):
        ax.set_title(title, fontsize=9)
        ax.plot(1e3 * curve.xi, curve.ft / curve.start, color=BLUE, label="Mindlin–Deresiewicz § 17")
        for steps, every, how in ((400, 10, {"marker": "+", "color": GREEN, "ms": 6, "mew": 1.2}),
                                  (4, 1, {"marker": "o", "color": ORANGE, "ms": 9, "mfc": "none", "mew": 1.5})):
            x, y = zip(*((1e3 * row[3], row[5]) for row in rows if row[:2] == (model, steps) and row[2] % every == 0))
            ax.plot(x, y, ls="", label=f"{steps} steps", **how)
        ax.set(xlabel=r"$\xi / R$  ($10^{-3}$)", ylabel=r"$F_t / F_{n,0}$", xlim=(-5.4, 6), ylim=(-0.55, 0.65))
        ax.legend(loc="upper left")
    inset = parts[0].inset_axes((0.62, 0.13, 0.37, 0.36))
    fn = np.array([0.85, 1.18])
    for sign in (1, -1):
        inset.plot(fn, sign * F * fn, **LIMIT)
    b, d = (Oblique.peak / Oblique.start, 0.9 * F * Oblique.peak / Oblique.start), \
        (Oblique.end / Oblique.start, -0.9 * F * Oblique.end / Oblique.start)
    inset.plot(*zip((1, 0), b, d), "o-", color=BLUE, ms=2.5, lw=1.1)
    labels = (("0", (1, 0), (-5, 4)), ("B", b, (6, -2)), ("D", d, (7, -3)), (r"$fF_n$", (0.93, F), (0, 5)))
    for text, point, place in labels:
        inset.annotate(text, point, place, textcoords="offset points", ha="center", va="center", fontsize=7)
    inset.set(xlim=fn, ylim=(-0.75, 0.75), xticks=(0.9, 1, 1.1), yticks=(-0.5, 0, 0.5))
    inset.set_xlabel(r"$F_n / F_{n,0}$", fontsize=7, labelpad=1)
    inset.set_ylabel(r"$F_t / F_{n,0}$", fontsize=7, labelpad=0)
    inset.tick_params(labelsize=6)
    figures.picture(figure, "Compare")


def traction(figures):
    """At B, half way back, and at D; which three stages the paper shows is lost."""
    at = Oblique([0.0, 1.0, 1.5, 2.0])
    contact, rows, largest = contact_of(), [], 0.0
    contact.move(at.zeta[0])
    figure, parts = axes(3, 3.3, sharey=True)
    titles = (r"B: loaded to $F_t = 0.9\,fF_n$", "C: half way back", r"D: unloaded to $F_t = -0.9\,fF_n$")
    for k, (ax, title) in enumerate(zip(parts, titles), 1):
        contact.move(at.zeta[k], at.xi[k] - at.xi[k - 1])
        rho = contact.radii.contact * np.arange(ROWS + 1) / ROWS
        pressure, shear = contact.tractions(rho)[1:]
        unit = F * pressure[0]
        closed = at.closed(mindlin.oblique_traction, at.fn[k], at.ways[k], rho) / unit
        own, share = shear[:, 0] / unit, np.arange(ROWS + 1) / ROWS
        largest = max(largest, abs(shear[:, 0] / unit - closed).max())
        rows += [("BCD"[k - 1], *row) for row in np.column_stack((share, own, closed, pressure / pressure[0])).tolist()]
        for sign in (1, -1):
            ax.plot(share, sign * pressure / pressure[0], label=r"$\pm f\sigma$" if sign > 0 else None, **LIMIT)
        ax.plot(share, closed, color="#E69F00", lw=4, label="Mindlin–Deresiewicz")
        ax.plot(share, own, color="#000000", lw=1.3, ls=(0, (5, 3)), label="Jäger")
        ax.set(xlabel=r"$\rho / a$", xlim=(0, 1.02), ylim=(-1.05, 1.05))
        ax.set_title("", loc="left")
        ax.set_title(title, fontsize=9)
    parts[0].set_ylabel(r"$\tau\, /\, f\sigma(0)$")
    parts[2].legend(loc="lower left", bbox_to_anchor=(0, 0.5))
    figures.picture(figure, "TractionCompare")
    figures.table("TractionCompare", "stage,rho_over_a,tau_jager,tau_closed_form,pressure", rows)
    figures.add("traction", largest, "", 0, "MD", floor=1e-13)


# ---- Words: random paths --------------------------------------------------------------------------------------------

DEPTH, LENGTH, PATHS, TURNING, MANY = 0.01, 12, 400, 50, 4096  # mean zeta, m; movements of a path; paths; pieces
PIECES = [1 << k for k in range(8)]


class Random:
    """SplitMix64: the same numbers on every machine."""

    def __init__(self, seed):
        self.state = seed

    def unit(self):
        mask = (1 << 64) - 1
        self.state = z = (self.state + 0x9E3779B97F4A7C15) & mask
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        return ((z ^ z >> 31) >> 11) * 2.0**-53

    def between(self, low, high):
        return low + (high - low) * self.unit()


def random_path(random, is_collinear):
    """Rows zeta, dxi1, dxi2. Some of the movements are elastic, most slip, and hardly any slide."""
    size = 0.4 * DEPTH
    return np.array([(DEPTH * random.between(0.6, 1.4), random.between(-size, size),
                      0.0 if is_collinear else random.between(-size, size)) for _ in range(LENGTH)])


def force_of_path(movements, pieces):
    """Fn and Ft after the movements, each in equal pieces."""
    start, end = np.concatenate(([0.0], movements[:-1, 0])), movements[:, 0]
    zeta = start[:, None] + (end - start)[:, None] * np.arange(1, pieces + 1) / pieces
    zeta[:, -1] = end
    walked = contact_of().walk(zeta.ravel(), dxi=np.repeat(1.0 / pieces * movements[:, 1:], pieces, axis=0))
    return walked.fn[-1], walked.ft[-1]


def difference(one, other):
    return np.hypot(*(one[1] - other[1])) / (F * one[0])


def subdivision():
    """Differences over f Fn between movements in pieces: the largest of collinear ones, the mean of turning ones."""
    collinear, turning = np.zeros(len(PIECES)), np.zeros(len(PIECES))
    for seed in range(PATHS):
        movements = random_path(Random(seed), True)
        whole = force_of_path(movements, 1)
        collinear = np.maximum(collinear, [difference(whole, force_of_path(movements, n)) for n in PIECES])
    for seed in range(TURNING):
        movements = random_path(Random(seed), False)
        limit = force_of_path(movements, MANY)
        for k, n in enumerate(PIECES):
            turning[k] += difference(limit, force_of_path(movements, n)) / TURNING
    return collinear, turning


def slip_in_cone():
    """Small movements after random paths: {is in the cone: [(is elastic, dissipated over stored energy), ...]}."""
    random, found = Random(1), {True: [], False: []}
    for _ in range(PATHS):
        contact, movements = contact_of(), random_path(random, False)
        contact.walk(movements[:, 0], dxi=movements[:, 1:])
        for _ in range(20):
            inside, angle = random.unit() < 0.5, random.between(0.0, 2.0 * math.pi)
            rise, share = DEPTH * random.between(1e-4, 0.1), random.unit() + (not inside)
            size = share * F * LAW.kappa * rise
            if not inside and random.unit() < 0.5:
                rise = -rise
            moved = contact.copy().walk([contact.zeta + rise], dxi=[(size * math.cos(angle), size * math.sin(angle))],
                                        energy=True)
            found[inside].append((moved.state_names[0] == "elastic", moved.dissipated[0] / moved.normal[0]))
    return {inside: np.array(those) for inside, those in found.items()}


def cycle_loss(model, share, steps=2000):
    """The loss in the second cycle of xi at constant zeta, |Ft| up to share f Fn, over the closed form."""
    fn = LAW.modulus * DEPTH * math.sqrt(DEPTH)
    step = float(mindlin.loading(LAW, 1.0, fn, share * F * fn)) / steps
    contact = contact_of(LAW.replace(model=model))
    contact.move(DEPTH)
    back = (np.arange(9 * steps) // steps + 1) // 2 % 2 == 1
    ft = contact.walk(DEPTH, dxi=np.where(back, -step, step)).ft[:, 0]
    work = np.where(back, -1.0, 1.0)[1:] * (ft[:-1] + ft[1:]) * step
    return work[5 * steps - 1:].sum() / float(mindlin.cycle_loss(LAW, 1.0, fn, share * F * fn))


# ---- Words: lattices ------------------------------------------------------------------------------------------------

MODELS = ("linear", "hertz-mindlin", "jager")
AMPLITUDES, QUARTER, OVERLAP, RADIUS = (2e-6, 5e-6, 1e-5, 2e-5, 4e-5), 100, 1e-4, 0.5e-3
SHEAR_MODULUS, POISSON = 29e9, 0.15
# Linear springs as stiff as Hertz's contact at the overlap of the cycles.
KN = 0.75 * 8.0 * SHEAR_MODULUS / (3.0 * (1.0 - POISSON)) * RADIUS * math.sqrt(OVERLAP)
KT = KN * 2.0 * (1.0 - POISSON) / (2.0 - POISSON)


def lattice(model, overlap, control, **more):
    """A lattice of 32 spheres, whose symmetry makes it deform as its cell does."""
    springs = {"linear": {"kn": KN, "kt": KT}} if model == "linear" else {}
    held = {name: {"strain_rate": 0} for name in ("xx", "yy", "zz")}
    return jager.Simulation(jager.Case(ROOT / "examples" / "lattice-fcc.yaml", {
        "damping": {"local": 0}, "contact": {"model": model, **springs}, "time_step": {"fixed": 1e-9},
        "assembly.lattice.overlap": overlap, "output.plots": False,
        "stages": [{"name": "strain", "control": {**held, **control}, "until": {"steps": 1_000_000}, **more}]}),
        threads=1)


def stiffness(model):
    """Pressures and C11 of the lattice, by central differences of small strains."""
    rows = []
    for k in range(5):
        overlap, ends = 1e-6 * 10.0 ** (0.5 * k), []
        strain = 1e-4 * overlap
        for step in (strain, -strain):
            simulation = lattice(model, overlap, {"zz": {"strain_step": step}})
            pressure = simulation.measures.p
            simulation.step()
            ends.append(simulation.measures.stress_zz)
        rows.append((pressure, (ends[0] - ends[1]) / (2.0 * strain)))
    return np.array(rows)


def hysteresis(model, amplitude):
    """Damping ratio, secant modulus and sliding share in a closed cycle, and its loop, from the first peak on."""
    step = amplitude / QUARTER
    control = {"xx": {"strain_step": -0.5 * step}, "yy": {"strain_step": -0.5 * step}, "zz": {"strain_step": step}}
    simulation = lattice(model, OVERLAP, control, cyclic={"of": "strain_zz", "amplitude": amplitude * (1.0 - 1e-9)})
    q, strain, sliding = np.zeros(5 * QUARTER + 1), np.zeros(5 * QUARTER + 1), 0.0
    for i in range(1, 5 * QUARTER + 1):
        simulation.step()
        now = simulation.measures
        q[i], strain[i], sliding = now.q, now.strain_zz, max(sliding, now.sliding_fraction)
    area = (0.5 * (q[1:] + q[:-1]) * np.diff(strain))[QUARTER:].sum()
    modulus = 0.5 * (q.max() - q.min()) / amplitude
    damping = area / (4.0 * math.pi * 0.5 * modulus * amplitude * amplitude)
    return damping, modulus, sliding, np.column_stack((strain, q))[QUARTER::4]


# ---- Words ----------------------------------------------------------------------------------------------------------

def words(figures):
    """What the paper asserts in words, each checked by a small measurement."""
    stiff, loops = {model: stiffness(model) for model in MODELS}, {}
    for model, name in zip(MODELS, ("linear", "hertz", "jager")):
        expected = 0 if model == "linear" else 1 / 3
        figures.add(f"words_exponent_{name}", power(*stiff[model].T), "", expected, "Kuhn", floor=1e-9)
        for share in (0.1, 0.5):
            figures.add(f"words_loss_{name}_{10 * share:.0f}", cycle_loss(model, share), "", float(model == "jager"),
                        "MD", floor=1e-12)
        for k, amplitude in enumerate(AMPLITUDES, 1):
            damping, modulus, sliding, loops[model] = hysteresis(model, amplitude)
            figures.add(f"words_damping_{name}_{k}", damping, floor=1e-9)
            figures.add(f"words_modulus_{name}_{k}", 1e-9 * modulus, "GPa")
        figures.add(f"words_sliding_{name}", 100 * sliding, "%")
    share = figures["words_damping_hertz_5"].value / figures["words_damping_jager_5"].value
    figures.add("words_hertz_share", 100 * share, "%")
    found = slip_in_cone()
    for name, inside in (("inside", True), ("outside", False)):
        right, losses = (found[inside][:, 0] == inside), found[inside][:, 1]
        figures.add(f"words_{name}", len(right), exact=True)
        figures.add(f"words_{name}_right", right.sum(), "", len(right), "Kuhn", exact=True)
        figures.add(f"words_{name}_dissipated", losses.max() if inside else losses.min(), floor=1e-12)
    collinear, turning = subdivision()
    steps = [32 << k for k in range(len(PIECES))]
    errors = [oblique_error("zhang-vuquoc", n) for n in steps]
    figures.add("words_collinear", collinear.max(), "", 0, "Kuhn", floor=1e-13)
    figures.add("words_turning_1", turning[0])
    figures.add("words_turning_128", turning[-1])
    figures.add("words_turning_order", -power(PIECES[2:], turning[2:]))
    figures.add("words_incremental_4096", errors[-1])
    figures.add("words_incremental_order", -power(steps, errors))
    figures.table("words-stiffness", "law,p,c11", ((model, *row) for model in MODELS for row in stiff[model].tolist()))
    figures.table("words-hysteresis", "law,amplitude,strain_zz,q",
                  ((model, AMPLITUDES[-1], *row) for model in MODELS for row in loops[model].tolist()))
    convergence = np.column_stack((PIECES, collinear, turning, steps, errors))
    figures.table("words-convergence", "pieces,collinear,turning,incremental_steps,incremental", convergence.tolist())
    draw_words(figures, stiff, loops, convergence)


def draw_words(figures, stiff, loops, convergence):
    figure, (stiffnesses, cycle, pieces) = axes(3, 3.5)
    lines = {"jager": {"color": "#000000", "marker": "o", "ms": 4},
             "linear": {"color": GREEN, "marker": "s", "ms": 4, "ls": "-."},
             "hertz-mindlin": {"color": BLUE, "marker": "o", "ms": 7, "mfc": "none", "ls": ""}}
    for model, how in lines.items():
        exponent = abs(round(figures[f"words_exponent_{model.split('-')[0]}"].value, 3))
        stiffnesses.loglog(*stiff[model].T, label=f"{model}, $p^{{{exponent:.3f}}}$", **how)
        how = {"color": how["color"], "lw": 1.4, "ls": {"hertz-mindlin": "--"}.get(model, how.get("ls", "-"))}
        cycle.plot(1e6 * loops[model][:, 0], 1e-3 * loops[model][:, 1], label=model, **how)
    stiffnesses.set(xlabel="pressure $p$ (Pa)", ylabel="$C_{11}$ of a lattice (Pa)", xlim=(30, 2e5), ylim=(5e7, 6e9))
    cycle.set(xlabel=r"strain $\varepsilon_{zz}$ ($10^{-6}$)", ylabel="$q$ of a lattice (kPa)", xlim=(-44, 44),
              ylim=(-64, 64))
    at, collinear, turning, steps, errors = convergence.T
    pieces.loglog(at, turning, "o-", color="#000000", ms=4,
                  label=f"Jäger, turning: order {figures['words_turning_order']:.2f}")
    pieces.loglog(steps, errors, "s--", color="#CC79A7", ms=4,
                  label=f"zhang-vuquoc: order {figures['words_incremental_order']:.2f}")
    pieces.loglog(at[1:], collinear[1:], "o", color=BLUE, ms=6, mfc="none", label="Jäger, collinear: exact")
    pieces.set(xlabel="pieces, or steps of a path", ylabel="difference of $F_t$", xlim=(0.7, 8e3),
               ylim=(1e-17, 1e3))
    for ax in (stiffnesses, cycle, pieces):
        ax.legend(loc="upper left", fontsize=6.5, handlelength=1.6)
    figures.picture(figure, "words")


def make(figures):
    for each in (path, approx, compare, traction, words):
        each(figures)
