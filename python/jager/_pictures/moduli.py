# SPDX-License-Identifier: MIT
"""The picture of `jager moduli --plot`, in logarithmic axes. Left panel: G and K of each state over p, their fits, and
the affine values. Right panel: wave velocities."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .style import finite, legend_above, numbers_on_log_axis, two_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SHEAR, _BULK = "#2f87c9", "#7a0c2e"
_DASHES = (0, (6, 3))


def _set_log(ax: Axes, name: str, values: Any) -> None:
    """A logarithmic axis with some room at its ends. Values that are not positive cannot be drawn."""
    positive = finite([values], is_positive=True)
    if len(positive) == 0:
        return
    low, high = 0.8 * float(positive.min()), 1.25 * float(positive.max())
    axis = getattr(ax, f"{name}axis")
    getattr(ax, f"set_{name}scale")("log")
    getattr(ax, f"set_{name}lim")(low, high)
    numbers_on_log_axis(axis, low, high)


def draw_moduli(given: dict[str, Any]) -> Figure:
    """`given` is what the program sends: points (p, G, K, affine G, affine K, Vp, Vs) in SI units, and the fits
    factor · p^exponent of G and K, if there are some."""
    points = np.asarray(given["points"], dtype=np.float64).reshape(-1, 7)
    p, moduli = 1e-3 * points[:, 0], 1e-6 * points[:, 1:5]
    figure, left, right = two_panels("")
    for (letter, fit), colour, line in zip((given["fits"] or {}).items(), (_SHEAR, _BULK), ("-", _DASHES)):
        at = np.geomspace(0.8 * p.min(), 1.25 * p.max(), 50)
        left.plot(at, 1e-6 * fit["factor"] * (1e3 * at)**fit["exponent"], color=colour, linewidth=1.3, linestyle=line,
                  label=f"${letter} \\propto p^{{{fit['exponent']:.3f}}}$")
    for k, (label, colour, mark, face) in enumerate((("$G$", _SHEAR, "o", _SHEAR), ("$K$", _BULK, "s", _BULK),
                                                     ("$G$, affine", _SHEAR, "o", "none"),
                                                     ("$K$, affine", _BULK, "s", "none"))):
        left.plot(p, moduli[:, k], color=colour, linestyle="", marker=mark, markerfacecolor=face, markersize=7.0,
                  label=label)
    right.plot(p, points[:, 5], color=_BULK, linewidth=1.3, linestyle=_DASHES, marker="s", markersize=7.0,
               label="$V_p$")
    right.plot(p, points[:, 6], color=_SHEAR, linewidth=1.3, marker="o", markersize=7.0, label="$V_s$")
    for ax, values, label in ((left, moduli, "modulus  (MPa)"), (right, points[:, 5:], "velocity  (m/s)")):
        _set_log(ax, "x", p)
        _set_log(ax, "y", values)
        ax.set_xlabel("$p$  (kPa)")
        ax.set_ylabel(label)
        legend_above(ax, 2)
    return figure
