# SPDX-License-Identifier: MIT
"""Assemblies of M. R. Kuhn's DEMPLA (formerly OVAL): spheres, and clumps of a sphere and six satellites.

Lines: the kind, 4 (spheres) or 7 (clumps); number of grains, L1 L2 L3; x12 x13 x23; of clumps the number of satellites,
and their radius, that of the centre sphere and the offset of the satellites from its centre; then `r x1 x2 x3` for each
grain, of clumps followed by the quaternion w x y z, from the axes of the body to those of space. The three lengths of a
clump are multiples of r. The edges of the cell are (L1, 0, 0), (x12, L2, 0) and (x13, x23, L3). Lengths are taken as m.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from .._assembly import Assembly, cell_matrix
from .._errors import JagerError
from .._grains import SHAPE_TOLERANCE, Grains, quaternion_of, quaternions_times, turned
from .text_file import Table, TextFile, rows

if TYPE_CHECKING:
    from .._assembly import FloatArray

_SPHERES, _CLUMPS = "4", "7"
_SATELLITES = 6
# In the axes of a clump, in units of the offset: the centre sphere, and satellites on both sides of each axis.
_PLACES = np.vstack([np.zeros((1, 3)), np.eye(3).repeat(2, axis=0) * np.tile([[1.0], [-1.0]], (3, 1))])


def is_dempla(lines: list[str]) -> bool:
    """Does the text begin as an assembly of DEMPLA: its kind, then a number of grains and three edges?"""
    words = [line.split() for line in lines[:40] if line.strip()][:2]
    return len(words) == 2 and words[0] in ([_SPHERES], [_CLUMPS]) and len(words[1]) == 4


def _shape(satellite: float, centre: float, offset: float) -> FloatArray:
    return np.column_stack([offset * _PLACES, [centre] + [satellite] * _SATELLITES])


def read_dempla(file: TextFile) -> Assembly:
    """Reads an assembly of DEMPLA.

    Two, three, four and eight satellites are refused. The manual says that they are a pair, a triangle, a tetrahedron
    and a cube about the centre, but not how these lie in the axes of the body, to which quaternions refer.
    """
    lines = [(line, words) for line in range(1, len(file.lines) + 1) if (words := file.lines[line - 1].split())]
    kind = lines[0][1] if lines else []
    if kind not in ([_SPHERES], [_CLUMPS]):
        raise file.error(lines[0][0] if lines else None, "the kind of an assembly must be 4, spheres, or 7, clumps")
    rules = [(4, f"number of {'spheres' if kind == [_SPHERES] else 'grains'}, L1 L2 L3"), (3, "x12 x13 x23")]
    if kind == [_CLUMPS]:
        rules += [(1, "number of satellites"), (3, "satellite-radius centre-radius offset")]
    heads: list[list[float]] = []
    for k, (width, rule) in enumerate(rules, 1):
        line, words = lines[k] if k < len(lines) else (None, [])
        if line is None or len(words) != width:
            names = [f"'{text}'" for _, text in rules]
            raise file.error(line, f"after the kind come the lines {', '.join(names[:-1])} and {names[-1]}")
        heads.append(file.numbers(line, words, f"'{rule}' must be finite decimal numbers"))
    if kind == [_CLUMPS] and heads[2][0] != _SATELLITES:
        raise file.error(lines[3][0], f"clumps must have 6 satellites: how {lines[3][1][0]} lie in the axes of a "
                         "clump is not documented")
    if kind == [_CLUMPS] and not min(heads[3]) > 0.0:
        raise file.error(lines[4][0], "radii and offset of a clump must be positive")
    table = Table(file)
    for line, words in lines[1 + len(rules):]:
        table.add(line, words)
    if not table.rows:
        raise file.error(None, "there are no spheres" if kind == [_SPHERES] else "there are no grains")
    if kind == [_SPHERES]:
        table.check_width({4}, "a sphere is four numbers, r x1 x2 x3")
    else:
        table.check_width({8}, "a clump is eight numbers, r x1 x2 x3 and its quaternion w x y z")
    if heads[0][0] != len(table.rows):
        what = "spheres" if kind == [_SPHERES] else "grains"
        raise file.error(lines[1][0], f"{lines[1][1][0]} {what} are announced, and {len(table.rows)} follow")
    try:
        cell = cell_matrix(heads[0][1:] + heads[1])
    except JagerError as error:
        raise file.error(lines[1][0], str(error)) from None
    positions, radii = table.columns((1, 2, 3), "a coordinate"), table.column(0, "a radius", True)
    if kind == [_SPHERES]:
        return Assembly(positions=positions, radii=radii, cell=cell)
    quaternions = np.stack([table.column(k, "the quaternion") for k in range(4, 8)], axis=1)
    strange = np.flatnonzero(np.abs(np.linalg.norm(quaternions, axis=1) - 1.0) > 0.01)
    if strange.size:
        raise file.error(table.lines[strange[0]], "the quaternion w x y z must have the length 1")
    grains = Grains((_shape(*heads[3]),), np.zeros(len(radii), dtype=np.int64), positions, radii, quaternions)
    positions, radii = grains.spheres()
    return Assembly(positions=positions, radii=radii, cell=cell, grains=grains)


def _axes_of(shape: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Of a centre sphere with six equal satellites: the same with satellites on x, y and z, the rotation that it takes
    from there, and the place of its centre. None: it is another shape."""
    if len(shape) != len(_PLACES):
        return None
    tolerance = SHAPE_TOLERANCE * shape[:, 3].sum()
    core = int(np.argmin(np.linalg.norm(shape[:, :3] - shape[:, :3].mean(axis=0), axis=1)))
    arms, satellites = np.delete(shape[:, :3] - shape[core, :3], core, axis=0), np.delete(shape[:, 3], core)
    offset = float(np.linalg.norm(arms, axis=1).mean())
    if not offset > tolerance:
        return None
    first = arms[0] / np.linalg.norm(arms[0])
    second = arms[int(np.argmin(np.abs(arms @ first)))]
    second = second - (second @ first) * first
    second /= np.linalg.norm(second)
    expected = _shape(float(satellites.mean()), float(shape[core, 3]), offset)
    for rotation in (np.eye(3), np.stack([first, second, np.cross(first, second)], axis=1)):
        found = np.vstack([np.zeros((1, 3)), arms]) @ rotation
        is_near = [np.abs(found - place).max(axis=1).min() <= tolerance for place in expected[:, :3]]
        if all(is_near) and np.ptp(satellites) <= tolerance:
            return expected, rotation, shape[core, :3]
    return None


def in_dempla_form(grains: Grains) -> Grains:
    """The same grains in the form that DEMPLA has: the satellites of its only shape are on the axes, in their order."""
    found = _axes_of(grains.shapes[0]) if len(grains.shapes) == 1 else None
    if found is None:
        raise JagerError("an assembly of DEMPLA holds clumps of one shape, a centre sphere and six equal satellites at "
                         "the same distance along both directions of three orthogonal axes")
    shape, rotation, centre = found
    quaternions, positions = grains.quaternions, grains.positions
    if centre.any():
        positions = positions + grains.scales[:, None] * turned(quaternions, np.tile(centre, (len(grains), 1)))
    if not np.array_equal(rotation, np.eye(3)):
        quaternions = quaternions_times(quaternions, quaternion_of(rotation))
    return Grains((shape,), grains.shape, positions, grains.scales, quaternions)


def dempla_lines(a: Assembly) -> Iterator[str]:
    """The lines of an assembly of DEMPLA, whose grains are in its form."""
    grains = a.grains
    yield _SPHERES if grains is None else _CLUMPS
    count = len(a) if grains is None else len(grains)
    yield " ".join([str(count), *(repr(float(a.cell[k, k])) for k in range(3))])
    yield " ".join(repr(float(value)) for value in (a.cell[0, 1], a.cell[0, 2], a.cell[1, 2]))
    if grains is None:
        yield from rows(a.radii, a.positions)
        return
    shape = grains.shapes[0]
    yield str(_SATELLITES)
    yield " ".join(repr(float(value)) for value in (shape[1, 3], shape[0, 3], shape[1, 0]))
    yield from rows(grains.scales, grains.positions, grains.quaternions)
