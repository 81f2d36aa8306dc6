# SPDX-License-Identifier: MIT
"""The figures of a run's summary, as numbers."""
from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ._errors import RunError
from ._run_files import Table
from ._runs import Run

LAST = ("p", "q", "void_ratio", "coordination")  # at the end of a stage
ORDER = ("zz", "yy", "xx", "xy", "xz", "yz")  # of equal strains the first counts
DRIVES = ("strain_rate", "strain_step", "strain", "path_strain")
LIQUEFIED = 0.95  # r_u


def figures_of(run: Run) -> dict[str, float]:
    """For each stage: p, q, void ratio and coordination at its end; the largest deviator, or the largest shear stress
    of a stage that shears, with its strain; the largest pore pressure ratio with the cycles to liquefaction; modulus
    and damping of the last cycle.

    Names are STAGE.FIGURE; in a case with lists they begin with the folder of the run.
    """
    figures: dict[str, float] = {}
    if run.has_series:
        for number, name in enumerate(run.stages):
            rows = run.series[run.series["stage"] == number]
            if len(rows):
                found = _stage_figures(rows, _driven(run, number))
                figures.update({f"{name}.{key}": value for key, value in found.items()})
        figures.update(_cycle_figures(run))
    for folder, member in run.members.items():
        figures.update({f"{folder}.{name}": value for name, value in figures_of(member).items()})
    return figures


def _driven(run: Run, stage: int) -> list[str]:
    """The strains that a stage prescribes; zz if there are none, so that all runs of one case have the same figures."""
    try:
        keys = run.case_keys
    except RunError:  # no checkpoint
        keys = {}
    values = {name: [keys.get(f"stages.{stage - 1}.control.{name}.{how}", "0") for how in DRIVES] for name in ORDER}
    return [name for name in ORDER if any(float(value) != 0.0 for value in values[name])] or ["zz"]


def _stage_figures(rows: Table, driven: list[str]) -> dict[str, float]:
    figures = {name: float(rows[name][-1]) for name in LAST}
    if rows["stage"][0] == 0:
        return figures
    if len(rows) > 1:
        figures.update(_peak(rows, driven))
    if np.nanmax(rows["r_u"]) > 0.0 and np.nanmax(rows["cycle"]) > 0.0:
        figures["largest r_u"] = float(np.nanmax(rows["r_u"]))
        reached = np.flatnonzero(rows["r_u"] >= LIQUEFIED)
        figures["cycles to liquefaction"] = float(rows["cycle"][reached[0]]) if reached.size else math.nan
    return figures


def _peak(rows: Table, driven: list[str]) -> dict[str, float]:
    """As in the summary: after the start of the stage, with the strain since then."""
    def since(name: str) -> npt.NDArray[np.float64]:
        strains: npt.NDArray[np.float64] = rows[f"strain_{name}"] - rows[f"strain_{name}"][0]
        return strains

    main = driven[0]
    for name in driven[1:]:
        main = name if abs(since(name)[-1]) > 1.0001 * abs(since(main)[-1]) else main
    largest = f"stress_{main}" if main in ("xy", "xz", "yz") else "q"
    at = 1 + int(np.argmax(np.nan_to_num(np.abs(rows[largest][1:]), nan=-1.0)))
    return {f"largest {largest}": float(rows[largest][at]),
            f"strain_{main} at largest {largest}": float(since(main)[at])}


def _cycle_figures(run: Run) -> dict[str, float]:
    """Modulus and damping ratio of the last closed loop of each cyclic stage."""
    if run.cycles is None:
        return {}
    figures = {}
    for number in np.unique(run.cycles["stage"]):
        rows = run.cycles[run.cycles["stage"] == number]
        for column, name in (("shear_modulus", "G"), ("young_modulus", "E"), ("bulk_modulus", "K"),
                             ("damping_ratio", "D")):
            known = rows[column][~np.isnan(rows[column])]
            if known.size:
                figures[f"{run.stages[int(number)]}.{name} of the last cycle"] = float(known[-1])
    return figures
