# SPDX-License-Identifier: MIT
"""The results of `jager run`: series, cycles, snapshots and what belongs to them, of finished and unfinished runs."""
from __future__ import annotations

import html
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from ._errors import JagerError, RunError
from ._run_files import H5File, Table, need, no_grains, read_checkpoint_texts, read_snapshot, read_table, read_text
from ._run_units import SNAPSHOT_UNITS, units_of

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure

    from ._case import Case

MODELS = ("jager", "modified-mindlin", "zhang-vuquoc", "hertz-mindlin", "linear", "springs")
_MEMBER = re.compile("|".join(MODELS) + r"|csr-[-+.0-9e]+")
_FILES = ("series.csv", "result.h5", "checkpoint.jck", "checkpoint-before.jck", "reduction.csv", "resistance.csv")
_PICTURES = ("resistance", "reduction", "stress-strain", "volumetric-strain", "cycles", "energy", "history-length",
             "grading")
_SERIES_COLUMNS = (
    "step", "stage", "strain_xx", "strain_yy", "strain_zz", "strain_xy", "strain_xz", "strain_yz", "volumetric_strain",
    "stress_xx", "stress_yy", "stress_zz", "stress_xy", "stress_xz", "stress_yz", "p", "q", "void_ratio", "cycle")
_CHECKPOINTS = ("checkpoint.jck", "checkpoint-before.jck")


# ---- Snapshots -------------------------------------------------------------------------------------------------------

@dataclass(frozen=True, eq=False)
class Snapshot:
    """All spheres, grains and contacts at one moment.

    Attributes:
        step, time: the moment; the time in s.
        cell: 3 x 3; its columns are the edges of the periodic cell, in m.
        spheres, contacts: structured arrays with the fields of docs/files.md. They own their data and may be changed.
        grains: likewise, of grains of several spheres; without rows if the spheres are the grains.
    """

    step: int
    time: float
    cell: npt.NDArray[np.float64]
    spheres: Table
    contacts: Table
    grains: Table = field(default_factory=no_grains)

    def to_xarray(self) -> xarray.Dataset:
        """A dataset with units, over `id`, `axis`, `contact`, `pair` and `edge`. Fields of contacts: `contact_NAME`; of
        grains of several spheres: `grain_NAME`, over `grain_id`, `axis` and `part`."""
        data: dict[str, Any] = {"cell": (("axis", "edge"), self.cell.copy(), {"units": "m"})}
        for name, units in SNAPSHOT_UNITS["spheres"].items():
            dims = ("id", "axis")[:self.spheres[name].ndim]
            data[name] = (dims, self.spheres[name].copy(), {"units": units})
        for name, units in SNAPSHOT_UNITS["contacts"].items():
            dims = ("contact", "pair" if name == "ids" else "axis")[:self.contacts[name].ndim]
            data["contact_" + name] = (dims, self.contacts[name].copy(), {"units": units})
        coords = {"axis": ["x", "y", "z"], "pair": ["first", "second"]}
        for name, units in SNAPSHOT_UNITS["grains"].items() if len(self.grains) > 0 else ():
            dims = ("grain_id", "part" if name == "quaternion" else "axis")[:self.grains[name].ndim]
            data["grain_" + name] = (dims, self.grains[name].copy(), {"units": units})
            coords["part"] = ["w", "x", "y", "z"]
        attrs = {"step": self.step, "time": self.time, "time_unit": "s"}
        made: xarray.Dataset = need("xarray").Dataset(data, coords=coords, attrs=attrs)
        return made

    def __repr__(self) -> str:
        count = f"{len(self.grains)} grains of " if len(self.grains) > 0 else ""
        return (f"<jager Snapshot at step {self.step}: {count}{len(self.spheres)} spheres, "
                f"{len(self.contacts)} contacts>")


class Snapshots(Sequence[Snapshot]):
    """The snapshots of a run, by rising step. Each is read when it is asked for, and again when it is asked again."""

    def __init__(self, places: list[tuple[int, Path]]) -> None:
        self._places = places

    @property
    def steps(self) -> list[int]:
        """The steps of all snapshots."""
        return [step for step, _ in self._places]

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Snapshot: ...

    @overload
    def __getitem__(self, index: slice) -> Snapshots: ...

    def __getitem__(self, index: int | slice) -> Snapshot | Snapshots:
        if isinstance(index, slice):
            return Snapshots(self._places[index])
        if not -len(self) <= index < len(self):
            raise IndexError(f"there are {len(self)} snapshots, and none has the index {index}")
        step, path = self._places[index]
        return Snapshot(step, *read_snapshot(path, step))

    def __repr__(self) -> str:
        return f"<{len(self)} jager snapshots" + (f", steps {self.steps[0]} to {self.steps[-1]}>" if self else ">")


def _find_snapshots(path: Path) -> Snapshots:
    """The files in snapshots/ if there are any: result.h5 takes them over at the end; a resumed run has them again."""
    places: list[tuple[int, Path]] = []
    for file in sorted((path / "snapshots").glob("*.h5")):
        if re.fullmatch(r"\d{9,}", file.stem):
            places.append((int(file.stem), file))
    if not places and (path / "result.h5").is_file():
        with H5File(path / "result.h5") as result:
            places = [(step, path / "result.h5") for step in result.snapshot_steps()]
    return Snapshots(sorted(places))


# ---- Texts -----------------------------------------------------------------------------------------------------------

def _summary_stages(summary: str) -> dict[int, str]:
    return {int(number): name for number, name in re.findall(r"^stage (\d+) (\S+) +steps to ", summary, re.MULTILINE)}


def _summary_step(summary: str) -> int | None:
    """The number of steps in the line `200 spheres, 398 contacts, 65075 steps`, also of `100 grains of 200 spheres`."""
    found = re.search(r"^(?:\d+ grains of )?\d+ spheres, \d+ contacts, (\d+) steps$", summary, re.MULTILINE)
    return int(found[1]) if found else None


def _plain(value: str) -> str:
    """A YAML scalar without quotation marks."""
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1].replace("''", "'") if value[0] == "'" else value[1:-1]
    return re.sub(r"\s+#.*", "", value)


def _case_title(text: str) -> str:
    found = re.findall(r"^(?:title: *|# --set title=)(.*)$", text, re.MULTILINE)
    return _plain(found[-1]) if found else ""


def _listed_models(text: str) -> list[str]:
    """The models of the last list of models in a case."""
    found = re.findall(r"(?:\bmodel: *|^# --set contact\.model=)\[([^\]]*)\]", text, re.MULTILINE)
    return [_plain(name) for name in found[-1].split(",") if name.strip()] if found else []


# ---- Runs ------------------------------------------------------------------------------------------------------------

class Run:
    """The directory of a run, finished or not; `jager.open` is the same.

    Files are read when something of them is asked for, and kept: an unfinished run grows, `reload` forgets what was
    read. A run of a case with lists has `members`, which are runs themselves.

    Args:
        path: the directory given to `jager run` with `-o`; or a folder in it, for a case with lists.

    Attributes:
        path: the directory.

    Raises:
        RunError: there is no such directory, or it holds no run.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        place = Path(path).expanduser()
        if not place.exists():
            raise RunError(f"{place}: there is no such directory")
        if not place.is_dir():
            raise RunError(f"{place}: is a file; give the directory of the run, {place.parent}")
        try:
            if not _is_run(place):
                raise RunError(f"{place}: is not the directory of a run: it has none of series.csv, "
                               "result.h5 and checkpoint.jck")
        except OSError as error:
            raise RunError(f"{place}: cannot be read: {error.strerror}") from error
        self.path = place

    def reload(self) -> Run:
        """Forgets everything that was read, so that it is read again. Returns the run."""
        path = self.path
        self.__dict__.clear()
        self.path = path
        return self

    def _table(self, name: str) -> tuple[Table, bool] | None:
        path = self.path / name
        return read_table(path) if path.is_file() else None

    # -- Tables --

    @cached_property
    def _series(self) -> tuple[Table, bool] | None:
        found = self._table("series.csv")
        lacks = [name for name in _SERIES_COLUMNS if found is not None and name not in (found[0].dtype.names or ())]
        if lacks:
            raise RunError(f"{self.path / 'series.csv'}:1: is not the series of a run: it has no column '{lacks[0]}'")
        return found

    @cached_property
    def _cycles(self) -> tuple[Table, bool] | None:
        return self._table("cycles.csv")

    @property
    def has_series(self) -> bool:
        """False in a directory that only holds the members of a case with lists."""
        return (self.path / "series.csv").is_file()

    @property
    def series(self) -> Table:
        """series.csv as a structured array of doubles, which cannot be written to. Copy it to change it.

        Raises:
            RunError: there is none, or it is damaged.
        """
        if self._series is None:
            hint = f"; it is in the members {', '.join(self.members)}" if self.members else ""
            raise RunError(f"{self.path}: has no series.csv{hint}")
        return self._series[0]

    @property
    def cycles(self) -> Table | None:
        """cycles.csv, likewise; None if no stage is cyclic."""
        return None if self._cycles is None else self._cycles[0]

    @cached_property
    def reduction(self) -> Table | None:
        """reduction.csv, with `model` as text; None if the case has no modulus reduction, or is not done."""
        found = self._table("reduction.csv")
        return None if found is None else found[0]

    @cached_property
    def resistance(self) -> Table | None:
        """resistance.csv, likewise; None if the case has no list of cyclic stress ratios, or is not done."""
        found = self._table("resistance.csv")
        return None if found is None else found[0]

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column of the series; "1" of numbers. Columns of a later version may be missing."""
        return units_of("series", self.series.dtype.names or ())

    # -- Texts --

    @cached_property
    def summary(self) -> str:
        """summary.txt; "" if the run has not come to its end."""
        path = self.path / "summary.txt"
        return read_text(path) if path.is_file() else ""

    @property
    def warnings(self) -> list[str]:
        """The warnings of the summary, and of all members, which are named."""
        own = [line[len("warning: "):] for line in self.summary.splitlines() if line.startswith("warning: ")]
        return own + [f"{name}: {text}" for name, member in self.members.items() for text in member.warnings]

    @cached_property
    def _checkpoint(self) -> dict[str, str]:
        reasons = []
        for name in _CHECKPOINTS:
            if (self.path / name).is_file():
                try:
                    return read_checkpoint_texts(self.path / name, ("run.input", "case.keys"))
                except RunError as error:
                    reasons.append(str(error))
        raise RunError("; ".join(reasons) if reasons else f"{self.path}: has no checkpoint.jck")

    @property
    def case(self) -> Case:
        """The case of the run, changes included: `run.case.changed({...})` is another one like it.

        Relative paths in it begin in the directory of the run.
        """
        from ._case import recorded_case
        return recorded_case(self.case_text, str(self.path / "case.yaml"))

    @cached_property
    def case_text(self) -> str:
        """The case file as it was read, with the `--set` options as comments at its end.

        It comes from the checkpoint, or from result.h5 if there is no checkpoint; for a list, from its first member.

        Raises:
            RunError: it is in neither file.
            JagerError: there is only result.h5, and h5py is not installed.
        """
        try:
            return self._checkpoint["run.input"]
        except RunError as error:
            if (self.path / "result.h5").is_file():
                with H5File(self.path / "result.h5") as result:
                    return result.text("input")
            if self.members and not self.has_series:
                return next(iter(self.members.values())).case_text
            raise RunError(f"{error}: the case is in it, or in result.h5, which is not there either") from error

    @property
    def case_keys(self) -> dict[str, str]:
        """The case as the program understood it: all keys with their values, in SI units and with defaults.

        Runs with the same keys have the same results. Title, names of stages and output are not among them.

        Raises:
            RunError: there is no checkpoint that can be read.
        """
        lines = self._checkpoint["case.keys"].splitlines()
        return {key: value for key, _, value in (line.partition(": ") for line in lines) if key}

    def _result_attribute(self, name: str) -> Any:
        """An attribute of result.h5; None if it cannot be had."""
        path = self.path / "result.h5"
        try:
            with H5File(path) as result:
                return result.attribute(name)
        except JagerError:
            return None

    @cached_property
    def title(self) -> str:
        """The title of the case; the name of the directory if it has none."""
        found = self._result_attribute("title")
        if not found:
            try:
                found = _case_title(self.case_text) or self.case.title
            except (JagerError, ImportError):  # ImportError: the files are read without the compiled extension
                found = ""
        return str(found) if found else self.path.resolve().name

    @cached_property
    def stages(self) -> list[str]:
        """The names of the stages by their numbers; 0 is packing. Names that are not known are `stage 1`, …"""
        try:
            last = max(int(self.series["stage"].max(initial=0)), self._stage_count())
        except RunError:
            return []
        names = {0: "packing", **self._stage_names(last)}
        return [names.get(number, f"stage {number}") for number in range(last + 1)]

    def _stage_count(self) -> int:
        try:
            keys = self.case_keys
        except RunError:
            return 0
        return max((int(key.split(".")[1]) + 1 for key in keys if key.startswith("stages.")), default=0)

    def _stage_names(self, last: int) -> dict[int, str]:
        """By number: from the summary, from result.h5, or from the case if it names as many."""
        names = _summary_stages(self.summary)
        if len(names) <= last:
            stored = self._result_attribute("stages")
            names = dict(enumerate(name.decode() for name in stored)) if stored is not None else names
        if len(names) <= last:
            try:
                names = dict(enumerate(self.case.stages))
            except (JagerError, ImportError):  # of a case with lists: its text has more stages than its runs
                pass
        return names

    # -- Members, snapshots, pictures --

    @cached_property
    def members(self) -> dict[str, Run]:
        """The runs of a case with lists, by their folders: models in the order of the case, ratios rising."""
        try:
            found = [entry for entry in self.path.iterdir() if entry.is_dir() and _MEMBER.fullmatch(entry.name)]
            runs = {entry.name: Run(entry) for entry in found if _is_run(entry)}
        except OSError as error:
            raise RunError(f"{self.path}: cannot be read: {error.strerror}") from error
        models = [name for name in runs if not name.startswith("csr-")]
        order: list[str] = []
        if models:
            try:
                order = _listed_models(runs[models[0]].case_text)
            except JagerError:
                order = []

        def rank(name: str) -> tuple[int, float, str]:
            if name.startswith("csr-"):
                return len(order) + 1, float(name[4:]), name
            return order.index(name) if name in order else len(order), 0.0, name

        return {name: runs[name] for name in sorted(runs, key=rank)}

    @cached_property
    def snapshots(self) -> Snapshots:
        """All snapshots, also of an unfinished run.

        Raises:
            JagerError: h5py is needed and not installed.
        """
        return _find_snapshots(self.path)

    @property
    def pictures(self) -> list[Path]:
        """The PNG pictures of the run, the most important first."""
        def rank(path: Path) -> tuple[int, str, int]:
            known = _PICTURES.index(path.stem) if path.stem in _PICTURES else len(_PICTURES)
            name, _, number = path.stem.rpartition("-")
            return (known, name, int(number)) if number.isdigit() else (known, path.stem, -1)

        return sorted(self.path.glob("*.png"), key=rank)

    # -- State --

    @property
    def is_complete(self) -> bool:
        """True if the run has come to its end, with all its members, and its files belong to this end."""
        return not self._missing()

    def _missing(self) -> list[str]:
        """What an unfinished run lacks, in words."""
        lacks = [f"{name} is not complete" for name, member in self.members.items() if not member.is_complete]
        if self.has_series:
            lacks += self._missing_of_itself()
        try:
            models = _listed_models(self.case_text) if not self.has_series else []
        except JagerError:
            models = []
        lacks += [f"{name} has not begun" for name in models if name not in self.members]
        has_ratios = any(name.startswith("csr-") for run in (self, *self.members.values()) for name in run.members)
        if has_ratios and not any((place / "resistance.csv").is_file() for place in (self.path, self.path / "..")):
            lacks.append("there is no resistance.csv")
        return lacks or ([] if self.has_series or self.members else ["there is no series.csv"])

    def _missing_of_itself(self) -> list[str]:
        lacks = [f"there is no {name}" for name in ("summary.txt", "result.h5") if not (self.path / name).is_file()]
        if lacks:
            return lacks
        step, steps = _summary_step(self.summary), self.series["step"]
        if step is None or len(steps) == 0 or step != steps[-1]:
            last = int(steps[-1]) if len(steps) > 0 else 0
            return [f"the summary belongs to step {step}, but the series ends at step {last}: the run was resumed"]
        return []

    @property
    def notes(self) -> list[str]:
        """What a reader should know about the files: lines left out, files that are missing or older than others."""
        notes = []
        for name in ("series", "cycles"):
            table = self._series if name == "series" else self._cycles
            if table is not None and table[1]:
                notes.append(f"the last line of {name}.csv is incomplete and left out")
        lacks = self._missing()
        return notes + (["not complete: " + "; ".join(lacks)] if lacks else [])

    # -- Other forms --

    def frame(self, stage: str | int | None = None) -> pandas.DataFrame:
        """The series as a pandas DataFrame, which may be changed.

        Args:
            stage: name or number of a stage, 0 is packing; by default all of them.
        """
        rows = self.series
        if stage is not None:
            number = self.stages.index(str(stage)) if stage in self.stages else stage
            if number not in range(len(self.stages)):
                raise RunError(f"{self.path}: there is no stage {stage!r}; there are {', '.join(self.stages)}")
            rows = rows[rows["stage"] == number]
        columns = {name: rows[name].copy() for name in rows.dtype.names or ()}
        made: pandas.DataFrame = need("pandas").DataFrame(columns)
        return made

    def to_xarray(self) -> xarray.Dataset:
        """The series as an xarray Dataset over `step`, with the attribute `units`, as in result.h5.

        A step occurs twice where a stage ends and the next one starts.
        """
        series, units = self.series, self.units
        names = [name for name in series.dtype.names or () if name != "step"]
        attributes = {name: {"units": units[name]} if name in units else {} for name in names}
        data = {name: ("step", series[name].copy(), attributes[name]) for name in names}
        coords = {"step": ("step", series["step"].copy(), {"units": "1"})}
        attrs = {"title": self.title, "stages": self.stages}
        made: xarray.Dataset = need("xarray").Dataset(data, coords=coords, attrs=attrs)
        return made

    def plot(self, **options: Any) -> Figure:
        """Draws the run as `jager.plot` does, with the same options."""
        from ._pictures.plot import plot
        return plot(self, **options)

    def _facts(self) -> list[tuple[str, str]]:
        """The content of the representations; never raises."""
        facts = [("state", "complete" if not _quietly(self._missing) else "not complete")]
        if self.members:
            facts.append(("members", ", ".join(self.members)))
        if self.has_series:
            try:
                facts += _series_facts(self)
            except JagerError as error:
                facts.append(("series", str(error)))
        for name in ("reduction", "resistance"):
            if (self.path / f"{name}.csv").is_file():
                facts.append((name, f"{name}.csv"))
        count = _quietly(lambda: len(self.snapshots))
        facts.append(("snapshots", str(count) if isinstance(count, int) else str(count)))
        return facts

    def __repr__(self) -> str:
        facts = ", ".join(text if name == "state" else f"{name}: {text}" for name, text in self._facts())
        warnings = _quietly(lambda: len(self.warnings))
        return f"<jager Run {self.title!r} in {str(self.path)!r}: {facts}, warnings: {warnings}>"

    def _repr_html_(self) -> str:
        rows = [("title", self.title), ("path", str(self.path)), *self._facts()]
        cells = "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
                        f"<td style='text-align:left'>{html.escape(text)}</td></tr>" for name, text in rows)
        marked = _quietly(lambda: [*self.warnings, *self.notes])
        texts = marked if isinstance(marked, list) else [str(marked)]
        items = "".join(f"<li>{html.escape(text)}</li>" for text in texts)
        below = f"<p><strong>Warnings and notes</strong></p><ul>{items}</ul>" if items else "<p>No warnings.</p>"
        return f"<div><table>{cells}</table>{below}</div>"


def _quietly(function: Any) -> Any:
    """What the function returns, or the text of its error."""
    try:
        return function()
    except JagerError as error:
        return str(error)


_LAST_VALUES = (("p", 1e-3, "kPa"), ("q", 1e-3, "kPa"), ("void_ratio", 1.0, ""), ("coordination", 1.0, ""))


def _series_facts(run: Run) -> list[tuple[str, str]]:
    series = run.series
    facts = [("stages", ", ".join(run.stages)), ("series", f"{len(series)} lines")]
    if len(series) > 0:
        facts[-1] = ("series", f"{len(series)} lines to step {int(series['step'][-1])}")
        known = [value for value in _LAST_VALUES if value[0] in (series.dtype.names or ())]
        texts = (f"{name} {factor * series[name][-1]:.4g} {unit}".rstrip() for name, factor, unit in known)
        facts.append(("last line", "; ".join(texts)))
    return facts


def _is_run(path: Path) -> bool:
    if any((path / name).is_file() for name in _FILES):
        return True
    return any(entry.is_dir() and _MEMBER.fullmatch(entry.name) and _is_run(entry) for entry in path.iterdir())


def open(path: str | os.PathLike[str]) -> Run:
    """Opens the directory of a run, finished or not.

    Args:
        path: the directory given to `jager run` with `-o`; or a folder in it, for a case with lists.

    Raises:
        RunError: there is no such directory, or it holds no run.
    """
    return Run(path)
