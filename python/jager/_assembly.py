# SPDX-License-Identifier: MIT
"""An assembly of spheres in a cell, and what of it a file format can hold."""
from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ._errors import FormatError, JagerError
from ._grains import Grains, fit_grains, owner_of_labels, whole

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    FloatArray = NDArray[np.float64]
    IntArray = NDArray[np.int64]

# Centres outside of the cell by less than this fraction of an edge are not moved: rounding cannot make them alternate.
WRAP_TOLERANCE = 1e-12
# Centres farther away than this many cells are refused: rounding would move them by more than 1e-10 of an edge.
WRAP_CELLS_MAX = 1e6
# Densities that differ by less than this fraction are uniform.
DENSITY_TOLERANCE = 1e-12

# The parts that a conversion may lose: the names that `drop` takes.
PARTS = {
    "ids": "the ids: spheres are numbered in their order",
    "velocities": "velocities and angular velocities: all spheres are at rest",
    "types": "the types: all spheres have type 1",
    "densities": "the densities of the spheres",
    "cell": "the periodic cell, where the format has none",
    "boundary": "boundaries that are not periodic: all become periodic",
    "grains": "which spheres form a rigid grain: each moves on its own",
    "contacts": "contacts and their histories, of a run",
    "columns": "columns of a table that no assembly has",
    "sections": "sections of a LAMMPS data file that no assembly has",
}


def _numbers(values: ArrayLike, what: str) -> FloatArray:
    """Returns an owned copy as doubles; all must be finite."""
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise JagerError(f"{what} must be numbers") from None
    if not np.isfinite(array).all():
        raise JagerError(f"{what} must be finite")
    return array


def _shaped(values: ArrayLike, shape: tuple[int, ...], what: str) -> FloatArray:
    array = _numbers(values, what)
    if array.shape != shape:
        raise JagerError(f"{what} must have the shape {shape}, not {array.shape}")
    return array


def _integers(values: ArrayLike, count: int, lowest: int, what: str) -> IntArray:
    array = np.array(values)
    if array.shape != (count,) or array.dtype.kind not in "iu":
        raise JagerError(f"{what} must be {count} integers")
    if array.dtype.kind == "u" and (array > np.iinfo(np.int64).max).any():
        raise JagerError(f"{what} must be less than 2**63")
    if (array < lowest).any():
        raise JagerError(f"{what} must be at least {lowest}")
    return array.astype(np.int64)


def cell_matrix(cell: ArrayLike) -> FloatArray:
    """Returns the 3 x 3 matrix of a cell with the edges as columns.

    Args:
        cell: LX LY LZ, or LX LY LZ XY XZ YZ, in m, or the matrix itself, which must be upper triangular.
    """
    n = _numbers(cell, "the numbers of a cell")
    if n.shape in ((3,), (6,)):
        matrix = np.diag(n[:3])
        if n.size == 6:
            matrix[0, 1], matrix[0, 2], matrix[1, 2] = n[3:]
    elif n.shape == (3, 3):
        matrix = n
    else:
        raise JagerError("a cell is LX LY LZ, LX LY LZ XY XZ YZ, or a 3 x 3 matrix")
    if np.tril(matrix, -1).any():
        raise JagerError("a cell must be upper triangular, with the edges as columns: turn it so that its first edge "
                         "is along x and the second in the plane of x and y")
    if not (np.diag(matrix) > 0.0).all():
        raise JagerError("the edges LX, LY, LZ of a cell must be positive")
    with np.errstate(over="ignore", under="ignore"):
        volume = float(np.prod(np.diag(matrix)))
    if not 0.0 < volume < math.inf:
        raise JagerError("a cell must have a positive, finite volume")
    return np.asarray(matrix + 0.0)  # no negative zeros


@dataclass(frozen=True, eq=False, repr=False)
class Assembly:
    """Spheres in a cell, in SI units. They may form rigid grains.

    The arrays are copies, and cannot be written to; `dataclasses.replace` makes a changed assembly. Spheres are in the
    order of their ids: rows are sorted if ids are given in another order. An assembly has neither time nor contacts.
    Assemblies are equal if all numbers are; `beyond` does not count.

    Attributes:
        positions: centres, (N, 3), m.
        radii: (N), m.
        cell: 3 x 3, upper triangular; its columns are the edges. LX LY LZ [XY XZ YZ] is accepted, too.
        origin: corner of the cell, m.
        periodic: along each edge; one value stands for all three.
        ids: (N) integers; None if the spheres are numbered in their order, from 0 or from 1.
        types: (N) integers from 1; one value stands for all spheres.
        density: (N), kg/m3; one value stands for all spheres; None if it is not known.
        velocities: (N, 3), m/s; None if all are zero.
        angular_velocities: (N, 3), rad/s; None if all are zero.
        grain: (N) integers, equal for the spheres of a rigid grain, which must follow each other in the order of the
            ids; None if each sphere is a grain. They become 0, 1, ...
        grains: shapes and places of the grains; by default they are found from the spheres. All spheres of a grain then
            lie together, also beyond the faces of the cell.
        beyond: what the source has and this class has not: name of the part, and its description.
    """

    positions: FloatArray
    radii: FloatArray
    cell: FloatArray
    origin: FloatArray = field(default_factory=lambda: np.zeros(3))
    periodic: tuple[bool, bool, bool] = (True, True, True)
    ids: IntArray | None = None
    types: IntArray = field(default_factory=lambda: np.array(1))
    density: FloatArray | None = None
    velocities: FloatArray | None = None
    angular_velocities: FloatArray | None = None
    grain: IntArray | None = None
    grains: Grains | None = None
    beyond: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        positions = _numbers(self.positions, "positions")
        if positions.ndim != 2 or positions.shape[1] != 3:
            raise JagerError(f"positions must have the shape (N, 3), not {positions.shape}")
        count = len(positions)
        if count == 0:
            raise JagerError("there are no spheres")
        radii = _shaped(self.radii, (count,), "radii")
        if not ((radii > 0.0) & (radii < 0.5 * np.finfo(np.float64).max)).all():
            raise JagerError("radii must be positive, and diameters finite")
        if np.shape(self.periodic) not in ((), (3,)):
            raise JagerError("periodic must be one truth value or three")
        periodic = np.broadcast_to(np.asarray(self.periodic, dtype=bool), (3,)).tolist()
        arrays: dict[str, NDArray[np.float64] | NDArray[np.int64] | None] = {
            "positions": positions,
            "radii": radii,
            "ids": None if self.ids is None else _integers(self.ids, count, 0, "ids"),
            "types": _integers(self.types if np.ndim(self.types) else np.full(count, self.types), count, 1, "types"),
            "density": _densities(self.density, count),
            "velocities": _moving(self.velocities, count, "velocities"),
            "angular_velocities": _moving(self.angular_velocities, count, "angular velocities"),
            "grain": None if self.grain is None else _integers(self.grain, count, -2**62, "the grains of spheres")}
        _sort_by_ids(arrays)
        arrays["cell"] = cell_matrix(self.cell)
        object.__setattr__(self, "grains", _gather_grains(arrays, self.grains, tuple(periodic)))
        arrays["origin"] = _shaped(self.origin, (3,), "the origin") + 0.0
        for name, array in arrays.items():
            if array is not None:
                array.setflags(write=False)
            object.__setattr__(self, name, array)
        object.__setattr__(self, "periodic", tuple(periodic))
        object.__setattr__(self, "beyond", dict(self.beyond))

    def __len__(self) -> int:
        """The number of spheres."""
        return len(self.radii)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Assembly):
            return NotImplemented
        names = ("positions", "radii", "cell", "origin", "ids", "types", "density", "velocities", "angular_velocities")
        return self.periodic == other.periodic and self.grains == other.grains and \
            all(_same(getattr(self, n), getattr(other, n)) for n in names)

    def __repr__(self) -> str:
        has = "".join(f", {text}" for name, text in parts_of(self).items() if name != "cell")
        return f"<Assembly of {len(self)} spheres, cell {self.cell.tolist()}{has}>"

    @property
    def masses(self) -> FloatArray | None:
        """Masses of the spheres, kg; None if their density is not known."""
        return None if self.density is None else sphere_volumes(self.radii) * self.density

    def wrapped(self) -> Assembly:
        """Returns the assembly with all centres inside the cell, along its periodic edges; of rigid grains their
        positions.

        A centre that is inside, to rounding, keeps its bits. It is the same periodic assembly.
        """
        if self.grains is not None:
            places = self.grains.positions
            moved = _wrap(places - self.origin, self.cell, self.periodic, places)
            shift = (moved - places)[self.grains.owner]
            return replace(self, positions=np.where(shift.any(axis=1)[:, None], self.positions + shift, self.positions),
                           grains=replace(self.grains, positions=moved))
        if any(self.periodic):
            places = self.positions - self.origin
            return replace(self, positions=_wrap(places, self.cell, self.periodic, self.positions))
        return self


def _gather_grains(arrays: dict[str, NDArray[np.float64] | NDArray[np.int64] | None], grains: Grains | None,
                   periodic: tuple[bool, ...]) -> Grains | None:
    """The grains of an assembly, found from their spheres if they are not given; the spheres of each lie together."""
    labels, positions, radii = arrays["grain"], arrays["positions"], arrays["radii"]
    assert positions is not None and radii is not None
    if grains is None and labels is not None:
        owner = owner_of_labels(np.asarray(labels, dtype=np.int64))
        if owner[-1] + 1 < len(owner):
            cell = np.asarray(arrays["cell"], dtype=np.float64)
            together = whole(np.asarray(positions, dtype=np.float64), owner, cell, periodic)
            arrays["positions"] = together
            grains = fit_grains(together, np.asarray(radii, dtype=np.float64), owner)
    if grains is not None and len(grains.owner) != len(positions):
        raise JagerError(f"the grains have {len(grains.owner)} spheres, the assembly {len(positions)}")
    arrays["grain"] = None if grains is None else grains.owner
    return grains


def _densities(values: ArrayLike | None, count: int) -> FloatArray | None:
    if values is None:
        return None
    density = _numbers(values, "densities")
    if density.ndim == 0:
        density = np.full(count, density)
    density = _shaped(density, (count,), "densities")
    if not (density > 0.0).all():
        raise JagerError("densities must be positive")
    return density


def _moving(values: ArrayLike | None, count: int, what: str) -> FloatArray | None:
    array = None if values is None else _shaped(values, (count, 3), what)
    return array if array is not None and array.any() else None


def _same(a: NDArray[np.float64] | None, b: NDArray[np.float64] | None) -> bool:
    return a is b if a is None or b is None else np.array_equal(a, b)


def _sort_by_ids(arrays: dict[str, NDArray[np.float64] | NDArray[np.int64] | None]) -> None:
    """Sorts the rows of all arrays by ids, and removes ids that count from 0 or 1."""
    ids = arrays["ids"]
    if ids is None:
        return
    order = np.argsort(ids, kind="stable")
    for name, array in arrays.items():
        if array is not None:
            arrays[name] = array[order]
    ids = ids[order]
    repeated = np.flatnonzero(ids[1:] == ids[:-1])
    if repeated.size:
        raise JagerError(f"ids must be unique: {ids[repeated[0]]} occurs twice")
    if ids[0] in (0, 1) and ids[-1] - ids[0] == len(ids) - 1:
        arrays["ids"] = None


def _wrap(places: FloatArray, cell: FloatArray, periodic: tuple[bool, ...], positions: FloatArray) -> FloatArray:
    """Moves positions by whole edges until the places relative to the origin are inside the cell."""
    start = positions
    for _ in range(4):
        z = places[:, 2] / cell[2, 2]
        y = (places[:, 1] - cell[1, 2] * z) / cell[1, 1]
        x = (places[:, 0] - cell[0, 1] * y - cell[0, 2] * z) / cell[0, 0]
        s = np.stack([x, y, z], axis=1)
        s[:, ~np.array(periodic)] = 0.0
        if not (np.abs(s) < WRAP_CELLS_MAX).all():
            worst = int(np.argmax(np.abs(s).max(axis=1)))
            raise FormatError(f"sphere {worst} (from 0) at {tuple(start[worst].tolist())} is more than "
                              f"{WRAP_CELLS_MAX:.0e} cells away: its place in the cell is not known")
        turns = np.where((s >= -WRAP_TOLERANCE) & (s <= 1.0 + WRAP_TOLERANCE), 0.0, np.floor(s))
        if not turns.any():
            break
        shift = turns @ cell.T
        places, positions = places - shift, positions - shift
    return positions


def sphere_volumes(radii: FloatArray) -> FloatArray:
    """Volumes of spheres."""
    return np.asarray(4.0 / 3.0 * math.pi * radii**3)


def parts_of(a: Assembly) -> dict[str, str]:
    """The parts that the assembly has and a format may not hold: name and description."""
    parts = dict(a.beyond)
    if a.ids is not None:
        parts["ids"] = f"ids that are not 0, 1, ... in order (they are {a.ids[0]} to {a.ids[-1]})"
    moving = [text for text, array in (("velocities", a.velocities), ("angular velocities", a.angular_velocities))
              if array is not None]
    if moving:
        parts["velocities"] = " and ".join(moving)
    types = np.unique(a.types)
    if types.size > 1:
        parts["types"] = f"{types.size} types"
    if a.density is not None and np.ptp(a.density) > DENSITY_TOLERANCE * a.density.max():
        parts["densities"] = f"densities from {a.density.min():g} to {a.density.max():g} kg/m3"
    if any(a.periodic):
        parts["cell"] = "the periodic cell"
    if a.grains is not None:
        parts["grains"] = f"grains of several spheres ({len(a.grains)} of {len(a)} spheres)"
    if not all(a.periodic):
        parts["boundary"] = "a boundary that is not periodic along " + \
            ", ".join(axis for axis, p in zip("xyz", a.periodic) if not p)
    return parts


def without(a: Assembly, drop: frozenset[str]) -> Assembly:
    """The assembly without the parts that are named; the cell stays."""
    changes: dict[str, object] = {"beyond": {k: v for k, v in a.beyond.items() if k not in drop}}
    fields = {"ids": ("ids",), "velocities": ("velocities", "angular_velocities"), "densities": ("density",),
              "grains": ("grain", "grains")}
    for part, names in fields.items():
        if part in drop:
            changes.update((name, None) for name in names)
    if "types" in drop:
        changes["types"] = np.array(1)
    if "boundary" in drop:
        changes["periodic"] = (True, True, True)
    return replace(a, **changes)
