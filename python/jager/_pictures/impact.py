# SPDX-License-Identifier: MIT
"""The picture of `jager impact --plot`. Left panel: ψ₂ over ψ₁, with the line of impacts that slide all the time. Right
panel: the energy lost over ψ₁."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .style import LAW_MARKS, LAWS, two_panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FEW = 40  # curves of few points show them


def draw_impact(given: dict[str, Any]) -> Figure:
    """`given` is what the program sends: laws with points (ψ₁, ψ₂, share of the kinetic energy that is lost); χ, with
    which impacts slide all the time from ψ₁ = 4χ - 1 on, where ψ₂ = ψ₁ - 4χ."""
    figure, left, right = two_panels(given["title"])
    curves = {law["law"]: np.asarray(law["points"], dtype=np.float64).reshape(-1, 3) for law in given["laws"]}
    largest = max(float(points[:, 0].max(initial=0.0)) for points in curves.values()) or 1.0
    for k, (law, points) in enumerate(curves.items()):
        style = {**LAWS[k % len(LAWS)], "markersize": 4.5,
                 "marker": LAW_MARKS[k % len(LAW_MARKS)] if len(points) <= _FEW else ""}
        left.plot(points[:, 0], points[:, 1], label=law, **style)
        right.plot(points[:, 0], 100.0 * points[:, 2], **style)
    start = 4.0 * given["chi"] - 1.0
    if largest > start:
        left.plot([start, largest], [-1.0, largest - start - 1.0], color="#999999", linewidth=4.0, zorder=1.5,
                  linestyle=(0, (0.6, 0.9)), label=r"sliding: $\psi_1 - 4\chi$")
    left.legend(loc="upper left")
    left.set_ylabel(r"$\psi_2$")
    right.set_ylabel("energy lost (% of the kinetic energy)")
    for ax in (left, right):
        ax.set_xlim(0.0, 1.02 * largest)
        ax.set_xlabel(r"$\psi_1$")
        ax.axhline(0.0, color="#555555", linewidth=0.8, zorder=0.6)
    return figure
