# SPDX-License-Identifier: MIT
"""The Jäger contact and its simulator: exact tangential forces between elastic bodies, for any movement.

    import jager
    law = jager.Law(G=29e9, nu=0.15, friction=0.5)
    contact = jager.Contact(law, 1e-3, 1e-3)
    fn, ft = contact.move(1e-7, (3e-8, 0))

    run = jager.Case("biaxial.yaml", {"material.friction": 0.3}).run("out/biaxial")
    run.plot()

Units are SI. Stresses and strains are positive in compression.
"""
from __future__ import annotations

from . import mindlin
from ._case import Case, JagerWarning
from ._contact import Contact, Energy, Force, Movement, Radii, Stiffness, Tractions
from ._contacts import Contacts
from ._convert import FORMATS, Assembly, convert, read_assembly, write_assembly
from ._errors import CaseError, FormatError, JagerError, RunError
from ._impact import impact
from ._law import Law
from ._library import CONTOURS, MODELS, State
from ._measures import CYCLE_UNITS, CYCLE_VALUES, MEANINGS, MEASURES, UNITS, Measures
from ._moduli import Moduli, moduli
from ._native import ffi as _ffi
from ._native import lib as _lib
from ._path import Path
from ._plots import plot
from ._report import report
from ._running import Progress
from ._runs import Run, Snapshot, Snapshots
from ._runs import open as open_run
from ._simulation import Simulation
from ._sweep import Sweep, sweep

open = open_run  # not in __all__: `import *` must not replace Python's own
__version__: str = _ffi.string(_lib.jager_version()).decode()

__all__ = [
    "Assembly", "CONTOURS", "CYCLE_UNITS", "CYCLE_VALUES", "Case", "CaseError", "Contact", "Contacts", "Energy",
    "FORMATS", "Force", "FormatError", "JagerError", "JagerWarning", "Law", "MEANINGS", "MEASURES", "MODELS",
    "Measures", "Moduli", "Movement", "Path", "Progress", "Radii", "Run", "RunError", "Simulation", "Snapshot",
    "Snapshots", "State", "Stiffness", "Sweep", "Tractions", "UNITS", "convert", "impact", "mindlin", "moduli", "plot",
    "read_assembly", "report", "sweep", "write_assembly",
]
