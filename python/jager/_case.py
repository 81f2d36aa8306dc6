# SPDX-License-Identifier: MIT
"""Cases: the description of a run, from a file, a text or a dict."""
from __future__ import annotations

import html
import json
import os
import sys
import warnings
from typing import TYPE_CHECKING, Any, Mapping, Sequence, Union

from ._errors import JagerError
from ._library import c_path, raise_fault, settings_of, take_text, text_array
from ._native import ffi, lib

if TYPE_CHECKING:
    from ._running import ProgressLike
    from ._runs import Run

CaseLike = Union["Case", str, "os.PathLike[str]", Mapping[str, Any]]
Changes = Union[Mapping[str, Any], Sequence[str], None]

_CHANGE = "# --set "
TEXT_NAME = "case.yaml"  # of a text, in messages; paths in the case begin in the working directory


class JagerWarning(UserWarning):
    """Something unusual in a case, or doubtful in a result."""


def warn(text: str) -> None:
    """Warns with the place at which the package was called."""
    package, level, frame = __name__.partition(".")[0], 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, JagerWarning, stacklevel=level)


class Case:
    """A case: everything that a run depends on (docs/case.md). A case never changes; `changed` makes another one. Its
    file is read once.

    Args:
        source: the path of a case file, a text of YAML (with line ends), a dict of the same structure, or a Case.
        changes: values to change, {"material.friction": 0.3}; keys are paths as in `jager run --set`. Texts may have
            units ("100 kPa") and are YAML, numbers are SI, dicts and lists replace whole blocks.

    Raises:
        CaseError: the case is wrong; the text shows file, line, column and a caret for each mistake.
    """

    _path: str
    _text: str | None  # without changes; None: it is still in the file
    _settings: list[str]
    _has_file: bool
    warnings: str  #: what is unusual in it; "" if nothing is

    def __init__(self, source: CaseLike, changes: Changes = None) -> None:
        more = settings_of(changes)
        if isinstance(source, Case):
            self._path, self._text, self._settings = source._path, source._text, [*source._settings, *more]
            self._has_file = source._has_file
        else:
            self._path, self._text = _path_and_text(source)
            self._settings, self._has_file = more, self._text is None
        self._read()
        if self.warnings:
            warn(self.warnings)

    def _read(self) -> None:
        settings, kept = text_array(self._settings)
        error, messages = ffi.new("binding_error *"), ffi.new("char **")
        text = ffi.NULL if self._text is None else self._text.encode()
        size = 0 if self._text is None else len(text)
        handle = lib.binding_case_read(c_path(self._path), text, size, settings, len(self._settings), messages, error)
        del kept
        if handle == ffi.NULL:
            raise_fault(error, of_case=True)
        self._c = ffi.gc(handle, lib.binding_case_destroy)
        self.warnings = take_text(messages[0]).rstrip("\n")
        if self._text is None:
            self._text = _without_lines(self.text, len(self._settings))

    def changed(self, changes: Changes) -> Case:
        """The same case with other values."""
        return Case(self, changes)

    @property
    def path(self) -> str | None:
        """The case file; None if the case comes from a text."""
        return self._path if self._has_file else None

    @property
    def text(self) -> str:
        """The text of the case, with all changes as comments at its end."""
        return str(ffi.string(lib.binding_case_input(self._c)).decode())

    @property
    def title(self) -> str:
        """The title."""
        return str(ffi.string(lib.binding_case_title(self._c)).decode())

    @property
    def stages(self) -> list[str]:
        """The names of the stages, by number; 0 is packing."""
        count = lib.binding_case_stage_count(self._c)
        return [ffi.string(lib.binding_case_stage_name(self._c, k)).decode() for k in range(count + 1)]

    @property
    def keys(self) -> dict[str, str]:
        """Everything that results depend on, with defaults and in SI units, by key. Equal keys give equal runs."""
        lines = _told(lib.binding_case_keys(self._c)).splitlines()
        return dict(line.split(": ", 1) for line in lines)

    @property
    def has_packing(self) -> bool:
        """Does the case make a packing?"""
        return bool(lib.binding_case_has_packing(self._c))

    @property
    def has_lists(self) -> bool:
        """Does the case have lists of models or stress ratios, each of whose values has a run of its own?"""
        return bool(lib.binding_case_has_lists(self._c))

    def run(self, out: str | os.PathLike[str] | None = None, *, threads: int = 0, resume: bool = False,
            force: bool = False, progress: ProgressLike = None) -> Run:
        """Runs the case to its end: the files and the bits of `jager run`. Ctrl-C stops it with a checkpoint.

        Args:
            out: directory of all files; by default out/NAME for NAME.yaml.
            threads: 0: as many as there are processors. Results do not depend on them.
            resume: continue from the last checkpoint in `out`.
            force: replace the files that an earlier run has left in `out`.
            progress: True or False to show it or not, or a function that is called with a Progress now and then; None:
                shown on a terminal or in a notebook.

        Returns:
            The finished run, as `jager.open` gives it.
        """
        from ._running import run_case
        return run_case(self, _default_directory(self, out), threads, resume, force, progress)

    def __str__(self) -> str:
        return _told(lib.binding_case_describe(self._c)).rstrip("\n")

    def __repr__(self) -> str:
        return f"<jager.Case {self.title or self._path!r}: {', '.join(self.stages)}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (self._path, self._text, self._settings, self._has_file)


def _without_lines(text: str, count: int) -> str:
    """A text without its last lines; all of its lines have ends."""
    lines = text.split("\n")
    return "\n".join([*lines[:len(lines) - 1 - count], ""])


def recorded_case(text: str, path: str, has_file: bool = False) -> Case:
    """The case whose `text` a simulation or a file has kept: changes stand at its end, as comments."""
    lines = text.split("\n")[:-1]
    first = len(lines)
    while first > 0 and lines[first - 1].startswith(_CHANGE):
        first -= 1
    changes = [line[len(_CHANGE):] for line in lines[first:]]
    return _remake(path, _without_lines(text, len(changes)), changes, has_file)


def changed_quietly(case: Case, changes: Changes) -> Case:
    """The same case with other values, without a warning."""
    return _remake(case._path, case._text, [*case._settings, *settings_of(changes)], case._has_file)


def _told(text: Any) -> str:
    """The text of a C string, which is NULL if memory was short."""
    if text == ffi.NULL:
        raise MemoryError("no memory to describe the case")
    return take_text(text)


def _remake(path: str, text: str | None, settings: list[str], has_file: bool) -> Case:
    case = Case.__new__(Case)
    case._path, case._text, case._settings, case._has_file = path, text, settings, has_file
    case._read()
    return case


def _path_and_text(source: object) -> tuple[str, str | None]:
    if isinstance(source, Mapping):
        return TEXT_NAME, json.dumps(_plain(source), indent=2, ensure_ascii=False) + "\n"
    if isinstance(source, str) and "\n" in source:
        return TEXT_NAME, source
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source), None
    raise TypeError(f"a case is a path, a text, a dict or a jager.Case, not a {type(source).__name__}")


def _plain(value: Any) -> Any:
    """The same value for json, which knows no arrays, paths and other mappings than dicts."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):  # of numpy
        return _plain(value.tolist())
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise TypeError(f"a case cannot hold a value of type {type(value).__name__}")


def _default_directory(case: Case, out: str | os.PathLike[str] | None) -> str:
    if out is not None:
        return os.path.expanduser(out)
    if case.path is None:
        raise JagerError("a case that comes from no file has no default directory: give one, run('out/name')")
    return os.path.join("out", os.path.splitext(os.path.basename(case.path))[0])


def as_case(source: CaseLike, changes: Changes = None) -> Case:
    """The case, which may be given as anything that Case takes."""
    return source if isinstance(source, Case) and changes is None else Case(source, changes)
