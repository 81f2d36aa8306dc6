# SPDX-License-Identifier: MIT
"""Assemblies as data files of LAMMPS, atom style sphere."""
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from .._assembly import Assembly
from .._grains import Grains
from .lammps_box import bounds, box, check_units, general_box, tilts_of
from .text_file import Table, TextFile, number, rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .._assembly import FloatArray, IntArray

_ATOM_RULE = "an atom of style sphere is 'id type diameter density x y z', with or without three image flags"
_VELOCITY_RULE = "a velocity of style sphere is 'id vx vy vz wx wy wz'"
_COUNT = re.compile(r"[0-9]+")
_BOX_WORDS = {"xlo xhi": 2, "ylo yhi": 2, "zlo zhi": 2, "xy xz yz": 3, "avec": 3, "bvec": 3, "cvec": 3, "abc origin": 3}
_MOLECULE_RULE = "a molecule of an atom is 'atom-ID molecule-ID'"
_NEEDED = ("Atoms", "Velocities", "Molecules")


@dataclass
class _Data:
    """What has been read: header values with their lines, and tables of sections."""

    file: TextFile
    counts: dict[str, int] = field(default_factory=dict)
    box: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    sections: dict[str, Table] = field(default_factory=dict)
    starts: dict[str, int] = field(default_factory=dict)


def _header_line(data: _Data, line: int, words: list[str]) -> bool:
    """Reads a line of the header; False if it begins a section."""
    for name, count in _BOX_WORDS.items():
        labels = name.split()
        if words[-len(labels):] == labels:
            if len(words) != count + len(labels) or any(number(text) is None for text in words[:count]):
                raise data.file.error(line, f"the line must be {count} numbers and '{name}'")
            if name in data.box:
                raise data.file.error(line, f"a second line '{name}'")
            data.box[name] = (line, words[:count])
            return True
    if number(words[0]) is None:
        return False
    name = " ".join(words[1:])
    if not name or not _COUNT.fullmatch(words[0]):
        raise data.file.error(line, "the header has lines such as '1000 atoms' and '0 1 xlo xhi'")
    if name in data.counts:
        raise data.file.error(line, f"a second line '{name}'")
    data.counts[name] = int(words[0])
    return True


def _begin_section(data: _Data, line: int, words: list[str]) -> str:
    file, name = data.file, " ".join(words)
    comment = file.lines[line - 1].partition("#")[2].split()
    if name in data.sections:
        raise file.error(line, f"a second section '{name}'")
    if name == "Atom Type Labels":
        raise file.error(line, "type labels are not read: write the file with numeric types")
    if name == "Atoms" and comment and comment[0] != "sphere":
        raise file.error(line, f"the atom style is '{' '.join(comment)}'; only sphere is read")
    if not re.fullmatch(r"[A-Z][A-Za-z]*( [A-Z][A-Za-z]*)*", name):
        raise file.error(line, f"'{name}' is neither a line of the header nor the name of a section")
    data.sections[name], data.starts[name] = Table(file), line
    return name


def _parse(file: TextFile) -> _Data:
    data = _Data(file)
    if file.lines:
        units = re.search(r"\bunits = (\w+)", file.lines[0])
        if units:
            check_units(file, 1, units.group(1))
    section = ""
    for line in range(2, len(file.lines) + 1):  # LAMMPS skips the first line
        words = file.fields(line)
        if not words or (not section and _header_line(data, line, words)):
            continue
        if words[0][0].isalpha() and number(words[0]) is None and words[0] not in ("nan", "inf"):
            section = _begin_section(data, line, words)
        elif section:
            data.sections[section].add(line, words)
        else:
            raise file.error(line, "the header has lines such as '1000 atoms' and '0 1 xlo xhi'")
    return data


def _cell(data: _Data) -> tuple[FloatArray, FloatArray]:
    if {"avec", "bvec", "cvec"} & set(data.box):
        missing = [name for name in ("avec", "bvec", "cvec", "abc origin") if name not in data.box]
        if missing:
            raise data.file.error(None, f"there is no line '{missing[0]}'")
        edges = [[float(text) for text in data.box[name][1]] for name in ("avec", "bvec", "cvec")]
        return (general_box(data.file, data.box["avec"][0], edges),
                np.array([float(text) for text in data.box["abc origin"][1]]))
    names = ("xlo xhi", "ylo yhi", "zlo zhi")
    missing = [name for name in names if name not in data.box]
    if missing:
        raise data.file.error(None, f"there is no line 'LO HI {missing[0]}'")
    tilts = [float(text) for text in data.box["xy xz yz"][1]] if "xy xz yz" in data.box else [0.0, 0.0, 0.0]
    return box(data.file, data.box["xlo xhi"][0], [data.box[name][1] for name in names], tilts, around=False)


def _section(data: _Data, name: str) -> Table:
    """The table of a section, with as many rows as there are atoms."""
    table, count = data.sections[name], data.counts["atoms"]
    if len(table.rows) != count:
        line = table.lines[-1] if table.rows else data.starts[name]
        raise data.file.error(line, f"the section {name} ends with {len(table.rows)} lines; the header says {count} "
                                    "atoms")
    return table


def _places_of_ids(table: Table, ids: IntArray) -> NDArray[np.intp]:
    """The rows of the atoms whose ids are the first column."""
    order = np.argsort(ids)
    own = table.ids(0, 1)
    place = order[np.minimum(np.searchsorted(ids[order], own), len(ids) - 1)]
    strange = np.flatnonzero(ids[place] != own)
    if strange.size:
        raise table.file.error(table.lines[strange[0]], f"there is no atom with the id {own[strange[0]]}")
    return np.asarray(place)


def _molecules(data: _Data, ids: IntArray) -> IntArray:
    """Numbers of grains: molecules, and numbers below 0 for atoms of none, whose molecule-ID is 0."""
    table = _section(data, "Molecules")
    table.check_width({2}, _MOLECULE_RULE)
    place = _places_of_ids(table, ids)
    molecules = np.empty(len(ids), dtype=np.int64)
    molecules[place] = table.integers(1, "a molecule-ID", 0)
    return grains_of_molecules(molecules)


def molecules_of_grains(grains: Grains) -> IntArray:
    """Molecules of grains, from 1: first the grains of several spheres, then spheres alone, which are no bodies of
    `fix rigid/small`. `group bodies molecule <= COUNT` separates them."""
    alone = np.array([len(spheres) == 1 for spheres in grains.shapes])[grains.shape]
    return np.where(alone, (~alone).sum() + np.cumsum(alone), np.cumsum(~alone))


def grains_of_molecules(molecules: IntArray) -> IntArray:
    """Molecules as numbers of grains. Atoms of no molecule, whose number is 0, are grains of their own."""
    return np.where(molecules > 0, molecules, -1 - np.arange(len(molecules)))


def _velocities(data: _Data, ids: IntArray) -> tuple[FloatArray, FloatArray]:
    table = _section(data, "Velocities")
    table.check_width({7}, _VELOCITY_RULE)
    place = _places_of_ids(table, ids)
    linear, angular = np.empty((2, len(ids), 3))
    linear[place] = table.columns((1, 2, 3), "a velocity")
    angular[place] = table.columns((4, 5, 6), "an angular velocity")
    return linear, angular


def read_lammps_data(file: TextFile) -> Assembly:
    """Reads a data file of atom style sphere.

    The molecules of `fix property/atom mol` are rigid grains. The file does not say whether boundaries are periodic:
    they are taken as periodic. Image flags have no meaning here.
    Other sections are listed in `beyond`.
    """
    data = _parse(file)
    if "atoms" not in data.counts:
        raise file.error(None, "there is no line 'N atoms' in the header")
    cell, origin = _cell(data)
    if data.counts["atoms"] == 0:
        raise file.error(None, "there are no spheres")
    if "Atoms" not in data.sections:
        raise file.error(None, "there is no section Atoms")
    atoms = _section(data, "Atoms")
    atoms.check_width({7, 10}, _ATOM_RULE)
    ids, types = atoms.ids(0, 1), atoms.integers(1, "a type", 1)
    most = data.counts.get("atom types", 0)
    if most and types.max() > most:
        row = int(np.argmax(types))
        raise file.error(atoms.lines[row], f"the type is {types[row]}; the header says {most} atom types")
    linear, angular = _velocities(data, ids) if "Velocities" in data.sections else (None, None)
    others = [name for name in data.sections if name not in _NEEDED]
    return Assembly(
        positions=atoms.columns((4, 5, 6), "a coordinate"),
        radii=0.5 * atoms.column(2, "a diameter (an atom without one is no sphere)", True),
        density=atoms.column(3, "a density", True), ids=ids, types=types, cell=cell, origin=origin,
        velocities=linear, angular_velocities=angular,
        grain=_molecules(data, ids) if "Molecules" in data.sections else None,
        beyond={"sections": "the sections " + ", ".join(others)} if others else {})


def lammps_data_lines(a: Assembly) -> Iterator[str]:
    """The lines of a data file of atom style sphere; the assembly must have densities."""
    assert a.density is not None
    ids = np.arange(1, len(a) + 1) if a.ids is None else a.ids
    yield "LAMMPS data file, atom_style sphere, units = si"
    yield ""
    yield f"{len(a)} atoms"
    yield f"{int(a.types.max())} atom types"
    yield ""
    for axis, (low, high) in zip("xyz", bounds(a, around=False)):
        yield f"{low} {high} {axis}lo {axis}hi"
    tilts = tilts_of(a.cell)
    if any(tilts):
        yield " ".join(map(repr, tilts)) + " xy xz yz"
    yield from ("", "Atoms # sphere", "")
    yield from rows(ids, a.types, 2.0 * a.radii, a.density, a.positions)
    if a.velocities is not None or a.angular_velocities is not None:
        rest = np.zeros((len(a), 3))
        yield from ("", "Velocities", "")
        yield from rows(ids, rest if a.velocities is None else a.velocities,
                        rest if a.angular_velocities is None else a.angular_velocities)
    # For read_data FILE fix NAME NULL Molecules, with fix NAME all property/atom mol. At the end: LAMMPS of 2021 fails
    # on a section behind that of a fix.
    if a.grains is not None:
        yield from ("", "Molecules", "")
        yield from rows(ids, molecules_of_grains(a.grains)[a.grains.owner])
