# SPDX-License-Identifier: MIT
"""Rigid grains of several spheres: shapes and places from spheres, and spheres from shapes and places."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ._errors import JagerError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]
    IntArray = NDArray[np.int64]

# Two grains have the same shape if their spheres agree within this fraction of the sum of the radii.
SHAPE_TOLERANCE = 1e-9
# Quaternions whose length differs from 1 by less than this keep their bits.
_LENGTH_TOLERANCE = 1e-12
_SPHERE = np.array([[0.0, 0.0, 0.0, 1.0]])


@dataclass(frozen=True, eq=False)
class Grains:
    """Places of rigid grains. The point p of its shape is at `positions + scales R p` with the rotation R of a grain.

    Grains of one sphere all have the shape of a sphere of radius 1, which is the last one. Shapes that no grain has are
    left out.

    Attributes:
        shapes: x, y, z and radius of the spheres of each shape, (n, 4), in any unit.
        shape: (G), the number of each grain's shape.
        positions: (G, 3), m, of the origins of the shapes.
        scales: (G).
        quaternions: (G, 4), w, x, y, z.
    """

    shapes: tuple[FloatArray, ...]
    shape: IntArray
    positions: FloatArray
    scales: FloatArray
    quaternions: FloatArray

    def __post_init__(self) -> None:
        shape = np.array(self.shape, dtype=np.int64)
        positions, scales = np.array(self.positions, dtype=np.float64), np.array(self.scales, dtype=np.float64)
        quaternions = np.array(self.quaternions, dtype=np.float64)
        lengths = np.linalg.norm(quaternions, axis=1)
        strange = np.abs(lengths - 1.0) > _LENGTH_TOLERANCE
        quaternions[strange] /= lengths[strange, None]
        shapes = [np.array(spheres, dtype=np.float64) for spheres in self.shapes]
        for k, spheres in enumerate(shapes):
            if len(spheres) == 1:
                of = shape == k
                positions[of] += scales[of, None] * turned(quaternions[of], spheres[:, :3])
                scales[of] *= spheres[0, 3]
                quaternions[of] = [1.0, 0.0, 0.0, 0.0]
        is_sphere = np.array([len(spheres) == 1 for spheres in shapes])
        several = [k for k in range(len(shapes)) if not is_sphere[k] and (shape == k).any()]
        number = np.full(len(shapes), len(several))
        number[several] = np.arange(len(several))
        kept = [shapes[k] for k in several] + ([_SPHERE.copy()] if is_sphere[shape].any() else [])
        for name, value in (("shapes", tuple(kept)), ("shape", number[shape]), ("positions", positions),
                            ("scales", scales), ("quaternions", quaternions)):
            for array in value if isinstance(value, tuple) else (value,):
                array.setflags(write=False)
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        """The number of grains."""
        return len(self.shape)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Grains):
            return NotImplemented
        names = ("shape", "positions", "scales", "quaternions")
        return len(self.shapes) == len(other.shapes) and all(map(np.array_equal, self.shapes, other.shapes)) and \
            all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None  # type: ignore[assignment]

    @property
    def owner(self) -> IntArray:
        """The number of each sphere's grain, from 0."""
        counts = np.array([len(spheres) for spheres in self.shapes])
        return np.repeat(np.arange(len(self)), counts[self.shape])

    def spheres(self) -> tuple[FloatArray, FloatArray]:
        """Centres and radii of all spheres, grain by grain."""
        owner = self.owner
        first = np.searchsorted(owner, np.arange(len(self)))
        points = np.empty((len(owner), 4))
        for k, spheres in enumerate(self.shapes):
            rows = first[self.shape == k][:, None] + np.arange(len(spheres))
            points[rows] = spheres
        arms = turned(self.quaternions[owner], points[:, :3])
        return self.positions[owner] + self.scales[owner, None] * arms, self.scales[owner] * points[:, 3]


def turned(quaternions: FloatArray, vectors: FloatArray) -> FloatArray:
    """Vectors turned by quaternions, from the axes of the body to those of space."""
    w, u = quaternions[:, :1], quaternions[:, 1:]
    return np.asarray(vectors + 2.0 * np.cross(u, np.cross(u, vectors) + w * vectors))


def quaternions_times(a: FloatArray, b: FloatArray) -> FloatArray:
    """First the rotation b, then the rotations a."""
    w = a[:, 0] * b[0] - a[:, 1:] @ b[1:]
    u = a[:, :1] * b[1:] + a[:, 1:] * b[0] + np.cross(a[:, 1:], b[1:])
    return np.column_stack([w, u])


def quaternion_of(rotation: FloatArray) -> FloatArray:
    """The quaternion of a rotation matrix, with w >= 0."""
    # 4 q qT has these elements; its longest row gives q without cancellation
    r = rotation
    products = np.array([
        [1 + r[0, 0] + r[1, 1] + r[2, 2], r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]],
        [r[2, 1] - r[1, 2], 1 + r[0, 0] - r[1, 1] - r[2, 2], r[0, 1] + r[1, 0], r[0, 2] + r[2, 0]],
        [r[0, 2] - r[2, 0], r[0, 1] + r[1, 0], 1 - r[0, 0] + r[1, 1] - r[2, 2], r[1, 2] + r[2, 1]],
        [r[1, 0] - r[0, 1], r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], 1 - r[0, 0] - r[1, 1] + r[2, 2]]])
    row = products[int(np.argmax(np.diag(products)))]
    return np.asarray(np.copysign(1.0, row[0]) * row / np.linalg.norm(row))


def owner_of_labels(labels: IntArray) -> IntArray:
    """Numbers of grains from 0, in the order of the spheres; all spheres of a grain must follow each other."""
    begins = np.append(True, labels[1:] != labels[:-1])
    if begins.sum() != len(np.unique(labels)):
        seen = labels[begins]
        values, counts = np.unique(seen, return_counts=True)
        raise JagerError(f"the spheres of the grain {values[counts > 1][0]} must follow each other, in the order of "
                         "the ids")
    return np.asarray(np.cumsum(begins) - 1)


def whole(positions: FloatArray, owner: IntArray, cell: FloatArray, periodic: Sequence[bool]) -> FloatArray:
    """Positions with every sphere near the first one of its grain: the nearest image."""
    first = np.searchsorted(owner, owner)
    turns = np.round(np.linalg.solve(cell, (positions - positions[first]).T))
    turns[~np.array(periodic)] = 0.0
    return np.where(turns.T.any(axis=1)[:, None], positions - (cell @ turns).T, positions)


def _fit(spheres: FloatArray, shape: FloatArray) -> tuple[FloatArray, float, FloatArray] | None:
    """Position, scale and quaternion with which the shape has these spheres; None: it has not."""
    size = spheres[:, 3].sum()
    scale = float(size / shape[:, 3].sum())
    middle, of_shape = spheres[:, :3].mean(axis=0), shape[:, :3].mean(axis=0)
    u, _, vt = np.linalg.svd((spheres[:, :3] - middle).T @ (shape[:, :3] - of_shape))
    rotation = u @ np.diag([1.0, 1.0, np.linalg.det(u) * np.linalg.det(vt)]) @ vt
    position = middle - scale * rotation @ of_shape
    error = np.column_stack([position + scale * shape[:, :3] @ rotation.T, scale * shape[:, 3]]) - spheres
    return (position, scale, quaternion_of(rotation)) if np.abs(error).max() <= SHAPE_TOLERANCE * size else None


def fit_grains(positions: FloatArray, radii: FloatArray, owner: IntArray) -> Grains:
    """Finds shapes and places of grains from their spheres, which lie together and not at opposite faces of a cell.

    The first grain of a shape gives it its axes, origin and unit.
    """
    spheres = np.column_stack([positions, radii])
    shapes: list[FloatArray] = []
    known: dict[tuple[float, ...], list[int]] = {}  # shapes by the rounded radii and distances from the middle
    numbers: list[int] = []
    fits: list[tuple[FloatArray, float, FloatArray]] = []
    for own in np.split(spheres, np.flatnonzero(np.diff(owner)) + 1):
        distances = np.linalg.norm(own[:, :3] - own[:, :3].mean(axis=0), axis=1)
        size = own[:, 3].sum()
        alike = known.setdefault(tuple(np.round(np.append(own[:, 3], distances) / size, 6)), [])
        tried = ((k, _fit(own, shapes[k])) for k in alike)
        k, fit = next(((k, fit) for k, fit in tried if fit), (len(shapes), None))
        if fit is None:
            alike.append(k)
            shapes.append(own - np.append(own[0, :3], 0.0))
            fit = own[0, :3], 1.0, np.array([1.0, 0.0, 0.0, 0.0])
        numbers.append(k)
        fits.append(fit)
    places, scales, turns = (np.array(values) for values in zip(*fits))
    return Grains(tuple(shapes), np.array(numbers), places, scales, turns)
