# SPDX-License-Identifier: MIT
"""One contact: moved, loaded, read and drawn."""
from __future__ import annotations

import threading
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._errors import JagerError
from ._law import Law
from ._library import Floats, FloatsLike, State, check, empty, floats, pointer
from ._native import ffi, lib
from ._path import Path

POINT = np.dtype([("zeta", "f8"), ("fn", "f8"), ("p", "f8", (2,))])
assert POINT.itemsize == ffi.sizeof("jager_point")

class Force(NamedTuple):
    """Forces of a contact, N. `ft` acts on the first body, in the direction in which the second has shifted."""

    fn: float
    ft: Floats


class Movement(NamedTuple):
    """A movement of a contact, m: to the half-overlap `zeta`, and by `dxi`, half of the shift."""

    zeta: float
    dxi: Floats


class Stiffness(NamedTuple):
    """Tangent stiffnesses, N/m: dFn/d(2 zeta), and dFt/d(2 xi) in full stick."""

    normal: float
    tangential: float


class Energy(NamedTuple):
    """Energies stored by the normal and the tangential force, J."""

    normal: float
    tangential: float


class Radii(NamedTuple):
    """Radius of the contact area, and of the part of it that did not slip in the last movement, m."""

    contact: float
    stick: float


class Tractions(NamedTuple):
    """Tractions over the contact area, Pa, at the distances `r` from its centre, m; `shear` has two components."""

    r: Floats
    pressure: Floats
    shear: Floats


class Contact:
    """A contact of two bodies, which remembers its loading history.

    The centres approach by 2 zeta and shift sideways by 2 xi; zeta and xi are half-movements. A new contact is at
    zeta = 0, xi = 0. Objects may be used by several threads; a failed call leaves the contact as it was.

    Args:
        law: materials, friction and contact model.
        radius_a: radius of the first body, m.
        radius_b: radius of the second, m; math.inf: a flat wall. Cones and power laws have no radius: any number.
    """

    def __init__(self, law: Law, radius_a: float = 1e-3, radius_b: float = 1e-3) -> None:
        self._law, self._radii = law, (float(radius_a), float(radius_b))
        self._xi = np.zeros(2)
        self._lock = threading.Lock()
        self._pool = new_pool()
        self._c = ffi.new("jager_contact *")
        check(lib.jager_contact_init(self._c, law._c, radius_a, radius_b))

    # ---- Moving ---------------------------------------------------------------------------------------------------

    def move(self, zeta: float, dxi: FloatsLike = (0.0, 0.0)) -> Force:
        """Moves the contact, straight, to `zeta` and by `dxi` (two components, or one number along the first axis).

        zeta <= 0 separates the bodies and forgets the history; a negative zeta is half the gap.
        """
        shift, force = _pair(dxi, "dxi"), ffi.new("jager_force *")
        with self._lock:
            check(lib.jager_contact_move(self._c, self._law._c, self._pool, zeta, shift, force))
            self._xi = self._xi + (shift[0], shift[1])
        return _force(force)

    def walk(self, zeta: FloatsLike, xi: FloatsLike | None = None, *, dxi: FloatsLike | None = None,
             energy: bool = False) -> Path:
        """Moves the contact along a path of straight movements: whole arrays, as fast as a loop in C.

        Args:
            zeta: at the end of each movement, N values; or one number for all.
            xi: at the end of each movement, (N, 2), or (N,) along the first axis. The path starts at `self.xi`.
            dxi: changes of xi instead.
            energy: also computes the energies, which takes longer.

        Returns:
            The forces after each movement, in new arrays.
        """
        if (xi is None) == (dxi is None):
            raise TypeError("walk needs either xi, the positions, or dxi, their changes")
        name, given = ("xi", xi) if xi is not None else ("dxi", dxi)
        heights, rows = path_arrays(zeta, given, name)  # type: ignore[arg-type]
        count = len(heights)
        fn, ft, reached, states = empty((count,), (count, 2), (count, 3), ((count + 7) // 8,))
        state, energies = states.view(np.uint8)[:count], empty((3, count))[0] if energy else None
        walk = ffi.new("binding_walk *", {"count": count, "zeta": pointer(heights), "xi": pointer(rows),
                                          "columns": rows.shape[1], "is_change": xi is None, "fn": pointer(fn),
                                          "ft": pointer(ft), "state": pointer(state, "uint8_t"),
                                          "reached": pointer(reached)})
        if energies is not None:
            walk.normal, walk.tangential, walk.dissipated = (pointer(row) for row in energies)
        failed = ffi.new("size_t *")
        with self._lock:
            walk.start = self._xi.tolist()
            check(lib.binding_contact_walk(self._law._c, self._pool, self._c, walk, failed), _Movement(failed))
            self._xi = np.array([walk.start[0], walk.start[1]])
        return Path(self._law, reached[:, 0], reached[:, 1:], fn, ft, state, energies)

    def load(self, fn: float, ft: FloatsLike = (0.0, 0.0)) -> Movement:
        """Loads the contact to these forces, and returns the movement that this takes. Only for the model "jager"."""
        target = _pair(ft, "ft")
        force = ffi.new("jager_force *", {"fn": fn, "ft": [target[0], target[1]]})
        movement = ffi.new("jager_movement *")
        with self._lock:
            check(lib.jager_contact_load(self._c, self._law._c, self._pool, force, movement))
            self._xi = self._xi + (movement.dxi[0], movement.dxi[1])
        return Movement(movement.zeta, np.array([movement.dxi[0], movement.dxi[1]]))

    def reset(self) -> None:
        """Forgets the history: the contact is as new, at zeta = 0, xi = 0."""
        with self._lock:
            lib.jager_contact_release(self._c, self._pool)
            self._xi = np.zeros(2)

    # ---- Reading --------------------------------------------------------------------------------------------------

    @property
    def law(self) -> Law:
        """The law. A new one may have another friction, tolerance or dp_max; all else must be as before."""
        return self._law

    @law.setter
    def law(self, law: Law) -> None:
        same = {"friction": self._law.friction, "tolerance": self._law.tolerance, "dp_max": self._law.dp_max}
        if law.replace(**same) != self._law.replace(**same):
            raise JagerError("a contact keeps its material, model and contour: "
                             "only friction, tolerance and dp_max of its law may change")
        with self._lock:
            self._law = law

    @property
    def radii_of_bodies(self) -> tuple[float, float]:
        """The radii of the two bodies, m."""
        return self._radii

    @property
    def zeta(self) -> float:
        """Half the overlap, m; negative: half the gap."""
        with self._lock:
            return float(lib.jager_contact_zeta(self._c))

    @property
    def xi(self) -> Floats:
        """Half the shift since the contact was made, m."""
        with self._lock:
            return self._xi.copy()

    @property
    def force(self) -> Force:
        """The present forces."""
        with self._lock:
            return _force(ffi.new("jager_force *", lib.jager_contact_force(self._c)))

    @property
    def fn(self) -> float:
        """The normal force, N."""
        with self._lock:
            return float(lib.jager_contact_fn(self._c))

    @property
    def ft(self) -> Floats:
        """The tangential force, N, two components."""
        return self.force.ft

    @property
    def state(self) -> State:
        """The kind of the last movement."""
        with self._lock:
            return State(lib.jager_contact_state(self._c))

    def __len__(self) -> int:
        """The number of points of the history, the zeroth included."""
        with self._lock:
            return self._length()

    def _length(self) -> int:
        """The same, for those who have the lock."""
        return int(lib.jager_contact_length(self._c))

    def __bool__(self) -> bool:
        return True

    @property
    def history(self) -> npt.NDArray[np.void]:
        """The equivalent load history, from the zeroth point to the present: zeta, fn, p (slope of the segment below).

        The tangential force is the sum of p (fn - fn of the point below).
        """
        with self._lock:
            points = np.zeros(self._length(), dtype=POINT)
            check(lib.jager_contact_history(self._c, self._law._c, pointer(points, "jager_point"), len(points)))
        return points

    @property
    def stiffness(self) -> Stiffness:
        """The present tangent stiffnesses."""
        stiffness = ffi.new("jager_stiffness *")
        with self._lock:
            check(lib.jager_contact_stiffness(self._c, self._law._c, stiffness))
        return Stiffness(stiffness.normal, stiffness.tangential)

    @property
    def stored(self) -> Energy:
        """The energies that the contact stores now."""
        energy = ffi.new("jager_energy *")
        with self._lock:
            check(lib.jager_contact_stored(self._c, self._law._c, self._pool, energy))
        return Energy(energy.normal, energy.tangential)

    @property
    def radii(self) -> Radii:
        """The radii of the contact area and of its stuck core."""
        outer, inner = ffi.new("double *"), ffi.new("double *")
        with self._lock:
            check(lib.jager_contact_radii(self._c, self._law._c, outer, inner))
        return Radii(outer[0], inner[0])

    def tractions(self, r: FloatsLike | None = None) -> Tractions:
        """Pressure and shear traction over the contact area, at the distances `r`; by default 401 of them.

        The pressure in the centre of a cone is infinite.
        """
        edge = self.radii.contact
        at = floats(np.linspace(0.0, edge, 401) if r is None else np.atleast_1d(np.asarray(r, dtype=float)), "r")
        pressure, shear = np.zeros(at.shape), np.zeros((*at.shape, 2))
        p, q = ffi.new("double *"), ffi.new("double[2]")
        with self._lock:
            for index in np.ndindex(at.shape):
                check(lib.jager_contact_traction(self._c, self._law._c, at[index], p, q))
                pressure[index], shear[index] = p[0], (q[0], q[1])
        return Tractions(at, pressure, shear)

    # ---- Copies ---------------------------------------------------------------------------------------------------

    def copy(self) -> Contact:
        """An independent contact in the same state."""
        with self._lock:
            twin = _bare(self._law, self._radii, self._xi)
            check(lib.jager_contact_clone(self._c, twin._pool, twin._c))
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Contact:
        return self.copy()

    def pack(self) -> bytes:
        """The state as bytes, with version and checksum, as the library packs it."""
        with self._lock:
            return packed(self._c)

    def __reduce__(self) -> tuple[Any, ...]:
        with self._lock:
            return unpack, (self._law, self._radii, self._xi.copy(), packed(self._c))

    def __eq__(self, other: object) -> bool:
        """Are both in the same state to the bit, histories included?"""
        if not isinstance(other, Contact):
            return NotImplemented
        first, second = sorted((self, other), key=id)
        if first is second:
            return True
        with first._lock, second._lock:
            return bool(lib.jager_contact_equal(self._c, other._c))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fn, ft = self.force
        return (f"<jager.Contact {self.state.name.lower()}: zeta {self.zeta:.4g} m, fn {fn:.4g} N, "
                f"ft ({ft[0]:.4g}, {ft[1]:.4g}) N, {len(self)} points of history>")

    def _repr_html_(self) -> str:
        (fn, ft), xi = self.force, self.xi
        rows = {"state": self.state.name.lower(), "zeta": f"{self.zeta:.6g} m",
                "xi": f"({xi[0]:.6g}, {xi[1]:.6g}) m", "fn": f"{fn:.6g} N",
                "ft": f"({ft[0]:.6g}, {ft[1]:.6g}) N", "history": f"{len(self)} points", "model": self._law.model}
        cells = "".join(f"<tr><th>{key}</th><td>{value}</td></tr>" for key, value in rows.items())
        return f"<table><caption>jager.Contact</caption>{cells}</table>"

    def plot_cone(self, ax: Any = None, **style: Any) -> Any:
        """Draws the friction cone and the equivalent history in the plane of forces. Returns the axes.

        Args:
            ax: matplotlib's axes to draw in; by default new ones.
            style: of the history's line, as for matplotlib's plot: label, color, linestyle, …
        """
        from ._pictures.one_contact import plot_cone
        return plot_cone(self, ax, **style)

    def plot_tractions(self, ax: Any = None) -> Any:
        """Draws pressure and shear traction over the radius. Returns the axes."""
        from ._pictures.one_contact import plot_tractions
        return plot_tractions(self, ax)


def unpack(law: Law, radii: tuple[float, float], xi: Floats, data: bytes) -> Contact:
    """The contact that `Contact.pack` has packed."""
    contact = _bare(law, radii, xi)
    check(lib.jager_contact_unpack(contact._c, law._c, contact._pool, data, len(data), ffi.NULL))
    return contact


def packed(contact: Any) -> bytes:
    """The bytes of a contact of C."""
    size = lib.jager_contact_pack_size(contact)
    data = ffi.new("unsigned char[]", size)
    check(lib.jager_contact_pack(contact, data, size))
    return bytes(ffi.buffer(data, size))


def new_pool() -> Any:
    pool = lib.jager_pool_create(0)
    if pool == ffi.NULL:
        raise MemoryError("no memory for a pool of histories")
    return ffi.gc(pool, lib.jager_pool_destroy)


def _bare(law: Law, radii: tuple[float, float], xi: Floats) -> Contact:
    """A contact whose memory is zero, to be filled by clone or unpack."""
    contact = Contact.__new__(Contact)
    contact._law, contact._radii, contact._xi = law, radii, np.array(xi, dtype=float)
    contact._lock, contact._pool, contact._c = threading.Lock(), new_pool(), ffi.new("jager_contact *")
    return contact


def _pair(values: FloatsLike, name: str) -> Any:
    array = np.asarray(values, dtype=float)
    if array.shape not in ((), (1,), (2,)):
        raise ValueError(f"{name} has the shape {array.shape}; it must be two numbers, or one along the first axis")
    parts = array.reshape(-1).tolist()
    return ffi.new("double[2]", parts)


def _force(force: Any) -> Force:
    return Force(force.fn, np.array([force.ft[0], force.ft[1]]))


def path_arrays(zeta: FloatsLike, xi: FloatsLike, name: str) -> tuple[Floats, Floats]:
    """zeta as (N,) and xi as (N, 2) or (N, 1), contiguous; one of them may be a single number."""
    heights, rows = np.asarray(zeta, dtype=np.float64), np.asarray(xi, dtype=np.float64)
    if heights.ndim > 1 or rows.ndim > 2 or (rows.ndim == 2 and rows.shape[1] != 2):
        raise ValueError(f"zeta has the shape {heights.shape} and {name} {rows.shape}; they must be (N,), and (N, 2) "
                         "or (N,)")
    lengths = {array.shape[0] for array in (heights, rows) if array.ndim}
    if len(lengths) != 1:
        raise ValueError(f"zeta has the shape {heights.shape} and {name} {rows.shape}: which is the number of "
                         "movements?")
    count = lengths.pop()
    if heights.ndim == 0:
        heights = np.broadcast_to(heights, (count,))
    if rows.ndim < 2:
        rows = np.broadcast_to(rows, (count,)).reshape(count, 1)
    return np.ascontiguousarray(heights), np.ascontiguousarray(rows)


class _Movement:
    """The number of the movement that failed, as a text when it is needed."""

    def __init__(self, index: Any) -> None:
        self._index = index

    def __str__(self) -> str:
        return f"movement {self._index[0]}"
