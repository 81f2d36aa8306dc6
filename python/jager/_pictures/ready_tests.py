# SPDX-License-Identifier: MIT
"""The pictures of ready tests, `reduction` and `resistance`: what `jager.plot` draws of such a run, with a title."""
from __future__ import annotations

from typing import TYPE_CHECKING

from .._runs import Run
from .plot import draw_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _axial_strain(run: Run) -> str:
    """Of cycles of q, 1.5 times the axial strain stands for γ."""
    ratios = [member for of in (run, *run.members.values()) for name, member in of.members.items() if "csr" in name]
    is_triaxial = any(run.case_keys.get("stages.0.cyclic.of") == "q" for run in ratios[:1])
    return r"1.5 $\varepsilon_{zz}$ = " if is_triaxial else ""


def draw_ready_test(run: Run, name: str, title: str) -> Figure | None:
    """None if the run has no table of this name, or one without rows. The title comes from the case."""
    table = getattr(run, name)
    if table is None or len(table) == 0:
        return None
    text = "modulus reduction and damping" if name == "reduction" else "liquefaction resistance"
    if name == "resistance" and abs(table["static_stress_ratio"][0]) >= 0.005:  # more than what a packing has left
        text += f", static stress ratio {table['static_stress_ratio'][0]:.3g}"
    figure = draw_table(run, name, f"{title}: {text}" if title else text)
    if name == "resistance":
        figure.axes[0].set_xlabel(rf"cycles to $r_u$ = 0.95, or to $\gamma$ = {_axial_strain(run)}3.75 %")
    return figure
