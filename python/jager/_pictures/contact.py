# SPDX-License-Identifier: MIT
"""The pictures of `jager contact --plot`: one contact along a path, under one law or several.

The program sends points (ξ1, ξ2, Fn, Ft1, Ft2, length of the path of ξ, dissipated energy), in SI units.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .loading import Numbers
from .style import LAWS, legend_above, prefix_for, size_of, two_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

XI, FN, FT, WAY, LOST = slice(0, 2), 2, slice(3, 5), 5, 6  # columns of points
_NUMBERED_STEPS_MAX = 20
_PATH = {"color": "#2f87c9", "linewidth": 1.6}
_SECOND = {"color": "#8a4a00", "linewidth": 1.6, "linestyle": (0, (6, 4))}
_HISTORY = "#7a0c2e"
_SIDES = 16


def _points(given: list[list[float]]) -> Numbers:
    return np.asarray(given, dtype=np.float64).reshape(-1, 7)


def _title(given: dict[str, Any], more: str) -> str:
    name, steps = given["name"].rsplit("/", 1)[-1], given["steps"]
    return f"{name}: {more}f = {given['friction']:g}, {steps} step{'' if steps == 1 else 's'}"


def _with_margin(values: Numbers, share: float, unit: float) -> tuple[float, float]:
    """The range with a share of it as a margin; of equal values a tenth of their size, of zeros `unit`."""
    low, high = float(values.min()), float(values.max())
    margin = share * (high - low) if high > low else 0.1 * size_of(values) or unit
    return low - margin, high + margin


# ---- Numbers of steps ------------------------------------------------------------------------------------------------

def _cone_distance(ax: Axes, places: Numbers, slope: float) -> Numbers:
    """Distance of places, in shares of the panel, from the nearer of the two lines Ft = ±f Fn."""
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    steep, axis, start = slope * (right - left) / (high - low), -low / (high - low), -left / (right - left)
    return np.asarray(np.abs(np.abs(places[:, 1] - axis) - steep * (places[:, 0] - start)) / np.hypot(1.0, steep))


def _number_steps(ax: Axes, path: Numbers, ends: Numbers, slope: float | None) -> None:
    """Marks at the ends of steps; each number stands beside its mark, on the side with the most room."""
    low = np.array([ax.get_xlim()[0], ax.get_ylim()[0]])
    size = np.array([ax.get_xlim()[1], ax.get_ylim()[1]]) - low
    turn = np.linspace(0.0, 2.0 * np.pi, _SIDES, endpoint=False)
    around, drawn = 0.032 * np.column_stack([np.sin(turn), np.cos(turn)]), (path - low) / size
    ax.plot(ends[:, 0], ends[:, 1], color="#1d5f91", linestyle="", marker="o", markersize=4.0)
    for number, end in enumerate((ends - low) / size, start=1):
        places = end + around
        room = np.min(np.hypot(*(places[:, None] - drawn[None]).transpose(2, 0, 1)), axis=1)
        if slope is not None:
            room = np.minimum(room, _cone_distance(ax, places, slope))
        at = places[int(np.argmax(room))]
        ax.text(at[0], at[1], str(number), transform=ax.transAxes, ha="center", va="center", fontsize=9.5,
                color="#1d3f5f")


# ---- One law ---------------------------------------------------------------------------------------------------------

class _Figure:
    """The path with its units and components."""

    def __init__(self, given: dict[str, Any]) -> None:
        law = given["laws"][0]
        whole = 2.0 if given["is_whole"] else 1.0
        self.path, ends = _points(law["path"]), _points(law["ends"])
        self.has_numbers = given["steps"] <= _NUMBERED_STEPS_MAX
        xi, ft = [[size_of(self.path[:, of][:, k]) for k in (0, 1)] for of in (XI, FT)]
        self.main = int(ft[1] > ft[0]) if max(ft) > 0.0 else int(xi[1] > xi[0])
        self.has_two = ft[1 - self.main] > 0.0 or xi[1 - self.main] > 0.0
        factor, self.length_unit = prefix_for(whole * max(xi))
        self.factor, self.force_unit = prefix_for(max(size_of(self.path[:, FN]), *ft))
        for points in (self.path, ends):
            points[:, XI] *= whole * factor
            points[:, FN] *= self.factor
            points[:, FT] *= self.factor
        self.ends, self.letter, self.friction = ends, r"2\xi" if given["is_whole"] else r"\xi", given["friction"]

    def symbol(self, letter: str, index: str, component: int) -> str:
        """With the number of the component, which is left out where only the first one occurs."""
        number = str(component + 1) if self.has_two or component == 1 else ""
        return f"${letter}_{{{index}{number}}}$" if index + number else f"${letter}$"


def _draw_shear(ax: Axes, of: _Figure) -> None:
    components = (0, 1) if of.has_two else (of.main,)
    xi, ft = of.path[:, XI], of.path[:, FT]
    names = [(of.symbol(of.letter, "", k), of.symbol("F", "t", k)) for k in components]
    for (x, y), k, style in zip(names, components, (_PATH, _SECOND)):
        ax.plot(xi[:, k], ft[:, k], label=f"{y} over {x}", **style)
    ax.set_xlim(_with_margin(xi[:, components], 0.06, 1.0))
    ax.set_ylim(_with_margin(ft[:, components], 0.08, 1.0))
    ax.set_xlabel(f"{', '.join(x for x, _ in names)}  ({of.length_unit}m)")
    ax.set_ylabel(f"{', '.join(y for _, y in names)}  ({of.force_unit}N)")
    if of.has_numbers:
        k = components[0]
        _number_steps(ax, np.column_stack([xi[:, k], ft[:, k]]), of.ends[:, [k, 3 + k]], None)
    legend_above(ax)


def _draw_cone(ax: Axes, of: _Figure, history: Numbers) -> None:
    """The range shows the path, and of the friction limit as much as leaves the path large."""
    fn, ft = of.path[:, FN], of.path[:, FT][:, of.main]
    edge, size = _with_margin(np.append(fn, 0.0), 0.06, 1.0)[1], size_of(ft)
    cone = of.friction * float(fn.max(initial=0.0))
    shown = min(cone, 1.6 * size) if size > 0.0 else cone
    ax.set_xlim(0.0, edge)
    ax.set_ylim(_with_margin(np.append(ft, [shown, -shown]), 0.05, 1.0))
    ax.plot([edge, 0.0, edge], [of.friction * edge, 0.0, -of.friction * edge], color="#333333", linewidth=1.6,
            linestyle=(0, (1.2, 2.0)), label=r"$\pm f\,F_n$")
    ax.plot(fn, ft, label="path", **_PATH)
    if len(history) > 0:  # straight between its points: Ft = Σ p* ΔFn*
        steps = history[1:, 2 + of.main] * np.diff(history[:, 1])
        ax.plot(of.factor * history[:, 1], of.factor * np.concatenate(([0.0], np.cumsum(steps))), color=_HISTORY,
                linewidth=2.8, marker="o", markersize=6.5, markerfacecolor="white", markeredgewidth=1.6,
                label="equivalent history")
    ax.set_xlabel(f"$F_n$  ({of.force_unit}N)")
    ax.set_ylabel(f"{of.symbol('F', 't', of.main)}  ({of.force_unit}N)")
    if of.has_numbers:
        _number_steps(ax, np.column_stack([fn, ft]), of.ends[:, [FN, 3 + of.main]], of.friction)
    legend_above(ax)


def _draw_one(given: dict[str, Any]) -> Figure:
    of = _Figure(given)
    figure, left, right = two_panels(_title(given, f"model {given['laws'][0]['law']}, "))
    _draw_shear(left, of)
    _draw_cone(right, of, np.asarray(given["history"], dtype=np.float64).reshape(-1, 4))
    return figure


# ---- Several laws ----------------------------------------------------------------------------------------------------

def _draw_several(given: dict[str, Any]) -> Figure:
    """Left panel: tangential force over tangential displacement, of the component with the larger force. Right panel:
    energy dissipated over the length of the shear path; its legend has the energies at the end."""
    paths = {law["law"]: _points(law["path"]) for law in given["laws"]}
    every, whole = np.concatenate(list(paths.values())), 2.0 if given["is_whole"] else 1.0
    k = int(size_of(every[:, 4]) > size_of(every[:, 3]))
    xi, ft = size_of(every[:, k]), size_of(every[:, 3 + k])
    (x_factor, x_unit), (y_factor, y_unit) = prefix_for(whole * xi), prefix_for(ft)
    way_factor, way_unit = prefix_for(whole * size_of(every[:, WAY]))
    e_factor, e_unit = prefix_for(size_of(every[:, LOST]))
    figure, left, right = two_panels(_title(given, ""))
    for (law, path), style in zip(paths.items(), LAWS):
        left.plot(whole * x_factor * path[:, k], y_factor * path[:, 3 + k], label=law, **style)
        lost = path[-1, LOST] if abs(path[-1, LOST]) >= 1e-12 * xi * ft else 0.0  # less is rounding
        right.plot(whole * way_factor * path[:, WAY], e_factor * path[:, LOST],
                   label=f"{law}: {e_factor * lost:.4g} {e_unit}J", **style)
    left.set_xlabel(rf"{'shift 2' if given['is_whole'] else ''}$\xi_{k + 1}$  ({x_unit}m)")
    left.set_ylabel(f"$F_{{t{k + 1}}}$  ({y_unit}N)")
    right.set_xlabel(rf"length of the path of {'2' if given['is_whole'] else ''}$\xi$  ({way_unit}m)")
    right.set_ylabel(f"energy dissipated  ({e_unit}J)")
    right.set_xlim(left=0.0)
    right.axhline(0.0, color="#555555", linewidth=0.8, zorder=0.6)
    for ax in (left, right):
        legend_above(ax, 3)
    return figure


def draw_contact(given: dict[str, Any]) -> Figure:
    """The picture of a path. `given` is what the program sends: src/cli/contact_picture.c."""
    return _draw_one(given) if len(given["laws"]) == 1 else _draw_several(given)
