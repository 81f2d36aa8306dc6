# SPDX-License-Identifier: MIT
"""Pictures of runs, alone and together, to the standard of a journal."""
from __future__ import annotations

import difflib
import functools
import glob
import importlib
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from .._errors import RunError
from .._run_compare import SEED, keys_of, labels_of, without_seed
from .._run_files import DOUBTS, Table, need, optional_column
from .._runs import Run
from .._runs import open as open_run
from . import quantities as q
from .loading import ISOTROPIC, STILL, Loading, Numbers, find_loading
from .quantities import Quantity, Source
from .series import draw_loops
from .style import ENDINGS, STYLE, decades, finite, picture_bytes, plain, size_of, write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RunLike = Union[Run, str, "os.PathLike[str]", Iterable[Any]]

# Dark and light tones alternate, so that neighbours differ in grey print, too; line styles and points differ as well.
_COLOURS = ("#15396b", "#d9772b", "#2c7a4b", "#b03a5b", "#7a4fa3", "#8a8f98")
_LINES: tuple[Any, ...] = ("-", (0, (5, 1.6)), (0, (1, 1.2)), (0, (6, 1.5, 1, 1.5)), (0, (3, 1.2, 1, 1.2, 1, 1.2)),
                           (0, (9, 2)))
_POINTS = ("o", "s", "^", "D", "v", "P")
_STYLE: dict[str, Any] = {
    "font.size": 9.0, "axes.labelsize": 9.0, "axes.titlesize": 9.0, "legend.fontsize": 8.0, "xtick.labelsize": 8.0,
    "ytick.labelsize": 8.0, "axes.linewidth": 0.7, "lines.linewidth": 1.3, "lines.markersize": 4.0,
    "xtick.direction": "in", "ytick.direction": "in", "xtick.top": True, "ytick.right": True,
    "xtick.minor.visible": True, "ytick.minor.visible": True, "legend.frameon": False, "mathtext.fontset": "dejavusans",
    "pdf.fonttype": 42, "axes.formatter.use_mathtext": True, "axes.formatter.limits": (-4, 5),
    "legend.handlelength": 2.6, "savefig.dpi": 300,
}


@dataclass(frozen=True)
class Look:
    """Sizes of a figure: of its texts, of a panel in inches, and its resolution on the screen."""

    style: Mapping[str, Any]
    panel: tuple[float, float]
    dpi: int
    letter: float = 1.0  # width, relative to JOURNAL
    title: str = ""


JOURNAL = Look(_STYLE, (3.45, 2.75), 120)
SCREEN = Look(STYLE, (6.5, 5.5), 100, 1.35)  # as the other pictures of a run
_LEGEND_LINE, _LETTER, _HANDLE = 0.175, 0.066, 0.62  # in: height of a line, widths of a letter and of a handle
_BAND_LABEL = "band: ±1 standard deviation"
_DOUBT_MARKS: dict[float, dict[str, Any]] = {
    doubt: {"color": "#c00000", "linestyle": "", "marker": marker, "markersize": 8.0}
    for doubt, marker in zip(DOUBTS, "x+")}


# ---- What is drawn ---------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class _Panel:
    """Axes with one quantity over another; `style` is "line", "loop", "points" or "resistance"."""

    x: Quantity
    y: Quantity
    style: str = "line"
    is_log_x: bool = False
    is_log_y: bool = False
    starts_at_zero: bool = False


@dataclass
class _Group:
    """Sources of one case with different seeds; most often one."""

    sources: list[Source]
    label: str = ""
    colour: str = _COLOURS[0]
    line: Any = "-"
    point: str = "o"


# ---- Runs ------------------------------------------------------------------------------------------------------------

def _from_text(text: str) -> list[Run]:
    if not Path(text).expanduser().exists() and glob.has_magic(text):
        found = [place for place in sorted(glob.glob(os.path.expanduser(text))) if Path(place).is_dir()]
        if not found:
            raise RunError(f"{text}: no directory has such a name")
        return [open_run(place) for place in found]
    return [open_run(text)]


def _all_runs(runs: Iterable[RunLike]) -> list[Run]:
    found: list[Run] = []
    for run in runs:
        if isinstance(run, Run):
            found.append(run)
        elif isinstance(run, (str, os.PathLike)):
            found += _from_text(os.fspath(run))
        elif isinstance(run, Iterable):
            found += _all_runs(run)
        else:
            raise TypeError(f"a run is a directory or a Run, not {type(run).__name__}")
    return list({run.path.resolve(): run for run in reversed(found)}.values())[::-1]


def _leaves(run: Run) -> list[Run]:
    """The runs whose series are results: for a list its members, and their members."""
    return [leaf for member in run.members.values() for leaf in _leaves(member)] if run.members else [run]


def _with_series(runs: Iterable[Run]) -> list[Run]:
    return [leaf for run in runs for leaf in ([run] if run.has_series else _leaves(run))]


# ---- Sources ---------------------------------------------------------------------------------------------------------

Stages = Union[None, str, int, Sequence[Union[str, int]]]


def _stage_number(run: Run, stage: str | int) -> int:
    if isinstance(stage, int) and 0 <= stage < len(run.stages):
        return stage
    if stage in run.stages:
        return run.stages.index(str(stage))
    raise RunError(f"{run.path}: has no stage {stage!r}; its stages are {', '.join(run.stages)}")


def _series_source(run: Run, stages: Stages, has_row_before: bool = True) -> Source:
    """The rows of the stages to show; with the row before them, from which strains count, unless columns are shown."""
    series = run.series
    if len(series) < 2:
        raise RunError(f"{run.path}: the series has fewer than two lines: there is nothing to draw yet")
    try:
        keys = run.case_keys
    except RunError:
        keys = {}
    loading = find_loading(series, keys)
    if stages == "all":
        loading = replace(loading, rows=slice(0, len(series)))
    rows = series[loading.rows]
    if stages is None and not has_row_before:
        rows = rows[rows["stage"] >= loading.first_stage]
    if stages is not None and stages != "all":
        wanted = [stages] if isinstance(stages, (str, int)) else list(stages)
        rows = series[np.isin(series["stage"], [_stage_number(run, stage) for stage in wanted])]
        if len(rows) == 0:
            raise RunError(f"{run.path}: has no lines of the stages {wanted} yet")
    return Source(run, keys_of(run), rows, loading)


def _table_sources(run: Run, name: str) -> list[Source]:
    """A source for each model, and each test, of a table other than the series."""
    table: Table | None = getattr(run, name)
    if table is None:
        if run.members:
            return [source for member in run.members.values() for source in _table_sources(member, name)]
        raise RunError(f"{run.path}: has no {name}.csv")
    if name == "cycles":
        return [Source(run, keys_of(run), table, Loading())]
    labels = [(str(row["model"]), row["test"] if name == "reduction" else 1.0) for row in table]
    sources = []
    for model, test in dict.fromkeys(labels):
        keys = {**keys_of(run.members.get(model, run)), "contact.model": model}
        if len({number for _, number in labels}) > 1:
            keys["test"] = f"{test:g}"
        rows = table[[label == (model, test) for label in labels]]
        sources.append(Source(run, keys, rows, Loading()))
    return sources


# ---- Which panels ----------------------------------------------------------------------------------------------------

def _series_panels(sources: Sequence[Source]) -> list[_Panel]:
    """As the program's picture `stress-strain`; several cyclic runs over cycles, as loops would cover each other."""
    first = sources[0]
    of = first.loading
    strain, stress = q.strain(of), q.deviator(of)
    if of.kind == STILL:
        return [_Panel(q.STEPS, q.MEAN_STRESS), _Panel(q.STEPS, q.VOID_RATIO)]
    if of.kind == ISOTROPIC and not of.is_cyclic:
        return [_Panel(strain, q.MEAN_STRESS), _Panel(q.MEAN_STRESS, q.VOID_RATIO, is_log_x=True)]
    if of.is_cyclic and len(sources) == 1:
        return [_Panel(strain, stress, "loop"), _Panel(q.MEAN_STRESS, stress, "loop", starts_at_zero=True)]
    if of.is_cyclic:
        across = q.CYCLES if of.counts_cycles else q.STEPS
        return [_Panel(across, q.PORE_PRESSURE if of.is_at_constant_volume else q.VOID_RATIO), _Panel(across, strain)]
    second = _Panel(strain, q.VOLUMETRIC_STRAIN)
    if of.is_at_constant_volume:
        second = _Panel(q.MEAN_STRESS, stress, starts_at_zero=True)
    return [_Panel(strain, stress), second]


def _check_alike(sources: Sequence[Source]) -> None:
    def kind(source: Source) -> tuple[str, str, bool]:
        return source.loading.kind, source.loading.component, source.loading.is_cyclic

    for source in sources:
        if kind(source) != kind(sources[0]):
            raise RunError(f"{sources[0].run.path} and {source.run.path} are tests of different kinds: give x and y, "
                           "columns of the series, to draw them together")


_REDUCTION = (
    _Panel(q.column("gamma", "", r"shear strain amplitude $\gamma$"), q.column("modulus_ratio", "", r"$G\,/\,G_{max}$"),
           "points", is_log_x=True),
    _Panel(q.column("gamma", "", r"shear strain amplitude $\gamma$"), q.column("damping_ratio", "strain"), "points",
           is_log_x=True, is_log_y=True),
)
_RESISTANCE = (
    _Panel(q.column("cycles", "", "cycles to liquefaction $N$"), q.column("csr", ""), "resistance", is_log_x=True),
    _Panel(q.column("csr", ""), q.column("r_u_max", "", "largest pore pressure ratio $r_u$"), "points",
           starts_at_zero=True),
)
_READY_TESTS = {"resistance": _RESISTANCE, "reduction": _REDUCTION}


def _default(runs: Sequence[Run], stages: Stages) -> tuple[list[Source], list[_Panel]]:
    for name, panels in _READY_TESTS.items():
        if stages is None and all(getattr(run, name) is not None for run in runs):
            return [source for run in runs for source in _table_sources(run, name)], list(panels)
    sources = [_series_source(run, stages) for run in _with_series(runs)]
    _check_alike(sources)
    return sources, _series_panels(sources)


_DEFAULT_X = {"cycles": "cycle", "reduction": "gamma", "resistance": "csr"}


def _columns_of(run: Run, table: str, is_deep: bool) -> tuple[str, ...]:
    """The columns of a table of a run; `is_deep`: if it has none, of its members."""
    found: Table | None = getattr(run, table) if table != "series" or run.has_series else None
    if found is not None:
        return tuple(found.dtype.names or ())
    members = run.members.values() if is_deep else ()
    return tuple(dict.fromkeys(name for member in members for name in _columns_of(member, table, is_deep)))


def _table_with(runs: Sequence[Run], names: Sequence[str]) -> str:
    """The first table in which all runs, or else their members, have all of these columns."""
    known: list[str] = []
    for is_deep in (False, True):
        for table in ("series", "cycles", "reduction", "resistance"):
            columns = [_columns_of(run, table, is_deep) for run in runs]
            if all(name in of for name in names for of in columns):
                return table
            known += [name for of in columns for name in of]
    for name in names:
        near = difflib.get_close_matches(name, set(known), 3)
        if name not in known:
            raise RunError(f"there is no column '{name}'" + (f": did you mean {' or '.join(near)}?" if near else ""))
    raise RunError(f"no table of all the runs has the columns {', '.join(names)} together")


def _chosen(runs: Sequence[Run], x: str | None, y: Sequence[str], stages: Stages) -> tuple[list[Source], list[_Panel]]:
    """Sources and panels if x or y are given."""
    table = _table_with(runs, [*y, *([x] if x else [])])
    if table != "series":
        sources = [source for run in runs for source in _table_sources(run, table)]
        across = q.named(table, x or _DEFAULT_X[table])
        names = y or [_DEFAULT_X[table]]
        is_log = table == "reduction" and across.column == "gamma"
        if is_log:
            across = _REDUCTION[0].x
        return sources, [_Panel(across, q.named(table, name), "points", is_log_x=is_log) for name in names]
    sources = [_series_source(run, stages, has_row_before=x is None) for run in _with_series(runs)]
    ups = [q.named(table, name) for name in y]
    if not x or not y:
        _check_alike(sources)
        usual = _series_panels(sources)[0]
        ups = ups or [usual.y]
    across = q.named(table, x) if x else usual.x
    is_loop = sources[0].loading.is_cyclic and x not in ("cycle", "step", "time") and across not in (q.CYCLES, q.STEPS)
    return sources, [_Panel(across, up, "loop" if is_loop else "line") for up in ups]


# ---- Groups ----------------------------------------------------------------------------------------------------------

def _without_twins(sources: Sequence[Source]) -> list[Source]:
    """Runs with the same case and seed have the same results: of those, the first is drawn."""
    kept: dict[frozenset[tuple[str, str]], Source] = {}
    for source in sources:
        same = kept.setdefault(frozenset(source.keys.items()), source)
        if same is not source:
            warnings.warn(f"{source.run.path} is the same case, with the same seed, as {same.run.path}: drawn once",
                          stacklevel=5)
    return list(kept.values())


def _groups(sources: Sequence[Source], labels: Sequence[str] | None) -> list[_Group]:
    found: dict[frozenset[tuple[str, str]], _Group] = {}
    for source in _without_twins(sources):
        found.setdefault(without_seed(source.keys), _Group([])).sources.append(source)
    groups = list(found.values())
    if labels is not None and len(labels) != len(groups):
        raise ValueError(f"there are {len(groups)} curves and {len(labels)} labels; runs that differ only in their "
                         "seeds are one curve")
    if labels is None and len(groups) > 1:
        labels = labels_of([group.sources[0].keys for group in groups],
                           [group.sources[0].run.path.resolve().name for group in groups])
    for i, group in enumerate(groups):
        group.label = labels[i] if labels is not None else ""
        group.colour, group.line = _COLOURS[i % len(_COLOURS)], _LINES[i % len(_LINES)]
        group.point = _POINTS[i % len(_POINTS)]
    return groups


def _steady(x: Numbers, y: Numbers) -> tuple[Numbers, Numbers] | None:
    """The points in finite numbers, without repeated abscissae (the last point counts); None if x falls."""
    kept = np.isfinite(x) & np.isfinite(y)
    x, y = x[kept], y[kept]
    if len(x) < 2 or np.any(np.diff(x) < 0.0):
        return None
    last = np.append(np.diff(x) > 0.0, True)
    return x[last], y[last]


def band(curves: Sequence[tuple[Numbers, Numbers]]) -> tuple[Numbers, Numbers, Numbers] | None:
    """Mean and standard deviation of several curves, over their common range.

    The abscissae come from the curve with the most points in that range, and its ends; the others are interpolated
    linearly. The deviation is the sample deviation, with n - 1.

    Returns:
        Abscissae, means and deviations; None if an abscissa falls, or if the curves have no range in common.
    """
    steady = [_steady(x, y) for x, y in curves]
    given = [curve for curve in steady if curve is not None]
    if len(given) < len(curves) or len(given) < 2:
        return None
    low, high = max(x[0] for x, _ in given), min(x[-1] for x, _ in given)
    if not low < high:
        return None
    inside = max((x[(x > low) & (x < high)] for x, _ in given), key=len)
    grid = np.concatenate(([low], inside, [high]))
    values = np.array([np.interp(grid, x, y) for x, y in given])
    return grid, values.mean(axis=0), values.std(axis=0, ddof=1)


# ---- Drawing ---------------------------------------------------------------------------------------------------------

def _sample_line(ax: Axes, group: _Group, panel: _Panel, x: Numbers, y: Numbers, label: str | None) -> None:
    is_points = panel.style in ("points", "resistance")
    ax.plot(x, y, color=group.colour, linestyle=group.line, label=label, marker=group.point if is_points else "",
            markerfacecolor="white" if is_points and group.point != "o" else group.colour,
            linewidth=0.8 if panel.style == "loop" else None)


def _draw_group(ax: Axes, group: _Group, panel: _Panel, curves: list[tuple[Numbers, Numbers]]) -> bool:
    """One curve as a line, several as mean and band; where an abscissa falls, as in loops, all lines are drawn.

    Returns:
        True if there is a band.
    """
    count = len(curves)
    name = f"{group.label}, " if group.label else ""
    if count == 1:
        _sample_line(ax, group, panel, *curves[0], group.label or None)
        return False
    found = band([(np.log10(x) if panel.is_log_x else x, y) for x, y in curves]) if panel.style != "loop" else None
    if found is None:
        for i, (x, y) in enumerate(curves):
            _sample_line(ax, group, panel, x, y, f"{name}each of {count} seeds" if i == 0 else None)
        return False
    grid, mean, deviation = found
    grid = 10.0**grid if panel.is_log_x else grid
    ax.fill_between(grid, mean - deviation, mean + deviation, color=group.colour, alpha=0.22, linewidth=0)
    _sample_line(ax, group, panel, grid, mean, f"{name}mean of {count} seeds")
    return True


def _mark_doubtful(ax: Axes, group: _Group, curves: list[tuple[Numbers, Numbers]]) -> set[float]:
    """A mark on each damping ratio of reduction.csv that is doubtful. Returns the doubts that there are."""
    found = set()
    for source, (x, y) in zip(group.sources, curves):
        given = optional_column(source.rows, "doubtful")
        for doubt, mark in _DOUBT_MARKS.items():
            if doubt in given:
                ax.plot(x[given == doubt], y[given == doubt], **mark)
                found.add(doubt)
    return found


def _draw_numerical(ax: Axes, group: _Group, factor: float, is_first: bool) -> None:
    """The numerical part of the loops, which is not in the damping ratios of reduction.csv."""
    for source in group.sources:
        part = factor * optional_column(source.rows, "damping_ratio_numerical")
        if np.any(part > 0.0):
            ax.plot(source.rows["gamma"], np.where(part > 0.0, part, np.nan), color=group.colour, linewidth=1.0,
                    linestyle=(0, (3, 3)), label="numerical part, subtracted" if is_first else None)
            is_first = False


def _damping_range(groups: Sequence[_Group], factor: float) -> tuple[float, float]:
    """Of D; two decades more at most for its numerical part, which may be as small as rounding."""
    rows = [source.rows for group in groups for source in group.sources]
    ratios = factor * finite((of["damping_ratio"] for of in rows), is_positive=True)
    parts = factor * finite((optional_column(of, "damping_ratio_numerical") for of in rows), is_positive=True)
    low = float(ratios.min(initial=np.inf))
    return decades(np.append(ratios, np.maximum(parts, 0.01 * low) if len(ratios) > 0 else parts), (0.01, 100.0))


def _draw_resistance(ax: Axes, group: _Group) -> tuple[bool, bool]:
    """CSR over cycles; open points stand for tests that did not liquefy, stars on the axis for flow failures.

    Returns:
        Are there open points, and are there stars?
    """
    has_open = has_flow = False
    label: str | None = group.label or None
    for source in group.sources:
        rows = source.rows
        flows, done = optional_column(rows, "flow_failure") > 0.0, np.isfinite(rows["cycles"])
        still = ~done & ~flows
        ax.plot(rows["cycles"][done], rows["csr"][done], color=group.colour, linestyle=group.line, marker=group.point,
                markersize=5.0, label=label)
        ax.plot(rows["cycles_done"][still], rows["csr"][still], color=group.colour, linestyle="", marker=group.point,
                markerfacecolor="none", markersize=6.0)
        if np.any(flows):
            ax.plot(np.zeros(flows.sum()), rows["csr"][flows], color=group.colour, linestyle="", marker="*",
                    markersize=9.0, transform=ax.get_yaxis_transform(), clip_on=False)
        has_open, has_flow, label = has_open or bool(still.any()), has_flow or bool(flows.any()), None
    return has_open, has_flow


def _finish(ax: Axes, panel: _Panel, x_unit: str, y_unit: str) -> None:
    ax.set_xlabel(q.text(panel.x, x_unit))
    ax.set_ylabel(q.text(panel.y, y_unit))
    if panel.is_log_x:
        ax.set_xscale("log")
    if panel.is_log_y:
        ax.set_yscale("log")
        ax.yaxis.set_major_formatter("{x:g}")
    if panel.style == "resistance":
        ax.set_ylim(0.0, 1.1 * max(np.max(line.get_ydata(), initial=0.1) for line in ax.lines))
        drawn = [line.get_xdata() for line in ax.lines if line.get_transform() == ax.transData]
        ax.set_xlim(decades(finite(drawn, is_positive=True), (1.0, 100.0)))
        ax.xaxis.set_major_formatter("{x:g}")
        ax.xaxis.set_minor_formatter("")
    if panel.y.column == "modulus_ratio":
        ax.set_ylim(0.0, 1.05)
    low, high = ax.get_ylim()
    if not panel.is_log_y and low < 0.0 < high:
        ax.axhline(0.0, color="#888888", linewidth=0.5, zorder=0.5)
    if panel.starts_at_zero:
        ax.set_xlim(left=0.0)


def _draw_panel(ax: Axes, panel: _Panel, groups: Sequence[_Group]) -> bool:
    """Returns True if the line is coloured by cycles."""
    raw = [[(panel.x.values(source), panel.y.values(source)) for source in group.sources] for group in groups]
    x_factor, x_unit = q.scale(panel.x.unit, size_of(finite(x for curves in raw for x, _ in curves)))
    y_factor, y_unit = q.scale(panel.y.unit, size_of(finite(y for curves in raw for _, y in curves)))
    only = groups[0].sources[0]
    is_coloured = panel.style == "loop" and len(groups) == len(raw[0]) == 1 and only.loading.counts_cycles
    has_open = has_flow = has_band = False
    doubts: set[float] = set()
    for group, curves in zip(groups, raw):
        scaled = [(x_factor * x, y_factor * y) for x, y in curves]
        if is_coloured:
            draw_loops(ax, *scaled[0], q.CYCLES.values(only), 0.9)
        elif panel.style == "resistance":
            is_open, is_flow = _draw_resistance(ax, group)
            has_open, has_flow = has_open or is_open, has_flow or is_flow
        else:
            has_band = _draw_group(ax, group, panel, scaled) or has_band
            if panel.y.column == "damping_ratio" and panel.x.column == "gamma":
                doubts |= _mark_doubtful(ax, group, scaled)
    if panel is _REDUCTION[1]:
        for group in groups:
            _draw_numerical(ax, group, y_factor, group is groups[0])
        ax.set_ylim(_damping_range(groups, y_factor))
    if has_open:
        ax.plot([], [], color="#555555", linestyle="", marker="o", markerfacecolor="white", markersize=6.0,
                label="open: not liquefied by then")
    if has_flow:
        ax.plot([], [], color="#555555", linestyle="", marker="*", markersize=9.0, label="on the axis: flow failure")
    for doubt in sorted(doubts):
        ax.plot([], [], **_DOUBT_MARKS[doubt], label=DOUBTS[doubt])
    if has_band:
        ax.fill([], [], color="#555555", alpha=0.25, linewidth=0, label=_BAND_LABEL)
    _finish(ax, panel, x_unit, y_unit)
    return is_coloured


# ---- Figures ---------------------------------------------------------------------------------------------------------

def _before_display(figure: Figure) -> None:
    """IPython calls it before it shows the figure. The inline backend shows all figures of pyplot at the end of a cell:
    one that is shown before, as the value of the cell, is not pyplot's any more, and so not shown twice."""
    pyplot = need("matplotlib.pyplot")
    if "inline" in str(pyplot.get_backend()).lower():
        importlib.import_module("matplotlib_inline.backend_inline")  # makes pictures of figures that are not pyplot's
        pyplot.close(figure)
    raise NotImplementedError  # IPython's word for: show it as usual


def _new_figure(panels: int, look: Look, is_shown: bool) -> Figure:
    """A figure of pyplot, which shows and keeps it; or one that only the caller knows."""
    options = {"figsize": (look.panel[0] * panels, look.panel[1]), "dpi": look.dpi, "constrained_layout": True}
    make = need("matplotlib.pyplot").figure if is_shown else need("matplotlib.figure").Figure
    return make(**options)


def _legend_above(figure: Figure, handles: list[Any], labels: list[str], look: Look) -> None:
    """A legend above all panels, for which the figure grows: within a panel it would cover curves."""
    width, height = figure.get_size_inches()
    most = max(1, min(len(labels), int(width / look.letter / (_HANDLE + _LETTER * max(map(len, labels))))))
    rows = -(-len(labels) // most)
    columns = -(-len(labels) // rows)
    head = 0.4 if look.title else 0.0
    room = look.letter * (_LEGEND_LINE * rows + 0.08) + head
    figure.set_size_inches(width, height + room)
    if look.title:
        figure.suptitle(plain(look.title), fontsize=14, y=1.0 - 0.08 / (height + room), va="top")
    figure.legend(handles, labels, loc="upper center", ncol=columns, borderaxespad=0.3, columnspacing=1.6,
                  bbox_to_anchor=(0.5, 1.0 - head / (height + room)))
    figure.get_layout_engine().set(rect=(0.0, 0.0, 1.0, height / (height + room)))


def _given_axes(ax: Any, panels: int) -> tuple[Figure, list[Axes]]:
    """One axes gets the first panel only."""
    axes = [ax] if hasattr(ax, "plot") else list(np.ravel(ax))
    if len(axes) not in (1, panels):
        raise ValueError(f"there are {panels} panels and {len(axes)} axes")
    return axes[0].figure, axes


def _decorate(figure: Figure, axes: Sequence[Axes], is_coloured: bool, look: Look | None) -> None:
    """`look`: of a new figure; None: the figure belongs to the caller."""
    if len(axes) > 1:
        for letter, ax in zip("abcdefghijklmnopqrstuvwxyz", axes):
            ax.set_title(f"({letter})", loc="left")
    for ax in axes:
        if "$r_u$" in ax.get_ylabel():  # a ratio: equal values must not look like a difference
            ax.set_ylim(min(0.0, ax.get_ylim()[0]), max(1.0, ax.get_ylim()[1]))
    if is_coloured:
        figure.colorbar(axes[-1].collections[0], ax=axes[-1], label="number of cycles $N$", pad=0.03, aspect=30)
    handles, labels = axes[0].get_legend_handles_labels()
    for ax in axes[1:]:
        for handle, label in zip(*ax.get_legend_handles_labels()):
            if label not in labels:
                handles.append(handle)
                labels.append(label)
    if labels and look is not None and hasattr(figure, "get_layout_engine"):
        _legend_above(figure, handles, labels, look)
    elif look is not None and look.title:
        figure.suptitle(plain(look.title), fontsize=14)
    elif labels:  # in axes of the caller, and of matplotlib before 3.6
        axes[0].legend(handles, labels, loc="best")


def _save(figure: Figure, file: Path) -> None:
    with need("matplotlib").rc_context(_STYLE):
        write_whole(file, picture_bytes(figure, file.suffix.lower()[1:]))


def _draw(sources: Sequence[Source], panels: Sequence[_Panel], ax: Any, label: str | Sequence[str] | None,
          is_shown: bool, look: Look) -> Figure:
    groups = _groups(sources, [label] if isinstance(label, str) else label)
    # pyplot makes the figure before the context: it may load its backend then, whose settings are to stay
    figure, axes = (_new_figure(len(panels), look, is_shown), []) if ax is None else _given_axes(ax, len(panels))
    try:
        with need("matplotlib").rc_context(look.style):
            axes = axes or list(figure.subplots(1, len(panels), squeeze=False)[0])
            coloured = [_draw_panel(one, panel, groups) for one, panel in zip(axes, panels)]
            _decorate(figure, axes, any(coloured), look if ax is None else None)
    except BaseException:
        if ax is None and is_shown:
            need("matplotlib.pyplot").close(figure)
        raise
    return figure


def draw_table(run: Run, name: str, title: str) -> Figure:
    """A picture of reduction.csv or resistance.csv, as large as the other pictures of a run."""
    return _draw(_table_sources(run, name), _READY_TESTS[name], None, None, False, replace(SCREEN, title=title))


def draw(*runs: RunLike, x: str | None = None, y: str | Sequence[str] | None = None, ax: Any = None,
         label: str | Sequence[str] | None = None, stages: Stages = None, is_shown: bool = False) -> Figure:
    """The figure of `plot`; unless `is_shown`, pyplot does not know it."""
    found = _all_runs(runs)
    if not found:
        raise RunError("there is no run to draw")
    ups = [y] if isinstance(y, str) else list(y or ())
    sources, panels = _chosen(found, x, ups, stages) if x or ups else _default(found, stages)
    figure = _draw(sources, panels, ax, label, is_shown, JOURNAL)
    figure._ipython_display_ = functools.partial(_before_display, figure)  # the caller's, too: plot(ax=...) returns it
    return figure


def plot(*runs: RunLike, x: str | None = None, y: str | Sequence[str] | None = None, ax: Any = None,
         file: str | os.PathLike[str] | None = None, label: str | Sequence[str] | None = None,
         stages: Stages = None) -> Figure:
    """Draws runs in one picture.

    Runs that differ only in their `seed` are one curve: their mean, with a band of one standard deviation on either
    side. Other runs are lines, whose labels say in which keys of the case they differ. Without x and y the kind of the
    test decides:

    - loading along an axis, or shear: deviator or τ over the strain; volumetric strain, or at constant volume the
      stress path
    - one cyclic run: stress-strain loops and stress path, coloured by cycle; several: pore pressure ratio or void
      ratio, and strain, over the number of cycles
    - isotropic compression: p over the volumetric strain; void ratio over p
    - modulus reduction: G/Gmax and D over γ; liquefaction resistance: CSR over cycles, largest r_u over CSR

    Args:
        runs: runs, directories, patterns such as "out/f*", or lists of these. A case with lists stands for its members.
        x, y: columns of series.csv, cycles.csv, reduction.csv or resistance.csv; several y have a panel each.
        ax: matplotlib axes to draw in, one for each panel; a single one gets the first panel.
        file: a .png, .svg or .pdf file to write instead of showing the figure.
        label: one label for each curve.
        stages: numbers or names of stages, or "all"; default: the stages that the program's pictures show.

    Returns:
        The matplotlib figure. It is pyplot's, like figures of pandas and seaborn: a notebook shows it at the end of
        the cell, `pyplot.show()` in a window, and it stays open until `pyplot.close`. With `file` it is not.

    Raises:
        RunError: there is nothing to draw, or the runs cannot be drawn together.
        JagerError: matplotlib is not installed.
    """
    target = None if file is None else Path(file)
    if target is not None and target.suffix.lower() not in ENDINGS:
        raise RunError(f"{target}: the ending must be .png, .svg or .pdf")
    figure = draw(*runs, x=x, y=y, ax=ax, label=label, stages=stages, is_shown=target is None)
    if target is not None:
        _save(figure, target)
    return figure


__all__ = ["RunLike", "SEED", "band", "draw", "draw_table", "plot"]
