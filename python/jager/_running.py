# SPDX-License-Identifier: MIT
"""Long work of C: it goes on in a thread of its own, while the calling one shows progress and waits for Ctrl-C."""
from __future__ import annotations

import _thread
import os
import sys
import threading
from typing import Any, Callable, NamedTuple, Union

from ._case import Case, warn
from ._errors import RunError
from ._library import c_path, raise_fault, take_text, thread_count
from ._native import ffi, lib
from ._runs import Run

POLL = 0.1  # s between two looks at a run


class Progress(NamedTuple):
    """How far a run is. Of a case with lists, `stage` and `stage_count` are the runs that are done, and all."""

    stage: int
    stage_count: int
    stage_name: str
    fraction: float
    step: int
    contacts: int


ProgressLike = Union[bool, Callable[[Progress], object], None]


class Meter:
    """Shows progress as one line of text that is written again and again."""

    def __init__(self) -> None:
        self._width = 0

    def __call__(self, now: Progress) -> None:
        line = f"{now.stage_name or 'starting'} ({now.stage} of {now.stage_count})  {100.0 * now.fraction:5.1f} %"
        line += f"  step {now.step}  {now.contacts} contacts" if now.step > 0 else ""
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def end(self) -> None:
        """Removes the line."""
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()


def _is_seen() -> bool:
    """Is there somebody who sees a line on stderr change: a terminal, or a notebook, whose kernel replaces stderr?"""
    return sys.stderr.isatty() or type(sys.stderr).__module__.partition(".")[0] == "ipykernel"


def _shower(progress: ProgressLike) -> Callable[[Progress], object] | None:
    if callable(progress):
        return progress
    return Meter() if progress or (progress is None and _is_seen()) else None


class Watch:
    """The C library's view of a run from another thread."""

    def __init__(self) -> None:
        handle = lib.binding_watch_create()
        if handle == ffi.NULL:
            raise MemoryError("no memory to watch a run")
        self.c = ffi.gc(handle, lib.binding_watch_destroy)

    def stop(self) -> None:
        """Ends the run after its present step, with a checkpoint."""
        lib.binding_watch_stop(self.c)

    def progress(self) -> Progress:
        """How far the run is."""
        now = lib.binding_watch_progress(self.c)
        return Progress(now.stage, now.stage_count, ffi.string(now.stage_name).decode(), now.fraction, now.step,
                        now.contacts)

    def notices(self) -> list[str]:
        """The notices of the run that were not yet taken."""
        found = []
        while (text := take_text(lib.binding_watch_notice(self.c))):
            found.append(text.rstrip("\n"))
        return found


class Worker:
    """Work for C in a thread of its own, `work(watch, error)`, which keeps what C uses.

    Ctrl-C may come at any moment in the thread that waits. threading.Thread is of no use then: an interrupted start
    does not tell whether the thread begins, an interrupted join takes it for dead, and an interrupted Event may keep
    its lock. Here one operation decides whether the thread begins or the caller withdraws the work.
    """

    def __init__(self, work: Callable[[Any, Any], Any]) -> None:
        self.watch, self.error = Watch(), ffi.new("binding_error *")
        self._work = work
        self._taken: dict[str, str] = {}  # "by": whoever came first, the thread or the caller
        self._is_over = False
        self._end = threading.Lock()  # the thread releases it at its end
        self._end.acquire()
        self._results: list[Any] = []
        self._problems: list[BaseException] = []

    def start(self) -> None:
        """Starts the thread, once."""
        _thread.start_new_thread(self._go, ())

    def _go(self) -> None:
        if self._taken.setdefault("by", "thread") != "thread":
            return
        try:
            self._results.append(self._work(self.watch.c, self.error))
        except BaseException as problem:
            self._problems.append(problem)
        finally:
            self._is_over = True
            self._end.release()

    def withdraw(self) -> bool:
        """The work does not begin any more. False: it has begun."""
        return self._taken.setdefault("by", "caller") == "caller"

    def has_ended(self, seconds: float = 0.0) -> bool:
        """Waits for the end, but not longer than this."""
        if not self._is_over:
            self._end.acquire(timeout=seconds)
        return self._is_over

    def may_use(self) -> bool:
        """Does the work use its objects, now or soon?"""
        return not self._is_over and self._taken.get("by") != "caller"

    def result(self) -> Any:
        """What the work has returned, after its end."""
        if self._problems:
            raise self._problems[0]
        return self._results[0]


def _wait(worker: Worker, show: Callable[[Progress], object] | None) -> BaseException | None:
    """Starts the run and waits for its end. Ctrl-C, or an exception of the progress function, stops it and is returned;
    when it comes again the run is stopped again. At the end the thread has ended, or never begins."""
    interrupt: BaseException | None = None
    while True:
        try:
            if interrupt is None:
                worker.start()
            else:
                worker.watch.stop()
                if worker.withdraw():
                    return interrupt
            while not worker.has_ended(POLL):
                if show and interrupt is None:
                    show(worker.watch.progress())
            return interrupt
        except BaseException as problem:  # also KeyboardInterrupt: the run must end before anything else happens
            if interrupt is None:
                interrupt = problem


def compute(work: Callable[[Any, Any], Any]) -> None:
    """Lets C compute in a thread of its own, so that Ctrl-C stops it. `work(watch, error)` is false after an error."""
    worker = Worker(work)
    interrupt = _wait(worker, None)
    if interrupt is not None:
        raise interrupt
    if not worker.result():
        raise_fault(worker.error)


def execute(worker: Worker, directory: str, progress: ProgressLike) -> Run:
    """Lets the worker make a run, and returns the finished run."""
    show = _shower(progress)
    interrupt = _wait(worker, show)
    if isinstance(show, Meter):
        show.end()
    if interrupt is not None and not worker.has_ended():
        raise interrupt  # before the run began
    outcome = ffi.gc(ffi.new("binding_outcome *", worker.result()), lib.binding_outcome_free)
    for notice in worker.watch.notices():
        warn(notice)
    if interrupt is not None:
        if isinstance(interrupt, KeyboardInterrupt) and outcome.ending == lib.BINDING_STOPPED:
            raise KeyboardInterrupt(f"stopped at step {outcome.steps}; resume=True continues the run in {directory}")
        if outcome.ending == lib.BINDING_NOT_COMPLETED:
            try:
                _raise_failure(worker.error, outcome)
            except Exception as failure:
                raise interrupt from failure
        raise interrupt
    if outcome.ending == lib.BINDING_STOPPED:
        raise RunError(f"the run in {directory} was stopped at step {outcome.steps}; resume=True continues it")
    if outcome.ending != lib.BINDING_COMPLETED:
        _raise_failure(worker.error, outcome)
    return _judge(Run(directory), bool(outcome.is_nonsense))


def _raise_failure(error: Any, outcome: Any) -> None:
    fault = error.fault
    try:
        raise_fault(error)
    except (RunError, OSError) as failure:
        text = str(failure)
        if fault in (lib.BINDING_RUN_EXISTS, lib.BINDING_RUN_RESUMABLE):
            text += ": resume=True continues it, " if fault == lib.BINDING_RUN_RESUMABLE else ": "
            text += "force=True replaces it; or give another directory"
        if outcome.checkpoint != ffi.NULL:
            text += f"; the last good state is kept in {ffi.string(outcome.checkpoint).decode(errors='replace')}"
        raise type(failure)(text) from None


def _judge(run: Run, is_nonsense: bool) -> Run:
    for text in run.warnings:
        warn(f"{run.path}: {text}")
    if is_nonsense:
        raise RunError(f"the result in {run.path} makes no sense: a stress is off by more than its target, the "
                       "energy balance is off by more than half, or numbers are not finite; jager.open shows it")
    return run


def run_settings(directory: str, threads: int, resume: bool, force: bool, case: Case) -> tuple[Any, list[Any]]:
    """The settings of a run for C, and the objects that keep them alive."""
    if resume and force:
        raise ValueError("resume continues a run and force replaces it: give only one of them")
    def text(value: bytes) -> Any:
        kept.append(ffi.new("char[]", value))
        return kept[-1]

    kept: list[Any] = []
    given = {"dir": text(c_path(directory)), "threads": thread_count(threads), "resume": resume, "force": force,
             "command": text(b"python: jager")}
    if case.path is not None:
        given["case_file"] = text(c_path(case.path))
    if sys.executable:  # this interpreter draws the pictures, in a process of its own
        given["python"] = text(c_path(sys.executable))
        given["package"] = text(c_path(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    return ffi.new("binding_run_settings *", given), kept


def run_case(case: Case, directory: str, threads: int, resume: bool, force: bool, progress: ProgressLike) -> Run:
    """A run of a case, also of one with lists."""
    settings, kept = run_settings(directory, threads, resume, force, case)

    def work(watch: Any, error: Any, _kept: object = kept) -> Any:
        return lib.binding_case_run(case._c, settings, watch, error)
    return execute(Worker(work), directory, progress)
