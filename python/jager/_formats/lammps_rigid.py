# SPDX-License-Identifier: MIT
"""Rigid grains as bodies of LAMMPS: the infile of `fix rigid/small`, with mass and inertia of the union of spheres."""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from .._assembly import DENSITY_TOLERANCE, Assembly
from .._errors import FormatError, JagerError
from .._grains import Grains, turned
from .lammps_data import molecules_of_grains
from .text_file import rows

if TYPE_CHECKING:
    from .._assembly import FloatArray


def measure_shape(spheres: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """Volume, centroid, and tensor of inertia over the mass, of the union of spheres."""
    try:
        from .._library import raise_fault
        from .._native import ffi, lib
    except ImportError:
        raise JagerError("mass and inertia of grains need the compiled extension (make python)") from None
    shape, error = ffi.new("binding_shape *"), ffi.new("binding_error *")
    table = np.ascontiguousarray(spheres, dtype=np.float64)
    if not lib.binding_shape_measure(ffi.from_buffer("double[]", table), len(table), shape, error):
        raise_fault(error)
    xx, yy, zz, xy, xz, yz = shape.inertia
    return shape.volume, np.array(list(shape.centroid)), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _bodies(a: Assembly, grains: Grains) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mass, centroid and tensor of inertia of each grain, in the axes of space."""
    assert a.density is not None
    volumes, centroids, tensors = np.empty(len(grains)), np.empty((len(grains), 3)), np.empty((len(grains), 3, 3))
    for k, spheres in enumerate(grains.shapes):
        of = grains.shape == k
        try:
            volume, centroid, tensor = measure_shape(spheres)
        except JagerError as error:
            raise FormatError(f"the molecule {molecules_of_grains(grains)[of][0]}: {error}") from None
        scales, rotations = grains.scales[of, None], _rotations(grains.quaternions[of])
        volumes[of] = volume * scales[:, 0]**3
        centroids[of] = grains.positions[of] + scales * (rotations @ centroid)
        tensors[of] = scales[:, :, None]**2 * (rotations @ tensor @ rotations.transpose(0, 2, 1))
    masses = a.density[np.searchsorted(grains.owner, np.arange(len(grains)))] * volumes
    return masses, centroids, masses[:, None, None] * tensors


def _rotations(quaternions: FloatArray) -> FloatArray:
    """The matrices of quaternions, whose columns are the turned axes."""
    return np.stack([turned(quaternions, np.tile(axis, (len(quaternions), 1))) for axis in np.eye(3)], axis=2)


def _motion(a: Assembly, grains: Grains, centroids: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Velocities of the centroids and angular velocities: means over the spheres of each grain."""
    rest, owner = np.zeros((len(a), 3)), grains.owner
    velocities = rest if a.velocities is None else a.velocities
    spins = rest if a.angular_velocities is None else a.angular_velocities

    def mean(values: FloatArray) -> FloatArray:
        sums = np.stack([np.bincount(owner, values[:, k]) for k in range(3)], axis=1)
        return np.asarray(sums / np.bincount(owner)[:, None])
    spin = mean(spins)
    return mean(velocities - np.cross(spin[owner], a.positions - centroids[owner])), spin


def check_lammps_rigid(a: Assembly) -> None:
    """Refuses an assembly that has no bodies, or grains of spheres of several densities."""
    if a.grains is None:
        raise FormatError("there are no grains of several spheres, and without them no bodies")
    assert a.density is not None
    owner = a.grains.owner
    apart = np.abs(a.density - a.density[np.searchsorted(owner, owner)]) > DENSITY_TOLERANCE * a.density
    if apart.any():
        number = molecules_of_grains(a.grains)[owner[apart][0]]
        raise FormatError(f"the spheres of the molecule {number} have different densities")


def lammps_rigid_lines(a: Assembly) -> Iterator[str]:
    """The lines of the infile that belongs to the data file of the same assembly, for its grains of several spheres."""
    grains = a.grains
    assert grains is not None
    masses, centroids, tensors = _bodies(a, grains)
    velocities, spins = _motion(a, grains, centroids)
    momenta = (tensors @ spins[:, :, None])[:, :, 0]
    products = tensors[:, [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    body = np.array([len(spheres) > 1 for spheres in grains.shapes])[grains.shape]
    yield f"# The molecules 1 to {body.sum()} as bodies, with mass, centroid and inertia of the union of their spheres:"
    yield "# fix NAME all rigid/small molecule infile FILE"
    yield "# molecule mass x y z Ixx Iyy Izz Ixy Ixz Iyz vx vy vz Lx Ly Lz, image flags"
    yield str(body.sum())
    columns = (masses, centroids, products, velocities, momenta, np.zeros((len(grains), 3), dtype=np.int64))
    yield from rows(molecules_of_grains(grains)[body], *(column[body] for column in columns))
