# SPDX-License-Identifier: MIT
"""Units of the columns of a run's tables, as docs/files.md and the attributes of result.h5 have them."""
from __future__ import annotations

import re
from collections.abc import Iterable

_PART = r"(xx|yy|zz|xy|xz|yz)"

# The first rule whose whole pattern matches holds. A test compares them with the documentation and with result.h5.
_COMMON = (
    (r"step|stage|cycle|csr|static_stress_ratio|void_ratio|r_u.*|model", "1"),
    (r"time|time_step", "s"),
    (rf"strain_(in_stage_)?{_PART}|volumetric_strain|gamma_{_PART}", "1"),
    (r"strain_(single|double|end|amplitude|max)|gamma", "1"),
    (rf"stress_{_PART}|p|q|p_min|stress_amplitude|(shear|young|bulk)_modulus", "Pa"),
)
_SERIES = (
    (r"contacts|coordination(_mechanical)?|rattlers|(sliding|slipping)_fraction|mobilised_friction", "1"),
    (rf"(fabric|axis)_{_PART}|overlap_max|history_(mean|max)|unbalanced|inertial_number|servo_error", "1"),
    (r"energy_error|damping_share|neighbours", "1"),
    (r"(normal|shear)_force_(mean|max|deviation)", "N"),
    (r"history_bytes", "B"),
    (r"kinetic|work|stored_(normal|tangential)|dissipated_(friction|damping)", "J"),
)
_CYCLES = (
    (r"damping_ratio(_friction|_numerical)?", "1"),
    (r"loop_area|work|dissipated(_friction|_damping)?", "J/m3"),
)
_TESTS = (
    (r"test|modulus_ratio|damping_ratio(_numerical|_loop|_tolerance|_residual)?|doubtful", "1"),
    (r"flow_failure|cycles(_r_u|_strain|_done)?", "1"),
)
_RULES = {"series": _COMMON + _SERIES, "cycles": _COMMON + _CYCLES, "reduction": _COMMON + _TESTS,
          "resistance": _COMMON + _TESTS}

SNAPSHOT_UNITS = {
    "spheres": {"id": "1", "position": "m", "radius": "m", "velocity": "m/s", "angular_velocity": "rad/s",
                "force": "N", "pressure": "Pa", "contacts": "1", "grain": "1"},
    "contacts": {"ids": "1", "branch": "m", "zeta": "m", "normal": "1", "fn": "N", "force": "N", "ft": "N",
                 "state": "1", "length": "1"},
    "grains": {"id": "1", "shape": "1", "position": "m", "quaternion": "1", "velocity": "m/s",
               "angular_velocity": "rad/s", "force": "N", "torque": "N m", "mass": "kg", "diameter": "m", "extent": "m",
               "pressure": "Pa", "contacts": "1", "first_sphere": "1", "spheres": "1"},
}


def units_of(table: str, columns: Iterable[str]) -> dict[str, str]:
    """The units of columns of a table: "series", "cycles", "reduction" or "resistance".

    Numbers without a dimension have the unit "1". Columns that this version does not know are left out.
    """
    found: dict[str, str] = {}
    for column in columns:
        for pattern, unit in _RULES[table]:
            if re.fullmatch(pattern, column):
                found[column] = unit
                break
    return found
