# SPDX-License-Identifier: MIT
"""The quantities that pictures of runs show: their values in rows of a table, their names and units."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .._run_files import Table
from .._run_units import units_of
from .._runs import Run
from . import loading as _loading
from .loading import ISOTROPIC, SHEAR, Loading, Numbers
from .style import prefix_for


@dataclass(frozen=True)
class Source:
    """Rows of a table of a run."""

    run: Run
    keys: dict[str, str]
    rows: Table
    loading: Loading


@dataclass(frozen=True)
class Quantity:
    """Something to draw.

    Attributes:
        label: name and symbol.
        unit: in SI; "strain" for numbers that are shown in %; "steps", "points"; or "" for other numbers.
        values: of the rows of a source.
        column: in the table, or empty if the quantity is computed.
        is_since_start: it counts from the start of the first stage that is shown.
    """

    label: str
    unit: str
    values: Callable[[Source], Numbers]
    column: str = ""
    is_since_start: bool = False


# ---- Columns of tables -----------------------------------------------------------------------------------------------

def column(name: str, unit: str, label: str = "") -> Quantity:
    """A column as it is."""
    return Quantity(label or _column_label(name), unit, lambda source: np.asarray(source.rows[name]), name)


def _column_label(name: str) -> str:
    stem, _, part = name.rpartition("_")
    if part in _loading.COMPONENTS:
        symbol = {"strain": r"strain $\varepsilon", "strain_in_stage": r"strain in the stage $\varepsilon",
                  "stress": r"stress $\sigma", "gamma": r"shear strain $\gamma", "fabric": "fabric $F"}.get(stem)
        if symbol:
            return f"{symbol}_{{{part}}}$"
    known = {"p": "mean stress $p$", "q": "deviator $q$", "void_ratio": "void ratio $e$", "step": "time step",
             "r_u": "pore pressure ratio $r_u$", "r_u_zz": "pore pressure ratio of $\\sigma_{zz}$",
             "r_u_max": "largest pore pressure ratio $r_u$", "r_u_end": "residual pore pressure ratio $r_u$",
             "strain_single": "single amplitude of the strain", "strain_double": "double amplitude of the strain",
             "volumetric_strain": r"volumetric strain $\varepsilon_v$",
             "csr": "cyclic stress ratio CSR", "static_stress_ratio": r"static stress ratio $\alpha$",
             "cycle": "number of cycles $N$", "gamma": r"shear strain $\gamma$",
             "shear_modulus": "secant shear modulus $G$", "young_modulus": "secant modulus $E$",
             "bulk_modulus": "secant bulk modulus $K$", "damping_ratio": "damping ratio $D$"}
    return known.get(name, name.replace("_", " "))


def named(table: str, name: str) -> Quantity:
    """A column that the user has named."""
    unit = units_of(table, [name]).get(name, "")
    is_share = "strain" in name or "gamma" in name or name.startswith("damping_ratio")
    return column(name, "strain" if is_share and name != "cycles_strain" else "" if unit == "1" else unit)


# ---- What the loading gives ------------------------------------------------------------------------------------------

def strain(of: Loading) -> Quantity:
    """The driven strain: of a component, volumetric in an isotropic test, γ in a shear test."""
    label = rf"compressive strain $\varepsilon_{{{of.component}}}$"
    if of.kind == ISOTROPIC:
        label = VOLUMETRIC_STRAIN.label
    elif of.kind == SHEAR:
        label = rf"shear strain $\gamma_{{{of.component}}} = 2\varepsilon_{{{of.component}}}$"
    return Quantity(label, "strain", lambda given: _loading.driven_strain(given.rows, given.loading),
                    is_since_start=True)


def _deviator_symbol(of: Loading) -> str:
    """Along z the deviator is the q of the series. Along other axes q has the name of the axis."""
    if of.kind == SHEAR:
        return rf"\tau_{{{of.component}}}"
    return "q" if of.component == "zz" else f"q_{{{of.component}}}"


def deviator(of: Loading) -> Quantity:
    """The stress along the driven axis minus the mean of the two others; τ of shear."""
    label = f"{'shear stress' if of.kind == SHEAR else 'deviator'} ${_deviator_symbol(of)}$"
    return Quantity(label, "Pa", lambda given: _loading.deviator(given.rows, given.loading))


def stress_ratio(of: Loading) -> Quantity:
    """In plane strain the driven over the lateral stress; otherwise the deviator over p."""
    if of.lateral:
        return Quantity(rf"stress ratio $\sigma_{{{of.component}}}\,/\,\sigma_{{{of.lateral}}}$", "",
                        lambda given: np.asarray(given.rows[f"stress_{of.component}"]
                                                 / given.rows[f"stress_{of.lateral}"]))
    return Quantity(rf"stress ratio ${_deviator_symbol(of)}\,/\,p$", "",
                    lambda given: np.asarray(_loading.deviator(given.rows, given.loading) / given.rows["p"]))


VOLUMETRIC_STRAIN = Quantity(r"compressive vol. strain $\varepsilon_v$", "strain",
                             lambda given: _loading.volumetric_strain(given.rows, given.loading), is_since_start=True)
STEPS = Quantity("time steps", "steps", lambda given: _loading.steps(given.rows, given.loading), is_since_start=True)
CYCLES = Quantity("number of cycles $N$", "", lambda given: _loading.cycles(given.rows, given.loading),
                  is_since_start=True)
PORE_PRESSURE = Quantity("pore pressure ratio $r_u$", "",
                         lambda given: _loading.pore_pressure_ratio(given.rows, given.loading))
MEAN_STRESS = column("p", "Pa")
VOID_RATIO = column("void_ratio", "")


# ---- Energies --------------------------------------------------------------------------------------------------------

def _is_before_stages(source: Source) -> Numbers:
    """True in rows of packing, if stages follow: sums that start at the end of packing are zero there."""
    return np.asarray((source.rows["stage"] == 0) & (source.loading.first_stage > 0))


def energy(name: str, label: str, is_sum: bool) -> Quantity:
    """The change of a column since the first row. `is_sum`: it starts again from zero when packing ends."""
    def values(source: Source) -> Numbers:
        given = np.array(source.rows[name])
        if is_sum:
            given[_is_before_stages(source)] = 0.0
        return np.asarray(given - given[0])

    return Quantity(label, "J", values, name, is_since_start=True)


ENERGY_ERROR = Quantity("relative error of the energy balance", "",
                        lambda given: np.where(_is_before_stages(given), 0.0, np.abs(given.rows["energy_error"])))


# ---- Units -----------------------------------------------------------------------------------------------------------

def scale(unit: str, size: float) -> tuple[float, str]:
    """Factor and unit for numbers up to this size."""
    if unit == "strain":
        return (1e6, r"$10^{-6}$") if 0.0 < size < 1e-4 else (100.0, "%")
    if unit == "steps":
        return (1e-3, "thousands") if size > 2e4 else (1.0, "")
    if unit in ("Pa", "J", "N"):
        factor, prefix = prefix_for(size)
        return factor, prefix + unit
    return 1.0, {"J/m3": "J/m³", "1": ""}.get(unit, unit)


def text(quantity: Quantity, unit: str) -> str:
    """The label of an axis."""
    return f"{quantity.label} ({unit})" if unit else quantity.label
