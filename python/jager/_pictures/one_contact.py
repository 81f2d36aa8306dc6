# SPDX-License-Identifier: MIT
"""Pictures of one contact."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._library import Floats

if TYPE_CHECKING:
    from .._contact import Contact
    from .._path import Path

COLOURS = ("#1f5fa8", "#d06a00", "#1a1a1a", "#2e8b57", "#8a5fbf")  # of paths in the same axes
INK, BLUE, ORANGE, GREY = "#1a1a1a", "#1f5fa8", "#d06a00", "#8a8a8a"


def axes(ax: Any) -> Any:
    """The axes given, or new ones."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as missing:
        raise ImportError("matplotlib is needed: apt install python3-matplotlib, or pip install matplotlib"
                          ) from missing
    return pyplot.subplots(figsize=(5.2, 3.9), constrained_layout=True)[1]


def _scale(largest: float, unit: str) -> tuple[float, str]:
    """A factor and a unit with which numbers up to `largest` are easy to read."""
    prefixes = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
    for factor, prefix in prefixes:
        if largest >= factor:
            return 1.0 / factor, prefix + unit
    return 1.0, unit


def _largest(values: Floats) -> float:
    finite = np.abs(values[np.isfinite(values)])
    return float(finite.max()) if finite.size else 0.0


def plot_path(path: Path, ax: Any = None, **style: Any) -> Any:
    """Tangential force over the shift, of the larger of the two components."""
    at = axes(ax)
    k = int(_largest(path.xi[:, 1]) > _largest(path.xi[:, 0]))
    x_scale, x_unit = _scale(_largest(path.xi[:, k]), "m")
    y_scale, y_unit = _scale(_largest(path.ft[:, k]), "N")
    if not at.lines:
        at.axhline(0.0, color=GREY, linewidth=0.6)
    usual: dict[str, Any] = {"linewidth": 1.2, "color": COLOURS[(len(at.lines) - 1) % len(COLOURS)]}
    at.plot(x_scale * path.xi[:, k], y_scale * path.ft[:, k], **{**usual, **style})
    if "label" in style:
        at.legend(frameon=False, fontsize="small")
    at.set_xlabel(f"half-shift ξ ({x_unit})")
    at.set_ylabel(f"tangential force Ft ({y_unit})")
    return at


def plot_cone(contact: Contact, ax: Any = None, **style: Any) -> Any:
    """The friction cone |Ft| = f Fn and the equivalent history, along the direction of the larger force."""
    at = axes(ax)
    points = contact.history
    ft = np.concatenate([np.zeros((1, 2)), np.cumsum(points["p"][1:] * np.diff(points["fn"])[:, None], axis=0)])
    k = int(_largest(ft[:, 1]) > _largest(ft[:, 0]))
    scale, unit = _scale(_largest(points["fn"]), "N")
    edge = 1.08 * scale * _largest(points["fn"])
    friction = contact.law.friction
    at.fill_between([0.0, edge], [0.0, -friction * edge], [0.0, friction * edge], color="#efefef", linewidth=0)
    for sign in (-1.0, 1.0):
        at.plot([0.0, edge], [0.0, sign * friction * edge], color=GREY, linewidth=1.0, linestyle="--")
    usual: dict[str, Any] = {"color": BLUE, "linewidth": 1.4, "marker": "o", "markersize": 3.5,
             "label": f"history, {len(points)} points"}
    at.plot(scale * points["fn"], scale * ft[:, k], **{**usual, **style})
    at.plot(scale * points["fn"][-1:], scale * ft[-1:, k], color=ORANGE, marker="D", markersize=6, linestyle="none",
            label="now")
    at.set_xlabel(f"normal force Fn ({unit})")
    at.set_ylabel(f"tangential force Ft ({unit})")
    at.legend(frameon=False, fontsize="small")
    return at


def plot_tractions(contact: Contact, ax: Any = None) -> Any:
    """Pressure times friction, and shear traction, over the distance from the centre."""
    at = axes(ax)
    r, pressure, shear = contact.tractions()
    keep = np.isfinite(pressure)
    r, limit, shear = r[keep], contact.law.friction * pressure[keep], shear[keep]
    k = int(_largest(shear[:, 1]) > _largest(shear[:, 0]))
    x_scale, x_unit = _scale(_largest(r), "m")
    y_scale, y_unit = _scale(_largest(limit), "Pa")
    for sign in (-1.0, 1.0):
        at.plot(x_scale * r, sign * y_scale * limit, color=GREY, linewidth=1.0, linestyle="--",
                label="friction × pressure" if sign > 0.0 else None)
    at.plot(x_scale * r, y_scale * shear[:, k], color=BLUE, linewidth=1.4, label="shear traction")
    at.axvline(x_scale * contact.radii.stick, color=ORANGE, linewidth=1.0, linestyle=":",
               label="edge of the stuck core")
    at.set_xlabel(f"distance from the centre ({x_unit})")
    at.set_ylabel(f"traction ({y_unit})")
    at.legend(frameon=False, fontsize="small", loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=3, columnspacing=1.0)
    return at
