# SPDX-License-Identifier: MIT
"""The box of LAMMPS: bounds and tilts of a cell.

A restricted box has the edges (xhi - xlo, 0, 0), (xy, yhi - ylo, 0) and (xz, yz, zhi - zlo). Data files have its
bounds; dumps have the bounds of the axis-parallel box around it. Both are sums of lengths. They are written as exact
decimal sums, with more digits than a double has: reading gives the same cell to the bit. LAMMPS rounds them to doubles.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from .._assembly import Assembly, cell_matrix
from .._errors import JagerError
from .text_file import TextFile, decimal_difference, decimal_sum

if TYPE_CHECKING:
    from .._assembly import FloatArray

UNITS = ("si", "lj")
GENERAL = ("a general triclinic box whose edges are not upper triangular; let LAMMPS write a restricted one, without "
           "'triclinic/general'")


def check_units(file: TextFile, line: int, units: str) -> None:
    """Numbers are taken as SI; units lj have none."""
    if units not in UNITS:
        raise file.error(line, f"the units are '{units}'; only files in units si (or lj, taken as they are) are read")


def _overhangs(xy: float, xz: float, yz: float) -> list[tuple[Decimal, Decimal]]:
    """How far the box around reaches beyond the bounds, per axis: below (not positive) and above."""
    x = [Decimal(0), decimal_sum(xy), decimal_sum(xz), decimal_sum(xy, xz)]
    y = [Decimal(0), decimal_sum(yz)]
    return [(min(x), max(x)), (min(y), max(y)), (Decimal(0), Decimal(0))]


def tilts_of(cell: FloatArray) -> list[float]:
    """XY, XZ and YZ."""
    return [float(cell[0, 1]), float(cell[0, 2]), float(cell[1, 2])]


def bounds(a: Assembly, around: bool) -> Iterator[tuple[str, str]]:
    """The bounds lo and hi of x, y and z, of the cell or of the box around it."""
    overhangs = _overhangs(*tilts_of(a.cell)) if around else [(Decimal(0), Decimal(0))] * 3
    for k, (below, above) in enumerate(overhangs):
        origin, edge = float(a.origin[k]), float(a.cell[k, k])
        yield str(decimal_sum(origin, below)), str(decimal_sum(origin, edge, above))


def box(file: TextFile, line: int, texts: Sequence[Sequence[str]], tilts: Sequence[float],
        around: bool) -> tuple[FloatArray, FloatArray]:
    """Cell and origin from the bounds of x, y and z, whose texts are known to be numbers.

    Args:
        line: of the bounds, for errors.
        tilts: xy, xz and yz.
        around: the bounds belong to the box around the cell.
    """
    overhangs = _overhangs(*tilts) if around else [(Decimal(0), Decimal(0))] * 3
    origin, edges = np.zeros(3), np.zeros(3)
    for k, (below, above) in enumerate(overhangs):
        low = decimal_difference(Decimal(texts[k][0]), below)
        high = decimal_difference(Decimal(texts[k][1]), above)
        origin[k], edges[k] = float(low), float(decimal_difference(high, low))
    try:
        return cell_matrix([*edges, *tilts]), origin
    except JagerError as error:
        raise file.error(line, f"the bounds give no cell: {error}") from None


def general_box(file: TextFile, line: int, edges: Sequence[Sequence[float]]) -> FloatArray:
    """The cell of a general triclinic box with the edges avec, bvec, cvec; it must be upper triangular all the same."""
    try:
        return cell_matrix(np.array(edges).T)
    except JagerError:
        raise file.error(line, GENERAL) from None
