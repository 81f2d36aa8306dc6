# SPDX-License-Identifier: MIT
"""The pictures of a run's series. A new picture is a function that chooses its two panels, and a row in the table."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .._errors import RunError
from .._run_compare import keys_of
from .._runs import Run
from . import quantities as q
from .loading import ISOTROPIC, NORMAL, SHEAR, STILL, Loading, Numbers, find_loading
from .quantities import Quantity, Source
from .style import (CURVES, CYCLE_COLOURS, decades, finite, legend_above, nothing_to_show, size_of, two_panels,
                    with_margin)
from .._run_files import need

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_POINTS_MAX, _LOOP_POINTS_MAX = 4000, 20000
_TONES = 120  # of a line that is coloured by its cycles


@dataclass(frozen=True)
class Panel:
    """Curves of up to six quantities over another one. `label` names the axis if there are several curves."""

    x: Quantity
    ys: tuple[Quantity, ...]
    label: str = ""
    is_log: bool = False


# ---- Which quantities a picture shows --------------------------------------------------------------------------------

_HISTORY_MEAN = q.column("history_mean", "points", "mean length of the histories")
_HISTORY_MAX = q.column("history_max", "points", "length of the longest history")
_ENERGIES = (
    q.energy("work", "work done on the assembly", is_sum=True),
    q.energy("dissipated_friction", "dissipated by friction", is_sum=True),
    q.energy("dissipated_damping", "dissipated by damping", is_sum=True),
    q.energy("stored_normal", "stored by normal forces", is_sum=False),
    q.energy("stored_tangential", "stored by shear forces", is_sum=False),
    q.energy("kinetic", "kinetic", is_sum=False),
)


def _across(of: Loading) -> Quantity:
    """The horizontal axis of panels without stresses: the strain; if it reverses the number of cycles, or time steps
    where the stages are not cyclic; time steps if no strain is driven."""
    if of.counts_cycles:
        return q.CYCLES
    return q.strain(of) if of.kind in (NORMAL, SHEAR) and not of.is_cyclic else q.STEPS


def _stress_strain(of: Loading) -> tuple[Panel, Panel]:
    strain, deviator = q.strain(of), q.deviator(of)
    if of.kind == STILL:
        return Panel(q.STEPS, (q.MEAN_STRESS, deviator), "stress"), Panel(q.STEPS, (q.VOID_RATIO,))
    if of.kind == ISOTROPIC:
        return Panel(strain, (q.MEAN_STRESS,)), Panel(q.MEAN_STRESS, (q.VOID_RATIO,))
    if of.is_cyclic:
        return Panel(strain, (deviator,)), Panel(q.MEAN_STRESS, (deviator,))
    driven = () if of.kind == SHEAR else (q.column(f"stress_{of.component}", "Pa"),)
    return Panel(strain, (deviator, q.MEAN_STRESS, *driven), "stress"), Panel(strain, (q.stress_ratio(of),))


def _volumetric_strain(of: Loading) -> tuple[Panel, Panel]:
    """At constant volume the volumetric strain is zero. Instead the panels show the stress path, unless the picture
    stress-strain does, and the pore pressure ratio of an undrained test."""
    across = _across(of)
    if not of.is_at_constant_volume:
        return Panel(across, (q.VOLUMETRIC_STRAIN,)), Panel(across, (q.VOID_RATIO,))
    first = Panel(across, (q.MEAN_STRESS,)) if of.is_cyclic else Panel(q.MEAN_STRESS, (q.deviator(of),))
    return first, Panel(across, (q.PORE_PRESSURE,))


def _history_length(of: Loading) -> tuple[Panel, Panel]:
    return Panel(_across(of), (_HISTORY_MEAN,)), Panel(_across(of), (_HISTORY_MAX,))


def _energy(of: Loading) -> tuple[Panel, Panel]:
    return Panel(_across(of), _ENERGIES, "energy"), Panel(_across(of), (q.ENERGY_ERROR,), is_log=True)


PICTURES: dict[str, Callable[[Loading], tuple[Panel, Panel]]] = {
    "stress-strain": _stress_strain,
    "volumetric-strain": _volumetric_strain,
    "history-length": _history_length,
    "energy": _energy,
}


# ---- Drawing ---------------------------------------------------------------------------------------------------------

def title_of(run: Run, of: Loading, case_title: str) -> str:
    """"Title: stage 2 (shear) of 2" or "Title: stages 2 (load) to 3 (unload) of 3": omitted stages are noticed."""
    def name(stage: int) -> str:
        return f"{stage} ({run.stages[stage]})" if stage < len(run.stages) else str(stage)

    stages = f"stage {name(of.first_stage)}"
    if of.last_stage > of.first_stage:
        stages = f"stages {name(of.first_stage)} to {name(of.last_stage)}"
    if of.last_stage > 0:
        stages += f" of {len(run.stages) - 1}"
    return f"{case_title}: {stages}" if case_title else stages


def source_of(run: Run) -> Source:
    """The rows of the series that are shown; the first is the last one before the first stage, if there is one."""
    series = run.series
    if len(series) < 2:
        raise RunError("the series has fewer than two rows")
    loading = find_loading(series, run.case_keys)
    return Source(run, keys_of(run), series[loading.rows], loading)


def _label(source: Source, name: str, unit: str, is_since_start: bool) -> str:
    """The name, from when it counts, and the unit. If the run has packing only, it starts with the run."""
    first = source.loading.first_stage
    since = f" since the start of {f'stage {first}' if first > 0 else 'the run'}" if is_since_start else ""
    return f"{name}{since}" + (f"  ({unit})" if unit else "")


def is_loop(source: Source, panel: Panel) -> bool:
    """Loops lie close to each other: they are thin and, if cycles are counted, coloured by cycle."""
    return source.loading.is_cyclic and panel.x not in (q.STEPS, q.CYCLES)


def _kept(count: int, most: int) -> Numbers:
    """Numbers of about so many rows at most, evenly spaced, and always the last one."""
    rows = np.arange(0, count, count // most + 1)
    return rows if rows[-1] == count - 1 else np.append(rows, count - 1)


def draw_loops(ax: Axes, x: Numbers, y: Numbers, cycles: Numbers, width: float) -> None:
    """A line that is coloured by its cycles. Neighbours of one tone are one piece, which keeps files small."""
    most = float(np.nanmax(cycles, initial=0.0)) or 1.0
    middle = np.nan_to_num(0.5 * (cycles[:-1] + cycles[1:]))
    tones = np.minimum((middle / most * _TONES).astype(int), _TONES - 1)
    starts = [0, *(np.flatnonzero(np.diff(tones)) + 1).tolist()]
    ends = [*starts[1:], len(tones)]
    pieces = [np.column_stack([x[a:b + 1], y[a:b + 1]]) for a, b in zip(starts, ends)]
    colours = need("matplotlib.colors").LinearSegmentedColormap.from_list("cycles", CYCLE_COLOURS)
    line = need("matplotlib.collections").LineCollection(pieces, cmap=colours, linewidths=width, capstyle="round")
    line.set_array((tones[starts] + 0.5) * most / _TONES)
    line.set_clim(0.0, most)
    ax.add_collection(line)
    ax.autoscale_view()


def _draw_panel(ax: Axes, panel: Panel, source: Source) -> None:
    x, ys = panel.x.values(source), [of.values(source) for of in panel.ys]
    shown_x, shown_y = finite([x]), finite(ys, panel.is_log)
    is_empty = len(shown_x) == 0 or len(shown_y) == 0
    if panel.x is q.MEAN_STRESS:  # stress paths show the origin, lengths of histories zero
        shown_x = np.append(shown_x, 0.0)
    if panel.ys[0] in (_HISTORY_MEAN, _HISTORY_MAX):
        shown_y = np.append(shown_y, 0.0)
    x_factor, x_unit = q.scale(panel.x.unit, size_of(shown_x))
    y_factor, y_unit = q.scale(panel.ys[0].unit, size_of(shown_y))
    ax.set_xlabel(_label(source, panel.x.label, x_unit, panel.x.is_since_start))
    name, is_since_start = panel.label or panel.ys[0].label, panel.ys[0].is_since_start
    ax.set_ylabel(_label(source, name, y_unit, is_since_start))
    ax.set_xlim(with_margin(x_factor * shown_x, 0.03, 1.0))
    if panel.is_log:
        ax.set_yscale("log")
        ax.set_ylim(decades(y_factor * shown_y, (0.1, 1.0)))
    else:
        ax.set_ylim(with_margin(y_factor * shown_y, 0.06, 1.0))
        ax.axhline(0.0, color="#888888", linewidth=0.8, zorder=0.6)
    if is_empty:
        nothing_to_show(ax)
        return
    has_colours = is_loop(source, panel) and source.loading.counts_cycles
    rows = _kept(len(x), _LOOP_POINTS_MAX if has_colours else _POINTS_MAX)
    for k, (quantity, y) in enumerate(zip(panel.ys, ys)):
        if has_colours:
            draw_loops(ax, x_factor * x[rows], y_factor * y[rows], q.CYCLES.values(source)[rows], 1.4)
        else:
            thin = {"linewidth": 1.1, "color": CURVES[0]["color"]} if is_loop(source, panel) else CURVES[k]
            shown = np.where(y[rows] > 0.0, y[rows], np.nan) if panel.is_log else y[rows]
            ax.plot(x_factor * x[rows], y_factor * shown, label=quantity.label if len(ys) > 1 else None, **thin)
    legend_above(ax, 1 if len(ys) <= 3 else 3)


def draw_series(name: str, source: Source, title: str) -> Figure:
    """One of PICTURES. The title comes from the case."""
    panels = PICTURES[name](source.loading)
    figure, *axes = two_panels(title_of(source.run, source.loading, title))
    for ax, panel in zip(axes, panels):
        _draw_panel(ax, panel, source)
    if axes[-1].collections:
        figure.colorbar(axes[-1].collections[0], ax=axes[-1], label="cycle", pad=0.03, aspect=40)
    return figure
