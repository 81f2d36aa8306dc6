# SPDX-License-Identifier: MIT
"""Readers of the single files of a run: tables (CSV), checkpoints (texts only) and HDF5 files."""
from __future__ import annotations

import importlib
import re
import struct
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from ._errors import JagerError, RunError

Table = npt.NDArray[np.void]


def need(module: str) -> Any:
    """Imports an optional module.

    Raises:
        JagerError: it is not installed; the text says how to install it.
    """
    package = module.split(".")[0]
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise JagerError(f"{package} is needed: apt install python3-{package}, or pip install {package}") from error


def read_text(path: Path) -> str:
    """Reads a text file as UTF-8."""
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = bytes(error.object)[:error.start].count(b"\n") + 1
        raise RunError(f"{path}:{line}: is damaged: the bytes are not UTF-8") from error


# ---- Tables ----------------------------------------------------------------------------------------------------------

# Values of the column `doubtful` of reduction.csv, and why D is doubtful
DOUBTS = {1.0: "over a third of the loop is numerical", 2.0: "short histories may cost over a third"}


def optional_column(table: Table, name: str) -> npt.NDArray[np.float64]:
    """A column; zeros if the table, of an earlier version, does not have it."""
    return np.asarray(table[name]) if name in (table.dtype.names or ()) else np.zeros(len(table))


_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?|[-+]?(nan|inf)")


def _check_numbers(path: Path, line: int, fields: list[str], names: list[str]) -> None:
    for name, value in zip(names, fields):
        if not _NUMBER.fullmatch(value):
            raise RunError(f"{path}:{line}: is damaged: {value[:40]!r} in column '{name}' is not a number")


def _split_rows(path: Path, lines: list[str], count: int) -> list[list[str]]:
    rows = [line.split(",") for line in lines]
    for number, row in enumerate(rows, start=2):
        if len(row) != count:
            raise RunError(f"{path}:{number}: is damaged: the header has {count} columns, this line {len(row)}")
    return rows


def _numbers(path: Path, rows: list[list[str]], names: list[str]) -> npt.NDArray[np.float64]:
    """Converts as float() does, which gives the double that the program printed."""
    try:
        if any("_" in value or " " in value for row in rows for value in row):  # float() allows both
            raise ValueError
        return np.array([[float(value) for value in row] for row in rows], dtype=np.float64)
    except ValueError:
        for line, row in enumerate(rows, start=2):
            _check_numbers(path, line, row, names)
        raise


def _header(path: Path, text: str) -> tuple[list[str], list[str], bool]:
    """Names of the columns, the other complete lines, and whether an incomplete last line was left out."""
    lines = text.replace("\r\n", "\n").split("\n")
    has_partial_line = lines.pop() != ""
    if not lines:
        raise RunError(f"{path}: has no complete line: the run has not begun to write it, or the file is damaged")
    names = lines[0].split(",")
    if not all(re.fullmatch(r"[A-Za-z_]\w*", name) for name in names) or len(set(names)) != len(names):
        raise RunError(f"{path}:1: is damaged: the header is not a list of different names")
    return names, lines[1:], has_partial_line


def read_table(path: Path) -> tuple[Table, bool]:
    """Reads a table with a header.

    All columns are doubles, except `model`, which is a text.

    Returns:
        The rows, as a structured array that cannot be written to, and True if the file ends in the midst of a line.
        That line is not among the rows.

    Raises:
        RunError: the file cannot be read or is damaged; the text has the line.
    """
    names, lines, has_partial_line = _header(path, read_text(path))
    rows = _split_rows(path, lines, len(names))
    texts = [name for name in names if name == "model"]
    numbers = [name for name in names if name not in texts]
    places = [names.index(name) for name in numbers]
    values = _numbers(path, [[row[i] for i in places] for row in rows] if texts else rows, numbers)
    width = max([len(row[names.index(name)]) for name in texts for row in rows], default=1)
    table = np.empty(len(rows), dtype=[(name, f"U{width}" if name in texts else np.float64) for name in names])
    for i, name in enumerate(numbers):
        table[name] = values[:, i] if rows else 0.0
    for name in texts:
        table[name] = [row[names.index(name)] for row in rows]
    table.flags.writeable = False
    return table, has_partial_line


# ---- Checkpoints -----------------------------------------------------------------------------------------------------

_CHECKPOINT_FORMAT = 7
_TEXT = 1
_VALUE_MAX = 8
_TEXT_MAX = 10_000_000


def _read_exactly(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) != size:
        raise ValueError("it ends too early")
    return data


def _field(stream: BinaryIO, order: str) -> tuple[str, bytes]:
    """The next field: its name and, of a text, its bytes. Other values are skipped."""
    count, kind, size, name_size = struct.unpack(order + "QHHI", _read_exactly(stream, 16))
    if size > _VALUE_MAX or name_size > 255 or (kind == _TEXT and count > _TEXT_MAX):
        raise ValueError("a field is not well formed")
    name = _read_exactly(stream, (name_size // 8 + 1) * 8)[:name_size].decode("ascii")
    if kind == _TEXT:
        return name, _read_exactly(stream, (count // 8 + 1) * 8)[:count]
    stream.seek((count * size + 7) // 8 * 8, 1)
    return name, b""


def _texts(stream: BinaryIO, names: tuple[str, ...]) -> dict[str, str]:
    head = _read_exactly(stream, 16)
    if head[:8] != b"JAGERCKP":
        raise ValueError("it is not a checkpoint")
    order = "<" if head[12:] == b"\4\3\2\1" else ">"
    version = struct.unpack(order + "I", head[8:12])[0]
    if version != _CHECKPOINT_FORMAT:
        raise ValueError(f"its format is {version}, and this version of jager reads {_CHECKPOINT_FORMAT}")
    found: dict[str, str] = {}
    while len(found) < len(names):
        name, value = _field(stream, order)
        if name in names:
            found[name] = value.decode("utf-8")
    return found


def read_checkpoint_texts(path: Path, names: tuple[str, ...]) -> dict[str, str]:
    """Reads texts of a checkpoint by the names of their fields. The checksum is not verified.

    Raises:
        RunError: it cannot be read, or lacks one of the fields.
    """
    try:
        with path.open("rb") as stream:
            return _texts(stream, names)
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, struct.error) as error:
        raise RunError(f"{path}: cannot be read: {error}") from error


# ---- HDF5 ------------------------------------------------------------------------------------------------------------

SPHERE_FIELDS = ("id", "position", "radius", "velocity", "angular_velocity", "force", "pressure", "contacts", "grain")
CONTACT_FIELDS = ("ids", "branch", "zeta", "normal", "fn", "force", "ft", "state", "length")
GRAIN_TYPE = np.dtype([
    ("id", "u4"), ("shape", "u4"), ("position", "f8", 3), ("quaternion", "f8", 4), ("velocity", "f8", 3),
    ("angular_velocity", "f8", 3), ("force", "f8", 3), ("torque", "f8", 3), ("mass", "f8"), ("diameter", "f8"),
    ("extent", "f8"), ("pressure", "f8"), ("contacts", "u4"), ("first_sphere", "u4"), ("spheres", "u4")])
_SCALES = {"spheres": ("axis",), "contacts": ("axis", "contact", "pair"), "grains": ("axis", "part")}


def no_grains() -> Table:
    """A table without rows: the spheres are the grains."""
    return np.zeros(0, dtype=GRAIN_TYPE)


class H5File:
    """An HDF5 file of jager, open for reading; a context manager. All errors are RunErrors with its path."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = need("h5py").File(path, "r")
        except OSError as error:
            raise RunError(f"{path}: cannot be read as HDF5: {error}") from error

    def __enter__(self) -> H5File:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def attribute(self, name: str) -> Any:
        """An attribute of the file, texts as str; None if it is not there."""
        value = self._file.attrs.get(name)
        return value.decode("utf-8") if isinstance(value, bytes) else value

    def text(self, name: str) -> str:
        """A text dataset."""
        try:
            return str(self._file[name][()].decode("utf-8"))
        except (KeyError, OSError, ValueError, AttributeError) as error:
            raise RunError(f"{self.path}: is damaged: '{name}' cannot be read: {error}") from error

    def snapshot_steps(self) -> list[int]:
        """Steps of the snapshots, rising."""
        try:
            return sorted(int(name) for name in self._file.get("snapshots", ()))
        except (OSError, ValueError) as error:
            raise RunError(f"{self.path}: is damaged: the list of snapshots: {error}") from error

    def snapshot(self, step: int) -> tuple[float, npt.NDArray[np.float64], Table, Table, Table]:
        """Time, cell, spheres, contacts and grains of a snapshot."""
        try:
            group = self._file["snapshots"][f"{step:09d}"]
            cell = np.array(group.attrs["cell"], dtype=np.float64)
            spheres = _columns(group["spheres"], SPHERE_FIELDS, _SCALES["spheres"])
            contacts = _columns(group["contacts"], CONTACT_FIELDS, _SCALES["contacts"])
            grains = _columns(group["grains"], GRAIN_TYPE.names or (), _SCALES["grains"]) if "grains" in group else \
                no_grains()
            return float(group.attrs["time"]), cell, spheres, contacts, grains
        except (KeyError, OSError, ValueError) as error:
            raise RunError(f"{self.path}: is damaged: snapshot {step} cannot be read: {error}") from error


def _columns(group: Any, known: tuple[str, ...], scales: tuple[str, ...]) -> Table:
    """A group as a structured array that owns its data: the known datasets first, then datasets of a later version.
    Spheres that do not name their grain are the grains."""
    names = [*known, *sorted(name for name in group if name not in known and name not in scales)]
    columns = {name: group["id" if name == "grain" and name not in group else name][()] for name in names}
    kinds = [(name, value.dtype.newbyteorder("="), value.shape[1:]) for name, value in columns.items()]
    table = np.empty(len(columns[names[0]]), dtype=kinds)
    for name, value in columns.items():
        table[name] = value
    return table


def read_snapshot(path: Path, step: int) -> tuple[float, npt.NDArray[np.float64], Table, Table, Table]:
    """Time, cell, spheres, contacts and grains of a snapshot in an HDF5 file."""
    with H5File(path) as file:
        return file.snapshot(step)
