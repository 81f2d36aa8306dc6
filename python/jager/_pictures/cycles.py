# SPDX-License-Identifier: MIT
"""The picture of a run's cycles: of the last stages that cycle in the same way."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .._run_files import Table
from .._runs import Run
from .loading import COMPONENTS, Numbers, keeps_volume
from .quantities import scale
from .style import CURVES, TALL, finite, legend_above, new_figure, nothing_to_show, size_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKS = ("o", "s", "^")
_FEW = 60  # cycles that are shown as points, which can still be told apart


@dataclass(frozen=True)
class _Kind:
    """What stages that are drawn together have in common."""

    modulus: str  # "G", "E" or "K"
    component: str
    keeps_volume: bool


@dataclass(frozen=True)
class _Panel:
    label: str
    unit: str
    curves: dict[str, str]  # columns and their names in the legend
    has_zero: bool = True  # the vertical axis contains 0


# ---- What is shown ---------------------------------------------------------------------------------------------------

def _kind(keys: dict[str, str], stage: int) -> _Kind:
    """Cycles of p give K, of a shear component G, others E. q is along zz. Without `of` the cycles follow waves."""
    start = f"stages.{stage - 1}."
    of = keys.get(start + "cyclic.of", "")
    waves = [name for name in COMPONENTS for how in ("strain", "stress") if f"{start}control.{name}.path_{how}" in keys]
    component = next((name for name in COMPONENTS if of.endswith("_" + name)), waves[0] if waves else "zz")
    modulus = "K" if of == "p" else "G" if component in COMPONENTS[3:] else "E"
    return _Kind(modulus, component, keeps_volume(keys, stage))


def _shown_rows(table: Table, keys: dict[str, str]) -> tuple[Table, _Kind]:
    kinds = {stage: _kind(keys, int(stage)) for stage in np.unique(table["stage"])}
    last = kinds[table["stage"][-1]]
    others = np.flatnonzero([kinds[stage] != last for stage in table["stage"]])
    return table[others[-1] + 1 if len(others) > 0 else 0:], last


def _panels(of: _Kind) -> list[_Panel]:
    state = _Panel("void ratio $e$", "", {"void_ratio": ""}, has_zero=False)
    if of.keeps_volume:
        state = _Panel("pore pressure ratio $r_u$", "", {"r_u_max": "largest in the cycle", "r_u_end": "at its end"})
    strain = {"K": r"volumetric strain $\varepsilon_v$", "G": rf"shear strain $\gamma_{{{of.component}}}$",
              "E": rf"strain $\varepsilon_{{{of.component}}}$"}[of.modulus]
    column = {"G": "shear_modulus", "E": "young_modulus", "K": "bulk_modulus"}[of.modulus]
    return [state,
            _Panel(strain, "strain", {"strain_double": "double amplitude", "strain_single": "single amplitude"}),
            _Panel(f"secant modulus ${of.modulus}$", "Pa", {column: ""}),
            _Panel("damping ratio $D$", "%", {"damping_ratio": "of the loop", "damping_ratio_friction": "friction",
                                              "damping_ratio_numerical": "numerical"})]


def _cycles_before(rows: Table) -> Numbers:
    """Of each row, the cycles of the stages before it."""
    ends = np.diff(rows["stage"]) > 0
    return np.concatenate(([0.0], np.cumsum(np.where(ends, rows["cycle"][:-1], 0.0))))


def _is_drawn(rows: Table, panel: _Panel) -> npt.NDArray[np.bool_]:
    """A cycle that was cut off may lack its largest strains: drawn if they exceed the cycle before."""
    if panel.unit != "strain":
        return np.ones(len(rows), dtype=bool)
    rises = np.diff(rows["strain_double"], prepend=-np.inf) > 0.0
    return np.asarray(rises | (rows["cycle"] == np.floor(rows["cycle"])))


# ---- Drawing ---------------------------------------------------------------------------------------------------------

def _draw_panel(ax: Axes, panel: _Panel, rows: Table, most: float) -> None:
    values = finite([rows[name] for name in panel.curves])
    factor, unit = (100.0, "%") if panel.unit == "%" else scale(panel.unit, size_of(values))
    ax.set_xlabel("number of cycles $N$")
    ax.set_ylabel(panel.label + (f"  ({unit})" if unit else ""))
    ax.set_xlim(0.0, 1.03 * most)
    if len(values) == 0:
        ax.set_ylim(0.0, 1.0)
        nothing_to_show(ax)
        return
    low, high = float(values.min()), float(values.max())
    if panel.has_zero:  # pore pressure ratios are shown up to 1
        low, high = min(low, 0.0), max(high, 0.0 if panel.unit else 1.0)
    margin = max(0.06 * (high - low), 1e-3 * max(abs(low), abs(high))) or 1.0
    ax.set_ylim(factor * (0.0 if panel.has_zero and low == 0.0 else low - margin), factor * (high + margin))
    number, kept = _cycles_before(rows) + rows["cycle"], _is_drawn(rows, panel)
    for k, (name, label) in enumerate(panel.curves.items()):
        for i, stage in enumerate(np.unique(rows["stage"])):
            of = kept & (rows["stage"] == stage)
            ax.plot(number[of], factor * rows[name][of], label=label if label and i == 0 else None, markersize=5.0,
                    marker=_MARKS[k] if len(rows) <= _FEW else "", **CURVES[k])
    legend_above(ax)


def draw_cycles(run: Run, title: str) -> Figure | None:
    """The picture `cycles`; None if the run has no cycles. The title comes from the case."""
    table = run.cycles
    if table is None or len(table) == 0:
        return None
    rows, kind = _shown_rows(table, run.case_keys)
    first, last = int(rows["stage"][0]), int(rows["stage"][-1])
    name = f" ({run.stages[last]})" if last < len(run.stages) else ""
    text = f"cycles of stages {first} to {last}" if first < last else f"cycles of stage {last}{name}"
    figure = new_figure(f"{title}: {text}" if title else text, TALL)
    most = float(_cycles_before(rows)[-1] + rows["cycle"][-1]) or 1.0
    for ax, panel in zip(np.ravel(figure.subplots(2, 2)), _panels(kind)):
        _draw_panel(ax, panel, rows, most)
    return figure
