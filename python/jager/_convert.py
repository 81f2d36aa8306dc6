# SPDX-License-Identifier: MIT
"""Assemblies of spheres and rigid grains from and to files of other programs. docs/python-api.md lists the formats."""
from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ._assembly import PARTS, Assembly, cell_matrix, parts_of, without
from ._errors import FormatError, JagerError
from ._formats.dempla import dempla_lines, in_dempla_form, is_dempla, read_dempla
from ._formats.lammps_data import lammps_data_lines, read_lammps_data
from ._formats.lammps_dump import lammps_dump_lines, read_lammps_dump
from ._formats.lammps_rigid import check_lammps_rigid, lammps_rigid_lines
from ._formats.plain import check_jager_grains, csv_lines, jager_lines, read_csv, read_jager, read_yade, yade_lines
from ._formats.run import read_run
from ._formats.text_file import TextFile, read_bytes, refuse_existing, write_lines

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._assembly import FloatArray

__all__ = ["FORMATS", "Assembly", "convert", "convert_arguments", "convert_command", "read_assembly", "write_assembly"]

_ALL = frozenset({"cell", "ids", "velocities", "types", "densities", "boundary", "grains"})


@dataclass(frozen=True)
class _Format:
    """A format: its name in errors, the parts that it holds, its endings, its writer (None: only read), whether it is
    read, and has frames."""

    title: str
    holds: frozenset[str]
    endings: tuple[str, ...]
    lines: Callable[[Assembly], Iterator[str]] | None = None
    frames: bool = False
    is_read: bool = True


_FORMATS = {
    "jager": _Format("jager's text", frozenset({"cell", "grains"}), (".txt",), jager_lines),
    "lammps-data": _Format("a LAMMPS data file", _ALL - {"boundary"}, (".data", ".lmp"), lammps_data_lines),
    "lammps-dump": _Format("a LAMMPS dump", _ALL, (".dump", ".lammpstrj"), lammps_dump_lines, frames=True),
    # It accompanies a data file, which says what is lost
    "lammps-rigid": _Format("an infile of LAMMPS' fix rigid/small", frozenset(PARTS), (".rigid",), lammps_rigid_lines,
                            is_read=False),
    "yade": _Format("a text of YADE", frozenset({"types", "boundary", "grains"}), (".yade",), yade_lines),
    "dempla": _Format("an assembly of DEMPLA", frozenset({"cell", "grains"}), (".dempla",), dempla_lines),
    "csv": _Format("CSV", _ALL, (".csv",), csv_lines),
    "run": _Format("a run of jager", _ALL | {"contacts"}, (".h5",), frames=True),
}
FORMATS = tuple(_FORMATS)
_READABLE = [name for name, kind in _FORMATS.items() if kind.is_read]


def _check_format(name: str | None) -> None:
    if name is not None and name not in _FORMATS:
        raise JagerError(f"unknown format '{name}': there are {', '.join(FORMATS)}")


def _recognise(path: str, content: bytes, has_cell: bool) -> str:
    """The format of a file that exists, by its content."""
    if content.startswith(b"\x89HDF\r\n\x1a\n"):
        return "run"
    if content.startswith(b"JAGERCKP"):
        raise FormatError(f"{path}: a checkpoint; give the directory of the run, its result.h5 or a snapshot. A case "
                          "starts from a checkpoint, with contacts and histories, by 'assembly: {checkpoint: FILE}'")
    if content.startswith(b"\x1f\x8b"):
        raise FormatError(f"{path}: compressed; unpack it with gunzip")
    text = TextFile(path, content).lines
    first = next((line.strip() for line in text if line.strip()), "")
    if first.startswith("ITEM:"):
        return "lammps-dump"
    if any(re.match(r"\s*[0-9]+\s+atoms\s*(#.*)?$", line) for line in text[1:40]):
        return "lammps-data"
    if any(line.startswith("#format") for line in text[:40]):
        return "yade"
    if is_dempla(text):
        return "dempla"
    data = [line.split("#", 1)[0].strip() for line in text[:1000]]
    data = [line for line in data if line]
    if data and {"x", "y", "z"} <= {word.strip() for word in data[0].split(",")}:
        return "csv"
    if any(re.match(r"\s*cell", line) for line in text):
        return "jager"
    if data and re.match(r"[+-]?\.?[0-9]", data[0]):
        return "yade" if has_cell or path.endswith(".yade") else "jager"
    raise FormatError(f"{path}: the format is not recognised: give one of {', '.join(_READABLE)} with format= (--from)")


def _read(path: str, name: str, content: bytes | None, frame: int | None, cell: FloatArray | None) -> Assembly:
    kind = _FORMATS[name]
    if not kind.is_read:
        raise FormatError(f"{path}: {kind.title} can only be written")
    if frame is not None and not kind.frames:
        raise FormatError(f"{path}: {kind.title} has no frames: frame= (--frame) must not be given")
    if cell is not None and name not in ("yade", "csv"):
        raise FormatError(f"{path}: {kind.title} has a cell of its own: cell= (--cell) must not be given")
    if name == "run":
        return read_run(path, frame)
    file = TextFile(path, content)
    if name == "lammps-dump":
        return read_lammps_dump(file, frame)
    if name == "lammps-data":
        return read_lammps_data(file)
    if name == "csv":
        return read_csv(file, cell)
    if name == "jager":
        return read_jager(file)
    if name == "dempla":
        return read_dempla(file)
    if cell is None:
        raise FormatError(f"{path}: {kind.title} has no cell: give it with cell=(LX, LY, LZ) or "
                          "cell=(LX, LY, LZ, XY, XZ, YZ), in m (--cell)")
    return read_yade(file, cell)


def read_assembly(path: str | os.PathLike[str], format: str | None = None, *, frame: int | None = None,
                  cell: ArrayLike | None = None) -> Assembly:
    """Reads an assembly from a file, or from the directory of a run.

    Args:
        path: the source.
        format: one of FORMATS; None: by the content.
        frame: time step of a frame of a dump or of a snapshot; None: the last one.
        cell: LX LY LZ [XY XZ YZ], in m, of a file that has no cell.

    Raises:
        FormatError: the file cannot be read; the text begins with the file, and the line if there is one.
    """
    _check_format(format)
    path = os.fspath(path)
    matrix = None if cell is None else cell_matrix(cell)
    content = None
    if format is None and os.path.isdir(path):
        format = "run"
    elif format != "run":
        content = read_bytes(path)
    if format is None:
        assert content is not None
        format = _recognise(path, content, cell is not None)
    try:
        return _read(path, format, content, frame, matrix)
    except FormatError:
        raise
    except JagerError as error:
        raise FormatError(f"{path}: {error}") from error


def _target_format(path: str, name: str | None) -> str:
    _check_format(name)
    if name is None:
        ending = os.path.splitext(path)[1].lower()
        name = next((key for key, kind in _FORMATS.items() if ending in kind.endings), None)
    if name is None:
        endings = ", ".join(f"{' '.join(kind.endings)} ({key})" for key, kind in _FORMATS.items() if kind.lines)
        raise FormatError(f"{path}: the file name extension names no format: {endings}; or give format= (--to)")
    if _FORMATS[name].lines is None:
        raise FormatError(f"{path}: {_FORMATS[name].title} can only be read")
    return name


def _check_drop(drop: Iterable[str], path: str, kind: _Format) -> frozenset[str]:
    names = frozenset([drop] if isinstance(drop, str) else drop)
    for name in sorted(names):
        if name not in PARTS:
            raise JagerError(f"drop: unknown part '{name}': there are {', '.join(PARTS)}")
    if "cell" in names and "cell" in kind.holds:
        raise FormatError(f"{path}: {kind.title} needs the cell: it cannot be dropped")
    return names


def _refuse_losses(a: Assembly, path: str, kind: _Format, drop: frozenset[str]) -> None:
    lost = {name: text for name, text in parts_of(a).items() if name not in kind.holds and name not in drop}
    if a.ids is not None and a.ids[0] < 1 and kind.title.startswith("a LAMMPS"):
        lost["ids"] = f"the id {a.ids[0]} (they begin with 1)"
    if kind is _FORMATS["yade"] and a.grains is not None and "types" in parts_of(a):  # its clumps have no materials
        lost["types"] = f"{parts_of(a)['types']} beside grains"
    if lost:
        arguments = ", ".join(repr(name) for name in lost) + ("," if len(lost) == 1 else "")
        raise FormatError(f"{path}: {kind.title} cannot hold {'; '.join(lost.values())}. To accept the "
                          f"loss: drop=({arguments}) or {' '.join('--drop ' + name for name in lost)}")


def _as_held(a: Assembly, name: str) -> Assembly:
    """The assembly as reading the target gives it; only a uniform density is kept, for the comment."""
    if name in ("jager", "dempla"):
        a = replace(a, origin=np.zeros(3), types=np.array(1)).wrapped()
        if a.grains is None:
            return a
        grains = in_dempla_form(a.grains) if name == "dempla" else check_jager_grains(a.grains)
        positions, radii = grains.spheres()
        return replace(a, positions=positions, radii=radii, grains=grains)
    if name == "lammps-rigid":
        check_lammps_rigid(a)
    a = a.wrapped()
    return a if a.grains is None else replace(a, grains=None)  # which are found anew from the spheres


def _write(a: Assembly, path: str, format: str | None, drop: Iterable[str], density: float | None,
           force: bool) -> Assembly:
    name = _target_format(path, format)
    kind = _FORMATS[name]
    names = _check_drop(drop, path, kind)
    refuse_existing(path, force)
    a = without(a, names)
    if density is not None:
        if a.density is not None:
            raise FormatError(f"{path}: the source has densities: density= (--density) must not be given, unless they "
                              "are dropped")
        a = replace(a, density=np.array(density, dtype=np.float64))
    _refuse_losses(a, path, kind, names)
    if name in ("lammps-data", "lammps-rigid") and a.density is None:
        raise FormatError(f"{path}: {kind.title} needs a density, and the source has none: give density= (--density), "
                          "in kg/m3")
    try:
        a = _as_held(a, name)
    except JagerError as error:
        raise FormatError(f"{path}: {error}") from None
    assert kind.lines is not None
    write_lines(path, kind.lines(a), force)
    return replace(a, density=None) if name in ("jager", "yade", "dempla") else a


def write_assembly(assembly: Assembly, path: str | os.PathLike[str], format: str | None = None, *,
                   drop: Iterable[str] = (), density: float | None = None, force: bool = False) -> None:
    """Writes an assembly to a file, which appears when it is complete.

    Args:
        assembly: the spheres and their cell.
        path: the target.
        format: one of FORMATS; None: by the ending.
        drop: parts that are not written: "ids", "velocities" (and angular velocities), "types", "densities", "boundary"
            (all boundaries become periodic), "cell" (of a text of YADE), "grains" (the spheres of rigid grains are
            written as if each moved on its own), "contacts" of a run, "columns" and "sections" of the source that have
            no place in an assembly.
        density: of all spheres, kg/m3, if the assembly has none. LAMMPS data files and infiles need one.
        force: an existing file is replaced.

    Raises:
        FormatError: the format cannot hold a part of the assembly that is not dropped, or the file cannot be written.
    """
    if not isinstance(assembly, Assembly):
        raise TypeError(f"an Assembly is written, not a {type(assembly).__name__}: simulation.assembly() and "
                        "jager.read_assembly(run) make one")
    _write(assembly, os.fspath(path), format, drop, density, force)


def convert(source: str | os.PathLike[str], target: str | os.PathLike[str], source_format: str | None = None,
            target_format: str | None = None, drop: Iterable[str] = (), *, frame: int | None = None,
            cell: ArrayLike | None = None, density: float | None = None, force: bool = False) -> Assembly:
    """Reads an assembly from a source and writes it to a target; returns it as the target holds it.

    For the arguments see `read_assembly` and `write_assembly`.
    """
    path = os.fspath(target)
    _check_drop(drop, path, _FORMATS[_target_format(path, target_format)])
    refuse_existing(path, force)
    a = read_assembly(source, source_format, frame=frame, cell=cell)
    return _write(a, path, target_format, drop, density, force)


def convert_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `python3 -m jager convert`."""
    parser.description = "Converts an assembly of spheres between file formats. Nothing is lost unless --drop names it."
    parser.add_argument("source", metavar="SOURCE", help="file, or directory of a run")
    parser.add_argument("target", metavar="TARGET", help="file")
    parser.add_argument("--from", dest="source_format", metavar="FORMAT", choices=_READABLE,
                        help=f"format of the source, instead of its content: {', '.join(_READABLE)}")
    writable = [name for name, kind in _FORMATS.items() if kind.lines]
    parser.add_argument("--to", dest="target_format", metavar="FORMAT", choices=writable,
                        help=f"format of the target, instead of its ending: {', '.join(writable)}")
    parser.add_argument("--drop", metavar="WHAT", action="append", default=[], choices=list(PARTS),
                        help="lose this part; may be repeated: " + "; ".join(f"{k}, {v}" for k, v in PARTS.items()))
    parser.add_argument("--frame", metavar="STEP", type=int, help="time step of a dump or run; default: the last")
    parser.add_argument("--cell", metavar="LENGTH", nargs="+",
                        help="LX LY LZ [XY XZ YZ], in m, of a source without a cell; with negative numbers "
                             "--cell=LX,LY,LZ,XY,XZ,YZ")
    parser.add_argument("--density", metavar="RHO", type=float, help="kg/m3, if the source has none")
    parser.add_argument("--force", action="store_true", help="replace an existing target")


def _cell_argument(words: list[str] | None) -> list[float] | None:
    if words is None:
        return None
    try:
        numbers = [float(text) for word in words for text in word.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (3, 6):
        raise JagerError("--cell: three or six numbers, LX LY LZ [XY XZ YZ], in m")
    return numbers


def convert_command(args: argparse.Namespace) -> int:
    """Runs `python3 -m jager convert`; returns the exit code, 2 if the conversion is refused."""
    try:
        a = convert(args.source, args.target, args.source_format, args.target_format, args.drop, frame=args.frame,
                    cell=_cell_argument(args.cell), density=args.density, force=args.force)
    except JagerError as error:
        print(f"jager: {error}", file=sys.stderr)
        return 2
    grains = f"{len(a.grains)} grains of " if a.grains is not None else ""
    print(f"{args.target}: {grains}{len(a)} spheres")
    return 0
