# SPDX-License-Identifier: MIT
"""The closed forms of Cattaneo, Mindlin and Deresiewicz for spheres, to compare with.

`radius` is R = 2 Ra Rb/(Ra + Rb) of spheres with the radii Ra and Rb. Numbers may be arrays, which are broadcast.
"""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._law import Law
from ._library import Floats, FloatsLike, check
from ._native import ffi, lib


def _each(function: Callable[..., int], law: Law, *values: FloatsLike) -> Floats:
    """Calls function(law, *numbers, out) for each element."""
    arrays = np.broadcast_arrays(*(np.asarray(value, dtype=float) for value in values))
    result, out = np.empty(arrays[0].shape), ffi.new("double *")
    for index in np.ndindex(result.shape):
        check(function(law._c, *(float(array[index]) for array in arrays), out))
        result[index] = out[0]
    return result


def loading(law: Law, radius: FloatsLike, fn: FloatsLike, ft: FloatsLike) -> Floats:
    """xi at constant fn, first loading to ft; |ft| <= f fn."""
    return _each(lib.jager_mindlin_loading, law, radius, fn, ft)


def unloading(law: Law, radius: FloatsLike, fn: FloatsLike, ft_peak: FloatsLike, ft: FloatsLike) -> Floats:
    """xi at constant fn after loading to ft_peak and unloading to ft; |ft| <= ft_peak <= f fn."""
    return _each(lib.jager_mindlin_unloading, law, radius, fn, ft_peak, ft)


def cycle_loss(law: Law, radius: FloatsLike, fn: FloatsLike, ft_peak: FloatsLike) -> Floats:
    """Energy dissipated in one cycle at constant fn between ±ft_peak, J; 0 <= ft_peak <= f fn."""
    return _each(lib.jager_mindlin_cycle_loss, law, radius, fn, ft_peak)


def oblique(law: Law, radius: float, fn_start: float, fn_peak: float, ratio: float, fn: FloatsLike,
            unloading: bool = False) -> tuple[Floats, Floats]:
    """ft and xi of § 17 of Mindlin and Deresiewicz: normal to fn_start, then dft/dfn = ratio > f to fn_peak, and back.

    Args:
        law: materials and friction.
        radius: R, m.
        fn_start, fn_peak: normal forces at which the oblique path begins and turns back, N.
        ratio: dft/dfn.
        fn: normal forces at which ft and xi are wanted, N.
        unloading: on the way back.
    """
    path = ffi.new("jager_oblique *", {"fn_start": fn_start, "fn_peak": fn_peak, "ratio": ratio})
    at = np.asarray(fn, dtype=float)
    ft, xi = np.empty(at.shape), np.empty(at.shape)
    f, x = ffi.new("double *"), ffi.new("double *")
    for index in np.ndindex(at.shape):
        check(lib.jager_mindlin_oblique(law._c, radius, path, float(at[index]), int(unloading), f, x))
        ft[index], xi[index] = f[0], x[0]
    return ft, xi


def oblique_traction(law: Law, radius: float, fn_start: float, fn_peak: float, ratio: float, fn: float, r: FloatsLike,
                     unloading: bool = False) -> Floats:
    """The shear traction on the path of `oblique` at the normal force fn, Pa, at the distances r from the centre, m."""
    path = ffi.new("jager_oblique *", {"fn_start": fn_start, "fn_peak": fn_peak, "ratio": ratio})
    at = np.asarray(r, dtype=float)
    traction, out = np.empty(at.shape), ffi.new("double *")
    for index in np.ndindex(at.shape):
        check(lib.jager_mindlin_oblique_traction(law._c, radius, path, fn, int(unloading), float(at[index]), out))
        traction[index] = out[0]
    return traction


def __dir__() -> list[Any]:
    return ["loading", "unloading", "cycle_loss", "oblique", "oblique_traction"]
