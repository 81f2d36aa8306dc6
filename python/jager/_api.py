# SPDX-License-Identifier: MIT
"""Everything that `import jager` offers. `jager` imports it when it is needed: reading and drawing runs does without
the compiled extension."""
from __future__ import annotations

from ._errors import CaseError, FormatError, JagerError, RunError
from ._errors import with_remedy as _with_remedy

try:
    from ._native import ffi as _ffi
    from ._native import lib as _lib
except ImportError as error:
    raise _with_remedy(error) from None

from . import mindlin
from ._case import Case, JagerWarning
from ._contact import Contact, Energy, Force, Movement, Radii, Stiffness, Tractions
from ._contacts import Contacts
from ._convert import FORMATS, Assembly, convert, read_assembly, write_assembly
from ._impact import impact
from ._law import Law
from ._library import CONTOURS, MODELS, State
from ._measures import CYCLE_UNITS, CYCLE_VALUES, MEANINGS, MEASURES, UNITS, Measures
from ._moduli import Moduli, moduli
from ._path import Path
from ._pictures.plot import plot
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
