# SPDX-License-Identifier: MIT
"""The impact of two spheres, or of a sphere and a wall."""
from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ._errors import JagerError, RunError
from ._law import Law
from ._library import Floats, FloatsLike, floats, pointer
from ._native import ffi, lib
from ._running import compute

IMPACT = np.dtype([(name, "f8") for name in (
    "rebound", "shear", "spin_a", "spin_b", "energy_before", "energy_after", "dissipated", "viscous", "depth",
    "force_error", "psi1", "psi2", "energy_lost", "e_normal", "e_tangential")] + [("steps", "i8"), ("separates", "?")])


def impact(law: Law, radius_a: float = 1e-3, radius_b: float = math.inf, *, approach: FloatsLike = 1.0,
           shear: FloatsLike | None = None, psi: FloatsLike | None = None, density: float = 2650.0,
           damping: float = 0.0, steps: int = 2000, model: str | None = None) -> npt.NDArray[np.void]:
    """Impacts of two spheres, or of a sphere and a flat wall that cannot move, without spin before.

    Args:
        law: materials and friction.
        radius_a, radius_b: radii, m; radius_b = math.inf: a flat wall.
        approach: normal velocities before the impact, m/s.
        shear: tangential velocities of the surfaces against each other before, m/s.
        psi: instead of `shear`: vt/(kappa f vn), as in the theory of Maw, Barber and Fawcett.
        density: of the spheres, kg/m³.
        damping: dashpots' share of critical damping.
        steps: time steps in the duration of Hertz's impact.
        model: a model to use instead of the law's; here also "springs", a row of independent springs.

    Returns:
        One entry for each impact, with the velocities after (`rebound`, `shear`, `spin_a`, `spin_b`), `psi1` and
        `psi2` before and after, the kinetic energies, what the contact and the dashpots have dissipated, and the ratios
        `energy_lost`, `e_normal` and `e_tangential` (nan head-on), as `jager impact` has them.
    """
    if (shear is None) == (psi is None):
        raise TypeError("impact needs either shear, the tangential velocities, or psi, their ratios")
    if law.contour != "sphere":
        raise JagerError(f"only impacts of spheres can be computed: the law has the contour {law.contour!r}")
    if psi is not None and law.friction == 0.0:
        raise ValueError("psi is in units of the friction, which is 0: give the velocities, shear")
    vn = np.atleast_1d(np.asarray(approach, dtype=float))
    given = np.atleast_1d(np.asarray(shear if shear is not None else psi, dtype=float))
    if vn.ndim > 1 or given.ndim > 1:
        raise ValueError("velocities are numbers or arrays of one dimension")
    vt = given if shear is not None else given * law.kappa * law.friction * vn
    normal, tangential = (floats(values, "velocities") for values in np.broadcast_arrays(vn, vt))
    name = ffi.new("char[]", (model or law.model).encode())
    bodies = ffi.new("binding_impact_bodies *", {
        "law": law._c[0], "model": name, "radius_a": radius_a, "radius_b": radius_b, "damping": damping,
        "mass_a": _mass(radius_a, density), "mass_b": _mass(radius_b, density), "steps": steps})
    if 0.0 < radius_a < math.inf and radius_b > 0.0 and 0.0 < density < math.inf and (normal > 0.0).all():
        _check_speeds(law, radius_a, radius_b, density, normal.ravel(), tangential.ravel())
    results = ffi.new("binding_impact[]", normal.size)
    compute(lambda watch, error: lib.binding_impacts(
        bodies, normal.size, pointer(normal), pointer(tangential), results, watch, error))
    impacts = np.zeros(normal.size, dtype=IMPACT)
    for field in set(IMPACT.names or ()) - {"energy_lost", "e_normal", "e_tangential"}:
        impacts[field] = [getattr(result, field) for result in results]
    impacts["energy_lost"] = 1.0 - impacts["energy_after"] / impacts["energy_before"]
    impacts["e_normal"] = impacts["rebound"] / normal
    with np.errstate(invalid="ignore", divide="ignore"):
        impacts["e_tangential"] = impacts["shear"] / tangential
    return impacts


def _mass(radius: float, density: float) -> float:
    return 4.0 / 3.0 * math.pi * radius * radius * radius * density  # in the order of the program


def _check_speeds(law: Law, radius_a: float, radius_b: float, density: float, vn: Floats, vt: Floats) -> None:
    """Refuses what the program refuses. Hertz's overlap δ must be small against the spheres and not too small for
    rounding; and by far larger than the gap (vt/vn)² δ²/(R_a + R_b) that opens because spheres fly past each other."""
    mass = 1.0 / (1.0 / _mass(radius_a, density) + 1.0 / _mass(radius_b, density))
    radius = 1.0 / (1.0 / radius_a + 1.0 / radius_b)
    with np.errstate(over="ignore"):
        overlap = (15.0 / 16.0 * mass * vn**2 / (3.0 / 8.0 * law.modulus * math.sqrt(radius)))**0.4
    share = overlap / min(radius_a, radius_b)
    for number in np.flatnonzero(~((share >= 1e-9) & (share <= 0.1))):
        reason = "is small: take a lower speed, or stiffer bodies" if share[number] > 0.1 else "is lost in rounding"
        raise RunError(f"impact {number}: at {vn[number]:g} m/s the spheres would overlap by {share[number]:.2g} of a "
                       f"radius, and Hertz's contact {reason}")
    for number in np.flatnonzero((vt / vn)**2 * overlap > 0.1 * (radius_a + radius_b)):
        raise RunError(f"impact {number}: at vt/vn = {vt[number] / vn[number]:g} the spheres fly past each other "
                       f"before the contact ends: take a lower speed than {vn[number]:g} m/s")
