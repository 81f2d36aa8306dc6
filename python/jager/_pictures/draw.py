# SPDX-License-Identifier: MIT
"""All pictures of a run from its files, and the process that draws for the program `jager`."""
from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .._errors import JagerError
from .._runs import Run
from . import series as _series
from .assembly import StageEnd, draw_grading, draw_grains, draw_rose, plane_of
from .contact import draw_contact
from .cycles import draw_cycles
from .impact import draw_impact
from .moduli import draw_moduli
from .ready_tests import draw_ready_test
from .style import own_settings, picture_bytes, save

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Picture(NamedTuple):
    """A picture of a run: the name of its files without their endings, what it shows, and how it is drawn."""

    name: str
    shows: str
    draw: Callable[[], "Figure | None"]  # None: there is nothing of this kind


# ---- Pictures of a run -----------------------------------------------------------------------------------------------

def _case_title(run: Run) -> str:
    """Without a title in the case there is none in the picture, either."""
    return run.title if run.title != run.path.resolve().name else ""


def _is_within_reduction(stages: Sequence[str], stage: int) -> bool:
    """The stages of a modulus reduction, NAME-rest-1, NAME-1, NAME-rest-2, …, end with the last of them."""
    if re.search(r"-rest-\d+$", stages[stage]):
        return True
    later = re.sub(r"-(\d+)$", lambda of: f"-rest-{int(of[1]) % 100 + 1}", stages[stage])
    return later != stages[stage] and later in stages[stage + 1:stage + 2]


def _stage_ends(run: Run) -> Iterator[tuple[int, int]]:
    """Stages that have ended with a snapshot, and its place in `run.snapshots`."""
    steps = {step: i for i, step in enumerate(run.snapshots.steps)}
    stage, step = run.series["stage"].astype(int), run.series["step"].astype(int)
    for number in sorted(set(stage.tolist())):
        last = int(step[stage == number].max())
        has_ended = number < stage[-1] or run.is_complete
        if has_ended and last in steps and not _is_within_reduction(run.stages, number):
            yield number, steps[last]


def _draw_stage(run: Run, title: str, stage: int, place: int, draw: Callable[[StageEnd, str], Figure]) -> Figure:
    return draw(StageEnd(run.snapshots[place], stage, run.stages[stage], plane_of(run.case_keys, stage)), title)


def _draw_grading(run: Run, title: str) -> Figure:
    return draw_grading(run.snapshots[-1], title)


def _draw_series(run: Run, title: str, name: str) -> Figure:
    return _series.draw_series(name, _series.source_of(run), title)


def _pictures(run: Run) -> Iterator[Picture]:
    title = _case_title(run)
    for name in ("reduction", "resistance"):
        if getattr(run, name) is not None:
            yield Picture(name, f"{name}.csv", partial(draw_ready_test, run, name, title))
    if not run.has_series:
        return
    for name in _series.PICTURES:
        yield Picture(name, "series.csv", partial(_draw_series, run, title, name))
    if run.cycles is not None:
        yield Picture("cycles", "cycles.csv", partial(draw_cycles, run, title))
    if len(run.snapshots) > 0:
        yield Picture("grading", "the grading", partial(_draw_grading, run, title))
        for stage, place in _stage_ends(run):
            end = partial(_draw_stage, run, title, stage, place)
            yield Picture(f"grains-{stage}", f"the assembly at the end of stage {stage}", partial(end, draw_grains))
            yield Picture(f"rose-{stage}", f"contact directions at the end of stage {stage}", partial(end, draw_rose))


def _remove_stale(run: Run, drawn: Sequence[str]) -> None:
    """Pictures of stages that the run, since it was resumed with another case, does not have."""
    for path in run.path.iterdir():
        if re.fullmatch(r"(grains|rose)-\d+\.(png|svg)", path.name) and path.stem not in drawn:
            path.unlink(missing_ok=True)


class Drawn(NamedTuple):
    """Names of pictures that were drawn, and a line for each that could not be."""

    names: list[str]
    problems: list[str]


def draw_run(run: Run, only: Sequence[str] = ()) -> Drawn:
    """Draws the pictures of a run, not of its members, into its directory.

    Args:
        run: finished or not.
        only: names of pictures, such as "cycles"; default: all that there can be.
    """
    drawn, known, problems = [], [], []
    for name, shows, draw in _pictures(run):
        known.append(name)
        if only and name not in only:
            continue
        try:
            with own_settings():
                figure = draw()
                if figure is not None:
                    save(figure, run.path, name)
                    drawn.append(name)
        except (JagerError, OSError, ValueError, KeyError, MemoryError) as problem:
            reason = " ".join(str(problem).split()) or type(problem).__name__
            problems.append(f"no picture of {shows}: {reason}")
    if not only and run.has_series:
        _remove_stale(run, known)
    return Drawn(drawn, list(dict.fromkeys(problems)))


# ---- The child process of the program --------------------------------------------------------------------------------

_COMMANDS: dict[str, Callable[[dict[str, Any]], "Figure"]] = {
    "contact": draw_contact, "impact": draw_impact, "moduli": draw_moduli}


def main(words: Sequence[str]) -> int:
    """What the program starts (src/run/drawer.h).

    `run DIR [NAME...]` draws the pictures of a run and prints a line for each problem. `contact png`, `impact svg`,
    `moduli pdf` … read numbers as JSON from stdin and write a picture to stdout. The last line, "jager: drawn N", shows
    the program that nothing is missing.
    """
    command, what, *names = words
    if command == "run":
        drawn, problems = draw_run(Run(Path(what)), names)
        result, count = "\n".join(problems).encode(errors="replace"), len(drawn)
    else:
        with own_settings():
            result, count = picture_bytes(_COMMANDS[command](json.load(sys.stdin)), what), 1
    sys.stdout.buffer.write(result + f"\njager: drawn {count}\n".encode())
    sys.stdout.buffer.flush()
    return 0
