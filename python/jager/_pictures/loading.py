# SPDX-License-Identifier: MIT
"""How a run loads its assembly: the kind of test, the stages that pictures show, and the quantities of these stages.

A stage loads the assembly if its case prescribes a non-zero strain, a wave, or a stress that the stage before did not
hold. Pictures show the last group of stages with the same kind of loading (along the same component, or isotropic),
with the stages between and after them that do not load. Examples: after consolidation and shearing, only the shearing;
after loading and unloading, both. If no stage loads, pictures show all stages over time. Strains count from the start
of the first stage that is shown.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from .._run_files import Table

Numbers = npt.NDArray[np.float64]

COMPONENTS = ("xx", "yy", "zz", "xy", "xz", "yz")
_NORMAL = COMPONENTS[:3]
_ORDER = ("zz", "yy", "xx", "xy", "xz", "yz")  # of equal components the first counts: by custom the axis is z
_DRIVES = ("strain_rate", "strain_step", "strain", "path_strain", "path_stress")

_PLANE_STRAIN_MAX = 1e-3  # fixed over driven component
_ISOTROPIC_MIN = 0.7  # smallest over largest component
_CYCLIC_PATH_MIN = 2.2  # path length over range; loading and unloading has 2
_CONSTANT_VOLUME_MAX = 1e-6  # volumetric over driven strain

STILL, ISOTROPIC, NORMAL, SHEAR = "still", "isotropic", "normal", "shear"


@dataclass(frozen=True)
class Loading:
    """How the shown stages of a run load the assembly.

    Attributes:
        kind: STILL, ISOTROPIC, NORMAL (along an axis) or SHEAR.
        component: the driven one, such as "zz".
        lateral: in plane strain the free component beside the driven one; "" otherwise.
        is_cyclic: the driven strain reverses.
        counts_cycles: the series counts cycles in the shown stages.
        is_at_constant_volume: as an undrained test is.
        first_stage, last_stage: the stages that are shown; 0 is packing.
        rows: of the series; the first is the last one before the first stage, if there is one.
    """

    kind: str = STILL
    component: str = "zz"
    lateral: str = ""
    is_cyclic: bool = False
    counts_cycles: bool = False
    is_at_constant_volume: bool = False
    first_stage: int = 0
    last_stage: int = 0
    rows: slice = field(default_factory=lambda: slice(0, 0))


# ---- Strains ---------------------------------------------------------------------------------------------------------

def strain_of(series: Table, component: str) -> Numbers:
    """A strain since the end of packing; zero in rows of packing."""
    values: Numbers = np.where(series["stage"] == 0, 0.0, series["strain_" + component])
    return values


def _volumetric_range(series: Table) -> float:
    return float(np.ptp(np.where(series["stage"] == 0, 0.0, series["volumetric_strain"])))


def _finite(value: float) -> float:
    return value if np.isfinite(value) else 0.0


class _Movement:
    """Ranges and path lengths of the strains in some rows. Shear strains count as angles, 2ε."""

    def __init__(self, series: Table, driven: tuple[str, ...]) -> None:
        strains = {name: strain_of(series, name) * (1.0 if name in _NORMAL else 2.0) for name in COMPONENTS}
        self.range = {name: _finite(float(np.ptp(values))) for name, values in strains.items()}
        self.path = {name: _finite(float(np.abs(np.diff(values)).sum())) for name, values in strains.items()}
        self.volumetric_range = _volumetric_range(series)
        self.largest = ""
        for name in _ORDER:
            if (not driven or name in driven) and self.range[name] > 1.0001 * self.range.get(self.largest, -1.0):
                self.largest = name

    @property
    def size(self) -> float:
        return self.range[self.largest]

    @property
    def is_isotropic(self) -> bool:
        normal = [self.range[name] for name in _NORMAL]
        return (self.largest in _NORMAL and min(normal) >= _ISOTROPIC_MIN * self.size
                and self.volumetric_range >= _ISOTROPIC_MIN * sum(normal))

    @property
    def lateral(self) -> str:
        others = [name for name in _NORMAL if name != self.largest]
        free = [name for name in others if self.range[name] > _PLANE_STRAIN_MAX * self.size]
        return free[0] if len(free) == 1 else ""


# ---- The case --------------------------------------------------------------------------------------------------------

def _number(keys: Mapping[str, str], key: str) -> float:
    try:
        return float(keys.get(key, "nan"))
    except ValueError:
        return float("nan")


def driven_in(keys: Mapping[str, str], stage: int) -> tuple[str, ...]:
    """The components whose non-zero strains a stage prescribes, or that follow a wave."""
    def drives(component: str, how: str) -> bool:
        value = _number(keys, f"stages.{stage - 1}.control.{component}.{how}")
        return not np.isnan(value) and value != 0.0

    return tuple(name for name in COMPONENTS if any(drives(name, how) for how in _DRIVES))


def _driven_by_series(series: Table) -> tuple[str, ...]:
    """A guess without the case: components that strain while their stress changes; servos hold the others' stress."""
    scale = float(np.abs(series["p"]).max(initial=0.0))
    return tuple(name for name in COMPONENTS
                 if np.ptp(strain_of(series, name)) > 0.0 and np.ptp(series["stress_" + name]) > 0.05 * scale)


def keeps_volume(keys: Mapping[str, str], stage: int) -> bool:
    """A normal component keeps the volume, or the strains of all three are held."""
    start = f"stages.{stage - 1}.control."
    controls = {key[len(start):]: value for key, value in keys.items() if key.startswith(tuple(
        f"{start}{name}." for name in _NORMAL))}
    if any(key.endswith(".volume") for key in controls):
        return True
    are_held = all(key.endswith((".strain_rate", ".strain_step", ".strain")) and float(value) == 0.0
                   for key, value in controls.items())
    return are_held and f"stages.{stage - 1}.mean_stress.stress" not in keys


def _stress_held(keys: Mapping[str, str], stage: int, component: str) -> float:
    """NaN: none."""
    if stage == 0:
        pressure = _number(keys, "assembly.packing.pressure")
        return pressure if component in _NORMAL or np.isnan(pressure) else 0.0
    held = _number(keys, f"stages.{stage - 1}.control.{component}.stress")
    if np.isnan(held) and component in _NORMAL:
        held = _number(keys, f"stages.{stage - 1}.mean_stress.stress")
    return held


def _changes_stress(keys: Mapping[str, str], stage: int) -> bool:
    for name in COMPONENTS:
        held, before = _stress_held(keys, stage, name), _stress_held(keys, stage - 1, name)
        if not np.isnan(held) and not abs(held - before) <= 1e-6 * abs(held):
            return True
    return False


def _loads(keys: Mapping[str, str], stage: int, moved: _Movement) -> bool:
    """Without the case, every stage that strains the assembly by more than a rest does counts as loading."""
    if not keys:
        return stage > 0 and moved.size > 1e-5
    return stage > 0 and moved.size > 0.0 and (bool(driven_in(keys, stage)) or _changes_stress(keys, stage))


# ---- Stages ----------------------------------------------------------------------------------------------------------

def _stage_rows(series: Table) -> dict[int, slice]:
    """The rows of each stage, beginning with the last row of the stage before."""
    stage = series["stage"].astype(int)
    starts = [0, *(np.flatnonzero(np.diff(stage)) + 1).tolist(), len(stage)]
    return {int(stage[start]): slice(max(start - 1, 0), end) for start, end in zip(starts, starts[1:])}


def _first_shown(moves: dict[int, _Movement], loading: list[int], stages: list[int]) -> int:
    """The first stage of the last group of stages that load alike."""
    if not loading:
        return next((stage for stage in stages if stage > 0), 0)
    last, first = loading[-1], loading[-1]
    for stage in reversed(loading[:-1]):
        alike = moves[stage].is_isotropic == moves[last].is_isotropic
        if not alike or not (moves[last].is_isotropic or moves[stage].largest == moves[last].largest):
            break
        first = stage
    return first


def find_loading(series: Table, keys: Mapping[str, str]) -> Loading:
    """Finds how the run loads its assembly.

    Args:
        series: with at least one row.
        keys: the keys of the case (`Run.case_keys`). If they are empty, the strains alone decide.
    """
    rows = _stage_rows(series)
    moves = {stage: _Movement(series[of], driven_in(keys, stage) if keys else _driven_by_series(series[of]))
             for stage, of in rows.items()}
    loading = [stage for stage in sorted(rows) if _loads(keys, stage, moves[stage])]
    first, last = _first_shown(moves, loading, sorted(rows)), max(rows)
    shown = slice(rows[first].start, len(series))
    counts = bool(np.any((series["cycle"][shown] > 0.0) & (series["stage"][shown] >= first)))
    if not loading:
        return Loading(first_stage=first, last_stage=last, rows=shown, counts_cycles=counts)
    moved = _Movement(series[shown], driven_in(keys, loading[-1]) if keys else _driven_by_series(series[shown]))
    kind = ISOTROPIC if moved.is_isotropic else NORMAL if moved.largest in _NORMAL else SHEAR
    is_cyclic = moved.path[moved.largest] > _CYCLIC_PATH_MIN * moved.size or _is_cyclic(keys, first, last) or counts
    return Loading(kind, "zz" if kind == ISOTROPIC else moved.largest, moved.lateral if kind == NORMAL else "",
                   is_cyclic, counts, moved.volumetric_range <= _CONSTANT_VOLUME_MAX * moved.size, first, last, shown)


def _is_cyclic(keys: Mapping[str, str], first: int, last: int) -> bool:
    heads = tuple(f"stages.{stage - 1}.cyclic." for stage in range(max(first, 1), last + 1))
    return any(key.startswith(heads) for key in keys)


# ---- Quantities ------------------------------------------------------------------------------------------------------

def _since_start(values: Numbers, series: Table, loading: Loading) -> Numbers:
    """Changes since the first row, if it belongs to a stage before; otherwise strains count from the end of packing."""
    has_before = len(series) > 0 and series["stage"][0] < loading.first_stage
    return np.asarray(values - values[0] if has_before else values)


def driven_strain(series: Table, loading: Loading) -> Numbers:
    """ε along the axis, γ of shear or the volumetric strain, since the start. `series` has the rows of the loading."""
    if loading.kind == ISOTROPIC:
        return volumetric_strain(series, loading)
    factor = 2.0 if loading.kind == SHEAR else 1.0
    return factor * _since_start(strain_of(series, loading.component), series, loading)


def volumetric_strain(series: Table, loading: Loading) -> Numbers:
    """The volumetric strain since the start."""
    total: Numbers = np.sum([strain_of(series, name) for name in _NORMAL], axis=0)
    return _since_start(total, series, loading)


def deviator(series: Table, loading: Loading) -> Numbers:
    """τ of shear; otherwise the stress along the axis minus the mean of the two others."""
    driven: Numbers = np.array(series["stress_" + loading.component])
    if loading.kind == SHEAR:
        return driven
    others = [series["stress_" + name] for name in _NORMAL if name != loading.component]
    return np.asarray(driven - 0.5 * (others[0] + others[1]))


def pore_pressure_ratio(series: Table, loading: Loading) -> Numbers:
    """1 - p/p0 of a test at constant volume; p0 is p in the first row."""
    del loading
    return np.asarray(1.0 - series["p"] / series["p"][0])


def steps(series: Table, loading: Loading) -> Numbers:
    """Time steps since the start."""
    return _since_start(np.array(series["step"]), series, loading)


def cycles(series: Table, loading: Loading) -> Numbers:
    """Cycles since the start, over all stages that are shown."""
    stage, cycle = series["stage"], np.where(series["stage"] >= loading.first_stage, series["cycle"], 0.0)
    done = np.concatenate(([0.0], np.cumsum(np.where(np.diff(stage) != 0, np.nan_to_num(cycle[:-1]), 0.0))))
    return np.asarray(done + cycle, dtype=np.float64)
