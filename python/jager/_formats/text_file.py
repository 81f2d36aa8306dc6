# SPDX-License-Identifier: MIT
"""Text files of numbers: lines and tables whose errors name file and line, and files that appear when complete."""
from __future__ import annotations

import math
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from decimal import Context, Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from .._errors import FormatError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .._assembly import FloatArray, IntArray

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_INTEGER = re.compile(r"[+-]?[0-9]+")
_NUMBER_CHARACTERS = re.compile(r"[0-9.eE+-]*")

# Sums of decimal numbers are exact with so many digits if no size is less than 1e-80 of another; two fit into a line of
# LAMMPS, which has at most 255 characters.
_EXACT = Context(prec=100)


def number(text: str) -> float | None:
    """The finite decimal number that the text is; None if it is anything else."""
    value = float(text) if _NUMBER.fullmatch(text) else math.nan
    return value if math.isfinite(value) else None


def decimal_sum(*values: float | Decimal) -> Decimal:
    """The sum of the shortest decimal numbers of the doubles.

    It is exact, so that a difference of two written sums gives the same double again.
    """
    total = Decimal(0)
    for value in values:
        total = _EXACT.add(total, value if isinstance(value, Decimal) else Decimal(repr(value)))
    return total


def decimal_difference(a: Decimal, b: Decimal) -> Decimal:
    """a - b, exact. Operators of Decimal, the sign included, would round to 28 digits."""
    return _EXACT.subtract(a, b)


class TextFile:
    """The lines of a text file, counted from 1.

    Attributes:
        path: the name of the file.
        lines: the lines without their ends; lines[0] is line 1.
        ended: whether the last line has an end.
    """

    def __init__(self, path: str | os.PathLike[str], content: bytes | None = None) -> None:
        self.path = os.fspath(path)
        content = read_bytes(self.path) if content is None else content
        if b"\0" in content:
            raise self.error(content[:content.index(b"\0")].count(b"\n") + 1, "a NUL byte: this is no text file")
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise self.error(content[:error.start].count(b"\n") + 1, "neither ASCII nor UTF-8: this is no text file") \
                from None
        self.lines = [line[:-1] if line.endswith("\r") else line for line in text.split("\n")]
        self.ended = self.lines[-1] == ""
        if self.ended:
            del self.lines[-1]

    def error(self, line: int | None, why: str) -> FormatError:
        """An error in a line, or in the whole file."""
        return FormatError(f"{self.path}: {why}" if line is None else f"{self.path}:{line}: {why}")

    def fields(self, line: int) -> list[str]:
        """The words of a line without its comment."""
        return self.lines[line - 1].split("#", 1)[0].split()

    def numbers(self, line: int, texts: Sequence[str], why: str) -> list[float]:
        """The finite numbers that the texts are; `why` says what is right."""
        values = [number(text) for text in texts]
        if any(value is None for value in values):
            raise self.error(line, why)
        return [value for value in values if value is not None]


class Table:
    """Rows of words, with the numbers of their lines."""

    def __init__(self, file: TextFile) -> None:
        self.file = file
        self.rows: list[list[str]] = []
        self.lines: list[int] = []

    def add(self, line: int, row: list[str]) -> None:
        """Adds a row."""
        self.rows.append(row)
        self.lines.append(line)

    def check_width(self, widths: Iterable[int], why: str) -> int:
        """All rows must have the same width, one of these; returns it."""
        widths = frozenset(widths)
        lengths = [len(row) for row in self.rows]
        for line, length in zip(self.lines, lengths):
            if length not in widths or length != lengths[0]:
                raise self.file.error(line, f"{why}, not {length} words")
        return lengths[0] if lengths else 0

    def column(self, k: int, what: str, positive: bool = False) -> FloatArray:
        """A column of finite numbers."""
        texts = [row[k] for row in self.rows]
        try:
            if not _NUMBER_CHARACTERS.fullmatch("".join(texts)):
                raise ValueError
            values = np.array(list(map(float, texts)))
            if not np.isfinite(values).all():
                raise ValueError
        except ValueError:
            line, text = next((n, t) for n, t in zip(self.lines, texts) if number(t) is None)
            raise self.file.error(line, f"{what} must be a finite decimal number, not '{text}'") from None
        if positive and not (values > 0.0).all():
            row = int(np.flatnonzero(~(values > 0.0))[0])
            raise self.file.error(self.lines[row], f"{what} must be positive, not '{texts[row]}'")
        return values

    def columns(self, first: Sequence[int], what: str) -> FloatArray:
        """Three columns of finite numbers, (N, 3)."""
        return np.stack([self.column(k, f"{what} {axis}") for k, axis in zip(first, "xyz")], axis=1)

    def integers(self, k: int, what: str, lowest: int) -> IntArray:
        """A column of integers."""
        texts = [row[k] for row in self.rows]
        values = [int(text) if _INTEGER.fullmatch(text) and len(text) < 20 else -1 for text in texts]
        for line, text, value in zip(self.lines, texts, values):
            if not lowest <= value < 2**63:
                raise self.file.error(line, f"{what} must be an integer from {lowest} on, not '{text}'")
        return np.array(values, dtype=np.int64)

    def ids(self, k: int, lowest: int) -> IntArray:
        """A column of integers that do not repeat."""
        values = self.integers(k, "an id", lowest)
        order = np.argsort(values, kind="stable")
        repeated = np.flatnonzero(values[order][1:] == values[order][:-1])
        if repeated.size:
            row = int(order[repeated[0] + 1])
            raise self.file.error(self.lines[row], f"the id {values[row]} occurs twice")
        return values


def read_bytes(path: str) -> bytes:
    """The content of a regular file."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise FormatError(f"{path}: this is no regular file")
        with open(path, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise FormatError(f"{path}: cannot be read: {error.strerror}") from error


def rows(*columns: NDArray[Any], separator: str = " ") -> Iterator[str]:
    """Lines of a table; numbers have as many digits as it takes to read the same double.

    Args:
        columns: arrays of one or two dimensions with the same number of rows.
    """
    flat = [part for array in columns for part in ([array] if array.ndim == 1 else list(array.T))]
    for row in zip(*(map(repr, part.tolist()) for part in flat)):
        yield separator.join(row)


def steps_text(steps: list[int]) -> str:
    """A sentence on the steps that are there."""
    if not steps:
        return "there is none"
    if len(steps) <= 8:
        return "there are " + ", ".join(map(str, steps))
    return f"there are {len(steps)}: {', '.join(map(str, steps[:3]))}, ..., {steps[-1]}"


def refuse_existing(path: str, force: bool) -> None:
    """Refuses a target that exists, unless it may be replaced and is a regular file."""
    if not os.path.lexists(path):
        return
    if not force:
        raise FormatError(f"{path}: exists already; force=True (--force) replaces it")
    if not os.path.isfile(path):
        raise FormatError(f"{path}: exists, and is no regular file")


def write_lines(path: str, lines: Iterable[str], force: bool) -> None:
    """Writes a text file that appears under its name when it is complete."""
    refuse_existing(path, force)
    temporary = f"{path}.tmp-{os.getpid()}"
    try:
        try:
            with open(temporary, "x", encoding="utf-8", newline="\n") as stream:
                for line in lines:
                    stream.write(line + "\n")
                stream.flush()
                os.fsync(stream.fileno())
            refuse_existing(path, force)
            os.replace(temporary, path)
        except FileExistsError:
            raise FormatError(f"{temporary}: exists already; remove it if no other process writes it") from None
        except BaseException:
            if os.path.exists(temporary):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise FormatError(f"{path}: cannot be written: {error.strerror}") from error
