# SPDX-License-Identifier: MIT
"""Sweeps: one case with many values of some keys, runs side by side."""
from __future__ import annotations

import concurrent.futures
import csv
import hashlib
import html
import io
import itertools
import math
import os
import pathlib
import re
import threading
import time
from typing import Any, Callable, Iterable, Mapping

import numpy as np

from ._case import Case, CaseLike, as_case, changed_quietly, recorded_case, warn
from ._errors import FormatError, JagerError, RunError
from ._figures import figures_of
from ._formats.text_file import write_lines
from ._library import thread_count, yaml_value
from ._running import POLL, Meter, Progress, ProgressLike, _shower
from ._runs import _CHECKPOINTS, Run, _is_run
from ._runs import open as open_run
from ._simulation import Simulation

TABLE = "sweep.csv"
SEED = "seed"
NAME_MAX = 120  # letters of the name of a folder


class Sweep:
    """The runs of a sweep.

    Attributes:
        path: directory of all runs.
        keys: the keys that differ.
        values: their values as texts, one tuple for each run.
        runs: the finished runs, in the same order.
        figures: of each run, by name: the figures of its summary.
    """

    def __init__(self, path: pathlib.Path, keys: list[str], values: list[tuple[str, ...]], runs: list[Run]) -> None:
        self.path, self.keys, self.values, self.runs = path, keys, values, runs
        self.figures = [figures_of(run) for run in runs]

    def names(self) -> list[str]:
        """The names of all figures, in the order of the summaries."""
        return list(dict.fromkeys(name for figures in self.figures for name in figures))

    def rows(self) -> list[dict[str, Any]]:
        """One dict for each run: its values, its directory, its figures (nan where a run has none)."""
        names = self.names()
        return [{**dict(zip(self.keys, values)), "run": str(run.path), **{name: figures.get(name, math.nan) for name in
                                                                         names}}
                for values, run, figures in zip(self.values, self.runs, self.figures)]

    def groups(self) -> list[dict[str, Any]]:
        """Runs that differ in their seed only, together: count, and (mean, standard deviation) of each figure."""
        others = [k for k, key in enumerate(self.keys) if key != SEED]
        groups: dict[tuple[str, ...], list[int]] = {}
        for index, values in enumerate(self.values):
            groups.setdefault(tuple(values[k] for k in others), []).append(index)
        return [{**{self.keys[k]: value for k, value in zip(others, chosen)}, "count": len(members),
                 **{name: _mean_and_deviation([self.figures[m].get(name, math.nan) for m in members])
                    for name in self.names()}} for chosen, members in groups.items()]

    def frame(self) -> Any:
        """The rows as a pandas.DataFrame; values that are numbers are numbers in it."""
        try:
            import pandas
        except ImportError as missing:
            raise ImportError("pandas is needed: apt install python3-pandas, or pip install pandas") from missing
        table = pandas.DataFrame(self.rows())
        for key in self.keys:
            try:
                table[key] = pandas.to_numeric(table[key])
            except ValueError:  # texts, or numbers with units
                pass
        return table

    def plot(self, **options: Any) -> Any:
        """All runs in one picture, with the seeds of one case as a band; options as in jager.plot."""
        from ._pictures.plot import plot
        return plot(*self.runs, **options)

    def write(self) -> pathlib.Path:
        """Writes the rows to sweep.csv in the directory of the sweep; a RunError if it cannot be written."""
        rows, target, text = self.rows(), self.path / TABLE, io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(rows[0])
        writer.writerows([repr(cell) if isinstance(cell, float) else cell for cell in row.values()] for row in rows)
        try:
            write_lines(str(target), [text.getvalue().removesuffix("\n")], force=True)
        except FormatError as error:
            raise RunError(str(error)) from error
        return target

    def __str__(self) -> str:
        return "\n".join("\n".join(_group_lines(group)) for group in self.groups())

    def __repr__(self) -> str:
        return f"<jager.Sweep of {len(self.runs)} runs over {', '.join(self.keys)} in {str(self.path)!r}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def _mean_and_deviation(values: list[float]) -> tuple[float, float]:
    known = np.array([value for value in values if not math.isnan(value)])
    if known.size == 0:
        return math.nan, math.nan
    return float(known.mean()), float(known.std(ddof=1)) if known.size > 1 else math.nan


def _group_lines(group: dict[str, Any]) -> Iterable[str]:
    chosen = ", ".join(f"{key} {value}" for key, value in group.items()
                       if key != "count" and not isinstance(value, tuple))
    yield f"{chosen or 'all runs'}: {group['count']} run{'s' if group['count'] > 1 else ''}"
    for name, value in group.items():
        if isinstance(value, tuple) and not math.isnan(value[0]):
            spread = "" if math.isnan(value[1]) else f" ± {value[1]:.2g}"
            yield f"    {name:<40} {value[0]:.5g}{spread}"


# ---- The runs of a sweep ---------------------------------------------------------------------------------------------


class _Member:
    """One run of a sweep."""

    def __init__(self, case: Case, values: tuple[str, ...], directory: pathlib.Path) -> None:
        self.case, self.values, self.directory = case, values, directory
        self.fraction = 0.0

    def watch(self, now: Progress) -> None:
        """Keeps how far the run is."""
        count = max(now.stage_count, 1) + 1
        self.fraction = max(self.fraction, min(1.0, (now.stage + now.fraction) / count))  # packing goes up and down


def _member_name(keys: list[str], values: tuple[str, ...]) -> str:
    def plain(text: str) -> str:
        return re.sub(r"[^A-Za-z0-9.+-]+", "_", text).strip("_")
    name = "_".join(f"{plain(key.rsplit('.', 1)[-1])}-{plain(value)}" for key, value in zip(keys, values))
    return name if len(name) <= NAME_MAX else f"{name[:NAME_MAX - 9]}-{_digest(values)}"


def _digest(values: object) -> str:
    """Eight hexadecimal digits of texts in tuples."""
    return hashlib.sha256(repr(values).encode(errors="surrogateescape")).hexdigest()[:8]


def _members(case: Case, keys: list[str], lists: list[list[str]], out: pathlib.Path) -> list[_Member]:
    members, names = [], set()
    for values in itertools.product(*lists):
        name = _member_name(keys, values)
        if name in names:
            raise ValueError(f"two runs of the sweep would have the directory '{name}': a value is there twice, or "
                             "values differ only in signs that a name cannot have")
        names.add(name)
        changed = changed_quietly(case, [f"{key}={value}" for key, value in zip(keys, values)])
        if changed.warnings not in ("", case.warnings):
            warn(changed.warnings)
        members.append(_Member(changed, values, out / name))
    return members


# Keys that do not matter for the state at the end of packing, if its friction is given. (The damping of the case does:
# it sets the first time step of a packing. Runs that share a packing take it from the first run that needs it.)
_AFTER_PACKING = ("stages.", "trace.", "damping.")
_FRICTION = "material.friction"
_SHORTENING = ("contact.tolerance", "contact.dp_max")  # of histories, which matter if there is friction


def _packing_key(case: Case) -> tuple[tuple[str, str], ...] | None:
    """Equal for cases with the same packing; None: there is none that could be shared."""
    keys = case.keys
    if not case.has_packing or case.has_lists or any(key in keys for key in ("assembly.packing.void_ratio",
                                                                             "assembly.packing.relative_density")):
        return None
    others = {_FRICTION, *(_SHORTENING if float(keys["assembly.packing.friction"]) == 0.0 else ())}
    return tuple((key, value) for key, value in keys.items()
                 if not key.startswith(_AFTER_PACKING) and key not in others)


def _packing_case(case: Case) -> Case:
    """The packing alone: its file is the same whichever run asks for it first."""
    held = {name: {"strain_rate": 0} for name in ("xx", "yy", "zz")}
    changes: dict[str, object] = {"stages": [{"name": "held", "control": held, "until": {"steps": 1}}]}
    if any(key.startswith("trace.") for key in case.keys):
        changes["trace"] = []
    return changed_quietly(case, changes)


def _packing_of(path: pathlib.Path) -> tuple[tuple[str, str], ...] | None:
    """The key of a packing in a file; None: there is no file, or it is damaged."""
    try:
        return _packing_key(Simulation.restore(path, threads=1).case)
    except (OSError, JagerError):
        return None


class _Work:
    """The work of a sweep: packings that are shared first, then the runs."""

    def __init__(self, members: list[_Member], out: pathlib.Path, threads: int, force: bool) -> None:
        self.members, self.out, self.threads, self.force = members, out, threads, force
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._packings: dict[Any, threading.Lock] = {}
        self._made: set[Any] = set()
        keys = [_packing_key(member.case) for member in members]
        self._shared = {key for key in keys if key is not None and keys.count(key) > 1}

    def check(self) -> None:
        """Called by each run now and then: an exception stops it with a checkpoint."""
        if self.stopping.is_set():
            raise RunError("the sweep was stopped")

    def _packing_file(self, key: object) -> pathlib.Path:
        """Of this packing in every sweep, whatever its other runs are."""
        return self.out.resolve() / f"packing-{_digest(key)}.jck"

    def _started_from_packing(self, member: _Member) -> Case | None:
        """The case of the member, starting from a packing; None: it has none that could be shared."""
        key = _packing_key(member.case)
        if key is None:
            return None
        return changed_quietly(member.case, {"assembly": {"checkpoint": self._packing_file(key)}})

    def _pack(self, case: Case) -> None:
        """Makes the shared packing of a case, unless it is there."""
        key = _packing_key(case)
        with self._lock:
            lock = self._packings.setdefault(key, threading.Lock())
        with lock:
            self.check()
            path = self._packing_file(key)
            if key not in self._made and (self.force or _packing_of(path) != key):
                simulation = Simulation(_packing_case(case), threads=self.threads)
                if simulation.stage == 0:
                    simulation._advance(2**62, True, self.check)
                simulation.checkpoint(path)
            self._made.add(key)

    def _earlier(self, member: _Member) -> Run | None:
        """What an earlier sweep has left of this run; None: nothing, or it is to be replaced.

        Raises:
            RunError: there is a run that cannot be continued.
        """
        directory = member.directory
        if self.force or not directory.is_dir() or not _is_run(directory):
            return None
        find = directory.rglob if member.case.has_lists else directory.glob
        if not any(path.is_file() for name in _CHECKPOINTS for path in find(name)):
            raise RunError("has a run without a checkpoint: force=True replaces it, or take another directory")
        return open_run(directory)

    def _case_to_continue(self, member: _Member, earlier: Run) -> Case:
        """The case of the earlier run, which may have started from a shared packing or not. C compares lists."""
        if member.case.has_lists:
            return member.case
        for case in (member.case, self._started_from_packing(member)):
            if case is not None and _without_folder(case.text) == _without_folder(earlier.case_text):
                return recorded_case(earlier.case_text, case._path, case.path is not None)
        raise RunError("has a run of another case: force=True replaces it, or take another directory")

    def run(self, member: _Member) -> Run:
        """Makes, continues or reads the run of a member."""
        self.check()
        earlier = self._earlier(member)
        if earlier is not None:
            case = self._case_to_continue(member, earlier)
            is_done = earlier.is_complete and (not case.has_lists or _is_family_of(earlier, case))
        else:
            case, is_done = member.case, False
            if _packing_key(case) in self._shared:
                self._pack(case)
                case = self._started_from_packing(member) or case

        def watch(now: Progress) -> None:
            self.check()
            member.watch(now)
        run = earlier if earlier is not None and is_done else case.run(
            member.directory, threads=self.threads, resume=earlier is not None, force=self.force, progress=watch)
        member.fraction = 1.0
        return run


def _without_folder(text: str) -> str:
    """The text of a case without the folder of its packing: a sweep may be moved."""
    return re.sub(r'(\n# --set assembly=\{checkpoint: ").*/(packing-[0-9a-f]{8}\.jck"\}\n)', r"\1\2", text)


def _is_family_of(run: Run, case: Case) -> bool:
    """Is this the run of a case with lists? Its members have the text of the case with more settings."""
    return bool(run.members) and all(member.case_text.startswith(case.text) if member.has_series else
                                     _is_family_of(member, case) for member in run.members.values())


def _texts(values: object) -> list[str]:
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        values = [values]
    texts = [yaml_value(value) for value in values]
    if not texts:
        raise ValueError("a key of a sweep has no values")
    return texts


def sweep(case: CaseLike, over: Mapping[str, object], out: str | os.PathLike[str], *, workers: int = 0,
          threads: int = 1, force: bool = False, progress: ProgressLike = None) -> Sweep:
    """Runs a case for all combinations of values, side by side; called again, it continues where it was stopped.

    A run that is complete is not made again, one that was stopped is resumed; one of another case, or without a
    checkpoint, is replaced only by force. Runs whose packing is the same start from one packing, which is made once, in
    `out`/packing-NAME.jck.

    Args:
        case: a Case, or anything that Case takes.
        over: keys and their values, {"seed": range(1, 11), "material.friction": [0.3, 0.5]}.
        out: directory of the sweep; each run has a folder of its own in it, and runs of earlier calls stay. The table
            of the figures of this call is `out`/sweep.csv.
        workers: runs at a time; 0: as many as there are processors.
        threads: of each run.
        force: makes all runs anew, and replaces those that are there.
        progress: as in Case.run; a function gets a Progress of all runs.

    Returns:
        The runs with their figures, and means over seeds.

    Raises:
        RunError: a run has failed; the others are finished first.
    """
    base, directory = as_case(case), pathlib.Path(out).expanduser()
    if not over:
        raise ValueError("a sweep needs keys and their values, such as {'seed': range(1, 11)}")
    if workers < 0:
        raise ValueError(f"the number of workers, {workers}, must be 1 or more, or 0: as many as there are processors")
    keys, lists = [str(key) for key in over], [_texts(values) for values in over.values()]
    members = _members(base, keys, lists, directory)
    directory.mkdir(parents=True, exist_ok=True)
    work = _Work(members, directory, thread_count(threads), force)
    runs = _execute(work, workers or os.cpu_count() or 1, _shower(progress))
    result = Sweep(directory, keys, [member.values for member in members], runs)
    result.write()
    return result


def _execute(work: _Work, workers: int, show: Callable[[Progress], object] | None) -> list[Run]:
    """All runs, with progress over all. Ctrl-C stops them with checkpoints."""
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(work.run, member) for member in work.members]
        try:
            while not all(future.done() for future in futures):
                time.sleep(POLL)
                if show:
                    show(_overall(work.members, futures))
        except BaseException as problem:
            work.stopping.set()
            for future in futures:
                future.cancel()
            if type(problem) is KeyboardInterrupt:
                raise KeyboardInterrupt(f"stopped; the same sweep continues in {work.out}") from None
            raise
        finally:
            if isinstance(show, Meter):
                show.end()
    failures = [(member, future.exception()) for member, future in zip(work.members, futures) if future.exception()]
    if failures:
        texts = "\n".join(f"{member.directory}: {failure}" for member, failure in failures)
        raise RunError(f"{len(failures)} of {len(futures)} runs have failed:\n{texts}") from failures[0][1]
    return [future.result() for future in futures]


def _overall(members: list[_Member], futures: list[concurrent.futures.Future[Run]]) -> Progress:
    done = sum(future.done() for future in futures)
    fraction = sum(member.fraction for member in members) / len(members)
    return Progress(done, len(members), "runs", fraction, 0, 0)
