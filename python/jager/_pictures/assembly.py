# SPDX-License-Identifier: MIT
"""Pictures of the assembly: its grading, and at the end of a stage its grains, force chains and contact directions."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .._run_files import Table, need
from .._runs import Snapshot
from .loading import Numbers
from .style import WIDE, legend_above, new_figure, numbers_on_log_axis, prefix_for, two_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Mask = npt.NDArray[np.bool_]

_BLUE, _FILL, _RED = "#15396b", "#b5c8dd", "#c8552b"


# ---- Grading ---------------------------------------------------------------------------------------------------------

_GRADING_POINTS_MAX, _CLASSES = 4000, 20


@dataclass(frozen=True)
class Grading:
    """Diameters, rising, and the share of mass that is as fine as each."""

    diameters: Numbers
    passing: Numbers

    @staticmethod
    def of(radii: Numbers) -> Grading:
        """The grading of spheres."""
        diameters = np.sort(2.0 * np.asarray(radii, dtype=np.float64))
        mass = np.cumsum(diameters**3)
        return Grading(diameters, mass / mass[-1])

    def at(self, share: float) -> float:
        """The smallest diameter that passes the share of mass."""
        return float(self.diameters[min(int(np.searchsorted(self.passing, share)), len(self.diameters) - 1)])


def _draw_grading_curve(ax: Axes, of: Grading, factor: float, prefix: str) -> None:
    d = factor * of.diameters
    ratio = max(d[-1] / d[0], 1.5)
    low, high = d[0] / ratio**0.35, d[-1] * ratio**0.15
    rows = np.unique(np.append(np.arange(0, len(d), len(d) // _GRADING_POINTS_MAX + 1), len(d) - 1))
    ax.step(np.append(d[0], d[rows]), np.append(0.0, 100.0 * of.passing[rows]), where="post", color=_BLUE)
    sizes = {share: factor * of.at(0.01 * share) for share in (10, 30, 50, 60)}
    for share, size in sizes.items():
        ax.plot([low, size, size], [share, share, 0.0], color=_RED, linewidth=1.1, linestyle=(0, (4, 2.4)))
    lines = [f"$D_{{{share}}}$ = {size:.4g} {prefix}m" for share, size in sizes.items()]
    lines += ["", f"$C_u$ = {sizes[60] / sizes[10]:.3g}", f"$C_c$ = {sizes[30]**2 / (sizes[10] * sizes[60]):.3g}"]
    ax.text(0.04, 0.97, "\n".join(lines), transform=ax.transAxes, va="top", linespacing=1.45)
    ax.set_xscale("log")
    ax.set_xlim(low, high)
    ax.set_ylim(0.0, 102.0)
    numbers_on_log_axis(ax.xaxis, low, high)
    if high < 4.0 * low:  # evenly spaced numbers
        ax.xaxis.set_major_locator(need("matplotlib.ticker").MaxNLocator(8, steps=[1, 2, 5, 10]))
        ax.xaxis.set_minor_locator(need("matplotlib.ticker").NullLocator())
    ax.set_xlabel(f"diameter  ({prefix}m)")
    ax.set_ylabel("finer by mass  (%)")


def _draw_classes(ax: Axes, of: Grading, factor: float, prefix: str) -> None:
    """Classes are equal in the diameter."""
    d = factor * of.diameters
    low, high = (d[0], d[-1]) if d[-1] > d[0] else (0.9 * d[0], 1.1 * d[0])
    edges = np.linspace(low, high, _CLASSES + 1)
    mass = np.histogram(d, edges, weights=100.0 * np.diff(of.passing, prepend=0.0))[0]
    number = np.histogram(d, edges, weights=np.full(len(d), 100.0 / len(d)))[0]
    ax.bar(edges[:-1], mass, np.diff(edges), align="edge", color=_FILL, edgecolor=_BLUE, linewidth=0.8, label="mass")
    ax.stairs(number, edges, baseline=None, color=_RED, linewidth=1.9, linestyle=(0, (5, 2)), label="number")
    ax.set_xlim(edges[0], edges[-1])
    ax.set_xlabel(f"diameter  ({prefix}m)")
    ax.set_ylabel("share of a class  (%)")
    legend_above(ax)


def draw_grading(snapshot: Snapshot, title: str) -> Figure:
    """The picture `grading`. The title comes from the case."""
    has_clumps = len(snapshot.grains) > 0
    of = Grading.of(0.5 * snapshot.grains["diameter"] if has_clumps else snapshot.spheres["radius"])
    count = len(of.diameters)
    text = f"grading of {count} {'grain' if has_clumps else 'sphere'}{'' if count == 1 else 's'}"
    figure, left, right = two_panels(f"{title}: {text}" if title else text)
    factor, prefix = prefix_for(of.diameters[-1])
    _draw_grading_curve(left, of, factor, prefix)
    _draw_classes(right, of, factor, prefix)
    return figure


# ---- The plane -------------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Plane:
    """Numbers of axes, 0 is x: to the right, upwards, and the third one."""

    across: int
    up: int
    depth: int

    @property
    def names(self) -> tuple[str, str]:
        """Of the axes in the picture."""
        return "xyz"[self.across], "xyz"[self.up]


def plane_of(keys: Mapping[str, str], stage: int) -> Plane:
    """The plane of the shear strain or stress that the stage drives; otherwise x–z. Stage 0 is packing."""
    for component, plane in (("xz", Plane(0, 2, 1)), ("xy", Plane(0, 1, 2)), ("yz", Plane(1, 2, 0))):
        for how in ("stress", "strain_rate", "strain_step", "strain"):
            if float(keys.get(f"stages.{stage - 1}.control.{component}.{how}", 0.0)) != 0.0:
                return plane
    return Plane(0, 2, 1)


@dataclass(frozen=True)
class StageEnd:
    """The assembly at the end of a stage."""

    snapshot: Snapshot
    stage: int
    name: str
    plane: Plane

    def title(self, case_title: str, more: str) -> str:
        """"TITLE: end of stage 2 (shear), MORE"."""
        text = f"end of stage {self.stage} ({self.name}), {more}"
        return f"{case_title}: {text}" if case_title else text


# ---- Grains and their spheres ----------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Bodies:
    """The grains of a snapshot, and the spheres of which they consist; without clumps the spheres are the grains.

    Attributes:
        position, radius, pressure: of the grains; the radius is that of the sphere of equal volume.
        extent: the farthest point from the position.
        owner: the row of each sphere's grain.
        arms: from the position of the grain to the centre of the sphere.
        sphere_radius: of the spheres.
        are_clumps: grains may have several spheres.
    """

    position: Numbers
    radius: Numbers
    pressure: Numbers
    extent: Numbers
    owner: npt.NDArray[np.intp]
    arms: Numbers
    sphere_radius: Numbers
    are_clumps: bool

    @staticmethod
    def of(snapshot: Snapshot) -> Bodies:
        """All grains of a snapshot."""
        spheres, grains = snapshot.spheres, snapshot.grains
        radius = spheres["radius"]
        if len(grains) == 0:
            return Bodies(spheres["position"], radius, spheres["pressure"], radius, np.arange(len(spheres)),
                          np.zeros((len(spheres), 3)), radius, False)
        owner = np.searchsorted(grains["id"], spheres["grain"])
        arms = np.linalg.solve(snapshot.cell, (spheres["position"] - grains["position"][owner]).T)
        return Bodies(grains["position"], 0.5 * grains["diameter"], grains["pressure"], grains["extent"], owner,
                      (snapshot.cell @ (arms - np.round(arms))).T, radius, True)


# ---- The slice -------------------------------------------------------------------------------------------------------

_SLICE_DIAMETERS = 1.5  # thickness of the slice, in mean diameters
_WINDOW_MAX = 20.0  # widest window, in mean diameters


class Slice:
    """A slice through the middle of the cell, and the window of it that is drawn.

    Positions are shares f of the cell's edges, x = H f; an image of a grain differs by whole numbers. `low` and `high`
    are the shares between which the window lies; in the depth, the slice.
    """

    def __init__(self, snapshot: Snapshot, plane: Plane) -> None:
        self.plane, self.cell, self.bodies = plane, snapshot.cell, Bodies.of(snapshot)
        self.diameter = float(2.0 * self.bodies.radius.mean())
        self.shares = np.linalg.solve(self.cell, self.bodies.position.T).T
        self._find_spacing()
        limits = np.full(3, _WINDOW_MAX)
        limits[plane.depth] = _SLICE_DIAMETERS
        share = np.minimum(limits * self.diameter / self.spacing, 1.0)
        self.low, self.high = 0.5 - 0.5 * share, 0.5 + 0.5 * share
        self.thickness = float(share[plane.depth] * self.spacing[plane.depth])
        self.is_whole = bool(share[plane.across] >= 1.0 and share[plane.up] >= 1.0)
        self.factor, self.prefix = prefix_for(min(_WINDOW_MAX * self.diameter,
                                                  float(max(self.spacing[plane.across], self.spacing[plane.up]))))

    def _find_spacing(self) -> None:
        """Distances between opposite faces of the cell; in the plane, between its edges."""
        across, up, depth = self.plane.across, self.plane.up, self.plane.depth
        a, b = self.cell[[across, up], across], self.cell[[across, up], up]
        area = abs(a[0] * b[1] - a[1] * b[0])
        face = np.linalg.norm(np.cross(self.cell[:, across], self.cell[:, up]))
        self.spacing = np.empty(3)
        self.spacing[across], self.spacing[up] = area / np.hypot(*b), area / np.hypot(*a)
        self.spacing[depth] = abs(np.linalg.det(self.cell)) / face

    def contains(self, shares: Numbers, radius: Numbers) -> Mask:
        """A grain belongs to the slice if its centre does, or if it cuts the middle of the slice."""
        depth = self.plane.depth
        distance = np.abs(shares[:, depth] - 0.5) * self.spacing[depth]
        return np.asarray((distance <= np.maximum(0.5 * self.thickness, radius)) | bool(self.high[depth] >= 1.0))

    def in_window(self, shares: Numbers, margin: Any = 0.0) -> Mask:
        """`margin` is a length."""
        inside = np.ones(len(shares), dtype=bool)
        for axis in (self.plane.across, self.plane.up):
            share = margin / self.spacing[axis]
            inside &= (shares[:, axis] >= self.low[axis] - share) & (shares[:, axis] < self.high[axis] + share)
        return inside

    def places(self, shares: Numbers) -> Numbers:
        """Places in the picture, in its unit."""
        moved = np.array(shares)
        moved[:, self.plane.depth] -= 0.5
        return np.asarray(self.factor * (moved @ self.cell.T)[:, [self.plane.across, self.plane.up]])

    def images(self, shares: Numbers) -> list[Numbers]:
        """Shifted by -1, 0 or 1 along each edge of the plane."""
        shifts = []
        for k in range(9):
            shift = np.zeros(3)
            shift[self.plane.across], shift[self.plane.up] = k % 3 - 1, k // 3 - 1
            shifts.append(shares + shift)
        return shifts

    def outline(self) -> Numbers:
        """The corners of the window, closed."""
        corners = np.full((5, 3), 0.5)
        for row, (i, j) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1), (0, 0))):
            corners[row, self.plane.across] = (self.low, self.high)[i][self.plane.across]
            corners[row, self.plane.up] = (self.low, self.high)[j][self.plane.up]
        return self.places(corners)


@dataclass(frozen=True)
class Shown:
    """Grains that touch the window, from the back to the front: their rows, the shares of their images, and whether
    their centres lie in the window."""

    rows: npt.NDArray[np.intp]
    shares: Numbers
    inside: Mask

    def only(self, kept: Mask) -> Shown:
        """Some of them."""
        return Shown(self.rows[kept], self.shares[kept], self.inside[kept])


def grains_of(slice_: Slice) -> Shown:
    """The grains that touch the window. With x to the right and z upwards, the nearest have the smallest y."""
    sign, bodies = -1.0 if slice_.plane.depth == 1 else 1.0, slice_.bodies
    order = np.argsort(sign * slice_.shares[:, slice_.plane.depth], kind="stable")
    kept = order[slice_.contains(slice_.shares[order], bodies.radius[order])]
    ranks, found = [], []
    for image in slice_.images(slice_.shares[kept]):
        touching = slice_.in_window(image, bodies.extent[kept])
        ranks.append(np.flatnonzero(touching))
        found.append(image[touching])
    rank, shares = np.concatenate(ranks), np.concatenate(found)
    depth = np.argsort(rank, kind="stable")
    rank, shares = rank[depth], shares[depth]
    return Shown(kept[rank], shares, slice_.in_window(shares))


def chains_of(slice_: Slice, spheres: Table, contacts: Table) -> tuple[Numbers, Numbers, float]:
    """Lines between the centres of grains that touch, n x 2 x 2, and the forces, of contacts in the slice; the mean of
    all forces. Of spheres these are the normal forces. Clumps may touch at several points: theirs are the sizes of
    resultants."""
    bodies, order = slice_.bodies, np.argsort(spheres["id"])
    place = [order[np.searchsorted(spheres["id"], contacts["ids"][:, i], sorter=order)] for i in (0, 1)]
    branch = contacts["branch"] + bodies.arms[place[0]] - bodies.arms[place[1]]
    first, second = bodies.owner[place[0]], bodies.owner[place[1]]
    forces = contacts["fn"]
    step = np.linalg.solve(slice_.cell, branch.T).T
    if bodies.are_clumps and len(contacts) > 0:
        image = np.round(slice_.shares[first] + step - slice_.shares[second])  # of the second grain
        _, some, pair = np.unique(np.column_stack([first, second, image]), axis=0, return_index=True,
                                  return_inverse=True)
        total = np.zeros((len(some), 3))
        np.add.at(total, pair.ravel(), contacts["force"])
        first, second, step, forces = first[some], second[some], step[some], np.linalg.norm(total, axis=1)
    start, end = slice_.shares[first], slice_.shares[first] + step
    kept = slice_.contains(start, bodies.radius[first]) & slice_.contains(end, bodies.radius[second])
    lines, of_lines = [np.zeros((0, 2, 2))], [np.zeros(0)]
    for a, b in zip(slice_.images(start[kept]), slice_.images(end[kept])):
        shown = slice_.in_window(a) | slice_.in_window(b)
        lines.append(np.stack([slice_.places(a[shown]), slice_.places(b[shown])], axis=1))
        of_lines.append(forces[kept][shown])
    return np.concatenate(lines), np.concatenate(of_lines), float(forces.mean()) if len(forces) > 0 else 0.0


# ---- Grains ----------------------------------------------------------------------------------------------------------

_STRESSES = ("#f7f4ea", "#c9c7a8", "#7aa39a", "#3b6d8c", "#15305c")  # darker evenly, so that they survive grey


def _circles(ax: Axes, of: Slice, shown: Shown, edge: str, values: Numbers | None = None, **style: Any) -> Any:
    """Draws grains as circles, clumps by their outline: circles with edges, then the same ones without, which hide the
    edges within. A value for each row of grains gives the colours."""
    patches, colour, bodies = need("matplotlib.patches"), need("matplotlib.colors").to_rgba, of.bodies
    by_owner = np.argsort(bodies.owner, kind="stable")
    first = np.searchsorted(bodies.owner[by_owner], np.arange(len(bodies.radius) + 1))
    circles, edges, rows = [], [], []
    for row, share in zip(shown.rows, shown.shares):
        spheres = by_owner[first[row]:first[row + 1]]
        places = of.places(share + np.linalg.solve(of.cell, bodies.arms[spheres].T).T)
        for has_edge in (True, False) if len(spheres) > 1 else (True,):
            circles += [patches.Circle(place, of.factor * radius)
                        for place, radius in zip(places, bodies.sphere_radius[spheres])]
            edges += [colour(edge, 1.0 if has_edge else 0.0)] * len(spheres)
            rows += [row] * len(spheres)
    drawn = need("matplotlib.collections").PatchCollection(circles, edgecolor=edges or edge,
                                                           linewidth=1.0 if bodies.are_clumps else 0.5, **style)
    if values is not None:
        drawn.set_array(values[rows])
    return ax.add_collection(drawn)


def _prepare_axes(ax: Axes, of: Slice) -> None:
    """Equal scales, the outline of the window or cell, and the grains outside in pale grey."""
    outline = of.outline()
    margin = 0.55 * of.factor * of.diameter
    ax.plot(outline[:, 0], outline[:, 1], color="#222222", linewidth=1.1, linestyle=(0, (4, 3)), zorder=3)
    ax.set_xlim(outline[:, 0].min() - margin, outline[:, 0].max() + margin)
    ax.set_ylim(outline[:, 1].min() - margin, outline[:, 1].max() + margin)
    ax.set_aspect("equal")
    ax.grid(False)
    for name, set_label in zip(of.plane.names, (ax.set_xlabel, ax.set_ylabel)):
        set_label(f"${name}$  ({of.prefix}m)")


def _draw_chains(ax: Axes, of: Slice, end: StageEnd) -> None:
    """The width of a line is a share of a mean grain, in proportion to the force."""
    lines, forces, mean = chains_of(of, end.snapshot.spheres, end.snapshot.contacts)
    what = "force between two grains" if of.bodies.are_clumps else "normal force"
    over = forces / mean if mean > 0.0 else np.zeros(len(forces))
    ax.figure.canvas.draw()  # settles the layout, which has the size of a grain in points
    box, (low, high) = ax.get_window_extent(), ax.get_xlim()
    point = 72.0 / ax.figure.dpi * box.width / (high - low) * of.factor * of.diameter

    def width(times_mean: Any) -> Any:
        return np.clip(0.065 * times_mean * point, 0.25, 0.3 * point)

    collection = need("matplotlib.collections").LineCollection
    for colour, kept in (("#8fa3b8", over < 1.0), ("#7d1d1d", over >= 1.0)):
        ax.add_collection(collection(lines[kept], colors=colour, linewidths=width(over[kept]), capstyle="butt",
                                     zorder=2))
    factor, prefix = prefix_for(3.0 * mean)
    ax.plot([], [], color="#8fa3b8", linewidth=width(0.5), label=f"half the mean {what}")
    ax.plot([], [], color="#7d1d1d", linewidth=min(width(3.0), 12.0),
            label=f"3 times the mean, {3.0 * factor * mean:.3g} {prefix}N")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=1, borderaxespad=0.2)


def draw_grains(end: StageEnd, case_title: str) -> Figure:
    """The picture `grains-STAGE`. Left panel: mean stress of each grain of a slice. Right panel: force chains."""
    of = Slice(end.snapshot, end.plane)
    place = "" if of.is_whole else ", middle of the cell"
    figure = new_figure(end.title(case_title, f"slice of {of.factor * of.thickness:.3g} {of.prefix}m thickness{place}, "
                                  f"step {end.snapshot.step}"), WIDE)
    left, right = figure.subplots(1, 2)
    shown = grains_of(of)
    within, beyond = shown.only(shown.inside), shown.only(~shown.inside)
    mean = float(of.bodies.pressure.mean())
    factor, prefix = prefix_for(mean)
    for ax in (left, right):
        _prepare_axes(ax, of)
        _circles(ax, of, beyond, "#c8c8c8", facecolor="#f2f2f2")
    colours = need("matplotlib.colors").LinearSegmentedColormap.from_list("stress", _STRESSES)
    coloured = _circles(left, of, within, "#444444", factor * of.bodies.pressure, cmap=colours)
    coloured.set_clim(0.0, 3.0 * factor * mean if mean > 0.0 else 1.0)
    figure.colorbar(coloured, ax=left, label=f"mean stress of a grain  ({prefix}Pa)", pad=0.02, aspect=35)
    _circles(right, of, within, "#bbbbbb", facecolor="#e9e9e9")
    _draw_chains(right, of, end)
    return figure


# ---- Rose ------------------------------------------------------------------------------------------------------------

ROSE_BINS = 36
_ANISOTROPY_LEAST = 1e-6  # below, rounding errors determine the direction
_SECTOR_EDGE = 1e-6  # in sectors: a normal as near to an edge, as in lattices, counts half in both sectors


@dataclass(frozen=True)
class Rose:
    """A histogram of contact normals in a plane.

    A contact with the normal n counts, in the direction of the part of n that lies in the plane and in the opposite
    one, with the square of the length of that part (times a weight). So normals along the third axis, whose direction
    in the plane means nothing, do not count, and the curve of second order that fits the histogram,
    1 + a cos 2(θ - θa), follows from the fabric tensor F = <n n>: a cos 2θa = 2 (Fxx - Fzz)/(Fxx + Fzz),
    a sin 2θa = 4 Fxz/(Fxx + Fzz). The radius 1 is the isotropic distribution.

    Attributes:
        radius: of the sectors, anticlockwise; the first axis is in the middle of the first one. None: no contacts.
        anisotropy: a.
        direction: θa, degrees in [0, 180).
    """

    radius: Numbers | None = None
    anisotropy: float = 0.0
    direction: float = 0.0

    @staticmethod
    def of(normals: Numbers, weights: Numbers, plane: Plane) -> Rose:
        """The rose of contacts with these weights."""
        x, y = normals[:, plane.across], normals[:, plane.up]
        share = weights * (x * x + y * y)
        total = float(share.sum())
        if not total > 0.0:
            return Rose()
        position = np.arctan2(y, x) * (ROSE_BINS / (2.0 * np.pi)) + 0.5
        half = np.zeros(ROSE_BINS)
        for shift in (-_SECTOR_EDGE, _SECTOR_EDGE):
            sectors = np.floor(position + shift).astype(int) % ROSE_BINS
            half += 0.5 * np.bincount(sectors, share, ROSE_BINS)
        radius = np.asarray((half + np.roll(half, ROSE_BINS // 2)) * (0.5 * ROSE_BINS / total))
        cosine, sine = float((weights * (x * x - y * y)).sum()), float((weights * 2.0 * x * y).sum())
        anisotropy = 2.0 * float(np.hypot(cosine, sine)) / total
        direction = np.degrees(0.5 * np.arctan2(sine, cosine)) % 180.0
        return Rose(radius, anisotropy, 0.0 if anisotropy < _ANISOTROPY_LEAST else float(direction))

    @property
    def largest(self) -> float:
        """The largest radius to draw."""
        return max(1.0 + self.anisotropy, float(self.radius.max()) if self.radius is not None else 0.0)


def _web_step(largest: float) -> float:
    """The distance between circles of the web: at most five of them."""
    return 0.5 if largest <= 2.5 else 1.0 if largest <= 5.0 else float(np.ceil(0.2 * largest))


def _draw_web(ax: Axes, plane: Plane, largest: float) -> None:
    """Circles with their numbers, spokes every 30 degrees, names of the axes."""
    step, turn = _web_step(largest), np.linspace(0.0, 2.0 * np.pi, 181)
    for k in range(1, round(largest / step) + 1):
        r = step * k
        ax.plot(r * np.cos(turn), r * np.sin(turn), color="#cccccc", linewidth=0.8, zorder=0.5)
        ax.text(r * np.cos(np.pi / 12.0), r * np.sin(np.pi / 12.0), f"{r:g}", fontsize=9.5, color="#555555", zorder=4,
                va="bottom")
    for angle in np.arange(12) * np.pi / 6.0:
        ax.plot([0.0, largest * np.cos(angle)], [0.0, largest * np.sin(angle)], color="#dddddd", linewidth=0.6,
                zorder=0.5)
    for name, (x, y) in zip(plane.names, ((1.0, 0.0), (0.0, 1.0))):
        for sign, minus in ((1.0, ""), (-1.0, "−")):
            ax.text(1.07 * sign * largest * x, 1.07 * sign * largest * y, f"{minus}${name}$", ha="center", va="center")
    ax.set_xlim(-1.15 * largest, 1.15 * largest)
    ax.set_ylim(-1.15 * largest, 1.15 * largest)
    ax.set_aspect("equal")
    ax.axis("off")


def _draw_rose(ax: Axes, of: Rose, what: str) -> None:
    if of.radius is None:
        ax.text(0.0, 0.0, "no contacts", ha="center", va="center", color="#666666")
        return
    wedge, sector = need("matplotlib.patches").Wedge, 360.0 / ROSE_BINS
    wedges = [wedge((0.0, 0.0), r, sector * (k - 0.5), sector * (k + 0.5)) for k, r in enumerate(of.radius)]
    ax.add_collection(need("matplotlib.collections").PatchCollection(wedges, facecolor=_FILL, edgecolor=_BLUE,
                                                                     linewidth=0.6))
    turn = np.linspace(0.0, 2.0 * np.pi, 361)
    curve = 1.0 + of.anisotropy * np.cos(2.0 * (turn - np.radians(of.direction)))
    ax.fill([], [], facecolor=_FILL, edgecolor=_BLUE, linewidth=0.6, label=what)
    ax.plot(np.cos(turn), np.sin(turn), color="#444444", linewidth=1.3, linestyle=(0, (3, 2.5)), label="isotropic")
    ax.plot(curve * np.cos(turn), curve * np.sin(turn), color=_RED,
            label=f"1 + {of.anisotropy:.3f} cos 2(θ − {of.direction:.1f}°)")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=1, borderaxespad=0.2)


def draw_rose(end: StageEnd, case_title: str) -> Figure:
    """The picture `rose-STAGE`. Left panel: contacts. Right panel: contacts weighted by their normal forces."""
    contacts, plane = end.snapshot.contacts, end.plane
    roses = [Rose.of(contacts["normal"], weights, plane) for weights in (np.ones(len(contacts)), contacts["fn"])]
    most = max(of.largest for of in roses)
    largest = _web_step(most) * float(np.ceil(most / _web_step(most) - 1e-9))
    across, up = plane.names
    figure, *axes = two_panels(end.title(case_title, f"directions of {len(contacts)} contacts in the {across}–{up} "
                                         f"plane, step {end.snapshot.step}"))
    for ax, of, what in zip(axes, roses, ("contacts", "normal forces")):
        _draw_web(ax, plane, largest)
        _draw_rose(ax, of, what)
    return figure
