# SPDX-License-Identifier: MIT
"""Assemblies as text dumps of LAMMPS, style custom."""
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._assembly import Assembly, sphere_volumes
from .lammps_box import bounds, box, check_units, general_box, tilts_of
from .lammps_data import grains_of_molecules
from .text_file import Table, TextFile, rows, steps_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .._assembly import FloatArray

_INTEGER = re.compile(r"[0-9]{1,18}")
# Lines after the line of an item; those after ATOMS are counted by NUMBER OF ATOMS.
_ITEM_LINES = {"UNITS": 1, "TIME": 1, "TIMESTEP": 1, "NUMBER OF ATOMS": 1, "BOX BOUNDS": 3, "ATOMS": 0}
_DENSITY_NAMES = ("density", "v_density", "d_density")
_VECTORS = {"velocities": ("vx", "vy", "vz"), "angular_velocities": ("omegax", "omegay", "omegaz")}
_PLACES = (("x", "y", "z"), ("xu", "yu", "zu"), ("xs", "ys", "zs"), ("xsu", "ysu", "zsu"))
# Columns that are read, or that say no more than others do.
_KNOWN = {"id", "mol", "type", "radius", "diameter", "mass", "ix", "iy", "iz", *_DENSITY_NAMES,
          *(name for names in (*_VECTORS.values(), *_PLACES) for name in names)}


@dataclass
class _Frame:
    """Where the parts of a frame are: numbers of the lines of its items; 0: not found."""

    step: int
    line: int
    count: int = -1
    bounds: int = 0
    atoms: int = 0
    complete: bool = False


def _item(file: TextFile, line: int) -> str:
    text = file.lines[line - 1]
    for name in _ITEM_LINES:
        if re.match(rf"ITEM: {name}( |$)", text):
            return name
    raise file.error(line, f"a line 'ITEM: ...' is expected ({', '.join(_ITEM_LINES)}), not '{text[:40]}'")


def _integer(file: TextFile, line: int, what: str) -> int:
    text = file.lines[line - 1].strip()
    if not _INTEGER.fullmatch(text):
        raise file.error(line, f"{what} must be an integer, not '{text[:40]}'")
    return int(text)


def _whole_lines(file: TextFile) -> int:
    """The number of lines that have an end; LAMMPS ends all."""
    return len(file.lines) - (not file.ended)


def _enter(file: TextFile, frames: list[_Frame], name: str, line: int) -> int:
    """Takes an item whose lines are all there into the last frame; returns the number of its last line."""
    if name == "UNITS":
        check_units(file, line + 1, file.lines[line].strip())
    elif name == "TIMESTEP":
        frames.append(_Frame(_integer(file, line + 1, "a time step"), line))
    elif name != "TIME":
        if not frames:
            raise file.error(line, f"ITEM: {name} before any ITEM: TIMESTEP")
        frame = frames[-1]
        if name == "NUMBER OF ATOMS":
            frame.count = _integer(file, line + 1, "the number of atoms")
        elif name == "BOX BOUNDS":
            frame.bounds = line
        else:
            if frame.count < 0 or not frame.bounds:
                raise file.error(line, "ITEM: ATOMS before ITEM: NUMBER OF ATOMS and ITEM: BOX BOUNDS")
            frame.atoms = line
            frame.complete = line + frame.count <= _whole_lines(file)
            return line + frame.count
    return line + _ITEM_LINES[name]


def _frames(file: TextFile) -> list[_Frame]:
    """All frames; only the last one may be incomplete."""
    frames: list[_Frame] = []
    line, last, name = 1, _whole_lines(file), "ATOMS"
    while line <= last:
        if not file.lines[line - 1].strip():
            line += 1
            continue
        name = _item(file, line)
        if name == "TIMESTEP" and frames and not frames[-1].complete:
            raise file.error(line, f"the frame of step {frames[-1].step} before has no ITEM: ATOMS")
        if line + _ITEM_LINES[name] > last:
            break
        line = _enter(file, frames, name, line) + 1
    begun = name != "ATOMS" or not file.ended
    if begun and (not frames or frames[-1].complete) and file.lines:
        frames.append(_Frame(-1, line))
    return frames


def _choose(file: TextFile, step: int | None) -> _Frame:
    frames = _frames(file)
    if not frames:
        raise file.error(None, "there is no frame: 'ITEM: TIMESTEP' is missing")
    if step is None:
        if not frames[-1].complete:
            good = [frame.step for frame in frames if frame.complete]
            raise file.error(len(file.lines), "the last frame is cut off" + (
                f"; frame={good[-1]} (--frame {good[-1]}) takes the last complete one" if good else ""))
        return frames[-1]
    for frame in reversed(frames):
        if frame.step == step and frame.complete:
            return frame
    steps = [frame.step for frame in frames if frame.complete]
    raise file.error(None, f"there is no complete frame of step {step}; {steps_text(steps)}")


def _box(file: TextFile, frame: _Frame) -> tuple[FloatArray, FloatArray, tuple[bool, bool, bool]]:
    words = file.lines[frame.bounds - 1].split()[3:]
    general, leans = words[:2] == ["abc", "origin"], words[:3] == ["xy", "xz", "yz"]
    letters = words[2 if general else 3 if leans else 0:]
    if letters and (len(letters) != 3 or any(not re.fullmatch("[pfsm]{2}", pair) for pair in letters)):
        raise file.error(frame.bounds, "ITEM: BOX BOUNDS [xy xz yz] is followed by three pairs such as 'pp' or 'ff'")
    periodic = [pair == "pp" for pair in letters] or [True] * 3
    width = 4 if general else 3 if leans else 2
    rule = f"a line of the box has {width} numbers"
    texts, numbers = [], []
    for line in range(frame.bounds + 1, frame.bounds + 4):
        texts.append(file.fields(line))
        numbers.append(file.numbers(line, texts[-1], rule))
        if len(texts[-1]) != width:
            raise file.error(line, rule)
    if general:
        cell = general_box(file, frame.bounds + 1, [row[:3] for row in numbers])
        origin = np.array([row[3] for row in numbers])
    else:
        tilts = [row[2] for row in numbers] if leans else [0.0, 0.0, 0.0]
        cell, origin = box(file, frame.bounds + 1, texts, tilts, around=True)
    return cell, origin, (periodic[0], periodic[1], periodic[2])


def _positions(table: Table, names: list[str], line: int, cell: FloatArray, origin: FloatArray) -> FloatArray:
    for columns in _PLACES:
        if set(columns) <= set(names):
            places = table.columns([names.index(name) for name in columns], "a coordinate")
            return places if "s" not in columns[0] else origin + places @ cell.T
    raise table.file.error(line, "the columns of a position are missing: x y z, xu yu zu, xs ys zs or xsu ysu zsu")


def _densities(table: Table, names: list[str], radii: FloatArray) -> FloatArray | None:
    for name in _DENSITY_NAMES:
        if name in names:
            return table.column(names.index(name), "a density", True)
    if "mass" in names:
        with np.errstate(all="ignore"):  # the assembly checks the result
            return np.asarray(table.column(names.index("mass"), "a mass", True) / sphere_volumes(radii))
    return None


def read_lammps_dump(file: TextFile, step: int | None) -> Assembly:
    """Reads the frame of a step, or the last one.

    Molecules (`mol`) are rigid grains. Columns that have no place in an assembly are listed in `beyond`. Image flags
    have no meaning here.
    """
    frame = _choose(file, step)
    if frame.count == 0:
        raise file.error(frame.line, f"the frame of step {frame.step} has no spheres")
    cell, origin, periodic = _box(file, frame)
    names = file.lines[frame.atoms - 1].split()[2:]
    twice = [name for k, name in enumerate(names) if name in names[:k]]
    if twice:
        raise file.error(frame.atoms, f"the column '{twice[0]}' occurs twice")
    table = Table(file)
    for line in range(frame.atoms + 1, frame.atoms + 1 + frame.count):
        table.add(line, file.lines[line - 1].split())
    table.check_width({len(names)}, f"a row has as many columns as ITEM: ATOMS names, {len(names)}")
    if not {"radius", "diameter"} & set(names):
        raise file.error(frame.atoms, "the column radius or diameter is missing")
    radii = table.column(names.index("radius"), "a radius", True) if "radius" in names else \
        0.5 * table.column(names.index("diameter"), "a diameter", True)
    vectors: dict[str, Any] = {}
    for key, columns in _VECTORS.items():
        missing = [name for name in columns if name not in names]
        if 0 < len(missing) < 3:
            raise file.error(frame.atoms, f"the column {missing[0]} is missing: a vector has three")
        if not missing:
            vectors[key] = table.columns([names.index(name) for name in columns], "the component")
    others = [name for name in names if name not in _KNOWN]
    return Assembly(
        positions=_positions(table, names, frame.atoms, cell, origin), radii=radii, cell=cell, origin=origin,
        periodic=periodic, ids=table.ids(names.index("id"), 0) if "id" in names else None,
        types=table.integers(names.index("type"), "a type", 1) if "type" in names else np.array(1),
        density=_densities(table, names, radii),
        grain=grains_of_molecules(table.integers(names.index("mol"), "a molecule-ID", 0)) if "mol" in names else None,
        beyond={"columns": "the columns " + ", ".join(others)} if others else {}, **vectors)


def lammps_dump_lines(a: Assembly) -> Iterator[str]:
    """The lines of a dump with one frame, of step 0."""
    yield from ("ITEM: UNITS", "si", "ITEM: TIMESTEP", "0", "ITEM: NUMBER OF ATOMS", str(len(a)))
    tilts = tilts_of(a.cell)
    letters = " ".join("pp" if p else "ff" for p in a.periodic)
    yield f"ITEM: BOX BOUNDS xy xz yz {letters}" if any(tilts) else f"ITEM: BOX BOUNDS {letters}"
    for (low, high), tilt in zip(bounds(a, around=True), tilts):
        yield f"{low} {high} {tilt!r}" if any(tilts) else f"{low} {high}"
    ids = np.arange(1, len(a) + 1) if a.ids is None else a.ids
    names = ["id", "type", "x", "y", "z", "radius"]
    columns: list[NDArray[Any]] = [ids, a.types, a.positions, a.radii]
    molecules = None if a.grain is None else a.grain + 1
    for labels, column in ((["mol"], molecules), (["v_density"], a.density), (_VECTORS["velocities"], a.velocities),
                           (_VECTORS["angular_velocities"], a.angular_velocities)):
        if column is not None:
            names += labels
            columns.append(column)
    yield "ITEM: ATOMS " + " ".join(names)
    yield from rows(*columns)
