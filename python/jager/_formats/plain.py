# SPDX-License-Identifier: MIT
"""Assemblies as jager's own text, as text of YADE, and as CSV."""
from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .._assembly import DENSITY_TOLERANCE, Assembly, cell_matrix
from .._errors import JagerError
from .._grains import Grains
from .text_file import Table, TextFile, rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .._assembly import FloatArray

JAGER_LINE_MAX = 32768
_SHAPES_MAX, _SHAPE_SPHERES_MAX = 10000, 100
_CELL_RULE = "a cell is 'cell LX LY LZ' or 'cell LX LY LZ XY XZ YZ', in m"
_YADE_FORMATS = {"x_y_z_r": "x y z r", "x_y_z_r_matId": "x y z r matId", "id_x_y_z_r_matId": "id x y z r matId",
                 "x_y_z_r_attrs": "x y z r attributes", "x_y_z_r_clumpId": "x y z r clumpId"}


def cell_numbers(cell: FloatArray) -> str:
    """LX LY LZ, and XY XZ YZ if the cell leans."""
    edges = [cell[0, 0], cell[1, 1], cell[2, 2]]
    tilts = [cell[0, 1], cell[0, 2], cell[1, 2]]
    return " ".join(repr(float(value)) for value in (edges + tilts if any(tilts) else edges))


def _parse_cell(file: TextFile, line: int, text: str) -> FloatArray:
    numbers = file.numbers(line, text.replace(",", " ").split(), _CELL_RULE)
    if len(numbers) not in (3, 6):
        raise file.error(line, _CELL_RULE)
    try:
        return cell_matrix(numbers)
    except JagerError as error:
        raise file.error(line, str(error)) from None


def _require_spheres(table: Table) -> None:
    if not table.rows:
        raise table.file.error(None, "there are no spheres")


class _JagerGrains:
    """Grains of jager's own text, and its plain spheres, in the order of their lines."""

    _SHAPE_RULE = "a shape is 'shape X Y Z R', with up to 100 spheres of four numbers each"
    _GRAIN_RULE = "a grain is 'grain X Y Z SCALE W QX QY QZ' and, if there are several, its shape's number"

    def __init__(self, file: TextFile) -> None:
        self.file = file
        self.shapes: list[FloatArray] = []
        self.rows: list[tuple[int, list[float]]] = []  # number of the shape; position, scale, quaternion

    def add_shape(self, line: int, words: list[str]) -> None:
        """Takes the spheres of a shape."""
        values = self.file.numbers(line, words, self._SHAPE_RULE)
        if not values or len(values) % 4 or len(values) > 4 * _SHAPE_SPHERES_MAX:
            raise self.file.error(line, self._SHAPE_RULE)
        spheres = np.reshape(values, (-1, 4))
        if not (spheres[:, 3] > 0.0).all():
            raise self.file.error(line, "a radius must be positive")
        self.shapes.append(spheres)

    def add_grain(self, line: int, words: list[str]) -> None:
        """Takes a grain of a shape that stands before it."""
        values = self.file.numbers(line, words, self._GRAIN_RULE)
        if len(values) not in (8, 9):
            raise self.file.error(line, self._GRAIN_RULE)
        number = values[8] if len(values) == 9 else 0.0
        if number not in range(len(self.shapes)):
            raise self.file.error(line, "there is no such shape: shapes stand before their grains, and count from 0")
        if not values[3] > 0.0:
            raise self.file.error(line, "the scale must be positive")
        if not 1e-100 < np.linalg.norm(values[4:8]) < 1e100:
            raise self.file.error(line, "the quaternion W QX QY QZ must have a length that is not 0")
        self.rows.append((int(number), values[:8]))

    def finish(self, spheres: FloatArray) -> Grains:
        """All grains; spheres, x, y, z and r, have a shape of their own behind the others."""
        number = np.array([k for k, _ in self.rows])
        values = np.tile([0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0], (len(number), 1))
        values[number < 0, :4] = spheres
        values[number >= 0] = [row for k, row in self.rows if k >= 0]
        number[number < 0] = len(self.shapes)
        return Grains((*self.shapes, np.array([[0.0, 0.0, 0.0, 1.0]])), number, values[:, :3], values[:, 3],
                      values[:, 4:])


def read_jager(file: TextFile) -> Assembly:
    """Reads jager's own text: a line `cell LX LY LZ [XY XZ YZ]`, a line `X Y Z R` for each sphere, and of rigid grains
    lines `shape` and `grain`."""
    cell = None
    table, grains = Table(file), _JagerGrains(file)
    for line, text in enumerate(file.lines, 1):
        if len(text) >= JAGER_LINE_MAX and len(text.encode()) >= JAGER_LINE_MAX:
            raise file.error(line, f"longer than {JAGER_LINE_MAX} bytes: this is no file of spheres")
        text = text.split("#", 1)[0].strip()
        if text.startswith("cell"):
            if cell is not None:
                raise file.error(line, "a second cell")
            cell = _parse_cell(file, line, text[4:])
        elif text.startswith("shape"):
            grains.add_shape(line, text[5:].replace(",", " ").split())
        elif text.startswith("grain"):
            grains.add_grain(line, text[5:].replace(",", " ").split())
        elif text:
            table.add(line, text.replace(",", " ").split())
            grains.rows.append((-1, []))
    table.check_width({4}, "a sphere is four numbers, X Y Z R, in m")
    if cell is None:
        raise file.error(None, "there is no cell: a line 'cell LX LY LZ', in m; for a text of YADE give its cell with "
                               "cell= (--cell LX LY LZ)")
    if not grains.rows:
        raise file.error(None, "there are no spheres")
    positions, radii = table.columns((0, 1, 2), "a coordinate"), table.column(3, "a radius", True)
    if len(table.rows) == len(grains.rows):
        return Assembly(positions=positions, radii=radii, cell=cell)
    found = grains.finish(np.column_stack([positions, radii]))
    positions, radii = found.spheres()
    return Assembly(positions=positions, radii=radii, cell=cell, grains=found)


def check_jager_grains(grains: Grains) -> Grains:
    """The same grains, if jager's text can hold them."""
    if len(grains.shapes) > _SHAPES_MAX:
        raise JagerError(f"the grains have {len(grains.shapes)} different shapes; jager's text holds {_SHAPES_MAX}")
    if max(map(len, grains.shapes)) > _SHAPE_SPHERES_MAX:
        raise JagerError(f"a grain has {max(map(len, grains.shapes))} spheres; jager's text holds "
                         f"{_SHAPE_SPHERES_MAX}")
    return grains


def _density_comment(a: Assembly, where: str) -> Iterator[str]:
    if a.density is not None and np.ptp(a.density) <= DENSITY_TOLERANCE * a.density.max():
        yield f"# density {float(a.density[0])!r} kg/m3: {where}"


def jager_lines(a: Assembly) -> Iterator[str]:
    """The lines of jager's own text."""
    grains = a.grains
    yield f"# {len(a)} spheres: X Y Z R, in m" if grains is None else f"# {len(grains)} grains of {len(a)} spheres"
    yield from _density_comment(a, "state it in the case")
    yield f"cell {cell_numbers(a.cell)}"
    if grains is None:
        yield from rows(a.positions, a.radii)
        return
    for spheres in grains.shapes:
        if len(spheres) > 1:
            yield "shape " + "  ".join(rows(spheres))
    lines = zip(rows(grains.positions, grains.scales), rows(grains.quaternions), grains.shape.tolist())
    for place, quaternion, shape in lines:
        yield f"grain {place} {quaternion} {shape}" if len(grains.shapes[shape]) > 1 else place


def read_yade(file: TextFile, cell: FloatArray) -> Assembly:
    """Reads a text of yade.export.text, textExt or textClumps; the material number matId is type - 1.

    Lines with the same clumpId, which follow each other, are a rigid grain.
    """
    kind = "x_y_z_r"
    table = Table(file)
    for line, text in enumerate(file.lines, 1):
        words = text.split()
        if words and words[0] == "#format":
            if table.rows:
                raise file.error(line, "'#format' must stand before the spheres")
            kind = words[1] if len(words) == 2 else ""
            if kind not in _YADE_FORMATS:
                raise file.error(line, f"'#format' must be one of {', '.join(_YADE_FORMATS)}")
        elif words and not words[0].startswith("#"):
            table.add(line, file.fields(line))
    _require_spheres(table)
    names = _YADE_FORMATS[kind].split()
    attributes = names[-1] == "attributes"
    widths = range(5, 10000) if attributes else [len(names)]
    width = table.check_width(widths, f"a sphere is '{_YADE_FORMATS[kind]}', in m, separated by blanks")
    first = names.index("x")
    return Assembly(
        positions=table.columns((first, first + 1, first + 2), "a coordinate"),
        radii=table.column(first + 3, "a radius", True), cell=cell,
        ids=table.ids(0, 0) if first else None,
        types=table.integers(width - 1, "matId", 0) + 1 if names[-1] == "matId" else np.array(1),
        grain=table.integers(width - 1, "clumpId", 0) if names[-1] == "clumpId" else None,
        beyond={"columns": f"the attributes of YADE ({width - 4} columns)"} if attributes else {})


def yade_lines(a: Assembly) -> Iterator[str]:
    """The lines of a text that yade.ymport.textExt reads, with grains textClumps; it has no empty lines, on which YADE
    fails."""
    columns: list[NDArray[Any]] = [a.positions, a.radii]
    if a.grain is not None:
        kind, columns = "x_y_z_r_clumpId", [*columns, a.grain]
    elif (a.types != 1).any():
        kind, columns = "x_y_z_r_matId", [*columns, a.types - 1]
    else:
        kind = "x_y_z_r"
    yield f"#format {kind}"
    yield from _density_comment(a, "state it in the material")
    yield from rows(*columns, separator="\t")


_CSV_COMMENT = re.compile(r"#\s*(cell|origin|periodic)\s+(.*)")
_CSV_VECTORS = {"velocities": ("vx", "vy", "vz"), "angular_velocities": ("wx", "wy", "wz")}
_CSV_COLUMNS = {"x", "y", "z", "radius", "diameter", "id", "grain", "type", "density",
                *(name for names in _CSV_VECTORS.values() for name in names)}


class _CsvHead:
    """What the comments of a CSV file say."""

    def __init__(self) -> None:
        self.cell: FloatArray | None = None
        self.origin = np.zeros(3)
        self.periodic = (True, True, True)

    def read(self, file: TextFile, line: int, text: str) -> None:
        """Takes cell, origin or periodicity from a comment; other comments have no meaning."""
        match = _CSV_COMMENT.fullmatch(text.strip())
        if not match:
            return
        key, value = match.groups()
        if key == "cell":
            if self.cell is not None:
                raise file.error(line, "a second cell")
            self.cell = _parse_cell(file, line, value)
        elif key == "origin":
            rule = "the origin is '# origin X Y Z', in m"
            numbers = file.numbers(line, value.split(), rule)
            if len(numbers) != 3:
                raise file.error(line, rule)
            self.origin = np.array(numbers)
        else:
            words = value.split()
            if len(words) != 3 or not set(words) <= {"yes", "no"}:
                raise file.error(line, "'# periodic' has three words, yes or no, for x, y and z")
            self.periodic = (words[0] == "yes", words[1] == "yes", words[2] == "yes")


def _csv_table(file: TextFile, head: _CsvHead) -> tuple[list[str], Table]:
    names: list[str] = []
    table = Table(file)
    for line, text in enumerate(file.lines, 1):
        if text.lstrip().startswith("#"):
            head.read(file, line, text)
        elif text.strip():
            fields = [word.strip() for word in text.split(",")]
            if names:
                table.add(line, fields)
                continue
            names = fields
            twice = [name for k, name in enumerate(names) if name in names[:k]]
            missing = [name for name in ("x", "y", "z") if name not in names]
            if twice:
                raise file.error(line, f"the column '{twice[0]}' occurs twice")
            if missing or ("radius" in names) == ("diameter" in names):
                raise file.error(line, "the header must name the columns x, y, z and one of radius and diameter")
    _require_spheres(table)
    table.check_width({len(names)}, f"a row has as many fields as the header, {len(names)}")
    return names, table


def read_csv(file: TextFile, cell: FloatArray | None) -> Assembly:
    """Reads CSV with a header; cell, origin and periodicity are in comments."""
    head = _CsvHead()
    names, table = _csv_table(file, head)
    if cell is not None and head.cell is not None:
        raise file.error(None, "the file has a cell: cell= (--cell) must not be given")
    cell = head.cell if cell is None else cell
    if cell is None:
        raise file.error(None, "there is no cell: a comment '# cell LX LY LZ', in m, or cell= (--cell LX LY LZ)")

    def at(name: str) -> int:
        if name not in names:
            raise file.error(None, f"the header names a part of a vector, but not {name}")
        return names.index(name)

    vectors: dict[str, Any] = {key: table.columns([at(axis) for axis in axes], "the column")
               for key, axes in _CSV_VECTORS.items() if set(axes) & set(names)}
    radii = table.column(at("radius"), "a radius", True) if "radius" in names else \
        0.5 * table.column(at("diameter"), "a diameter", True)
    others = [name for name in names if name not in _CSV_COLUMNS]
    return Assembly(
        positions=table.columns([at(axis) for axis in "xyz"], "a coordinate"), radii=radii,
        cell=cell, origin=head.origin, periodic=head.periodic,
        ids=table.ids(at("id"), 0) if "id" in names else None,
        types=table.integers(at("type"), "a type", 1) if "type" in names else np.array(1),
        density=table.column(at("density"), "a density", True) if "density" in names else None,
        grain=table.integers(at("grain"), "a grain", 0) if "grain" in names else None,
        beyond={"columns": "the columns " + ", ".join(others)} if others else {}, **vectors)


def csv_lines(a: Assembly) -> Iterator[str]:
    """The lines of a CSV file with everything that the assembly has."""
    yield f"# {len(a)} spheres, in SI units"
    yield f"# cell {cell_numbers(a.cell)}"
    yield "# origin " + " ".join(map(repr, a.origin.tolist()))
    yield "# periodic " + " ".join("yes" if p else "no" for p in a.periodic)
    names = ["x", "y", "z", "radius"]
    columns: list[NDArray[Any]] = [a.positions, a.radii]
    optional: list[tuple[list[str], NDArray[Any] | None]] = [
        (["id"], a.ids), (["grain"], a.grain), (["type"], a.types if (a.types != 1).any() else None),
        (["density"], a.density),
        (["vx", "vy", "vz"], a.velocities), (["wx", "wy", "wz"], a.angular_velocities)]
    for labels, column in optional:
        if column is not None:
            names += labels
            columns.append(column)
    yield ",".join(names)
    yield from rows(*columns, separator=",")
