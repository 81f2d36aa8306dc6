# SPDX-License-Identifier: MIT
"""Many contacts of one law, moved at once."""
from __future__ import annotations

import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from ._contact import Contact, new_pool, packed, path_arrays, unpack
from ._law import Law
from ._library import Floats, FloatsLike, check, pointer
from ._native import ffi, lib


class Contacts:
    """Many contacts of one law in arrays: one call moves all of them.

    Movements are checked before any contact moves, so that a wrong number changes nothing. Only a call that runs out of
    memory may have moved some of the contacts; these contacts refuse further use.

    Args:
        law: materials, friction and contact model of all contacts.
        radius_a: radii of the first bodies, m, (N,).
        radius_b: radii of the second bodies, m, (N,) or one number for all; math.inf: flat walls.
    """

    def __init__(self, law: Law, radius_a: FloatsLike, radius_b: FloatsLike) -> None:
        first, second = np.broadcast_arrays(np.atleast_1d(np.asarray(radius_a, dtype=float)), np.asarray(radius_b))
        if first.ndim != 1:
            raise ValueError(f"the radii have the shape {first.shape}; it must be (N,)")
        self._make(law, np.column_stack([first, second]).astype(float))
        for k, (a, b) in enumerate(self._radii.tolist()):
            check(lib.jager_contact_init(self._c + k, law._c, a, b), f"contact {k}")

    def _make(self, law: Law, radii: Floats) -> None:
        """Contacts whose memory is zero."""
        self._law, self._radii, count = law, radii, len(radii)
        self._xi = np.zeros((count, 2))
        self._lock = threading.Lock()
        self._pool = new_pool()
        self._memory = np.zeros(count * ffi.sizeof("jager_contact"), dtype=np.uint8)
        self._c = ffi.cast("jager_contact *", ffi.from_buffer(self._memory))
        self._is_broken = False

    def __len__(self) -> int:
        return len(self._radii)

    def move(self, zeta: FloatsLike, dxi: FloatsLike = 0.0) -> tuple[Floats, Floats]:
        """Moves all contacts, straight, to `zeta`, (N,), and by `dxi`, (N, 2), or (N,) along the first axis.

        Returns:
            The normal forces, (N,), and the tangential forces, (N, 2), N, in new arrays.
        """
        fn, ft, _ = self.move_with_state(zeta, dxi)
        return fn, ft

    def move_with_state(self, zeta: FloatsLike, dxi: FloatsLike = 0.0) -> tuple[Floats, Floats, npt.NDArray[np.uint8]]:
        """The same, and the kinds of the movements as numbers of `State`, (N,)."""
        count = len(self)
        heights, rows = path_arrays(np.broadcast_to(np.asarray(zeta, dtype=float), (count,)), dxi, "dxi")
        fn, ft, state = np.empty(count), np.empty((count, 2)), np.empty(count, dtype=np.uint8)
        moves = ffi.new("binding_moves *", {"count": count, "contacts": self._c, "zeta": pointer(heights),
                                            "dxi": pointer(rows), "columns": rows.shape[1], "fn": pointer(fn),
                                            "ft": pointer(ft), "state": pointer(state, "uint8_t")})
        moved = ffi.new("size_t *")
        with self._lock:
            self._check_whole()
            status = lib.binding_contacts_move(self._law._c, self._pool, moves, moved)
            if status != lib.JAGER_OK:
                self._is_broken = status == lib.JAGER_ERROR_MEMORY and moved[0] > 0
                check(status, f"contact {moved[0]}")
            self._xi[:, :rows.shape[1]] += rows
        return fn, ft, state

    def _check_whole(self) -> None:
        if self._is_broken:
            raise MemoryError("these contacts have moved in part when memory ran out: make them anew")

    @property
    def law(self) -> Law:
        """The law of all contacts."""
        return self._law

    @property
    def zeta(self) -> Floats:
        """Half the overlaps, m."""
        with self._lock:
            self._check_whole()
            return np.array([lib.jager_contact_zeta(self._c + k) for k in range(len(self))])

    @property
    def xi(self) -> Floats:
        """Half the shifts since the contacts were made, m, (N, 2)."""
        with self._lock:
            self._check_whole()
            return self._xi.copy()

    @property
    def force(self) -> tuple[Floats, Floats]:
        """The present forces, as `move` returns them."""
        with self._lock:
            self._check_whole()
            forces = [lib.jager_contact_force(self._c + k) for k in range(len(self))]
        return np.array([f.fn for f in forces]), np.array([[f.ft[0], f.ft[1]] for f in forces]).reshape(-1, 2)

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The numbers of points of the histories."""
        with self._lock:
            self._check_whole()
            return np.array([lib.jager_contact_length(self._c + k) for k in range(len(self))], dtype=np.int64)

    @property
    def bytes(self) -> int:
        """Memory of contacts and histories."""
        with self._lock:
            return int(self._memory.nbytes + lib.jager_pool_bytes(self._pool))

    def __getitem__(self, k: int) -> Contact:
        """A copy of the k-th contact."""
        index = range(len(self))[k]
        with self._lock:
            self._check_whole()
            xi, data = self._xi[index].copy(), packed(self._c + index)
        a, b = self._radii[index].tolist()
        return unpack(self._law, (a, b), xi, data)

    def copy(self) -> Contacts:
        """Independent contacts in the same state."""
        with self._lock:
            self._check_whole()
            twin = Contacts.__new__(Contacts)
            twin._make(self._law, self._radii)
            twin._xi[...] = self._xi
            for k in range(len(self)):
                check(lib.jager_contact_clone(self._c + k, twin._pool, twin._c + k), f"contact {k}")
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Contacts:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        with self._lock:
            self._check_whole()
            pieces = [packed(self._c + k) for k in range(len(self))]
            return _unpack_all, (self._law, self._radii, self._xi.copy(), pieces)

    def __repr__(self) -> str:
        return f"<jager.Contacts: {len(self)}, model {self._law.model}>"


def _unpack_all(law: Law, radii: Floats, xi: Floats, data: list[bytes]) -> Contacts:
    contacts = Contacts.__new__(Contacts)
    contacts._make(law, radii)
    contacts._xi[...] = xi
    for k, piece in enumerate(data):
        check(lib.jager_contact_unpack(contacts._c + k, law._c, contacts._pool, piece, len(piece), ffi.NULL))
    return contacts
